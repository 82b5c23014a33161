/* Counts of CPUs made fit for metrics. */

#include "view/summary.h"

#include "snapshot_builder.h"
#include "unit.h"

enum {
	GROUP_PLACE = WORLD_GROUP
};

static uint64_t ms(uint64_t count)
{
	return count * WORLD_NS_PER_MS;
}

UNIT_TEST(busy_counts_takes_idle_from_run_time_only)
{
	struct world world;
	uint64_t counts[WORLD_WIDTH];
	const uint64_t *counter;
	const uint64_t *idle;

	world_init(&world);
	counter = world_vector(&world, (struct counts_spec){.run_ms = 1000, .cycles = 900});
	idle = world_vector(&world, (struct counts_spec){.run_ms = 700, .cycles = 100});

	assert_true(busy_counts(counts, counter, idle, &world.layout));

	assert_int_equal(counts[QUANTITY_RUN_NS], ms(300));
	assert_int_equal(counts[WORLD_FIRST + CYCLES], 900);
	world_fini(&world);
}

UNIT_TEST(busy_counts_always_counting_group_counts_all_busy_time)
{
	struct world world;
	uint64_t counts[WORLD_WIDTH];
	const uint64_t *counter;
	const uint64_t *idle;

	world_init(&world);
	counter = world_vector(&world, (struct counts_spec){.run_ms = 997});
	idle = world_vector(&world, (struct counts_spec){.run_ms = 664});

	busy_counts(counts, counter, idle, &world.layout);

	assert_int_equal(counts[GROUP_PLACE], counts[QUANTITY_RUN_NS]);
	world_fini(&world);
}

UNIT_TEST(busy_counts_rotated_group_keeps_its_share)
{
	struct world world;
	uint64_t counts[WORLD_WIDTH];
	const uint64_t *counter;
	const uint64_t *idle;

	world_init(&world);
	counter = world_vector(&world, (struct counts_spec){.run_ms = 1000, .counting_ms = 250});
	idle = world_vector(&world, (struct counts_spec){.run_ms = 900});

	busy_counts(counts, counter, idle, &world.layout);

	assert_int_equal(counts[GROUP_PLACE], ms(25));
	world_fini(&world);
}

UNIT_TEST(busy_counts_idle_longer_than_cpu_is_refused)
{
	struct world world;
	uint64_t counts[WORLD_WIDTH];
	const uint64_t *counter;
	const uint64_t *idle;

	world_init(&world);
	counter = world_vector(&world, (struct counts_spec){.run_ms = 1});
	idle = world_vector(&world, (struct counts_spec){.run_ms = 2});

	assert_false(busy_counts(counts, counter, idle, &world.layout));

	assert_int_equal(counts[QUANTITY_RUN_NS], 0);
	world_fini(&world);
}

UNIT_TEST(busy_sum_machine_adds_all_cpus)
{
	struct world world;
	uint64_t sum[WORLD_WIDTH];
	uint64_t idle[WORLD_WIDTH];

	world_init(&world);
	task(&world, .pid = 1, .run_ms = 400);

	busy_sum_machine(sum, idle, &world.snapshot);

	assert_int_equal(sum[QUANTITY_RUN_NS], ms(2000));
	assert_int_equal(idle[QUANTITY_RUN_NS], ms(1000));
	world_fini(&world);
}

UNIT_TEST(busy_sum_machine_without_cpus_adds_what_was_counted)
{
	struct world world;
	uint64_t sum[WORLD_WIDTH];
	uint64_t idle[WORLD_WIDTH];

	world_init(&world);
	world.snapshot.cpu_count = 0;
	task(&world, .pid = 1, .run_ms = 400);
	task(&world, .pid = 2, .run_ms = 30);
	task(&world, .pid = 3, .run_ms = 5, .is_held = true);
	task(&world, .pid = 4, .run_ms = 7, .is_from_proc = true);

	busy_sum_machine(sum, idle, &world.snapshot);

	assert_int_equal(sum[QUANTITY_RUN_NS], ms(430));
	assert_int_equal(idle[QUANTITY_RUN_NS], 0);
	world_fini(&world);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
