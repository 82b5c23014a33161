/*
 * What ownlog.sh has brought home: the switches of one process, watched without privileges. Each
 * line tells of one side, and marks what cannot be known: the other side and the counts are null.
 * On a busy machine there may be lines that say how much was lost or left out.
 */
#include "../unit/unit.h"
#include "results.h"

enum {
	NEAR_NS = 5000,
	MIN_LINES = 2000,
	MIN_SPAN_NS = 1000000000
};

static json_t *lines;

static int read_lines(void **state)
{
	lines = results_intervals("own.out");
	return 0;
}

/* What is before it and what is behind do not belong together. */
static bool is_gap(const json_t *line)
{
	return json_object_get(line, "lost") || json_object_get(line, "left_out");
}

static bool is_own(const json_t *task)
{
	const char *pid = getenv("OWN_PID");

	return !json_is_null(task) && pid && results_integer(task, "pid") == atol(pid);
}

UNIT_TEST(each_line_has_the_own_process_on_one_side_and_null_on_the_other)
{
	size_t i, left = 0, came = 0, gaps = 0;
	const json_t *line;

	json_array_foreach (lines, i, line) {
		if (is_gap(line)) {
			gaps++;
			continue;
		}
		const json_t *out = json_object_get(line, "out"), *in = json_object_get(line, "in");

		assert_non_null(out);
		assert_non_null(in);
		assert_true(is_own(out) != is_own(in));
		assert_true(is_own(out) ? json_is_null(in) : json_is_null(out));
		left += is_own(out);
		came += is_own(in);
	}
	print_message("left %zu times, came %zu times, %zu gaps\n", left, came, gaps);
	assert_true(left + came >= MIN_LINES);
	assert_true(left <= came + 1 + gaps && came <= left + 1 + gaps);
}

UNIT_TEST(counts_of_slices_are_null)
{
	const json_t *line;
	size_t i;

	json_array_foreach (lines, i, line) {
		const json_t *counts = json_object_get(line, "counts");

		assert_true(is_gap(line) || (counts && json_is_null(counts)));
	}
}

UNIT_TEST(how_it_left_is_known)
{
	size_t i, left = 0, known = 0;
	const json_t *line;

	json_array_foreach (lines, i, line) {
		const char *how = json_string_value(json_object_get(line, "how"));

		if (is_gap(line) || !is_own(json_object_get(line, "out")))
			continue;
		left++;
		known += strcmp(how, "blocked") == 0 || strcmp(how, "preempted") == 0;
	}
	assert_int_equal(known, left);
}

/* It comes, runs for a slice, leaves, is off for a while, comes. */
UNIT_TEST(lines_come_all_the_time)
{
	int64_t first_ns = 0, last_ns = 0;
	const json_t *line;
	size_t i;

	json_array_foreach (lines, i, line) {
		if (is_gap(line))
			continue;
		last_ns = results_integer(line, "time_ns");
		first_ns = first_ns ? first_ns : last_ns;
	}
	assert_true(last_ns - first_ns >= MIN_SPAN_NS);
}

UNIT_TEST(slices_and_absences_fill_the_time)
{
	uint64_t before_ns = 0, slices = 0, absences = 0;
	size_t i, apart = 0;
	const json_t *line;

	json_array_foreach (lines, i, line) {
		if (is_gap(line)) {
			before_ns = 0;
			continue;
		}
		const uint64_t ns = (uint64_t)results_integer(line, "time_ns");
		const bool leaves = is_own(json_object_get(line, "out"));
		const json_t *length =
			leaves ? json_object_get(line, "slice_ns")
			       : json_object_get(json_object_get(line, "in"), "off_ns");

		if (before_ns > 0 && json_is_integer(length)) {
			const int64_t off = json_integer_value(length) - (int64_t)(ns - before_ns);

			apart += llabs(off) > NEAR_NS;
			slices += leaves;
			absences += !leaves;
		}
		before_ns = ns;
	}
	print_message("%llu slices, %llu absences, %zu more than 5 us from the time between two "
		      "switches\n",
		      (unsigned long long)slices, (unsigned long long)absences, apart);
	assert_true(slices >= MIN_LINES / 4 && absences >= MIN_LINES / 4);
	assert_true(apart * 100 <= i);
}

int main(void)
{
	return unit_run_group(NULL, NULL, read_lines, NULL);
}
