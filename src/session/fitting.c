#include "session/fitting.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "kernel/group.h"
#include "model/layout.h"
#include "model/metric_set.h"

#include "event/event.h"
#include "event/processor.h"

enum {
	LOOKED_MAX = 64 /* more than the formulas have events */
};

struct machine {
	struct event_finder *finder;
	const struct attr_features *features;
	struct looked {
		char name[METRIC_NAME_MAX];
		enum metric_event event;
	} looked[LOOKED_MAX]; /* what was tried */
	size_t looked_count;
};

/* Whether it is said to be no event here, which more rights would not change. */
static bool is_refused(const struct event_spec *spec, const struct attr_features *features)
{
	/* of this process: a user may have no more */
	const struct group_request request = {
		.target.leader = GROUP_LEADER_TASK,
		.target.cpu = -1,
		.specs = {spec},
		.count = 1,
		.target.exclude_kernel = true,
	};
	struct group group = {.leader_fd = -1};
	int member = -1;
	const int refusal = group_open(&group, &request, features, &member);

	group_close(&group);
	/* ENXIO: a guest that has not the register of Intel's offcore_rsp */
	return member >= 0 && (refusal == ENOENT || refusal == EINVAL || refusal == EOPNOTSUPP ||
			       refusal == ENXIO);
}

/* Where a hypervisor shows a processor, it may refuse the codes that the processor has. */
static enum metric_event try_event(const char *event, const struct machine *machine)
{
	struct event_set found = {0};
	enum metric_event answer = METRIC_EVENT_ABSENT;

	if (event_find(machine->finder, event, &found, NULL, NULL))
		answer = METRIC_EVENT_COUNTED;
	for (size_t i = 0; i < found.count; i++)
		for (size_t k = 0; k < found.evsels[i].spec_count; k++)
			if (is_refused(&found.evsels[i].specs[k], machine->features))
				answer = METRIC_EVENT_REFUSED;
	event_set_fini(&found);
	return answer;
}

static enum metric_event look_here(const char *event, void *context)
{
	struct machine *machine = context;
	struct looked *looked = machine->looked;

	for (size_t i = 0; i < machine->looked_count; i++, looked++)
		if (strcmp(looked->name, event) == 0)
			return looked->event;
	if (machine->looked_count == LOOKED_MAX)
		return try_event(event, machine);
	snprintf(looked->name, sizeof(looked->name), "%s", event);
	looked->event = try_event(event, machine);
	machine->looked_count++;
	return looked->event;
}

static enum cache_level level_here(const char *event, void *context)
{
	const struct machine *machine = context;

	return processor_event_level(event_processor(machine->finder), event);
}

void fit_to_machine(struct metric_set *set, struct event_finder *finder,
		    const struct attr_features *features)
{
	struct machine here = {.finder = finder, .features = features};
	const struct metric_machine machine = {look_here, level_here, &here};

	metric_set_fit(set, &machine);
}

struct recorded {
	const struct layout *layout;
	const struct processor *processor;
};

static enum metric_event look_there(const char *event, void *context)
{
	const struct recorded *recorded = context;
	const int index = layout_find_event(recorded->layout, event);

	if (index < 0)
		return METRIC_EVENT_ABSENT;
	return recorded->layout->events[index].state == EVENT_UNSUPPORTED ? METRIC_EVENT_REFUSED
									  : METRIC_EVENT_COUNTED;
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
	const struct metric_machine machine = {look_there, level_there, &recorded};

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
