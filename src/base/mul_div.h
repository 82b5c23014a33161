#ifndef PERFTOP_BASE_MUL_DIV_H
#define PERFTOP_BASE_MUL_DIV_H

#include <stdint.h>

/*
 * a * b / divisor, cut, without overflow in between: the part of `a` that b is of the divisor. The
 * divisor is not 0; of a result that 64 bits cannot hold, these are the lower ones.
 */
uint64_t mul_div(uint64_t a, uint64_t b, uint64_t divisor);

#endif
