#ifndef PERFTOP_VIEW_DIFFERENCE_H
#define PERFTOP_VIEW_DIFFERENCE_H

/*
 * What the rows of a table have more or less than at a mark, which is a snapshot from before. The
 * same row is found there by what it is: a task by its identity, a function by its name and object,
 * a line by these and its place in the source, a branch by these of both its ends and how far they
 * are behind the starts, a call by these on the way to it, all else by its id. What only one of
 * both has is in the other a row that has counted nothing: of an amount 0, of a ratio or a mean no
 * value, and none of what was not known there either. The rows that are compared are all there are,
 * idle ones and those that a filter of rows leaves out, too: what is not shown is not gone.
 */

#include <stdbool.h>

struct cell_mark;
struct columns;
struct rows;
struct rows_input;
struct view_request;

struct difference; /* opaque; reused from build to build */

struct difference *difference_create(void);
void difference_destroy(struct difference *difference); /* NULL is allowed */

/*
 * Why the rows cannot be compared with those at the request's mark: they are not of one interval
 * each, or the same row is not found there. NULL: they can.
 */
const char *difference_refusal(const struct view_request *request);

/* Whether there is a mark that the rows are compared with. */
bool difference_is_shown(const struct view_request *request);

/*
 * Makes the rows of both sides, now and at the request's mark, and appends to `shown`, which are
 * the rows as they are now, those that were shown at the mark and are not now; to a tree of calls
 * only those at its top, to a flame graph none.
 * `columns` is what filters are made with. Returns what cells compare with. All of it is good until
 * the next call.
 */
const struct cell_mark *difference_make(struct difference *difference, const struct rows_input *now,
					struct columns *columns, struct rows *shown);

#endif
