#include "source/cpus/switch_cost.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/group.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_stream.h"

/* What is on at each level, and at those above it. In a loop no switches are recorded. */
enum {
	LEVEL_NONE,
	LEVEL_LEADERS,
	LEVEL_COUNTERS, /* the other members */
	LEVEL_RECORDS,
	LEVEL_OFF_CPU, /* the records of those that samples off the CPU are taken at */
	LEVEL_STACKS,  /* these samples */
	LEVEL_LOOP,
	LEVEL_CLOCK, /* samples */
	LEVEL_CYCLES,
	LEVELS
};

enum {
	WAIT_MS = 50,   /* for what takes some 8 */
	RATE_HZ = 20000 /* of samples: three a round */
};

static_assert((int)LEVELS <= (int)SWITCH_TIME_LEVELS_MAX, "each has a place in the result");

/* Of the process that measures. */
struct measured {
	const struct cpu_stream_request *request;
	const struct profiler_request *sampled;
	struct cpu_stream stream;
	int sampler_fds[LEVELS]; /* by the level that it is on from; 0: none */
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

/* It writes into the stream's ring. Returns its levels. */
static unsigned int open_sampler_at(struct measured *measured, size_t level)
{
	struct profiler_request request = *measured->sampled;
	unsigned int levels = 1u << level;
	int fd;

	request.hz = RATE_HZ;
	request.wakeup_bytes = CPU_STREAM_RING_MIN;
	request.is_off_cpu = level == LEVEL_OFF_CPU;
	request.is_hardware = level == LEVEL_CYCLES;
	if (request.is_off_cpu)
		levels |= 1u << LEVEL_STACKS;
	fd = profiler_open(&request, measured->request->features);
	if (fd < 0)
		return 0;
	timeline_turn(fd, false);
	measured->sampler_fds[level] = fd;
	return timeline_redirect(fd, cpu_stream_ring_fd(&measured->stream)) < 0 ? 0 : levels;
}

static unsigned int find_levels(struct measured *measured)
{
	unsigned int levels = 1u << LEVEL_NONE | 1u << LEVEL_LEADERS | 1u << LEVEL_COUNTERS;

	if (measured->stream.switches_fd >= 0)
		levels |= 1u << LEVEL_RECORDS;
	if (!measured->sampled)
		return levels;
	levels |= 1u << LEVEL_LOOP | open_sampler_at(measured, LEVEL_OFF_CPU);
	levels |= open_sampler_at(measured, LEVEL_CLOCK);
	return measured->sampled->is_hardware ? levels | open_sampler_at(measured, LEVEL_CYCLES)
					      : levels;
}

static unsigned int open_measured(void *context)
{
	struct measured *measured = context;
	struct cpu_stream_request request = *measured->request;
	struct error error;

	request.ring_bytes = CPU_STREAM_RING_MIN;
	if (!cpu_stream_open(&measured->stream, &request, &error) ||
	    !cpu_stream_enable(&measured->stream) || !is_counting(&measured->stream))
		return 0;
	return find_levels(measured);
}

/* Of a loop nearly all are samples. */
static size_t count_records(void *context)
{
	struct ring *ring = &((struct measured *)context)->stream.ring;
	const void *bytes;
	size_t size, count = 0;

	ring_begin(ring);
	while (ring_next(ring, &bytes, &size))
		count++;
	ring_end(ring);
	return count;
}

static void turn_samplers(const struct measured *measured, size_t level)
{
	for (size_t i = LEVEL_OFF_CPU; i < LEVELS; i++)
		if (measured->sampler_fds[i] > 0)
			timeline_turn(measured->sampler_fds[i],
				      level >= i && (i >= LEVEL_LOOP) == (level >= LEVEL_LOOP));
	if (measured->sampler_fds[LEVEL_OFF_CPU] > 0)
		profiler_set_period(measured->sampler_fds[LEVEL_OFF_CPU],
				    level == LEVEL_STACKS ? 1 : UINT32_MAX);
}

static void turn_measured(void *context, size_t level)
{
	struct measured *measured = context;
	struct cpu_stream *stream = &measured->stream;
	const bool is_read = level < LEVEL_LOOP;

	for (size_t i = 0; i < stream->bundle.count; i++) {
		const struct group *group = &stream->bundle.groups[i];

		if (!stream->slots[i].is_on)
			continue;
		group_disable(group);
		if (is_read && level >= LEVEL_COUNTERS)
			group_enable(group);
		else if (is_read && level >= LEVEL_LEADERS)
			group_enable_leader(group);
	}
	/* with a software leader the time line has the switches */
	if (!stream->sched_switch)
		timeline_turn(stream->timeline_fd, is_read && level >= LEVEL_LEADERS);
	if (stream->switches_fd >= 0)
		timeline_turn(stream->switches_fd, is_read && level >= LEVEL_RECORDS);
	turn_samplers(measured, level);
	count_records(measured);
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

void switch_cost_begin(struct switch_measure *measure, const struct cpu_stream_request *request,
		       const struct profiler_request *sampled)
{
	struct measured measured = {.request = request, .sampled = sampled};
	const struct switch_time_trial trial = {
		.cpu = request->cpu,
		.open = open_measured,
		.turn = turn_measured,
		.loops = 1u << LEVEL_LOOP | 1u << LEVEL_CLOCK | 1u << LEVEL_CYCLES,
		.count = count_records,
		.context = &measured,
	};
	double groups, counters;

	count_on(request->plan, request->kind, false, &measure->groups, &measure->counters);
	count_on(request->plan, request->kind, true, &groups, &counters);
	measure->groups += groups;
	measure->counters += counters;
	switch_time_begin(&measure->time, &trial);
}

/* By one that this level adds to the loop. Where the loop was not measured, its CPU being too busy
 * or so many samples refused, a sample costs what one off the CPU does, at least. */
static double sample_ns(const struct switch_time_result *result, size_t level, size_t below)
{
	const double count = result->records[level] - result->records[below];
	const double ns = count >= 1 ? result->added_ns[level] / count : 0;

	return ns > 0 ? ns : result->added_ns[LEVEL_STACKS];
}

/* The best of a few, out of memory that is in the caches, as a stack is. */
static double time_stack_byte(void)
{
	enum {
		BYTES = 16384, /* of the 32 KiB that a cache of the first level has at least */
		COPIES = 8,
		ROUNDS = 5
	};
	unsigned char *bytes = xcalloc(2, BYTES);
	double best_ns = INFINITY;

	for (int i = 0; i < ROUNDS; i++) {
		const uint64_t begin_ns = sys_now_ns();

		for (int copy = 0; copy < COPIES; copy++) {
			memcpy(bytes + BYTES, bytes, BYTES);
			__asm__ volatile("" ::: "memory"); /* each copy is made */
		}
		best_ns = fmin(best_ns, (double)(sys_now_ns() - begin_ns));
	}
	free(bytes);
	return best_ns / (COPIES * BYTES);
}

bool switch_cost_end(struct switch_measure *measure, struct switch_cost *cost, struct error *error)
{
	static const enum error_code codes[] = {
		[SWITCH_TIME_MEASURED] = ERROR_NONE,        [SWITCH_TIME_NO_CPU] = ERROR_COST_CPU,
		[SWITCH_TIME_REFUSED] = ERROR_COST_REFUSED, [SWITCH_TIME_LATE] = ERROR_COST_LATE,
		[SWITCH_TIME_NOISE] = ERROR_COST_NOISE,
	};
	const struct switch_time_result result = switch_time_end(&measure->time, WAIT_MS);

	*cost = (struct switch_cost){
		.samples = {.ns = {[false] = sample_ns(&result, LEVEL_CLOCK, LEVEL_LOOP),
				   [true] = sample_ns(&result, LEVEL_CYCLES, LEVEL_CLOCK)},
			    .off_cpu_ns = result.added_ns[LEVEL_STACKS],
			    .switch_record_ns = result.added_ns[LEVEL_OFF_CPU] / 2,
			    .stack_byte_ns = time_stack_byte()},
	};
	if (result.state != SWITCH_TIME_MEASURED)
		return error_set(error, codes[result.state], NULL, NULL);
	cost->group_ns = result.added_ns[LEVEL_LEADERS] / measure->groups;
	if (measure->counters > 0)
		cost->counter_ns = result.added_ns[LEVEL_COUNTERS] / measure->counters;
	cost->records_ns = result.added_ns[LEVEL_RECORDS];
	return true;
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
