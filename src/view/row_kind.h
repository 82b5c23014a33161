#ifndef PERFTOP_VIEW_ROW_KIND_H
#define PERFTOP_VIEW_ROW_KIND_H

/*
 * What rows of a kind bring with them: columns that only they have, which are also what a program
 * reads of them (batch), and how a filter reads them. Each is at the end of the file that makes the
 * rows; views.def says which there are.
 */

#include <stdbool.h>
#include <stddef.h>

#include "view/column.h"

struct filter_term;
struct getter_input;
struct view_row;

/* NULL: it has nothing of the kind. */
struct row_kind_info {
	const struct column
		*columns; /* beside those of the table (column_table.h); `rows` is the kind */
	size_t column_count;
	bool is_of_no_task; /* a filter that is only a word lets it pass */
	/* whether a word that was typed is in what the row is about */
	bool (*has_word)(const struct getter_input *in, const struct view_row *row,
			 const char *word);
	/* whether a comparison with a task holds for the one that it is about, or for the second */
	bool (*task_fits)(const struct filter_term *term, const struct view_row *row,
			  bool is_second);
};

/* Each is defined in the file that makes its rows. */
#define KIND(constant, name, counts) extern const struct row_kind_info kind_##name;
#define VIEW(name, kinds)            kinds
#include "view/views.def"
#undef KIND

/*
 * By kind. Files that the files of views call get it from their callers, so that nothing calls in a
 * circle: columns_create(), struct cell_source.
 */
extern const struct row_kind_info *const row_kinds[ROW_KINDS];

#endif
