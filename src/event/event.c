/*
 * The finder of events: what a text means on this machine.
 *
 * Each event of a list is searched for by its form (search.h), gets its name and its modifiers, and
 * becomes a evsel. Where a name means something on CPUs of several kinds, the evsel has a spec
 * for each kind.
 */

#include "event/event.h"

#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "base/error.h"
#include "base/memory.h"

#include "event/pmu.h"
#include "event/search.h"
#include "event/syntax.h"

/* ---- one event */

/*
 * The name of an event in braces with modifiers says them too: {cycles}:u is not cycles, and both
 * may be counted. What the event has itself is not said twice.
 */
static bool name_evsel(struct search *search)
{
	const struct syntax_event *event = search->event;
	char *name = search->evsel->name;
	bool has_own = search->own.letters != 0 || search->own.precise != 0;
	bool is_open = has_own || search->text[event->text.length - 1] == '/';
	size_t length = event->text.length;

	memcpy(name, search->text, EVENT_SPEC_NAME_MAX);
	for (size_t i = 0; i < event->outer_text.length; i++) {
		struct syntax_modifiers one;
		const char *message;

		syntax_modifiers_parse((struct syntax_piece){event->outer_text.text + i, 1}, &one,
				       &message);
		if (search->own.letters & one.letters)
			continue;
		if (length + 3 > EVENT_SPEC_NAME_MAX) {
			return search_refuse(search, ERROR_EVENT_SYNTAX,
					     "with the modifiers of its braces it is too long");
		}
		if (!is_open) {
			name[length++] = ':';
			is_open = true;
		}
		name[length++] = event->outer_text.text[i];
		name[length] = '\0';
	}
	return true;
}

/* Events that are made of the CPU's own time: counted per CPU, they go on while it is idle. */
static bool is_clock(const struct event_spec *spec)
{
	const uint64_t msr_tsc = 0;

	if (spec->type == PERF_TYPE_SOFTWARE) {
		return spec->config == PERF_COUNT_SW_CPU_CLOCK ||
		       spec->config == PERF_COUNT_SW_TASK_CLOCK;
	}
	return strcmp(spec->pmu, "msr") == 0 && spec->config == msr_tsc;
}

static bool finish_spec(struct search *search, struct event_spec *spec, bool keeps_name)
{
	if (spec->class == EVENT_CLASS_SHARED)
		return search_refuse(search, ERROR_EVENT_SHARED, spec->pmu);
	if (!keeps_name)
		memcpy(spec->name, search->evsel->name, sizeof(spec->name));
	syntax_modifiers_apply(&search->own, &search->event->outer, spec);
	spec->is_clock = is_clock(spec);
	/* of hardware the kernel says so itself; elsewhere it would be dropped in silence */
	return spec->precise == 0 || spec->class == EVENT_CLASS_HARDWARE ||
	       search_refuse(search, ERROR_PERF_PRECISE, NULL);
}

static bool finish_evsel(struct search *search)
{
	struct evsel *evsel = search->evsel;
	/* name=NAME among the terms of a PMU or of a generic event has been set already */
	bool is_named = search->event->form == SYNTAX_SLASHES &&
			evsel->specs[0].type != PERF_TYPE_TRACEPOINT &&
			*evsel->specs[0].name != '\0';

	if (search->own.precise + search->event->outer.precise > 3) {
		return search_refuse(search, ERROR_EVENT_SYNTAX,
				     "with those of its braces it has more than three p");
	}
	if (!name_evsel(search))
		return false;
	for (size_t i = 0; i < evsel->spec_count; i++)
		if (!finish_spec(search, &evsel->specs[i], is_named))
			return false;
	memcpy(evsel->name, evsel->specs[0].name, sizeof(evsel->name));
	return true;
}

static bool find_one(struct event_finder *finder, const struct syntax_event *event,
		     struct event_set *set, const char **at, struct error *error)
{
	struct search search = {
		.finder = finder,
		.event = event,
		.own = event->modifiers,
		.at = event->text.text,
		.error = error,
	};

	array_reserve(&set->evsels, &set->capacity, set->count + 1, sizeof(*set->evsels));
	search.evsel = &set->evsels[set->count];
	*search.evsel = (struct evsel){.only_in_braces = event->brace >= 0};
	search_copy(event->text, search.text, sizeof(search.text));
	if (!search_form(&search) || !finish_evsel(&search)) {
		*at = search.at;
		return false;
	}
	set->count++;
	return true;
}

/* ---- the list */

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

static bool find_all(struct event_finder *finder, const char *text, const struct syntax_list *list,
		     struct event_set *set, size_t *position, struct error *error)
{
	size_t before = set->count;

	for (size_t i = 0; i < list->count; i++) {
		const char *at;

		if (!find_one(finder, &list->events[i], set, &at, error)) {
			set->count = before;
			*position = (size_t)(at - text);
			return false;
		}
	}
	add_braces(list, set);
	return true;
}

/* perf list names marks of programs with the file they are in: sdt_libc:setjmp@/lib/libc.so.6(id)
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
		return error_set(error, ERROR_EVENT_SYNTAX, *text != '\0' ? text : "\"\"", message);
	}

	bool found = find_all(finder, text, &list, set, position, error);

	syntax_list_fini(&list);
	return found;
}

size_t event_core_pmus(struct event_finder *finder, struct event_core_pmu *pmus, size_t max)
{
	size_t count = 0;

	pmus_read(&finder->pmus);
	for (size_t i = 0; i < finder->pmus.count; i++) {
		const struct pmu *pmu = &finder->pmus.pmus[i];

		if (!pmu->is_core)
			continue;
		if (count < max) {
			pmus[count] = (struct event_core_pmu){.type = pmu->type, .cpus = pmu->cpus};
			memcpy(pmus[count].name, pmu->name, sizeof(pmus[count].name));
		}
		count++;
	}
	return count;
}

struct event_finder *event_finder_create(const char *root)
{
	struct event_finder *finder = xcalloc(1, sizeof(*finder));

	finder->root = xstrdup(root);
	finder->pmus.root = finder->root;
	return finder;
}

void event_finder_destroy(struct event_finder *finder)
{
	if (!finder)
		return;
	pmus_fini(&finder->pmus);
	free(finder->root);
	free(finder);
}
