/*
 * Decoding of perf's records. A record is [header][body][trailer]; the trailer (struct
 * sample_id) has a fixed size for a given event and is taken off the end first, so that the
 * body may grow in later kernels and strings know where they must stop. A PERF_RECORD_SAMPLE
 * has no trailer: its fields stand in the order in which the kernel writes them
 * (perf_output_sample), which is not the order of the PERF_SAMPLE_* bits.
 *
 * All sizes are bytes. A cursor never passes its end: every step is checked, or belongs to a
 * run of fields that was checked as a whole.
 */

#include "kernel/decode.h"

#include <assert.h>
#include <string.h>

#include <linux/perf_event.h>

/* Known to kernels since 6.8, younger than the headers this must build with. */
static const uint64_t BRANCH_COUNTERS = 1U << 19;

/* Fields of one 64-bit word each, that stand before the first field of variable size. */
static const uint64_t SAMPLE_HEAD = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				    PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
enum {
	SAMPLE_HEAD_WORDS = 9
};

static const uint64_t SAMPLE_WEIGHTS = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;
/* The same between the registers and the AUX data. */
static const uint64_t SAMPLE_TAIL = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
				    PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
static const uint64_t SAMPLE_KNOWN = PERF_SAMPLE_MAX - 1;

static const uint64_t READ_TIMES = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
static const uint64_t READ_KNOWN = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				   PERF_FORMAT_ID | PERF_FORMAT_GROUP | PERF_FORMAT_LOST;

static const uint64_t TRAILER = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

enum {
	WORD = sizeof(uint64_t),
	BRANCH_ENTRY = sizeof(struct perf_branch_entry)
};

static_assert((int)DECODED_HAS_TID == PERF_SAMPLE_TID &&
		      (int)DECODED_HAS_TIME == PERF_SAMPLE_TIME &&
		      (int)DECODED_HAS_READ == PERF_SAMPLE_READ &&
		      (int)DECODED_HAS_CPU == PERF_SAMPLE_CPU &&
		      (int)DECODED_HAS_RAW == PERF_SAMPLE_RAW,
	      "fields have the kernel's numbers");
static_assert(BRANCH_ENTRY == 24, "a branch is from, to and one word of flags");

struct cursor {
	const unsigned char *at, *end;
};

static size_t left(const struct cursor *cursor)
{
	return (size_t)(cursor->end - cursor->at);
}

/* The next word; the caller has checked that it is there. Bytes from files may stand unaligned. */
static uint64_t next_u64(struct cursor *cursor)
{
	uint64_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static uint32_t next_u32(struct cursor *cursor)
{
	uint32_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static int32_t next_s32(struct cursor *cursor)
{
	return (int32_t)next_u32(cursor);
}

static uint16_t next_u16(struct cursor *cursor)
{
	uint16_t value;

	memcpy(&value, cursor->at, sizeof(value));
	cursor->at += sizeof(value);
	return value;
}

static bool take_u64(struct cursor *cursor, uint64_t *value)
{
	if (left(cursor) < WORD) {
		return false;
	}
	*value = next_u64(cursor);
	return true;
}

/* `count` elements of `size` bytes; count comes from the record and may be anything. */
static bool take_array(struct cursor *cursor, uint64_t count, size_t size, const void **array)
{
	if (count > left(cursor) / size) {
		return false;
	}
	*array = cursor->at;
	cursor->at += count * size;
	return true;
}

static bool take_words(struct cursor *cursor, uint64_t count, const uint64_t **words)
{
	const void *array;

	if (!take_array(cursor, count, WORD, &array)) {
		return false;
	}
	*words = array;
	return true;
}

static bool take_bytes(struct cursor *cursor, uint64_t count, struct decoded_bytes *bytes)
{
	if (!take_array(cursor, count, 1, &bytes->bytes)) {
		return false;
	}
	bytes->size = (size_t)count;
	return true;
}

/* The rest of the body as a string: padded with NULs, or cut, as it comes. */
static const char *take_string(struct cursor *cursor, size_t *length)
{
	const char *text = (const char *)cursor->at;

	*length = strnlen(text, left(cursor));
	cursor->at = cursor->end;
	return text;
}

/* How many bits are set: written out, since not every processor has an instruction for it. */
static inline size_t words_of(uint64_t mask)
{
	mask -= mask >> 1 & UINT64_C(0x5555555555555555);
	mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
	mask = (mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (size_t)(mask * UINT64_C(0x0101010101010101) >> 56);
}

static void next_read_times(struct cursor *cursor, struct decoded_read *read, uint64_t format)
{
	read->has_times = false;
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED) {
		read->enabled_ns = next_u64(cursor);
	}
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING) {
		read->running_ns = next_u64(cursor);
		read->has_times = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) != 0;
	}
}

/* value, times, id, lost: the times come between the value and its id. */
static bool take_single_read(struct cursor *cursor, struct decoded_read *read, uint64_t format)
{
	if (left(cursor) < (1 + words_of(format)) * WORD) {
		return false;
	}
	read->count = 1;
	read->values[0] = next_u64(cursor);
	next_read_times(cursor, read, format);
	if (format & PERF_FORMAT_ID) {
		read->ids[0] = next_u64(cursor);
	}
	if (format & PERF_FORMAT_LOST) {
		read->lost[0] = next_u64(cursor);
	}
	return true;
}

/* Every `stride`-th word. */
static void copy_words(uint64_t *words, const unsigned char *from, size_t stride, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		memcpy(&words[i], from + i * stride * WORD, WORD);
	}
}

static bool take_group_read(struct cursor *cursor, struct decoded_read *read, uint64_t format)
{
	size_t has_id = (format & PERF_FORMAT_ID) != 0;
	size_t has_lost = (format & PERF_FORMAT_LOST) != 0;
	size_t stride = 1 + has_id + has_lost;

	/* The common case first: counting bits costs as much as reading some values. */
	if (left(cursor) < 3 * WORD && left(cursor) < (1 + words_of(format & READ_TIMES)) * WORD) {
		return false;
	}
	read->count = next_u64(cursor);
	next_read_times(cursor, read, format);
	/* The first test keeps the product of the second from overflowing. */
	if (read->count > left(cursor) / WORD || read->count * stride * WORD > left(cursor)) {
		return false;
	}

	uint64_t kept = read->count < DECODE_READ_MAX ? read->count : DECODE_READ_MAX;

	copy_words(read->values, cursor->at, stride, kept);
	if (has_id) {
		copy_words(read->ids, cursor->at + WORD, stride, kept);
	}
	if (has_lost) {
		copy_words(read->lost, cursor->at + WORD + has_id * WORD, stride, kept);
	}
	cursor->at += read->count * stride * WORD;
	return true;
}

static bool take_read(struct cursor *cursor, struct decoded_read *read, uint64_t format)
{
	/* What this was not built for changes the layout in a way that nobody here knows. */
	if (format & ~READ_KNOWN) {
		return false;
	}
	return format & PERF_FORMAT_GROUP ? take_group_read(cursor, read, format)
					  : take_single_read(cursor, read, format);
}

/* The trailer, and with it the common fields of every record but SAMPLE. */
static void next_trailer(struct cursor *cursor, struct decoded_id *id, uint64_t type)
{
	id->has = type & TRAILER;
	if (type & PERF_SAMPLE_TID) {
		id->pid = next_s32(cursor);
		id->tid = next_s32(cursor);
	}
	if (type & PERF_SAMPLE_TIME) {
		id->time_ns = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_ID) {
		id->id = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_STREAM_ID) {
		id->stream_id = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = next_u32(cursor);
		cursor->at += sizeof(uint32_t); /* reserved */
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		id->id = next_u64(cursor);
	}
}

static bool take_sample_head(struct cursor *cursor, struct decoded_sample *sample,
			     struct decoded_id *id, uint64_t type)
{
	/* Counting bits only where the record is so short that it matters. */
	if (left(cursor) < SAMPLE_HEAD_WORDS * WORD &&
	    left(cursor) < words_of(type & SAMPLE_HEAD) * WORD) {
		return false;
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		id->id = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_IP) {
		sample->ip = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_TID) {
		id->pid = next_s32(cursor);
		id->tid = next_s32(cursor);
	}
	if (type & PERF_SAMPLE_TIME) {
		id->time_ns = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_ADDR) {
		sample->addr = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_ID) {
		id->id = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_STREAM_ID) {
		id->stream_id = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = next_u32(cursor);
		cursor->at += sizeof(uint32_t); /* reserved */
	}
	if (type & PERF_SAMPLE_PERIOD) {
		sample->period = next_u64(cursor);
	}
	return true;
}

static bool take_raw(struct cursor *cursor, struct decoded_bytes *raw)
{
	if (left(cursor) < sizeof(uint32_t)) {
		return false;
	}
	/* The size counts the padding that brings the next field back to 8 bytes. */
	return take_bytes(cursor, next_u32(cursor), raw);
}

/*
 * Where the event wants a hardware index, the kernel leaves it out when there is no branch
 * stack at all, and an empty stack with it looks the same at this place.
 */
static bool take_branches(struct cursor *cursor, struct decoded_sample *sample,
			  uint64_t branch_type, bool no_stack)
{
	if (!take_u64(cursor, &sample->branch_count)) {
		return false;
	}
	sample->branches = (struct decoded_bytes){.bytes = cursor->at, .size = 0};
	sample->branch_hw_index = UINT64_MAX;
	if (no_stack) {
		return sample->branch_count == 0;
	}
	if ((branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
	    !take_u64(cursor, &sample->branch_hw_index)) {
		return false;
	}
	if (!take_array(cursor, sample->branch_count, BRANCH_ENTRY, &sample->branches.bytes)) {
		return false;
	}
	sample->branches.size = (size_t)sample->branch_count * BRANCH_ENTRY;

	const uint64_t *counters;

	return !(branch_type & BRANCH_COUNTERS) ||
	       take_words(cursor, sample->branch_count, &counters);
}

static bool take_regs(struct cursor *cursor, uint64_t mask, uint64_t *abi, const uint64_t **regs,
		      uint64_t *count)
{
	if (!take_u64(cursor, abi)) {
		return false;
	}
	*count = *abi == PERF_SAMPLE_REGS_ABI_NONE ? 0 : words_of(mask);
	return take_words(cursor, *count, regs);
}

static bool take_user_stack(struct cursor *cursor, struct decoded_sample *sample)
{
	uint64_t size;

	sample->user_stack_dynamic_size = 0;
	if (!take_u64(cursor, &size) || !take_bytes(cursor, size, &sample->user_stack)) {
		return false;
	}
	/* The used part is told only where a stack was dumped. */
	return size == 0 || take_u64(cursor, &sample->user_stack_dynamic_size);
}

static bool take_sample_state(struct cursor *cursor, struct decoded_sample *sample,
			      const struct decode_format *format)
{
	uint64_t type = format->sample_type;

	if ((type & PERF_SAMPLE_REGS_USER) &&
	    !take_regs(cursor, format->user_regs, &sample->user_abi, &sample->user_regs,
		       &sample->user_reg_count)) {
		return false;
	}
	if ((type & PERF_SAMPLE_STACK_USER) && !take_user_stack(cursor, sample)) {
		return false;
	}
	if ((type & SAMPLE_WEIGHTS) && !take_u64(cursor, &sample->weight)) {
		return false;
	}
	if ((type & PERF_SAMPLE_DATA_SRC) && !take_u64(cursor, &sample->data_src)) {
		return false;
	}
	if ((type & PERF_SAMPLE_TRANSACTION) && !take_u64(cursor, &sample->transaction)) {
		return false;
	}
	return !(type & PERF_SAMPLE_REGS_INTR) ||
	       take_regs(cursor, format->intr_regs, &sample->intr_abi, &sample->intr_regs,
			 &sample->intr_reg_count);
}

static bool take_sample_tail(struct cursor *cursor, struct decoded_sample *sample, uint64_t type)
{
	if (left(cursor) < words_of(type & SAMPLE_TAIL) * WORD) {
		return false;
	}
	if (type & PERF_SAMPLE_PHYS_ADDR) {
		sample->phys_addr = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_CGROUP) {
		sample->cgroup = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE) {
		sample->data_page_size = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE) {
		sample->code_page_size = next_u64(cursor);
	}
	if (type & PERF_SAMPLE_AUX) {
		uint64_t size;

		return take_u64(cursor, &size) && take_bytes(cursor, size, &sample->aux);
	}
	return true;
}

/* What stands behind the readings; nothing of it in perftop's own events. */
static bool take_sample_rest(struct cursor *cursor, struct decoded_sample *sample,
			     const struct decode_format *format, bool no_stack)
{
	uint64_t type = format->sample_type;

	if ((type & PERF_SAMPLE_CALLCHAIN) &&
	    (!take_u64(cursor, &sample->callchain_count) ||
	     !take_words(cursor, sample->callchain_count, &sample->callchain))) {
		return false;
	}
	if ((type & PERF_SAMPLE_RAW) && !take_raw(cursor, &sample->raw)) {
		return false;
	}
	if ((type & PERF_SAMPLE_BRANCH_STACK) &&
	    !take_branches(cursor, sample, format->branch_sample_type, no_stack)) {
		return false;
	}
	if (!take_sample_state(cursor, sample, format) || !take_sample_tail(cursor, sample, type)) {
		return false;
	}
	/* The record must be used up, unless a younger kernel appended what we do not know. */
	return left(cursor) == 0 || (type & ~SAMPLE_KNOWN) != 0;
}

static enum decode_result decode_sample(struct decoded *record, struct cursor cursor,
					const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct decoded_sample *sample = &record->sample;

	record->id.has = type & SAMPLE_KNOWN;
	if (!take_sample_head(&cursor, sample, &record->id, type)) {
		return DECODE_BROKEN;
	}
	if ((type & PERF_SAMPLE_READ) && !take_read(&cursor, &sample->read, format->read_format)) {
		return DECODE_BROKEN;
	}
	if ((type & ~(SAMPLE_HEAD | PERF_SAMPLE_READ)) == 0) {
		return left(&cursor) == 0 ? DECODE_OK : DECODE_BROKEN;
	}

	struct cursor again = cursor;

	if (take_sample_rest(&cursor, sample, format, false)) {
		return DECODE_OK;
	}
	if ((type & PERF_SAMPLE_BRANCH_STACK) &&
	    (format->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
	    take_sample_rest(&again, sample, format, true)) {
		return DECODE_OK;
	}
	return DECODE_BROKEN;
}

static bool decode_fork(struct decoded_fork *fork, struct cursor *body)
{
	if (left(body) < 4 * sizeof(int32_t) + WORD) {
		return false;
	}
	fork->pid = next_s32(body);
	fork->parent_pid = next_s32(body);
	fork->tid = next_s32(body);
	fork->parent_tid = next_s32(body);
	fork->time_ns = next_u64(body);
	return true;
}

static bool decode_comm(struct decoded_comm *comm, struct cursor *body, uint16_t misc)
{
	if (left(body) < 2 * sizeof(int32_t)) {
		return false;
	}
	comm->pid = next_s32(body);
	comm->tid = next_s32(body);
	comm->name = take_string(body, &comm->name_length);
	comm->exec = (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	return true;
}

static bool decode_mmap(struct decoded_mmap *map, struct cursor *body, uint16_t misc)
{
	if (left(body) < 2 * sizeof(int32_t) + 3 * WORD) {
		return false;
	}
	map->pid = next_s32(body);
	map->tid = next_s32(body);
	map->address = next_u64(body);
	map->length = next_u64(body);
	map->page_offset = next_u64(body);
	map->is_data = (misc & PERF_RECORD_MISC_MMAP_DATA) != 0;
	map->has_build_id = false;
	return true;
}

/* 24 bytes that are either the file's identity in its file system or its build id. */
static void next_file_identity(struct cursor *body, struct decoded_mmap *map)
{
	map->major = next_u32(body);
	map->minor = next_u32(body);
	map->inode = next_u64(body);
	map->inode_generation = next_u64(body);
}

static bool next_build_id(struct cursor *body, struct decoded_mmap *map)
{
	map->has_build_id = true;
	map->build_id_size = *body->at;
	body->at += 4; /* size and three reserved bytes */
	memcpy(map->build_id, body->at, sizeof(map->build_id));
	body->at += sizeof(map->build_id);
	return map->build_id_size <= sizeof(map->build_id);
}

static bool decode_mmap2(struct decoded_mmap *map, struct cursor *body, uint16_t misc)
{
	if (!decode_mmap(map, body, misc) || left(body) < 4 * WORD) {
		return false;
	}
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		if (!next_build_id(body, map)) {
			return false;
		}
	} else {
		next_file_identity(body, map);
	}
	map->protection = next_u32(body);
	map->flags = next_u32(body);
	map->file = take_string(body, &map->file_length);
	return true;
}

static bool decode_mmap1(struct decoded_mmap *map, struct cursor *body, uint16_t misc)
{
	if (!decode_mmap(map, body, misc)) {
		return false;
	}
	map->file = take_string(body, &map->file_length);
	return true;
}

static bool decode_lost(struct decoded_lost *lost, struct cursor *body)
{
	return take_u64(body, &lost->id) && take_u64(body, &lost->lost);
}

static bool decode_lost_samples(struct decoded_lost *lost, struct cursor *body)
{
	lost->id = 0;
	return take_u64(body, &lost->lost);
}

static bool decode_throttle(struct decoded_throttle *throttle, struct cursor *body)
{
	return take_u64(body, &throttle->time_ns) && take_u64(body, &throttle->id) &&
	       take_u64(body, &throttle->stream_id);
}

static bool decode_switch(struct decoded *record, struct cursor *body)
{
	struct decoded_switch *swap = &record->swap;

	swap->out = (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	swap->preempted = swap->out && (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
	swap->other_pid = -1;
	swap->other_tid = -1;
	if (record->type == PERF_RECORD_SWITCH) {
		return true;
	}
	if (left(body) < 2 * sizeof(int32_t)) {
		return false;
	}
	swap->other_pid = next_s32(body);
	swap->other_tid = next_s32(body);
	return true;
}

static bool decode_counts(struct decoded *record, struct cursor *body, uint64_t read_format)
{
	if (left(body) < 2 * sizeof(int32_t)) {
		return false;
	}
	record->counts.pid = next_s32(body);
	record->counts.tid = next_s32(body);
	return take_read(body, &record->counts.read, read_format);
}

static bool decode_itrace_start(struct decoded *record, struct cursor *body)
{
	if (left(body) < 2 * sizeof(int32_t)) {
		return false;
	}
	record->itrace_start.pid = next_s32(body);
	record->itrace_start.tid = next_s32(body);
	return true;
}

static bool decode_aux(struct decoded_aux *aux, struct cursor *body)
{
	return take_u64(body, &aux->offset) && take_u64(body, &aux->size) &&
	       take_u64(body, &aux->flags);
}

static bool decode_namespaces(struct decoded_namespaces *namespaces, struct cursor *body)
{
	if (left(body) < 2 * sizeof(int32_t) + WORD) {
		return false;
	}
	namespaces->pid = next_s32(body);
	namespaces->tid = next_s32(body);
	namespaces->count = next_u64(body);
	return take_array(body, namespaces->count, sizeof(struct perf_ns_link_info),
			  &namespaces->entries);
}

static bool decode_ksymbol(struct decoded_ksymbol *symbol, struct cursor *body)
{
	if (left(body) < 2 * WORD) {
		return false;
	}
	symbol->address = next_u64(body);
	symbol->length = next_u32(body);
	symbol->type = next_u16(body);
	symbol->flags = next_u16(body);
	symbol->name = take_string(body, &symbol->name_length);
	return true;
}

static bool decode_bpf(struct decoded_bpf *bpf, struct cursor *body)
{
	if (left(body) < 2 * WORD) {
		return false;
	}
	bpf->type = next_u16(body);
	bpf->flags = next_u16(body);
	bpf->id = next_u32(body);
	bpf->tag = body->at;
	return true;
}

static bool decode_cgroup(struct decoded_cgroup *cgroup, struct cursor *body)
{
	if (!take_u64(body, &cgroup->id)) {
		return false;
	}
	cgroup->path = take_string(body, &cgroup->path_length);
	return true;
}

static bool decode_text_poke(struct decoded_text_poke *poke, struct cursor *body)
{
	struct decoded_bytes bytes;

	if (left(body) < WORD + 2 * sizeof(uint16_t)) {
		return false;
	}
	poke->address = next_u64(body);
	poke->old_length = next_u16(body);
	poke->new_length = next_u16(body);
	if (!take_bytes(body, (uint64_t)poke->old_length + poke->new_length, &bytes)) {
		return false;
	}
	poke->bytes = bytes.bytes;
	return true;
}

static bool decode_body(struct decoded *record, struct cursor *body,
			const struct decode_format *format)
{
	switch (record->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_fork(&record->fork, body);
	case PERF_RECORD_COMM:
		return decode_comm(&record->comm, body, record->misc);
	case PERF_RECORD_MMAP:
		return decode_mmap1(&record->mmap, body, record->misc);
	case PERF_RECORD_MMAP2:
		return decode_mmap2(&record->mmap, body, record->misc);
	case PERF_RECORD_LOST:
		return decode_lost(&record->lost, body);
	case PERF_RECORD_LOST_SAMPLES:
		return decode_lost_samples(&record->lost, body);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return decode_throttle(&record->throttle, body);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return decode_switch(record, body);
	case PERF_RECORD_READ:
		return decode_counts(record, body, format->read_format);
	case PERF_RECORD_ITRACE_START:
		return decode_itrace_start(record, body);
	case PERF_RECORD_AUX:
		return decode_aux(&record->aux, body);
	case PERF_RECORD_NAMESPACES:
		return decode_namespaces(&record->namespaces, body);
	case PERF_RECORD_KSYMBOL:
		return decode_ksymbol(&record->ksymbol, body);
	case PERF_RECORD_BPF_EVENT:
		return decode_bpf(&record->bpf, body);
	case PERF_RECORD_CGROUP:
		return decode_cgroup(&record->cgroup, body);
	case PERF_RECORD_TEXT_POKE:
		return decode_text_poke(&record->text_poke, body);
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return take_u64(body, &record->aux_hw_id);
	default:
		return false;
	}
}

/* The header, checked against the bytes there are. */
static bool read_header(const void *bytes, size_t size, struct perf_event_header *header)
{
	if (size < sizeof(*header)) {
		return false;
	}
	memcpy(header, bytes, sizeof(*header));
	return header->size >= sizeof(*header) && header->size <= size;
}

static size_t trailer_bytes(const struct decode_format *format)
{
	return format->sample_id_all ? words_of(format->sample_type & TRAILER) * WORD : 0;
}

enum decode_result decode_record(struct decoded *record, const void *bytes, size_t size,
				 const struct decode_format *format)
{
	struct perf_event_header header;

	if (!read_header(bytes, size, &header)) {
		return DECODE_BROKEN;
	}
	record->type = header.type;
	record->misc = header.misc;
	record->size = header.size;
	record->id.has = 0;
	if (header.type == 0 || header.type >= PERF_RECORD_MAX) {
		return DECODE_UNKNOWN;
	}

	struct cursor body = {
		.at = (const unsigned char *)bytes + sizeof(header),
		.end = (const unsigned char *)bytes + header.size,
	};

	if (header.type == PERF_RECORD_SAMPLE) {
		return decode_sample(record, body, format);
	}

	size_t trailer_size = trailer_bytes(format);

	if (left(&body) < trailer_size) {
		return DECODE_BROKEN;
	}
	body.end -= trailer_size;
	if (trailer_size > 0) {
		struct cursor trailer = {.at = body.end, .end = body.end + trailer_size};

		next_trailer(&trailer, &record->id, format->sample_type);
	}
	return decode_body(record, &body, format) ? DECODE_OK : DECODE_BROKEN;
}

bool decode_read(struct decoded_read *read, const void *bytes, size_t size, uint64_t read_format)
{
	struct cursor cursor = {.at = bytes, .end = (const unsigned char *)bytes + size};

	return take_read(&cursor, read, read_format);
}

/* The word that begins `words` words behind the header, or before the end; 0 where there is none.
 */
static uint64_t peek_word(const void *bytes, const struct perf_event_header *header, size_t words,
			  bool from_end)
{
	uint64_t value;
	size_t offset = sizeof(*header) + words * WORD;

	if (from_end) {
		if (words * WORD > header->size - sizeof(*header)) {
			return 0;
		}
		offset = header->size - words * WORD;
	}
	if (offset + WORD > header->size) {
		return 0;
	}
	memcpy(&value, (const unsigned char *)bytes + offset, sizeof(value));
	return value;
}

uint64_t decode_peek_id(const void *bytes, size_t size, const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct perf_event_header header;

	if (!read_header(bytes, size, &header) ||
	    (type & (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_ID)) == 0) {
		return 0;
	}
	if (header.type == PERF_RECORD_SAMPLE) {
		uint64_t before =
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR;

		return peek_word(bytes, &header,
				 type & PERF_SAMPLE_IDENTIFIER ? 0 : words_of(type & before),
				 false);
	}
	if (!format->sample_id_all) {
		return 0;
	}
	if (type & PERF_SAMPLE_IDENTIFIER) {
		return peek_word(bytes, &header, 1, true);
	}
	return peek_word(bytes, &header,
			 1 + words_of(type & (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)), true);
}

uint64_t decode_peek_time(const void *bytes, size_t size, const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct perf_event_header header;

	if (!read_header(bytes, size, &header) || (type & PERF_SAMPLE_TIME) == 0) {
		return 0;
	}
	if (header.type == PERF_RECORD_SAMPLE) {
		uint64_t before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID;

		return peek_word(bytes, &header, words_of(type & before), false);
	}
	if (!format->sample_id_all) {
		return 0;
	}
	return peek_word(bytes, &header, words_of(type & TRAILER & ~(uint64_t)PERF_SAMPLE_TID),
			 true);
}
