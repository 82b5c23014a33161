#ifndef PERFTOP_MODEL_SESSION_H
#define PERFTOP_MODEL_SESSION_H

/*
 * What a source says about itself, for the header of the screen and of the
 * batch output. Views and writers show it and draw no conclusions from it.
 */

#include <stdbool.h>
#include <stdint.h>

struct topology;

enum session_scope {
	SCOPE_SYSTEM, /* every CPU and every task */
	SCOPE_TASKS   /* chosen tasks */
};

enum session_queue {
	QUEUE_UNKNOWN,  /* not at all, or not asked for yet */
	QUEUE_WAKEUPS,  /* RECORD_WAKEUP: each wait */
	QUEUE_RUN_DELAY /* RECORD_RUN_DELAY: their sum */
};

/* The numbers are in recordings. */
enum session_sampling {
	SAMPLING_OFF,
	SAMPLING_CLOCK, /* a sample stands for ns */
	SAMPLING_CYCLES,
	SAMPLING_EVENTS /* for occurrences of some other event */
};

/* How the user's calls of a sample on the CPU are found. The numbers are in recordings. */
enum session_chains {
	CHAINS_BY_FRAME_POINTERS,
	CHAINS_BY_LBR,
	CHAINS_BY_STACKS,  /* copies of the stack and unwind tables */
	CHAINS_NOT_SAMPLED /* of perf: without --call-graph */
};

enum {
	SESSION_TEXT_MAX = 512,
	SESSION_EVENT_MAX = 256,
	SESSION_HOST_MAX = 64
};

/* Samples that are taken at switches, or at wake-ups. */
struct session_samples {
	bool are_taken;
	bool are_estimates;           /* not at each of them */
	int32_t pid;                  /* of this process alone; 0: of all in the scope */
	char words[SESSION_TEXT_MAX]; /* how, or why not; "" not asked for */
};

struct session {
	enum session_scope scope;
	char scope_words[SESSION_TEXT_MAX]; /* "whole machine", "own tasks", "pid 4711, 4712", "make
					       -j8 (pid 99)" */
	char scope_reason[SESSION_TEXT_MAX]; /* why not more; "" when nothing was refused */
	bool lacks_tasks; /* of what was asked for some are, or were, not counted */
	char scope_remedy[SESSION_TEXT_MAX]; /* what would change it; "" */
	char pmu_words[SESSION_TEXT_MAX];    /* "cpu PMU", or why there is none; one sentence */
	bool has_pmu;                        /* at least one hardware event is counted */
	char light_words[SESSION_TEXT_MAX];  /* why events are left out that are usual; "" */
	bool is_live;                        /* not a replay */
	char host[SESSION_HOST_MAX];         /* of several machines its name, made unique; "" it is
						the only one */
	bool others_have_pmu;                /* of several one counts hardware events: rows of all
						have the same columns */
	bool is_estimated;                   /* some of it is out of a sampling profile, and no
						reading: events say which, run times too where no
						switches are reported */
	int64_t wall_offset_ns;              /* wall clock = record time + this */
	int cpu_count;                       /* CPUs watched; 0 unknown */
	const struct topology *topology;     /* of the machine; the source's; NULL: not known */
	bool idle_is_shared; /* idle and tasks outside of this pid namespace look alike: pid 0 */
	bool clock_stops;    /* tasks outside are not counted: while they run groups stand still */
	bool is_partial; /* tasks also run on CPUs that are not watched: how long they were off is
			    unknown */
	enum session_queue queue;           /* how run-queue waits are known */
	char queue_words[SESSION_TEXT_MAX]; /* the same in words: "run-queue waits by sched_waking
					       records", or why they are not known; "" not asked for
					     */
	bool has_yields;                    /* RECORD_YIELD comes */
	bool has_states;                    /* what states of threads are known by comes */
	enum session_sampling sampling;     /* by what tasks are sampled */
	char sampling_words[SESSION_TEXT_MAX];  /* the same: "cycles, 997 Hz", or why they are not;
						   "" not asked for */
	char sampling_event[SESSION_EVENT_MAX]; /* SAMPLING_EVENTS: its name; else "" */
	bool samples_are_estimates; /* of SAMPLING_EVENTS: only some occurrences are sampled, how
				       many others each is for is a guess of the kernel */
	bool samples_are_accesses;  /* likewise: each says which memory was accessed, and no more */
	enum session_chains chains; /* of these samples */
	uint32_t sampling_hz;       /* so many samples of a CPU in a second; 0: unknown */
	struct session_samples off_cpu;    /* they are sampled where they leave the CPU, too */
	struct session_samples wakers;     /* and where they wake others */
	bool has_branches;                 /* samples have the branches before them */
	bool has_addresses;                /* and the addresses of data that their event is about */
	char unbranched[SESSION_TEXT_MAX]; /* why not, where they were asked for; "" they are there
					    */
	bool has_accesses;                 /* which memory was accessed is sampled; live: can be */
	char uncounted[SESSION_TEXT_MAX];  /* why nothing is counted between samples; "" it is, or
					      there are none */
	char cost_reason[SESSION_TEXT_MAX]; /* why it is not known what the readings cost the
					       watched; "" */
	uint32_t names_pending;             /* addresses of samples without an answer */
	uint32_t not_unwound; /* samples without callers: to unwind their stack, or one of their
				 process, took too long */
	char others[SESSION_TEXT_MAX]; /* what else uses the counters, for model_note_others(); ""
					  unknown */
	uint32_t unknown; /* bit per enum quantity that this source cannot know for any task */
};

/*
 * The offset of the wall clock, looked at again: what differs by less than a millisecond is the
 * time that the looking took, since both clocks are slewed alike, and times that are shown must not
 * tremble.
 */
int64_t session_wall_offset(int64_t before_ns, int64_t now_ns);

/* Record time by the wall clock; -1: there was none, or no clock ever shows that. */
int64_t session_wall_ns(int64_t wall_offset_ns, uint64_t time_ns);

/* Why it is not known who had the CPU while a task waited for it; "" it is. */
const char *session_wait_reason(const struct session *session);

/* Why it is not known in which states threads are (LAYOUT_STATES), once they were asked for; "" it
 * is. */
const char *session_states_reason(const struct session *session);

/* Why it is not known whether the other threads of a core are busy (LAYOUT_SMT); "" it is. */
const char *session_smt_reason(const struct session *session);

/* Whether both say the same. */
bool session_equals(const struct session *a, const struct session *b);

/* What idle is called: "idle", or "idle/outside" where it is shared. NULL: not known yet. */
const char *session_idle_name(const struct session *session);

const char *session_scope_name(enum session_scope scope); /* "system", "tasks" */

#endif
