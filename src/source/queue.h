#ifndef PERFTOP_SOURCE_QUEUE_H
#define PERFTOP_SOURCE_QUEUE_H

/*
 * What the session says of run-queue waits: by which records they are known, or why they are not.
 */

#include <stdbool.h>

struct error;
struct session;

/* Each wake-up is reported, by this event of the scheduler ("sched:sched_waking"). */
void queue_report_wakeups(struct session *session, const char *event);

/*
 * Where wake-ups are not reported: sums of /proc, when they are wanted and the kernel has them.
 * refusal says why there is nothing better; NULL: there never is.
 */
void queue_report_without(struct session *session, bool is_wanted, const struct error *refusal);

#endif
