/*
 * Recordings taken apart: whatever call fails, and wherever the writer is killed, the header tells
 * the truth about the file.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/stat.h>

#include "base/error.h"
#include "kernel/host.h"

#include "encode_kit.h"
#include "fake_root.h"
#include "perfdata/disk.h"
#include "perfdata/writer.h"
#include "perfdata/zstd.h"
#include "unit.h"

ssize_t __real_write(int fd, const void *bytes, size_t size);
ssize_t __real_pwrite(int fd, const void *bytes, size_t size, off_t offset);
int __real_ftruncate(int fd, off_t size);

enum {
	FILE_BYTES = 1 << 20,
	EVENTS = 5,
	GROWN = 7,
	IDS = 3,
	ATTR_BYTES = 96, /* up to the clock */
	ATTR_ENTRY = ATTR_BYTES + 16
};

static char path[FAKE_PATH_BYTES];
static bool is_internal;       /* struct writer_request */
static char bytes[FILE_BYTES]; /* of the file that is looked at */
static size_t size;

/* Calls that write, counted; the one that fails, and those behind it. */
static struct {
	size_t calls, failing;  /* failing 0: none */
	bool for_ever, is_torn; /* torn: half of it is written all the same */
	bool was_torn;
	size_t most;    /* longer writes over the file are refused; 0: none */
	size_t longest; /* of those that were not */
	bool looks;     /* at the file before each call */
} kernel;

static size_t check_file(void);

static bool refuses(void)
{
	if (kernel.looks && kernel.calls > 0)
		check_file();
	kernel.calls++;
	return kernel.failing != 0 && (kernel.calls == kernel.failing ||
				       (kernel.for_ever && kernel.calls > kernel.failing));
}

ssize_t __wrap_write(int fd, const void *data, size_t length)
{
	if (!refuses())
		return __real_write(fd, data, length);
	if (kernel.is_torn && length > 1 && !kernel.was_torn) {
		kernel.was_torn = true;
		kernel.failing++; /* the rest of it is what fails */
		return __real_write(fd, data, length / 2);
	}
	errno = ENOSPC;
	return -1;
}

ssize_t __wrap_pwrite(int fd, const void *data, size_t length, off_t offset)
{
	if (!refuses() && (kernel.most == 0 || length <= kernel.most)) {
		kernel.longest = length > kernel.longest ? length : kernel.longest;
		return __real_pwrite(fd, data, length, offset);
	}
	/* a header lies within a block: it is never torn */
	if (kernel.is_torn && offset > 0)
		__real_pwrite(fd, data, length / 2, offset);
	errno = ENOSPC;
	return -1;
}

int __wrap_ftruncate(int fd, off_t length)
{
	if (!refuses())
		return __real_ftruncate(fd, length);
	errno = EIO;
	return -1;
}

static int setup(void **state)
{
	memset(&kernel, 0, sizeof(kernel));
	is_internal = false;
	if (fake_root_setup(state) != 0)
		return -1;
	fake_root_path(path, "/rec");
	return 0;
}

static void load(void)
{
	int fd = open(path, O_RDONLY);

	assert_true(fd >= 0);
	ssize_t count = read(fd, bytes, sizeof(bytes));
	close(fd);
	assert_in_range(count, 0, FILE_BYTES - 1);
	size = (size_t)count;
}

static const struct disk_header *header(void)
{
	return (const struct disk_header *)(const void *)bytes;
}

static void assert_inside(struct disk_section section)
{
	assert_true(section.offset <= size && section.size <= size - section.offset);
}

static struct disk_section section_at(uint64_t offset)
{
	struct disk_section section;

	assert_inside((struct disk_section){offset, sizeof(section)});
	memcpy(&section, bytes + offset, sizeof(section));
	return section;
}

static size_t attr_count(void)
{
	return (size_t)(header()->attrs.size / ATTR_ENTRY);
}

static struct perf_event_attr attr_at(size_t event)
{
	struct perf_event_attr attr = {0};

	memcpy(&attr, bytes + header()->attrs.offset + event * ATTR_ENTRY, ATTR_BYTES);
	return attr;
}

static struct disk_section ids_at(size_t event)
{
	return section_at(header()->attrs.offset + event * ATTR_ENTRY + ATTR_BYTES);
}

static void check_attributes(void)
{
	assert_int_equal(header()->attr_size, ATTR_ENTRY);
	assert_inside(header()->attrs);
	assert_true(attr_count() == EVENTS || attr_count() == GROWN);
	for (size_t i = 0; i < attr_count(); i++) {
		struct disk_section ids = ids_at(i);
		uint64_t first;

		assert_int_equal(attr_at(i).size, ATTR_BYTES);
		assert_inside(ids);
		assert_int_equal(ids.size, IDS * 8);
		memcpy(&first, bytes + ids.offset, 8);
		assert_int_equal(first, writer_id((uint32_t)i, 0));
	}
}

/* The section of a feature; size 0: the file does not have it. */
static struct disk_section feature(enum disk_feature wanted)
{
	uint64_t at = header()->data.offset + header()->data.size;

	for (unsigned int i = 0; i < DISK_FEATURES; i++) {
		if ((header()->features[0] >> i & 1) == 0)
			continue;
		if (i == (unsigned int)wanted)
			return section_at(at);
		at += sizeof(struct disk_section);
	}
	return (struct disk_section){0};
}

static void check_features(void)
{
	for (unsigned int i = 0; i < DISK_FEATURES; i++)
		assert_inside(feature((enum disk_feature)i));
}

/* Whole records to the end of the data; how many have this type. */
static size_t count_records(uint32_t type)
{
	uint64_t at = header()->data.offset, end = at + header()->data.size;
	struct perf_event_header record;
	size_t count = 0;

	while (at < end) {
		assert_true(end - at >= sizeof(record));
		memcpy(&record, bytes + at, sizeof(record));
		assert_in_range(record.size, sizeof(record), end - at);
		at += record.size;
		count += record.type == type;
	}
	return count;
}

/* What a reader believes must be there; how many samples are. */
static size_t check_file(void)
{
	load();
	assert_true(size >= sizeof(struct disk_header));
	assert_true(header()->magic == UINT64_C(0x32454c4946524550)); /* "PERFILE2" */
	assert_int_equal(header()->size, sizeof(struct disk_header));
	check_attributes();
	assert_inside(header()->data);
	check_features();
	return count_records(PERF_RECORD_SAMPLE);
}

/* Two events more than at the beginning, when all are taken. */
static struct writer_event *events(void)
{
	static const enum writer_event_kind kinds[GROWN] = {
		WRITER_TIMELINE, WRITER_NOTES,  WRITER_LEADER, WRITER_MEMBER,
		WRITER_MEMBER,   WRITER_HOLDER, WRITER_MEMBER,
	};
	static const char *const names[GROWN] = {
		"dummy", "perftop", "context-switches", "cycles", "g:t", "holder", "g:u",
	};
	static struct event_spec specs[GROWN];
	static struct writer_event all[GROWN];

	for (size_t i = 0; i < GROWN; i++) {
		bool is_tracepoint = names[i][1] == ':';

		specs[i].scale = 1;
		specs[i].type = is_tracepoint ? PERF_TYPE_TRACEPOINT : PERF_TYPE_HARDWARE;
		specs[i].config = is_tracepoint ? 300 + i : 0;
		strcpy(specs[i].target, is_tracepoint ? "" : "/bin/true");
		all[i] = (struct writer_event){kinds[i], names[i], &specs[i]};
	}
	return all;
}

static struct host machine(void)
{
	struct host host = {.memory_bytes = 1 << 20};

	snprintf(host.tracefs, sizeof(host.tracefs), "%s/tracing", fake_root);
	return host;
}

static void make_tracefs(void)
{
	fake_root_file("/tracing/events/header_page", "a page");
	fake_root_file("/tracing/events/header_event", "an event");
	fake_root_file("/tracing/events/g/t/id", "304\n");
	fake_root_file("/tracing/events/g/t/format", "name: t\n");
	fake_root_file("/tracing/events/g/u/id", "306\n");
	fake_root_file("/tracing/events/g/u/format", "name: u\n");
}

static struct writer *writer; /* of the test that runs */

static struct writer *create(int compression, struct error *error)
{
	static char program[] = "perftop", option[] = "-w";
	static char *const arguments[] = {program, option, NULL};
	const struct host host = machine();
	const struct writer_request request = {
		.path = path,
		.compression = compression,
		.is_internal = is_internal,
		.version = "test",
		.arguments = arguments,
		.host = &host,
		.clock = CLOCK_MONOTONIC,
		.wall_offset_ns = 5,
		.cpu_count = IDS - 1,
		.events = events(),
		.event_count = EVENTS,
	};

	return writer_create(&request, error);
}

static bool put(uint64_t time_ns)
{
	const struct decode_format format = writer_format(WRITER_NOTES);
	const struct decoded record = {
		.type = PERF_RECORD_SAMPLE,
		.id = {.id = writer_id(1, 0), .time_ns = time_ns},
		.sample.raw = {"some text that is a note", 24},
	};

	writer_commit(writer, encode_record(writer_room(writer), &record, &format), time_ns);
	return !writer_failure(writer);
}

/* With tracepoints' formats to be had, or without. */
static void begin(bool has_tracefs, int compression)
{
	if (has_tracefs)
		make_tracefs();
	writer = create(compression, NULL);
}

static void finish(void)
{
	assert_true(writer_finish(writer, NULL));
}

/* Rounds of ten records, with more events from the third one on. */
static void put_rounds(size_t rounds)
{
	for (size_t i = 0; i < rounds; i++) {
		if (i == 2)
			writer_change_events(writer, events() + EVENTS, GROWN - EVENTS);
		for (size_t j = 0; j < 10; j++)
			put(1000 + i * 10 + j);
		writer_flush(writer);
	}
}

UNIT_TEST(writer_finish_file_has_everything)
{
	static const enum disk_feature wanted[] = {
		DISK_TRACING_DATA, DISK_HOSTNAME,   DISK_OSRELEASE,   DISK_VERSION,
		DISK_ARCH,         DISK_NRCPUS,     DISK_TOTAL_MEM,   DISK_CMDLINE,
		DISK_EVENT_DESC,   DISK_GROUP_DESC, DISK_SAMPLE_TIME, DISK_CLOCKID,
		DISK_CLOCK_DATA,
	};
	uint64_t times[2];

	begin(true, 0);
	put_rounds(5);

	assert_null(writer_failure(writer));
	assert_true(writer_bytes(writer) > 0);
	finish();

	assert_int_equal(check_file(), 50);
	assert_int_equal(attr_count(), GROWN);
	for (size_t i = 0; i < COUNT_OF(wanted); i++)
		assert_int_not_equal(feature(wanted[i]).size, 0);
	assert_int_equal(feature(DISK_COMPRESSED).size, 0);
	memcpy(times, bytes + feature(DISK_SAMPLE_TIME).offset, sizeof(times));
	assert_int_equal(times[0], 1000);
	assert_int_equal(times[1], 1049);
}

UNIT_TEST(writer_attributes_are_the_kernels_and_have_the_told_format)
{
	begin(true, 0);
	finish();
	check_file();

	for (size_t i = 0; i < EVENTS; i++) {
		const struct decode_format format = writer_format(events()[i].kind);
		const struct perf_event_attr attr = attr_at(i);

		assert_int_equal(attr.sample_type, format.sample_type);
		assert_int_equal(attr.read_format, format.read_format);
		assert_int_equal(attr.sample_id_all, 1);
		assert_int_equal(attr.use_clockid, 1);
		assert_int_equal(attr.clockid, CLOCK_MONOTONIC);
	}
	assert_int_equal(attr_at(0).config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(attr_at(0).context_switch, 1);
	assert_int_equal(attr_at(1).config, PERF_COUNT_SW_BPF_OUTPUT);
	assert_int_equal(attr_at(1).sample_period, 1);
	assert_int_equal(attr_at(2).config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_int_equal(attr_at(2).sample_period, 1);
	assert_int_equal(attr_at(3).type, PERF_TYPE_HARDWARE);
	assert_int_equal(attr_at(3).config1, 0); /* to the kernel an address in our memory */
	assert_int_equal(attr_at(4).type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr_at(4).config, 304);

	/* without tracefs dummies are in the place of tracepoints */
	fake_root_teardown(state);
	setup(state);
	begin(false, 0);
	finish();
	check_file();
	assert_int_equal(attr_at(4).type, PERF_TYPE_SOFTWARE);
	assert_int_equal(attr_at(4).config, PERF_COUNT_SW_DUMMY);
	assert_int_equal(feature(DISK_TRACING_DATA).size, 0);
}

UNIT_TEST(writer_file_without_features_has_no_tracepoint)
{
	begin(true, 0);

	/* more than a portion, and no round */
	for (size_t i = 0; i < 20000; i++)
		put(1 + i);
	int fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, bytes, 8192), 8192);
	close(fd);
	size = FILE_BYTES * 4; /* only the beginning was read */
	assert_int_equal(header()->features[0], 0);
	assert_int_equal(attr_at(4).type, PERF_TYPE_SOFTWARE);
	finish();
}

UNIT_TEST(writer_killed_at_any_time_leaves_a_file_that_can_be_read)
{
	make_tracefs();
	kernel.looks = true;
	begin(false, 0);
	put_rounds(6);
	finish();

	assert_true(kernel.calls > 20);
	assert_int_equal(check_file(), 60);
}

UNIT_TEST(writer_flush_makes_a_complete_file)
{
	begin(true, 0);

	put_rounds(1);
	assert_int_equal(check_file(), 10);
	assert_int_not_equal(feature(DISK_EVENT_DESC).size, 0);
	assert_int_equal(attr_at(4).type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(count_records(DISK_RECORD_FINISHED_ROUND), 0);
	writer_finish(writer, NULL);
}

UNIT_TEST(writer_flush_or_change_without_news_writes_nothing)
{
	begin(false, 0);
	size_t calls = kernel.calls;

	assert_true(writer_flush(writer));
	writer_change_events(writer, NULL, 0);
	assert_int_equal(kernel.calls, calls);
	writer_finish(writer, NULL);
	check_file();
	assert_int_equal(attr_count(), EVENTS);
}

/* As any other is at the end, but for fewer calls in between. */
UNIT_TEST(writer_finish_scratch_file_is_as_any_other)
{
	static char whole[FILE_BYTES];
	size_t whole_size, calls;

	begin(true, 0);
	put_rounds(6);
	finish();
	load();
	memcpy(whole, bytes, size);
	whole_size = size;
	calls = kernel.calls;
	unlink(path);
	is_internal = true;

	begin(false, 0);
	put_rounds(6);
	finish();
	calls = kernel.calls - calls;

	assert_in_range(calls, 1, 10);
	assert_int_equal(check_file(), 60);
	assert_int_equal(size, whole_size);
	/* behind the data one of the features says the time of day */
	assert_memory_equal(bytes, whole, (size_t)(header()->data.offset + header()->data.size));
}

/* A session in which the nth call fails; how many calls there were. */
static size_t fail_at(size_t failing)
{
	struct error error = {0};
	size_t samples;

	unlink(path);
	kernel.calls = 0;
	kernel.failing = failing;
	kernel.was_torn = false;
	writer = create(0, &error);
	if (writer == NULL) {
		assert_int_equal(error.code, ERROR_RECORD_EARLY);
		return kernel.calls;
	}
	put_rounds(4);

	bool has_failed = writer_failure(writer) != NULL;

	assert_int_equal(has_failed, !put(2000));
	if (!writer_finish(writer, &error)) {
		assert_int_equal(error.code, ERROR_RECORD_EARLY);
		has_failed = true;
	}
	assert_int_equal(has_failed, kernel.calls >= kernel.failing);
	kernel.failing = 0;
	samples = check_file();
	/* of a round that did not go out nothing, of those before it everything */
	assert_true(has_failed ? samples <= 41 : samples == 41);
	return kernel.calls;
}

UNIT_TEST(writer_any_failing_call_leaves_a_file_that_can_be_read)
{
	make_tracefs();
	for (int how = 0; how < 4; how++) {
		size_t failing = 2; /* without the first write there is no file */

		kernel.for_ever = how % 2 == 1;
		kernel.is_torn = how >= 2;
		while (fail_at(failing) >= failing)
			failing++;
		assert_true(failing > 20);
	}
}

UNIT_TEST(writer_after_one_failure_the_file_is_complete)
{
	begin(true, 0);

	put_rounds(3);
	kernel.failing = kernel.calls + 3; /* header, cut, records */
	kernel.is_torn = true;
	put_rounds(1);
	assert_non_null(writer_failure(writer));
	assert_int_equal(check_file() / 10, 3);
	assert_int_not_equal(feature(DISK_EVENT_DESC).size, 0);
	assert_int_equal(attr_count(), GROWN);
	assert_false(writer_finish(writer, NULL));
	assert_int_not_equal(feature(DISK_EVENT_DESC).size, 0);
}

UNIT_TEST(writer_deleted_file_is_told_at_the_next_round)
{
	struct error error;
	begin(false, 0);

	put_rounds(1);
	unlink(path);
	put_rounds(1);
	assert_int_equal(writer_failure(writer)->code, ERROR_RECORD_DELETED);
	assert_false(writer_finish(writer, &error));
	assert_int_equal(error.code, ERROR_RECORD_DELETED);
}

UNIT_TEST(writer_create_strange_levels_are_refused)
{
	struct error error;

	assert_null(create(23, &error));
	assert_int_equal(error.code, ERROR_RECORD_COMPRESSION);
	assert_null(create(-1, &error));
	assert_int_equal(error.code, ERROR_RECORD_COMPRESSION);
	assert_int_equal(access(path, F_OK), -1);
}

UNIT_TEST(writer_compressed_file_says_how)
{
	uint32_t words[5];
	begin(false, 3);

	put_rounds(5);
	finish();

	assert_int_equal(check_file(), 0); /* samples are inside */
	assert_true(count_records(DISK_RECORD_COMPRESSED) >= 5);
	assert_int_equal(feature(DISK_COMPRESSED).size, sizeof(words));
	memcpy(words, bytes + feature(DISK_COMPRESSED).offset, sizeof(words));
	assert_int_equal(words[2], 3);
	assert_in_range(words[3], 2, 50);
	assert_in_range(words[4], ENCODE_SIZE_MAX, 1 << 20);
	/* for whoever finds no features */
	assert_int_equal(count_records(DISK_RECORD_FEATURE), 1);

	/* records are never larger than that */
	begin(false, 1);
	for (size_t i = 0; i < 5000; i++)
		put(1 + i); /* 80 bytes */
	finish();
	check_file();
	assert_true(count_records(DISK_RECORD_COMPRESSED) >= 5000 * 80 / COMPRESS_UNPACKED_MAX);
}

UNIT_TEST(writer_finish_without_room_for_build_ids_leaves_them_out)
{
	struct stat program;

	begin(false, 0);

	put_rounds(4);
	kernel.most = kernel.longest + 16; /* and no section more */
	assert_int_equal(stat("/proc/self/exe", &program), 0);
	writer_note_file(writer, "/proc/self/exe", program.st_ino);
	assert_false(writer_finish(writer, NULL));
	assert_int_equal(check_file(), 40);
	assert_int_equal(feature(DISK_BUILD_ID).size, 0);
	assert_int_not_equal(feature(DISK_EVENT_DESC).size, 0);
}

UNIT_TEST(writer_stream_tells_all_before_the_records)
{
	struct perf_event_header record;
	size_t kinds[128] = {0}, at = DISK_PIPE_BYTES, samples = 0;
	uint64_t length;

	make_tracefs();
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	begin(false, 0);
	assert_non_null(writer);
	put_rounds(3);
	finish();
	size = (size_t)read(reader, bytes, sizeof(bytes));
	close(reader);

	assert_true(header()->magic == UINT64_C(0x32454c4946524550)); /* "PERFILE2" */
	length = header()->size;
	assert_int_equal(length, DISK_PIPE_BYTES);
	while (at < size) {
		memcpy(&record, bytes + at, sizeof(record));
		assert_in_range(record.size, sizeof(record), size - at);
		assert_true(record.type < 128);
		kinds[record.type]++;
		if (record.type == DISK_RECORD_ATTR) {
			/* perf of before Linux 6.5 knows no other size */
			assert_int_equal(record.size, sizeof(record) + 128 + IDS * 8);
		}
		if (record.type == PERF_RECORD_SAMPLE && samples++ == 0) {
			assert_int_equal(kinds[DISK_RECORD_ATTR], EVENTS);
			assert_int_equal(kinds[DISK_RECORD_TRACING_DATA], 1);
			assert_true(kinds[DISK_RECORD_FEATURE] > 8);
		}
		if (record.type == DISK_RECORD_TRACING_DATA) {
			uint32_t behind;

			memcpy(&behind, bytes + at + sizeof(record), sizeof(behind));
			at += behind;
		}
		at += record.size;
	}
	assert_int_equal(at, size);
	assert_int_equal(samples, 30);
	assert_int_equal(kinds[DISK_RECORD_ATTR], GROWN);
	assert_int_equal(kinds[DISK_RECORD_EVENT_UPDATE], GROWN);
	assert_int_equal(kinds[DISK_RECORD_TRACING_DATA], 2);
}

UNIT_MAIN(setup, fake_root_teardown)
