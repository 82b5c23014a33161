/* Containers by the paths that engines give to their cgroups. */

#include "model/container.h"

#include "unit.h"

#define ID    "3f4e9c1b7a2d5068e1f3a4b5c6d7e8f90123456789abcdef0123456789abcdef"
#define INNER "a1b2c3d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789abcdef0"

/* clang-format off */
static const struct {
	const char *path, *name; /* "": in none */
} examples[] = {
	{"/docker/" ID, "3f4e9c1b7a2d"},
	{"/system.slice/docker-" ID ".scope", "3f4e9c1b7a2d"},
	{"/user.slice/user-1000.slice/user@1000.service/user.slice/docker-" ID ".scope", "3f4e9c1b7a2d"},
	{"/docker/" ID "/docker/" INNER, "a1b2c3d4e5f6"},
	{"/docker/" ID "/system.slice/cron.service", "3f4e9c1b7a2d"},
	{"/actions_job/" ID, "3f4e9c1b7a2d"},
	{"/ecs/0123456789abcdef0123456789abcdef/" ID, "3f4e9c1b7a2d"},
	{"/ecs/0123456789abcdef0123456789abcdef/0123456789abcdef0123456789abcdef-1234567890", "0123456789abcdef0123456789abcdef-1234567890"},
	{"/ecs/0123456789abcdef0123456789abcdef", ""},
	{"/ecs/0123456789abcdef0123456789abcdef-", ""},
	{"/garden/1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11", "1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11"},
	{"/nomad.slice/share.slice/1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11.web.scope", "1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11.web"},
	{"/nomad.slice/share.slice/1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11.scope", ""},
	{"/machine.slice/libpod-" ID ".scope", "3f4e9c1b7a2d"},
	{"/machine.slice/libpod-" ID ".scope/container", "3f4e9c1b7a2d"},
	{"/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" ID ".scope", "3f4e9c1b7a2d"},
	{"/machine.slice/libpod-conmon-" ID ".scope", ""},
	{"/libpod_parent/libpod-" ID, "3f4e9c1b7a2d"},
	{"/kubepods/besteffort/pod1d1b4bb6-4c5c-4f2a-9c1e-2f6d1c0e8a11/" ID, "3f4e9c1b7a2d"},
	{"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1d1b4bb6_4c5c.slice/cri-containerd-" ID ".scope", "3f4e9c1b7a2d"},
	{"/kubepods.slice/kubepods-pod1d1b4bb6.slice/crio-" ID ".scope", "3f4e9c1b7a2d"},
	{"/kubepods.slice/kubepods-pod1d1b4bb6.slice/crio-conmon-" ID ".scope", ""},
	{"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod7.slice", ""},
	{"/system.slice/containerd.service/kubepods-burstable-pod7.slice:cri-containerd:" ID, "3f4e9c1b7a2d"},
	{"/lxc/web1", "web1"},
	{"/lxc/web1/system.slice/nginx.service", "web1"},
	{"/lxc.payload.web1", "web1"},
	{"/lxc.payload/web1/init.scope", "web1"},
	{"/lxc.monitor.web1", ""},
	{"/machine.slice/systemd-nspawn@deb.service/payload", "deb"},
	{"/machine.slice/machine-deb.scope", "deb"},
	{"/system.slice/docker.service", ""},
	{"/system.slice/containerd.service", ""},
	{"/user.slice/user-1000.slice/session-2.scope", ""},
	{"/lxc", ""},
	{"/", ""},
	{"", ""},
	{"/docker/3f4e9c1b7a2d", ""},
	{"/x/3F4E9C1B7A2D5068E1F3A4B5C6D7E8F90123456789ABCDEF0123456789ABCDEF", ""},
};
/* clang-format on */

UNIT_TEST(container_of_knows_the_paths_of_engines)
{
	for (size_t i = 0; i < COUNT_OF(examples); i++) {
		char name[CONTAINER_NAME_MAX];
		const bool is_in_one = container_of(examples[i].path, name, sizeof(name));

		if (strcmp(name, examples[i].name) != 0)
			fail_msg("%s is in \"%s\"", examples[i].path, name);
		assert_int_equal(is_in_one, examples[i].name[0] != '\0');
	}
}

UNIT_TEST(container_of_cuts_long_names)
{
	char name[8];

	assert_true(container_of("/lxc/a-long-name", name, sizeof(name)));
	assert_string_equal(name, "a-long-");
}

UNIT_TEST(container_path_length_is_up_to_the_innermost)
{
	/* clang-format off */
	static const struct {
		const char *cgroup, *path;
	} cases[] = {
		{"/docker/" ID, "/docker/" ID},
		{"/docker/" ID "/system.slice/cron.service", "/docker/" ID},
		{"//lxc/web1/init.scope", "//lxc/web1"},
		{"/lxc/web1/docker/" ID "/x", "/lxc/web1/docker/" ID},
		{"/user.slice", ""},
		{"", ""},
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT_OF(cases); i++)
		assert_int_equal(container_path_length(cases[i].cgroup), strlen(cases[i].path));
}

UNIT_TEST(container_path_is_in_those_above_it)
{
	assert_true(container_path_is_in("/a/b", "/a"));
	assert_true(container_path_is_in("/a/b", "/a/b"));
	assert_false(container_path_is_in("/a/bc", "/a/b"));
	assert_false(container_path_is_in("/a", "/a/b"));
}

UNIT_TEST(container_find_cgroup_prefers_what_divides_finest)
{
	/* clang-format off */
	static const struct {
		const char *lines, *path;
	} cases[] = {
		{"0::/user.slice/a.scope\n", "/user.slice/a.scope"},
		{"0::/\n", "/"},
		{"9:name=systemd:/\n4:memory:/one/two\n0::/a-long-name-of-one-part\n", "/one/two"},
		{"4:memory:/a//b/\n0::/one/two/three\n", "/one/two/three"},
		{"4:memory:/with:/colons\n0::/x\n", "/with:/colons"},
		{"12:pids:/docker/" ID "\n0::/system.slice/containerd.service\n", "/docker/" ID},
		{"12:pids:/one/two/three\n0::/system.slice/docker-" ID ".scope\n",
		 "/system.slice/docker-" ID ".scope"},
		{"12:pids:/docker/" ID "\n1:name=systemd:/docker/" ID "/system.slice/cron.service\n",
		 "/docker/" ID "/system.slice/cron.service"},
		{"12:pids:/first/of\n0::/equal/ones\n", "/first/of"},
		{"12:pids:/lxc/web1\n0::/one/two/three\n", "/lxc/web1"},
		{"4:memory:/one/two\n2:cpuset:/three/of/it\n1:cpu:/limited\n0::/\n", "/limited"},
		{"4:memory:/one/two\n1:cpu,cpuacct:/limited\n", "/limited"},
		{"4:memory:/one/two\n1:cpuacct,cpu:/limited\n", "/limited"},
		{"4:memory:/one/two\n1:cpu:/\n", "/one/two"},
		{"4:memory:/a:cpu:/b\n3:pids:/x/y\n1:cpu:/limited\n", "/limited"},
		{"12:pids:/docker/" ID "\n1:cpu:/limited\n", "/docker/" ID},
		{"no cgroup\n", NULL},
		{"", NULL},
	};
	/* clang-format on */

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char lines[512];
		const char *path;

		snprintf(lines, sizeof(lines), "%s", cases[i].lines);
		path = container_find_cgroup(lines);
		assert_int_equal(path != NULL, cases[i].path != NULL);
		if (path != NULL)
			assert_string_equal(path, cases[i].path);
	}
}

UNIT_MAIN(NULL, NULL)
