#ifndef PERFTOP_FAIL_IF_H
#define PERFTOP_FAIL_IF_H

/* The filter of --fail-if: the first row that passes it is the run's error. */

#include <stdbool.h>

#include "view/column.h"

struct app;
struct error;
struct options;
struct view_info;
struct view_request;

struct fail_if {
	const struct options *options; /* without the option none of this does anything */
	struct app *app;
	struct column_list doubtful; /* compared, and never known so far; owned */
};

/* False: the filter is none, or asks what rows of the view do not have. */
bool fail_if_prepare(struct fail_if *fail_if, const struct view_info *view, struct error *error);

/* COLUMN_NEEDS_* of the rows that are asked for. */
unsigned int fail_if_needs(const struct fail_if *fail_if, const struct view_request *request);

/* Whether a row of the interval that has just ended passes, of those asked for; then it is the
 * error. */
bool fail_if_look(struct fail_if *fail_if, const struct view_request *request, struct error *error);

/*
 * What is compared is known to one host at least, before anything is counted or in the interval
 * that each has come to; else no row would ever pass, and the run that checks something would say
 * that all is well. The first host is shown then.
 */
bool fail_if_is_known(const struct fail_if *fail_if, bool has_counted, struct error *error);

#endif
