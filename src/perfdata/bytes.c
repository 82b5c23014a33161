/* See bytes.h. Words are copied, for nothing in a file needs to be aligned in our memory. */

#include "perfdata/bytes.h"

#include <string.h>

#include "base/strbuf.h"

#include "perfdata/disk.h"

void bytes_u32(struct strbuf *buffer, uint32_t value)
{
	strbuf_add_bytes(buffer, (const char *)&value, sizeof(value));
}

void bytes_u64(struct strbuf *buffer, uint64_t value)
{
	strbuf_add_bytes(buffer, (const char *)&value, sizeof(value));
}

void bytes_pad(struct strbuf *buffer, size_t start, size_t align)
{
	strbuf_add_repeated(buffer, '\0', (align - (buffer->length - start) % align) % align);
}

void bytes_text(struct strbuf *buffer, const char *text)
{
	size_t length = strlen(text) + 1;
	size_t padded = (length + DISK_TEXT_ALIGN - 1) / DISK_TEXT_ALIGN * DISK_TEXT_ALIGN;

	bytes_u32(buffer, (uint32_t)padded);
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

struct fields fields_of(const void *bytes, size_t size)
{
	return (struct fields){
		.at = bytes,
		.end = (const unsigned char *)bytes + size,
	};
}

size_t fields_left(const struct fields *fields)
{
	return (size_t)(fields->end - fields->at);
}

const unsigned char *fields_bytes(struct fields *fields, uint64_t size)
{
	const unsigned char *bytes = fields->at;

	if (size > fields_left(fields)) {
		fields->is_short = true;
		fields->at = fields->end;
		return NULL;
	}
	fields->at += size;
	return bytes;
}

static void take_number_bytes(struct fields *fields, void *value, size_t size)
{
	const unsigned char *bytes = fields_bytes(fields, size);

	if (bytes)
		memcpy(value, bytes, size);
}

uint32_t fields_u32(struct fields *fields)
{
	uint32_t value = 0;

	take_number_bytes(fields, &value, sizeof(value));
	return value;
}

uint64_t fields_u64(struct fields *fields)
{
	uint64_t value = 0;

	take_number_bytes(fields, &value, sizeof(value));
	return value;
}

static void copy_cut_text(char *text, size_t size, const unsigned char *bytes, size_t count)
{
	size_t length = strnlen((const char *)bytes, count < size - 1 ? count : size - 1);

	memcpy(text, bytes, length);
	text[length] = '\0';
}

void fields_text(struct fields *fields, char *text, size_t size)
{
	uint32_t room = fields_u32(fields);
	const unsigned char *bytes = fields_bytes(fields, room);

	if (!bytes) {
		text[0] = '\0';
		return;
	}
	copy_cut_text(text, size, bytes, room);
}

void fields_rest(struct fields *fields, char *text, size_t size)
{
	copy_cut_text(text, size, fields->at, fields_left(fields));
	fields->at = fields->end;
}
