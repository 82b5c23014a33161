/*
 * The finder of events: what a text means on this machine.
 *
 * Each event of a list is looked up by its form: a name, NAME/.../, rNNN, a breakpoint, a probe. It
 * gets its name and its modifiers and becomes an evsel, with a spec for each kind of CPU on which
 * the name means something.
 *
 * A name is looked for in several places (NAME_PLACES), one after the other; the first that knows
 * it decides, also by refusing it: generic events and caches, presets, tracepoints, the events that
 * the PMUs of sysfs name, libpfm4. Before slashes is a PMU of sysfs with its terms, a tracepoint
 * with its filter, or an event that is no PMU's with the terms that any event may have.
 */
#include "event/event.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/file.h"
#include "kernel/generic.h"
#include "kernel/host.h"

#include "event/pfm.h"
#include "event/pmu.h"
#include "event/probe.h"
#include "event/processor.h"
#include "event/syntax.h"
#include "event/terms.h"
#include "event/tracepoint.h"
#include "symbol/probe_place.h"

enum {
	/* a perf_event_attr's config holds a PMU's type above its generic event */
	CONFIG_PMU_SHIFT = 32
};

struct event_finder {
	char *root; /* owned */
	struct pmus pmus;
	const struct processor *processor; /* NULL: not asked for yet */
};

struct search {
	struct event_finder *finder;
	const struct syntax_event *event;
	const char *head;   /* of a name: up to its first colon */
	const char *tail;   /* and all behind it; NULL: no colon */
	const char *inside; /* between the slashes; a probe's file */
	struct syntax_modifiers own;
	struct evsel *evsel;
	size_t position; /* of the fault, in the list's text */
	struct error *error;
};

enum answer {
	ANSWER_FOUND,
	ANSWER_REFUSED, /* known here, and wrong: the error says why */
	ANSWER_UNKNOWN  /* ask the next */
};

/* at: in a part of the event. */
static bool refuse_at(struct search *search, const char *at, enum error_code code, const char *why)
{
	search->position = search->event->position + (size_t)(at - search->event->parts);
	return error_set(search->error, code, search->event->text, why);
}

static bool refuse(struct search *search, enum error_code code, const char *why)
{
	return refuse_at(search, search->event->parts, code, why);
}

static bool take_modifiers(struct search *search, const char *letters)
{
	const char *message;

	return syntax_modifiers_parse(letters, &search->own, &message) ||
	       refuse_at(search, letters, ERROR_EVENT_SYNTAX, message);
}

/* A name's tail, if it has one, is modifiers. */
static bool take_tail_modifiers(struct search *search)
{
	return !search->tail || take_modifiers(search, search->tail);
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

static bool add_tracepoint(struct search *search, const char *name)
{
	return tracepoint_find(search->finder->root, search->head, name, add_spec(search),
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
	const struct generic_event *event = generic_find(search->head, strlen(search->head));

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

	switch (cache_find(search->head, strlen(search->head), &config)) {
	case CACHE_NO_NAME:
		break;
	case CACHE_IMPOSSIBLE:
		refuse(search, ERROR_EVENT_UMASK, "this cache has no such operation");
		return ANSWER_REFUSED;
	case CACHE_FOUND:
		if (!take_tail_modifiers(search))
			return ANSWER_REFUSED;
		add_on_cores(search, PERF_TYPE_HW_CACHE, config);
		return ANSWER_FOUND;
	}
	return ANSWER_UNKNOWN;
}

/* What the PMU's cores can begin in a cycle, as its driver says; 0: it does not. */
static double read_slots(const struct search *search, const struct pmu *pmu)
{
	char text[32];

	if (file_readf(text, sizeof(text), "%s/sys/bus/event_source/devices/%s/caps/slots",
		       search->finder->root, pmu->name) <= 0)
		return 0;
	return (double)strtoul(text, NULL, 0);
}

/* False: the cores of this PMU do not count it. */
static bool add_preset(struct search *search, struct pmu *pmu, enum preset preset)
{
	const struct processor *processor = event_processor(search->finder);
	const char *text = processor_terms(processor, pmu->name, preset);
	double scale = processor_scale(processor, pmu->name, preset);
	struct event_spec *spec;
	struct terms terms;
	const char *message;
	size_t position;

	if (!text || !terms_parse(text, strlen(text), &terms, &position, &message))
		return false;
	if (scale == 0)
		scale = read_slots(search, pmu);
	if (scale == 0)
		return false;
	pmu_load(&search->finder->pmus, pmu);
	spec = add_spec(search);
	if (!pmu_apply_terms(pmu, &terms, search->event->text, spec, &position, NULL))
		return false;
	spec->scale = scale;
	return true;
}

/* All cores have to count it: a part of them would be taken for the whole. */
static enum answer find_preset(struct search *search)
{
	struct pmus *pmus = &search->finder->pmus;
	const int preset = preset_find(search->head, strlen(search->head));
	bool is_counted = true;
	char why[96];

	if (preset < 0)
		return ANSWER_UNKNOWN;
	pmus_read(pmus);
	for (size_t i = 0; i < pmus->count && is_counted; i++)
		if (pmus->pmus[i].is_core)
			is_counted = search->evsel->spec_count < EVENT_PMUS_MAX &&
				     add_preset(search, &pmus->pmus[i], (enum preset)preset);
	if (!is_counted || search->evsel->spec_count == 0) {
		snprintf(why, sizeof(why), "%s (%s)",
			 is_counted ? "this machine has no PMU" : "not an event of this processor",
			 processor_name(event_processor(search->finder)));
		refuse(search, ERROR_EVENT_REFUSED, why);
		return ANSWER_REFUSED;
	}
	return take_tail_modifiers(search) ? ANSWER_FOUND : ANSWER_REFUSED;
}

static enum answer find_tracepoint(struct search *search)
{
	char name[EVENT_SPEC_NAME_MAX];
	const char *letters;

	if (!search->tail || !tracepoint_has_group(search->finder->root, search->head))
		return ANSWER_UNKNOWN;
	letters = strchrnul(search->tail, ':');
	snprintf(name, sizeof(name), "%.*s", (int)(letters - search->tail), search->tail);
	if (*letters == ':' && !take_modifiers(search, letters + 1))
		return ANSWER_REFUSED;
	return add_tracepoint(search, name) ? ANSWER_FOUND : ANSWER_REFUSED;
}

static bool apply_named_event(struct search *search, struct pmu *pmu)
{
	struct terms terms = {.count = 1};
	size_t position;

	strcpy(terms.terms[0].name, search->head); /* that of an event of the PMU: it fits */
	return pmu_apply_terms(pmu, &terms, search->event->text, add_spec(search), &position,
			       search->error);
}

static bool has_named_event(struct search *search, struct pmu *pmu)
{
	pmu_load(&search->finder->pmus, pmu);
	return pmu_find_event(pmu, search->head, strlen(search->head));
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

	memcpy(name, search->event->text, sizeof(name));
	colon = strrchr(name, ':');
	if (!colon)
		return false;
	*colon = '\0';
	return syntax_modifiers_parse(colon + 1, &search->own, &message) &&
	       pfm_find(name, &search->evsel->specs[0], NULL);
}

static enum answer find_pfm(struct search *search)
{
	struct error error = {0};
	struct event_spec *spec = add_spec(search);

	if (pfm_find(search->event->text, spec, &error) || find_pfm_stripped(search)) {
		/* libpfm4 leaves hypervisors out unless asked otherwise; no other event does */
		spec->exclude_hv = spec->exclude_hv && (spec->exclude_user || spec->exclude_kernel);
		return ANSWER_FOUND;
	}
	search->evsel->spec_count = 0;
	search->own = (struct syntax_modifiers){0};
	if (error.code == ERROR_EVENT_UNKNOWN)
		return ANSWER_UNKNOWN;
	if (search->error)
		*search->error = error;
	return ANSWER_REFUSED;
}

/* ---- unknown names */

/* Where tracepoints cannot be read, a name of two parts may be one: that is then what is wrong. */
static bool is_hidden_tracepoint(struct search *search, struct error *error)
{
	size_t count = search->evsel->spec_count;
	struct error found = {0};
	struct search trial = *search;

	trial.error = &found;
	if (strchr(search->tail, ':') || add_tracepoint(&trial, search->tail))
		return false;
	search->evsel->spec_count = count;
	if (found.code == ERROR_EVENT_TRACEFS && error)
		*error = found;
	return found.code == ERROR_EVENT_TRACEFS;
}

static bool refuse_unknown(struct search *search)
{
	struct syntax_modifiers modifiers;
	const char *message;

	if (generic_is_tool(search->head, strlen(search->head)))
		return refuse(search, ERROR_EVENT_TOOL, NULL);
	if (search->tail && !syntax_modifiers_parse(search->tail, &modifiers, &message) &&
	    is_hidden_tracepoint(search, search->error))
		return false;
	return refuse(search, ERROR_EVENT_UNKNOWN, NULL);
}

static enum answer (*const NAME_PLACES[])(struct search *search) = {
	find_generic, find_cache, find_preset, find_tracepoint, find_named_event, find_pfm,
};

static bool find_name(struct search *search)
{
	for (size_t i = 0; i < sizeof(NAME_PLACES) / sizeof(NAME_PLACES[0]); i++) {
		enum answer answer = NAME_PLACES[i](search);

		if (answer != ANSWER_UNKNOWN)
			return answer == ANSWER_FOUND;
	}
	return refuse_unknown(search);
}

/* ---- slashes */

static bool find_filtered_tracepoint(struct search *search)
{
	if (!add_tracepoint(search, search->tail))
		return false;
	if (strlen(search->inside) >= EVENT_SPEC_FILTER_MAX)
		return refuse_at(search, search->inside, ERROR_EVENT_SYNTAX,
				 "this filter is too long");
	strcpy(search->evsel->specs[0].filter, search->inside);
	return true;
}

static bool parse_terms(struct search *search, struct terms *terms)
{
	const char *message;
	size_t position;

	return terms_parse(search->inside, strlen(search->inside), terms, &position, &message) ||
	       refuse_at(search, search->inside + position, ERROR_EVENT_SYNTAX, message);
}

/* The terms were refused at this one of their bytes. */
static bool blame_term(struct search *search, size_t position)
{
	search->position = search->event->position + search->event->inside + position;
	return false;
}

static bool find_pmu_event(struct search *search, struct pmu *pmu)
{
	struct terms terms;
	size_t position = 0;

	if (strcmp(pmu->name, "uprobe") == 0 || strcmp(pmu->name, "kprobe") == 0) {
		return refuse(search, ERROR_EVENT_SYNTAX,
			      "a probe is written uprobe:FILE:FUNCTION or kprobe:FUNCTION");
	}
	if (!parse_terms(search, &terms))
		return false;
	pmu_load(&search->finder->pmus, pmu);
	return pmu_apply_terms(pmu, &terms, search->event->text, add_spec(search), &position,
			       search->error) ||
	       blame_term(search, position);
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
		if (!pmu_apply_general_terms(&terms, search->event->text, &search->evsel->specs[i],
					     &position, search->error)) {
			blame_term(search, position);
			return ANSWER_REFUSED;
		}
	}
	return ANSWER_FOUND;
}

static bool find_slashes(struct search *search)
{
	struct pmu *pmu;

	if (search->tail)
		return find_filtered_tracepoint(search);
	pmu = pmus_find(&search->finder->pmus, search->head, strlen(search->head));
	if (pmu)
		return find_pmu_event(search, pmu);
	enum answer answer = find_termed_event(search);

	if (answer == ANSWER_UNKNOWN)
		return refuse(search, ERROR_EVENT_PMU_ABSENT, search->head);
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
			spec->bp_type == HW_BREAKPOINT_X ? host_long_bytes() : HW_BREAKPOINT_LEN_4;
	}
	return true;
}

static bool find_probe(struct search *search)
{
	const struct syntax_event *event = search->event;
	const char *root = search->finder->root;
	const struct probe_request request = {
		.file = search->inside,
		.symbol = search->head,
		.offset = event->number,
		.at_entry = event->returns,
		.is_forced = event->is_forced,
	};

	return event->form == SYNTAX_UPROBE
		       ? probe_find_user(root, &request, add_spec(search), search->error)
		       : probe_find_kernel(root, search->head, event->number, event->returns,
					   add_spec(search), search->error);
}

static bool find_form(struct search *search)
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

/* ---- one event */

/*
 * The name of an event in braces with modifiers says them too: {cycles}:u is not cycles, and both
 * may be counted. What the event has itself is not said twice.
 */
static bool name_evsel(struct search *search)
{
	const struct syntax_event *event = search->event;
	char *name = search->evsel->name;
	size_t length = strlen(event->text);
	bool has_own = search->own.letters != 0 || search->own.precise != 0;
	bool is_open = has_own || event->text[length - 1] == '/';

	memcpy(name, event->text, EVENT_SPEC_NAME_MAX);
	for (const char *c = event->outer_text; *c != '\0'; c++) {
		struct syntax_modifiers one;
		const char *message;

		syntax_modifiers_parse((const char[]){*c, '\0'}, &one, &message);
		if (search->own.letters & one.letters)
			continue;
		if (length + 3 > EVENT_SPEC_NAME_MAX) {
			return refuse(search, ERROR_EVENT_SYNTAX,
				      "with the modifiers of its braces it is too long");
		}
		if (!is_open)
			name[length++] = ':';
		is_open = true;
		name[length++] = *c;
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
		return refuse(search, ERROR_EVENT_SHARED, spec->pmu);
	if (!keeps_name)
		memcpy(spec->name, search->evsel->name, sizeof(spec->name));
	syntax_modifiers_apply(&search->own, &search->event->outer, spec);
	spec->is_clock = is_clock(spec);
	/* of hardware the kernel says so itself; elsewhere it would be dropped in silence */
	return spec->precise == 0 || spec->class == EVENT_CLASS_HARDWARE ||
	       refuse(search, ERROR_PERF_PRECISE, NULL);
}

static bool finish_evsel(struct search *search)
{
	struct evsel *evsel = search->evsel;
	/* name=NAME among the terms of a PMU or of a generic event has been set already */
	bool is_named = search->event->form == SYNTAX_SLASHES &&
			evsel->specs[0].type != PERF_TYPE_TRACEPOINT &&
			*evsel->specs[0].name != '\0';

	if (search->own.precise + search->event->outer.precise > 3) {
		return refuse(search, ERROR_EVENT_SYNTAX,
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

bool event_find_one(struct event_finder *finder, const struct syntax_event *event,
		    struct evsel *evsel, size_t *position, struct error *error)
{
	struct search search = {
		.finder = finder,
		.event = event,
		.head = event->parts + event->name,
		.tail = event->tail > 0 ? event->parts + event->tail : NULL,
		.inside = event->parts + event->inside,
		.own = event->modifiers,
		.evsel = evsel,
		.position = event->position,
		.error = error,
	};

	*evsel = (struct evsel){.only_in_braces = event->brace >= 0};
	if (find_form(&search) && finish_evsel(&search))
		return true;
	*position = search.position;
	return false;
}

/* ---- the finder */

const struct processor *event_processor(struct event_finder *finder)
{
	char id[HOST_TEXT_MAX];

	if (!finder->processor) {
		host_read_cpu_id(id, finder->root);
		finder->processor = processor_find(id);
	}
	return finder->processor;
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
