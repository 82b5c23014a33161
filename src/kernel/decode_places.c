/* The order of the fields is that of decode.c: the kernel's. */
#include "kernel/decode_places.h"

#include <assert.h>
#include <string.h>

#include <linux/perf_event.h>

#include "kernel/decode.h"

enum {
	WORD = sizeof(uint64_t),
	HEADER = sizeof(struct perf_event_header),
	SWITCHED = 2 * sizeof(int32_t) /* the other's pid and tid */
};

struct field {
	uint64_t bit;
	size_t spot; /* offset in struct decode_spots; NONE */
};

enum {
	NONE = sizeof(struct decode_spots)
};

/* clang-format off */
static const struct field sample_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct decode_spots, id)},
	{PERF_SAMPLE_IP,         NONE},
	{PERF_SAMPLE_TID,        offsetof(struct decode_spots, ids)},
	{PERF_SAMPLE_TIME,       offsetof(struct decode_spots, time)},
	{PERF_SAMPLE_ADDR,       NONE},
	{PERF_SAMPLE_ID,         offsetof(struct decode_spots, id)},
	{PERF_SAMPLE_STREAM_ID,  NONE},
	{PERF_SAMPLE_CPU,        offsetof(struct decode_spots, cpu)},
	{PERF_SAMPLE_PERIOD,     offsetof(struct decode_spots, period)},
};

/* From the last one on. */
static const struct field trailer_fields[] = {
	{PERF_SAMPLE_IDENTIFIER, offsetof(struct decode_spots, id)},
	{PERF_SAMPLE_CPU,        offsetof(struct decode_spots, cpu)},
	{PERF_SAMPLE_STREAM_ID,  NONE},
	{PERF_SAMPLE_ID,         offsetof(struct decode_spots, id)},
	{PERF_SAMPLE_TIME,       offsetof(struct decode_spots, time)},
	{PERF_SAMPLE_TID,        offsetof(struct decode_spots, ids)},
};
/* clang-format on */

/* Of two ids the first that is met counts: it is the one that says which event it was. */
static void set_spot(struct decode_spots *spots, size_t spot, uint16_t offset)
{
	uint16_t known;

	if (spot == NONE)
		return;
	memcpy(&known, (char *)spots + spot, sizeof(known));
	if (known == 0)
		memcpy((char *)spots + spot, &offset, sizeof(offset));
}

/* Goes on by a word where the format has the bit. Returns where it was. */
static uint16_t step(uint64_t format, uint64_t bit, uint16_t *offset)
{
	const uint16_t here = *offset;

	if ((format & bit) == 0)
		return 0;
	*offset = (uint16_t)(here + WORD);
	return here;
}

static void place_read(struct decode_places *places, uint64_t format)
{
	uint16_t offset = WORD; /* behind the number of values, or the only one */
	uint16_t behind = WORD; /* a value */

	places->is_group = (format & PERF_FORMAT_GROUP) != 0;
	places->enabled = step(format, PERF_FORMAT_TOTAL_TIME_ENABLED, &offset);
	places->running = step(format, PERF_FORMAT_TOTAL_TIME_RUNNING, &offset);
	if (places->is_group) {
		places->read_values = offset;
		places->read_id = step(format, PERF_FORMAT_ID, &behind);
		step(format, PERF_FORMAT_LOST, &behind);
		places->read_stride = behind;
	} else {
		places->read_id = step(format, PERF_FORMAT_ID, &offset);
		step(format, PERF_FORMAT_LOST, &offset);
	}
	places->read = places->sample_size;
	places->sample_size = (uint16_t)(places->sample_size + offset);
}

struct decode_places decode_places_of(const struct decode_format *format)
{
	const uint64_t known_reads = PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
				     PERF_FORMAT_GROUP | PERF_FORMAT_LOST;
	struct decode_places places = {.sample_size = HEADER};
	uint64_t rest = format->sample_type;

	for (size_t i = 0; i < sizeof(sample_fields) / sizeof(sample_fields[0]); i++) {
		if ((format->sample_type & sample_fields[i].bit) == 0)
			continue;
		rest &= ~sample_fields[i].bit;
		set_spot(&places.sample, sample_fields[i].spot, places.sample_size);
		places.sample_size = (uint16_t)(places.sample_size + WORD);
	}
	places.has_samples = (rest & ~(uint64_t)PERF_SAMPLE_READ) == 0;
	if (rest & PERF_SAMPLE_READ) {
		places.has_samples =
			places.has_samples && (format->read_format & ~known_reads) == 0;
		place_read(&places, format->read_format);
	}
	for (size_t i = 0; i < sizeof(trailer_fields) / sizeof(trailer_fields[0]); i++) {
		if (!format->sample_id_all || (format->sample_type & trailer_fields[i].bit) == 0)
			continue;
		places.trailer_size = (uint16_t)(places.trailer_size + WORD);
		set_spot(&places.trailer, trailer_fields[i].spot, places.trailer_size);
	}
	return places;
}

static_assert((int)HEADER == DECODE_PLAIN_OTHER, "it stands first");

static bool is_plain_sample(const struct decode_places *places, const void *bytes, size_t size)
{
	if (!places->has_samples || size < places->sample_size)
		return false;
	if (!places->is_group)
		return size == places->sample_size;

	const size_t values_size = size - places->sample_size;
	const uint64_t count = decode_word_at(bytes, places->read);

	return count <= values_size && count * places->read_stride == values_size;
}

bool decode_is_plain(const struct decode_places *places, const void *bytes, size_t size)
{
	struct perf_event_header header;

	memcpy(&header, bytes, sizeof(header));
	switch (header.type) {
	case PERF_RECORD_SAMPLE:
		return is_plain_sample(places, bytes, size);
	case PERF_RECORD_SWITCH:
		return size >= (size_t)HEADER + places->trailer_size;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return size >= (size_t)HEADER + SWITCHED + places->trailer_size;
	default:
		return false;
	}
}

struct decode_plain_head decode_plain_head(const void *bytes)
{
	struct perf_event_header header;

	memcpy(&header, bytes, sizeof(header));

	const bool out = (header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;

	return (struct decode_plain_head){
		.type = header.type,
		.out = out,
		.preempted = out && (header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0,
	};
}
