/* The table of batch formats. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Needs the headers above it. */
#include <cmocka.h>

#include "batch/batch.h"

static void batch_find_any_case_finds(void **state)
{
	assert_string_equal(batch_find("JSON")->name, "json");
}

static void batch_find_unknown_gives_null(void **state)
{
	assert_null(batch_find("xml"));
}

static void batch_names_lists_all(void **state)
{
	char text[64];

	batch_names(text, sizeof(text));

	assert_string_equal(text, "text, csv, json, openmetrics");
}

static void batch_table_has_a_writer_and_help_for_each(void **state)
{
	size_t count;
	const struct batch_format *formats = batch_table(&count);

	for (size_t i = 0; i < count; i++) {
		assert_true(formats[i].write != NULL);
		assert_true(strlen(formats[i].help) > 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batch_find_any_case_finds),
		cmocka_unit_test(batch_find_unknown_gives_null),
		cmocka_unit_test(batch_names_lists_all),
		cmocka_unit_test(batch_table_has_a_writer_and_help_for_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
