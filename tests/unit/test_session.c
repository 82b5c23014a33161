#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/session.h"

static const int64_t offset_ns = INT64_C(1700000000) * 1000 * 1000 * 1000;

static void session_wall_offset_does_not_tremble(void **state)
{
	(void)state;
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 999999), offset_ns);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 999999), offset_ns);
}

static void session_wall_offset_follows_a_clock_that_was_set(void **state)
{
	(void)state;
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 1000000), offset_ns + 1000000);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 1000000), offset_ns - 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(session_wall_offset_does_not_tremble),
		cmocka_unit_test(session_wall_offset_follows_a_clock_that_was_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
