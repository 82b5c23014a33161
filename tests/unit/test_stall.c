/* What files of cgroups and of /proc say of tasks held back, and what of that is believed. */
#include <unistd.h>

#include "kernel/stall.h"

#include "fake_root.h"
#include "unit.h"

#define V2     "/sys/fs/cgroup"
#define V1     "/sys/fs/cgroup/cpu,cpuacct"
#define HYBRID "/sys/fs/cgroup/unified"
#define PRESSURE                                                                                   \
	"some avg10=1.50 avg60=0.20 avg300=0.00 total=12345\nfull avg10=0.00 avg60=0.00 "          \
	"avg300=0.00 total=99\n"

static uint32_t read_of(const char *path, uint64_t numbers[static STALL_NUMBERS])
{
	struct cgroup_mounts mounts;

	cgroup_find_mounts(&mounts, fake_root);
	return cgroup_read_stalls(numbers, fake_root, &mounts, path);
}

static uint32_t known(const char *path)
{
	uint64_t numbers[STALL_NUMBERS];

	return read_of(path, numbers);
}

UNIT_TEST(cgroup_of_version_2_has_limit_and_pressure)
{
	uint64_t numbers[STALL_NUMBERS];

	fake_root_file(V2 "/cgroup.controllers", "cpu io memory\n");
	fake_root_file(V2 "/web/cpu.stat",
		       "usage_usec 7\nnr_periods 40\nnr_throttled 30\nthrottled_usec 2000000\n");
	fake_root_file(V2 "/web/cpu.pressure", PRESSURE);
	fake_root_file(V2 "/web/memory.pressure",
		       "some avg10=0.00 avg60=0.00 avg300=0.00 total=5\n");
	assert_int_equal(read_of("/web", numbers),
			 STALL_LIMIT | STALL_HAS_CPU_STAT | 1 << STALL_CPU_SOME |
				 1 << STALL_CPU_FULL | 1 << STALL_MEMORY_SOME);
	assert_int_equal(numbers[STALL_PERIODS], 40);
	assert_int_equal(numbers[STALL_PERIODS_THROTTLED], 30);
	assert_int_equal(numbers[STALL_THROTTLED], 2000000);
	assert_int_equal(numbers[STALL_CPU_SOME], 12345);
	assert_int_equal(numbers[STALL_CPU_FULL], 99);
	assert_int_equal(numbers[STALL_MEMORY_SOME], 5);
	assert_int_equal(known("/gone"), 0);
}

UNIT_TEST(cgroup_without_a_limit_of_its_own_is_known_to_have_none)
{
	fake_root_file(V2 "/cgroup.controllers", "");
	fake_root_file(V2 "/web/cpu.stat", "usage_usec 7\nuser_usec 3\n");
	assert_int_equal(known("/web"), STALL_HAS_CPU_STAT);
}

/* Version 1 has nanoseconds, and pressure is in the other hierarchy. */
UNIT_TEST(cgroup_of_both_versions_has_each_where_it_is)
{
	uint64_t numbers[STALL_NUMBERS];

	fake_root_file(V1 "/cpu.stat", "nr_periods 0\nnr_throttled 0\nthrottled_time 0\n");
	fake_root_file(V1 "/web/cpu.stat",
		       "nr_periods 4\nnr_throttled 3\nthrottled_time 5000000\n");
	assert_int_equal(known("/web"), STALL_LIMIT | STALL_HAS_CPU_STAT);
	fake_root_file(HYBRID "/cgroup.controllers", "");
	fake_root_file(HYBRID "/web/io.pressure", PRESSURE);
	fake_root_file(HYBRID "/other/cpu.stat", "usage_usec 7\nthrottled_usec 2\n");
	assert_int_equal(read_of("/web", numbers), STALL_LIMIT | STALL_HAS_CPU_STAT |
							   1 << STALL_IO_SOME | 1 << STALL_IO_FULL);
	assert_int_equal(numbers[STALL_THROTTLED], 5000);
	assert_int_equal(known("/other"), 0); /* its limit is in the other hierarchy */
}

UNIT_TEST(cgroups_that_are_not_mounted_or_not_below_are_not_known)
{
	assert_int_equal(known("/"), 0);
	assert_int_equal(known("/web"), 0);
	fake_root_file(V2 "/cgroup.controllers", "");
	fake_root_file(V2 "/web/cpu.stat", "nr_periods 4\n");
	fake_root_file("/sys/fs/cpu.stat", "nr_periods 4\n");
	assert_int_not_equal(known("/web"), 0);
	assert_int_equal(known("/.."), 0);
	assert_int_equal(known("/web/../../cgroup/web"), 0);
	assert_int_equal(known(""), 0);
	assert_int_equal(known("web"), 0);
	fake_root_file(V2 "/..web/cpu.stat", "nr_periods 4\n");
	assert_int_not_equal(known("/..web"), 0);
}

UNIT_TEST(nonsense_in_files_of_a_cgroup_is_not_known)
{
	static const char *const stats[] = {"nr_periods\n", "nr_periods -3\n", "nr_periods x\n",
					    " nr_periods 3\n", "nr_periods"};
	static const char *const pressures[] = {"some avg10=0.00\ntotal=5\n", "some total=\n",
						"some total=x\n", "full\n", "total=5\n"};

	fake_root_file(V2 "/cgroup.controllers", "");
	for (size_t i = 0; i < COUNT_OF(stats); i++) {
		fake_root_file(V2 "/web/cpu.stat", stats[i]);
		assert_int_equal(known("/web"), STALL_HAS_CPU_STAT);
	}
	for (size_t i = 0; i < COUNT_OF(pressures); i++) {
		fake_root_file(V2 "/web/io.pressure", pressures[i]);
		assert_int_equal(known("/web"), STALL_HAS_CPU_STAT);
	}
}

UNIT_TEST(cpu_times_are_read_of_each_cpu)
{
	const uint64_t tick_ns = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
	const char *rest;
	struct cpu_times times;
	char *text;
	int32_t cpu;

	fake_root_file("/proc/stat", "cpu  9 9 9 9 9 9 9 12 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n"
				     "cpu17 1 2 3 4 5 6 7 4 0 0\nintr 5 0 0\n");
	text = cpu_times_read(fake_root, 2);
	assert_non_null(text);
	rest = text;
	assert_true(cpu_times_next(&rest, &cpu, &times));
	assert_int_equal(cpu, 0);
	assert_int_equal(times.user_ns, (1 + 2) * tick_ns);
	assert_int_equal(times.system_ns, 3 * tick_ns);
	assert_int_equal(times.irq_ns, (6 + 7) * tick_ns);
	assert_int_equal(times.idle_ns, (4 + 5) * tick_ns);
	assert_int_equal(times.stolen_ns, 8 * tick_ns);
	assert_true(cpu_times_next(&rest, &cpu, &times));
	assert_int_equal(cpu, 17);
	assert_int_equal(times.stolen_ns, 4 * tick_ns);
	assert_false(cpu_times_next(&rest, &cpu, &times));
	free(text);
}

UNIT_TEST(cpu_times_that_are_not_whole_are_not_known)
{
	static const char *const texts[] = {
		"",
		"cpu",
		"cpu0",
		"cpu0 1 2 3 4 5 6 7 8",
		"cpu0 1 2 3 4 5 6 7\n",
		"cpu  1 2 3 4 5 6 7 8\n",
		"cpux 1 2 3 4 5 6 7 8\n",
		"cpu0 1 2 3 4 5 6 7 x\n",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		const char *rest = texts[i];
		struct cpu_times times;
		int32_t cpu;

		assert_false(cpu_times_next(&rest, &cpu, &times));
	}
	assert_null(cpu_times_read(fake_root, 2));
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
