/*
 * pertask EVENTS PID...: counts like a tool that opens a group of counters for each task: the
 * context switches and EVENTS further ones, for each pid, until it is killed. What is compared with
 * it is a program that reads the same counters once per CPU and switch.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/syscall.h>

struct kind {
	uint32_t type;
	uint64_t config;
};

/* perftop's default events; those that this machine lacks are passed over, as perftop does. */
static const struct kind kinds[] = {
	{PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
};

static int open_event(struct kind kind, pid_t pid, int leader)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = kind.type;
	attr.config = kind.config;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	return (int)syscall(SYS_perf_event_open, &attr, pid, -1, leader, 0);
}

int main(int argc, char **argv)
{
	static const struct kind switches = {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES};
	int events = argc > 2 ? atoi(argv[1]) : 0;

	if (argc < 3) {
		fprintf(stderr, "usage: pertask EVENTS PID...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		int leader = open_event(switches, atoi(argv[i]), -1);

		if (leader < 0) {
			perror("pertask: perf_event_open");
			return 1;
		}
		for (size_t k = 0; k < sizeof(kinds) / sizeof(*kinds) && (int)k < events; k++)
			open_event(kinds[k], atoi(argv[i]), leader);
	}
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
