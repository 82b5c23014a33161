#ifndef PERFTOP_VIEW_FILTER_NUMBER_H
#define PERFTOP_VIEW_FILTER_NUMBER_H

/* Numbers as they are typed into a filter, with k M G T, %, or a unit of time behind them. */

#include <stdbool.h>

struct column;
struct error;

/*
 * The number in the unit of the column with which it is to be compared; without a unit of its own
 * it is in that one already. False: it is none, or of another kind.
 */
bool filter_number_parse(const char *text, const struct column *column, double *number,
			 struct error *error);

#endif
