/* All events of machines that are folders; libpfm4's are those of the machine the test runs on. */

#include <errno.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/attr.h"
#include "kernel/generic.h"
#include "kernel/group.h"
#include "kernel/host.h"

#include "event/catalog.h"
#include "event/catalog_search.h"
#include "event/topic.h"
#include "fake_root.h"
#include "unit.h"

static struct {
	size_t opened, closed;
	int refusal; /* errno; 0: everything opens */
	bool excluded_kernel;
	char last[EVENT_SPEC_NAME_MAX];
} kernel;

int __wrap_group_open(struct group *group, const struct group_request *request,
		      const struct attr_features *features, int *failed_member)
{
	*group = (struct group){.leader_fd = -1};
	assert_int_equal(request->target.leader, GROUP_LEADER_TASK);
	assert_int_equal(request->count, 1);
	assert_int_equal(request->target.cpu, -1);
	kernel.opened++;
	kernel.excluded_kernel = request->target.exclude_kernel;
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
		{PMUS "intel_pt/type", "8\n"},
		{PMUS "intel_pt/format/tsc", "config:10\n"},
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

/* As many as there are: it is not in the catalog. */
static size_t find(const char *name)
{
	size_t i = 0;

	while (i < catalog_count(machine.catalog) &&
	       strcmp(catalog_entry(machine.catalog, i)->name, name) != 0)
		i++;
	return i;
}

static size_t index_of(const char *name)
{
	if (find(name) == catalog_count(machine.catalog))
		fail_msg("%s is not in the catalog", name);
	return find(name);
}

static const struct catalog_entry *entry_of(const char *name)
{
	return catalog_entry(machine.catalog, index_of(name));
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
	assert_non_null(strstr(entry_of("intel_pt/TERM=VALUE,.../")->reason, "a trace"));
	assert_int_equal(find("power/energy-pkg.unit/"), catalog_count(machine.catalog));
	assert_int_equal(find("uprobe/TERM=VALUE,.../"), catalog_count(machine.catalog));
}

UNIT_TEST(catalog_create_has_the_presets_of_the_processor)
{
	fake_root_file(
		"/proc/cpuinfo",
		"vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 1\nstepping\t: 1\n");
	open_machine();
	assert_int_equal(find("slots-all"), catalog_count(machine.catalog));
	assert_string_equal(entry_of("mem-fills")->source, "preset");
	assert_string_equal(entry_of("mem-fills")->description,
			    "cache lines that came from memory (AMD Zen 3: config 0x4844)");
}

UNIT_TEST(catalog_create_entries_are_in_order_and_understood_by_the_finder)
{
	open_machine();
	for (size_t i = 0; i < catalog_count(machine.catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(machine.catalog, i);
		struct event_set set = {0};
		struct error error = {0};

		/* sources are together, names in order and once */
		for (size_t j = 0; j < i; j++) {
			const struct catalog_entry *before = catalog_entry(machine.catalog, j);

			if (j + 1 == i && strcmp(before->source, entry->source) == 0)
				assert_true(strcmp(before->name, entry->name) < 0);
			else if (strcmp(catalog_entry(machine.catalog, i - 1)->source,
					entry->source) != 0)
				assert_string_not_equal(before->source, entry->source);
		}
		if (strncmp(entry->source, "libpfm4", 7) != 0 &&
		    strcmp(entry->source, "tracepoint") != 0 && *entry->description == '\0')
			fail_msg("%s has no description", entry->name);
		if (entry->is_pattern || entry->state == CATALOG_REFUSED)
			continue;
		if (!event_find(machine.finder, entry->name, &set, NULL, &error))
			fail_msg("%s", error.text);
		event_set_fini(&set);
	}
	assert_int_equal(index_of("branch-instructions"), 0);
	assert_string_equal(entry_of("power/energy-pkg/")->description, "event=0x02, in Joules");
	assert_non_null(strstr(entry_of("syscalls:sys_enter_openat")->description, "openat(2)"));
	assert_non_null(strstr(entry_of("cpu-cycles")->description, "also: cycles"));
	assert_string_equal(entry_of("LLC-load-misses")->description,
			    "loads that the last level of cache did not have");
	assert_string_equal(entry_of("sched:sched_switch")->description,
			    "switches from one task to another");
}

UNIT_TEST(catalog_create_gives_each_event_its_topic)
{
	static const struct {
		const char *name, *topic;
	} events[] = {
		{"cpu-cycles", "cycles"},
		{"msr/tsc/", "cycles"},
		{"L1-dcache-load-misses", "caches"},
		{"dTLB-loads", "TLB"},
		{"branch-misses", "branches"},
		{"major-faults", "faults"},
		{"context-switches", "scheduler"},
		{"sched:sched_switch", "scheduler"},
		{"power/energy-pkg/", "power"},
		{"syscalls:sys_enter_openat", "system calls"},
		{"mem:ADDRESS[/LENGTH][:rwx]", "probes"},
		{"cpu/slots/", "processor"},
		{"rNNN", "processor"},
		{"dummy", "other"},
		{"ftrace:function", "other"},
	};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(events); i++) {
		begin_case(events[i].name);
		assert_string_equal(entry_of(events[i].name)->topic->name, events[i].topic);
	}
}

/* Names that answer the words, without libpfm4's, with a "# " before headings, joined by ", ". */
static const char *search(const char *words)
{
	static char text[8192];
	size_t *found = calloc(catalog_count(machine.catalog), sizeof(*found));
	const size_t count = catalog_search(machine.catalog, words, 16, found);
	struct strbuf out = {0};

	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *entry = catalog_entry(machine.catalog, found[i]);

		if (strncmp(entry->source, "libpfm4", 7) == 0)
			continue;
		if (i == 0 ||
		    !catalog_is_same_section(catalog_entry(machine.catalog, found[i - 1]), entry)) {
			strbuf_add(&out, "# ");
			catalog_append_heading(entry, &out);
			strbuf_add(&out, ", ");
		}
		strbuf_printf(&out, "%s, ", entry->name);
	}
	snprintf(text, sizeof(text), "%s", strbuf_text(&out));
	strbuf_fini(&out);
	free(found);
	return text;
}

static void assert_begins(const char *text, const char *with)
{
	if (strncmp(text, with, strlen(with)) != 0)
		fail_msg("\"%s\" does not begin with \"%s\"", text, with);
}

UNIT_TEST(catalog_search_has_topics_in_their_order_and_all_of_the_catalog)
{
	size_t *found;
	const char *text;

	open_machine();
	text = search("");
	assert_begins(text, "# cycles: what the cores do, and how fast, cpu-cycles, instructions, "
			    "ref-cycles, ");
	assert_non_null(strstr(text, ", # faults: accesses that the kernel had to serve, "
				     "page-faults, minor-faults, major-faults, "));
	assert_true(strstr(text, "# caches") < strstr(text, "# faults"));
	assert_true(strstr(text, "# faults") < strstr(text, "# scheduler"));
	assert_true(strstr(text, "# scheduler") < strstr(text, "# system calls"));
	found = calloc(catalog_count(machine.catalog), sizeof(*found));
	assert_int_equal(catalog_search(machine.catalog, "", 0, found),
			 catalog_count(machine.catalog));
	free(found);
}

UNIT_TEST(catalog_search_what_cannot_be_counted_is_last_under_its_reason)
{
	char *heading;

	open_machine();
	kernel.refusal = EMFILE;
	heading = strstr(search("cycles"), "# not available: ");
	assert_non_null(heading);
	assert_null(strstr(heading + 1, "# "));
	assert_true(strstr(heading, "cpu-cycles") > heading);
	kernel.refusal = 0;
	assert_begins(search("energy"), "# not available: its PMU is shared");
}

UNIT_TEST(catalog_search_best_answer_comes_first)
{
	open_machine();
	assert_begins(search("PAGE-FAULTS"), "# faults: accesses that the kernel had to serve, "
					     "page-faults, ");
	assert_begins(search("branch-l"), "# branches: jumps, and those that were predicted "
					  "wrong, branch-load-misses, branch-loads, ");
	assert_begins(search("openat"), "# system calls: calls of the kernel by programs, and "
					"returns from them, syscalls:sys_enter_openat, ");
	assert_string_equal(search("no such event"), "");
}

UNIT_TEST(catalog_search_tries_few_slow_ones)
{
	size_t *found;

	open_machine();
	found = calloc(catalog_count(machine.catalog), sizeof(*found));
	catalog_search(machine.catalog, "sched_switch", 0, found);
	assert_int_equal(entry_of("sched:sched_switch")->state, CATALOG_UNTRIED);
	catalog_search(machine.catalog, "sched_switch", 1, found);
	assert_int_equal(entry_of("sched:sched_switch")->state, CATALOG_OPENS);
	catalog_search(machine.catalog, "", 1, found);
	assert_int_equal(entry_of("syscalls:sys_enter_openat")->state, CATALOG_UNTRIED);
	assert_int_equal(entry_of("cpu-cycles")->state, CATALOG_OPENS);
	free(found);
}

UNIT_TEST(catalog_try_what_may_harm_is_left_alone)
{
	static const char *const names[] = {"tracer/branch/",
					    "rNNN",
					    "cpu/TERM=VALUE,.../",
					    "ftrace:function",
					    "uprobe:FILE:FUNCTION[+OFFSET]",
					    "power/energy-pkg/"};

	open_machine();
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		bool is_shared = strcmp(names[i], "power/energy-pkg/") == 0;

		catalog_try(machine.catalog, index_of(names[i]));
		assert_int_equal(entry_of(names[i])->state,
				 is_shared ? CATALOG_REFUSED : CATALOG_UNTRIED);
	}
	assert_non_null(strstr(entry_of("power/energy-pkg/")->reason, "shared"));
	assert_false(entry_of("power/energy-pkg/")->may_try);
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
	static const struct {
		const char *name;
		bool has_cap;
		int paranoid, refusal;
		bool excluded_kernel;
		size_t opened;
	} cases[] = {
		{"cpu-cycles", false, 2, 0, true, 1},
		{"instructions", true, 2, 0, false, 1},
		{"page-faults", false, 1, 0, false, 1},
		{"msr/tsc/", false, 2, EINVAL, false, 2}, /* asked again with the kernel */
	};

	put_machine();
	fake_root_file("/proc/sys/kernel/perf_event_paranoid", "2\n");
	open_catalog();
	assert_int_equal(machine.host.paranoid, 2);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		machine.host.has_cap_perfmon = cases[i].has_cap;
		machine.host.paranoid = cases[i].paranoid;
		kernel.refusal = cases[i].refusal;
		kernel.opened = 0;
		catalog_try(machine.catalog, index_of(cases[i].name));
		assert_int_equal(kernel.excluded_kernel, cases[i].excluded_kernel);
		assert_int_equal(kernel.opened, cases[i].opened);
	}
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
	assert_non_null(strstr(entry_of("rNNN")->reason, "no hardware counters: "));
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

UNIT_TEST_WITH(catalog_matches_all_words_anywhere_and_prefers_names, NULL, NULL)
{
	static const struct topic topic = {.name = "who runs"};
	static const struct catalog_entry entry = {.name = "sched:sched_switch",
						   .source = "tracepoint",
						   .topic = &topic,
						   .description = "the Scheduler"};
	static char longest[600];
	const struct {
		const char *words;
		bool matches;
		int rank; /* -1: not looked at */
	} cases[] = {
		{"", true, -1},
		{"  \t", true, -1},
		{"SWITCH", true, 2},
		{"scheduler tracepoint sched_", true, -1},
		{" switch\ttrace ", true, -1},
		{"Sched:sched_switch", true, 0},
		{"SCHED", true, 1},
		{"scheduler", true, 3},
		{"runs", true, 3},
		{"switch wakeup", false, -1},
		{"sched_switchx", false, -1},
		{longest, false, -1},
	};

	memset(longest, 'x', sizeof(longest) - 1);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].words);
		assert_int_equal(catalog_matches(&entry, cases[i].words), cases[i].matches);
		if (cases[i].rank >= 0)
			assert_int_equal(catalog_rank(&entry, cases[i].words), cases[i].rank);
	}
}

UNIT_MAIN(setup, teardown)
