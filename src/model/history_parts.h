#ifndef PERFTOP_MODEL_HISTORY_PARTS_H
#define PERFTOP_MODEL_HISTORY_PARTS_H

/*
 * A history (history.h), for its own files alone: history.c writes it, history_read.c gives it out.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/history.h"
#include "model/history_actors.h"
#include "model/history_block.h"
#include "model/history_open.h"

/* The column of flags. */
enum {
	HISTORY_HOW_BITS = 3,
	HISTORY_FLAG_CAME_PREEMPTED = 1 << HISTORY_HOW_BITS,
	HISTORY_FLAG_HAS_COUNTS = 1 << (HISTORY_HOW_BITS + 1)
};

struct history {
	size_t capacity; /* entries, a multiple of HISTORY_BLOCK, at least two blocks */
	size_t open_max; /* the same */
	size_t width;
	bool is_copy;

	uint64_t first;
	struct history_block **blocks; /* owned; one reference to each */
	size_t block_count, block_capacity;
	size_t block_bytes;        /* of all of them */
	struct history_open *open; /* owned; put into order also by mere readers */

	uint64_t settled_ns; /* keys that come are not less */
	size_t settled;      /* so many of the open ones are */
	uint64_t shown_end;  /* of a copy: entries from here on are not shown */
	uint64_t *cpu_keys;  /* owned; of the last entry of each CPU, from 1 on; 0: of all others */
	size_t cpu_count, cpu_capacity;
	struct history_actors actors;
};

/* The number of the first open entry. */
static inline uint64_t history_sealed_end(const struct history *history)
{
	return history->first + history->block_count * HISTORY_BLOCK;
}

/* Where what is there up to `end` ends for readers. */
static inline uint64_t history_shown(const struct history *history, uint64_t end)
{
	return history->shown_end < end ? history->shown_end : end;
}

/* So many numbers of one column (enum history_column, or a place behind them) from `from` on, all
 * in the same block or all open. */
void history_read_column(const struct history *history, uint64_t from, size_t count, size_t column,
			 uint64_t *out);

#endif
