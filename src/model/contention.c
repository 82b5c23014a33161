#include "model/contention.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/coverage.h"
#include "model/layout.h"
#include "model/snapshot.h"

/* A group that counts less than this share of the time shares its counters. */
static const double ALONE = 0.99;

/* Everything that was counted in the interval, by whatever task. */
static void add_up(uint64_t *sum, const struct snapshot *snapshot, size_t width)
{
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		counts_add(sum, snapshot->cpus[i].counter, width);
	for (size_t i = 0; i < snapshot->task_count && snapshot->cpu_count == 0; i++)
		if (snapshot->tasks[i].has_run && !snapshot->tasks[i].is_held)
			counts_add(sum, snapshot->tasks[i].interval, width);
}

/*
 * Share of the time that the event was counted, of that in which it could be: on the kinds of CPUs
 * that have it. NaN: nothing ran there.
 */
static double share_of(const struct layout *layout, size_t event, const uint64_t *counts)
{
	uint64_t counting_ns = 0, run_ns = 0;

	for (size_t kind = 0; kind < layout->kind_count; kind++) {
		const struct coverage coverage = coverage_of(layout, event, kind, counts);

		if (coverage_turn(layout, event, kind) < 0)
			continue;
		counting_ns += coverage.counting_ns;
		run_ns += coverage.run_ns;
	}
	return run_ns > 0 ? (double)counting_ns / (double)run_ns : NAN;
}

/* Share of its groups' turns that the event was counted. NaN: they had none. */
static double share_of_turns(const struct layout *layout, size_t event, const uint64_t *counts,
			     const uint64_t *taken_ns)
{
	uint64_t counting_ns = 0, turns_ns = 0;

	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct counter *counter = &layout->counters[i];
		const uint64_t running_ns = counts[layout_group_place(layout, counter->group)];

		if (counter->event != event || !counter->is_live)
			continue;
		counting_ns += running_ns;
		turns_ns += running_ns + taken_ns[counter->group];
	}
	return turns_ns > 0 ? (double)counting_ns / (double)turns_ns : NAN;
}

static void set_reason(struct event *event, double share, const char *whole, const char *others)
{
	if (others[0] == '\0')
		snprintf(event->reason, sizeof(event->reason),
			 "other users of the counters (another perf, the NMI watchdog) leave it "
			 "%.0f %% of %s",
			 100.0 * share, whole);
	else
		snprintf(event->reason, sizeof(event->reason),
			 "counted %.0f %% of %s: the counters are shared with %.180s",
			 100.0 * share, whole, others);
}

/* Whether it counts always: what it does not need cannot be taken from it. */
static bool needs_no_counter(const struct layout *layout, size_t event)
{
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (coverage_turn(layout, event, kind) > 0)
			return false;
	return true;
}

void contention_note(struct layout *layout, const struct layout *planned,
		     const struct snapshot *snapshot, const struct contention *contention)
{
	size_t width = layout_width(layout);
	uint64_t *sum = xcalloc(width, sizeof(*sum));

	add_up(sum, snapshot, width);
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *plan = &planned->events[i];
		const bool is_steady = plan->state == EVENT_COUNTING;
		struct event *event = &layout->events[i];
		double share;

		if (!event_is_counted(plan) || needs_no_counter(layout, i))
			continue;
		share = is_steady ? share_of(layout, i, sum)
				  : share_of_turns(layout, i, sum, contention->taken_ns);
		if (isnan(share))
			continue;
		event->is_contended = share < ALONE;
		event->state = event->is_contended ? EVENT_MULTIPLEXED : plan->state;
		memcpy(event->reason, plan->reason, sizeof(event->reason));
		if (event->is_contended)
			set_reason(event, share, is_steady ? "the time" : "its turns",
				   contention->others);
	}
	free(sum);
}
