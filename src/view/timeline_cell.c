/*
 * There is one piece of each actor, found by a table of hashes: a cell of one second may see
 * thousands of slices, of a few tasks as a rule.
 */

#include "view/timeline_cell.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/counts.h"
#include "model/metric.h"
#include "model/switches.h"
#include "view/timeline.h"

enum {
	SLOTS_FIRST = 32
};

static const struct timeline_cell nothing = {
	.kind = TIMELINE_NOTHING,
	.actor = ACTOR_UNKNOWN,
	.sequence = UINT64_MAX,
	.busy_pct = NAN,
	.ipc = NAN,
	.goodness = -1,
	.colour = UINT_MAX,
};

void timeline_cells_clear(struct timeline_cell *cells, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cells[i] = nothing;
}

void cell_fill_init(struct cell_fill *fill, size_t width)
{
	*fill = (struct cell_fill){
		.slots = xcalloc(SLOTS_FIRST, sizeof(*fill->slots)),
		.slot_count = SLOTS_FIRST,
		.counts = xcalloc(width, sizeof(*fill->counts)),
		.share = xcalloc(width, sizeof(*fill->share)),
		.width = width,
	};
}

void cell_fill_fini(struct cell_fill *fill)
{
	free(fill->pieces);
	free(fill->slots);
	free(fill->counts);
	free(fill->share);
}

/* The slot of an actor, or the free one that it would take. */
static uint32_t *find_slot(const struct cell_fill *fill, uint64_t actor)
{
	const size_t mask = fill->slot_count - 1;
	size_t at = (size_t)(actor * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

	while (fill->slots[at] > 0 && fill->pieces[fill->slots[at] - 1].actor != actor)
		at = (at + 1) & mask;
	return &fill->slots[at];
}

void cell_fill_clear(struct cell_fill *fill)
{
	/* The slots of those that were added later may stand behind others' that are gone. */
	for (size_t i = fill->count; i-- > 0;)
		*find_slot(fill, fill->pieces[i].actor) = 0;
	fill->count = fill->latest = 0;
	fill->task_ns = fill->counted_ns = fill->idle_ns = fill->unknown_ns = 0;
	counts_clear(fill->counts, fill->width);
}

static void grow_slots(struct cell_fill *fill)
{
	free(fill->slots);
	fill->slot_count *= 2;
	fill->slots = xcalloc(fill->slot_count, sizeof(*fill->slots));
	for (size_t i = 0; i < fill->count; i++)
		*find_slot(fill, fill->pieces[i].actor) = (uint32_t)i + 1;
}

static struct cell_piece *piece_of(struct cell_fill *fill, uint64_t actor)
{
	uint32_t *slot;

	if (fill->latest < fill->count && fill->pieces[fill->latest].actor == actor)
		return &fill->pieces[fill->latest];
	slot = find_slot(fill, actor);
	if (*slot == 0) {
		array_reserve(&fill->pieces, &fill->capacity, fill->count + 1,
			      sizeof(*fill->pieces));
		fill->pieces[fill->count++] =
			(struct cell_piece){.actor = actor, .sequence = UINT64_MAX};
		*slot = (uint32_t)fill->count;
		if (2 * fill->count >= fill->slot_count)
			grow_slots(fill);
		fill->latest = fill->count - 1;
	} else {
		fill->latest = *slot - 1;
	}
	return &fill->pieces[fill->latest];
}

void cell_fill_copy(struct cell_fill *fill, const struct cell_fill *other)
{
	cell_fill_clear(fill);
	for (size_t i = 0; i < other->count; i++)
		*piece_of(fill, other->pieces[i].actor) = other->pieces[i];
	memcpy(fill->counts, other->counts, fill->width * sizeof(*fill->counts));
	fill->task_ns = other->task_ns;
	fill->counted_ns = other->counted_ns;
	fill->idle_ns = other->idle_ns;
	fill->unknown_ns = other->unknown_ns;
}

void cell_fill_add(struct cell_fill *fill, uint64_t actor, uint64_t sequence, uint64_t ns)
{
	struct cell_piece *piece = piece_of(fill, actor);

	piece->ns += ns;
	if (piece->longest_ns < ns) {
		piece->longest_ns = ns;
		piece->sequence = sequence;
	}
	if (actor == ACTOR_UNKNOWN)
		fill->unknown_ns += ns;
	else if (actor == ACTOR_IDLE)
		fill->idle_ns += ns;
	else
		fill->task_ns += ns;
}

void cell_fill_add_counts(struct cell_fill *fill, const uint64_t *counts, size_t width, uint64_t ns,
			  uint64_t whole_ns)
{
	fill->counted_ns += ns;
	if (ns == whole_ns) {
		counts_add(fill->counts, counts, width);
		return;
	}
	for (size_t i = 0; i < width; i++)
		fill->share[i] = (uint64_t)((unsigned __int128)counts[i] * ns / whole_ns);
	counts_add(fill->counts, fill->share, width);
}

/* The one that ran longest of those from actor number `least` to `most`; NULL: none of these ran.
 */
static const struct cell_piece *longest(const struct cell_fill *fill, uint64_t least, uint64_t most)
{
	const struct cell_piece *best = NULL;

	for (size_t i = 0; i < fill->count; i++) {
		const struct cell_piece *piece = &fill->pieces[i];

		if (piece->actor < least || piece->actor > most)
			continue;
		if (!best || piece->ns > best->ns ||
		    (piece->ns == best->ns && piece->actor < best->actor))
			best = piece;
	}
	return best;
}

static enum timeline_kind kind_of(const struct cell_fill *fill)
{
	if (fill->idle_ns > (fill->task_ns + fill->idle_ns + fill->unknown_ns) / 2)
		return TIMELINE_IDLE;
	if (fill->unknown_ns > fill->task_ns)
		return TIMELINE_UNKNOWN;
	return fill->task_ns > 0 ? TIMELINE_TASK : TIMELINE_IDLE;
}

static const struct cell_piece *owner_of(const struct cell_fill *fill, enum timeline_kind kind)
{
	const struct cell_piece *task = longest(fill, ACTOR_FIRST, UINT64_MAX);

	if (kind == TIMELINE_UNKNOWN)
		return longest(fill, ACTOR_UNKNOWN, ACTOR_UNKNOWN);
	return task ? task : longest(fill, ACTOR_IDLE, ACTOR_IDLE);
}

static void rate(struct timeline_cell *cell, const struct cell_fill *fill,
		 const struct cell_rating *rating)
{
	const size_t metric = (size_t)rating->metric;

	/* What runs now, or was not counted, may not be more than the rest. */
	if (rating->metric < 0 || fill->counted_ns == 0 || fill->counted_ns < fill->task_ns / 2)
		return;
	cell->ipc = metrics_eval(rating->metrics, metric, fill->counts, 0, rating->cell_ns).value;
	cell->goodness = metric_goodness(metrics_info(rating->metrics, metric), cell->ipc);
}

void cell_fill_finish(struct cell_fill *fill, struct timeline_cell *cell,
		      const struct cell_rating *rating)
{
	const struct cell_piece *owner;

	if (fill->count == 0)
		return;
	cell->kind = kind_of(fill);
	owner = owner_of(fill, cell->kind);
	if (owner) {
		cell->actor = owner->actor;
		cell->actor_ns = owner->ns;
		cell->sequence = owner->sequence;
	}
	if (cell->kind != TIMELINE_UNKNOWN)
		cell->busy_pct =
			100.0 * (double)fill->task_ns / (double)(fill->task_ns + fill->idle_ns);
	rate(cell, fill, rating);
	cell_fill_clear(fill);
}
