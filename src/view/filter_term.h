#ifndef PERFTOP_VIEW_FILTER_TERM_H
#define PERFTOP_VIEW_FILTER_TERM_H

/* One test of a row: a comparison, or a word that must occur in it. filter.c joins tests. */

#include <stdbool.h>
#include <stddef.h>

#include "view/cell.h"
#include "view/column.h"

struct actor;
struct column;
struct error;

#define FILTER_TAGGED "tagged"

/* What a comparison accepts; bits. */
enum {
	COMPARE_LESS = 1 << 0,
	COMPARE_EQUAL = 1 << 1,
	COMPARE_GREATER = 1 << 2,
	COMPARE_MATCH = 1 << 3,   /* a regular expression */
	COMPARE_NEGATED = 1 << 4, /* negates the rest */
	COMPARE_ORDERS = COMPARE_LESS | COMPARE_GREATER
};

/* A part of the text, which it borrows. */
struct filter_piece {
	const char *text;
	size_t length;
	size_t position; /* in the whole text, of what was typed for it */
	char quote;      /* that was around it and is left out; none: 0 */
};

/*
 * A copy for the caller to free. Between double quotes a backslash escapes a quote or a backslash;
 * elsewhere it is an ordinary character.
 */
char *filter_piece_copy(const struct filter_piece *piece);

/* A comparison as it was typed. */
struct filter_comparison {
	struct filter_piece name, sign, value;
	unsigned int compares;
};

struct filter_operand {
	struct cell_column column;
	double number; /* in the column's unit; NaN: the value is no number */
};

struct filter_term {
	enum {
		TERM_COMPARES,
		TERM_WORD,
		TERM_TAGGED /* whether the row has a tag */
	} kind;
	unsigned int
		about; /* parties of the row, and what of them; 0: only what the column shows */
	unsigned int compares;
	struct filter_operand operands[2]; /* the second: of rows of switches */
	char *name;                        /* owned; as it was written; NULL: of a word */
	char *text;                        /* owned; the value or the word */
	struct filter_pattern *pattern;    /* owned; of COMPARE_MATCH */
	size_t position;                   /* of the name */
};

/* False: error says what is wrong, *position where it is; the term is empty. */
bool filter_term_init(struct filter_term *term, const struct filter_comparison *typed,
		      struct columns *columns, size_t *position, struct error *error);
void filter_term_fini(struct filter_term *term);

/* The compared name, as it was written, if rows of this kind do not have it; else NULL. */
const char *filter_term_unsupported(const struct filter_term *term, enum row_kind kind);

/* False: it compares an event that this layout does not have. */
bool filter_term_bind(struct filter_term *term, const struct metrics *metrics,
		      const struct layout *layout, size_t *position, struct error *error);

bool filter_term_passes(const struct filter_term *term, const struct cell_source *source,
			const struct view_row *row);

/*
 * For what the kinds of rows say (row_kind.h). Whether a comparison with a task holds for the task
 * of the row, for an actor (NULL: unknown), or for what is called by these words, "nginx 4711".
 */
bool filter_task_fits(const struct filter_term *term, const struct view_row *row);
bool filter_actor_fits(const struct filter_term *term, const struct actor *actor);
bool filter_party_fits(const struct filter_term *term, const char *words);

/* Whether a word is in what is shown of the row's task, of an actor, or in a number (below 0:
 * none). */
bool filter_task_has_word(const struct getter_input *in, const struct view_row *row,
			  const char *word);
bool filter_actor_has_word(const struct actor *actor, const char *word);
bool filter_id_has_word(int32_t id, const char *word);

/*
 * Values that are typed into a filter: numbers with k M G T, %, or a unit of time after them, and
 * regular expressions (POSIX extended, case-insensitive), of which those that would take too much
 * memory or time are refused.
 */

struct filter_pattern; /* opaque */

struct filter_pattern *filter_pattern_create(const char *text, struct error *error);
void filter_pattern_destroy(struct filter_pattern *pattern); /* NULL is allowed */
/* Searches the first 4096 bytes of the text: long command lines could take seconds. */
bool filter_pattern_matches(struct filter_pattern *pattern, const char *text);

/*
 * The number in the unit of the column that it is compared with, which is also its unit if it has
 * none itself. False: it is no number, or of another kind.
 */
bool filter_number_parse(const char *text, const struct column *column, double *number,
			 struct error *error);

#endif
