/*
 * What records that are written have otherwise than those of the kernel (test_decode.c), and what
 * is not written.
 */

#include <linux/perf_event.h>

#include "encode_kit.h"
#include "unit.h"

static const struct decode_format LEADER = {
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_READ,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING,
	.sample_id_all = true,
};

static uint64_t bytes[ENCODE_SIZE_MAX / sizeof(uint64_t)];

static struct decoded make(uint32_t type)
{
	return (struct decoded){
		.type = type,
		.id = {.pid = 11, .tid = 12, .time_ns = 13, .id = 14, .stream_id = 15, .cpu = 16},
	};
}

/* Writes the record and reads it again; what all records have must be the same. */
static struct decoded again(const struct decoded *record, const struct decode_format *format)
{
	struct decoded copy = {.type = 0}; /* what a format does not have stays 0 */
	const struct sample_offsets offsets = sample_offsets_of(format);
	size_t size = encode_record(bytes, record, format);

	assert_int_not_equal(size, 0);
	assert_int_equal(size % 8, 0);
	assert_int_equal(decode_record(&copy, bytes, size, format), DECODE_OK);
	assert_int_equal(copy.size, size);
	assert_int_equal(copy.type, record->type);
	assert_int_equal(copy.id.pid, record->id.pid);
	assert_int_equal(copy.id.tid, record->id.tid);
	assert_int_equal(copy.id.time_ns, record->id.time_ns);
	assert_int_equal(copy.id.id, record->id.id);
	assert_int_equal(copy.id.cpu, record->id.cpu);
	assert_int_equal(decode_peek_id(bytes, size, &offsets), record->id.id);
	assert_int_equal(decode_peek_time(bytes, size, &offsets), record->id.time_ns);
	return copy;
}

UNIT_TEST(encode_record_raw_data_is_padded_with_zeros)
{
	struct decode_format format = {.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_RAW};
	struct decoded record = {.type = PERF_RECORD_SAMPLE, .id = {.id = 14}}, copy;

	for (size_t size = 0; size <= 12; size++) {
		record.sample.raw = (struct decoded_bytes){"abcdefghijkl", size};

		copy = again(&record, &format);

		assert_in_range(copy.sample.raw.size, size, size + 7);
		assert_int_equal((copy.sample.raw.size + 4) % 8, 0);
		assert_memory_equal(copy.sample.raw.bytes, "abcdefghijkl", size);
		for (size_t i = size; i < copy.sample.raw.size; i++)
			assert_int_equal(((const char *)copy.sample.raw.bytes)[i], 0);
	}
}

UNIT_TEST(encode_record_sample_has_no_address_of_ours)
{
	struct decode_format format = LEADER;
	struct decoded record = make(PERF_RECORD_SAMPLE);

	format.sample_type |= PERF_SAMPLE_IP;

	again(&record, &format);

	assert_int_equal(bytes[2], 0); /* behind the header and the id */
}

UNIT_TEST(encode_record_switches_keep_who_how_and_the_other)
{
	static const struct decoded_switch all[] = {
		{.out = true, .preempted = true, .other_pid = 3, .other_tid = 4},
		{.out = true, .other_pid = 0, .other_tid = 0},
		{.other_pid = 3, .other_tid = 4},
	};

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		struct decoded record = make(PERF_RECORD_SWITCH_CPU_WIDE), copy;

		record.ctx_switch = all[i];

		copy = again(&record, &LEADER);

		assert_int_equal(copy.ctx_switch.out, all[i].out);
		assert_int_equal(copy.ctx_switch.preempted, all[i].preempted);
		assert_int_equal(copy.ctx_switch.other_pid, all[i].other_pid);
		assert_int_equal(copy.ctx_switch.other_tid, all[i].other_tid);
		record.type = PERF_RECORD_SWITCH;
		copy = again(&record, &LEADER);
		assert_int_equal(copy.ctx_switch.out, all[i].out);
		assert_int_equal(copy.ctx_switch.other_pid, -1);
	}
}

UNIT_TEST(encode_record_names_of_any_length_keep_their_length)
{
	for (size_t length = 0; length <= 17; length++) {
		struct decoded record = make(PERF_RECORD_COMM), copy;

		record.comm = (struct decoded_comm){
			.pid = 5,
			.tid = 6,
			.name = "abcdefghijklmnopq",
			.name_length = length,
			.exec = length % 2 == 1,
		};

		copy = again(&record, &LEADER);

		assert_int_equal(copy.comm.tid, 6);
		assert_int_equal(copy.comm.name_length, length);
		assert_memory_equal(copy.comm.name, record.comm.name, length);
		assert_int_equal(copy.comm.exec, length % 2 == 1);
	}
}

UNIT_TEST(encode_record_functions_that_the_kernel_makes_keep_where_and_what)
{
	for (int is_unmapped = 0; is_unmapped <= 1; is_unmapped++) {
		struct decoded record = make(PERF_RECORD_KSYMBOL), copy;

		record.mmap = (struct decoded_mmap){
			.address = UINT64_C(0xffffffffc0000000),
			.length = 0x123,
			.file = "bpf_prog_x",
			.file_length = 10,
			.is_function = true,
			.is_unmapped = is_unmapped == 1,
			.function_kind = DECODED_KSYMBOL_BPF,
		};

		copy = again(&record, &LEADER);

		assert_int_equal(copy.mmap.address, record.mmap.address);
		assert_int_equal(copy.mmap.length, 0x123);
		assert_int_equal(copy.mmap.file_length, 10);
		assert_memory_equal(copy.mmap.file, "bpf_prog_x", 10);
		assert_int_equal(copy.mmap.is_unmapped, is_unmapped);
		assert_int_equal(copy.mmap.function_kind, DECODED_KSYMBOL_BPF);
	}
}

UNIT_TEST(encode_record_without_sample_id_all_has_no_trailer)
{
	struct decode_format format = LEADER;
	struct decoded record = make(PERF_RECORD_SWITCH);

	format.sample_id_all = false;

	assert_int_equal(encode_record(bytes, &record, &format), 8);
	assert_int_equal(encode_record(bytes, &record, &LEADER), 8 + 4 * 8);
}

UNIT_TEST(encode_record_other_types_and_fields_are_refused)
{
	struct decode_format format = LEADER;
	struct decoded record = make(PERF_RECORD_AUX);

	assert_int_equal(encode_record(bytes, &record, &LEADER), 0);
	record.type = PERF_RECORD_SAMPLE;
	format.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	assert_int_equal(encode_record(bytes, &record, &format), 0);
}

UNIT_TEST(encode_record_size_ends_at_what_a_header_can_say)
{
	static char raw[ENCODE_SIZE_MAX];
	static const size_t ROOM = ENCODE_SIZE_MAX - 8 - 4; /* header and raw's own size */
	struct decode_format format = {.sample_type = PERF_SAMPLE_RAW};
	struct decoded record = {.type = PERF_RECORD_SAMPLE};

	record.sample.raw = (struct decoded_bytes){raw, ROOM};
	assert_int_equal(encode_record(bytes, &record, &format), ENCODE_SIZE_MAX);
	record.sample.raw.size = ROOM + 1;
	assert_int_equal(encode_record(bytes, &record, &format), 0);
	record.sample.raw.size = SIZE_MAX;
	assert_int_equal(encode_record(bytes, &record, &format), 0);
}

UNIT_MAIN(NULL, NULL)
