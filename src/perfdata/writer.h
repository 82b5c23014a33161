#ifndef PERFTOP_PERFDATA_WRITER_H
#define PERFTOP_PERFDATA_WRITER_H

/*
 * Writes perf.data, the file of perf record: header and attributes first, then the records, at the
 * end the features and the header once more. What was written before an end that came too early is
 * readable. Into what cannot be sought (a pipe, a terminal is refused) it goes in pipe mode: all
 * that a reader must know comes before the records it is needed for.
 *
 * Records are gathered and written in portions; with a level of compression portions become
 * PERF_RECORD_COMPRESSED (zstd), as perf record -z does.
 *
 * A failing write is reported once; from then on everything is dropped, and the caller goes on.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/spec.h"

struct error;
struct host;
struct writer; /* opaque */

enum writer_event_kind {
	WRITER_LEADER,        /* context switches, each with a reading of the group:
				 attr_init_switch_leader() */
	WRITER_HOLDER,        /* dummy leader of a task's group: attr_init_task_leader() */
	WRITER_MEMBER,        /* counted in the group of the leader before it */
	WRITER_TIMELINE,      /* dummy: switches, births, deaths, names */
	WRITER_CLOCK_SAMPLES, /* with call chains: attr_init_profiler() */
	WRITER_CYCLES_SAMPLES,
	WRITER_EVENT_SAMPLES,   /* of an event, as a software event bpf-output: the period is how
				   often it occurred */
	WRITER_OFF_CPU_SAMPLES, /* the same as a software event bpf-output: the period is the time
				   off the CPU */
	WRITER_WAKER_SAMPLES,   /* the same of a task that wakes another: the period is one or more
				   wake-ups, the raw data the woken task's tid, 32 bits,
				   little-endian */
	WRITER_BRANCH_SAMPLES,  /* the same of a branch before a sample on the CPU: the chain is to
				   where and from where, the raw data its flags (struct
				   perf_branch_entry), 64 bits, little-endian */
	WRITER_ACCESS_SAMPLES,  /* of an event that says which memory is accessed, as the kernel
				   writes them */
	WRITER_NOTES /* software event bpf-output with raw data: what only perftop reads */
};

struct writer_event {
	enum writer_event_kind kind;
	const char *name;              /* borrowed for the call, as is what follows */
	const struct event_spec *spec; /* WRITER_MEMBER; NULL: not known */
};

/*
 * The events of a file are numbered as they come. Each has an id for each CPU of the file and one
 * of tasks (-1), made of its number, so that all of them can be written before the first record; 0
 * is no id.
 */
enum {
	WRITER_CPU_BITS = 20
};

static inline uint64_t writer_id(uint32_t event, int32_t cpu)
{
	return ((uint64_t)event + 1) << WRITER_CPU_BITS | (uint32_t)(cpu + 1);
}

/* The event of an id; UINT32_MAX: none. */
static inline uint32_t writer_id_event(uint64_t id)
{
	const uint64_t event = id >> WRITER_CPU_BITS;

	return event > 0 && event <= UINT32_MAX ? (uint32_t)(event - 1) : UINT32_MAX;
}

/*
 * "perftop" as config1 of the event of notes, which means nothing to the kernel: names are at the
 * end of a file, and one that has lost its end is still known.
 */
#define WRITER_NOTES_MARK UINT64_C(0x706f7466726570)

/* What all of its records have, by kind. Ids come first (IDENTIFIER), so that any reader finds
 * the event of a record. */
struct decode_format writer_format(enum writer_event_kind kind);

struct writer_request {
	const char *path; /* "-": standard output */
	int compression;  /* 0: none; 1 to 22 */
	bool is_internal; /* only perftop reads it, once it is finished: it need not be whole before
			   */
	const char *version;    /* of perftop */
	char *const *arguments; /* the command line, NULL-terminated; NULL: not known */
	const struct host *host;
	int32_t clock; /* of the times: CLOCK_MONOTONIC */
	int64_t wall_offset_ns;
	uint64_t begin_ns; /* what is older was before the recording; 0: nothing is */
	int cpu_count;     /* CPUs 0 to cpu_count - 1 have ids */
	const struct writer_event *events;
	size_t event_count;
};

/*
 * A file of that name is moved to NAME.old first, as perf does; a directory, a terminal and what
 * may not be written are refused.
 */
struct writer *writer_create(const struct writer_request *request, struct error *error);

/* Room for a record of up to ENCODE_SIZE_MAX, and one of this size and time has been written to it.
 */
void *writer_room(struct writer *writer);
void writer_commit(struct writer *writer, size_t size, uint64_t time_ns);

/* Writes out what was put so far; a file is whole then. Of a scratch file that is left to full
 * portions. False: writing has failed. */
bool writer_flush(struct writer *writer);

/* A whole interval has been written: what a later failure leaves can be read. */
void writer_note_interval(struct writer *writer);

/* From here on there are these events, too. */
void writer_change_events(struct writer *writer, const struct writer_event *events, size_t count);

/* A file that was mapped here, for the build ids: build_ids_note(). */
void writer_note_file(struct writer *writer, const char *path, uint64_t inode);

/* Why writing has failed; NULL: it has not. */
const struct error *writer_failure(const struct writer *writer);

uint64_t writer_bytes(const struct writer *writer); /* so far */

/* Completes the file and frees the writer. False: it could not be completed; NULL is allowed. */
bool writer_finish(struct writer *writer, struct error *error);

#endif
