#ifndef PERFTOP_PERFDATA_REPLAYING_H
#define PERFTOP_PERFDATA_REPLAYING_H

/* What the files of a replay share: the two kinds of recordings, and what each is made of. */

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "kernel/decode.h"
#include "model/layout.h"
#include "model/record.h"
#include "model/session.h"
#include "source/source.h"
#include "source/target_pids.h"
#include "source/task_states.h"

#include "event/tracepoint.h"
#include "perfdata/order.h"
#include "perfdata/recording.h"

struct perfdata;
struct perfdata_event;
struct perfdata_info;
struct perfdata_record;
struct strbuf;

/* How far a replay has got. */
enum replay_step {
	REPLAY_RECORD, /* a record */
	REPLAY_DUE,    /* the interval is over, it can be closed */
	REPLAY_WAITS,  /* a pipe has nothing just now */
	REPLAY_CLOSED  /* it was closed, the next one begins */
};

/*
 * The events of perf's files as a layout: what each of them is good for, and where its counts are.
 *
 * Group 0 is the clock: run time as switches report it. Then there is a group for each of the
 * file's that is read at context switches, and groups of what is reported sample by sample.
 */
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
	struct task_states states;     /* what it means */
	bool is_of_waker;              /* WAKING, NEWBORN: of the task that wakes */
	bool is_switch_leader;         /* its samples are readings at context switches */
	bool is_exact;                 /* it is a member of such a group */
	bool is_clock;
	bool is_mute;                   /* it counts nothing and only has records written */
	bool has_readings, has_periods; /* its samples */
	bool is_profile;                /* its samples say in which functions tasks were, */
	bool is_waker;                  /* and in which they woke others */
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
	bool is_user_only;              /* all events of hardware */
	int run_event;                  /* its samples are run time; -1: none */
	int profile_event;              /* the first one of the profile; -1: none */
	size_t profile_count;           /* events that could be it */
	enum session_sampling sampling; /* by that, as struct session has it */
	enum session_chains chains;     /* likewise */
	char sampling_words[SESSION_TEXT_MAX];
	char sampling_event[SESSION_EVENT_MAX]; /* as in struct session */
	struct session_samples wakers;          /* likewise */
	bool has_branches, has_addresses;       /* likewise */
	bool has_accesses;                      /* likewise */
	int sampled_group[2];                   /* with room; estimates or not; -1: none */
	size_t left_out;
	const void *tracing; /* roles were looked for in these */
	size_t formats_read; /* to find them */
};

void replay_events_init(struct replay_events *events, struct layout *layout);
void replay_events_fini(struct replay_events *events);

/* Looks at events of the file that are new. */
void replay_events_learn(struct replay_events *events, const struct perfdata *file);

/* Puts those into the layout that are not yet. False: there was none. */
bool replay_events_lay(struct replay_events *events, const struct perfdata *file);

/* What a replay says about itself, and what cannot be known of it. */

/* A wall clock that is not known: every time with it is before the epoch. */
#define REPLAY_WALL_UNKNOWN INT64_MIN

/* Whether the words of perf's command say that CPUs are counted (1), or tasks (-1); 0: neither. */
int replay_scope(const char *command);

void replay_describe(struct session *session, const char *path, const struct perfdata_info *info,
		     const struct replay_events *events);

/* "perf.data", "standard input" */
const char *replay_name(const char *path);

/* Appends a remark as it is, where it is true. */
void replay_add_note(struct strbuf *remarks, bool is_true, const char *note);

/* Appends "3 records that cannot be true left out"; nothing where the count is 0. */
void replay_add_remark(struct strbuf *remarks, uint64_t count, const char *what, const char *how);

/*
 * What is kept of a record of perf's file until its turn comes: little of much.
 */

enum {
	QUEUED_NAME_MAX = 16,
	QUEUED_FILE_MAX = 3072
};

struct queued_value {
	uint64_t id, value;
};

struct queued_sample {
	struct record_stack stack;         /* without its pointers; size 0: there is none */
	uint64_t words[SAMPLE_FRAMES_MAX]; /* frames, then registers, then the stack: as many as
					      there are */
};

struct queued_mapping {
	struct decoded_mmap mmap;   /* its file is behind it */
	char file[QUEUED_FILE_MAX]; /* only its length is kept */
};

/*
 * The record as far as it is known by itself: a sample is a RECORD_ESTIMATE of its period (0: not
 * known) or, with values, a RECORD_READING without its group. Only as much is kept as is in use: of
 * an estimate, which there are most of, the record ends where it does.
 */
struct queued {
	int32_t role_tid; /* the incoming or woken task */
	uint16_t event;
	uint8_t role;         /* enum replay_role */
	uint8_t value_count;  /* of a reading */
	uint8_t role_state;   /* enum task_state, of the outgoing task */
	bool is_in_interrupt; /* an interrupt wakes, and not the running task */
	bool is_cpu_wide;     /* a switch */
	bool is_sum;          /* of a LOST: of all that was lost */
	bool has_times;       /* a reading: when enabled, and when running */
	struct record record;
	union {
		char name[QUEUED_NAME_MAX]; /* of a COMM: the record points to it */
		struct queued_value values[DECODE_READ_MAX]; /* only so many are kept */
		struct queued_sample sample;                 /* of a SAMPLE; likewise */
		struct queued_mapping mapping;               /* of a MAPPING */
	};
};

static_assert(sizeof(struct queued) <= ORDER_PIECE_MAX, "the order takes it");

/*
 * Run time out of records of switches: for each CPU readings of a clock group are made up as the
 * kernel would have written them, one at each switch, in which the clock is the record's time and
 * the sequence counts the switches. For recordings of tasks the same is done for each thread.
 */
enum {
	REPLAY_CLOCK_GROUP = 0
};

/*
 * The records that one record of a file becomes, until they are taken: a few at a time. One of them
 * at most is a reading with values.
 */
struct replay_out {
	struct record *first; /* borrowed; the place of the first one, which is taken at once */
	struct record records[DECODE_READ_MAX + 8]; /* the others, from 1 on */
	size_t count, next;
	uint64_t values[LAYOUT_GROUP_MEMBERS_MAX];
};

/*
 * Readings at a switch come as samples, one for each group, and then the record of it, if there is
 * one: they are held until then.
 */
struct replay_cpu {
	bool is_seen;
	uint64_t sequence, last_ns;
	int32_t running_tid; /* -1: not known */
	bool holds;
	struct record held;
	struct kept_readings readings[2]; /* in turn: those delivered last stay as they are */
	size_t turn;
};

struct replay_cpus {
	struct replay_cpu *cpus; /* owned; by number */
	size_t count, capacity;  /* numbers up to the highest one that was mentioned */
};

/* A thread with its own switches reported. */
struct replay_thread {
	int32_t pid, tid;
	uint64_t run_ns;
	uint64_t since_ns; /* it runs since then; 0: it does not, or it is not known */
	bool is_known;     /* whether it runs */
	bool is_emitted;   /* its first reading was */
};

struct replay_threads {
	struct map by_tid;              /* owns the threads */
	const struct map_slot *closing; /* how far the threads are read that run */
};

/* The first one that is added from now on is written to this place. All must have been taken. */
static inline void replay_out_begin(struct replay_out *out, struct record *first)
{
	out->first = first;
	out->count = 0;
	out->next = 1;
}

/* Room for one more record, of this time and of no task. */
struct record *replay_out_add(struct replay_out *out, enum record_kind kind, uint64_t time_ns);

/* One of those behind the first. False: all were taken. */
static inline bool replay_out_take(struct replay_out *out, struct record *record)
{
	if (out->next >= out->count)
		return false;
	*record = out->records[out->next++];
	return true;
}

/* The first mention of a CPU is its first reading. NULL: a number that cannot be. */
struct replay_cpu *replay_cpus_meet(struct replay_cpus *cpus, const struct record *from,
				    struct replay_out *out);

/* The record's CPU, which is met if it has not been. NULL: a number that cannot be. */
static inline struct replay_cpu *replay_cpus_see(struct replay_cpus *cpus,
						 const struct record *from, struct replay_out *out)
{
	if (from->cpu >= 0 && (size_t)from->cpu < cpus->count && cpus->cpus[from->cpu].is_seen)
		return &cpus->cpus[from->cpu];
	return replay_cpus_meet(cpus, from, out);
}

/* What the outgoing and what the incoming task say of a switch of a CPU. */
void replay_cpu_out(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);
void replay_cpu_in(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);

/*
 * A RECORD_READING that was made in the switch in which its task leaves; is_all: no record reports
 * the switch.
 */
void replay_cpu_read(struct replay_cpu *cpu, const struct record *from, bool is_all,
		     struct replay_out *out);

/* The switch that is held is delivered with all that there is of it. False: none is. */
bool replay_cpu_end_switch(struct replay_cpu *cpu, struct replay_out *out);

void replay_cpus_fini(struct replay_cpus *cpus);

/* Records are missing up to here. */
void replay_cpu_lose(struct replay_cpu *cpu, const struct record *from, struct replay_out *out);

/* A reading between switches, as at the end of an interval. A switch that is held goes on into the
 * next one. */
void replay_cpu_close(struct replay_cpu *cpu, int number, uint64_t time_ns, struct replay_out *out);

/* The same for threads. */
struct replay_thread *replay_threads_see(struct replay_threads *threads, const struct record *from,
					 struct replay_out *out);
void replay_thread_out(struct replay_thread *thread, const struct record *from,
		       struct replay_out *out);
void replay_thread_in(struct replay_thread *thread, const struct record *from,
		      struct replay_out *out);

/* It ends, and is forgotten. */
void replay_threads_end(struct replay_threads *threads, const struct record *from,
			struct replay_out *out);

/* Records are missing: the running task is unknown. */
void replay_threads_lose(struct replay_threads *threads);

/* Run time of the record's thread at its time; 0: not known. */
uint64_t replay_threads_run_ns(const struct replay_threads *threads, const struct record *from);

/* Reads the next one that runs, from the one at `closing` on. False: there is none. */
bool replay_threads_close_next(struct replay_threads *threads, uint64_t time_ns,
			       struct replay_out *out);

/*
 * perf's own files as records of the model, an interval at a time. Intervals lie on a grid that
 * begins with the first record that says more than which tasks exist.
 */

struct replay_perf {
	struct perfdata *file; /* borrowed */
	struct source *source; /* borrowed; its layout and session are filled */
	const char *path;      /* borrowed */
	uint64_t interval_ns;
	struct replay_events events;
	struct order order;
	struct replay_out out;
	struct decoded_mmap mapping; /* of the record delivered last */
	struct record_stack stack;   /* likewise */
	struct replay_cpus cpus;
	struct replay_threads threads;
	struct map pids;       /* of threads, by tid; the value is the pid */
	struct map counters;   /* owns what the counters showed last, by id and thread */
	struct map sums;       /* owns the sums of threads, by tid and group */
	struct map cgroups;    /* owned paths, by id */
	struct map cgroup_of;  /* the path that was kept of a task last, by tid */
	struct map namespaces; /* owned inodes, REPLAY_NAMESPACES of a task, by tid */
	bool has_step;         /* the sample that was counted last has a reading of its event */
	uint64_t step;         /* what it counted since the reading before: perf weighs by that */
	const struct queued *held; /* the order's; the next one, when it is not yet its turn */
	uint64_t held_ns;
	int32_t introduced_tid, introduced_parent; /* made up of what ran already */
	uint64_t first_ns;                         /* the first time that was reported */
	uint64_t start_ns, end_ns, now_ns;
	size_t closing;   /* the next CPU that is read */
	bool is_started;  /* the first interval has begun */
	bool is_due;      /* the interval is over */
	bool is_closing;  /* it is asked to end; its last readings are delivered */
	bool has_emitted; /* something in this interval */
	bool is_over;     /* the file is, and the last interval */
	uint64_t lost_reported, lost_summed; /* by single records, and by sums at the end */
	uint64_t broken;                     /* records that cannot be what they say */
	uint64_t nowhere;                    /* samples without a CPU, where CPUs are counted */
	uint64_t of_programs;                /* samples that BPF programs wrote */
	uint64_t of_types[DECODED_TYPES];    /* records by their type, of those left out */
};

struct replay_perf *replay_perf_create(struct perfdata *file, struct source *source,
				       const char *path, uint64_t interval_ns);
void replay_perf_destroy(struct replay_perf *perf);

enum replay_step replay_perf_next(struct replay_perf *perf, struct record *record);

enum {
	REPLAY_NAMESPACES = 7 /* as the kernel numbers them */
};

/* Appends the namespaces of a task that are not those of process 1. */
void replay_perf_add_namespaces(const struct replay_perf *perf, int32_t tid, struct strbuf *words);

/* Adds what was left out. */
void replay_perf_remarks(const struct replay_perf *perf, struct strbuf *remarks);

/* replay_samples.c: which events are the profile, with those from `from` on. */
void replay_events_find_profile(struct replay_events *events, const struct perfdata_event *all,
				size_t from);

/*
 * replay_samples.c: puts a sample of the profile, or a mapping, into the order; `record` has the
 * task and the time. A sample is there a second time for what it counts. wakee_tid: the task that
 * is woken there; 0: it is one of where tasks were.
 */
void replay_keep_sample(struct replay_perf *perf, const struct perfdata_record *from,
			struct record record, int32_t wakee_tid);
void replay_keep_mapping(struct replay_perf *perf, const struct perfdata_record *from,
			 struct record record);

/*
 * Where a mapping does not say which build its file is, the recording may. An inode says nothing of
 * the files here if the recording is another machine's: then only a build id does.
 */
void replay_complete_mapping(const struct perfdata *file, struct decoded_mmap *mmap);

/* The same for the branches before it. Nothing is kept of one without. */
void replay_keep_branches(struct replay_perf *perf, const struct perfdata_record *from,
			  struct record record);

/* The same for its access to memory. */
void replay_keep_access(struct replay_perf *perf, const struct perfdata_record *from,
			struct record record);

/* Their turn has come. */
void replay_emit_sample(struct replay_perf *perf, const struct queued *queued);
void replay_emit_branches(struct replay_perf *perf, const struct queued *queued);
void replay_emit_mapping(struct replay_perf *perf, const struct queued *queued);

/* What an exec, the birth or the end of a process changes of its mappings. */
void replay_emit_change(struct replay_perf *perf, const struct record *from);

/* The next record of perf's file as records of the model, added to perf->out, which is empty. */
void replay_emit(struct replay_perf *perf, const struct queued *queued);

/*
 * Our own recordings: what the model was given is delivered again, and intervals end where they
 * ended. With a longer interval asked for they end at the first of these ends that is not before
 * it, and always where the layout changes.
 */

struct replay_recording {
	struct perfdata *file; /* borrowed */
	struct source *source; /* borrowed */
	const char *path;      /* borrowed */
	uint64_t interval_ns;  /* 0: as recorded */
	struct recording_reader *reader;
	struct decoded_mmap kernel; /* where it was; no file: the recording does not say */
	char kernel_file[64];
	struct decoded_mmap mapping; /* of the record delivered last */
	struct record held;          /* the next record, when it is not yet its turn */
	bool has_held;
	struct recording_interval held_tick; /* likewise */
	bool has_held_tick;
	struct recording_interval tick; /* the last one */
	uint64_t first_ns;              /* of the first interval */
	uint64_t begun_ns;              /* of the interval */
	uint64_t now_ns;
	bool is_started, is_due, is_over, is_ended;
	bool has_kernel_to_emit; /* before anything else */
	bool is_closing;         /* the interval is asked to end */
	bool has_tick;           /* one since the interval began */
	uint64_t interval_count; /* that were delivered, including the start */
	bool has_layout,
		has_session; /* they came after the tick: they hold from the next interval on */
	struct target_pids targets; /* owned; the processes that the recording is about */
	uint64_t target_pids_changes;
	bool has_targets; /* it has changed: that holds from the next record on */
	bool is_waiting;
};

/* Whether the file is one: it has an event called RECORDING_EVENT, or with its mark. */
bool replay_recording_is(const struct perfdata *file);

struct replay_recording *replay_recording_create(struct perfdata *file, struct source *source,
						 const char *path, uint64_t interval_ns);
void replay_recording_destroy(struct replay_recording *recording);
enum replay_step replay_recording_next(struct replay_recording *recording, struct record *record);

#endif
