/* Which intervals are kept, and which go; and one with the tasks that did not run in it. */

#include "model/counts.h"
#include "model/snapshot.h"

#include "model_sim_run.h"
#include "playback/kept.h"
#include "snapshot_builder.h"
#include "unit.h"

enum {
	NS_PER_S = 1000000000
};

struct fixture {
	struct world world;
	struct kept keep;
};

static struct fixture fixture;

/* An interval of one second ends at `second`. */
static void end_at(uint64_t second)
{
	fixture.world.snapshot.time_ns = second * NS_PER_S;
	fixture.world.snapshot.sequence = second;
}

static void keep_at(uint64_t second)
{
	end_at(second);
	kept_add(&fixture.keep, &fixture.world.snapshot, false);
}

static int set_up(void **state)
{
	world_init(&fixture.world);
	task(&fixture.world, .pid = 7, .name = "runs", .run_ms = 20);
	task(&fixture.world, .pid = 8, .name = "sleeps", .is_idle = true);
	task(&fixture.world, .pid = 9, .name = "ended", .is_idle = true, .is_exited = true);
	task(&fixture.world, .pid = 10, .name = "born", .is_idle = true, .is_new = true);
	task(&fixture.world, .pid = 11, .name = "held", .is_held = true);
	kept_init(&fixture.keep, 1 << 20, true);
	return 0;
}

static int tear_down(void **state)
{
	kept_fini(&fixture.keep);
	world_fini(&fixture.world);
	return 0;
}

/* Room for so many intervals as they are here. */
static void make_room_for(size_t count)
{
	keep_at(1);
	const uint64_t bytes = fixture.keep.bytes;
	kept_fini(&fixture.keep);
	kept_init(&fixture.keep, bytes * count + bytes / 2, true);
}

static uint64_t second_of(const struct kept_interval *kept)
{
	return kept->snapshot->time_ns / NS_PER_S;
}

UNIT_TEST(keep_empty_finds_nothing)
{
	assert_null(kept_oldest(&fixture.keep));
	assert_null(kept_newest(&fixture.keep));
	assert_null(kept_before(&fixture.keep, UINT64_MAX));
	assert_null(kept_after(&fixture.keep, 0));
	assert_null(kept_at(&fixture.keep, 0));
}

UNIT_TEST(keep_finds_by_time)
{
	keep_at(5);
	keep_at(6);
	keep_at(9);

	assert_int_equal(second_of(kept_before(&fixture.keep, 6ull * NS_PER_S)), 5);
	assert_int_equal(second_of(kept_before(&fixture.keep, 6ull * NS_PER_S + 1)), 6);
	assert_null(kept_before(&fixture.keep, 5ull * NS_PER_S));
	assert_int_equal(second_of(kept_after(&fixture.keep, 6ull * NS_PER_S)), 9);
	assert_int_equal(second_of(kept_after(&fixture.keep, 6ull * NS_PER_S - 1)), 6);
	assert_null(kept_after(&fixture.keep, 9ull * NS_PER_S));
	assert_null(kept_after(&fixture.keep, UINT64_MAX));
	assert_int_equal(second_of(kept_at(&fixture.keep, 6ull * NS_PER_S)), 6);
	assert_int_equal(second_of(kept_at(&fixture.keep, 6ull * NS_PER_S + 1)), 9);
	assert_int_equal(second_of(kept_oldest(&fixture.keep)), 5);
	assert_int_equal(second_of(kept_newest(&fixture.keep)), 9);
}

UNIT_TEST(keep_leaves_sleepers_out_but_nobody_else)
{
	const struct snapshot *kept;

	keep_at(1);
	kept = kept_newest(&fixture.keep)->snapshot;

	assert_int_equal(kept->task_count, 4);
	assert_int_equal(kept->tasks[0].pid, 7);
	assert_int_equal(kept->tasks[1].pid, 9);
	assert_int_equal(kept->tasks[2].pid, 10);
	assert_int_equal(kept->tasks[3].pid, 11);
	assert_int_equal(kept->tasks[0].interval[QUANTITY_RUN_NS], 20000000);
}

UNIT_TEST(keep_with_idle_keeps_sleepers)
{
	end_at(1);
	kept_add(&fixture.keep, &fixture.world.snapshot, true);

	assert_int_equal(kept_newest(&fixture.keep)->snapshot->task_count, 5);
}

UNIT_TEST(keep_same_interval_once)
{
	keep_at(1);
	keep_at(1);

	assert_int_equal(fixture.keep.count, 1);
}

UNIT_TEST(keep_earlier_forgets_what_came_later)
{
	keep_at(1);
	keep_at(2);
	keep_at(3);
	keep_at(2);

	assert_int_equal(fixture.keep.count, 2);
	assert_int_equal(second_of(kept_newest(&fixture.keep)), 2);
}

UNIT_TEST(keep_bytes_are_bounded_and_those_of_what_is_kept)
{
	size_t bytes = 0;

	make_room_for(10);
	for (uint64_t i = 1; i < 200; i++) {
		keep_at(i);
		assert_true(fixture.keep.bytes <= fixture.keep.bytes_max);
	}
	for (size_t i = 0; i < fixture.keep.count; i++)
		bytes += fixture.keep.intervals[i].bytes;
	assert_int_equal(bytes, fixture.keep.bytes);
	assert_int_equal(fixture.keep.count, 10);
}

UNIT_TEST(keep_room_of_more_than_32_bits_is_no_less)
{
	kept_fini(&fixture.keep);
	kept_init(&fixture.keep, UINT64_C(1) << 32, true);
	keep_at(1);
	keep_at(2);

	assert_int_equal(fixture.keep.count, 2);
}

UNIT_TEST(keep_cut_off_has_no_gaps)
{
	make_room_for(10);
	fixture.keep.thins = false;
	for (uint64_t i = 1; i < 200; i++)
		keep_at(i);

	assert_int_equal(fixture.keep.count, 10);
	for (size_t i = 0; i < fixture.keep.count; i++)
		assert_int_equal(second_of(&fixture.keep.intervals[i]), 190 + i);
}

UNIT_TEST(keep_thinned_out_reaches_back_and_is_whole_near)
{
	make_room_for(16);
	for (uint64_t i = 1; i < 200; i++)
		keep_at(i);

	assert_int_equal(second_of(kept_oldest(&fixture.keep)), 1);
	for (size_t i = fixture.keep.count / 2; i < fixture.keep.count; i++)
		assert_int_equal(second_of(&fixture.keep.intervals[i]),
				 200 - fixture.keep.count + i);
	/* further back they stand further apart, and nowhere is a hole as long as all of it */
	for (size_t i = 2; i < fixture.keep.count / 2; i++)
		assert_true(second_of(&fixture.keep.intervals[i]) -
				    second_of(&fixture.keep.intervals[i - 1]) <
			    120);
}

UNIT_TEST(keep_thinned_out_forgets_after_an_hour)
{
	keep_at(1);
	keep_at(2);
	keep_at(3601);
	assert_int_equal(second_of(kept_oldest(&fixture.keep)), 1);
	keep_at(3602);
	assert_int_equal(second_of(kept_oldest(&fixture.keep)), 2);
}

UNIT_TEST(keep_newest_stays_however_large)
{
	fixture.keep.bytes_max = 1;
	keep_at(1);
	keep_at(2);

	assert_int_equal(fixture.keep.count, 1);
	assert_int_equal(second_of(kept_newest(&fixture.keep)), 2);
}

static void assert_rate_at(uint64_t second, double rate)
{
	keep_at(second);
	assert_float_equal(kept_newest(&fixture.keep)->rate, rate, 1e-9);
}

UNIT_TEST(rate_is_of_the_cpus_a_second)
{
	fixture.world.snapshot.interval_ns = NS_PER_S / 2;
	assert_rate_at(1, 400);
	fixture.world.snapshot.interval_ns = 0;
	assert_rate_at(2, 0);
}

UNIT_TEST(rate_without_cpus_is_of_the_tasks)
{
	task(&fixture.world, .pid = 12, .counts = {.switches = 30});
	task(&fixture.world, .pid = 13, .counts = {.switches = 12});
	fixture.world.snapshot.cpu_count = 0;
	assert_rate_at(1, 42);
}

/* --- an interval with the tasks that did not run in it is the interval as it was */

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
	struct snapshot *whole = kept_whole(&past.keep, truth->time_ns, newest);

	assert_int_equal(whole->task_count, truth->task_count);
	for (size_t i = 0; i < truth->task_count; i++)
		assert_same_task(find_id(whole, truth->tasks[i].id), &truth->tasks[i], width);
	past.added += whole->task_count - kept_at(&past.keep, truth->time_ns)->snapshot->task_count;
	snapshot_destroy(whole);
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

UNIT_TEST_WITH(whole_interval_is_as_it_was, NULL, NULL)
{
	const struct plan plan = {.steps = 12, .hides_idle = true, .check = check_past};

	forget_past();
	run_many(&plan);
	forget_past();
	assert_true(past.added > 1000);
}

UNIT_TEST_WITH(whole_interval_is_as_it_was_when_events_come_and_go, NULL, NULL)
{
	const struct plan plan = {
		.steps = 12, .changes_layout = true, .hides_idle = true, .check = check_past};

	forget_past();
	run_many(&plan);
	forget_past();
}

/* Of a process 7 with a thread 8; each number of vectors is the run time there. */
static struct {
	struct layout layout;
	uint64_t numbers[11][64];
	struct snapshot_task tasks[2];
	struct snapshot snapshot;
} family;

enum {
	FIRST = 2 /* place of the run time */
};

static int begin_family(void **state)
{
	for (size_t i = 0; i < COUNT_OF(family.numbers); i++)
		family.numbers[i][FIRST] = i;
	layout_init(&family.layout);
	assert_in_range(layout_width(&family.layout), FIRST + 1, 64);
	family.tasks[0] = (struct snapshot_task){.id = 1,
						 .pid = 7,
						 .tid = 7,
						 .interval = family.numbers[0],
						 .total = family.numbers[5]};
	family.tasks[1] = (struct snapshot_task){.id = 2,
						 .pid = 7,
						 .tid = 8,
						 .interval = family.numbers[1],
						 .total = family.numbers[5],
						 .has_run = true};
	family.snapshot =
		(struct snapshot){.layout = &family.layout, .tasks = family.tasks, .task_count = 2};
	forget_past();
	return 0;
}

static int end_family(void **state)
{
	forget_past();
	layout_fini(&family.layout);
	return 0;
}

/* The next interval. */
static void keep_family(void)
{
	family.snapshot.time_ns = ++family.snapshot.sequence;
	kept_add(&past.keep, &family.snapshot, false);
}

/* What the process has taken over of ended threads by the end of an interval. */
static void assert_reaped(uint64_t time_ns, size_t task_count, uint64_t reaped)
{
	struct snapshot *whole = kept_whole(&past.keep, time_ns, &family.snapshot);

	assert_int_equal(whole->task_count, task_count);
	assert_int_equal(find_id(whole, 1)->reaped[FIRST], reaped);
	assert_int_equal(find_id(whole, 1)->total[FIRST], 5);
	snapshot_destroy(whole);
}

/* A thread that ends later: until then its process had not taken over its time. */
UNIT_TEST_WITH(whole_interval_counts_an_ended_thread_once, begin_family, end_family)
{
	keep_family();
	family.tasks[1].is_exited = true;
	keep_family();
	family.tasks[0].reaped = family.numbers[5];
	family.snapshot.task_count = 1;
	keep_family();

	assert_reaped(1, 2, 0);
	assert_reaped(3, 1, 5);
}

/* The newest interval is kept, too: what ended in it is not yet its process'. */
UNIT_TEST_WITH(whole_newest_interval_keeps_what_was_taken_over, begin_family, end_family)
{
	family.tasks[0].reaped = family.numbers[9];
	keep_family();
	family.tasks[1].is_exited = true;
	keep_family();

	assert_reaped(1, 2, 9);
	assert_reaped(2, 2, 9);
}

/* What a thread counted last may be reported in the interval after its end: it is shown twice. */
UNIT_TEST_WITH(whole_interval_counts_a_thread_that_ended_twice_once, begin_family, end_family)
{
	family.tasks[0].reaped = family.numbers[5];
	family.tasks[1].total = family.numbers[4];
	family.tasks[1].is_exited = true;
	keep_family();
	family.tasks[1].total = family.numbers[5];
	keep_family();
	family.tasks[0].reaped = family.numbers[10];
	family.snapshot.task_count = 1;
	keep_family();

	assert_reaped(1, 2, 5);
	assert_reaped(2, 2, 5);
	assert_reaped(3, 1, 10);
}

/* Of a task that is kept after its end the process takes over nothing yet. */
UNIT_TEST_WITH(whole_interval_leaves_to_held_threads_what_is_theirs, begin_family, end_family)
{
	family.tasks[0].reaped = family.numbers[9];
	family.tasks[1].is_exited = true;
	keep_family();
	family.tasks[1].is_held = true;
	keep_family();

	assert_reaped(1, 2, 9);
}

int main(void)
{
	const int failed = unit_run(set_up, tear_down);

	kept_fini(&past.keep);
	return failed;
}
