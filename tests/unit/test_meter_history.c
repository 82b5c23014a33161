#include <math.h>

#include "view/meters.h"
#include "view/summary.h"
#include "view/trends.h"

#include "unit.h"

static struct meter_history history;

static int set_up(void **state)
{
	history = (struct meter_history){0};
	return 0;
}

/* The IPC says when it was noted. */
static void note(uint64_t time_ns, double ipc)
{
	const struct summary summary = {
		.meters =
			{
				[METER_IPC] = {"", ipc, 3},
				[METER_MISS] = {"", 60, 0},
				[METER_BUSY] = {"", 50, -1},
				[METER_SWITCHES] = {"", NAN, -1},
			},
	};

	meter_history_note(&history, time_ns, &summary);
}

static void assert_ipc(uint64_t time_ns, size_t most, size_t count, double first, double last)
{
	size_t found;
	const struct meter_interval *intervals =
		meter_history_last(&history, time_ns, most, &found);

	assert_int_equal(found, count);
	if (count > 0) {
		assert_true(intervals[0].points[METER_IPC].value == first);
		assert_true(intervals[count - 1].points[METER_IPC].value == last);
	}
}

UNIT_TEST(meter_history_empty_has_no_points)
{
	assert_ipc(UINT64_MAX, 10, 0, 0, 0);
	assert_int_equal(meter_history_newest_ns(&history), 0);
}

UNIT_TEST(meter_history_points_are_the_last_ones)
{
	size_t count;
	const struct meter_point *points;

	for (uint64_t i = 1; i <= 5; i++)
		note(i, (double)i);
	assert_ipc(5, 10, 5, 1, 5);
	assert_ipc(5, 2, 2, 4, 5);
	assert_ipc(5, 0, 0, 0, 0);
	points = &meter_history_last(&history, 5, 1, &count)->points[METER_MISS];
	assert_true(points->value == 60);
	assert_int_equal(points->goodness, 0);
	points = &meter_history_last(&history, 5, 1, &count)->points[METER_SWITCHES];
	assert_true(isnan(points->value));
	assert_int_equal(meter_history_newest_ns(&history), 5);
}

UNIT_TEST(meter_history_in_the_past_ends_there)
{
	for (uint64_t i = 1; i <= 5; i++)
		note(10 * i, (double)i);
	assert_ipc(30, 10, 3, 1, 3);
	assert_ipc(39, 10, 3, 1, 3);
	assert_ipc(9, 10, 0, 0, 0);
}

UNIT_TEST(meter_history_of_a_replay_played_again_has_each_once)
{
	for (int round = 0; round < 2; round++)
		for (uint64_t i = 1; i <= 5; i++)
			note(10 * i, (double)i);
	assert_ipc(UINT64_MAX, 10, 5, 1, 5);
	note(25, 2.5);
	assert_ipc(25, 1, 1, 2.5, 2.5);
	assert_ipc(UINT64_MAX, 10, 6, 1, 5);
}

UNIT_TEST(meter_history_full_drops_the_oldest)
{
	for (uint64_t i = 1; i <= METER_HISTORY_KEPT + 7; i++)
		note(10 * i, (double)i);
	assert_ipc(UINT64_MAX, 1000, METER_HISTORY_KEPT, 8, METER_HISTORY_KEPT + 7);
	/* older than all of them, and in between */
	note(5, 99);
	assert_ipc(UINT64_MAX, 1000, METER_HISTORY_KEPT, 8, METER_HISTORY_KEPT + 7);
	note(85, 8.5);
	assert_ipc(UINT64_MAX, 1000, METER_HISTORY_KEPT, 8.5, METER_HISTORY_KEPT + 7);
	assert_ipc(90, 1000, 2, 8.5, 9);
}

UNIT_TEST(meter_history_top_of_shares_is_at_most_all)
{
	struct meter_interval intervals[2];

	for (size_t i = 0; i < METER_KINDS; i++) {
		intervals[0].points[i] = (struct meter_point){95, -1};
		intervals[1].points[i] = (struct meter_point){NAN, -1};
	}

	assert_true(meter_history_top(METER_BUSY, intervals, 2) == 100);
	assert_true(meter_history_top(METER_MISS, intervals, 2) == 100);
	assert_true(meter_history_top(METER_SWITCHES, intervals, 2) == 150);
	assert_true(meter_history_top(METER_IPC, intervals, 0) == 1);
}

UNIT_TEST(spark_sign_goes_up_in_eighths)
{
	static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

	for (int i = 0; i < 8; i++) {
		assert_string_equal(spark_sign(i / 8.0, false), blocks[i]);
		assert_string_equal(spark_sign((i + 0.999) / 8.0, false), blocks[i]);
		assert_int_equal(strlen(spark_sign(i / 8.0, true)), 1);
	}
}

UNIT_TEST(spark_sign_outside_is_that_of_the_border)
{
	assert_string_equal(spark_sign(1, false), "█");
	assert_string_equal(spark_sign(INFINITY, false), "█");
	assert_string_equal(spark_sign(-1, false), "▁");
	assert_string_equal(spark_sign(7, true), "#");
	assert_string_equal(spark_sign(0, true), ".");
}

UNIT_TEST(spark_sign_unknown_is_blank)
{
	assert_string_equal(spark_sign(NAN, false), " ");
	assert_string_equal(spark_sign(NAN, true), " ");
}

UNIT_TEST(spark_top_leaves_room_and_is_round)
{
	static const struct {
		double largest, top;
	} cases[] = {
		{1, 1.5}, {1.75, 2}, {1.9, 3},       {4, 5},       {5, 8},
		{8, 10},  {9.2, 15}, {0.004, 0.005}, {1.8e9, 2e9}, {18200, 30000},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_true(fabs(spark_top(cases[i].largest) / cases[i].top - 1) < 1e-9);
}

UNIT_TEST(spark_top_of_nothing_is_one)
{
	assert_true(spark_top(0) == 1);
	assert_true(spark_top(-3) == 1);
	assert_true(spark_top(NAN) == 1);
	assert_true(spark_top(INFINITY) == 1);
}

/* Whatever the value, its character is not the full one: there is a tenth of room. */
UNIT_TEST(spark_top_never_cuts)
{
	for (double largest = 1e-9; largest < 1e18; largest *= 1.07)
		assert_true(largest / spark_top(largest) <= 0.9092);
}

int main(void)
{
	return unit_run(set_up, NULL);
}
