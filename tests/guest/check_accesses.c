/*
 * What scenarios/accesses.sh has brought home: the line that two threads write, with both sides,
 * and what each of them does, as the law of ratepmu.c has it; the same out of recordings.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	LEAST = 100 /* samples of each thread: some 3 s of 997 Hz, less where the emulator is slow
		     */
};

/* Rows of the first interval. */
static const json_t *rows_of(const char *file)
{
	const json_t *rows = json_object_get(json_array_get(results_intervals(file), 0), "memory");

	assert_true(json_array_size(rows) > 0);
	return rows;
}

static void assert_text(const json_t *row, const char *key, const char *expected)
{
	const char *text = json_string_value(json_object_get(row, key));

	assert_non_null(text);
	assert_string_equal(text, expected);
}

/* Of four samples three are stores; the last turn may be incomplete. */
static void assert_law(const json_t *row)
{
	const double tolerance_pct = 2;

	assert_true(results_real(row, "accesses") >= LEAST);
	assert_true(results_near("stores", results_real(row, "store%"), 75, tolerance_pct));
	assert_true(results_near("L1", results_real(row, "l1%"), 75, tolerance_pct));
	assert_true(results_near("L3", results_real(row, "l3%"), 25, 3 * tolerance_pct));
	assert_true(results_near("latency", results_real(row, "latency"), 30, 2 * tolerance_pct));
	assert_true(results_near("HITM", results_real(row, "hitm"),
				 results_real(row, "accesses") / 4, 3 * tolerance_pct));
}

static void shared_line_leads_with_both_sides(void **state)
{
	const json_t *rows = rows_of("lines.out");
	const json_t *line = json_array_get(rows, 0);
	bool stores[2] = {false}; /* of sharer0, of sharer8; in functions of the kernel, too */

	assert_text(line, "address", "0x7f1000000040");
	assert_true(results_real(line, "writers") == 2);
	assert_true(results_real(line, "contended") == results_real(line, "accesses"));
	assert_law(line);
	for (size_t i = 1; i < json_array_size(rows); i++) {
		const json_t *row = json_array_get(rows, i);
		const char *offset = json_string_value(json_object_get(row, "address"));

		if (results_integer(row, "depth") == 0)
			break;
		if (results_real(row, "store%") < 100)
			continue;
		stores[strcmp(offset, "+0x08") == 0] = true;
		assert_text(row, "command", strcmp(offset, "+0x00") == 0 ? "sharer0" : "sharer8");
	}
	assert_true(stores[0] && stores[1]);
}

static void each_thread_has_its_accesses(void **state)
{
	const json_t *rows = rows_of("tasks.out");

	assert_int_equal(json_array_size(rows), 2);
	for (size_t i = 0; i < 2; i++)
		assert_law(json_array_get(rows, i));
}

static void function_that_accesses_is_named(void **state)
{
	assert_text(json_array_get(rows_of("functions.out"), 0), "function", "share");
}

static double sum_of_rows(const json_t *rows, const char *key)
{
	const json_t *row;
	double sum = 0;
	size_t i;

	json_array_foreach (rows, i, row)
		if (results_integer(row, "depth") == 0)
			sum += results_real(row, key);
	return sum;
}

/* Rows that are equal in what they are sorted by may come in another order. */
static void assert_same_rows(const char *live, const char *replay)
{
	const json_t *rows = rows_of(live), *row;
	json_t *left =
		json_copy((json_t *)rows_of(replay)); /* not deep: the rows are not changed */
	size_t i, at;

	assert_int_equal(json_array_size(rows), json_array_size(left));
	json_array_foreach (rows, i, row) {
		for (at = 0; at < json_array_size(left); at++)
			if (json_equal(row, json_array_get(left, at)))
				break;
		if (at == json_array_size(left))
			fail_msg("%s: row %zu of %s is not in it", replay, i, live);
		json_array_remove(left, at);
	}
	json_decref(left);
}

static void recordings_have_what_was_seen(void **state)
{
	assert_same_rows("lines.out", "lines-replay.out");
	assert_same_rows("tasks.out", "tasks-replay.out");
	assert_same_rows("functions.out", "functions-replay.out");
}

/* They were not sampled meanwhile: that is not none. */
static void functions_are_not_known_of_that_time(void **state)
{
	char *line = results_line_with("others-replay.out",
				       (const char *[]){"no samples in this recording", NULL});

	assert_non_null(line);
	free(line);
}

static double perf_finds(const char *kind)
{
	char *line = results_line_with("perf-script.out", (const char *[]){kind, NULL});
	double number;

	assert_non_null(line);
	number = strtod(line, NULL);
	free(line);
	return number;
}

/* Also those before and behind the interval. */
static void perf_reads_them_without_a_warning(void **state)
{
	const char *const words[] = {"perf-script.err", "perf-report.err"};
	const double stores = perf_finds("OP STORE|LVL L1 hit"),
		     loads = perf_finds("OP LOAD|LVL L3 hit");
	char *line;

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		char *said = results_text(words[i]);

		assert_non_null(said);
		assert_string_equal(said, "");
		free(said);
	}
	assert_true(stores + loads >= sum_of_rows(rows_of("lines.out"), "accesses"));
	assert_true(results_near("stores for perf", 100 * stores / (stores + loads), 75, 2));
	assert_int_equal(results_number("perf-report.status"), 0);
	line = results_line_with("perf-report.out", (const char *[]){"of event 'ibs_op", NULL});
	assert_non_null(line);
	free(line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shared_line_leads_with_both_sides),
		cmocka_unit_test(each_thread_has_its_accesses),
		cmocka_unit_test(function_that_accesses_is_named),
		cmocka_unit_test(recordings_have_what_was_seen),
		cmocka_unit_test(functions_are_not_known_of_that_time),
		cmocka_unit_test(perf_reads_them_without_a_warning),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
