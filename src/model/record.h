#ifndef PERFTOP_MODEL_RECORD_H
#define PERFTOP_MODEL_RECORD_H

/*
 * What a source reports to the model: the door between src/source and src/model.
 *
 * A record is a borrowed value: pointers in it (values, names) are good until
 * the next call of source_next(). Times are CLOCK_MONOTONIC nanoseconds. For one
 * CPU records come in the order in which they happened; between CPUs they are
 * ordered by time as far as that can be known.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/access.h"
#include "base/stall.h"

struct decoded_mmap;

enum record_kind {
	RECORD_READING,      /* the counters of one group, between two switches */
	RECORD_SWITCH,       /* a context switch, with what was read at it */
	RECORD_FORK,         /* `task` is born */
	RECORD_EXIT,         /* `task` ends; it still runs until its last switch */
	RECORD_COMM,         /* `task` has a new name */
	RECORD_PROCINFO,     /* what /proc says about `task` */
	RECORD_SWITCH_COUNT, /* how often `task` has switched so far, where there are no switch
				records */
	RECORD_LOST,         /* records that the kernel could not deliver */
	RECORD_THROTTLED,    /* the kernel stopped sampling for a while */
	RECORD_CPU_ONLINE,   /* the CPU is watched from here on; readings start anew */
	RECORD_CPU_OFFLINE,  /* the CPU has gone; what ran there is unknown from here on */
	RECORD_WAKEUP,    /* thread `tid` becomes runnable, on whatever CPU; its pid is not given */
	RECORD_YIELD,     /* `task`, which runs, offers its CPU to others */
	RECORD_RUN_DELAY, /* how long `task` has waited for a CPU so far, where wake-ups are not
			     reported */
	RECORD_ESTIMATE,  /* what `task` has counted on the CPU by the estimate of a sampling
			     profile: no reading, and no slice */
	RECORD_SHED,      /* from here on less is kept of what is reported, since more comes than
			     can be taken */
	RECORD_SETTLED,   /* all that happened before has been reported: see model_settle() */
	RECORD_UNREAD,    /* an interval ends and the CPU's counters were not read, so as not to
			     interrupt it: what it ran at its last switch it runs still */
	RECORD_SAMPLE,    /* where `task` was at some moment, and by which calls it got there */
	RECORD_MAPPING,   /* which code is in the memory of process `pid` */
	RECORD_CPU_TIMES, /* what the CPU's time was used for so far */
	RECORD_STALLS,    /* what has held back the tasks of a cgroup so far */
	RECORD_SITE,      /* where `task` leaves the CPU to sleep: behind its switch */
	RECORD_SLEEP,     /* what `task` was seen to sleep for */
	RECORD_CPU_USE,   /* the CPU time of `task` so far, as the kernel accounts for it */
	RECORD_INTERRUPT, /* one begins on the CPU, or ends */
	RECORD_SLICE,     /* what `task` has counted so far in the slice that the CPU is in */
	RECORD_KINDS
};

enum {
	RECORD_CPU_NONE = -1,
	RECORD_TASK_UNKNOWN = -1
};

/*
 * A reading of group `group`: of a CPU in RECORD_SWITCH, or by a read(2) between switches in
 * RECORD_READING, where `task` runs, if it is known. Of a task (cpu = RECORD_CPU_NONE) all values
 * belong to `task`.
 *
 * sequence is the group leader's own count of context switches. Readings at switches
 * that follow each other differ by one; a read(2) has the sequence of the switch
 * before it. Per-task readings have no sequence (0).
 */
struct record_reading {
	uint16_t group;
	bool restarts; /* the group was off before: what happened meanwhile is not counted, start
			  anew here */
	bool has_switch_records; /* of a task, with restarts: its switch records follow, so that
				none means zero */
	uint64_t sequence;
	uint64_t enabled_ns;    /* the group's clock while enabled */
	uint64_t running_ns;    /* of that: while really counting */
	const uint64_t *values; /* one per member of layout.groups[group], in its order */
};

enum {
	TASK_NAME_MAX = 16
}; /* TASK_COMM_LEN of the kernel, NUL included */

/* In which state a task leaves its CPU. The numbers are in recordings. */
enum task_state {
	TASK_STATE_UNKNOWN,
	TASK_STATE_RUNNABLE, /* preempted, or it yielded */
	TASK_STATE_SLEEPING,
	TASK_STATE_DISK_SLEEP, /* uninterruptible */
	TASK_STATE_STOPPED,
	TASK_STATE_TRACED,
	TASK_STATE_DEAD,
	TASK_STATE_ZOMBIE,
	TASK_STATE_PARKED, /* these two: of kernel threads */
	TASK_STATE_IDLE,
	TASK_STATES
};

/* The letter that ps and top have for it; "" unknown. */
static inline const char *task_state_name(unsigned int state)
{
	static const char names[TASK_STATES][2] = {"", "R", "S", "D", "T", "t", "X", "Z", "P", "I"};

	return state < TASK_STATES ? names[state] : "";
}

/* Where a task leaves its CPU to sleep: sleeps of a process at the same site are of one kind. */
struct record_site {
	uint64_t place;    /* in its program; 0: not reported */
	uint64_t argument; /* the first one of the system call: mostly which file */
	bool is_other;     /* the argument is none, but tells sites apart all the same */
};

/*
 * `task` of the record (prev) leaves the CPU, and next comes. Either may be RECORD_TASK_UNKNOWN;
 * where tasks are watched and not CPUs one of them is. Without readings nothing was read at the
 * switch: what is counted up to the next one is of prev and next. A switch that names no prev and
 * has no readings only says who runs, where that was unknown.
 */
struct record_switch {
	int32_t next_pid, next_tid;
	bool knows_how;          /* how prev left is known: the next two */
	bool preempted;          /* prev could have run on */
	uint8_t state;           /* enum task_state, in which prev leaves */
	struct record_site site; /* of prev, where it is reported here */
	const char *name;        /* of prev, at most TASK_NAME_MAX raw bytes; NULL: not given */
	const struct record_reading *readings; /* one for each group that was read */
	uint16_t reading_count;
};

struct record_fork {
	int32_t parent_pid, parent_tid;
};

struct record_comm {
	const char *name; /* the kernel's name, raw bytes, NUL-terminated */
	bool exec;        /* by execve(2), not by prctl(2) */
};

/* Fields that are not known are NULL or -1; without a name the last one is not known either. */
struct record_procinfo {
	const char *name;         /* /proc/TID/comm, raw bytes */
	const char *command_line; /* arguments joined by blanks, raw bytes; "" for kernel threads */
	const char *cgroup;       /* path, raw bytes: "/user.slice"; NULL: not asked for */
	int32_t parent_pid;
	int32_t session; /* id; 0: it has none, or it is not known */
	int64_t uid;
	int cpu; /* where it ran last */
	bool is_kernel_thread;
};

struct record_wakeup {
	int32_t waker_tid; /* 0: an interrupt; RECORD_TASK_UNKNOWN: not given */
};

/* Absolute numbers since the task's birth. */
struct record_switch_count {
	uint64_t voluntary, involuntary;
};

/* What a task sleeps for. The numbers are in recordings. */
enum sleep_kind {
	SLEEP_UNKNOWN,
	SLEEP_LOCK, /* of the kernel, of a file, a semaphore */
	SLEEP_DISK,
	SLEEP_NET,
	SLEEP_OTHER, /* for a timer, a pipe, and the rest */
	SLEEP_STOPPED,
	SLEEP_FUTEX,    /* in futex(2): the argument of its site is the address */
	SLEEP_UNLISTED, /* in functions that do not say it; in state D they may take a lock */
	SLEEP_KINDS
};

/* One sleep went on from the record's time to that one, if it did: what for it was then. */
struct record_sleep {
	uint8_t kind;    /* enum sleep_kind */
	bool is_of_call; /* so is every one in this system call, whatever its arguments */
	uint64_t until_ns;
	uint64_t lock;      /* of SLEEP_FUTEX: address of the futex; 0: not known */
	int32_t holder_tid; /* thread of the process that had this lock then; -1: not known
			       then; 0: the lock does not say, or the wait has a timeout */

	/* with a place it is of no thread and no time: so is each of process `pid` that begins
	 * there, as was seen before; SLEEP_UNKNOWN: these are of several kinds */
	struct record_site site;
	uint8_t state;      /* enum task_state, in which it begins */
	bool is_of_several; /* with other arguments some are of another kind */
};

/* Absolute numbers since the task's birth, to a clock tick. */
struct record_cpu_use {
	uint64_t user_ns, system_ns;
};

/* The numbers are in recordings. */
enum interrupt_kind {
	INTERRUPT_HARD,   /* of a device */
	INTERRUPT_VECTOR, /* hard, too: a timer's or another CPU's, where the kernel reports these
			     apart */
	INTERRUPT_SOFT,
	INTERRUPT_KINDS
};

enum {
	INTERRUPT_NAME_MAX = 24
};

struct record_interrupt {
	uint8_t kind; /* enum interrupt_kind */
	bool is_entry;
	int32_t number;   /* of its kind */
	const char *name; /* raw bytes; NULL: not given */
};

/* One number of it, that of a place in the layout's counts. Its time is that of the last count. */
struct record_slice {
	uint32_t place;
	uint8_t news; /* enum slice_news, of all numbers */
	uint64_t value;
};

/* Absolute numbers since the task's birth, as /proc/TID/schedstat has them. */
struct record_run_delay {
	uint64_t wait_ns; /* runnable and not running */
};

/* Absolute numbers since it was made (base/stall.h). */
struct record_stalls {
	const char *cgroup;      /* path, raw bytes */
	uint32_t known;          /* bit per number */
	const uint64_t *numbers; /* STALL_NUMBERS */
};

/*
 * `value` more of one counter of a group that is reported (event_group.is_reported), out of a
 * sample's period. For a clock event it is also run time, where no switches are reported that say
 * it exactly. What is no estimate but one occurrence (layout.events: not is_estimate) belongs to
 * the slice in which it was.
 */
struct record_estimate {
	uint16_t group, member; /* of the layout */
	uint64_t value;
	uint64_t run_ns; /* 0: run time is not estimated */
};

enum {
	SAMPLE_FRAMES_MAX = 256
};

/* The user's part of a place, where the source has a copy of the stack instead of calls. */
struct record_stack {
	uint64_t mask;             /* of the registers, by the kernel's numbers */
	const uint64_t *registers; /* those in the mask */
	uint16_t register_count;
	const void *bytes; /* from the stack pointer on */
	size_t size;
};

/* What a task did where it was. The numbers are in recordings. */
enum sample_kind {
	SAMPLE_ON_CPU,
	SAMPLE_BLOCKED,   /* it had left the CPU by itself from there */
	SAMPLE_PREEMPTED, /* it could have run on */
	SAMPLE_WAKER,     /* it woke another one from there */
	SAMPLE_QUEUED,    /* it had been blocked there, was woken, and waited for a CPU */
	SAMPLE_BRANCH,    /* it had branched to there, from the second frame, before a sample */
	SAMPLE_MEMORY     /* it accessed memory there */
};

/* Why a transaction was given up. */
enum branch_abort {
	BRANCH_ABORT_UNKNOWN,
	BRANCH_ABORT_CONFLICT,
	BRANCH_ABORT_CAPACITY,
	BRANCH_ABORT_INSTRUCTION, /* by one that cannot be in it, or that asks for it */
	BRANCH_ABORT_OTHER        /* by an interrupt, for example */
};

/* What the processor says of a branch, in its numbers (struct perf_branch_entry). */
struct record_branch {
	uint8_t type;      /* PERF_BR_*, those that extend it from 16 on; 0: not known */
	uint8_t privilege; /* PERF_BR_PRIV_* of where it leads; 0: not known */
	uint8_t abort;     /* enum branch_abort */
	bool is_in_transaction, is_abort;
	bool is_predictable; /* it says whether it was predicted */
};

/* `lost` counts the samples dropped before it. One without frames and weight only reports these. */
struct record_sample {
	enum sample_kind kind;
	const uint64_t *frames; /* innermost first; from a source they are addresses, of returns but
				   for the first. For the model they are functions: numbers that
				   say which are the same */
	uint16_t count;         /* of frames */
	uint16_t kernel_count;  /* of these, the first ones, are the kernel's */
	uint32_t lost;          /* samples that are missing before it */
	int32_t wakee_tid;      /* WAKER: the task that is woken, to which the model counts it */
	uint64_t addr;          /* of the data that its event is about; 0: it is about none */
	uint32_t mapping; /* for the model: what is mapped there, a number as of functions; 0: not
			     known */
	uint64_t by;      /* for the model: which event those on the CPU are taken at; 0: by time */
	uint64_t weight;  /* what it stands for: cycles, or ns; off the CPU always ns; of a
			     waker wake-ups, with those before it that were not sampled;
			     of a BRANCH 1, if it was mispredicted; of MEMORY its latency in
			     cycles, 0: not known */
	uint64_t ns;      /* the same as a time; where weight is cycles an estimate; of a
			     waker 0; of a BRANCH cycles since the one before, 0: not known;
			     of MEMORY 1, if its latency is known */
	struct record_branch branch;
	struct memory_access access; /* of MEMORY, */
	uint64_t address;            /* virtual; 0: not known; */
	uint64_t data_src;           /* what access was made of, for a recording */
	bool is_of_task; /* each sampled thread has counters of its own; else each CPU */
	const struct record_reading *reading; /* of these, when it was taken; NULL: none */
	const struct record_stack *stack;     /* of the user's calls; NULL: the frames have them */
	const uint64_t *at; /* for the model: of each frame where it is, in the numbers of the
			       object that has the code; 0: not known; NULL: of none */
};

/* How the code in the memory of a process changes, in the order of the samples. */
enum mapping_change {
	MAPPING_ADDED,
	MAPPING_EXEC,   /* it begins anew: nothing of what was there is left */
	MAPPING_FORKED, /* it is born, and has what its parent has */
	MAPPING_EXITED
};

struct record_mapping {
	enum mapping_change change;
	int32_t parent_pid;               /* FORKED */
	const struct decoded_mmap *added; /* ADDED; as the kernel reports it (kernel/decode.h) */
};

struct record {
	enum record_kind kind;
	int32_t cpu;      /* RECORD_CPU_NONE: of a task, or of none */
	int32_t pid, tid; /* the task; RECORD_TASK_UNKNOWN when it was already gone; 0 and 0: the
			     idle task */
	uint64_t time_ns;
	union {
		struct record_switch ctx_switch;
		struct record_reading reading;
		struct record_fork fork;
		struct record_comm comm;
		struct record_procinfo procinfo;
		struct record_wakeup wakeup;
		struct record_switch_count switch_count;
		struct record_run_delay run_delay;
		struct record_estimate estimate;
		struct record_sample sample;
		struct record_mapping mapping;
		struct record_stalls stalls;
		struct cpu_times cpu_times; /* since boot */
		uint64_t throttled_ns; /* RECORD_THROTTLED: for how long, up to now; 0: unknown */
		uint64_t lost;         /* RECORD_LOST: how many records */
		uint8_t shed;          /* RECORD_SHED: enum model_shed */
		struct record_sleep sleep;
		struct record_site site;
		struct record_cpu_use cpu_use;
		struct record_interrupt interrupt;
		struct record_slice slice;
	};
};

#endif
