#ifndef PERFTOP_SOURCE_CPUS_ARRIVALS_H
#define PERFTOP_SOURCE_CPUS_ARRIVALS_H

/*
 * A CPU whose groups count for a cgroup: they stand still while tasks outside run, and only a task
 * of the cgroup leaves a sample when it leaves. So between two readings one such task has run, or
 * none. When it came is known by the time that its group has counted.
 *
 * For all that follows idle runs behind each switch, until a task is found to have come.
 */

#include <stdbool.h>
#include <stdint.h>

struct cpu_stream;
struct record;
struct record_reading;

/* What is known of the task that came last. Empty: {0}. */
struct arrival {
	int32_t next_tid;                 /* came when the last one left, if it is in the cgroup */
	int32_t glanced_pid, glanced_tid; /* has been seen to run since; 0: none has */
	uint64_t since_ns;                /* nothing came before */
};

/*
 * Whether a task has come unseen before this reading, made at time_ns, which is to be delivered
 * first: *record is its arrival. leaves: the switch that the reading is of, NULL: of none, and who
 * runs is known only if it was glanced at.
 */
bool arrival_is_due(struct cpu_stream *stream, const struct record_reading *reading,
		    uint64_t time_ns, const struct record *leaves, struct record *record);

/* The task of this switch has left: it becomes one to idle. */
void arrival_hide_next(struct cpu_stream *stream, struct record *record);

/* This task runs. */
void arrival_glance(struct cpu_stream *stream, int32_t pid, int32_t tid);

#endif
