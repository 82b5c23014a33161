#ifndef PERFTOP_BASE_SELDOM_H
#define PERFTOP_BASE_SELDOM_H

/*
 * Of a function beside the way that nearly all records go: it is called and not put into that way,
 * so that the registers that it needs are saved in it alone.
 */
#define SELDOM __attribute__((noinline))

#endif
