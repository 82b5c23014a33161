/* Plans: found out by trying, on PMUs of which each test says how many counters they have. */

#include <errno.h>

#include "base/error.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "model/session.h"
#include "source/plan/plan.h"

#include "fake_kernel.h"
#include "made_events.h"
#include "unit.h"

static const struct host HOST = {.paranoid = 2, .cpu_pmu = "cpu"};
static const struct group_target CPU_0 = {.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = 0};
static const struct group_target SELF = {.leader = GROUP_LEADER_TASK, .pid = 0, .cpu = -1};
static const struct event_core_pmu ONE_CORE = {.name = "cpu", .type = 4, .cpus = ""};

/* In this order software stands among hardware. */
static const char *const SIX[] = {"cycles",       "page-faults",   "instructions",
				  "cache-misses", "branch-misses", "cache-references"};

/* What each test says about its machine. */
static struct {
	size_t counters;
	const char *refused; /* event that the PMU does not have */
	int refusal;
	struct trials trials;
	struct plan plan;
	struct session session;
	struct error error;
} kit;

static size_t hardware_in(const struct group_request *request, const char *pmu)
{
	size_t count = 0;

	for (size_t i = 0; i < request->count; i++)
		count += request->specs[i]->class == EVENT_CLASS_HARDWARE &&
			 (pmu == NULL || strcmp(request->specs[i]->pmu, pmu) == 0);
	return count;
}

/* The machine: a PMU of so many counters, four breakpoints. */
static int refuse(const struct group_request *request)
{
	size_t breakpoints = 0;

	for (size_t i = 0; i < request->count; i++) {
		const char *name = request->specs[i]->name;

		fake.failed_member = (int)i + 1;
		if (kit.refused != NULL && strcmp(name, kit.refused) == 0)
			return kit.refusal;
		breakpoints += made_begins(name, "sw-breakpoint");
		if (breakpoints > 4)
			return ENOSPC;
	}
	fake.failed_member = (int)kit.counters + 1;
	return hardware_in(request, NULL) > kit.counters ? EINVAL : 0;
}

static int set_up(void **state)
{
	fake_reset(state);
	made_reset();
	memset(&kit, 0, sizeof(kit));
	kit.counters = 8;
	fake.refuse_group = refuse;
	kit.trials = (struct trials){.host = &HOST, .features = &FAKE_FEATURES};
	return 0;
}

static int tear_down(void **state)
{
	assert_int_equal(fake_open_count(), 0);
	plan_fini(&kit.plan);
	trials_end(&kit.trials);
	return fake_reset(state);
}

static bool make_for(const struct plan_setup *setup, const struct event_set *request)
{
	return plan_make(&kit.plan, setup, request, &kit.trials, &kit.error);
}

static bool try_make(const struct group_target *target, const struct event_set *request)
{
	const struct plan_setup setup = {
		.pmus = &ONE_CORE, .pmu_count = 1, .targets = target, .target_count = 1};

	return make_for(&setup, request);
}

static void make(const char *const *names, size_t count)
{
	assert_true(try_make(&CPU_0, made_set(names, count)));
}

static bool try_change(const struct event_set *request)
{
	return plan_change(&kit.plan, request, &kit.trials, &kit.error);
}

static void change(const char *const *names, size_t count)
{
	assert_true(try_change(made_set(names, count)));
}

static const struct event *event(const char *name)
{
	int index = layout_find_event(&kit.plan.layout, name);

	assert_true(index >= 0);
	return &kit.plan.layout.events[index];
}

/* The groups as words: "[page-faults] 1[cycles instructions]", with the turn before each. */
static const char *groups(char text[static 1024])
{
	const struct layout *layout = &kit.plan.layout;
	size_t used = 0;

	text[0] = '\0';
	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];

		if (!group->is_open)
			continue;
		used += (size_t)snprintf(text + used, 1024 - used, "%s", g > 0 ? " " : "");
		if (group->kind > 0)
			used += (size_t)snprintf(text + used, 1024 - used, "k%u ", group->kind);
		used += (size_t)snprintf(text + used, 1024 - used, "%u[", group->rotation);
		for (size_t i = 0; i < group->count; i++) {
			const size_t index = layout->counters[group->counters[i]].event;

			assert_string_equal(plan_spec_at(&kit.plan, g, i)->name,
					    layout->events[index].name);
			used += (size_t)snprintf(text + used, 1024 - used, "%s%s", i > 0 ? " " : "",
						 layout->events[index].name);
		}
		used += (size_t)snprintf(text + used, 1024 - used, "]");
	}
	return text;
}

#define assert_groups(expected) assert_string_equal(groups((char[1024]){0}), expected)

static bool share_a_group(const char *first, const char *second)
{
	const struct layout *layout = &kit.plan.layout;
	const size_t a = (size_t)layout_find_event(layout, first);
	const size_t b = (size_t)layout_find_event(layout, second);

	for (size_t g = 0; g < layout->group_count; g++)
		if (layout_counter_in(layout, a, g) != NULL &&
		    layout_counter_in(layout, b, g) != NULL)
			return true;
	return false;
}

static size_t open_groups(void)
{
	size_t count = 0;

	for (size_t g = 0; g < kit.plan.layout.group_count; g++)
		count += kit.plan.layout.groups[g].is_open;
	return count;
}

static bool never_more_than_three(const struct fake_event *leader)
{
	return leader->members > 3;
}

static bool never(const struct fake_event *leader)
{
	return leader->members > 0;
}

UNIT_TEST(plan_make_all_fit_makes_one_group)
{
	make(SIX, 6);

	assert_groups("0[page-faults cycles instructions cache-misses branch-misses "
		      "cache-references]");
	assert_int_equal(plan_descriptors(&kit.plan), 7);
	assert_true(kit.plan.layout.groups[0].needs_counters);
	assert_true(plan_has_hardware(&kit.plan));
	for (size_t i = 0; i < 6; i++) {
		assert_int_equal(event(SIX[i])->state, EVENT_COUNTING);
		assert_string_equal(event(SIX[i])->reason, "");
	}
}

/* One counter, and 70 events. */
UNIT_TEST(plan_make_more_groups_than_a_word_has_bits_refuses_the_rest)
{
	char texts[70][16];
	const char *names[70];
	size_t counting = 0;

	kit.counters = 1;
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		snprintf(texts[i], sizeof(texts[i]), "event-%zu", i);
		names[i] = texts[i];
	}
	make(names, COUNT_OF(names));

	assert_int_equal(kit.plan.layout.group_count, LAYOUT_GROUPS_MAX - 1);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		counting += event(names[i])->state == EVENT_MULTIPLEXED;
	assert_int_equal(counting, LAYOUT_GROUPS_MAX - 2); /* and the clock */
	assert_int_equal(event(names[69])->state, EVENT_UNSUPPORTED);
	assert_non_null(strstr(event(names[69])->reason, "more events than"));
}

UNIT_TEST(plan_make_leaves_nothing_open)
{
	kit.counters = 2;
	make(SIX, 6);

	assert_true(fake.count > 0);
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(plan_make_default_events_on_four_counters_keeps_the_formulas_together)
{
	static const char *const names[] = {"cycles", "instructions", "cache-references",
					    "cache-misses", "branch-misses"};

	kit.counters = 4;
	made_set(names, 5);
	made_weak_group(false, (int[]){1, 0, -1});
	made_weak_group(false, (int[]){3, 2, -1});
	made_weak_group(false, (int[]){3, 1, -1});
	made_weak_group(false, (int[]){4, 1, -1});
	assert_true(try_make(&CPU_0, &made.set));

	assert_int_equal(open_groups(), 3);
	assert_true(share_a_group("instructions", "cycles"));
	assert_true(share_a_group("cache-misses", "cache-references"));
	assert_true(share_a_group("cache-misses", "instructions"));
	assert_true(share_a_group("branch-misses", "instructions"));
}

UNIT_TEST(plan_make_more_events_than_counters_says_how_many_groups_take_turns)
{
	kit.counters = 2;
	make(SIX, 6);

	assert_int_equal(open_groups(), 4);
	assert_int_equal(event("cycles")->state, EVENT_MULTIPLEXED);
	assert_string_equal(event("cycles")->reason,
			    "more events than counters: 3 groups take turns");
	assert_int_equal(event("page-faults")->state, EVENT_COUNTING);
}

UNIT_TEST(plan_make_any_number_of_counters_is_found_and_used)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4",  "e5",  "e6",
					    "e7", "e8", "e9", "e10", "e11", "e12"};

	for (size_t counters = 1; counters <= 16; counters++) {
		char expected[128];

		if (counters > 1)
			set_up(state);
		kit.counters = counters;
		make(names, 12);
		plan_describe_pmus(&kit.plan, &(struct host){0}, &kit.session);
		snprintf(expected, sizeof(expected), "cpu PMU, %zu counter%s", counters,
			 counters == 1 ? "" : "s");

		assert_string_equal(kit.session.pmu_words, expected);
		assert_int_equal(open_groups(),
				 counters >= 12 ? 1 : 1 + (12 + counters - 1) / counters);
		assert_int_equal(event("e12")->state,
				 counters >= 12 ? EVENT_COUNTING : EVENT_MULTIPLEXED);
		if (counters < 16)
			tear_down(state);
	}
}

UNIT_TEST(plan_make_without_hardware_tries_no_counters)
{
	static const char *const names[] = {"page-faults"};

	make(names, 1);
	plan_describe_pmus(&kit.plan, &(struct host){0}, &kit.session);

	assert_false(kit.session.has_pmu);
	assert_non_null(strstr(kit.session.pmu_words, "no PMU is listed"));
	assert_int_equal(fake.count, 3); /* a leader alone; a leader and a member */
}

static int refuse_even(const struct group_request *request)
{
	for (size_t i = 0; i < request->count; i++)
		if ((request->specs[i]->name[1] - '0') % 2 == 0)
			return ENOENT;
	return request->count > 3 ? EINVAL : 0;
}

UNIT_TEST(plan_make_pmu_that_refuses_half_counts_the_other_half)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"};

	fake.refuse_group = refuse_even;
	make(names, 8);

	assert_groups("0[] 1[e1 e3 e5] 1[e7]");
	assert_int_equal(event("e3")->state, EVENT_MULTIPLEXED);
	assert_int_equal(event("e4")->state, EVENT_UNSUPPORTED);
	assert_string_equal(event("e4")->reason, "this CPU or its driver does not count it");
}

UNIT_TEST(plan_make_denied_event_says_what_denies_it)
{
	kit.refused = "cycles";
	kit.refusal = EACCES;
	make(SIX, 6);

	assert_int_equal(event("cycles")->state, EVENT_DENIED);
	assert_string_equal(event("cycles")->reason,
			    "not permitted: kernel.perf_event_paranoid is 2");
	assert_int_equal(event("instructions")->state, EVENT_COUNTING);
}

UNIT_TEST(plan_make_refused_software_event_leaves_the_others)
{
	static const char *const names[] = {"sw-a", "sw-b", "sw-c"};

	kit.refused = "sw-b";
	kit.refusal = ENOENT;
	make(names, 3);

	assert_groups("0[sw-a sw-c]");
	assert_int_equal(event("sw-b")->state, EVENT_UNSUPPORTED);
	assert_string_equal(event("sw-b")->reason, "this kernel has no such event");
}

UNIT_TEST(plan_make_fifth_breakpoint_is_refused_alone)
{
	static const char *const names[] = {"sw-breakpoint1", "sw-breakpoint2", "sw-breakpoint3",
					    "sw-breakpoint4", "sw-breakpoint5", "page-faults"};

	make(names, 6);

	assert_groups("0[sw-breakpoint1 sw-breakpoint2 sw-breakpoint3 sw-breakpoint4 page-faults]");
	assert_int_equal(event("sw-breakpoint5")->state, EVENT_UNSUPPORTED);
}

static int denies_all(const struct group_request *request)
{
	return EACCES;
}

UNIT_TEST(plan_make_refused_leader_fails_for_cpus)
{
	fake.refuse_group = denies_all;

	assert_false(try_make(&CPU_0, made_set(SIX, 6)));
	assert_int_equal(kit.error.code, ERROR_PERF_PARANOID);
	assert_string_equal(kit.error.text,
			    "system-wide counting: not permitted: kernel.perf_event_paranoid is 2");
	assert_null(kit.plan.events);
}

UNIT_TEST(plan_make_refused_leader_fails_for_tasks)
{
	fake.refuse_group = denies_all;

	assert_false(try_make(&SELF, made_set(SIX, 6)));
	assert_string_equal(kit.error.text,
			    "counting tasks: not permitted: kernel.perf_event_paranoid is 2");
}

UNIT_TEST(plan_make_without_descriptors_fails)
{
	fake.most_open = 1;

	assert_false(try_make(&CPU_0, made_set(SIX, 6)));
	assert_int_equal(kit.error.code, ERROR_PERF_FD_LIMIT);
}

UNIT_TEST(plan_make_group_that_never_runs_does_not_fit)
{
	fake.never_runs = never_more_than_three;
	make(SIX, 6);

	assert_groups("0[page-faults] 1[cycles instructions cache-misses] "
		      "1[branch-misses cache-references]");
}

UNIT_TEST(plan_make_counters_are_those_that_run)
{
	fake.never_runs = never_more_than_three;
	make(SIX, 3);
	plan_describe_pmus(&kit.plan, &(struct host){0}, &kit.session);

	assert_string_equal(kit.session.pmu_words, "cpu PMU, 3 counters");
}

UNIT_TEST(plan_make_event_that_never_runs_is_left_out)
{
	fake.never_runs = never;
	make(SIX, 1);

	assert_int_equal(event("cycles")->state, EVENT_UNSUPPORTED);
	assert_non_null(strstr(event("cycles")->reason, "does not fit into the free counters"));
	assert_groups("0[]");
}

static const char *numbered(char *text, size_t size, size_t number)
{
	snprintf(text, size, "sw-%zu", number);
	return text;
}

UNIT_TEST(plan_make_more_software_than_a_group_holds_opens_another)
{
	char texts[GROUP_MEMBERS_MAX + 2][16];
	const char *names[GROUP_MEMBERS_MAX + 2];

	for (size_t i = 0; i < GROUP_MEMBERS_MAX + 2; i++)
		names[i] = numbered(texts[i], sizeof(texts[i]), i);
	make(names, GROUP_MEMBERS_MAX + 2);

	assert_int_equal(open_groups(), 2);
	assert_int_equal(kit.plan.layout.groups[0].count, GROUP_MEMBERS_MAX);
	assert_int_equal(kit.plan.layout.groups[1].count, 2);
	assert_int_equal(kit.plan.layout.groups[1].rotation, 0);
	assert_int_equal(event(names[GROUP_MEMBERS_MAX + 1])->state, EVENT_COUNTING);
}

UNIT_TEST(plan_make_pmu_that_is_none_of_a_core_is_refused)
{
	static const char *const names[] = {"e1", "other-1"};

	make(names, 2);

	assert_groups("0[e1]");
	assert_int_equal(event("other-1")->state, EVENT_UNSUPPORTED);
	assert_string_equal(event("other-1")->reason,
			    "its PMU is not the core PMU of a CPU that is watched");
}

UNIT_TEST(plan_make_braces_stay_together)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4"};

	kit.counters = 2;
	made_set(names, 4);
	made_weak_group(true, (int[]){0, 3, -1});
	made_weak_group(false, (int[]){0, 1, -1});
	assert_true(try_make(&CPU_0, &made.set));

	assert_int_equal(open_groups(), 3);
	assert_true(share_a_group("e1", "e4"));
}

UNIT_TEST(plan_make_braces_too_large_are_refused_together)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4"};

	kit.counters = 2;
	made_set(names, 4);
	made_weak_group(true, (int[]){1, 2, 3, -1});
	assert_true(try_make(&CPU_0, &made.set));

	assert_groups("0[e1]");
	assert_int_equal(event("e2")->state, EVENT_UNSUPPORTED);
	assert_string_equal(event("e2")->reason, "the group needs more counters than the PMU has");
}

static bool make_hybrid(const struct event_set *request)
{
	static const struct group_target targets[] = {
		{.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = 2},
		{.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = 0},
	};
	const struct plan_setup setup = {
		.pmus = MADE_CORES, .pmu_count = 2, .targets = targets, .target_count = 2};

	return make_for(&setup, request);
}

UNIT_TEST(plan_make_hybrid_counts_generic_events_on_both_kinds)
{
	static const char *const names[] = {"cycles", "page-faults"};

	made.hybrid = true;
	assert_true(make_hybrid(made_set(names, 2)));

	assert_groups("0[page-faults] k1 0[page-faults] 1[cycles] k1 2[cycles]");
	assert_int_equal(kit.plan.layout.kind_count, 2);
	assert_string_equal(kit.plan.layout.kinds[0].name, "cpu_atom");
	assert_string_equal(kit.plan.layout.kinds[1].name, "cpu_core");
	assert_int_equal(kit.plan.layout.kinds[1].clock, 1);
	assert_string_equal(plan_spec_at(&kit.plan, 3, 0)->pmu, "cpu_core");
	assert_int_equal(event("cycles")->state, EVENT_COUNTING);
}

/* cpu_atom has two counters, cpu_core four. */
static int refuse_hybrid(const struct group_request *request)
{
	const bool is_atom = request->target.cpu >= 2;

	fake.failed_member = (int)request->count;
	if (hardware_in(request, is_atom ? "cpu_core" : "cpu_atom") > 0)
		return ENOENT;
	if (kit.refused != NULL && is_atom && request->count > 0 &&
	    strcmp(request->specs[0]->name, kit.refused) == 0)
		return ENOENT;
	return hardware_in(request, NULL) > (is_atom ? 2 : 4) ? EINVAL : 0;
}

UNIT_TEST(plan_make_hybrid_kinds_have_groups_and_counters_of_their_own)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4"};
	made.hybrid = true;
	fake.refuse_group = refuse_hybrid;
	assert_true(make_hybrid(made_set(names, 4)));
	plan_describe_pmus(&kit.plan, &(struct host){0}, &kit.session);

	assert_groups("0[] k1 0[] 1[e1 e2] 1[e3 e4] k1 2[e1 e2 e3 e4]");
	assert_string_equal(kit.session.pmu_words,
			    "cpu_atom PMU, 2 counters; cpu_core PMU, 4 counters");
	assert_int_equal(event("e1")->state, EVENT_MULTIPLEXED);
}

UNIT_TEST(plan_make_hybrid_event_of_one_kind_counts_there_only)
{
	static const char *const names[] = {"core-slots"};

	made.hybrid = true;
	fake.refuse_group = refuse_hybrid;
	assert_true(make_hybrid(made_set(names, 1)));

	assert_groups("0[] k1 0[] k1 2[core-slots]");
	assert_int_equal(event("core-slots")->state, EVENT_COUNTING);
}

UNIT_TEST(plan_make_hybrid_kind_that_refuses_is_named)
{
	static const char *const names[] = {"e1"};

	made.hybrid = true;
	kit.refused = "e1";
	fake.refuse_group = refuse_hybrid;
	assert_true(make_hybrid(made_set(names, 1)));

	assert_groups("0[] k1 0[] k1 2[e1]");
	assert_int_equal(event("e1")->state, EVENT_COUNTING);
	assert_string_equal(event("e1")->reason,
			    "not counted on cpu_atom: this CPU or its driver does not count it");
}

UNIT_TEST(plan_make_kind_that_is_not_watched_is_passed_over)
{
	static const char *const names[] = {"e1", "atom-1"};
	const struct event_core_pmu cores[] = {MADE_CORES[1], MADE_CORES[0]};
	const struct plan_setup setup = {
		.pmus = cores,
		.pmu_count = 2,
		.targets = &CPU_0,
		.target_count = 1,
	};

	made.hybrid = true;
	assert_true(make_for(&setup, made_set(names, 2)));

	assert_groups("0[e1]");
	assert_string_equal(event("e1")->reason, "");
	assert_string_equal(event("atom-1")->reason,
			    "its PMU is not the core PMU of a CPU that is watched");
}

UNIT_TEST(plan_make_tasks_on_hybrid_have_a_group_for_each_pmu)
{
	static const char *const names[] = {"e1", "page-faults"};
	const struct plan_setup setup = {
		.pmus = MADE_CORES, .pmu_count = 2, .targets = &SELF, .target_count = 1};

	made.hybrid = true;
	assert_true(make_for(&setup, made_set(names, 2)));

	assert_groups("0[page-faults] 1[e1] 2[e1]");
	assert_int_equal(kit.plan.layout.kind_count, 1);
	assert_int_equal(event("e1")->state, EVENT_COUNTING);
}

UNIT_TEST(plan_change_same_request_touches_nothing)
{
	for (size_t counters = 2; counters <= 8; counters += 6) {
		struct plan before;

		begin_case(counters == 2 ? "groups take turns" : "one group");
		tear_down(state);
		set_up(state);
		kit.counters = counters;
		make(SIX, 6);
		plan_copy(&before, &kit.plan);
		fake.count = 0;
		change(SIX, 6);

		assert_int_equal(fake.count, 0);
		assert_false(kit.plan.has_new_groups);
		assert_int_equal(kit.plan.layout.width, before.layout.width);
		plan_fini(&before);
	}
}

/* The leaders are opened anew, nothing is tried; nor that where no registers are known. */
UNIT_TEST(plan_change_of_sites_makes_all_groups_anew)
{
	struct event_set *set;

	make(SIX, 6);
	for (int i = 0; i < 2; i++) {
		set = made_set(SIX, 6);
		set->sites = i == 0;
		fake.count = 0;
		assert_true(try_change(set));
		assert_int_equal(fake.count, 0);
		assert_int_equal(kit.plan.has_new_groups, attr_knows_sites());
		assert_int_equal(kit.plan.has_sites, i == 0 && attr_knows_sites());
		assert_true(try_change(set));
		assert_false(kit.plan.has_new_groups);
	}
}

/* Where they do not fit together, the clock must not depend on counters; when they fit again, it
 * may. */
UNIT_TEST(plan_change_hardware_leaves_the_clock_group_and_comes_back)
{
	static const char *const names[] = {"sw-a", "e1", "e2", "e3"};
	struct plan before;

	kit.counters = 2;
	make(names, 3);
	assert_groups("0[sw-a e1 e2]");
	plan_copy(&before, &kit.plan);
	change(names, 4);
	assert_groups("0[sw-a] 1[e1 e2] 1[e3]");
	assert_true(kit.plan.has_new_groups);
	assert_false(kit.plan.layout.groups[0].needs_counters);
	assert_true(plan_has_hardware(&kit.plan));
	change(names, 3);
	assert_groups("0[sw-a e1 e2]");
	change(names, 1);
	assert_groups("0[sw-a]");
	assert_false(plan_has_hardware(&kit.plan));
	plan_fini(&before);
}

UNIT_TEST(plan_note_contention_gives_hardware_a_group_of_its_own_for_good)
{
	static const char *const names[] = {"sw-a", "e1", "e2", "e3"};
	struct plan before;

	make(names, 3);
	plan_copy(&before, &kit.plan);
	plan_note_contention(&kit.plan);
	assert_groups("0[sw-a] 1[e1 e2]");
	assert_true(kit.plan.has_new_groups);
	plan_fini(&before);
	change(names, 4);
	assert_groups("0[sw-a] 1[e1 e2 e3]");
}

UNIT_TEST(plan_make_more_than_a_group_holds_leaves_the_clock_alone)
{
	char texts[GROUP_MEMBERS_MAX][8];
	const char *names[GROUP_MEMBERS_MAX + 1];

	for (size_t i = 0; i < GROUP_MEMBERS_MAX; i++) {
		snprintf(texts[i], sizeof(texts[i]), "sw-%zu", i);
		names[i] = texts[i];
	}
	names[GROUP_MEMBERS_MAX] = "e1";
	make(names, GROUP_MEMBERS_MAX + 1);

	assert_int_equal(open_groups(), 2);
	assert_false(kit.plan.layout.groups[0].needs_counters);
	assert_true(plan_has_hardware(&kit.plan));
}

UNIT_TEST(plan_change_added_software_joins_the_clock_group)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};
	uint32_t generation;

	make(names, 1);
	generation = kit.plan.layout.groups[0].generation;
	change(names, 3);

	assert_groups("0[page-faults sw-a sw-b]");
	assert_int_not_equal(kit.plan.layout.groups[0].generation, generation);
}

UNIT_TEST(plan_change_removed_software_leaves_the_clock_group)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	make(names, 2);
	change(&names[1], 1);
	assert_true(event("page-faults")->is_removed);
	assert_groups("0[sw-a]");

	change(names, 2);
	assert_false(event("page-faults")->is_removed);
	assert_groups("0[page-faults sw-a]");
	assert_int_equal(event("page-faults")->state, EVENT_COUNTING);
}

UNIT_TEST(plan_change_added_event_tries_only_what_is_new)
{
	static const char *const names[] = {"e1", "e2", "e3"};

	make(names, 2);
	fake.count = 0;
	change(names, 3);

	assert_groups("0[e1 e2 e3]");
	assert_int_equal(fake.count, 4); /* with the others */
}

UNIT_TEST(plan_change_added_event_makes_all_groups_anew)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4"};
	struct plan before;

	kit.counters = 2;
	make(names, 3);
	assert_groups("0[] 1[e1 e2] 1[e3]");
	plan_copy(&before, &kit.plan);
	change(names, 4);

	assert_groups("0[] 1[e1 e2] 1[e3 e4]");
	for (size_t g = 0; g < before.layout.group_count; g++)
		assert_int_not_equal(kit.plan.layout.groups[g].generation,
				     before.layout.groups[g].generation);
	plan_fini(&before);
}

UNIT_TEST(plan_change_removed_event_comes_back_to_its_place)
{
	static const char *const names[] = {"e1", "e2"};
	size_t place;

	make(names, 2);
	place = kit.plan.layout.counters[0].value_index;
	change(names, 1);
	assert_groups("0[e1]");
	change(names, 2);

	assert_groups("0[e1 e2]");
	assert_int_equal(kit.plan.layout.event_count, 2);
	assert_int_equal(kit.plan.layout.counter_count, 2);
	assert_int_equal(kit.plan.layout.counters[0].value_index, place);
}

UNIT_TEST(plan_change_refused_event_is_tried_again_when_it_comes_back)
{
	static const char *const names[] = {"sw-a", "sw-b"};

	kit.refused = "sw-b";
	kit.refusal = ENOENT;
	make(names, 2);
	assert_int_equal(event("sw-b")->state, EVENT_UNSUPPORTED);
	kit.refused = NULL;
	change(names, 2);
	assert_int_equal(event("sw-b")->state, EVENT_UNSUPPORTED);
	change(names, 1);
	change(names, 2);

	assert_int_equal(event("sw-b")->state, EVENT_COUNTING);
	assert_string_equal(event("sw-b")->reason, "");
}

UNIT_TEST(plan_change_too_large_braces_leave_what_counts)
{
	static const char *const names[] = {"e1", "e2", "e3"};

	kit.counters = 2;
	make(names, 2);
	made_set(names, 3);
	made_weak_group(true, (int[]){0, 1, 2, -1});
	made.evsels[0].only_in_braces = made.evsels[1].only_in_braces = false;
	assert_true(try_change(&made.set));

	assert_groups("0[e1 e2]");
	assert_int_equal(event("e1")->state, EVENT_COUNTING);
	assert_int_equal(event("e3")->state, EVENT_UNSUPPORTED);
}

UNIT_TEST(plan_change_without_descriptors_is_refused)
{
	static const char *const names[] = {"e1", "e2"};

	make(names, 1);
	fake.most_open = 1;

	assert_false(try_change(made_set(names, 2)));
	assert_int_equal(kit.error.code, ERROR_PERF_FD_LIMIT);
}

static size_t pauses;

static void note_pause(void *context)
{
	assert_ptr_equal(context, &pauses);
	pauses++;
}

UNIT_TEST(plan_change_pauses_for_hardware_that_is_to_run)
{
	static const char *const names[] = {"sw-a", "e1", "e2", "sw-b"};

	make(names, 1);
	pauses = 0;
	kit.trials.pause = note_pause;
	kit.trials.context = &pauses;
	assert_true(plan_change(&kit.plan, made_set(&names[3], 1), &kit.trials, NULL));
	assert_int_equal(pauses, 0);
	assert_true(plan_change(&kit.plan, made_set(names, 3), &kit.trials, NULL));
	assert_true(pauses > 0);
}

/* Each trial takes the kernel some ms. */
UNIT_TEST(plan_make_tries_what_fits_once)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4", "e5"};
	const size_t to_count_counters = 7; /* 2, 4, 8, 16, 12, 10, 9 */

	make(names, COUNT_OF(names));

	assert_int_equal(kit.trials.count, 1 + to_count_counters);
}

static bool has_more_than_six(const struct fake_event *event)
{
	return event->members > 6;
}

static size_t looks; /* at those */

static void note_look(struct fake_event *event)
{
	looks += has_more_than_six(event);
}

/* What other programs count stands still while a large group is looked at. */
UNIT_TEST(plan_make_counts_counters_in_a_hurry)
{
	static const char *const names[] = {"e1", "e2", "e3", "e4", "e5"};

	looks = 0;
	fake.before_read = note_look;
	fake.never_runs = has_more_than_six;
	make(names, COUNT_OF(names));

	assert_int_equal(looks, 2); /* one at 8, one at 7 */
}

/* Closing one that nobody else has open takes the kernel some ms. */
UNIT_TEST(trials_end_closes_tracepoints_that_were_tried)
{
	static const char *const names[] = {"sw-a", "sw-tracepoint"};

	made_set(names, 2);
	made.evsels[1].specs[0].type = PERF_TYPE_TRACEPOINT;
	assert_true(try_make(&CPU_0, &made.set));
	assert_int_equal(fake_open_count(), 2);

	trials_end(&kit.trials);
	assert_int_equal(fake_open_count(), 0);
}

UNIT_TEST(bundle_commit_opens_the_groups_on_the_target)
{
	struct bundle bundle = {
		.target =
			{
				.leader = GROUP_LEADER_TASK,
				.pid = 4711,
				.cpu = -1,
				.exclude_kernel = true,
				.enable_on_exec = true,
			},
		.features = &FAKE_FEATURES,
	};
	const struct fake_event *leader;

	kit.counters = 2;
	make(SIX, 6);
	assert_int_equal(bundle_prepare(&bundle, &kit.plan), 0);
	assert_false(bundle_is_open(&bundle, 2));
	bundle_commit(&bundle, &kit.plan);
	assert_true(bundle_is_open(&bundle, 2));
	leader = fake_event(bundle.groups[2].leader_fd);

	assert_int_equal(leader->pid, 4711);
	assert_int_equal(leader->cpu, -1);
	assert_int_equal(leader->members, 2);
	assert_true(leader->exclude_kernel);
	assert_true(leader->enable_on_exec);
	bundle_close(&bundle);
}

UNIT_TEST(bundle_commit_what_was_refused_beside_is_opened_behind)
{
	struct bundle bundle = {.target = CPU_0, .features = &FAKE_FEATURES};

	make(SIX, 6);
	assert_int_equal(bundle_prepare(&bundle, &kit.plan), 0);
	bundle_commit(&bundle, &kit.plan);
	fake.most_open = fake_open_count();

	assert_int_equal(bundle_prepare(&bundle, &kit.plan), EMFILE);
	assert_true(bundle_is_open(&bundle, 0));
	bundle_commit(&bundle, &kit.plan);
	assert_true(bundle_is_open(&bundle, 0));

	fake.refuse_group = denies_all;
	assert_int_equal(bundle_prepare(&bundle, &kit.plan), EACCES);
	bundle_commit(&bundle, &kit.plan);
	assert_false(bundle_is_open(&bundle, 0));
	bundle_close(&bundle);
}

/* The same names may mean other events by then. */
UNIT_TEST(plan_change_what_comes_back_is_what_it_is_then)
{
	static const char *const names[] = {"e1", "e2"};

	make(names, 2);
	change(&names[1], 1);
	made_set(names, 2);
	made.evsels[0].specs[0].config = 4711;
	assert_true(try_change(&made.set));

	assert_int_equal(plan_spec_at(&kit.plan, 0, 0)->config, 4711);
}

/* What takes turns goes on in its groups, and is not tried again. */
UNIT_TEST(plan_change_software_leaves_the_turns_alone)
{
	static const char *const names[] = {"e1", "e2", "e3", "sw-a"};

	kit.counters = 2;
	make(names, 3);
	fake.count = 0;
	change(names, 4);

	assert_groups("0[sw-a] 1[e1 e2] 1[e3]");
	assert_int_equal(fake.count, 2); /* a leader and the event */
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
