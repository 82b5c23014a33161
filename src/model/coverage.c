/*
 * When a coverage is enough: always when it is the whole run time, however short that was.
 * Otherwise a hundredth of the run time must have been counted, and besides either a
 * millisecond or a tenth of the run time: less is a handful of moments that may have been like
 * no others.
 */
#include "model/coverage.h"

#include <math.h>

#include "model/layout.h"

/* Below this share of its run time an event counts as estimated; clocks jitter by a few ns. */
static const double EXACT_COVERAGE = 0.999;

/* Groups are read one after the other: what a running task lacks between two reads is no
 * multiplexing. */
static const uint64_t READING_SKEW_NS = 100 * 1000;

static const double LEAST_COVERAGE = 0.01;
static const double GOOD_COVERAGE = 0.1;
static const uint64_t GOOD_COUNTING_NS = 1000 * 1000;

/* A kind of CPU that was not covered does not matter when it had less than this of the run time. */
static const double MISSING_MAX = 0.01;

int coverage_turn(const struct layout *layout, size_t event, size_t kind)
{
	int turn = -1;

	for (size_t i = 0; i < layout->counter_count; i++) {
		const struct counter *counter = &layout->counters[i];
		const struct event_group *group = &layout->groups[counter->group];

		if (counter->event == event && counter->is_live && group->kind == kind &&
		    (turn < 0 || group->turn < turn))
			turn = group->turn;
	}
	return turn;
}

bool coverage_is_steady(const struct layout *layout, size_t group)
{
	const struct event_group *steady = &layout->groups[group];

	if (layout->kinds[steady->kind].clock == group)
		return false;
	for (size_t g = 0; g < layout->group_count && steady->turn != 0; g++) {
		const struct event_group *other = &layout->groups[g];

		if (g != group && other->is_open && other->kind == steady->kind &&
		    other->turn == steady->turn)
			return false;
	}
	return true;
}

struct coverage coverage_of(const struct layout *layout, size_t event, size_t kind,
			    const uint64_t *counts)
{
	const int turn = coverage_turn(layout, event, kind);
	struct coverage coverage = {
		.run_ns = counts[layout_kind_place(layout, kind)],
		.all_slices = counts[layout->groups[layout->kinds[kind].clock].slices_place],
	};

	for (size_t i = 0; i < layout->counter_count && turn >= 0; i++) {
		const struct counter *counter = &layout->counters[i];
		const struct event_group *group = &layout->groups[counter->group];

		if (counter->event != event || !counter->is_live || group->kind != kind ||
		    group->turn != turn)
			continue;
		coverage.count += counts[counter->place];
		coverage.counting_ns += counts[group->place];
		coverage.slices += counts[group->slices_place];
		coverage.is_steady = coverage_is_steady(layout, counter->group);
		coverage.is_reported = group->is_reported;
		coverage.is_estimate = layout->events[event].is_estimate;
		if (turn == 0)
			break;
	}
	return coverage;
}

static bool is_enough(double covered, uint64_t counting_ns)
{
	return covered >= GOOD_COVERAGE ||
	       (covered >= LEAST_COVERAGE && counting_ns >= GOOD_COUNTING_NS);
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
	/* A vector of unattributed slices may hold more of a group's time than of run time. */
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
