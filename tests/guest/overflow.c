/*
 * overflow PERIOD: works until a counter of cycles has overflowed for some hundred times, each of
 * which the kernel learns by an interrupt of the unit, and prints what was counted and how many
 * samples there are of it:
 *
 *	cycles=100023511 period=100000 samples=1000
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
	RING_PAGES = 64,
	ENOUGH = 500
};

int main(int argc, char **argv)
{
	struct perf_event_attr attr;
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned long samples = 0;
	uint64_t cycles = 0;
	volatile int turns;

	if (argc != 2) {
		fprintf(stderr, "usage: overflow PERIOD\n");
		return 2;
	}
	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.sample_period = strtoull(argv[1], NULL, 10);
	attr.sample_type = PERF_SAMPLE_IP;
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	struct perf_event_mmap_page *ring =
		mmap(NULL, (RING_PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd < 0 || ring == MAP_FAILED) {
		perror("overflow");
		return 1;
	}
	while (cycles < ENOUGH * attr.sample_period) {
		for (turns = 0; turns < 1000; turns++)
			;
		if (read(fd, &cycles, sizeof(cycles)) != sizeof(cycles))
			return 1;
	}
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	if (read(fd, &cycles, sizeof(cycles)) != sizeof(cycles))
		return 1;
	/* the ring has room for all of them */
	const char *records = (const char *)ring + page;

	for (uint64_t at = 0; at < ring->data_head;) {
		const struct perf_event_header *header = (const void *)(records + at);

		samples += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
	}
	printf("cycles=%llu period=%llu samples=%lu\n", (unsigned long long)cycles,
	       (unsigned long long)attr.sample_period, samples);
	return 0;
}
