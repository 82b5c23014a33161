/*
 * The finder of events: what a text means on this machine.
 *
 * Each event of a list is looked up by its form: a name, NAME/.../, rNNN, a breakpoint, a probe. It
 * gets its name and its modifiers and becomes an evsel, with a spec for each kind of CPU on which
 * the name means something.
 *
 * A name is looked for in several places (NAME_PLACES), one after the other; the first that knows
 * it decides, also by refusing it: generic events and caches, presets, tracepoints, the events that
 * the PMUs of sysfs name, libpfm4. Where none does, the error of one that may have had it is kept.
 * Before slashes is a PMU of sysfs with its terms, a tracepoint with its filter, or an event that
 * is no PMU's with the terms that any event may have.
 */
#include "event/event.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

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
	CONFIG_PMU_SHIFT = 32,
	CLOCK_PERIOD_NS_MIN = 10000 /* of the kernel's timer (perf_swevent_init_hrtimer) */
};

struct event_finder {
	char *root; /* owned */
	struct pmus pmus;
	const struct processor *processor; /* NULL: not asked for yet */
};

struct event_search {
	struct event_finder *finder;
	const struct syntax_event *event;
	const char *head;   /* of a name: up to its first colon */
	const char *tail;   /* and all behind it; NULL: no colon */
	const char *inside; /* between the slashes; a probe's file */
	struct syntax_modifiers own;
	struct evsel *evsel;
	size_t position;   /* of the fault, in the list's text */
	struct error best; /* of a place that may have had the name */
	struct error *error;
};

enum answer {
	ANSWER_FOUND,
	ANSWER_REFUSED, /* known here, and wrong: the error says why */
	ANSWER_UNKNOWN  /* ask the next */
};

/* at: in a part of the event. */
static bool refuse_part(struct event_search *search, const char *at, enum error_code code,
			const char *why)
{
	search->position = search->event->position + (size_t)(at - search->event->parts);
	return error_set(search->error, code, search->event->text, why);
}

static bool refuse_whole(struct event_search *search, enum error_code code, const char *why)
{
	return refuse_part(search, search->event->parts, code, why);
}

static enum answer refuse_with(struct event_search *search, const struct error *error)
{
	if (search->error)
		*search->error = *error;
	return ANSWER_REFUSED;
}

static bool read_modifiers(struct event_search *search, const char *letters)
{
	const char *message;

	return syntax_modifiers_parse(letters, &search->own, &message) ||
	       refuse_part(search, letters, ERROR_EVENT_SYNTAX, message);
}

static struct event_spec *append_spec(struct event_search *search)
{
	struct evsel *evsel = search->evsel;
	struct event_spec *spec = &evsel->specs[evsel->spec_count++];

	*spec = (struct event_spec){.scale = 1};
	return spec;
}

/* Where there is one kind of CPU its PMU need not be named. */
static void add_on_cores(struct event_search *search, uint32_t type, uint64_t config)
{
	struct event_core_pmu cores[EVENT_PMUS_MAX];
	size_t count = event_core_pmus(search->finder, cores, EVENT_PMUS_MAX);

	if (count > EVENT_PMUS_MAX)
		count = EVENT_PMUS_MAX;
	for (size_t i = 0; i == 0 || i < count; i++) {
		struct event_spec *spec = append_spec(search);

		spec->type = type;
		spec->config = config;
		spec->class = EVENT_CLASS_HARDWARE;
		if (count < 2)
			return;
		memcpy(spec->pmu, cores[i].name, sizeof(spec->pmu));
		if (type == EVENT_TYPE_RAW)
			spec->type = cores[i].type;
		else
			spec->config |= (uint64_t)cores[i].type << CONFIG_PMU_SHIFT;
	}
}

/* ---- names */

static enum answer find_generic(struct event_search *search)
{
	const size_t length = strlen(search->head);
	const struct generic_event *event = generic_find(search->head, length);
	uint64_t config;

	if (event && event->type == EVENT_TYPE_SOFTWARE) {
		struct event_spec *spec = append_spec(search);

		spec->type = EVENT_TYPE_SOFTWARE;
		spec->config = event->config;
		spec->class = EVENT_CLASS_SOFTWARE;
		return ANSWER_FOUND;
	}
	if (event) {
		add_on_cores(search, event->type, event->config);
		return ANSWER_FOUND;
	}
	switch (cache_find(search->head, length, &config)) {
	case CACHE_NO_NAME:
		break;
	case CACHE_IMPOSSIBLE:
		refuse_whole(search, ERROR_EVENT_UMASK, "this cache has no such operation");
		return ANSWER_REFUSED;
	case CACHE_FOUND:
		add_on_cores(search, EVENT_TYPE_CACHE, config);
		return ANSWER_FOUND;
	}
	return ANSWER_UNKNOWN;
}

/* Slots per cycle of the PMU's cores, as its driver reports them; 0: it does not. */
static double read_slots(const struct event_search *search, const struct pmu *pmu)
{
	char text[32];

	if (file_readf(text, sizeof(text), "%s/sys/bus/event_source/devices/%s/caps/slots",
		       search->finder->root, pmu->name) <= 0)
		return 0;
	return (double)strtoul(text, NULL, 0);
}

/* False: the cores of this PMU do not count it. */
static bool add_preset(struct event_search *search, struct pmu *pmu, enum preset preset)
{
	const struct processor *processor = event_processor(search->finder);
	const char *text = processor_terms(processor, pmu->name, preset);
	double scale = processor_scale(processor, pmu->name, preset);
	struct event_spec *spec;
	struct terms terms;
	struct text_cursor cursor = {.text = text};
	size_t position;

	if (!text || !terms_parse(&cursor, &terms))
		return false;
	if (scale == 0)
		scale = read_slots(search, pmu);
	if (scale == 0)
		return false;
	pmu_load(&search->finder->pmus, pmu);
	spec = append_spec(search);
	if (!pmu_apply_terms(pmu, &terms, search->event->text, spec, &position, NULL))
		return false;
	spec->scale = scale;
	return true;
}

/* All cores must count it: the count of some would be taken for the whole. */
static enum answer find_preset(struct event_search *search)
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
		refuse_whole(search, ERROR_EVENT_REFUSED, why);
		return ANSWER_REFUSED;
	}
	return ANSWER_FOUND;
}

/* If tracepoints cannot be read, a name of two parts may still be one: then that is reported. */
static enum answer find_tracepoint(struct event_search *search)
{
	const char *root = search->finder->root;
	const char *letters = search->tail ? strchrnul(search->tail, ':') : NULL;
	char name[EVENT_SPEC_NAME_MAX];
	struct syntax_modifiers modifiers;
	struct event_spec spec;
	struct error error = {0};
	const char *message;

	if (!search->tail)
		return ANSWER_UNKNOWN;
	snprintf(name, sizeof(name), "%.*s", (int)(letters - search->tail), search->tail);
	if (tracepoint_find(root, search->head, name, &spec, &error)) {
		*append_spec(search) = spec;
		return *letters == '\0' || read_modifiers(search, letters + 1) ? ANSWER_FOUND
									       : ANSWER_REFUSED;
	}
	if (tracepoint_has_group(root, search->head))
		return refuse_with(search, &error);
	if (error.code == ERROR_EVENT_TRACEFS && *letters == '\0' &&
	    !syntax_modifiers_parse(name, &modifiers, &message))
		search->best = error;
	return ANSWER_UNKNOWN;
}

/* The event of this name of every core PMU, or else of the first other PMU that has one. */
static enum answer find_named_event(struct event_search *search)
{
	struct pmus *pmus = &search->finder->pmus;
	struct terms terms = {.count = 1};
	size_t position;

	pmus_read(pmus);
	for (int core = 1; core >= 0 && search->evsel->spec_count == 0; core--) {
		const size_t room = core ? EVENT_PMUS_MAX : 1;

		for (size_t i = 0; i < pmus->count && search->evsel->spec_count < room; i++) {
			struct pmu *pmu = &pmus->pmus[i];

			if (pmu->is_core != core)
				continue;
			pmu_load(pmus, pmu);
			if (!pmu_find_event(pmu, search->head, strlen(search->head)))
				continue;
			strcpy(terms.terms[0].name, search->head); /* an event's name: it fits */
			if (!pmu_apply_terms(pmu, &terms, search->event->text, append_spec(search),
					     &position, search->error))
				return ANSWER_REFUSED;
		}
	}
	return search->evsel->spec_count > 0 ? ANSWER_FOUND : ANSWER_UNKNOWN;
}

/* With all its words, or without those behind the last colon, which may be perf's modifiers. */
static enum answer find_pfm(struct event_search *search)
{
	char name[EVENT_SPEC_NAME_MAX];
	struct syntax_modifiers own = {0};
	struct event_spec spec;
	struct error error = {0};
	bool is_found = pfm_find(search->event->text, &spec, &error);
	const char *message;
	char *colon;

	memcpy(name, search->event->text, sizeof(name));
	colon = strrchr(name, ':');
	if (!is_found && colon && syntax_modifiers_parse(colon + 1, &own, &message)) {
		*colon = '\0';
		is_found = pfm_find(name, &spec, NULL);
	}
	if (!is_found)
		return error.code == ERROR_EVENT_UNKNOWN ? ANSWER_UNKNOWN
							 : refuse_with(search, &error);
	/* libpfm4 leaves hypervisors out unless asked otherwise; no other event does */
	spec.exclude_hv = spec.exclude_hv && (spec.exclude_user || spec.exclude_kernel);
	*append_spec(search) = spec;
	search->own = own;
	return ANSWER_FOUND;
}

static const struct {
	enum answer (*find)(struct event_search *search);
	bool has_modifiers; /* the name's tail is none of its own */
} NAME_PLACES[] = {
	{find_generic, true},     {find_preset, true}, {find_tracepoint, false},
	{find_named_event, true}, {find_pfm, false},
};

static bool find_in_places(struct event_search *search)
{
	for (size_t i = 0; i < sizeof(NAME_PLACES) / sizeof(NAME_PLACES[0]); i++) {
		const enum answer answer = NAME_PLACES[i].find(search);

		if (answer == ANSWER_FOUND)
			return !NAME_PLACES[i].has_modifiers || !search->tail ||
			       read_modifiers(search, search->tail);
		if (answer == ANSWER_REFUSED)
			return false;
	}
	if (generic_is_tool(search->head, strlen(search->head)))
		return refuse_whole(search, ERROR_EVENT_TOOL, NULL);
	if (search->best.code == ERROR_NONE)
		return refuse_whole(search, ERROR_EVENT_UNKNOWN, NULL);
	refuse_with(search, &search->best);
	return false;
}

/* ---- slashes */

static bool find_filtered_tracepoint(struct event_search *search)
{
	if (!tracepoint_find(search->finder->root, search->head, search->tail, append_spec(search),
			     search->error))
		return false;
	if (strlen(search->inside) >= EVENT_SPEC_FILTER_MAX)
		return refuse_part(search, search->inside, ERROR_EVENT_SYNTAX,
				   "this filter is too long");
	strcpy(search->evsel->specs[0].filter, search->inside);
	return true;
}

/* cycles/name=c/: an event that is no PMU's, with terms that any event may have. */
static bool find_termed_event(struct event_search *search, const struct terms *terms,
			      size_t *position)
{
	enum answer answer = find_generic(search);
	uint64_t config;

	if (answer == ANSWER_UNKNOWN && syntax_raw_parse(search->head, &config)) {
		add_on_cores(search, EVENT_TYPE_RAW, config);
		answer = ANSWER_FOUND;
	}
	if (answer == ANSWER_UNKNOWN)
		return refuse_whole(search, ERROR_EVENT_PMU_ABSENT, search->head);
	for (size_t i = 0; answer == ANSWER_FOUND && i < search->evsel->spec_count; i++)
		if (!pmu_apply_general_terms(terms, search->event->text, &search->evsel->specs[i],
					     position, search->error))
			answer = ANSWER_REFUSED;
	return answer == ANSWER_FOUND;
}

static bool find_slashes(struct event_search *search)
{
	struct pmus *pmus = &search->finder->pmus;
	struct text_cursor cursor = {.text = search->event->parts, .at = search->event->inside};
	struct terms terms;
	struct pmu *pmu;
	size_t position = SIZE_MAX; /* of a term at fault */
	bool good;

	if (search->tail)
		return find_filtered_tracepoint(search);
	pmu = pmus_find(pmus, search->head, strlen(search->head));
	if (pmu && (strcmp(pmu->name, "uprobe") == 0 || strcmp(pmu->name, "kprobe") == 0)) {
		return refuse_whole(search, ERROR_EVENT_SYNTAX,
				    "a probe is written uprobe:FILE:FUNCTION or kprobe:FUNCTION");
	}
	if (!terms_parse(&cursor, &terms))
		return refuse_part(search, cursor.text + cursor.position, ERROR_EVENT_SYNTAX,
				   cursor.message);
	if (pmu) {
		pmu_load(pmus, pmu);
		good = pmu_apply_terms(pmu, &terms, search->event->text, append_spec(search),
				       &position, search->error);
	} else {
		good = find_termed_event(search, &terms, &position);
	}
	if (position != SIZE_MAX)
		search->position = search->event->position + position;
	return good;
}

/* ---- breakpoints and probes */

static bool find_breakpoint(struct event_search *search)
{
	const struct syntax_event *event = search->event;
	struct event_spec *spec = append_spec(search);

	static_assert((int)ACCESS_READ == (int)HW_BREAKPOINT_R &&
			      (int)ACCESS_WRITE == (int)HW_BREAKPOINT_W &&
			      (int)ACCESS_EXECUTE == (int)HW_BREAKPOINT_X,
		      "accesses are the kernel's");
	spec->class = EVENT_CLASS_SOFTWARE;
	spec->type = EVENT_TYPE_BREAKPOINT;
	spec->bp_type = event->access != 0 ? event->access : HW_BREAKPOINT_RW;
	spec->config1 = event->number;
	spec->config2 = event->length;
	if (event->length == 0) {
		spec->config2 =
			spec->bp_type == HW_BREAKPOINT_X ? host_long_bytes() : HW_BREAKPOINT_LEN_4;
	}
	return true;
}

static bool find_probe(struct event_search *search)
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
		       ? probe_find_user(root, &request, append_spec(search), search->error)
		       : probe_find_kernel(root, search->head, event->number, event->returns,
					   append_spec(search), search->error);
}

static bool find_form(struct event_search *search)
{
	switch (search->event->form) {
	case SYNTAX_NAME:
		return find_in_places(search);
	case SYNTAX_SLASHES:
		return find_slashes(search);
	case SYNTAX_RAW:
		add_on_cores(search, EVENT_TYPE_RAW, search->event->number);
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
 * The name of an event in braces includes their modifiers: {cycles}:u is not cycles, and both may
 * be counted. Modifiers that the event has itself are not repeated.
 */
static bool name_evsel(struct event_search *search)
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
			return refuse_whole(search, ERROR_EVENT_SYNTAX,
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
static bool counts_cpu_time(const struct event_spec *spec)
{
	const uint64_t msr_tsc = 0;

	if (spec->type == EVENT_TYPE_SOFTWARE)
		return spec->config == EVENT_SW_CPU_CLOCK || spec->config == EVENT_SW_TASK_CLOCK;
	return strcmp(spec->pmu, "msr") == 0 && spec->config == msr_tsc;
}

/* What the kernel would take, and then count something else or nothing. */
static bool is_countable(struct event_search *search, const struct event_spec *spec)
{
	const bool is_hardware = spec->class == EVENT_CLASS_HARDWARE;

	if (spec->precise > 0 && !is_hardware)
		return refuse_whole(search, ERROR_EVENT_PRECISE, NULL);
	if (spec->branch_type != 0 && !is_hardware)
		return refuse_whole(search, ERROR_EVENT_BRANCHES, NULL);
	if (spec->exclude_host && !is_hardware)
		return refuse_whole(search, ERROR_EVENT_GUEST, NULL);
	if (spec->exclude_user && strcmp(spec->pmu, "uprobe") == 0)
		return refuse_whole(search, ERROR_EVENT_PROBE_USER, NULL);
	if (spec->type == EVENT_TYPE_SOFTWARE && spec->is_clock && spec->period > 0 &&
	    spec->period < CLOCK_PERIOD_NS_MIN)
		return refuse_whole(search, ERROR_EVENT_CLOCK_PERIOD, NULL);
	return true;
}

static bool finish_spec(struct event_search *search, struct event_spec *spec, bool keeps_name)
{
	if (spec->class == EVENT_CLASS_SHARED)
		return refuse_whole(search, ERROR_EVENT_SHARED, spec->pmu);
	if (spec->class == EVENT_CLASS_TRACE)
		return refuse_whole(search, ERROR_EVENT_TRACE, spec->pmu);
	if (!keeps_name)
		memcpy(spec->name, search->evsel->name, sizeof(spec->name));
	syntax_modifiers_apply(&search->own, &search->event->outer, spec);
	if (search->event->period > 0 || search->event->freq > 0) {
		spec->period = search->event->period;
		spec->freq = search->event->freq;
	}
	spec->is_clock = counts_cpu_time(spec);
	return is_countable(search, spec);
}

static bool finish_evsel(struct event_search *search)
{
	struct evsel *evsel = search->evsel;
	/* name=NAME among the terms of a PMU or of a generic event has been set already */
	bool is_named = search->event->form == SYNTAX_SLASHES &&
			evsel->specs[0].type != EVENT_TYPE_TRACEPOINT &&
			*evsel->specs[0].name != '\0';

	if (search->own.precise + search->event->outer.precise > 3) {
		return refuse_whole(search, ERROR_EVENT_SYNTAX,
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
	struct event_search search = {
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
