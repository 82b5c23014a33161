/* Both sides are made with the same request, so that what is summed or folded is so in both. */

#include "view/difference.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/branches.h"
#include "view/cell.h"
#include "view/filter.h"
#include "view/functions.h"
#include "view/groups.h"
#include "view/names.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/tree.h"

/* The rows of a snapshot, and where they are. */
struct side {
	struct rows rows;
	struct map by_key; /* index + 1 */
	const struct function_names *names;
	uint64_t *keys; /* owned; of the rows, where one is not known by the row alone */
	size_t key_capacity;
	struct map by_id;        /* index + 1 of these */
	struct map by_number;    /* own keys with numbers, of what may have namesakes; a set */
	struct view_row nothing; /* has 0 of all that is known: a row that is not there */
	struct branch no_branch; /* or function */
	struct task_group no_group;
};

struct difference {
	struct side now, mark;
	struct metrics *metrics;   /* owned; bound to the mark's layout */
	struct filter *filter;     /* owned; likewise; NULL: none */
	struct cell_source source; /* of the mark's rows */
	struct cell_mark cells;
	bool are_calls;     /* each below the one that calls it, or that it calls */
	bool are_functions; /* or what these are summed to */
	bool are_two;       /* recordings */
};

struct difference *difference_create(void)
{
	return xcalloc(1, sizeof(struct difference));
}

static void fini_side(struct side *side)
{
	rows_fini(&side->rows);
	map_fini(&side->by_key);
	map_fini(&side->by_id);
	map_fini(&side->by_number);
	free(side->keys);
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

/* Rows of CPUs are of all processes, those of tasks are chosen by cgroups, which have names. */
static bool are_chosen_by_numbers(const struct view_request *request)
{
	const enum row_kind kind = request->state.info->kind;

	return kind == ROW_FUNCTION || (kind != ROW_CPU && !request->cgroups);
}

static bool knows_cgroups(const struct snapshot *snapshot)
{
	for (size_t i = 0; snapshot && i < snapshot->task_count; i++)
		if (snapshot->tasks[i].cgroup)
			return true;
	return false;
}

/* Of another recording: what is known by numbers alone is not found there. NULL: nothing is. */
static const char *refusal_of_numbers(const struct view_request *request)
{
	const struct view_info *view = request->state.info;

	if (request->mark.is_wider && are_chosen_by_numbers(request))
		return "processes have other numbers in the other recording";
	if (request->cgroups && view->kind != ROW_CPU && !knows_cgroups(request->mark.snapshot))
		return "cgroups are not known in the other recording";
	if (view->kind == ROW_TASK && request->settings.tree)
		return "tasks of two recordings are in no common tree";
	if (view->kind == ROW_GROUP && grouping_get(request->settings.group_by)->is_of_ids)
		return "its groups are numbers, which are others in the other recording";
	return NULL;
}

/* A folded row is the sum of what passes, and of others there. */
static bool sums_what_passes(const struct view_request *request)
{
	const struct folds *folds = request->folds;

	return request->state.info->kind == ROW_TASK && request->settings.tree && folds &&
	       (folds->all || folds->ids.count > 0) && request->filter &&
	       request->filter[0] != '\0';
}

const char *difference_refusal(const struct view_request *request)
{
	const struct view_info *view = request->state.info;
	const struct view_mark *mark = &request->mark;
	const char *refusal = mark->session ? refusal_of_numbers(request) : NULL;

	if (view->needs_history || view->is_log || view->is_screen_only)
		return "its rows do not belong to an interval";
	if (view->kind == ROW_ACCESS)
		return "its rows have no names by which they are found again";
	if (view->kind == ROW_FUNCTION && mark->snapshot &&
	    (!mark->snapshot->profile || mark->snapshot->profile->entry_count == 0))
		return "nothing was sampled there";
	if (sums_what_passes(request))
		return "folded rows are sums of what passes the filter, which differs there";
	return refusal;
}

bool difference_is_shown(const struct view_request *request)
{
	return request->mark.snapshot && !difference_refusal(request);
}

/* Of a function, or of a line in it. */
static uint64_t name_key(const struct side *side, uint32_t number, uint64_t time_ns, uint64_t above)
{
	const struct function_name name = function_names_find(side->names, number, time_ns);
	const uint64_t line = hash_text(above, name.source);

	return hash_text(hash_text(line, name.function), name.object);
}

static uint64_t branch_key(const struct side *side, const struct branch *branch)
{
	const uint64_t time_ns = branch->function.time_ns;
	const uint64_t from =
		hash_text(name_key(side, branch->from, time_ns, 1), branch->from_offset);

	return hash_text(name_key(side, branch->function.number, time_ns, from), branch->to_offset);
}

/* A thread that has ended before, and a branch in a function that is not known. */
static bool lacks_name(const struct view_row *row)
{
	const struct branch *branch = branch_of(row);

	return branch ? !branch->has_places : row->function && row->tid >= 0 && !row->task;
}

/* What lacks a name is known by its number, which is of one recording. */
static uint64_t own_key(const struct difference *difference, const struct side *side,
			const struct view_row *row)
{
	if (difference->are_two && row->task)
		return hash_text(1, row->task->name);
	if (lacks_name(row))
		return difference->are_two ? hash_mix(row->id, (uintptr_t)side) : row->id;
	if (branch_of(row))
		return branch_key(side, branch_of(row));
	if (row->function && function_has_name(row->function))
		return name_key(side, row->function->number, row->function->time_ns, 1);
	return row->id;
}

/* Several rows may have its own key. */
static bool has_namesakes(const struct difference *difference, const struct view_row *row)
{
	return row->function || (difference->are_two && row->task);
}

/* 0: the row is not of this side. */
static uint64_t key_of(const struct difference *difference, const struct side *side,
		       const struct view_row *row)
{
	const size_t place = (size_t)(uintptr_t)map_get(&side->by_id, row->id);

	if (!difference->are_calls && !has_namesakes(difference, row))
		return own_key(difference, side, row);
	return place > 0 ? side->keys[place - 1] : 0;
}

struct namesake {
	uint64_t key, number;
	size_t row;
};

static int compare_namesakes(const void *left, const void *right)
{
	const struct namesake *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/* Of one recording a row is found by its number, too, as long as it has the same name. */
static uint64_t number_key(const struct namesake *namesake)
{
	return hash_mix(hash_mix(2, namesake->key), namesake->number);
}

static uint64_t namesake_number(const struct view_row *row)
{
	if (row->tid >= 0)
		return (uint64_t)row->tid;
	return row->function && !branch_of(row) ? row->function->number : row->id;
}

static struct namesake *list_namesakes(const struct difference *difference, const struct side *side)
{
	const size_t count = side->rows.count;
	struct namesake *namesakes = xcalloc(count + 1, sizeof(*namesakes));

	for (size_t i = 0; i < count; i++) {
		const struct view_row *row = &side->rows.rows[i];

		namesakes[i] = (struct namesake){
			.key = own_key(difference, side, row),
			.number = namesake_number(row),
			.row = i,
		};
	}
	qsort(namesakes, count, sizeof(*namesakes), compare_namesakes);
	return namesakes;
}

/*
 * Tasks of another run have other numbers, and of functions several may have one name: what has the
 * same number in both is the same; of the others the first of a name is the first of that name
 * there, and so on, in the order of their numbers.
 */
static void number_namesakes(const struct difference *difference, struct side *side,
			     const struct namesake *namesakes, const struct map *numbers_there)
{
	const size_t count = side->rows.count;
	uint64_t before = 0, key_before = 0;

	array_reserve(&side->keys, &side->key_capacity, count, sizeof(*side->keys));
	map_clear(&side->by_id);
	for (size_t i = 0; i < count; i++) {
		const uint64_t number = number_key(&namesakes[i]);
		const size_t row = namesakes[i].row;

		map_put(&side->by_id, side->rows.rows[row].id, (void *)(uintptr_t)(row + 1));
		if (!difference->are_two && map_get(numbers_there, number)) {
			side->keys[row] = number;
			continue;
		}
		before = namesakes[i].key == key_before ? hash_mix(before, 1) : namesakes[i].key;
		key_before = namesakes[i].key;
		side->keys[row] = before;
	}
}

static void note_numbers(struct side *side, const struct namesake *namesakes)
{
	map_clear(&side->by_number);
	for (size_t i = 0; i < side->rows.count; i++)
		map_put(&side->by_number, number_key(&namesakes[i]), side);
}

static void name_rows(struct difference *difference)
{
	struct namesake *now = list_namesakes(difference, &difference->now);
	struct namesake *mark = list_namesakes(difference, &difference->mark);

	note_numbers(&difference->now, now);
	note_numbers(&difference->mark, mark);
	number_namesakes(difference, &difference->now, now, &difference->mark.by_number);
	number_namesakes(difference, &difference->mark, mark, &difference->now.by_number);
	free(mark);
	free(now);
}

/*
 * A call is known by the names on the way to it. Of several that have the same way the first is the
 * first there.
 */
static void name_calls(struct side *side)
{
	const size_t count = side->rows.count;
	struct map taken = {0};

	array_reserve(&side->keys, &side->key_capacity, count, sizeof(*side->keys));
	map_clear(&side->by_id);
	for (size_t i = 0; i < count; i++) { /* what it is below comes first */
		const uint32_t above = tree_parent(side->rows.tree, (uint32_t)i);
		const struct function *function = side->rows.rows[i].function;
		uint64_t key = name_key(side, function->number, function->time_ns,
					above != TREE_NO_PARENT ? side->keys[above] : 1);

		while (map_get(&taken, key))
			key = hash_mix(key, 1);
		map_put(&taken, key, side);
		side->keys[i] = key;
		map_put(&side->by_id, side->rows.rows[i].id, (void *)(uintptr_t)(i + 1));
	}
	map_fini(&taken);
}

/* Those in cgroups are chosen on both sides. */
static bool are_chosen(const struct view_request *request)
{
	return request->pids || (request->wants_pid && !request->cgroups);
}

/*
 * What is unknown of rows that are not there. A CPU has not been idle, it was not counted, and so
 * were processes where the other side has all and this one some. Of what slept all the time is not
 * known for how long: what was not kept is not there.
 */
static uint32_t unknown_of_nothing(const struct rows_input *input, const struct rows_input *other)
{
	const bool is_part = are_chosen(input->request) && !are_chosen(other->request);

	if (input->request->state.info->kind == ROW_CPU || is_part)
		return ~(uint32_t)METRIC_FAULTS_KNOWN;
	return input->session->unknown | input->snapshot->unknown |
	       (input->snapshot->lacks_idle ? UINT32_C(1) << QUANTITY_OFF_NS : 0);
}

static void make_nothing(struct side *side, const struct rows_input *input,
			 const struct rows_input *other)
{
	const struct view_row *any = side->rows.count > 0 ? side->rows.rows : NULL;
	const uint64_t *nothing = vectors_take(&side->rows.vectors);

	side->no_branch = (struct branch){
		.function.all_weight = any && any->function ? any->function->all_weight : 0};
	side->no_group = (struct task_group){0};
	side->nothing = (struct view_row){
		.kind = input->request->state.info->kind,
		.pid = -1,
		.tid = -1,
		.interval = nothing,
		.total = input->snapshot->lacks_idle ? NULL : nothing,
		.interval_ns = input->snapshot->interval_ns,
		.unknown = unknown_of_nothing(input, other),
		.function = &side->no_branch.function,
		.item = any && branch_of(any) ? &side->no_branch : NULL,
		.group = &side->no_group,
	};
}

static void make_side(struct side *side, const struct rows_input *input)
{
	side->names = input->source->getter_input.function_names;
	input->request->state.info->make_rows(&side->rows, input);
}

/* What rows are found by. */
static void index_rows(const struct difference *difference, struct side *side)
{
	map_clear(&side->by_key);
	for (size_t i = 0; i < side->rows.count; i++)
		map_put(&side->by_key, key_of(difference, side, &side->rows.rows[i]),
			(void *)(uintptr_t)(i + 1));
}

static void find_keys(struct difference *difference)
{
	if (difference->are_calls) {
		name_calls(&difference->now);
		name_calls(&difference->mark);
	} else if (difference->are_functions || difference->are_two) {
		name_rows(difference);
	}
	index_rows(difference, &difference->now);
	index_rows(difference, &difference->mark);
}

/* NULL: it has none. */
static const struct view_row *find_row(const struct side *side, uint64_t key)
{
	const size_t place = (size_t)(uintptr_t)map_get(&side->by_key, key);

	return place > 0 ? &side->rows.rows[place - 1] : NULL;
}

/* The filter as it is for the mark's rows; what it asks that was not counted there passes none. */
static const struct filter *bind_filter(struct difference *difference, const struct rows_input *now,
					struct columns *columns)
{
	const struct snapshot *mark = now->request->mark.snapshot;
	const struct view_info *view = now->request->state.info;
	size_t position;

	filter_destroy(difference->filter);
	difference->filter =
		now->filter ? filter_create(now->request->filter, columns, &position, NULL) : NULL;
	if (difference->filter &&
	    view_is_of_samples(view)) /* samples are chosen by its other parts */
		filter_destroy(filter_take_unsupported(&difference->filter, view->kind));
	if (difference->filter)
		filter_bind(difference->filter, difference->metrics, mark->layout, &position, NULL);
	return difference->filter;
}

static void set_mark_source(struct difference *difference, const struct rows_input *now)
{
	const struct snapshot *mark = now->request->mark.snapshot;

	metrics_destroy(difference->metrics);
	difference->metrics = metrics_create(mark->layout, now->request->metric_set);
	difference->source = *now->source;
	difference->source.mark = NULL;
	difference->source.metrics = difference->metrics;
	difference->source.layout = mark->layout;
	difference->source.getter_input.snapshot = mark;
	difference->source.getter_input.processes = NULL; /* they are as they are now */
	if (now->request->mark.session) {
		difference->source.getter_input.session = now->request->mark.session;
		difference->source.getter_input.function_names = now->request->mark.names;
	}
}

/* A task that is not among those of now has ended, where idle ones would be, or begins later. */
static void mark_ended(struct rows *rows, size_t from, const struct snapshot *now,
		       const struct snapshot *mark)
{
	struct map tasks = {0};

	if (now->lacks_idle || now->time_ns < mark->time_ns)
		return;
	for (size_t i = 0; i < now->task_count; i++)
		map_put(&tasks, now->tasks[i].id, &now->tasks[i]);
	for (size_t i = from; i < rows->count; i++)
		if (rows->rows[i].is_gone && rows->rows[i].task)
			rows->rows[i].is_exited |= !map_get(&tasks, rows->rows[i].task->id);
	map_fini(&tasks);
}

/* What is folded into a row of those shown lacks idle tasks, which are in both sides. */
static void sum_alike(const struct difference *difference, struct rows *shown)
{
	for (size_t i = 0; i < shown->count; i++) {
		struct view_row *row = &shown->rows[i];
		const struct view_row *is_now =
			row->task ? find_row(&difference->now, row->id) : NULL;

		if (is_now)
			*row = *is_now;
	}
}

/* What is below another call has no place where that is gone, too; in a flame graph none has. */
static bool has_place(const struct difference *difference, const struct view_info *view, size_t row)
{
	return !difference->are_calls ||
	       (!view->drawing &&
		tree_parent(difference->mark.rows.tree, (uint32_t)row) == TREE_NO_PARENT);
}

/* Those that the mark has shown: as they are now, or as they were. */
static void append_gone(struct difference *difference, const struct rows_input *now,
			const struct rows_input *then, struct rows *shown)
{
	const uint64_t of_another = UINT64_C(1) << 59; /* numbers are of each recording */
	const size_t shown_count = shown->count;
	struct map is_shown = {0};

	for (size_t i = 0; i < shown_count; i++)
		map_put(&is_shown, key_of(difference, &difference->now, &shown->rows[i]),
			difference);
	for (size_t i = 0; i < difference->mark.rows.count; i++) {
		const struct view_row *row = &difference->mark.rows.rows[i];
		const uint64_t key = key_of(difference, &difference->mark, row);
		const struct view_row *is_now = find_row(&difference->now, key);

		if (map_get(&is_shown, key) || !row->is_active || !rows_pass_filter(row, then) ||
		    !has_place(difference, now->request->state.info, i))
			continue;
		*rows_append(shown) = is_now ? *is_now : *row;
		shown->rows[shown->count - 1].is_gone = !is_now;
		if (!is_now && difference->are_two)
			shown->rows[shown->count - 1].id |= of_another;
	}
	map_fini(&is_shown);
	if (!difference->are_two)
		mark_ended(shown, shown_count, now->snapshot, then->snapshot);
	if (shown->is_tree && !difference->are_calls) /* under the parents that are there */
		tree_link(shown->tree, shown->rows, shown->count);
}

static const struct view_row *find_marked(const struct difference *difference,
					  const struct view_row *row)
{
	return find_row(&difference->mark, key_of(difference, &difference->now, row));
}

/* What is known by its number there, or was before, is of this recording. */
static void ask_of_another(struct view_request *request)
{
	request->past = NULL;
	request->pids = NULL;
	request->pid_count = 0;
	request->id_from = request->id_to = 0;
	request->wants_pid = request->mark.wants_pid;
	request->context = request->mark.context;
}

const struct cell_mark *difference_make(struct difference *difference, const struct rows_input *now,
					struct columns *columns, struct rows *shown)
{
	struct view_request request = *now->request, of_mark;
	struct rows_input all = *now, then = *now, all_then;
	const struct view_info *view = request.state.info;

	request.settings.idle = true;
	difference->are_functions = view->kind == ROW_FUNCTION;
	difference->are_calls = view->is_tree && difference->are_functions;
	difference->are_two = request.mark.session;
	if (difference->are_calls) /* what is folded now is there, too */
		request.folds = NULL;
	set_mark_source(difference, now);
	of_mark = request;
	if (difference->are_two)
		ask_of_another(&of_mark);
	all.request = &request;
	then.request = &of_mark;
	then.snapshot = request.mark.snapshot;
	if (request.mark.session)
		then.session = request.mark.session;
	then.source = &difference->source;
	then.filter = bind_filter(difference, now, columns);
	all_then = then;
	if (view->kind == view->filtered)
		all.filter = all_then.filter = NULL;
	make_side(&difference->now, &all);
	make_side(&difference->mark, &all_then);
	make_nothing(&difference->now, &all, &all_then);
	make_nothing(&difference->mark, &all_then, &all);
	find_keys(difference);
	if (view->kind != view->filtered)
		then.filter = NULL; /* its rows are of what has passed */
	difference->source.getter_input.exited_words =
		strbuf_text(&difference->mark.rows.exited_words);
	difference->source.getter_input.unattributed_words =
		strbuf_text(&difference->mark.rows.unattributed_words);
	if (shown->is_tree && request.folds)
		sum_alike(difference, shown);
	append_gone(difference, now, &then, shown);
	difference->cells = (struct cell_mark){
		.source = &difference->source,
		.find = find_marked,
		.difference = difference,
		.nothing_now = &difference->now.nothing,
		.nothing_there = &difference->mark.nothing,
		.are_two = difference->are_two,
	};
	return &difference->cells;
}
