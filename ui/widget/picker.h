#ifndef PERFTOP_WIDGET_PICKER_H
#define PERFTOP_WIDGET_PICKER_H

/*
 * A list to choose from that covers the left of the table: arrows and page keys move, typing
 * goes to what begins so, Enter chooses, Escape leaves.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct screen;

enum {
	PICKER_TYPED_MAX = 24
};

struct picker_item {
	char number[8];   /* right-aligned before the name; "" none; can be typed, too */
	const char *name; /* "SIGTERM" */
	const char *note; /* what it means; cut where there is no room */
};

struct picker {
	char title[256];
	const char *prefix; /* of names, that need not be typed; NULL: none */
	const struct picker_item *items;
	size_t count;
	struct cursor cursor;
	size_t page;                  /* visible items, as of the last drawing */
	char typed[PICKER_TYPED_MAX]; /* since the cursor was moved otherwise */
};

enum picker_result {
	PICKER_GOES_ON,
	PICKER_DONE,
	PICKER_LEFT
};

enum picker_result picker_key(struct picker *picker, uint32_t key);

/* In `lines` lines from y on; each item can be pointed at (HIT_CHOICE). */
void picker_draw(struct picker *picker, struct screen *screen, int y, int lines, bool ascii);

#endif
