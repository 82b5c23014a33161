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

static void expect_lives(struct perfdata *file)
{
	expect(file, PERF_RECORD_MMAP, 1); /* of no use but their trailers, as some below */
	expect(file, PERF_RECORD_MMAP2, 2);

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
	expect(file, PERF_RECORD_AUX, 9);
	expect(file, PERF_RECORD_ITRACE_START, 10);

	const struct decoded *it = expect(file, PERF_RECORD_LOST_SAMPLES, 11);

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

static void expect_samples(struct perfdata *file)
{
	const struct decoded *it;

	for (uint32_t type = PERF_RECORD_NAMESPACES; type <= PERF_RECORD_AUX_OUTPUT_HW_ID; type++)
		expect(file, type, type - 2);
	it = expect(file, PERF_RECORD_SAMPLE, 20);
	assert_int_equal(it->sample.period, 4001);
	expect_reading(&it->sample.read);
	assert_int_equal(it->sample.raw.size, 12);
	assert_memory_equal(it->sample.raw.bytes, "raw\1\2\3\4\5\6\7\10\11", 12);

	it = expect(file, PERF_RECORD_SAMPLE, 21);
	assert_int_equal(it->id.id, 9);
}

UNIT_TEST(next_big_endian_records_are_turned)
{
	struct perfdata *file = *state;
	struct perfdata_record record;

	expect_lives(file);
	expect_traces_and_switches(file);
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
