#ifndef PERFTOP_VIEW_FUNCTION_SPOTS_H
#define PERFTOP_VIEW_FUNCTION_SPOTS_H

/* Where in one function its samples are. */

#include <stddef.h>
#include <stdint.h>

struct function;
struct function_names;
struct snapshot;
struct view_settings;

/* Samples at one address of a function. */
struct function_spot {
	uint64_t at; /* struct record_sample */
	uint64_t samples, weight;
};

struct function_spots {
	struct function_spot *items; /* owned; by address, those that have one */
	size_t count, capacity;
	uint64_t samples, weight; /* of the function by itself */
	uint64_t all_weight;      /* of all functions */
};

/* Fills an empty one with the samples of a function, as the rows of the view have them. */
void functions_find_spots(struct function_spots *spots, const struct view_settings *settings,
			  const struct snapshot *snapshot, const struct function_names *names,
			  const struct function *function);
void function_spots_fini(struct function_spots *spots);

#endif
