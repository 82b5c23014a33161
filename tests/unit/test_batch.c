/* The table of batch formats. */

#include "batch/batch.h"

#include "unit.h"

UNIT_TEST(batch_find_finds_in_any_case)
{
	char text[8];

	assert_string_equal(batch_find("JSON")->name, "json");
	assert_null(batch_find("xml"));
	batch_names(text, sizeof(text));
	assert_string_equal(text, "text, c");
}

UNIT_TEST(batch_table_has_a_writer_and_help_for_each)
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
	return unit_run(NULL, NULL);
}
