#ifndef PERFTOP_TESTS_ENCODE_KIT_H
#define PERFTOP_TESTS_ENCODE_KIT_H

/* A whole record at once: the other way round from decode_record(). */

#include <linux/perf_event.h>

#include "kernel/encode.h"

static inline void encode_reading(struct encoder *to, const struct decoded_read *read)
{
	const uint64_t format = to->format->read_format;
	const bool is_group = format & PERF_FORMAT_GROUP;

	/* an event alone has its value in place of how many there are */
	encode_read(to, is_group ? read->count : read->values[0], read->enabled_ns,
		    read->running_ns);
	for (uint64_t i = 0; i < (is_group ? read->count : 1); i++) {
		if (is_group)
			encode_value(to, read->values[i], read->ids[i]);
		else if (format & PERF_FORMAT_ID)
			encode_word(to, read->ids[i]);
		if (format & PERF_FORMAT_LOST)
			encode_word(to, read->lost[i]);
	}
}

static inline void encode_sample_body(struct encoder *to, const struct decoded_sample *sample)
{
	encode_sample(to, sample->ip, sample->addr, sample->period);
	if (to->format->sample_type & PERF_SAMPLE_READ)
		encode_reading(to, &sample->read);
	if (encode_chain(to, sample->callchain_count))
		for (uint64_t i = 0; i < sample->callchain_count; i++)
			encode_word(to, decode_word_at(sample->callchain, 8 * (size_t)i));
	encode_raw(to, sample->raw.bytes, sample->raw.size);
	encode_access(to, sample->weight, sample->data_src);
}

/* False: there is no such thing to be written. */
static inline bool encode_body(struct encoder *to, const struct decoded *record)
{
	switch (record->type) {
	case PERF_RECORD_SAMPLE:
		encode_sample_body(to, &record->sample);
		return true;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		encode_fork(to, &record->fork);
		return true;
	case PERF_RECORD_COMM:
		encode_comm(to, &record->comm);
		return true;
	case PERF_RECORD_MMAP2:
		encode_mmap2(to, &record->mmap);
		return true;
	case PERF_RECORD_KSYMBOL:
		encode_ksymbol(to, &record->mmap);
		return true;
	case PERF_RECORD_LOST:
		encode_lost(to, &record->lost);
		return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		encode_throttle(to, &record->throttle);
		return true;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		encode_switch(to, &record->ctx_switch);
		return true;
	case PERF_RECORD_READ:
		encode_task(to, record->counts.pid, record->counts.tid);
		encode_reading(to, &record->counts.read);
		return true;
	default:
		return false;
	}
}

/* To `bytes`, which have room for ENCODE_SIZE_MAX; the size, 0: it cannot be written. */
static inline size_t encode_record(void *bytes, const struct decoded *record,
				   const struct decode_format *format)
{
	struct encoder encoder;

	encode_begin(&encoder, bytes, format, &record->id, record->type, record->misc);
	return encode_body(&encoder, record) ? encode_end(&encoder) : 0;
}

#endif
