/*
 * Parents are indices of rows. `down` has each row after its parent, so that one walk passes values
 * down or up the tree without recursion.
 */

#include "view/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/snapshot.h"
#include "view/cell.h"
#include "view/table.h"

enum {
	LINES_MAX = 64,  /* bits of row_branch.lines */
	DEPTH_DRAWN = 16 /* deeper ones are drawn as if they were here */
};

static const uint32_t NO_ROW = TREE_NO_PARENT; /* index of none */

struct tree {
	struct map leaders; /* pid to index of its first thread's row + 1 */
	/* owned, `capacity` numbers each */
	uint32_t *parents, *down;
	uint32_t *scratch, *next, *first; /* what each step needs */
	size_t count, capacity;
	struct order_key *keys; /* owned; while they are arranged */
	size_t key_capacity;
};

/* Any value but NULL, for maps that are sets. */
static char member;

bool tree_folds(const struct view_row *row)
{
	const bool is_root = row->task && row->task->parent_pid == 0 && row->tid == row->pid;

	return row->function ? row->branch.folds_first : !is_root;
}

static bool is_folded(const struct folds *folds, const struct view_row *row)
{
	return (map_get(&folds->ids, row->id ^ folds->tag) != NULL) !=
	       (folds->all && tree_folds(row));
}

void folds_toggle(struct folds *folds, uint64_t id)
{
	if (!map_remove(&folds->ids, id))
		map_put(&folds->ids, id, &member);
}

void folds_fini(struct folds *folds)
{
	map_fini(&folds->ids);
	*folds = (struct folds){0};
}

struct tree *tree_create(void)
{
	return xcalloc(1, sizeof(struct tree));
}

void tree_destroy(struct tree *tree)
{
	if (!tree)
		return;
	map_fini(&tree->leaders);
	free(tree->parents);
	free(tree->down);
	free(tree->scratch);
	free(tree->next);
	free(tree->first);
	free(tree->keys);
	free(tree);
}

static void reserve_nodes(struct tree *tree, size_t count)
{
	uint32_t **arrays[] = {&tree->parents, &tree->down, &tree->scratch, &tree->next,
			       &tree->first};

	if (count <= tree->capacity)
		return;
	tree->capacity = count + count / 2;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
		*arrays[i] = xrealloc(*arrays[i], tree->capacity, sizeof(**arrays[i]));
}

/* Of two processes with the same pid the living one has children; else the later one. */
static bool leads(const struct view_row *row, const struct view_row *other)
{
	if (row->is_exited != other->is_exited)
		return other->is_exited;
	return row->id > other->id;
}

static uint32_t leader_of(const struct tree *tree, int32_t pid)
{
	const void *found = pid >= 0 ? map_get(&tree->leaders, (uint64_t)pid) : NULL;

	return found ? (uint32_t)((uintptr_t)found - 1) : NO_ROW;
}

static void note_leaders(struct tree *tree, const struct view_row *rows)
{
	map_fini(&tree->leaders);
	for (size_t i = 0; i < tree->count; i++) {
		uint32_t known;

		if (!rows[i].task || rows[i].tid != rows[i].pid)
			continue;
		known = leader_of(tree, rows[i].pid);
		if (known == NO_ROW || leads(&rows[i], &rows[known]))
			map_put(&tree->leaders, (uint64_t)rows[i].pid, (void *)(uintptr_t)(i + 1));
	}
}

/* The parent's pid may belong to another process by now. */
static uint32_t process_above(const struct tree *tree, const struct view_row *rows,
			      const struct snapshot_task *task)
{
	const uint32_t parent = leader_of(tree, task->parent_pid);
	const bool is_another = parent != NO_ROW && task->parent_id != 0 &&
				rows[parent].task->id != task->parent_id;

	return is_another ? NO_ROW : parent;
}

/* A thread is under its process, or where that one would be. */
static uint32_t parent_of(const struct tree *tree, const struct view_row *rows, uint32_t index)
{
	const struct view_row *row = &rows[index];
	uint32_t parent = NO_ROW;

	if (!row->task)
		return NO_ROW;
	if (row->tid != row->pid)
		parent = leader_of(tree, row->pid);
	if (parent == NO_ROW)
		parent = process_above(tree, rows, row->task);
	return parent == index ? NO_ROW : parent;
}

enum {
	STATE_NEW,
	STATE_ON_PATH,
	STATE_DONE
};

/* Breaks the ring that `from` is part of. */
static void break_ring(struct tree *tree, const struct view_row *rows, uint32_t from)
{
	uint32_t oldest = from;

	for (uint32_t i = tree->parents[from]; i != from; i = tree->parents[i])
		if (rows[i].id < rows[oldest].id)
			oldest = i;
	tree->parents[oldest] = NO_ROW;
}

/* Ancestors that are not there yet, uppermost first, then the row. Returns the new length. */
static size_t append_path(struct tree *tree, const struct view_row *rows, uint32_t row,
			  size_t length)
{
	uint32_t *state = tree->scratch;
	uint32_t *path = tree->next;
	size_t steps = 0;
	uint32_t i = row;

	while (i != NO_ROW && state[i] != STATE_DONE) {
		if (state[i] == STATE_ON_PATH) {
			break_ring(tree, rows, i);
			while (steps > 0)
				state[path[--steps]] = STATE_NEW;
			i = row;
			continue;
		}
		state[i] = STATE_ON_PATH;
		path[steps++] = i;
		i = tree->parents[i];
	}
	while (steps > 0) {
		i = path[--steps];
		state[i] = STATE_DONE;
		tree->down[length++] = i;
	}
	return length;
}

void tree_link(struct tree *tree, const struct view_row *rows, size_t count)
{
	size_t length = 0;

	reserve_nodes(tree, count);
	tree->count = count;
	note_leaders(tree, rows);
	for (uint32_t i = 0; i < count; i++) {
		tree->parents[i] = parent_of(tree, rows, i);
		tree->scratch[i] = STATE_NEW;
	}
	for (uint32_t i = 0; i < count; i++)
		length = append_path(tree, rows, i, length);
}

void tree_link_known(struct tree *tree, const uint32_t *parents, size_t count)
{
	reserve_nodes(tree, count);
	tree->count = count;
	for (uint32_t i = 0; i < count; i++) {
		tree->parents[i] = parents[i];
		tree->down[i] = i;
	}
}

/* A row between them may itself be left out. */
void tree_need_ancestors(const struct tree *tree, uint8_t *fates)
{
	uint32_t *needed = tree->scratch;

	for (size_t i = 0; i < tree->count; i++)
		needed[i] = fates[i] == TREE_SHOWN;
	for (size_t i = tree->count; i-- > 0;) {
		const uint32_t row = tree->down[i];

		if (!needed[row])
			continue;
		if (fates[row] == TREE_IF_NEEDED)
			fates[row] = TREE_SHOWN;
		if (tree->parents[row] != NO_ROW)
			needed[tree->parents[row]] = true;
	}
}

/* `nearest` of a row that stays is its new place, of another that of its nearest ancestor. */
void tree_keep(struct tree *tree, const uint8_t *fates)
{
	uint32_t *nearest = tree->scratch;
	uint32_t *parents = tree->next;
	uint32_t kept = 0;
	size_t length = 0;

	for (size_t i = 0; i < tree->count; i++)
		nearest[i] = fates[i] == TREE_SHOWN ? kept++ : NO_ROW;
	for (size_t i = 0; i < tree->count; i++) {
		const uint32_t row = tree->down[i];
		const uint32_t parent = tree->parents[row];
		const uint32_t above = parent != NO_ROW ? nearest[parent] : NO_ROW;

		if (nearest[row] == NO_ROW) {
			nearest[row] = above;
			continue;
		}
		parents[nearest[row]] = above;
		tree->down[length++] = nearest[row];
	}
	if (kept > 0)
		memcpy(tree->parents, parents, kept * sizeof(*parents));
	tree->count = kept;
}

void tree_spread(const struct tree *tree, uint8_t *marks)
{
	for (size_t i = 0; i < tree->count; i++) {
		const uint32_t row = tree->down[i];

		if (tree->parents[row] != NO_ROW && marks[tree->parents[row]])
			marks[row] = true;
	}
}

bool tree_fold(struct tree *tree, const struct view_row *rows, const struct folds *folds,
	       const uint32_t **into)
{
	uint32_t *collectors = tree->next;
	bool any = false;

	*into = collectors;
	for (size_t i = 0; i < tree->count; i++) {
		const uint32_t row = tree->down[i];
		const uint32_t parent = tree->parents[row];
		/* a row that is not folded collects for itself only */
		const uint32_t above = parent != NO_ROW ? collectors[parent] : NO_ROW;
		const bool joins =
			above != NO_ROW && (above != parent || is_folded(folds, &rows[parent]));

		collectors[row] = joins ? above : row;
		any = any || joins;
	}
	return any;
}

uint32_t tree_parent(const struct tree *tree, uint32_t row)
{
	return row < tree->count ? tree->parents[row] : NO_ROW;
}

/* Places in `keys`: the first below each row, and the next below the same; returns the first below
 * NO_ROW. */
static uint32_t chain_siblings(struct tree *tree, const struct order_key *keys, size_t count)
{
	uint32_t top = NO_ROW;

	for (size_t i = 0; i < count; i++)
		tree->first[i] = NO_ROW;
	for (size_t i = count; i-- > 0;) {
		const uint32_t parent = tree_parent(tree, keys[i].row);
		uint32_t *first = parent != NO_ROW ? &tree->first[parent] : &top;

		tree->next[i] = *first;
		*first = (uint32_t)i;
	}
	return top;
}

/* above: the row that it is under, or NULL. */
static void set_branch(struct view_row *row, const struct view_row *above, bool is_last)
{
	struct row_branch *branch = &row->branch;

	branch->is_last = is_last;
	branch->depth = above ? above->branch.depth + 1 : 0;
	branch->lines = above ? above->branch.lines : 0;
	if (above && above->branch.depth > 0 && above->branch.depth <= LINES_MAX &&
	    !above->branch.is_last)
		branch->lines |= UINT64_C(1) << (above->branch.depth - 1);
}

/* Puts the ancestors of each key that have no place yet before the next key. */
static void bring_branches_forward(struct tree *tree, struct order_key *keys, size_t count)
{
	uint32_t *indexes = tree->scratch; /* of rows, in `keys` */
	uint32_t *has_place = tree->first;
	size_t done = 0;

	for (size_t i = 0; i < count; i++) {
		indexes[keys[i].row] = (uint32_t)i;
		has_place[keys[i].row] = false;
	}
	for (size_t i = 0; i < count; i++) {
		for (uint32_t row = keys[i].row; row != NO_ROW && !has_place[row];
		     row = tree_parent(tree, row)) {
			has_place[row] = true;
			tree->keys[done++] = keys[indexes[row]];
		}
	}
	memcpy(keys, tree->keys, done * sizeof(*keys));
}

void tree_arrange(struct tree *tree, struct view_row *rows, struct order_key *keys, size_t count,
		  enum tree_order order)
{
	uint32_t *indexes, index;
	size_t done = 0;

	if (count == 0)
		return;
	reserve_nodes(tree, count);
	indexes = tree->scratch; /* of rows, in `keys` */
	array_reserve(&tree->keys, &tree->key_capacity, count, sizeof(*tree->keys));
	if (order == TREE_BY_BRANCH)
		bring_branches_forward(tree, keys, count);
	index = chain_siblings(tree, keys, count);
	for (size_t i = 0; i < count; i++)
		indexes[keys[i].row] = (uint32_t)i;
	while (index != NO_ROW) {
		uint32_t row = keys[index].row;
		const uint32_t parent = tree_parent(tree, row);

		set_branch(&rows[row], parent != NO_ROW ? &rows[parent] : NULL,
			   tree->next[index] == NO_ROW);
		rows[row].branch.has_children = tree->first[row] != NO_ROW;
		tree->keys[done++] = keys[index];
		if (tree->first[row] != NO_ROW) {
			index = tree->first[row];
			continue;
		}
		while (row != NO_ROW && tree->next[indexes[row]] == NO_ROW)
			row = tree_parent(tree, row);
		index = row != NO_ROW ? tree->next[indexes[row]] : NO_ROW;
	}
	memcpy(keys, tree->keys, done * sizeof(*keys));
}

static size_t append_branch(char *text, size_t size, size_t length, const char *words)
{
	const size_t bytes = strlen(words);

	if (bytes >= size - length)
		return length;
	memcpy(text + length, words, bytes + 1);
	return length + bytes;
}

void tree_write_branch(char *text, size_t size, const struct row_branch *branch, bool ascii)
{
	const uint32_t depth = branch->depth < DEPTH_DRAWN ? branch->depth : DEPTH_DRAWN;
	const char *line = ascii ? "|  " : "│  ";
	size_t length = 0;
	char folded[32];

	text[0] = '\0';
	for (uint32_t i = 0; i + 1 < depth; i++)
		length = append_branch(text, size, length, branch->lines >> i & 1 ? line : "   ");
	if (depth > 0 && branch->is_last)
		length = append_branch(text, size, length, ascii ? "`- " : "└─ ");
	else if (depth > 0)
		length = append_branch(text, size, length, ascii ? "|- " : "├─ ");
	snprintf(folded, sizeof(folded), "[+%u] ", branch->folded);
	if (branch->folded > 0)
		append_branch(text, size, length, folded);
}
