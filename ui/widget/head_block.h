#ifndef PERFTOP_WIDGET_HEAD_BLOCK_H
#define PERFTOP_WIDGET_HEAD_BLOCK_H

/*
 * The meters as a block of lines: how the CPUs were used, over time; the machine's numbers, each
 * with how it has been lately; load, memory and swap. Each is in a column of its own, so that
 * nothing moves.
 */

struct head;
struct screen;

enum {
	HEAD_BLOCK_WIDTH = 72, /* least columns */
	HEAD_BLOCK_LINES = 3   /* least lines */
};

void head_block_draw(struct screen *screen, const struct head *head, int y, int lines);

#endif
