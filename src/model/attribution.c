/*
 * For each CPU two things are kept: the last reading of every group, and who runs.
 * The time line (SWITCH_OUT, SWITCH_IN) tells the latter, in this order at each switch:
 *
 *	reading at_switch (one per group)   the leaver's slice ends; nobody is known to run
 *	SWITCH_OUT                          says who comes
 *	SWITCH_IN                           says so again
 *
 * Times of records and the clock of a group (enabled_ns) differ by a constant as long as the group
 * is enabled all the time, as the one that tells the time of a kind of CPU is; it is learnt
 * from every reading of that one at a switch.
 */
#include "model/attribution.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/record.h"
#include "model/snapshot.h"

enum cpu_state {
	CPU_UNSEEN, /* the time line mentions it, but it is not counted (so far) */
	CPU_ONLINE,
	CPU_OFFLINE /* whatever still comes from it is not believed */
};

enum hole_state {
	HOLE_NONE,
	HOLE_OPEN,  /* a task has left for idle, which has not said a word since */
	HOLE_CLOSED /* a task came from idle, which had not said a word */
};

/* An idle slice that has left no records. */
struct hole {
	enum hole_state state;
	uint64_t end_ns;     /* record time of the arrival */
	uint64_t arrived_id; /* who came */
};

/* Who runs and who left are NULL while nobody knows. */
struct cpu {
	int number;
	enum cpu_state state;
	struct task *running;
	struct task *leaver;    /* his reading at the switch was seen; until SWITCH_OUT */
	uint64_t leaver_groups; /* bit per group whose reading of this switch was seen */
	struct hole hole;
	bool has_clock;
	uint64_t clock_offset_ns; /* record time - enabled_ns of its clock, modulo 2^64 */
	uint64_t now_ns;          /* record time of the reading before */
	struct streams streams;
	struct account counter, idle, unattributed;
};

void attribution_init(struct attribution *attribution, const struct layout *layout,
		      const struct group_places *places, struct task_table *tasks)
{
	*attribution = (struct attribution){
		.layout = layout,
		.places = places,
		.tasks = tasks,
		.width = layout_width(layout),
		.taken_ns = xcalloc(layout->group_count, sizeof(uint64_t)),
	};
}

static struct cpu *cpu_create(const struct attribution *attribution, int number)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu));

	cpu->number = number;
	streams_init(&cpu->streams, attribution->layout);
	account_open(&cpu->counter, attribution->width);
	account_open(&cpu->idle, attribution->width);
	account_open(&cpu->unattributed, attribution->width);
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
	free(cpu);
}

void attribution_fini(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		cpu_destroy(attribution->cpus[i]);
	free(attribution->cpus);
	free(attribution->rows);
	free(attribution->taken_ns);
	*attribution = (struct attribution){0};
}

/* The CPU is mentioned for the first time. */
__attribute__((cold)) static struct cpu *add_cpu(struct attribution *attribution, size_t number)
{
	if (number >= attribution->cpu_count) {
		size_t capacity = attribution->cpu_count;

		array_reserve(&attribution->cpus, &capacity, number + 1, sizeof(struct cpu *));
		for (size_t i = attribution->cpu_count; i < capacity; i++)
			attribution->cpus[i] = NULL;
		attribution->cpu_count = capacity;
	}
	attribution->cpus[number] = cpu_create(attribution, (int)number);
	return attribution->cpus[number];
}

static struct cpu *cpu_of(struct attribution *attribution, const struct record *record)
{
	const size_t number = (size_t)record->cpu;

	if (number < attribution->cpu_count && attribution->cpus[number])
		return attribution->cpus[number];
	return add_cpu(attribution, number);
}

static void take_seat(struct task **seat, struct task *task)
{
	if (*seat == task)
		return;
	if (*seat)
		(*seat)->seats--;
	*seat = task;
	if (task)
		task->seats++;
}

static void end_hole(const struct attribution *attribution, struct cpu *cpu)
{
	if (cpu->hole.state == HOLE_NONE)
		return;
	cpu->hole.state = HOLE_NONE;
	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].missed_idle = false;
}

static void forget_who_runs(const struct attribution *attribution, struct cpu *cpu)
{
	take_seat(&cpu->running, NULL);
	take_seat(&cpu->leaver, NULL);
	end_hole(attribution, cpu);
}

static bool has_ids(const struct task *task, int32_t pid, int32_t tid)
{
	return task && task->row.tid == tid && task->row.pid == pid && task->is_mapped;
}

/* The task with these ids; NULL when they are not known. Mostly it is one that the CPU knows. */
static struct task *task_of(struct attribution *attribution, const struct cpu *cpu, int32_t pid,
			    int32_t tid, uint64_t time_ns)
{
	if (tid == 0)
		return &attribution->idle;
	if (has_ids(cpu->running, pid, tid))
		return cpu->running;
	if (has_ids(cpu->leaver, pid, tid))
		return cpu->leaver;
	return task_table_find(attribution->tasks, pid, tid, time_ns);
}

/* The vector in which the CPU's counts are entered for this owner. */
static uint64_t *counts_of(struct attribution *attribution, struct cpu *cpu, struct task *owner)
{
	if (!owner)
		return cpu->unattributed.interval;
	if (owner == &attribution->idle)
		return cpu->idle.interval;
	return task_table_counts(attribution->tasks, owner);
}

/* Enters one of something that no counter counts. */
static void count_one(struct attribution *attribution, struct cpu *cpu, struct task *owner,
		      enum quantity quantity)
{
	if (cpu->state != CPU_ONLINE)
		return;
	counts_of(attribution, cpu, owner)[quantity]++;
	cpu->counter.interval[quantity]++;
}

/*
 * The task is on this CPU. What another CPU tells late about an earlier time is no
 * migration: only the newest place counts.
 */
static void place(struct attribution *attribution, struct cpu *cpu, struct task *task,
		  uint64_t time_ns)
{
	if (!task || task == &attribution->idle || time_ns < task->placed_ns)
		return;
	task->placed_ns = time_ns;
	if (task->row.last_cpu == cpu->number)
		return;
	if (task->row.last_cpu >= 0)
		count_one(attribution, cpu, task, QUANTITY_MIGRATIONS);
	task->row.last_cpu = cpu->number;
	task_table_change(attribution->tasks, task);
}

static uint64_t group_bit(uint16_t group)
{
	return group < 64 ? UINT64_C(1) << group : 0;
}

/* Whether the group's reading of the switch in which cpu->leaver leaves is behind us. */
static bool has_shown_leave(const struct cpu *cpu, uint16_t group)
{
	return group >= 64 || (cpu->leaver_groups & group_bit(group)) != 0;
}

/*
 * Who leaves in this reading. One that was reaped already has no ids any more, but the
 * time line knew it, or the reading of another group in the same switch.
 */
static struct task *leaving_task(struct attribution *attribution, const struct cpu *cpu,
				 const struct record *record)
{
	struct task *told = task_of(attribution, cpu, record->pid, record->tid, record->time_ns);

	if (told)
		return told;
	if (cpu->running)
		return cpu->running;
	return has_shown_leave(cpu, record->reading.group) ? NULL : cpu->leaver;
}

/*
 * Who runs when a group is read between switches. The reading of another group at the next switch
 * may have come in before: whoever leaves in it was still running here.
 */
static struct task *running_task(const struct cpu *cpu, uint16_t group)
{
	if (cpu->running)
		return cpu->running;
	return has_shown_leave(cpu, group) ? NULL : cpu->leaver;
}

/* Until the time line goes on, nobody is known to run. */
static void leave(struct attribution *attribution, struct cpu *cpu, struct task *task,
		  uint16_t group)
{
	if (task == &attribution->idle)
		end_hole(attribution, cpu);
	if (!cpu->running && cpu->leaver == task) {
		cpu->leaver_groups |= group_bit(group);
		return;
	}
	/*
	 * Where nothing was known, readings of this switch may be behind us and forgotten, or lost:
	 * then no group's next reading is taken for one that the leaver still saw.
	 */
	cpu->leaver_groups = cpu->running || cpu->leaver ? group_bit(group) : UINT64_MAX;
	take_seat(&cpu->leaver, task);
	take_seat(&cpu->running, NULL);
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
	if (record->reading.at_switch)
		return record->time_ns;
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
static void split_clocks(const struct slice *slice, uint64_t idle_ns, struct slice *idle)
{
	const uint64_t whole_ns = slice->delta[READING_ENABLED_NS];

	for (size_t i = 0; i < slice->places->member_count; i++) {
		const uint64_t count = slice->delta[READING_VALUES + i];

		if ((slice->places->clock_members & (UINT32_C(1) << i)) == 0 || whole_ns == 0)
			continue;
		idle->delta[READING_VALUES + i] =
			(uint64_t)((unsigned __int128)count * idle_ns / whole_ns);
	}
}

/* Takes idle's part out of a merged slice and gives it to idle; the rest is the arriving task's. */
static void split_off_idle(struct attribution *attribution, struct cpu *cpu, struct slice *slice)
{
	const uint64_t idle_ns = idle_share_ns(cpu, slice);
	struct slice idle = {.places = slice->places};

	idle.delta[READING_SWITCHES] = 1;
	idle.delta[READING_ENABLED_NS] = idle_ns;
	idle.delta[READING_RUNNING_NS] = idle_ns;
	split_clocks(slice, idle_ns, &idle);
	counts_sub(slice->delta, slice->delta, idle.delta,
		   READING_VALUES + slice->places->member_count);
	slice_credit(&idle, cpu->idle.interval);
	if (slice->places->is_clock)
		attribution->merged_idle++;
}

/*
 * Whose a slice is, given who left or runs: nobody's when that is not certain. A merged
 * slice becomes its owner's part.
 */
static struct task *owner_of(struct attribution *attribution, struct cpu *cpu,
			     const struct record *record, struct slice *slice, struct task *owner)
{
	const struct stream *stream = &cpu->streams.streams[record->reading.group];
	const uint64_t expected = record->reading.at_switch ? 1 : 0;
	const uint64_t seen = slice->delta[READING_SWITCHES];

	/* others may have run while it did not count */
	if (!slice->is_whole) {
		attribution->taken_ns[record->reading.group] += taken_of(slice);
		return NULL;
	}
	if (seen == expected)
		return owner;
	if (seen == expected + 1 && stream->missed_idle && owner &&
	    owner->row.id == cpu->hole.arrived_id) {
		split_off_idle(attribution, cpu, slice);
		return owner;
	}

	if (slice->places->is_clock)
		attribution->silent_switches += seen > expected ? seen - expected : 0;
	/* There were switches of which nothing was told (yet), so somebody else may run by now. */
	if (!record->reading.at_switch)
		cpu->leaver_groups |= group_bit(record->reading.group);
	if (!record->reading.at_switch && slice->places->is_clock)
		forget_who_runs(attribution, cpu);
	return NULL;
}

/* The CPU has counted a slice: enters it for its owner. */
static void attribute(struct attribution *attribution, struct cpu *cpu, const struct record *record,
		      struct slice *slice, struct task *suspect)
{
	slice_credit(slice, cpu->counter.interval);

	struct task *owner = owner_of(attribution, cpu, record, slice, suspect);
	slice_credit(slice, counts_of(attribution, cpu, owner));
	place(attribution, cpu, owner, cpu->now_ns);
}

static void set_clock(struct cpu *cpu, const struct record *record, bool is_clock)
{
	if (record->reading.at_switch && is_clock) {
		cpu->has_clock = true;
		cpu->clock_offset_ns = record->time_ns - record->reading.enabled_ns;
	}
	cpu->now_ns = moment_of(cpu, record, is_clock);
}

void attribution_reading(struct attribution *attribution, const struct record *record)
{
	const struct record_reading *reading = &record->reading;
	struct cpu *cpu = cpu_of(attribution, record);

	if (cpu->state == CPU_OFFLINE)
		return;
	cpu->state = CPU_ONLINE;

	struct stream *stream = &cpu->streams.streams[reading->group];
	struct slice slice;
	struct task *owner = reading->at_switch ? leaving_task(attribution, cpu, record)
						: running_task(cpu, reading->group);

	slice.places = &attribution->places[reading->group];
	const enum stream_step step = stream_advance(stream, reading, &slice);
	if (step != STREAM_STALE)
		set_clock(cpu, record, slice.places->is_clock);
	if (step == STREAM_SLICE)
		attribute(attribution, cpu, record, &slice, owner);
	if (step == STREAM_BROKEN)
		attribution->broken_readings++;
	/* what follows a baseline was counted after the switch in question */
	if (step == STREAM_BASELINE || step == STREAM_BROKEN)
		cpu->leaver_groups |= group_bit(reading->group);
	if (step != STREAM_STALE)
		stream->missed_idle = false;
	if (reading->at_switch)
		leave(attribution, cpu, owner, reading->group);
}

static void close_hole(struct attribution *attribution, struct cpu *cpu,
		       const struct task *arriving, uint64_t time_ns)
{
	cpu->hole = (struct hole){HOLE_CLOSED, time_ns, arriving->row.id};
	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].missed_idle = true;
}

void attribution_switch_out(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = cpu_of(attribution, record);
	const struct record_switch *swap = &record->swap;

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *leaver = task_of(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (!leaver)
		leaver = cpu->leaver ? cpu->leaver : cpu->running;
	if (swap->preempted && leaver != &attribution->idle)
		count_one(attribution, cpu, leaver, QUANTITY_PREEMPTIONS);

	struct task *comer =
		task_of(attribution, cpu, swap->other_pid, swap->other_tid, record->time_ns);
	end_hole(attribution, cpu);
	if (comer == &attribution->idle)
		cpu->hole.state = HOLE_OPEN;
	take_seat(&cpu->leaver, NULL);
	take_seat(&cpu->running, comer);
}

void attribution_switch_in(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = cpu_of(attribution, record);

	if (cpu->state == CPU_OFFLINE)
		return;

	struct task *comer = task_of(attribution, cpu, record->pid, record->tid, record->time_ns);
	if (cpu->hole.state == HOLE_OPEN && comer && comer != &attribution->idle &&
	    record->swap.other_tid == 0)
		close_hole(attribution, cpu, comer, record->time_ns);
	else
		end_hole(attribution, cpu);
	take_seat(&cpu->leaver, NULL);
	take_seat(&cpu->running, comer);
	place(attribution, cpu, comer, record->time_ns);
}

/* A thread that executes a program goes on under the tid of its process' first thread. */
void attribution_exec(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = cpu_of(attribution, record);
	struct task *before = cpu->running;

	if (!before || before == &attribution->idle || before->row.pid != record->pid ||
	    before->row.tid == record->tid)
		return;
	task_table_finish(attribution->tasks, before, record->time_ns);
	take_seat(&cpu->running,
		  task_table_find(attribution->tasks, record->pid, record->tid, record->time_ns));
}

void attribution_lost(struct attribution *attribution, const struct record *record)
{
	forget_who_runs(attribution, cpu_of(attribution, record));
}

void attribution_cpu_online(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = cpu_of(attribution, record);

	for (size_t g = 0; g < attribution->layout->group_count; g++)
		cpu->streams.streams[g].has_baseline = false;
	forget_who_runs(attribution, cpu);
	cpu->has_clock = false;
	cpu->state = CPU_ONLINE;
}

void attribution_cpu_offline(struct attribution *attribution, const struct record *record)
{
	struct cpu *cpu = cpu_of(attribution, record);

	forget_who_runs(attribution, cpu);
	cpu->state = CPU_OFFLINE;
}

void attribution_release(struct attribution *attribution, struct task *task)
{
	for (size_t i = 0; task->seats > 0 && i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (cpu && (cpu->running == task || cpu->leaver == task))
			forget_who_runs(attribution, cpu);
	}
}

void attribution_start(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		account_clear(&cpu->counter, attribution->width);
		account_clear(&cpu->idle, attribution->width);
		account_clear(&cpu->unattributed, attribution->width);
	}
	attribution->broken_readings = 0;
	attribution->merged_idle = 0;
	attribution->silent_switches = 0;
	attribution_forget_taken(attribution);
}

/* Where the CPU's numbers are. */
static void point(const struct cpu *cpu, struct snapshot_cpu *row)
{
	row->counter = cpu->counter.shown;
	row->idle = cpu->idle.shown;
	row->unattributed = cpu->unattributed.shown;
	row->counter_total = cpu->counter.total;
	row->idle_total = cpu->idle.total;
	row->unattributed_total = cpu->unattributed.total;
}

static void widen(struct cpu *cpu, size_t width, size_t new_width)
{
	account_widen(&cpu->counter, width, new_width);
	account_widen(&cpu->idle, width, new_width);
	account_widen(&cpu->unattributed, width, new_width);
}

void attribution_change(struct attribution *attribution, const struct group_places *places,
			size_t group_count, bool clock_changes)
{
	const size_t width = layout_width(attribution->layout);

	attribution->places = places;
	free(attribution->taken_ns);
	attribution->taken_ns = xcalloc(attribution->layout->group_count, sizeof(uint64_t));
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		streams_change(&cpu->streams, group_count, attribution->layout);
		widen(cpu, attribution->width, width);
		if (!clock_changes)
			continue;
		/* what is idle's of a merged slice cannot be told without the time */
		cpu->has_clock = false;
		end_hole(attribution, cpu);
	}
	attribution->width = width;
	for (size_t i = 0; i < attribution->row_count; i++)
		point(attribution->cpus[attribution->rows[i].cpu], &attribution->rows[i]);
}

void attribution_void(struct attribution *attribution, size_t place)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (!cpu)
			continue;
		cpu->counter.shown[place] = 0;
		cpu->idle.shown[place] = 0;
		cpu->unattributed.shown[place] = 0;
	}
}

/* False when there is nothing to show of the CPU: it is not watched, and counted nothing. */
static bool cpu_close(const struct attribution *attribution, struct cpu *cpu,
		      struct snapshot_cpu *row)
{
	const bool has_counted = account_close(&cpu->counter, attribution->width);

	account_close(&cpu->idle, attribution->width);
	account_close(&cpu->unattributed, attribution->width);
	if (cpu->state != CPU_ONLINE && !has_counted)
		return false;
	row->cpu = cpu->number;
	row->is_online = cpu->state == CPU_ONLINE;
	point(cpu, row);
	return true;
}

static void add_up_time(struct snapshot *snapshot)
{
	uint64_t counted_ns = 0, nobodys_ns = 0;

	for (size_t i = 0; i < snapshot->cpu_count; i++) {
		counted_ns += snapshot->cpus[i].counter[QUANTITY_RUN_NS];
		nobodys_ns += snapshot->cpus[i].unattributed[QUANTITY_RUN_NS];
	}
	snapshot->unattributed_ns = nobodys_ns;
	snapshot->attributed_pct =
		counted_ns ? 100.0 * (double)(counted_ns - nobodys_ns) / (double)counted_ns : NAN;
}

void attribution_forget_taken(struct attribution *attribution)
{
	counts_clear(attribution->taken_ns, attribution->layout->group_count);
}

void attribution_close(struct attribution *attribution, struct snapshot *snapshot)
{
	attribution->rows =
		xrealloc(attribution->rows, attribution->cpu_count + 1, sizeof(*attribution->rows));
	snapshot->cpus = attribution->rows;
	snapshot->cpu_count = 0;
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		if (cpu && cpu_close(attribution, cpu, &snapshot->cpus[snapshot->cpu_count]))
			snapshot->cpu_count++;
	}
	attribution->row_count = snapshot->cpu_count;
	add_up_time(snapshot);
	snapshot->broken_readings += attribution->broken_readings;
	snapshot->merged_idle = attribution->merged_idle;
	snapshot->silent_switches = attribution->silent_switches;
	attribution->broken_readings = 0;
	attribution->merged_idle = 0;
	attribution->silent_switches = 0;
}
