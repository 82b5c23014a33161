#ifndef PERFTOP_MODEL_HISTORY_ROWS_H
#define PERFTOP_MODEL_HISTORY_ROWS_H

/*
 * Entries of a history as rows, in blocks of HISTORY_BLOCK. Of all numbers but the time 32 bits or
 * less are kept; for those that need more, such as the time that a task slept for longer than four
 * seconds, there is a list beside. What scans look at is in columns; counts, which are looked at
 * entry by entry, are not.
 *
 * The first blocks are sealed: they never change, and copies share them. The rows of the others are
 * open. Adding appends; rows are put into order when they are read, since CPUs are heard one after
 * the other, thousands of entries of each.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/seldom.h"
#include "model/history.h"
#include "model/layout.h"
#include "model/stream.h"

enum history_column {
	COLUMN_SLICE_NS,
	COLUMN_OFF_NS,
	COLUMN_WAIT_NS,
	COLUMN_PREV,
	COLUMN_NEXT,
	COLUMN_QUEUED_BY,
	COLUMN_CPUS, /* cpu, from_cpu: 16 bits each */
	COLUMN_KIND, /* how, state, next_was_preempted, has_counts: 8 bits each */
	HISTORY_COLUMNS
};

/* A number that has no room in its row, or no column. */
struct history_wide {
	uint32_t row;
	uint32_t what; /* enum history_field, or of a count HISTORY_FIELDS + its index in counts */
	uint64_t number;
};

struct history_wides {
	struct history_wide *list; /* owned; by row */
	size_t count, capacity;
};

struct history_block {
	size_t references;
	size_t width; /* of counts */
	struct history_wides wides;
	uint64_t keys[HISTORY_BLOCK]; /* and times: one that is not its key is among the wides */
	/* so far apart that the ends of all columns can be in the processor's nearest cache */
	uint32_t columns[HISTORY_COLUMNS][HISTORY_BLOCK + 16];
	uint32_t counts[]; /* `width` of each row: a counts vector without its builtin indexes */
};

struct history_rows {
	struct history_block **blocks; /* owned; one reference to each */
	size_t block_count, block_capacity;
	size_t sealed; /* blocks */
	size_t count;
	size_t ordered;    /* so many are in order, if not all are: SIZE_MAX */
	uint64_t last_key; /* of the row that was added last; once all are in order, the greatest */
	size_t width;      /* of rows that are added */
};

/* width: of a counts vector. */
void history_rows_init(struct history_rows *rows, size_t width);
void history_rows_fini(struct history_rows *rows);

/* To be read only. *copy must not own anything. */
void history_rows_copy(struct history_rows *copy, const struct history_rows *rows);

/* Counts vectors are longer from now on. */
void history_rows_widen(struct history_rows *rows, size_t width);

/* Room for HISTORY_BLOCK rows more, where all blocks are full. */
void history_rows_begin_block(struct history_rows *rows);

/* Puts the entry behind all with a key not greater, with another queued_by; there is room. */
static inline void history_rows_add(struct history_rows *rows, uint64_t key,
				    const struct switch_entry *entry, uint64_t queued_by);

/* The first block, which is sealed, goes. */
void history_rows_drop_block(struct history_rows *rows);

/* Puts all in order. What follows asks for that. */
void history_rows_order(struct history_rows *rows);
size_t history_rows_not_above(const struct history_rows *rows, uint64_t key); /* how many */

/* Of `count` rows from `from` on: history_numbers(), history_counts(). */
void history_rows_numbers(const struct history_rows *rows, size_t from, size_t count,
			  enum history_field field, uint64_t *out);
void history_rows_counts(const struct history_rows *rows, size_t from, size_t count, uint64_t *out);

size_t history_rows_bytes(const struct history_rows *rows);

/* --- on the way of each switch */

/* For history_rows_add(): what has no room in the row. */
SELDOM void history_rows_add_wides(struct history_block *block, size_t row,
				   const struct switch_entry *entry, uint64_t queued_by);

static inline void history_rows_put_slice(uint32_t *counts, size_t width, const struct slice *slice)
{
	const struct event_group *group = slice->group;
	const size_t count = group->count;

	if (count + 2 < width)
		memset(counts, 0, width * sizeof(*counts));
	counts[group->value_index - QUANTITY_BUILTIN] = (uint32_t)slice->delta[READING_RUNNING_NS];
	counts[group->slices_index - QUANTITY_BUILTIN] = 1;
#pragma GCC unroll 2
	for (size_t i = 0; i < count; i++)
		counts[(size_t)group->value_indexes[i] - QUANTITY_BUILTIN] =
			(uint32_t)slice->delta[READING_VALUES + i];
}

/* Returns all bits of the numbers, and perhaps more. */
static inline uint64_t history_rows_put_counts(uint32_t *counts, size_t width,
					       const struct switch_entry *entry)
{
	uint64_t bits = 0;

	if (entry->whole) {
		history_rows_put_slice(counts, width, entry->whole);
		bits = entry->whole->bits;
	} else if (entry->has_counts && entry->counts) {
		for (size_t i = 0; i < width; i++) {
			counts[i] = (uint32_t)entry->counts[QUANTITY_BUILTIN + i];
			bits |= entry->counts[QUANTITY_BUILTIN + i];
		}
	} else {
		memset(counts, 0, width * sizeof(*counts));
	}
	return bits;
}

/* The low half of a number; in *over bits are set above it if that is not all. */
static inline uint32_t history_rows_narrow(uint64_t number, uint64_t *over)
{
	*over |= number + 1;
	return (uint32_t)number;
}

static inline void history_rows_add(struct history_rows *rows, uint64_t key,
				    const struct switch_entry *entry, uint64_t queued_by)
{
	struct history_block *block = rows->blocks[rows->block_count - 1];
	const size_t at = rows->count % HISTORY_BLOCK;
	uint64_t over = 0;

	block->keys[at] = key;
	block->columns[COLUMN_SLICE_NS][at] = history_rows_narrow(entry->slice_ns, &over);
	block->columns[COLUMN_OFF_NS][at] = history_rows_narrow(entry->off_ns, &over);
	block->columns[COLUMN_WAIT_NS][at] = history_rows_narrow(entry->wait_ns, &over);
	block->columns[COLUMN_PREV][at] = (uint32_t)entry->prev;
	block->columns[COLUMN_NEXT][at] = (uint32_t)entry->next;
	block->columns[COLUMN_QUEUED_BY][at] = (uint32_t)queued_by;
	over |= entry->prev + entry->next + queued_by + 1; /* mostly all three have room */
	block->columns[COLUMN_CPUS][at] = (uint16_t)entry->cpu | (uint32_t)entry->from_cpu << 16;
	block->columns[COLUMN_KIND][at] = (uint32_t)entry->how | (uint32_t)entry->state << 8 |
					  (uint32_t)entry->next_was_preempted << 16 |
					  (uint32_t)entry->has_counts << 24;
	over |= history_rows_put_counts(block->counts + at * rows->width, rows->width, entry);
	if ((over >> 32 | entry->lock | (entry->time_ns ^ key)) != 0)
		history_rows_add_wides(block, at, entry, queued_by);
	if (key < rows->last_key && rows->ordered > rows->count)
		rows->ordered = rows->count;
	rows->last_key = key;
	rows->count++;
}

#endif
