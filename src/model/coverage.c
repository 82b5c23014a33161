/*
 * When a coverage is enough: always when it is the whole run time, however short that was.
 * Otherwise a hundredth of the run time must have been counted, and besides either a
 * millisecond or a tenth of the run time: less is a handful of moments that may have been like
 * no others.
 */
#include "model/coverage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/snapshot.h"

/* Below this share of its run time an event counts as estimated; clocks jitter by a few ns. */
static const double EXACT_COVERAGE = 0.999;

/* Groups are read one after the other: what a running task lacks between two reads is no
 * multiplexing. */
static const uint64_t READING_SKEW_NS = 100 * 1000;

/* What is counted longer than it ran by more than both is part of a longer slice; sums over many
 * threads have the skew of each. */
static const double LONGER_SHARE = 0.02;
static const uint64_t LONGER_NS = 10 * 1000 * 1000;

static const double LEAST_COVERAGE = 0.01;
static const double GOOD_COVERAGE = 0.1;
static const uint64_t GOOD_COUNTING_NS = 1000 * 1000;

/* A kind of CPU that was not covered does not matter when it had less than this of the run time. */
static const double MISSING_MAX = 0.01;

int coverage_rotation(const struct layout *layout, size_t event, size_t kind)
{
	int rotation = -1;

	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct counter *counter = &layout->counters[i];
		const struct event_group *group = &layout->groups[counter->group];

		if (counter->event == event && counter->is_live && group->kind == kind &&
		    (rotation < 0 || group->rotation < rotation))
			rotation = group->rotation;
	}
	return rotation;
}

bool coverage_is_steady(const struct layout *layout, size_t group)
{
	const struct event_group *steady = &layout->groups[group];

	if (layout->kinds[steady->kind].clock == group)
		return false;
	for (size_t g = 0; g < layout->group_count && steady->rotation != 0; g++) {
		const struct event_group *other = &layout->groups[g];

		if (g != group && other->is_open && other->kind == steady->kind &&
		    other->rotation == steady->rotation)
			return false;
	}
	return true;
}

struct coverage coverage_of(const struct layout *layout, size_t event, size_t kind,
			    const uint64_t *counts)
{
	const int rotation = coverage_rotation(layout, event, kind);
	struct coverage coverage = {
		.run_ns = counts[layout_kind_index(layout, kind)],
		.all_slices = counts[layout->groups[layout->kinds[kind].clock].slices_index],
	};

	for (size_t i = 0; i < layout->counter_count && rotation >= 0; i++) {
		const struct counter *counter = &layout->counters[i];
		const struct event_group *group = &layout->groups[counter->group];

		if (counter->event != event || !counter->is_live || group->kind != kind ||
		    group->rotation != rotation)
			continue;
		coverage.count += counts[counter->value_index];
		coverage.counting_ns += counts[group->value_index];
		coverage.slices += counts[group->slices_index];
		coverage.is_steady = coverage_is_steady(layout, counter->group);
		coverage.is_reported = group->is_reported;
		coverage.is_estimate = layout->events[event].is_estimate;
		if (rotation == 0)
			break;
	}
	return coverage;
}

static bool is_enough(double covered, uint64_t counting_ns)
{
	return covered >= GOOD_COVERAGE ||
	       (covered >= LEAST_COVERAGE && counting_ns >= GOOD_COUNTING_NS);
}

/*
 * Of a CPU that is read at its switches only: a slice has ended that began long before the
 * interval, and of its counts, which are of all of it, the interval has its share by time.
 */
static bool is_of_longer(uint64_t counting_ns, uint64_t run_ns)
{
	return run_ns > 0 && counting_ns > run_ns + LONGER_NS &&
	       (double)(counting_ns - run_ns) > LONGER_SHARE * (double)run_ns;
}

static bool was_in_every_slice(const struct coverage *coverage)
{
	return coverage->is_steady && coverage->slices > 0 &&
	       coverage->slices >= coverage->all_slices;
}

void estimate_add(struct estimate *estimate, const struct coverage *coverage)
{
	const uint64_t run_ns = coverage->run_ns, counting_ns = coverage->counting_ns;
	double covered;

	if (coverage->is_reported) {
		estimate->run_ns += run_ns;
		estimate->sum += (double)coverage->count;
		estimate->is_unknown = coverage->is_estimate && coverage->slices == 0;
		return;
	}
	if (is_of_longer(counting_ns, run_ns)) {
		estimate->run_ns += run_ns;
		estimate->is_scaled = true;
		estimate->sum += (double)coverage->count * (double)run_ns / (double)counting_ns;
		return;
	}
	if (counting_ns >= run_ns || was_in_every_slice(coverage)) {
		estimate->run_ns += run_ns;
		estimate->sum += (double)coverage->count;
		return;
	}
	covered = (double)counting_ns / (double)run_ns;
	estimate->run_ns += run_ns;
	if (!is_enough(covered, counting_ns)) {
		estimate->missing_ns += run_ns;
		estimate->is_scaled = true;
		estimate->sum += (double)coverage->count;
		return;
	}
	estimate->is_scaled = estimate->is_scaled ||
			      (covered < EXACT_COVERAGE && run_ns - counting_ns > READING_SKEW_NS);
	estimate->sum += (double)coverage->count / covered;
}

double estimate_value(const struct estimate *estimate)
{
	const double missing = (double)estimate->missing_ns;

	if (estimate->is_unknown)
		return NAN;
	return missing <= MISSING_MAX * (double)estimate->run_ns ? estimate->sum : NAN;
}

/* A group that counts less than this share of the time shares its counters. */
static const double ALONE = 0.99;

/* Everything that was counted in the interval, by whatever task. */
static void add_up(uint64_t *sum, const struct snapshot *snapshot, size_t width)
{
	for (size_t i = 0; i < snapshot->cpu_count; i++)
		if (snapshot->cpus[i].unread_ns == 0) /* else: not read, not used by others */
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

		if (coverage_rotation(layout, event, kind) < 0)
			continue;
		counting_ns += coverage.counting_ns;
		run_ns += coverage.run_ns;
	}
	return run_ns > 0 ? (double)counting_ns / (double)run_ns : NAN;
}

/* Share of its groups' turns that the event was counted. NaN: they had none. */
static double share_of_rotations(const struct layout *layout, size_t event, const uint64_t *counts,
				 const uint64_t *taken_ns)
{
	uint64_t counting_ns = 0, rotations_ns = 0;

	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct counter *counter = &layout->counters[i];
		const uint64_t running_ns = counts[layout_group_index(layout, counter->group)];

		if (counter->event != event || !counter->is_live)
			continue;
		counting_ns += running_ns;
		rotations_ns += running_ns + taken_ns[counter->group];
	}
	return rotations_ns > 0 ? (double)counting_ns / (double)rotations_ns : NAN;
}

static void set_coverage_reason(struct event *event, double share, const char *whole,
				const char *others)
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

/* Whether it counts always: what its group does not need cannot be taken from it. */
static bool needs_no_counter(const struct layout *layout, size_t event)
{
	for (size_t kind = 0; kind < layout->kind_count; kind++)
		if (coverage_rotation(layout, event, kind) > 0)
			return false;
	for (size_t g = 0; g < layout->group_count; g++)
		if (layout->groups[g].needs_counters && layout_counter_in(layout, event, g))
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
				  : share_of_rotations(layout, i, sum, contention->taken_ns);
		if (isnan(share))
			continue;
		event->is_contended = share < ALONE;
		event->state = event->is_contended ? EVENT_MULTIPLEXED : plan->state;
		memcpy(event->reason, plan->reason, sizeof(event->reason));
		if (event->is_contended && is_steady && contention->is_limited)
			snprintf(event->reason, sizeof(event->reason),
				 "counted %.0f %% of the time, to keep the budget", 100.0 * share);
		else if (event->is_contended)
			set_coverage_reason(event, share, is_steady ? "the time" : "its turns",
					    contention->others);
	}
	free(sum);
}
