#ifndef PERFTOP_KEYS_H
#define PERFTOP_KEYS_H

/* Which key runs which command: one table, from which help and key line are made too. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key_binding {
	const char *key;     /* name as ui/key.h reads it */
	const char *command; /* commands.h */
	const char *label;   /* in the key line; NULL: only in the help */
	const char *views;   /* names of those in whose key line it stands; NULL: of all. "frozen",
				"replay": while this is so, before all others */
};

const struct key_binding *keys_table(size_t *count);

/* Whether it stands in the key line of this view. */
bool keys_is_labelled(const struct key_binding *binding, const char *view);

/* Whether the command moves in time, and so makes sense wherever something of the time is shown. */
bool keys_is_of_time(const char *command);

/* Whether the command is refused in a replay, since it needs what runs now. */
bool keys_is_of_present(const char *command);

/* The command of a key; NULL: none. */
const char *keys_command(uint32_t key);

#endif
