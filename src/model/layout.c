/*
 * Where each number stands in a counts vector: quantities, then events, then the
 * counting times of the groups. Nobody else adds up these offsets.
 */
#include "model/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char *const quantity_names[QUANTITY_BUILTIN] = {
	[QUANTITY_RUN_NS] = "run_ns",
	[QUANTITY_SWITCHES] = "switches",
	[QUANTITY_PREEMPTIONS] = "preemptions",
	[QUANTITY_MIGRATIONS] = "migrations",
};

void layout_fini(struct layout *layout)
{
	free(layout->events);
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
	copy->groups = duplicate(layout->groups, layout->group_count, sizeof(*layout->groups));
}

size_t layout_width(const struct layout *layout)
{
	return QUANTITY_BUILTIN + layout->event_count + layout->group_count;
}

size_t layout_event_place(const struct layout *layout, size_t index)
{
	(void)layout;
	return QUANTITY_BUILTIN + index;
}

size_t layout_group_place(const struct layout *layout, size_t group)
{
	return QUANTITY_BUILTIN + layout->event_count + group;
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

int layout_find(const struct layout *layout, const char *name)
{
	for (size_t i = 0; i < QUANTITY_BUILTIN; i++) {
		if (strcmp(name, quantity_names[i]) == 0)
			return (int)i;
	}
	for (size_t i = 0; i < layout->event_count; i++) {
		if (strcmp(name, layout->events[i].name) == 0)
			return (int)layout_event_place(layout, i);
	}
	return -1;
}
