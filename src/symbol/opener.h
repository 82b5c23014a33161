#ifndef PERFTOP_SYMBOL_OPENER_H
#define PERFTOP_SYMBOL_OPENER_H

/*
 * Opens files whose names come from other processes and files. The opener has the rights of the
 * program and reads nothing; its parent reads and has no rights (confine.h). A hostile file that
 * takes over the reader can reach no more than other ELF files, what everybody may read, mappings
 * and symbols. Only regular files are opened: no device starts to act, no pipe blocks. Names are
 * resolved under the root of the process.
 */

#include <stdbool.h>
#include <stdint.h>

#include "symbol/wire.h"

struct opener {
	int fd;          /* socket to it; -1: it has ended, nothing can be opened any more */
	uint64_t cpu_ns; /* that it has used */
	uint64_t rss_bytes;
};

/* Returned in place of a descriptor. */
enum {
	OPEN_ABSENT = -1,  /* there is no such file, or it may not be read */
	OPEN_REFUSED = -2, /* not a regular file, or of another user */
	OPEN_NOT_ELF = -3
};

/*
 * What to open of an object, of which only the named members are used.
 *
 * MAPPED works for root, even if the name is gone; ABSENT: another file is mapped there by now.
 * JIT_MAP must belong to the user of the process, or to root. MAPS are REFUSED if the process may
 * not be looked into. KALLSYMS are those of the running kernel; with a name, a build id as
 * "ab/cd...", those that perf has kept of that kernel. SOURCE may be any file that debug
 * information names: it is looked for where the process sees it, then on this machine, both with
 * the rights of its user; everybody must be able to read it, or that user own it, and it must have
 * a size, which files of /proc do not.
 */
enum opener_wish {
	OPENER_FILE,         /* an ELF file: name, pid (0: this process) */
	OPENER_MAPPED,       /* a mapped ELF file: pid, start, end; name or inode */
	OPENER_JIT_MAP,      /* /tmp/perf-PID.map: pid */
	OPENER_MAPS,         /* /proc/PID/maps: pid */
	OPENER_KALLSYMS,     /* name */
	OPENER_KERNEL_NOTES, /* with the build id of the kernel */
	OPENER_VDSO,         /* a copy of ours */
	OPENER_SOURCE,       /* name, pid */
	OPENER_WISHES
};

struct opener_reply {
	int result;      /* the descriptor, or a value from above */
	bool is_deleted; /* of OPENER_MAPPED: the name leads to another file, or to none */
	uint64_t cpu_ns, rss_bytes;
};

/* Starts it, as a child of this process that ends when the socket is closed. */
bool opener_start(struct opener *opener);
void opener_stop(struct opener *opener);

/* Returns a descriptor for reading, or a value from above. reply may be NULL. */
int opener_open(struct opener *opener, enum opener_wish wish, const struct wire_object *object,
		struct opener_reply *reply);

/* Whether there is no map of the code that the process makes, where that can be seen. Of any
 * process. */
bool opener_lacks_jit_map(int32_t pid);

#endif
