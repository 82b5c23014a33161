/* Probes on machines that are folders. */

#include <unistd.h>

#include "base/error.h"

#include "event/event.h"
#include "event/probe.h"
#include "fake_root.h"
#include "unit.h"

int test_probed(void);

__attribute__((noinline)) int test_probed(void)
{
	__asm__ volatile("");
	return 1;
}

static void put_pmu(const char *name, const char *type, const char *retprobe)
{
	char path[FAKE_NAME_BYTES];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", name);
	fake_root_file(path, type);
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/format/retprobe", name);
	if (retprobe != NULL)
		fake_root_file(path, retprobe);
}

static void put_kallsyms(void)
{
	fake_root_file("/proc/kallsyms", "0000000000000000 T vfs_read\n"
					 "0000000000000000 t do_thing\n"
					 "0000000000000000 D some_data\n"
					 "0000000000000000 t in_module\t[mod]\n"
					 "garbage\n");
}

UNIT_TEST(probe_find_user_has_the_pmus_type_and_the_absolute_path)
{
	struct event_spec spec = {.config = 77};
	struct error error = {0};
	char path[512] = "";

	put_pmu("uprobe", "9\n", "config:0\n");
	if (!probe_find_user(fake_root, "/proc/self/exe", "test_probed", 0, false, &spec, &error))
		fail_msg("%s", error.text);

	assert_int_equal(spec.type, 9);
	assert_int_equal(spec.class, EVENT_CLASS_SOFTWARE);
	assert_int_equal(spec.config, 0);
	assert_int_equal(spec.config1, 0);
	assert_true(spec.config2 > 0);
	assert_string_equal(spec.pmu, "uprobe");
	assert_string_equal(spec.name, "uprobe:/proc/self/exe:test_probed");
	assert_true(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	assert_string_equal(spec.target, path);
	assert_true(spec.scale == 1);
	assert_int_equal(test_probed(), 1);
}

UNIT_TEST(probe_find_user_return_sets_the_bit_of_the_format)
{
	struct event_spec spec = {0};

	put_pmu("uprobe", "9\n", "config:5\n");

	assert_true(
		probe_find_user(fake_root, "/proc/self/exe", "test_probed", 0, true, &spec, NULL));
	assert_int_equal(spec.config, 1 << 5);
	assert_string_equal(spec.name, "uretprobe:/proc/self/exe:test_probed");
}

UNIT_TEST(probe_find_user_without_pmu_says_which)
{
	struct event_spec spec = {.config = 77};
	struct error error = {0};

	assert_false(probe_find_user(fake_root, "/proc/self/exe", "test_probed", 0, false, &spec,
				     &error));
	assert_int_equal(error.code, ERROR_EVENT_PMU_ABSENT);
	assert_non_null(strstr(error.text, "uprobe"));
	assert_int_equal(spec.config, 77);
}

UNIT_TEST(probe_find_user_strange_format_is_refused)
{
	static const char *const formats[] = {"", "config1:0\n", "config:64\n", "config:x\n"};

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		struct event_spec spec;

		put_pmu("uprobe", "9\n", formats[i]);
		assert_false(probe_find_user(fake_root, "/proc/self/exe", "test_probed", 0, true,
					     &spec, NULL));
	}
	put_pmu("uprobe", "many\n", "config:0\n");
	assert_false(probe_find_user(fake_root, "/proc/self/exe", "test_probed", 0, false,
				     &(struct event_spec){0}, NULL));
}

UNIT_TEST(probe_find_user_failure_leaves_the_spec)
{
	struct event_spec spec = {.config = 77};
	struct error error = {0};

	put_pmu("uprobe", "9\n", "config:0\n");

	assert_false(probe_find_user(fake_root, "/no/such/file", "main", 0, false, &spec, &error));
	assert_int_equal(error.code, ERROR_EVENT_PROBE_FILE);
	assert_false(probe_find_user(fake_root, "/proc/self/exe", "test_porbed", 0, false, &spec,
				     &error));
	assert_int_equal(error.code, ERROR_EVENT_PROBE_SYMBOL);
	assert_non_null(strstr(error.text, "test_probed"));
	assert_int_equal(spec.config, 77);
}

UNIT_TEST(probe_find_kernel_has_the_name_as_target)
{
	struct event_spec spec = {0};
	struct error error = {0};

	put_pmu("kprobe", "6\n", "config:0\n");
	put_kallsyms();
	if (!probe_find_kernel(fake_root, "vfs_read", 4, false, &spec, &error))
		fail_msg("%s", error.text);

	assert_int_equal(spec.type, 6);
	assert_string_equal(spec.pmu, "kprobe");
	assert_string_equal(spec.target, "vfs_read");
	assert_int_equal(spec.config2, 4);
	assert_string_equal(spec.name, "kprobe:vfs_read+0x4");
	assert_true(probe_find_kernel(fake_root, "in_module", 0, true, &spec, NULL));
	assert_int_equal(spec.config, 1);
	assert_string_equal(spec.name, "kretprobe:in_module");
}

UNIT_TEST(probe_find_kernel_address_has_no_target)
{
	struct event_spec spec = {0};

	put_pmu("kprobe", "6\n", "config:0\n");

	assert_true(probe_find_kernel(fake_root, "0xffffffff81000000", 16, false, &spec, NULL));
	assert_string_equal(spec.target, "");
	assert_true(spec.config2 == UINT64_C(0xffffffff81000010));
}

UNIT_TEST(probe_find_kernel_unknown_function_tells_the_nearest)
{
	static const char *const names[] = {"vfs_raed", "some_data", ""};
	struct error error = {0};

	put_pmu("kprobe", "6\n", "config:0\n");
	put_kallsyms();

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct event_spec spec = {.config = 77};

		assert_false(probe_find_kernel(fake_root, names[i], 0, false, &spec, &error));
		assert_int_equal(error.code, ERROR_EVENT_PROBE_SYMBOL);
		assert_int_equal(spec.config, 77);
	}
	probe_find_kernel(fake_root, "vfs_raed", 0, false, &(struct event_spec){0}, &error);
	assert_non_null(strstr(error.text, "vfs_read"));
}

UNIT_TEST(probe_find_kernel_without_its_list_lets_names_through)
{
	struct event_spec spec;

	put_pmu("kprobe", "6\n", "config:0\n");

	assert_true(probe_find_kernel(fake_root, "anything", 0, false, &spec, NULL));
}

UNIT_TEST(probe_find_kernel_return_is_only_at_the_entry)
{
	struct error error = {0};

	put_pmu("kprobe", "6\n", "config:0\n");

	assert_false(
		probe_find_kernel(fake_root, "vfs_read", 4, true, &(struct event_spec){0}, &error));
	assert_int_equal(error.code, ERROR_EVENT_PROBE_SYMBOL);
}

UNIT_TEST(probe_find_kernel_without_pmu_says_which)
{
	struct error error = {0};

	assert_false(probe_find_kernel(fake_root, "vfs_read", 0, false, &(struct event_spec){0},
				       &error));
	assert_int_equal(error.code, ERROR_EVENT_PMU_ABSENT);
	assert_non_null(strstr(error.text, "kprobe"));
}

int main(void)
{
	return unit_run(fake_root_setup, fake_root_teardown);
}
