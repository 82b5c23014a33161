/* Which rows there are, and in which order. */
#include <string.h>

#include "view/column.h"
#include "view/switch_log.h"

#include "command/commands_run.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/find.h"
#include "mode/sort_menu.h"

bool run_attach(struct app *app, const char *argument, struct error *error)
{
	return attach_to(app, argument, error);
}

bool run_all(struct app *app, const char *argument, struct error *error)
{
	attach_to_all(app);
	app_say(app, false, "all tasks");
	return true;
}

/* If so, says it. A stopped log has none. */
static bool has_fixed_order(struct app *app)
{
	const char *order = app_current(app)->info->fixed_order;

	if (app_current(app)->info->is_log && playback_is_still(app->playback))
		return false;
	if (order && app_current(app)->info->is_log)
		app_say(app, false, "%s; stopped (%s) they sort by ran, off-cpu and sch-delay",
			order, keys_name_of(&app->keys, "freeze"));
	else if (order)
		app_say(app, false, "%s", order);
	return order;
}

bool run_sort(struct app *app, const char *argument, struct error *error)
{
	if (has_fixed_order(app))
		return true;
	return view_order_sort(app, argument, error);
}

bool run_sort_menu(struct app *app, const char *argument, struct error *error)
{
	if (!has_fixed_order(app))
		sort_menu_open(app);
	return true;
}

/* Where the rows' order comes from; a column that is not shown counts as the first. */
static size_t sorted_place(const struct app *app)
{
	const size_t count = view_table_column_count(app->table);
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);
	size_t place = 0;

	while (place + 1 < count && view_table_column(app->table, place) != sort)
		place++;
	return place;
}

/* Sorts by the next column to one side or the other (by: 1 or -1) that rows can be sorted by. */
static bool move_sort(struct app *app, int by)
{
	struct app_view *view = app_current(app);
	const size_t count = view_table_column_count(app->table);

	if (count == 0 || has_fixed_order(app))
		return true;
	for (size_t step = 1; step <= count; step++) {
		const size_t ahead = by > 0 ? step : count - step;
		const size_t place = (sorted_place(app) + ahead) % count;
		const struct column *column = view_table_column(app->table, place);

		if (column->format == COLUMN_TREND ||
		    (view->info->is_log && !switch_log_sorts(column) &&
		     strcmp(column->name, view->info->sort) != 0))
			continue;
		view->sort = column;
		view->sort_reversed = false;
		view->then = NULL;
		break;
	}
	app->needs_build = true;
	return true;
}

bool run_sort_left(struct app *app, const char *argument, struct error *error)
{
	return move_sort(app, -1);
}

bool run_sort_right(struct app *app, const char *argument, struct error *error)
{
	return move_sort(app, 1);
}

bool run_reverse(struct app *app, const char *argument, struct error *error)
{
	struct app_view *view = app_current(app);

	if (has_fixed_order(app))
		return true;
	view->sort_reversed = !view->sort_reversed;
	app->needs_build = true;
	return true;
}

bool run_filter(struct app *app, const char *argument, struct error *error)
{
	return filters_replace(app, argument, error);
}

bool run_filter_add(struct app *app, const char *argument, struct error *error)
{
	return filters_add(app, argument, error);
}

bool run_idle(struct app *app, const char *argument, struct error *error)
{
	if (app->idle_tasks)
		attach_introduce_all(app);
	return true;
}

bool run_command_lines(struct app *app, const char *argument, struct error *error)
{
	const bool is_on =
		argument[0] != '\0' ? strcmp(argument, "on") == 0 : !app_shows_command_lines(app);

	app->command_lines = is_on ? COMMAND_LINES_ON : COMMAND_LINES_OFF;
	app->needs_build = true;
	return true;
}

void write_command_lines(const struct app *app, struct strbuf *out)
{
	if (app->command_lines != COMMAND_LINES_BY_WIDTH)
		strbuf_printf(out, "command-lines %s\n",
			      app->command_lines == COMMAND_LINES_ON ? "on" : "off");
}

bool run_user(struct app *app, const char *argument, struct error *error)
{
	int64_t uid = -1;

	if (argument[0] != '\0' && strcmp(argument, "all") != 0) {
		uid = engine_find_user(app->engine, argument);
		if (uid < 0)
			return error_set(error, ERROR_USER_UNKNOWN, argument, NULL);
	}
	app->uid = uid;
	app->needs_build = true;
	return true;
}
