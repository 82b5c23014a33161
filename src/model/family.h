#ifndef PERFTOP_MODEL_FAMILY_H
#define PERFTOP_MODEL_FAMILY_H

/*
 * Threads and their processes, processes and their parents. A process is its first thread, which is
 * there as long as any other is; what it has of its parent and its session all of them have.
 *
 * A parent is known by what it is and not by its pid, which may be another's one day. When it ends
 * its children have another one, which no record reports: that is asked for.
 */

#include <stdint.h>

struct task;
struct task_table;

/* `thread` is one of the process of `first`, its first thread, which is asked for if need be. */
void family_join(struct task_table *table, struct task *thread, struct task *first);
void family_leave_process(struct task *thread);

/* From a process' first thread: its parent is the one that has this pid now; 0: it has none. */
void family_set_parent(struct task_table *table, struct task *process, int32_t pid,
		       uint64_t time_ns);
void family_set_session(struct task_table *table, struct task *process, int32_t session);

/* Its process executes a program: all other threads have ended, whichever of them did so. */
void family_execute(struct task_table *table, struct task *first, uint64_t time_ns);

/* If the task was a process that has ended: its living children have no known parent, and are asked
 * for. */
void family_orphan(struct task_table *table, struct task *task);

/* It is about to be destroyed. */
void family_leave(struct task *task);

#endif
