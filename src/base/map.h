#ifndef PERFTOP_BASE_MAP_H
#define PERFTOP_BASE_MAP_H

/*
 * A hash map from a 64-bit key to a pointer: open addressing, linear probing, a load of at most
 * 3/4; large tables shrink below 1/8. Deletion without tombstones (backward shift). Once a search
 * passes too many slots, as with keys made to collide, home slots depend on a random seed. Values
 * are borrowed; NULL is not a value. An empty map is {0}.
 */

#include <stddef.h>
#include <stdint.h>

struct map_slot {
	uint64_t key;
	void *value; /* borrowed; NULL: the slot is empty */
};

struct map {
	struct map_slot *slots; /* owned; a power of two of them, or NULL */
	size_t slot_count;
	size_t count;  /* entries */
	uint64_t seed; /* of the keys' home slots; 0 until one search becomes too long */
};

void map_fini(struct map *map);
void map_clear(struct map *map); /* memory is kept, if there was more than little in it */
void map_fini_with(struct map *map, void (*destroy)(void *value)); /* and with it all values */
void *map_get(const struct map *map, uint64_t key);                /* NULL: absent */
void *map_put(struct map *map, uint64_t key, void *value); /* returns the value replaced, or NULL */
void *map_remove(struct map *map, uint64_t key);           /* returns the value removed, or NULL */

/*
 * Walks all entries in no particular order: the one behind `slot`, NULL for the first one, and
 * behind the last one. The map must not be changed meanwhile.
 */
const struct map_slot *map_next(const struct map *map, const struct map_slot *slot);

#endif
