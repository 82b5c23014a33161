/* Sums of those who are not there any more. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/departed.h"

enum {
	WIDTH = QUANTITY_BUILTIN + 1
};

struct spec {
	const char *name, *cgroup;
	int64_t uid;
	int32_t parent_pid, session;
	uint64_t run_ns, reaped_ns;
};

static void add(struct departures *departures, struct spec spec)
{
	uint64_t total[WIDTH] = {[QUANTITY_RUN_NS] = spec.run_ns};
	uint64_t reaped[WIDTH] = {[QUANTITY_RUN_NS] = spec.reaped_ns};
	struct snapshot_task task = {
		.uid = spec.uid,
		.parent_pid = spec.parent_pid,
		.session = spec.session,
		.cgroup = spec.cgroup,
		.total = total,
		.reaped = spec.reaped_ns > 0 ? reaped : NULL,
	};

	snprintf(task.name, sizeof(task.name), "%s", spec.name);
	departures_add(departures, &task, WIDTH);
}

static uint64_t sum_of(const struct departures *departures)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < departures->count; i++)
		sum += departures->list[i].like.total[QUANTITY_RUN_NS];
	return sum;
}

static void departures_add_those_who_were_alike(void **state)
{
	struct departures departures = {0};

	(void)state;
	add(&departures, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 10});
	add(&departures, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 20, .reaped_ns = 5});
	add(&departures, (struct spec){"cc1", "/b", 7, 1, 2, .run_ns = 100});
	add(&departures, (struct spec){"cc1", NULL, 7, 1, 2, .run_ns = 200});
	add(&departures, (struct spec){"as", "/a", 7, 1, 2, .run_ns = 300});
	add(&departures, (struct spec){"as", "/a", 8, 1, 2, .run_ns = 400});

	assert_int_equal(departures.count, 5);
	assert_string_equal(departures.list[0].like.name, "cc1");
	assert_string_equal(departures.list[0].like.cgroup, "/a");
	assert_int_equal(departures.list[0].count, 2);
	assert_int_equal(departures.list[0].like.total[QUANTITY_RUN_NS], 35);
	assert_true(departures.list[0].like.is_exited);
	departures_fini(&departures);
}

static void departures_leave_out_who_consumed_nothing(void **state)
{
	struct departures departures = {0};

	(void)state;
	add(&departures, (struct spec){.name = "idle"});

	assert_int_equal(departures.count, 0);
	departures_fini(&departures);
}

static void departures_are_bounded_and_whole(void **state)
{
	struct departures departures = {0};
	char name[16];

	(void)state;
	for (int i = 0; i < 5 * DEPARTED_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i % 700);
		add(&departures, (struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_true(departures.count <= DEPARTED_MAX);
	assert_int_equal(sum_of(&departures), 5 * DEPARTED_MAX);

	/* a known one is found again, one that is new is one of the others */
	add(&departures, (struct spec){"n0", NULL, 7, 0, 0, .run_ns = 1000});
	assert_int_equal(departures.list[0].like.total[QUANTITY_RUN_NS], 1001);
	for (int i = 0; i < DEPARTED_MAX; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		add(&departures, (struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_int_equal(departures.count, DEPARTED_MAX);
	assert_string_equal(departures.list[DEPARTED_MAX - 1].like.name, "");
	assert_int_equal(sum_of(&departures), 6 * DEPARTED_MAX + 1000);
	departures_fini(&departures);
}

static void departures_widen_keeps_sums(void **state)
{
	struct departures departures = {0};

	(void)state;
	add(&departures, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 10});
	departures_widen(&departures, WIDTH, WIDTH + 3);

	assert_int_equal(departures.list[0].like.total[QUANTITY_RUN_NS], 10);
	assert_int_equal(departures.list[0].like.total[WIDTH + 2], 0);
	departures_fini(&departures);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(departures_add_those_who_were_alike),
		cmocka_unit_test(departures_leave_out_who_consumed_nothing),
		cmocka_unit_test(departures_are_bounded_and_whole),
		cmocka_unit_test(departures_widen_keeps_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
