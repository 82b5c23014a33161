/*
 * Expressions are parsed by recursive descent:
 *
 *	any    = all { "||" all }
 *	all    = one { "&&" one }
 *	one    = "!" one | "(" any ")" | NAME COMPARISON VALUE | WORD
 *
 * into a tree, which is asked of each row. A text that is none, and has no sign of this language in
 * it, is one word, blanks included.
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
#include "view/row_kind.h"
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

struct node {
	enum node_kind {
		NODE_TERM,
		NODE_NOT, /* the left one alone */
		NODE_AND,
		NODE_OR
	} kind;
	struct node *left, *right; /* owned */
	struct filter_term term;
};

struct filter {
	struct node *root;          /* owned */
	struct filter_term **terms; /* owned array of those in the tree, in their order */
	size_t term_count, term_capacity;
	bool is_plain;       /* a word that was not compared or joined */
	struct filter *next; /* owned; of the next part; NULL: this was the last */
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

/* Whether it cannot be meant as one plain word. */
static bool has_signs(const char *text)
{
	return strpbrk(text, "!=<>~()\"'") || strstr(text, "&&") || strstr(text, "||");
}

struct filter_parser {
	const char *text;
	size_t at;
	size_t nesting;
	unsigned int compares; /* of the sign that came last */
	struct columns *columns;
	size_t *position; /* of the fault, for the caller */
	struct error *error;
};

static struct node *parse_any(struct filter_parser *parser);

static void destroy_node(struct node *node)
{
	if (!node)
		return;
	destroy_node(node->left);
	destroy_node(node->right);
	if (node->kind == NODE_TERM)
		filter_term_fini(&node->term);
	free(node);
}

void filter_destroy(struct filter *filter)
{
	while (filter) {
		struct filter *next = filter->next;

		destroy_node(filter->root);
		free(filter->terms);
		free(filter);
		filter = next;
	}
}

static void *fail_here(struct filter_parser *parser, enum error_code code, const char *words)
{
	*parser->position = parser->at;
	error_set(parser->error, code, words, NULL);
	return NULL;
}

static void *fail_at_limit(struct filter_parser *parser, enum error_code code, int limit)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", limit);
	return fail_here(parser, code, number);
}

/* Names the word at which it fails. */
static void *fail_at_word(struct filter_parser *parser, const char *expected)
{
	const char *text = parser->text + parser->at;
	char word[32];

	if (*text == '\0')
		return fail_here(parser, ERROR_FILTER_EXPECTED, expected);
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(text, " \t\n"), text);
	*parser->position = parser->at;
	error_set(parser->error, ERROR_FILTER_UNEXPECTED, word, expected);
	return NULL;
}

/* The sign that comes next, and its bytes. */
static enum sign peek_sign(struct filter_parser *parser, size_t *length)
{
	parser->at += blanks(parser->text + parser->at);
	return find_sign(parser->text + parser->at, length, &parser->compares);
}

static struct node *add_node(enum node_kind kind, struct node *left, struct node *right)
{
	struct node *node = xcalloc(1, sizeof(*node));

	*node = (struct node){.kind = kind, .left = left, .right = right};
	return node;
}

static struct node *add_word(const char *word, bool may_be_tagged)
{
	struct node *node = add_node(NODE_TERM, NULL, NULL);
	const bool is_tagged = may_be_tagged && strcmp(word, FILTER_TAGGED) == 0;

	node->term.kind = is_tagged ? TERM_TAGGED : TERM_WORD;
	node->term.text = is_tagged ? NULL : xstrdup(word);
	return node;
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
		fail_here(parser, is_quote(*text) ? ERROR_FILTER_QUOTE : ERROR_FILTER_EXPECTED,
			  is_quote(*text) ? NULL : expected);
		return false;
	}
	parser->at += length;
	return true;
}

/* NAME COMPARISON VALUE, or a word. */
static struct node *parse_term(struct filter_parser *parser)
{
	struct filter_comparison typed;
	struct node *node;
	size_t length;
	char *word;

	if (!take_piece(parser, name_length(parser), &typed.name, "a column or a word"))
		return NULL;
	if (peek_sign(parser, &length) != SIGN_COMPARES) {
		word = filter_piece_copy(&typed.name);
		node = add_word(word, typed.name.quote == '\0');
		free(word);
		return node;
	}
	typed.compares = parser->compares;
	if (!take_piece(parser, length, &typed.sign, "a comparison"))
		return NULL;
	parser->at += blanks(parser->text + parser->at);
	if (!take_piece(parser, word_length(parser->text + parser->at, ends_value), &typed.value,
			"a value"))
		return NULL;
	node = add_node(NODE_TERM, NULL, NULL);
	if (filter_term_init(&node->term, &typed, parser->columns, parser->position, parser->error))
		return node;
	free(node);
	return NULL;
}

static struct node *parse_brackets(struct filter_parser *parser)
{
	struct node *node = parse_any(parser);
	size_t length;

	if (!node)
		return NULL;
	if (peek_sign(parser, &length) != SIGN_CLOSE) {
		destroy_node(node);
		return fail_at_word(parser, "&&, || or )");
	}
	parser->at += length;
	return node;
}

/* Everything that can nest comes through here. */
static struct node *parse_one(struct filter_parser *parser)
{
	size_t length;
	const enum sign sign = peek_sign(parser, &length);
	struct node *node;

	if (sign == SIGN_NONE)
		return parse_term(parser);
	if (sign != SIGN_NOT && sign != SIGN_OPEN)
		return fail_here(parser, ERROR_FILTER_EXPECTED, "a column or a word");
	if (parser->nesting == FILTER_NESTING_MAX)
		return fail_at_limit(parser, ERROR_FILTER_NESTING, FILTER_NESTING_MAX);
	parser->at += length;
	parser->nesting++;
	node = sign == SIGN_OPEN ? parse_brackets(parser) : parse_one(parser);
	parser->nesting--;
	return node && sign == SIGN_NOT ? add_node(NODE_NOT, node, NULL) : node;
}

/* What is joined by one sign. */
static struct node *parse_joined(struct filter_parser *parser, enum sign sign, enum node_kind kind,
				 struct node *(*parse)(struct filter_parser *parser))
{
	struct node *node = parse(parser);
	size_t length;

	while (node && peek_sign(parser, &length) == sign) {
		struct node *right;

		parser->at += length;
		right = parse(parser);
		if (!right) {
			destroy_node(node);
			return NULL;
		}
		node = add_node(kind, node, right);
	}
	return node;
}

static struct node *parse_all(struct filter_parser *parser)
{
	return parse_joined(parser, SIGN_AND, NODE_AND, parse_one);
}

static struct node *parse_any(struct filter_parser *parser)
{
	return parse_joined(parser, SIGN_OR, NODE_OR, parse_all);
}

/* NULL: it is wrong. */
static struct node *parse_filter(struct filter_parser *parser)
{
	struct node *node;
	size_t length;

	if (strlen(parser->text) > FILTER_BYTES_MAX)
		return fail_at_limit(parser, ERROR_FILTER_LENGTH, FILTER_BYTES_MAX);
	node = parse_any(parser);
	if (node && peek_sign(parser, &length) != SIGN_END) {
		destroy_node(node);
		return fail_at_word(parser, "&& or ||");
	}
	return node;
}

static void gather_terms(struct filter *part, struct node *node)
{
	if (!node)
		return;
	if (node->kind == NODE_TERM) {
		array_reserve(&part->terms, &part->term_capacity, part->term_count + 1,
			      sizeof(*part->terms));
		part->terms[part->term_count++] = &node->term;
	}
	gather_terms(part, node->left);
	gather_terms(part, node->right);
}

/* Each of what && joins becomes a part of its own. Returns where the next one goes. */
static struct filter **add_filter_parts(struct filter **end, struct node *node, bool is_plain)
{
	if (node->kind == NODE_AND) {
		end = add_filter_parts(end, node->left, false);
		end = add_filter_parts(end, node->right, false);
		free(node);
		return end;
	}
	*end = xcalloc(1, sizeof(**end));
	**end = (struct filter){.root = node, .is_plain = is_plain};
	gather_terms(*end, node);
	return &(*end)->next;
}

/* Returns where the next part goes; NULL: error says what is wrong. */
static struct filter **add_filter_line(struct filter **end, const char *line,
				       struct columns *columns, size_t *position,
				       struct error *error)
{
	struct error fault = {0};
	struct filter_parser parser = {
		.text = line,
		.columns = columns,
		.position = position,
		.error = &fault,
	};
	struct node *node = line[0] != '\0' ? parse_filter(&parser) : NULL;
	const bool is_word = !node && line[0] != '\0' && !has_signs(line);

	if (is_word)
		node = add_word(line, false);
	if (node)
		return add_filter_parts(end, node,
					node->kind == NODE_TERM &&
						node->term.kind != TERM_COMPARES &&
						!is_quote(line[blanks(line)]));
	if (line[0] == '\0')
		return end;
	if (error)
		*error = fault;
	return NULL;
}

struct filter *filter_create(const char *text, struct columns *columns, size_t *position,
			     struct error *error)
{
	struct filter *first = NULL, **end = &first, **next;
	bool is_good = true;
	const char *begin = text;

	while (begin) {
		const size_t length = strcspn(begin, "\n");
		char *line = xstrndup(begin, length);
		size_t at;

		next = add_filter_line(end, line, columns, &at, is_good ? error : NULL);
		if (!next && is_good)
			*position = at + (size_t)(begin - text);
		is_good = is_good && next;
		end = next ? next : end;
		free(line);
		begin = begin[length] != '\0' ? begin + length + 1 : NULL;
	}
	return first;
}

const char *filter_last_name(const char *text)
{
	bool is_value = false;

	for (;;) {
		unsigned int compares;
		size_t length;
		enum sign sign;

		text += blanks(text);
		sign = find_sign(text, &length, &compares);
		if (isalpha((unsigned char)*text) && text[length] == '\0')
			sign = SIGN_NONE; /* `and` may go on */
		if (sign == SIGN_NONE)
			length = quoted_length(text);
		if (length == 0)
			length = is_quote(*text)
					 ? strlen(text)
					 : word_length(text, is_value ? ends_value : ends_name);
		if (text[length] == '\0' && (sign == SIGN_NONE || sign == SIGN_END))
			return is_value ? NULL : text + is_quote(*text);
		is_value = sign == SIGN_COMPARES;
		text += length;
	}
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
	bool is_counted = true;
	size_t later;

	for (; filter; filter = filter->next)
		for (size_t i = 0; i < filter->term_count; i++)
			if (!filter_term_bind(filter->terms[i], metrics, layout,
					      is_counted ? position : &later,
					      is_counted ? error : NULL))
				is_counted = false;
	return is_counted;
}

static const char *part_unsupported(const struct filter *part, enum row_kind kind)
{
	const char *unsupported = NULL;

	for (size_t i = 0; i < part->term_count && !unsupported; i++)
		unsupported = filter_term_unsupported(part->terms[i], kind);
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

static bool node_passes(const struct node *node, const struct cell_source *source,
			const struct view_row *row)
{
	switch (node->kind) {
	case NODE_TERM:
		return filter_term_passes(&node->term, source, row);
	case NODE_NOT:
		return !node_passes(node->left, source, row);
	case NODE_AND:
		return node_passes(node->left, source, row) &&
		       node_passes(node->right, source, row);
	case NODE_OR:
		return node_passes(node->left, source, row) ||
		       node_passes(node->right, source, row);
	}
	return true;
}

bool filter_passes(const struct filter *filter, const struct cell_source *source,
		   const struct view_row *row)
{
	while (filter && ((filter->is_plain && source->kinds[row->kind]->is_of_no_task) ||
			  node_passes(filter->root, source, row)))
		filter = filter->next;
	return !filter;
}

const struct column *filter_column(const struct filter *filter, size_t index, enum row_kind kind)
{
	for (; filter; filter = filter->next) {
		for (size_t i = 0; i < filter->term_count; i++) {
			const struct filter_term *term = filter->terms[i];

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
