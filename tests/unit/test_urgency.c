/* When a real-time priority is asked for, and when it is given back. */
#include "session/urgency.h"
#include "unit.h"

static struct {
	bool is_refused;
	unsigned asked;
} kernel;

int __wrap_sys_be_urgent(void)
{
	kernel.asked++;
	return kernel.is_refused ? -1 : 0;
}

static const uint64_t SECOND = 1000000000;

/* Looks, and our waits by then, in tenths of a second. */
UNIT_TEST(urgency_is_due_after_a_wait_of_more_than_half_an_interval)
{
	static const struct {
		const char *name;
		uint64_t interval;
		uint64_t now[4], waited[4];
		bool is_due[4];
	} cases[] = {
		{"the first look only begins", 10, {10, 20, 30, 40}, {900, 900, 900, 900}, {0}},
		{"half is not more", 10, {10, 20, 30, 40}, {0, 5, 10, 15}, {0}},
		{"more than half", 10, {10, 20, 30, 40}, {0, 6, 11, 17}, {0, 1, 0, 1}},
		{"of a short interval", 2, {10, 12, 14, 16}, {0, 1, 3, 3}, {0, 0, 1, 0}},
		{"half a second of a long one",
		 100,
		 {10, 20, 30, 40},
		 {0, 5, 11, 16},
		 {0, 0, 1, 0}},
		{"a clock that goes back", 10, {10, 20, 30, 40}, {20, 0, 5, 10}, {0}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct urgency urgency = {0};

		begin_case(cases[i].name);
		for (size_t j = 0; j < COUNT_OF(cases[i].now); j++) {
			assert_int_equal(urgency_is_due(&urgency, cases[i].now[j] * SECOND / 10,
							cases[i].waited[j] * SECOND / 10,
							cases[i].interval * SECOND / 10),
					 cases[i].is_due[j]);
			if (cases[i].is_due[j])
				assert_int_equal(urgency.kept_ns,
						 (cases[i].waited[j] - cases[i].waited[j - 1]) *
							 SECOND / 10);
		}
	}
}

/* Who has not been away for so long cannot have waited for so long: nothing is read then. */
UNIT_TEST(urgency_may_be_due_when_more_than_half_an_interval_has_passed)
{
	struct urgency urgency = {0};

	assert_true(urgency_may_be_due(&urgency, 1, SECOND));
	urgency_is_due(&urgency, SECOND, 0, SECOND);
	assert_false(urgency_may_be_due(&urgency, SECOND + SECOND / 2, SECOND));
	assert_true(urgency_may_be_due(&urgency, SECOND + SECOND / 2 + 1, SECOND));
	assert_true(urgency_may_be_due(&urgency, 2 * SECOND, 100 * SECOND));
	assert_false(urgency_may_be_due(&urgency, SECOND + SECOND / 20, SECOND / 10));
}

UNIT_TEST(urgency_raise_says_whether_it_was_granted)
{
	struct urgency urgency = {0};

	kernel.is_refused = true;
	urgency_raise(&urgency, SECOND);
	assert_true(urgency.is_refused && !urgency.is_urgent);
	kernel.is_refused = false;
	urgency_raise(&urgency, SECOND);
	assert_true(urgency.is_urgent && !urgency.is_refused);
}

/* Seconds at which it is needed, and how long it is held then. */
UNIT_TEST(urgency_is_held_twice_as_long_where_it_is_needed_again_soon)
{
	static const struct {
		const char *name;
		uint64_t needed[4], held[4];
	} cases[] = {
		{"needed at once each time", {100, 111, 132, 173}, {10, 20, 40, 80}},
		{"needed much later", {100, 121, 142, 163}, {10, 10, 10, 10}},
		{"a storm that passes", {100, 111, 152, 163}, {10, 20, 10, 20}},
	};

	kernel.is_refused = false;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct urgency urgency = {0};

		begin_case(cases[i].name);
		for (size_t j = 0; j < COUNT_OF(cases[i].needed); j++) {
			const uint64_t needed_ns = cases[i].needed[j] * SECOND;
			const uint64_t until_ns = needed_ns + cases[i].held[j] * SECOND;

			urgency_raise(&urgency, needed_ns);
			assert_false(urgency_is_over(&urgency, until_ns - 1, 0));
			assert_true(urgency_is_over(&urgency, until_ns, 0));
		}
	}
}

UNIT_TEST(urgency_is_held_for_five_minutes_at_most)
{
	struct urgency urgency = {0};
	uint64_t now_ns = SECOND;

	for (int i = 0; i < 20; i++) {
		urgency_raise(&urgency, now_ns);
		now_ns = urgency.until_ns + SECOND;
	}
	assert_int_equal(urgency.hold_ns, URGENCY_HOLD_MAX_NS);
}

/* What was asked for on the command line is not given back to try. */
UNIT_TEST(urgency_that_is_wanted_is_over_only_when_too_much_is_used)
{
	struct urgency urgency = {.is_wanted = true};

	urgency_raise(&urgency, SECOND);
	assert_false(urgency_is_over(&urgency, 1000 * SECOND, 0));
	assert_false(urgency_is_over(&urgency, 1002 * SECOND, SECOND));
	assert_true(urgency_is_over(&urgency, 1004 * SECOND, 3 * SECOND));
}

/* Looks in tenths of a second, and our CPU time by then in hundredths. */
UNIT_TEST(urgency_is_over_where_more_than_half_a_second_was_used)
{
	static const struct {
		const char *name;
		uint64_t now[4], used[4];
		bool is_over[4];
	} cases[] = {
		{"the first look only begins", {1, 11, 21, 31}, {900, 900, 900, 900}, {0}},
		{"half is not", {1, 11, 21, 31}, {0, 50, 101, 151}, {0, 0, 1, 0}},
		{"short looks add up", {1, 5, 9, 11}, {0, 40, 80, 100}, {0, 0, 0, 1}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct urgency urgency = {.until_ns = UINT64_MAX};

		begin_case(cases[i].name);
		for (size_t j = 0; j < COUNT_OF(cases[i].now); j++)
			assert_int_equal(
				urgency_is_over(&urgency, cases[i].now[j] * URGENCY_JUDGED_NS / 10,
						cases[i].used[j] * URGENCY_JUDGED_NS / 100),
				cases[i].is_over[j]);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
