/*
 * The walk over a record is that of decode.c, with the difference that a count is known only when
 * it has been turned. Fields of one size that are together are turned as a run. `at` never passes
 * `end`; what cannot be walked is refused as a whole.
 */

#include <stdint.h>
#include <string.h>

#include <linux/perf_event.h>

#include "perfdata/inside.h"

/* Known to kernels since 6.8, younger than the headers this must build with. */
static const uint64_t BRANCH_COUNTERS = 1U << 19;

static const uint64_t SAMPLE_KNOWN = PERF_SAMPLE_MAX - 1;
static const uint64_t WORDS_BEFORE_TID = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP;
static const uint64_t WORDS_BEFORE_CPU =
	PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID;
static const uint64_t WORDS_OF_STATE = PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TRANSACTION;
static const uint64_t WORDS_OF_TAIL = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
				      PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
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

/*
 * The word of a branch's flags: bit fields, which compilers for big-endian machines lay out from
 * the other end.
 */
static uint64_t turn_branch_flags(uint64_t word)
{
	static const unsigned char widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3};
	uint64_t flags = 0;
	unsigned place = 0;

	for (size_t i = 0; i < sizeof(widths); i++) {
		uint64_t mask = (UINT64_C(1) << widths[i]) - 1;

		flags |= (word >> (64 - place - widths[i]) & mask) << place;
		place += widths[i];
	}
	return flags;
}

static bool turn_branches(struct walk *walk, uint64_t branch_type, bool no_stack)
{
	uint64_t count;

	if (!take_u64(walk, &count))
		return false;
	if (no_stack)
		return count == 0;
	if ((branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) && !turn_u64s(walk, 1))
		return false;
	if (count > left(walk) / sizeof(struct perf_branch_entry))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t flags = 0;

		turn_u64s(walk, 2);
		take_u64(walk, &flags);
		flags = turn_branch_flags(flags);
		memcpy(walk->at - sizeof(flags), &flags, sizeof(flags));
	}
	return !(branch_type & BRANCH_COUNTERS) || turn_u64s(walk, count);
}

static bool turn_regs(struct walk *walk, uint64_t mask)
{
	uint64_t abi;

	return take_u64(walk, &abi) &&
	       (abi == PERF_SAMPLE_REGS_ABI_NONE || turn_u64s(walk, words_of(mask)));
}

static bool turn_user_stack(struct walk *walk)
{
	uint64_t size;

	return take_u64(walk, &size) && pass(walk, size) && (size == 0 || turn_u64s(walk, 1));
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

static bool turn_stacks(struct walk *walk, const struct decode_format *format, bool no_stack)
{
	uint64_t type = format->sample_type, count;

	if ((type & PERF_SAMPLE_CALLCHAIN) && !(take_u64(walk, &count) && turn_u64s(walk, count)))
		return false;
	if ((type & PERF_SAMPLE_RAW) && !turn_raw(walk))
		return false;
	return !(type & PERF_SAMPLE_BRANCH_STACK) ||
	       turn_branches(walk, format->branch_sample_type, no_stack);
}

static bool turn_state(struct walk *walk, const struct decode_format *format)
{
	uint64_t type = format->sample_type, size;

	if ((type & PERF_SAMPLE_REGS_USER) && !turn_regs(walk, format->user_regs))
		return false;
	if ((type & PERF_SAMPLE_STACK_USER) && !turn_user_stack(walk))
		return false;
	/* A weight in three parts is laid out so that it is one word in either order. */
	if (!turn_u64s(walk, type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT) ? 1 : 0) ||
	    !turn_u64s(walk, words_of(type & WORDS_OF_STATE)))
		return false;
	if ((type & PERF_SAMPLE_REGS_INTR) && !turn_regs(walk, format->intr_regs))
		return false;
	return turn_u64s(walk, words_of(type & WORDS_OF_TAIL)) &&
	       (!(type & PERF_SAMPLE_AUX) || (take_u64(walk, &size) && pass(walk, size)));
}

/* What is behind the fields that are known here is one of a younger kernel: words, most likely. */
static bool turn_sample(struct walk *walk, const struct decode_format *format)
{
	unsigned char rest[UINT16_MAX];

	if (!turn_sample_head(walk, format))
		return false;

	bool has_index = (format->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
			 (format->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX);
	struct walk again = *walk;

	/* Where there is no stack there may be no index either (decode.c): a second try. */
	if (has_index)
		memcpy(rest, walk->at, left(walk));
	if (turn_stacks(walk, format, false) && turn_state(walk, format) &&
	    (!has_index || left(walk) == 0 || (format->sample_type & ~SAMPLE_KNOWN)))
		return turn_u64s(walk, left(walk) / sizeof(uint64_t));
	if (!has_index)
		return false;
	*walk = again;
	memcpy(walk->at, rest, left(walk));
	return turn_stacks(walk, format, true) && turn_state(walk, format) &&
	       turn_u64s(walk, left(walk) / sizeof(uint64_t));
}

static bool turn_trailer(struct walk *walk, uint64_t type)
{
	return turn_u32s(walk, type & PERF_SAMPLE_TID ? 2 : 0) &&
	       turn_u64s(walk, words_of(type & (PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
						PERF_SAMPLE_STREAM_ID))) &&
	       turn_u32s(walk, type & PERF_SAMPLE_CPU ? 2 : 0) &&
	       turn_u64s(walk, type & PERF_SAMPLE_IDENTIFIER ? 1 : 0);
}

static bool turn_mmap2(struct walk *walk, uint16_t misc)
{
	if (!turn_u32s(walk, 2) || !turn_u64s(walk, 3))
		return false;
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID)
		return pass(walk, 24) && turn_u32s(walk, 2);
	return turn_u32s(walk, 2) && turn_u64s(walk, 2) && turn_u32s(walk, 2);
}

static bool turn_namespaces(struct walk *walk)
{
	uint64_t count;

	return turn_u32s(walk, 2) && take_u64(walk, &count) &&
	       count <= left(walk) / (2 * sizeof(uint64_t)) && turn_u64s(walk, 2 * count);
}

static bool turn_kernel_body(struct walk *walk, const struct perf_event_header *header,
			     const struct decode_format *format)
{
	switch (header->type) {
	case PERF_RECORD_MMAP:
		return turn_u32s(walk, 2) && turn_u64s(walk, 3);
	case PERF_RECORD_MMAP2:
		return turn_mmap2(walk, header->misc);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return turn_u32s(walk, 4) && turn_u64s(walk, 1);
	case PERF_RECORD_COMM:
	case PERF_RECORD_ITRACE_START:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return turn_u32s(walk, 2);
	case PERF_RECORD_SWITCH:
		return true;
	case PERF_RECORD_LOST:
		return turn_u64s(walk, 2);
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_CGROUP:
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return turn_u64s(walk, 1);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_AUX:
		return turn_u64s(walk, 3);
	case PERF_RECORD_READ:
		return turn_u32s(walk, 2) && turn_reading(walk, format->read_format);
	case PERF_RECORD_NAMESPACES:
		return turn_namespaces(walk);
	case PERF_RECORD_KSYMBOL:
		return turn_u64s(walk, 1) && turn_u32s(walk, 1) && turn_u16s(walk, 2);
	case PERF_RECORD_BPF_EVENT:
		return turn_u16s(walk, 2) && turn_u32s(walk, 1);
	case PERF_RECORD_TEXT_POKE:
		return turn_u64s(walk, 1) && turn_u16s(walk, 2);
	default: /* of a younger kernel */
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
	       turn_kernel_body(&walk, &header, format);
}
