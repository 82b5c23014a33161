/*
 * TRACING_DATA: magic, byte order and sizes, two files about the ring buffer, the formats of the
 * tracepoints by groups; the rest is not needed here.
 */

#include "perfdata/tracing.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"

#include "perfdata/bytes.h"

enum {
	NUMBER_BYTES = 32,
	FORMAT_BYTES = 65536 /* larger than any */
};

static const unsigned char MAGIC[] = {0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g'};

static bool is_big_endian(void)
{
	return htobe16(1) == 1;
}

/* "ID: 372" at the beginning of a line */
static bool is_numbered(const char *format, uint64_t number)
{
	const char *line = strstr(format, "\nID: ");
	char digits[NUMBER_BYTES] = "";
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
static char *find_among(struct fields *fields, uint32_t count, uint64_t number)
{
	for (uint32_t i = 0; i < count && !fields->is_short; i++) {
		const uint64_t size = fields_u64(fields);
		const unsigned char *bytes = fields_bytes(fields, size);
		char *format;

		if (!bytes || size > FORMAT_BYTES)
			continue;
		format = xstrndup((const char *)bytes, size);
		if (is_numbered(format, number))
			return format;
		free(format);
	}
	return NULL;
}

static void skip_text(struct fields *fields)
{
	const size_t left = fields_left(fields);
	const unsigned char *end = left > 0 ? memchr(fields->at, '\0', left) : NULL;

	fields_bytes(fields, end ? (uint64_t)(end - fields->at) + 1 : UINT64_MAX);
}

/* Behind the head, up to the first format. */
static bool skip_head(struct fields *fields)
{
	const unsigned char *bytes = fields_bytes(fields, sizeof(MAGIC));

	if (!bytes || memcmp(bytes, MAGIC, sizeof(MAGIC)) != 0)
		return false;
	skip_text(fields); /* version */
	bytes = fields_bytes(fields, 1);
	fields->is_swapped = bytes && (*bytes != 0) != is_big_endian();
	fields_bytes(fields, 1);                /* size of a long */
	fields_bytes(fields, sizeof(uint32_t)); /* size of a page */
	skip_text(fields);                      /* header_page */
	fields_bytes(fields, fields_u64(fields));
	skip_text(fields); /* header_event */
	fields_bytes(fields, fields_u64(fields));
	return !fields->is_short;
}

char *tracing_find_format(const void *tracing, size_t size, uint64_t number)
{
	struct fields fields;
	char *format;
	uint32_t systems;

	if (!tracing)
		return NULL;
	fields = fields_of(tracing, size, false);
	if (!skip_head(&fields))
		return NULL;
	format = find_among(&fields, fields_u32(&fields), number);
	systems = fields_u32(&fields);
	for (uint32_t i = 0; i < systems && !format && !fields.is_short; i++) {
		skip_text(&fields);
		format = find_among(&fields, fields_u32(&fields), number);
	}
	return format;
}
