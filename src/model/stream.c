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
		stream->missed_idle = old->missed_idle;
		stream->missed_task = old->missed_task;
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
static bool is_stale(const struct stream *stream, const struct record_reading *reading)
{
	const uint64_t last = stream->last[READING_SWITCHES];

	return reading->sequence < last || (reading->at_switch && reading->sequence == last);
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
static void keep_time(const struct stream *stream, const struct record_reading *reading,
		      uint64_t *now)
{
	if (reading->at_switch || reading->sequence != stream->last[READING_SWITCHES])
		return;
	for (int i = READING_ENABLED_NS; i <= READING_RUNNING_NS; i++)
		if (now[i] < stream->last[i])
			now[i] = stream->last[i];
}

/* Fills the delta and keeps the reading. False: something went backwards. */
static bool step_on(struct stream *stream, const uint64_t now[static READING_VALUES],
		    const uint64_t *values, struct slice *slice)
{
	const size_t members = slice->group->count;
	uint64_t *last = stream->last;
	bool grows = counts_sub(slice->delta, now, last, READING_VALUES);

	memcpy(last, now, READING_VALUES * sizeof(*last));
	if (members > 0) {
		grows &= counts_sub(slice->delta + READING_VALUES, values, last + READING_VALUES,
				    members);
		memcpy(last + READING_VALUES, values, members * sizeof(*last));
	}
	return grows;
}

enum stream_step stream_advance(struct stream *stream, const struct record_reading *reading,
				struct slice *slice)
{
	const bool is_first = !stream->has_baseline || reading->restarts;
	uint64_t now[READING_VALUES];
	bool grows;

	if (!is_first && is_stale(stream, reading))
		return STREAM_STALE;

	now[READING_SWITCHES] = reading->sequence;
	now[READING_ENABLED_NS] = reading->enabled_ns;
	now[READING_RUNNING_NS] = reading->running_ns;
	if (!is_first)
		keep_time(stream, reading, now);

	grows = step_on(stream, now, reading->values, slice);
	stream->has_baseline = true;
	slice->is_whole =
		was_on(slice->delta[READING_ENABLED_NS], slice->delta[READING_RUNNING_NS]);
	if (!is_first && grows)
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

static void enter(const struct slice_books *books, size_t value_index, uint64_t number)
{
	books->cpu[value_index] += number;
	books->owner[value_index] += number;
	books->slice[value_index] += number;
}

void slice_enter(const struct slice *slice, const struct slice_books *books)
{
	const struct event_group *group = slice->group;
	const struct slice_books to = *books;

	if (slice->is_clock) {
		enter(&to, QUANTITY_RUN_NS, slice->delta[READING_ENABLED_NS]);
		enter(&to, QUANTITY_SWITCHES, slice->delta[READING_SWITCHES]);
	}
	enter(&to, group->value_index, slice->delta[READING_RUNNING_NS]);
	enter(&to, group->slices_index, slice->is_whole);
	for (size_t i = 0; i < group->count; i++)
		enter(&to, group->value_indexes[i], slice->delta[READING_VALUES + i]);
}

static bool is_in_row(const struct event_group *group)
{
	size_t i = 1;

	while (i < group->count && group->value_indexes[i] == group->value_indexes[i - 1] + 1)
		i++;
	return i == group->count;
}

void streak_begin(struct streak *streak, const struct stream *stream,
		  const struct event_group *group, const struct ipc_source *ipc)
{
	streak->goes_on = true;
	streak->group = group;
	streak->is_in_row = is_in_row(group);
	streak->ipc = ipc;
	memcpy(streak->before, stream->last,
	       (READING_VALUES + group->count) * sizeof(*stream->last));
}

void streak_end(struct streak *streak, const struct stream *stream, uint64_t *cpu_counts)
{
	struct slice all = {.group = streak->group, .is_clock = true};

	streak->goes_on = false;
	counts_sub(all.delta, stream->last, streak->before, READING_VALUES + all.group->count);
	slice_credit(&all, cpu_counts);
	cpu_counts[all.group->slices_index] += all.delta[READING_SWITCHES];
}

/* So that the processor can take several at once. Of the result the highest bit says that one went
 * backwards. */
static uint64_t credit_row(uint64_t *restrict last, const uint64_t *restrict values,
			   uint64_t *restrict deltas, uint64_t *restrict counts, size_t count)
{
	uint64_t signs = 0;

	for (size_t i = 0; i < count; i++) {
		const uint64_t delta = values[i] - last[i];

		last[i] = values[i];
		deltas[i] = delta;
		counts[i] += delta;
		signs |= delta;
	}
	return signs;
}

static uint64_t credit_scattered(uint64_t *restrict last, const uint64_t *restrict values,
				 uint64_t *restrict deltas, uint64_t *restrict counts,
				 const struct event_group *group)
{
	uint64_t signs = 0;

	for (size_t i = 0; i < group->count; i++)
		signs |= credit_row(last + i, values + i, deltas + i,
				    counts + group->value_indexes[i], 1);
	return signs;
}

static void take_back(uint64_t *last, const struct slice *slice, uint64_t *counts)
{
	for (size_t i = 0; i < slice->group->count; i++) {
		last[i] -= slice->delta[READING_VALUES + i];
		counts[slice->group->value_indexes[i]] -= slice->delta[READING_VALUES + i];
	}
}

bool streak_continues(const struct stream *stream, const struct record_reading *reading)
{
	const uint64_t *last = stream->last;
	const uint64_t enabled_ns = reading->enabled_ns - last[READING_ENABLED_NS];
	const uint64_t running_ns = reading->running_ns - last[READING_RUNNING_NS];

	return reading->sequence == last[READING_SWITCHES] + 1 && !reading->restarts &&
	       (int64_t)(enabled_ns | running_ns) >= 0 && was_on(enabled_ns, running_ns);
}

bool streak_credit(const struct streak *streak, struct stream *stream,
		   const struct record_reading *reading, struct slice *slice, uint64_t *counts)
{
	const struct event_group *group = streak->group;
	uint64_t *last = stream->last, *deltas = slice->delta, signs;
	const uint64_t enabled_ns = reading->enabled_ns - last[READING_ENABLED_NS];
	const uint64_t running_ns = reading->running_ns - last[READING_RUNNING_NS];

	slice->group = group;
	slice->is_clock = slice->is_whole = true;
	if (streak->is_in_row)
		signs = credit_row(last + READING_VALUES, reading->values, deltas + READING_VALUES,
				   counts + group->value_indexes[0], group->count);
	else
		signs = credit_scattered(last + READING_VALUES, reading->values,
					 deltas + READING_VALUES, counts, group);
	if ((int64_t)signs < 0) {
		take_back(last + READING_VALUES, slice, counts);
		return false;
	}
	last[READING_SWITCHES] = reading->sequence;
	last[READING_ENABLED_NS] = reading->enabled_ns;
	last[READING_RUNNING_NS] = reading->running_ns;
	deltas[READING_SWITCHES] = 1;
	deltas[READING_ENABLED_NS] = enabled_ns;
	deltas[READING_RUNNING_NS] = running_ns;
	counts[QUANTITY_SWITCHES]++;
	counts[QUANTITY_RUN_NS] += enabled_ns;
	counts[group->value_index] += running_ns;
	counts[group->slices_index]++;
	return true;
}
