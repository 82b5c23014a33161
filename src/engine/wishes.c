/*
 * Bonds refer to events by their place in the list, which changes as events come and go, so they
 * are made anew for each request.
 */
#include "engine/wishes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/metric_set.h"

static void free_braces(struct wished_braces *braces, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(braces[i].names);
	free(braces);
}

void wishes_fini(struct wishes *wishes)
{
	free(wishes->choices);
	free_braces(wishes->braces, wishes->brace_count);
	*wishes = (struct wishes){0};
}

static void add_choice(struct wishes *wishes, const struct event_choice *choice)
{
	array_reserve(&wishes->choices, &wishes->capacity, wishes->count + 1,
		      sizeof(*wishes->choices));
	wishes->choices[wishes->count++] = *choice;
}

static struct wished_braces *add_braces(struct wishes *wishes)
{
	struct wished_braces *braces;

	array_reserve(&wishes->braces, &wishes->brace_capacity, wishes->brace_count + 1,
		      sizeof(*wishes->braces));
	braces = &wishes->braces[wishes->brace_count++];
	*braces = (struct wished_braces){0};
	return braces;
}

static void add_name(struct wished_braces *braces, const char *name)
{
	braces->names = xrealloc(braces->names, braces->count + 1, sizeof(*braces->names));
	memcpy(braces->names[braces->count++], name, strlen(name) + 1);
}

void wishes_copy(struct wishes *copy, const struct wishes *wishes)
{
	*copy = (struct wishes){.scheduler = wishes->scheduler};
	for (size_t i = 0; i < wishes->count; i++)
		add_choice(copy, &wishes->choices[i]);
	for (size_t i = 0; i < wishes->brace_count; i++) {
		struct wished_braces *braces = add_braces(copy);

		for (size_t j = 0; j < wishes->braces[i].count; j++)
			add_name(braces, wishes->braces[i].names[j]);
	}
}

static size_t find(const struct wishes *wishes, const char *name)
{
	size_t index = 0;

	while (index < wishes->count && strcmp(wishes->choices[index].name, name) != 0)
		index++;
	return index;
}

bool wishes_has(const struct wishes *wishes, const char *name)
{
	return find(wishes, name) < wishes->count;
}

static bool are_equal(const struct wished_braces *a, const struct wished_braces *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

/* What stands in one pair of braces of the list, unless it is known. */
static void take_braces(struct wishes *wishes, const struct event_choices *found, int brace)
{
	struct wished_braces *added = add_braces(wishes);

	for (size_t i = 0; i < found->count; i++)
		if (found->choices[i].brace == brace)
			add_name(added, found->choices[i].name);
	for (size_t i = 0; i + 1 < wishes->brace_count; i++) {
		if (!are_equal(&wishes->braces[i], added))
			continue;
		free(added->names);
		wishes->brace_count--;
		return;
	}
}

bool wishes_add(struct wishes *wishes, struct event_finder *finder, const char *list,
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
		const size_t known = find(wishes, choice->name);

		if (known == wishes->count)
			add_choice(wishes, choice);
		else if (choice->brace < 0)
			wishes->choices[known].brace = -1; /* it is wanted by itself too */
		if (choice->brace > last_brace)
			take_braces(wishes, &found, choice->brace);
		last_brace = choice->brace > last_brace ? choice->brace : last_brace;
		if (named)
			named(choice->name, context);
	}
	event_choices_fini(&found);
	return true;
}

/* What is left of braces that lose an event stays together. */
static void leave_braces(struct wished_braces *braces, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < braces->count; i++)
		if (strcmp(braces->names[i], name) != 0)
			memmove(braces->names[kept++], braces->names[i], sizeof(*braces->names));
	braces->count = kept;
}

bool wishes_remove(struct wishes *wishes, const char *name)
{
	const size_t index = find(wishes, name);

	if (index == wishes->count)
		return false;
	wishes->count--;
	memmove(&wishes->choices[index], &wishes->choices[index + 1],
		(wishes->count - index) * sizeof(*wishes->choices));
	for (size_t i = 0; i < wishes->brace_count; i++)
		leave_braces(&wishes->braces[i], name);
	return true;
}

/* A bond that is being made of names. */
struct making {
	struct wished_request *request;
	const struct wishes *wishes;
	size_t first;
	bool has_all;
};

static void add_event(const char *name, void *context)
{
	struct making *making = context;
	struct wished_request *request = making->request;
	const size_t index = find(making->wishes, name);

	if (index == making->wishes->count) {
		making->has_all = false;
		return;
	}
	array_reserve(&request->events, &request->event_capacity, request->event_count + 1,
		      sizeof(*request->events));
	request->events[request->event_count++] = (uint16_t)index;
}

/* The events that were added since the making began become a bond, unless it asks for nothing. */
static void finish_bond(struct making *making, bool must)
{
	struct wished_request *request = making->request;
	const size_t count = request->event_count - making->first;

	if (!making->has_all || count < 2) {
		request->event_count = making->first;
		return;
	}
	array_reserve(&request->bonds, &request->bond_capacity, request->request.bond_count + 1,
		      sizeof(*request->bonds));
	request->bonds[request->request.bond_count++] =
		(struct event_bond){.count = count, .must = must};
}

static struct making begin_bond(struct wished_request *request, const struct wishes *wishes)
{
	return (struct making){
		.request = request,
		.wishes = wishes,
		.first = request->event_count,
		.has_all = true,
	};
}

void wished_request_init(struct wished_request *request, const struct wishes *wishes,
			 const struct metric_set *metrics)
{
	size_t used = 0;

	*request = (struct wished_request){0};
	for (size_t i = 0; i < wishes->brace_count; i++) {
		struct making making = begin_bond(request, wishes);

		for (size_t j = 0; j < wishes->braces[i].count; j++)
			add_event(wishes->braces[i].names[j], &making);
		finish_bond(&making, true);
	}
	for (size_t i = 0; i < metric_set_count(metrics); i++) {
		struct making making = begin_bond(request, wishes);

		metric_set_events(metrics, i, add_event, &making);
		finish_bond(&making, false);
	}
	for (size_t i = 0; i < request->request.bond_count; i++) {
		request->bonds[i].events = request->events + used;
		used += request->bonds[i].count;
	}
	request->request.choices = wishes->choices;
	request->request.count = wishes->count;
	request->request.bonds = request->bonds;
	request->request.scheduler = wishes->scheduler;
}

void wished_request_fini(struct wished_request *request)
{
	free(request->bonds);
	free(request->events);
	*request = (struct wished_request){0};
}
