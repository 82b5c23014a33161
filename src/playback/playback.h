#ifndef PERFTOP_PLAYBACK_H
#define PERFTOP_PLAYBACK_H

/*
 * Which interval is shown: the newest one, a frozen copy of it, or one of the past, of a replay
 * that is played, as it was recorded or as fast as it goes, stopped, stepped and jumped in, and of
 * the last minutes of a live session, which can be walked back in the same way.
 *
 * The intervals that were shown are kept as copies of their snapshots, within a bound of bytes, so
 * that a step back shows what was seen. Before the oldest of them a replay begins anew and runs up
 * to where it is to be; a live session ends there. Their histories are the one history, looked at
 * up to the end of the interval that is shown.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct engine;
struct error;
struct history;
struct metrics;
struct playback; /* opaque */
struct snapshot;
struct strbuf;

/* Where the strip of the slider is, in columns. */
struct slider_marks {
	int mark;         /* -1: there is no room for a strip */
	int first, cells; /* of the strip */
};

/* What is to be made anew. */
enum playback_change {
	PLAYBACK_DRAWING, /* the words on the screen */
	PLAYBACK_ROWS,    /* the rows: those of the next interval */
	PLAYBACK_LEAP     /* the rows, which need not follow those before */
};

/* What its user does for it. */
struct playback_ops {
	/* A sentence for the user; "": what was said is out of date. */
	void (*say)(void *context, bool is_error, const char *text);
	/* The name of the key that runs a command. */
	const char *(*key)(void *context, const char *command);
	void (*changed)(void *context, enum playback_change change);
	void (*advanced)(void *context); /* a replay, by an interval */
	void (*rewound)(void *context);  /* a replay, to its beginning */
	void (*resumed)(void *context);  /* it moves with the time again */
	void (*renewed)(void *context);  /* what is counted is something else from now on */
};

/* past_mib: memory for the intervals that are kept, in MiB. All but that is borrowed. */
struct playback *playback_create(struct engine *engine, uint64_t past_mib,
				 const struct playback_ops *ops, void *context);
void playback_destroy(struct playback *playback);

/* The engine has another model, with no past: what was kept is forgotten. Not while frozen. */
void playback_renew(struct playback *playback);

/* --- what is shown; borrowed, good until the next interval or call below */

/* NULL: no interval has ended yet. */
const struct snapshot *playback_snapshot(const struct playback *playback);

/* Metrics bound to its layout. */
const struct metrics *playback_metrics(struct playback *playback);

/* Metrics were added or changed. */
void playback_rebind_metrics(struct playback *playback);

/* The history up to there; NULL: none is kept. */
const struct history *playback_history(const struct playback *playback);

/* The stretch of record time that the history knows; false: it is empty. */
struct playback_reach {
	uint64_t oldest_ns, newest_ns;
};
bool playback_reach(const struct playback *playback, struct playback_reach *reach);

/* A copy is shown, not what is newest. */
bool playback_is_frozen(const struct playback *playback);

/* Of the interval that is shown the processes that did not run were not kept. */
bool playback_lacks_idle(const struct playback *playback);

/* Nothing moves on the screen: frozen, or a recording that is stopped. */
bool playback_is_still(const struct playback *playback);

/* The keys of time are of use: in a replay, and while frozen. */
bool playback_has_keys(const struct playback *playback);

/* Intervals that are kept, up to and with the one that is shown: at most `max`, the newest last. */
size_t playback_past(const struct playback *playback, const struct snapshot **past, size_t max);

/* The last that are kept and ended before a time: at most `max`, the newest last. */
size_t playback_before(const struct playback *playback, uint64_t before_ns,
		       const struct snapshot **past, size_t max);

/*
 * The line with the slider over the whole recording and its busiest moments; nothing when live and
 * not frozen. Returns where its strip and its mark are.
 */
struct slider_marks playback_write_slider(struct playback *playback, size_t width, bool ascii,
					  struct strbuf *out);

/* --- what moves it */

/* An interval has ended: it is kept, unless it is already. has_idle: with processes that did not
 * run.
 */
void playback_keep(struct playback *playback, bool has_idle);

/* Shows a copy of the newest interval from now on, or the newest again. */
void playback_freeze(struct playback *playback, bool frozen);

/* Runs or stops; of a live session: frozen or not. */
void playback_toggle(struct playback *playback);

/* Stops, if it runs; of a live session: freezes it. */
void playback_stop(struct playback *playback);

/* So many intervals on, or back; stops. False: there is nothing there (reported to the user). */
bool playback_step(struct playback *playback, int intervals);

/* "recorded", or "max": as fast as it goes; "": the other one. */
bool playback_set_speed(struct playback *playback, const char *text, struct error *error);

/* To a time: "+90s", "-10s" from here, "1:30" since the beginning, "12:03:44" of the day, "50%". */
bool playback_jump(struct playback *playback, const char *text, struct error *error);

/*
 * Of a replay, at its timer: shows what is due, for some milliseconds at most. Returns after how
 * many nanoseconds it is to be called again.
 */
uint64_t playback_round(struct playback *playback);

/* A round is due at once, whatever the last one returned. */
bool playback_wants_round(const struct playback *playback);

#endif
