#ifndef PERFTOP_PLAYBACK_PARTS_H
#define PERFTOP_PLAYBACK_PARTS_H

/* What the files of the playback share: playback.c shows, play.c moves, slider.c draws. */

#include <stdbool.h>
#include <stdint.h>

#include "playback/kept.h"
#include "playback/playback.h"
#include "playback/time.h"

enum {
	PLAYBACK_PARTS = 1024 /* of the overview */
};

struct playback {
	struct engine *engine; /* borrowed */
	const struct playback_ops *ops;
	void *context;
	struct snapshot *frozen;        /* owned; what is shown; NULL: the newest */
	struct metrics *frozen_metrics; /* owned; bound to its layout, since events come and go;
					   NULL: not yet */
	struct history *frozen_history; /* owned; of a copy; NULL: none is kept, or live */
	bool lacks_idle;     /* of what is shown the processes that did not run are gone */
	uint64_t history_ns; /* the copy knows what was up to here */
	struct kept kept;
	bool is_playing;
	bool wants_round;
	bool is_fast;                       /* as fast as it goes, not as it was recorded */
	uint64_t anchor_wall_ns, anchor_ns; /* then this was due */
	uint64_t sought_ns;                 /* searched for; 0: nothing is */
	bool plays_after;                   /* the search */
	bool has_overview;
	bool has_asked;               /* for it */
	double loads[PLAYBACK_PARTS]; /* the overview */
};

void playback_say(struct playback *playback, bool is_error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* End of the interval that is shown; 0: none is. */
uint64_t playback_now_ns(const struct playback *playback);

/* A copy of an interval of the past is shown, or the newest again. */
void playback_show_past(struct playback *playback, const struct kept_interval *kept);
void playback_show_newest(struct playback *playback);

/* What can be walked through. */
struct playback_span playback_span(const struct playback *playback);

/*
 * One line: words, the whole recording as a strip of blocks that are as high as much happens, with
 * a mark where we are, and words again.
 */
struct slider {
	const char *left, *right; /* words; the right ones go first when there is no room */
	const double *loads;      /* how much happens in equal parts of the time */
	size_t load_count;        /* 0: not known */
	double position;          /* where we are, 0 the beginning, 1 the end */
	size_t width;             /* columns of the line */
	bool ascii;
};

struct slider_marks slider_write(const struct slider *slider, struct strbuf *out);

#endif
