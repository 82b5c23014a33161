#ifndef PERFTOP_PERFDATA_RECORDING_H
#define PERFTOP_PERFDATA_RECORDING_H

/*
 * What the model is given, as records of perf.data and back, without loss: readings are samples (at
 * a switch) or PERF_RECORD_READ (between switches), switches, births, deaths and names are what the
 * kernel wrote, and what perf has no record for is a note: the raw data of a software event
 * ("perftop", bpf-output) that perf shows as such and otherwise leaves alone.
 *
 * Records are in the order of delivery, and are read in that order. perf sorts them by time; there
 * is no PERF_RECORD_FINISHED_ROUND, so it sorts the whole file.
 */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/stall.h"
#include "base/strbuf.h"
#include "base/topology.h"
#include "kernel/decode.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "source/target_pids.h"

#include "perfdata/writer.h"

#define RECORDING_EVENT "perftop" /* name of the event that has the notes */

/*
 * What the writer and the reader agree on besides the records: which events are first in the file,
 * and bits of the headers of a reading (PERF_RECORD_READ) and of a switch, where they have no
 * meaning to perf; the latter are the state in which the task left.
 */
enum {
	RECORDING_TIMELINE = 0,
	RECORDING_NOTES = 1,
	RECORDING_MISC_SAMPLE = 1 << 12, /* it is that of the sample behind it */
	RECORDING_MISC_RESTARTS = 1 << 13,
	RECORDING_MISC_SWITCHES = 1 << 14,
	RECORDING_MISC_STATE = 8, /* its lowest bit; of samples that of enum sample_kind */
	RECORDING_STATE_MASK = 15
};
static_assert(TASK_STATES <= RECORDING_STATE_MASK + 1, "a state has four bits");

/* What is delivered besides records. */
struct recording_interval {
	uint64_t time_ns; /* end of the interval */
	int64_t wall_offset_ns;
	bool is_partial;
	bool is_start; /* the first interval begins here: what came before only says what runs */
	uint64_t own_cpu_ns, own_rss_bytes;
	uint32_t own_descriptors;
	uint32_t own_budget_mpct, own_counting_mpct; /* as of struct own_usage */
	uint64_t own_switch_ns;                      /* estimate; 0: not known */
	uint64_t own_samples_ns;                     /* likewise */
};

struct recording_writer; /* opaque */

/* The event_spec of a member of a group; NULL: not known. */
typedef const struct event_spec *recording_find_spec(const void *source, size_t group,
						     size_t member);

/* Where the records are written, one by one. */
struct recording_sink {
	void *(*room)(void *context); /* for the next one, ENCODE_SIZE_MAX */
	void (*commit)(void *context, size_t size, uint64_t time_ns); /* it has been written */
	void *context;
};

/*
 * Writing. The events of a layout get ids, one for each CPU of 0 to cpu_count - 1 and one for
 * tasks. A change of the layout or of the session is written at the end of an interval.
 */
struct recording_writer *recording_writer_create(int cpu_count, struct recording_sink sink);
void recording_writer_destroy(struct recording_writer *writer);
/* The events that the file needs for the layout and does not have yet, with names of the layout;
 * good until the next call. To be called before the layout is written. */
const struct writer_event *recording_writer_events(struct recording_writer *writer,
						   const struct layout *layout,
						   recording_find_spec *spec, const void *source,
						   size_t *count);
/* The same of the event that samples are of from now on; NULL: it has been given already. name: of
 * WRITER_EVENT_SAMPLES and WRITER_ACCESS_SAMPLES. */
const struct writer_event *recording_writer_sampler(struct recording_writer *writer,
						    enum writer_event_kind kind, const char *name);
void recording_write_layout(struct recording_writer *writer, const struct layout *layout);
void recording_write_session(struct recording_writer *writer, const struct session *session);
void recording_write_targets(struct recording_writer *writer, const struct target_pids *targets);
void recording_write_user(struct recording_writer *writer, int64_t uid, const char *name);
void recording_write_interval(struct recording_writer *writer,
			      const struct recording_interval *interval);
void recording_write(struct recording_writer *writer, const struct record *record);

/* Notes are of this time at the earliest. */
void recording_write_from(struct recording_writer *writer, uint64_t time_ns);

/* COMM and MMAP records of tasks that run already, for perf. recording_read() skips records without
 * a time, and so these. */
void recording_show_process(struct recording_writer *writer, int32_t pid, int32_t tid,
			    int32_t parent_pid);
void recording_show_comm(struct recording_writer *writer, int32_t pid, int32_t tid,
			 const char *name);
void recording_show_mapping(struct recording_writer *writer, int32_t pid,
			    const struct decoded_mmap *mapping);

enum recording_result {
	RECORDING_NOTHING, /* for perf only, or not to be believed */
	RECORDING_RECORD,
	RECORDING_INTERVAL,
	RECORDING_LAYOUT,  /* the reader's has changed, as with the next two */
	RECORDING_SESSION, /* recording_reader_session() has changed */
	RECORDING_TARGETS
};

/* Kinds of notes: notes.h. */
enum note_kind {
	NOTE_RECORD = 1,
	NOTE_TICK = 2,
	NOTE_LAYOUT = 3, /* JSON (json.c), in as many notes as it takes */
	NOTE_SESSION = 4,
	NOTE_TARGETS = 5,
	NOTE_USER = 6
};

/* Readings of a switch that is still to come, with their values. */
struct kept_readings {
	struct record_reading *readings;              /* owned */
	uint64_t (*values)[LAYOUT_GROUP_MEMBERS_MAX]; /* owned; of these */
	size_t count, capacity;
};

void kept_readings_add(struct kept_readings *kept, const struct record_reading *reading,
		       size_t value_count);

/* The switch has them, until one is added again. */
void kept_readings_give(struct kept_readings *kept, struct record_switch *ctx_switch);
void kept_readings_fini(struct kept_readings *kept);

/* Of a CPU: what came of the switch that follows. */
struct recording_cpu {
	struct kept_readings readings;
	char name[TASK_NAME_MAX + 1]; /* of the task that leaves in it; "": not given */
	int32_t announced; /* the incoming task of the last one, which says so again, from 1; 0:
			      none */
};

/* Reading: what was read so far. */
struct recording_reader {
	struct layout layout; /* owned; no groups: none was read yet */
	uint32_t *leaders;    /* owned; one per group of the layout */
	struct session session;
	struct topology topology;   /* owned; of the session */
	struct target_pids targets; /* owned */
	struct map users;           /* owns the names, by uid */
	uint64_t frames[SAMPLE_FRAMES_MAX];
	struct record_reading sampled; /* of the sample that follows */
	uint64_t sampled_values[LAYOUT_GROUP_MEMBERS_MAX];
	bool has_sampled;
	struct recording_cpu *cpus; /* owned; by number, behind what is of no CPU */
	size_t cpu_count;
	struct strbuf text; /* of what comes in parts */
	enum note_kind text_kind;
	uint64_t left_out; /* notes and readings that contradict the rest, or cannot be read */
	char name[64];
	uint64_t numbers[STALL_NUMBERS];
};

struct recording_reader *recording_reader_create(void);
void recording_reader_destroy(struct recording_reader *reader);

/*
 * One record of the file; is_note: of the event RECORDING_EVENT. What comes out points into
 * `decoded` and into the reader, and is good until the next call.
 */
enum recording_result recording_read(struct recording_reader *reader, const struct decoded *decoded,
				     bool is_note, struct record *record,
				     struct recording_interval *tick);

/* What was read of a user so far. NULL, and -1: nothing. */
const char *recording_reader_user(const struct recording_reader *reader, int64_t uid);
int64_t recording_reader_find_user(const struct recording_reader *reader, const char *name);

#endif
