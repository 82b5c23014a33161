#ifndef PERFTOP_TESTS_UNIT_H
#define PERFTOP_TESTS_UNIT_H

/* What every test of a unit includes: cmocka, what that needs, and the language's own headers. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * A test is written UNIT_TEST(name) { ... }, with the usual state of cmocka, and runs between the
 * two functions that unit_run() is given (NULL: none); UNIT_TEST_WITH() names two of its own. No
 * list of them is kept by hand: each one adds itself before main() begins.
 */
#define UNIT_TEST(name) UNIT_TEST_WITH(name, unit_usual, unit_usual)
#define UNIT_TEST_WITH(name, set_up, tear_down)                                                    \
	static void name(void **state);                                                            \
	__attribute__((constructor)) static void add_##name(void)                                  \
	{                                                                                          \
		unit_add((struct CMUnitTest){#name, name, set_up, tear_down, NULL});               \
	}                                                                                          \
	static void name(void **state)

/* The same of a test that is given what set_up() left in *state: UNIT_TEST_OF(name, struct x *x) */
#define UNIT_TEST_OF(name, fixture)                                                                \
	static void name##_of(fixture);                                                            \
	UNIT_TEST(name)                                                                            \
	{                                                                                          \
		name##_of(*state);                                                                 \
	}                                                                                          \
	static void name##_of(fixture)

enum {
	UNIT_TESTS_MAX = 1024
};

static struct CMUnitTest unit_tests[UNIT_TESTS_MAX];
static size_t unit_test_count;

static inline void unit_add(struct CMUnitTest test)
{
	assert_true(unit_test_count < UNIT_TESTS_MAX);
	unit_tests[unit_test_count++] = test;
}

/* Stands for what unit_run() is given. */
static inline int unit_usual(void **state)
{
	return 0;
}

/* The last two run once, around all tests. */
static inline int unit_run_group(CMFixtureFunction set_up, CMFixtureFunction tear_down,
				 CMFixtureFunction group_set_up, CMFixtureFunction group_tear_down)
{
	for (struct CMUnitTest *test = unit_tests; test < unit_tests + unit_test_count; test++) {
		if (test->setup_func == unit_usual)
			test->setup_func = set_up;
		if (test->teardown_func == unit_usual)
			test->teardown_func = tear_down;
	}
	return _cmocka_run_group_tests("tests", unit_tests, unit_test_count, group_set_up,
				       group_tear_down);
}

static inline int unit_run(CMFixtureFunction set_up, CMFixtureFunction tear_down)
{
	return unit_run_group(set_up, tear_down, NULL, NULL);
}

/* The last line of most tests. */
#define UNIT_MAIN(set_up, tear_down)                                                               \
	int main(void)                                                                             \
	{                                                                                          \
		return unit_run(set_up, tear_down);                                                \
	}

/* Members of an array. */
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

/* Names the case of a table that is tried now, so that a failure says which it was. */
static inline void begin_case(const char *name)
{
	print_message("case: %s\n", name);
}

#endif
