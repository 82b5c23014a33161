#ifndef PERFTOP_BATCH_TOP_H
#define PERFTOP_BATCH_TOP_H

/*
 * A bounded number of those that are worth a series of their own, chosen anew in each interval, and
 * the sum of all others. What an interval came to is added either to one of them or to the rest, so
 * all of them together are what was reported; and each of these sums only grows.
 *
 * An interval is
 *
 *	top_begin(top, limit);
 *	for all, the first in order first: top_offer(top, key, may_enter);
 *	top_choose(top);
 *	for all: tally_add() to the tally of top_find(top, key) where it is shown, else to the rest
 *
 * top.c says which are chosen.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "batch/tally.h"

struct top_one {
	uint64_t key;
	char *labels; /* owned; NULL: not named yet */
	struct tally tally;
	uint64_t last_round; /* in which it was among the first */
	size_t last_rank;    /* and which of them it was then */
	bool is_shown;       /* it is one of the chosen */
	uint32_t unknown;    /* bits of enum quantity: what of it is not known now */
	bool is_over;   /* there is none of this key any more: it goes with the next interval */
	bool is_reused; /* nor has it anything to do with the one that has it now: likewise */
};

/* An empty one is {0}. */
struct top {
	struct top_one **ones; /* owned, each by itself; after top_choose() the shown ones first,
				  by key */
	size_t count, capacity;
	size_t shown_count;
	struct tally rest;
	struct map by_key; /* to struct top_one */
	uint64_t round;
	size_t limit, rank; /* of this interval; ranks given so far */
};

enum {
	TOP_KEPT_MAX = 4096 /* sums that are kept of those that are not shown */
};

void top_fini(struct top *top);

/* limit: how many have sums of their own. Forgets those that are over or reused. */
void top_begin(struct top *top, size_t limit);

/* Called in the order wanted. may_enter: whether it may have a series that it did not have. */
void top_offer(struct top *top, uint64_t key, bool may_enter);
void top_choose(struct top *top);

/* NULL: it was never among the first. */
struct top_one *top_find(const struct top *top, uint64_t key);

void top_name(struct top_one *one, const char *labels);

#endif
