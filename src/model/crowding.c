#include "model/crowding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

/* A group that counts less than this share of the time shares its counters with somebody. */
static const double ALONE = 0.99;

/* Everything that was counted in the interval, whoever's it was. */
static void add_up(uint64_t *sum, const struct snapshot *snapshot, size_t width)
{
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		counts_add(sum, snapshot->cpus[i].counter, width);
	for (size_t i = 0; i < snapshot->task_count && snapshot->cpu_count == 0; i++) {
		if (snapshot->tasks[i].has_run && !snapshot->tasks[i].is_held)
			counts_add(sum, snapshot->tasks[i].interval, width);
	}
}

static void set_state(struct event *event, double share)
{
	if (share >= ALONE) {
		event->state = EVENT_COUNTING;
		event->reason[0] = '\0';
		return;
	}
	event->state = EVENT_MULTIPLEXED;
	snprintf(event->reason, sizeof(event->reason),
		 "other users of the counters (another perf, the NMI watchdog) leave it %.0f %% of "
		 "the time",
		 100.0 * share);
}

void crowding_note(struct layout *layout, const struct layout *planned,
		   const struct snapshot *snapshot)
{
	size_t width = layout_width(layout);
	uint64_t *sum = xcalloc(width, sizeof(*sum));

	add_up(sum, snapshot, width);
	for (size_t i = 0; i < layout->event_count && sum[QUANTITY_RUN_NS] > 0; i++) {
		const struct event *plan = &planned->events[i];
		uint64_t counting_ns;

		if (plan->state != EVENT_COUNTING || plan->group == 0)
			continue;
		counting_ns = sum[layout_group_place(layout, plan->group)];
		set_state(&layout->events[i], (double)counting_ns / (double)sum[QUANTITY_RUN_NS]);
	}
	free(sum);
}
