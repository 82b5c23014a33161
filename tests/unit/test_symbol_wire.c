/* Packets between the program and its helper: what is written is read again, what is broken does no
 * harm. */
#include "base/strbuf.h"
#include "kernel/decode.h"

#include "symbol/wire.h"
#include "unit.h"

static struct strbuf packet;
static struct codec writer = {.to = &packet};

static int tear_down(void **state)
{
	strbuf_fini(&packet);
	return 0;
}

static struct codec reader_of(size_t size)
{
	return codec_of(packet.text, size);
}

static struct address_answer sample = {
	.start = 0x100,
	.end = 0x180,
	.reason = SYMBOL_REASON_NONE,
	.function_start = 0x80,
	.function_end = 0x200,
	.name = "main",
	.lines = {{"inner", "/a.h", 7}, {NULL, "/a.c", 12}},
	.line_count = 2,
};

UNIT_TEST(answer_is_read_as_it_was_written)
{
	struct codec reader;
	struct address_answer answer = {0};

	wire_answer(&writer, &sample);
	reader = reader_of(packet.length);
	wire_answer(&reader, &answer);

	assert_false(reader.has_failed);
	assert_ptr_equal(reader.at, reader.end);
	assert_int_equal(answer.start, 0x100);
	assert_int_equal(answer.end, 0x180);
	assert_int_equal(answer.function_start, 0x80);
	assert_int_equal(answer.function_end, 0x200);
	assert_string_equal(answer.name, "main");
	assert_null(answer.module);
	assert_int_equal(answer.line_count, 2);
	assert_string_equal(answer.lines[0].function, "inner");
	assert_string_equal(answer.lines[0].file, "/a.h");
	assert_null(answer.lines[1].function);
	assert_int_equal(answer.lines[1].line, 12);
}

UNIT_TEST(object_is_read_as_it_was_written)
{
	struct wire_object object = {
		.serial = 9,
		.kind = SYMBOL_OBJECT_FILE,
		.is_live = true,
		.pid = -2,
		.start = 1,
		.end = 2,
		.inode = 3,
		.major = 4,
		.minor = 5,
		.build_id = {1, 2, 3},
		.build_id_size = 20,
		.name = "/bin/true",
	};
	struct wire_object read = {0};
	struct codec reader;

	wire_object(&writer, &object);
	reader = reader_of(packet.length);
	wire_object(&reader, &read);

	assert_false(reader.has_failed);
	assert_int_equal(read.serial, 9);
	assert_int_equal(read.pid, -2);
	assert_true(read.is_live);
	assert_int_equal(read.minor, 5);
	assert_memory_equal(read.build_id, object.build_id, 20);
	assert_string_equal(read.name, "/bin/true");
}

UNIT_TEST(head_is_read_as_it_was_written)
{
	struct wire_head head = {
		.is_last = true,
		.cpu_ns = 1,
		.opener_bytes = 2,
		.facts = {SYMBOL_REASON_NO_FILE, .has_no_lines = true, .version = 3},
	};
	struct wire_head read = {0};
	struct codec reader;

	wire_head(&writer, &head);
	reader = reader_of(packet.length);
	wire_head(&reader, &read);

	assert_int_equal(packet.length, WIRE_HEAD_BYTES);
	assert_ptr_equal(reader.at, reader.end);
	assert_true(read.is_last);
	assert_int_equal(read.opener_bytes, 2);
	assert_int_equal(read.facts.reason, SYMBOL_REASON_NO_FILE);
	assert_false(read.facts.is_deleted);
	assert_true(read.facts.has_no_lines);
	assert_int_equal(read.facts.version, 3);
}

/* A helper that was taken over may send anything. */
UNIT_TEST(numbers_that_stand_for_nothing_are_faults)
{
	struct wire_head head = {.facts.reason = SYMBOL_REASON_COUNT};
	struct wire_head read = {0};
	struct codec reader;

	wire_head(&writer, &head);
	reader = reader_of(packet.length);
	wire_head(&reader, &read);

	assert_true(reader.has_failed);
	assert_int_equal(read.facts.reason, SYMBOL_REASON_NONE);
}

UNIT_TEST(answer_that_is_cut_anywhere_is_seen_to_be)
{
	wire_answer(&writer, &sample);
	for (size_t size = 0; size < packet.length; size++) {
		/* of its own size, so that a sanitizer sees a step over the end */
		char *copy = malloc(size + 1);
		struct codec reader = codec_of(copy, size);
		struct address_answer answer = {0};

		memcpy(copy, packet.text, size);
		wire_answer(&reader, &answer);
		assert_true(reader.has_failed);
		free(copy);
	}
}

UNIT_TEST(texts_that_are_too_long_are_cut)
{
	char name[5000];
	const char *text = name;
	struct codec reader;

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	codec_text(&writer, &text, WIRE_NAME_BYTES);
	reader = reader_of(packet.length);
	codec_text(&reader, &text, WIRE_NAME_BYTES);

	assert_int_equal(strlen(text), WIRE_NAME_BYTES);
	assert_false(reader.has_failed);
}

UNIT_TEST(lengths_and_counts_that_lie_are_refused)
{
	static const uint32_t numbers[] = {UINT32_MAX - 1, WIRE_TEXT_BYTES + 1, 100, 4};

	for (size_t i = 0; i < COUNT_OF(numbers); i++) {
		const char *text = "";
		struct codec reader;

		strbuf_clear(&packet);
		codec_put_u32(&packet, numbers[i]);
		strbuf_add(&packet, "short");
		reader = reader_of(packet.length);
		codec_text(&reader, &text, WIRE_TEXT_BYTES);
		assert_null(text);
		assert_true(reader.has_failed);
		assert_int_equal(codec_u64(&reader), 0);
	}
}

UNIT_MAIN(NULL, tear_down)
