#ifndef PERFTOP_KERNEL_DECODE_CURSOR_H
#define PERFTOP_KERNEL_DECODE_CURSOR_H

/*
 * A cursor over the bytes of a record, and what the files of the decoder (decode.h) share; for
 * these files alone. It is used for each field of each record, so it is inline.
 * A cursor never passes its end: take_...() check that their field is there, and return false if
 * not; next_...() are for fields that were checked together. Bytes from files may be unaligned.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernel/decode.h"

enum {
	WORD = sizeof(uint64_t)
};

struct record_cursor {
	const unsigned char *at, *end;
};

static inline size_t bytes_left(const struct record_cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

static inline uint64_t next_u64(struct record_cursor *cursor)
{
	const uint64_t value = decode_word_at(cursor->at, 0);

	cursor->at += sizeof(value);
	return value;
}

static inline int32_t next_s32(struct record_cursor *cursor)
{
	const int32_t value = decode_number_at(cursor->at, 0);

	cursor->at += sizeof(value);
	return value;
}

static inline uint32_t next_u32(struct record_cursor *cursor)
{
	return (uint32_t)next_s32(cursor);
}

/* A CPU's number: half of a word, the rest is reserved. */
static inline uint32_t next_cpu(struct record_cursor *cursor)
{
	const uint32_t cpu = next_u32(cursor);

	cursor->at += WORD - sizeof(cpu);
	return cpu;
}

static inline bool take_u64(struct record_cursor *cursor, uint64_t *value)
{
	if (bytes_left(cursor) < WORD)
		return false;
	*value = next_u64(cursor);
	return true;
}

static inline bool take_pair(struct record_cursor *cursor, int32_t *first, int32_t *second)
{
	if (bytes_left(cursor) < 2 * sizeof(int32_t))
		return false;
	*first = next_s32(cursor);
	*second = next_s32(cursor);
	return true;
}

/* `count` elements of `size` bytes; the count is the record's, and may be anything. */
static inline bool take_array(struct record_cursor *cursor, uint64_t count, size_t size,
			      const void **array)
{
	if (count > bytes_left(cursor) / size)
		return false;
	*array = cursor->at;
	cursor->at += count * size;
	return true;
}

/* The number of set bits; written out, since not every processor has an instruction for it. */
static inline size_t words_of(uint64_t mask)
{
	mask -= mask >> 1 & UINT64_C(0x5555555555555555);
	mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
	mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (size_t)(mask * UINT64_C(0x0101010101010101) >> 56);
}

/* decode.c: the readings of one event or of a group. */
bool decode_take_readings(struct record_cursor *cursor, struct decoded_read *read, uint64_t format);

/* decode_sample.c: what follows the readings of a sample, up to its end. */
bool decode_sample_rest(const struct record_cursor *cursor, struct decoded_sample *sample,
			const struct decode_format *format);

/* decode_body.c: the body of another record, whose type and misc are filled. False: it is too
 * short. */
bool decode_body(struct decoded *record, struct record_cursor *body, uint64_t read_format);

#endif
