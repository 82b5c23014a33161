/*
 * Found entries are sorted by the key of their section, then by how well they answer, then as they
 * are in the catalog. Reasons are few: a section of these is found by comparing texts.
 */
#include "event/catalog_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

#include "event/catalog.h"
#include "event/topic.h"

struct found_entry {
	const struct catalog_entry *entry;
	size_t index, rank;
	size_t section; /* index of its section's first entry in the catalog */
	size_t best;    /* rank of its section's best entry */
};

bool catalog_is_same_section(const struct catalog_entry *a, const struct catalog_entry *b)
{
	if (a->state != CATALOG_REFUSED || b->state != CATALOG_REFUSED)
		return a->state != CATALOG_REFUSED && b->state != CATALOG_REFUSED &&
		       a->topic == b->topic;
	return strcmp(a->reason, b->reason) == 0;
}

void catalog_append_heading(const struct catalog_entry *entry, struct strbuf *out)
{
	if (entry->state == CATALOG_REFUSED)
		strbuf_printf(out, "%s%s",
			      text_begins(entry->reason, "not permitted") ? "" : "not available: ",
			      entry->reason);
	else
		strbuf_printf(out, "%s: %s", entry->topic->name, entry->topic->help);
}

static size_t find_matches(const struct catalog *catalog, const char *words,
			   struct found_entry *found)
{
	const size_t all = catalog_count(catalog);
	size_t count = 0;

	for (size_t i = 0; i < all; i++) {
		const struct catalog_entry *entry = catalog_entry(catalog, i);

		if (catalog_matches(entry, words))
			found[count++] = (struct found_entry){
				.entry = entry, .index = i, .rank = catalog_rank(entry, words)};
	}
	return count;
}

static void try_matches(struct catalog *catalog, const struct found_entry *found, size_t count,
			size_t slow_tries_max)
{
	size_t slow = 0;

	for (size_t i = 0; i < count; i++)
		slow += found[i].entry->is_slow_to_try;
	for (size_t i = 0; i < count; i++)
		if (!found[i].entry->is_slow_to_try || slow <= slow_tries_max)
			catalog_try(catalog, found[i].index);
}

static void find_sections(struct found_entry *found, size_t count)
{
	size_t *firsts = xcalloc(count, sizeof(*firsts)), sections = 0;

	for (size_t i = 0; i < count; i++) {
		size_t at = 0;

		while (at < sections &&
		       !catalog_is_same_section(found[firsts[at]].entry, found[i].entry))
			at++;
		if (at == sections) {
			firsts[sections++] = i;
			found[i].best = found[i].rank;
		}
		found[i].section = firsts[at];
		if (found[i].rank < found[firsts[at]].best)
			found[firsts[at]].best = found[i].rank;
	}
	for (size_t i = 0; i < count; i++)
		found[i].best = found[found[i].section].best;
	free(firsts);
}

static int compare_sizes(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

/* Of one topic: what has a sentence comes first among its neighbours. */
static int compare_in_topic(const struct catalog_entry *left, const struct catalog_entry *right)
{
	const int order = compare_sizes(left->topic_place, right->topic_place);

	return order != 0 ? order
			  : (left->description[0] == '\0') - (right->description[0] == '\0');
}

static int compare_found(const void *a, const void *b)
{
	const struct found_entry *left = a, *right = b;
	const bool is_refused = left->entry->state == CATALOG_REFUSED;
	int order = is_refused - (right->entry->state == CATALOG_REFUSED);

	if (order == 0)
		order = compare_sizes(left->best, right->best);
	if (order == 0 && !is_refused)
		order = (left->entry->topic > right->entry->topic) -
			(left->entry->topic < right->entry->topic);
	if (order == 0)
		order = compare_sizes(left->section, right->section);
	if (order == 0)
		order = compare_sizes(left->rank, right->rank);
	if (order == 0 && !is_refused)
		order = compare_in_topic(left->entry, right->entry);
	return order != 0 ? order : compare_sizes(left->index, right->index);
}

size_t catalog_search(struct catalog *catalog, const char *words, size_t slow_tries_max,
		      size_t *found)
{
	struct found_entry *entries = xcalloc(catalog_count(catalog), sizeof(*entries));
	const size_t count = find_matches(catalog, words, entries);

	try_matches(catalog, entries, count, slow_tries_max);
	find_sections(entries, count);
	qsort(entries, count, sizeof(*entries), compare_found);
	for (size_t i = 0; i < count; i++)
		found[i] = entries[i].index;
	free(entries);
	return count;
}
