#include "source/cpus/switch_cost.h"

#include <assert.h>

#include "kernel/group.h"
#include "source/cpus/cpu_stream.h"

/* What is on at each level, and at those above it. */
enum {
	LEVEL_NONE,
	LEVEL_LEADERS,
	LEVEL_COUNTERS, /* the other members */
	LEVEL_RECORDS,
	LEVELS
};

enum {
	WAIT_MS = 50 /* for what takes some 4 */
};

static_assert((int)LEVELS <= (int)SWITCH_TIME_LEVELS_MAX, "each has a place in the result");

/* Of the process that measures. */
struct measured {
	const struct cpu_stream_request *request;
	struct cpu_stream stream;
};

/* Others may have the counters that it needs. */
static bool is_counting(const struct cpu_stream *stream)
{
	struct group_reading reading;

	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on && (!group_read(&stream->bundle.groups[i], &reading) ||
					       reading.running_ns < reading.enabled_ns))
			return false;
	return true;
}

static unsigned int find_levels(const struct cpu_stream *stream)
{
	const unsigned int levels = 1u << LEVEL_NONE | 1u << LEVEL_LEADERS | 1u << LEVEL_COUNTERS;

	return stream->switches_fd >= 0 ? levels | 1u << LEVEL_RECORDS : levels;
}

static unsigned int open_measured(void *context, double added_ns[])
{
	struct measured *measured = context;
	struct cpu_stream_request request = *measured->request;
	struct error error;

	request.ring_bytes = CPU_STREAM_RING_MIN;
	if (!cpu_stream_open(&measured->stream, &request, &error) ||
	    !cpu_stream_enable(&measured->stream) || !is_counting(&measured->stream))
		return 0;
	return find_levels(&measured->stream);
}

static void turn_measured(void *context, size_t level)
{
	struct cpu_stream *stream = &((struct measured *)context)->stream;

	for (size_t i = 0; i < stream->bundle.count; i++) {
		const struct group *group = &stream->bundle.groups[i];

		if (!stream->slots[i].is_on)
			continue;
		group_disable(group);
		if (level >= LEVEL_COUNTERS)
			group_enable(group);
		else if (level >= LEVEL_LEADERS)
			group_enable_leader(group);
	}
	/* with a software leader the time line has the switches */
	if (!stream->sched_switch)
		timeline_turn(stream->timeline_fd, level >= LEVEL_LEADERS);
	if (stream->switches_fd >= 0)
		timeline_turn(stream->switches_fd, level >= LEVEL_RECORDS);
	ring_drain(&stream->ring);
}

/* Those of a kind that are on, always or in turns: of a turn one is at a time, which is as large as
 * they are on average. */
static void count_on(const struct plan *plan, size_t kind, bool in_turns, double *groups,
		     double *counters)
{
	const struct layout *layout = &plan->layout;
	size_t turns = 0;

	*groups = *counters = 0;
	for (size_t i = 0; i < layout->group_count; i++)
		turns += layout->groups[i].is_open && layout->groups[i].kind == kind &&
			 layout->groups[i].rotation != 0;
	for (size_t i = 0; i < layout->group_count; i++) {
		const struct event_group *group = &layout->groups[i];
		const double share = group->rotation == 0 ? 1 : 1. / (double)turns;

		if (!group->is_open || group->kind != kind || (group->rotation != 0) != in_turns)
			continue;
		*groups += share;
		if (group->needs_counters || in_turns)
			*counters += share * group->count;
	}
}

void switch_cost_begin(struct switch_measure *measure, const struct cpu_stream_request *request)
{
	struct measured measured = {.request = request};
	const struct switch_time_trial trial = {
		.cpu = request->cpu,
		.open = open_measured,
		.turn = turn_measured,
		.context = &measured,
	};
	double groups, counters;

	count_on(request->plan, request->kind, false, &measure->groups, &measure->counters);
	count_on(request->plan, request->kind, true, &groups, &counters);
	measure->groups += groups;
	measure->counters += counters;
	switch_time_begin(&measure->time, &trial);
}

struct switch_cost switch_cost_end(struct switch_measure *measure, struct error *error)
{
	static const enum error_code codes[] = {
		[SWITCH_TIME_MEASURED] = ERROR_NONE,        [SWITCH_TIME_NO_CPU] = ERROR_COST_CPU,
		[SWITCH_TIME_REFUSED] = ERROR_COST_REFUSED, [SWITCH_TIME_LATE] = ERROR_COST_LATE,
		[SWITCH_TIME_NOISE] = ERROR_COST_NOISE,
	};
	const struct switch_time_result result = switch_time_end(&measure->time, WAIT_MS);
	struct switch_cost cost = {0};

	if (result.state != SWITCH_TIME_MEASURED) {
		error_set(error, codes[result.state], NULL, NULL);
		return cost;
	}
	cost.group_ns = result.added_ns[LEVEL_LEADERS] / measure->groups;
	if (measure->counters > 0)
		cost.counter_ns = result.added_ns[LEVEL_COUNTERS] / measure->counters;
	cost.records_ns = result.added_ns[LEVEL_RECORDS];
	return cost;
}

static double cost_of(const struct switch_cost *cost, const struct plan *plan, size_t kind,
		      bool in_turns)
{
	double groups, counters;

	count_on(plan, kind, in_turns, &groups, &counters);
	return groups * cost->group_ns + counters * cost->counter_ns;
}

double switch_cost_always(const struct switch_cost *cost, const struct plan *plan, size_t kind)
{
	return cost_of(cost, plan, kind, false);
}

double switch_cost_turn(const struct switch_cost *cost, const struct plan *plan, size_t kind)
{
	return cost_of(cost, plan, kind, true);
}
