/* Which cgroup a path or a name means, and which are refused. */
#include "base/error.h"
#include "base/strbuf.h"

#include "fake_root.h"
#include "session/cgroup_target.h"
#include "unit.h"

#define MOUNT "/sys/fs/cgroup"
#define ID    "0123456789ab0123456789ab0123456789ab0123456789ab0123456789ab0123"

static void make_cgroups(const char *mount)
{
	static const char *const paths[] = {"",
					    "/system.slice",
					    "/system.slice/ssh.service",
					    "/system.slice/docker-" ID ".scope",
					    "/system.slice/docker-" ID ".scope/init.scope",
					    "/one/twice",
					    "/other/twice",
					    "/outer",
					    "/outer/outer"};
	char file[256];

	for (size_t i = 0; i < COUNT_OF(paths); i++) {
		snprintf(file, sizeof(file), "%s%s/cgroup.procs", mount, paths[i]);
		fake_root_file(file, "");
	}
	snprintf(file, sizeof(file), "%s/cgroup.controllers", mount);
	fake_root_file(file, "");
}

static void assert_means(const char *word, const char *path)
{
	struct strbuf found = {0};
	struct error error = {0};

	begin_case(word);
	strbuf_add(&found, "cgroup ");
	if (!cgroup_target_find(&found, word, fake_root, &error))
		fail_msg("%s", error.text);
	assert_string_equal(strbuf_text(&found) + strlen("cgroup "), path);
	strbuf_fini(&found);
}

static void assert_refused(const char *word, enum error_code code, const char *text)
{
	struct strbuf found = {0};
	struct error error = {0};

	begin_case(word);
	assert_false(cgroup_target_find(&found, word, fake_root, &error));
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, text);
	strbuf_fini(&found);
}

UNIT_TEST(cgroup_target_is_found_by_path_and_name)
{
	make_cgroups(MOUNT);
	assert_means("/system.slice/ssh.service", "/system.slice/ssh.service");
	assert_means("system.slice/ssh.service/", "/system.slice/ssh.service");
	assert_means(MOUNT "/system.slice", "/system.slice");
	assert_means("ssh", "/system.slice/ssh.service");
	assert_means("ssh.service", "/system.slice/ssh.service");
	assert_means("system", "/system.slice");
	assert_means("0123456789ab", "/system.slice/docker-" ID ".scope");
	assert_means("outer", "/outer");
}

UNIT_TEST(cgroup_target_that_cannot_be_counted_is_refused)
{
	assert_refused("ssh", ERROR_CGROUP_UNMOUNTED,
		       "ssh: no cgroups of version 2 are mounted here");
	make_cgroups(MOUNT "/unified");
	assert_means("ssh", "/system.slice/ssh.service");
	fake_root_file("/proc/cgroups", "#subsys_name\thierarchy\nperf_event\t0\t3\t1\n");
	assert_means("ssh", "/system.slice/ssh.service");
	assert_refused("/", ERROR_CGROUP_ROOT, "/: every task is in this cgroup");
	assert_refused("/nosuch", ERROR_CGROUP_NONE, "/nosuch: no such cgroup or container");
	assert_refused("/outer/../one", ERROR_CGROUP_NONE,
		       "/outer/../one: no such cgroup or container");
	assert_refused("sh", ERROR_CGROUP_NONE, "sh: no such cgroup or container");
	assert_refused("ssh,outer", ERROR_CGROUP_LIST, "ssh,outer: only one cgroup at a time");
	assert_refused("/one,/outer", ERROR_CGROUP_LIST, "/one,/outer: only one cgroup at a time");
	fake_root_file("/proc/cgroups", "#subsys_name\thierarchy\nperf_event\t7\t3\t1\n");
	assert_refused("ssh", ERROR_CGROUP_VERSION1,
		       "ssh: events are counted by cgroups of version 1 here, which are not "
		       "supported");
}

UNIT_TEST(cgroup_target_of_a_name_that_several_have_is_refused)
{
	struct strbuf found = {0};
	struct error error = {0};

	make_cgroups(MOUNT);
	assert_false(cgroup_target_find(&found, "twice", fake_root, &error));
	assert_int_equal(error.code, ERROR_CGROUP_SEVERAL);
	strbuf_fini(&found);
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
