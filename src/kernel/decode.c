/*
 * Decoding of perf's records. A record is [header][body][trailer]; the trailer (struct
 * sample_id) has a fixed size for a given event and is taken off the end first, so that the
 * body (decode_body.c) may grow in later kernels and strings know where they must stop. A
 * PERF_RECORD_SAMPLE has no trailer: its first fields and the readings are here, since samples of
 * perftop's own events have nothing else; decode_sample.c has the rest. All sizes are bytes.
 */

#include "kernel/decode.h"

#include <assert.h>
#include <string.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"

enum {
	HEADER = sizeof(struct perf_event_header)
};

static const uint64_t TRAILER = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

/* Fields of a sample of one 64-bit word each, before the first one of variable size. */
static const uint64_t SAMPLE_HEAD =
	TRAILER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_PERIOD;

static const uint64_t READ_TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

/* Unknown bits change the layout in unknown ways. */
static const uint64_t READ_KNOWN = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				   PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST;

static_assert((int)DECODED_CONTEXT_HYPERVISOR == (int)PERF_CONTEXT_HV &&
		      (int)DECODED_CONTEXT_KERNEL == (int)PERF_CONTEXT_KERNEL &&
		      (int)DECODED_CONTEXT_USER == (int)PERF_CONTEXT_USER &&
		      (int)DECODED_CONTEXT_LOWEST == (int)PERF_CONTEXT_MAX &&
		      (int)DECODED_MISC_MODE == PERF_RECORD_MISC_CPUMODE_MASK &&
		      (int)DECODED_MISC_KERNEL == PERF_RECORD_MISC_KERNEL &&
		      (int)DECODED_MISC_USER == PERF_RECORD_MISC_USER,
	      "the kernel's marks in call chains");
static_assert((int)DECODED_HAS_PERIOD == PERF_SAMPLE_PERIOD &&
		      (int)DECODED_HAS_CGROUP == PERF_SAMPLE_CGROUP &&
		      (int)DECODED_HAS_BRANCH_STACK == PERF_SAMPLE_BRANCH_STACK &&
		      (int)DECODED_HAS_ADDR == PERF_SAMPLE_ADDR &&
		      (int)DECODED_HAS_WEIGHT == PERF_SAMPLE_WEIGHT &&
		      (int)DECODED_HAS_DATA_SRC == PERF_SAMPLE_DATA_SRC &&
		      (int)DECODED_HAS_WEIGHT_STRUCT == PERF_SAMPLE_WEIGHT_STRUCT &&
		      (int)DECODED_FORMAT_ID == PERF_FORMAT_ID &&
		      (int)DECODED_FORMAT_GROUP == PERF_FORMAT_GROUP &&
		      (int)DECODED_BRANCH_ANY == PERF_SAMPLE_BRANCH_ANY &&
		      (int)DECODED_BRANCH_TYPE_SAVE == PERF_SAMPLE_BRANCH_TYPE_SAVE &&
		      (int)DECODED_BRANCH_CALL_STACK == PERF_SAMPLE_BRANCH_CALL_STACK &&
		      (int)DECODED_HAS_IP == PERF_SAMPLE_IP &&
		      (int)DECODED_HAS_CALLCHAIN == PERF_SAMPLE_CALLCHAIN &&
		      (int)DECODED_HAS_TID == PERF_SAMPLE_TID &&
		      (int)DECODED_HAS_TIME == PERF_SAMPLE_TIME &&
		      (int)DECODED_HAS_ADDR == PERF_SAMPLE_ADDR &&
		      (int)DECODED_HAS_READ == PERF_SAMPLE_READ &&
		      (int)DECODED_HAS_CPU == PERF_SAMPLE_CPU &&
		      (int)DECODED_HAS_RAW == PERF_SAMPLE_RAW &&
		      (int)DECODED_HAS_REGS_USER == PERF_SAMPLE_REGS_USER &&
		      (int)DECODED_HAS_STACK_USER == PERF_SAMPLE_STACK_USER,
	      "fields have the kernel's numbers");

/* --- readings: the same behind read(2), in a sample and in PERF_RECORD_READ */

static void next_read_times(struct record_cursor *cursor, struct decoded_read *read,
			    uint64_t format)
{
	read->has_times = false;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		read->enabled_ns = next_u64(cursor);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING) {
		read->running_ns = next_u64(cursor);
		read->has_times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0;
	}
}

/* value, times, id, lost: the times are between the value and its id. */
static bool take_single_read(struct record_cursor *cursor, struct decoded_read *read,
			     uint64_t format)
{
	if (bytes_left(cursor) < (1 + words_of(format)) * WORD)
		return false;
	read->count = 1;
	read->values[0] = next_u64(cursor);
	next_read_times(cursor, read, format);
	if (format & PERF_FORMAT_ID)
		read->ids[0] = next_u64(cursor);
	if (format & PERF_FORMAT_LOST)
		read->lost[0] = next_u64(cursor);
	return true;
}

/* Every `stride`-th word. */
static void copy_words(uint64_t *words, const unsigned char *from, size_t stride, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		memcpy(&words[i], from + i * stride * WORD, WORD);
}

/* The number of values, the times, and of each value: itself, id, lost. */
static bool take_group_read(struct record_cursor *cursor, struct decoded_read *read,
			    uint64_t format)
{
	size_t has_id = (format & PERF_FORMAT_ID) != 0;
	size_t has_lost = (format & PERF_FORMAT_LOST) != 0;
	size_t stride = 1 + has_id + has_lost;

	/* The common case first: counting bits costs as much as reading some values. */
	if (bytes_left(cursor) < 3 * WORD &&
	    bytes_left(cursor) < (1 + words_of(format & READ_TIMES)) * WORD)
		return false;
	read->count = next_u64(cursor);
	next_read_times(cursor, read, format);
	/* The first test keeps the product of the second from overflowing. */
	if (read->count > bytes_left(cursor) / WORD ||
	    read->count * stride * WORD > bytes_left(cursor))
		return false;

	uint64_t kept = read->count < DECODE_READ_MAX ? read->count : DECODE_READ_MAX;

	copy_words(read->values, cursor->at, stride, kept);
	if (has_id)
		copy_words(read->ids, cursor->at + WORD, stride, kept);
	if (has_lost)
		copy_words(read->lost, cursor->at + WORD + has_id * WORD, stride, kept);
	cursor->at += read->count * stride * WORD;
	return true;
}

bool decode_take_readings(struct record_cursor *cursor, struct decoded_read *read, uint64_t format)
{
	if (format & ~READ_KNOWN)
		return false;
	return format & PERF_FORMAT_GROUP ? take_group_read(cursor, read, format)
					  : take_single_read(cursor, read, format);
}

bool decode_read(struct decoded_read *read, const void *bytes, size_t size, uint64_t read_format)
{
	struct record_cursor cursor = {.at = bytes, .end = (const unsigned char *)bytes + size};

	return decode_take_readings(&cursor, read, read_format);
}

/* --- samples, in the order in which the kernel writes their fields (perf_output_sample) */

/* What samples and trailers have, in this order. */
static inline void next_common(struct record_cursor *cursor, struct decoded *record, uint64_t type)
{
	struct decoded_id *id = &record->id;

	if (type & PERF_SAMPLE_TID) {
		id->pid = next_s32(cursor);
		id->tid = next_s32(cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		id->time_ns = next_u64(cursor);
	if (type & PERF_SAMPLE_ADDR)
		record->sample.addr = next_u64(cursor);
	if (type & PERF_SAMPLE_ID)
		id->id = next_u64(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		id->stream_id = next_u64(cursor);
	if (type & PERF_SAMPLE_CPU)
		id->cpu = next_cpu(cursor);
}

static bool take_sample_head(struct record_cursor *cursor, struct decoded *record, uint64_t type)
{
	/* Bits are counted only if the record is so short that it matters. */
	if (bytes_left(cursor) < 9 * WORD &&
	    bytes_left(cursor) < words_of(type & SAMPLE_HEAD) * WORD)
		return false;
	if (type & PERF_SAMPLE_IDENTIFIER)
		record->id.id = next_u64(cursor);
	if (type & PERF_SAMPLE_IP)
		record->sample.ip = next_u64(cursor);
	next_common(cursor, record, type);
	if (type & PERF_SAMPLE_PERIOD)
		record->sample.period = next_u64(cursor);
	return true;
}

static bool decode_sample(struct decoded *record, struct record_cursor *cursor,
			  const struct decode_format *format)
{
	const uint64_t type = format->sample_type;
	struct decoded_sample *sample = &record->sample;

	record->id.has = type & (PERF_SAMPLE_MAX - 1);
	if (!take_sample_head(cursor, record, type) ||
	    ((type & PERF_SAMPLE_READ) &&
	     !decode_take_readings(cursor, &sample->read, format->read_format)))
		return false;
	if ((type & ~(SAMPLE_HEAD | PERF_SAMPLE_READ)) == 0)
		return bytes_left(cursor) == 0;
	return decode_sample_rest(cursor, sample, format);
}

/* --- records */

/* The trailer, and with it the common fields of every record but SAMPLE. */
static void next_trailer(struct record_cursor *cursor, struct decoded *record, uint64_t type)
{
	record->id.has = type & TRAILER;
	next_common(cursor, record, type & TRAILER);
	if (type & PERF_SAMPLE_IDENTIFIER)
		record->id.id = next_u64(cursor);
}

/* The header, checked against the bytes there are. */
static bool read_header(const void *bytes, size_t size, struct perf_event_header *header)
{
	if (size < sizeof(*header))
		return false;
	memcpy(header, bytes, sizeof(*header));
	return header->size >= sizeof(*header) && header->size <= size;
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

	struct record_cursor body = {
		.at = (const unsigned char *)bytes + sizeof(header),
		.end = (const unsigned char *)bytes + header.size,
	};

	if (header.type == PERF_RECORD_SAMPLE)
		return decode_sample(record, &body, format) ? DECODE_OK : DECODE_BROKEN;

	const uint64_t fields = format->sample_id_all ? format->sample_type & TRAILER : 0;
	struct record_cursor trailer = {.end = body.end};

	if (bytes_left(&body) < words_of(fields) * WORD)
		return DECODE_BROKEN;
	body.end -= words_of(fields) * WORD;
	trailer.at = body.end;
	next_trailer(&trailer, record, fields);
	return decode_body(record, &body, format->read_format) ? DECODE_OK : DECODE_BROKEN;
}

/* --- offsets */

struct field {
	uint64_t bit;
	size_t member; /* offset in struct field_offsets; NONE */
};

enum {
	NONE = sizeof(struct field_offsets)
};

/* clang-format off */
static const struct field sample_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct field_offsets, id)},
	{PERF_SAMPLE_IP,         NONE},
	{PERF_SAMPLE_TID,        NONE},
	{PERF_SAMPLE_TIME,       offsetof(struct field_offsets, time)},
	{PERF_SAMPLE_ADDR,       NONE},
	{PERF_SAMPLE_ID,         offsetof(struct field_offsets, id)},
};

/* From the last one on. */
static const struct field trailer_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct field_offsets, id)},
	{PERF_SAMPLE_CPU,        NONE},
	{PERF_SAMPLE_STREAM_ID,  NONE},
	{PERF_SAMPLE_ID,         offsetof(struct field_offsets, id)},
	{PERF_SAMPLE_TIME,       offsetof(struct field_offsets, time)},
};
/* clang-format on */

/* If a record has two ids, the first one identifies the event. */
static void set_offset(struct field_offsets *offsets, size_t member, size_t offset)
{
	uint16_t known, found = (uint16_t)offset;

	if (member == NONE)
		return;
	memcpy(&known, (char *)offsets + member, sizeof(known));
	if (known == 0)
		memcpy((char *)offsets + member, &found, sizeof(found));
}

struct sample_offsets sample_offsets_of(const struct decode_format *format)
{
	const uint64_t type = format->sample_type;
	struct sample_offsets offsets = {0};
	uint16_t sample = HEADER, trailer = 0;

	for (size_t i = 0; i < sizeof(sample_fields) / sizeof(sample_fields[0]); i++) {
		if ((type & sample_fields[i].bit) == 0)
			continue;
		set_offset(&offsets.sample, sample_fields[i].member, sample);
		sample = (uint16_t)(sample + WORD);
	}
	for (size_t i = 0; i < sizeof(trailer_fields) / sizeof(trailer_fields[0]); i++) {
		if (!format->sample_id_all || (type & trailer_fields[i].bit) == 0)
			continue;
		trailer = (uint16_t)(trailer + WORD);
		set_offset(&offsets.trailer, trailer_fields[i].member, trailer);
	}
	return offsets;
}

/*
 * The word at an offset from the beginning of a sample, or from the end of another record; 0: there
 * is none.
 */
static uint64_t word_of_either(const void *bytes, size_t size, size_t of_sample, size_t of_trailer)
{
	struct perf_event_header header;
	size_t at;

	if (!read_header(bytes, size, &header))
		return 0;
	if (header.type == PERF_RECORD_SAMPLE)
		at = of_sample;
	else
		at = of_trailer < header.size ? header.size - of_trailer : 0;
	return at >= HEADER && at + WORD <= header.size ? decode_word_at(bytes, at) : 0;
}

uint64_t decode_peek_id(const void *bytes, size_t size, const struct sample_offsets *offsets)
{
	return word_of_either(bytes, size, offsets->sample.id, offsets->trailer.id);
}

uint64_t decode_peek_time(const void *bytes, size_t size, const struct sample_offsets *offsets)
{
	return word_of_either(bytes, size, offsets->sample.time, offsets->trailer.time);
}
