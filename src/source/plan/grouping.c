/*
 * Groups are made for each kind of CPU: software first, then PMU by PMU (pack.h). The new groups
 * are laid over those that are there, so that as few as possible are touched.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/plan/making.h"
#include "source/plan/pack.h"

enum {
	TRIALS_MAX = 400 /* openings for one change */
};

/* Events on one kind of CPU and PMU; bit n of a set stands for events[n]. */
struct selection {
	struct making *making;
	size_t kind, pmu;
	size_t events[PACK_EVENTS_MAX];
	size_t count;
};

static bool is_live(const struct plan *plan, size_t event, size_t kind, uint16_t rotation)
{
	for (size_t g = 0; g < plan->layout.group_count; g++) {
		const struct event_group *group = &plan->layout.groups[g];

		if (group->is_open && group->kind == kind &&
		    (group->rotation == rotation || layout_is_clock(&plan->layout, g)) &&
		    layout_counter_in(&plan->layout, event, g))
			return true;
	}
	return false;
}

static struct plan_part *part_at(const struct selection *selection, size_t index)
{
	return part_find(selection->making->plan, selection->events[index], selection->kind,
			 selection->pmu);
}

/* There is no room for one more. */
static void refuse_at(const struct selection *selection, size_t index)
{
	part_refuse_for(selection->making, selection->events[index], part_at(selection, index),
			ERROR_EVENT_TOO_MANY);
}

/* The events of a set as specs; returns how many. */
static size_t list_specs(const struct selection *selection, uint64_t bits,
			 const struct event_spec *specs[static PACK_EVENTS_MAX])
{
	size_t count = 0;

	for (size_t i = 0; i < selection->count; i++)
		if ((bits >> i & 1) != 0)
			specs[count++] = part_spec(selection->making->plan, selection->events[i],
						   part_at(selection, i));
	return count;
}

static void remove_at(struct selection *selection, size_t index)
{
	selection->count--;
	memmove(&selection->events[index], &selection->events[index + 1],
		(selection->count - index) * sizeof(*selection->events));
}

static struct trial_scope scope_of(const struct selection *selection)
{
	const struct plan_part part = {.kind = selection->kind, .pmu = selection->pmu};

	return part_scope(selection->making->plan, &part);
}

/* --- software */

/*
 * Tries software events together: where they share something (breakpoints do) it shows. What is
 * refused is taken out until the rest opens.
 */
static void try_software(struct selection *selection)
{
	struct making *making = selection->making;
	const struct trial_scope scope = scope_of(selection);
	const struct event_spec *specs[PACK_EVENTS_MAX];

	while (selection->count > 0 && making->shortage == 0) {
		const size_t count = list_specs(selection, UINT64_MAX, specs);
		int failed = -1;
		int errno_value =
			trials_try_software(making->trials, &scope, specs, count, &failed);
		size_t at = failed >= 0 ? (size_t)failed : count - 1;

		if (errno_value == 0)
			return;
		part_refuse(making, selection->events[at], part_at(selection, at), errno_value);
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

/* Software events that were taken out leave their group, unless that is the clock's. */
static void drop_software(struct plan *plan)
{
	for (size_t g = 0; g < plan->layout.group_count; g++) {
		const struct event_group *group = &plan->layout.groups[g];
		bool stays[GROUP_MEMBERS_MAX] = {false};
		size_t kept = 0;

		if (!group->is_open || group->rotation != TURN_ALWAYS ||
		    plan->layout.kinds[group->kind].clock == g)
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

/* The group for one more software event: the clock's as long as nothing counts, then another.
 * SIZE_MAX: there is no room. */
static size_t group_for_software(struct making *making, size_t kind, size_t *added)
{
	struct layout *layout = &making->plan->layout;
	const size_t clock = layout->kinds[kind].clock;

	if (!making->has_begun && layout->groups[clock].count < GROUP_MEMBERS_MAX)
		return clock;
	if (*added != SIZE_MAX && layout->groups[*added].count < GROUP_MEMBERS_MAX)
		return *added;
	if (!layout_has_room(layout, kind, TURN_ALWAYS))
		return SIZE_MAX;
	*added = layout_add_group(layout, kind, TURN_ALWAYS);
	return *added;
}

/* As many software events as can be tried together, from event *next on. */
static void select_software(struct selection *selection, size_t *next)
{
	struct plan *plan = selection->making->plan;

	for (; *next < plan->layout.event_count && selection->count < GROUP_MEMBERS_MAX; ++*next)
		if (!plan->layout.events[*next].is_removed &&
		    part_is_available(plan, *next, selection->kind, NO_PMU) &&
		    !is_live(plan, *next, selection->kind, TURN_ALWAYS))
			selection->events[selection->count++] = *next;
}

static void pack_software(struct making *making, size_t kind)
{
	struct layout *layout = &making->plan->layout;
	size_t next = 0, added = SIZE_MAX;

	while (next < layout->event_count && making->shortage == 0) {
		struct selection selection = {.making = making, .kind = kind, .pmu = NO_PMU};

		select_software(&selection, &next);
		try_software(&selection);
		for (size_t i = 0; i < selection.count; i++) {
			const size_t group = group_for_software(making, kind, &added);

			if (group == SIZE_MAX)
				refuse_at(&selection, i);
			else
				layout_add_counter(layout, group, selection.events[i]);
		}
	}
}

/* --- hardware */

/* Whether the set of events counts together. */
static bool fits(void *context, uint64_t bits)
{
	const struct selection *selection = context;
	struct making *making = selection->making;
	const struct trial_scope scope = scope_of(selection);
	const struct event_spec *specs[PACK_EVENTS_MAX];
	const size_t count = list_specs(selection, bits, specs);
	int errno_value;

	if (making->shortage != 0 || (trials_count(making->trials) > TRIALS_MAX &&
				      !trials_know(making->trials, &scope, specs, count)))
		return false;
	errno_value = trials_try(making->trials, &scope, specs, count);
	if (errno_value == EMFILE || errno_value == ENFILE)
		making->shortage = errno_value;
	return errno_value == 0;
}

/* Those of the weak group that are selected; 0 where fewer than two are. */
static uint64_t bits_of(const struct selection *selection, const struct weak_group *weak)
{
	const struct layout *layout = &selection->making->plan->layout;
	uint64_t bits = 0;

	for (size_t i = 0; i < weak->count; i++)
		for (size_t j = 0; j < selection->count; j++)
			if (strcmp(layout->events[selection->events[j]].name, weak->names[i]) == 0)
				bits |= UINT64_C(1) << j;
	return (bits & (bits - 1)) != 0 ? bits : 0;
}

/* Whether the event is asked for only in braces, and did not count before. */
static bool goes_with_its_braces(const struct selection *selection, size_t event)
{
	const struct plan *plan = selection->making->plan;

	return plan->events[event].evsel.only_in_braces &&
	       !is_live(plan, event, selection->kind, part_rotation(selection->pmu));
}

/* Events in braces that no group can hold are refused together. */
static void refuse_large_braces(struct selection *selection)
{
	struct making *making = selection->making;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		const uint64_t bits = weak->must ? bits_of(selection, weak) : 0;

		if (bits == 0 || fits(selection, bits) || making->shortage != 0)
			continue;
		for (size_t j = selection->count; j-- > 0;) {
			const size_t event = selection->events[j];

			if ((bits >> j & 1) == 0 || !goes_with_its_braces(selection, event))
				continue;
			part_refuse_for(making, event, part_at(selection, j), ERROR_EVENT_BRACES);
			remove_at(selection, j);
		}
	}
}

static size_t list_weak_groups(struct selection *selection, struct pack_weak_group *weak_groups)
{
	const struct event_set *set = selection->making->set;
	size_t count = 0;

	for (size_t i = 0; i < set->weak_group_count; i++) {
		const bool must = set->weak_groups[i].must;
		const uint64_t bits = bits_of(selection, &set->weak_groups[i]);

		if (bits != 0 && (!must || fits(selection, bits)))
			weak_groups[count++] = (struct pack_weak_group){bits, must};
	}
	return count;
}

static void make_packing(struct selection *selection, struct packing *packing)
{
	struct pack_weak_group *weak_groups =
		xcalloc(selection->making->set->weak_group_count, sizeof(*weak_groups));
	const struct pack_problem problem = {
		.events = selection->count == PACK_EVENTS_MAX
				  ? UINT64_MAX
				  : (UINT64_C(1) << selection->count) - 1,
		.weak_groups = weak_groups,
		.weak_group_count = list_weak_groups(selection, weak_groups),
		.fits = fits,
		.context = selection,
	};

	pack(packing, &problem);
	free(weak_groups);
}

/* The events of an open group as a set; false: it has one that is not selected. */
static bool bits_of_group(const struct selection *selection, size_t group, uint64_t *bits)
{
	const struct plan *plan = selection->making->plan;

	*bits = 0;
	for (size_t i = 0; i < plan->layout.groups[group].count; i++) {
		const size_t event = plan_event_at(plan, group, i);
		size_t j = 0;

		while (j < selection->count && selection->events[j] != event)
			j++;
		if (j == selection->count)
			return false;
		*bits |= UINT64_C(1) << j;
	}
	return true;
}

/* Takes from the packing what is open already; every other group of the PMU is closed. */
static void keep_equal_groups(const struct selection *selection, struct packing *packing)
{
	struct layout *layout = &selection->making->plan->layout;

	for (size_t g = 0; g < layout->group_count; g++) {
		const struct event_group *group = &layout->groups[g];
		size_t i = 0;
		uint64_t bits;

		if (!group->is_open || group->kind != selection->kind ||
		    group->rotation != part_rotation(selection->pmu))
			continue;
		if (!bits_of_group(selection, g, &bits))
			i = packing->count;
		while (i < packing->count && packing->groups[i] != bits)
			i++;
		if (i < packing->count)
			packing->groups[i] = packing->groups[--packing->count];
		else
			layout_close_group(layout, g);
	}
}

static void open_packed(const struct selection *selection, uint64_t bits)
{
	const struct plan *plan = selection->making->plan;
	struct layout *layout = &selection->making->plan->layout;
	const uint16_t rotation = part_rotation(selection->pmu);
	size_t group;

	if (!layout_has_room(layout, selection->kind, rotation)) {
		for (size_t i = 0; i < selection->count; i++)
			if ((bits >> i & 1) != 0 &&
			    !is_live(plan, selection->events[i], selection->kind, rotation))
				refuse_at(selection, i);
		return;
	}
	group = layout_add_group(layout, selection->kind, rotation);
	for (size_t i = 0; i < selection->count; i++)
		if ((bits >> i & 1) != 0)
			layout_add_counter(layout, group, selection->events[i]);
}

/* --- hardware in the clock group */

static void leave_software_in_clock(struct plan *plan, size_t clock)
{
	bool stays[GROUP_MEMBERS_MAX];

	for (size_t i = 0; i < plan->layout.groups[clock].count; i++)
		stays[i] = plan_spec_at(plan, clock, i)->class != EVENT_CLASS_HARDWARE;
	keep_members(&plan->layout, clock, stays);
	plan->layout.groups[clock].needs_counters = false;
}

/* The hardware events in the clock group as a set; one that is not selected is UINT64_MAX. */
static uint64_t bits_in_clock(const struct selection *selection, size_t clock)
{
	const struct plan *plan = selection->making->plan;
	uint64_t bits = 0;

	for (size_t i = 0; i < plan->layout.groups[clock].count; i++) {
		size_t j = 0;

		if (plan_spec_at(plan, clock, i)->class != EVENT_CLASS_HARDWARE)
			continue;
		while (j < selection->count &&
		       selection->events[j] != plan_event_at(plan, clock, i))
			j++;
		bits |= j < selection->count ? UINT64_C(1) << j : UINT64_MAX;
	}
	return bits;
}

/* Of machines with one kind of CPU; one whose kinds differ keeps its clocks apart. */
static bool may_share_clock(const struct selection *selection, const struct packing *packing)
{
	const struct plan *plan = selection->making->plan;
	const size_t clock = plan->layout.kinds[selection->kind].clock;
	size_t count = selection->count;

	for (size_t i = 0; i < plan->layout.groups[clock].count; i++)
		count += plan_spec_at(plan, clock, i)->class != EVENT_CLASS_HARDWARE;
	return count <= GROUP_MEMBERS_MAX && packing->count == 1 && plan->layout.kind_count == 1 &&
	       !plan_is_for_tasks(plan) && !plan->is_contended;
}

/* Where one group holds all, and the clock group has room for them, they are in that. */
static void share_clock(const struct selection *selection, struct packing *packing)
{
	struct plan *plan = selection->making->plan;
	const size_t clock = plan->layout.kinds[selection->kind].clock;
	const uint64_t wanted = may_share_clock(selection, packing) ? packing->groups[0] : 0;

	if (selection->pmu >= plan->core_count || plan_is_for_tasks(plan))
		return;
	if (bits_in_clock(selection, clock) != wanted) {
		leave_software_in_clock(plan, clock);
		for (size_t i = 0; i < selection->count; i++)
			if ((wanted >> i & 1) != 0)
				layout_add_counter(&plan->layout, clock, selection->events[i]);
	}
	plan->layout.groups[clock].needs_counters = wanted != 0;
	if (wanted != 0)
		packing->count = 0;
}

void plan_note_contention(struct plan *plan)
{
	const size_t clock = plan->layout.kinds[0].clock;
	const struct event_group before = plan->layout.groups[clock];
	const size_t group = layout_add_group(&plan->layout, 0, part_rotation(0));

	for (size_t i = 0; i < before.count; i++)
		if (plan_spec_at(plan, clock, i)->class == EVENT_CLASS_HARDWARE)
			layout_add_counter(&plan->layout, group,
					   plan->layout.counters[before.counters[i]].event);
	leave_software_in_clock(plan, clock);
	plan->is_contended = true;
}

static void select_hardware(struct selection *selection)
{
	struct making *making = selection->making;
	struct plan *plan = making->plan;

	for (size_t i = 0; i < plan->layout.event_count; i++) {
		if (plan->layout.events[i].is_removed ||
		    !part_is_available(plan, i, selection->kind, selection->pmu))
			continue;
		if (selection->count < PACK_EVENTS_MAX)
			selection->events[selection->count++] = i;
		else
			part_refuse_for(making, i,
					part_find(plan, i, selection->kind, selection->pmu),
					ERROR_EVENT_TOO_MANY);
	}
}

static void pack_hardware(struct making *making, size_t kind, size_t pmu)
{
	struct selection selection = {.making = making, .kind = kind, .pmu = pmu};
	struct packing packing;

	select_hardware(&selection);
	refuse_large_braces(&selection);
	make_packing(&selection, &packing);
	if (making->shortage != 0)
		return;
	share_clock(&selection, &packing);
	keep_equal_groups(&selection, &packing);
	for (size_t i = 0; i < packing.count; i++)
		open_packed(&selection, packing.groups[i]);
}

void grouping_refuse_mixed_braces(struct making *making)
{
	struct plan *plan = making->plan;

	for (size_t i = 0; i < making->set->weak_group_count; i++) {
		const struct weak_group *weak = &making->set->weak_groups[i];
		size_t first = NO_PMU;

		for (size_t j = 0; j < weak->count && weak->must; j++) {
			const size_t event =
				(size_t)layout_find_event(&plan->layout, weak->names[j]);
			struct plan_part *part = &plan->events[event].parts[0];

			if (plan->events[event].part_count == 0 || part->pmu == NO_PMU)
				continue;
			if (first == NO_PMU)
				first = part->pmu;
			if (part->pmu != first && part->errno_value == 0)
				part_refuse_for(making, event, part, ERROR_EVENT_BRACES_PMU);
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
