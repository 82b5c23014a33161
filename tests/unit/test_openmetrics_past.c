/* OpenMetrics of switches, pairs and lengths. */

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
static void close_interval(const char *view)
{
	struct view_settings settings = scene->settings;
	struct batch_input input = exposed_input(scene, view);

	settings.history_to = history_settled(settings.history);
	input.settings = &settings;
	input.view = pairs_in_form(input.view, scene->form);
	input.left_out = 3;
	exposed_write(scene, &input);
	scene->settings.history_from = settings.history_to;
}

static void preempt(uint64_t victim, uint64_t taker, uint64_t off_ns)
{
	switched(&scene->told, .left = taker, .came = victim, .queued_by = taker,
		 .how = SWITCH_BLOCKED, .slice_ns = 1000, .off_ns = off_ns, .wait_ns = off_ns,
		 .came_preempted = true, .from_cpu = -1);
}

UNIT_TEST(openmetrics_of_switches_sums_ends_and_waits_up)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");
	const uint64_t b = told_actor(&scene->told, 8, 8, "b");

	for (int i = 0; i < 2; i++) {
		preempt(a, b, 5000);
		switched(&scene->told, .left = a, .came = ACTOR_IDLE, .how = SWITCH_EXITED,
			 .slice_ns = 2000, .off_ns = 7, .wait_ns = 7, .from_cpu = -1);
		switched(&scene->told, .left = ACTOR_IDLE, .came = b, .how = SWITCH_IDLE,
			 .slice_ns = SWITCH_NS_UNKNOWN, .off_ns = 9000,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
		close_interval("switches");
	}

	assert_value("perftop_slices_total{how=\"blocked\"}", 2);
	assert_value("perftop_slices_seconds_total{how=\"blocked\"}", 2e-6);
	assert_value("perftop_slices_total{how=\"exited\"}", 2);
	assert_value("perftop_slices_total{how=\"idle\"}", 2);
	assert_value("perftop_slices_seconds_total{how=\"idle\"}", 0);
	assert_value("perftop_slices_total{how=\"yielded\"}", 0);
	assert_value("perftop_absences_total{after=\"preemption\"}", 2);
	assert_value("perftop_absences_seconds_total{after=\"preemption\"}", 1e-5);
	assert_value("perftop_absences_seconds_total{after=\"sleep\"}", 1.8e-5);
	assert_value("perftop_queue_waits_total{after=\"sleep\"}", 0);
	assert_value("perftop_queue_waits_seconds_total{after=\"preemption\"}", 1e-5);
	assert_value("perftop_switches_left_out_total", 6);
}

UNIT_TEST(openmetrics_of_switches_without_wakeups_has_no_queue_waits)
{
	scene->world.session.queue = QUEUE_RUN_DELAY;
	close_interval("switches");
	assert_int_equal(read_count(&exposed.reading, "perftop_queue_waits"), 0);
	close_interval("histogram");
	assert_int_equal(read_count(&exposed.reading, "perftop_queue_wait"), 0);
	assert_true(read_count(&exposed.reading, "perftop_slice_seconds_bucket") > 0);
}

UNIT_TEST(openmetrics_of_lengths_is_a_histogram)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");
	static const uint64_t slices[] = {1, 127, 128, 1000, UINT64_C(1) << 40};

	for (size_t i = 0; i < 5; i++) {
		switched(&scene->told, .left = a, .came = ACTOR_IDLE, .how = SWITCH_BLOCKED,
			 .slice_ns = slices[i], .off_ns = SWITCH_NS_UNKNOWN,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
		close_interval("histogram");
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
		switched(&scene->told, .left = a, .came = ACTOR_IDLE, .how = SWITCH_BLOCKED,
			 .slice_ns = 1000, .off_ns = SWITCH_NS_UNKNOWN,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	close_interval("histogram");

	assert_value("perftop_slice_seconds_sum", (2 * HISTORY_BLOCK + 10) * 1e-6);
}

UNIT_TEST(openmetrics_of_pairs_tells_names_apart)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");
	const uint64_t other_a = told_actor(&scene->told, 9, 9, "a");
	const uint64_t b = told_actor(&scene->told, 8, 8, "b");
	const uint64_t c = told_actor(&scene->told, 10, 10, "c");

	exposed.top = 1;
	preempt(a, b, 5000);
	preempt(other_a, b, 3000);
	preempt(c, b, 100);
	close_interval("pairs");
	preempt(a, b, 1000);
	close_interval("pairs");

	assert_value("perftop_pair_preemptions_total{victim=\"a\",taker=\"b\",rest=\"false\"}", 3);
	assert_value(
		"perftop_pair_preempted_seconds_total{victim=\"a\",taker=\"b\",rest=\"false\"}",
		9e-6);
	assert_value("perftop_pair_preemptions_total{victim=\"rest\",taker=\"rest\",rest=\"true\"}",
		     1);
	assert_int_equal(read_count(&exposed.reading, "perftop_pair_preemptions_total"), 2);
}

UNIT_TEST(openmetrics_of_wakers_has_families_of_its_own)
{
	const uint64_t a = told_actor(&scene->told, 7, 7, "a");
	const uint64_t b = told_actor(&scene->told, 8, 8, "b");

	scene->form = PAIRS_WAKERS;
	preempt(a, b, 5000);
	switched(&scene->told, .left = b, .came = a, .queued_by = b, .how = SWITCH_BLOCKED,
		 .off_ns = 9000, .wait_ns = 2000, .from_cpu = -1);
	close_interval("pairs");

	assert_value("perftop_pair_wakeups_total{wakee=\"a\",waker=\"b\",rest=\"false\"}", 1);
	assert_value("perftop_pair_wakeup_seconds_total{wakee=\"a\",waker=\"b\",rest=\"false\"}",
		     2e-6);
	assert_value("perftop_pair_wakeups_total{wakee=\"rest\",waker=\"rest\",rest=\"true\"}", 0);
	assert_int_equal(read_count(&exposed.reading, "perftop_pair_preemptions_total"), 0);
}

/* What is shown of both is the same text. */
UNIT_TEST(openmetrics_of_names_that_look_alike_is_one_series)
{
	const uint64_t raw = told_actor(&scene->told, 7, 7, "a\nb");
	const uint64_t spelt = told_actor(&scene->told, 8, 8, "a\\x0Ab");
	const uint64_t rest = told_actor(&scene->told, 9, 9, "rest");

	preempt(raw, rest, 5000);
	preempt(spelt, rest, 3000);
	preempt(rest, rest, 100);
	close_interval("pairs");

	assert_value("perftop_pair_preemptions_total{victim=\"a\\\\x0Ab\",taker=\"rest\",rest="
		     "\"false\"}",
		     2);
	assert_int_equal(read_count(&exposed.reading, "perftop_pair_preemptions_total"), 3);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
