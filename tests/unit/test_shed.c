#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session/shed.h"

static void shed_round_in_time_leaves_nothing_out(void **state)
{
	struct shed shed = {0};

	for (int i = 0; i < 100; i++)
		shed_round(&shed, 0.5, false);
	assert_int_equal(shed.level, SHED_NOTHING);
}

static void shed_round_late_leaves_one_thing_more_out(void **state)
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

static void shed_round_with_losses_is_late(void **state)
{
	struct shed shed = {0};

	shed_round(&shed, 0.0, true);
	assert_int_equal(shed.level, SHED_LINES);
}

static void shed_tick_after_a_late_interval_keeps_the_level(void **state)
{
	struct shed shed = {0};

	shed_round(&shed, 0.6, false);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_LINES);
}

static void shed_tick_after_losses_alone_keeps_the_level(void **state)
{
	struct shed shed = {.level = SHED_DETAIL};

	shed_round(&shed, 0.0, true);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_DETAIL);
}

static void shed_tick_after_a_busy_interval_keeps_the_level(void **state)
{
	struct shed shed = {.level = SHED_HISTORY};

	shed_round(&shed, 0.4, false);
	shed_tick(&shed);
	assert_int_equal(shed.level, SHED_HISTORY);
}

static void shed_tick_after_calm_intervals_takes_up_one_thing_each(void **state)
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shed_round_in_time_leaves_nothing_out),
		cmocka_unit_test(shed_round_late_leaves_one_thing_more_out),
		cmocka_unit_test(shed_round_with_losses_is_late),
		cmocka_unit_test(shed_tick_after_a_late_interval_keeps_the_level),
		cmocka_unit_test(shed_tick_after_losses_alone_keeps_the_level),
		cmocka_unit_test(shed_tick_after_a_busy_interval_keeps_the_level),
		cmocka_unit_test(shed_tick_after_calm_intervals_takes_up_one_thing_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
