#ifndef PERFTOP_BASE_MINMAX_H
#define PERFTOP_BASE_MINMAX_H

/* The smaller and the greater of two lengths, for layout. */

static inline int smaller(int a, int b)
{
	return a < b ? a : b;
}

static inline int larger(int a, int b)
{
	return a > b ? a : b;
}

#endif
