#ifndef PERFTOP_SYMBOL_CONFINE_H
#define PERFTOP_SYMBOL_CONFINE_H

/* What the helper may do, and how much it may use. */

#include <stdbool.h>
#include <stdint.h>

enum {
	NOBODY_ID = 65534 /* user and group */
};

/*
 * Takes from this process, for good, all rights but to work with what it has open: no capability,
 * the user nobody where it was root, no new rights by a program, and no system call that opens a
 * file, makes a socket or process, or reaches another process. Where the kernel filters no system
 * calls, it can still do what any process of its user can. Call it with one thread. False: it has
 * rights still, or is root's and its calls are not filtered.
 */
bool confine(void);

/* At most so much of a resource of setrlimit(2), as far as the user may. */
void limit_resource(unsigned int resource, uint64_t value);

/*
 * How much memory it may allocate: beyond that, allocations fail and it dies, or does without.
 * libdw maps whole files so that the kernel counts them as allocated (RLIMIT_DATA), though they are
 * not: that much is allowed besides.
 */
void limit_memory(uint64_t mapped_bytes);

#endif
