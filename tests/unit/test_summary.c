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

UNIT_TEST_OF(summary_has_what_is_stolen_from_a_percent_on, struct scene *scene)
{
	struct world *world = &scene->world;
	const uint64_t pct_ns = world->snapshot.interval_ns / 100;
	struct cpu_times times[2] = {{.stolen_ns = 0}, {.stolen_ns = UINT64_MAX}};

	assert_string_equal(make(scene)->steal, "");
	world->snapshot.cpu_times = times;
	world->snapshot.cpu_time_count = 2;
	assert_string_equal(make(scene)->steal, "");
	times[1].stolen_ns = 2 * pct_ns - 2;
	assert_string_equal(make(scene)->steal, "");
	times[0].stolen_ns = 8 * pct_ns;
	times[1].stolen_ns = 16 * pct_ns;
	assert_string_equal(make(scene)->steal, "steal 12 %");
}

/* Switches say how much it was, and ticks what for; where CPUs are not watched, ticks say both. */
UNIT_TEST_OF(summary_has_what_cpus_were_used_for, struct scene *scene)
{
	const struct cpu_times times[] = {{60, 10, 10, 20, 0}, {0, 20, 0, 80, 0}};
	struct snapshot *snapshot = &scene->world.snapshot;

	assert_true(isnan(make(scene)->user_pct));
	assert_true(isnan(scene->summary.meters[METER_SYSTEM].value));
	snapshot->cpu_times = times;
	snapshot->cpu_time_count = COUNT_OF(times);
	assert_float_equal(make(scene)->user_pct, 30, 1e-9);
	assert_float_equal(scene->summary.system_pct, 15, 1e-9);
	assert_float_equal(scene->summary.irq_pct, 5, 1e-9);
	assert_float_equal(scene->summary.idle_pct, 50, 1e-9);
	assert_string_equal(scene->summary.meters[METER_BUSY].text, "50 %");
	assert_float_equal(scene->summary.meters[METER_SYSTEM].value, 20, 1e-9);
	assert_false(scene->summary.counts_tasks);
	scene->world.session.clock_stops = true; /* cgroups are counted */
	assert_true(make(scene)->counts_tasks);
	scene->world.session.clock_stops = false;
	snapshot->cpu_count = 0;
	assert_float_equal(make(scene)->meters[METER_BUSY].value, 50, 1e-9);
	assert_true(scene->summary.counts_tasks);
}

/* Ticks saw less than half of what was busy: what they are short of is not shown as idle. */
UNIT_TEST_OF(summary_divides_what_is_busy_by_ticks, struct scene *scene)
{
	struct cpu_times times[] = {{30, 10, 0, 60, 0}, {0, 0, 0, 100, 0}};
	struct snapshot *snapshot = &scene->world.snapshot;

	snapshot->cpu_times = times;
	snapshot->cpu_time_count = COUNT_OF(times);
	assert_string_equal(make(scene)->meters[METER_BUSY].text, "50 %");
	assert_float_equal(scene->summary.user_pct, 37.5, 1e-9);
	assert_float_equal(scene->summary.system_pct, 12.5, 1e-9);
	assert_float_equal(scene->summary.irq_pct, 0, 1e-9);
	assert_float_equal(scene->summary.idle_pct, 50, 1e-9);
	times[1] = (struct cpu_times){0, 0, 0, 80, 20}; /* stolen while a task ran */
	assert_float_equal(make(scene)->user_pct, 30, 1e-9);
	assert_float_equal(scene->summary.system_pct, 10, 1e-9);
	assert_float_equal(scene->summary.idle_pct, 50, 1e-9);
	times[0] = times[1] = (struct cpu_times){0, 0, 0, 100, 0};
	assert_true(isnan(make(scene)->user_pct));
	assert_float_equal(scene->summary.idle_pct, 50, 1e-9);
	times[0] = times[1] = (struct cpu_times){0, 0, 0, 50, 50}; /* nothing is left to divide */
	assert_float_equal(make(scene)->user_pct, 0, 1e-9);
	assert_float_equal(scene->summary.idle_pct, 50, 1e-9);
}

UNIT_TEST_OF(summary_parts_are_as_expected, struct scene *scene)
{
	struct snapshot *snapshot = &scene->world.snapshot;
	struct session *session = &scene->world.session;

	setenv("TZ", "UTC", 1);
	tzset();
	snapshot->ran_count = 112;
	snapshot->exited_count = 3;
	snapshot->own.cpu_ns = 3 * WORLD_NS_PER_MS;
	make(scene);
	assert_string_equal(scene->summary.scope, "whole machine · 2 CPUs");
	assert_string_equal(scene->summary.clock, "22:13:20");
	assert_string_equal(scene->summary.tasks, "112 tasks ran, 3 ended");
	assert_string_equal(scene->summary.attributed, "100 %");
	assert_false(scene->summary.lacks_much);
	assert_string_equal(scene->summary.lost, "");
	assert_string_equal(scene->summary.own_cpu, "0.3 % CPU");
	assert_string_equal(scene->summary.own_memory, "-");
	snapshot->own.rss_bytes = 89 << 20;
	assert_string_equal(make(scene)->own_memory, "89.0M");
	assert_string_equal(scene->summary.pmu, "");
	assert_false(scene->summary.pmu_is_bad || scene->summary.lacks_pmu ||
		     scene->summary.pmu_is_short);

	snapshot->lost_records_total = 1;
	assert_string_equal(make(scene)->lost, "lost 1 record before");
	snapshot->lost_records = 12;
	snapshot->lost_records_total = 345;
	assert_string_equal(make(scene)->lost, "lost 12 records (345 since start)");
	snapshot->lost_records = snapshot->lost_records_total = 0;
	snapshot->throttled = 1;
	snapshot->own.is_urgent = true;
	snapshot->attributed_pct = NAN;
	scene->ascii = true;
	session->cpu_count = 1;
	make(scene);
	assert_string_equal(scene->summary.lost, "throttled 1 time");
	snapshot->throttled_ns = 4000000;
	assert_string_equal(make(scene)->lost, "throttled 1 time for 4.00ms");
	assert_string_equal(scene->summary.own_cpu, "0.3 % CPU (RT)");
	assert_string_equal(scene->summary.attributed, "-");
	assert_string_equal(scene->summary.scope, "whole machine, 1 CPU");

	assert_string_equal(make(scene)->readings, "-");
	session->cpu_count = 2;
	snapshot->own.switch_ns = 1250;
	snapshot->own.readings_ns = 2 * WORLD_NS_PER_MS;
	assert_string_equal(make(scene)->readings, "~0.10 %"); /* 2 ms of 2 CPUs' second */
	snapshot->own.readings_ns = 40 * WORLD_NS_PER_MS;
	assert_string_equal(make(scene)->readings, "~2.0 %");
	assert_true(summary_readings_pct(snapshot, session) == 2.0);
	session->cpu_count = 0;
	assert_string_equal(make(scene)->readings, "-");
	session->cpu_count = 2;

	session->is_live = false;
	session->scope = SCOPE_TASKS;
	strcpy(session->scope_words, "a\033b (pid 7)");
	assert_string_equal(make(scene)->readings, "-");
	assert_string_equal(make(scene)->own_cpu, "");
	assert_string_equal(scene->summary.own_memory, "-");
	assert_string_equal(scene->summary.scope, "a\\x1Bb (pid 7)");
}

/* An interval of a second on two CPUs, with readings that cost 1 % and 0.5 % of our own. */
UNIT_TEST_OF(summary_make_budget_says_how_it_is_kept, struct scene *scene)
{
	static const struct {
		const char *name;
		uint32_t budget_mpct, counting_pct;
		bool is_unknown, has_no_pmu, is_over;
		const char *says;
	} cases[] = {
		{"none", 0, 100, .says = ""},
		{"more than it costs", 2000, 100, .says = ""},
		{"kept", 2000, 40,
		 .says = "budget 2 %: hardware events counted 40 % of the time, ' marks scaled "
			 "values"},
		{"not kept yet", 1000, 40,
		 .says = "budget 1 %: hardware events counted 40 % of the time, ' marks scaled "
			 "values"},
		{"cannot be kept", 1200, 0, .is_over = true,
		 .says = "budget 1.2 % exceeded: 1.5 %~ of the machine, hardware events are off"},
		{"nothing to leave out", 1000, 100, .has_no_pmu = true, .is_over = true,
		 .says = "budget 1 % exceeded: 1.5 %~ of the machine, no hardware events to leave "
			 "out"},
		{"not known", 1000, 100, .is_unknown = true, .is_over = true,
		 .says = "budget 1 %: cannot be applied, cost unknown: too busy"},
	};

	scene->world.session.cpu_count = 2;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		scene->world.session.has_pmu = !cases[i].has_no_pmu;
		strcpy(scene->world.session.cost_reason, cases[i].is_unknown ? "too busy" : "");
		scene->world.snapshot.own = (struct own_usage){
			.cpu_ns = 10 * WORLD_NS_PER_MS,
			.switch_ns = cases[i].is_unknown ? 0 : 1000,
			.readings_ns = cases[i].is_unknown ? 0 : 20 * WORLD_NS_PER_MS,
			.budget_mpct = cases[i].budget_mpct,
			.counting_mpct = cases[i].counting_pct * OWN_MPCT,
		};
		assert_string_equal(make(scene)->budget, cases[i].says);
		assert_int_equal(scene->summary.is_over_budget, cases[i].is_over);
	}
}

/* clang-format off */
static const struct {
	const char *name;
	const char *absent; /* words of a machine without PMU; NULL: there is one */
	struct {
		enum world_event event;
		enum event_state state;
		const char *reason;
	} events[3];
	const char *pmu;
	bool is_bad, is_short, is_removed, is_recording;
} pmu_cases[] = {
	{"what is missing and why", NULL, {{CACHE_MISSES, EVENT_UNSUPPORTED, "this CPU does not count it"}, {BRANCH_MISSES, EVENT_DENIED, ""}},
	 .pmu = "4 of 6 events counting, not counted: cache-misses (this CPU does not count it), branch-misses, cpu PMU", .is_bad = true},
	{"each reason with its own events", NULL, {{CACHE_MISSES, EVENT_UNSUPPORTED, "one"}, {BRANCH_MISSES, EVENT_UNSUPPORTED, "one"}, {CYCLES, EVENT_UNSUPPORTED, "two"}},
	 .pmu = "3 of 6 events counting, not counted: cycles (two), cache-misses, branch-misses (one), cpu PMU", .is_bad = true},
	{"what was removed is left out", NULL, {{CACHE_MISSES, EVENT_UNSUPPORTED, "one"}}, .pmu = "", .is_removed = true},
	{"which take turns", NULL, {{CACHE_MISSES, EVENT_MULTIPLEXED, "the NMI watchdog holds one counter"}, {BRANCH_MISSES, EVENT_MULTIPLEXED, ""}},
	 .pmu = "all 6 events counting, 2 take turns, ' marks scaled values (the NMI watchdog holds one counter); with fewer events they are exact, cpu PMU"},
	{"no PMU and why", "this is a virtual machine and its host gives it no PMU", {{0}},
	 .pmu = "no hardware counters: this is a virtual machine and its host gives it no PMU", .is_short = true},
	{"not twice", "no hardware counters: none found", {{0}}, .pmu = "no hardware counters: none found", .is_short = true},
	{"in a recording not of this machine", "no hardware counters: none found", {{0}},
	 .pmu = "no hardware counters: none found", .is_short = true, .is_recording = true},
	{"what a PMU would not have helped", "no hardware counters: none found", {{CACHE_MISSES, EVENT_UNSUPPORTED, "no hardware counters: none found"}, {BRANCH_MISSES, EVENT_UNSUPPORTED, "all hardware breakpoints are in use"}},
	 .pmu = "no hardware counters: none found, not counted: branch-misses (all hardware breakpoints are in use)", .is_bad = true},
	{"removed, it is short", "none found", {{BRANCH_MISSES, EVENT_UNSUPPORTED, "all hardware breakpoints are in use"}},
	 .pmu = "no hardware counters: none found", .is_short = true, .is_removed = true},
};
/* clang-format on */

UNIT_TEST_WITH(summary_pmu_says_what_is_missing_and_why, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(pmu_cases); i++) {
		struct scene *scene;

		begin_case(pmu_cases[i].name);
		set_up((void **)&scene);
		scene->ascii = true;
		scene->world.session.has_pmu = !pmu_cases[i].absent;
		scene->world.session.is_live = !pmu_cases[i].is_recording;
		if (pmu_cases[i].absent)
			strcpy(scene->world.session.pmu_words, pmu_cases[i].absent);
		for (size_t j = 0; j < 3 && pmu_cases[i].events[j].reason; j++) {
			struct event *event =
				&scene->world.layout.events[pmu_cases[i].events[j].event];

			event->state = pmu_cases[i].events[j].state;
			strcpy(event->reason, pmu_cases[i].events[j].reason);
			event->is_removed = pmu_cases[i].is_removed;
		}
		world_bind(&scene->world);
		assert_string_equal(make(scene)->pmu, pmu_cases[i].pmu);
		assert_int_equal(scene->summary.pmu_is_bad, pmu_cases[i].is_bad);
		assert_int_equal(scene->summary.pmu_is_short, pmu_cases[i].is_short);
		assert_int_equal(scene->summary.lacks_pmu, pmu_cases[i].absent != NULL);
		tear_down((void **)&scene);
	}
}

UNIT_TEST_OF(summary_scope_reason_joins_reason_and_remedy, struct scene *scene)
{
	assert_string_equal(make(scene)->scope_reason, "");
	strcpy(scene->world.session.scope_reason, "paranoid is 2");
	strcpy(scene->world.session.scope_remedy, "sysctl it");

	assert_string_equal(make(scene)->scope_reason, "paranoid is 2; sysctl it");
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
		/* one nanosecond, say, that belongs to no known task */
		scene->world.snapshot.unattributed_ns = 1;
		scene->world.snapshot.attributed_pct = cases[i].pct;
		assert_string_equal(make(scene)->attributed, cases[i].text);
		assert_int_equal(scene->summary.lacks_much, cases[i].pct < 99);
	}
}

UNIT_TEST_OF(summary_short_interval_has_its_length_and_no_own_share, struct scene *scene)
{
	scene->world.snapshot.interval_ns = 412000;
	scene->world.snapshot.own.cpu_ns = 3 * WORLD_NS_PER_MS;

	assert_string_equal(make(scene)->interval, "412us");
	assert_string_equal(make(scene)->own_cpu, "-");
}

UNIT_TEST_OF(summary_pmu_of_many_missing_names_the_first, struct scene *scene)
{
	struct layout *layout = &scene->world.layout;

	for (int i = 0; i < 8; i++)
		layout_add_event(layout, "some-event");

	assert_non_null(strstr(make(scene)->pmu, "6 of 14 events counting · not counted: "));
	assert_non_null(strstr(scene->summary.pmu, " and 2 more"));
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
	assert_string_equal(summary->miss_level, "");
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
	assert_string_equal(make(scene)->meters[METER_PREEMPTED].text, "12.5 %");
	scene->world.snapshot.cpu_count = 0;
	scene->world.session.unknown = 1u << QUANTITY_PREEMPTIONS;
	assert_string_equal(make(scene)->meters[METER_PREEMPTED].text, "-");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
