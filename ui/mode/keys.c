#include "mode/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"

#include "term/key.h"

/* clang-format off */
static const struct key_binding bindings[] = {
	{"Space",    "space",          "pause/resume", "frozen,replay,frozen-line,replay-line"},
	{"Left",     "left",            "step",      "frozen,replay"},
	{"Right",    "right",           "step",      "frozen,replay"},
	{",",        "step-back",       "step",      "frozen-line,replay-line"},
	{".",        "dot",             "step",        "frozen-line,replay-line"},
	{"g",        "ask jump",        "jump", "frozen,replay,frozen-line,replay-line"},
	{"{",        "speed recorded",  "as recorded", "replay-more"},
	{"}",        "speed max",       "no waits",  "replay-more"},
	{"F1",       "help",            "help",      NULL},
	{"h",        "help",            NULL,        NULL},
	{"?",        "help .",          NULL,        NULL},
	{"F2",       "setup",           NULL,        NULL},
	{"q",        "close",           "quit",      NULL},
	{"F10",      "quit",            NULL,        NULL},
	{"a",        "ask attach",      "attach",    NULL},
	{"A",        "all",             NULL,        NULL},
	{"Enter",    "task",            "open",      "view"},
	{"Backspace", "back",           "back",      "view"},
	{"W",        "window",          "window",    "view"},
	{"b",        "by",              "by",        "view"},
	{"[",        "zoom-in",         "zoom in",   "view"},
	{"]",        "zoom-out",        "out",       "view"},
	{"l",        "cpu-strips",      NULL,        NULL},
	{"o",        "colour",          "colour",    "view"},
	{"O",        "samples",         "on/off CPU", "view"},
	{"M",        "sort miss%",      "miss %",    "view"},
	{"I",        "sort ipc",        "IPC",       "view"},
	{"P",        "sort cpu%",       "CPU %",     "view"},
	{"N",        "sort pid",        NULL,        NULL},
	{"T",        "sort time",       NULL,        NULL},
	{"S",        "sort sw/s",       NULL,        NULL},
	{"F6",       "sort-menu",       NULL,        NULL},
	{"<",        "sort-left",       NULL,        NULL},
	{">",        "sort-right",      "column",    "view"},
	{"R",        "reverse",         NULL,        NULL},
	{"/",        "ask search",      "search",    "view"},
	{"F3",       "ask search",      NULL,        NULL},
	{"n",        "search-next",     NULL,        NULL},
	{"p",        "search-previous", NULL,        NULL},
	{"\\",       "ask filter",      "filter",    "view"},
	{"F4",       "ask filter",      NULL,        NULL},
	{"&",        "ask filter-add",  NULL,        NULL},
	{"e",        "events",          "events",    "view"},
	{"L",        "light",           NULL,        NULL},
	{"m",        "ask metric",      NULL,        NULL},
	{"+",        "ask column",      NULL,        NULL},
	{"f",        "next-columns",    "column set", "view"},
	{"H",        "threads",         "threads",   "view"},
	{"i",        "idle",            NULL,        NULL},
	{"K",        "kernel-threads",  NULL,        NULL},
	{"E",        "exited",          NULL,        NULL},
	{"Ins",      "tag",             NULL,        NULL},
	{"C",        "tag-children",    NULL,        NULL},
	{"U",        "untag",           NULL,        NULL},
	{"F",        "follow",          NULL,        NULL},
	{"t",        "next-form",       "tree",      "view"},
	{"F5",       "next-form",       NULL,        NULL},
	{"G",        "calls flame",     "flame graph", "view"},
	{"y",        "flame-colour",    "colour",    "view"},
	{"-",        "fold",            "fold",      "view"},
	{"=",        "fold",            NULL,        NULL},
	{"*",        "fold all",        NULL,        NULL},
	{"c",        "command-lines",   NULL,        NULL},
	{"u",        "ask user",        NULL,        NULL},
	{"d",        "ask delay",       NULL,        NULL},
	{"s",        "ask delay",       NULL,        NULL},
	{"k",        "signal",          "signal",    "view"},
	{"F9",       "signal",          NULL,        NULL},
	{"F7",       "nice -1",         NULL,        NULL},
	{"F8",       "nice +1",         NULL,        NULL},
	{"r",        "ask nice",        NULL,        NULL},
	{"B",        "ask affinity",    NULL,        NULL},
	{"Z",        "freeze",          "freeze",    NULL},
	{"Tab",      "next-view",       "next view", NULL},
	{"w",        "ask record",      "record",    "view"},
	{"x",        "ask hand-over",   "perf record", "view"},
	{"BackTab",  "previous-view",   NULL,        NULL},
	{"1",        "view tasks",      NULL,        NULL},
	{"2",        "view cpus",       NULL,        NULL},
	{"3",        "view switches",   NULL,        NULL},
	{"4",        "view groups",     NULL,        NULL},
	{"5",        "view pairs",      NULL,        NULL},
	{"6",        "view histogram",  NULL,        NULL},
	{"7",        "view timeline",   NULL,        NULL},
	{"8",        "view functions",  NULL,        NULL},
	{":",        "ask command",     NULL,        NULL},
	{"Up",       "up",              NULL,        NULL},
	{"Down",     "down",            NULL,        NULL},
	{"PgUp",     "page-up",         NULL,        NULL},
	{"PgDn",     "page-down",       NULL,        NULL},
	{"Home",     "first",           NULL,        NULL},
	{"End",      "last",            NULL,        NULL},
	{"S-Left",   "scroll-left",     NULL,        NULL},
	{"S-Right",  "scroll-right",    NULL,        NULL},
	{"Esc",      "escape",          NULL,        NULL},
	{"^L",       "redraw",          NULL,        NULL},
};
/* clang-format on */

enum {
	BINDING_COUNT = sizeof(bindings) / sizeof(*bindings)
};

bool keys_is_labelled(const struct key_binding *binding, const char *time, const char *commands)
{
	if (!binding->label || !binding->when)
		return binding->label && !time;
	if (time)
		return word_list_has(binding->when, time);
	return word_list_has(binding->when, "view") && word_list_has(commands, binding->command);
}

bool keys_is_of_time(const char *command)
{
	static const char *const of_time[] = {"freeze",    "space",   "dot",      "left", "right",
					      "step-back", "step-on", "ask jump", "speed"};

	for (size_t i = 0; i < sizeof(of_time) / sizeof(*of_time); i++) {
		const size_t length = strlen(of_time[i]);

		if (strncmp(command, of_time[i], length) == 0 &&
		    (command[length] == '\0' || command[length] == ' '))
			return true;
	}
	return false;
}

bool keys_is_of_present(const char *command)
{
	return strcmp(command, "ask record") == 0 || strcmp(command, "ask hand-over") == 0;
}

const char *keys_command(uint32_t key)
{
	for (size_t i = 0; i < BINDING_COUNT; i++)
		if (key_parse(bindings[i].key) == key)
			return bindings[i].command;
	return NULL;
}

/*
 * The profile htop is the table itself (keys.c). Where a profile takes a key for something else,
 * what it did goes to another one.
 */

/* clang-format off */
static const struct key_binding top[] = {
	{"W",     "save",          NULL, NULL},
	{"^W",    "window",        NULL, NULL},
	{"o",     "ask filter-add", NULL, NULL},
	{"O",     "ask filter-add", NULL, NULL},
	{"^O",    "colour",        NULL, NULL},
	{"^P",    "samples",       NULL, NULL},
	{"=",     "filter",        NULL, NULL},
	{"U",     "ask user",      NULL, NULL},
	{"^U",    "untag",         NULL, NULL},
	{"L",     "ask search",    NULL, NULL},
	{"&",     "search-next",   NULL, NULL},
	{"f",     "setup",         NULL, NULL},
	{"^F",    "next-columns",  NULL, NULL},
	{"V",     "next-form",     NULL, NULL},
	{"v",     "fold",          NULL, NULL},
	{"1",     "view cpus",     NULL, NULL},
	{"2",     "view tasks",    NULL, NULL},
};

static const struct key_binding vim[] = {
	{"j",     "down",          NULL, NULL},
	{"k",     "up",            NULL, NULL},
	{"h",     "left",          NULL, NULL},
	{"l",     "right",         NULL, NULL},
	{"g",     NULL,            NULL, NULL},
	{"gg",    "first",         NULL, NULL},
	{"G",     "last",          NULL, NULL},
	{"gj",    "ask jump",      NULL, NULL},
	{"gt",    "next-view",     NULL, NULL},
	{"gT",    "previous-view", NULL, NULL},
	{"^D",    "page-down",     NULL, NULL},
	{"^U",    "page-up",       NULL, NULL},
	{"^F",    "page-down",     NULL, NULL},
	{"^B",    "page-up",       NULL, NULL},
	{"Z",     NULL,            NULL, NULL},
	{"ZZ",    "quit",          NULL, NULL},
	{"zz",    "freeze",        NULL, NULL},
	{"za",    "fold",          NULL, NULL},
	{"N",     "search-previous", NULL, NULL},
	{"p",     "sort pid",      NULL, NULL},
	{"gl",    "cpu-strips",    NULL, NULL},
	{"gf",    "calls flame",   NULL, NULL},
};

static const struct {
	const struct key_binding *table;
	size_t count;
} profiles[KEYS_PROFILES] = {
	[KEYS_TOP] = {top,  sizeof(top) / sizeof(*top)},
	[KEYS_VIM] = {vim,  sizeof(vim) / sizeof(*vim)},
};
/* clang-format on */

/*
 * What holds is the table, then what the profile changes of it, then what the user does. It is made
 * anew at each change, in the order of the table: a label goes with its command to the first key
 * that has it now, so that the key line keeps its order and stays true.
 */

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

/* The command of keys without what the user has changed; NULL: none. */
static const char *command_of_profile(size_t profile, const struct key_sequence *wanted)
{
	for (size_t i = 0; i < profiles[profile].count; i++)
		if (are_called(profiles[profile].table[i].key, wanted))
			return profiles[profile].table[i].command;
	return wanted->two[1] == KEY_CODE_NONE ? keys_command(wanted->two[0]) : NULL;
}

static const char *command_of(const struct keys *keys, const struct key_sequence *wanted)
{
	const size_t change = find_change(keys, wanted);

	return change < keys->count ? keys->changes[change].command
				    : command_of_profile(keys->profile, wanted);
}

/* What is changed of the table, the user's changes first: key and command of the change; false:
 * there are no more. *command is NULL where the key does nothing, or the user has changed it again.
 */
static bool get_change(const struct keys *keys, size_t index, const char **key,
		       const char **command)
{
	const struct key_binding *line;
	struct key_sequence wanted;

	if (index < keys->count) {
		*key = keys->changes[index].name;
		*command = keys->changes[index].command;
		return true;
	}
	index -= keys->count;
	if (index >= profiles[keys->profile].count)
		return false;
	line = &profiles[keys->profile].table[index];
	keys_parse(line->key, &wanted);
	*key = line->key;
	*command = find_change(keys, &wanted) == keys->count ? line->command : NULL;
	return true;
}

/* Adds a key, unless it is there; its label is that of the line that it is like (NULL: none). */
static void append(struct keys *keys, const char *name, const char *command,
		   const struct key_binding *like)
{
	struct key_sequence wanted;

	keys_parse(name, &wanted);
	for (size_t i = 0; i < keys->now_count; i++)
		if (are_called(keys->now[i].key, &wanted))
			return;
	array_reserve(&keys->now, &keys->now_capacity, keys->now_count + 1, sizeof(*keys->now));
	keys->now[keys->now_count++] = (struct key_binding){
		.key = name,
		.command = command,
		.label = like ? like->label : NULL,
		.when = like ? like->when : NULL,
	};
}

/* A line of the table as it holds now; where its key does something else, its label goes on to the
 * first key that got its command by a change. */
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
	for (size_t i = 0; line->label && get_change(keys, i, &key, &command); i++) {
		if (command && strcmp(command, line->command) == 0) {
			append(keys, key, line->command, line);
			return;
		}
	}
}

static void make_now(struct keys *keys)
{
	const char *key, *command;

	keys->now_count = 0;
	for (size_t i = 0; i < BINDING_COUNT; i++)
		append_line(keys, &bindings[i]);
	for (size_t i = 0; get_change(keys, i, &key, &command); i++)
		if (command)
			append(keys, key, command, NULL);
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
	*count = keys && keys->now ? keys->now_count : BINDING_COUNT;
	return keys && keys->now ? keys->now : bindings;
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

void keys_set_profile(struct keys *keys, size_t profile)
{
	keys->profile = profile;
	make_now(keys);
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
