#ifndef PERFTOP_WIDGET_GRAPH_H
#define PERFTOP_WIDGET_GRAPH_H

/*
 * Numbers as pictures. Of how busy CPUs were the kernel's part has a colour of its own.
 */

#include <stdint.h>

#include "view/meters.h"

#include "term/screen.h"

/*
 * How busy CPUs were up to that time: a column of dots for each interval, the newest at the right
 * end, the kernel's part below.
 */
void graph_draw(struct screen *screen, int y, int columns, int lines,
		const struct meter_history *history, uint64_t time_ns);

/* The intervals of one of the meters, in one line. */
void graph_draw_spark(struct screen *screen, int x, int y, int columns, enum meter_kind kind,
		      const struct meter_history *history, uint64_t time_ns);

/*
 * A bar of pct, with its last part, system_pct (NaN: none), in the kernel's style, on a line as
 * long as 100. NaN: nothing.
 */
void graph_draw_bar(struct screen *screen, int x, int y, int columns, double pct, double system_pct,
		    enum style style);

/* The last part of a bar of pct that is drawn, in the kernel's style; NaN: none. */
void graph_mark_system(struct screen *screen, int x, int y, int columns, double pct,
		       double system_pct);

#endif
