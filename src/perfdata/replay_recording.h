#ifndef PERFTOP_PERFDATA_REPLAY_RECORDING_H
#define PERFTOP_PERFDATA_REPLAY_RECORDING_H

/*
 * Our own recordings: what the model was given is delivered again, and intervals end where they
 * ended. With a longer interval asked for they end at the first of these ends that is not before
 * it, and always where the layout changes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"
#include "source/target_pids.h"

#include "perfdata/input.h"
#include "perfdata/recording.h"

struct perfdata;
struct replay_input;

struct replay_recording {
	struct replay_input *input; /* borrowed */
	struct source *source;      /* borrowed */
	const char *path;           /* borrowed */
	uint64_t interval_ns;       /* 0: as recorded */
	struct recording_reader *reader;
	struct record held; /* the next record, when it is not yet its turn */
	bool has_held;
	struct recording_interval held_tick; /* likewise */
	bool has_held_tick;
	struct recording_interval tick; /* the last one */
	uint64_t first_ns;              /* of the first interval */
	uint64_t begun_ns;              /* of the interval */
	uint64_t now_ns;
	bool is_started, is_due, is_closing, is_over, is_ended;
	bool has_tick;           /* one since the interval began */
	uint64_t interval_count; /* that were delivered, including the start */
	bool has_layout,
		has_session; /* they came after the tick: they hold from the next interval on */
	struct target_pids targets; /* owned; the processes that the recording is about */
	uint64_t target_pids_changes;
	bool has_targets; /* it has changed: that holds from the next record on */
	bool has_settled; /* and a tick does not */
	bool is_waiting;
};

/* Whether the file is one: it has an event called RECORDING_EVENT, or with its mark. */
bool replay_recording_is(const struct perfdata *file);

struct replay_recording *replay_recording_create(struct replay_input *input, struct source *source,
						 const char *path, uint64_t interval_ns);
void replay_recording_destroy(struct replay_recording *recording);
enum replay_step replay_recording_next(struct replay_recording *recording, struct record *record);
void replay_recording_close(struct replay_recording *recording);

#endif
