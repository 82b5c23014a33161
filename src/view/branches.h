#ifndef PERFTOP_VIEW_BRANCHES_H
#define PERFTOP_VIEW_BRANCHES_H

/*
 * The branches before samples (perf record -b, or as the processor records them), each from one
 * place to another. Its row is of the function to which it leads, with times in place of samples;
 * `item` is its struct branch.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/record.h"
#include "view/functions.h"
#include "view/table.h"

struct call_tree;
struct getter_input;
struct rows;
struct rows_input;

enum {
	BRANCH_OFFSET_BYTES = 20
};

struct branch {
	struct function function;
	uint64_t id;           /* of its row */
	uint32_t from;         /* number of the function where it is */
	uint64_t mispredicted; /* of its times */
	uint64_t cycles;       /* from the branches before to it; 0: not known */
	struct record_branch said;
	char from_offset[BRANCH_OFFSET_BYTES]; /* "+0x1f" behind the function's start; "" not known
						*/
	char to_offset[BRANCH_OFFSET_BYTES];
	bool has_places; /* the starts of both functions are known */
};

enum branch_number {
	BRANCH_TIMES_PCT,
	BRANCH_MISPREDICTED,
	BRANCH_MISPREDICTED_PCT,
	BRANCH_CYCLES
};

/* NULL: the row is of no branch. */
static inline const struct branch *branch_of(const struct view_row *row)
{
	return row->kind == ROW_FUNCTION ? row->item : NULL;
}

/* What columns show; of rows that are no branches nothing. */
double branch_number(const struct getter_input *in, const struct view_row *row, int part);
struct getter_text branch_from(const struct getter_input *in, const struct view_row *row);
struct getter_text branch_type(const struct getter_input *in, const struct view_row *row);
struct getter_text branch_privilege(const struct getter_input *in, const struct view_row *row);

void branches_make_rows(struct rows *rows, const struct rows_input *input);

/* Gives each function of a list those of the branches that are in it. */
void branches_count_in(struct call_tree *functions, const struct rows_input *input);

#endif
