#ifndef PERFTOP_PERFDATA_READER_H
#define PERFTOP_PERFDATA_READER_H

/*
 * Reads perf.data, the file of perf record (Linux: tools/perf/Documentation/perf.data-file-format),
 * from a file or a pipe: its attributes, its features, and its records one after another in the
 * order of the file. Compressed records are unpacked; those that the kernel did not write (of
 * perf's own) are understood here or skipped and counted. Recordings of the other byte order are
 * refused.
 *
 * Bytes are input: nothing is believed that the file does not hold, memory does not grow with what
 * a file says of itself, and what ends early gives what there is.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/topology.h"
#include "kernel/decode.h"

struct build_ids;
struct error;
struct tracing_formats;
struct perfdata; /* opaque: a file that is read */

enum {
	PERFDATA_NAME_MAX = 256,
	PERFDATA_TEXT_MAX = 512
};

/* One event: how its records are written, and what it counts. */
struct perfdata_event {
	char name[PERFDATA_NAME_MAX]; /* from EVENT_DESC or EVENT_UPDATE; otherwise made of type and
					 config: "cycles", "r1c2"; the same name may come twice */
	char unit[24];
	double scale; /* 1 where none is given */
	struct decode_format format;
	struct sample_offsets offsets; /* the same */
	uint32_t type;
	uint64_t config, config1;
	uint64_t period; /* sample_period, or sample_freq with is_frequency */
	bool is_frequency, reports_switches;
	bool exclude_user, exclude_kernel;
	bool begins_with_exec; /* of a command's tasks, which perf started */
	uint64_t *ids;         /* owned by the reader */
	size_t id_count, id_capacity;
	size_t leader; /* index of its group's leader; its own when it has none */
};

/* What the features say; "" and 0: unknown. */
struct perfdata_info {
	char host[PERFDATA_TEXT_MAX], release[PERFDATA_TEXT_MAX], version[PERFDATA_TEXT_MAX];
	char cpu_id[PERFDATA_TEXT_MAX];  /* host_read_cpu_id() of kernel/host.h */
	char command[PERFDATA_TEXT_MAX]; /* words joined by blanks */
	uint32_t cpus_online;
	uint32_t cpus_available;    /* those that are offline, too */
	struct topology topology;   /* CPU_TOPOLOGY, borrowed from the reader */
	uint64_t first_ns, last_ns; /* SAMPLE_TIME */
	bool has_wall;              /* CLOCK_DATA */
	int64_t wall_offset_ns;     /* wall clock = record time + this */
	bool is_pipe;
	bool is_spooled; /* a file that came through a pipe: it cannot be opened again */
	bool is_large;   /* a pipe: it has more events, or ids of them, than are kept */
	const struct build_ids *build_ids; /* of files; borrowed from the reader; NULL: none */
	const void *tracing;               /* TRACING_DATA, borrowed from the reader; NULL: none */
	size_t tracing_size;
	const struct tracing_formats *formats; /* that are in it, borrowed; NULL: none */
};

struct perfdata_counts {
	uint64_t records;  /* that were delivered */
	uint64_t unknown;  /* of a type that this does not know, skipped */
	uint64_t broken;   /* that contradict their event's format */
	uint64_t bytes;    /* of the file that were read */
	const char *trace; /* the PMU of which there is trace data, which is skipped; NULL: none */
	bool has_stat;     /* and counts of perf stat record */
	bool is_truncated; /* the file ends before it should, or cannot be read on: why says it */
	char why[PERFDATA_TEXT_MAX];
};

/* One record, in our byte order. */
struct perfdata_record {
	const void *bytes; /* 8-aligned; good until the next call */
	size_t size;
	size_t event;     /* that has its format: by its id, or the only one there is */
	uint64_t time_ns; /* 0: it has none */
	bool has_news;    /* preceded by what may have changed events or info */
	const struct decoded *decoded; /* the same by decode_record(); good until the next call */
};

enum perfdata_result {
	PERFDATA_RECORD,
	PERFDATA_ROUND, /* perf's FINISHED_ROUND: what was delivered before the last round is
			   complete, nothing older will come */
	PERFDATA_WAIT,  /* a pipe has nothing now */
	PERFDATA_END
};

/*
 * Opens a file, or standard input for "-". NULL: it is none, or cannot be read; error says why. Of
 * a pipe only the first bytes are awaited.
 */
struct perfdata *perfdata_open(const char *path, struct error *error);
void perfdata_close(struct perfdata *file); /* NULL is allowed */

enum perfdata_result perfdata_next(struct perfdata *file, struct perfdata_record *record);

/* Waits until a pipe has something. */
void perfdata_await(const struct perfdata *file);

/* Reads until the first record, which perfdata_next() still delivers: then the events of a pipe are
 * known. */
void perfdata_read_ahead(struct perfdata *file);

/* Nothing more is read. */
void perfdata_stop(struct perfdata *file);

/* From the first record again. False: a pipe cannot. */
bool perfdata_rewind(struct perfdata *file);

/*
 * The events; of a pipe they come with the first records, so there may be more after each call of
 * perfdata_next().
 */
const struct perfdata_event *perfdata_events(const struct perfdata *file, size_t *count);
const struct perfdata_info *perfdata_info(const struct perfdata *file);
/*
 * The format of the tracepoint with this number, as text that the caller frees. NULL: there is
 * none, or TRACING_DATA cannot be understood.
 */
char *perfdata_find_format(const struct perfdata_info *info, uint64_t number);
const struct perfdata_counts *perfdata_counts(const struct perfdata *file);

/* Index of the event with this id; -1: none. */
long perfdata_find_event(struct perfdata *file, uint64_t id);

/* To be polled for PERFDATA_WAIT; of a file that never waits -1. */
int perfdata_fd(const struct perfdata *file);

#endif
