#ifndef PERFTOP_HOSTS_H
#define PERFTOP_HOSTS_H

/*
 * Several recordings at once (-i A -i B), each of a machine: each is replayed by an engine of its
 * own, with its own tasks, CPUs, events and clock. One of them is shown: app->engine, app->playback
 * and what is above the tabs are its, and so are the rows of all views but those that have the rows
 * of all hosts (host_rows.h).
 *
 * With one recording, or live, there is one host, which has no name.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/session.h"

#include "session/options.h"

struct app;
struct engine;
struct error;
struct playback;
struct playback_ops;
struct strbuf;
struct table_member;
struct view_table;

struct host_session {
	char name[SESSION_HOST_MAX]; /* no other has it */
	struct options options;      /* those of the run, with this recording; borrows from them */
	struct engine *engine;
	struct playback *playback;
	struct view_table *table;
	uint64_t intervals; /* that have ended */
	bool is_over;       /* its records came through a pipe, which is closed: it has no rows */
};

struct hosts {
	struct host_session *list;    /* owned, with all but what is the app's of the first */
	size_t count;                 /* 0: there is one, which has no name */
	size_t shown, turn;           /* turn: the one that the app's engine is of now */
	bool is_chosen;               /* by the command: its first row is to be selected */
	struct view_table *joined;    /* owned; the rows of all */
	struct table_member *members; /* owned; of these */
};

struct hosts *hosts_of(const struct app *app);

/* Opens the recordings behind the first one, which is open, and names all of them. */
bool hosts_open(struct app *app, const struct playback_ops *ops, struct error *error);

/* Closes them; the first one is shown then. */
void hosts_close(struct app *app);

/* app->engine and app->playback are those of this one, whichever is shown. */
void hosts_enter(struct app *app, size_t index);

/*
 * Does something for each host in turn, while app->engine and app->playback are its. False: it was
 * for one, and no host comes behind that.
 */
bool hosts_each(struct app *app, bool (*act)(struct app *app, void *context), void *context);

/* The index of the host of that name among the first `count`; count: none is called so. */
size_t hosts_find(const struct hosts *hosts, size_t count, const char *name);

/* Whether the row of app->table is of the host that is shown. */
bool hosts_has_row(const struct app *app, size_t row);

/* Whether app->engine is that of the host that is shown: not while others have their turn. */
bool hosts_is_shown(const struct app *app);

/* Whether the current host's records came through a pipe that is closed. */
bool hosts_is_over(const struct app *app);

/* An interval of the host has ended. Returns of how many intervals most was seen. */
uint64_t hosts_count_interval(struct app *app);

/* The file of the recording that is shown; NULL: it is no recording. */
const char *hosts_recording(const struct app *app);

/* "web1: ", before what is said of it; nothing without several. */
void hosts_write_name(const struct app *app, struct strbuf *out);

#endif
