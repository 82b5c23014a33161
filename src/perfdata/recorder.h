#ifndef PERFTOP_PERFDATA_RECORDER_H
#define PERFTOP_PERFDATA_RECORDER_H

/*
 * Writes what a source delivers as perf.data while it is delivered: a recording (recording.h) in a
 * writer (writer.h). It can begin and end at any time between intervals.
 */

#include <stdbool.h>
#include <stdint.h>

#include "perfdata/recording.h"

struct error;
struct host;
struct recorder; /* opaque */
struct source;
struct target_pids;

struct recorder_request {
	const char *path;
	int compression;
	bool is_internal; /* as of struct writer_request */
	const char *version;
	char *const *arguments;
	const struct host *host;
	const struct source *source;       /* the file begins with its layout and session */
	const struct target_pids *targets; /* the processes that are shown when it is replayed */
	/* The name of a user, good until the next call; NULL: none are written. */
	const char *(*user_name)(void *context, int64_t uid);
	void *user_context;
	uint64_t since_ns; /* what comes first is of the time before this one, and only says what
			      was known by then; 0: it begins with the source */
};

struct recorder *recorder_create(const struct recorder_request *request, struct error *error);

/* Everything the model is given, in that order. */
void recorder_take(struct recorder *recorder, const struct record *record);
void recorder_round(struct recorder *recorder);
void recorder_tick(struct recorder *recorder, const struct recording_interval *tick);
/* The source's layout or session has changed, right after a tick. */
void recorder_change(struct recorder *recorder, const struct source *source);

/* The target processes from now on. */
void recorder_set_targets(struct recorder *recorder, const struct target_pids *targets);

const struct error *recorder_failure(const struct recorder *recorder); /* NULL: none */
uint64_t recorder_bytes(const struct recorder *recorder);
const char *recorder_path(const struct recorder *recorder);

/* Completes the file. False: error says why it is not whole. NULL is allowed. */
bool recorder_finish(struct recorder *recorder, struct error *error);

#endif
