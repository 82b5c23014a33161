/*
 * One array, filled source by source in the order in which they are shown: the kernel's generic
 * events and those of caches (tables of ours), presets, the PMUs of sysfs with the events they
 * name, forms with a part to be filled in, libpfm4's tables, and tracefs. All texts are made
 * harmless on their way in: names of files and of libpfm4 reach terminals from here.
 *
 * Whether an event opens is tried as a task's group with this one member, because that is how it
 * would be counted at the least; for a user that may see nothing of the kernel it is left out. What
 * is not opened for a try: PMUs outside the cores, because opening an event of some drivers that
 * find no hardware (RAPL's `power` in a virtual machine) makes the kernel fault; and ftrace's own
 * function event, which would trace every function of the kernel. A PMU that many CPUs share (sysfs
 * gives it a `cpumask`) counts for no task in particular and is refused from the start.
 */
#include "event/catalog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/attr.h"
#include "kernel/explain.h"
#include "kernel/generic.h"
#include "kernel/group.h"
#include "kernel/host.h"

#include "event/event.h"
#include "event/pfm.h"
#include "event/pmu.h"
#include "event/processor.h"
#include "event/topic.h"
#include "event/tracepoint.h"

enum {
	PATH_BYTES = 1024,
	SOURCE_BYTES = 64,
	TEXT_BYTES = 2048
};

struct catalog_item {
	struct catalog_entry entry; /* its texts are owned */
	void (*append_details)(struct catalog *catalog, const char *name, struct strbuf *out);
	char *details; /* owned; NULL: not asked for yet */
};

struct catalog {
	char *root;                  /* owned */
	struct pmus pmus;            /* that are listed */
	struct event_finder *finder; /* borrowed */
	const struct host *host;     /* borrowed */
	struct attr_features features;
	bool has_features; /* probed before the first try */
	struct catalog_item *items;
	size_t count, capacity;
};

/* One line without blanks at its ends. */
static char *copy_safe_text(const char *text)
{
	struct strbuf line = {0}, safe = {0};
	bool was_blank = true;

	for (const char *c = text; *c != '\0'; c++) {
		bool is_blank = *c == ' ' || *c == '\t' || *c == '\n';

		if (!is_blank && was_blank && line.length > 0)
			strbuf_add_char(&line, ' ');
		if (!is_blank)
			strbuf_add_char(&line, *c);
		was_blank = is_blank;
	}
	text_append_safe(&safe, strbuf_text(&line), line.length, false);

	char *copy = xstrdup(strbuf_text(&safe));

	strbuf_fini(&line);
	strbuf_fini(&safe);
	return copy;
}

/* Explanations begin with the event's name, which is shown already. */
static const char *without_name(const char *reason, const char *name)
{
	const size_t length = strlen(name);
	const bool has_name = text_begins(reason, name) && text_begins(reason + length, ": ");

	return has_name ? reason + length + 2 : reason;
}

/* All texts of *found are copied, and may hold anything. Without a topic it is of that of its name.
 */
static void catalog_append(struct catalog *catalog, const struct catalog_entry *found,
			   void (*append_details)(struct catalog *, const char *, struct strbuf *))
{
	struct catalog_item item = {.entry = *found, .append_details = append_details};

	item.entry.name = copy_safe_text(found->name);
	item.entry.source = copy_safe_text(found->source);
	item.entry.description = copy_safe_text(found->description);
	item.entry.reason =
		copy_safe_text(found->reason ? without_name(found->reason, found->name) : "");
	if (!item.entry.topic)
		item.entry.topic = topic_of(item.entry.name, &item.entry.topic_place);
	item.entry.state = found->reason ? CATALOG_REFUSED : CATALOG_UNTRIED;
	item.entry.may_try = found->may_try && !found->reason;
	array_reserve(&catalog->items, &catalog->capacity, catalog->count + 1,
		      sizeof(*catalog->items));
	catalog->items[catalog->count++] = item;
}

static void free_item(struct catalog_item *item)
{
	free((char *)item->entry.name);
	free((char *)item->entry.source);
	free((char *)item->entry.description);
	free((char *)item->entry.reason);
	free(item->details);
}

static int compare_entry_names(const void *a, const void *b)
{
	const struct catalog_item *left = a, *right = b;

	return strcmp(left->entry.name, right->entry.name);
}

/* Within each source; a name stays once. */
static void sort_names(struct catalog *catalog)
{
	struct catalog_item *items = catalog->items;
	size_t kept = 0;

	for (size_t begin = 0, end = 0; begin < catalog->count; begin = end) {
		while (end < catalog->count &&
		       strcmp(items[begin].entry.source, items[end].entry.source) == 0)
			end++;
		qsort(&items[begin], end - begin, sizeof(*items), compare_entry_names);
		for (size_t i = begin; i < end; i++)
			if (i > begin && compare_entry_names(&items[kept - 1], &items[i]) == 0)
				free_item(&items[i]);
			else
				items[kept++] = items[i];
	}
	catalog->count = kept;
}

static const char SHARED[] = "its PMU is shared by many CPUs: it counts for no task or CPU alone";
static const char TRACE[] = "its PMU writes a trace, which perf record reads: it counts nothing";

/* --- the kernel's own */

static void append_modifiers(struct catalog *catalog, const char *name, struct strbuf *out)
{
	strbuf_add(out, "modifiers:\n"
			"  :u  in user space only\n"
			"  :k  in the kernel only\n"
			"  :h  in the hypervisor only\n"
			"  :G  in guests only\n"
			"  :H  on the host only\n"
			"  :I  not while idle\n"
			"  :p :pp :ppp  more precise\n");
}

static void add_generic(struct catalog *catalog, uint32_t type, const char *source)
{
	size_t count;
	const struct generic_event *events = generic_events(&count);

	for (const struct generic_event *event = events; event < events + count; event++) {
		char text[TEXT_BYTES];
		const struct catalog_entry entry = {
			.name = event->name,
			.source = source,
			.description = text,
			.may_try = true,
		};

		snprintf(text, sizeof(text), "%s%s%s%s", event->description,
			 event->alias ? " (also: " : "", event->alias ? event->alias : "",
			 event->alias ? ")" : "");
		if (event->type == type)
			catalog_append(catalog, &entry, append_modifiers);
	}
}

static void add_cache(const char *name, uint64_t config, void *catalog)
{
	char text[TEXT_BYTES];
	const struct catalog_entry entry = {
		.name = name,
		.source = "cache",
		.description = text,
		.may_try = true,
	};

	cache_describe(config, text, sizeof(text));
	catalog_append(catalog, &entry, append_modifiers);
}

/* Those that this processor counts, with what counts them. */
static void add_presets(struct catalog *catalog)
{
	for (int preset = 0; preset < PRESETS; preset++) {
		char text[TEXT_BYTES];
		const struct catalog_entry entry = {
			.name = preset_name((enum preset)preset),
			.source = "preset",
			.description = text,
			.may_try = true,
		};
		struct event_set set = {0};

		if (event_find(catalog->finder, entry.name, &set, NULL, NULL)) {
			snprintf(text, sizeof(text), "%s (%s: config %#" PRIx64 ")",
				 preset_help((enum preset)preset),
				 processor_name(event_processor(catalog->finder)),
				 set.evsels[0].specs[0].config);
			catalog_append(catalog, &entry, append_modifiers);
		}
		event_set_fini(&set);
	}
}

/* --- PMUs in sysfs */

/* A line for each field: its name, and the bits that it is for. */
static void append_terms(struct catalog *catalog, const char *name, struct strbuf *out)
{
	const struct pmu *pmu = pmus_find(&catalog->pmus, name, strcspn(name, "/"));

	for (size_t i = 0; pmu && i < pmu->field_count; i++)
		strbuf_printf(out, "%s  %s  %s\n", i == 0 ? "terms:\n" : "", pmu->fields[i].name,
			      pmu->fields[i].text);
	append_modifiers(catalog, name, out);
}

static const char *reason_of(enum event_class class)
{
	switch (class) {
	case EVENT_CLASS_SHARED:
		return SHARED;
	case EVENT_CLASS_TRACE:
		return TRACE;
	case EVENT_CLASS_SOFTWARE:
	case EVENT_CLASS_HARDWARE:
		break;
	}
	return NULL;
}

/* An event that a PMU names, or the pattern of its terms. */
static void add_of_pmu(struct catalog *catalog, const struct pmu *pmu, const char *inside,
		       const char *description, bool is_pattern)
{
	char source[SOURCE_BYTES], name[PATH_BYTES];
	const struct catalog_entry entry = {
		.name = name,
		.source = source,
		.description = description,
		.topic = pmu->is_core ? topic_of_processor() : NULL,
		.reason = reason_of(pmu_class(pmu)),
		.is_pattern = is_pattern,
		.may_try = !is_pattern && (pmu->is_core || strcmp(pmu->name, "msr") == 0),
	};

	snprintf(source, sizeof(source), "PMU %s", pmu->name);
	snprintf(name, sizeof(name), "%s/%s/", pmu->name, inside);
	catalog_append(catalog, &entry, append_terms);
}

/*
 * sysfs does not describe events: only their terms and unit are known. PMUs of the kernel's own
 * software events have patterns of their own.
 */
static void add_pmus(struct catalog *catalog, bool cores)
{
	struct pmus *pmus = &catalog->pmus;
	char text[TEXT_BYTES];

	pmus_read(pmus);
	for (size_t i = 0; i < pmus->count; i++) {
		struct pmu *pmu = &pmus->pmus[i];

		if (pmu->is_core != cores ||
		    (pmu_class(pmu) == EVENT_CLASS_SOFTWARE && strcmp(pmu->name, "msr") != 0))
			continue;
		pmu_load(pmus, pmu);
		for (size_t j = 0; j < pmu->event_count; j++) {
			const struct pmu_event *event = &pmu->events[j];

			snprintf(text, sizeof(text), "%s%s%s", event->terms,
				 *event->unit != '\0' ? ", in " : "", event->unit);
			add_of_pmu(catalog, pmu, event->name, text, false);
		}
		if (pmu->field_count > 0)
			add_of_pmu(catalog, pmu, "TERM=VALUE,...",
				   "any event of this PMU, by the terms of its format", true);
	}
}

/* --- forms */

static void append_access(struct catalog *catalog, const char *name, struct strbuf *out)
{
	strbuf_add(out, "LENGTH: 1, 2, 4 or 8 bytes\n"
			"access:\n"
			"  :r  reads and writes, where reads alone cannot be distinguished\n"
			"  :w  writes\n"
			"  :x  executions\n");
}

struct event_pattern {
	const char *name, *source, *description;
	const char *pmu; /* that it needs; NULL: none */
	void (*append_details)(struct catalog *catalog, const char *name, struct strbuf *out);
};

/* clang-format off */
static const struct event_pattern PATTERNS[] = {
	{"rNNN", "raw", "the event of the CPU's PMU with this number, in hexadecimal", NULL, append_modifiers},
	{"mem:ADDRESS[/LENGTH][:rwx]", "breakpoint", "reads, writes or executions at an address (0x...); most CPUs have four such breakpoints", NULL, append_access},
	{"uprobe:FILE:FUNCTION[+OFFSET]", "probe", "calls of a function of a program or library, in every process that has it", "uprobe", NULL},
	{"uretprobe:FILE:FUNCTION", "probe", "returns from a function of a program or library", "uprobe", NULL},
	{"kprobe:FUNCTION[+OFFSET]", "probe", "calls of a function of the kernel", "kprobe", NULL},
	{"kretprobe:FUNCTION", "probe", "returns from a function of the kernel", "kprobe", NULL},
};
/* clang-format on */

/* Why what fits the pattern cannot be counted here; NULL: it can. */
static const char *pattern_lack(struct catalog *catalog, const struct event_pattern *pattern,
				struct error *error)
{
	const struct event_spec raw = {.class = EVENT_CLASS_HARDWARE};
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = pattern->name,
		.spec = &raw,
		.host = catalog->host,
	};

	if (strcmp(pattern->source, "raw") == 0 && catalog->host->cpu_pmu[0] == '\0') {
		explain_perf_error(error, ENOENT, &context);
		return error->text;
	}
	if (pattern->pmu && !pmus_find(&catalog->pmus, pattern->pmu, strlen(pattern->pmu)))
		return "this kernel has no PMU for it";
	return NULL;
}

static void add_patterns(struct catalog *catalog)
{
	for (const struct event_pattern *pattern = PATTERNS;
	     pattern < PATTERNS + sizeof(PATTERNS) / sizeof(*PATTERNS); pattern++) {
		struct error error = {0};
		const struct catalog_entry entry = {
			.name = pattern->name,
			.source = pattern->source,
			.description = pattern->description,
			.reason = pattern_lack(catalog, pattern, &error),
			.is_pattern = true,
		};

		catalog_append(catalog, &entry, pattern->append_details);
	}
}

/* --- libpfm4 */

static void append_umasks(struct catalog *catalog, const char *name, struct strbuf *out)
{
	pfm_append_details(name, out);
}

static void add_pfm(void *catalog, const struct pfm_event *event)
{
	char source[SOURCE_BYTES], text[TEXT_BYTES];
	const struct catalog_entry entry = {
		.name = event->name,
		.source = source,
		.description = text,
		.topic = topic_of_processor(),
		.reason = event->is_shared ? SHARED : NULL,
		.may_try = !event->is_shared,
	};

	snprintf(source, sizeof(source), "libpfm4 %s", event->pmu);
	/* first what distinguishes it from its neighbours */
	if (*event->umask_description != '\0') {
		snprintf(text, sizeof(text), "%s (%s)", event->umask_description,
			 event->description);
	} else {
		snprintf(text, sizeof(text), "%s", event->description);
	}
	catalog_append(catalog, &entry, append_umasks);
}

/* --- tracefs */

static void append_fields(struct catalog *catalog, const char *name, struct strbuf *out)
{
	const char *colon = strchr(name, ':');
	char group[EVENT_SPEC_NAME_MAX];
	struct strbuf fields = {0};

	if ((size_t)(colon - name) >= sizeof(group))
		return;
	snprintf(group, sizeof(group), "%.*s", (int)(colon - name), name);
	tracepoint_append_fields(catalog->root, group, colon + 1, &fields);
	if (fields.length > 0)
		strbuf_printf(out, "fields for a filter:\n%s", strbuf_text(&fields));
	strbuf_fini(&fields);
}

static void add_tracepoint(void *catalog, const char *group, const char *name)
{
	static const char enter[] = "sys_enter_", leave[] = "sys_exit_";
	char full[PATH_BYTES], text[TEXT_BYTES] = "";
	const struct catalog_entry entry = {
		.name = full,
		.source = "tracepoint",
		.description = text,
		.may_try = strcmp(group, "ftrace") != 0,
		.is_slow_to_try = true,
	};

	snprintf(full, sizeof(full), "%s:%s", group, name);
	if (text_begins(name, enter))
		snprintf(text, sizeof(text), "calls of %s(2)", name + strlen(enter));
	else if (text_begins(name, leave))
		snprintf(text, sizeof(text), "returns from %s(2)", name + strlen(leave));
	else
		snprintf(text, sizeof(text), "%s", topic_describe_tracepoint(full));
	catalog_append(catalog, &entry, append_fields);
}

static void add_tracepoints(struct catalog *catalog)
{
	struct error error = {0};
	bool is_readable = tracepoint_walk(catalog->root, add_tracepoint, catalog, &error);
	const struct catalog_entry pattern = {
		.name = "GROUP:NAME[/FILTER/]",
		.source = "tracepoint",
		.description =
			"a place in the kernel that reports when it is passed; with a filter "
			"only what agrees with it is counted: prev_prio<100",
		.reason = is_readable ? NULL : error.text,
		.is_pattern = true,
	};

	catalog_append(catalog, &pattern, append_fields);
}

/* --- the catalog */

struct catalog *catalog_create(const char *root, struct event_finder *finder,
			       const struct host *host)
{
	struct catalog *catalog = xcalloc(1, sizeof(*catalog));

	catalog->root = xstrdup(root);
	catalog->pmus.root = catalog->root;
	catalog->finder = finder;
	catalog->host = host;
	add_generic(catalog, EVENT_TYPE_HARDWARE, "hardware");
	cache_visit(add_cache, catalog);
	add_presets(catalog);
	add_generic(catalog, EVENT_TYPE_SOFTWARE, "software");
	add_pmus(catalog, true);
	add_pmus(catalog, false);
	add_patterns(catalog);
	pfm_walk(add_pfm, catalog);
	add_tracepoints(catalog);
	sort_names(catalog);
	return catalog;
}

void catalog_destroy(struct catalog *catalog)
{
	if (!catalog)
		return;
	for (size_t i = 0; i < catalog->count; i++)
		free_item(&catalog->items[i]);
	free(catalog->items);
	pmus_fini(&catalog->pmus);
	free(catalog->root);
	free(catalog);
}

size_t catalog_count(const struct catalog *catalog)
{
	return catalog->count;
}

const struct catalog_entry *catalog_entry(const struct catalog *catalog, size_t index)
{
	return &catalog->items[index].entry;
}

/* Each line by itself: their ends are to stay. */
static char *copy_safe_lines(const struct strbuf *text)
{
	struct strbuf safe = {0};
	const char *line = strbuf_text(text);

	while (*line != '\0') {
		size_t length = strcspn(line, "\n");

		text_append_safe(&safe, line, length, false);
		strbuf_add_char(&safe, '\n');
		line += length + (line[length] == '\n');
	}

	char *copy = xstrdup(strbuf_text(&safe));

	strbuf_fini(&safe);
	return copy;
}

const char *catalog_details(struct catalog *catalog, size_t index)
{
	struct catalog_item *item = &catalog->items[index];

	if (!item->details) {
		struct strbuf text = {0};

		if (item->append_details)
			item->append_details(catalog, item->entry.name, &text);
		item->details = copy_safe_lines(&text);
		strbuf_fini(&text);
	}
	return item->details;
}

bool catalog_matches(const struct catalog_entry *entry, const char *words)
{
	char *copy = xstrdup(words), *rest = copy;
	bool matches = true;

	for (const char *word; matches && (word = strtok_r(rest, " \t\n\v\f\r", &rest));)
		matches = text_contains(entry->name, word) ||
			  text_contains(entry->topic->name, word) ||
			  text_contains(entry->source, word) ||
			  text_contains(entry->description, word);
	free(copy);
	return matches;
}

size_t catalog_rank(const struct catalog_entry *entry, const char *words)
{
	if (strcasecmp(entry->name, words) == 0)
		return 0;
	if (strncasecmp(entry->name, words, strlen(words)) == 0)
		return 1;
	return text_contains(entry->name, words) ? 2 : CATALOG_RANKS - 1;
}

static void set_refused(struct catalog_entry *entry, const char *reason)
{
	entry->state = CATALOG_REFUSED;
	free((char *)entry->reason);
	entry->reason = copy_safe_text(without_name(reason, entry->name));
}

/* 0, or the errno that the kernel answered with. */
static int open_alone(const struct catalog *catalog, const struct event_spec *spec,
		      bool exclude_kernel)
{
	const struct group_request request = {
		.target.leader = GROUP_LEADER_TASK,
		.target.pid = 0,
		.target.cpu = -1,
		.specs = {spec},
		.count = 1,
		.target.exclude_kernel = exclude_kernel,
	};
	struct group group;
	const int errno_value = group_open(&group, &request, &catalog->features, NULL);

	group_close(&group);
	return errno_value;
}

/*
 * A PMU that cannot exclude the kernel (msr) returns EINVAL to users who must exclude it: a try
 * without shows the true reason.
 */
static bool opens(const struct catalog *catalog, const struct event_spec *spec, struct error *error)
{
	const bool must_exclude = catalog->host->paranoid >= 2 && !catalog->host->has_cap_perfmon;
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = spec->name,
		.spec = spec,
		.pid = 0,
		.cpu = -1,
		.is_group_member = true,
		.host = catalog->host,
	};
	int errno_value = open_alone(catalog, spec, must_exclude);

	if (errno_value == EINVAL && must_exclude)
		errno_value = open_alone(catalog, spec, false);
	if (errno_value != 0)
		explain_perf_error(error, errno_value, &context);
	return errno_value == 0;
}

/* One kind of CPU that can count it is enough. */
static void try_evsel(const struct catalog *catalog, const struct evsel *evsel,
		      struct catalog_entry *entry)
{
	struct error error = {0};

	for (size_t i = 0; i < evsel->spec_count; i++) {
		if (opens(catalog, &evsel->specs[i], &error)) {
			entry->state = CATALOG_OPENS;
			return;
		}
	}
	set_refused(entry, error.text);
}

void catalog_try(struct catalog *catalog, size_t index)
{
	struct catalog_entry *entry = &catalog->items[index].entry;
	struct event_set set = {0};
	struct error error = {0};

	if (!entry->may_try || entry->state != CATALOG_UNTRIED)
		return;
	if (!catalog->has_features) {
		attr_probe_features(&catalog->features);
		catalog->has_features = true;
	}
	if (event_find(catalog->finder, entry->name, &set, NULL, &error))
		try_evsel(catalog, &set.evsels[0], entry);
	else
		set_refused(entry, error.text);
	event_set_fini(&set);
}
