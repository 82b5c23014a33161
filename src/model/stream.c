/*
 * The sequence number of a reading is treated as one more counter, in front of the
 * clocks and the values, so that one subtraction gives all that happened in a slice.
 */
#include "model/stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/record.h"

void streams_init(struct streams *streams, const struct layout *layout)
{
	size_t used = 0;

	for (size_t g = 0; g < layout->group_count; g++)
		used += READING_VALUES + layout->groups[g].count;
	streams->streams = xcalloc(layout->group_count, sizeof(*streams->streams));
	streams->numbers = xcalloc(used, sizeof(*streams->numbers));

	used = 0;
	for (size_t g = 0; g < layout->group_count; g++) {
		streams->streams[g].last = streams->numbers + used;
		streams->streams[g].generation = layout->groups[g].generation;
		used += READING_VALUES + layout->groups[g].count;
	}
}

void streams_fini(struct streams *streams)
{
	free(streams->streams);
	free(streams->numbers);
	*streams = (struct streams){0};
}

void streams_change(struct streams *streams, size_t group_count, const struct layout *layout)
{
	struct streams before = *streams;

	streams_init(streams, layout);
	for (size_t g = 0; g < group_count; g++) {
		const struct stream *old = &before.streams[g];
		struct stream *stream = &streams->streams[g];
		const size_t numbers = READING_VALUES + layout->groups[g].count;

		if (!layout->groups[g].is_open || old->generation != stream->generation)
			continue;
		memcpy(stream->last, old->last, numbers * sizeof(*stream->last));
		stream->has_baseline = old->has_baseline;
		stream->switches = old->switches;
		stream->run_ahead_ns = old->run_ahead_ns;
		stream->ahead_ns = old->ahead_ns;
		stream->smt = old->smt;
	}
	streams_fini(&before);
}

/*
 * A group is enabled a little before it runs, and all groups of a CPU stop for a moment when
 * one of them is switched: ns on silicon, tens of us in an emulator. The kernel's rotation
 * takes a group away for a tick at least; less than this is not rotation.
 */
enum {
	SWITCH_ON_NS = 100 * 1000
};

/*
 * Switches between the moment a group is enabled and its first read(2) leave records that
 * are older than that reading (seen on 6.1 and 6.18). A switch always counts one on.
 */
static bool is_stale(const struct stream *stream, const struct record_reading *reading,
		     bool at_switch)
{
	const uint64_t last = stream->last[READING_SWITCHES];

	return reading->sequence < last || (at_switch && reading->sequence == last);
}

static bool was_on(uint64_t enabled_ns, uint64_t running_ns)
{
	return enabled_ns - running_ns + SWITCH_ON_NS <= 2 * SWITCH_ON_NS;
}

/*
 * A read(2) fetches the times of the group by interrupting its CPU, and then the counts: the last
 * switch may fall between the two, so that its own reading is ahead in time (seen on Linux 6.18:
 * some us, more where the host of a virtual machine stops it there). What was on already is on
 * still.
 */
static void keep_time(const struct stream *stream, uint64_t *now)
{
	if (now[READING_SWITCHES] != stream->last[READING_SWITCHES])
		return;
	for (int i = READING_ENABLED_NS; i <= READING_RUNNING_NS; i++)
		if (now[i] < stream->last[i])
			now[i] = stream->last[i];
}

/* Of the result the highest bit says that one went backwards. */
static uint64_t step_on(uint64_t *restrict last, const uint64_t *restrict now,
			uint64_t *restrict delta, size_t count)
{
	uint64_t signs = 0;

	for (size_t i = 0; i < count; i++) {
		delta[i] = now[i] - last[i];
		last[i] = now[i];
		signs |= delta[i];
	}
	return signs;
}

enum stream_step stream_advance(struct stream *stream, const struct record_reading *reading,
				bool at_switch, struct slice *slice)
{
	const bool is_first = !stream->has_baseline || reading->restarts;
	uint64_t now[READING_VALUES] = {
		[READING_SWITCHES] = reading->sequence,
		[READING_ENABLED_NS] = reading->enabled_ns,
		[READING_RUNNING_NS] = reading->running_ns,
	};
	uint64_t signs;

	if (!is_first && is_stale(stream, reading, at_switch))
		return STREAM_STALE;
	if (!is_first && !at_switch)
		keep_time(stream, now);
	signs = step_on(stream->last, now, slice->delta, READING_VALUES);
	signs |= step_on(stream->last + READING_VALUES, reading->values,
			 slice->delta + READING_VALUES, slice->group->count);
	stream->has_baseline = true;
	slice->is_whole =
		was_on(slice->delta[READING_ENABLED_NS], slice->delta[READING_RUNNING_NS]);
	if (!is_first && (int64_t)signs >= 0)
		return STREAM_SLICE;
	stream->run_ahead_ns = stream->ahead_ns = 0;
	return is_first ? STREAM_BASELINE : STREAM_BROKEN;
}

static void take_ahead(uint64_t *ns, uint64_t *ahead_ns)
{
	const uint64_t taken_ns = *ns < *ahead_ns ? *ns : *ahead_ns;

	*ns -= taken_ns;
	*ahead_ns -= taken_ns;
}

void stream_take_ahead(struct stream *stream, struct slice *slice)
{
	take_ahead(&slice->delta[READING_RUNNING_NS], &stream->ahead_ns);
	if (slice->is_clock)
		take_ahead(&slice->delta[READING_ENABLED_NS], &stream->run_ahead_ns);
}

void slice_credit(const struct slice *slice, uint64_t *counts)
{
	const struct event_group *group = slice->group;

	if (slice->is_clock) {
		counts[QUANTITY_RUN_NS] += slice->delta[READING_ENABLED_NS];
		counts[QUANTITY_SWITCHES] += slice->delta[READING_SWITCHES];
	}
	counts[group->value_index] += slice->delta[READING_RUNNING_NS];
	counts[group->slices_index] += slice->is_whole;
	for (size_t i = 0; i < group->count; i++)
		counts[group->value_indexes[i]] += slice->delta[READING_VALUES + i];
}
