/*
 * Vectors of uint64_t, number by number. Sums wrap around like the counters they
 * are made of; a difference that would wrap is refused, because a counter that went
 * backwards is no counter.
 */
#include "model/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void counts_add(uint64_t *sum, const uint64_t *addend, size_t width)
{
	for (size_t i = 0; i < width; i++)
		sum[i] += addend[i];
}

uint64_t *counts_widen(uint64_t *counts, size_t width, size_t new_width)
{
	if (!counts)
		return NULL;
	counts = xrealloc(counts, new_width, sizeof(*counts));
	memset(counts + width, 0, (new_width - width) * sizeof(*counts));
	return counts;
}

void counts_clear(uint64_t *counts, size_t width)
{
	memset(counts, 0, width * sizeof(*counts));
}

bool counts_are_zero(const uint64_t *counts, size_t width)
{
	for (size_t i = 0; i < width; i++)
		if (counts[i])
			return false;
	return true;
}

/* Three vectors of one width in one block: interval, shown, total. */
void account_open(struct account *account, size_t width)
{
	account->interval = xcalloc(3 * width, sizeof(*account->interval));
	account->shown = account->interval + width;
	account->total = account->shown + width;
}

void account_widen(struct account *account, size_t width, size_t new_width)
{
	struct account wider;

	if (!account->interval)
		return;
	account_open(&wider, new_width);
	memcpy(wider.interval, account->interval, width * sizeof(*wider.interval));
	memcpy(wider.shown, account->shown, width * sizeof(*wider.shown));
	memcpy(wider.total, account->total, width * sizeof(*wider.total));
	account_fini(account);
	*account = wider;
}

void account_fini(struct account *account)
{
	free(account->interval);
	*account = (struct account){0};
}

bool account_close(struct account *account, size_t width)
{
	if (!account->interval)
		return false;

	memcpy(account->shown, account->interval, width * sizeof(*account->shown));
	counts_add(account->total, account->interval, width);
	counts_clear(account->interval, width);
	return !counts_are_zero(account->shown, width);
}

void account_clear(struct account *account, size_t width)
{
	if (account->interval)
		counts_clear(account->interval, 3 * width);
}
