#ifndef PERFTOP_VIEW_ROW_SUMS_H
#define PERFTOP_VIEW_ROW_SUMS_H

/*
 * Rows summed into one: the threads of a process, the branch of a tree, short-lived processes. What
 * a row borrows from the snapshot is copied before anything is added to it.
 *
 * A held task has exited in an earlier interval: what it did then must not be added to what living
 * ones do now. Its interval counts only in a row where all members are held, and so do its
 * slices and waits.
 */

#include <stddef.h>
#include <stdint.h>

struct rows_input;
struct rows;
struct view_row;

/* Before anything is added to the row: it has nothing of its own. */
void row_sums_begin(struct rows *rows, size_t index);

/* Adds everything that `member`, which may be one of the rows, has counted. */
void row_sums_add(struct rows *rows, size_t index, const struct view_row *member);

/* Adds to what was counted since the start. */
void row_sums_add_total(struct rows *rows, size_t index, const uint64_t *counts);

/* For rows_fini(). */
void row_sums_fini(struct rows *rows);

/* For the row of processes that started and exited within the interval, folded into one. */
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
