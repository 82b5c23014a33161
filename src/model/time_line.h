#ifndef PERFTOP_MODEL_TIME_LINE_H
#define PERFTOP_MODEL_TIME_LINE_H

/*
 * Who runs on which CPU, as the records between the readings tell: switches, losses, and CPUs that
 * come and go. Whose the readings are then is the matter of attribution.h.
 */

struct attribution;
struct record;
struct task;

/* record->cpu is below ATTRIBUTION_CPUS_MAX and not negative in all of these. */
void time_line_switch_out(struct attribution *attribution, const struct record *record);
void time_line_switch_in(struct attribution *attribution, const struct record *record);
void time_line_exec(struct attribution *attribution, const struct record *record);
void time_line_lost(struct attribution *attribution, const struct record *record);
void time_line_cpu_online(struct attribution *attribution, const struct record *record);
void time_line_cpu_offline(struct attribution *attribution, const struct record *record);

/* No CPU has the task any more: from now on it is fed otherwise. */
void time_line_release(struct attribution *attribution, struct task *task);

#endif
