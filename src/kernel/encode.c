/*
 * Encoding of perf's records: [header][body][trailer], in the layouts that decode.c takes apart. A
 * record is a multiple of 8 bytes; strings and raw data are padded with zeros to that, as the
 * kernel does it.
 *
 * An encoder never passes its end: what does not fit makes it full, and the record is none. What is
 * to be written is said by the format alone; id.has is not looked at.
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

static size_t room_left(const struct encoder *encoder)
{
	return ENCODE_SIZE_MAX - (size_t)(encoder->at - encoder->bytes);
}

static void put_bytes(struct encoder *encoder, const void *bytes, size_t size)
{
	if (size > room_left(encoder)) {
		encoder->is_full = true;
		return;
	}
	if (size > 0)
		memcpy(encoder->at, bytes, size);
	encoder->at += size;
}

void encode_word(struct encoder *encoder, uint64_t word)
{
	put_bytes(encoder, &word, sizeof(word));
}

static void put_u32(struct encoder *encoder, uint32_t value)
{
	put_bytes(encoder, &value, sizeof(value));
}

static void put_pair(struct encoder *encoder, int32_t first, int32_t second)
{
	put_bytes(encoder, &first, sizeof(first));
	put_bytes(encoder, &second, sizeof(second));
}

/* Zeros up to the next multiple of 8. */
static void pad(struct encoder *encoder)
{
	static const unsigned char zeros[WORD];

	put_bytes(encoder, zeros, room_left(encoder) % WORD);
}

static void put_string(struct encoder *encoder, const char *text, size_t length)
{
	put_bytes(encoder, text, length);
	put_bytes(encoder, "", 1);
	pad(encoder);
}

static bool format_has(const struct encoder *encoder, uint64_t field)
{
	return encoder->format->sample_type & field;
}

/* Fields that the trailer has too, but for the address, in the same order, but for the first one of
 * a sample. */
static void put_common(struct encoder *encoder, uint64_t addr)
{
	const struct decoded_id *id = &encoder->id;

	if (format_has(encoder, PERF_SAMPLE_TID))
		put_pair(encoder, id->pid, id->tid);
	if (format_has(encoder, PERF_SAMPLE_TIME))
		encode_word(encoder, id->time_ns);
	if (format_has(encoder, PERF_SAMPLE_ADDR) && encoder->type == PERF_RECORD_SAMPLE)
		encode_word(encoder, addr);
	if (format_has(encoder, PERF_SAMPLE_ID))
		encode_word(encoder, id->id);
	if (format_has(encoder, PERF_SAMPLE_STREAM_ID))
		encode_word(encoder, id->stream_id);
	if (format_has(encoder, PERF_SAMPLE_CPU)) {
		put_u32(encoder, id->cpu);
		put_u32(encoder, 0); /* reserved */
	}
}

void encode_begin(struct encoder *encoder, void *bytes, const struct decode_format *format,
		  const struct decoded_id *id, uint32_t type, uint16_t misc)
{
	*encoder = (struct encoder){
		.bytes = bytes,
		.at = (unsigned char *)bytes + sizeof(struct perf_event_header),
		.format = format,
		.id = *id,
		.type = type,
		.misc = misc,
	};
}

size_t encode_end(struct encoder *encoder)
{
	struct perf_event_header header = {.type = encoder->type, .misc = encoder->misc};

	if (encoder->type != PERF_RECORD_SAMPLE && encoder->format->sample_id_all) {
		put_common(encoder, 0);
		if (format_has(encoder, PERF_SAMPLE_IDENTIFIER))
			encode_word(encoder, encoder->id.id);
	}
	if (encoder->is_full)
		return 0;
	header.size = (uint16_t)(encoder->at - encoder->bytes);
	memcpy(encoder->bytes, &header, sizeof(header));
	return header.size;
}

void encode_sample(struct encoder *encoder, uint64_t ip, uint64_t addr, uint64_t period)
{
	if (format_has(encoder, ~SAMPLE_WRITABLE))
		encoder->is_full = true;
	if (format_has(encoder, PERF_SAMPLE_IDENTIFIER))
		encode_word(encoder, encoder->id.id);
	if (format_has(encoder, PERF_SAMPLE_IP))
		encode_word(encoder, ip);
	put_common(encoder, addr);
	if (format_has(encoder, PERF_SAMPLE_PERIOD))
		encode_word(encoder, period);
}

void encode_read(struct encoder *encoder, uint64_t count, uint64_t enabled_ns, uint64_t running_ns)
{
	const uint64_t format = encoder->format->read_format;

	encode_word(encoder, count);
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		encode_word(encoder, enabled_ns);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		encode_word(encoder, running_ns);
}

void encode_value(struct encoder *encoder, uint64_t value, uint64_t id)
{
	encode_word(encoder, value);
	if (encoder->format->read_format & PERF_FORMAT_ID)
		encode_word(encoder, id);
}

bool encode_chain(struct encoder *encoder, uint64_t count)
{
	if (!format_has(encoder, PERF_SAMPLE_CALLCHAIN))
		return false;
	encode_word(encoder, count);
	return true;
}

void encode_raw(struct encoder *encoder, const void *bytes, size_t size)
{
	if (!format_has(encoder, PERF_SAMPLE_RAW))
		return;
	if (room_left(encoder) < sizeof(uint32_t) || size > room_left(encoder) - sizeof(uint32_t)) {
		encoder->is_full = true;
		return;
	}
	put_u32(encoder,
		(uint32_t)((sizeof(uint32_t) + size + WORD - 1) / WORD * WORD - sizeof(uint32_t)));
	if (size > 0)
		memcpy(encoder->at, bytes, size);
	encoder->at += size;
	pad(encoder);
}

void encode_access(struct encoder *encoder, uint64_t weight, uint64_t data_src)
{
	if (format_has(encoder, PERF_SAMPLE_WEIGHT))
		encode_word(encoder, weight);
	if (format_has(encoder, PERF_SAMPLE_DATA_SRC))
		encode_word(encoder, data_src);
}

void encode_fork(struct encoder *encoder, const struct decoded_fork *fork)
{
	put_pair(encoder, fork->pid, fork->parent_pid);
	put_pair(encoder, fork->tid, fork->parent_tid);
	encode_word(encoder, fork->time_ns);
}

void encode_comm(struct encoder *encoder, const struct decoded_comm *comm)
{
	encoder->misc |= comm->exec ? PERF_RECORD_MISC_COMM_EXEC : 0;
	put_pair(encoder, comm->pid, comm->tid);
	put_string(encoder, comm->name, comm->name_length);
}

void encode_mmap2(struct encoder *encoder, const struct decoded_mmap *map)
{
	encoder->misc |= (map->is_data ? PERF_RECORD_MISC_MMAP_DATA : 0) |
			 (map->has_build_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0);
	put_pair(encoder, map->pid, map->tid);
	encode_word(encoder, map->address);
	encode_word(encoder, map->length);
	encode_word(encoder, map->page_offset);
	if (map->has_build_id) {
		const unsigned char head[4] = {map->build_id_size}; /* the rest is reserved */

		put_bytes(encoder, head, sizeof(head));
		put_bytes(encoder, map->build_id, sizeof(map->build_id));
	} else {
		put_u32(encoder, map->major);
		put_u32(encoder, map->minor);
		encode_word(encoder, map->inode);
		encode_word(encoder, map->inode_generation);
	}
	put_u32(encoder, map->protection);
	put_u32(encoder, map->flags);
	put_string(encoder, map->file, map->file_length);
}

void encode_ksymbol(struct encoder *encoder, const struct decoded_mmap *map)
{
	encode_word(encoder, map->address);
	put_u32(encoder, (uint32_t)map->length);
	put_u32(encoder,
		map->function_kind |
			(map->is_unmapped ? (uint32_t)PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER << 16
					  : 0));
	put_string(encoder, map->file, map->file_length);
}

void encode_lost(struct encoder *encoder, const struct decoded_lost *lost)
{
	encode_word(encoder, lost->id);
	encode_word(encoder, lost->lost);
}

void encode_throttle(struct encoder *encoder, const struct decoded_throttle *throttle)
{
	encode_word(encoder, throttle->time_ns);
	encode_word(encoder, throttle->id);
	encode_word(encoder, throttle->stream_id);
}

void encode_switch(struct encoder *encoder, const struct decoded_switch *ctx_switch)
{
	encoder->misc |= (ctx_switch->out ? PERF_RECORD_MISC_SWITCH_OUT : 0) |
			 (ctx_switch->preempted ? PERF_RECORD_MISC_SWITCH_OUT_PREEMPT : 0);
	if (encoder->type == PERF_RECORD_SWITCH_CPU_WIDE)
		put_pair(encoder, ctx_switch->other_pid, ctx_switch->other_tid);
}

void encode_task(struct encoder *encoder, int32_t pid, int32_t tid)
{
	put_pair(encoder, pid, tid);
}
