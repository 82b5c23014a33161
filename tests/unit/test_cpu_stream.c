/* One CPU as a stream: where readings fall among the records, and what is left behind when. */

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/host.h"
#include "source/cpus/cpu_stream.h"

#include "fake_kernel.h"
#include "fake_sched_switch.h"
#include "made_events.h"
#include "unit.h"

enum {
	RING = 256 * 1024,
	CPU = 3
};

static int one_counter(const struct group_request *request)
{
	size_t hardware = 0;

	for (size_t i = 0; i < request->count; i++)
		hardware += request->specs[i]->class == EVENT_CLASS_HARDWARE;
	return hardware > 1 ? EINVAL : 0;
}

/* A stream of one group {page-faults}, or of {page-faults}, {cycles}, {instructions} in turns. */
static struct {
	struct host host;
	struct trials trials;
	struct plan plan, next;
	struct sched_switch sched_switch;
	char name[TASK_NAME_MAX + 1];      /* of who left, as the last switch has it */
	const struct sched_switch *leader; /* the above; NULL: a software event leads */
	bool shares_clock;                 /* hardware events may be in the clock group */
	struct cpu_stream stream;
	struct error error;
	bool is_quiet; /* the CPU is not to be interrupted */
	struct group_cgroups of;
	size_t before;     /* descriptors that the plan's trials took */
	uint64_t until_ns; /* of the rounds; 0: no end */
	char text[1024];
} kit;

static void make_plan_of(const char *const *names, size_t count)
{
	const struct group_target target = {.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = CPU};
	const struct plan_setup setup = {.targets = &target, .target_count = 1};

	kit.host.page_bytes = FAKE_PAGE;
	kit.host.mlock_kb = 516;
	kit.trials = (struct trials){.host = &kit.host, .features = &FAKE_FEATURES};
	fake.refuse_group = one_counter;
	assert_true(plan_make(&kit.plan, &setup, made_set(names, count), &kit.trials, NULL));
	if (kit.plan.layout.groups[0].needs_counters && !kit.shares_clock)
		plan_note_contention(&kit.plan);
	kit.plan.is_contended = !kit.shares_clock;
	kit.before = fake.count;
}

static void make_plan(bool rotating)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};

	make_plan_of(names, rotating ? 3 : 1);
}

static bool try_open(void)
{
	const struct cpu_stream_request request = {
		.plan = &kit.plan,
		.features = &FAKE_FEATURES,
		.host = &kit.host,
		.sched_switch = kit.leader,
		.cpu = CPU,
		.is_quiet = kit.is_quiet,
		.of = kit.of,
		.ring_bytes = RING,
	};

	return cpu_stream_open(&kit.stream, &request, &kit.error);
}

static void open_kit(bool rotating)
{
	make_plan(rotating);
	assert_true(try_open());
	assert_true(cpu_stream_enable(&kit.stream));
	kit.stream.baseline_count = 0;
}

static void open_kit_of(const char *const *names, size_t count)
{
	make_plan_of(names, count);
	assert_true(try_open());
	assert_true(cpu_stream_enable(&kit.stream));
	kit.stream.baseline_count = 0;
}

/* Prepares the stream for a plan of these events; false: it is as before. */
static bool prepare(const char *const *names, size_t count)
{
	const size_t most_open = fake.most_open;

	plan_copy(&kit.next, &kit.plan);
	fake.most_open = 0;
	assert_true(plan_change(&kit.next, made_set(names, count), &kit.trials, NULL));
	fake.most_open = most_open;
	if (cpu_stream_prepare(&kit.stream, &kit.next, &kit.error))
		return true;
	plan_fini(&kit.next);
	return false;
}

static void change_to(const char *const *names, size_t count)
{
	assert_true(prepare(names, count));
	cpu_stream_commit(&kit.stream, &kit.next);
	plan_fini(&kit.plan);
	kit.plan = kit.next;
}

static int set_up(void **state)
{
	memset(&kit, 0, sizeof(kit));
	kit.stream.timeline_fd = kit.stream.switches_fd = -1;
	return fake_reset(state);
}

static int tear_down(void **state)
{
	if (kit.trials.host) {
		cpu_stream_close(&kit.stream);
		plan_fini(&kit.plan);
		trials_end(&kit.trials);
	}
	assert_int_equal(fake_open_count(), 0);
	return fake_reset(state);
}

static void mark(void)
{
	cpu_stream_mark(&kit.stream);
}

static void rotate(void)
{
	cpu_stream_rotate(&kit.stream, false);
}

static struct fake_event *leader(size_t group)
{
	return fake_event(kit.stream.bundle.groups[group].leader_fd);
}

static struct fake_event *timeline(void)
{
	return fake_event(kit.stream.timeline_fd);
}

static void put(struct fake_record record)
{
	fake_put(kit.stream.timeline_fd, &record);
}

static void put_sample(size_t group, uint64_t sequence)
{
	const struct fake_told told = {.time = 100 * sequence, .tid = 7, .cpu = CPU};

	put(fake_sample(&told, kit.stream.bundle.groups[group].ids[0], 1, sequence, 10 * sequence));
}

/* One whose time is by the clock of another program. */
static void put_foreign_sample(size_t group, uint64_t sequence, uint64_t time)
{
	const struct fake_told told = {.time = 100 * sequence, .tid = 7, .cpu = CPU};
	struct fake_record record = fake_sample(&told, kit.stream.bundle.groups[group].ids[0], 1,
						sequence, 10 * sequence);

	memcpy(record.body + 16, &time, sizeof(time));
	put(record);
}

static void put_switch(bool out, uint64_t time)
{
	const struct fake_told told = {.time = time, .tid = out ? 7 : 8, .cpu = CPU};

	put(fake_switch(&told, out, out ? 8 : 7));
}

static void set_reading(size_t group, uint64_t sequence)
{
	struct group_reading *reading = &leader(group)->reading;

	reading->values[0] = sequence;
	reading->values[1] = 1000 + sequence;
	reading->enabled_ns = 100 * sequence + 50;
	reading->running_ns = reading->enabled_ns;
}

static void describe_switch(char *text, size_t size, const struct record *record)
{
	const struct record_switch *ctx_switch = &record->ctx_switch;
	size_t used = 0;

	if (ctx_switch->reading_count == 0)
		snprintf(text, size, "%d%c%d ", record->tid, ctx_switch->knows_how ? '>' : '~',
			 ctx_switch->next_tid);
	for (size_t i = 0; i < ctx_switch->reading_count; i++) {
		const char *mark = i > 0 ? "+" : ctx_switch->knows_how ? "S" : "s";

		used += (size_t)snprintf(text + used, size - used, "%s%u:%llu%s", mark,
					 ctx_switch->readings[i].group,
					 (unsigned long long)ctx_switch->readings[i].sequence,
					 i + 1 == ctx_switch->reading_count ? " " : "");
	}
}

static void describe(char *text, size_t size, const struct record *record)
{
	switch ((int)record->kind) {
	case RECORD_READING:
		snprintf(text, size, "r%u:%llu%s ", record->reading.group,
			 (unsigned long long)record->reading.sequence,
			 record->reading.restarts ? "!" : "");
		return;
	case RECORD_SWITCH:
		describe_switch(text, size, record);
		return;
	case RECORD_COMM:
		snprintf(text, size, "comm:%s ", record->comm.name);
		return;
	case RECORD_LOST:
		snprintf(text, size, "lost:%llu ", (unsigned long long)record->lost);
		return;
	default:
		snprintf(text, size, "%s ", record_kind_name(record->kind));
		return;
	}
}

/*
 * A round; what was delivered as words: S0:3+1:4 a switch with number 3 of group 0 and number 4 of
 * group 1, s the same without what the outgoing task says, 7>8 and 7~8 such without readings, r1:2
 * a read(2), ! restarts.
 */
static const char *round_of(void)
{
	struct record record;
	size_t used = 0;

	kit.text[0] = '\0';
	cpu_stream_begin(&kit.stream, kit.until_ns > 0 ? kit.until_ns : UINT64_MAX);
	while (cpu_stream_has_next(&kit.stream)) {
		if (!cpu_stream_next(&kit.stream, &record))
			continue;
		/* a sum says nothing of who runs there */
		assert_true(record.cpu == CPU ||
			    (record.kind == RECORD_LOST && record.cpu == RECORD_CPU_NONE));
		describe(kit.text + used, sizeof(kit.text) - used, &record);
		used += strlen(kit.text + used);
	}
	cpu_stream_end(&kit.stream);
	return kit.text;
}

UNIT_TEST(cpu_stream_next_reading_stands_before_the_first_later_switch)
{
	open_kit(false);
	set_reading(0, 2);
	for (uint64_t i = 1; i <= 4; i++)
		put_sample(0, i);
	mark();

	assert_string_equal(round_of(), "s0:1 s0:2 r0:2 ");
}

UNIT_TEST(cpu_stream_next_reading_without_later_switch_stands_at_the_end)
{
	open_kit(false);
	set_reading(0, 2);
	put_sample(0, 1);
	put_sample(0, 2);
	put_switch(true, 200);
	mark();

	assert_string_equal(round_of(), "s0:1 S0:2 r0:2 ");
}

UNIT_TEST(cpu_stream_next_reading_of_an_empty_ring_is_delivered)
{
	open_kit(false);
	mark();

	assert_string_equal(round_of(), "r0:0 ");
	assert_string_equal(round_of(), "");
}

UNIT_TEST(cpu_stream_next_interval_leaves_what_is_behind_for_the_next_round)
{
	open_kit(false);
	set_reading(0, 1);
	for (uint64_t i = 1; i <= 3; i++)
		put_sample(0, i);
	mark();

	assert_string_equal(round_of(), "s0:1 r0:1 ");
	assert_string_equal(round_of(), "s0:2 s0:3 ");
}

UNIT_TEST(cpu_stream_next_later_than_the_round_is_left_for_the_next_one)
{
	open_kit(false);
	for (uint64_t i = 1; i <= 4; i++)
		put_sample(0, i);

	kit.until_ns = 200;
	assert_string_equal(round_of(), "s0:1 s0:2 ");
	kit.until_ns = 250;
	assert_string_equal(round_of(), "");
	put_sample(0, 5);
	kit.until_ns = 500;
	assert_string_equal(round_of(), "s0:3 s0:4 "); /* more of the last one may come */
	kit.until_ns = 0;
	assert_string_equal(round_of(), "s0:5 ");
}

UNIT_TEST(cpu_stream_next_later_than_the_round_goes_on_to_the_mark)
{
	open_kit(false);
	set_reading(0, 3);
	for (uint64_t i = 1; i <= 4; i++)
		put_sample(0, i);
	mark();

	kit.until_ns = 150;
	assert_string_equal(round_of(), "s0:1 s0:2 s0:3 r0:3 ");
	kit.until_ns = 0;
	assert_string_equal(round_of(), "s0:4 ");
}

UNIT_TEST(cpu_stream_next_switch_records_keep_their_order)
{
	open_kit(false);
	put_sample(0, 1);
	put_switch(true, 100);
	put_switch(false, 100);
	put_sample(0, 2);

	assert_string_equal(round_of(), "S0:1 s0:2 ");
}

UNIT_TEST(cpu_stream_next_gives_values_times_and_task)
{
	struct record record;

	open_kit(false);
	put_sample(0, 5);
	cpu_stream_begin(&kit.stream, UINT64_MAX);
	assert_true(cpu_stream_has_next(&kit.stream));
	assert_int_equal(cpu_stream_next_time(&kit.stream), 500);
	assert_true(cpu_stream_next(&kit.stream, &record));

	assert_int_equal(record.tid, 7);
	assert_int_equal(record.time_ns, 500);
	assert_int_equal(record.ctx_switch.readings[0].enabled_ns, 500);
	assert_int_equal(record.ctx_switch.readings[0].values[0], 50);
	cpu_stream_end(&kit.stream);
}

/* The times of a round's records, in order. */
static size_t times_of(uint64_t until_ns, uint64_t *times, size_t most)
{
	struct record record;
	size_t count = 0;

	cpu_stream_begin(&kit.stream, until_ns);
	while (count < most && cpu_stream_has_next(&kit.stream)) {
		times[count] = cpu_stream_next_time(&kit.stream);
		if (!cpu_stream_next(&kit.stream, &record))
			continue;
		assert_int_equal(record.time_ns, times[count]);
		count++;
	}
	cpu_stream_end(&kit.stream);
	return count;
}

UNIT_TEST(sample_with_the_clock_of_another_program_has_the_time_of_its_switch)
{
	const uint64_t foreign = 1700000000000000000;
	uint64_t times[8];

	open_kit(true);
	put_foreign_sample(1, 1, foreign);
	put_foreign_sample(0, 1, foreign);
	put_switch(true, 1105);
	put_switch(false, 1106);
	put_foreign_sample(0, 2, 3);
	put_switch(true, 1205);

	assert_int_equal(times_of(2000, times, 8), 2);
	assert_int_equal(times[0], 1105);
	assert_int_equal(times[1], 1205);
}

UNIT_TEST(sample_without_its_switch_goes_by_the_clock_of_its_group)
{
	const uint64_t foreign = 1700000000000000000;
	uint64_t times[8];

	open_kit(false);
	put_foreign_sample(0, 1, foreign);
	put_switch(true, 1105);
	put_foreign_sample(0, 2, foreign); /* of a task whose switches are hidden */
	put_foreign_sample(0, 3, foreign);
	put_switch(true, 1305);
	put_foreign_sample(0, 4, foreign); /* the kernel is just writing the rest */

	assert_int_equal(times_of(2000, times, 8), 3);
	assert_int_equal(times[1], 1205);
	assert_int_equal(times[2], 1305);
	assert_int_equal(times_of(UINT64_MAX, times, 8), 1);
	assert_int_equal(times[0], 1405);
}

UNIT_TEST(cpu_stream_next_switch_tells_both_tasks)
{
	struct record record;

	open_kit(false);
	put_switch(true, 100);
	cpu_stream_begin(&kit.stream, UINT64_MAX);
	assert_true(cpu_stream_has_next(&kit.stream));
	assert_true(cpu_stream_next(&kit.stream, &record));

	assert_int_equal(record.tid, 7);
	assert_int_equal(record.ctx_switch.next_tid, 8);
	assert_false(record.ctx_switch.preempted);
	cpu_stream_end(&kit.stream);
}

UNIT_TEST(cpu_stream_mark_reading_of_the_active_group_is_delivered_too)
{
	open_kit(true);
	set_reading(0, 2);
	set_reading(1, 5);
	put_sample(1, 5);
	put_sample(0, 2);
	put_sample(1, 6);
	put_sample(0, 3);
	mark();

	assert_string_equal(round_of(), "s1:5+0:2 r0:2 r1:5 ");
	assert_string_equal(round_of(), "s1:6+0:3 ");
}

/* Somebody switches between any two readings of group 0. */
static void switch_always(struct fake_event *event)
{
	event->reading.values[0]++;
}

/* Somebody switches once, after the first reading. */
static void switch_once(struct fake_event *event)
{
	if (event->reading.values[0] < 3)
		event->reading.values[0]++;
}

UNIT_TEST(cpu_stream_mark_readings_have_places_of_their_own)
{
	open_kit(true);
	set_reading(0, 2);
	set_reading(1, 6); /* somebody switched between the two reads */
	put_sample(0, 2);
	put_sample(1, 5);
	mark();
	put_sample(0, 3);
	put_sample(1, 6);
	put_sample(1, 7);

	assert_string_equal(round_of(), "s0:2+1:5 r0:2 s0:3+1:6 r1:6 ");
	assert_string_equal(round_of(), "s1:7 ");
}

UNIT_TEST(cpu_stream_rotate_leaves_out_a_reading_without_place)
{
	open_kit(true);
	fake.before_read = switch_always;
	set_reading(0, 2);
	set_reading(1, 5);
	rotate();

	assert_null(strstr(round_of(), "r1:"));
	assert_false(kit.stream.mark.is_waiting);
}

UNIT_TEST(cpu_stream_rotate_reads_again_after_a_switch)
{
	open_kit(true);
	fake.before_read = switch_once;
	set_reading(0, 1);
	set_reading(1, 5);
	rotate();

	assert_non_null(strstr(round_of(), "r1:5 "));
}

static unsigned quiet_reads;

static void count_read(struct fake_event *event)
{
	quiet_reads++;
}

/* Each change of turn would interrupt it. */
UNIT_TEST(cpu_stream_rotate_of_a_quiet_cpu_changes_nothing)
{
	kit.is_quiet = true;
	open_kit(true);
	fake.before_read = count_read;
	quiet_reads = 0;
	rotate();

	assert_true(leader(1)->is_enabled);
	assert_int_equal(quiet_reads, 0);
	assert_false(kit.stream.mark.is_waiting);
}

UNIT_TEST(cpu_stream_pass_says_once_that_nothing_was_read)
{
	kit.is_quiet = true;
	open_kit(false);
	assert_false(cpu_stream_is_passed_by(&kit.stream));
	set_reading(0, 1);
	mark();
	assert_string_equal(round_of(), "r0:1 ");
	assert_true(cpu_stream_is_passed_by(&kit.stream));

	put_sample(0, 2);
	put_sample(0, 3);
	kit.until_ns = 250;
	cpu_stream_pass(&kit.stream, 250);
	assert_string_equal(round_of(), "s0:2 unread ");
	kit.until_ns = 0;
	assert_string_equal(round_of(), "s0:3 ");
}

/* The task that runs is news until a switch has named one. */
UNIT_TEST(cpu_stream_glance_names_the_running_task_while_none_is_known)
{
	const struct fake_told told = {.time = 120, .pid = 40, .tid = 41, .cpu = CPU};
	struct fake_told again = told;
	const struct fake_event *glance;

	kit.is_quiet = true;
	open_kit(false);
	glance = fake_event(kit.stream.tracepoints.of[SCHED_GLANCE].fd);
	again.id = (uint64_t)glance->fd * 10;
	put(fake_tapped(&again, NULL, 0));
	put(fake_tapped(&again, NULL, 0));
	assert_string_equal(round_of(), "-1~41 ");
	assert_int_equal(kit.stream.running_pid, 40);
}

/* With another clock who runs is not known any more: it is asked for again. */
UNIT_TEST(cpu_stream_commit_another_clock_of_a_quiet_cpu_glances_again)
{
	static const char *const one[] = {"sw-a", "e1"}, *const two[] = {"sw-a", "e1", "e2"};
	struct fake_told told = {.time = 120, .pid = 40, .tid = 41, .cpu = CPU};
	const struct fake_event *glance;
	int first;

	kit.is_quiet = true;
	kit.shares_clock = true;
	open_kit_of(one, 2);
	first = kit.stream.tracepoints.of[SCHED_GLANCE].fd;
	kit.stream.running_pid = kit.stream.running_tid = 8;
	change_to(two, 3);
	assert_int_equal(kit.stream.running_tid, RECORD_TASK_UNKNOWN);
	glance = fake_event(kit.stream.tracepoints.of[SCHED_GLANCE].fd);
	assert_int_not_equal(glance->fd, first);
	assert_true(glance->is_open && glance->is_enabled);
	told.id = (uint64_t)glance->fd * 10;
	put(fake_tapped(&told, NULL, 0));
	round_of();
	assert_int_equal(kit.stream.running_tid, 41);
}

UNIT_TEST(cpu_stream_mark_unreadable_group_still_ends_the_round)
{
	open_kit(false);
	put_sample(0, 1);
	leader(0)->is_unreadable = true;
	mark();

	assert_string_equal(round_of(), "s0:1 ");
	assert_true(kit.stream.is_dead);
	assert_false(kit.stream.mark.is_waiting);
}

UNIT_TEST(cpu_stream_mark_clock_that_stands_still_means_dead)
{
	open_kit(false);
	set_reading(0, 1);
	mark();
	round_of();
	assert_false(kit.stream.is_dead);

	set_reading(0, 2);
	mark();
	round_of();
	assert_false(kit.stream.is_dead);

	mark();
	round_of();
	assert_true(kit.stream.is_dead);
}

UNIT_TEST(cpu_stream_enable_gives_the_first_turn_with_a_baseline)
{
	make_plan(true);
	assert_true(try_open());
	set_reading(1, 4);
	assert_true(cpu_stream_enable(&kit.stream));

	assert_true(leader(0)->is_enabled);
	assert_true(leader(1)->is_enabled);
	assert_false(leader(2)->is_enabled);
	assert_string_equal(round_of(), "r1:4! ");
}

/* What the first turn counts from here on is counted in time that the clock has, too. */
UNIT_TEST(cpu_stream_enable_late_gives_the_clock_a_baseline_too)
{
	make_plan(true);
	assert_true(try_open());
	set_reading(0, 3);
	set_reading(1, 4);
	cpu_stream_enable_late(&kit.stream);

	assert_true(leader(0)->is_enabled);
	assert_true(leader(1)->is_enabled);
	assert_false(leader(2)->is_enabled);
	assert_string_equal(round_of(), "r0:3! r1:4! ");
}

UNIT_TEST(cpu_stream_rotate_closes_one_turn_and_begins_the_next)
{
	open_kit(true);
	set_reading(0, 2);
	set_reading(1, 5);
	set_reading(2, 9);
	put_sample(0, 2);
	rotate();
	put_sample(2, 10);

	assert_false(leader(1)->is_enabled);
	assert_true(leader(2)->is_enabled);
	assert_true(leader(0)->is_enabled);
	assert_string_equal(round_of(), "r2:9! s0:2+2:10 r0:2 r1:5 r0:2 ");
}

UNIT_TEST(cpu_stream_rotate_after_the_last_group_comes_the_first)
{
	open_kit(true);
	rotate();
	round_of();
	set_reading(1, 6);
	rotate();

	assert_true(leader(1)->is_enabled);
	assert_false(leader(2)->is_enabled);
	assert_string_equal(round_of(), "r1:6! r0:0 r2:0 r0:0 ");
}

UNIT_TEST(cpu_stream_rotate_group_that_is_alone_in_its_turn_stays_on)
{
	static const char *const names[] = {"e1"};

	open_kit_of(names, 1);
	rotate();

	assert_true(leader(1)->is_enabled);
	assert_string_equal(round_of(), "");
}

static void rest(void)
{
	cpu_stream_rotate(&kit.stream, true);
}

/* The last readings have their place, and what is always on goes on. */
UNIT_TEST(cpu_stream_rotate_empty_turn_leaves_on_what_always_is)
{
	static const char *const names[] = {"e1", "sw-a"};

	open_kit_of(names, 2);
	set_reading(0, 2);
	set_reading(1, 5);
	put_sample(0, 2);
	rest();

	assert_true(leader(0)->is_enabled);
	assert_false(leader(1)->is_enabled);
	assert_string_equal(round_of(), "s0:2 r0:2 r1:5 r0:2 ");

	rest(); /* another one */
	assert_false(leader(1)->is_enabled);
	set_reading(0, 3);
	put_sample(0, 3);
	mark();
	assert_string_equal(round_of(), "s0:3 r0:3 ");

	set_reading(1, 6);
	rotate();
	assert_true(leader(1)->is_enabled);
	assert_string_equal(round_of(), "r1:6! ");
}

UNIT_TEST(cpu_stream_rotate_behind_an_empty_turn_the_next_group_follows)
{
	open_kit(true);
	rotate();
	assert_true(leader(2)->is_enabled);
	rest();
	assert_false(leader(1)->is_enabled || leader(2)->is_enabled);
	rotate();

	assert_true(leader(1)->is_enabled);
	assert_false(leader(2)->is_enabled);
}

/* What comes meanwhile waits for its turn like all others. */
UNIT_TEST(cpu_stream_commit_in_an_empty_turn_counts_no_hardware_yet)
{
	static const char *const names[] = {"e1", "sw-a"}, *const more[] = {"e1", "sw-a", "e2"};

	open_kit_of(names, 2);
	rest();
	change_to(more, 3);
	for (size_t i = 1; i < kit.stream.bundle.count; i++)
		if (kit.stream.slots[i].takes_turns)
			assert_false(kit.stream.slots[i].is_on);
	rotate();
	/* the clock, and one of the turn */
	assert_int_equal(__builtin_popcountll(kit.stream.on_groups), 2);
}

UNIT_TEST(cpu_stream_rotate_nothing_to_rotate_reads_nothing)
{
	static const char *const names[] = {"e1", "sw-a"};

	open_kit_of(names, 2);
	rotate();

	assert_string_equal(round_of(), "");
	assert_true(leader(1)->is_enabled);
}

UNIT_TEST(cpu_stream_commit_added_software_counts_at_once_from_a_baseline)
{
	static const char *const names[] = {"sw-a", "sw-b"};
	int clock;

	open_kit_of(names, 1);
	clock = kit.stream.bundle.groups[0].leader_fd;
	change_to(names, 2);

	assert_int_not_equal(kit.stream.bundle.groups[0].leader_fd, clock);
	assert_true(leader(0)->is_enabled);
	assert_int_equal(leader(0)->output, kit.stream.timeline_fd);
	assert_string_equal(round_of(), "r0:0! ");
	set_reading(0, 7);
	mark();
	assert_string_equal(round_of(), "r0:7 ");
}

UNIT_TEST(cpu_stream_commit_samples_of_closed_groups_are_left_out)
{
	static const char *const names[] = {"sw-a", "e1"};

	open_kit_of(names, 2);
	put_sample(1, 5);
	put_sample(0, 2);
	change_to(names, 1);

	assert_string_equal(round_of(), "r0:0! ");
	mark();
	assert_string_equal(round_of(), "r0:0 ");
}

UNIT_TEST(cpu_stream_commit_new_turn_begins_where_none_is_on)
{
	static const char *const names[] = {"sw-a", "e1", "e2"};
	static const char *const others[] = {"sw-a", "e2", "e3"};

	open_kit_of(names, 3);
	assert_true(leader(1)->is_enabled);
	change_to(others, 3);

	assert_int_equal(leader(1)->is_enabled + leader(2)->is_enabled, 1);
}

/* What is on after the border: the clock, what has no room in it, and one group of each turn. */
UNIT_TEST(cpu_stream_mark_prepared_groups_count_from_the_border_on)
{
	static const char *const names[] = {"sw-a", "e1", "e2"};
	int before[2], after[3];

	open_kit_of(names, 2);
	for (size_t i = 0; i < 2; i++)
		before[i] = kit.stream.bundle.groups[i].leader_fd;
	assert_true(prepare(names, 3));
	for (size_t i = 0; i < 3; i++)
		after[i] = kit.stream.bundle.next[i].leader_fd;
	set_reading(0, 4);
	set_reading(1, 5);
	put_sample(0, 4);
	mark();

	assert_false(fake_event(before[0])->is_enabled || fake_event(before[1])->is_enabled);
	assert_true(fake_event(after[0])->is_enabled && fake_event(after[1])->is_enabled);
	assert_false(fake_event(after[2])->is_enabled);
	assert_string_equal(round_of(), "s0:4 r0:4 r1:5 ");
	fake_event(after[1])->reading.values[0] = 1; /* it was not its first one */
	cpu_stream_commit(&kit.stream, &kit.next);
	plan_fini(&kit.plan);
	kit.plan = kit.next;
	assert_string_equal(round_of(), "r0:0! r1:0! ");
	assert_false(fake_event(before[0])->is_open || fake_event(before[1])->is_open);
}

static int four_breakpoints(const struct group_request *request)
{
	return fake_open_count() + request->count > 4 ? ENOSPC : 0;
}

/* There are four breakpoints: these are opened when the old ones are closed. */
UNIT_TEST(cpu_stream_commit_without_room_beside_opens_behind)
{
	static const char *const names[] = {"sw-a", "sw-b"};

	open_kit_of(names, 1);
	assert_true(fake_open_count() < 4);
	fake.refuse_group = NULL;
	plan_copy(&kit.next, &kit.plan);
	assert_true(plan_change(&kit.next, made_set(names, 2), &kit.trials, NULL));
	fake.refuse_group = four_breakpoints;
	assert_true(cpu_stream_prepare(&kit.stream, &kit.next, &kit.error));
	set_reading(0, 3);
	mark();
	assert_true(leader(0)->is_enabled); /* up to then the old ones count */
	assert_string_equal(round_of(), "r0:3 ");
	cpu_stream_commit(&kit.stream, &kit.next);
	plan_fini(&kit.plan);
	kit.plan = kit.next;

	assert_int_equal(leader(0)->members, 2);
	assert_true(leader(0)->is_enabled && kit.stream.has_restarted);
	assert_int_equal(leader(0)->output, kit.stream.timeline_fd);
	assert_string_equal(round_of(), "r0:0! ");
}

UNIT_TEST(cpu_stream_prepare_without_descriptors_changes_nothing)
{
	static const char *const names[] = {"sw-a", "sw-b", "e1", "e2"};
	size_t open;

	open_kit_of(names, 1);
	open = fake_open_count();
	fake.most_open = open + 3; /* one group and the leader of another */

	assert_false(prepare(names, 4));
	assert_int_equal(kit.error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
	mark();
	assert_string_equal(round_of(), "r0:0 ");
}

UNIT_TEST(cpu_stream_abandon_closes_what_was_prepared)
{
	static const char *const names[] = {"sw-a", "sw-b", "e1"};
	size_t open;

	open_kit_of(names, 1);
	open = fake_open_count();
	assert_true(prepare(names, 3));
	assert_true(fake_open_count() > open);
	cpu_stream_abandon(&kit.stream);
	plan_fini(&kit.next);

	assert_int_equal(fake_open_count(), open);
}

UNIT_TEST(cpu_stream_commit_before_it_is_enabled_leaves_all_off)
{
	static const char *const names[] = {"sw-a", "sw-b", "e1"};

	make_plan_of(names, 1);
	assert_true(try_open());
	change_to(names, 3);

	assert_int_equal(kit.stream.bundle.groups[0].count, 2);
	assert_false(leader(0)->is_enabled);
	assert_false(leader(1)->is_enabled);
	assert_true(cpu_stream_enable(&kit.stream));
	assert_true(leader(1)->is_enabled);
}

UNIT_TEST(cpu_stream_pause_gives_the_counters_free_until_it_is_resumed)
{
	static const char *const names[] = {"sw-a", "e1"};

	open_kit_of(names, 2);
	cpu_stream_pause(&kit.stream);
	assert_true(leader(0)->is_enabled);
	assert_false(leader(1)->is_enabled);
	cpu_stream_resume(&kit.stream);

	assert_true(leader(1)->is_enabled);
	assert_string_equal(round_of(), "r1:0! ");
}

UNIT_TEST(cpu_stream_next_name_without_end_is_ended)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(false);
	put(fake_comm(&told, "0123456789abcdef", 16));

	assert_string_equal(round_of(), "comm:0123456789abcdef ");
}

/* Software events that fire together carry the id of the first one (seen on Linux 6.18). */
UNIT_TEST(cpu_stream_next_sample_belongs_to_the_leader_in_its_reading)
{
	struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(true);
	told.id = kit.stream.bundle.groups[1].ids[0];
	put(fake_sample(&told, kit.stream.bundle.groups[1].ids[0], 1, 3, 0));
	put(fake_sample(&told, kit.stream.bundle.groups[0].ids[0], 1, 2, 0));

	assert_string_equal(round_of(), "s1:3+0:2 ");
}

/* The task that leaves in the next switch with a sample. */
static int32_t next_leaver(void)
{
	struct record record = {.kind = RECORD_LOST};
	bool is_found = false;

	cpu_stream_begin(&kit.stream, UINT64_MAX);
	while (!is_found && cpu_stream_has_next(&kit.stream))
		is_found = cpu_stream_next(&kit.stream, &record) && record.kind == RECORD_SWITCH &&
			   record.ctx_switch.reading_count > 0;
	assert_true(is_found);
	cpu_stream_end(&kit.stream);
	return record.tid;
}

/* Its numbers are made for whoever's event fired first; switch records are made for us. */
UNIT_TEST(cpu_stream_next_sample_is_of_who_came)
{
	const struct fake_told told = {.time = 1000, .pid = 5, .tid = 6, .cpu = CPU};

	open_kit(true);
	put_sample(0, 1);
	assert_int_equal(next_leaver(), 7); /* nobody was seen to come */
	put_switch(false, 150);
	put_sample(0, 2);
	put_sample(1, 2);
	assert_int_equal(next_leaver(), 8);
	put_sample(0, 3); /* 8 has left, so who came was not told */
	assert_int_equal(next_leaver(), 7);
	put_switch(false, 350);
	put_sample(0, 5);
	put_switch(true, 500); /* who says it is 7 */
	assert_int_equal(next_leaver(), 7);
	put_switch(false, 550);
	put(fake_lost(&told, 3));
	put_sample(0, 6);
	assert_int_equal(next_leaver(), 7);
}

/* A thread that calls exec gets the number of its process. */
UNIT_TEST(cpu_stream_next_sample_after_exec_is_of_the_new_number)
{
	const struct fake_told came = {.time = 100, .pid = 5, .tid = 6, .cpu = CPU};
	const struct fake_told execs = {.time = 200, .pid = 5, .tid = 5, .cpu = CPU};
	struct fake_record comm = fake_comm(&execs, "new\0\0\0\0", 8);

	open_kit(false);
	put(fake_switch(&came, false, 1));
	comm.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	put(comm);
	put_sample(0, 3);
	assert_int_equal(next_leaver(), 5);
}

UNIT_TEST(cpu_stream_next_sample_of_nobody_is_left_out)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(true);
	put(fake_sample(&told, 5, 1, 3, 0));
	put_sample(0, 4);

	assert_string_equal(round_of(), "s0:4 ");
}

UNIT_TEST(cpu_stream_next_sample_with_wrong_count_is_skipped)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(false);
	put(fake_sample(&told, kit.stream.bundle.groups[0].ids[0], 3, 1, 0));
	put_sample(0, 2);

	assert_string_equal(round_of(), "s0:2 ");
}

UNIT_TEST(cpu_stream_next_sample_of_a_group_that_a_profiler_has_joined_is_delivered)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};
	const struct group *group;

	open_kit(false);
	group = &kit.stream.bundle.groups[0];
	put(fake_sample(&told, group->ids[0], group->count + 1, 1, 0));
	put_sample(0, 2);

	assert_string_equal(round_of(), "s0:1 s0:2 ");
}

UNIT_TEST(cpu_stream_next_lost_records_are_told)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(false);
	put(fake_lost(&told, 12));

	assert_string_equal(round_of(), "lost:12 ");
}

/* The ring was full, was emptied between two ticks, and is full again: 5 switches of 3 records are
 * lost, then 2. */
UNIT_TEST(cpu_stream_mark_does_not_count_again_what_lost_records_have_reported)
{
	const struct fake_told told = {.time = 5, .cpu = CPU};

	open_kit(false);
	put(fake_lost(&told, 15));
	assert_string_equal(round_of(), "lost:15 ");
	set_reading(0, 7);
	leader(0)->reading.leader_lost = 7;
	mark();
	assert_string_equal(round_of(), "lost:0 r0:7 ");

	set_reading(0, 8);
	leader(0)->reading.leader_lost = 8;
	mark();
	assert_string_equal(round_of(), "lost:1 r0:8 ");
	put(fake_lost(&told, 9)); /* of the three switches since the first LOST record */
	assert_string_equal(round_of(), "lost:8 ");
}

UNIT_TEST(cpu_stream_mark_reports_what_cannot_be_read_as_lost)
{
	const struct fake_told told = {.time = 5, .cpu = CPU};
	struct fake_record cut = fake_switch(&told, true, 8), unknown = cut, last = cut;
	struct perf_event_header *header;

	open_kit(false);
	cut.header.size = sizeof(cut.header);
	unknown.header.type = 4711; /* of a younger kernel: nothing is missed */
	put(cut);
	put(unknown);
	assert_string_equal(round_of(), "");
	mark();
	assert_string_equal(round_of(), "lost:1 r0:0 ");

	put(last);
	header = (void *)(timeline()->ring + FAKE_PAGE + kit.stream.ring.position);
	header->size = 4; /* what follows cannot be believed */
	mark();
	assert_string_equal(round_of(), "lost:1 r0:0 ");
	mark();
	assert_string_equal(round_of(), "r0:0 ");
}

UNIT_TEST(cpu_stream_mark_tells_lost_samples_at_once_and_only_once)
{
	const struct fake_told told = {.time = 1, .tid = 7, .cpu = CPU};

	open_kit(false);
	set_reading(0, 2);
	leader(0)->reading.leader_lost = 5;
	mark();

	assert_string_equal(round_of(), "lost:5 r0:2 ");

	/* the kernel's own word comes later, and has the records of the time line in it too */
	set_reading(0, 3);
	put(fake_lost(&told, 12));
	mark();

	assert_string_equal(round_of(), "lost:7 r0:3 ");
}

UNIT_TEST(cpu_stream_next_record_that_contradicts_its_format_is_skipped)
{
	struct fake_record broken = {.header.type = PERF_RECORD_SAMPLE};

	open_kit(false);
	fake_add_u64(&broken, 1);
	put(broken);
	put_sample(0, 2);

	assert_string_equal(round_of(), "s0:2 ");
}

UNIT_TEST(cpu_stream_end_gives_the_ring_back_to_the_kernel)
{
	const struct perf_event_mmap_page *page;

	open_kit(false);
	page = (const struct perf_event_mmap_page *)timeline()->ring;
	put_sample(0, 1);
	round_of();

	assert_true(page->data_head > 0);
	assert_int_equal(page->data_tail, page->data_head);
}

UNIT_TEST(cpu_stream_open_redirects_everything_into_one_ring)
{
	open_kit(true);

	assert_int_equal(kit.stream.ring.data_bytes, RING);
	assert_int_equal(timeline()->output, -1);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(leader(i)->output, kit.stream.timeline_fd);
	assert_int_equal(timeline()->content, TIMELINE_SWITCHES | TIMELINE_TASKS);
	assert_int_equal(leader(1)->cpu, CPU);
}

UNIT_TEST(cpu_stream_open_halves_the_ring_until_it_is_granted)
{
	make_plan(false);
	fake.ring_most = 100 * 1024;
	assert_true(try_open());

	assert_int_equal(kit.stream.ring.data_bytes, 64 * 1024);
	assert_int_equal(timeline()->wakeup_bytes, 64 * 1024 / CPU_STREAM_WAKEUP_SHARE);
}

UNIT_TEST(cpu_stream_open_ring_takes_along_all_that_is_open)
{
	static const struct sched_tracepoint_spec waking;
	struct sched_tracepoint *tracepoint = &kit.stream.tracepoints.of[SCHED_WAKING];
	size_t bytes = 4 * RING;
	int before;

	fake_set_switch(&kit.sched_switch);
	kit.leader = &kit.sched_switch;
	kit.host.is_virtual = true;
	make_plan(true);
	assert_true(try_open());
	*tracepoint = (struct sched_tracepoint){.event = &waking, .fd = fake_open(-1, CPU)->fd};
	before = kit.stream.timeline_fd;
	fake.ring_most = 2 * RING;

	assert_true(cpu_stream_open_ring(&kit.stream, &bytes, NULL));
	assert_int_equal(bytes, 2 * RING);
	assert_int_equal(kit.stream.ring.data_bytes, 2 * RING);
	assert_int_equal(timeline()->content, TIMELINE_TASKS);
	assert_false(fake_event(before)->is_open);
	for (size_t i = 0; i < kit.stream.bundle.count; i++)
		assert_int_equal(leader(i)->output, kit.stream.timeline_fd);
	assert_int_equal(fake_event(kit.stream.switches_fd)->output, kit.stream.timeline_fd);
	assert_int_equal(fake_event(tracepoint->fd)->output, kit.stream.timeline_fd);
}

static int no_instructions(const struct group_request *request)
{
	return strcmp(request->specs[0]->name, "instructions") == 0 ? EMFILE : 0;
}

static int nothing(const struct group_request *request)
{
	return EMFILE;
}

UNIT_TEST(cpu_stream_open_refused_closes_everything)
{
	static const struct {
		const char *name;
		size_t ring_most;
		int refuse_timeline, refuse_redirect;
		int (*refuse_group)(const struct group_request *request);
		enum error_code code;
		size_t opened; /* descriptors, before it is refused: a time line for each size */
	} cases[] = {
		/* clang-format off */
		{"no ring", CPU_STREAM_RING_MIN - 1, 0, 0, one_counter, ERROR_PERF_MEMLOCK, 9},
		{"no timeline", 0, EMFILE, 0, one_counter, ERROR_PERF_FD_LIMIT, 6},
		{"no redirection", 0, 0, EINVAL, one_counter, ERROR_PERF_INVALID, 7},
		{"not the last group", 0, 0, 0, no_instructions, ERROR_PERF_FD_LIMIT, 4},
		{"no group", 0, 0, 0, nothing, ERROR_PERF_FD_LIMIT, 0},
		/* clang-format on */
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		make_plan(true);
		fake.ring_most = cases[i].ring_most;
		fake.refuse_timeline = cases[i].refuse_timeline;
		fake.refuse_redirect = cases[i].refuse_redirect;
		fake.refuse_group = cases[i].refuse_group;

		assert_false(try_open());
		assert_int_equal(kit.error.code, cases[i].code);
		assert_int_equal(fake.count - kit.before, cases[i].opened);
		tear_down(state);
		set_up(state);
	}
}

UNIT_TEST(cpu_stream_close_never_opened_is_allowed)
{
	struct cpu_stream stream = {.timeline_fd = -1, .switches_fd = -1};

	cpu_stream_close(&stream);

	assert_int_equal(stream.timeline_fd, -1);
}

/* --- hardware in the clock group */

static void set_times(uint64_t enabled_ns, uint64_t running_ns)
{
	leader(0)->reading.enabled_ns = enabled_ns;
	leader(0)->reading.running_ns = running_ns;
	mark();
	round_of();
}

UNIT_TEST(cpu_stream_mark_sees_that_others_have_the_counters)
{
	open_kit(false);
	set_times(1000000000, 1000000000);
	assert_false(kit.stream.is_contended);
	set_times(2000000000, 1995000000); /* a moment, as when somebody looks what fits */
	assert_false(kit.stream.is_contended);
	set_times(3000000000, 2500000000);
	assert_true(kit.stream.is_contended);
	set_times(4000000000, 3500000000);
	assert_false(kit.stream.is_contended);
}

UNIT_TEST(cpu_stream_commit_another_clock_begins_anew_in_the_same_ring)
{
	static const char *const one[] = {"sw-a", "e1"}, *const two[] = {"sw-a", "e1", "e2"};
	int ring;

	kit.shares_clock = true;
	open_kit_of(one, 2);
	ring = cpu_stream_ring_fd(&kit.stream);
	put_sample(0, 1);
	put_switch(false, 100);
	round_of();
	assert_int_equal(kit.stream.running_tid, 8);
	put_sample(0, 2);
	change_to(two, 3);
	assert_true(kit.stream.has_restarted);
	assert_int_equal(kit.stream.running_tid, RECORD_TASK_UNKNOWN);
	assert_int_equal(cpu_stream_ring_fd(&kit.stream), ring);
	assert_true(leader(0)->is_enabled);
	assert_int_equal(leader(0)->output, ring);
	/* what the old group had left behind is nobody's */
	assert_string_equal(round_of(), "r0:0! r1:0! ");
	put_sample(0, 1);
	assert_string_equal(round_of(), "s0:1 ");
}

UNIT_TEST(cpu_stream_pause_of_a_clock_that_has_counters)
{
	static const char *const names[] = {"sw-a", "e1"};

	kit.shares_clock = true;
	open_kit_of(names, 2);
	cpu_stream_pause(&kit.stream);
	assert_false(leader(0)->is_enabled);
	assert_false(kit.stream.has_restarted);
	cpu_stream_resume(&kit.stream);
	assert_true(leader(0)->is_enabled);
	assert_true(kit.stream.has_restarted);
	assert_string_equal(round_of(), "r0:0! ");
}

/* --- a tracepoint leads */

enum {
	STATE_RUNNING = 0,
	STATE_SLEEPING = 1,
	STATE_PREEMPTED = 0x100
};

static void open_tracepoint_kit(bool rotating)
{
	fake_set_switch(&kit.sched_switch);
	kit.leader = &kit.sched_switch;
	open_kit(rotating);
}

/* What fake_sched_switch() writes of the task that leaves for another. */
static void put_switched_as(size_t group, uint64_t sequence, int32_t prev, int64_t state,
			    int32_t next)
{
	const struct fake_told told = {.time = 100 * sequence, .tid = prev, .cpu = CPU};

	put(fake_sched_switch(&told, kit.stream.bundle.groups[group].ids[0], 1, sequence,
			      10 * sequence, state, next));
}

static void put_switched(size_t group, uint64_t sequence, int32_t prev, int32_t next)
{
	put_switched_as(group, sequence, prev, STATE_SLEEPING, next);
}

static void next_record(struct record *record)
{
	assert_true(cpu_stream_has_next(&kit.stream));
	assert_true(cpu_stream_next(&kit.stream, record));
}

/* All there is; good until the next round. */
static struct record next_switch(void)
{
	struct record record = {0};

	cpu_stream_begin(&kit.stream, UINT64_MAX);
	next_record(&record);
	assert_int_equal(record.kind, RECORD_SWITCH);
	snprintf(kit.name, sizeof(kit.name), "%.*s", TASK_NAME_MAX, record.ctx_switch.name);
	assert_false(cpu_stream_has_next(&kit.stream));
	cpu_stream_end(&kit.stream);
	return record;
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_has_all_of_the_switch)
{
	static const struct {
		int64_t state;
		bool preempted;
		enum task_state is;
	} cases[] = {{STATE_RUNNING, true, TASK_STATE_RUNNABLE},
		     {STATE_PREEMPTED, true, TASK_STATE_RUNNABLE},
		     {STATE_SLEEPING, false, TASK_STATE_SLEEPING},
		     {2, false, TASK_STATE_DISK_SLEEP},
		     {0x80, false, TASK_STATE_IDLE}};

	open_tracepoint_kit(false);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const int32_t prev = 7 + (int32_t)i, next = prev + 1;
		struct record record;
		const struct record_switch *ctx_switch = &record.ctx_switch;
		char name[TASK_NAME_MAX];

		put_switched_as(0, 5 + i, prev, cases[i].state, next);
		record = next_switch();
		snprintf(name, sizeof(name), "task%d", prev);
		assert_string_equal(kit.name, name);
		assert_int_equal(record.tid, prev);
		assert_int_equal(record.pid, prev);
		assert_int_equal(record.time_ns, 100 * (5 + i));
		assert_int_equal(ctx_switch->next_tid, next);
		assert_int_equal(ctx_switch->next_pid, RECORD_TASK_UNKNOWN);
		assert_true(ctx_switch->knows_how);
		assert_int_equal(ctx_switch->preempted, cases[i].preempted);
		assert_int_equal(ctx_switch->state, cases[i].is);
		assert_int_equal(ctx_switch->reading_count, 1);
		assert_false(ctx_switch->readings[0].restarts);
		assert_int_equal(ctx_switch->readings[0].sequence, 5 + i);
		assert_int_equal(ctx_switch->readings[0].enabled_ns, 100 * (5 + i));
		assert_int_equal(ctx_switch->readings[0].values[0], 10 * (5 + i));
	}
}

static void put_sited(size_t group, uint64_t sequence, int64_t state, uint64_t abi)
{
	const struct fake_told told = {.time = 100 * sequence, .tid = 7, .cpu = CPU};
	struct fake_record record = fake_sched_switch(&told, kit.stream.bundle.groups[group].ids[0],
						      1, sequence, 10 * sequence, state, 8);

	fake_add_site(&record, abi, 3, 0x401000);
	put(record);
}

/* A kernel thread has no registers of a program, a 32-bit program has its arguments elsewhere; what
 * is preempted waits for nothing. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_says_where_it_sleeps)
{
	static const struct {
		int64_t state;
		uint64_t abi;
		struct record_site site;
	} cases[] = {{STATE_SLEEPING, 2, {.place = 0x401000, .argument = 3}},
		     {2, 2, {.place = 0x401000, .argument = 3}},
		     {STATE_SLEEPING, 1, {.place = 0x401000, .argument = 3, .is_other = true}},
		     {STATE_SLEEPING, 0, {.place = 1}},
		     {STATE_PREEMPTED, 2, {0}}};

	open_tracepoint_kit(false);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct record record;

		put_sited(0, 5 + i, cases[i].state, cases[i].abi);
		record = next_switch();
		assert_int_equal(record.ctx_switch.site.place, cases[i].site.place);
		assert_int_equal(record.ctx_switch.site.argument, cases[i].site.argument);
		assert_int_equal(record.ctx_switch.site.is_other, cases[i].site.is_other);
		assert_int_equal(record.ctx_switch.readings[0].values[0], 10 * (5 + i));
	}
	put_switched(0, 5 + COUNT_OF(cases), 7, 8);
	assert_int_equal(next_switch().ctx_switch.site.place, 0);
}

/* The clock's sample has it, which may come first or last. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_one_of_two_groups_has_the_site)
{
	const size_t clock = 0, other = 1;

	open_tracepoint_kit(true);
	for (uint64_t i = 1; i <= 2; i++) {
		struct record record;

		if (i == 1)
			put_sited(clock, i, STATE_SLEEPING, 2);
		put_switched(other, i, 7, 8);
		if (i == 2)
			put_sited(clock, i, STATE_SLEEPING, 2);
		record = next_switch();
		assert_int_equal(record.ctx_switch.reading_count, 2);
		assert_int_equal(record.ctx_switch.site.place, 0x401000);
	}
}

#if defined(__x86_64__) || defined(__aarch64__) /* of others no registers are known */
/* Only the clock's leader is asked for it. Up to the border it is not known. */
UNIT_TEST(cpu_stream_commit_of_a_tracepoint_with_sites_has_every_switch)
{
	static const char *const names[] = {"page-faults", "cycles", "instructions"};
	struct event_set *set = made_set(names, 3);
	struct record record;

	open_tracepoint_kit(true);
	plan_copy(&kit.next, &kit.plan);
	set->sites = true;
	assert_true(plan_change(&kit.next, set, &kit.trials, NULL));
	assert_true(cpu_stream_prepare(&kit.stream, &kit.next, &kit.error));
	for (size_t i = 0; i < kit.stream.bundle.next_count; i++)
		assert_int_equal(fake_event(kit.stream.bundle.next[i].leader_fd)->has_site,
				 i == kit.stream.clock);
	set_reading(0, 1);
	set_reading(1, 1);
	put_switched(0, 1, 7, 8);
	put_switched(1, 1, 7, 8);
	mark();
	assert_string_equal(round_of(), "S0:1+1:1 r0:1 r1:1 ");
	cpu_stream_commit(&kit.stream, &kit.next);
	plan_fini(&kit.plan);
	kit.plan = kit.next;
	assert_string_equal(round_of(), "r0:0! r1:0! ");
	put_sited(0, 1, STATE_SLEEPING, 2);
	put_switched(1, 1, 7, 8);
	record = next_switch();
	assert_int_equal(record.ctx_switch.reading_count, 2);
	assert_int_equal(record.ctx_switch.site.place, 0x401000);
}
#endif

static const int CGROUPS[] = {50, 51};

static void open_cgroups_kit(bool rotating)
{
	kit.of = (struct group_cgroups){CGROUPS, COUNT_OF(CGROUPS)};
	open_tracepoint_kit(rotating);
}

/* "PREV>NEXT SEQUENCE:VALUE", "r SEQUENCE:VALUE" of each record, the tasks by their tids. */
static const char *round_of_cgroups(void)
{
	struct strbuf text = {0};
	struct record record;

	cpu_stream_begin(&kit.stream, UINT64_MAX);
	while (cpu_stream_has_next(&kit.stream)) {
		const struct record_reading *reading = &record.reading;

		if (!cpu_stream_next(&kit.stream, &record))
			continue;
		if (record.kind == RECORD_SWITCH) {
			reading = record.ctx_switch.readings;
			strbuf_printf(&text, "%d>%d", record.tid, record.ctx_switch.next_tid);
		} else {
			strbuf_printf(&text, "r%d", record.tid);
		}
		if (record.kind != RECORD_SWITCH || record.ctx_switch.reading_count > 0) {
			assert_true(reading->group < kit.stream.group_count);
			strbuf_printf(&text, " %d:%d", (int)reading->sequence,
				      (int)reading->values[0]);
		}
		strbuf_add(&text, "; ");
	}
	cpu_stream_end(&kit.stream);
	snprintf(kit.text, sizeof(kit.text), "%s", strbuf_text(&text));
	strbuf_fini(&text);
	return kit.text;
}

/* All that is there of each writes into one ring. */
UNIT_TEST(cpu_stream_open_of_two_cgroups_has_the_groups_of_each)
{
	size_t of_cgroup[COUNT_OF(CGROUPS)] = {0};

	open_cgroups_kit(false);
	sched_tracepoints_glance_again(&kit.stream);
	assert_int_equal(kit.stream.bundle.count, 2 * kit.stream.group_count);
	for (size_t i = 0; i < fake.count; i++) {
		const struct fake_event *event = &fake.events[i];

		if (!event->is_open || event->fd == kit.stream.timeline_fd)
			continue;
		for (size_t j = 0; j < COUNT_OF(CGROUPS); j++)
			of_cgroup[j] +=
				event->pid == CGROUPS[j] && event->output == kit.stream.timeline_fd;
	}
	/* leader and glance; of the second its time line, too */
	assert_int_equal(of_cgroup[0], 2);
	assert_int_equal(of_cgroup[1], 3);
}

/* From one of them to the other: it is counted once, where the first one's task leaves. */
UNIT_TEST(cpu_stream_next_of_two_cgroups_is_the_sum_of_both)
{
	open_cgroups_kit(false);
	put_switched(0, 1, 7, 8);
	assert_string_equal(round_of_cgroups(), "7>0 1:0; ");
	put_switched(1, 1, 8, 7);
	assert_string_equal(round_of_cgroups(), "0>8; 8>0 2:0; ");
	put_switched(0, 2, 7, 8);
	put_switched(1, 2, 8, 9);
	assert_string_equal(round_of_cgroups(), "0>7; 7>0 3:10; 0>8; 8>0 4:20; ");
	put_switched(1, 4, 8, 9);
	assert_string_equal(round_of_cgroups(), "0>8; 8>0 6:40; "); /* one is missing */
}

UNIT_TEST(cpu_stream_mark_of_two_cgroups_reads_both)
{
	struct fake_told told = {.time = 230, .pid = 8, .tid = 8, .cpu = CPU};

	open_cgroups_kit(false);
	put_switched(0, 1, 7, 8);
	put_switched(1, 1, 8, 7);
	round_of_cgroups();
	put_switched(0, 2, 7, 8);
	sched_tracepoints_glance_again(&kit.stream);
	told.id = (uint64_t)kit.stream.more_cgroups[0].glance.fd * 10;
	assert_int_equal(fake_event(kit.stream.more_cgroups[0].glance.fd)->pid, CGROUPS[1]);
	put(fake_tapped(&told, NULL, 0));
	for (size_t i = 0; i < 2; i++) {
		struct group_reading *reading = &leader(i)->reading;

		reading->enabled_ns = reading->running_ns = i == 0 ? 200 : 130;
		reading->values[0] = i == 0 ? 2 : 1;
		reading->values[1] = i == 0 ? 20 : 13;
	}
	mark();
	assert_string_equal(round_of_cgroups(), "0>7; 7>0 3:10; r0 3:10; 0>8; r8 3:13; ");
	put_switched(1, 2, 8, 9);
	assert_string_equal(round_of_cgroups(), "8>0 4:20; ");
}

/* A group's turn ends for both at once; what it counted stays in the sum. */
UNIT_TEST(cpu_stream_rotate_of_two_cgroups_turns_both)
{
	open_cgroups_kit(true);
	for (size_t i = 0; i < kit.stream.bundle.count; i++) {
		const bool is_first = i % kit.stream.group_count < 2;

		assert_int_equal(leader(i)->is_enabled, is_first);
	}
	cpu_stream_rotate(&kit.stream, false);
	for (size_t i = 0; i < kit.stream.bundle.count; i++)
		assert_int_equal(leader(i)->is_enabled, i % kit.stream.group_count != 1);
	assert_int_equal(kit.stream.mark.count, 6);
	assert_true(kit.stream.mark.is_waiting);
}

/* The bits of a word are of all groups that are open. */
UNIT_TEST(cpu_stream_open_of_more_groups_than_there_can_be_is_refused)
{
	static const int many[65] = {1};

	kit.of = (struct group_cgroups){many, COUNT_OF(many)};
	fake_set_switch(&kit.sched_switch);
	kit.leader = &kit.sched_switch;
	make_plan(false);
	assert_false(try_open());
	assert_int_equal(kit.error.code, ERROR_CGROUP_GROUPS);
}

/* A profiler that has joined the group has a value behind those of the members. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_that_a_profiler_has_joined_is_the_same)
{
	const struct fake_told told = {.time = 500, .tid = 7, .cpu = CPU};
	struct record record;
	uint64_t id;

	open_tracepoint_kit(false);
	id = kit.stream.bundle.groups[0].ids[0];
	put(fake_sched_switch(&told, id, 2, 5, 50, STATE_SLEEPING, 8));
	record = next_switch();
	assert_int_equal(record.ctx_switch.readings[0].sequence, 5);
	assert_int_equal(record.ctx_switch.readings[0].values[0], 50);
	assert_string_equal(kit.name, "task7");
	assert_int_equal(record.ctx_switch.next_tid, 8);
}

/*
 * Several in one round: mostly the next sample looks like the one before. One is of another event,
 * and so none of ours; the last one is later.
 */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_switches_in_a_row_may_differ_in_form)
{
	static const size_t members[] = {1, 1, 2, 1, 1, 1, 1};
	static const size_t foreign = 5;
	const size_t last = COUNT_OF(members) - 1;
	struct record record = {0};

	open_tracepoint_kit(false);
	for (size_t i = 0; i <= last; i++) {
		const struct fake_told told = {
			.time = 100 * (5 + i), .tid = 7 + (int32_t)i, .cpu = CPU};

		put(fake_sched_switch(
			&told, kit.stream.bundle.groups[0].ids[0] + (i == foreign ? 999 : 0),
			members[i], 5 + i, 10 * (5 + i), STATE_SLEEPING, 8 + (int32_t)i));
	}
	for (size_t i = 0; i <= last; i++) {
		if (i == foreign)
			continue;
		if (i == 0 || i == last)
			cpu_stream_begin(&kit.stream, 100 * (5 + last) - (i == last ? 0 : 1));
		next_record(&record);
		assert_int_equal(record.kind, RECORD_SWITCH);
		assert_int_equal(record.tid, 7 + i);
		assert_int_equal(record.ctx_switch.next_tid, 8 + i);
		assert_int_equal(record.time_ns, 100 * (5 + i));
		assert_int_equal(record.ctx_switch.readings[0].sequence, 5 + i);
		assert_int_equal(record.ctx_switch.readings[0].values[0], 10 * (5 + i));
		if (i + 1 < foreign)
			continue;
		while (cpu_stream_has_next(&kit.stream))
			assert_false(cpu_stream_next(&kit.stream, &record));
		cpu_stream_end(&kit.stream);
	}
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_group_names_who_leaves)
{
	struct record record;

	open_tracepoint_kit(true);
	put_switched(1, 1, 7, 8);
	cpu_stream_begin(&kit.stream, UINT64_MAX);
	next_record(&record);
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_string_equal(record.ctx_switch.name, "task7");
	cpu_stream_end(&kit.stream);
}

/* The state of the first one that leaves in what there is. */
static int state_of_the_leaver(void)
{
	struct record record;
	int state = -1;

	cpu_stream_begin(&kit.stream, UINT64_MAX);
	while (cpu_stream_has_next(&kit.stream))
		if (cpu_stream_next(&kit.stream, &record) && record.kind == RECORD_SWITCH &&
		    state < 0)
			state = record.ctx_switch.state;
	cpu_stream_end(&kit.stream);
	return state;
}

/* Whoever writes the switch: the kernel, in which case its next record has a state of its own. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_switch_records_have_the_state)
{
	kit.host.is_virtual = true;
	open_tracepoint_kit(false);
	put_switched_as(0, 1, 7, 2, 8);
	put_switch(true, 100);
	put_switch(false, 100);
	assert_int_equal(state_of_the_leaver(), TASK_STATE_DISK_SLEEP);
	put_switch(true, 200);
	assert_int_equal(state_of_the_leaver(), TASK_STATE_UNKNOWN);
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_switch_of_two_groups_has_the_state)
{
	open_tracepoint_kit(true);
	put_switched_as(1, 1, 7, 2, 8);
	put_switched_as(0, 1, 7, 2, 8);
	assert_int_equal(state_of_the_leaver(), TASK_STATE_DISK_SLEEP);
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_idle_has_the_ids_of_idle)
{
	struct record record;

	open_tracepoint_kit(false);
	put_switched(0, 1, 7, 0);
	record = next_switch();
	assert_int_equal(record.ctx_switch.next_pid, 0);
	assert_int_equal(record.ctx_switch.next_tid, 0);
}

/* Its ids are gone from the sample by then; the raw data still have the tid. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_knows_a_reaped_task)
{
	const struct fake_told told = {.time = 100, .tid = 7, .cpu = CPU};
	struct fake_record record;
	struct record reading;

	open_tracepoint_kit(false);
	record = fake_sched_switch(&told, kit.stream.bundle.groups[0].ids[0], 1, 1, 10, 0x10, 8);
	memset(record.body + 8, 0xff, 8);
	put(record);
	cpu_stream_begin(&kit.stream, UINT64_MAX);
	next_record(&reading);
	assert_int_equal(reading.pid, RECORD_TASK_UNKNOWN);
	assert_int_equal(reading.tid, 7);
	cpu_stream_end(&kit.stream);
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_groups_of_one_switch_are_in_it)
{
	open_tracepoint_kit(true);
	put_switched(1, 1, 7, 8);
	put_switched(0, 1, 7, 8);
	put_switched(0, 2, 8, 7);
	put_switched(1, 2, 8, 7);

	assert_string_equal(round_of(), "S1:1+0:1 S0:2+1:2 ");
}

/* What the kernel is about to write belongs to the switch, until a read(2) says that it is over. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_waits_for_the_other_group)
{
	open_tracepoint_kit(true);
	kit.until_ns = 100000;
	put_switched(1, 1, 7, 8);
	assert_string_equal(round_of(), "");
	put_switched(0, 1, 7, 8);
	assert_string_equal(round_of(), "S1:1+0:1 ");
	put_switched(1, 2, 8, 7);
	set_reading(0, 2);
	set_reading(1, 2);
	mark();
	assert_string_equal(round_of(), "S1:2 r0:2 r1:2 ");
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_reading_stands_before_the_later_switch)
{
	open_tracepoint_kit(false);
	set_reading(0, 2);
	for (uint64_t i = 1; i <= 4; i++)
		put_switched(0, i, 6 + (int32_t)i, 7 + (int32_t)i);
	mark();

	assert_string_equal(round_of(), "S0:1 S0:2 r0:2 ");
	assert_string_equal(round_of(), "S0:3 S0:4 ");
}

/* A read(2) names the running task: that of this process, since it has to be looked up. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_reading_names_the_running_task)
{
	struct record record;

	open_tracepoint_kit(false);
	set_reading(0, 1);
	put_switched(0, 1, 7, (int32_t)getpid());
	mark();
	cpu_stream_begin(&kit.stream, UINT64_MAX);
	for (int i = 0; i < 2; i++)
		next_record(&record);
	cpu_stream_end(&kit.stream);

	assert_int_equal(record.kind, RECORD_READING);
	assert_int_equal(record.tid, getpid());
	assert_int_equal(record.pid, getpid());
}

/*
 * Idle leaves without a sample: what it took cannot be told from what the next task did, until
 * switch records say when that came.
 */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_hidden_idle_brings_switch_records)
{
	open_tracepoint_kit(false);
	kit.until_ns = 100000;
	put_switched(0, 1, 7, 0);
	put_switched(0, 2, 8, 0);
	assert_string_equal(round_of(), "S0:1 S0:2 ");
	assert_int_equal(fake_event(kit.stream.switches_fd)->content, TIMELINE_SWITCHES);
	assert_int_equal(fake_event(kit.stream.switches_fd)->output, kit.stream.timeline_fd);

	put_switched(0, 3, 7, 8);
	assert_string_equal(round_of(), "");
	put_switch(true, 300);
	put_switch(false, 300);
	assert_string_equal(round_of(), "S0:3 ");
	put_switched(0, 4, 8, 0);
	put_switch(false, 400);
	assert_string_equal(round_of(), "S0:4 7~8 ");
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_hidden_idle_without_descriptors_goes_on)
{
	open_tracepoint_kit(false);
	fake.refuse_timeline = EMFILE;
	put_switched(0, 1, 7, 0);
	put_switched(0, 2, 8, 0);
	put_switched(0, 3, 9, 8);

	assert_string_equal(round_of(), "S0:1 S0:2 S0:3 ");
	assert_true(kit.stream.switches_fd < 0);
}

/* Readings that were made before a switch go before it, though only a part of it is written yet. */
UNIT_TEST(cpu_stream_mark_of_a_tracepoint_in_the_middle_of_a_switch)
{
	open_tracepoint_kit(true);
	kit.until_ns = 100000;
	set_reading(0, 0);
	set_reading(1, 0);
	put_switched(0, 1, 7, 8);
	mark();
	assert_string_equal(round_of(), "r0:0 r1:0 ");
	put_switched(1, 1, 7, 8);
	assert_string_equal(round_of(), "S0:1+1:1 ");
}

/* The same where nothing is read. */
UNIT_TEST(cpu_stream_pass_of_a_tracepoint_in_the_middle_of_a_switch)
{
	kit.is_quiet = true;
	open_tracepoint_kit(true);
	kit.until_ns = 100000;
	put_switched(0, 1, 7, 8);
	cpu_stream_pass(&kit.stream, 100000);
	assert_string_equal(round_of(), "unread ");
	put_switched(1, 1, 7, 8);
	assert_string_equal(round_of(), "S0:1+1:1 ");
}

/* A group that others keep from running writes nothing: a switch is not waited for long. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_without_the_other_group_goes_on)
{
	open_tracepoint_kit(true);
	kit.until_ns = 100000;
	put_switched(0, 1, 7, 8);
	assert_string_equal(round_of(), "");
	kit.until_ns = 2000000;
	assert_string_equal(round_of(), "S0:1 ");
}

/* Of a switch that idle hides the kernel writes only that the next task comes. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_arrival_ends_the_switch_before)
{
	open_tracepoint_kit(false);
	kit.until_ns = 100000;
	put_switched(0, 1, 7, 0);
	put_switched(0, 2, 7, 0);
	assert_string_equal(round_of(), "S0:1 S0:2 ");
	put_switch(false, 300);
	assert_string_equal(round_of(), "7~8 ");
	assert_int_equal(kit.stream.running_tid, 8);
}

/* What was counted before the clock was switched on again is no switch of now. */
UNIT_TEST(cpu_stream_resume_of_a_tracepoint_leaves_out_what_was_before)
{
	static const char *const names[] = {"sw-a", "e1"};

	kit.shares_clock = true;
	fake_set_switch(&kit.sched_switch);
	kit.leader = &kit.sched_switch;
	open_kit_of(names, 2);
	set_reading(0, 5);
	for (uint64_t i = 4; i <= 5; i++) {
		const struct fake_told told = {.time = 100 * i, .tid = 7, .cpu = CPU};

		put(fake_sched_switch(&told, kit.stream.bundle.groups[0].ids[0], 2, i, 0, 1, 8));
	}
	cpu_stream_pause(&kit.stream);
	cpu_stream_resume(&kit.stream);
	assert_string_equal(round_of(), "r0:5! ");
	assert_int_equal(kit.stream.running_tid, RECORD_TASK_UNKNOWN);
}

/* The clock has counted switches that left no sample: who runs is not known any more. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_gap_forgets_who_runs)
{
	open_tracepoint_kit(false);
	set_reading(0, 50);
	put_switched(0, 1, 7, (int32_t)getpid());
	mark();
	assert_string_equal(round_of(), "S0:1 r0:50 ");
	assert_int_equal(kit.stream.running_tid, RECORD_TASK_UNKNOWN);
}

/* In a virtual machine, until a sample of idle comes; the records that are in the ring by then
 * count. */
UNIT_TEST(cpu_stream_next_of_a_tracepoint_idle_that_shows_itself_ends_switch_records)
{
	const size_t open = fake_open_count();

	kit.host.is_virtual = true;
	open_tracepoint_kit(false);
	kit.until_ns = 100000;
	assert_int_equal(fake_event(kit.stream.switches_fd)->content, TIMELINE_SWITCHES);
	put_switched(0, 1, 7, 8);
	put_switch(true, 100);
	put_switch(false, 100);
	put_switched(0, 2, 0, 7);
	put_switched(0, 3, 7, 8);
	put_switch(true, 300);
	put_switch(false, 300);
	assert_string_equal(round_of(), "S0:1 S0:2 S0:3 ");
	assert_true(kit.stream.switches_fd < 0);
	put_switched(0, 4, 8, 0);
	put_switched(0, 5, 0, 8);
	assert_string_equal(round_of(), "S0:4 S0:5 ");
	cpu_stream_close(&kit.stream);
	assert_int_equal(fake_open_count(), open);
}

UNIT_TEST(cpu_stream_next_of_a_tracepoint_data_too_short_are_no_switch)
{
	const struct fake_told told = {.time = 100, .tid = 7, .cpu = CPU};

	open_tracepoint_kit(false);
	kit.sched_switch.size = 80;
	put(fake_sched_switch(&told, kit.stream.bundle.groups[0].ids[0], 1, 1, 10, 1, 8));

	assert_string_equal(round_of(), "");
}

UNIT_TEST(cpu_stream_open_with_a_tracepoint_needs_no_switch_records)
{
	open_tracepoint_kit(false);
	assert_int_equal(timeline()->content, TIMELINE_TASKS);
	assert_int_equal(kit.stream.bundle.target.leader, GROUP_LEADER_TRACEPOINT);
	assert_int_equal(kit.stream.bundle.target.tracepoint, kit.sched_switch.spec.config);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
