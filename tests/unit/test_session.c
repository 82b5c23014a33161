

#include "model/session.h"

#include "unit.h"

static const int64_t offset_ns = INT64_C(1700000000) * 1000 * 1000 * 1000;

static void session_wall_offset_does_not_tremble(void **state)
{
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 999999), offset_ns);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 999999), offset_ns);
}

static void session_wall_offset_follows_a_clock_that_was_set(void **state)
{
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 1000000), offset_ns + 1000000);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 1000000), offset_ns - 1000000);
}

static void session_wall_ns_is_the_time_moved(void **state)
{
	assert_int_equal(session_wall_ns(offset_ns, 7), offset_ns + 7);
	assert_int_equal(session_wall_ns(-5, 7), 2);
	assert_int_equal(session_wall_ns(-7, 5), -1);
}

static void session_wall_ns_out_of_range_is_unknown(void **state)
{
	assert_int_equal(session_wall_ns(INT64_MAX, 1), -1);
	assert_int_equal(session_wall_ns(offset_ns, UINT64_MAX), -1);
	assert_int_equal(session_wall_ns(INT64_MIN, 1), -1);
}

/* Every field on its own. */
static void session_equals_sees_each_difference(void **state)
{
	const struct session changes[] = {
		{.scope = SCOPE_TASKS}, {.scope_words = "a"},   {.scope_reason = "a"},
		{.scope_remedy = "a"},  {.pmu_words = "a"},     {.has_pmu = true},
		{.is_live = true},      {.is_estimated = true}, {.wall_offset_ns = 1},
		{.cpu_count = 1},       {.is_partial = true},   {.queue = QUEUE_WAKEUPS},
		{.queue_words = "a"},   {.tells_yields = true}, {.others = "a"},
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
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(session_wall_offset_does_not_tremble),
		cmocka_unit_test(session_wall_offset_follows_a_clock_that_was_set),
		cmocka_unit_test(session_equals_sees_each_difference),
		cmocka_unit_test(session_wall_ns_is_the_time_moved),
		cmocka_unit_test(session_wall_ns_out_of_range_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
