/*
 * Sums of estimates grow as sums of counts do, while an estimate from a sum may be less than the
 * one before. So each interval is scaled by itself.
 */

#include "batch/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/metric.h"

static const double ns_per_s = 1e9;

void tally_fini(struct tally *tally)
{
	free(tally->events);
	*tally = (struct tally){0};
}

/* Events are added to a layout, none is ever taken off it. */
static void widen(struct tally *tally, size_t event_count)
{
	if (tally->event_count >= event_count)
		return;
	tally->events = xrealloc(tally->events, event_count, sizeof(*tally->events));
	for (size_t i = tally->event_count; i < event_count; i++)
		tally->events[i] = 0;
	tally->event_count = event_count;
}

/* NaN: not counted. */
static double worth(const struct layout *layout, size_t index, const uint64_t *counts,
		    uint64_t interval_ns)
{
	const struct event *event = &layout->events[index];

	if (event->state == EVENT_COUNTING && event->scale == 1.0)
		return (double)layout_event_count(layout, index, counts);
	return metrics_event_rate(layout, index, -1, counts, interval_ns).value *
	       ((double)interval_ns / ns_per_s);
}

void tally_add(struct tally *tally, const struct layout *layout, const uint64_t *counts,
	       uint32_t unknown, uint64_t interval_ns)
{
	for (int i = 0; i < QUANTITY_BUILTIN; i++)
		if (!(unknown & 1u << i))
			tally->quantities[i] += counts[i];
	widen(tally, layout->event_count);
	if (unknown & METRIC_EVENTS_UNKNOWN)
		return;
	for (size_t i = 0; i < layout->event_count; i++) {
		const double count = worth(layout, i, counts, interval_ns);

		if (isfinite(count))
			tally->events[i] += count;
	}
}

double tally_event(const struct tally *tally, size_t event)
{
	return event < tally->event_count ? tally->events[event] : 0;
}
