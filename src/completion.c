/*
 * The words of options come from the tables in which the program itself looks them up; events,
 * processes and users are those there are now. Of a list with commas only what is behind the last
 * one is completed; the words so far stay in front.
 */
#include "completion.h"

#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/map.h"
#include "base/strbuf.h"
#include "batch/batch.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "model/metric_set.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/filter.h"
#include "view/row_kind.h"
#include "view/table.h"

#include "event/catalog.h"
#include "mode/views.h"
#include "session/cgroup_target.h"
#include "session/options.h"

struct completion {
	struct strbuf *out;
	const char *before; /* what stays in front of each, size bytes */
	size_t size;
	const char *typed; /* of the word itself */
};

static void offer(const struct completion *completion, const char *word)
{
	if (strncmp(word, completion->typed, strlen(completion->typed)) != 0)
		return;
	strbuf_add_bytes(completion->out, completion->before, completion->size);
	strbuf_printf(completion->out, "%s\n", word);
}

static void print_columns(const struct completion *completion)
{
	struct metric_set *set = metric_set_create();
	struct columns *columns = columns_create(set, row_kinds);

	for (size_t i = 0; i < columns_count(columns); i++)
		offer(completion, columns_get(columns, i)->name);
	columns_destroy(columns);
	metric_set_destroy(set);
}

static void offer_columns_and_sets(const struct completion *completion)
{
	for (const struct column_set *set = NULL; (set = column_set_next(set));)
		offer(completion, set->name);
	offer(completion, "default");
	print_columns(completion);
}

/* A sign in front says which end comes first. */
static void offer_order(const struct completion *completion)
{
	struct completion signed_one = *completion;
	const size_t sign = strspn(completion->typed, "-+") > 0;

	signed_one.size += sign;
	signed_one.typed += sign;
	print_columns(&signed_one);
}

static void offer_in_filter(const struct completion *completion)
{
	/* a shell may leave the quote around it there */
	const char *text = completion->typed + (strspn(completion->typed, "\"'") > 0);
	const char *word = filter_last_name(text);
	struct completion last = *completion;

	if (!word)
		return;
	last.size += (size_t)(word - completion->typed);
	last.typed = word;
	offer(&last, "task");
	offer(&last, "kind");
	print_columns(&last);
}

static void offer_views(const struct completion *completion)
{
	for (size_t i = 0; i < all_views.count; i++)
		offer(completion, all_views.views[i]->name);
}

static void offer_formats(const struct completion *completion)
{
	size_t count;
	const struct batch_format *formats = batch_table(&count);

	for (size_t i = 0; i < count; i++)
		offer(completion, formats[i].name);
}

static bool offer_pid(int32_t pid, void *context)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", pid);
	offer(context, number);
	return true;
}

static void offer_pids(const struct completion *completion)
{
	struct completion context = *completion;

	proc_walk(0, offer_pid, &context);
}

/* Those of version 2 that have tasks. */
struct cgroup_offers {
	const struct completion *completion;
	struct map offered; /* hashes of their paths */
	struct strbuf lines;
};

static bool offer_cgroup(int32_t pid, void *context)
{
	struct cgroup_offers *offers = context;
	const char *path = cgroup_target_of(pid, &offers->lines);

	if (path && path[1] != '\0' && !map_put(&offers->offered, hash_text(0, path), offers))
		offer(offers->completion, path);
	return true;
}

static void offer_cgroups(const struct completion *completion)
{
	struct cgroup_offers offers = {.completion = completion};

	proc_walk(0, offer_cgroup, &offers);
	strbuf_fini(&offers.lines);
	map_fini(&offers.offered);
}

static void offer_users(const struct completion *completion)
{
	for (const struct passwd *user; (user = getpwent());)
		offer(completion, user->pw_name);
	endpwent();
}

static void offer_events(const struct completion *completion)
{
	struct host host = {0};
	struct event_finder *finder = event_finder_create("");
	struct catalog *catalog;

	host_read(&host, "");
	catalog = catalog_create("", finder, &host);
	for (size_t i = 0; i < catalog_count(catalog); i++)
		if (!catalog_entry(catalog, i)->is_pattern)
			offer(completion, catalog_entry(catalog, i)->name);
	catalog_destroy(catalog);
	event_finder_destroy(finder);
	host_fini(&host);
}

static void offer_words(const struct completion *completion, const struct setting_info *setting)
{
	char word[SETTING_WORD_MAX];
	int value = 0;

	do {
		setting_word(setting, value, word);
		offer(completion, word);
		value = setting_next(setting, value);
	} while (value != 0);
}

/* clang-format off */
static const struct {
	const char *option;
	void (*offer)(const struct completion *completion);
	bool is_list; /* with commas */
} values[] = {
	{"pid",      offer_pids,             true},
	{"cgroup",   offer_cgroups,          true},
	{"user",     offer_users,            false},
	{"event",    offer_events,           true},
	{"columns",  offer_columns_and_sets, true},
	{"sort",     offer_order,            true},
	{"filter",   offer_in_filter,        false},
	{"fail-if",  offer_in_filter,        false},
	{"trigger",  offer_in_filter,        false},
	{"by",       offer_events,           false},
	{"view",     offer_views,            false},
	{"format",   offer_formats,          false},
};
/* clang-format on */

static void offer_values(struct completion *completion, const struct option_info *option)
{
	const char *comma = strrchr(completion->typed, ',');

	if (option->setting)
		offer_words(completion, option->setting);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		if (strcmp(values[i].option, option->name) != 0)
			continue;
		if (values[i].is_list && comma) {
			completion->size += (size_t)(comma + 1 - completion->typed);
			completion->typed = comma + 1;
		}
		values[i].offer(completion);
	}
}

/* The option of a word, "-s" or "--sort", length bytes; NULL: it is none, or takes nothing. */
static const struct option_info *find_option(const char *word, size_t length)
{
	size_t count;
	const struct option_info *table = options_table(&count);

	for (size_t i = 0; i < count; i++) {
		const char letter[] = {'-', table[i].letter, '\0'};
		const bool is_long = length > 2 && strncmp(word, "--", 2) == 0 &&
				     strlen(table[i].name) == length - 2 &&
				     strncmp(word + 2, table[i].name, length - 2) == 0;

		if (table[i].argument && (is_long || (length == 2 && strcmp(word, letter) == 0)))
			return &table[i];
	}
	return NULL;
}

static void offer_options(const struct completion *completion)
{
	size_t count;
	const struct option_info *table = options_table(&count);
	char name[64];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "--%s", table[i].name);
		offer(completion, name);
	}
}

void completion_write(struct strbuf *out, char *const *words, size_t count)
{
	const char *word = count > 0 ? words[count - 1] : "";
	const char *last = count > 1 ? words[count - 2] : "";
	const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
	const struct option_info *option = find_option(last, strlen(last));
	struct completion completion = {.out = out, .before = word, .typed = word};

	if (option && !option_may_be_alone(option)) {
		offer_values(&completion, option);
	} else if (equals) {
		option = find_option(word, (size_t)(equals - word));
		completion.size = (size_t)(equals + 1 - word);
		completion.typed = equals + 1;
		if (option)
			offer_values(&completion, option);
	} else if (word[0] == '-') {
		offer_options(&completion);
	} else if (count == 1) {
		offer(&completion, "check");
		offer(&completion, "events");
	}
}
