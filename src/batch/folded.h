#ifndef PERFTOP_BATCH_FOLDED_H
#define PERFTOP_BATCH_FOLDED_H

/* What the format "folded" keeps from interval to interval of a run: stacks, with their weights. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

struct stack; /* a line without its weight */

/* An empty one is {0}. */
struct stacks {
	struct map by_hash; /* of the first of a list of stacks */
	struct stack *last; /* owned; in the order of their coming */
	size_t count, bytes;
	bool has_old;                                  /* there is another recording */
	uint64_t left_out_weight, left_out_old_weight; /* of what was beyond the bounds */
};

void stacks_fini(struct stacks *stacks);

#endif
