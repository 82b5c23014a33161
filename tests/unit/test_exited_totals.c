/* Sums of those who are not there any more. */

#include "model/exited_totals.h"

#include "unit.h"

enum {
	WIDTH = QUANTITY_BUILTIN + 1
};

struct spec {
	const char *name, *cgroup;
	int64_t uid;
	int32_t parent_pid, session;
	uint64_t run_ns, reaped_ns;
};

static struct exited_totals totals;

static int tear_down(void **state)
{
	exited_totals_fini(&totals);
	return 0;
}

static void add(struct spec spec)
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
	exited_totals_add(&totals, &task, WIDTH);
}

static uint64_t sum(void)
{
	uint64_t all = 0;

	for (size_t i = 0; i < totals.count; i++)
		all += totals.list[i].like.total[QUANTITY_RUN_NS];
	return all;
}

UNIT_TEST(exited_totals_add_those_who_were_alike)
{
	add((struct spec){.name = "idle"}); /* it consumed nothing */
	assert_int_equal(totals.count, 0);
	add((struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 10});
	add((struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 20, .reaped_ns = 5});
	add((struct spec){"cc1", "/b", 7, 1, 2, .run_ns = 100});
	add((struct spec){"cc1", NULL, 7, 1, 2, .run_ns = 200});
	add((struct spec){"as", "/a", 7, 1, 2, .run_ns = 300});
	add((struct spec){"as", "/a", 8, 1, 2, .run_ns = 400});

	assert_int_equal(totals.count, 5);
	assert_string_equal(totals.list[0].like.name, "cc1");
	assert_string_equal(totals.list[0].like.cgroup, "/a");
	assert_int_equal(totals.list[0].like.total[QUANTITY_RUN_NS], 35);
	assert_true(totals.list[0].like.is_exited);

	exited_totals_widen(&totals, WIDTH, WIDTH + 3);
	assert_int_equal(totals.list[0].like.total[QUANTITY_RUN_NS], 35);
	assert_int_equal(totals.list[0].like.total[WIDTH + 2], 0);
}

UNIT_TEST(exited_totals_are_bounded_and_whole)
{
	char name[16];

	for (int i = 0; i < 5 * EXITED_TOTALS_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i % 700);
		add((struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_true(totals.count <= EXITED_TOTALS_MAX);
	assert_int_equal(sum(), 5 * EXITED_TOTALS_MAX);

	/* a known one is found again, one that is new is one of the others */
	add((struct spec){"n0", NULL, 7, 0, 0, .run_ns = 1000});
	assert_int_equal(totals.list[0].like.total[QUANTITY_RUN_NS], 1001);
	for (int i = 0; i < EXITED_TOTALS_MAX; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		add((struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_int_equal(totals.count, EXITED_TOTALS_MAX);
	assert_string_equal(totals.list[EXITED_TOTALS_MAX - 1].like.name, "");
	assert_int_equal(sum(), 6 * EXITED_TOTALS_MAX + 1000);
}

UNIT_MAIN(NULL, tear_down)
