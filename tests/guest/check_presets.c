/*
 * What scenarios/presets.sh has brought home from a machine that says it is a Zen 3 or an Ice Lake
 * server: each preset counts what its name says, memory misses and bandwidth are right where the
 * events fit the counters and where they take turns, and so is top-down where the processor has it;
 * a task that stays inside its caches comes after one that streams, although it misses L2 far more
 * often; what is refused spoils nothing.
 */
#include <string.h>

#include "../unit/unit.h"
#include "results.h"

#define INSIDE  "w100m49r50d10"
#define STREAMS "w100m2d4000e500"

enum {
	PRESETS = 8,
	TURNS_PCT = 2,
	LINE_BYTES = 64
};
static const double FIT_PCT = 0.5;

/* Per ns, in the order of the metrics per_ns_1, per_ns_2...: ratepmu.c. */
static const struct {
	const char *name;
	double inside, streams;
} laws[PRESETS] = {
	{"cache-llc-misses", 0.0001, 0.045}, {"cache-llc-references", 0.0491, 0.047},
	{"mem-fills", 0.0001, 0.045},        {"mem-fills-far", 0, 0.005},
	{"cache-l2-misses", 0.049, 0.002},   {"cache-l2-references", 0.098, 0.01},
	{"tlb-walks", 0.006125, 0.00025},    {"data-loads", 0.25, 0.25},
};

static bool is_zen(void)
{
	return strstr(getenv("GUEST_RESULTS"), "zen") != NULL;
}

static const json_t *first_interval(const char *file)
{
	return json_array_get(results_intervals(file), 0);
}

static double metric(const json_t *interval, const char *command, const char *name)
{
	const json_t *task = results_task(interval, command, NULL);

	assert_non_null(task);
	return results_real(json_object_get(task, "metrics"), name);
}

static bool is_right(const json_t *interval, const char *command, size_t preset, double expected,
		     double tolerance_pct)
{
	char name[16], what[64];

	snprintf(name, sizeof(name), "per_ns_%zu", preset + 1);
	snprintf(what, sizeof(what), "%s of %s", laws[preset].name, command);

	const double measured = metric(interval, command, name);

	return expected > 0 ? results_near(what, measured, expected, tolerance_pct) : measured == 0;
}

static void assert_laws(const char *file, double tolerance_pct)
{
	const json_t *interval = first_interval(file);
	bool all = true;

	for (size_t i = 0; i < PRESETS; i++) {
		all = is_right(interval, INSIDE, i, laws[i].inside, tolerance_pct) && all;
		all = is_right(interval, STREAMS, i, laws[i].streams, tolerance_pct) && all;
	}
	assert_true(all);
	assert_true(results_books_balance(results_intervals(file)));
}

static void presets_that_fit_count_what_they_say(void **state)
{
	assert_laws("fit.out", FIT_PCT);
}

static void presets_that_take_turns_are_right_too(void **state)
{
	const json_t *event = results_event(first_interval("turns.out"), "mem-fills");

	assert_string_equal(json_string_value(json_object_get(event, "state")), "multiplexed");
	assert_laws("turns.out", TURNS_PCT);
}

/* Of the time that it ran, since the emulator may have given the CPU to others. */
static void assert_bandwidth(const char *file, double tolerance_pct)
{
	const json_t *interval = first_interval(file);
	const double share = metric(interval, STREAMS, "cpu_pct") / 100;

	assert_true(results_near("MB/s", metric(interval, STREAMS, "llc_mb_s") / share,
				 0.045 * LINE_BYTES * 1000, tolerance_pct));
}

static void bandwidth_is_lines_from_memory(void **state)
{
	assert_bandwidth("fit.out", FIT_PCT);
	assert_bandwidth("turns.out", TURNS_PCT);
}

static void assert_streaming_is_first(const char *file, double tolerance_pct)
{
	const json_t *interval = first_interval(file);
	size_t inside, streams;

	assert_non_null(results_task(interval, INSIDE, &inside));
	assert_non_null(results_task(interval, STREAMS, &streams));
	assert_int_equal(streams, 0);
	assert_true(inside > streams);
	assert_true(results_near("misses", metric(interval, STREAMS, "miss_pct"),
				 100 * 0.045 / 0.047, tolerance_pct));
	assert_true(results_near("misses per 1000 instructions", metric(interval, STREAMS, "mpki"),
				 45, tolerance_pct));
	assert_true(metric(interval, INSIDE, "miss_pct") < 0.25);
}

static void what_streams_comes_before_what_stays_in_its_caches(void **state)
{
	assert_streaming_is_first("sorted.out", FIT_PCT);
}

/* The first row below the titles. */
static void key_for_misses_puts_what_streams_first(void **state)
{
	char *screen = results_text("tui-misses.txt"), *rest = screen, *line = NULL;

	for (bool is_title = false; !is_title && (line = strsep(&rest, "\n"));)
		is_title = strstr(line, "LLC-MISS%\u25bc");
	line = line ? strsep(&rest, "\n") : NULL;
	if (!line || !strstr(line, STREAMS))
		fail_msg("not first, but: %s", line ? line : "no titles");
	assert_non_null(strstr(rest, INSIDE));
	free(screen);
}

/* What each of them counts besides the default events takes no turns with these afterwards. */
static void sets_of_columns_leave_no_events_behind(void **state)
{
	enum {
		DEFAULT_EVENTS = 6
	};
	const json_t *intervals = results_intervals("sets.out"), *interval, *event, *events;
	size_t i, most = 0;

	json_array_foreach (intervals, i, interval) {
		events = json_object_get(interval, "events");
		most = json_array_size(events) > most ? json_array_size(events) : most;
	}
	assert_true(most > DEFAULT_EVENTS);
	assert_int_equal(json_array_size(events), DEFAULT_EVENTS);
	json_array_foreach (events, i, event)
		assert_string_equal(json_string_value(json_object_get(event, "state")), "counting");
	assert_true(results_books_balance(intervals));
}

/* Of L2 the task that stays in its caches misses more. */
static void generic_events_are_counted_where_codes_are_refused(void **state)
{
	static const char *const zen[] = {"column L2-MISS %", "part", "L2: cache-misses",
					  "as cache-llc-misses is not available here", NULL};
	static const char *const ice_lake[] = {"column LLC-MISS %", "ok", "LLC: cache-misses",
					       NULL};
	char *line = results_line_with("refusing-check.out", is_zen() ? zen : ice_lake);
	const json_t *interval = first_interval("refusing.out");

	if (!line)
		fail_msg("check does not say %s", is_zen() ? zen[0] : ice_lake[0]);
	free(line);
	assert_true(results_near("misses", metric(interval, INSIDE, "miss_pct"),
				 is_zen() ? 50 : 100 * 0.0001 / 0.0491, FIT_PCT));
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(interval, "levels"), "miss_pct")),
		is_zen() ? "L2" : "LLC");
}

static void two_counters_do(void **state)
{
	static const char *const turns[] = {"event cycles", "part", "take turns", NULL};
	char *line = results_line_with("two-check.out", turns);

	assert_non_null(line);
	free(line);
	assert_streaming_is_first("two.out", TURNS_PCT);
	assert_true(results_near("IPC", metric(first_interval("two.out"), INSIDE, "ipc"), 1,
				 TURNS_PCT));
}

static void top_down_is_where_the_processor_has_it(void **state)
{
	static const struct {
		const char *name;
		double pct;
	} shares[] = {{"retiring_pct", 20},
		      {"bad_spec_pct", 20},
		      {"fe_bound_pct", 20},
		      {"be_bound_pct", 40}};

	const json_t *interval = first_interval("topdown.out");
	const json_t *task = results_task(interval, STREAMS, NULL);

	assert_non_null(task);
	if (is_zen()) {
		char *said = results_text("topdown.err");

		assert_non_null(strstr(said, "not an event of this processor (AMD Zen 3)"));
		assert_null(json_object_get(json_object_get(task, "metrics"), "retiring_pct"));
		assert_true(results_near("IPC", metric(interval, STREAMS, "ipc"), 1, FIT_PCT));
		free(said);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(shares); i++)
		assert_true(
			results_near(shares[i].name,
				     metric(first_interval("topdown.out"), STREAMS, shares[i].name),
				     shares[i].pct, FIT_PCT));
}

/* A metric of Intel's wants slots as the leader of its group. */
static void a_metric_event_without_its_leader_is_refused(void **state)
{
	const json_t *interval = first_interval("refused.out");

	assert_string_equal(
		json_string_value(json_object_get(results_event(interval, "r8000"), "state")),
		"unsupported");
	assert_string_equal(
		json_string_value(json_object_get(results_event(interval, "cycles"), "state")),
		"counting");
	assert_true(results_near("IPC", metric(interval, STREAMS, "ipc"), 1, FIT_PCT));
}

static void check_tells_processor_and_columns(void **state)
{
	static const char *const zen[][4] = {
		{"processor", "ok", "AMD Zen 3 (AuthenticAMD,25,1,", NULL},
		{"column LLC-MISS %", "ok", "LLC: cache-llc-misses (0x5c44)", NULL},
		{"column LLC-MPKI", "ok", "LLC: cache-llc-misses (0x5c44), instructions", NULL},
	};
	static const char *const ice_lake[][4] = {
		{"processor", "ok", "Intel Ice Lake server (GenuineIntel,6,106,", NULL},
		{"column LLC-MISS %", "ok", "LLC: cache-misses, cache-references", NULL},
		{"column LLC-MPKI", "ok", "LLC: cache-misses, instructions", NULL},
	};

	for (size_t i = 0; i < COUNT_OF(zen); i++) {
		const char *const *words = is_zen() ? zen[i] : ice_lake[i];
		char *line = results_line_with("check.out", words);

		if (!line)
			fail_msg("no line of check says %s %s %s", words[0], words[1], words[2]);
		free(line);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(check_tells_processor_and_columns),
		cmocka_unit_test(presets_that_fit_count_what_they_say),
		cmocka_unit_test(presets_that_take_turns_are_right_too),
		cmocka_unit_test(bandwidth_is_lines_from_memory),
		cmocka_unit_test(what_streams_comes_before_what_stays_in_its_caches),
		cmocka_unit_test(key_for_misses_puts_what_streams_first),
		cmocka_unit_test(top_down_is_where_the_processor_has_it),
		cmocka_unit_test(a_metric_event_without_its_leader_is_refused),
		cmocka_unit_test(sets_of_columns_leave_no_events_behind),
		cmocka_unit_test(generic_events_are_counted_where_codes_are_refused),
		cmocka_unit_test(two_counters_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
