#ifndef PERFTOP_BASE_MUL_DIV_H
#define PERFTOP_BASE_MUL_DIV_H

#include <stdint.h>

/*
 * a * b / divisor, rounded down, without overflow of the product. The divisor is not 0; of a result
 * above 64 bits the lower ones are returned.
 */
uint64_t mul_div(uint64_t a, uint64_t b, uint64_t divisor);

#endif
