/*
 * What sysfs says about a PMU, and what a user types between slashes: any bytes are either read or
 * refused with a position and a sentence, and a format that was read puts a value into its own
 * bits only.
 */
#include "base/units.h"

#include "event/terms.h"
#include "fuzz.h"

static void check_terms(const char *text)
{
	const size_t size = strlen(text);
	struct text_cursor cursor = {.text = text, .position = SIZE_MAX};
	struct terms terms;

	if (!terms_parse(&cursor, &terms)) {
		require(cursor.position <= size && cursor.message && *cursor.message);
		return;
	}
	require(terms.count <= TERMS_MAX);
	for (size_t i = 0; i < terms.count; i++) {
		uint64_t number;

		require(terms.terms[i].position < size && *terms.terms[i].name);
		require(terms.terms[i].has_value == (*terms.terms[i].value != '\0'));
		units_parse_number(terms.terms[i].value, &number);
	}
}

static void check_format(const char *text)
{
	struct format format;
	const char *message = NULL;

	if (!format_parse(text, &format, &message)) {
		require(message && *message);
		return;
	}
	require(format.mask != 0 && format.word < FORMAT_WORDS);
	require(format_place(&format, format_max(&format)) == format.mask);
	require(format_place(&format, 0) == 0);
	require((format_place(&format, 0x5555555555555555) & ~format.mask) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char beginning[] = "config1:";
	char *text = fuzz_text(beginning, data, size);

	check_terms(text + sizeof(beginning) - 1);
	check_format(text + sizeof(beginning) - 1);
	check_format(text);
	free(text);
	return 0;
}
