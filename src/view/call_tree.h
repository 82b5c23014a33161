#ifndef PERFTOP_VIEW_CALL_TREE_H
#define PERFTOP_VIEW_CALL_TREE_H

/*
 * Who calls what, out of samples: a tree of callees, from the outermost calls inwards, merged over
 * intervals; and made from it one of callers, from each function outwards.
 *
 * The books: of callees the self weights of all calls and what was left out are the weight of all;
 * of callers those of each function are what it has as callee, however deep, and totals count a
 * function that calls itself once. What is beyond the bound is in the totals of its callers only.
 *
 * A stack that is followed by frame pointers breaks off in code without them, at addresses where no
 * code is. These are no calls, and what they seem to call is at the top. So does one in which the
 * innermost function of the user has no caller.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "view/functions.h"

struct function_name;
struct function_names;
struct sample_scope;
struct snapshot;
struct vectors;

enum {
	CALL_TREE_MOST = 1 << 17 /* calls */
};

/* A function at the end of one path of calls. */
struct call {
	struct function function; /* with what it has there */
	uint64_t id;              /* of the path; the same in each tree that has it */
	uint32_t parent;          /* index, lower than its own; 0: it is at the top */
};

/* What the samples of a function have in one mapping. */
struct call_mapping {
	uint32_t number; /* struct function */
	uint32_t next;   /* index of another of the same function; 0: it is the last */
	uint64_t weight;
};

/* An empty one is {0}. Memory is kept until it is freed. */
struct call_tree {
	struct call *calls; /* owned; the first is above all and has what all have together */
	size_t count, capacity;
	uint64_t left_out_weight; /* of calls beyond CALL_TREE_MOST */
	uint64_t broken_weight;  /* of stacks that broke off: their outermost calls are not known */
	const char *interpreted; /* what has no names (struct function_name); NULL: nothing */
	/* private: */
	struct vectors *vectors;   /* borrowed */
	struct map by_path;        /* index and function to index */
	struct map by_likeness;    /* to the number of the first one that looks like that */
	struct map by_address;     /* function and address in it to the first of its frames + 1 */
	struct call_frame *frames; /* owned */
	size_t frame_count, frame_capacity;
	struct call_mapping *mappings; /* owned; the first is none */
	size_t mapping_count, mapping_capacity;
	struct map codes;  /* by function: enum code */
	uint32_t *places;  /* owned; of each node of the profile that is added */
	uint32_t *parents; /* owned; the same: the one that calls it, and whether it broke off */
	size_t place_capacity, parent_capacity;
};

/* What is added: the samples of an interval. */
struct call_tree_input {
	const struct snapshot *snapshot; /* with a profile */
	const struct function_names *names;
	enum calls_by by; /* of objects all functions are one; threads have no calls; a line or
			     frame is called by the one in which it was inlined */
	const struct sample_scope *scope; /* says which of them take part, and their weight */
};

/* Equal for all functions of one object, or of one line of source; else 0. */
uint64_t call_tree_likeness(const struct function_name *name, enum calls_by by);

void call_tree_fini(struct call_tree *tree);

/* In this order, intervals in that of time. What is counted goes to vectors of the last layout. */
void call_tree_begin(struct call_tree *callees, struct vectors *vectors);
void call_tree_add(struct call_tree *callees, const struct call_tree_input *input);
void call_tree_finish(struct call_tree *callees);

/* From a finished tree of callees; depth: how many callers, the function itself included. */
void call_tree_invert(struct call_tree *callers, const struct call_tree *callees, size_t depth);

#endif
