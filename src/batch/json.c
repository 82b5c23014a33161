/*
 * An interval in JSON is one object on one line: time, scope, events, levels, cpus, tasks, lost,
 * own.
 *
 * Counts are raw integers, exact and unscaled, so that anyone can add them up: for every CPU and
 * event, for time ("ns") and switches, the tasks' shares, idle and unattributed together are what
 * the CPU counted; null where a recording does not say. Metrics are scaled where counters took
 * turns, and null where unknown; of the metrics beyond the first eleven only those are there that
 * can have a value here or are the user's. Events that were taken out are left out. Tasks are
 * neither folded nor joined by extra rows; those that neither ran nor waited for a CPU are left
 * out unless asked for, as are tasks that ended in an earlier interval: their counts were in that
 * one's books. Of chosen tasks there is "unattributed" beside them, in place of the CPUs: what all
 * CPUs have counted of unknown tasks.
 *
 * "levels" says of which cache a metric is, or of memory, as far as that is known:
 * {"miss_pct":"LLC","mpki":"LLC","llc_mb_s":"MEM"}; they are L1D, L2, LLC and MEM.
 *
 * Of tasks that this user may not count ("from":"proc") the numbers are what the kernel says in
 * /proc; what events would have counted is null. Of the view of groups there are groups in place of
 * tasks: what idle had and what no task can be charged with is with the CPUs.
 *
 * Of several recordings (-i A -i B) an object is of one, and begins with "host", its name.
 *
 * "interrupts" are there while the states of tasks are shown, of each CPU and name how often they
 * came and how long they took, without those that interrupted them:
 * {"cpu":0,"kind":"soft","name":"NET_RX","count":30,"ns":41000}; "kind" is soft or hard.
 *
 * Names are data: what no terminal should see (control characters, bytes that are no UTF-8)
 * becomes \xNN in the text of the string, in all outputs alike.
 *
 * Pairs and the histogram are, an interval on a line,
 *
 *	{"time":1.5,"interval_s":1.0,"pairs":[{"victim":{"pid":7,"tid":8,"command":"sh"},
 *	 "taker":{"pid":20,"tid":20,"command":"nginx"},"cpu":null,"kind":"preempted","times":3,
 *	 "lost_ns":51000,"worst_ns":40000}]}    (of wakers: "wakee" and "waker", and no "kind")
 *	{"time":1.5,"interval_s":1.0,"lengths":[{"from_ns":0,"below_ns":128,"slices":2,
 *	 "preempted_waits":0,"queue_waits":null}]}
 *
 *	{"time":1.5,"interval_s":1.0,"sampling":"cpu-clock, 997 Hz","off_cpu":null,
 *	 "wakers":null,"lost":0,"left_out":0,"own":{"cpu_ns":3,"samples_ns":2,...},
 *	 "functions":[{"function":"main","object":"sh","self_samples":3,"total_samples":99,
 *	 "self_weight":3009027,"total_weight":99297891,"self_pct":3.0,"total_pct":99.0,
 *	 "metrics":{"ipc":0.8,"mpki":3.1}}]}
 *
 * In trees of functions (--calls) each also has its "depth" below those at the top, and is behind
 * the one that it is under; one that was inlined has "inlined":true. Weights of functions are in
 * what samples stand for: ns of cpu-clock, else cycles; of wakers wake-ups. All self_weight
 * together are the weight of all samples; lost are samples that the kernel could not write, and
 * left_out those for which there was no more room. Metrics are estimates from what was counted in
 * the function: only those that are known. By page faults a function has the "mapping" that most of
 * its own are in, and as "mapping_weight" how many these are.
 *
 * Pairs are in the order of the table. Of those listed by name pid and tid are null; of an unknown
 * one, and of the pairs that are no longer listed, so is "command". "cpu" is null unless pairs are
 * listed by CPU, "below_ns" of the last length, which has no end, and "queue_waits" where wake-ups
 * are not recorded, so that some waits are not known.
 *
 * Of locks "lock", "waiter" and "holder" are in their place, and "holder_waited_for", the locks for
 * which that waited itself, with their holders. "now_ns" is how long waits that go on have taken by
 * now: in the other numbers they are when they end. In a "deadlock" tasks wait for each other.
 *
 * A switch of the log is
 *
 *	{"time_ns":83202,"cpu":0,"out":{"pid":7,"tid":8,"command":"sh"},"how":"blocked",
 *	 "state":"S","slice_ns":51000,"counts":{"cycles":99},"in":{"pid":0,"tid":0,"command":"idle",
 *	 "off_ns":null,"preempted":null},"wait_ns":null,"from_cpu":null}
 *
 * on a line. time_ns is the clock of the records (CLOCK_MONOTONIC), counts are raw and of the slice
 * that ends. What is not known is null: "out" and "in" as a whole for an unknown task, "counts"
 * where counters could not be read at each switch. Idle is pid 0, tid 0, "idle", and the way in
 * which it leaves is "idle". "state" is the letter that ps has for the state in which the task
 * left, known where the tracepoint sched:sched_switch was read. "preempted" says whether the next
 * task had been preempted, and "wait_ns" how much of off_ns it was runnable.
 *
 * There may be hundreds of thousands of switches a second, and a library's trees cost ten times as
 * much as these lines: they are put together here.
 */

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "batch/put.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/record.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/branches.h"
#include "view/column.h"
#include "view/difference.h"
#include "view/functions.h"
#include "view/groups.h"
#include "view/histogram.h"
#include "view/names.h"
#include "view/pairs.h"
#include "view/stalls.h"
#include "view/summary.h"
#include "view/table.h"

struct json_writer {
	struct strbuf *out;
	const struct batch_input *input;
	const struct layout *layout;
	struct strbuf *event_keys; /* owned; per event, its name in quotes and a colon */
	bool *is_chosen;           /* owned; per metric */
};

static void put_known(struct strbuf *out, const char *key, bool is_known, uint64_t number)
{
	if (is_known)
		put_count(out, key, number);
	else
		put_word(out, key, "null");
}

static void put_id(struct strbuf *out, const char *key, int32_t id)
{
	put_known(out, key, id >= 0, (uint64_t)id);
}

static void put_time_ns(struct strbuf *out, const char *key, uint64_t ns)
{
	put_known(out, key, ns != SWITCH_NS_UNKNOWN, ns);
}

static void put_text_or_null(struct strbuf *out, const char *key, const char *text)
{
	if (text && text[0] != '\0')
		put_json_string(out, key, text);
	else
		put_word(out, key, "null");
}

static void put_json_counts(const struct json_writer *writer, const uint64_t *vector, bool is_known)
{
	struct strbuf *out = writer->out;

	open_json(out, "counts", '{');
	for (size_t i = 0; i < writer->layout->event_count; i++) {
		const struct event *event = &writer->layout->events[i];

		if (!event_is_counted(event) || event->is_removed)
			continue;
		put_key(out, NULL);
		strbuf_add_bytes(out, writer->event_keys[i].text, writer->event_keys[i].length);
		if (is_known)
			put_number(out, layout_event_count(writer->layout, i, vector));
		else
			strbuf_add(out, "null");
	}
	strbuf_add_char(out, '}');
}

/* Always there, null where unknown: readers may count on them. */
static const char *const fixed_metrics[] = {
	"cpu_pct",    "ipc",           "ghz",          "miss_pct", "mpki",     "branch_mpki",
	"switches_s", "preemptions_s", "migrations_s", "faults_s", "slice_us",
};

static bool is_fixed(const char *name)
{
	for (size_t i = 0; i < sizeof(fixed_metrics) / sizeof(fixed_metrics[0]); i++)
		if (strcmp(fixed_metrics[i], name) == 0)
			return true;
	return false;
}

/* Of the others those that have a value here, and those that the user has defined. */
static bool is_written(const struct batch_input *input, size_t index)
{
	const struct metrics *metrics = input->metrics;
	const struct metric_info *info = metrics_info(metrics, index);

	return is_fixed(info->name) || info->is_users ||
	       (metrics_is_available(metrics, index) &&
		!metrics_needs(metrics, index, input->snapshot->unknown & LAYOUT_SMT));
}

static void put_metrics(const struct json_writer *writer, const struct view_row *row)
{
	const struct metrics *metrics = writer->input->metrics;

	open_json(writer->out, "metrics", '{');
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		if (!writer->is_chosen[i])
			continue;
		put_name_as_key(writer->out, metrics_info(metrics, i)->name);
		put_fraction(writer->out, NULL,
			     metrics_eval(metrics, i, row->interval, row->unknown, row->interval_ns)
				     .value);
	}
	strbuf_add_char(writer->out, '}');
}

/* Of all that was counted in the interval, the share during which the event was on. */
static double event_running_pct(const struct layout *layout, size_t index, const uint64_t *machine)
{
	const struct event *event = &layout->events[index];

	if (!event_is_counted(event))
		return 0;
	if (event->is_estimate)
		return NAN;
	const double pct = metrics_running_pct(layout, index, machine);
	return !isfinite(pct) && event->state == EVENT_COUNTING ? 100 : pct;
}

static void put_json_events(const struct json_writer *writer)
{
	const struct layout *layout = writer->layout;
	const size_t width = layout_width(layout);
	uint64_t *machine = xcalloc(2 * width, sizeof(*machine));
	struct strbuf *out = writer->out;

	busy_sum_machine(machine, machine + width, writer->input->snapshot);
	open_json(out, "events", '[');
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];

		if (event->is_removed)
			continue;
		open_json(out, NULL, '{');
		put_json_string(out, "name", event->name);
		put_json_string(out, "state", event_state_name(event->state));
		put_fraction(out, "running_pct", event_running_pct(layout, i, machine));
		put_text_or_null(out, "reason", event->reason);
		if (event->is_estimate)
			put_word(out, "estimate", "true");
		strbuf_add_char(out, '}');
	}
	strbuf_add_char(out, ']');
	free(machine);
}

/* Which level of the memory hierarchy metrics are about, where it is known. */
static void put_levels(const struct json_writer *writer)
{
	const struct metrics *metrics = writer->input->metrics;

	open_json(writer->out, "levels", '{');
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		const struct metric_info *info = metrics_info(metrics, i);

		if (writer->is_chosen[i] && info->level != CACHE_LEVEL_UNKNOWN)
			put_json_string(writer->out, info->name, cache_level_name(info->level));
	}
	strbuf_add_char(writer->out, '}');
}

/* The cells of the columns, in the units of CSV. */
static void put_cells(const struct json_writer *writer, size_t row)
{
	const struct view_table *table = writer->input->table;

	for (size_t i = 0; i < view_table_column_count(table); i++) {
		const struct column *column = view_table_column(table, i);
		struct cell cell;

		view_table_cell(table, row, i, &cell);
		put_name_as_key(writer->out, column->name);
		if (column->words && !cell.is_unknown)
			put_json_string(writer->out, NULL, cell.text + cell.head);
		else
			put_fraction(writer->out, NULL, cell.is_unknown ? NAN : cell.value);
	}
}

/* Those that were asked for; where there is a mark, all, as they are more or less. */
static void put_columns(const struct json_writer *writer, const struct view_request *request,
			size_t row)
{
	const bool are_differences = difference_is_shown(request);

	if (!are_differences && !request->state.set && request->state.columns.count == 0)
		return;
	open_json(writer->out, are_differences ? "difference" : "columns", '{');
	put_cells(writer, row);
	strbuf_add_char(writer->out, '}');
}

static void put_json_share(const struct json_writer *writer, const char *key,
			   const uint64_t *vector)
{
	const uint32_t unknown = writer->input->session->unknown;

	if (key)
		open_json(writer->out, key, '{');
	put_known(writer->out, "ns", !(unknown & 1u << QUANTITY_RUN_NS), vector[QUANTITY_RUN_NS]);
	put_known(writer->out, "switches", !(unknown & 1u << QUANTITY_SWITCHES),
		  vector[QUANTITY_SWITCHES]);
	put_json_counts(writer, vector, true);
	if (key)
		strbuf_add_char(writer->out, '}');
}

static void put_cpu(const struct json_writer *writer, const struct view_row *row)
{
	const uint64_t steal_ns = cpu_steal_ns(writer->input->snapshot, row->cpu->cpu);

	put_id(writer->out, "cpu", row->cpu->cpu);
	put_json_share(writer, NULL, row->cpu->counter);
	put_metrics(writer, row);
	put_json_share(writer, "idle", row->cpu->idle);
	put_json_share(writer, "unattributed", row->cpu->unattributed);
	if (row->cpu->unread_ns > 0)
		put_count(writer->out, "unread_ns", row->cpu->unread_ns);
	if (steal_ns != UINT64_MAX)
		put_count(writer->out, "steal_ns", steal_ns);
}

static void put_quantity(const struct json_writer *writer, const char *key,
			 const struct view_row *row, enum quantity quantity)
{
	put_known(writer->out, key, !(row->unknown & 1u << quantity), row->interval[quantity]);
}

static void put_sums(const struct json_writer *writer, const struct view_row *row)
{
	put_quantity(writer, "run_ns", row, QUANTITY_RUN_NS);
	put_quantity(writer, "switches", row, QUANTITY_SWITCHES);
	put_quantity(writer, "preempted", row, QUANTITY_PREEMPTIONS);
	put_quantity(writer, "migrations", row, QUANTITY_MIGRATIONS);
	put_json_counts(writer, row->interval, !(row->unknown & METRIC_EVENTS_UNKNOWN));
	put_metrics(writer, row);
}

static void put_group(const struct json_writer *writer, const struct view_row *row)
{
	const struct task_group *group = row->group;

	put_json_string(writer->out, "by", group->grouping->name);
	put_text_or_null(writer->out, "group", group->is_none ? NULL : group->words);
	put_count(writer->out, "tasks", (uint64_t)group->tasks);
	put_sums(writer, row);
}

static void put_task(const struct json_writer *writer, const struct view_row *row)
{
	struct strbuf *out = writer->out;

	put_id(out, "pid", row->pid);
	put_id(out, "tid", row->tid);
	put_json_string(out, "command", row->task->name);
	put_json_string(out, "state", row->is_exited ? "exited" : "alive");
	if (row->is_from_proc)
		put_json_string(out, "from", "proc");
	put_sums(writer, row);
}

/* One side of a pair. */
static void put_party(const struct json_writer *writer, const char *key, const struct pair *pair,
		      uint64_t number, const char *words)
{
	const struct view_request *request = writer->input->request;
	const struct actor *actor =
		pair->is_others ? NULL : history_find_actor(request->history, number);
	const bool is_known = actor && actor->number != ACTOR_UNKNOWN;
	const bool is_interrupt = pair->form != PAIRS_TAKERS && is_known && number == ACTOR_IDLE;
	const bool has_ids = is_known && !is_interrupt && !pair->is_of_names;

	open_json(writer->out, key, '{');
	put_id(writer->out, "pid", has_ids ? actor->pid : -1);
	put_id(writer->out, "tid", has_ids ? actor->tid : -1);
	if (request->by == BY_CONTAINER)
		put_json_string(writer->out, "container", words);
	else
		put_text_or_null(writer->out, "command",
				 is_interrupt ? words
				 : is_known   ? actor->name
					      : NULL);
	strbuf_add_char(writer->out, '}');
}

/* The members are those of an object that is open. */
static void put_lock(const struct json_writer *writer, const struct pair_lock *lock)
{
	if (!lock) {
		put_word(writer->out, "lock", "null");
		return;
	}
	open_json(writer->out, "lock", '{');
	put_id(writer->out, "pid", lock->pid);
	put_json_string(writer->out, "address", lock->place);
	put_text_or_null(writer->out, "name", lock->words[0] != '\0' ? lock->words : NULL);
	strbuf_add_char(writer->out, '}');
}

/* For what the holder of a lock waited meanwhile, and so on. */
static void put_chain(const struct json_writer *writer, const struct pair *pair)
{
	const struct pair *each = pair->behind;

	open_json(writer->out, "holder_waited_for", '[');
	for (size_t i = 0; each && i < PAIR_CHAIN_MAX; i++, each = pair_chain_next(pair, each)) {
		open_json(writer->out, NULL, '{');
		put_lock(writer, each->lock);
		put_party(writer, "holder", each, each->taker, each->taker_words);
		strbuf_add_char(writer->out, '}');
	}
	strbuf_add_char(writer->out, ']');
}

static void put_json_pair(const struct json_writer *writer, const struct view_row *row)
{
	static const struct {
		const char *victim, *taker;
	} parties[PAIRS_FORMS] = {
		[PAIRS_TAKERS] = {"victim", "taker"},
		[PAIRS_WAKERS] = {"wakee", "waker"},
		[PAIRS_LOCKS] = {"waiter", "holder"},
	};
	const struct pair *pair = row->pair;

	if (pair->form == PAIRS_LOCKS)
		put_lock(writer, pair->lock);
	put_party(writer, parties[pair->form].victim, pair, pair->victim, pair->victim_words);
	put_party(writer, parties[pair->form].taker, pair, pair->taker, pair->taker_words);
	if (pair->form == PAIRS_LOCKS)
		put_chain(writer, pair);
	put_id(writer->out, "cpu", pair->cpu);
	if (pair->form == PAIRS_TAKERS)
		put_text_or_null(writer->out, "kind",
				 pair->is_others ? NULL : pair_kind_name(pair->kind));
	put_count(writer->out, "times", pair->times);
	put_count(writer->out, "lost_ns", pair->lost_ns);
	put_count(writer->out, "worst_ns", pair->worst_ns);
	if (pair->form == PAIRS_LOCKS) {
		put_count(writer->out, "now_ns", pair->now_ns);
		put_word(writer->out, "deadlock", pair->is_deadlock ? "true" : "false");
	}
}

static void put_length(const struct json_writer *writer, const struct view_row *row)
{
	const struct length *length = row->item;

	put_count(writer->out, "from_ns", length->begin_ns);
	put_known(writer->out, "below_ns", length->end_ns != UINT64_MAX, length->end_ns);
	put_count(writer->out, "slices", length->count[LENGTH_SLICES]);
	put_known(writer->out, "preempted_waits", !(row->unknown & 1u << QUANTITY_PREEMPTED_NS),
		  length->count[LENGTH_PREEMPTED]);
	put_known(writer->out, "queue_waits", !(row->unknown & 1u << QUANTITY_QUEUED_NS),
		  length->count[LENGTH_QUEUED]);
}

/* The task of one side of a switch, in an object that stays open. False: it is unknown, and null.
 */
static bool begin_actor(struct strbuf *out, const char *key, const struct actor *actor)
{
	if (!actor || actor->number == ACTOR_UNKNOWN) {
		put_word(out, key, "null");
		return false;
	}
	open_json(out, key, '{');
	put_id(out, "pid", actor->pid);
	put_id(out, "tid", actor->tid);
	put_json_string(out, "command", actor->name);
	return true;
}

static void put_state(struct strbuf *out, unsigned int state)
{
	if (state == TASK_STATE_UNKNOWN)
		put_word(out, "state", "null");
	else
		put_json_string(out, "state", task_state_name(state));
}

static void put_json_switch(const struct json_writer *writer, const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;
	struct strbuf *out = writer->out;

	put_time_ns(out, "time_ns", entry->time_ns);
	put_id(out, "cpu", entry->cpu);
	if (begin_actor(out, "out", row->prev))
		strbuf_add_char(out, '}');
	put_json_string(out, "how", switch_how_name(entry->how));
	put_state(out, entry->state);
	put_time_ns(out, "slice_ns", entry->slice_ns);
	if (entry->has_counts)
		put_json_counts(writer, row->interval, true);
	else
		put_word(out, "counts", "null");
	if (begin_actor(out, "in", row->next)) {
		put_time_ns(out, "off_ns", entry->off_ns);
		put_word(out, "preempted",
			 entry->off_ns == SWITCH_NS_UNKNOWN ? "null"
			 : entry->next_was_preempted        ? "true"
							    : "false");
		strbuf_add_char(out, '}');
	}
	put_time_ns(out, "wait_ns", entry->wait_ns);
	put_id(out, "from_cpu", entry->from_cpu);
}

/* Those that what was counted in a function is enough for. */
static void put_known_metrics(const struct json_writer *writer, const struct view_row *row)
{
	const struct metrics *metrics = writer->input->metrics;

	open_json(writer->out, "metrics", '{');
	for (size_t i = 0; i < metrics_count(metrics) && row->interval; i++) {
		const double value =
			metrics_eval(metrics, i, row->interval, row->unknown, row->interval_ns)
				.value;

		if (!writer->is_chosen[i] || !isfinite(value))
			continue;
		put_name_as_key(writer->out, metrics_info(metrics, i)->name);
		put_fraction(writer->out, NULL, value);
	}
	strbuf_add_char(writer->out, '}');
}

/* Of a branch the function is where it leads, and the samples are how often. */
static void put_json_branch(const struct json_writer *writer, const struct view_row *row)
{
	const struct branch *branch = row->item;
	const bool is_known = branch->said.is_predictable;
	const struct getter_input in = {
		.function_names = view_table_function_names(writer->input->table),
	};

	put_json_string(writer->out, "from", branch_from(&in, row).text);
	put_json_string(writer->out, "from_offset", branch->from_offset);
	put_json_string(writer->out, "to_offset", branch->to_offset);
	put_known(writer->out, "mispredicted", is_known, branch->mispredicted);
	put_known(writer->out, "cycles", branch->cycles > 0, branch->cycles);
	put_text_or_null(writer->out, "type", branch_type(&in, row).text);
	put_text_or_null(writer->out, "privilege", branch_privilege(&in, row).text);
}

static void put_function(const struct json_writer *writer, const struct view_row *row)
{
	const struct function *function = row->function;
	const double all = (double)function->all_weight;
	const struct function_name name =
		function_names_find(view_table_function_names(writer->input->table),
				    function->number, function->time_ns);

	if (writer->input->request->state.info->is_tree)
		put_count(writer->out, "depth", row->branch.depth);
	if (function->by == CALLS_BY_THREAD) {
		put_id(writer->out, "pid", row->pid);
		put_id(writer->out, "tid", row->tid);
		put_text_or_null(writer->out, "command", row->task ? row->task->name : NULL);
	}
	if (function->by == CALLS_BY_LINE) {
		put_text_or_null(writer->out, "file", name.file ? name.file : "");
		put_count(writer->out, "line", name.line);
	}
	if (function_has_name(function))
		put_json_string(writer->out, "function", name.function);
	if (function->by != CALLS_BY_THREAD)
		put_text_or_null(writer->out, "object", name.object);
	if (name.is_inlined)
		put_word(writer->out, "inlined", "true");
	if (name.reason && function_has_name(function))
		put_json_string(writer->out, "reason", name.reason);
	put_count(writer->out, "self_samples", function->self_samples);
	put_count(writer->out, "total_samples", function->total_samples);
	put_count(writer->out, "self_weight", function->self_weight);
	put_count(writer->out, "total_weight", function->total_weight);
	put_fraction(writer->out, "self_pct", 100.0 * (double)function->self_weight / all);
	put_fraction(writer->out, "total_pct", 100.0 * (double)function->total_weight / all);
	if (function->mapping > 0) {
		const struct function_name mapping =
			function_names_find(view_table_function_names(writer->input->table),
					    function->mapping, function->time_ns);

		put_json_string(writer->out, "mapping", mapping.object);
		put_count(writer->out, "mapping_weight", function->mapping_weight);
	}
	if (row->item)
		put_json_branch(writer, row);
	if (function->branches > 0) {
		put_count(writer->out, "branches", function->branches);
		put_count(writer->out, "mispredicted", function->mispredicted);
	}
	put_known_metrics(writer, row);
}

/* Those with more than cells in their objects, or with other names. */
/* clang-format off */
static const struct {
	const char *key; /* of the array */
	void (*put)(const struct json_writer *writer, const struct view_row *row);
	bool has_columns; /* those that were asked for are in the object */
} kinds[ROW_KINDS] = {
	[ROW_TASK]   = {"tasks",   put_task,   true},
	[ROW_CPU]    = {"cpus",    put_cpu,    true},
	[ROW_GROUP]  = {"groups",  put_group,  true},
	[ROW_PAIR]   = {"pairs",   put_json_pair,   false},
	[ROW_LENGTH] = {"lengths", put_length, false},
	[ROW_FUNCTION] = {"functions", put_function, false},
};
/* clang-format on */

/* What its columns show, and where it is in a tree. */
static void put_other_row(const struct json_writer *writer, const struct view_row *row,
			  size_t index)
{
	if (writer->input->request->state.info->is_tree)
		put_count(writer->out, "depth", row->branch.depth);
	put_cells(writer, index);
}

/* All rows of a view, an object each. */
static void put_rows(const struct json_writer *writer, const struct view_request *request)
{
	const struct batch_input *input = writer->input;
	const enum row_kind kind = request->state.info->kind;

	batch_build(input, request);
	open_json(writer->out, kinds[kind].put ? kinds[kind].key : request->state.info->name, '[');
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);

		if (row->is_held)
			continue;
		open_json(writer->out, NULL, '{');
		if (row->is_gone) /* its counts are of other events */
			put_word(writer->out, "gone", "true");
		else if (kinds[kind].put)
			kinds[kind].put(writer, row);
		else
			put_other_row(writer, row, i);
		if (kinds[kind].has_columns || difference_is_shown(request))
			put_columns(writer, request, i);
		strbuf_add_char(writer->out, '}');
	}
	strbuf_add_char(writer->out, ']');
}

/* The CPUs, whichever view it is, and its rows; that of CPUs has the tasks beside them. */
static void put_cpus_and_tasks(const struct json_writer *writer)
{
	struct view_request cpus, others = *writer->input->request;

	view_request_init(&cpus, &view_cpus);
	others.fold_exited = FOLD_NOTHING;
	others.extra_rows = false;
	if (others.state.info->kind == ROW_CPU) {
		cpus.mark = others.mark;
		cpus.metric_set = others.metric_set;
		cpus.state.columns = others.state.columns;
		others.state.columns = (struct column_list){0};
		others.state.info = &view_tasks;
	}
	put_rows(writer, &cpus);
	if (writer->input->snapshot->unattributed)
		put_json_share(writer, "unattributed", writer->input->snapshot->unattributed);
	put_rows(writer, &others);
}

/* What was recorded without a wall clock has only the time of its records. */
static void put_time_and_length(const struct json_writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;
	const int64_t wall_ns =
		session_wall_ns(writer->input->session->wall_offset_ns, snapshot->time_ns);

	if (writer->input->session->host[0] != '\0')
		put_json_string(writer->out, "host", writer->input->session->host);
	put_fraction(writer->out, "time", wall_ns >= 0 ? round((double)wall_ns / 1e6) / 1e3 : NAN);
	if (wall_ns < 0)
		put_fraction(writer->out, "record_time", (double)snapshot->time_ns / 1e9);
	put_fraction(writer->out, "interval_s", (double)snapshot->interval_ns / 1e9);
}

static void put_head(const struct json_writer *writer)
{
	const struct batch_input *input = writer->input;
	struct summary summary;

	summary_make(&summary, input->snapshot, input->session, input->metrics, false);
	put_json_string(writer->out, "scope", session_scope_name(input->session->scope));
	put_text_or_null(writer->out, "scope_reason", summary.scope_reason);
	if (writer->layout->estimated != 0) {
		/* quantities that are out of a sampling profile */
		open_json(writer->out, "estimates", '[');
		if (writer->layout->estimated & 1u << QUANTITY_RUN_NS)
			put_json_string(writer->out, NULL, "run_ns");
		strbuf_add_char(writer->out, ']');
	}
}

/* What the readings cost the watched: estimates. */
static void put_json_readings(const struct json_writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;
	const struct session *session = writer->input->session;
	const struct own_usage *own = &snapshot->own;
	const bool is_known = own->switch_ns > 0;

	put_known(writer->out, "switch_ns", is_known, own->switch_ns);
	put_known(writer->out, "readings_ns", is_known, own->readings_ns);
	put_known(writer->out, "samples_ns", is_known, own->samples_ns);
	put_fraction(writer->out, "readings_pct", summary_readings_pct(snapshot, session));
	put_text_or_null(writer->out, "readings_reason", is_known ? "" : session->cost_reason);
	put_fraction(writer->out, "budget_pct",
		     own->budget_mpct > 0 ? (double)own->budget_mpct / OWN_MPCT : NAN);
	put_fraction(writer->out, "counting_pct",
		     own->budget_mpct > 0 ? (double)own->counting_mpct / OWN_MPCT : NAN);
}

static void put_own(const struct json_writer *writer)
{
	const struct own_usage *own = &writer->input->snapshot->own;
	const bool is_known = own_is_known(own);
	struct strbuf *out = writer->out;

	open_json(out, "own", '{');
	put_known(out, "cpu_ns", is_known, own->cpu_ns);
	put_known(out, "rss_bytes", is_known, own->rss_bytes);
	put_known(out, "fds", is_known, own->descriptors);
	put_json_readings(writer);
	strbuf_add_char(out, '}');
}

/* Where they are known, of each CPU those that there were. */
static void put_interrupts(const struct json_writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;

	if (!snapshot->has_interrupts)
		return;
	open_json(writer->out, "interrupts", '[');
	for (size_t i = 0; i < snapshot->interrupt_count; i++) {
		const struct snapshot_interrupt *interrupt = &snapshot->interrupts[i];

		open_json(writer->out, NULL, '{');
		put_id(writer->out, "cpu", interrupt->cpu);
		put_json_string(writer->out, "kind",
				interrupt->kind == INTERRUPT_SOFT ? "soft" : "hard");
		put_text_or_null(writer->out, "name", interrupt->name);
		put_count(writer->out, "count", interrupt->count);
		put_count(writer->out, "ns", interrupt->ns);
		strbuf_add_char(writer->out, '}');
	}
	strbuf_add_char(writer->out, ']');
}

static void put_tail(const struct json_writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;
	struct strbuf *out = writer->out;

	open_json(out, "lost", '{');
	put_count(out, "records", snapshot->lost_records);
	put_count(out, "throttled", snapshot->throttled);
	put_count(out, "throttled_ns", snapshot->throttled_ns);
	strbuf_add_char(out, '}');
	put_own(writer);
}

static void put_interval(const struct json_writer *writer)
{
	open_json(writer->out, NULL, '{');
	put_time_and_length(writer);
	put_text_or_null(writer->out, "verdict", writer->input->verdict);
	put_head(writer);
	put_json_events(writer);
	put_levels(writer);
	put_cpus_and_tasks(writer);
	put_interrupts(writer);
	put_tail(writer);
	strbuf_add(writer->out, "}\n");
}

static void put_history(const struct json_writer *writer)
{
	open_json(writer->out, NULL, '{');
	put_time_and_length(writer);
	put_text_or_null(writer->out, "verdict", writer->input->verdict);
	put_rows(writer, writer->input->request);
	strbuf_add(writer->out, "}\n");
}

static void put_functions(const struct json_writer *writer)
{
	const struct batch_input *input = writer->input;
	const struct profile *profile = input->snapshot->profile;

	open_json(writer->out, NULL, '{');
	put_time_and_length(writer);
	put_text_or_null(writer->out, "verdict", writer->input->verdict);
	put_text_or_null(writer->out, "sampling", input->session->sampling_words);
	put_text_or_null(writer->out, "off_cpu", input->session->off_cpu.words);
	put_text_or_null(writer->out, "wakers", input->session->wakers.words);
	put_count(writer->out, "lost", profile ? profile->lost : 0);
	put_count(writer->out, "left_out", profile ? profile->left_out : 0);
	put_own(writer);
	put_rows(writer, input->request);
	strbuf_add(writer->out, "}\n");
}

static void put_log(const struct json_writer *writer)
{
	const struct batch_input *input = writer->input;

	batch_build(input, input->request);
	if (input->left_out > 0)
		strbuf_printf(writer->out, "{\"left_out\":%" PRIu64 "}\n", input->left_out);
	if (input->lost > 0)
		strbuf_printf(writer->out, "{\"lost\":%" PRIu64 "}\n", input->lost);
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		open_json(writer->out, NULL, '{');
		put_json_switch(writer, view_table_row(input->table, i));
		strbuf_add(writer->out, "}\n");
	}
}

void json_write(struct strbuf *out, const struct batch_input *input)
{
	const struct layout *layout = input->snapshot->layout;
	struct json_writer writer = {
		.out = out,
		.input = input,
		.layout = layout,
		.event_keys = xcalloc(layout->event_count, sizeof(*writer.event_keys)),
		.is_chosen = xcalloc(metrics_count(input->metrics), sizeof(*writer.is_chosen)),
	};

	for (size_t i = 0; i < metrics_count(input->metrics); i++)
		writer.is_chosen[i] = is_written(input, i);

	for (size_t i = 0; i < layout->event_count; i++) {
		put_json_text(&writer.event_keys[i], layout->events[i].name);
		strbuf_add_char(&writer.event_keys[i], ':');
	}
	if (input->request->state.info->is_log)
		put_log(&writer);
	else if (view_is_of_samples(input->request->state.info))
		put_functions(&writer);
	else if (input->request->state.info->needs_history)
		put_history(&writer);
	else
		put_interval(&writer);
	for (size_t i = 0; i < layout->event_count; i++)
		strbuf_fini(&writer.event_keys[i]);
	free(writer.is_chosen);
	free(writer.event_keys);
}
