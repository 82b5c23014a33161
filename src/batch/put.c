/*
 * Nearly all names are plain ASCII without anything to escape: these are copied as they are.
 */

#include "batch/put.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

enum {
	DIGITS_MAX = 20,
	REAL_MAX = 32
};

void put_number(struct strbuf *out, uint64_t number)
{
	char digits[DIGITS_MAX];
	size_t first = DIGITS_MAX;

	do {
		digits[--first] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0);
	strbuf_add_bytes(out, digits + first, DIGITS_MAX - first);
}

void put_real(struct strbuf *out, double number)
{
	char text[REAL_MAX];

	if (number == floor(number) && fabs(number) < 0x1p64) {
		strbuf_printf(out, "%.0f", number == 0 ? 0.0 : number);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	strbuf_add(out, text);
}

/* How many bytes from the beginning on are themselves in every format. What has others is made
 * harmless as a whole, since a combining character may belong to a plain one. */
static size_t plain_length(const char *text)
{
	size_t length = 0;

	while (text[length] >= ' ' && text[length] <= '~' && text[length] != '"' &&
	       text[length] != '\\' && text[length] != ',')
		length++;
	return length;
}

/* Puts `before` before each of these characters. */
static void add_marked(struct strbuf *out, const char *text, const char *marked, char before)
{
	while (text[0] != '\0') {
		const size_t length = strcspn(text, marked);

		strbuf_add_bytes(out, text, length);
		text += length;
		if (text[0] == '\0')
			break;
		strbuf_add_char(out, before);
		strbuf_add_char(out, *text++);
	}
}

void put_json_text(struct strbuf *out, const char *text)
{
	struct strbuf safe = {0};

	strbuf_add_char(out, '"');
	if (text[plain_length(text)] == '\0') {
		strbuf_add(out, text);
	} else {
		text_append_safe(&safe, text, strlen(text), false);
		add_marked(out, strbuf_text(&safe), "\"\\", '\\');
		strbuf_fini(&safe);
	}
	strbuf_add_char(out, '"');
}

void put_csv_text(struct strbuf *out, const char *text)
{
	struct strbuf safe = {0};

	if (text[plain_length(text)] == '\0') {
		strbuf_add(out, text);
		return;
	}
	text_append_safe(&safe, text, strlen(text), false);
	if (strpbrk(strbuf_text(&safe), "\",")) {
		strbuf_add_char(out, '"');
		add_marked(out, strbuf_text(&safe), "\"", '"');
		strbuf_add_char(out, '"');
	} else {
		strbuf_add(out, strbuf_text(&safe));
	}
	strbuf_fini(&safe);
}
