/*
 * functions [FILE|once]: works in two functions in turn, 100 ms in quick() under the name w250m40
 * and 50 ms in slow() as w050m120, all of it called by work(), until it is killed. The guest's
 * counters read their rates from the name. FILE gets the addresses of quick(), slow() and work().
 * Once: 405 ms in each, so that no million of cache misses ends where a function does, and prints
 * how many were counted meanwhile: "quick 40500123", "slow 24300456".
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "busy.h"

enum {
	MS = 1000000
};

static long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (long)(now.tv_sec % 1000) * 1000 * MS + now.tv_nsec;
}

__attribute__((noinline)) static void quick(void)
{
	for (int turns = 0; turns < 800; turns++)
		be_busy();
}

__attribute__((noinline)) static void slow(void)
{
	for (int turns = 0; turns < 800; turns++)
		be_busy();
}

__attribute__((noinline)) static void work(const char *name, long ms, void (*does)(void))
{
	const long begin_ns = now_ns();

	prctl(PR_SET_NAME, name);
	while ((now_ns() - begin_ns + 1000L * 1000 * MS) % (1000L * 1000 * MS) < ms * MS)
		does();
}

static void write_addresses(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return;
	fprintf(file, "%lx %lx %lx\n", (unsigned long)(uintptr_t)quick,
		(unsigned long)(uintptr_t)slow, (unsigned long)(uintptr_t)work);
	fclose(file);
}

static int open_counter(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CACHE_MISSES;
	return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void work_once(int counter, const char *function, const char *name, void (*does)(void))
{
	uint64_t before = 0, after = 0;

	if (read(counter, &before, sizeof(before)) < 0)
		perror("counter");
	work(name, 405, does);
	if (read(counter, &after, sizeof(after)) < 0)
		perror("counter");
	printf("%s %llu\n", function, (unsigned long long)(after - before));
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "once") == 0) {
		const int counter = open_counter();

		work_once(counter, "quick", "w250m40", quick);
		work_once(counter, "slow", "w050m120", slow);
		return 0;
	}
	if (argc > 1)
		write_addresses(argv[1]);
	for (;;) {
		work("w250m40", 100, quick);
		work("w050m120", 50, slow);
	}
}
