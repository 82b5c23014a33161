/* The reader and the records: those of the kernel, and perf's own. */

#include "perfdata_kit.h"
#include "unit.h"

/* A count that reaches beyond the record must not be followed. */
UNIT_TEST(next_record_that_lies_is_broken)
{
	struct kit_event event = KIT_PLAIN;

	event.sample_type |= PERF_SAMPLE_CALLCHAIN;
	kit_begin(&kit, &event, 1);
	kit_record(&kit, PERF_RECORD_SAMPLE, 2);
	kit_u64s(&kit, 7, 1, UINT64_MAX / 8 + 2);
	kit_record(&kit, PERF_RECORD_COMM, 0); /* too short for its trailer */
	kit_read();
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->broken, 2);
}

UNIT_TEST(next_record_of_a_younger_kernel_is_unknown)
{
	kit_plain(0);
	kit_record(&kit, 60, 0);
	kit_u64s(&kit, 1, 2, 3, 4);
	kit_sample(&kit, 7, 5);
	kit_read();
	assert_int_equal(kit_next().time_ns, 5);
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->unknown, 1);
}

/* ---- perf's own */

static void put_words(size_t count)
{
	while (count-- > 0)
		kit_u64(&kit, UINT64_C(0x0102030405060700) + kit.size);
}

static void put_user(uint32_t type, size_t words)
{
	kit_record(&kit, type, 0);
	put_words(words);
	kit_end_record(&kit);
}

UNIT_TEST(next_user_records_of_no_use_are_skipped)
{
	static const uint32_t types[] = {65, 69, 70, 72, 73, 74, 75, 76, 77, 79, 82};
	size_t count = COUNT_OF(types);

	kit_plain(0);
	for (size_t i = 0; i < count; i++) {
		put_user(types[i], i);
		kit_sample(&kit, 7, i + 1);
	}
	put_user(99, 3);
	put_user(4000000000U, 0);
	kit_read();
	for (size_t i = 0; i < count; i++)
		assert_int_equal(kit_next().time_ns, i + 1);
	kit_expect_end();
	assert_true(perfdata_counts(file)->has_stat);
	assert_string_equal(perfdata_counts(file)->trace, "an unknown PMU");
	assert_int_equal(perfdata_counts(file)->unknown, 2);
	assert_int_equal(perfdata_counts(file)->records, count);
}

UNIT_TEST(next_finished_round_is_told)
{
	struct perfdata_record record;

	kit_plain(1);
	put_user(68, 0);
	kit_sample(&kit, 7, 2);
	kit_read();
	kit_next();
	assert_int_equal(perfdata_next(file, &record), PERFDATA_ROUND);
	assert_int_equal(kit_next().time_ns, 2);
	kit_expect_end();
}

UNIT_TEST(next_record_behind_one_of_perf_itself_has_news)
{
	struct perfdata_record record;

	kit_plain(2);
	put_user(68, 0);
	kit_record(&kit, PERF_RECORD_SAMPLE, 2);
	kit_sample(&kit, 7, 3);
	kit_read();

	assert_true(kit_next().has_news);
	record = kit_next();
	assert_int_equal(record.time_ns, 2);
	assert_false(record.has_news);
	assert_int_equal(perfdata_next(file, &record), PERFDATA_ROUND);
	record = kit_next();
	assert_int_equal(record.time_ns, 3);
	assert_true(record.has_news);
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->broken, 1);
	assert_int_equal(perfdata_counts(file)->records, 3);
}

static void put_auxtrace(uint64_t size)
{
	kit_record(&kit, 71, 0);
	kit_u64(&kit, size);
	kit_u64s(&kit, 1, 2, 3, 4);
	kit_end_record(&kit);
}

UNIT_TEST(next_auxtrace_data_are_skipped)
{
	kit_plain(0);
	put_auxtrace(1 << 20);
	memset(kit.bytes + kit.size, 0xff, 1 << 20);
	kit.size += 1 << 20;
	kit_sample(&kit, 7, 2);
	put_auxtrace(16);
	put_words(2);
	kit_sample(&kit, 7, 3);
	kit_read();
	assert_int_equal(kit_next().time_ns, 2);
	assert_int_equal(kit_next().time_ns, 3);
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->unknown, 0);
	assert_string_equal(perfdata_counts(file)->trace, "an unknown PMU");
	assert_false(perfdata_counts(file)->has_stat);
	assert_false(perfdata_counts(file)->is_truncated);
}

UNIT_TEST(next_auxtrace_beyond_the_end_ends_it)
{
	static const uint64_t sizes[] = {25, 1 << 20, INT64_MAX, UINT64_MAX - 4};

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		kit_plain(0);
		put_auxtrace(sizes[i]);
		kit_sample(&kit, 7, 2);
		kit_read();
		kit_expect_cut("");
		assert_true(perfdata_counts(file)->bytes <= kit.size);
	}
}

static void put_update(uint64_t type, const char *text)
{
	kit_record(&kit, 78, 0);
	kit_u64s(&kit, type, 8);
	kit_text(&kit, text);
	kit_end_record(&kit);
}

/* All that a pipe says of events comes as records. */
UNIT_TEST(next_pipe_describes_its_events)
{
	struct kit_event second = KIT_PLAIN;
	double scale = 0.25;
	uint64_t bits;

	kit_plain_pipe();
	kit_record(&kit, 64, 0);
	second.attr_size = 64;
	kit_attribute(&kit, &second);
	kit_u64s(&kit, 8, 9);
	kit_record(&kit, 80, 0);
	kit_u64(&kit, 3);
	kit_string(&kit, "host");
	put_update(2, "sched:sched_switch");
	put_update(0, "Joules");
	kit_record(&kit, 78, 0);
	kit_u64s(&kit, 1, 8);
	memcpy(&bits, &scale, sizeof(bits));
	kit_u64(&kit, bits);
	kit_sample(&kit, 9, 5);
	kit_read();
	struct perfdata_record record = kit_next();
	const struct perfdata_event *events = kit_events(2);

	assert_int_equal(record.event, 1);
	assert_string_equal(events[0].name, "cpu-clock");
	assert_string_equal(events[1].name, "sched:sched_switch");
	assert_string_equal(events[1].unit, "Joules");
	assert_true(events[1].scale == 0.25);
	assert_int_equal(events[0].id_count, 1);
	assert_int_equal(events[1].id_count, 2);
	assert_string_equal(perfdata_info(file)->host, "host");
	assert_true(perfdata_info(file)->is_pipe);
	kit_expect_end();
}

UNIT_TEST(next_pipe_keeps_its_tracing_data)
{
	kit_plain_pipe();
	kit_record(&kit, 66, 0);
	kit_u32(&kit, 13);
	kit_end_record(&kit);
	kit_bytes(&kit, "thirteen byte\0\0\0", 16);
	kit_record(&kit, 66, 0); /* a second time: perf does not do this */
	kit_u32(&kit, 24);
	kit_end_record(&kit);
	kit_bytes(&kit, "other data of 24 bytes..", 24);
	kit_sample(&kit, 7, 5);
	kit_read();
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(kit_next().time_ns, 5);
		kit_expect_end();
		assert_int_equal(perfdata_info(file)->tracing_size, 13);
		assert_memory_equal(perfdata_info(file)->tracing, "thirteen byte", 13);
		assert_true(perfdata_rewind(file));
	}
}

UNIT_TEST(next_tracing_data_in_their_record_are_kept)
{
	kit_plain_pipe();
	kit_record(&kit, 66, 0);
	kit_u32(&kit, 13);
	kit_bytes(&kit, "thirteen byte\0\0\0", 16);
	kit_end_record(&kit);
	kit_sample(&kit, 7, 5);
	kit_read();

	assert_int_equal(kit_next().time_ns, 5);
	kit_expect_end();
	assert_int_equal(perfdata_info(file)->tracing_size, 13);
	assert_memory_equal(perfdata_info(file)->tracing, "thirteen byte", 13);
}

static void put_format(const char *format)
{
	kit_u64(&kit, strlen(format));
	kit_bytes(&kit, format, strlen(format));
}

/* Formats of a group of two, behind a head that says the byte order. */
static void put_tracing_data(void)
{
	const unsigned char is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const size_t at = kit.size + 8;
	size_t end;

	kit_record(&kit, 66, 0);
	kit_u32(&kit, 0);
	kit_end_record(&kit);
	kit_bytes(&kit, "\27\10\104tracing0.6", 14);
	kit_bytes(&kit, &is_big, 1);
	kit_bytes(&kit, "\10\0\0\0\0", 5);
	kit_bytes(&kit, "header_page", 12);
	put_format("");
	kit_bytes(&kit, "header_event", 13);
	put_format("");
	kit_u32s(&kit, 0, 1);
	kit_bytes(&kit, "irq", 4);
	kit_u32(&kit, 2);
	put_format("name: irq_handler_entry\nID: 137\nformat:\n");
	put_format("name: irq_handler_exit\nID: 138\nformat:\n");
	end = kit.size;
	kit.size = at;
	kit_u32(&kit, (uint32_t)(end - at - 4));
	kit.size = end;
	kit_bytes(&kit, "\0\0\0\0\0\0\0", (8 - (end - at - 4) % 8) % 8);
}

static void put_tracepoint(uint64_t number, uint64_t id)
{
	struct kit_event event = KIT_PLAIN;

	event.type = PERF_TYPE_TRACEPOINT;
	event.config = number;
	kit_record(&kit, 64, 0);
	kit_attribute(&kit, &event);
	kit_u64(&kit, id);
	kit_end_record(&kit);
}

/* Where perf did not say the names in records of their own. */
UNIT_TEST(next_pipe_names_tracepoints_by_their_formats)
{
	const struct perfdata_event *events;

	kit_begin_pipe(&kit);
	put_tracepoint(137, 1);
	put_tracepoint(137, 8);
	put_update(2, "mine:name");
	put_tracing_data();
	put_tracepoint(138, 3);
	put_tracepoint(139, 4);
	kit_sample(&kit, 1, 5);
	kit_read();
	kit_next();
	events = kit_events(4);

	assert_string_equal(events[0].name, "irq:irq_handler_entry");
	assert_string_equal(events[1].name, "mine:name");
	assert_string_equal(events[2].name, "irq:irq_handler_exit");
	assert_string_equal(events[3].name, "tracepoint:139");
}

/* perf's features need not be filled up to 8 bytes. */
UNIT_TEST(next_record_behind_an_odd_one_is_aligned)
{
	kit_plain(0);
	kit_record(&kit, 80, 0);
	kit_u64(&kit, 200);
	kit_bytes(&kit, "odd", 3);
	kit_sample(&kit, 7, 5);
	kit_read();
	struct perfdata_record record = kit_next();

	assert_int_equal(record.time_ns, 5);
	assert_int_equal((uintptr_t)record.bytes % 8, 0);
}

UNIT_MAIN(NULL, kit_close)
