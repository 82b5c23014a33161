/* Containers by the paths that engines give to their cgroups. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/container.h"

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

static void container_of_knows_the_paths_of_engines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		char name[CONTAINER_NAME_MAX];
		const bool is_in_one = container_of(examples[i].path, name, sizeof(name));

		if (strcmp(name, examples[i].name) != 0)
			fail_msg("%s is in \"%s\"", examples[i].path, name);
		assert_int_equal(is_in_one, examples[i].name[0] != '\0');
	}
}

static void container_of_cuts_long_names(void **state)
{
	char name[8];

	(void)state;
	assert_true(container_of("/lxc/a-long-name", name, sizeof(name)));
	assert_string_equal(name, "a-long-");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(container_of_knows_the_paths_of_engines),
		cmocka_unit_test(container_of_cuts_long_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
