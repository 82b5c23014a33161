/*
 * The count of an event is the sum of its counters', live or not, as in layout_event_count().
 */

#include "batch/event_sums.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/layout.h"

static size_t add_places(struct event_sums *sums, const struct layout *layout, size_t event,
			 size_t first)
{
	size_t count = 0;

	for (size_t i = 0; i < layout->counter_count; i++)
		if (layout->counters[i].event == event)
			sums->places[first + count++] = layout->counters[i].place;
	return count;
}

void event_sums_init(struct event_sums *sums, const struct layout *layout)
{
	size_t used = 0;

	*sums = (struct event_sums){
		.sums = xcalloc(layout->event_count, sizeof(*sums->sums)),
		.places = xcalloc(layout->counter_count, sizeof(*sums->places)),
	};
	for (size_t i = 0; i < layout->event_count; i++) {
		struct event_sum *sum = &sums->sums[sums->count];

		if (layout->events[i].is_removed)
			continue;
		*sum = (struct event_sum){
			.event = i,
			.first = used,
			.count = add_places(sums, layout, i, used),
			.is_counted = event_is_counted(&layout->events[i]),
		};
		used += sum->count;
		sums->count++;
	}
}

void event_sums_fini(struct event_sums *sums)
{
	free(sums->sums);
	free(sums->places);
	*sums = (struct event_sums){0};
}

uint64_t event_sum_of(const struct event_sums *sums, size_t index, const uint64_t *counts)
{
	const struct event_sum *sum = &sums->sums[index];
	uint64_t total = 0;

	for (size_t i = sum->first; i < sum->first + sum->count; i++)
		total += counts[sums->places[i]];
	return total;
}
