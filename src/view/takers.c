/*
 * The last slices of a CPU are in a ring. A wait is walked from its end to its beginning: what has
 * run since the newest switch, then slice after slice.
 */

#include "view/takers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/history.h"

struct noted_slice {
	uint64_t end_ns, ns;
	uint64_t actor;
};

struct cpu_slices {
	uint64_t count;   /* noted in all */
	uint64_t running; /* actor, since the newest of them */
	struct noted_slice ring[];
};

void takers_fini(struct takers *takers)
{
	for (size_t i = 0; i < takers->count; i++)
		free(takers->cpus[i]);
	free(takers->cpus);
	*takers = (struct takers){.kept = takers->kept};
}

static size_t ring_size(const struct takers *takers)
{
	return takers->kept > 0 ? takers->kept : TAKERS_SLICES;
}

static struct cpu_slices *cpu_slices_of(struct takers *takers, size_t cpu)
{
	if (cpu >= takers->count) {
		takers->cpus = xrealloc(takers->cpus, cpu + 1, sizeof(*takers->cpus));
		while (takers->count <= cpu)
			takers->cpus[takers->count++] = NULL;
	}
	if (!takers->cpus[cpu])
		takers->cpus[cpu] =
			xcalloc(1, sizeof(*takers->cpus[cpu]) +
					   ring_size(takers) * sizeof(struct noted_slice));
	return takers->cpus[cpu];
}

void takers_note(struct takers *takers, size_t cpu, uint64_t time_ns, uint64_t slice_ns,
		 uint64_t prev, uint64_t next)
{
	struct cpu_slices *slices = cpu_slices_of(takers, cpu);

	slices->ring[slices->count++ % ring_size(takers)] =
		(struct noted_slice){.end_ns = time_ns, .ns = slice_ns, .actor = prev};
	slices->running = next;
}

void takers_run(struct takers *takers, size_t cpu, uint64_t actor)
{
	cpu_slices_of(takers, cpu)->running = actor;
}

/* A wait that is being split. */
struct split {
	struct taker *shares;
	size_t count;
	uint64_t first;
	uint64_t begin_ns,
		left_ns; /* the time from begin_ns to left_ns is still to be shared out */
};

static void give(struct split *split, uint64_t actor, uint64_t ns)
{
	size_t i = 0;

	if (ns == 0 || actor == ACTOR_IDLE)
		return;
	while (i < split->count && split->shares[i].actor != actor)
		i++;
	if (i == split->count && i >= TAKERS_MAX - 1 && actor != ACTOR_UNKNOWN) {
		give(split, ACTOR_UNKNOWN, ns); /* the last place is kept for it */
		return;
	}
	if (i == split->count)
		split->shares[split->count++] = (struct taker){.actor = actor};
	split->shares[i].ns += ns;
}

/* Shares out the time down to time_ns: up to `most_ns` of it to the actor, the rest to `first`. */
static void share_down_to(struct split *split, uint64_t time_ns, uint64_t actor, uint64_t most_ns)
{
	const uint64_t from_ns = time_ns > split->begin_ns ? time_ns : split->begin_ns;
	const uint64_t ns = split->left_ns > from_ns ? split->left_ns - from_ns : 0;

	give(split, actor, ns < most_ns ? ns : most_ns);
	if (ns > most_ns)
		give(split, split->first, ns - most_ns);
	split->left_ns -= ns;
}

size_t takers_split(const struct takers *takers, size_t cpu, uint64_t begin_ns, uint64_t end_ns,
		    uint64_t first, struct taker shares[static TAKERS_MAX])
{
	const struct cpu_slices *slices = cpu < takers->count ? takers->cpus[cpu] : NULL;
	const uint64_t noted = slices ? slices->count : 0;
	const size_t size = ring_size(takers);
	const uint64_t kept = noted < size ? noted : size;
	struct split split = {
		.shares = shares, .first = first, .begin_ns = begin_ns, .left_ns = end_ns};

	if (kept > 0)
		share_down_to(&split, slices->ring[(noted - 1) % size].end_ns, slices->running,
			      UINT64_MAX);
	for (uint64_t i = 1; i < kept && split.left_ns > begin_ns; i++) {
		const struct noted_slice *slice = &slices->ring[(noted - i) % size];
		const struct noted_slice *before = &slices->ring[(noted - i - 1) % size];

		share_down_to(&split, before->end_ns, slice->actor, slice->ns);
	}
	if (noted > kept) {
		share_down_to(&split, begin_ns, ACTOR_UNKNOWN, UINT64_MAX);
	} else if (kept > 0 && split.left_ns > begin_ns) {
		const struct noted_slice *oldest = &slices->ring[0];

		share_down_to(&split, begin_ns, oldest->actor, oldest->ns);
	}
	share_down_to(&split, begin_ns, first, UINT64_MAX);
	return split.count;
}
