#ifndef PERFTOP_WIDGET_METERS_H
#define PERFTOP_WIDGET_METERS_H

/* The line of the machine's meters: a number each, and how it has been lately. */

struct head;
struct screen;

void meters_draw(struct screen *screen, const struct head *head, int y);

#endif
