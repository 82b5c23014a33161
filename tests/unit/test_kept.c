/* Which intervals are kept, and which go. */

#include "model/counts.h"
#include "model/snapshot.h"

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

/* It is called and summed by all of them. */
UNIT_TEST(keep_has_all_threads_of_a_process_that_ran)
{
	task(&fixture.world, .pid = 7, .tid = 71, .name = "sleeping thread", .is_idle = true);
	task(&fixture.world, .pid = 8, .tid = 81, .name = "sleeping thread", .is_idle = true);
	keep_at(1);
	assert_int_equal(kept_newest(&fixture.keep)->snapshot->task_count, 5);
	assert_int_equal(kept_newest(&fixture.keep)->snapshot->tasks[4].tid, 71);
	assert_false(kept_newest(&fixture.keep)->has_idle);
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

int main(void)
{
	return unit_run(set_up, tear_down);
}
