/* Who else counts: processes of a machine that is a folder. */

#include <ftw.h>
#include <unistd.h>

#include <sys/stat.h>

#include "kernel/counter_users.h"

#include "unit.h"

static char root[64];

static int set_up(void **state)
{
	strcpy(root, "/tmp/perftop-rivals-XXXXXX");
	return mkdtemp(root) == NULL ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
	return remove(path);
}

static int tear_down(void **state)
{
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void make_folder(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	assert_int_equal(mkdir(path, 0755), 0);
}

static void write_file(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", root, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A process whose descriptor 5 leads to `target`. */
static void make_process(int pid, const char *name, const char *target)
{
	char text[64], path[256];

	snprintf(text, sizeof(text), "proc/%d", pid);
	make_folder(text);
	snprintf(text, sizeof(text), "proc/%d/fd", pid);
	make_folder(text);
	snprintf(text, sizeof(text), "proc/%d/comm", pid);
	write_file(text, name);
	snprintf(path, sizeof(path), "%s/proc/%d/fd/4", root, pid);
	assert_int_equal(symlink("/dev/null", path), 0);
	snprintf(path, sizeof(path), "%s/proc/%d/fd/5", root, pid);
	assert_int_equal(symlink(target, path), 0);
}

static const char *found(char text[static 200])
{
	counter_users_find(root, 7, text, 200);
	return text;
}

UNIT_TEST(counter_users_find_process_with_perf_events_is_named)
{
	char text[200];

	make_folder("proc");
	make_process(7, "perftop\n", "anon_inode:[perf_event]");
	make_process(8, "sleep\n", "anon_inode:[eventpoll]");
	make_process(9, "perf\n", "anon_inode:[perf_event]");
	make_process(10, "cat\n", "anon_inode:[perf_event]x");

	assert_string_equal(found(text), "perf (pid 9)");
}

UNIT_TEST(counter_users_find_watchdog_is_named_when_it_is_on)
{
	char text[200];

	make_folder("proc");
	make_folder("proc/sys");
	make_folder("proc/sys/kernel");
	write_file("proc/sys/kernel/nmi_watchdog", "0\n");
	assert_string_equal(found(text), "");
	write_file("proc/sys/kernel/nmi_watchdog", "1\n");
	make_process(9, "perf\n", "anon_inode:[perf_event]");

	assert_string_equal(found(text), "the NMI watchdog, perf (pid 9)");
}

UNIT_TEST(counter_users_find_many_names_some)
{
	char text[200];

	make_folder("proc");
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

int main(void)
{
	return unit_run(set_up, tear_down);
}
