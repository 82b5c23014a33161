#ifndef PERFTOP_VIEW_FUNCTIONS_H
#define PERFTOP_VIEW_FUNCTIONS_H

/*
 * In which functions the sampled tasks were: a list with a row for each, trees of who calls what,
 * a flame graph. Each has what the function took by itself, and with all that it called. What is
 * known of a function is asked for when rows are made and when a cell is: its name may be found out
 * later.
 */

#include <stdint.h>

struct view_info;

struct function {
	uint32_t number;
	uint64_t time_ns;                     /* of an interval in which it was seen */
	uint64_t self_samples, self_weight;   /* in it */
	uint64_t total_samples, total_weight; /* in it or in what it called */
	uint64_t all_weight;                  /* of all functions */
	uint64_t *counts; /* of the rows' vectors: what was counted in it, by estimate; NULL:
			     nothing */
};

/* The words of the setting `calls`. */
enum functions_form {
	FUNCTIONS_LIST,
	FUNCTIONS_CALLEES,
	FUNCTIONS_CALLERS,
	FUNCTIONS_FLAME
};

/* The view of functions in a form (SETTING_UNSET: a list); another view as it is. */
const struct view_info *functions_in_form(const struct view_info *view, int form);

#endif
