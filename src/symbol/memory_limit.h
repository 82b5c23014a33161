#ifndef PERFTOP_SYMBOL_MEMORY_LIMIT_H
#define PERFTOP_SYMBOL_MEMORY_LIMIT_H

/*
 * How much memory the helper may allocate: beyond that, allocations fail and it dies, or does
 * without. libdw maps whole files so that the kernel counts them as allocated (RLIMIT_DATA), though
 * they are not: that much is allowed besides.
 */

#include <stdint.h>

void memory_limit(uint64_t mapped_bytes);

#endif
