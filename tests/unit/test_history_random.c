/*
 * A history against plain arrays, under random steps.
 */

#include "history_kit.h"
#include "unit.h"

enum {
	WIDTH = QUANTITY_BUILTIN + 6
};

static void walk(size_t capacity, size_t steps, uint64_t seed)
{
	struct history_kit kit;

	kit_init(&kit, capacity, WIDTH, seed);
	for (size_t i = 0; i < steps; i++) {
		const uint64_t random = kit_random(&kit);
		uint8_t bytes[KIT_STEP_BYTES];

		memcpy(bytes, &random, sizeof(bytes));
		kit_step(&kit, bytes);
	}
	kit_check(&kit, 1);
	assert_int_equal(history_end(kit.history), kit.count);
	kit_fini(&kit);
}

UNIT_TEST(history_under_random_steps_is_what_was_put_in)
{
	for (uint64_t seed = 1; seed <= 25; seed++)
		walk(1 + seed * 300, 300, seed);
}

UNIT_TEST(history_over_many_blocks_is_what_was_put_in)
{
	walk(5 * HISTORY_BLOCK, 1500, 77);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
