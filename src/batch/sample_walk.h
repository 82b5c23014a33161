#ifndef PERFTOP_BATCH_SAMPLE_WALK_H
#define PERFTOP_BATCH_SAMPLE_WALK_H

/* The samples of an interval that are asked for, each with the functions of its stack. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "view/sample_scope.h"

struct batch_input;
struct function_names;
struct profile;
struct profile_entry;
struct snapshot_task;

enum {
	SAMPLE_WALK_DEPTH_MAX = 1024
};

struct sample_walk {
	const struct batch_input *input;
	const struct profile *profile; /* NULL: nothing was sampled */
	const struct function_names *names;
	struct sample_scope scope;
	struct map tasks;     /* of the snapshot, by tid */
	struct map functions; /* that a filter lets through, by number */
	/* of the stack that was walked last, from the innermost outwards: */
	uint32_t frames[SAMPLE_WALK_DEPTH_MAX]; /* functions */
	uint64_t at[SAMPLE_WALK_DEPTH_MAX];     /* where in their objects; 0: not known */
	size_t depth;
};

/* May make other rows in the table of the input. */
void sample_walk_init(struct sample_walk *walk, const struct batch_input *input);
void sample_walk_fini(struct sample_walk *walk);

/* Walks the stack of a sample. False: it is not asked for; with a filter those stacks are in which
 * one of its functions is. */
bool sample_walk_take(struct sample_walk *walk, const struct profile_entry *entry);

/* The task of a sample; NULL: not known. */
const struct snapshot_task *sample_walk_task(const struct sample_walk *walk,
					     const struct profile_entry *entry);

#endif
