/*
 * What ends a word depends on where it stands: a name ends before a comparison, a value does not,
 * so that a text with = in it can be looked for without quotes. Both end at blanks, brackets, &&
 * and ||.
 */

#include "view/filter_syntax.h"

#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "view/filter.h"

struct sign {
	const char *text;
	enum filter_sign sign;
};

/* clang-format off */
/* one that another begins with stands behind it */
static const struct sign signs[] = {
	{"(",  FILTER_SIGN_OPEN},
	{")",  FILTER_SIGN_CLOSE},
	{"&&", FILTER_SIGN_AND},
	{"||", FILTER_SIGN_OR},
	{"!=", FILTER_SIGN_UNEQUAL},
	{"!~", FILTER_SIGN_NO_MATCH},
	{"!",  FILTER_SIGN_NOT},
	{"==", FILTER_SIGN_EQUAL},
	{"=~", FILTER_SIGN_MATCH},
	{"=",  FILTER_SIGN_EQUAL},
	{"<=", FILTER_SIGN_LESS_OR_EQUAL},
	{"<",  FILTER_SIGN_LESS},
	{">=", FILTER_SIGN_GREATER_OR_EQUAL},
	{">",  FILTER_SIGN_GREATER},
	{"~",  FILTER_SIGN_MATCH},
};

/* in any case; they end where a word does */
static const struct sign words[] = {
	{"and", FILTER_SIGN_AND},
	{"or",  FILTER_SIGN_OR},
	{"not", FILTER_SIGN_NOT},
};
/* clang-format on */

enum {
	SIGNS = sizeof(signs) / sizeof(signs[0]),
	WORDS = sizeof(words) / sizeof(words[0])
};

char *filter_piece_copy(const struct filter_piece *piece)
{
	char *copy = xstrndup(piece->text, piece->length);
	size_t length = 0;

	if (piece->quote != '"')
		return copy;
	for (size_t i = 0; copy[i] != '\0'; i++) {
		/* all other backslashes are left to regular expressions */
		if (copy[i] == '\\' && (copy[i + 1] == '"' || copy[i + 1] == '\\'))
			i++;
		copy[length++] = copy[i];
	}
	copy[length] = '\0';
	return copy;
}

size_t filter_syntax_blanks(const char *text)
{
	return strspn(text, " \t");
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'';
}

/* Whether a name and a value end here. */
static bool ends_value(const char *text)
{
	return *text == '\0' || strchr(" \t()", *text) || strncmp(text, "&&", 2) == 0 ||
	       strncmp(text, "||", 2) == 0;
}

static bool ends_name(const char *text)
{
	if (*text == '!')
		return text[1] == '=' || text[1] == '~';
	return ends_value(text) || strchr("=<>~", *text);
}

enum filter_sign filter_syntax_sign(const char *text, size_t *length)
{
	*length = 0;
	if (*text == '\0')
		return FILTER_SIGN_END;
	for (size_t i = 0; i < SIGNS; i++) {
		*length = strlen(signs[i].text);
		if (strncmp(text, signs[i].text, *length) == 0)
			return signs[i].sign;
	}
	for (size_t i = 0; i < WORDS; i++) {
		*length = strlen(words[i].text);
		if (strncasecmp(text, words[i].text, *length) == 0 && ends_value(text + *length))
			return words[i].sign;
	}
	*length = 0;
	return FILTER_SIGN_NONE;
}

bool filter_sign_compares(enum filter_sign sign)
{
	return sign >= FILTER_SIGN_EQUAL;
}

size_t filter_syntax_name(const char *text)
{
	size_t length = 0;

	if (is_quote(*text))
		return 0;
	while (!ends_name(text + length))
		length++;
	return length;
}

size_t filter_syntax_event(const char *text)
{
	size_t length = filter_syntax_name(text);
	size_t slashes = 0;
	const char *end;

	for (size_t i = 0; i < length; i++)
		slashes += text[i] == '/';
	end = text + length + strcspn(text + length, "/ \t");
	if (slashes % 2 == 0 || *end != '/')
		return length;
	length = (size_t)(end - text) + 1;
	return length + filter_syntax_name(text + length);
}

size_t filter_syntax_value(const char *text)
{
	size_t length = 0;

	if (is_quote(*text))
		return 0;
	while (!ends_value(text + length))
		length++;
	return length;
}

size_t filter_syntax_quoted(const char *text)
{
	if (!is_quote(*text))
		return 0;
	for (size_t i = 1; text[i] != '\0'; i++) {
		if (text[i] == *text)
			return i + 1;
		if (*text == '"' && text[i] == '\\' && text[i + 1] != '\0')
			i++;
	}
	return 0;
}

/* Bytes of whatever stands here that is no sign. */
static size_t skip_word(const char *text)
{
	size_t length = filter_syntax_quoted(text);

	if (length == 0)
		length = filter_syntax_name(text);
	return length > 0 ? length : 1;
}

/* Whether a word that may join others does: something must be there for it to join. */
static bool joins(const char *text, size_t at, size_t length)
{
	const bool is_first = at == filter_syntax_blanks(text);
	const bool is_last = text[at + length + filter_syntax_blanks(text + at + length)] == '\0';
	const bool is_not = (text[at] | ' ') == 'n';

	return !is_last && is_first == is_not;
}

bool filter_syntax_is_expression(const char *text)
{
	size_t at = filter_syntax_blanks(text);
	size_t length;

	if (is_quote(text[at]))
		return true;
	for (;; at += length + filter_syntax_blanks(text + at + length)) {
		const enum filter_sign sign = filter_syntax_sign(text + at, &length);

		const bool is_word = strchr("aonAON", text[at]);

		if (sign == FILTER_SIGN_END)
			return false;
		if (sign == FILTER_SIGN_NONE)
			length = skip_word(text + at);
		else if (is_word ? joins(text, at, length) : sign > FILTER_SIGN_CLOSE)
			return true;
	}
}
