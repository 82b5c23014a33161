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

struct call_tree;
struct footer_input;
struct function_names;
struct rows_input;
struct snapshot;
struct strbuf;
struct view_info;
struct view_settings;

struct function {
	uint32_t number;
	uint64_t time_ns;                     /* of an interval in which it was seen */
	uint64_t self_samples, self_weight;   /* in it */
	uint64_t total_samples, total_weight; /* in it or in what it called */
	uint64_t all_weight;                  /* of all functions */
	uint64_t *counts; /* of the rows' vectors: what was counted in it, by estimate; NULL:
			     nothing */
};

/* Makes a tree of the samples that the settings ask for, over their window. */
void functions_sum_calls(struct call_tree *callees, const struct rows_input *input);

/* Of the function with this number, or of the path with this id (call_tree.h). */
uint64_t functions_row_id(uint64_t which);

void functions_write_footer(struct strbuf *out, const struct footer_input *input);

/* The words of the setting `calls`. */
enum functions_form {
	FUNCTIONS_LIST,
	FUNCTIONS_CALLEES,
	FUNCTIONS_CALLERS,
	FUNCTIONS_FLAME
};

/* The view of functions in a form (SETTING_UNSET: a list); another view as it is. */
const struct view_info *functions_in_form(const struct view_info *view, int form);

/* Samples at one address of a function. */
struct function_spot {
	uint64_t at; /* struct record_sample */
	uint64_t samples, weight;
};

struct function_spots {
	struct function_spot *items; /* owned; by address; those whose address is known */
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
