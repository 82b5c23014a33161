/*
 * Encoding of perf's records: [header][body][trailer], in the layouts that decode.c takes apart. A
 * record is a multiple of 8 bytes; strings and raw data are padded with zeros to that, as the
 * kernel does it, so raw data that was not padded comes back with up to 7 zeros more.
 *
 * A pen never passes its end: what does not fit makes it full, and the record is none. What is to
 * be written is said by the format alone; id.has is not looked at.
 */

#include "kernel/encode.h"

#include <string.h>

#include <linux/perf_event.h>

enum {
	WORD = sizeof(uint64_t)
};

static const uint64_t SAMPLE_WRITABLE =
	PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
	PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
	PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
	PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
static const uint64_t READ_WRITABLE = PERF_FORMAT_TOTAL_TIME_ENABLED |
				      PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID |
				      PERF_FORMAT_GROUP | PERF_FORMAT_LOST;

struct pen {
	unsigned char *at, *end;
	bool is_full;
};

static void put_bytes(struct pen *pen, const void *bytes, size_t size)
{
	if (size > (size_t)(pen->end - pen->at)) {
		pen->is_full = true;
		return;
	}
	if (size > 0)
		memcpy(pen->at, bytes, size);
	pen->at += size;
}

static void put_u64(struct pen *pen, uint64_t value)
{
	put_bytes(pen, &value, sizeof(value));
}

static void put_u32(struct pen *pen, uint32_t value)
{
	put_bytes(pen, &value, sizeof(value));
}

static void put_pair(struct pen *pen, int32_t first, int32_t second)
{
	put_bytes(pen, &first, sizeof(first));
	put_bytes(pen, &second, sizeof(second));
}

/* Zeros up to the next multiple of 8; `size` bytes follow the last one. */
static void pad(struct pen *pen, size_t size)
{
	static const unsigned char zeros[WORD];

	put_bytes(pen, zeros, (WORD - size % WORD) % WORD);
}

static void put_string(struct pen *pen, const char *text, size_t length)
{
	put_bytes(pen, text, length);
	put_bytes(pen, "", 1);
	pad(pen, length + 1);
}

static void put_read(struct pen *pen, const struct decoded_read *read, uint64_t format)
{
	uint64_t count = format & PERF_FORMAT_GROUP ? read->count : 1;

	/* More values than that were not kept. */
	if ((format & ~READ_WRITABLE) || count > DECODE_READ_MAX) {
		pen->is_full = true;
		return;
	}
	put_u64(pen, format & PERF_FORMAT_GROUP ? count : read->values[0]);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_u64(pen, read->enabled_ns);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_u64(pen, read->running_ns);
	for (uint64_t i = 0; i < count; i++) {
		if (format & PERF_FORMAT_GROUP)
			put_u64(pen, read->values[i]);
		if (format & PERF_FORMAT_ID)
			put_u64(pen, read->ids[i]);
		if (format & PERF_FORMAT_LOST)
			put_u64(pen, read->lost[i]);
	}
}

static void put_raw(struct pen *pen, const struct decoded_bytes *raw)
{
	size_t size = (sizeof(uint32_t) + raw->size + WORD - 1) / WORD * WORD - sizeof(uint32_t);

	if (raw->size > ENCODE_SIZE_MAX) {
		pen->is_full = true;
		return;
	}
	put_u32(pen, (uint32_t)size);
	put_bytes(pen, raw->bytes, raw->size);
	pad(pen, sizeof(uint32_t) + raw->size);
}

/* Fields that the trailer has too, but for the address, in the same order, but for the first one of
 * a sample. */
static void put_common(struct pen *pen, const struct decoded_id *id, uint64_t addr, uint64_t type)
{
	if (type & PERF_SAMPLE_TID)
		put_pair(pen, id->pid, id->tid);
	if (type & PERF_SAMPLE_TIME)
		put_u64(pen, id->time_ns);
	if (type & PERF_SAMPLE_ADDR)
		put_u64(pen, addr);
	if (type & PERF_SAMPLE_ID)
		put_u64(pen, id->id);
	if (type & PERF_SAMPLE_STREAM_ID)
		put_u64(pen, id->stream_id);
	if (type & PERF_SAMPLE_CPU) {
		put_u32(pen, id->cpu);
		put_u32(pen, 0); /* reserved */
	}
}

static bool put_sample(struct pen *pen, const struct decoded *record,
		       const struct decode_format *format)
{
	uint64_t type = format->sample_type;

	if (type & ~SAMPLE_WRITABLE)
		return false;
	if (type & PERF_SAMPLE_IDENTIFIER)
		put_u64(pen, record->id.id);
	if (type & PERF_SAMPLE_IP)
		put_u64(pen, record->sample.ip);
	put_common(pen, &record->id, record->sample.addr, type);
	if (type & PERF_SAMPLE_PERIOD)
		put_u64(pen, record->sample.period);
	if (type & PERF_SAMPLE_READ)
		put_read(pen, &record->sample.read, format->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(pen, record->sample.callchain_count);
		put_bytes(pen, record->sample.callchain,
			  (size_t)record->sample.callchain_count * WORD);
	}
	if (type & PERF_SAMPLE_RAW)
		put_raw(pen, &record->sample.raw);
	if (type & PERF_SAMPLE_WEIGHT)
		put_u64(pen, record->sample.weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		put_u64(pen, record->sample.data_src);
	return true;
}

static void put_trailer(struct pen *pen, const struct decoded *record,
			const struct decode_format *format)
{
	if (!format->sample_id_all)
		return;
	put_common(pen, &record->id, 0, format->sample_type & ~(uint64_t)PERF_SAMPLE_ADDR);
	if (format->sample_type & PERF_SAMPLE_IDENTIFIER)
		put_u64(pen, record->id.id);
}

static void put_fork(struct pen *pen, const struct decoded_fork *fork)
{
	put_pair(pen, fork->pid, fork->parent_pid);
	put_pair(pen, fork->tid, fork->parent_tid);
	put_u64(pen, fork->time_ns);
}

static void put_mmap2(struct pen *pen, const struct decoded_mmap *map)
{
	put_pair(pen, map->pid, map->tid);
	put_u64(pen, map->address);
	put_u64(pen, map->length);
	put_u64(pen, map->page_offset);
	if (map->has_build_id) {
		const unsigned char head[4] = {map->build_id_size}; /* the rest is reserved */

		put_bytes(pen, head, sizeof(head));
		put_bytes(pen, map->build_id, sizeof(map->build_id));
	} else {
		put_u32(pen, map->major);
		put_u32(pen, map->minor);
		put_u64(pen, map->inode);
		put_u64(pen, map->inode_generation);
	}
	put_u32(pen, map->protection);
	put_u32(pen, map->flags);
	put_string(pen, map->file, map->file_length);
}

static void put_ksymbol(struct pen *pen, const struct decoded_mmap *map)
{
	put_u64(pen, map->address);
	put_u32(pen, (uint32_t)map->length);
	put_u32(pen,
		map->function_kind |
			(map->is_unmapped ? (uint32_t)PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER << 16
					  : 0));
	put_string(pen, map->file, map->file_length);
}

static bool put_body(struct pen *pen, const struct decoded *record,
		     const struct decode_format *format)
{
	switch (record->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		put_fork(pen, &record->fork);
		return true;
	case PERF_RECORD_COMM:
		put_pair(pen, record->comm.pid, record->comm.tid);
		put_string(pen, record->comm.name, record->comm.name_length);
		return true;
	case PERF_RECORD_MMAP2:
		put_mmap2(pen, &record->mmap);
		return true;
	case PERF_RECORD_KSYMBOL:
		put_ksymbol(pen, &record->mmap);
		return true;
	case PERF_RECORD_LOST:
		put_u64(pen, record->lost.id);
		put_u64(pen, record->lost.lost);
		return true;
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		put_u64(pen, record->throttle.time_ns);
		put_u64(pen, record->throttle.id);
		put_u64(pen, record->throttle.stream_id);
		return true;
	case PERF_RECORD_SWITCH:
		return true;
	case PERF_RECORD_SWITCH_CPU_WIDE:
		put_pair(pen, record->ctx_switch.other_pid, record->ctx_switch.other_tid);
		return true;
	case PERF_RECORD_READ:
		put_pair(pen, record->counts.pid, record->counts.tid);
		put_read(pen, &record->counts.read, format->read_format);
		return true;
	default:
		return false;
	}
}

/* The bits of misc that decode.c makes statements of are those that the statements make. */
static uint16_t misc_of(const struct decoded *record)
{
	unsigned int owned = 0, set = 0;

	switch (record->type) {
	case PERF_RECORD_COMM:
		owned = PERF_RECORD_MISC_COMM_EXEC;
		set = record->comm.exec ? owned : 0;
		break;
	case PERF_RECORD_MMAP2:
		owned = PERF_RECORD_MISC_MMAP_DATA | PERF_RECORD_MISC_MMAP_BUILD_ID;
		set = (record->mmap.is_data ? PERF_RECORD_MISC_MMAP_DATA : 0u) |
		      (record->mmap.has_build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0u);
		break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		owned = PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		set = (record->ctx_switch.out ? PERF_RECORD_MISC_SWITCH_OUT : 0u) |
		      (record->ctx_switch.out && record->ctx_switch.preempted
			       ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
			       : 0u);
		break;
	default:
		break;
	}
	return (uint16_t)((record->misc & ~owned) | set);
}

size_t encode_record(void *bytes, const struct decoded *record, const struct decode_format *format)
{
	struct perf_event_header header = {.type = record->type, .misc = misc_of(record)};
	struct pen pen = {
		.at = (unsigned char *)bytes + sizeof(header),
		.end = (unsigned char *)bytes + ENCODE_SIZE_MAX,
	};

	if (record->type == PERF_RECORD_SAMPLE) {
		if (!put_sample(&pen, record, format))
			return 0;
	} else {
		if (!put_body(&pen, record, format))
			return 0;
		put_trailer(&pen, record, format);
	}
	if (pen.is_full)
		return 0;
	header.size = (uint16_t)(pen.at - (unsigned char *)bytes);
	memcpy(bytes, &header, sizeof(header));
	return header.size;
}
