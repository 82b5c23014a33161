/*
 * Events for perf record -e are written from their specs, not as they were typed, since perf does
 * not know names of libpfm4 and given names (name=). Generic, software and cache events have names;
 * others are PMU/config=.../, which perf understands for every PMU. Modifiers follow as perf writes
 * them: the modes that are not excluded.
 */
#include <inttypes.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/generic.h"

#include "event/event.h"

enum {
	MODIFIERS_MAX = 16
};

/* The upper half of a generic event's config is its PMU where there are several. */
static bool write_generic(const struct event_spec *spec, struct strbuf *out)
{
	const uint64_t config = spec->config & UINT32_MAX;
	const struct generic_event *event = generic_of(spec->type, config);
	char cache[CACHE_NAME_MAX];
	const char *name = cache;

	if (event)
		name = event->alias ? event->alias : event->name;
	else if (spec->type != EVENT_TYPE_CACHE || !cache_name(config, cache))
		return false;
	if (spec->pmu[0] != '\0')
		strbuf_printf(out, "%s/%s/", spec->pmu, name);
	else
		strbuf_add(out, name);
	return true;
}

static void write_terms(const struct event_spec *spec, struct strbuf *out)
{
	strbuf_printf(out, "%s/config=0x%" PRIx64, spec->pmu[0] != '\0' ? spec->pmu : "cpu",
		      spec->config);
	if (spec->config1 != 0)
		strbuf_printf(out, ",config1=0x%" PRIx64, spec->config1);
	if (spec->config2 != 0)
		strbuf_printf(out, ",config2=0x%" PRIx64, spec->config2);
	strbuf_add(out, "/");
}

static void write_breakpoint(const struct event_spec *spec, struct strbuf *out)
{
	/* HW_BREAKPOINT_R, W and X of linux/hw_breakpoint.h */
	strbuf_printf(out, "mem:0x%" PRIx64 "/%" PRIu64 ":%s%s%s", spec->config1, spec->config2,
		      spec->bp_type & 1 ? "r" : "", spec->bp_type & 2 ? "w" : "",
		      spec->bp_type & 4 ? "x" : "");
}

/* "sched:sched_switch" from what was typed: perf has a separate option for filters. */
static bool write_tracepoint(const struct event_spec *spec, struct strbuf *out)
{
	const size_t length = strcspn(spec->name, "/");
	const char *colon = memchr(spec->name, ':', length);

	if (!colon)
		return false;
	strbuf_add_bytes(out, spec->name, length);
	return true;
}

static void write_modifiers(const struct event_spec *spec, struct strbuf *out)
{
	char words[MODIFIERS_MAX] = "";
	size_t used = 0;

	if (spec->exclude_user || spec->exclude_kernel || spec->exclude_hv) {
		if (!spec->exclude_user)
			words[used++] = 'u';
		if (!spec->exclude_kernel)
			words[used++] = 'k';
		if (!spec->exclude_hv)
			words[used++] = 'h';
	}
	for (unsigned i = 0; i < spec->precise && i < 3; i++)
		words[used++] = 'p';
	if (spec->is_most_precise)
		words[used++] = 'P';
	words[used] = '\0';
	/* after a slash they are unchanged; a breakpoint's access has a colon already */
	if (used > 0)
		strbuf_printf(out, "%s%s",
			      out->length > 0 && strbuf_text(out)[out->length - 1] == '/' ? ""
											  : ":",
			      words);
}

bool event_perf_words(const struct event_spec *spec, struct strbuf *out, const char **reason)
{
	bool good = true;

	*reason = "perf has no name for it";
	if (spec->target[0] != '\0') {
		*reason = "perf record takes a probe only after perf probe --add";
		return false;
	}
	switch (spec->type) {
	case EVENT_TYPE_HARDWARE:
	case EVENT_TYPE_SOFTWARE:
	case EVENT_TYPE_CACHE:
		good = write_generic(spec, out);
		break;
	case EVENT_TYPE_TRACEPOINT:
		good = write_tracepoint(spec, out);
		break;
	case EVENT_TYPE_BREAKPOINT:
		write_breakpoint(spec, out);
		break;
	default:
		if (spec->class != EVENT_CLASS_HARDWARE) {
			*reason = "its PMU cannot sample";
			return false;
		}
		write_terms(spec, out);
		break;
	}
	if (good)
		write_modifiers(spec, out);
	return good;
}
