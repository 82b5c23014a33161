/* JSON of the log of switches: each line read back with a JSON parser and compared. */

#include <jansson.h>

#include "base/text.h"

#include "batch_kit.h"
#include "unit.h"

static uint64_t left_out, lost;

static struct scene *scene;

static int set_up(void **state)
{
	scene = scene_open();

	scene_tell_two(scene, 2 * HISTORY_BLOCK);
	left_out = lost = 0;
	return 0;
}

static int tear_down(void **state)
{
	scene_close(scene);
	return 0;
}

static const char *write_json(void)
{
	struct batch_input input = scene_input(scene, "switches");

	input.left_out = left_out;
	input.lost = lost;
	return scene_write(scene, "json", &input);
}

/* What is written of the newest switch; it is JSON. */
static void assert_newest(const char *expected)
{
	const char *text;
	json_t *line;

	scene->request.history_from = history_settled(scene->told.history) - 1;
	text = write_json();
	line = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(line);
	json_decref(line);
	assert_string_equal(text, expected);
}

/* clang-format off */
#define SH "{\"pid\":7,\"tid\":7,\"command\":\"sh\"}"
#define IN_NGINX "\"in\":{\"pid\":20,\"tid\":21,\"command\":\"nginx\","

UNIT_TEST(json_of_a_switch_is_as_expected)
{
	switched(&scene->told, .time_ns = 83202, .cpu = 1, .prev = scene->nginx, .next = scene->sh,
		 .how = SWITCH_PREEMPTED, .state = TASK_STATE_RUNNABLE, .slice_ns = 3980000, .off_ns = 15000, .wait_ns = 15000,
		 .next_was_preempted = true, .from_cpu = 3, .has_counts = true,
		 .counts = told_counts(&scene->told, 3980000, (struct counts_spec){.cycles = UINT64_C(12345678901234), .instructions = 1240000, .references = 1000, .misses = 612, .faults = 1}));
	assert_newest("{\"time_ns\":83202,\"cpu\":1,\"out\":{\"pid\":20,\"tid\":21,\"command\":\"nginx\"},\"how\":\"preempted\",\"state\":\"R\",\"slice_ns\":3980000,"
		      "\"counts\":{\"cycles\":12345678901234,\"instructions\":1240000,\"cache-references\":1000,\"cache-misses\":612,\"branch-misses\":0,\"page-faults\":1},"
		      "\"in\":{\"pid\":7,\"tid\":7,\"command\":\"sh\",\"off_ns\":15000,\"preempted\":true},\"wait_ns\":15000,\"from_cpu\":3}\n");
}

UNIT_TEST(json_of_what_is_not_known_is_null)
{
	switched(&scene->told, .time_ns = 1, .prev = ACTOR_UNKNOWN, .next = ACTOR_UNKNOWN, .how = SWITCH_UNKNOWN, .slice_ns = SWITCH_NS_UNKNOWN,
		 .off_ns = SWITCH_NS_UNKNOWN, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	assert_newest("{\"time_ns\":1,\"cpu\":0,\"out\":null,\"how\":\"unknown\",\"state\":null,\"slice_ns\":null,\"counts\":null,\"in\":null,\"wait_ns\":null,\"from_cpu\":null}\n");
	/* of an unknown wait nothing is said of preemption */
	switched(&scene->told, .time_ns = 2, .prev = scene->sh, .next = scene->nginx, .how = SWITCH_BLOCKED, .off_ns = SWITCH_NS_UNKNOWN);
	assert_newest("{\"time_ns\":2,\"cpu\":0,\"out\":" SH ",\"how\":\"blocked\",\"state\":null,\"slice_ns\":0,\"counts\":null," IN_NGINX "\"off_ns\":null,\"preempted\":null},\"wait_ns\":0,\"from_cpu\":0}\n");
	switched(&scene->told, .time_ns = 3, .prev = told_actor(&scene->told, -1, 99, ""), .next = scene->nginx, .how = SWITCH_BLOCKED, .off_ns = 5);
	assert_newest("{\"time_ns\":3,\"cpu\":0,\"out\":{\"pid\":null,\"tid\":99,\"command\":\"\"},\"how\":\"blocked\",\"state\":null,\"slice_ns\":0,\"counts\":null," IN_NGINX "\"off_ns\":5,\"preempted\":false},\"wait_ns\":0,\"from_cpu\":0}\n");
}

UNIT_TEST(json_of_idle_is_pid_0)
{
	switched(&scene->told, .time_ns = 1, .prev = ACTOR_IDLE, .next = ACTOR_IDLE, .how = SWITCH_IDLE);
	assert_newest("{\"time_ns\":1,\"cpu\":0,\"out\":{\"pid\":0,\"tid\":0,\"command\":\"idle\"},\"how\":\"idle\",\"state\":null,\"slice_ns\":0,\"counts\":null,"
		      "\"in\":{\"pid\":0,\"tid\":0,\"command\":\"idle\",\"off_ns\":0,\"preempted\":false},\"wait_ns\":0,\"from_cpu\":0}\n");
}

/* Those that are counted; one in two groups is their sum, and names are escaped. */
UNIT_TEST(json_of_events_has_those_that_are_counted)
{
	struct event *events = scene->world.layout.events;
	const size_t group = layout_add_group(&scene->world.layout, 0, 1);
	const size_t counter = layout_add_counter(&scene->world.layout, group, CACHE_REFERENCES);
	const size_t place = scene->world.layout.counters[counter].value_index;
	uint64_t counts[WORLD_WIDTH + 16] = {[WORLD_FIRST + CACHE_REFERENCES] = 40};

	history_widen(scene->told.history, layout_width(&scene->world.layout));
	assert_true(place < WORLD_WIDTH + 16);
	counts[place] = 2;
	events[CYCLES].state = EVENT_DENIED;
	events[INSTRUCTIONS].is_removed = true;
	strcpy(events[PAGE_FAULTS].name, "a\"b\n");
	switched(&scene->told, .time_ns = 1, .prev = scene->sh, .next = scene->nginx, .how = SWITCH_BLOCKED, .has_counts = true, .counts = counts);
	assert_newest("{\"time_ns\":1,\"cpu\":0,\"out\":" SH ",\"how\":\"blocked\",\"state\":null,\"slice_ns\":0,"
		      "\"counts\":{\"cache-references\":42,\"cache-misses\":0,\"branch-misses\":0,\"a\\\"b\\\\x0A\":0}," IN_NGINX "\"off_ns\":0,\"preempted\":false},\"wait_ns\":0,\"from_cpu\":0}\n");
	for (size_t i = 0; i < WORLD_EVENTS; i++)
		events[i].state = EVENT_UNSUPPORTED;
	assert_newest("{\"time_ns\":1,\"cpu\":0,\"out\":" SH ",\"how\":\"blocked\",\"state\":null,\"slice_ns\":0,\"counts\":{}," IN_NGINX "\"off_ns\":0,\"preempted\":false},\"wait_ns\":0,\"from_cpu\":0}\n");
}
/* clang-format on */

/* The command of the task that the line says has left. */
static void assert_command(const char *name, const char *expected)
{
	json_t *line;
	json_error_t error;

	switched(&scene->told, .prev = told_actor(&scene->told, 5, 5, name), .next = scene->sh);
	scene->request.history_from = history_settled(scene->told.history) - 1;
	line = json_loads(write_json(), JSON_REJECT_DUPLICATES, &error);
	if (!line)
		fail_msg("%s: %s", error.text, strbuf_text(&scene->out));
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(line, "out"), "command")),
		expected);
	json_decref(line);
}

/* Every byte that a name can hold, in pieces of a name's length. */
UNIT_TEST(json_of_any_name_reads_back_as_what_other_outputs_show)
{
	for (int first = 1; first < 256; first += 5) {
		char name[TASK_NAME_MAX] = "a";
		struct strbuf safe = {0};

		for (int i = 0; i < 5 && first + i < 256; i++)
			name[i + 1] = (char)(first + i);
		text_append_safe(&safe, name, strlen(name), false);
		assert_command(name, strbuf_text(&safe));
		strbuf_fini(&safe);
	}
	assert_command("caf\xc3\xa9 e\xcc\x81", "caf\xc3\xa9 e\xcc\x81");
	assert_command("\"\\\b\xe2\x80\xae", "\"\\\\x08\\xE2\\x80\\xAE");
}

/* The CPUs of the lines that are switches, and of others all, one behind the other. */
static void assert_lines(const char *expected)
{
	struct strbuf lines = {0};

	for (const char *text = write_json(); *text != '\0'; text = strchr(text, '\n') + 1) {
		json_t *line = json_loadb(text, strcspn(text, "\n"), JSON_REJECT_DUPLICATES, NULL);

		assert_non_null(line);
		if (json_object_get(line, "cpu"))
			strbuf_printf(&lines, "%d ",
				      (int)json_integer_value(json_object_get(line, "cpu")));
		else
			strbuf_printf(&lines, "%.*s ", (int)strcspn(text, "\n"), text);
		json_decref(line);
	}
	assert_string_equal(strbuf_text(&lines), expected);
	strbuf_fini(&lines);
}

UNIT_TEST(json_of_a_stretch_has_a_line_each_in_order)
{
	assert_lines("");
	for (int i = 0; i < 9; i++)
		switched(&scene->told, .prev = i % 2 ? scene->sh : scene->nginx, .cpu = i,
			 .next = scene->nginx);
	scene->request.history_from = 2;
	scene->request.history_to = 5;
	assert_lines("2 3 4 ");
	scene->request.filter = "sh && how != preempted";
	scene->request.history_from = 5;
	scene->request.history_to = 9;
	assert_lines("5 7 ");
	lost = 7;
	assert_lines("{\"lost\":7} 5 7 ");
	lost = 0;
	left_out = 1234;
	assert_lines("{\"left_out\":1234} 5 7 ");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
