#ifndef PERFTOP_SESSION_ENGINE_PARTS_H
#define PERFTOP_SESSION_ENGINE_PARTS_H

/*
 * What the files of the engine (engine.h) share: engine.c begins and ends it, engine_rounds.c lets
 * it run, engine_source.c opens the source, engine_events.c sees to what is counted. Records,
 * procinfo and replays have headers of their own (recording.h, procinfo.h, replaying.h).
 */

#include <stdbool.h>
#include <stdint.h>

#include "kernel/attr.h"
#include "kernel/host.h"
#include "model/model.h"
#include "model/snapshot.h"
#include "source/target_pids.h"

#include "event/event.h"
#include "session/child.h"
#include "session/engine.h"
#include "session/others.h"
#include "session/resolve.h"
#include "session/result.h"
#include "session/shed.h"
#include "session/startup_selection.h"
#include "session/urgency.h"

struct error;
struct metric_set;
struct options;
struct recorder;
struct users;

struct engine {
	const struct options *options; /* borrowed */
	struct resolver resolver;
	struct startup_selection selection;
	struct child child;
	struct host host;
	struct attr_features features;
	struct event_finder *finder;   /* owned */
	struct metric_set *metric_set; /* owned */
	struct event_set events;       /* events that are to be counted */
	struct shed shed;              /* what is left out now */
	enum model_shed model_shed;    /* as the model knows it */
	uint64_t model_settled_ns;     /* likewise */
	struct urgency urgency;
	bool counts_cpus;                /* and not tasks, each by itself */
	bool is_replay;                  /* of a recording */
	bool is_full;                    /* which needs more memory than it may have */
	uint64_t layout_changes;         /* of the source, as far as they were followed */
	size_t history;                  /* switches that are kept */
	bool is_running;                 /* an interval has begun */
	bool needs_cgroups;              /* procinfo has them, too */
	size_t refreshed;                /* index of the task that is looked at again next */
	struct source *source;           /* owned */
	struct model *model;             /* owned */
	struct metrics *metrics;         /* owned */
	const struct snapshot *snapshot; /* of the last tick; NULL: none yet */
	const struct snapshot *whole;    /* of the same, whatever the scope */
	struct others others;            /* tasks that may not be counted */
	struct result result;            /* of what was asked for by the options, if anything was */
	struct target_pids targets;      /* the scope: which of the tasks are shown */
	uint64_t target_pids_changes;    /* of a recording's, as far as they were followed */
	struct map unseen;    /* processes of the options not seen in a recording so far */
	struct snapshot part; /* of the model's snapshot: what is in the scope */
	struct snapshot_task *part_tasks; /* owned */
	size_t part_capacity;
	int32_t *pending_pids; /* owned; processes that wait to be introduced */
	size_t pending_pid_count, pending_pid_capacity;
	uint64_t own_cpu_ns;       /* our own CPU time at the last tick */
	uint64_t counter_users_ns; /* when other users of counters were last looked for; 0: never */
	struct users *users;       /* owned; of this machine */
	struct recorder *recorder; /* owned; NULL: nothing is recorded */
	bool recording_failed;     /* this one or one before it is not whole */
};

/* The events of each formula become a weak group, if all of them are in the set. */
void engine_group_formulas(struct event_set *events, const struct metric_set *metrics);

/* Asks for the events and the metrics of the options. False: error says what is wrong where. */
bool engine_add_option_events(struct engine *engine, const struct options *options,
			      struct error *error);

/* Opens the source that the options ask for and this user may have; see engine_open(). */
bool engine_open_source(struct engine *engine, const struct options *options, int32_t command_pid,
			struct error *error);

/* Feeds the records that there are now to the model. */
void engine_feed_all(struct engine *engine);

/* engine->snapshot is what is in the scope, of the model's snapshot. */
void engine_take_snapshot(struct engine *engine);

#endif
