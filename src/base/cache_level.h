#ifndef PERFTOP_BASE_CACHE_LEVEL_H
#define PERFTOP_BASE_CACHE_LEVEL_H

/*
 * Which level of the memory hierarchy a number is about. The kernel's generic cache events mean a
 * different level on each family of processors; a level that is not known is not named.
 */

enum cache_level {
	CACHE_LEVEL_UNKNOWN,
	CACHE_LEVEL_L1D,
	CACHE_LEVEL_L2,
	CACHE_LEVEL_LLC,   /* the last one before memory */
	CACHE_LEVEL_MEMORY /* lines that came from there */
};

/* "L1D", "L2", "LLC", "MEM"; "" unknown. */
const char *cache_level_name(enum cache_level level);

#endif
