

#include "model/switches.h"

#include "unit.h"

static void switch_how_name_of_each_is_its_own(void **state)
{
	assert_string_equal(switch_how_name(SWITCH_UNKNOWN), "unknown");
	assert_string_equal(switch_how_name(SWITCH_PREEMPTED), "preempted");
	assert_string_equal(switch_how_name(SWITCH_BLOCKED), "blocked");
	assert_string_equal(switch_how_name(SWITCH_YIELDED), "yielded");
	assert_string_equal(switch_how_name(SWITCH_EXITED), "exited");
	assert_string_equal(switch_how_name(SWITCH_IDLE), "idle");
	assert_string_equal(switch_how_name(SWITCH_HOWS), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(switch_how_name_of_each_is_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
