/*
 * Stacks as flamegraph.pl and speedscope read them: a line for each is
 *
 *	COMMAND;OUTERMOST;...;INNERMOST WEIGHT
 *
 * with the sum of the run, in the order of the text. The weight is what its samples stand for: ns,
 * cycles, or events; always ns where some are off the CPU. A semicolon in a name is a colon, and a
 * blank in that of a task an underscore. A function without a name goes by its file: [libc.so.6].
 *
 * With another recording each line has two: STACK OLD NEW, as of difffolded.pl.
 *
 * With a filter these are the stacks in which one of its functions is. What there was no room for
 * is a stack of its own, [left out], as is all but the heaviest where so many were asked for.
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
#include "batch/sample_walk.h"
#include "model/profile.h"
#include "model/snapshot.h"
#include "view/names.h"
#include "view/sample_scope.h"

enum {
	STACKS_MAX = 1 << 17,
	STACKS_BYTES_MAX = 128 << 20
};

static const char unknown[] = "[unknown]";

struct stack {
	char *text; /* owned */
	uint64_t weight;
	uint64_t old_weight; /* in the other recording */
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

/* --- how it is called */

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

static void fold_task(struct strbuf *text, const struct sample_walk *walk,
		      const struct profile_entry *entry)
{
	const struct snapshot_task *task = sample_walk_task(walk, entry);

	if (entry->tid == 0)
		strbuf_add(text, "idle");
	else
		fold_name(text, task && task->name[0] != '\0' ? task->name : unknown, ' ', '_');
}

static void add_function(struct strbuf *text, const struct sample_walk *walk, uint32_t number)
{
	const struct function_name name =
		function_names_find(walk->names, number, walk->input->snapshot->time_ns);
	const bool has_file = strcmp(name.function, unknown) == 0 && name.object[0] != '\0';

	strbuf_add_char(text, ';');
	if (!has_file) {
		fold_name(text, name.function, '\n', ' ');
		strbuf_add(text, name.is_inlined ? name.mark : "");
	} else if (name.object[0] == '[') {
		fold_name(text, name.object, '\n', ' ');
	} else {
		strbuf_add_char(text, '[');
		fold_name(text, name.object, '\n', ' ');
		strbuf_add_char(text, ']');
	}
}

static void fold(struct strbuf *text, const struct sample_walk *walk,
		 const struct profile_entry *entry)
{
	strbuf_clear(text);
	fold_task(text, walk, entry);
	for (size_t i = walk->depth; i-- > 0;)
		add_function(text, walk, walk->frames[i]);
}

static uint64_t *weight_in(struct stacks *stacks, struct stack *stack, bool is_old)
{
	if (is_old)
		return stack ? &stack->old_weight : &stacks->left_out_old_weight;
	return stack ? &stack->weight : &stacks->left_out_weight;
}

static void fold_interval(struct stacks *stacks, const struct batch_input *input)
{
	struct sample_walk walk;
	struct strbuf text = {0};

	stacks->has_old |= input->is_old;
	sample_walk_init(&walk, input);
	for (size_t i = 0; walk.profile && i < walk.profile->entry_count; i++) {
		const struct profile_entry *entry = &walk.profile->entries[i];
		struct stack *stack;

		if (!sample_walk_take(&walk, entry))
			continue;
		fold(&text, &walk, entry);
		stack = find_stack(stacks, strbuf_text(&text));
		*weight_in(stacks, stack, input->is_old) += sample_scope_weight(&walk.scope, entry);
	}
	*weight_in(stacks, NULL, input->is_old) +=
		walk.profile ? sample_scope_left_out(&walk.scope, walk.profile) : 0;
	sample_walk_fini(&walk);
	strbuf_fini(&text);
}

/* --- the lines */

static int compare_stacks(const void *a, const void *b)
{
	const struct stack *const *one = a, *const *other = b;

	return strcmp((*one)->text, (*other)->text);
}

/* The heaviest come first, in whichever recording they weigh more. */
static int compare_weights(const void *a, const void *b)
{
	const struct stack *one = *(const struct stack *const *)a;
	const struct stack *other = *(const struct stack *const *)b;
	const uint64_t weight = one->weight > one->old_weight ? one->weight : one->old_weight;
	const uint64_t other_weight =
		other->weight > other->old_weight ? other->weight : other->old_weight;

	if (weight != other_weight)
		return weight > other_weight ? -1 : 1;
	return compare_stacks(a, b);
}

/* Returns how many are kept. The sums of the run remain: the next interval adds to them. */
static size_t keep_heaviest(const struct stack **stacks, size_t count, size_t top,
			    uint64_t *left_out, uint64_t *left_out_old)
{
	if (top == 0 || count <= top)
		return count;
	qsort(stacks, count, sizeof(*stacks), compare_weights);
	for (size_t i = top; i < count; i++) {
		*left_out += stacks[i]->weight;
		*left_out_old += stacks[i]->old_weight;
	}
	return top;
}

/* The old weight, where there is one, comes first, as difffolded.pl has it. */
static void write_stack_line(struct strbuf *out, const char *text, const uint64_t *old_weight,
			     uint64_t weight)
{
	if (old_weight && *old_weight + weight > 0)
		strbuf_printf(out, "%s %" PRIu64 " %" PRIu64 "\n", text, *old_weight, weight);
	else if (weight > 0)
		strbuf_printf(out, "%s %" PRIu64 "\n", text, weight);
}

void folded_write(struct strbuf *out, const struct batch_input *input)
{
	struct stacks *stacks = &input->totals->stacks;
	const struct stack **sorted;
	uint64_t left_out, left_out_old;
	size_t count = 0;

	fold_interval(stacks, input);
	if (input->is_old) /* the other one is behind it */
		return;
	sorted = xcalloc(stacks->count, sizeof(struct stack *));
	for (const struct stack *stack = stacks->last; stack; stack = stack->before)
		sorted[count++] = stack;
	left_out = stacks->left_out_weight;
	left_out_old = stacks->left_out_old_weight;
	count = keep_heaviest(sorted, count, input->top, &left_out, &left_out_old);
	if (count > 0)
		qsort(sorted, count, sizeof(struct stack *), compare_stacks);
	for (size_t i = 0; i < count; i++)
		write_stack_line(out, sorted[i]->text,
				 stacks->has_old ? &sorted[i]->old_weight : NULL,
				 sorted[i]->weight);
	write_stack_line(out, "[left out]", stacks->has_old ? &left_out_old : NULL, left_out);
	free(sorted);
}
