/* The command for perf record, and what its last words mean. */

#include "base/strbuf.h"
#include "model/layout.h"

#include "event/event.h"
#include "session/handover.h"
#include "unit.h"

enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	TYPE_TRACEPOINT = 2
};

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
	wish_(.name = "cycles", .class = EVENT_CLASS_HARDWARE, .type = TYPE_HARDWARE);
}

static void add_faults(void)
{
	wish_(.name = "page-faults", .type = TYPE_SOFTWARE, .config = 2);
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

static void assert_command(const char *expected, const char *expected_left_out)
{
	struct strbuf command = {0}, left_out = {0};

	handover_write(&fixture.input, &command, &left_out);
	assert_string_equal(strbuf_text(&command), expected);
	assert_string_equal(strbuf_text(&left_out), expected_left_out);
	strbuf_fini(&command);
	strbuf_fini(&left_out);
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
	wish_(.name = "sched:sched_switch", .type = TYPE_TRACEPOINT);
	fixture.input.is_off_cpu = true;
	assert_command("perf record -g -p 7 --switch-events -e cycles,sched:sched_switch", "");
}

UNIT_TEST(command_gives_filters_their_option_and_quotes_them)
{
	add_cycles();
	wish_(.name = "sched:sched_switch/x/", .type = TYPE_TRACEPOINT,
	      .filter = "prev_comm != 'a b'");
	assert_command("perf record -g -p 7 -e cycles -e sched:sched_switch "
		       "--filter 'prev_comm != '\\''a b'\\'''",
		       "");
}

UNIT_TEST(command_tells_what_perf_cannot_take)
{
	add_cycles();
	wish_(.name = "uprobe:/bin/bash:readline", .type = 9, .target = "/bin/bash");
	wish_(.name = "msr/tsc/", .type = 10, .pmu = "msr");
	assert_command("perf record -g -p 7 -e cycles",
		       "uprobe:/bin/bash:readline: perf record takes a probe only after perf probe "
		       "--add; msr/tsc/: its PMU cannot sample");
}

static void assert_outcome(const char *words, const char *expected)
{
	struct strbuf out = {0};

	handover_outcome(words, &out);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

UNIT_TEST(outcome_is_what_was_written)
{
	assert_outcome("Warning:\nsomething\n[ perf record: Woken up 1 times to write data ]\n"
		       "[ perf record: Captured and wrote 0.115 MB perf.data (675 samples) ]\n",
		       "perf record: Captured and wrote 0.115 MB perf.data (675 samples)");
	assert_outcome("^C[ perf record: Woken up 1 times to write data ]\n"
		       "[ perf record: Captured and wrote 0.021 MB x.data ]\n\n",
		       "perf record: Captured and wrote 0.021 MB x.data");
}

UNIT_TEST(outcome_of_a_failure_is_its_reason)
{
	assert_outcome("Error:\nAccess to performance monitoring is limited.\nMore\n",
		       "Access to performance monitoring is limited.");
	assert_outcome("failed to open perf.data: Permission denied",
		       "failed to open perf.data: Permission denied");
	assert_outcome("", "");
	assert_outcome("\n\n[ ]\n", "");
}

UNIT_TEST(program_is_looked_for_in_path)
{
	char name[16];

	setenv("PATH", "/nowhere::/bin", 1);
	assert_true(handover_has_program("  sh -c x", name, sizeof(name)));
	assert_string_equal(name, "sh");
	assert_true(handover_has_program("/bin/sh", name, sizeof(name)));
	assert_false(handover_has_program("/bin/nosuch x", name, sizeof(name)));
	assert_false(handover_has_program("nosuch x", name, sizeof(name)));
	assert_string_equal(name, "nosuch");
	assert_false(handover_has_program("  ", name, sizeof(name)));
	setenv("PATH", "/nowhere", 1);
	assert_false(handover_has_program("sh", name, sizeof(name)));
	unsetenv("PATH");
	assert_false(handover_has_program("sh", name, sizeof(name)));
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
