#include "session/fitting.h"

#include "model/layout.h"
#include "model/metric_set.h"

#include "event/event.h"
#include "event/processor.h"

static bool finds(const char *event, void *finder)
{
	struct event_set found = {0};
	const bool good = event_find(finder, event, &found, NULL, NULL);

	event_set_fini(&found);
	return good;
}

static enum cache_level level_here(const char *event, void *finder)
{
	return processor_event_level(event_processor(finder), event);
}

void fit_to_machine(struct metric_set *set, struct event_finder *finder)
{
	const struct metric_machine machine = {finds, level_here, finder};

	metric_set_fit(set, &machine);
}

struct recorded {
	const struct layout *layout;
	const struct processor *processor;
};

static bool has(const char *event, void *context)
{
	const struct recorded *recorded = context;

	return layout_find_event(recorded->layout, event) >= 0;
}

static enum cache_level level_there(const char *event, void *context)
{
	const struct recorded *recorded = context;

	return processor_event_level(recorded->processor, event);
}

void fit_to_recording(struct metric_set *set, const struct layout *layout,
		      const struct processor *processor)
{
	struct recorded recorded = {layout, processor};
	const struct metric_machine machine = {has, level_there, &recorded};

	metric_set_fit(set, &machine);
}

const char *default_event(const struct metric_set *set, size_t index)
{
	const int metric = metric_set_find(set, "miss_pct");
	const struct formula *formula = metric_set_formula(set, (size_t)metric);
	const char *const names[DEFAULT_EVENTS] = {
		"cycles",
		"instructions",
		formula_name(formula, 1), /* what is divided by first, as in perf stat */
		formula_name(formula, 0),
		"branch-misses",
		"page-faults",
	};

	return names[index];
}
