/*
 * An event is taken apart into what each kind of CPU makes of it. Hardware events are tried here,
 * each part by itself; software ones are tried together when they are put into a group.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernel/explain.h"
#include "source/plan/making.h"

bool plan_is_for_tasks(const struct plan *plan)
{
	return plan->targets[0].cpu < 0;
}

const struct event_spec *part_spec(const struct plan *plan, size_t event,
				   const struct plan_part *part)
{
	return &plan->events[event].evsel.specs[part->spec];
}

struct trial_place part_place(const struct plan *plan, const struct plan_part *part)
{
	return (struct trial_place){
		.target = plan->targets[part->kind],
		.kind = part->kind,
		.cpus = part->pmu != NO_PMU ? plan->pmus[part->pmu].cpus : "",
	};
}

uint16_t part_turn(size_t pmu)
{
	return (uint16_t)(pmu == NO_PMU ? TURN_ALWAYS : pmu + 1);
}

/* The explanation without the event's name before it: the reader sees the name anyway. */
static void set_reason(struct plan_part *part, const char *name, const struct error *error)
{
	size_t length = strlen(name);
	const char *text = error->text;

	if (strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	snprintf(part->reason, sizeof(part->reason), "%.*s", EVENT_REASON_MAX - 1, text);
	part->is_denied = explain_is_denial(error);
}

void part_explain(const struct making *making, const struct plan_part *part, const char *what,
		  const struct event_spec *spec, struct error *error)
{
	const struct plan_target *target = &making->plan->targets[part->kind];
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = what,
		.spec = spec,
		.pid = target->pid,
		.cpu = target->cpu,
		.is_group_member = spec,
		.host = trials_host(making->trials),
	};

	explain_perf_error(error, part->errno_value, &context);
}

void part_refuse(struct making *making, size_t event, struct plan_part *part, int errno_value)
{
	const char *name = making->plan->layout.events[event].name;
	struct error error = {0};

	part->errno_value = errno_value;
	if (errno_value == EMFILE || errno_value == ENFILE)
		making->shortage = errno_value;
	part_explain(making, part, name, part_spec(making->plan, event, part), &error);
	set_reason(part, name, &error);
}

void part_refuse_for(struct making *making, size_t event, struct plan_part *part,
		     enum error_code code)
{
	const char *name = making->plan->layout.events[event].name;
	struct error error = {0};

	part->errno_value = EINVAL;
	error_set(&error, code, name, NULL);
	set_reason(part, name, &error);
}

/* The PMU of a hardware event; PLAN_PMUS_MAX: there are too many. */
static size_t pmu_of(struct plan *plan, const struct event_spec *spec)
{
	size_t index = 0;

	if (spec->pmu[0] == '\0')
		return 0;
	while (index < plan->pmu_count && strcmp(plan->pmus[index].name, spec->pmu) != 0)
		index++;
	if (index == plan->pmu_count && index < PLAN_PMUS_MAX)
		snprintf(plan->pmus[plan->pmu_count++].name, sizeof(plan->pmus[index].name), "%s",
			 spec->pmu);
	return index;
}

static bool is_absent(const struct plan *plan, const char *pmu)
{
	for (size_t i = 0; i < plan->absent_count; i++)
		if (strcmp(plan->absent[i], pmu) == 0)
			return true;
	return false;
}

static void add_part(struct plan_event *event, size_t kind, size_t pmu, size_t spec)
{
	if (event->part_count == PLAN_PARTS_MAX)
		return;
	event->parts[event->part_count++] =
		(struct plan_part){.kind = kind, .pmu = pmu, .spec = spec};
}

/* What counts everywhere is counted once on each kind of CPU. */
static void add_spec(struct plan *plan, struct plan_event *event, size_t index)
{
	const struct event_spec *spec = &event->evsel.specs[index];
	size_t pmu = NO_PMU;

	if (spec->class == EVENT_CLASS_HARDWARE) {
		if (is_absent(plan, spec->pmu))
			return;
		pmu = pmu_of(plan, spec);
		if (pmu < plan->core_count) {
			add_part(event, plan_is_for_tasks(plan) ? 0 : pmu, pmu, index);
			return;
		}
	}
	for (size_t kind = 0; kind < plan->layout.kind_count; kind++)
		add_part(event, kind, pmu, index);
}

/* Hardware events are tried alone, software ones together (try_software()). */
static void try_parts(struct making *making, size_t index)
{
	struct plan *plan = making->plan;
	struct plan_event *event = &plan->events[index];

	event->part_count = 0;
	for (size_t i = 0; i < event->evsel.spec_count; i++)
		add_spec(plan, event, i);
	for (size_t i = 0; i < event->part_count && making->shortage == 0; i++) {
		struct plan_part *part = &event->parts[i];
		const struct event_spec *spec = part_spec(plan, index, part);
		const struct trial_place place = part_place(plan, part);
		int errno_value;

		if (part->pmu != NO_PMU &&
		    (errno_value = trials_try(making->trials, &place, &spec, 1)) != 0)
			part_refuse(making, index, part, errno_value);
	}
}

/* The clock group goes on counting an event that was taken out: it still means what it did. */
static bool is_counted(const struct layout *layout, size_t event)
{
	for (size_t i = 0; i < layout->counter_count; i++)
		if (layout->counters[i].event == event && layout->counters[i].is_live)
			return true;
	return false;
}

void parts_take_events(struct making *making)
{
	struct plan *plan = making->plan;
	struct layout *layout = &plan->layout;

	for (size_t i = 0; i < layout->event_count; i++)
		layout->events[i].is_removed = true;
	for (size_t i = 0; i < making->set->count; i++) {
		const struct evsel *evsel = &making->set->evsels[i];
		int index = layout_find_event(layout, evsel->name);
		struct event *event;

		if (index < 0) {
			index = (int)layout_add_event(layout, evsel->name);
			plan->events =
				xrealloc(plan->events, layout->event_count, sizeof(*plan->events));
			plan->events[index] = (struct plan_event){.evsel = *evsel};
		}
		event = &layout->events[index];
		if (!plan->events[index].was_tried && !is_counted(layout, (size_t)index))
			plan->events[index].evsel = *evsel;
		plan->events[index].evsel.only_in_braces = evsel->only_in_braces;
		event->is_removed = false;
		event->scale = evsel->specs[0].scale != 0 ? evsel->specs[0].scale : 1;
		event->is_clock = evsel->specs[0].is_clock;
		snprintf(event->unit, sizeof(event->unit), "%s", evsel->specs[0].unit);
	}
	for (size_t i = 0; i < layout->event_count && making->shortage == 0; i++) {
		if (layout->events[i].is_removed || plan->events[i].was_tried)
			continue;
		try_parts(making, i);
	}
}

void parts_forget_removed(struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.event_count; i++)
		plan->events[i].was_tried = !plan->layout.events[i].is_removed;
}

struct plan_part *part_find(struct plan *plan, size_t event, size_t kind, size_t pmu)
{
	struct plan_event *tried = &plan->events[event];

	for (size_t i = 0; i < tried->part_count; i++)
		if (tried->parts[i].kind == kind && tried->parts[i].pmu == pmu)
			return &tried->parts[i];
	return NULL;
}

bool part_is_available(struct plan *plan, size_t event, size_t kind, size_t pmu)
{
	const struct plan_part *part = part_find(plan, event, kind, pmu);

	return part && part->errno_value == 0;
}

/* How many copies of the event the PMU counts at once. */
static size_t find_counters(struct making *making, size_t event, const struct plan_part *part)
{
	const struct trial_place place = part_place(making->plan, part);
	const struct event_spec *copies[GROUP_MEMBERS_MAX];
	size_t fitting = 1, beyond = GROUP_MEMBERS_MAX + 1;

	for (size_t i = 0; i < GROUP_MEMBERS_MAX; i++)
		copies[i] = part_spec(making->plan, event, part);
	while (fitting + 1 < beyond) {
		size_t middle = fitting * 2 < beyond ? fitting * 2 : (fitting + beyond) / 2;

		if (trials_try(making->trials, &place, copies, middle) == 0)
			fitting = middle;
		else
			beyond = middle;
	}
	return fitting;
}

/*
 * Cycles and instructions often have counters of their own that count nothing else, and these are
 * mostly asked for first: the last event shows best how many counters there are for any event.
 */
void parts_count_counters(struct making *making)
{
	struct plan *plan = making->plan;

	for (size_t pmu = 0; pmu < plan->core_count; pmu++) {
		for (size_t i = plan->layout.event_count; i-- > 0;) {
			const size_t kind = plan_is_for_tasks(plan) ? 0 : pmu;

			if (plan->pmus[pmu].counters != 0 || making->shortage != 0)
				break;
			if (part_is_available(plan, i, kind, pmu))
				plan->pmus[pmu].counters =
					find_counters(making, i, part_find(plan, i, kind, pmu));
		}
	}
}
