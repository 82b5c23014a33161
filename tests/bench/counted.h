#ifndef PERFTOP_TESTS_BENCH_COUNTED_H
#define PERFTOP_TESTS_BENCH_COUNTED_H

#include <stddef.h>

#include "model/layout.h"
#include "model/metric.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/row_kind.h"
#include "view/table.h"

/* Counts of the default events, and what shows them. */
struct counted {
	struct layout layout;
	struct metric_set *set;
	struct metrics *metrics;
	struct columns *columns;
	struct view_table *table;
};

/* In one group. */
static inline void counted_init(struct counted *counted)
{
	static const char *const names[] = {"cycles",       "instructions",  "cache-references",
					    "cache-misses", "branch-misses", "page-faults"};

	struct layout *layout = &counted->layout;

	layout_init(layout);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		layout_add_event(layout, names[i]);
		layout->events[i].state = EVENT_COUNTING;
		layout_add_counter(layout, 0, i);
	}
	counted->set = metric_set_create();
	counted->metrics = metrics_create(layout, counted->set);
	counted->columns = columns_create(counted->set, row_kinds);
	counted->table = view_table_create(counted->columns);
}

static inline void counted_fini(struct counted *counted)
{
	view_table_destroy(counted->table);
	columns_destroy(counted->columns);
	metrics_destroy(counted->metrics);
	metric_set_destroy(counted->set);
	layout_fini(&counted->layout);
}

#endif
