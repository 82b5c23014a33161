/*
 * Times are record time. A cell begins at a whole number of its own lengths, so that the cells of
 * a live strip move to the left as they are instead of being cut anew at each refresh.
 *
 * A task keeps its colour for as long as it is among those that ran most.
 */
#include "mode/strips.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/history.h"
#include "view/actors.h"

#include "mode/app.h"
#include "mode/strips_cursor.h"

enum {
	CHUNK = 4096
};

void strips_init(struct strips *strips)
{
	*strips = (struct strips){.span_ns = strips_first_span_ns()};
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
	struct strips *strips = app->strips;
	const struct snapshot *snapshot = app_snapshot(app);
	const struct history *history = playback_history(app->playback);
	uint64_t numbers[CHUNK];

	strips->cpu_count = 0;
	for (size_t i = 0; snapshot && i < snapshot->cpu_count; i++)
		add_cpu(strips, snapshot->cpus[i].cpu);
	if (strips->cpu_count > 0 || !history)
		return;
	for (uint64_t i = history_first(history); i < history_settled(history); i += CHUNK) {
		const uint64_t left = history_settled(history) - i;
		const size_t count = left < CHUNK ? (size_t)left : CHUNK;

		history_numbers(history, i, count, HISTORY_CPU, numbers);
		for (size_t j = 0; j < count; j++)
			if (numbers[j] <= INT_MAX)
				add_cpu(strips, (int)numbers[j]);
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

static size_t find_owner(const struct strips *strips, uint64_t actor)
{
	size_t colour = 0;

	while (colour < TIMELINE_COLOURS && strips->owners[colour] != actor)
		colour++;
	return colour;
}

static bool is_in_legend(const struct timeline *timeline, uint64_t actor)
{
	for (size_t i = 0; i < timeline->legend_count; i++)
		if (timeline->legend[i].actor == actor)
			return true;
	return false;
}

static void name_colour(struct app *app, size_t colour)
{
	const struct actor *actor =
		history_find_actor(playback_history(app->playback), app->strips->owners[colour]);
	char words[STRIPS_WORDS];

	actor_write_words(actor, words, sizeof(words));
	text_safe(app->strips->names[colour], STRIPS_WORDS, words, app->ascii);
}

/* What had a colour before and is still there keeps it; the others get what is free. */
static void give_colours(struct app *app)
{
	struct strips *strips = app->strips;
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
static uint64_t cell_length(const struct strips *strips, const struct playback_reach *reach,
			    size_t cells)
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
	struct strips *strips = app->strips;
	const uint64_t cell_ns = input->span_ns / input->cell_count;
	const bool is_same =
		playback_is_frozen(app->playback) && strips->made_of == input->history &&
		strips->made_entries == history_settled(input->history) &&
		strips->made_end_ns == input->end_ns && strips->made_cell_ns == cell_ns &&
		strips->made_cells == input->cell_count && strips->made_by_ipc == input->needs_ipc;

	strips->made_of = playback_is_frozen(app->playback) ? input->history : NULL;
	strips->made_entries = history_settled(input->history);
	strips->made_end_ns = input->end_ns;
	strips->made_cell_ns = cell_ns;
	strips->made_cells = input->cell_count;
	strips->made_by_ipc = input->needs_ipc;
	return !is_same;
}

void strips_build(struct app *app)
{
	struct strips *strips = app->strips;
	const size_t cells = strip_cells(app->screen.width);
	struct timeline_input input = {
		.history = playback_history(app->playback),
		.layout = app_snapshot(app)->layout,
		.metrics = app_metrics(app),
		.cell_count = cells,
		.needs_ipc = strips->by_ipc,
	};
	struct playback_reach reach;
	uint64_t cell_ns;

	if (!strips->made_of || strips->made_of != input.history)
		find_cpus(app);
	if (!playback_reach(app->playback, &reach) || strips->cpu_count == 0) {
		strips->timeline.strip_count = 0;
		strips->made_of = NULL;
		return;
	}
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
const struct timeline_cell *strips_cell(const struct strips *strips)
{
	const size_t cell = strips_cell_index(strips);

	if (cell >= strips->timeline.cell_count)
		return NULL;
	return &strips->timeline.strips[strips_index(strips)].cells[cell];
}

bool strips_set_colour(struct app *app, const char *text, struct error *error)
{
	struct strips *strips = app->strips;

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
	const struct timeline_cell *cell = strips_cell(app->strips);

	if (!cell || cell->actor < ACTOR_FIRST)
		return NULL;
	return history_find_actor(playback_history(app->playback), cell->actor);
}
