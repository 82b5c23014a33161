/*
 * Rows are in the order of a tree, so that one walk along them places all frames: a frame begins
 * where the one before it under the same call has ended, or with that call.
 */

#include "view/flame.h"

#include <stdlib.h>

#include "base/memory.h"
#include "view/functions.h"
#include "view/table.h"

void flame_fini(struct flame *flame)
{
	free(flame->frames);
	free(flame->next);
	*flame = (struct flame){0};
}

/* The end of the rows under this one. */
static size_t branch_end(const struct view_table *table, size_t row)
{
	const size_t count = view_table_row_count(table);
	const uint32_t depth = view_table_row(table, row)->branch.depth;
	size_t end = row + 1;

	while (end < count && view_table_row(table, end)->branch.depth > depth)
		end++;
	return end;
}

static void begin_flame(struct flame *flame, const struct view_table *table, size_t zoom)
{
	const size_t count = view_table_row_count(table);

	flame->count = 0;
	flame->depth = 0;
	flame->zoom = zoom;
	flame->row_end = zoom == FLAME_ALL ? count : branch_end(table, zoom);
	flame->all_weight = count > 0 ? view_table_row(table, 0)->function->all_weight : 0;
	flame->weight = zoom == FLAME_ALL ? flame->all_weight
					  : view_table_row(table, zoom)->function->total_weight;
	array_reserve(&flame->next, &flame->next_capacity, 2, sizeof(*flame->next));
	flame->next[0] = 0;
}

/* Damaged recordings may have inconsistent numbers. */
static int column_of(const struct flame *flame, uint64_t weight, int columns)
{
	const double share = flame->weight > 0 ? (double)weight / (double)flame->weight : 0;

	return share < 1 ? (int)(share * columns) : columns;
}

static void add_frame(struct flame *flame, const struct flame_frame *frame)
{
	if (frame->end <= frame->begin)
		return;
	array_reserve(&flame->frames, &flame->capacity, flame->count + 1, sizeof(*flame->frames));
	flame->frames[flame->count++] = *frame;
	if (flame->depth <= frame->depth)
		flame->depth = frame->depth + 1;
}

void flame_make(struct flame *flame, const struct view_table *table, size_t zoom, int columns)
{
	const size_t first = zoom == FLAME_ALL ? 0 : zoom;
	uint32_t top;

	begin_flame(flame, table, zoom);
	top = zoom == FLAME_ALL ? 0 : view_table_row(table, zoom)->branch.depth;
	for (size_t i = first; i < flame->row_end; i++) {
		const struct view_row *row = view_table_row(table, i);
		const uint32_t depth = row->branch.depth - top;
		uint64_t begins;

		array_reserve(&flame->next, &flame->next_capacity, depth + 2, sizeof(*flame->next));
		begins = flame->next[depth];
		flame->next[depth] += row->function->total_weight;
		flame->next[depth + 1] = begins;
		add_frame(flame, &(struct flame_frame){
					 .row = i,
					 .depth = depth,
					 .begin = column_of(flame, begins, columns),
					 .end = column_of(flame, flame->next[depth], columns),
				 });
	}
}

size_t flame_find(const struct flame *flame, size_t row)
{
	size_t low = 0, high = flame->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (flame->frames[middle].row <= row)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : flame->count;
}

/* The next frame in its line, to the left or to the right. */
static size_t beside(const struct flame *flame, size_t frame, bool is_left)
{
	const uint32_t depth = flame->frames[frame].depth;
	size_t i = frame;

	while (is_left ? i > 0 : i + 1 < flame->count) {
		i = is_left ? i - 1 : i + 1;
		if (flame->frames[i].depth == depth)
			return i;
	}
	return frame;
}

static size_t frame_above(const struct flame *flame, size_t frame)
{
	const uint32_t depth = flame->frames[frame].depth;
	size_t i = frame;

	while (i > 0 && flame->frames[i].depth >= depth)
		i--;
	return i;
}

static int frame_width(const struct flame_frame *frame)
{
	return frame->end - frame->begin;
}

static size_t below(const struct flame *flame, size_t frame)
{
	const uint32_t depth = flame->frames[frame].depth;
	size_t found = frame;

	for (size_t i = frame + 1; i < flame->count && flame->frames[i].depth > depth; i++) {
		const bool is_wider = found == frame || frame_width(&flame->frames[i]) >
								frame_width(&flame->frames[found]);

		if (flame->frames[i].depth == depth + 1 && is_wider)
			found = i;
	}
	return found;
}

size_t flame_step(const struct flame *flame, size_t frame, enum flame_step step)
{
	if (frame >= flame->count)
		return frame;
	switch (step) {
	case FLAME_LEFT:
	case FLAME_RIGHT:
		return beside(flame, frame, step == FLAME_LEFT);
	case FLAME_UP:
		return flame->frames[frame].depth > 0 ? frame_above(flame, frame) : frame;
	case FLAME_DOWN:
		return below(flame, frame);
	}
	return frame;
}

size_t flame_caller(const struct view_table *table, size_t row)
{
	const uint32_t depth = view_table_row(table, row)->branch.depth;

	if (depth == 0)
		return FLAME_ALL;
	while (view_table_row(table, row)->branch.depth >= depth)
		row--;
	return row;
}

uint64_t flame_marked_weight(const struct view_table *table, const bool *marks)
{
	const size_t count = view_table_row_count(table);
	uint64_t weight = 0;
	size_t i = 0;

	while (i < count) {
		if (marks[i])
			weight += view_table_row(table, i)->function->total_weight;
		i = marks[i] ? branch_end(table, i) : i + 1;
	}
	return weight;
}
