#include "model/session.h"

#include "unit.h"

static const int64_t offset_ns = INT64_C(1700000000) * 1000 * 1000 * 1000;

UNIT_TEST(session_wall_offset_does_not_tremble)
{
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 999999), offset_ns);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 999999), offset_ns);
}

UNIT_TEST(session_wall_offset_follows_a_clock_that_was_set)
{
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 1000000), offset_ns + 1000000);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 1000000), offset_ns - 1000000);
}

UNIT_TEST(session_wall_ns_is_the_time_moved)
{
	assert_int_equal(session_wall_ns(offset_ns, 7), offset_ns + 7);
	assert_int_equal(session_wall_ns(-5, 7), 2);
	assert_int_equal(session_wall_ns(-7, 5), -1);
}

UNIT_TEST(session_wall_ns_out_of_range_is_unknown)
{
	assert_int_equal(session_wall_ns(INT64_MAX, 1), -1);
	assert_int_equal(session_wall_ns(offset_ns, UINT64_MAX), -1);
	assert_int_equal(session_wall_ns(INT64_MIN, 1), -1);
}

/* Every field on its own. */
UNIT_TEST(session_equals_sees_each_difference)
{
	const struct session changes[] = {
		{.scope = SCOPE_TASKS}, {.scope_words = "a"},   {.scope_reason = "a"},
		{.scope_remedy = "a"},  {.pmu_words = "a"},     {.has_pmu = true},
		{.is_live = true},      {.is_estimated = true}, {.wall_offset_ns = 1},
		{.cpu_count = 1},       {.is_partial = true},   {.queue = QUEUE_WAKEUPS},
		{.queue_words = "a"},   {.has_yields = true},   {.others = "a"},
		{.unknown = 1},
	};
	const struct session same = {0};

	for (size_t i = 0; i < COUNT_OF(changes); i++) {
		assert_false(session_equals(&same, &changes[i]));
		assert_true(session_equals(&changes[i], &changes[i]));
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
