#ifndef PERFTOP_SESSION_REPLACEMENT_H
#define PERFTOP_SESSION_REPLACEMENT_H

/*
 * A file that others read while it is written anew again and again: they see the old text or the
 * new one, whole.
 */

#include <stdbool.h>
#include <stddef.h>

struct error;
struct stat;

/* An empty one is {0}. */
struct replacement {
	char *path;              /* owned; of the file itself, where a link was given */
	char *temporary;         /* owned; template of the names of what is to take its place */
	const struct stat *like; /* its mode and owner are to be as here, and it is to be on the
				    disk before it has the name; NULL: 0644, and neither */
};

/*
 * Sees whether the file can be replaced. False with an error: it cannot. False without one: what
 * has this name is no file (a pipe, a device) and is to be written to as it is.
 */
bool replacement_init(struct replacement *replacement, const char *path, struct error *error);
void replacement_fini(struct replacement *replacement);

/* False: the file is as it was, or has vanished with its directory. */
bool replacement_write(const struct replacement *replacement, const char *text, size_t length,
		       struct error *error);

#endif
