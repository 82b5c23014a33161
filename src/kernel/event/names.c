/*
 * The places in which a name is looked for (NAME_PLACES), one after the other; the first that
 * knows it decides, also by refusing it: generic events and caches, tracepoints, the events that
 * the PMUs of sysfs name, libpfm4.
 */
#include <string.h>

#include <linux/perf_event.h>

#include "kernel/event/generic.h"
#include "kernel/event/pfm.h"
#include "kernel/event/search.h"
#include "kernel/event/tracepoint.h"

static void add_software(struct search *search, uint64_t config)
{
	struct event_spec *spec = search_add_spec(search);

	spec->type = PERF_TYPE_SOFTWARE;
	spec->config = config;
	spec->class = EVENT_CLASS_SOFTWARE;
}

enum answer search_generic(struct search *search)
{
	const struct generic_event *event = generic_find(search->head.text, search->head.length);

	if (!event)
		return ANSWER_UNKNOWN;
	if (!search_take_tail_modifiers(search))
		return ANSWER_REFUSED;
	if (event->type == PERF_TYPE_SOFTWARE)
		add_software(search, event->config);
	else
		search_add_on_cores(search, event->type, event->config);
	return ANSWER_FOUND;
}

enum answer search_cache(struct search *search)
{
	uint64_t config;

	switch (cache_find(search->head.text, search->head.length, &config)) {
	case CACHE_NO_NAME:
		break;
	case CACHE_IMPOSSIBLE:
		search_refuse(search, ERROR_EVENT_UMASK, "this cache has no such operation");
		return ANSWER_REFUSED;
	case CACHE_FOUND:
		if (!search_take_tail_modifiers(search))
			return ANSWER_REFUSED;
		search_add_on_cores(search, PERF_TYPE_HW_CACHE, config);
		return ANSWER_FOUND;
	}
	return ANSWER_UNKNOWN;
}

static enum answer find_tracepoint(struct search *search)
{
	char group[EVENT_SPEC_NAME_MAX];
	struct syntax_piece name, letters;

	search_copy(search->head, group, sizeof(group));
	if (!search->tail.text || !tracepoint_has_group(search->finder->root, group))
		return ANSWER_UNKNOWN;
	search_split(search->tail, &name, &letters);
	if (letters.text && !search_take_modifiers(search, letters))
		return ANSWER_REFUSED;
	return search_tracepoint(search, search->head, name) ? ANSWER_FOUND : ANSWER_REFUSED;
}

static bool apply_named_event(struct search *search, struct pmu *pmu)
{
	struct terms terms = {.count = 1};
	size_t position;

	search_copy(search->head, terms.terms[0].name, TERM_NAME_MAX);
	return pmu_apply_terms(pmu, &terms, search->text, search_add_spec(search), &position,
			       search->error);
}

static bool has_named_event(struct search *search, struct pmu *pmu)
{
	pmu_load(&search->finder->pmus, pmu);
	return search->head.length < TERM_NAME_MAX &&
	       pmu_find_event(pmu, search->head.text, search->head.length);
}

/* The event of this name of every core PMU, or else of the first other PMU that has one. */
static enum answer find_named_event(struct search *search)
{
	struct pmus *pmus = &search->finder->pmus;

	pmus_read(pmus);
	for (int core = 1; core >= 0; core--) {
		for (size_t i = 0; i < pmus->count; i++) {
			struct pmu *pmu = &pmus->pmus[i];
			size_t room = core ? EVENT_PMUS_MAX : 1;

			if (pmu->is_core == core && search->evsel->spec_count < room &&
			    has_named_event(search, pmu) && !apply_named_event(search, pmu))
				return ANSWER_REFUSED;
		}
		if (search->evsel->spec_count > 0)
			return search_take_tail_modifiers(search) ? ANSWER_FOUND : ANSWER_REFUSED;
	}
	return ANSWER_UNKNOWN;
}

/* Without the modifiers behind the last colon, which may be perf's and not libpfm4's. */
static bool find_pfm_stripped(struct search *search)
{
	char name[EVENT_SPEC_NAME_MAX];
	char *colon;
	const char *message;

	memcpy(name, search->text, sizeof(name));
	colon = strrchr(name, ':');
	if (!colon)
		return false;
	*colon = '\0';
	return syntax_modifiers_parse((struct syntax_piece){colon + 1, strlen(colon + 1)},
				      &search->own, &message) &&
	       pfm_find(name, &search->evsel->specs[0], NULL);
}

static enum answer find_pfm(struct search *search)
{
	struct error error = {0};
	struct event_spec *spec = search_add_spec(search);

	if (pfm_find(search->text, spec, &error) || find_pfm_stripped(search)) {
		/* libpfm4 leaves hypervisors out unless asked otherwise; no other event does */
		spec->exclude_hv = spec->exclude_hv && (spec->exclude_user || spec->exclude_kernel);
		return ANSWER_FOUND;
	}
	search->evsel->spec_count = 0;
	search->own = (struct syntax_modifiers){0};
	if (error.code == ERROR_EVENT_FOREIGN) {
		search->foreign = error;
		return ANSWER_UNKNOWN;
	}
	if (error.code == ERROR_EVENT_UNKNOWN)
		return ANSWER_UNKNOWN;
	if (search->error)
		*search->error = error;
	return ANSWER_REFUSED;
}

static enum answer (*const NAME_PLACES[])(struct search *search) = {
	search_generic, search_cache, find_tracepoint, find_named_event, find_pfm,
};

bool search_name(struct search *search)
{
	search_split(search->event->name, &search->head, &search->tail);
	for (size_t i = 0; i < sizeof(NAME_PLACES) / sizeof(NAME_PLACES[0]); i++) {
		enum answer answer = NAME_PLACES[i](search);

		if (answer != ANSWER_UNKNOWN)
			return answer == ANSWER_FOUND;
	}
	return search_refuse_unknown(search);
}
