#ifndef PERFTOP_TESTS_LISTS_H
#define PERFTOP_TESTS_LISTS_H

/* The views that are lists, by name, for tests without a screen. */

#include "view/table.h"

#define VIEW(name, kinds) &view_##name,
static const struct view_info *const view_lists_table[] = {
#include "view/views.def"
};

static const struct view_list view_lists = {view_lists_table,
					    sizeof(view_lists_table) / sizeof(view_lists_table[0])};

static inline const struct view_info *find_list(const char *name)
{
	return view_find(&view_lists, name);
}

#endif
