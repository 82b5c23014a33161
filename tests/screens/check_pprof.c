/*
 * Reads profiles after pprof's profile.proto, and adds them up: what pprof.sh has brought home.
 * NAME.pprof is a profile, NAME.functions the same intervals in JSON.
 *
 *	check_pprof NAME... TOP,NAME,COUNT...
 *
 * TOP,NAME,COUNT: TOP has the COUNT heaviest stacks of NAME, and the rest as one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#include "results.h"

enum {
	TESTS = 3,
	RUNS_MAX = 16,
	PATH_BYTES = 4096,
	BYTES_MAX = 64 << 20,
	FIELDS_MAX = 16,
	LIST_MAX = 2048
};

/* A message, or what a field of one has: a number, or bytes. */
struct field {
	unsigned int number, wire;
	uint64_t value;
	const unsigned char *bytes;
	size_t size;
};

struct cursor {
	const unsigned char *at, *end;
};

static uint64_t take_varint(struct cursor *cursor)
{
	uint64_t value = 0;

	for (unsigned int shift = 0;; shift += 7) {
		assert_true(cursor->at < cursor->end && shift < 64);
		value |= (uint64_t)(*cursor->at & 0x7f) << shift;
		if (!(*cursor->at++ & 0x80))
			return value;
	}
}

static bool take_field(struct cursor *cursor, struct field *field)
{
	uint64_t tag;

	if (cursor->at == cursor->end)
		return false;
	tag = take_varint(cursor);
	*field = (struct field){.number = (unsigned int)(tag >> 3), .wire = tag & 7};
	assert_true(field->wire == 0 || field->wire == 2);
	field->value = take_varint(cursor);
	if (field->wire == 0)
		return true;
	assert_true(field->value <= (uint64_t)(cursor->end - cursor->at));
	field->bytes = cursor->at;
	field->size = field->value;
	cursor->at += field->size;
	return true;
}

static struct cursor cursor_of(const struct field *field)
{
	return (struct cursor){field->bytes, field->bytes + field->size};
}

/* The last number that the message has of a field; 0: none. */
static uint64_t number_of(const struct field *message, unsigned int number)
{
	struct cursor cursor = cursor_of(message);
	struct field field;
	uint64_t value = 0;

	while (take_field(&cursor, &field))
		if (field.number == number && field.wire == 0)
			value = field.value;
	return value;
}

/* Messages of one kind, in their order. */
struct messages {
	struct field *list;
	size_t count;
};

struct profile {
	unsigned char *bytes;
	struct messages fields[FIELDS_MAX];
	uint64_t default_type;
};

enum {
	TYPE = 1,
	SAMPLE,
	MAPPING,
	LOCATION,
	FUNCTION,
	STRING,
	DEFAULT_TYPE = 14
};

static struct profile read_profile(const char *run)
{
	struct profile profile = {.bytes = malloc(BYTES_MAX)};
	struct cursor cursor;
	struct field field;
	char path[PATH_BYTES];
	gzFile file;
	int size;

	snprintf(path, sizeof(path), "%s/%s.pprof", getenv("GUEST_RESULTS"), run);
	file = gzopen(path, "rb");
	assert_non_null(file);
	size = gzread(file, profile.bytes, BYTES_MAX);
	assert_true(size > 0 && size < BYTES_MAX && !gzdirect(file));
	assert_int_equal(gzclose(file), Z_OK);
	cursor = (struct cursor){profile.bytes, profile.bytes + size};
	while (take_field(&cursor, &field)) {
		struct messages *messages = &profile.fields[field.number];

		assert_true(field.number < FIELDS_MAX);
		if (field.number == DEFAULT_TYPE)
			profile.default_type = field.value;
		messages->list =
			realloc(messages->list, (messages->count + 1) * sizeof(*messages->list));
		messages->list[messages->count++] = field;
	}
	return profile;
}

static void free_profile(struct profile *profile)
{
	for (size_t i = 0; i < FIELDS_MAX; i++)
		free(profile->fields[i].list);
	free(profile->bytes);
}

/* Good until the next. */
static const char *string_of(const struct profile *profile, uint64_t index)
{
	static char text[LIST_MAX];

	assert_true(index < profile->fields[STRING].count);
	snprintf(text, sizeof(text), "%.*s", (int)profile->fields[STRING].list[index].size,
		 (const char *)profile->fields[STRING].list[index].bytes);
	return text;
}

/* Ids are 1, 2, and so on here. */
static const struct field *part_of(const struct profile *profile, unsigned int kind, uint64_t id)
{
	assert_true(id > 0 && id <= profile->fields[kind].count);
	return &profile->fields[kind].list[id - 1];
}

/* The numbers of a packed list. */
static size_t list_of(const struct field *message, unsigned int number,
		      uint64_t list[static LIST_MAX])
{
	struct cursor cursor = cursor_of(message), inner;
	struct field field;
	size_t count = 0;

	while (take_field(&cursor, &field)) {
		if (field.number != number || field.wire != 2)
			continue;
		for (inner = cursor_of(&field); inner.at < inner.end;) {
			assert_true(count < LIST_MAX);
			list[count++] = take_varint(&inner);
		}
	}
	return count;
}

static void assert_ids(const struct profile *profile, unsigned int kind)
{
	for (size_t i = 0; i < profile->fields[kind].count; i++)
		assert_int_equal(number_of(&profile->fields[kind].list[i], 1), i + 1);
}

static void assert_labels(const struct profile *profile, const struct field *sample)
{
	struct cursor cursor = cursor_of(sample);
	struct field label;
	bool has_task = false;

	while (take_field(&cursor, &label)) {
		const char *key;

		if (label.number != 3)
			continue;
		key = string_of(profile, number_of(&label, 1));
		has_task |= strcmp(key, "task") == 0;
		assert_true(strstr("task pid tid cgroup container", key) != NULL);
		string_of(profile, number_of(&label, 2));
	}
	assert_true(has_task);
}

/* Nor is there one that is called like another. */
static void no_type_is_without_a_value(void **state)
{
	struct profile profile = read_profile(*state);
	uint64_t values[LIST_MAX];

	for (size_t i = 0; i < profile.fields[TYPE].count; i++) {
		const uint64_t name = number_of(&profile.fields[TYPE].list[i], 1);
		uint64_t sum = 0;

		for (size_t k = 0; k < profile.fields[SAMPLE].count; k++) {
			list_of(&profile.fields[SAMPLE].list[k], 2, values);
			sum += values[i];
		}
		if (sum == 0)
			fail_msg("%s: no sample has it", string_of(&profile, name));
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(number_of(&profile.fields[TYPE].list[k], 1), name);
	}
	free_profile(&profile);
}

static void profile_is_as_its_format_wants_it(void **state)
{
	struct profile profile = read_profile(*state);
	uint64_t list[LIST_MAX];

	assert_string_equal(string_of(&profile, 0), "");
	assert_true(profile.fields[SAMPLE].count > 0);
	assert_ids(&profile, MAPPING);
	assert_ids(&profile, LOCATION);
	assert_ids(&profile, FUNCTION);
	for (size_t i = 0; i < profile.fields[MAPPING].count; i++) {
		const struct field *mapping = &profile.fields[MAPPING].list[i];

		string_of(&profile, number_of(mapping, 5));
		string_of(&profile, number_of(mapping, 6));
	}
	for (size_t i = 0; i < profile.fields[LOCATION].count; i++)
		part_of(&profile, MAPPING, number_of(&profile.fields[LOCATION].list[i], 2));
	for (size_t i = 0; i < profile.fields[FUNCTION].count; i++)
		assert_true(string_of(&profile,
				      number_of(&profile.fields[FUNCTION].list[i], 2))[0] != '\0');
	for (size_t i = 0; i < profile.fields[SAMPLE].count; i++) {
		const struct field *sample = &profile.fields[SAMPLE].list[i];

		assert_int_equal(list_of(sample, 2, list), profile.fields[TYPE].count);
		assert_true(list_of(sample, 1, list) > 0);
		assert_labels(&profile, sample);
	}
	free_profile(&profile);
}

/* --- the sums */

static void add_number(json_t *sums, const char *name, const char *what, double more)
{
	char key[2 * LIST_MAX];

	snprintf(key, sizeof(key), "%s %s", name, what);
	json_object_set_new(sums, key,
			    json_real(json_number_value(json_object_get(sums, key)) + more));
}

/* What a location's innermost line is of; good until the next. */
static const char *function_at(const struct profile *profile, uint64_t location)
{
	struct cursor cursor = cursor_of(part_of(profile, LOCATION, location));
	struct field line;

	while (take_field(&cursor, &line))
		if (line.number == 4)
			return string_of(
				profile,
				number_of(part_of(profile, FUNCTION, number_of(&line, 1)), 2));
	fail_msg("a location without a line");
	return "";
}

static bool is_event(const char *type)
{
	return strcmp(type, "cycles") == 0 || strcmp(type, "instructions") == 0;
}

static json_t *sums_of_profile(const struct profile *profile)
{
	json_t *sums = json_object();
	uint64_t locations[LIST_MAX], values[LIST_MAX];

	for (size_t i = 0; i < profile->fields[SAMPLE].count; i++) {
		const struct field *sample = &profile->fields[SAMPLE].list[i];
		const size_t types = list_of(sample, 2, values);
		char name[LIST_MAX];
		double shown = 0;

		assert_true(list_of(sample, 1, locations) > 0);
		snprintf(name, sizeof(name), "%s", function_at(profile, locations[0]));
		for (size_t k = 0; k < types; k++) {
			const struct field *type = &profile->fields[TYPE].list[k];
			const bool is_shown = number_of(type, 1) == profile->default_type;
			const char *what = string_of(profile, number_of(type, 1));

			shown += is_shown || strcmp(what, "off-cpu") == 0 ? (double)values[k] : 0;
			if (is_event(what) || strcmp(what, "samples") == 0)
				add_number(sums, name, what, (double)values[k]);
		}
		add_number(sums, name, "weight", shown);
	}
	return sums;
}

/* As stacks call it. */
static void name_of_function(const json_t *function, char name[static LIST_MAX])
{
	const char *words = json_string_value(json_object_get(function, "function"));
	const char *object = json_string_value(json_object_get(function, "object"));

	if (strcmp(words, "[unknown]") != 0 || !object)
		snprintf(name, LIST_MAX, "%s", words);
	else
		snprintf(name, LIST_MAX, object[0] == '[' ? "%s" : "[%s]", object);
}

/* Of an interval with one IPC of each function it is that of the profile. */
static void assert_ipc(const json_t *sums, const char *name, const json_t *function)
{
	const json_t *ipc = json_object_get(json_object_get(function, "metrics"), "ipc");
	char cycles[2 * LIST_MAX], instructions[2 * LIST_MAX];
	double share;

	snprintf(cycles, sizeof(cycles), "%s cycles", name);
	snprintf(instructions, sizeof(instructions), "%s instructions", name);
	share = json_number_value(json_object_get(sums, instructions)) /
		json_number_value(json_object_get(sums, cycles));
	if (ipc)
		assert_true(share > json_number_value(ipc) * 0.999999 &&
			    share < json_number_value(ipc) * 1.000001);
}

static bool has_name(const json_t *function)
{
	return strcmp(json_string_value(json_object_get(function, "function")), "[unknown]") != 0;
}

static void values_are_those_of_the_view(void **state)
{
	struct profile profile = read_profile(*state);
	json_t *sums = sums_of_profile(&profile), *wanted = json_object(), *interval, *each;
	json_t *intervals, *value;
	char name[LIST_MAX];
	const char *key;
	size_t i, k;

	snprintf(name, sizeof(name), "%s.functions", (const char *)*state);
	intervals = results_intervals(name);
	json_array_foreach (intervals, i, interval)
		json_array_foreach (json_object_get(interval, "functions"), k, each) {
			name_of_function(each, name);
			add_number(wanted, name, "weight",
				   json_number_value(json_object_get(each, "self_weight")));
			add_number(wanted, name, "samples",
				   json_number_value(json_object_get(each, "self_samples")));
			if (json_array_size(intervals) == 1 && has_name(each))
				assert_ipc(sums, name, each);
		}
	assert_true(json_object_size(wanted) > 0);
	json_object_foreach (wanted, key, value)
		if (json_number_value(value) != json_number_value(json_object_get(sums, key)))
			fail_msg("%s: %.0f in the profile, %.0f in JSON", key,
				 json_number_value(json_object_get(sums, key)),
				 json_number_value(value));
	json_object_foreach (sums, key, value)
		if ((strstr(key, " weight") || strstr(key, " samples")) &&
		    !json_object_get(wanted, key))
			fail_msg("%s: in the profile only", key);
	json_decref(sums);
	json_decref(wanted);
	free_profile(&profile);
}

static void add_up(const struct profile *profile, size_t first, uint64_t sums[static LIST_MAX])
{
	uint64_t values[LIST_MAX];

	for (size_t i = first; i < profile->fields[SAMPLE].count; i++) {
		const size_t count = list_of(&profile->fields[SAMPLE].list[i], 2, values);

		for (size_t k = 0; k < count; k++)
			sums[k] += values[k];
	}
}

/* state: "TOP,ALL,COUNT", one of which has the heaviest stacks of the other and, last, the rest. */
static void what_is_left_out_is_the_rest(void **state)
{
	char top_name[LIST_MAX], all_name[LIST_MAX];
	uint64_t sums[LIST_MAX] = {0}, all_sums[LIST_MAX] = {0}, rest[LIST_MAX] = {0};
	uint64_t locations[LIST_MAX];
	struct profile top, all;
	unsigned int count;

	assert_int_equal(sscanf(*state, "%[^,],%[^,],%u", top_name, all_name, &count), 3);
	top = read_profile(top_name);
	all = read_profile(all_name);
	assert_int_equal(top.fields[SAMPLE].count, count + 1);
	assert_true(all.fields[SAMPLE].count > count + 1);
	add_up(&top, 0, sums);
	add_up(&all, 0, all_sums);
	assert_memory_equal(sums, all_sums, sizeof(sums));
	add_up(&top, count, rest);
	assert_true(rest[0] > 0 && rest[0] < sums[0] && rest[1] > 0 && rest[1] < sums[1]);
	assert_int_equal(list_of(&top.fields[SAMPLE].list[count], 1, locations), 1);
	assert_string_equal(function_at(&top, locations[0]), "[left out]");
	free_profile(&top);
	free_profile(&all);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest of_top = cmocka_unit_test(what_is_left_out_is_the_rest);
	static const struct CMUnitTest tests[TESTS] = {
		cmocka_unit_test(profile_is_as_its_format_wants_it),
		cmocka_unit_test(no_type_is_without_a_value),
		cmocka_unit_test(values_are_those_of_the_view),
	};
	struct CMUnitTest all[RUNS_MAX * TESTS];
	size_t count = 0;

	for (int i = 1; i < argc && i <= RUNS_MAX; i++) {
		const bool is_top = strchr(argv[i], ',');

		for (int k = 0; k < (is_top ? 1 : TESTS); k++) {
			all[count] = is_top ? of_top : tests[k];
			all[count++].initial_state = argv[i];
		}
	}
	return _cmocka_run_group_tests("pprof", all, count, NULL, NULL) != 0 || count == 0;
}
