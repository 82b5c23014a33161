#include "batch/protobuf.h"

#include "base/strbuf.h"

enum {
	WIRE_VARINT = 0,
	WIRE_BYTES = 2,
	WIRE_BITS = 3 /* of a tag, below the number of the field */
};

void protobuf_varint(struct strbuf *out, uint64_t number)
{
	for (; number >= 0x80; number >>= 7)
		strbuf_add_char(out, (char)(number | 0x80));
	strbuf_add_char(out, (char)number);
}

void protobuf_number(struct strbuf *out, unsigned int field, uint64_t number)
{
	if (number == 0)
		return;
	protobuf_varint(out, field << WIRE_BITS | WIRE_VARINT);
	protobuf_varint(out, number);
}

void protobuf_bytes(struct strbuf *out, unsigned int field, const char *bytes, size_t size)
{
	protobuf_varint(out, field << WIRE_BITS | WIRE_BYTES);
	protobuf_varint(out, size);
	strbuf_add_bytes(out, bytes, size);
}

void protobuf_take(struct strbuf *out, unsigned int field, struct strbuf *bytes)
{
	protobuf_bytes(out, field, strbuf_text(bytes), bytes->length);
	strbuf_clear(bytes);
}
