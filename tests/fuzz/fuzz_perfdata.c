/*
 * Fuzz target: any bytes as a recording, read three times, and once more by a pipe where it is that
 * of one. To get beyond the first checks, inputs that do not begin like one are put behind a header
 * that is good: the first byte chooses whether as attributes and more, as records, or as features.
 * With the compiler's fuzzer mutate_perfdata.c changes those that begin like one part by part;
 * campaign.sh lets it run for long.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include <sys/mman.h>

#include "base/error.h"

#include "fuzz.h"
#include "perfdata/reader.h"

enum {
	PIPE_START = 16, /* the header of a pipe */
	PIPE_MAX = 65536 /* bytes that a pipe holds */
};

/* An attribute whose samples the input chooses; its id is 7. */
static void put_event(struct made *made, uint64_t sample_type, uint64_t read_format)
{
	put_entry(made, 0, sample_type, read_format, 1 << 18, MADE_HEADER, 8);
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
	const uint64_t all = 2 * MADE_ENTRY, data_at = MADE_HEADER + all;

	data++;
	size--;
	if (choice == 0) {
		put_header(made, all, data_at, 16, 0x20221ffe);
		put(made, data, size);
	} else if (choice == 1 || choice == 2) {
		put_header(made, all, data_at, choice == 1 ? size : 0, 0);
		put_event(made, take(&data, &size), take(&data, &size) & 0x1f);
		put_event(made, take(&data, &size) | 1 << 16, 4);
		put(made, data, size);
	} else {
		/* One feature after the other, each over the whole rest. */
		put_header(made, all, data_at, 0, 0x20221ffe);
		put_event(made, 1 << 16, 0);
		put_event(made, 1 << 16, 0);
		for (int i = 0; i < __builtin_popcountll(0x20221ffe); i++) {
			put_u64(made, data_at + 16 * (uint64_t)__builtin_popcountll(0x20221ffe));
			put_u64(made, size);
		}
		put(made, data, size);
	}
}

/* To the end, or with is_awaited until nothing has come. */
static void read_all(struct perfdata *file, bool is_awaited)
{
	struct perfdata_record record;
	volatile uint8_t sum = 0;
	size_t count;

	for (enum perfdata_result result;
	     (result = perfdata_next(file, &record)) != PERFDATA_END;) {
		if (result == PERFDATA_WAIT && is_awaited)
			return;
		require(result != PERFDATA_WAIT); /* neither a file nor a closed pipe waits */
		for (size_t i = 0; result == PERFDATA_RECORD && i < record.size; i++)
			sum = sum ^ ((const uint8_t *)record.bytes)[i];
		if (result == PERFDATA_RECORD) {
			perfdata_events(file, &count);
			require(record.event < count && (uintptr_t)record.bytes % 8 == 0);
		}
	}

	const struct perfdata_event *events = perfdata_events(file, &count);

	for (size_t i = 0; i < count; i++)
		require(events[i].leader < count &&
			strnlen(events[i].name, PERFDATA_NAME_MAX) < PERFDATA_NAME_MAX);
}

/* What was read, kind by kind. */
struct tally {
	uint64_t records, unknown, broken;
};

static struct tally tally_of(const struct perfdata *file)
{
	const struct perfdata_counts *counts = perfdata_counts(file);

	return (struct tally){counts->records, counts->unknown, counts->broken};
}

static void print(const struct tally *tally)
{
	fprintf(stderr, "%" PRIu64 " records, %" PRIu64 " unknown, %" PRIu64 " broken\n",
		tally->records, tally->unknown, tally->broken);
}

static struct perfdata *open_number(int fd)
{
	char path[64];
	struct error error;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return perfdata_open(path, &error);
}

static struct tally read_again(struct perfdata *file)
{
	require(perfdata_rewind(file));
	read_all(file, false);
	return tally_of(file);
}

/* False: it is no recording. */
static bool read_thrice(const struct made *made, struct tally *first)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	require(fd >= 0 && write(fd, made->bytes, made->size) == (ssize_t)made->size);

	struct perfdata *file = open_number(fd);

	close(fd);
	if (!file)
		return false;
	read_all(file, false);
	*first = tally_of(file);
	/* Events that came late are known in the second pass, and so it may make something else of
	   the records before them; from then on nothing changes. */
	const struct tally second = read_again(file), third = read_again(file);

	require(memcmp(&second, &third, sizeof(second)) == 0);
	perfdata_close(file);
	return true;
}

static void send_some(int fd, const struct made *made, size_t from, size_t to)
{
	require(write(fd, made->bytes + from, to - from) == (ssize_t)(to - from));
}

/* The same by a pipe, in two pieces: what is read does not depend on how it comes. */
static void read_pipe(const struct made *made, const struct tally *of_file)
{
	int ends[2];
	size_t piece = PIPE_START + made->bytes[made->size - 1] * (made->size - PIPE_START) / 256;

	require(pipe2(ends, O_CLOEXEC) == 0);
	send_some(ends[1], made, 0, piece);

	struct perfdata *file = open_number(ends[0]);

	close(ends[0]);
	require(file != NULL); /* the file was one */
	read_all(file, true);
	send_some(ends[1], made, piece, made->size);
	close(ends[1]);
	read_all(file, false);

	const struct tally of_pipe = tally_of(file);

	if (memcmp(&of_pipe, of_file, sizeof(of_pipe)) != 0) {
		fprintf(stderr, "file: "), print(of_file);
		fprintf(stderr, "pipe: "), print(&of_pipe);
		fprintf(stderr, "%s\n", perfdata_counts(file)->why);
		abort();
	}
	perfdata_close(file);
}

static void read_made(const struct made *made)
{
	static const uint8_t ours[] = "PERFILE2\20\0\0\0\0\0\0";
	static const uint8_t foreign[] = "2ELIFREP\0\0\0\0\0\0\0\20";
	struct tally tally;

	if (!read_thrice(made, &tally) || made->size > PIPE_MAX)
		return;
	if (memcmp(made->bytes, ours, PIPE_START) == 0 ||
	    memcmp(made->bytes, foreign, PIPE_START) == 0)
		read_pipe(made, &tally);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made made;

	made.size = 0;
	if (size == 0)
		return 0;
	if (size > 8 && (memcmp(data, "PERFILE2", 8) == 0 || memcmp(data, "2ELIFREP", 8) == 0))
		put(&made, data, size);
	else
		make(&made, data, size);
	read_made(&made);
	return 0;
}
