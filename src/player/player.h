#ifndef PERFTOP_PLAYER_H
#define PERFTOP_PLAYER_H

/*
 * Time on the screen: a replay that is played, at real speed or faster, stopped, stepped and
 * jumped in; and the last minutes of a live session, which can be walked back in the same way.
 *
 * The intervals that were shown are kept as copies of their snapshots, within a bound of bytes, so
 * that a step back shows what was seen. Before the oldest of them a replay begins anew and runs up
 * to where it is to be; a live session ends there. Their histories are the one history, looked at
 * up to the end of the interval that is shown.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "player/player_slider.h"

struct app;
struct error;
struct snapshot;
struct strbuf;

struct player; /* opaque */

/* past_mib: memory for the intervals that are kept, in MiB. */
struct player *player_create(uint64_t past_mib);
void player_destroy(struct player *player);

/* Whether the keys of time are of use: in a replay, and while the screen is frozen. */
bool player_is_shown(const struct app *app);

/* Nothing goes on on the screen: frozen, or a recording that is stopped. */
bool player_is_still(const struct app *app);

/* An interval has ended: it is kept, unless it is already. */
void player_keep(struct app *app);

/* Intervals that are kept, up to and with the one that is shown: at most `max`, the newest last. */
size_t player_past(const struct app *app, const struct snapshot **past, size_t max);

/* Runs or stops; of a live session: frozen or not. */
void player_toggle(struct app *app);

/* Stops, if it runs; of a live session: freezes it. */
void player_stop(struct app *app);

/* So many intervals on, or back; stops. False: there is nothing there (said on the screen). */
bool player_step(struct app *app, int intervals);

/* "2x", "0.5x", "max", "faster", "slower"; "" the next of the usual ones. */
bool player_set_speed(struct app *app, const char *text, struct error *error);

/* To a time: "+90s", "-10s" from here, "1:30" since the beginning, "12:03:44" of the day, "50%". */
bool player_jump(struct app *app, const char *text, struct error *error);

/*
 * Of a replay, at its timer: shows what is due, for some milliseconds at most. Returns after how
 * many nanoseconds it is to be called again.
 */
uint64_t player_round(struct app *app);

/*
 * The line with the slider over the whole recording and its busiest moments; nothing when live and
 * not frozen. Returns where its strip and its mark are.
 */
struct slider_place player_write_slider(struct app *app, size_t width, struct strbuf *out);

#endif
