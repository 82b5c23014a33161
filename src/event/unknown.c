/*
 * What to say of an unknown name: a tracepoint that cannot be read, an event of another machine, a
 * word of perf's that is no event, or a typo for one of the nearest.
 */
#include <stdio.h>

#include "base/nearest.h"
#include "kernel/generic.h"

#include "event/pfm.h"
#include "event/search.h"
#include "event/tracepoint.h"

enum {
	NEAREST_BYTES = 320
};

static void offer(const char *name, void *nearest)
{
	nearest_offer(nearest, name);
}

static void offer_cache(const char *name, uint64_t config, void *nearest)
{
	nearest_offer(nearest, name);
}

static void offer_all(const struct search *search, struct nearest *nearest)
{
	const struct pmus *pmus = &search->finder->pmus;
	size_t count;
	const struct generic_event *events = generic_events(&count);

	for (size_t i = 0; i < count; i++) {
		nearest_offer(nearest, events[i].name);
		nearest_offer(nearest, events[i].alias ? events[i].alias : "");
	}
	cache_visit(offer_cache, nearest);
	for (size_t i = 0; i < pmus->count; i++)
		for (size_t j = 0; j < pmus->pmus[i].event_count; j++)
			nearest_offer(nearest, pmus->pmus[i].events[j].name);
	tracepoint_offer_nearest(search->finder->root, nearest);
	pfm_nearest(nearest->wanted, offer, nearest);
}

/* Among all the events there are somewhere a typo may be one: the nearest here are named too. */
static bool refuse_foreign(struct search *search, const char *names)
{
	if (!search->error)
		return false;
	*search->error = search->foreign;
	if (*names != '\0') {
		snprintf(search->error->remedy, sizeof(search->error->remedy),
			 "the nearest: %s; perftop events lists them all", names);
	}
	return false;
}

/* Where tracepoints cannot be read, a name of two parts may be one: that is then what is wrong. */
static bool is_hidden_tracepoint(struct search *search, struct error *error)
{
	size_t count = search->evsel->spec_count;
	struct error found = {0};
	struct search trial = *search;

	trial.error = &found;
	if (*search->tail.text == ':' || search_colon_in(search->tail) ||
	    search_tracepoint(&trial, search->head, search->tail))
		return false;
	search->evsel->spec_count = count;
	if (found.code == ERROR_EVENT_TRACEFS && error)
		*error = found;
	return found.code == ERROR_EVENT_TRACEFS;
}

bool search_refuse_unknown(struct search *search)
{
	struct nearest nearest;
	struct syntax_modifiers modifiers;
	const char *message;
	char wanted[EVENT_SPEC_NAME_MAX], names[NEAREST_BYTES];
	bool has_tail = search->tail.text;
	bool has_modifiers = has_tail && syntax_modifiers_parse(search->tail, &modifiers, &message);

	if (generic_is_tool(search->head.text, search->head.length))
		return search_refuse(search, ERROR_EVENT_TOOL, NULL);
	if (has_tail && !has_modifiers && is_hidden_tracepoint(search, search->error))
		return false;
	search_copy(has_modifiers ? search->head : search->event->text, wanted, sizeof(wanted));
	nearest_init(&nearest, wanted);
	offer_all(search, &nearest);
	nearest_format(&nearest, names, sizeof(names));
	if (search->foreign.code != ERROR_NONE)
		return refuse_foreign(search, names);
	return search_refuse(search, ERROR_EVENT_UNKNOWN, *names != '\0' ? names : "none");
}
