/*
 * What scenarios/recording.sh has brought home: replays tell what was seen live, perf's recording
 * of a run and perftop's give each task the same counts, and perf finds in ours what we do.
 */
#include <math.h>

#include "../unit/unit.h"
#include "alike.h"
#include "results.h"

enum {
	PAUSE_NS = 500000,         /* of the emulator */
	LONG_ENOUGH_NS = 20000000, /* of a task: what its first and last slice may lack is little */
	MIN_LINES = 100
};

static const char *const counters[] = {"cycles", "instructions", "cache-misses"};

/* ---- sessions and their replays ---- */

static json_t *read_lines(const char *run, const char *kind)
{
	char file[64];

	snprintf(file, sizeof(file), "%s.%s", run, kind);
	return results_intervals(file);
}

/* All steps went well, and without a word. */
static void assert_went_well(const char *run)
{
	char file[64];

	snprintf(file, sizeof(file), "%s.status", run);
	char *status = results_text(file);
	snprintf(file, sizeof(file), "%s.err", run);
	char *words = results_text(file);

	assert_non_null(status);
	assert_non_null(words);
	if (strspn(status, "0\n") != strlen(status) || words[0] != '\0')
		fail_msg("%s: status %s, and it said: %.500s", run, status, words);
	free(status);
	free(words);
}

static void replay_tells_what_was_seen(void **state)
{
	json_t *live = read_lines(*state, "live");
	json_t *replay = read_lines(*state, "replay");
	const json_t *first = json_array_get(live, 0);
	const bool is_log = json_object_get(first, "time_ns") != NULL;

	assert_went_well(*state);
	assert_true(json_array_size(live) >= (is_log ? MIN_LINES : 4));
	if (json_object_get(first, "cpus"))
		assert_true(results_sum_counts(live, NULL, "instructions") > 0);
	assert_true(alike_lines(live, replay));
}

UNIT_TEST(session_with_losses_lost_records)
{
	json_t *live = read_lines("losses", "live");
	json_t *interval;
	int64_t lost = 0;
	size_t i;

	json_array_foreach (live, i, interval)
		lost += results_integer(json_object_get(interval, "lost"), "records");
	assert_true(lost > 0);
}

UNIT_TEST(contended_session_lacked_counters)
{
	json_t *live = read_lines("contended", "live");
	json_t *interval;
	size_t i, lacking = 0;

	json_array_foreach (live, i, interval)
		lacking += results_real(results_event(interval, "cycles"), "running_pct") < 95;
	assert_true(lacking > 0);
}

/* ---- perf beside perftop ---- */

static struct {
	json_t *ours, *theirs;       /* intervals of the replays */
	json_t *our_log, *their_log; /* switch by switch */
	char *facts, *report, *kinds;
} beside;

static int read_beside(void **state)
{
	beside.ours = read_lines("beside", "replay");
	beside.theirs = read_lines("perf", "replay");
	beside.our_log = read_lines("beside", "switches");
	beside.their_log = read_lines("perf", "switches");
	beside.facts = results_text("facts");
	beside.report = results_text("perf-report.out");
	beside.kinds = results_text("perf-kinds.out");
	return beside.facts && beside.report && beside.kinds ? 0 : -1;
}

static int free_beside(void **state)
{
	free(beside.facts);
	free(beside.report);
	free(beside.kinds);
	return 0;
}

struct shape {
	char name[32];
	int pid;
	unsigned long long run_ns;
};

/* The next of the tasks whose whole lives both have seen; false: no more. */
static bool next_shape(const char **facts, struct shape *shape)
{
	while (**facts != '\0') {
		const char *line = *facts;

		*facts += strcspn(line, "\n");
		*facts += **facts == '\n';
		if (sscanf(line, "%31s %d %llu", shape->name, &shape->pid, &shape->run_ns) == 3)
			return true;
	}
	return false;
}

static uint64_t sum_of_pid(const json_t *intervals, int pid, const char *event)
{
	const json_t *interval, *task;
	uint64_t sum = 0;
	size_t i, k;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "tasks"), k, task) {
			if (results_integer(task, "pid") != pid)
				continue;
			sum += (uint64_t)results_integer(event ? json_object_get(task, "counts")
							       : task,
							 event ? event : "run_ns");
		}
	}
	return sum;
}

/* Over all tasks of a name, so that the short ones are many. */
static uint64_t sum_of_name(const json_t *intervals, const char *name, const char *event)
{
	const char *facts = beside.facts;
	struct shape shape;
	uint64_t sum = 0;

	while (next_shape(&facts, &shape))
		if (strcmp(shape.name, name) == 0)
			sum += sum_of_pid(intervals, shape.pid, event);
	return sum;
}

UNIT_TEST(perf_and_perftop_give_each_task_the_same_counts)
{
	const char *facts = beside.facts;
	struct shape shape;
	size_t compared = 0, wrong = 0;
	double our_ns = 0, their_ns = 0, ours_of_all[3] = {0}, theirs_of_all[3] = {0};

	while (next_shape(&facts, &shape)) {
		const double pause_pct = 100.0 * PAUSE_NS / (double)shape.run_ns;

		if (shape.run_ns < LONG_ENOUGH_NS)
			continue;
		for (size_t i = 0; i < 3; i++) {
			const uint64_t ours = sum_of_pid(beside.ours, shape.pid, counters[i]);
			const uint64_t theirs = sum_of_pid(beside.theirs, shape.pid, counters[i]);

			print_message("%-12s %-14s perftop %12llu perf %12llu\n", shape.name,
				      counters[i], (unsigned long long)ours,
				      (unsigned long long)theirs);
			compared++;
			wrong += ours == 0 || !results_near(shape.name, (double)theirs,
							    (double)ours, fmax(0.1, pause_pct));
			ours_of_all[i] += (double)ours;
			theirs_of_all[i] += (double)theirs;
		}
		our_ns += (double)sum_of_pid(beside.ours, shape.pid, NULL);
		their_ns += (double)sum_of_pid(beside.theirs, shape.pid, NULL);
	}
	/* the emulator may pause between perf's record of a switch and ours: to one it is the
	 * leaver's time, to the other that of who comes, and so are the counts */
	wrong += !results_near("run time of all", their_ns, our_ns, 2);
	for (size_t i = 0; i < 3; i++)
		wrong += !results_near(counters[i], theirs_of_all[i], ours_of_all[i], 0.1);
	assert_true(compared >= 3 * 5);
	assert_int_equal(wrong, 0);
}

UNIT_TEST(perf_and_perftop_give_short_lives_the_same_counts)
{
	for (size_t i = 0; i < 3; i++) {
		const uint64_t ours = sum_of_name(beside.ours, "sh-short", counters[i]);
		const uint64_t theirs = sum_of_name(beside.theirs, "sh-short", counters[i]);

		assert_true(ours > 0);
		assert_true(results_near(counters[i], (double)theirs, (double)ours, 1));
	}
}

/* What is read off a group at each switch is a reading, not an estimate. */
UNIT_TEST(readings_of_perf_are_not_estimates)
{
	for (size_t i = 0; i < 3; i++) {
		const json_t *event = results_event(json_array_get(beside.theirs, 0), counters[i]);

		assert_false(json_is_true(json_object_get(event, "estimate")));
	}
	assert_true(results_books_balance(beside.theirs));
}

static size_t count_of_log(const json_t *log, int pid)
{
	const json_t *line;
	size_t i, count = 0;

	json_array_foreach (log, i, line) {
		const json_t *out = json_object_get(line, "out");

		count += json_is_object(out) && results_integer(out, "pid") == pid;
	}
	return count;
}

UNIT_TEST(perf_and_perftop_tell_the_same_switches)
{
	const char *facts = beside.facts;
	struct shape shape;
	size_t wrong = 0, switches = 0;

	while (next_shape(&facts, &shape)) {
		const size_t ours = count_of_log(beside.our_log, shape.pid);
		const size_t theirs = count_of_log(beside.their_log, shape.pid);

		switches += ours;
		if (ours == theirs)
			continue;
		wrong++;
		print_message("%s %d: %zu switches of perftop, %zu of perf\n", shape.name,
			      shape.pid, ours, theirs);
	}
	assert_true(switches >= MIN_LINES);
	assert_int_equal(wrong, 0);
}

/* ---- perf reads ours ---- */

UNIT_TEST(perf_reads_ours_without_a_warning)
{
	assert_went_well("perf-script");
	assert_went_well("perf-report");
	assert_went_well("perf-evlist");
	assert_went_well("perf-stats");
}

/* "PID/TID KIND COUNT" */
static size_t count_of_kind(int pid, const char *kind)
{
	char wanted[64];
	const char *line;

	snprintf(wanted, sizeof(wanted), "%d/%d %s ", pid, pid, kind);
	line = strstr(beside.kinds, wanted);
	while (line && line != beside.kinds && line[-1] != '\n')
		line = strstr(line + 1, wanted);
	return line ? (size_t)atol(line + strlen(wanted)) : 0;
}

/* Each group has a leader that is read at each switch. */
static size_t count_of_groups(void)
{
	char *events = results_text("perf-evlist.out"), *rest = events;
	size_t count = 0;

	for (char *line; (line = strsep(&rest, "\n"));)
		count += strncmp(line, "context-switches:", strlen("context-switches:")) == 0;
	free(events);
	return count;
}

UNIT_TEST(perf_script_finds_a_reading_of_each_group_for_each_switch)
{
	const char *facts = beside.facts;
	const size_t groups = count_of_groups();
	struct shape shape;
	size_t wrong = 0;

	/* but for the last one of a task that has been reaped: its sample has pid -1 */
	assert_true(groups > 0);
	while (next_shape(&facts, &shape)) {
		const size_t told = count_of_log(beside.our_log, shape.pid);
		const size_t found = count_of_kind(shape.pid, "context-switches:");

		if (told * groups == found || told * groups == found + groups)
			continue;
		wrong++;
		print_message("%s %d: %zu switches, perf script finds %zu\n", shape.name, shape.pid,
			      told, found);
	}
	assert_int_equal(wrong, 0);
}

/* The place of an event in a section's title: "... events 'anon group { a, b }'"; -1: not in it. */
static int place_in_title(const char *title, const char *event)
{
	const size_t length = strlen(event);
	const char *end = strchr(title, '\n');
	const char *word = strchr(title, '{');

	for (int place = 0; word && end && word < end; place++) {
		word += 2; /* the bracket or comma, and the blank */
		if (strncmp(word, event, length) == 0 && strchr(", ", word[length]))
			return place;
		word = strpbrk(word, ",\n");
	}
	return -1;
}

/* Of lines "PERIOD... ; SAMPLES... ; PID:NAME ; NAME" of the section with the event: the periods at
 * its place, of all names that the task had. 0: not in it. */
static uint64_t period_in_report(int pid, const char *event)
{
	const char *line = beside.report;
	uint64_t sum = 0;
	char wanted[32];
	int place = -1;

	snprintf(wanted, sizeof(wanted), "%d:", pid);
	for (; line; line = strchr(line, '\n'), line += line != NULL) {
		const char *column = strchr(line, ';');
		char *number = (char *)line;

		if (strncmp(line, "# Samples", strlen("# Samples")) == 0)
			place = place_in_title(line, event);
		if (place < 0 || line[0] == '#' || !column || !(column = strchr(column + 1, ';')))
			continue;
		column += 1 + strspn(column + 1, " ");
		if (strncmp(column, wanted, strlen(wanted)) != 0)
			continue;
		for (int i = 0; i < place; i++)
			strtoull(number, &number, 10);
		sum += strtoull(number, NULL, 10);
	}
	return sum;
}

/*
 * A task that has been reaped has pid -1 in its last sample (Linux 6.1): perf leaves it at that, we
 * know from other records who it was. So of a task perf may miss the very last slice.
 */
static bool is_in_report(int pid, const char *event, uint64_t ours)
{
	const uint64_t theirs = period_in_report(pid, event);

	return (theirs <= ours && ours - theirs <= period_in_report(-1, event)) ||
	       results_near(event, (double)theirs, (double)ours, 1);
}

UNIT_TEST(perf_report_charges_each_task_as_we_do)
{
	const char *facts = beside.facts;
	struct shape shape;
	size_t compared = 0, wrong = 0;

	while (next_shape(&facts, &shape)) {
		if (shape.run_ns < LONG_ENOUGH_NS)
			continue;
		for (size_t i = 0; i < 3; i++) {
			const uint64_t ours = sum_of_pid(beside.ours, shape.pid, counters[i]);

			compared++;
			wrong += !is_in_report(shape.pid, counters[i], ours);
		}
	}
	assert_true(compared >= 3 * 5);
	assert_int_equal(wrong, 0);
}

int main(void)
{
#define SESSION(name)                                                                              \
	cmocka_unit_test_prestate(replay_tells_what_was_seen, (void *)(uintptr_t)(name))
	const struct CMUnitTest sessions[] = {
		SESSION("system"),    SESSION("threads"),  SESSION("switches"),
		SESSION("pid"),       SESSION("packed"),   SESSION("nobody"),
		SESSION("turns"),     SESSION("beside"),   SESSION("pairs"),
		SESSION("losses"),    SESSION("software"), SESSION("software-switches"),
		SESSION("contended"),
	};
#undef SESSION
	return cmocka_run_group_tests(sessions, NULL, NULL) +
	       unit_run_group(NULL, NULL, read_beside, free_beside);
}
