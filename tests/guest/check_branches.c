/*
 * What scenarios/branches.sh must have brought home: of each ten branches 6 from work() to quick(),
 * 3 of them mispredicted, 3 from work() to slow(), and one from quick() to work(), mispredicted.
 * The CPU delivers them in turn, so that only the last turn is not whole.
 */
#include <math.h>
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	TURN = 10,
	ENOUGH = 200
};

static const struct edge {
	const char *from, *to, *type;
	double times, mispredicted; /* of a turn */
} edges[] = {
	{"work", "quick", "call", 6, 3},
	{"work", "slow", "call", 3, 0},
	{"quick", "work", "ret", 1, 1},
};

static const json_t *rows_of(const char *file)
{
	return json_object_get(json_array_get(results_intervals(file), 0), "functions");
}

static bool is_text(const json_t *row, const char *key, const char *text)
{
	const char *there = json_string_value(json_object_get(row, key));

	return there && strcmp(there, text) == 0;
}

static const json_t *find_edge(const char *file, const struct edge *edge)
{
	const json_t *row;
	size_t i;

	json_array_foreach (rows_of(file), i, row)
		if (is_text(row, "from", edge->from) && is_text(row, "function", edge->to))
			return row;
	fail_msg("%s: no branch from %s to %s", file, edge->from, edge->to);
	return NULL;
}

static double sum_of_rows(const char *file, const char *key)
{
	const json_t *row;
	double sum = 0;
	size_t i;

	json_array_foreach (rows_of(file), i, row)
		sum += results_real(row, key);
	return sum;
}

static void expect_edges(const char *file)
{
	const double all = sum_of_rows(file, "self_samples");

	begin_case(file);
	assert_int_equal(json_array_size(rows_of(file)), COUNT_OF(edges));
	assert_true(all >= ENOUGH);
	for (size_t i = 0; i < COUNT_OF(edges); i++) {
		const json_t *row = find_edge(file, &edges[i]);
		const double times = results_real(row, "self_samples");
		const double mispredicted = results_real(row, "mispredicted");

		assert_true(fabs(times - all * edges[i].times / TURN) <= TURN);
		assert_true(fabs(mispredicted - all * edges[i].mispredicted / TURN) <= TURN);
		assert_true(is_text(row, "type", edges[i].type));
		assert_true(results_real(row, "cycles") == 20 * times);
	}
}

UNIT_TEST(branches_of_all_and_of_a_process_have_their_shares)
{
	expect_edges("all.out");
	expect_edges("pid.out");
}

UNIT_TEST(branches_of_a_recording_are_those_that_were_seen)
{
	for (size_t i = 0; i < COUNT_OF(edges); i++)
		assert_true(json_equal(find_edge("all.out", &edges[i]),
				       find_edge("replay.out", &edges[i])));
}

UNIT_TEST(branches_are_those_that_the_event_asks_for)
{
	const json_t *row = find_edge("returns.out", &edges[2]);

	assert_int_equal(json_array_size(rows_of("returns.out")), 1);
	assert_true(results_real(row, "self_samples") >= ENOUGH / TURN);
	assert_true(results_real(row, "mispredicted") == results_real(row, "self_samples"));
	assert_true(json_is_null(json_object_get(row, "type"))); /* without save_type */
}

/* Of the branches in quick() all are; work() has no samples of its own to speak of. */
UNIT_TEST(functions_have_the_mispredicted_share_of_their_branches)
{
	const json_t *quick = results_function("list.out", "quick");

	assert_true(results_real(quick, "branches") >= ENOUGH / TURN);
	assert_true(results_real(quick, "mispredicted") == results_real(quick, "branches"));
	assert_null(json_object_get(results_function("list.out", "slow"), "branches"));
	assert_null(json_object_get(results_function("plain.out", "quick"), "branches"));
}

static void expect_line(const char *file, const char *first, const char *second)
{
	char *line = results_line_with(file, (const char *[]){first, second, NULL});

	begin_case(file);
	assert_non_null(line);
	free(line);
}

UNIT_TEST(branches_that_are_not_recorded_are_refused_with_the_reason)
{
	expect_line("refused.err", "cycles/branch_type=in_tx/",
		    "this CPU or its driver does not record these branches");
	expect_line("none.out", "no branches: cycles", "does not count it");
	assert_int_not_equal(results_number("refused.status"), 0);
	assert_int_equal(results_number("none.status"), 0);
}

UNIT_MAIN(NULL, NULL)
