#ifndef PERFTOP_VIEW_TIMELINE_MAKER_H
#define PERFTOP_VIEW_TIMELINE_MAKER_H

/*
 * Fills the cells of a timeline from the entries of a history, and remembers where it stopped, so
 * that the next pass can continue from there.
 */

#include <stdbool.h>
#include <stddef.h>

struct timeline;
struct timeline_cell;
struct timeline_input;
struct timeline_maker; /* opaque */

/* Cells in which nothing is known. */
void timeline_cells_clear(struct timeline_cell *cells, size_t count);

/* The timeline has its times and strips, and no cell of it is filled. Both stay for the life. */
struct timeline_maker *timeline_maker_create(const struct timeline *timeline,
					     const struct timeline_input *input);
void timeline_maker_destroy(struct timeline_maker *maker); /* NULL is allowed */

/* Whether what was filled last is what the input begins with. The timeline has the new times. */
bool timeline_maker_can_go_on(const struct timeline_maker *maker,
			      const struct timeline_input *input);

void timeline_maker_fill(struct timeline_maker *maker);

#endif
