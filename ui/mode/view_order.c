#include "mode/view_order.h"

#include <string.h>

#include "base/error.h"
#include "view/column.h"
#include "view/switch_log.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/filters.h"
#include "mode/history_view.h"
#include "playback/playback.h"
#include "session/resolve.h"

/* Before there are rows there is nothing yet that could be wrong. */
static bool is_shown(const struct app *app, const struct column *column)
{
	if (app->is_starting || app->is_scoped)
		return true;
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		if (view_table_column(app->table, i) == column)
			return true;
	return false;
}

void view_order_set(struct app_view *view, const struct sort_order *order)
{
	view->sort = order->sort;
	view->sort_reversed = order->sort_reversed;
	view->then = order->then;
	view->then_reversed = order->then_reversed;
}

bool view_order_sorts_log(const struct app *app)
{
	const struct app_view *view = &app->views[app->view];

	return view->info->is_log && playback_is_still(app->playback) &&
	       switch_log_sorts(view->sort);
}

void view_order_leave(struct app *app)
{
	struct app_view *view = &app->views[app->view];

	list_select(&view->list, app->table, view->list.cursor);
	view->list.has_cursor = true;
	view->sort = NULL;
	app->needs_build = true;
	app_say(app, false, "in time order again, at this switch");
}

bool view_order_sort(struct app *app, const char *text, struct error *error)
{
	struct app_view *view = app_current(app);
	struct sort_order order;
	const struct column *missing;

	app->needs_build = true;
	if (!resolve_order(engine_resolver(app->engine), text, &order, &app->fault, error))
		return false;
	if (view->info->is_log && !switch_log_sorts(order.sort) &&
	    strcmp(order.sort->name, view->info->sort) != 0) {
		app_say(app, false,
			"switches can be sorted by ran, off-cpu and sch-delay, or by when");
		return true;
	}
	missing = !is_shown(app, order.sort) ? order.sort : NULL;
	if (!missing && order.then && !is_shown(app, order.then))
		missing = order.then;
	if (missing && view->info->needs_history) {
		/* its rows are no tasks: they have nothing but what is shown */
		app_say(app, false, "this view has no %s column; > sorts by the next one",
			missing->title);
		return true;
	}
	view_order_set(view, &order);
	if (view->info->is_log)
		view->list.has_cursor = false; /* the longest is looked for */
	if (missing)
		app_say(app, false, "sorted by %s (column not shown)", missing->title);
	return true;
}

void view_order_show_view(struct app *app, size_t index)
{
	app->view = index;
	history_view_forget_lines(app);
	filters_report_unsupported(app);
	app->needs_build = true;
}
