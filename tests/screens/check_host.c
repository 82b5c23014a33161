/*
 * What batch.sh has brought from this machine, whatever it can count: valid JSON with every
 * promised field, balanced books, a reason for all that is missing.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

static json_t *intervals;

UNIT_TEST(host_has_all_fields)
{
	json_t *interval, *task, *cpu;
	size_t i, j;

	assert_int_equal(json_array_size(intervals), 6);
	json_array_foreach (intervals, i, interval) {
		assert_true(results_real(interval, "time") > 1.6e9);
		assert_true(results_real(interval, "interval_s") > 0);
		results_integer(json_object_get(interval, "lost"), "records");
		results_integer(json_object_get(interval, "lost"), "throttled");
		results_integer(json_object_get(interval, "own"), "cpu_ns");
		assert_true(results_integer(json_object_get(interval, "own"), "rss_bytes") > 0);
		assert_true(results_integer(json_object_get(interval, "own"), "fds") > 2);
		json_array_foreach (json_object_get(interval, "tasks"), j, task) {
			assert_true(results_integer(task, "pid") > 0);
			assert_int_equal(results_integer(task, "tid"),
					 results_integer(task, "pid"));
			assert_true(json_is_string(json_object_get(task, "command")));
			assert_true(json_is_string(json_object_get(task, "state")));
			results_integer(task, "run_ns");
			results_integer(task, "switches");
			results_integer(task, "preempted");
			results_integer(task, "migrations");
			assert_true(json_is_object(json_object_get(task, "counts")));
			assert_true(json_is_object(json_object_get(task, "metrics")));
		}
		json_array_foreach (json_object_get(interval, "cpus"), j, cpu) {
			assert_true(results_integer(cpu, "cpu") >= 0);
			assert_true(json_is_object(json_object_get(cpu, "metrics")));
		}
	}
}

UNIT_TEST(host_missing_events_have_a_reason)
{
	json_t *event;
	size_t i;

	json_array_foreach (json_object_get(json_array_get(intervals, 0), "events"), i, event) {
		const char *how = json_string_value(json_object_get(event, "state"));
		bool counts = strcmp(how, "counting") == 0;

		assert_true(counts || json_is_string(json_object_get(event, "reason")));
		assert_true(!counts || json_is_null(json_object_get(event, "reason")));
	}
	assert_true(i >= 6);
}

UNIT_TEST(host_books_balance)
{
	const char *scope =
		json_string_value(json_object_get(json_array_get(intervals, 0), "scope"));

	if (strcmp(scope, "system") != 0) {
		print_message("only own tasks may be watched here: there are no CPUs to add up\n");
		skip();
	}
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(host_nothing_is_negative_or_absurd)
{
	json_t *interval, *task, *value;
	const char *key;
	size_t i, j;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), j, task) {
			double run_s = (double)results_integer(task, "run_ns") / 1e9;

			assert_true(run_s >= 0 &&
				    run_s < 1024 * results_real(interval, "interval_s"));
			json_object_foreach (json_object_get(task, "counts"), key, value) {
				assert_true(json_is_integer(value) &&
					    json_integer_value(value) >= 0);
			}
		}
	}
}

static int read_intervals(void **state)
{
	intervals = results_intervals("host.out");
	return 0;
}

int main(void)
{
	return unit_run_group(NULL, NULL, read_intervals, NULL);
}
