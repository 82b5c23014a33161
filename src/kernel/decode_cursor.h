#ifndef PERFTOP_KERNEL_DECODE_CURSOR_H
#define PERFTOP_KERNEL_DECODE_CURSOR_H

/*
 * A cursor walks over the bytes of a record: for the files of the decoder (decode.h) alone. Called
 * for each field of each record, so all of it is inline.
 *
 * take_...() check that what they take is there, and return false when it is not; next_...() are
 * for runs of fields that were checked as a whole. Bytes from files may be unaligned.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel/decode.h"

enum {
	DECODE_WORD = sizeof(uint64_t)
};

struct decode_cursor {
	const unsigned char *at, *end;
};

static inline size_t bytes_left(const struct decode_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static inline uint64_t next_u64(struct decode_cursor *cursor)
{
	uint64_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static inline uint32_t next_u32(struct decode_cursor *cursor)
{
	uint32_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static inline int32_t next_s32(struct decode_cursor *cursor)
{
	return (int32_t)next_u32(cursor);
}

static inline uint16_t next_u16(struct decode_cursor *cursor)
{
	uint16_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static inline bool take_u64(struct decode_cursor *cursor, uint64_t *value)
{
	if (bytes_left(cursor) < DECODE_WORD)
		return false;
	*value = next_u64(cursor);
	return true;
}

/* `count` elements of `size` bytes; count comes from the record and may be anything. */
static inline bool take_array(struct decode_cursor *cursor, uint64_t count, size_t size,
			      const void **array)
{
	if (count > bytes_left(cursor) / size)
		return false;
	*array = cursor->at;
	cursor->at += count * size;
	return true;
}

static inline bool take_words(struct decode_cursor *cursor, uint64_t count, const uint64_t **words)
{
	const void *array;

	if (!take_array(cursor, count, DECODE_WORD, &array))
		return false;
	*words = array;
	return true;
}

static inline bool take_bytes(struct decode_cursor *cursor, uint64_t count,
			      struct decoded_bytes *bytes)
{
	if (!take_array(cursor, count, 1, &bytes->bytes))
		return false;
	bytes->size = (size_t)count;
	return true;
}

/* The rest of the body as a string: padded with NULs, or cut, as it comes. */
static inline const char *take_string(struct decode_cursor *cursor, size_t *length)
{
	const char *text = (const char *)cursor->at;

	*length = strnlen(text, bytes_left(cursor));
	cursor->at = cursor->end;
	return text;
}

/* How many bits are set: written out, since not every processor has an instruction for it. */
static inline size_t words_of(uint64_t mask)
{
	mask -= mask >> 1 & UINT64_C(0x5555555555555555);
	mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
	mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (size_t)(mask * UINT64_C(0x0101010101010101) >> 56);
}

#endif
