/*
 * What one event of a list means, by its form: a name, NAME/.../, rNNN, a breakpoint, a probe.
 *
 * A name is looked for in several places (NAME_PLACES), one after the other; the first that knows
 * it decides, also by refusing it: generic events and caches, tracepoints, the events that the PMUs
 * of sysfs name, libpfm4. Before slashes is a PMU of sysfs with its terms, a tracepoint with its
 * filter, or an event that is no PMU's with the terms that any event may have.
 */
#include "event/search.h"

#include <assert.h>
#include <string.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "kernel/generic.h"

#include "event/pfm.h"
#include "event/probe.h"
#include "event/terms.h"
#include "event/tracepoint.h"

enum {
	/* a perf_event_attr's config holds a PMU's type above its generic event */
	CONFIG_PMU_SHIFT = 32
};

enum answer {
	ANSWER_FOUND,
	ANSWER_REFUSED, /* known here, and wrong: the error says why */
	ANSWER_UNKNOWN  /* ask the next */
};

static bool refuse_at(struct search *search, const char *at, enum error_code code, const char *why)
{
	search->at = at;
	return error_set(search->error, code, search->text, why);
}

bool search_refuse(struct search *search, enum error_code code, const char *why)
{
	return refuse_at(search, search->event->text.text, code, why);
}

bool search_copy(struct syntax_piece piece, char *text, size_t size)
{
	bool fits = piece.length < size;
	size_t length = fits ? piece.length : size - 1;

	if (length > 0)
		memcpy(text, piece.text, length);
	text[length] = '\0';
	return fits;
}

const char *search_colon_in(struct syntax_piece piece)
{
	return piece.length > 0 ? memchr(piece.text, ':', piece.length) : NULL;
}

/* Splits at the first colon. */
static void split(struct syntax_piece whole, struct syntax_piece *head, struct syntax_piece *tail)
{
	const char *colon = search_colon_in(whole);

	*head = whole;
	*tail = (struct syntax_piece){0};
	if (colon) {
		head->length = (size_t)(colon - whole.text);
		*tail = (struct syntax_piece){colon + 1, whole.length - head->length - 1};
	}
}

static bool take_modifiers(struct search *search, struct syntax_piece letters)
{
	const char *message;

	return syntax_modifiers_parse(letters, &search->own, &message) ||
	       refuse_at(search, letters.text, ERROR_EVENT_SYNTAX, message);
}

/* A name's tail, if it has one, is modifiers. */
static bool take_tail_modifiers(struct search *search)
{
	return !search->tail.text || take_modifiers(search, search->tail);
}

static struct event_spec *add_spec(struct search *search)
{
	struct evsel *evsel = search->evsel;
	struct event_spec *spec = &evsel->specs[evsel->spec_count++];

	*spec = (struct event_spec){.scale = 1};
	return spec;
}

/* Where there is one kind of CPU its PMU need not be named. */
static void add_on_cores(struct search *search, uint32_t type, uint64_t config)
{
	struct event_core_pmu cores[EVENT_PMUS_MAX];
	size_t count = event_core_pmus(search->finder, cores, EVENT_PMUS_MAX);

	if (count > EVENT_PMUS_MAX)
		count = EVENT_PMUS_MAX;
	for (size_t i = 0; i == 0 || i < count; i++) {
		struct event_spec *spec = add_spec(search);

		spec->type = type;
		spec->config = config;
		spec->class = EVENT_CLASS_HARDWARE;
		if (count < 2)
			return;
		memcpy(spec->pmu, cores[i].name, sizeof(spec->pmu));
		if (type == PERF_TYPE_RAW)
			spec->type = cores[i].type;
		else
			spec->config |= (uint64_t)cores[i].type << CONFIG_PMU_SHIFT;
	}
}

bool search_tracepoint(struct search *search, struct syntax_piece group, struct syntax_piece name)
{
	char group_text[EVENT_SPEC_NAME_MAX], name_text[EVENT_SPEC_NAME_MAX];

	search_copy(group, group_text, sizeof(group_text));
	search_copy(name, name_text, sizeof(name_text));
	return tracepoint_find(search->finder->root, group_text, name_text, add_spec(search),
			       search->error);
}

/* ---- names */

static void add_software(struct search *search, uint64_t config)
{
	struct event_spec *spec = add_spec(search);

	spec->type = PERF_TYPE_SOFTWARE;
	spec->config = config;
	spec->class = EVENT_CLASS_SOFTWARE;
}

static enum answer find_generic(struct search *search)
{
	const struct generic_event *event = generic_find(search->head.text, search->head.length);

	if (!event)
		return ANSWER_UNKNOWN;
	if (!take_tail_modifiers(search))
		return ANSWER_REFUSED;
	if (event->type == PERF_TYPE_SOFTWARE)
		add_software(search, event->config);
	else
		add_on_cores(search, event->type, event->config);
	return ANSWER_FOUND;
}

static enum answer find_cache(struct search *search)
{
	uint64_t config;

	switch (cache_find(search->head.text, search->head.length, &config)) {
	case CACHE_NO_NAME:
		break;
	case CACHE_IMPOSSIBLE:
		search_refuse(search, ERROR_EVENT_UMASK, "this cache has no such operation");
		return ANSWER_REFUSED;
	case CACHE_FOUND:
		if (!take_tail_modifiers(search))
			return ANSWER_REFUSED;
		add_on_cores(search, PERF_TYPE_HW_CACHE, config);
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
	split(search->tail, &name, &letters);
	if (letters.text && !take_modifiers(search, letters))
		return ANSWER_REFUSED;
	return search_tracepoint(search, search->head, name) ? ANSWER_FOUND : ANSWER_REFUSED;
}

static bool apply_named_event(struct search *search, struct pmu *pmu)
{
	struct terms terms = {.count = 1};
	size_t position;

	search_copy(search->head, terms.terms[0].name, TERM_NAME_MAX);
	return pmu_apply_terms(pmu, &terms, search->text, add_spec(search), &position,
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
			return take_tail_modifiers(search) ? ANSWER_FOUND : ANSWER_REFUSED;
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
	struct event_spec *spec = add_spec(search);

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
	find_generic, find_cache, find_tracepoint, find_named_event, find_pfm,
};

static bool find_name(struct search *search)
{
	split(search->event->name, &search->head, &search->tail);
	for (size_t i = 0; i < sizeof(NAME_PLACES) / sizeof(NAME_PLACES[0]); i++) {
		enum answer answer = NAME_PLACES[i](search);

		if (answer != ANSWER_UNKNOWN)
			return answer == ANSWER_FOUND;
	}
	return search_refuse_unknown(search);
}

/* ---- slashes */

static bool find_filtered_tracepoint(struct search *search)
{
	struct syntax_piece group, name;

	split(search->event->name, &group, &name);
	if (!search_tracepoint(search, group, name))
		return false;
	return search_copy(search->event->inside, search->evsel->specs[0].filter,
			   EVENT_SPEC_FILTER_MAX) ||
	       refuse_at(search, search->event->inside.text, ERROR_EVENT_SYNTAX,
			 "this filter is too long");
}

static bool parse_terms(struct search *search, struct terms *terms)
{
	struct syntax_piece inside = search->event->inside;
	const char *message;
	size_t position;

	return terms_parse(inside.text, inside.length, terms, &position, &message) ||
	       refuse_at(search, inside.text + position, ERROR_EVENT_SYNTAX, message);
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
	if (!pmu_apply_terms(pmu, &terms, search->text, add_spec(search), &position,
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
	enum answer answer = find_generic(search);

	if (answer == ANSWER_UNKNOWN)
		answer = find_cache(search);
	if (answer == ANSWER_UNKNOWN && syntax_raw_parse(search->head, &config)) {
		add_on_cores(search, PERF_TYPE_RAW, config);
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

static bool find_slashes(struct search *search)
{
	struct syntax_piece name = search->event->name;
	struct pmu *pmu;
	char text[EVENT_SPEC_NAME_MAX];

	if (search_colon_in(name))
		return find_filtered_tracepoint(search);
	pmu = pmus_find(&search->finder->pmus, name.text, name.length);
	if (pmu)
		return find_pmu_event(search, pmu);
	split(name, &search->head, &search->tail);

	enum answer answer = find_termed_event(search);

	if (answer == ANSWER_UNKNOWN) {
		search_copy(name, text, sizeof(text));
		return search_refuse(search, ERROR_EVENT_PMU_ABSENT, text);
	}
	return answer == ANSWER_FOUND;
}

/* ---- breakpoints and probes */

static bool find_breakpoint(struct search *search)
{
	const struct syntax_event *event = search->event;
	struct event_spec *spec = add_spec(search);

	static_assert((int)ACCESS_READ == (int)HW_BREAKPOINT_R &&
			      (int)ACCESS_WRITE == (int)HW_BREAKPOINT_W &&
			      (int)ACCESS_EXECUTE == (int)HW_BREAKPOINT_X,
		      "accesses are the kernel's");
	spec->class = EVENT_CLASS_SOFTWARE;
	spec->type = PERF_TYPE_BREAKPOINT;
	spec->bp_type = event->access != 0 ? event->access : HW_BREAKPOINT_RW;
	spec->config1 = event->number;
	spec->config2 = event->length;
	if (event->length == 0) {
		spec->config2 =
			spec->bp_type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	}
	return true;
}

static bool find_probe(struct search *search)
{
	const struct syntax_event *event = search->event;
	const char *root = search->finder->root;
	char symbol[EVENT_SPEC_NAME_MAX], file[EVENT_SPEC_NAME_MAX];

	search_copy(event->name, symbol, sizeof(symbol));
	search_copy(event->inside, file, sizeof(file));
	return event->form == SYNTAX_UPROBE
		       ? probe_find_user(root, file, symbol, event->number, event->returns,
					 add_spec(search), search->error)
		       : probe_find_kernel(root, symbol, event->number, event->returns,
					   add_spec(search), search->error);
}

bool search_form(struct search *search)
{
	switch (search->event->form) {
	case SYNTAX_NAME:
		return find_name(search);
	case SYNTAX_SLASHES:
		return find_slashes(search);
	case SYNTAX_RAW:
		add_on_cores(search, PERF_TYPE_RAW, search->event->number);
		return true;
	case SYNTAX_BREAKPOINT:
		return find_breakpoint(search);
	case SYNTAX_UPROBE:
	case SYNTAX_KPROBE:
		return find_probe(search);
	}
	return false;
}
