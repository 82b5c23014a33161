#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "urgency.h"

static void urgency_first_look_only_begins(void **state)
{
	struct urgency urgency = {0};

	(void)state;
	assert_false(urgency_is_due(&urgency, UINT64_C(100) * URGENCY_WAIT_NS));
	assert_false(urgency_is_due(&urgency, UINT64_C(100) * URGENCY_WAIT_NS));
}

static void urgency_fair_waits_never_add_up_to_it(void **state)
{
	struct urgency urgency = {0};

	(void)state;
	for (uint64_t i = 0; i < 100; i++)
		assert_false(urgency_is_due(&urgency, i * URGENCY_WAIT_NS));
}

static void urgency_long_wait_is_told_once(void **state)
{
	struct urgency urgency = {0};

	(void)state;
	urgency_is_due(&urgency, 5);
	assert_true(urgency_is_due(&urgency, 6 + (uint64_t)URGENCY_WAIT_NS));
	assert_false(urgency_is_due(&urgency, UINT64_C(10) * URGENCY_WAIT_NS));
}

static void urgency_clock_that_goes_back_is_no_wait(void **state)
{
	struct urgency urgency = {0};

	(void)state;
	urgency_is_due(&urgency, UINT64_C(2) * URGENCY_WAIT_NS);
	assert_false(urgency_is_due(&urgency, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(urgency_first_look_only_begins),
		cmocka_unit_test(urgency_fair_waits_never_add_up_to_it),
		cmocka_unit_test(urgency_long_wait_is_told_once),
		cmocka_unit_test(urgency_clock_that_goes_back_is_no_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
