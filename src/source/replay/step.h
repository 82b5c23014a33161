#ifndef PERFTOP_SOURCE_REPLAY_STEP_H
#define PERFTOP_SOURCE_REPLAY_STEP_H

/* How far a replay has got. */
enum replay_step {
	REPLAY_RECORD, /* a record */
	REPLAY_DUE,    /* the interval is over, it can be closed */
	REPLAY_WAITS,  /* a pipe has nothing just now */
	REPLAY_CLOSED  /* it was closed, the next one begins */
};

#endif
