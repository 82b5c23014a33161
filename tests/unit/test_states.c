/* The states of a thread's life: an interval from 1000 to 2000, and those that follow, of task 7.
 */
#include "switch_kit.h"
#include "unit.h"

static struct model *model;
static const struct snapshot *snapshot;

enum {
	THREAD = 17, /* of task 7's process, as are those up to the last */
	THREAD_LAST = 22
};

static int32_t process_of(int32_t tid)
{
	return tid >= THREAD && tid <= THREAD_LAST ? 7 : tid;
}

static struct record record_of(enum record_kind kind, int32_t tid, uint64_t time_ns)
{
	return (struct record){
		.kind = kind,
		.cpu = RECORD_CPU_NONE,
		.pid = process_of(tid),
		.tid = tid,
		.time_ns = time_ns,
	};
}

static void takes_turns(int32_t prev, int32_t next, enum task_state state, uint64_t time_ns)
{
	struct record record = record_of(RECORD_SWITCH, prev, time_ns);

	record.cpu = 0;
	record.ctx_switch = (struct record_switch){
		.next_pid = process_of(next),
		.next_tid = next,
		.knows_how = true,
		.preempted = state == TASK_STATE_RUNNABLE,
		.state = (uint8_t)state,
	};
	model_feed(model, &record);
}

static void is_woken(int32_t tid, uint64_t time_ns)
{
	const struct record record = record_of(RECORD_WAKEUP, tid, time_ns);

	model_feed(model, &record);
}

static void leaves_at(int32_t tid, uint64_t place, uint64_t argument, uint64_t time_ns)
{
	struct record record = record_of(RECORD_SITE, tid, time_ns);

	record.site = (struct record_site){.place = place, .argument = argument};
	model_feed(model, &record);
}

static void is_seen(int32_t tid, enum sleep_kind kind, bool is_of_call, uint64_t time_ns)
{
	struct record record = record_of(RECORD_SLEEP, tid, time_ns);

	record.sleep = (struct record_sleep){
		.kind = (uint8_t)kind, .is_of_call = is_of_call, .until_ns = time_ns + 5};
	model_feed(model, &record);
}

static void has_used(int32_t tid, uint64_t user_ms, uint64_t system_ms, uint64_t time_ns)
{
	struct record record = record_of(RECORD_CPU_USE, tid, time_ns);

	record.cpu_use = (struct record_cpu_use){user_ms * 1000000, system_ms * 1000000};
	model_feed(model, &record);
}

static uint64_t state_of(int32_t tid, enum quantity quantity)
{
	for (size_t i = 0; i < snapshot->task_count; i++)
		if (snapshot->tasks[i].tid == tid)
			return snapshot->tasks[i].interval[quantity];
	fail_msg("no task %d", tid);
	return 0;
}

/* All states together are the time that it was there. */
static void closes_at(uint64_t time_ns)
{
	snapshot = model_close_interval(model, time_ns);
	for (size_t i = 0; i < snapshot->task_count; i++) {
		const uint64_t *counts = snapshot->tasks[i].interval;
		uint64_t sum = 0;

		for (int q = QUANTITY_LIFE_NS + 1; q <= QUANTITY_UNSURE_NS; q++)
			sum += counts[q];
		assert_int_equal(sum, counts[QUANTITY_LIFE_NS]);
	}
}

/* Task 7 runs on CPU 0. */
static void begins(void)
{
	struct record record = record_of(RECORD_SWITCH, RECORD_TASK_UNKNOWN, 900);

	model = kit_model(1);
	record.cpu = 0;
	record.ctx_switch.next_pid = record.ctx_switch.next_tid = 7;
	model_feed(model, &record);
	model_divide_life(model, true);
	model_start(model, 1000);
}

UNIT_TEST(states_off_the_cpu_are_exact)
{
	begins();
	takes_turns(7, 8, TASK_STATE_RUNNABLE, 1100); /* pushed out for 50 */
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1150);
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1200); /* 100 of disk, 30 of the queue */
	is_woken(7, 1300);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1330);
	takes_turns(7, 8, TASK_STATE_STOPPED, 1400);
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_LIFE_NS), 1000);
	assert_int_equal(state_of(7, QUANTITY_PUSHED_NS), 50);
	assert_int_equal(state_of(7, QUANTITY_DISK_NS), 100);
	assert_int_equal(state_of(7, QUANTITY_RUNQ_NS), 30);
	assert_int_equal(state_of(7, QUANTITY_STOP_NS), 600);
	assert_int_equal(snapshot->unknown & (uint32_t)LAYOUT_STATES, 1u << QUANTITY_IRQ_NS);
	model_destroy(model);
}

UNIT_TEST(states_asleep_are_known_when_they_were_seen_and_in_no_other)
{
	begins();
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1100);
	is_seen(7, SLEEP_LOCK, true, 1150);
	is_woken(7, 1200);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1200);
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1300); /* over before it was seen to the end */
	is_seen(7, SLEEP_NET, true, 1397);
	is_woken(7, 1400);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1400);
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 100);
	assert_int_equal(state_of(7, QUANTITY_NET_NS), 0);
	assert_int_equal(state_of(7, QUANTITY_UNSURE_NS), 900);
	model_destroy(model);
}

static void is_woken_by(int32_t waker_tid, int32_t tid, uint64_t time_ns)
{
	struct record record = record_of(RECORD_WAKEUP, tid, time_ns);

	record.wakeup.waker_tid = waker_tid;
	model_feed(model, &record);
}

/* What a task ends, or none has yet: task 8 may have given a lock away, or it was a disk. Where it
 * was seen in what may take locks it was one. */
UNIT_TEST(states_in_d_that_a_task_ends_are_locks_where_they_were_seen)
{
	begins();
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1000);
	is_woken_by(8, 7, 1300);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1300); /* runs for 10 */
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1310);
	is_seen(7, SLEEP_UNLISTED, false, 1320);
	is_woken_by(8, 7, 1400);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1400); /* and again */
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1410);
	is_seen(7, SLEEP_UNLISTED, false, 1420);
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_UNSURE_NS), 300 + 590 + 20);
	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 90);
	model_destroy(model);
}

/* Its child, task 8, lets it go on: at 1300 nobody has looked, at 1700 it was seen, and the child
 * is at it still. What an interrupt ends is of a disk, however it was seen. */
UNIT_TEST(states_in_vfork_are_no_disk)
{
	struct record birth = record_of(RECORD_FORK, 8, 1050);

	begins();
	birth.fork = (struct record_fork){7, 7};
	model_feed(model, &birth);
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1100);
	is_woken_by(8, 7, 1300);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1300);
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1350);
	is_woken(7, 1400);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1400);
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1500);
	is_seen(7, SLEEP_UNLISTED, false, 1510);
	is_woken(7, 1570);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 1570);
	takes_turns(7, 8, TASK_STATE_DISK_SLEEP, 1600);
	is_seen(7, SLEEP_OTHER, true, 1700);
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_SLEEP_NS), 200 + 400);
	assert_int_equal(state_of(7, QUANTITY_DISK_NS), 50 + 70);
	model_destroy(model);
}

static void pass_on(void *context, const struct record *record)
{
	model_feed(context, record);
}

/* Another model learns what this one knows. */
static void is_begun_anew_at(uint64_t time_ns)
{
	struct model *before = model;

	closes_at(time_ns);
	model = model_create(model_layout(before));
	model_divide_life(model, true);
	model_resync(before, pass_on, model);
	model_start(model, time_ns);
	model_destroy(before);
}

static void sleeps_at(uint64_t place, uint64_t argument, uint64_t from_ns, uint64_t until_ns)
{
	takes_turns(7, 8, TASK_STATE_SLEEPING, from_ns);
	leaves_at(7, place, argument, from_ns);
	is_woken(7, until_ns);
	takes_turns(8, 7, TASK_STATE_SLEEPING, until_ns);
}

/* Of a system call that is always of one kind, whatever its argument; of others with the same one.
 */
UNIT_TEST(states_asleep_are_those_that_were_seen_at_their_site)
{
	for (int is_of_call = 0; is_of_call < 2; is_of_call++) {
		begins();
		takes_turns(7, 8, TASK_STATE_SLEEPING, 1100);
		leaves_at(7, 0x10, 3, 1100);
		is_seen(7, SLEEP_NET, is_of_call, 1110);
		is_woken(7, 1120);
		takes_turns(8, 7, TASK_STATE_SLEEPING, 1120);
		sleeps_at(0x10, 3, 1200, 1250);
		sleeps_at(0x10, 4, 1300, 1400);
		sleeps_at(0x20, 3, 1500, 1700);
		closes_at(2000);

		assert_int_equal(state_of(7, QUANTITY_NET_NS), is_of_call ? 170 : 70);
		model_destroy(model);
	}
}

/* Where it was seen to sleep on a futex, at another one than then, too; not where it slept for
 * anything else. */
UNIT_TEST(states_asleep_on_a_futex_are_in_the_history_with_its_address)
{
	static const struct {
		uint64_t place, argument, lock;
	} sleeps[] = {{0x10, 0x1000, 0x1000}, {0x10, 0x2000, 0x2000}, {0x20, 0x3000, 0}};

	model = kit_running(1);
	model_divide_life(model, true);
	for (uint64_t i = 0; i < COUNT_OF(sleeps); i++) {
		const uint64_t time_ns = 1100 + 100 * i;

		leave_for_8_as(model, &(const struct step){.seq = 11 + 2 * i,
							   .ns = time_ns,
							   .state = TASK_STATE_SLEEPING});
		leaves_at(7, sleeps[i].place, sleeps[i].argument, time_ns);
		if (i == 0)
			is_seen(7, SLEEP_FUTEX, true, time_ns + 10);
		is_woken(7, time_ns + 20);
		return_from_8(model, 12 + 2 * i, time_ns + 20);
		assert_int_equal(last_entry(model).next, 7);
		assert_int_equal(last_entry(model).entry.lock, sleeps[i].lock);
	}
	model_destroy(model);
}

/* Two system calls in one place, as those of syscall(2). */
UNIT_TEST(states_at_a_site_of_two_kinds_are_known_by_its_argument)
{
	begins();
	for (uint64_t argument = 1; argument < 3; argument++) {
		const uint64_t time_ns = 1000 + 100 * argument;

		takes_turns(7, 8, TASK_STATE_SLEEPING, time_ns);
		leaves_at(7, 0x10, argument, time_ns);
		is_seen(7, argument == 1 ? SLEEP_LOCK : SLEEP_NET, true, time_ns + 10);
		is_woken(7, time_ns + 20);
		takes_turns(8, 7, TASK_STATE_SLEEPING, time_ns + 20);
	}
	sleeps_at(0x10, 1, 1300, 1400);
	sleeps_at(0x10, 2, 1500, 1550);
	sleeps_at(0x10, 3, 1600, 1700);
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 120);
	assert_int_equal(state_of(7, QUANTITY_NET_NS), 70);
	model_destroy(model);
}

/* A file descriptor that is another file by then. */
UNIT_TEST(states_at_a_site_whose_argument_is_of_two_kinds_are_those_that_are_seen)
{
	begins();
	for (uint64_t i = 0; i < 4; i++) {
		const uint64_t time_ns = 1100 + 100 * i;

		takes_turns(7, 8, TASK_STATE_SLEEPING, time_ns);
		leaves_at(7, 0x10, 3, time_ns);
		if (i != 2) /* too short to be seen */
			is_seen(7, i == 0 ? SLEEP_NET : SLEEP_OTHER, false, time_ns + 10);
		is_woken(7, time_ns + 20);
		takes_turns(8, 7, TASK_STATE_SLEEPING, time_ns + 20);
	}
	closes_at(2000);

	assert_int_equal(state_of(7, QUANTITY_NET_NS), 20);
	assert_int_equal(state_of(7, QUANTITY_SLEEP_NS), 40);
	assert_int_equal(state_of(7, QUANTITY_UNSURE_NS), 1000 - 60);
	model_destroy(model);
}

/* What is known of a system call by one argument only holds for others, too, but those are looked
 * at. */
UNIT_TEST(states_at_a_site_of_one_argument_are_looked_at_with_another)
{
	struct task_ref refs[16];

	begins();
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1100);
	leaves_at(7, 0x10, 1, 1100);
	is_seen(7, SLEEP_NET, true, 1110);
	is_woken(7, 1120);
	takes_turns(8, 7, TASK_STATE_STOPPED, 1120);
	takes_turns(7, THREAD, TASK_STATE_STOPPED, 1150);
	for (int32_t tid = THREAD; tid < THREAD_LAST; tid++) {
		takes_turns(tid, tid + 1, TASK_STATE_SLEEPING, 1200 + (uint64_t)tid);
		leaves_at(tid, 0x10, (uint64_t)tid, 1200 + (uint64_t)tid);
	}
	assert_int_equal(model_unseen_sleepers(model, refs, COUNT_OF(refs)), THREAD_LAST - THREAD);
	is_seen(THREAD, SLEEP_NET, true, 1300);
	is_woken(THREAD, 1400); /* confirmed: a few are checked */
	takes_turns(THREAD_LAST, THREAD, TASK_STATE_STOPPED, 1400);
	assert_int_equal(model_unseen_sleepers(model, refs, COUNT_OF(refs)), 2);
	closes_at(2000);
	assert_true(state_of(THREAD + 1, QUANTITY_NET_NS) > 700);
	model_destroy(model);
}

/* Task 7 was seen at four sites: of one kind, at the first of them in a call that always is; and
 * where it was asleep twice, in two system calls of one place. */
UNIT_TEST(states_of_sites_go_on_in_a_recording_begun_amid)
{
	static const struct {
		uint64_t place, argument;
		enum sleep_kind kind;
		bool is_of_call;
	} seen[] = {
		{0x10, 1, SLEEP_NET, true},    {0x20, 1, SLEEP_OTHER, false},
		{0x30, 1, SLEEP_LOCK, true},   {0x30, 2, SLEEP_DISK, true},
		{0x40, 1, SLEEP_NET, true},    {0x40, 2, SLEEP_NET, true},
		{0x40, 3, SLEEP_NET, true},    {0x50, 1, SLEEP_NET, false},
		{0x50, 1, SLEEP_OTHER, false}, /* the descriptor was given again */
	};
	struct task_ref refs[16];

	begins();
	for (uint64_t i = 0; i < COUNT_OF(seen); i++) {
		const uint64_t time_ns = 1100 + 100 * i;

		takes_turns(7, 8, TASK_STATE_SLEEPING, time_ns);
		leaves_at(7, seen[i].place, seen[i].argument, time_ns);
		is_seen(7, seen[i].kind, seen[i].is_of_call, time_ns + 10);
		is_woken(7, time_ns + 20);
		takes_turns(8, 7, TASK_STATE_SLEEPING, time_ns + 20);
	}
	is_begun_anew_at(2000);
	is_begun_anew_at(3000); /* and what was learned so goes on */
	sleeps_at(0x10, 2, 3100, 3101);
	sleeps_at(0x20, 1, 3200, 3210);
	sleeps_at(0x20, 2, 3300, 3350);
	sleeps_at(0x30, 1, 3400, 3401);
	sleeps_at(0x30, 2, 3500, 3502);
	sleeps_at(0x30, 3, 3600, 3650);
	sleeps_at(0x40, 4, 3700, 3702);
	sleeps_at(0x50, 1, 3800, 3850);
	closes_at(4000);
	assert_int_equal(state_of(7, QUANTITY_NET_NS), 1 + 2);
	assert_int_equal(state_of(7, QUANTITY_SLEEP_NS), 10);
	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 1);
	assert_int_equal(state_of(7, QUANTITY_DISK_NS), 2);

	/* one was seen with a single argument: others are all looked at, as task 8, but not where
	 * there were more */
	takes_turns(7, THREAD, TASK_STATE_SLEEPING, 4100);
	leaves_at(7, 0x10, 5, 4100);
	for (int32_t tid = THREAD; tid < THREAD_LAST; tid++) {
		takes_turns(tid, tid + 1, TASK_STATE_SLEEPING, 4200 + (uint64_t)tid);
		leaves_at(tid, 0x40, (uint64_t)tid, 4200 + (uint64_t)tid);
	}
	assert_int_equal(model_unseen_sleepers(model, refs, COUNT_OF(refs)), 4);
	model_destroy(model);
}

UNIT_TEST(states_of_a_sleep_over_several_intervals_are_in_each)
{
	struct task_ref refs[4];

	begins();
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1500);
	closes_at(2000);
	assert_int_equal(state_of(7, QUANTITY_UNSURE_NS), 1000);
	assert_int_equal(model_unseen_sleepers(model, refs, 4), 1);
	assert_int_equal(refs[0].tid, 7);
	is_seen(7, SLEEP_OTHER, false, 2100);
	assert_int_equal(model_unseen_sleepers(model, refs, 4), 0);
	closes_at(3000);
	assert_int_equal(state_of(7, QUANTITY_SLEEP_NS), 1000);
	closes_at(4000);
	assert_int_equal(state_of(7, QUANTITY_SLEEP_NS), 1000);
	model_destroy(model);
}

static void is_seen_to_want(int32_t tid, int32_t holder, uint64_t time_ns)
{
	struct record record = record_of(RECORD_SLEEP, tid, time_ns);

	record.sleep = (struct record_sleep){
		.kind = SLEEP_FUTEX,
		.is_of_call = true,
		.until_ns = time_ns + 5,
		.lock = 0x77,
		.holder_tid = holder,
	};
	model_feed(model, &record);
}

/* The holder may be another one by then, so it is asked for in each interval. */
UNIT_TEST(states_of_a_wait_that_goes_on_have_what_has_the_lock)
{
	struct task_ref refs[4];

	begins();
	model_keep_history(model, 100);
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1500);
	is_seen_to_want(7, 7, 1600);
	closes_at(2000);
	assert_int_equal(snapshot->states_since_ns, 900);
	assert_int_equal(snapshot->lock_wait_count, 1);
	assert_int_equal(snapshot->lock_waits[0].lock, 0x77);
	assert_int_equal(snapshot->lock_waits[0].waiter, snapshot->lock_waits[0].holder);
	assert_int_equal(snapshot->lock_waits[0].since_ns, 1500);

	assert_int_equal(model_unseen_sleepers(model, refs, 4), 1);
	is_seen_to_want(7, 0, 2100);
	assert_int_equal(model_unseen_sleepers(model, refs, 4), 0);
	closes_at(3000);
	assert_int_equal(snapshot->lock_wait_count, 0);

	is_seen_to_want(7, 7, 3100);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 3500);
	closes_at(4000);
	assert_int_equal(snapshot->lock_wait_count, 0);
	model_destroy(model);
}

/* Its thread runs. A recording begins while it waits, or not. */
UNIT_TEST(states_of_a_task_that_was_woken_and_never_seen_to_run_are_those_of_the_queue)
{
	for (int is_begun = 0; is_begun < 2; is_begun++) {
		model = kit_model(1);
		takes_turns(RECORD_TASK_UNKNOWN, THREAD, TASK_STATE_UNKNOWN, 900);
		model_divide_life(model, true);
		model_start(model, 1000);
		has_used(7, 1, 1, 1050);
		is_woken(7, 1900);
		if (is_begun)
			is_begun_anew_at(2000);
		else
			closes_at(2000);
		closes_at(3000);
		assert_int_equal(state_of(7, QUANTITY_RUNQ_NS), 1000);
		model_destroy(model);
	}
}

/* It has no site: it began before the program. What has the lock is looked at when it has ended. */
UNIT_TEST(states_of_a_sleep_that_was_seen_are_known_when_nothing_is_later)
{
	begins();
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1500);
	is_seen_to_want(7, 7, 1600);
	closes_at(2000);
	is_seen(7, SLEEP_UNKNOWN, false, 2250);
	is_woken(7, 2200);
	takes_turns(8, 7, TASK_STATE_SLEEPING, 2200);
	closes_at(3000);

	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 200);
	model_destroy(model);
}

/* What has the locks is asked for of a few at once, and of each in turn. */
UNIT_TEST(states_of_long_waits_for_locks_are_looked_at_in_turn)
{
	enum {
		FIRST = 100,
		WAITERS = 20,
		AT_ONCE = 8
	};
	size_t asked[WAITERS] = {0};
	struct task_ref refs[2 * WAITERS];

	begins();
	takes_turns(7, FIRST, TASK_STATE_STOPPED, 1100);
	for (int32_t i = 0; i < WAITERS; i++) {
		const int32_t tid = FIRST + i;
		const uint64_t time_ns = 1200 + 10 * (uint64_t)i;

		takes_turns(tid, tid + 1, TASK_STATE_SLEEPING, time_ns);
		leaves_at(tid, 0x10, 0x77, time_ns);
		is_seen_to_want(tid, tid, time_ns + 2);
	}
	assert_int_equal(model_unseen_sleepers(model, refs, COUNT_OF(refs)), 0);
	closes_at(2000);

	for (size_t round = 1; round <= 3; round++) {
		assert_int_equal(model_unseen_sleepers(model, refs, COUNT_OF(refs)), AT_ONCE);
		for (size_t i = 0; i < AT_ONCE; i++) {
			const size_t waiter = (size_t)(refs[i].tid - FIRST);

			assert_true(waiter < WAITERS);
			asked[waiter]++;
			assert_true(asked[waiter] == 1 || round == 3);
		}
	}
	for (size_t i = 0; i < WAITERS; i++)
		assert_true(asked[i] > 0);
	model_destroy(model);
}

/* The one was seen to wait for the other one, which was asleep by then, or not yet: it may have
 * released the lock before. */
UNIT_TEST(states_of_threads_that_wait_for_each_other_are_a_deadlock)
{
	static const struct {
		uint64_t seen_ns;
		bool is_deadlock;
	} looks[] = {{1350, true}, {1250, false}};

	for (size_t i = 0; i < COUNT_OF(looks); i++) {
		begins();
		model_keep_history(model, 100);
		takes_turns(7, THREAD, TASK_STATE_SLEEPING, 1200);
		takes_turns(THREAD, 8, TASK_STATE_SLEEPING, 1300);
		is_seen_to_want(7, THREAD, looks[i].seen_ns);
		is_seen_to_want(THREAD, 7, 1400);
		closes_at(2000);
		assert_int_equal(snapshot->lock_wait_count, 2);
		for (size_t j = 0; j < 2; j++) {
			assert_int_equal(snapshot->lock_waits[j].pid, 7);
			assert_int_equal(snapshot->lock_waits[j].is_deadlock, looks[i].is_deadlock);
		}
		is_woken(THREAD, 2100);
		closes_at(3000);
		assert_int_equal(snapshot->lock_wait_count, 1);
		assert_false(snapshot->lock_waits[0].is_deadlock);
		model_destroy(model);
	}
}

static size_t count_deadlocked(void)
{
	size_t count = 0;

	for (size_t i = 0; i < snapshot->lock_wait_count; i++)
		count += snapshot->lock_waits[i].is_deadlock;
	return count;
}

/* Threads from THREAD on fall asleep one after the other, and are seen then to want the lock of
 * these; 0: what has it is not known. */
static void want_locks_of(const int32_t *holders, int32_t count)
{
	begins();
	model_keep_history(model, 100);
	takes_turns(7, THREAD, TASK_STATE_STOPPED, 1100);
	for (int32_t i = 0; i < count; i++)
		takes_turns(THREAD + i, i + 1 < count ? THREAD + i + 1 : 8, TASK_STATE_SLEEPING,
			    1200 + 10 * (uint64_t)i);
	for (int32_t i = 0; i < count; i++)
		is_seen_to_want(THREAD + i, holders[i], 1500 + 10 * (uint64_t)i);
	closes_at(2000);
}

/* What waits behind a circle, at whatever distance, is in none; the wait of which it is not known
 * what has the lock, as one with a timeout, may end by itself, and so may those behind it. */
UNIT_TEST(states_of_a_deadlock_are_those_of_the_circle_alone)
{
	enum {
		A = THREAD,
		B,
		C,
		D,
		E,
		F,
		CASE_MAX = 6
	};
	static const struct {
		const char *name;
		int32_t holders[CASE_MAX]; /* of what A, B and so on want */
		int32_t count;
		size_t waits, deadlocked;
	} cases[] = {
		{"itself", {A}, 1, 1, 1},
		{"three", {B, C, A}, 3, 3, 3},
		{"three, one for a time", {B, C, 0}, 3, 2, 0},
		{"two, one for a time", {B, 0}, 2, 1, 0},
		{"behind itself", {A, A, B}, 3, 3, 1},
		{"behind two", {B, A, B, C, D, A}, 6, 6, 2},
		{"behind three", {B, C, A, C, D, E}, 6, 6, 3},
		{"two circles", {B, A, D, C, D, B}, 6, 6, 4},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		want_locks_of(cases[i].holders, cases[i].count);
		assert_int_equal(snapshot->lock_wait_count, cases[i].waits);
		assert_int_equal(count_deadlocked(), cases[i].deadlocked);
		for (size_t j = 0; j < snapshot->lock_wait_count; j++)
			assert_int_equal(snapshot->lock_waits[j].is_deadlock,
					 j < cases[i].deadlocked);
		model_destroy(model);
	}
}

/* What was lost may have been a switch. */
UNIT_TEST(states_after_a_loss_are_known_from_when_they_were_seen)
{
	struct record lost = record_of(RECORD_LOST, RECORD_TASK_UNKNOWN, 1600);

	lost.lost = 1;
	begins();
	takes_turns(7, 8, TASK_STATE_SLEEPING, 1100);
	is_seen(7, SLEEP_LOCK, true, 1200);
	model_feed(model, &lost);
	closes_at(2000);
	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 0);
	is_seen(7, SLEEP_LOCK, true, 2501);
	closes_at(3000);
	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 500);
	is_seen(7, SLEEP_LOCK, true, 3200);
	closes_at(4000);
	assert_int_equal(state_of(7, QUANTITY_LOCK_NS), 1000);
	model_destroy(model);
}

/* Each was seen to sleep before it was seen again to have the lock. */
UNIT_TEST(states_of_a_deadlock_after_a_loss_are_known_at_the_second_look)
{
	struct record lost = record_of(RECORD_LOST, RECORD_TASK_UNKNOWN, 1600);

	lost.lost = 1;
	want_locks_of((const int32_t[]){THREAD + 1, THREAD}, 2);
	assert_int_equal(count_deadlocked(), 2);
	lost.time_ns = 2100;
	model_feed(model, &lost);
	is_seen_to_want(THREAD, THREAD + 1, 2500);
	is_seen_to_want(THREAD + 1, THREAD, 2510);
	closes_at(3000);
	assert_int_equal(count_deadlocked(), 0);
	is_seen_to_want(THREAD, THREAD + 1, 3500);
	is_seen_to_want(THREAD + 1, THREAD, 3510);
	closes_at(4000);
	assert_int_equal(count_deadlocked(), 2);
	model_destroy(model);
}

/* Run time is that of the readings, and is divided as the kernel accounts for it. */
UNIT_TEST(states_of_running_are_shares_of_the_run_time)
{
	static const uint64_t S = 1000000000;

	model = kit_model(1);
	feed(model, reading(.cpu = 0, .seq = 10, .ns = 1000));
	feed(model, switch_in(.cpu = 0, .tid = 7, .prev = 5, .time = 1000));
	model_divide_life(model, true);
	model_start(model, 1000);
	has_used(7, 100, 100, 1000);
	has_used(7, 400, 200, S + 1000);
	feed(model, reading(.cpu = 0, .seq = 10, .ns = S + 1000));
	closes_at(S + 1000);

	assert_int_equal(state_of(7, QUANTITY_RUN_NS), S);
	assert_int_equal(state_of(7, QUANTITY_USER_NS), S / 4 * 3);
	assert_int_equal(state_of(7, QUANTITY_SYSTEM_NS), S / 4);

	/* no tick hit it: its share is the last one; then it changes at once */
	feed(model, reading(.cpu = 0, .seq = 10, .ns = 2 * S + 1000));
	closes_at(2 * S + 1000);
	assert_int_equal(state_of(7, QUANTITY_USER_NS), S / 4 * 3);
	assert_int_equal(state_of(7, QUANTITY_UNSURE_NS), 0);

	/* in a recording that begins then, too */
	is_begun_anew_at(2 * S + 1000);
	has_used(7, 400, 1180, 3 * S + 1000);
	feed(model, reading(.cpu = 0, .seq = 10, .ns = 3 * S + 1000));
	closes_at(3 * S + 1000);
	assert_int_equal(state_of(7, QUANTITY_USER_NS), S / 1000 * 15);
	model_destroy(model);
}

UNIT_TEST(states_are_not_known_unless_they_are_asked_for)
{
	begins();
	model_divide_life(model, false);
	takes_turns(7, 8, TASK_STATE_STOPPED, 1400);
	closes_at(2000);

	assert_int_equal(snapshot->unknown & (uint32_t)LAYOUT_STATES, (uint32_t)LAYOUT_STATES);
	assert_int_equal(state_of(7, QUANTITY_LIFE_NS), 0);
	model_destroy(model);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
