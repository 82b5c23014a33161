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

/* Waits of tenths of what is too much, and whether each look says so. */
UNIT_TEST(urgency_is_due_after_a_long_wait)
{
	static const struct {
		const char *name;
		uint64_t waited[4];
		bool is_due[4];
	} cases[] = {
		{"the first look only begins", {1000, 1000, 1000, 1000}, {false}},
		{"fair waits never add up to it", {0, 10, 20, 30}, {false}},
		{"each long wait", {0, 11, 12, 100}, {false, true, false, true}},
		{"a clock that goes back", {20, 0, 5, 10}, {false}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct urgency urgency = {0};

		begin_case(cases[i].name);
		for (size_t j = 0; j < COUNT_OF(cases[i].waited); j++)
			assert_int_equal(
				urgency_is_due(&urgency, cases[i].waited[j] * URGENCY_WAIT_NS / 10),
				cases[i].is_due[j]);
	}
}

/* Looks in tenths of a second, and our CPU time by then in hundredths. */
UNIT_TEST(urgency_is_too_much_where_more_than_half_a_second_was_used)
{
	static const struct {
		const char *name;
		uint64_t now[4], used[4];
		bool is_too_much[4];
	} cases[] = {
		{"the first look only begins", {1, 11, 21, 31}, {900, 900, 900, 900}, {false}},
		{"half is not", {1, 11, 21, 31}, {0, 50, 101, 151}, {false, false, true, false}},
		{"short looks add up",
		 {1, 5, 9, 11},
		 {0, 40, 80, 100},
		 {false, false, false, true}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct urgency urgency = {0};

		begin_case(cases[i].name);
		for (size_t j = 0; j < COUNT_OF(cases[i].now); j++)
			assert_int_equal(urgency_is_too_much(
						 &urgency, cases[i].now[j] * URGENCY_JUDGED_NS / 10,
						 cases[i].used[j] * URGENCY_JUDGED_NS / 100),
					 cases[i].is_too_much[j]);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
