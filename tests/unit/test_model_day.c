/*
 * A day of a small machine, told as fast as the model listens: two CPUs switch between some
 * hundred tasks that are born under new names, work and die all the time. After the first hour the
 * history is full and memory is what it takes; a day later it must not have grown. The books
 * are looked at in every interval, too.
 *
 * Hours are short of switches rather than of anything else: what could grow grows with switches,
 * births and intervals, of each of which there are many.
 */
#include <inttypes.h>
#include <malloc.h>

#include "kernel/proc.h"
#include "model/exited_totals.h"
#include "model/history.h"

#include "history_kit.h"
#include "model_kit.h"
#include "unit.h"

enum {
	HOURS = 24,
#ifdef PERFTOP_SANITIZED
	HOUR_SWITCHES = 30000,
#else
	HOUR_SWITCHES = 300000,
#endif
	INTERVAL_SWITCHES = 1000,
	LIFE_SWITCHES = 40, /* one dies and one is born every so many switches */
	KEPT = 20000,       /* entries of the history, less than an hour has */
	CPUS = 2,
	ALIVE = 200,
	FIRST_TID = 100,
	LAST_TID = 30000, /* then they are used again, as the kernel does */
	SLICE_NS = 50000,
	/* what allocators keep back, and a page here and there */
	GROWTH_BYTES_MAX = 3 << 20,
	STORM_INTERVALS = 200,
	STORM_FORKS = 2000, /* in each */
	/* of a task that ran in the interval, as the README has it; here without a screen's rows */
	STATED_TASK_BYTES = 2300,
	STATED_SUM_BYTES = 300, /* of tasks that are gone and were alike */
	CALM_INTERVALS = 12
};

struct day {
	struct model *model;
	uint64_t now_ns;
	uint64_t switches;
	uint64_t births;
	uint64_t sequence[CPUS];
	uint64_t counted[CPUS];
	int32_t running[CPUS];
	int32_t alive[ALIVE]; /* tids; none of those that run on a CPU is another CPU's */
	int32_t next_tid;
	uint32_t random;
};

static uint32_t draw(struct day *day, uint32_t below)
{
	day->random ^= day->random << 13;
	day->random ^= day->random >> 17;
	day->random ^= day->random << 5;
	return day->random % below;
}

static bool is_running(const struct day *day, int32_t tid)
{
	return day->running[0] == tid || day->running[1] == tid;
}

static bool is_alive(const struct day *day, int32_t tid)
{
	for (size_t i = 0; i < ALIVE; i++)
		if (day->alive[i] == tid)
			return true;
	return false;
}

/* Born of the task that runs on this CPU. */
static void be_born(struct day *day, size_t slot, int32_t cpu)
{
	char name[TASK_NAME_MAX];

	do {
		day->next_tid = day->next_tid == LAST_TID ? FIRST_TID : day->next_tid + 1;
	} while (is_alive(day, day->next_tid) || is_running(day, day->next_tid));
	day->alive[slot] = day->next_tid;
	snprintf(name, sizeof(name), "task-%llu", (unsigned long long)day->births++);
	feed(day->model, forked(.cpu = cpu, .tid = day->alive[slot], .parent = day->running[cpu],
				.time = day->now_ns));
	feed(day->model,
	     comm(.cpu = cpu, .tid = day->alive[slot], .name = name, .time = day->now_ns));
}

/* The next one for this CPU: mostly a task that is alive and not on the other CPU, or idle. */
static int32_t choose(struct day *day)
{
	int32_t tid;

	if (draw(day, 8) == 0)
		return 0;
	do {
		tid = day->alive[draw(day, ALIVE)];
	} while (is_running(day, tid));
	return tid;
}

static void change_hands(struct day *day)
{
	const int32_t cpu = (int32_t)(day->switches % CPUS);
	const int32_t leaves = day->running[cpu], comes = choose(day);
	/* one that has ended would have to come back */
	const bool preempted = leaves != 0 && draw(day, 4) == 0 && is_alive(day, leaves);

	if (comes == leaves)
		return;
	day->now_ns += SLICE_NS / 2 + draw(day, SLICE_NS);
	day->counted[cpu] += 1 + draw(day, 1000);
	day->sequence[cpu]++;
	feed(day->model,
	     sample(.cpu = cpu, .tid = leaves, .seq = day->sequence[cpu], .ns = day->now_ns,
		    .values = {day->counted[cpu], 2 * day->counted[cpu]}));
	feed(day->model, switch_out(.cpu = cpu, .tid = leaves, .next = comes,
				    .preempted = preempted, .time = day->now_ns));
	feed(day->model,
	     switch_in(.cpu = cpu, .tid = comes, .prev = leaves, .time = day->now_ns + 500));
	day->running[cpu] = comes;
}

/* The one that runs ends, and another one comes into the world. */
static void live_and_die(struct day *day)
{
	const int32_t cpu = (int32_t)draw(day, CPUS);
	const int32_t tid = day->running[cpu];

	for (size_t i = 0; i < ALIVE; i++) {
		if (tid == 0 || day->alive[i] != tid)
			continue;
		feed(day->model, exited(.cpu = cpu, .tid = tid, .time = day->now_ns));
		be_born(day, i, cpu);
		return;
	}
}

static void close_interval(struct day *day)
{
	for (int32_t cpu = 0; cpu < CPUS; cpu++) {
		feed(day->model, reading(.cpu = cpu, .seq = day->sequence[cpu], .ns = day->now_ns,
					 .values = {day->counted[cpu], 2 * day->counted[cpu]}));
	}
	model_settle(day->model, day->now_ns);
	const struct snapshot *snapshot = model_close_interval(day->model, day->now_ns);

	assert_true(books_balance(snapshot));
	assert_int_equal(snapshot->lost_records, 0);
	assert_in_range(snapshot->task_count, 1, 3 * ALIVE);
}

static void check_history(const struct history *history)
{
	const uint64_t kept = history_end(history) - history_first(history);

	assert_in_range(kept, KEPT, KEPT + 4 * HISTORY_BLOCK);
	assert_true(history_bytes(history) <= kit_bytes_max(history));
}

static void run_hour(struct day *day)
{
	for (uint64_t i = 0; i < HOUR_SWITCHES; i++, day->switches++) {
		change_hands(day);
		if (day->switches % LIFE_SWITCHES == 0)
			live_and_die(day);
		if (day->switches % INTERVAL_SWITCHES == 0)
			close_interval(day);
	}
}

static void begin_day(struct day *day)
{
	*day = (struct day){
		.model = kit_model(1), .now_ns = 1000000, .next_tid = FIRST_TID, .random = 1};
	model_keep_history(day->model, KEPT);
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		feed(day->model, cpu_online(.cpu = cpu, .time = day->now_ns));
	for (size_t i = 0; i < ALIVE; i++)
		be_born(day, i, 0);
	for (int32_t cpu = 0; cpu < CPUS; cpu++)
		feed(day->model, reading(.cpu = cpu, .ns = day->now_ns));
	model_start(day->model, day->now_ns);
}

UNIT_TEST(model_feed_for_a_day_takes_no_more_memory_than_for_an_hour)
{
	struct day day;
	uint64_t after_an_hour;

	begin_day(&day);
	run_hour(&day);
	check_history(model_history(day.model));
	after_an_hour = proc_own_rss_bytes();
	for (int hour = 1; hour < HOURS; hour++)
		run_hour(&day);
	check_history(model_history(day.model));
	const uint64_t after_the_day = proc_own_rss_bytes();

	print_message("%" PRIu64 " switches, %" PRIu64 " births: %" PRIu64
		      " KiB after an hour, %" PRIu64 " KiB in the end, history %zu KiB\n",
		      day.switches, day.births, after_an_hour >> 10, after_the_day >> 10,
		      history_bytes(model_history(day.model)) >> 10);
#ifndef PERFTOP_SANITIZED
	/* the sanitizer keeps what was freed */
	assert_true(after_the_day <= after_an_hour + GROWTH_BYTES_MAX);
#endif
	model_destroy(day.model);
}

#ifndef PERFTOP_SANITIZED
/* What is in use, as the allocator counts it. */
static size_t used_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* A fork storm: each child is born, runs for one slice and ends. */
static void run_storm(struct day *day, size_t forks)
{
	for (size_t i = 0; i < forks; i++) {
		const size_t slot = i % ALIVE;

		feed(day->model, exited(.tid = day->alive[slot], .time = day->now_ns));
		be_born(day, slot, 0);
		for (int32_t next = day->alive[slot];; next = 0) {
			const int32_t leaves = day->running[0];

			day->now_ns += SLICE_NS;
			feed(day->model, sample(.cpu = 0, .tid = leaves, .seq = ++day->sequence[0],
						.ns = day->now_ns,
						.values = {day->counted[0], 2 * day->counted[0]}));
			feed(day->model, switch_out(.cpu = 0, .tid = leaves, .next = next,
						    .time = day->now_ns));
			feed(day->model, switch_in(.cpu = 0, .tid = next, .prev = leaves,
						   .time = day->now_ns + 500));
			day->running[0] = next;
			if (next == 0)
				break;
		}
	}
}

static size_t besides_history(const struct day *day)
{
	return used_bytes() - history_bytes(model_history(day->model));
}

/* What an interval of a storm takes is stated, and is free again when the storm has passed. */
UNIT_TEST(model_beside_a_storm_takes_what_is_stated)
{
	struct day day;
	size_t calm, most = 0, early = 0;

	begin_day(&day);
	run_storm(&day, ALIVE);
	close_interval(&day);
	calm = besides_history(&day);
	for (size_t i = 0; i < STORM_INTERVALS; i++) {
		run_storm(&day, STORM_FORKS);
		model_settle(day.model, day.now_ns);
		struct snapshot *copy = snapshot_copy(model_close_interval(day.model, day.now_ns));
		const size_t with = used_bytes();

		assert_in_range(copy->task_count, STORM_FORKS, STORM_FORKS + 3 * ALIVE);
		const size_t counted = snapshot_bytes(copy);
		snapshot_destroy(copy);
		assert_true(with - used_bytes() <= counted + counted / 20);
		if (besides_history(&day) > most)
			most = besides_history(&day);
		if (i == STORM_INTERVALS / 10)
			early = most;
	}
	/* some hundred thousand tasks later it is what it was */
	assert_true(most <= early + early / 20);
	print_message("%zu bytes a task\n", (most - calm) / STORM_FORKS);
	assert_true(most - calm <= STORM_FORKS * STATED_TASK_BYTES);
	for (size_t i = 0; i < CALM_INTERVALS; i++)
		close_interval(&day);
	print_message("%zu KiB before, %zu KiB after\n", calm >> 10, besides_history(&day) >> 10);
	/* sums of those that are gone, by name, are all that is left */
	assert_true(besides_history(&day) <=
		    calm + EXITED_TOTALS_MAX * STATED_SUM_BYTES + (most - calm) / 20);
	model_destroy(day.model);
}
#endif

UNIT_MAIN(NULL, NULL)
