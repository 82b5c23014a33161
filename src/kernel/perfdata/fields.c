/*
 * The one place where bytes of a perf.data file become numbers outside of records. Sizes are bytes;
 * `at` never passes `end`.
 */

#include "kernel/perfdata/fields.h"

#include <string.h>

struct fields fields_of(const void *bytes, size_t size, bool is_swapped)
{
	return (struct fields){
		.at = bytes,
		.end = (const unsigned char *)bytes + size,
		.is_swapped = is_swapped,
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

static void take(struct fields *fields, void *value, size_t size)
{
	const unsigned char *bytes = fields_bytes(fields, size);

	if (bytes)
		memcpy(value, bytes, size);
}

uint32_t fields_u32(struct fields *fields)
{
	uint32_t value = 0;

	take(fields, &value, sizeof(value));
	return fields->is_swapped ? __builtin_bswap32(value) : value;
}

uint64_t fields_u64(struct fields *fields)
{
	uint64_t value = 0;

	take(fields, &value, sizeof(value));
	return fields->is_swapped ? __builtin_bswap64(value) : value;
}

static void copy_text(char *text, size_t size, const unsigned char *bytes, size_t count)
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
	copy_text(text, size, bytes, room);
}

void fields_rest(struct fields *fields, char *text, size_t size)
{
	copy_text(text, size, fields->at, fields_left(fields));
	fields->at = fields->end;
}
