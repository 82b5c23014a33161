/*
 * Products of counts and times mostly fit 64 bits. Others are divided bit by bit of one factor, so
 * that nothing wider than 64 bits is needed: not all processors have it.
 */

#include "base/mul_div.h"

#include <stdbool.h>

/* Adds to a remainder; both are below the divisor. True: it went over it once. */
static bool add_to_rest(uint64_t *rest, uint64_t more, uint64_t divisor)
{
	const bool is_over = *rest >= divisor - more;

	*rest += is_over ? more - divisor : more;
	return is_over;
}

uint64_t mul_div(uint64_t a, uint64_t b, uint64_t divisor)
{
	const uint64_t whole = b / divisor, part = b % divisor;
	uint64_t quotient, rest = 0;

	if (!__builtin_mul_overflow(a, b, &quotient))
		return quotient / divisor;
	/* the bits of `a` so far, times b, are quotient * divisor + rest */
	quotient = 0;
	for (int bit = 63; bit >= 0; bit--) {
		quotient = 2 * quotient + add_to_rest(&rest, rest, divisor);
		if (a >> bit & 1)
			quotient += whole + add_to_rest(&rest, part, divisor);
	}
	return quotient;
}
