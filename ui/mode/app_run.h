#ifndef PERFTOP_APP_RUN_H
#define PERFTOP_APP_RUN_H

/*
 * What wakes the program up: records in the rings, keys, signals, the end of an interval. Each is
 * added to the loop when what it needs is there; false, with an error, if it cannot be.
 */

#include <stdbool.h>
#include <stdint.h>

#include "view/table.h"

#include "playback/playback.h"

struct app;
struct engine;
struct error;
struct loop;
struct options;
struct strbuf;

/* What was done at the end of the last round. */
struct rounds {
	struct loop *loop;
	uint64_t ticks; /* intervals that have ended */
	double timer_s; /* delay that the timer has; 0: that of the first interval */
	bool reads_keys;
	int names_fd;   /* of functions, where it is watched; 0 */
	bool has_names; /* that rows do not show yet */
	uint64_t names_shown_ns;
};

/* Whether rows are to be made anew for names of functions that have come since they were. */
bool names_are_due(const struct app *app);

/* An interval may have ended: what is shown of it later is kept. */
void app_keep_interval(struct app *app);

/* What the app does for its playback. */
extern const struct playback_ops app_playback_ops;

/* Everything as it is at first; options and engine are borrowed. */
void app_init(struct app *app, const struct options *options, struct engine *engine);
/* Releases all of it but the loop, the terminal and what is drawn on it. */
void app_fini(struct app *app);

/* The same with an engine of its own. */
struct app *app_create(const struct options *options);
void app_destroy(struct app *app);

/*
 * Opens the engine and has everything ready that is to be counted and shown, before it begins:
 * first the configuration says what, then the options. Appends to the remarks, one a line, what
 * went less well than it could.
 */
bool app_prepare(struct app *app, struct strbuf *remarks, struct error *error);

/* The part of it that is the options'. */
bool app_take_options(struct app *app, struct strbuf *remarks, struct error *error);

/* What the rows need that are asked for, and what those do that begin; bits of enum column_need. */
unsigned int app_needs_of(const struct app *app, const struct view_request *request);
unsigned int app_first_needs(const struct app *app);

/*
 * From now on the engine gives what rows with these needs are made of, and an open page; the
 * interval may end: once. False: something is not available, error says what; a batch run does not
 * show the rows without it.
 */
bool app_need(struct app *app, unsigned int needs, struct error *error);

/* The part of it that is how many threads run at once. */
void app_need_parallelism(struct app *app, unsigned int needs);

/* Why rows of the view have no latency and parallelism; NULL: they may have. */
const char *app_lacks_parallelism(const struct app *app);

/* The part of it that is cgroups and what holds them back. */
void app_need_cgroups(struct app *app, unsigned int needs);

/* Likewise samples, off the CPU those of the tasks that are shown; before the source begins a view
 * has them from the first interval on. */
bool app_need_samples(struct app *app, unsigned int needs, struct error *error);

/* For the batch run; borrowed. */
struct engine *app_engine(const struct app *app);
struct view_table *app_table(const struct app *app);
/* How many recordings are shown, at least 1; and from now on the rows and the engine are those of
 * this one. */
size_t app_hosts(const struct app *app);
void app_show_host(struct app *app, size_t index);
/* What is asked of the rows now. */
struct view_request app_request(const struct app *app);

/* Takes what the kernel has written; context: the app. */
void app_drain(void *context);

/* Runs the screen until the user leaves. Returns the exit status; error is set when it failed. */
int app_run(const struct options *options, struct error *error);

/* From now on signals are handled in the loop; before, they have their usual effect. */
bool app_take_signals(struct app *app, struct error *error);

/*
 * Counting begins, with samples from the first interval on where the view is of them. Intervals end
 * by a clock; those of a replay when their time has come.
 */
bool app_begin_rounds(struct app *app, struct error *error);

#endif
