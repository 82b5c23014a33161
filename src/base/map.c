/*
 * Open addressing with linear probing. Invariant: from the home slot of a key
 * to the slot it lies in, no slot is empty; a search may therefore stop at the
 * first empty slot. Removal keeps this by moving later entries of the same run
 * back into the hole instead of leaving a mark. A slot with a NULL value is empty.
 */
#include "base/map.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sys/auxv.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
	FIRST_SLOTS = 16,  /* a power of two */
	KEPT_SLOTS = 1024, /* the memory of so many is kept */
	PROBES_MAX = 1024  /* slots that a search passes; more is no coincidence: some 400 with 10^6
			      keys */
};

/*
 * Spreads keys that differ in a few low bits (pids) or high bits (addresses): the highest bits of
 * the product with 2^64 divided by the golden ratio (Knuth, The Art of Computer Programming, 6.4).
 * Keys that were made to share a home slot are mixed with a number that is not known in advance.
 */
static size_t home_of(const struct map *map, uint64_t key)
{
	if (map->seed != 0)
		key = hash_mix(hash_mix(map->seed, key), map->seed);

	const uint64_t product = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(product >> __builtin_clzll(map->slot_count) >> 1);
}

static size_t after(const struct map *map, size_t slot)
{
	return (slot + 1) & (map->slot_count - 1);
}

/* The slot that holds key, or the empty one where it would go. The map has slots. */
static size_t slot_of(const struct map *map, uint64_t key)
{
	size_t slot = home_of(map, key);

	while (map->slots[slot].value && map->slots[slot].key != key)
		slot = after(map, slot);
	return slot;
}

static void resize_slots(struct map *map, size_t slot_count)
{
	struct map resized = {.slot_count = slot_count, .count = map->count, .seed = map->seed};

	resized.slots = xcalloc(slot_count, sizeof(*resized.slots));
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].value)
			resized.slots[slot_of(&resized, map->slots[i].key)] = map->slots[i];
	free(map->slots);
	*map = resized;
}

/* From the random bytes that the kernel gives each process (getauxval(3)). */
static uint64_t random_seed(void)
{
	uint64_t seed;

	memcpy(&seed, (const void *)getauxval(AT_RANDOM), sizeof(seed));
	return seed | 1;
}

/* Whether the search for what lies in `slot` passes so many slots that the keys are chosen for it.
 */
static bool is_attacked(const struct map *map, size_t slot)
{
	const size_t home = home_of(map, map->slots[slot].key);

	return map->seed == 0 && ((slot - home) & (map->slot_count - 1)) > PROBES_MAX;
}

void map_fini(struct map *map)
{
	free(map->slots);
	*map = (struct map){0};
}

void map_clear(struct map *map)
{
	if (map->count < map->slot_count / 8) {
		map_fini(map);
		return;
	}
	if (map->count > 0)
		memset(map->slots, 0, map->slot_count * sizeof(*map->slots));
	map->count = 0;
}

void map_fini_with(struct map *map, void (*destroy)(void *value))
{
	for (size_t i = 0; i < map->slot_count; i++)
		if (map->slots[i].value)
			destroy(map->slots[i].value);
	map_fini(map);
}

void *map_get(const struct map *map, uint64_t key)
{
	if (map->count == 0)
		return NULL;
	return map->slots[slot_of(map, key)].value;
}

void *map_put(struct map *map, uint64_t key, void *value)
{
	assert(value);
	if (map->count + 1 > map->slot_count / 4 * 3)
		resize_slots(map, map->slot_count ? map->slot_count * 2 : FIRST_SLOTS);

	struct map_slot *slot = &map->slots[slot_of(map, key)];
	void *replaced = slot->value;
	*slot = (struct map_slot){.key = key, .value = value};
	if (!replaced)
		map->count++;
	if (is_attacked(map, (size_t)(slot - map->slots))) {
		map->seed = random_seed();
		resize_slots(map, map->slot_count);
	}
	return replaced;
}

/*
 * Fills the hole with the next entry of the run that may lie there, which makes
 * a new hole, and so on to the end of the run. An entry may move back to the hole
 * unless its home lies (cyclically) behind the hole.
 */
static void fill_slot(struct map *map, size_t hole)
{
	const size_t mask = map->slot_count - 1;

	for (size_t i = after(map, hole); map->slots[i].value; i = after(map, i)) {
		size_t home = home_of(map, map->slots[i].key);

		if (((i - home) & mask) < ((i - hole) & mask))
			continue;
		map->slots[hole] = map->slots[i];
		hole = i;
	}
	map->slots[hole] = (struct map_slot){0};
}

void *map_remove(struct map *map, uint64_t key)
{
	if (map->count == 0)
		return NULL;

	size_t slot = slot_of(map, key);
	void *removed = map->slots[slot].value;
	if (!removed)
		return NULL;
	fill_slot(map, slot);
	map->count--;
	if (map->slot_count > KEPT_SLOTS && map->count < map->slot_count / 8)
		resize_slots(map, map->slot_count / 2);
	return removed;
}

const struct map_slot *map_next(const struct map *map, const struct map_slot *slot)
{
	size_t i = slot ? (size_t)(slot - map->slots) + 1 : 0;

	while (i < map->slot_count && !map->slots[i].value)
		i++;
	return i < map->slot_count ? &map->slots[i] : NULL;
}
