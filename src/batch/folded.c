/*
 * Stacks as flamegraph.pl and speedscope read them: a line for each is
 *
 *	COMMAND;OUTERMOST;...;INNERMOST WEIGHT
 *
 * with the sum of the run, in the order of the text. The weight is what its samples stand for: ns,
 * cycles, or events; always ns where some are off the CPU. A semicolon in a name is a colon, and a
 * blank in that of a task an underscore. A function without a name goes by its file: [libc.so.6].
 *
 * With a filter these are the stacks in which one of its functions is. What there was no room for
 * is a stack of its own, [left out].
 */

#include "batch/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "batch/batch.h"
#include "batch/exposition.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/functions.h"
#include "view/names.h"
#include "view/sample_scope.h"
#include "view/sleep_reason.h"
#include "view/window.h"

enum {
	STACKS_MAX = 1 << 17,
	STACKS_BYTES_MAX = 128 << 20,
	DEPTH_MAX = 1024
};

static const char unknown[] = "[unknown]";

struct stack {
	char *text; /* owned */
	uint64_t weight;
	struct stack *same_hash, *before;
};

void stacks_fini(struct stacks *stacks)
{
	for (struct stack *stack = stacks->last, *before; stack; stack = before) {
		before = stack->before;
		free(stack->text);
		free(stack);
	}
	map_fini(&stacks->by_hash);
	*stacks = (struct stacks){0};
}

/* NULL: there is no more room. */
static struct stack *find_stack(struct stacks *stacks, const char *text)
{
	const uint64_t hash = hash_text(0, text);
	struct stack *first = map_get(&stacks->by_hash, hash), *stack;

	for (stack = first; stack; stack = stack->same_hash)
		if (strcmp(stack->text, text) == 0)
			return stack;
	if (stacks->count >= STACKS_MAX || stacks->bytes >= STACKS_BYTES_MAX)
		return NULL;
	stack = xcalloc(1, sizeof(*stack));
	*stack = (struct stack){
		.text = xstrdup(text),
		.same_hash = first,
		.before = stacks->last,
	};
	stacks->last = stack;
	stacks->count++;
	stacks->bytes += strlen(text) + sizeof(*stack);
	map_put(&stacks->by_hash, hash, stack);
	return stack;
}

/* --- what is meant, and how it is called */

/* An interval, while it is added. */
struct folding {
	const struct batch_input *input;
	const struct profile *profile;
	const struct function_names *names;
	struct sample_scope scope;
	struct map tasks;           /* of the snapshot, by tid */
	struct map functions;       /* that a filter lets through, by number */
	uint32_t frames[DEPTH_MAX]; /* of the stack, from the innermost outwards */
	size_t depth;
	struct strbuf text;
};

static void know_tasks(struct folding *folding)
{
	const struct snapshot *snapshot = folding->input->snapshot;

	for (size_t i = 0; i < snapshot->task_count; i++)
		map_put(&folding->tasks, (uint64_t)snapshot->tasks[i].tid,
			(void *)&snapshot->tasks[i]);
}

static void know_functions(struct folding *folding)
{
	const struct batch_input *input = folding->input;
	struct view_request request = *input->request;

	if (!request.filter)
		return;
	request.state.info = &view_frames;
	batch_build(input, &request);
	for (size_t i = 0; i < view_table_row_count(input->table); i++)
		map_put(&folding->functions, view_table_row(input->table, i)->function->number,
			folding);
}

/* What was inlined at a node, and its function. */
static void fold_frames(struct folding *folding, uint32_t node, uint64_t at)
{
	uint32_t frames[FUNCTION_FRAMES_MAX];
	const size_t count =
		function_names_frames(folding->names, folding->profile->nodes[node].function, at,
				      folding->input->snapshot->time_ns, frames);

	for (size_t i = 0; i < count && folding->depth < DEPTH_MAX; i++)
		folding->frames[folding->depth++] = frames[i];
}

/* Whether what is above the node is no part of the stack. */
static bool is_outermost(const struct folding *folding, enum sample_kind kind, uint32_t node)
{
	return kind == SAMPLE_WAKER &&
	       sleep_reason_is_interrupt(folding->profile, node, folding->names,
					 folding->input->snapshot->time_ns);
}

/* Where a stack broke off (call_tree.h). */
static bool is_unmapped_node(const struct folding *folding, uint32_t node)
{
	return function_names_find(folding->names, folding->profile->nodes[node].function,
				   folding->input->snapshot->time_ns)
		.is_no_code;
}

static void walk_frames(struct folding *folding, const struct profile_entry *entry)
{
	const struct profile_node *nodes = folding->profile->nodes;
	uint32_t node = entry->node;

	folding->depth = 0;
	fold_frames(folding, node, entry->at);
	while (!is_outermost(folding, entry->kind, node) && nodes[node].parent != 0) {
		node = nodes[node].parent;
		if (!is_unmapped_node(folding, node))
			fold_frames(folding, node, nodes[node].at);
	}
}

static bool is_meant(const struct folding *folding, const struct profile_entry *entry)
{
	bool is_found = !folding->input->request->filter;

	for (size_t i = 0; i < folding->depth && !is_found; i++)
		is_found = map_get(&folding->functions, folding->frames[i]);
	return is_found && sample_scope_has(&folding->scope, entry);
}

/* Behind what is there: a name in which `from` is `to`. */
static void fold_name(struct strbuf *text, const char *name, char from, char to)
{
	const size_t before = text->length;

	text_append_safe(text, name, strlen(name), false);
	for (size_t i = before; i < text->length; i++)
		if (text->text[i] == ';')
			text->text[i] = ':';
		else if (text->text[i] == from)
			text->text[i] = to;
}

static void fold_task(struct folding *folding, const struct profile_entry *entry)
{
	const struct snapshot_task *task = map_get(&folding->tasks, (uint64_t)entry->tid);

	if (entry->tid == 0)
		strbuf_add(&folding->text, "idle");
	else
		fold_name(&folding->text, task && task->name[0] != '\0' ? task->name : unknown, ' ',
			  '_');
}

static void add_function(struct folding *folding, uint32_t number)
{
	const struct function_name name =
		function_names_find(folding->names, number, folding->input->snapshot->time_ns);
	const bool has_file = strcmp(name.function, unknown) == 0 && name.object[0] != '\0';

	strbuf_add_char(&folding->text, ';');
	if (!has_file) {
		fold_name(&folding->text, name.function, '\n', ' ');
		strbuf_add(&folding->text, name.is_inlined ? name.mark : "");
	} else if (name.object[0] == '[') {
		fold_name(&folding->text, name.object, '\n', ' ');
	} else {
		strbuf_add_char(&folding->text, '[');
		fold_name(&folding->text, name.object, '\n', ' ');
		strbuf_add_char(&folding->text, ']');
	}
}

static void fold(struct folding *folding, const struct profile_entry *entry)
{
	strbuf_clear(&folding->text);
	fold_task(folding, entry);
	for (size_t i = folding->depth; i-- > 0;)
		add_function(folding, folding->frames[i]);
}

static void fold_interval(struct stacks *stacks, const struct batch_input *input)
{
	struct folding folding = {
		.input = input,
		.profile = input->snapshot->profile,
		.names = view_table_function_names(input->table),
	};

	if (!folding.profile)
		return;
	know_tasks(&folding);
	know_functions(&folding);
	sample_scope_init(&folding.scope, input->request, view_table_samples_of(input->table),
			  input->snapshot);
	for (size_t i = 0; i < folding.profile->entry_count; i++) {
		const struct profile_entry *entry = &folding.profile->entries[i];
		struct stack *stack;

		walk_frames(&folding, entry);
		if (!is_meant(&folding, entry))
			continue;
		fold(&folding, entry);
		stack = find_stack(stacks, strbuf_text(&folding.text));
		*(stack ? &stack->weight : &stacks->left_out_weight) +=
			sample_scope_weight(&folding.scope, entry);
	}
	stacks->left_out_weight += folding.profile->left_out_weight;
	sample_scope_fini(&folding.scope);
	map_fini(&folding.tasks);
	map_fini(&folding.functions);
	strbuf_fini(&folding.text);
}

/* --- the lines */

static int compare_stacks(const void *a, const void *b)
{
	const struct stack *const *one = a, *const *other = b;

	return strcmp((*one)->text, (*other)->text);
}

static void write_stack_line(struct strbuf *out, const char *text, uint64_t weight)
{
	if (weight > 0)
		strbuf_printf(out, "%s %" PRIu64 "\n", text, weight);
}

void folded_write(struct strbuf *out, const struct batch_input *input)
{
	struct stacks *stacks = &input->totals->stacks;
	const struct stack **sorted;
	size_t count = 0;

	fold_interval(stacks, input);
	sorted = xcalloc(stacks->count, sizeof(struct stack *));
	for (const struct stack *stack = stacks->last; stack; stack = stack->before)
		sorted[count++] = stack;
	if (count > 0)
		qsort(sorted, count, sizeof(struct stack *), compare_stacks);
	for (size_t i = 0; i < count; i++)
		write_stack_line(out, sorted[i]->text, sorted[i]->weight);
	write_stack_line(out, "[left out]", stacks->left_out_weight);
	free(sorted);
}
