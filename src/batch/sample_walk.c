#include "batch/sample_walk.h"

#include "batch/batch.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/sleep_reason.h"

static void know_tasks(struct sample_walk *walk)
{
	const struct snapshot *snapshot = walk->input->snapshot;

	for (size_t i = 0; i < snapshot->task_count; i++)
		map_put(&walk->tasks, (uint64_t)snapshot->tasks[i].tid,
			(void *)&snapshot->tasks[i]);
}

static void know_functions(struct sample_walk *walk)
{
	const struct batch_input *input = walk->input;
	struct view_request request = *input->request;

	if (!request.filter)
		return;
	request.state.info = &view_frames;
	batch_build(input, &request);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		map_put(&walk->functions, view_table_row(input->table, i)->function->number, walk);
}

void sample_walk_init(struct sample_walk *walk, const struct batch_input *input)
{
	*walk = (struct sample_walk){
		.input = input,
		.profile = input->snapshot->profile,
		.names = view_table_function_names(input->table),
	};
	if (!walk->profile)
		return;
	know_tasks(walk);
	know_functions(walk);
	sample_scope_init(&walk->scope, input->request, view_table_samples_of(input->table),
			  input->snapshot);
}

void sample_walk_fini(struct sample_walk *walk)
{
	sample_scope_fini(&walk->scope);
	map_fini(&walk->tasks);
	map_fini(&walk->functions);
}

/* What was inlined at a node, and its function. */
static void walk_node(struct sample_walk *walk, uint32_t node, uint64_t at)
{
	uint32_t frames[FUNCTION_FRAMES_MAX];
	const size_t count = function_names_frames(walk->names, walk->profile->nodes[node].function,
						   at, walk->input->snapshot->time_ns, frames);

	for (size_t i = 0; i < count && walk->depth < SAMPLE_WALK_DEPTH_MAX; i++) {
		walk->at[walk->depth] = at;
		walk->frames[walk->depth++] = frames[i];
	}
}

/* Whether what is above the node is no part of the stack. */
static bool is_outermost(const struct sample_walk *walk, enum sample_kind kind, uint32_t node)
{
	return kind == SAMPLE_WAKER && sleep_reason_is_interrupt(walk->profile, node, walk->names,
								 walk->input->snapshot->time_ns);
}

/* Where a stack broke off (call_tree.h). */
static bool is_unmapped_node(const struct sample_walk *walk, uint32_t node)
{
	return function_names_find(walk->names, walk->profile->nodes[node].function,
				   walk->input->snapshot->time_ns)
		.is_no_code;
}

static bool is_walk_asked_for(const struct sample_walk *walk, const struct profile_entry *entry)
{
	bool is_found = !walk->input->request->filter;

	for (size_t i = 0; i < walk->depth && !is_found; i++)
		is_found = map_get(&walk->functions, walk->frames[i]);
	return is_found && sample_scope_has(&walk->scope, entry);
}

bool sample_walk_take(struct sample_walk *walk, const struct profile_entry *entry)
{
	const struct profile_node *nodes = walk->profile->nodes;
	uint32_t node = entry->node;

	walk->depth = 0;
	walk_node(walk, node, entry->at);
	while (!is_outermost(walk, entry->kind, node) && nodes[node].parent != 0) {
		node = nodes[node].parent;
		if (!is_unmapped_node(walk, node))
			walk_node(walk, node, nodes[node].at);
	}
	return is_walk_asked_for(walk, entry);
}

const struct snapshot_task *sample_walk_task(const struct sample_walk *walk,
					     const struct profile_entry *entry)
{
	return map_get(&walk->tasks, (uint64_t)entry->tid);
}
