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

#include "engine/wishes.h"

/* A machine without anything: generic names are known everywhere. */
static struct kit {
	struct event_finder *finder;
	struct metric_set *metrics;
	struct wishes wishes;
	struct wished_request request;
	char named[256];
} kit;

static int set_up(void **state)
{
	(void)state;
	memset(&kit, 0, sizeof(kit));
	kit.finder = event_finder_create("/nowhere");
	kit.metrics = metric_set_create();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	wished_request_fini(&kit.request);
	wishes_fini(&kit.wishes);
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

	return wishes_add(&kit.wishes, kit.finder, list, note, &kit, &position, NULL);
}

static bool is_bound(const char *first, const char *second, bool must)
{
	const struct event_request *request = &kit.request.request;

	for (size_t i = 0; i < request->bond_count; i++) {
		const struct event_bond *bond = &request->bonds[i];
		size_t found = 0;

		for (size_t j = 0; j < bond->count; j++) {
			const char *name = request->choices[bond->events[j]].name;

			found += strcmp(name, first) == 0 || strcmp(name, second) == 0;
		}
		if (found == 2 && bond->must == must)
			return true;
	}
	return false;
}

static void make_request(void)
{
	wished_request_fini(&kit.request);
	wished_request_init(&kit.request, &kit.wishes, kit.metrics);
}

static void wishes_add_each_event_is_there_once(void **state)
{
	(void)state;
	assert_true(add("cycles,instructions"));
	assert_true(add("instructions,page-faults"));

	assert_int_equal(kit.wishes.count, 3);
	assert_string_equal(kit.named, "cycles instructions instructions page-faults ");
}

static void wishes_add_wrong_list_adds_nothing(void **state)
{
	(void)state;
	assert_false(add("cycles,no-such-event"));

	assert_int_equal(kit.wishes.count, 0);
	assert_string_equal(kit.named, "");
}

static void wished_request_braces_are_a_must(void **state)
{
	(void)state;
	assert_true(add("{cycles,branch-misses}"));
	assert_true(add("{cycles,branch-misses}"));
	make_request();

	assert_int_equal(kit.wishes.brace_count, 1);
	assert_true(is_bound("cycles", "branch-misses", true));
}

static void wished_request_formula_whose_events_are_all_wanted_binds_them(void **state)
{
	(void)state;
	assert_true(add("cycles"));
	make_request();
	assert_int_equal(kit.request.request.bond_count, 0);
	assert_true(add("instructions"));
	make_request();

	assert_true(is_bound("cycles", "instructions", false));
}

static void wishes_add_event_that_is_wanted_alone_too_does_not_go_with_its_braces(void **state)
{
	(void)state;
	assert_true(add("{cycles,instructions}"));
	assert_true(kit.wishes.choices[0].brace >= 0);
	assert_true(add("cycles"));

	assert_int_equal(kit.wishes.choices[0].brace, -1);
	assert_true(kit.wishes.choices[1].brace >= 0);
}

static void wishes_remove_takes_it_out_of_its_bonds(void **state)
{
	(void)state;
	assert_true(add("{cycles,instructions,branch-misses}"));
	assert_true(wishes_remove(&kit.wishes, "instructions"));
	make_request();

	assert_int_equal(kit.wishes.count, 2);
	assert_true(is_bound("cycles", "branch-misses", true));
	assert_false(wishes_has(&kit.wishes, "instructions"));
	assert_false(wishes_remove(&kit.wishes, "instructions"));
}

static void wishes_copy_is_independent(void **state)
{
	struct wishes copy;

	(void)state;
	assert_true(add("{cycles,instructions}"));
	wishes_copy(&copy, &kit.wishes);
	assert_true(wishes_remove(&copy, "cycles"));

	assert_int_equal(kit.wishes.count, 2);
	assert_int_equal(kit.wishes.braces[0].count, 2);
	assert_int_equal(copy.braces[0].count, 1);
	wishes_fini(&copy);
}

#define WISHES_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WISHES_TEST(wishes_add_each_event_is_there_once),
		WISHES_TEST(wishes_add_wrong_list_adds_nothing),
		WISHES_TEST(wished_request_braces_are_a_must),
		WISHES_TEST(wished_request_formula_whose_events_are_all_wanted_binds_them),
		WISHES_TEST(wishes_add_event_that_is_wanted_alone_too_does_not_go_with_its_braces),
		WISHES_TEST(wishes_remove_takes_it_out_of_its_bonds),
		WISHES_TEST(wishes_copy_is_independent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
