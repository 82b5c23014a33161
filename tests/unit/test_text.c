/*
 * Text from outside: the decoder against the table of well-formed sequences, and
 * the promises of text_append_safe() over every character and over random bytes.
 */
#include <locale.h>
#include <wchar.h>

#include "base/strbuf.h"
#include "base/text.h"

#include "unit.h"

#define ACUTE "\xcc\x81"     /* U+0301, combining */
#define WIDE  "\xe4\xb8\xad" /* U+4E2D, two columns */

static bool is_scalar(uint32_t code)
{
	return code < 0xd800 || (code > 0xdfff && code < 0x110000);
}

/* What may never come out, said independently of the code under test. */
static bool is_harmful(uint32_t code)
{
	static const uint32_t ranges[][2] = {
		{0x00, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},   {0x200c, 0x200f},
		{0x2028, 0x2029}, {0x202a, 0x202e}, {0x2066, 0x2069}, {0xfe00, 0xfe0f},
	};

	for (size_t i = 0; i < COUNT_OF(ranges); i++)
		if (code >= ranges[i][0] && code <= ranges[i][1])
			return true;
	return wcwidth((wchar_t)code) < 0;
}

/* Valid UTF-8, nothing harmful, no run of more than 4 zero-width characters, none at the start. */
static void assert_harmless(const char *text, size_t length)
{
	int marks = 4;

	for (size_t at = 0; at < length;) {
		uint32_t code;
		int taken = text_decode(text + at, length - at, &code);

		assert_in_range(taken, 1, 4);
		assert_false(is_harmful(code));
		marks = wcwidth((wchar_t)code) == 0 ? marks + 1 : 0;
		assert_in_range(marks, 0, 4);
		at += (size_t)taken;
	}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Bytes that are often nearly UTF-8: pieces of characters, controls and noise. */
static size_t random_text(uint64_t *seed, char *text, size_t size)
{
	static const char *const parts[] = {
		"a",    "\x1b[2J",      "\xc3\xa9",     WIDE,
		ACUTE,  "\xe2\x80\xae", "\xe2\x80\xa8", "\xf0\x9f\x98\x80",
		"\x9b", "\xe4\xb8",     "\xed\xa0\x80", "\xc0\x80"};
	size_t length = (size_t)(next_random(seed) % (size - 4));
	size_t used = 0;

	while (used < length) {
		const char *part = parts[next_random(seed) % (COUNT_OF(parts))];
		size_t count = strlen(part);

		if (next_random(seed) % 4 == 0)
			text[used++] = (char)(next_random(seed) % 255 + 1);
		else {
			memcpy(text + used, part, count);
			used += count;
		}
	}
	text[used] = '\0';
	return used;
}

UNIT_TEST(text_decode_every_scalar_comes_back_as_encoded)
{
	for (uint32_t code = 0; code < 0x110000; code++) {
		char bytes[4];
		uint32_t decoded = UINT32_MAX;

		if (!is_scalar(code))
			continue;
		size_t count = text_encode(bytes, code);
		assert_int_equal(text_decode(bytes, count, &decoded), count);
		assert_int_equal(decoded, code);
		assert_int_equal(text_decode(bytes, count - 1, &decoded), count == 1 ? 0 : -1);
	}
}

/* One line of the Unicode standard's table of well-formed byte sequences. */
struct well_formed {
	unsigned char first[2];
	unsigned char second[2];
	int bytes;
};

static int expected_bytes(unsigned int first, unsigned int second)
{
	static const struct well_formed table[] = {
		{{0xc2, 0xdf}, {0x80, 0xbf}, 2}, {{0xe0, 0xe0}, {0xa0, 0xbf}, 3},
		{{0xe1, 0xec}, {0x80, 0xbf}, 3}, {{0xed, 0xed}, {0x80, 0x9f}, 3},
		{{0xee, 0xef}, {0x80, 0xbf}, 3}, {{0xf0, 0xf0}, {0x90, 0xbf}, 4},
		{{0xf1, 0xf3}, {0x80, 0xbf}, 4}, {{0xf4, 0xf4}, {0x80, 0x8f}, 4},
	};

	if (first < 0x80)
		return 1;
	for (size_t i = 0; i < COUNT_OF(table); i++) {
		const struct well_formed *line = &table[i];

		if (first >= line->first[0] && first <= line->first[1] &&
		    second >= line->second[0] && second <= line->second[1])
			return line->bytes;
	}
	return -1;
}

UNIT_TEST(text_decode_every_first_and_second_byte_follows_the_standard)
{
	for (unsigned int first = 0; first < 256; first++) {
		for (unsigned int second = 0; second < 256; second++) {
			char text[4] = {(char)first, (char)second, (char)0x80, (char)0xbf};
			uint32_t code;

			assert_int_equal(text_decode(text, 4, &code),
					 expected_bytes(first, second));
		}
	}
}

UNIT_TEST(text_decode_bad_third_or_fourth_byte_is_refused)
{
	for (unsigned int byte = 0; byte < 256; byte++) {
		const char third[] = {(char)0xe4, (char)0xb8, (char)byte};
		const char fourth[] = {(char)0xf0, (char)0x9f, (char)0x98, (char)byte};
		bool continues = byte >= 0x80 && byte <= 0xbf;
		uint32_t code;

		assert_int_equal(text_decode(third, 3, &code), continues ? 3 : -1);
		assert_int_equal(text_decode(fourth, 4, &code), continues ? 4 : -1);
	}
}

UNIT_TEST(text_append_safe_appends_behind_what_is_there)
{
	struct strbuf buffer = {0};
	strbuf_add(&buffer, "name: ");

	text_append_safe(&buffer, "a\nb", 3, false);

	assert_string_equal(buffer.text, "name: a\\x0Ab");
	strbuf_fini(&buffer);
}

UNIT_TEST(text_append_safe_bidirectional_controls_are_escaped)
{
	const uint32_t codes[] = {0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c,
				  0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069};

	for (size_t i = 0; i < COUNT_OF(codes); i++) {
		struct strbuf buffer = {0};
		char text[5] = "a";
		size_t count = text_encode(text + 1, codes[i]);

		text_append_safe(&buffer, text, count + 1, false);

		assert_int_equal(buffer.length, 1 + 4 * count);
		assert_memory_equal(buffer.text, "a\\x", 3);
		strbuf_fini(&buffer);
	}
}

UNIT_TEST(text_append_safe_every_character_is_harmless)
{
	struct strbuf buffer = {0};

	for (uint32_t code = 0; code < 0x110000; code++) {
		char text[5] = "a";

		if (!is_scalar(code))
			continue;
		size_t count = 1 + text_encode(text + 1, code);
		strbuf_clear(&buffer);
		text_append_safe(&buffer, text, count, false);
		assert_harmless(buffer.text, buffer.length);
		if (!is_harmful(code) && (code < 0x206a || code > 0x206f)) {
			assert_int_equal(buffer.length, count);
			assert_memory_equal(buffer.text, text, count);
		}
	}
	strbuf_fini(&buffer);
}

UNIT_TEST(text_append_safe_random_bytes_are_harmless)
{
	struct strbuf buffer = {0};
	uint64_t seed = UINT64_C(88172645463325252);
	char text[64];

	for (int i = 0; i < 50000; i++) {
		size_t length = random_text(&seed, text, sizeof(text));

		strbuf_clear(&buffer);
		text_append_safe(&buffer, text, length, false);
		assert_harmless(strbuf_text(&buffer), buffer.length);

		strbuf_clear(&buffer);
		text_append_safe(&buffer, text, length, true);
		for (size_t k = 0; k < buffer.length; k++)
			assert_in_range(buffer.text[k], ' ', '~');
	}
	strbuf_fini(&buffer);
}

UNIT_TEST(text_safe_is_the_longest_beginning_that_fits)
{
	const char *const whole = "a\\x1B\xc3\xa9"
				  "e" ACUTE WIDE;
	/* Length of what is written for each size: no piece is written in part. */
	const size_t lengths[] = {0, 0, 1, 1, 1, 1, 5, 5, 7, 8, 8, 10, 10, 10, 13, 13};

	for (size_t size = 0; size < COUNT_OF(lengths); size++) {
		char buffer[20];
		memset(buffer, '#', sizeof(buffer));

		size_t written = text_safe(buffer, size,
					   "a\x1b\xc3\xa9"
					   "e" ACUTE WIDE,
					   false);

		assert_int_equal(written, lengths[size]);
		assert_memory_equal(buffer, whole, written);
		assert_int_equal(buffer[written], size > 0 ? '\0' : '#');
		assert_int_equal(buffer[size], '#');
	}
}

UNIT_TEST(text_safe_agrees_with_text_append_safe)
{
	struct strbuf buffer = {0};
	uint64_t seed = 42;
	char text[64];

	for (int i = 0; i < 2000; i++) {
		char fixed[64 * 4 + 1];
		bool ascii = i % 2;
		size_t length = random_text(&seed, text, sizeof(text));

		strbuf_clear(&buffer);
		text_append_safe(&buffer, text, length, ascii);
		assert_int_equal(text_safe(fixed, sizeof(fixed), text, ascii), buffer.length);
		assert_string_equal(fixed, strbuf_text(&buffer));
	}
	strbuf_fini(&buffer);
}

UNIT_TEST(text_width_sums_columns)
{
	assert_int_equal(text_width(""), 0);
	assert_int_equal(text_width("abc"), 3);
	assert_int_equal(text_width(WIDE WIDE "e" ACUTE "\xc3\xa9"), 6);
	assert_int_equal(text_width("\xff"
				    "a"),
			 2);
}

UNIT_TEST(text_fit_random_texts_are_the_longest_that_fit)
{
	struct strbuf buffer = {0};
	uint64_t seed = 7;
	char text[40];

	for (int i = 0; i < 2000; i++) {
		size_t columns = (size_t)(next_random(&seed) % 30);
		size_t width;

		strbuf_clear(&buffer);
		text_append_safe(&buffer, text, random_text(&seed, text, sizeof(text)), false);
		size_t total = text_width(strbuf_text(&buffer));
		size_t bytes = text_fit(strbuf_text(&buffer), columns, &width);

		assert_in_range(width, 0, columns);
		assert_int_equal(text_width(strbuf_text(&buffer) + bytes), total - width);
		if (bytes < buffer.length)
			assert_in_range(width, columns > 0 ? columns - 1 : 0, columns);
		if (bytes < buffer.length)
			buffer.text[bytes] = '\0';
		assert_int_equal(text_width(strbuf_text(&buffer)), width);
	}
	strbuf_fini(&buffer);
}

UNIT_TEST(text_encode_known_characters_have_known_bytes)
{
	static const struct {
		uint32_t code;
		const char *bytes;
	} cases[] = {
		{0x7e, "~"},
		{0xe9, "\xc3\xa9"},
		{0x20ac, "\xe2\x82\xac"},
		{0x1f600, "\xf0\x9f\x98\x80"},
		/* no scalar: the replacement character */
		{0xd800, "\xef\xbf\xbd"},
		{0xdfff, "\xef\xbf\xbd"},
		{0x110000, "\xef\xbf\xbd"},
		{UINT32_MAX, "\xef\xbf\xbd"},
	};
	uint32_t code;
	char bytes[4];

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const size_t count = strlen(cases[i].bytes);

		assert_int_equal(text_encode(bytes, cases[i].code), count);
		assert_memory_equal(bytes, cases[i].bytes, count);
	}
	assert_int_equal(text_decode("a", 0, &code), 0);
}

UNIT_TEST(text_append_safe_escapes_what_is_harmful)
{
	static const struct {
		const char *name, *text;
		size_t length;
		bool ascii;
		const char *expected;
	} cases[] = {
		{"plain", "kworker/2:1 \"a\\b\" ~", 19, false, "kworker/2:1 \"a\\b\" ~"},
		{"more than ASCII", "\xc3\xa9" WIDE "\xf0\x9f\x98\x80", 9, false,
		 "\xc3\xa9" WIDE "\xf0\x9f\x98\x80"},
		{"C0 and DEL", "\0\x1b[0m\t\r\n\x7f", 9, false,
		 "\\x00\\x1B[0m\\x09\\x0D\\x0A\\x7F"},
		{"C1, bytewise", "\xc2\x9b", 2, false, "\\xC2\\x9B"},
		{"NEL, bytewise", "\xc2\x85", 2, false, "\\xC2\\x85"},
		{"separators, bytewise", "\xe2\x80\xa8\xe2\x80\xa9", 6, false,
		 "\\xE2\\x80\\xA8\\xE2\\x80\\xA9"},
		{"no UTF-8, the rest stays",
		 "a\xff"
		 "b\xc3",
		 4, false, "a\\xFFb\\xC3"},
		{"overlong", "\xc0\x80x", 3, false, "\\xC0\\x80x"},
		{"surrogate", "\xed\xa0\x80", 3, false, "\\xED\\xA0\\x80"},
		{"cut",
		 "\xe4\xb8"
		 "z",
		 3, false, "\\xE4\\xB8z"},
		{"unassigned: U+0378", "\xcd\xb8", 2, false, "\\xCD\\xB8"},
		{"unassigned: U+FFFF", "\xef\xbf\xbf", 3, false, "\\xEF\\xBF\\xBF"},
		{"combining", "e" ACUTE "f", 4, false, "e" ACUTE "f"},
		{"four combining", "e" ACUTE ACUTE ACUTE ACUTE "f", 10, false,
		 "e" ACUTE ACUTE ACUTE ACUTE "f"},
		{"six combining", "e" ACUTE ACUTE ACUTE ACUTE ACUTE ACUTE "f" ACUTE, 16, false,
		 "e" ACUTE ACUTE ACUTE ACUTE "f" ACUTE},
		{"combining without base", ACUTE "e", 3, false,
		 "\\xCC\\x81"
		 "e"},
		{"ASCII shows question marks", "~\xc3\xa9" WIDE "e" ACUTE "\x1b", 10, true,
		 "~??e?\\x1B"},
		{"ASCII, bidirectional", "\xe2\x80\xae\xff\x7f", 5, true,
		 "\\xE2\\x80\\xAE\\xFF\\x7F"},
		{"ASCII, C1", "\xc2\x9b", 2, true, "\\xC2\\x9B"},
		{"ASCII, U+2028", "\xe2\x80\xa8", 3, true, "\\xE2\\x80\\xA8"},
		{"ASCII, U+2029", "\xe2\x80\xa9", 3, true, "\\xE2\\x80\\xA9"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct strbuf buffer = {0};

		begin_case(cases[i].name);
		text_append_safe(&buffer, cases[i].text, cases[i].length, cases[i].ascii);
		assert_string_equal(strbuf_text(&buffer), cases[i].expected);
		strbuf_fini(&buffer);
	}
}

UNIT_TEST(text_char_width_is_that_of_the_terminal_or_one)
{
	static const uint32_t codes[] = {'a', 0xe9, 0x4e2d, 0x1f600, 0x301,
					 0,   0x1b, 0x7f,   0x85,    0x378};
	static const int widths[] = {1, 1, 2, 2, 0, 1, 1, 1, 1, 1};

	for (size_t i = 0; i < COUNT_OF(codes); i++)
		assert_int_equal(text_char_width(codes[i]), widths[i]);
}

UNIT_TEST(text_fit_takes_whole_characters)
{
	static const struct {
		const char *text;
		size_t columns, bytes, width;
	} cases[] = {
		{"abc", 3, 3, 3},
		{"abc", 100, 3, 3},
		{"a" WIDE "b", 2, 1, 1},
		{"a" WIDE "b", 3, 4, 3},
		{"e" ACUTE ACUTE "f", 1, 5, 1},
		{"abc", 0, 0, 0},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t width = 7;

		assert_int_equal(text_fit(cases[i].text, cases[i].columns, &width), cases[i].bytes);
		assert_int_equal(width, cases[i].width);
	}
}

UNIT_TEST(text_contains_finds_at_every_place)
{
	static const struct {
		const char *text, *needle;
		bool is_found;
	} cases[] = {
		{"nginx: worker", "nginx", true},
		{"nginx: worker", "x: w", true},
		{"nginx: worker", "worker", true},
		{"aaab", "aab", true},
		{"NGinx", "ngINX", true},
		{"azAZ", "AZaz", true},
		{"nginx", "", true},
		{"", "", true},
		/* only letters of ASCII have a case */
		{"[", "{", false},
		{"@", "`", false},
		{"\xc3\x89", "\xc3\xa9", false},
		{"nginx", "apache", false},
		{"nginx", "nginx: worker", false},
		{"", "a", false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(text_contains(cases[i].text, cases[i].needle), cases[i].is_found);
}

static int set_locale(void **state)
{
	return setlocale(LC_CTYPE, "C.UTF-8") ? 0 : -1;
}

int main(void)
{
	return unit_run_group(NULL, NULL, set_locale, NULL);
}
