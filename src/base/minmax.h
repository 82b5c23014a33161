#ifndef PERFTOP_BASE_MINMAX_H
#define PERFTOP_BASE_MINMAX_H

/* The one or the other of two lengths, for code that lays something out. */

static inline int smaller(int a, int b)
{
	return a < b ? a : b;
}

static inline int larger(int a, int b)
{
	return a > b ? a : b;
}

#endif
