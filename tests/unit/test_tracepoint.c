/* Tracepoints of machines that are folders. */

#include <unistd.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/strbuf.h"

#include "event/event.h"
#include "event/tracepoint.h"
#include "fake_root.h"
#include "unit.h"

/* Of a name that must not be found. */
static enum error_code find_refused(const char *group, const char *name, struct error *error)
{
	struct event_spec spec = {.config = 77};

	*error = (struct error){0};
	assert_false(tracepoint_find(fake_root, group, name, &spec, error));
	assert_int_equal(spec.config, 77);
	return error->code;
}

static const char FORMAT[] = "name: sched_switch\nID: 372\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\n"
			     "\n"
			     "\tfield:char prev_comm[16];\toffset:8;\tsize:16;\n"
			     "\tfield:pid_t prev_pid;\toffset:24;\tsize:4;\n"
			     "\n"
			     "print fmt: \"field:x;\", REC->x\n";

static void put_tracefs(const char *place)
{
	static const char *const files[][2] = {
		{"events/sched/sched_switch/id", "372\n"},
		{"events/sched/sched_switch/format", FORMAT},
		{"events/sched/sched_wakeup/id", "375\n"},
		{"events/sched/enable", "0\n"},
		{"events/ftrace/kernel_stack/format", "ID: 4\n"},
		{"events/enable", "0\n"},
		{"secret/id", "1\n"},
	};
	char path[FAKE_NAME_BYTES];

	for (size_t i = 0; i < COUNT_OF(files); i++) {
		snprintf(path, sizeof(path), "%s/%s", place, files[i][0]);
		fake_root_file(path, files[i][1]);
	}
}

UNIT_TEST(tracepoint_find_takes_the_id_from_the_first_place)
{
	struct event_spec spec = {0};
	struct error error = {0};

	fake_root_file("/host/sys/kernel/tracing/events/sched/sched_switch/id", "9\n");
	assert_true(tracepoint_find(fake_root, "sched", "sched_switch", &spec, &error));
	assert_int_equal(spec.config, 9);

	put_tracefs("/sys/kernel/debug/tracing");
	if (!tracepoint_find(fake_root, "sched", "sched_switch", &spec, &error))
		fail_msg("%s", error.text);
	assert_int_equal(spec.config, 372);

	fake_root_file("/sys/kernel/tracing/events/sched/sched_switch/id", "5\n");
	assert_true(tracepoint_find(fake_root, "sched", "sched_switch", &spec, &error));
	assert_int_equal(spec.config, 5);
	assert_int_equal(spec.type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(spec.class, EVENT_CLASS_SOFTWARE);
	assert_string_equal(spec.name, "sched:sched_switch");
	assert_string_equal(spec.pmu, "");
	assert_true(spec.scale == 1);
}

static const char WAKING[] = "name: sched_waking\nID: 375\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
			     "\n"
			     "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			     "\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
			     "\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
			     "\tfield:unsigned int flags;\toffset:32;\tsize:4;\tsigned:0;\n"
			     "\tfield:struct task *task;\toffset:40;\tsize:8;\tsigned:0;\n"
			     "\n"
			     "print fmt: \"comm=%s pid=%d\", REC->comm, REC->pid\n";

UNIT_TEST(tracepoint_parse_field_takes_whole_names_of_numbers_only)
{
	static const struct {
		const char *name;
		struct tracepoint_field field; /* of size 0: there is none */
	} cases[] = {
		{"pid", {24, 4, true}},
		{"common_type", {0, 2, false}},
		{"task", {40, 8, false}},
		{"comm", {0}},
		{"comm[16]", {0}},
		{"id", {0}},
		{"common", {0}},
		{"absent", {0}},
		{"", {0}},
		{"signed", {0}},
		{"pid;", {0}},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct tracepoint_field field = {0};

		begin_case(cases[i].name);
		assert_int_equal(tracepoint_parse_field(WAKING, cases[i].name, &field),
				 cases[i].field.size > 0);
		assert_int_equal(field.offset, cases[i].field.offset);
		assert_int_equal(field.size, cases[i].field.size);
		assert_int_equal(field.is_signed, cases[i].field.is_signed);
	}
}

UNIT_TEST(tracepoint_parse_text_takes_arrays_of_characters_only)
{
	static const char format[] =
		"\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
		"\tfield:int number;\toffset:24;\tsize:4;\tsigned:1;\n"
		"\tfield:__data_loc char[] loc;\toffset:28;\tsize:4;\tsigned:0;\n"
		"\tfield:char next_comm[16];\toffset:32;\tsize:16;\tsigned:0;\n";
	size_t offset, size;

	assert_true(tracepoint_parse_text(format, "comm", &offset, &size));
	assert_int_equal(offset, 8);
	assert_int_equal(size, 16);
	assert_true(tracepoint_parse_text(format, "next_comm", &offset, &size));
	assert_int_equal(offset, 32);
	assert_false(tracepoint_parse_text(format, "number", &offset, &size));
	assert_false(tracepoint_parse_text(format, "loc", &offset, &size));
	assert_false(tracepoint_parse_text(format, "other", &offset, &size));
}

UNIT_TEST(tracepoint_parse_flags_takes_those_of_the_field_only)
{
	static const char format[] =
		"\tfield:long state;\toffset:8;\tsize:8;\tsigned:1;\n\n"
		"print fmt: \"a=%s b=%s\", __print_flags(REC->other & 1, \"|\", { 1, \"X\" }), "
		"__print_flags(REC->state & 3, \"|\", { 0x00000001, \"S\" } , { 2, \"D\" }, "
		"{ 4, \"long\" }, { 0x400, \"N\" })";
	struct tracepoint_flag flags[3];

	assert_int_equal(tracepoint_parse_flags(format, "state", flags, 3), 3);
	assert_int_equal(flags[0].bit, 1);
	assert_int_equal(flags[0].letter, 'S');
	assert_int_equal(flags[1].letter, 'D');
	assert_int_equal(flags[2].bit, 0x400);
	assert_int_equal(flags[2].letter, 'N');
	assert_int_equal(tracepoint_parse_flags(format, "state", flags, 1), 1);
	assert_int_equal(tracepoint_parse_flags(format, "stat", flags, 3), 0);
	assert_int_equal(tracepoint_parse_flags("", "state", flags, 3), 0);
	assert_int_equal(
		tracepoint_parse_flags("\nprint fmt: REC->state { 1, \"S", "state", flags, 3), 0);
}

UNIT_TEST(tracepoint_parse_field_strange_formats_are_refused)
{
	static const char *const formats[] = {
		"",
		"\n\n\n",
		"field:",
		"field:pid_t pid",
		"field:pid_t pid;",
		"field:pid_t pid;\toffset:8;",
		"field:pid_t pid;\tsize:4;",
		"field:pid_t pid;\toffset:;\tsize:4;",
		"field:pid_t pid;\toffset:-8;\tsize:4;",
		"field:pid_t pid;\toffset:8;\tsize:3;",
		"field:pid_t pid;\toffset:8;\tsize:0;",
		"field:pid_t pid;\toffset:8;\tsize:16;",
		"field:pid_t pid;\toffset:65536;\tsize:4;",
		"field:pid_t pid;\toffset:99999999999999999999999;\tsize:4;",
		"field:pid_t pid;\toffset:8x;\tsize:4;",
		"field:pid_t pid;\toffset:8\n\tsize:4;",
		"field:pid_t pid;\noffset:8;\tsize:4;",
		"field:__data_loc pid_t[] pid;\toffset:8;\tsize:4;",
		"field:pid;\toffset:8;\tsize:4;",
	};
	struct tracepoint_field field;

	for (size_t i = 0; i < COUNT_OF(formats); i++)
		if (tracepoint_parse_field(formats[i], "pid", &field))
			fail_msg("taken: %s", formats[i]);

	/* more parts do not matter */
	assert_true(tracepoint_parse_field("field:long\tpid; offset:16; size:8; more:1;", "pid",
					   &field));
	assert_int_equal(field.offset, 16);
	assert_int_equal(field.size, 8);
	assert_false(field.is_signed);
}

UNIT_TEST(tracepoint_read_field_takes_each_size_with_its_sign)
{
	unsigned char raw[] = {0,    0xff, 0,    0,    0,    0,    0,    0,   0,
			       0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	const int16_t small = -2;
	static const struct {
		struct tracepoint_field field;
		int64_t value;
	} cases[] = {
		{{1, 1, true}, -1},     {{1, 1, false}, 255}, {{2, 2, true}, -2},
		{{2, 2, false}, 65534}, {{9, 4, true}, -1},   {{9, 4, false}, UINT32_MAX},
		{{9, 8, true}, -1},     {{0, 1, true}, 0},
	};

	memcpy(raw + 2, &small, sizeof(small));
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		int64_t value;

		assert_true(tracepoint_read_field(&cases[i].field, raw, sizeof(raw), &value));
		assert_int_equal(value, cases[i].value);
	}
}

UNIT_TEST(tracepoint_read_field_beyond_the_data_is_refused)
{
	static const unsigned char raw[8];
	int64_t value = 77;

	for (size_t size = 1; size <= 8; size *= 2) {
		struct tracepoint_field field = {.offset = 8 - size, .size = size};

		assert_true(tracepoint_read_field(&field, raw, 8, &value));
		assert_false(tracepoint_read_field(&field, raw, 7, &value));
		field.offset++;
		assert_false(tracepoint_read_field(&field, raw, 8, &value));
		field.offset = SIZE_MAX;
		assert_false(tracepoint_read_field(&field, raw, 8, &value));
		field.offset = 0;
		assert_false(tracepoint_read_field(&field, NULL, 0, &value));
	}
}

UNIT_TEST(tracepoint_find_field_reads_the_format_file)
{
	struct tracepoint_field field;
	struct error error = {0};

	assert_false(
		tracepoint_find_field(fake_root, "sched", "sched_switch", "pid", &field, &error));
	assert_int_equal(error.code, ERROR_EVENT_TRACEFS);
	put_tracefs("/sys/kernel/tracing");
	assert_true(tracepoint_find_field(fake_root, "sched", "sched_switch", "prev_pid", &field,
					  &error));
	assert_int_equal(field.offset, 24);
	assert_false(
		tracepoint_find_field(fake_root, "sched", "sched_switch", "pid", &field, &error));
	assert_int_equal(error.code, ERROR_EVENT_TRACEPOINT_FIELD);
	assert_string_equal(error.text, "sched:sched_switch: its records have no number pid");
	assert_false(
		tracepoint_find_field(fake_root, "sched", "sched_wakeup", "pid", &field, &error));
	assert_int_equal(error.code, ERROR_EVENT_TRACEFS);
}

UNIT_TEST(tracepoint_find_wrong_names_are_refused)
{
	static const char *const names[][2] = {
		{"..", "secret"},
		{"../events/sched", "sched_switch"},
		{"sched", "../../secret"},
		{"sched/sched_switch", ""},
		{"", "sched_switch"},
		{"sched", ""},
		{"sched", "."},
		{"sched", "enable"},
	};
	static const char *const ids[] = {"", "x\n", "-1\n", "99999999999\n", "3 4\n"};
	static char longest[600];
	struct error error;

	assert_int_equal(find_refused("sched", "sched_switch", &error), ERROR_EVENT_TRACEFS);
	assert_non_null(strstr(error.remedy, "mount"));

	put_tracefs("/sys/kernel/tracing");
	memset(longest, 'x', sizeof(longest) - 1);
	find_refused("sched", longest, &error);
	for (size_t i = 0; i < COUNT_OF(names); i++)
		assert_int_equal(find_refused(names[i][0], names[i][1], &error),
				 ERROR_EVENT_TRACEPOINT_UNKNOWN);
	assert_int_equal(find_refused("sched", "sched_swich", &error),
			 ERROR_EVENT_TRACEPOINT_UNKNOWN);

	for (size_t i = 0; i < COUNT_OF(ids); i++) {
		fake_root_file("/sys/kernel/tracing/events/a/b/id", ids[i]);
		assert_int_equal(find_refused("a", "b", &error), ERROR_EVENT_TRACEFS);
	}
}

UNIT_TEST(tracepoint_has_group_knows_folders_only)
{
	assert_false(tracepoint_has_group(fake_root, "sched"));

	put_tracefs("/sys/kernel/tracing");

	assert_true(tracepoint_has_group(fake_root, "sched"));
	assert_false(tracepoint_has_group(fake_root, "shed"));
	assert_false(tracepoint_has_group(fake_root, ""));
	assert_false(tracepoint_has_group(fake_root, ".."));
	assert_false(tracepoint_has_group(fake_root, "sched/sched_switch"));
	assert_false(tracepoint_has_group(fake_root, "enable") && geteuid() != 0);
}

struct seen {
	size_t count;
	bool has_switch, has_other;
};

static void see(void *context, const char *group, const char *name)
{
	struct seen *seen = context;

	seen->count++;
	seen->has_switch |= strcmp(group, "sched") == 0 && strcmp(name, "sched_switch") == 0;
	seen->has_other |= strcmp(group, "sched") != 0;
}

UNIT_TEST(tracepoint_walk_visits_what_has_an_id)
{
	struct seen seen = {0};
	struct error error = {0};

	assert_false(tracepoint_walk(fake_root, see, &seen, &error));
	assert_int_equal(error.code, ERROR_EVENT_TRACEFS);

	put_tracefs("/sys/kernel/tracing");

	assert_true(tracepoint_walk(fake_root, see, &seen, &error));
	assert_int_equal(seen.count, 2);
	assert_true(seen.has_switch);
	assert_false(seen.has_other);
}

UNIT_TEST(tracepoint_append_fields_leaves_the_common_ones_out)
{
	static const struct {
		const char *format, *fields; /* fields NULL: none but what is cut short */
	} cases[] = {
		{FORMAT, "  char prev_comm[16]\n  pid_t prev_pid\n"},
		{"", NULL},
		{"\n\n", NULL},
		{"\n\n\tfield:", NULL},
		{"\n\n\tfield:int x", NULL},
		{"\n\nfield:;", NULL},
		{"field:int x;\n", NULL},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct strbuf text = {0};

		begin_case(cases[i].format);
		fake_root_file("/sys/kernel/tracing/events/a/b/format", cases[i].format);
		tracepoint_append_fields(fake_root, "a", "b", &text);
		if (cases[i].fields)
			assert_string_equal(strbuf_text(&text), cases[i].fields);
		else
			assert_null(strchr(strbuf_text(&text), 'x'));
		strbuf_fini(&text);
	}
}

UNIT_MAIN(fake_root_setup, fake_root_teardown)
