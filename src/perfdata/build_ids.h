#ifndef PERFTOP_PERFDATA_BUILD_IDS_H
#define PERFTOP_PERFDATA_BUILD_IDS_H

/*
 * Which build of a program or library a file is: the GNU note that the linker leaves in it. By that
 * a reader finds the right symbols, also on another machine.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/build_id.h"

struct build_ids; /* opaque */
struct strbuf;

struct build_ids *build_ids_create(void);
void build_ids_destroy(struct build_ids *ids); /* NULL is allowed */

/*
 * Reads a file that was mapped, once, or the vdso (inode 0). One that has no build id, or is not
 * the one with this inode, is remembered as such; so is a path that means another one elsewhere, as
 * in a container.
 */
void build_ids_note(struct build_ids *ids, const char *path, uint64_t inode);

/* The kernel's own, from what sysfs says of it ("/sys/kernel/notes"). */
void build_ids_note_kernel(struct build_ids *ids, const char *path);

/*
 * Takes what a recording says of a file: the body of such a record, and `misc` of its header. The
 * first one of a file counts.
 */
void build_ids_take(struct build_ids *ids, uint16_t misc, const void *body, size_t size);

/* Of the file that a mapping is called by; 0: it is not known. NULL is allowed. */
size_t build_ids_find(const struct build_ids *ids, const char *path, size_t length,
		      unsigned char id[static BUILD_ID_MAX]);

/* Appends a record for each, of this type (0 in a file); false: there are none. */
bool build_ids_append(const struct build_ids *ids, unsigned int type, struct strbuf *buffer);

#endif
