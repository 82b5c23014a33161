#include "view/timeline_track.h"

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

void timeline_track_init(struct timeline_track *track, const struct timeline *timeline,
			 size_t strip, size_t width)
{
	cell_fill_init(&track->fill, width);
	track->cells = timeline->strips[strip].cells;
	timeline_track_reset(track, timeline);
}

void timeline_track_fini(struct timeline_track *track)
{
	cell_fill_fini(&track->fill);
}

void timeline_track_reset(struct timeline_track *track, const struct timeline *timeline)
{
	cell_fill_clear(&track->fill);
	track->has_last = track->is_done = false;
	track->last = UINT64_MAX;
	track->cell = 0;
	track->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
}

void timeline_track_move(struct timeline_track *track, const struct timeline *timeline, size_t by)
{
	const size_t kept = track->cell > by ? track->cell - by : 0;

	memmove(track->cells, track->cells + track->cell - kept, kept * sizeof(*track->cells));
	timeline_cells_clear(track->cells + kept, timeline->cell_count - kept);
	if (track->cell < by) {
		cell_fill_clear(&track->fill);
		track->cell_end_ns = timeline->begin_ns + timeline->cell_ns;
	}
	track->cell = kept;
}

void timeline_track_finish(struct timeline_track *track, const struct track_ground *ground)
{
	cell_fill_finish(&track->fill, &track->cells[track->cell], &ground->rating);
}

static void draw(struct timeline_track *track, const struct track_ground *ground,
		 const struct stretch *stretch)
{
	const struct timeline *timeline = ground->timeline;
	uint64_t at = stretch->from_ns > timeline->begin_ns ? stretch->from_ns : timeline->begin_ns;
	const uint64_t to = stretch->to_ns < track->until_ns ? stretch->to_ns : track->until_ns;

	while (at < to) {
		uint64_t end_ns;

		if (at >= track->cell_end_ns) {
			timeline_track_finish(track, ground);
			track->cell = timeline_cell_at(timeline, at);
			track->cell_end_ns =
				timeline->begin_ns + (track->cell + 1) * timeline->cell_ns;
		}
		end_ns = to < track->cell_end_ns ? to : track->cell_end_ns;
		cell_fill_add(&track->fill, stretch->actor, stretch->sequence, end_ns - at);
		if (stretch->counts)
			cell_fill_add_counts(&track->fill, stretch->counts, ground->width,
					     end_ns - at, stretch->to_ns - stretch->from_ns);
		at = end_ns;
	}
}

/* Where a slice begins: at the switch before, unless the CPU was away in between. */
static uint64_t begin_of(const struct timeline_track *track, uint64_t time_ns, uint64_t slice_ns)
{
	const bool is_known = slice_ns != SWITCH_NS_UNKNOWN;
	uint64_t begin_ns = time_ns;

	if (is_known)
		begin_ns = time_ns > slice_ns ? time_ns - slice_ns : 0;
	if (!track->has_last)
		return begin_ns;
	if (is_known && begin_ns > track->last_ns &&
	    begin_ns - track->last_ns > slice_ns / HOLE_SHARE + HOLE_NS)
		return begin_ns;
	return track->last_ns;
}

void timeline_track_add(struct timeline_track *track, const struct track_ground *ground,
			const struct timeline_entry *entry)
{
	const struct stretch stretch = {
		.from_ns = begin_of(track, entry->time_ns, entry->slice_ns),
		.to_ns = entry->time_ns,
		.actor = entry->left,
		.sequence = entry->number,
		.counts = entry->counts,
	};

	draw(track, ground, &stretch);
	/* Time does not go back on a CPU; if what is fed says so, cells still go on. */
	if (!track->has_last || track->last_ns < entry->time_ns)
		track->last_ns = entry->time_ns;
	track->has_last = true;
	track->last = entry->number;
	track->is_done = entry->time_ns >= track->until_ns;
}

void timeline_track_run_on(struct timeline_track *now, const struct timeline_track *track,
			   const struct track_ground *ground, uint64_t to_ns)
{
	const struct stretch stretch = {
		.from_ns = track->last_ns,
		.to_ns = to_ns,
		.actor = track->came,
		.sequence = UINT64_MAX,
	};

	now->cell = track->cell;
	now->cell_end_ns = track->cell_end_ns;
	now->until_ns = track->until_ns;
	now->cells = track->cells;
	cell_fill_copy(&now->fill, &track->fill);
	draw(now, ground, &stretch);
	timeline_track_finish(now, ground);
}
