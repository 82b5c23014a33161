/*
 * A call has a higher index than its caller, as in a profile, so that one walk sums up the tree.
 * Only nodes of a profile above a selected entry are looked up.
 */

#include "view/call_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/counts.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/request.h"
#include "view/rows.h"
#include "view/sample_scope.h"
#include "view/sleep_reason.h"

/*
 * Bit of a place: the call is beyond the bound, and the place is that of the nearest one above it.
 */
static const uint32_t BEYOND = UINT32_C(1) << 31;

/* Bit of a parent: some call above the node is not known. */
static const uint32_t BROKEN = UINT32_C(1) << 31;

/*
 * A function or line that is executed at an address; in the list the ones inlined into it follow.
 */
struct call_frame {
	uint32_t number, whole; /* struct function */
	bool is_last;
};

static_assert(CALL_TREE_MOST < 1u << 31, "an index and a bit");

/* What is at an address. */
enum code {
	CODE_UNKNOWN,
	CODE_NONE,
	CODE_USER,
	CODE_INTERPRETER, /* the user's, too */
	CODE_OTHER
};

void call_tree_fini(struct call_tree *tree)
{
	free(tree->calls);
	map_fini(&tree->by_path);
	map_fini(&tree->by_likeness);
	map_fini(&tree->by_address);
	map_fini(&tree->codes);
	free(tree->frames);
	free(tree->mappings);
	free(tree->places);
	free(tree->parents);
	*tree = (struct call_tree){0};
}

static uint32_t append_call(struct call_tree *tree, uint32_t parent, uint32_t number)
{
	const uint64_t above = parent > 0 ? tree->calls[parent].id : 0;

	array_reserve(&tree->calls, &tree->capacity, tree->count + 1, sizeof(*tree->calls));
	tree->calls[tree->count] = (struct call){
		.function = {.number = number},
		.id = hash_mix(hash_mix(1, above), number),
		.parent = parent,
	};
	return (uint32_t)tree->count++;
}

static void begin_call_tree(struct call_tree *tree, struct vectors *vectors)
{
	tree->vectors = vectors;
	tree->count = 0;
	tree->left_out_weight = tree->broken_weight = 0;
	tree->interpreted = NULL;
	tree->frame_count = tree->mapping_count = 0;
	map_clear(&tree->by_path);
	map_clear(&tree->by_likeness);
	map_clear(&tree->by_address);
	map_clear(&tree->codes);
	append_call(tree, 0, 0);
}

void call_tree_begin(struct call_tree *callees, struct vectors *vectors)
{
	begin_call_tree(callees, vectors);
}

/* The function that is called by the one at `parent`; a place, or `parent` and BEYOND. */
static uint32_t call_below(struct call_tree *tree, uint32_t parent, uint32_t number,
			   uint64_t time_ns)
{
	const uint64_t path = (uint64_t)parent << 32 | number;
	uint32_t place = (uint32_t)(uintptr_t)map_get(&tree->by_path, path);

	if (place == 0 && tree->count > CALL_TREE_MOST)
		return parent | BEYOND;
	if (place == 0) {
		place = append_call(tree, parent, number);
		map_put(&tree->by_path, path, (void *)(uintptr_t)place);
	}
	tree->calls[place].function.time_ns = time_ns;
	return place;
}

/* A line that was inlined into several functions counts as one. */
uint64_t call_tree_likeness(const struct function_name *name, enum calls_by by)
{
	if (by == CALLS_BY_OBJECT && name->object[0] != '\0')
		return hash_text(1, name->object);
	if (by == CALLS_BY_LINE && name->file)
		return hash_text(hash_text(hash_text(name->line, name->file), name->function),
				 name->object);
	return by == CALLS_BY_LINE ? name->same_as : 0;
}

/* The number of the first function seen with this likeness. */
static uint32_t first_like(struct call_tree *tree, uint64_t likeness, uint32_t number)
{
	const uint32_t first = (uint32_t)(uintptr_t)map_get(&tree->by_likeness, likeness);

	if (first == 0)
		map_put(&tree->by_likeness, likeness, (void *)(uintptr_t)number);
	return first > 0 ? first : number;
}

/* The function that the number is known to be by now; 0: not known. */
static uint32_t same_as(struct call_tree *tree, const struct call_tree_input *input,
			uint32_t number)
{
	const struct function_name name =
		function_names_find(input->names, number, input->snapshot->time_ns);
	uint64_t likeness;

	if (name.same_as == 0 || (input->by != CALLS_BY_OBJECT && input->by != CALLS_BY_LINE))
		return name.same_as;
	likeness = call_tree_likeness(&name, input->by);
	return likeness != 0 ? first_like(tree, likeness, name.same_as) : 0;
}

/* Lines and inlined functions depend on the address. */
static bool has_addresses(const struct call_tree_input *input)
{
	return input->by == CALLS_BY_LINE || input->by == CALLS_BY_FRAME;
}

/* Numbers of the functions at an address in a function, innermost first. */
static size_t list_frames(const struct call_tree_input *input, uint32_t function, uint64_t at,
			  uint32_t numbers[static FUNCTION_FRAMES_MAX])
{
	const uint64_t time_ns = input->snapshot->time_ns;
	size_t count = 0;

	if (input->by == CALLS_BY_FRAME)
		return function_names_frames(input->names, function, at, time_ns, numbers);
	if (input->by == CALLS_BY_LINE)
		function = function_names_line(input->names, function, at, time_ns);
	do {
		numbers[count++] = function;
		function = input->by == CALLS_BY_LINE
				   ? function_names_find(input->names, function, time_ns).inlined_in
				   : 0;
	} while (function != 0 && count < FUNCTION_FRAMES_MAX);
	return count;
}

/* Appends them outermost first. True: all of them are known. */
static bool append_frames(struct call_tree *tree, const struct call_tree_input *input,
			  uint32_t function, uint64_t at)
{
	uint32_t numbers[FUNCTION_FRAMES_MAX];
	size_t count = list_frames(input, function, at, numbers);
	const uint32_t whole = input->by == CALLS_BY_FRAME ? numbers[count - 1] : 0;
	bool are_known = true;

	array_reserve(&tree->frames, &tree->frame_capacity, tree->frame_count + count,
		      sizeof(*tree->frames));
	while (count-- > 0) {
		const uint32_t number = same_as(tree, input, numbers[count]);

		tree->frames[tree->frame_count++] = (struct call_frame){number, whole, count == 0};
		are_known = are_known && number != 0;
	}
	return are_known;
}

/* The outermost; good until the next call. Each address is looked up once. */
static const struct call_frame *frames_at(struct call_tree *tree,
					  const struct call_tree_input *input, uint32_t function,
					  uint64_t at)
{
	const uint64_t key = hash_mix(hash_mix(1, function), has_addresses(input) ? at : 0);
	const uintptr_t known = (uintptr_t)map_get(&tree->by_address, key);
	const size_t first = known > 0 ? known - 1 : tree->frame_count;

	if (known == 0 && append_frames(tree, input, function, at))
		map_put(&tree->by_address, key, (void *)(first + 1));
	else if (known == 0)
		tree->frame_count = first;
	return &tree->frames[first];
}

/*
 * The call from `parent` of what is executed at an address in a function; a place, or that of the
 * nearest one above it with BEYOND.
 */
static uint32_t find_place(struct call_tree *tree, const struct call_tree_input *input,
			   uint32_t parent, uint32_t function, uint64_t at)
{
	const struct call_frame *frame;

	if (parent & BEYOND)
		return parent;
	frame = frames_at(tree, input, function, at);
	for (;; frame++) {
		parent = call_below(tree, parent, frame->number, input->snapshot->time_ns);
		if (parent & BEYOND)
			return parent;
		tree->calls[parent].function.whole = frame->whole;
		if (frame->is_last)
			return parent;
	}
}

static uint32_t node_of(const struct call_tree_input *input, const struct profile_entry *entry)
{
	return sleep_reason_node(input->snapshot->profile, entry, input->names,
				 input->snapshot->time_ns);
}

static enum code function_code_of(struct call_tree *tree, const struct call_tree_input *input,
				  uint32_t function)
{
	enum code code = (enum code)(uintptr_t)map_get(&tree->codes, function);
	struct function_name name;

	if (code != CODE_UNKNOWN)
		return code;
	name = function_names_find(input->names, function, input->snapshot->time_ns);
	code = name.is_no_code   ? CODE_NONE
	       : name.interprets ? CODE_INTERPRETER
	       : name.is_user    ? CODE_USER
				 : CODE_OTHER;
	if (name.same_as != 0)
		map_put(&tree->codes, function, (void *)(uintptr_t)code);
	return code;
}

static bool are_wakers(const struct call_tree_input *input)
{
	return input->scope->request->settings.samples == SAMPLES_WAKERS;
}

/* The call of the node, with BROKEN; 0: there is none, or it is not what wakes. */
static uint32_t parent_with_code(struct call_tree *tree, const struct call_tree_input *input,
				 uint32_t node)
{
	const struct profile *profile = input->snapshot->profile;
	const uint32_t parent = profile->nodes[node].parent;

	if (parent == 0 ||
	    (are_wakers(input) &&
	     sleep_reason_is_interrupt(profile, node, input->names, input->snapshot->time_ns)))
		return 0;
	if (function_code_of(tree, input, profile->nodes[parent].function) == CODE_NONE)
		return tree->parents[parent] | BROKEN;
	return parent | (tree->parents[parent] & BROKEN);
}

static void find_parents(struct call_tree *tree, const struct call_tree_input *input)
{
	const size_t count = input->snapshot->profile->node_count;

	array_reserve(&tree->parents, &tree->parent_capacity, count, sizeof(*tree->parents));
	tree->parents[0] = 0;
	for (uint32_t i = 1; i < count; i++)
		tree->parents[i] = parent_with_code(tree, input, i);
}

static uint32_t parent_node(const struct call_tree *tree, uint32_t node)
{
	return tree->parents[node] & ~BROKEN;
}

/*
 * Marks the nodes above a selected entry, and its own node unless each entry has its own address.
 */
static void mark_nodes(struct call_tree *tree, const struct call_tree_input *input)
{
	const struct profile *profile = input->snapshot->profile;
	uint32_t *is_needed;
	uint64_t weight;

	array_reserve(&tree->places, &tree->place_capacity, profile->node_count,
		      sizeof(*tree->places));
	is_needed = tree->places;
	memset(is_needed, 0, profile->node_count * sizeof(*is_needed));
	for (size_t i = 0; i < profile->entry_count; i++) {
		uint32_t node;

		if (!sample_scope_weigh(input->scope, &profile->entries[i], &weight))
			continue;
		node = node_of(input, &profile->entries[i]);
		is_needed[has_addresses(input) ? parent_node(tree, node) : node] = true;
	}
	for (uint32_t i = (uint32_t)profile->node_count; i-- > 1;)
		if (is_needed[i])
			is_needed[parent_node(tree, i)] = true;
}

/* Marks become places. */
static void find_places(struct call_tree *tree, const struct call_tree_input *input)
{
	const struct profile *profile = input->snapshot->profile;
	uint32_t *places = tree->places;

	places[0] = 0;
	for (uint32_t i = 1; i < profile->node_count; i++) {
		const struct profile_node *node = &profile->nodes[i];

		if (places[i])
			places[i] = find_place(tree, input, places[parent_node(tree, i)],
					       node->function, node->at);
	}
}

static uint64_t *counts_of(struct call_tree *tree, struct function *function)
{
	if (!function->counts)
		function->counts = vectors_take(tree->vectors);
	return function->counts;
}

static void append_mapping(struct call_tree *tree, const struct call_mapping *mapping)
{
	array_reserve(&tree->mappings, &tree->mapping_capacity, tree->mapping_count + 1,
		      sizeof(*tree->mappings));
	tree->mappings[tree->mapping_count++] = *mapping;
}

/* There are a few of a function. */
static void count_in_mapping(struct call_tree *tree, struct function *function, uint32_t number,
			     uint64_t weight)
{
	uint32_t at = function->mappings;

	while (at > 0 && tree->mappings[at].number != number)
		at = tree->mappings[at].next;
	if (at > 0) {
		tree->mappings[at].weight += weight;
		return;
	}
	if (tree->mapping_count == 0)
		append_mapping(tree, &(struct call_mapping){0});
	append_mapping(tree, &(struct call_mapping){number, function->mappings, weight});
	function->mappings = (uint32_t)tree->mapping_count - 1;
}

/* The one that has most. */
static void choose_mapping(const struct call_tree *tree, struct function *function)
{
	for (uint32_t at = function->mappings; at > 0; at = tree->mappings[at].next) {
		if (tree->mappings[at].weight <= function->mapping_weight)
			continue;
		function->mapping = tree->mappings[at].number;
		function->mapping_weight = tree->mappings[at].weight;
	}
}

static void count_samples(struct call_tree *tree, uint32_t place, const struct profile_entry *entry,
			  uint64_t weight)
{
	struct function *function = &tree->calls[place & ~BEYOND].function;

	if (place & BEYOND) {
		function->total_samples += entry->samples;
		function->total_weight += weight;
		tree->left_out_weight += weight;
		return;
	}
	function->self_samples += entry->samples;
	function->self_weight += weight;
	if (entry->mapping > 0)
		count_in_mapping(tree, function, entry->mapping, weight);
}

/* Counts between two samples belong to the function of the later one. */
static void credit_counts(struct call_tree *tree, uint32_t place, const struct profile_entry *entry,
			  const struct snapshot *snapshot)
{
	if (entry->counts > 0 && entry->node > 0 && !(place & BEYOND))
		profile_credit(snapshot->profile, entry, snapshot->layout,
			       counts_of(tree, &tree->calls[place].function));
}

static uint32_t place_of_address(struct call_tree *tree, const struct call_tree_input *input,
				 const struct profile_entry *entry)
{
	const uint32_t number = node_of(input, entry);
	const struct profile_node *node = &input->snapshot->profile->nodes[number];

	return find_place(tree, input, tree->places[parent_node(tree, number)], node->function,
			  number == entry->node ? entry->at : node->at);
}

static uint32_t place_of_entry(struct call_tree *tree, const struct call_tree_input *input,
			       const struct profile_entry *entry)
{
	const uint64_t time_ns = input->snapshot->time_ns;
	uint32_t place;

	if (has_addresses(input))
		return place_of_address(tree, input, entry);
	if (input->by != CALLS_BY_THREAD)
		return entry->node > 0 ? tree->places[node_of(input, entry)]
				       : call_below(tree, 0, 0, time_ns);
	place = call_below(tree, 0, (uint32_t)entry->tid, time_ns);
	tree->calls[place & ~BEYOND].function.pid = entry->pid;
	tree->calls[place & ~BEYOND].function.tid = entry->tid;
	return place;
}

/* The innermost one of the user is the outermost one: nothing calls itself. */
static bool is_alone(struct call_tree *tree, const struct call_tree_input *input, uint32_t node)
{
	const struct profile_node *nodes = input->snapshot->profile->nodes;
	uint32_t inner = node;

	while (inner > 0 && function_code_of(tree, input, nodes[inner].function) == CODE_OTHER)
		inner = parent_node(tree, inner);
	return inner > 0 && parent_node(tree, inner) == 0 &&
	       function_code_of(tree, input, nodes[inner].function) != CODE_NONE;
}

static void find_interpreter(struct call_tree *tree, const struct call_tree_input *input,
			     const struct profile_entry *entry, uint32_t node)
{
	const struct profile_node *nodes = input->snapshot->profile->nodes;

	while (node > 0 && function_code_of(tree, input, nodes[node].function) != CODE_INTERPRETER)
		node = parent_node(tree, node);
	if (node > 0 && input->names->lacks_map &&
	    input->names->lacks_map(input->names->context, entry->pid))
		tree->interpreted = function_names_find(input->names, nodes[node].function,
							input->snapshot->time_ns)
					    .interprets;
}

/* What the stack of an entry does not say. */
static void find_unknown(struct call_tree *tree, const struct call_tree_input *input,
			 const struct profile_entry *entry, uint64_t weight)
{
	const uint32_t node = node_of(input, entry);

	if (tree->parents[node] & BROKEN || (!are_wakers(input) && is_alone(tree, input, node)))
		tree->broken_weight += weight;
	if (!tree->interpreted)
		find_interpreter(tree, input, entry, node);
}

void call_tree_add(struct call_tree *callees, const struct call_tree_input *input)
{
	const struct profile *profile = input->snapshot->profile;

	if (profile->node_count == 0)
		return;
	if (input->by != CALLS_BY_THREAD) {
		find_parents(callees, input);
		mark_nodes(callees, input);
		find_places(callees, input);
	}
	for (size_t i = 0; i < profile->entry_count; i++) {
		const struct profile_entry *entry = &profile->entries[i];
		uint64_t weight;
		uint32_t place;

		if (!sample_scope_weigh(input->scope, entry, &weight))
			continue;
		if (input->by != CALLS_BY_THREAD)
			find_unknown(callees, input, entry, weight);
		place = place_of_entry(callees, input, entry);
		count_samples(callees, place, entry, weight);
		credit_counts(callees, place, entry, input->snapshot);
	}
}

/* What is true of all is in each. */
static void set_all(struct call_tree *tree, uint64_t all_weight, uint64_t left_out_weight,
		    const struct call_tree *callees)
{
	for (size_t i = 0; i < tree->count; i++) {
		struct function *function = &tree->calls[i].function;

		function->all_weight = all_weight;
		function->left_out_weight = left_out_weight;
		function->broken_weight = callees->broken_weight;
		function->interpreted = callees->interpreted;
		choose_mapping(tree, function);
	}
}

void call_tree_finish(struct call_tree *callees)
{
	for (size_t i = callees->count; i-- > 0;) {
		struct function *function = &callees->calls[i].function;
		struct function *above = &callees->calls[callees->calls[i].parent].function;

		function->total_samples += function->self_samples;
		function->total_weight += function->self_weight;
		if (i == 0)
			break;
		above->total_samples += function->total_samples;
		above->total_weight += function->total_weight;
	}
	set_all(callees, callees->calls[0].function.total_weight, callees->left_out_weight,
		callees);
}

/* The first call of the same function on the path; itself where there is no other. */
static uint32_t outermost(const struct call_tree *callees, uint32_t index)
{
	const uint32_t number = callees->calls[index].function.number;
	uint32_t found = index;

	for (uint32_t i = callees->calls[index].parent; i > 0; i = callees->calls[i].parent)
		if (callees->calls[i].function.number == number)
			found = i;
	return found;
}

static void count_call(struct call_tree *tree, uint32_t place, const struct call_tree *callees,
		       uint32_t index, bool is_outermost)
{
	const struct function *called = &callees->calls[index].function;
	struct function *function = &tree->calls[place].function;

	if (called->counts)
		counts_add(counts_of(tree, function), called->counts, tree->vectors->width);
	function->self_samples += called->self_samples;
	function->self_weight += called->self_weight;
	for (uint32_t at = called->mappings; at > 0; at = callees->mappings[at].next)
		count_in_mapping(tree, function, callees->mappings[at].number,
				 callees->mappings[at].weight);
	function->total_samples += is_outermost ? called->total_samples : 0;
	function->total_weight += is_outermost ? called->total_weight : 0;
}

void call_tree_invert(struct call_tree *callers, const struct call_tree *callees, size_t depth)
{
	begin_call_tree(callers, callees->vectors);
	for (uint32_t i = 1; i < callees->count; i++) {
		const struct function *called = &callees->calls[i].function;
		const uint32_t first = outermost(callees, i);
		size_t left = depth;
		uint32_t place = 0;

		if (first != i && called->self_samples == 0)
			continue;
		for (uint32_t j = first; j > 0 && left-- > 0; j = callees->calls[j].parent) {
			place = call_below(callers, place, callees->calls[j].function.number,
					   callees->calls[j].function.time_ns);
			if (place & BEYOND) {
				callers->left_out_weight += called->self_weight;
				break;
			}
			callers->calls[place].function.whole = callees->calls[j].function.whole;
			count_call(callers, place, callees, i, first == i);
		}
	}
	count_call(callers, 0, callees, 0, true);
	callers->left_out_weight += callees->left_out_weight;
	set_all(callers, callees->calls[0].function.all_weight, callers->left_out_weight, callees);
}
