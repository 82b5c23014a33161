#ifndef PERFTOP_VIEW_FILTER_TERM_PARTS_H
#define PERFTOP_VIEW_FILTER_TERM_PARTS_H

/*
 * A term of a filter, for its own files alone: filter_term.c reads it from what was typed,
 * filter_compare.c holds it against rows.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/cell.h"
#include "view/filter_syntax.h"
#include "view/filter_term.h"

struct filter_pattern;

/* What a term is about. */
enum filter_subject {
	SUBJECT_COLUMN, /* only what the column shows */
	SUBJECT_TASK,   /* name, or number */
	SUBJECT_COMMAND,
	SUBJECT_PID,
	SUBJECT_TID,
	SUBJECT_PREV,
	SUBJECT_NEXT,
	SUBJECT_VICTIM,
	SUBJECT_TAKER,
	SUBJECT_WORD,
	SUBJECT_TAGGED
};

struct filter_operand {
	struct cell_column column;
	double number; /* in the column's unit; NaN: the value is no number */
};

struct filter_term {
	enum filter_subject subject;
	enum filter_sign compares; /* of =, < and ~ and their like */
	bool is_negated;
	struct filter_operand whole, of_switch;
	char *name;                     /* owned; as it was written; NULL: of a word */
	char *text;                     /* owned; the value or the word */
	struct filter_pattern *pattern; /* owned; of ~ */
	size_t position;                /* of the name */
};

/* Whether it is this text that the term wants: the same one, or one that its pattern fits. */
bool filter_term_fits(const struct filter_term *term, const char *text);

#endif
