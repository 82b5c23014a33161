#ifndef PERFTOP_VIEW_FILTER_VALUE_H
#define PERFTOP_VIEW_FILTER_VALUE_H

/*
 * Values that are typed into a filter: numbers with k M G T, %, or a unit of time after them, and
 * regular expressions (POSIX extended, case-insensitive), of which those that would take too much
 * memory or time are refused.
 */

#include <stdbool.h>

struct column;
struct error;

struct filter_pattern; /* opaque */

struct filter_pattern *filter_pattern_create(const char *text, struct error *error);
void filter_pattern_destroy(struct filter_pattern *pattern); /* NULL is allowed */
bool filter_pattern_matches(struct filter_pattern *pattern, const char *text);

/*
 * The number in the unit of the column with which it is to be compared; without a unit of its own
 * it is in that one already. False: it is none, or of another kind.
 */
bool filter_number_parse(const char *text, const struct column *column, double *number,
			 struct error *error);

#endif
