#include "session/urgency.h"
#include "unit.h"

UNIT_TEST(urgency_first_look_only_begins)
{
	struct urgency urgency = {0};

	assert_false(urgency_is_due(&urgency, UINT64_C(100) * URGENCY_WAIT_NS));
	assert_false(urgency_is_due(&urgency, UINT64_C(100) * URGENCY_WAIT_NS));
}

UNIT_TEST(urgency_fair_waits_never_add_up_to_it)
{
	struct urgency urgency = {0};

	for (uint64_t i = 0; i < 100; i++)
		assert_false(urgency_is_due(&urgency, i * URGENCY_WAIT_NS));
}

UNIT_TEST(urgency_each_long_wait_is_told)
{
	struct urgency urgency = {0};

	urgency_is_due(&urgency, 5);
	assert_true(urgency_is_due(&urgency, 6 + (uint64_t)URGENCY_WAIT_NS));
	assert_false(urgency_is_due(&urgency, 7 + (uint64_t)URGENCY_WAIT_NS));
	assert_true(urgency_is_due(&urgency, UINT64_C(10) * URGENCY_WAIT_NS));
}

UNIT_TEST(urgency_clock_that_goes_back_is_no_wait)
{
	struct urgency urgency = {0};

	urgency_is_due(&urgency, UINT64_C(2) * URGENCY_WAIT_NS);
	assert_false(urgency_is_due(&urgency, 0));
}

enum {
	BEGIN_NS = 77
};

UNIT_TEST(urgency_is_too_much_first_look_only_begins)
{
	struct urgency urgency = {0};

	assert_false(urgency_is_too_much(&urgency, BEGIN_NS, UINT64_C(9) * URGENCY_JUDGED_NS));
	assert_false(urgency_is_too_much(&urgency, BEGIN_NS + (uint64_t)URGENCY_JUDGED_NS,
					 UINT64_C(9) * URGENCY_JUDGED_NS));
}

UNIT_TEST(urgency_is_too_much_more_than_half_a_second_is)
{
	struct urgency urgency = {0};
	const uint64_t half_ns = URGENCY_JUDGED_NS / 2;

	urgency_is_too_much(&urgency, BEGIN_NS, 0);
	assert_false(
		urgency_is_too_much(&urgency, BEGIN_NS + (uint64_t)URGENCY_JUDGED_NS, half_ns));
	assert_true(urgency_is_too_much(&urgency, BEGIN_NS + 2 * (uint64_t)URGENCY_JUDGED_NS,
					2 * half_ns + 1));
}

UNIT_TEST(urgency_is_too_much_short_looks_add_up)
{
	struct urgency urgency = {0};
	bool is_much = false;

	urgency_is_too_much(&urgency, BEGIN_NS, 0);
	for (uint64_t i = 1; i < 10; i++) {
		assert_false(is_much);
		is_much = urgency_is_too_much(&urgency, BEGIN_NS + i * URGENCY_JUDGED_NS / 9,
					      i * URGENCY_JUDGED_NS / 9);
	}
	assert_true(is_much);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
