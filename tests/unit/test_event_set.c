/* Events that are asked for, and what belongs together. */

#include "model/metric_set.h"

#include "event/event.h"
#include "session/engine_parts.h"
#include "unit.h"

/* A machine without anything: generic names are known everywhere. */
static struct kit {
	struct event_finder *finder;
	struct metric_set *metrics;
	struct event_set events;
	char named[256];
} kit;

static int set_up(void **state)
{
	memset(&kit, 0, sizeof(kit));
	kit.finder = event_finder_create("/nowhere");
	kit.metrics = metric_set_create();
	return 0;
}

static int tear_down(void **state)
{
	event_set_fini(&kit.events);
	metric_set_destroy(kit.metrics);
	event_finder_destroy(kit.finder);
	return 0;
}

static void note(const char *name, void *context)
{
	assert_ptr_equal(context, &kit);
	strcat(kit.named, name);
	strcat(kit.named, " ");
}

static bool add(const char *list)
{
	size_t position;

	return event_set_add(&kit.events, kit.finder, list, note, &kit, &position, NULL);
}

static bool is_bound(const char *first, const char *second, bool must)
{
	for (size_t i = 0; i < kit.events.weak_group_count; i++) {
		const struct weak_group *weak = &kit.events.weak_groups[i];
		size_t found = 0;

		for (size_t j = 0; j < weak->count; j++) {
			const char *name = weak->names[j];

			found += strcmp(name, first) == 0 || strcmp(name, second) == 0;
		}
		if (found == 2 && weak->must == must)
			return true;
	}
	return false;
}

static void group_formulas(void)
{
	engine_group_formulas(&kit.events, kit.metrics);
}

UNIT_TEST(event_set_add_each_event_is_there_once)
{
	assert_false(add("cycles,no-such-event"));
	assert_int_equal(kit.events.count, 0);
	assert_string_equal(kit.named, "");

	assert_true(add("cycles,instructions"));
	assert_true(add("instructions,page-faults"));
	assert_int_equal(kit.events.count, 3);
	assert_string_equal(kit.named, "cycles instructions instructions page-faults ");

	/* braces are a must, once */
	assert_true(add("{cycles,branch-misses}"));
	assert_true(add("{cycles,branch-misses}"));
	assert_int_equal(kit.events.weak_group_count, 1);
	group_formulas();
	assert_true(is_bound("cycles", "branch-misses", true));
}

UNIT_TEST(engine_group_formulas_takes_those_with_all_their_events)
{
	assert_true(add("cycles"));
	group_formulas();
	assert_int_equal(kit.events.weak_group_count, 0);
	assert_true(add("instructions"));
	group_formulas();

	assert_true(is_bound("cycles", "instructions", false));
}

UNIT_TEST(event_set_add_event_outside_braces_too_does_not_go_with_them)
{
	assert_true(add("{cycles,instructions}"));
	assert_true(kit.events.evsels[0].only_in_braces);
	assert_true(add("cycles"));

	assert_false(kit.events.evsels[0].only_in_braces);
	assert_true(kit.events.evsels[1].only_in_braces);
}

UNIT_TEST(event_set_remove_takes_it_out_of_its_weak_groups)
{
	assert_true(add("{cycles,instructions,branch-misses}"));
	assert_true(event_set_remove(&kit.events, "instructions"));
	group_formulas();

	assert_int_equal(kit.events.count, 2);
	assert_true(is_bound("cycles", "branch-misses", true));
	assert_false(event_set_has(&kit.events, "instructions"));
	assert_false(event_set_remove(&kit.events, "instructions"));
}

UNIT_TEST(event_set_copy_is_independent)
{
	struct event_set copy;

	assert_true(add("{cycles,instructions}"));
	event_set_copy(&copy, &kit.events);
	assert_true(event_set_remove(&copy, "cycles"));

	assert_int_equal(kit.events.count, 2);
	assert_int_equal(kit.events.weak_groups[0].count, 2);
	assert_int_equal(copy.weak_groups[0].count, 1);
	event_set_fini(&copy);
}

UNIT_MAIN(set_up, tear_down)
