#include <math.h>

#include "view/column.h"
#include "view/trends.h"

#include "unit.h"

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
	if (!trends_write(&trends, id, second * SECOND, 0, WIDTH, true, text, sizeof(text)))
		return "-";
	return text;
}

UNIT_TEST(trends_empty_has_nothing)
{
	assert_string_equal(line(7, 1), "-");
}

/* 0 to 7 of 8, which is what 7 is shown in. */
UNIT_TEST(trends_write_ends_with_the_newest)
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

UNIT_TEST(trends_write_in_blocks)
{
	begin(1);
	trends_put(&trends, 7, 4);
	assert_true(trends_write(&trends, 7, SECOND, 0, 3, false, text, sizeof(text)));
	assert_string_equal(text, "  ▇");
}

UNIT_TEST(trends_write_of_a_share_is_of_all_there_is)
{
	begin(1);
	trends_put(&trends, 7, 15);
	trends_put(&trends, 8, 150);
	assert_true(trends_write(&trends, 7, SECOND, 400, 1, false, text, sizeof(text)));
	assert_string_equal(text, "▁");
	assert_true(trends_write(&trends, 8, SECOND, 100, 1, false, text, sizeof(text)));
	assert_string_equal(text, "▇"); /* of 200 */
}

UNIT_TEST(trends_write_has_one_scale_for_all_rows)
{
	begin(1);
	trends_put(&trends, 7, 1);
	trends_put(&trends, 8, 7);
	assert_string_equal(line(7, 1), "    :");
	assert_string_equal(line(8, 1), "    #");
}

UNIT_TEST(trends_unknown_and_absent_are_blank)
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
UNIT_TEST(trends_row_that_was_away_for_long_has_a_hole)
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

UNIT_TEST(trends_rows_that_are_gone_are_forgotten)
{
	for (uint64_t i = 1; i <= 10 * TRENDS_KEPT; i++) {
		begin(i);
		for (uint64_t id = 100 * i; id < 100 * (i + 1); id++)
			trends_put(&trends, id, 1);
	}
	assert_true(trends.count <= 100 * (2 * TRENDS_KEPT + 1));
	assert_int_equal(trends.indexes.count, trends.count);
	assert_string_equal(line(100, 10 * TRENDS_KEPT), "-");
	assert_string_not_equal(line(1000 * TRENDS_KEPT, 10 * TRENDS_KEPT), "-");
}

UNIT_TEST(trends_more_rows_than_there_is_room_for_have_no_past)
{
	begin(1);
	for (uint64_t id = 1; id <= TRENDS_MOST + 5; id++)
		trends_put(&trends, id, 1);
	assert_int_equal(trends.count, TRENDS_MOST);
	assert_string_equal(line(TRENDS_MOST + 1, 1), "-");
}

UNIT_TEST(trends_of_another_column_begin_anew)
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

UNIT_TEST(trends_in_the_past_end_there_and_are_not_changed)
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
UNIT_TEST(trends_same_interval_takes_more_rows)
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

UNIT_TEST(trends_from_a_time_before_all_begin_anew)
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

UNIT_TEST(trends_have_a_hole_where_intervals_are_missing)
{
	begin(1);
	trends_put(&trends, 7, 7);
	begin(20);
	trends_put(&trends, 7, 7);
	assert_string_equal(line(7, 20), "  # #");
	assert_string_equal(line(7, 19), "    #");
}

/* A storm: rows that are there once, more than are noted. */
UNIT_TEST(trends_of_many_that_have_gone_give_back_their_room)
{
	uint64_t second = 1;
	size_t most;

	for (; second <= TRENDS_KEPT; second++) {
		begin(second);
		for (uint64_t i = 0; i < 4000; i++)
			trends_put(&trends, second << 32 | i, 7);
	}
	most = trends.capacity;
	for (; second <= 4 * TRENDS_KEPT; second++) {
		begin(second);
		trends_put(&trends, 7, 7);
	}

	assert_int_equal(most, TRENDS_MOST);
	assert_true(trends.capacity <= most / 4);
	assert_string_equal(line(7, second - 1), "#####");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
