/* Plans: found out by trying, on a PMU of which each test says how many counters it has. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "kernel/host.h"
#include "source/plan.h"

#include "fake_kernel.h"

static const struct host HOST = {.paranoid = 2, .cpu_pmu = "cpu"};
static const struct plan_target CPU_0 = {.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = 0};
static const struct plan_target SELF = {.leader = GROUP_LEADER_TASK, .pid = 0, .cpu = -1};

/* In this order software stands among hardware. */
static const char *const SIX[] = {"cycles",       "page-faults",   "instructions",
				  "cache-misses", "branch-misses", "cache-references"};

static bool make_on(struct plan *plan, const struct plan_target *target, const char *const *names,
		    size_t count, struct error *error)
{
	return plan_make(plan, names, count, target, &HOST, &FAKE_FEATURES, error);
}

static void make(struct plan *plan, const char *const *names, size_t count)
{
	assert_true(make_on(plan, &CPU_0, names, count, NULL));
}

static size_t hardware_in(const struct group_request *request)
{
	size_t count = 0;

	for (size_t i = 0; i < request->count; i++)
		count += request->specs[i].is_hardware;
	return count;
}

static bool asks_for(const struct group_request *request, const char *name)
{
	return request->count == 1 && strcmp(request->specs[0].name, name) == 0;
}

static int two_counters(const struct group_request *request)
{
	return hardware_in(request) > 2 ? EINVAL : 0;
}

static int no_cache_misses(const struct group_request *request)
{
	return asks_for(request, "cache-misses") ? ENOENT : 0;
}

static int denies_cycles(const struct group_request *request)
{
	return asks_for(request, "cycles") ? EACCES : 0;
}

static int denies_all(const struct group_request *request)
{
	(void)request;
	return EACCES;
}

static bool more_than_three(const struct fake_event *event)
{
	return event->members > 3;
}

static bool any_member(const struct fake_event *event)
{
	return event->members > 0;
}

static void plan_make_all_fit_makes_a_group_of_software_and_one_of_hardware(void **state)
{
	static const uint16_t hardware[] = {0, 2, 3, 4, 5};
	struct plan plan;

	(void)state;
	make(&plan, SIX, 6);

	assert_int_equal(plan.layout.event_count, 6);
	assert_int_equal(plan.layout.group_count, 2);
	assert_int_equal(plan.layout.groups[0].count, 1);
	assert_int_equal(plan.layout.groups[0].events[0], 1);
	assert_int_equal(plan.layout.groups[1].count, 5);
	assert_memory_equal(plan.layout.groups[1].events, hardware, sizeof(hardware));
	for (size_t i = 0; i < 5; i++)
		assert_string_equal(plan.groups[1].specs[i].name, SIX[hardware[i]]);
	assert_int_equal(plan_descriptors(&plan), 8);
	assert_true(plan_has_hardware(&plan));
	plan_fini(&plan);
}

static void plan_make_all_fit_all_are_counting(void **state)
{
	struct plan plan;

	(void)state;
	make(&plan, SIX, 6);

	for (size_t i = 0; i < 6; i++) {
		assert_string_equal(plan.layout.events[i].name, SIX[i]);
		assert_int_equal(plan.layout.events[i].state, EVENT_COUNTING);
		assert_int_equal(plan.layout.events[i].group, i != 1);
		assert_string_equal(plan.layout.events[i].reason, "");
	}
	plan_fini(&plan);
}

static void plan_make_leaves_nothing_open(void **state)
{
	struct plan plan;

	(void)state;
	fake.refuse_group = two_counters;
	make(&plan, SIX, 6);

	assert_true(fake.count > 0);
	assert_int_equal(fake_open_count(), 0);
	plan_fini(&plan);
}

static void plan_make_unsupported_event_is_left_out_with_reason(void **state)
{
	const struct event *event;
	struct plan plan;

	(void)state;
	fake.refuse_group = no_cache_misses;
	make(&plan, SIX, 6);
	event = &plan.layout.events[3];

	assert_int_equal(event->state, EVENT_UNSUPPORTED);
	assert_string_equal(event->reason, "this CPU or its driver does not count it");
	assert_int_equal(plan.layout.groups[1].count, 4);
	assert_int_equal(plan.layout.groups[1].events[2], 4);
	plan_fini(&plan);
}

static void plan_make_unknown_name_is_left_out_with_reason(void **state)
{
	static const char *const names[] = {"page-faults", "no-such-event"};
	struct plan plan;

	(void)state;
	make(&plan, names, 2);

	assert_int_equal(plan.layout.events[1].state, EVENT_UNSUPPORTED);
	assert_string_equal(plan.layout.events[1].reason,
			    "this CPU or its driver does not count it");
	assert_int_equal(plan.layout.groups[0].count, 1);
	assert_false(plan_has_hardware(&plan));
	plan_fini(&plan);
}

static void plan_make_denied_event_says_what_denies_it(void **state)
{
	struct plan plan;

	(void)state;
	fake.refuse_group = denies_cycles;
	make(&plan, SIX, 6);

	assert_int_equal(plan.layout.events[0].state, EVENT_DENIED);
	assert_string_equal(plan.layout.events[0].reason,
			    "refused: kernel.perf_event_paranoid is 2");
	plan_fini(&plan);
}

static void plan_make_refused_leader_fails_for_cpus(void **state)
{
	struct error error = {0};
	struct plan plan;

	(void)state;
	fake.refuse_group = denies_all;

	assert_false(make_on(&plan, &CPU_0, SIX, 6, &error));
	assert_int_equal(error.code, ERROR_PERF_PARANOID);
	assert_string_equal(error.text,
			    "system-wide counting: refused: kernel.perf_event_paranoid is 2");
	assert_null(plan.groups);
	assert_null(plan.layout.events);
}

static void plan_make_refused_leader_fails_for_tasks(void **state)
{
	struct error error = {0};
	struct plan plan;

	(void)state;
	fake.refuse_group = denies_all;

	assert_false(make_on(&plan, &SELF, SIX, 6, &error));
	assert_string_equal(error.text, "counting tasks: refused: kernel.perf_event_paranoid is 2");
}

static void plan_make_two_counters_take_turns(void **state)
{
	static const uint16_t members[4][2] = {{1, 0}, {0, 2}, {3, 4}, {5, 0}};
	static const uint16_t counts[4] = {1, 2, 2, 1};
	const struct layout *layout;
	struct plan plan;

	(void)state;
	fake.refuse_group = two_counters;
	make(&plan, SIX, 6);
	layout = &plan.layout;

	assert_int_equal(layout->group_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(layout->groups[i].count, counts[i]);
		assert_int_equal(plan.groups[i].count, counts[i]);
		for (size_t j = 0; j < counts[i]; j++) {
			assert_int_equal(layout->groups[i].events[j], members[i][j]);
			assert_int_equal(layout->events[members[i][j]].group, i);
			assert_string_equal(plan.groups[i].specs[j].name, SIX[members[i][j]]);
		}
	}
	assert_int_equal(plan_descriptors(&plan), 10);
	plan_fini(&plan);
}

static void plan_make_turns_mark_hardware_multiplexed(void **state)
{
	struct plan plan;

	(void)state;
	fake.refuse_group = two_counters;
	make(&plan, SIX, 6);

	assert_int_equal(plan.layout.events[0].state, EVENT_MULTIPLEXED);
	assert_string_equal(plan.layout.events[0].reason,
			    "more events than counters: 3 groups take turns");
	assert_int_equal(plan.layout.events[1].state, EVENT_COUNTING);
	assert_string_equal(plan.layout.events[1].reason, "");
	plan_fini(&plan);
}

static void plan_make_group_that_never_runs_does_not_fit(void **state)
{
	struct plan plan;

	(void)state;
	fake.never_runs = more_than_three;
	make(&plan, SIX, 6);

	assert_int_equal(plan.layout.group_count, 3);
	assert_int_equal(plan.layout.groups[1].count, 3);
	assert_int_equal(plan.layout.groups[2].count, 2);
	plan_fini(&plan);
}

static void plan_make_event_that_never_runs_is_left_out(void **state)
{
	struct plan plan;

	(void)state;
	fake.never_runs = any_member;
	make(&plan, SIX, 1);

	assert_int_equal(plan.layout.events[0].state, EVENT_UNSUPPORTED);
	assert_non_null(
		strstr(plan.layout.events[0].reason, "does not fit into the free counters"));
	assert_int_equal(plan.layout.group_count, 1);
	assert_int_equal(plan.layout.groups[0].count, 0);
	plan_fini(&plan);
}

static void plan_make_more_software_than_a_group_holds_leaves_the_rest_out(void **state)
{
	const char *names[GROUP_MEMBERS_MAX + 1];
	struct plan plan;

	(void)state;
	for (size_t i = 0; i <= GROUP_MEMBERS_MAX; i++)
		names[i] = "page-faults";
	make(&plan, names, GROUP_MEMBERS_MAX + 1);

	assert_int_equal(plan.layout.groups[0].count, GROUP_MEMBERS_MAX);
	assert_int_equal(plan.layout.events[GROUP_MEMBERS_MAX - 1].state, EVENT_COUNTING);
	assert_int_equal(plan.layout.events[GROUP_MEMBERS_MAX].state, EVENT_UNSUPPORTED);
	assert_string_equal(plan.layout.events[GROUP_MEMBERS_MAX].reason,
			    "more events than a group can hold");
	plan_fini(&plan);
}

static void plan_make_no_events_gives_an_empty_group(void **state)
{
	struct plan plan;

	(void)state;
	make(&plan, NULL, 0);

	assert_int_equal(plan.layout.group_count, 1);
	assert_int_equal(plan_descriptors(&plan), 1);
	plan_fini(&plan);
}

static void plan_open_group_opens_it_on_the_target(void **state)
{
	const struct plan_target target = {
		.leader = GROUP_LEADER_TASK,
		.pid = 4711,
		.cpu = -1,
		.exclude_kernel = true,
		.enable_on_exec = true,
	};
	const struct fake_event *leader;
	struct group group;
	struct plan plan;
	int errno_value;

	(void)state;
	fake.refuse_group = two_counters;
	make(&plan, SIX, 6);
	assert_true(plan_open_group(&plan, 2, &target, &FAKE_FEATURES, 0, &group, &errno_value));
	leader = fake_event(group.leader_fd);

	assert_int_equal(leader->pid, 4711);
	assert_int_equal(leader->cpu, -1);
	assert_int_equal(leader->members, 2);
	assert_true(leader->exclude_kernel);
	assert_true(leader->enable_on_exec);
	group_close(&group);
	plan_fini(&plan);
}

#define PLAN_TEST(name) cmocka_unit_test_setup_teardown(name, fake_reset, fake_reset)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_TEST(plan_make_all_fit_makes_a_group_of_software_and_one_of_hardware),
		PLAN_TEST(plan_make_all_fit_all_are_counting),
		PLAN_TEST(plan_make_leaves_nothing_open),
		PLAN_TEST(plan_make_unsupported_event_is_left_out_with_reason),
		PLAN_TEST(plan_make_unknown_name_is_left_out_with_reason),
		PLAN_TEST(plan_make_denied_event_says_what_denies_it),
		PLAN_TEST(plan_make_refused_leader_fails_for_cpus),
		PLAN_TEST(plan_make_refused_leader_fails_for_tasks),
		PLAN_TEST(plan_make_two_counters_take_turns),
		PLAN_TEST(plan_make_turns_mark_hardware_multiplexed),
		PLAN_TEST(plan_make_group_that_never_runs_does_not_fit),
		PLAN_TEST(plan_make_event_that_never_runs_is_left_out),
		PLAN_TEST(plan_make_more_software_than_a_group_holds_leaves_the_rest_out),
		PLAN_TEST(plan_make_no_events_gives_an_empty_group),
		PLAN_TEST(plan_open_group_opens_it_on_the_target),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
