#ifndef PERFTOP_SESSION_PROCINFO_H
#define PERFTOP_SESSION_PROCINFO_H

/*
 * What /proc says of tasks, fed to the model as records: names, users and parents of tasks that
 * run, idle tasks that have never run, sums of waits, and which tasks are gone.
 */

#include <stdbool.h>
#include <stdint.h>

struct engine;
struct process_account;
struct snapshot;

/* Answers what the model asks about tasks that are new to it. */
void procinfo_answer(struct engine *engine);

/*
 * Users, sessions, parents and cgroups (where these are wanted) change without a record. Of tasks
 * that ran some are looked at in each interval, in turn; what has changed is fed in the interval
 * that follows the snapshot, and so is every cgroup that is not known yet.
 */
void procinfo_refresh(struct engine *engine, const struct snapshot *snapshot);

/* engine_introduce() */
void procinfo_introduce(struct engine *engine, int32_t pid);

/* What /proc says of one thread, and that it has ended. */
void procinfo_introduce_thread(struct engine *engine, int32_t tid);
void procinfo_end(struct engine *engine, int32_t pid, int32_t tid);

/* Some of the processes that wait for their introduction. */
void procinfo_introduce_some(struct engine *engine);

/* The processes asked for have rows even while they sleep. */
void procinfo_introduce_targets(struct engine *engine);

/*
 * Where nothing reports wake-ups the kernel's own sums do, for tasks that ran: no other has waited
 * to the end.
 */
void procinfo_feed_run_delays(struct engine *engine);

/* Where records were lost, deaths may be among them: a task not there any more has ended. */
void procinfo_find_the_dead(struct engine *engine, const struct snapshot *snapshot);

/* A processes_asker: what /proc keeps account of for a task. */
bool procinfo_account(void *context, int32_t pid, int32_t tid, bool wants_io,
		      struct process_account *account);

#endif
