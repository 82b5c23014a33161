/*
 * A trace as Perfetto, the Firefox profiler and speedscope open it: an array of events in JSON,
 * one on a line, in Chrome's trace event format. It may be cut off anywhere behind a line.
 *
 * Each CPU has a track, under the process "CPUs", and each task one under its process. A slice
 * (ph X) of the category
 *
 *	run      is a run of a task, on the track of the CPU and on its own; idle and what is not
 *	         known run on the CPU only. In args are run_ns as it was counted, how it ended
 *	         (how, state), counts (raw, so that anyone can add them up) and the metrics of them
 *	wait     of a task is a wait for a CPU, with what it waited for since: what had woken it, or
 *	         had the CPU in its place
 *	off      is the time before that, in which it could not run
 *
 * Flows (s, f) lead from what has woken a task, or was preferred to it, to the run of that task.
 * Counters (C) are what all CPUs have counted in an interval, idle included, and the metrics of
 * what was not idle. Instants (i) are samples, with the stack.
 *
 * Slices of a CPU follow each other. Of those that have not ended at the end of the trace "how" is
 * "running": with them the slices are what the CPU has counted, unless switches were left out. Of
 * chosen tasks, which have no CPUs, and with a filter only slices are there that have ended. Times
 * are those of the records, in microseconds with their nanoseconds as decimals.
 */

#include "batch/trace.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "batch/put.h"
#include "batch/sample_walk.h"
#include "model/counts.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/profile.h"
#include "model/record.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/summary.h"
#include "view/window.h"

enum {
	CPUS_PID = 1 << 30 /* no task has it; those of CPUs follow */
};

struct trace_cpu {
	uint64_t last_ns;     /* of its last switch; 0: none was written */
	struct actor running; /* what came then; its number is ACTOR_UNKNOWN also where it is not
				 kept */
	uint64_t *rest;       /* owned; what it counted and no slice has */
	size_t width;
	bool is_over; /* a switch came that is not in what it counted, nor are those behind it */
};

struct trace_writer {
	struct strbuf *out;
	const struct batch_input *input;
	struct trace *trace;
	const struct layout *layout;
	struct actor_filter *actors; /* that are asked for; NULL: all are */
};

static void destroy_trace_cpu(void *value)
{
	struct trace_cpu *cpu = value;

	free(cpu->rest);
	free(cpu);
}

void trace_fini(struct trace *trace)
{
	map_fini_with(&trace->cpus, destroy_trace_cpu);
	map_fini(&trace->tracks);
	*trace = (struct trace){0};
}

/* --- events */

static void put_us(struct strbuf *out, const char *key, uint64_t ns)
{
	const unsigned int rest = (unsigned int)(ns % NS_PER_US);

	put_count(out, key, ns / NS_PER_US);
	strbuf_printf(out, ".%03u", rest);
}

/* phase: a letter of the format. The object stays open. */
static void begin_event(const struct trace_writer *writer, const char *phase, const char *name,
			int32_t pid, int32_t tid)
{
	strbuf_add(writer->out, writer->trace->events++ > 0 ? ",\n{" : "[\n{");
	put_json_string(writer->out, "name", name);
	put_json_string(writer->out, "ph", phase);
	put_count(writer->out, "pid", (uint64_t)pid);
	put_count(writer->out, "tid", (uint64_t)tid);
}

static void begin_timed(const struct trace_writer *writer, const char *phase, const char *category,
			const char *name, int32_t pid, int32_t tid, uint64_t time_ns)
{
	begin_event(writer, phase, name, pid, tid);
	put_json_string(writer->out, "cat", category);
	put_us(writer->out, "ts", time_ns);
}

static void end_event(const struct trace_writer *writer)
{
	strbuf_add_char(writer->out, '}');
}

static void end_args(const struct trace_writer *writer)
{
	strbuf_add(writer->out, "}}");
}

/* --- tracks */

static void name_track(const struct trace_writer *writer, const char *what, int32_t pid,
		       int32_t tid, const char *name)
{
	begin_event(writer, "M", what, pid, tid);
	open_json(writer->out, "args", '{');
	put_json_string(writer->out, "name", name);
	end_args(writer);
}

static void order_track(const struct trace_writer *writer, const char *what, int32_t tid, int cpu)
{
	begin_event(writer, "M", what, CPUS_PID, tid);
	open_json(writer->out, "args", '{');
	put_word(writer->out, "sort_index", cpu < 0 ? "-1" : "");
	if (cpu >= 0)
		put_number(writer->out, (uint64_t)cpu);
	end_args(writer);
}

static void name_cpus(const struct trace_writer *writer)
{
	if (writer->trace->has_written_cpus)
		return;
	writer->trace->has_written_cpus = true;
	name_track(writer, "process_name", CPUS_PID, CPUS_PID, "CPUs");
	order_track(writer, "process_sort_index", CPUS_PID, -1);
}

static int32_t cpu_tid(int cpu)
{
	return CPUS_PID + 1 + cpu;
}

static struct trace_cpu *find_trace_cpu(const struct trace_writer *writer, int number)
{
	const uint64_t key = (uint64_t)number + 1;
	struct trace_cpu *cpu = map_get(&writer->trace->cpus, key);
	char name[32];

	if (!cpu) {
		cpu = xcalloc(1, sizeof(*cpu));
		map_put(&writer->trace->cpus, key, cpu);
		snprintf(name, sizeof(name), "CPU %d", number);
		name_cpus(writer);
		name_track(writer, "thread_name", CPUS_PID, cpu_tid(number), name);
		order_track(writer, "thread_sort_index", cpu_tid(number), number);
	}
	if (cpu->width < layout_width(writer->layout)) {
		array_reserve(&cpu->rest, &(size_t){cpu->width}, layout_width(writer->layout),
			      sizeof(*cpu->rest));
		memset(cpu->rest + cpu->width, 0,
		       (layout_width(writer->layout) - cpu->width) * sizeof(*cpu->rest));
		cpu->width = layout_width(writer->layout);
	}
	return cpu;
}

/* Of a task that is known, no idle; its process is the task itself where it is not known. */
static int32_t actor_pid(const struct actor *actor)
{
	return actor->pid > 0 ? actor->pid : actor->tid;
}

static bool has_track(const struct actor *actor)
{
	return actor && actor->tid > 0;
}

/* Under the name that it has now. A process has that of its first thread, once that is known. */
static void know_track(const struct trace_writer *writer, const struct actor *actor)
{
	const uint64_t process = (uint64_t)actor_pid(actor) << 32;
	const uint64_t key = process | (uint32_t)actor->tid;
	const uintptr_t hash = (uintptr_t)hash_text(0, actor->name) | 1;
	void *const known = map_get(&writer->trace->tracks, key);

	if (known == (void *)hash)
		return;
	map_put(&writer->trace->tracks, key, (void *)hash);
	name_track(writer, "thread_name", actor_pid(actor), actor->tid, actor->name);
	if (actor->tid == actor_pid(actor) || !map_get(&writer->trace->tracks, process))
		name_track(writer, "process_name", actor_pid(actor), actor->tid, actor->name);
	map_put(&writer->trace->tracks, process, (void *)hash);
}

/* --- slices */

/* Those that say how well a run went, and the user's own. */
static bool is_of_slices(const struct metric_info *info)
{
	static const char *const names[] = {"ipc", "ghz", "miss_pct", "mpki", "branch_mpki"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], info->name) == 0)
			return true;
	return info->is_users;
}

static void put_trace_metrics(const struct trace_writer *writer, const uint64_t *counts,
			      uint32_t unknown, uint64_t interval_ns)
{
	const struct metrics *metrics = writer->input->metrics;

	for (size_t i = 0; i < metrics_count(metrics); i++) {
		double value;

		if (!is_of_slices(metrics_info(metrics, i)))
			continue;
		value = metrics_eval(metrics, i, counts, unknown, interval_ns).value;
		if (!isfinite(value))
			continue;
		put_name_as_key(writer->out, metrics_info(metrics, i)->name);
		put_fraction(writer->out, NULL, value);
	}
}

static void put_trace_counts(const struct trace_writer *writer, const uint64_t *counts)
{
	const struct layout *layout = writer->layout;

	open_json(writer->out, "counts", '{');
	for (size_t i = 0; i < layout->event_count; i++) {
		if (!event_is_counted(&layout->events[i]) || layout->events[i].is_removed)
			continue;
		put_name_as_key(writer->out, layout->events[i].name);
		put_number(writer->out, layout_event_count(layout, i, counts));
	}
	strbuf_add_char(writer->out, '}');
}

/* A run of a task. */
struct task_run {
	const struct actor *actor; /* NULL: not known */
	uint64_t begin_ns, end_ns;
	int cpu;         /* -1: not known */
	const char *how; /* it ended */
	const char *state;
	const uint64_t *counts; /* with its run time */
	uint32_t unknown;       /* as of a row */
};

static const char *run_name(const struct task_run *run)
{
	if (!run->actor || run->actor->number == ACTOR_UNKNOWN)
		return "[unknown]";
	return run->actor->name[0] != '\0' ? run->actor->name : "[unknown]";
}

static void put_run_args(const struct trace_writer *writer, const struct task_run *run)
{
	struct strbuf *out = writer->out;

	open_json(out, "args", '{');
	if (run->cpu >= 0)
		put_count(out, "cpu", (uint64_t)run->cpu);
	if (has_track(run->actor)) {
		put_count(out, "pid", (uint64_t)actor_pid(run->actor));
		put_count(out, "tid", (uint64_t)run->actor->tid);
	}
	if (!(run->unknown & 1u << QUANTITY_RUN_NS))
		put_count(out, "run_ns", run->counts[QUANTITY_RUN_NS]);
	put_json_string(out, "how", run->how);
	if (run->state[0] != '\0')
		put_json_string(out, "state", run->state);
	if (run->unknown & METRIC_EVENTS_UNKNOWN)
		return;
	put_trace_metrics(writer, run->counts, run->unknown, run->counts[QUANTITY_RUN_NS]);
	put_trace_counts(writer, run->counts);
}

static void put_run_on(const struct trace_writer *writer, const struct task_run *run, int32_t pid,
		       int32_t tid)
{
	begin_timed(writer, "X", "run", run_name(run), pid, tid, run->begin_ns);
	put_us(writer->out, "dur", run->end_ns - run->begin_ns);
	put_run_args(writer, run);
	end_args(writer);
}

static void put_run(const struct trace_writer *writer, const struct task_run *run)
{
	if (run->cpu >= 0)
		put_run_on(writer, run, CPUS_PID, cpu_tid(run->cpu));
	if (has_track(run->actor))
		put_run_on(writer, run, actor_pid(run->actor), run->actor->tid);
}

/* Where the slice that ends here begins: at the switch before it, where that was written. */
static uint64_t begin_of_run(const struct trace_cpu *cpu, const struct switch_entry *entry)
{
	const uint64_t last_ns = cpu && cpu->last_ns < entry->time_ns ? cpu->last_ns : 0;
	const uint64_t begin_ns =
		entry->slice_ns < entry->time_ns ? entry->time_ns - entry->slice_ns : 0;

	if (last_ns > 0 && cpu->running.number == entry->prev)
		return last_ns;
	return begin_ns > last_ns ? begin_ns : last_ns;
}

/* What the slice has is not in the rest of the CPU. */
static void take_from_rest(const struct trace_writer *writer, struct trace_cpu *cpu,
			   const struct view_row *row)
{
	if (!row->entry->has_counts)
		writer->trace->lacks_switches = true;
	cpu->rest[QUANTITY_RUN_NS] -= row->entry->slice_ns;
	for (size_t i = QUANTITY_BUILTIN; i < cpu->width; i++)
		cpu->rest[i] -= row->interval[i];
}

/* --- waits, and what ended them */

static void put_wait_slice(const struct trace_writer *writer, const struct view_row *row,
			   const struct actor *by)
{
	const struct switch_entry *entry = row->entry;

	begin_timed(writer, "X", "wait",
		    entry->next_was_preempted ? "preempted" : "woken, waits for a CPU",
		    actor_pid(row->next), row->next->tid, entry->time_ns - entry->wait_ns);
	put_us(writer->out, "dur", entry->wait_ns);
	open_json(writer->out, "args", '{');
	put_count(writer->out, "wait_ns", entry->wait_ns);
	if (by) {
		put_json_string(writer->out,
				entry->next_was_preempted ? "preempted_by" : "woken_by",
				by->number == ACTOR_IDLE ? "[interrupt]" : by->name);
		if (has_track(by))
			put_count(writer->out, "by_tid", (uint64_t)by->tid);
	}
	end_args(writer);
}

static void put_off_slice(const struct trace_writer *writer, const struct view_row *row,
			  uint64_t wait_ns)
{
	const struct switch_entry *entry = row->entry;

	if (entry->off_ns <= wait_ns || entry->off_ns > entry->time_ns)
		return;
	begin_timed(writer, "X", "off", "off the CPU", actor_pid(row->next), row->next->tid,
		    entry->time_ns - entry->off_ns);
	put_us(writer->out, "dur", entry->off_ns - wait_ns);
	open_json(writer->out, "args", '{');
	put_count(writer->out, "off_ns", entry->off_ns - wait_ns);
	end_args(writer);
}

static void put_flow(const struct trace_writer *writer, const struct view_row *row,
		     const struct actor *by)
{
	const struct switch_entry *entry = row->entry;
	const char *name = entry->next_was_preempted ? "preempted" : "wake-up";

	begin_timed(writer, "s", name, name, actor_pid(by), by->tid,
		    entry->time_ns - entry->wait_ns);
	put_count(writer->out, "id", row->id);
	end_event(writer);
	begin_timed(writer, "f", name, name, actor_pid(row->next), row->next->tid, entry->time_ns);
	put_count(writer->out, "id", row->id);
	put_json_string(writer->out, "bp", "e");
	end_event(writer);
}

/* What the incoming task did since it was on a CPU last. */
static void put_absence(const struct trace_writer *writer, const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;
	const bool knows_wait =
		entry->wait_ns != SWITCH_NS_UNKNOWN && entry->wait_ns <= entry->time_ns;
	const struct actor *by =
		entry->queued_by == ACTOR_UNKNOWN
			? NULL
			: history_find_actor(writer->input->request->history, entry->queued_by);

	if (entry->off_ns != SWITCH_NS_UNKNOWN)
		put_off_slice(writer, row, knows_wait ? entry->wait_ns : 0);
	if (!knows_wait || entry->wait_ns == 0)
		return;
	put_wait_slice(writer, row, by);
	if (has_track(by)) {
		know_track(writer, by);
		put_flow(writer, row, by);
	}
}

/* --- a switch */

static void put_ended_run(const struct trace_writer *writer, struct trace_cpu *cpu,
			  const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;
	const struct task_run run = {
		.actor = row->prev,
		.begin_ns = begin_of_run(cpu, entry),
		.end_ns = entry->time_ns,
		.cpu = entry->cpu,
		.how = switch_how_name(entry->how),
		.state = task_state_name(entry->state),
		.counts = row->interval,
		.unknown = row->unknown,
	};

	if (has_track(row->prev))
		know_track(writer, row->prev);
	put_run(writer, &run);
	if (cpu)
		take_from_rest(writer, cpu, row);
}

/* A switch has two tasks: of one it may be known, or wanted, alone. Without a slice it only says
 * who runs: what was counted up to then is in the next one, and is not known to be a task's. */
static bool is_wanted_actor(const struct trace_writer *writer, const struct actor *actor)
{
	if (writer->actors)
		return actor && actor_filter_has(writer->actors, actor->number);
	return writer->input->snapshot->cpu_count > 0 || has_track(actor);
}

static void put_trace_switch(const struct trace_writer *writer, const struct view_row *row)
{
	const struct switch_entry *entry = row->entry;
	const bool is_slice = entry->slice_ns != SWITCH_NS_UNKNOWN;
	struct trace_cpu *cpu = entry->cpu >= 0 ? find_trace_cpu(writer, entry->cpu) : NULL;

	if (is_slice && is_wanted_actor(writer, row->prev))
		put_ended_run(writer, cpu, row);
	if (has_track(row->next) && is_wanted_actor(writer, row->next)) {
		know_track(writer, row->next);
		put_absence(writer, row);
	}
	if (!cpu)
		return;
	cpu->running = (struct actor){.number = ACTOR_UNKNOWN};
	cpu->last_ns = entry->time_ns;
	if (is_slice && row->next)
		cpu->running = *row->next;
}

static void put_missing(const struct trace_writer *writer, const char *what, uint64_t count)
{
	if (count == 0)
		return;
	writer->trace->lacks_switches = true;
	name_cpus(writer);
	begin_timed(writer, "i", "missing", what, CPUS_PID, CPUS_PID,
		    writer->input->snapshot->time_ns);
	put_json_string(writer->out, "s", "g");
	open_json(writer->out, "args", '{');
	put_count(writer->out, "count", count);
	end_args(writer);
}

static void put_trace_switches(struct trace_writer *writer)
{
	const struct batch_input *input = writer->input;
	struct actor_filter actors;

	actor_filter_init(&actors, input->request, input->snapshot);
	if (request_asks_for_tasks(input->request))
		writer->actors = &actors;
	batch_build(input, input->request);
	put_missing(writer, "switches left out", input->left_out);
	put_missing(writer, "records lost", input->lost);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		put_trace_switch(writer, view_table_row(input->table, i));
	writer->actors = NULL;
	actor_filter_fini(&actors);
}

/* --- the end of an interval */

static void put_counter(const struct trace_writer *writer, const char *name)
{
	const struct snapshot *snapshot = writer->input->snapshot;

	begin_timed(writer, "C", "machine", name, CPUS_PID, CPUS_PID,
		    snapshot->time_ns - snapshot->interval_ns);
	open_json(writer->out, "args", '{');
	put_key(writer->out, "value");
}

static void put_trace_counters(const struct trace_writer *writer)
{
	const struct layout *layout = writer->layout;
	const struct metrics *metrics = writer->input->metrics;
	const struct snapshot *snapshot = writer->input->snapshot;
	const size_t width = layout_width(layout);
	/* latency is of a process */
	const uint32_t unknown = batch_unknown(writer->input) | UINT32_C(1) << QUANTITY_LATENCY_NS;
	uint64_t *sum = xcalloc(3 * width, sizeof(*sum));
	uint64_t *busy = sum + 2 * width;

	busy_sum_machine(sum, sum + width, snapshot);
	busy_counts(busy, sum, sum + width, layout);
	name_cpus(writer);
	for (size_t i = 0; i < layout->event_count; i++) {
		if (!event_is_counted(&layout->events[i]) || layout->events[i].is_removed)
			continue;
		put_counter(writer, layout->events[i].name);
		put_number(writer->out, layout_event_count(layout, i, sum));
		end_args(writer);
	}
	for (size_t i = 0; i < metrics_count(metrics); i++) {
		const double value =
			metrics_eval(metrics, i, busy, unknown, snapshot->interval_ns).value;

		if (!isfinite(value) ||
		    layout_find_event(layout, metrics_info(metrics, i)->name) >= 0)
			continue;
		put_counter(writer, metrics_info(metrics, i)->name);
		put_fraction(writer->out, NULL, value);
		end_args(writer);
	}
	free(sum);
}

/* Outermost first, with a semicolon between. */
static void write_trace_stack(struct strbuf *text, const struct sample_walk *walk)
{
	strbuf_clear(text);
	for (size_t i = walk->depth; i-- > 0;) {
		strbuf_add(text, function_names_find(walk->names, walk->frames[i],
						     walk->input->snapshot->time_ns)
					 .function);
		if (i > 0)
			strbuf_add_char(text, ';');
	}
}

/* Of a task that was not seen to switch. */
static void know_sampled_track(const struct trace_writer *writer, const struct sample_walk *walk,
			       const struct profile_entry *entry)
{
	const struct snapshot_task *task = sample_walk_task(walk, entry);
	struct actor actor = {.pid = entry->pid, .tid = entry->tid};

	if (!task)
		return;
	memcpy(actor.name, task->name, sizeof(actor.name));
	know_track(writer, &actor);
}

static void put_trace_sample(const struct trace_writer *writer, const struct sample_walk *walk,
			     const struct profile_entry *entry, uint64_t time_ns,
			     struct strbuf *stack)
{
	const struct function_name name =
		function_names_find(walk->names, walk->frames[0], walk->input->snapshot->time_ns);

	know_sampled_track(writer, walk, entry);
	begin_timed(writer, "i", "sample", name.function, entry->pid > 0 ? entry->pid : entry->tid,
		    entry->tid, time_ns);
	put_json_string(writer->out, "s", "t");
	open_json(writer->out, "args", '{');
	put_json_string(writer->out, "object", name.object);
	write_trace_stack(stack, walk);
	put_json_string(writer->out, "stack", strbuf_text(stack));
	end_args(writer);
}

/* Idle ones have no track. */
static void put_trace_samples(const struct trace_writer *writer)
{
	struct sample_walk walk;
	struct strbuf stack = {0};

	sample_walk_init(&walk, writer->input);
	for (size_t i = 0; walk.profile && i < walk.profile->moment_count; i++) {
		const struct profile_moment *moment = &walk.profile->moments[i];
		const struct profile_entry *entry = &walk.profile->entries[moment->entry];

		if (entry->tid > 0 && sample_walk_take(&walk, entry))
			put_trace_sample(writer, &walk, entry, moment->time_ns, &stack);
	}
	sample_walk_fini(&walk);
	strbuf_fini(&stack);
}

/* All that the CPUs have counted, from which slices are taken. */
static void add_counted_to_rests(const struct trace_writer *writer)
{
	const struct snapshot *snapshot = writer->input->snapshot;

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct snapshot_cpu *cpu = &snapshot->cpus[i];

		counts_add(find_trace_cpu(writer, cpu->cpu)->rest, cpu->counter,
			   layout_width(writer->layout));
	}
}

void trace_write(struct strbuf *out, const struct batch_input *input)
{
	struct trace_writer writer = {
		.out = out,
		.input = input,
		.trace = &input->totals->trace,
		.layout = input->snapshot->layout,
	};

	if (!input->ends_interval) {
		put_trace_switches(&writer);
		return;
	}
	put_missing(&writer, "records lost", input->lost);
	put_trace_counters(&writer);
	put_trace_samples(&writer);
	add_counted_to_rests(&writer);
}

/* --- the end */

static bool is_narrowed(const struct view_request *request)
{
	return (request->filter && request->filter[0] != '\0') || request->uid >= 0 ||
	       request->wants_pid || request->pids || request->tid != 0;
}

/* Those that were counted, but may still have been put into order: a slice of one that was not is
 * longer than what is left. */
static void put_unsettled(const struct trace_writer *writer)
{
	const struct batch_input *input = writer->input;

	batch_build(input, input->request);
	for (size_t i = 0; i < view_table_row_count(input->table); i++) {
		const struct view_row *row = view_table_row(input->table, i);
		struct trace_cpu *cpu = find_trace_cpu(writer, row->entry->cpu);

		cpu->is_over |= row->entry->slice_ns != SWITCH_NS_UNKNOWN &&
				row->entry->slice_ns > cpu->rest[QUANTITY_RUN_NS];
		if (!cpu->is_over)
			put_trace_switch(writer, row);
	}
}

/* Its counters were read a little later than the interval ended; by then it may run elsewhere. */
static uint64_t end_of_open_run(const struct trace_writer *writer, const struct trace_cpu *cpu)
{
	const struct snapshot *snapshot = writer->input->snapshot;
	uint64_t end_ns = cpu->last_ns + cpu->rest[QUANTITY_RUN_NS];

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		const struct trace_cpu *other = find_trace_cpu(writer, snapshot->cpus[i].cpu);

		if (other->running.tid == cpu->running.tid && other->last_ns > cpu->last_ns &&
		    other->last_ns < end_ns)
			end_ns = other->last_ns;
	}
	return end_ns;
}

static void put_open_run(const struct trace_writer *writer, const struct snapshot_cpu *of)
{
	struct trace_cpu *cpu = find_trace_cpu(writer, of->cpu);
	const uint64_t end_ns = writer->input->snapshot->time_ns;
	const uint64_t run_ns = cpu->rest[QUANTITY_RUN_NS];
	struct task_run run = {
		.actor = &cpu->running,
		.begin_ns = cpu->last_ns,
		.end_ns = end_of_open_run(writer, cpu),
		.cpu = of->cpu,
		.how = "running",
		.state = "",
		.counts = cpu->rest,
	};

	if (run_ns == 0)
		return;
	if (cpu->last_ns == 0) {
		run.begin_ns = run_ns < end_ns ? end_ns - run_ns : 0;
		run.end_ns = end_ns;
	}
	put_run(writer, &run);
}

void trace_end(struct strbuf *out, const struct batch_input *input)
{
	const struct snapshot *snapshot = input->snapshot;
	const struct trace_writer writer = {
		.out = out,
		.input = input,
		.trace = &input->totals->trace,
		.layout = snapshot ? snapshot->layout : NULL,
	};
	const bool has_rest =
		snapshot && !is_narrowed(input->request) && !writer.trace->lacks_switches;

	if (has_rest && snapshot->cpu_count > 0)
		put_unsettled(&writer);
	for (size_t i = 0; has_rest && i < snapshot->cpu_count; i++)
		put_open_run(&writer, &snapshot->cpus[i]);
	strbuf_add(out, writer.trace->events > 0 ? "\n]\n" : "[]\n");
}
