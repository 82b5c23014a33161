/*
 * The recording of a big-endian machine in big_endian.h, field by field: nothing that writes here
 * had a hand in it.
 */

#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/mman.h>

#include "base/error.h"

#include "big_endian.h"
#include "decoded_fields.h"
#include "perfdata/reader.h"
#include "unit.h"

#define CYCLES_ID UINT64_C(0x0102030405060708)
#define START_NS  ((UINT64_C(1) << 32) + 1000)

static int open_it(void **state)
{
	char path[64];
	struct error error = {0};
	int fd = memfd_create("recording", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, BIG_ENDIAN_FILE, sizeof(BIG_ENDIAN_FILE)),
			 sizeof(BIG_ENDIAN_FILE));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*state = perfdata_open(path, &error);
	close(fd);
	assert_string_equal(error.text, "");
	return 0;
}

static int close_it(void **state)
{
	perfdata_close(*state);
	return 0;
}

UNIT_TEST(open_big_endian_features_are_told)
{
	const struct perfdata_info *info = perfdata_info(*state);

	assert_int_equal(info->is_swapped, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	assert_string_equal(info->host, "zseries");
	assert_string_equal(info->release, "6.1.0-z");
	assert_string_equal(info->version, "6.1.99");
	assert_string_equal(info->command, "perf record");
	assert_int_equal(info->cpus_online, 4);
	assert_int_equal(info->first_ns, START_NS + 1);
	assert_int_equal(info->last_ns, START_NS + 21);
	assert_true(info->has_wall);
	assert_int_equal(info->wall_offset_ns, INT64_C(1700000000000000000) - (int64_t)START_NS);
}

UNIT_TEST(open_big_endian_attributes_are_events)
{
	size_t count;
	const struct perfdata_event *events = perfdata_events(*state, &count);

	assert_int_equal(count, 2);
	assert_string_equal(events[0].name, "cycles");
	assert_int_equal(events[0].type, PERF_TYPE_HARDWARE);
	assert_int_equal(events[0].config, PERF_COUNT_HW_CPU_CYCLES);
	assert_int_equal(events[0].period, 4000);
	assert_true(events[0].is_frequency);
	assert_false(events[0].reports_switches);
	assert_int_equal(events[0].format.sample_type, 0x18dbf);
	assert_int_equal(events[0].format.read_format, 15);
	assert_int_equal(events[0].format.branch_sample_type, 8);
	assert_true(events[0].format.sample_id_all);
	assert_int_equal(events[0].id_count, 1);
	assert_int_equal(events[0].ids[0], CYCLES_ID);

	assert_string_equal(events[1].name, "dummy:u");
	assert_int_equal(events[1].type, PERF_TYPE_SOFTWARE);
	assert_int_equal(events[1].config, PERF_COUNT_SW_DUMMY);
	assert_true(events[1].reports_switches);
	assert_false(events[1].is_frequency);
	assert_int_equal(events[1].id_count, 1);
	assert_int_equal(events[1].ids[0], 9);
}

/* clang-format off */
#define READING(read) FIELD(read.count, 2), FIELD(read.enabled_ns, 7000), FIELD(read.running_ns, 6000), \
	FIELD(read.values[0], 123456), FIELD(read.ids[0], CYCLES_ID), FIELD(read.values[1], 654321), FIELD(read.ids[1], 9)
#define TEXT(member, words) .text = {offsetof(struct decoded, member), words, sizeof(words) - 1}
#define NONE .text = {0}
#define BIRTH(time) {FIELD(fork.pid, 4662), FIELD(fork.parent_pid, 4660), FIELD(fork.tid, 4663), \
	FIELD(fork.parent_tid, 4661), FIELD(fork.time_ns, START_NS + (time))}

/* One after the other: the times count up, and the ids of the trailers are the same. */
static const struct record_case {
	uint32_t type;
	struct field fields[FIELDS_MAX];
	struct text {
		size_t at; /* of the pointer */
		const char *text; /* NULL: none */
		size_t size;
	} text;
} RECORDS[] = {
	{PERF_RECORD_MMAP,
	 {FIELD(mmap.pid, 4660), FIELD(mmap.tid, 4661), FIELD(mmap.address, UINT64_C(0x3ff80001000)),
	  FIELD(mmap.length, 0x2000), FIELD(mmap.page_offset, 0x3000), FIELD(mmap.file_length, 8)},
	 TEXT(mmap.file, "/bin/cat")},
	{PERF_RECORD_MMAP2,
	 {FIELD(mmap.pid, 4660), FIELD(mmap.address, UINT64_C(0x3ff90001000)), FIELD(mmap.length, 0x4000),
	  FIELD(mmap.page_offset, 0x5000), FIELD(mmap.major, 8), FIELD(mmap.minor, 1), FIELD(mmap.inode, 77),
	  FIELD(mmap.inode_generation, 88), FIELD(mmap.protection, 5), FIELD(mmap.flags, 2)},
	 TEXT(mmap.file, "lib.so\0")},
	{PERF_RECORD_LOST, {FIELD(lost.id, CYCLES_ID), FIELD(lost.lost, 99)}, NONE},
	{PERF_RECORD_COMM,
	 {FIELD(comm.pid, 4660), FIELD(comm.tid, 4661), FIELD(comm.exec, true), FIELD(comm.name_length, 9)},
	 TEXT(comm.name, "s390 main")},
	{PERF_RECORD_FORK, BIRTH(5), NONE},
	{PERF_RECORD_EXIT, BIRTH(6), NONE},
	{PERF_RECORD_THROTTLE,
	 {FIELD(throttle.time_ns, START_NS + 7), FIELD(throttle.id, CYCLES_ID), FIELD(throttle.stream_id, 11)}, NONE},
	{PERF_RECORD_READ, {FIELD(counts.pid, 4660), FIELD(counts.tid, 4661), READING(counts.read)}, NONE},
	{PERF_RECORD_AUX, {{0}}, NONE},
	{PERF_RECORD_ITRACE_START, {{0}}, NONE},
	{PERF_RECORD_LOST_SAMPLES, {FIELD(lost.lost, 98)}, NONE},
	{PERF_RECORD_SWITCH, {FIELD(id.id, 9), FIELD(ctx_switch.out, true)}, NONE},
	{PERF_RECORD_SWITCH_CPU_WIDE,
	 {FIELD(id.id, 9), FIELD(ctx_switch.out, false), FIELD(ctx_switch.other_pid, 4664),
	  FIELD(ctx_switch.other_tid, 4665)}, NONE},
	{PERF_RECORD_NAMESPACES, {{0}}, NONE},
	{PERF_RECORD_KSYMBOL, {{0}}, NONE},
	{PERF_RECORD_BPF_EVENT, {{0}}, NONE},
	{PERF_RECORD_CGROUP, {FIELD(cgroup.id, 67)}, TEXT(cgroup.path, "/user")},
	{PERF_RECORD_TEXT_POKE, {{0}}, NONE},
	{PERF_RECORD_AUX_OUTPUT_HW_ID, {{0}}, NONE},
	{PERF_RECORD_SAMPLE,
	 {FIELD(sample.ip, UINT64_C(0x3ff80001234)), FIELD(sample.addr, UINT64_C(0x3ffc0000000)),
	  FIELD(sample.period, 4001), FIELD(sample.data_src, 0x21), FIELD(sample.callchain_count, 2),
	  FIELD(sample.raw.size, 12), FIELD(sample.branch_count, 1), READING(sample.read)},
	 TEXT(sample.raw.bytes, "raw\1\2\3\4\5\6\7\10\11")},
	{PERF_RECORD_SAMPLE, {FIELD(id.id, 9)}, NONE},
};
/* clang-format on */

static void check_lists_of_sample(const struct decoded_sample *sample)
{
	static const uint64_t chain[] = {PERF_CONTEXT_USER, UINT64_C(0x3ff80001234)};
	static const struct perf_branch_entry branch = {
		.from = UINT64_C(0x3ff80001000),
		.to = UINT64_C(0x3ff80001200),
		.predicted = 1,
		.cycles = 5,
	};

	assert_memory_equal(sample->callchain, chain, sizeof(chain));
	assert_memory_equal(sample->branches.bytes, &branch, sizeof(branch));
}

UNIT_TEST(next_big_endian_records_are_swapped)
{
	struct perfdata *file = *state;
	struct perfdata_record record;

	for (size_t i = 0; i < COUNT_OF(RECORDS); i++) {
		const struct record_case *c = &RECORDS[i];

		assert_int_equal(perfdata_next(file, &record), PERFDATA_RECORD);
		assert_int_equal(record.decoded->type, c->type);
		assert_int_equal(record.time_ns, START_NS + i + 1);
		assert_int_equal(record.decoded->id.pid, 4660);
		assert_int_equal(record.decoded->id.tid, 4661);
		assert_int_equal(record.decoded->id.cpu, 3);
		assert_int_equal(record.decoded->id.id, record.event == 0 ? CYCLES_ID : 9);
		check_fields(record.decoded, c->fields);
		if (c->text.text)
			assert_memory_equal(field_text(record.decoded, c->text.at), c->text.text,
					    c->text.size);
		if (c->type == PERF_RECORD_SAMPLE && record.event == 0)
			check_lists_of_sample(&record.decoded->sample);
	}
	assert_int_equal(perfdata_next(file, &record), PERFDATA_ROUND);
	assert_int_equal(perfdata_next(file, &record), PERFDATA_END);
	assert_false(perfdata_counts(file)->is_truncated);
	assert_int_equal(perfdata_counts(file)->records, 21);
	assert_int_equal(perfdata_counts(file)->broken, 0);
	assert_int_equal(perfdata_counts(file)->unknown, 0);
}

UNIT_MAIN(open_it, close_it)
