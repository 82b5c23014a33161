/*
 * Times are record time. A cell begins at a whole number of its own lengths, so that the cells of
 * a live strip move to the left as they are instead of being cut anew at each refresh.
 *
 * A task keeps its colour for as long as it is among those that ran most.
 */
#include "screen/strips.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"
#include "model/history.h"
#include "view/actors.h"

#include "screen/past.h"

enum {
	CHUNK = 4096
};

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

/* The stretch of time that can be shown. */
struct reach {
	uint64_t oldest_ns, newest_ns;
};

void strips_init(struct strips *strips)
{
	*strips = (struct strips){.span_ns = spans[SPAN_FIRST]};
}

void strips_fini(struct strips *strips)
{
	timeline_fini(&strips->timeline);
	free(strips->cpus);
	*strips = (struct strips){0};
}

bool strips_are_shown(const struct app *app)
{
	return app->views[app->view].info->is_strip;
}

static bool is_empty(const struct history *history)
{
	return history == NULL || history_settled(history) == history_first(history);
}

static struct reach reach_of(const struct app *app)
{
	const struct history *history = past_history(app);
	const uint64_t first = history_first(history);
	const uint64_t last = history_settled(history) - 1;
	const struct snapshot *snapshot = app_snapshot(app);
	struct reach reach = {
		.oldest_ns = history_number(history, first, HISTORY_TIME_NS),
		.newest_ns = history_number(history, last, HISTORY_TIME_NS),
	};

	/* a CPU that has not switched since runs on */
	if (snapshot != NULL && snapshot->time_ns > reach.newest_ns)
		reach.newest_ns = snapshot->time_ns;
	return reach;
}

static void add_cpu(struct strips *strips, int cpu)
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
	struct strips *strips = &app->strips;
	const struct snapshot *snapshot = app_snapshot(app);
	const struct history *history = past_history(app);
	uint64_t numbers[CHUNK];

	strips->cpu_count = 0;
	for (size_t i = 0; snapshot != NULL && i < snapshot->cpu_count; i++)
		add_cpu(strips, snapshot->cpus[i].cpu);
	if (strips->cpu_count > 0 || is_empty(history))
		return;
	for (uint64_t i = history_first(history); i < history_settled(history); i += CHUNK) {
		const uint64_t left = history_settled(history) - i;
		const size_t count = left < CHUNK ? (size_t)left : CHUNK;

		history_numbers(history, i, count, HISTORY_CPU, numbers);
		for (size_t j = 0; j < count; j++) {
			if (numbers[j] <= INT_MAX)
				add_cpu(strips, (int)numbers[j]);
		}
	}
}

/* Keeps the cursor in what is shown, and that in what there is. */
static void place_end(struct strips *strips, const struct reach *reach, uint64_t span_ns)
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

static size_t find_owner(const struct strips *strips, uint64_t actor)
{
	size_t colour = 0;

	while (colour < TIMELINE_COLOURS && strips->owners[colour] != actor)
		colour++;
	return colour;
}

static bool is_in_legend(const struct timeline *timeline, uint64_t actor)
{
	for (size_t i = 0; i < timeline->legend_count; i++) {
		if (timeline->legend[i].actor == actor)
			return true;
	}
	return false;
}

static void name_colour(struct app *app, size_t colour)
{
	const struct actor *actor =
		history_find_actor(past_history(app), app->strips.owners[colour]);
	char words[STRIPS_WORDS];

	actor_write_words(actor, words, sizeof(words));
	text_safe(app->strips.names[colour], STRIPS_WORDS, words, app->ascii);
}

/* Who had a colour before and is still there keeps it; the others get what is free. */
static void give_colours(struct app *app)
{
	struct strips *strips = &app->strips;
	const struct timeline *timeline = &strips->timeline;

	for (size_t i = 0; i < TIMELINE_COLOURS; i++) {
		if (!is_in_legend(timeline, strips->owners[i])) {
			strips->owners[i] = ACTOR_UNKNOWN;
			strips->names[i][0] = '\0';
		}
	}
	for (size_t i = 0; i < timeline->legend_count; i++) {
		const uint64_t actor = timeline->legend[i].actor;
		size_t colour = find_owner(strips, actor);

		if (colour == TIMELINE_COLOURS)
			colour = find_owner(strips, ACTOR_UNKNOWN);
		strips->owners[colour] = actor;
		strips->colours[i] = (unsigned int)colour;
		name_colour(app, colour);
	}
}

/* How long a cell is; all of the history needs one more, since cells begin where they do. */
static uint64_t cell_length(const struct strips *strips, const struct reach *reach, size_t cells)
{
	const uint64_t all_ns = reach->newest_ns - reach->oldest_ns + 1;

	if (strips->span_ns > 0)
		return (strips->span_ns + cells - 1) / cells;
	return cells > 1 ? all_ns / (cells - 1) + 1 : all_ns;
}

/* Behind the last cell: at a whole number of cells, and the cursor before it. */
static uint64_t end_of(const struct strips *strips, uint64_t cell_ns, uint64_t span_ns)
{
	const uint64_t end_ns = (strips->end_ns + cell_ns - 1) / cell_ns * cell_ns;

	if (strips->cursor_ns != 0 && strips->cursor_ns + span_ns < end_ns)
		return end_ns - cell_ns;
	return end_ns;
}

/* Whether a frozen strip is to show another stretch than the one before; notes which. */
static bool has_changed(struct app *app, const struct timeline_input *input)
{
	struct strips *strips = &app->strips;
	const uint64_t cell_ns = input->span_ns / input->cell_count;
	const bool is_same =
		app->frozen != NULL && strips->made_of == input->history &&
		strips->made_entries == history_settled(input->history) &&
		strips->made_end_ns == input->end_ns && strips->made_cell_ns == cell_ns &&
		strips->made_cells == input->cell_count && strips->made_by_ipc == input->needs_ipc;

	strips->made_of = app->frozen != NULL ? input->history : NULL;
	strips->made_entries = history_settled(input->history);
	strips->made_end_ns = input->end_ns;
	strips->made_cell_ns = cell_ns;
	strips->made_cells = input->cell_count;
	strips->made_by_ipc = input->needs_ipc;
	return !is_same;
}

void strips_build(struct app *app)
{
	struct strips *strips = &app->strips;
	const size_t cells = strip_cells(app->screen.width);
	struct timeline_input input = {
		.history = past_history(app),
		.layout = app_snapshot(app)->layout,
		.metrics = app_metrics(app),
		.cell_count = cells,
		.needs_ipc = strips->by_ipc,
	};
	struct reach reach;
	uint64_t cell_ns;

	if (strips->made_of == NULL || strips->made_of != input.history)
		find_cpus(app);
	if (is_empty(input.history) || strips->cpu_count == 0) {
		strips->timeline.strip_count = 0;
		strips->made_of = NULL;
		return;
	}
	reach = reach_of(app);
	cell_ns = cell_length(strips, &reach, cells);
	input.span_ns = cell_ns * cells;
	place_end(strips, &reach, input.span_ns);
	input.cpus = strips->cpus;
	input.cpu_count = strips->cpu_count;
	input.end_ns = end_of(strips, cell_ns, input.span_ns);
	if (!has_changed(app, &input))
		return;
	timeline_make(&strips->timeline, &input);
	give_colours(app);
}

/* The selected strip; the first where the CPU has gone. */
size_t strips_index(const struct strips *strips)
{
	for (size_t i = 0; i < strips->timeline.strip_count; i++) {
		if (strips->timeline.strips[i].cpu == strips->cpu)
			return i;
	}
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
const struct timeline_cell *strips_cell(const struct strips *strips)
{
	const size_t cell = strips_cell_index(strips);

	if (cell >= strips->timeline.cell_count)
		return NULL;
	return &strips->timeline.strips[strips_index(strips)].cells[cell];
}

void strips_release(struct app *app)
{
	app->strips.made_of = NULL;
	app->strips.cursor_ns = 0;
	app->strips.end_ns = 0;
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
	struct strips *strips = &app->strips;
	const struct timeline *timeline = &strips->timeline;

	if (timeline->strip_count == 0)
		return false;
	if (strips->cursor_ns != 0)
		return true;
	if (app->frozen == NULL) {
		player_stop(app);
		if (app->frozen != NULL)
			app_say(app, false, "frozen to look at cells; counting goes on; Z: go on");
	}
	strips->end_ns = timeline->begin_ns + timeline->cell_ns * timeline->cell_count;
	strips->cursor_ns = timeline->begin_ns + last_known_cell(strips) * timeline->cell_ns +
			    timeline->cell_ns / 2;
	app->needs_build = true;
	return true;
}

/* Moves the cursor and what is shown in time; strips_build() keeps them in what there is. */
static void shift(struct strips *strips, int64_t cursor_ns, int64_t end_ns)
{
	const uint64_t back = cursor_ns < 0 ? (uint64_t)-cursor_ns : 0;

	strips->cursor_ns = back >= strips->cursor_ns ? 1 : strips->cursor_ns + (uint64_t)cursor_ns;
	strips->end_ns += (uint64_t)end_ns;
}

void strips_step(struct app *app, int cells)
{
	struct strips *strips = &app->strips;
	const bool had_cursor = strips->cursor_ns != 0;

	/* the first key only shows where the cursor is */
	if (!take_cursor(app) || !had_cursor)
		return;
	shift(strips, cells * (int64_t)strips->timeline.cell_ns, 0);
	app->needs_build = true;
}

void strips_point(struct app *app, size_t strip, size_t cell)
{
	struct strips *strips = &app->strips;
	const struct timeline *timeline = &strips->timeline;

	if (strip >= timeline->strip_count || cell >= timeline->cell_count || !take_cursor(app))
		return;
	strips->cpu = timeline->strips[strip].cpu;
	strips->cursor_ns = timeline->begin_ns + cell * timeline->cell_ns + timeline->cell_ns / 2;
	app->needs_build = true;
}

static void select_cpu(struct app *app, int by)
{
	struct strips *strips = &app->strips;
	const size_t count = strips->timeline.strip_count;
	const size_t index = strips_index(strips);

	if (count == 0)
		return;
	if (by < 0 && index > 0)
		strips->cpu = strips->timeline.strips[index - 1].cpu;
	if (by > 0 && index + 1 < count)
		strips->cpu = strips->timeline.strips[index + 1].cpu;
	app->needs_drawing = true;
}

static void shift_span(struct app *app, int by)
{
	struct strips *strips = &app->strips;
	const struct timeline *timeline = &strips->timeline;
	const int64_t span_ns = (int64_t)(timeline->cell_ns * timeline->cell_count);

	shift(strips, by * span_ns, by * span_ns);
}

void strips_move(struct app *app, enum list_motion motion)
{
	if (motion == LIST_UP || motion == LIST_DOWN) {
		select_cpu(app, motion == LIST_UP ? -1 : 1);
		return;
	}
	if (!take_cursor(app))
		return;
	app->needs_build = true;
	switch (motion) {
	case LIST_PAGE_UP:
		shift_span(app, -1);
		return;
	case LIST_PAGE_DOWN:
		shift_span(app, 1);
		return;
	case LIST_HOME:
		app->strips.cursor_ns = 1;
		return;
	case LIST_END:
		app->strips.cursor_ns = reach_of(app).newest_ns;
		return;
	case LIST_UP:
	case LIST_DOWN:
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
static size_t longest_index(const struct app *app)
{
	const struct reach reach = reach_of(app);
	size_t index = 0;

	while (index + 2 < SPAN_COUNT && spans[index + 1] < reach.newest_ns - reach.oldest_ns)
		index++;
	return index;
}

static void say_span(struct app *app)
{
	char text[UNITS_TEXT_MAX];

	if (app->strips.span_ns == 0) {
		app_say(app, false, "all of the history");
		return;
	}
	units_format_duration(text, app->strips.span_ns);
	app_say(app, false, "%s are shown", text);
}

void strips_zoom(struct app *app, int by)
{
	struct strips *strips = &app->strips;
	const struct timeline *timeline = &strips->timeline;
	const uint64_t before_ns = timeline->cell_ns * timeline->cell_count;
	size_t index = span_index(strips);

	if (is_empty(past_history(app)))
		return;
	if (by < 0)
		index = strips->span_ns == 0 ? longest_index(app) : index > 0 ? index - 1 : 0;
	else
		index = index >= longest_index(app) ? SPAN_COUNT - 1 : index + 1;
	strips->span_ns = spans[index];
	/* the cursor keeps its place on the screen */
	if (strips->cursor_ns != 0 && before_ns > 0 && strips->end_ns > strips->cursor_ns)
		strips->end_ns = strips->cursor_ns +
				 (uint64_t)((double)(strips->end_ns - strips->cursor_ns) /
					    (double)before_ns * (double)strips->span_ns);
	say_span(app);
	app->needs_build = true;
}

bool strips_set_colour(struct app *app, const char *text, struct error *error)
{
	struct strips *strips = &app->strips;

	if (text[0] == '\0')
		strips->by_ipc = !strips->by_ipc;
	else if (strcmp(text, "task") == 0 || strcmp(text, "ipc") == 0)
		strips->by_ipc = text[0] == 'i';
	else
		return error_set(error, ERROR_COMMAND_USAGE, "colour task|ipc", NULL);
	app_say(app, false, "time line: cells show %s", strips->by_ipc ? "the IPC" : "the task");
	app->needs_build = true;
	return true;
}

const struct actor *strips_actor(const struct app *app)
{
	const struct timeline_cell *cell = strips_cell(&app->strips);

	if (cell == NULL || cell->actor < ACTOR_FIRST)
		return NULL;
	return history_find_actor(past_history(app), cell->actor);
}
