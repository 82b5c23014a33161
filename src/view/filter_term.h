#ifndef PERFTOP_VIEW_FILTER_TERM_H
#define PERFTOP_VIEW_FILTER_TERM_H

/*
 * One test of a row: a comparison, or a word that must occur in it. How tests are joined is
 * filter.c's matter.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"
#include "view/filter_syntax.h"

struct cell_source;
struct column;
struct columns;
struct error;
struct layout;
struct metrics;
struct view_row;

struct filter_term; /* opaque */

#define FILTER_TAGGED "tagged"

/* A comparison as it was typed. */
struct filter_comparison {
	struct filter_piece name, sign, value;
	enum filter_sign compares;
};

/* NULL: error says what is wrong, *position where it stands. */
struct filter_term *filter_term_create(const struct filter_comparison *typed,
				       struct columns *columns, size_t *position,
				       struct error *error);
struct filter_term *filter_term_create_word(const char *word);

/* Whether the row has a tag. */
struct filter_term *filter_term_create_tagged(void);
void filter_term_destroy(struct filter_term *term); /* NULL is allowed */

/* The column that it compares; NULL: it is a word. */
const struct column *filter_term_column(const struct filter_term *term);
const struct column *filter_term_column_of_switch(const struct filter_term *term);

/* What it compares, as it was written, if rows of this kind have nothing of it; else NULL. */
const char *filter_term_unsupported(const struct filter_term *term, enum row_kind kind);

/* False: it compares an event that this layout does not have. */
bool filter_term_bind(struct filter_term *term, const struct metrics *metrics,
		      const struct layout *layout, size_t *position, struct error *error);

bool filter_term_passes(const struct filter_term *term, const struct cell_source *source,
			const struct view_row *row);

#endif
