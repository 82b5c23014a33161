#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/session.h"

#include "model_kit.h"

static void every_number_has_a_place_of_its_own(void **state)
{
	(void)state;
	struct layout layout;

	kit_layout(&layout, 2);

	assert_int_equal(layout_width(&layout), QUANTITY_BUILTIN + 4 + 2);
	assert_int_equal(layout_event_place(&layout, 0), QUANTITY_BUILTIN);
	assert_int_equal(layout_event_place(&layout, 3), QUANTITY_BUILTIN + 3);
	assert_int_equal(layout_group_place(&layout, 0), QUANTITY_BUILTIN + 4);
	assert_int_equal(layout_group_place(&layout, 1), layout_width(&layout) - 1);
	layout_fini(&layout);
}

static void layout_find_knows_quantities_and_events(void **state)
{
	(void)state;
	struct layout layout;

	kit_layout(&layout, 1);

	assert_int_equal(layout_find(&layout, "run_ns"), QUANTITY_RUN_NS);
	assert_int_equal(layout_find(&layout, "switches"), QUANTITY_SWITCHES);
	assert_int_equal(layout_find(&layout, "preemptions"), QUANTITY_PREEMPTIONS);
	assert_int_equal(layout_find(&layout, "migrations"), QUANTITY_MIGRATIONS);
	assert_int_equal(layout_find(&layout, "e1"), QUANTITY_BUILTIN + 1);
	assert_int_equal(layout_find(&layout, "e2"), -1);
	assert_int_equal(layout_find(&layout, ""), -1);
	layout_fini(&layout);
}

static void layout_copy_owns_all_it_has(void **state)
{
	(void)state;
	struct layout layout, copy;

	kit_layout(&layout, 2);
	layout_copy(&copy, &layout);
	layout_fini(&layout);

	assert_null(layout.events);
	assert_int_equal(copy.event_count, 4);
	assert_string_equal(copy.events[3].name, "e3");
	assert_int_equal(copy.groups[1].events[0], 2);
	layout_fini(&copy);
}

static void layout_copy_without_events_is_possible(void **state)
{
	(void)state;
	struct layout layout = {.groups = (struct event_group[]){{.count = 0}}, .group_count = 1};
	struct layout copy;

	layout_copy(&copy, &layout);

	assert_int_equal(layout_width(&copy), QUANTITY_BUILTIN + 1);
	layout_fini(&copy);
}

static void event_is_counted_when_it_counts_at_least_in_turns(void **state)
{
	(void)state;

	assert_true(event_is_counted(&(const struct event){.state = EVENT_COUNTING}));
	assert_true(event_is_counted(&(const struct event){.state = EVENT_MULTIPLEXED}));
	assert_false(event_is_counted(&(const struct event){.state = EVENT_UNSUPPORTED}));
	assert_false(event_is_counted(&(const struct event){.state = EVENT_DENIED}));
}

static void names_are_those_of_the_json(void **state)
{
	(void)state;

	assert_string_equal(event_state_name(EVENT_COUNTING), "counting");
	assert_string_equal(event_state_name(EVENT_MULTIPLEXED), "multiplexed");
	assert_string_equal(event_state_name(EVENT_UNSUPPORTED), "unsupported");
	assert_string_equal(event_state_name(EVENT_DENIED), "denied");
	assert_string_equal(session_scope_name(SCOPE_SYSTEM), "system");
	assert_string_equal(session_scope_name(SCOPE_TASKS), "tasks");
}

static void every_record_kind_has_a_name(void **state)
{
	(void)state;

	for (int kind = 0; kind < RECORD_KINDS; kind++)
		assert_non_null(record_kind_name((enum record_kind)kind));
	assert_string_equal(record_kind_name(RECORD_SWITCH_OUT), "switch out");
	assert_string_equal(record_kind_name(RECORD_KINDS), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_number_has_a_place_of_its_own),
		cmocka_unit_test(layout_find_knows_quantities_and_events),
		cmocka_unit_test(layout_copy_owns_all_it_has),
		cmocka_unit_test(layout_copy_without_events_is_possible),
		cmocka_unit_test(event_is_counted_when_it_counts_at_least_in_turns),
		cmocka_unit_test(names_are_those_of_the_json),
		cmocka_unit_test(every_record_kind_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
