/* Term lists and format files: what they say, and where they are wrong. */

#include "event/terms.h"
#include "unit.h"

static void assert_term(const struct event_term *term, const char *name, const char *value)
{
	assert_string_equal(term->name, name);
	assert_int_equal(term->has_value, value != NULL);
	assert_string_equal(term->value, value != NULL ? value : "");
}

static bool parse(const char *text, struct terms *terms)
{
	struct text_cursor cursor = {.text = text};

	return terms_parse(&cursor, terms);
}

UNIT_TEST(terms_parse_list_has_names_values_positions)
{
	static const char text[] = " event=0x3c, inv ,name='a,b/c' ,x=\"q\",edge\n";
	struct terms terms;

	assert_true(parse(text, &terms));
	assert_int_equal(terms.count, 5);
	assert_term(&terms.terms[0], "event", "0x3c");
	assert_int_equal(terms.terms[0].position, 1);
	assert_term(&terms.terms[1], "inv", NULL);
	assert_int_equal(terms.terms[1].position, 13);
	assert_term(&terms.terms[2], "name", "a,b/c");
	assert_term(&terms.terms[3], "x", "q");
	assert_term(&terms.terms[4], "edge", NULL);

	assert_true(parse("", &terms));
	assert_int_equal(terms.count, 0);
}

/* As perf record -j has them, up to a term that is none of its words. */
UNIT_TEST(terms_parse_branch_type_goes_on_over_commas)
{
	struct terms terms;

	assert_true(parse("branch_type=any_call,u,period=9,any", &terms));
	assert_int_equal(terms.count, 3);
	assert_term(&terms.terms[0], "branch_type", "any_call,u");
	assert_term(&terms.terms[1], "period", "9");
	assert_term(&terms.terms[2], "any", NULL);
	assert_true(parse("branch_type='cond,k'", &terms));
	assert_term(&terms.terms[0], "branch_type", "cond,k");
}

UNIT_TEST(terms_parse_fault_has_position_and_sentence)
{
	static const struct {
		const char *text;
		size_t position;
		const char *contains;
	} faults[] = {
		{"a,", 2, "a term is missing"},
		{",a", 0, "a term is missing"},
		{"a,,b", 2, "a term is missing"},
		{"=3", 0, "a term is missing"},
		{"a=", 2, "a value is missing"},
		{"a=,b", 2, "a value is missing"},
		{"a='x", 4, "quote"},
		{"a=''", 4, "a value is missing"},
		{"a='x'y", 5, "comma"},
	};

	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		struct terms terms;
		struct text_cursor cursor = {.text = faults[i].text, .position = 99};

		assert_false(terms_parse(&cursor, &terms));
		if (cursor.position != faults[i].position ||
		    strstr(cursor.message, faults[i].contains) == NULL)
			fail_msg("%s: at %zu: %s", faults[i].text, cursor.position, cursor.message);
	}
}

UNIT_TEST(terms_parse_what_does_not_fit_is_refused)
{
	char text[2 * TERMS_MAX + 64] = "";
	struct terms terms;

	memset(text, 'a', TERM_NAME_MAX);
	assert_false(parse(text, &terms));
	assert_true(parse(text + 1, &terms));
	for (size_t i = 0; i < TERMS_MAX + 1; i++)
		memcpy(text + 2 * i, "a,", 3);
	text[2 * TERMS_MAX + 1] = '\0';
	assert_false(parse(text, &terms));
	assert_true(parse(text + 2, &terms));
	assert_int_equal(terms.count, TERMS_MAX);
}

UNIT_TEST(format_parse_ranges_are_a_mask)
{
	static const struct {
		const char *text;
		enum format_word word;
		uint64_t mask;
	} formats[] = {
		{"config:0-7\n", FORMAT_CONFIG, 0xff},
		{"config:0-7,32-35\n", FORMAT_CONFIG, 0xf000000ff},
		{"config:32-35,0-7", FORMAT_CONFIG, 0xf000000ff},
		{"config1:0-63", FORMAT_CONFIG1, UINT64_MAX},
		{"config2:5", FORMAT_CONFIG2, 0x20},
		{"config:63", FORMAT_CONFIG, UINT64_C(1) << 63},
		{"config:0,2,4-4", FORMAT_CONFIG, 0x15},
	};

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct format format;
		const char *message;

		assert_true(format_parse(formats[i].text, &format, &message));
		assert_int_equal(format.word, formats[i].word);
		assert_int_equal(format.mask, formats[i].mask);
	}
}

UNIT_TEST(format_parse_fault_has_a_sentence)
{
	static const struct {
		const char *text, *contains;
	} faults[] = {
		{"config3:0-7", "does not know"},
		{"bp_type:0", "does not know"},
		{"", "does not know"},
		{"config", "bit's number"},
		{"config:", "bit's number"},
		{"config:a", "bit's number"},
		{"config:7-0", "backwards"},
		{"config:0-64", "64 bits"},
		{"config:0-", "bit's number"},
		{"config:0,", "bit's number"},
		{"config:0x", "cannot be read"},
		{"config:1000", "64 bits"},
		{"config:0-7 8", "cannot be read"},
	};

	for (size_t i = 0; i < COUNT_OF(faults); i++) {
		struct format format;
		const char *message = "";

		assert_false(format_parse(faults[i].text, &format, &message));
		if (strstr(message, faults[i].contains) == NULL)
			fail_msg("%s: %s", faults[i].text, message);
	}
}

UNIT_TEST(format_place_fills_the_mask_from_its_lowest_bit)
{
	const struct format split = {.mask = 0xf000000ff};
	const struct format whole = {.mask = UINT64_MAX};

	assert_int_equal(format_max(&split), 0xfff);
	assert_int_equal(format_place(&split, 0x5c3), 0x5000000c3);
	assert_int_equal(format_place(&split, 0xfff), 0xf000000ff);
	assert_int_equal(format_max(&whole), UINT64_MAX);
	assert_int_equal(format_place(&whole, 0x123456789abcdef0), 0x123456789abcdef0);
	assert_int_equal(format_place(&(struct format){.mask = 0x20}, 1), 0x20);
}

UNIT_MAIN(NULL, NULL)
