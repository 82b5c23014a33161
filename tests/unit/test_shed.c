#include "session/shed.h"
#include "unit.h"

UNIT_TEST(shed_round_in_time_leaves_nothing_out)
{
	struct shed shed = {0};

	for (int i = 0; i < 100; i++)
		shed_round(&shed, 0.5, false);
	assert_int_equal(shed.level, SHED_NOTHING);
}

UNIT_TEST(shed_round_late_leaves_one_thing_more_out)
{
	struct shed shed = {0};

	shed_round(&shed, 0.51, false);
	assert_int_equal(shed.level, SHED_LINES);
	shed_round(&shed, 0.9, false);
	assert_int_equal(shed.level, SHED_HISTORY);
	shed_round(&shed, 0.9, false);
	assert_int_equal(shed.level, SHED_DETAIL);
	shed_round(&shed, 1.0, false);
	assert_int_equal(shed.level, SHED_DETAIL);
}

UNIT_TEST(shed_round_with_losses_is_late)
{
	struct shed shed = {0};

	shed_round(&shed, 0.0, true);
	assert_int_equal(shed.level, SHED_LINES);
}

UNIT_TEST(shed_tick_after_a_late_interval_keeps_the_level)
{
	struct shed shed = {0};

	shed_round(&shed, 0.6, false);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_LINES);
}

UNIT_TEST(shed_tick_after_losses_alone_keeps_the_level)
{
	struct shed shed = {.level = SHED_DETAIL};

	shed_round(&shed, 0.0, true);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_DETAIL);
}

UNIT_TEST(shed_tick_after_a_busy_interval_keeps_the_level)
{
	struct shed shed = {.level = SHED_HISTORY};

	shed_round(&shed, 0.4, false);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_HISTORY);
}

UNIT_TEST(shed_tick_after_calm_intervals_takes_up_one_thing_each)
{
	struct shed shed = {.level = SHED_DETAIL};

	for (int level = SHED_DETAIL - 1; level >= SHED_NOTHING; level--) {
		shed_round(&shed, 0.26, false);
		shed_tick(&shed);
		assert_int_equal(shed.level, level);
	}
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_NOTHING);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
