/*
 * What base makes of any text from outside: names, lists of numbers and words, numbers.
 */
#include <locale.h>
#include <math.h>
#include <wchar.h>

#include "base/list.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/units.h"

#include "fuzz.h"

enum {
	NUMBER_MAX = 4095
};

int LLVMFuzzerInitialize(int *argc, char ***argv);

static bool is_control(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x61c ||
	       (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2066 && code <= 0x2069);
}

static void check_harmless(const char *text, size_t length, bool ascii)
{
	int marks = 4; /* a zero-width character may not come first */

	for (size_t at = 0; at < length;) {
		uint32_t code = 0;
		int taken = text_decode(text + at, length - at, &code);

		require(taken > 0);
		require(!is_control(code));
		require(!ascii || code < 0x7f);
		require(wcwidth((wchar_t)code) >= 0);
		marks = wcwidth((wchar_t)code) == 0 ? marks + 1 : 0;
		require(marks <= 4);
		at += (size_t)taken;
	}
}

static void check_safe(const char *text, size_t length, bool ascii)
{
	struct strbuf safe = {0};
	char cut[32];
	size_t width;

	text_append_safe(&safe, text, length, ascii);
	check_harmless(strbuf_text(&safe), safe.length, ascii);

	size_t fits = text_fit(strbuf_text(&safe), 10, &width);
	require(fits <= safe.length && width <= 10);
	require(text_width(strbuf_text(&safe)) == width + text_width(strbuf_text(&safe) + fits));

	/* The text of text_safe() ends at the first NUL, which shows as an escape in the other. */
	size_t written = text_safe(cut, sizeof(cut), text, ascii);
	require(written < sizeof(cut) && strlen(cut) == written);
	require(memcmp(cut, strbuf_text(&safe), written) == 0);
	strbuf_fini(&safe);
}

static void check_number_list(const char *text)
{
	struct number_list list;
	struct number_list again;
	struct strbuf whole = {0};
	char cut[16];

	if (!number_list_parse(&list, text, NUMBER_MAX)) {
		require(!list.numbers && list.count == 0);
		return;
	}
	require(list.count <= NUMBER_MAX + 1);
	for (size_t i = 0; i < list.count; i++) {
		require(list.numbers[i] >= 0 && list.numbers[i] <= NUMBER_MAX);
		require(i == 0 || list.numbers[i - 1] < list.numbers[i]);
	}

	number_list_format(&list, cut, sizeof(cut));
	require(strlen(cut) < sizeof(cut));
	strbuf_add_repeated(&whole, ' ', 6 * list.count + 1);
	number_list_format(&list, whole.text, whole.length);
	require(number_list_parse(&again, whole.text, NUMBER_MAX));
	require(again.count == list.count);
	for (size_t i = 0; i < list.count; i++)
		require(again.numbers[i] == list.numbers[i]);
	number_list_fini(&again);
	number_list_fini(&list);
	strbuf_fini(&whole);
}

static void check_words(const char *text)
{
	size_t left = strlen(text);
	char word[8];

	while (word_list_next(&text, word, sizeof(word))) {
		require(strlen(word) < sizeof(word));
		require(strlen(text) < left);
		left = strlen(text);
	}
	require(left == 0);
}

static void check_numbers(const char *text)
{
	char shown[UNITS_TEXT_MAX];
	uint64_t whole;
	double number;

	if (units_parse_u64(text, 1, UINT64_MAX - 1, &whole)) {
		require(whole >= 1 && whole < UINT64_MAX);
		units_format_duration(shown, whole);
		units_format_cpu_time(shown, whole);
		require(strlen(shown) <= 8);
		units_format_bytes(shown, whole);
		require(strlen(shown) <= 5);
	}
	if (units_parse_double(text, -INFINITY, INFINITY, &number)) {
		require(isfinite(number));
		units_format_si(shown, number);
		require(strlen(shown) <= 6);
		units_format_fixed(shown, number, (int)strlen(text) % 10);
		require(strlen(shown) < UNITS_TEXT_MAX);
	}
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	require(setlocale(LC_CTYPE, "C.UTF-8"));
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf text = {0};

	/* A copy with a NUL behind it, which the parsers need. */
	strbuf_add_bytes(&text, (const char *)data, size);
	check_safe(text.text, text.length, false);
	check_safe(text.text, text.length, true);
	check_number_list(text.text);
	check_words(text.text);
	check_numbers(text.text);
	strbuf_fini(&text);
	return 0;
}
