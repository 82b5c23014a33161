#include <math.h>

#include "view/meter_history.h"

#include "unit.h"

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
	return unit_run(NULL, NULL);
}
