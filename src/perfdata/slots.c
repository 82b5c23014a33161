/*
 * An id is made of the event's number and of the CPU (ids.h), so all ids of all events can be
 * written before the first record.
 */
#include "perfdata/slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/record.h"

#include "perfdata/recording.h"

static uint32_t add_slot(struct recording_slots *slots, enum writer_event_kind kind,
			 const char *name)
{
	struct recording_slot *slot;

	array_reserve(&slots->all, &slots->capacity, slots->count + 1, sizeof(*slots->all));
	slot = &slots->all[slots->count];
	*slot = (struct recording_slot){.kind = kind};
	snprintf(slot->name, sizeof(slot->name), "%s", name);
	return (uint32_t)slots->count++;
}

void recording_slots_init(struct recording_slots *slots, int cpu_count)
{
	*slots = (struct recording_slots){.cpu_count = cpu_count};
	add_slot(slots, WRITER_TIMELINE, "dummy");
	add_slot(slots, WRITER_NOTES, RECORDING_EVENT);
}

void recording_slots_fini(struct recording_slots *slots)
{
	free(slots->all);
	free(slots->places);
	free(slots->events);
	free(slots->ids);
	free(slots->id_cpus);
	*slots = (struct recording_slots){0};
}

enum writer_event_kind recording_slots_leader(const struct recording_slots *slots)
{
	return slots->cpu_count > 0 ? WRITER_LEADER : WRITER_HOLDER;
}

static void add_group(struct recording_slots *slots, const struct layout *layout, size_t index)
{
	const struct event_group *group = &layout->groups[index];
	struct recording_slot_group *place = &slots->places[index];

	*place = (struct recording_slot_group){
		.generation = group->generation,
		.members = group->count,
		.is_open = true,
	};
	place->leader = add_slot(slots, recording_slots_leader(slots),
				 slots->cpu_count > 0 ? "context-switches" : "dummy");
	for (size_t i = 0; i < group->count; i++) {
		const struct counter *counter = &layout->counters[group->counters[i]];
		const uint32_t slot =
			add_slot(slots, WRITER_MEMBER, layout->events[counter->event].name);

		slots->all[slot].group = index;
		slots->all[slot].member = i;
	}
}

void recording_slots_follow(struct recording_slots *slots, const struct layout *layout)
{
	if (layout->group_count > slots->place_count) {
		slots->places =
			xrealloc(slots->places, layout->group_count, sizeof(*slots->places));
		memset(&slots->places[slots->place_count], 0,
		       (layout->group_count - slots->place_count) * sizeof(*slots->places));
		slots->place_count = layout->group_count;
	}
	for (size_t i = 0; i < layout->group_count; i++) {
		const struct event_group *group = &layout->groups[i];
		struct recording_slot_group *place = &slots->places[i];

		if (!group->is_open)
			place->is_open = false;
		else if (!place->is_open || place->generation != group->generation)
			add_group(slots, layout, i);
	}
}

static void make_ids(struct recording_slots *slots)
{
	const size_t each = (size_t)slots->cpu_count + 1;

	slots->ids = xrealloc(slots->ids, slots->count * each, sizeof(*slots->ids));
	slots->id_cpus = xrealloc(slots->id_cpus, each, sizeof(*slots->id_cpus));
	for (size_t i = 0; i < each; i++)
		slots->id_cpus[i] = i < each - 1 ? (int32_t)i : RECORD_CPU_NONE;
	for (size_t slot = 0; slot < slots->count; slot++)
		for (size_t i = 0; i < each; i++)
			slots->ids[slot * each + i] =
				recording_id((uint32_t)slot, slots->id_cpus[i]);
}

const struct writer_event *recording_slots_events(
	struct recording_slots *slots, const struct layout *layout,
	const struct event_spec *(*spec)(const void *source, size_t group, size_t member),
	const void *source, size_t *count)
{
	const size_t each = (size_t)slots->cpu_count + 1;
	const size_t before = slots->count;

	recording_slots_follow(slots, layout);
	make_ids(slots);
	slots->events = xrealloc(slots->events, slots->count, sizeof(*slots->events));
	for (size_t i = 0; i < slots->count; i++) {
		const struct recording_slot *slot = &slots->all[i];
		const bool is_known = slot->kind == WRITER_MEMBER && i >= before;

		slots->events[i] = (struct writer_event){
			.kind = slot->kind,
			.name = slot->name,
			.spec = is_known && spec ? spec(source, slot->group, slot->member) : NULL,
			.ids = &slots->ids[i * each],
			.id_cpus = slots->id_cpus,
			.id_count = each,
		};
	}
	*count = slots->count;
	return slots->events;
}
