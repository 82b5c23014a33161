/* The requested events: the set is made from a text, grows, shrinks and is copied. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#include "event/event.h"
#include "event/syntax.h"

void event_set_fini(struct event_set *set)
{
	for (size_t i = 0; i < set->weak_group_count; i++)
		free(set->weak_groups[i].names);
	free(set->weak_groups);
	free(set->evsels);
	*set = (struct event_set){0};
}

static void add_evsel(struct event_set *set, const struct evsel *evsel)
{
	array_reserve(&set->evsels, &set->capacity, set->count + 1, sizeof(*set->evsels));
	set->evsels[set->count++] = *evsel;
}

static void add_weak_group(struct event_set *set, const struct weak_group *weak)
{
	event_set_begin_weak_group(set, weak->must);
	for (size_t i = 0; i < weak->count; i++)
		event_set_add_member(set, weak->names[i]);
}

void event_set_copy(struct event_set *copy, const struct event_set *set)
{
	*copy = (struct event_set){.scheduler = set->scheduler, .sites = set->sites};
	for (size_t i = 0; i < set->count; i++)
		add_evsel(copy, &set->evsels[i]);
	for (size_t i = 0; i < set->weak_group_count; i++)
		add_weak_group(copy, &set->weak_groups[i]);
}

static size_t index_of_evsel(const struct event_set *set, const char *name)
{
	size_t index = 0;

	while (index < set->count && strcmp(set->evsels[index].name, name) != 0)
		index++;
	return index;
}

bool event_set_has(const struct event_set *set, const char *name)
{
	return index_of_evsel(set, name) < set->count;
}

void event_set_keep(struct event_set *set, const char *name)
{
	const size_t index = index_of_evsel(set, name);

	if (index < set->count)
		set->evsels[index].only_of_set = false;
}

static bool are_same_groups(const struct weak_group *a, const struct weak_group *b)
{
	if (a->count != b->count || a->must != b->must)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

static bool has_weak_group(const struct event_set *set, const struct weak_group *weak)
{
	for (size_t i = 0; i < set->weak_group_count; i++)
		if (are_same_groups(&set->weak_groups[i], weak))
			return true;
	return false;
}

bool event_set_add(struct event_set *set, struct event_finder *finder, const char *list,
		   void (*named)(const char *name, void *context), void *context, size_t *position,
		   struct error *error)
{
	struct event_set found = {0};
	const bool good = event_find(finder, list, &found, position, error);

	for (size_t i = 0; i < found.count; i++) {
		const struct evsel *evsel = &found.evsels[i];
		const size_t known = index_of_evsel(set, evsel->name);

		if (known == set->count)
			add_evsel(set, evsel);
		else if (!evsel->only_in_braces)
			set->evsels[known].only_in_braces = false;
		event_set_keep(set, evsel->name);
		if (named)
			named(evsel->name, context);
	}
	for (size_t i = 0; i < found.weak_group_count; i++)
		if (!has_weak_group(set, &found.weak_groups[i]))
			add_weak_group(set, &found.weak_groups[i]);
	event_set_fini(&found);
	return good;
}

/* The others stay together. */
static void remove_member(struct weak_group *weak, const char *name)
{
	size_t kept = 0;

	for (size_t i = 0; i < weak->count; i++)
		if (strcmp(weak->names[i], name) != 0)
			memmove(weak->names[kept++], weak->names[i], sizeof(*weak->names));
	weak->count = kept;
}

bool event_set_remove(struct event_set *set, const char *name)
{
	const size_t index = index_of_evsel(set, name);

	if (index == set->count)
		return false;
	set->count--;
	memmove(&set->evsels[index], &set->evsels[index + 1],
		(set->count - index) * sizeof(*set->evsels));
	for (size_t i = 0; i < set->weak_group_count; i++)
		remove_member(&set->weak_groups[i], name);
	return true;
}

void event_set_begin_weak_group(struct event_set *set, bool must)
{
	array_reserve(&set->weak_groups, &set->weak_group_capacity, set->weak_group_count + 1,
		      sizeof(*set->weak_groups));
	set->weak_groups[set->weak_group_count++] = (struct weak_group){.must = must};
}

void event_set_add_member(struct event_set *set, const char *name)
{
	struct weak_group *weak = &set->weak_groups[set->weak_group_count - 1];

	weak->names = xrealloc(weak->names, weak->count + 1, sizeof(*weak->names));
	memcpy(weak->names[weak->count++], name, strlen(name) + 1);
}

void event_set_end_weak_group(struct event_set *set)
{
	const struct weak_group *weak = &set->weak_groups[set->weak_group_count - 1];
	size_t known = 0;

	for (size_t i = 0; i < weak->count; i++)
		known += event_set_has(set, weak->names[i]);
	if (known >= 2 && known == weak->count)
		return;
	free(weak->names);
	set->weak_group_count--;
}

void event_set_drop_formulas(struct event_set *set)
{
	size_t kept = 0;

	for (size_t i = 0; i < set->weak_group_count; i++)
		if (set->weak_groups[i].must)
			set->weak_groups[kept++] = set->weak_groups[i];
		else
			free(set->weak_groups[i].names);
	set->weak_group_count = kept;
}

/* ---- from a text */

static void add_braces(const struct syntax_list *list, struct event_set *set)
{
	const struct evsel *found = &set->evsels[set->count - list->count];
	int last = -1;

	for (size_t i = 0; i < list->count; i++) {
		if (list->events[i].brace < 0)
			continue;
		if (list->events[i].brace > last)
			event_set_begin_weak_group(set, true);
		last = list->events[i].brace;
		event_set_add_member(set, found[i].name);
	}
}

/* Counters of two PMUs cannot be one group. *at: of the event that is of another one. */
static bool braces_are_of_one_pmu(const struct syntax_list *list, const struct evsel *found,
				  size_t *at)
{
	const struct event_spec *first = NULL;
	int brace = -1;

	for (size_t i = 0; i < list->count; i++) {
		const struct event_spec *spec = found[i].specs;

		if (list->events[i].brace < 0 || spec->class != EVENT_CLASS_HARDWARE)
			continue;
		*at = i;
		if (list->events[i].brace == brace && strcmp(first->pmu, spec->pmu) != 0)
			return false;
		brace = list->events[i].brace;
		first = spec;
	}
	return true;
}

static bool find_all(struct event_finder *finder, const struct syntax_list *list,
		     struct event_set *set, size_t *position, struct error *error)
{
	size_t before = set->count, at;

	for (size_t i = 0; i < list->count; i++) {
		array_reserve(&set->evsels, &set->capacity, set->count + 1, sizeof(*set->evsels));
		if (!event_find_one(finder, &list->events[i], &set->evsels[set->count], position,
				    error)) {
			set->count = before;
			return false;
		}
		set->count++;
	}
	if (!braces_are_of_one_pmu(list, set->evsels + before, &at)) {
		*position = list->events[at].position;
		set->count = before;
		return error_set(error, ERROR_EVENT_BRACES_PMU, list->events[at].text, NULL);
	}
	add_braces(list, set);
	return true;
}

/*
 * perf list names probes that programs define (SDT) with their file:
 * sdt_libc:setjmp@/lib/libc.so.6(id)
 */
static bool is_cached_mark(const char *text)
{
	const char *at = strchr(text, '@');

	return strncmp(text, "sdt_", 4) == 0 && at && at[1] == '/';
}

bool event_find(struct event_finder *finder, const char *text, struct event_set *set,
		size_t *position, struct error *error)
{
	struct syntax_list list;
	const char *message;
	size_t unwanted;

	if (!position)
		position = &unwanted;
	if (!syntax_parse(text, &list, position, &message)) {
		if (is_cached_mark(text)) {
			*position = 0;
			return error_set(error, ERROR_EVENT_SDT, text, NULL);
		}
		return error_set(error, ERROR_EVENT_SYNTAX, text, message);
	}

	bool found = find_all(finder, &list, set, position, error);

	syntax_list_fini(&list);
	return found;
}
