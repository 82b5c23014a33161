/* The library of hidden_shares.c. Its symbols but for one are in a file beside it. */
#include "hidden_shares.h"

static void hot(volatile uint64_t *number) __asm__("_ZN6shares3hotERKi");

static __attribute__((noinline)) void hot(volatile uint64_t *number)
{
	shares_turn(number, 60);
}

void hidden_library(volatile uint64_t *number)
{
	hot(number);
	*number += 1;
}
