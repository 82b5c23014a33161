#ifndef PERFTOP_TESTS_GUEST_ALIKE_H
#define PERFTOP_TESTS_GUEST_ALIKE_H

/*
 * Whether a replay tells what was seen: two outputs of perftop, one object of JSON per line, are
 * the same line by line, each member of each of them. Two may differ: what perftop itself cost
 * ("own"), being another process, and the verdict, which asks /proc about the present.
 */

#include <jansson.h>
#include <stdbool.h>

/* Prints where they differ first. */
bool alike_lines(const json_t *live, const json_t *replay);

/* The same of what an older perftop has written: objects of the replay may have more members. */
bool alike_kept_lines(const json_t *kept, const json_t *replay);

#endif
