/* The CSV format, of rows and of the log of switches, taken apart as RFC 4180 says. */

#include "base/text.h"
#include "batch/put.h"

#include "batch_kit.h"
#include "unit.h"

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();

	scene_tell(scene, 2 * HISTORY_BLOCK);
	return 0;
}

static int tear_down(void **state)
{
	scene_close(scene);
	return 0;
}

static const char *write_csv(const char *view, bool is_first)
{
	struct batch_input input = scene_input(scene, view);

	input.is_first = is_first;
	input.left_out = 7;
	return scene_write(scene, "csv", &input);
}

/* Takes a cell off a record: *text moves behind the comma, or to the LF. */
static void take_cell(const char **text, char *cell, size_t size)
{
	const bool is_quoted = **text == '"';
	size_t length = 0;

	if (is_quoted)
		(*text)++;
	for (; **text != '\0'; (*text)++) {
		if (is_quoted && **text == '"' && *++*text != '"')
			break;
		if (!is_quoted && (**text == ',' || **text == '\n'))
			break;
		assert_true(is_quoted || **text != '"');
		assert_true(length + 1 < size);
		cell[length++] = **text;
	}
	cell[length] = '\0';
	assert_true(**text == ',' || **text == '\n');
	if (**text == ',')
		(*text)++;
}

UNIT_TEST(csv_of_tasks_is_as_expected)
{
	task(&scene->world, .pid = 4711, .uid = 1000, .name = "nginx", .run_ms = 400,
	     .counts = {.cycles = 1000000,
			.instructions = 2500000,
			.references = 1000,
			.misses = 333,
			.switches = 7});
	task(&scene->world, .pid = 12, .uid = 0, .name = "cron", .run_ms = 3);
	scene_choose(scene, "pid,user,cpu%,ipc,miss%,sw/s,slice,time,command");

	assert_string_equal(
		write_csv("tasks", true),
		"time,pid,user,cpu%,ipc,miss%,sw/s,slice_us,cpu-time_ns,command\n"
		"1700000000.123,4711,ben,40,2.5,33.3,7,57142.857142857145,400000000,nginx\n"
		"1700000000.123,12,root,0.3,,,0,,3000000,cron\n");
}

UNIT_TEST(csv_after_the_first_interval_has_no_header)
{
	task(&scene->world, .pid = 12, .name = "cron", .run_ms = 3);
	scene_choose(scene, "pid");

	assert_string_equal(write_csv("tasks", false), "1700000000.123,12\n");
}

UNIT_TEST(csv_of_nothing_has_its_header)
{
	scene_choose(scene, "pid");
	assert_string_equal(write_csv("tasks", true), "time,pid\n");
	assert_string_equal(write_csv("tasks", false), "");
}

UNIT_TEST(csv_of_estimates_says_so_in_the_header)
{
	scene->world.layout.estimated = 1u << QUANTITY_RUN_NS;
	world_bind(&scene->world);
	scene_choose(scene, "pid,cpu%,sw/s,time");
	assert_string_equal(write_csv("tasks", true), "time,pid,cpu%~,sw/s,cpu-time_ns~\n");
}

UNIT_TEST(csv_of_cpus_has_their_columns)
{
	scene_choose(scene, "cpu,busy,attr%");
	assert_string_equal(write_csv("cpus", true), "time,cpu,busy,attr%\n"
						     "1700000000.123,0,50,100\n"
						     "1700000000.123,1,50,100\n");
}

UNIT_TEST(csv_of_events_quotes_their_names)
{
	column_list_add(&scene->columns,
			columns_add_event(scene->world.columns, "cpu/event=0x3c,umask=0/", ""));
	column_list_add(&scene->columns,
			columns_add_event(scene->world.columns, "uprobe:/tmp/a\"b\nc:f", ""));
	scene->request.state.columns = scene->columns;

	assert_string_equal(write_csv("tasks", true),
			    "time,\"cpu/event=0x3c,umask=0/\",\"uprobe:/tmp/a\"\"b\\x0Ac:f\"\n");
}

UNIT_TEST(csv_of_any_name_is_one_harmless_cell)
{
	scene_choose(scene, "command,pid");
	task(&scene->world, .pid = 12, .run_ms = 3);
	for (int first = 1; first < 256; first += 5) {
		char name[TASK_NAME_MAX] = "a";
		struct strbuf safe = {0};
		const char *text;
		char cell[128];

		for (int i = 0; i < 5 && first + i < 256; i++)
			name[i + 1] = (char)(first + i);
		strcpy(scene->world.tasks[0].name, name);
		text_append_safe(&safe, name, strlen(name), false);
		text = write_csv("tasks", false);
		take_cell(&text, cell, sizeof(cell));
		take_cell(&text, cell, sizeof(cell));
		assert_string_equal(cell, strbuf_text(&safe));
		take_cell(&text, cell, sizeof(cell));
		assert_string_equal(cell, "12");
		assert_string_equal(text, "\n");
		strbuf_fini(&safe);
	}
}

UNIT_TEST(csv_of_switches_is_as_expected)
{
	const uint64_t sh = told_actor(&scene->told, 7, 7, "sh");
	const uint64_t nginx = told_actor(&scene->told, 20, 21, "ng,i\"nx");

	switched(&scene->told, .time_ns = 83202, .cpu = 1, .prev = nginx, .next = sh,
		 .how = SWITCH_PREEMPTED, .slice_ns = 3980000, .off_ns = 16000, .wait_ns = 15000,
		 .next_was_preempted = true, .from_cpu = 3, .has_counts = true,
		 .counts = told_counts(&scene->told, 3980000,
				       (struct counts_spec){.cycles = UINT64_MAX,
							    .instructions = 1240000,
							    .references = 1000,
							    .misses = 612,
							    .faults = 1}));
	switched(&scene->told, .time_ns = 90000, .prev = ACTOR_IDLE, .next = ACTOR_UNKNOWN,
		 .how = SWITCH_IDLE, .slice_ns = SWITCH_NS_UNKNOWN, .off_ns = SWITCH_NS_UNKNOWN,
		 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	switched(&scene->told, .time_ns = 90001, .prev = ACTOR_UNKNOWN, .next = ACTOR_IDLE,
		 .how = SWITCH_BLOCKED, .state = TASK_STATE_DISK_SLEEP, .slice_ns = 5, .off_ns = 0,
		 .wait_ns = 0, .from_cpu = 0);

	assert_string_equal(
		write_csv("switches", true),
		"time_ns,cpu,left_pid,left_tid,left,how,slice_ns,cycles,instructions,"
		"cache-references,cache-misses,branch-misses,page-faults,came_pid,came_tid,came,"
		"off_ns,wait_ns,from_cpu,state\n"
		"83202,1,20,21,\"ng,i\"\"nx\",preempted,3980000,18446744073709551615,1240000,1000,"
		"612,0,1,7,7,sh,16000,15000,3,\n"
		"90000,0,0,0,idle,idle,,,,,,,,,,,,,,\n"
		"90001,0,,,,blocked,5,,,,,,,0,0,idle,0,0,0,D\n");
	assert_memory_equal(write_csv("switches", false), "83202,", 6);
}

UNIT_TEST(csv_of_switches_has_a_cell_for_what_is_not_counted)
{
	const char *text;

	scene->world.layout.events[CYCLES].state = EVENT_DENIED;
	scene->world.layout.events[BRANCH_MISSES].is_removed = true;
	switched(&scene->told, .time_ns = 9, .slice_ns = 5, .has_counts = true,
		 .counts = told_counts(&scene->told, 5, (struct counts_spec){.cycles = 3}));
	text = write_csv("switches", true);

	assert_null(strstr(text, "branch-misses"));
	assert_non_null(strstr(text, ",slice_ns,cycles,instructions,"));
	assert_non_null(strstr(text, "\n9,0,,,,,5,,0,0,0,0,,,,0,0,0,\n"));
}

static void assert_real(double number, const char *expected)
{
	struct strbuf out = {0};

	put_real(&out, number);
	assert_string_equal(strbuf_text(&out), expected);
	assert_true(strtod(expected, NULL) == number);
	strbuf_fini(&out);
}

UNIT_TEST_WITH(put_real_is_the_shortest_that_reads_back, NULL, NULL)
{
	assert_real(0, "0");
	assert_real(-0.0, "0");
	assert_real(-3, "-3");
	assert_real(0.1, "0.1");
	assert_real(1.0 / 3, "0.3333333333333333");
	assert_real(2.0 / 3 * 1e5, "66666.66666666666");
	assert_real(1700000000123456.0, "1700000000123456");
	assert_real(0x1p53 - 1, "9007199254740991");
	assert_real(34559999999999960.0, "34559999999999960");
	assert_real(1e300, "1e+300");
}

static void assert_number(uint64_t number, const char *expected)
{
	struct strbuf out = {0};

	put_number(&out, number);
	assert_string_equal(strbuf_text(&out), expected);
	strbuf_fini(&out);
}

UNIT_TEST_WITH(put_number_has_all_digits, NULL, NULL)
{
	assert_number(0, "0");
	assert_number(9, "9");
	assert_number(10, "10");
	assert_number(1234567890, "1234567890");
	assert_number(UINT64_MAX, "18446744073709551615");
}

/* Intervals must not run into one another. */
UNIT_TEST(csv_without_a_wall_clock_has_the_time_of_the_records)
{
	task(&scene->world, .pid = 12, .name = "cron", .run_ms = 3);
	scene_choose(scene, "pid");
	scene->world.session.wall_offset_ns = INT64_C(-5000000000);
	scene->world.snapshot.time_ns = UINT64_C(4012999999);
	assert_string_equal(write_csv("tasks", true), "record_time,pid\n4.012,12\n");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
