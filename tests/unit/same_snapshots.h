#ifndef PERFTOP_TESTS_SAME_SNAPSHOTS_H
#define PERFTOP_TESTS_SAME_SNAPSHOTS_H

/* Two models that were told the same must show the same interval, to the last digit. */

#include "model/layout.h"
#include "model/snapshot.h"
#include "model/timing.h"

#include "unit.h"

/* Where two counts differ; width: nowhere. but: bit per quantity that is not looked at. */
static inline size_t find_difference(const uint64_t *a, const uint64_t *b, size_t width,
				     uint32_t but)
{
	size_t place = 0;

	while (place < width &&
	       (a[place] == b[place] || (place < QUANTITY_BUILTIN && but >> place & 1)))
		place++;
	return place;
}

/* A tid that was used again stands there twice: those with the same numbers are the same. */
static inline const struct snapshot_task *find_same(const struct snapshot *snapshot,
						    const struct snapshot_task *task, uint32_t but)
{
	const size_t width = layout_width(snapshot->layout);

	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *other = &snapshot->tasks[i];

		if (other->tid == task->tid && other->pid == task->pid &&
		    other->is_exited == task->is_exited &&
		    find_difference(other->interval, task->interval, width, but) == width)
			return other;
	}
	return NULL;
}

static inline void assert_same_numbers(const uint64_t *a, const uint64_t *b, size_t width,
				       uint32_t but)
{
	const size_t place = find_difference(a, b, width, but);

	if (place < width)
		fail_msg("place %zu: %llu, %llu", place, (unsigned long long)a[place],
			 (unsigned long long)b[place]);
}

/* What is wrong with those of the same tid, for whoever looks into it. */
static inline void print_others(const struct snapshot *snapshot, const struct snapshot_task *task)
{
	print_error("tid %d of %d (%s%s) is not there\n", task->tid, task->pid, task->name,
		    task->is_exited ? ", exited" : "");
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const struct snapshot_task *other = &snapshot->tasks[i];

		if (other->tid != task->tid)
			continue;
		print_error("but of %d (%s%s)\n", other->pid, other->name,
			    other->is_exited ? ", exited" : "");
		for (size_t place = 0; place < layout_width(snapshot->layout); place++)
			if (other->interval[place] != task->interval[place])
				print_error("place %zu: %llu, %llu\n", place,
					    (unsigned long long)task->interval[place],
					    (unsigned long long)other->interval[place]);
	}
}

static inline void assert_same_fact(const struct snapshot_task *task, const char *name, int64_t one,
				    int64_t other)
{
	if (one != other)
		fail_msg("tid %d (%s%s): %s %lld, %lld", task->tid, task->name,
			 task->is_exited ? ", exited" : "", name, (long long)one, (long long)other);
}

/* NULL: unknown. */
static inline void assert_same_texts(const struct snapshot_task *task, const char *one,
				     const char *other)
{
	if (one != other && (!one || !other || strcmp(one, other) != 0))
		fail_msg("tid %d (%s): %s, %s", task->tid, task->name, one ? one : "unknown",
			 other ? other : "unknown");
}

static inline void assert_same_waits(const struct timing *one, const struct timing *other)
{
	static const struct timing none;
	static const enum timing_kind kinds[] = {TIMING_PREEMPTED, TIMING_WAKEUPS, TIMING_SLICES};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		const struct distribution *a = &(one ? one : &none)->of[kinds[i]];
		const struct distribution *b = &(other ? other : &none)->of[kinds[i]];

		assert_int_equal(a->count, b->count);
		assert_int_equal(a->sum, b->sum);
		assert_int_equal(a->max, b->max);
	}
}

/* Of one that had exited before a recording began nothing need be known, if it did nothing more. */
static inline bool is_worth_comparing(const struct snapshot *snapshot,
				      const struct snapshot_task *task)
{
	bool has_counts = false;

	for (size_t i = 0; i < layout_width(snapshot->layout); i++)
		has_counts = has_counts || task->interval[i] != 0;
	return !task->is_exited || has_counts;
}

static inline void assert_same_tasks(const struct snapshot *one, const struct snapshot *other,
				     uint32_t but)
{
	for (size_t i = 0; i < one->task_count; i++) {
		const struct snapshot_task *task = &one->tasks[i];
		const struct snapshot_task *same;

		if (!is_worth_comparing(one, task))
			continue;
		same = find_same(other, task, but);
		if (same == NULL)
			print_others(other, task);
		assert_non_null(same);
		assert_same_fact(task, "last_cpu", task->last_cpu, same->last_cpu);
		assert_same_fact(task, "parent_pid", task->parent_pid, same->parent_pid);
		assert_same_fact(task, "session", task->session, same->session);
		assert_same_fact(task, "uid", task->uid, same->uid);
		assert_same_fact(task, "is_kernel_thread", task->is_kernel_thread,
				 same->is_kernel_thread);
		assert_same_fact(task, "is_new", task->is_new, same->is_new);
		assert_same_fact(task, "has_run", task->has_run, same->has_run);
		assert_same_fact(task, "unknown", task->unknown, same->unknown);
		assert_same_texts(task, task->name, same->name);
		assert_same_texts(task, task->command_line, same->command_line);
		assert_same_texts(task, task->cgroup, same->cgroup);
		assert_same_waits(task->timing, same->timing);
	}
}

static inline void assert_same_but(const struct snapshot *one, const struct snapshot *other,
				   uint32_t but)
{
	const size_t width = layout_width(one->layout);

	assert_int_equal(one->time_ns, other->time_ns);
	assert_int_equal(one->interval_ns, other->interval_ns);
	assert_int_equal(layout_width(other->layout), width);
	assert_int_equal(one->ran_count, other->ran_count);
	assert_int_equal(one->exited_count, other->exited_count);
	assert_int_equal(one->lost_records, other->lost_records);
	assert_int_equal(one->throttled, other->throttled);
	assert_int_equal(one->merged_idle, other->merged_idle);
	assert_int_equal(one->silent_switches, other->silent_switches);
	assert_int_equal(one->broken_readings, other->broken_readings);
	assert_int_equal(one->unattributed_ns, other->unattributed_ns);
	assert_int_equal(one->unknown, other->unknown);
	assert_int_equal(one->cpu_count, other->cpu_count);
	for (size_t i = 0; i < one->cpu_count; i++) {
		assert_int_equal(one->cpus[i].cpu, other->cpus[i].cpu);
		assert_int_equal(one->cpus[i].is_online, other->cpus[i].is_online);
		assert_int_equal(one->cpus[i].unread_ns, other->cpus[i].unread_ns);
		assert_int_equal(one->cpus[i].unknown, other->cpus[i].unknown);
		assert_same_numbers(one->cpus[i].counter, other->cpus[i].counter, width, but);
		assert_same_numbers(one->cpus[i].idle, other->cpus[i].idle, width, but);
		assert_same_numbers(one->cpus[i].unattributed, other->cpus[i].unattributed, width,
				    but);
	}
	assert_int_equal(one->interrupt_count, other->interrupt_count);
	for (size_t i = 0; i < one->interrupt_count; i++)
		assert_memory_equal(&one->interrupts[i], &other->interrupts[i],
				    sizeof(one->interrupts[i]));
	assert_int_equal(one->lock_wait_count, other->lock_wait_count);
	assert_same_tasks(one, other, but);
	assert_same_tasks(other, one, but);
}

static inline void assert_same_snapshots(const struct snapshot *one, const struct snapshot *other)
{
	assert_same_but(one, other, 0);
}

#endif
