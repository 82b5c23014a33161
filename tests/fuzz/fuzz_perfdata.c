/*
 * Fuzz target: any bytes as a recording, file or pipe, and read twice. To get beyond the first
 * checks, inputs that do not begin like one are put behind a header that is good: the first byte
 * chooses whether as attributes and more, as records, or as features.
 *
 *	clang -fsanitize=fuzzer,address,undefined
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/error.h"
#include "kernel/perfdata/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	HEADER = 104,
	ENTRY = 144, /* an attribute of 128 bytes and the place of its ids */
	MADE_MAX = 1 << 21
};

struct made {
	uint8_t bytes[MADE_MAX];
	size_t size;
};

static void put(struct made *made, const void *bytes, size_t size)
{
	if (size <= MADE_MAX - made->size) {
		memcpy(made->bytes + made->size, bytes, size);
		made->size += size;
	}
}

static void put_u64(struct made *made, uint64_t value)
{
	put(made, &value, sizeof(value));
}

static void put_header(struct made *made, uint64_t data, uint64_t data_size, uint64_t features)
{
	put_u64(made, UINT64_C(0x32454c4946524550));
	put_u64(made, HEADER);
	put_u64(made, ENTRY);
	put_u64(made, HEADER);
	put_u64(made, data - HEADER);
	put_u64(made, data);
	put_u64(made, data_size);
	put_u64(made, 0);
	put_u64(made, 0);
	put_u64(made, features);
	put_u64(made, 0);
	put_u64(made, 0);
	put_u64(made, 0);
}

/* An attribute whose samples the input chooses; its id is 7. */
static void put_entry(struct made *made, uint64_t sample_type, uint64_t read_format)
{
	uint32_t head[2] = {1, 128};
	uint8_t rest[128 - 48] = {0};

	put(made, head, sizeof(head));
	put_u64(made, 0);
	put_u64(made, 1);
	put_u64(made, sample_type);
	put_u64(made, read_format);
	put_u64(made, 1 << 18);
	put(made, rest, sizeof(rest));
	put_u64(made, HEADER);
	put_u64(made, 8);
}

static uint64_t take(const uint8_t **data, size_t *size)
{
	uint32_t value = 0;
	size_t count = *size < sizeof(value) ? *size : sizeof(value);

	memcpy(&value, *data, count);
	*data += count;
	*size -= count;
	return value;
}

static void make(struct made *made, const uint8_t *data, size_t size)
{
	uint8_t choice = data[0] % 4;
	uint64_t data_at = HEADER + 2 * ENTRY;

	data++;
	size--;
	if (choice == 0) {
		put_header(made, data_at, 16, 0x20221ffe);
		put(made, data, size);
	} else if (choice == 1 || choice == 2) {
		put_header(made, data_at, choice == 1 ? size : 0, 0);
		put_entry(made, take(&data, &size), take(&data, &size) & 0x1f);
		put_entry(made, take(&data, &size) | 1 << 16, 4);
		put(made, data, size);
	} else {
		/* One feature after the other, each over the whole rest. */
		put_header(made, data_at, 0, 0x20221ffe);
		put_entry(made, 1 << 16, 0);
		put_entry(made, 1 << 16, 0);
		for (int i = 0; i < __builtin_popcountll(0x20221ffe); i++) {
			put_u64(made, data_at + 16 * (uint64_t)__builtin_popcountll(0x20221ffe));
			put_u64(made, size);
		}
		put(made, data, size);
	}
}

static void read_all(struct perfdata *file)
{
	struct perfdata_record record;
	volatile uint8_t sum = 0;
	size_t count;

	for (enum perfdata_result result;
	     (result = perfdata_next(file, &record)) != PERFDATA_END;) {
		if (result == PERFDATA_WAIT) {
			abort(); /* a file never waits */
		}
		for (size_t i = 0; result == PERFDATA_RECORD && i < record.size; i++) {
			sum = sum ^ ((const uint8_t *)record.bytes)[i];
		}
		if (result == PERFDATA_RECORD) {
			perfdata_events(file, &count);
			if (record.event >= count || (uintptr_t)record.bytes % 8 != 0) {
				abort();
			}
		}
	}

	const struct perfdata_event *events = perfdata_events(file, &count);

	for (size_t i = 0; i < count; i++) {
		if (events[i].leader >= count || events[i].members > count ||
		    strnlen(events[i].name, PERFDATA_NAME_MAX) == PERFDATA_NAME_MAX) {
			abort();
		}
	}
}

static void read_twice(const struct made *made)
{
	char path[64];
	struct error error;
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, made->bytes, made->size) != (ssize_t)made->size) {
		abort();
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);

	struct perfdata *file = perfdata_open(path, &error);

	close(fd);
	if (!file) {
		return;
	}
	read_all(file);

	uint64_t records = perfdata_counts(file)->records;

	if (!perfdata_rewind(file)) {
		abort();
	}
	read_all(file);
	/* Events that came late are known in the second pass, which can only make more of it. */
	if (perfdata_counts(file)->records < records) {
		abort();
	}
	perfdata_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made made;

	made.size = 0;
	if (size == 0) {
		return 0;
	}
	if (size > 8 && (memcmp(data, "PERFILE2", 8) == 0 || memcmp(data, "2ELIFREP", 8) == 0)) {
		put(&made, data, size);
	} else {
		make(&made, data, size);
	}
	read_twice(&made);
	return 0;
}
