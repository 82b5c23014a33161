#ifndef PERFTOP_SESSION_RECORDINGS_H
#define PERFTOP_SESSION_RECORDINGS_H

/*
 * What is written as perf.data while it is counted: the recording that the user has asked for, and
 * the past. The past is two recordings in files of our own. When the younger one has all that is to
 * be kept it is the elder one from then on, and what that was before is deleted: so the elder one
 * has at least as much as is kept, and at most twice as much.
 */

#include <stdbool.h>
#include <stdint.h>

#include <sys/types.h>

#include "base/error.h"

struct engine;
struct own_usage;
struct record;
struct recorder;

enum recording_use {
	RECORDING_ASKED,
	RECORDING_ELDER,
	RECORDING_YOUNGER,
	RECORDING_USES
};

struct recordings {
	struct recorder *of[RECORDING_USES]; /* owned; NULL: there is none */
	bool are_on;                         /* one of them */
	bool has_failed;                     /* one that was asked for is not whole */
	struct {
		uint64_t keep_ns;     /* 0: nothing is kept */
		uint64_t begun_ns;    /* the younger one */
		char *folder;         /* owned; of both files; it goes at the end of all */
		unsigned int count;   /* of the files that there were */
		bool is_held;         /* the elder one goes on: it is to be saved */
		struct error failure; /* none: it goes on */
		struct past_copy {
			pid_t pid;         /* of the process that copies; 0: none */
			char *from, *path; /* owned */
		} copy;
	} past;
};

/* The one that is asked for, right after a tick or before the first one (engine.h). */
bool recordings_begin(struct engine *engine, const char *path, int compression,
		      char *const *arguments, struct error *error);

/* Everything the model is given, in that order. Only while are_on. */
void recordings_take(struct engine *engine, const struct record *record);
void recordings_round(struct engine *engine);

/* The model has begun (own: NULL), or closed an interval, at the source's tick. */
void recordings_tick(struct engine *engine, const struct own_usage *own);

/* What the source counts has changed, right after a tick. */
void recordings_change(struct engine *engine);

/* The target processes have. */
void recordings_set_targets(struct engine *engine);

/*
 * From now on all records of the last keep_s seconds are kept, at least: in files of a folder of
 * our own in $TMPDIR or /var/tmp. False: error says why they cannot be.
 */
bool recordings_keep_past(struct engine *engine, uint64_t keep_s, struct error *error);

/* A tick is over: the younger recording of the past begins, where it is time. */
void recordings_turn(struct engine *engine);

/* Ends all. */
void recordings_fini(struct engine *engine);

#endif
