/* Where the cursor, the columns and the time that is shown go. */
#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/find.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "mode/strips.h"
#include "playback/playback.h"

bool run_search(struct app *app, const char *argument, struct error *error)
{
	search_for(app, argument);
	return true;
}

bool run_search_next(struct app *app, const char *argument, struct error *error)
{
	if (app->search->words.length == 0)
		return prompts_open(app, "search", error);
	search_next(app);
	return true;
}

bool run_search_previous(struct app *app, const char *argument, struct error *error)
{
	if (app->search->words.length == 0)
		return prompts_open(app, "search", error);
	search_previous(app);
	return true;
}

bool run_freeze(struct app *app, const char *argument, struct error *error)
{
	playback_toggle(app->playback);
	return true;
}

static bool move_cursor(struct app *app, enum list_motion motion)
{
	if (strips_are_shown(app)) {
		strips_move(app, motion);
		return true;
	}
	list_move(&app_current(app)->list, app->table, motion);
	app->needs_drawing = true;
	return true;
}

bool run_up(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_UP);
}

bool run_down(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_DOWN);
}

bool run_page_up(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_PAGE_UP);
}

bool run_page_down(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_PAGE_DOWN);
}

bool run_first(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_HOME);
}

bool run_last(struct app *app, const char *argument, struct error *error)
{
	return move_cursor(app, LIST_END);
}

static bool scroll_columns(struct app *app, int by)
{
	if (strips_are_shown(app)) {
		strips_step(app, by);
		return true;
	}
	list_scroll(&app_current(app)->list, app->table, by);
	app->needs_drawing = true;
	return true;
}

bool run_scroll_left(struct app *app, const char *argument, struct error *error)
{
	return scroll_columns(app, -1);
}

bool run_scroll_right(struct app *app, const char *argument, struct error *error)
{
	return scroll_columns(app, 1);
}

/* An interval back or on; where time is not stopped, and in the time line, columns or cells as
 * ever. */
static bool step_or_scroll(struct app *app, int by)
{
	if (!playback_has_keys(app->playback) || strips_are_shown(app))
		return scroll_columns(app, by);
	playback_step(app->playback, by);
	return true;
}

bool run_left(struct app *app, const char *argument, struct error *error)
{
	return step_or_scroll(app, -1);
}

bool run_right(struct app *app, const char *argument, struct error *error)
{
	return step_or_scroll(app, 1);
}

bool run_step_back(struct app *app, const char *argument, struct error *error)
{
	playback_step(app->playback, -1);
	return true;
}

bool run_step_on(struct app *app, const char *argument, struct error *error)
{
	playback_step(app->playback, 1);
	return true;
}

/* Where time is stopped, or can be, it goes on by an interval. */
bool run_dot(struct app *app, const char *argument, struct error *error)
{
	if (playback_has_keys(app->playback) || app->page->is_open)
		return run_step_on(app, argument, error);
	return run_sort_menu(app, argument, error);
}

bool run_jump(struct app *app, const char *argument, struct error *error)
{
	return playback_jump(app->playback, argument, error);
}

bool run_speed(struct app *app, const char *argument, struct error *error)
{
	return playback_set_speed(app->playback, argument, error);
}

static bool zoom(struct app *app, int by)
{
	if (strips_are_shown(app))
		strips_zoom(app, by);
	else
		app_say(app, false, "only the timeline (7) can be zoomed");
	return true;
}

bool run_zoom_in(struct app *app, const char *argument, struct error *error)
{
	return zoom(app, -1);
}

bool run_zoom_out(struct app *app, const char *argument, struct error *error)
{
	return zoom(app, 1);
}
