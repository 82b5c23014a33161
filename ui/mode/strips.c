/*
 * Times are record time. A cell begins at a whole number of its own lengths, so that the cells of
 * a live strip move to the left as they are instead of being cut anew at each refresh.
 *
 * A task keeps its colour for as long as it is among those that ran most.
 *
 * From top to bottom: strips, axis, legend, sentence. At least one strip is always there; the
 * sentence comes in first, then the axis, then the legend. Where there are more CPUs than lines
 * the strips scroll with the cursor.
 */
#include "mode/strips.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/minmax.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/session.h"
#include "view/rows.h"
#include "view/timeline.h"
#include "view/trends.h"
#include "view/window.h"

#include "mode/app.h"
#include "mode/attach.h"
#include "mode/command.h"
#include "mode/drawing.h"
#include "mode/history_view.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "term/screen.h"
#include "widget/paragraph.h"

enum {
	CHUNK = 4096,
	COLOUR_IPC = 1,   /* of the setting colour: cells show the IPC, not the task */
	LABEL = 5,        /* columns of a CPU's number, and a blank */
	DETAIL_LEAST = 3, /* least lines for the sentence, */
	AXIS_LEAST = 5,   /* the axis and */
	LEGEND_LEAST = 7, /* the legend, which has more where they are left over */
	DETAIL_MOST = 2,
	GAP = 2
};

static const double IPC_FULL = 4.0; /* the highest block: this and above */

/* clang-format off */
static const uint64_t spans[] = { /* ns */
	   100000000,    200000000,    500000000,
	  1000000000,   2000000000,   5000000000,
	 10000000000,  20000000000,  50000000000,
	100000000000, 200000000000, 500000000000,
	0 /* all of the history */
};
/* clang-format on */

enum {
	SPAN_COUNT = sizeof(spans) / sizeof(*spans),
	SPAN_FIRST = 6
};

static void init_strips(void *state)
{
	*(struct strips *)state = (struct strips){.span_ns = spans[SPAN_FIRST]};
}

static void fini_strips(void *state)
{
	struct strips *strips = state;

	timeline_fini(&strips->timeline);
	free(strips->cpus);
}

static void add_strip_cpu(struct strips *strips, int cpu)
{
	size_t place = 0;

	while (place < strips->cpu_count && strips->cpus[place] < cpu)
		place++;
	if (place < strips->cpu_count && strips->cpus[place] == cpu)
		return;
	array_reserve(&strips->cpus, &strips->cpu_capacity, strips->cpu_count + 1,
		      sizeof(*strips->cpus));
	memmove(&strips->cpus[place + 1], &strips->cpus[place],
		(strips->cpu_count - place) * sizeof(*strips->cpus));
	strips->cpus[place] = cpu;
	strips->cpu_count++;
}

/* Where tasks are watched and not CPUs, those on which they were seen. */
static void find_cpus(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct snapshot *snapshot = app_snapshot(app);
	const struct history *history = playback_history(app->playback);
	uint64_t numbers[CHUNK];

	strips->cpu_count = 0;
	for (size_t i = 0; snapshot && i < snapshot->cpu_count; i++)
		add_strip_cpu(strips, snapshot->cpus[i].cpu);
	if (strips->cpu_count > 0 || !history)
		return;
	for (uint64_t i = history_first(history); i < history_settled(history); i += CHUNK) {
		const uint64_t left = history_settled(history) - i;
		const size_t count = left < CHUNK ? (size_t)left : CHUNK;

		history_numbers(history, i, count, HISTORY_CPU, numbers);
		for (size_t j = 0; j < count; j++)
			if (numbers[j] <= INT_MAX)
				add_strip_cpu(strips, (int)numbers[j]);
	}
}

/* Keeps the cursor in what is shown, and that in what there is. */
static void place_end(struct strips *strips, const struct playback_reach *reach, uint64_t span_ns)
{
	const uint64_t newest = reach->newest_ns + 1;

	if (strips->cursor_ns == 0) {
		strips->end_ns = newest;
		return;
	}
	if (strips->cursor_ns < reach->oldest_ns)
		strips->cursor_ns = reach->oldest_ns;
	if (strips->cursor_ns > reach->newest_ns)
		strips->cursor_ns = reach->newest_ns;
	if (strips->end_ns > strips->cursor_ns + span_ns || strips->end_ns <= strips->cursor_ns)
		strips->end_ns = strips->cursor_ns + span_ns / 2;
	if (strips->end_ns < reach->oldest_ns + span_ns)
		strips->end_ns = reach->oldest_ns + span_ns;
	if (strips->end_ns > newest)
		strips->end_ns = newest;
}

static size_t find_strip_owner(const struct strips *strips, uint64_t task)
{
	size_t colour = 0;

	while (colour < TIMELINE_COLOURS && strips->owners[colour] != task)
		colour++;
	return colour;
}

static bool is_in_legend(const struct timeline *timeline, uint64_t task)
{
	for (size_t i = 0; i < timeline->legend_count; i++)
		if (timeline->legend[i].task == task)
			return true;
	return false;
}

static void name_colour(struct app *app, size_t colour, uint64_t number)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct actor *actor = history_find_actor(playback_history(app->playback), number);
	char words[STRIP_NAME];

	actor_write_words(actor, words, sizeof(words));
	text_safe(strips->names[colour], STRIP_NAME, words, app->screen.is_ascii);
}

/* What had a colour before and is still there keeps it; the others get what is free. */
static void give_colours(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;

	for (size_t i = 0; i < TIMELINE_COLOURS; i++) {
		if (!is_in_legend(timeline, strips->owners[i])) {
			strips->owners[i] = 0;
			strips->names[i][0] = '\0';
		}
	}
	for (size_t i = 0; i < timeline->legend_count; i++) {
		const uint64_t task = timeline->legend[i].task;
		size_t colour = find_strip_owner(strips, task);

		if (colour == TIMELINE_COLOURS)
			colour = find_strip_owner(strips, 0);
		strips->owners[colour] = task;
		strips->colours[i] = (unsigned int)colour;
		name_colour(app, colour, timeline->legend[i].actor);
	}
}

/* How long a cell is; all of the history needs one more, since cells begin where they do. */
static uint64_t cell_length(const struct strips *strips, const struct playback_reach *reach,
			    size_t cells)
{
	const uint64_t all_ns = reach->newest_ns - reach->oldest_ns + 1;

	if (strips->span_ns > 0)
		return (strips->span_ns + cells - 1) / cells;
	return cells > 1 ? all_ns / (cells - 1) + 1 : all_ns;
}

/* Behind the last cell: at a whole number of cells, and the cursor before it. */
static uint64_t strips_end(const struct strips *strips, uint64_t cell_ns, uint64_t span_ns)
{
	const uint64_t end_ns = (strips->end_ns + cell_ns - 1) / cell_ns * cell_ns;

	if (strips->cursor_ns != 0 && strips->cursor_ns + span_ns < end_ns)
		return end_ns - cell_ns;
	return end_ns;
}

static uint64_t hash_pids(const struct timeline_input *input)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < input->pid_count; i++)
		sum = hash_mix(sum, (uint64_t)input->pids[i]);
	return sum;
}

/* Whether a frozen strip is to show another stretch than the one before; notes which. */
static bool input_has_changed(struct app *app, const struct timeline_input *input)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline_input *made = &strips->made_of;
	const bool is_frozen = playback_is_frozen(app->playback);
	const bool is_same = is_frozen && made->history == input->history &&
			     strips->made_entries == history_settled(input->history) &&
			     made->end_ns == input->end_ns && made->span_ns == input->span_ns &&
			     made->cell_count == input->cell_count &&
			     made->needs_ipc == input->needs_ipc &&
			     strips->made_pids == hash_pids(input);

	strips->made_of = *input;
	strips->made_pids = hash_pids(input);
	strips->made_entries = history_settled(input->history);
	if (!is_frozen)
		strips->made_of.history = NULL;
	return !is_same;
}

/* At least 1. */
static size_t cells_of(int width)
{
	return width > LABEL + 1 ? (size_t)(width - LABEL) : 1;
}

static void build_strips(struct app *app)
{
	struct app_attached *attached = app->parts[PART_attached];
	struct strips *strips = app->parts[PART_timeline];
	const size_t cells = cells_of(app->screen.width);
	struct timeline_input input = {
		.history = playback_history(app->playback),
		.layout = app_snapshot(app)->layout,
		.metrics = app_metrics(app),
		.cell_count = cells,
		.needs_ipc = app->request.settings.colour == COLOUR_IPC,
	};
	struct playback_reach reach;
	uint64_t cell_ns;

	/* the IPC is that of all tasks */
	if (!input.needs_ipc) {
		input.pids = attached->pids;
		input.pid_count = attached->count;
	}
	if (!strips->made_of.history || strips->made_of.history != input.history)
		find_cpus(app);
	if (!playback_reach(app->playback, &reach) || strips->cpu_count == 0) {
		strips->timeline.strip_count = 0;
		strips->made_of.history = NULL;
		return;
	}
	cell_ns = cell_length(strips, &reach, cells);
	input.span_ns = cell_ns * cells;
	place_end(strips, &reach, input.span_ns);
	input.cpus = strips->cpus;
	input.cpu_count = strips->cpu_count;
	input.end_ns = strips_end(strips, cell_ns, input.span_ns);
	if (!input_has_changed(app, &input))
		return;
	timeline_make(&strips->timeline, &input);
	give_colours(app);
}

/* The selected strip; the first where the CPU has gone. */
size_t strips_index(const struct strips *strips)
{
	for (size_t i = 0; i < strips->timeline.strip_count; i++)
		if (strips->timeline.strips[i].cpu == strips->cpu)
			return i;
	return 0;
}

/* SIZE_MAX: there is no cursor. */
size_t strips_cell_index(const struct strips *strips)
{
	const struct timeline *timeline = &strips->timeline;

	if (strips->cursor_ns == 0 || timeline->strip_count == 0 ||
	    strips->cursor_ns < timeline->begin_ns)
		return SIZE_MAX;
	return (size_t)((strips->cursor_ns - timeline->begin_ns) / timeline->cell_ns);
}

/* NULL: there is no cursor, or it is outside. */
static const struct timeline_cell *strips_cell(const struct strips *strips)
{
	const size_t cell = strips_cell_index(strips);

	if (cell >= strips->timeline.cell_count)
		return NULL;
	return &strips->timeline.strips[strips_index(strips)].cells[cell];
}

static const struct actor *find_actor(const struct app *app)
{
	const struct timeline_cell *cell = strips_cell(app->parts[PART_timeline]);

	if (!cell || cell->actor < ACTOR_FIRST)
		return NULL;
	return history_find_actor(playback_history(app->playback), cell->actor);
}

void strips_release(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];

	strips->made_of.history = NULL;
	strips->cursor_ns = 0;
	strips->end_ns = 0;
}

/* The newest cell of the selected CPU in which something is known. */
static size_t last_known_cell(const struct strips *strips)
{
	const struct timeline *timeline = &strips->timeline;
	const struct timeline_strip *strip = &timeline->strips[strips_index(strips)];
	size_t cell = timeline->cell_count;

	while (cell > 1 && strip->cells[cell - 1].kind == TIMELINE_NOTHING)
		cell--;
	return cell - 1;
}

/* Sees to it that there is a cursor; false: there is nothing to put it on. */
static bool take_cursor(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;

	if (timeline->strip_count == 0)
		return false;
	if (strips->cursor_ns != 0)
		return true;
	if (!playback_is_frozen(app->playback)) {
		playback_stop(app->playback);
		if (playback_is_frozen(app->playback))
			app_say(app, false, "frozen, still counting; %s: resume",
				keys_name_of(app->parts[PART_keys], "freeze"));
	}
	strips->end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;
	strips->cursor_ns = timeline->begin_ns + last_known_cell(strips) * timeline->cell_ns +
			    timeline->cell_ns / 2;
	app->needs_build = true;
	return true;
}

/* Moves the cursor and what is shown in time; build() keeps them in what there is. */
static void shift(struct strips *strips, int64_t cursor_ns, int64_t end_ns)
{
	const uint64_t back = cursor_ns < 0 ? (uint64_t)-cursor_ns : 0;

	strips->cursor_ns = back >= strips->cursor_ns ? 1 : strips->cursor_ns + (uint64_t)cursor_ns;
	strips->end_ns += (uint64_t)end_ns;
}

static void step_strips(struct app *app, int cells)
{
	struct strips *strips = app->parts[PART_timeline];
	const bool had_cursor = strips->cursor_ns != 0;

	/* the first key only shows where the cursor is */
	if (!take_cursor(app) || !had_cursor)
		return;
	shift(strips, cells * (int64_t)strips->timeline.cell_ns, 0);
	app->needs_build = true;
}

/* The list's cursor goes along: a search begins there. */
static void select_strip(struct app *app, size_t strip)
{
	struct strips *strips = app->parts[PART_timeline];

	strips->cpu = strips->timeline.strips[strip].cpu;
	for (size_t i = 0; i < view_table_row_count(app->table); i++) {
		const struct snapshot_cpu *cpu = view_table_row(app->table, i)->cpu;

		if (cpu && cpu->cpu == strips->cpu && hosts_has_row(app, i))
			list_select(&app->lists[app->view], app->table, i);
	}
}

static void reveal_strip(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct view_row *row = app_row(app);

	if (row && row->cpu)
		strips->cpu = row->cpu->cpu;
}

static void click_strips(struct app *app, struct hit hit)
{
	const size_t strip = hit.index, cell = (size_t)hit.column;
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;

	if (hit.kind != HIT_CELL || strip >= timeline->strip_count ||
	    cell >= timeline->cell_count || !take_cursor(app))
		return;
	select_strip(app, strip);
	strips->cursor_ns = timeline->begin_ns + cell * timeline->cell_ns + timeline->cell_ns / 2;
	app->needs_build = true;
}

static void select_cpu(struct app *app, int by)
{
	struct strips *strips = app->parts[PART_timeline];
	const size_t count = strips->timeline.strip_count;
	const size_t index = strips_index(strips);

	if (count == 0)
		return;
	if (by < 0 && index > 0)
		select_strip(app, index - 1);
	if (by > 0 && index + 1 < count)
		select_strip(app, index + 1);
	app->needs_drawing = true;
}

static void shift_span(struct app *app, int by)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;
	const int64_t span_ns = (int64_t)(timeline->cell_ns * timeline->cell_count);

	shift(strips, by * span_ns, by * span_ns);
}

static void move_strip(struct app *app, enum cursor_motion motion)
{
	struct strips *strips = app->parts[PART_timeline];
	struct playback_reach reach;

	if (motion == CURSOR_UP || motion == CURSOR_DOWN) {
		select_cpu(app, motion == CURSOR_UP ? -1 : 1);
		return;
	}
	if (!take_cursor(app))
		return;
	app->needs_build = true;
	switch (motion) {
	case CURSOR_PAGE_UP:
		shift_span(app, -1);
		return;
	case CURSOR_PAGE_DOWN:
		shift_span(app, 1);
		return;
	case CURSOR_HOME:
		strips->cursor_ns = 1;
		return;
	case CURSOR_END:
		if (playback_reach(app->playback, &reach))
			strips->cursor_ns = reach.newest_ns;
		return;
	case CURSOR_UP:
	case CURSOR_DOWN:
		return;
	}
}

static size_t span_index(const struct strips *strips)
{
	size_t index = 0;

	while (index + 1 < SPAN_COUNT && spans[index] != strips->span_ns)
		index++;
	return index;
}

/* The longest one that is shorter than the history; one step on all of it is shown. */
static size_t longest_index(const struct playback_reach *reach)
{
	size_t index = 0;

	while (index + 2 < SPAN_COUNT && spans[index + 1] < reach->newest_ns - reach->oldest_ns)
		index++;
	return index;
}

static void say_span(struct app *app)
{
	struct strips *strips = app->parts[PART_timeline];
	char text[UNITS_TEXT_MAX];

	if (strips->span_ns == 0) {
		app_say(app, false, "showing the whole history");
		return;
	}
	units_format_span(text, strips->span_ns);
	app_say(app, false, "showing %s", text);
}

static void zoom(struct app *app, int by)
{
	struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;
	const uint64_t before_ns = timeline->cell_ns * timeline->cell_count;
	size_t index = span_index(strips);
	struct playback_reach reach;

	if (!playback_reach(app->playback, &reach))
		return;
	if (by < 0)
		index = strips->span_ns == 0 ? longest_index(&reach) : index > 0 ? index - 1 : 0;
	else
		index = index >= longest_index(&reach) ? SPAN_COUNT - 1 : index + 1;
	strips->span_ns = spans[index];
	/* the cursor keeps its place on the screen */
	if (strips->cursor_ns != 0 && before_ns > 0 && strips->end_ns > strips->cursor_ns)
		strips->end_ns = strips->cursor_ns +
				 (uint64_t)((double)(strips->end_ns - strips->cursor_ns) /
					    (double)before_ns * (double)strips->span_ns);
	say_span(app);
	app->needs_build = true;
}

/* What is said below the strips of the slice in the cell under the cursor. */

static void write_clock(const struct app *app, uint64_t time_ns, int decimals,
			char text[static UNITS_TEXT_MAX])
{
	const int64_t offset_ns = engine_session(app->engine)->wall_offset_ns;

	units_format_clock(text, session_wall_ns(offset_ns, time_ns), decimals);
}

static double slice_ipc(struct app *app, const struct switch_entry *entry)
{
	const struct metrics *metrics = app_metrics(app);
	const int ipc = metrics_find(metrics, "ipc");

	if (ipc < 0 || !entry->has_counts || !metrics_is_available(metrics, (size_t)ipc))
		return NAN;
	return metrics_eval(metrics, (size_t)ipc, entry->counts, 0, entry->slice_ns).value;
}

static void add_strip_actor(const struct app *app, struct strbuf *out, uint64_t number)
{
	char words[STRIP_NAME];

	actor_write_words(history_find_actor(playback_history(app->playback), number), words,
			  sizeof(words));
	if (words[0] == '\0')
		strbuf_add(out, "an unknown task");
	else
		text_append_safe(out, words, strlen(words), app->screen.is_ascii);
}

/* "nginx 4711 ran 3.98ms until 12:03:44.120482, preempted; kworker/2:1 88 came; IPC 0.31" */
static void emit_slice(struct app *app, struct strbuf *out, const struct switch_entry *entry)
{
	const double ipc = slice_ipc(app, entry);
	char length[UNITS_TEXT_MAX] = "-", clock[32];

	if (entry->slice_ns != SWITCH_NS_UNKNOWN)
		units_format_duration(length, entry->slice_ns);
	write_clock(app, entry->time_ns, 6, clock);
	add_strip_actor(app, out, entry->prev);
	strbuf_printf(out, entry->prev == ACTOR_IDLE ? " for %s until %s" : " ran %s until %s",
		      length, clock);
	if (entry->prev != ACTOR_IDLE)
		strbuf_printf(out, ", %s%s",
			      entry->how == SWITCH_UNKNOWN ? "why is unknown"
							   : switch_how_name(entry->how),
			      switch_how_mark(entry));
	strbuf_add(out, "; ");
	add_strip_actor(app, out, entry->next);
	strbuf_add(out, entry->next == ACTOR_IDLE ? " followed" : " came");
	if (isfinite(ipc))
		strbuf_printf(out, "; IPC %.2f", ipc);
}

static void write_strip_cell(struct app *app, struct strbuf *out, const struct timeline_cell *cell)
{
	const struct history *history = playback_history(app->playback);
	struct switch_entry entry;
	uint64_t *counts;

	if (cell->kind == TIMELINE_NOTHING) {
		strbuf_add(out, "nothing is known of this time");
		return;
	}
	if (cell->sequence < history_first(history) || cell->sequence >= history_settled(history)) {
		add_strip_actor(app, out, cell->actor);
		strbuf_add(out,
			   cell->actor == ACTOR_IDLE ? ", and still is" : " runs, and runs on");
		return;
	}
	counts = xcalloc(history_width(history), sizeof(*counts));
	history_get(history, cell->sequence, &entry, counts);
	emit_slice(app, out, &entry);
	free(counts);
}

/* What a cell shows, where there is no cursor. */
static void write_hint(const struct app *app, struct strbuf *out)
{
	const struct app_attached *attached = app->parts[PART_attached];
	const char *shown = app->request.settings.colour == COLOUR_IPC
				    ? "the IPC of all tasks in it"
			    : attached->count > 0
				    ? "what is attached where it ran, else the task with most of it"
				    : "the task with most of it";

	strbuf_printf(out, "A cell shows %s. Left, Right: go to one, and freeze", shown);
}

/* What it and all tasks had of the cell's time. */
static void write_cell_shares(struct strbuf *out, const struct timeline_cell *cell)
{
	if (!isfinite(cell->busy_pct))
		return;
	strbuf_add(out, " (of the cell's time ");
	if (cell->actor >= ACTOR_FIRST)
		strbuf_printf(out, "it ran %.0f %%, all ", cell->actor_pct);
	strbuf_printf(out, "tasks ran %.0f %%)", cell->busy_pct);
}

static void write_strip_detail(struct app *app, struct strbuf *out)
{
	const struct strips *strips = app->parts[PART_timeline];
	const struct timeline_cell *cell = strips_cell(strips);

	if (!cell) {
		write_hint(app, out);
		return;
	}
	strbuf_printf(out, "CPU %d: ", strips->timeline.strips[strips_index(strips)].cpu);
	write_strip_cell(app, out, cell);
	write_cell_shares(out, cell);
}

/* Blocks in steps of half an instruction per cycle; in ASCII digits that are twice the IPC. */
static void draw_ipc(struct screen *screen, int x, int y, const struct timeline_cell *cell)
{
	const double share = cell->ipc / IPC_FULL;
	const char digit[] = {(char)('0' + (int)fmin(share * 8, 9)), '\0'};

	if (isnan(share))
		screen_text(screen, x, y, 1, "?", STYLE_DIM);
	else
		screen_text(screen, x, y, 1, screen->is_ascii ? digit : spark_sign(share, false),
			    style_of_goodness(cell->goodness, STYLE_NORMAL));
}

static void draw_task(struct screen *screen, const struct strips *strips, int x, int y,
		      const struct timeline_cell *cell)
{
	char letter[2] = "#";
	enum style style = STYLE_NORMAL;

	if (cell->colour < TIMELINE_COLOURS) {
		const unsigned int colour = strips->colours[cell->colour];

		letter[0] = (char)('a' + colour);
		style = (enum style)(STYLE_TASK_0 + colour);
	}
	screen_text(screen, x, y, 1, letter, style);
}

static void draw_strip_cell(const struct app *app, struct screen *screen, int x, int y,
			    const struct timeline_cell *cell)
{
	switch (cell->kind) {
	case TIMELINE_NOTHING:
		return;
	case TIMELINE_IDLE:
		screen_text(screen, x, y, 1, "·", STYLE_DIM);
		return;
	case TIMELINE_UNKNOWN:
		screen_text(screen, x, y, 1, "?", STYLE_DIM);
		return;
	case TIMELINE_TASK:
		break;
	}
	if (app->request.settings.colour == COLOUR_IPC)
		draw_ipc(screen, x, y, cell);
	else
		draw_task(screen, app->parts[PART_timeline], x, y, cell);
}

static void draw_strip(const struct app *app, struct screen *screen, size_t index, int y)
{
	const struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;
	const struct timeline_strip *strip = &timeline->strips[index];
	const bool is_selected = index == strips_index(strips);
	const size_t cell = strips_cell_index(strips);
	char label[16];

	snprintf(label, sizeof(label), "%d", strip->cpu);
	screen_text_right(screen, 0, y, LABEL - 1, label, STYLE_NORMAL);
	if (is_selected)
		screen_select_columns(screen, y, LABEL - 1);
	for (size_t i = 0; i < timeline->cell_count; i++)
		draw_strip_cell(app, screen, LABEL + (int)i, y, &strip->cells[i]);
	screen_mark(screen, LABEL, y, (int)timeline->cell_count, 1, HIT_CELL, index);
	if (is_selected && cell < timeline->cell_count)
		screen_select_cell(screen, LABEL + (int)cell, y);
}

/* Digits behind the second that distinguish cells. */
static int decimals_of(uint64_t cell_ns)
{
	return cell_ns >= 100000000 ? 1 : cell_ns >= 1000000 ? 3 : 6;
}

/* The ends of the time, and how long a cell is where there is room between them. */
static void draw_axis(const struct app *app, struct screen *screen, int y)
{
	const struct strips *strips = app->parts[PART_timeline];
	const struct timeline *timeline = &strips->timeline;
	const int decimals = decimals_of(timeline->cell_ns), width = screen->width - LABEL;
	const uint64_t span_ns = timeline->cell_ns * timeline->cell_count;
	char begin[UNITS_TEXT_MAX], end[UNITS_TEXT_MAX], cell[UNITS_TEXT_MAX], span[UNITS_TEXT_MAX];
	char scale[2 * UNITS_TEXT_MAX + 8];

	write_clock(app, timeline->begin_ns, decimals, begin);
	write_clock(app, timeline->begin_ns + span_ns, decimals, end);
	screen_text_right(screen, LABEL, y, width, end, STYLE_DIM);
	const int ends = paragraph_width(begin) + paragraph_width(end);
	if (ends + GAP > width)
		return;
	screen_text(screen, LABEL, y, width, begin, STYLE_DIM);
	units_format_duration(cell, timeline->cell_ns);
	units_format_span(span, span_ns);
	snprintf(scale, sizeof(scale), "%s, a cell %s", span, cell);
	const int rest = width - ends - paragraph_width(scale);
	if (rest >= 2 * GAP)
		screen_text(screen, LABEL + paragraph_width(begin) + rest / 2, y, width, scale,
			    STYLE_DIM);
}

/* As many of them as have room whole in the lines; the signs before the last names. Returns how
 * many lines there are. */
static int draw_names(struct screen *screen, const struct strips *strips, int y, int lines,
		      const char *signs)
{
	const int end = screen->width - paragraph_width(signs) - GAP;
	int x = LABEL, line = 0;

	for (unsigned int i = 0; i < TIMELINE_COLOURS; i++) {
		const char letter[] = {(char)('a' + i), '\0'};
		const char *name = strips->names[i];
		const int width = 2 + paragraph_width(name);

		if (name[0] == '\0')
			continue;
		if (x + width > (line + 1 < lines ? screen->width : end) && x > LABEL &&
		    line + 1 < lines) {
			x = LABEL;
			line++;
		}
		if (x + width > (line + 1 < lines ? screen->width : end))
			break;
		screen_text(screen, x, y + line, 1, letter, (enum style)(STYLE_TASK_0 + i));
		x = screen_text(screen, x + 2, y + line, screen->width, name, STYLE_NORMAL) + GAP;
	}
	if (x > end && line + 1 < lines) {
		x = LABEL;
		line++;
	}
	paragraph_draw_cut(screen, x, y + line, screen->width - x, signs, STYLE_DIM);
	return line + 1;
}

static int draw_strip_legend(const struct app *app, struct screen *screen, int y, int lines)
{
	const char *blocks =
		screen->is_ascii
			? "IPC: 0 below 0.5, 1 below 1 ... 9 from 4.5 on  . idle  ? unknown"
			: "IPC: ▁ below 0.5, ▂ below 1 … █ from 3.5 on  · idle  ? unknown";

	if (app->request.settings.colour == COLOUR_IPC) {
		paragraph_draw_cut(screen, LABEL, y, screen->width - LABEL, blocks, STYLE_DIM);
		return 1;
	}
	return draw_names(screen, app->parts[PART_timeline], y, lines,
			  "# others  · idle  ? unknown");
}

static void draw_strips(void *context, const struct frame *frame, struct screen *screen, int y,
			int lines)
{
	struct app *app = context;
	struct strips *strips = app->parts[PART_timeline];
	const size_t count = strips->timeline.strip_count;
	const char *nothing = history_view_nothing(app);
	const int end = y + lines;
	struct strbuf detail = {0};

	if (lines < 1)
		return;
	if (count == 0) {
		paragraph_draw_cut(screen, 0, y, screen->width,
				   nothing ? nothing : "no switch has been seen yet", STYLE_DIM);
		return;
	}
	const int least = (lines >= DETAIL_LEAST) + (lines >= AXIS_LEAST) + (lines >= LEGEND_LEAST);
	const int shown = count < (size_t)(lines - least) ? (int)count : lines - least;
	struct cursor cursor = {.at = strips_index(strips), .top = strips->top};

	cursor_keep(&cursor, count, (size_t)shown);
	strips->top = cursor.top;
	for (int i = 0; i < shown; i++)
		draw_strip(app, screen, strips->top + (size_t)i, y++);
	if (lines >= AXIS_LEAST)
		draw_axis(app, screen, y++);
	if (lines >= LEGEND_LEAST)
		y += draw_strip_legend(app, screen, y, larger(end - y - DETAIL_MOST, 1));
	if (lines >= DETAIL_LEAST) {
		/* what is left of the lines is for a sentence that needs more than one */
		write_strip_detail(app, &detail);
		paragraph_draw(screen, y, smaller(end - y, DETAIL_MOST), strbuf_text(&detail),
			       STYLE_MESSAGE);
		strbuf_fini(&detail);
	}
}

static void write_timeline_mode(struct strbuf *out, const struct view_request *request,
				const struct session *session)
{
	strbuf_add(out, request->settings.colour != 0 ? "IPC" : "");
}

/* clang-format off */
const struct view_info view_timeline = {
	.name = "timeline",
	.short_name = "time",
	.columns = "cpu,busy,cpu%,ipc,sw/s,pre/s",
	.columns_bare = "cpu,busy,cpu%,sw/s,pre/s",
	.essential = "cpu",
	.sort = "cpu",
	.kind = ROW_CPU,
	.filtered = ROW_CPU,
	.needs_history = true,
	.drawing = "timeline",
	.is_screen_only = true,
	.fixed_order = "CPUs are always in the order of their numbers",
	.is_joined = true,
	.make_rows = rows_make_cpus,
	.write_mode = write_timeline_mode,
	.keys = "task,zoom-in,zoom-out,colour,ask hand-over",
	.help = "What each CPU did in the last seconds, as a strip of cells.",
};
/* clang-format on */

const struct drawing drawing_timeline = {
	.part = {.bytes = sizeof(struct strips), .init = init_strips, .fini = fini_strips},
	.build = build_strips,
	.draw = draw_strips,
	.move = move_strip,
	.step = step_strips,
	.zoom = zoom,
	.click = click_strips,
	.reveal = reveal_strip,
	.actor = find_actor,
};
