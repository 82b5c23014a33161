/*
 * What hosts.sh has brought home: of two guests that one perftop has read through two pipes at
 * once, each has there what it has seen itself, and the sums by host are those of its tasks.
 */
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "alike.h"
#include "results.h"

enum {
	INTERVALS = 6
};

/* Of what was printed of both the objects of one, as it prints them alone. */
static json_t *of_host(const char *file, const char *host)
{
	json_t *all = results_intervals(file), *own = json_array();
	json_t *interval;
	size_t i;

	json_array_foreach (all, i, interval) {
		json_t *copy;

		if (strcmp(json_string_value(json_object_get(interval, "host")), host) != 0)
			continue;
		copy = json_copy(interval);
		json_object_del(copy, "host");
		json_array_append_new(own, copy);
	}
	return own;
}

static void host_is_as_it_was_seen_there(void **state)
{
	const char *host = *state;
	char file[32];
	json_t *own = of_host("both", host);

	snprintf(file, sizeof(file), "%s/live", host);
	assert_int_equal(json_array_size(own), INTERVALS);
	assert_true(results_sum_counts(own, "w250m40", "instructions") > 0);
	assert_true(alike_lines(results_intervals(file), own));
	json_decref(own);
}

/* The row of the host among the groups. */
static const json_t *group_of(const json_t *interval, const char *host)
{
	const json_t *groups = json_object_get(interval, "groups");

	assert_int_equal(json_array_size(groups), 1);
	assert_string_equal(json_string_value(json_object_get(json_array_get(groups, 0), "group")),
			    host);
	return json_array_get(groups, 0);
}

static void sums_by_host_are_those_of_its_tasks(void **state)
{
	static const char *const events[] = {"cycles", "instructions", "page-faults"};
	const char *host = *state;
	json_t *own = of_host("groups", host);
	char file[32];
	json_t *live;

	snprintf(file, sizeof(file), "%s/live", host);
	live = results_intervals(file);
	assert_int_equal(json_array_size(own), INTERVALS);
	for (size_t i = 0; i < INTERVALS; i++) {
		const json_t *group = group_of(json_array_get(own, i), host);
		json_t *interval = json_pack("[O]", json_array_get(live, i));

		assert_true((uint64_t)results_integer(group, "run_ns") ==
			    results_sum_field(interval, NULL, "run_ns"));
		for (size_t j = 0; j < COUNT_OF(events); j++)
			assert_true((uint64_t)results_integer(json_object_get(group, "counts"),
							      events[j]) ==
				    results_sum_counts(interval, NULL, events[j]));
		json_decref(interval);
	}
	json_decref(own);
}

/* A line begins with the host and ends with the group. */
static bool has_line(const char *text, const char *host)
{
	const size_t length = strlen(host);

	for (const char *line = text; *line != '\0';
	     line += strcspn(line, "\n"), line += *line != '\0') {
		const size_t end = strcspn(line, "\n");

		if (end > 2 * length && strncmp(line, host, length) == 0 &&
		    strncmp(line + end - length, host, length) == 0)
			return true;
	}
	return false;
}

static void one_screen_shows_both(void **state)
{
	char *screen = results_text("screen");

	assert_non_null(screen);
	assert_true(has_line(screen, "web1"));
	assert_true(has_line(screen, "web2"));
	free(screen);
}

int main(void)
{
	static char first[] = "web1", second[] = "web2";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate(host_is_as_it_was_seen_there, first),
		cmocka_unit_test_prestate(host_is_as_it_was_seen_there, second),
		cmocka_unit_test_prestate(sums_by_host_are_those_of_its_tasks, first),
		cmocka_unit_test_prestate(sums_by_host_are_those_of_its_tasks, second),
		cmocka_unit_test(one_screen_shows_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
