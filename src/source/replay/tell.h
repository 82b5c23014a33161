#ifndef PERFTOP_SOURCE_REPLAY_TELL_H
#define PERFTOP_SOURCE_REPLAY_TELL_H

/* The item of perf's file that is next, as records. */

struct item;
struct replay_perf;

/* Adds them to perf->out, which is empty. */
void replay_tell(struct replay_perf *perf, const struct item *item);

#endif
