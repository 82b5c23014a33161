#include "model/counts.h"
#include "model/session.h"

#include "model_kit.h"
#include "unit.h"

/* Of two groups of two events each. */
static struct layout layout;

static int set_up(void **state)
{
	kit_layout(&layout, 2);
	return 0;
}

static int tear_down(void **state)
{
	layout_fini(&layout);
	return 0;
}

UNIT_TEST(every_number_has_a_place_of_its_own)
{
	assert_int_equal(layout_width(&layout), QUANTITY_BUILTIN + 4 + 2 * 2);
	assert_int_equal(layout_group_index(&layout, 0), QUANTITY_BUILTIN);
	assert_int_equal(layout_counter_in(&layout, 0, 0)->value_index, QUANTITY_BUILTIN + 2);
	assert_int_equal(layout_group_index(&layout, 1), QUANTITY_BUILTIN + 4);
	assert_int_equal(layout_counter_in(&layout, 3, 1)->value_index, layout_width(&layout) - 1);
}

UNIT_TEST(layout_find_knows_quantities_and_events)
{
	assert_int_equal(layout_find_quantity("run_ns"), QUANTITY_RUN_NS);
	assert_int_equal(layout_find_quantity("switches"), QUANTITY_SWITCHES);
	assert_int_equal(layout_find_quantity("preemptions"), QUANTITY_PREEMPTIONS);
	assert_int_equal(layout_find_quantity("migrations"), QUANTITY_MIGRATIONS);
	assert_int_equal(layout_find_quantity("e1"), -1);
	assert_int_equal(layout_find_event(&layout, "e1"), 1);
	assert_int_equal(layout_find_event(&layout, "e4"), -1);
	assert_int_equal(layout_find_event(&layout, ""), -1);
}

UNIT_TEST(layout_copy_owns_all_it_has)
{
	struct layout copy;

	layout_copy(&copy, &layout);
	layout_fini(&layout);
	assert_null(layout.events);
	assert_int_equal(copy.event_count, 4);
	assert_string_equal(copy.events[3].name, "e3");
	assert_int_equal(copy.counters[copy.groups[1].counters[0]].event, 2);
	layout_fini(&copy);

	/* and without events */
	layout_init(&layout);
	layout_copy(&copy, &layout);
	assert_int_equal(layout_width(&copy), QUANTITY_BUILTIN + 2);
	layout_fini(&copy);
}

UNIT_TEST(layout_group_that_is_opened_again_keeps_its_places)
{
	const size_t width = layout_width(&layout);
	const size_t place = layout_counter_in(&layout, 2, 1)->value_index;
	const uint32_t generation = layout.groups[1].generation;

	layout_close_group(&layout, 1);
	assert_null(layout_counter_in(&layout, 2, 1));
	assert_int_equal(layout_add_group(&layout, 0, 2), 2); /* another turn: another slot */
	assert_int_equal(layout_add_group(&layout, 0, 1), 1);
	layout_add_counter(&layout, 1, 2);

	assert_int_equal(layout_counter_in(&layout, 2, 1)->value_index, place);
	assert_int_equal(layout_width(&layout), width + 2);
	assert_true(layout.groups[1].generation > generation);
}

UNIT_TEST(layout_event_count_sums_all_counters_also_those_closed)
{
	uint64_t counts[64] = {0};

	layout_add_counter(&layout, 1, 0);
	counts[layout_counter_in(&layout, 0, 0)->value_index] = 5;
	counts[layout_counter_in(&layout, 0, 1)->value_index] = 7;
	layout_close_group(&layout, 1);

	assert_int_equal(layout_event_count(&layout, 0, counts), 12);
	assert_int_equal(layout_event_count(&layout, 1, counts), 0);
}

UNIT_TEST(event_is_counted_when_it_counts_at_least_in_turns)
{
	assert_true(event_is_counted(&(const struct event){.state = EVENT_COUNTING}));
	assert_true(event_is_counted(&(const struct event){.state = EVENT_MULTIPLEXED}));
	assert_false(event_is_counted(&(const struct event){.state = EVENT_UNSUPPORTED}));
	assert_false(event_is_counted(&(const struct event){.state = EVENT_DENIED}));
}

UNIT_TEST(names_are_those_of_the_json)
{
	assert_string_equal(event_state_name(EVENT_COUNTING), "counting");
	assert_string_equal(event_state_name(EVENT_MULTIPLEXED), "multiplexed");
	assert_string_equal(event_state_name(EVENT_UNSUPPORTED), "unsupported");
	assert_string_equal(event_state_name(EVENT_DENIED), "denied");
	assert_string_equal(session_scope_name(SCOPE_SYSTEM), "system");
	assert_string_equal(session_scope_name(SCOPE_TASKS), "tasks");
}

UNIT_TEST(counts_are_added_cleared_and_subtracted_number_by_number)
{
	uint64_t sum[3] = {1, 2, 3}, delta[3];

	counts_add(sum, (const uint64_t[]){10, 20, 30}, 2);
	assert_memory_equal(sum, ((const uint64_t[]){11, 22, 3}), sizeof(sum));
	counts_clear(sum, 2);
	assert_true(counts_are_zero(sum, 2));
	assert_false(counts_are_zero(sum, 3));
	assert_int_equal(sum[2], 3);

	assert_true(counts_sub(delta, (const uint64_t[]){UINT64_MAX, 7},
			       (const uint64_t[]){UINT64_MAX - 3, 7}, 2));
	assert_int_equal(delta[0], 3);
	assert_int_equal(delta[1], 0);
	/* a counter that went backwards is refused */
	assert_false(
		counts_sub(delta, (const uint64_t[]){5, 6, 9}, (const uint64_t[]){5, 7, 8}, 3));
	assert_false(
		counts_sub(delta, (const uint64_t[]){4, 8, 9}, (const uint64_t[]){5, 7, 8}, 3));
	assert_true(counts_sub(delta, (const uint64_t[]){5, 6, 7}, (const uint64_t[]){5, 6, 8}, 2));
}

UNIT_TEST(session_wall_time_moves_with_a_clock_that_was_set_and_does_not_tremble)
{
	static const int64_t offset_ns = INT64_C(1700000000) * 1000 * 1000 * 1000;

	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 999999), offset_ns);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 999999), offset_ns);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns + 1000000), offset_ns + 1000000);
	assert_int_equal(session_wall_offset(offset_ns, offset_ns - 1000000), offset_ns - 1000000);

	assert_int_equal(session_wall_ns(offset_ns, 7), offset_ns + 7);
	assert_int_equal(session_wall_ns(-5, 7), 2);
	assert_int_equal(session_wall_ns(-7, 5), -1);
	/* out of range: unknown */
	assert_int_equal(session_wall_ns(INT64_MAX, 1), -1);
	assert_int_equal(session_wall_ns(offset_ns, UINT64_MAX), -1);
	assert_int_equal(session_wall_ns(INT64_MIN, 1), -1);
}

/* Every field on its own. */
UNIT_TEST(session_equals_sees_each_difference)
{
	const struct session changes[] = {
		{.scope = SCOPE_TASKS}, {.scope_words = "a"},   {.scope_reason = "a"},
		{.scope_remedy = "a"},  {.pmu_words = "a"},     {.has_pmu = true},
		{.is_live = true},      {.is_estimated = true}, {.wall_offset_ns = 1},
		{.cpu_count = 1},       {.is_partial = true},   {.queue = QUEUE_WAKEUPS},
		{.queue_words = "a"},   {.has_yields = true},   {.has_states = true},
		{.others = "a"},        {.unknown = 1},         {.cost_reason = "a"},
	};
	const struct session same = {0};

	for (size_t i = 0; i < COUNT_OF(changes); i++) {
		assert_false(session_equals(&same, &changes[i]));
		assert_true(session_equals(&changes[i], &changes[i]));
	}
}

/* Root reads it, too. */
UNIT_TEST(session_states_reason_is_what_keeps_wakeups_from_us)
{
	static const struct {
		struct session session;
		const char *words; /* that it has; "": it is known */
	} cases[] = {
		{{.is_live = true, .queue = QUEUE_WAKEUPS}, ""},
		{{.is_live = true}, "where tracefs is mounted"},
		{{.is_live = true, .clock_stops = true}, "outside of the cgroup"},
		{{.is_live = true, .clock_stops = true, .is_partial = true},
		 "CPUs that are not watched"},
		{{.is_live = false}, "no wake-ups were recorded"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *reason = session_states_reason(&cases[i].session);

		begin_case(cases[i].words);
		assert_non_null(strstr(reason, cases[i].words));
		assert_int_equal(reason[0] == '\0', cases[i].words[0] == '\0');
	}
}

UNIT_MAIN(set_up, tear_down)
