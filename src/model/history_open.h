#ifndef PERFTOP_MODEL_HISTORY_OPEN_H
#define PERFTOP_MODEL_HISTORY_OPEN_H

/*
 * The newest entries of a history, not packed yet: rows of numbers, which never move, and beside
 * them the order in which they come, by key. Adding appends to the order; it is put right when
 * it is read, since CPUs are heard one after the other, thousands of entries of each.
 */

#include <stddef.h>
#include <stdint.h>

/*
 * A row. Every number is stored plus one, so that the unknown (all bits set) is the least and
 * not the greatest: it would take the most room when packed.
 */
enum history_column {
	HISTORY_COLUMN_TIME_NS,
	HISTORY_COLUMN_SLICE_NS,
	HISTORY_COLUMN_OFF_NS,
	HISTORY_COLUMN_WAIT_NS,
	HISTORY_COLUMN_LEFT,
	HISTORY_COLUMN_CAME,
	HISTORY_COLUMN_PUSHED_BY,
	HISTORY_COLUMN_CPU,
	HISTORY_COLUMN_FROM_CPU,
	HISTORY_COLUMN_FLAGS, /* how, came_preempted, has_counts: see history.c */
	HISTORY_COLUMNS       /* those of the counts vector follow, without the builtin places */
};

struct history_place {
	uint64_t key;
	uint32_t slot; /* of its row */
};

struct history_open {
	uint64_t *rows;              /* owned; `capacity` of `columns` numbers */
	struct history_place *order; /* owned; the same capacity */
	uint32_t *free;              /* owned; slots that are free again; the same capacity */
	size_t columns;
	size_t capacity, count, free_count;
	size_t ordered; /* so many of order[] are in order */
};

void history_open_init(struct history_open *open, size_t columns);
void history_open_fini(struct history_open *open);

/* *copy must not own anything. */
void history_open_copy(struct history_open *copy, const struct history_open *open);

/* Rows have more columns from now on; those that are there have the encoded zero in them. */
void history_open_widen(struct history_open *open, size_t columns);

/*
 * Room for one row more, to be filled by the caller: it comes behind all with a key not greater.
 * Room is made for `max` rows at the most; there are fewer yet.
 */
uint64_t *history_open_add(struct history_open *open, uint64_t key, size_t max);

/* Puts all in order. What follows asks for that. */
void history_open_order(struct history_open *open);

const uint64_t *history_open_row(const struct history_open *open, size_t index);
size_t history_open_not_above(const struct history_open *open, uint64_t key); /* how many */
void history_open_drop(struct history_open *open, size_t count); /* the first so many */

size_t history_open_bytes(const struct history_open *open);
size_t history_open_bytes_max(size_t columns, size_t max);

#endif
