/* CPUs of machines that are folders. */

#include "base/list.h"
#include "base/topology.h"
#include "kernel/cpu_topology.h"

#include "fake_sysfs.h"
#include "unit.h"

static void put_cpu(int cpu, const char *file, const char *text)
{
	char path[200];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/%s", cpu, file);
	fake_root_file(path, text);
}

static struct topology read_places(const char *cpus)
{
	struct topology topology = {0};
	struct number_list list;

	assert_true(number_list_parse(&list, cpus, 10000));
	cpu_topology_read(&topology, &list, fake_root);
	number_list_fini(&list);
	return topology;
}

static void assert_place(const struct topology *topology, struct cpu_location wanted)
{
	const struct cpu_location *place = topology_find(topology, wanted.cpu);

	assert_non_null(place);
	assert_int_equal(place->socket, wanted.socket);
	assert_int_equal(place->core, wanted.core);
	assert_int_equal(place->thread, wanted.thread);
	assert_int_equal(place->node, wanted.node);
	assert_string_equal(place->kind, wanted.kind);
}

/* Two sockets with two cores of two threads each, numbered as servers do. */
UNIT_TEST(places_of_a_server)
{
	for (int cpu = 0; cpu < 8; cpu++) {
		char text[32];

		snprintf(text, sizeof(text), "%d\n", cpu / 2 % 2);
		put_cpu(cpu, "topology/physical_package_id", text);
		snprintf(text, sizeof(text), "%d\n", cpu % 2 * 16);
		put_cpu(cpu, "topology/core_id", text);
		snprintf(text, sizeof(text), "%d,%d\n", cpu % 4, cpu % 4 + 4);
		put_cpu(cpu, "topology/thread_siblings_list", text);
	}
	fake_root_file("/sys/devices/system/node/online", "0-1\n");
	fake_root_file("/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
	fake_root_file("/sys/devices/system/node/node1/cpulist", "2-3,6-7\n");

	struct topology topology = read_places("0-7");

	assert_int_equal(topology.count, 8);
	assert_place(&topology, (struct cpu_location){0, 0, 0, 0, 0, ""});
	assert_place(&topology, (struct cpu_location){1, 0, 16, 0, 0, ""});
	assert_place(&topology, (struct cpu_location){3, 1, 16, 0, 1, ""});
	assert_place(&topology, (struct cpu_location){7, 1, 16, 1, 1, ""});
	assert_null(topology_find(&topology, 8));
	topology_fini(&topology);
}

UNIT_TEST(places_of_a_hybrid_processor_have_kinds)
{
	fake_root_file("/sys/devices/cpu_core/cpus", "0-1\n");
	fake_root_file("/sys/devices/cpu_atom/cpus", "2\n");

	struct topology topology = read_places("0-3");

	assert_place(&topology, (struct cpu_location){1, -1, -1, -1, -1, "P"});
	assert_place(&topology, (struct cpu_location){2, -1, -1, -1, -1, "E"});
	assert_place(&topology, (struct cpu_location){3, -1, -1, -1, -1, ""});
	topology_fini(&topology);
}

UNIT_TEST(places_with_capacities_have_kinds)
{
	put_cpu(0, "cpu_capacity", "250\n");
	put_cpu(1, "cpu_capacity", "600\n");
	put_cpu(2, "cpu_capacity", "1024\n");

	struct topology topology = read_places("0-2");

	assert_string_equal(topology_find(&topology, 0)->kind, "E");
	assert_string_equal(topology_find(&topology, 1)->kind, "M");
	assert_string_equal(topology_find(&topology, 2)->kind, "P");
	topology_fini(&topology);

	put_cpu(0, "cpu_capacity", "1024\n");
	put_cpu(1, "cpu_capacity", "1024\n");
	topology = read_places("0-2");
	assert_string_equal(topology_find(&topology, 0)->kind, "");
	topology_fini(&topology);
}

UNIT_TEST(places_that_sysfs_does_not_tell_are_unknown)
{
	put_cpu(5, "topology/physical_package_id", "-1\n");
	put_cpu(5, "topology/core_id", "x\n");
	put_cpu(5, "topology/thread_siblings_list", "9-3\n");

	struct topology topology = read_places("5");

	assert_place(&topology, (struct cpu_location){5, -1, -1, -1, -1, ""});
	topology_fini(&topology);
	assert_null(topology_find(&topology, 5));
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
