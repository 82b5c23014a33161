/*
 * What roundtrip.sh has brought home: of each session its output while it ran, NAME.live, and that
 * of its recording, NAME.replay. They are the same; and the same recording seen otherwise, with its
 * threads or switch by switch, adds up to the same.
 *
 *	check_roundtrip NAME...
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alike.h"
#include "results.h"

enum {
	RUNS_MAX = 32,
	MIN_INTERVALS = 3,
	MIN_LINES = 500 /* of a log of switches */
};

static json_t *read_lines(const char *run, const char *kind)
{
	char file[64];

	snprintf(file, sizeof(file), "%s.%s", run, kind);
	return results_intervals(file);
}

static bool has_intervals(const json_t *lines)
{
	return json_object_get(json_array_get(lines, 0), "tasks") != NULL;
}

/* So that two outputs which tell nothing are not taken for a success. */
static void assert_tells_something(const json_t *lines)
{
	const json_t *first = json_array_get(lines, 0);

	if (json_object_get(first, "time_ns")) {
		assert_true(json_array_size(lines) >= MIN_LINES);
		return;
	}
	assert_true(json_array_size(lines) >= MIN_INTERVALS);
	if (has_intervals(lines))
		assert_true(results_sum_field(lines, NULL, "run_ns") > 0);
}

static void replay_tells_what_was_seen(void **state)
{
	json_t *live = read_lines(*state, "live");
	json_t *replay = read_lines(*state, "replay");

	assert_tells_something(live);
	if (getenv("ROUNDTRIP_KEPT") != NULL)
		assert_true(alike_kept_lines(live, replay));
	else
		assert_true(alike_lines(live, replay));
}

static void replay_balances_its_books(void **state)
{
	json_t *replay = read_lines(*state, "replay");
	const json_t *first = json_array_get(replay, 0);

	/* of "sorted" the filter has left tasks out */
	if (has_intervals(replay) && json_array_size(json_object_get(first, "cpus")) > 0 &&
	    strcmp(*state, "sorted") != 0)
		assert_true(results_books_balance(replay));
}

/* Adds to each number of the object `sums` of a process; nested objects as "counts" alike. */
static void add_numbers(json_t *sums, const json_t *task)
{
	const char *key;
	json_t *value, *before;

	json_object_foreach ((json_t *)task, key, value) {
		if (json_is_object(value) && strcmp(key, "counts") == 0) {
			before = json_object_get(sums, key);
			if (!before) {
				before = json_object();
				json_object_set_new(sums, key, before);
			}
			add_numbers(before, value);
		}
		if (!json_is_integer(value) || strcmp(key, "tid") == 0 || strcmp(key, "pid") == 0)
			continue;
		before = json_object_get(sums, key);
		json_object_set_new(
			sums, key,
			json_integer(json_integer_value(before) + json_integer_value(value)));
	}
}

static bool is_nothing(const json_t *value)
{
	const char *key;
	json_t *inner;

	if (json_is_integer(value))
		return json_integer_value(value) == 0;
	json_object_foreach ((json_t *)value, key, inner)
		if (!is_nothing(inner))
			return false;
	return true;
}

/* Sums by pid; processes that come to nothing are left out: whether they have a row is the view's
 * own affair. */
static json_t *sum_by_pid(const json_t *intervals)
{
	json_t *sums = json_object();
	const json_t *interval, *task;
	const char *key;
	json_t *value;
	void *next;
	size_t i, k;
	char pid[32];

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), k, task) {
			snprintf(pid, sizeof(pid), "%lld", (long long)results_integer(task, "pid"));
			if (!json_object_get(sums, pid))
				json_object_set_new(sums, pid, json_object());
			add_numbers(json_object_get(sums, pid), task);
		}
	}
	json_object_foreach_safe(sums, next, key, value)
	{
		if (is_nothing(value))
			json_object_del(sums, key);
	}
	return sums;
}

/* system.threads is the replay of system.data with -H. */
static void threads_of_a_recording_add_up_to_its_processes(void **state)
{
	json_t *live = read_lines("system", "live");
	json_t *threads = read_lines("system", "threads");
	json_t *processes = json_array();
	json_t *summed = json_array();

	json_array_append_new(processes, sum_by_pid(live));
	json_array_append_new(summed, sum_by_pid(threads));
	assert_true(json_object_size(json_array_get(processes, 0)) > 5);
	assert_true(alike_lines(processes, summed));
	json_decref(processes);
	json_decref(summed);
}

/*
 * system.switches is the replay of system.data switch by switch: a task that is pushed out all the
 * time, and gets its CPU however busy the machine is, has a line for each switch that was counted
 * for it, but for those that a busy machine made perftop leave out, of which it says how many they
 * were.
 */
static void switches_of_a_recording_are_those_that_were_counted(void **state)
{
	json_t *live = read_lines("system", "live");
	json_t *lines = read_lines("system", "switches");
	const json_t *line;
	uint64_t told = 0, left_out = 0, slices_ns = 0, counted, run_ns;
	size_t i;

	json_array_foreach (lines, i, line) {
		const json_t *out = json_object_get(line, "out");
		const char *name = json_string_value(json_object_get(out, "command"));

		left_out += (uint64_t)json_integer_value(json_object_get(line, "left_out"));
		if (!name || strcmp(name, "sh-beside") != 0)
			continue;
		told++;
		if (json_is_integer(json_object_get(line, "slice_ns")))
			slices_ns += (uint64_t)results_integer(line, "slice_ns");
	}
	counted = results_sum_field(live, "sh-beside", "switches");
	run_ns = results_sum_field(live, "sh-beside", "run_ns");
	print_message("%llu switches told, %llu counted, %llu of all tasks left out\n",
		      (unsigned long long)told, (unsigned long long)counted,
		      (unsigned long long)left_out);
	assert_true(counted > 0);
	/* what lies beside a hidden task is told and counted for nobody */
	assert_true(told + left_out >= counted);
	assert_true(told <= counted + counted / 10 + 1);
	/* the slices in which the recording begins and ends are not told */
	assert_true(left_out > 0 || results_near("slices", (double)slices_ns, (double)run_ns,
						 1 + 200.0 / (double)counted));
}

int main(int argc, char **argv)
{
	struct CMUnitTest tests[2 * RUNS_MAX + 2];
	char names[2 * RUNS_MAX][96];
	size_t count = 0;

	for (int i = 1; i < argc && i <= RUNS_MAX; i++) {
		snprintf(names[count], sizeof(names[count]), "replay_tells_what_was_seen %s",
			 argv[i]);
		tests[count] = (struct CMUnitTest){.name = names[count],
						   .test_func = replay_tells_what_was_seen,
						   .initial_state = argv[i]};
		count++;
		snprintf(names[count], sizeof(names[count]), "replay_balances_its_books %s",
			 argv[i]);
		tests[count] = (struct CMUnitTest){.name = names[count],
						   .test_func = replay_balances_its_books,
						   .initial_state = argv[i]};
		count++;
	}
	/* of which there are other replays as well */
	if (argc > 1 && strcmp(argv[1], "system") == 0) {
		tests[count++] = (struct CMUnitTest)cmocka_unit_test(
			threads_of_a_recording_add_up_to_its_processes);
		tests[count++] = (struct CMUnitTest)cmocka_unit_test(
			switches_of_a_recording_are_those_that_were_counted);
	}
	return _cmocka_run_group_tests("roundtrip", tests, count, NULL, NULL);
}
