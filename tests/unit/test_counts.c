#include "model/counts.h"

#include "unit.h"

UNIT_TEST(counts_add_sums_number_by_number)
{
	uint64_t sum[3] = {1, 2, 3};

	counts_add(sum, (const uint64_t[]){10, 20, 30}, 2);

	assert_memory_equal(sum, ((const uint64_t[]){11, 22, 3}), sizeof(sum));
}

UNIT_TEST(counts_sub_of_growing_counters_is_the_difference)
{
	uint64_t delta[2];

	assert_true(counts_sub(delta, (const uint64_t[]){UINT64_MAX, 7},
			       (const uint64_t[]){UINT64_MAX - 3, 7}, 2));

	assert_int_equal(delta[0], 3);
	assert_int_equal(delta[1], 0);
}

UNIT_TEST(counts_sub_refuses_a_counter_that_went_backwards)
{
	uint64_t delta[3];

	assert_false(
		counts_sub(delta, (const uint64_t[]){5, 6, 9}, (const uint64_t[]){5, 7, 8}, 3));
	assert_false(
		counts_sub(delta, (const uint64_t[]){4, 8, 9}, (const uint64_t[]){5, 7, 8}, 3));
	assert_true(counts_sub(delta, (const uint64_t[]){5, 6, 7}, (const uint64_t[]){5, 6, 8}, 2));
}

UNIT_TEST(counts_clear_leaves_zeros)
{
	uint64_t counts[3] = {1, 2, 3};

	counts_clear(counts, 2);

	assert_true(counts_are_zero(counts, 2));
	assert_false(counts_are_zero(counts, 3));
	assert_int_equal(counts[2], 3);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
