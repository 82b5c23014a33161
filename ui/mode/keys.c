#include "mode/keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/text.h"

#include "mode/app.h"
#include "term/key.h"

/* The numbers of the views' tabs. */
enum {
	TABS_BEGIN, /* before the first */
#define VIEW(name, kinds) TAB_##name,
#define DRAWN(name)       TAB_##name,
#include "view/views.def"
	TABS_END
};
static_assert(TABS_END <= 11, "each tab has a digit as its key");

/* clang-format off */
static const struct key_binding bindings[] = {
	{"Space",     "space",           "pause/resume",   "frozen,replay,frozen-line,replay-line"},
	{"Left",      "left",            "step",           "frozen,replay"},
	{"Right",     "right",           "step",           "frozen,replay"},
	{",",         "step-back",       "step",           "frozen-line,replay-line"},
	{".",         "dot",             "step",           "frozen-line,replay-line"},
	{"g",         "ask jump",        "jump",           "frozen,replay,frozen-line,replay-line"},
	{"{",         "speed recorded",  "as recorded",    "replay-more"},
	{"}",         "speed max",       "no waits",       "replay-more"},
	{"F1",        "help",            "help",           NULL},
	{"h",         "help",            NULL,             NULL},
	{"?",         "help .",          "explain column", "help"},
	{"F2",        "setup",           "setup",          "help"},
	{"q",         "close",           "quit",           NULL},
	{"F10",       "quit",            "leave",          "help"},
	{"Enter",     "task",            "open",           "view"},
	{"Backspace", "back",            "back",           "view"},
	{"W",         "window",          "window",         "view"},
	{"b",         "by",              "by",             "view"},
	{"[",         "zoom-in",         "zoom in",        "view"},
	{"]",         "zoom-out",        "out",            "view"},
	{"l",         "cpu-strips",      "CPU bars",       "help"},
	{"o",         "colour",          "colour",         "view"},
	{"O",         "samples",         "on/off CPU",     "view"},
	{"M",         "sort miss%",      "miss %",         "view"},
	{"/",         "ask search",      "search",         "view"},
	{"F3",        "ask search",      NULL,             NULL},
	{"n",         "search-next",     "next",           "help"},
	{"p",         "search-previous", "previous",       "help"},
	{"\\",        "ask filter",      "filter",         "view"},
	{"F4",        "ask filter",      NULL,             NULL},
	{"&",         "ask filter-add",  "filter more",    "help"},
	{"k",         "signal",          "signal",         "view"},
	{"F9",        "signal",          NULL,             NULL},
	{"Z",         "freeze",          "freeze",         NULL},
	{"w",         "ask record",      "record",         "view"},
	{"t",         "next-form",       "tree",           "view"},
	{"F5",        "next-form",       NULL,             NULL},
	{"G",         "calls flame",     "flame graph",    "view"},
	{"a",         "ask attach",      "attach",         NULL},
	{"A",         "all",             "all tasks",      "help"},
	{"I",         "sort ipc",        "IPC",            "view"},
	{"P",         "sort cpu%",       "CPU %",          "view"},
	{"N",         "sort pid",        "pid",            "help"},
	{"T",         "sort time",       "time",           "help"},
	{"S",         "sort sw/s",       "switches",       "help"},
	{"F6",        "sort-menu",       "menu",           "help"},
	{"<",         "sort-left",       "column left",    "help"},
	{">",         "sort-right",      "column",         "view"},
	{"R",         "reverse",         "reverse",        "help"},
	{"e",         "events",          "events",         "view"},
	{"L",         "light",           "light set",      "help"},
	{"m",         "mark",            "mark",           "help"},
	{"D",         "ask metric",      "metric",         "help"},
	{"+",         "plus",            "column",         "help"},
	{"f",         "next-columns",    "column set",     "view"},
	{"H",         "threads",         "threads",        "view"},
	{"i",         "idle",            "idle",           "help"},
	{"K",         "kernel-threads",  "kernel threads", "help"},
	{"E",         "exited",          "exited",         "help"},
	{"Ins",       "tag",             "tag",            "help"},
	{"C",         "tag-children",    "with children",  "help"},
	{"U",         "untag",           "untag",          "help"},
	{"F",         "follow",          "follow",         "help"},
	{"y",         "flame-colour",    "colour",         "view"},
	{"v",         "ask by-event",    "by event",       "view"},
	{"Y",         "weight",          "by latency",     "view"},
	{"-",         "fold",            "fold",           "view"},
	{"=",         "fold",            NULL,             NULL},
	{"*",         "fold all",        "fold all",       "help"},
	{"c",         "command-lines",   "command lines",  "help"},
	{"u",         "ask user",        "user",           "help"},
	{"d",         "ask delay",       "delay",          "help"},
	{"s",         "ask delay",       NULL,             NULL},
	{"F7",        "nice -1",         "priority up",    "help"},
	{"F8",        "nice +1",         "priority down",  "help"},
	{"r",         "ask nice",        "nice",           "help"},
	{"B",         "ask affinity",    "CPUs",           "help"},
	{"!",         "proof",           "what is wrong",  "help"},
	{"Tab",       "next-view",       "next view",      NULL},
	{"x",         "ask hand-over",   "perf record",    "view"},
	{"BackTab",   "previous-view",   "previous",       "help"},
#define VIEW(name, kinds) {(const char[]){'0' + TAB_##name % 10, '\0'}, "view " #name, #name, "help"},
#define DRAWN(name) VIEW(name, )
#include "view/views.def"
	{":",         "ask command",     "command",        "help"},
	{"Up",        "up",              "up",             "help"},
	{"Down",      "down",            "down",           "help"},
	{"PgUp",      "page-up",         "page up",        "help"},
	{"PgDn",      "page-down",       "page down",      "help"},
	{"Home",      "first",           "first",          "help"},
	{"End",       "last",            "last",           "help"},
	{"S-Left",    "scroll-left",     "scroll left",    "help"},
	{"S-Right",   "scroll-right",    "right",          "help"},
	{"Esc",       "escape",          "take back",      "help"},
	{"^L",        "redraw",          "redraw",         "help"},
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

/*
 * What holds is the table without the keys that the user has bound, then those. It is made anew at
 * each change, with the keys as numbers, so that a key that is typed is compared and not parsed.
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

static bool are_same_keys(const struct key_sequence *a, const struct key_sequence *b)
{
	return a->two[0] == b->two[0] && a->two[1] == b->two[1];
}

/* The change of the user for these keys; the count of changes: none. */
static size_t find_binding_change(const struct keys *keys, const struct key_sequence *wanted)
{
	size_t index = 0;

	while (index < keys->count && !are_same_keys(&keys->changes[index].keys, wanted))
		index++;
	return index;
}

/* The command of keys in the table; NULL: none. */
static const char *command_of_table(const struct key_sequence *wanted)
{
	for (size_t i = 0; wanted->two[1] == KEY_CODE_NONE && i < BINDING_COUNT; i++)
		if (key_parse(bindings[i].key) == wanted->two[0])
			return bindings[i].command;
	return NULL;
}

static void append_binding(struct keys *keys, const struct key_binding *binding,
			   const struct key_sequence *typed)
{
	keys->now[keys->now_count] = *binding;
	keys->typed[keys->now_count++] = *typed;
}

static void make_now(struct keys *keys)
{
	const size_t most = BINDING_COUNT + keys->count;

	keys->now = xrealloc(keys->now, most, sizeof(*keys->now));
	keys->typed = xrealloc(keys->typed, most, sizeof(*keys->typed));
	keys->now_count = 0;
	for (size_t i = 0; i < BINDING_COUNT; i++) {
		const struct key_sequence typed = {{key_parse(bindings[i].key), KEY_CODE_NONE}};

		if (find_binding_change(keys, &typed) == keys->count)
			append_binding(keys, &bindings[i], &typed);
	}
	for (size_t i = 0; i < keys->count; i++) {
		const struct key_change *change = &keys->changes[i];
		const struct key_binding binding = {.key = change->name,
						    .command = change->command};

		if (change->command)
			append_binding(keys, &binding, &change->keys);
	}
}

static const char *command_of(const struct keys *keys, const struct key_sequence *wanted)
{
	for (size_t i = 0; i < keys->now_count; i++)
		if (are_same_keys(&keys->typed[i], wanted))
			return keys->now[i].command;
	return NULL;
}

void keys_init(void *state)
{
	struct keys *keys = state;

	*keys = (struct keys){0};
	make_now(keys);
}

static void free_change(struct key_change *change)
{
	free(change->name);
	free(change->command);
}

void keys_fini(void *state)
{
	struct keys *keys = state;

	for (size_t i = 0; i < keys->count; i++)
		free_change(&keys->changes[i]);
	free(keys->changes);
	free(keys->now);
	free(keys->typed);
	*keys = (struct keys){0};
}

const struct key_binding *keys_now(const struct keys *keys, size_t *count)
{
	*count = keys ? keys->now_count : BINDING_COUNT;
	return keys ? keys->now : bindings;
}

static void forget_change(struct keys *keys, size_t index)
{
	free_change(&keys->changes[index]);
	memmove(&keys->changes[index], &keys->changes[index + 1],
		(keys->count - index - 1) * sizeof(*keys->changes));
	keys->count--;
}

/* As it is shown: a key may have several names. The caller frees it. */
static char *name_of_keys(const struct key_sequence *keys, const char *typed)
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
	const char *usual;
	size_t index;

	if (!keys_parse(name, &wanted))
		return error_set(error, ERROR_KEY_UNKNOWN, name, NULL);
	index = find_binding_change(keys, &wanted);
	if (index < keys->count)
		forget_change(keys, index);
	usual = command_of_table(&wanted);
	if (!usual || !command ? usual != command : strcmp(usual, command) != 0) {
		array_reserve(&keys->changes, &keys->capacity, keys->count + 1,
			      sizeof(*keys->changes));
		keys->changes[keys->count++] = (struct key_change){
			.keys = wanted,
			.name = name_of_keys(&wanted, name),
			.command = command ? xstrdup(command) : NULL,
		};
	}
	make_now(keys);
	return true;
}

/* Whether a key is the first of two that do something. */
static bool begins_two(const struct keys *keys, uint32_t key)
{
	for (size_t i = 0; i < keys->now_count; i++)
		if (keys->typed[i].two[0] == key && keys->typed[i].two[1] != KEY_CODE_NONE)
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

bool keys_is_awaited(const struct keys *keys, size_t index)
{
	const struct key_sequence *typed = &keys->typed[index];

	return keys->pending != KEY_CODE_NONE && typed->two[1] != KEY_CODE_NONE &&
	       typed->two[0] == keys->pending;
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

const char *keys_find(const struct keys *keys, const char *command)
{
	for (size_t i = 0; i < keys->now_count; i++)
		if (strcmp(keys->now[i].command, command) == 0)
			return keys->now[i].key;
	return NULL;
}

const char *keys_name_of(const struct keys *keys, const char *command)
{
	const char *name = keys_find(keys, command);

	return name ? name : command;
}

const struct app_part part_keys = {
	.bytes = sizeof(struct keys), .init = keys_init, .fini = keys_fini};
