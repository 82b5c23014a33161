#ifndef PERFTOP_VIEW_FUNCTIONS_H
#define PERFTOP_VIEW_FUNCTIONS_H

/*
 * In which functions the sampled tasks were: a row for each, with what it took by itself, and with
 * all that it called. What is known of a function is asked for when rows are made and when a cell
 * is: its name may be found out later.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct function {
	uint32_t number;
	uint64_t time_ns;                     /* of an interval in which it was seen */
	uint64_t self_samples, self_weight;   /* in it */
	uint64_t total_samples, total_weight; /* in it or in what it called */
	uint64_t all_weight;                  /* of all functions */
};

#endif
