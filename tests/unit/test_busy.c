/* Counts of CPUs made fit for metrics. */

#include "view/summary.h"

#include "snapshot_builder.h"
#include "unit.h"

static struct world world;

static int set_up(void **state)
{
	world_init(&world);
	return 0;
}

static int tear_down(void **state)
{
	world_fini(&world);
	return 0;
}

/* Idle is taken from the run time; a group that took turns keeps its share. */
UNIT_TEST(busy_counts_are_those_of_the_cpu_without_idle_time)
{
	static const struct {
		const char *name;
		struct counts_spec counter, idle;
		bool is_good;
		uint64_t run_ms, counting_ms, cycles;
	} cases[] = {
		{"events stay",
		 {.run_ms = 1000, .cycles = 900},
		 {.run_ms = 700, .cycles = 100},
		 true,
		 300,
		 300,
		 900},
		{"a group that counts all the time",
		 {.run_ms = 997},
		 {.run_ms = 664},
		 true,
		 333,
		 333,
		 0},
		{"a group that took turns",
		 {.run_ms = 1000, .counting_ms = 250},
		 {.run_ms = 900},
		 true,
		 100,
		 25,
		 0},
		{"idle for longer than the CPU", {.run_ms = 1}, {.run_ms = 2}, false, 0, 1, 0},
	};
	uint64_t counts[WORLD_WIDTH];

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		assert_int_equal(busy_counts(counts, world_vector(&world, cases[i].counter),
					     world_vector(&world, cases[i].idle), &world.layout),
				 cases[i].is_good);
		assert_int_equal(counts[QUANTITY_RUN_NS], cases[i].run_ms * WORLD_NS_PER_MS);
		if (cases[i].is_good)
			assert_int_equal(counts[WORLD_GROUP],
					 cases[i].counting_ms * WORLD_NS_PER_MS);
		assert_int_equal(counts[WORLD_FIRST + CYCLES], cases[i].cycles);
	}
}

static void assert_machine(uint64_t sum_ms, uint64_t idle_ms)
{
	uint64_t sum[WORLD_WIDTH], idle[WORLD_WIDTH];

	busy_sum_machine(sum, idle, &world.snapshot);
	assert_int_equal(sum[QUANTITY_RUN_NS], sum_ms * WORLD_NS_PER_MS);
	assert_int_equal(idle[QUANTITY_RUN_NS], idle_ms * WORLD_NS_PER_MS);
}

UNIT_TEST(busy_sum_machine_adds_all_cpus_or_what_was_counted)
{
	task(&world, .pid = 1, .run_ms = 400);
	task(&world, .pid = 2, .run_ms = 30);
	task(&world, .pid = 3, .run_ms = 5, .is_held = true);
	task(&world, .pid = 4, .run_ms = 7, .is_from_proc = true);
	assert_machine(2000, 1000);
	world.snapshot.cpu_count = 0;
	assert_machine(430, 0);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
