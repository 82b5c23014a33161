/*
 * The start that the screen and the batch run share: the engine, the lines of the configuration,
 * and behind them the options, which hold against it. Most options are commands.
 */
#include <string.h>

#include "base/strbuf.h"
#include "batch/batch.h"
#include "view/functions.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/compose_frame.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/page.h"
#include "mode/past.h"
#include "mode/task_scope.h"
#include "session/config.h"
#include "session/options.h"
#include "session/resolve.h"

/* What a command reports without being refused. */
static void take_remark(struct app *app, struct strbuf *remarks)
{
	if (app->message.is_error && app->message.text[0] != '\0')
		strbuf_printf(remarks, "%s\n", app->message.text);
	app_unsay(app);
}

/*
 * What an option says would act at once. A batch run takes only what is counted from the
 * configuration, so that what scripts read does not depend on it; the other lines must be right.
 */
static bool configure_line(void *context, const char *line, struct error *error)
{
	const struct app *app = context;
	const struct options *options = app->options;
	const bool is_overridden =
		(options->settings.light != SETTING_UNSET && config_argument(line, "light")) ||
		(options->has_budget && config_argument(line, "budget"));
	const char *argument;

	if (!command_is_setting(app->commands, line, error))
		return false;
	if (is_overridden ||
	    (options->batch && !command_find(app->commands, line, &argument, error)->is_counting))
		return true;
	return command_configure(context, line, error);
}

static bool run_option(struct app *app, const char *command, const char *argument,
		       struct strbuf *remarks, struct error *error)
{
	struct strbuf text = {0};
	bool good;

	strbuf_printf(&text, "%s %s", command, argument);
	good = command_configure(app, strbuf_text(&text), error);
	take_remark(app, remarks);
	strbuf_fini(&text);
	return good;
}

static bool run_options(struct app *app, const char *command, const char **arguments, size_t count,
			struct strbuf *remarks, struct error *error)
{
	for (size_t i = 0; i < count; i++)
		if (!run_option(app, command, arguments[i], remarks, error))
			return false;
	return true;
}

/* Where no row has a value, the order is that of the view. */
static bool take_sort(struct app *app, const char *text, struct strbuf *remarks,
		      struct error *error)
{
	if (run_option(app, "sort", text, remarks, error))
		return true;
	if (error->code != ERROR_SORT_LACKS)
		return false;
	strbuf_printf(remarks, "%s\n", error->text);
	*error = (struct error){0};
	return true;
}

/* On the screen there are other views, too, in which it holds. */
static bool take_filter(struct app *app, const char *text, struct strbuf *remarks,
			struct error *error)
{
	strbuf_clear(&app->filter);
	return run_option(app, "filter", text, remarks, error) &&
	       (!app->options->batch || resolve_fits_view(engine_resolver(app->engine), text,
							  app_current(app)->info, error));
}

bool app_take_options(struct app *app, struct strbuf *remarks, struct error *error)
{
	const struct options *options = app->options;
	const char *columns = options->column_list;

	settings_override(&app->request.settings, &options->settings);
	app_follow_forms(app);
	app->request.uid = options->uid >= 0 ? options->uid : app->request.uid;
	app->delay_s = options->has_delay ? options->delay_s : app->delay_s;
	/* as a command it would be the default */
	if (columns && columns[strspn(columns, " ")] == '\0') {
		error_set(error, ERROR_COLUMN_UNKNOWN, "", NULL);
		return resolve_mark(error, columns, strlen(columns));
	}
	return run_options(app, "metric", options->metric_definitions, options->metric_count,
			   remarks, error) &&
	       run_options(app, "event", options->event_lists, options->event_list_count, remarks,
			   error) &&
	       (!options->by || run_option(app, "by-event", options->by, remarks, error)) &&
	       (!options->has_view ||
		run_option(app, "view", options->view->name, remarks, error)) &&
	       (!columns || run_option(app, "columns", columns, remarks, error)) &&
	       (!options->sort_text || take_sort(app, options->sort_text, remarks, error)) &&
	       (!options->filter || take_filter(app, options->filter, remarks, error));
}

unsigned int app_first_needs(const struct app *app)
{
	const struct view_request request = app_request(app);
	unsigned int needs = app_needs_of(app, &request) | past_needs(app);

	if (app->options->batch)
		needs |= app->options->format->needs;
	if (options_print_samples(app->options))
		needs |= COLUMN_NEEDS_SAMPLES |
			 view_samples_needs((enum view_samples)request.settings.samples);
	return needs;
}

bool app_need_samples(struct app *app, unsigned int needs, struct error *error)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct task_scope *scope = app->parts[PART_task_scope];
	const int32_t page = page_pid(app);
	const enum call_graph call_graph = (enum call_graph)app->request.settings.call_graph;
	struct engine_samples wanted = {
		.needs = needs,
		.by_lbr = call_graph == CALL_GRAPH_LBR,
		.stack_bytes = call_graph_stack_bytes(call_graph),
		.pids = attached->pids,
		.pid_count = attached->count,
	};
	bool ends_interval, are_sampled;

	if (scope->is_on) {
		wanted.pids = &scope->pid;
		wanted.pid_count = 1;
	} else if (page != 0 && !(needs & COLUMN_NEEDS_OFF_CPU)) {
		wanted.pids = &page;
		wanted.pid_count = 1;
	}
	if (page != 0) /* why the task sleeps */
		wanted.needs |= COLUMN_NEEDS_SAMPLES | COLUMN_NEEDS_OFF_CPU;
	are_sampled = engine_need_samples(app->engine, &wanted, &ends_interval, error);
	app->needs_build = app->needs_build || ends_interval;
	return are_sampled;
}

void app_need_cgroups(struct app *app, unsigned int needs)
{
	const int32_t page = page_pid(app);

	engine_need_cgroups(app->engine, needs & COLUMN_NEEDS_CGROUPS || page != 0);
	engine_need_stalls(app->engine, needs & COLUMN_NEEDS_STALLS, page);
}

/* A batch run ends where it would show nothing. */
static bool check_weight(const struct app *app, unsigned int needs, struct error *error)
{
	const char *lack = engine_lacks_parallelism(app->engine);

	return !app->options->batch || !lack || !(needs & COLUMN_NEEDS_SAMPLES) ||
	       app->request.settings.weight != WEIGHT_LATENCY ||
	       error_set(error, ERROR_WEIGHT_UNKNOWN, lack, NULL);
}

void app_need_parallelism(struct app *app, unsigned int needs)
{
	const struct parallel_scope scope = app_latency_scope(app);

	engine_need_parallelism(app->engine, needs & COLUMN_NEEDS_LATENCY || page_pid(app) != 0,
				&scope);
}

bool app_need(struct app *app, unsigned int needs, struct error *error)
{
	const bool has_page = page_pid(app) != 0;

	app_need_cgroups(app, needs);
	if (engine_need_states(app->engine, needs & COLUMN_NEEDS_STATES || has_page, error))
		app->needs_build = true;
	if (needs & COLUMN_NEEDS_WAKEUPS || has_page)
		history_view_need_scheduler(app, error);
	app_need_parallelism(app, needs);
	return error->code == ERROR_NONE && check_weight(app, needs, error);
}

bool app_prepare(struct app *app, struct strbuf *remarks, struct error *error)
{
	struct error remark = {0};
	bool is_absent, good;

	if (!engine_open(app->engine, error))
		return false;
	app->table = view_table_create(engine_resolver(app->engine)->columns);
	engine_serve_table(app->engine, app->table);
	if (!hosts_open(app, &app_playback_ops, error))
		return false;
	if (!app->options->batch)
		view_columns_add_trends(app);
	app->is_starting = true;
	good = config_apply(app->options, configure_line, app, &is_absent, &remark, error);
	app_unsay(app);
	if (remark.code != ERROR_NONE)
		app_refuse(app, &remark);
	take_remark(app, remarks);
	if (is_absent)
		welcome_begin(app);
	good = good && app_take_options(app, remarks, error);
	app->is_starting = false;
	view_order_enter(app);
	if (!good || !past_prepare(app, error))
		return false;
	app_need_cgroups(app, app_first_needs(app));
	return true;
}
