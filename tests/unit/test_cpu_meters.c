#include <math.h>

#include "view/meters.h"

#include "snapshot_builder.h"
#include "unit.h"

static struct world world;
static struct cpu_meters meters;

static int set_up(void **state)
{
	world_init(&world);
	return 0;
}

static int tear_down(void **state)
{
	cpu_meters_fini(&meters);
	world_fini(&world);
	return 0;
}

static const struct cpu_meter *make(enum cpu_meters_by by)
{
	cpu_meters_make(&meters, by, &world.snapshot, &world.session, world.metrics);
	assert_int_equal(meters.count, 2);
	assert_int_equal(meters.meters[0].cpu, 0);
	assert_int_equal(meters.meters[1].cpu, 1);
	return meters.meters;
}

/* A CPU that was on for a second, and idle for all of it but so much. */
static void set_cpu(size_t index, struct counts_spec all, uint64_t idle_ms)
{
	struct snapshot_cpu *cpu = &world.cpus[index];

	all.run_ms = 1000;
	cpu->counter = world_vector(&world, all);
	cpu->idle = world_vector(&world, (struct counts_spec){.run_ms = idle_ms});
}

UNIT_TEST(cpu_meters_make_says_how_busy_and_how_well)
{
	const struct cpu_meter *cpus;

	set_cpu(0, (struct counts_spec){.cycles = 1000, .instructions = 3000}, 250);
	cpus = make(CPU_METERS_IPC);
	assert_true(cpus[0].busy_pct == 75);
	assert_string_equal(cpus[0].text, "3.00");
	assert_int_equal(cpus[0].goodness, 4);
	assert_int_equal(meters.text_width, 4);
	cpus = make(CPU_METERS_BUSY);
	assert_string_equal(cpus[0].text, "75%");
	assert_int_equal(cpus[0].goodness, -1);
}

UNIT_TEST(cpu_meters_make_of_misses_has_their_scale)
{
	const struct cpu_meter *cpus;

	set_cpu(0, (struct counts_spec){.cycles = 1000, .references = 1000, .misses = 612}, 0);
	cpus = make(CPU_METERS_MISS);
	assert_string_equal(cpus[0].text, "61.2%");
	assert_int_equal(cpus[0].goodness, 0);
	assert_string_equal(meters.name, "miss");
}

/* Of the second level as much is not as bad. */
UNIT_TEST(cpu_meters_make_of_misses_names_the_cache)
{
	world_fit(&world, CACHE_LEVEL_L2);
	set_cpu(0, (struct counts_spec){.cycles = 1000, .references = 1000, .misses = 512}, 0);
	assert_int_equal(make(CPU_METERS_MISS)[0].goodness, 1);
	assert_string_equal(meters.name, "L2 miss");
	make(CPU_METERS_IPC);
	assert_string_equal(meters.name, "IPC");
	make(CPU_METERS_BUSY);
	assert_string_equal(meters.name, "");
}

/* 2.498 and 2.50 look the same, and so do 4.96 % and 5.0 %. */
UNIT_TEST(cpu_meters_make_are_as_good_as_they_look)
{
	int goodness;

	set_cpu(0, (struct counts_spec){.cycles = 1000, .instructions = 2498}, 0);
	goodness = make(CPU_METERS_IPC)[0].goodness;
	set_cpu(0, (struct counts_spec){.cycles = 1000, .instructions = 2500}, 0);
	assert_int_equal(make(CPU_METERS_IPC)[0].goodness, goodness);
	set_cpu(0, (struct counts_spec){.cycles = 1000, .references = 10000, .misses = 496}, 0);
	goodness = make(CPU_METERS_MISS)[0].goodness;
	set_cpu(0, (struct counts_spec){.cycles = 1000, .references = 10000, .misses = 500}, 0);
	assert_int_equal(make(CPU_METERS_MISS)[0].goodness, goodness);
}

/* Too long a number gives up decimals; and one that has no room at all is not shown in part. */
UNIT_TEST(cpu_meters_make_numbers_fit)
{
	set_cpu(0, (struct counts_spec){.cycles = 10, .instructions = 1234}, 0);
	assert_string_equal(make(CPU_METERS_IPC)[0].text, "123");
	set_cpu(0, (struct counts_spec){.cycles = 1, .instructions = 123456}, 0);
	assert_string_equal(make(CPU_METERS_IPC)[0].text, "-");
}

UNIT_TEST(cpu_meters_make_idle_cpu_is_neither_good_nor_bad)
{
	set_cpu(0, (struct counts_spec){.cycles = 1000, .instructions = 100}, 995);
	assert_int_equal(make(CPU_METERS_IPC)[0].goodness, -1);
	set_cpu(0, (struct counts_spec){.cycles = 1000, .instructions = 100}, 990);
	assert_int_equal(make(CPU_METERS_IPC)[0].goodness, 0);
}

UNIT_TEST(cpu_meters_make_cpu_that_is_off_is_unknown)
{
	const struct cpu_meter *cpus;

	world.cpus[1].counter = world.cpus[1].idle = world_vector(&world, (struct counts_spec){0});
	cpus = make(CPU_METERS_IPC);
	assert_true(isnan(cpus[1].busy_pct));
	assert_string_equal(cpus[1].text, "-");
	assert_int_equal(cpus[1].goodness, -1);
}

UNIT_TEST(cpu_meters_make_of_cpus_that_are_not_watched)
{
	const uint64_t no = UINT64_MAX;
	const struct cpu_times times[] = {{60, 10, 10, 20, 0}, {no, no, no, no, no}};

	world.snapshot.cpu_times = times;
	world.snapshot.cpu_time_count = 2;
	assert_true(make(CPU_METERS_BUSY)[0].system_pct == 12.5);
	assert_true(isnan(meters.meters[1].system_pct));

	world.snapshot.cpu_count = 0;
	cpu_meters_make(&meters, CPU_METERS_IPC, &world.snapshot, &world.session, world.metrics);
	assert_int_equal(meters.count, 1);
	assert_string_equal(meters.name, "");
	assert_int_equal(meters.meters[0].cpu, 0);
	assert_true(meters.meters[0].busy_pct == 80);
	assert_true(meters.meters[0].system_pct == 20);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
