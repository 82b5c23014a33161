/* Which intervals are kept, and which go. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/snapshot.h"

#include "player/player_keep.h"
#include "snapshot_builder.h"

enum {
	NS_PER_S = 1000000000
};

struct fixture {
	struct world world;
	struct player_keep keep;
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
	player_keep_add(&fixture.keep, &fixture.world.snapshot, false);
}

static int set_up(void **state)
{
	(void)state;
	world_init(&fixture.world);
	task(&fixture.world, .pid = 7, .name = "runs", .run_ms = 20);
	task(&fixture.world, .pid = 8, .name = "sleeps", .is_idle = true);
	task(&fixture.world, .pid = 9, .name = "ended", .is_idle = true, .is_exited = true);
	task(&fixture.world, .pid = 10, .name = "born", .is_idle = true, .is_new = true);
	task(&fixture.world, .pid = 11, .name = "held", .is_held = true);
	player_keep_init(&fixture.keep, 1 << 20, true);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	player_keep_fini(&fixture.keep);
	world_fini(&fixture.world);
	return 0;
}

/* Room for so many intervals as they are here. */
static void make_room_for(size_t count)
{
	keep_at(1);
	fixture.keep.bytes_max = fixture.keep.bytes * count + fixture.keep.bytes / 2;
	player_keep_clear(&fixture.keep);
}

static uint64_t second_of(const struct kept_interval *kept)
{
	return kept->snapshot->time_ns / NS_PER_S;
}

static void keep_empty_finds_nothing(void **state)
{
	(void)state;
	assert_null(player_keep_oldest(&fixture.keep));
	assert_null(player_keep_newest(&fixture.keep));
	assert_null(player_keep_before(&fixture.keep, UINT64_MAX));
	assert_null(player_keep_after(&fixture.keep, 0));
	assert_null(player_keep_at(&fixture.keep, 0));
}

static void keep_finds_by_time(void **state)
{
	(void)state;
	keep_at(5);
	keep_at(6);
	keep_at(9);

	assert_int_equal(second_of(player_keep_before(&fixture.keep, 6ull * NS_PER_S)), 5);
	assert_int_equal(second_of(player_keep_before(&fixture.keep, 6ull * NS_PER_S + 1)), 6);
	assert_null(player_keep_before(&fixture.keep, 5ull * NS_PER_S));
	assert_int_equal(second_of(player_keep_after(&fixture.keep, 6ull * NS_PER_S)), 9);
	assert_int_equal(second_of(player_keep_after(&fixture.keep, 6ull * NS_PER_S - 1)), 6);
	assert_null(player_keep_after(&fixture.keep, 9ull * NS_PER_S));
	assert_null(player_keep_after(&fixture.keep, UINT64_MAX));
	assert_int_equal(second_of(player_keep_at(&fixture.keep, 6ull * NS_PER_S)), 6);
	assert_int_equal(second_of(player_keep_at(&fixture.keep, 6ull * NS_PER_S + 1)), 9);
	assert_int_equal(second_of(player_keep_oldest(&fixture.keep)), 5);
	assert_int_equal(second_of(player_keep_newest(&fixture.keep)), 9);
}

static void keep_leaves_sleepers_out_but_nobody_else(void **state)
{
	const struct snapshot *kept;

	(void)state;
	keep_at(1);
	kept = player_keep_newest(&fixture.keep)->snapshot;

	assert_int_equal(kept->task_count, 4);
	assert_int_equal(kept->tasks[0].pid, 7);
	assert_int_equal(kept->tasks[1].pid, 9);
	assert_int_equal(kept->tasks[2].pid, 10);
	assert_int_equal(kept->tasks[3].pid, 11);
	assert_int_equal(kept->tasks[0].interval[QUANTITY_RUN_NS], 20000000);
}

static void keep_with_idle_keeps_sleepers(void **state)
{
	(void)state;
	end_at(1);
	player_keep_add(&fixture.keep, &fixture.world.snapshot, true);

	assert_int_equal(player_keep_newest(&fixture.keep)->snapshot->task_count, 5);
}

static void keep_same_interval_once(void **state)
{
	(void)state;
	keep_at(1);
	keep_at(1);

	assert_int_equal(fixture.keep.count, 1);
}

static void keep_earlier_forgets_what_came_later(void **state)
{
	(void)state;
	keep_at(1);
	keep_at(2);
	keep_at(3);
	keep_at(2);

	assert_int_equal(fixture.keep.count, 2);
	assert_int_equal(second_of(player_keep_newest(&fixture.keep)), 2);
}

static void keep_bytes_are_bounded_and_those_of_what_is_kept(void **state)
{
	size_t bytes = 0;

	(void)state;
	make_room_for(10);
	for (uint64_t i = 1; i < 200; i++) {
		keep_at(i);
		assert_true(fixture.keep.bytes <= fixture.keep.bytes_max);
	}
	for (size_t i = 0; i < fixture.keep.count; i++)
		bytes += fixture.keep.intervals[i].bytes;
	assert_int_equal(bytes, fixture.keep.bytes);
	assert_int_equal(fixture.keep.count, 10);
	player_keep_clear(&fixture.keep);
	assert_int_equal(fixture.keep.bytes, 0);
}

static void keep_cut_off_has_no_gaps(void **state)
{
	(void)state;
	make_room_for(10);
	fixture.keep.thins = false;
	for (uint64_t i = 1; i < 200; i++)
		keep_at(i);

	assert_int_equal(fixture.keep.count, 10);
	for (size_t i = 0; i < fixture.keep.count; i++)
		assert_int_equal(second_of(&fixture.keep.intervals[i]), 190 + i);
}

static void keep_thinned_out_reaches_back_and_is_whole_near(void **state)
{
	(void)state;
	make_room_for(16);
	for (uint64_t i = 1; i < 200; i++)
		keep_at(i);

	assert_int_equal(second_of(player_keep_oldest(&fixture.keep)), 1);
	for (size_t i = fixture.keep.count / 2; i < fixture.keep.count; i++)
		assert_int_equal(second_of(&fixture.keep.intervals[i]),
				 200 - fixture.keep.count + i);
	/* further back they stand further apart, and nowhere is a hole as long as all of it */
	for (size_t i = 2; i < fixture.keep.count / 2; i++)
		assert_true(second_of(&fixture.keep.intervals[i]) -
				    second_of(&fixture.keep.intervals[i - 1]) <
			    120);
}

static void keep_thinned_out_forgets_after_an_hour(void **state)
{
	(void)state;
	keep_at(1);
	keep_at(2);
	keep_at(3601);
	assert_int_equal(second_of(player_keep_oldest(&fixture.keep)), 1);
	keep_at(3602);
	assert_int_equal(second_of(player_keep_oldest(&fixture.keep)), 2);
}

static void keep_newest_stays_however_large(void **state)
{
	(void)state;
	fixture.keep.bytes_max = 1;
	keep_at(1);
	keep_at(2);

	assert_int_equal(fixture.keep.count, 1);
	assert_int_equal(second_of(player_keep_newest(&fixture.keep)), 2);
}

static void rate_is_of_the_cpus_a_second(void **state)
{
	(void)state;
	end_at(1);
	fixture.world.snapshot.interval_ns = NS_PER_S / 2;
	assert_float_equal(player_keep_rate(&fixture.world.snapshot), 400, 1e-9);
	fixture.world.snapshot.interval_ns = 0;
	assert_float_equal(player_keep_rate(&fixture.world.snapshot), 0, 0);
}

static void rate_without_cpus_is_of_the_tasks(void **state)
{
	(void)state;
	task(&fixture.world, .pid = 12, .counts = {.switches = 30});
	task(&fixture.world, .pid = 13, .counts = {.switches = 12});
	fixture.world.snapshot.cpu_count = 0;
	assert_float_equal(player_keep_rate(&fixture.world.snapshot), 42, 1e-9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(keep_empty_finds_nothing),
		TEST(keep_finds_by_time),
		TEST(keep_leaves_sleepers_out_but_nobody_else),
		TEST(keep_with_idle_keeps_sleepers),
		TEST(keep_same_interval_once),
		TEST(keep_earlier_forgets_what_came_later),
		TEST(keep_bytes_are_bounded_and_those_of_what_is_kept),
		TEST(keep_cut_off_has_no_gaps),
		TEST(keep_thinned_out_reaches_back_and_is_whole_near),
		TEST(keep_thinned_out_forgets_after_an_hour),
		TEST(keep_newest_stays_however_large),
		TEST(rate_is_of_the_cpus_a_second),
		TEST(rate_without_cpus_is_of_the_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
