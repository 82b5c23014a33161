/* Records as the kernel would write them: what decode_record() makes of them is what was given. */

#include <linux/perf_event.h>

#include "kernel/encode.h"

#include "decoded_fields.h"
#include "mmap2_record.h"
#include "unit.h"

static const struct decode_format LEADER = {
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_CPU | PERF_SAMPLE_READ,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
		       PERF_FORMAT_TOTAL_TIME_RUNNING,
	.sample_id_all = true,
};

static const struct decode_format EVERYTHING = {
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
		       PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
		       PERF_SAMPLE_PERIOD | PERF_SAMPLE_READ | PERF_SAMPLE_RAW,
	.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_LOST,
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

UNIT_TEST(encode_record_sample_keeps_a_groups_reading)
{
	struct decoded record = make(PERF_RECORD_SAMPLE), copy;

	record.sample.read = (struct decoded_read){
		.count = 3,
		.enabled_ns = 100,
		.running_ns = 90,
		.values = {1, 2, UINT64_MAX},
		.ids = {7, 8, 9},
	};

	copy = again(&record, &LEADER);

	assert_int_equal(copy.sample.read.count, 3);
	assert_int_equal(copy.sample.read.enabled_ns, 100);
	assert_int_equal(copy.sample.read.running_ns, 90);
	assert_memory_equal(copy.sample.read.values, record.sample.read.values, 24);
	assert_memory_equal(copy.sample.read.ids, record.sample.read.ids, 24);
}

UNIT_TEST(encode_record_sample_keeps_every_field_it_can_write)
{
	struct decoded record = make(PERF_RECORD_SAMPLE), copy;

	record.sample.period = 21;
	record.sample.read = (struct decoded_read){
		.count = 2,
		.values = {1, 2},
		.ids = {7, 8},
		.lost = {3, 4},
	};
	record.sample.raw = (struct decoded_bytes){"abcd", 4};

	copy = again(&record, &EVERYTHING);

	assert_int_equal(copy.id.stream_id, 15);
	assert_int_equal(copy.sample.period, 21);
	assert_memory_equal(copy.sample.read.lost, record.sample.read.lost, 16);
	assert_int_equal(copy.sample.raw.size, 4);
	assert_memory_equal(copy.sample.raw.bytes, "abcd", 4);
}

UNIT_TEST(encode_record_single_reading_has_its_times_before_its_id)
{
	struct decode_format format = LEADER;
	struct decoded record = make(PERF_RECORD_READ), copy;

	format.read_format &= ~(uint64_t)PERF_FORMAT_GROUP;
	record.counts.pid = 5;
	record.counts.tid = 6;
	record.counts.read = (struct decoded_read){
		.count = 1,
		.enabled_ns = 100,
		.running_ns = 90,
		.values = {42},
		.ids = {7},
	};

	copy = again(&record, &format);

	assert_int_equal(copy.counts.pid, 5);
	assert_int_equal(copy.counts.tid, 6);
	assert_int_equal(copy.counts.read.values[0], 42);
	assert_int_equal(copy.counts.read.enabled_ns, 100);
	assert_int_equal(copy.counts.read.running_ns, 90);
	assert_int_equal(copy.counts.read.ids[0], 7);
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

		record.misc = PERF_RECORD_MISC_SWITCH_OUT; /* what it says does not count */
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

UNIT_TEST(encode_record_births_and_deaths_are_the_same)
{
	static const uint32_t types[] = {PERF_RECORD_FORK, PERF_RECORD_EXIT};
	static const struct field fields[] = {FIELD(fork.pid, 1),     FIELD(fork.parent_pid, 2),
					      FIELD(fork.tid, 3),     FIELD(fork.parent_tid, 4),
					      FIELD(fork.time_ns, 5), {0}};

	for (size_t i = 0; i < 2; i++) {
		struct decoded record = make(types[i]), copy;

		record.fork = (struct decoded_fork){1, 2, 3, 4, 5};
		copy = again(&record, &LEADER);
		check_fields(&copy, fields);
	}
}

/* Of a file that is known by its inode. */
static struct decoded mapping(void)
{
	struct decoded record = make(PERF_RECORD_MMAP2);

	record.mmap = (struct decoded_mmap){
		.pid = 5,
		.tid = 6,
		.address = 0x400000,
		.length = 0x1000,
		.page_offset = 0x2000,
		.is_data = true,
		.major = 8,
		.minor = 1,
		.inode = 99,
		.inode_generation = 100,
		.protection = 5,
		.flags = 2,
		.file = "/bin/true",
		.file_length = 9,
	};
	return record;
}

UNIT_TEST(encode_record_mapping_is_as_the_kernel_writes_it)
{
#define MAPPING                                                                                    \
	FIELD(mmap.pid, 5), FIELD(mmap.tid, 6), FIELD(mmap.address, 0x400000),                     \
		FIELD(mmap.length, 0x1000), FIELD(mmap.page_offset, 0x2000),                       \
		FIELD(mmap.is_data, true), FIELD(mmap.protection, 5), FIELD(mmap.flags, 2),        \
		FIELD(mmap.file_length, 9)
	static const struct field with[FIELDS_MAX] = {MAPPING, FIELD(mmap.has_build_id, true),
						      FIELD(mmap.build_id_size, 20)};
	static const struct field without[FIELDS_MAX] = {MAPPING, FIELD(mmap.has_build_id, false),
							 FIELD(mmap.inode, 99)};
#undef MAPPING
	const struct mmap2_record *map = (const struct mmap2_record *)bytes;
	struct decoded record = mapping();

	for (int with_id = 1; with_id >= 0; with_id--) {
		record.mmap.has_build_id = with_id;
		record.mmap.build_id_size = 20;
		memset(record.mmap.build_id, 0x5a, 20);
		const struct decoded copy = again(&record, &LEADER);

		check_fields(&copy, with_id ? with : without);
		assert_memory_equal(copy.mmap.file, "/bin/true", 9);
		if (with_id)
			assert_memory_equal(copy.mmap.build_id, record.mmap.build_id, 20);
	}
	assert_int_equal(map->pid, 5);
	assert_int_equal(map->tid, 6);
	assert_int_equal(map->address, 0x400000);
	assert_int_equal(map->length, 0x1000);
	assert_int_equal(map->page_offset, 0x2000);
	assert_int_equal(map->major, 8);
	assert_int_equal(map->minor, 1);
	assert_int_equal(map->inode, 99);
	assert_int_equal(map->inode_generation, 100);
	assert_int_equal(map->protection, 5);
	assert_int_equal(map->flags, 2);
	assert_string_equal(map->file, "/bin/true");
	assert_int_equal(map->header.size, 8 + 64 + 16 + 4 * 8);
}

UNIT_TEST(encode_record_losses_and_throttles_are_the_same)
{
	struct decoded record = make(PERF_RECORD_LOST), copy;

	record.lost = (struct decoded_lost){14, 1000};
	copy = again(&record, &LEADER);
	assert_int_equal(copy.lost.id, 14);
	assert_int_equal(copy.lost.lost, 1000);

	record.type = PERF_RECORD_UNTHROTTLE;
	record.throttle = (struct decoded_throttle){1, 2, 3};
	copy = again(&record, &LEADER);
	assert_int_equal(copy.throttle.time_ns, 1);
	assert_int_equal(copy.throttle.id, 2);
	assert_int_equal(copy.throttle.stream_id, 3);
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
	format.sample_type |= PERF_SAMPLE_CALLCHAIN;
	assert_int_equal(encode_record(bytes, &record, &format), 0);
}

UNIT_TEST(encode_record_more_values_than_were_kept_are_refused)
{
	struct decoded record = make(PERF_RECORD_SAMPLE);

	record.sample.read.count = DECODE_READ_MAX;
	assert_int_not_equal(encode_record(bytes, &record, &LEADER), 0);
	record.sample.read.count = DECODE_READ_MAX + 1;
	assert_int_equal(encode_record(bytes, &record, &LEADER), 0);
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
