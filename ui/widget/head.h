#ifndef PERFTOP_WIDGET_HEAD_H
#define PERFTOP_WIDGET_HEAD_H

/*
 * What is above the tabs: one line of scope and exactness, the machine's meters, a number each and
 * how it has been lately, and sentences about what is missing. Where there is room the meters are a
 * block of lines, with a graph of how the CPUs were used (head_block.c); elsewhere they are a line.
 */

#include <stdint.h>

struct meter_history;
struct screen;
struct summary;

/* In the order of the setting head. */
enum head_form {
	HEAD_FULL,
	HEAD_LINE,
	HEAD_NONE
};

struct head {
	enum head_form form;
	const struct summary
		*summary; /* NULL: nothing measured yet, only the first line is drawn */
	/* in place of the tasks behind the meters, as many as have room; NULL or "": none */
	const char *activity, *history;
	const struct meter_history *meters; /* NULL: no sparklines */
	uint64_t time_ns;                   /* they end here */
};

void head_draw(struct screen *screen, const struct head *head, int y);

/* Lines that the meters want on a screen of this size, at least 1; no more where it is not known
 * how busy the CPUs were. */
int meters_lines(const struct head *head, int width, int height);

/* In so many lines: fewer than are wanted are one. */
void meters_draw(struct screen *screen, const struct head *head, int y, int lines);

/* Lines that all sentences would take. */
int head_notes_lines(const struct head *head, int width);

/* Draws them in `lines` lines; what has no room is cut. */
void head_draw_notes(struct screen *screen, const struct head *head, int y, int lines);

#endif
