/* The text format, compared with what a person reads, and taken apart as awk does. */

#include "batch/batch.h"
#include "model/profile.h"
#include "view/names.h"

#include "batch_kit.h"
#include "unit.h"

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();

	scene->request.ascii = true;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(scene);
	return 0;
}

static const char *write_text(const char *view, bool is_first)
{
	struct batch_input input = scene_input(scene, view);

	input.is_first = is_first;

	strbuf_clear(&scene->out);
	text_write(&scene->out, &input);
	return strbuf_text(&scene->out);
}

/* What follows the lines about the interval. */
static const char *write_table(const char *view)
{
	const char *text = write_text(view, true);

	while (text[0] == '#')
		text = strchr(text, '\n') + 1;
	return text;
}

UNIT_TEST(text_of_interval_says_what_is_wrong)
{
	struct batch_input input = scene_input(scene, "tasks");

	assert_null(strstr(write_text("tasks", true), "verdict"));

	input.verdict = "syncer waits 60 % of the time for the disk";
	strbuf_clear(&scene->out);
	text_write(&scene->out, &input);
	assert_non_null(strstr(strbuf_text(&scene->out),
			       "\n# verdict: syncer waits 60 % of the time for the disk\n"));
}

UNIT_TEST(text_of_tasks_is_as_expected)
{
	task(&scene->world, .pid = 4711, .uid = 1000, .name = "nginx", .run_ms = 400,
	     .command_line = "nginx: worker process",
	     .counts = {.cycles = 1000000,
			.instructions = 2500000,
			.references = 1000,
			.misses = 200,
			.switches = 1234});
	task(&scene->world, .pid = 12, .uid = 0, .name = "cron", .run_ms = 3);
	scene->world.snapshot.ran_count = 2;
	scene->world.snapshot.own.cpu_ns = 2 * WORLD_NS_PER_MS;
	scene->request.settings.command_lines = true;
	scene_choose(scene, "pid,user,cpu%,ipc,miss%,sw/s,command");

	assert_string_equal(
		write_text("tasks", true),
		"# 2023-11-14T22:13:20.123+0000 whole machine, 2 CPUs, 1 s, 2 tasks ran, 0 ended,"
		" accounted 100 %, perftop 0.2 % CPU\n"
		"    PID USER       CPU%  IPC  MISS%  SW/s COMMAND\n"
		"   4711 ben        40.0 2.50   20.0 1.23k nginx: worker process\n"
		"     12 root        0.3    -      -     0 cron\n");
}

UNIT_TEST(text_of_cpus_has_a_row_for_each)
{
	scene_choose(scene, "cpu,busy,ipc,attr%");

	assert_string_equal(write_table("cpus"), "CPU       BUSY  IPC  ATTR%\n"
						 "  0       50.0 0.50 100.00\n"
						 "  1       50.0 0.50 100.00\n");
}

/* As a number it would be there twice. */
UNIT_TEST(text_has_bars_only_where_they_are_asked_for)
{
	write_table("cpus");
	assert_null(strstr(strbuf_text(&scene->out), "BUSY"));
	scene_choose(scene, "busy,cpu");
	assert_string_equal(write_table("cpus"), "      BUSY CPU\n"
						 "      50.0   0\n"
						 "      50.0   1\n");
}

UNIT_TEST(text_after_the_first_interval_begins_with_blank_line)
{
	assert_memory_equal(write_text("tasks", false), "\n# 2023", 7);
}

/* A table without rows is not left to be guessed at; with samples, or of others, nothing is said.
 */
static struct function_name find_function(void *context, uint32_t number, uint64_t time_ns)
{
	return (struct function_name){.same_as = number,
				      .whole = number,
				      .function = "hot",
				      .object = "program",
				      .is_no_code = number == 1};
}

/* The callers of one of four are not known. */
UNIT_TEST(text_of_functions_says_what_share_of_stacks_broke_off)
{
	struct profile_node nodes[] = {
		{0}, {.function = 1}, {.parent = 1, .function = 2}, {.function = 2}};
	struct profile_entry entries[] = {
		{.pid = 7, .tid = 7, .node = 2, .samples = 1, .weight = 1},
		{.pid = 7, .tid = 7, .node = 3, .samples = 3, .weight = 3},
	};
	struct profile profile = {
		.nodes = nodes, .node_count = 4, .entries = entries, .entry_count = 2};
	const struct function_names names = {.find = find_function};

	scene->world.session.sampling = SAMPLING_CLOCK;
	scene->world.session.has_pmu = false;
	scene->world.snapshot.profile = &profile;
	view_table_name_functions(scene->table, &names);
	assert_non_null(
		strstr(write_text("functions", true),
		       "\n# callers unknown: 25.0 % (no frame pointers: --call-graph dwarf)\n"));
	entries[0].node = 3;
	assert_null(strstr(write_text("functions", true), "stacks"));
	scene->world.snapshot.profile = NULL;
}

UNIT_TEST(text_of_functions_says_of_what_samples_are_and_how_many_were_lost)
{
	struct profile profile = {.lost = 2124};

	scene->world.session.sampling = SAMPLING_CLOCK;
	strcpy(scene->world.session.sampling_words, "cpu-clock, 4000 Hz; one of 2 events");
	scene->world.snapshot.profile = &profile;
	assert_non_null(strstr(write_text("functions", true),
			       "\n# 0 samples (cpu-clock, 4000 Hz; one of 2 events); 2124 lost\n"));
	assert_null(strstr(write_text("tasks", true), "2124 lost"));
	scene->world.snapshot.profile = NULL;
}

UNIT_TEST(text_of_functions_says_why_there_are_no_samples)
{
	struct session *session = &scene->world.session;

	strcpy(session->sampling_words, "no samples: not allowed");
	assert_non_null(strstr(write_text("functions", true), "\n# no samples: not allowed\n"));
	assert_null(strstr(write_text("tasks", true), "no samples"));
	session->sampling = SAMPLING_CLOCK;
	assert_null(strstr(write_text("functions", true), "\n# no samples"));
}

UNIT_TEST(text_says_what_was_lost_and_refused)
{
	const char *text;

	scene->world.snapshot.lost_records = 3;
	scene->world.snapshot.lost_records_total = 3;
	strcpy(scene->world.session.scope_reason, "not allowed");
	text = write_text("tasks", true);

	assert_non_null(strstr(text, ", lost 3 records (3 since start), perftop "));
	assert_non_null(strstr(text, "\n# not allowed\n"));
}

UNIT_TEST(text_of_scaled_value_has_a_mark)
{
	scene->world.layout.events[PAGE_FAULTS].state = EVENT_MULTIPLEXED;
	world_bind(&scene->world);
	task(&scene->world, .pid = 1, .run_ms = 500, .counts = {.faults = 10, .counting_ms = 250});
	scene_choose(scene, "pid,fault/s,command");

	assert_string_equal(write_table("tasks"), "    PID FAULT/s COMMAND\n"
						  "      1   20.0' task\n");
}

UNIT_TEST(text_of_estimate_has_a_mark)
{
	scene->world.layout.events[PAGE_FAULTS].is_estimate = true;
	scene->world.layout.estimated = 1u << QUANTITY_RUN_NS;
	world_bind(&scene->world);
	task(&scene->world, .pid = 1, .run_ms = 500, .counts = {.faults = 10});
	scene_choose(scene, "pid,fault/s,cpu%,sw/s,command");

	assert_string_equal(write_table("tasks"), "    PID FAULT/s   CPU%  SW/s COMMAND\n"
						  "      1   10.0~  50.0~     0 task\n");
}

UNIT_TEST(text_of_blanks_in_the_middle_keeps_words_together)
{
	task(&scene->world, .pid = 1, .run_ms = 500, .name = "a b  c");
	scene_choose(scene, "command,pid");

	assert_string_equal(write_table("tasks"), "COMMAND          PID\n"
						  "a_b__c             1\n");
}

UNIT_TEST(text_columns_are_as_wide_as_their_longest_value)
{
	task(&scene->world, .pid = 2, .run_ms = 500, .name = "a-name-of-15-ch");
	task(&scene->world, .pid = 3, .run_ms = 400, .name = "short");
	scene_choose(scene, "command,pid");

	assert_string_equal(write_table("tasks"), "COMMAND             PID\n"
						  "a-name-of-15-ch       2\n"
						  "short                 3\n");
}

UNIT_TEST(text_of_hostile_name_stays_on_its_line)
{
	task(&scene->world, .pid = 1, .run_ms = 500, .name = "a\n# b\033[m");
	scene_choose(scene, "pid,command");

	assert_string_equal(write_table("tasks"), "    PID COMMAND\n"
						  "      1 a\\x0A# b\\x1B[m\n");
}

static size_t count_words(const char *line, const char *end)
{
	size_t words = 0;

	for (const char *c = line; c < end; c++)
		if (*c != ' ' && (c == line || c[-1] == ' '))
			words++;
	return words;
}

UNIT_TEST(text_of_default_columns_has_as_many_words_as_titles)
{
	const char *line;
	size_t titles;

	scene->request.extra_rows = true;
	task(&scene->world, .pid = 4711, .uid = -1, .name = "x", .run_ms = 400);
	line = write_table("tasks");
	titles = count_words(line, strchr(line, '\n'));

	assert_int_equal(titles, 13);
	for (line = strchr(line, '\n') + 1; *line != '\0'; line = strchr(line, '\n') + 1)
		assert_int_equal(count_words(line, strchr(line, '\n')), titles);
}

/* The log of switches from here on. */
static const char *write_log(struct told_switches *told, bool is_first, uint64_t left_out,
			     uint64_t lost)
{
	const struct batch_input input = {
		.request = &scene->request,
		.snapshot = &scene->world.snapshot,
		.session = &scene->world.session,
		.metrics = scene->world.metrics,
		.table = scene->table,
		.is_first = is_first,
		.left_out = left_out,
		.lost = lost,
	};

	scene->request.state.info = find_list("switches");
	scene->request.history = told->history;
	strbuf_clear(&scene->out);
	text_write(&scene->out, &input);
	return strbuf_text(&scene->out);
}

UNIT_TEST(text_of_switches_has_one_title_line_and_a_line_for_each)
{
	struct told_switches told;

	told_init(&told, HISTORY_BLOCK);
	strcpy(scene->world.session.scope_words, "pid 7");
	strcpy(scene->world.session.queue_words, "run-queue waits are not known");
	switched(&told, .time_ns = UINT64_C(1120482999), .prev = told_actor(&told, 7, 8, "a b"),
		 .next = ACTOR_IDLE, .how = SWITCH_BLOCKED, .state = TASK_STATE_SLEEPING,
		 .slice_ns = 15000, .off_ns = SWITCH_NS_UNKNOWN, .has_counts = true,
		 .counts = told_counts(&told, 15000,
				       (struct counts_spec){.cycles = 1000, .instructions = 310}));
	switched(&told, .time_ns = UINT64_C(1120490000), .cpu = 1, .prev = ACTOR_UNKNOWN,
		 .next = told_actor(&told, 7, 8, "a b"), .slice_ns = SWITCH_NS_UNKNOWN,
		 .off_ns = 3000);

	assert_string_equal(
		write_log(&told, true, 0, 0),
		"# 2023-11-14T22:13:20.123+0000 pid 7, 2 CPUs\n"
		"# run-queue waits are not known\n"
		"# a yield looks like a preemption: no record reports it\n"
		"           TIME CPU PREV               HOW          RAN  IPC  MISS% OFF-CPU NEXT\n"
		"22:13:20.243482   0 a_b_8              blocked   15.0us 0.31      -       - idle\n"
		"22:13:20.243490   1 -                  -              -    -      -  3.00us a b "
		"8\n");
	told_fini(&told);
}

UNIT_TEST(text_of_switches_after_the_first_has_only_these)
{
	struct told_switches told;

	told_init(&told, HISTORY_BLOCK);
	scene->world.session.has_yields = true;
	for (int i = 0; i < 5; i++)
		switched(&told, .cpu = i, .prev = ACTOR_IDLE, .next = ACTOR_IDLE);
	scene_choose(scene, "cpu,prev");
	scene->request.history_from = 1;
	scene->request.history_to = 3;

	assert_string_equal(write_log(&told, false, 0, 0), "  1 idle\n  2 idle\n");
	assert_string_equal(write_log(&told, false, 1234, 0),
			    "# 1234 switches left out: more than are written\n"
			    "  1 idle\n  2 idle\n");
	assert_null(strstr(write_log(&told, true, 0, 0), "yield"));
	assert_string_equal(write_log(&told, false, 0, 7),
			    "# 7 records of switches and tasks lost: too many to be read\n"
			    "  1 idle\n  2 idle\n");
	told_fini(&told);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
