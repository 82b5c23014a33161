#ifndef PERFTOP_TESTS_PERFDATA_KIT_H
#define PERFTOP_TESTS_PERFDATA_KIT_H

/*
 * Writes recordings byte by byte and reads them: in memory for files, through pipe(2) for pipes.
 * What a recording holds is said by the calls; offsets and sizes are filled in at the end.
 */

#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/mman.h>

#include "base/error.h"

#include "perfdata/reader.h"
#include "unit.h"

enum {
	KIT_MAX = 4 << 20,
	KIT_HEADER = 104,
	KIT_EVENTS = 8,
	KIT_FEATURES = 32
};

struct kit_event {
	uint32_t type, attr_size; /* 64, or 104 and more; 0: as large as today's */
	uint64_t config, sample_type, read_format, branch_type, user_regs, intr_regs, flags, period;
	int32_t clock;
	uint64_t ids[4];
	size_t id_count;
};

/* Flags of an attribute, by their place in it. */
enum {
	KIT_DISABLED = 1 << 0,
	KIT_INHERIT = 1 << 1,
	KIT_FREQ = 1 << 10,
	KIT_TASK = 1 << 13,
	KIT_ID_ALL = 1 << 18,
	KIT_USE_CLOCK = 1 << 25,
	KIT_SWITCH = 1 << 26
};

struct kit {
	unsigned char bytes[KIT_MAX];
	size_t size;
	struct kit_event events[KIT_EVENTS];
	size_t event_count;
	size_t ids_at[KIT_EVENTS], attributes_at, data_at, data_size;
	size_t features_at[KIT_FEATURES], features_size[KIT_FEATURES];
	uint64_t features; /* bits */
	size_t record;     /* where the open one began; 0: none is open */
	unsigned feature;  /* that is open; 0: none */
};

static inline void kit_bytes(struct kit *kit, const void *bytes, size_t size)
{
	assert_true(kit->size + size <= KIT_MAX);
	memcpy(kit->bytes + kit->size, bytes, size);
	kit->size += size;
}

static inline void kit_u64(struct kit *kit, uint64_t value)
{
	kit_bytes(kit, &value, sizeof(value));
}

static inline void kit_u32(struct kit *kit, uint32_t value)
{
	kit_bytes(kit, &value, sizeof(value));
}

static inline void kit_u16(struct kit *kit, uint16_t value)
{
	kit_bytes(kit, &value, sizeof(value));
}

static inline void kit_put_u64s(struct kit *kit, const uint64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		kit_u64(kit, values[i]);
}

static inline void kit_put_u32s(struct kit *kit, const uint32_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++)
		kit_u32(kit, values[i]);
}

/* Several numbers: kit_u64s(&kit, 1, 2) */
#define kit_u64s(kit, ...)                                                                         \
	kit_put_u64s(kit, (const uint64_t[]){__VA_ARGS__},                                         \
		     COUNT_OF(((const uint64_t[]){__VA_ARGS__})))
#define kit_u32s(kit, ...)                                                                         \
	kit_put_u32s(kit, (const uint32_t[]){__VA_ARGS__},                                         \
		     COUNT_OF(((const uint32_t[]){__VA_ARGS__})))

/* NUL-ended and filled up to 8 bytes, as the kernel writes strings. */
static inline void kit_text(struct kit *kit, const char *text)
{
	size_t length = strlen(text) + 1;

	kit_bytes(kit, text, length);
	kit_bytes(kit, "\0\0\0\0\0\0\0", (8 - length % 8) % 8);
}

/* As features have them: the room first. */
static inline void kit_string(struct kit *kit, const char *text)
{
	kit_u32(kit, (uint32_t)(strlen(text) + 8) / 8 * 8);
	kit_text(kit, text);
}

static inline void kit_attribute(struct kit *kit, const struct kit_event *event)
{
	size_t start = kit->size;
	uint32_t size = event->attr_size ? event->attr_size : sizeof(struct perf_event_attr);

	kit_u32(kit, event->type);
	kit_u32(kit, size);
	kit_u64(kit, event->config);
	kit_u64(kit, event->period);
	kit_u64(kit, event->sample_type);
	kit_u64(kit, event->read_format);
	kit_u64(kit, event->flags);
	kit_u32(kit, 0); /* wakeup */
	kit_u32(kit, 0); /* breakpoint */
	kit_u64(kit, 0x11);
	if (size > 64) {
		kit_u64(kit, 0x22);
		kit_u64(kit, event->branch_type);
		kit_u64(kit, event->user_regs);
		kit_u32(kit, 0); /* stack */
		kit_u32(kit, (uint32_t)event->clock);
		kit_u64(kit, event->intr_regs);
	}
	while (kit->size < start + size)
		kit_bytes(kit, "\xee", 1); /* of a younger perf: nobody knows what */
}

static inline void kit_sections(struct kit *kit, uint64_t offset, uint64_t size)
{
	kit_u64(kit, offset);
	kit_u64(kit, size);
}

/* The beginning of a file; all events have attributes of the size of the first one. */
static inline void kit_begin(struct kit *kit, const struct kit_event *events, size_t count)
{
	memset(kit, 0, sizeof(*kit));
	kit->event_count = count;
	kit->size = KIT_HEADER;
	for (size_t i = 0; i < count; i++) {
		kit->events[i] = events[i];
		kit->ids_at[i] = kit->size;
		for (size_t j = 0; j < events[i].id_count; j++)
			kit_u64(kit, events[i].ids[j]);
	}
	kit->attributes_at = kit->size;
	for (size_t i = 0; i < count; i++) {
		kit_attribute(kit, &events[i]);
		kit_sections(kit, kit->ids_at[i], events[i].id_count * 8);
	}
	kit->data_at = kit->size;
}

static inline void kit_begin_pipe(struct kit *kit)
{
	memset(kit, 0, sizeof(*kit));
	kit_u64(kit, UINT64_C(0x32454c4946524550));
	kit_u64(kit, 16);
}

/* Needed only where bytes follow that are not of a record. */
static inline void kit_end_record(struct kit *kit)
{
	const size_t size = kit->size;

	if (kit->record == 0)
		return;
	kit->size = kit->record + 6;
	kit_u16(kit, (uint16_t)(size - kit->record));
	kit->size = size;
	kit->record = 0;
}

/* Ends the one before. */
static inline void kit_record(struct kit *kit, uint32_t type, uint16_t misc)
{
	kit_end_record(kit);
	kit->record = kit->size;
	kit_u32(kit, type);
	kit_u16(kit, misc);
	kit_u16(kit, 0); /* kit_end_record() */
}

/* A sample of IDENTIFIER | TIME. */
static inline void kit_sample(struct kit *kit, uint64_t id, uint64_t time)
{
	kit_record(kit, PERF_RECORD_SAMPLE, 2);
	kit_u64(kit, id);
	kit_u64(kit, time);
	kit_end_record(kit);
}

static inline void kit_end_data(struct kit *kit)
{
	kit_end_record(kit);
	kit->data_size = kit->size - kit->data_at;
}

/* Features come behind the data: first their places, then they themselves in ascending order. */
static inline void kit_announce(struct kit *kit, uint64_t features)
{
	kit->features = features;
	kit->size += (size_t)__builtin_popcountll(features) * 16;
}

static inline void kit_end_feature(struct kit *kit)
{
	if (kit->feature != 0)
		kit->features_size[kit->feature] = kit->size - kit->features_at[kit->feature];
	kit->feature = 0;
}

/* Ends the one before. */
static inline void kit_feature(struct kit *kit, unsigned feature)
{
	kit_end_feature(kit);
	kit->feature = feature;
	kit->features_at[feature] = kit->size;
}

static inline void kit_header(struct kit *kit, uint64_t data_size)
{
	size_t size = kit->size;

	kit_end_record(kit);
	kit_end_feature(kit);
	kit->size = 0;
	kit_u64(kit, UINT64_C(0x32454c4946524550));
	kit_u64(kit, KIT_HEADER);
	kit_u64(kit, (kit->data_at - kit->attributes_at) / kit->event_count);
	kit_sections(kit, kit->attributes_at, kit->data_at - kit->attributes_at);
	kit_sections(kit, kit->data_at, data_size);
	kit_sections(kit, 0, 0);
	kit_u64(kit, kit->features);
	for (int i = 0; i < 3; i++)
		kit_u64(kit, 0);
	kit->size = kit->data_at + kit->data_size;
	for (unsigned i = 0; i < KIT_FEATURES; i++)
		if (kit->features >> i & 1)
			kit_sections(kit, kit->features_at[i], kit->features_size[i]);
	kit->size = size;
}

static inline void kit_end(struct kit *kit)
{
	if (kit->data_size == 0)
		kit_end_data(kit);
	kit_header(kit, kit->data_size);
}

static const struct kit_event KIT_PLAIN = {
	.type = PERF_TYPE_SOFTWARE,
	.config = PERF_COUNT_SW_CPU_CLOCK,
	.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TIME,
	.flags = KIT_ID_ALL,
	.ids = {7},
	.id_count = 1,
};

/* The recording of the test that runs. */
static struct kit kit;

/* It as it is read, from kit_read() to the end of the test. */
static struct perfdata *file;

static inline int kit_close(void **state)
{
	perfdata_close(file);
	file = NULL;
	return 0;
}

/* Opens the first `size` bytes of it as a file. */
static inline bool kit_read_some(size_t size, struct error *error)
{
	char path[64];
	int fd = memfd_create("recording", MFD_CLOEXEC);

	kit_close(NULL);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, kit.bytes, size), size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	file = perfdata_open(path, error);
	close(fd);
	return file != NULL;
}

/* With the header that it has. */
static inline void kit_read_as_it_is(void)
{
	struct error error = {0};

	kit_read_some(kit.size, &error);
	assert_string_equal(error.text, "");
	assert_non_null(file);
}

static inline void kit_read(void)
{
	if (kit.event_count > 0)
		kit_end(&kit);
	else
		kit_end_record(&kit);
	kit_read_as_it_is();
}

/* Events; the test ends where there are not so many. */
static inline const struct perfdata_event *kit_events(size_t count)
{
	size_t found;
	const struct perfdata_event *events = perfdata_events(file, &found);

	assert_int_equal(found, count);
	return events;
}

/* The next record; the test ends where there is none. */
static inline struct perfdata_record kit_next(void)
{
	struct perfdata_record record;

	assert_int_equal(perfdata_next(file, &record), PERFDATA_RECORD);
	return record;
}

static inline void kit_expect_end(void)
{
	struct perfdata_record record;

	assert_int_equal(perfdata_next(file, &record), PERFDATA_END);
	assert_int_equal(perfdata_next(file, &record), PERFDATA_END);
}

/* A file with so many samples of the times 1, 2, ..., of the one event with the id 7. */
static inline void kit_plain(uint64_t count)
{
	kit_begin(&kit, &KIT_PLAIN, 1);
	for (uint64_t time = 1; time <= count; time++)
		kit_sample(&kit, 7, time);
}

/* The same event as the beginning of a pipe. */
static inline void kit_plain_pipe(void)
{
	kit_begin_pipe(&kit);
	kit_record(&kit, 64, 0);
	kit_attribute(&kit, &KIT_PLAIN);
	kit_u64(&kit, 7);
	kit_end_record(&kit);
}

static inline void kit_expect_cut(const char *why)
{
	kit_expect_end();
	assert_true(perfdata_counts(file)->is_truncated);
	assert_non_null(strstr(perfdata_counts(file)->why, why));
}

static inline void kit_expect_whole(void)
{
	kit_expect_end();
	assert_false(perfdata_counts(file)->is_truncated);
}

#endif
