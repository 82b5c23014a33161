#include <unistd.h>

#include "base/error.h"

#include "term/term.h"
#include "unit.h"

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

UNIT_TEST(term_is_usable_known_terminal_is)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(1, 1);

	assert_true(term_is_usable(&error));
}

UNIT_TEST(term_is_usable_redirected_input_is_named)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(0, 1);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
	assert_non_null(strstr(error.text, "standard input"));
}

UNIT_TEST(term_is_usable_redirected_output_is_named)
{
	struct error error = {0};

	setenv("TERM", "vt100", 1);
	expect_terminals(1, 0);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
	assert_non_null(strstr(error.text, "standard output"));
}

UNIT_TEST(term_is_usable_without_type_is_not)
{
	struct error error = {0};

	unsetenv("TERM");
	expect_terminals(1, 1);

	assert_false(term_is_usable(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_UNSET);
}

UNIT_TEST(term_is_usable_dumb_or_unknown_is_not)
{
	static const struct {
		const char *type;
		enum error_code code;
	} cases[] = {{"dumb", ERROR_TERMINAL_DUMB}, {"no-such-terminal", ERROR_TERMINAL_UNKNOWN}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};

		setenv("TERM", cases[i].type, 1);
		expect_terminals(1, 1);

		assert_false(term_is_usable(&error));
		assert_int_equal(error.code, cases[i].code);
		assert_non_null(strstr(error.text, cases[i].type));
	}
}

UNIT_TEST(term_is_usable_every_refusal_names_batch_and_exits_with_2)
{
	const enum error_code codes[] = {ERROR_TERMINAL_MISSING, ERROR_TERMINAL_DUMB,
					 ERROR_TERMINAL_UNKNOWN, ERROR_TERMINAL_UNSET};

	for (size_t i = 0; i < COUNT_OF(codes); i++) {
		struct error error = {0};

		error_set(&error, codes[i], "x", NULL);

		assert_non_null(strstr(error.remedy, "--batch"));
		assert_int_equal(error_exit_status(&error), 2);
	}
}

UNIT_TEST(term_open_without_terminal_is_null)
{
	struct error error = {0};

	expect_terminals(0, 1);

	assert_null(term_open(&error));
	assert_int_equal(error.code, ERROR_TERMINAL_MISSING);
}

UNIT_TEST(term_close_null_is_allowed)
{
	term_close(NULL);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
