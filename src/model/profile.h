#ifndef PERFTOP_MODEL_PROFILE_H
#define PERFTOP_MODEL_PROFILE_H

/*
 * What was sampled in an interval: of each task how often it was where, by which calls and on which
 * CPU, on the CPU and off it. Chains share what they have in common: they are paths from a root to
 * a node of a tree, a node a step.
 *
 * The books: the samples of all entries and those left out are all that were fed. What is beyond
 * the bounds is left out and counted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/record.h"

struct layout;
struct slice;

enum {
	PROFILE_NODES_MAX = 1 << 18,
	PROFILE_ENTRIES_MAX = 1 << 17,
	PROFILE_ADDRESSES_MAX = 1 << 16, /* entries beyond have no address and no CPU */
	PROFILE_MOMENTS_MAX = 1 << 18    /* of samples beyond it is not known when they were */
};

/* Called by its parent. */
struct profile_node {
	uint32_t parent;   /* number of a node with a lower number; 0: it is an outermost one */
	uint32_t function; /* number of the function (struct record_sample) */
	uint64_t at;       /* where it calls the next one; 0: not known, or it calls none here */
};

/* Samples of one task with the same chain and kind at one address and on one CPU; of MEMORY that
 * did the same. */
struct profile_entry {
	int32_t pid, tid;
	uint32_t node; /* where it was; 0: not known */
	enum sample_kind kind;
	uint64_t at;      /* struct record_sample */
	uint64_t address; /* likewise */
	int32_t cpu;      /* RECORD_CPU_NONE: not known */
	uint32_t mapping; /* struct record_sample */
	struct memory_access access;
	uint32_t samples;
	uint64_t weight;  /* as in struct record_sample */
	uint64_t latency; /* of that: each sample divided by how many threads of its process ran
			     then */
	uint64_t ns;
	uint32_t counts;     /* its numbers begin there in those of the profile; 0: it has none */
	uint32_t generation; /* of the group that they are of */
	uint16_t group;
	struct record_branch branch; /* of a BRANCH: what was said of it last */
};

/* When a sample on the CPU was taken. */
struct profile_moment {
	uint64_t time_ns;
	uint32_t entry; /* its index */
};

struct profile {
	struct profile_node *nodes; /* owned; by number, the first one is none */
	size_t node_count;
	struct profile_entry *entries; /* owned */
	size_t entry_count;
	uint64_t *numbers; /* owned; what was counted, as of struct slice; the first one is none */
	size_t number_count;
	struct profile_moment *moments; /* owned; as the samples came */
	size_t moment_count;
	uint64_t by;       /* those on the CPU: as in struct record_sample; what was sampled in the
			      interval before it changed is not there */
	uint64_t lost;     /* samples that the kernel could not write */
	uint64_t left_out; /* samples beyond the bounds */
	uint64_t left_out_weight, left_out_latency;
};

/* By hash, where an element is. */
struct profile_slots {
	uint32_t *numbers; /* owned; 0: free */
	size_t count;      /* a power of two */
};

/* Where it is made. An empty one is {0}. */
struct profile_book {
	struct profile profile;
	size_t node_capacity, entry_capacity, number_capacity, moment_capacity;
	struct profile_slots node_slots, entry_slots;
};

void profile_book_fini(struct profile_book *book);

/* For the next interval; memory is kept. */
void profile_book_clear(struct profile_book *book);

/* Enters a RECORD_SAMPLE, with what was counted before it (sampled.h; NULL: it is not known), as
 * one of so many threads of its process that ran (0: that is not known, nothing is latency). */
void profile_book_take(struct profile_book *book, const struct record *record,
		       const struct slice *slice, uint32_t running);

/*
 * Adds to a vector of the layout what was counted at an entry, with the time in which it was.
 * False: nothing was, or the layout is a later one and does not have it.
 */
bool profile_credit(const struct profile *profile, const struct profile_entry *entry,
		    const struct layout *layout, uint64_t *counts);

/* Nothing was sampled, and nothing missed. */
bool profile_is_empty(const struct profile *profile);

#endif
