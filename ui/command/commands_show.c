/* What is shown of the rows, and everything beside them. */
#include <string.h>

#include "view/groups.h"

#include "command/commands_run.h"
#include "command/help.h"
#include "command/help_about.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/browser.h"
#include "mode/compose_frame.h"
#include "mode/grouped.h"
#include "mode/history_view.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "mode/record_command.h"
#include "mode/setup.h"
#include "mode/strips.h"
#include "mode/terminal_handoff.h"
#include "session/options.h"

bool run_quit(struct app *app, const char *argument, struct error *error)
{
	app_quit(app);
	return true;
}

/* Of a recording this machine's events say nothing. */
static struct catalog *catalog_of(void *context)
{
	struct app *app = context;

	return engine_is_replay(app->engine) ? NULL : browser_catalog(app);
}

/* The column that the rows are sorted by; "": none. */
static const char *sorted_by(const struct app *app)
{
	bool descends;
	const struct column *column = view_table_sort(app->table, &descends);

	return column ? column->name : "";
}

bool run_help(struct app *app, const char *argument, struct error *error)
{
	const struct help_input input = {
		.columns = engine_resolver(app->engine)->columns,
		.keys = &app->keys,
		.catalog = catalog_of,
		.context = app,
	};
	const char *name = strcmp(argument, ".") == 0 ? sorted_by(app) : argument;

	struct strbuf text = {0};
	struct text_marks marks = {0};

	if (name[0] != '\0') {
		if (!help_about(&text, &marks, &input, name))
			return error_set(error, ERROR_HELP_UNKNOWN, name, NULL);
	} else {
		help_write(&text, engine_resolver(app->engine)->columns,
			   engine_metric_set(app->engine), &app->keys);
	}
	pager_set_text(app->pager, &text, &marks);
	app->page->is_open = false;
	pager_open(app, "Help (q: back, /: search)");
	return true;
}

bool run_delay(struct app *app, const char *argument, struct error *error)
{
	double delay_s;

	return options_parse_delay(argument, &delay_s, error) && app_set_delay(app, delay_s, error);
}

void write_delay(const struct app *app, struct strbuf *out)
{
	if (app->delay_s != OPTIONS_DELAY_S)
		strbuf_printf(out, "delay %g\n", app->delay_s);
}

bool run_view(struct app *app, const char *argument, struct error *error)
{
	char names[256];

	for (size_t i = 0; i < app->view_count; i++) {
		if (strcmp(app->views[i].info->name, argument) == 0) {
			view_order_show_view(app, i);
			return true;
		}
	}
	view_names(names, sizeof(names));
	return error_set(error, ERROR_VIEW_UNKNOWN, argument, names);
}

bool run_next_view(struct app *app, const char *argument, struct error *error)
{
	view_order_show_view(app, (app->view + 1) % app->view_count);
	return true;
}

bool run_previous_view(struct app *app, const char *argument, struct error *error)
{
	view_order_show_view(app, (app->view + app->view_count - 1) % app->view_count);
	return true;
}

bool run_columns(struct app *app, const char *argument, struct error *error)
{
	return view_columns_set(app, argument, error);
}

bool run_column(struct app *app, const char *argument, struct error *error)
{
	return view_columns_add(app, argument, error);
}

bool run_remove_column(struct app *app, const char *argument, struct error *error)
{
	return view_columns_remove(app, argument, error);
}

bool run_event(struct app *app, const char *argument, struct error *error)
{
	return view_columns_add_events(app, argument, error);
}

bool run_remove_event(struct app *app, const char *argument, struct error *error)
{
	return view_columns_remove_event(app, argument, error);
}

bool run_metric(struct app *app, const char *argument, struct error *error)
{
	return view_columns_add_metric(app, argument, error);
}

bool run_events(struct app *app, const char *argument, struct error *error)
{
	browser_open(app);
	return true;
}

bool run_record(struct app *app, const char *argument, struct error *error)
{
	return record_command_run(app, argument, error);
}

bool run_hand_over(struct app *app, const char *argument, struct error *error)
{
	if (argument[0] == '\0')
		return prompts_open(app, "hand-over", error);
	return terminal_handoff_start(app, argument, error);
}

bool run_task(struct app *app, const char *argument, struct error *error)
{
	if (argument[0] == '\0' && grouped_is_shown(app))
		return grouped_open(app, error);
	if (argument[0] == '\0' && view_order_sorts_log(app)) {
		view_order_leave(app);
		return true;
	}
	return page_open(app, argument, error);
}

bool run_window(struct app *app, const char *argument, struct error *error)
{
	return history_view_set_window(app, argument, error);
}

void write_window(const struct app *app, struct strbuf *out)
{
	history_view_write_window(app, out);
}

bool run_by(struct app *app, const char *argument, struct error *error)
{
	if (grouped_is_shown(app))
		return grouped_set_by(app, argument, error);
	return history_view_set_by(app, argument, error);
}

void write_by(const struct app *app, struct strbuf *out)
{
	history_view_write_by(app, out);
}

bool run_group_by(struct app *app, const char *argument, struct error *error)
{
	if (!grouped_set_by(app, argument, error))
		return false;
	/* groups that are asked for are shown; a setting is for later */
	if (!app->is_starting && !app->is_scoped && !app->setup->is_open && !grouped_is_shown(app))
		return run_view(app, "groups", error);
	return true;
}

void write_group_by(const struct app *app, struct strbuf *out)
{
	size_t count;

	if (app->grouped->grouping && app->grouped->grouping != grouping_table(&count))
		strbuf_printf(out, "group-by %s\n", app->grouped->grouping->name);
}

bool run_colour(struct app *app, const char *argument, struct error *error)
{
	return strips_set_colour(app, argument, error);
}

void write_colour(const struct app *app, struct strbuf *out)
{
	strbuf_add(out, app->strips->by_ipc ? "colour ipc\n" : "");
}

/* Takes back the last of: message, way into a group, the filter on top of the others. */
bool run_escape(struct app *app, const char *argument, struct error *error)
{
	if (app->message[0] != '\0') {
		app->message[0] = '\0';
		app->needs_drawing = true;
		/* in a group it may be the one that mentions this key */
		if (app->message_is_error || !app->grouped->is_inside)
			return true;
	}
	if (grouped_leave(app))
		return true;
	if (app->filter.length == 0 && app->attached.count > 0)
		return run_all(app, "", error);
	welcome_end_pmu(app);
	return run_filter(app, "", error);
}

bool run_redraw(struct app *app, const char *argument, struct error *error)
{
	app_redraw_all(app);
	return true;
}

bool run_ask(struct app *app, const char *argument, struct error *error)
{
	return prompts_open(app, argument, error);
}
