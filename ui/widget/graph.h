#ifndef PERFTOP_WIDGET_GRAPH_H
#define PERFTOP_WIDGET_GRAPH_H

/*
 * How busy CPUs were, over time: a column of dots for each interval, the newest at the right end.
 * The lower ones are the kernel's part.
 */

#include <stdint.h>

#include "view/meters.h"

struct screen;

/* The intervals up to that time, in so many columns and lines. */
void graph_draw(struct screen *screen, int x, int y, int columns, int lines,
		const struct meter_history *history, uint64_t time_ns);

/* The intervals of one of the meters, in one line. */
void graph_draw_spark(struct screen *screen, int x, int y, int columns, enum meter_kind kind,
		      const struct meter_history *history, uint64_t time_ns);

#endif
