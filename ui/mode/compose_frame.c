#include "mode/compose_frame.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/session.h"
#include "view/summary.h"

#include "mode/app.h"
#include "mode/appearance.h"
#include "mode/filters.h"
#include "mode/grouped.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/mode.h"
#include "mode/record_command.h"
#include "mode/row_marks.h"
#include "mode/strips.h"
#include "mode/terminal_handoff.h"
#include "mode/welcome.h"
#include "playback/playback.h"
#include "term/term.h"

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
	record_command_write(app, out);
	if (playback_is_frozen(app->playback) && !engine_is_replay(app->engine))
		strbuf_add(out, "frozen  ");
	history_view_write_filters(app, out);
	grouped_write(app, out);
	if (app->attached.count > 0)
		strbuf_printf(out, "attached: %s  ", app->attached.name);
	if (app->uid >= 0)
		strbuf_printf(out, "user: %lld  ", (long long)app->uid);
	if (app->threads)
		strbuf_add(out, "threads  ");
	if (app->idle_tasks)
		strbuf_add(out, "idle too  ");
	row_marks_write(app, out);
	if (app->filter.length > 0)
		write_filter(app, out);
}

/* How many of the switches were against the will of the outgoing task. */
static void write_activity(const struct app *app, struct picture *picture)
{
	const char *preempted = picture->summary.preempted;

	if (app->views[app->view].info->needs_history && strcmp(preempted, "-") != 0)
		snprintf(picture->activity, ACTIVITY_MAX, "%s preempted", preempted);
}

/* What is shown where there are no rows; NULL: nothing special. */
static const char *nothing_words(const struct app *app, struct strbuf *buffer)
{
	const char *words = history_view_nothing(app);

	if (words)
		return words;
	if (engine_list_unseen(app->engine, buffer)) {
		strbuf_add(buffer, ": not in this recording, as far as it was played");
		return strbuf_text(buffer);
	}
	if (app->filter.length > 0 && !view_table_filter_unsupported(app->table))
		return app->prompt.is_open ? "no row passes the filter"
					   : "no row passes the filter; Esc takes it off";
	if (engine_session(app->engine)->scope == SCOPE_TASKS)
		return app->views[app->view].info->nothing_of_tasks;
	return NULL;
}

/* What can be said only when something has been measured. */
static void fill_measured(struct app *app, struct picture *picture, struct frame *frame)
{
	struct slider_place place;

	summary_make(&picture->summary, app_snapshot(app), engine_session(app->engine),
		     app_metrics(app), app->ascii);
	welcome_shorten(app, &picture->summary);
	frame->summary = &picture->summary;
	frame->table = app->table;
	frame->nothing = nothing_words(app, &picture->nothing);
	appearance_fill(app, &picture->summary, frame);
	if (strips_are_shown(app)) {
		strips_picture(app, &picture->strips);
		frame->strip = &picture->strips.picture;
	}
	place = playback_write_slider(app->playback, (size_t)app->screen.width, app->ascii,
				      &picture->slider);
	frame->slider_mark = place.mark;
	frame->slider_first = place.first;
	frame->slider_cells = place.cells;
	frame->slider = strbuf_text(&picture->slider);
	history_view_write_history(app, &picture->history);
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
		.candidates = picture->candidates,
		.candidate_count = app->candidate_count,
		.keys = picture->keys,
		.key_count = mode_keys(app, picture->keys, KEYS_MAX),
		.ascii = app->ascii,
	};
	mode_show(app, frame);
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

void compose_frame_draw(struct app *app)
{
	struct picture picture = {0};
	struct frame frame;

	if (terminal_handoff_is_on(app))
		return;
	fill(app, &picture, &frame);
	mode_draw(app, &frame);
	if (app->term)
		term_paint(app->term, &app->screen);
	strbuf_fini(&picture.filters);
	strbuf_fini(&picture.history);
	strbuf_fini(&picture.slider);
	strbuf_fini(&picture.nothing);
	app->needs_drawing = false;
}
