#ifndef PERFTOP_SOURCE_SAMPLERS_H
#define PERFTOP_SOURCE_SAMPLERS_H

/* What the files of sampling share: the sampler of a target, and what they do for each other. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/ring.h"
#include "source/sampling.h"

struct sampler {
	struct sampling_target target; /* without its group */
	int fd;                        /* -1: it is not available */
	int leader_fd;                 /* of its group, which is its own; 0: none */
	uint64_t group_id;             /* of the group when it was opened; 0: there was none */
	size_t group_members;
	bool is_grouped; /* it has joined it */
	struct ring ring;
	const void *bytes; /* of the next record in a round */
	size_t size;
	uint64_t time_ns;
	uint64_t throttled_ns; /* since when it has been held back; 0: it is not */
	uint32_t lost;         /* samples, to be said with the next one */
	uint32_t period;       /* at one of how many switches or wake-ups */
	uint64_t since_ns;     /* switches are counted since; 0: not yet */
	uint64_t switches;     /* or wake-ups */
	uint64_t wakeups;      /* that have been when it was sampled last */
	uint64_t broken;       /* of the ring, as far as noticed */
};

/*
 * Begins to measure in the background what samples cost, if that is not known: of what is sampled
 * on the CPU where we run, if it is, so that there is time. Of an event we do not have enough
 * ourselves: what its samples cost is not known.
 */
void sampling_time(struct sampling *sampling);

/* The record that was decoded, of a sampler of that kind. False: none is delivered. */
bool sampling_off_cpu_convert(struct sampling *sampling, struct sampler *sampler,
			      struct record *record);
bool sampling_waker_convert(struct sampling *sampling, struct sampler *sampler,
			    struct record *record);

/* The event that samples are taken at on the target's kind of CPU; NULL: none, they are by time. */
const struct event_spec *sampling_spec(const struct sampling *sampling,
				       const struct sampling_target *target);

/* They are taken at each n-th occurrence of an event, however many these are. */
bool sampling_has_period(const struct sampling *sampling);

/* On the CPU no more samples are asked for than may be by now, by their cost and the kernel's
 * limit.
 */
void sampling_lower_hz(struct sampling *sampling);

/* sampling_report.c: what the session says. Of the samples on the CPU; errno_value: nothing samples
 * them. */
void sampling_report(const struct sampling *sampling);
bool sampling_refuse(const struct sampling *sampling, const struct sampling_target *target,
		     int errno_value, struct error *error);

/* Why samples have no branches with them; the cause is the target's that was refused. */
void sampling_refuse_branches(const struct sampling *sampling, const struct sampling_target *target,
			      int errno_value);

/* Of another kind: how often they are taken, or why they are not (errno_value: of the last target
 * that was refused; 0: as before). */
void sampling_report_kind(const struct sampling *sampling, enum sampling_kind kind,
			  int errno_value);

#endif
