#include "mode/keys.h"

#include <string.h>

#include "base/list.h"

#include "term/key.h"

/* clang-format off */
static const struct key_binding bindings[] = {
	{"Space",    "space",          "pause/resume", "frozen,replay,frozen-line,replay-line"},
	{"Left",     "left",            "step",      "frozen,replay"},
	{"Right",    "right",           "step",      "frozen,replay"},
	{",",        "step-back",       "step",      "frozen-line,replay-line"},
	{".",        "dot",             "step",        "frozen-line,replay-line"},
	{"g",        "ask jump",        "jump", "frozen,replay,frozen-line,replay-line"},
	{"{",        "speed slower",    "slower",    "replay-more"},
	{"}",        "speed faster",    "faster",    "replay-more"},
	{"F1",       "help",            "help",      NULL},
	{"h",        "help",            NULL,        NULL},
	{"?",        "help .",          NULL,        NULL},
	{"F2",       "setup",           NULL,        NULL},
	{"q",        "quit",            "quit",      NULL},
	{"F10",      "quit",            NULL,        NULL},
	{"a",        "ask attach",      "attach",    NULL},
	{"A",        "all",             NULL,        NULL},
	{"Enter",    "task",            "open",      "tasks,groups,switches,pairs,timeline"},
	{"W",        "window",          "window",    "pairs,histogram"},
	{"b",        "by",              "by",        "groups,pairs"},
	{"[",        "zoom-in",         "zoom in",   "timeline"},
	{"]",        "zoom-out",        "out",       "timeline"},
	{"l",        "cpu-strips",      NULL,        NULL},
	{"o",        "colour",          "colour",    "timeline"},
	{"M",        "sort miss%",      "miss %",    "tasks,cpus,groups"},
	{"I",        "sort ipc",        "IPC",       "tasks,cpus,groups"},
	{"P",        "sort cpu%",       "CPU %",     "tasks,cpus,groups"},
	{"N",        "sort pid",        NULL,        NULL},
	{"T",        "sort time",       NULL,        NULL},
	{"S",        "sort sw/s",       NULL,        NULL},
	{"F6",       "sort-menu",       NULL,        NULL},
	{"<",        "sort-left",       NULL,        NULL},
	{">",        "sort-right",      "column",    "tasks,cpus,groups,pairs"},
	{"R",        "reverse",         NULL,        NULL},
	{"/",        "ask search",      "search",    "tasks,cpus,groups,switches,pairs"},
	{"F3",       "ask search",      NULL,        NULL},
	{"n",        "search-next",     NULL,        NULL},
	{"p",        "search-previous", NULL,        NULL},
	{"\\",       "ask filter",      "filter",    "tasks,cpus,groups,switches,pairs,histogram"},
	{"F4",       "ask filter",      NULL,        NULL},
	{"&",        "ask filter-add",  NULL,        NULL},
	{"e",        "events",          "events",    "tasks,cpus,groups"},
	{"m",        "ask metric",      NULL,        NULL},
	{"+",        "ask column",      NULL,        NULL},
	{"H",        "threads",         "threads",   "tasks,cpus"},
	{"i",        "idle",            NULL,        NULL},
	{"K",        "kernel-threads",  NULL,        NULL},
	{"E",        "exited",          NULL,        NULL},
	{"Ins",      "tag",             NULL,        NULL},
	{"C",        "tag-children",    NULL,        NULL},
	{"U",        "untag",           NULL,        NULL},
	{"F",        "follow",          NULL,        NULL},
	{"t",        "tree",            "tree",      "tasks"},
	{"F5",       "tree",            NULL,        NULL},
	{"-",        "fold",            NULL,        NULL},
	{"=",        "fold",            NULL,        NULL},
	{"*",        "fold all",        NULL,        NULL},
	{"c",        "command-lines",   NULL,        NULL},
	{"u",        "ask user",        NULL,        NULL},
	{"d",        "ask delay",       NULL,        NULL},
	{"s",        "ask delay",       NULL,        NULL},
	{"k",        "signal",          "signal",    "tasks"},
	{"F9",       "signal",          NULL,        NULL},
	{"F7",       "nice -1",         NULL,        NULL},
	{"F8",       "nice +1",         NULL,        NULL},
	{"r",        "ask nice",        NULL,        NULL},
	{"B",        "ask affinity",    NULL,        NULL},
	{"Z",        "freeze",          "freeze",    NULL},
	{"Tab",      "next-view",       "next view", NULL},
	{"w",        "ask record",      "record",    "tasks,cpus,switches"},
	{"x",        "ask hand-over",   "perf record", "tasks,switches,pairs,histogram,timeline"},
	{"BackTab",  "previous-view",   NULL,        NULL},
	{"1",        "view tasks",      NULL,        NULL},
	{"2",        "view cpus",       NULL,        NULL},
	{"3",        "view switches",   NULL,        NULL},
	{"4",        "view groups",     NULL,        NULL},
	{"5",        "view pairs",      NULL,        NULL},
	{"6",        "view histogram",  NULL,        NULL},
	{"7",        "view timeline",   NULL,        NULL},
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

const struct key_binding *keys_table(size_t *count)
{
	*count = sizeof(bindings) / sizeof(*bindings);
	return bindings;
}

bool keys_is_labelled(const struct key_binding *binding, const char *view)
{
	const char *cursor = binding->views;
	char name[32];

	if (!binding->label || !binding->views)
		return binding->label;
	while (word_list_next(&cursor, name, sizeof(name)))
		if (strcmp(name, view) == 0)
			return true;
	return false;
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
	for (size_t i = 0; i < sizeof(bindings) / sizeof(*bindings); i++)
		if (key_parse(bindings[i].key) == key)
			return bindings[i].command;
	return NULL;
}
