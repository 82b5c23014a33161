#ifndef PERFTOP_MODEL_SCHED_STATE_H
#define PERFTOP_MODEL_SCHED_STATE_H

/*
 * Which task runs on which CPU, as the records between the switches report: losses, and CPUs that
 * come and go. What switches and readings report is the matter of attribution.h.
 */

#include <stdbool.h>

struct attribution;
struct record;
struct task;

/* record->cpu is below TOPOLOGY_CPUS_MAX and not negative in all of these. */
void sched_state_exec(struct attribution *attribution, const struct record *record);
void sched_state_lost(struct attribution *attribution, const struct record *record);
void sched_state_cpu_online(struct attribution *attribution, const struct record *record);
void sched_state_cpu_offline(struct attribution *attribution, const struct record *record);

/* No CPU has the task any more: from now on it is fed otherwise. */
void sched_state_release(struct attribution *attribution, struct task *task);

#endif
