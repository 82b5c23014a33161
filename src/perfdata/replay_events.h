#ifndef PERFTOP_PERFDATA_REPLAY_EVENTS_H
#define PERFTOP_PERFDATA_REPLAY_EVENTS_H

/*
 * The events of perf's files as a layout: what each of them is good for, and where its counts are.
 *
 * Group 0 is the clock: run time as switches report it. Then there is a group for each of the
 * file's that is read at context switches, and groups of what is reported sample by sample.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/layout.h"

#include "event/tracepoint.h"

struct perfdata;
struct perfdata_event;

/* Bits of sample_type and read_format, and types of events, of the kernel's ABI. */
enum {
	SAMPLE_HAS_TID = 1 << 1,
	SAMPLE_HAS_TIME = 1 << 2,
	SAMPLE_HAS_READ = 1 << 4,
	SAMPLE_HAS_CPU = 1 << 7,
	SAMPLE_HAS_PERIOD = 1 << 8,
	SAMPLE_HAS_RAW = 1 << 10,
	READ_HAS_ID = 1 << 2,
	READ_HAS_GROUP = 1 << 3,
	EVENT_TYPE_HARDWARE = 0,
	EVENT_TYPE_SOFTWARE = 1,
	EVENT_TYPE_TRACEPOINT = 2,
	EVENT_TYPE_CACHE = 3,
	EVENT_TYPE_BREAKPOINT = 5
};

enum {
	REPLAY_EVENTS_MAX = 256 /* that are shown; the others are left out */
};

/* What the samples of a tracepoint say of the scheduler. */
enum replay_role {
	REPLAY_ROLE_NONE,
	REPLAY_ROLE_SWITCH,  /* sched:sched_switch */
	REPLAY_ROLE_WAKING,  /* sched:sched_waking, or else sched_wakeup */
	REPLAY_ROLE_NEWBORN, /* sched:sched_wakeup_new */
	REPLAY_ROLE_YIELD    /* syscalls:sys_enter_sched_yield */
};

struct replay_event {
	enum replay_role role;
	struct tracepoint_field tid;   /* the incoming or woken task */
	struct tracepoint_field state; /* SWITCH: of the outgoing task */
	bool is_switch_leader;         /* its samples are readings at context switches */
	bool is_exact;                 /* it is a member of such a group */
	bool is_clock;
	bool has_readings, has_periods; /* its samples */
	uint64_t period;                /* of a sample that does not say it; 0: not known */
	int group;                      /* of the layout; -1: none */
	uint16_t member;
};

struct replay_events {
	struct layout *layout;       /* borrowed */
	struct replay_event *events; /* owned; in the file's order */
	size_t count, capacity;      /* known */
	size_t laid;                 /* of these: in the layout, or left out of it */
	bool is_system;              /* CPUs are counted, and not tasks */
	bool reports_switches;       /* records of switches */
	bool traces_switches;        /* sched_switch, where there are no such records */
	bool reads_switches;         /* readings at switches */
	bool reports_waking, reports_yields;
	bool has_switches, has_waking, has_newborn; /* roles that some event has */
	bool prefers_waking;                        /* to sched_wakeup */
	bool has_hardware;
	bool is_user_only;    /* all events of hardware */
	int run_event;        /* its samples are run time; -1: none */
	int sampled_group[2]; /* with room; estimates or not; -1: none */
	size_t left_out;
	const void *tracing; /* roles were looked for in these */
};

void replay_events_init(struct replay_events *events, struct layout *layout);
void replay_events_fini(struct replay_events *events);

/* Looks at events of the file that are new. */
void replay_events_learn(struct replay_events *events, const struct perfdata *file);

/* Puts those into the layout that are not yet. False: there was none. */
bool replay_events_lay(struct replay_events *events, const struct perfdata *file);

/* One that counts nothing and only has records written. */
bool replay_event_is_mute(const struct perfdata_event *event);

#endif
