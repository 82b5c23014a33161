/* What held cgroups back, in percent: by their own limits and those above them. */
#include <math.h>
#include <string.h>

#include "model/snapshot.h"
#include "view/stalls.h"

#include "unit.h"

enum {
	ALL = STALL_ALL,
	NO_LIMIT = STALL_ALL & ~STALL_LIMIT, /* version 2, without the controller */
	NO_FILE = STALL_ALL & ~STALL_LIMIT & ~STALL_HAS_CPU_STAT
};

/* Of one second each, in the order of their paths. */
static const struct snapshot_cgroup cgroups[] = {
	{"/", 1000000000, ALL, {0}, 0},
	{"/a", 1000000000, ALL, {10, 5, 500000, 0, 0, 0, 0, 2000000}, 0},
	{"/a/b", 1000000000, ALL, {40, 0, 10000, 250000}, 0},
	{"/a/c", 1000000000, NO_LIMIT, {9, 9, 9, 1}, 0},
	{"/a/d", 1000000000, NO_FILE, {9, 9, 9, 1}, 0},
	{"/e", 1000000000, ALL & ~(1 << STALL_CPU_SOME), {0}, 0},
	{"/f", 1000000000, NO_LIMIT, {0}, 0},
};

static const struct snapshot snapshot = {
	.interval_ns = 1000000000,
	.cgroups = cgroups,
	.cgroup_count = sizeof(cgroups) / sizeof(cgroups[0]),
};

UNIT_TEST(cgroup_stalls_are_in_percent_of_the_time)
{
	/* clang-format off */
	static const struct {
		const char *path;
		enum stall_number number;
		double pct; /* NaN: unknown */
	} cases[] = {
		{"/a", STALL_THROTTLED, 50},
		{"/a", STALL_PERIODS_THROTTLED, 50},
		{"/a/b", STALL_THROTTLED, 50},         /* by the limit above it */
		{"/a/b", STALL_PERIODS_THROTTLED, 50},
		{"/a/c", STALL_THROTTLED, 50},
		{"/a/d", STALL_THROTTLED, NAN},        /* it may be elsewhere in version 1 */
		{"/e", STALL_THROTTLED, 0},
		{"/f", STALL_THROTTLED, 0},
		{"/f", STALL_PERIODS_THROTTLED, 0},
		{"/a/b", STALL_CPU_SOME, 25},
		{"/a", STALL_CPU_SOME, 0},
		{"/a", STALL_IO_SOME, 100},            /* no more than all the time */
		{"/e", STALL_CPU_SOME, NAN},
		{"/", STALL_CPU_SOME, 0},
		{"/a/x", STALL_CPU_SOME, NAN},
		{"/a/x", STALL_THROTTLED, NAN},
		{"", STALL_THROTTLED, NAN},
		{"a", STALL_THROTTLED, NAN},
		{NULL, STALL_THROTTLED, NAN},
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const double pct =
			cgroup_stall_pct(&snapshot, cases[i].path, SIZE_MAX, cases[i].number);

		if (isnan(cases[i].pct))
			assert_true(isnan(pct));
		else
			assert_true(pct == cases[i].pct);
	}
	assert_true(cgroup_stall_pct(&snapshot, "/a/b", 2, STALL_CPU_SOME) == 0);
}

UNIT_TEST(steal_is_in_percent_of_the_time)
{
	struct cpu_times times = {.stolen_ns = 10};
	struct snapshot machine = {.interval_ns = 100, .cpu_times = &times, .cpu_time_count = 1};

	assert_true(cpu_steal_pct(&machine, 0) == 10);
	assert_true(isnan(cpu_steal_pct(&machine, 1)));
	machine.interval_ns = 9;
	assert_true(cpu_steal_pct(&machine, 0) == 100);
	machine.interval_ns = 0;
	assert_true(isnan(cpu_steal_pct(&machine, 0)));
	times.stolen_ns = UINT64_MAX;
	assert_true(isnan(cpu_steal_pct(&machine, 0)));
}

static void assert_shares(const struct snapshot *machine, int cpu, double user, double system,
			  double irq, double idle)
{
	const struct cpu_shares shares = cpu_shares_make(machine, cpu);

	assert_float_equal(shares.user_pct, user, 1e-9);
	assert_float_equal(shares.system_pct, system, 1e-9);
	assert_float_equal(shares.irq_pct, irq, 1e-9);
	assert_float_equal(shares.idle_pct, idle, 1e-9);
}

UNIT_TEST(shares_of_cpus_are_of_all_their_time)
{
	const uint64_t no = UINT64_MAX;
	struct cpu_times times[] = {{20, 10, 0, 60, 10}, {no, no, no, 50, 0}, {50, 0, 10, 40, no}};
	struct snapshot_cpu watched = {.cpu = 2};
	struct snapshot machine = {.cpu_times = times, .cpu_time_count = COUNT_OF(times)};

	assert_shares(&machine, 0, 20, 10, 0, 60);
	assert_shares(&machine, 2, 50, 0, 10, 40);
	assert_shares(&machine, CPU_SHARES_ALL, 35, 5, 5, 50);
	assert_true(isnan(cpu_shares_make(&machine, 1).user_pct));
	assert_true(isnan(cpu_shares_make(&machine, 3).idle_pct));
	machine.cpus = &watched;
	machine.cpu_count = 1;
	assert_shares(&machine, CPU_SHARES_ALL, 50, 0, 10, 40);
	watched.cpu = 3;
	assert_true(isnan(cpu_shares_make(&machine, CPU_SHARES_ALL).idle_pct));
}

UNIT_MAIN(NULL, NULL)
