#ifndef PERFTOP_MODEL_COUNTS_H
#define PERFTOP_MODEL_COUNTS_H

/*
 * Arithmetic on counts vectors (layout.h says what is where), and accounts, which are made of
 * them. This is the one place where counters are subtracted.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* sum += addend, number by number. */
void counts_add(uint64_t *sum, const uint64_t *addend, size_t width);

/*
 * delta = later - earlier for counters that only grow. False when any of them went
 * backwards: the reading is broken and delta holds nothing of use.
 */
static inline bool counts_sub(uint64_t *delta, const uint64_t *later, const uint64_t *earlier,
			      size_t width)
{
	bool went_backwards = false;

	for (size_t i = 0; i < width; i++) {
		went_backwards |= later[i] < earlier[i];
		delta[i] = later[i] - earlier[i];
	}
	return !went_backwards;
}

/* The vector made longer by zeros; `counts` must come from xcalloc(), NULL stays
 * NULL. */
uint64_t *counts_widen(uint64_t *counts, size_t width, size_t new_width);

void counts_clear(uint64_t *counts, size_t width);
bool counts_are_zero(const uint64_t *counts, size_t width);

/*
 * What one owner (a task, a CPU, its idle time...) has consumed: a counts vector that
 * grows now, what it was when the last interval was closed, and the sum of all
 * closed intervals. Snapshots borrow the latter two; only a close changes them.
 *
 * An account of a task that never ran has no vectors: ten thousand sleeping tasks
 * cost nothing here.
 */
struct account {
	uint64_t *interval; /* owned, one block with the others; NULL: never opened */
	uint64_t *shown;    /* of the interval closed last */
	uint64_t *total;    /* of all closed intervals */
};

void account_open(struct account *account, size_t width);
void account_fini(struct account *account);

/* A longer vector: nothing has been counted in what is new. Pointers to the vectors change. */
void account_widen(struct account *account, size_t width, size_t new_width);

/* Ends the interval. False when nothing was counted in it. */
bool account_close(struct account *account, size_t width);

/* As if nothing had ever been counted. */
void account_clear(struct account *account, size_t width);

#endif
