/*
 * The decoder against records built byte by byte. `decode` hands it a copy in memory of exactly
 * the record's size, so that a sanitizer sees every step beyond the end. Each sample field has a
 * value of its own; what a format asks for is encoded here in the order of the kernel's
 * perf_output_sample() and must come back, whatever the combination.
 */

#include <linux/perf_event.h>

#include "decoded_fields.h"
#include "encode_kit.h"
#include "unit.h"

enum {
	RECORD_MAX = 65536
};

/* The bytes that are made, and what they were decoded to. */
static struct {
	unsigned char bytes[RECORD_MAX];
	size_t size;
} b;
static struct decoded record;

/* The upper half of a CPU's word; 0 where it is written here. */
static uint32_t reserved = UINT32_MAX;

static void put(const void *bytes, size_t size)
{
	assert_true(b.size + size <= sizeof(b.bytes));
	memcpy(b.bytes + b.size, bytes, size);
	b.size += size;
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

static void put_u16(uint16_t value)
{
	put(&value, sizeof(value));
}

/* NUL-ended and filled up to 8 bytes, as the kernel writes strings. */
static void put_string(const char *text)
{
	put(text, strlen(text) + 1);
	while (b.size % 8 != 0)
		put("", 1);
}

static void begin(uint32_t type, uint16_t misc)
{
	b.size = 0;
	put_u32(type);
	put_u16(misc);
	put_u16(0); /* size: finish() */
}

static void finish(void)
{
	uint16_t size = (uint16_t)b.size;

	memcpy(b.bytes + 6, &size, sizeof(size));
}

static enum decode_result decode_bytes(const void *bytes, size_t size,
				       const struct decode_format *format)
{
	const struct sample_offsets offsets = sample_offsets_of(format);
	unsigned char *copy = malloc(size > 0 ? size : 1);

	memcpy(copy, bytes, size);
	memset(&record, 0xa5, sizeof(record));
	enum decode_result result = decode_record(&record, copy, size, format);
	decode_peek_id(copy, size, &offsets);
	decode_peek_time(copy, size, &offsets);
	free(copy);
	return result;
}

/* A record of this size, of the bytes. */
static enum decode_result decode_cut(size_t size, const struct decode_format *format)
{
	static unsigned char cut[RECORD_MAX];
	const uint16_t said = (uint16_t)size;

	memcpy(cut, b.bytes, size);
	memcpy(cut + 6, &said, sizeof(said));
	return decode_bytes(cut, size, format);
}

static const uint64_t TRAILER = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID |
				PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER;

enum {
	PID = 4711,
	TID = 4712,
	CPU = 3,
};
static const uint64_t TIME = 0x1122334455667788;
static const uint64_t ID = 0x00000000abcdef01;
static const uint64_t STREAM = 0x00000000abcdef02;

/* Words of a sample that are nothing but a number, and where they must be then. */
static const struct sample_word {
	uint64_t bits, value;
	size_t at;
} SAMPLE_WORDS[] = {
	{PERF_SAMPLE_IP, 100, offsetof(struct decoded_sample, ip)},
	{PERF_SAMPLE_ADDR, 101, offsetof(struct decoded_sample, addr)},
	{PERF_SAMPLE_PERIOD, 102, offsetof(struct decoded_sample, period)},
	{PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT, 104,
	 offsetof(struct decoded_sample, weight)},
	{PERF_SAMPLE_DATA_SRC, 105, offsetof(struct decoded_sample, data_src)},
	{PERF_SAMPLE_TRANSACTION, 106, offsetof(struct decoded_sample, transaction)},
	{PERF_SAMPLE_PHYS_ADDR, 107, offsetof(struct decoded_sample, phys_addr)},
	{PERF_SAMPLE_CGROUP, 108, offsetof(struct decoded_sample, cgroup)},
	{PERF_SAMPLE_DATA_PAGE_SIZE, 109, offsetof(struct decoded_sample, data_page_size)},
	{PERF_SAMPLE_CODE_PAGE_SIZE, 110, offsetof(struct decoded_sample, code_page_size)},
};

/* One of the fields of a word, when the type has it. */
static void put_sample_field(uint64_t type, uint64_t bits)
{
	if (!(type & bits))
		return;
	if (bits == PERF_SAMPLE_TID) {
		put_u32(PID);
		put_u32(TID);
	} else if (bits == PERF_SAMPLE_CPU) {
		put_u32(CPU);
		put_u32(reserved);
	} else if (bits == PERF_SAMPLE_TIME) {
		put_u64(TIME);
	} else if (bits == PERF_SAMPLE_STREAM_ID) {
		put_u64(STREAM);
	} else if (bits & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)) {
		put_u64(ID);
	}
	for (size_t i = 0; i < COUNT_OF(SAMPLE_WORDS); i++)
		if (SAMPLE_WORDS[i].bits & bits)
			put_u64(SAMPLE_WORDS[i].value);
}

static void put_sample_fields(uint64_t type, const uint64_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		put_sample_field(type, order[i]);
}

static void put_trailer(uint64_t type)
{
	static const uint64_t order[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
					 PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
					 PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};

	put_sample_fields(type, order, COUNT_OF(order));
}

static void assert_id(const struct decoded_id *id, uint64_t type)
{
	assert_int_equal(id->has & TRAILER, type & TRAILER);
	if (type & PERF_SAMPLE_TID) {
		assert_int_equal(id->pid, PID);
		assert_int_equal(id->tid, TID);
	}
	if (type & PERF_SAMPLE_TIME)
		assert_int_equal(id->time_ns, TIME);
	if (type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER))
		assert_int_equal(id->id, ID);
	if (type & PERF_SAMPLE_STREAM_ID)
		assert_int_equal(id->stream_id, STREAM);
	if (type & PERF_SAMPLE_CPU)
		assert_int_equal(id->cpu, CPU);
}

/* --- records other than samples --------------------------------------------------------- */

static const struct decode_format PLAIN = {0};

enum {
	BIT13 = 1 << 13,
	BIT14 = 1 << 14,
	PARTS_MAX = 15
};

/* A part of a body: a number, so many bytes of a text, or (0) a text as the kernel ends it. */
struct part {
	size_t size;
	uint64_t value;
	const char *text;
};

static const char BUILD_ID[] = "twenty bytes, any.. ";

/* clang-format off */
#define U2(number) {.size = 2, .value = number}
#define U4(number) {.size = 4, .value = number}
#define U8(number) {.size = 8, .value = number}

static const struct record_case {
	uint32_t type;
	uint16_t misc;
	size_t needed; /* bytes of the body without which the record is broken */
	struct part body[PARTS_MAX];
	struct field fields[FIELDS_MAX];
} CASES[] = {
	{PERF_RECORD_MMAP, BIT13, 32,
	 {U4(10), U4(11), U8(0x7000), U8(0x1000), U8(0x2000), {.text = "/lib/x.so"}},
	 {FIELD(mmap.pid, 10), FIELD(mmap.tid, 11), FIELD(mmap.address, 0x7000),
	  FIELD(mmap.length, 0x1000), FIELD(mmap.page_offset, 0x2000), FIELD(mmap.file_length, 9),
	  FIELD(mmap.is_data, true), FIELD(mmap.has_build_id, false)}},
	{PERF_RECORD_LOST, 0, 16, {U8(21), U8(22)}, {FIELD(lost.id, 21), FIELD(lost.lost, 22)}},
	{PERF_RECORD_COMM, BIT13, 8, {U4(10), U4(11), {.text = "a (name)\n"}},
	 {FIELD(comm.pid, 10), FIELD(comm.tid, 11), FIELD(comm.name_length, 9),
	  FIELD(comm.exec, true)}},
	{PERF_RECORD_EXIT, 0, 24, {U4(10), U4(11), U4(12), U4(13), U8(14)},
	 {FIELD(fork.pid, 10), FIELD(fork.parent_pid, 11), FIELD(fork.tid, 12),
	  FIELD(fork.parent_tid, 13), FIELD(fork.time_ns, 14)}},
	{PERF_RECORD_THROTTLE, 0, 24, {U8(21), U8(22), U8(23)},
	 {FIELD(throttle.time_ns, 21), FIELD(throttle.id, 22), FIELD(throttle.stream_id, 23)}},
	{PERF_RECORD_UNTHROTTLE, 0, 24, {U8(21), U8(22), U8(23)},
	 {FIELD(throttle.time_ns, 21), FIELD(throttle.id, 22), FIELD(throttle.stream_id, 23)}},
	{PERF_RECORD_FORK, 0, 24, {U4(10), U4(11), U4(12), U4(13), U8(14)},
	 {FIELD(fork.pid, 10), FIELD(fork.parent_pid, 11), FIELD(fork.tid, 12),
	  FIELD(fork.parent_tid, 13), FIELD(fork.time_ns, 14)}},
	{PERF_RECORD_READ, 0, 16, {U4(31), U4(32), U8(81)},
	 {FIELD(counts.pid, 31), FIELD(counts.tid, 32), FIELD(counts.read.count, 1),
	  FIELD(counts.read.values[0], 81)}},
	{PERF_RECORD_MMAP2, 0, 64,
	 {U4(10), U4(11), U8(0x7000), U8(0x1000), U8(0x2000), U4(8), U4(1), U8(99),
	  U8(100), U4(5), U4(2), {.text = "/lib/x.so"}},
	 {FIELD(mmap.pid, 10), FIELD(mmap.tid, 11), FIELD(mmap.address, 0x7000),
	  FIELD(mmap.length, 0x1000), FIELD(mmap.page_offset, 0x2000), FIELD(mmap.file_length, 9),
	  FIELD(mmap.is_data, false), FIELD(mmap.has_build_id, false), FIELD(mmap.major, 8),
	  FIELD(mmap.minor, 1), FIELD(mmap.inode, 99), FIELD(mmap.inode_generation, 100),
	  FIELD(mmap.protection, 5), FIELD(mmap.flags, 2)}},
	{PERF_RECORD_MMAP2, BIT13 | BIT14, 64,
	 {U4(10), U4(11), U8(0x7000), U8(0x1000), U8(0x2000), {4, .text = "\024\0\0\0"},
	  {20, .text = BUILD_ID}, U4(5), U4(2), {.text = "/lib/x.so"}},
	 {FIELD(mmap.pid, 10), FIELD(mmap.tid, 11), FIELD(mmap.address, 0x7000),
	  FIELD(mmap.length, 0x1000), FIELD(mmap.page_offset, 0x2000), FIELD(mmap.file_length, 9),
	  FIELD(mmap.is_data, true), FIELD(mmap.has_build_id, true), FIELD(mmap.build_id_size, 20),
	  FIELD(mmap.protection, 5), FIELD(mmap.flags, 2)}},
	{PERF_RECORD_LOST_SAMPLES, 0, 8, {U8(21)}, {FIELD(lost.id, 0), FIELD(lost.lost, 21)}},
	{PERF_RECORD_SWITCH, BIT13 | BIT14, 0, {{.size = 0}},
	 {FIELD(ctx_switch.out, true), FIELD(ctx_switch.preempted, true),
	  FIELD(ctx_switch.other_pid, UINT32_MAX), FIELD(ctx_switch.other_tid, UINT32_MAX)}},
	{PERF_RECORD_SWITCH_CPU_WIDE, BIT14, 8, {U4(31), U4(32)},
	 {FIELD(ctx_switch.out, false), FIELD(ctx_switch.preempted, false),
	  FIELD(ctx_switch.other_pid, 31), FIELD(ctx_switch.other_tid, 32)}},
	{PERF_RECORD_KSYMBOL, 0, 16, {U8(41), U4(42), U2(1), U2(1), {.text = "bpf_prog_x"}},
	 {FIELD(mmap.pid, UINT32_MAX), FIELD(mmap.address, 41), FIELD(mmap.length, 42),
	  FIELD(mmap.is_function, true), FIELD(mmap.function_kind, 1),
	  FIELD(mmap.is_unmapped, true), FIELD(mmap.file_length, 10)}},
	{PERF_RECORD_NAMESPACES, 0, 32, {U4(31), U4(32), U8(1), U8(3), U8(71)},
	 {FIELD(namespaces.pid, 31), FIELD(namespaces.tid, 32), FIELD(namespaces.count, 1)}},
	{PERF_RECORD_CGROUP, 0, 8, {U8(61), {.text = "/user.slice"}},
	 {FIELD(cgroup.id, 61), FIELD(cgroup.path_length, 11)}},
	/* of no use here: whatever their bodies have */
	{PERF_RECORD_AUX, 0, 0, {U8(21), U8(22), U8(23)}, {{0}}},
	{PERF_RECORD_ITRACE_START, 0, 0, {U4(31), U4(32)}, {{0}}},
	{PERF_RECORD_BPF_EVENT, 0, 0, {U2(1), U2(2), U4(51), {8, .text = "tagbytes"}}, {{0}}},
	{PERF_RECORD_TEXT_POKE, 0, 0, {U8(71), U2(5), U2(3)}, {{0}}},
	{PERF_RECORD_AUX_OUTPUT_HW_ID, 0, 0, {U8(21)}, {{0}}},
};
/* clang-format on */

enum {
	CASE_COUNT = COUNT_OF(CASES)
};

static void put_number(uint64_t value, size_t size)
{
	if (size == sizeof(uint16_t))
		put_u16((uint16_t)value);
	else if (size == sizeof(uint32_t))
		put_u32((uint32_t)value);
	else
		put_u64(value);
}

static void overwrite(size_t at, uint64_t value, size_t size)
{
	const size_t whole = b.size;

	b.size = at;
	put_number(value, size);
	b.size = whole;
}

static void put_body(const struct record_case *c)
{
	for (const struct part *part = c->body; part->size > 0 || part->text; part++)
		if (!part->text)
			put_number(part->value, part->size);
		else if (part->size > 0)
			put(part->text, part->size);
		else
			put_string(part->text);
}

static void check_case(const struct record_case *c)
{
	check_fields(&record, c->fields);
	if (record.type == PERF_RECORD_MMAP2 && record.mmap.has_build_id)
		assert_memory_equal(record.mmap.build_id, BUILD_ID, 20);
}

/* The first case of a type. */
static const struct record_case *case_of(uint32_t type)
{
	const struct record_case *c = CASES;

	while (c->type != type)
		c++;
	return c;
}

static void build_case(const struct record_case *c, uint64_t trailer)
{
	begin(c->type, c->misc);
	put_body(c);
	put_trailer(trailer);
	finish();
}

UNIT_TEST(decode_record_every_type_has_a_case)
{
	for (uint32_t type = 1; type < PERF_RECORD_MAX; type++) {
		bool found = type == PERF_RECORD_SAMPLE;

		for (size_t i = 0; i < CASE_COUNT; i++)
			found = found || CASES[i].type == type;
		assert_true(found);
	}
}

UNIT_TEST(decode_record_every_type_without_trailer_is_read)
{
	for (size_t i = 0; i < CASE_COUNT; i++) {
		build_case(&CASES[i], 0);

		assert_int_equal(decode_bytes(b.bytes, b.size, &PLAIN), DECODE_OK);
		assert_int_equal(record.type, CASES[i].type);
		assert_int_equal(record.misc, CASES[i].misc);
		assert_int_equal(record.size, b.size);
		assert_int_equal(record.id.has, 0);
		check_case(&CASES[i]);
	}
}

UNIT_TEST(decode_record_every_type_with_every_trailer_is_read)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_TID, PERF_SAMPLE_TIME,       PERF_SAMPLE_ID,   PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_READ, PERF_SAMPLE_CALLCHAIN};

	for (size_t i = 0; i < CASE_COUNT; i++) {
		for (unsigned int set = 0; set < 256; set++) {
			struct decode_format format = {.sample_id_all = true};

			for (unsigned int bit = 0; bit < 8; bit++)
				format.sample_type |= set >> bit & 1 ? bits[bit] : 0;
			build_case(&CASES[i], format.sample_type);

			assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_OK);
			assert_id(&record.id, format.sample_type);
			check_case(&CASES[i]);
		}
	}
}

UNIT_TEST(decode_record_every_type_cut_anywhere_is_never_overread)
{
	const struct decode_format format = {.sample_type = TRAILER, .sample_id_all = true};

	for (size_t i = 0; i < CASE_COUNT; i++) {
		build_case(&CASES[i], TRAILER);
		size_t whole = b.size;

		for (size_t size = 0; size < whole; size++) {
			/* the header says more than there is */
			assert_int_equal(decode_bytes(b.bytes, size, &format), DECODE_BROKEN);
			if (size < 8)
				continue;
			/* the header agrees: what is missing, is missing at the end of the body */
			assert_int_equal(decode_cut(size, &format), size < 8 + CASES[i].needed + 48
									    ? DECODE_BROKEN
									    : DECODE_OK);
		}
	}
}

UNIT_TEST(decode_record_texts_point_into_the_record)
{
	static const struct {
		uint32_t type;
		size_t at; /* of the pointer */
		const char *text;
	} cases[] = {
		{PERF_RECORD_COMM, offsetof(struct decoded, comm.name), "a (name)\n"},
		{PERF_RECORD_MMAP2, offsetof(struct decoded, mmap.file), "/lib/x.so"},
		{PERF_RECORD_MMAP, offsetof(struct decoded, mmap.file), "/lib/x.so"},
		{PERF_RECORD_KSYMBOL, offsetof(struct decoded, mmap.file), "bpf_prog_x"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const char *text;

		print_message("case: %u\n", cases[i].type);
		build_case(case_of(cases[i].type), 0);
		decode_record(&record, b.bytes, b.size, &PLAIN);

		memcpy(&text, (const unsigned char *)&record + cases[i].at, sizeof(text));
		assert_true(text > (const char *)b.bytes);
		assert_memory_equal(text, cases[i].text, strlen(cases[i].text));
	}
}

static const struct decode_format WITH_TRAILER = {
	.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER,
	.sample_id_all = true,
};

/* A number in a record that is larger than what there is. */
UNIT_TEST(decode_record_that_lies_is_broken)
{
	static const struct {
		const char *name;
		uint32_t type;
		size_t at, size;
		uint64_t lie;
	} cases[] = {
		{"header, 0", PERF_RECORD_FORK, 6, 2, 0},
		{"header, 1", PERF_RECORD_FORK, 6, 2, 1},
		{"header, 7", PERF_RECORD_FORK, 6, 2, 7},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		build_case(case_of(cases[i].type), 0);
		overwrite(cases[i].at, cases[i].lie, cases[i].size);
		assert_int_equal(decode_bytes(b.bytes, b.size, &PLAIN), DECODE_BROKEN);
	}
	build_case(case_of(PERF_RECORD_MMAP2) + 1, 0);
	b.bytes[8 + 32] = 21; /* the size of its build id */
	assert_int_equal(decode_bytes(b.bytes, b.size, &PLAIN), DECODE_BROKEN);
}

UNIT_TEST(decode_record_oddities_are_read)
{
	unsigned char *copy;

	/* a mapping of code is no data */
	begin(PERF_RECORD_MMAP, 0);
	put_body(case_of(PERF_RECORD_MMAP));
	finish();
	decode_record(&record, b.bytes, b.size, &PLAIN);
	assert_false(record.mmap.is_data);

	/* who comes in is not preempted */
	begin(PERF_RECORD_SWITCH_CPU_WIDE, BIT13);
	put_body(case_of(PERF_RECORD_SWITCH_CPU_WIDE));
	finish();
	assert_int_equal(decode_bytes(b.bytes, b.size, &PLAIN), DECODE_OK);
	assert_true(record.ctx_switch.out);
	assert_false(record.ctx_switch.preempted);

	/* a string without an end stops at the trailer */
	begin(PERF_RECORD_COMM, 0);
	put_u32(1);
	put_u32(2);
	put("12345678", 8);
	put_trailer(TRAILER);
	finish();
	assert_int_equal(decode_bytes(b.bytes, b.size, &WITH_TRAILER), DECODE_OK);
	assert_int_equal(record.comm.name_length, 8);
	assert_false(record.comm.exec);

	/* a field of a later kernel; and bytes that are not aligned */
	begin(PERF_RECORD_FORK, 0);
	put_body(case_of(PERF_RECORD_FORK));
	put_u64(0xdead);
	put_trailer(TRAILER);
	finish();
	copy = malloc(b.size + 1);
	memcpy(copy + 1, b.bytes, b.size);
	assert_int_equal(decode_record(&record, copy + 1, b.size, &WITH_TRAILER), DECODE_OK);
	check_case(case_of(PERF_RECORD_FORK));
	assert_id(&record.id, TRAILER);
	free(copy);
}

UNIT_TEST(decode_record_unknown_type_fills_the_header_only)
{
	static const uint32_t types[] = {0, PERF_RECORD_MAX, 64, 200, UINT32_MAX};

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		begin(types[i], 3);
		put_u64(1);
		finish();

		assert_int_equal(decode_bytes(b.bytes, b.size, &PLAIN), DECODE_UNKNOWN);
		assert_int_equal(record.type, types[i]);
		assert_int_equal(record.size, 16);
		assert_int_equal(record.misc, 3);
		assert_int_equal(record.id.has, 0);
	}
}

/* --- readings --------------------------------------------------------------------------- */

static const uint64_t ALL_READ = PERF_FORMAT_GROUP | PERF_FORMAT_ID |
				 PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING |
				 PERF_FORMAT_LOST;

static void put_value(uint64_t format, uint64_t i)
{
	put_u64(1000 + i);
	if (format & PERF_FORMAT_ID)
		put_u64(2000 + i);
	if (format & PERF_FORMAT_LOST)
		put_u64(3000 + i);
}

static void put_times(uint64_t format)
{
	if (format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_u64(555);
	if (format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_u64(444);
}

static void put_read(uint64_t format, uint64_t count)
{
	if (!(format & PERF_FORMAT_GROUP)) {
		put_u64(1000);
		put_times(format);
		if (format & PERF_FORMAT_ID)
			put_u64(2000);
		if (format & PERF_FORMAT_LOST)
			put_u64(3000);
		return;
	}
	put_u64(count);
	put_times(format);
	for (uint64_t i = 0; i < count; i++)
		put_value(format, i);
}

static void assert_read(const struct decoded_read *read, uint64_t format, uint64_t count)
{
	bool both = (format & PERF_FORMAT_TOTAL_TIME_ENABLED) &&
		    (format & PERF_FORMAT_TOTAL_TIME_RUNNING);

	assert_int_equal(read->count, format & PERF_FORMAT_GROUP ? count : 1);
	assert_int_equal(read->has_times, both);
	if (both) {
		assert_int_equal(read->enabled_ns, 555);
		assert_int_equal(read->running_ns, 444);
	}
	for (uint64_t i = 0; i < read->count && i < DECODE_READ_MAX; i++) {
		assert_int_equal(read->values[i], 1000 + i);
		if (format & PERF_FORMAT_ID)
			assert_int_equal(read->ids[i], 2000 + i);
		if (format & PERF_FORMAT_LOST)
			assert_int_equal(read->lost[i], 3000 + i);
	}
}

static bool read_copy(struct decoded_read *read, size_t size, uint64_t format)
{
	unsigned char *copy = malloc(size > 0 ? size : 1);

	memcpy(copy, b.bytes, size);
	memset(read, 0xa5, sizeof(*read));
	bool result = decode_read(read, copy, size, format);
	free(copy);
	return result;
}

UNIT_TEST(decode_read_every_format_is_read_and_its_cuts_refused)
{
	for (uint64_t format = 0; format <= ALL_READ; format++) {
		for (uint64_t count = 0; count < 3; count++) {
			struct decoded_read read;

			b.size = 0;
			put_read(format, count);

			assert_true(read_copy(&read, b.size, format));
			assert_read(&read, format, count);
			for (size_t size = 0; size < b.size; size++)
				assert_false(read_copy(&read, size, format));
		}
	}
}

UNIT_TEST(decode_read_more_values_than_there_can_be_are_counted_or_refused)
{
	static const uint64_t counts[] = {3, UINT64_MAX / 24, UINT64_MAX / 24 + 1,
					  UINT64_MAX / 8 + 1, UINT64_MAX};
	struct decoded_read read;

	b.size = 0;
	put_read(ALL_READ, DECODE_READ_MAX + 9);
	assert_true(read_copy(&read, b.size, ALL_READ));
	assert_read(&read, ALL_READ, DECODE_READ_MAX + 9);

	b.size = 0;
	put_read(ALL_READ, 2);
	assert_false(read_copy(&read, b.size, ALL_READ | (ALL_READ + 1)));
	assert_false(read_copy(&read, b.size, ALL_READ + 1));
	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		memcpy(b.bytes, &counts[i], sizeof(counts[i]));
		assert_false(read_copy(&read, b.size, ALL_READ));
	}
	assert_false(decode_read(&read, "", 0, ALL_READ));
	assert_false(decode_read(&read, "", 0, 0));
}

UNIT_TEST(decode_record_read_record_with_group_is_read)
{
	const struct decode_format format = {
		.sample_type = TRAILER, .read_format = ALL_READ, .sample_id_all = true};

	begin(PERF_RECORD_READ, 0);
	put_u32(31);
	put_u32(32);
	put_read(ALL_READ, 7);
	put_trailer(TRAILER);
	finish();

	assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_OK);
	assert_int_equal(record.counts.pid, 31);
	assert_read(&record.counts.read, ALL_READ, 7);
	assert_id(&record.id, TRAILER);
}

/* --- samples ---------------------------------------------------------------------------- */

enum {
	USER_REGS = 0x15,
	INTR_REGS = 0x0f00000000000001,
	BRANCHES = 3
};

static const uint64_t HW_INDEX = PERF_SAMPLE_BRANCH_HW_INDEX;
static const uint64_t BRANCH_COUNTERS = 1 << 19;

struct sample_shape {
	uint64_t callchain, branches, user_abi, intr_abi;
	uint32_t raw; /* with its own 4 bytes a multiple of 8 */
	uint64_t stack, aux;
	bool no_branch_stack;
};

static const struct sample_shape USUAL = {.callchain = 5,
					  .branches = BRANCHES,
					  .user_abi = 2,
					  .intr_abi = 1,
					  .raw = 20,
					  .stack = 64,
					  .aux = 24};
static const struct sample_shape EMPTY = {.raw = 4};

static void put_filler(uint64_t size, unsigned char byte)
{
	for (uint64_t i = 0; i < size; i++)
		put(&byte, 1);
}

static void put_words(uint64_t count, uint64_t first)
{
	for (uint64_t i = 0; i < count; i++)
		put_u64(first + i);
}

static void put_sample_head(uint64_t type)
{
	static const uint64_t order[] = {
		PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,   PERF_SAMPLE_TID,
		PERF_SAMPLE_TIME,       PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
		PERF_SAMPLE_STREAM_ID,  PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD};

	put_sample_fields(type, order, COUNT_OF(order));
}

static void put_branches(const struct decode_format *format, const struct sample_shape *shape)
{
	put_u64(shape->branches);
	if (shape->no_branch_stack)
		return;
	if (format->branch_sample_type & HW_INDEX)
		put_u64(103);
	put_words(shape->branches * 3, 5000);
	if (format->branch_sample_type & BRANCH_COUNTERS)
		put_words(shape->branches, 6000);
}

static void put_regs(uint64_t abi, uint64_t mask, uint64_t first)
{
	put_u64(abi);
	if (abi != 0)
		put_words((uint64_t)__builtin_popcountll(mask), first);
}

static void put_sample_data(const struct decode_format *format, const struct sample_shape *shape)
{
	uint64_t type = format->sample_type;

	if (type & PERF_SAMPLE_CALLCHAIN) {
		put_u64(shape->callchain);
		put_words(shape->callchain, 4000);
	}
	if (type & PERF_SAMPLE_RAW) {
		put_u32(shape->raw);
		put_filler(shape->raw, 0x77);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK)
		put_branches(format, shape);
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(shape->user_abi, format->user_regs, 7000);
	if (type & PERF_SAMPLE_STACK_USER) {
		put_u64(shape->stack);
		put_filler(shape->stack, 0x66);
		if (shape->stack != 0)
			put_u64(48);
	}
}

static void put_sample_tail(const struct decode_format *format, const struct sample_shape *shape)
{
	static const uint64_t before[] = {PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT,
					  PERF_SAMPLE_DATA_SRC, PERF_SAMPLE_TRANSACTION};
	static const uint64_t behind[] = {PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_CGROUP,
					  PERF_SAMPLE_DATA_PAGE_SIZE, PERF_SAMPLE_CODE_PAGE_SIZE};

	put_sample_fields(format->sample_type, before, COUNT_OF(before));
	if (format->sample_type & PERF_SAMPLE_REGS_INTR)
		put_regs(shape->intr_abi, format->intr_regs, 8000);
	put_sample_fields(format->sample_type, behind, COUNT_OF(behind));
	if (format->sample_type & PERF_SAMPLE_AUX) {
		put_u64(shape->aux);
		put_filler(shape->aux, 0x55);
	}
}

static void build_sample(const struct decode_format *format, const struct sample_shape *shape)
{
	begin(PERF_RECORD_SAMPLE, 2);
	put_sample_head(format->sample_type);
	if (format->sample_type & PERF_SAMPLE_READ)
		put_read(format->read_format, 3);
	put_sample_data(format, shape);
	put_sample_tail(format, shape);
	finish();
}

/* --- what must come back; `bytes` is what was decoded and still lives --- */

static void assert_words(const uint64_t *words, uint64_t count, uint64_t first)
{
	for (uint64_t i = 0; i < count; i++) {
		uint64_t value;

		memcpy(&value, &words[i], sizeof(value));
		assert_int_equal(value, first + i);
	}
}

static void assert_filler(const struct decoded_bytes *bytes, uint64_t size, unsigned char byte)
{
	assert_int_equal(bytes->size, size);
	for (uint64_t i = 0; i < size; i++)
		assert_int_equal(((const unsigned char *)bytes->bytes)[i], byte);
}

static void assert_sample_words(const struct decoded_sample *sample, uint64_t type)
{
	for (size_t i = 0; i < COUNT_OF(SAMPLE_WORDS); i++) {
		uint64_t value;

		memcpy(&value, (const unsigned char *)sample + SAMPLE_WORDS[i].at, sizeof(value));
		if (type & SAMPLE_WORDS[i].bits)
			assert_int_equal(value, SAMPLE_WORDS[i].value);
	}
}

static void assert_branches(const struct decoded_sample *sample, const struct decode_format *format,
			    const struct sample_shape *shape)
{
	bool has_index = (format->branch_sample_type & HW_INDEX) && !shape->no_branch_stack;

	assert_int_equal(sample->branch_count, shape->branches);
	assert_int_equal(sample->branches.size, shape->branches * 24);
	assert_int_equal(sample->branch_hw_index, has_index ? 103 : UINT64_MAX);
	assert_int_equal(sample->has_call_stack,
			 (format->branch_sample_type & PERF_SAMPLE_BRANCH_CALL_STACK) != 0);
	assert_words(sample->branches.bytes, shape->branches * 3, 5000);
}

static void assert_sample_data(const struct decoded_sample *sample,
			       const struct decode_format *format, const struct sample_shape *shape)
{
	uint64_t type = format->sample_type;

	if (type & PERF_SAMPLE_READ)
		assert_read(&sample->read, format->read_format, 3);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		assert_int_equal(sample->callchain_count, shape->callchain);
		assert_words(sample->callchain, shape->callchain, 4000);
	}
	if (type & PERF_SAMPLE_RAW)
		assert_filler(&sample->raw, shape->raw, 0x77);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		assert_branches(sample, format, shape);
	if (type & PERF_SAMPLE_REGS_USER) {
		assert_int_equal(sample->user_abi, shape->user_abi);
		assert_int_equal(sample->user_reg_count, shape->user_abi != 0 ? 3 : 0);
		assert_words(sample->user_regs, sample->user_reg_count, 7000);
	}
	if (type & PERF_SAMPLE_STACK_USER) {
		assert_filler(&sample->user_stack, shape->stack, 0x66);
		assert_int_equal(sample->user_stack_dynamic_size, shape->stack != 0 ? 48 : 0);
	}
	if (type & PERF_SAMPLE_REGS_INTR) {
		assert_int_equal(sample->intr_abi, shape->intr_abi);
		assert_int_equal(sample->intr_reg_count, shape->intr_abi != 0 ? 5 : 0);
		assert_words(sample->intr_regs, sample->intr_reg_count, 8000);
	}
	if (type & PERF_SAMPLE_AUX)
		assert_filler(&sample->aux, shape->aux, 0x55);
}

static void assert_sample(const struct decode_format *format, const struct sample_shape *shape)
{
	build_sample(format, shape);
	unsigned char *copy = malloc(b.size);
	memcpy(copy, b.bytes, b.size);
	memset(&record, 0xa5, sizeof(record));

	enum decode_result result = decode_record(&record, copy, b.size, format);

	if (result != DECODE_OK)
		fail_msg("sample_type 0x%llx: %d", (unsigned long long)format->sample_type, result);
	assert_int_equal(record.type, PERF_RECORD_SAMPLE);
	assert_int_equal(record.id.has, format->sample_type);
	assert_id(&record.id, format->sample_type);
	assert_sample_words(&record.sample, format->sample_type);
	assert_sample_data(&record.sample, format, shape);
	free(copy);
}

/* Every shorter form of the sample is broken, whether its header knows or not. */
static void assert_sample_cuts_broken(const struct decode_format *format,
				      const struct sample_shape *shape)
{

	build_sample(format, shape);
	for (size_t size = 0; size < b.size; size++) {
		assert_int_equal(decode_bytes(b.bytes, size, format), DECODE_BROKEN);
		if (size < 8)
			continue;
		assert_int_equal(decode_cut(size, format), DECODE_BROKEN);
	}
}

enum {
	SAMPLE_BITS = 25
};

/* The two ways to write a weight exclude each other. */
static uint64_t legal_type(uint64_t type)
{
	return type & PERF_SAMPLE_WEIGHT ? type & ~(uint64_t)PERF_SAMPLE_WEIGHT_STRUCT : type;
}

static struct decode_format sample_format(uint64_t type)
{
	return (struct decode_format){
		.sample_type = legal_type(type),
		.read_format = ALL_READ,
		.user_regs = USER_REGS,
		.intr_regs = (uint64_t)INTR_REGS,
		.sample_id_all = true,
	};
}

UNIT_TEST(decode_record_sample_bits_are_all_known)
{
	assert_int_equal(PERF_SAMPLE_MAX, UINT64_C(1) << SAMPLE_BITS);
}

UNIT_TEST(decode_record_sample_with_each_field_alone_is_read)
{
	for (unsigned int bit = 0; bit < SAMPLE_BITS; bit++) {
		struct decode_format format = sample_format(UINT64_C(1) << bit);

		assert_sample(&format, &USUAL);
		assert_sample(&format, &EMPTY);
		assert_sample_cuts_broken(&format, &USUAL);
		assert_sample_cuts_broken(&format, &EMPTY);
	}
}

UNIT_TEST(decode_record_sample_with_all_fields_is_read)
{
	struct decode_format format = sample_format((UINT64_C(1) << SAMPLE_BITS) - 1);

	for (uint64_t branch = 0; branch < 8; branch++) {
		format.branch_sample_type =
			(branch & 1 ? HW_INDEX : 0) | (branch & 2 ? BRANCH_COUNTERS : 0) |
			(branch & 4 ? (uint64_t)PERF_SAMPLE_BRANCH_CALL_STACK : 0);
		assert_sample(&format, &USUAL);
		assert_sample(&format, &EMPTY);
	}
	format.branch_sample_type = HW_INDEX;
	assert_sample_cuts_broken(&format, &USUAL);
}

UNIT_TEST(decode_record_sample_with_any_fields_is_read)
{
	uint64_t random = 88172645463325252;

	for (int i = 0; i < 20000; i++) {
		/* xorshift */
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		struct decode_format format =
			sample_format(random >> 8 & ((UINT64_C(1) << SAMPLE_BITS) - 1));

		format.read_format = random >> 50 & ALL_READ;
		assert_sample(&format, random & 1 ? &USUAL : &EMPTY);
		if (i % 400 == 0)
			assert_sample_cuts_broken(&format, &USUAL);
	}
}

/* What was decoded from the bytes is written as it was, or not at all. */
static void check_encoded(const struct decode_format *format, bool is_writable)
{
	static uint64_t bytes[ENCODE_SIZE_MAX / sizeof(uint64_t)];
	size_t size;

	assert_int_equal(decode_record(&record, b.bytes, b.size, format), DECODE_OK);
	size = encode_record(bytes, &record, format);
	assert_int_equal(size, is_writable ? b.size : 0);
	assert_memory_equal(bytes, b.bytes, size);
}

UNIT_TEST(encode_record_writes_what_was_decoded)
{
	static const uint64_t bits[] = {
		PERF_SAMPLE_TID, PERF_SAMPLE_TIME,       PERF_SAMPLE_ID,     PERF_SAMPLE_STREAM_ID,
		PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_READ,   PERF_SAMPLE_PERIOD,
		PERF_SAMPLE_RAW, PERF_SAMPLE_CALLCHAIN,  PERF_SAMPLE_WEIGHT, PERF_SAMPLE_DATA_SRC};
	static const uint64_t writable =
		1 << PERF_RECORD_FORK | 1 << PERF_RECORD_EXIT | 1 << PERF_RECORD_COMM |
		1 << PERF_RECORD_MMAP2 | 1 << PERF_RECORD_LOST | 1 << PERF_RECORD_THROTTLE |
		1 << PERF_RECORD_UNTHROTTLE | 1 << PERF_RECORD_READ | 1 << PERF_RECORD_SWITCH |
		1 << PERF_RECORD_SWITCH_CPU_WIDE | 1 << PERF_RECORD_KSYMBOL;

	reserved = 0;
	for (unsigned int set = 0; set < 1 << COUNT_OF(bits); set++) {
		struct decode_format format = {.sample_id_all = true};

		for (size_t bit = 0; bit < COUNT_OF(bits); bit++)
			format.sample_type |= set >> bit & 1 ? bits[bit] : 0;
		for (size_t i = 0; i < CASE_COUNT; i++) {
			build_case(&CASES[i], format.sample_type);
			if (CASES[i].type == PERF_RECORD_SWITCH_CPU_WIDE)
				overwrite(4, 0, 2); /* only what leaves is said to be preempted */
			check_encoded(&format, writable >> CASES[i].type & 1);
		}
		for (uint64_t read = 0; read <= ALL_READ; read++) {
			format.read_format = read;
			build_sample(&format, &USUAL);
			check_encoded(&format, true);
			begin(PERF_RECORD_READ, 0);
			put_u32(31);
			put_u32(32);
			put_read(read, 3);
			put_trailer(format.sample_type);
			finish();
			check_encoded(&format, true);
		}
	}
	reserved = UINT32_MAX;
}

UNIT_TEST(decode_record_sample_without_branch_stack_has_no_index)
{
	struct decode_format format =
		sample_format(PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_TIME);
	const struct sample_shape none = {.no_branch_stack = true};

	format.branch_sample_type = HW_INDEX;

	assert_sample(&format, &none);
}

UNIT_TEST(decode_record_sample_with_count_but_no_branch_stack_is_broken)
{
	struct decode_format format = sample_format(PERF_SAMPLE_BRANCH_STACK);
	const struct sample_shape none = {.branches = 5, .no_branch_stack = true};

	format.branch_sample_type = HW_INDEX;
	build_sample(&format, &none);

	assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_BROKEN);
}

UNIT_TEST(decode_record_sample_with_more_values_than_kept_goes_on_behind_them)
{
	struct decode_format format = sample_format(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN);

	begin(PERF_RECORD_SAMPLE, 0);
	put_read(ALL_READ, DECODE_READ_MAX + 9);
	put_u64(5);
	put_words(5, 4000);
	finish();

	assert_int_equal(decode_record(&record, b.bytes, b.size, &format), DECODE_OK);
	assert_int_equal(record.sample.callchain_count, 5);
	assert_words(record.sample.callchain, 5, 4000);
}

UNIT_TEST(decode_record_sample_longer_than_its_fields_is_broken)
{
	static const uint64_t types[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TID | PERF_SAMPLE_CALLCHAIN};

	for (size_t i = 0; i < 2; i++) {
		struct decode_format format = sample_format(types[i]);

		build_sample(&format, &USUAL);
		put_u64(0);
		finish();

		assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_BROKEN);
	}
}

UNIT_TEST(decode_record_sample_with_fields_of_a_later_kernel_is_read)
{
	struct decode_format format = sample_format(PERF_SAMPLE_TID | PERF_SAMPLE_TIME);

	build_sample(&format, &USUAL);
	put_u64(0xdead);
	finish();
	format.sample_type |= UINT64_C(1) << SAMPLE_BITS;

	assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_OK);
	assert_int_equal(record.id.tid, TID);
	assert_int_equal(record.id.time_ns, TIME);
}

UNIT_TEST(decode_record_sample_counts_beyond_the_record_are_broken)
{
	static const uint64_t types[] = {PERF_SAMPLE_CALLCHAIN,  PERF_SAMPLE_BRANCH_STACK,
					 PERF_SAMPLE_STACK_USER, PERF_SAMPLE_AUX,
					 PERF_SAMPLE_RAW,        PERF_SAMPLE_READ};
	static const uint64_t counts[] = {100, UINT64_MAX / 24 + 1, UINT64_MAX / 8 + 1,
					  UINT64_MAX - 7, UINT64_MAX};

	for (size_t i = 0; i < COUNT_OF(types); i++) {
		for (size_t k = 0; k < COUNT_OF(counts); k++) {
			struct decode_format format = sample_format(types[i]);

			build_sample(&format, &USUAL);
			memcpy(b.bytes + 8, &counts[k], sizeof(counts[k]));

			assert_int_equal(decode_bytes(b.bytes, b.size, &format), DECODE_BROKEN);
		}
	}
}

UNIT_TEST(decode_record_sample_random_bytes_are_never_overread)
{
	uint64_t random = 1442695040888963407;

	for (int i = 0; i < 100000; i++) {
		b.size = 0;
		begin((uint32_t)(random >> 60 ? PERF_RECORD_SAMPLE : random % 24), 0);
		for (uint64_t words = random % 20; words > 0; words--) {
			random = random * 6364136223846793005 + 1442695040888963407;
			/* small numbers are likelier to be taken for counts that fit */
			put_u64(random >> 63 ? random >> 60 & 3 : random);
		}
		finish();
		struct decode_format format = sample_format(random >> 20 & 0x1ffffff);

		format.branch_sample_type = random >> 50 & HW_INDEX;
		decode_bytes(b.bytes, b.size, &format);
	}
}

/* --- peeking ---------------------------------------------------------------------------- */

UNIT_TEST(decode_peek_finds_what_decoding_finds)
{
	for (uint64_t type = 0; type < UINT64_C(1) << 17; type++) {
		/* the variable parts are behind id and time: leave most of them out */
		if (type & (PERF_SAMPLE_RAW | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER |
			    PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK))
			continue;
		struct decode_format format = sample_format(type);
		const struct sample_offsets offsets = sample_offsets_of(&format);
		uint64_t id = type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER) ? ID : 0;
		uint64_t time = type & PERF_SAMPLE_TIME ? TIME : 0;

		build_sample(&format, &USUAL);
		assert_int_equal(decode_peek_id(b.bytes, b.size, &offsets), id);
		assert_int_equal(decode_peek_time(b.bytes, b.size, &offsets), time);

		build_case(case_of(PERF_RECORD_COMM), type);
		assert_int_equal(decode_peek_id(b.bytes, b.size, &offsets), id);
		assert_int_equal(decode_peek_time(b.bytes, b.size, &offsets), time);
	}
}

UNIT_TEST(decode_peek_where_there_is_none_is_zero)
{
	const struct decode_format without = {.sample_type = TRAILER};
	const struct sample_offsets offsets[] = {sample_offsets_of(&without),
						 sample_offsets_of(&WITH_TRAILER)};
	static const uint32_t types[] = {PERF_RECORD_COMM, PERF_RECORD_SAMPLE};

	build_case(case_of(PERF_RECORD_FORK), 0);
	assert_int_equal(decode_peek_id(b.bytes, b.size, &offsets[0]), 0);
	assert_int_equal(decode_peek_time(b.bytes, b.size, &offsets[0]), 0);
	for (size_t i = 0; i < COUNT_OF(types); i++) {
		begin(types[i], 0);
		finish();
		assert_int_equal(decode_peek_id(b.bytes, b.size, &offsets[1]), 0);
		assert_int_equal(decode_peek_time(b.bytes, b.size, &offsets[1]), 0);
	}
	assert_int_equal(decode_peek_id(b.bytes, 4, &offsets[1]), 0);
}

/* --- what can be read at offsets: random formats, and records of all sizes whose words are small
 * numbers, so that counts in them are often right */

enum {
	FORMATS = 3000,
	WORDS_MAX = 24
};

static uint64_t seed = 88172645463325252u;

static uint64_t random_number(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static const uint64_t WORDS = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
			      PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |
			      PERF_SAMPLE_READ;

static struct decode_format random_format(void)
{
	struct decode_format format = {
		.sample_type = random_number() & WORDS,
		.read_format = random_number() & (PERF_FORMAT_MAX - 1),
		.sample_id_all = random_number() % 4 != 0,
	};
	return format;
}

static void assert_fields(const struct field_offsets *fields, const unsigned char *from, int sign,
			  const struct decoded_id *id)
{
	assert_int_equal(fields->time != 0, (id->has & PERF_SAMPLE_TIME) != 0);
	if (fields->time != 0)
		assert_int_equal(decode_word_at(from + sign * fields->time, 0), id->time_ns);
}

static void assert_switch_offsets(const struct sample_offsets *offsets, const unsigned char *bytes,
				  size_t size, const struct decoded *decoded)
{
	assert_fields(&offsets->trailer, bytes + size, -1, &decoded->id);
}

static bool check_one(const struct decode_format *format, uint32_t type, size_t words)
{
	const struct sample_offsets offsets = sample_offsets_of(format);
	const size_t size = (1 + words) * sizeof(uint64_t);
	const struct perf_event_header header = {
		.type = type, .misc = (uint16_t)random_number(), .size = (uint16_t)size};
	unsigned char *bytes = malloc(size); /* so large, for a sanitizer to see what is beyond */
	struct decoded decoded;
	bool is_whole;

	memcpy(bytes, &header, sizeof(header));
	for (size_t i = 1; i <= words; i++) {
		const uint64_t word = random_number() % 6;

		memcpy(bytes + i * sizeof(word), &word, sizeof(word));
	}
	is_whole = decode_record(&decoded, bytes, size, format) == DECODE_OK;
	if (is_whole && type == PERF_RECORD_SAMPLE)
		assert_fields(&offsets.sample, bytes, 1, &decoded.id);
	else if (is_whole)
		assert_switch_offsets(&offsets, bytes, size, &decoded);
	free(bytes);
	return is_whole;
}

UNIT_TEST(sample_offsets_of_random_formats_are_where_decoding_finds_the_fields)
{
	static const uint32_t types[] = {PERF_RECORD_SAMPLE, PERF_RECORD_SWITCH,
					 PERF_RECORD_SWITCH_CPU_WIDE};
	size_t whole[3] = {0};

	for (size_t i = 0; i < FORMATS; i++) {
		const struct decode_format format = random_format();

		for (size_t t = 0; t < 3; t++)
			for (size_t words = 0; words <= WORDS_MAX; words++)
				whole[t] += check_one(&format, types[t], words);
	}
	assert_true(whole[0] > FORMATS / 2 && whole[1] > FORMATS && whole[2] > FORMATS);
}

UNIT_TEST(decode_branch_has_what_the_kernel_put_there)
{
	struct perf_branch_entry entry = {
		.mispred = 1, .abort = 1, .cycles = 0xffff, .type = PERF_BR_COND_RET};
	uint64_t words[3];
	struct decoded_branch branch;

	memcpy(words, &entry, sizeof(words));
	branch = decode_branch(words[2]);
	assert_true(branch.is_mispredicted && branch.is_abort);
	assert_false(branch.is_predicted || branch.is_in_transaction);
	assert_int_equal(branch.cycles, 0xffff);
	assert_int_equal(branch.type, PERF_BR_COND_RET);
	assert_int_equal(branch.privilege, 0);
	assert_true(encode_branch(&branch) == words[2]);

	entry = (struct perf_branch_entry){.predicted = 1, .in_tx = 1, .type = 15};
	memcpy(words, &entry, sizeof(words));
	/* behind the type: two bits of speculation, four of the type that extends it, the privilege
	 */
	branch =
		decode_branch(words[2] | UINT64_C(2) << 24 | UINT64_C(3) << 26 | UINT64_C(2) << 30);
	assert_true(branch.is_predicted && branch.is_in_transaction);
	assert_false(branch.is_mispredicted || branch.is_abort);
	assert_int_equal(branch.cycles, 0);
	assert_int_equal(branch.type, 19);
	assert_int_equal(branch.privilege, 2);
	assert_true(encode_branch(&branch) == (words[2] | UINT64_C(3) << 26 | UINT64_C(2) << 30));
}

struct access_case {
	const char *name;
	uint64_t data_src;
	struct memory_access access;
};

#define MEM(part_, value_) PERF_MEM_S(part_, value_)
#define NUMBER(number_)    ((uint64_t)(number_) << 33)
#define REMOTE             (UINT64_C(1) << 37)
#define HOPS(hops_)        ((uint64_t)(hops_) << 43)

/* Nothing of lock is said by PERF_MEM_LOCK_NA alone; where the other parts are 0 nothing is. */
/* clang-format off */
static const struct access_case access_cases[] = {
	{"all bits of NA", MEM(OP, NA) | MEM(LVL, NA) | MEM(SNOOP, NA) | MEM(LOCK, NA) | MEM(TLB, NA) | NUMBER(15), {0}},
	{"nothing", 0, {.flags = ACCESS_LOCK_KNOWN}},
	{"L1 hit", MEM(OP, LOAD) | MEM(LVL, HIT) | MEM(LVL, L1) | MEM(LOCK, NA), {ACCESS_L1, ACCESS_LOAD, 0, 0}},
	{"L1 miss of a store", MEM(OP, STORE) | MEM(LVL, MISS) | MEM(LVL, L1) | MEM(LOCK, NA), {ACCESS_UNKNOWN, ACCESS_STORE, 0, 0}},
	{"missed, whatever the number says", MEM(LVL, MISS) | MEM(LVL, L3) | NUMBER(3) | MEM(LOCK, NA), {0}},
	{"fill buffer", MEM(LVL, HIT) | MEM(LVL, LFB) | MEM(LOCK, NA), {.source = ACCESS_FILL_BUFFER}},
	{"L2", MEM(LVL, HIT) | MEM(LVL, L2) | MEM(LOCK, NA), {.source = ACCESS_L2}},
	{"L3, HITM", MEM(LVL, HIT) | MEM(LVL, L3) | MEM(SNOOP, HITM) | MEM(LOCK, NA), {ACCESS_L3, 0, 0, ACCESS_SNOOP_KNOWN | ACCESS_HITM}},
	{"local memory", MEM(LVL, HIT) | MEM(LVL, LOC_RAM) | MEM(SNOOP, NONE) | MEM(LOCK, NA), {ACCESS_LOCAL_MEMORY, 0, 0, ACCESS_SNOOP_KNOWN}},
	{"remote memory, one hop", MEM(LVL, HIT) | MEM(LVL, REM_RAM1) | MEM(LOCK, NA), {.source = ACCESS_REMOTE_MEMORY}},
	{"remote memory, two hops", MEM(LVL, HIT) | MEM(LVL, REM_RAM2) | MEM(LOCK, NA), {.source = ACCESS_REMOTE_MEMORY}},
	{"remote cache, one hop", MEM(LVL, HIT) | MEM(LVL, REM_CCE1) | MEM(LOCK, NA), {.source = ACCESS_REMOTE_CACHE}},
	{"remote cache, two hops", MEM(LVL, HIT) | MEM(LVL, REM_CCE2) | MEM(LOCK, NA), {.source = ACCESS_REMOTE_CACHE}},
	{"device", MEM(LVL, HIT) | MEM(LVL, IO) | MEM(LOCK, NA), {.source = ACCESS_UNCACHED}},
	{"uncached", MEM(LVL, HIT) | MEM(LVL, UNC) | MEM(LOCK, NA), {.source = ACCESS_UNCACHED}},
	{"Intel's remote memory, which has the number of L3", MEM(LVL, HIT) | MEM(LVL, REM_RAM1) | REMOTE | NUMBER(3) | MEM(LOCK, NA), {.source = ACCESS_REMOTE_MEMORY}},
	{"number L1", NUMBER(1) | MEM(LOCK, NA), {.source = ACCESS_L1}},
	{"number L2", NUMBER(2) | MEM(LOCK, NA), {.source = ACCESS_L2}},
	{"number L3", NUMBER(3) | MEM(LOCK, NA), {.source = ACCESS_L3}},
	{"number L4 is no L3", NUMBER(4) | MEM(LOCK, NA), {0}},
	{"number uncached", NUMBER(8) | MEM(LOCK, NA), {.source = ACCESS_UNCACHED}},
	{"number CXL", NUMBER(9) | MEM(LOCK, NA), {.source = ACCESS_LOCAL_MEMORY}},
	{"number device", NUMBER(10) | MEM(LOCK, NA), {.source = ACCESS_UNCACHED}},
	{"number any cache", NUMBER(11) | MEM(LOCK, NA), {0}},
	{"number any cache, of another core", NUMBER(11) | REMOTE | HOPS(1) | MEM(LOCK, NA), {ACCESS_REMOTE_CACHE, 0, ACCESS_TO_CORE, 0}},
	{"number L2, of another node", NUMBER(2) | REMOTE | HOPS(2) | MEM(LOCK, NA), {ACCESS_REMOTE_CACHE, 0, ACCESS_TO_NODE, 0}},
	{"number fill buffer", NUMBER(12) | MEM(LOCK, NA), {.source = ACCESS_FILL_BUFFER}},
	{"number memory", NUMBER(13) | MEM(LOCK, NA), {.source = ACCESS_LOCAL_MEMORY}},
	{"number memory, of another socket", NUMBER(13) | REMOTE | HOPS(3) | MEM(LOCK, NA), {ACCESS_REMOTE_MEMORY, 0, ACCESS_TO_SOCKET, 0}},
	{"number memory, of another board", NUMBER(13) | REMOTE | HOPS(4) | MEM(LOCK, NA), {ACCESS_REMOTE_MEMORY, 0, ACCESS_TO_BOARD, 0}},
	{"more hops than there is a word for", HOPS(7) | MEM(LOCK, NA), {0}},
	{"number persistent memory, remote", NUMBER(14) | REMOTE | MEM(LOCK, NA), {.source = ACCESS_REMOTE_MEMORY}},
	{"number not said, remote", NUMBER(15) | REMOTE | MEM(LOCK, NA), {0}},
	{"locked store", MEM(OP, STORE) | MEM(LOCK, LOCKED), {.operation = ACCESS_STORE, .flags = ACCESS_LOCK_KNOWN | ACCESS_LOCKED}},
	{"TLB hit", MEM(TLB, HIT) | MEM(TLB, L1) | MEM(TLB, L2) | MEM(LOCK, NA), {.flags = ACCESS_TLB_KNOWN}},
	{"TLB miss", MEM(TLB, MISS) | MEM(TLB, L2) | MEM(LOCK, NA), {.flags = ACCESS_TLB_KNOWN | ACCESS_TLB_MISS}},
	{"what a page walk answered", MEM(TLB, HIT) | MEM(TLB, WK) | MEM(LOCK, NA), {.flags = ACCESS_TLB_KNOWN | ACCESS_TLB_MISS}},
	{"blocked by data", UINT64_C(2) << 40 | MEM(LOCK, NA), {.flags = ACCESS_BLOCKED}},
	{"blocked by an address", UINT64_C(4) << 40 | MEM(LOCK, NA), {.flags = ACCESS_BLOCKED}},
	{"not blocked, or not said", UINT64_C(1) << 40 | MEM(LOCK, NA), {0}},
	{"forwarded by a peer", UINT64_C(2) << 38 | MEM(LOCK, NA), {.flags = ACCESS_SNOOP_KNOWN}},
	{"prefetch and fetch", MEM(OP, PFETCH) | MEM(OP, EXEC) | MEM(LOCK, NA), {.operation = ACCESS_PREFETCH | ACCESS_FETCH}},
};
/* clang-format on */

UNIT_TEST(decode_access_has_both_encodings)
{
	for (size_t i = 0; i < COUNT_OF(access_cases); i++) {
		const struct access_case *expected = &access_cases[i];
		const struct memory_access access = decode_access(expected->data_src);

		begin_case(expected->name);
		assert_int_equal(access.source, expected->access.source);
		assert_int_equal(access.operation, expected->access.operation);
		assert_int_equal(access.distance, expected->access.distance);
		assert_int_equal(access.flags, expected->access.flags);
	}
}

UNIT_MAIN(NULL, NULL)
