/*
 * Readings of counters, which look the same behind read(2), in a sample and in PERF_RECORD_READ:
 * of one event value, times, id and lost; of a group its number, the times, and a row each.
 */
#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"
#include "kernel/decode_parts.h"

static const uint64_t READ_TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;

static const uint64_t READ_KNOWN = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				   PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST;

static void next_read_times(struct decode_cursor *cursor, struct decoded_read *read,
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

/* value, times, id, lost: the times come between the value and its id. */
static bool take_single_read(struct decode_cursor *cursor, struct decoded_read *read,
			     uint64_t format)
{
	if (bytes_left(cursor) < (1 + words_of(format)) * DECODE_WORD)
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
		memcpy(&words[i], from + i * stride * DECODE_WORD, DECODE_WORD);
}

static bool take_group_read(struct decode_cursor *cursor, struct decoded_read *read,
			    uint64_t format)
{
	size_t has_id = (format & PERF_FORMAT_ID) != 0;
	size_t has_lost = (format & PERF_FORMAT_LOST) != 0;
	size_t stride = 1 + has_id + has_lost;

	/* The common case first: counting bits costs as much as reading some values. */
	if (bytes_left(cursor) < 3 * DECODE_WORD &&
	    bytes_left(cursor) < (1 + words_of(format & READ_TIMES)) * DECODE_WORD)
		return false;
	read->count = next_u64(cursor);
	next_read_times(cursor, read, format);
	/* The first test keeps the product of the second from overflowing. */
	if (read->count > bytes_left(cursor) / DECODE_WORD ||
	    read->count * stride * DECODE_WORD > bytes_left(cursor))
		return false;

	uint64_t kept = read->count < DECODE_READ_MAX ? read->count : DECODE_READ_MAX;

	copy_words(read->values, cursor->at, stride, kept);
	if (has_id)
		copy_words(read->ids, cursor->at + DECODE_WORD, stride, kept);
	if (has_lost) {
		copy_words(read->lost, cursor->at + DECODE_WORD + has_id * DECODE_WORD, stride,
			   kept);
	}
	cursor->at += read->count * stride * DECODE_WORD;
	return true;
}

bool decode_take_readings(struct decode_cursor *cursor, struct decoded_read *read, uint64_t format)
{
	/* What this was not built for changes the layout in a way that is unknown here. */
	if (format & ~READ_KNOWN)
		return false;
	return format & PERF_FORMAT_GROUP ? take_group_read(cursor, read, format)
					  : take_single_read(cursor, read, format);
}
