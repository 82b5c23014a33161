#ifndef PERFTOP_VIEW_ROWS_EXITED_H
#define PERFTOP_VIEW_ROWS_EXITED_H

/*
 * The row of those who came and went within one interval: what they did, folded into one, and who
 * they were.
 */

#include <stdint.h>

struct rows;
struct rows_input;
struct view_row;

struct exited_sums {
	uint64_t *interval, *total; /* of the rows' vectors */
	uint32_t unknown;
};

/* Adds the row of a task to those that are folded; it borrows its name. */
void rows_fold_exited(struct rows *rows, const struct view_row *row, struct exited_sums *sums);

/* Appends the row of all that were folded, if there are any. */
void rows_add_exited(struct rows *rows, const struct rows_input *input,
		     const struct exited_sums *sums);

#endif
