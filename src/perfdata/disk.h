#ifndef PERFTOP_PERFDATA_DISK_H
#define PERFTOP_PERFDATA_DISK_H

/*
 * What is in a perf.data file besides the kernel's records (Linux:
 * tools/perf/Documentation/perf.data-file-format): its header, the numbers of features, and the
 * types of records that perf itself writes. All words have the byte order of the machine that wrote
 * them.
 */

#include <stdint.h>

/* "PERFILE2" as a little-endian machine writes it, and "PERFFILE" of old. */
#define DISK_MAGIC     UINT64_C(0x32454c4946524550)
#define DISK_MAGIC_OLD UINT64_C(0x454c494646524550)

enum {
	DISK_PIPE_BYTES = 16, /* magic and this size: the whole header of a pipe */
	DISK_ATTR_LEAST = 64, /* bytes of an attribute of the first perf; later ones are longer */
	DISK_TEXT_ALIGN = 64, /* strings of features are padded to it */
	DISK_RECORD_MAX = 65528, /* a record's size has 16 bits, and most are padded to words */
	DISK_FEATURE_WORDS = 4
};

struct disk_section {
	uint64_t offset, size; /* bytes of the file */
};

struct disk_header {
	uint64_t magic;
	uint64_t size;      /* of this header */
	uint64_t attr_size; /* of an entry of `attrs`: an attribute and the section of its ids */
	struct disk_section attrs, data, event_types; /* the last is no longer written */
	uint64_t features[DISK_FEATURE_WORDS];        /* bits; their sections follow the data */
};

enum disk_feature {
	DISK_TRACING_DATA = 1,
	DISK_BUILD_ID = 2,
	DISK_HOSTNAME = 3,
	DISK_OSRELEASE = 4,
	DISK_VERSION = 5,
	DISK_ARCH = 6,
	DISK_NRCPUS = 7,
	DISK_CPUDESC = 8,
	DISK_CPUID = 9,
	DISK_TOTAL_MEM = 10,
	DISK_CMDLINE = 11,
	DISK_EVENT_DESC = 12,
	DISK_CPU_TOPOLOGY = 13,
	DISK_NUMA_TOPOLOGY = 14,
	DISK_PMU_MAPPINGS = 16,
	DISK_GROUP_DESC = 17,
	DISK_SAMPLE_TIME = 21,
	DISK_CLOCKID = 23,
	DISK_COMPRESSED = 27,
	DISK_CLOCK_DATA = 29,
	DISK_FEATURES = 64 /* more than there are, of the bits of DISK_FEATURE_WORDS */
};

/* PERF_RECORD_ types above the kernel's. */
enum disk_type {
	DISK_RECORD_ATTR = 64,
	DISK_RECORD_EVENT_TYPE = 65, /* obsolete: every perf skips it */
	DISK_RECORD_TRACING_DATA = 66,
	DISK_RECORD_BUILD_ID = 67,
	DISK_RECORD_FINISHED_ROUND = 68,
	DISK_RECORD_ID_INDEX = 69,
	DISK_RECORD_AUXTRACE_INFO = 70,
	DISK_RECORD_AUXTRACE = 71,
	DISK_RECORD_AUXTRACE_ERROR = 72,
	DISK_RECORD_THREAD_MAP = 73,
	DISK_RECORD_CPU_MAP = 74,
	DISK_RECORD_STAT_CONFIG = 75,
	DISK_RECORD_STAT = 76,
	DISK_RECORD_STAT_ROUND = 77,
	DISK_RECORD_EVENT_UPDATE = 78,
	DISK_RECORD_TIME_CONV = 79,
	DISK_RECORD_FEATURE = 80,
	DISK_RECORD_COMPRESSED = 81,
	DISK_RECORD_FINISHED_INIT = 82,
	DISK_RECORD_COMPRESSED2 = 83
};

/* What an EVENT_UPDATE says of an event. */
enum disk_update {
	DISK_UPDATE_UNIT = 0,
	DISK_UPDATE_SCALE = 1,
	DISK_UPDATE_NAME = 2
};

#endif
