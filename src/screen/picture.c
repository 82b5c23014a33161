#include "screen/picture.h"

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "base/strbuf.h"
#include "ui/term.h"
#include "view/summary.h"

#include "command/keys.h"
#include "lend.h"
#include "player/player.h"
#include "rows/filters.h"
#include "saving.h"
#include "screen/grouped.h"
#include "screen/past.h"
#include "screen/strips.h"

enum {
	KEYS_MAX = 32,
	ACTIVITY_MAX = 48
};

/* Everything that a frame points to. */
struct picture {
	const char *tabs[APP_VIEWS_MAX], *candidates[APP_CANDIDATES_MAX];
	struct frame_key keys[KEYS_MAX];
	struct summary summary;
	struct strips_words strips;
	struct strbuf filters, history, slider, nothing; /* owned */
	char activity[ACTIVITY_MAX];
};

/* And what became of it, first: a long one is cut. */
static void write_filter(const struct app *app, struct strbuf *out)
{
	const char *unsupported = view_table_filter_unsupported(app->table);
	size_t fault;

	strbuf_add(out, "filter");
	if (unsupported)
		strbuf_printf(out, " (left out: no %s here)", unsupported);
	else if (view_table_filter_fault(app->table, &fault)[0] != '\0')
		strbuf_add(out, " (as text)");
	strbuf_add(out, ": ");
	filters_write(strbuf_text(&app->filter), out, app->ascii);
}

/* What narrows the rows, for the right end of the tab line. */
static void write_filters(const struct app *app, struct strbuf *out)
{
	saving_write(app, out);
	if (app->frozen && !engine_is_replay(&app->engine))
		strbuf_add(out, "frozen  ");
	past_write_filters(app, out);
	grouped_write(app, out);
	if (app->attached.count > 0)
		strbuf_printf(out, "attached: %s  ", app->attached.name);
	if (app->uid >= 0)
		strbuf_printf(out, "user: %lld  ", (long long)app->uid);
	if (app->threads)
		strbuf_add(out, "threads  ");
	if (app->idle_tasks)
		strbuf_add(out, "idle too  ");
	rows_choice_write(app, out);
	if (app->filter.length > 0)
		write_filter(app, out);
}

/* How many of the switches were against the will of who left. */
static void write_activity(const struct app *app, struct picture *picture)
{
	const char *preempted = picture->summary.preempted;

	if (app->views[app->view].info->needs_history && strcmp(preempted, "-") != 0)
		snprintf(picture->activity, ACTIVITY_MAX, "%s preempted", preempted);
}

struct key_line {
	const struct app *app;
	const char *view; /* those that stand in its line */
	bool is_all;      /* also those that stand in all of them */
	bool is_replay;   /* not those that need the present */
};

/* To sort by a column is offered where it is shown. */
static bool is_of_use(const struct app *app, const char *command)
{
	static const char sort[] = "sort ";
	const size_t length = sizeof(sort) - 1;

	if (strncmp(command, sort, length) != 0)
		return true;
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		if (strcmp(view_table_column(app->table, i)->name, command + length) == 0)
			return true;
	return false;
}

static bool has_key(const struct key_line *line, const struct key_binding *binding)
{
	return is_of_use(line->app, binding->command) && (line->is_all || binding->views) &&
	       !(line->is_replay && keys_is_of_present(binding->command)) &&
	       keys_is_labelled(binding, line->view);
}

static size_t key_line(const struct key_line *line, struct frame_key *keys, size_t max)
{
	size_t count, used = 0;
	const struct key_binding *table = keys_now(&line->app->keys, &count);

	for (size_t i = 0; i < count && used < max; i++) {
		if (has_key(line, &table[i]))
			keys[used++] =
				(struct frame_key){.key = table[i].key, .label = table[i].label};
	}
	return used;
}

/* What the next key may be, after the first of two. */
static size_t awaited_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t count, used = 0;
	const struct key_binding *table = keys_now(&app->keys, &count);

	for (size_t i = 0; i < count && used < max; i++) {
		if (keys_is_awaited(&app->keys, &table[i]))
			keys[used++] =
				(struct frame_key){.key = table[i].key, .label = table[i].command};
	}
	return used;
}

/* Those of time come first while they are of use. */
static size_t keys_of_view(const struct app *app, struct frame_key *keys, size_t max)
{
	const struct view_info *info = app->views[app->view].info;
	const bool is_replay = engine_is_replay(&app->engine);
	const struct key_line all = {app, info->name, true, is_replay};
	struct key_line time = {.app = app, .is_replay = is_replay};
	size_t used = 0;

	if (is_replay)
		time.view = info->is_strip ? "replay-line" : "replay";
	else if (app->frozen)
		time.view = info->is_strip ? "frozen-line" : "frozen";
	if (time.view)
		used = key_line(&time, keys, max);
	used += key_line(&all, keys + used, max - used);
	time.view = "replay-more"; /* where there is room */
	return used + (is_replay ? key_line(&time, keys + used, max - used) : 0);
}

static size_t all_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const size_t awaited = awaited_keys(app, keys, max);

	return awaited > 0 ? awaited : keys_of_view(app, keys, max);
}

/* clang-format off */
static const struct frame_key page_keys[] = {
	{"q",     "back"},
	{"Space", "pause/resume"},
	{"Left",  "step"},
	{"Right", "step"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
};

static const struct frame_key help_keys[] = {
	{"q",     "back"},
	{"PgDn",  "scroll"},
	{"/",     "search"},
	{"n",     "next"},
	{"p",     "previous"},
};
/* clang-format on */

static size_t pager_keys(const struct app *app, struct frame_key *keys)
{
	memcpy(keys, app->page.is_open ? page_keys : help_keys,
	       app->page.is_open ? sizeof(page_keys) : sizeof(help_keys));
	return app->page.is_open ? sizeof(page_keys) / sizeof(*page_keys)
				 : sizeof(help_keys) / sizeof(*help_keys);
}

static const struct prompt *open_prompt(const struct app *app)
{
	if (app->prompt.is_open)
		return &app->prompt;
	return app->pager.search.is_open ? &app->pager.search : NULL;
}

/* What stands where there are no rows; NULL: nothing special. */
static const char *nothing_words(const struct app *app, struct strbuf *buffer)
{
	const char *words = past_nothing(app);

	if (words)
		return words;
	if (engine_list_unseen(&app->engine, buffer)) {
		strbuf_add(buffer, ": not in this recording, as far as it was played");
		return strbuf_text(buffer);
	}
	if (app->filter.length > 0 && !view_table_filter_unsupported(app->table))
		return app->prompt.is_open ? "no row passes the filter"
					   : "no row passes the filter; Esc takes it off";
	if (strcmp(app->views[app->view].info->name, "cpus") == 0 &&
	    engine_session(&app->engine)->scope == SCOPE_TASKS)
		return "CPU view needs system-wide counting";
	return NULL;
}

/* What can be said only when something has been measured. */
static void fill_measured(struct app *app, struct picture *picture, struct frame *frame)
{
	struct slider_place place;

	summary_make(&picture->summary, app_snapshot(app), engine_session(&app->engine),
		     app_metrics(app), app->ascii);
	welcome_shorten(app, &picture->summary);
	frame->summary = &picture->summary;
	frame->table = app->table;
	frame->nothing = nothing_words(app, &picture->nothing);
	look_fill(app, &picture->summary, frame);
	if (strips_are_shown(app)) {
		strips_picture(app, &picture->strips);
		frame->strip = &picture->strips.picture;
	}
	place = player_write_slider(app, (size_t)app->screen.width, &picture->slider);
	frame->slider_mark = place.mark;
	frame->slider_first = place.first;
	frame->slider_cells = place.cells;
	frame->slider = strbuf_text(&picture->slider);
	past_write_history(app, &picture->history);
	write_activity(app, picture);
	frame->history = strbuf_text(&picture->history);
	frame->activity = picture->activity;
	frame->footer = strbuf_text(&app->footer);
	frame->footer_is_warning = app->footer_is_warning;
}

static void fill(struct app *app, struct picture *picture, struct frame *frame)
{
	*frame = (struct frame){
		.tabs = picture->tabs,
		.tab_count = app->view_count,
		.active_tab = app->view,
		.list = &app_current(app)->list,
		.message = app->message,
		.message_is_error = app->message_is_error,
		.prompt = open_prompt(app),
		.candidates = picture->candidates,
		.candidate_count = app->candidate_count,
		.keys = picture->keys,
		.key_count = app->pager.is_open ? pager_keys(app, picture->keys)
						: all_keys(app, picture->keys, KEYS_MAX),
		.pager = app->pager.is_open ? &app->pager.shown : NULL,
		.ascii = app->ascii,
	};
	acting_show(app, frame);
	welcome_show(app, frame);
	for (size_t i = 0; i < app->view_count; i++)
		picture->tabs[i] = app->views[i].info->title;
	for (size_t i = 0; i < app->candidate_count; i++)
		picture->candidates[i] = strbuf_text(&app->candidates[i]);
	if (app_snapshot(app))
		fill_measured(app, picture, frame);
	write_filters(app, &picture->filters);
	frame->filters = strbuf_text(&picture->filters);
}

void picture_draw(struct app *app)
{
	struct picture picture = {0};
	struct frame frame;

	if (lend_is_on(app))
		return;
	fill(app, &picture, &frame);
	if (app->browser.is_open)
		browser_show(app, &frame);
	else if (app->setup.is_open)
		setup_show(app, &frame);
	else
		frame_draw(&app->screen, &frame);
	sort_menu_draw(app);
	if (app->term)
		term_paint(app->term, &app->screen);
	strbuf_fini(&picture.filters);
	strbuf_fini(&picture.history);
	strbuf_fini(&picture.slider);
	strbuf_fini(&picture.nothing);
	app->needs_drawing = false;
}
