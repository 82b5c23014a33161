/* All events of machines that are folders; libpfm4's are those of the machine the test runs on. */

#include <errno.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/generic.h"
#include "kernel/group.h"
#include "kernel/host.h"

#include "event/catalog.h"
#include "fake_root.h"
#include "unit.h"

static struct {
	size_t opened, closed;
	int refusal; /* errno; 0: everything opens */
	bool excluded_kernel;
	char last[EVENT_SPEC_NAME_MAX];
} kernel;

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member);
void __wrap_group_close(struct group *group);
void __wrap_attr_probe_features(struct attr_features *features);

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member)
{
	*group = (struct group){.leader_fd = -1};
	assert_int_equal(request->leader, GROUP_LEADER_TASK);
	assert_int_equal(request->count, 1);
	assert_int_equal(request->cpu, -1);
	kernel.opened++;
	kernel.excluded_kernel = request->exclude_kernel;
	snprintf(kernel.last, sizeof(kernel.last), "%s", request->specs[0]->name);
	return kernel.refusal;
}

void __wrap_group_close(struct group *group)
{
	kernel.closed += kernel.refusal == 0;
}

void __wrap_attr_probe_features(struct attr_features *features)
{
	*features = (struct attr_features){0};
}

/* A machine with a core PMU, one that is shared, one that is neither, and tracefs. */
static struct {
	struct host host;
	struct event_finder *finder;
	struct catalog *catalog;
} machine;

#define PMUS   "/sys/bus/event_source/devices/"
#define EVENTS "/sys/kernel/tracing/events/"

static void put_machine(void)
{
	static const char *const files[][2] = {
		{PMUS "cpu/type", "4\n"},
		{PMUS "cpu/format/event", "config:0-7\n"},
		{PMUS "cpu/format/umask", "config:8-15\n"},
		{PMUS "cpu/events/slots", "event=0x00,umask=0x4\n"},
		{PMUS "power/type", "10\n"},
		{PMUS "power/cpumask", "0\n"},
		{PMUS "power/format/event", "config:0-7\n"},
		{PMUS "power/events/energy-pkg", "event=0x02\n"},
		{PMUS "power/events/energy-pkg.unit", "Joules\n"},
		{PMUS "power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n"},
		{PMUS "tracer/type", "11\n"},
		{PMUS "tracer/format/event", "config:0-7\n"},
		{PMUS "tracer/events/branch", "event=0x1\n"},
		{PMUS "msr/type", "12\n"},
		{PMUS "msr/format/event", "config:0-63\n"},
		{PMUS "msr/events/tsc", "event=0x00\n"},
		{PMUS "uprobe/type", "9\n"},
		{PMUS "uprobe/format/retprobe", "config:0\n"},
		{EVENTS "sched/sched_switch/id", "372\n"},
		{EVENTS "sched/sched_switch/format",
		 "name: x\n\n\tfield:int prev_prio;\toffset:28;\n"},
		{EVENTS "syscalls/sys_enter_openat/id", "500\n"},
		{EVENTS "ftrace/function/id", "1\n"},
	};

	for (size_t i = 0; i < COUNT_OF(files); i++)
		fake_root_file(files[i][0], files[i][1]);
}

static void open_catalog(void)
{
	host_read(&machine.host, fake_root);
	machine.finder = event_finder_create(fake_root);
	machine.catalog = catalog_create(fake_root, machine.finder, &machine.host);
}

static void open_machine(void)
{
	put_machine();
	open_catalog();
}

static int setup(void **state)
{
	memset(&machine, 0, sizeof(machine));
	memset(&kernel, 0, sizeof(kernel));
	return fake_root_setup(state);
}

static int teardown(void **state)
{
	catalog_destroy(machine.catalog);
	event_finder_destroy(machine.finder);
	host_fini(&machine.host);
	return fake_root_teardown(state);
}

static size_t index_of(const char *name)
{
	for (size_t i = 0; i < catalog_count(machine.catalog); i++)
		if (strcmp(catalog_entry(machine.catalog, i)->name, name) == 0)
			return i;
	fail_msg("%s is not in the catalog", name);
	return 0;
}

static const struct catalog_entry *entry_of(const char *name)
{
	return catalog_entry(machine.catalog, index_of(name));
}

static bool has_entry(const char *name)
{
	for (size_t i = 0; i < catalog_count(machine.catalog); i++)
		if (strcmp(catalog_entry(machine.catalog, i)->name, name) == 0)
			return true;
	return false;
}

UNIT_TEST(catalog_create_has_every_source)
{
	static const struct {
		const char *name, *source;
	} events[] = {
		{"cpu-cycles", "hardware"},
		{"L1-dcache-load-misses", "cache"},
		{"page-faults", "software"},
		{"cpu/slots/", "PMU cpu"},
		{"cpu/TERM=VALUE,.../", "PMU cpu"},
		{"power/energy-pkg/", "PMU power"},
		{"msr/tsc/", "PMU msr"},
		{"rNNN", "raw"},
		{"mem:ADDRESS[/LENGTH][:rwx]", "breakpoint"},
		{"uprobe:FILE:FUNCTION[+OFFSET]", "probe"},
		{"sched:sched_switch", "tracepoint"},
		{"GROUP:NAME[/FILTER/]", "tracepoint"},
	};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(events); i++)
		assert_string_equal(entry_of(events[i].name)->source, events[i].source);
	assert_false(has_entry("power/energy-pkg.unit/"));
	assert_false(has_entry("uprobe/TERM=VALUE,.../"));
}

UNIT_TEST(catalog_create_sources_stand_together_and_names_once)
{
	open_machine();
	for (size_t i = 1; i < catalog_count(machine.catalog); i++) {
		const struct catalog_entry *before = catalog_entry(machine.catalog, i - 1);
		const struct catalog_entry *entry = catalog_entry(machine.catalog, i);

		if (strcmp(before->source, entry->source) == 0) {
			assert_true(strcmp(before->name, entry->name) < 0);
			continue;
		}
		for (size_t j = 0; j + 1 < i; j++)
			assert_string_not_equal(catalog_entry(machine.catalog, j)->source,
						entry->source);
	}
	assert_int_equal(index_of("branch-instructions"), 0);
}

/* The text to type is understood by the finder. */
UNIT_TEST(catalog_create_every_name_is_found)
{
	open_machine();
	for (size_t i = 0; i < catalog_count(machine.catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(machine.catalog, i);
		struct event_set set = {0};
		struct error error = {0};

		if (entry->is_pattern || entry->state == CATALOG_REFUSED)
			continue;
		if (!event_find(machine.finder, entry->name, &set, NULL, &error))
			fail_msg("%s", error.text);
		event_set_fini(&set);
	}
}

UNIT_TEST(catalog_create_descriptions_are_there)
{
	open_machine();
	for (size_t i = 0; i < catalog_count(machine.catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(machine.catalog, i);

		if (strncmp(entry->source, "libpfm4", 7) != 0 && *entry->description == '\0')
			fail_msg("%s has no description", entry->name);
	}
	assert_string_equal(entry_of("power/energy-pkg/")->description, "event=0x02, in Joules");
	assert_non_null(strstr(entry_of("syscalls:sys_enter_openat")->description, "openat(2)"));
	assert_non_null(strstr(entry_of("cpu-cycles")->description, "also: cycles"));
}

static void see_cache(const char *name, uint64_t config, void *context)
{
	if (*described_cache(name) == '\0')
		fail_msg("%s has no description", name);
}

UNIT_TEST_WITH(described_cache_knows_every_cache_event, NULL, NULL)
{
	cache_visit(see_cache, NULL);
	assert_string_equal(described_cache("no-such-event"), "");
	assert_string_equal(described_group("no-such-group"), "");
}

UNIT_TEST(catalog_create_shared_pmu_is_refused_untouched)
{
	open_machine();
	assert_int_equal(entry_of("power/energy-pkg/")->state, CATALOG_REFUSED);
	assert_non_null(strstr(entry_of("power/energy-pkg/")->reason, "shared"));
	assert_false(entry_of("power/energy-pkg/")->may_try);
	catalog_try(machine.catalog, index_of("power/energy-pkg/"));
	assert_int_equal(kernel.opened, 0);
}

UNIT_TEST(catalog_try_what_may_harm_is_left_alone)
{
	static const char *const names[] = {"tracer/branch/", "rNNN", "cpu/TERM=VALUE,.../",
					    "ftrace:function", "uprobe:FILE:FUNCTION[+OFFSET]"};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		catalog_try(machine.catalog, index_of(names[i]));
		assert_int_equal(entry_of(names[i])->state, CATALOG_UNTRIED);
	}
	assert_int_equal(kernel.opened, 0);
}

UNIT_TEST(catalog_try_opens_once_and_remembers)
{
	static const char *const names[] = {"cpu-cycles", "LLC-loads", "page-faults",
					    "cpu/slots/", "msr/tsc/",  "sched:sched_switch"};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		size_t index = index_of(names[i]);

		assert_int_equal(entry_of(names[i])->state, CATALOG_UNTRIED);
		catalog_try(machine.catalog, index);
		catalog_try(machine.catalog, index);
		assert_int_equal(entry_of(names[i])->state, CATALOG_OPENS);
		assert_string_equal(kernel.last, names[i]);
		assert_int_equal(kernel.opened, i + 1);
		assert_int_equal(kernel.closed, i + 1);
	}
	assert_true(entry_of("sched:sched_switch")->is_slow_to_try);
	assert_false(entry_of("page-faults")->is_slow_to_try);
}

UNIT_TEST(catalog_try_refusal_has_a_reason_without_the_name)
{
	const struct catalog_entry *entry;

	open_machine();
	kernel.refusal = ENOENT;
	catalog_try(machine.catalog, index_of("cpu-cycles"));
	entry = entry_of("cpu-cycles");

	assert_int_equal(entry->state, CATALOG_REFUSED);
	assert_true(strlen(entry->reason) > 10);
	assert_null(strstr(entry->reason, "cpu-cycles"));
	assert_int_equal(kernel.closed, 0);
}

UNIT_TEST(catalog_try_leaves_the_kernel_out_where_it_must)
{
	put_machine();
	fake_root_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	open_catalog();

	machine.host.has_cap_perfmon = false;
	catalog_try(machine.catalog, index_of("cpu-cycles"));
	assert_true(kernel.excluded_kernel);
	machine.host.has_cap_perfmon = true;
	catalog_try(machine.catalog, index_of("instructions"));
	assert_false(kernel.excluded_kernel);
	machine.host.has_cap_perfmon = false;
	machine.host.paranoid = 1;
	catalog_try(machine.catalog, index_of("page-faults"));
	assert_false(kernel.excluded_kernel);
}

UNIT_TEST(catalog_try_invalid_without_the_kernel_is_asked_again)
{
	put_machine();
	fake_root_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	open_catalog();
	machine.host.has_cap_perfmon = false;
	kernel.refusal = EINVAL;

	catalog_try(machine.catalog, index_of("msr/tsc/"));

	assert_int_equal(kernel.opened, 2);
	assert_false(kernel.excluded_kernel);
	assert_int_equal(entry_of("msr/tsc/")->state, CATALOG_REFUSED);
}

UNIT_TEST(catalog_create_bare_machine_says_what_is_missing)
{
	open_catalog();

	assert_int_equal(entry_of("GROUP:NAME[/FILTER/]")->state, CATALOG_REFUSED);
	assert_non_null(strstr(entry_of("GROUP:NAME[/FILTER/]")->reason, "cannot be read"));
	assert_int_equal(entry_of("uprobe:FILE:FUNCTION[+OFFSET]")->state, CATALOG_REFUSED);
	assert_int_equal(entry_of("kprobe:FUNCTION[+OFFSET]")->state, CATALOG_REFUSED);
	assert_int_equal(entry_of("cpu-cycles")->state, CATALOG_UNTRIED);
}

UNIT_TEST(catalog_create_strange_names_are_made_harmless)
{
	put_machine();
	fake_root_file(PMUS "cpu/events/e\033[31m\n\x9b", "event=0x1\033]0;x\x07\n");
	fake_root_file("/sys/kernel/tracing/events/a\033b/c\nd/id", "9\n");
	open_catalog();

	for (size_t i = 0; i < catalog_count(machine.catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(machine.catalog, i);
		const char *const texts[] = {entry->name, entry->source, entry->description,
					     entry->reason, catalog_details(machine.catalog, i)};

		for (size_t j = 0; j < COUNT_OF(texts); j++)
			for (const char *c = texts[j]; *c != '\0'; c++)
				assert_true((unsigned char)*c >= ' ' || (j == 4 && *c == '\n'));
	}
}

UNIT_TEST(catalog_details_tell_what_an_event_takes)
{
	static const struct {
		const char *name, *words;
	} events[] = {
		{"cpu-cycles", "modifiers:\n  :u"},
		{"cpu/slots/", "umask  config:8-15"},
		{"sched:sched_switch", "fields for a filter:\n  int prev_prio\n"},
		{"mem:ADDRESS[/LENGTH][:rwx]", ":w  writes"},
	};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		const char *details = catalog_details(machine.catalog, index_of(events[i].name));

		if (strstr(details, events[i].words) == NULL)
			fail_msg("%s: %s", events[i].name, details);
	}
	assert_string_equal(catalog_details(machine.catalog, index_of("syscalls:sys_enter_openat")),
			    "");
}

UNIT_TEST_WITH(catalog_matches_all_words_anywhere, NULL, NULL)
{
	static const struct catalog_entry entry = {.name = "sched:sched_switch",
						   .source = "tracepoint",
						   .description = "the Scheduler"};
	char longest[600];

	assert_true(catalog_matches(&entry, ""));
	assert_true(catalog_matches(&entry, "  \t"));
	assert_true(catalog_matches(&entry, "SWITCH"));
	assert_true(catalog_matches(&entry, "scheduler tracepoint sched_"));
	assert_true(catalog_matches(&entry, " switch\ttrace "));
	assert_false(catalog_matches(&entry, "switch wakeup"));
	assert_false(catalog_matches(&entry, "sched_switchx"));
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_false(catalog_matches(&entry, longest));
}

UNIT_TEST_WITH(catalog_rank_prefers_names_to_descriptions, NULL, NULL)
{
	static const struct catalog_entry entry = {.name = "sched:sched_switch",
						   .source = "tracepoint",
						   .description = "the scheduler"};

	assert_int_equal(catalog_rank(&entry, "Sched:sched_switch"), 0);
	assert_int_equal(catalog_rank(&entry, "SCHED"), 1);
	assert_int_equal(catalog_rank(&entry, "switch"), 2);
	assert_int_equal(catalog_rank(&entry, "scheduler"), 3);
}

int main(void)
{
	return unit_run(setup, teardown);
}
