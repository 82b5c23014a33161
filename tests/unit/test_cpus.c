/* The machine as one stream: merging, hotplug, turns, and what happens when descriptors run out. */

#include <errno.h>

#include "source/cpus/cpu_stream.h"
#include "source/cpus/cpus.h"

#include "fake_machine.h"
#include "source_kit.h"
#include "unit.h"

static int set_up(void **state)
{
	machine_reset("0-2");
	host = (struct host){
		.page_bytes = FAKE_PAGE,
		.memory_bytes = 1ull << 30,
		.paranoid = 2,
		.mlock_kb = 516,
		.fd_limit_soft = 4096,
		.cpu_pmu = "cpu",
	};
	assert_true(number_list_parse(&host.online, "0-2", 1024));
	return kit_set_up(state, 1000000);
}

static struct number_list only; /* CPUs; the source borrows them */

static int end(void **state)
{
	tear_down(state);
	number_list_fini(&only);
	only = (struct number_list){0};
	return 0;
}

static int refuse_more_than(size_t counters, const struct group_request *request)
{
	size_t hardware = 0;

	for (size_t i = 0; i < request->count; i++)
		hardware += request->specs[i]->class == EVENT_CLASS_HARDWARE;
	return hardware > counters ? EINVAL : 0;
}

static int one_counter(const struct group_request *request)
{
	return refuse_more_than(1, request);
}

static int eight_counters(const struct group_request *request)
{
	return refuse_more_than(8, request);
}

static bool interrupts_isolated;

static bool try_create(const struct number_list *cpus, size_t event_count, struct error *error)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	const struct cpus_request request = {
		.host = &host,
		.features = &FAKE_FEATURES,
		.only = cpus,
		.interrupts_isolated = interrupts_isolated,
		.events = made_set(names, event_count),
	};
	struct error unasked = {0};

	if (fake.refuse_group == NULL)
		fake.refuse_group = one_counter;
	source = cpus_create(&request, error != NULL ? error : &unasked);
	return source != NULL;
}

/* One that watches all CPUs, and has not begun. */
static void create_with(size_t event_count)
{
	assert_true(try_create(NULL, event_count, NULL));
}

/* One that watches these CPUs. */
static void create_only(const char *cpus)
{

	assert_true(number_list_parse(&only, cpus, 1024));
	assert_true(try_create(&only, 1, NULL));
	number_list_fini(&only);
}

static void begin(size_t event_count)
{
	create_with(event_count);
	assert_true(source_begin(source, NULL));
}

/* The leader of a CPU's group `index`, of those that are open. */
static struct fake_event *leader(int cpu, size_t index)
{
	size_t found = 0;

	for (size_t i = 0; i < fake.count; i++) {
		struct fake_event *event = &fake.events[i];

		if (event->is_open && event->cpu == cpu && event->members > 0 && found++ == index)
			return event;
	}
	return NULL;
}

static size_t ring_bytes(int cpu)
{
	return fake_event(leader(cpu, 0)->output)->ring_bytes;
}

static void put_sample_of(struct fake_event *event, size_t members, uint64_t sequence,
			  uint64_t time)
{
	const struct fake_told told = {.time = time, .tid = 7, .cpu = (uint32_t)event->cpu};
	struct fake_record record =
		fake_sample(&told, (uint64_t)event->fd * 10, members, sequence, sequence);

	const struct fake_record out = fake_switch(&told, true, 8);

	fake_put(event->fd, &record);
	fake_put(event->fd, &out);
}

/* A switch from 7 to 8. */
static void put_sample(int cpu, uint64_t sequence, uint64_t time)
{
	put_sample_of(leader(cpu, 0), 1, sequence, time);
}

/* What read(2) will find; the clock moves with the sequence. */
static void set_reading(int cpu, uint64_t sequence)
{
	struct fake_event *event = leader(cpu, 0);

	event->reading.values[0] = sequence;
	event->reading.enabled_ns += 1000;
}

static void set_readings(uint64_t sequence)
{
	for (int cpu = 0; cpu < 3; cpu++)
		set_reading(cpu, sequence);
}

/* "1s5" CPU 1, sample number 5; r: a read(2). */
static size_t describe(char *words, size_t size, const struct record *record)
{
	if (record->kind == RECORD_READING)
		return (size_t)snprintf(words, size, "%dr%llu ", record->cpu,
					(unsigned long long)record->reading.sequence);
	if (record->kind == RECORD_SWITCH && record->ctx_switch.reading_count > 0)
		return (size_t)snprintf(
			words, size, "%ds%llu ", record->cpu,
			(unsigned long long)record->ctx_switch.readings[0].sequence);
	return (size_t)snprintf(words, size, "%d %s, ", record->cpu,
				record_kind_name(record->kind));
}

UNIT_TEST(cpus_ring_bytes_follows_memory_and_cpus)
{
	static const struct {
		uint64_t memory_bytes;
		size_t cpus, ring_bytes;
	} cases[] = {
		{1ull << 40, 2, 16 << 20},  /* never above 16 MiB each */
		{1ull << 40, 64, 8 << 20},  /* 512 MiB in all */
		{1ull << 40, 65, 4 << 20},  /* 512 MiB / 65, as a power of two */
		{1ull << 40, 512, 1 << 20}, /* 512 MiB in all */
		{16ull << 30, 4, 16 << 20},
		{16ull << 30, 64, 4 << 20}, /* 1/64 of 16 GiB is 256 MiB */
		{1ull << 30, 2, 8 << 20},
		{1ull << 30, 4, 4 << 20},
		{64ull << 20, 16, 64 << 10}, /* 1 MiB in all */
		{64ull << 20, 64, 64 << 10}, /* never below 64 KiB */
		{0, 1, 64 << 10},            /* unknown */
		{1ull << 30, 0, 16 << 20},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct host of_case = {
			.memory_bytes = cases[i].memory_bytes,
			.has_cap_ipc_lock = true,
		};

		assert_int_equal(cpus_ring_bytes(&of_case, cases[i].cpus), cases[i].ring_bytes);
	}
}

UNIT_TEST(cpus_ring_bytes_divides_what_may_be_locked)
{
	static const struct {
		uint64_t memlock_bytes;
		int64_t mlock_kb;
		int paranoid;
		size_t cpus, ring_bytes;
	} cases[] = {
		{8 << 20, 516, 2, 4, 1 << 20}, /* 5 of 10 MiB, a page of each is metadata */
		{8 << 20, 516, 2, 64, 256 << 10},
		{64 << 10, 516, 2, 4, 256 << 10}, /* 256 KiB and a page for each */
		{64 << 10, 512, 2, 4, 256 << 10},
		{0, 512, 2, 4, 128 << 10}, /* without a page for it */
		{0, 16, 2, 4, 64 << 10},   /* too little: the kernel will say so */
		{8 << 20, 516, -1, 4, 16 << 20},
		{UINT64_MAX, 516, 2, 4, 16 << 20},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct host of_case = {
			.online.count = cases[i].cpus,
			.paranoid = cases[i].paranoid,
			.mlock_kb = cases[i].mlock_kb,
			.memlock_limit_bytes = cases[i].memlock_bytes,
			.memory_bytes = 1ull << 40,
			.page_bytes = 4096,
		};

		assert_int_equal(cpus_ring_bytes(&of_case, cases[i].cpus), cases[i].ring_bytes);
	}
}

/* Another program of the user has taken its part. */
UNIT_TEST(cpus_create_every_cpu_has_a_ring_of_what_is_left)
{
	host.has_cap_ipc_lock = true;
	fake.rings_most = 1 << 20;
	begin(1);

	for (int cpu = 0; cpu < 3; cpu++)
		assert_int_equal(ring_bytes(cpu), 256 << 10);
}

UNIT_TEST(cpus_create_opens_every_cpu_and_describes_itself)
{
	begin(1);

	for (int cpu = 0; cpu < 3; cpu++) {
		assert_non_null(leader(cpu, 0));
		assert_true(leader(cpu, 0)->is_enabled);
	}
	assert_int_equal(source->session.scope, SCOPE_SYSTEM);
	assert_int_equal(source->session.cpu_count, 3);
	assert_string_equal(source->session.scope_words, "whole machine");
	assert_string_equal(source->session.scope_reason, "");
	assert_true(source->session.is_live);
	assert_false(source->session.has_pmu);
	assert_int_equal(source->layout.event_count, 1);
	assert_false(source_is_finished(source));
}

static int refuse_tracepoints(const struct group_request *request)
{
	return request->target.leader == GROUP_LEADER_TRACEPOINT ? EACCES : 0;
}

/* Its tids are those of the first pid namespace. */
UNIT_TEST(cpus_create_sched_switch_leads_where_it_may)
{
	static const struct {
		bool is_there, in_namespace;
		int (*refuse)(const struct group_request *request);
		enum group_leader leader;
	} cases[] = {
		{true, false, one_counter, GROUP_LEADER_TRACEPOINT},
		{false, false, one_counter, GROUP_LEADER_SWITCHES},
		{true, true, one_counter, GROUP_LEADER_SWITCHES},
		{true, false, refuse_tracepoints, GROUP_LEADER_SWITCHES},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		machine.has_sched_switch = cases[i].is_there;
		host.in_pid_namespace = cases[i].in_namespace;
		fake.refuse_group = cases[i].refuse;
		create_with(1);
		for (int cpu = 0; cpu < 3; cpu++)
			assert_int_equal(leader(cpu, 0)->leader, cases[i].leader);
		source_destroy(source);
		source = NULL;
		assert_int_equal(fake_open_count(), 0);
	}
}

UNIT_TEST(cpus_create_only_some_says_which)
{

	create_only("0,2,7");

	assert_string_equal(source->session.scope_words, "CPU 0,2");
	assert_null(leader(1, 0));
	assert_non_null(leader(2, 0));
	destroy();
}

static int denies_all(const struct group_request *request)
{
	return EACCES;
}

UNIT_TEST(cpus_create_refused_says_why)
{
	struct error error = {0};

	fake.refuse_group = denies_all;

	assert_false(try_create(NULL, 1, &error));
	assert_int_equal(error.code, ERROR_PERF_PARANOID);
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(cpus_create_no_cpu_online_fails)
{
	struct error error = {0};

	machine.online = "";

	assert_false(try_create(NULL, 1, &error));
	assert_string_equal(error.text, "CPUs: none of them is online");
}

static int no_descriptors_from_cpu_2(const struct group_request *request)
{
	return request->target.cpu >= 2 ? EMFILE : 0;
}

static int no_descriptors_from_cpu_32(const struct group_request *request)
{
	return request->target.cpu >= 32 ? EMFILE : 0;
}

UNIT_TEST(cpus_create_descriptors_run_out_watches_fewer_and_says_so)
{
	machine.online = "0-63";
	fake.refuse_group = no_descriptors_from_cpu_32;
	create_with(1);

	assert_int_equal(source->session.cpu_count, 32);
	assert_int_equal(fake_open_count(), 32 * 3);
	assert_string_equal(source->session.scope_words, "CPU 0-31");
	assert_string_equal(source->session.scope_reason,
			    "counters: 4096 file descriptors are too few");
	assert_non_null(strstr(source->session.scope_remedy, "ulimit -Hn"));
}

/* It goes when it is to be opened. */
static int cpu_1_goes(const struct group_request *request)
{
	if (request->target.cpu != 1)
		return 0;
	machine.online = "0,2";
	return ENODEV;
}

static int cpu_1_is_broken(const struct group_request *request)
{
	return request->target.cpu == 1 ? ENODEV : 0;
}

UNIT_TEST(cpus_create_cpu_that_just_went_is_left_out)
{
	fake.refuse_group = cpu_1_goes;
	create_with(1);

	assert_int_equal(source->session.cpu_count, 2);
}

UNIT_TEST(cpus_create_cpu_that_is_there_but_refused_fails)
{
	struct error error = {0};

	fake.refuse_group = cpu_1_is_broken;

	assert_false(try_create(NULL, 1, &error));
	assert_int_not_equal(error.code, ERROR_NONE);
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(cpus_create_smaller_rings_are_settled_for_once)
{
	fake.ring_most = 128 * 1024;
	create_with(1);
	assert_int_equal(ring_bytes(0), CPU_STREAM_RING_MIN);
	assert_true(source_begin(source, NULL));

	assert_int_equal(ring_bytes(0), 128 * 1024);
	assert_int_equal(ring_bytes(2), 128 * 1024);
}

/* What was stamped while the rings were looked at, of a task that went from CPU 2 to CPU 0. */
UNIT_TEST(cpus_next_later_than_the_round_is_told_in_the_next_one)
{
	begin(1);
	put_sample(0, 1, 4000);
	put_sample(0, 2, 5001);
	put_sample(1, 1, 5000);
	fake.now_ns = 5000;
	assert_string_equal(drained(), "0s1 1s1 ");
	put_sample(2, 1, 5000);
	fake.now_ns = 6000;

	assert_string_equal(drained(), "2s1 0s2 ");
}

UNIT_TEST(cpus_drain_cpu_that_came_makes_absences_doubtful_until_the_tick)
{
	machine.online = "0,2";
	begin(1);
	assert_string_equal(drained(), "");
	machine.online = "0-2";
	put_sample(0, 1, 100);

	assert_string_equal(drained(), "-1 lost, 0s1 ");
	assert_string_equal(drained(), "-1 lost, ");
	set_reading(0, 1);
	set_reading(2, 0);
	ticked();
	assert_memory_equal(text, "1 cpu online, ", 14);
	assert_string_equal(drained(), "");
}

UNIT_TEST(cpus_next_settles_up_to_the_begin_of_the_round)
{
	struct record record;

	begin(1);
	put_sample(1, 1, 100);
	fake.now_ns = 5000;
	source_drain(source);
	fake.now_ns = 6000;
	assert_true(source_next(source, &record));
	assert_true(source->settled_ns < 5000); /* not all is delivered yet */
	take();
	assert_int_equal(source->settled_ns, 5000);
	set_readings(1);
	ticked();
	assert_int_equal(source->settled_ns, 6000);
	assert_int_equal(source->tick_ns, 6000);
	fake.now_ns = 4000;
	drained();

	assert_int_equal(source->settled_ns, 6000);
}

/* Of CPU 1: nearly full of samples from sequence 1 on. */
static void fill_ring(void)
{
	const size_t bytes = 14 * 8;

	for (uint64_t i = 1; i * bytes + 4096 < ring_bytes(1) + bytes; i++)
		put_sample(1, i, 100 + i);
}

static size_t losses(void)
{
	struct record record;
	size_t count = 0;

	while (source_next(source, &record)) {
		count += record.kind == RECORD_LOST;
		if (record.kind == RECORD_LOST) {
			assert_int_equal(record.cpu, RECORD_CPU_NONE);
			assert_int_equal(record.lost, 0);
			assert_true(record.time_ns >= 5000);
		}
	}
	return count;
}

UNIT_TEST(cpus_next_full_ring_makes_absences_doubtful)
{
	struct record record;

	fake.ring_most = CPU_STREAM_RING_MIN;
	begin(1);
	fill_ring();
	fake.now_ns = 5000;
	source_drain(source);

	assert_true(source_next(source, &record));
	assert_int_equal(record.kind, RECORD_LOST);
	assert_int_equal(losses(), 0);
	fake.now_ns = 6000;
	source_drain(source);
	assert_int_equal(losses(), 1); /* it was full up to the end of the round */
	source_drain(source);
	assert_int_equal(losses(), 0);
}

UNIT_TEST(cpus_drain_backlog_is_the_fullest_ring)
{
	double fill;

	begin(1);
	drained();
	assert_true(source->backlog == 0);
	for (uint64_t i = 1; i <= 5; i++)
		put_sample(1, i, 100 + i);
	put_sample(2, 1, 100);
	drained();
	/* header, id, task, time, count, two times, two values with id and loss; and a switch */
	fill = 5 * (13 + 5) * 8.0 / (double)ring_bytes(1);

	assert_true(source->backlog > fill * 0.99 && source->backlog < fill * 1.01);
	set_readings(5);
	ticked();
	assert_true(source->backlog == 0);
}

UNIT_TEST(cpus_create_not_all_cpus_is_partial)
{

	begin(1);
	assert_false(source->session.is_partial);
	destroy();
	create_only("0,2");
	assert_true(source->session.is_partial);
	destroy();
	create_only("0-2");
	assert_false(source->session.is_partial);
	destroy();
	fake.refuse_group = no_descriptors_from_cpu_2;
	create_with(1);
	assert_true(source->session.is_partial);
}

UNIT_TEST(cpus_create_in_a_pid_namespace_says_what_idle_is)
{
	host.in_pid_namespace = true;
	begin(1);

	assert_true(source->session.idle_is_shared);
	assert_string_equal(session_idle_name(&source->session), "idle/outside");
	assert_string_equal(source->session.scope_words, "tasks of this pid namespace");
	assert_non_null(strstr(source->session.scope_reason, "pid 0"));
}

UNIT_TEST(cpus_tick_partial_follows_the_cpus_that_come)
{

	machine.online = "0-1";
	create_only("0-1");
	assert_true(source_begin(source, NULL));
	assert_false(source->session.is_partial);
	machine.online = "0-2";
	for (int cpu = 0; cpu < 2; cpu++)
		set_reading(cpu, 1);
	ticked();

	assert_true(source->session.is_partial);
	destroy();
}

/* All of a round, as bits. */
static int kinds_told(void)
{
	struct record record;
	int kinds = 0;

	while (source_next(source, &record))
		kinds |= 1 << record.kind;
	return kinds;
}

UNIT_TEST(cpus_begin_visits_every_cpu)
{
	begin(1);

	assert_int_equal(machine.visited, 7);
}

static void tell_of_cpu_1(int cpu)
{
	if (cpu == 1)
		put_sample(cpu, 1, 100);
}

UNIT_TEST(cpus_begin_does_not_wait_for_a_cpu_that_has_told)
{
	fake.on_enable = tell_of_cpu_1;
	begin(1);

	assert_int_equal(machine.visited, 5);
}

/* CPU 0 tells who runs there, CPU 1 what it lost, CPU 2 nothing until after the round. */
UNIT_TEST(cpus_tick_visits_after_losses_who_is_silent)
{
	const struct fake_told came = {.time = 100, .tid = 7}, lost = {.time = 101, .cpu = 1};
	const struct fake_record coming = fake_switch(&came, false, 0),
				 losing = fake_lost(&lost, 5);

	begin(1);
	fake_put(leader(0, 0)->fd, &coming);
	fake_put(leader(1, 0)->fd, &losing);
	source_drain(source);
	assert_int_equal(kinds_told(), 1 << RECORD_SWITCH | 1 << RECORD_LOST);
	put_sample(2, 1, 200);
	machine.visited = 0;
	source_tick(source);
	assert_int_equal(machine.visited, 1 << 1);

	assert_int_equal(kinds_told(), 1 << RECORD_READING);
	machine.visited = 0;
	source_tick(source);
	assert_int_equal(machine.visited, 0);
}

/* Of the CPUs that are read, a bit for each; nobody is to be read without a reason. */
static unsigned reads;

static void note_read(struct fake_event *event)
{
	reads |= 1u << event->cpu;
}

static void isolate(const char *cpus)
{
	reads = 0;
	fake.before_read = note_read;
	number_list_fini(&host.isolated);
	assert_true(number_list_parse(&host.isolated, cpus, 100));
}

/* Who runs on an isolated CPU is asked of the kernel once. NULL: not on this one. */
static struct fake_event *glance(int cpu)
{
	for (size_t i = 0; i < fake.count; i++)
		if (fake.events[i].is_open && fake.events[i].config == FAKE_GLANCE &&
		    fake.events[i].cpu == cpu)
			return &fake.events[i];
	return NULL;
}

UNIT_TEST(cpus_begin_glances_at_isolated_cpus_and_visits_the_others)
{
	isolate("1");
	begin(1);

	assert_int_equal(machine.visited, 5);
	assert_true(glance(1) && glance(1)->is_enabled);
	assert_true(!glance(0) && !glance(2));
}

UNIT_TEST(cpus_tick_reads_isolated_cpus_at_the_start_only)
{
	isolate("1");
	begin(1);
	set_readings(0);
	fake.now_ns = 100;
	assert_string_equal(ticked(), "0r0 2r0 1r0 ");
	assert_int_equal(reads, 7);

	reads = 0;
	put_sample(1, 1, 150);
	put_sample(1, 2, 260);
	set_readings(0);
	fake.now_ns = 250;
	assert_string_equal(ticked(), "0r0 2r0 1s1 1 unread, ");
	assert_int_equal(reads, 5);
	set_readings(0);
	fake.now_ns = 300;
	assert_string_equal(drained(), "1s2 ");
	set_readings(0);
	fake.now_ns = 350;
	assert_string_equal(ticked(), "0r0 2r0 1 unread, ");
}

UNIT_TEST(cpus_tick_reads_isolated_cpus_where_that_is_asked_for)
{
	isolate("1");
	interrupts_isolated = true;
	begin(1);
	interrupts_isolated = false;
	assert_int_equal(machine.visited, 7);
	assert_null(glance(1));
	set_readings(0);
	assert_string_equal(ticked(), "0r0 1r0 2r0 ");
	reads = 0;
	set_readings(0);
	assert_string_equal(ticked(), "0r0 1r0 2r0 ");
	assert_int_equal(reads, 7);
	assert_string_equal(source->session.scope_reason, "");
}

/* A CPU that may be disturbed is there to try events on. */
UNIT_TEST(cpus_create_tries_events_where_it_disturbs_nobody)
{
	isolate("0-1");
	begin(1);

	assert_int_equal(fake.events[0].cpu, 2);
	assert_non_null(strstr(source->session.scope_reason, "CPU 0-1: isolated"));
	assert_non_null(strstr(source->session.scope_remedy, "--interrupt-isolated"));
}

UNIT_TEST(cpus_next_merges_cpus_by_time)
{
	begin(1);
	put_sample(0, 1, 100);
	put_sample(0, 2, 400);
	put_sample(0, 3, 500);
	put_sample(1, 1, 200);
	put_sample(1, 2, 600);
	put_sample(2, 1, 50);
	put_sample(2, 2, 300);

	assert_string_equal(drained(), "2s1 0s1 1s1 2s2 0s2 0s3 1s2 ");
	assert_string_equal(drained(), "");
}

UNIT_TEST(cpus_tick_ends_the_interval_at_each_reading)
{
	begin(1);
	set_readings(1);
	put_sample(0, 1, 100);
	put_sample(0, 2, 200);
	put_sample(1, 1, 150);
	put_sample(2, 1, 300);
	put_sample(2, 2, 310);
	fake.now_ns = 250;

	assert_string_equal(ticked(), "0s1 0r1 1s1 1r1 2s1 2r1 ");
	assert_int_equal(source->tick_ns, 250);
	fake.now_ns = 350;
	assert_string_equal(drained(), "0s2 2s2 ");
}

UNIT_TEST(cpus_tick_cpu_that_went_is_told_and_let_go)
{
	begin(1);
	set_readings(0);
	machine.online = "0,2";

	assert_string_equal(ticked(), "1 cpu offline, 0r0 2r0 ");
	assert_null(leader(1, 0));
	assert_int_equal(source->session.cpu_count, 2);
}

UNIT_TEST(cpus_tick_cpu_that_comes_is_watched)
{
	machine.online = "0,2";
	begin(1);
	set_reading(0, 0);
	set_reading(2, 0);
	machine.online = "0-2";
	machine.visited = 0;

	ticked();

	assert_memory_equal(text, "1 cpu online, ", 14);
	/* at its beginning and at the interval's end */
	assert_non_null(strstr(text, "1r0 1r0 "));
	assert_true(leader(1, 0)->is_enabled);
	assert_int_equal(machine.visited, 7);
	assert_int_equal(source->session.cpu_count, 3);
}

static int cpu_1_is_busy(const struct group_request *request)
{
	return request->target.cpu == 1 ? EBUSY : 0;
}

UNIT_TEST(cpus_tick_cpu_that_was_refused_is_tried_again)
{
	machine.online = "0,2";
	begin(1);
	fake.refuse_group = cpu_1_is_busy;
	machine.online = "0-2";
	for (int i = 0; i < 10; i++)
		ticked();

	assert_true(source->session.is_partial);
	assert_string_equal(source->session.scope_words, "CPU 0,2");
	assert_string_not_equal(source->session.scope_reason, "");

	fake.refuse_group = NULL;
	for (int i = 0; i < 33 && source->session.cpu_count < 3; i++)
		ticked();
	assert_non_null(strstr(text, "1 cpu online, "));
	assert_false(source->session.is_partial);
	assert_string_equal(source->session.scope_words, "whole machine");
	assert_string_equal(source->session.scope_reason, "");
}

UNIT_TEST(cpus_tick_cpu_that_was_away_between_ticks_is_opened_anew)
{
	int before;

	begin(1);
	set_readings(0);
	ticked();
	before = leader(1, 0)->fd;
	set_reading(0, 0);
	set_reading(2, 0);
	ticked(); /* the clock of CPU 1 stood still */
	set_reading(0, 0);
	set_reading(2, 0);

	ticked();

	assert_memory_equal(text, "1 cpu offline, 1 cpu online, ", 29);
	assert_non_null(strstr(text, "1r0 "));
	assert_int_not_equal(leader(1, 0)->fd, before);
}

UNIT_TEST(cpus_tick_unwanted_cpu_that_comes_is_left_alone)
{

	machine.online = "0";
	create_only("0");
	assert_true(source_begin(source, NULL));
	machine.online = "0-2";

	assert_string_equal(ticked(), "0r0 ");
	destroy();
}

UNIT_TEST(cpus_drain_timer_gives_the_next_group_its_turn)
{
	begin(3);
	assert_true(leader(1, 1)->is_enabled);
	drained();
	assert_true(leader(1, 1)->is_enabled);

	machine.timer_expired = true;
	drained();

	assert_false(leader(1, 1)->is_enabled);
	assert_true(leader(1, 2)->is_enabled);
	assert_true(leader(1, 0)->is_enabled);
}

/* Else who waits for the source would never rest again. */
UNIT_TEST(cpus_drain_timer_that_cannot_be_read_gives_turns_and_rests)
{
	begin(3);
	machine.timer_failure = -EIO;
	drained();

	assert_true(leader(1, 2)->is_enabled);
	assert_int_equal(machine.level_watched, 0);
}

UNIT_TEST(cpus_drain_timer_without_turns_reads_nothing)
{
	begin(1);
	machine.timer_expired = true;

	assert_string_equal(drained(), "");
}

UNIT_TEST(cpus_change_adds_an_event_on_every_cpu)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	begin(1);
	set_readings(1);
	ticked();
	assert_true(change_to(names, 2, NULL));

	assert_int_equal(source->layout.event_count, 2);
	assert_int_equal(source->layout.events[1].state, EVENT_COUNTING);
	for (int cpu = 0; cpu < 3; cpu++) {
		assert_int_equal(leader(cpu, 0)->members, 2);
		assert_true(leader(cpu, 0)->is_enabled);
	}
	assert_string_equal(drained(), "0 lost, 1 lost, 2 lost, 0r0 1r0 2r0 ");
}

UNIT_TEST(cpus_change_same_events_keeps_all_open)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	int clock;

	begin(3);
	clock = leader(0, 0)->fd;
	ticked();
	assert_true(change_to(names, 3, NULL));

	assert_int_equal(leader(0, 0)->fd, clock);
	assert_string_equal(drained(), "");
}

static int no_counter(const struct group_request *request)
{
	return request->count > 0 && request->specs[0]->class == EVENT_CLASS_HARDWARE ? ENOENT : 0;
}

UNIT_TEST(cpus_change_refused_event_is_there_with_its_reason)
{
	static const char *const names[] = {"page-faults", "cycles"};

	fake.refuse_group = no_counter;
	begin(1);
	assert_true(change_to(names, 2, NULL));

	assert_int_equal(source->layout.events[1].state, EVENT_UNSUPPORTED);
	assert_true(source->layout.events[1].reason[0] != '\0');
}

UNIT_TEST(cpus_change_descriptors_run_out_in_the_middle_changes_nothing)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	struct error error = {0};
	size_t open, width;

	begin(1);
	set_readings(1);
	ticked();
	open = fake_open_count();
	width = source->layout.width;
	fake.most_open = open + 5; /* for two CPUs of three */

	assert_false(change_to(names, 2, &error));
	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
	assert_int_equal(source->layout.event_count, 1);
	assert_int_equal(source->layout.width, width);
	set_readings(2);
	put_sample(0, 2, 100);
	assert_string_equal(ticked(), "1r2 2r2 0s2 0r2 ");
}

UNIT_TEST(cpus_change_cpu_that_just_went_keeps_nobody_from_changing)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	begin(1);
	set_readings(1);
	ticked();
	fake.refuse_group = cpu_1_goes;
	assert_true(change_to(names, 2, NULL));

	assert_string_equal(drained(), "1 cpu offline, 0 lost, 2 lost, -1 lost, 0r0 2r0 ");
	assert_null(leader(1, 0));
	fake.refuse_group = NULL;
	machine.online = "0-2";
	set_reading(0, 2);
	set_reading(2, 2);
	assert_memory_equal(ticked(), "1 cpu online, ", 14);
	assert_int_equal(leader(1, 0)->members, 2); /* with the changed plan */
}

static int cpu_0_is_off(const struct group_request *request)
{
	return request->target.cpu == 0 ? ENODEV : 0;
}

UNIT_TEST(cpus_change_tries_events_on_a_cpu_that_is_there)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	begin(1);
	set_readings(1);
	machine.online = "1-2";
	ticked();
	fake.refuse_group = cpu_0_is_off;
	assert_true(change_to(names, 2, NULL));

	assert_int_equal(source->layout.events[1].state, EVENT_COUNTING);
}

UNIT_TEST(cpus_change_hardware_is_tried_on_free_counters)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};

	begin(2);
	fake.most_open = fake_open_count() + 2;
	assert_true(leader(0, 0)->is_enabled);
	assert_false(change_to(names, 3, NULL));
	assert_true(leader(0, 0)->is_enabled); /* all the time: nothing was to run */
	assert_null(strstr(drained(), "0 lost, "));
	fake.most_open = 0;
	assert_true(change_to(names, 3, NULL));

	assert_true(leader(0, 1)->is_enabled);
	assert_false(leader(0, 2)->is_enabled);
	assert_int_equal(source->layout.events[1].state, EVENT_MULTIPLEXED);
	assert_string_equal(source->session.pmu_words, "cpu PMU, 1 counter");
}

/* Somebody else takes counters: at the end of the next interval the clock goes on without any. */
UNIT_TEST(cpus_tick_clock_yields_counters_that_others_take)
{
	begin(2);
	ticked();
	assert_int_equal(leader(1, 0)->members, 2);
	for (int cpu = 0; cpu < 3; cpu++)
		leader(cpu, 0)->reading.enabled_ns += 50000000;
	leader(0, 0)->reading.running_ns += 50000000;
	leader(2, 0)->reading.running_ns += 50000000;
	ticked();
	assert_int_equal(source->layout_changes, 0);
	set_readings(1);
	ticked();

	assert_int_equal(source->layout_changes, 1);
	for (int cpu = 0; cpu < 3; cpu++) {
		assert_int_equal(leader(cpu, 0)->members, 1);
		assert_true(leader(cpu, 0)->is_enabled);
		assert_int_equal(leader(cpu, 1)->members, 1);
		assert_true(leader(cpu, 1)->is_enabled);
	}
	assert_non_null(strstr(drained(), "0 lost, 1 lost, 2 lost, "));
	set_readings(1);
	ticked();
	assert_int_equal(source->layout_changes, 1);
}

/* Other events, which are ready by then, are tried with the clock's counters once more. */
UNIT_TEST(cpus_tick_prepared_clock_yields_no_counters)
{
	static const char *const names[] = {"page-faults", "instructions"};

	fake.refuse_group = eight_counters;
	begin(2);
	ticked();
	assert_true(source_prepare(source, made_set(names, 2), NULL));
	leader(1, 0)->reading.enabled_ns += 50000000;
	ticked();
	assert_true(change_to(names, 2, NULL));
	set_readings(1);
	ticked();
	assert_int_equal(source->layout_changes, 0);
	assert_int_equal(leader(1, 0)->members, 2);
}

/* When it was measured what a switch costs it is we who took them. */
UNIT_TEST(cpus_tick_clock_keeps_counters_that_a_measurement_took)
{
	fake.refuse_group = eight_counters;
	begin(2);
	assert_int_equal(fake.measured, 1);
	for (unsigned int i = 0; i < 3; i++) {
		leader(1, 0)->reading.enabled_ns += 50000000;
		ticked();
		assert_int_equal(source->layout_changes, i / 2);
	}
}

/* One clock goes off and the other one on at the tick, and each has its own switches. */
UNIT_TEST(cpus_prepare_clock_goes_on_without_a_gap)
{
	static const char *const names[] = {"page-faults"};

	begin(2);
	set_readings(1);
	ticked();
	assert_true(source_prepare(source, made_set(names, 1), NULL));
	put_sample_of(leader(0, 0), 2, 2, 2);
	set_readings(2);
	assert_true(leader(0, 0)->is_enabled);
	assert_false(leader(0, 1)->is_enabled);
	source_tick(source);
	assert_false(leader(0, 0)->is_enabled);
	assert_true(leader(0, 1)->is_enabled);
	put_sample_of(leader(0, 1), 1, 1, 3);
	leader(0, 1)->reading.values[0] = 1; /* which is not its first one */

	assert_string_equal(take(), "1r2 2r2 0s2 0r2 ");
	assert_true(source_change(source, made_set(names, 1), NULL));
	assert_int_equal(leader(0, 0)->members, 1);
	assert_null(leader(0, 1));
	assert_string_equal(drained(), "0 lost, 1 lost, 2 lost, 1r0 2r0 0r0 0s1 ");
}

UNIT_TEST(cpus_prepare_no_room_changes_nothing)
{
	static const char *const names[] = {"page-faults", "cycles"};

	begin(1);
	ticked();
	fake.most_open = fake_open_count() + 4;
	assert_false(source_prepare(source, made_set(names, 2), NULL));

	set_readings(1);
	assert_string_equal(ticked(), "0r1 1r1 2r1 ");
	assert_int_equal(leader(0, 0)->members, 1);
	assert_null(leader(0, 1));
}

UNIT_TEST(cpus_change_before_the_beginning_keeps_one_group_of_software)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};

	create_with(1);
	assert_true(change_to(names, 2, NULL));
	assert_true(change_to(names, 3, NULL));
	assert_true(source_begin(source, NULL));

	assert_int_equal(source->layout.group_count, 1);
	assert_int_equal(leader(2, 0)->members, 3);
	assert_true(leader(2, 0)->is_enabled);
}

/* CPUs 0 and 1 are cpu_core with two counters, 2 is cpu_atom with one. */
static int hybrid(const struct group_request *request)
{
	const bool is_atom = request->target.cpu >= 2;
	size_t hardware = 0;

	for (size_t i = 0; i < request->count; i++) {
		if (request->specs[i]->class != EVENT_CLASS_HARDWARE)
			continue;
		if (strcmp(request->specs[i]->pmu, is_atom ? "cpu_atom" : "cpu_core") != 0)
			return ENOENT;
		hardware++;
	}
	return hardware > (is_atom ? 1u : 2u) ? EINVAL : 0;
}

static void create_hybrid(const struct number_list *cpus, const char *const *names, size_t count)
{
	made.hybrid = true;
	const struct cpus_request request = {
		.host = &host,
		.features = &FAKE_FEATURES,
		.only = cpus,
		.core_pmus = MADE_CORES,
		.core_pmu_count = 2,
		.events = made_set(names, count),
	};

	fake.refuse_group = hybrid;
	source = cpus_create(&request, NULL);
	assert_non_null(source);
}

UNIT_TEST(cpus_create_hybrid_gives_each_cpu_the_groups_of_its_kind)
{
	static const char *const names[] = {"cycles", "instructions", "page-faults"};

	create_hybrid(NULL, names, 3);
	assert_true(source_begin(source, NULL));

	assert_int_equal(source->layout.kind_count, 2);
	assert_int_equal(leader(0, 1)->members, 2);
	assert_null(leader(0, 2));
	assert_int_equal(leader(2, 1)->members, 1);
	assert_int_equal(leader(2, 2)->members, 1);
	assert_true(leader(2, 1)->is_enabled);
	assert_false(leader(2, 2)->is_enabled);
	assert_string_equal(source->session.pmu_words,
			    "cpu_atom PMU, 1 counter; cpu_core PMU, 2 counters");
}

UNIT_TEST(cpus_create_hybrid_readings_have_the_groups_of_their_kind)
{
	static const char *const names[] = {"page-faults"};
	struct record record;

	create_hybrid(NULL, names, 1);
	assert_true(source_begin(source, NULL));
	put_sample(2, 1, 100);
	put_sample(0, 1, 200);
	source_drain(source);

	assert_true(source_next(source, &record));
	assert_int_equal(record.ctx_switch.readings[0].group, source->layout.kinds[0].clock);
	assert_true(source_next(source, &record));
	assert_int_equal(record.ctx_switch.readings[0].group, source->layout.kinds[1].clock);
	assert_int_equal(source->layout.groups[record.ctx_switch.readings[0].group].kind, 1);
}

UNIT_TEST(cpus_create_hybrid_of_one_kind_only_has_no_other)
{
	static const char *const names[] = {"cycles", "page-faults"};

	assert_true(number_list_parse(&only, "0,1", 100));
	create_hybrid(&only, names, 2);

	assert_int_equal(source->layout.kind_count, 1);
	assert_string_equal(source->layout.kinds[0].name, "cpu_core");
	assert_int_equal(source->layout.events[0].state, EVENT_COUNTING);
	assert_string_equal(source->layout.events[0].reason, "");
	destroy();
}

UNIT_TEST(cpus_change_hybrid_adds_on_both_kinds)
{
	static const char *const names[] = {"page-faults", "cycles"};

	create_hybrid(NULL, names, 1);
	assert_true(source_begin(source, NULL));
	assert_true(change_to(names, 2, NULL));

	assert_true(leader(0, 1)->is_enabled);
	assert_true(leader(2, 1)->is_enabled);
	assert_int_equal(source->layout.counter_count, 4);
}

/* --- what it costs the watched */

static const struct switch_time_result MEASURED = {
	.state = SWITCH_TIME_MEASURED,
	.added_ns = {0, 900.7, 300, 0},
};

UNIT_TEST(cpus_tick_says_what_a_switch_costs)
{
	fake.switch_time = MEASURED;
	begin(2);
	assert_int_equal(source->switch_ns, 0); /* of no interval yet */

	ticked();

	assert_int_equal(source->switch_ns, 1200);
	assert_string_equal(source->session.cost_reason, "");
	assert_int_equal(fake.measured, 1);
	assert_in_range(fake.measured_cpu, 0, 2);
}

/* They are there on all three CPUs at first, and then no more on one. */
UNIT_TEST(cpus_tick_cost_has_the_switch_records_that_are_written)
{
	machine.has_sched_switch = true;
	host.is_virtual = true;
	fake.switch_time = MEASURED;
	fake.switch_time.added_ns[3] = 600;
	begin(2);

	ticked();

	assert_int_equal(source->switch_ns, 1800);
}

UNIT_TEST(cpus_tick_cost_that_is_not_measured_has_a_reason)
{
	static const struct {
		enum switch_time_state state;
		const char *reason;
	} cases[] = {
		{SWITCH_TIME_NO_CPU, "not allowed to run on a counted CPU"},
		{SWITCH_TIME_REFUSED, "no free counters to measure with"},
		{SWITCH_TIME_LATE, "CPU too busy to measure"},
		{SWITCH_TIME_NOISE, "too small to measure"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake.switch_time.state = cases[i].state;
		begin(1);
		ticked();
		assert_int_equal(source->switch_ns, 0);
		assert_string_equal(source->session.cost_reason, cases[i].reason);
		destroy();
	}
}

/* Isolated CPUs are left alone, and there is no other. */
UNIT_TEST(cpus_begin_isolated_cpus_are_not_measured)
{
	assert_true(number_list_parse(&host.isolated, "0-63", 64));
	machine.online = "62-63"; /* we run on neither */
	fake.switch_time = MEASURED;
	fake.switch_time.state = SWITCH_TIME_NO_CPU;
	begin(1);

	assert_int_equal(fake.measured, 0);
	assert_string_equal(source->session.cost_reason, "not allowed to run on a counted CPU");
}

UNIT_TEST(cpus_change_cost_of_other_groups_is_that_of_their_size)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	static const struct {
		size_t count;
		uint64_t ns; /* two counters of the hardware took 300 */
	} cases[] = {{2, 1200}, {3, 1350}, {1, 900}, {2, 1200}};

	fake.switch_time = MEASURED;
	fake.refuse_group = eight_counters;
	begin(2);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		assert_true(change_to(names, cases[i].count, NULL));
		ticked();
		assert_int_equal(source->switch_ns, cases[i].ns);
	}
	assert_int_equal(fake.measured, 1);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(leader(cpu, 0)->is_enabled);
}

UNIT_TEST(cpus_change_before_the_beginning_measures_what_is_to_count)
{
	static const char *const names[] = {"page-faults", "cycles"};

	fake.switch_time = MEASURED;
	create_with(1);
	assert_true(change_to(names, 2, NULL));
	assert_int_equal(fake.measured, 2);
	assert_true(source_begin(source, NULL));
	ticked();

	assert_int_equal(source->switch_ns, 1200);
}

static bool measures_meanwhile;

static void note_measuring(int cpu)
{
	measures_meanwhile = measures_meanwhile || fake.is_measuring;
}

/* Its counters would be in the way; what is refused leaves it measured, too. */
UNIT_TEST(cpus_change_tries_events_while_nothing_is_measured)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};

	fake.switch_time = MEASURED;
	create_with(2);
	assert_true(fake.is_measuring);
	fake.on_enable = note_measuring;
	measures_meanwhile = false;
	fake.most_open = fake_open_count() + 2;
	assert_false(change_to(names, 3, NULL));
	assert_true(fake.is_measuring);
	fake.most_open = 0;
	assert_true(change_to(names, 3, NULL));
	assert_false(measures_meanwhile);
	assert_true(fake.is_measuring);
	fake.on_enable = NULL;
	assert_true(source_begin(source, NULL));
	ticked();

	assert_true(source->switch_ns > 0);
}

/* Windows in turn: how many of the next `count` hardware events are counted in. */
static int count_windows(int count)
{
	int counting = 0;

	for (int i = 0; i < count; i++) {
		fake.now_ns += 100000000;
		machine.timer_expired = true;
		drained();
		machine.timer_expired = false;
		counting += leader(1, 1)->is_enabled || (leader(1, 2) && leader(1, 2)->is_enabled);
		assert_true(leader(1, 0)->is_enabled);
	}
	return counting;
}

UNIT_TEST(cpus_limit_counts_hardware_for_a_share_of_the_windows)
{
	static const struct {
		double share;
		int counting; /* of 20 windows */
	} cases[] = {{1, 20}, {0.5, 10}, {0.25, 5}, {0.75, 15}, {0.01, 0}, {0, 0}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake.switch_time = MEASURED;
		begin(3);
		ticked();
		source_limit(source, cases[i].share);
		assert_int_equal(count_windows(20), cases[i].counting);
		destroy();
		machine_reset("0-2");
	}
}

/* Of the cost that is said, the part of the windows with counting is as large as they were. */
UNIT_TEST(cpus_tick_cost_is_that_of_the_windows)
{
	fake.switch_time = MEASURED; /* two groups 450 each, and a counter 300 */
	begin(3);
	ticked();
	assert_true(source->counting_share == 1);
	source_limit(source, 0.5);
	count_windows(20);
	ticked();

	/* of the first window's time the timer knows nothing: it went on from before */
	assert_true(source->counting_share > 0.45 && source->counting_share < 0.55);
	assert_in_range(source->switch_ns, 450 + 337, 450 + 412);
	assert_int_equal(source->turn_ns, 750);

	source_limit(source, 1);
	count_windows(10);
	ticked();
	assert_int_equal(count_windows(10), 10);
	ticked();
	assert_true(source->counting_share == 1);
	assert_int_equal(source->switch_ns, 1200);
}

/* The clock has the only hardware event: it goes on without, in a group of its own. */
UNIT_TEST(cpus_limit_parts_the_clock_from_the_hardware)
{
	fake.switch_time = MEASURED; /* a group 900, a counter 150 */
	begin(2);
	ticked();
	assert_int_equal(leader(0, 0)->members, 2);
	assert_int_equal(source->turn_ns, 0);

	source_limit(source, 0.5);
	set_readings(1);
	ticked();
	assert_int_equal(source->layout_changes, 1);
	for (int cpu = 0; cpu < 3; cpu++) {
		assert_int_equal(leader(cpu, 0)->members, 1);
		assert_true(leader(cpu, 0)->is_enabled);
		assert_true(leader(cpu, 1)->is_enabled);
	}

	set_readings(1);
	ticked();
	assert_int_equal(source->turn_ns, 1050);
	assert_int_equal(source->switch_ns, 1951);
	source_limit(source, 0.5);
	assert_int_equal(source->layout_changes, 1);
	assert_int_equal(fake.measured, 1);
}

/* Nothing can be kept where the cost is not known. */
UNIT_TEST(cpus_limit_what_cannot_be_measured_is_not_known)
{
	fake.switch_time.state = SWITCH_TIME_LATE;
	begin(2);
	source_limit(source, 1);
	ticked();
	ticked();
	assert_int_equal(source->switch_ns, 0);
	assert_int_equal(source->layout_changes, 0);
	assert_int_equal(fake.measured, 1);
}

UNIT_TEST(cpus_limit_without_hardware_events_changes_nothing)
{
	fake.switch_time = MEASURED;
	begin(1);
	ticked();
	source_limit(source, 0);
	fake.now_ns += 100000000;
	machine.timer_expired = true;
	assert_string_equal(drained(), "");
	ticked();

	assert_true(source->counting_share == 1);
	assert_int_equal(source->layout_changes, 0);
}

UNIT_TEST(cpus_attach_process_that_is_there_succeeds)
{
	begin(1);
	machine.owner = 0;

	assert_true(source_attach(source, 4711, NULL));
}

UNIT_TEST(cpus_attach_missing_process_is_refused)
{
	struct error error = {0};

	begin(1);
	machine.owner = -1;

	assert_false(source_attach(source, 4711, &error));
	assert_int_equal(error.code, ERROR_PROCESS_GONE);
	assert_string_equal(error.text, "4711: no such process");
}

UNIT_TEST(cpus_destroy_leaves_no_descriptor)
{
	uint64_t before;

	before = proc_own_descriptors();
	begin(1);
	assert_true(proc_own_descriptors() > before);
	destroy();

	assert_int_equal(proc_own_descriptors(), before);
}

int main(void)
{
	return unit_run(set_up, end);
}
