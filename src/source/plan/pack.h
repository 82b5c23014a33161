#ifndef PERFTOP_SOURCE_PLAN_PACK_H
#define PERFTOP_SOURCE_PLAN_PACK_H

/*
 * Events of one PMU into few groups, by first fit, so that what is divided by each other is in one
 * group. An event may be in several groups, where that keeps a weak group together and costs no
 * further group.
 *
 * Sets of events are bits of one word; only the caller can find out, by trying, whether a set fits
 * into the counters.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	PACK_EVENTS_MAX = 64,
	PACK_GROUPS_MAX = 64
};

struct pack_weak_group {
	uint64_t events;
	bool must; /* braces: in one group, whatever it costs */
};

struct pack_problem {
	uint64_t events; /* each of them fits alone */
	const struct pack_weak_group
		*weak_groups; /* the most important ones first; a `must` fits alone */
	size_t weak_group_count;
	bool (*fits)(void *context, uint64_t events);
	void *context;
};

struct packing {
	uint64_t groups[PACK_GROUPS_MAX];
	size_t count;
};

void pack(struct packing *packing, const struct pack_problem *problem);

#endif
