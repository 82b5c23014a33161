/* Both sides are made with the same request, so that what is summed or folded is so in both. */

#include "view/difference.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/rows.h"
#include "view/table.h"

/* The rows of a snapshot, and where they are. */
struct side {
	struct rows rows;
	struct map by_key; /* index + 1 */
	const struct function_names *names;
};

struct difference {
	struct side now, mark;
	struct metrics *metrics;   /* owned; bound to the mark's layout */
	struct filter *filter;     /* owned; likewise; NULL: none */
	struct cell_source source; /* of the mark's rows */
	struct cell_mark cells;
	bool is_tree;
};

struct difference *difference_create(void)
{
	return xcalloc(1, sizeof(struct difference));
}

static void fini_side(struct side *side)
{
	rows_fini(&side->rows);
	map_fini(&side->by_key);
}

void difference_destroy(struct difference *difference)
{
	if (!difference)
		return;
	fini_side(&difference->now);
	fini_side(&difference->mark);
	metrics_destroy(difference->metrics);
	filter_destroy(difference->filter);
	free(difference);
}

bool difference_is_of_view(const struct view_info *view)
{
	return !view->needs_history && !view->is_log && !view->is_screen_only;
}

/* In a tree a function is below others: its id says below which. */
static uint64_t key_of(const struct difference *difference, const struct side *side,
		       const struct view_row *row)
{
	const struct function *function = row->function;
	struct function_name name;

	if (!function || function->by != CALLS_BY_FUNCTION || difference->is_tree)
		return row->id;
	name = function_names_find(side->names, function->number, function->time_ns);
	return hash_text(hash_text(1, name.function), name.object);
}

static void make_side(const struct difference *difference, struct side *side,
		      const struct rows_input *input)
{
	side->names = input->source->getter_input.function_names;
	input->request->state.info->make_rows(&side->rows, input);
	map_clear(&side->by_key);
	for (size_t i = 0; i < side->rows.count; i++)
		map_put(&side->by_key, key_of(difference, side, &side->rows.rows[i]),
			(void *)(uintptr_t)(i + 1));
}

/* NULL: it has none. */
static const struct view_row *find_row(const struct side *side, uint64_t key)
{
	const size_t place = (size_t)(uintptr_t)map_get(&side->by_key, key);

	return place > 0 ? &side->rows.rows[place - 1] : NULL;
}

/* The filter as it is for the mark's rows; what that cannot be asked is left out of it. */
static const struct filter *bind_filter(struct difference *difference, const struct rows_input *now,
					struct columns *columns)
{
	const struct snapshot *mark = now->request->mark;
	size_t position;

	filter_destroy(difference->filter);
	difference->filter =
		now->filter ? filter_create(now->request->filter, columns, &position, NULL) : NULL;
	if (difference->filter &&
	    !filter_bind(difference->filter, difference->metrics, mark->layout, &position, NULL)) {
		filter_destroy(difference->filter);
		difference->filter = NULL;
	}
	return difference->filter;
}

static void set_mark_source(struct difference *difference, const struct rows_input *now)
{
	const struct snapshot *mark = now->request->mark;

	metrics_destroy(difference->metrics);
	difference->metrics = metrics_create(mark->layout, now->request->metric_set);
	difference->source = *now->source;
	difference->source.mark = NULL;
	difference->source.metrics = difference->metrics;
	difference->source.layout = mark->layout;
	difference->source.getter_input.snapshot = mark;
	difference->source.getter_input.processes = NULL; /* they are as they are now */
}

/* A task that is not among those of now has ended. */
static void mark_ended(struct rows *rows, size_t from, const struct snapshot *now)
{
	struct map tasks = {0};

	for (size_t i = 0; i < now->task_count; i++)
		map_put(&tasks, now->tasks[i].id, &now->tasks[i]);
	for (size_t i = from; i < rows->count; i++)
		if (rows->rows[i].is_gone && rows->rows[i].task)
			rows->rows[i].is_exited |= !map_get(&tasks, rows->rows[i].task->id);
	map_fini(&tasks);
}

/* Those that the mark has shown: as they are now, or as they were. */
static void append_gone(struct difference *difference, const struct rows_input *now,
			const struct rows_input *then, struct rows *shown)
{
	const size_t shown_count = shown->count;
	struct map is_shown = {0};

	for (size_t i = 0; i < shown_count; i++)
		map_put(&is_shown, key_of(difference, &difference->now, &shown->rows[i]),
			difference);
	for (size_t i = 0; i < difference->mark.rows.count; i++) {
		const struct view_row *row = &difference->mark.rows.rows[i];
		const uint64_t key = key_of(difference, &difference->mark, row);
		const struct view_row *is_now = find_row(&difference->now, key);

		if (map_get(&is_shown, key) || !row->is_active || !rows_pass_filter(row, then))
			continue;
		*rows_append(shown) = is_now ? *is_now : *row;
		shown->rows[shown->count - 1].is_gone = !is_now;
	}
	map_fini(&is_shown);
	mark_ended(shown, shown_count, now->snapshot);
}

static const struct view_row *find_marked(const struct difference *difference,
					  const struct view_row *row)
{
	return find_row(&difference->mark, key_of(difference, &difference->now, row));
}

const struct cell_mark *difference_make(struct difference *difference, const struct rows_input *now,
					struct columns *columns, struct rows *shown)
{
	struct view_request request = *now->request;
	struct rows_input all = *now, then = *now;
	const struct view_info *view = request.state.info;

	request.settings.idle = true;
	difference->is_tree = shown->is_tree || view->is_tree;
	set_mark_source(difference, now);
	all.request = then.request = &request;
	then.snapshot = request.mark;
	then.source = &difference->source;
	then.filter = bind_filter(difference, now, columns);
	if (view->kind == view->filtered)
		all.filter = NULL;
	make_side(difference, &difference->now, &all);
	all = then;
	if (view->kind == view->filtered)
		all.filter = NULL;
	make_side(difference, &difference->mark, &all);
	difference->source.getter_input.exited_words =
		strbuf_text(&difference->mark.rows.exited_words);
	difference->source.getter_input.unattributed_words =
		strbuf_text(&difference->mark.rows.unattributed_words);
	if (!shown->is_tree)
		append_gone(difference, now, &then, shown);
	difference->cells = (struct cell_mark){&difference->source, find_marked, difference};
	return &difference->cells;
}
