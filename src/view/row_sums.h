#ifndef PERFTOP_VIEW_ROW_SUMS_H
#define PERFTOP_VIEW_ROW_SUMS_H

/*
 * Rows that come to one: threads of a process, and what is folded into a row of a tree. What a row
 * borrows from the snapshot is copied before anything is added to it.
 *
 * A held task has exited in an earlier interval: what it did then must not be added to what living
 * ones do now. Its interval counts only in a row all of whose members are held, and so do its
 * slices and waits.
 */

#include <stddef.h>
#include <stdint.h>

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

#endif
