#ifndef PERFTOP_SESSION_ENGINE_PARTS_H
#define PERFTOP_SESSION_ENGINE_PARTS_H

/*
 * What the files of the engine (engine.h) share: engine.c begins and ends it, lets it run and
 * records, engine_events.c sees to what is counted and by which source, engine_cgroups.c changes
 * the latter while it runs, procinfo.c sees to what /proc says, replaying.c to recordings: of these
 * nothing of this machine is asked, counted or reported, and time is that of the recording.
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/attr.h"
#include "kernel/host.h"
#include "model/model.h"
#include "model/parallel.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "source/target_pids.h"
#include "source/task_counts.h"

#include "event/event.h"
#include "session/cgroup_target.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/functions.h"
#include "session/recordings.h"
#include "session/resolve.h"
#include "session/result.h"
#include "session/shed.h"
#include "session/stalls.h"
#include "session/urgency.h"

struct error;
struct layout;
struct metric_set;
struct options;
struct process_account;
struct record;
struct users;

/* Tasks that may not be counted, as /proc has them. All of it is {0} at first. */
struct others {
	bool is_on;
	bool has_schedstat;
	struct map by_tid;           /* owned; struct other */
	uint64_t looks;              /* so far */
	struct snapshot merged;      /* of the model's and this */
	struct snapshot_task *tasks; /* owned */
	size_t task_capacity;
	uint64_t *numbers; /* owned; vectors of its tasks */
	size_t number_capacity;
};

struct engine {
	const struct options *options;    /* borrowed */
	char host_name[SESSION_HOST_MAX]; /* of several machines; "" it is the only one */
	bool others_have_pmu;             /* or it has one itself */
	struct engine *first; /* of several machines: the one that made its columns; NULL: itself */
	struct engine *next;  /* of several machines: the one that joined before it; NULL: none */
	struct resolver resolver;
	struct child child;
	struct host host;
	struct attr_features features;
	struct event_finder *finder;   /* owned */
	struct metric_set *metric_set; /* owned */
	struct event_set events;       /* events that are to be counted */
	double counter_ns;             /* that reading a counter takes; 0: not measured */
	uint32_t left_out;             /* bits: default events that the light set is without */
	struct shed shed;              /* what is left out now */
	enum model_shed model_shed;    /* as the model knows it */
	uint64_t model_settled_ns;     /* likewise */
	struct urgency urgency;
	uint64_t interval_ns;     /* as it is meant to be */
	double budget_pct, share; /* see budget.h; 0: none */
	bool counts_cpus;         /* and not tasks, each by itself */
	struct counted_cgroups counted_cgroups;
	bool is_replay;          /* of a recording */
	bool is_full;            /* which needs more memory than it may have */
	uint64_t layout_changes; /* of the source, as far as they were followed */
	size_t history;          /* switches that are kept */
	bool is_running;         /* an interval has begun */
	bool needs_cgroups;      /* procinfo has them, too */
	bool needs_states;       /* of threads */
	bool has_states;         /* a replay: they were kept in the interval before */
	struct parallel_scope latency_scope;
	uint64_t sleepers_ns;                 /* when some of these were looked at last */
	unsigned int needs_samples;           /* so tasks are sampled, or cannot be */
	bool samples_by_lbr;                  /* likewise */
	uint32_t samples_stack_bytes;         /* likewise */
	struct event_set by;                  /* the event that they are taken at; none: by time */
	struct event_set accesses;            /* by which those to memory are sampled; none: not */
	bool by_is_new;                       /* and the source does not know it yet */
	struct target_pids sampled;           /* off the CPU these; all: those of the scope */
	struct functions functions;           /* in which the samples are */
	struct function_names function_names; /* they are called */
	size_t refreshed;                     /* index of the task that is looked at again next */
	struct source *source;                /* owned */
	struct source *replaced;              /* counts while another one is opened for it; NULL */
	struct model *model;                  /* owned */
	struct metrics *metrics;              /* owned; NULL: made when they are needed */
	const struct snapshot *snapshot;      /* of the last tick; NULL: none yet */
	const struct snapshot *whole;         /* of the same, whatever the scope */
	size_t tasks_most;                    /* of it, since memory was given back */
	struct cgroups cgroups;               /* their stalls are read */
	struct others others;                 /* tasks that may not be counted */
	struct result result;           /* of what was asked for by the options, if anything was */
	struct task_counts task_counts; /* of the same */
	struct target_pids targets;     /* the scope: which of the tasks are shown */
	uint64_t target_pids_changes;   /* of a recording's, as far as they were followed */
	struct map unseen;         /* processes of the options not seen in a recording so far */
	struct snapshot_part part; /* of the model's snapshot: what is in the scope */
	int32_t *pending_pids;     /* owned; processes that wait to be introduced */
	size_t pending_pid_count, pending_pid_capacity;
	uint64_t own_cpu_ns;       /* our own CPU time at the last tick */
	uint64_t counter_users_ns; /* when other users of counters were last looked for; 0: never */
	struct users *users;       /* owned; of this machine */
	struct proc_waits *waits;  /* owned; of tasks that may be wrong */
	struct recordings recordings;
};

/* --- engine.c */

/* A record of ours about a task, of no CPU. */
struct record engine_task_record(enum record_kind kind, int32_t pid, int32_t tid, uint64_t time_ns);

/* Feeds the model, and the recording. */
void engine_feed(struct engine *engine, const struct record *record);

/* Gives the model what the source says about itself; again where that may have changed. */
void engine_note_session(struct engine *engine);

/* Keeps the states of threads from now on, or no more. */
void engine_divide_life(struct engine *engine, bool is_on);

/* Feeds the records that there are now to the model. */
void engine_feed_all(struct engine *engine);

/*
 * engine_tick() of what is counted now, in two halves: a change of what is counted comes between
 * them. In a recording it stands right behind the end of an interval, as nothing that is found out
 * of the next one is between the two.
 */
void engine_end_interval(struct engine *engine);
void engine_begin_interval(struct engine *engine);

/* The source has begun: so does the first interval, and the model. */
void engine_begin_model(struct engine *engine);

/* engine->snapshot is what is in the scope, of the model's snapshot. */
void engine_take_snapshot(struct engine *engine);

/* --- engine_events.c */

/* The events of each formula become a weak group, if all of them are in the set. */
void engine_group_formulas(struct event_set *events, const struct metric_set *metrics);

/* Asks for the events and the metrics of the options. False: error says what is wrong where. */
bool engine_add_option_events(struct engine *engine, struct error *error);

/* Opens the source that the options ask for and this user may have; see engine_open(). */
bool engine_open_source(struct engine *engine, struct error *error);

/* The metrics have the layout of the source from now on. */
void engine_bind_metrics(struct engine *engine);

/* --- procinfo.c */

/* Answers what the model asks about tasks that are new to it. */
void procinfo_answer(struct engine *engine);

/* The same of a process that need not run. */
void procinfo_ask(struct engine *engine, int32_t pid);

/*
 * Users, sessions, parents and cgroups (where these are wanted) change without a record. Of tasks
 * that ran some are looked at in each interval, in turn; what has changed is fed in the interval
 * that follows the snapshot, and so is every cgroup that is not known yet.
 */
void procinfo_refresh(struct engine *engine, const struct snapshot *snapshot);

/* Some of the processes that wait for their introduction. */
void procinfo_introduce_some(struct engine *engine);

/* The processes asked for have rows even while they sleep. */
void procinfo_introduce_targets(struct engine *engine);

/*
 * Where nothing reports wake-ups the kernel's own sums do, for tasks that ran: no other has waited
 * to the end.
 */
void procinfo_feed_run_delays(struct engine *engine);

/* The kernel's accounts of tasks that ran, or at first of all, while states are needed. */
void procinfo_feed_cpu_use(struct engine *engine, bool is_first);

/* What some tasks sleep for of which it is not known, likewise. */
void procinfo_look_at_sleepers(struct engine *engine);

/* Where records were lost, deaths may be among them: a task not there any more has ended. */
void procinfo_find_ended(struct engine *engine, const struct snapshot *snapshot);

/* A processes_asker: what /proc keeps account of for a task. */
bool procinfo_account(void *context, int32_t pid, int32_t tid, bool wants_io,
		      struct process_account *account);

void others_fini(struct others *others);

/* Begins to read what is stolen from CPUs, where anything can be. */
void stalls_begin(struct engine *engine);

/* Reads that and the cgroups that are noted, as an interval ends. */
void stalls_tick(struct engine *engine);

/* The first readings of cgroups that are new. */
void stalls_round(struct engine *engine);

/* From now on those of the tasks of the newest snapshot are read that were active. */
void stalls_follow(struct engine *engine);

/*
 * Looks at every thread in /proc as an interval ends. Those that are new, have changed, or are gone
 * are reported to the model.
 */
void others_look(struct engine *engine);

/*
 * The same snapshot, in which tasks that no counter has reported so far are as /proc says
 * (is_from_proc). Good until the next call.
 */
const struct snapshot *others_add(struct others *others, const struct snapshot *whole);

/* --- replaying.c */

bool replaying_open(struct engine *engine, struct error *error);
void replaying_start(struct engine *engine);
void replaying_drain(struct engine *engine);
void replaying_tick(struct engine *engine);

/*
 * Whether what has been read, with vectors of `layout` (NULL: as they are), takes no more memory
 * than a recording may make us take. If it does nothing more is read.
 */
bool replaying_has_room(struct engine *engine, const struct layout *layout);

/* Tasks in the scope by now, as the recording says, unless the user has named them. */
void replaying_follow_targets(struct engine *engine);

#endif
