/*
 * hog CPU COUNTERS: takes counters of a CPU for itself, pinned, as a profiler or the kernel's
 * watchdog would, until it is killed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/syscall.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr;

	if (argc != 3) {
		fprintf(stderr, "usage: hog CPU COUNTERS\n");
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.pinned = 1;
	for (int i = 0; i < atoi(argv[2]); i++) {
		if (syscall(SYS_perf_event_open, &attr, -1, atoi(argv[1]), -1, 0) < 0) {
			perror("hog: perf_event_open");
			return 1;
		}
	}
	for (;;)
		pause();
}
