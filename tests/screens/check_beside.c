/*
 * What beside.sh has brought home: perftop and perf have watched the same tasks of shapes.c at the
 * same time, and tell the same of them. Three recorders write at each switch one after the other,
 * so that their times differ by some microseconds. More than NEAR_NS they differ only where the
 * machine was stopped between two of them, as happens to a virtual one: mostly the two recordings
 * of perf show it, and the rest is rare, one in five hundred at most, or one for twenty that they
 * show. The output says how many.
 *
 * Exit 3: so much of that, as where others record switches too, that the times prove nothing; or
 * there were too few switches, as on a slow machine. Exit 4: the switches are the same, but the
 * times are apart too often: measured again they must not be.
 */
#include "../unit/unit.h"
#include "results.h"
#include "stays.h"

enum {
	NEAR_NS = 5000,
	HIDDEN_NS = 100000,
	RARE = 500,             /* one in so many */
	HARDLY_SHOWN = 20,      /* for so many that perf's recordings show, one that they do not */
	STOLEN_NS = 4000000,    /* and nobody knows of it */
	NS_PER_TICK = 10000000, /* of /proc/stat */
	ROUNDING_NS = 1000,     /* of timehist, which has microseconds */
	SHAPES_MAX = 20000,
	MIN_STAYS = 5000, /* fewer prove nothing */
	MIN_WAITS = 1000,
	CPUS_MAX = 1024,
	EXIT_INCONCLUSIVE = 3,
	EXIT_APART = 4
};

struct shape {
	char name[32];
	int pid;
	uint64_t run_ns;
};

static struct {
	struct shape *shapes;
	size_t count;
	json_t *lines;
	struct stays ours, script, timehist;
	size_t disturbed; /* of stays of the tasks */
	size_t recorded;
	bool is_apart, has_few;
} run;

/* How far apart two programs are in one thing. */
struct distance {
	const char *what;
	size_t count, beyond;
	uint64_t worst;
	size_t one_in; /* so many may be beyond; 0: RARE */
};

static void measure(struct distance *distance, uint64_t ours, uint64_t theirs, uint64_t near_ns)
{
	const uint64_t ns = stays_apart_ns(ours, theirs);

	distance->count++;
	distance->beyond += ns > near_ns;
	if (ns > distance->worst)
		distance->worst = ns;
}

static void judge(const struct distance *distance, size_t least)
{
	const size_t one_in = distance->one_in ? distance->one_in : RARE;

	print_message("%-36s %7zu compared, %zu beyond 5 us, greatest difference %.3f us\n",
		      distance->what, distance->count, distance->beyond,
		      (double)distance->worst / 1e3);
	run.has_few |= distance->count < least;
	run.is_apart |= distance->beyond * one_in > distance->count &&
			distance->beyond * HARDLY_SHOWN > run.disturbed;
}

static int read_shapes(void)
{
	char *text = results_text("facts"), *rest = text;
	unsigned long long run_ns;

	run.shapes = calloc(SHAPES_MAX, sizeof(*run.shapes));
	if (!text || !run.shapes)
		return -1;
	for (char *line; (line = strsep(&rest, "\n")) && run.count < SHAPES_MAX;) {
		struct shape *shape = &run.shapes[run.count];

		if (sscanf(line, "%31s %d %llu", shape->name, &shape->pid, &run_ns) != 3)
			continue;
		shape->run_ns = run_ns;
		run.count++;
	}
	free(text);
	return 0;
}

static void for_each_pair(const struct stays *these, const struct stays *others, stays_looker *look,
			  void *context)
{
	for (size_t i = 0; i < run.count; i++)
		if (run.shapes[i].pid > 0)
			stays_pair(these, others, run.shapes[i].pid, look, context);
}

/*
 * Marks the stays whose ends the two recordings of perf do not tell alike. The machine was stopped
 * between the two in the middle of a switch, and which of them is near the truth nobody knows.
 * Where timehist has a stay begin long before, it has taken hidden idle time for a part of it.
 */
static void compare_recordings(const struct stay *script, const struct stay *timehist,
			       void *context)
{
	if (!script || !timehist)
		return;
	run.recorded++;
	const uint64_t in_ns = stays_apart_ns(script->in_ns, timehist->in_ns);

	if (stays_apart_ns(script->out_ns, timehist->out_ns) <= NEAR_NS &&
	    (in_ns <= NEAR_NS || in_ns >= HIDDEN_NS))
		return;
	run.script.list[script - run.script.list].is_disturbed = true;
	run.timehist.list[timehist - run.timehist.list].is_disturbed = true;
	run.disturbed++;
}

static bool is_spoiled(void)
{
	return run.disturbed * 5 > run.recorded;
}

static int read_all(void **state)
{
	if (read_shapes() != 0)
		return -1;
	run.lines = results_intervals("switches.out");
	stays_take_switches(&run.ours, run.lines);
	stays_read_script(&run.script, "script.out");
	stays_read_timehist(&run.timehist, "timehist.out");
	for_each_pair(&run.script, &run.timehist, compare_recordings, NULL);
	return 0;
}

static int free_all(void **state)
{
	stays_free(&run.ours);
	stays_free(&run.script);
	stays_free(&run.timehist);
	free(run.shapes);
	return 0;
}

static const struct shape *shape_called(const char *name)
{
	for (size_t i = 0; i < run.count; i++)
		if (strcmp(run.shapes[i].name, name) == 0)
			return &run.shapes[i];
	fail_msg("no %s", name);
	return NULL;
}

/* ---- the same stays ---- */

static bool is_preempted(const struct stay *stay)
{
	return stay->end == STAY_PREEMPTED || stay->end == STAY_YIELDED;
}

static void print_stay(const char *who, const struct stay *stay)
{
	static const char *const ends[] = {"?", "preempted", "yielded", "blocked"};

	print_message("  %-8s CPU %d in %llu out %llu %s\n", who, stay->cpu,
		      (unsigned long long)stay->in_ns, (unsigned long long)stay->out_ns,
		      ends[stay->end]);
}

struct order {
	size_t same, ours_only, theirs_only, other_cpu;
};

static void compare_order(const struct stay *ours, const struct stay *theirs, void *context)
{
	struct order *order = context;

	order->ours_only += theirs == NULL;
	order->theirs_only += ours == NULL;
	order->other_cpu += ours && theirs && ours->cpu != theirs->cpu;
	order->same += ours && theirs && ours->cpu == theirs->cpu;
	if (ours && theirs && ours->cpu == theirs->cpu)
		return;
	if (order->ours_only + order->theirs_only + order->other_cpu > 10)
		return;
	print_message("pid %d: not the same\n", ours ? ours->pid : theirs->pid);
	if (ours)
		print_stay("perftop", ours);
	if (theirs)
		print_stay("perf", theirs);
}

UNIT_TEST(switches_are_the_same_in_the_same_order)
{
	struct order order = {0};

	for_each_pair(&run.ours, &run.script, compare_order, &order);

	print_message(
		"%zu stays of %zu tasks are the same; %zu only perftop tells of, %zu only perf, "
		"%zu on another CPU\n",
		order.same, run.count, order.ours_only, order.theirs_only, order.other_cpu);
	assert_int_equal(order.ours_only + order.theirs_only + order.other_cpu, 0);
	assert_true(order.same >= MIN_STAYS);
}

static int by_cpu_and_end(const void *a, const void *b)
{
	const struct stay *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return (x->out_ns > y->out_ns) - (x->out_ns < y->out_ns);
}

static struct stays on_cpus(const struct stays *all)
{
	struct stays chosen = {.list = calloc(all->count + 1, sizeof(*chosen.list))};

	assert_non_null(chosen.list);
	for (size_t i = 0; i < run.count; i++) {
		size_t count;
		const struct stay *stays = stays_of(all, run.shapes[i].pid, &count);

		memcpy(&chosen.list[chosen.count], stays, count * sizeof(*stays));
		chosen.count += count;
	}
	qsort(chosen.list, chosen.count, sizeof(*chosen.list), by_cpu_and_end);
	return chosen;
}

UNIT_TEST(cpus_change_hands_in_the_same_order)
{
	struct stays ours = on_cpus(&run.ours), theirs = on_cpus(&run.script);
	size_t compared = 0;

	while (compared < ours.count && compared < theirs.count &&
	       ours.list[compared].pid == theirs.list[compared].pid &&
	       ours.list[compared].cpu == theirs.list[compared].cpu)
		compared++;
	assert_int_equal(compared, theirs.count);
	assert_int_equal(compared, ours.count);
	assert_true(compared >= MIN_STAYS);
	stays_free(&ours);
	stays_free(&theirs);
}

struct ends {
	size_t compared, other, unknown, preempted, yielded;
};

static void compare_ends(const struct stay *ours, const struct stay *theirs, void *context)
{
	struct ends *ends = context;

	if (!ours || !theirs)
		return;
	ends->unknown += ours->end == STAY_END_UNKNOWN;
	ends->compared++;
	ends->preempted += is_preempted(theirs);
	ends->yielded += ours->end == STAY_YIELDED;
	ends->other += is_preempted(ours) != is_preempted(theirs);
}

UNIT_TEST(preempted_and_voluntary_are_told_apart_alike)
{
	struct ends ends = {0};

	for_each_pair(&run.ours, &run.script, compare_ends, &ends);

	print_message("%zu ends compared, %zu of them preempted, %zu told as yielded; %zu unknown, "
		      "%zu told otherwise by perf\n",
		      ends.compared, ends.preempted, ends.yielded, ends.unknown, ends.other);
	assert_int_equal(ends.other, 0);
	assert_int_equal(ends.unknown, 0);
	assert_true(ends.preempted >= 100 && ends.compared - ends.preempted >= 1000);
}

/* ---- the same times ---- */

struct times {
	struct distance in, out, slice, off;
	size_t disturbed;
	size_t untold; /* perf knows, perftop does not: some task is hidden from the records, and
			  whether others ran meanwhile is anybody's guess */
};

/* What is between two stays of a task has to do with both. */
static bool is_disturbed_before(const struct stay *stay, const struct stays *all)
{
	return stay > all->list && stay[-1].pid == stay->pid && stay[-1].is_disturbed;
}

static void compare_times(const struct stay *ours, const struct stay *theirs, void *context)
{
	struct times *times = context;

	if (!ours || !theirs)
		return;
	if (theirs->is_disturbed || is_disturbed_before(theirs, &run.script)) {
		times->disturbed++;
		return;
	}
	measure(&times->in, ours->in_ns, theirs->in_ns, NEAR_NS);
	measure(&times->out, ours->out_ns, theirs->out_ns, NEAR_NS);
	if (theirs->slice_ns != STAY_NS_UNKNOWN && ours->slice_ns != STAY_NS_UNKNOWN)
		measure(&times->slice, ours->slice_ns, theirs->slice_ns, NEAR_NS);
	if (theirs->off_ns != STAY_NS_UNKNOWN && ours->off_ns != STAY_NS_UNKNOWN)
		measure(&times->off, ours->off_ns, theirs->off_ns, NEAR_NS);
	times->untold += theirs->slice_ns != STAY_NS_UNKNOWN && ours->slice_ns == STAY_NS_UNKNOWN;
	times->untold += theirs->off_ns != STAY_NS_UNKNOWN && ours->off_ns == STAY_NS_UNKNOWN;
}

UNIT_TEST(times_slices_and_absences_are_near_those_of_perf_script)
{
	struct times times = {
		.in = {.what = "came, perf script"},
		.out = {.what = "left, perf script"},
		.slice = {.what = "slice, perf script"},
		.off = {.what = "off the CPU, perf script"},
	};

	if (is_spoiled())
		skip();
	for_each_pair(&run.ours, &run.script, compare_times, &times);

	print_message("%zu stays are not judged: perf's two recordings differ\n", times.disturbed);
	judge(&times.in, MIN_STAYS);
	judge(&times.out, MIN_STAYS);
	judge(&times.slice, MIN_STAYS);
	judge(&times.off, MIN_STAYS);
	assert_true(times.untold * 100 <= times.slice.count);
}

struct waits {
	struct distance slice, off, wake_up;
	size_t disturbed, spoiled, untold;
};

/*
 * timehist takes all time since the CPU's last switch for run time. Where idle time is
 * hidden, as on some virtual machines, that is too much: then its slice begins long before the task
 * came.
 */
static void compare_waits(const struct stay *ours, const struct stay *theirs, void *context)
{
	struct waits *waits = context;
	const uint64_t near_ns = NEAR_NS + ROUNDING_NS;

	if (!ours || !theirs)
		return;
	if (theirs->is_disturbed || is_disturbed_before(theirs, &run.timehist)) {
		waits->disturbed++;
		return;
	}
	if (stays_apart_ns(ours->in_ns, theirs->in_ns) > 4 * NEAR_NS) {
		waits->spoiled++;
		return;
	}
	if (ours->slice_ns != STAY_NS_UNKNOWN)
		measure(&waits->slice, ours->slice_ns, theirs->slice_ns, near_ns);
	if (ours->off_ns != STAY_NS_UNKNOWN && theirs->off_ns > 0)
		measure(&waits->off, ours->off_ns, theirs->off_ns, near_ns);
	if (theirs->wait_ns == 0)
		return;
	if (ours->wait_ns == STAY_NS_UNKNOWN)
		waits->untold++;
	else
		measure(&waits->wake_up, ours->wait_ns, theirs->wait_ns, near_ns);
}

UNIT_TEST(slices_and_waits_are_near_those_of_timehist)
{
	struct waits waits = {
		.slice = {.what = "slice, timehist"},
		.off = {.what = "off the CPU, timehist"},
		.wake_up = {.what = "from wake-up to CPU, timehist"},
	};

	if (is_spoiled())
		skip();
	for_each_pair(&run.ours, &run.timehist, compare_waits, &waits);

	print_message("%zu stays are not judged: perf's two recordings differ; %zu of "
		      "hidden idle time; %zu waits not told\n",
		      waits.disturbed, waits.spoiled, waits.untold);
	judge(&waits.slice, MIN_WAITS);
	judge(&waits.off, MIN_WAITS);
	judge(&waits.wake_up, MIN_WAITS);
	assert_true(waits.untold * 100 <= waits.wake_up.count);
}

/* ---- the books, without perf ---- */

/* What a slice has too much the next one has too little: all of them together are the time. */
UNIT_TEST(slices_of_a_cpu_are_together_its_time)
{
	static uint64_t first_ns[CPUS_MAX], last_ns[CPUS_MAX], sum_ns[CPUS_MAX];
	const json_t *line;
	size_t i;

	json_array_foreach (run.lines, i, line) {
		const size_t cpu = (size_t)results_integer(line, "cpu");
		const json_t *slice = json_object_get(line, "slice_ns");

		assert_in_range(cpu, 0, CPUS_MAX - 1);
		last_ns[cpu] = (uint64_t)results_integer(line, "time_ns");
		if (first_ns[cpu] == 0)
			first_ns[cpu] = last_ns[cpu];
		else if (json_is_integer(slice))
			sum_ns[cpu] += (uint64_t)json_integer_value(slice);
	}
	for (size_t cpu = 0; cpu < CPUS_MAX; cpu++) {
		if (last_ns[cpu] > 0)
			assert_true(results_near("sum of a CPU's slices", (double)sum_ns[cpu],
						 (double)(last_ns[cpu] - first_ns[cpu]), 0.1));
	}
}

UNIT_TEST(slices_of_a_cpu_follow_each_other_without_gap_or_overlap)
{
	uint64_t last_ns[CPUS_MAX] = {0};
	bool is_known[CPUS_MAX] = {false}; /* of the slice before */
	struct distance distance = {.what = "slice and time between two switches", .one_in = 100};
	const json_t *line;
	size_t i;

	json_array_foreach (run.lines, i, line) {
		const uint64_t ns = (uint64_t)results_integer(line, "time_ns");
		const json_t *slice = json_object_get(line, "slice_ns");
		const size_t cpu = (size_t)results_integer(line, "cpu");

		assert_in_range(cpu, 0, CPUS_MAX - 1);
		assert_true(ns >= last_ns[cpu]);
		if (is_known[cpu] && json_is_integer(slice))
			measure(&distance, (uint64_t)json_integer_value(slice), ns - last_ns[cpu],
				NEAR_NS);
		last_ns[cpu] = ns;
		is_known[cpu] = json_is_integer(slice);
	}
	judge(&distance, MIN_STAYS);
}

static uint64_t sum_of_slices(const struct stay *stays, size_t count)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		sum_ns += stays[i].slice_ns != STAY_NS_UNKNOWN ? stays[i].slice_ns : 0;
	return sum_ns;
}

/* What the kernel knows to have been taken away meanwhile, from all CPUs. */
static uint64_t stolen_ns(void)
{
	const long ticks = results_number("stolen");

	return ticks > 0 ? (uint64_t)ticks * NS_PER_TICK : 0;
}

/*
 * The kernel's account of run time divides a switch at another point than the records do: some
 * microseconds a slice, which is much for tasks of short slices; and what the host of a virtual
 * machine took away is no run time in it. Short lives, of which each had its start and end in the
 * kernel, are taken together.
 */
static bool sum_is_run_time(const char *name)
{
	uint64_t sum_ns = 0, run_ns = 0;
	size_t slices = 0;

	for (size_t i = 0; i < run.count; i++) {
		size_t count;
		const struct stay *stays = stays_of(&run.ours, run.shapes[i].pid, &count);

		if (strcmp(run.shapes[i].name, name) != 0)
			continue;
		sum_ns += sum_of_slices(stays, count);
		run_ns += run.shapes[i].run_ns;
		slices += count;
	}
	print_message("%-12s %6zu slices of together %10.3f ms, the kernel says %10.3f ms\n", name,
		      slices, (double)sum_ns / 1e6, (double)run_ns / 1e6);
	return slices > 0 && stays_apart_ns(sum_ns, run_ns) <=
				     run_ns / 100 + slices * NEAR_NS + STOLEN_NS + stolen_ns();
}

UNIT_TEST(slices_of_a_task_add_up_to_its_run_time)
{
	static const char *const names[] = {"sh-spin-a",  "sh-spin-b",  "sh-ping",
					    "sh-pong",    "sh-sleeper", "sh-mover",
					    "sh-yielder", "sh-beside",  "sh-short"};

	for (size_t i = 0; i < COUNT_OF(names); i++)
		run.is_apart |= !sum_is_run_time(names[i]);
}

/* ---- the shapes themselves ---- */

static size_t count_ends(const char *name, enum stay_end end, size_t *all)
{
	const struct stay *stays = stays_of(&run.ours, shape_called(name)->pid, all);
	size_t count = 0;

	for (size_t i = 0; i < *all; i++)
		count += stays[i].end == end;
	return count;
}

/* Where others have the CPUs, the tasks do not come to what they are for. */
UNIT_TEST(workloads_show_their_shapes)
{
	size_t all, moves = 0;

	assert_true(count_ends("sh-spin-a", STAY_PREEMPTED, &all) + 2 >= all);
	run.has_few |= all <= 10;
	run.has_few |= count_ends("sh-ping", STAY_BLOCKED, &all) <= all / 2 || all <= 20;
	run.has_few |= count_ends("sh-sleeper", STAY_BLOCKED, &all) <= all / 8 || all <= 20;
	const struct stay *stays = stays_of(&run.ours, shape_called("sh-mover")->pid, &all);
	for (size_t i = 1; i < all; i++)
		moves += stays[i].cpu != stays[i - 1].cpu;
	print_message("sh-mover moved %zu times in %zu stays\n", moves, all);
	run.has_few |= moves < 10;
}

int main(void)
{
	const int status = unit_run_group(NULL, NULL, read_all, free_all);

	if (is_spoiled()) {
		print_message(
			"%zu of %zu stays are told otherwise by the one recording of perf than by "
			"the other\n",
			run.disturbed, run.recorded);
		return EXIT_INCONCLUSIVE;
	}
	if (status != 0)
		return 1;
	if (run.has_few) {
		print_message("too few switches\n");
		return EXIT_INCONCLUSIVE;
	}
	return run.is_apart ? EXIT_APART : 0;
}
