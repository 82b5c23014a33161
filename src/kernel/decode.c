/*
 * Decoding of perf's records. A record is [header][body][trailer]; the trailer (struct
 * sample_id) has a fixed size for a given event and is taken off the end first, so that the
 * body (decode_body.c) may grow in later kernels and strings know where they must stop. A
 * PERF_RECORD_SAMPLE (decode_sample.c) has no trailer.
 *
 * All sizes are bytes. A cursor never passes its end: every step is checked, or belongs to a
 * run of fields that was checked as a whole.
 */

#include "kernel/decode.h"

#include <assert.h>
#include <string.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"
#include "kernel/decode_parts.h"

static const uint64_t TRAILER = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

static_assert((int)DECODED_HAS_TID == PERF_SAMPLE_TID &&
		      (int)DECODED_HAS_TIME == PERF_SAMPLE_TIME &&
		      (int)DECODED_HAS_READ == PERF_SAMPLE_READ &&
		      (int)DECODED_HAS_CPU == PERF_SAMPLE_CPU &&
		      (int)DECODED_HAS_RAW == PERF_SAMPLE_RAW,
	      "fields have the kernel's numbers");

/* The trailer, and with it the common fields of every record but SAMPLE. */
static void next_trailer(struct decode_cursor *cursor, struct decoded_id *id, uint64_t type)
{
	id->has = type & TRAILER;
	if (type & PERF_SAMPLE_TID) {
		id->pid = next_s32(cursor);
		id->tid = next_s32(cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		id->time_ns = next_u64(cursor);
	if (type & PERF_SAMPLE_ID)
		id->id = next_u64(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		id->stream_id = next_u64(cursor);
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = next_u32(cursor);
		cursor->at += sizeof(uint32_t); /* reserved */
	}
	if (type & PERF_SAMPLE_IDENTIFIER)
		id->id = next_u64(cursor);
}

/* The header, checked against the bytes there are. */
static bool read_header(const void *bytes, size_t size, struct perf_event_header *header)
{
	if (size < sizeof(*header))
		return false;
	memcpy(header, bytes, sizeof(*header));
	return header->size >= sizeof(*header) && header->size <= size;
}

static size_t trailer_bytes(const struct decode_format *format)
{
	return format->sample_id_all ? words_of(format->sample_type & TRAILER) * DECODE_WORD : 0;
}

enum decode_result decode_record(struct decoded *record, const void *bytes, size_t size,
				 const struct decode_format *format)
{
	struct perf_event_header header;

	if (!read_header(bytes, size, &header))
		return DECODE_BROKEN;
	record->type = header.type;
	record->misc = header.misc;
	record->size = header.size;
	record->id.has = 0;
	if (header.type == 0 || header.type >= PERF_RECORD_MAX)
		return DECODE_UNKNOWN;

	struct decode_cursor body = {
		.at = (const unsigned char *)bytes + sizeof(header),
		.end = (const unsigned char *)bytes + header.size,
	};

	if (header.type == PERF_RECORD_SAMPLE)
		return decode_sample(record, body, format);

	size_t trailer_size = trailer_bytes(format);

	if (bytes_left(&body) < trailer_size)
		return DECODE_BROKEN;
	body.end -= trailer_size;
	if (trailer_size > 0) {
		struct decode_cursor trailer = {.at = body.end, .end = body.end + trailer_size};

		next_trailer(&trailer, &record->id, format->sample_type);
	}
	return decode_body(record, &body, format) ? DECODE_OK : DECODE_BROKEN;
}

bool decode_read(struct decoded_read *read, const void *bytes, size_t size, uint64_t read_format)
{
	struct decode_cursor cursor = {.at = bytes, .end = (const unsigned char *)bytes + size};

	return decode_take_readings(&cursor, read, read_format);
}

/* The word that begins `words` words behind the header, or before the end; 0 where there is none.
 */
static uint64_t peek_word(const void *bytes, const struct perf_event_header *header, size_t words,
			  bool from_end)
{
	uint64_t value;
	size_t offset = sizeof(*header) + words * DECODE_WORD;

	if (from_end) {
		if (words * DECODE_WORD > header->size - sizeof(*header))
			return 0;
		offset = header->size - words * DECODE_WORD;
	}
	if (offset + DECODE_WORD > header->size)
		return 0;
	memcpy(&value, (const unsigned char *)bytes + offset, sizeof(value));
	return value;
}

size_t decode_time_from_end(const struct decode_format *format)
{
	const uint64_t behind =
		PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

	if (!format->sample_id_all || (format->sample_type & PERF_SAMPLE_TIME) == 0)
		return 0;
	return (1 + words_of(format->sample_type & behind)) * DECODE_WORD;
}

uint64_t decode_peek_id(const void *bytes, size_t size, const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct perf_event_header header;

	if (!read_header(bytes, size, &header) ||
	    (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)) == 0)
		return 0;
	if (header.type == PERF_RECORD_SAMPLE) {
		uint64_t before =
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

		return peek_word(bytes, &header,
				 type & PERF_SAMPLE_IDENTIFIER ? 0 : words_of(type & before),
				 false);
	}
	if (!format->sample_id_all)
		return 0;
	if (type & PERF_SAMPLE_IDENTIFIER)
		return peek_word(bytes, &header, 1, true);
	return peek_word(bytes, &header,
			 1 + words_of(type & (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)), true);
}

uint64_t decode_peek_time(const void *bytes, size_t size, const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct perf_event_header header;

	if (!read_header(bytes, size, &header) || (type & PERF_SAMPLE_TIME) == 0)
		return 0;
	if (header.type == PERF_RECORD_SAMPLE) {
		uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

		return peek_word(bytes, &header, words_of(type & before), false);
	}
	if (!format->sample_id_all)
		return 0;
	return peek_word(bytes, &header, words_of(type & TRAILER & ~(uint64_t)PERF_SAMPLE_TID),
			 true);
}
