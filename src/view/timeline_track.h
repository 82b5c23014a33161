#ifndef PERFTOP_VIEW_TIMELINE_LANE_H
#define PERFTOP_VIEW_TIMELINE_LANE_H

/*
 * A CPU's strip of a time line while its cells are filled, one after the other: what ran in a cell
 * is summed by actor until the cell is finished, and then only whoever ran longest is remembered. A
 * slice covers the time from the CPU's switch before to its own.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "view/timeline_cell.h"

struct timeline;

/* What all tracks of a time line draw on, and with. */
struct track_ground {
	const struct timeline *timeline;
	struct cell_rating rating;
	size_t width; /* of counts, the history's */
};

struct timeline_track {
	bool has_last, is_done;
	uint64_t last_ns;            /* the last switch so far */
	uint64_t last, came;         /* entry UINT64_MAX: none since `came` was looked up */
	size_t cell;                 /* being filled */
	uint64_t cell_end_ns;        /* of that */
	uint64_t until_ns;           /* nothing is drawn from here on */
	struct timeline_cell *cells; /* of the strip */
	struct cell_fill fill;
};

/* A switch of the track's CPU, and the slice it ends. */
struct timeline_entry {
	uint64_t number; /* in the history */
	uint64_t time_ns, slice_ns;
	uint64_t left;          /* actor */
	const uint64_t *counts; /* NULL: not known, or not asked for */
};

/* The cell at a time that is not before the first. */
size_t timeline_cell_at(const struct timeline *timeline, uint64_t time_ns);

/* width: of the counts that a cell has at the most. */
void timeline_track_init(struct timeline_track *track, const struct timeline *timeline,
			 size_t strip, size_t width);
void timeline_track_fini(struct timeline_track *track);

/* Before the first cell, with nothing known. */
void timeline_track_reset(struct timeline_track *track, const struct timeline *timeline);

/*
 * The time line begins so many cells later: those that are finished go to their new places, the
 * others are nothing yet.
 */
void timeline_track_move(struct timeline_track *track, const struct timeline *timeline, size_t by);

/* Draws the next slice. */
void timeline_track_add(struct timeline_track *track, const struct track_ground *ground,
			const struct timeline_entry *entry);

/* Writes the cell that is being filled. */
void timeline_track_finish(struct timeline_track *track, const struct track_ground *ground);

/*
 * The task that came last runs on up to this time: drawn and written in the track's cells by `now`,
 * while the track itself stays where it is.
 */
void timeline_track_run_on(struct timeline_track *now, const struct timeline_track *track,
			   const struct track_ground *ground, uint64_t to_ns);

#endif
