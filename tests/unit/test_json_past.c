/* JSON of pairs and of the histogram: each line read back with a JSON parser and compared. */

#include <jansson.h>

#include "batch_kit.h"
#include "unit.h"

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();

	scene->world.session.wall_offset_ns = 1000000000;
	scene->world.session.queue = QUEUE_WAKEUPS;
	scene->world.snapshot.time_ns = 500000000;
	scene->world.snapshot.interval_ns = 250000000;
	scene_tell(scene, HISTORY_BLOCK);
	scene->sh = told_actor(&scene->told, 7, 8, "sh");
	scene->nginx = told_actor(&scene->told, 20, 21, "ng\x1b\"inx");
	return 0;
}

static int tear_down(void **state)
{
	scene_close(scene);
	return 0;
}

/* One was pushed out of CPU 1 and comes back so much later. */
static void pushed_out(uint64_t victim, uint64_t taker, uint64_t lost_ns)
{
	switched(&scene->told, .cpu = 1, .prev = taker, .next = victim, .slice_ns = 1000,
		 .off_ns = lost_ns, .wait_ns = lost_ns, .next_was_preempted = true,
		 .queued_by = taker, .from_cpu = -1);
}

static void assert_json(const char *view, const char *expected)
{
	struct batch_input input = scene_input(scene, view);
	json_t *got, *wanted;
	json_error_t error;

	scene->request.state.info = view_in_form(scene->request.state.info, scene->form);
	scene_write(scene, "json", &input);
	assert_int_equal(strcspn(strbuf_text(&scene->out), "\n"), scene->out.length - 1);
	got = json_loads(strbuf_text(&scene->out), JSON_REJECT_DUPLICATES, &error);
	if (!got)
		fail_msg("%s: %s", error.text, strbuf_text(&scene->out));
	wanted = json_loads(expected, 0, &error);
	if (!wanted)
		fail_msg("%s: %s", error.text, expected);
	if (!json_equal(got, wanted))
		fail_msg("%s", strbuf_text(&scene->out));
	json_decref(got);
	json_decref(wanted);
}

UNIT_TEST(json_of_pairs_stands_in_the_order_of_the_table)
{
	pushed_out(scene->sh, scene->nginx, 2000);
	pushed_out(scene->nginx, scene->sh, 9000);
	pushed_out(scene->sh, scene->nginx, 5000);

	assert_json("pairs", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":["
			     "{\"victim\":{\"pid\":20,\"tid\":21,\"command\":\"ng\\\\x1B\\\"inx\"},"
			     "\"taker\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
			     "\"cpu\":null,\"kind\":\"preempted\",\"times\":1,\"lost_ns\":9000,"
			     "\"worst_ns\":9000},"
			     "{\"victim\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
			     "\"taker\":{\"pid\":20,\"tid\":21,\"command\":\"ng\\\\x1B\\\"inx\"},"
			     "\"cpu\":null,\"kind\":\"preempted\",\"times\":2,\"lost_ns\":7000,"
			     "\"worst_ns\":5000}]}");
}

UNIT_TEST(json_of_pairs_by_cpu_has_the_cpu)
{
	scene->request.by = BY_CPU;
	pushed_out(scene->sh, ACTOR_UNKNOWN, 2000);

	assert_json("pairs", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":["
			     "{\"victim\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
			     "\"taker\":{\"pid\":null,\"tid\":null,\"command\":null},"
			     "\"cpu\":1,\"kind\":\"preempted\",\"times\":1,\"lost_ns\":2000,"
			     "\"worst_ns\":2000}]}");
}

/* Whichever task an interrupt took the CPU from did not wake any. */
UNIT_TEST(json_of_wakers_has_interrupts)
{
	scene->form = PAIRS_WAKERS;
	switched(&scene->told, .prev = scene->nginx, .next = scene->sh, .queued_by = ACTOR_IDLE,
		 .off_ns = 9000, .wait_ns = 2000, .from_cpu = -1);

	assert_json("pairs", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":["
			     "{\"wakee\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
			     "\"waker\":{\"pid\":null,\"tid\":null,\"command\":\"interrupt\"},"
			     "\"cpu\":null,\"times\":1,\"lost_ns\":2000,\"worst_ns\":2000}]}");
}

UNIT_TEST(json_of_locks_has_what_is_behind_them)
{
	const uint64_t third = told_actor(&scene->told, 7, 9, "third");

	scene->form = PAIRS_LOCKS;
	switched(&scene->told, .prev = scene->nginx, .next = scene->sh, .queued_by = third,
		 .off_ns = 4000, .wait_ns = 0, .from_cpu = -1, .lock = 0x2000, .time_ns = 10000);
	switched(&scene->told, .prev = scene->nginx, .next = third, .queued_by = scene->sh,
		 .off_ns = 6000, .wait_ns = 1000, .from_cpu = -1, .lock = 0x1000, .time_ns = 12000);

	assert_json(
		"pairs",
		"{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":["
		"{\"lock\":{\"pid\":7,\"address\":\"0x1000\",\"name\":null},"
		"\"waiter\":{\"pid\":7,\"tid\":9,\"command\":\"third\"},"
		"\"holder\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
		"\"holder_waited_for\":[{\"lock\":{\"pid\":7,\"address\":\"0x2000\",\"name\":null},"
		"\"holder\":{\"pid\":7,\"tid\":9,\"command\":\"third\"}}],"
		"\"cpu\":null,\"times\":1,\"lost_ns\":5000,\"worst_ns\":5000,"
		"\"now_ns\":0,\"deadlock\":false},"
		"{\"lock\":{\"pid\":7,\"address\":\"0x2000\",\"name\":null},"
		"\"waiter\":{\"pid\":7,\"tid\":8,\"command\":\"sh\"},"
		"\"holder\":{\"pid\":7,\"tid\":9,\"command\":\"third\"},"
		"\"holder_waited_for\":[],\"cpu\":null,\"times\":1,\"lost_ns\":4000,"
		"\"worst_ns\":4000,\"now_ns\":0,\"deadlock\":false}]}");
}

UNIT_TEST(json_of_pairs_by_name_has_no_numbers)
{
	scene->request.by = BY_NAME;
	pushed_out(scene->sh, told_actor(&scene->told, 30, 30, "make"), 2000);
	pushed_out(scene->sh, told_actor(&scene->told, 31, 31, "make"), 3000);

	assert_json("pairs", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":["
			     "{\"victim\":{\"pid\":null,\"tid\":null,\"command\":\"sh\"},"
			     "\"taker\":{\"pid\":null,\"tid\":null,\"command\":\"make\"},"
			     "\"cpu\":null,\"kind\":\"preempted\",\"times\":2,\"lost_ns\":5000,"
			     "\"worst_ns\":3000}]}");
}

UNIT_TEST(json_of_no_pairs_is_an_empty_array)
{
	assert_json("pairs", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"pairs\":[]}");
}

UNIT_TEST(json_without_a_wall_clock_has_the_time_of_the_recording)
{
	scene->world.snapshot.time_ns = UINT64_C(12500000000);
	scene->world.session.wall_offset_ns = INT64_C(-20000000000);
	assert_json("pairs", "{\"time\":null,\"record_time\":12.5,\"interval_s\":0.25,\"verdict\":"
			     "null,\"pairs\":[]}");
}

UNIT_TEST(json_of_the_histogram_is_of_lengths)
{
	pushed_out(scene->sh, scene->nginx, 600);
	switched(&scene->told, .prev = scene->sh, .next = scene->nginx, .slice_ns = 300,
		 .off_ns = 10000, .wait_ns = 400, .from_cpu = -1);

	assert_json("histogram",
		    "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"lengths\":["
		    "{\"from_ns\":256,\"below_ns\":512,\"slices\":1,\"preempted_waits\":0,"
		    "\"queue_waits\":1},"
		    "{\"from_ns\":512,\"below_ns\":1024,\"slices\":1,\"preempted_waits\":1,"
		    "\"queue_waits\":1}]}");
}

UNIT_TEST(json_of_the_histogram_does_not_tell_waits_of_which_some_are_unknown)
{
	scene->world.session.queue = QUEUE_RUN_DELAY;
	pushed_out(scene->sh, scene->nginx, 600);

	assert_json("histogram",
		    "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"lengths\":["
		    "{\"from_ns\":512,\"below_ns\":1024,\"slices\":1,\"preempted_waits\":1,"
		    "\"queue_waits\":null}]}");
}

/* Octave 31 begins at 2^37 ns and has no end. */
UNIT_TEST(json_of_the_longest_length_has_no_end)
{
	switched(&scene->told, .prev = scene->sh, .next = ACTOR_IDLE, .off_ns = SWITCH_NS_UNKNOWN,
		 .slice_ns = UINT64_C(1) << 60, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);

	assert_json("histogram", "{\"time\":1.5,\"interval_s\":0.25,\"verdict\":null,\"lengths\":["
				 "{\"from_ns\":137438953472,\"below_ns\":null,\"slices\":1,"
				 "\"preempted_waits\":0,\"queue_waits\":0}]}");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
