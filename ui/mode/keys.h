#ifndef PERFTOP_KEYS_H
#define PERFTOP_KEYS_H

/*
 * Which key runs which command: one table, from which help and key line are made too; what the
 * user binds changes it.
 *
 * A key is written as term/key.h has it, or as two characters that are typed one after the other:
 * "gg".
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

struct key_binding {
	const char *key;     /* name as term/key.h reads it */
	const char *command; /* command.h */
	const char *label;   /* in key line and help; NULL: another key has it */
	const char *when; /* it is in the key line; NULL: in all views. "view": in those that list
			     the command (view_info.keys). "frozen", "replay": while this is so,
			     before all others; "-line": in a view of strips; "replay-more":
			     behind them. "help": in none */
};

enum {
	KEYS_NAME_MAX = 32
};

/* One or two keys; two[1] is KEY_CODE_NONE where there is one. */
struct key_sequence {
	uint32_t two[2];
};

/* Another command than the table's; command NULL: none. */
struct key_change {
	struct key_sequence keys;
	char *name, *command; /* owned */
};

/* The keys of a run. */
struct keys {
	struct key_change *changes; /* owned; those of the user */
	size_t count, capacity;
	struct key_binding *now;    /* owned; what holds, its texts borrowed */
	struct key_sequence *typed; /* owned; the keys of each of these */
	size_t now_count;
	uint32_t pending; /* first of two keys, which was typed; KEY_CODE_NONE: none */
};

void keys_init(void *state); /* a struct keys */
void keys_fini(void *state);

/* What holds now: good until the next change. keys NULL: the table. */
const struct key_binding *keys_now(const struct keys *keys, size_t *count);

/* False: no such key, or such keys. */
bool keys_parse(const char *name, struct key_sequence *keys);

/*
 * Binds a key; command NULL: it does nothing from now on. The command is not looked at. False:
 * error says that there is no such key.
 */
bool keys_bind(struct keys *keys, const char *name, const char *command, struct error *error);

/*
 * The command of the key that was typed, or of it and the one before. NULL: none; *waits says
 * whether another key may make it one.
 */
const char *keys_type(struct keys *keys, uint32_t key, bool *waits);

/* Whether these keys, by the index of keys_now(), are two, the first of which was typed and waits
 * for the second. */
bool keys_is_awaited(const struct keys *keys, size_t index);

/* The command of a single key; NULL: none. */
const char *keys_bound(const struct keys *keys, uint32_t key);

/* The same by the name of a key, or of two. */
const char *keys_bound_named(const struct keys *keys, const char *name);

/* The first key that runs this command now; NULL: none. */
const char *keys_find(const struct keys *keys, const char *command);

/* The same for words about it: the command itself where no key runs it. */
const char *keys_name_of(const struct keys *keys, const char *command);

/* Whether it is in the key line: at a time ("frozen"; NULL: at any) or of a view with these keys.
 */
bool keys_is_labelled(const struct key_binding *binding, const char *time, const char *commands);

/* Whether the command moves in time, and so makes sense wherever something of the time is shown. */
bool keys_is_of_time(const char *command);

#endif
