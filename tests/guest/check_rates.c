/*
 * What scenarios/rates.sh must have brought home: the known rates, balanced books, the right order,
 * the same values on the screen, refusals in words, and honesty about lost records.
 *
 * A name like w250m40 says what is right: 2.50 instructions per cycle, 40 misses per 1000
 * instructions; 20 % of the references miss.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

#define CHILDREN 300
#define CHILD_NS 5000000ull
#define CPUS     2
/* The scheduler's account of a task and that of perf's clock are two: what is charged at a switch
 * goes to one or the other. */
#define CHARGED_PCT 3

static double sum_ratio(const json_t *intervals, const char *command, const char *above,
			const char *below)
{
	return (double)results_sum_counts(intervals, command, above) /
	       (double)results_sum_counts(intervals, command, below);
}

static void assert_rates(const json_t *intervals, const char *command, double ipc, double mpki,
			 double tolerance_pct)
{
	bool right = true;
	char what[64];

	snprintf(what, sizeof(what), "%s IPC", command);
	right &= results_near(what, sum_ratio(intervals, command, "instructions", "cycles"), ipc,
			      tolerance_pct);
	snprintf(what, sizeof(what), "%s MPKI", command);
	right &= results_near(what,
			      sum_ratio(intervals, command, "cache-misses", "instructions") * 1000,
			      mpki, tolerance_pct);
	snprintf(what, sizeof(what), "%s miss %%", command);
	right &= results_near(
		what, sum_ratio(intervals, command, "cache-misses", "cache-references") * 100, 20.0,
		1.0); /* 20.0 +- 0.2 */
	assert_true(right);
}

/*
 * The rates of a task that was counted before it had its name, too: until then it ran under the law
 * of other names, 1.00 and 10, for as long as the emulator took for its start. Cycles and
 * instructions say how many cycles were which; the misses then have to be the sum of both, and at
 * least half of the cycles be the named ones.
 */
static void assert_rates_since_birth(const json_t *intervals, const char *command, double ipc,
				     double mpki)
{
	double cycles = (double)results_sum_counts(intervals, command, "cycles");
	double instructions = (double)results_sum_counts(intervals, command, "instructions");
	double misses = (double)results_sum_counts(intervals, command, "cache-misses");
	double named = (instructions - cycles) / (ipc - 1.00);
	double expected = named * ipc * mpki / 1000 + (cycles - named) * 10 / 1000;
	char what[64];

	snprintf(what, sizeof(what), "%s misses of %g cycles, %g named", command, cycles, named);
	assert_true(results_near(what, misses, expected, 0.1));
	assert_true(named > cycles / 2 && named < cycles * 1.001);
	assert_true(results_near(
		"miss %", sum_ratio(intervals, command, "cache-misses", "cache-references") * 100,
		20.0, 1.0));
}

/*
 * The metrics that perftop itself printed, interval by interval. One that comes sooner, since the
 * one before it was late, may be too short for the task to have run.
 */
static void assert_metrics(const json_t *intervals, const char *command, double ipc, double mpki)
{
	bool right = true;
	json_t *interval;
	size_t i, seen = 0;

	json_array_foreach (intervals, i, interval) {
		const json_t *task = results_task(interval, command, NULL);
		const json_t *metrics = json_object_get(task, "metrics");

		if (!task && results_real(interval, "interval_s") < 0.5)
			continue;
		assert_non_null(task);
		seen++;
		right &= results_near("ipc", results_real(metrics, "ipc"), ipc, 0.5);
		right &= results_near("mpki", results_real(metrics, "mpki"), mpki, 0.5);
		right &= results_near("miss_pct", results_real(metrics, "miss_pct"), 20.0, 1.0);
	}
	assert_true(right && seen > 0);
}

UNIT_TEST(rates_of_spinners_are_right)
{
	json_t *intervals = results_intervals("rates.out");

	assert_rates(intervals, "w250m40", 2.50, 40, 0.5);
	assert_rates(intervals, "w050m120", 0.50, 120, 0.5);
	assert_metrics(intervals, "w250m40", 2.50, 40);
	assert_metrics(intervals, "w050m120", 0.50, 120);
}

UNIT_TEST(rates_of_short_lives_are_right)
{
	json_t *intervals = results_intervals("rates.out");

	assert_rates_since_birth(intervals, "w150m80", 1.50, 80);
}

UNIT_TEST(rates_no_short_life_is_missed)
{
	json_t *intervals = results_intervals("rates.out");
	char *storm = results_text("storm");

	assert_non_null(storm);
	assert_memory_equal(storm, "children=300 ", strlen("children=300 "));
	/* the children and their parent, which is born under another name */
	assert_in_range(results_count_pids(intervals, "w150m80"), CHILDREN, CHILDREN + 1);
	uint64_t run_ns = results_sum_field(intervals, "w150m80", "run_ns");
	assert_true(run_ns >= CHILDREN * CHILD_NS);
	assert_true(results_near("time of the storm", (double)run_ns,
				 (double)results_number("storm.charged") * 1e3, CHARGED_PCT));
	free(storm);
}

UNIT_TEST(rates_dead_tasks_are_marked_and_stay_one_interval)
{
	json_t *intervals = results_intervals("rates.out");
	json_t *interval, *task;
	size_t i, j, exited = 0, seen = 0;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), j, task) {
			const char *command = json_string_value(json_object_get(task, "command"));
			const char *how = json_string_value(json_object_get(task, "state"));

			if (strcmp(command, "w150m80") != 0)
				continue;
			seen++;
			exited += strcmp(how, "exited") == 0;
		}
	}

	/* One that ends before a border and leaves its CPU behind it stands in both intervals. */
	assert_in_range(exited, CHILDREN, CHILDREN + 1 + CPUS * json_array_size(intervals));
	/* a child that lives over a border stands in two intervals: few do */
	assert_true(seen < CHILDREN * 3 / 2);
}

UNIT_TEST(rates_books_balance)
{
	json_t *intervals = results_intervals("rates.out");

	assert_true(json_array_size(intervals) >= 3);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(rates_everything_is_attributed)
{
	json_t *intervals = results_intervals("rates.out");
	json_t *interval;
	size_t i;

	json_array_foreach (intervals, i, interval) {
		const json_t *lost = json_object_get(interval, "lost");

		assert_int_equal(results_integer(lost, "records"), 0);
		assert_int_equal(results_integer(lost, "throttled"), 0);
	}
	assert_int_equal(results_unattributed(intervals, "cycles"), 0);
	assert_int_equal(results_unattributed(intervals, "cache-misses"), 0);
	assert_int_equal(results_unattributed(intervals, "ns"), 0);
}

/*
 * An emulated machine may be late for a refresh; the next one then comes sooner. Both ends of an
 * interval are read on one CPU after the other, and the emulator may pause in between: what an
 * interval lacks for that, the next one has.
 */
UNIT_TEST(rates_time_is_that_of_the_cpus)
{
	json_t *intervals = results_intervals("rates.out");
	double ahead_ns[CPUS] = {0}, furthest_ns = 0, all_ns = 0;
	json_t *interval, *cpu;
	size_t i, j;

	json_array_foreach (intervals, i, interval) {
		const double interval_ns = results_real(interval, "interval_s") * 1e9;

		assert_int_equal(json_array_size(json_object_get(interval, "cpus")), CPUS);
		all_ns += interval_ns;
		json_array_foreach (json_object_get(interval, "cpus"), j, cpu) {
			ahead_ns[j] += (double)results_integer(cpu, "ns") - interval_ns;
			furthest_ns = fmax(furthest_ns, fabs(ahead_ns[j]));
		}
	}
	if (furthest_ns >= 0.05 * all_ns + 20e6)
		fail_msg("a CPU is %g ns away from the clock, in %g ns", furthest_ns, all_ns);
}

UNIT_TEST(rates_events_are_all_counting)
{
	static const char *const names[] = {"cycles",       "instructions",  "cache-references",
					    "cache-misses", "branch-misses", "page-faults"};
	json_t *intervals = results_intervals("rates.out");

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		const json_t *event = results_event(json_array_get(intervals, 0), names[i]);

		assert_string_equal(json_string_value(json_object_get(event, "state")), "counting");
		assert_true(results_near(names[i], results_real(event, "running_pct"), 100, 1));
		assert_true(json_is_null(json_object_get(event, "reason")));
	}
}

UNIT_TEST(rates_scope_is_the_system)
{
	json_t *intervals = results_intervals("rates.out");
	const json_t *first = json_array_get(intervals, 0);

	assert_string_equal(json_string_value(json_object_get(first, "scope")), "system");
	assert_true(json_is_null(json_object_get(first, "scope_reason")));
	assert_int_equal(results_number("rates.status"), 0);
}

/*
 * Descriptors: CPUs x (events + one leader per group + the time line) + a constant, with
 * hundreds of tasks.
 */
UNIT_TEST(rates_descriptors_do_not_follow_tasks)
{
	json_t *intervals = results_intervals("rates.out");
	json_t *interval;
	size_t i;

	json_array_foreach (intervals, i, interval) {
		json_int_t fds = results_integer(json_object_get(interval, "own"), "fds");

		assert_in_range(fds, CPUS * (6 + 1 + 1), CPUS * (6 + 1 + 1) + 16);
	}
}

/* ---- order ---- */

static void assert_order(const char *file, const char *const *commands)
{
	json_t *intervals = results_intervals(file);
	size_t last = 0;

	for (size_t i = 0; commands[i]; i++) {
		size_t place = 0;

		if (!results_task(json_array_get(intervals, 0), commands[i], &place))
			fail_msg("%s: no task called %s", file, commands[i]);
		if (i > 0 && place <= last)
			fail_msg("%s: %s stands before %s", file, commands[i], commands[i - 1]);
		last = place;
	}
}

UNIT_TEST(sort_by_miss_rate_gives_the_right_order)
{
	static const char *const order[] = {"w100m20r60", "w250m40", "w100m50r10", NULL};

	assert_order("sort-miss.out", order);
}

UNIT_TEST(sort_by_ipc_gives_the_right_order)
{
	static const char *const down[] = {"w250m40", "w100m50r10", "w050m120", NULL};
	static const char *const up[] = {"w050m120", "w100m50r10", "w250m40", NULL};

	assert_order("sort-ipc.out", down);
	assert_order("sort-ipc-up.out", up);
}

UNIT_TEST(sort_by_mpki_gives_the_right_order)
{
	static const char *const order[] = {"w050m120", "w100m50r10", "w250m40", "w100m20r60",
					    NULL};

	assert_order("sort-mpki.out", order);
}

/* ---- the screen ---- */

static void assert_on_screen(const char *file, const char *const *words, bool expected)
{
	char *line = results_line_with(file, words);
	char *screen = results_text(file);

	if ((line != NULL) != expected)
		fail_msg("%s: a line with \"%s\" was%s expected:\n%s", file, words[0],
			 expected ? "" : " not", screen);
	free(screen);
	free(line);
}

UNIT_TEST(screen_attached_by_keys_shows_the_values)
{
	char pid[32];
	const char *const values[] = {pid, "w250m40", "2.50", "20.0", "40.0", NULL};
	const char *const other[] = {"w050m120", NULL};

	snprintf(pid, sizeof(pid), "%ld", results_number("first.pid"));

	assert_on_screen("tui-attached.txt", values, true);
	assert_on_screen("tui-attached.txt", other, false);
}

UNIT_TEST(screen_of_the_machine_shows_both)
{
	static const char *const first[] = {"w250m40", "2.50", "20.0", NULL};
	static const char *const second[] = {"w050m120", "0.50", "20.0", NULL};

	assert_on_screen("tui-all.txt", first, true);
	assert_on_screen("tui-all.txt", second, true);
}

UNIT_TEST(screen_goes_back_to_all)
{
	static const char *const first[] = {"w250m40", "2.50", NULL};
	static const char *const second[] = {"w050m120", "0.50", NULL};

	assert_on_screen("tui-back.txt", first, true);
	assert_on_screen("tui-back.txt", second, true);
}

/*
 * The row "  0 BAR  CPU% GHz IPC MISS% MPKI" of a CPU on which a spinner runs and, as long as the
 * emulator needs for it, others, of rates 1.00 and 10: the IPC tells the spinner's share of the
 * cycles, and the misses must be the sum of both.
 */
static void assert_row_of_cpu(const char *cpu, double ipc, double mpki)
{
	const char *const words[] = {cpu, "20.0", NULL};
	char *line = results_line_with("tui-cpus.txt", words);
	double row_ipc = 0, row_mpki = 0;

	assert_non_null(line);
	/* the bar ends in blanks */
	const char *numbers = strstr(line, "  ");
	while (numbers && strspn(numbers, " .0123456789") < 20)
		numbers = strstr(numbers + 1, "  ");
	assert_non_null(numbers);
	assert_int_equal(sscanf(numbers, "%*f %*f %lf 20.0 %lf", &row_ipc, &row_mpki), 2);
	const double share = (row_ipc - 1.00) / (ipc - 1.00);
	const double misses = share * ipc * mpki + (1 - share) * 10;
	assert_true(share > 0.3 && share < 1.03);
	assert_true(results_near(line, row_ipc * row_mpki, misses, 3));
	free(line);
}

UNIT_TEST(screen_of_cpus_shows_a_row_each)
{
	assert_row_of_cpu("  0 ", 2.50, 40);
	assert_row_of_cpu("  1 ", 0.50, 120);
}

UNIT_TEST(screen_left_with_status_0)
{
	static const char *const words[] = {"left 0", NULL};

	assert_on_screen("tui.left", words, true);
}

/* ---- CPUs that go and come ---- */

UNIT_TEST(hotplug_is_survived_and_the_books_balance)
{
	json_t *intervals = results_intervals("hotplug.out");
	json_t *interval;
	size_t i, with_one = 0, with_two_later = 0;

	assert_int_equal(results_number("offline.status"), 0);
	assert_int_equal(results_number("hotplug.status"), 0);
	json_array_foreach (intervals, i, interval) {
		size_t cpus = json_array_size(json_object_get(interval, "cpus"));

		with_one += cpus == 1;
		with_two_later += cpus == 2 && with_one > 0;
	}
	assert_true(with_one > 0);
	assert_true(with_two_later > 0);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(hotplug_rates_stay_right)
{
	json_t *intervals = results_intervals("hotplug.out");

	assert_rates(intervals, "w250m40", 2.50, 40, 0.5);
	assert_rates(intervals, "w050m120", 0.50, 120, 0.5);
}

/* ---- other users of the counters ---- */

/* Events that did not count all the time are not called counting, and it is said why. */
UNIT_TEST(crowded_counters_are_told)
{
	json_t *intervals = results_intervals("crowded.out");
	json_t *interval;
	size_t i, rotated = 0;

	json_array_foreach (intervals, i, interval) {
		const json_t *event = results_event(interval, "cycles");

		if (results_real(event, "running_pct") > 95)
			continue;
		rotated++;
		assert_string_equal(json_string_value(json_object_get(event, "state")),
				    "multiplexed");
		assert_true(json_is_string(json_object_get(event, "reason")));
	}
	assert_true(rotated > 0);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(crowded_counters_give_no_wrong_rate)
{
	json_t *intervals = results_intervals("crowded.out");

	assert_rates(intervals, "w250m40", 2.50, 40, 0.5);
}

/* ---- a command ---- */

UNIT_TEST(command_is_counted_with_its_children_and_its_status_kept)
{
	json_t *intervals = results_intervals("command.jsonl");
	char *said = results_text("command.out");
	unsigned long long cpu_us = 0;

	assert_int_equal(results_number("command.status"), 7);
	assert_rates_since_birth(intervals, "w200m30", 2.00, 30);
	assert_non_null(said);
	assert_int_equal(sscanf(said, "cpu_us=%llu", &cpu_us), 1);
	/* what it does after it has said so, in the kernel, comes on top */
	assert_true(results_near("time of the spinner",
				 (double)results_sum_field(intervals, "w200m30", "run_ns"),
				 (double)cpu_us * 1e3, 5));
	free(said);
}

UNIT_TEST(command_children_are_all_counted)
{
	json_t *intervals = results_intervals("children.jsonl");

	assert_int_equal(results_number("children.status"), 0);
	assert_rates_since_birth(intervals, "w150m80", 1.50, 80);
	assert_true(results_sum_field(intervals, "w150m80", "run_ns") >= 100 * CHILD_NS);
}

/* ---- one process ---- */

UNIT_TEST(pid_short_threads_are_counted_to_their_end)
{
	json_t *intervals = results_intervals("threads.out");
	char *threads = results_text("threads");
	const long charged_us = results_number("threads.charged");
	unsigned long long cpu_us = 0;

	assert_non_null(threads);
	assert_int_equal(sscanf(threads, "threads=200 cpu_us=%llu", &cpu_us), 1);
	assert_int_equal(results_number("threads.status"), 0);
	assert_rates_since_birth(intervals, "w150m80", 1.50, 80);
	assert_int_equal(results_count_pids(intervals, "w150m80"), 1);
	uint64_t run_ns = results_sum_field(intervals, "w150m80", "run_ns");
	/* the kernel takes a task's counters away before the last it does for it */
	if (run_ns < cpu_us * 990 || run_ns > (uint64_t)charged_us * 1010)
		fail_msg("%llu ns, not between %llu and %ld us", (unsigned long long)run_ns, cpu_us,
			 charged_us);
	free(threads);
}

/* ---- nobody ---- */

UNIT_TEST(nobody_watches_own_tasks_and_says_so)
{
	json_t *intervals = results_intervals("nobody-2.out");
	const json_t *first = json_array_get(intervals, 0), *foreign;
	const char *reason = json_string_value(json_object_get(first, "scope_reason"));

	assert_int_equal(results_number("nobody-2.status"), 0);
	assert_string_equal(json_string_value(json_object_get(first, "scope")), "tasks");
	assert_non_null(reason);
	assert_non_null(strstr(reason, "only your own tasks"));
	assert_rates(intervals, "w050m120", 0.50, 120, 0.5);
	/* of another user: from /proc, and what only a counter knows is unknown */
	foreign = results_task(first, "w250m40", NULL);
	assert_non_null(foreign);
	assert_string_equal(json_string_value(json_object_get(foreign, "from")), "proc");
	assert_true(results_integer(foreign, "run_ns") > 0);
	assert_true(isnan(results_real(json_object_get(foreign, "counts"), "cycles")));
	assert_true(isnan(results_real(json_object_get(foreign, "metrics"), "ipc")));
}

UNIT_TEST(nobody_own_pid_is_watched)
{
	json_t *intervals = results_intervals("nobody-own-2.out");

	assert_int_equal(results_number("nobody-own-2.status"), 0);
	assert_rates(intervals, "w050m120", 0.50, 120, 0.5);
}

static void assert_refusal(const char *name)
{
	char file[64];
	long lines = 0;

	snprintf(file, sizeof(file), "%s.status", name);
	assert_int_equal(results_number(file), 1);
	snprintf(file, sizeof(file), "%s.out", name);
	char *out = results_text(file);
	assert_string_equal(out, "");
	snprintf(file, sizeof(file), "%s.err", name);
	char *said = results_text(file);
	for (const char *c = said; *c; c++)
		lines += *c == '\n';
	assert_memory_equal(said, "perftop: ", 9);
	assert_in_range(lines, 1, 2);
	free(said);
	free(out);
}

/*
 * Tasks that end before they are found cannot be counted one by one; then it is said that there
 * were some.
 */
UNIT_TEST(nobody_is_told_of_children_that_were_missed)
{
	json_t *intervals = results_intervals("nobody-children.jsonl");
	const json_t *last = json_array_get(intervals, json_array_size(intervals) - 1);
	bool complete = results_sum_field(intervals, "w150m80", "run_ns") >= 60 * CHILD_NS;

	assert_int_equal(results_number("nobody-children.status"), 0);
	assert_true(complete || json_is_string(json_object_get(last, "scope_reason")));
}

/* Debian's strictest level: the kernel refuses everything. */
UNIT_TEST(nobody_at_level_3_is_told_why)
{
	static const char *const words[] = {"perf_event_paranoid is 3", NULL};

	assert_refusal("nobody-3");
	assert_on_screen("nobody-3.err", words, true);
	assert_int_equal(results_number("nobody-check-3.status"), 1);
}

UNIT_TEST(nobody_foreign_pid_is_refused)
{
	assert_refusal("nobody-foreign-2");
	assert_refusal("nobody-foreign-3");
}

UNIT_TEST(capability_suffices_up_to_level_2_only)
{
	static const char *const why[] = {
		"paranoid is 3, and above 2 this kernel wants CAP_SYS_ADMIN", NULL};
	static const char *const remedy[] = {"sysctl kernel.perf_event_paranoid=2", NULL};
	static const char *const checked[] = {
		"CAP_PERFMON", "part", "held, but above level 2 this kernel wants CAP_SYS_ADMIN",
		NULL};
	json_t *intervals = results_intervals("capable-2.out");

	assert_int_equal(results_number("capable-2.status"), 0);
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(intervals, 0), "scope")),
		"system");
	assert_refusal("capable-3");
	assert_on_screen("capable-3.err", why, true);
	assert_on_screen("capable-3.err", remedy, true);
	assert_on_screen("capable-check-3.out", checked, true);
}

UNIT_TEST(check_says_whether_own_tasks_can_be_watched)
{
	static const char *const paranoid[] = {"paranoid", NULL};

	assert_int_equal(results_number("check.status"), 0);
	assert_int_equal(results_number("nobody-check-2.status"), 0);
	assert_on_screen("nobody-check-2.out", paranoid, true);
	assert_on_screen("nobody-check-3.out", paranoid, true);
}

/* Of the machine only where it may be counted, of columns only where anything may. */
UNIT_TEST(check_says_nothing_of_what_may_not_be_counted)
{
	static const char *const own[] = {"own tasks", "ok", "user mode only", NULL};
	static const char *const each[] = {"descriptors", "ok", "needed for each thread", NULL};
	static const char *const none[] = {"PMU", "part", "this user may count nothing", NULL};
	static const char *const rings[] = {"rings", NULL};
	static const char *const held[] = {"rings", "ok", "for each of 2 CPUs", NULL};
	static const char *const columns[] = {"column ", NULL};

	assert_on_screen("nobody-check-2.out", own, true);
	assert_on_screen("nobody-check-2.out", each, true);
	assert_on_screen("nobody-check-2.out", rings, false);
	assert_on_screen("nobody-check-3.out", none, true);
	assert_on_screen("nobody-check-3.out", columns, false);
	assert_on_screen("capable-check-2.out", held, true);
}

/* ---- lost records ---- */

/* In both ways in which switches are reported. */
static const char *const lost_ways[] = {"lost", "lost-software"};

static const char *file_of(const char *way, const char *suffix)
{
	static char name[64];

	snprintf(name, sizeof(name), "%s.%s", way, suffix);
	return name;
}

static void assert_losses_are_told(const char *way)
{
	json_t *intervals = results_intervals(file_of(way, "out"));
	json_t *interval;
	int64_t lost = 0;
	size_t i;

	json_array_foreach (intervals, i, interval)
		lost += results_integer(json_object_get(interval, "lost"), "records");
	assert_int_equal(results_number(file_of(way, "status")), 0);
	assert_true(lost > 0);
	assert_true(results_unattributed(intervals, "ns") > 0);
	assert_true(results_unattributed(intervals, "cycles") > 0);
	assert_true(results_books_balance(intervals));
}

UNIT_TEST(lost_records_are_told_and_belong_to_nobody)
{
	static const char *const words[] = {"lost ", NULL};

	for (size_t i = 0; i < COUNT_OF(lost_ways); i++)
		assert_losses_are_told(lost_ways[i]);
	assert_on_screen("lost-text.out", words, true);
}

/* What was lost is in no task: IPC 1.00 is the rate of all tasks here, and nobody has another. */
UNIT_TEST(lost_records_spoil_no_rate)
{
	for (size_t i = 0; i < COUNT_OF(lost_ways); i++) {
		json_t *intervals = results_intervals(file_of(lost_ways[i], "out"));

		assert_true(results_near("pingpong IPC",
					 sum_ratio(intervals, "pingpong", "instructions", "cycles"),
					 1.0, 0.5));
	}
}

/* A CPU that comes when tracefs has gone is counted as the others are. */
UNIT_TEST(tracefs_that_vanishes_takes_nothing_along)
{
	json_t *intervals = results_intervals("vanished.out");

	const json_t *last = json_array_get(intervals, json_array_size(intervals) - 1);

	assert_int_equal(results_number("vanished.status"), 0);
	assert_int_equal(json_array_size(json_object_get(last, "cpus")), CPUS);
	assert_true(results_books_balance(intervals));
	assert_rates_since_birth(intervals, "w250m40", 2.5, 40);
}

/* All events fit, so nothing on the screen is an estimate: no digit with the mark of one. */
UNIT_TEST(screen_marks_nothing_where_all_events_fit)
{
	static const char *const files[] = {"tui-all.txt", "tui-attached.txt", "tui-back.txt",
					    "tui-cpus.txt"};

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		char *text = results_text(files[i]);

		assert_non_null(text);
		for (const char *mark = strchr(text, '\''); mark; mark = strchr(mark + 1, '\''))
			assert_false(mark > text && mark[-1] >= '0' && mark[-1] <= '9');
		free(text);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
