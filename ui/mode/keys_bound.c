/*
 * What holds is the table, then what the profile changes of it, then what the user does. It is made
 * anew at each change, in the order of the table: a label goes with its command to the first key
 * that has it now, so that the key line keeps its order and stays true.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

#include "mode/keys.h"
#include "mode/keys_profiles.h"
#include "term/key.h"

static bool is_one_character(uint32_t key)
{
	return key >= KEY_CODE_SPACE && key < KEY_CODE_SPECIAL;
}

bool keys_parse(const char *name, struct key_sequence *keys)
{
	const size_t size = strlen(name);
	uint32_t first = KEY_CODE_NONE, second = KEY_CODE_NONE;
	int length;

	*keys = (struct key_sequence){.two = {key_parse(name), KEY_CODE_NONE}};
	if (keys->two[0] != KEY_CODE_NONE)
		return true;
	length = text_decode(name, size, &first);
	if (length <= 0 || text_decode(name + length, size - (size_t)length, &second) <= 0 ||
	    key_parse(name + length) != second || !is_one_character(first))
		return false;
	*keys = (struct key_sequence){.two = {first, second}};
	return true;
}

static bool are_same(const struct key_sequence *a, const struct key_sequence *b)
{
	return a->two[0] == b->two[0] && a->two[1] == b->two[1];
}

static bool are_called(const char *name, const struct key_sequence *keys)
{
	struct key_sequence named;

	return keys_parse(name, &named) && are_same(&named, keys);
}

/* The change of the user for these keys; the count of changes: none. */
static size_t find_change(const struct keys *keys, const struct key_sequence *wanted)
{
	size_t index = 0;

	while (index < keys->count && !are_same(&keys->changes[index].keys, wanted))
		index++;
	return index;
}

/* What the profile says of them; NULL: nothing. */
static const struct key_binding *find_in_profile(size_t profile, const struct key_sequence *wanted)
{
	size_t count;
	const struct key_binding *table = keys_profile_table(profile, &count);

	for (size_t i = 0; i < count; i++)
		if (are_called(table[i].key, wanted))
			return &table[i];
	return NULL;
}

/* The command of keys without what the user has changed; NULL: none. */
static const char *command_of_profile(size_t profile, const struct key_sequence *wanted)
{
	const struct key_binding *binding = find_in_profile(profile, wanted);

	if (binding)
		return binding->command;
	return wanted->two[1] == KEY_CODE_NONE ? keys_command(wanted->two[0]) : NULL;
}

static const char *command_of(const struct keys *keys, const struct key_sequence *wanted)
{
	const size_t change = find_change(keys, wanted);

	if (change < keys->count)
		return keys->changes[change].command;
	return command_of_profile(keys->profile, wanted);
}

static void append(struct keys *keys, const char *name, const char *command,
		   const struct key_binding *like)
{
	array_reserve(&keys->now, &keys->now_capacity, keys->now_count + 1, sizeof(*keys->now));
	keys->now[keys->now_count++] = (struct key_binding){
		.key = name,
		.command = command,
		.label = like ? like->label : NULL,
		.views = like ? like->views : NULL,
	};
}

static bool is_appended(const struct keys *keys, const char *name)
{
	struct key_sequence wanted;

	keys_parse(name, &wanted);
	for (size_t i = 0; i < keys->now_count; i++)
		if (are_called(keys->now[i].key, &wanted))
			return true;
	return false;
}

/* A key that got this command by a change; NULL: none. */
static const char *changed_key(const struct keys *keys, const char *command)
{
	size_t count;
	const struct key_binding *table = keys_profile_table(keys->profile, &count);

	for (size_t i = 0; i < keys->count; i++) {
		const struct key_change *change = &keys->changes[i];

		if (change->command && strcmp(change->command, command) == 0)
			return change->name;
	}
	for (size_t i = 0; i < count; i++) {
		struct key_sequence wanted;

		if (table[i].command && strcmp(table[i].command, command) == 0 &&
		    keys_parse(table[i].key, &wanted) && find_change(keys, &wanted) == keys->count)
			return table[i].key;
	}
	return NULL;
}

/* A line of the table as it holds now; where its key does something else, its label goes on. */
static void append_line(struct keys *keys, const struct key_binding *line)
{
	struct key_sequence wanted;
	const char *command, *key;

	keys_parse(line->key, &wanted);
	command = command_of(keys, &wanted);
	if (command && strcmp(command, line->command) == 0) {
		append(keys, line->key, line->command, line);
		return;
	}
	key = line->label ? changed_key(keys, line->command) : NULL;
	if (key && !is_appended(keys, key))
		append(keys, key, line->command, line);
}

static void append_rest(struct keys *keys, const char *name, const char *command)
{
	if (command && !is_appended(keys, name))
		append(keys, name, command, NULL);
}

static void make_now(struct keys *keys)
{
	size_t count;
	const struct key_binding *table = keys_table(&count);

	keys->now_count = 0;
	for (size_t i = 0; i < count; i++)
		append_line(keys, &table[i]);
	for (size_t i = 0; i < keys->count; i++)
		append_rest(keys, keys->changes[i].name, keys->changes[i].command);
	table = keys_profile_table(keys->profile, &count);
	for (size_t i = 0; i < count; i++) {
		struct key_sequence wanted;

		keys_parse(table[i].key, &wanted);
		if (find_change(keys, &wanted) == keys->count)
			append_rest(keys, table[i].key, table[i].command);
	}
}

static void free_change(struct key_change *change)
{
	free(change->name);
	free(change->command);
}

void keys_fini(struct keys *keys)
{
	for (size_t i = 0; i < keys->count; i++)
		free_change(&keys->changes[i]);
	free(keys->changes);
	free(keys->now);
	*keys = (struct keys){0};
}

const struct key_binding *keys_now(const struct keys *keys, size_t *count)
{
	if (!keys || !keys->now)
		return keys_table(count);
	*count = keys->now_count;
	return keys->now;
}

static bool are_equal(const char *a, const char *b)
{
	return !a || !b ? a == b : strcmp(a, b) == 0;
}

static void forget_change(struct keys *keys, size_t index)
{
	free_change(&keys->changes[index]);
	memmove(&keys->changes[index], &keys->changes[index + 1],
		(keys->count - index - 1) * sizeof(*keys->changes));
	keys->count--;
}

/* As it is shown: a key may have several names. The caller frees it. */
static char *name_of(const struct key_sequence *keys, const char *typed)
{
	char name[KEYS_NAME_MAX];

	if (keys->two[1] != KEY_CODE_NONE)
		return xstrdup(typed);
	key_name(keys->two[0], name, sizeof(name));
	return xstrdup(name);
}

bool keys_bind(struct keys *keys, const char *name, const char *command, struct error *error)
{
	struct key_sequence wanted;
	size_t index;

	if (!keys_parse(name, &wanted))
		return error_set(error, ERROR_KEY_UNKNOWN, name, NULL);
	index = find_change(keys, &wanted);
	if (index < keys->count)
		forget_change(keys, index);
	if (!are_equal(command_of_profile(keys->profile, &wanted), command)) {
		array_reserve(&keys->changes, &keys->capacity, keys->count + 1,
			      sizeof(*keys->changes));
		keys->changes[keys->count++] = (struct key_change){
			.keys = wanted,
			.name = name_of(&wanted, name),
			.command = command ? xstrdup(command) : NULL,
		};
	}
	make_now(keys);
	return true;
}

bool keys_set_profile(struct keys *keys, const char *name, struct error *error)
{
	for (size_t i = 0; keys_profile(i); i++) {
		if (strcmp(keys_profile(i), name) != 0)
			continue;
		keys->profile = i;
		make_now(keys);
		return true;
	}
	return error_set(error, ERROR_PROFILE_UNKNOWN, name, NULL);
}

/* Whether a key is the first of two that do something. */
static bool begins_two(const struct keys *keys, uint32_t key)
{
	size_t count;
	const struct key_binding *table = keys_now(keys, &count);
	struct key_sequence two;

	for (size_t i = 0; i < count; i++)
		if (keys_parse(table[i].key, &two) && two.two[0] == key &&
		    two.two[1] != KEY_CODE_NONE)
			return true;
	return false;
}

const char *keys_type(struct keys *keys, uint32_t key, bool *waits)
{
	const struct key_sequence both = {.two = {keys->pending, key}};
	const bool is_second = keys->pending != KEY_CODE_NONE;
	const char *command;

	*waits = false;
	keys->pending = KEY_CODE_NONE;
	if (is_second)
		return command_of(keys, &both);
	command = keys_bound(keys, key);
	if (!command && begins_two(keys, key)) {
		keys->pending = key;
		*waits = true;
	}
	return command;
}

bool keys_is_awaited(const struct keys *keys, const struct key_binding *binding)
{
	struct key_sequence two;

	return keys->pending != KEY_CODE_NONE && keys_parse(binding->key, &two) &&
	       two.two[1] != KEY_CODE_NONE && two.two[0] == keys->pending;
}

const char *keys_bound(const struct keys *keys, uint32_t key)
{
	const struct key_sequence one = {.two = {key, KEY_CODE_NONE}};

	return command_of(keys, &one);
}

const char *keys_bound_named(const struct keys *keys, const char *name)
{
	struct key_sequence wanted;

	return keys_parse(name, &wanted) ? command_of(keys, &wanted) : NULL;
}

const char *keys_name_of(const struct keys *keys, const char *command)
{
	size_t count;
	const struct key_binding *now = keys_now(keys, &count);

	for (size_t i = 0; i < count; i++)
		if (strcmp(now[i].command, command) == 0)
			return now[i].key;
	return command;
}
