/*
 * What scenarios/events.sh must have brought home: twelve events are right on any number of
 * counters, it is said what was scaled and by how much, and what a unit refuses spoils nothing
 * else.
 *
 * The law of each event is in ratepmu.c: per ns of run time it is a multiple of what the name of
 * the task says.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	EVENTS = 12,
	/* what was counted is exact, how long is not: the emulator may pause between the kernel's
	 * clock and the unit's */
	ESTIMATE_PCT = 3,
	MEASURES = EVENTS + 3,
	WRONG_MAX = 4 /* of 2 * MEASURES */
};

/* Per ns: cycles x + instructions x + misses x + references x. */
struct law {
	const char *name;
	double cycles, instructions, misses, references;
	bool is_absent; /* on the unit of the scenario "half" */
};

/* In the order of the metrics per_ns_1, per_ns_2... */
static const struct law laws[EVENTS] = {
	{"cycles", 1, 0, 0, 0, false},
	{"instructions", 0, 1, 0, 0, false},
	{"cache-references", 0, 0, 0, 1, true},
	{"cache-misses", 0, 0, 1, 0, false},
	{"branches", 0, 0.2, 0, 0, true},
	{"branch-misses", 0, 0.004, 0, 0, false},
	{"bus-cycles", 0.1, 0, 0, 0, true},
	{"stalled-cycles-frontend", 0.2, 0, 0, 0, true},
	{"stalled-cycles-backend", 0.25, 0, 0, 0, true},
	{"ref-cycles", 1, 0, 0, 0, false},
	{"L1-dcache-loads", 0, 0.25, 0, 0, true},
	{"L1-dcache-load-misses", 0, 0, 2, 0, false},
};

static double per_ns(const struct law *law, double ipc, double mpki)
{
	const double misses = ipc * mpki / 1000;

	return law->cycles + law->instructions * ipc + law->misses * misses +
	       law->references * misses * 5;
}

/* Which estimates of a task are not what the law says. */
static void find_wrong(const json_t *interval, const char *command, double ipc, double mpki,
		       bool half, bool wrong[static MEASURES])
{
	const struct {
		const char *name;
		double expected;
	} ratios[MEASURES - EVENTS] = {{"ipc", ipc}, {"mpki", mpki}, {"miss_pct", 20}};
	const json_t *task = results_task(interval, command, NULL);
	const json_t *metrics = json_object_get(task, "metrics");

	assert_non_null(task);
	for (int i = 0; i < EVENTS; i++) {
		char key[16], what[96];

		snprintf(key, sizeof(key), "per_ns_%d", i + 1);
		snprintf(what, sizeof(what), "%s %s", command, laws[i].name);
		if (half && laws[i].is_absent) {
			assert_true(json_is_null(json_object_get(metrics, key)) ||
				    json_object_get(metrics, key) == NULL);
			continue;
		}
		wrong[i] = !results_near(what, results_real(metrics, key),
					 per_ns(&laws[i], ipc, mpki), ESTIMATE_PCT);
	}
	for (int i = 0; i < MEASURES - EVENTS && !half; i++)
		wrong[EVENTS + i] =
			!results_near(ratios[i].name, results_real(metrics, ratios[i].name),
				      ratios[i].expected, ESTIMATE_PCT);
}

/*
 * Where the emulator pauses at a bad moment an estimate of whoever ran then may be wrong, of a few
 * events. What is wrong for both tasks is wrong. Of the whole machine the books must balance too.
 */
static bool both_are_right(const char *file, bool half)
{
	json_t *intervals = results_intervals(file);
	const json_t *interval = json_array_get(intervals, 0);
	bool first[MEASURES] = {false}, second[MEASURES] = {false};
	bool right = true;
	int wrong = 0;

	find_wrong(interval, "w175m40", 1.75, 40, half, first);
	find_wrong(interval, "w033m120", 0.33, 120, half, second);
	for (int i = 0; i < MEASURES; i++) {
		right &= !(first[i] && second[i]);
		wrong += first[i] + second[i];
	}
	right &= wrong <= WRONG_MAX;
	if (json_array_size(json_object_get(interval, "cpus")) > 0)
		right &= results_books_balance(intervals);
	if (!right)
		print_message("in %s\n", file);
	return right;
}

UNIT_TEST(twelve_events_on_four_counters_are_right)
{
	assert_int_equal(results_number("twelve.status"), 0);
	assert_true(both_are_right("twelve.out", false));
}

/* How long a task must have run for what was counted of the event, by the law of its name. */
static double counted_ns(const json_t *task, const struct law *law)
{
	const char *command = json_string_value(json_object_get(task, "command"));
	unsigned int ipc = 100, mpki = 10;

	if (sscanf(command, "w%um%u", &ipc, &mpki) != 2) {
		ipc = 100;
		mpki = 10;
	}
	return (double)results_integer(json_object_get(task, "counts"), law->name) /
	       per_ns(law, ipc / 100.0, mpki);
}

/*
 * The share that is told is the share of what really happened that was counted, of all tasks on
 * the CPU, which is hardly ever idle.
 */
UNIT_TEST(twelve_events_tell_their_true_share)
{
	json_t *intervals = results_intervals("twelve.out");
	const json_t *interval = json_array_get(intervals, 0);
	double run_ns = (double)results_sum_field(intervals, NULL, "run_ns");
	bool right = true;

	for (int i = 0; i < EVENTS; i++) {
		const json_t *event = results_event(interval, laws[i].name);
		const json_t *task;
		double share_pct = 0;
		size_t k;

		json_array_foreach (json_object_get(interval, "tasks"), k, task)
			share_pct += 100 * counted_ns(task, &laws[i]) / run_ns;
		assert_string_equal(json_string_value(json_object_get(event, "state")),
				    "multiplexed");
		right &= results_near(laws[i].name, results_real(event, "running_pct"), share_pct,
				      4);
		right &= share_pct < 90;
	}
	assert_true(right);
}

UNIT_TEST(own_tasks_only_are_right)
{
	assert_int_equal(results_number("pid.status"), 0);
	assert_true(both_are_right("pid.out", false));
}

UNIT_TEST(any_number_of_counters_gives_the_same)
{
	static const int numbers[] = {1, 2, 5, 8, 12, 16};
	bool right = true;

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		char file[32];

		snprintf(file, sizeof(file), "counters-%d.out", numbers[i]);
		right &= both_are_right(file, false);
	}
	assert_true(right);
}

UNIT_TEST(enough_counters_mark_nothing)
{
	static const char *const files[] = {"counters-12.out", "counters-16.out"};

	for (int f = 0; f < 2; f++) {
		json_t *intervals = results_intervals(files[f]);
		const json_t *interval = json_array_get(intervals, 0);

		for (int i = 0; i < EVENTS; i++) {
			const json_t *event = results_event(interval, laws[i].name);

			assert_string_equal(json_string_value(json_object_get(event, "state")),
					    "counting");
			assert_true(results_real(event, "running_pct") > 99.5);
		}
	}
}

UNIT_TEST(unit_that_refuses_half_leaves_the_other_half_right)
{
	json_t *intervals = results_intervals("half.out");
	const json_t *interval = json_array_get(intervals, 0);

	for (int i = 0; i < EVENTS; i++) {
		const json_t *event = results_event(interval, laws[i].name);
		const char *told = json_string_value(json_object_get(event, "state"));

		if (laws[i].is_absent) {
			assert_string_equal(told, "unsupported");
			assert_true(json_is_string(json_object_get(event, "reason")));
		} else {
			assert_string_not_equal(told, "unsupported");
		}
	}
	assert_true(both_are_right("half.out", true));
}

/* Of the list of events: what the unit counts is first, by topic, what it lacks is last. */
UNIT_TEST(list_begins_with_what_the_unit_counts)
{
	char *text = results_text("list.out");
	const char *cycles = strstr(text, "\n  cpu-cycles "),
		   *lack = strstr(text, "\nnot available: ");

	assert_int_equal(strncmp(text, "cycles: ", strlen("cycles: ")), 0);
	assert_non_null(cycles);
	assert_non_null(lack);
	assert_true(cycles < lack);
	assert_true(strstr(text, "\n  branch-misses ") < lack);
	assert_true(strstr(text, "\n  context-switches ") < lack);
	assert_true(strstr(text, "\n  branch-instructions ") > lack);
	assert_true(strstr(text, "\n  stalled-cycles-backend ") > lack);
	free(text);
}

UNIT_TEST(braces_are_counted_together)
{
	json_t *intervals = results_intervals("braces.out");
	double cycles = (double)results_sum_counts(intervals, "w033m120", "cycles");
	double instructions = (double)results_sum_counts(intervals, "w033m120", "instructions");
	double branches = (double)results_sum_counts(intervals, "w033m120", "branches");

	assert_true(results_near("IPC", instructions / cycles, 0.33, 0.1));
	assert_true(results_near("branches", branches / instructions, 0.2, 0.1));
}

UNIT_TEST(braces_that_do_not_fit_are_refused_and_the_rest_counts)
{
	json_t *intervals = results_intervals("braces-big.out");
	const json_t *interval = json_array_get(intervals, 0);

	assert_string_equal(
		json_string_value(json_object_get(results_event(interval, "cycles"), "state")),
		"unsupported");
	assert_true(json_is_string(json_object_get(results_event(interval, "cycles"), "reason")));
	assert_string_equal(json_string_value(json_object_get(
				    results_event(interval, "branch-misses"), "state")),
			    "counting");
}

/* What perf stat takes away is told, and what is shown is right. */
UNIT_TEST(perf_stat_beside_makes_nothing_false)
{
	json_t *intervals = results_intervals("beside.out");
	json_t *interval;
	bool right = true, was_told = false;
	size_t i;

	json_array_foreach (intervals, i, interval) {
		const json_t *event = results_event(interval, "cycles");
		const char *reason = json_string_value(json_object_get(event, "reason"));
		const json_t *task = results_task(interval, "w033m120", NULL);
		double ipc = results_real(json_object_get(task, "metrics"), "ipc");

		was_told |= reason && strstr(reason, "perf") != NULL;
		if (!isnan(ipc))
			right &= results_near("IPC beside perf stat", ipc, 0.33, 2);
	}
	assert_true(right);
	assert_true(was_told);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(metric_typed_at_the_prompt_appears)
{
	char *title = results_line_with("tui-metric.txt",
					(const char *const[]){"FRONT", "COMMAND", NULL});
	char *row =
		results_line_with("tui-metric.txt", (const char *const[]){"w175m40", "0.20", NULL});

	assert_non_null(title);
	assert_non_null(row);
	free(title);
	free(row);
}

UNIT_TEST(event_typed_at_the_prompt_appears_and_goes)
{
	char *title = results_line_with("tui-event.txt",
					(const char *const[]){"FRONT", "BRANCHES", NULL});
	char *after = results_line_with("tui-removed.txt",
					(const char *const[]){"COMMAND", "BRANCHES", NULL});
	char *row = results_line_with("tui-removed.txt",
				      (const char *const[]){"w175m40", "0.20", "1.75", NULL});

	assert_non_null(title);
	assert_null(after);
	assert_non_null(row);
	free(title);
	free(row);
}

UNIT_TEST(wrong_event_is_refused_and_the_screen_goes_on)
{
	char *message = results_line_with("tui-wrong.txt",
					  (const char *const[]){"no-such-event", "unknown", NULL});
	char *row = results_line_with("tui-wrong.txt", (const char *const[]){"w175m40", NULL});

	assert_non_null(message);
	assert_non_null(row);
	assert_non_null(results_line_with("tui.left", (const char *const[]){"left 0", NULL}));
	free(message);
	free(row);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
