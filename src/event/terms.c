/*
 * Terms and formats of PMUs.
 *
 * A format names the bits of a field in any order, but its value fills them from the lowest one:
 * so a mask says all there is to say ("config:0-7,32-35" is the mask 0xf000000ff).
 */

#include "event/terms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/generic.h"

bool cursor_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

void cursor_skip_blanks(struct text_cursor *cursor)
{
	while (cursor_is_blank(*cursor_here(cursor)))
		cursor->at++;
}

bool cursor_fail(struct text_cursor *cursor, const char *at, const char *message)
{
	cursor->position = (size_t)(at - cursor->text);
	cursor->message = message;
	return false;
}

/* Bytes up to one of `ends`, without blanks behind them. */
static bool take_term_word(struct text_cursor *cursor, const char *ends, char *word, size_t size)
{
	const char *start = cursor_here(cursor);
	size_t length = strcspn(start, ends);

	cursor->at += length;
	while (length > 0 && cursor_is_blank(start[length - 1]))
		length--;
	if (length >= size)
		return cursor_fail(cursor, start, "this term is too long");
	memcpy(word, start, length);
	word[length] = '\0';
	return true;
}

/* The last one is followed by a word of branches. */
static bool has_more_branches(const struct text_cursor *cursor)
{
	const char *word = cursor_here(cursor) + 1;

	return *cursor_here(cursor) == ',' && branch_bit(word, strcspn(word, ",")) != 0;
}

static bool take_branch_words(struct text_cursor *cursor, struct event_term *term)
{
	size_t used;

	if (!take_term_word(cursor, ",", term->value, sizeof(term->value)))
		return false;
	while (has_more_branches(cursor)) {
		used = strlen(term->value);
		if (used + 2 > sizeof(term->value))
			return cursor_fail(cursor, cursor_here(cursor), "this term is too long");
		term->value[used++] = ',';
		cursor->at++;
		if (!take_term_word(cursor, ",", term->value + used, sizeof(term->value) - used))
			return false;
	}
	return true;
}

static bool take_value(struct text_cursor *cursor, struct event_term *term)
{
	const char quote[2] = {*cursor_here(cursor), '\0'};

	if (quote[0] != '\'' && quote[0] != '"')
		return strcmp(term->name, "branch_type") == 0
			       ? take_branch_words(cursor, term)
			       : take_term_word(cursor, ",", term->value, sizeof(term->value));
	cursor->at++;
	if (!take_term_word(cursor, quote, term->value, sizeof(term->value)))
		return false;
	if (*cursor_here(cursor) == '\0')
		return cursor_fail(cursor, cursor_here(cursor), "a quote is not closed");
	cursor->at++;
	return true;
}

static bool take_term(struct text_cursor *cursor, struct event_term *term)
{
	*term = (struct event_term){.position = cursor->at};
	if (!take_term_word(cursor, ",=", term->name, sizeof(term->name)))
		return false;
	if (*term->name == '\0')
		return cursor_fail(cursor, cursor_here(cursor), "a term is missing");
	if (*cursor_here(cursor) != '=')
		return true;
	cursor->at++;
	cursor_skip_blanks(cursor);
	term->has_value = true;
	if (!take_value(cursor, term))
		return false;
	return *term->value != '\0' ||
	       cursor_fail(cursor, cursor_here(cursor), "a value is missing");
}

bool terms_parse(struct text_cursor *cursor, struct terms *terms)
{
	terms->count = 0;
	cursor_skip_blanks(cursor);
	if (*cursor_here(cursor) == '\0')
		return true;
	for (;;) {
		if (terms->count == TERMS_MAX)
			return cursor_fail(cursor, cursor_here(cursor), "there are too many terms");
		if (!take_term(cursor, &terms->terms[terms->count]))
			return false;
		terms->count++;
		cursor_skip_blanks(cursor);
		if (*cursor_here(cursor) == '\0')
			return true;
		if (*cursor_here(cursor) != ',')
			return cursor_fail(cursor, cursor_here(cursor),
					   "a comma is missing between two terms");
		cursor->at++;
		cursor_skip_blanks(cursor);
	}
}

/* "N" or "N-M": numbers of bits, 0 to 63. NULL, or what is wrong with it. */
static const char *take_range(const char **at, uint64_t *mask)
{
	unsigned long first, last;
	char *end;

	if (!isdigit((unsigned char)**at))
		return "a bit's number is missing";
	first = last = strtoul(*at, &end, 10);
	if (*end == '-') {
		if (!isdigit((unsigned char)end[1]))
			return "a bit's number is missing";
		last = strtoul(end + 1, &end, 10);
	}
	if (first > 63 || last > 63)
		return "it has more than 64 bits";
	if (last < first)
		return "a range of bits runs backwards";
	*mask |= (UINT64_MAX >> (63 - (last - first))) << first;
	*at = end;
	return NULL;
}

/* Up to the colon; returns what is behind it. NULL: it is another word. */
static const char *take_format_word(const char *text, enum format_word *word)
{
	static const char *const words[FORMAT_WORDS] = {[FORMAT_CONFIG] = "config",
							[FORMAT_CONFIG1] = "config1",
							[FORMAT_CONFIG2] = "config2"};
	const size_t length = strcspn(text, ":");

	for (size_t i = 0; i < FORMAT_WORDS; i++) {
		if (strlen(words[i]) == length && strncmp(text, words[i], length) == 0) {
			*word = (enum format_word)i;
			return text + length + (text[length] == ':');
		}
	}
	return NULL;
}

bool format_parse(const char *text, struct format *format, const char **message)
{
	const char *at;

	*format = (struct format){.word = FORMAT_CONFIG};
	at = take_format_word(text, &format->word);
	*message = at ? take_range(&at, &format->mask)
		      : "it is in a word of the attribute that perftop does not know";
	while (!*message && *at == ',') {
		at++;
		*message = take_range(&at, &format->mask);
	}
	if (!*message && at[strspn(at, " \t\n")] != '\0')
		*message = "its format cannot be read";
	return !*message;
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
