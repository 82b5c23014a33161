#ifndef PERFTOP_WIDGET_MENU_H
#define PERFTOP_WIDGET_MENU_H

/* Lists to choose from, over the table. */

#include <stddef.h>
#include <stdint.h>

#include "widget/cursor.h"

struct frame_key;
struct screen;

enum {
	MENU_NAME_MAX = 16,
	PICKER_TYPED_MAX = 24
};

struct menu_line {
	const char *mark;   /* before the name: "", or one column */
	const char *name;   /* cut at MENU_NAME_MAX columns */
	const char *detail; /* cut at the panel's end */
};

struct menu_content {
	const char *heading;
	const struct menu_line *lines;
	size_t count;
	size_t selected;     /* of the lines */
	const char *nothing; /* where there are no lines: why */
	const struct frame_key *keys;
	size_t key_count;
};

/*
 * A panel over the lower left part of the screen: a heading, and lines of which one is chosen.
 * Where there are more than have room, those around the chosen one are shown. It leaves the message
 * line free; its lines are HIT_CHOICE by their number; the keys are in the last one.
 */
void menu_draw(struct screen *screen, const struct menu_content *menu);

/*
 * A list that covers the left of the table: arrows and page keys move, typing goes to what begins
 * so, Enter chooses, Escape leaves.
 */
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
void picker_draw(struct picker *picker, struct screen *screen, int y, int lines);

#endif
