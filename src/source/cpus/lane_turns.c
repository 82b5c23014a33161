/*
 * Which groups are on, and their readings at the end of an interval or of a turn. A reading waits
 * in the lane's mark for its place among the records, which lane_stream.c finds.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "source/cpus/lane.h"
#include "source/cpus/lane_parts.h"

enum {
	READ_TRIES = 4
};

void lane_begin_anew(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_reading *baseline;

	array_reserve(&lane->baselines, &lane->baseline_capacity, lane->baseline_count + 1,
		      sizeof(*lane->baselines));
	baseline = &lane->baselines[lane->baseline_count];
	*baseline = (struct lane_reading){.group = group, .restarts = true};
	if (group_read(&lane->bundle.groups[group], features, &baseline->values))
		lane->baseline_count++;
}

/* The clock is counted from the first mark on. */
static void switch_on(struct lane *lane, size_t group, const struct attr_features *features)
{
	lane->slots[group].is_on = group_enable(&lane->bundle.groups[group]);
	lane->slots[group].has_offset = false;
	if (lane->slots[group].is_on && group != lane->clock)
		lane_begin_anew(lane, group, features);
}

static void switch_off(struct lane *lane, size_t group)
{
	group_disable(&lane->bundle.groups[group]);
	lane->slots[group].is_on = false;
}

/* The group of the turn that is on; LANE_NOBODY: none is. */
static size_t active_of(const struct lane *lane, uint16_t turn)
{
	for (size_t i = 0; i < lane->bundle.count; i++)
		if (lane->slots[i].is_on && lane->slots[i].turn == turn)
			return i;
	return LANE_NOBODY;
}

/* Everything is on that ought to be. */
static void switch_on_all(struct lane *lane, const struct attr_features *features)
{
	for (size_t i = 0; i < lane->bundle.count; i++) {
		const struct lane_slot *slot = &lane->slots[i];

		if (!bundle_is_open(&lane->bundle, i) || slot->is_on ||
		    (slot->turn != 0 && active_of(lane, slot->turn) != LANE_NOBODY))
			continue;
		switch_on(lane, i, features);
	}
}

bool lane_enable(struct lane *lane, const struct attr_features *features)
{
	lane->is_enabled = true;
	switch_on_all(lane, features);
	return lane->slots[lane->clock].is_on;
}

void lane_pause(struct lane *lane)
{
	for (size_t i = 0; i < lane->bundle.count; i++)
		if (lane->slots[i].is_on && lane->slots[i].turn != 0)
			switch_off(lane, i);
}

void lane_resume(struct lane *lane, const struct attr_features *features)
{
	if (lane->is_enabled)
		switch_on_all(lane, features);
}

/* An empty mark; the room for its readings stays. */
static void begin_mark(struct lane_mark *mark)
{
	*mark = (struct lane_mark){.readings = mark->readings, .capacity = mark->capacity};
}

static bool take_reading(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;
	struct lane_reading *reading;

	array_reserve(&mark->readings, &mark->capacity, mark->count + 1, sizeof(*mark->readings));
	reading = &mark->readings[mark->count];
	*reading = (struct lane_reading){.group = group};
	if (!group_read(&lane->bundle.groups[group], features, &reading->values))
		return false;
	mark->count++;
	return true;
}

/*
 * The kernel writes LOST with the next record that finds room, which can be an interval later;
 * the leader's own count of lost samples (Linux 6.0) is there at once.
 */
static void note_lost(struct lane *lane)
{
	uint64_t lost = lane->mark.count > 0 ? lane->mark.readings[0].values.leader_lost : 0;

	if (lost <= lane->lost_samples)
		return;
	lane->lost_now += lost - lane->lost_samples;
	lane->lost_samples = lost;
}

void lane_mark(struct lane *lane, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;
	uint64_t enabled_ns = 0;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->ends_interval = true;
	if (take_reading(lane, lane->clock, features))
		enabled_ns = mark->readings[0].values.enabled_ns;
	note_lost(lane);
	for (size_t i = 0; i < lane->bundle.count; i++)
		if (i != lane->clock && lane->slots[i].is_on)
			take_reading(lane, i, features);
	lane->is_dead = enabled_ns <= lane->last_enabled_ns;
	lane->last_enabled_ns = enabled_ns;
}

/* The group that follows in the turn of one that is on; the same one when there is no other. */
static size_t next_in_turn(const struct lane *lane, size_t group)
{
	for (size_t i = 1; i < lane->bundle.count; i++) {
		const size_t next = (group + i) % lane->bundle.count;

		if (bundle_is_open(&lane->bundle, next) &&
		    lane->slots[next].turn == lane->slots[group].turn)
			return next;
	}
	return group;
}

static bool ends_turn(const struct lane *lane, size_t group)
{
	return lane->slots[group].is_on && lane->slots[group].turn != 0 &&
	       next_in_turn(lane, group) != group;
}

/*
 * The last reading of groups that are switched off: no later sample of their own will show its
 * place, so it takes that of a reading of the clock group. Nobody may have switched between them:
 * the clock group is read before and after. False: they have no place.
 */
static bool take_last_readings(struct lane *lane, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->is_tied = true;
	if (!take_reading(lane, lane->clock, features))
		return false;
	for (size_t i = 0; i < lane->bundle.count; i++)
		if (ends_turn(lane, i) && !take_reading(lane, i, features))
			return false;
	return take_reading(lane, lane->clock, features) &&
	       mark->readings[0].values.values[0] ==
		       mark->readings[mark->count - 1].values.values[0];
}

static bool has_turns(const struct lane *lane)
{
	for (size_t i = 0; i < lane->bundle.count; i++)
		if (ends_turn(lane, i))
			return true;
	return false;
}

static void switch_over(struct lane *lane, const struct attr_features *features)
{
	size_t *ending = xcalloc(lane->bundle.count, sizeof(*ending));
	size_t count = 0;

	for (size_t i = 0; i < lane->bundle.count; i++)
		if (ends_turn(lane, i))
			ending[count++] = i;
	for (size_t i = 0; i < count; i++) {
		switch_off(lane, ending[i]);
		switch_on(lane, next_in_turn(lane, ending[i]), features);
	}
	free(ending);
}

void lane_rotate(struct lane *lane, const struct attr_features *features)
{
	bool has_place = false;

	if (!has_turns(lane))
		return;
	for (int i = 0; i < READ_TRIES && !has_place; i++)
		has_place = take_last_readings(lane, features);
	if (!has_place)
		begin_mark(&lane->mark);
	switch_over(lane, features);
}
