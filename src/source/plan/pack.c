/*
 * First without duplicates: groups are filled one after another, each with what has the most
 * important weak group to it. That gives the number of groups. Then weak groups are laid into that
 * many groups, in order of importance, each where it takes the fewest counters more; where that
 * ends in a weak group that finds no room, earlier choices are tried otherwise, for a bounded
 * number of steps. The best packing has the fewest groups, then the more important weak groups
 * together, then the fewest counters.
 */
#include "source/plan/pack.h"

#include <string.h>

enum {
	STEPS_MAX = 1000,
	NO_BOND = 1000
};

struct search {
	const struct pack_problem *problem;
	struct pack_weak_group weak_groups[PACK_EVENTS_MAX]; /* those that count; musts first */
	size_t weak_group_count;
	struct packing best;
	uint64_t best_score; /* bit per weak group that is together, the first one highest */
	int best_members;
	size_t steps;
};

static int count_bits(uint64_t word)
{
	return __builtin_popcountll(word);
}

static uint64_t lowest_bit(uint64_t word)
{
	return word & (~word + 1);
}

static bool fits(const struct search *search, uint64_t events)
{
	return search->problem->fits(search->problem->context, events);
}

static uint64_t score_bit(size_t weak)
{
	return UINT64_C(1) << (PACK_EVENTS_MAX - 1 - weak);
}

/* Weak groups of one event ask for nothing, and those that fit nowhere cannot be had. */
static void add_weak_groups(struct search *search, bool must)
{
	for (size_t i = 0; i < search->problem->weak_group_count; i++) {
		struct pack_weak_group weak = search->problem->weak_groups[i];

		weak.events &= search->problem->events;
		if (weak.must != must || count_bits(weak.events) < 2 ||
		    search->weak_group_count == PACK_EVENTS_MAX ||
		    (!must && !fits(search, weak.events)))
			continue;
		search->weak_groups[search->weak_group_count++] = weak;
	}
}

/* The most important weak group between the events and the group; of an empty group: of the events.
 */
static size_t affinity(const struct search *search, uint64_t events, uint64_t group)
{
	for (size_t i = 0; i < search->weak_group_count; i++) {
		const uint64_t weak = search->weak_groups[i].events;

		if ((weak & events) != 0 && (group == 0 || (weak & group) != 0))
			return i;
	}
	return NO_BOND;
}

/* What goes into a group as a whole: the events of a must, or one event. */
static uint64_t unit_of(const struct search *search, uint64_t event)
{
	for (size_t i = 0; i < search->weak_group_count && search->weak_groups[i].must; i++)
		if ((search->weak_groups[i].events & event) != 0)
			return search->weak_groups[i].events;
	return event;
}

/* The unit with the closest weak group to the group that still fits into it; 0: none does. */
static uint64_t next_unit(const struct search *search, uint64_t pending, uint64_t group)
{
	uint64_t tried = 0;

	for (;;) {
		uint64_t best = 0;
		size_t best_affinity = NO_BOND + 1;

		for (uint64_t left = pending & ~tried; left != 0; left &= left - 1) {
			const uint64_t unit = unit_of(search, lowest_bit(left));
			const size_t closeness = affinity(search, unit, group);

			if (closeness < best_affinity) {
				best_affinity = closeness;
				best = unit;
			}
		}
		if (best == 0 || group == 0 || fits(search, group | best))
			return best;
		tried |= best;
	}
}

/* Whether every must is in one of the groups. */
static bool holds_musts(const struct search *search, const struct packing *packing)
{
	for (size_t i = 0; i < search->weak_group_count && search->weak_groups[i].must; i++) {
		const uint64_t weak = search->weak_groups[i].events;
		bool holds = false;

		for (size_t g = 0; g < packing->count && !holds; g++)
			holds = (weak & ~packing->groups[g]) == 0;
		if (!holds)
			return false;
	}
	return true;
}

/* Musts that share an event with another may each need a group of their own. */
static void add_missing_musts(const struct search *search, struct packing *packing)
{
	for (size_t i = 0; i < search->weak_group_count && search->weak_groups[i].must; i++) {
		const uint64_t weak = search->weak_groups[i].events;
		size_t g = 0;

		while (g < packing->count && (weak & ~packing->groups[g]) != 0 &&
		       !fits(search, packing->groups[g] | weak))
			g++;
		if (g == packing->count && packing->count == PACK_GROUPS_MAX)
			return;
		if (g == packing->count)
			packing->groups[packing->count++] = 0;
		packing->groups[g] |= weak;
	}
}

static void pack_plainly(const struct search *search, struct packing *packing)
{
	uint64_t pending = search->problem->events;

	*packing = (struct packing){0};
	while (pending != 0 && packing->count < PACK_GROUPS_MAX) {
		uint64_t *group = &packing->groups[packing->count++], unit;

		while ((unit = next_unit(search, pending, *group)) != 0) {
			*group |= unit;
			pending &= ~unit;
		}
	}
	add_missing_musts(search, packing);
}

static uint64_t score_of(const struct search *search, const struct packing *packing)
{
	uint64_t score = 0;

	for (size_t i = 0; i < search->weak_group_count; i++) {
		for (size_t g = 0; g < packing->count; g++)
			if ((search->weak_groups[i].events & ~packing->groups[g]) == 0)
				score |= score_bit(i);
	}
	return score;
}

/* Weak groups that are not together yet, into the group with the most of them, if it has the room.
 */
static void complete_weak_groups(const struct search *search, struct packing *packing)
{
	for (size_t i = 0; i < search->weak_group_count; i++) {
		const uint64_t weak = search->weak_groups[i].events;
		size_t best = packing->count;
		int fewest = PACK_EVENTS_MAX + 1;

		for (size_t g = 0; g < packing->count; g++) {
			const int missing = count_bits(weak & ~packing->groups[g]);

			if (missing < fewest && fits(search, packing->groups[g] | weak)) {
				fewest = missing;
				best = g;
			}
		}
		if (best < packing->count)
			packing->groups[best] |= weak;
	}
}

static int members_of(const struct packing *packing)
{
	int members = 0;

	for (size_t g = 0; g < packing->count; g++)
		members += count_bits(packing->groups[g]);
	return members;
}

static void consider(struct search *search, const struct packing *packing)
{
	const uint64_t score = score_of(search, packing);
	const int members = members_of(packing);

	if (search->best.count > 0 &&
	    (packing->count > search->best.count ||
	     (packing->count == search->best.count &&
	      (score < search->best_score ||
	       (score == search->best_score && members >= search->best_members)))))
		return;
	search->best = *packing;
	search->best_score = score;
	search->best_members = members;
}

/* Events without a weak group, where there is room. False: there is not enough. */
static bool place_the_rest(const struct search *search, struct packing *packing)
{
	uint64_t rest = search->problem->events;

	for (size_t g = 0; g < packing->count; g++)
		rest &= ~packing->groups[g];
	for (; rest != 0; rest &= rest - 1) {
		const uint64_t event = lowest_bit(rest);
		size_t g = 0;

		while (g < packing->count && !fits(search, packing->groups[g] | event))
			g++;
		if (g == search->best.count)
			return false;
		if (g == packing->count)
			packing->groups[packing->count++] = 0;
		packing->groups[g] |= event;
	}
	return holds_musts(search, packing);
}

/* Whether anything better than the best can still come. */
static bool is_worth_it(const struct search *search, uint64_t score, size_t weak)
{
	uint64_t most = score;

	for (size_t i = weak; i < search->weak_group_count; i++)
		most |= score_bit(i);
	return most > search->best_score;
}

/* Groups into which the weak group fits, those where it takes the fewest counters more first. */
static size_t list_places(const struct search *search, const struct packing *packing, uint64_t weak,
			  size_t *places)
{
	size_t count = 0;

	for (int missing = 0; missing <= count_bits(weak); missing++) {
		for (size_t g = 0; g <= packing->count && g < search->best.count; g++) {
			const uint64_t group = g < packing->count ? packing->groups[g] : 0;

			if (count_bits(weak & ~group) == missing &&
			    (missing == 0 || fits(search, group | weak)))
				places[count++] = g;
		}
	}
	return count;
}

static void lay_weak_group(struct search *search, const struct packing *packing, uint64_t score,
			   size_t weak)
{
	size_t places[PACK_GROUPS_MAX], count;

	if (++search->steps > STEPS_MAX || !is_worth_it(search, score, weak))
		return;
	if (weak == search->weak_group_count) {
		struct packing whole = *packing;

		if (place_the_rest(search, &whole))
			consider(search, &whole);
		return;
	}
	count = list_places(search, packing, search->weak_groups[weak].events, places);
	for (size_t i = 0; i < count; i++) {
		struct packing next = *packing;

		if (places[i] == next.count)
			next.groups[next.count++] = 0;
		next.groups[places[i]] |= search->weak_groups[weak].events;
		lay_weak_group(search, &next, score | score_bit(weak), weak + 1);
		if (next.groups[places[i]] == packing->groups[places[i]])
			return; /* it is there anyway */
	}
	if (!search->weak_groups[weak].must)
		lay_weak_group(search, packing, score, weak + 1);
}

void pack(struct packing *packing, const struct pack_problem *problem)
{
	struct search search = {.problem = problem};
	struct packing plain, empty = {0};

	*packing = (struct packing){0};
	if (problem->events == 0)
		return;
	if (fits(&search, problem->events)) {
		packing->groups[packing->count++] = problem->events;
		return;
	}
	add_weak_groups(&search, true);
	add_weak_groups(&search, false);
	pack_plainly(&search, &plain);
	complete_weak_groups(&search, &plain);
	consider(&search, &plain);
	lay_weak_group(&search, &empty, 0, 0);
	*packing = search.best;
}
