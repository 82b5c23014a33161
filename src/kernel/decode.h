#ifndef PERFTOP_KERNEL_DECODE_H
#define PERFTOP_KERNEL_DECODE_H

/*
 * Decodes the records of perf_event_open(2): the types of enum decoded_type and every field of a
 * sample that the manual has; of the manual's other types the ids alone; younger ones are
 * DECODE_UNKNOWN, to be skipped by their size. What a record holds is said by the attribute of its
 * event (struct decode_format), and by nothing else.
 *
 * Bytes are input: no field is read beyond the record's size, counts inside it
 * are checked before they are believed, strings need not end. A decoded record points into the
 * bytes it was made from.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/access.h"

/*
 * PERF_RECORD_* for code that does not include the kernel's header; decode_body.c asserts the
 * numbers.
 */
enum decoded_type {
	DECODED_MMAP = 1,
	DECODED_LOST = 2,
	DECODED_COMM = 3,
	DECODED_EXIT = 4,
	DECODED_THROTTLE = 5,
	DECODED_UNTHROTTLE = 6,
	DECODED_FORK = 7,
	DECODED_READ = 8,
	DECODED_SAMPLE = 9,
	DECODED_MMAP2 = 10,
	DECODED_AUX = 11,
	DECODED_ITRACE_START = 12,
	DECODED_LOST_SAMPLES = 13,
	DECODED_SWITCH = 14,
	DECODED_SWITCH_CPU_WIDE = 15,
	DECODED_NAMESPACES = 16,
	DECODED_KSYMBOL = 17,
	DECODED_CGROUP = 19,
	DECODED_AUX_OUTPUT_HW_ID = 21,
	DECODED_TYPES /* how many, with those between them */
};

/* The PERF_SAMPLE_* bits of decoded_id.has that such code tests; decode.c asserts them. */
enum decoded_has {
	DECODED_HAS_IP = 1 << 0,
	DECODED_HAS_TID = 1 << 1,
	DECODED_HAS_TIME = 1 << 2,
	DECODED_HAS_ADDR = 1 << 3,
	DECODED_HAS_READ = 1 << 4,
	DECODED_HAS_CALLCHAIN = 1 << 5,
	DECODED_HAS_CPU = 1 << 7,
	DECODED_HAS_PERIOD = 1 << 8,
	DECODED_HAS_RAW = 1 << 10,
	DECODED_HAS_BRANCH_STACK = 1 << 11,
	DECODED_HAS_REGS_USER = 1 << 12,
	DECODED_HAS_STACK_USER = 1 << 13,
	DECODED_HAS_WEIGHT = 1 << 14,
	DECODED_HAS_DATA_SRC = 1 << 15,
	DECODED_HAS_CGROUP = 1 << 21,
	DECODED_HAS_WEIGHT_STRUCT = 1 << 24
};

/* Likewise of decode_format.read_format (PERF_FORMAT_*), and of branch_sample_type. */
enum {
	DECODED_FORMAT_ID = 1 << 2,
	DECODED_FORMAT_GROUP = 1 << 3,
	DECODED_BRANCH_ANY = 1 << 3,
	DECODED_BRANCH_CALL_STACK = 1 << 11,
	DECODED_BRANCH_TYPE_SAVE = 1 << 16
};

/*
 * Markers in a call chain that say to which mode the next addresses belong (PERF_CONTEXT_*), and
 * the modes of a sample's own address in the header (PERF_RECORD_MISC_*); decode.c asserts them.
 */
enum decoded_context {
	DECODED_CONTEXT_HYPERVISOR = -32,
	DECODED_CONTEXT_KERNEL = -128,
	DECODED_CONTEXT_USER = -512,
	DECODED_CONTEXT_LOWEST = -4095 /* all values from here to -1 are markers */
};
enum {
	DECODED_MISC_MODE = 7,
	DECODED_MISC_KERNEL = 1,
	DECODED_MISC_USER = 2
};

/* decoded_mmap.function_kind: what perf_event.h calls PERF_RECORD_KSYMBOL_TYPE_BPF. */
enum {
	DECODED_KSYMBOL_BPF = 1
};

/* How an event writes its records. */
struct decode_format {
	uint64_t sample_type;
	uint64_t read_format;
	uint64_t branch_sample_type;   /* PERF_SAMPLE_BRANCH_*: hw index and counters change the
					  layout */
	uint64_t user_regs, intr_regs; /* masks: how many registers are in a sample */
	bool sample_id_all;
};

enum {
	DECODE_READ_MAX = 64
}; /* values of a group that are kept; more are counted but dropped */

/* Whether samples have branches, and not calls. */
bool decode_has_branches(const struct decode_format *format);

/* The body of read(2), PERF_RECORD_READ and PERF_SAMPLE_READ. */
struct decoded_read {
	uint64_t count; /* values */
	uint64_t enabled_ns, running_ns;
	bool has_times;
	uint64_t values[DECODE_READ_MAX];
	uint64_t ids[DECODE_READ_MAX];  /* with PERF_FORMAT_ID */
	uint64_t lost[DECODE_READ_MAX]; /* with PERF_FORMAT_LOST */
};

/* Fields of struct sample_id, and of a sample the same: `has` says which were there (PERF_SAMPLE_*
 * bits). */
struct decoded_id {
	uint64_t has;
	int32_t pid, tid;
	uint64_t time_ns;
	uint64_t id, stream_id; /* id: from IDENTIFIER or ID */
	uint32_t cpu;
};

/* A run of bytes inside the record. */
struct decoded_bytes {
	const void *bytes;
	size_t size;
};

enum {
	DECODED_BRANCH_BYTES = 24 /* from where, to where, and flags: a word each */
};

/* The flags of one (struct perf_branch_entry); types that extend the others are 16 and more. */
struct decoded_branch {
	bool is_mispredicted, is_predicted; /* neither: the processor does not say it */
	bool is_in_transaction, is_abort;
	uint16_t cycles; /* since the branch before; 0: not known */
	uint8_t type, privilege;
};

struct decoded_branch decode_branch(uint64_t flags);
uint64_t encode_branch(const struct decoded_branch *branch);

/* decoded_sample.data_src of what was no access to memory (PERF_MEM_OP_NA). */
enum {
	DECODED_IS_NO_ACCESS = 1
};

/* Of decoded_sample.data_src, in both its encodings (union perf_mem_data_src). */
struct memory_access decode_access(uint64_t data_src);

/* decoded_sample.transaction (PERF_TXN_*); decode_sample.c asserts them. */
enum {
	DECODED_TRANSACTION_SYNC = 1 << 2,
	DECODED_TRANSACTION_ASYNC = 1 << 3,
	DECODED_TRANSACTION_CONFLICT = 1 << 5,
	DECODED_TRANSACTION_CAPACITY = 1 << 6 | 1 << 7
};

struct decoded_sample {
	uint64_t ip, addr, period, weight, data_src, transaction, phys_addr, cgroup, data_page_size,
		code_page_size;
	struct decoded_read read;
	const uint64_t *callchain; /* aligned only as the record itself is; so are the registers */
	uint64_t callchain_count;
	struct decoded_bytes raw, branches, user_stack, aux;
	uint64_t branch_count, branch_hw_index;
	bool has_call_stack; /* the branches are calls that have not returned, the last one first */
	uint64_t user_abi, intr_abi, user_stack_dynamic_size;
	const uint64_t *user_regs, *intr_regs;
	uint64_t user_reg_count, intr_reg_count;
};

struct decoded_fork {
	int32_t pid, parent_pid, tid, parent_tid;
	uint64_t time_ns;
};
struct decoded_comm {
	int32_t pid, tid;
	const char *name;
	size_t name_length;
	bool exec;
};
struct decoded_mmap {
	int32_t pid, tid;
	uint64_t address, length, page_offset;
	bool is_data;
	const char *file;
	size_t file_length;
	/* MMAP2 */
	bool has_build_id;
	unsigned char build_id[20];
	uint8_t build_id_size;
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	uint32_t protection, flags;
	/* KSYMBOL: it is one function of the kernel, and `file` its name */
	bool is_function, is_unmapped;
	uint16_t function_kind;
};
struct decoded_lost {
	uint64_t id, lost;
};
struct decoded_throttle {
	uint64_t time_ns, id, stream_id;
};
struct decoded_cgroup {
	uint64_t id;
	const char *path;
	size_t path_length;
};
struct decoded_namespaces {
	int32_t pid, tid;
	uint64_t count;
	const void *links; /* of each its device and its inode, a word each */
};
struct decoded_switch {
	bool out, preempted;
	int32_t other_pid, other_tid;
}; /* other: CPU_WIDE only, else -1 */

struct decoded {
	uint32_t type; /* enum decoded_type, or another PERF_RECORD_* */
	uint16_t misc;
	uint16_t size;
	struct decoded_id id; /* of the sample itself, or of the trailer */
	union {
		struct decoded_sample sample;
		struct decoded_fork fork; /* FORK and EXIT */
		struct decoded_comm comm;
		struct decoded_mmap mmap;         /* MMAP, MMAP2 and KSYMBOL */
		struct decoded_lost lost;         /* LOST and LOST_SAMPLES (id 0) */
		struct decoded_throttle throttle; /* THROTTLE and UNTHROTTLE */
		struct decoded_switch ctx_switch; /* SWITCH and SWITCH_CPU_WIDE */
		struct decoded_cgroup cgroup;     /* one that was made */
		struct decoded_namespaces namespaces;
		struct {
			int32_t pid, tid;
			struct decoded_read read;
		} counts; /* READ */
	};
};

enum decode_result {
	DECODE_OK,
	DECODE_UNKNOWN, /* a type this was not built for: header and nothing else is filled */
	DECODE_BROKEN   /* the bytes contradict the format */
};

/* Decodes one record of `size` bytes. Fields that the record does not have are left alone: test
 * `id.has`, and the type. */
enum decode_result decode_record(struct decoded *record, const void *bytes, size_t size,
				 const struct decode_format *format);

/* Decodes what read(2) of an event delivered. */
bool decode_read(struct decoded_read *read, const void *bytes, size_t size, uint64_t read_format);

/* Where fields are, in bytes; 0: there is no such field. */
struct field_offsets {
	uint16_t time, id;
};

/*
 * Where the fields of an event's records are, as far as its format fixes it: a field behind one of
 * variable size has no offset.
 */
struct sample_offsets {
	struct field_offsets sample;  /* from the beginning of a sample */
	struct field_offsets trailer; /* of other records: from their end, where these begin */
};

struct sample_offsets sample_offsets_of(const struct decode_format *format);

/*
 * The id of a record, which says what event wrote it, and its time, without decoding the rest; 0
 * where it has none.
 */
uint64_t decode_peek_id(const void *bytes, size_t size, const struct sample_offsets *offsets);
uint64_t decode_peek_time(const void *bytes, size_t size, const struct sample_offsets *offsets);

/* The word at an offset. */
static inline uint64_t decode_word_at(const void *bytes, size_t offset)
{
	uint64_t word;

	__builtin_memcpy(&word, (const unsigned char *)bytes + offset, sizeof(word));
	return word;
}

static inline int32_t decode_number_at(const void *bytes, size_t offset)
{
	int32_t number;

	__builtin_memcpy(&number, (const unsigned char *)bytes + offset, sizeof(number));
	return number;
}

/* enum decoded_type of a whole record, or a number beyond it. */
static inline uint32_t decode_type(const void *bytes)
{
	return (uint32_t)decode_number_at(bytes, 0);
}

#endif
