/*
 * Expressions are parsed by recursive descent:
 *
 *	any    = all { "||" all }
 *	all    = one { "&&" one }
 *	one    = "!" one | "(" any ")" | NAME COMPARISON VALUE | WORD
 *
 * into steps that are done one after the other and keep one answer: the test of a term sets it, and
 * a jump leaves out what cannot change it any more. So evaluation neither nests nor allocates.
 *
 * What ends a word depends on where it is: a name ends before a comparison, a value does not, so
 * that a text with = in it can be looked for without quotes. Both end at blanks, brackets, && and
 * ||. Nothing is computed in a filter, so that a minus is always part of a name or of a number.
 */

#include "view/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "view/filter_term.h"
#include "view/table.h"

enum sign {
	SIGN_NONE, /* a word, or a quoted text */
	SIGN_END,
	SIGN_OPEN,
	SIGN_CLOSE,
	SIGN_NOT,
	SIGN_AND,
	SIGN_OR,
	SIGN_COMPARES
};

struct sign_text {
	const char *text;
	enum sign sign;
	unsigned int compares;
};

/* clang-format off */
/* a sign that begins another one comes after it */
static const struct sign_text signs[] = {
	{"(",  SIGN_OPEN,     0},
	{")",  SIGN_CLOSE,    0},
	{"&&", SIGN_AND,      0},
	{"||", SIGN_OR,       0},
	{"!=", SIGN_COMPARES, COMPARE_EQUAL | COMPARE_NEGATED},
	{"!~", SIGN_COMPARES, COMPARE_MATCH | COMPARE_NEGATED},
	{"!",  SIGN_NOT,      0},
	{"==", SIGN_COMPARES, COMPARE_EQUAL},
	{"=~", SIGN_COMPARES, COMPARE_MATCH},
	{"=",  SIGN_COMPARES, COMPARE_EQUAL},
	{"<=", SIGN_COMPARES, COMPARE_LESS | COMPARE_EQUAL},
	{"<",  SIGN_COMPARES, COMPARE_LESS},
	{">=", SIGN_COMPARES, COMPARE_GREATER | COMPARE_EQUAL},
	{">",  SIGN_COMPARES, COMPARE_GREATER},
	{"~",  SIGN_COMPARES, COMPARE_MATCH},
	/* in any case; they end where a word does */
	{"and", SIGN_AND,     0},
	{"or",  SIGN_OR,      0},
	{"not", SIGN_NOT,     0},
};
/* clang-format on */

enum {
	SIGNS = sizeof(signs) / sizeof(signs[0])
};

struct step {
	enum step_kind {
		STEP_TEST,   /* index: of the term */
		STEP_NEGATE, /* the answer */
		STEP_LEAVE_IF,
		STEP_LEAVE_UNLESS /* index: of the step to go on with */
	} kind;
	size_t index;
};

struct filter {
	struct filter_term *terms; /* owned */
	size_t term_count, term_capacity;
	struct step *steps; /* owned; none: all rows pass */
	size_t step_count, step_capacity;
	bool is_plain;       /* a word that was not compared or joined */
	struct filter *next; /* owned; of the next line; NULL: this was the last */
};

static size_t blanks(const char *text)
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

/* The sign that the text begins with, its bytes, and what a comparison accepts. */
static enum sign find_sign(const char *text, size_t *length, unsigned int *compares)
{
	*length = 0;
	if (*text == '\0')
		return SIGN_END;
	for (size_t i = 0; i < SIGNS; i++) {
		*length = strlen(signs[i].text);
		*compares = signs[i].compares;
		if (strncasecmp(text, signs[i].text, *length) == 0 &&
		    (!isalpha((unsigned char)*text) || ends_value(text + *length)))
			return signs[i].sign;
	}
	*length = 0;
	return SIGN_NONE;
}

/* Bytes before the first place where `ends` is true; 0: a quoted text is there, or nothing. */
static size_t word_length(const char *text, bool (*ends)(const char *text))
{
	size_t length = 0;

	while (!is_quote(*text) && !ends(text + length))
		length++;
	return length;
}

/* Bytes of a name that may be the text of an event, with signs between two slashes:
 * cpu/event=0x3c,umask=0/ */
static size_t event_text_length(const char *text)
{
	size_t length = word_length(text, ends_name);
	size_t slashes = 0;
	const char *end;

	for (size_t i = 0; i < length; i++)
		slashes += text[i] == '/';
	end = text + length + strcspn(text + length, "/ \t");
	if (slashes % 2 == 0 || *end != '/')
		return length;
	length = (size_t)(end - text) + 1;
	return length + word_length(text + length, ends_name);
}

/*
 * Bytes of the quoted text at the beginning, quotes included; 0: there is none, or it does not end.
 */
static size_t quoted_length(const char *text)
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

/* Bytes of the next word, quoted or not, and at least one. */
static size_t skip_word(const char *text)
{
	size_t length = quoted_length(text);

	if (length == 0)
		length = word_length(text, ends_name);
	return length > 0 ? length : 1;
}

/* Whether a word that can join others does so here: it must be between two. */
static bool joins(const char *text, size_t at, size_t length)
{
	const bool is_first = at == blanks(text);
	const bool is_last = text[at + length + blanks(text + at + length)] == '\0';
	const bool is_not = (text[at] | ' ') == 'n';

	return !is_last && is_first == is_not;
}

/* Whether a line means an expression rather than a plain word. */
static bool line_is_expression(const char *text)
{
	size_t at = blanks(text);
	unsigned int compares;
	size_t length;

	if (is_quote(text[at]))
		return true;
	for (;; at += length + blanks(text + at + length)) {
		const enum sign sign = find_sign(text + at, &length, &compares);
		const bool is_word = strchr("aonAON", text[at]);

		if (sign == SIGN_END)
			return false;
		if (sign == SIGN_NONE)
			length = skip_word(text + at);
		else if (is_word ? joins(text, at, length) : sign > SIGN_CLOSE)
			return true;
	}
}

struct filter_parser {
	const char *text;
	size_t at;
	size_t nesting;
	unsigned int compares; /* of the sign that came last */
	struct columns *columns;
	struct filter *filter;
	size_t *position; /* of the fault, for the caller */
	struct error *error;
};

static bool parse_any(struct filter_parser *parser);

void filter_destroy(struct filter *filter)
{
	while (filter) {
		struct filter *next = filter->next;

		for (size_t i = 0; i < filter->term_count; i++)
			filter_term_fini(&filter->terms[i]);
		free(filter->terms);
		free(filter->steps);
		free(filter);
		filter = next;
	}
}

static bool fail_here(struct filter_parser *parser, enum error_code code, const char *words)
{
	*parser->position = parser->at;
	return error_set(parser->error, code, words, NULL);
}

static bool fail_at_limit(struct filter_parser *parser, enum error_code code, int limit)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", limit);
	return fail_here(parser, code, number);
}

/* Names the word at which it fails. */
static bool fail_at_word(struct filter_parser *parser, const char *expected)
{
	const char *text = parser->text + parser->at;
	char word[32];

	if (*text == '\0')
		return fail_here(parser, ERROR_FILTER_EXPECTED, expected);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " \t\n"), text);
	*parser->position = parser->at;
	return error_set(parser->error, ERROR_FILTER_UNEXPECTED, word, expected);
}

/* The sign that comes next, and its bytes. */
static enum sign peek_sign(struct filter_parser *parser, size_t *length)
{
	parser->at += blanks(parser->text + parser->at);
	return find_sign(parser->text + parser->at, length, &parser->compares);
}

static size_t add_step(struct filter *filter, enum step_kind kind, size_t index)
{
	array_reserve(&filter->steps, &filter->step_capacity, filter->step_count + 1,
		      sizeof(*filter->steps));
	filter->steps[filter->step_count] = (struct step){kind, index};
	return filter->step_count++;
}

static void add_term(struct filter *filter, const struct filter_term *term)
{
	array_reserve(&filter->terms, &filter->term_capacity, filter->term_count + 1,
		      sizeof(*filter->terms));
	filter->terms[filter->term_count] = *term;
	add_step(filter, STEP_TEST, filter->term_count++);
}

static void add_word(struct filter *filter, const char *word, bool may_be_tagged)
{
	struct filter_term term = {.kind = TERM_WORD};

	if (may_be_tagged && strcmp(word, FILTER_TAGGED) == 0)
		term.kind = TERM_TAGGED;
	else
		term.text = xstrdup(word);
	add_term(filter, &term);
}

/* Bytes of the longest name of an event here that has signs in it, and a column; or 0. */
static size_t event_length(const struct filter_parser *parser)
{
	const char *text = parser->text + parser->at;
	const size_t count = columns_count(parser->columns);
	size_t best = 0;

	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(parser->columns, i);
		const size_t length = strlen(column->name);

		if (column->event && length > best && strncmp(text, column->name, length) == 0 &&
		    word_length(text + length, ends_name) == 0)
			best = length;
	}
	return best;
}

static bool is_column(const struct filter_parser *parser, size_t length)
{
	char name[COLUMN_NAME_MAX];

	if (length >= sizeof(name))
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)length, parser->text + parser->at);
	return columns_find(parser->columns, name);
}

static size_t name_length(const struct filter_parser *parser)
{
	const char *text = parser->text + parser->at;
	const size_t length = word_length(text, ends_name);
	const size_t of_event = length > 0 ? event_length(parser) : 0;

	if (of_event > length)
		return of_event;
	/* "sw/s" has a slash, too */
	return is_column(parser, length) ? length : event_text_length(text);
}

/* A name, word or value: in quotes, or `length` bytes. */
static bool take_piece(struct filter_parser *parser, size_t length, struct filter_piece *piece,
		       const char *expected)
{
	const char *text = parser->text + parser->at;
	const size_t quoted = quoted_length(text);

	*piece = (struct filter_piece){.text = text, .length = length, .position = parser->at};
	if (quoted > 0) {
		piece->text++;
		piece->length = quoted - 2;
		piece->quote = *text;
		length = quoted;
	} else if (length == 0) {
		return *text == '"' || *text == '\''
			       ? fail_here(parser, ERROR_FILTER_QUOTE, NULL)
			       : fail_here(parser, ERROR_FILTER_EXPECTED, expected);
	}
	parser->at += length;
	return true;
}

/* NAME COMPARISON VALUE, or a word. */
static bool parse_term(struct filter_parser *parser)
{
	struct filter_comparison typed;
	struct filter_term term;
	size_t length;
	char *word;

	if (!take_piece(parser, name_length(parser), &typed.name, "a column or a word"))
		return false;
	if (peek_sign(parser, &length) != SIGN_COMPARES) {
		word = filter_piece_copy(&typed.name);
		add_word(parser->filter, word, typed.name.quote == '\0');
		free(word);
		return true;
	}
	typed.compares = parser->compares;
	if (!take_piece(parser, length, &typed.sign, "a comparison"))
		return false;
	parser->at += blanks(parser->text + parser->at);
	if (!take_piece(parser, word_length(parser->text + parser->at, ends_value), &typed.value,
			"a value"))
		return false;
	if (!filter_term_init(&term, &typed, parser->columns, parser->position, parser->error))
		return false;
	add_term(parser->filter, &term);
	return true;
}

static bool parse_brackets(struct filter_parser *parser)
{
	size_t length;

	if (!parse_any(parser))
		return false;
	if (peek_sign(parser, &length) != SIGN_CLOSE)
		return fail_at_word(parser, "&&, || or )");
	parser->at += length;
	return true;
}

/* All nesting goes through this function. */
static bool parse_one(struct filter_parser *parser)
{
	size_t length;
	const enum sign sign = peek_sign(parser, &length);
	bool good;

	if (sign == SIGN_NONE)
		return parse_term(parser);
	if (sign != SIGN_NOT && sign != SIGN_OPEN)
		return fail_here(parser, ERROR_FILTER_EXPECTED, "a column or a word");
	if (parser->nesting == FILTER_NESTING_MAX)
		return fail_at_limit(parser, ERROR_FILTER_NESTING, FILTER_NESTING_MAX);
	parser->at += length;
	parser->nesting++;
	good = sign == SIGN_OPEN ? parse_brackets(parser) : parse_one(parser);
	parser->nesting--;
	if (good && sign == SIGN_NOT)
		add_step(parser->filter, STEP_NEGATE, 0);
	return good;
}

/* Parses what is joined by one sign: once the answer is known the rest is skipped. */
static bool parse_joined(struct filter_parser *parser, enum sign joint, enum step_kind leave,
			 bool (*parse)(struct filter_parser *parser))
{
	struct filter *filter = parser->filter;
	size_t length, last = SIZE_MAX;
	bool good = parse(parser);

	while (good && peek_sign(parser, &length) == joint) {
		parser->at += length;
		last = add_step(filter, leave, last);
		good = parse(parser);
	}
	while (last != SIZE_MAX) {
		const size_t before = filter->steps[last].index;

		filter->steps[last].index = filter->step_count;
		last = before;
	}
	return good;
}

static bool parse_all(struct filter_parser *parser)
{
	return parse_joined(parser, SIGN_AND, STEP_LEAVE_UNLESS, parse_one);
}

static bool parse_any(struct filter_parser *parser)
{
	return parse_joined(parser, SIGN_OR, STEP_LEAVE_IF, parse_all);
}

/* Each operand of && becomes a filter of its own. */
static bool parse_filters(struct filter_parser *parser)
{
	size_t length;

	for (;;) {
		if (!parse_one(parser))
			return false;
		if (peek_sign(parser, &length) != SIGN_AND)
			return true;
		parser->at += length;
		parser->filter = parser->filter->next = xcalloc(1, sizeof(*parser->filter));
	}
}

/* Operands of || are one filter, which is known when the sign comes. NULL: a fault. */
static struct filter *parse(struct filter_parser *parser)
{
	struct filter *first = parser->filter = xcalloc(1, sizeof(*first));
	size_t length;
	bool good;

	if (strlen(parser->text) > FILTER_BYTES_MAX) {
		good = fail_at_limit(parser, ERROR_FILTER_LENGTH, FILTER_BYTES_MAX);
	} else {
		good = parse_filters(parser);
		if (good && peek_sign(parser, &length) == SIGN_OR) {
			filter_destroy(first);
			first = parser->filter = xcalloc(1, sizeof(*first));
			parser->at = 0;
			good = parse_any(parser);
		}
	}
	if (good && (peek_sign(parser, &length) == SIGN_END || fail_at_word(parser, "&& or ||")))
		return first;
	filter_destroy(first);
	return NULL;
}

struct filter *filter_create_plain(const char *text)
{
	struct filter *filter = xcalloc(1, sizeof(*filter));

	filter->is_plain = true;
	if (text[0] != '\0')
		add_word(filter, text, true);
	return filter;
}

bool filter_is_expression(const char *text)
{
	bool is_one = false;

	while (text && !is_one) {
		const size_t length = strcspn(text, "\n");
		char *line = xstrndup(text, length);

		is_one = line_is_expression(line);
		free(line);
		text = text[length] != '\0' ? text + length + 1 : NULL;
	}
	return is_one;
}

static struct filter *create_line(const char *text, struct columns *columns, size_t *position,
				  struct error *error)
{
	struct filter_parser parser = {
		.text = text,
		.columns = columns,
		.position = position,
		.error = error,
	};

	return line_is_expression(text) ? parse(&parser) : filter_create_plain(text);
}

/* is_lenient: a line that cannot be understood is a plain word. */
static struct filter *create_lines(const char *text, struct columns *columns, bool is_lenient,
				   size_t *position, struct error *error)
{
	struct filter *first = NULL;
	struct filter **end = &first;
	const char *begin = text;

	while (begin) {
		const size_t length = strcspn(begin, "\n");
		char *line = xstrndup(begin, length);

		*end = create_line(line, columns, position, error);
		if (!*end && is_lenient)
			*end = filter_create_plain(line);
		free(line);
		if (!*end) {
			*position += (size_t)(begin - text);
			filter_destroy(first);
			return NULL;
		}
		while (*end)
			end = &(*end)->next;
		begin = begin[length] != '\0' ? begin + length + 1 : NULL;
	}
	return first;
}

struct filter *filter_create(const char *text, struct columns *columns, size_t *position,
			     struct error *error)
{
	return create_lines(text, columns, false, position, error);
}

struct filter *filter_create_leniently(const char *text, struct columns *columns)
{
	size_t position;

	return create_lines(text, columns, true, &position, NULL);
}

bool filter_name_at(const char *text, size_t position, char *name, size_t size)
{
	const size_t quoted = quoted_length(text + position);
	const struct filter_piece piece = {
		.text = text + position + (quoted > 0 ? 1 : 0),
		.length = quoted > 0 ? quoted - 2 : event_text_length(text + position),
		.quote = quoted > 0 ? text[position] : '\0',
	};
	char *copy = filter_piece_copy(&piece);
	const int length = snprintf(name, size, "%s", copy);

	free(copy);
	return length >= 0 && (size_t)length < size;
}

bool filter_bind(struct filter *filter, const struct metrics *metrics, const struct layout *layout,
		 size_t *position, struct error *error)
{
	for (; filter; filter = filter->next)
		for (size_t i = 0; i < filter->term_count; i++)
			if (!filter_term_bind(&filter->terms[i], metrics, layout, position, error))
				return false;
	return true;
}

static const char *part_unsupported(const struct filter *part, enum row_kind kind)
{
	const char *unsupported = NULL;

	for (size_t i = 0; i < part->term_count && !unsupported; i++)
		unsupported = filter_term_unsupported(&part->terms[i], kind);
	return unsupported;
}

const char *filter_unsupported(const struct filter *filter, enum row_kind kind, enum row_kind other)
{
	const char *unsupported = NULL;

	for (; filter && !unsupported; filter = filter->next)
		if (part_unsupported(filter, other))
			unsupported = part_unsupported(filter, kind);
	return unsupported;
}

struct filter *filter_take_unsupported(struct filter **filter, enum row_kind kind)
{
	struct filter *taken = NULL;
	struct filter **end = &taken;

	while (*filter) {
		struct filter *part = *filter;

		if (!part_unsupported(part, kind)) {
			filter = &part->next;
			continue;
		}
		*filter = part->next;
		part->next = NULL;
		*end = part;
		end = &part->next;
	}
	return taken;
}

static bool passes_line(const struct filter *filter, const struct cell_source *source,
			const struct view_row *row)
{
	bool answer = true;

	if (filter->is_plain && (row->kind == ROW_CPU || row->kind == ROW_LENGTH))
		return true;
	for (size_t i = 0; i < filter->step_count;) {
		const struct step *step = &filter->steps[i++];

		switch (step->kind) {
		case STEP_TEST:
			answer = filter_term_passes(&filter->terms[step->index], source, row);
			break;
		case STEP_NEGATE:
			answer = !answer;
			break;
		case STEP_LEAVE_IF:
			i = answer ? step->index : i;
			break;
		case STEP_LEAVE_UNLESS:
			i = answer ? i : step->index;
			break;
		}
	}
	return answer;
}

bool filter_passes(const struct filter *filter, const struct cell_source *source,
		   const struct view_row *row)
{
	while (filter && passes_line(filter, source, row))
		filter = filter->next;
	return !filter;
}

const struct column *filter_column(const struct filter *filter, size_t index, enum row_kind kind)
{
	for (; filter; filter = filter->next) {
		for (size_t i = 0; i < filter->term_count; i++) {
			const struct filter_term *term = &filter->terms[i];

			if (term->kind == TERM_COMPARES && index-- == 0)
				return term->operands[kind == ROW_SWITCH].column.column;
		}
	}
	return NULL;
}

unsigned int filter_needs(const struct filter *filter)
{
	const struct column *column;
	unsigned int needs = 0;

	for (size_t i = 0; (column = filter_column(filter, i, ROW_TASK)); i++)
		needs |= column->needs;
	return needs;
}
