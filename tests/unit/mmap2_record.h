#ifndef PERFTOP_TESTS_MMAP2_RECORD_H
#define PERFTOP_TESTS_MMAP2_RECORD_H

/* PERF_RECORD_MMAP2 as the manual of perf_event_open(2) has it. */

#include <stdint.h>

#include <linux/perf_event.h>

struct mmap2_record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t address, length, page_offset;
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	uint32_t protection, flags;
	char file[];
};

#endif
