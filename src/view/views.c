/*
 * The views in the order of their tabs. Each is defined at the end of the file that makes its rows.
 *
 * The columns of a view are in the order of their importance: a narrow screen leaves out the
 * rightmost first, except the essential ones, the sort column, and the command, which takes the
 * rest of the line. At 80 columns at least 12 remain for it: the tasks view needs 67 up to "pre/s",
 * and up to "time" where no hardware event is counted. The log of switches needs 61 up to "ipc",
 * or 64 up to "off-cpu", and the incoming task takes the rest.
 */

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "view/column_list.h"
#include "view/table.h"

/* clang-format off */
static const struct view_info *const views[] = {
	&view_tasks,
	&view_cpus,
	&view_switches,
	&view_groups,
	&view_pairs,
	&view_histogram,
	&view_timeline,
};
/* clang-format on */

enum {
	VIEW_COUNT = sizeof(views) / sizeof(views[0])
};

const struct view_info *const *view_table_of_views(size_t *count)
{
	*count = VIEW_COUNT;
	return views;
}

const struct view_info *view_find(const char *name)
{
	for (size_t i = 0; i < VIEW_COUNT; i++)
		if (strcasecmp(views[i]->name, name) == 0)
			return views[i];
	return NULL;
}

void view_names(char *text, size_t size)
{
	size_t length = 0;

	if (size == 0)
		return;
	text[0] = '\0';
	for (size_t i = 0; i < VIEW_COUNT && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? ", " : "",
					   views[i]->name);
}

void view_default_columns(const struct view_info *view, bool has_pmu, struct columns *columns,
			  struct column_list *list)
{
	const char *names = has_pmu ? view->columns : view->columns_bare;
	char name[64];

	while (word_list_next(&names, name, sizeof(name))) {
		const struct column *column = columns_find(columns, name);

		assert(column);
		column_list_add(list, column);
	}
}
