/* What is done when records come faster than they are taken. */
#include "session/shed.h"
#include "unit.h"

UNIT_TEST(shed_round_leaves_one_thing_more_out_when_it_is_late)
{
	static const struct {
		const char *name;
		double backlog;
		bool has_lost;
		int rounds, level;
	} cases[] = {
		{"in time", 0.5, false, 100, SHED_NOTHING},
		{"late once", 0.51, false, 1, SHED_LINES},
		{"late twice", 0.9, false, 2, SHED_HISTORY},
		{"late three times", 0.9, false, 3, SHED_DETAIL},
		{"late for ever", 1.0, false, 4, SHED_DETAIL},
		{"with losses", 0.0, true, 1, SHED_LINES},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct shed shed = {0};

		begin_case(cases[i].name);
		for (int j = 0; j < cases[i].rounds; j++)
			shed_round(&shed, cases[i].backlog, cases[i].has_lost);
		assert_int_equal(shed.level, cases[i].level);
	}
}

UNIT_TEST(shed_tick_takes_up_one_thing_after_a_calm_interval_alone)
{
	static const struct {
		const char *name;
		int before;
		double backlog;
		bool has_lost;
		int after;
	} cases[] = {
		{"late", SHED_NOTHING, 0.6, false, SHED_LINES},
		{"losses", SHED_DETAIL, 0.0, true, SHED_DETAIL},
		{"busy", SHED_HISTORY, 0.4, false, SHED_HISTORY},
		{"calm", SHED_DETAIL, 0.26, false, SHED_HISTORY},
		{"calm", SHED_HISTORY, 0.26, false, SHED_LINES},
		{"calm", SHED_LINES, 0.26, false, SHED_NOTHING},
		{"calm", SHED_NOTHING, 0.26, false, SHED_NOTHING},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct shed shed = {.level = (enum shed_level)cases[i].before};

		begin_case(cases[i].name);
		shed_round(&shed, cases[i].backlog, cases[i].has_lost);
		shed_tick(&shed);
		assert_int_equal(shed.level, cases[i].after);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
