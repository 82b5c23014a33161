#ifndef PERFTOP_WIDGET_HEAD_H
#define PERFTOP_WIDGET_HEAD_H

/*
 * What is above the tabs: one line of scope and exactness, one of the machine's meters, a number
 * each and how it has been lately, and sentences about what is missing.
 */

#include <stdint.h>

struct meter_history;
struct screen;
struct summary;

struct head {
	const struct summary
		*summary; /* NULL: nothing measured yet, only the first line is drawn */
	/* in place of the tasks behind the meters, as many as have room; NULL or "": none */
	const char *activity, *history;
	const struct meter_history *meters; /* NULL: no sparklines */
	uint64_t time_ns;                   /* they end here */
};

void head_draw(struct screen *screen, const struct head *head, int y);

void meters_draw(struct screen *screen, const struct head *head, int y);

/* Lines that all sentences would take. */
int head_notes_lines(const struct head *head, int width);

/* Draws them in `lines` lines; what has no room is cut. */
void head_draw_notes(struct screen *screen, const struct head *head, int y, int lines);

#endif
