/* Who else counts: processes of a machine that is a folder. */

#include <unistd.h>

#include "kernel/counter_users.h"

#include "fake_root.h"
#include "unit.h"

/* A process whose descriptor 5 leads to `target`. */
static void make_process(int pid, const char *name, const char *target)
{
	char file[64], path[FAKE_PATH_BYTES];

	snprintf(file, sizeof(file), "/proc/%d/comm", pid);
	fake_root_file(file, name);
	snprintf(file, sizeof(file), "/proc/%d/fd", pid);
	fake_root_folder(file);
	snprintf(file, sizeof(file), "/proc/%d/fd/4", pid);
	fake_root_path(path, file);
	assert_int_equal(symlink("/dev/null", path), 0);
	snprintf(file, sizeof(file), "/proc/%d/fd/5", pid);
	fake_root_path(path, file);
	assert_int_equal(symlink(target, path), 0);
}

static const char *found(char text[static 200])
{
	counter_users_find(fake_root, 7, text, 200);
	return text;
}

UNIT_TEST(counter_users_find_process_with_perf_events_is_named)
{
	char text[200];

	make_process(7, "perftop\n", "anon_inode:[perf_event]");
	make_process(8, "sleep\n", "anon_inode:[eventpoll]");
	make_process(9, "perf\n", "anon_inode:[perf_event]");
	make_process(10, "cat\n", "anon_inode:[perf_event]x");

	assert_string_equal(found(text), "perf (pid 9)");
}

UNIT_TEST(counter_users_find_watchdog_is_named_when_it_is_on)
{
	char text[200];

	fake_root_file("/proc/sys/kernel/nmi_watchdog", "0\n");
	assert_string_equal(found(text), "");
	fake_root_file("/proc/sys/kernel/nmi_watchdog", "1\n");
	make_process(9, "perf\n", "anon_inode:[perf_event]");

	assert_string_equal(found(text), "the NMI watchdog, perf (pid 9)");
}

UNIT_TEST(counter_users_find_many_names_some)
{
	char text[200];

	for (int i = 0; i < 6; i++)
		make_process(20 + i, "perf\n", "anon_inode:[perf_event]");
	found(text);

	assert_non_null(strstr(text, ", others"));
	assert_true(strlen(text) < 70);
}

UNIT_TEST(counter_users_find_no_proc_finds_nobody)
{
	char text[200] = "before";

	assert_string_equal(found(text), "");
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
