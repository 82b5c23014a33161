/*
 * A PERF_RECORD_SAMPLE: its fields are in the order in which the kernel writes them
 * (perf_output_sample), which is not the order of the PERF_SAMPLE_* bits. First those of one word
 * each, then the readings, which is all that perftop's own events have, then what other programs
 * record: stacks, registers, branches.
 */
#include <assert.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"
#include "kernel/decode_parts.h"

/* Known to kernels since 6.8, younger than the headers this must build with. */
static const uint64_t BRANCH_COUNTERS = 1U << 19;

/* Fields of one 64-bit word each, before the first field of variable size. */
static const uint64_t SAMPLE_HEAD = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				    PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
				    PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

enum {
	SAMPLE_HEAD_WORDS = 9,
	BRANCH_ENTRY = sizeof(struct perf_branch_entry)
};
static_assert(BRANCH_ENTRY == 24, "a branch is from, to and one word of flags");

static const uint64_t SAMPLE_WEIGHTS = PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT;

/* The same between the registers and the AUX data. */
static const uint64_t SAMPLE_TAIL = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
				    PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;

static const uint64_t SAMPLE_KNOWN = PERF_SAMPLE_MAX - 1;

static bool take_sample_head(struct decode_cursor *cursor, struct decoded_sample *sample,
			     struct decoded_id *id, uint64_t type)
{
	/* Counting bits only where the record is so short that it matters. */
	if (bytes_left(cursor) < SAMPLE_HEAD_WORDS * DECODE_WORD &&
	    bytes_left(cursor) < words_of(type & SAMPLE_HEAD) * DECODE_WORD)
		return false;
	if (type & PERF_SAMPLE_IDENTIFIER)
		id->id = next_u64(cursor);
	if (type & PERF_SAMPLE_IP)
		sample->ip = next_u64(cursor);
	if (type & PERF_SAMPLE_TID) {
		id->pid = next_s32(cursor);
		id->tid = next_s32(cursor);
	}
	if (type & PERF_SAMPLE_TIME)
		id->time_ns = next_u64(cursor);
	if (type & PERF_SAMPLE_ADDR)
		sample->addr = next_u64(cursor);
	if (type & PERF_SAMPLE_ID)
		id->id = next_u64(cursor);
	if (type & PERF_SAMPLE_STREAM_ID)
		id->stream_id = next_u64(cursor);
	if (type & PERF_SAMPLE_CPU) {
		id->cpu = next_u32(cursor);
		cursor->at += sizeof(uint32_t); /* reserved */
	}
	if (type & PERF_SAMPLE_PERIOD)
		sample->period = next_u64(cursor);
	return true;
}

static bool take_raw(struct decode_cursor *cursor, struct decoded_bytes *raw)
{
	if (bytes_left(cursor) < sizeof(uint32_t))
		return false;
	/* The size counts the padding that brings the next field back to 8 bytes. */
	return take_bytes(cursor, next_u32(cursor), raw);
}

/*
 * Where the event wants a hardware index, the kernel leaves it out when there is no branch
 * stack at all, and an empty stack with it looks the same at this place.
 */
static bool take_branches(struct decode_cursor *cursor, struct decoded_sample *sample,
			  uint64_t branch_type, bool no_stack)
{
	if (!take_u64(cursor, &sample->branch_count))
		return false;
	sample->branches = (struct decoded_bytes){.bytes = cursor->at, .size = 0};
	sample->branch_hw_index = UINT64_MAX;
	if (no_stack)
		return sample->branch_count == 0;
	if ((branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
	    !take_u64(cursor, &sample->branch_hw_index))
		return false;
	if (!take_array(cursor, sample->branch_count, BRANCH_ENTRY, &sample->branches.bytes))
		return false;
	sample->branches.size = (size_t)sample->branch_count * BRANCH_ENTRY;

	const uint64_t *counters;

	return !(branch_type & BRANCH_COUNTERS) ||
	       take_words(cursor, sample->branch_count, &counters);
}

static bool take_regs(struct decode_cursor *cursor, uint64_t mask, uint64_t *abi,
		      const uint64_t **regs, uint64_t *count)
{
	if (!take_u64(cursor, abi))
		return false;
	*count = *abi == PERF_SAMPLE_REGS_ABI_NONE ? 0 : words_of(mask);
	return take_words(cursor, *count, regs);
}

static bool take_user_stack(struct decode_cursor *cursor, struct decoded_sample *sample)
{
	uint64_t size;

	sample->user_stack_dynamic_size = 0;
	if (!take_u64(cursor, &size) || !take_bytes(cursor, size, &sample->user_stack))
		return false;
	/* The used part is there only where a stack was dumped. */
	return size == 0 || take_u64(cursor, &sample->user_stack_dynamic_size);
}

static bool take_sample_state(struct decode_cursor *cursor, struct decoded_sample *sample,
			      const struct decode_format *format)
{
	uint64_t type = format->sample_type;

	if ((type & PERF_SAMPLE_REGS_USER) &&
	    !take_regs(cursor, format->user_regs, &sample->user_abi, &sample->user_regs,
		       &sample->user_reg_count))
		return false;
	if ((type & PERF_SAMPLE_STACK_USER) && !take_user_stack(cursor, sample))
		return false;
	if ((type & SAMPLE_WEIGHTS) && !take_u64(cursor, &sample->weight))
		return false;
	if ((type & PERF_SAMPLE_DATA_SRC) && !take_u64(cursor, &sample->data_src))
		return false;
	if ((type & PERF_SAMPLE_TRANSACTION) && !take_u64(cursor, &sample->transaction))
		return false;
	return !(type & PERF_SAMPLE_REGS_INTR) ||
	       take_regs(cursor, format->intr_regs, &sample->intr_abi, &sample->intr_regs,
			 &sample->intr_reg_count);
}

static bool take_sample_tail(struct decode_cursor *cursor, struct decoded_sample *sample,
			     uint64_t type)
{
	if (bytes_left(cursor) < words_of(type & SAMPLE_TAIL) * DECODE_WORD)
		return false;
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = next_u64(cursor);
	if (type & PERF_SAMPLE_CGROUP)
		sample->cgroup = next_u64(cursor);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = next_u64(cursor);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = next_u64(cursor);
	if (type & PERF_SAMPLE_AUX) {
		uint64_t size;

		return take_u64(cursor, &size) && take_bytes(cursor, size, &sample->aux);
	}
	return true;
}

/* What follows the readings; nothing of it in perftop's own events. */
static bool take_sample_rest(struct decode_cursor *cursor, struct decoded_sample *sample,
			     const struct decode_format *format, bool no_stack)
{
	uint64_t type = format->sample_type;

	if ((type & PERF_SAMPLE_CALLCHAIN) &&
	    (!take_u64(cursor, &sample->callchain_count) ||
	     !take_words(cursor, sample->callchain_count, &sample->callchain)))
		return false;
	if ((type & PERF_SAMPLE_RAW) && !take_raw(cursor, &sample->raw))
		return false;
	if ((type & PERF_SAMPLE_BRANCH_STACK) &&
	    !take_branches(cursor, sample, format->branch_sample_type, no_stack))
		return false;
	if (!take_sample_state(cursor, sample, format) || !take_sample_tail(cursor, sample, type))
		return false;
	/* The record must be used up, unless a younger kernel appended what we do not know. */
	return bytes_left(cursor) == 0 || (type & ~SAMPLE_KNOWN) != 0;
}

enum decode_result decode_sample(struct decoded *record, struct decode_cursor cursor,
				 const struct decode_format *format)
{
	uint64_t type = format->sample_type;
	struct decoded_sample *sample = &record->sample;

	record->id.has = type & SAMPLE_KNOWN;
	if (!take_sample_head(&cursor, sample, &record->id, type))
		return DECODE_BROKEN;
	if ((type & PERF_SAMPLE_READ) &&
	    !decode_take_readings(&cursor, &sample->read, format->read_format))
		return DECODE_BROKEN;
	if ((type & ~(SAMPLE_HEAD | PERF_SAMPLE_READ)) == 0)
		return bytes_left(&cursor) == 0 ? DECODE_OK : DECODE_BROKEN;

	struct decode_cursor again = cursor;

	if (take_sample_rest(&cursor, sample, format, false))
		return DECODE_OK;
	if ((type & PERF_SAMPLE_BRANCH_STACK) &&
	    (format->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
	    take_sample_rest(&again, sample, format, true))
		return DECODE_OK;
	return DECODE_BROKEN;
}
