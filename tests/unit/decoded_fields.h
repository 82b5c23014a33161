#ifndef PERFTOP_TESTS_DECODED_FIELDS_H
#define PERFTOP_TESTS_DECODED_FIELDS_H

/* What members of a record that was decoded must be: rows of tables. */

#include "kernel/decode.h"

#include "unit.h"

enum {
	FIELDS_MAX = 15
};

struct field {
	size_t at, size; /* size 0: behind the last one */
	uint64_t is;
};

#define FIELD(member, value)                                                                       \
	{                                                                                          \
		offsetof(struct decoded, member), sizeof(((struct decoded *)NULL)->member), value  \
	}

/* A number of 1, 2, 4 or 8 bytes. */
static inline uint64_t field_number(const void *at, size_t size)
{
	union {
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		uint64_t u64;
	} number;

	memcpy(&number, at, size);
	return size == 1 ? number.u8 : size == 2 ? number.u16 : size == 4 ? number.u32 : number.u64;
}

static inline void check_fields(const struct decoded *record, const struct field *fields)
{
	for (const struct field *field = fields; field->size > 0; field++) {
		const uint64_t value =
			field_number((const unsigned char *)record + field->at, field->size);

		if (value != field->is)
			fail_msg("type %u, member at %zu: %llu, not %llu", record->type, field->at,
				 (unsigned long long)value, (unsigned long long)field->is);
	}
}

#endif
