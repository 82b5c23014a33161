#include "perfdata/bytes.h"

#include <string.h>

#include "base/strbuf.h"

#include "perfdata/disk.h"

void bytes_pad(struct strbuf *buffer, size_t start, size_t align)
{
	strbuf_add_repeated(buffer, '\0', (align - (buffer->length - start) % align) % align);
}

void bytes_text(struct strbuf *buffer, const char *text)
{
	size_t length = strlen(text) + 1;
	size_t padded = (length + DISK_TEXT_ALIGN - 1) / DISK_TEXT_ALIGN * DISK_TEXT_ALIGN;

	codec_put_u32(buffer, (uint32_t)padded);
	strbuf_add_bytes(buffer, text, length);
	strbuf_add_repeated(buffer, '\0', padded - length);
}

void bytes_header(struct strbuf *buffer, uint32_t type, uint16_t misc, size_t size)
{
	const struct record_header header = {type, misc, (uint16_t)(sizeof(header) + size)};

	strbuf_add_bytes(buffer, (const char *)&header, sizeof(header));
}

size_t bytes_whole_records(const char *bytes, size_t size)
{
	struct record_header header;
	size_t whole = 0;

	while (size - whole >= sizeof(header)) {
		header = bytes_take_header(bytes + whole);
		if (header.size < sizeof(header) || header.size > size - whole)
			break;
		whole += header.size;
	}
	return whole;
}

static void copy_cut_text(char *text, size_t size, const unsigned char *bytes, size_t count)
{
	size_t length = strnlen((const char *)bytes, count < size - 1 ? count : size - 1);

	memcpy(text, bytes, length);
	text[length] = '\0';
}

void bytes_take_text(struct codec *fields, char *text, size_t size)
{
	uint32_t room = codec_u32(fields);
	const unsigned char *bytes = codec_bytes(fields, NULL, room);

	if (!bytes) {
		text[0] = '\0';
		return;
	}
	copy_cut_text(text, size, bytes, room);
}

void bytes_take_rest(struct codec *fields, char *text, size_t size)
{
	copy_cut_text(text, size, fields->at, codec_left(fields));
	fields->at = fields->end;
}
