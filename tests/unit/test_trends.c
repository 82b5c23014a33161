#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "view/column.h"
#include "view/trends.h"

enum {
	WIDTH = 5,
	SECOND = 1000
};

static const struct column ipc = {.name = "ipc"};
static const struct column misses = {.name = "miss%"};
static struct trends trends;
static char text[1024];

static int set_up(void **state)
{
	trends = (struct trends){0};
	return 0;
}

static int tear_down(void **state)
{
	trends_fini(&trends);
	return 0;
}

static void begin(uint64_t second)
{
	assert_true(trends_begin(&trends, &ipc, second * SECOND, SECOND));
}

/* The row's line at the end of a second; "-": nothing is known. */
static const char *line(uint64_t id, uint64_t second)
{
	strcpy(text, "?");
	if (!trends_write(&trends, id, second * SECOND, WIDTH, true, text, sizeof(text)))
		return "-";
	return text;
}

static void trends_empty_has_nothing(void **state)
{
	assert_string_equal(line(7, 1), "-");
}

/* 0 to 7 of 8, which is what 7 is shown in. */
static void trends_write_ends_with_the_newest(void **state)
{
	for (uint64_t i = 1; i <= 3; i++) {
		begin(i);
		trends_put(&trends, 7, (double)(2 * i));
	}
	assert_string_equal(line(7, 3), "  -+%");
	for (uint64_t i = 4; i <= 8; i++) {
		begin(i);
		trends_put(&trends, 7, 7);
	}
	assert_string_equal(line(7, 8), "#####");
}

static void trends_write_in_blocks(void **state)
{
	begin(1);
	trends_put(&trends, 7, 4);
	assert_true(trends_write(&trends, 7, SECOND, 3, false, text, sizeof(text)));
	assert_string_equal(text, "  ▇");
}

static void trends_write_has_one_scale_for_all_rows(void **state)
{
	begin(1);
	trends_put(&trends, 7, 1);
	trends_put(&trends, 8, 7);
	assert_string_equal(line(7, 1), "    :");
	assert_string_equal(line(8, 1), "    #");
}

static void trends_unknown_and_absent_are_blank(void **state)
{
	begin(1);
	trends_put(&trends, 7, 7);
	trends_put(&trends, 8, NAN);
	assert_string_equal(line(8, 1), "-");
	begin(2); /* 7 does not run */
	begin(3);
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 3), "  # #");
	assert_string_equal(line(9, 3), "-");
}

/* Of what was in the ring before a row was away nothing comes back. */
static void trends_row_that_was_away_for_long_has_a_hole(void **state)
{
	for (uint64_t i = 1; i <= TRENDS_KEPT; i++) {
		begin(i);
		trends_put(&trends, 7, 7);
		trends_put(&trends, 8, 7);
	}
	for (uint64_t i = TRENDS_KEPT + 1; i <= 2 * TRENDS_KEPT - 3; i++) {
		begin(i);
		trends_put(&trends, 8, 7);
	}
	begin(2 * TRENDS_KEPT - 2);
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 2 * TRENDS_KEPT - 2), "    #");
}

static void trends_rows_that_are_gone_are_forgotten(void **state)
{
	for (uint64_t i = 1; i <= 10 * TRENDS_KEPT; i++) {
		begin(i);
		for (uint64_t id = 100 * i; id < 100 * (i + 1); id++)
			trends_put(&trends, id, 1);
	}
	assert_true(trends.count <= 100 * (2 * TRENDS_KEPT + 1));
	assert_int_equal(trends.places.count, trends.count);
	assert_string_equal(line(100, 10 * TRENDS_KEPT), "-");
	assert_string_not_equal(line(1000 * TRENDS_KEPT, 10 * TRENDS_KEPT), "-");
}

static void trends_more_rows_than_there_is_room_for_have_no_past(void **state)
{
	begin(1);
	for (uint64_t id = 1; id <= TRENDS_MOST + 5; id++)
		trends_put(&trends, id, 1);
	assert_int_equal(trends.count, TRENDS_MOST);
	assert_string_equal(line(TRENDS_MOST + 1, 1), "-");
}

static void trends_of_another_column_begin_anew(void **state)
{
	begin(1);
	trends_put(&trends, 7, 7);
	begin(2);
	trends_put(&trends, 7, 7);
	assert_true(trends_begin(&trends, &misses, 2 * SECOND, SECOND));
	assert_string_equal(line(7, 2), "-");
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 2), "    #");
}

static void trends_in_the_past_end_there_and_are_not_changed(void **state)
{
	for (uint64_t i = 1; i <= 4; i++) {
		begin(i);
		trends_put(&trends, 7, 7);
	}
	assert_string_equal(line(7, 2), "   ##");
	assert_false(trends_begin(&trends, &ipc, 2 * SECOND, SECOND));
	assert_string_equal(line(7, 4), " ####");
	assert_string_equal(line(7, 0), "-");
}

/* Rows of another view join those that the interval has. */
static void trends_same_interval_takes_more_rows(void **state)
{
	begin(1);
	trends_put(&trends, 7, 7);
	assert_true(trends_has(&trends, 7));
	assert_false(trends_has(&trends, 8));
	begin(1);
	trends_put(&trends, 8, 7);
	assert_string_equal(line(7, 1), "    #");
	assert_string_equal(line(8, 1), "    #");
	begin(2);
	assert_false(trends_has(&trends, 7));
}

static void trends_from_a_time_before_all_begin_anew(void **state)
{
	for (uint64_t i = 10; i <= 14; i++) {
		begin(i);
		trends_put(&trends, 7, 7);
	}
	begin(2);
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 2), "    #");
	assert_string_equal(line(7, 14), "    #");
}

static void trends_have_a_hole_where_intervals_are_missing(void **state)
{
	begin(1);
	trends_put(&trends, 7, 7);
	begin(20);
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 20), "  # #");
	assert_string_equal(line(7, 19), "    #");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TREND_TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
		TREND_TEST(trends_empty_has_nothing),
		TREND_TEST(trends_write_ends_with_the_newest),
		TREND_TEST(trends_write_in_blocks),
		TREND_TEST(trends_write_has_one_scale_for_all_rows),
		TREND_TEST(trends_unknown_and_absent_are_blank),
		TREND_TEST(trends_row_that_was_away_for_long_has_a_hole),
		TREND_TEST(trends_rows_that_are_gone_are_forgotten),
		TREND_TEST(trends_more_rows_than_there_is_room_for_have_no_past),
		TREND_TEST(trends_of_another_column_begin_anew),
		TREND_TEST(trends_in_the_past_end_there_and_are_not_changed),
		TREND_TEST(trends_same_interval_takes_more_rows),
		TREND_TEST(trends_from_a_time_before_all_begin_anew),
		TREND_TEST(trends_have_a_hole_where_intervals_are_missing),
#undef TREND_TEST
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
