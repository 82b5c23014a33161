#ifndef PERFTOP_SOURCE_TASKS_MERGE_H
#define PERFTOP_SOURCE_TASKS_MERGE_H

/*
 * The records of many rings as one sequence, the oldest first. Each ring's own order stays. One
 * ring is looked at after another, so the last ones have what is later than all of the first: what
 * is newer than the moment before all of them stays for the next sequence.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sample_offsets;
struct ring;

struct merge_strand {
	struct ring *ring; /* borrowed */
	void *owner;       /* as it was added */
	const void *bytes; /* its next record */
	size_t size;
	uint64_t time_ns;
	size_t rank; /* of those of one time the one that was added first goes first */
};

/* Empty: {0}. */
struct merge {
	struct merge_strand *heap; /* owned; those that have a record, the oldest on top */
	size_t count, capacity;
	size_t added;
	uint64_t until_ns;
	bool top_was_used; /* it was delivered, and moves on at the next call */
};

void merge_fini(struct merge *merge);

/* A new sequence, of no ring yet. Records later than until_ns stay in their rings. */
void merge_begin(struct merge *merge, uint64_t until_ns);

/* Adds a ring that ring_begin() was called for; at any time. */
void merge_add(struct merge *merge, struct ring *ring, void *owner,
	       const struct sample_offsets *offsets);

/* The next record; good until the next call. NULL: there is none. */
const struct merge_strand *merge_next(struct merge *merge, const struct sample_offsets *offsets);

#endif
