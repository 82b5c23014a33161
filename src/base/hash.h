#ifndef PERFTOP_BASE_HASH_H
#define PERFTOP_BASE_HASH_H

/*
 * Hashes of several things: they begin with any number, and each thing is mixed in. Small numbers
 * that change places are another hash.
 */

#include <stdint.h>

#define HASH_SPREAD UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t hash_mix(uint64_t sum, uint64_t value)
{
	sum = ((sum + 1) * HASH_SPREAD ^ value) * HASH_SPREAD;
	return sum ^ sum >> 29;
}

/* Every byte of a text; NULL: none. */
static inline uint64_t hash_text(uint64_t sum, const char *text)
{
	for (const char *c = text; c && *c != '\0'; c++)
		sum = hash_mix(sum, (unsigned char)*c);
	return sum;
}

#endif
