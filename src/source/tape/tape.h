#ifndef PERFTOP_SOURCE_TAPE_TAPE_H
#define PERFTOP_SOURCE_TAPE_TAPE_H

/*
 * What the model is given, as records of perf.data and back, without loss: readings are samples (at
 * a switch) or PERF_RECORD_READ (between switches), switches, births, deaths and names are what the
 * kernel wrote, and what perf has no record for is a note: the raw data of a software event
 * ("perftop", bpf-output) that perf shows as such and otherwise leaves alone.
 *
 * Records are in the order of delivery, so a tape needs no putting in order; times are such that
 * perf, which does, changes nothing within a CPU.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/decode.h"
#include "kernel/perfdata/writer.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"

struct target_pids;

#define TAPE_EVENT "perftop" /* name of the event that has the notes */

/* What is delivered besides records. */
struct tape_tick {
	uint64_t time_ns; /* end of the interval */
	int64_t wall_offset_ns;
	bool is_partial;
	bool is_start; /* the first interval begins here: what came before only says what runs */
	uint64_t own_cpu_ns, own_rss_bytes;
	uint32_t own_descriptors;
};

struct tape_writer; /* opaque */
struct tape_reader; /* opaque */

/* Takes the bytes of one record. */
typedef void tape_sink(void *context, const void *bytes, size_t size, uint64_t time_ns);

/*
 * Writing. The events of a layout get ids, one for each CPU of 0 to cpu_count - 1 and one for
 * tasks. A change of the layout or of the session is written at the end of an interval.
 */
struct tape_writer *tape_writer_create(int cpu_count, tape_sink *sink, void *context);
void tape_writer_destroy(struct tape_writer *writer);
/* Events as the file is to have them; good until the next call. `spec` finds the event_spec of a
 * member of a group, NULL: not known. It is asked for those that are new; of the others, which are
 * at the beginning as before, nothing is written again. */
const struct writer_event *tape_writer_events(
	struct tape_writer *writer, const struct layout *layout,
	const struct event_spec *(*spec)(const void *source, size_t group, size_t member),
	const void *source, size_t *count);
void tape_write_layout(struct tape_writer *writer, const struct layout *layout);
void tape_write_session(struct tape_writer *writer, const struct session *session);
void tape_write_targets(struct tape_writer *writer, const struct target_pids *targets);
void tape_write_user(struct tape_writer *writer, int64_t uid, const char *name);
void tape_write_tick(struct tape_writer *writer, const struct tape_tick *tick);
void tape_write(struct tape_writer *writer, const struct record *record);

/* All rings were emptied once (writer_round()); what is delivered later and is older than what perf
 * may have put in order by then is hidden from it in notes. */
void tape_write_round(struct tape_writer *writer);

/* What is older than this is hidden from perf as well. */
void tape_write_floor(struct tape_writer *writer, uint64_t time_ns);

/* For perf only: what runs already. tape_read() passes over it, as over all that has no time. */
void tape_show_process(struct tape_writer *writer, int32_t pid, int32_t tid, int32_t parent_pid);
void tape_show_comm(struct tape_writer *writer, int32_t pid, int32_t tid, const char *name);
void tape_show_mapping(struct tape_writer *writer, int32_t pid, const struct decoded_mmap *mapping);

enum tape_result {
	TAPE_NOTHING, /* for perf only, or not to be believed */
	TAPE_RECORD,
	TAPE_TICK,
	TAPE_LAYOUT,  /* tape_reader_layout() has changed */
	TAPE_SESSION, /* tape_reader_session() has changed */
	TAPE_WANTED   /* tape_reader_targets() has changed */
};

/* Reading. */
struct tape_reader *tape_reader_create(void);
void tape_reader_destroy(struct tape_reader *reader);

/*
 * One record of the file; is_note: of the event TAPE_EVENT. What comes out points into `decoded`
 * and into the reader, and is good until the next call.
 */
enum tape_result tape_read(struct tape_reader *reader, const struct decoded *decoded, bool is_note,
			   struct record *record, struct tape_tick *tick);
const struct layout *tape_reader_layout(const struct tape_reader *reader);
const struct session *tape_reader_session(const struct tape_reader *reader);
const struct target_pids *tape_reader_targets(const struct tape_reader *reader);

/* What was read of a user so far. NULL, and -1: nothing. */
const char *tape_reader_user(const struct tape_reader *reader, int64_t uid);
int64_t tape_reader_find_user(const struct tape_reader *reader, const char *name);

#endif
