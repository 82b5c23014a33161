/*
 * libpfm4 makes the attribute bits; here its many answers become ours. A name of its is
 * [PMU::]EVENT and attributes, each behind a ':' or a '.'. What is wrong with a name that it
 * refuses is pfm_refuse.c's matter.
 */

#include "event/pfm.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "kernel/file.h"

#include "event/event.h"
#include "event/pfm_lib.h"

enum {
	ATTRIBUTES_MAX = 32
};

static const char DEVICES[] = "/sys/bus/event_source/devices";
const char pfm_pmu_mark[] = "::";
static const char ATTRIBUTE_MARKS[] = ":.";

/* The name without its PMU. */
static const char *skip_pmu(const char *name)
{
	const char *mark = strstr(name, pfm_pmu_mark);

	return mark ? mark + strlen(pfm_pmu_mark) : name;
}

/* Where the attributes begin: a mark or the end. */
const char *pfm_skip_event(const char *name)
{
	const char *event = skip_pmu(name);

	return event + strcspn(event, ATTRIBUTE_MARKS);
}

bool pfm_is_harmless(const char *name)
{
	size_t count = 0;

	if (strlen(name) >= EVENT_SPEC_NAME_MAX)
		return false;
	for (const char *c = skip_pmu(name); *c != '\0'; c++)
		count += strchr(ATTRIBUTE_MARKS, *c) != NULL;
	return count <= ATTRIBUTES_MAX;
}

int pfm_encode(const char *name, struct perf_event_attr *attr, pfm_perf_encode_arg_t *result)
{
	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	*result = (pfm_perf_encode_arg_t){.attr = attr, .size = sizeof(*result), .cpu = -1};
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, result);
}

bool pfm_get_pmu(int number, pfm_pmu_info_t *pmu)
{
	*pmu = (pfm_pmu_info_t){.size = sizeof(*pmu)};
	return pfm_get_pmu_info((pfm_pmu_t)number, pmu) == PFM_SUCCESS;
}

bool pfm_get_event(int index, pfm_event_info_t *event)
{
	*event = (pfm_event_info_t){.size = sizeof(*event)};
	return pfm_get_event_info(index, PFM_OS_PERF_EVENT_EXT, event) == PFM_SUCCESS;
}

bool pfm_get_attribute(const pfm_event_info_t *event, int index, pfm_event_attr_info_t *attribute)
{
	*attribute = (pfm_event_attr_info_t){.size = sizeof(*attribute)};
	return pfm_get_event_attr_info(event->idx, index, PFM_OS_PERF_EVENT_EXT, attribute) ==
	       PFM_SUCCESS;
}

bool pfm_is_umask(const pfm_event_attr_info_t *attribute)
{
	return attribute->type == PFM_ATTR_UMASK;
}

/* What an event asks for that a count has no use for. */
bool pfm_is_for_sampling(const pfm_event_attr_info_t *attribute)
{
	static const char *const names[] = {"period", "freq",   "excl",   "pinned",
					    "cpu",    "weight", "hw_smpl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(attribute->name, names[i]) == 0)
			return attribute->ctrl == PFM_ATTR_CTRL_PERF_EVENT;
	return false;
}

/* The event that `name` is about, whatever its attributes are worth. */
bool pfm_find_bare(const char *name, pfm_event_info_t *event)
{
	char bare[EVENT_SPEC_NAME_MAX];

	snprintf(bare, sizeof(bare), "%.*s", (int)(pfm_skip_event(name) - name), name);

	int index = pfm_find_event(bare);

	return index >= 0 && pfm_get_event(index, event);
}

bool pfm_next_word(const char **cursor, struct pfm_word *word)
{
	if (**cursor == '\0')
		return false;
	word->text = *cursor + 1;
	word->length = strcspn(word->text, ATTRIBUTE_MARKS);
	word->name_length = strcspn(word->text, ":.=");
	*cursor = word->text + word->length;
	return true;
}

bool pfm_is_known_word(const pfm_event_info_t *event, const struct pfm_word *word)
{
	if (strncasecmp(word->text, "0x", 2) == 0) /* an umask in numbers */
		return true;
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attribute;

		if (pfm_get_attribute(event, i, &attribute) &&
		    strlen(attribute.name) == word->name_length &&
		    strncasecmp(attribute.name, word->text, word->name_length) == 0)
			return true;
	}
	return false;
}

static bool is_encodable(const char *name)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;

	return pfm_is_harmless(name) && pfm_encode(name, &attr, &result) == PFM_SUCCESS;
}

/* --- what is right */

/* sysfs' name of the PMU with this type; "" where it has none. */
static void find_pmu_name(uint32_t type, char name[static EVENT_SPEC_PMU_MAX])
{
	DIR *folder = opendir(DEVICES);
	struct dirent *entry;

	*name = '\0';
	while (folder && *name == '\0' && (entry = readdir(folder))) {
		char path[512], text[32];
		uint64_t number;

		snprintf(path, sizeof(path), "%s/%s/type", DEVICES, entry->d_name);
		file_read(path, text, sizeof(text));
		text[strcspn(text, "\n")] = '\0';
		if (strlen(entry->d_name) < EVENT_SPEC_PMU_MAX &&
		    units_parse_u64(text, 0, UINT32_MAX, &number) && number == type)
			strcpy(name, entry->d_name);
	}
	if (folder)
		closedir(folder);
}

static enum event_class class_of(const pfm_pmu_info_t *pmu, uint32_t type)
{
	if (pmu->type == PFM_PMU_TYPE_UNCORE)
		return EVENT_CLASS_SHARED;
	switch (type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
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
		.scale = 1,
	};
	snprintf(spec->name, sizeof(spec->name), "%s", name);
	if (spec->class != EVENT_CLASS_SOFTWARE && pmu->type != PFM_PMU_TYPE_OS_GENERIC)
		find_pmu_name(attr->type, spec->pmu);
}

static bool is_sampling(const struct perf_event_attr *attr, const pfm_perf_encode_arg_t *result)
{
	return attr->sample_period != 0 || attr->freq || attr->exclusive || attr->pinned ||
	       attr->sample_type != 0 || result->cpu != -1;
}

bool pfm_find(const char *name, struct event_spec *spec, struct error *error)
{
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	if (*name == '\0' || !pfm_is_harmless(name) || pfm_initialize() != PFM_SUCCESS)
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);

	int reason = pfm_encode(name, &attr, &result);

	if (reason != PFM_SUCCESS)
		return pfm_refuse(name, reason, error);
	if (!pfm_get_event(result.idx, &event) || !pfm_get_pmu((int)event.pmu, &pmu) ||
	    event.pmu == PFM_PMU_PERF_EVENT_RAW) /* takes any word that begins with r */
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
	if (is_sampling(&attr, &result)) {
		return error_set(
			error, ERROR_EVENT_UMASK, name,
			"events are counted here: no period, freq, excl, pinned, cpu or weight");
	}
	fill_spec(spec, name, &pmu, &attr);
	return true;
}

/* --- all there are */

static bool is_listed(const pfm_pmu_info_t *pmu)
{
	return pmu->is_present && pmu->type != PFM_PMU_TYPE_OS_GENERIC;
}

/* Those of the name, where this event has them too; "" where it does not. */
static const char *fitting_attributes(const char *name, const pfm_event_info_t *event)
{
	const char *attributes = pfm_skip_event(name), *cursor = attributes;
	struct pfm_word word;

	while (pfm_next_word(&cursor, &word))
		if (!pfm_is_known_word(event, &word))
			return "";
	return attributes;
}

void pfm_nearest(const char *name, void (*visit)(const char *candidate, void *context),
		 void *context)
{
	bool has_pmu = strstr(name, pfm_pmu_mark);

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu;
		pfm_event_info_t event;

		if (!pfm_get_pmu(i, &pmu) || !is_listed(&pmu))
			continue;
		for (int j = pmu.first_event; j != -1; j = pfm_get_event_next(j)) {
			char candidate[2 * EVENT_SPEC_NAME_MAX];

			if (pfm_get_event(j, &event)) {
				snprintf(candidate, sizeof(candidate), "%s%s%s%s",
					 has_pmu ? pmu.name : "", has_pmu ? pfm_pmu_mark : "",
					 event.name, fitting_attributes(name, &event));
				visit(candidate, context);
			}
		}
	}
}

/* The visitor, and the event that is being shown. */
struct walk {
	pfm_visit *visit;
	void *context;
	const pfm_pmu_info_t *pmu;
	const pfm_event_info_t *event;
};

static const char *text_of(const char *text)
{
	return text ? text : "";
}

/* False where the name does not fit or lacks something. */
static bool visit_one(const struct walk *walk, const char *umask, const char *umask_description)
{
	bool is_shared = walk->pmu->type == PFM_PMU_TYPE_UNCORE;
	char name[EVENT_SPEC_NAME_MAX];
	const struct pfm_event shown = {
		.pmu = walk->pmu->name,
		.name = name,
		.description = text_of(walk->event->desc),
		.umask_description = umask_description,
		.is_shared = is_shared,
	};
	int length = snprintf(name, sizeof(name), "%s%s%s%s%s", walk->pmu->name, pfm_pmu_mark,
			      walk->event->name, umask ? ":" : "", text_of(umask));

	if (length < 0 || (size_t)length >= sizeof(name) || (!is_shared && !is_encodable(name)))
		return false;
	walk->visit(walk->context, &shown);
	return true;
}

static void visit_event(const struct walk *walk)
{
	bool is_complete = false; /* something that can be typed was shown */

	for (int i = 0; walk->pmu->type != PFM_PMU_TYPE_UNCORE && i < walk->event->nattrs; i++) {
		pfm_event_attr_info_t attribute;

		if (pfm_get_attribute(walk->event, i, &attribute) && pfm_is_umask(&attribute) &&
		    visit_one(walk, attribute.name, text_of(attribute.desc)))
			is_complete = true;
	}
	if (!is_complete)
		visit_one(walk, NULL, "");
}

void pfm_walk(pfm_visit *visit, void *context)
{
	if (pfm_initialize() != PFM_SUCCESS)
		return;
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_event_info_t event;
		pfm_pmu_info_t pmu;
		const struct walk walk = {visit, context, &pmu, &event};

		if (!pfm_get_pmu(i, &pmu) || !is_listed(&pmu))
			continue;
		for (int j = pmu.first_event; j != -1; j = pfm_get_event_next(j))
			if (pfm_get_event(j, &event))
				visit_event(&walk);
	}
}

static void append_attributes(const pfm_event_info_t *event, bool umasks, const char *title,
			      struct strbuf *out)
{
	bool is_first = true;

	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attribute;

		if (!pfm_get_attribute(event, i, &attribute) ||
		    pfm_is_umask(&attribute) != umasks || pfm_is_for_sampling(&attribute))
			continue;
		strbuf_printf(
			out, "%s%s  :%s%s  %s%s\n", is_first ? title : "", is_first ? "\n" : "",
			attribute.name, attribute.type == PFM_ATTR_MOD_INTEGER ? "=N" : "",
			text_of(attribute.desc), umasks && attribute.is_dfl ? " (by default)" : "");
		is_first = false;
	}
}

void pfm_append_details(const char *name, struct strbuf *out)
{
	pfm_event_info_t event;

	if (!pfm_is_harmless(name) || pfm_initialize() != PFM_SUCCESS ||
	    !pfm_find_bare(name, &event))
		return;
	append_attributes(&event, true, "umasks:", out);
	append_attributes(&event, false, "modifiers:", out);
}
