/*
 * The small parts of the work on one event, which every place that is asked for it needs.
 */
#include "kernel/event/search.h"

#include <string.h>

#include <linux/perf_event.h>

#include "kernel/event/tracepoint.h"

enum {
	/* a perf_event_attr's config holds a PMU's type above its generic event */
	CONFIG_PMU_SHIFT = 32
};

bool search_refuse_at(struct search *search, const char *at, enum error_code code, const char *why)
{
	search->at = at;
	return error_set(search->error, code, search->text, why);
}

bool search_refuse(struct search *search, enum error_code code, const char *why)
{
	return search_refuse_at(search, search->event->text.text, code, why);
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
void search_split(struct syntax_piece whole, struct syntax_piece *head, struct syntax_piece *tail)
{
	const char *colon = search_colon_in(whole);

	*head = whole;
	*tail = (struct syntax_piece){0};
	if (colon) {
		head->length = (size_t)(colon - whole.text);
		*tail = (struct syntax_piece){colon + 1, whole.length - head->length - 1};
	}
}

bool search_take_modifiers(struct search *search, struct syntax_piece letters)
{
	const char *message;

	return syntax_modifiers_parse(letters, &search->own, &message) ||
	       search_refuse_at(search, letters.text, ERROR_EVENT_SYNTAX, message);
}

/* A name's tail, if it has one, is modifiers. */
bool search_take_tail_modifiers(struct search *search)
{
	return !search->tail.text || search_take_modifiers(search, search->tail);
}

struct event_spec *search_add_spec(struct search *search)
{
	struct evsel *evsel = search->evsel;
	struct event_spec *spec = &evsel->specs[evsel->spec_count++];

	*spec = (struct event_spec){.scale = 1};
	return spec;
}

/* Where there is one kind of CPU its PMU need not be named. */
void search_add_on_cores(struct search *search, uint32_t type, uint64_t config)
{
	struct event_core_pmu cores[EVENT_PMUS_MAX];
	size_t count = event_core_pmus(search->finder, cores, EVENT_PMUS_MAX);

	if (count > EVENT_PMUS_MAX)
		count = EVENT_PMUS_MAX;
	for (size_t i = 0; i == 0 || i < count; i++) {
		struct event_spec *spec = search_add_spec(search);

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
	return tracepoint_find(search->finder->root, group_text, name_text, search_add_spec(search),
			       search->error);
}
