/* A trace: what is written of a switch, of an interval and at the end. */

#include "batch/exposition.h"
#include "batch/trace.h"
#include "model/profile.h"
#include "view/names.h"

#include "batch_kit.h"
#include "unit.h"

static struct scene *scene;
static struct totals *totals;

static int set_up(void **state)
{
	scene = scene_open();
	scene_tell_two(scene, 2 * HISTORY_BLOCK);
	totals = totals_create();
	return 0;
}

static int tear_down(void **state)
{
	totals_destroy(totals);
	scene_close(scene);
	return 0;
}

static const char *trace(bool ends_interval)
{
	struct batch_input input = scene_input(scene, "switches");

	input.totals = totals;
	input.ends_interval = ends_interval;
	return scene_write(scene, "trace", &input);
}

static const char *trace_the_end(bool has_snapshot)
{
	struct batch_input input = scene_input(scene, "switches");

	input.totals = totals;
	input.snapshot = has_snapshot ? input.snapshot : NULL;
	strbuf_clear(&scene->out);
	trace_end(&scene->out, &input);
	return strbuf_text(&scene->out);
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("%s is not in\n%s", part, text);
}

/* clang-format off */
#define CPU_TRACK  "\"pid\":1073741824,\"tid\":1073741826,"
#define TASK_TRACK "\"pid\":20,\"tid\":21,"
#define RUN        "\"cat\":\"run\",\"ts\":1.500,\"dur\":8.250,\"args\":{\"cpu\":1,\"pid\":20,\"tid\":21,\"run_ns\":8250,\"how\":\"preempted\",\"state\":\"R\",\"ipc\":2.0,"

UNIT_TEST(trace_of_a_switch_has_a_slice_on_both_tracks)
{
	const char *text;

	switched(&scene->told, .time_ns = 9750, .cpu = 1, .prev = scene->nginx, .next = scene->sh,
		 .how = SWITCH_PREEMPTED, .state = TASK_STATE_RUNNABLE, .slice_ns = 8250, .off_ns = 5000, .wait_ns = 2000,
		 .queued_by = scene->nginx, .from_cpu = 3, .has_counts = true,
		 .counts = told_counts(&scene->told, 8250, (struct counts_spec){.cycles = 10, .instructions = 20}));
	text = trace(false);
	assert_true(text[0] == '[');
	assert_has(text, "\n{\"name\":\"thread_name\",\"ph\":\"M\"," CPU_TRACK "\"args\":{\"name\":\"CPU 1\"}}");
	assert_has(text, "\n{\"name\":\"thread_name\",\"ph\":\"M\"," TASK_TRACK "\"args\":{\"name\":\"nginx\"}}");
	assert_has(text, "\n{\"name\":\"nginx\",\"ph\":\"X\"," CPU_TRACK RUN);
	assert_has(text, "\n{\"name\":\"nginx\",\"ph\":\"X\"," TASK_TRACK RUN);
	assert_has(text, "\"counts\":{\"cycles\":10,\"instructions\":20,");
	assert_has(text, "{\"name\":\"off the CPU\",\"ph\":\"X\",\"pid\":7,\"tid\":7,\"cat\":\"off\",\"ts\":4.750,\"dur\":3.000,\"args\":{\"off_ns\":3000}}");
	assert_has(text, "{\"name\":\"woken, waits for a CPU\",\"ph\":\"X\",\"pid\":7,\"tid\":7,\"cat\":\"wait\",\"ts\":7.750,\"dur\":2.000,\"args\":{\"wait_ns\":2000,\"woken_by\":\"nginx\",\"by_tid\":21}}");
	assert_has(text, "{\"name\":\"wake-up\",\"ph\":\"s\"," TASK_TRACK "\"cat\":\"wake-up\",\"ts\":7.750,\"id\":0}");
	assert_has(text, "{\"name\":\"wake-up\",\"ph\":\"f\",\"pid\":7,\"tid\":7,\"cat\":\"wake-up\",\"ts\":9.750,\"id\":0,\"bp\":\"e\"}");
}
/* clang-format on */

/* What a CPU has counted and no slice has is what it runs still. */
UNIT_TEST(trace_ends_with_what_runs_still)
{
	const char *text;

	switched(&scene->told, .time_ns = 9750, .cpu = 1, .prev = scene->nginx, .next = scene->sh,
		 .how = SWITCH_BLOCKED, .slice_ns = 8250, .off_ns = SWITCH_NS_UNKNOWN,
		 .wait_ns = SWITCH_NS_UNKNOWN, .has_counts = true);
	trace(false);
	trace(true);
	scene->request.history_from = 1;
	text = trace_the_end(true);
	assert_has(text, "\"ts\":9.750,\"dur\":999991.750,\"args\":{\"cpu\":1,\"pid\":7,\"tid\":7,"
			 "\"run_ns\":999991750,\"how\":\"running\",\"ipc\":0.5,");
	assert_has(text, "\n]\n");
}

UNIT_TEST(trace_of_nothing_is_an_array)
{
	assert_string_equal(trace_the_end(false), "[]\n");
}

UNIT_MAIN(set_up, tear_down)
