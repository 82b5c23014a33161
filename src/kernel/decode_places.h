#ifndef PERFTOP_KERNEL_DECODE_PLACES_H
#define PERFTOP_KERNEL_DECODE_PLACES_H

/*
 * Where the fields of an event's records lie, as far as its format says so once and for all: most
 * records can be read there, and need not be decoded (decode.h) field by field. What follows
 * something of variable size has no place.
 *
 * All are offsets in bytes; 0: there is no such field.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct decode_format;

struct decode_spots {
	uint16_t ids; /* pid and tid, 32 bits each */
	uint16_t time, id, cpu, period;
};

struct decode_places {
	struct decode_spots sample;  /* from the beginning of a sample */
	struct decode_spots trailer; /* of other records: from their end, where these begin */
	uint16_t trailer_size;
	uint16_t read;        /* of a sample: its readings, which are last */
	uint16_t read_values; /* from there: the first value; of a group: `read` has their number */
	uint16_t read_stride; /* from one value to the next */
	uint16_t read_id;     /* from a value to its id */
	uint16_t enabled, running; /* from `read` */
	uint16_t sample_size;      /* without readings of a group */
	bool is_group;
	bool has_samples; /* they can be read here: nothing else is in them */
};

struct decode_places decode_places_of(const struct decode_format *format);

/*
 * The record (in our byte order, its size right) can be read at these places, and is as its format
 * says. False: it needs to be decoded to know.
 */
bool decode_is_plain(const struct decode_places *places, const void *bytes, size_t size);

/* What the header of a plain record says; out and preempted are a switch's. */
struct decode_plain_head {
	uint32_t type; /* SAMPLE, SWITCH or SWITCH_CPU_WIDE (enum decoded_type) */
	bool out, preempted;
};
struct decode_plain_head decode_plain_head(const void *bytes);

enum {
	DECODE_PLAIN_OTHER = 8 /* offset of the other one's pid and tid in SWITCH_CPU_WIDE */
};

/* The word at an offset. */
static inline uint64_t decode_word_at(const void *bytes, size_t offset)
{
	uint64_t word;

	__builtin_memcpy(&word, (const unsigned char *)bytes + offset, sizeof(word));
	return word;
}

static inline int32_t decode_number_at(const void *bytes, size_t offset)
{
	int32_t number;

	__builtin_memcpy(&number, (const unsigned char *)bytes + offset, sizeof(number));
	return number;
}

/* How many values the readings of a plain sample have, of those that there are. */
static inline uint64_t decode_read_count(const struct decode_places *places, const void *bytes)
{
	return places->is_group ? decode_word_at(bytes, places->read) : 1;
}

#endif
