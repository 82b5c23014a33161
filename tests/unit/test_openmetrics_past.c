/* OpenMetrics of how long slices and waits are. */

#include "openmetrics_kit.h"
#include "unit.h"

static struct scene *scene;

static int set_up(void **state)
{
	scene = exposed_open();

	scene->world.session.queue = QUEUE_WAKEUPS;
	scene_tell(scene, 4 * HISTORY_BLOCK);
	return 0;
}

static int tear_down(void **state)
{
	exposed_close(scene);
	return 0;
}

/* What was told since the last time is the interval. */
static void close_interval(void)
{
	struct batch_input input = exposed_input(scene, "histogram");
	struct view_request request = scene->request;

	request.history_to = history_settled(request.history);
	input.request = &request;
	exposed_write(scene, &input);
	scene->request.history_from = request.history_to;
}

UNIT_TEST(openmetrics_without_wakeups_has_no_queue_waits)
{
	scene->world.session.queue = QUEUE_RUN_DELAY;
	close_interval();
	assert_int_equal(read_count(&exposed.reading, "perftop_queue_wait"), 0);
	assert_true(read_count(&exposed.reading, "perftop_slice_seconds_bucket") > 0);
}

UNIT_TEST(openmetrics_of_lengths_is_a_histogram)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");
	static const uint64_t slices[] = {1, 127, 128, 1000, UINT64_C(1) << 40};

	for (size_t i = 0; i < 5; i++) {
		switched(&scene->told, .prev = a, .next = ACTOR_IDLE, .how = SWITCH_BLOCKED,
			 .slice_ns = slices[i], .off_ns = SWITCH_NS_UNKNOWN,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
		close_interval();
	}

	assert_value("perftop_slice_seconds_bucket{le=\"1.27e-07\"}", 2);
	assert_value("perftop_slice_seconds_bucket{le=\"2.55e-07\"}", 3);
	assert_value("perftop_slice_seconds_bucket{le=\"1.023e-06\"}", 4);
	assert_value("perftop_slice_seconds_bucket{le=\"1.073741823\"}", 4);
	assert_value("perftop_slice_seconds_bucket{le=\"+Inf\"}", 5);
	assert_value("perftop_slice_seconds_count", 5);
	assert_value("perftop_slice_seconds_sum", 1256e-9 + 0x1p40 / 1e9);
	assert_value("perftop_preempted_wait_seconds_count", 0);
	assert_int_equal(read_count(&exposed.reading, "perftop_slice_seconds_bucket"),
			 DISTRIBUTION_OCTAVES);
}

UNIT_TEST(openmetrics_of_whole_blocks_has_their_sum)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");

	for (int i = 0; i < 2 * HISTORY_BLOCK + 10; i++)
		switched(&scene->told, .prev = a, .next = ACTOR_IDLE, .how = SWITCH_BLOCKED,
			 .slice_ns = 1000, .off_ns = SWITCH_NS_UNKNOWN,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	close_interval();

	assert_value("perftop_slice_seconds_sum", (2 * HISTORY_BLOCK + 10) * 1e-6);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
