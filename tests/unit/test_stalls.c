/* Readings of what was stolen and what held cgroups back, as differences in snapshots. */
#include <stdlib.h>

#include "switch_kit.h"
#include "unit.h"

static void feed_stalls(struct model *model, const char *cgroup, uint64_t time_ns,
			uint64_t throttled_us, uint32_t known)
{
	const uint64_t numbers[STALL_NUMBERS] = {
		[STALL_THROTTLED] = throttled_us, [STALL_IO_FULL] = 2 * throttled_us};

	model_feed(model, &(const struct record){
				  .kind = RECORD_STALLS,
				  .cpu = RECORD_CPU_NONE,
				  .time_ns = time_ns,
				  .stalls = {cgroup, known, numbers},
			  });
}

static void feed_steal(struct model *model, int32_t cpu, uint64_t steal_ns)
{
	model_feed(model, &(const struct record){.kind = RECORD_CPU_TIMES,
						 .cpu = cpu,
						 .cpu_times = {.stolen_ns = steal_ns}});
}

static const struct snapshot_cgroup *find(const struct snapshot *snapshot, const char *path)
{
	return snapshot_find_cgroup(snapshot, path, strlen(path));
}

/* The second reading says something, of groups in any order. */
UNIT_TEST(cgroup_has_the_difference_of_two_readings)
{
	struct model *model = kit_model(1);
	const struct snapshot *snapshot;

	model_start(model, 1000);
	feed_stalls(model, "/b", 1500, 10, STALL_ALL);
	feed_stalls(model, "/a", 1600, 10, STALL_ALL);
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(snapshot->cgroup_count, 0);
	feed_stalls(model, "/b", 2500, 17, STALL_ALL);
	feed_stalls(model, "/a", 2500, 10, STALL_ALL & ~(1 << STALL_IO_FULL));
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(snapshot->cgroup_count, 2);
	assert_int_equal(find(snapshot, "/b")->span_ns, 1000);
	assert_int_equal(find(snapshot, "/b")->interval[STALL_THROTTLED], 7);
	assert_int_equal(find(snapshot, "/b")->interval[STALL_IO_FULL], 14);
	assert_int_equal(find(snapshot, "/a")->span_ns, 900);
	assert_int_equal(find(snapshot, "/a")->interval[STALL_THROTTLED], 0);
	assert_int_equal(find(snapshot, "/a")->known, STALL_ALL & ~(1 << STALL_IO_FULL));
	assert_null(find(snapshot, "/"));
	assert_null(find(snapshot, "/bb"));
	assert_ptr_equal(snapshot_find_cgroup(snapshot, "/bb", 2), find(snapshot, "/b"));
	model_destroy(model);
}

/* As where a group of the same name was made anew. */
UNIT_TEST(cgroup_that_counts_backwards_or_was_not_read_is_not_known)
{
	struct model *model = kit_model(1);
	const struct snapshot *snapshot;

	model_start(model, 1000);
	feed_stalls(model, "/a", 1500, 10, STALL_ALL);
	model_close_interval(model, 2000);
	feed_stalls(model, "/a", 2500, 5, STALL_ALL);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find(snapshot, "/a")->known & 1 << STALL_THROTTLED, 0);
	assert_int_not_equal(find(snapshot, "/a")->known & 1 << STALL_CPU_SOME, 0);
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(snapshot->cgroup_count, 0);
	feed_stalls(model, "/a", 4500, 50, STALL_ALL);
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(snapshot->cgroup_count, 0);
	model_destroy(model);
}

static uint64_t steal_of(const struct snapshot *snapshot, size_t index)
{
	assert_true(index < snapshot->cpu_time_count);
	return snapshot->cpu_times[index].stolen_ns;
}

UNIT_TEST(steal_is_known_where_two_intervals_were_read)
{
	struct model *model = kit_model(1);
	const struct snapshot *snapshot;

	feed(model, sample(.tid = 7, .seq = 1, .ns = 100));
	feed_steal(model, 0, 500);
	model_start(model, 1000);
	feed_steal(model, 0, 700);
	snapshot = model_close_interval(model, 2000);
	assert_int_equal(steal_of(snapshot, 0), 200);
	snapshot = model_close_interval(model, 3000);
	assert_true(steal_of(snapshot, 0) == UINT64_MAX);
	feed_steal(model, 0, 900);
	snapshot = model_close_interval(model, 4000);
	assert_true(steal_of(snapshot, 0) == UINT64_MAX);
	feed_steal(model, 0, 900);
	snapshot = model_close_interval(model, 5000);
	assert_int_equal(steal_of(snapshot, 0), 0);
	feed_steal(model, 0, 800);
	snapshot = model_close_interval(model, 6000);
	assert_true(steal_of(snapshot, 0) == UINT64_MAX);
	model_destroy(model);
}

UNIT_TEST(stalls_that_make_no_sense_are_lost)
{
	struct model *model = kit_model(1);

	model_start(model, 1000);
	feed_steal(model, RECORD_CPU_NONE, 500);
	feed_stalls(model, NULL, 1500, 10, STALL_ALL);
	assert_int_equal(model_close_interval(model, 2000)->lost_records, 2);
	model_destroy(model);
}

static void pass_on(void *twin, const struct record *record)
{
	model_feed(twin, record);
}

/* A recording that begins now knows as much of its first interval. */
UNIT_TEST(stalls_are_known_to_a_model_that_goes_on)
{
	struct model *model = kit_model(1), *twin = kit_model(1);
	const struct snapshot *snapshot;

	feed(model, sample(.tid = 7, .seq = 1, .ns = 100));
	model_start(model, 1000);
	feed_stalls(model, "/a", 1500, 10, STALL_ALL);
	feed_steal(model, 0, 500);
	model_close_interval(model, 2000);
	model_resync(model, pass_on, twin);
	model_start(twin, 2000);
	feed_stalls(twin, "/a", 2500, 12, STALL_ALL);
	feed_steal(twin, 0, 501);
	snapshot = model_close_interval(twin, 3000);
	assert_int_equal(find(snapshot, "/a")->interval[STALL_THROTTLED], 2);
	assert_int_equal(steal_of(snapshot, 0), 1);
	model_destroy(model);
	model_destroy(twin);
}

UNIT_TEST(copy_of_a_snapshot_keeps_cpu_times)
{
	struct model *model = kit_model(1);
	struct snapshot *copy;

	feed_steal(model, 0, 500);
	model_start(model, 1000);
	feed_steal(model, 0, 700);
	copy = snapshot_copy(model_close_interval(model, 2000));
	feed_steal(model, 0, 1000);
	model_close_interval(model, 3000);
	assert_int_equal(steal_of(copy, 0), 200);
	snapshot_destroy(copy);
	model_destroy(model);
}

UNIT_TEST(copy_of_a_snapshot_keeps_cgroups)
{
	struct model *model = kit_model(1);
	struct snapshot *copy;

	model_start(model, 1000);
	feed_stalls(model, "/a", 1500, 10, STALL_ALL);
	model_close_interval(model, 2000);
	feed_stalls(model, "/a", 2500, 11, STALL_ALL);
	copy = snapshot_copy(model_close_interval(model, 3000));
	model_destroy(model);
	assert_int_equal(copy->cgroup_count, 1);
	assert_int_equal(find(copy, "/a")->interval[STALL_THROTTLED], 1);
	snapshot_destroy(copy);
}

/* 7 is preempted for 200 ns, and its cgroup held back for 1 us of that, or for none. */
static uint32_t unknown_of_preempted(const char *limited, uint64_t before_us, uint64_t after_us)
{
	struct model *model = kit_running(1);
	const struct snapshot *snapshot;
	uint32_t unknown;

	feed(model, facts(.tid = 7, .name = "a", .cgroup = "/a/b", .time = 1000));
	feed_stalls(model, limited, 1100, before_us, STALL_ALL);
	leave_for_8(model, 11, 1500, true);
	return_from_8(model, 12, 1700);
	feed_stalls(model, limited, 1900, after_us, STALL_ALL);
	snapshot = model_close_interval(model, 2000);
	unknown = find_task(snapshot, 7)->unknown;
	assert_int_equal(unknown, snapshot->cpus[0].unknown);
	assert_int_equal(task_count(snapshot, 7, QUANTITY_PREEMPTED_NS), 200);
	assert_int_equal(find_task(snapshot, 8)->unknown, 0);
	assert_int_equal(snapshot->cpus[1].unknown, 0);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find_task(snapshot, 7)->unknown, 0);
	model_destroy(model);
	return unknown;
}

/* The kernel does not say of a task which of the two it was. */
UNIT_TEST(preemption_under_a_limit_is_not_known)
{
	assert_int_equal(unknown_of_preempted("/a/b", 5, 6), 1 << QUANTITY_PREEMPTED_NS);
	assert_int_equal(unknown_of_preempted("/a", 5, 6), 1 << QUANTITY_PREEMPTED_NS);
	assert_int_equal(unknown_of_preempted("/", 5, 6), 1 << QUANTITY_PREEMPTED_NS);
	assert_int_equal(unknown_of_preempted("/a/b", 5, 5), 0);
	assert_int_equal(unknown_of_preempted("/a/c", 5, 6), 0);
}

UNIT_TEST(cgroup_was_limited_when_it_was_last_throttled)
{
	struct model *model = kit_model(1);
	const struct snapshot *snapshot;

	model_start(model, 1000);
	feed_stalls(model, "/a", 1500, 10, STALL_ALL); /* at some time before */
	feed_stalls(model, "/b", 1500, 0, STALL_ALL);
	model_close_interval(model, 2000);
	feed_stalls(model, "/a", 2500, 10, STALL_ALL);
	feed_stalls(model, "/b", 2500, 0, STALL_ALL);
	snapshot = model_close_interval(model, 3000);
	assert_int_equal(find(snapshot, "/a")->limited_ns, 1500);
	assert_int_equal(find(snapshot, "/b")->limited_ns, 0);
	feed_stalls(model, "/b", 3500, 1, STALL_ALL);
	snapshot = model_close_interval(model, 4000);
	assert_int_equal(find(snapshot, "/b")->limited_ns, 3500);
	model_destroy(model);
}

/* Of a hostile recording. */
UNIT_TEST(cgroups_are_not_believed_without_end)
{
	struct model *model = kit_model(1);
	const struct snapshot *snapshot = NULL;
	char path[32];

	model_start(model, 1000);
	for (int interval = 0; interval < 2; interval++) {
		for (int i = 0; i < 9000; i++) {
			snprintf(path, sizeof(path), "/%d", i);
			feed_stalls(model, path, 1000 + (uint64_t)interval, 1, STALL_ALL);
		}
		snapshot = model_close_interval(model, 2000 + (uint64_t)interval);
	}
	assert_int_equal(snapshot->cgroup_count, 8192);
	model_destroy(model);
}

UNIT_MAIN(NULL, NULL)
