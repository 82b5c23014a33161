#ifndef PERFTOP_SOURCE_REPLAY_EMIT_H
#define PERFTOP_SOURCE_REPLAY_EMIT_H

/* The record of perf's file that is next, as records of the model. */

struct queued;
struct replay_perf;

/* Adds them to perf->out, which is empty. */
void replay_emit(struct replay_perf *perf, const struct queued *queued);

#endif
