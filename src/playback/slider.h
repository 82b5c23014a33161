#ifndef PERFTOP_PLAYER_SLIDER_H
#define PERFTOP_PLAYER_SLIDER_H

/*
 * One line: words, the whole recording as a strip of blocks that are as high as much happens, with
 * a mark where we are, and words again.
 */

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct slider {
	const char *left, *right; /* words; the right ones go first when there is no room */
	const double *loads;      /* how much happens in equal parts of the time */
	size_t load_count;        /* 0: not known */
	double place;             /* where we are, 0 the beginning, 1 the end */
	size_t width;             /* columns of the line */
	bool ascii;
};

/* Where its strip is, in columns. */
struct slider_place {
	int mark;         /* -1: there is no room for a strip */
	int first, cells; /* of the strip */
};

struct slider_place slider_write(const struct slider *slider, struct strbuf *out);

#endif
