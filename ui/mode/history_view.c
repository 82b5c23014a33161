#include "mode/history_view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "model/history.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/target_pids.h"
#include "view/pairs.h"
#include "view/sample_scope.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/command.h"
#include "playback/time.h"

enum {
	DIGITS_MAX = 32
};

/* What rows are made of at first. */
static const uint64_t USUAL_WINDOW_NS = 10ull * NS_PER_S;

static const uint64_t windows[] = {HISTORY_VIEW_INTERVAL, 10ull * NS_PER_S, 60ull * NS_PER_S, 0};

enum {
	WINDOW_COUNT = sizeof(windows) / sizeof(*windows)
};

void history_view_use_defaults(struct view_request *request)
{
	request->window_ns = USUAL_WINDOW_NS;
	request->by = BY_TASK;
}

static struct history_view *past_of(const struct app *app)
{
	return app->parts[PART_history_view];
}

void history_view_need_scheduler(struct app *app, struct error *error)
{
	const struct session *session;

	if (past_of(app)->has_asked)
		return;
	past_of(app)->has_asked = true;
	app->needs_build = true;
	if (!engine_need_scheduler(app->engine, error))
		return;
	session = engine_session(app->engine);
	if (session->queue != QUEUE_WAKEUPS && session->queue_words[0] != '\0')
		app_say(app, false, "%s", session->queue_words);
}

void history_view_say_lacks(struct app *app, unsigned int needs)
{
	const char *parallelism = app_lacks_parallelism(app);
	const unsigned int news =
		needs & ~past_of(app)->said_lacks & (COLUMN_NEEDS_STATES | COLUMN_NEEDS_LATENCY);
	const char *reason = news & COLUMN_NEEDS_STATES
				     ? session_states_reason(engine_session(app->engine))
				     : "";

	past_of(app)->said_lacks |= news;
	if (reason[0] == '\0' && news & COLUMN_NEEDS_LATENCY && parallelism)
		reason = parallelism;
	if (reason[0] != '\0')
		app_say(app, false, "%s", reason);
}

static bool parse_window(const char *text, uint64_t *window_ns)
{
	double seconds;

	if (!playback_time_parse_amount(text, &seconds) || seconds * NS_PER_S < 1)
		return false;
	*window_ns = (uint64_t)(seconds * NS_PER_S);
	return true;
}

static uint64_t next_window(uint64_t window_ns)
{
	for (size_t i = 0; i < WINDOW_COUNT; i++)
		if (windows[i] == window_ns)
			return windows[(i + 1) % WINDOW_COUNT];
	return windows[0];
}

/* "the last interval", "10 s", "all of the history" */
static void write_window(uint64_t window_ns, char *text, size_t size)
{
	if (window_ns == HISTORY_VIEW_INTERVAL)
		snprintf(text, size, "the last interval");
	else if (window_ns == 0)
		snprintf(text, size, "all of the history");
	else
		snprintf(text, size, "%g s", (double)window_ns / NS_PER_S);
}

bool history_view_set_window(struct app *app, const char *text, struct error *error)
{
	uint64_t *window_ns = &app->request.window_ns;
	char words[DIGITS_MAX];

	if (text[0] == '\0')
		*window_ns = next_window(*window_ns);
	else if (strcmp(text, "interval") == 0)
		*window_ns = HISTORY_VIEW_INTERVAL;
	else if (strcmp(text, "all") == 0)
		*window_ns = 0;
	else if (!parse_window(text, window_ns))
		return error_set(error, ERROR_NUMBER_BAD, text,
				 "a window is interval, all, or a time: 10s, 2m, 1h");
	write_window(*window_ns, words, sizeof(words));
	app_say(app, false, "window of pairs, histogram and functions: %s", words);
	app->needs_build = true;
	return true;
}

void history_view_write_window(const struct app *app, struct strbuf *out)
{
	const uint64_t window_ns = app->request.window_ns;

	if (window_ns == HISTORY_VIEW_INTERVAL)
		strbuf_add(out, "window interval\n");
	else if (window_ns == 0)
		strbuf_add(out, "window all\n");
	else if (window_ns != USUAL_WINDOW_NS)
		strbuf_printf(out, "window %.9gs\n", (double)window_ns / NS_PER_S);
}

void history_view_write_by(const struct app *app, struct strbuf *out)
{
	if (app->request.by != BY_TASK)
		strbuf_printf(out, "by %s\n", pairs_by_names[app->request.by]);
}

bool history_view_set_by(struct app *app, const char *text, struct error *error)
{
	enum view_by by = BY_TASK;

	if (text[0] == '\0')
		by = app->request.by < BY_CONTAINER ? app->request.by + 1 : BY_TASK;
	else
		while (by <= BY_CONTAINER && strcmp(pairs_by_names[by], text) != 0)
			by++;
	if (by > BY_CONTAINER)
		return error_set(error, ERROR_COMMAND_USAGE, "by task|name|cpu|container", NULL);
	app->request.by = by;
	app_say(app, false, "pairs by %s", pairs_by_names[by]);
	app->needs_build = true;
	return true;
}

void history_view_forget_lines(struct app *app)
{
	past_of(app)->has_newest = false;
	past_of(app)->new_lines = 0;
	past_of(app)->left_out = 0;
}

static bool is_log(const struct app *app)
{
	return app->views[app->view].info->is_log;
}

bool history_view_leaves_lines_out(struct app *app)
{
	struct history_view *past = past_of(app);
	const struct history *history = engine_history(app->engine);

	if (!is_log(app) || playback_is_frozen(app->playback) ||
	    engine_shed_level(app->engine) < SHED_LINES || !history || !past->has_newest)
		return false;
	past->left_out = history_settled(history) - past->seen_to;
	return true;
}

void history_view_lines_are_shown(struct app *app)
{
	const struct history *history = engine_history(app->engine);

	past_of(app)->left_out = 0;
	past_of(app)->seen_to = history ? history_settled(history) : 0;
}

void history_view_count_lines(struct app *app)
{
	struct history_view *past = past_of(app);
	const size_t count = view_table_row_count(app->table);

	if (!is_log(app) || playback_is_frozen(app->playback))
		return;
	past->new_lines = past->has_newest ? count - list_place(app->table, past->newest + 1) : 0;
	if (count > 0) {
		past->newest = view_table_row(app->table, count - 1)->id;
		past->has_newest = true;
	}
}

/* Digits in groups of three: 18 190. */
static void add_grouped_number(struct strbuf *out, uint64_t number)
{
	char digits[DIGITS_MAX];
	const int length = snprintf(digits, sizeof(digits), "%" PRIu64, number);

	for (int i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			strbuf_add_char(out, ' ');
		strbuf_add_char(out, digits[i]);
	}
}

static void write_lines(const struct app *app, struct strbuf *out)
{
	const struct list *list = &app->lists[app->view];
	const uint64_t lines = past_of(app)->new_lines;

	if (!list_is_following(list) || list->page == 0 || lines <= list->page)
		return;
	add_grouped_number(out, lines - list->page);
	strbuf_add(out, " of ");
	add_grouped_number(out, lines);
	strbuf_add(out, " new lines not shown  ");
}

/* Of functions: in intervals before their view was shown no samples were taken. */
static uint64_t samples_reach(const struct app *app)
{
	const struct snapshot *intervals[SAMPLE_INTERVALS_MAX];
	const struct view_request request = app_request(app);
	uint64_t reach_ns = 0;
	size_t count;

	count = sample_scope_intervals(&request, app_snapshot(app), intervals);
	for (size_t i = 0; i < count; i++)
		reach_ns += intervals[i]->profile ? intervals[i]->interval_ns : 0;
	return reach_ns;
}

/* How much of the time before what is shown the rows can be about; 0: there are none. */
static uint64_t window_reach(const struct app *app, const struct view_info *info)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct playback_reach reach;

	if (view_is_of_samples(info))
		return snapshot ? samples_reach(app) : 0;
	if (!playback_reach(app->playback, &reach))
		return 0;
	if (info->needs & COLUMN_NEEDS_STATES && snapshot &&
	    snapshot->states_since_ns > reach.oldest_ns)
		reach.oldest_ns = snapshot->states_since_ns;
	return reach.newest_ns > reach.oldest_ns ? reach.newest_ns - reach.oldest_ns : 0;
}

/* "10 s", or "4 of 10 s" where no more is kept or was taken. */
static void write_history_reach(const struct app *app, const struct view_info *info,
				struct strbuf *out)
{
	const uint64_t window_ns = app->request.window_ns;
	const bool is_time = window_ns != HISTORY_VIEW_INTERVAL && window_ns > 0;
	const uint64_t reach_ns = is_time ? window_reach(app, info) : 0;
	char window[DIGITS_MAX];

	/* intervals do not end to the nanosecond */
	if (reach_ns > 0 && reach_ns < window_ns - window_ns / 20)
		strbuf_printf(out, "%.*f of ", reach_ns < NS_PER_S ? 1 : 0,
			      (double)reach_ns / NS_PER_S);
	write_window(window_ns, window, sizeof(window));
	strbuf_printf(out, "%s  ", window);
}

void history_view_write_filters(const struct app *app, struct strbuf *out)
{
	const struct view_info *info = app->views[app->view].info;

	if (is_log(app) && !playback_is_frozen(app->playback))
		write_lines(app, out);
	if (!info->has_window)
		return;
	write_history_reach(app, info, out);
}

static void add_span(struct strbuf *out, uint64_t ns)
{
	const double seconds = (double)ns / NS_PER_S;

	if (seconds < 1)
		strbuf_printf(out, "%.1f s", seconds);
	else if (seconds < 120)
		strbuf_printf(out, "%.0f s", seconds);
	else if (seconds < 7200)
		strbuf_printf(out, "%.0f min", seconds / 60);
	else
		strbuf_printf(out, "%.0f h", seconds / 3600);
}

const char *history_view_lack(const struct app *app)
{
	const struct history *history = playback_history(app->playback);

	if (!history)
		return "no history is kept (--history 0)";
	if (history_settled(history) != history_first(history))
		return NULL;
	return engine_lacks_switches(app->engine) ? engine_lacks_switches(app->engine)
						  : "no switch has been seen yet";
}

const char *history_view_nothing(const struct app *app)
{
	const struct session *session = engine_session(app->engine);

	if (!app->views[app->view].info->needs_history)
		return NULL;
	if (history_view_lack(app))
		return history_view_lack(app);
	if (app->views[app->view].info->kind == ROW_PAIR && session_wait_reason(session)[0] != '\0')
		return session_wait_reason(session);
	if (app->filter.length > 0 && !view_table_filter_unsupported(app->table))
		return "nothing in the history passes the filter";
	if (app->views[app->view].info->needs & COLUMN_NEEDS_WAKEUPS &&
	    session->queue != QUEUE_WAKEUPS && session->queue_words[0] != '\0')
		return session->queue_words;
	return NULL;
}

void history_view_write_history(const struct app *app, struct strbuf *out)
{
	const struct history *history = playback_history(app->playback);
	char count[UNITS_TEXT_MAX];
	uint64_t first, end;

	if (!app->views[app->view].info->needs_history || !history)
		return;
	first = history_first(history);
	end = history_settled(history);
	if (end - first < 1000)
		snprintf(count, sizeof(count), "%" PRIu64, end - first);
	else
		units_format_si(count, (double)(end - first));
	strbuf_printf(out, "history %s", count);
	if (end == first)
		return;
	strbuf_add(out, " (");
	add_span(out, history_number(history, end - 1, HISTORY_TIME_NS) -
			      history_number(history, first, HISTORY_TIME_NS));
	if (history_bytes(history) < 1000000)
		strbuf_add(out, ", <1 MB)");
	else
		strbuf_printf(out, ", %.0f MB)", (double)history_bytes(history) / 1e6);
}

bool history_view_write_left_out(const struct app *app, struct strbuf *out)
{
	if (past_of(app)->left_out == 0)
		return false;
	add_grouped_number(out, past_of(app)->left_out);
	strbuf_add(out, " new lines dropped: records come faster than they can be shown");
	return true;
}

const struct app_part part_history_view = {.bytes = sizeof(struct history_view)};
