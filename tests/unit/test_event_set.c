/* Events that are wanted, and what binds them. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "model/metric_set.h"

#include "session/event_set.h"

/* A machine without anything: generic names are known everywhere. */
static struct kit {
	struct event_finder *finder;
	struct metric_set *metrics;
	struct event_set events;
	struct event_set_request request;
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
	event_set_request_fini(&kit.request);
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
	const struct event_request *request = &kit.request.request;

	for (size_t i = 0; i < request->weak_group_count; i++) {
		const struct weak_group *weak = &request->weak_groups[i];
		size_t found = 0;

		for (size_t j = 0; j < weak->count; j++) {
			const char *name = request->choices[weak->events[j]].name;

			found += strcmp(name, first) == 0 || strcmp(name, second) == 0;
		}
		if (found == 2 && weak->must == must)
			return true;
	}
	return false;
}

static void make_request(void)
{
	event_set_request_fini(&kit.request);
	event_set_request_init(&kit.request, &kit.events, kit.metrics);
}

static void event_set_add_each_event_is_there_once(void **state)
{
	assert_true(add("cycles,instructions"));
	assert_true(add("instructions,page-faults"));

	assert_int_equal(kit.events.count, 3);
	assert_string_equal(kit.named, "cycles instructions instructions page-faults ");
}

static void event_set_add_wrong_list_adds_nothing(void **state)
{
	assert_false(add("cycles,no-such-event"));

	assert_int_equal(kit.events.count, 0);
	assert_string_equal(kit.named, "");
}

static void event_set_request_braces_are_a_must(void **state)
{
	assert_true(add("{cycles,branch-misses}"));
	assert_true(add("{cycles,branch-misses}"));
	make_request();

	assert_int_equal(kit.events.brace_count, 1);
	assert_true(is_bound("cycles", "branch-misses", true));
}

static void event_set_request_formula_whose_events_are_all_wanted_binds_them(void **state)
{
	assert_true(add("cycles"));
	make_request();
	assert_int_equal(kit.request.request.weak_group_count, 0);
	assert_true(add("instructions"));
	make_request();

	assert_true(is_bound("cycles", "instructions", false));
}

static void event_set_add_event_that_is_wanted_alone_too_does_not_go_with_its_braces(void **state)
{
	assert_true(add("{cycles,instructions}"));
	assert_true(kit.events.choices[0].brace >= 0);
	assert_true(add("cycles"));

	assert_int_equal(kit.events.choices[0].brace, -1);
	assert_true(kit.events.choices[1].brace >= 0);
}

static void event_set_remove_takes_it_out_of_its_weak_groups(void **state)
{
	assert_true(add("{cycles,instructions,branch-misses}"));
	assert_true(event_set_remove(&kit.events, "instructions"));
	make_request();

	assert_int_equal(kit.events.count, 2);
	assert_true(is_bound("cycles", "branch-misses", true));
	assert_false(event_set_has(&kit.events, "instructions"));
	assert_false(event_set_remove(&kit.events, "instructions"));
}

static void event_set_copy_is_independent(void **state)
{
	struct event_set copy;

	assert_true(add("{cycles,instructions}"));
	event_set_copy(&copy, &kit.events);
	assert_true(event_set_remove(&copy, "cycles"));

	assert_int_equal(kit.events.count, 2);
	assert_int_equal(kit.events.braces[0].count, 2);
	assert_int_equal(copy.braces[0].count, 1);
	event_set_fini(&copy);
}

#define WISHES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WISHES_TEST(event_set_add_each_event_is_there_once),
		WISHES_TEST(event_set_add_wrong_list_adds_nothing),
		WISHES_TEST(event_set_request_braces_are_a_must),
		WISHES_TEST(event_set_request_formula_whose_events_are_all_wanted_binds_them),
		WISHES_TEST(
			event_set_add_event_that_is_wanted_alone_too_does_not_go_with_its_braces),
		WISHES_TEST(event_set_remove_takes_it_out_of_its_weak_groups),
		WISHES_TEST(event_set_copy_is_independent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
