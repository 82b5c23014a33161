/* See bytes.h. Words are copied, for nothing in a file needs to be aligned in our memory. */

#include "kernel/perfdata/bytes.h"

#include <string.h>

#include <linux/perf_event.h>

#include "base/strbuf.h"
#include "kernel/perfdata/disk.h"

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

void bytes_header(struct strbuf *buffer, uint32_t type, size_t size)
{
	struct perf_event_header header = {.type = type, .size = (uint16_t)size};

	strbuf_add_bytes(buffer, (const char *)&header, sizeof(header));
}

size_t bytes_whole_records(const char *bytes, size_t size)
{
	struct perf_event_header header;
	size_t whole = 0;

	while (size - whole >= sizeof(header)) {
		memcpy(&header, bytes + whole, sizeof(header));
		if (header.size < sizeof(header) || header.size > size - whole)
			break;
		whole += header.size;
	}
	return whole;
}
