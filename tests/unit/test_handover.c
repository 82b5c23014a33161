/* The command for perf record, and what its last words mean. */

#include <linux/perf_event.h>

#include "base/strbuf.h"
#include "model/layout.h"

#include "event/event.h"
#include "mode/terminal_handoff.h"
#include "unit.h"

struct fixture {
	struct layout layout;
	struct evsel evsels[8];
	struct event_set events;
	struct handover_input input;
};

static struct fixture fixture;

static void wish(struct event_spec spec)
{
	struct evsel *evsel = &fixture.evsels[fixture.events.count++];
	const size_t index = layout_add_event(&fixture.layout, spec.name);

	fixture.layout.events[index].state = EVENT_COUNTING;
	memcpy(evsel->name, spec.name, sizeof(evsel->name));
	evsel->specs[0] = spec;
	evsel->spec_count = 1;
}

#define wish_(...) wish((struct event_spec){__VA_ARGS__})

static void add_cycles(void)
{
	wish_(.name = "cycles", .class = EVENT_CLASS_HARDWARE, .type = PERF_TYPE_HARDWARE);
}

static void add_faults(void)
{
	wish_(.name = "page-faults", .type = PERF_TYPE_SOFTWARE, .config = 2);
}

static int set_up(void **state)
{
	memset(&fixture, 0, sizeof(fixture));
	layout_init(&fixture.layout);
	fixture.events.evsels = fixture.evsels;
	fixture.input = (struct handover_input){
		.events = &fixture.events,
		.layout = &fixture.layout,
		.pid = 7,
		.tid = 7,
		.may_trace = true,
	};
	return 0;
}

static int tear_down(void **state)
{
	layout_fini(&fixture.layout);
	return 0;
}

/* No event any more. */
static void clear(void)
{
	layout_fini(&fixture.layout);
	layout_init(&fixture.layout);
	fixture.events.count = 0;
}

static void assert_command(const char *expected, const char *expected_left_out)
{
	struct strbuf command = {0}, left_out = {0};

	handover_write(&fixture.input, &command, &left_out);
	assert_string_equal(strbuf_text(&command), expected);
	assert_string_equal(strbuf_text(&left_out), expected_left_out);
	strbuf_fini(&command);
	strbuf_fini(&left_out);
}

static void assert_function(const struct handover_function *input, const char *expected)
{
	struct strbuf command = {0};

	handover_write_function(input, &command);
	assert_string_equal(strbuf_text(&command), expected);
	strbuf_fini(&command);
}

UNIT_TEST(command_of_a_function_is_of_what_is_shown)
{
	assert_function(&(struct handover_function){.name = "hot"},
			"perf record -a sleep 10 && perf annotate -s hot");
	assert_function(&(struct handover_function){.name = "hot", .pid = 7, .tid = 7},
			"perf record -p 7 sleep 10 && perf annotate -s hot");
	assert_function(&(struct handover_function){.name = "hot", .pid = 7, .tid = 8},
			"perf record -t 8 sleep 10 && perf annotate -s hot");
	assert_function(&(struct handover_function){.name = "a<b>::c('x')", .recording = "my data"},
			"perf annotate -i 'my data' -s 'a<b>::c('\\''x'\\'')'");
}

UNIT_TEST(command_has_the_events_of_the_process)
{
	add_cycles();
	add_faults();
	assert_command("perf record -g -p 7 -e cycles,faults", "");
}

UNIT_TEST(command_of_a_thread_is_of_it_alone)
{
	add_cycles();
	fixture.input.tid = 77;
	assert_command("perf record -g -t 77 -e cycles", "");
}

UNIT_TEST(command_without_hardware_samples_the_clock)
{
	add_faults();
	assert_command("perf record -g -p 7 -e faults,cpu-clock", "");
	fixture.events.count = 0;
	assert_command("perf record -g -p 7 -e cpu-clock", "");
}

UNIT_TEST(command_leaves_out_what_is_not_counted)
{
	add_cycles();
	add_faults();
	fixture.layout.events[0].state = EVENT_UNSUPPORTED;
	assert_command("perf record -g -p 7 -e faults,cpu-clock", "");
	fixture.layout.events[0].state = EVENT_MULTIPLEXED;
	fixture.layout.events[1].is_removed = true;
	assert_command("perf record -g -p 7 -e cycles", "");
}

UNIT_TEST(command_about_switches_is_for_off_cpu_profilers)
{
	add_cycles();
	fixture.input.is_off_cpu = true;
	assert_command("perf record -g -p 7 --switch-events -e cycles,sched:sched_switch", "");
	fixture.input.may_trace = false;
	assert_command("perf record -g -p 7 --switch-events -e cycles",
		       "sched:sched_switch: tracepoints cannot be read");
}

UNIT_TEST(command_has_switches_once)
{
	add_cycles();
	wish_(.name = "sched:sched_switch", .type = PERF_TYPE_TRACEPOINT);
	fixture.input.is_off_cpu = true;
	assert_command("perf record -g -p 7 --switch-events -e cycles,sched:sched_switch", "");
}

UNIT_TEST(command_gives_filters_their_option_and_quotes_them)
{
	add_cycles();
	wish_(.name = "sched:sched_switch/x/", .type = PERF_TYPE_TRACEPOINT,
	      .filter = "prev_comm != 'a b'");
	assert_command("perf record -g -p 7 -e cycles -e sched:sched_switch "
		       "--filter 'prev_comm != '\\''a b'\\'''",
		       "");
}

/* What is typed comes out as what perf takes for the same. */
UNIT_TEST(command_has_events_in_the_words_of_perf)
{
	static const struct {
		const char *words; /* behind -e */
		struct event_spec spec;
	} cases[] = {
		/* clang-format off */
		{"cycles", {.name = "c", .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES}},
		{"cache-misses", {.name = "perf::PERF_COUNT_HW_CACHE_MISSES", .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CACHE_MISSES}},
		{"migrations", {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_CPU_MIGRATIONS}},
		{"L1-dcache-load-misses", {.type = PERF_TYPE_HW_CACHE, .config = PERF_COUNT_HW_CACHE_L1D | PERF_COUNT_HW_CACHE_RESULT_MISS << 16}},
		{"cpu_core/instructions/", {.type = PERF_TYPE_HARDWARE, .pmu = "cpu_core", .config = UINT64_C(4) << 32 | PERF_COUNT_HW_INSTRUCTIONS}},
		{"cpu/config=0x1c2/", {.name = "skl::INST_RETIRED:ANY", .class = EVENT_CLASS_HARDWARE, .type = PERF_TYPE_RAW, .config = 0x1c2}},
		{"armv8_pmuv3_0/config=0x8,config1=0x1,config2=0x2/", {.class = EVENT_CLASS_HARDWARE, .type = 10, .pmu = "armv8_pmuv3_0", .config = 8, .config1 = 1, .config2 = 2}},
		{"sched:sched_switch", {.name = "sched:sched_switch/", .type = PERF_TYPE_TRACEPOINT, .config = 314}},
		{"mem:0x601040/4:w", {.type = PERF_TYPE_BREAKPOINT, .config1 = 0x601040, .config2 = 4, .bp_type = 2}},
		{"mem:0x601040/8:rw:u", {.type = PERF_TYPE_BREAKPOINT, .config1 = 0x601040, .config2 = 8, .bp_type = 3, .exclude_kernel = true, .exclude_hv = true}},
		{"cycles:u", {.type = PERF_TYPE_HARDWARE, .exclude_kernel = true, .exclude_hv = true}},
		{"cycles:kpp", {.type = PERF_TYPE_HARDWARE, .exclude_user = true, .exclude_hv = true, .precise = 2}},
		{"cycles:P", {.type = PERF_TYPE_HARDWARE, .is_most_precise = true}},
		{"cpu/config=0xc0/khp", {.class = EVENT_CLASS_HARDWARE, .type = PERF_TYPE_RAW, .config = 0xc0, .exclude_user = true, .precise = 1}},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		char expected[128];

		begin_case(cases[i].words);
		clear();
		wish(cases[i].spec);
		snprintf(expected, sizeof(expected), "perf record -g -p 7 -e %s%s", cases[i].words,
			 cases[i].spec.class == EVENT_CLASS_HARDWARE ? "" : ",cpu-clock");
		assert_command(expected, "");
	}
}

UNIT_TEST(command_says_what_perf_cannot_take)
{
	static const struct {
		const char *left_out;
		struct event_spec spec;
	} cases[] = {
		/* clang-format off */
		{"p: perf record takes a probe only after perf probe --add", {.name = "p", .type = 7, .pmu = "uprobe", .target = "/bin/bash"}},
		{"msr/tsc/: its PMU cannot sample", {.name = "msr/tsc/", .class = EVENT_CLASS_SOFTWARE, .type = 9, .pmu = "msr"}},
		{"mine: perf has no name for it", {.name = "mine", .type = PERF_TYPE_TRACEPOINT}},
		{"s: perf has no name for it", {.name = "s", .type = PERF_TYPE_SOFTWARE, .config = 4711}},
		{"c: perf has no name for it", {.name = "c", .type = PERF_TYPE_HW_CACHE, .config = 0xffffff}},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].left_out);
		clear();
		wish(cases[i].spec);
		assert_command("perf record -g -p 7 -e cpu-clock", cases[i].left_out);
	}
	wish(cases[0].spec);
	assert_command("perf record -g -p 7 -e cpu-clock",
		       "c: perf has no name for it; p: perf record takes a probe only after perf "
		       "probe --add");
}

/* perf's own names, by way of our parser. */
UNIT_TEST(command_has_what_was_typed)
{
	static const char *const names[] = {
		"cycles",          "instructions",  "cs",         "faults:u",
		"LLC-load-misses", "dTLB-stores:k", "task-clock",
	};
	struct event_finder *finder = event_finder_create("/nowhere");

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		struct event_set found = {0};
		char expected[64];

		begin_case(names[i]);
		assert_true(event_find(finder, names[i], &found, NULL, NULL));
		clear();
		wish(found.evsels[0].specs[0]);
		snprintf(expected, sizeof(expected), "perf record -g -p 7 -e %s%s", names[i],
			 i == 2 || i == 3 ? ",cpu-clock" : "");
		assert_command(expected, "");
		event_set_fini(&found);
	}
	event_finder_destroy(finder);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
