/* The machine as one stream: merging, hotplug, turns, and what happens when descriptors run out. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "base/list.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "source/cpus/cpu_stream.h"
#include "source/cpus/cpus.h"

#include "fake_kernel.h"
#include "fake_machine.h"
#include "made_events.h"

static struct host host;

static int set_up(void **state)
{
	fake_reset(state);
	made_reset();
	machine_reset("0-2");
	fake.now_ns = 1000000;
	host = (struct host){
		.page_bytes = FAKE_PAGE,
		.memory_bytes = 1ull << 30,
		.paranoid = 2,
		.mlock_kb = 516,
		.fd_limit_soft = 4096,
		.cpu_pmu = "cpu",
	};
	assert_true(number_list_parse(&host.online, "0-2", 1024));
	return 0;
}

static int tear_down(void **state)
{
	host_fini(&host);
	return fake_reset(state);
}

static int one_counter(const struct group_request *request)
{
	size_t hardware = 0;

	for (size_t i = 0; i < request->count; i++)
		hardware += request->specs[i].class == EVENT_CLASS_HARDWARE;
	return hardware > 1 ? EINVAL : 0;
}

static struct source *create_with(const struct number_list *only, size_t event_count,
				  struct error *error)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	const struct cpus_request request = {
		.host = &host,
		.features = &FAKE_FEATURES,
		.only = only,
		.events = made_request(names, event_count),
	};
	struct error unasked = {0};

	if (fake.refuse_group == NULL)
		fake.refuse_group = one_counter;
	return cpus_create(&request, error != NULL ? error : &unasked);
}

static struct source *create(void)
{
	struct source *source = create_with(NULL, 1, NULL);

	assert_non_null(source);
	assert_true(source_begin(source, NULL));
	return source;
}

static void destroy(struct source *source)
{
	source_destroy(source);
	assert_int_equal(fake_open_count(), 0);
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

static void put_sample(int cpu, uint64_t sequence, uint64_t time)
{
	const struct fake_told told = {.time = time, .tid = 7, .cpu = (uint32_t)cpu};
	struct fake_event *event = leader(cpu, 0);
	struct fake_record record =
		fake_sample(&told, (uint64_t)event->fd * 10, 1, sequence, sequence);

	fake_put(event->fd, &record);
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

/* All records of a round as words: "1s5" CPU 1, sample number 5; r: a read(2). */
static const char *take(struct source *source, char *text, size_t size)
{
	struct record record;
	size_t used = 0;

	text[0] = '\0';
	while (source_next(source, &record)) {
		if (record.kind == RECORD_READING)
			used += (size_t)snprintf(text + used, size - used, "%d%s%llu ", record.cpu,
						 record.reading.at_switch ? "s" : "r",
						 (unsigned long long)record.reading.sequence);
		else
			used += (size_t)snprintf(text + used, size - used, "%d %s, ", record.cpu,
						 record_kind_name(record.kind));
	}
	return text;
}

static const char *drained(struct source *source, char *text, size_t size)
{
	source_drain(source);
	return take(source, text, size);
}

static const char *ticked(struct source *source, char *text, size_t size)
{
	source_tick(source);
	return take(source, text, size);
}

static void cpus_ring_bytes_follows_memory_and_cpus(void **state)
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

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct host of_case = {
			.memory_bytes = cases[i].memory_bytes,
			.has_cap_ipc_lock = true,
		};

		assert_int_equal(cpus_ring_bytes(&of_case, cases[i].cpus), cases[i].ring_bytes);
	}
}

static void cpus_ring_bytes_divides_what_may_be_locked(void **state)
{
	static const struct {
		uint64_t memlock_bytes;
		int64_t mlock_kb;
		int paranoid;
		size_t cpus, ring_bytes;
	} cases[] = {
		{8 << 20, 516, 2, 4, 2 << 20}, /* 10 MiB in all, a page of each is metadata */
		{8 << 20, 516, 2, 64, 512 << 10},
		{64 << 10, 516, 2, 4, 512 << 10}, /* 512 KiB and a page for each */
		{64 << 10, 512, 2, 4, 512 << 10},
		{0, 512, 2, 4, 256 << 10}, /* without a page for it */
		{0, 16, 2, 4, 64 << 10},   /* too little: the kernel will say so */
		{8 << 20, 516, -1, 4, 16 << 20},
		{UINT64_MAX, 516, 2, 4, 16 << 20},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
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
static void cpus_create_every_cpu_has_a_ring_of_what_is_left(void **state)
{
	struct source *source;

	host.has_cap_ipc_lock = true;
	fake.rings_most = 1 << 20;
	source = create();

	for (int cpu = 0; cpu < 3; cpu++)
		assert_int_equal(leader(cpu, 0)->ring_bytes, 256 << 10);
	destroy(source);
}

static void cpus_create_opens_every_cpu_and_describes_itself(void **state)
{
	struct source *source;

	source = create();

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
	destroy(source);
}

static void cpus_create_only_some_says_which(void **state)
{
	struct number_list only;
	struct source *source;

	assert_true(number_list_parse(&only, "0,2,7", 100));
	source = create_with(&only, 1, NULL);
	assert_non_null(source);

	assert_string_equal(source->session.scope_words, "CPU 0,2");
	assert_null(leader(1, 0));
	assert_non_null(leader(2, 0));
	destroy(source);
	number_list_fini(&only);
}

static int denies_all(const struct group_request *request)
{
	return EACCES;
}

static void cpus_create_refused_says_why(void **state)
{
	struct error error = {0};

	fake.refuse_group = denies_all;

	assert_null(create_with(NULL, 1, &error));
	assert_int_equal(error.code, ERROR_PERF_PARANOID);
	assert_int_equal(fake_open_count(), 0);
}

static void cpus_create_no_cpu_online_fails(void **state)
{
	struct error error = {0};

	machine.online = "";

	assert_null(create_with(NULL, 1, &error));
	assert_string_equal(error.text, "CPUs: none of them is online");
}

static int no_descriptors_from_cpu_2(const struct group_request *request)
{
	return request->cpu >= 2 ? EMFILE : 0;
}

static int no_descriptors_from_cpu_32(const struct group_request *request)
{
	return request->cpu >= 32 ? EMFILE : 0;
}

static void cpus_create_descriptors_run_out_watches_fewer_and_says_so(void **state)
{
	struct source *source;

	machine.online = "0-63";
	fake.refuse_group = no_descriptors_from_cpu_32;
	source = create_with(NULL, 1, NULL);
	assert_non_null(source);

	/* 3 descriptors each; 9 CPUs give 27 back */
	assert_int_equal(source->session.cpu_count, 23);
	assert_int_equal(fake_open_count(), 69);
	assert_string_equal(source->session.scope_words, "CPU 0-22");
	assert_string_equal(source->session.scope_reason,
			    "counters: all 4096 file descriptors are used");
	assert_non_null(strstr(source->session.scope_remedy, "ulimit -Hn"));
	destroy(source);
}

static void cpus_create_descriptors_for_few_keeps_at_least_one(void **state)
{
	struct source *source;

	fake.refuse_group = no_descriptors_from_cpu_2;
	source = create_with(NULL, 1, NULL);
	assert_non_null(source);

	assert_int_equal(source->session.cpu_count, 1);
	assert_string_equal(source->session.scope_words, "CPU 0");
	destroy(source);
}

/* It goes when it is to be opened. */
static int cpu_1_goes(const struct group_request *request)
{
	if (request->cpu != 1)
		return 0;
	machine.online = "0,2";
	return ENODEV;
}

static int cpu_1_is_broken(const struct group_request *request)
{
	return request->cpu == 1 ? ENODEV : 0;
}

static void cpus_create_cpu_that_just_went_is_left_out(void **state)
{
	struct source *source;

	fake.refuse_group = cpu_1_goes;
	source = create_with(NULL, 1, NULL);
	assert_non_null(source);

	assert_int_equal(source->session.cpu_count, 2);
	destroy(source);
}

static void cpus_create_cpu_that_is_there_but_refused_fails(void **state)
{
	struct error error = {0};

	fake.refuse_group = cpu_1_is_broken;

	assert_null(create_with(NULL, 1, &error));
	assert_int_not_equal(error.code, ERROR_NONE);
	assert_int_equal(fake_open_count(), 0);
}

static void cpus_create_smaller_rings_are_settled_for_once(void **state)
{
	struct source *source;

	fake.ring_most = 128 * 1024;
	source = create();

	assert_int_equal(leader(0, 0)->ring_bytes, 128 * 1024);
	assert_int_equal(leader(2, 0)->ring_bytes, 128 * 1024);
	destroy(source);
}

/* What was stamped while the rings were looked at, of a task that went from CPU 2 to CPU 0. */
static void cpus_next_later_than_the_round_is_told_in_the_next_one(void **state)
{
	char text[256];
	struct source *source;

	source = create();
	put_sample(0, 1, 4000);
	put_sample(0, 2, 5001);
	put_sample(1, 1, 5000);
	fake.now_ns = 5000;
	assert_string_equal(drained(source, text, sizeof(text)), "0s1 1s1 ");
	put_sample(2, 1, 5000);
	fake.now_ns = 6000;

	assert_string_equal(drained(source, text, sizeof(text)), "2s1 0s2 ");
	destroy(source);
}

static void cpus_drain_cpu_that_came_makes_absences_doubtful_until_the_tick(void **state)
{
	char text[512];
	struct source *source;

	machine.online = "0,2";
	source = create();
	assert_string_equal(drained(source, text, sizeof(text)), "");
	machine.online = "0-2";
	put_sample(0, 1, 100);

	assert_string_equal(drained(source, text, sizeof(text)), "-1 lost, 0s1 ");
	assert_string_equal(drained(source, text, sizeof(text)), "-1 lost, ");
	set_reading(0, 1);
	set_reading(2, 0);
	ticked(source, text, sizeof(text));
	assert_memory_equal(text, "1 cpu online, ", 14);
	assert_string_equal(drained(source, text, sizeof(text)), "");
	destroy(source);
}

static void cpus_next_settles_up_to_the_begin_of_the_round(void **state)
{
	char text[256];
	struct source *source;
	struct record record;

	source = create();
	put_sample(1, 1, 100);
	fake.now_ns = 5000;
	source_drain(source);
	fake.now_ns = 6000;
	assert_true(source_next(source, &record));
	assert_true(source->settled_ns < 5000); /* not all is delivered yet */
	take(source, text, sizeof(text));
	assert_int_equal(source->settled_ns, 5000);
	set_readings(1);
	ticked(source, text, sizeof(text));
	assert_int_equal(source->settled_ns, 6000);
	assert_int_equal(source->tick_ns, 6000);
	fake.now_ns = 4000;
	drained(source, text, sizeof(text));

	assert_int_equal(source->settled_ns, 6000);
	destroy(source);
}

/* Of CPU 1: nearly full of samples from sequence 1 on. */
static void fill_ring(void)
{
	const size_t bytes = 14 * 8;

	for (uint64_t i = 1; i * bytes + 4096 < leader(1, 0)->ring_bytes + bytes; i++)
		put_sample(1, i, 100 + i);
}

static size_t losses(struct source *source)
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

static void cpus_next_full_ring_makes_absences_doubtful(void **state)
{
	struct source *source;
	struct record record;

	fake.ring_most = CPU_STREAM_RING_MIN;
	source = create();
	fill_ring();
	fake.now_ns = 5000;
	source_drain(source);

	assert_true(source_next(source, &record));
	assert_int_equal(record.kind, RECORD_LOST);
	assert_int_equal(losses(source), 0);
	fake.now_ns = 6000;
	source_drain(source);
	assert_int_equal(losses(source), 1); /* it was full up to the end of the round */
	source_drain(source);
	assert_int_equal(losses(source), 0);
	destroy(source);
}

static void cpus_drain_backlog_is_the_fullest_ring(void **state)
{
	char text[4096];
	struct source *source;
	double fill;

	source = create();
	drained(source, text, sizeof(text));
	assert_true(source->backlog == 0);
	for (uint64_t i = 1; i <= 5; i++)
		put_sample(1, i, 100 + i);
	put_sample(2, 1, 100);
	drained(source, text, sizeof(text));
	/* header, id, task, time, CPU, count, two times, two values with id and loss */
	fill = 5 * 14 * 8.0 / (double)leader(1, 0)->ring_bytes;

	assert_true(source->backlog > fill * 0.99 && source->backlog < fill * 1.01);
	set_readings(5);
	ticked(source, text, sizeof(text));
	assert_true(source->backlog == 0);
	destroy(source);
}

static void cpus_create_not_all_cpus_is_partial(void **state)
{
	struct number_list only = {0};
	struct source *source;

	source = create();
	assert_false(source->session.is_partial);
	destroy(source);
	assert_true(number_list_parse(&only, "0,2", 1024));
	source = create_with(&only, 1, NULL);
	assert_true(source->session.is_partial);
	destroy(source);
	number_list_fini(&only);
	assert_true(number_list_parse(&only, "0-2", 1024));
	source = create_with(&only, 1, NULL);
	assert_false(source->session.is_partial);
	destroy(source);
	number_list_fini(&only);
	fake.refuse_group = no_descriptors_from_cpu_2;
	source = create_with(NULL, 1, NULL);
	assert_true(source->session.is_partial);
	destroy(source);
}

static void cpus_create_in_a_pid_namespace_says_what_idle_is(void **state)
{
	struct source *source;

	host.in_pid_namespace = true;
	source = create();

	assert_true(source->session.idle_is_shared);
	assert_string_equal(session_idle_name(&source->session), "idle/outside");
	assert_string_equal(source->session.scope_words, "tasks of this pid namespace");
	assert_non_null(strstr(source->session.scope_reason, "pid 0"));
	destroy(source);
}

static void cpus_tick_partial_follows_the_cpus_that_come(void **state)
{
	struct number_list only = {0};
	char text[1024];
	struct source *source;

	machine.online = "0-1";
	assert_true(number_list_parse(&only, "0-1", 1024));
	source = create_with(&only, 1, NULL);
	assert_true(source_begin(source, NULL));
	assert_false(source->session.is_partial);
	machine.online = "0-2";
	for (int cpu = 0; cpu < 2; cpu++)
		set_reading(cpu, 1);
	ticked(source, text, sizeof(text));

	assert_true(source->session.is_partial);
	destroy(source);
	number_list_fini(&only);
}

/* All of a round, as bits. */
static int kinds_told(struct source *source)
{
	struct record record;
	int kinds = 0;

	while (source_next(source, &record))
		kinds |= 1 << record.kind;
	return kinds;
}

static void cpus_begin_visits_every_cpu(void **state)
{
	struct source *source;

	source = create();

	assert_int_equal(machine.visited, 7);
	destroy(source);
}

static void cpus_begin_does_not_wait_for_a_cpu_that_has_told(void **state)
{
	struct source *source;

	source = create_with(NULL, 1, NULL);
	put_sample(1, 1, 100);
	assert_true(source_begin(source, NULL));

	assert_int_equal(machine.visited, 5);
	destroy(source);
}

/* CPU 0 tells who runs there, CPU 1 what it lost, CPU 2 nothing until after the round. */
static void cpus_tick_visits_after_losses_who_is_silent(void **state)
{
	const struct fake_told came = {.time = 100, .tid = 7}, lost = {.time = 101, .cpu = 1};
	const struct fake_record coming = fake_switch(&came, false, 0),
				 losing = fake_lost(&lost, 5);
	struct source *source;

	source = create();
	fake_put(leader(0, 0)->fd, &coming);
	fake_put(leader(1, 0)->fd, &losing);
	source_drain(source);
	assert_int_equal(kinds_told(source), 1 << RECORD_SWITCH_IN | 1 << RECORD_LOST);
	put_sample(2, 1, 200);
	machine.visited = 0;
	source_tick(source);
	assert_int_equal(machine.visited, 1 << 1);

	assert_int_equal(kinds_told(source), 1 << RECORD_READING);
	machine.visited = 0;
	source_tick(source);
	assert_int_equal(machine.visited, 0);
	destroy(source);
}

static void cpus_begin_leaves_isolated_cpus_in_peace(void **state)
{
	struct source *source;

	assert_true(number_list_parse(&host.isolated, "1", 100));
	source = create();

	assert_int_equal(machine.visited, 5);
	destroy(source);
}

static void cpus_next_merges_cpus_by_time(void **state)
{
	char text[512];
	struct source *source;

	source = create();
	put_sample(0, 1, 100);
	put_sample(0, 2, 400);
	put_sample(0, 3, 500);
	put_sample(1, 1, 200);
	put_sample(1, 2, 600);
	put_sample(2, 1, 50);
	put_sample(2, 2, 300);

	assert_string_equal(drained(source, text, sizeof(text)), "2s1 0s1 1s1 2s2 0s2 0s3 1s2 ");
	assert_string_equal(drained(source, text, sizeof(text)), "");
	destroy(source);
}

static void cpus_tick_ends_the_interval_at_each_reading(void **state)
{
	char text[512];
	struct source *source;

	source = create();
	set_readings(1);
	put_sample(0, 1, 100);
	put_sample(0, 2, 200);
	put_sample(1, 1, 150);
	put_sample(2, 1, 300);
	put_sample(2, 2, 310);
	fake.now_ns = 250;

	assert_string_equal(ticked(source, text, sizeof(text)), "0s1 0r1 1s1 1r1 2s1 2r1 ");
	assert_int_equal(source->tick_ns, 250);
	fake.now_ns = 350;
	assert_string_equal(drained(source, text, sizeof(text)), "0s2 2s2 ");
	destroy(source);
}

static void cpus_tick_cpu_that_went_is_told_and_let_go(void **state)
{
	char text[512];
	struct source *source;

	source = create();
	set_readings(0);
	machine.online = "0,2";

	assert_string_equal(ticked(source, text, sizeof(text)), "1 cpu offline, 0r0 2r0 ");
	assert_null(leader(1, 0));
	assert_int_equal(source->session.cpu_count, 2);
	destroy(source);
}

static void cpus_tick_cpu_that_comes_is_watched(void **state)
{
	char text[512];
	struct source *source;

	machine.online = "0,2";
	source = create();
	set_reading(0, 0);
	set_reading(2, 0);
	machine.online = "0-2";
	machine.visited = 0;

	ticked(source, text, sizeof(text));

	assert_memory_equal(text, "1 cpu online, ", 14);
	assert_non_null(strstr(text, "1r0 "));
	assert_true(leader(1, 0)->is_enabled);
	assert_int_equal(machine.visited, 7);
	assert_int_equal(source->session.cpu_count, 3);
	destroy(source);
}

static int cpu_1_is_busy(const struct group_request *request)
{
	return request->cpu == 1 ? EBUSY : 0;
}

static void cpus_tick_cpu_that_was_refused_is_tried_again(void **state)
{
	char text[512];
	struct source *source;

	machine.online = "0,2";
	source = create();
	fake.refuse_group = cpu_1_is_busy;
	machine.online = "0-2";
	for (int i = 0; i < 10; i++)
		ticked(source, text, sizeof(text));

	assert_true(source->session.is_partial);
	assert_string_equal(source->session.scope_words, "CPU 0,2");
	assert_string_not_equal(source->session.scope_reason, "");

	fake.refuse_group = NULL;
	for (int i = 0; i < 33 && source->session.cpu_count < 3; i++)
		ticked(source, text, sizeof(text));
	assert_non_null(strstr(text, "1 cpu online, "));
	assert_false(source->session.is_partial);
	assert_string_equal(source->session.scope_words, "whole machine");
	assert_string_equal(source->session.scope_reason, "");
	destroy(source);
}

static void cpus_tick_cpu_that_was_away_between_ticks_is_opened_anew(void **state)
{
	char text[512];
	struct source *source;
	int before;

	source = create();
	set_readings(0);
	ticked(source, text, sizeof(text));
	before = leader(1, 0)->fd;
	set_reading(0, 0);
	set_reading(2, 0);
	ticked(source, text, sizeof(text)); /* the clock of CPU 1 stood still */
	set_reading(0, 0);
	set_reading(2, 0);

	ticked(source, text, sizeof(text));

	assert_memory_equal(text, "1 cpu offline, 1 cpu online, ", 29);
	assert_non_null(strstr(text, "1r0 "));
	assert_int_not_equal(leader(1, 0)->fd, before);
	destroy(source);
}

static void cpus_tick_unwanted_cpu_that_comes_is_left_alone(void **state)
{
	char text[512];
	struct number_list only;
	struct source *source;

	machine.online = "0";
	assert_true(number_list_parse(&only, "0", 100));
	source = create_with(&only, 1, NULL);
	assert_non_null(source);
	assert_true(source_begin(source, NULL));
	machine.online = "0-2";

	assert_string_equal(ticked(source, text, sizeof(text)), "0r0 ");
	destroy(source);
	number_list_fini(&only);
}

static void cpus_drain_timer_gives_the_next_group_its_turn(void **state)
{
	char text[512];
	struct source *source;

	source = create_with(NULL, 3, NULL);
	assert_non_null(source);
	assert_true(source_begin(source, NULL));
	assert_true(leader(1, 1)->is_enabled);
	drained(source, text, sizeof(text));
	assert_true(leader(1, 1)->is_enabled);

	machine.timer_expired = true;
	drained(source, text, sizeof(text));

	assert_false(leader(1, 1)->is_enabled);
	assert_true(leader(1, 2)->is_enabled);
	assert_true(leader(1, 0)->is_enabled);
	destroy(source);
}

static void cpus_drain_timer_without_turns_reads_nothing(void **state)
{
	char text[512];
	struct source *source;

	source = create();
	machine.timer_expired = true;

	assert_string_equal(drained(source, text, sizeof(text)), "");
	destroy(source);
}

static bool change_to(struct source *source, const char *const *names, size_t count,
		      struct error *error)
{
	return source_change(source, made_request(names, count), error);
}

static void cpus_change_adds_an_event_on_every_cpu(void **state)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	char text[512];
	struct source *source;

	source = create();
	set_readings(1);
	ticked(source, text, sizeof(text));
	assert_true(change_to(source, names, 2, NULL));

	assert_int_equal(source->layout.event_count, 2);
	assert_int_equal(source->layout.events[1].state, EVENT_COUNTING);
	for (int cpu = 0; cpu < 3; cpu++)
		assert_true(leader(cpu, 1)->is_enabled);
	assert_string_equal(drained(source, text, sizeof(text)), "0r0 2r0 1r0 ");
	destroy(source);
}

static void cpus_change_keeps_the_readings_in_their_groups(void **state)
{
	static const char *const names[] = {"page-faults", "cycles", "sw-a"};
	char text[512];
	struct source *source;
	uint64_t clock;

	source = create_with(NULL, 2, NULL);
	assert_true(source_begin(source, NULL));
	clock = (uint64_t)leader(0, 0)->fd;
	ticked(source, text, sizeof(text));
	assert_true(change_to(source, names, 3, NULL));
	put_sample(0, 9, 500);

	assert_int_equal(leader(0, 0)->fd, clock);
	assert_non_null(strstr(drained(source, text, sizeof(text)), "0s9 "));
	destroy(source);
}

static void cpus_change_refused_event_is_there_with_its_reason(void **state)
{
	static const char *const names[] = {"page-faults", "shared-a"};
	struct source *source;

	source = create();
	assert_true(change_to(source, names, 2, NULL));

	assert_int_equal(source->layout.events[1].state, EVENT_UNSUPPORTED);
	assert_true(source->layout.events[1].reason[0] != '\0');
	destroy(source);
}

static void cpus_change_descriptors_run_out_in_the_middle_changes_nothing(void **state)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	struct error error = {0};
	char text[512];
	struct source *source;
	size_t open, width;

	source = create();
	set_readings(1);
	ticked(source, text, sizeof(text));
	open = fake_open_count();
	width = source->layout.width;
	fake.most_open = open + 5; /* for two CPUs of three */

	assert_false(change_to(source, names, 2, &error));
	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
	assert_int_equal(source->layout.event_count, 1);
	assert_int_equal(source->layout.width, width);
	set_readings(2);
	put_sample(0, 2, 100);
	assert_string_equal(ticked(source, text, sizeof(text)), "1r2 2r2 0s2 0r2 ");
	destroy(source);
}

static void cpus_change_cpu_that_just_went_keeps_nobody_from_changing(void **state)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	char text[512];
	struct source *source;

	source = create();
	set_readings(1);
	ticked(source, text, sizeof(text));
	fake.refuse_group = cpu_1_goes;
	assert_true(change_to(source, names, 2, NULL));

	assert_string_equal(drained(source, text, sizeof(text)),
			    "1 cpu offline, -1 lost, 0r0 2r0 ");
	assert_null(leader(1, 0));
	fake.refuse_group = NULL;
	machine.online = "0-2";
	set_reading(0, 2);
	set_reading(2, 2);
	assert_memory_equal(ticked(source, text, sizeof(text)), "1 cpu online, ", 14);
	assert_non_null(leader(1, 1)); /* with the changed plan */
	destroy(source);
}

static int cpu_0_is_off(const struct group_request *request)
{
	return request->cpu == 0 ? ENODEV : 0;
}

static void cpus_change_tries_events_on_a_cpu_that_is_there(void **state)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	char text[512];
	struct source *source;

	source = create();
	set_readings(1);
	machine.online = "1-2";
	ticked(source, text, sizeof(text));
	fake.refuse_group = cpu_0_is_off;
	assert_true(change_to(source, names, 2, NULL));

	assert_int_equal(source->layout.events[1].state, EVENT_COUNTING);
	destroy(source);
}

static void cpus_change_hardware_is_tried_on_free_counters(void **state)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	struct source *source;

	source = create_with(NULL, 2, NULL);
	assert_true(source_begin(source, NULL));
	fake.most_open = fake_open_count() + 1;
	assert_true(leader(0, 1)->is_enabled);
	assert_false(change_to(source, names, 3, NULL));
	assert_true(leader(0, 1)->is_enabled); /* again */
	fake.most_open = 0;
	assert_true(change_to(source, names, 3, NULL));

	assert_true(leader(0, 1)->is_enabled);
	assert_false(leader(0, 2)->is_enabled);
	assert_int_equal(source->layout.events[1].state, EVENT_MULTIPLEXED);
	assert_string_equal(source->session.pmu_words, "cpu PMU, 1 counter");
	destroy(source);
}

static void cpus_change_before_the_beginning_keeps_one_group_of_software(void **state)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};
	struct source *source;

	source = create_with(NULL, 1, NULL);
	assert_true(change_to(source, names, 2, NULL));
	assert_true(change_to(source, names, 3, NULL));
	assert_true(source_begin(source, NULL));

	assert_int_equal(source->layout.group_count, 1);
	assert_int_equal(leader(2, 0)->members, 3);
	assert_true(leader(2, 0)->is_enabled);
	destroy(source);
}

/* CPUs 0 and 1 are cpu_core with two counters, 2 is cpu_atom with one. */
static int hybrid(const struct group_request *request)
{
	const bool is_atom = request->cpu >= 2;
	size_t hardware = 0;

	for (size_t i = 0; i < request->count; i++) {
		if (request->specs[i].class != EVENT_CLASS_HARDWARE)
			continue;
		if (strcmp(request->specs[i].pmu, is_atom ? "cpu_atom" : "cpu_core") != 0)
			return ENOENT;
		hardware++;
	}
	return hardware > (is_atom ? 1u : 2u) ? EINVAL : 0;
}

static struct source *create_hybrid(const struct number_list *only, const char *const *names,
				    size_t count)
{
	const struct cpus_request request = {
		.host = &host,
		.features = &FAKE_FEATURES,
		.only = only,
		.core_pmus = MADE_CORES,
		.core_pmu_count = 2,
		.events = made_request(names, count),
	};

	fake.refuse_group = hybrid;
	return cpus_create(&request, NULL);
}

static void cpus_create_hybrid_gives_each_cpu_the_groups_of_its_kind(void **state)
{
	static const char *const names[] = {"cycles", "instructions", "page-faults"};
	struct source *source;

	made.hybrid = true;
	source = create_hybrid(NULL, names, 3);
	assert_non_null(source);
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
	destroy(source);
}

static void cpus_create_hybrid_readings_have_the_groups_of_their_kind(void **state)
{
	static const char *const names[] = {"page-faults"};
	struct source *source;
	struct record record;

	made.hybrid = true;
	source = create_hybrid(NULL, names, 1);
	assert_true(source_begin(source, NULL));
	put_sample(2, 1, 100);
	put_sample(0, 1, 200);
	source_drain(source);

	assert_true(source_next(source, &record));
	assert_int_equal(record.reading.group, source->layout.kinds[0].clock);
	assert_true(source_next(source, &record));
	assert_int_equal(record.reading.group, source->layout.kinds[1].clock);
	assert_int_equal(source->layout.groups[record.reading.group].kind, 1);
	destroy(source);
}

static void cpus_create_hybrid_of_one_kind_only_has_no_other(void **state)
{
	static const char *const names[] = {"cycles", "page-faults"};
	struct number_list only;
	struct source *source;

	made.hybrid = true;
	assert_true(number_list_parse(&only, "0,1", 100));
	source = create_hybrid(&only, names, 2);
	assert_non_null(source);

	assert_int_equal(source->layout.kind_count, 1);
	assert_string_equal(source->layout.kinds[0].name, "cpu_core");
	assert_int_equal(source->layout.events[0].state, EVENT_COUNTING);
	assert_string_equal(source->layout.events[0].reason, "");
	destroy(source);
	number_list_fini(&only);
}

static void cpus_change_hybrid_adds_on_both_kinds(void **state)
{
	static const char *const names[] = {"page-faults", "cycles"};
	struct source *source;

	made.hybrid = true;
	source = create_hybrid(NULL, names, 1);
	assert_true(source_begin(source, NULL));
	assert_true(change_to(source, names, 2, NULL));

	assert_true(leader(0, 1)->is_enabled);
	assert_true(leader(2, 1)->is_enabled);
	assert_int_equal(source->layout.counter_count, 4);
	destroy(source);
}

static void cpus_attach_process_that_is_there_succeeds(void **state)
{
	struct source *source;

	source = create();
	machine.owner = 0;

	assert_true(source_attach(source, 4711, NULL));
	destroy(source);
}

static void cpus_attach_missing_process_is_refused(void **state)
{
	struct error error = {0};
	struct source *source;

	source = create();
	machine.owner = -1;

	assert_false(source_attach(source, 4711, &error));
	assert_int_equal(error.code, ERROR_PROCESS_GONE);
	assert_string_equal(error.text, "4711: no such process");
	destroy(source);
}

static void cpus_destroy_leaves_no_descriptor(void **state)
{
	uint64_t before;
	struct source *source;

	before = proc_own_descriptors();
	source = create();
	assert_true(proc_own_descriptors() > before);
	destroy(source);

	assert_int_equal(proc_own_descriptors(), before);
}

#define CPUS_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CPUS_TEST(cpus_ring_bytes_follows_memory_and_cpus),
		CPUS_TEST(cpus_ring_bytes_divides_what_may_be_locked),
		CPUS_TEST(cpus_create_every_cpu_has_a_ring_of_what_is_left),
		CPUS_TEST(cpus_create_opens_every_cpu_and_describes_itself),
		CPUS_TEST(cpus_create_only_some_says_which),
		CPUS_TEST(cpus_create_refused_says_why),
		CPUS_TEST(cpus_create_no_cpu_online_fails),
		CPUS_TEST(cpus_create_descriptors_run_out_watches_fewer_and_says_so),
		CPUS_TEST(cpus_create_descriptors_for_few_keeps_at_least_one),
		CPUS_TEST(cpus_create_cpu_that_just_went_is_left_out),
		CPUS_TEST(cpus_create_cpu_that_is_there_but_refused_fails),
		CPUS_TEST(cpus_create_smaller_rings_are_settled_for_once),
		CPUS_TEST(cpus_next_settles_up_to_the_begin_of_the_round),
		CPUS_TEST(cpus_next_full_ring_makes_absences_doubtful),
		CPUS_TEST(cpus_drain_backlog_is_the_fullest_ring),
		CPUS_TEST(cpus_create_not_all_cpus_is_partial),
		CPUS_TEST(cpus_create_in_a_pid_namespace_says_what_idle_is),
		CPUS_TEST(cpus_tick_partial_follows_the_cpus_that_come),
		CPUS_TEST(cpus_begin_visits_every_cpu),
		CPUS_TEST(cpus_begin_does_not_wait_for_a_cpu_that_has_told),
		CPUS_TEST(cpus_tick_visits_after_losses_who_is_silent),
		CPUS_TEST(cpus_begin_leaves_isolated_cpus_in_peace),
		CPUS_TEST(cpus_next_later_than_the_round_is_told_in_the_next_one),
		CPUS_TEST(cpus_drain_cpu_that_came_makes_absences_doubtful_until_the_tick),
		CPUS_TEST(cpus_next_merges_cpus_by_time),
		CPUS_TEST(cpus_tick_ends_the_interval_at_each_reading),
		CPUS_TEST(cpus_tick_cpu_that_went_is_told_and_let_go),
		CPUS_TEST(cpus_tick_cpu_that_comes_is_watched),
		CPUS_TEST(cpus_tick_cpu_that_was_refused_is_tried_again),
		CPUS_TEST(cpus_tick_cpu_that_was_away_between_ticks_is_opened_anew),
		CPUS_TEST(cpus_tick_unwanted_cpu_that_comes_is_left_alone),
		CPUS_TEST(cpus_drain_timer_gives_the_next_group_its_turn),
		CPUS_TEST(cpus_drain_timer_without_turns_reads_nothing),
		CPUS_TEST(cpus_change_adds_an_event_on_every_cpu),
		CPUS_TEST(cpus_change_keeps_the_readings_in_their_groups),
		CPUS_TEST(cpus_change_refused_event_is_there_with_its_reason),
		CPUS_TEST(cpus_change_descriptors_run_out_in_the_middle_changes_nothing),
		CPUS_TEST(cpus_change_cpu_that_just_went_keeps_nobody_from_changing),
		CPUS_TEST(cpus_change_tries_events_on_a_cpu_that_is_there),
		CPUS_TEST(cpus_change_hardware_is_tried_on_free_counters),
		CPUS_TEST(cpus_change_before_the_beginning_keeps_one_group_of_software),
		CPUS_TEST(cpus_create_hybrid_gives_each_cpu_the_groups_of_its_kind),
		CPUS_TEST(cpus_create_hybrid_readings_have_the_groups_of_their_kind),
		CPUS_TEST(cpus_create_hybrid_of_one_kind_only_has_no_other),
		CPUS_TEST(cpus_change_hybrid_adds_on_both_kinds),
		CPUS_TEST(cpus_attach_process_that_is_there_succeeds),
		CPUS_TEST(cpus_attach_missing_process_is_refused),
		CPUS_TEST(cpus_destroy_leaves_no_descriptor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
