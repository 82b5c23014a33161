#ifndef PERFTOP_MODEL_SCHED_STATE_H
#define PERFTOP_MODEL_SCHED_STATE_H

/*
 * Which task runs on which CPU, as the records between the readings report: switches, losses, and
 * CPUs that come and go. Which task the readings belong to is the matter of attribution.h.
 */

#include <stdbool.h>

struct attribution;
struct record;
struct task;

/* record->cpu is below ATTRIBUTION_CPUS_MAX and not negative in all of these. */
void sched_state_switch_out(struct attribution *attribution, const struct record *record);
void sched_state_switch_in(struct attribution *attribution, const struct record *record);

/*
 * RECORD_SWITCH, whatever is in it, when nothing is special about it: the task that leaves is known
 * to run, and its slice is what the reading has counted since the one before. The same as the
 * reading and both of the above, without what they have to find out. False: nothing was done, they
 * have to.
 */
bool sched_state_plain_switch(struct attribution *attribution, const struct record *record);

void sched_state_exec(struct attribution *attribution, const struct record *record);
void sched_state_lost(struct attribution *attribution, const struct record *record);
void sched_state_cpu_online(struct attribution *attribution, const struct record *record);
void sched_state_cpu_offline(struct attribution *attribution, const struct record *record);

/* No CPU has the task any more: from now on it is fed otherwise. */
void sched_state_release(struct attribution *attribution, struct task *task);

#endif
