#ifndef PERFTOP_VIEW_FUNCTION_ADDRESSES_H
#define PERFTOP_VIEW_FUNCTION_ADDRESSES_H

/* Where in one function its samples are. */

#include <stddef.h>
#include <stdint.h>

struct function_names;
struct snapshot;
struct sample_filter;
struct view_request;

/* Samples at one address of a function. */
struct function_address {
	uint64_t at; /* struct record_sample */
	uint64_t samples, weight;
};

struct function_addresses {
	struct function_address *items; /* owned; by address, those that have one */
	size_t count, capacity;
	uint64_t samples, weight; /* of the function by itself */
	uint64_t all_weight;      /* of all functions */
};

/* Fills an empty one with the samples of the function with this number, as the rows have them. */
void functions_find_addresses(struct function_addresses *addresses,
			      const struct view_request *request,
			      const struct sample_filter *samples_of,
			      const struct snapshot *snapshot, const struct function_names *names,
			      uint32_t number);
void function_addresses_fini(struct function_addresses *addresses);

#endif
