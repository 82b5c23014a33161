/* JSON of the log of switches: each line read back with a JSON parser and compared. */

#include <jansson.h>

#include "base/text.h"

#include "batch_kit.h"
#include "unit.h"

static json_t *line_read; /* owned; the last one */
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
	json_decref(line_read);
	line_read = NULL;
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

/* Reads the line that *text begins with, and moves *text behind it. */
static json_t *read_line(const char **text)
{
	const char *end = strchr(*text, '\n');
	json_error_t error;

	assert_non_null(end);
	json_decref(line_read);
	line_read = json_loadb(*text, (size_t)(end - *text), JSON_REJECT_DUPLICATES, &error);
	if (!line_read)
		fail_msg("%s: %s", error.text, *text);
	*text = end + 1;
	return line_read;
}

/* The one line that is written. */
static json_t *only_line(void)
{
	const char *text = write_json();
	json_t *line = read_line(&text);

	assert_string_equal(text, "");
	return line;
}

static json_int_t integer(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_integer(value));
	return json_integer_value(value);
}

static const char *string(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_true(json_is_string(value));
	return json_string_value(value);
}

static bool is_null(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	assert_non_null(value);
	return json_is_null(value);
}

UNIT_TEST(json_of_a_switch_is_as_expected)
{
	switched(&scene->told, .time_ns = 83202, .cpu = 1, .left = scene->nginx, .came = scene->sh,
		 .how = SWITCH_PREEMPTED, .slice_ns = 3980000, .off_ns = 15000, .wait_ns = 15000,
		 .came_preempted = true, .from_cpu = 3, .has_counts = true,
		 .counts = told_counts(&scene->told, 3980000,
				       (struct counts_spec){.cycles = UINT64_C(12345678901234),
							    .instructions = 1240000,
							    .references = 1000,
							    .misses = 612,
							    .faults = 1}));

	assert_string_equal(
		write_json(),
		"{\"time_ns\":83202,\"cpu\":1,\"out\":{\"pid\":20,\"tid\":21,\"command\":\"nginx\"}"
		","
		"\"how\":\"preempted\",\"slice_ns\":3980000,\"counts\":{\"cycles\":12345678901234,"
		"\"instructions\":1240000,\"cache-references\":1000,\"cache-misses\":612,"
		"\"branch-misses\":0,\"page-faults\":1},\"in\":{\"pid\":7,\"tid\":7,\"command\":"
		"\"sh\","
		"\"off_ns\":15000,\"preempted\":true},\"wait_ns\":15000,\"from_cpu\":3}\n");
}

UNIT_TEST(json_of_the_unknown_is_null)
{
	json_t *line;

	switched(&scene->told, .left = ACTOR_UNKNOWN, .came = ACTOR_UNKNOWN, .how = SWITCH_UNKNOWN,
		 .slice_ns = SWITCH_NS_UNKNOWN, .off_ns = SWITCH_NS_UNKNOWN,
		 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	line = only_line();

	assert_true(is_null(line, "out"));
	assert_true(is_null(line, "in"));
	assert_true(is_null(line, "slice_ns"));
	assert_true(is_null(line, "counts"));
	assert_true(is_null(line, "wait_ns"));
	assert_true(is_null(line, "from_cpu"));
	assert_string_equal(string(line, "how"), "unknown");
	assert_int_equal(json_object_size(line), 9);
}

UNIT_TEST(json_of_an_unknown_wait_says_nothing_of_preemption)
{
	json_t *in;

	switched(&scene->told, .left = scene->sh, .came = scene->nginx,
		 .off_ns = SWITCH_NS_UNKNOWN);
	in = json_object_get(only_line(), "in");
	assert_true(is_null(in, "off_ns"));
	assert_true(is_null(in, "preempted"));
}

UNIT_TEST(json_of_a_wait_after_a_sleep_says_so)
{
	json_t *in;

	switched(&scene->told, .left = scene->sh, .came = scene->nginx, .off_ns = 5);
	in = json_object_get(only_line(), "in");
	assert_int_equal(integer(in, "off_ns"), 5);
	assert_true(json_is_false(json_object_get(in, "preempted")));
}

UNIT_TEST(json_of_idle_is_pid_0)
{
	json_t *line;

	switched(&scene->told, .left = ACTOR_IDLE, .came = ACTOR_IDLE, .how = SWITCH_IDLE);
	line = only_line();

	assert_string_equal(string(line, "how"), "idle");
	assert_int_equal(integer(json_object_get(line, "out"), "pid"), 0);
	assert_int_equal(integer(json_object_get(line, "in"), "tid"), 0);
	assert_string_equal(string(json_object_get(line, "in"), "command"), "idle");
}

UNIT_TEST(json_of_a_task_whose_process_is_unknown_has_its_tid)
{
	json_t *out;

	switched(&scene->told, .left = told_actor(&scene->told, -1, 99, ""), .came = scene->sh);
	out = json_object_get(only_line(), "out");

	assert_true(is_null(out, "pid"));
	assert_int_equal(integer(out, "tid"), 99);
	assert_string_equal(string(out, "command"), "");
}

/* Every byte that a name can hold, in pieces of a name's length. */
UNIT_TEST(json_of_any_name_reads_back_as_what_other_outputs_show)
{
	for (int first = 1; first < 256; first += 5) {
		char name[TASK_NAME_MAX] = "a";
		struct strbuf safe = {0};
		json_t *line;

		for (int i = 0; i < 5 && first + i < 256; i++)
			name[i + 1] = (char)(first + i);
		switched(&scene->told, .left = told_actor(&scene->told, 5, 5, name),
			 .came = scene->sh);
		scene->settings.history_from = history_settled(scene->told.history) - 1;
		line = only_line();
		text_append_safe(&safe, name, strlen(name), false);
		assert_string_equal(string(json_object_get(line, "out"), "command"),
				    strbuf_text(&safe));
		strbuf_fini(&safe);
	}
}

UNIT_TEST(json_of_a_name_in_utf_8_keeps_it)
{
	json_t *line;

	switched(&scene->told, .left = told_actor(&scene->told, 5, 5, "caf\xc3\xa9 e\xcc\x81"),
		 .came = told_actor(&scene->told, 6, 6, "\"\\\b\xe2\x80\xae"));
	line = only_line();

	assert_string_equal(string(json_object_get(line, "out"), "command"),
			    "caf\xc3\xa9 e\xcc\x81");
	assert_string_equal(string(json_object_get(line, "in"), "command"),
			    "\"\\\\x08\\xE2\\x80\\xAE");
}

UNIT_TEST(json_of_event_names_is_escaped)
{
	json_t *line;

	strcpy(scene->world.layout.events[CYCLES].name, "a\"b\n");
	switched(&scene->told, .left = scene->sh, .came = scene->nginx, .has_counts = true,
		 .counts = told_counts(&scene->told, 1, (struct counts_spec){.cycles = 77}));
	line = only_line();

	assert_int_equal(integer(json_object_get(line, "counts"), "a\"b\\x0A"), 77);
}

UNIT_TEST(json_of_events_has_those_that_are_counted)
{
	json_t *counts;

	scene->world.layout.events[CYCLES].state = EVENT_DENIED;
	scene->world.layout.events[INSTRUCTIONS].is_removed = true;
	switched(&scene->told, .left = scene->sh, .came = scene->nginx, .has_counts = true,
		 .counts = told_counts(&scene->told, 1, (struct counts_spec){.references = 77}));
	counts = json_object_get(only_line(), "counts");

	assert_int_equal(json_object_size(counts), WORLD_EVENTS - 2);
	assert_null(json_object_get(counts, "cycles"));
	assert_null(json_object_get(counts, "instructions"));
	assert_int_equal(integer(counts, "cache-references"), 77);
}

UNIT_TEST(json_of_no_counted_event_has_empty_counts)
{
	for (size_t i = 0; i < WORLD_EVENTS; i++)
		scene->world.layout.events[i].state = EVENT_UNSUPPORTED;
	switched(&scene->told, .left = scene->sh, .came = scene->nginx, .has_counts = true,
		 .counts = told_counts(&scene->told, 1, (struct counts_spec){0}));

	assert_int_equal(json_object_size(json_object_get(only_line(), "counts")), 0);
}

/* An event that stands in two groups. */
UNIT_TEST(json_of_an_event_with_two_counters_is_their_sum)
{
	const size_t group = layout_add_group(&scene->world.layout, 0, 1);
	const size_t counter = layout_add_counter(&scene->world.layout, group, CYCLES);
	const size_t place = scene->world.layout.counters[counter].value_index;
	uint64_t counts[WORLD_WIDTH + 16] = {0};

	history_widen(scene->told.history, layout_width(&scene->world.layout));
	counts[WORLD_FIRST + CYCLES] = 40;
	counts[place] = 2;
	assert_true(place < WORLD_WIDTH + 16);
	switched(&scene->told, .left = scene->sh, .came = scene->nginx, .has_counts = true,
		 .counts = counts);

	assert_int_equal(integer(json_object_get(only_line(), "counts"), "cycles"), 42);
}

UNIT_TEST(json_of_a_stretch_has_a_line_each_in_order)
{
	const char *text;

	for (int i = 0; i < 9; i++)
		switched(&scene->told, .left = i % 2 ? scene->sh : scene->nginx, .cpu = i,
			 .came = scene->nginx);
	scene->settings.history_from = 2;
	scene->settings.history_to = 5;
	text = write_json();
	for (int i = 2; i < 5; i++)
		assert_int_equal(integer(read_line(&text), "cpu"), i);
	assert_string_equal(text, "");

	scene->settings.filter = "sh && how != preempted";
	scene->settings.history_from = 5;
	scene->settings.history_to = 9;
	text = write_json();
	assert_int_equal(integer(read_line(&text), "cpu"), 5);
	assert_int_equal(integer(read_line(&text), "cpu"), 7);
	assert_string_equal(text, "");
}

UNIT_TEST(json_of_nothing_is_nothing)
{
	assert_string_equal(write_json(), "");
}

UNIT_TEST(json_says_what_was_lost)
{
	const char *text;
	json_t *line;

	switched(&scene->told, .left = scene->sh, .came = scene->nginx);
	lost = 7;
	text = write_json();
	line = read_line(&text);
	assert_int_equal(integer(line, "lost"), 7);
	assert_int_equal(json_object_size(line), 1);
	assert_int_equal(integer(read_line(&text), "cpu"), 0);
	assert_string_equal(text, "");
}

UNIT_TEST(json_says_what_was_left_out)
{
	const char *text;
	json_t *line;

	switched(&scene->told, .left = scene->sh, .came = scene->nginx);
	left_out = 1234;
	text = write_json();
	line = read_line(&text);
	assert_int_equal(integer(line, "left_out"), 1234);
	assert_int_equal(json_object_size(line), 1);
	assert_int_equal(integer(read_line(&text), "cpu"), 0);
	assert_string_equal(text, "");
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
