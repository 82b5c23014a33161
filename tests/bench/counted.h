#ifndef PERFTOP_TESTS_BENCH_COUNTED_H
#define PERFTOP_TESTS_BENCH_COUNTED_H

#include <stddef.h>

#include "model/layout.h"

/* The default events, in one group. */
static inline void count_default_events(struct layout *layout)
{
	static const char *const names[] = {"cycles",       "instructions",  "cache-references",
					    "cache-misses", "branch-misses", "page-faults"};

	layout_init(layout);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		layout_add_event(layout, names[i]);
		layout->events[i].state = EVENT_COUNTING;
		layout_add_counter(layout, 0, i);
	}
}

#endif
