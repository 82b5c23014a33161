#include "mode/names_due.h"

#include "kernel/sys.h"
#include "model/session.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/drawing.h"
#include "session/engine.h"

enum {
	PAUSE_NS = 200000000,
	NEAR_S = 1
};

/* Whether a row of functions has turned out to be of another one. */
static bool is_outdated(const struct app *app, size_t row)
{
	const struct function *function = row < view_table_row_count(app->table)
						  ? view_table_row(app->table, row)->function
						  : NULL;
	struct function_name name;

	if (!function)
		return false;
	name = function_names_find(view_table_function_names(app->table), function->number,
				   function->time_ns);
	return name.same_as != 0 && name.same_as != function->number;
}

/* The rows that can be seen, one after the other; SIZE_MAX: no more. */
static size_t visible_row_at(const struct app *app, size_t index)
{
	const struct drawing *drawing = app_drawing(app);
	const struct list *list = &app->views[app->view].list;

	if (drawing && drawing->row)
		return drawing->row(app, index);
	return index < list->page ? list->cursor.top + index : SIZE_MAX;
}

static bool screen_is_outdated(const struct app *app)
{
	size_t row;

	for (size_t i = 0; (row = visible_row_at(app, i)) != SIZE_MAX; i++)
		if (is_outdated(app, row))
			return true;
	return false;
}

/*
 * Not as fast as they come; for the last ones at once. Where tasks come all the time, names do,
 * too, of what is too small to be on the screen: that waits for the next interval if it is near.
 */
bool names_are_due(const struct app *app)
{
	const bool are_last = engine_session(app->engine)->names_pending == 0;
	const bool can_wait = app->delay_s <= NEAR_S && !playback_is_still(app->playback) &&
			      !mode_is_open(app, &page_mode) && !mode_is_open(app, &code_page_mode);

	if (!app->has_names || (!are_last && sys_now_ns() - app->names_shown_ns < PAUSE_NS))
		return false;
	return !can_wait || screen_is_outdated(app);
}
