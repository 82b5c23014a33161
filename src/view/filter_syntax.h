#ifndef PERFTOP_VIEW_FILTER_SYNTAX_H
#define PERFTOP_VIEW_FILTER_SYNTAX_H

/*
 * The words and signs of filter expressions (filter.h). Pure: which columns there are is not known
 * here.
 *
 * Nothing is computed in a filter, so that a minus is always part of a name or of a number.
 */

#include <stdbool.h>
#include <stddef.h>

enum filter_sign {
	FILTER_SIGN_NONE, /* a word, or a quoted text */
	FILTER_SIGN_END,
	FILTER_SIGN_OPEN,
	FILTER_SIGN_CLOSE,
	FILTER_SIGN_NOT,
	FILTER_SIGN_AND,
	FILTER_SIGN_OR,
	/* comparisons */
	FILTER_SIGN_EQUAL,
	FILTER_SIGN_UNEQUAL,
	FILTER_SIGN_LESS,
	FILTER_SIGN_LESS_OR_EQUAL,
	FILTER_SIGN_GREATER,
	FILTER_SIGN_GREATER_OR_EQUAL,
	FILTER_SIGN_MATCH,
	FILTER_SIGN_NO_MATCH
};

/* What stands somewhere in the text, which it borrows. */
struct filter_piece {
	const char *text;
	size_t length;
	size_t position; /* in the whole text, of what was typed for it */
	char quote;      /* that was around it and is left out; none: 0 */
};

/*
 * A copy for the caller to free. Between double quotes a backslash takes the meaning off a quote
 * and off a backslash; before anything else, and between single quotes, it is one.
 */
char *filter_piece_copy(const struct filter_piece *piece);

size_t filter_syntax_blanks(const char *text);

/* The sign that the text begins with, and its bytes. */
enum filter_sign filter_syntax_sign(const char *text, size_t *length);
bool filter_sign_compares(enum filter_sign sign);

/* Bytes of the name or word that the text begins with; 0: it begins with none. */
size_t filter_syntax_name(const char *text);

/* The same where it may be the text of an event, with signs between two slashes:
 * cpu/event=0x3c,umask=0/ */
size_t filter_syntax_event(const char *text);

/* Bytes of a value behind a comparison, which may have signs in it; 0: there is none. */
size_t filter_syntax_value(const char *text);

/* Bytes of the quoted text that the text begins with, quotes included; 0: it begins with none, or
 * it does not end. */
size_t filter_syntax_quoted(const char *text);

/* Whether the line means an expression rather than a plain word. */
bool filter_syntax_is_expression(const char *text);

#endif
