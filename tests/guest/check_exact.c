/*
 * Each thread of the workload is credited exactly what it did, no other task with it, and the books
 * balance. perftop has begun before a thread's work, but perhaps not before its start.
 *
 * events has the list of events as it was given to perftop, in the order of enum counted.
 */
#include <math.h>

#include "../unit/unit.h"
#include "results.h"

enum counted {
	FAULTS,
	WRITES,
	CALLS,
	RETURNS,
	TSC,
	SIGNALS,
	WANTED_SIGNALS,
	COUNTED
};

static char *names[COUNTED];

static int split_names(void **state)
{
	static char *list;

	list = results_text("events");
	assert_non_null(list);
	list[strcspn(list, "\n")] = '\0';
	for (int i = 0; i < COUNTED; i++)
		names[i] = strsep(&list, ",");
	return list == NULL && names[COUNTED - 1] != NULL ? 0 : -1;
}

static long fact(const char *run, const char *thread, const char *what)
{
	char file[64], wanted[64];
	char *text, *line;
	long number = -1;

	snprintf(file, sizeof(file), "%s.facts", run);
	snprintf(wanted, sizeof(wanted), "%s %s ", thread, what);
	text = results_text(file);
	assert_non_null(text);
	line = strstr(text, wanted);
	if (line)
		number = atol(line + strlen(wanted));
	free(text);
	assert_true(number >= 0);
	return number;
}

static bool is_exact(const json_t *intervals, const char *thread, enum counted event, long expected,
		     long before)
{
	const long counted = (long)results_sum_counts(intervals, thread, names[event]);
	const bool is_right = counted >= expected - before && counted <= expected;

	if (!is_right)
		print_message("%s: %ld of %s, expected %ld\n", thread, counted, names[event],
			      expected);
	return is_right;
}

static void check_counts(const json_t *intervals, const char *run)
{
	static const char *const threads[] = {"ex-calls", "ex-writes", "ex-faults", "ex-signals",
					      "ex-spin"};
	bool right = true;

	for (int i = 0; i < 5; i++) {
		const char *thread = threads[i];
		const long before = fact(run, thread, "before");
		const long expected[] = {
			[FAULTS] = fact(run, thread, "faults"),
			[WRITES] = i == 1 ? fact(run, thread, "writes") : 0,
			[CALLS] = i == 0 ? fact(run, thread, "calls") : 0,
			[RETURNS] = i == 0 ? fact(run, thread, "calls") : 0,
			[SIGNALS] = i == 3 ? fact(run, thread, "signals") : 0,
			[WANTED_SIGNALS] = i == 3 ? fact(run, thread, "wanted") : 0,
		};

		for (enum counted event = 0; event < COUNTED; event++)
			if (event != TSC)
				right &= is_exact(intervals, thread, event, expected[event],
						  event == FAULTS ? before : 0);
	}
	assert_true(right);
}

/* The time stamp counter runs at one rate whoever has the CPU. */
static bool tsc_follows_run_time(const json_t *intervals)
{
	double spin = (double)results_sum_counts(intervals, "ex-spin", names[TSC]) /
		      (double)results_sum_field(intervals, "ex-spin", "run_ns");
	double all = (double)results_sum_counts(intervals, NULL, names[TSC]) /
		     (double)results_sum_field(intervals, NULL, "run_ns");

	return spin > 0 && results_near("tsc per ns", all, spin, 2);
}

/* In each interval, and all the time. */
static void check_states(const json_t *intervals)
{
	const json_t *interval;
	size_t number;

	json_array_foreach (intervals, number, interval) {
		for (int i = 0; i < COUNTED; i++) {
			const json_t *event = results_event(interval, names[i]);
			char *text = json_dumps(event, 0);

			if (strcmp(json_string_value(json_object_get(event, "state")),
				   "counting") != 0)
				fail_msg("interval %zu: %s", number, text);
			free(text);
		}
	}
}

static void check_run(const char *run, bool has_cpus)
{
	char file[64];
	json_t *intervals;

	snprintf(file, sizeof(file), "%s.out", run);
	intervals = results_intervals(file);
	check_states(intervals);
	check_counts(intervals, run);
	assert_true(tsc_follows_run_time(intervals));
	if (has_cpus)
		assert_true(results_books_balance(intervals));
}

UNIT_TEST(whole_machine_counts_exactly_and_its_books_balance)
{
	check_run("system", true);
}

UNIT_TEST(process_picked_out_counts_exactly)
{
	check_run("pid", false);
}

UNIT_TEST(command_counts_exactly)
{
	check_run("command", false);
}

UNIT_TEST(column_of_wakeups_brings_them)
{
	assert_int_equal(results_number("wakeups.status"), 0);
	assert_int_equal(results_number("wakeups.found"), 0);
}

/* In us, of all intervals. */
static double group_us(const json_t *intervals, const char *name)
{
	double sum = 0;
	size_t i, j;
	json_t *interval, *group;

	json_array_foreach (intervals, i, interval) {
		json_array_foreach (json_object_get(interval, "groups"), j, group) {
			const char *own = json_string_value(json_object_get(group, "group"));

			if (own && strcmp(own, name) == 0) /* null: those not known */
				sum += (double)results_integer(group, "run_ns") / 1e3;
		}
	}
	return sum;
}

/* They count to where they end with all that they have run, a little of it before they moved. */
UNIT_TEST(short_tasks_count_to_the_cgroup_that_they_moved_to)
{
	static const char *const cgroups[] = {"one", "two", "brief"};
	const json_t *live = results_intervals("moved.out");
	const json_t *replayed = results_intervals("replayed.out");

	for (size_t i = 0; i < COUNT_OF(cgroups); i++) {
		char file[32], path[32];

		begin_case(cgroups[i]);
		snprintf(file, sizeof(file), "%s.charged", cgroups[i]);
		snprintf(path, sizeof(path), "/%s", cgroups[i]);
		assert_true(
			results_near(path, group_us(live, path), (double)results_number(file), 20));
		assert_true(results_near("replayed", group_us(replayed, path), group_us(live, path),
					 0.1));
	}
}

enum {
	LEARNT = 2 /* intervals, in which it becomes known where tasks sleep on a lock */
};

/* Of the waits of "lk-waiter" for lock_5, which "lk-holder" had. */
static bool is_contended(const json_t *pair)
{
	const char *lock = NULL, *waiter = NULL, *holder = NULL;

	assert_int_equal(json_unpack((json_t *)pair, "{s:{s:s},s:{s:s},s:{s:s}}", "lock", "name",
				     &lock, "waiter", "command", &waiter, "holder", "command",
				     &holder),
			 0);
	if (strcmp(lock, "lock_5") != 0)
		fail_msg("%s waits for %s, that %s has", waiter, lock, holder);
	return strcmp(waiter, "lk-waiter") == 0 && strcmp(holder, "lk-holder") == 0;
}

static double pairs_ns(const json_t *interval, bool contended)
{
	double ns = 0;
	json_t *pair;
	size_t i;

	json_array_foreach (json_object_get(interval, "pairs"), i, pair)
		if (is_contended(pair) == contended)
			ns += (double)results_integer(pair, "lost_ns");
	return ns;
}

static double contended_ns(const json_t *interval)
{
	return pairs_ns(interval, true);
}

/* What the holder waits when the waiter has the lock for a moment. */
static double others_ns(const json_t *interval)
{
	return pairs_ns(interval, false);
}

static double locked_ns(const json_t *interval)
{
	const json_t *task = results_task(interval, "lk-waiter", NULL);

	assert_non_null(task);
	return results_real(json_object_get(task, "metrics"), "lock_pct") / 100 * 1e9 *
	       results_real(interval, "interval_s");
}

static double share_pct(const char *file, double (*ns_of)(const json_t *interval))
{
	const json_t *intervals = results_intervals(file);
	double ns = 0, all_ns = 0;

	assert_true(json_array_size(intervals) > LEARNT);
	for (size_t i = LEARNT; i < json_array_size(intervals); i++) {
		const json_t *interval = json_array_get(intervals, i);

		ns += ns_of(interval);
		all_ns += 1e9 * results_real(interval, "interval_s");
	}
	return 100 * ns / all_ns;
}

/* Both within a point of what the program has measured. */
UNIT_TEST(lock_that_is_contended_is_found_with_its_symbol_and_holder)
{
	const double pairs_pct = share_pct("locks.out", contended_ns);
	const double states_pct = share_pct("waits.out", locked_ns);
	const double others_pct = share_pct("locks.out", others_ns);
	char *own = results_text("locks.own");
	double waited_us, all_us, own_pct;

	assert_non_null(own);
	assert_int_equal(sscanf(own, "%*d waits, %lf us of %lf", &waited_us, &all_us), 2);
	free(own);
	own_pct = 100 * waited_us / all_us;
	print_message("waits: own %.2f %%, pairs %.2f %% and %.2f %%, states %.2f %%\n", own_pct,
		      pairs_pct, others_pct, states_pct);
	assert_true(others_pct < pairs_pct / 10);
	assert_true(fabs(pairs_pct - own_pct) < 1);
	assert_true(fabs(states_pct - own_pct) < 1);
}

int main(void)
{
	return unit_run_group(NULL, NULL, split_names, NULL);
}
