/*
 * What the scenario "switches" has brought home: each slice has the counts of the task that ran,
 * slices of a task are its totals, yields are told of.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

enum {
	LONG_ENOUGH_NS = 1000000, /* in shorter slices the switch itself has its share */
	/* at least so many, however slow the emulator is */
	MIN_RUN_NS = 20000000,
	MIN_LIVES = 5,
	MIN_YIELDS = 3,
	MIN_SLICES = 30
};

static bool is_task(const json_t *task, const char *command)
{
	const char *name = json_string_value(json_object_get(task, "command"));

	return name && strcmp(name, command) == 0;
}

static bool left_called(const json_t *line, const char *command)
{
	return is_task(json_object_get(line, "out"), command);
}

static bool how_is(const json_t *line, const char *how)
{
	return strcmp(json_string_value(json_object_get(line, "how")), how) == 0;
}

/* Whether the facts of shapes.c tell of this task under the name; at first it has its parent's.
 * NULL: under any. */
static bool is_told_of(const char *facts, const char *command, const json_t *task)
{
	char line[64];

	if (json_is_null(task))
		return false;
	snprintf(line, sizeof(line), "%s %d ", command ? command : "",
		 (int)results_integer(task, "pid"));
	return strstr(facts, line) != NULL;
}

/* Sum over the slices of tasks, of counts or, event NULL, of time. */
static uint64_t sum_slices(const json_t *lines, const char *facts, const char *command,
			   const char *event)
{
	const json_t *line;
	uint64_t sum = 0;
	size_t i;

	json_array_foreach (lines, i, line) {
		const json_t *from = event ? json_object_get(line, "counts") : line;
		const char *key = event ? event : "slice_ns";

		if (is_told_of(facts, command, json_object_get(line, "out")) &&
		    !json_is_null(json_object_get(from, key)))
			sum += (uint64_t)results_integer(from, key);
	}
	return sum;
}

/* The same of what the tasks view tells. */
static uint64_t sum_totals(const json_t *intervals, const char *facts, const char *command,
			   const char *event)
{
	const json_t *interval, *task;
	uint64_t sum = 0;
	size_t i, k;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), k, task) {
			if (is_told_of(facts, command, task))
				sum += (uint64_t)results_integer(
					event ? json_object_get(task, "counts") : task,
					event ? event : "run_ns");
		}
	}
	return sum;
}

/* What the kernel charged them all with, by the facts. */
static uint64_t sum_charged(const char *facts)
{
	unsigned long long ns;
	uint64_t sum = 0;

	for (const char *line = facts; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "sh-%*s %*d %llu", &ns) == 1)
			sum += ns;
	}
	return sum;
}

/* ---- rates ---- */

static bool slice_has_rates(const json_t *line, double ipc, double mpki)
{
	const json_t *counts = json_object_get(line, "counts");
	const double cycles = results_real(counts, "cycles");
	const double instructions = results_real(counts, "instructions");
	const double misses = results_real(counts, "cache-misses");

	return results_near("IPC of a slice", instructions / cycles, ipc, 1) &&
	       results_near("misses of a slice", misses / instructions * 1e3, mpki, 1);
}

static void assert_slices_have_rates(const char *command, double ipc, double mpki)
{
	json_t *lines = results_intervals("spinners.out");
	const json_t *line;
	double cycles = 0, instructions = 0, misses = 0;
	size_t i, looked_at = 0, wrong = 0;

	json_array_foreach (lines, i, line) {
		const json_t *counts = json_object_get(line, "counts");

		if (!left_called(line, command) ||
		    !(results_real(line, "slice_ns") >= LONG_ENOUGH_NS) ||
		    isnan(results_real(counts, "cycles")))
			continue;
		/* the one in which counting begins may have begun before */
		if (looked_at == 0 && results_real(counts, "cycles") == 0)
			continue;
		looked_at++;
		wrong += !slice_has_rates(line, ipc, mpki);
		cycles += results_real(counts, "cycles");
		instructions += results_real(counts, "instructions");
		misses += results_real(counts, "cache-misses");
	}
	print_message("%s: %zu slices, %zu wrong\n", command, looked_at, wrong);
	assert_true(looked_at >= MIN_SLICES);
	/* where the emulator has to wait for a CPU between the reading and the switch, that time is
	 * the next one's */
	assert_true(wrong * 20 <= looked_at);
	assert_true(results_near("IPC of all slices", instructions / cycles, ipc, 1));
	assert_true(results_near("misses of all slices", misses / instructions * 1e3, mpki, 1));
}

UNIT_TEST(slices_of_two_that_share_a_cpu_have_each_its_own_rate)
{
	assert_slices_have_rates("w250m40", 2.50, 40);
	assert_slices_have_rates("w033m120", 0.33, 120);
}

UNIT_TEST(spinners_push_each_other_out)
{
	json_t *lines = results_intervals("spinners.out");
	const json_t *line;
	size_t i, left = 0, preempted = 0, knows_taker = 0;

	json_array_foreach (lines, i, line) {
		const json_t *came = json_object_get(line, "in");

		if (!left_called(line, "w250m40"))
			continue;
		left++;
		preempted += how_is(line, "preempted");
		knows_taker += is_task(came, "w033m120");
	}
	assert_true(left >= MIN_SLICES);
	assert_true(preempted * 100 >= left * 95);
	assert_true(knows_taker * 4 >= left);
}

UNIT_TEST(filter_lets_long_preempted_slices_through_and_no_others)
{
	json_t *lines = results_intervals("preempted.out");
	const json_t *line;
	size_t i;

	json_array_foreach (lines, i, line) {
		assert_true(how_is(line, "preempted"));
		assert_true(results_integer(line, "slice_ns") > 1000000);
	}
	assert_true(i >= MIN_SLICES / 2);
}

/* ---- the books ---- */

/*
 * Two perftops tell, one of slices and one of totals, each with counters of its own. These stand
 * still during a switch, so they agree, mostly to the last digit; clocks do not.
 */
static void assert_slices_are_totals(const char *command)
{
	static const char *const events[] = {"cycles", "instructions", "cache-misses"};
	json_t *lines = results_intervals("shapes.out"),
	       *intervals = results_intervals("tasks.out");
	char *facts = results_text("facts");
	const double slices_ns = (double)sum_slices(lines, facts, command, NULL);
	const double total_ns = (double)sum_totals(intervals, facts, command, NULL);

	for (size_t i = 0; i < COUNT_OF(events); i++) {
		const uint64_t slices = sum_slices(lines, facts, command, events[i]);
		const uint64_t total = sum_totals(intervals, facts, command, events[i]);

		print_message("%s: %llu %s in slices, %llu in all\n", command,
			      (unsigned long long)slices, events[i], (unsigned long long)total);
		assert_true(slices > 0);
		assert_true(results_near(events[i], (double)slices, (double)total, 1));
	}
	assert_true(results_near(command, slices_ns, total_ns, 5));
	assert_true(slices_ns > MIN_RUN_NS);
	free(facts);
}

UNIT_TEST(slices_of_a_task_add_up_to_its_totals)
{
	assert_slices_are_totals("sh-spin-a");
	assert_slices_are_totals("sh-spin-b");
	assert_slices_are_totals("sh-mover");
	assert_slices_are_totals("sh-beside");
}

UNIT_TEST(slices_of_short_lives_add_up_to_their_totals)
{
	assert_slices_are_totals("sh-short");
}

/* Two watchers can be blind together. Where the emulator pauses during a switch they and the kernel
 * may each charge another task with the pause. */
UNIT_TEST(slices_of_all_add_up_to_what_the_kernel_charged)
{
	char *facts = results_text("facts");
	const uint64_t slices = sum_slices(results_intervals("shapes.out"), facts, NULL, NULL);

	assert_true(results_near("time", (double)slices, (double)sum_charged(facts), 15));
	free(facts);
}

UNIT_TEST(yields_are_told_as_yielded)
{
	json_t *lines = results_intervals("shapes.out");
	const json_t *line;
	size_t i, of_yielder = 0, of_spinner = 0;

	json_array_foreach (lines, i, line) {
		of_yielder += left_called(line, "sh-yielder") && how_is(line, "yielded");
		of_spinner += left_called(line, "sh-spin-a") && how_is(line, "yielded");
	}
	print_message("yields: %zu\n", of_yielder);
	assert_true(of_yielder >= MIN_YIELDS);
	assert_int_equal(of_spinner, 0);
}

static const json_t *last_line_of(const json_t *lines, int64_t pid)
{
	for (size_t i = json_array_size(lines); i > 0; i--) {
		const json_t *line = json_array_get(lines, i - 1);
		const json_t *out = json_object_get(line, "out");

		if (json_integer_value(json_object_get(out, "pid")) == pid)
			return line;
	}
	return NULL;
}

/* Whether its end is told of; where not, what is. */
static bool end_is_told(const json_t *lines, const char *life)
{
	const json_t *line = last_line_of(lines, strtol(life + strlen("sh-short"), NULL, 10));
	const bool is_told = left_called(line, "sh-short") && how_is(line, "exited");
	char *text = is_told ? NULL : json_dumps(line, JSON_COMPACT);

	if (!is_told)
		print_message("%.*s: %s\n", (int)strcspn(life, "\n"), life,
			      text ? text : "no line");
	free(text);
	return is_told;
}

UNIT_TEST(exits_of_short_lives_are_told)
{
	json_t *lines = results_intervals("shapes.out");
	char *facts = results_text("facts");
	size_t exited = 0, lives = 0;

	for (const char *life = facts; (life = strstr(life, "sh-short")); life++) {
		lives++;
		exited += end_is_told(lines, life);
	}
	print_message("%zu lives, %zu ends\n", lives, exited);
	assert_true(lives >= MIN_LIVES);
	/* one that is pushed out at its very end may be told of otherwise */
	assert_in_range(exited, lives - lives / 50 - 1, lives);
	free(facts);
}

/* ---- the others ---- */

UNIT_TEST(screen_shows_the_rate_of_a_slice)
{
	static const char *const words[] = {"w250m40", "preempted", "2.50", NULL};
	static const char *const left[] = {"left 0", NULL};
	char *line = results_line_with("tui-log.txt", words);
	char *status = results_line_with("tui.left", left);

	assert_non_null(line);
	assert_non_null(status);
	free(line);
	free(status);
}

UNIT_TEST(text_has_a_line_for_a_switch)
{
	static const char *const words[] = {"w250m40", "w033m120", "preempted", "2.50", NULL};
	char *line = results_line_with("text.out", words);

	assert_non_null(line);
	free(line);
}

UNIT_TEST(nobody_sees_switches_of_its_own_process_without_counts)
{
	json_t *lines = results_intervals("nobody.out");
	const json_t *line;
	size_t i, left = 0;

	assert_int_equal(results_number("nobody.status"), 0);
	json_array_foreach (lines, i, line) {
		if (json_object_get(line, "lost") != NULL ||
		    json_object_get(line, "left_out") != NULL)
			continue; /* no switch */
		left += left_called(line, "pingpong");
		assert_true(json_is_null(json_object_get(line, "counts")));
	}
	assert_true(left >= MIN_SLICES);
}

static bool has_been_called(const json_t *intervals, int64_t pid, const char *command)
{
	const json_t *interval, *task;
	size_t i, j;

	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "tasks"), j, task)
			if (results_integer(task, "pid") == pid && is_task(task, command))
				return true;
	return false;
}

/* Over the whole lives of tasks that were called so at some time: none has its name from the start.
 * The key is that of the task or of an event. */
static uint64_t sum_lives(const json_t *intervals, const char *command, const char *key)
{
	const json_t *interval, *task;
	uint64_t sum = 0;
	size_t i, j;

	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "tasks"), j, task)
			if (has_been_called(intervals, results_integer(task, "pid"), command))
				sum += (uint64_t)results_integer(
					json_object_get(task, key)
						? task
						: json_object_get(task, "counts"),
					key);
	return sum;
}

/* Of each of these tasks in each interval, to see why the two do not agree. */
static void print_lives(const char *way, const json_t *intervals, const char *command)
{
	const json_t *interval, *task;
	size_t i, j;

	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "tasks"), j, task)
			if (has_been_called(intervals, results_integer(task, "pid"), command))
				print_message("%s, interval %zu: %s %lld: %lld switches, %lld "
					      "preempted, %lld ns\n",
					      way, i, command,
					      (long long)results_integer(task, "pid"),
					      (long long)results_integer(task, "switches"),
					      (long long)results_integer(task, "preempted"),
					      (long long)results_integer(task, "run_ns"));
}

/* The leader of the readings does not change what they say. */
UNIT_TEST(both_ways_to_see_switches_agree)
{
	static const char *const commands[] = {"w250m40", "pingpong"};
	json_t *tracepoint = results_intervals("tracepoint.out");
	json_t *software = results_intervals("software.out");
	char *said = results_text("software.check");

	assert_int_equal(results_number("tracepoint.status"), 0);
	assert_int_equal(results_number("software.status"), 0);
	assert_non_null(said);
	assert_non_null(strstr(said, "context switches           part  three records each"));
	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		const uint64_t switches = sum_lives(tracepoint, commands[i], "switches");

		assert_true(switches > MIN_LIVES);
		if (sum_lives(software, commands[i], "switches") != switches) {
			print_lives("tracepoint", tracepoint, commands[i]);
			print_lives("software", software, commands[i]);
		}
		assert_int_equal(sum_lives(software, commands[i], "switches"), switches);
		assert_int_equal(sum_lives(software, commands[i], "preempted"),
				 sum_lives(tracepoint, commands[i], "preempted"));
	}
	assert_true(results_near("instructions",
				 (double)sum_lives(software, "w250m40", "instructions"),
				 (double)sum_lives(tracepoint, "w250m40", "instructions"), 1));
	assert_true(results_near("run time", (double)sum_lives(software, "w250m40", "run_ns"),
				 (double)sum_lives(tracepoint, "w250m40", "run_ns"), 1));
	assert_true(results_books_balance(tracepoint));
	assert_true(results_books_balance(software));
	free(said);
}

UNIT_TEST(watchers_end_well)
{
	assert_int_equal(results_number("spinners.status"), 0);
	assert_int_equal(results_number("preempted.status"), 0);
	assert_int_equal(results_number("text.status"), 0);
	assert_int_equal(results_number("tasks.status"), 0);
	assert_int_equal(results_number("shapes.status"), 0);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
