/* What everything on the screen has in common: words for the user, and what is shown. */
#include "mode/app.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel/sys.h"

#include "mode/command.h"
#include "playback/playback.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/loop.h"
#include "session/options.h"
#include "term/term.h"

/* Long enough to be read, however short the intervals are. */
static const uint64_t MESSAGE_NS = UINT64_C(4000000000);

void app_init_views(struct app *app)
{
	size_t count;
	const struct view_info *const *table = view_table_of_views(&count);

	for (size_t i = 0; i < count && i < APP_VIEWS_MAX; i++) {
		struct app_view *view = &app->views[app->view_count++];

		view->info = table[i];
		view->list.is_log = table[i]->is_log;
	}
}

struct app_view *app_current(struct app *app)
{
	return &app->views[app->view];
}

const struct snapshot *app_snapshot(const struct app *app)
{
	return playback_snapshot(app->playback);
}

const struct metrics *app_metrics(struct app *app)
{
	return playback_metrics(app->playback);
}

void app_say(struct app *app, bool is_error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(app->message, sizeof(app->message), format, arguments);
	va_end(arguments);
	app->message_is_error = is_error;
	app->message_is_answer = false;
	app->message_until_ns = sys_now_ns() + MESSAGE_NS;
	app->needs_drawing = true;
}

void app_refuse(struct app *app, const struct error *error)
{
	app_say(app, true, "%s%s%s", error->text, error->remedy[0] != '\0' ? "; " : "",
		error->remedy);
}

const struct view_row *app_row(struct app *app)
{
	size_t place = app_current(app)->list.cursor.at;

	return place < view_table_row_count(app->table) ? view_table_row(app->table, place) : NULL;
}

void app_redraw_all(struct app *app)
{
	term_repaint(app->term);
	app->needs_drawing = true;
}

void app_leave(struct app *app)
{
	app->is_over = true;
	loop_quit(app->loop);
}

void app_quit(struct app *app)
{
	struct child *child = engine_child(app->engine);
	const bool runs = child->pid > 0 && !child_collect(child);

	if (runs && !app->quit_was_asked) {
		app->quit_was_asked = true;
		app_say(app, true, "%s still runs; q again ends it (SIGTERM)",
			app->options->command[0]);
		return;
	}
	if (runs)
		child_signal(child, SIGTERM);
	app_leave(app);
}

int app_shows_command_lines(const struct app *app)
{
	const int chosen = app->settings.command_lines;

	return chosen != SETTING_UNSET ? chosen : app->screen.width >= APP_WIDE;
}

void app_resize(struct app *app)
{
	int width, height;

	term_resized(app->term);
	term_size(app->term, &width, &height);
	screen_resize(&app->screen, width, height);
	app->needs_build = true; /* strips and pages are as wide as the screen */
	app->needs_drawing = true;
}
