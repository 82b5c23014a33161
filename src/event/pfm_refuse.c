/*
 * What is wrong with a name. libpfm4 says only that some attribute is: which one, and what would
 * have been right, is found out by asking again. An event that is not there may be one of another
 * machine.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"

#include "event/event.h"
#include "event/pfm_lib.h"

enum {
	LIST_BYTES = 200, /* of names in a message */
	WHY_BYTES = 128,
	DETAIL_BYTES = WHY_BYTES + LIST_BYTES + 32,
	FOREIGN_MAX = 3 /* PMUs named in a message */
};

/* "A, B, C" of the umasks, or of the modifiers; "..." at the end stands for more. */
static void list_attributes(const pfm_event_info_t *event, bool umasks,
			    char list[static LIST_BYTES])
{
	size_t length = 0;

	*list = '\0';
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attribute;

		if (!pfm_get_attribute(event, i, &attribute) ||
		    pfm_is_umask(&attribute) != umasks || pfm_is_for_sampling(&attribute))
			continue;
		if (length + strlen(attribute.name) + strlen(", , ...") >= LIST_BYTES) {
			snprintf(list + length, LIST_BYTES - length, ", ...");
			return;
		}
		length += (size_t)snprintf(list + length, LIST_BYTES - length, "%s%s",
					   length > 0 ? ", " : "", attribute.name);
	}
}

static bool refuse(const char *name, const char *why, struct error *error)
{
	return error_set(error, ERROR_EVENT_UMASK, name, why);
}

/* Fills the space behind a sentence with the umasks, or with the modifiers where there are none. */
static bool refuse_listing(const char *name, const pfm_event_info_t *event, const char *why,
			   struct error *error)
{
	char list[LIST_BYTES], text[DETAIL_BYTES];
	bool has_umasks;

	list_attributes(event, true, list);
	has_umasks = *list != '\0';
	if (!has_umasks)
		list_attributes(event, false, list);
	snprintf(text, sizeof(text), "%.*s; %s: %s", (int)WHY_BYTES, why,
		 has_umasks ? "umasks are" : "modifiers are", *list != '\0' ? list : "none");
	return refuse(name, text, error);
}

static bool refuse_word(const char *name, const pfm_event_info_t *event,
			const struct pfm_word *word, struct error *error)
{
	char why[WHY_BYTES];

	snprintf(why, sizeof(why), "has no umask or modifier \"%.*s\"",
		 word->length < 64 ? (int)word->length : 64, word->text);
	return refuse_listing(name, event, why, error);
}

/* Whether the same event without this word is refused for another reason, or not at all. */
static bool is_culprit(const char *name, const struct pfm_word *word, int reason)
{
	char without[EVENT_SPEC_NAME_MAX];
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;

	snprintf(without, sizeof(without), "%.*s%s", (int)(word->text - 1 - name), name,
		 word->text + word->length);
	return pfm_encode(without, &attr, &result) != reason;
}

static bool refuse_value(const char *name, const pfm_event_info_t *event, int reason,
			 struct error *error)
{
	const char *cursor = pfm_skip_event(name);
	struct pfm_word word;

	while (pfm_next_word(&cursor, &word)) {
		if (is_culprit(name, &word, reason)) {
			char why[WHY_BYTES];

			snprintf(why, sizeof(why),
				 reason == PFM_ERR_ATTR_VAL ? "\"%.*s\" has no value that can be"
							    : "\"%.*s\" is given twice",
				 word.length < 64 ? (int)word.length : 64, word.text);
			return refuse(name, why, error);
		}
	}
	return refuse_listing(name, event, pfm_strerror(reason), error);
}

/* The event is there; what follows it is not right. */
static bool refuse_attributes(const char *name, const pfm_event_info_t *event, int reason,
			      struct error *error)
{
	const char *cursor = pfm_skip_event(name);
	struct pfm_word word;

	while (pfm_next_word(&cursor, &word))
		if (!pfm_is_known_word(event, &word))
			return refuse_word(name, event, &word, error);
	switch (reason) {
	case PFM_ERR_ATTR_VAL:
	case PFM_ERR_ATTR_SET:
		return refuse_value(name, event, reason, error);
	case PFM_ERR_UMASK:
		return refuse_listing(name, event,
				      "an umask is missing, or these do not go together", error);
	case PFM_ERR_FEATCOMB:
		return refuse_listing(name, event, "these umasks and modifiers do not go together",
				      error);
	default:
		return refuse_listing(name, event, pfm_strerror(reason), error);
	}
}

static bool has_event(const pfm_pmu_info_t *pmu, const char *event, size_t length)
{
	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i)) {
		pfm_event_info_t info;

		if (pfm_get_event(i, &info) && strncasecmp(info.name, event, length) == 0 &&
		    info.name[length] == '\0')
			return true;
	}
	return false;
}

/* Names the PMUs of other machines that have such an event. */
static bool find_foreign(const char *name, char text[static DETAIL_BYTES])
{
	const char *end = pfm_skip_event(name);
	size_t length = 0, found = 0;

	*text = '\0';
	for (int i = 0; i < PFM_PMU_MAX && found <= FOREIGN_MAX; i++) {
		pfm_pmu_info_t pmu;

		if (!pfm_get_pmu(i, &pmu) || pmu.is_present ||
		    !has_event(&pmu, name, (size_t)(end - name)) || found++ == FOREIGN_MAX)
			continue;
		length += (size_t)snprintf(text + length, DETAIL_BYTES - length, "%s%s",
					   found > 1 ? ", " : "", pmu.name);
	}
	return found > 0;
}

static bool refuse_pmu(const char *name, size_t pmu_length, struct error *error)
{
	char text[DETAIL_BYTES];

	snprintf(text, sizeof(text), "%.*s", (int)pmu_length, name);
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu;

		if (!pfm_get_pmu(i, &pmu) || strncasecmp(pmu.name, name, pmu_length) != 0 ||
		    pmu.name[pmu_length] != '\0')
			continue;
		if (pmu.is_present)
			return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
		snprintf(text, sizeof(text), "%s (%s)", pmu.name, pmu.desc);
	}
	return error_set(error, ERROR_EVENT_PMU_ABSENT, name, text);
}

static bool refuse_unknown(const char *name, struct error *error)
{
	const char *mark = strstr(name, pfm_pmu_mark);
	char text[DETAIL_BYTES];

	if (mark == name) /* of no PMU */
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
	if (mark)
		return refuse_pmu(name, (size_t)(mark - name), error);
	if (find_foreign(name, text))
		return error_set(error, ERROR_EVENT_FOREIGN, name, text);
	return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
}

bool pfm_refuse(const char *name, int reason, struct error *error)
{
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	if (!pfm_find_bare(name, &event))
		return refuse_unknown(name, error);
	/* its type is to be read in sysfs, and is not there */
	if (reason == PFM_ERR_NOTSUPP && pfm_get_pmu((int)event.pmu, &pmu))
		return error_set(error, ERROR_EVENT_PMU_ABSENT, name, pmu.name);
	return refuse_attributes(name, &event, reason, error);
}
