#include "session/others.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/proc.h"
#include "kernel/proc_usage.h"
#include "model/counts.h"
#include "model/layout.h"
#include "model/metric.h"

#include "session/engine_parts.h"
#include "session/procinfo.h"

enum {
	RUN_NS,
	WAIT_NS,
	SWITCHES,
	PREEMPTIONS,
	FAULTS,
	NUMBERS
};

/* A thread. */
struct other {
	struct proc_task procinfo;
	uint64_t look;             /* in which it was seen last */
	uint64_t numbers[NUMBERS]; /* since its birth, as of then */
	uint64_t interval[NUMBERS], total[NUMBERS];
	bool is_counted; /* a counter has reported it */
};

static void forget(struct map *others)
{
	size_t cursor = 0;
	uint64_t tid;
	void *other;

	while (map_next(others, &cursor, &tid, &other))
		free(other);
	map_fini(others);
}

void others_fini(struct others *others)
{
	forget(&others->by_tid);
	free(others->tasks);
	free(others->numbers);
	*others = (struct others){0};
}

/* All but these two take more than one small file, and change only where it has run. */
static bool read_times(const struct others *others, int32_t pid, int32_t tid,
		       uint64_t numbers[static NUMBERS])
{
	struct proc_usage usage;

	if (others->has_schedstat)
		return proc_read_schedstat(tid, &numbers[RUN_NS], &numbers[WAIT_NS]);
	if (!proc_read_usage(pid, tid, false, &usage))
		return false;
	numbers[RUN_NS] = usage.user_ns + usage.system_ns;
	return true;
}

static bool read_rest(int32_t pid, int32_t tid, uint64_t numbers[static NUMBERS])
{
	struct proc_usage usage;
	uint64_t voluntary;

	if (!proc_read_usage(pid, tid, false, &usage) ||
	    !proc_read_switches(tid, &voluntary, &numbers[PREEMPTIONS]))
		return false;
	numbers[SWITCHES] = voluntary + numbers[PREEMPTIONS];
	numbers[FAULTS] = usage.faults;
	return true;
}

/* Another task may have the same number by now. */
static bool is_same(const struct proc_task *now, const struct proc_task *before)
{
	return now->start_ticks == before->start_ticks && now->pid == before->pid;
}

static bool has_changed(const struct proc_task *now, const struct proc_task *before)
{
	return strcmp(now->name, before->name) != 0 || now->uid != before->uid ||
	       now->parent_pid != before->parent_pid || now->session != before->session;
}

/* It has run, or has not been seen before. */
static void look_closer(struct engine *engine, struct other *other, int32_t tid,
			uint64_t numbers[static NUMBERS])
{
	bool is_new = other->procinfo.pid == 0;
	struct proc_task now;

	if (!proc_read_task(tid, &now) || !read_rest(now.pid, tid, numbers))
		return;
	if (!is_new && !is_same(&now, &other->procinfo)) {
		procinfo_end(engine, other->procinfo.pid, tid);
		*other = (struct other){.look = other->look};
		is_new = true;
	}
	if (is_new || has_changed(&now, &other->procinfo))
		procinfo_introduce_thread(engine, tid);
	/* none of them ever goes back: what does is not believed */
	if (is_new || !counts_sub(other->interval, numbers, other->numbers, NUMBERS))
		counts_clear(other->interval, NUMBERS);
	counts_add(other->total, other->interval, NUMBERS);
	memcpy(other->numbers, numbers, sizeof(other->numbers));
	other->procinfo = now;
}

struct walk {
	struct engine *engine;
	int32_t pid;
};

static bool look_at_thread(int32_t tid, void *context)
{
	const struct walk *walk = context;
	struct others *others = &walk->engine->others;
	struct other *other = map_get(&others->by_tid, (uint64_t)tid);
	uint64_t numbers[NUMBERS] = {0};

	if (!read_times(others, walk->pid, tid, numbers))
		return true;
	if (!other) {
		other = xcalloc(1, sizeof(*other));
		map_put(&others->by_tid, (uint64_t)tid, other);
	}
	other->look = others->looks;
	counts_clear(other->interval, NUMBERS);
	/* of one that has counters only whether it is another one by now */
	if (other->is_counted && numbers[RUN_NS] >= other->numbers[RUN_NS])
		other->numbers[RUN_NS] = numbers[RUN_NS];
	else if (other->procinfo.pid == 0 || numbers[RUN_NS] != other->numbers[RUN_NS])
		look_closer(walk->engine, other, tid, numbers);
	return true;
}

static bool look_at_process(int32_t pid, void *engine)
{
	struct walk walk = {.engine = engine, .pid = pid};

	proc_walk(pid, look_at_thread, &walk);
	return true;
}

/* A task not found this time has ended; a counter reports its end by itself. */
static void drop_ended(struct engine *engine)
{
	struct others *others = &engine->others;
	struct map left = {0};
	size_t cursor = 0;
	uint64_t tid;
	void *value;

	while (map_next(&others->by_tid, &cursor, &tid, &value)) {
		struct other *other = value;

		if (other->look == others->looks) {
			map_put(&left, tid, other);
			continue;
		}
		if (!other->is_counted)
			procinfo_end(engine, other->procinfo.pid, (int32_t)tid);
		free(other);
	}
	map_fini(&others->by_tid);
	others->by_tid = left;
}

void others_look(struct engine *engine)
{
	struct others *others = &engine->others;

	if (!others->is_on)
		return;
	others->has_schedstat = proc_has_run_delay();
	others->looks++;
	proc_walk(0, look_at_process, engine);
	drop_ended(engine);
}

/* The place of a task's page faults; 0: they are not counted. */
static size_t faults_place(const struct layout *layout)
{
	const int event = layout_find_event(layout, METRIC_FAULTS_EVENT);

	for (size_t i = 0; event >= 0 && i < layout->counter_count; i++)
		if (layout->counters[i].event == event && layout->counters[i].is_live)
			return layout->counters[i].place;
	return 0;
}

static const uint64_t *write_vector(uint64_t *vector, const uint64_t numbers[static NUMBERS],
				    size_t faults)
{
	vector[QUANTITY_RUN_NS] = numbers[RUN_NS];
	vector[QUANTITY_SWITCHES] = numbers[SWITCHES];
	vector[QUANTITY_PREEMPTIONS] = numbers[PREEMPTIONS];
	vector[QUANTITY_QUEUED_NS] = numbers[WAIT_NS];
	if (faults > 0)
		vector[faults] = numbers[FAULTS];
	return vector;
}

/* What is not known of such a task. */
static uint32_t unknown_of(const struct others *others)
{
	const uint32_t waits =
		others->has_schedstat ? LAYOUT_WAITS & ~(1u << QUANTITY_QUEUED_NS) : LAYOUT_WAITS;

	return waits | 1u << QUANTITY_MIGRATIONS | METRIC_EVENTS_UNKNOWN | METRIC_FAULTS_KNOWN;
}

/* The task as /proc has it; NULL: a counter reports it, or nothing of it is known. */
static struct other *other_of(const struct others *others, const struct snapshot_task *task)
{
	struct other *other = map_get(&others->by_tid, (uint64_t)task->tid);

	if (!other || other->procinfo.pid != task->pid || task->is_exited)
		return NULL;
	other->is_counted = other->is_counted || task->total[QUANTITY_RUN_NS] > 0;
	return other->is_counted || other->total[RUN_NS] == 0 ? NULL : other;
}

static uint64_t *take_vectors(struct others *others, const struct snapshot *whole)
{
	size_t count = 0;

	for (size_t i = 0; i < whole->task_count; i++)
		count += other_of(others, &whole->tasks[i]) != NULL;
	count *= 2 * layout_width(whole->layout);
	array_reserve(&others->numbers, &others->number_capacity, count, sizeof(*others->numbers));
	counts_clear(others->numbers, count);
	return others->numbers;
}

const struct snapshot *others_add(struct others *others, const struct snapshot *whole)
{
	const size_t width = layout_width(whole->layout), faults = faults_place(whole->layout);
	uint64_t *vectors = take_vectors(others, whole);

	array_reserve(&others->tasks, &others->task_capacity, whole->task_count,
		      sizeof(*others->tasks));
	others->merged = *whole;
	others->merged.tasks = others->tasks;
	for (size_t i = 0; i < whole->task_count; i++) {
		struct snapshot_task *task = &others->tasks[i];
		const struct other *other = other_of(others, &whole->tasks[i]);

		*task = whole->tasks[i];
		if (!other)
			continue;
		task->is_from_proc = true;
		task->last_cpu = other->procinfo.cpu;
		task->interval = write_vector(vectors, other->interval, faults);
		task->total = write_vector(vectors + width, other->total, faults);
		task->has_run = other->interval[RUN_NS] > 0;
		task->unknown = task->has_run ? unknown_of(others) : 0;
		others->merged.ran_count += task->has_run;
		vectors += 2 * width;
	}
	return &others->merged;
}
