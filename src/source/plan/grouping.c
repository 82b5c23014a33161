/*
 * Groups are made for each kind of CPU: software first, then PMU by PMU (pack.h). What is wanted
 * is laid over the groups that are there, so that as few as possible are touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/plan/making.h"
#include "source/plan/pack.h"

enum {
	TRIALS_MAX = 400 /* openings for the sake of a better packing */
};

static bool is_live(const struct plan *plan, size_t event, size_t kind, uint16_t turn)
{
	for (size_t g = 0; g < plan->layout.group_count; g++) {
		const struct event_group *group = &plan->layout.groups[g];

		if (group->is_open && group->kind == kind && group->turn == turn &&
		    layout_counter_in(&plan->layout, event, g))
			return true;
	}
	return false;
}

/* A set of events on one kind of CPU and PMU. */
struct selection {
	size_t kind, pmu;
	size_t events[PACK_EVENTS_MAX];
	size_t count;
};

/* The events of a selection with their bits set, as specs; returns how many. */
static size_t list_specs(struct plan *plan, const struct selection *selection, uint64_t bits,
			 const struct event_spec *specs[static PACK_EVENTS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < selection->count; i++) {
		const size_t event = selection->events[i];

		if ((bits >> i & 1) != 0)
			specs[count++] =
				part_spec(plan, event,
					  part_find(plan, event, selection->kind, selection->pmu));
	}
	return count;
}

static void remove_at(struct selection *selection, size_t index)
{
	selection->count--;
	memmove(&selection->events[index], &selection->events[index + 1],
		(selection->count - index) * sizeof(*selection->events));
}

static struct trial_place place_of_selection(const struct plan *plan,
					     const struct selection *selection)
{
	const struct plan_part part = {.kind = selection->kind, .pmu = selection->pmu};

	return part_place(plan, &part);
}

/*
 * Tries software events together: where they share something (breakpoints do) it shows. What is
 * refused is taken out until the rest is granted.
 */
static void try_software(struct making *making, struct selection *selection)
{
	const struct trial_place place = place_of_selection(making->plan, selection);
	const struct event_spec *specs[PACK_EVENTS_MAX];

	while (selection->count > 0 && making->shortage == 0) {
		const size_t count = list_specs(making->plan, selection, UINT64_MAX, specs);
		int failed = -1;
		int errno_value =
			trials_try_software(making->trials, &place, specs, count, &failed);
		size_t at = failed >= 0 ? (size_t)failed : count - 1;

		if (errno_value == 0)
			return;
		part_refuse(making, selection->events[at],
			    part_find(making->plan, selection->events[at], selection->kind, NO_PMU),
			    errno_value);
		remove_at(selection, at);
	}
}

/* Takes members out of a group; those that stay keep their order. */
static void keep_members(struct layout *layout, size_t group, const bool *stays)
{
	const struct event_group before = layout->groups[group];

	for (size_t i = 0; i < before.count; i++)
		layout_drop_last_counter(layout, group);
	for (size_t i = 0; i < before.count; i++)
		if (stays[i])
			layout_add_counter(layout, group,
					   layout->counters[before.counters[i]].event);
}

static bool is_clock(const struct layout *layout, size_t group)
{
	return layout->kinds[layout->groups[group].kind].clock == group;
}

/* Software events no longer wanted leave their group, unless that is the clock's. */
static void drop_software(struct plan *plan)
{
	for (size_t g = 0; g < plan->layout.group_count; g++) {
		const struct event_group *group = &plan->layout.groups[g];
		bool stays[GROUP_MEMBERS_MAX] = {false};
		size_t kept = 0;

		if (!group->is_open || group->turn != TURN_ALWAYS || is_clock(&plan->layout, g))
			continue;
		for (size_t i = 0; i < group->count; i++) {
			stays[i] = !plan->layout.events[plan_event_at(plan, g, i)].is_removed;
			kept += stays[i];
		}
		if (kept == 0)
			layout_close_group(&plan->layout, g);
		else if (kept < group->count)
			keep_members(&plan->layout, g, stays);
	}
}

/* The group for one more software event: the clock's as long as nothing counts, then another. */
static size_t group_for_software(struct making *making, size_t kind, size_t *added)
{
	struct plan *plan = making->plan;
	const size_t clock = plan->layout.kinds[kind].clock;

	if (!making->has_begun && plan->layout.groups[clock].count < GROUP_MEMBERS_MAX)
		return clock;
	if (*added == plan->layout.group_count ||
	    plan->layout.groups[*added].count == GROUP_MEMBERS_MAX)
		*added = layout_add_group(&plan->layout, kind, TURN_ALWAYS);
	return *added;
}

/* As many software events as can be tried together, from event *next on. */
static void select_software(struct plan *plan, size_t kind, size_t *next,
			    struct selection *selection)
{
	*selection = (struct selection){.kind = kind, .pmu = NO_PMU};
	for (; *next < plan->layout.event_count && selection->count < GROUP_MEMBERS_MAX; ++*next)
		if (!plan->layout.events[*next].is_removed &&
		    part_is_to_be_had(plan, *next, kind, NO_PMU) &&
		    !is_live(plan, *next, kind, TURN_ALWAYS))
			selection->events[selection->count++] = *next;
}

static void pack_software(struct making *making, size_t kind)
{
	struct plan *plan = making->plan;
	size_t next = 0, added = SIZE_MAX;

	while (next < plan->layout.event_count && making->shortage == 0) {
		struct selection selection;

		select_software(plan, kind, &next, &selection);
		try_software(making, &selection);
		for (size_t i = 0; i < selection.count; i++) {
			const size_t event = selection.events[i];
			size_t group;

			if (added == SIZE_MAX)
				added = plan->layout.group_count;
			group = group_for_software(making, kind, &added);
			layout_add_counter(&plan->layout, group, event);
		}
	}
}

/* Whether the packing may try the set of events, and what comes of it. */
struct fitting {
	struct making *making;
	const struct selection *selection;
	struct trial_place place;
};

static bool fits(void *context, uint64_t bits)
{
	struct fitting *fitting = context;
	struct making *making = fitting->making;
	const struct event_spec *specs[PACK_EVENTS_MAX];
	const size_t count = list_specs(making->plan, fitting->selection, bits, specs);
	int errno_value;

	if (making->shortage != 0 || (trials_count(making->trials) > TRIALS_MAX &&
				      !trials_know(making->trials, &fitting->place, specs, count)))
		return false;
	errno_value = trials_try(making->trials, &fitting->place, specs, count);
	if (errno_value == EMFILE || errno_value == ENFILE)
		making->shortage = errno_value;
	return errno_value == 0;
}

static struct fitting fitting_of(struct making *making, const struct selection *selection)
{
	return (struct fitting){
		.making = making,
		.selection = selection,
		.place = place_of_selection(making->plan, selection),
	};
}

/* Bits of those events of the weak group that are selected. */
static uint64_t bits_of(const struct making *making, const struct selection *selection,
			const struct weak_group *weak)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < weak->count; i++) {
		const char *name = weak->names[i];

		for (size_t j = 0; j < selection->count; j++) {
			const size_t event = selection->events[j];

			if (strcmp(making->plan->layout.events[event].name, name) == 0)
				bits |= UINT64_C(1) << j;
		}
	}
	return bits;
}

/* Whether the event is asked for only in braces, and did not count before. */
static bool goes_with_its_braces(const struct making *making, const struct selection *selection,
				 size_t event)
{
	return making->plan->events[event].evsel.only_in_braces &&
	       !is_live(making->plan, event, selection->kind, part_turn(selection->pmu));
}

/* Events in braces that no group can hold are refused together. */
static void refuse_large_braces(struct making *making, struct selection *selection)
{
	struct fitting fitting = fitting_of(making, selection);

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		const uint64_t bits = weak->must ? bits_of(making, selection, weak) : 0;

		if ((bits & (bits - 1)) == 0 || fits(&fitting, bits) || making->shortage != 0)
			continue;
		for (size_t j = selection->count; j-- > 0;) {
			const size_t event = selection->events[j];

			if ((bits >> j & 1) == 0 || !goes_with_its_braces(making, selection, event))
				continue;
			part_refuse_for(
				making, event,
				part_find(making->plan, event, selection->kind, selection->pmu),
				ERROR_EVENT_BRACES, NULL);
			remove_at(selection, j);
		}
	}
}

static size_t list_weak_groups(struct making *making, const struct selection *selection,
			       struct pack_weak_group *weak_groups)
{
	struct fitting fitting = fitting_of(making, selection);
	size_t count = 0;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		const uint64_t bits = bits_of(making, selection, weak);

		if ((bits & (bits - 1)) == 0 || (weak->must && !fits(&fitting, bits)))
			continue;
		weak_groups[count++] = (struct pack_weak_group){.events = bits, .must = weak->must};
	}
	return count;
}

static void make_packing(struct making *making, const struct selection *selection,
			 struct packing *packing)
{
	struct fitting fitting = fitting_of(making, selection);
	struct pack_weak_group *weak_groups =
		xcalloc(making->set->weak_group_count, sizeof(*weak_groups));
	const struct pack_problem problem = {
		.events = selection->count == PACK_EVENTS_MAX
				  ? UINT64_MAX
				  : (UINT64_C(1) << selection->count) - 1,
		.weak_groups = weak_groups,
		.weak_group_count = list_weak_groups(making, selection, weak_groups),
		.fits = fits,
		.context = &fitting,
	};

	pack(packing, &problem);
	free(weak_groups);
}

/* Those of the group's events that the packed group has, as bits; all of them are known. */
static bool bits_of_group(const struct plan *plan, size_t group, const struct selection *selection,
			  uint64_t *bits)
{
	*bits = 0;
	for (size_t i = 0; i < plan->layout.groups[group].count; i++) {
		size_t j = 0;

		while (j < selection->count &&
		       selection->events[j] != plan_event_at(plan, group, i))
			j++;
		if (j == selection->count)
			return false;
		*bits |= UINT64_C(1) << j;
	}
	return true;
}

static bool is_of(const struct layout *layout, size_t group, const struct selection *selection)
{
	return layout->groups[group].is_open && layout->groups[group].kind == selection->kind &&
	       layout->groups[group].turn == part_turn(selection->pmu);
}

/* Takes from the packing what is open already; every other group of the PMU is closed. */
static void keep_equal_groups(struct plan *plan, const struct selection *selection,
			      struct packing *packing)
{
	for (size_t g = 0; g < plan->layout.group_count; g++) {
		size_t i = packing->count;
		uint64_t bits;

		if (!is_of(&plan->layout, g, selection))
			continue;
		if (bits_of_group(plan, g, selection, &bits)) {
			i = 0;
			while (i < packing->count && packing->groups[i] != bits)
				i++;
		}
		if (i < packing->count)
			packing->groups[i] = packing->groups[--packing->count];
		else
			layout_close_group(&plan->layout, g);
	}
}

static void open_packed(struct layout *layout, const struct selection *selection, uint64_t bits)
{
	const size_t group = layout_add_group(layout, selection->kind, part_turn(selection->pmu));

	for (size_t i = 0; i < selection->count; i++)
		if ((bits >> i & 1) != 0)
			layout_add_counter(layout, group, selection->events[i]);
}

static void select_hardware(struct making *making, size_t kind, size_t pmu,
			    struct selection *selection)
{
	struct plan *plan = making->plan;

	*selection = (struct selection){.kind = kind, .pmu = pmu};
	for (size_t i = 0; i < plan->layout.event_count; i++) {
		if (plan->layout.events[i].is_removed || !part_is_to_be_had(plan, i, kind, pmu))
			continue;
		if (selection->count < PACK_EVENTS_MAX)
			selection->events[selection->count++] = i;
		else
			part_refuse_for(making, i, part_find(plan, i, kind, pmu),
					ERROR_EVENT_TOO_MANY, NULL);
	}
}

static void pack_hardware(struct making *making, size_t kind, size_t pmu)
{
	struct selection selection;
	struct packing packing;

	select_hardware(making, kind, pmu, &selection);
	refuse_large_braces(making, &selection);
	make_packing(making, &selection, &packing);
	if (making->shortage != 0)
		return;
	keep_equal_groups(making->plan, &selection, &packing);
	for (size_t i = 0; i < packing.count; i++)
		open_packed(&making->plan->layout, &selection, packing.groups[i]);
}

void grouping_refuse_mixed_braces(struct making *making)
{
	struct plan *plan = making->plan;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		size_t first = NO_PMU;

		for (size_t j = 0; j < weak->count && weak->must; j++) {
			const char *name = weak->names[j];
			const size_t event = (size_t)layout_find_event(&plan->layout, name);
			struct plan_part *part = &plan->events[event].parts[0];

			if (plan->events[event].part_count == 0 || part_is_software(part))
				continue;
			if (first == NO_PMU)
				first = part->pmu;
			if (part->pmu != first && part->errno_value == 0)
				part_refuse_for(making, event, part, ERROR_EVENT_BRACES_PMU, NULL);
		}
	}
}

void grouping_make(struct making *making)
{
	struct plan *plan = making->plan;

	drop_software(plan);
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++) {
		pack_software(making, kind);
		for (size_t pmu = 0; pmu < plan->pmu_count; pmu++)
			if (pmu >= plan->core_count || plan_is_for_tasks(plan) || pmu == kind)
				pack_hardware(making, kind, pmu);
	}
}
