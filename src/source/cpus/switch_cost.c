#include "source/cpus/switch_cost.h"

#include "kernel/group.h"
#include "source/cpus/cpu_stream.h"

/* What is on at each level, and at those above it. */
enum {
	LEVEL_NONE,
	LEVEL_ALWAYS,
	LEVEL_TURN,
	LEVEL_RECORDS,
	LEVELS
};

_Static_assert((int)LEVELS <= (int)SWITCH_TIME_LEVELS_MAX, "each has a place in the result");

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
	unsigned int levels = 1u << LEVEL_NONE | 1u << LEVEL_ALWAYS;

	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on && stream->slots[i].rotation != 0)
			levels |= 1u << LEVEL_TURN;
	return stream->switches_fd >= 0 ? levels | 1u << LEVEL_RECORDS : levels;
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
	return find_levels(&measured->stream);
}

static void empty_ring(struct ring *ring)
{
	const void *bytes;
	size_t size;

	ring_begin(ring);
	while (ring_next(ring, &bytes, &size))
		;
	ring_end(ring);
}

static void turn_measured(void *context, size_t level)
{
	struct cpu_stream *stream = &((struct measured *)context)->stream;

	for (size_t i = 0; i < stream->bundle.count; i++) {
		const struct cpu_stream_slot *slot = &stream->slots[i];

		if (!slot->is_on)
			continue;
		if (level >= (slot->rotation != 0 ? LEVEL_TURN : LEVEL_ALWAYS))
			group_enable(&stream->bundle.groups[i]);
		else
			group_disable(&stream->bundle.groups[i]);
	}
	/* with a software leader the time line has the switches */
	if (!stream->sched_switch)
		timeline_turn(stream->timeline_fd, level >= LEVEL_ALWAYS);
	if (stream->switches_fd >= 0)
		timeline_turn(stream->switches_fd, level >= LEVEL_RECORDS);
	empty_ring(&stream->ring);
}

void switch_cost_begin(struct switch_time *time, const struct cpu_stream_request *request)
{
	struct measured measured = {.request = request};
	const struct switch_time_trial trial = {
		.cpu = request->cpu,
		.open = open_measured,
		.turn = turn_measured,
		.context = &measured,
	};

	switch_time_begin(time, &trial);
}

bool switch_cost_end(struct switch_time *time, int wait_ms, struct switch_cost *cost,
		     struct error *error)
{
	static const enum error_code codes[] = {
		[SWITCH_TIME_MEASURED] = ERROR_NONE,        [SWITCH_TIME_NO_CPU] = ERROR_COST_CPU,
		[SWITCH_TIME_REFUSED] = ERROR_COST_REFUSED, [SWITCH_TIME_LATE] = ERROR_COST_LATE,
		[SWITCH_TIME_NOISE] = ERROR_COST_NOISE,
	};
	const struct switch_time_result result = switch_time_end(time, wait_ms);

	*cost = (struct switch_cost){0};
	if (result.state != SWITCH_TIME_MEASURED)
		return error_set(error, codes[result.state], NULL, NULL);
	*cost = (struct switch_cost){
		.always_ns = result.added_ns[LEVEL_ALWAYS],
		.turn_ns = result.added_ns[LEVEL_TURN],
		.records_ns = result.added_ns[LEVEL_RECORDS],
	};
	return true;
}

uint64_t switch_cost_now(const struct switch_cost *cost, double share,
			 struct cpu_stream *const *streams, size_t count)
{
	size_t with_records = 0;

	if (cost->always_ns == 0 || count == 0)
		return 0;
	for (size_t i = 0; i < count; i++)
		with_records += streams[i]->switches_fd >= 0;
	return (uint64_t)(cost->always_ns + cost->turn_ns * share +
			  cost->records_ns * (double)with_records / (double)count);
}
