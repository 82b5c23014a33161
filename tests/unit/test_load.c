/* What /proc says of the machine's load, memory and uptime, and what of that is believed. */
#include <unistd.h>

#include "kernel/load.h"

#include "fake_root.h"
#include "unit.h"

static void put_all(void)
{
	fake_root_file("/proc/loadavg", "0.52 1.31 12.05 2/345 6789\n");
	fake_root_file("/proc/meminfo", "MemTotal:       24000 kB\nMemFree:         1000 kB\n"
					"MemAvailable:   20000 kB\nSwapTotal:       2048 kB\n"
					"SwapFree:        1024 kB\n");
	fake_root_file("/proc/uptime", "93784.61 12345.67\n");
}

UNIT_TEST(load_is_read)
{
	struct load load;

	put_all();
	assert_true(load_read(&load, fake_root));
	assert_true(load.runnable[0] == 0.52 && load.runnable[1] == 1.31 &&
		    load.runnable[2] == 12.05);
	assert_int_equal(load.memory_bytes, 24000 * 1024);
	assert_int_equal(load.memory_used_bytes, 4000 * 1024);
	assert_int_equal(load.swap_bytes, 2048 * 1024);
	assert_int_equal(load.swap_used_bytes, 1024 * 1024);
	assert_int_equal(load.uptime_s, 93784);
}

UNIT_TEST(load_of_swap_is_in_bytes)
{
	uint64_t bytes = 0;

	fake_root_file("/proc/vmstat", "nr_free_pages 12\nzpswpin 9\npswpin 3\npswpout 5\n");
	assert_true(load_read_swapped_in(&bytes, fake_root));
	assert_int_equal(bytes, 3 * sysconf(_SC_PAGESIZE));

	fake_root_file("/proc/vmstat", "nr_free_pages 12\npswpin\n");
	assert_false(load_read_swapped_in(&bytes, fake_root));
}

UNIT_TEST(load_of_nonsense_is_refused)
{
	static const struct {
		const char *file, *text;
	} cases[] = {
		{"/proc/loadavg", "0.52 1.31\n"},
		{"/proc/loadavg", ""},
		{"/proc/uptime", "long\n"},
		{"/proc/meminfo", "MemTotal: 24000 kB\n"},
		{"/proc/meminfo",
		 "MemTotal: 1 kB\nMemAvailable: 2 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n"},
		{"/proc/meminfo",
		 "MemTotal: 2 kB\nMemAvailable: 1 kB\nSwapTotal: 0 kB\nSwapFree: 1 kB\n"},
	};
	struct load load;

	assert_false(load_read(&load, fake_root));
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		put_all();
		assert_true(load_read(&load, fake_root));
		fake_root_file(cases[i].file, cases[i].text);
		assert_false(load_read(&load, fake_root));
	}
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
