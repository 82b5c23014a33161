#ifndef PERFTOP_WIDGET_MENU_H
#define PERFTOP_WIDGET_MENU_H

/*
 * A panel over the lower left part of the screen: a heading, and lines of which one is chosen.
 * Where there are more than have room, those around the chosen one are shown.
 */

#include <stdbool.h>
#include <stddef.h>

struct frame_key;
struct screen;

struct menu_line {
	const char *mark;   /* before the name: "", or one column */
	const char *name;   /* cut at MENU_NAME_MAX columns */
	const char *detail; /* cut at the panel's end */
};

struct menu_picture {
	const char *heading;
	const struct menu_line *lines;
	size_t count;
	size_t chosen;       /* of the lines */
	const char *nothing; /* where there are no lines: why */
	const struct frame_key *keys;
	size_t key_count;
};

enum {
	MENU_NAME_MAX = 16
};

/* Leaves the message line free; its lines are HIT_CHOICE by their number; the keys are in the last
 * one. */
void menu_draw(struct screen *screen, const struct menu_picture *menu, bool ascii);

#endif
