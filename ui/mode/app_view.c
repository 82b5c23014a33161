/*
 * A view shows either a list of its own, or the columns it comes with and after them its extras.
 * A change of what is counted ends the interval (engine.h): rows of the table are not to be
 * looked at until it is built anew.
 */
#include "mode/app_view.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/strbuf.h"
#include "model/session.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/filter.h"
#include "view/switch_log.h"
#include "view/table.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/compose_frame.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/task_scope.h"
#include "playback/playback.h"
#include "session/resolve.h"

const struct column *view_columns_trend(const struct app *app, const struct view_info *info)
{
	const struct appearance *look = app->parts[PART_appearance];
	const struct column *trend = columns_find(engine_resolver(app->engine)->columns, "trend");

	return look->adds_trends && !info->needs_history && column_is_of(trend, info->kind) ? trend
											    : NULL;
}

static void add_trend(const struct app *app, struct view_state *view)
{
	const struct column *column = view_columns_trend(app, view->info);

	if (column)
		column_list_insert(&view->extras, column);
}

void view_columns_add_trends(struct app *app)
{
	struct appearance *look = app->parts[PART_appearance];

	look->adds_trends = true;
	for (size_t i = 0; i < app->view_count; i++)
		add_trend(app, &app->views[i]);
}

/* A set stays what it is; behind it may be a list of the view's own. */
static void add_to_view(struct view_state *view, const struct column *column)
{
	if (view->columns.count > 0)
		column_list_insert(&view->columns, column);
	if (view->columns.count == 0 || view->set)
		column_list_insert(&view->extras, column);
}

static void show_added(struct app *app, const struct column_list *added)
{
	for (size_t i = 0; i < added->count; i++) {
		for (size_t j = 0; j < app->view_count; j++)
			if ((app->is_starting && !app->is_scoped) || j == app->view)
				add_to_view(&app->views[j], added->columns[i]);
	}
}

/* What has been added, or why it shows nothing. */
static void report_added(struct app *app, const struct column_list *added)
{
	struct error refusal = {0};

	if (resolve_refusal(engine_resolver(app->engine), added, &refusal))
		app_say(app, true, "%s", refusal.text);
	else if (engine_resolver(app->engine)->note.code != ERROR_NONE)
		app_say(app, true, "%s", engine_resolver(app->engine)->note.text);
	else if (added->count == 1)
		app_say(app, false, "%s: column %s of the view %s", added->columns[0]->name,
			added->columns[0]->title, app_current(app)->info->name);
	else
		app_say(app, false, "%zu columns added to the view %s", added->count,
			app_current(app)->info->name);
}

/* Shows what was found, and frees it. */
static bool finish_adding(struct app *app, struct column_list *added, bool is_good)
{
	app->needs_build = true;
	if (is_good) {
		show_added(app, added);
		report_added(app, added);
	}
	column_list_fini(added);
	return is_good;
}

bool view_columns_add_events(struct app *app, const char *list, struct error *error)
{
	struct column_list added = {0};

	engine_resolver(app->engine)->note = (struct error){0};
	return finish_adding(
		app, &added,
		resolve_events(engine_resolver(app->engine), list, &added, &app->fault, error));
}

bool view_columns_add(struct app *app, const char *list, struct error *error)
{
	struct column_list added = {0};

	return finish_adding(
		app, &added,
		resolve_columns(engine_resolver(app->engine), list, &added, &app->fault, error));
}

/* NULL: error says why not. */
static const struct column *define(struct app *app, const char *definition, struct error *error)
{
	const struct column *column;

	app->needs_build = true;
	engine_resolver(app->engine)->note = (struct error){0};
	if (!resolve_metric(engine_resolver(app->engine), definition, &column, &app->fault, error))
		return NULL;
	playback_rebind_metrics(app->playback);
	((struct appearance *)app->parts[PART_appearance])->summary_ns = 0;
	return column;
}

bool view_columns_add_metric(struct app *app, const char *definition, struct error *error)
{
	const struct column *column = define(app, definition, error);
	struct column_list added = {0};

	if (column)
		column_list_add(&added, column);
	return finish_adding(app, &added, column);
}

bool view_columns_define_metric(struct app *app, const char *definition, struct error *error)
{
	const struct column *column = define(app, definition, error);

	if (column)
		app_say(app, false, "metric %s defined", column->name);
	return column;
}

void view_columns_list(const struct app *app, const struct view_state *view,
		       struct column_list *list)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	const bool has_pmu = engine_session(app->engine)->has_pmu;

	if (view->columns.count > 0 && !view->set) {
		column_list_copy(list, &view->columns);
		return;
	}
	if (view->set)
		view_set_columns(view->info, view->set, has_pmu, columns, list);
	else
		view_default_columns(view->info, has_pmu, engine_metrics(app->engine), columns,
				     list);
	for (size_t i = 0; i < view->extras.count; i++)
		column_list_insert(list, view->extras.columns[i]);
}

/* From now on the view's columns are a list of its own. */
static void make_own_columns(struct app *app, struct view_state *view)
{
	struct column_list list = {0};

	if (view->columns.count > 0 && !view->set)
		return;
	view_columns_list(app, view, &list);
	column_list_fini(&view->columns);
	column_list_fini(&view->extras);
	view->columns = list;
	view->set = NULL;
}

bool view_columns_move(struct app *app, struct view_state *view, size_t index, bool is_down)
{
	const struct column **columns, *column;

	make_own_columns(app, view);
	columns = view->columns.columns;
	if (is_down ? index + 1 >= view->columns.count : index == 0)
		return false;
	column = columns[index];
	columns[index] = columns[is_down ? index + 1 : index - 1];
	columns[is_down ? index + 1 : index - 1] = column;
	app->needs_build = true;
	return true;
}

/* The rows are ordered by what is left of the order, or by what can be seen again. */
static void forget_sort(struct view_state *view)
{
	view->order = (struct sort_order){
		.sort = view->order.then,
		.sort_reversed = view->order.then && view->order.then_reversed,
	};
}

static bool take_out(struct app *app, struct view_state *view, const struct column *column,
		     struct error *error)
{
	if (column_list_remove(&view->extras, column))
		return true;
	make_own_columns(app, view);
	if (!column_list_has(&view->columns, column))
		return error_set(error, ERROR_COLUMN_HIDDEN, column->name, NULL);
	if (view->columns.count == 1)
		return error_set(error, ERROR_COLUMN_LAST, column->name, NULL);
	return column_list_remove(&view->columns, column);
}

bool view_columns_remove(struct app *app, const char *name, struct error *error)
{
	struct view_state *view = app_current(app);
	const struct column *column = columns_find(engine_resolver(app->engine)->columns, name);

	app->fault = 0;
	if (!column)
		return error_set(error, ERROR_COLUMN_HIDDEN, name, NULL);
	app->needs_build = true;
	if (!take_out(app, view, column, error))
		return false;
	if (view->order.then == column)
		view->order.then = NULL;
	if (view->order.sort == column)
		forget_sort(view);
	return true;
}

static bool is_of_event(const struct column *column, const char *event)
{
	return column && column->event && strcmp(column->event, event) == 0;
}

/* Takes out the columns of an event, those of single kinds of CPU too. */
static void forget_event(struct column_list *list, const char *event)
{
	for (size_t i = list->count; i-- > 0;) {
		const struct column *column = list->columns[i];

		if (is_of_event(column, event))
			column_list_remove(list, column);
	}
}

bool view_columns_remove_event(struct app *app, const char *name, struct error *error)
{
	app->fault = RESOLVE_NOWHERE;
	app->needs_build = true;
	if (!engine_remove_event(app->engine, name, error))
		return false;
	for (size_t i = 0; i < app->view_count; i++) {
		struct view_state *view = &app->views[i];

		forget_event(&view->columns, name);
		forget_event(&view->extras, name);
		if (is_of_event(view->order.then, name))
			view->order.then = NULL;
		if (is_of_event(view->order.sort, name))
			forget_sort(view);
	}
	app_say(app, false, "%s is no longer counted", name);
	return true;
}

static void gather_view(const struct app *app, const struct view_state *view,
			const struct filter *filter, struct column_list *shown)
{
	const struct column *compared;
	struct column_list list = {0};

	view_columns_list(app, view, &list);
	for (size_t i = 0; i < list.count; i++)
		column_list_add(shown, list.columns[i]);
	column_list_fini(&list);
	for (size_t i = 0; i < view->columns.count; i++) /* that a set stands for */
		column_list_add(shown, view->columns.columns[i]);
	if (view->order.sort)
		column_list_add(shown, view->order.sort);
	if (view->order.then)
		column_list_add(shown, view->order.then);
	for (size_t i = 0; (compared = filter_column(filter, i, view->info->kind)); i++)
		column_list_add(shown, compared);
}

/* All columns that are shown in some view, sorted by or compared. */
static void gather_shown(const struct app *app, struct column_list *shown)
{
	size_t position;
	struct filter *filter = filter_create(
		strbuf_text(&app->filter), engine_resolver(app->engine)->columns, &position, NULL);

	for (size_t i = 0; i < app->view_count; i++)
		gather_view(app, &app->views[i], filter, shown);
	filter_destroy(filter);
}

/* lacking: as of resolve_set(). */
static bool take_set(struct app *app, const struct column_set *set, struct error *lacking,
		     struct error *error)
{
	struct view_state *view = app_current(app);
	struct column_list shown = {0};
	bool good;

	app->needs_build = true;
	if (view->info->around) /* otherwise it is refused */
		view->set = set;
	gather_shown(app, &shown);
	good = resolve_set(engine_resolver(app->engine), set, view->info, &shown, lacking, error);
	column_list_fini(&shown);
	return good;
}

static void say_set(struct app *app, const struct column_set *set, const struct error *lacking)
{
	if (lacking->code != ERROR_NONE)
		app_say(app, true, "%s", lacking->text);
	else
		app_say(app, false, "columns %s: %s", set->name, set->help);
}

static bool show_set(struct app *app, const struct column_set *set, struct error *error)
{
	struct error lacking;

	if (!take_set(app, set, &lacking, error))
		return false;
	say_set(app, set, &lacking);
	return true;
}

/* The view shows no set any more. */
static void release_sets(struct app *app, const struct view_state *view)
{
	struct column_list shown = {0};

	gather_shown(app, &shown);
	if (view->columns.count == 0)
		resolve_defaults(engine_resolver(app->engine), view->info, &shown);
	else
		resolve_own(engine_resolver(app->engine), &shown);
	column_list_fini(&shown);
}

/* Those of the view, or what was chosen from the list of all. */
static void leave_sets(struct app *app)
{
	struct view_state *view = app_current(app);
	const bool has_own = view->columns.count > 0;

	app->needs_build = true;
	view->set = NULL;
	release_sets(app, view);
	app_say(app, false, has_own ? "your own columns" : "default columns");
}

void view_columns_next_set(struct app *app)
{
	const struct column_set *set = column_set_next(app_current(app)->set);
	struct error error = {0}, lacking;

	/* one that is mostly dashes here is shown to who asks for it by name */
	for (; set; set = column_set_next(set)) {
		if (!take_set(app, set, &lacking, &error)) {
			app_refuse(app, &error);
			return;
		}
		if (lacking.code != ERROR_SET_LACKS_MOST) {
			say_set(app, set, &lacking);
			return;
		}
	}
	leave_sets(app);
}

bool view_columns_set(struct app *app, const char *list, struct error *error)
{
	struct view_state *view = app_current(app);
	const struct column_set *set = column_set_find(list);
	struct column_list selected = {0};
	struct error refusal = {0};

	if (set)
		return show_set(app, set, error);
	if (strcmp(list, "default") == 0)
		list = "";
	app->needs_build = true;
	if (list[0] != '\0' &&
	    !resolve_columns(engine_resolver(app->engine), list, &selected, &app->fault, error))
		return false;
	view->set = NULL;
	column_list_fini(&view->columns);
	if (selected.count == 0)
		column_list_fini(&view->extras);
	view->columns = selected;
	release_sets(app, view);
	if (selected.count == 0)
		add_trend(app, view);
	if (resolve_refusal(engine_resolver(app->engine), &selected, &refusal))
		app_say(app, true, "%s", refusal.text);
	return true;
}

/* Before there are rows there is nothing yet that could be wrong. */
static bool is_column_shown(const struct app *app, const struct column *column)
{
	if (app->is_starting || app->is_scoped)
		return true;
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		if (view_table_column(app->table, i) == column)
			return true;
	return false;
}

bool view_order_sorts_log(const struct app *app)
{
	const struct view_state *view = &app->views[app->view];

	return view->info->is_log && playback_is_still(app->playback) &&
	       switch_log_sorts(view->order.sort);
}

void view_order_leave(struct app *app)
{
	struct list *list = &app->lists[app->view];

	list_select(list, app->table, list->cursor.at);
	list->has_cursor = true;
	app_current(app)->order.sort = NULL;
	app->needs_build = true;
	app_say(app, false, "in time order again, at this switch");
}

bool view_order_is_fixed(struct app *app)
{
	const struct view_info *info = app_current(app)->info;

	if (!info->fixed_order || (info->is_log && playback_is_still(app->playback)))
		return false;
	if (info->is_log)
		app_say(app, false, "%s; stopped (%s) they sort by ran, off-cpu and sch-delay",
			info->fixed_order, keys_name_of(app->parts[PART_keys], "freeze"));
	else
		app_say(app, false, "%s", info->fixed_order);
	return true;
}

/* Of the log on the screen only some columns, and that of time. */
static bool may_order(const struct view_state *view, const struct column *column)
{
	return !view->info->is_log || switch_log_sorts(column) ||
	       strcmp(column->name, view->info->sort) == 0;
}

/* On a machine without counters that is no error: what there is can be chosen from. */
static bool offer_orders(struct app *app, struct error *error)
{
	app_say(app, false, "%s", error->text);
	*error = (struct error){0};
	return command_do(app, "sort-menu");
}

static bool has_column(const struct column *column, const struct view_info *view,
		       struct error *error)
{
	return !column || column_is_of(column, view->kind) ||
	       error_set(error, ERROR_SORT_VIEW, column->name, view->name);
}

/* Rows in an order of their own have that of the view's column already. */
static bool has_own_order(const struct view_info *view, const struct sort_order *order,
			  struct error *error)
{
	return (strcmp(order->sort->name, view->sort) == 0 && !order->sort_reversed) ||
	       error_set(error, ERROR_SORT_FIXED, order->sort->name, view->fixed_order);
}

bool view_order_sort(struct app *app, const char *text, struct error *error)
{
	const bool is_option = app->is_starting && !app->is_scoped;
	struct view_state *view = app_current(app);
	struct sort_order order;
	const struct column *missing;

	if (!is_option && view_order_is_fixed(app))
		return true;
	app->needs_build = true;
	if (!resolve_order(engine_resolver(app->engine), text, &order, &app->fault, error))
		return false;
	app->fault = RESOLVE_NOWHERE;
	if (is_option && view->info->fixed_order)
		return has_own_order(view->info, &order, error);
	if (!has_column(order.sort, view->info, error) ||
	    !has_column(order.then, view->info, error))
		return false;
	if (!resolve_is_sortable(engine_resolver(app->engine), order.sort, error)) {
		if (!app->is_starting &&
		    resolve_lacks_counters(engine_resolver(app->engine), order.sort))
			return offer_orders(app, error);
		if (!app->is_starting)
			snprintf(error->remedy, sizeof(error->remedy),
				 "%s: what they can be sorted by",
				 keys_name_of(app->parts[PART_keys], "sort-menu"));
		return false;
	}
	if (!may_order(view, order.sort)) {
		app_say(app, false,
			"switches can be sorted by ran, off-cpu and sch-delay, or by when");
		return true;
	}
	missing = !is_column_shown(app, order.sort) ? order.sort : NULL;
	if (!missing && order.then && !is_column_shown(app, order.then))
		missing = order.then;
	view->order = order;
	if (view->info->is_log)
		app->lists[app->view].has_cursor = false; /* the longest is looked for */
	if (missing)
		app_say(app, false, "sorted by %s (column not shown)", missing->title);
	return true;
}

/* Where the rows' order comes from; a column that is not shown counts as the first. */
static size_t sorted_index(const struct app *app)
{
	const size_t count = view_table_column_count(app->table);
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);
	size_t place = 0;

	while (place + 1 < count && view_table_column(app->table, place) != sort)
		place++;
	return place;
}

void view_order_step(struct app *app, int by)
{
	struct view_state *view = app_current(app);
	const size_t count = view_table_column_count(app->table);

	if (count == 0 || view_order_is_fixed(app))
		return;
	for (size_t step = 1; step <= count; step++) {
		const size_t ahead = by > 0 ? step : count - step;
		const struct column *column =
			view_table_column(app->table, (sorted_index(app) + ahead) % count);

		if (column->format == COLUMN_TREND || !may_order(view, column))
			continue;
		view->order = (struct sort_order){.sort = column};
		break;
	}
	app->needs_build = true;
}

void view_order_reverse(struct app *app)
{
	if (view_order_is_fixed(app))
		return;
	app_current(app)->order.sort_reversed = !app_current(app)->order.sort_reversed;
	app->needs_build = true;
}

void view_order_write_mode(const struct app *app, struct strbuf *out)
{
	const struct view_info *info = app->views[app->view].info;

	if (info->write_mode)
		info->write_mode(out, &app->request, engine_session(app->engine));
}

/* What was chosen in the view that is left does not wait there. */
static void leave_mode(struct app *app)
{
	const struct settings *entered = app->parts[PART_entered];
	const char *passing = app_current(app)->info->passing;
	struct settings *settings = &app->request.settings;

	for (size_t i = 0; passing && i < SETTINGS; i++)
		if (word_list_has(passing, setting_table[i].name))
			settings->all[i] = entered->all[i];
	app_follow_forms(app);
}

void view_order_enter(struct app *app)
{
	*(struct settings *)app->parts[PART_entered] = app->request.settings;
}

void view_order_show_view(struct app *app, size_t index)
{
	struct task_scope *scope = app->parts[PART_task_scope];

	if (scope->is_on)
		app->request.settings.samples = scope->samples;
	scope->is_on = false;
	if (index != app->view && !app->is_starting) {
		leave_mode(app);
		app->view = index;
		view_order_enter(app);
	}
	app->view = index;
	history_view_forget_lines(app);
	filters_report_unsupported(app);
	compared_report_refusal(app);
	app->needs_build = true;
}

void view_order_next_view(struct app *app, int by)
{
	const size_t count = app_tabs(app);

	if (!app->message.is_error)
		app_unsay(app);
	view_order_show_view(app, (app->view + count + (size_t)by) % count);
}

/* The settings as they were when the view that is shown was entered. */
const struct app_part part_entered = {.bytes = sizeof(struct settings)};
