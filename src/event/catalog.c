/*
 * The inventory, kept and sorted: by kind, then by source, then by name, each name of a source
 * once. All texts are made harmless on their way in: names of files and of libpfm4 reach terminals
 * from here.
 *
 * Whether an event opens is tried as a task's group with this one member, because that is how it
 * would be counted at the least; for a user that may see nothing of the kernel it is left out.
 */

#include "event/catalog.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/attr.h"
#include "kernel/explain.h"
#include "kernel/group.h"
#include "kernel/host.h"

#include "event/inventory.h"

enum {
	WORD_BYTES = 256
};

/* The texts of entry are owned. */
struct item {
	struct catalog_entry entry;
	enum inventory_kind kind;
	char *details; /* owned; NULL: not asked for yet */
};

struct catalog {
	char *root;                  /* owned */
	struct event_finder *finder; /* borrowed */
	const struct host *host;     /* borrowed */
	struct attr_features features;
	bool has_features; /* probed before the first try */
	struct item *items;
	size_t count, capacity;
};

/* One line without blanks at its ends. */
static char *copy_text(const char *text)
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

static void add_item(void *context, enum inventory_kind kind, const struct catalog_entry *found)
{
	struct catalog *catalog = context;
	struct item item = {.kind = kind, .entry = *found};

	item.entry.name = copy_text(found->name);
	item.entry.source = copy_text(found->source);
	item.entry.description = copy_text(found->description);
	item.entry.reason = copy_text(found->reason ? found->reason : "");
	item.entry.state = found->reason ? CATALOG_REFUSED : CATALOG_UNTRIED;
	item.entry.may_try = found->may_try && !found->reason;
	array_reserve(&catalog->items, &catalog->capacity, catalog->count + 1,
		      sizeof(*catalog->items));
	catalog->items[catalog->count++] = item;
}

static void free_item(struct item *item)
{
	free((char *)item->entry.name);
	free((char *)item->entry.source);
	free((char *)item->entry.description);
	free((char *)item->entry.reason);
	free(item->details);
}

static int compare_items(const void *a, const void *b)
{
	const struct item *left = a, *right = b;

	if (left->kind != right->kind)
		return left->kind < right->kind ? -1 : 1;

	int order = strcmp(left->entry.source, right->entry.source);

	return order != 0 ? order : strcmp(left->entry.name, right->entry.name);
}

static void sort_items(struct catalog *catalog)
{
	size_t kept = 0;

	if (catalog->count == 0)
		return;
	qsort(catalog->items, catalog->count, sizeof(*catalog->items), compare_items);
	for (size_t i = 1; i < catalog->count; i++)
		if (compare_items(&catalog->items[kept], &catalog->items[i]) == 0)
			free_item(&catalog->items[i]);
		else
			catalog->items[++kept] = catalog->items[i];
	catalog->count = kept + 1;
}

struct catalog *catalog_create(const char *root, struct event_finder *finder,
			       const struct host *host)
{
	struct catalog *catalog = xcalloc(1, sizeof(*catalog));

	catalog->root = xstrdup(root);
	catalog->finder = finder;
	catalog->host = host;
	inventory_walk(root, add_item, catalog);
	sort_items(catalog);
	return catalog;
}

void catalog_destroy(struct catalog *catalog)
{
	if (!catalog)
		return;
	for (size_t i = 0; i < catalog->count; i++)
		free_item(&catalog->items[i]);
	free(catalog->items);
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
static char *copy_lines(const struct strbuf *text)
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
	struct item *item = &catalog->items[index];

	if (!item->details) {
		struct strbuf text = {0};

		inventory_append_details(catalog->root, item->kind, item->entry.name, &text);
		item->details = copy_lines(&text);
		strbuf_fini(&text);
	}
	return item->details;
}

static bool has_word(const struct catalog_entry *entry, const char *word)
{
	return text_contains(entry->name, word) || text_contains(entry->source, word) ||
	       text_contains(entry->description, word);
}

bool catalog_matches(const struct catalog_entry *entry, const char *words)
{
	for (;;) {
		char word[WORD_BYTES];
		size_t length;

		while (isspace((unsigned char)*words))
			words++;
		length = strcspn(words, " \t\n\v\f\r");
		if (length == 0)
			return true;
		if (length >= sizeof(word))
			return false;
		memcpy(word, words, length);
		word[length] = '\0';
		if (!has_word(entry, word))
			return false;
		words += length;
	}
}

size_t catalog_rank(const struct catalog_entry *entry, const char *words)
{
	if (strcasecmp(entry->name, words) == 0)
		return 0;
	if (strncasecmp(entry->name, words, strlen(words)) == 0)
		return 1;
	return text_contains(entry->name, words) ? 2 : CATALOG_RANKS - 1;
}

/* Explanations begin with the event's name, which is shown already. */
static const char *without_name(const char *text, const char *name)
{
	size_t length = strlen(name);

	return strncmp(text, name, length) == 0 && strncmp(text + length, ": ", 2) == 0
		       ? text + length + 2
		       : text;
}

static void set_refused(struct catalog_entry *entry, const char *reason)
{
	entry->state = CATALOG_REFUSED;
	free((char *)entry->reason);
	entry->reason = copy_text(without_name(reason, entry->name));
}

/* 0, or the errno that the kernel answered with. */
static int open_group(const struct catalog *catalog, const struct event_spec *spec,
		      bool exclude_kernel)
{
	const struct group_request request = {
		.leader = GROUP_LEADER_TASK,
		.pid = 0,
		.cpu = -1,
		.specs = {spec},
		.count = 1,
		.exclude_kernel = exclude_kernel,
	};
	struct group group;
	int errno_value = 0;

	if (!group_open(&group, &request, &catalog->features, NULL, &errno_value, NULL))
		return errno_value;
	group_close(&group);
	return 0;
}

/*
 * A PMU that cannot leave the kernel out (msr) says "invalid" to users that must: asked without,
 * the answer is the true reason.
 */
static int open_once(const struct catalog *catalog, const struct event_spec *spec)
{
	bool must_exclude = catalog->host->paranoid >= 2 && !catalog->host->has_cap_perfmon;
	int errno_value = open_group(catalog, spec, must_exclude);

	if (errno_value == EINVAL && must_exclude)
		errno_value = open_group(catalog, spec, false);
	return errno_value;
}

static void explain(const struct catalog *catalog, const struct event_spec *spec, int errno_value,
		    struct error *error)
{
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = spec->name,
		.spec = spec,
		.pid = 0,
		.cpu = -1,
		.is_group_member = true,
		.host = catalog->host,
	};

	explain_perf_error(error, errno_value, &context);
}

/* One kind of CPU that can count it is enough. */
static void try_evsel(const struct catalog *catalog, const struct evsel *evsel,
		      struct catalog_entry *entry)
{
	struct error error = {0};

	for (size_t i = 0; i < evsel->spec_count; i++) {
		int errno_value = open_once(catalog, &evsel->specs[i]);

		if (errno_value == 0) {
			entry->state = CATALOG_OPENS;
			return;
		}
		explain(catalog, &evsel->specs[i], errno_value, &error);
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
