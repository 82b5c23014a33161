#ifndef PERFTOP_HISTORY_VIEW_H
#define PERFTOP_HISTORY_VIEW_H

/*
 * The history on the screen: how much of it is shown, and what is said about it.
 */

#include <stdbool.h>
#include <stdint.h>

#include "view/table.h"

struct app;
struct error;
struct strbuf;

/* A window that is as long as the interval that is shown. */
#define HISTORY_VIEW_INTERVAL UINT64_MAX

struct history_view {
	/* lines of the log, since the refresh before the last one */
	bool has_newest;
	uint64_t newest;         /* id of the last row */
	uint64_t new_lines;      /* that came behind the one that was newest before */
	uint64_t seen_to;        /* entries of the history that were there then */
	uint64_t left_out;       /* of refreshes that did not take place, since we are behind */
	bool has_asked;          /* for the scheduler's records */
	unsigned int said_lacks; /* COLUMN_NEEDS_...: why these are unknown, if they are */
};

/* Window and parties as at first. */
void history_view_use_defaults(struct view_request *request);

/* Asks for the scheduler's records once, where what is shown needs them, and says what is known
 * without them. */
void history_view_need_scheduler(struct app *app, struct error *error);

/* Says once why the states of threads, or how many run at once, are unknown, if they are. */
void history_view_say_lacks(struct app *app, unsigned int needs);

/* "task", "name", "cpu"; "" goes to the next of them. */
bool history_view_set_by(struct app *app, const char *text, struct error *error);

/* Both as lines of a configuration; nothing where they are as at first. */
void history_view_write_window(const struct app *app, struct strbuf *out);
void history_view_write_by(const struct app *app, struct strbuf *out);

/*
 * At a refresh: whether the log's lines are left out this time, since records come faster than
 * they can be taken. If so it counts them.
 */
bool history_view_leaves_lines_out(struct app *app);

/* The log was built: nothing is left out of it. */
void history_view_lines_are_shown(struct app *app);

/* After it was built at a refresh: counts the lines that came. */
void history_view_count_lines(struct app *app);

/* Another view is shown: its lines are other ones. */
void history_view_forget_lines(struct app *app);

/* "18 150 of 18 190 new lines not shown", "4 of 10 s", for the right end of the tabs. */
void history_view_write_filters(const struct app *app, struct strbuf *out);

/* Why no switch is known at all; NULL: some are. */
const char *history_view_lack(const struct app *app);

/* Why a view of the history has no rows, as far as there is a reason; NULL. */
const char *history_view_nothing(const struct app *app);

/* "history 1.00M (55 s, 43 MB)"; nothing where the view does not show it. */
void history_view_write_history(const struct app *app, struct strbuf *out);

/* How many lines of the log were left out; false: none. */
bool history_view_write_left_out(const struct app *app, struct strbuf *out);

#endif
