#ifndef PERFTOP_VIEW_FLAME_H
#define PERFTOP_VIEW_FLAME_H

/*
 * A flame graph out of the rows of a tree of callees: a frame for each call, below the one that
 * called it and as wide as its share of all, or of the one that is zoomed into. What is narrower
 * than a column has no frame.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct view_table;

/* The row above all rows. */
#define FLAME_ALL SIZE_MAX

struct flame_frame {
	size_t row;     /* of the table */
	uint32_t depth; /* below the zoomed one, which has 0; without one, those at the top have */
	int begin, end; /* columns; the end is behind the last */
};

/* An empty one is {0}. Memory is kept until it is freed. */
struct flame {
	struct flame_frame *frames; /* owned; in the order of the rows */
	size_t count, capacity;
	uint32_t depth;              /* how many lines the frames take */
	size_t zoom;                 /* row that is zoomed into; FLAME_ALL */
	size_t row_end;              /* behind the rows that are under it */
	uint64_t weight, all_weight; /* of what is zoomed into, and of all */
	/* private: */
	uint64_t *next; /* owned; of each depth where the next frame begins, in weight */
	size_t next_capacity;
};

void flame_fini(struct flame *flame);

/* zoom: a row of the table, or FLAME_ALL. */
void flame_make(struct flame *flame, const struct view_table *table, size_t zoom, int columns);

/* The frame of a row, or of the nearest before it that has one; the count of frames: none. */
size_t flame_find(const struct flame *flame, size_t row);

enum flame_step {
	FLAME_LEFT, /* to the frame beside it in its line */
	FLAME_RIGHT,
	FLAME_UP,  /* to the one that called it */
	FLAME_DOWN /* to the widest that it called */
};

/* From a frame to another; the same where there is none. */
size_t flame_step(const struct flame *flame, size_t frame, enum flame_step step);

/* The row that called this one; FLAME_ALL: it is at the top. */
size_t flame_caller(const struct view_table *table, size_t row);

/*
 * The weight of the marked rows with all that they called, each counted once. marks: one per row.
 */
uint64_t flame_marked_weight(const struct view_table *table, const bool *marks);

#endif
