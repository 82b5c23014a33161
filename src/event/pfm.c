/*
 * libpfm4 makes the attribute bits; here its many answers become ours. A name of its is
 * [PMU::]EVENT and attributes, each behind a ':' or a '.'. Of a name that it refuses it
 * says only that some attribute is wrong: which one, and what would have been right, is found out
 * by asking again.
 */

#include "event/pfm.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/strbuf.h"

/* In this order: libpfm4 brings definitions of its own where it does not find the kernel's. */
/* clang-format off */
#include <linux/perf_event.h>
#include <perfmon/pfmlib_perf_event.h>
/* clang-format on */

#include "event/event.h"
#include "event/pmu.h"

enum {
	ATTRIBUTES_MAX = 32,
	LIST_BYTES = 200, /* of names in a message */
	WHY_BYTES = 128,
	DETAIL_BYTES = WHY_BYTES + LIST_BYTES + 32,
	FOREIGN_MAX = 3 /* PMUs named in a message */
};

static const char PMU_MARK[] = "::";
static const char ATTRIBUTE_MARKS[] = ":.";

/* The name without its PMU. */
static const char *skip_pmu(const char *name)
{
	const char *mark = strstr(name, PMU_MARK);

	return mark ? mark + strlen(PMU_MARK) : name;
}

/* Where the attributes begin: a mark or the end. */
static const char *skip_event(const char *name)
{
	const char *event = skip_pmu(name);

	return event + strcspn(event, ATTRIBUTE_MARKS);
}

/*
 * Short, and with few attributes; no other name may go to libpfm4: version 4.13 writes behind the
 * end of a table of 64 when there are more umasks.
 */
static bool is_harmless(const char *name)
{
	size_t count = 0;

	if (strlen(name) >= EVENT_SPEC_NAME_MAX)
		return false;
	for (const char *c = skip_pmu(name); *c != '\0'; c++)
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

/* What an event asks for that a count has no use for. */
static bool is_for_sampling(const pfm_event_attr_info_t *attribute)
{
	static const char *const names[] = {"period", "freq",   "excl",   "pinned",
					    "cpu",    "weight", "hw_smpl"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcasecmp(attribute->name, names[i]) == 0)
			return attribute->ctrl == PFM_ATTR_CTRL_PERF_EVENT;
	return false;
}

/* The event that `name` is about, whatever its attributes are worth. */
static bool find_bare(const char *name, pfm_event_info_t *event)
{
	char bare[EVENT_SPEC_NAME_MAX];

	snprintf(bare, sizeof(bare), "%.*s", (int)(skip_event(name) - name), name);

	int index = pfm_find_event(bare);

	return index >= 0 && get_event(index, event);
}

/* One attribute as typed. */
struct word {
	const char *text;
	size_t length;      /* with its value */
	size_t name_length; /* without */
};

/* The attribute at *cursor, which goes on behind it; false: it is at the end. */
static bool next_word(const char **cursor, struct word *word)
{
	if (**cursor == '\0')
		return false;
	word->text = *cursor + 1;
	word->length = strcspn(word->text, ATTRIBUTE_MARKS);
	word->name_length = strcspn(word->text, ":.=");
	*cursor = word->text + word->length;
	return true;
}

static bool is_known_word(const pfm_event_info_t *event, const struct word *word)
{
	if (strncasecmp(word->text, "0x", 2) == 0) /* an umask in numbers */
		return true;
	for (int i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attribute;

		if (get_attribute(event, i, &attribute) &&
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

	return is_harmless(name) && encode(name, &attr, &result) == PFM_SUCCESS;
}

/* The next of the umasks, or of the modifiers that a count has a use for; false: no more. */
static bool next_attribute(const pfm_event_info_t *event, bool umasks, int *index,
			   pfm_event_attr_info_t *attribute)
{
	while (*index < event->nattrs)
		if (get_attribute(event, (*index)++, attribute) &&
		    (attribute->type == PFM_ATTR_UMASK) == umasks && !is_for_sampling(attribute))
			return true;
	return false;
}

/* --- what is wrong with a name that libpfm4 refuses */

/* "A, B, C" of the umasks, or of the modifiers; "..." at the end: there are more. */
static void list_attributes(const pfm_event_info_t *event, bool umasks,
			    char list[static LIST_BYTES])
{
	pfm_event_attr_info_t attribute;
	size_t length = 0;

	*list = '\0';
	for (int i = 0; next_attribute(event, umasks, &i, &attribute);) {
		if (length + strlen(attribute.name) + strlen(", , ...") >= LIST_BYTES) {
			snprintf(list + length, LIST_BYTES - length, ", ...");
			return;
		}
		length += (size_t)snprintf(list + length, LIST_BYTES - length, "%s%s",
					   length > 0 ? ", " : "", attribute.name);
	}
}

/* A sentence, and the umasks behind it, or the modifiers where there are none. */
static bool refuse_listing(const char *name, const pfm_event_info_t *event, const char *why,
			   struct error *error)
{
	char list[LIST_BYTES], text[DETAIL_BYTES];
	const char *kind = "umasks are";

	list_attributes(event, true, list);
	if (*list == '\0') {
		kind = "modifiers are";
		list_attributes(event, false, list);
	}
	snprintf(text, sizeof(text), "%.*s; %s: %s", (int)WHY_BYTES, why, kind,
		 *list != '\0' ? list : "none");
	return error_set(error, ERROR_EVENT_UMASK, name, text);
}

/* Whether the same event without this word is refused for another reason, or not at all. */
static bool is_culprit(const char *name, const struct word *word, int reason)
{
	char without[EVENT_SPEC_NAME_MAX];
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t result;

	snprintf(without, sizeof(without), "%.*s%s", (int)(word->text - 1 - name), name,
		 word->text + word->length);
	return encode(without, &attr, &result) != reason;
}

/* The event is there; what follows it is not right. */
static bool refuse_attributes(const char *name, const pfm_event_info_t *event, int reason,
			      struct error *error)
{
	const bool is_value = reason == PFM_ERR_ATTR_VAL || reason == PFM_ERR_ATTR_SET;
	char why[WHY_BYTES];
	struct word word;

	for (const char *cursor = skip_event(name); next_word(&cursor, &word);) {
		if (is_known_word(event, &word))
			continue;
		snprintf(why, sizeof(why), "has no umask or modifier \"%.*s\"",
			 word.length < 64 ? (int)word.length : 64, word.text);
		return refuse_listing(name, event, why, error);
	}
	for (const char *cursor = skip_event(name); is_value && next_word(&cursor, &word);) {
		if (!is_culprit(name, &word, reason))
			continue;
		snprintf(why, sizeof(why),
			 reason == PFM_ERR_ATTR_VAL ? "\"%.*s\" has no value that can be"
						    : "\"%.*s\" is given twice",
			 word.length < 64 ? (int)word.length : 64, word.text);
		return error_set(error, ERROR_EVENT_UMASK, name, why);
	}
	switch (reason) {
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
	pfm_event_info_t info;

	for (int i = pmu->first_event; i != -1; i = pfm_get_event_next(i))
		if (get_event(i, &info) && strncasecmp(info.name, event, length) == 0 &&
		    info.name[length] == '\0')
			return true;
	return false;
}

/* Names the PMUs of other machines that have such an event. */
static bool find_foreign(const char *name, char text[static DETAIL_BYTES])
{
	const size_t name_length = (size_t)(skip_event(name) - name);
	size_t length = 0, found = 0;
	pfm_pmu_info_t pmu;

	for (int i = 0; i < PFM_PMU_MAX && found < FOREIGN_MAX; i++)
		if (get_pmu(i, &pmu) && !pmu.is_present && has_event(&pmu, name, name_length))
			length += (size_t)snprintf(text + length, DETAIL_BYTES - length, "%s%s",
						   found++ > 0 ? ", " : "", pmu.name);
	return found > 0;
}

static bool refuse_pmu(const char *name, size_t pmu_length, struct error *error)
{
	char text[DETAIL_BYTES];
	pfm_pmu_info_t pmu;

	snprintf(text, sizeof(text), "%.*s", (int)pmu_length, name);
	for (int i = 0; i < PFM_PMU_MAX; i++) {
		if (!get_pmu(i, &pmu) || strncasecmp(pmu.name, name, pmu_length) != 0 ||
		    pmu.name[pmu_length] != '\0')
			continue;
		if (pmu.is_present)
			return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
		snprintf(text, sizeof(text), "%s (%s)", pmu.name, pmu.desc);
	}
	return error_set(error, ERROR_EVENT_PMU_ABSENT, name, text);
}

static bool refuse_name(const char *name, int reason, struct error *error)
{
	const char *mark = strstr(name, PMU_MARK);
	char text[DETAIL_BYTES];
	pfm_event_info_t event;
	pfm_pmu_info_t pmu;

	if (find_bare(name, &event)) {
		/* its type is to be read in sysfs, and is not there */
		if (reason == PFM_ERR_NOTSUPP && get_pmu((int)event.pmu, &pmu))
			return error_set(error, ERROR_EVENT_PMU_ABSENT, name, pmu.name);
		return refuse_attributes(name, &event, reason, error);
	}
	if (mark > name)
		return refuse_pmu(name, (size_t)(mark - name), error);
	if (!mark && find_foreign(name, text))
		return error_set(error, ERROR_EVENT_FOREIGN, name, text);
	return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);
}

/* --- what is right */

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

	if (*name == '\0' || !is_harmless(name) || pfm_initialize() != PFM_SUCCESS)
		return error_set(error, ERROR_EVENT_UNKNOWN, name, NULL);

	int reason = encode(name, &attr, &result);

	if (reason != PFM_SUCCESS)
		return refuse_name(name, reason, error);
	if (!get_event(result.idx, &event) || !get_pmu((int)event.pmu, &pmu) ||
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
	int length = snprintf(name, sizeof(name), "%s%s%s%s%s", walk->pmu->name, PMU_MARK,
			      walk->event->name, umask ? ":" : "", text_of(umask));

	if (length < 0 || (size_t)length >= sizeof(name) || (!is_shared && !is_encodable(name)))
		return false;
	walk->visit(walk->context, &shown);
	return true;
}

static void visit_event(const struct walk *walk)
{
	bool is_complete = false; /* something that can be typed was shown */
	pfm_event_attr_info_t attribute;

	if (walk->pmu->type != PFM_PMU_TYPE_UNCORE)
		for (int i = 0; next_attribute(walk->event, true, &i, &attribute);)
			if (visit_one(walk, attribute.name, text_of(attribute.desc)))
				is_complete = true;
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

		if (!get_pmu(i, &pmu) || !is_listed(&pmu))
			continue;
		for (int j = pmu.first_event; j != -1; j = pfm_get_event_next(j))
			if (get_event(j, &event))
				visit_event(&walk);
	}
}

static void append_attributes(const pfm_event_info_t *event, bool umasks, const char *title,
			      struct strbuf *out)
{
	pfm_event_attr_info_t attribute;

	for (int i = 0; next_attribute(event, umasks, &i, &attribute); title = "")
		strbuf_printf(out, "%s  :%s%s  %s%s\n", title, attribute.name,
			      attribute.type == PFM_ATTR_MOD_INTEGER ? "=N" : "",
			      text_of(attribute.desc),
			      umasks && attribute.is_dfl ? " (by default)" : "");
}

void pfm_append_details(const char *name, struct strbuf *out)
{
	pfm_event_info_t event;

	if (!is_harmless(name) || pfm_initialize() != PFM_SUCCESS || !find_bare(name, &event))
		return;
	append_attributes(&event, true, "umasks:\n", out);
	append_attributes(&event, false, "modifiers:\n", out);
}
