#ifndef PERFTOP_VIEW_TIMELINE_CELL_H
#define PERFTOP_VIEW_TIMELINE_CELL_H

/* A cell of a time line while it is filled: how much of it each actor had, and what all tasks
 * counted. */

#include <stddef.h>
#include <stdint.h>

struct metrics;
struct timeline_cell;

/* What an actor had of a cell. */
struct cell_piece {
	uint64_t actor, ns;
	uint64_t sequence, longest_ns; /* of its longest slice here */
};

struct cell_fill {
	struct cell_piece *pieces; /* owned; one of each actor */
	size_t count, capacity;
	size_t latest;       /* the piece that was added to */
	uint32_t *slots;     /* owned; piece + 1 by a hash of its actor, 0: free */
	size_t slot_count;   /* a power of two, more than twice the pieces */
	uint64_t *counts;    /* owned; of all tasks */
	uint64_t *share;     /* owned; of a part of a slice */
	size_t width;        /* of the two */
	uint64_t task_ns;    /* all tasks */
	uint64_t counted_ns; /* of that: with counts */
	uint64_t idle_ns, unknown_ns;
};

/* How a cell is rated: by a metric of its tasks. */
struct cell_rating {
	const struct metrics *metrics;
	int metric; /* -1: not at all */
	uint64_t cell_ns;
};

/* Cells in which nothing is known. */
void timeline_cells_clear(struct timeline_cell *cells, size_t count);

void cell_fill_init(struct cell_fill *fill, size_t width);
void cell_fill_fini(struct cell_fill *fill);
void cell_fill_clear(struct cell_fill *fill);

/* Both have counts of the same width. */
void cell_fill_copy(struct cell_fill *fill, const struct cell_fill *other);

void cell_fill_add(struct cell_fill *fill, uint64_t actor, uint64_t sequence, uint64_t ns);

/* Of a task's slice that lasts whole_ns and has these counts, `width` of them, ns are in the cell.
 */
void cell_fill_add_counts(struct cell_fill *fill, const uint64_t *counts, size_t width, uint64_t ns,
			  uint64_t whole_ns);

/* Writes the cell, unless nothing was added, and empties the fill for the next. */
void cell_fill_finish(struct cell_fill *fill, struct timeline_cell *cell,
		      const struct cell_rating *rating);

#endif
