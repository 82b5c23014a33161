/*
 * The profile htop is the table itself (keys.c). Where a profile takes a key for something else,
 * what it did goes to another one.
 */
#include "mode/keys_profiles.h"

#include "mode/keys.h"

/* clang-format off */
static const struct key_binding top[] = {
	{"W",     "save",          NULL, NULL},
	{"^W",    "window",        NULL, NULL},
	{"o",     "ask filter-add", NULL, NULL},
	{"O",     "ask filter-add", NULL, NULL},
	{"^O",    "colour",        NULL, NULL},
	{"=",     "filter",        NULL, NULL},
	{"U",     "ask user",      NULL, NULL},
	{"^U",    "untag",         NULL, NULL},
	{"L",     "ask search",    NULL, NULL},
	{"&",     "search-next",   NULL, NULL},
	{"f",     "setup",         NULL, NULL},
	{"V",     "tree",          NULL, NULL},
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
};

static const struct {
	const char *name;
	const struct key_binding *table;
	size_t count;
} profiles[] = {
	{"htop", NULL, 0},
	{"top",  top,  sizeof(top) / sizeof(*top)},
	{"vim",  vim,  sizeof(vim) / sizeof(*vim)},
};
/* clang-format on */

const struct key_binding *keys_profile_table(size_t profile, size_t *count)
{
	*count = profiles[profile].count;
	return profiles[profile].table;
}

const char *keys_profile(size_t index)
{
	return index < sizeof(profiles) / sizeof(*profiles) ? profiles[index].name : NULL;
}
