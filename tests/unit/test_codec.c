/* What is written is read again; what is cut or lies is a fault, and all behind it is nothing. */

#include <stdlib.h>

#include "base/codec.h"
#include "base/strbuf.h"

#include "unit.h"

enum {
	TEXT_MAX = 5
};

struct thing {
	uint8_t byte;
	int16_t negative;
	bool flag;
	uint64_t large;
	const char *text, *none;
};

static struct strbuf buffer;

static void code_thing(struct codec *codec, struct thing *thing)
{
	CODE(codec, thing->byte);
	CODE(codec, thing->negative);
	CODE(codec, thing->flag);
	codec_text(codec, &thing->text, TEXT_MAX);
	codec_text(codec, &thing->none, TEXT_MAX);
	CODE(codec, thing->large);
}

static void write_thing(const char *text)
{
	struct thing thing = {200, -300, true, UINT64_MAX - 1, text, NULL};

	strbuf_clear(&buffer);
	code_thing(&(struct codec){.to = &buffer}, &thing);
}

static int tear_down(void **state)
{
	strbuf_fini(&buffer);
	return 0;
}

UNIT_TEST(codec_reads_what_it_has_written)
{
	struct thing thing = {.none = "some"};
	struct codec codec;

	write_thing("text that is cut");
	assert_int_equal(buffer.length, 1 + 2 + 1 + 4 + TEXT_MAX + 1 + 4 + 8);
	codec = codec_of(buffer.text, buffer.length);
	code_thing(&codec, &thing);

	assert_false(codec.has_failed);
	assert_int_equal(codec_left(&codec), 0);
	assert_int_equal(thing.byte, 200);
	assert_int_equal(thing.negative, -300);
	assert_true(thing.flag);
	assert_string_equal(thing.text, "text ");
	assert_null(thing.none);
	assert_true(thing.large == UINT64_MAX - 1);
}

UNIT_TEST(codec_numbers_are_in_the_order_of_the_machine)
{
	const uint32_t number = 0x01020304;

	codec_put_u32(&buffer, number);
	assert_memory_equal(buffer.text, &number, sizeof(number));
}

/* In memory of just that size, which the sanitizer guards. */
UNIT_TEST(codec_what_is_cut_anywhere_is_a_fault)
{
	write_thing("text");
	for (size_t size = 0; size < buffer.length; size++) {
		char *cut = malloc(size > 0 ? size : 1);
		struct codec codec = codec_of(cut, size);
		struct thing thing = {.large = 1};

		memcpy(cut, buffer.text, size);
		code_thing(&codec, &thing);
		assert_true(codec.has_failed);
		assert_true(thing.large == 0);
		assert_int_equal(codec_left(&codec), 0);
		assert_null(codec_bytes(&codec, NULL, 0));
		free(cut);
	}
}

UNIT_TEST(codec_text_that_is_longer_or_does_not_end_is_a_fault)
{
	static const struct {
		uint32_t length;
		const char *bytes;
	} cases[] = {{TEXT_MAX + 1, "123456"}, {3, "1234"}, {UINT32_MAX - 1, "1"}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *text = "";
		struct codec codec;

		strbuf_clear(&buffer);
		codec_put_u32(&buffer, cases[i].length);
		strbuf_add_bytes(&buffer, cases[i].bytes, strlen(cases[i].bytes) + 1);
		codec = codec_of(buffer.text, buffer.length);
		codec_text(&codec, &text, TEXT_MAX);
		assert_null(text);
		assert_true(codec.has_failed);
	}
}

UNIT_MAIN(NULL, tear_down)
