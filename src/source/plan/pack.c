/*
 * First fit: braces first, then weak groups in the order of their importance, then single events,
 * each into the first group that has room, or else into a new one. Up to there an event is in one
 * group only (or in that of each of its braces), so that a weak group with events in two groups
 * costs nothing; where there is room at the end, it is completed in one of them.
 */
#include "source/plan/pack.h"

static bool group_has_room(const struct pack_problem *problem, uint64_t group, uint64_t events)
{
	return (events & ~group) == 0 || problem->fits(problem->context, group | events);
}

/* The first group with all of `present` that takes the events too; packing->count: none does. */
static size_t first_fit(const struct pack_problem *problem, const struct packing *packing,
			uint64_t events, uint64_t present)
{
	size_t g = 0;

	while (g < packing->count && ((present & ~packing->groups[g]) != 0 ||
				      !group_has_room(problem, packing->groups[g], events)))
		g++;
	return g;
}

/* Into group `g`, which may be the one behind the last. */
static void add_to_packing(struct packing *packing, size_t g, uint64_t events)
{
	if (g == PACK_GROUPS_MAX)
		return;
	if (g == packing->count)
		packing->groups[packing->count++] = 0;
	packing->groups[g] |= events;
}

static uint64_t packed_events(const struct packing *packing)
{
	uint64_t events = 0;

	for (size_t g = 0; g < packing->count; g++)
		events |= packing->groups[g];
	return events;
}

static void pack_braces(const struct pack_problem *problem, struct packing *packing)
{
	for (size_t i = 0; i < problem->weak_group_count; i++) {
		const struct pack_weak_group *weak = &problem->weak_groups[i];

		if (weak->must)
			add_to_packing(packing, first_fit(problem, packing, weak->events, 0),
				       weak->events);
	}
}

/* A new group only for one that has no event in a group yet. */
static void pack_weak_groups(const struct pack_problem *problem, struct packing *packing)
{
	for (size_t i = 0; i < problem->weak_group_count; i++) {
		const uint64_t events = problem->weak_groups[i].events;
		const uint64_t present = events & packed_events(packing);
		const size_t g = first_fit(problem, packing, events, present);

		if (g < packing->count || (present == 0 && group_has_room(problem, 0, events)))
			add_to_packing(packing, g, events);
	}
}

static void pack_single_events(const struct pack_problem *problem, struct packing *packing)
{
	for (uint64_t rest = problem->events & ~packed_events(packing); rest; rest &= rest - 1) {
		const uint64_t event = rest & (~rest + 1);

		add_to_packing(packing, first_fit(problem, packing, event, 0), event);
	}
}

static bool is_together(const struct packing *packing, uint64_t events)
{
	for (size_t g = 0; g < packing->count; g++)
		if ((events & ~packing->groups[g]) == 0)
			return true;
	return false;
}

static void complete_weak_groups(const struct pack_problem *problem, struct packing *packing)
{
	for (size_t i = 0; i < problem->weak_group_count; i++) {
		const uint64_t events = problem->weak_groups[i].events;
		const size_t g = first_fit(problem, packing, events, 0);

		if (!is_together(packing, events) && g < packing->count)
			add_to_packing(packing, g, events);
	}
}

void pack(struct packing *packing, const struct pack_problem *problem)
{
	*packing = (struct packing){0};
	if (problem->events == 0)
		return;
	if (group_has_room(problem, 0, problem->events)) {
		add_to_packing(packing, 0, problem->events);
		return;
	}
	pack_braces(problem, packing);
	pack_weak_groups(problem, packing);
	pack_single_events(problem, packing);
	complete_weak_groups(problem, packing);
}
