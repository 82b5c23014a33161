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
#include "perfdata/reader.h"
#include "unit.h"

static const uint64_t CYCLES_ID = UINT64_C(0x0102030405060708);
static const uint64_t START_NS = (UINT64_C(1) << 32) + 1000;

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

	assert_true(info->is_swapped);
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

/* The next record, with what stands in the trailers of all of them and in the samples. */
static const struct decoded *expect(struct perfdata *file, uint32_t type, uint64_t number)
{
	struct perfdata_record record;

	assert_int_equal(perfdata_next(file, &record), PERFDATA_RECORD);

	const struct decoded *decoded = record.decoded;

	assert_int_equal(decoded->type, type);
	assert_int_equal(record.time_ns, START_NS + number);
	assert_int_equal(decoded->id.pid, 4660);
	assert_int_equal(decoded->id.tid, 4661);
	assert_int_equal(decoded->id.cpu, 3);
	assert_int_equal(decoded->id.id, record.event == 0 ? CYCLES_ID : 9);
	return decoded;
}

static void expect_reading(const struct decoded_read *read)
{
	assert_int_equal(read->count, 2);
	assert_int_equal(read->enabled_ns, 7000);
	assert_int_equal(read->running_ns, 6000);
	assert_int_equal(read->values[0], 123456);
	assert_int_equal(read->ids[0], CYCLES_ID);
	assert_int_equal(read->values[1], 654321);
	assert_int_equal(read->ids[1], 9);
}

static void expect_maps(struct perfdata *file)
{
	const struct decoded *it = expect(file, PERF_RECORD_MMAP, 1);

	assert_int_equal(it->mmap.pid, 4660);
	assert_int_equal(it->mmap.tid, 4661);
	assert_int_equal(it->mmap.address, UINT64_C(0x3ff80001000));
	assert_int_equal(it->mmap.length, 0x2000);
	assert_int_equal(it->mmap.page_offset, 0x3000);
	assert_int_equal(it->mmap.file_length, 8);
	assert_memory_equal(it->mmap.file, "/bin/cat", 8);

	it = expect(file, PERF_RECORD_MMAP2, 2);
	assert_int_equal(it->mmap.pid, 4660);
	assert_int_equal(it->mmap.address, UINT64_C(0x3ff90001000));
	assert_int_equal(it->mmap.length, 0x4000);
	assert_int_equal(it->mmap.page_offset, 0x5000);
	assert_int_equal(it->mmap.major, 8);
	assert_int_equal(it->mmap.minor, 1);
	assert_int_equal(it->mmap.inode, 77);
	assert_int_equal(it->mmap.inode_generation, 88);
	assert_int_equal(it->mmap.protection, 5);
	assert_int_equal(it->mmap.flags, 2);
	assert_memory_equal(it->mmap.file, "lib.so", 7);
}

static void expect_lives(struct perfdata *file)
{
	const struct decoded *it = expect(file, PERF_RECORD_LOST, 3);

	assert_int_equal(it->lost.id, CYCLES_ID);
	assert_int_equal(it->lost.lost, 99);

	it = expect(file, PERF_RECORD_COMM, 4);
	assert_int_equal(it->comm.pid, 4660);
	assert_int_equal(it->comm.tid, 4661);
	assert_true(it->comm.exec);
	assert_int_equal(it->comm.name_length, 9);
	assert_memory_equal(it->comm.name, "s390 main", 9);

	for (uint64_t number = 5; number <= 6; number++) {
		it = expect(file, number == 5 ? PERF_RECORD_FORK : PERF_RECORD_EXIT, number);
		assert_int_equal(it->fork.pid, 4662);
		assert_int_equal(it->fork.parent_pid, 4660);
		assert_int_equal(it->fork.tid, 4663);
		assert_int_equal(it->fork.parent_tid, 4661);
		assert_int_equal(it->fork.time_ns, START_NS + number);
	}

	it = expect(file, PERF_RECORD_THROTTLE, 7);
	assert_int_equal(it->throttle.time_ns, START_NS + 7);
	assert_int_equal(it->throttle.id, CYCLES_ID);
	assert_int_equal(it->throttle.stream_id, 11);

	it = expect(file, PERF_RECORD_READ, 8);
	assert_int_equal(it->counts.pid, 4660);
	assert_int_equal(it->counts.tid, 4661);
	expect_reading(&it->counts.read);
}

static void expect_traces_and_switches(struct perfdata *file)
{
	const struct decoded *it = expect(file, PERF_RECORD_AUX, 9);

	assert_int_equal(it->aux.offset, 0x6000);
	assert_int_equal(it->aux.size, 0x7000);
	assert_int_equal(it->aux.flags, PERF_AUX_FLAG_TRUNCATED);
	it = expect(file, PERF_RECORD_ITRACE_START, 10);
	assert_int_equal(it->itrace_start.pid, 4660);
	assert_int_equal(it->itrace_start.tid, 4661);
	it = expect(file, PERF_RECORD_LOST_SAMPLES, 11);
	assert_int_equal(it->lost.lost, 98);

	it = expect(file, PERF_RECORD_SWITCH, 12);
	assert_int_equal(it->id.id, 9);
	assert_true(it->ctx_switch.out);
	it = expect(file, PERF_RECORD_SWITCH_CPU_WIDE, 13);
	assert_int_equal(it->id.id, 9);
	assert_false(it->ctx_switch.out);
	assert_int_equal(it->ctx_switch.other_pid, 4664);
	assert_int_equal(it->ctx_switch.other_tid, 4665);
}

static void expect_kernel_words(struct perfdata *file)
{
	static const uint64_t place[] = {0x11, 0x22};
	const struct decoded *it = expect(file, PERF_RECORD_NAMESPACES, 14);

	assert_int_equal(it->namespaces.pid, 4660);
	assert_int_equal(it->namespaces.count, 1);
	assert_memory_equal(it->namespaces.entries, place, sizeof(place));

	it = expect(file, PERF_RECORD_KSYMBOL, 15);
	assert_int_equal(it->ksymbol.address, UINT64_C(0x3ffa0000000));
	assert_int_equal(it->ksymbol.length, 0x44);
	assert_int_equal(it->ksymbol.type, 1);
	assert_int_equal(it->ksymbol.flags, 2);
	assert_memory_equal(it->ksymbol.name, "bpf_x", 6);

	it = expect(file, PERF_RECORD_BPF_EVENT, 16);
	assert_int_equal(it->bpf.type, 1);
	assert_int_equal(it->bpf.flags, 3);
	assert_int_equal(it->bpf.id, 66);
	assert_memory_equal(it->bpf.tag, "\1\2\3\4\5\6\7\10", 8);

	it = expect(file, PERF_RECORD_CGROUP, 17);
	assert_int_equal(it->cgroup.id, 67);
	assert_memory_equal(it->cgroup.path, "/user", 6);

	it = expect(file, PERF_RECORD_TEXT_POKE, 18);
	assert_int_equal(it->text_poke.address, UINT64_C(0x3ffb0000000));
	assert_int_equal(it->text_poke.old_length, 2);
	assert_int_equal(it->text_poke.new_length, 2);
	assert_memory_equal(it->text_poke.bytes, "\xc0\x04\xc0\xf4", 4);

	it = expect(file, PERF_RECORD_AUX_OUTPUT_HW_ID, 19);
	assert_int_equal(it->aux_hw_id, 68);
}

static void expect_samples(struct perfdata *file)
{
	const struct decoded *it = expect(file, PERF_RECORD_SAMPLE, 20);
	uint64_t branch[3];

	assert_int_equal(it->sample.ip, UINT64_C(0x3ff80001234));
	assert_int_equal(it->sample.addr, UINT64_C(0x3ffc0000000));
	assert_int_equal(it->sample.period, 4001);
	expect_reading(&it->sample.read);
	assert_int_equal(it->sample.callchain_count, 2);
	assert_int_equal(it->sample.callchain[0], PERF_CONTEXT_USER);
	assert_int_equal(it->sample.callchain[1], UINT64_C(0x3ff80001234));
	assert_int_equal(it->sample.raw.size, 12);
	assert_memory_equal(it->sample.raw.bytes, "raw\1\2\3\4\5\6\7\10\11", 12);
	assert_int_equal(it->sample.branch_count, 1);
	memcpy(branch, it->sample.branches.bytes, sizeof(branch));
	assert_int_equal(branch[0], UINT64_C(0x3ff80001000));
	assert_int_equal(branch[1], UINT64_C(0x3ff80001200));
	assert_int_equal(branch[2], 1 << 1 | 5 << 4); /* predicted, 5 cycles */
	assert_int_equal(it->sample.data_src, 0x21);

	it = expect(file, PERF_RECORD_SAMPLE, 21);
	assert_int_equal(it->id.id, 9);
}

UNIT_TEST(next_big_endian_records_are_turned)
{
	struct perfdata *file = *state;
	struct perfdata_record record;

	expect_maps(file);
	expect_lives(file);
	expect_traces_and_switches(file);
	expect_kernel_words(file);
	expect_samples(file);

	assert_int_equal(perfdata_next(file, &record), PERFDATA_ROUND);
	assert_int_equal(perfdata_next(file, &record), PERFDATA_END);
	assert_false(perfdata_counts(file)->is_truncated);
	assert_int_equal(perfdata_counts(file)->records, 21);
	assert_int_equal(perfdata_counts(file)->broken, 0);
	assert_int_equal(perfdata_counts(file)->unknown, 0);
}

int main(void)
{
	return unit_run(open_it, close_it);
}
