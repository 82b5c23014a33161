/* The store of counts vectors. */

#include "view/rows.h"

#include "unit.h"

UNIT_TEST(vectors_take_after_reset_gives_zeros_again)
{
	struct vectors vectors = {0};
	uint64_t *counts;

	vectors_reset(&vectors, 3);
	counts = vectors_take(&vectors);
	counts[2] = 7;

	vectors_reset(&vectors, 3);
	counts = vectors_take(&vectors);

	assert_int_equal(counts[2], 0);
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_take_many_keeps_all_apart)
{
	struct vectors vectors = {0};
	uint64_t *taken[1000];

	vectors_reset(&vectors, 2);

	for (uint64_t i = 0; i < 1000; i++) {
		taken[i] = vectors_take(&vectors);
		taken[i][0] = i;
		taken[i][1] = ~i;
	}

	for (uint64_t i = 0; i < 1000; i++) {
		assert_int_equal(taken[i][0], i);
		assert_int_equal(taken[i][1], ~i);
	}
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_take_copy_copies_all_numbers)
{
	struct vectors vectors = {0};
	const uint64_t counts[] = {1, 2, 3};
	const uint64_t *copy;

	vectors_reset(&vectors, 3);

	copy = vectors_take_copy(&vectors, counts);

	assert_memory_equal(copy, counts, sizeof(counts));
	assert_ptr_not_equal(copy, counts);
	vectors_fini(&vectors);
}

UNIT_TEST(vectors_reset_to_wider_makes_room)
{
	struct vectors vectors = {0};

	vectors_reset(&vectors, 1);
	vectors_take(&vectors)[0] = 1;

	vectors_reset(&vectors, 100);
	for (int i = 0; i < 200; i++)
		vectors_take(&vectors)[99] = 1;

	assert_int_equal(vectors.used, 200);
	vectors_fini(&vectors);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
