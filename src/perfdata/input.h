#ifndef PERFTOP_PERFDATA_INPUT_H
#define PERFTOP_PERFDATA_INPUT_H

/*
 * A perf file with known events: in a pipe they come before the first record, which is therefore
 * read ahead.
 */

#include <stdbool.h>

#include "perfdata/reader.h"

struct replay_input {
	struct perfdata *file; /* owned */
	struct perfdata_record first;
	bool has_first; /* it is still to be delivered */
	bool is_ended;
};

/* False: it cannot be read. Of a pipe the first record is waited for. */
bool replay_input_open(struct replay_input *input, const char *path, struct error *error);
void replay_input_close(struct replay_input *input);

enum perfdata_result replay_input_next(struct replay_input *input, struct perfdata_record *record);

/* False: a pipe cannot. */
bool replay_input_rewind(struct replay_input *input);

/* How far a replay has got. */
enum replay_step {
	REPLAY_RECORD, /* a record */
	REPLAY_DUE,    /* the interval is over, it can be closed */
	REPLAY_WAITS,  /* a pipe has nothing just now */
	REPLAY_CLOSED  /* it was closed, the next one begins */
};

#endif
