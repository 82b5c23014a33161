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
	fake_root_file("/proc/cgroups", "#subsys_name\thierarchy\nperf_event\t7\t3\t1\n");
	assert_refused("ssh", ERROR_CGROUP_VERSION1,
		       "ssh: events are counted by cgroups of version 1 here, which are not "
		       "supported");
}

/* In the order of the list. "": refused, and the text is the error's. */
static void assert_targets(const char *words, const char *paths, const char *text)
{
	struct cgroup_targets targets = {0};
	struct strbuf found = {0};
	struct error error = {0};

	begin_case(words);
	if (cgroup_targets_find(&targets, words, ',', fake_root, &error))
		for (size_t i = 0; i < targets.count; i++)
			strbuf_printf(&found, "%s ", strbuf_text(&targets.paths[i]));
	assert_string_equal(strbuf_text(&found), paths);
	assert_string_equal(error.text, text);
	strbuf_fini(&found);
	cgroup_targets_fini(&targets);
}

UNIT_TEST(cgroup_targets_are_found_one_by_one)
{
	make_cgroups(MOUNT);
	assert_targets("ssh", "/system.slice/ssh.service ", "");
	assert_targets("outer,/one/twice,ssh", "/outer /one/twice /system.slice/ssh.service ", "");
	assert_targets("outer,nosuch,ssh", "", "nosuch: no such cgroup or container");
	assert_targets("outer,", "", "outer,: the name of a cgroup or container is missing");
}

UNIT_TEST(cgroup_targets_that_would_be_counted_twice_are_refused)
{
	make_cgroups(MOUNT);
	assert_targets("ssh,one,/system.slice/ssh.service", "",
		       "/system.slice/ssh.service: /system.slice/ssh.service is this cgroup or in "
		       "it, and would be counted twice");
	assert_targets("/outer,one,/outer/outer", "",
		       "/outer: /outer/outer is this cgroup or in it, and would be counted twice");
	assert_targets("ssh,system", "",
		       "/system.slice: /system.slice/ssh.service is this cgroup or in it, and "
		       "would be counted twice");
}

UNIT_TEST(cgroup_targets_more_than_there_can_be_are_refused)
{
	struct strbuf words = {0}, text = {0};
	char file[64];

	make_cgroups(MOUNT);
	for (int i = 0; i <= CGROUP_TARGETS_MAX; i++) {
		snprintf(file, sizeof(file), MOUNT "/c%d/cgroup.procs", i);
		fake_root_file(file, "");
		strbuf_printf(&words, "%sc%d", i > 0 ? "," : "", i);
	}
	strbuf_printf(&text, "%s: more than 16 cgroups", strbuf_text(&words));
	assert_targets(strbuf_text(&words), "", strbuf_text(&text));
	strbuf_fini(&words);
	strbuf_fini(&text);
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
