/*
 * Weak groups refer to events by their place in the list, which changes as events come and go, so
 * they are made anew for each request.
 */
#include "session/event_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/metric_set.h"

static void free_braces(struct event_set_braces *braces, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(braces[i].names);
	free(braces);
}

void event_set_fini(struct event_set *events)
{
	free(events->choices);
	free_braces(events->braces, events->brace_count);
	*events = (struct event_set){0};
}

static void add_choice(struct event_set *events, const struct event_choice *choice)
{
	array_reserve(&events->choices, &events->capacity, events->count + 1,
		      sizeof(*events->choices));
	events->choices[events->count++] = *choice;
}

static struct event_set_braces *add_braces(struct event_set *events)
{
	struct event_set_braces *braces;

	array_reserve(&events->braces, &events->brace_capacity, events->brace_count + 1,
		      sizeof(*events->braces));
	braces = &events->braces[events->brace_count++];
	*braces = (struct event_set_braces){0};
	return braces;
}

static void add_name(struct event_set_braces *braces, const char *name)
{
	braces->names = xrealloc(braces->names, braces->count + 1, sizeof(*braces->names));
	memcpy(braces->names[braces->count++], name, strlen(name) + 1);
}

void event_set_copy(struct event_set *copy, const struct event_set *events)
{
	*copy = (struct event_set){.scheduler = events->scheduler};
	for (size_t i = 0; i < events->count; i++)
		add_choice(copy, &events->choices[i]);
	for (size_t i = 0; i < events->brace_count; i++) {
		struct event_set_braces *braces = add_braces(copy);

		for (size_t j = 0; j < events->braces[i].count; j++)
			add_name(braces, events->braces[i].names[j]);
	}
}

static size_t find(const struct event_set *events, const char *name)
{
	size_t index = 0;

	while (index < events->count && strcmp(events->choices[index].name, name) != 0)
		index++;
	return index;
}

bool event_set_has(const struct event_set *events, const char *name)
{
	return find(events, name) < events->count;
}

static bool are_equal(const struct event_set_braces *a, const struct event_set_braces *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

/* What is in one pair of braces of the list, unless it is known. */
static void take_braces(struct event_set *events, const struct event_choices *found, int brace)
{
	struct event_set_braces *added = add_braces(events);

	for (size_t i = 0; i < found->count; i++)
		if (found->choices[i].brace == brace)
			add_name(added, found->choices[i].name);
	for (size_t i = 0; i + 1 < events->brace_count; i++) {
		if (!are_equal(&events->braces[i], added))
			continue;
		free(added->names);
		events->brace_count--;
		return;
	}
}

bool event_set_add(struct event_set *events, struct event_finder *finder, const char *list,
		   void (*named)(const char *name, void *context), void *context, size_t *position,
		   struct error *error)
{
	struct event_choices found = {0};
	int last_brace = -1;

	if (!event_find(finder, list, &found, position, error)) {
		event_choices_fini(&found);
		return false;
	}
	for (size_t i = 0; i < found.count; i++) {
		const struct event_choice *choice = &found.choices[i];
		const size_t known = find(events, choice->name);

		if (known == events->count)
			add_choice(events, choice);
		else if (choice->brace < 0)
			events->choices[known].brace = -1; /* it is wanted by itself too */
		if (choice->brace > last_brace)
			take_braces(events, &found, choice->brace);
		last_brace = choice->brace > last_brace ? choice->brace : last_brace;
		if (named)
			named(choice->name, context);
	}
	event_choices_fini(&found);
	return true;
}

/* What is left of braces that lose an event stays together. */
static void leave_braces(struct event_set_braces *braces, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < braces->count; i++)
		if (strcmp(braces->names[i], name) != 0)
			memmove(braces->names[kept++], braces->names[i], sizeof(*braces->names));
	braces->count = kept;
}

bool event_set_remove(struct event_set *events, const char *name)
{
	const size_t index = find(events, name);

	if (index == events->count)
		return false;
	events->count--;
	memmove(&events->choices[index], &events->choices[index + 1],
		(events->count - index) * sizeof(*events->choices));
	for (size_t i = 0; i < events->brace_count; i++)
		leave_braces(&events->braces[i], name);
	return true;
}

/* A weak group that is being made of names. */
struct making {
	struct event_set_request *request;
	const struct event_set *events;
	size_t first;
	bool has_all;
};

static void add_event(const char *name, void *context)
{
	struct making *making = context;
	struct event_set_request *request = making->request;
	const size_t index = find(making->events, name);

	if (index == making->events->count) {
		making->has_all = false;
		return;
	}
	array_reserve(&request->events, &request->event_capacity, request->event_count + 1,
		      sizeof(*request->events));
	request->events[request->event_count++] = (uint16_t)index;
}

/* The events that were added since the making began become a weak group, unless it asks for
 * nothing. */
static void finish_weak_group(struct making *making, bool must)
{
	struct event_set_request *request = making->request;
	const size_t count = request->event_count - making->first;

	if (!making->has_all || count < 2) {
		request->event_count = making->first;
		return;
	}
	array_reserve(&request->weak_groups, &request->weak_group_capacity,
		      request->request.weak_group_count + 1, sizeof(*request->weak_groups));
	request->weak_groups[request->request.weak_group_count++] =
		(struct weak_group){.count = count, .must = must};
}

static struct making begin_weak_group(struct event_set_request *request,
				      const struct event_set *events)
{
	return (struct making){
		.request = request,
		.events = events,
		.first = request->event_count,
		.has_all = true,
	};
}

void event_set_request_init(struct event_set_request *request, const struct event_set *events,
			    const struct metric_set *metrics)
{
	size_t used = 0;

	*request = (struct event_set_request){0};
	for (size_t i = 0; i < events->brace_count; i++) {
		struct making making = begin_weak_group(request, events);

		for (size_t j = 0; j < events->braces[i].count; j++)
			add_event(events->braces[i].names[j], &making);
		finish_weak_group(&making, true);
	}
	for (size_t i = 0; i < metric_set_count(metrics); i++) {
		struct making making = begin_weak_group(request, events);

		metric_set_events(metrics, i, add_event, &making);
		finish_weak_group(&making, false);
	}
	for (size_t i = 0; i < request->request.weak_group_count; i++) {
		request->weak_groups[i].events = request->events + used;
		used += request->weak_groups[i].count;
	}
	request->request.choices = events->choices;
	request->request.count = events->count;
	request->request.weak_groups = request->weak_groups;
	request->request.scheduler = events->scheduler;
}

void event_set_request_fini(struct event_set_request *request)
{
	free(request->weak_groups);
	free(request->events);
	*request = (struct event_set_request){0};
}
