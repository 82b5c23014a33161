#include "keys.h"

#include <string.h>

#include "ui/key.h"

/* clang-format off */
static const struct key_binding bindings[] = {
	{"F1",       "help",            "help"},
	{"h",        "help",            NULL},
	{"?",        "help",            NULL},
	{"q",        "quit",            "quit"},
	{"F10",      "quit",            NULL},
	{"a",        "ask attach",      "attach"},
	{"A",        "all",             NULL},
	{"M",        "sort miss%",      "miss %"},
	{"I",        "sort ipc",        "IPC"},
	{"P",        "sort cpu%",       "CPU %"},
	{"N",        "sort pid",        NULL},
	{"T",        "sort time",       NULL},
	{"S",        "sort sw/s",       NULL},
	{"<",        "sort-left",       NULL},
	{">",        "sort-right",      "column"},
	{"R",        "reverse",         NULL},
	{"/",        "ask search",      "search"},
	{"F3",       "ask search",      NULL},
	{"n",        "search-next",     NULL},
	{"\\",       "ask filter",      "filter"},
	{"F4",       "ask filter",      NULL},
	{"e",        "events",          "events"},
	{"m",        "ask metric",      NULL},
	{"+",        "ask column",      NULL},
	{"H",        "threads",         "threads"},
	{"i",        "idle",            NULL},
	{"c",        "command-lines",   NULL},
	{"u",        "ask user",        NULL},
	{"d",        "ask delay",       NULL},
	{"s",        "ask delay",       NULL},
	{"Z",        "freeze",          "freeze"},
	{"Tab",      "next-view",       "next view"},
	{"BackTab",  "previous-view",   NULL},
	{"1",        "view tasks",      NULL},
	{"2",        "view cpus",       NULL},
	{":",        "ask command",     NULL},
	{"Up",       "up",              NULL},
	{"Down",     "down",            NULL},
	{"PgUp",     "page-up",         NULL},
	{"PgDn",     "page-down",       NULL},
	{"Home",     "first",           NULL},
	{"End",      "last",            NULL},
	{"Left",     "scroll-left",     NULL},
	{"Right",    "scroll-right",    NULL},
	{"Esc",      "escape",          NULL},
	{"^L",       "redraw",          NULL},
};
/* clang-format on */

const struct key_binding *keys_table(size_t *count)
{
	*count = sizeof(bindings) / sizeof(*bindings);
	return bindings;
}

const char *keys_command(uint32_t key)
{
	for (size_t i = 0; i < sizeof(bindings) / sizeof(*bindings); i++) {
		if (key_parse(bindings[i].key) == key)
			return bindings[i].command;
	}
	return NULL;
}
