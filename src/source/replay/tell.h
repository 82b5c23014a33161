#ifndef PERFTOP_SOURCE_REPLAY_TELL_H
#define PERFTOP_SOURCE_REPLAY_TELL_H

/* An item of perf's file, whose turn it is, as records. */

struct item;
struct replay_perf;

/* Adds them to perf->out, which is empty. */
void replay_tell(struct replay_perf *perf, const struct item *item);

#endif
