#ifndef PERFTOP_MODEL_ACCOUNT_H
#define PERFTOP_MODEL_ACCOUNT_H

/*
 * What one owner (a task, a CPU, its idle time...) has consumed: a counts vector that
 * grows now, what it was when the last interval was closed, and the sum of all
 * closed intervals. Snapshots borrow the latter two; only a close changes them.
 *
 * An account of a task that never ran has no vectors: ten thousand sleeping tasks
 * cost nothing here.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct account {
	uint64_t *interval; /* owned, one block with the others; NULL: never opened */
	uint64_t *shown;    /* of the interval closed last */
	uint64_t *total;    /* of all closed intervals */
};

void account_open(struct account *account, size_t width);
void account_fini(struct account *account);

/* More places, in which nothing has been counted. Pointers to the vectors change. */
void account_widen(struct account *account, size_t width, size_t new_width);

/* Ends the interval. False when nothing was counted in it. */
bool account_close(struct account *account, size_t width);

/* As if nothing had ever been counted. */
void account_clear(struct account *account, size_t width);

#endif
