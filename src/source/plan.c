/*
 * Trying is opening for real and closing again. perf_event_open(2) alone does not tell
 * whether a group will ever be counted: a counter that somebody holds for good (the NMI
 * watchdog) is found missing only when the group is to run. So a group that is to fit is
 * also enabled for a moment, and must have been running.
 */
#include "source/plan.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"

struct trial {
	const struct plan_target *target;
	const struct host *host;
	const struct attr_features *features;
};

static bool runs(const struct group *group, const struct attr_features *features)
{
	struct group_reading reading;

	if (!group_enable(group) || !group_read(group, features, &reading))
		return false;
	return reading.running_ns > 0 || reading.enabled_ns == 0;
}

/* 0 when the group opens and is counted, otherwise a positive errno. */
static int try_group(const struct trial *trial, const struct event_spec *specs, size_t count)
{
	const struct group_request request = {
		.leader = trial->target->leader,
		.pid = trial->target->pid,
		.cpu = trial->target->cpu,
		.specs = specs,
		.count = count,
		.exclude_kernel = trial->target->exclude_kernel,
	};
	struct group group = {.leader_fd = -1};
	int errno_value = EINVAL;
	bool fits;

	if (!group_open(&group, &request, trial->features, NULL, &errno_value, NULL))
		return errno_value > 0 ? errno_value : EINVAL;
	fits = runs(&group, trial->features);
	group_close(&group);
	return fits ? 0 : ENOSPC;
}

static void explain(const struct trial *trial, const char *what, const struct event_spec *spec,
		    int errno_value, struct error *error)
{
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = what,
		.spec = spec,
		.pid = trial->target->pid,
		.cpu = trial->target->cpu,
		.is_group_member = spec != NULL,
		.host = trial->host,
	};

	explain_perf_error(error, errno_value, &context);
}

/* The explanation without the event's name before it: the reader sees the name anyway. */
static void set_reason(struct event *event, const struct error *error)
{
	size_t length = strlen(event->name);
	const char *text = error->text;

	if (strncmp(text, event->name, length) == 0 && strncmp(text + length, ": ", 2) == 0)
		text += length + 2;
	snprintf(event->reason, sizeof(event->reason), "%.*s", EVENT_REASON_MAX - 1, text);
}

/* Finds one event and tries it alone; false leaves the reason in the event. */
static bool try_event(const struct trial *trial, struct event *event, struct event_spec *spec)
{
	struct error error = {0};
	int errno_value;

	if (!event_spec_find(event->name, spec, &error)) {
		event->state = EVENT_UNSUPPORTED;
		set_reason(event, &error);
		return false;
	}
	errno_value = try_group(trial, spec, 1);
	if (errno_value == 0) {
		event->state = EVENT_COUNTING;
		return true;
	}
	explain(trial, event->name, spec, errno_value, &error);
	event->state = explain_is_denial(&error) ? EVENT_DENIED : EVENT_UNSUPPORTED;
	set_reason(event, &error);
	return false;
}

static size_t add_group(struct plan *plan)
{
	struct layout *layout = &plan->layout;
	size_t index = layout->group_count++;

	layout->groups = xrealloc(layout->groups, layout->group_count, sizeof(*layout->groups));
	plan->groups = xrealloc(plan->groups, layout->group_count, sizeof(*plan->groups));
	memset(&layout->groups[index], 0, sizeof(*layout->groups));
	memset(&plan->groups[index], 0, sizeof(*plan->groups));
	return index;
}

static bool add_member(struct plan *plan, size_t group, size_t event, const struct event_spec *spec)
{
	struct event_group *members = &plan->layout.groups[group];

	if (members->count == GROUP_MEMBERS_MAX || members->count == LAYOUT_GROUP_MEMBERS_MAX)
		return false;
	members->events[members->count++] = (uint16_t)event;
	plan->groups[group].specs[plan->groups[group].count++] = *spec;
	plan->layout.events[event].group = (uint16_t)group;
	return true;
}

static void remove_last_member(struct plan *plan, size_t group)
{
	plan->layout.groups[group].count--;
	plan->groups[group].count--;
}

static bool fits(const struct plan *plan, size_t group, const struct trial *trial)
{
	return try_group(trial, plan->groups[group].specs, plan->groups[group].count) == 0;
}

static void leave_out(struct event *event)
{
	event->state = EVENT_UNSUPPORTED;
	snprintf(event->reason, sizeof(event->reason), "more events than a group can hold");
}

/* Group 0: software events need no counter and always count. */
static void pack_software(struct plan *plan, const struct event_spec *specs)
{
	size_t group = add_group(plan);

	for (size_t i = 0; i < plan->layout.event_count; i++) {
		struct event *event = &plan->layout.events[i];

		if (event_is_counted(event) && !specs[i].is_hardware &&
		    !add_member(plan, group, i, &specs[i]))
			leave_out(event);
	}
}

/* Hardware events, one by one, into the last group that still takes them. */
static void pack_hardware(struct plan *plan, const struct event_spec *specs,
			  const struct trial *trial)
{
	size_t last = 0;

	for (size_t i = 0; i < plan->layout.event_count; i++) {
		if (!event_is_counted(&plan->layout.events[i]) || !specs[i].is_hardware)
			continue;
		if (last != 0 && add_member(plan, last, i, &specs[i])) {
			if (fits(plan, last, trial))
				continue;
			remove_last_member(plan, last);
		}
		last = add_group(plan);
		add_member(plan, last, i, &specs[i]);
	}
}

static void mark_multiplexed(struct layout *layout)
{
	if (layout->group_count <= 2)
		return;
	for (size_t i = 0; i < layout->event_count; i++) {
		struct event *event = &layout->events[i];

		if (!event_is_counted(event) || event->group == 0)
			continue;
		event->state = EVENT_MULTIPLEXED;
		snprintf(event->reason, sizeof(event->reason),
			 "more events than counters: %zu groups take turns",
			 layout->group_count - 1);
	}
}

bool plan_make(struct plan *plan, const char *const *names, size_t count,
	       const struct plan_target *target, const struct host *host,
	       const struct attr_features *features, struct error *error)
{
	const struct trial trial = {.target = target, .host = host, .features = features};
	struct event_spec *specs;
	int errno_value = try_group(&trial, NULL, 0);

	*plan = (struct plan){0};
	if (errno_value != 0) {
		explain(&trial, target->cpu >= 0 ? "system-wide counting" : "counting tasks", NULL,
			errno_value, error);
		return false;
	}
	specs = xcalloc(count, sizeof(*specs));
	plan->layout.events = xcalloc(count, sizeof(*plan->layout.events));
	plan->layout.event_count = count;
	for (size_t i = 0; i < count; i++) {
		struct event *event = &plan->layout.events[i];

		snprintf(event->name, sizeof(event->name), "%s", names[i]);
		try_event(&trial, event, &specs[i]);
	}
	pack_software(plan, specs);
	pack_hardware(plan, specs, &trial);
	mark_multiplexed(&plan->layout);
	free(specs);
	return true;
}

void plan_fini(struct plan *plan)
{
	layout_fini(&plan->layout);
	free(plan->groups);
	plan->groups = NULL;
}

bool plan_has_hardware(const struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.group_count; i++) {
		for (size_t j = 0; j < plan->groups[i].count; j++) {
			if (plan->groups[i].specs[j].is_hardware)
				return true;
		}
	}
	return false;
}

size_t plan_descriptors(const struct plan *plan)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->layout.group_count; i++)
		count += 1 + plan->groups[i].count;
	return count;
}

bool plan_open_group(const struct plan *plan, size_t index, const struct plan_target *target,
		     const struct attr_features *features, uint32_t wakeup_bytes,
		     struct group *group, int *errno_value)
{
	const struct group_request request = {
		.leader = target->leader,
		.pid = target->pid,
		.cpu = target->cpu,
		.specs = plan->groups[index].specs,
		.count = plan->groups[index].count,
		.exclude_kernel = target->exclude_kernel,
		.enable_on_exec = target->enable_on_exec,
		.wakeup_bytes = wakeup_bytes,
	};

	return group_open(group, &request, features, NULL, errno_value, NULL);
}
