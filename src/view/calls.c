/*
 * The other forms of the view of functions: trees of calls, and a flame graph of one. Branches in
 * which little time is spent are folded at first, and of callers all functions are.
 */

#include <stdlib.h>

#include "base/memory.h"
#include "view/call_tree.h"
#include "view/cell.h"
#include "view/functions.h"
#include "view/rows.h"
#include "view/table.h"
#include "view/tree.h"

static const double SMALL_PCT = 1; /* of all samples */

/* Kept with the rows. */
struct call_table {
	struct call_tree callees, callers;
	uint32_t *parents; /* owned; of each row */
	size_t parent_capacity;
};

static void destroy(void *kept)
{
	struct call_table *table = kept;

	call_tree_fini(&table->callees);
	call_tree_fini(&table->callers);
	free(table->parents);
	free(table);
}

static bool is_small(const struct function *function)
{
	return 100.0 * (double)function->total_weight < SMALL_PCT * (double)function->all_weight;
}

/* A row for each call, in the order of the tree; of callers the first have the rows of the list. */
static void append_rows(struct rows *rows, struct call_table *table, struct call_tree *tree)
{
	const bool is_callers = tree == &table->callers;

	array_reserve(&table->parents, &table->parent_capacity, tree->count,
		      sizeof(*table->parents));
	for (size_t i = 1; i < tree->count; i++) {
		struct call *call = &tree->calls[i];
		const bool is_first = is_callers && call->parent == 0;

		table->parents[i - 1] = call->parent > 0 ? call->parent - 1 : TREE_NO_PARENT;
		*rows_append(rows) = (struct view_row){
			.kind = ROW_FUNCTION,
			.id = functions_row_id(is_first ? call->function.number
							: call->id | UINT64_C(1) << 60),
			.pid = -1,
			.tid = -1,
			.function = &call->function,
			.unknown = METRIC_EVENTS_UNKNOWN,
			.is_active = true,
			.branch.folds_first = is_first || is_small(&call->function),
		};
	}
}

/* What passes the filter has its callers above it; a function that does not has no callers. */
static void judge(struct rows *rows, const struct rows_input *input, const uint32_t *parents,
		  bool is_callers)
{
	array_reserve(&rows->fates, &rows->fate_capacity, rows->count, sizeof(*rows->fates));
	for (size_t i = 0; i < rows->count; i++)
		if (is_callers && parents[i] != TREE_NO_PARENT)
			rows->fates[i] = rows->fates[parents[i]];
		else if (rows_pass_filter(&rows->rows[i], input))
			rows->fates[i] = TREE_SHOWN;
		else
			rows->fates[i] = is_callers ? TREE_LEFT_OUT : TREE_IF_NEEDED;
}

static void keep_shown(struct rows *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++)
		if (rows->fates[i] == TREE_SHOWN)
			rows->rows[kept++] = rows->rows[i];
	rows->count = kept;
	tree_keep(rows->tree, rows->fates);
}

static void make_rows(struct rows *rows, const struct rows_input *input, bool is_callers)
{
	struct call_table *table = rows_keep(rows, sizeof(*table), destroy);

	rows_reset(rows, input);
	functions_sum_calls(&table->callees, input);
	if (is_callers)
		call_tree_invert(&table->callers, &table->callees);
	append_rows(rows, table, is_callers ? &table->callers : &table->callees);
	if (!rows->tree)
		rows->tree = tree_create();
	rows->is_tree = true;
	tree_link_known(rows->tree, table->parents, rows->count);
	judge(rows, input, table->parents, is_callers);
	tree_need_ancestors(rows->tree, rows->fates);
	keep_shown(rows);
	rows_fold(rows, input->settings->folds, false);
}

static void make_callees(struct rows *rows, const struct rows_input *input)
{
	make_rows(rows, input, false);
}

static void make_callers(struct rows *rows, const struct rows_input *input)
{
	make_rows(rows, input, true);
}

/* clang-format off */
static const struct view_info callees = {
	.name = "functions",
	.columns = "total%,self%,samples,object,function",
	.essential = "total%,self%,function",
	.sort = "total%",
	.kind = ROW_FUNCTION,
	.filtered = ROW_FUNCTION,
	.has_window = true,
	.is_tree = true,
	.needs = COLUMN_NEEDS_SAMPLES,
	.make_rows = make_callees,
	.write_footer = functions_write_footer,
	.keys = "task,window,samples,next-form,calls flame,fold,sort-right,ask search,ask filter,ask record",
	.help = "In which functions the CPU time is spent, from samples; each under the one that called it.",
};

static const struct view_info callers = {
	.name = "functions",
	.columns = "self%,total%,samples,object,function",
	.essential = "self%,total%,function",
	.sort = "self%",
	.kind = ROW_FUNCTION,
	.filtered = ROW_FUNCTION,
	.has_window = true,
	.is_tree = true,
	.needs = COLUMN_NEEDS_SAMPLES,
	.make_rows = make_callers,
	.write_footer = functions_write_footer,
	.keys = "task,window,samples,next-form,calls flame,fold,sort-right,ask search,ask filter,ask record",
	.help = "In which functions the CPU time is spent, from samples; under each those that called it.",
};

static const struct view_info flame = {
	.name = "functions",
	.columns = "total%,self%,object,function",
	.essential = "total%,self%,function",
	.sort = "total%",
	.fixed_order = "frames are always in the order of their width",
	.kind = ROW_FUNCTION,
	.filtered = ROW_FUNCTION,
	.has_window = true,
	.is_tree = true,
	.is_flame = true,
	.needs = COLUMN_NEEDS_SAMPLES,
	.make_rows = make_callees,
	.write_footer = functions_write_footer,
	.keys = "task,back,window,samples,next-form,flame-colour,ask search,ask filter,ask record",
	.help = "In which functions the CPU time is spent, from samples; as a flame graph.",
};
/* clang-format on */

const struct view_info *functions_in_form(const struct view_info *view, int form)
{
	const struct view_info *const forms[] = {
		[FUNCTIONS_LIST] = &view_functions,
		[FUNCTIONS_CALLEES] = &callees,
		[FUNCTIONS_CALLERS] = &callers,
		[FUNCTIONS_FLAME] = &flame,
	};
	const int count = sizeof(forms) / sizeof(*forms);

	for (int i = 0; i < count; i++)
		if (view == forms[i])
			return forms[form > 0 && form < count ? form : 0];
	return view;
}
