/*
 * Which groups are on, and their readings at the end of an interval or of a turn. A reading waits
 * in the stream's mark for its place among the records, which cpu_stream_records.c finds.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "source/cpus/cpu_stream.h"
#include "source/cpus/cpu_stream_parts.h"

enum {
	READ_TRIES = 4
};

void cpu_stream_begin_anew(struct cpu_stream *stream, size_t group,
			   const struct attr_features *features)
{
	struct cpu_stream_reading *baseline;

	array_reserve(&stream->baselines, &stream->baseline_capacity, stream->baseline_count + 1,
		      sizeof(*stream->baselines));
	baseline = &stream->baselines[stream->baseline_count];
	*baseline = (struct cpu_stream_reading){.group = group, .restarts = true};
	if (group_read(&stream->bundle.groups[group], features, &baseline->values))
		stream->baseline_count++;
}

/* The clock is counted from the first mark on. */
static void switch_on(struct cpu_stream *stream, size_t group, const struct attr_features *features)
{
	stream->slots[group].is_on = group_enable(&stream->bundle.groups[group]);
	stream->slots[group].has_offset = false;
	if (stream->slots[group].is_on && group != stream->clock)
		cpu_stream_begin_anew(stream, group, features);
}

static void switch_off(struct cpu_stream *stream, size_t group)
{
	group_disable(&stream->bundle.groups[group]);
	stream->slots[group].is_on = false;
}

/* The group of the turn that is on; CPU_STREAM_NOBODY: none is. */
static size_t active_of(const struct cpu_stream *stream, uint16_t turn)
{
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on && stream->slots[i].turn == turn)
			return i;
	return CPU_STREAM_NOBODY;
}

/* Everything is on that ought to be. */
static void switch_on_all(struct cpu_stream *stream, const struct attr_features *features)
{
	for (size_t i = 0; i < stream->bundle.count; i++) {
		const struct cpu_stream_slot *slot = &stream->slots[i];

		if (!bundle_is_open(&stream->bundle, i) || slot->is_on ||
		    (slot->turn != 0 && active_of(stream, slot->turn) != CPU_STREAM_NOBODY))
			continue;
		switch_on(stream, i, features);
	}
}

bool cpu_stream_enable(struct cpu_stream *stream, const struct attr_features *features)
{
	stream->is_enabled = true;
	switch_on_all(stream, features);
	return stream->slots[stream->clock].is_on;
}

void cpu_stream_pause(struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].is_on && stream->slots[i].turn != 0)
			switch_off(stream, i);
}

void cpu_stream_resume(struct cpu_stream *stream, const struct attr_features *features)
{
	if (stream->is_enabled)
		switch_on_all(stream, features);
}

/* An empty mark; the room for its readings stays. */
static void begin_mark(struct cpu_stream_mark *mark)
{
	*mark = (struct cpu_stream_mark){.readings = mark->readings, .capacity = mark->capacity};
}

static bool take_reading(struct cpu_stream *stream, size_t group,
			 const struct attr_features *features)
{
	struct cpu_stream_mark *mark = &stream->mark;
	struct cpu_stream_reading *reading;

	array_reserve(&mark->readings, &mark->capacity, mark->count + 1, sizeof(*mark->readings));
	reading = &mark->readings[mark->count];
	*reading = (struct cpu_stream_reading){.group = group};
	if (!group_read(&stream->bundle.groups[group], features, &reading->values))
		return false;
	mark->count++;
	return true;
}

/*
 * The kernel writes LOST with the next record that finds room, which can be an interval later;
 * the leader's own count of lost samples (Linux 6.0) is there at once.
 */
static void note_lost(struct cpu_stream *stream)
{
	uint64_t lost = stream->mark.count > 0 ? stream->mark.readings[0].values.leader_lost : 0;

	if (lost <= stream->lost_samples)
		return;
	stream->lost_now += lost - stream->lost_samples;
	stream->lost_samples = lost;
}

void cpu_stream_mark(struct cpu_stream *stream, const struct attr_features *features)
{
	struct cpu_stream_mark *mark = &stream->mark;
	uint64_t enabled_ns = 0;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->ends_interval = true;
	if (take_reading(stream, stream->clock, features))
		enabled_ns = mark->readings[0].values.enabled_ns;
	note_lost(stream);
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (i != stream->clock && stream->slots[i].is_on)
			take_reading(stream, i, features);
	stream->is_dead = enabled_ns <= stream->last_enabled_ns;
	stream->last_enabled_ns = enabled_ns;
}

/* The group that follows in the turn of one that is on; the same one when there is no other. */
static size_t next_in_turn(const struct cpu_stream *stream, size_t group)
{
	for (size_t i = 1; i < stream->bundle.count; i++) {
		const size_t next = (group + i) % stream->bundle.count;

		if (bundle_is_open(&stream->bundle, next) &&
		    stream->slots[next].turn == stream->slots[group].turn)
			return next;
	}
	return group;
}

static bool ends_turn(const struct cpu_stream *stream, size_t group)
{
	return stream->slots[group].is_on && stream->slots[group].turn != 0 &&
	       next_in_turn(stream, group) != group;
}

/*
 * The last reading of groups that are switched off: no later sample of their own will show its
 * place, so it takes that of a reading of the clock group. There must be no switch between them:
 * the clock group is read before and after. False: they have no place.
 */
static bool take_last_readings(struct cpu_stream *stream, const struct attr_features *features)
{
	struct cpu_stream_mark *mark = &stream->mark;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->is_tied = true;
	if (!take_reading(stream, stream->clock, features))
		return false;
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (ends_turn(stream, i) && !take_reading(stream, i, features))
			return false;
	return take_reading(stream, stream->clock, features) &&
	       mark->readings[0].values.values[0] ==
		       mark->readings[mark->count - 1].values.values[0];
}

static bool has_turns(const struct cpu_stream *stream)
{
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (ends_turn(stream, i))
			return true;
	return false;
}

static void switch_over(struct cpu_stream *stream, const struct attr_features *features)
{
	size_t *ending = xcalloc(stream->bundle.count, sizeof(*ending));
	size_t count = 0;

	for (size_t i = 0; i < stream->bundle.count; i++)
		if (ends_turn(stream, i))
			ending[count++] = i;
	for (size_t i = 0; i < count; i++) {
		switch_off(stream, ending[i]);
		switch_on(stream, next_in_turn(stream, ending[i]), features);
	}
	free(ending);
}

void cpu_stream_rotate(struct cpu_stream *stream, const struct attr_features *features)
{
	bool has_place = false;

	if (!has_turns(stream))
		return;
	for (int i = 0; i < READ_TRIES && !has_place; i++)
		has_place = take_last_readings(stream, features);
	if (!has_place)
		begin_mark(&stream->mark);
	switch_over(stream, features);
}
