/* The smaller parts of a replay: formats in tracing data, words of perf's command.
 */

#include "perfdata/reader.h"
#include "perfdata/replaying.h"
#include "perfdata/tracing.h"
#include "unit.h"

struct data {
	unsigned char bytes[1024];
	size_t size;
};

static void put(struct data *data, const void *bytes, size_t size)
{
	memcpy(data->bytes + data->size, bytes, size);
	data->size += size;
}

static void put_u32(struct data *data, uint32_t number)
{
	put(data, &number, sizeof(number));
}

static void put_format(struct data *data, const char *text)
{
	const uint64_t length = strlen(text);

	put(data, &length, sizeof(length));
	put(data, text, strlen(text));
}

/* One format of ftrace's own, and one system with two. */
static void make(struct data *data)
{
	static const unsigned char magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

	const unsigned char is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	data->size = 0;
	put(data, magic, sizeof(magic));
	put(data, "0.6", 4);
	put(data, &is_big, 1);
	put(data, "\10", 1);
	put_u32(data, 4096);
	put(data, "header_page", 12);
	put_format(data, "page");
	put(data, "header_event", 13);
	put_format(data, "");
	put_u32(data, 1);
	put_format(data, "name: function\nID: 1\nformat:\n");
	put_u32(data, 1);
	put(data, "sched", 6);
	put_u32(data, 2);
	put_format(data, "name: sched_switch\nID: 372\nformat:\n");
	put_format(data, "name: sched_waking\nID: 37\nformat:\n");
}

static struct tracing_formats *formats;

static void read_formats(struct perfdata_info *info, const void *bytes, size_t size)
{
	formats = tracing_read(bytes, size);
	*info = (struct perfdata_info){.formats = formats};
}

static void expect_format(const struct perfdata_info *info, uint64_t number, const char *text)
{
	char *format = perfdata_find_format(info, number);

	assert_string_equal(format, text);
	free(format);
}

UNIT_TEST(trace_format_is_found_by_its_number)
{
	struct data data;
	struct perfdata_info info;

	make(&data);
	read_formats(&info, data.bytes, data.size);
	expect_format(&info, 37, "name: sched_waking\nID: 37\nformat:\n");
	expect_format(&info, 1, "name: function\nID: 1\nformat:\n");
	assert_null(perfdata_find_format(&info, 3));
	tracing_formats_destroy(formats);
	assert_null(perfdata_find_format(&(struct perfdata_info){0}, 1));
}

UNIT_TEST(trace_format_has_the_name_of_its_tracepoint)
{
	struct perfdata_info info;
	struct data data;
	char name[32] = "as it was";

	make(&data);
	read_formats(&info, data.bytes, data.size);
	assert_false(tracing_name(formats, 3, name, sizeof(name)));
	assert_string_equal(name, "as it was");
	assert_true(tracing_name(formats, 37, name, sizeof(name)));
	assert_string_equal(name, "sched:sched_waking");
	assert_true(tracing_name(formats, 1, name, sizeof(name)));
	assert_string_equal(name, "ftrace:function");
	assert_true(tracing_name(formats, 37, name, 8));
	assert_string_equal(name, "sched:s");
	tracing_formats_destroy(formats);
}

UNIT_TEST(trace_format_with_a_name_that_is_none_has_none)
{
	struct perfdata_info info;
	struct data data;
	char format[600], name[32] = "as it was";

	memset(format, 'a', sizeof(format));
	memcpy(format, "name: ", 6);
	snprintf(format + 500, sizeof(format) - 500, "\nID: 37\n");
	make(&data);
	data.size -= 8 + strlen("name: sched_waking\nID: 37\nformat:\n");
	put_format(&data, format);
	read_formats(&info, data.bytes, data.size);
	expect_format(&info, 37, format);

	assert_false(tracing_name(formats, 37, name, sizeof(name)));
	assert_string_equal(name, "as it was");
	tracing_formats_destroy(formats);
}

UNIT_TEST(trace_format_of_data_that_end_early_is_none)
{
	struct data data;

	make(&data);
	for (size_t size = 0; size < data.size; size++) {
		unsigned char *exact = malloc(size + 1);
		struct perfdata_info info;

		memcpy(exact, data.bytes, size);
		read_formats(&info, exact, size);
		assert_null(perfdata_find_format(&info, 37));
		tracing_formats_destroy(formats);
		free(exact);
	}
}

UNIT_TEST(words_of_the_command_tell_what_was_counted)
{
	assert_int_equal(replay_scope("perf record -ag sleep 1"), 1);
	assert_int_equal(replay_scope("perf record --all-cpus"), 1);
	assert_int_equal(replay_scope("perf record -C0 -e cycles"), 1);
	assert_int_equal(replay_scope("perf record -p 12"), -1);
	assert_int_equal(replay_scope("/data/user/0/org.example.of.a.name.that.has.many.parts/"
				      "simpleperf64 record --app X"),
			 -1);
	assert_int_equal(replay_scope("simpleperf64 record -a --duration 1"), 1);
	assert_int_equal(replay_scope("/simpleperf/perf record"), 0);
	assert_int_equal(replay_scope("/usr/bin/perf sched record"), 1);
	assert_int_equal(replay_scope("perf kmem record"), 1);
	assert_int_equal(replay_scope("perf record sched"), 0);
	assert_int_equal(replay_scope("perf record -e cycles -- ls -a"), 0);
	assert_int_equal(replay_scope("perf record -e cycles make"), 0);
	assert_int_equal(replay_scope(""), 0);
}

UNIT_MAIN(NULL, NULL)
