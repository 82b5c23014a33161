/*
 * A name of libpfm4's is [PMU::]EVENT and attributes, each behind a ':' or a '.'.
 */
#include "kernel/event/pfm_lib.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "kernel/event/event.h"

enum {
	ATTRIBUTES_MAX = 32
};

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
