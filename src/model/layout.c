/*
 * Where each number is in a counts vector. Nothing else gives out places.
 *
 * Invariant: no place is ever given out again, and the counters of an open group are those that are
 * live in it.
 */
#include "model/layout.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const quantity_names[QUANTITY_BUILTIN] = {
	[QUANTITY_RUN_NS] = "run_ns",
	[QUANTITY_SWITCHES] = "switches",
	[QUANTITY_PREEMPTIONS] = "preemptions",
	[QUANTITY_MIGRATIONS] = "migrations",
	[QUANTITY_PREEMPTED_NS] = "preempted_ns",
	[QUANTITY_OFF_NS] = "off_ns",
	[QUANTITY_QUEUED_NS] = "queued_ns",
	[QUANTITY_WAKEUP_NS] = "wakeup_ns",
	[QUANTITY_WAKEUPS] = "wakeups",
	[QUANTITY_UNINTERRUPTIBLE_NS] = "uninterruptible_ns",
	[QUANTITY_SMT_ALONE_NS] = "smt_alone_ns",
	[QUANTITY_SMT_BESIDE_NS] = "smt_beside_ns",
	[QUANTITY_SMT_ALONE_CYCLES] = "smt_alone_cycles",
	[QUANTITY_SMT_ALONE_INSTRUCTIONS] = "smt_alone_instructions",
	[QUANTITY_SMT_BESIDE_CYCLES] = "smt_beside_cycles",
	[QUANTITY_SMT_BESIDE_INSTRUCTIONS] = "smt_beside_instructions",
	[QUANTITY_LIFE_NS] = "life_ns",
	[QUANTITY_USER_NS] = "user_ns",
	[QUANTITY_SYSTEM_NS] = "system_ns",
	[QUANTITY_IRQ_NS] = "irq_ns",
	[QUANTITY_RUNQ_NS] = "runq_ns",
	[QUANTITY_PUSHED_NS] = "pushed_ns",
	[QUANTITY_LOCK_NS] = "lock_ns",
	[QUANTITY_DISK_NS] = "disk_ns",
	[QUANTITY_NET_NS] = "net_ns",
	[QUANTITY_SLEEP_NS] = "sleep_ns",
	[QUANTITY_STOP_NS] = "stop_ns",
	[QUANTITY_UNSURE_NS] = "unsure_ns",
	[QUANTITY_LATENCY_NS] = "latency_ns",
};

void layout_init(struct layout *layout)
{
	*layout = (struct layout){.kind_count = 1, .width = QUANTITY_BUILTIN};
	layout->kinds[0].clock = (uint16_t)layout_add_group(layout, 0, 0);
}

void layout_fini(struct layout *layout)
{
	free(layout->events);
	free(layout->counters);
	free(layout->groups);
	*layout = (struct layout){0};
}

static void *duplicate(const void *elements, size_t count, size_t size)
{
	void *copy = xcalloc(count, size);

	if (count)
		memcpy(copy, elements, count * size);
	return copy;
}

void layout_copy(struct layout *copy, const struct layout *layout)
{
	*copy = *layout;
	copy->events = duplicate(layout->events, layout->event_count, sizeof(*layout->events));
	copy->counters =
		duplicate(layout->counters, layout->counter_count, sizeof(*layout->counters));
	copy->groups = duplicate(layout->groups, layout->group_count, sizeof(*layout->groups));
}

size_t layout_add_event(struct layout *layout, const char *name)
{
	const size_t index = layout->event_count++;
	struct event *event;

	layout->events = xrealloc(layout->events, layout->event_count, sizeof(*layout->events));
	event = &layout->events[index];
	*event = (struct event){.state = EVENT_UNSUPPORTED, .scale = 1};
	snprintf(event->name, sizeof(event->name), "%s", name);
	return index;
}

static size_t free_slot(const struct layout *layout, size_t kind, size_t rotation)
{
	size_t index = 0;

	while (index < layout->group_count &&
	       (layout->groups[index].is_open || layout->groups[index].kind != kind ||
		layout->groups[index].rotation != rotation))
		index++;
	return index;
}

bool layout_has_room(const struct layout *layout, size_t kind, size_t rotation)
{
	return free_slot(layout, kind, rotation) < layout->group_count ||
	       layout->group_count < LAYOUT_GROUPS_MAX - 1;
}

size_t layout_add_group(struct layout *layout, size_t kind, size_t rotation)
{
	const size_t index = free_slot(layout, kind, rotation);
	struct event_group *group;

	if (index == layout->group_count) {
		layout->groups =
			xrealloc(layout->groups, ++layout->group_count, sizeof(*layout->groups));
		layout->groups[index] = (struct event_group){
			.kind = (uint16_t)kind,
			.rotation = (uint16_t)rotation,
			.value_index = layout->width,
			.slices_index = layout->width + 1,
		};
		layout->width += 2;
	}
	group = &layout->groups[index];
	group->is_open = true;
	group->generation++;
	return index;
}

/* The counter that the event has, or once had, in the group. */
static size_t find_counter(const struct layout *layout, size_t group, size_t event)
{
	size_t index = 0;

	while (index < layout->counter_count &&
	       (layout->counters[index].group != group || layout->counters[index].event != event))
		index++;
	return index;
}

size_t layout_add_counter(struct layout *layout, size_t group, size_t event)
{
	const size_t index = find_counter(layout, group, event);
	struct event_group *members = &layout->groups[group];

	assert(members->is_open && members->count < LAYOUT_GROUP_MEMBERS_MAX);
	if (index == layout->counter_count) {
		layout->counters = xrealloc(layout->counters, ++layout->counter_count,
					    sizeof(*layout->counters));
		layout->counters[index] = (struct counter){
			.event = (uint16_t)event,
			.group = (uint16_t)group,
			.value_index = layout->width++,
		};
	}
	layout->counters[index].is_live = true;
	members->counters[members->count] = (uint16_t)index;
	members->value_indexes[members->count++] = (uint32_t)layout->counters[index].value_index;
	members->generation++;
	return index;
}

void layout_drop_last_counter(struct layout *layout, size_t group)
{
	struct event_group *members = &layout->groups[group];

	layout->counters[members->counters[--members->count]].is_live = false;
	members->generation++;
}

void layout_close_group(struct layout *layout, size_t group)
{
	while (layout->groups[group].count > 0)
		layout_drop_last_counter(layout, group);
	layout->groups[group].is_open = false;
}

size_t layout_width(const struct layout *layout)
{
	return layout->width;
}

uint64_t layout_event_count(const struct layout *layout, size_t event, const uint64_t *counts)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < layout->counter_count; i++)
		if (layout->counters[i].event == event)
			sum += counts[layout->counters[i].value_index];
	return sum;
}

const struct counter *layout_counter_in(const struct layout *layout, size_t event, size_t group)
{
	const size_t index = find_counter(layout, group, event);

	return index < layout->counter_count && layout->counters[index].is_live
		       ? &layout->counters[index]
		       : NULL;
}

size_t layout_group_index(const struct layout *layout, size_t group)
{
	return layout->groups[group].value_index;
}

size_t layout_kind_index(const struct layout *layout, size_t kind)
{
	return layout->kind_count > 1 ? layout->groups[layout->kinds[kind].clock].value_index
				      : (size_t)QUANTITY_RUN_NS;
}

bool event_is_counted(const struct event *event)
{
	return event->state == EVENT_COUNTING || event->state == EVENT_MULTIPLEXED;
}

const char *event_state_name(enum event_state state)
{
	switch (state) {
	case EVENT_COUNTING:
		return "counting";
	case EVENT_MULTIPLEXED:
		return "multiplexed";
	case EVENT_UNSUPPORTED:
		return "unsupported";
	case EVENT_DENIED:
		return "denied";
	}
	return "";
}

int layout_find_quantity(const char *name)
{
	for (size_t i = 0; i < QUANTITY_BUILTIN; i++)
		if (name[0] == quantity_names[i][0] && strcmp(name, quantity_names[i]) == 0)
			return (int)i;
	return -1;
}

const char *layout_quantity_event(size_t quantity)
{
	switch (quantity) {
	case QUANTITY_SMT_ALONE_CYCLES:
	case QUANTITY_SMT_BESIDE_CYCLES:
		return "cycles";
	case QUANTITY_SMT_ALONE_INSTRUCTIONS:
	case QUANTITY_SMT_BESIDE_INSTRUCTIONS:
		return "instructions";
	default:
		return NULL;
	}
}

int layout_find_event(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < layout->event_count; i++)
		if (strcmp(name, layout->events[i].name) == 0)
			return (int)i;
	return -1;
}
