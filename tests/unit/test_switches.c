#include "model/switches.h"

#include "unit.h"

UNIT_TEST(switch_how_name_of_each_is_its_own)
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
	return unit_run(NULL, NULL);
}
