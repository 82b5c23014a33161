/*
 * What follows the readings of a sample: stacks, registers, branches, data. Most of perftop's own
 * events have raw data at most; the rest is in recordings of perf. The fields are in the order in
 * which the kernel writes them (perf_output_sample), which is not the order of the PERF_SAMPLE_*
 * bits.
 */
#include <assert.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"

/* Known to kernels since 6.8, younger than the headers this must build with. */
static const uint64_t BRANCH_COUNTERS = 1U << 19;

static_assert(DECODED_BRANCH_BYTES == sizeof(struct perf_branch_entry), "a branch is three words");

/* perftop's own tracepoints have no fields beyond these: the rest need not be tested. */
static const uint64_t UP_TO_RAW = ((PERF_SAMPLE_RAW << 1) - 1) | PERF_SAMPLE_IDENTIFIER;

/* Fields of one word each, between the registers and the AUX data. */
static const uint64_t SAMPLE_TAIL = PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP |
				    PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;

static bool take_words(struct record_cursor *cursor, uint64_t count, const uint64_t **words)
{
	const void *array;

	if (!take_array(cursor, count, WORD, &array))
		return false;
	*words = array;
	return true;
}

static bool take_blob(struct record_cursor *cursor, uint64_t count, struct decoded_bytes *bytes)
{
	bytes->size = (size_t)count;
	return take_array(cursor, count, 1, &bytes->bytes);
}

static bool take_callchain(struct record_cursor *cursor, struct decoded_sample *sample)
{
	return take_u64(cursor, &sample->callchain_count) &&
	       take_words(cursor, sample->callchain_count, &sample->callchain);
}

/* Its size counts the padding that brings the next field back to 8 bytes. */
static bool take_raw(struct record_cursor *cursor, struct decoded_bytes *raw)
{
	return bytes_left(cursor) >= sizeof(uint32_t) && take_blob(cursor, next_u32(cursor), raw);
}

static_assert((int)DECODED_TRANSACTION_SYNC == PERF_TXN_SYNC &&
		      (int)DECODED_TRANSACTION_ASYNC == PERF_TXN_ASYNC &&
		      (int)DECODED_TRANSACTION_CONFLICT == PERF_TXN_CONFLICT &&
		      (int)DECODED_TRANSACTION_CAPACITY ==
			      (PERF_TXN_CAPACITY_WRITE | PERF_TXN_CAPACITY_READ),
	      "reasons have the kernel's bits");

bool decode_has_branches(const struct decode_format *format)
{
	return (format->sample_type & PERF_SAMPLE_BRANCH_STACK) != 0 &&
	       (format->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) == 0;
}

enum {
	BRANCH_EXTENDED = 15 /* PERF_BR_EXTEND_ABI */
};

/* Where the bits are, also of those that this header does not have: type, then spec, new_type and
 * priv. */
struct decoded_branch decode_branch(uint64_t flags)
{
	const uint8_t type = flags >> 20 & 15, more = flags >> 26 & 15;

	return (struct decoded_branch){
		.is_mispredicted = flags & 1,
		.is_predicted = flags >> 1 & 1,
		.is_in_transaction = flags >> 2 & 1,
		.is_abort = flags >> 3 & 1,
		.cycles = (uint16_t)(flags >> 4),
		.type = type == BRANCH_EXTENDED ? (uint8_t)(BRANCH_EXTENDED + 1 + more) : type,
		.privilege = flags >> 30 & 7,
	};
}

uint64_t encode_branch(const struct decoded_branch *branch)
{
	const bool is_extended = branch->type > BRANCH_EXTENDED;
	const uint64_t more = is_extended ? branch->type - BRANCH_EXTENDED - 1u : 0;
	const uint64_t type = is_extended ? BRANCH_EXTENDED : branch->type;

	return (uint64_t)branch->is_mispredicted | (uint64_t)branch->is_predicted << 1 |
	       (uint64_t)branch->is_in_transaction << 2 | (uint64_t)branch->is_abort << 3 |
	       (uint64_t)branch->cycles << 4 | type << 20 | more << 26 |
	       (uint64_t)branch->privilege << 30;
}

/* The parts of data_src, by their first bit; also of those that this header does not have. */
static unsigned int data_src_part(uint64_t data_src, int first, int bits)
{
	return (unsigned int)(data_src >> first) & ((1U << bits) - 1);
}

/* mem_lvl has bits of levels: of several the farthest answered. */
static enum access_source source_of_levels(unsigned int levels)
{
	static const struct {
		unsigned int levels;
		enum access_source source;
	} table[] = {
		{PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2, ACCESS_REMOTE_CACHE},
		{PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2, ACCESS_REMOTE_MEMORY},
		{PERF_MEM_LVL_LOC_RAM, ACCESS_LOCAL_MEMORY},
		{PERF_MEM_LVL_IO | PERF_MEM_LVL_UNC, ACCESS_UNCACHED},
		{PERF_MEM_LVL_L3, ACCESS_L3},
		{PERF_MEM_LVL_L2, ACCESS_L2},
		{PERF_MEM_LVL_LFB, ACCESS_FILL_BUFFER},
		{PERF_MEM_LVL_L1, ACCESS_L1},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (levels & table[i].levels)
			return table[i].source;
	return ACCESS_UNKNOWN;
}

/* mem_lvl_num is one of a list, beside which mem_remote says whether it is another core's or
 * node's. L4, caches of memory and "any cache" have no name here. */
static enum access_source source_of_number(unsigned int number, bool is_remote)
{
	enum {
		UNCACHED = 8, /* since Linux 6.1, */
		CXL = 9,      /* and so are these */
		DEVICE = 10,
		NOT_SAID = 15,
	};
	static const uint8_t near[NOT_SAID + 1] = {
		[PERF_MEM_LVLNUM_L1] = ACCESS_L1,
		[PERF_MEM_LVLNUM_L2] = ACCESS_L2,
		[PERF_MEM_LVLNUM_L3] = ACCESS_L3,
		[UNCACHED] = ACCESS_UNCACHED,
		[CXL] = ACCESS_LOCAL_MEMORY,
		[DEVICE] = ACCESS_UNCACHED,
		[PERF_MEM_LVLNUM_LFB] = ACCESS_FILL_BUFFER,
		[PERF_MEM_LVLNUM_RAM] = ACCESS_LOCAL_MEMORY,
		[PERF_MEM_LVLNUM_PMEM] = ACCESS_LOCAL_MEMORY,
	};

	if (!is_remote || number == 0 || number == NOT_SAID || near[number] == ACCESS_UNCACHED)
		return (enum access_source)near[number];
	return near[number] == ACCESS_LOCAL_MEMORY ? ACCESS_REMOTE_MEMORY : ACCESS_REMOTE_CACHE;
}

static uint8_t access_flags(uint64_t data_src)
{
	const unsigned int tlb = data_src_part(data_src, PERF_MEM_TLB_SHIFT, 7);
	const unsigned int lock = data_src_part(data_src, PERF_MEM_LOCK_SHIFT, 2);
	const unsigned int snoop = data_src_part(data_src, PERF_MEM_SNOOP_SHIFT, 5);
	const unsigned int snoop_more = data_src_part(data_src, 38, 2);
	const unsigned int blocks = data_src_part(data_src, 40, 3);
	/* what a page walk answered was in no TLB */
	const unsigned int misses = PERF_MEM_TLB_MISS | PERF_MEM_TLB_WK | PERF_MEM_TLB_OS;
	unsigned int flags = 0;

	if (tlb & ~(unsigned int)PERF_MEM_TLB_NA)
		flags |= ACCESS_TLB_KNOWN | (tlb & misses ? ACCESS_TLB_MISS : 0);
	if (!(lock & PERF_MEM_LOCK_NA))
		flags |= ACCESS_LOCK_KNOWN | (lock & PERF_MEM_LOCK_LOCKED ? ACCESS_LOCKED : 0);
	if (snoop & ~(unsigned int)PERF_MEM_SNOOP_NA || snoop_more)
		flags |= ACCESS_SNOOP_KNOWN | (snoop & PERF_MEM_SNOOP_HITM ? ACCESS_HITM : 0);
	if (blocks & ~1U) /* PERF_MEM_BLK_NA, which also means that it was not */
		flags |= ACCESS_BLOCKED;
	return (uint8_t)flags;
}

static_assert((int)ACCESS_LOAD == PERF_MEM_OP_LOAD >> 1 &&
		      (int)ACCESS_STORE == PERF_MEM_OP_STORE >> 1 &&
		      (int)ACCESS_PREFETCH == PERF_MEM_OP_PFETCH >> 1 &&
		      (int)ACCESS_FETCH == PERF_MEM_OP_EXEC >> 1,
	      "operations have the kernel's bits");

/* A level that was missed did not answer. */
struct memory_access decode_access(uint64_t data_src)
{
	const unsigned int levels = data_src_part(data_src, PERF_MEM_LVL_SHIFT, 14);
	const unsigned int number = data_src_part(data_src, 33, 4);
	const bool is_remote = data_src_part(data_src, 37, 1),
		   was_missed = levels & PERF_MEM_LVL_MISS;
	const unsigned int hops = data_src_part(data_src, 43, 3);
	struct memory_access access = {
		.operation = (uint8_t)(data_src_part(data_src, PERF_MEM_OP_SHIFT, 5) >> 1),
		.distance = hops < ACCESS_DISTANCES ? (uint8_t)hops : ACCESS_NOT_FAR,
		.flags = access_flags(data_src),
	};

	if (was_missed && !(levels & PERF_MEM_LVL_HIT))
		return access;
	access.source = (uint8_t)source_of_levels(levels);
	if (access.source == ACCESS_UNKNOWN)
		access.source = (uint8_t)source_of_number(number, is_remote);
	return access;
}

/*
 * Where the event asks for a hardware index, the kernel leaves it out when there is no branch
 * stack at all (no_stack), and an empty stack with it looks the same at this place.
 */
static bool take_branches(struct record_cursor *cursor, struct decoded_sample *sample,
			  uint64_t branch_type, bool no_stack)
{
	const uint64_t *counters;

	if (!take_u64(cursor, &sample->branch_count))
		return false;
	sample->has_call_stack = (branch_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0;
	sample->branches = (struct decoded_bytes){.bytes = cursor->at};
	sample->branch_hw_index = UINT64_MAX;
	if (no_stack)
		return sample->branch_count == 0;
	if ((branch_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
	    !take_u64(cursor, &sample->branch_hw_index))
		return false;
	if (!take_array(cursor, sample->branch_count, DECODED_BRANCH_BYTES,
			&sample->branches.bytes))
		return false;
	sample->branches.size = (size_t)sample->branch_count * DECODED_BRANCH_BYTES;
	return (branch_type & BRANCH_COUNTERS) == 0 ||
	       take_words(cursor, sample->branch_count, &counters);
}

static bool take_regs(struct record_cursor *cursor, uint64_t mask, uint64_t *abi,
		      const uint64_t **regs, uint64_t *count)
{
	if (!take_u64(cursor, abi))
		return false;
	*count = *abi == PERF_SAMPLE_REGS_ABI_NONE ? 0 : words_of(mask);
	return take_words(cursor, *count, regs);
}

/* How much of it was used follows only where a stack was dumped. */
static bool take_user_stack(struct record_cursor *cursor, struct decoded_sample *sample)
{
	uint64_t size;

	sample->user_stack_dynamic_size = 0;
	return take_u64(cursor, &size) && take_blob(cursor, size, &sample->user_stack) &&
	       (size == 0 || take_u64(cursor, &sample->user_stack_dynamic_size));
}

static bool take_middle(struct record_cursor *cursor, struct decoded_sample *sample,
			const struct decode_format *format)
{
	const uint64_t type = format->sample_type;

	if ((type & PERF_SAMPLE_REGS_USER) &&
	    !take_regs(cursor, format->user_regs, &sample->user_abi, &sample->user_regs,
		       &sample->user_reg_count))
		return false;
	if ((type & PERF_SAMPLE_STACK_USER) && !take_user_stack(cursor, sample))
		return false;
	if ((type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT)) &&
	    !take_u64(cursor, &sample->weight))
		return false;
	if ((type & PERF_SAMPLE_DATA_SRC) && !take_u64(cursor, &sample->data_src))
		return false;
	if ((type & PERF_SAMPLE_TRANSACTION) && !take_u64(cursor, &sample->transaction))
		return false;
	return (type & PERF_SAMPLE_REGS_INTR) == 0 ||
	       take_regs(cursor, format->intr_regs, &sample->intr_abi, &sample->intr_regs,
			 &sample->intr_reg_count);
}

static bool take_tail(struct record_cursor *cursor, struct decoded_sample *sample, uint64_t type)
{
	uint64_t size;

	if (bytes_left(cursor) < words_of(type & SAMPLE_TAIL) * WORD)
		return false;
	if (type & PERF_SAMPLE_PHYS_ADDR)
		sample->phys_addr = next_u64(cursor);
	if (type & PERF_SAMPLE_CGROUP)
		sample->cgroup = next_u64(cursor);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		sample->data_page_size = next_u64(cursor);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		sample->code_page_size = next_u64(cursor);
	return (type & PERF_SAMPLE_AUX) == 0 ||
	       (take_u64(cursor, &size) && take_blob(cursor, size, &sample->aux));
}

/* By value: a second try begins where the first one began. */
static bool take_rest(struct record_cursor cursor, struct decoded_sample *sample,
		      const struct decode_format *format, bool no_stack)
{
	const uint64_t type = format->sample_type;

	if (((type & PERF_SAMPLE_CALLCHAIN) && !take_callchain(&cursor, sample)) ||
	    ((type & PERF_SAMPLE_RAW) && !take_raw(&cursor, &sample->raw)))
		return false;
	if ((type & ~UP_TO_RAW) == 0)
		return bytes_left(&cursor) == 0;
	if (((type & PERF_SAMPLE_BRANCH_STACK) &&
	     !take_branches(&cursor, sample, format->branch_sample_type, no_stack)) ||
	    !take_middle(&cursor, sample, format) || !take_tail(&cursor, sample, type))
		return false;
	/* The record must be used up, unless a younger kernel appended what is unknown here. */
	return bytes_left(&cursor) == 0 || (type & ~(uint64_t)(PERF_SAMPLE_MAX - 1)) != 0;
}

bool decode_sample_rest(const struct record_cursor *cursor, struct decoded_sample *sample,
			const struct decode_format *format)
{
	return take_rest(*cursor, sample, format, false) ||
	       ((format->sample_type & PERF_SAMPLE_BRANCH_STACK) &&
		(format->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) &&
		take_rest(*cursor, sample, format, true));
}
