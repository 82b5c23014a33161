/* A kept interval with those who did not run in it is the interval as it was. */

#include "model/counts.h"

#include "model_sim_run.h"
#include "playback/kept.h"
#include "playback/whole.h"
#include "unit.h"

enum {
	INTERVALS_MAX = 64,
	LOOKS = 4 /* back, at each interval */
};

/* As each interval was, and what is kept of it. */
static struct {
	struct kept keep;
	struct snapshot *all[INTERVALS_MAX];
	size_t count;
	size_t added; /* tasks that were not kept */
} past;

static void forget_past(void)
{
	for (size_t i = 0; i < past.count; i++)
		snapshot_destroy(past.all[i]);
	past.count = 0;
	kept_fini(&past.keep);
	kept_init(&past.keep, SIZE_MAX, false);
}

static const struct snapshot_task *find_id(const struct snapshot *snapshot, uint64_t id)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].id == id)
			return &snapshot->tasks[i];
	return NULL;
}

static void assert_same_counts(const uint64_t *a, const uint64_t *b, size_t width)
{
	if (a == NULL || b == NULL)
		assert_true((a == NULL || counts_are_zero(a, width)) &&
			    (b == NULL || counts_are_zero(b, width)));
	else
		assert_memory_equal(a, b, width * sizeof(*a));
}

static void assert_same_task(const struct snapshot_task *task, const struct snapshot_task *truth,
			     size_t width)
{
	assert_non_null(task);
	assert_int_equal(task->tid, truth->tid);
	assert_int_equal(task->has_run, truth->has_run);
	assert_int_equal(task->is_exited, truth->is_exited);
	assert_same_counts(task->interval, truth->interval, width);
	assert_same_counts(task->total, truth->total, width);
	assert_same_counts(task->reaped, truth->reaped, width);
}

static void assert_as_it_was(const struct snapshot *truth, const struct snapshot *newest)
{
	const size_t width = layout_width(truth->layout);
	struct whole_interval whole;

	whole_interval_init(&whole, &past.keep, truth->time_ns, newest);
	assert_int_equal(whole.snapshot.task_count, truth->task_count);
	for (size_t i = 0; i < truth->task_count; i++)
		assert_same_task(find_id(&whole.snapshot, truth->tasks[i].id), &truth->tasks[i],
				 width);
	past.added += whole.snapshot.task_count -
		      kept_at(&past.keep, truth->time_ns)->snapshot->task_count;
	whole_interval_fini(&whole);
}

static void check_past(struct sim *sim, const struct snapshot *snapshot)
{
	if (past.count > 0 && past.all[past.count - 1]->sequence >= snapshot->sequence)
		forget_past();
	assert_true(past.count < INTERVALS_MAX);
	past.all[past.count++] = snapshot_copy(snapshot);
	kept_add(&past.keep, snapshot, draw(sim, 16) == 0);
	for (int i = 0; i < LOOKS; i++)
		assert_as_it_was(past.all[draw(sim, (uint32_t)past.count)], snapshot);
}

static void whole_interval_is_as_it_was(void **state)
{
	const struct plan plan = {.steps = 12, .hides_idle = true, .check = check_past};

	forget_past();
	run_many(&plan);
	forget_past();
	assert_true(past.added > 1000);
}

static void whole_interval_is_as_it_was_when_events_come_and_go(void **state)
{
	const struct plan plan = {
		.steps = 12, .changes_layout = true, .hides_idle = true, .check = check_past};

	forget_past();
	run_many(&plan);
	forget_past();
}

/* A thread that ends later: until then its process had not taken over its time. */
static void whole_interval_counts_an_ended_thread_once(void **state)
{
	enum {
		FIRST = 2 /* place of the run time */
	};
	uint64_t zeros[64] = {0}, one[64] = {0}, five[64] = {0};
	struct layout layout;
	struct snapshot_task first = {
		.id = 1, .pid = 7, .tid = 7, .interval = zeros, .total = five};
	struct snapshot_task thread = {
		.id = 2, .pid = 7, .tid = 8, .interval = one, .total = five, .has_run = true};
	struct snapshot_task tasks[] = {first, thread};
	struct snapshot snapshot = {.time_ns = 1, .sequence = 1, .layout = &layout, .tasks = tasks};
	struct whole_interval whole;

	layout_init(&layout);
	assert_in_range(layout_width(&layout), FIRST + 1, 64);
	one[FIRST] = 1;
	five[FIRST] = 5;
	forget_past();
	snapshot.task_count = 2;
	kept_add(&past.keep, &snapshot, false);
	tasks[1].is_exited = true;
	snapshot.time_ns = snapshot.sequence = 2;
	kept_add(&past.keep, &snapshot, false);
	tasks[0].reaped = five;
	snapshot.time_ns = snapshot.sequence = 3;
	snapshot.task_count = 1;
	kept_add(&past.keep, &snapshot, false);

	whole_interval_init(&whole, &past.keep, 1, &snapshot);
	assert_int_equal(whole.snapshot.task_count, 2);
	assert_int_equal(find_id(&whole.snapshot, 1)->reaped[FIRST], 0);
	assert_int_equal(find_id(&whole.snapshot, 1)->total[FIRST], 5);
	whole_interval_fini(&whole);
	whole_interval_init(&whole, &past.keep, 3, &snapshot);
	assert_int_equal(whole.snapshot.task_count, 1);
	assert_int_equal(find_id(&whole.snapshot, 1)->reaped[FIRST], 5);
	whole_interval_fini(&whole);
	forget_past();
	layout_fini(&layout);
}

/* The newest interval is kept, too: what ended in it is not yet its process'. */
static void whole_newest_interval_keeps_what_was_taken_over(void **state)
{
	enum {
		FIRST = 2 /* place of the run time */
	};
	uint64_t zeros[64] = {0}, one[64] = {0}, five[64] = {0}, nine[64] = {0};
	struct layout layout;
	struct snapshot_task tasks[] = {
		{.id = 1, .pid = 7, .tid = 7, .interval = zeros, .total = five, .reaped = nine},
		{.id = 2, .pid = 7, .tid = 8, .interval = one, .total = five, .has_run = true},
	};
	struct snapshot snapshot = {
		.time_ns = 1, .sequence = 1, .layout = &layout, .tasks = tasks, .task_count = 2};

	layout_init(&layout);
	assert_in_range(layout_width(&layout), FIRST + 1, 64);
	one[FIRST] = 1;
	five[FIRST] = 5;
	nine[FIRST] = 9;
	forget_past();
	kept_add(&past.keep, &snapshot, false);
	tasks[1].is_exited = true;
	snapshot.time_ns = snapshot.sequence = 2;
	kept_add(&past.keep, &snapshot, false);

	for (uint64_t time_ns = 1; time_ns <= 2; time_ns++) {
		struct whole_interval whole;

		whole_interval_init(&whole, &past.keep, time_ns, &snapshot);
		assert_int_equal(whole.snapshot.task_count, 2);
		assert_int_equal(find_id(&whole.snapshot, 1)->reaped[FIRST], 9);
		whole_interval_fini(&whole);
	}
	forget_past();
	layout_fini(&layout);
}

/* What a thread counted last may be told in the interval after its end: it is shown twice. */
static void whole_interval_counts_a_thread_that_ended_twice_once(void **state)
{
	enum {
		FIRST = 2, /* place of the run time */
		AFTER = 3
	};
	uint64_t zeros[64] = {0}, one[64] = {0}, four[64] = {0}, five[64] = {0}, late[64] = {0};
	struct layout layout;
	struct snapshot_task tasks[] = {
		{.id = 1, .pid = 7, .tid = 7, .interval = zeros, .total = five, .reaped = five},
		{.id = 2, .pid = 7, .tid = 8, .interval = one, .total = four, .is_exited = true},
	};
	struct snapshot snapshot = {.layout = &layout, .tasks = tasks, .task_count = 2};

	layout_init(&layout);
	assert_in_range(layout_width(&layout), FIRST + 1, 64);
	one[FIRST] = 1;
	four[FIRST] = 4;
	five[FIRST] = 5;
	late[FIRST] = 5 + 5;
	forget_past();
	for (uint64_t time_ns = 1; time_ns <= AFTER; time_ns++) {
		snapshot.time_ns = snapshot.sequence = time_ns;
		if (time_ns == 2)
			tasks[1].total = five;
		if (time_ns == AFTER) {
			tasks[0].reaped = late;
			snapshot.task_count = 1;
		}
		kept_add(&past.keep, &snapshot, false);
	}
	for (uint64_t time_ns = 1; time_ns <= AFTER; time_ns++) {
		struct whole_interval whole;

		whole_interval_init(&whole, &past.keep, time_ns, &snapshot);
		assert_int_equal(find_id(&whole.snapshot, 1)->reaped[FIRST],
				 time_ns < AFTER ? 5 : 10);
		whole_interval_fini(&whole);
	}
	forget_past();
	layout_fini(&layout);
}

/* Of who is kept after the end the process takes over nothing yet. */
static void whole_interval_leaves_to_held_threads_what_is_theirs(void **state)
{
	enum {
		FIRST = 2 /* place of the run time */
	};
	uint64_t zeros[64] = {0}, five[64] = {0}, nine[64] = {0};
	struct layout layout;
	struct snapshot_task tasks[] = {
		{.id = 1, .pid = 7, .tid = 7, .interval = zeros, .total = five, .reaped = nine},
		{.id = 2, .pid = 7, .tid = 8, .interval = five, .total = five, .is_exited = true},
	};
	struct snapshot snapshot = {
		.time_ns = 1, .sequence = 1, .layout = &layout, .tasks = tasks, .task_count = 2};
	struct whole_interval whole;

	layout_init(&layout);
	assert_in_range(layout_width(&layout), FIRST + 1, 64);
	five[FIRST] = 5;
	nine[FIRST] = 9;
	forget_past();
	kept_add(&past.keep, &snapshot, false);
	tasks[1].is_held = true;
	snapshot.time_ns = snapshot.sequence = 2;
	kept_add(&past.keep, &snapshot, false);

	whole_interval_init(&whole, &past.keep, 1, &snapshot);
	assert_int_equal(find_id(&whole.snapshot, 1)->reaped[FIRST], 9);
	whole_interval_fini(&whole);
	forget_past();
	layout_fini(&layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_interval_is_as_it_was),
		cmocka_unit_test(whole_interval_is_as_it_was_when_events_come_and_go),
		cmocka_unit_test(whole_interval_counts_an_ended_thread_once),
		cmocka_unit_test(whole_newest_interval_keeps_what_was_taken_over),
		cmocka_unit_test(whole_interval_counts_a_thread_that_ended_twice_once),
		cmocka_unit_test(whole_interval_leaves_to_held_threads_what_is_theirs),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);

	kept_fini(&past.keep);
	return failed;
}
