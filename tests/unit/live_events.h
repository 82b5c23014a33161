#ifndef PERFTOP_TESTS_LIVE_EVENTS_H
#define PERFTOP_TESTS_LIVE_EVENTS_H

/* Events as this machine has them, for tests on the kernel that runs them. */

#include "base/error.h"

#include "event/event.h"
#include "unit.h"

struct live_events {
	struct event_finder *finder;
	struct event_set set;
};

static inline void live_events_find(struct live_events *events, const char *list)
{
	struct error error = {0};

	if (events->finder == NULL)
		events->finder = event_finder_create("");
	event_set_fini(&events->set);
	if (!event_find(events->finder, list, &events->set, NULL, &error))
		fail_msg("%s", error.text);
}

static inline void live_events_fini(struct live_events *events)
{
	event_set_fini(&events->set);
	event_finder_destroy(events->finder);
	*events = (struct live_events){0};
}

#endif
