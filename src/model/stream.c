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

struct group_places *group_places_create(const struct layout *layout)
{
	struct group_places *all = xcalloc(layout->group_count, sizeof(*all));

	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		all[g].is_clock = g == 0;
		all[g].running_ns = layout_group_place(layout, g);
		all[g].member_count = group->count;
		for (size_t i = 0; i < group->count; i++)
			all[g].members[i] = layout_event_place(layout, group->events[i]);
	}
	return all;
}

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
		used += READING_VALUES + layout->groups[g].count;
	}
}

void streams_fini(struct streams *streams)
{
	free(streams->streams);
	free(streams->numbers);
	*streams = (struct streams){0};
}

/*
 * Switches between the moment a group is enabled and its first read(2) leave records that
 * are older than that reading (seen on 6.1 and 6.18). A switch always counts one on.
 */
static bool is_stale(const struct stream *stream, const struct record_reading *reading)
{
	const uint64_t last = stream->last[READING_SWITCHES];

	return reading->sequence < last || (reading->at_switch && reading->sequence == last);
}

enum stream_step stream_advance(struct stream *stream, const struct record_reading *reading,
				struct slice *slice)
{
	const size_t members = slice->places->member_count;
	const bool is_first = !stream->has_baseline || reading->restarts;
	uint64_t now[READING_MAX];

	if (!is_first && is_stale(stream, reading))
		return STREAM_STALE;

	now[READING_SWITCHES] = reading->sequence;
	now[READING_ENABLED_NS] = reading->enabled_ns;
	now[READING_RUNNING_NS] = reading->running_ns;
	if (members)
		memcpy(&now[READING_VALUES], reading->values, members * sizeof(*now));

	bool grows = counts_sub(slice->delta, now, stream->last, READING_VALUES + members);
	memcpy(stream->last, now, (READING_VALUES + members) * sizeof(*now));
	stream->has_baseline = true;
	if (is_first)
		return STREAM_BASELINE;
	return grows ? STREAM_SLICE : STREAM_BROKEN;
}

void slice_credit(const struct slice *slice, uint64_t *counts)
{
	const struct group_places *places = slice->places;

	if (places->is_clock) {
		counts[QUANTITY_RUN_NS] += slice->delta[READING_ENABLED_NS];
		counts[QUANTITY_SWITCHES] += slice->delta[READING_SWITCHES];
	}
	counts[places->running_ns] += slice->delta[READING_RUNNING_NS];
	for (size_t i = 0; i < places->member_count; i++)
		counts[places->members[i]] += slice->delta[READING_VALUES + i];
}
