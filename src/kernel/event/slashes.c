/*
 * NAME/.../: a PMU of sysfs with its terms, a tracepoint with its filter, or an event that is no
 * PMU's with the terms that any event may have.
 */
#include <string.h>

#include <linux/perf_event.h>

#include "kernel/event/search.h"
#include "kernel/event/terms.h"

static bool find_filtered_tracepoint(struct search *search)
{
	struct syntax_piece group, name;

	search_split(search->event->name, &group, &name);
	if (!search_tracepoint(search, group, name))
		return false;
	return search_copy(search->event->inside, search->evsel->specs[0].filter,
			   EVENT_SPEC_FILTER_MAX) ||
	       search_refuse_at(search, search->event->inside.text, ERROR_EVENT_SYNTAX,
				"this filter is too long");
}

static bool parse_terms(struct search *search, struct terms *terms)
{
	struct syntax_piece inside = search->event->inside;
	const char *message;
	size_t position;

	return terms_parse(inside.text, inside.length, terms, &position, &message) ||
	       search_refuse_at(search, inside.text + position, ERROR_EVENT_SYNTAX, message);
}

static bool find_pmu_event(struct search *search, struct pmu *pmu)
{
	struct terms terms;
	size_t position = 0;

	if (strcmp(pmu->name, "uprobe") == 0 || strcmp(pmu->name, "kprobe") == 0) {
		return search_refuse(search, ERROR_EVENT_SYNTAX,
				     "a probe is written uprobe:FILE:FUNCTION or kprobe:FUNCTION");
	}
	if (!parse_terms(search, &terms))
		return false;
	pmu_load(&search->finder->pmus, pmu);
	if (!pmu_apply_terms(pmu, &terms, search->text, search_add_spec(search), &position,
			     search->error)) {
		search->at = search->event->inside.text + position;
		return false;
	}
	return true;
}

/* cycles/name=c/: an event that is no PMU's, with terms that any event may have. */
static enum answer find_termed_event(struct search *search)
{
	struct terms terms;
	uint64_t config;
	size_t position = 0;
	enum answer answer = search_generic(search);

	if (answer == ANSWER_UNKNOWN)
		answer = search_cache(search);
	if (answer == ANSWER_UNKNOWN && syntax_raw_parse(search->head, &config)) {
		search_add_on_cores(search, PERF_TYPE_RAW, config);
		answer = ANSWER_FOUND;
	}
	if (answer != ANSWER_FOUND)
		return answer;
	if (!parse_terms(search, &terms))
		return ANSWER_REFUSED;
	for (size_t i = 0; i < search->evsel->spec_count; i++) {
		if (!pmu_apply_general_terms(&terms, search->text, &search->evsel->specs[i],
					     &position, search->error)) {
			search->at = search->event->inside.text + position;
			return ANSWER_REFUSED;
		}
	}
	return ANSWER_FOUND;
}

bool search_slashes(struct search *search)
{
	struct syntax_piece name = search->event->name;
	struct pmu *pmu;
	char text[EVENT_SPEC_NAME_MAX];

	if (search_colon_in(name))
		return find_filtered_tracepoint(search);
	pmu = pmus_find(&search->finder->pmus, name.text, name.length);
	if (pmu)
		return find_pmu_event(search, pmu);
	search_split(name, &search->head, &search->tail);

	enum answer answer = find_termed_event(search);

	if (answer == ANSWER_UNKNOWN) {
		search_copy(name, text, sizeof(text));
		return search_refuse(search, ERROR_EVENT_PMU_ABSENT, text);
	}
	return answer == ANSWER_FOUND;
}
