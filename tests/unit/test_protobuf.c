/* Protobuf's encoding, byte for byte. */

#include "base/strbuf.h"
#include "batch/protobuf.h"

#include "unit.h"

static void assert_bytes(struct strbuf *text, const char *bytes, size_t size)
{
	assert_int_equal(text->length, size);
	assert_memory_equal(strbuf_text(text), bytes, size);
	strbuf_fini(text);
}

UNIT_TEST(protobuf_numbers_have_as_many_bytes_as_they_need)
{
	static const struct {
		uint64_t number;
		const char *bytes;
		size_t size;
	} cases[] = {
		{0, "", 0},
		{1, "\x08\x01", 2},
		{127, "\x08\x7f", 2},
		{128, "\x08\x80\x01", 3},
		{300, "\x08\xac\x02", 3},
		{UINT64_MAX, "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct strbuf text = {0};

		protobuf_number(&text, 1, cases[i].number);
		assert_bytes(&text, cases[i].bytes, cases[i].size);
	}
}

UNIT_TEST(protobuf_of_a_field_above_15_has_a_longer_tag)
{
	struct strbuf text = {0};

	protobuf_number(&text, 16, 5);
	assert_bytes(&text, "\x80\x01\x05", 3);
}

UNIT_TEST(protobuf_bytes_have_their_length_before_them)
{
	struct strbuf text = {0}, inner = {0};

	protobuf_bytes(&text, 2, "testing", 7);
	protobuf_number(&inner, 1, 150);
	protobuf_take(&text, 3, &inner);
	assert_int_equal(inner.length, 0);
	protobuf_take(&text, 4, &inner);
	strbuf_fini(&inner);
	assert_bytes(&text, "\x12\x07testing\x1a\x03\x08\x96\x01\x22\x00", 16);
}

UNIT_MAIN(NULL, NULL)
