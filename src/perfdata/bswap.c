/*
 * The walk over a record is that of decode.c, with the difference that a count is known only when
 * it has been swapped. `at` never passes `end`; what cannot be walked is refused as a whole.
 */

#include <stdint.h>
#include <string.h>

#include <linux/perf_event.h>

#include "perfdata/inside.h"

/* Known to kernels since 6.8, younger than the headers this must build with. */
static const uint64_t BRANCH_COUNTERS = 1U << 19;

static const uint64_t SAMPLE_KNOWN = PERF_SAMPLE_MAX - 1;

/* Fields that are there with a bit of the sample type. */
struct part {
	uint64_t bit;
	const char *sizes; /* in bytes, a digit each */
};

/* clang-format off */
static const struct part SAMPLE_HEAD[] = {
	{PERF_SAMPLE_IDENTIFIER, "8"}, {PERF_SAMPLE_IP, "8"}, {PERF_SAMPLE_TID, "44"},
	{PERF_SAMPLE_TIME, "8"}, {PERF_SAMPLE_ADDR, "8"}, {PERF_SAMPLE_ID, "8"},
	{PERF_SAMPLE_STREAM_ID, "8"}, {PERF_SAMPLE_CPU, "44"}, {PERF_SAMPLE_PERIOD, "8"}, {0},
};

/* A weight in three parts is laid out so that it is one word in either order. */
static const struct part SAMPLE_STATE[] = {
	{PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, "8"}, {PERF_SAMPLE_DATA_SRC, "8"},
	{PERF_SAMPLE_TRANSACTION, "8"}, {0},
};

static const struct part SAMPLE_TAIL[] = {
	{PERF_SAMPLE_PHYS_ADDR, "8"}, {PERF_SAMPLE_CGROUP, "8"},
	{PERF_SAMPLE_DATA_PAGE_SIZE, "8"}, {PERF_SAMPLE_CODE_PAGE_SIZE, "8"}, {0},
};

static const struct part TRAILER[] = {
	{PERF_SAMPLE_TID, "44"}, {PERF_SAMPLE_TIME, "8"}, {PERF_SAMPLE_ID, "8"},
	{PERF_SAMPLE_STREAM_ID, "8"}, {PERF_SAMPLE_CPU, "44"}, {PERF_SAMPLE_IDENTIFIER, "8"}, {0},
};

/* What the body of a record that is read begins with (decode_body.c). */
static const char *const BODIES[] = {
	[PERF_RECORD_MMAP]             = "44888",
	[PERF_RECORD_LOST]             = "88",
	[PERF_RECORD_COMM]             = "44",
	[PERF_RECORD_EXIT]             = "44448",
	[PERF_RECORD_THROTTLE]         = "888",
	[PERF_RECORD_UNTHROTTLE]       = "888",
	[PERF_RECORD_FORK]             = "44448",
	[PERF_RECORD_READ]             = "44",
	[PERF_RECORD_MMAP2]            = "44888",
	[PERF_RECORD_LOST_SAMPLES]     = "8",
	[PERF_RECORD_SWITCH]           = "",
	[PERF_RECORD_SWITCH_CPU_WIDE]  = "44",
	[PERF_RECORD_CGROUP]           = "8",
};
/* clang-format on */

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

static void swap(unsigned char *bytes, size_t size)
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

static bool swap_run(struct walk *walk, uint64_t count, size_t size)
{
	if (count > left(walk) / size)
		return false;
	for (uint64_t i = 0; i < count; i++) {
		swap(walk->at, size);
		walk->at += size;
	}
	return true;
}

static bool swap_words(struct walk *walk, uint64_t count)
{
	return swap_run(walk, count, sizeof(uint64_t));
}

static bool swap_fields(struct walk *walk, const char *sizes)
{
	for (; *sizes != '\0'; sizes++)
		if (!swap_run(walk, 1, (size_t)(*sizes - '0')))
			return false;
	return true;
}

static bool swap_parts(struct walk *walk, const struct part *parts, uint64_t type)
{
	for (; parts->bit != 0; parts++)
		if ((type & parts->bit) && !swap_fields(walk, parts->sizes))
			return false;
	return true;
}

static bool take_word(struct walk *walk, uint64_t *value)
{
	if (!swap_words(walk, 1))
		return false;
	memcpy(value, walk->at - sizeof(*value), sizeof(*value));
	return true;
}

static bool swap_reading(struct walk *walk, uint64_t format)
{
	uint64_t times = format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t extras = format & (PERF_FORMAT_ID | PERF_FORMAT_LOST);
	uint64_t count;

	if ((format & PERF_FORMAT_GROUP) == 0)
		return swap_words(walk, 1 + words_of(times) + words_of(extras));
	return take_word(walk, &count) && swap_words(walk, words_of(times)) &&
	       count <= left(walk) / sizeof(uint64_t) &&
	       swap_words(walk, count * (1 + words_of(extras)));
}

static bool swap_raw(struct walk *walk)
{
	uint32_t size;

	if (!swap_run(walk, 1, sizeof(size)))
		return false;
	memcpy(&size, walk->at - sizeof(size), sizeof(size));
	return pass(walk, size);
}

/*
 * The word of a branch's flags: bit fields, which compilers for big-endian machines lay out from
 * the other end.
 */
static uint64_t swap_branch_flags(uint64_t word)
{
	static const unsigned char widths[] = {1, 1, 1, 1, 16, 4, 2, 4, 3};
	const bool from_high = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	uint64_t flags = 0;
	unsigned low = 0; /* bit of a field from one end, and from the other one */

	for (size_t i = 0; i < sizeof(widths); i++) {
		const uint64_t mask = (UINT64_C(1) << widths[i]) - 1;
		const unsigned high = 64 - low - widths[i];

		flags |= (word >> (from_high ? high : low) & mask) << (from_high ? low : high);
		low += widths[i];
	}
	return flags;
}

static bool swap_branches(struct walk *walk, uint64_t branch_type, bool no_stack)
{
	uint64_t count;

	if (!take_word(walk, &count))
		return false;
	if (no_stack)
		return count == 0;
	if ((branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) && !swap_words(walk, 1))
		return false;
	if (count > left(walk) / sizeof(struct perf_branch_entry))
		return false;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t flags = 0;

		swap_words(walk, 2);
		take_word(walk, &flags);
		flags = swap_branch_flags(flags);
		memcpy(walk->at - sizeof(flags), &flags, sizeof(flags));
	}
	return !(branch_type & BRANCH_COUNTERS) || swap_words(walk, count);
}

static bool swap_regs(struct walk *walk, uint64_t mask)
{
	uint64_t abi;

	return take_word(walk, &abi) &&
	       (abi == PERF_SAMPLE_REGS_ABI_NONE || swap_words(walk, words_of(mask)));
}

static bool swap_user_stack(struct walk *walk)
{
	uint64_t size;

	return take_word(walk, &size) && pass(walk, size) && (size == 0 || swap_words(walk, 1));
}

static bool swap_stacks(struct walk *walk, const struct decode_format *format, bool no_stack)
{
	uint64_t type = format->sample_type, count;

	if ((type & PERF_SAMPLE_CALLCHAIN) && !(take_word(walk, &count) && swap_words(walk, count)))
		return false;
	if ((type & PERF_SAMPLE_RAW) && !swap_raw(walk))
		return false;
	return !(type & PERF_SAMPLE_BRANCH_STACK) ||
	       swap_branches(walk, format->branch_sample_type, no_stack);
}

static bool swap_state(struct walk *walk, const struct decode_format *format)
{
	uint64_t type = format->sample_type, size;

	if ((type & PERF_SAMPLE_REGS_USER) && !swap_regs(walk, format->user_regs))
		return false;
	if ((type & PERF_SAMPLE_STACK_USER) && !swap_user_stack(walk))
		return false;
	if (!swap_parts(walk, SAMPLE_STATE, type))
		return false;
	if ((type & PERF_SAMPLE_REGS_INTR) && !swap_regs(walk, format->intr_regs))
		return false;
	return swap_parts(walk, SAMPLE_TAIL, type) &&
	       (!(type & PERF_SAMPLE_AUX) || (take_word(walk, &size) && pass(walk, size)));
}

/* What is behind the fields that are known here is one of a younger kernel: words, most likely. */
static bool swap_sample(struct walk *walk, const struct decode_format *format)
{
	unsigned char rest[UINT16_MAX];

	if (!swap_parts(walk, SAMPLE_HEAD, format->sample_type) ||
	    ((format->sample_type & PERF_SAMPLE_READ) && !swap_reading(walk, format->read_format)))
		return false;

	bool has_index = (format->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
			 (format->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX);
	struct walk again = *walk;

	/* Where there is no stack there may be no index either (decode.c): a second try. */
	if (has_index)
		memcpy(rest, walk->at, left(walk));
	if (swap_stacks(walk, format, false) && swap_state(walk, format) &&
	    (!has_index || left(walk) == 0 || (format->sample_type & ~SAMPLE_KNOWN)))
		return swap_words(walk, left(walk) / sizeof(uint64_t));
	if (!has_index)
		return false;
	*walk = again;
	memcpy(walk->at, rest, left(walk));
	return swap_stacks(walk, format, true) && swap_state(walk, format) &&
	       swap_words(walk, left(walk) / sizeof(uint64_t));
}

/* Types that are not read have no fields here. */
static bool swap_kernel_body(struct walk *walk, const struct record_header *header,
			     const struct decode_format *format)
{
	const bool is_known = header->type < sizeof(BODIES) / sizeof(*BODIES);
	const char *sizes = is_known ? BODIES[header->type] : NULL;

	if (sizes && !swap_fields(walk, sizes))
		return false;
	if (header->type == PERF_RECORD_READ)
		return swap_reading(walk, format->read_format);
	if (header->type == PERF_RECORD_MMAP2 && (header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID))
		return pass(walk, 24) && swap_fields(walk, "44");
	if (header->type == PERF_RECORD_MMAP2)
		return swap_fields(walk, "448844");
	return true;
}

bool bswap_body(void *bytes, size_t size, const struct decode_format *format)
{
	const struct record_header header = bytes_take_header(bytes, false);
	unsigned char *start = bytes;
	struct walk walk = {.at = start + sizeof(header), .end = start + size};
	size_t trailer = 0;

	if (header.type == PERF_RECORD_SAMPLE)
		return swap_sample(&walk, format);
	for (const struct part *part = TRAILER; format->sample_id_all && part->bit != 0; part++)
		trailer += format->sample_type & part->bit ? sizeof(uint64_t) : 0;
	if (left(&walk) < trailer)
		return false;

	struct walk end = {.at = walk.end - trailer, .end = walk.end};

	walk.end -= trailer;
	return (trailer == 0 || swap_parts(&end, TRAILER, format->sample_type)) &&
	       swap_kernel_body(&walk, &header, format);
}
