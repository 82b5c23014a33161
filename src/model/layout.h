#ifndef PERFTOP_MODEL_LAYOUT_H
#define PERFTOP_MODEL_LAYOUT_H

/*
 * What is counted in this run, and where each number stands.
 *
 * Everything perftop adds up for a task, a CPU or the machine stands in one
 * vector of uint64_t ("counts"), so that threads, processes, intervals and
 * totals are sums of vectors and nothing else. The layout gives the places:
 *
 *	[0, QUANTITY_BUILTIN)           what needs no event: run time, switches...
 *	[QUANTITY_BUILTIN, + events)    the events asked for, in that order
 *	[..., + groups)                 for each group the time it was counting, in ns
 *
 * An event that is not counted here keeps its place (always 0); its state says
 * that the number means nothing.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum quantity {
	QUANTITY_RUN_NS,      /* time on a CPU */
	QUANTITY_SWITCHES,    /* times it left a CPU */
	QUANTITY_PREEMPTIONS, /* of these: while it could have run on */
	QUANTITY_MIGRATIONS,  /* times it went on running on another CPU than before */
	QUANTITY_BUILTIN      /* how many; not a quantity */
};

enum event_state {
	EVENT_COUNTING,
	EVENT_MULTIPLEXED, /* shares the counters: metrics are scaled by coverage */
	EVENT_UNSUPPORTED, /* this machine does not count it */
	EVENT_DENIED       /* it would, but not for this user */
};

enum {
	EVENT_NAME_MAX = 64,
	EVENT_REASON_MAX = 256,
	LAYOUT_GROUP_MEMBERS_MAX = 32
};

struct event {
	char name[EVENT_NAME_MAX]; /* as the user typed it: "cache-misses" */
	enum event_state state;
	uint16_t group;                /* index into layout.groups; meaningless unless counted */
	char reason[EVENT_REASON_MAX]; /* why it is not counted or is multiplexed; "" otherwise */
};

/* Counters that the kernel counts and reads together. */
struct event_group {
	uint16_t events[LAYOUT_GROUP_MEMBERS_MAX]; /* indices into layout.events, in the order of
						      the values of a reading */
	uint16_t count;
};

struct layout {
	struct event *events; /* owned */
	size_t event_count;
	struct event_group *groups; /* owned; group 0 always counts: its clock is the run time */
	size_t group_count;         /* at least 1 */
};

void layout_fini(struct layout *layout);

/* A deep copy; *copy must not own anything. */
void layout_copy(struct layout *copy, const struct layout *layout);

/* Numbers in a counts vector of this layout. */
size_t layout_width(const struct layout *layout);

/* Place of event `index` and of the counting time of group `group`. */
size_t layout_event_place(const struct layout *layout, size_t index);
size_t layout_group_place(const struct layout *layout, size_t group);

bool event_is_counted(const struct event *event);

/* Name of an event state as the JSON writes it: counting, multiplexed, unsupported, denied. */
const char *event_state_name(enum event_state state);

/* Place of the quantity or event called `name` (run_ns, switches, preemptions, migrations, event
 * names); -1: none. */
int layout_find(const struct layout *layout, const char *name);

#endif
