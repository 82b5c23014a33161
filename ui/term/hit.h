#ifndef PERFTOP_TERM_HIT_H
#define PERFTOP_TERM_HIT_H

/*
 * What is where on the screen: code that draws something that can be pointed at says so, code that
 * handles a click asks. Areas that were marked later lie over those that were marked before.
 */

#include <stddef.h>
#include <stdint.h>

enum hit_kind {
	HIT_NOTHING,
	HIT_ROW,    /* index: of the table's row */
	HIT_TITLE,  /* index: of the table's column */
	HIT_TAB,    /* index: of the view */
	HIT_KEY,    /* index: the key that is there (ui/key.h) */
	HIT_CHOICE, /* index: of the item of a list to choose from */
	HIT_LINE,   /* index: of the browser's line */
	HIT_SLIDER, /* column: the part of all the time */
	HIT_CELL    /* index: of the time line's strip; column: the cell in it */
};

struct hit_area {
	int x, y, width, height;
	enum hit_kind kind;
	size_t first; /* index at its first line; each line below has one more */
};

/* An empty one is {0}. */
struct hit_map {
	struct hit_area *areas; /* owned */
	size_t count, capacity;
};

struct hit {
	enum hit_kind kind;
	size_t index;
	int column, columns; /* within the area, and how many it has */
};

void hit_map_fini(struct hit_map *map);
void hit_map_clear(struct hit_map *map);

/* Areas without a column or a line are left out. */
void hit_map_add(struct hit_map *map, const struct hit_area *area);

struct hit hit_map_find(const struct hit_map *map, int x, int y);

#endif
