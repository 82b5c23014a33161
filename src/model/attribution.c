/*
 * For each CPU two things are kept: the last reading of every group, and the running task.
 *
 * Times of records and the clock of a group (enabled_ns) differ by a constant as long as the group
 * is enabled all the time, as the clock group of a kind of CPU is; it is learnt
 * from every reading of that one at a switch.
 */
#include "model/attribution.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/mul_div.h"
#include "base/seldom.h"
#include "model/arrival.h"
#include "model/counts.h"
#include "model/layout.h"

static struct cpu *cpu_create(int number, const struct layout *layout, struct journal *journal,
			      struct task *idle)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu));
	const size_t width = layout_width(layout);

	cpu->number = number;
	cpu->group_count = layout->group_count;
	streams_init(&cpu->streams, layout);
	account_open(&cpu->counter, width);
	account_open(&cpu->idle, width);
	account_open(&cpu->unattributed, width);
	slices_init(&cpu->slices, journal, idle, number);
	return cpu;
}

static void cpu_destroy(struct cpu *cpu)
{
	if (!cpu)
		return;
	streams_fini(&cpu->streams);
	account_fini(&cpu->counter);
	account_fini(&cpu->idle);
	account_fini(&cpu->unattributed);
	slices_fini(&cpu->slices);
	free(cpu);
}

static void cpu_change(struct cpu *cpu, const struct layout *layout, size_t group_count,
		       size_t width)
{
	const size_t new_width = layout_width(layout);

	cpu->group_count = layout->group_count;
	streams_change(&cpu->streams, group_count, layout);
	account_widen(&cpu->counter, width, new_width);
	account_widen(&cpu->idle, width, new_width);
	account_widen(&cpu->unattributed, width, new_width);
	slices_widen(&cpu->slices, new_width);
}

static void cpu_point(const struct cpu *cpu, struct snapshot_cpu *row)
{
	row->counter = cpu->counter.shown;
	row->idle = cpu->idle.shown;
	row->unattributed = cpu->unattributed.shown;
	row->counter_total = cpu->counter.total;
	row->idle_total = cpu->idle.total;
	row->unattributed_total = cpu->unattributed.total;
}

static bool cpu_close(struct cpu *cpu, size_t width, struct snapshot_cpu *row,
		      const struct doubt *doubt)
{
	const bool has_counted = account_close(&cpu->counter, width);

	cpu->soft.nested_ns = 0; /* since the interval began, as it has its own time */
	account_close(&cpu->idle, width);
	account_close(&cpu->unattributed, width);
	slices_show_idle(&cpu->slices);
	row->unknown = doubt_of(doubt, cpu->doubted_ns);
	cpu->doubted_ns = 0;
	row->unread_ns = cpu->unread_ns;
	cpu->unread_ns = 0;
	if (cpu->state != CPU_ONLINE && !has_counted)
		return false;
	row->cpu = cpu->number;
	row->is_online = cpu->state == CPU_ONLINE;
	cpu_point(cpu, row);
	return true;
}

/* All that was counted is in the CPU's counts, too. */
static void settle(struct cpu *cpu)
{
	for (size_t g = 0; g < cpu->group_count; g++)
		stream_settle(&cpu->streams.streams[g], cpu->counter.interval);
}

void attribution_init(struct attribution *attribution)
{
	attribution->width = layout_width(attribution->layout);
	attribution->idle.named_ns = UINT64_MAX;
	attribution->taken_ns = xcalloc(attribution->layout->group_count, sizeof(uint64_t));
}

void attribution_fini(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		cpu_destroy(attribution->cpus[i]);
	free(attribution->cpus);
	free(attribution->rows);
	free(attribution->taken_ns);
	smt_fini(&attribution->smt);
	parallel_fini(&attribution->parallelism);
	*attribution = (struct attribution){0};
}

/* Finds the CPU among those that share cores. */
static void place(struct attribution *attribution, struct cpu *cpu)
{
	cpu->smt = smt_find(&attribution->smt, cpu->number);
	if (!cpu->smt)
		smt_doubt(&attribution->smt);
}

void attribution_note_topology(struct attribution *attribution, const struct topology *topology)
{
	if (smt_is_known(&attribution->smt))
		return;
	smt_init(&attribution->smt, topology);
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			place(attribution, attribution->cpus[i]);
}

struct cpu *attribution_add_cpu(struct attribution *attribution, size_t number)
{
	if (number >= attribution->cpu_count) {
		size_t capacity = attribution->cpu_count;

		array_reserve(&attribution->cpus, &capacity, number + 1, sizeof(struct cpu *));
		for (size_t i = attribution->cpu_count; i < capacity; i++)
			attribution->cpus[i] = NULL;
		attribution->cpu_count = capacity;
	}
	attribution->made_count++;
	attribution->cpus[number] = cpu_create((int)number, attribution->layout,
					       attribution->journal, &attribution->idle);
	place(attribution, attribution->cpus[number]);
	return attribution->cpus[number];
}

void cpu_forget_running(struct cpu *cpu)
{
	interrupts_forget(cpu);
	slices_break(&cpu->slices, NULL);
	task_take_reference(&cpu->running, NULL);
	cpu->unseen_tid = 0;
	cpu->hole.switches = 0;
	if (cpu->smt && cpu->state != CPU_OFFLINE)
		smt_set(cpu->smt, SMT_UNKNOWN, cpu->smt->core->now_ns);
}

/* The task with these ids; NULL when they are not known. */
static inline struct task *find_task(struct attribution *attribution, int32_t pid, int32_t tid,
				     uint64_t time_ns)
{
	struct task *task;

	if (tid == 0)
		return &attribution->idle;
	task = task_table_lookup(attribution->tasks, tid);
	if (task && (task->row.pid == pid || pid == RECORD_TASK_UNKNOWN))
		return task;
	return task_table_find(attribution->tasks, pid, tid, time_ns);
}

/* The vector in which the CPU's counts are entered for this owner. */
static uint64_t *counts_of_owner(struct attribution *attribution, struct cpu *cpu,
				 struct task *owner)
{
	if (!owner)
		return cpu->unattributed.interval;
	if (owner == &attribution->idle)
		return cpu->idle.interval;
	return task_table_counts(attribution->tasks, owner);
}

struct cpu *attribution_cpu_of(const struct attribution *attribution, const struct task *task)
{
	const int cpu = task->row.last_cpu;

	return cpu >= 0 && (size_t)cpu < attribution->cpu_count ? attribution->cpus[cpu] : NULL;
}

void attribution_doubt(struct attribution *attribution, struct task *task, uint64_t ns)
{
	struct cpu *cpu = task_is_fed(task) ? NULL : attribution_cpu_of(attribution, task);

	task->doubted_ns += ns;
	task_table_change(attribution->tasks, task);
	if (cpu)
		cpu->doubted_ns += ns;
}

void attribution_enter_wait(struct attribution *attribution, struct task *task,
			    enum quantity quantity, uint64_t number)
{
	struct cpu *cpu = task_is_fed(task) ? NULL : attribution_cpu_of(attribution, task);

	if (cpu || task_is_fed(task))
		attribution_wait(attribution, cpu, task, quantity, number);
}

static SELDOM void change_cpu(struct attribution *attribution, struct cpu *cpu, struct task *task)
{
	if (task->row.last_cpu >= 0)
		attribution_wait(attribution, cpu, task, QUANTITY_MIGRATIONS, 1);
	task->row.last_cpu = cpu->number;
	task_table_change(attribution->tasks, task);
}

/*
 * The task is on this CPU. What another CPU reports late about an earlier time is no
 * migration: only the newest place counts.
 */
static inline void move_to_cpu(struct attribution *attribution, struct cpu *cpu, struct task *task,
			       uint64_t time_ns)
{
	if (time_ns < task->moved_ns)
		return;
	task->moved_ns = time_ns;
	if (task->row.last_cpu != cpu->number)
		change_cpu(attribution, cpu, task);
}

uint64_t attribution_settled(const struct attribution *attribution, uint64_t time_ns)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		const struct cpu *cpu = attribution->cpus[i];

		if (cpu && cpu->slices.hides_idle && cpu->slices.after_idle.time_ns < time_ns)
			time_ns = cpu->slices.after_idle.time_ns;
	}
	return time_ns;
}

/* How long the kernel gave the group's counters to others. */
static uint64_t taken_of(const struct slice *slice)
{
	const uint64_t enabled_ns = slice->delta[READING_ENABLED_NS];
	const uint64_t running_ns = slice->delta[READING_RUNNING_NS];

	return enabled_ns > running_ns ? enabled_ns - running_ns : 0;
}

/*
 * Record time at which the reading was made. A read(2) has the place of its record, but
 * its time is known by the clock's group only; other groups are read right after it.
 */
static uint64_t moment_of(const struct cpu *cpu, const struct record *record, bool is_clock)
{
	if (is_clock && cpu->has_clock)
		return record->reading.enabled_ns + cpu->clock_offset_ns;
	return record->time_ns > cpu->now_ns ? record->time_ns : cpu->now_ns;
}

/* How much of the merged slice was idle's: all but what followed the arrival. */
static uint64_t idle_share_ns(const struct cpu *cpu, const struct slice *slice)
{
	const uint64_t end_ns = cpu->hole.end_ns;
	const uint64_t own_ns = cpu->now_ns > end_ns ? cpu->now_ns - end_ns : 0;
	const uint64_t enabled_ns = slice->delta[READING_ENABLED_NS];
	const uint64_t running_ns = slice->delta[READING_RUNNING_NS];
	const uint64_t whole_ns = enabled_ns < running_ns ? enabled_ns : running_ns;

	return own_ns < whole_ns ? whole_ns - own_ns : 0;
}

/* Of the members that went on while the CPU was idle, idle has its share by time. */
static void split_clocks(const struct layout *layout, const struct slice *slice, uint64_t idle_ns,
			 struct slice *idle)
{
	const uint64_t whole_ns = slice->delta[READING_ENABLED_NS];

	for (size_t i = 0; i < slice->group->count && whole_ns > 0; i++) {
		const struct counter *counter = &layout->counters[slice->group->counters[i]];
		const uint64_t count = slice->delta[READING_VALUES + i];

		if (layout->events[counter->event].is_clock)
			idle->delta[READING_VALUES + i] = mul_div(count, idle_ns, whole_ns);
	}
}

/*
 * Takes idle's part out of a merged slice and gives it to idle, with the switch that ended it where
 * the leader has counted that; the rest is the arriving task's.
 */
static void split_off_idle(struct attribution *attribution, struct cpu *cpu, struct stream *stream,
			   struct slice *slice, uint64_t switches)
{
	const uint64_t idle_ns = idle_share_ns(cpu, slice);
	struct slice idle = {.group = slice->group, .is_clock = slice->is_clock};

	idle.delta[READING_SWITCHES] = switches;
	idle.delta[READING_ENABLED_NS] = idle_ns;
	idle.delta[READING_RUNNING_NS] = idle_ns;
	split_clocks(attribution->layout, slice, idle_ns, &idle);
	counts_sub(slice->delta, slice->delta, idle.delta, READING_VALUES + slice->group->count);
	stream_take_ahead(stream, &idle);
	if (cpu->smt)
		smt_enter(attribution, cpu, stream, &idle, idle_ns, &cpu->hole.smt,
			  cpu->idle.interval);
	slice_credit(&idle, cpu->idle.interval);
	slice_credit(&idle,
		     slices_of_hidden(&cpu->slices, cpu->now_ns,
				      slice->is_clock ? SLICE_NEWS_TIME : SLICE_NEWS_COUNTS));
	attribution->merged_idle += slice->is_clock;
}

/*
 * The owner of a slice that may not be all of the task that runs up to its end: none where that is
 * not certain. A merged slice becomes its owner's part. `unread` switches were reported since the
 * reading before in which the group was not read.
 */
static SELDOM struct task *find_slice_owner(struct attribution *attribution, struct cpu *cpu,
					    bool at_switch, struct stream *stream,
					    struct slice *slice, struct task *owner)
{
	const uint64_t expected = at_switch ? 1 : 0;
	const uint64_t seen = slice->delta[READING_SWITCHES];
	const uint64_t unread = cpu->switches - stream->switches;

	/* others may have run while it did not count */
	if (!slice->is_whole) {
		attribution->taken_ns[slice->group - attribution->layout->groups] +=
			taken_of(slice);
		if (!at_switch && slice->is_clock)
			cpu_forget_running(cpu);
		return NULL;
	}
	if (unread == 1 && cpu->hole.switches == cpu->switches && owner &&
	    (seen == expected || seen == expected + 1)) {
		if (!attribution->clock_stops)
			split_off_idle(attribution, cpu, stream, slice, seen - expected);
		return owner;
	}
	/*
	 * Where idle and tasks outside of this pid namespace look alike it was one of these that
	 * came, and the same leaves. A task of ours in between would have been reported, and after
	 * a loss none is known to run.
	 */
	if (at_switch && attribution->idle_is_shared && owner == &attribution->idle &&
	    cpu->running == owner && unread == 0)
		return owner;
	/*
	 * Some tasks never leave a record of a switch (Linux 6.18, on a virtual machine). What was
	 * lost of others the kernel says by itself, in front of this reading; so where these were
	 * is known all the same.
	 */
	if (slice->is_clock)
		attribution->silent_switches += seen > expected ? seen - expected : 1;
	/* Some switches were not reported (yet), so another task may run by now. */
	if (!at_switch && slice->is_clock && seen > unread)
		cpu_forget_running(cpu);
	return NULL;
}

/* The CPU has counted a slice: enters it for its owner, which is returned; NULL: none. */
static inline struct task *attribute(struct attribution *attribution, struct cpu *cpu,
				     bool at_switch, struct stream *stream, struct slice *slice,
				     struct task *suspect)
{
	const uint64_t slice_ns = slice->delta[READING_ENABLED_NS];
	struct task *owner = suspect;
	uint64_t *counts;

	if (!slice->is_whole || slice->delta[READING_SWITCHES] != at_switch ||
	    cpu->switches != stream->switches)
		owner = find_slice_owner(attribution, cpu, at_switch, stream, slice, suspect);
	counts = counts_of_owner(attribution, cpu, owner);
	if (slice->is_clock)
		cpu->entered = counts;
	if ((stream->run_ahead_ns | stream->ahead_ns) > 0)
		stream_take_ahead(stream, slice);
	if (cpu->smt)
		smt_enter(attribution, cpu, stream, slice, slice_ns, &cpu->smt_now, counts);
	slice_credit(slice, counts);
	if (attribution->parallelism.is_on && slice->is_clock && owner && owner != cpu->sharing &&
	    owner != &attribution->idle)
		parallel_take_unseen(attribution, cpu, owner, slice_ns);
	slices_add(&cpu->slices, owner, cpu->now_ns);
	if (owner && owner != &attribution->idle)
		move_to_cpu(attribution, cpu, owner, cpu->now_ns);
	return owner;
}

/* Nothing was counted, or nothing that is believed. */
static SELDOM void note_no_slice(struct attribution *attribution, struct cpu *cpu,
				 struct stream *stream, enum stream_step step)
{
	if (stream->is_clock)
		cpu->entered = NULL;
	if (step != STREAM_STALE && cpu->smt)
		smt_begin_slice(cpu, stream, stream->is_clock);
	if (step == STREAM_BROKEN)
		attribution->broken_readings++;
}

/*
 * Takes a reading at the end of what the suspect ran, and returns the task to which it was
 * credited.
 */
static inline __attribute__((always_inline)) struct task *
take(struct attribution *attribution, struct cpu *cpu, const struct record *record,
     const struct record_reading *reading, bool at_switch, struct task *suspect)
{
	struct stream *stream = &cpu->streams.streams[reading->group];
	struct slice *slice = slices_room(&cpu->slices);
	struct task *owner = NULL;
	enum stream_step step;

	cpu->state = CPU_ONLINE;
	cpu->slices.is_counted = true;
	slice->group = stream->group;
	slice->is_clock = stream->is_clock;
	step = stream_advance(stream, reading, at_switch, slice);
	if (step != STREAM_STALE) {
		if (at_switch && slice->is_clock && !attribution->clock_stops) {
			cpu->has_clock = true;
			cpu->clock_offset_ns = record->time_ns - reading->enabled_ns;
		}
		cpu->now_ns = at_switch ? record->time_ns : moment_of(cpu, record, slice->is_clock);
		if (cpu->smt)
			smt_read(cpu, cpu->now_ns);
	}
	if (step == STREAM_SLICE)
		owner = attribute(attribution, cpu, at_switch, stream, slice, suspect);
	else
		note_no_slice(attribution, cpu, stream, step);
	stream->switches = cpu->switches + at_switch;
	return owner;
}

void attribution_reading(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);
	struct task *owner = cpu->running;

	if (cpu->state == CPU_OFFLINE)
		return;
	/* one that may have left unseen is not known to run */
	if (owner && owner->row.is_silent)
		owner = NULL;
	/* one that came before it was known is named by the reading */
	else if (!owner && record->tid > 0)
		owner = find_task(attribution, record->pid, record->tid, record->time_ns);
	owner = take(attribution, cpu, record, &record->reading, false, owner);
	if (!owner || cpu->running)
		return;
	task_take_reference(&cpu->running, owner);
	parallel_follow(attribution, cpu, cpu->now_ns);
	cpu_set_smt(attribution, cpu, owner, RECORD_TASK_UNKNOWN, cpu->now_ns);
}

static void set_silent(struct attribution *attribution, struct task *task, bool is_silent)
{
	if (task == &attribution->idle || task->row.is_silent == is_silent)
		return;
	task->row.is_silent = is_silent;
	task_table_change(attribution->tasks, task);
}

/*
 * Whether the task that was known to run has left without a record: another one leaves, or what is
 * said of it comes from the next one alone. Returns the one that ran up to now, as far as is known:
 * not prev, if it was not seen to come, so that another one has left unseen.
 */
static SELDOM struct task *note_silence(struct attribution *attribution, struct cpu *cpu,
					const struct record *record, struct task *prev)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct task *running = cpu->running;

	if (prev && prev != &attribution->idle &&
	    prev->row.last_cpu < 0) /* what it waits from now on is known of this CPU */
		move_to_cpu(attribution, cpu, prev, record->time_ns);
	if (!running)
		return prev;
	set_silent(attribution, running,
		   running != prev || (ctx_switch->reading_count == 0 && !ctx_switch->knows_how));
	if (prev->row.tid == running->row.tid)
		return prev;
	slices_break(&cpu->slices, NULL);
	return NULL;
}

/* A preemption is one of the switches, so it is counted where its switch is. */
static SELDOM void count_preemption(const struct attribution *attribution, struct cpu *cpu,
				    const struct task *prev)
{
	if (prev == &attribution->idle || cpu->state != CPU_ONLINE || !cpu->entered)
		return;
	cpu->entered[QUANTITY_PREEMPTIONS]++;
	cpu->counter.interval[QUANTITY_PREEMPTIONS]++;
}

/*
 * The slice of prev ends in a switch at which nothing was read. What only next says (an echo),
 * while none is known to run, is of the switch before.
 */
static SELDOM void end_unread(struct attribution *attribution, struct cpu *cpu,
			      const struct record *record, struct task *prev,
			      struct switch_entry *entry, struct task *next)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	const struct task *idle = &attribution->idle;
	const bool is_echo = !ctx_switch->knows_how;
	const bool is_hidden = prev == idle && cpu->running == idle && ctx_switch->next_tid > 0;

	if (!is_echo || cpu->running)
		cpu->switches++;
	if (is_echo && cpu->slices.is_announced && !cpu->slices.owner) {
		slices_adopt(&cpu->slices, next);
	} else {
		slices_break(&cpu->slices, prev);
		if (is_hidden)
			slices_hide_idle(&cpu->slices, entry, next);
		else
			slices_end(&cpu->slices, entry, next);
	}
	if (!is_hidden)
		return;
	/* idle has left no reading: in the next ones its slice is merged with the next task's */
	cpu->hole = (struct hole){.switches = cpu->switches, .end_ns = record->time_ns};
	if (cpu->smt)
		cpu->hole.smt = smt_at(cpu->smt, record->time_ns);
}

/* The task comes to the CPU; NULL: one that is not known, or only by its tid. */
static inline void bring(struct attribution *attribution, struct cpu *cpu, struct task *next,
			 int32_t tid, uint64_t time_ns)
{
	if (next == &attribution->idle && !attribution->idle_is_shared)
		cpu->idled_ns = time_ns; /* else it may be a task outside */
	cpu_set_smt(attribution, cpu, next, tid, time_ns);
	task_take_reference(&cpu->running, next);
	if (attribution->parallelism.is_on) {
		cpu->unseen_tid = next ? 0 : tid;
		parallel_follow(attribution, cpu, time_ns);
	}
}

/* Who leaves may not be known (NULL), or not how. */
static inline enum switch_how leave(struct attribution *attribution, struct task *prev,
				    const struct record *record)
{
	if (prev == &attribution->idle)
		return SWITCH_IDLE;
	if (!record->ctx_switch.knows_how)
		return SWITCH_UNKNOWN;
	if (!prev)
		return record->ctx_switch.preempted ? SWITCH_PREEMPTED : SWITCH_BLOCKED;
	return scheduling_leave(attribution->scheduling, prev, record);
}

/*
 * What prev has counted is entered for it, its slice ends, and that of next begins. A task that was
 * reaped already has no ids any more, but is the one that ran.
 */
void attribution_switch(struct attribution *attribution, const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	struct cpu *cpu = attribution_cpu(attribution, record);
	struct task *prev, *suspect, *next;
	struct switch_entry entry = switch_unknown;

	if (cpu->state == CPU_OFFLINE)
		return;
	prev = find_task(attribution, record->pid, record->tid, record->time_ns);
	if (!prev)
		prev = cpu->running;
	/* its name is news: it has none, or records were lost since, perhaps one of it, too */
	if (prev && prev->named_ns <= attribution->scheduling->lost_ns && ctx_switch->name)
		task_table_name(attribution->tasks, prev, ctx_switch->name, record->time_ns);
	suspect = prev;
	if (prev != cpu->running || (prev && prev->row.is_silent) || ctx_switch->reading_count == 0)
		suspect = note_silence(attribution, cpu, record, prev);
	cpu->entered = cpu->unattributed.interval;
	for (size_t i = 0; i < ctx_switch->reading_count; i++)
		take(attribution, cpu, record, &ctx_switch->readings[i], true, suspect);
	if (ctx_switch->preempted)
		count_preemption(attribution, cpu, prev);
	next = find_task(attribution, ctx_switch->next_pid, ctx_switch->next_tid, record->time_ns);
	scheduling_note_time(attribution->scheduling, record->time_ns);
	if (next && next != &attribution->idle) { /* before prev leaves */
		scheduling_arrive(attribution->scheduling, cpu, next, record->time_ns, &entry);
		move_to_cpu(attribution, cpu, next, record->time_ns);
	}
	entry.time_ns = record->time_ns;
	entry.how = leave(attribution, prev, record);
	if (entry.how != SWITCH_IDLE)
		entry.state = ctx_switch->state;
	if (ctx_switch->reading_count > 0) {
		cpu->switches++;
		slices_break(&cpu->slices, prev);
		slices_end(&cpu->slices, &entry, next);
	} else {
		end_unread(attribution, cpu, record, prev, &entry, next);
	}
	/* it waits for the next one; a late record says nothing of the absence that began since */
	if (entry.how == SWITCH_PREEMPTED && prev && next &&
	    prev->absence.left_ns == record->time_ns)
		prev->absence.queued_by = next->actor;
	bring(attribution, cpu, next, ctx_switch->next_tid, record->time_ns);
}

/* Where time goes that nothing was read of. */
struct passing {
	struct cpu *cpu;
	uint64_t *owner, *slice; /* counts vectors */
	uint64_t ns;
};

static void pass_time(const struct passing *passing, size_t value_index)
{
	passing->cpu->counter.interval[value_index] += passing->ns;
	passing->owner[value_index] += passing->ns;
	passing->slice[value_index] += passing->ns;
}

void attribution_pass(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = attribution_cpu(attribution, record);
	struct task *owner = cpu->running;

	if (cpu->state != CPU_ONLINE || record->time_ns <= cpu->now_ns)
		return;
	/* one that may have left unseen is not known to run */
	if (owner && owner->row.is_silent)
		owner = NULL;

	const struct passing passing = {
		.cpu = cpu,
		.owner = counts_of_owner(attribution, cpu, owner),
		.slice = slices_of(&cpu->slices, owner, record->time_ns, SLICE_NEWS_TIME),
		.ns = record->time_ns - cpu->now_ns,
	};

	if (cpu->smt)
		smt_read(cpu, record->time_ns);
	for (size_t g = 0; g < cpu->group_count; g++) {
		struct stream *stream = &cpu->streams.streams[g];

		if (!stream->has_baseline)
			continue;
		if (layout_is_clock(attribution->layout, g)) {
			pass_time(&passing, QUANTITY_RUN_NS);
			stream->run_ahead_ns += passing.ns;
			if (cpu->smt)
				smt_enter_run(cpu, passing.ns, &cpu->smt_now, passing.owner);
		}
		if (owner != &attribution->idle)
			continue;
		pass_time(&passing, attribution->layout->groups[g].value_index);
		stream->ahead_ns += passing.ns;
	}
	cpu->unread_ns += passing.ns;
	cpu->now_ns = record->time_ns;
	if (owner && owner != &attribution->idle)
		move_to_cpu(attribution, cpu, owner, cpu->now_ns);
}

void attribution_slice(struct attribution *attribution, const struct record *record)
{
	slices_give(&attribution_cpu(attribution, record)->slices, record);
}

/* Where it ran is known, but not by which way it came there. */
static void move_silently(struct task_table *tasks, struct task *task, int cpu, uint64_t time_ns)
{
	if (time_ns < task->moved_ns || task->row.last_cpu == cpu)
		return;
	task->moved_ns = time_ns;
	task->row.last_cpu = cpu;
	task_table_change(tasks, task);
}

void attribution_estimate(struct attribution *attribution, const struct record *record)
{
	const struct record_estimate *estimate = &record->estimate;
	const struct event_group *group = &attribution->layout->groups[estimate->group];
	const uint16_t event =
		attribution->layout->counters[group->counters[estimate->member]].event;
	const size_t value_index = group->value_indexes[estimate->member];
	struct cpu *cpu = attribution_cpu(attribution, record);
	struct task *owner;
	uint64_t *counts, *slice;

	if (cpu->state == CPU_OFFLINE)
		return;
	cpu->state = CPU_ONLINE;
	owner = find_task(attribution, record->pid, record->tid, record->time_ns);
	counts = counts_of_owner(attribution, cpu, owner);
	counts[value_index] += estimate->value;
	counts[group->slices_index]++;
	counts[QUANTITY_RUN_NS] += estimate->run_ns;
	cpu->counter.interval[value_index] += estimate->value;
	cpu->counter.interval[group->slices_index]++;
	cpu->counter.interval[QUANTITY_RUN_NS] += estimate->run_ns;
	if (!attribution->layout->events[event].is_estimate) {
		/* an occurrence does not end a slice of another task, should there be one */
		slice = slices_of(&cpu->slices, owner == cpu->slices.owner ? owner : NULL,
				  record->time_ns, SLICE_NEWS);
		slice[value_index] += estimate->value;
		slice[group->slices_index]++;
	}
	if (owner && owner != &attribution->idle)
		move_silently(attribution->tasks, owner, cpu->number, record->time_ns);
}

void attribution_start(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		settle(cpu);
		account_clear(&cpu->counter, attribution->width);
		account_clear(&cpu->idle, attribution->width);
		account_clear(&cpu->unattributed, attribution->width);
		cpu->doubted_ns = 0;
		cpu->unread_ns = 0;
		slices_start(&cpu->slices);
	}
	attribution->broken_readings = 0;
	attribution->merged_idle = 0;
	attribution->silent_switches = 0;
	attribution_forget_taken(attribution);
}

void attribution_prepare_change(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i]) {
			slices_settle(&attribution->cpus[i]->slices);
			settle(attribution->cpus[i]);
		}
}

void attribution_change(struct attribution *attribution, size_t group_count, bool clock_changes)
{
	const size_t width = layout_width(attribution->layout);

	free(attribution->taken_ns);
	attribution->taken_ns = xcalloc(attribution->layout->group_count, sizeof(uint64_t));
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		cpu_change(cpu, attribution->layout, group_count, attribution->width);
		if (!clock_changes)
			continue;
		/* idle's part of a merged slice is unknown without the time */
		cpu->has_clock = false;
		cpu->hole.switches = 0;
	}
	attribution->width = width;
	for (size_t i = 0; i < attribution->row_count; i++)
		cpu_point(attribution->cpus[attribution->rows[i].cpu], &attribution->rows[i]);
}

void attribution_void(struct attribution *attribution, size_t value_index)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		cpu->counter.shown[value_index] = 0;
		cpu->idle.shown[value_index] = 0;
		cpu->unattributed.shown[value_index] = 0;
	}
}

void attribution_forget_actors(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			attribution->cpus[i]->slices.after_idle.queued_by = ACTOR_UNKNOWN;
}

static void add_up_time(struct snapshot *snapshot)
{
	uint64_t counted_ns = 0, unattributed_ns = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		counted_ns += snapshot->cpus[i].counter[QUANTITY_RUN_NS];
		unattributed_ns += snapshot->cpus[i].unattributed[QUANTITY_RUN_NS];
	}
	snapshot->unattributed_ns = unattributed_ns;
	snapshot->attributed_pct =
		counted_ns ? 100.0 * (double)(counted_ns - unattributed_ns) / (double)counted_ns
			   : NAN;
}

/* Takes this part of the numbers out of what is unattributed. */
static void move_to_idle(struct cpu *cpu, size_t value_index, uint64_t part, uint64_t whole)
{
	const uint64_t count = mul_div(cpu->unattributed.interval[value_index], part, whole);

	cpu->unattributed.interval[value_index] -= count;
	cpu->idle.interval[value_index] += count;
}

void attribution_find_idle(struct attribution *attribution, struct cpu *cpu, uint64_t idle_ns)
{
	const struct layout *layout = attribution->layout;
	const uint64_t known_ns = cpu->idle.interval[QUANTITY_RUN_NS];
	const uint64_t whole_ns = cpu->unattributed.interval[QUANTITY_RUN_NS];
	const uint64_t missing_ns = idle_ns > known_ns ? idle_ns - known_ns : 0;
	const uint64_t part_ns = missing_ns < whole_ns ? missing_ns : whole_ns;

	if (part_ns == 0)
		return;
	move_to_idle(cpu, QUANTITY_RUN_NS, part_ns, whole_ns);
	for (size_t g = 0; g < cpu->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		move_to_idle(cpu, group->value_index, part_ns, whole_ns);
		for (size_t i = 0; i < group->count; i++)
			if (layout->events[layout->counters[group->counters[i]].event].is_clock)
				move_to_idle(cpu, group->value_indexes[i], part_ns, whole_ns);
	}
}

void attribution_forget_taken(struct attribution *attribution)
{
	counts_clear(attribution->taken_ns, attribution->layout->group_count);
}

void attribution_close(struct attribution *attribution, struct snapshot *snapshot,
		       const struct doubt *doubt)
{
	attribution->rows =
		xrealloc(attribution->rows, attribution->cpu_count + 1, sizeof(*attribution->rows));
	snapshot->cpus = attribution->rows;
	snapshot->cpu_count = 0;
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		struct snapshot_cpu *row = &snapshot->cpus[snapshot->cpu_count];

		if (cpu)
			settle(cpu);
		if (cpu && cpu_close(cpu, attribution->width, row, doubt))
			snapshot->cpu_count++;
	}
	attribution->row_count = snapshot->cpu_count;
	add_up_time(snapshot);
	snapshot->broken_readings = attribution->broken_readings;
	snapshot->merged_idle = attribution->merged_idle;
	snapshot->silent_switches = attribution->silent_switches;
	attribution->broken_readings = 0;
	attribution->merged_idle = 0;
	attribution->silent_switches = 0;
}
