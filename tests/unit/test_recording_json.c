/* What a layout's text says is input: each lie in it must be found, since a model believes it. */

#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/topology.h"

#include "perfdata/notes.h"
#include "unit.h"

/* Group 0 has event "a" in counter 0, group 1 event "b" in counter 1. */
static void make(struct layout *layout)
{
	layout_init(layout);
	layout_add_group(layout, 0, 1);
	layout_add_counter(layout, 0, layout_add_event(layout, "a"));
	layout_add_counter(layout, 1, layout_add_event(layout, "b"));
}

static bool parses(const char *text, const struct layout *before)
{
	struct layout layout;
	uint32_t *leaders;

	if (!recording_parse_layout(text, strlen(text), before, &layout, &leaders))
		return false;
	layout_fini(&layout);
	free(leaders);
	return true;
}

/* The text with the first `what` in it replaced. */
static char *with(const char *text, const char *what, const char *instead)
{
	const char *place = strstr(text, what);
	struct strbuf buffer = {0};

	assert_non_null(place);
	strbuf_add_bytes(&buffer, text, (size_t)(place - text));
	strbuf_add(&buffer, instead);
	strbuf_add(&buffer, place + strlen(what));
	return buffer.text;
}

/* Each lie replaces something in a text that is believed. */
static void assert_lies_found(const char *text, const char *const (*lies)[2], size_t count,
			      bool (*believes)(const char *text))
{
	assert_true(believes(text));
	for (size_t i = 0; i < count; i++) {
		char *lie = with(text, lies[i][0], lies[i][1]);

		begin_case(lies[i][1]);
		assert_false(believes(lie));
		free(lie);
	}
}

static bool parses_as_first(const char *text)
{
	return parses(text, &(const struct layout){0});
}

static bool parses_session(const char *text)
{
	struct topology found = {0};
	struct session read;
	const bool good = recording_parse_session(text, strlen(text), &read, &found);

	topology_fini(&found);
	return good;
}

static bool parses_targets(const char *text)
{
	struct target_pids read;
	const bool good = recording_parse_targets(text, strlen(text), &read);

	assert_int_equal(read.pids.count, good);
	if (good)
		assert_true(read.kind == TARGET_PIDS_TREE && target_pids_has(&read, 7) &&
			    !target_pids_has(&read, 8));
	target_pids_fini(&read);
	return good;
}

UNIT_TEST(parse_layout_with_a_lie_in_it_is_refused)
{
	static const char *const lies[][2] = {
		{"\"version\":3", "\"version\":2"},
		{"\"width\":6", "\"width\":7"},
		{"\"width\":6", "\"width\":5"},
		{"\"width\":6", "\"width\":-1"},
		{"\"event\":0", "\"event\":2"},
		{"\"event\":0", "\"event\":-1"},
		{"\"event\":0,\"group\":0", "\"event\":0,\"group\":2"},
		{"\"event\":0,\"group\":0", "\"event\":0,\"group\":1"},
		{"\"live\":true", "\"live\":false"},
		{"\"live\":true", "\"live\":1"},
		{"\"index\":4", "\"index\":6"},
		{"\"index\":4", "\"index\":-1"},
		{"\"index\":4", "\"index\":5"},
		{"\"counters\":[0]", "\"counters\":[2]"},
		{"\"counters\":[0]", "\"counters\":[]"},
		{"\"counters\":[0]", "\"counters\":[-1]"},
		{"\"counters\":[0]", "\"counters\":[\"0\"]"},
		{"\"counters\":[0]", "\"counters\":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
				     "0,0,0,0,0,0,0,0,0,0]"},
		{"\"kind\":0", "\"kind\":1"},
		{"\"rotation\":0", "\"rotation\":65536"},
		{"\"open\":true", "\"open\":false"},
		{"\"slices\":1", "\"slices\":6"},
		{"\"clock\":0", "\"clock\":2"},
		{"\"state\":\"unsupported\"", "\"state\":\"\""},
		{"\"name\":\"a\"", "\"name\":7"},
		{"}", ""},
	};
	struct layout layout;
	uint32_t leaders[] = {2, 4};
	char *text;

	make(&layout);
	text = recording_json_layout(&layout, leaders);
	assert_lies_found(text, lies, COUNT_OF(lies), parses_as_first);
	free(text);
	layout_fini(&layout);
}

/* model_change_layout() takes later states only. */
UNIT_TEST(parse_layout_that_is_no_later_state_is_refused)
{
	struct layout before, later;
	uint32_t leaders[] = {2, 4, 6};
	char *text;

	make(&before);
	make(&later);
	text = recording_json_layout(&later, leaders);
	assert_true(parses(text, &before));
	layout_add_event(&before, "c");
	assert_false(parses(text, &before));
	layout_add_event(&later, "c");
	free(text);
	text = recording_json_layout(&later, leaders);
	assert_true(parses(text, &before));
	before.width++;
	assert_false(parses(text, &before));
	before.width--;
	before.groups[1].count = 0; /* with the same generation it would be another group */
	assert_false(parses(text, &before));
	before.groups[1].generation--;
	assert_true(parses(text, &before));
	before.groups[1].generation++;
	before.groups[1].is_open = false;
	assert_false(parses(text, &before));
	free(text);
	layout_fini(&before);
	layout_fini(&later);
}

UNIT_TEST(parse_session_with_a_lie_in_it_is_refused)
{
	static const char *const lies[][2] = {
		{"\"scope\":\"system\"", "\"scope\":\"world\""},
		{"\"queue\":\"unknown\"", "\"queue\":\"\""},
		{"\"cpu_count\":0", "\"cpu_count\":-1"},
		{"\"wall_offset_ns\":0", "\"wall_offset_ns\":0.5"},
		{"\"has_pmu\":false", "\"has_pmu\":null"},
		{"\"pmu_words\":\"\"", "\"pmu_words\":{}"},
		{"\"socket\":1", "\"socket\":-2"},
		{"\"cpu\":4", "\"cpu\":2"},
		{"\"topology\":[", "\"topology\":[7,"},
		{"\"topology\":[", "\"places\":["},
	};
	struct cpu_location places[] = {{2, 0, 5, 1, 0, "P"}, {4, 1, 6, -1, -1, ""}};
	const struct topology topology = {.cpus = places, .count = 2};
	const struct session session = {.topology = &topology};
	struct topology found = {0};
	char *text = recording_json_session(&session);
	struct session read;

	assert_true(recording_parse_session(text, strlen(text), &read, &found));
	assert_int_equal(found.count, 2);
	assert_memory_equal(found.cpus, places, sizeof(places));
	assert_ptr_equal(read.topology, &found);
	topology_fini(&found);
	assert_lies_found(text, lies, COUNT_OF(lies), parses_session);
	free(text);
}

UNIT_TEST(parse_scope_with_a_lie_in_it_is_refused)
{
	static const char *const lies[][2] = {
		{"\"tree\"", "\"wood\""}, {"\"tree\"", "2"}, {"[7]", "7"},
		{"[7]", "[-7]"},          {"[7]", "[0]"},    {"[7]", "[\"7\"]"},
		{"[7]", "[2147483648]"},  {"[7]", "[7,{}]"}, {"}", ""},
	};
	struct target_pids targets = {.kind = TARGET_PIDS_TREE};
	char *text;

	target_pids_add(&targets, 7);
	text = recording_json_targets(&targets);
	assert_lies_found(text, lies, COUNT_OF(lies), parses_targets);
	free(text);
	target_pids_fini(&targets);
}

static void *no_memory(size_t size)
{
	(void)size;
	return NULL;
}

/* It is not the text that is wrong then. */
UNIT_TEST(parse_session_without_memory_ends_the_program)
{
	int status;
	const pid_t child = fork();

	if (child == 0) {
		struct session read;
		struct topology found;

		json_set_alloc_funcs(no_memory, free);
		recording_parse_session("{}", 2, &read, &found);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 1);
}

UNIT_MAIN(NULL, NULL)
