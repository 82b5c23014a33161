/*
 * Vectors of uint64_t, number by number. Sums wrap around like the counters they
 * are made of; a difference that would wrap is refused, because a counter that went
 * backwards is no counter.
 */
#include "model/counts.h"

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
