/*
 * Terms and formats of PMUs.
 *
 * A format names the bits of a field in any order, but its value fills them from the lowest one:
 * so a mask says all there is to say ("config:0-7,32-35" is the mask 0xf000000ff).
 */

#include "kernel/event/terms.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct cursor {
	const char *text;
	size_t length, at;
	const char *message; /* NULL: nothing is wrong yet */
};

static bool fail(struct cursor *cursor, const char *message)
{
	cursor->message = message;
	return false;
}

static bool is_end(const struct cursor *cursor)
{
	return cursor->at >= cursor->length || cursor->text[cursor->at] == '\0';
}

static char peek(const struct cursor *cursor)
{
	return is_end(cursor) ? '\0' : cursor->text[cursor->at];
}

static void skip_blanks(struct cursor *cursor)
{
	while (!is_end(cursor) && isspace((unsigned char)peek(cursor)))
		cursor->at++;
}

/* Bytes up to one of `ends`, without blanks behind them. */
static bool take(struct cursor *cursor, const char *ends, char *word, size_t size)
{
	size_t start = cursor->at;

	while (!is_end(cursor) && !strchr(ends, peek(cursor)))
		cursor->at++;

	size_t length = cursor->at - start;

	while (length > 0 && isspace((unsigned char)cursor->text[start + length - 1]))
		length--;
	if (length >= size) {
		cursor->at = start;
		return fail(cursor, "this term is too long");
	}
	memcpy(word, cursor->text + start, length);
	word[length] = '\0';
	return true;
}

static bool take_value(struct cursor *cursor, struct term *term)
{
	static const char *const quotes = "'\"";
	char quote[2] = {peek(cursor), '\0'};

	if (quote[0] == '\0' || !strchr(quotes, quote[0]))
		return take(cursor, ",", term->value, sizeof(term->value));
	cursor->at++;
	if (!take(cursor, quote, term->value, sizeof(term->value)))
		return false;
	if (is_end(cursor))
		return fail(cursor, "a quote is not closed");
	cursor->at++;
	return true;
}

static bool take_term(struct cursor *cursor, struct term *term)
{
	*term = (struct term){.position = cursor->at};
	if (!take(cursor, ",=", term->name, sizeof(term->name)))
		return false;
	if (*term->name == '\0')
		return fail(cursor, "a term is missing");
	if (peek(cursor) != '=')
		return true;
	cursor->at++;
	skip_blanks(cursor);
	term->has_value = true;
	if (!take_value(cursor, term))
		return false;
	if (*term->value == '\0')
		return fail(cursor, "a value is missing");
	return true;
}

static bool take_terms(struct cursor *cursor, struct terms *terms)
{
	skip_blanks(cursor);
	while (!is_end(cursor)) {
		if (terms->count == TERMS_MAX)
			return fail(cursor, "there are too many terms");
		if (!take_term(cursor, &terms->terms[terms->count]))
			return false;
		terms->count++;
		skip_blanks(cursor);
		if (is_end(cursor))
			break;
		if (peek(cursor) != ',')
			return fail(cursor, "a comma is missing between two terms");
		cursor->at++;
		skip_blanks(cursor);
		if (is_end(cursor))
			return fail(cursor, "a term is missing");
	}
	return true;
}

bool terms_parse(const char *text, size_t length, struct terms *terms, size_t *position,
		 const char **message)
{
	struct cursor cursor = {.text = text, .length = length};

	terms->count = 0;
	if (take_terms(&cursor, terms))
		return true;
	*position = cursor.at;
	*message = cursor.message;
	return false;
}

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

bool terms_number(const char *text, uint64_t *number)
{
	unsigned int base = 10;
	uint64_t value = 0;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		text += 2;
	}
	if (*text == '\0')
		return false;
	for (; *text != '\0'; text++) {
		unsigned int digit = (unsigned int)digit_value(*text);

		if (digit >= base || value > (UINT64_MAX - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

bool terms_hexadecimal(const char *text, uint64_t *number)
{
	return strncasecmp(text, "0x", 2) == 0 && terms_number(text, number);
}

/* A bit's number, 0 to 63. */
static bool take_bit(struct cursor *cursor, unsigned int *bit)
{
	unsigned int value = 0;
	size_t start = cursor->at;

	while (isdigit((unsigned char)peek(cursor)) && cursor->at - start < 3) {
		value = value * 10 + (unsigned int)(peek(cursor) - '0');
		cursor->at++;
	}
	if (cursor->at == start)
		return fail(cursor, "a bit's number is missing");
	if (value > 63)
		return fail(cursor, "it has more than 64 bits");
	*bit = value;
	return true;
}

static bool take_range(struct cursor *cursor, uint64_t *mask)
{
	unsigned int first, last;

	if (!take_bit(cursor, &first))
		return false;
	last = first;
	if (peek(cursor) == '-') {
		cursor->at++;
		if (!take_bit(cursor, &last))
			return false;
	}
	if (last < first)
		return fail(cursor, "a range of bits runs backwards");
	*mask |= (UINT64_MAX >> (63 - (last - first))) << first;
	return true;
}

static bool take_word(struct cursor *cursor, enum format_word *word)
{
	static const char *const words[FORMAT_WORDS] = {[FORMAT_CONFIG] = "config",
							[FORMAT_CONFIG1] = "config1",
							[FORMAT_CONFIG2] = "config2"};
	char name[TERM_NAME_MAX];

	if (!take(cursor, ":", name, sizeof(name)))
		return false;
	for (size_t i = 0; i < FORMAT_WORDS; i++) {
		if (strcmp(name, words[i]) == 0) {
			*word = (enum format_word)i;
			return true;
		}
	}
	return fail(cursor, "it is in a word of the attribute that perftop does not know");
}

static bool take_format(struct cursor *cursor, struct format *format)
{
	if (!take_word(cursor, &format->word))
		return false;
	do {
		cursor->at++; /* the colon or a comma */
		if (!take_range(cursor, &format->mask))
			return false;
	} while (peek(cursor) == ',');
	skip_blanks(cursor);
	return is_end(cursor) || fail(cursor, "its format cannot be read");
}

bool format_parse(const char *text, struct format *format, const char **message)
{
	struct cursor cursor = {.text = text, .length = strlen(text)};

	*format = (struct format){.word = FORMAT_CONFIG};
	if (take_format(&cursor, format))
		return true;
	*message = cursor.message;
	return false;
}

uint64_t format_max(const struct format *format)
{
	int bits = __builtin_popcountll(format->mask);

	return bits == 0 ? 0 : UINT64_MAX >> (64 - bits);
}

uint64_t format_place(const struct format *format, uint64_t value)
{
	uint64_t placed = 0;

	for (uint64_t rest = format->mask; rest != 0; rest &= rest - 1) {
		if (value & 1)
			placed |= rest & -rest;
		value >>= 1;
	}
	return placed;
}
