/*
 * Nearly all names are plain ASCII without anything to escape: these are copied as they are.
 */

#include "batch/put.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

enum {
	DIGITS_MAX = 20,
	REAL_MAX = 32,
	KEY_MAX = 64 /* bytes of a key of ours */
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

/* The comma behind the value before, if there is one in the same object or array. */
static void put_json_comma(struct strbuf *out)
{
	const char last = out->length > 0 ? out->text[out->length - 1] : '\n';

	if (!strchr("{[:\n", last))
		strbuf_add_char(out, ',');
}

void put_key(struct strbuf *out, const char *key)
{
	char text[KEY_MAX] = "\"";

	put_json_comma(out);
	if (!key)
		return;
	const size_t length = strlen(key);
	assert(length + 4 <= sizeof(text));
	memcpy(text + 1, key, length + 1);
	memcpy(text + 1 + length, "\":", 3);
	strbuf_add_bytes(out, text, length + 3);
}

void put_name_as_key(struct strbuf *out, const char *name)
{
	put_json_comma(out);
	put_json_text(out, name);
	strbuf_add_char(out, ':');
}

void open_json(struct strbuf *out, const char *key, char bracket)
{
	put_key(out, key);
	strbuf_add_char(out, bracket);
}

void put_word(struct strbuf *out, const char *key, const char *word)
{
	put_key(out, key);
	strbuf_add(out, word);
}

void put_count(struct strbuf *out, const char *key, uint64_t number)
{
	put_key(out, key);
	put_number(out, number);
}

void put_fraction(struct strbuf *out, const char *key, double number)
{
	char text[32];

	if (!isfinite(number)) {
		put_word(out, key, "null");
		return;
	}
	snprintf(text, sizeof(text), "%.15g", number);
	put_word(out, key, text);
	if (!strpbrk(text, ".e"))
		strbuf_add(out, ".0");
}

void put_json_string(struct strbuf *out, const char *key, const char *text)
{
	put_key(out, key);
	put_json_text(out, text);
}
