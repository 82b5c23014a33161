#ifndef PERFTOP_SOURCE_SAMPLING_H
#define PERFTOP_SOURCE_SAMPLING_H

/*
 * Where tasks are, some hundred times a second of each CPU or thread: RECORD_SAMPLE with call
 * chains, and RECORD_MAPPING, of which code the addresses are. It is on while something shows it.
 * Targets may also be sampled off the CPU (absences.h): at each switch, or where there are more of
 * them than samples are to be taken, at one of so many. What wakes tasks is sampled likewise, at
 * wake-ups.
 *
 * Each target has an event and a ring of its own: samples need not be in order with readings. Among
 * each other they are in the order of time.
 *
 * Where the hardware events of a target are all counted in one group, the event joins it, and each
 * sample has a reading of the group: no counter is needed twice. Cycles need one more for the
 * samples; where the group does not run with it, the clock takes them.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "kernel/decode.h"
#include "kernel/explain.h"
#include "kernel/sample_time.h"
#include "model/record.h"
#include "model/session.h"
#include "source/absences.h"
#include "source/source.h"
#include "source/wakeup.h"

#include "event/event.h"

struct attr_features;
struct error;
struct group;
struct host;

enum sampling_kind {
	SAMPLING_ON_CPU,
	SAMPLING_OFF_CPU,
	SAMPLING_WAKERS, /* of a CPU: tasks and interrupts that wake others there */
	SAMPLING_KINDS
};

/* What is sampled: a CPU with all that runs there, or a thread wherever it runs. */
struct sampling_target {
	int32_t tid;               /* -1: of a CPU */
	int cpu;                   /* -1: of a thread */
	uint32_t pmu;              /* as in struct profiler_request */
	const struct group *group; /* that it may join, until the call ends; NULL: none */
	uint16_t group_index;      /* of it in the layout */
	enum sampling_kind kind;
};

/* The same targets off the CPU, behind these `count`, for which there is room. Returns how many. */
size_t sampling_add_off_cpu(struct sampling_target *targets, size_t count);

struct sampling;

/* The same of the first `cpus` of them for what wakes tasks there; none where that is unknown. */
size_t sampling_add_wakers(struct sampling *sampling, struct sampling_target *targets, size_t cpus,
			   size_t count);

struct sampler; /* of one target */

/* The targets there are now; to be freed. */
typedef struct sampling_target *sampling_list(void *source, size_t *count);

struct sampling {
	const struct host *host; /* borrowed, as are the next two */
	const struct attr_features *features;
	struct session *session; /* says by what tasks are sampled, or why not */
	bool exclude_kernel;
	bool has_cycles; /* they may be tried: they are the same everywhere */
	int epoll_fd;    /* borrowed; rings that fill up are in it, without a pointer */
	sampling_list *list;
	void *source; /* of which it lists them */
	/* from here on zeros at first */
	bool is_on;
	bool is_hardware;
	bool is_grouped;            /* targets that have a group join it */
	bool by_lbr;                /* callers as the processor records them */
	uint64_t branch_type;       /* samples have these branches with them; 0: none */
	uint32_t stack_bytes;       /* out of a copy of so much of the stack; 0: not so */
	bool wants[SAMPLING_KINDS]; /* there are such targets, if that is possible */
	bool wants_lbr;             /* likewise */
	uint64_t wants_branch_type; /* likewise */
	uint32_t wants_stack_bytes; /* likewise */
	bool is_by_event;           /* on the CPU they are taken at this event: */
	struct evsel by;
	bool are_accesses; /* the event says which memory is accessed */
	bool has_leader;   /* this must lead its group: */
	struct evsel leader;
	struct sched_tracepoint_spec wakeup; /* by which; without a name: it is not known */
	char no_wakeup[SESSION_TEXT_MAX];    /* why not */
	uint32_t hz;
	uint32_t max_stack;        /* calls that the kernel allows a chain; 0: it is not known */
	enum explain_call refused; /* what was, when something was */
	struct sampler **samplers; /* owned; in the order of the targets */
	size_t count, capacity;
	struct heap heap;  /* samplers of this round, by their next record */
	bool top_was_used; /* its record was delivered, and it moves on at the next call */
	bool was_timed;    /* what samples cost: it is known, being measured, or never will be */
	struct sample_time timing;
	double each_ns[SAMPLE_TIMES];  /* 0: not known */
	uint64_t counts[SAMPLE_TIMES]; /* since sampling_take_cost() */
	uint64_t until_ns;             /* later records are left to the next round */
	struct absences absences;
	bool is_closing;                                  /* the interval ends with this round */
	bool may_be_throttled;                            /* something has been, in this round */
	struct sample_offsets offsets;                    /* the time of a record of any kind */
	struct decode_format formats[SAMPLING_KINDS + 1]; /* behind: on the CPU with readings */
	struct decoded decoded;
	uint64_t frames[SAMPLE_FRAMES_MAX]; /* of the record delivered last, as is the next one */
	struct record_reading reading;
	struct record_stack stack;
	uint64_t next_branch;    /* of what was decoded last */
	uint64_t branch_count;   /* of these; 0: all are delivered */
	uint64_t branch_ends[2]; /* of the one delivered last */
};

/*
 * Begins to sample, between rounds; where it is on these are the targets from now on. False: none
 * of the targets may be on the CPU; the session says why, and why not off it, or what wakes. It is
 * on nevertheless, and goes on with targets that come.
 */
bool sampling_start(struct sampling *sampling, const struct sampling_target *targets, size_t count,
		    struct error *error);
void sampling_stop(struct sampling *sampling); /* allowed when it is off */

/* source_sample(), with the targets that are listed. */
bool sampling_take(struct sampling *sampling, const struct source_samples *samples,
		   struct error *error);

/* These are the targets from now on, between rounds: those that are new are opened. */
void sampling_follow(struct sampling *sampling, const struct sampling_target *targets,
		     size_t count);
void sampling_follow_listed(struct sampling *sampling); /* those that are listed */

/*
 * A round: what was written up to until_ns, where an interval may end. What it delivers is good
 * until the next call.
 */
void sampling_begin(struct sampling *sampling, uint64_t until_ns, bool ends_interval);
bool sampling_next(struct sampling *sampling, struct record *record);
void sampling_end(struct sampling *sampling);

/*
 * What it has cost the tasks since the last call, an estimate in ns; 0: not known. What is taken
 * while that is still measured is in what the next call says.
 */
uint64_t sampling_take_cost(struct sampling *sampling);

#endif
