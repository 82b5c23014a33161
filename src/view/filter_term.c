/*
 * A name means a column, or a party: whoever a row is about. A task's row has one, that of a
 * switch two. What is typed behind the sign is read by what the name's column holds: a text, one of
 * its words, or a number in its unit.
 */

#include "view/filter_term.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/nearest.h"
#include "base/units.h"
#include "model/layout.h"
#include "view/filter_term_parts.h"
#include "view/filter_value.h"

/* What a name means that does not just mean the column of that name. */
struct meaning {
	const char *name;
	const char *column;
	const char *of_switch; /* column in rows of switches, where it is another one */
	enum filter_subject subject;
};

/* clang-format off */
static const struct meaning meanings[] = {
	{"task",    "command", NULL,  SUBJECT_TASK},
	{"command", "command", NULL,  SUBJECT_COMMAND},
	{"name",    "command", NULL,  SUBJECT_COMMAND},
	{"pid",     "pid",     NULL,  SUBJECT_PID},
	{"tid",     "tid",     NULL,  SUBJECT_TID},
	{"prev",    "prev",    NULL,  SUBJECT_PREV},
	{"next",    "next",    NULL,  SUBJECT_NEXT},
	{"victim",  "victim",  NULL,  SUBJECT_VICTIM},
	{"taker",   "taker",   NULL,  SUBJECT_TAKER},
	{"slice",   "slice",   "ran", SUBJECT_COLUMN},
	{"kind",    "how",     NULL,  SUBJECT_COLUMN},
};
/* clang-format on */

enum {
	MEANINGS = sizeof(meanings) / sizeof(meanings[0]),
	NAMES_MAX = 1024
};

void filter_term_destroy(struct filter_term *term)
{
	if (!term)
		return;
	filter_pattern_destroy(term->pattern);
	free(term->name);
	free(term->text);
	free(term);
}

static const struct meaning *find_meaning(const char *name)
{
	for (size_t i = 0; i < MEANINGS; i++)
		if (strcasecmp(meanings[i].name, name) == 0)
			return &meanings[i];
	return NULL;
}

static bool refuse_name(const char *name, struct columns *columns, struct error *error)
{
	const size_t count = columns_count(columns);
	char names[NAMES_MAX], hint[NAMES_MAX + 32];
	struct nearest nearest;

	nearest_init(&nearest, name);
	for (size_t i = 0; i < count; i++)
		nearest_offer(&nearest, columns_get(columns, i)->name);
	for (size_t i = 0; i < MEANINGS; i++)
		if (columns_find(columns, meanings[i].column))
			nearest_offer(&nearest, meanings[i].name);
	nearest_format(&nearest, names, sizeof(names));
	if (names[0] == '\0')
		column_names(names, sizeof(names));
	snprintf(hint, sizeof(hint), "%s: %s", nearest.count > 0 ? "the nearest" : "columns are",
		 names);
	return error_set(error, ERROR_FILTER_NAME, name, hint);
}

static bool find_columns(struct filter_term *term, const char *name, struct columns *columns,
			 struct error *error)
{
	const struct meaning *meaning = find_meaning(name);
	struct cell_column *whole = &term->whole.column;
	struct cell_column *of_switch = &term->of_switch.column;

	whole->column = columns_find(columns, meaning ? meaning->column : name);
	if (!whole->column)
		return refuse_name(name, columns, error);
	if (!meaning) /* of a column that had another name earlier */
		meaning = find_meaning(whole->column->name);
	if (meaning) {
		term->subject = meaning->subject;
		if (meaning->of_switch)
			of_switch->column = columns_find(columns, meaning->of_switch);
	}
	if (!of_switch->column)
		of_switch->column = whole->column;
	return true;
}

/* Whether it compares names, or the number that stands for one. */
static bool is_about_text(const struct filter_term *term)
{
	return term->whole.column.column->words;
}

/* = and its like from what was typed. */
static void take_sign(struct filter_term *term, enum filter_sign sign)
{
	term->is_negated = sign == FILTER_SIGN_UNEQUAL || sign == FILTER_SIGN_NO_MATCH;
	if (sign == FILTER_SIGN_UNEQUAL)
		sign = FILTER_SIGN_EQUAL;
	else if (sign == FILTER_SIGN_NO_MATCH)
		sign = FILTER_SIGN_MATCH;
	term->compares = sign;
}

bool filter_term_fits(const struct filter_term *term, const char *text)
{
	if (term->pattern)
		return filter_pattern_matches(term->pattern, text);
	return strcasecmp(text, term->text) == 0;
}

/* A word that the column never has, or a pattern that none of its words fits, is a slip. */
static bool check_word(const struct filter_term *term, struct error *error)
{
	const struct column *column = term->whole.column.column;
	char words[NAMES_MAX];
	size_t length;

	if (!column->word)
		return true;
	length = (size_t)snprintf(words, sizeof(words), "%.*s is one of", COLUMN_NAME_MAX,
				  term->name);
	for (size_t i = 0; column->word(i); i++) {
		if (filter_term_fits(term, column->word(i)))
			return true;
		if (length < sizeof(words))
			length += (size_t)snprintf(words + length, sizeof(words) - length, "%s %s",
						   i > 0 ? "," : "", column->word(i));
	}
	return error_set(error, ERROR_FILTER_WORD, term->text[0] != '\0' ? term->text : "\"\"",
			 words);
}

/* A text, or the number of a task. */
static bool take_text(struct filter_term *term, struct error *error)
{
	uint64_t number;

	if (term->compares == FILTER_SIGN_MATCH) {
		term->pattern = filter_pattern_create(term->text, error);
		return term->pattern && check_word(term, error);
	}
	if (term->subject != SUBJECT_COLUMN && term->subject != SUBJECT_COMMAND &&
	    units_parse_u64(term->text, 0, INT32_MAX, &number))
		term->whole.number = (double)number;
	return check_word(term, error);
}

static bool take_number(struct filter_term *term, struct error *error)
{
	return filter_number_parse(term->text, term->whole.column.column, &term->whole.number,
				   error) &&
	       filter_number_parse(term->text, term->of_switch.column.column,
				   &term->of_switch.number, error);
}

/* Whether the comparison is one that its column has. */
static bool check_sign(const struct filter_term *term, const char *sign, struct error *error)
{
	const bool is_of_texts = term->compares == FILTER_SIGN_MATCH;
	const bool is_of_numbers = !is_of_texts && term->compares != FILTER_SIGN_EQUAL;

	if (is_about_text(term) && is_of_numbers)
		return error_set(error, ERROR_FILTER_TEXT, term->name, sign);
	if (!is_about_text(term) && is_of_texts)
		return error_set(error, ERROR_FILTER_NO_TEXT, term->name, sign);
	/* to order CPUs by a number means how busy they are */
	if (is_of_numbers && strcmp(term->whole.column.column->name, "cpu") == 0)
		return error_set(error, ERROR_FILTER_CPU, sign, "cpu%");
	return true;
}

static bool take_comparison(struct filter_term *term, const struct filter_comparison *typed,
			    struct columns *columns, size_t *position, struct error *error)
{
	char *sign = filter_piece_copy(&typed->sign);
	bool good;

	take_sign(term, typed->compares);
	*position = typed->name.position;
	good = find_columns(term, term->name, columns, error);
	if (good) {
		*position = typed->sign.position;
		good = check_sign(term, sign, error);
	}
	if (good) {
		*position = typed->value.position;
		good = is_about_text(term) ? take_text(term, error) : take_number(term, error);
	}
	free(sign);
	return good;
}

struct filter_term *filter_term_create(const struct filter_comparison *typed,
				       struct columns *columns, size_t *position,
				       struct error *error)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_COLUMN;
	term->whole.number = term->of_switch.number = NAN;
	term->name = filter_piece_copy(&typed->name);
	term->text = filter_piece_copy(&typed->value);
	term->position = typed->name.position;
	if (take_comparison(term, typed, columns, position, error))
		return term;
	filter_term_destroy(term);
	return NULL;
}

struct filter_term *filter_term_create_word(const char *word)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_WORD;
	term->text = xstrdup(word);
	return term;
}

struct filter_term *filter_term_create_tagged(void)
{
	struct filter_term *term = xcalloc(1, sizeof(*term));

	term->subject = SUBJECT_TAGGED;
	return term;
}

const struct column *filter_term_column(const struct filter_term *term)
{
	return term->whole.column.column;
}

const struct column *filter_term_column_of_switch(const struct filter_term *term)
{
	return term->of_switch.column.column;
}

const char *filter_term_unsupported(const struct filter_term *term, enum row_kind kind)
{
	if (term->subject == SUBJECT_TAGGED)
		return kind == ROW_TASK ? NULL : FILTER_TAGGED;
	const struct column *column =
		kind == ROW_SWITCH ? term->of_switch.column.column : term->whole.column.column;

	return column && !column_is_of(column, kind) ? term->name : NULL;
}

static bool bind(struct filter_operand *operand, const struct metrics *metrics,
		 const struct layout *layout, struct error *error)
{
	const struct column *column = operand->column.column;
	const int event = column->event ? layout_find_event(layout, column->event) : -1;

	if (column->event && (event < 0 || layout->events[event].is_removed))
		return error_set(error, ERROR_FILTER_NOT_COUNTED, column->event, NULL);
	operand->column = cell_column_bind(column, metrics, layout);
	return true;
}

bool filter_term_bind(struct filter_term *term, const struct metrics *metrics,
		      const struct layout *layout, size_t *position, struct error *error)
{
	*position = term->position;
	if (term->subject == SUBJECT_WORD || term->subject == SUBJECT_TAGGED)
		return true;
	return bind(&term->whole, metrics, layout, error) &&
	       bind(&term->of_switch, metrics, layout, error);
}
