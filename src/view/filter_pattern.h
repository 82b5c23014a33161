#ifndef PERFTOP_VIEW_FILTER_PATTERN_H
#define PERFTOP_VIEW_FILTER_PATTERN_H

/*
 * Regular expressions that are typed (POSIX extended, without regard to case), kept from those that
 * would take the machine's memory or time.
 */

#include <stdbool.h>

struct error;

struct filter_pattern; /* opaque */

struct filter_pattern *filter_pattern_create(const char *text, struct error *error);
void filter_pattern_destroy(struct filter_pattern *pattern); /* NULL is allowed */
bool filter_pattern_matches(struct filter_pattern *pattern, const char *text);

#endif
