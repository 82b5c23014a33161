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

static void add(struct exited_totals *exited_totals, struct spec spec)
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
	exited_totals_add(exited_totals, &task, WIDTH);
}

static uint64_t sum_of(const struct exited_totals *exited_totals)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < exited_totals->count; i++)
		sum += exited_totals->list[i].like.total[QUANTITY_RUN_NS];
	return sum;
}

UNIT_TEST(exited_totals_add_those_who_were_alike)
{
	struct exited_totals exited_totals = {0};

	add(&exited_totals, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 10});
	add(&exited_totals, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 20, .reaped_ns = 5});
	add(&exited_totals, (struct spec){"cc1", "/b", 7, 1, 2, .run_ns = 100});
	add(&exited_totals, (struct spec){"cc1", NULL, 7, 1, 2, .run_ns = 200});
	add(&exited_totals, (struct spec){"as", "/a", 7, 1, 2, .run_ns = 300});
	add(&exited_totals, (struct spec){"as", "/a", 8, 1, 2, .run_ns = 400});

	assert_int_equal(exited_totals.count, 5);
	assert_string_equal(exited_totals.list[0].like.name, "cc1");
	assert_string_equal(exited_totals.list[0].like.cgroup, "/a");
	assert_int_equal(exited_totals.list[0].count, 2);
	assert_int_equal(exited_totals.list[0].like.total[QUANTITY_RUN_NS], 35);
	assert_true(exited_totals.list[0].like.is_exited);
	exited_totals_fini(&exited_totals);
}

UNIT_TEST(exited_totals_leave_out_who_consumed_nothing)
{
	struct exited_totals exited_totals = {0};

	add(&exited_totals, (struct spec){.name = "idle"});

	assert_int_equal(exited_totals.count, 0);
	exited_totals_fini(&exited_totals);
}

UNIT_TEST(exited_totals_are_bounded_and_whole)
{
	struct exited_totals exited_totals = {0};
	char name[16];

	for (int i = 0; i < 5 * EXITED_TOTALS_MAX; i++) {
		snprintf(name, sizeof(name), "n%d", i % 700);
		add(&exited_totals, (struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_true(exited_totals.count <= EXITED_TOTALS_MAX);
	assert_int_equal(sum_of(&exited_totals), 5 * EXITED_TOTALS_MAX);

	/* a known one is found again, one that is new is one of the others */
	add(&exited_totals, (struct spec){"n0", NULL, 7, 0, 0, .run_ns = 1000});
	assert_int_equal(exited_totals.list[0].like.total[QUANTITY_RUN_NS], 1001);
	for (int i = 0; i < EXITED_TOTALS_MAX; i++) {
		snprintf(name, sizeof(name), "m%d", i);
		add(&exited_totals, (struct spec){name, NULL, 7, i, i, .run_ns = 1});
	}
	assert_int_equal(exited_totals.count, EXITED_TOTALS_MAX);
	assert_string_equal(exited_totals.list[EXITED_TOTALS_MAX - 1].like.name, "");
	assert_int_equal(sum_of(&exited_totals), 6 * EXITED_TOTALS_MAX + 1000);
	exited_totals_fini(&exited_totals);
}

UNIT_TEST(exited_totals_widen_keeps_sums)
{
	struct exited_totals exited_totals = {0};

	add(&exited_totals, (struct spec){"cc1", "/a", 7, 1, 2, .run_ns = 10});
	exited_totals_widen(&exited_totals, WIDTH, WIDTH + 3);

	assert_int_equal(exited_totals.list[0].like.total[QUANTITY_RUN_NS], 10);
	assert_int_equal(exited_totals.list[0].like.total[WIDTH + 2], 0);
	exited_totals_fini(&exited_totals);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
