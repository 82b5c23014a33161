#include "view/branches.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/call_tree.h"
#include "view/cell.h"
#include "view/column_table.h"
#include "view/names.h"
#include "view/rows.h"
#include "view/sample_scope.h"

/* Kept with the rows. */
struct branch_table {
	struct branch *branches; /* owned */
	size_t count, capacity;
	struct map by_key; /* index + 1 */
	uint64_t times;    /* of all */
};

static void branch_table_fini(struct branch_table *table)
{
	free(table->branches);
	map_fini(&table->by_key);
}

static void destroy_branch_table(void *kept)
{
	branch_table_fini(kept);
	free(kept);
}

/* One end of a branch: the function by what is known of it now, and where in it. */
struct branch_end {
	uint32_t function;
	uint64_t at, start;
};

static struct branch_end find_branch_end(const struct function_names *names, uint32_t number,
					 uint64_t at, uint64_t time_ns)
{
	const struct function_name name = function_names_find(names, number, time_ns);

	return (struct branch_end){
		.function = name.same_as != 0 ? name.same_as : number,
		.at = at != 0 ? at : name.at,
		.start = name.start,
	};
}

static void write_offset(char text[static BRANCH_OFFSET_BYTES], const struct branch_end *end)
{
	text[0] = '\0';
	if (end->start != 0 && end->at > end->start)
		snprintf(text, BRANCH_OFFSET_BYTES, "+0x%" PRIx64, end->at - end->start);
}

static struct branch *find_branch(struct branch_table *table, const struct branch_end *from,
				  const struct branch_end *to)
{
	const uint64_t key =
		hash_mix(hash_mix(hash_mix(from->function, from->at), to->function), to->at);
	size_t index = (uintptr_t)map_get(&table->by_key, key);
	struct branch *branch;

	if (index > 0)
		return &table->branches[index - 1];
	array_reserve(&table->branches, &table->capacity, table->count + 1,
		      sizeof(*table->branches));
	branch = &table->branches[table->count++];
	*branch = (struct branch){
		.function = {.by = CALLS_BY_FUNCTION, .number = to->function},
		.id = key,
		.from = from->function,
		.has_places = from->start != 0 && to->start != 0,
	};
	write_offset(branch->from_offset, from);
	write_offset(branch->to_offset, to);
	map_put(&table->by_key, key, (void *)(uintptr_t)table->count);
	return branch;
}

static void add_branch(struct branch_table *table, const struct snapshot *snapshot,
		       const struct function_names *names, const struct profile_entry *entry)
{
	const struct profile_node *to = &snapshot->profile->nodes[entry->node];
	const struct profile_node *from = &snapshot->profile->nodes[to->parent];
	const struct branch_end ends[] = {
		find_branch_end(names, from->function, from->at, snapshot->time_ns),
		find_branch_end(names, to->function, entry->at, snapshot->time_ns),
	};
	struct branch *branch = find_branch(table, &ends[0], &ends[1]);

	branch->function.time_ns = snapshot->time_ns;
	branch->function.self_samples += entry->samples;
	branch->mispredicted += entry->weight;
	branch->cycles += entry->ns;
	branch->said = entry->branch;
	table->times += entry->samples;
}

static void sum_branches(struct branch_table *table, const struct rows_input *input)
{
	struct sample_window window;

	sample_window_begin(&window, input->request, input->samples_of, input->snapshot);
	while (sample_window_next(&window))
		for (size_t i = 0; i < window.profile->entry_count; i++) {
			const struct profile_entry *entry = &window.profile->entries[i];

			if (entry->kind == SAMPLE_BRANCH &&
			    sample_scope_has_task(&window.scope, entry))
				add_branch(table, window.interval,
					   input->source->getter_input.function_names, entry);
		}
}

void branches_make_rows(struct rows *rows, const struct rows_input *input)
{
	struct branch_table *table = rows_keep(rows, sizeof(*table), destroy_branch_table);

	rows_reset(rows, input);
	map_fini(&table->by_key);
	table->count = 0;
	table->times = 0;
	sum_branches(table, input);
	for (size_t i = 0; i < table->count; i++) {
		struct branch *branch = &table->branches[i];
		struct function *function = &branch->function;
		const struct view_row row = {
			.kind = ROW_FUNCTION,
			.id = branch->id,
			.pid = -1,
			.tid = -1,
			.function = function,
			.item = branch,
			.unknown = UINT32_MAX,
			.is_active = true,
		};

		function->total_samples = function->self_samples;
		function->self_weight = function->total_weight = function->self_samples;
		function->all_weight = table->times;
		if (rows_pass_filter(&row, input))
			*rows_append(rows) = row;
	}
}

void branches_count_in(struct call_tree *functions, const struct rows_input *input)
{
	const struct function_names *names = input->source->getter_input.function_names;
	struct branch_table table = {0};
	struct map by_number = {0};

	sum_branches(&table, input);
	for (size_t i = 1; i < functions->count; i++) {
		struct function *function = &functions->calls[i].function;
		const struct function_name name =
			function_names_find(names, function->number, function->time_ns);

		map_put(&by_number, name.same_as != 0 ? name.same_as : function->number, function);
	}
	for (size_t i = 0; i < table.count; i++) {
		const struct branch *branch = &table.branches[i];
		struct function *function = map_get(&by_number, branch->from);

		if (!function || !branch->said.is_predictable)
			continue;
		function->branches += branch->function.self_samples;
		function->mispredicted += branch->mispredicted;
	}
	map_fini(&by_number);
	branch_table_fini(&table);
}

/* Of a function: the share of the branches in it. */
static double mispredicted_pct(const struct function *function)
{
	return function && function->branches > 0
		       ? 100 * (double)function->mispredicted / (double)function->branches
		       : NAN;
}

double branch_number(const struct getter_input *in, const struct view_row *row, int part)
{
	const struct branch *branch = branch_of(row);
	double times;

	if (!branch && part == BRANCH_MISPREDICTED_PCT)
		return mispredicted_pct(row->function);
	if (!branch ||
	    (part != BRANCH_TIMES_PCT && part != BRANCH_CYCLES && !branch->said.is_predictable))
		return NAN;
	times = (double)branch->function.self_samples;
	switch ((enum branch_number)part) {
	case BRANCH_TIMES_PCT:
		return 100 * times / (double)branch->function.all_weight;
	case BRANCH_MISPREDICTED:
		return (double)branch->mispredicted;
	case BRANCH_MISPREDICTED_PCT:
		return 100 * (double)branch->mispredicted / times;
	case BRANCH_CYCLES:
		break;
	}
	return branch->cycles > 0 ? (double)branch->cycles / times : NAN;
}

struct getter_text branch_from(const struct getter_input *in, const struct view_row *row)
{
	const struct branch *branch = branch_of(row);
	struct function_name name;

	if (!branch)
		return as_text("");
	name = function_names_find(in->function_names, branch->from, branch->function.time_ns);
	return (struct getter_text){
		.text = name.function,
		.mark = branch->from_offset[0] != '\0' ? branch->from_offset : name.mark,
	};
}

/* By the processor's numbers, as perf has them; types that extend the others from 16 on. */
struct getter_text branch_type(const struct getter_input *in, const struct view_row *row)
{
	static const char *const types[] = {
		"",           "cond",    "uncond", "ind",       "call",       "ind_call",
		"ret",        "syscall", "sysret", "cond_call", "cond_ret",   "eret",
		"irq",        "serror",  "no_tx",  "",          "fault_algn", "fault_data",
		"fault_inst", "arch_1",  "arch_2", "arch_3",    "arch_4",     "arch_5",
	};
	static const char *const aborts[] = {
		[BRANCH_ABORT_UNKNOWN] = "abort",
		[BRANCH_ABORT_CONFLICT] = "abort: conflict",
		[BRANCH_ABORT_CAPACITY] = "abort: capacity",
		[BRANCH_ABORT_INSTRUCTION] = "abort: instruction",
		[BRANCH_ABORT_OTHER] = "abort: other",
	};
	const struct branch *branch = branch_of(row);

	if (!branch)
		return as_text("");
	if (branch->said.is_abort)
		return as_text(
			aborts[branch->said.abort <= BRANCH_ABORT_OTHER ? branch->said.abort : 0]);
	return as_text(branch->said.type < sizeof(types) / sizeof(types[0])
			       ? types[branch->said.type]
			       : "");
}

struct getter_text branch_privilege(const struct getter_input *in, const struct view_row *row)
{
	static const char *const privileges[] = {"", "user", "kernel", "hv"};
	const struct branch *branch = branch_of(row);

	return as_text(branch && branch->said.privilege < sizeof(privileges) / sizeof(privileges[0])
			       ? privileges[branch->said.privilege]
			       : "");
}
