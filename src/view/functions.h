#ifndef PERFTOP_VIEW_FUNCTIONS_H
#define PERFTOP_VIEW_FUNCTIONS_H

/*
 * In which functions the sampled tasks were: a list with a row for each, trees of who calls what,
 * a flame graph; or as lists of their objects, of the threads, and of their lines of source. Each
 * has what the function took by itself, and with all that it called. What is known of a function is
 * asked for when rows are made and when a cell is: its name may be found out later.
 */

#include <stdbool.h>
#include <stdint.h>

#include "view/request.h"

struct session;
struct strbuf;
struct view_info;
struct view_row;

/*
 * What a row is of. Functions that were inlined are as perf report has them: trees and stacks have
 * each below the one into which it was inlined, and the innermost has the samples; in a list the
 * function that has the code has them.
 */
enum calls_by {
	CALLS_BY_FUNCTION, /* that has code */
	CALLS_BY_FRAME,    /* the same, or a function that was inlined */
	CALLS_BY_OBJECT,   /* a program, a library, the kernel */
	CALLS_BY_THREAD,
	CALLS_BY_LINE /* of source; a function whose lines are not known is one */
};

struct function {
	enum calls_by by;
	uint32_t whole;   /* number of the one that has its code; 0: it is that itself */
	uint32_t number;  /* of an object: that of a function in it; of a thread 0; of a line its
			     own (struct function_name) */
	int32_t pid, tid; /* of a thread */
	uint64_t time_ns; /* of an interval in which it was seen */
	uint64_t self_samples, self_weight;   /* in it */
	uint64_t total_samples, total_weight; /* in it or in what it called */
	uint64_t all_weight;                  /* of all functions */
	uint64_t left_out_weight;             /* of that: in totals only (call_tree.h) */
	uint64_t broken_weight;               /* of stacks that broke off (call_tree.h) */
	uint32_t mapping;                     /* where most of its data was that the samples are
						 about: a number of which the object says it; 0: not
						 known */
	uint64_t mapping_weight;              /* of self_weight: there */
	uint32_t mappings;                    /* all of these (call_tree.h) */
	const char *interpreted;              /* what has no names in some of all (names.h); NULL */
	uint64_t branches, mispredicted;      /* of those in it that say whether they were; 0 and 0:
						 none do, or it is no row of a list of functions */
	bool is_estimate;                     /* its weights are: not each switch was sampled */
	uint64_t *counts; /* of the rows' vectors: what was counted in it, by estimate; NULL:
			     nothing */
};

/* Whether the row is one function, not a sum of several. */
static inline bool function_has_name(const struct function *function)
{
	return function->by == CALLS_BY_FUNCTION || function->by == CALLS_BY_LINE;
}

/* The words of the setting `calls`. */
enum functions_form {
	FUNCTIONS_LIST,
	FUNCTIONS_CALLEES,
	FUNCTIONS_CALLERS,
	FUNCTIONS_FLAME,
	FUNCTIONS_OBJECTS,
	FUNCTIONS_THREADS,
	FUNCTIONS_LINES,
	FUNCTIONS_BRANCHES, /* not of functions: each branch from one place to another */
	FUNCTIONS_FORMS
};

/* The words of the setting `call-graph`. */
enum call_graph {
	CALL_GRAPH_FP,
	CALL_GRAPH_LBR,
	CALL_GRAPH_DWARF,
	CALL_GRAPH_DWARF_16K,
	CALL_GRAPH_DWARF_32K
};

/* Bytes of the stack that go with a sample; 0: none. */
uint32_t call_graph_stack_bytes(enum call_graph call_graph);

/* The next list: of functions, objects, threads, lines, and branches where there are some. */
int functions_next_list(int form, bool has_branches);

/* Functions as stacks have them, in a list; it is in no menu. */
extern const struct view_info view_frames;

/*
 * Appends "callers unknown: 71.5 % (no frame pointers: --call-graph dwarf)", and what has no names
 * since its interpreter writes no map of them, given any row (NULL: there is none). False: nothing
 * of that is so, or rows are not of stacks.
 */
bool functions_write_unknown(struct strbuf *out, const struct view_row *row,
			     const struct session *session, enum view_samples samples);

#endif
