#include "view/timeline_lane.h"

#include <string.h>

#include "model/history.h"
#include "view/timeline.h"

enum {
	/* A CPU that was away leaves a hole longer than what clocks may differ by. */
	HOLE_NS = 100000,
	HOLE_SHARE = 8 /* of the slice */
};

/* One slice. */
struct stretch {
	uint64_t from_ns, to_ns;
	uint64_t actor, sequence;
	const uint64_t *counts; /* NULL: not known, or not asked for */
};

size_t timeline_cell_at(const struct timeline *timeline, uint64_t time_ns)
{
	return (size_t)((time_ns - timeline->begin_ns) / timeline->cell_ns);
}

void timeline_lane_init(struct timeline_lane *lane, const struct timeline *timeline, size_t strip,
			size_t width)
{
	cell_fill_init(&lane->fill, width);
	lane->cells = timeline->strips[strip].cells;
	timeline_lane_reset(lane, timeline);
}

void timeline_lane_fini(struct timeline_lane *lane)
{
	cell_fill_fini(&lane->fill);
}

void timeline_lane_reset(struct timeline_lane *lane, const struct timeline *timeline)
{
	cell_fill_clear(&lane->fill);
	lane->has_last = lane->is_done = false;
	lane->last = UINT64_MAX;
	lane->cell = 0;
	lane->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
}

void timeline_lane_move(struct timeline_lane *lane, const struct timeline *timeline, size_t by)
{
	const size_t kept = lane->cell > by ? lane->cell - by : 0;

	memmove(lane->cells, lane->cells + lane->cell - kept, kept * sizeof(*lane->cells));
	timeline_cells_clear(lane->cells + kept, timeline->cell_count - kept);
	if (lane->cell < by) {
		cell_fill_clear(&lane->fill);
		lane->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
	}
	lane->cell = kept;
}

void timeline_lane_finish(struct timeline_lane *lane, const struct lane_ground *ground)
{
	cell_fill_finish(&lane->fill, &lane->cells[lane->cell], &ground->rating);
}

static void draw(struct timeline_lane *lane, const struct lane_ground *ground,
		 const struct stretch *stretch)
{
	const struct timeline *timeline = ground->timeline;
	uint64_t at = stretch->from_ns > timeline->begin_ns ? stretch->from_ns : timeline->begin_ns;
	const uint64_t to = stretch->to_ns < lane->until_ns ? stretch->to_ns : lane->until_ns;

	while (at < to) {
		uint64_t end_ns;

		if (at >= lane->cell_end_ns) {
			timeline_lane_finish(lane, ground);
			lane->cell = timeline_cell_at(timeline, at);
			lane->cell_end_ns =
				timeline->begin_ns + (lane->cell + 1) * timeline->cell_ns;
		}
		end_ns = to < lane->cell_end_ns ? to : lane->cell_end_ns;
		cell_fill_add(&lane->fill, stretch->actor, stretch->sequence, end_ns - at);
		if (stretch->counts)
			cell_fill_add_counts(&lane->fill, stretch->counts, ground->width,
					     end_ns - at, stretch->to_ns - stretch->from_ns);
		at = end_ns;
	}
}

/* Where a slice begins: at the switch before, unless the CPU was away in between. */
static uint64_t begin_of(const struct timeline_lane *lane, uint64_t time_ns, uint64_t slice_ns)
{
	const bool is_known = slice_ns != SWITCH_NS_UNKNOWN;
	uint64_t begin_ns = time_ns;

	if (is_known)
		begin_ns = time_ns > slice_ns ? time_ns - slice_ns : 0;
	if (!lane->has_last)
		return begin_ns;
	if (is_known && begin_ns > lane->last_ns &&
	    begin_ns - lane->last_ns > slice_ns / HOLE_SHARE + HOLE_NS)
		return begin_ns;
	return lane->last_ns;
}

void timeline_lane_add(struct timeline_lane *lane, const struct lane_ground *ground,
		       const struct timeline_entry *entry)
{
	const struct stretch stretch = {
		.from_ns = begin_of(lane, entry->time_ns, entry->slice_ns),
		.to_ns = entry->time_ns,
		.actor = entry->left,
		.sequence = entry->number,
		.counts = entry->counts,
	};

	draw(lane, ground, &stretch);
	/* Time does not go back on a CPU; if what is fed says so, cells still go on. */
	if (!lane->has_last || lane->last_ns < entry->time_ns)
		lane->last_ns = entry->time_ns;
	lane->has_last = true;
	lane->last = entry->number;
	lane->is_done = entry->time_ns >= lane->until_ns;
}

void timeline_lane_run_on(struct timeline_lane *now, const struct timeline_lane *lane,
			  const struct lane_ground *ground, uint64_t to_ns)
{
	const struct stretch stretch = {
		.from_ns = lane->last_ns,
		.to_ns = to_ns,
		.actor = lane->came,
		.sequence = UINT64_MAX,
	};

	now->cell = lane->cell;
	now->cell_end_ns = lane->cell_end_ns;
	now->until_ns = lane->until_ns;
	now->cells = lane->cells;
	cell_fill_copy(&now->fill, &lane->fill);
	draw(now, ground, &stretch);
	timeline_lane_finish(now, ground);
}
