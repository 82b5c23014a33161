/*
 * libpfm4 makes the attribute bits; here its answers become ours. A name of its is [PMU::]EVENT and
 * attributes, each behind a ':' or a '.'.
 */

#include "event/pfm.h"

#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/strbuf.h"

#include "event/event.h"
#include "event/pmu.h"

enum {
	ATTRIBUTES_MAX = 32
};

static const char PMU_MARK[] = "::";
static const char ATTRIBUTE_MARKS[] = ":.";

/*
 * Short, and with few attributes; no other name may go to libpfm4: version 4.13 writes behind the
 * end of a table of 64 when there are more umasks.
 */
static bool is_safe_for_pfm(const char *name)
{
	const char *mark = strstr(name, PMU_MARK);
	size_t count = 0;

	if (strlen(name) >= EVENT_SPEC_NAME_MAX)
		return false;
	for (const char *c = mark ? mark + strlen(PMU_MARK) : name; *c != '\0'; c++)
		count += strchr(ATTRIBUTE_MARKS, *c) != NULL;
	return count <= ATTRIBUTES_MAX;
}

/* A code of libpfm4: PFM_SUCCESS, and *attr and *result are filled. */
static int encode(const char *name, struct perf_event_attr *attr, pfm_perf_encode_arg_t *result)
{
	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	*result = (pfm_perf_encode_arg_t){.attr = attr, .size = sizeof(*result), .cpu = -1};
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, result);
}

/* By number, all false where there is none. */
static bool get_pmu(int number, pfm_pmu_info_t *pmu)
{
	*pmu = (pfm_pmu_info_t){.size = sizeof(*pmu)};
	return pfm_get_pmu_info((pfm_pmu_t)number, pmu) == PFM_SUCCESS;
}

static bool get_event(int index, pfm_event_info_t *event)
{
	*event = (pfm_event_info_t){.size = sizeof(*event)};
	return pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, event) == PFM_SUCCESS;
}

static bool get_attribute(const pfm_event_info_t *event, int index,
			  pfm_event_attr_info_t *attribute)
{
	*attribute = (pfm_event_attr_info_t){.size = sizeof(*attribute)};
	return pfm_get_event_attr_info(event->idx, index, PFM_OS_PERF_EVENT_EXT, attribute) ==
	       PFM_SUCCESS;
}

/* Whether an attribute is one that perftop does not take. */
static bool is_not_taken(const pfm_event_attr_info_t *attribute)
{
	static const char *const names[] = {"excl", "pinned", "cpu", "weight", "hw_smpl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(attribute->name, names[i]) == 0)
			return attribute->ctrl == PFM_ATTR_CTRL_PERF_EVENT;
	return false;
}

/* The next umask, or the next modifier that is taken; false: no more. */
static bool next_attribute(const pfm_event_info_t *event, bool umasks, int *index,
			   pfm_event_attr_info_t *attribute)
{
	while (*index < event->nattrs)
		if (get_attribute(event, (*index)++, attribute) &&
		    (attribute->type == PFM_ATTR_UMASK) == umasks && !is_not_taken(attribute))
			return true;
	return false;
}

/* sysfs' name of the PMU with this type; it stays "" where there is none. */
static void find_pmu_name(uint32_t type, char name[static EVENT_SPEC_PMU_MAX])
{
	struct pmus pmus = {.root = ""};

	pmus_read(&pmus);
	for (size_t i = 0; i < pmus.count; i++)
		if (pmus.pmus[i].type == type)
			memcpy(name, pmus.pmus[i].name, EVENT_SPEC_PMU_MAX);
	pmus_fini(&pmus);
}

static enum event_class class_of(const pfm_pmu_info_t *pmu, uint32_t type)
{
	if (pmu->type == PFM_PMU_TYPE_UNCORE)
		return EVENT_CLASS_SHARED;
	switch (type) {
	case EVENT_TYPE_SOFTWARE:
	case EVENT_TYPE_TRACEPOINT:
	case EVENT_TYPE_BREAKPOINT:
		return EVENT_CLASS_SOFTWARE;
	default:
		return EVENT_CLASS_HARDWARE;
	}
}

static void fill_spec(struct event_spec *spec, const char *name, const pfm_pmu_info_t *pmu,
		      const struct perf_event_attr *attr)
{
	*spec = (struct event_spec){
		.class = class_of(pmu, attr->type),
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.bp_type = attr->bp_type,
		.exclude_user = attr->exclude_user,
		.exclude_kernel = attr->exclude_kernel,
		.exclude_hv = attr->exclude_hv,
		.exclude_host = attr->exclude_host,
		.exclude_guest = attr->exclude_guest,
		.exclude_idle = attr->exclude_idle,
		/* libpfm4 leaves guests out unless asked otherwise */
		.guest_is_default = attr->exclude_guest && !attr->exclude_host,
		.precise = (uint8_t)attr->precise_ip,
		.period = attr->freq ? 0 : attr->sample_period,
		.freq = attr->freq ? attr->sample_freq : 0,
		.scale = 1,
	};
	snprintf(spec->name, sizeof(spec->name), "%s", name);
	if (spec->class != EVENT_CLASS_SOFTWARE && pmu->type != PFM_PMU_TYPE_OS_GENERIC)
		find_pmu_name(attr->type, spec->pmu);
}

static bool has_more_than_is_taken(const struct perf_event_attr *attr,
				   const pfm_perf_encode_arg_t *result)
{
	return attr->exclusive || attr->pinned || attr->sample_type != 0 || result->cpu != -1;
}

bool pfm_find(const char *name, struct event_spec *spec, struct error *error)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	if (*name == '\0' || !is_safe_for_pfm(name) || pfm_initialize() != PFM_SUCCESS)
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);

	int reason = encode(name, &attr, &result);

	if (reason == PFM_ERR_NOTFOUND)
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
	if (reason != PFM_SUCCESS)
		return error_set(error, ERROR_EVENT_UMASK, name, pfm_strerror(reason));
	if (!get_event(result.idx, &event) || !get_pmu((int)event.pmu, &pmu) ||
	    event.pmu == PFM_PMU_PERF_EVENT_RAW) /* takes any word that begins with r */
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
	if (has_more_than_is_taken(&attr, &result)) {
		return error_set(error, ERROR_EVENT_UMASK, name,
				 "excl, pinned, cpu, weight and hw_smpl are not possible: events "
				 "are members of groups on all CPUs");
	}
	fill_spec(spec, name, &pmu, &attr);
	return true;
}

/* --- all there are */

static const char *text_or_empty(const char *text)
{
	return text ? text : "";
}

/* umask: NULL without one. False where the name does not fit or lacks something. */
static bool visit_one(pfm_visit *visit, void *context, const pfm_pmu_info_t *pmu,
		      const pfm_event_info_t *event, const pfm_event_attr_info_t *umask)
{
	char name[EVENT_SPEC_NAME_MAX];
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;
	const struct pfm_event shown = {
		.pmu = pmu->name,
		.name = name,
		.description = text_or_empty(event->desc),
		.umask_description = umask ? text_or_empty(umask->desc) : "",
		.is_shared = pmu->type == PFM_PMU_TYPE_UNCORE,
	};
	const int length = snprintf(name, sizeof(name), "%s%s%s%s%s", pmu->name, PMU_MARK,
				    event->name, umask ? ":" : "", umask ? umask->name : "");

	if (length < 0 || (size_t)length >= sizeof(name) || !is_safe_for_pfm(name) ||
	    (!shown.is_shared && encode(name, &attr, &result) != PFM_SUCCESS))
		return false;
	visit(context, &shown);
	return true;
}

void pfm_walk(pfm_visit *visit, void *context)
{
	pfm_pmu_info_t pmu;

	for (int i = 0; pfm_initialize() == PFM_SUCCESS && i < PFM_PMU_MAX; i++) {
		if (!get_pmu(i, &pmu) || !pmu.is_present || pmu.type == PFM_PMU_TYPE_OS_GENERIC)
			continue;
		for (int j = pmu.first_event; j != -1; j = pfm_get_event_next(j)) {
			pfm_event_attr_info_t umask;
			pfm_event_info_t event;
			bool is_complete = false; /* something that can be typed was shown */

			if (!get_event(j, &event))
				continue;
			for (int k = 0; pmu.type != PFM_PMU_TYPE_UNCORE &&
					next_attribute(&event, true, &k, &umask);)
				is_complete |= visit_one(visit, context, &pmu, &event, &umask);
			if (!is_complete)
				visit_one(visit, context, &pmu, &event, NULL);
		}
	}
}

static void append_attributes(const pfm_event_info_t *event, bool umasks, const char *title,
			      struct strbuf *out)
{
	pfm_event_attr_info_t attribute;

	for (int i = 0; next_attribute(event, umasks, &i, &attribute); title = "")
		strbuf_printf(out, "%s  :%s%s  %s%s\n", title, attribute.name,
			      attribute.type == PFM_ATTR_MOD_INTEGER ? "=N" : "",
			      text_or_empty(attribute.desc),
			      umasks && attribute.is_dfl ? " (by default)" : "");
}

void pfm_append_details(const char *name, struct strbuf *out)
{
	char bare[EVENT_SPEC_NAME_MAX];
	const char *mark = strstr(name, PMU_MARK);
	const char *event_name = mark ? mark + strlen(PMU_MARK) : name;
	pfm_event_info_t event;
	int index;

	if (!is_safe_for_pfm(name) || pfm_initialize() != PFM_SUCCESS)
		return;
	snprintf(bare, sizeof(bare), "%.*s",
		 (int)(event_name + strcspn(event_name, ATTRIBUTE_MARKS) - name), name);
	index = pfm_find_event(bare);
	if (index < 0 || !get_event(index, &event))
		return;
	append_attributes(&event, true, "umasks:\n", out);
	append_attributes(&event, false, "modifiers:\n", out);
}
