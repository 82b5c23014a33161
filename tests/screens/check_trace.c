/*
 * Reads a trace after the document of its format, and adds it up: what trace.sh has brought home.
 * NAME.trace is the trace, NAME.tasks the same intervals in JSON, NAME.switches its switches and
 * NAME.functions its samples.
 *
 *	check_trace NAME...
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "results.h"

enum {
	TESTS = 5,
	RUNS_MAX = 16,
	TEXT_MAX = 128
};

/* The tests of a run come one after the other, so that it is read once. */
static json_t *trace_of(const char *run)
{
	static const char *known_run;
	static json_t *known;
	char file[TEXT_MAX];
	char *text;

	if (known_run == run)
		return known;
	json_decref(known);
	snprintf(file, sizeof(file), "%s.trace", run);
	text = results_text(file);
	assert_non_null(text);
	known = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	known_run = run;
	free(text);
	assert_true(json_is_array(known));
	return known;
}

static json_t *lines_of(const char *run, const char *kind)
{
	char file[TEXT_MAX];

	snprintf(file, sizeof(file), "%s.%s", run, kind);
	return results_intervals(file);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static bool is_phase(const json_t *event, const char *phase)
{
	return strcmp(text_of(event, "ph"), phase) == 0;
}

static bool is_of(const json_t *event, const char *phase, const char *category)
{
	return is_phase(event, phase) && strcmp(text_of(event, "cat"), category) == 0;
}

static long long ns_of(const json_t *event, const char *key)
{
	return llround(json_number_value(json_object_get(event, key)) * 1000);
}

static json_t *args_of(const json_t *event)
{
	return json_object_get(event, "args");
}

/* The number of an object, to which `more` is added. */
static void add_to(json_t *sums, const char *key, double more)
{
	const double before = json_number_value(json_object_get(sums, key));

	json_object_set_new(sums, key, json_real(before + more));
}

static void track_name(const json_t *event, char name[static TEXT_MAX])
{
	snprintf(name, TEXT_MAX, "%lld/%lld",
		 (long long)json_integer_value(json_object_get(event, "pid")),
		 (long long)json_integer_value(json_object_get(event, "tid")));
}

/* --- the format */

static void assert_has_time(const json_t *event)
{
	assert_true(json_is_number(json_object_get(event, "ts")));
	assert_true(ns_of(event, "ts") >= 0);
}

static void assert_event(const json_t *event)
{
	const char *scope = text_of(event, "s"), *name;
	const char *key;
	json_t *value;

	assert_true(json_is_string(json_object_get(event, "name")));
	assert_true(json_is_integer(json_object_get(event, "pid")));
	assert_true(json_is_integer(json_object_get(event, "tid")));
	if (is_phase(event, "M")) {
		name = text_of(event, "name");
		assert_true(json_is_string(json_object_get(args_of(event), "name")) ||
			    (strstr(name, "_sort_index") &&
			     json_is_integer(json_object_get(args_of(event), "sort_index"))));
		return;
	}
	assert_has_time(event);
	if (is_phase(event, "X")) {
		assert_true(ns_of(event, "dur") >= 0);
	} else if (is_phase(event, "C")) {
		assert_true(json_object_size(args_of(event)) > 0);
		json_object_foreach (args_of(event), key, value)
			assert_true(json_is_number(value));
	} else if (is_phase(event, "i")) {
		assert_true(scope[0] != '\0' && strchr("gpt", scope[0]));
	} else {
		assert_true(is_phase(event, "s") || is_phase(event, "f"));
		assert_true(json_is_integer(json_object_get(event, "id")));
	}
}

static void trace_is_as_its_format_wants_it(void **state)
{
	json_t *trace = trace_of(*state), *event;
	size_t i;

	json_array_foreach (trace, i, event)
		assert_event(event);
}

struct slice {
	char track[TEXT_MAX];
	long long begin_ns, end_ns;
};

static int compare_slices(const void *a, const void *b)
{
	const struct slice *one = a, *other = b;
	const int order = strcmp(one->track, other->track);

	if (order != 0)
		return order;
	if (one->begin_ns != other->begin_ns)
		return one->begin_ns < other->begin_ns ? -1 : 1;
	return (one->end_ns > other->end_ns) - (one->end_ns < other->end_ns);
}

/* Each track has a name, and its slices follow each other. */
static void slices_of_a_track_follow_each_other(void **state)
{
	json_t *trace = trace_of(*state), *named = json_object(), *event;
	struct slice *slices = calloc(json_array_size(trace) + 1, sizeof(*slices));
	size_t count = 0, i;
	char track[TEXT_MAX];

	json_array_foreach (trace, i, event) {
		track_name(event, track);
		if (strcmp(text_of(event, "name"), "thread_name") == 0)
			json_object_set_new(named, track, json_true());
		if (!is_phase(event, "X"))
			continue;
		assert_non_null(json_object_get(named, track));
		memcpy(slices[count].track, track, sizeof(track));
		slices[count].begin_ns = ns_of(event, "ts");
		slices[count++].end_ns = ns_of(event, "ts") + ns_of(event, "dur");
	}
	qsort(slices, count, sizeof(*slices), compare_slices);
	for (i = 1; i < count; i++)
		if (strcmp(slices[i].track, slices[i - 1].track) == 0)
			assert_true(slices[i].begin_ns >= slices[i - 1].end_ns);
	free(slices);
	json_decref(named);
}

/* --- the sums */

static void add_counts(json_t *sums, const char *whose, const json_t *counts)
{
	char name[2 * TEXT_MAX];
	const char *key;
	json_t *value;

	json_object_foreach ((json_t *)counts, key, value) {
		snprintf(name, sizeof(name), "%s %s", whose, key);
		if (json_number_value(value) != 0)
			add_to(sums, name, json_number_value(value));
	}
}

static void add_run(json_t *sums, const char *whose, const json_t *args)
{
	json_t *time = json_pack("{sf}", "run", json_number_value(json_object_get(args, "run_ns")));

	add_counts(sums, whose, time);
	add_counts(sums, whose, json_object_get(args, "counts"));
	json_decref(time);
}

/* Slices of tasks by pid, those of CPUs by "CPU 0"; counters by "machine". */
static json_t *sums_of_trace(const json_t *trace)
{
	json_t *sums = json_object(), *cpus = json_object(), *event;
	char track[TEXT_MAX], name[TEXT_MAX];
	size_t i;

	json_array_foreach ((json_t *)trace, i, event) {
		track_name(event, track);
		if (strcmp(text_of(event, "name"), "thread_name") == 0 &&
		    strncmp(text_of(args_of(event), "name"), "CPU ", 4) == 0)
			json_object_set(cpus, track, json_object_get(args_of(event), "name"));
		if (is_phase(event, "C")) {
			json_t *one = json_object();

			json_object_set(one, text_of(event, "name"),
					json_object_get(args_of(event), "value"));
			add_counts(sums, "machine", one);
			json_decref(one);
		}
		if (!is_of(event, "X", "run"))
			continue;
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(track, "/"), track);
		if (json_object_get(cpus, track))
			snprintf(name, sizeof(name), "%s", text_of(cpus, track));
		add_run(sums, name, args_of(event));
	}
	json_decref(cpus);
	return sums;
}

static void add_json_cpu(json_t *sums, const json_t *cpu)
{
	json_t *time = json_pack("{sf}", "run", json_number_value(json_object_get(cpu, "ns")));
	char name[TEXT_MAX];

	snprintf(name, sizeof(name), "CPU %lld",
		 (long long)json_integer_value(json_object_get(cpu, "cpu")));
	add_counts(sums, name, time);
	add_counts(sums, name, json_object_get(cpu, "counts"));
	add_counts(sums, "machine", json_object_get(cpu, "counts"));
	json_decref(time);
}

static json_t *sums_of_json(const json_t *intervals)
{
	json_t *sums = json_object(), *interval, *each;
	size_t i, k;

	json_array_foreach ((json_t *)intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "cpus"), k, each)
			add_json_cpu(sums, each);
		json_array_foreach (json_object_get(interval, "tasks"), k, each) {
			char name[TEXT_MAX];

			snprintf(name, sizeof(name), "%lld",
				 (long long)json_integer_value(json_object_get(each, "pid")));
			add_run(sums, name, each);
		}
	}
	return sums;
}

static bool is_metric_of_machine(const char *name, const json_t *wanted)
{
	return strncmp(name, "machine ", 8) == 0 && !json_object_get(wanted, name);
}

/* Of chosen tasks there are no CPUs in JSON, and of their switches those of others in the log. */
static bool is_whole_machine(const json_t *intervals)
{
	return json_array_size(json_object_get(json_array_get(intervals, 0), "cpus")) > 0;
}

static bool is_only_in_trace(const char *name, const json_t *wanted, const json_t *intervals)
{
	return is_metric_of_machine(name, wanted) ||
	       (strncmp(name, "CPU ", 4) == 0 && !is_whole_machine(intervals));
}

/* To the last digit: doubles are exact up to 2^53. */
static void slices_and_counters_are_what_was_counted(void **state)
{
	json_t *trace = trace_of(*state), *intervals = lines_of(*state, "tasks");
	json_t *sums = sums_of_trace(trace), *wanted = sums_of_json(intervals), *value;
	const char *key;

	assert_true(json_object_size(wanted) > 0);
	json_object_foreach (wanted, key, value)
		if (json_number_value(json_object_get(sums, key)) != json_number_value(value))
			fail_msg("%s: %.0f in the trace, %.0f in JSON", key,
				 json_number_value(json_object_get(sums, key)),
				 json_number_value(value));
	json_object_foreach (sums, key, value)
		if (!json_object_get(wanted, key) && !is_only_in_trace(key, wanted, intervals))
			fail_msg("%s: in the trace only", key);
	json_decref(sums);
	json_decref(wanted);
}

/* A wait has a slice, and what caused it a flow that begins with it and ends in the run. */
static void waits_and_flows_are_those_of_the_log(void **state)
{
	json_t *trace = trace_of(*state), *log = lines_of(*state, "switches"), *each;
	json_t *flows = json_object();
	double waits = 0, wait_ns = 0, wanted = 0, wanted_ns = 0;
	char id[TEXT_MAX];
	size_t i;

	json_array_foreach (log, i, each) {
		const double ns = json_number_value(json_object_get(each, "wait_ns"));

		/* idle does not wait */
		if (json_number_value(json_object_get(json_object_get(each, "in"), "tid")) > 0 &&
		    ns > 0) {
			wanted++;
			wanted_ns += ns;
		}
	}
	json_array_foreach (trace, i, each) {
		if (is_of(each, "X", "wait")) {
			waits++;
			wait_ns += json_number_value(json_object_get(args_of(each), "wait_ns"));
			assert_true(ns_of(each, "dur") == llround(json_number_value(json_object_get(
								  args_of(each), "wait_ns"))));
		}
		if (!is_phase(each, "s") && !is_phase(each, "f"))
			continue;
		snprintf(id, sizeof(id), "%s %lld", text_of(each, "cat"),
			 (long long)json_integer_value(json_object_get(each, "id")));
		if (is_phase(each, "s")) {
			assert_null(json_object_get(flows, id));
			json_object_set(flows, id, each);
			continue;
		}
		assert_non_null(json_object_get(flows, id));
		assert_true(ns_of(json_object_get(flows, id), "ts") <= ns_of(each, "ts"));
		json_object_del(flows, id);
	}
	assert_int_equal(json_object_size(flows), 0);
	/* those that the log cannot say are settled are in the trace, too */
	if (is_whole_machine(lines_of(*state, "tasks"))) {
		assert_true(waits >= wanted && waits <= wanted + 64);
		assert_true(waits > wanted || wait_ns == wanted_ns);
	}
	json_decref(flows);
}

/* Each has a function's name; together they are the samples of the view. */
static void samples_are_those_of_the_view(void **state)
{
	json_t *trace = trace_of(*state), *intervals, *interval, *each;
	char file[TEXT_MAX];
	double samples = 0, wanted = 0;
	char *text;
	size_t i, k;

	snprintf(file, sizeof(file), "%s.functions", (const char *)*state);
	text = results_text(file);
	intervals = text ? results_intervals(file) : NULL;
	free(text);
	json_array_foreach (trace, i, each)
		if (is_of(each, "i", "sample")) {
			assert_true(text_of(each, "name")[0] != '\0');
			samples++;
		}
	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "functions"), k, each)
			wanted += json_number_value(json_object_get(each, "self_samples"));
	assert_true(samples == wanted);
	assert_true(!intervals || samples > 0);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[TESTS] = {
		cmocka_unit_test(trace_is_as_its_format_wants_it),
		cmocka_unit_test(slices_of_a_track_follow_each_other),
		cmocka_unit_test(slices_and_counters_are_what_was_counted),
		cmocka_unit_test(waits_and_flows_are_those_of_the_log),
		cmocka_unit_test(samples_are_those_of_the_view),
	};
	struct CMUnitTest all[RUNS_MAX * TESTS];
	size_t count = 0;

	for (int i = 1; i < argc && i <= RUNS_MAX; i++)
		for (int k = 0; k < TESTS; k++) {
			all[count] = tests[k];
			all[count++].initial_state = argv[i];
		}
	return _cmocka_run_group_tests("trace", all, count, NULL, NULL) != 0 || count == 0;
}
