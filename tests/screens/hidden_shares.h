#ifndef PERFTOP_TESTS_HIDDEN_SHARES_H
#define PERFTOP_TESTS_HIDDEN_SHARES_H

/* What hidden_shares.c and its library share. */

#include <stdint.h>

/*
 * So many turns of one loop: all shares are counted in these. Ten take some three samples or six,
 * so that samples cannot keep step with them.
 */
static inline __attribute__((always_inline)) void shares_turn(volatile uint64_t *number, int turns)
{
	for (int i = 0; i < turns * 600000; i++)
		*number = *number * 31 + 7;
}

/* Calls a function of the library that has no symbol there. */
void hidden_library(volatile uint64_t *number);

#endif
