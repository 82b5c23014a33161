/*
 * A table is rows (rows.c), their order (order.c) and bound columns (cell.c); this file combines
 * them. The rows of a log are made when they are shown, in their own order (switch_log.c).
 * Everything is kept from build to build and only grows.
 */

#include "view/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/difference.h"
#include "view/filter.h"
#include "view/functions.h"
#include "view/groups.h"
#include "view/names.h"
#include "view/pairs.h"
#include "view/processes.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/switch_log.h"
#include "view/tree.h"
#include "view/trends.h"

enum {
	PAST_TASKS_MOST = 8192 /* in all intervals together: a key is answered at once */
};

struct view_table {
	struct columns *known;         /* borrowed */
	struct column_list shown;      /* those of the view; memory kept from build to build */
	struct users *users;           /* owned */
	struct containers *containers; /* owned */
	struct processes *processes;   /* owned; likewise */
	const struct function_names *function_names; /* borrowed; NULL: none */
	unsigned int needs;
	size_t most_rows;
	struct rows rows;
	struct switch_log *log;  /* owned */
	bool is_log;             /* the rows are those of `log` */
	bool log_is_sorted;      /* by a column, not in the order of time */
	bool is_sampled;         /* metrics of its rows are estimates */
	struct order_key *order; /* owned; one per row */
	size_t order_capacity;
	struct cell_column *columns; /* owned */
	size_t column_count, column_capacity;
	bool *essential, *added; /* owned; one per column */
	size_t essential_capacity, added_capacity;
	struct cell_column sort; /* NULL column: nothing was built yet */
	bool descends;
	struct cell_column then; /* NULL column: none */
	bool then_descends;
	struct cell_source source;
	struct difference *difference;       /* owned */
	struct trends trends;                /* owned */
	const struct view_info *trends_view; /* the view that they are of, */
	bool trends_threads;                 /* and whether these were threads */
	struct filter *filter;        /* owned; what filter_text means; NULL: none was made yet */
	struct filter *sample_filter; /* owned; taken out of it: that of samples */
	char *filter_text;            /* owned */
	struct error filter_fault;
	size_t filter_position;          /* of the fault */
	struct sample_filter samples_of; /* of the last build; without a filter: it has none */
	const char *unsupported;         /* for which the filter is left out; NULL: it is not; the
				       filter's */
	struct table_member *members;    /* owned array; whose rows these are, */
	size_t member_count, member_capacity; /* 0: its own */
	size_t current;                       /* of them, which answers for all */
};

/* Which has what is the same in all that it is joined of. */
static const struct view_table *whole_of(const struct view_table *table)
{
	return table->member_count > 0 ? table->members[table->current].table : table;
}

struct view_table *view_table_create(struct columns *columns)
{
	struct view_table *table = xcalloc(1, sizeof(*table));

	table->known = columns;
	table->users = users_create();
	table->containers = containers_create();
	table->processes = processes_create();
	table->log = switch_log_create();
	table->difference = difference_create();
	return table;
}

void view_table_destroy(struct view_table *table)
{
	if (!table)
		return;
	filter_destroy(table->filter);
	filter_destroy(table->sample_filter);
	free(table->filter_text);
	trends_fini(&table->trends);
	users_destroy(table->users);
	containers_destroy(table->containers);
	processes_destroy(table->processes);
	rows_fini(&table->rows);
	switch_log_destroy(table->log);
	difference_destroy(table->difference);
	column_list_fini(&table->shown);
	free(table->order);
	free(table->columns);
	free(table->essential);
	free(table->added);
	free(table->members);
	free(table);
}

static void insert_behind(struct column_list *shown, const struct column *before,
			  const struct column *column)
{
	column_list_add(shown, column);
	for (size_t i = shown->count - 1; i > 0 && shown->columns[i - 1] != before; i--) {
		shown->columns[i] = shown->columns[i - 1];
		shown->columns[i - 1] = column;
	}
}

static void put_first(struct column_list *shown, const struct column *column)
{
	column_list_remove(shown, column);
	column_list_add(shown, column);
	for (size_t i = shown->count - 1; i > 0; i--)
		shown->columns[i] = shown->columns[i - 1];
	shown->columns[0] = column;
}

/* They are recorded, or those of the event; what a view asks for by itself ends with that view. */
static bool samples_have_branches(const struct session *session)
{
	return session->has_branches && (!session->is_live || session->sampling == SAMPLING_EVENTS);
}

static bool has_pmu_columns(const struct session *session)
{
	return session->has_pmu || session->others_have_pmu;
}

/* Those of the view, and what was added to them. */
static void take_view_columns(struct view_table *table, const struct view_info *view,
			      const struct view_request *request, const struct session *session,
			      const struct metrics *metrics)
{
	const struct column *tid = columns_find(table->known, "tid");
	struct column_list *shown = &table->shown;

	shown->count = 0;
	if (request->state.set)
		view_set_columns(view, request->state.set, has_pmu_columns(session), table->known,
				 shown);
	else
		view_default_columns(view, has_pmu_columns(session),
				     session->host[0] != '\0' ? NULL : metrics, table->known,
				     shown);
	/* Rows are threads: their tid identifies them, where it is not there anyway. */
	for (size_t i = 0;
	     i < shown->count && request->settings.threads && !column_list_has(shown, tid); i++)
		if (shown->columns[i] == columns_find(table->known, "pid"))
			shown->columns[i] = tid;
	if (request->has_states && view->kind == ROW_TASK && !request->state.set) /* as in top */
		insert_behind(shown, columns_find(table->known, "user"),
			      columns_find(table->known, "state"));
	if (view->column_of_branches && samples_have_branches(session))
		insert_behind(shown, columns_find(table->known, "samples"),
			      columns_find(table->known, view->column_of_branches));
	if (request->by != BY_CPU && view->kind == ROW_PAIR)
		column_list_remove(shown, columns_find(table->known, "cpu"));
	if (request->by != BY_CONTAINER && view->kind == ROW_PAIR)
		column_list_remove(shown, columns_find(table->known, "relation"));
	if (view->kind == ROW_FUNCTION && !session->has_addresses) {
		column_list_remove(shown, columns_find(table->known, "mapping"));
		column_list_remove(shown, columns_find(table->known, "mapping%"));
	}
	for (size_t i = shown->count; request->lacks_bars && i-- > 0;)
		if (shown->columns[i]->format == COLUMN_BAR)
			column_list_remove(shown, shown->columns[i]);
	for (size_t i = 0; i < request->state.extras.count; i++)
		column_list_insert(shown, request->state.extras.columns[i]);
	if (session->host[0] != '\0' &&
	    column_is_of(columns_find(table->known, "host"), view->kind))
		put_first(shown, columns_find(table->known, "host"));
}

static void mark_essential(struct view_table *table, const char *names)
{
	array_reserve(&table->essential, &table->essential_capacity, table->column_count,
		      sizeof(*table->essential));
	for (size_t i = 0; i < table->column_count; i++)
		table->essential[i] = word_list_has(names, table->columns[i].column->name);
}

/* Those that the user has put behind the view's. A trend is behind them by itself. */
static void mark_added(struct view_table *table, const struct column_list *extras)
{
	array_reserve(&table->added, &table->added_capacity, table->column_count,
		      sizeof(*table->added));
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = table->columns[i].column;

		table->added[i] = column->was_asked_for || (column->format != COLUMN_TREND &&
							    column_list_has(extras, column));
	}
}

static void bind_columns(struct view_table *table, const struct view_info *view,
			 const struct view_request *request, const struct session *session,
			 const struct metrics *metrics)
{
	const struct sort_order *order = &request->state.order;
	const bool has_choice = view->is_log ? switch_log_order(request) != NULL
					     : order->sort && !view->fixed_order;
	const struct column *sort =
		has_choice ? order->sort : columns_find(table->known, view->sort);
	const struct layout *layout = table->source.layout;
	const struct column_list *list = &request->state.columns;

	table->log_is_sorted = view->is_log && has_choice;
	table->sort = cell_column_bind(sort, metrics, layout);
	table->descends = sort->descends != (order->sort_reversed && (has_choice || !view->is_log));
	table->then = (struct cell_column){0};
	const struct column *then = order->then  ? order->then
				    : sort->then ? columns_find(table->known, sort->then)
						 : NULL;

	if (then && !view->is_log) {
		table->then = cell_column_bind(then, metrics, layout);
		table->then_descends = then->descends != (order->then && order->then_reversed);
	}
	if (list->count == 0 || request->state.set) {
		take_view_columns(table, view, request, session, metrics);
		list = &table->shown;
	}
	array_reserve(&table->columns, &table->column_capacity, list->count,
		      sizeof(*table->columns));
	for (size_t i = 0; i < list->count; i++)
		table->columns[i] = cell_column_bind(list->columns[i], metrics, layout);
	table->column_count = list->count;
	mark_essential(table, has_pmu_columns(session) || !view->essential_bare
				      ? view->essential
				      : view->essential_bare);
	mark_added(table, &request->state.extras);
}

/* What the text means, as far as it can be understood and asked of these rows; the rest is left
 * out, and may be understood the next time: columns come. */
static void make_filter(struct view_table *table, const char *text)
{
	const bool is_known = table->filter && table->filter_fault.code == ERROR_NONE &&
			      strcmp(table->filter_text, text) == 0;
	size_t position;

	table->filter_fault = (struct error){0};
	if (!is_known) {
		filter_destroy(table->filter);
		free(table->filter_text);
		table->filter_text = xstrdup(text);
		table->filter = filter_create(text, table->known, &table->filter_position,
					      &table->filter_fault);
	}
	const struct session *session = table->source.getter_input.session;
	const bool has_others = session && session->host[0] != '\0'; /* which may count it */

	if (!filter_bind(table->filter, table->source.metrics, table->source.layout, &position,
			 has_others ? NULL : &table->filter_fault) &&
	    !has_others) {
		table->filter_position = position;
		filter_destroy(table->filter);
		table->filter = NULL;
	}
}

/* What the request's filter means; NULL: there is none. */
static const struct filter *understand_filter(struct view_table *table,
					      const struct view_request *request)
{
	table->samples_of = (struct sample_filter){0};
	if (table->sample_filter) { /* it was taken apart */
		filter_destroy(table->sample_filter);
		filter_destroy(table->filter);
		table->filter = table->sample_filter = NULL;
	}
	if (request->filter && request->filter[0] != '\0') {
		make_filter(table, request->filter);
		return table->filter;
	}
	if (table->filter_fault.code != ERROR_NONE) {
		filter_destroy(table->filter);
		table->filter = NULL;
		table->filter_fault = (struct error){0};
	}
	return NULL;
}

const char *view_filter_unsupported(const struct view_info *view, const struct filter *filter)
{
	return filter_unsupported(filter, view->filtered,
				  view_is_of_samples(view) ? ROW_TASK : view->filtered);
}

/*
 * The filter that is in force; NULL: none. One that asks what no row can answer is none. Of
 * functions the parts about what tasks have choose samples.
 */
static const struct filter *filter_in_force(struct view_table *table, const struct view_info *view,
					    const struct view_request *request)
{
	const struct filter *filter = understand_filter(table, request);

	table->unsupported = filter ? view_filter_unsupported(view, filter) : NULL;
	if (table->unsupported || !filter)
		return NULL;
	if (view_is_of_samples(view))
		table->sample_filter = filter_take_unsupported(&table->filter, view->kind);
	table->samples_of = (struct sample_filter){table->sample_filter, &table->source};
	return table->filter;
}

/* Sets what cells are made from, and what filters test rows with. */
static void set_source(struct view_table *table, const struct rows_input *input,
		       const struct metrics *metrics)
{
	table->source = (struct cell_source){
		.kinds = row_kinds,
		.getter_input =
			{
				.users = table->users,
				.containers = table->containers,
				.processes = table->processes,
				.function_names = table->function_names,
				.session = input->session,
				.snapshot = input->snapshot,
				.unattributed_words = "",
				.exited_words = "",
				.command_lines = input->request->settings.command_lines > 0,
				.ascii = input->request->ascii,
			},
		.metrics = metrics,
		.layout = input->snapshot->layout,
		.trends = &table->trends,
		.time_ns = input->snapshot->time_ns,
	};
}

static void fill_rows(struct view_table *table, const struct rows_input *input)
{
	struct getter_input *in = &table->source.getter_input;

	input->request->state.info->make_rows(&table->rows, input);
	in->unattributed_words = strbuf_text(&table->rows.unattributed_words);
	in->exited_words = strbuf_text(&table->rows.exited_words);
}

static void make_mark(struct view_table *table, const struct rows_input *input)
{
	table->source.mark = difference_make(table->difference, input, table->known, &table->rows);
}

bool view_table_is_difference(const struct view_table *table, size_t index)
{
	table = whole_of(table);
	assert(index < table->column_count);
	return table->source.mark && cell_has_difference(table->columns[index].column);
}

bool view_table_is_compared(const struct view_table *table)
{
	return table->source.mark;
}

const struct view_row *view_table_row_before(const struct view_table *table, size_t index)
{
	const struct cell_mark *mark = table->source.mark;

	return mark ? mark->find(mark->difference, view_table_row(table, index)) : NULL;
}

/* Ratios of tiny counts are noise: a kernel thread's two misses in three references. */
static void mark_minor(struct rows *rows)
{
	const uint64_t share = 100;
	uint64_t most_ns = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct view_row *row = &rows->rows[i];

		if (row->interval && !row->is_gone && row->kind != ROW_IDLE &&
		    row->kind != ROW_UNATTRIBUTED && row->interval[QUANTITY_RUN_NS] > most_ns)
			most_ns = row->interval[QUANTITY_RUN_NS];
	}
	for (size_t i = 0; i < rows->count; i++) {
		struct view_row *row = &rows->rows[i];

		row->is_minor = row->interval && row->interval[QUANTITY_RUN_NS] < most_ns / share;
	}
}

static void order_table(struct view_table *table, const struct view_info *view)
{
	struct cell_source source = table->source;
	const struct order_by by[ORDER_COLUMNS_MAX] = {
		{&table->sort, table->descends},
		{table->then.column ? &table->then : NULL, table->then_descends},
	};

	if (view->fixed_order)
		source.mark = NULL; /* it is that of the values */
	mark_minor(&table->rows);
	array_reserve(&table->order, &table->order_capacity, table->rows.count,
		      sizeof(*table->order));
	order_rows(table->order, table->rows.rows, table->rows.count, &source, by);
	/* for amounts the largest branch comes first: a shell above it has none of its own */
	if (table->rows.is_tree)
		tree_arrange(table->rows.tree, table->rows.rows, table->order, table->rows.count,
			     table->sort.column->descends ? TREE_BY_BRANCH : TREE_BY_ROW);
}

static bool has_trend(const struct view_table *table)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].column->format == COLUMN_TREND)
			return true;
	return false;
}

const struct column *view_table_trend(const struct view_table *table)
{
	table = whole_of(table);
	const struct column *sort = table->sort.column;

	/* columns that sort the largest first are amounts */
	return sort && sort->descends && !table->is_log ? sort : columns_find(table->known, "cpu%");
}

/* Rows of different kinds must not be confused: a thread and its process share an id. */
static void follow_view(struct view_table *table, const struct view_info *view, bool threads)
{
	if (table->trends_view == view && table->trends_threads == threads)
		return;
	trends_fini(&table->trends);
	table->trends_view = view;
	table->trends_threads = threads;
}

/*
 * Rows of a kept interval are made as when it was shown, except for the filter, which only removes
 * rows. Events may have changed since, so metrics are bound again for each.
 */
static void note_kept(struct view_table *table, const struct rows_input *now,
		      const struct snapshot *snapshot, struct rows *rows)
{
	struct metrics *metrics = metrics_create(snapshot->layout, now->request->metric_set);
	const struct column *of = view_table_trend(table);
	struct cell_source source = table->source;
	const struct rows_input input = {
		.request = now->request,
		.snapshot = snapshot,
		.session = now->session,
		.source = &source,
	};
	const struct cell_column column = cell_column_bind(of, metrics, snapshot->layout);

	source.mark = NULL;
	source.metrics = metrics;
	source.layout = snapshot->layout;
	source.getter_input.snapshot = snapshot;
	now->request->state.info->make_rows(rows, &input);
	trends_begin(&table->trends, of, snapshot->time_ns, snapshot->interval_ns);
	for (size_t i = 0; i < rows->count; i++)
		trends_put(&table->trends, rows->rows[i].id,
			   cell_number(&source, &column, &rows->rows[i]).value);
	metrics_destroy(metrics);
}

/* Values of a column from before it was shown, from as many kept intervals as is cheap. */
static void note_past(struct view_table *table, const struct rows_input *input)
{
	const struct view_request *request = input->request;
	const struct snapshot *snapshots[TRENDS_KEPT - 1];
	struct rows rows = {0};
	size_t count, first, tasks = 0;

	trends_fini(&table->trends);
	count = request->past(request->context, input->snapshot->time_ns, snapshots,
			      TRENDS_KEPT - 1);
	for (first = count; first > 0; first--) {
		tasks += snapshots[first - 1]->task_count + snapshots[first - 1]->cpu_count;
		if (tasks > PAST_TASKS_MOST)
			break;
	}
	for (size_t i = first; i < count; i++)
		note_kept(table, input, snapshots[i], &rows);
	rows_fini(&rows);
}

/* The rows' values of this interval, while they are shown; once. */
static void note_trends(struct view_table *table, const struct rows_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const struct cell_source *source = &table->source;
	const struct column *of = view_table_trend(table);
	const struct cell_column bound = cell_column_bind(of, source->metrics, source->layout);
	const struct view_row *rows = table->rows.rows;

	if (!has_trend(table) || table->rows.count == 0)
		return;
	follow_view(table, input->request->state.info, input->request->settings.threads);
	if (input->request->past &&
	    !trends_goes_on(&table->trends, of, snapshot->time_ns, snapshot->interval_ns))
		note_past(table, input);
	if (!trends_begin(&table->trends, of, snapshot->time_ns, snapshot->interval_ns) ||
	    trends_has(&table->trends, rows[0].id))
		return;
	for (size_t i = 0; i < table->rows.count; i++)
		if (!rows[i].is_gone)
			trends_put(&table->trends, rows[i].id,
				   cell_number(source, &bound, &rows[i]).value);
}

unsigned int view_samples_needs(enum view_samples samples)
{
	if (samples == SAMPLES_ON_CPU)
		return 0;
	return samples == SAMPLES_WAKERS ? COLUMN_NEEDS_WAKERS : COLUMN_NEEDS_OFF_CPU;
}

static void note_needs(struct view_table *table, const struct view_info *view,
		       const struct view_request *request)
{
	const struct column *grouped = NULL;

	if (view->kind == ROW_GROUP)
		grouped = columns_find(table->known,
				       grouping_get(request->settings.group_by)->column);
	if (view->kind == ROW_PAIR && request->by == BY_CONTAINER)
		grouped = columns_find(table->known, "container");
	table->needs = view->needs | table->sort.column->needs | (grouped ? grouped->needs : 0);
	for (size_t i = 0; i < table->column_count; i++)
		table->needs |= table->columns[i].column->needs;
	if (table->then.column)
		table->needs |= table->then.column->needs;
	if (!table->unsupported)
		table->needs |= filter_needs(table->filter) | filter_needs(table->sample_filter);
	if (table->needs & COLUMN_NEEDS_SAMPLES)
		table->needs |=
			view_samples_needs((enum view_samples)request->settings.samples) |
			(request->settings.weight == WEIGHT_LATENCY ? COLUMN_NEEDS_LATENCY : 0);
}

unsigned int view_table_needs(const struct view_table *table)
{
	return table->needs;
}

void view_table_build(struct view_table *table, const struct view_request *request,
		      const struct snapshot *snapshot, const struct session *session,
		      const struct metrics *metrics)
{
	const struct view_info *view = request->state.info;
	struct rows_input input = {
		.request = request,
		.snapshot = snapshot,
		.session = session,
		.source = &table->source,
	};

	table->member_count = 0;
	containers_tidy(table->containers);
	processes_begin(table->processes, snapshot, request->settings.threads);
	set_source(table, &input, metrics);
	input.filter = filter_in_force(table, view, request);
	input.samples_of = view_table_samples_of(table);
	table->is_log = view->is_log;
	table->most_rows = request->most_rows > 0 ? request->most_rows : SIZE_MAX;
	table->is_sampled = view->kind == ROW_FUNCTION;
	if (!view->is_log)
		fill_rows(table, &input);
	if (difference_is_shown(request))
		make_mark(table, &input);
	bind_columns(table, view, request, session, metrics);
	if (view->is_log) {
		switch_log_build(table->log, &input);
	} else {
		order_table(table, view);
		note_trends(table, &input);
	}
	note_needs(table, view, request);
}

/* Its rows get ids that no other's have; their keys are appended. */
static void take_member(struct view_table *table, const struct table_member *member,
			uint32_t number, const struct map *tags)
{
	struct view_table *own = member->table;
	const uint64_t tag = table_member_tag(member->host);
	const size_t first = table->rows.count;

	table->rows.count += own->rows.count;
	array_reserve(&table->order, &table->order_capacity, table->rows.count,
		      sizeof(*table->order));
	own->source.id_tag = tag;
	for (size_t i = 0; i < own->rows.count; i++) {
		struct order_key *key = &table->order[first + i];
		struct view_row *row = &own->rows.rows[own->order[i].row];

		row->id ^= tag;
		row->is_tagged = tags && map_get(tags, row->id);
		own->order[i].id = row->id;
		*key = own->order[i];
		key->table = number;
	}
	table->needs |= own->needs;
}

void view_table_join(struct view_table *table, const struct table_member *members, size_t count,
		     size_t current, const struct map *tags)
{
	const struct view_table *whole = members[current].table;
	const struct order_by by[ORDER_COLUMNS_MAX] = {
		{&whole->sort, whole->descends},
		{whole->then.column ? &whole->then : NULL, whole->then_descends},
	};

	array_reserve(&table->members, &table->member_capacity, count, sizeof(*table->members));
	memcpy(table->members, members, count * sizeof(*members));
	table->member_count = count;
	table->current = current;
	table->is_log = false;
	table->most_rows = SIZE_MAX;
	table->needs = 0;
	table->rows.count = 0; /* of all: it has none of its own */
	for (size_t i = 0; i < count; i++)
		take_member(table, &members[i], (uint32_t)i, tags);
	if (!whole->rows.is_tree)
		order_keys(table->order, table->rows.count, by);
}

uint32_t view_table_host(const struct view_table *table, size_t row)
{
	return table->members[table->order[row].table].host;
}

const char *view_table_filter_fault(const struct view_table *table, size_t *position)
{
	table = whole_of(table);
	*position = table->filter_position;
	return table->filter_fault.text;
}

const struct sample_filter *view_table_samples_of(const struct view_table *table)
{
	return whole_of(table)->samples_of.filter ? &whole_of(table)->samples_of : NULL;
}

const char *view_table_filter_unsupported(const struct view_table *table)
{
	return whole_of(table)->unsupported;
}

void view_table_write_exited(const struct view_table *table, const struct snapshot *snapshot,
			     bool ascii, struct strbuf *out)
{
	rows_write_exited(&whole_of(table)->rows, snapshot, ascii, out);
}

struct users *view_table_users(const struct view_table *table)
{
	return whole_of(table)->users;
}

size_t view_table_row_count(const struct view_table *table)
{
	const size_t count = table->is_log ? switch_log_count(table->log) : table->rows.count;

	return count < table->most_rows ? count : table->most_rows;
}

static const struct rows *rows_of_key(const struct view_table *table, size_t index)
{
	return table->member_count > 0 ? &table->members[table->order[index].table].table->rows
				       : &table->rows;
}

const struct view_row *view_table_row(const struct view_table *table, size_t index)
{
	if (table->is_log)
		return switch_log_row(table->log, index);
	assert(index < table->rows.count);
	return &rows_of_key(table, index)->rows[table->order[index].row];
}

size_t view_table_column_count(const struct view_table *table)
{
	return whole_of(table)->column_count;
}

const struct column *view_table_column(const struct view_table *table, size_t index)
{
	table = whole_of(table);
	assert(index < table->column_count);
	return table->columns[index].column;
}

bool view_table_is_tree(const struct view_table *table)
{
	return whole_of(table)->rows.is_tree;
}

bool view_table_is_essential(const struct view_table *table, size_t index)
{
	table = whole_of(table);
	assert(index < table->column_count);
	return table->essential[index];
}

bool view_table_is_added(const struct view_table *table, size_t index)
{
	table = whole_of(table);
	assert(index < table->column_count);
	return table->added[index];
}

const struct column *view_table_sort(const struct view_table *table, bool *descends)
{
	table = whole_of(table);
	const bool has_order = !table->is_log || table->log_is_sorted;

	*descends = has_order && table->descends;
	return has_order ? table->sort.column : NULL;
}

const struct column *view_table_then(const struct view_table *table, bool *descends)
{
	table = whole_of(table);
	*descends = table->then_descends;
	return table->then.column;
}

int view_table_index_of(const struct view_table *table, uint64_t id)
{
	if (table->is_log)
		return switch_log_index_of(table->log, id);
	for (size_t i = 0; i < table->rows.count; i++)
		if (table->order[i].id == id)
			return (int)i;
	return -1;
}

bool view_table_is_estimate(const struct view_table *table, size_t column)
{
	table = whole_of(table);
	assert(column < table->column_count);
	return cell_column_is_estimate(&table->source, &table->columns[column]) ||
	       (table->is_sampled && table->columns[column].column->metric);
}

void view_table_cell(const struct view_table *table, size_t row, size_t column, struct cell *cell)
{
	const struct view_table *own =
		table->member_count > 0 ? table->members[table->order[row].table].table : table;

	assert(column < own->column_count);
	cell_make(&own->source, &own->columns[column], view_table_row(table, row), cell);
}

void view_table_name_functions(struct view_table *table, const struct function_names *names)
{
	table->function_names = names;
}

const struct function_names *view_table_function_names(const struct view_table *table)
{
	return whole_of(table)->function_names;
}

struct processes *view_table_processes(const struct view_table *table)
{
	return table->processes;
}

const struct view_info *view_find(const struct view_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcasecmp(list->views[i]->name, name) == 0)
			return list->views[i];
	return NULL;
}

const struct view_info *view_in_form(const struct view_info *view, int form)
{
	return view->forms ? view->forms[form > 0 ? form : 0] : view;
}

void view_names(const struct view_list *list, char *text, size_t size)
{
	const char **names = xcalloc(list->count, sizeof(*names));

	for (size_t i = 0; i < list->count; i++)
		names[i] = list->views[i]->name;
	named_list(names, list->count, sizeof(names[0]), text, size);
	free(names);
}

/*
 * The columns of a view are in the order of their importance: a narrow screen leaves out the
 * rightmost first, except the essential ones, the sort column, and the command, which takes the
 * rest of the line. At 80 columns at least 12 remain for it: the tasks view needs 67 up to "pre/s",
 * and up to "time" where no hardware event is counted. The log of switches needs 61 up to "ipc",
 * or 64 up to "off-cpu", and the incoming task takes the rest.
 */

static bool is_metric_wanted(const struct column *column, const struct metrics *metrics)
{
	const int metric =
		metrics && column->metric ? metrics_find(metrics, column->metric) : CELL_ABSENT;

	return metric < 0 || metrics_is_wanted(metrics, (size_t)metric);
}

void view_default_columns(const struct view_info *view, bool has_pmu, const struct metrics *metrics,
			  struct columns *columns, struct column_list *list)
{
	const char *names = has_pmu || !view->columns_bare ? view->columns : view->columns_bare;
	char name[64];

	while (word_list_next(&names, name, sizeof(name))) {
		const struct column *column = columns_find(columns, name);

		assert(column);
		if (is_metric_wanted(column, metrics))
			column_list_add(list, column);
	}
}

static void add_of_set(const struct view_info *view, const struct column_set *set,
		       struct columns *columns, struct column_list *list)
{
	const char *names = set->columns;
	char name[64];

	while (word_list_next(&names, name, sizeof(name))) {
		const struct column *column = columns_find(columns, name);

		assert(column);
		if (column_is_of(column, view->kind))
			column_list_add(list, column);
	}
}

/* Without a PMU only the view's own columns. */
void view_set_columns(const struct view_info *view, const struct column_set *set, bool has_pmu,
		      struct columns *columns, struct column_list *list)
{
	const char *names = view->around;
	char name[64];

	while (word_list_next(&names, name, sizeof(name)))
		if (strcmp(name, "*") == 0)
			add_of_set(view, set, columns, list);
		else if (has_pmu || word_list_has(view->columns_bare, name))
			column_list_add(list, columns_find(columns, name));
}
