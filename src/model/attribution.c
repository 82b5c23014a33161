/*
 * For each CPU two things are kept: the last reading of every group, and the running task.
 * The time line (SWITCH_OUT, SWITCH_IN) reports the latter, in this order at each switch:
 *
 *	reading at_switch (one per group)   the outgoing slice ends; no task is known to run
 *	SWITCH_OUT                          names the incoming task
 *	SWITCH_IN                           names it again
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
#include "model/counts.h"
#include "model/layout.h"

static struct cpu *cpu_create(int number, const struct layout *layout, struct journal *journal,
			      struct task *idle)
{
	struct cpu *cpu = xcalloc(1, sizeof(*cpu));
	const size_t width = layout_width(layout);

	cpu->number = number;
	cpu->group_count = layout->group_count;
	cpu->clock_group = CLOCK_UNREAD;
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

/* What is counted of this switch from here on is in another interval than the switch itself. */
static void close_booking(struct cpu *cpu)
{
	if (cpu->booking != BOOKING_UNREAD)
		cpu->booking = BOOKING_NONE;
}

static void cpu_start(struct cpu *cpu, size_t width)
{
	account_clear(&cpu->counter, width);
	account_clear(&cpu->idle, width);
	account_clear(&cpu->unattributed, width);
	cpu->doubted_ns = 0;
	cpu->unread_ns = 0;
	close_booking(cpu);
	slices_start(&cpu->slices);
}

static void cpu_change(struct cpu *cpu, const struct layout *layout, size_t group_count,
		       size_t width)
{
	const size_t new_width = layout_width(layout);

	cpu->group_count = layout->group_count;
	cpu->clock_group = CLOCK_UNREAD;
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

static void cpu_void(struct cpu *cpu, size_t value_index)
{
	cpu->counter.shown[value_index] = 0;
	cpu->idle.shown[value_index] = 0;
	cpu->unattributed.shown[value_index] = 0;
}

static bool cpu_close(struct cpu *cpu, size_t width, struct snapshot_cpu *row,
		      const struct doubt *doubt)
{
	const bool has_counted = account_close(&cpu->counter, width);

	account_close(&cpu->idle, width);
	account_close(&cpu->unattributed, width);
	slices_show_idle(&cpu->slices);
	row->unknown = doubt_of(doubt, cpu->doubted_ns);
	cpu->doubted_ns = 0;
	row->unread_ns = cpu->unread_ns;
	cpu->unread_ns = 0;
	close_booking(cpu);
	if (cpu->state != CPU_ONLINE && !has_counted)
		return false;
	row->cpu = cpu->number;
	row->is_online = cpu->state == CPU_ONLINE;
	cpu_point(cpu, row);
	return true;
}

void attribution_init(struct attribution *attribution)
{
	attribution->width = layout_width(attribution->layout);
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

void cpu_close_hole(struct cpu *cpu)
{
	cpu->hole.state = HOLE_NONE;
	for (size_t g = 0; g < cpu->group_count; g++)
		cpu->streams.streams[g].missed_idle = false;
}

void cpu_end_streak(struct cpu *cpu)
{
	if (cpu->streak.goes_on)
		streak_end(&cpu->streak, &cpu->streams.streams[cpu->clock_group],
			   cpu->counter.interval);
}

void attribution_end_streaks(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			cpu_end_streak(attribution->cpus[i]);
}

void cpu_forget_running(struct cpu *cpu)
{
	cpu_end_streak(cpu);
	slices_break(&cpu->slices, NULL);
	task_take_reference(&cpu->running, NULL);
	task_take_reference(&cpu->prev, NULL);
	cpu->booking = BOOKING_UNREAD;
	cpu_end_hole(cpu);
	if (cpu->smt && cpu->state != CPU_OFFLINE)
		smt_set(cpu->smt, SMT_UNKNOWN, cpu->smt->core->now_ns);
}

void attribution_count_one(struct attribution *attribution, struct cpu *cpu, struct task *owner,
			   enum quantity quantity, uint64_t time_ns)
{
	if (cpu->state != CPU_ONLINE)
		return;
	attribution_counts(attribution, cpu, owner)[quantity]++;
	cpu->counter.interval[quantity]++;
	if (!cpu->slices.is_written)
		slices_of(&cpu->slices, owner, time_ns, SLICE_NEWS)[quantity]++;
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

void attribution_change_cpu(struct attribution *attribution, struct cpu *cpu, struct task *task,
			    uint64_t time_ns)
{
	if (task->row.last_cpu >= 0)
		attribution_count_one(attribution, cpu, task, QUANTITY_MIGRATIONS, time_ns);
	task->row.last_cpu = cpu->number;
	task_table_change(attribution->tasks, task);
}

uint64_t attribution_settled(const struct attribution *attribution, uint64_t time_ns)
{
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		const struct cpu *cpu = attribution->cpus[i];

		if (cpu && cpu->slices.hides_idle && cpu->slices.idle_end_ns < time_ns)
			time_ns = cpu->slices.idle_end_ns;
	}
	return time_ns;
}

static uint64_t group_bit(uint16_t group)
{
	return group < LAYOUT_GROUPS_MAX ? UINT64_C(1) << group : 0;
}

/* Whether the group's reading of the switch in which cpu->prev leaves is behind us. */
static bool has_shown_leave(const struct cpu *cpu, uint16_t group)
{
	return group >= LAYOUT_GROUPS_MAX || (cpu->prev_groups & group_bit(group)) != 0;
}

/*
 * The outgoing task of this reading. One that was reaped already has no ids any more, but the
 * time line knew it, or the reading of another group in the same switch.
 */
static struct task *prev_task(struct attribution *attribution, const struct cpu *cpu,
			      const struct record *record)
{
	struct task *known =
		attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);

	if (known)
		return known;
	if (cpu->running)
		return cpu->running;
	return has_shown_leave(cpu, record->reading.group) ? NULL : cpu->prev;
}

/*
 * The running task when a group is read between switches. The reading of another group at the next
 * switch may have come in before: the outgoing task in it was still running here. One that came
 * before it was known is named by the reading.
 */
static struct task *running_task(struct attribution *attribution, const struct cpu *cpu,
				 const struct record *record)
{
	if (cpu->running)
		return cpu->running;
	if (cpu->prev)
		return has_shown_leave(cpu, record->reading.group) ? NULL : cpu->prev;
	return record->tid > 0 ? attribution_task(attribution, cpu, record->pid, record->tid,
						  record->time_ns)
			       : NULL;
}

/* Until the time line goes on, no task is known to run. */
static void leave(struct attribution *attribution, struct cpu *cpu, struct task *task,
		  uint16_t group)
{
	if (task == &attribution->idle)
		cpu_end_hole(cpu);
	if (!cpu->running && cpu->prev == task) {
		cpu->prev_groups |= group_bit(group);
		return;
	}
	/*
	 * Where nothing was known, readings of this switch may be behind us and forgotten, or lost:
	 * then no group's next reading is taken for one that the outgoing task still saw.
	 */
	cpu->prev_groups = cpu->running || cpu->prev ? group_bit(group) : UINT64_MAX;
	task_take_reference(&cpu->prev, task);
	task_take_reference(&cpu->running, NULL);
	/* the switch that is reported next is of this time, too */
	cpu_set_smt(attribution, cpu, task, RECORD_TASK_UNKNOWN, cpu->now_ns);
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

static enum slice_news news_of(const struct slice *slice)
{
	return slice->is_clock ? SLICE_NEWS_TIME : SLICE_NEWS_COUNTS;
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
		smt_enter(attribution, cpu,
			  &(const struct smt_slice){
				  .stream = stream,
				  .slice = &idle,
				  .slice_ns = idle_ns,
				  .until = &cpu->hole.smt,
			  },
			  cpu->idle.interval);
	slice_enter(&idle,
		    &(const struct slice_books){
			    .cpu = cpu->counter.interval,
			    .owner = cpu->idle.interval,
			    .slice = slices_of_hidden(&cpu->slices, cpu->now_ns, news_of(slice)),
		    });
	if (slice->is_clock)
		attribution->merged_idle++;
}

/*
 * Whether a slice with switches that were not reported is idle's all the same: where idle and tasks
 * outside of this pid namespace look alike it was one of these that came, and the same leaves. A
 * task of ours in between would have left switch records, and after a loss none is known to run.
 */
static bool is_shared_idle(const struct attribution *attribution, const struct cpu *cpu,
			   const struct record *record, const struct task *owner)
{
	const uint16_t group = record->reading.group;
	const struct task *known = cpu->running                  ? cpu->running
				   : has_shown_leave(cpu, group) ? NULL
								 : cpu->prev;

	return attribution->idle_is_shared && record->reading.at_switch &&
	       owner == &attribution->idle && known == owner &&
	       !cpu->streams.streams[group].missed_task;
}

/*
 * The owner of a slice, given the outgoing or running task: none when that is not certain. A
 * merged slice becomes its owner's part.
 */
static struct task *owner_of(struct attribution *attribution, struct cpu *cpu,
			     const struct record *record, struct slice *slice, struct task *owner)
{
	struct stream *stream = &cpu->streams.streams[record->reading.group];
	const uint64_t expected = record->reading.at_switch ? 1 : 0;
	const uint64_t seen = slice->delta[READING_SWITCHES];

	/* others may have run while it did not count */
	if (!slice->is_whole) {
		attribution->taken_ns[record->reading.group] += taken_of(slice);
		if (!record->reading.at_switch && slice->is_clock)
			cpu_forget_running(cpu);
		return NULL;
	}
	if ((seen == expected || seen == expected + 1) && stream->missed_idle &&
	    !stream->missed_task && owner && owner->row.id == cpu->hole.arrived_id) {
		split_off_idle(attribution, cpu, stream, slice, seen - expected);
		return owner;
	}
	if (seen == expected && stream->missed_task) {
		attribution->silent_switches += slice->is_clock;
		return NULL;
	}
	if (seen == expected || is_shared_idle(attribution, cpu, record, owner))
		return owner;

	/*
	 * Some tasks never leave a record of a switch (Linux 6.18, on a virtual machine). What was
	 * lost of others the kernel says by itself, in front of this reading; so where these were
	 * is known all the same.
	 */
	if (slice->is_clock && seen > expected)
		attribution->silent_switches += seen - expected;
	/* Some switches were not reported (yet), so another task may run by now. */
	if (!record->reading.at_switch)
		cpu->prev_groups |= group_bit(record->reading.group);
	if (!record->reading.at_switch && slice->is_clock)
		cpu_forget_running(cpu);
	return NULL;
}

/* The CPU has counted a slice: enters it for its owner, which is returned; NULL: none. */
static struct task *attribute(struct attribution *attribution, struct cpu *cpu,
			      const struct record *record, struct slice *slice,
			      struct task *suspect)
{
	struct task *owner = owner_of(attribution, cpu, record, slice, suspect);
	struct stream *stream = &cpu->streams.streams[record->reading.group];
	const uint64_t slice_ns = slice->delta[READING_ENABLED_NS];
	uint64_t *counts = attribution_counts(attribution, cpu, owner);

	stream_take_ahead(stream, slice);
	if (cpu->smt)
		smt_enter(attribution, cpu,
			  &(const struct smt_slice){
				  .stream = stream,
				  .slice = slice,
				  .slice_ns = slice_ns,
				  .until = &cpu->smt_now,
			  },
			  counts);
	slice_enter(slice,
		    &(const struct slice_books){
			    .cpu = cpu->counter.interval,
			    .owner = counts,
			    .slice = slices_of(&cpu->slices, owner, cpu->now_ns, news_of(slice)),
		    });
	attribution_move(attribution, cpu, owner, cpu->now_ns);
	return owner;
}

static void set_clock(struct cpu *cpu, const struct record *record, bool is_clock)
{
	if (record->reading.at_switch && is_clock) {
		cpu->has_clock = true;
		cpu->clock_group = record->reading.group;
		cpu->clock_offset_ns = record->time_ns - record->reading.enabled_ns;
	}
	cpu->now_ns = moment_of(cpu, record, is_clock);
	if (cpu->smt)
		smt_read(cpu, cpu->now_ns);
}

void attribution_reading(struct attribution *attribution, const struct record *record)
{
	const struct record_reading *reading = &record->reading;
	struct cpu *cpu = attribution_cpu(attribution, record);

	if (cpu->state == CPU_OFFLINE)
		return;
	cpu->state = CPU_ONLINE;
	slices_begin(&cpu->slices);

	struct stream *stream = &cpu->streams.streams[reading->group];
	struct slice slice;
	struct task *owner = reading->at_switch ? prev_task(attribution, cpu, record)
						: running_task(attribution, cpu, record);

	if (reading->at_switch && owner && owner != &attribution->idle)
		attribution_name(attribution, owner, record->ctx_switch.name, record->time_ns);

	slice.group = &attribution->layout->groups[reading->group];
	slice.is_clock = layout_is_clock(attribution->layout, reading->group);
	const enum stream_step step = stream_advance(stream, reading, &slice);
	if (step != STREAM_STALE)
		set_clock(cpu, record, slice.is_clock);
	enum booking booking = BOOKING_NONE;
	if (step == STREAM_SLICE) {
		struct task *credited = attribute(attribution, cpu, record, &slice, owner);

		booking = credited ? BOOKING_PREV : BOOKING_NO_TASK;
		if (credited && !reading->at_switch && !cpu->running && !cpu->prev) {
			task_take_reference(&cpu->running, credited);
			cpu_set_smt(attribution, cpu, credited, RECORD_TASK_UNKNOWN, cpu->now_ns);
		}
	}
	if (step == STREAM_BROKEN)
		attribution->broken_readings++;
	/* what follows a baseline was counted after the switch in question */
	if (step == STREAM_BASELINE || step == STREAM_BROKEN)
		cpu->prev_groups |= group_bit(reading->group);
	if (step != STREAM_STALE)
		stream->missed_idle = stream->missed_task = false;
	if (cpu->smt && (step == STREAM_BASELINE || step == STREAM_BROKEN))
		smt_begin_slice(cpu, stream, slice.is_clock);
	if (!reading->at_switch)
		return;
	leave(attribution, cpu, owner, reading->group);
	if (step != STREAM_STALE && slice.is_clock)
		cpu->booking = booking;
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

	const struct passing passing = {
		.cpu = cpu,
		.owner = attribution_counts(attribution, cpu, owner),
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
	attribution_move(attribution, cpu, owner, cpu->now_ns);
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
	struct slice_books books = {.cpu = cpu->counter.interval};

	if (cpu->state == CPU_OFFLINE)
		return;
	cpu->state = CPU_ONLINE;
	owner = attribution_task(attribution, cpu, record->pid, record->tid, record->time_ns);
	books.owner = attribution_counts(attribution, cpu, owner);
	books.cpu[value_index] += estimate->value;
	books.owner[value_index] += estimate->value;
	books.cpu[group->slices_index]++;
	books.owner[group->slices_index]++;
	books.cpu[QUANTITY_RUN_NS] += estimate->run_ns;
	books.owner[QUANTITY_RUN_NS] += estimate->run_ns;
	if (!attribution->layout->events[event].is_estimate) {
		/* an occurrence does not end a slice of another task, should there be one */
		books.slice = slices_of(&cpu->slices, owner == cpu->slices.owner ? owner : NULL,
					record->time_ns, SLICE_NEWS);
		books.slice[value_index] += estimate->value;
		books.slice[group->slices_index]++;
	}
	if (owner && owner != &attribution->idle)
		move_silently(attribution->tasks, owner, cpu->number, record->time_ns);
}

void attribution_start(struct attribution *attribution)
{
	attribution_end_streaks(attribution);
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			cpu_start(attribution->cpus[i], attribution->width);
	attribution->broken_readings = 0;
	attribution->merged_idle = 0;
	attribution->silent_switches = 0;
	attribution_forget_taken(attribution);
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
		cpu_end_hole(cpu);
	}
	attribution->width = width;
	for (size_t i = 0; i < attribution->row_count; i++)
		cpu_point(attribution->cpus[attribution->rows[i].cpu], &attribution->rows[i]);
}

void attribution_void(struct attribution *attribution, size_t value_index)
{
	for (size_t i = 0; i < attribution->cpu_count; i++)
		if (attribution->cpus[i])
			cpu_void(attribution->cpus[i], value_index);
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

void attribution_forget_taken(struct attribution *attribution)
{
	counts_clear(attribution->taken_ns, attribution->layout->group_count);
}

void attribution_close(struct attribution *attribution, struct snapshot *snapshot,
		       const struct doubt *doubt)
{
	attribution_end_streaks(attribution);
	attribution->rows =
		xrealloc(attribution->rows, attribution->cpu_count + 1, sizeof(*attribution->rows));
	snapshot->cpus = attribution->rows;
	snapshot->cpu_count = 0;
	for (size_t i = 0; i < attribution->cpu_count; i++) {
		struct cpu *cpu = attribution->cpus[i];

		struct snapshot_cpu *row = &snapshot->cpus[snapshot->cpu_count];

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
