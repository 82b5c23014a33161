/*
 * The reader against recordings that are written here: what a file says besides its records, its
 * end wherever it comes, sizes that lie, and pipes.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "perfdata/inlet.h"
#include "perfdata_kit.h"
#include "unit.h"

/* ---- events */

UNIT_TEST(open_attributes_are_events)
{
	struct kit_event event = KIT_PLAIN;

	event.flags |=
		KIT_INHERIT | KIT_DISABLED | KIT_FREQ | KIT_TASK | KIT_SWITCH | KIT_USE_CLOCK;
	event.period = 4000;
	event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	event.user_regs = 0xff0fff;
	event.intr_regs = 0x3;
	event.branch_type = 0x8;
	event.clock = 1;
	kit_begin(&kit, &event, 1);
	kit_read();
	const struct perfdata_event *events = kit_events(1);

	assert_int_equal(events[0].type, PERF_TYPE_SOFTWARE);
	assert_int_equal(events[0].config, PERF_COUNT_SW_CPU_CLOCK);
	assert_int_equal(events[0].config1, 0x11);
	assert_int_equal(events[0].period, 4000);
	assert_int_equal(events[0].format.sample_type, event.sample_type);
	assert_int_equal(events[0].format.read_format, event.read_format);
	assert_int_equal(events[0].format.user_regs, 0xff0fff);
	assert_int_equal(events[0].format.intr_regs, 3);
	assert_int_equal(events[0].format.branch_sample_type, 8);
	assert_true(events[0].format.sample_id_all);
	assert_true(events[0].is_frequency);
	assert_true(events[0].reports_switches);
	assert_false(events[0].exclude_user || events[0].exclude_kernel);
	assert_int_equal(events[0].id_count, 1);
	assert_int_equal(events[0].ids[0], 7);
	assert_int_equal(events[0].leader, 0);
}

/* What an older one lacks is zero, what a younger one has more is left alone. */
UNIT_TEST(open_attributes_of_other_sizes_are_events)
{
	static const uint32_t sizes[] = {64, 264};
	struct kit_event event = KIT_PLAIN;

	for (size_t i = 0; i < COUNT_OF(sizes); i++) {
		event.attr_size = sizes[i];
		kit_begin(&kit, &event, 1);
		kit_sample(&kit, 7, 100);
		kit_read();
		assert_int_equal(kit_events(1)->config1, 0x11);
		assert_int_equal(kit_events(1)->format.user_regs, 0);
		assert_int_equal(kit_events(1)->ids[0], 7);
		assert_int_equal(kit_next().time_ns, 100);
	}
}

UNIT_TEST(events_without_names_get_them_from_type_and_config)
{
	static const struct {
		uint32_t type;
		uint64_t config;
		const char *name;
	} all[] = {
		{PERF_TYPE_HARDWARE, 1, "instructions"},
		{PERF_TYPE_HARDWARE, (UINT64_C(4) << 32) | 1, "instructions"},
		{PERF_TYPE_SOFTWARE, 3, "context-switches"},
		{PERF_TYPE_HW_CACHE, 0x10000, "L1-dcache-load-misses"},
		{PERF_TYPE_RAW, 0x1c2, "r1c2"},
		{PERF_TYPE_TRACEPOINT, 316, "tracepoint:316"},
		{PERF_TYPE_BREAKPOINT, 0, "mem:0x11"},
		{9, 0x0, "pmu9/config=0x0/"},
	};
	struct kit_event events[KIT_EVENTS];

	for (size_t i = 0; i < KIT_EVENTS; i++) {
		events[i] = KIT_PLAIN;
		events[i].type = all[i].type;
		events[i].config = all[i].config;
	}
	kit_begin(&kit, events, KIT_EVENTS);
	kit_read();
	const struct perfdata_event *found = kit_events(KIT_EVENTS);

	for (size_t i = 0; i < KIT_EVENTS; i++)
		assert_string_equal(found[i].name, all[i].name);
}

/* ---- features */

static void put_text_feature(unsigned feature, const char *text)
{
	kit_feature(&kit, feature);
	kit_string(&kit, text);
}

static void put_description(const struct kit_event *event, const char *name)
{
	kit_attribute(&kit, event);
	kit_u32(&kit, (uint32_t)event->id_count);
	kit_string(&kit, name);
	for (size_t i = 0; i < event->id_count; i++)
		kit_u64(&kit, event->ids[i]);
}

static void make_featured(void)
{
	struct kit_event events[3] = {KIT_PLAIN, KIT_PLAIN, KIT_PLAIN};
	uint64_t bits = 1 << 1 | 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 | 1 << 8 | 1 << 9 |
			1 << 11 | 1 << 12 | 1 << 17 | 1 << 21 | 1 << 29;

	events[1].ids[0] = 8;
	events[2].ids[0] = 9;
	kit_begin(&kit, events, 3);
	kit_sample(&kit, 8, 100);
	kit_end_data(&kit);
	kit_announce(&kit, bits);
	kit_feature(&kit, 1);
	kit_bytes(&kit, "\x17\x08\x44tracing", 10);
	put_text_feature(3, "host");
	put_text_feature(4, "6.1.0");
	put_text_feature(5, "6.1.192");
	put_text_feature(6, "s390x");
	kit_feature(&kit, 7);
	kit_u32(&kit, 8); /* perf writes what is available first */
	kit_u32(&kit, 6);
	put_text_feature(8, "a CPU");
	put_text_feature(9, "GenuineIntel,6,85,7");
	kit_feature(&kit, 11);
	kit_u32(&kit, 3);
	kit_string(&kit, "perf");
	kit_string(&kit, "record");
	kit_string(&kit, "-a");
	kit_feature(&kit, 12);
	kit_u32s(&kit, 3, sizeof(struct perf_event_attr));
	/* Not in the order of the attributes. */
	put_description(&events[1], "second");
	put_description(&events[0], "first");
	put_description(&events[2], "third:u");
	kit_feature(&kit, 17);
	kit_u32(&kit, 1);
	kit_string(&kit, "anon group");
	kit_u32s(&kit, 1, 2);
	kit_feature(&kit, 21);
	kit_u64s(&kit, 100, 900);
	kit_feature(&kit, 29);
	kit_u32s(&kit, 1, 1);
	kit_u64s(&kit, 5000, 6000);
	kit_end(&kit);
}

UNIT_TEST(open_features_tell_of_the_machine)
{
	make_featured();
	kit_read();
	const struct perfdata_info *info = perfdata_info(file);

	assert_string_equal(info->host, "host");
	assert_string_equal(info->release, "6.1.0");
	assert_string_equal(info->version, "6.1.192");
	assert_string_equal(info->cpu_id, "GenuineIntel,6,85,7");
	assert_string_equal(info->command, "perf record -a");
	assert_int_equal(info->cpus_online, 6);
	assert_int_equal(info->first_ns, 100);
	assert_int_equal(info->last_ns, 900);
	assert_true(info->has_wall);
	assert_int_equal(info->wall_offset_ns, -1000);
	assert_int_equal(info->tracing_size, 10);
	assert_memory_equal(info->tracing, "\x17\x08\x44tracing", 10);
	assert_false(perfdata_counts(file)->is_truncated);
}

UNIT_TEST(open_descriptions_name_events_and_groups_have_leaders)
{
	static const char *const names[] = {"first", "second", "third:u"};
	static const size_t leaders[] = {0, 1, 1};

	make_featured();
	kit_read();
	for (size_t i = 0; i < COUNT_OF(names); i++) {
		assert_string_equal(kit_events(3)[i].name, names[i]);
		assert_int_equal(kit_events(3)[i].leader, leaders[i]);
	}
	/* features are no records */
	assert_int_equal(kit_next().time_ns, 100);
	kit_expect_whole();
	assert_int_equal(perfdata_counts(file)->broken + perfdata_counts(file)->unknown, 0);
	assert_int_equal(perfdata_counts(file)->bytes, kit.data_at + kit.data_size);
}

/* Two cores of two threads each, of which one is offline, in one package. */
static void make_topology(uint32_t available, const char *siblings, size_t pairs)
{
	static const uint32_t places[][2] = {{4, 0}, {9, 0}, {4, 0}, {UINT32_MAX, UINT32_MAX}};
	struct kit_event event = KIT_PLAIN;

	kit_begin(&kit, &event, 1);
	kit_sample(&kit, 7, 100);
	kit_end_data(&kit);
	kit_announce(&kit, 1 << 3 | 1 << 7 | 1 << 13);
	put_text_feature(3, "host");
	kit_feature(&kit, 7);
	kit_u32s(&kit, available, 3);
	kit_feature(&kit, 13);
	kit_u32(&kit, 1);
	kit_string(&kit, "0-2");
	kit_u32(&kit, 2);
	kit_string(&kit, siblings);
	kit_string(&kit, "1");
	for (size_t i = 0; i < pairs; i++)
		kit_u32s(&kit, places[i][0], places[i][1]);
	/* dies, as newer ones say */
	kit_u32(&kit, 1);
	kit_string(&kit, "0-2");
	kit_end(&kit);
}

UNIT_TEST(open_topology_says_which_cpus_share_a_core)
{
	static const struct cpu_location places[] = {
		{.cpu = 0, .socket = 0, .core = 4, .thread = 0, .node = -1},
		{.cpu = 1, .socket = 0, .core = 9, .thread = 0, .node = -1},
		{.cpu = 2, .socket = 0, .core = 4, .thread = 1, .node = -1},
	};
	const struct topology *topology;

	make_topology(4, "0,2", 4);
	kit_read();
	topology = &perfdata_info(file)->topology;
	assert_int_equal(topology->count, COUNT_OF(places));
	for (size_t i = 0; i < COUNT_OF(places); i++)
		assert_memory_equal(&topology->cpus[i], &places[i], sizeof(places[i]));
	assert_true(topology_has_siblings(topology));
	assert_false(perfdata_counts(file)->is_truncated);
}

UNIT_TEST(open_topology_that_makes_no_sense_is_taken_as_far_as_it_does)
{
	static const struct {
		uint32_t available;
		const char *siblings;
		size_t pairs, count;
		bool has_siblings;
	} cases[] = {
		{UINT32_MAX, "0,2", 4, 0, false}, {0, "0,2", 4, 0, false},
		{2, "0,2", 2, 2, false},     /* one that is not there */
		{4, "0,99999", 4, 1, false}, /* nor is this, and 2 has no core */
		{4, "nonsense", 4, 1, false},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].siblings);
		make_topology(cases[i].available, cases[i].siblings, cases[i].pairs);
		kit_read();
		assert_int_equal(perfdata_info(file)->topology.count, cases[i].count);
		assert_int_equal(topology_has_siblings(&perfdata_info(file)->topology),
				 cases[i].has_siblings);
	}
}

UNIT_TEST(open_group_beyond_the_events_or_of_those_of_another_is_none)
{
	static const struct {
		uint32_t count, groups[4][2];
		size_t leaders[3];
	} cases[] = {
		{2, {{1, 2}, {5, UINT32_MAX}}, {0, 1, 1}},
		{4, {{1, 2}, {1, 1}, {2, 1}, {0, 3}}, {0, 1, 1}},
	};
	const struct kit_event events[] = {KIT_PLAIN, KIT_PLAIN, KIT_PLAIN};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		kit_begin(&kit, events, 3);
		kit_sample(&kit, 7, 1);
		kit_end_data(&kit);
		kit_announce(&kit, 1 << 17);
		kit_feature(&kit, 17);
		kit_u32(&kit, cases[i].count);
		for (size_t k = 0; k < cases[i].count; k++) {
			kit_string(&kit, "g");
			kit_u32s(&kit, cases[i].groups[k][0], cases[i].groups[k][1]);
		}
		kit_read();
		for (size_t k = 0; k < 3; k++)
			assert_int_equal(kit_events(3)[k].leader, cases[i].leaders[k]);
	}
}

/* Counts reach beyond what follows them, as far as a number can. */
UNIT_TEST(open_features_that_lie_end_where_the_bytes_end)
{
	static const unsigned counted[] = {11, 12, 17};
	kit_plain(1);
	kit_end_data(&kit);
	kit_announce(&kit, 1 << 11 | 1 << 12 | 1 << 17);
	for (size_t i = 0; i < 3; i++) {
		kit_feature(&kit, counted[i]);
		kit_u32s(&kit, UINT32_MAX, 0);
	}
	kit_read();
	kit_next();
	kit_expect_end();
}

/* ---- which event a record is of */

UNIT_TEST(next_record_belongs_to_the_event_of_its_id)
{
	struct kit_event events[2] = {KIT_PLAIN, KIT_PLAIN};

	events[1].sample_type |= PERF_SAMPLE_CPU;
	events[1].ids[0] = 8;
	events[1].ids[1] = 9;
	events[1].id_count = 2;
	kit_begin(&kit, events, 2);
	kit_record(&kit, PERF_RECORD_SAMPLE, 2);
	kit_u64s(&kit, 9, 50);
	kit_u32s(&kit, 3, 0);
	kit_sample(&kit, 7, 60);
	kit_read();
	struct perfdata_record record = kit_next();

	assert_int_equal(record.event, 1);
	assert_int_equal(record.time_ns, 50);
	assert_int_equal(record.decoded->id.cpu, 3);
	assert_int_equal(kit_next().event, 0);
	kit_expect_end();
}

UNIT_TEST(next_sample_of_an_unknown_id_is_broken_unless_one_event_has_its_form)
{
	struct kit_event events[2] = {KIT_PLAIN, KIT_PLAIN};

	events[1].ids[0] = 8;
	kit_begin(&kit, events, 2);
	kit_sample(&kit, 99, 1);
	kit_sample(&kit, 8, 2);
	kit_read();
	assert_int_equal(kit_next().time_ns, 2);
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->broken, 1);
	assert_int_equal(perfdata_counts(file)->records, 1);

	events[0].sample_type |= PERF_SAMPLE_ADDR;
	kit_begin(&kit, events, 2);
	kit_sample(&kit, 99, 5);
	kit_read();
	assert_int_equal(kit_next().event, 1);
}

/* The kernel may give it the id of an event of another process; its reading says which one it is.
 */
UNIT_TEST(next_sample_of_an_unknown_id_belongs_to_its_group)
{
	struct kit_event events[3] = {KIT_PLAIN, KIT_PLAIN, KIT_PLAIN};

	for (size_t i = 1; i < 3; i++) {
		events[i].sample_type |= PERF_SAMPLE_READ;
		events[i].read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
		events[i].ids[0] = 7 + i;
	}
	kit_begin(&kit, events, 3);
	kit_record(&kit, PERF_RECORD_SAMPLE, 2);
	kit_u64s(&kit, 99, 1, 2, 1000, 9, 1001, 8);
	kit_read();
	assert_int_equal(kit_next().event, 2);
	assert_int_equal(perfdata_counts(file)->broken, 0);
}

/* What perf writes itself of tasks that ran already has ids of 0. */
UNIT_TEST(next_record_without_id_belongs_to_the_first_event)
{
	struct kit_event events[2] = {KIT_PLAIN, KIT_PLAIN};

	events[1].ids[0] = 8;
	kit_begin(&kit, events, 2);
	kit_record(&kit, PERF_RECORD_COMM, 0);
	kit_u32s(&kit, 5, 6);
	kit_text(&kit, "name");
	kit_u64s(&kit, 0, 0);
	kit_sample(&kit, 0, 5);
	kit_read();
	struct perfdata_record record = kit_next();

	assert_int_equal(record.event, 0);
	assert_int_equal(record.time_ns, 0);
	assert_int_equal(record.decoded->comm.tid, 6);
	assert_int_equal(kit_next().event, 0);
	assert_int_equal(perfdata_counts(file)->broken, 0);
}

/* ---- ends */

UNIT_TEST(next_every_prefix_gives_what_there_is)
{
	make_featured();
	for (size_t size = 0; size < kit.size; size++) {
		struct error error = {0};
		struct perfdata_record record;
		size_t records = 0;

		if (!kit_read_some(size, &error)) {
			assert_true(size < kit.data_at);
			assert_true(error.text[0] != '\0');
			continue;
		}
		while (perfdata_next(file, &record) == PERFDATA_RECORD)
			records++;
		assert_int_equal(records, size >= kit.data_at + kit.data_size ? 1 : 0);
		assert_true(perfdata_counts(file)->is_truncated);
		assert_true(perfdata_counts(file)->why[0] != '\0');
	}
}

/* What is said first is that names are missing; where the records end early that is said. */
UNIT_TEST(next_file_that_ends_early_says_where)
{
	struct error error;

	kit_plain(2);
	kit_end(&kit);
	for (size_t lack = 1; lack <= 24; lack++) {
		assert_true(kit_read_some(kit.size - lack, &error));
		kit_next();
		kit_expect_cut(lack < 24 ? "within a record" : "ends early");
	}
}

/* perf record writes the size of the data last. The features named in the header are not there. */
UNIT_TEST(next_recording_that_was_killed_is_read_to_its_end)
{
	kit_plain(0);
	kit.features = 1 << 3 | 1 << 4;
	for (uint64_t i = 1; i <= 5; i++)
		kit_sample(&kit, 7, i);
	size_t size = kit.size;

	kit.size = KIT_HEADER;
	kit.data_size = size - kit.data_at;
	kit.features = 0;
	kit_header(&kit, 0);
	kit.size = 72;
	kit_u64(&kit, 1 << 3 | 1 << 4);
	kit.size = size;
	kit_read_as_it_is();
	for (uint64_t i = 1; i <= 5; i++)
		assert_int_equal(kit_next().time_ns, i);
	kit_expect_cut("recording is incomplete");
	assert_string_equal(perfdata_info(file)->host, "");
}

UNIT_TEST(next_complete_recording_without_records_is_complete)
{
	kit_plain(0);
	kit_announce(&kit, 1 << 3);
	put_text_feature(3, "host");
	kit_header(&kit, 0);
	kit_read_as_it_is();
	kit_expect_whole();
	assert_int_equal(perfdata_counts(file)->broken + perfdata_counts(file)->unknown, 0);
	assert_string_equal(perfdata_info(file)->host, "host");
}

UNIT_TEST(next_record_of_no_size_ends_the_reading)
{
	kit_plain(1);
	kit_u64(&kit, 0);
	kit_sample(&kit, 7, 2);
	kit_read();
	kit_next();
	kit_expect_cut("impossible size");
}

/* The header is as long as ever; the records lie where it says. */
UNIT_TEST(next_records_beyond_4_gib_of_a_file_are_read)
{
	enum {
		DATA_OFFSET = 40 /* of that number in the header */
	};
	const uint64_t far = UINT64_C(5) << 30;
	struct error error = {0};
	char path[64];
	int fd = memfd_create("large", MFD_CLOEXEC);

	kit_plain(1);
	kit_sample(&kit, 7, 2);
	kit_end(&kit);
	memcpy(kit.bytes + DATA_OFFSET, &far, sizeof(far));
	assert_int_equal(write(fd, kit.bytes, kit.data_at), kit.data_at);
	assert_int_equal(pwrite(fd, kit.bytes + kit.data_at, kit.data_size, (off_t)far),
			 kit.data_size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = perfdata_open(path, &error);
	close(fd);

	assert_non_null(file);
	assert_int_equal(kit_next().time_ns, 1);
	assert_int_equal(kit_next().time_ns, 2);
	kit_expect_end();
}

UNIT_TEST(next_broken_record_is_counted_and_passed)
{
	kit_plain(0);
	kit_record(&kit, PERF_RECORD_SAMPLE, 2);
	kit_u64(&kit, 7); /* and no time */
	kit_sample(&kit, 7, 2);
	kit_read();
	assert_int_equal(kit_next().time_ns, 2);
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->broken, 1);
	assert_false(perfdata_counts(file)->is_truncated);
}

/* Records of all sizes, over many fillings of the buffer, all aligned. */
UNIT_TEST(next_long_file_is_read_in_portions)
{
	struct kit_event event = KIT_PLAIN;
	uint64_t count = 0;

	event.sample_type |= PERF_SAMPLE_RAW;
	kit_begin(&kit, &event, 1);
	for (uint32_t raw = 4; kit.size + 70000 < KIT_MAX;
	     raw = (raw * 5 + 8) % 65000 / 8 * 8 + 4) {
		kit_record(&kit, PERF_RECORD_SAMPLE, 2);
		kit_u64s(&kit, 7, ++count);
		kit_u32(&kit, raw);
		kit.size += raw;
		kit_end_record(&kit);
	}
	kit_read();
	for (uint64_t i = 1; i <= count; i++) {
		struct perfdata_record record = kit_next();

		assert_int_equal(record.time_ns, i);
		assert_int_equal((uintptr_t)record.bytes % 8, 0);
	}
	kit_expect_end();
	assert_int_equal(perfdata_counts(file)->bytes, kit.size);
	assert_int_equal(perfdata_counts(file)->records, count);
	assert_false(perfdata_counts(file)->is_truncated);
}

/* ---- sizes that lie */

static void expect_refused(const char *words)
{
	struct error error = {0};

	assert_false(kit_read_some(kit.size, &error));
	assert_non_null(strstr(error.text, words));
}

static void set_word(size_t offset, uint64_t value)
{
	size_t size = kit.size;

	kit.size = offset;
	kit_u64(&kit, value);
	kit.size = size;
}

static void make_plain(void)
{
	kit_plain(1);
	kit_end(&kit);
}

UNIT_TEST(open_header_that_lies_is_refused)
{
	static const uint64_t values[] = {0, 1, 15, 79, 1 << 20, UINT32_MAX, INT64_MAX, UINT64_MAX};

	for (size_t i = 0; i < COUNT_OF(values); i++) {
		make_plain();
		set_word(16, values[i]); /* size of an attribute */
		expect_refused(":");
		make_plain();
		set_word(24, values[i]); /* where they lie */
		expect_refused(":");
	}
	make_plain();
	set_word(8, 80); /* neither of the sizes a header can have */
	expect_refused("contradicts itself");
	make_plain();
	set_word(32, 0);
	expect_refused("no event");
	make_plain();
	set_word(32, UINT64_MAX);
	expect_refused("ends before its first record");
}

UNIT_TEST(open_attribute_of_no_measure_is_refused)
{
	struct kit_event event = KIT_PLAIN;

	event.attr_size = 5000;
	kit_begin(&kit, &event, 1);
	kit_end(&kit);
	expect_refused("contradicts itself");
}

UNIT_TEST(open_ids_that_are_not_there_are_refused)
{
	make_plain();
	set_word(kit.data_at - 8, UINT64_C(1) << 60);
	expect_refused("ends before its first record");
	make_plain();
	set_word(kit.data_at - 16, UINT64_C(1) << 60);
	expect_refused("ends before its first record");
}

/* The same file with zeros behind it, of which many attributes and ids can be made. */
static void expect_large_refused(size_t size)
{
	struct error error = {0};
	char path[64];
	int fd = memfd_create("recording", MFD_CLOEXEC);

	kit_close(NULL);
	assert_int_equal(write(fd, kit.bytes, kit.size), kit.size);
	assert_return_code(ftruncate(fd, (off_t)size), errno);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = perfdata_open(path, &error);
	close(fd);
	assert_null(file);
	assert_non_null(strstr(error.text, "more than 65536 events, or 1048576 ids"));
}

UNIT_TEST(open_more_events_or_ids_than_are_believed_is_refused)
{
	const size_t entries = (1 << 16) + 1, ids_bytes = ((1 << 20) + 1) * sizeof(uint64_t);
	struct kit_event event = KIT_PLAIN;

	event.attr_size = 64;
	kit_begin(&kit, &event, 1);
	kit_sample(&kit, 7, 1);
	kit_end(&kit);
	set_word(24, kit.size);
	set_word(32, entries * 80);
	expect_large_refused(kit.size + entries * 80);

	make_plain();
	set_word(kit.data_at - 16, kit.size);
	set_word(kit.data_at - 8, ids_bytes);
	expect_large_refused(kit.size + ids_bytes);
}

UNIT_TEST(open_feature_that_lies_is_left_out)
{
	make_featured();
	set_word(kit.data_at + kit.data_size + 8, UINT64_C(1) << 62);
	kit_read_as_it_is();
	assert_true(perfdata_counts(file)->is_truncated);
	assert_null(perfdata_info(file)->tracing);
	assert_int_equal(kit_next().time_ns, 100);
}

UNIT_TEST(open_what_is_no_recording_is_refused)
{
	struct error error = {0};

	make_plain();
	memcpy(kit.bytes, "PERFFILE", 8);
	expect_refused("first version");
	memcpy(kit.bytes, &(uint64_t){__builtin_bswap64(UINT64_C(0x32454c4946524550))}, 8);
	expect_refused("other byte order");
	memcpy(kit.bytes, "#!/bin/sh\n", 10);
	expect_refused("not a recording");
	kit.size = 0;
	expect_refused("not a recording");
	assert_null(perfdata_open("/", &error));
	assert_non_null(strstr(error.text, "a directory"));
	assert_null(perfdata_open("/nowhere/perf.data", &error));
	assert_int_equal(error.code, ERROR_FILE_OPEN);
}

/* ---- again, and pipes */

UNIT_TEST(rewind_gives_the_same_once_more)
{
	kit_plain_pipe();
	kit_sample(&kit, 7, 11);
	kit_sample(&kit, 7, 12);
	kit_read();
	for (int pass = 0; pass < 3; pass++) {
		assert_int_equal(kit_next().time_ns, 11);
		assert_int_equal(kit_next().time_ns, 12);
		kit_expect_end();
		kit_events(1);
		assert_int_equal(perfdata_counts(file)->records, 2);
		assert_true(perfdata_rewind(file));
		assert_int_equal(perfdata_counts(file)->records, 0);
	}
}

/* Standard input becomes the reading end of a pipe; returns the writing end. */
static int make_pipe(int *saved)
{
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	*saved = dup(STDIN_FILENO);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return ends[1];
}

static void restore(int saved)
{
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void send(int fd, size_t from, size_t to)
{
	assert_int_equal(write(fd, kit.bytes + from, to - from), to - from);
}

UNIT_TEST(next_pipe_waits_for_what_has_not_come)
{
	struct error error = {0};
	struct perfdata_record record;
	int saved, fd = make_pipe(&saved);

	kit_plain_pipe();
	kit_record(&kit, 66, 0); /* tracing data */
	kit_u32(&kit, 8);
	kit_end_record(&kit);
	kit_bytes(&kit, "of eight", 8);
	kit_record(&kit, 71, 0); /* AUX data */
	kit_u64(&kit, 8);
	kit_end_record(&kit);
	kit_bytes(&kit, "no use..", 8);
	kit_sample(&kit, 7, 11);
	send(fd, 0, 16);

	file = perfdata_open("-", &error);

	assert_non_null(file);
	/* not standard input itself, which the screen gives to the keyboard */
	assert_true(perfdata_fd(file) > STDERR_FILENO);
	assert_true(perfdata_info(file)->is_pipe);
	for (size_t i = 16; i < kit.size; i++) {
		assert_int_equal(perfdata_next(file, &record), PERFDATA_WAIT);
		send(fd, i, i + 1);
	}
	assert_int_equal(kit_next().time_ns, 11);
	kit_events(1);
	assert_int_equal(perfdata_info(file)->tracing_size, 8);
	assert_memory_equal(perfdata_info(file)->tracing, "of eight", 8);
	assert_int_equal(perfdata_next(file, &record), PERFDATA_WAIT);
	assert_false(perfdata_rewind(file));
	close(fd);
	kit_expect_whole();
	kit_close(NULL);
	/* Standard input is not ours to close. */
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), 0);
	restore(saved);
}

UNIT_TEST(next_pipe_that_breaks_within_a_record_says_so)
{
	struct error error = {0};
	int saved, fd = make_pipe(&saved);

	kit_plain_pipe();
	kit_sample(&kit, 7, 11);
	send(fd, 0, kit.size - 3);
	close(fd);

	file = perfdata_open("-", &error);

	kit_expect_cut("");
	kit_close(NULL);
	restore(saved);
}

UNIT_TEST(open_file_through_a_pipe_is_a_file_all_the_same)
{
	struct error error = {0};
	struct perfdata_record record;
	int saved, fd = make_pipe(&saved);

	make_plain();
	send(fd, 0, kit.size);
	close(fd);

	file = perfdata_open("-", &error);

	assert_non_null(file);
	assert_false(perfdata_info(file)->is_pipe);
	assert_true(perfdata_info(file)->is_spooled);
	assert_int_equal(perfdata_fd(file), -1);
	for (int pass = 0; pass < 2; pass++) {
		assert_int_equal(perfdata_next(file, &record), PERFDATA_RECORD);
		assert_true(perfdata_rewind(file));
	}
	kit_close(NULL);
	restore(saved);
}

UNIT_TEST(open_file_too_large_for_a_pipe_is_refused)
{
	struct error error = {0};
	struct inlet inlet;
	int saved, fd = make_pipe(&saved);

	make_plain();
	send(fd, 0, kit.size);
	close(fd);
	assert_true(inlet_open(&inlet, "-", &error));
	assert_false(inlet_spool(&inlet, kit.size - 1, "-", &error));
	assert_int_equal(error.code, ERROR_PERFDATA_NO_STREAM);
	inlet_close(&inlet);
	restore(saved);
}

UNIT_MAIN(NULL, kit_close)
