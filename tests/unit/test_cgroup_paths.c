/* Which ids of cgroups say a path, and which one. */

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "kernel/cgroup_paths.h"

#include "fake_root.h"
#include "unit.h"

#define TOP "/sys/fs/cgroup"

static struct cgroup_paths *paths;
static int asked; /* times the kernel was */

/* Has the cgroups 1, the root, and 2; of others it knows nothing. */
int __wrap_open_by_handle_at(int mount_fd, struct file_handle *handle, int flags)
{
	uint64_t id;

	asked++;
	assert_int_equal(handle->handle_bytes, sizeof(id));
	memcpy(&id, handle->f_handle, sizeof(id));
	if (id == 1 || id == 2)
		return openat(mount_fd, id == 1 ? "." : "web.slice/a", flags);
	errno = ESTALE;
	return -1;
}

static void create(const char *mount)
{
	char name[FAKE_NAME_BYTES];

	snprintf(name, sizeof(name), "%s/cgroup.controllers", mount);
	fake_root_file(name, "");
	asked = 0;
	paths = cgroup_paths_create(fake_root);
}

static int set_up(void **state)
{
	paths = NULL;
	return fake_root_setup(state);
}

static int tear_down(void **state)
{
	cgroup_paths_destroy(paths);
	return fake_root_teardown(state);
}

UNIT_TEST(cgroup_paths_find_asks_the_kernel_once)
{
	fake_root_folder(TOP "/web.slice/a");
	create(TOP);

	for (int i = 0; i < 2; i++) {
		assert_string_equal(cgroup_paths_find(paths, 1), "/");
		assert_string_equal(cgroup_paths_find(paths, 2), "/web.slice/a");
	}
	assert_int_equal(asked, 2);
}

UNIT_TEST(cgroup_paths_find_gone_without_a_record_is_not_known)
{
	create(TOP);

	assert_null(cgroup_paths_find(paths, 3));
	assert_null(cgroup_paths_find(paths, 2)); /* gone in between */
}

/* It may be gone by now; and there may be any number of them. */
UNIT_TEST(cgroup_paths_find_made_is_what_its_record_says)
{
	char path[32];

	create(TOP);
	for (uint64_t id = 10; id < 40000; id++) {
		snprintf(path, sizeof(path), "/%d and more", (int)id);
		cgroup_paths_put(paths, id, path, strlen(path) - strlen(" and more"));
	}

	assert_string_equal(cgroup_paths_find(paths, 39999), "/39999");
	assert_null(cgroup_paths_find(paths, 10)); /* forgotten */
	assert_int_equal(asked, 1);
	cgroup_paths_put(paths, 39999, "/again", 6);
	assert_string_equal(cgroup_paths_find(paths, 39999), "/again");
}

UNIT_TEST(cgroup_paths_create_beside_version_1_is_not_possible)
{
	create(TOP "/unified");

	assert_null(paths);
}

UNIT_TEST(cgroup_paths_create_in_a_namespace_is_not_possible)
{
	static const struct {
		const char *link;
		bool is_possible;
	} cases[] = {{"cgroup:[4026531835]", true}, {"cgroup:[4026532281]", false}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char path[FAKE_PATH_BYTES];

		begin_case(cases[i].link);
		fake_root_folder("/proc/self/ns");
		fake_root_path(path, "/proc/self/ns/cgroup");
		unlink(path);
		assert_int_equal(symlink(cases[i].link, path), 0);
		create(TOP);
		assert_int_equal(paths != NULL, cases[i].is_possible);
		cgroup_paths_destroy(paths);
		paths = NULL;
	}
}

UNIT_MAIN(set_up, tear_down)
