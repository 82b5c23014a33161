/*
 * What scenarios/driver.sh has brought home: with an instruction in two cycles and a cycle in a ns
 * the kernel's own driver counts just that, for every task and CPU; an overflow is a sample; raw
 * codes and the unit's own names are the same events; a replay tells what was seen; check says what
 * there is.
 */
#include "../unit/unit.h"
#include "alike.h"
#include "results.h"

enum {
	INTERVALS_LEAST = 2,
	/* of the counters of a CPU that are begun one after the other, once */
	SKEW_CYCLES = 1000
};

static void assert_ended_well(const char *run)
{
	char file[64];

	snprintf(file, sizeof(file), "%s.status", run);
	assert_int_equal(results_number(file), 0);
	snprintf(file, sizeof(file), "%s.err", run);
	char *words = results_text(file);

	assert_non_null(words);
	assert_string_equal(words, "");
	free(words);
}

static void assert_half(const char *whose, const json_t *counts)
{
	const int64_t cycles = results_integer(counts, "cycles");
	const int64_t instructions = results_integer(counts, "instructions");

	if (llabs(cycles - 2 * instructions) > SKEW_CYCLES)
		fail_msg("%s: %lld cycles, %lld instructions", whose, (long long)cycles,
			 (long long)instructions);
}

static void every_task_and_cpu_has_an_ipc_of_one_half(void **state)
{
	const json_t *intervals = results_intervals(*state), *interval, *one;
	size_t i, k, near = 0;

	assert_true(json_array_size(intervals) >= INTERVALS_LEAST);
	json_array_foreach (intervals, i, interval) {
		const json_t *spinner = results_task(interval, "half", NULL);

		assert_non_null(spinner);
		assert_true(results_near("IPC",
					 results_real(json_object_get(spinner, "metrics"), "ipc"),
					 0.5, 0.001));
		near += results_near(
			"cycles",
			(double)results_integer(json_object_get(spinner, "counts"), "cycles"),
			(double)results_integer(spinner, "run_ns"), 0.1);
		json_array_foreach (json_object_get(interval, "tasks"), k, one)
			assert_half(json_string_value(json_object_get(one, "command")),
				    json_object_get(one, "counts"));
		json_array_foreach (json_object_get(interval, "cpus"), k, one)
			assert_half("a CPU", json_object_get(one, "counts"));
	}
	/* a cycle is a ns; but a busy machine may stop the emulator between clock and counter */
	assert_true(near > 0);
	assert_true(results_books_balance(intervals));
}

/* Events that the unit lacks are said to be unsupported, and spoil nothing. */
static void events_that_the_unit_lacks_are_told(void **state)
{
	const json_t *interval = json_array_get(results_intervals("rates.out"), 0);
	const json_t *misses = results_event(interval, "cache-misses");

	assert_string_equal(json_string_value(json_object_get(misses, "state")), "unsupported");
	assert_string_equal(json_string_value(json_object_get(misses, "reason")),
			    "this CPU or its driver does not count it");
}

static void raw_codes_and_names_of_the_unit_count_the_same(void **state)
{
	const json_t *intervals = results_intervals("events.out"), *interval, *task;
	size_t i, k;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), k, task) {
			const json_t *counts = json_object_get(task, "counts");
			const int64_t cycles = results_integer(counts, "cycles");
			const int64_t named = results_integer(counts, "armv8_pmuv3/cpu_cycles/");
			const int64_t raw = results_integer(counts, "r08");

			assert_true(llabs(named - cycles) <= SKEW_CYCLES);
			assert_true(llabs(raw - results_integer(counts, "instructions")) <=
				    SKEW_CYCLES);
			assert_true(results_integer(counts, "cpu-cycles:u") < cycles);
		}
	}
	assert_true(results_sum_counts(intervals, "half", "cpu-cycles:u") >
		    results_sum_counts(intervals, "half", "cycles") / 10 * 9);
}

static void each_overflow_is_a_sample(void **state)
{
	char *text = results_text("overflow.out");
	unsigned long long cycles, period;
	unsigned long samples;

	assert_non_null(text);
	assert_int_equal(
		sscanf(text, "cycles=%llu period=%llu samples=%lu", &cycles, &period, &samples), 3);
	assert_true(samples >= 500);
	assert_int_equal(samples, cycles / period);
	free(text);
}

/* By cycles, with a reading of the group that they have joined; an emulated ns is a cycle. */
static void functions_have_their_shares_and_ipc(void **state)
{
	const json_t *interval = json_array_get(results_intervals("functions.out"), 0);
	const json_t *quick = results_function("functions.out", "quick");
	const json_t *slow = results_function("functions.out", "slow");
	const double shares[] = {results_real(quick, "total_pct"), results_real(slow, "total_pct")};

	assert_string_equal(json_string_value(json_object_get(interval, "sampling")),
			    "cycles, 997 Hz");
	assert_true(
		results_near("share of quick()", shares[0] / (shares[0] + shares[1]), 2.0 / 3, 10));
	assert_true(results_near("IPC of quick()",
				 results_real(json_object_get(quick, "metrics"), "ipc"), 0.5, 1));
	assert_true(results_near("IPC of slow()",
				 results_real(json_object_get(slow, "metrics"), "ipc"), 0.5, 1));
}

static void replay_tells_what_was_seen(void **state)
{
	assert_true(
		alike_lines(results_intervals("session.live"), results_intervals("replay.out")));
}

static void check_tells_the_unit_and_what_it_counts(void **state)
{
	static const char *const lines[][4] = {
		{"PMU", "ok", "armv8_pmuv3", NULL},
		{"event cycles", "ok", "counting", NULL},
		{"event instructions", "ok", "counting", NULL},
		{"event cache-misses", "no", "does not count it", NULL},
	};

	for (size_t i = 0; i < COUNT_OF(lines); i++) {
		char *line = results_line_with("check.out", lines[i]);

		if (!line)
			fail_msg("no line of check says %s %s %s", lines[i][0], lines[i][1],
				 lines[i][2]);
		free(line);
	}
}

static void list_has_the_events_of_the_unit(void **state)
{
	static const char *const line[] = {"armv8_pmuv3/inst_retired/", "event=0x0008", NULL};
	char *text = results_line_with("list.out", line);

	assert_non_null(text);
	free(text);
}

static void every_run_ended_well(void **state)
{
	static const char *const runs[] = {"check", "overflow", "rates",  "events",
					   "list",  "session",  "replay", "functions"};

	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		begin_case(runs[i]);
		assert_ended_well(runs[i]);
	}
}

int main(void)
{
	static char rates[] = "rates.out", session[] = "session.live";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_run_ended_well),
		cmocka_unit_test_prestate(every_task_and_cpu_has_an_ipc_of_one_half, rates),
		cmocka_unit_test_prestate(every_task_and_cpu_has_an_ipc_of_one_half, session),
		cmocka_unit_test(events_that_the_unit_lacks_are_told),
		cmocka_unit_test(raw_codes_and_names_of_the_unit_count_the_same),
		cmocka_unit_test(each_overflow_is_a_sample),
		cmocka_unit_test(functions_have_their_shares_and_ipc),
		cmocka_unit_test(replay_tells_what_was_seen),
		cmocka_unit_test(check_tells_the_unit_and_what_it_counts),
		cmocka_unit_test(list_has_the_events_of_the_unit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
