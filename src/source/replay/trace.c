/*
 * The data are one thing after the other, each text behind its length; lengths are in the byte
 * order that the data name themselves:
 *
 *	17 08 44 "tracing" "0.6\0"   byte order (0 little), size of a long, u32 size of a page
 *	"header_page\0" u64 n, n bytes   "header_event\0" u64 n, n bytes
 *	u32 count of ftrace's own formats: u64 n, n bytes each
 *	u32 count of systems: name\0, u32 count of formats: u64 n, n bytes each
 */
#include "source/replay/trace.h"

#include <endian.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

enum {
	FORMAT_BYTES_MAX = 65536,
	NUMBER_MAX = 24
};

struct reader {
	const unsigned char *at;
	size_t left;
	bool is_big;
	bool is_broken;
};

static const unsigned char *take(struct reader *reader, uint64_t size)
{
	const unsigned char *bytes = reader->at;

	if (reader->is_broken || size > reader->left) {
		reader->is_broken = true;
		return NULL;
	}
	reader->at += size;
	reader->left -= size;
	return bytes;
}

static uint32_t take_u32(struct reader *reader)
{
	const unsigned char *bytes = take(reader, sizeof(uint32_t));
	uint32_t number = 0;

	if (!bytes)
		return 0;
	memcpy(&number, bytes, sizeof(number));
	return reader->is_big ? be32toh(number) : le32toh(number);
}

static uint64_t take_u64(struct reader *reader)
{
	const unsigned char *bytes = take(reader, sizeof(uint64_t));
	uint64_t number = 0;

	if (!bytes)
		return 0;
	memcpy(&number, bytes, sizeof(number));
	return reader->is_big ? be64toh(number) : le64toh(number);
}

static void skip_text(struct reader *reader)
{
	const unsigned char *end = reader->left > 0 ? memchr(reader->at, '\0', reader->left) : NULL;

	take(reader, end ? (uint64_t)(end - reader->at) + 1 : UINT64_MAX);
}

/* "ID: 372" at the beginning of a line */
static bool has_number(const char *format, uint64_t number)
{
	const char *line = strstr(format, "\nID: ");
	char digits[NUMBER_MAX] = "";
	uint64_t found;
	size_t length;

	if (!line)
		return false;
	line += strlen("\nID: ");
	length = strcspn(line, "\n");
	if (length >= sizeof(digits))
		return false;
	memcpy(digits, line, length);
	return units_parse_u64(digits, 0, UINT64_MAX, &found) && found == number;
}

/* One of so many formats. */
static char *find_among(struct reader *reader, uint32_t count, uint64_t number)
{
	for (uint32_t i = 0; i < count && !reader->is_broken; i++) {
		const uint64_t size = take_u64(reader);
		const unsigned char *bytes = take(reader, size);
		char *format;

		if (!bytes || size > FORMAT_BYTES_MAX)
			continue;
		format = xstrndup((const char *)bytes, size);
		if (has_number(format, number))
			return format;
		free(format);
	}
	return NULL;
}

/* Behind the head, up to the first format. */
static bool begin(struct reader *reader)
{
	static const unsigned char magic[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};
	const unsigned char *bytes = take(reader, sizeof(magic));

	if (!bytes || memcmp(bytes, magic, sizeof(magic)) != 0)
		return false;
	skip_text(reader); /* version */
	bytes = take(reader, 1);
	reader->is_big = bytes && *bytes != 0;
	take(reader, 1);                /* size of a long */
	take(reader, sizeof(uint32_t)); /* size of a page */
	skip_text(reader);              /* header_page */
	take(reader, take_u64(reader));
	skip_text(reader); /* header_event */
	take(reader, take_u64(reader));
	return !reader->is_broken;
}

char *replay_trace_format(const void *tracing, size_t size, uint64_t number)
{
	struct reader reader = {.at = tracing, .left = size};
	char *format;
	uint32_t systems;

	if (!tracing || !begin(&reader))
		return NULL;
	format = find_among(&reader, take_u32(&reader), number);
	systems = take_u32(&reader);
	for (uint32_t i = 0; i < systems && !format && !reader.is_broken; i++) {
		skip_text(&reader);
		format = find_among(&reader, take_u32(&reader), number);
	}
	return format;
}
