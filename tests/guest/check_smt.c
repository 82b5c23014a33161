/*
 * What scenarios/smt.sh must have brought home: of each task how long the other thread of the core
 * was busy. CPU 0 never rests, so that it is beside a busy thread for as long as CPU 1 is busy, and
 * what runs on CPU 1 is so all the time.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "alike.h"
#include "results.h"

static double metric(const json_t *row, const char *name)
{
	return results_real(json_object_get(row, "metrics"), name);
}

static const json_t *cpu_of(const json_t *interval, size_t index)
{
	return json_array_get(json_object_get(interval, "cpus"), index);
}

/* The part of the CPU's time in which it was not idle. */
static double busy_ns(const json_t *cpu)
{
	return (double)(results_integer(cpu, "ns") -
			results_integer(json_object_get(cpu, "idle"), "ns"));
}

/* All that ran was alone or beside a busy thread, as soon as it is known what both run. */
UNIT_TEST(smt_times_add_up_to_the_run_time)
{
	json_t *intervals = results_intervals("smt.out");

	for (size_t i = 2; i < json_array_size(intervals); i++) {
		const json_t *tasks = json_object_get(json_array_get(intervals, i), "tasks"), *task;
		size_t index;

		json_array_foreach (tasks, index, task)
			assert_true(metric(task, "alone") + metric(task, "beside") ==
				    (double)results_integer(task, "run_ns"));
	}
}

/* Where intervals end the CPUs are read one after the other: in all, it is the first and the last
 * that differ by that. */
UNIT_TEST(cpu_is_beside_a_busy_thread_for_as_long_as_that_is_busy)
{
	json_t *intervals = results_intervals("smt.out");
	double beside_0 = 0, beside_1 = 0, busy_0 = 0, busy_1 = 0, idle_0 = 0;

	for (size_t i = 2; i < json_array_size(intervals); i++) {
		const json_t *interval = json_array_get(intervals, i);
		const json_t *first = cpu_of(interval, 0), *second = cpu_of(interval, 1);

		beside_0 += metric(first, "beside");
		beside_1 += metric(second, "beside");
		busy_0 += busy_ns(first);
		busy_1 += busy_ns(second);
		idle_0 += (double)results_integer(json_object_get(first, "idle"), "ns");
	}
	printf("beside %.0f %.0f busy %.0f %.0f idle %.0f\n", beside_0, beside_1, busy_0, busy_1,
	       idle_0);
	assert_true(idle_0 < busy_0 / 1000);
	assert_true(results_near("CPU 0 beside CPU 1", beside_0, busy_1, 2));
	assert_true(results_near("CPU 1 beside CPU 0", beside_1, busy_1, 2));
	assert_true(busy_1 > busy_0 / 10 && busy_1 < busy_0 * 9 / 10);
}

static bool is_never_idle(const json_t *intervals, size_t index)
{
	const json_t *cpu = cpu_of(json_array_get(intervals, index), 1);

	return cpu && busy_ns(cpu) == (double)results_integer(cpu, "ns");
}

/*
 * Where the other CPU was busy all of the interval and of those beside it. The task may not have
 * run, and its partner runs on its CPU before it goes to its own.
 */
UNIT_TEST(smt_pct_is_all_of_it_beside_a_partner_that_never_rests)
{
	static const char *const commands[] = {"w250m40", "w050m20", "w100m80"};
	json_t *intervals = results_intervals("smt.out");
	size_t seen[COUNT_OF(commands)] = {0};

	for (size_t i = 3; i < json_array_size(intervals); i++) {
		if (!is_never_idle(intervals, i - 1) || !is_never_idle(intervals, i) ||
		    !is_never_idle(intervals, i + 1))
			continue;
		for (size_t j = 0; j < COUNT_OF(commands); j++) {
			const json_t *task =
				results_task(json_array_get(intervals, i), commands[j], NULL);
			const double pct = task ? metric(task, "smt_pct") : NAN;

			assert_true(isnan(pct) || pct == 100);
			seen[j] += pct == 100;
		}
	}
	for (size_t j = 0; j < COUNT_OF(commands); j++)
		assert_true(seen[j] > 0);
}

static bool is_near(double value, double wanted)
{
	return fabs(value - wanted) < wanted / 1000;
}

/* The counters here know nothing of partners: both are the IPC. */
UNIT_TEST(ipc_of_one_and_of_two_threads_are_those_of_the_law)
{
	static const struct {
		const char *command;
		double ipc;
		size_t alone, beside; /* in so many intervals, at least */
	} cases[] = {{"w250m40", 2.5, 1, 6}, {"w050m20", 0.5, 0, 4}, {"w100m80", 1, 0, 4}};
	json_t *intervals = results_intervals("smt.out");

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		size_t alone = 0, beside = 0, index;
		const json_t *interval;

		json_array_foreach (intervals, index, interval) {
			const json_t *task = results_task(interval, cases[i].command, NULL);
			const double one = task ? metric(task, "ipc_1t") : NAN;
			const double two = task ? metric(task, "ipc_2t") : NAN;

			alone += isfinite(one);
			beside += isfinite(two);
			/* until it has its name it has another law */
			if (task && !is_near(metric(task, "ipc"), cases[i].ipc))
				continue;
			assert_true(isnan(one) || is_near(one, cases[i].ipc));
			assert_true(isnan(two) || is_near(two, cases[i].ipc));
		}
		assert_true(alone >= cases[i].alone && beside >= cases[i].beside);
	}
}

UNIT_TEST(replay_divides_the_time_as_it_was_divided)
{
	assert_true(alike_lines(results_intervals("smt.out"), results_intervals("smt.replay")));
}

UNIT_TEST(smt_has_books_that_balance)
{
	assert_true(results_books_balance(results_intervals("smt.out")));
}

UNIT_TEST(columns_have_the_numbers)
{
	const char *const titles[] = {"SMT%", "IPC-1T", "IPC-2T", NULL};
	const char *const task[] = {"w250m40", NULL};
	char *text = results_line_with("text.out", titles),
	     *row = results_line_with("text.out", task);
	char *cpus = results_line_with("cpus.out", titles), *refused = results_text("text.err");

	assert_true(text && row && cpus);
	assert_string_equal(refused, "");
	free(text);
	free(row);
	free(cpus);
	free(refused);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
