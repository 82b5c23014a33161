/*
 * The times of the cells, and which tasks have a colour in them. The cells themselves are filled by
 * timeline_maker.c, which is kept as long as it can go on.
 */

#include "view/timeline.h"

#include <limits.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "model/history.h"
#include "view/timeline_maker.h"
#include "view/window.h"

static void set_times(struct timeline *timeline, const struct timeline_input *input)
{
	const uint64_t count = input->cell_count > 0 ? input->cell_count : 1;
	uint64_t span_ns;

	timeline->cell_ns = (input->span_ns + count - 1) / count;
	if (timeline->cell_ns == 0)
		timeline->cell_ns = 1;
	span_ns = timeline->cell_ns * count;
	timeline->begin_ns = input->end_ns > span_ns ? input->end_ns - span_ns : 0;
	timeline->cell_count = input->cell_count;
	timeline->legend_count = 0;
}

/* Strips of cells in which nothing is known. */
static void clear_strips(struct timeline *timeline, const struct timeline_input *input)
{
	const size_t cells = input->cpu_count * input->cell_count;

	timeline_maker_destroy(timeline->maker);
	timeline->maker = NULL;
	timeline->strip_count = input->cpu_count;
	array_reserve(&timeline->cells, &timeline->cell_capacity, cells, sizeof(*timeline->cells));
	array_reserve(&timeline->strips, &timeline->strip_capacity, input->cpu_count,
		      sizeof(*timeline->strips));
	timeline_cells_clear(timeline->cells, cells);
	for (size_t i = 0; i < input->cpu_count; i++) {
		timeline->strips[i] = (struct timeline_strip){
			.cpu = input->cpus[i],
			.cells = cells > 0 ? &timeline->cells[i * input->cell_count] : NULL,
		};
	}
}

static bool ran_more(const void *left, const void *right)
{
	const struct timeline_legend *a = left, *b = right;

	if (a->is_attached != b->is_attached)
		return a->is_attached;
	return a->run_ns != b->run_ns ? a->run_ns > b->run_ns : a->actor < b->actor;
}

static unsigned int colour_of(const struct timeline *timeline, uint64_t task)
{
	for (size_t i = 0; i < timeline->legend_count; i++)
		if (timeline->legend[i].task == task)
			return (unsigned int)i;
	return UINT_MAX;
}

/* How long each task ran in the cells. */
struct runs {
	struct timeline_legend *tasks;
	size_t count, capacity;
	struct map places; /* task to its place in tasks, from 1 on */
};

static void add_cell_run(struct runs *runs, const struct timeline_cell *cell, uint64_t task)
{
	uintptr_t place = (uintptr_t)map_get(&runs->places, task);

	if (place == 0) {
		array_reserve(&runs->tasks, &runs->capacity, runs->count + 1, sizeof(*runs->tasks));
		runs->tasks[runs->count++] = (struct timeline_legend){
			.task = task,
			.is_attached = cell->is_attached,
		};
		place = runs->count;
		map_put(&runs->places, task, (void *)place);
	}
	runs->tasks[place - 1].run_ns += cell->actor_ns;
	if (cell->actor > runs->tasks[place - 1].actor)
		runs->tasks[place - 1].actor = cell->actor;
}

/* A task is another actor after each change of its name. 0: none. */
static uint64_t task_in(const struct history *history, const struct timeline_cell *cell)
{
	const struct actor *actor =
		cell->actor >= ACTOR_FIRST ? history_find_actor(history, cell->actor) : NULL;

	return actor ? actor->task_id : 0;
}

static void make_legend(struct timeline *timeline, const struct history *history)
{
	const size_t cells = timeline->strip_count * timeline->cell_count;
	struct runs runs = {0};

	for (size_t i = 0; i < cells; i++) {
		const struct timeline_cell *cell = &timeline->cells[i];
		const uint64_t task = task_in(history, cell);

		if (task != 0 && cell->actor_ns > 0)
			add_cell_run(&runs, cell, task);
	}
	for (size_t i = 0; i < runs.count; i++)
		rank_insert(timeline->legend, &timeline->legend_count, TIMELINE_COLOURS,
			    sizeof(*timeline->legend), &runs.tasks[i], ran_more);
	for (size_t i = 0; i < cells; i++) {
		const uint64_t task = task_in(history, &timeline->cells[i]);

		timeline->cells[i].colour = task != 0 ? colour_of(timeline, task) : UINT_MAX;
	}
	map_fini(&runs.places);
	free(runs.tasks);
}

void timeline_make(struct timeline *timeline, const struct timeline_input *input)
{
	const bool is_empty = !input->history || input->cpu_count == 0 || input->cell_count == 0 ||
			      history_first(input->history) == history_settled(input->history);

	set_times(timeline, input);
	if (is_empty) {
		clear_strips(timeline, input);
		return;
	}
	if (!timeline->maker || !timeline_maker_can_go_on(timeline->maker, input)) {
		clear_strips(timeline, input);
		timeline->maker = timeline_maker_create(timeline, input);
	}
	timeline_maker_fill(timeline->maker);
	make_legend(timeline, input->history);
}

void timeline_fini(struct timeline *timeline)
{
	timeline_maker_destroy(timeline->maker);
	free(timeline->cells);
	free(timeline->strips);
	*timeline = (struct timeline){0};
}
