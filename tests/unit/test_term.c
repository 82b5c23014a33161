#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/error.h"
#include "ui/term.h"

int __wrap_isatty(int fd);

/* Which descriptors are a terminal: mock values for standard input, then standard output. */
int __wrap_isatty(int fd)
{
	check_expected(fd);
	return mock_type(int);
}

static void expect_terminals(int input, int output)
{
	expect_value(__wrap_isatty, fd, STDIN_FILENO);
	will_return(__wrap_isatty, input);
	if (input) {
		expect_value(__wrap_isatty, fd, STDOUT_FILENO);
		will_return(__wrap_isatty, output);
	}
}

static void term_is_usable_known_terminal_is(void **state)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(1, 1);

	assert_true(term_is_usable(&error));
}

static void term_is_usable_redirected_input_is_named(void **state)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(0, 1);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
	assert_non_null(strstr(error.text, "standard input"));
}

static void term_is_usable_redirected_output_is_named(void **state)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(1, 0);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
	assert_non_null(strstr(error.text, "standard output"));
}

static void term_is_usable_without_type_is_not(void **state)
{
	struct error error = {0};

	unsetenv("TERM");
	expect_terminals(1, 1);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_UNSET);
}

static void term_is_usable_dumb_or_unknown_is_not(void **state)
{
	const char *const types[] = {"dumb", "no-such-terminal"};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		struct error error = {0};

		setenv("TERM", types[i], 1);
		expect_terminals(1, 1);

		assert_false(term_is_usable(&error));
		assert_int_equal(error.code, ERROR_TERMINAL_DUMB);
		assert_non_null(strstr(error.text, types[i]));
	}
}

static void term_is_usable_every_refusal_names_batch_and_exits_with_2(void **state)
{
	const enum error_code codes[] = {ERROR_TERMINAL_MISSING, ERROR_TERMINAL_DUMB,
					 ERROR_TERMINAL_UNSET};

	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct error error = {0};

		error_set(&error, codes[i], "x", NULL);

		assert_non_null(strstr(error.remedy, "--batch"));
		assert_int_equal(error_exit_status(&error), 2);
	}
}

static void term_open_without_terminal_is_null(void **state)
{
	struct error error = {0};

	expect_terminals(0, 1);

	assert_null(term_open(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
}

static void term_close_null_is_allowed(void **state)
{
	term_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(term_is_usable_known_terminal_is),
		cmocka_unit_test(term_is_usable_redirected_input_is_named),
		cmocka_unit_test(term_is_usable_redirected_output_is_named),
		cmocka_unit_test(term_is_usable_without_type_is_not),
		cmocka_unit_test(term_is_usable_dumb_or_unknown_is_not),
		cmocka_unit_test(term_is_usable_every_refusal_names_batch_and_exits_with_2),
		cmocka_unit_test(term_open_without_terminal_is_null),
		cmocka_unit_test(term_close_null_is_allowed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
