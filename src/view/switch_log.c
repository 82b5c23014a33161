/*
 * Entries are known by their sequence numbers. Without anything to narrow them the rows are a
 * stretch of these numbers, and a build does nothing. Otherwise the numbers of the matching
 * entries are in an ascending array: at each build the new entries are looked at and those that
 * the history has dropped leave its front.
 *
 * Invariant: of the entries [looked_from, looked_to) those that match, and no others, are in
 * matches[head, count).
 *
 * Where the rows are in the order of a length of time, their sequence numbers are in an array
 * of their own, the longest first; lengths that are not known come last. It is made anew only for
 * other rows or another order.
 *
 * An entry belongs to a task when it is prev or next. Its user is known from the snapshot
 * only, so that it is not known of tasks that ended before the log was looked at.
 */

#include "view/switch_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/column.h"
#include "view/filter.h"
#include "view/filter_term.h"
#include "view/footer.h"
#include "view/row_kind.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/window.h"

enum {
	SCRATCH_ROWS = 2,
	PORTION = 1 << 13 /* judged within some ms, until others are let do their work */
};

/* What a slice does not have: waits are those of tasks, and a task migrates between two slices. */
static const uint32_t never_known = 1u << QUANTITY_MIGRATIONS | 1u << QUANTITY_PREEMPTED_NS |
				    1u << QUANTITY_OFF_NS | 1u << QUANTITY_QUEUED_NS |
				    1u << QUANTITY_WAKEUP_NS | 1u << QUANTITY_WAKEUPS |
				    1u << QUANTITY_UNINTERRUPTIBLE_NS | LAYOUT_SMT;

/* A row with all that it points to: the history may drop its own while a row is looked at. */
struct scratch {
	uint64_t sequence; /* UINT64_MAX: empty */
	struct view_row row;
	struct switch_entry entry;
	struct actor prev, next;
	uint64_t *counts; /* owned */
	size_t capacity;
};

struct switch_log {
	struct strbuf key; /* all that the matches depend on */
	bool is_narrowed;
	const struct history *history; /* borrowed; NULL: none */
	size_t width;                  /* of the snapshot's counts vectors */
	uint64_t first, end;           /* entries that may be rows */
	uint64_t *matches;             /* owned */
	size_t head, count, capacity;
	size_t row_count;
	uint64_t looked_from, looked_to;
	struct ordered {
		uint64_t sequence, ns;
	} * ordered; /* owned; the rows in their order */
	size_t ordered_capacity;
	struct strbuf order_key; /* what they were put in order by */
	bool is_sorted;
	struct scratch scratch[SCRATCH_ROWS];
	size_t latest; /* of these */
};

struct judge {
	struct switch_log *log;
	const struct rows_input *input;
	bool asks_for_tasks; /* not all tasks are wanted */
	bool needs_counts;   /* for the filter */
	struct actor_filter actors;
};

struct switch_log *switch_log_create(void)
{
	struct switch_log *log = xcalloc(1, sizeof(*log));

	for (size_t i = 0; i < SCRATCH_ROWS; i++)
		log->scratch[i].sequence = UINT64_MAX;
	return log;
}

void switch_log_destroy(struct switch_log *log)
{
	if (!log)
		return;
	for (size_t i = 0; i < SCRATCH_ROWS; i++)
		free(log->scratch[i].counts);
	strbuf_fini(&log->key);
	strbuf_fini(&log->order_key);
	free(log->matches);
	free(log->ordered);
	free(log);
}

/* The index of the first number that is not below this one. */
static size_t lower_bound(const struct switch_log *log, uint64_t sequence)
{
	size_t low = log->head;
	size_t high = log->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (log->matches[middle] < sequence)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_counts(const struct switch_log *log, struct scratch *scratch, bool wants_counts)
{
	const size_t own = history_width(log->history);
	const size_t width = own > log->width ? own : log->width;

	array_reserve(&scratch->counts, &scratch->capacity, width, sizeof(*scratch->counts));
	memset(scratch->counts, 0, width * sizeof(*scratch->counts));
	history_get(log->history, scratch->sequence, &scratch->entry,
		    wants_counts ? scratch->counts : NULL);
	scratch->entry.counts = scratch->counts;
}

/* Nothing is known any more of an entry that was dropped. */
static void make_dropped(const struct switch_log *log, struct scratch *scratch)
{
	array_reserve(&scratch->counts, &scratch->capacity, log->width, sizeof(*scratch->counts));
	memset(scratch->counts, 0, log->width * sizeof(*scratch->counts));
	scratch->entry = (struct switch_entry){
		.time_ns = SWITCH_NS_UNKNOWN,
		.slice_ns = SWITCH_NS_UNKNOWN,
		.off_ns = SWITCH_NS_UNKNOWN,
		.wait_ns = SWITCH_NS_UNKNOWN,
		.cpu = -1,
		.from_cpu = -1,
		.counts = scratch->counts,
	};
}

static const struct actor *keep_actor(const struct switch_log *log, struct actor *kept,
				      uint64_t number)
{
	const struct actor *actor = history_find_actor(log->history, number);

	if (!actor)
		return NULL;
	*kept = *actor;
	return kept;
}

static uint32_t unknown_of_entry(const struct switch_entry *entry)
{
	uint32_t unknown = never_known;

	if (entry->slice_ns == SWITCH_NS_UNKNOWN)
		unknown |= 1u << QUANTITY_RUN_NS;
	if (entry->how == SWITCH_UNKNOWN)
		unknown |= 1u << QUANTITY_PREEMPTIONS;
	if (!entry->has_counts)
		unknown |= METRIC_EVENTS_UNKNOWN;
	return unknown;
}

static uint64_t known_ns(uint64_t ns)
{
	return ns == SWITCH_NS_UNKNOWN ? 0 : ns;
}

static void make_row(struct switch_log *log, struct scratch *scratch, bool wants_counts)
{
	struct switch_entry *entry = &scratch->entry;

	if (scratch->sequence >= history_first(log->history))
		take_counts(log, scratch, wants_counts);
	else
		make_dropped(log, scratch);
	/* How long a slice was, and that a switch ended it, is known without any reading. */
	scratch->counts[QUANTITY_RUN_NS] = known_ns(entry->slice_ns);
	scratch->counts[QUANTITY_SWITCHES] = 1;
	scratch->row = (struct view_row){
		.kind = ROW_SWITCH,
		.id = scratch->sequence,
		.pid = -1,
		.tid = -1,
		.interval = scratch->counts,
		.unknown = unknown_of_entry(entry),
		.entry = entry,
		.prev = keep_actor(log, &scratch->prev, entry->prev),
		.next = keep_actor(log, &scratch->next, entry->next),
		.interval_ns = known_ns(entry->slice_ns),
		.is_active = true,
	};
	if (scratch->row.prev) {
		scratch->row.pid = scratch->prev.pid;
		scratch->row.tid = scratch->prev.tid;
	}
}

static bool passes_filter(const struct judge *judge, uint64_t sequence)
{
	struct switch_log *log = judge->log;
	struct scratch *scratch = &log->scratch[0];

	if (!judge->input->filter)
		return true;
	scratch->sequence = sequence;
	make_row(log, scratch, judge->needs_counts);
	return filter_passes(judge->input->filter, judge->input->source, &scratch->row);
}

static bool is_of_asked_tasks(struct judge *judge, const struct window_chunk *chunk, size_t i)
{
	return !judge->asks_for_tasks || actor_filter_has(&judge->actors, chunk->numbers[0][i]) ||
	       actor_filter_has(&judge->actors, chunk->numbers[1][i]);
}

/* A filter of words and times alone spares the entries' counts to be read. */
static bool filter_needs_counts(const struct filter *filter)
{
	const struct column *column;

	for (size_t i = 0; (column = filter_column(filter, i, ROW_SWITCH)); i++)
		if (column->metric || column->event)
			return true;
	return false;
}

/* Takes those before `first` off; the array moves down when half of it is empty. */
static void drop_matches(struct switch_log *log)
{
	log->head = lower_bound(log, log->first);
	log->looked_from = log->first;
	if (log->head <= log->count / 2)
		return;
	memmove(log->matches, log->matches + log->head,
		(log->count - log->head) * sizeof(*log->matches));
	log->count -= log->head;
	log->head = 0;
}

/*
 * Others do their work. The history may have dropped entries by then: they are rows no more, and
 * none of them is looked at.
 */
static void let_others_work(struct switch_log *log, const struct view_request *request)
{
	uint64_t first;

	if (!request->meanwhile)
		return;
	request->meanwhile(request->context);
	first = history_first(log->history);
	if (first <= log->first)
		return;
	log->first = first;
	drop_matches(log);
	if (log->looked_to < first)
		log->looked_to = first;
}

static void judge_new(struct switch_log *log, const struct rows_input *input)
{
	struct judge judge = {
		.log = log,
		.input = input,
		.asks_for_tasks = request_asks_for_tasks(input->request),
		.needs_counts = filter_needs_counts(input->filter),
	};
	static const enum history_field fields[] = {HISTORY_PREV, HISTORY_NEXT};
	struct window_chunk chunk;
	size_t judged = 0;

	actor_filter_init(&judge.actors, input->request, input->snapshot);
	chunk.at = log->looked_to;
	chunk.count = 0;
	while (window_next(&chunk, log->history, log->end, fields, judge.asks_for_tasks ? 2 : 0)) {
		array_reserve(&log->matches, &log->capacity, log->count + chunk.count,
			      sizeof(*log->matches));
		for (size_t i = 0; i < chunk.count; i++)
			if (is_of_asked_tasks(&judge, &chunk, i) &&
			    passes_filter(&judge, chunk.at + i))
				log->matches[log->count++] = chunk.at + i;
		judged += chunk.count;
		log->looked_to = chunk.at + chunk.count;
		if (judged % PORTION == 0 && log->looked_to < log->end)
			let_others_work(log, input->request);
		/* the history may have dropped what would be next */
		chunk.at = log->looked_to - chunk.count;
	}
	actor_filter_fini(&judge.actors);
}

/* The key in bytes that are compared, not read. */
static void add_key(struct strbuf *key, const void *bytes, size_t size)
{
	strbuf_add_bytes(key, bytes, size);
}

/* A metric that is defined anew makes another filter of the same words. */
static void add_filter_key(struct strbuf *key, const struct rows_input *input)
{
	const char *text = input->request->filter;
	const struct column *column;

	if (!input->filter)
		return;
	strbuf_add(key, text ? text : "");
	for (size_t i = 0; (column = filter_column(input->filter, i, ROW_TASK)); i++) {
		strbuf_add_char(key, '\1'); /* is in no filter's line */
		strbuf_add(key, column->info ? column->info->formula : "");
	}
}

static void add_row_key(struct strbuf *key, const struct rows_input *input)
{
	const struct view_request *request = input->request;

	add_key(key, &request->history, sizeof(request->history));
	add_key(key, &request->wants_pid, sizeof(request->wants_pid));
	add_key(key, &request->context, sizeof(request->context));
	add_key(key, &request->uid, sizeof(request->uid));
	add_key(key, &request->tid, sizeof(request->tid));
	add_key(key, &request->id_from, sizeof(request->id_from));
	add_key(key, &request->id_to, sizeof(request->id_to));
	strbuf_add_char(key, request->pids ? 'p' : '-');
	if (request->pids)
		add_key(key, request->pids, request->pid_count * sizeof(*request->pids));
	add_filter_key(key, input);
}

/* Whether it is the same as the one that it replaces. */
static bool replace_key(struct strbuf *kept, const struct strbuf *key)
{
	const bool is_same = key->length == kept->length &&
			     memcmp(strbuf_text(key), strbuf_text(kept), key->length) == 0;

	strbuf_fini(kept);
	*kept = *key;
	return is_same;
}

/* Whether what was found out before still holds for the entries that it is about. */
static bool is_as_before(struct switch_log *log, const struct rows_input *input)
{
	struct strbuf key = {0};

	add_row_key(&key, input);
	return replace_key(&log->key, &key) && log->looked_from <= log->first &&
	       log->looked_to <= history_settled(log->history);
}

static void set_range(struct switch_log *log, const struct view_request *request)
{
	const uint64_t first = history_first(log->history);
	const uint64_t settled =
		request->is_over ? history_end(log->history) : history_settled(log->history);

	log->first = request->history_from > first ? request->history_from : first;
	log->end = settled;
	if (request->history_to > 0 && request->history_to < settled)
		log->end = request->history_to;
	if (log->end < log->first)
		log->end = log->first;
}

static const struct {
	const char *column;
	enum history_field field;
} sortable[] = {
	{"ran", HISTORY_SLICE_NS},
	{"off-cpu", HISTORY_OFF_NS},
	{"sch-delay", HISTORY_WAIT_NS},
};

/* HISTORY_FIELDS: none. */
static enum history_field field_of(const struct column *column)
{
	for (size_t i = 0; column && i < sizeof(sortable) / sizeof(sortable[0]); i++)
		if (strcmp(sortable[i].column, column->name) == 0)
			return sortable[i].field;
	return HISTORY_FIELDS;
}

bool switch_log_sorts(const struct column *column)
{
	return field_of(column) != HISTORY_FIELDS;
}

const struct column *switch_log_order(const struct view_request *request)
{
	return request->is_still && switch_log_sorts(request->state.order.sort)
		       ? request->state.order.sort
		       : NULL;
}

/* The longest first; of the same length the older one. */
static int compare_ordered(const void *a, const void *b)
{
	const struct ordered *left = a, *right = b;

	if (left->ns != right->ns)
		return left->ns < right->ns ? 1 : -1;
	return (left->sequence > right->sequence) - (left->sequence < right->sequence);
}

static uint64_t row_sequence(const struct switch_log *log, size_t index)
{
	return log->is_narrowed ? log->matches[log->head + index] : log->first + index;
}

static void order_log(struct switch_log *log, enum history_field field, bool ascends)
{
	array_reserve(&log->ordered, &log->ordered_capacity, log->row_count, sizeof(*log->ordered));
	for (size_t i = 0; i < log->row_count; i++) {
		struct ordered *ordered = &log->ordered[i];

		ordered->sequence = row_sequence(log, i);
		history_numbers(log->history, ordered->sequence, 1, field, &ordered->ns);
		/* of what is not known less is known than of 0 */
		ordered->ns = ordered->ns == SWITCH_NS_UNKNOWN ? 0 : ordered->ns + 1;
	}
	if (log->row_count == 0)
		return;
	qsort(log->ordered, log->row_count, sizeof(*log->ordered), compare_ordered);
	for (size_t i = 0; ascends && i < log->row_count / 2; i++) {
		const struct ordered kept = log->ordered[i];

		log->ordered[i] = log->ordered[log->row_count - 1 - i];
		log->ordered[log->row_count - 1 - i] = kept;
	}
}

static void sort_rows(struct switch_log *log, const struct rows_input *input)
{
	const enum history_field field = field_of(switch_log_order(input->request));
	const bool ascends = input->request->state.order.sort_reversed;
	struct strbuf key = {0};

	log->is_sorted = field != HISTORY_FIELDS;
	if (!log->is_sorted)
		return;
	add_key(&key, &field, sizeof(field));
	add_key(&key, &ascends, sizeof(ascends));
	add_key(&key, &log->first, sizeof(log->first));
	add_key(&key, &log->end, sizeof(log->end));
	add_key(&key, &log->row_count, sizeof(log->row_count));
	add_row_key(&key, input);
	if (!replace_key(&log->order_key, &key))
		order_log(log, field, ascends);
}

void switch_log_build(struct switch_log *log, const struct rows_input *input)
{
	const struct view_request *request = input->request;

	for (size_t i = 0; i < SCRATCH_ROWS; i++)
		log->scratch[i].sequence = UINT64_MAX;
	log->history = request->history;
	log->width = layout_width(input->snapshot->layout);
	log->row_count = 0;
	log->is_sorted = false;
	if (!log->history)
		return;
	set_range(log, request);
	log->is_narrowed = input->filter || request_asks_for_tasks(request);
	if (!log->is_narrowed) {
		log->row_count = (size_t)(log->end - log->first);
		sort_rows(log, input);
		return;
	}
	if (!is_as_before(log, input) || log->looked_to < log->first) {
		log->head = log->count = 0;
		log->looked_from = log->looked_to = log->first;
	} else {
		drop_matches(log);
	}
	judge_new(log, input);
	for (size_t i = 0; i < SCRATCH_ROWS; i++)
		log->scratch[i].sequence = UINT64_MAX;
	log->row_count = lower_bound(log, log->end) - log->head;
	sort_rows(log, input);
}

size_t switch_log_count(const struct switch_log *log)
{
	return log->row_count;
}

uint64_t switch_log_sequence(const struct switch_log *log, size_t index)
{
	return log->is_sorted ? log->ordered[index].sequence : row_sequence(log, index);
}

const struct view_row *switch_log_row(struct switch_log *log, size_t index)
{
	uint64_t sequence;

	assert(index < log->row_count);
	sequence = switch_log_sequence(log, index);
	if (log->scratch[log->latest].sequence == sequence)
		return &log->scratch[log->latest].row;
	log->latest = 1 - log->latest;
	if (log->scratch[log->latest].sequence != sequence) {
		log->scratch[log->latest].sequence = sequence;
		make_row(log, &log->scratch[log->latest], true);
	}
	return &log->scratch[log->latest].row;
}

int switch_log_index_of(const struct switch_log *log, uint64_t sequence)
{
	size_t index;

	if (log->row_count == 0 || sequence < log->first || sequence >= log->end)
		return -1;
	for (size_t i = 0; log->is_sorted && i < log->row_count; i++)
		if (log->ordered[i].sequence == sequence)
			return (int)i;
	if (log->is_sorted)
		return -1;
	if (!log->is_narrowed)
		return (int)(sequence - log->first);
	index = lower_bound(log, sequence);
	if (index == log->count || log->matches[index] != sequence)
		return -1;
	return (int)(index - log->head);
}

static bool switch_has_word(const struct getter_input *in, const struct view_row *row,
			    const char *word)
{
	return filter_actor_has_word(row->prev, word) || filter_actor_has_word(row->next, word);
}

static bool switch_task_fits(const struct filter_term *term, const struct view_row *row,
			     bool is_second)
{
	return filter_actor_fits(term, is_second ? row->next : row->prev);
}

const struct row_kind_info kind_switch = {
	.has_word = switch_has_word,
	.task_fits = switch_task_fits,
};

/* clang-format off */
const struct view_info view_switches = {
	.name = "switches",
	.short_name = "switch",
	.columns = "when,cpu,prev,how,ran,ipc,miss%,off-cpu,next",
	.columns_bare = "when,cpu,prev,how,ran,off-cpu,sch-delay,next",
	.essential = "prev,how,ran",
	.sort = "when",
	.kind = ROW_SWITCH,
	.filtered = ROW_SWITCH,
	.needs = COLUMN_NEEDS_WAKEUPS | COLUMN_NEEDS_LIMITS,
	.needs_history = true,
	.is_log = true,
	.fixed_order = "switches are in time order",
	.write_footer = switches_footer_write,
	.keys = "task,ask search,ask filter,ask record,ask hand-over",
	.help = "Each context switch, the newest last: outgoing task, why it left, incoming task.",
};
/* clang-format on */
