/*
 * The last slices of a CPU are in a ring. A wait is gone through from its end to its beginning:
 * what runs since the newest switch, then slice after slice.
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
	struct noted_slice ring[TAKERS_SLICES];
	uint64_t count;   /* noted in all */
	uint64_t running; /* actor, since the newest of them */
};

void takers_fini(struct takers *takers)
{
	for (size_t i = 0; i < takers->count; i++)
		free(takers->cpus[i]);
	free(takers->cpus);
	*takers = (struct takers){0};
}

static struct cpu_slices *slices_of(struct takers *takers, size_t cpu)
{
	if (cpu >= takers->count) {
		takers->cpus = xrealloc(takers->cpus, cpu + 1, sizeof(*takers->cpus));
		while (takers->count <= cpu)
			takers->cpus[takers->count++] = NULL;
	}
	if (!takers->cpus[cpu])
		takers->cpus[cpu] = xcalloc(1, sizeof(*takers->cpus[cpu]));
	return takers->cpus[cpu];
}

void takers_note(struct takers *takers, size_t cpu, uint64_t time_ns, uint64_t slice_ns,
		 uint64_t left, uint64_t came)
{
	struct cpu_slices *slices = slices_of(takers, cpu);

	slices->ring[slices->count++ % TAKERS_SLICES] =
		(struct noted_slice){.end_ns = time_ns, .ns = slice_ns, .actor = left};
	slices->running = came;
}

/* A wait that is being split. */
struct split {
	struct taker *shares;
	size_t count;
	uint64_t first;
	uint64_t begin_ns, left_ns; /* from begin_ns to left_ns nothing is shared out yet */
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

/* What was shared out reaches down to this time: for up to `most_ns` the actor ran, then `first`.
 */
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
	const uint64_t kept = noted < TAKERS_SLICES ? noted : TAKERS_SLICES;
	struct split split = {
		.shares = shares, .first = first, .begin_ns = begin_ns, .left_ns = end_ns};

	if (kept > 0)
		share_down_to(&split, slices->ring[(noted - 1) % TAKERS_SLICES].end_ns,
			      slices->running, UINT64_MAX);
	for (uint64_t i = 1; i < kept && split.left_ns > begin_ns; i++) {
		const struct noted_slice *slice = &slices->ring[(noted - i) % TAKERS_SLICES];
		const struct noted_slice *before = &slices->ring[(noted - i - 1) % TAKERS_SLICES];

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
