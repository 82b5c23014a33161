#ifndef PERFTOP_MODEL_MODEL_H
#define PERFTOP_MODEL_MODEL_H

/*
 * The model: records in, snapshots out. It knows every task that was seen, every
 * CPU, and what each of them consumed in this interval and since the start.
 *
 * It is pure: no system call, no clock; its time is that of the records. The same
 * records give the same snapshots.
 *
 * Life: create, feed the first readings and switches, model_start(), then for each
 * interval feed and close. What was fed before model_start() only says which task
 * runs where; nothing of it is counted.
 */

#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"
#include "model/record.h"
#include "model/snapshot.h"

struct history;
struct model; /* opaque */
struct parallel_scope;
struct session;
struct session_samples;
struct topology;

struct task_ref {
	int32_t pid, tid;
};

/* The layout is copied. */
struct model *model_create(const struct layout *layout);

/* Tasks of a model without tasks get ids that none of `before` had. */
void model_continue_ids(struct model *model, const struct model *before);
void model_destroy(struct model *model);

/*
 * From now on records come in this layout, which is a later state of the one before; it is copied.
 * Between intervals only: right after model_close_interval() or before model_start(). Nothing
 * counted is lost. Groups with a changed generation begin with a new baseline, readings of
 * groups that were closed are refused.
 *
 * The snapshot of the last close stays good, and becomes one of the new layout: its vectors are
 * wider and are elsewhere, so a snapshot_restrict() of it must be made anew. What it did not
 * count is unknown in it: the counting time of a group that got new members is zero.
 */
void model_change_layout(struct model *model, const struct layout *layout);

/* Takes one record. Any record is allowed at any time; nonsense is counted as lost, never believed.
 */
void model_feed(struct model *model, const struct record *record);

/* Forgets what was counted so far; the first interval begins at time_ns. */
void model_start(struct model *model, uint64_t time_ns);

/*
 * Ends the interval at time_ns and gives what it held. The snapshot belongs to the
 * model and is good until the next call, or model_start(); snapshot_copy() keeps it longer.
 * Tasks that exited and have left their CPU are forgotten after this; should the last
 * counts of one come later than its exit, it is shown once more with these.
 */
const struct snapshot *model_close_interval(struct model *model, uint64_t time_ns);

/* Our own consumption in the interval that is about to be closed; it is in its snapshot. */
void model_note_own(struct model *model, const struct own_usage *own);

/*
 * What else uses the counters, as far as it is known: "the NMI watchdog", "perf stat (pid 1234)".
 * It is in the reasons of events that were counted less than planned. "" unknown.
 */
void model_note_others(struct model *model, const char *words);

/*
 * Keeps these processes, with the threads that ended with them, in every snapshot after they have
 * ended, with the values of the last interval in which they ran (snapshot_task.is_held). Replaces
 * what was held before; count 0 holds none.
 */
void model_hold(struct model *model, const int32_t *pids, size_t count);

/*
 * Keeps a history of this many switches from now on (history.h); 0: none. What was kept is
 * forgotten.
 */
void model_keep_history(struct model *model, size_t capacity);

/* What the history that is kept calls idle; "idle" at first. */
void model_name_idle(struct model *model, const char *name);

/* NULL: none is kept. The model's; it changes with every record. */
const struct history *model_history(const struct model *model);

/* No record of an earlier time will be fed any more: the history is put in order up to it. */
void model_settle(struct model *model, uint64_t time_ns);

/* What is left out when records come faster than they can be taken; each includes those before. The
 * books are never left out. */
enum model_shed {
	MODEL_SHED_NOTHING,
	MODEL_SHED_HISTORY, /* switches are not put into the history */
	MODEL_SHED_DETAIL   /* slices and waits are not reported per task */
};
void model_shed(struct model *model, enum model_shed shed);

/*
 * Of the session: whether tasks also run where nothing is watched (is_partial), so that it is not
 * known for how long one was off; whether idle and tasks outside of this pid namespace look alike
 * (idle_is_shared); and whether groups stand still while tasks run that are not counted
 * (clock_stops).
 */
void model_note_session(struct model *model, const struct session *session);

/* Whether tasks are sampled off the CPU in this interval and those that come. */
void model_note_off_cpu(struct model *model, const struct session_samples *off_cpu);

/* Which CPUs share cores; until it is known all of LAYOUT_SMT is unknown. What was noted stays. */
void model_note_topology(struct model *model, const struct topology *topology);

/*
 * Reports what is known by now, right after model_close_interval(): to an empty model of the same
 * layout, which is started then and goes on as this one does; but what runs beside what on a core
 * is known from its CPUs' next readings on.
 */
typedef void model_listener(void *context, const struct record *record);
void model_resync(const struct model *model, model_listener *listen, void *context);

/* Whether the states of each thread's life are entered (states.h); at first they are not. */
void model_divide_life(struct model *model, bool is_on);

/* Whether it is entered how many threads of each scope run at once (parallel.h); likewise. */
void model_measure_parallelism(struct model *model, bool is_on, const struct parallel_scope *scope);

/*
 * Tasks that sleep for a reason that is not known, some at each call: writes up to `max` and
 * returns how many; the caller answers with RECORD_SLEEP.
 */
size_t model_unseen_sleepers(struct model *model, struct task_ref *refs, size_t max);

/*
 * Tasks that ran since the last close, to ask elsewhere about them: writes up to `max` and returns
 * how many.
 */
size_t model_who_ran(const struct model *model, struct task_ref *refs, size_t max);

/*
 * Tasks that ran and of which nothing but their ids is known: writes up to `max` of them and
 * returns how many; the caller answers with RECORD_PROCINFO. A task is asked for again after a
 * successful exec, since command line and user may have changed, but not otherwise.
 */
size_t model_wanted_procinfo(struct model *model, struct task_ref *refs, size_t max);

/*
 * About how much memory the model needs for the tasks and CPUs that it knows, if their vectors are
 * those of `layout` (NULL: its own).
 */
uint64_t model_bytes(const struct model *model, const struct layout *layout);

/* The layout in which records come by now. */
const struct layout *model_layout(const struct model *model);

#endif
