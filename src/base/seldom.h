#ifndef PERFTOP_BASE_SELDOM_H
#define PERFTOP_BASE_SELDOM_H

/*
 * For a function beside the hot path: it is not inlined there, so that the registers it needs are
 * saved in itself alone.
 */
#define SELDOM __attribute__((noinline))

#endif
