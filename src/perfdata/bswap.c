/*
 * The walk over a record is that of decode.c, with the difference that a count is known only when
 * it has been turned. Fields of one size that are together are turned as a run. `at` never passes
 * `end`; what cannot be walked is refused as a whole.
 */

#include <stdint.h>
#include <string.h>

#include <linux/perf_event.h>

#include "perfdata/inside.h"

static const uint64_t WORDS_BEFORE_TID = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
static const uint64_t WORDS_BEFORE_CPU =
	PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
static const uint64_t TRAILER = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

struct walk {
	unsigned char *at, *end;
};

static size_t left(const struct walk *walk)
{
	return (size_t)(walk->end - walk->at);
}

static size_t words_of(uint64_t mask)
{
	return (size_t)__builtin_popcountll(mask);
}

static void turn(unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size / 2; i++) {
		unsigned char first = bytes[i];

		bytes[i] = bytes[size - 1 - i];
		bytes[size - 1 - i] = first;
	}
}

static bool pass(struct walk *walk, uint64_t count)
{
	if (count > left(walk))
		return false;
	walk->at += count;
	return true;
}

static bool turn_run(struct walk *walk, uint64_t count, size_t size)
{
	if (count > left(walk) / size)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		turn(walk->at, size);
		walk->at += size;
	}
	return true;
}

static bool turn_u64s(struct walk *walk, uint64_t count)
{
	return turn_run(walk, count, sizeof(uint64_t));
}

static bool turn_u32s(struct walk *walk, uint64_t count)
{
	return turn_run(walk, count, sizeof(uint32_t));
}

static bool turn_u16s(struct walk *walk, uint64_t count)
{
	return turn_run(walk, count, sizeof(uint16_t));
}

static bool take_u64(struct walk *walk, uint64_t *value)
{
	if (!turn_u64s(walk, 1))
		return false;
	memcpy(value, walk->at - sizeof(*value), sizeof(*value));
	return true;
}

static bool take_u32(struct walk *walk, uint32_t *value)
{
	if (!turn_u32s(walk, 1))
		return false;
	memcpy(value, walk->at - sizeof(*value), sizeof(*value));
	return true;
}

static bool turn_reading(struct walk *walk, uint64_t format)
{
	uint64_t times = format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t extras = format & (PERF_FORMAT_ID | PERF_FORMAT_LOST);
	uint64_t count;

	if ((format & PERF_FORMAT_GROUP) == 0)
		return turn_u64s(walk, 1 + words_of(times) + words_of(extras));
	return take_u64(walk, &count) && turn_u64s(walk, words_of(times)) &&
	       count <= left(walk) / sizeof(uint64_t) &&
	       turn_u64s(walk, count * (1 + words_of(extras)));
}

static bool turn_raw(struct walk *walk)
{
	uint32_t size;

	return take_u32(walk, &size) && pass(walk, size);
}

static bool turn_sample_head(struct walk *walk, const struct decode_format *format)
{
	uint64_t type = format->sample_type;

	return turn_u64s(walk, words_of(type & WORDS_BEFORE_TID)) &&
	       turn_u32s(walk, type & PERF_SAMPLE_TID ? 2 : 0) &&
	       turn_u64s(walk, words_of(type & WORDS_BEFORE_CPU)) &&
	       turn_u32s(walk, type & PERF_SAMPLE_CPU ? 2 : 0) &&
	       turn_u64s(walk, type & PERF_SAMPLE_PERIOD ? 1 : 0) &&
	       (!(type & PERF_SAMPLE_READ) || turn_reading(walk, format->read_format));
}

/* What is behind the raw data is not looked at (decode.c). */
static bool turn_sample(struct walk *walk, const struct decode_format *format)
{
	uint64_t type = format->sample_type, count;

	if (!turn_sample_head(walk, format))
		return false;
	if ((type & PERF_SAMPLE_CALLCHAIN) && !(take_u64(walk, &count) && turn_u64s(walk, count)))
		return false;
	return !(type & PERF_SAMPLE_RAW) || turn_raw(walk);
}

static bool turn_trailer(struct walk *walk, uint64_t type)
{
	return turn_u32s(walk, type & PERF_SAMPLE_TID ? 2 : 0) &&
	       turn_u64s(walk, words_of(type & (PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
						PERF_SAMPLE_STREAM_ID))) &&
	       turn_u32s(walk, type & PERF_SAMPLE_CPU ? 2 : 0) &&
	       turn_u64s(walk, type & PERF_SAMPLE_IDENTIFIER ? 1 : 0);
}

static bool turn_kernel_body(struct walk *walk, uint32_t type, const struct decode_format *format)
{
	switch (type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return turn_u32s(walk, 4) && turn_u64s(walk, 1);
	case PERF_RECORD_COMM:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return turn_u32s(walk, 2);
	case PERF_RECORD_LOST:
		return turn_u64s(walk, 2);
	case PERF_RECORD_LOST_SAMPLES:
		return turn_u64s(walk, 1);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return turn_u64s(walk, 3);
	case PERF_RECORD_READ:
		return turn_u32s(walk, 2) && turn_reading(walk, format->read_format);
	default: /* what perftop makes no use of, and SWITCH, which is a header */
		return true;
	}
}

void bswap_header(void *bytes)
{
	struct walk walk = {.at = bytes, .end = (unsigned char *)bytes + 8};

	turn_u32s(&walk, 1);
	turn_u16s(&walk, 2);
}

bool bswap_body(void *bytes, size_t size, const struct decode_format *format)
{
	struct perf_event_header header;
	unsigned char *start = bytes;
	struct walk walk = {.at = start + sizeof(header), .end = start + size};
	size_t trailer = format->sample_id_all
				 ? words_of(format->sample_type & TRAILER) * sizeof(uint64_t)
				 : 0;

	memcpy(&header, bytes, sizeof(header));
	if (header.type == PERF_RECORD_SAMPLE)
		return turn_sample(&walk, format);
	if (left(&walk) < trailer)
		return false;

	struct walk end = {.at = walk.end - trailer, .end = walk.end};

	walk.end -= trailer;
	return (trailer == 0 || turn_trailer(&end, format->sample_type)) &&
	       turn_kernel_body(&walk, header.type, format);
}
