#include "mode/appearance.h"

#include <stdio.h>

#include "base/units.h"
#include "kernel/load.h"
#include "model/snapshot.h"
#include "view/meter_history.h"
#include "view/summary.h"

#include "mode/app.h"
#include "widget/frame.h"

void appearance_fini(struct appearance *look)
{
	cpu_meters_fini(&look->cpus);
	*look = (struct appearance){0};
}

const struct column *appearance_column(const struct app *app, const struct view_info *info)
{
	const struct column *trend = columns_find(engine_resolver(app->engine)->columns, "trend");

	return app->appearance->adds_trends && !info->needs_history &&
			       column_is_of(trend, info->kind)
		       ? trend
		       : NULL;
}

void appearance_add_column(const struct app *app, struct app_view *view)
{
	const struct column *column = appearance_column(app, view->info);

	if (column)
		column_list_insert(&view->extras, column);
}

void appearance_add_columns(struct app *app)
{
	app->appearance->adds_trends = true;
	for (size_t i = 0; i < app->view_count; i++)
		appearance_add_column(app, &app->views[i]);
}

static size_t past_intervals(void *context, uint64_t before_ns, const struct snapshot **snapshots,
			     size_t most)
{
	return playback_before(context, before_ns, snapshots, most);
}

void appearance_settings(struct app *app, struct view_settings *settings)
{
	settings->past = past_intervals;
	settings->past_context = app->playback;
	settings->metric_set = engine_metric_set(app->engine);
}

void appearance_keep(struct app *app)
{
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	struct summary summary;

	if (!snapshot || snapshot->time_ns == meter_history_newest_ns(&app->appearance->history))
		return;
	summary_make(&summary, snapshot, engine_session(app->engine), engine_metrics(app->engine),
		     app->ascii);
	meter_history_note(&app->appearance->history, snapshot->time_ns, &summary);
}

void appearance_write_machine(const struct load *load, char *text, size_t size)
{
	char used[UNITS_TEXT_MAX], memory[UNITS_TEXT_MAX];
	char swap_used[UNITS_TEXT_MAX], swap[UNITS_TEXT_MAX], days[16] = "";
	const uint64_t minutes = load->uptime_s / 60, hours = minutes / 60;

	units_format_bytes(used, load->memory_used_bytes);
	units_format_bytes(memory, load->memory_bytes);
	units_format_bytes(swap_used, load->swap_used_bytes);
	units_format_bytes(swap, load->swap_bytes);
	if (hours >= 24)
		snprintf(days, sizeof(days), "%u d ", (unsigned int)(hours / 24) % 100000);
	snprintf(text, size, "load %.2f %.2f %.2f   memory %s of %s   swap %s of %s   up %s%u:%02u",
		 load->runnable[0], load->runnable[1], load->runnable[2], used, memory, swap_used,
		 swap, days, (unsigned int)(hours % 24), (unsigned int)(minutes % 60));
}

/* Of the present only. */
static void fill_machine(const struct app *app, struct summary *summary)
{
	struct load load;

	if (app->has_machine_line && !playback_is_frozen(app->playback) &&
	    !engine_is_replay(app->engine) && load_read(&load, ""))
		appearance_write_machine(&load, summary->machine, sizeof(summary->machine));
}

/* A view of CPUs needs no strips of them. */
void appearance_fill(struct app *app, struct summary *summary, struct frame *frame)
{
	const struct snapshot *snapshot = app_snapshot(app);

	fill_machine(app, summary);
	frame->meters = &app->appearance->history;
	frame->time_ns = snapshot->time_ns;
	if (app->appearance->strips == CPU_METERS_OFF || app_current(app)->info->kind == ROW_CPU)
		return;
	cpu_meters_make(&app->appearance->cpus, app->appearance->strips, snapshot,
			engine_session(app->engine), app_metrics(app));
	frame->cpus = &app->appearance->cpus;
}
