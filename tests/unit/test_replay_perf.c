/*
 * Files of perf record as records of the model, fed to a model: what tasks and CPUs get is
 * what the file says, and what it does not say is not known. Times in the files are in
 * milliseconds.
 */

#include "base/strbuf.h"
#include "model/coverage.h"

#include "fake_perfdata.h"
#include "model_kit.h"
#include "unit.h"

#define MS UINT64_C(1000000)

static struct {
	struct source *source;
	struct model *model;
	const struct snapshot *snapshot;
} stage;

static void feed_all(void)
{
	struct record record;

	while (source_next(stage.source, &record))
		model_feed(stage.model, &record);
}

static void open_file(void)
{
	const struct replay_request request = {.path = "dir/perf.data", .interval_ns = 1000 * MS};

	stage.source = replay_create(&request, NULL);
	assert_non_null(stage.source);
	stage.model = model_create(&stage.source->layout);
	assert_true(source_begin(stage.source, NULL));
	source_tick(stage.source);
	feed_all();
	model_start(stage.model, stage.source->tick_ns);
}

/* An event of which each occurrence is a sample, and the first of them. */
static void add_faults(void)
{
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS)->period = 1;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7));
}

static void assert_remarks(const char *expected)
{
	char remarks[512];

	replay_remarks(stage.source, remarks, sizeof(remarks));
	assert_string_equal(remarks, expected);
}

/* The next interval; false: the recording is over. */
static bool play(void)
{
	if (source_is_finished(stage.source))
		return false;
	source_tick(stage.source);
	feed_all();
	stage.snapshot = model_close_interval(stage.model, stage.source->tick_ns);
	return true;
}

static void close_file(void)
{
	model_destroy(stage.model);
	source_destroy(stage.source);
	stage.model = NULL;
	stage.source = NULL;
}

static int tear_down(void **state)
{
	close_file();
	return 0;
}

static size_t place_of(const char *name)
{
	const int event = layout_find_event(stage.snapshot->layout, name);

	assert_true(event >= 0);
	for (size_t i = 0; i < stage.snapshot->layout->counter_count; i++)
		if (stage.snapshot->layout->counters[i].event == event)
			return stage.snapshot->layout->counters[i].value_index;
	fail();
	return 0;
}

/* An event without samples that reports switches. */
static size_t add_timeline(uint64_t sample_type)
{
	struct perfdata_event *event = fake_event("dummy:HG", DUMMY, sample_type);

	event->reports_switches = true;
	event->period = 1;
	return fake.event_count - 1;
}

/* {context-switches/period=1/,page-faults}:S */
static void add_switch_group(uint64_t sample_type)
{
	fake_event("context-switches/period=1/", CONTEXT_SWITCHES, sample_type | HAS_READ);
	fake_event("page-faults", PAGE_FAULTS, sample_type | HAS_READ);
	fake.events[0].period = 1;
	fake.events[1].leader = 0;
}

UNIT_TEST(replay_switches_give_exact_run_times)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 0));
	fake_switch(line, true, true,
		    MADE(.time = 130 * MS, .tid = 7, .other = 8, .preempted = true));
	fake_switch(line, false, true, MADE(.time = 130 * MS, .tid = 8, .other = 7));
	fake_switch(line, true, true, MADE(.time = 150 * MS, .tid = 8, .other = 0));
	fake_switch(line, false, true, MADE(.time = 150 * MS, .tid = 0, .other = 8));
	fake_switch(line, true, true, MADE(.time = 200 * MS, .tid = 0, .other = 7));
	open_file();
	assert_true(play());
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 30 * MS);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(task_count(stage.snapshot, 8, QUANTITY_RUN_NS), 20 * MS);
	assert_int_equal(stage.snapshot->cpus[0].idle[QUANTITY_RUN_NS], 50 * MS);
	assert_int_equal(stage.snapshot->cpus[0].unattributed[QUANTITY_RUN_NS], 0);
	assert_int_equal(stage.snapshot->interval_ns, 100 * MS);
	assert_true(books_balance(stage.snapshot));
	assert_false(play());
}

/* By the feature CPU_TOPOLOGY; for half of its slice the other thread of its core is idle. */
UNIT_TEST(replay_siblings_tell_who_ran_beside_a_busy_one)
{
	struct cpu_location places[] = {{.cpu = 0, .core = 3, .thread = 0},
					{.cpu = 1, .core = 3, .thread = 1}};
	const size_t line = add_timeline(OF_CPUS);

	fake.info.topology = (struct topology){places, COUNT_OF(places)};
	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 0, .other = 9, .cpu = 1));
	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 0));
	fake_switch(line, true, true, MADE(.time = 150 * MS, .tid = 0, .other = 8, .cpu = 1));
	fake_switch(line, false, true, MADE(.time = 150 * MS, .tid = 8, .other = 0, .cpu = 1));
	fake_switch(line, true, true, MADE(.time = 180 * MS, .tid = 7, .other = 0));
	fake_switch(line, true, true, MADE(.time = 200 * MS, .tid = 8, .other = 0, .cpu = 1));
	open_file();
	assert_string_equal(session_smt_reason(&stage.source->session), "");
	model_note_topology(stage.model, stage.source->session.topology);
	assert_true(play());
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_SMT_ALONE_NS), 50 * MS);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_SMT_BESIDE_NS), 30 * MS);
}

/* On some machines the idle task leaves no record when it leaves. */
UNIT_TEST(replay_silent_idle_has_the_time_until_somebody_comes)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_switch(line, true, true, MADE(.time = 110 * MS, .tid = 7, .other = 0));
	fake_switch(line, false, true, MADE(.time = 150 * MS, .tid = 9, .other = 0));
	fake_switch(line, true, true, MADE(.time = 155 * MS, .tid = 9, .other = 7));
	fake_switch(line, false, true, MADE(.time = 155 * MS, .tid = 7, .other = 9));
	open_file();
	play();
	assert_int_equal(stage.snapshot->cpus[0].idle[QUANTITY_RUN_NS], 40 * MS);
	assert_int_equal(task_count(stage.snapshot, 9, QUANTITY_RUN_NS), 5 * MS);
	assert_int_equal(stage.snapshot->cpus[0].unattributed[QUANTITY_RUN_NS], 0);
}

UNIT_TEST(replay_unannounced_task_leaves_time_unattributed)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_switch(line, true, true, MADE(.time = 140 * MS, .tid = 9, .other = 10));
	fake_switch(line, false, true, MADE(.time = 140 * MS, .tid = 10, .other = 9));
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_int_equal(task_count(stage.snapshot, 9, QUANTITY_RUN_NS), 0);
	assert_int_equal(stage.snapshot->cpus[0].unattributed[QUANTITY_RUN_NS], 40 * MS);
	assert_true(books_balance(stage.snapshot));
}

UNIT_TEST(replay_lost_records_leave_the_time_before_them_unattributed)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_lost(line, MADE(.time = 130 * MS, .tid = 7, .lost = 5));
	fake_switch(line, true, true, MADE(.time = 140 * MS, .tid = 9, .other = 10));
	open_file();
	play();
	assert_int_equal(stage.snapshot->lost_records, 5);
	assert_int_equal(stage.snapshot->cpus[0].unattributed[QUANTITY_RUN_NS], 30 * MS);
	assert_int_equal(task_count(stage.snapshot, 9, QUANTITY_RUN_NS), 10 * MS);
}

UNIT_TEST(replay_readings_at_switches_are_exact)
{
	const uint64_t values[][2] = {{4, 1000}, {5, 1030}, {6, 1031}, {8, 2000}};

	add_switch_group(OF_CPUS);
	for (size_t i = 0; i < 4; i++)
		fake_sample(0, MADE(.time = (100 + 10 * i) * MS, .tid = 7 + (int32_t)(i % 2),
				    .values = {values[i][0], values[i][1]}, .value_count = 2));
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 8, place_of("page-faults")), 30);
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 1);
	assert_int_equal(task_count(stage.snapshot, 8, QUANTITY_RUN_NS), 10 * MS);
	/* one reading is missing before the last */
	assert_int_equal(stage.snapshot->cpus[0].unattributed[place_of("page-faults")], 969);
	assert_true(books_balance(stage.snapshot));
	assert_false(stage.source->session.is_estimated);
}

/* A machine may be stopped between a sample and the record of the same switch. */
UNIT_TEST(replay_switch_that_is_read_before_an_interval_ends_and_told_after_it_is_one)
{
	size_t line;

	add_switch_group(OF_CPUS);
	line = add_timeline(OF_CPUS);
	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_sample(0, MADE(.time = 1098 * MS, .tid = 7, .values = {4, 1000}, .value_count = 2));
	fake_switch(line, true, true, MADE(.time = 1098 * MS, .tid = 7, .other = 8));
	fake_switch(line, false, true, MADE(.time = 1098 * MS, .tid = 8, .other = 7));
	fake_sample(0, MADE(.time = 1099 * MS, .tid = 8, .values = {5, 1030}, .value_count = 2));
	fake_switch(line, true, true, MADE(.time = 1110 * MS, .tid = 8, .other = 7));
	fake_switch(line, false, true, MADE(.time = 1110 * MS, .tid = 7, .other = 8));
	open_file();
	assert_true(play());
	assert_int_equal(task_count(stage.snapshot, 8, QUANTITY_SWITCHES), 0);
	assert_true(play());
	assert_int_equal(task_count(stage.snapshot, 8, QUANTITY_SWITCHES), 1);
	assert_int_equal(task_count(stage.snapshot, 8, place_of("page-faults")), 30);
	assert_int_equal(stage.snapshot->cpus[0].unattributed[place_of("page-faults")], 0);
	assert_true(books_balance(stage.snapshot));
}

UNIT_TEST(replay_samples_of_a_clock_are_estimates_of_run_time)
{
	struct perfdata_event *clock = fake_event("cpu-clock:ppp", CPU_CLOCK, OF_CPUS | HAS_PERIOD);
	const struct event *event;

	clock->is_frequency = true;
	clock->period = 4000;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .period = 250));
	fake_sample(0, MADE(.time = 101 * MS, .tid = 7, .period = 300));
	fake_sample(0, MADE(.time = 102 * MS, .tid = 0, .period = 50, .cpu = 1));
	open_file();
	play();
	event = &stage.snapshot->layout->events[0];
	assert_string_equal(event->name, "cpu-clock");
	assert_true(event->is_estimate);
	assert_non_null(strstr(event->reason, "4000 a second"));
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 550);
	assert_int_equal(task_count(stage.snapshot, 7, place_of("cpu-clock")), 550);
	assert_int_equal(stage.snapshot->cpus[1].idle[QUANTITY_RUN_NS], 50);
	assert_true(books_balance(stage.snapshot));
	assert_true(stage.snapshot->layout->estimated & 1u << QUANTITY_RUN_NS);
	assert_true(stage.source->session.is_estimated);
	assert_true(stage.source->session.unknown & 1u << QUANTITY_SWITCHES);
	assert_false(stage.source->session.unknown & 1u << QUANTITY_RUN_NS);
}

UNIT_TEST(replay_samples_of_no_clock_leave_run_time_unknown)
{
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS)->period = 100;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7));
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 100);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 0);
	assert_true(stage.source->session.unknown & 1u << QUANTITY_RUN_NS);
}

UNIT_TEST(replay_samples_of_each_occurrence_are_no_estimates)
{
	add_faults();
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 1);
	assert_false(stage.snapshot->layout->events[0].is_estimate);
	assert_false(stage.source->session.is_estimated);
}

/* {cpu-clock,page-faults}:S */
UNIT_TEST(replay_other_readings_are_estimates_by_their_differences)
{
	fake_event("cpu-clock", CPU_CLOCK, OF_CPUS | HAS_READ)->period = 1000;
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS | HAS_READ)->leader = 0;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .values = {1000, 5}, .value_count = 2));
	fake_sample(0, MADE(.time = 101 * MS, .tid = 8, .values = {3000, 6}, .value_count = 2,
			    .off = MS / 2)); /* others had the counters for half of it */
	fake_sample(0, MADE(.time = 102 * MS, .tid = 8, .values = {700, 9}, .value_count = 2,
			    .cpu = 1));
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 5);
	assert_int_equal(task_count(stage.snapshot, 8, place_of("page-faults")), 2 * 1 + 9);
	assert_int_equal(task_count(stage.snapshot, 8, place_of("cpu-clock")), 2 * 2000 + 700);
	assert_true(stage.snapshot->layout->events[1].is_estimate);
}

/* As perf record -D leaves it: the command is known a second before it is counted. */
UNIT_TEST(replay_begins_where_something_is_counted)
{
	fake_event("cpu-clock", CPU_CLOCK, OF_TASKS)->period = 1000;
	fake_comm(0, MADE(.time = 100 * MS, .tid = 7, .name = "work", .exec = true));
	fake_sample(0, MADE(.time = 1600 * MS, .tid = 7, .period = 1000));
	fake_sample(0, MADE(.time = 1700 * MS, .tid = 7, .period = 1000));
	open_file();
	assert_int_equal(stage.source->tick_ns, 1600 * MS);
	play();
	assert_int_equal(stage.snapshot->interval_ns, 100 * MS);
	assert_string_equal(find_task(stage.snapshot, 7)->name, "work");
	assert_int_equal(task_count(stage.snapshot, 7, place_of("cpu-clock")), 2000);
	assert_false(play());
}

UNIT_TEST(replay_of_names_alone_is_an_interval)
{
	fake_event("cpu-clock", CPU_CLOCK, OF_TASKS)->period = 1000;
	fake_comm(0, MADE(.time = 100 * MS, .tid = 7, .name = "work", .exec = true));
	fake_comm(0, MADE(.time = 300 * MS, .tid = 7, .name = "end"));
	open_file();
	assert_int_equal(stage.source->tick_ns, 100 * MS);
	assert_true(play());
	assert_int_equal(stage.snapshot->time_ns, 300 * MS);
	assert_false(play());
}

UNIT_TEST(replay_tasks_own_switches_give_their_run_times)
{
	const size_t line = add_timeline(OF_TASKS);

	fake_comm(line, MADE(.time = 100 * MS, .tid = 7, .name = "work", .exec = true));
	fake_switch(line, true, false, MADE(.time = 110 * MS, .tid = 7, .preempted = true));
	fake_switch(line, false, false, MADE(.time = 150 * MS, .tid = 7));
	fake_comm(line, MADE(.time = 1200 * MS, .tid = 7, .name = "end"));
	open_file();
	play();
	assert_int_equal(stage.source->session.scope, SCOPE_TASKS);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), (10 + 950) * MS);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_SWITCHES), 1);
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_PREEMPTIONS), 1);
	assert_int_equal(find_task(stage.snapshot, 7)->unknown & 1u << QUANTITY_SWITCHES, 0);
	assert_true(play());
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 100 * MS);
}

UNIT_TEST(replay_tasks_own_readings_are_summed_over_cpus)
{
	add_switch_group(OF_TASKS);
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7, .values = {1, 10}, .value_count = 2));
	fake_sample(0,
		    MADE(.time = 110 * MS, .tid = 7, .values = {1, 5}, .value_count = 2, .cpu = 1));
	fake_sample(0, MADE(.time = 120 * MS, .tid = 7, .values = {2, 12}, .value_count = 2));
	open_file();
	play();
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 17);
	assert_false(stage.snapshot->layout->events[0].is_estimate);
}

/* Others had the counters for half of the time: what was counted is as it was read, and marked. */
UNIT_TEST(replay_tasks_own_readings_that_are_multiplexed_are_not_scaled)
{
	struct estimate estimate = {0};
	struct coverage coverage;
	size_t line;

	add_switch_group(OF_TASKS);
	line = add_timeline(OF_TASKS);
	fake_comm(line, MADE(.time = 100 * MS, .tid = 7, .name = "work", .exec = true));
	fake_sample(0, MADE(.time = 300 * MS, .tid = 7, .values = {1, 40}, .value_count = 2,
			    .off = 50 * MS));
	fake_sample(0, MADE(.time = 500 * MS, .tid = 7, .values = {2, 60}, .value_count = 2,
			    .off = 150 * MS));
	open_file();
	play();
	coverage =
		coverage_of(stage.snapshot->layout, 0, 0, find_task(stage.snapshot, 7)->interval);
	assert_int_equal(coverage.count, 60);
	assert_int_equal(coverage.run_ns, 400 * MS);
	assert_int_equal(coverage.counting_ns, 250 * MS);
	estimate_add(&estimate, &coverage);
	assert_true(estimate.is_scaled);
}

UNIT_TEST(replay_intervals_lie_on_a_grid_from_the_first_record)
{
	add_faults();
	fake_sample(0, MADE(.time = 1100 * MS, .tid = 7)); /* the end belongs to it */
	fake_sample(0, MADE(.time = 3400 * MS, .tid = 8));
	open_file();
	assert_int_equal(stage.source->tick_ns, 100 * MS);
	play();
	assert_int_equal(stage.source->tick_ns, 1100 * MS);
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 2);
	play();
	assert_int_equal(stage.source->tick_ns, 2100 * MS);
	play();
	assert_int_equal(stage.source->tick_ns, 3100 * MS);
	play();
	assert_int_equal(stage.source->tick_ns, 3400 * MS);
	assert_int_equal(task_count(stage.snapshot, 8, place_of("page-faults")), 1);
	assert_false(play());
	assert_true(replay_position(stage.source).is_at_end);
	assert_int_equal(replay_position(stage.source).first_ns, 100 * MS);
}

UNIT_TEST(replay_of_a_gap_of_years_is_one_interval)
{
	int intervals = 0;

	add_faults();
	fake_sample(0, MADE(.time = UINT64_C(1) << 60, .tid = 8));
	open_file();
	while (intervals < 10 && play())
		intervals++;
	assert_in_range(intervals, 2, 3);
	assert_int_equal(stage.source->tick_ns, UINT64_C(1) << 60);
}

UNIT_TEST(replay_time_that_cannot_be_is_left_out_and_said)
{
	add_faults();
	fake_sample(0, MADE(.time = UINT64_MAX - 5, .tid = 8));
	open_file();
	assert_true(play());
	assert_false(play());
	assert_remarks("1 record that cannot be true"
		       " left out");
}

/* Their times are no times, but what perf puts there to have them at the end. */
UNIT_TEST(replay_samples_of_bpf_programs_are_left_out_and_said)
{
	add_faults();
	fake_event("offcpu-time", BPF_OUTPUT, OF_CPUS);
	fake_sample(1, MADE(.time = UINT64_MAX - 5, .tid = 8));
	fake_sample(1, MADE(.time = 110 * MS, .tid = 8));
	open_file();
	while (play())
		;
	assert_null(find_task(stage.snapshot, 8));
	assert_remarks("2 samples that BPF programs wrote (offcpu-time) left out: their form is"
		       " not known");
}

UNIT_TEST(replay_says_what_of_a_recording_is_not_shown)
{
	add_faults();
	fake.counts.trace = "intel_pt";
	fake.counts.has_stat = true;
	open_file();
	assert_remarks("trace data of intel_pt is not decoded (perf report does); counts of perf"
		       " stat record, which say of no task when it ran, are not shown");
}

/* A record of the type, with the trailer of the events. */
static void add_of_type(uint32_t type, size_t words)
{
	uint64_t record[12] = {0};
	const size_t bytes = (1 + words + 4) * sizeof(record[0]);

	record[0] = type | (uint64_t)bytes << 48;
	record[1 + words] = 7 | UINT64_C(7) << 32;
	record[2 + words] = 105 * MS;
	record[4 + words] = fake.ids[0][0];
	fake_bytes(0, record, bytes, 105 * MS);
}

/* READ, AUX, ITRACE_START, AUX_OUTPUT_HW_ID; what the kernel changes of its code says nothing. */
UNIT_TEST(replay_names_records_that_are_left_out)
{
	static const struct {
		uint32_t type;
		size_t words;
	} records[] = {{8, 4}, {11, 3}, {11, 3}, {12, 1}, {21, 1}, {21, 1}, {21, 1}, {20, 3}};

	add_faults();
	for (size_t i = 0; i < COUNT_OF(records); i++)
		add_of_type(records[i].type, records[i].words);
	open_file();
	while (play())
		;
	assert_remarks("2 AUX records left out: trace data is not decoded; 1 ITRACE_START record"
		       " left out; 3 AUX_OUTPUT_HW_ID records left out; 1 READ record left out:"
		       " what threads had counted when they ended (perf report -T shows it)");
}

static void add_cgroup(uint64_t id, const char path[static 16])
{
	uint64_t words[] = {19 | UINT64_C(64) << 48, id, 0, 0, 0, 0, 0, fake.ids[0][0]};

	memcpy(&words[2], path, 16);
	fake_bytes(0, words, sizeof(words), 0);
}

static void add_sample_in(uint64_t cgroup, uint64_t time, uint32_t tid)
{
	const uint64_t words[] = {
		9 | UINT64_C(48) << 48, fake.ids[0][0], tid | (uint64_t)tid << 32, time, 0, cgroup};

	fake_bytes(0, words, sizeof(words), time);
}

static void add_namespaces(uint32_t tid, uint64_t net, uint64_t uts)
{
	const uint64_t words[] = {16 | UINT64_C(96) << 48,
				  tid | (uint64_t)tid << 32,
				  2,
				  3,
				  net,
				  3,
				  uts,
				  tid | (uint64_t)tid << 32,
				  100 * MS,
				  0,
				  fake.ids[0][0],
				  0};

	fake_bytes(0, words, sizeof(words), 100 * MS);
}

static void assert_namespaces(int32_t tid, const char *expected)
{
	struct strbuf words = {0};

	replay_add_namespaces(stage.source, tid, &words);
	assert_string_equal(strbuf_text(&words), expected);
	strbuf_fini(&words);
}

/* They are known by what process 1 has; the last word of a task holds. */
UNIT_TEST(replay_knows_namespaces_that_are_not_those_of_the_first)
{
	add_faults();
	add_namespaces(7, 61, 62);
	add_namespaces(1, 51, 52);
	add_namespaces(8, 51, 52);
	add_namespaces(9, 61, 62);
	add_namespaces(9, 0, 72);
	open_file();
	while (play())
		;
	assert_namespaces(1, "");
	assert_namespaces(7, "net 61, uts 62");
	assert_namespaces(8, "");
	assert_namespaces(9, "uts 72");
	assert_namespaces(10, "");
}

/* A task's cgroup is what its last sample says; of a path that was never said nothing is known. */
UNIT_TEST(replay_shows_the_cgroups_of_samples)
{
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS | HAS_CGROUP)->period = 1;
	add_cgroup(5, "/shop.slice\0\0\0\0");
	add_cgroup(6, "/\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
	add_sample_in(5, 100 * MS, 7);
	add_sample_in(6, 110 * MS, 8);
	add_sample_in(9, 120 * MS, 9);
	add_sample_in(6, 130 * MS, 10);
	add_sample_in(5, 140 * MS, 10);
	open_file();
	play();
	assert_string_equal(find_task(stage.snapshot, 7)->cgroup, "/shop.slice");
	assert_string_equal(find_task(stage.snapshot, 8)->cgroup, "/");
	assert_null(find_task(stage.snapshot, 9)->cgroup);
	assert_string_equal(find_task(stage.snapshot, 10)->cgroup, "/shop.slice");
}

UNIT_TEST(replay_names_without_a_time_are_of_what_ran_already)
{
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS)->period = 1;
	fake_comm(0, MADE(.tid = 7, .name = "old"));
	fake_comm(0, MADE(.tid = 9, .name = "asleep"));
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7));
	open_file();
	play();
	assert_string_equal(find_task(stage.snapshot, 7)->name, "old");
	assert_false(find_task(stage.snapshot, 7)->is_new);
	assert_string_equal(find_task(stage.snapshot, 9)->name, "asleep");
	assert_false(find_task(stage.snapshot, 9)->has_run);
}

UNIT_TEST(replay_rounds_put_cpus_in_order)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_switch(line, true, true, MADE(.time = 160 * MS, .tid = 7, .other = 0));
	fake_switch(line, false, true, MADE(.time = 90 * MS, .tid = 9, .other = 8, .cpu = 1));
	fake_round();
	fake_switch(line, true, true, MADE(.time = 150 * MS, .tid = 9, .other = 0, .cpu = 1));
	fake_round();
	open_file();
	assert_int_equal(stage.source->tick_ns, 90 * MS);
	play();
	assert_int_equal(task_count(stage.snapshot, 7, QUANTITY_RUN_NS), 60 * MS);
	assert_int_equal(task_count(stage.snapshot, 9, QUANTITY_RUN_NS), 60 * MS);
	assert_int_equal(stage.snapshot->lost_records, 0);
}

/* Rounds that perf has ended too early: a file can wait for one more, a pipe is delivered at once.
 */
static void put_broken_rounds(void)
{
	const size_t line = add_timeline(OF_CPUS);

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_round();
	fake_switch(line, true, true, MADE(.time = 160 * MS, .tid = 7, .other = 0));
	fake_round();
	fake_switch(line, false, true, MADE(.time = 90 * MS, .tid = 9, .other = 8, .cpu = 1));
	fake_switch(line, true, true, MADE(.time = 150 * MS, .tid = 9, .other = 0, .cpu = 1));
	fake_round();
}

UNIT_TEST(replay_rounds_that_end_too_early_are_waited_for_in_a_file)
{
	put_broken_rounds();
	open_file();
	assert_int_equal(stage.source->tick_ns, 90 * MS);
	play();
	assert_int_equal(task_count(stage.snapshot, 9, QUANTITY_RUN_NS), 60 * MS);
	assert_remarks("");
}

UNIT_TEST(replay_rounds_that_end_too_early_are_remarked_in_a_pipe)
{
	put_broken_rounds();
	fake.info.is_pipe = true;
	open_file();
	assert_int_equal(stage.source->tick_ns, 100 * MS);
	play();
	assert_remarks("1 record came too late to be put in order");
}

UNIT_TEST(replay_events_of_one_name_get_different_names)
{
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS)->period = 1;
	fake_event("page-faults:u", PAGE_FAULTS, OF_CPUS)->period = 1;
	fake_event("page-faults", PAGE_FAULTS, OF_CPUS)->period = 1;
	fake.events[1].exclude_kernel = true;
	fake_sample(0, MADE(.time = 100 * MS, .tid = 7));
	open_file();
	assert_int_equal(stage.source->layout.event_count, 3);
	assert_string_equal(stage.source->layout.events[0].name, "page-faults");
	assert_string_equal(stage.source->layout.events[1].name, "page-faults:u");
	assert_string_equal(stage.source->layout.events[2].name, "page-faults#2");
}

UNIT_TEST(replay_rewind_delivers_the_same_again)
{
	add_faults();
	fake_sample(0, MADE(.time = 1500 * MS, .tid = 7));
	open_file();
	while (play()) {
	}
	assert_true(replay_rewind(stage.source, NULL));
	model_destroy(stage.model);
	stage.model = model_create(&stage.source->layout);
	source_tick(stage.source);
	feed_all();
	model_start(stage.model, stage.source->tick_ns);
	assert_int_equal(stage.source->tick_ns, 100 * MS);
	assert_true(play());
	assert_int_equal(stage.source->tick_ns, 1100 * MS);
	assert_int_equal(task_count(stage.snapshot, 7, place_of("page-faults")), 1);
}

UNIT_TEST(replay_overview_counts_switches_by_time)
{
	const size_t line = add_timeline(OF_CPUS);
	uint64_t parts[2];

	fake_switch(line, false, true, MADE(.time = 100 * MS, .tid = 7, .other = 8));
	fake_switch(line, true, true, MADE(.time = 110 * MS, .tid = 7, .other = 8));
	fake_switch(line, true, true, MADE(.time = 900 * MS, .tid = 7, .other = 8));
	open_file();
	assert_true(replay_overview(stage.source, parts, 2));
	assert_int_equal(parts[0], 2);
	assert_int_equal(parts[1], 1);
	assert_int_equal(replay_position(stage.source).last_ns, 900 * MS);
}

/* To open a pipe again would wait for a writer that never comes. */
UNIT_TEST(replay_overview_of_what_came_through_a_pipe_is_unknown)
{
	const size_t line = add_timeline(OF_CPUS);
	uint64_t parts[2];

	fake_switch(line, true, true, MADE(.time = 110 * MS, .tid = 7, .other = 8));
	fake.info.is_spooled = true;
	open_file();

	assert_false(replay_overview(stage.source, parts, 2));
}

UNIT_TEST(replay_without_a_wall_clock_has_no_time_of_day)
{
	add_faults();
	open_file();
	assert_true((int64_t)stage.source->tick_ns + stage.source->session.wall_offset_ns < 0);
	close_file();
	fake.info.has_wall = true;
	fake.info.wall_offset_ns = 5;
	open_file();
	assert_int_equal(stage.source->session.wall_offset_ns, 5);
}

UNIT_MAIN(fake_clear, tear_down)
