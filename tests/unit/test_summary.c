/* The head of the screen in words. */

#include <locale.h>
#include <math.h>
#include <time.h>

#include "view/summary.h"

#include "snapshot_builder.h"
#include "unit.h"

struct scene {
	struct world world;
	bool ascii;
	struct summary summary;
};

static int set_up(void **state)
{
	static struct scene scene;

	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		return -1;
	scene = (struct scene){0};
	world_init(&scene.world);
	*state = &scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	world_fini(&scene->world);
	return 0;
}

static const struct summary *make(struct scene *scene)
{
	summary_make(&scene->summary, &scene->world.snapshot, &scene->world.session,
		     scene->world.metrics, scene->ascii);
	return &scene->summary;
}

UNIT_TEST(summary_scope_of_system_counts_cpus)
{
	assert_string_equal(make(*state)->scope, "whole machine · 2 CPUs");
}

UNIT_TEST_OF(summary_scope_in_ascii_has_a_comma, struct scene *scene)
{
	scene->ascii = true;
	scene->world.session.cpu_count = 1;

	assert_string_equal(make(scene)->scope, "whole machine, 1 CPU");
}

UNIT_TEST_OF(summary_scope_of_tasks_names_them_harmlessly, struct scene *scene)
{
	scene->world.session.scope = SCOPE_TASKS;
	strcpy(scene->world.session.scope_words, "a\033b (pid 7)");

	assert_string_equal(make(scene)->scope, "a\\x1Bb (pid 7)");
}

UNIT_TEST_OF(summary_scope_reason_joins_reason_and_remedy, struct scene *scene)
{
	assert_string_equal(make(scene)->scope_reason, "");
	strcpy(scene->world.session.scope_reason, "paranoid is 2");
	strcpy(scene->world.session.scope_remedy, "sysctl it");

	assert_string_equal(make(scene)->scope_reason, "paranoid is 2; sysctl it");
}

UNIT_TEST(summary_clock_is_local_time_of_the_end)
{
	setenv("TZ", "UTC", 1);
	tzset();

	assert_string_equal(make(*state)->clock, "22:13:20");
}

UNIT_TEST_OF(summary_interval_leaves_out_noise, struct scene *scene)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{1000123456, "1 s"},  {1004000000, "1 s"},   {1500000000, "1.5 s"},
		{100400000, "0.1 s"}, {250000000, "0.25 s"}, {60000000000, "60 s"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		scene->world.snapshot.interval_ns = cases[i].ns;
		assert_string_equal(make(scene)->interval, cases[i].text);
	}
}

/* One nanosecond, say, that nobody can be charged with. */
static void lose_something(struct scene *scene, double attributed_pct)
{
	scene->world.snapshot.unattributed_ns = 1;
	scene->world.snapshot.attributed_pct = attributed_pct;
}

UNIT_TEST(summary_attributed_everything_is_100)
{
	const struct summary *summary = make(*state);

	assert_string_equal(summary->attributed, "100 %");
	assert_true(summary->is_fully_attributed);
}

UNIT_TEST_OF(summary_attributed_has_as_many_nines_as_needed, struct scene *scene)
{
	static const struct {
		double pct;
		const char *text;
	} cases[] = {
		{87.654321, "87.7 %"},
		{99.99, "99.99 %"},
		{99.996, "99.996 %"},
		{99.9999996, "99.9999996 %"},
		{99.99999999996, "99.999999999 %"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		lose_something(scene, cases[i].pct);
		assert_string_equal(make(scene)->attributed, cases[i].text);
		assert_false(scene->summary.is_fully_attributed);
	}
}

UNIT_TEST_OF(summary_attributed_of_nothing_is_unknown, struct scene *scene)
{
	scene->world.snapshot.attributed_pct = NAN;

	assert_string_equal(make(scene)->attributed, "-");
}

UNIT_TEST(summary_lost_is_empty_when_nothing_was_lost)
{
	assert_string_equal(make(*state)->lost, "");
}

UNIT_TEST_OF(summary_lost_says_now_and_since_start, struct scene *scene)
{
	scene->world.snapshot.lost_records = 12;
	scene->world.snapshot.lost_records_total = 345;

	assert_string_equal(make(scene)->lost, "lost 12 records (345 since start)");
}

UNIT_TEST_OF(summary_lost_earlier_is_still_said, struct scene *scene)
{
	scene->world.snapshot.lost_records_total = 1;

	assert_string_equal(make(scene)->lost, "lost 0 records (1 since start)");
}

UNIT_TEST_OF(summary_lost_mentions_throttling, struct scene *scene)
{
	scene->world.snapshot.throttled = 1;

	assert_string_equal(make(scene)->lost, "throttled 1 time");
}

UNIT_TEST_OF(summary_own_cpu_is_share_of_interval, struct scene *scene)
{
	scene->world.snapshot.own.cpu_ns = 3 * WORLD_NS_PER_MS;

	assert_string_equal(make(scene)->own_cpu, "0.3 % CPU");
}

UNIT_TEST_OF(summary_short_interval_has_its_length_and_no_own_share, struct scene *scene)
{
	scene->world.snapshot.interval_ns = 412000;
	scene->world.snapshot.own.cpu_ns = 3 * WORLD_NS_PER_MS;

	assert_string_equal(make(scene)->interval, "412us");
	assert_string_equal(make(scene)->own_cpu, "-");
}

UNIT_TEST_OF(summary_own_cpu_with_priority_says_so, struct scene *scene)
{
	scene->world.snapshot.own.cpu_ns = 3 * WORLD_NS_PER_MS;
	scene->world.snapshot.own.is_urgent = true;

	assert_string_equal(make(scene)->own_cpu, "0.3 % CPU (RT)");
}

UNIT_TEST_OF(summary_own_cpu_of_replay_is_unknown, struct scene *scene)
{
	scene->world.session.is_live = false;

	assert_string_equal(make(scene)->own_cpu, "-");
}

UNIT_TEST(summary_pmu_says_nothing_when_all_is_well)
{
	const struct summary *summary = make(*state);

	assert_string_equal(summary->pmu, "");
	assert_false(summary->pmu_is_bad);
	assert_false(summary->lacks_pmu);
	assert_false(summary->pmu_is_short);
}

UNIT_TEST_OF(summary_pmu_names_what_is_missing_and_why, struct scene *scene)
{
	scene->world.layout.events[CACHE_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(scene->world.layout.events[CACHE_MISSES].reason, "this CPU does not count it");
	scene->world.layout.events[BRANCH_MISSES].state = EVENT_DENIED;
	world_bind(&scene->world);
	make(scene);

	assert_string_equal(scene->summary.pmu,
			    "4 of 6 events counting · not counted: cache-misses"
			    " (this CPU does not count it), branch-misses · cpu PMU");
	assert_true(scene->summary.pmu_is_bad);
}

UNIT_TEST_OF(summary_pmu_gives_each_reason_to_its_own_events, struct scene *scene)
{
	struct event *events = scene->world.layout.events;

	events[CACHE_MISSES].state = events[BRANCH_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(events[CACHE_MISSES].reason, "one");
	strcpy(events[BRANCH_MISSES].reason, "one");
	events[0].state = EVENT_UNSUPPORTED;
	strcpy(events[0].reason, "two");
	world_bind(&scene->world);

	assert_string_equal(make(scene)->pmu,
			    "3 of 6 events counting · not counted: cycles (two), cache-misses,"
			    " branch-misses (one) · cpu PMU");
}

UNIT_TEST_OF(summary_pmu_absent_tells_what_else_is_refused, struct scene *scene)
{
	struct event *events = scene->world.layout.events;

	scene->ascii = true;
	scene->world.session.has_pmu = false;
	strcpy(scene->world.session.pmu_words, "no hardware counters: none found");
	events[CACHE_MISSES].state = events[BRANCH_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(events[CACHE_MISSES].reason, "no hardware counters: none found");
	strcpy(events[BRANCH_MISSES].reason, "all hardware breakpoints are in use");
	world_bind(&scene->world);

	assert_string_equal(make(scene)->pmu,
			    "no hardware counters: none found, so no IPC or miss rates"
			    ". Details: perftop check, not counted: branch-misses"
			    " (all hardware breakpoints are in use)");
	assert_false(scene->summary.pmu_is_short);
	events[BRANCH_MISSES].is_removed = true;
	assert_true(make(scene)->pmu_is_short);
	assert_true(scene->summary.lacks_pmu);
}

UNIT_TEST_OF(summary_pmu_leaves_out_what_was_removed, struct scene *scene)
{
	scene->world.layout.events[CACHE_MISSES].state = EVENT_UNSUPPORTED;
	scene->world.layout.events[CACHE_MISSES].is_removed = true;
	world_bind(&scene->world);

	assert_string_equal(make(scene)->pmu, "");
	assert_false(scene->summary.pmu_is_bad);
}

UNIT_TEST_OF(summary_pmu_of_many_missing_names_the_first, struct scene *scene)
{
	struct layout *layout = &scene->world.layout;

	for (int i = 0; i < 8; i++)
		layout_add_event(layout, "some-event");

	assert_non_null(strstr(make(scene)->pmu, "6 of 14 events counting · not counted: "));
	assert_non_null(strstr(scene->summary.pmu, " and 2 more"));
}

UNIT_TEST_OF(summary_pmu_says_who_takes_turns, struct scene *scene)
{
	scene->world.layout.events[CACHE_MISSES].state = EVENT_MULTIPLEXED;
	scene->world.layout.events[BRANCH_MISSES].state = EVENT_MULTIPLEXED;
	strcpy(scene->world.layout.events[CACHE_MISSES].reason,
	       "the NMI watchdog holds one counter");
	scene->ascii = true;
	make(scene);

	assert_string_equal(
		scene->summary.pmu,
		"all 6 events counting, 2 take turns, ' marks scaled values"
		" (the NMI watchdog holds one counter); with fewer events they are exact, cpu PMU");
	assert_false(scene->summary.pmu_is_bad);
}

UNIT_TEST_OF(summary_pmu_absent_says_why_in_one_sentence, struct scene *scene)
{
	scene->world.session.has_pmu = false;
	strcpy(scene->world.session.pmu_words,
	       "this is a virtual machine and its host gives it no PMU");
	make(scene);

	assert_string_equal(scene->summary.pmu,
			    "no hardware counters: this is a virtual machine and its host gives it"
			    " no PMU, so no IPC or miss rates. Details: perftop check");
	assert_true(scene->summary.pmu_is_bad);
}

/* What a PMU would not have helped has a reason of its own. */
UNIT_TEST_OF(summary_pmu_absent_names_what_else_is_missing, struct scene *scene)
{
	struct event *events = scene->world.layout.events;

	scene->ascii = true;
	scene->world.session.has_pmu = false;
	strcpy(scene->world.session.pmu_words, "none found");
	events[CACHE_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(events[CACHE_MISSES].reason, "no hardware counters: none found");
	events[BRANCH_MISSES].state = EVENT_UNSUPPORTED;
	strcpy(events[BRANCH_MISSES].reason, "all are in use");

	assert_string_equal(make(scene)->pmu,
			    "no hardware counters: none found, so no IPC or miss rates"
			    ". Details: perftop check, not counted: branch-misses"
			    " (all are in use)");
}

UNIT_TEST_OF(summary_pmu_absent_does_not_say_it_twice, struct scene *scene)
{
	scene->ascii = true;
	scene->world.session.has_pmu = false;
	strcpy(scene->world.session.pmu_words, "no hardware counters: none found");

	assert_string_equal(make(scene)->pmu,
			    "no hardware counters: none found, so no IPC or miss rates"
			    ". Details: perftop check");
}

/* It would tell of the machine on which it runs. */
UNIT_TEST_OF(summary_pmu_absent_in_a_recording_refers_to_nobody, struct scene *scene)
{
	scene->ascii = true;
	scene->world.session.is_live = false;
	scene->world.session.has_pmu = false;
	strcpy(scene->world.session.pmu_words, "no hardware counters: none found");

	assert_string_equal(make(scene)->pmu,
			    "no hardware counters: none found, so no IPC or miss rates");
}

UNIT_TEST_OF(summary_machine_marks_estimates, struct scene *scene)
{
	scene->world.layout.estimated = 1u << QUANTITY_RUN_NS;
	assert_string_equal(make(scene)->meters[METER_BUSY].text, "50 %~");
	assert_string_equal(scene->summary.meters[METER_SWITCHES].text, "200/s");
	assert_string_equal(scene->summary.meters[METER_IPC].text, "0.50");
}

UNIT_TEST(summary_machine_has_metrics_of_all_cpus)
{
	const struct summary *summary = make(*state);

	assert_string_equal(summary->meters[METER_IPC].text, "0.50");
	assert_string_equal(summary->meters[METER_MISS].text, "20.0 %");
	assert_string_equal(summary->meters[METER_BUSY].text, "50 %");
	assert_string_equal(summary->meters[METER_SWITCHES].text, "200/s");
	assert_float_equal(summary->meters[METER_IPC].value, 0.5, 1e-9);
	assert_float_equal(summary->meters[METER_MISS].value, 20.0, 1e-9);
	assert_float_equal(summary->meters[METER_BUSY].value, 50.0, 1e-9);
	assert_float_equal(summary->meters[METER_SWITCHES].value, 200.0, 1e-9);
}

/* 0.497 and 0.50 look the same. */
UNIT_TEST_OF(summary_machine_is_as_good_as_it_looks, struct scene *scene)
{
	int goodness;

	scene->world.session.scope = SCOPE_TASKS;
	scene->world.snapshot.cpu_count = 0;
	task(&scene->world, .pid = 1, .run_ms = 10,
	     .counts = {.cycles = 1000, .instructions = 497});
	assert_string_equal(make(scene)->meters[METER_IPC].text, "0.50");
	goodness = scene->summary.meters[METER_IPC].goodness;
	scene->world.snapshot.task_count = 0;
	task(&scene->world, .pid = 1, .run_ms = 10,
	     .counts = {.cycles = 1000, .instructions = 500});
	assert_string_equal(make(scene)->meters[METER_IPC].text, "0.50");
	assert_int_equal(scene->summary.meters[METER_IPC].goodness, goodness);
	assert_true(goodness > 0);
}

UNIT_TEST_OF(summary_machine_with_shared_idle_knows_no_busy, struct scene *scene)
{
	scene->world.session.idle_is_shared = true;
	assert_string_equal(make(scene)->meters[METER_BUSY].text, "-");
}

UNIT_TEST_OF(summary_machine_of_tasks_adds_tasks_and_knows_no_busy, struct scene *scene)
{
	scene->world.session.scope = SCOPE_TASKS;
	scene->world.snapshot.cpu_count = 0;
	task(&scene->world, .pid = 1, .run_ms = 10, .counts = {.cycles = 10, .instructions = 10});
	task(&scene->world, .pid = 2, .run_ms = 10, .counts = {.cycles = 10, .instructions = 30});
	make(scene);

	assert_string_equal(scene->summary.meters[METER_IPC].text, "2.00");
	assert_string_equal(scene->summary.meters[METER_BUSY].text, "-");
	assert_true(isnan(scene->summary.meters[METER_BUSY].value));
}

UNIT_TEST_OF(summary_machine_without_pmu_is_unknown, struct scene *scene)
{
	for (int i = 0; i <= BRANCH_MISSES; i++)
		scene->world.layout.events[i].state = EVENT_UNSUPPORTED;
	world_bind(&scene->world);
	make(scene);

	assert_string_equal(scene->summary.meters[METER_IPC].text, "-");
	assert_string_equal(scene->summary.meters[METER_MISS].text, "-");
	assert_true(isnan(scene->summary.meters[METER_MISS].value));
	assert_string_equal(scene->summary.meters[METER_SWITCHES].text, "200/s");
}

UNIT_TEST_OF(summary_tasks_counts_ran_and_ended, struct scene *scene)
{
	scene->world.snapshot.ran_count = 112;
	scene->world.snapshot.exited_count = 3;

	assert_string_equal(make(scene)->tasks, "112 tasks ran, 3 ended");
}

UNIT_TEST_OF(summary_behind_tells_what_is_left_out, struct scene *scene)
{
	assert_string_equal(make(scene)->behind, "");
	scene->world.snapshot.shed_switches = 12345;
	assert_string_equal(make(scene)->behind, "behind: 12.3k switches are not in the history");
	scene->world.snapshot.shed_details = 4200;
	assert_string_equal(make(scene)->behind,
			    "behind: 12.3k switches are not in the history, 4.20k slices are in no "
			    "task's slices and waits");
	scene->world.snapshot.shed_switches = 0;
	assert_string_equal(make(scene)->behind,
			    "behind: 4.20k slices are in no task's slices and waits");
}

UNIT_TEST_OF(summary_preempted_is_a_share_of_the_switches, struct scene *scene)
{
	uint64_t *counter = (uint64_t *)scene->world.cpus[0].counter;

	counter[QUANTITY_PREEMPTIONS] = 25;
	assert_string_equal(make(scene)->preempted.text, "12.5 %");
	scene->world.snapshot.cpu_count = 0;
	scene->world.session.unknown = 1u << QUANTITY_PREEMPTIONS;
	assert_string_equal(make(scene)->preempted.text, "-");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
