#ifndef PERFTOP_PERFDATA_REPLAY_H
#define PERFTOP_PERFDATA_REPLAY_H

/*
 * The source that delivers what a perf.data file holds, an interval at each source_tick(). The time
 * is that of the records, nothing depends on ours.
 *
 * Of perftop's own recordings (a recording, recording.h) it delivers exactly what was
 * delivered when it was made, and the intervals end where they ended then; with a longer interval
 * asked for, at the first of these ends that is not before it. Of perf's: records are put in order
 * by time (within the bounds that perf's rounds give), readings at context switches are readings,
 * other readings and samples are estimates (RECORD_ESTIMATE), and the session says so.
 *
 * The layout can change at the end of an interval: layout_changes counts.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

struct error;
struct recording_interval;
struct strbuf;
struct target_pids;

struct replay_request {
	const char *path;     /* "-": standard input */
	uint64_t interval_ns; /* asked for; 0: as recorded, or a second */
};

/* NULL: the file cannot be read or holds nothing that can be shown; error says why. */
struct source *replay_create(const struct replay_request *request, struct error *error);

/* Perf's recordings do not contain the user of a task. */
bool replay_has_users(const struct source *source);

/* What the recording says of a user so far. NULL, and -1: nothing. */
const char *replay_user(const struct source *source, int64_t uid);
int64_t replay_find_user(const struct source *source, const char *name);

/* Appends the namespaces of a task that are not those of process 1, as perf recorded them so far.
 */
void replay_add_namespaces(const struct source *source, int32_t tid, struct strbuf *words);

/* The name of the machine that it was made on; "" unknown. */
const char *replay_host_name(const struct source *source);

/* Whether it was made on this machine, as far as names show. */
bool replay_is_of_here(const struct source *source);

/* The processor of the machine it was made on (host_read_cpu_id()); "" unknown. */
const char *replay_cpu_id(const struct source *source);

/* Where it is. */
struct replay_position {
	uint64_t first_ns, last_ns; /* of the whole recording; last 0: not known (a pipe) */
	bool is_at_end;
};
struct replay_position replay_position(const struct source *source);

/*
 * source_next() has delivered all of the next interval, so that source_tick() ends it. False: it
 * has not been asked, or a pipe has not delivered it yet; more comes when its descriptor is
 * readable. An interval that is ended before that ends where the pipe has got to, and the first one
 * does not begin: tick_ns stays 0.
 */
bool replay_is_ready(const struct source *source);

/* End of the interval delivered last, with what the recording perftop used in it; NULL: unknown. */
const struct recording_interval *replay_interval(const struct source *source);

/*
 * The processes that the recording is about, which are not all that are in it; *changes counts, and
 * is 0 as long as nothing was said of it. Good until the next record is delivered.
 */
const struct target_pids *replay_targets(const struct source *source, uint64_t *changes);

/* Begins again with the first interval. False: a pipe cannot. */
bool replay_rewind(struct source *source, struct error *error);

/*
 * How much happens when: context switches (or samples, where there are none) in each of `count`
 * equal parts of the recording. False: not known, for a pipe. It reads the file through, once.
 */
bool replay_overview(struct source *source, uint64_t *parts, size_t count);

/* Nothing more is read; the remarks say why. */
void replay_stop(struct source *source, const struct error *why);

/* "end of file", "truncated: ...", how many records of what kind were left out: one sentence; "" */
void replay_remarks(const struct source *source, char *text, size_t size);

#endif
