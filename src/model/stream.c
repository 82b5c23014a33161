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
	streams->numbers = xcalloc(2 * used, sizeof(*streams->numbers));

	uint64_t *settled = streams->numbers + used;
	used = 0;
	for (size_t g = 0; g < layout->group_count; g++) {
		streams->streams[g].last = streams->numbers + used;
		streams->streams[g].settled = settled + used;
		streams->streams[g].group = &layout->groups[g];
		streams->streams[g].is_clock = layout_is_clock(layout, g);
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
		memcpy(stream->settled, old->settled, numbers * sizeof(*stream->settled));
		stream->whole_count = old->whole_count;
		stream->has_baseline = old->has_baseline;
		stream->switches = old->switches;
		stream->run_ahead_ns = old->run_ahead_ns;
		stream->ahead_ns = old->ahead_ns;
		stream->smt = old->smt;
	}
	streams_fini(&before);
}

void stream_begin(struct stream *stream, const struct slice *slice)
{
	stream->has_baseline = true;
	for (size_t i = 0; stream->settled && i < (size_t)READING_VALUES + slice->group->count; i++)
		stream->settled[i] += slice->delta[i];
	stream->run_ahead_ns = stream->ahead_ns = 0;
}

static void take_ahead(uint64_t *ns, uint64_t *ahead_ns, uint64_t *settled)
{
	const uint64_t taken_ns = *ns < *ahead_ns ? *ns : *ahead_ns;

	*ns -= taken_ns;
	*ahead_ns -= taken_ns;
	*settled += taken_ns;
}

void stream_take_ahead(struct stream *stream, struct slice *slice)
{
	take_ahead(&slice->delta[READING_RUNNING_NS], &stream->ahead_ns,
		   &stream->settled[READING_RUNNING_NS]);
	if (slice->is_clock)
		take_ahead(&slice->delta[READING_ENABLED_NS], &stream->run_ahead_ns,
			   &stream->settled[READING_ENABLED_NS]);
}

void stream_settle(struct stream *stream, uint64_t *counts)
{
	const struct event_group *group = stream->group;
	const size_t numbers = READING_VALUES + group->count;
	struct slice all = {.group = group, .is_clock = stream->is_clock};

	counts_sub(all.delta, stream->last, stream->settled, numbers);
	memcpy(stream->settled, stream->last, numbers * sizeof(*stream->settled));
	slice_credit(&all, counts);
	counts[group->slices_index] += stream->whole_count;
	stream->whole_count = 0;
}
