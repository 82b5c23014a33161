/*
 * prefixes FILE...: every prefix of a recording is read to its end, as a file and through a pipe.
 *
 * Each byte of what stands at the beginning and at the end (header, attributes, features) is once
 * the last one, and of the records between them many. A prefix is refused with a sentence, or it
 * tells what there is and says that it is not all. Through a pipe nobody can know the latter when
 * it ends between two records. It always ends, and takes no more memory than the whole.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"

#include "perfdata/replay.h"

enum {
	PIPE_EVERY = 7, /* one in so many is read through a pipe as well */
	TICKS_MAX = 100000,
	REMARKS_MAX = 1024,
#ifdef PERFTOP_SANITIZED
	EVERY_BYTE = 1000,  /* at the beginning and at the end: */
	BYTES_APART = 7,    /* one in so many of them */
	BETWEEN = 200,      /* other bytes than those */
	GROWTH_KIB = 524288 /* it keeps what was freed, to see who still uses it */
#else
	EVERY_BYTE = 3000,
	BYTES_APART = 1,
	BETWEEN = 400,
	GROWTH_KIB = 32768
#endif
};

struct outcome {
	bool is_refused, is_over;
	uint64_t records, ticks;
	char words[REMARKS_MAX]; /* why it was refused, or the remarks */
};

static void take_all(struct source *source, struct outcome *outcome)
{
	struct record record;

	while (source_next(source, &record))
		outcome->records++;
}

static struct outcome read_through(const char *path)
{
	const struct replay_request request = {.path = path};
	struct error error = {0};
	struct outcome outcome = {0};
	struct source *source = replay_create(&request, &error);

	if (!source || !source_begin(source, &error)) {
		source_destroy(source);
		outcome.is_refused = true;
		snprintf(outcome.words, sizeof(outcome.words), "%s", error.text);
		return outcome;
	}
	while (!source_is_finished(source) && outcome.ticks < TICKS_MAX) {
		source_drain(source);
		take_all(source, &outcome);
		source_tick(source);
		take_all(source, &outcome);
		outcome.ticks++;
	}
	outcome.is_over = source_is_finished(source);
	replay_remarks(source, outcome.words, sizeof(outcome.words));
	source_destroy(source);
	return outcome;
}

/* A file of the first `length` bytes, of which it has `before`. */
static void grow_prefix(int fd, const char *bytes, size_t before, size_t length)
{
	if (pwrite(fd, bytes + before, length - before, (off_t)before) !=
	    (ssize_t)(length - before)) {
		perror("prefix");
		exit(1);
	}
}

static bool complain(const char *file, size_t length, const char *how, const char *what,
		     const struct outcome *outcome)
{
	printf("%s: %zu bytes%s: %s (\"%s\", %llu records in %llu intervals)\n", file, length, how,
	       what, outcome->words, (unsigned long long)outcome->records,
	       (unsigned long long)outcome->ticks);
	return false;
}

/* In the format of a pipe a file has no sizes and no end: what ends between two records may be all.
 */
static bool is_of_pipe(const char *bytes)
{
	uint64_t header_size;

	memcpy(&header_size, bytes + 8, sizeof(header_size));
	return header_size == 16;
}

static bool check_file(const char *file, int fd, size_t length, const struct outcome *whole,
		       bool may_be_all)
{
	char path[64];
	struct outcome outcome;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	outcome = read_through(path);
	if (outcome.is_refused)
		return outcome.words[0] != '\0' || complain(file, length, "",
							    "refused without a "
							    "word",
							    &outcome);
	if (!outcome.is_over)
		return complain(file, length, "", "does not end", &outcome);
	if (outcome.records > whole->records)
		return complain(file, length, "", "tells more than the whole", &outcome);
	if (may_be_all)
		return true;
	if (outcome.words[0] == '\0' || strcmp(outcome.words, whole->words) == 0)
		return complain(file, length, "", "does not say that it is not all", &outcome);
	return true;
}

static bool check_pipe(const char *file, int fd, size_t length)
{
	struct outcome outcome;

	lseek(fd, 0, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	outcome = read_through("-");
	if (outcome.is_refused && outcome.words[0] == '\0')
		return complain(file, length, " in a pipe", "refused without a word", &outcome);
	if (!outcome.is_refused && !outcome.is_over)
		return complain(file, length, " in a pipe", "does not end", &outcome);
	return true;
}

static size_t step_after(size_t length, size_t size)
{
	const size_t step = size / BETWEEN + 1;

	if (length < EVERY_BYTE || length + EVERY_BYTE >= size)
		return BYTES_APART;
	return length + EVERY_BYTE + step >= size ? size - EVERY_BYTE - length : step;
}

static long peak_kib(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_maxrss;
}

static bool check_prefixes(const char *file, const char *bytes, size_t size)
{
	struct outcome whole = read_through(file);
	const long before_kib = peak_kib();
	const int fd = memfd_create("prefix", MFD_CLOEXEC);
	size_t count = 0, wrong = 0, before = 0;

	if (whole.is_refused || whole.records == 0)
		return complain(file, size, "", "the whole cannot be read", &whole);
	for (size_t length = 0; length < size && wrong < 10; length += step_after(length, size)) {
		grow_prefix(fd, bytes, before, length);
		before = length;
		wrong += !check_file(file, fd, length, &whole, is_of_pipe(bytes));
		if (count % PIPE_EVERY == 0)
			wrong += !check_pipe(file, fd, length);
		count++;
	}
	close(fd);
	printf("%s: %zu of %zu prefixes, %zu wrong; %llu records in all\n", file, count, size,
	       wrong, (unsigned long long)whole.records);
	if (peak_kib() - before_kib > GROWTH_KIB) {
		printf("%s: %ld KiB more than for the whole\n", file, peak_kib() - before_kib);
		wrong++;
	}
	return wrong == 0;
}

int main(int argc, char **argv)
{
	bool is_right = argc > 1;

	for (int i = 1; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY | O_CLOEXEC);
		struct stat status;
		char *bytes;

		if (fd < 0 || fstat(fd, &status) != 0 || status.st_size <= 0) {
			fprintf(stderr, "%s: %s\n", argv[i], strerror(errno));
			return 1;
		}
		bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes == MAP_FAILED)
			return 1;
		is_right &= check_prefixes(argv[i], bytes, (size_t)status.st_size);
		munmap(bytes, (size_t)status.st_size);
		close(fd);
	}
	return is_right ? 0 : 1;
}
