/*
 * An interval in JSON is one object on one line: time, scope, events, cpus, tasks, lost, own.
 *
 * Counts are raw integers, exact and unscaled, so that anyone can add them up: for every CPU
 * and event, and for the time ("ns"), the tasks' shares, idle and unattributed together are
 * what the CPU counted. Metrics are scaled where counters took turns, and null where unknown;
 * of the metrics beyond the first eleven only those are there that can have a value here or are the
 * user's. Events that were taken out are left out. Tasks are neither folded nor joined by extra
 * rows; those that neither ran nor waited for a CPU are left out unless asked for, as are tasks
 * that ended in an earlier interval: their counts were in that one's books.
 *
 * Of tasks that this user may not count ("from":"proc") the numbers are what the kernel says in
 * /proc; what events would have counted is null.
 *
 * Names are data: what no terminal should see (control characters, bytes that are no UTF-8)
 * stands as \xNN in the text of the string, in all outputs alike.
 *
 * Of the view of groups there are groups in place of tasks: what idle had and what no task can be
 * charged with stands with the CPUs.
 *
 * The views of the history are another thing: of the log of switches there is one object for each
 * of them (switches_json.c), of pairs and of the histogram one for each interval (past_json.c).
 *
 * Tasks are written one by one, so that memory holds one task's tree and not ten thousand.
 */

#include "batch/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "batch/batch.h"
#include "batch/past_json.h"
#include "batch/switches_json.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/busy.h"
#include "view/column_list.h"
#include "view/groups.h"
#include "view/summary.h"
#include "view/table.h"

/* Digits of a number with a fraction: enough for a wall clock with milliseconds. */
enum {
	DUMP_FLAGS = JSON_COMPACT | JSON_REAL_PRECISION(15),
	EVENT_KEY_MAX = 4 * EVENT_NAME_MAX, /* each byte of a name may become \xNN */
	TEXT_MAX = 4 * SESSION_TEXT_MAX
};

struct event_key {
	char text[EVENT_KEY_MAX];
};

struct writer {
	struct strbuf *out;
	const struct batch_input *input;
	const struct layout *layout;
	struct event_key *keys; /* owned; per event, its name made harmless */
	bool *is_chosen;        /* owned; per metric */
	struct view_table *table;
};

static int append(const char *bytes, size_t count, void *out)
{
	strbuf_add_bytes(out, bytes, count);
	return 0;
}

/* Writes an object and frees it; with JSON_EMBED without its braces. */
static void dump(struct writer *writer, json_t *object, size_t flags)
{
	json_dump_callback(object, append, writer->out, DUMP_FLAGS | flags);
	json_decref(object);
}

/* No count comes near 2^63; one that did could not be written as what it is. */
static json_t *whole(uint64_t number)
{
	return number <= INT64_MAX ? json_integer((json_int_t)number) : json_null();
}

static json_t *real(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

static json_t *words(const char *text)
{
	char safe[TEXT_MAX];

	text_safe(safe, sizeof(safe), text, false);
	return json_string(safe);
}

static json_t *words_or_null(const char *text)
{
	return text[0] != '\0' ? words(text) : json_null();
}

static json_t *quantity(const struct view_row *row, enum quantity quantity)
{
	return row->unknown & 1u << quantity ? json_null() : whole(row->interval[quantity]);
}

static json_t *counts(const struct writer *writer, const uint64_t *vector, uint32_t unknown)
{
	json_t *object = json_object();

	for (size_t i = 0; i < writer->layout->event_count; i++) {
		const struct event *event = &writer->layout->events[i];

		if (event_is_counted(event) && !event->is_removed)
			json_object_set_new_nocheck(
				object, writer->keys[i].text,
				unknown & METRIC_EVENTS_UNKNOWN
					? json_null()
					: whole(layout_event_count(writer->layout, i, vector)));
	}
	return object;
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
static bool is_written(const struct metrics *metrics, size_t index)
{
	const struct metric_info *info = metrics_info(metrics, index);

	return is_fixed(info->name) || info->is_users || metrics_is_available(metrics, index);
}

static bool *choose_metrics(const struct writer *writer)
{
	const size_t count = metrics_count(writer->input->metrics);
	bool *chosen = xcalloc(count, sizeof(*chosen));

	for (size_t i = 0; i < count; i++)
		chosen[i] = is_written(writer->input->metrics, i);
	return chosen;
}

static json_t *metrics(const struct writer *writer, const struct view_row *row)
{
	const struct metrics *table = writer->input->metrics;
	json_t *object = json_object();

	for (size_t i = 0; i < metrics_count(table); i++) {
		if (!writer->is_chosen[i])
			continue;
		json_object_set_new_nocheck(
			object, metrics_info(table, i)->name,
			real(metrics_eval(table, i, row->interval, row->unknown, row->interval_ns)
				     .value));
	}
	return object;
}

/* Of all that was counted in the interval, the share during which the event was on. */
static json_t *running_pct(const struct writer *writer, size_t event, const uint64_t *machine)
{
	double pct;

	if (!event_is_counted(&writer->layout->events[event]))
		return json_real(0.0);
	pct = metrics_running_pct(writer->layout, event, machine);
	if (writer->layout->events[event].is_estimate)
		return json_null();
	if (!isfinite(pct) && writer->layout->events[event].state == EVENT_COUNTING)
		return json_real(100.0);
	return real(pct);
}

static json_t *events(const struct writer *writer)
{
	size_t width = layout_width(writer->layout);
	uint64_t *machine = xcalloc(2 * width, sizeof(*machine));
	json_t *array = json_array();

	busy_sum_machine(machine, machine + width, writer->input->snapshot);
	for (size_t i = 0; i < writer->layout->event_count; i++) {
		const struct event *event = &writer->layout->events[i];
		json_t *object;

		if (event->is_removed)
			continue;
		object = json_object();
		json_object_set_new(object, "name", json_string(writer->keys[i].text));
		json_object_set_new(object, "state", json_string(event_state_name(event->state)));
		json_object_set_new(object, "running_pct", running_pct(writer, i, machine));
		json_object_set_new(object, "reason", words_or_null(event->reason));
		if (event->is_estimate)
			json_object_set_new(object, "estimate", json_true());
		json_array_append_new(array, object);
	}
	free(machine);
	return array;
}

static void add_share(json_t *object, const struct writer *writer, const uint64_t *vector)
{
	json_object_set_new(object, "ns", whole(vector[QUANTITY_RUN_NS]));
	json_object_set_new(object, "counts", counts(writer, vector, 0));
}

/* The cells of the columns that were asked for, in the units of CSV. */
static void add_columns(json_t *object, const struct writer *writer,
			const struct view_settings *settings, size_t row)
{
	json_t *cells;

	if (!settings->columns || settings->columns->count == 0)
		return;
	cells = json_object();
	for (size_t i = 0; i < view_table_column_count(writer->table); i++) {
		const struct column *column = view_table_column(writer->table, i);
		struct cell cell;

		view_table_cell(writer->table, row, i, &cell);
		json_object_set_new(cells, column->name,
				    cell.is_unknown ? json_null()
				    : column->words ? json_string(cell.text)
						    : real(cell.value));
	}
	json_object_set_new(object, "columns", cells);
}

static json_t *cpu(const struct writer *writer, const struct view_row *row)
{
	json_t *object = json_object();
	json_t *idle = json_object();
	json_t *unattributed = json_object();

	add_share(idle, writer, row->cpu->idle);
	add_share(unattributed, writer, row->cpu->unattributed);
	json_object_set_new(object, "cpu", json_integer(row->cpu->cpu));
	add_share(object, writer, row->cpu->counter);
	json_object_set_new(object, "metrics", metrics(writer, row));
	json_object_set_new(object, "idle", idle);
	json_object_set_new(object, "unattributed", unattributed);
	return object;
}

static json_t *cpus(const struct writer *writer)
{
	const struct batch_input *input = writer->input;
	struct view_settings settings = {.uid = -1};
	json_t *array = json_array();

	if (input->view == &view_cpus)
		settings.columns = input->settings->columns;
	view_table_build(writer->table, &view_cpus, &settings, input->snapshot, input->session,
			 input->metrics);
	for (size_t i = 0; i < view_table_row_count(writer->table); i++) {
		json_t *object = cpu(writer, view_table_row(writer->table, i));

		add_columns(object, writer, &settings, i);
		json_array_append_new(array, object);
	}
	return array;
}

static void add_sums(json_t *object, const struct writer *writer, const struct view_row *row)
{
	json_object_set_new(object, "run_ns", quantity(row, QUANTITY_RUN_NS));
	json_object_set_new(object, "switches", quantity(row, QUANTITY_SWITCHES));
	json_object_set_new(object, "preempted", quantity(row, QUANTITY_PREEMPTIONS));
	json_object_set_new(object, "migrations", quantity(row, QUANTITY_MIGRATIONS));
	json_object_set_new(object, "counts", counts(writer, row->interval, row->unknown));
	json_object_set_new(object, "metrics", metrics(writer, row));
}

static json_t *group(const struct writer *writer, const struct view_row *row)
{
	json_t *object = json_object();

	json_object_set_new(object, "by", json_string(row->group->grouping->name));
	json_object_set_new(object, "group",
			    row->group->is_none ? json_null() : words(row->group->words));
	json_object_set_new(object, "tasks", json_integer(row->group->tasks));
	add_sums(object, writer, row);
	return object;
}

static json_t *task(const struct writer *writer, const struct view_row *row)
{
	json_t *object = json_object();

	json_object_set_new(object, "pid", json_integer(row->pid));
	json_object_set_new(object, "tid", json_integer(row->tid));
	json_object_set_new(object, "command", words(row->task->name));
	json_object_set_new(object, "state", json_string(row->is_exited ? "exited" : "alive"));
	if (row->is_from_proc)
		json_object_set_new(object, "from", json_string("proc"));
	add_sums(object, writer, row);
	return object;
}

/* Rows of tasks, or of groups. */
static void write_rows(struct writer *writer)
{
	const struct batch_input *input = writer->input;
	const bool are_groups = input->view->kind == ROW_GROUP;
	struct view_settings settings = *input->settings;
	bool is_first = true;

	settings.fold_exited = false;
	settings.extra_rows = false;
	if (input->view == &view_cpus)
		settings.columns = NULL;
	view_table_build(writer->table, are_groups ? input->view : &view_tasks, &settings,
			 input->snapshot, input->session, input->metrics);
	strbuf_add(writer->out, are_groups ? ",\"groups\":[" : ",\"tasks\":[");
	for (size_t i = 0; i < view_table_row_count(writer->table); i++) {
		const struct view_row *row = view_table_row(writer->table, i);

		if (row->is_held)
			continue;
		if (!is_first)
			strbuf_add_char(writer->out, ',');
		is_first = false;
		json_t *object = are_groups ? group(writer, row) : task(writer, row);

		add_columns(object, writer, &settings, i);
		dump(writer, object, 0);
	}
	strbuf_add(writer->out, "],");
}

/* NaN: what was recorded without a wall clock has none. */
static double wall_clock_s(const struct batch_input *input)
{
	int64_t wall_ns = session_wall_ns(input->session->wall_offset_ns, input->snapshot->time_ns);

	return wall_ns >= 0 ? round((double)wall_ns / 1e6) / 1e3 : NAN;
}

/* Quantities that are out of a sampling profile: "run_ns". */
static json_t *estimates(const struct layout *layout)
{
	json_t *array = json_array();

	if (layout->estimated & 1u << QUANTITY_RUN_NS)
		json_array_append_new(array, json_string("run_ns"));
	return array;
}

static void write_head(struct writer *writer)
{
	const struct batch_input *input = writer->input;
	json_t *object = json_object();
	struct summary summary;

	summary_make(&summary, input->snapshot, input->session, input->metrics, false);
	json_object_set_new(object, "time", real(wall_clock_s(input)));
	if (isnan(wall_clock_s(input)))
		json_object_set_new(object, "record_time",
				    real((double)input->snapshot->time_ns / 1e9));
	json_object_set_new(object, "interval_s",
			    json_real((double)input->snapshot->interval_ns / 1e9));
	json_object_set_new(object, "scope",
			    json_string(session_scope_name(input->session->scope)));
	json_object_set_new(object, "scope_reason", words_or_null(summary.scope_reason));
	if (writer->layout->estimated != 0)
		json_object_set_new(object, "estimates", estimates(writer->layout));
	json_object_set_new(object, "events", events(writer));
	json_object_set_new(object, "cpus", cpus(writer));
	dump(writer, object, JSON_EMBED);
}

static void write_tail(struct writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;
	json_t *object = json_object();
	json_t *lost = json_object();
	json_t *own = json_object();
	const bool is_known = own_is_known(&snapshot->own);

	json_object_set_new(lost, "records", whole(snapshot->lost_records));
	json_object_set_new(lost, "throttled", whole(snapshot->throttled));
	json_object_set_new(own, "cpu_ns", is_known ? whole(snapshot->own.cpu_ns) : json_null());
	json_object_set_new(own, "rss_bytes",
			    is_known ? whole(snapshot->own.rss_bytes) : json_null());
	json_object_set_new(own, "fds", is_known ? whole(snapshot->own.descriptors) : json_null());
	json_object_set_new(object, "lost", lost);
	json_object_set_new(object, "own", own);
	dump(writer, object, JSON_EMBED);
}

static struct event_key *make_keys(const struct layout *layout)
{
	struct event_key *keys = xcalloc(layout->event_count, sizeof(*keys));

	for (size_t i = 0; i < layout->event_count; i++)
		text_safe(keys[i].text, sizeof(keys[i].text), layout->events[i].name, false);
	return keys;
}

static void write_interval(struct strbuf *out, const struct batch_input *input)
{
	struct writer writer = {
		.out = out,
		.input = input,
		.layout = input->snapshot->layout,
		.keys = make_keys(input->snapshot->layout),
		.table = input->table,
	};

	/*
	 * The keys are ours, no input can make them collide. Left to itself the library asks the
	 * kernel for random numbers, which soon after booting can wait for a second.
	 */
	json_object_seed(1);
	writer.is_chosen = choose_metrics(&writer);
	strbuf_add_char(out, '{');
	write_head(&writer);
	write_rows(&writer);
	write_tail(&writer);
	strbuf_add(out, "}\n");
	free(writer.is_chosen);
	free(writer.keys);
}

void json_write(struct strbuf *out, const struct batch_input *input)
{
	if (input->view->is_log)
		switches_json_write(out, input);
	else if (input->view->needs_history)
		past_json_write(out, input);
	else
		write_interval(out, input);
}
