#include "mode/compose_frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/load.h"
#include "kernel/sys.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/meters.h"
#include "view/names.h"
#include "view/summary.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/drawing.h"
#include "mode/find.h"
#include "mode/history_view.h"
#include "mode/keys.h"
#include "mode/marks.h"
#include "mode/task_scope.h"
#include "mode/terminal_handoff.h"
#include "playback/playback.h"
#include "term/term.h"
#include "term/theme.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

static void fini_appearance(void *state)
{
	struct appearance *look = state;

	cpu_meters_fini(&look->cpus);
	strbuf_fini(&look->footer);
}

int appearance_theme(const struct app *app)
{
	const char *refused = getenv("NO_COLOR");

	if (app->request.settings.theme != SETTING_UNSET)
		return app->request.settings.theme;
	return refused && refused[0] != '\0' ? THEME_MONO : THEME_DEFAULT;
}

void appearance_set_theme(struct app *app)
{
	if (app->term) /* the screen begins with it */
		term_set_theme(app->term, (enum theme)appearance_theme(app));
}

int appearance_strips(const struct app *app)
{
	if (app->request.settings.cpu_strips != SETTING_UNSET)
		return app->request.settings.cpu_strips;
	return engine_session(app->engine)->has_pmu ? CPU_METERS_IPC : CPU_METERS_BUSY;
}

static struct appearance *appearance_of(const struct app *app)
{
	return app->parts[PART_appearance];
}

/* Of the snapshot that is shown; once for each. */
static const struct summary *summarize(struct app *app)
{
	const struct snapshot *snapshot = app_snapshot(app);
	struct appearance *look = appearance_of(app);

	if (look->summary_ns != snapshot->time_ns)
		summary_make(&look->summary, snapshot, engine_session(app->engine),
			     app_metrics(app), app->screen.is_ascii);
	look->summary_ns = snapshot->time_ns;
	return &look->summary;
}

void appearance_forget(struct app *app)
{
	struct appearance *look = appearance_of(app);

	look->history = (struct meter_history){0};
	look->verdict = (struct verdict){0};
	look->summary_ns = 0;
}

void appearance_keep(struct app *app)
{
	const struct snapshot *snapshot = engine_snapshot(app->engine);
	struct summary summary;

	if (!snapshot || snapshot->time_ns == meter_history_newest_ns(&appearance_of(app)->history))
		return;
	if (app_snapshot(app) == snapshot) {
		meter_history_note(&appearance_of(app)->history, snapshot->time_ns, summarize(app));
		return;
	}
	summary_make(&summary, snapshot, engine_session(app->engine), engine_metrics(app->engine),
		     app->screen.is_ascii);
	meter_history_note(&appearance_of(app)->history, snapshot->time_ns, &summary);
}

void appearance_write_machine(const struct load *load, struct summary_machine *machine)
{
	char used[UNITS_TEXT_MAX], all[UNITS_TEXT_MAX], days[16] = "";
	const uint64_t minutes = load->uptime_s / 60, hours = minutes / 60;

	*machine = (struct summary_machine){
		.memory_pct = units_pct(load->memory_used_bytes, load->memory_bytes),
		.swap_pct = units_pct(load->swap_used_bytes, load->swap_bytes),
	};
	snprintf(machine->load, sizeof(machine->load), "%.2f %.2f %.2f", load->runnable[0],
		 load->runnable[1], load->runnable[2]);
	units_format_bytes(used, load->memory_used_bytes);
	units_format_bytes(all, load->memory_bytes);
	snprintf(machine->memory, sizeof(machine->memory), "%s/%s", used, all);
	units_format_bytes(used, load->swap_used_bytes);
	units_format_bytes(all, load->swap_bytes);
	if (load->swap_bytes > 0)
		snprintf(machine->swap, sizeof(machine->swap), "%s/%s", used, all);
	if (hours >= 24)
		snprintf(days, sizeof(days), "%u d ", (unsigned int)(hours / 24) % 100000);
	snprintf(machine->uptime, sizeof(machine->uptime), "%s%u:%02u", days,
		 (unsigned int)(hours % 24), (unsigned int)(minutes % 60));
}

/* Of the present only. */
static void fill_machine(const struct app *app, struct summary *summary)
{
	struct load load;

	summary->machine = (struct summary_machine){0};
	if (app->request.settings.head == HEAD_FULL && !playback_has_keys(app->playback) &&
	    load_read(&load, ""))
		appearance_write_machine(&load, &summary->machine);
}

/* A view of CPUs needs no strips of them. */
void appearance_build(struct app *app)
{
	struct appearance *look = appearance_of(app);
	const struct snapshot *snapshot = app_snapshot(app);
	const enum cpu_meters_by strips = (enum cpu_meters_by)appearance_strips(app);

	summarize(app);
	fill_machine(app, &look->summary);
	look->has_cpus = strips != CPU_METERS_OFF && !view_is_of_cpus(app_current(app)->info);
	if (look->has_cpus)
		cpu_meters_make(&look->cpus, strips, snapshot, engine_session(app->engine),
				app_metrics(app));
}

void appearance_judge(struct app *app)
{
	struct appearance *look = appearance_of(app);
	const struct app_attached *attached = app->parts[PART_attached];
	struct rule_input input = engine_rule_input(app->engine, app_snapshot(app));

	if (!app->request.settings.verdict) {
		look->verdict = (struct verdict){0};
		return;
	}
	input.metrics = app_metrics(app);
	if (attach_is_on(attached))
		input.wants_pid = app_wants_process;
	input.scope = app;
	input.scope_number = attached->number;
	verdict_take(&look->verdict, &input);
}

/* Of the commands of a proof one that is refused is the last. */
static bool run_proof(struct app *app, const char *command, struct error *error)
{
	const char *pid = strstr(command, "PID");
	struct strbuf text = {0};
	bool good;

	strbuf_add_bytes(&text, command, pid ? (size_t)(pid - command) : strlen(command));
	if (pid)
		strbuf_printf(&text, "%d", (int)appearance_of(app)->verdict.pid);
	good = command_run(app, strbuf_text(&text), error);
	strbuf_fini(&text);
	return good;
}

void appearance_show_proof(struct app *app)
{
	const char *const *proof = appearance_of(app)->verdict.proof;
	struct error error = {0};

	if (appearance_of(app)->verdict.line[0] == '\0') {
		app_say(app, false,
			app->request.settings.verdict ? "nothing is wrong in what is counted"
						      : "not looked for: verdict is off");
		return;
	}
	while (proof && *proof && run_proof(app, *proof, &error))
		proof++;
	if (error.code != ERROR_NONE)
		app_refuse(app, &error);
}

static const uint64_t LASTS_NS = 20000000000;

enum {
	LINES = 3
};

/* Without and with a PMU, and of a recording. */
static const char *const lines[3][LINES] = {
	{
		"Up/Down select, Enter details; a: attach; /: search; k: signal",
		"P, S: sort by CPU, switches, or click a title; ?: what it means",
		"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
	},
	{
		"Up/Down select, Enter details; a: attach; /: search; k: signal",
		"P I M: sort by CPU, IPC, misses, or click a title; ?: what it means",
		"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
	},
	{
		"Space: play or stop; Left, Right: an interval back or on; g: to a time",
		"Up/Down select, Enter details; /: search; click a title: sort by it",
		"Tab: CPUs, switches and more; F1: all keys and numbers; q: leave",
	},
};

void welcome_begin(struct app *app)
{
	appearance_of(app)->welcome_until_ns = sys_now_ns() + LASTS_NS;
}

void welcome_end(struct app *app)
{
	app->needs_drawing = app->needs_drawing || appearance_of(app)->welcome_until_ns != 0;
	appearance_of(app)->welcome_until_ns = 0;
}

/* The lines are over the end of the table as long as they are to be seen. */
static void welcome_show(struct app *app, struct frame *frame)
{
	if (sys_now_ns() >= appearance_of(app)->welcome_until_ns)
		appearance_of(app)->welcome_until_ns = 0;
	if (appearance_of(app)->welcome_until_ns != 0 && !frame->prompt)
		frame->covered = LINES;
}

static void welcome_draw(struct app *app, const struct frame *frame)
{
	const char *const *texts =
		lines[engine_is_replay(app->engine) ? 2 : engine_session(app->engine)->has_pmu];
	struct screen *screen = &app->screen;
	int count = 0;
	int y = 0;

	if (appearance_of(app)->welcome_until_ns != 0 && !frame->prompt)
		y = frame_covered(screen, frame, &count);
	for (int i = 0; i < count && i < LINES; i++) {
		screen_fill(screen, 0, y + i, screen->width, " ", STYLE_NORMAL);
		paragraph_draw_cut(screen, 2, y + i, screen->width - 2, texts[i], STYLE_DIM);
	}
}

static void welcome_shorten(struct app *app)
{
	struct appearance *look = appearance_of(app);

	if (!look->summary.pmu_is_short)
		return;
	if (look->pmu_since_ns == 0)
		look->pmu_since_ns = sys_now_ns();
	/* a recording's screen depends on nothing but its keys */
	if (!engine_is_replay(app->engine) && sys_now_ns() - look->pmu_since_ns >= LASTS_NS)
		look->is_pmu_over = true;
	if (look->is_pmu_over)
		look->summary.pmu[0] = '\0';
}

void welcome_end_pmu(struct app *app)
{
	appearance_of(app)->is_pmu_over = true;
	app->needs_drawing = true;
}

enum {
	KEYS_MAX = 32,
	ACTIVITY_MAX = 48
};

/* Everything that a frame points to. */
struct frame_data {
	struct frame_key keys[KEYS_MAX];
	struct strbuf mode, filters, history, slider, nothing; /* owned */
	char activity[ACTIVITY_MAX];
};

/* And what became of it, first: a long one is cut. */
static void write_filter(const struct app *app, struct strbuf *out)
{
	const char *unsupported = view_table_filter_unsupported(app->table);
	size_t position;

	strbuf_add(out, "filter");
	if (unsupported)
		strbuf_printf(out, " (left out: no %s here)", unsupported);
	else if (view_table_filter_fault(app->table, &position)[0] != '\0')
		strbuf_printf(out, " (left out: %s)",
			      view_table_filter_fault(app->table, &position));
	strbuf_add(out, ": ");
	filters_write(strbuf_text(&app->filter), out, app->screen.is_ascii);
}

/* What narrows the rows, for the right end of the tab line. */
static void write_filters(const struct app *app, struct strbuf *out)
{
	const struct app_attached *attached = app->parts[PART_attached];

	record_command_write(app, out);
	if (playback_is_frozen(app->playback) && !engine_is_replay(app->engine))
		strbuf_add(out, "frozen  ");
	compared_write(app, out);
	history_view_write_filters(app, out);
	task_scope_write(app, out);
	if (attach_is_on(attached))
		strbuf_printf(out, "attached: %s  ", attached->name);
	if (app->request.uid >= 0)
		strbuf_printf(out, "user: %s  ",
			      users_name(view_table_users(app->table), app->request.uid));
	if (app->request.settings.idle)
		strbuf_add(out, playback_lacks_idle(app->playback) ? "idle tasks are not kept  "
								   : "idle too  ");
	row_marks_write(app, out);
	if (app->filter.length > 0)
		write_filter(app, out);
}

/* What is shown where there are no rows; NULL: nothing special. */
static const char *words_for_no_rows(const struct app *app, struct strbuf *buffer)
{
	const char *words = history_view_nothing(app);

	if (words)
		return words;
	if (engine_list_unseen(app->engine, buffer)) {
		strbuf_add(buffer, ": not in this recording, as far as it was played");
		return strbuf_text(buffer);
	}
	if (app->filter.length > 0 && !view_table_filter_unsupported(app->table))
		return mode_is_open(app, &prompt_mode)
			       ? "no row passes the filter"
			       : "no row passes the filter; Esc takes it off";
	if (engine_session(app->engine)->scope == SCOPE_TASKS)
		return app->views[app->view].info->nothing_of_tasks;
	return NULL;
}

/* What can be said only when something has been measured. */
static void fill_measured(struct app *app, struct frame_data *frame_data, struct frame *frame)
{
	const struct drawing *drawing = app_drawing(app);
	/* how many of the switches were against the will of the outgoing task */
	const char *preempted = appearance_of(app)->summary.meters[METER_PREEMPTED].text;
	struct slider_marks place;

	welcome_shorten(app);
	frame->head.form = (enum head_form)app->request.settings.head;
	frame->head.summary = &appearance_of(app)->summary;
	frame->head.meters = &appearance_of(app)->history;
	frame->head.time_ns = app_snapshot(app)->time_ns;
	frame->cpus = appearance_of(app)->has_cpus ? &appearance_of(app)->cpus : NULL;
	frame->table = app->table;
	frame->nothing = words_for_no_rows(app, &frame_data->nothing);
	frame->body = drawing ? drawing->draw : NULL;
	frame->body_context = app;
	place = playback_write_slider(app->playback, (size_t)app->screen.width,
				      app->screen.is_ascii, &frame_data->slider);
	frame->slider_mark = place.mark;
	frame->slider_first = place.first;
	frame->slider_cells = place.cells;
	frame->slider = strbuf_text(&frame_data->slider);
	history_view_write_history(app, &frame_data->history);
	if (app_current(app)->info->needs_history && strcmp(preempted, "-") != 0)
		snprintf(frame_data->activity, ACTIVITY_MAX, "%s preempted", preempted);
	frame->head.history = strbuf_text(&frame_data->history);
	frame->head.activity = frame_data->activity;
	frame->footer = strbuf_text(&appearance_of(app)->footer);
	frame->footer_is_warning = appearance_of(app)->footer_is_warning;
	frame->verdict = appearance_of(app)->verdict.line;
	frame->verdict_key = keys_find(app->parts[PART_keys], "proof");
}

static void fill_frame(struct app *app, struct frame_data *frame_data, struct frame *frame)
{
	*frame = (struct frame){
		.views = app->views,
		.tab_count = app_tabs(app),
		.active_tab = app->view,
		.list = &app->lists[app->view],
		.message = app->message.text,
		.message_is_error = app->message.is_error,
		.keys = frame_data->keys,
		.key_count = mode_keys(app, frame_data->keys, KEYS_MAX),
	};
	mode_show(app, frame);
	welcome_show(app, frame);
	view_order_write_mode(app, &frame_data->mode);
	frame->tab_mode = strbuf_text(&frame_data->mode);
	if (app_snapshot(app))
		fill_measured(app, frame_data, frame);
	write_filters(app, &frame_data->filters);
	frame->filters = strbuf_text(&frame_data->filters);
}

void compose_frame_draw(struct app *app)
{
	struct frame_data frame_data = {0};
	struct frame frame;

	if (terminal_handoff_is_on(app))
		return;
	fill_frame(app, &frame_data, &frame);
	mode_draw(app, &frame);
	welcome_draw(app, &frame);
	if (app->term)
		term_paint(app->term, &app->screen);
	strbuf_fini(&frame_data.mode);
	strbuf_fini(&frame_data.filters);
	strbuf_fini(&frame_data.history);
	strbuf_fini(&frame_data.slider);
	strbuf_fini(&frame_data.nothing);
	app->needs_drawing = false;
}

const struct app_part part_appearance = {.bytes = sizeof(struct appearance),
					 .fini = fini_appearance};
