/*
 * The views there are. Columns stand in the order of their
 * importance: on a narrow screen the rightmost go first, but for those that tell most, the one the
 * rows are ordered by, and the command, which takes the rest of the line. On 80 columns at least 12
 * are left for it: the tasks view needs 67 up to "pre/s", and up to "time" where no hardware event
 * is counted. The log of switches needs 61 up to "ipc", or 64 up to "off-cpu", and the incoming
 * task takes the rest.
 */

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/list.h"
#include "view/column_list.h"
#include "view/groups.h"
#include "view/histogram.h"
#include "view/pairs.h"
#include "view/rows.h"
#include "view/table.h"

/* clang-format off */
static const struct view_info views[] = {
	{
		.name = "tasks",
		.title = "tasks",
		.columns = "pid,user,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,command",
		.columns_bare = "pid,user,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,command",
		.essential = "cpu%,ipc,miss%,command",
		.essential_bare = "cpu%,sw/s,command",
		.sort = "cpu%",
		.kind = ROW_TASK,
		.filtered = ROW_TASK,
		.make_rows = rows_make_tasks,
		.help = "Processes or threads that ran or waited for a CPU.",
	},
	{
		.name = "cpus",
		.title = "cpus",
		.columns = "cpu,busy,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,attr%,fault/s,migr/s,cpu-kind,socket,core,smt,node",
		.columns_bare = "cpu,busy,cpu%,sw/s,pre/s,migr/s,fault/s,slice,attr%,cpu-kind,socket,core,smt,node",
		.essential = "cpu,cpu%,ipc,miss%",
		.essential_bare = "cpu,cpu%,sw/s",
		.sort = "cpu",
		.kind = ROW_CPU,
		.filtered = ROW_CPU,
		.make_rows = rows_make_cpus,
		.help = "Each CPU: how busy it was, IPC and misses.",
	},
	{
		.name = "switches",
		.title = "switches",
		.columns = "when,cpu,prev,how,ran,ipc,miss%,off-cpu,next",
		.columns_bare = "when,cpu,prev,how,ran,off-cpu,sch-delay,next",
		.essential = "prev,how,ran",
		.essential_bare = "prev,how,ran",
		.sort = "when",
		.kind = ROW_SWITCH,
		.filtered = ROW_SWITCH,
		.needs = COLUMN_NEEDS_WAKEUPS,
		.needs_history = true,
		.is_log = true,
		.fixed_order = "switches are in time order",
		.help = "Each context switch, the newest last: outgoing task, why it left, incoming task.",
	},
	{
		.name = "groups",
		.title = "groups",
		.columns = "tasks,cpu%,ghz,ipc,miss%,mpki,br-mpki,sw/s,pre/s,fault/s,time,group",
		.columns_bare = "tasks,cpu%,sw/s,pre/s,slice,slice-p99,pwait%,time,migr/s,fault/s,group",
		.essential = "cpu%,ipc,miss%,group",
		.essential_bare = "cpu%,sw/s,group",
		.sort = "cpu%",
		.kind = ROW_GROUP,
		.filtered = ROW_TASK,
		.make_rows = rows_make_groups,
		.help = "Tasks summed by command, user, cgroup, container, parent, session or type; idle and unaccounted too, so that the rows add up to the whole machine.",
	},
	{
		.name = "pairs",
		.title = "pairs",
		.columns = "victim,taker,cpu,times,times/s,lost/s,lost,lost-mean,lost-worst",
		.columns_bare = "victim,taker,cpu,times,times/s,lost/s,lost,lost-mean,lost-worst",
		.essential = "victim,taker,lost",
		.essential_bare = "victim,taker,lost",
		.sort = "lost",
		.kind = ROW_PAIR,
		.filtered = ROW_PAIR,
		.needs_history = true,
		.make_rows = rows_make_pairs,
		.help = "Which task preempted which, how often, and how long the victim waited.",
	},
	{
		.name = "histogram",
		.title = "histogram",
		.columns = "length,below,slices,slices-bar,pwaits,pwaits-bar,rqwaits,rqwaits-bar",
		.columns_bare = "length,below,slices,slices-bar,pwaits,pwaits-bar,rqwaits,rqwaits-bar",
		.essential = "length,slices,slices-bar",
		.essential_bare = "length,slices,slices-bar",
		.sort = "length",
		.kind = ROW_LENGTH,
		.filtered = ROW_SWITCH,
		.needs = COLUMN_NEEDS_WAKEUPS,
		.needs_history = true,
		.make_rows = rows_make_histogram,
		.help = "Distribution of slices, preempted waits and run-queue waits, in powers of two.",
	},
	{
		.name = "timeline",
		.title = "timeline",
		.columns = "cpu,busy,cpu%,ipc,sw/s,pre/s",
		.columns_bare = "cpu,busy,cpu%,sw/s,pre/s",
		.essential = "cpu",
		.essential_bare = "cpu",
		.sort = "cpu",
		.kind = ROW_CPU,
		.filtered = ROW_CPU,
		.needs_history = true,
		.is_strip = true,
		.fixed_order = "CPUs are always in the order of their numbers",
		.make_rows = rows_make_cpus,
		.help = "What each CPU did in the last seconds, as a strip of cells.",
	},
};
/* clang-format on */

enum {
	VIEW_COUNT = sizeof(views) / sizeof(views[0])
};

const struct view_info *view_table_of_views(size_t *count)
{
	*count = VIEW_COUNT;
	return views;
}

const struct view_info *view_find(const char *name)
{
	for (size_t i = 0; i < VIEW_COUNT; i++)
		if (strcasecmp(views[i].name, name) == 0)
			return &views[i];
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
					   views[i].name);
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
