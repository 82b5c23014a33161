#ifndef PERFTOP_SYMBOL_LIMITS_H
#define PERFTOP_SYMBOL_LIMITS_H

/* What the helper may use at most. */

#include <stdint.h>

/* Of a resource of setrlimit(2), as far as the user may. */
void limit_resource(unsigned int resource, uint64_t value);

/*
 * How much memory it may allocate: beyond that, allocations fail and it dies, or does without.
 * libdw maps whole files so that the kernel counts them as allocated (RLIMIT_DATA), though they are
 * not: that much is allowed besides.
 */
void limit_memory(uint64_t mapped_bytes);

#endif
