/* Wake-ups and yields of the CPUs: which events tell of them, and what is said where none does. */

#include "source/cpus/cpus.h"
#include "source/cpus/sched_tracepoints.h"

#include "fake_machine.h"
#include "source_kit.h"
#include "unit.h"

enum {
	SUMS = 1 << QUANTITY_QUEUED_NS,
	SINGLE = 1 << QUANTITY_WAKEUP_NS | 1 << QUANTITY_WAKEUPS,
	RAW_BYTES = 36 /* as the tracepoints have */
};

static int tries; /* to find the tracepoint of exits */

static int set_up(void **state)
{
	machine_reset("0-2");
	host = (struct host){
		.page_bytes = FAKE_PAGE,
		.memory_bytes = 1ull << 30,
		.paranoid = -1,
		.mlock_kb = 516,
		.fd_limit_soft = 8192,
		.has_cap_perfmon = true,
	};
	assert_true(number_list_parse(&host.online, "0-2", 1024));
	return kit_set_up(state, 1000);
}

static const struct event_set *request_of(bool scheduler)
{
	static const char *const names[] = {"page-faults"};
	struct event_set *request = made_set(names, 1);

	request->scheduler = scheduler;
	return request;
}

static void create(bool scheduler)
{
	const struct cpus_request request = {
		.host = &host, .features = &FAKE_FEATURES, .events = request_of(scheduler)};

	source = cpus_create(&request, NULL);
	assert_non_null(source);
	assert_true(source_begin(source, NULL));
}

static void change(bool scheduler)
{
	assert_true(source_change(source, request_of(scheduler), NULL));
}

/* The sampler of a tracepoint (0: of the function) that is open on a CPU; NULL: none is. */
static struct fake_event *sampler(int cpu, uint64_t config)
{
	for (size_t i = 0; i < fake.count; i++) {
		struct fake_event *event = &fake.events[i];

		if (event->is_open && event->is_sampler && event->cpu == cpu &&
		    event->config == config)
			return event;
	}
	return NULL;
}

static size_t samplers(void)
{
	size_t count = 0;

	for (size_t i = 0; i < fake.count; i++)
		count += fake.events[i].is_open && fake.events[i].is_sampler;
	return count;
}

static bool only_tracepoints(const char *name)
{
	return strncmp(name, "sched_", 6) != 0;
}

static bool no_waking(const char *name)
{
	return strcmp(name, "sched_waking") == 0;
}

static bool no_newborn(const char *name)
{
	return strcmp(name, "sched_wakeup_new") == 0;
}

static bool none(const char *name)
{
	return true;
}

static bool no_do_sched_yield(const char *name)
{
	return strcmp(name, "do_sched_yield") == 0;
}

static void put(int cpu, uint64_t config, uint64_t time, const void *raw, size_t size)
{
	const struct fake_event *event = sampler(cpu, config);
	const struct fake_told told = {.time = time,
				       .tid = 7,
				       .pid = 6,
				       .cpu = (uint32_t)cpu,
				       .id = (uint64_t)event->fd * 10};
	struct fake_record record = fake_tapped(&told, raw, size);

	fake_put(event->output, &record);
}

static void put_wakeup(int cpu, uint64_t config, uint64_t time, int32_t tid)
{
	unsigned char raw[RAW_BYTES] = {0};

	memcpy(raw + MACHINE_TID_AT, &tid, sizeof(tid));
	put(cpu, config, time, raw, sizeof(raw));
}

/* A task ends, in a cgroup with this id. */
static void put_exit(int cpu, uint64_t time, uint64_t id)
{
	const struct fake_event *event = sampler(cpu, MACHINE_EXIT);
	const struct fake_told told = {.time = time,
				       .tid = 7,
				       .pid = 6,
				       .cpu = (uint32_t)cpu,
				       .id = (uint64_t)event->fd * 10};
	const unsigned char raw[20] = {0};
	struct fake_record record = fake_tapped(&told, raw, sizeof(raw));

	fake_add_u64(&record, id);
	fake_put(event->output, &record);
}

static void put_made(int cpu, uint64_t time, uint64_t id, const char *path)
{
	const struct fake_told told = {.time = time, .tid = 1, .cpu = (uint32_t)cpu};
	char padded[32] = {0};
	struct fake_record record = {.header.type = PERF_RECORD_CGROUP};

	strcpy(padded, path);
	fake_add_u64(&record, id);
	fake_add(&record, padded, sizeof(padded));
	fake_add_trailer(&record, &told);
	fake_put(sampler(cpu, MACHINE_EXIT)->output, &record);
}

/* "wake-up 9 at 100 on 1, " */
static size_t describe(char *words, size_t size, const struct record *record)
{
	if (record->kind == RECORD_PROCINFO)
		return (size_t)snprintf(words, size, "%d/%d in %s at %llu, ", record->pid,
					record->tid, record->procinfo.cgroup,
					(unsigned long long)record->time_ns);
	return (size_t)snprintf(words, size, "%s %d/%d at %llu on %d, ",
				record_kind_name(record->kind), record->pid, record->tid,
				(unsigned long long)record->time_ns, record->cpu);
}

UNIT_TEST(create_scheduler_wanted_opens_its_events_on_every_cpu)
{
	create(true);

	for (int cpu = 0; cpu < 3; cpu++) {
		assert_non_null(sampler(cpu, MACHINE_WAKING));
		assert_non_null(sampler(cpu, MACHINE_NEWBORN));
		assert_non_null(sampler(cpu, 0));
		assert_null(sampler(cpu, MACHINE_WAKEUP));
		/* into that CPU's ring */
		assert_int_equal(fake_event(sampler(cpu, MACHINE_WAKING)->output)->cpu, cpu);
		assert_non_null(fake_event(sampler(cpu, MACHINE_WAKING)->output)->ring);
	}
	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_string_equal(source->session.queue_words, "run-queue waits from sched_waking");
	assert_int_equal(samplers(), scheduler_descriptors(3));
	assert_true(source->session.has_yields);
	assert_int_equal(source->session.unknown & (SUMS | SINGLE), 0);
}

UNIT_TEST(create_scheduler_not_wanted_opens_nothing_and_says_nothing)
{
	create(false);

	assert_int_equal(samplers(), 0);
	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_string_equal(source->session.queue_words, "");
	assert_false(source->session.has_yields);
	assert_int_equal(source->session.unknown, SUMS | SINGLE);
}

UNIT_TEST(change_scheduler_opens_and_closes_its_events)
{
	size_t before;

	create(false);
	before = fake_open_count();

	change(true);
	assert_int_equal(samplers(), 9);
	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_int_equal(source->session.unknown, 0);
	change(true);
	assert_int_equal(samplers(), 9);
	change(false);
	assert_int_equal(fake_open_count(), before);
	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_string_equal(source->session.queue_words, "");
	assert_false(source->session.has_yields);
	assert_int_equal(source->session.unknown, SUMS | SINGLE);
}

UNIT_TEST(change_that_keeps_the_scheduler_keeps_its_events_open)
{
	int fd;

	create(true);
	fd = sampler(1, MACHINE_WAKING)->fd;
	change(true);

	assert_int_equal(sampler(1, MACHINE_WAKING)->fd, fd);
}

UNIT_TEST(next_wakeup_names_who_wakes_and_not_who_runs)
{
	create(true);
	drained();
	put_wakeup(1, MACHINE_WAKING, 100, 4711);
	put_wakeup(0, MACHINE_NEWBORN, 90, 4712);

	assert_string_equal(drained(), "wake-up -1/4712 at 90 on 0, wake-up -1/4711 at 100 on 1, ");
}

UNIT_TEST(next_yield_names_who_runs)
{
	const unsigned char raw[20] = {0};

	create(true);
	drained();
	put(2, 0, 100, raw, sizeof(raw));

	assert_string_equal(drained(), "yield 6/7 at 100 on 2, ");
}

UNIT_TEST(next_raw_data_that_is_too_short_tells_nothing)
{
	unsigned char raw[MACHINE_TID_AT + 4] = {0};
	const int32_t tid = 5;

	memcpy(raw + MACHINE_TID_AT, &tid, sizeof(tid));
	create(true);
	drained();
	put(1, MACHINE_WAKING, 100, raw, MACHINE_TID_AT - 4); /* padded to 20 bytes */
	put(1, MACHINE_WAKING, 101, raw, 4);
	put(1, MACHINE_WAKING, 102, raw, sizeof(raw)); /* just enough */

	assert_string_equal(drained(), "wake-up -1/5 at 102 on 1, ");
}

/* Raw data of a size that the record does not have. */
UNIT_TEST(next_raw_data_beyond_its_record_tells_nothing)
{
	const uint32_t size = 1000;
	struct fake_record record;

	create(true);
	drained();
	record = fake_tapped(
		&(struct fake_told){.time = 100,
				    .tid = 7,
				    .cpu = 1,
				    .id = (uint64_t)sampler(1, MACHINE_WAKING)->fd * 10},
		&(uint64_t){0}, 8);
	memcpy(record.body + 24, &size, sizeof(size)); /* behind id, task and time */
	fake_put(sampler(1, MACHINE_WAKING)->output, &record);
	put_wakeup(1, MACHINE_WAKING, 101, 8);

	assert_string_equal(drained(), "wake-up -1/8 at 101 on 1, ");
}

UNIT_TEST(next_ids_that_are_none_tell_nothing)
{
	create(true);
	drained();
	put_wakeup(1, MACHINE_WAKING, 100, 0);
	put_wakeup(1, MACHINE_WAKING, 101, -1);

	assert_string_equal(drained(), "");
}

UNIT_TEST(report_cgroups_says_where_each_task_ends)
{
	machine.has_cgroups = true;
	create(false);
	source_report_cgroups(source);
	drained();
	put_made(0, 100, 0x100000042, "/web/a");
	put_exit(1, 110, 0x100000042);
	put_exit(1, 120, 0x42); /* not known */
	assert_string_equal(drained(), "6/7 in /web/a at 110, ");
	put(1, MACHINE_EXIT, 125, &(uint32_t){0}, sizeof(uint32_t)); /* without an id */
	assert_string_equal(drained(), "");
	put_made(0, 130, 1, "/");
	put_exit(1, 140, 1);
	assert_string_equal(drained(), "");

	for (int cpu = 0; cpu < 3; cpu++)
		assert_non_null(sampler(cpu, MACHINE_EXIT));
	source_report_cgroups(source);
	change(true);
	change(false);
	assert_int_equal(samplers(), 3);
}

static int refuse_exits(int cpu, const struct event_spec *spec)
{
	return cpu == 1 && spec->config == MACHINE_EXIT ? EINVAL : 0;
}

static bool no_exit(const char *name)
{
	return strcmp(name, "sched_process_exit") == 0;
}

static bool count_exits(const char *name)
{
	tries += no_exit(name);
	return no_exit(name);
}

UNIT_TEST(report_cgroups_refused_leaves_all_as_it_is)
{
	static const struct attr_features without = {.switch_records = true, .clockid = true};
	const struct cpus_request request = {
		.host = &host, .features = &without, .events = request_of(true)};

	begin_case("ids that say nothing");
	create(true);
	source_report_cgroups(source);
	assert_int_equal(samplers(), 9);
	source_destroy(source);

	begin_case("a kernel that is built without");
	machine.has_cgroups = true;
	source = cpus_create(&request, NULL);
	source_report_cgroups(source);
	assert_int_equal(samplers(), 9);
	source_destroy(source);

	begin_case("one CPU");
	fake.refuse_sampler = refuse_exits;
	create(true);
	source_report_cgroups(source);
	assert_int_equal(samplers(), 9);
	source_destroy(source);

	begin_case("no tracefs, asked once");
	machine.is_absent = count_exits;
	tries = 0;
	create(true);
	source_report_cgroups(source);
	source_report_cgroups(source);
	assert_int_equal(samplers(), 9);
	assert_int_equal(tries, 1);
	put_wakeup(1, MACHINE_WAKING, 100, 4711);
	assert_non_null(strstr(drained(), "wake-up -1/4711"));
}

/* What is in the ring when the events are closed is nobody's reading. */
UNIT_TEST(next_wakeup_of_an_event_that_was_closed_is_dropped)
{
	create(true);
	drained();
	put_wakeup(1, MACHINE_WAKING, 100, 4711);
	change(false);

	assert_string_equal(drained(), "");
}

UNIT_TEST(tick_wakeups_before_the_mark_are_of_the_interval)
{
	struct record record;
	size_t wakeups = 0;
	bool last_is_reading = false;

	create(true);
	put_wakeup(1, MACHINE_WAKING, 100, 4711);
	source_tick(source);
	while (source_next(source, &record)) {
		wakeups += record.kind == RECORD_WAKEUP;
		last_is_reading = record.kind == RECORD_READING;
	}

	assert_int_equal(wakeups, 1);
	assert_true(last_is_reading);
}

UNIT_TEST(create_without_waking_takes_the_second_choice)
{
	machine.is_absent = no_waking;
	create(true);
	drained();
	put_wakeup(1, MACHINE_WAKEUP, 100, 4711);

	assert_string_equal(drained(), "wake-up -1/4711 at 100 on 1, ");
	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_string_equal(source->session.queue_words, "run-queue waits from sched_wakeup");
}

UNIT_TEST(create_without_yields_still_tells_wakeups)
{
	machine.is_absent = only_tracepoints;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_false(source->session.has_yields);
	assert_int_equal(samplers(), 6);
}

UNIT_TEST(create_tries_other_names_of_the_yield)
{
	machine.is_absent = no_do_sched_yield;
	create(true);

	assert_true(source->session.has_yields);
}

UNIT_TEST(create_many_cpus_are_not_probed_for_yields)
{
	machine.online = "0-16";
	create(true);

	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_false(source->session.has_yields);
	assert_int_equal(samplers(), 2 * 17);
	assert_int_equal(samplers(), scheduler_descriptors(17));
}

UNIT_TEST(create_half_of_the_wakeups_is_none)
{
	machine.is_absent = no_newborn;
	machine.has_no_schedstat = true;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_non_null(strstr(source->session.queue_words, "sched:sched_wakeup_new"));
	assert_int_equal(samplers(), 3); /* the yields */
	assert_true(source->session.has_yields);
}

UNIT_TEST(create_unreadable_tracefs_says_why_and_what_helps)
{
	machine.is_absent = none;
	machine.has_no_schedstat = true;
	create(true);

	assert_int_equal(samplers(), 0);
	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_int_equal(source->session.unknown, SUMS | SINGLE);
	assert_non_null(strstr(source->session.queue_words,
			       "run-queue waits are not known: sched:sched_waking: tracepoints "
			       "cannot be read: Permission denied; run perftop as root"));
}

UNIT_TEST(create_unreadable_tracefs_leaves_the_sums_of_proc)
{
	static const char words[] =
		"run-queue waits from /proc/PID/schedstat: sums, not single waits";

	machine.is_absent = none;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_RUN_DELAY);
	assert_int_equal(source->session.unknown, SINGLE);
	assert_memory_equal(source->session.queue_words, words, sizeof(words) - 1);
	assert_non_null(strstr(source->session.queue_words, "Permission denied"));
}

static int refuse_tracepoints(int cpu, const struct event_spec *spec)
{
	return cpu == 1 && spec->type == PERF_TYPE_TRACEPOINT ? EPERM : 0;
}

UNIT_TEST(create_refused_on_one_cpu_is_open_on_none)
{
	host.paranoid = 0;
	host.has_cap_perfmon = false;
	machine.has_no_schedstat = true;
	fake.refuse_sampler = refuse_tracepoints;
	create(true);

	assert_int_equal(samplers(), 3);
	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_non_null(strstr(source->session.queue_words,
			       "sched:sched_waking: not permitted: reading a tracepoint needs "
			       "kernel.perf_event_paranoid=-1 (it is 0)"));
}

static int refuse_probes(int cpu, const struct event_spec *spec)
{
	return spec->type == MACHINE_KPROBE ? EACCES : 0;
}

UNIT_TEST(create_refused_probe_leaves_the_wakeups)
{
	fake.refuse_sampler = refuse_probes;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_false(source->session.has_yields);
	assert_int_equal(samplers(), 6);
}

UNIT_TEST(create_ring_that_takes_no_sampler_leaves_none_open)
{
	create(false);
	fake.refuse_redirect = EINVAL;
	change(true);

	assert_int_equal(samplers(), 0);
	assert_int_equal(source->session.queue, QUEUE_RUN_DELAY);
}

UNIT_TEST(create_in_a_pid_namespace_believes_no_foreign_ids)
{
	host.in_pid_namespace = true;
	machine.has_no_schedstat = true;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_non_null(strstr(source->session.queue_words, "pids outside this container"));
	assert_int_equal(samplers(), 3);
}

UNIT_TEST(create_descriptors_for_the_cpus_only_watches_all_of_them)
{
	size_t needed;

	create(false);
	needed = fake_open_count();
	fake.most_open = needed + 2;
	change(true);

	assert_int_equal(source->session.cpu_count, 3);
	assert_int_equal(fake_open_count(), needed);
	assert_int_equal(source->session.queue, QUEUE_RUN_DELAY);
	assert_non_null(strstr(source->session.queue_words, "file descriptors are too few"));
}

UNIT_TEST(tick_cpu_that_comes_gets_the_events_too)
{
	machine.online = "0-1";
	create(true);
	assert_null(sampler(2, MACHINE_WAKING));
	machine.online = "0-2";
	ticked();

	assert_non_null(sampler(2, MACHINE_WAKING));
	assert_non_null(sampler(2, MACHINE_NEWBORN));
	assert_non_null(sampler(2, 0));
	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
}

static int refuse_last_cpu(int cpu, const struct event_spec *spec)
{
	return cpu == 2 && spec->config == MACHINE_NEWBORN ? EMFILE : 0;
}

UNIT_TEST(tick_cpu_that_comes_without_the_events_ends_them_everywhere)
{
	machine.online = "0-1";
	fake.refuse_sampler = refuse_last_cpu;
	create(true);
	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	machine.online = "0-2";
	ticked();

	assert_int_equal(samplers(), 3);
	assert_int_equal(source->session.queue, QUEUE_RUN_DELAY);
	assert_non_null(strstr(source->session.queue_words, "file descriptors are too few"));
}

static int cpu_has_gone(int cpu, const struct event_spec *spec)
{
	return cpu == 2 ? ENODEV : 0;
}

UNIT_TEST(create_cpu_that_just_went_is_no_refusal)
{
	fake.refuse_sampler = cpu_has_gone;
	create(true);

	assert_int_equal(source->session.queue, QUEUE_WAKEUPS);
	assert_int_equal(samplers(), 6);
}

UNIT_MAIN(set_up, tear_down)
