#ifndef PERFTOP_PERFDATA_EVENT_LIST_H
#define PERFTOP_PERFDATA_EVENT_LIST_H

/*
 * The events of a recording: made of attributes as they are in it (of any size, in either byte
 * order), found by their ids.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

#include "perfdata/bytes.h"
#include "perfdata/reader.h"

enum {
	EVENT_LIST_MAX = 1 << 16,     /* what a file may ask of memory: events, */
	EVENT_LIST_IDS_MAX = 1 << 20, /* and ids of all of them */
	EVENT_LIST_NONE = -1
};

struct event_list {
	struct perfdata_event *all; /* owned */
	size_t count, capacity;
	size_t id_count;  /* of all */
	struct map by_id; /* id -> 1 + index, disguised as a pointer */
	bool has_clock;   /* the first event that chose a clock chose this one */
	int32_t clock;
};

void event_list_fini(struct event_list *list);

/* Adds the event of an attribute (its bytes, and nothing else, in `attr`). False: it cannot be one,
 * or there are too many. */
bool event_list_add(struct event_list *list, struct fields attr);

/* Gives an event `count` ids, as 64-bit words of a file. False: too many. */
bool event_list_add_ids(struct event_list *list, size_t index, struct fields *words, size_t count);

/* The index of the event that has the id; EVENT_LIST_NONE. */
long event_list_find(const struct event_list *list, uint64_t id);

/*
 * The event of a sample with an unknown id; EVENT_LIST_NONE. Kernels (seen with 6.18) give a sample
 * of a software event the id of another event of the same type that fired with it, even of another
 * process' event, which the recording does not know. It is recognised by the ids of its group's
 * reading, or because no other event has samples of this form.
 */
long event_list_adopt(const struct event_list *list, const void *bytes, size_t size,
		      struct decoded *scratch);

#endif
