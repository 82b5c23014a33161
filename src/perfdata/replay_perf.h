#ifndef PERFTOP_PERFDATA_REPLAY_PERF_H
#define PERFTOP_PERFDATA_REPLAY_PERF_H

/*
 * perf's own files as records of the model, an interval at a time. Intervals lie on a grid that
 * begins with the first record that says more than which tasks exist.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/source.h"

#include "perfdata/clock.h"
#include "perfdata/input.h"
#include "perfdata/order.h"
#include "perfdata/replay_events.h"

struct replay_input;
struct strbuf;

struct replay_perf {
	struct replay_input *input;  /* borrowed */
	const struct perfdata *file; /* its */
	struct source *source;       /* borrowed; its layout and session are filled */
	const char *path;            /* borrowed */
	uint64_t interval_ns;
	struct replay_events events;
	struct order order;
	struct replay_out out;
	struct replay_cpus cpus;
	struct replay_threads threads;
	struct map pids;           /* of threads, by tid; the value is the pid */
	struct map counters;       /* owns what the counters showed last, by id and thread */
	struct map sums;           /* owns the sums of threads, by tid and group */
	const struct queued *held; /* the order's; the next one, when it is not yet its turn */
	uint64_t held_ns;
	int32_t introduced_tid, introduced_parent; /* made up of what ran already */
	uint64_t first_ns;                         /* the first time that was reported */
	uint64_t start_ns, end_ns, now_ns;
	size_t closing;                      /* the next CPU that is read */
	bool is_started;                     /* the first interval has begun */
	bool is_due;                         /* the interval is over */
	bool is_closing;                     /* and its last readings are delivered */
	bool has_emitted;                    /* something in this interval */
	bool is_over;                        /* the file is, and the last interval */
	bool is_waiting;                     /* a pipe has nothing just now */
	uint64_t lost_reported, lost_summed; /* by single records, and by sums at the end */
	uint64_t broken;                     /* records that cannot be what they say */
	uint64_t nowhere;                    /* samples without a CPU, where CPUs are counted */
};

struct replay_perf *replay_perf_create(struct replay_input *input, struct source *source,
				       const char *path, uint64_t interval_ns);
void replay_perf_destroy(struct replay_perf *perf);

enum replay_step replay_perf_next(struct replay_perf *perf, struct record *record);

/* Ends the interval; what is delivered until REPLAY_CLOSED belongs to it. */
void replay_perf_close(struct replay_perf *perf);

/* Adds what was left out. */
void replay_perf_remarks(const struct replay_perf *perf, struct strbuf *remarks);

/* The next record of perf's file as records of the model, added to perf->out, which is empty. */
void replay_emit(struct replay_perf *perf, const struct queued *queued);

#endif
