/* The map against a naive array, and the cases that open addressing gets wrong. */

#include "base/hash.h"
#include "base/map.h"

#include "unit.h"

enum {
	OPERATIONS = 100000,
	CHECK_EVERY = 500,
	NAIVE_MAX = 1024,
};

struct naive {
	uint64_t keys[NAIVE_MAX];
	void *values[NAIVE_MAX];
	size_t count;
};

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static size_t naive_find(const struct naive *naive, uint64_t key)
{
	size_t i = 0;

	while (i < naive->count && naive->keys[i] != key)
		i++;
	return i;
}

static void *naive_get(const struct naive *naive, uint64_t key)
{
	size_t i = naive_find(naive, key);

	return i < naive->count ? naive->values[i] : NULL;
}

static void *naive_put(struct naive *naive, uint64_t key, void *value)
{
	size_t i = naive_find(naive, key);
	void *replaced = i < naive->count ? naive->values[i] : NULL;

	assert_true(i < NAIVE_MAX);
	if (i == naive->count)
		naive->count++;
	naive->keys[i] = key;
	naive->values[i] = value;
	return replaced;
}

static void *naive_remove(struct naive *naive, uint64_t key)
{
	size_t i = naive_find(naive, key);

	if (i == naive->count)
		return NULL;
	void *removed = naive->values[i];
	naive->count--;
	naive->keys[i] = naive->keys[naive->count];
	naive->values[i] = naive->values[naive->count];
	return removed;
}

/* Every entry is found by its key, and the walk meets exactly the same entries. */
static void assert_same(const struct map *map, const struct naive *naive)
{
	size_t walked = 0;

	assert_int_equal(map->count, naive->count);
	for (size_t i = 0; i < naive->count; i++)
		assert_ptr_equal(map_get(map, naive->keys[i]), naive->values[i]);
	for (const struct map_slot *each = NULL; (each = map_next(map, each));) {
		assert_ptr_equal(naive_get(naive, each->key), each->value);
		walked++;
	}
	assert_int_equal(walked, naive->count);
}

/* Keys as they come: pids, addresses with equal low bits, cpu and id in one word, and the ends. */
static uint64_t random_key(uint64_t *seed)
{
	uint64_t number = next_random(seed) % 200;

	switch (next_random(seed) % 4) {
	case 0:
		return number;
	case 1:
		return UINT64_C(0x7f0000000000) + number * 4096;
	case 2:
		return number << 32 | number;
	default:
		return UINT64_MAX - number;
	}
}

static struct map map;

static int tear_down(void **state)
{
	map_fini(&map);
	return 0;
}

UNIT_TEST(map_random_operations_agree_with_an_array)
{
	struct naive naive = {0};
	static char values[256];
	uint64_t seed = UINT64_C(88172645463325252);

	for (int i = 0; i < OPERATIONS; i++) {
		uint64_t key = random_key(&seed);
		void *value = &values[next_random(&seed) % sizeof(values)];
		/* Phases that fill the map and phases that empty it. */
		uint64_t puts_of_8 = i / 5000 % 2 ? 2 : 5;
		uint64_t choice = next_random(&seed) % 8;

		if (choice < puts_of_8)
			assert_ptr_equal(map_put(&map, key, value), naive_put(&naive, key, value));
		else if (choice < 7)
			assert_ptr_equal(map_remove(&map, key), naive_remove(&naive, key));
		else
			assert_ptr_equal(map_get(&map, key), naive_get(&naive, key));
		assert_in_range(map.count * 4, 0, map.slot_count * 3);
		if (i % CHECK_EVERY == 0)
			assert_same(&map, &naive);
	}

	assert_same(&map, &naive);
}

UNIT_TEST(map_remove_every_entry_of_a_crowded_map_keeps_the_others)
{
	static char values[12];

	/* 12 of 16 slots: long runs, some of them across the end of the table. */
	for (uint64_t first = 0; first < 2000; first++) {
		for (size_t removed = 0; removed < 12; removed++) {
			for (size_t i = 0; i < 12; i++)
				map_put(&map, first * 12 + i, &values[i]);
			assert_int_equal(map.slot_count, 16);
			assert_ptr_equal(map_remove(&map, first * 12 + removed), &values[removed]);

			for (size_t i = 0; i < 12; i++)
				assert_ptr_equal(map_get(&map, first * 12 + i),
						 i == removed ? NULL : &values[i]);
			map_fini(&map);
		}
	}
}

static void assert_empty(void)
{
	assert_null(map.slots);
	assert_int_equal(map.count, 0);
	assert_null(map_get(&map, 0));
	assert_null(map_remove(&map, 0));
	assert_null(map_next(&map, NULL));
}

UNIT_TEST(map_put_replaces_and_remove_returns_the_value_once)
{
	int first, second;

	assert_empty();
	assert_null(map_put(&map, 0, &first));
	assert_ptr_equal(map_get(&map, 0), &first);
	assert_null(map_get(&map, 1));
	assert_ptr_equal(map_put(&map, 0, &second), &first);
	assert_ptr_equal(map_get(&map, 0), &second);
	assert_int_equal(map.count, 1);
	assert_ptr_equal(map_remove(&map, 0), &second);
	assert_null(map_remove(&map, 0));
	assert_int_equal(map.count, 0);
	map_put(&map, 7, &first);
	map_fini(&map);
	assert_empty();
}

UNIT_TEST(map_put_and_remove_for_long_does_not_grow)
{
	int value;

	for (uint64_t key = 0; key < 100000; key++) {
		map_put(&map, key, &value);
		map_remove(&map, key);
	}

	assert_int_equal(map.slot_count, 16);
}

UNIT_TEST(map_clear_keeps_room_for_as_many)
{
	size_t slot_count;

	for (uint64_t key = 0; key < 1000; key++)
		map_put(&map, key, &map);
	slot_count = map.slot_count;
	map_clear(&map);
	assert_int_equal(map.count, 0);
	assert_null(map_get(&map, 1));
	assert_int_equal(map.slot_count, slot_count);
	map_put(&map, 1, &map);
	map_clear(&map);
	assert_int_equal(map.slot_count, 0);
	map_clear(&map);
}

UNIT_TEST(map_remove_of_most_gives_back_their_room)
{
	int value;

	for (uint64_t key = 0; key < 100000; key++)
		map_put(&map, key, &value);
	for (uint64_t key = 0; key < 99900; key++)
		assert_ptr_equal(map_remove(&map, key), &value);

	assert_int_equal(map.slot_count, 1024);
	assert_int_equal(map.count, 100);
	for (uint64_t key = 0; key < 100000; key++)
		assert_ptr_equal(map_get(&map, key), key < 99900 ? NULL : &value);
}

/* Keys whose product with the multiplier of base/map.c has nothing but zeros in its upper half. */
static uint64_t colliding_key(uint64_t product)
{
	const uint64_t inverse = UINT64_C(0xf1de83e19937733d); /* of 0x9e3779b97f4a7c15, mod 2^64 */
	const uint64_t mixed = product * inverse;

	return mixed ^ mixed >> 32;
}

UNIT_TEST(map_put_of_keys_of_one_slot_scatters_them)
{
	enum {
		COUNT = 200000
	};
	int value;

	for (uint64_t i = 1; i <= COUNT; i++)
		map_put(&map, colliding_key(i), &value);

	assert_int_not_equal(map.seed, 0);
	for (uint64_t i = 1; i <= COUNT; i++)
		assert_ptr_equal(map_get(&map, colliding_key(i)), &value);
	assert_int_equal(map.count, COUNT);
}

UNIT_TEST(map_put_of_pids_and_addresses_needs_no_seed)
{
	int value;

	for (uint64_t key = 0; key < 300000; key++) {
		map_put(&map, key, &value);
		map_put(&map, UINT64_C(0x7f0000000000) + key * 4096, &value);
	}

	assert_int_equal(map.seed, 0);
}

/* Nor do two hashes of which one begins with the number that the other goes on with. */
UNIT_TEST(map_of_hashes_has_one_for_each_pair_of_small_numbers)
{
	int values[32 * 32];

	for (uint64_t i = 0; i < COUNT_OF(values); i++)
		assert_null(map_put(&map, hash_mix(hash_mix(i / 32, i % 32), 1), &values[i]));
	for (uint64_t i = 0; i < 32; i++)
		assert_null(map_put(&map, hash_mix(0, i), &values[i]));
}

UNIT_MAIN(NULL, tear_down)
