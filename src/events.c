/*
 * On a terminal each line is cut to its width, elsewhere lines are whole, for grep.
 *
 * Events are opened for a try where that is harmless; those for which the kernel changes its own
 * text (tracepoints) only when few are shown.
 */
#include "events.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/ioctl.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "kernel/host.h"

#include "event/catalog.h"
#include "event/event.h"

enum {
	SLOW_TRIES_MAX = 16,  /* a tracepoint takes 40 ms (Linux 6.18), most of it to be closed */
	NAME_COLUMN_MAX = 44, /* longer names push their description to the right */
	WIDTH_FALLBACK = 80,
	WIDTH_MIN = 20,
	HIDDEN_BYTES = 256
};

struct event_listing {
	const struct events_request *request;
	struct host host;
	struct event_finder *finder;
	struct catalog *catalog;
	size_t *shown; /* owned; indices of what matches */
	size_t count;
	size_t width; /* of a line; 0: whole */
	struct strbuf *out;
};

static const struct catalog_entry *listed_entry(const struct event_listing *listing, size_t i)
{
	return catalog_entry(listing->catalog, listing->shown[i]);
}

static bool is_same_source(const struct event_listing *listing, size_t i, size_t j)
{
	return strcmp(catalog_entry(listing->catalog, i)->source,
		      catalog_entry(listing->catalog, j)->source) == 0;
}

/* Ranks of entries, or CATALOG_RANKS: no match. Within a source only those of `rank` are added. */
static void add_ranked(struct event_listing *listing, const size_t *ranks, size_t begin, size_t end,
		       size_t rank)
{
	for (size_t i = begin; i < end; i++)
		if (ranks[i] == rank)
			listing->shown[listing->count++] = i;
}

/* Sources in the order of their best entry, in each of them the best entries first. */
static void rank_matches(struct event_listing *listing, const size_t *ranks, size_t count)
{
	for (size_t best = 0; best < CATALOG_RANKS; best++) {
		for (size_t begin = 0, end; begin < count; begin = end) {
			size_t first = CATALOG_RANKS;

			for (end = begin; end < count && is_same_source(listing, begin, end); end++)
				first = ranks[end] < first ? ranks[end] : first;
			for (size_t rank = best; first == best && rank < CATALOG_RANKS; rank++)
				add_ranked(listing, ranks, begin, end, rank);
		}
	}
}

static void find_matches(struct event_listing *listing)
{
	const char *words = listing->request->words;
	const size_t count = catalog_count(listing->catalog);
	size_t *ranks = xcalloc(count, sizeof(*ranks));

	listing->shown = xcalloc(count, sizeof(*listing->shown));
	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *entry = catalog_entry(listing->catalog, i);

		ranks[i] =
			catalog_matches(entry, words) ? catalog_rank(entry, words) : CATALOG_RANKS;
	}
	rank_matches(listing, ranks, count);
	free(ranks);
}

static void try_events(struct event_listing *listing)
{
	size_t slow = 0;

	for (size_t i = 0; i < listing->count; i++)
		slow += listed_entry(listing, i)->is_slow_to_try;
	for (size_t i = 0; i < listing->count; i++)
		if (!listed_entry(listing, i)->is_slow_to_try || slow <= SLOW_TRIES_MAX)
			catalog_try(listing->catalog, listing->shown[i]);
}

static const struct {
	const char *text, *json;
} STATES[] = {
	[CATALOG_UNTRIED] = {"-", "untried"},
	[CATALOG_OPENS] = {"yes", "opens"},
	[CATALOG_REFUSED] = {"no", "refused"},
};

/* The end of the entries that are of the same source. */
static size_t section_end(const struct event_listing *listing, size_t begin)
{
	const char *source = listed_entry(listing, begin)->source;
	size_t end = begin + 1;

	while (end < listing->count && strcmp(listed_entry(listing, end)->source, source) == 0)
		end++;
	return end;
}

/* Why nothing of a section can be had, when that is the same for all of it; else NULL. */
static const char *common_reason(const struct event_listing *listing, size_t begin, size_t end)
{
	const char *reason = listed_entry(listing, begin)->reason;

	for (size_t i = begin; i < end; i++) {
		const struct catalog_entry *entry = listed_entry(listing, i);

		if (entry->state != CATALOG_REFUSED || strcmp(entry->reason, reason) != 0)
			return NULL;
	}
	return reason;
}

static size_t name_width(const struct event_listing *listing, size_t begin, size_t end)
{
	size_t widest = 0;

	for (size_t i = begin; i < end; i++) {
		size_t width = text_width(listed_entry(listing, i)->name);

		if (width > widest && width <= NAME_COLUMN_MAX)
			widest = width;
	}
	return widest;
}

static void add_listed_line(struct event_listing *listing, const struct strbuf *line)
{
	struct strbuf safe = {0};
	size_t width, length;

	text_append_safe(&safe, strbuf_text(line), line->length, listing->request->ascii);
	if (listing->width == 0 || text_width(strbuf_text(&safe)) <= listing->width) {
		strbuf_add(listing->out, strbuf_text(&safe));
	} else {
		length = text_fit(strbuf_text(&safe), listing->width - 3, &width);
		strbuf_add_bytes(listing->out, strbuf_text(&safe), length);
		strbuf_add(listing->out, "...");
	}
	strbuf_add_char(listing->out, '\n');
	strbuf_fini(&safe);
}

static void write_entry(struct event_listing *listing, const struct catalog_entry *entry,
			size_t name_columns, bool with_reason)
{
	size_t width = text_width(entry->name);
	struct strbuf line = {0};

	strbuf_printf(&line, "  %s", entry->name);
	strbuf_add_repeated(&line, ' ', width < name_columns ? name_columns - width : 0);
	strbuf_printf(&line, "  %-3s  %s", STATES[entry->state].text, entry->description);
	if (with_reason && entry->state == CATALOG_REFUSED)
		strbuf_printf(&line, "%s[%s]", entry->description[0] != '\0' ? " " : "",
			      entry->reason);
	while (line.length > 0 && line.text[line.length - 1] == ' ')
		line.text[--line.length] = '\0';
	add_listed_line(listing, &line);
	strbuf_fini(&line);
}

static void write_sections(struct event_listing *listing)
{
	size_t end;

	for (size_t begin = 0; begin < listing->count; begin = end) {
		struct strbuf heading = {0};
		const char *reason;
		size_t columns;

		end = section_end(listing, begin);
		reason = common_reason(listing, begin, end);
		columns = name_width(listing, begin, end);
		strbuf_printf(&heading, "%s%s%s%s", listed_entry(listing, begin)->source,
			      reason ? " [" : "", reason ? reason : "", reason ? "]" : "");
		if (begin > 0)
			strbuf_add_char(listing->out, '\n');
		add_listed_line(listing, &heading);
		for (size_t i = begin; i < end; i++)
			write_entry(listing, listed_entry(listing, i), columns, !reason);
		strbuf_fini(&heading);
	}
}

/* The catalog's texts are valid UTF-8 without control characters. */
static void write_json(struct event_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++) {
		const struct catalog_entry *entry = listed_entry(listing, i);
		const bool is_refused = entry->state == CATALOG_REFUSED;
		json_t *object =
			json_pack("{s:s, s:s, s:s, s:b, s:s, s:s?}", "name", entry->name, "source",
				  entry->source, "description", entry->description, "is_pattern",
				  (int)entry->is_pattern, "state", STATES[entry->state].json,
				  "reason", is_refused ? entry->reason : NULL);
		char *line = json_dumps(object, 0);

		strbuf_printf(listing->out, "%s\n", line);
		free(line);
		json_decref(object);
	}
}

/* 0: no terminal. */
static size_t terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_FALLBACK;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

/* Where tracepoints cannot be read, what is searched for may be one of them. */
static bool refuse_words(const struct event_listing *listing, struct error *error)
{
	char hidden[HIDDEN_BYTES] = "";

	for (size_t i = 0; i < catalog_count(listing->catalog); i++) {
		const struct catalog_entry *entry = catalog_entry(listing->catalog, i);

		if (entry->is_pattern && entry->state == CATALOG_REFUSED &&
		    strcmp(entry->source, "tracepoint") == 0)
			snprintf(hidden, sizeof(hidden), "; %s", entry->reason);
	}
	return error_set(error, ERROR_EVENT_NO_MATCH, listing->request->words, hidden);
}

bool events_write(const struct events_request *request, struct strbuf *out, struct error *error)
{
	struct event_listing listing = {.request = request, .out = out, .width = terminal_width()};
	bool has_some;

	host_raise_fd_limit();
	host_read(&listing.host, "");
	listing.finder = event_finder_create("");
	listing.catalog = catalog_create("", listing.finder, &listing.host);
	find_matches(&listing);
	has_some = listing.count > 0 || refuse_words(&listing, error);
	try_events(&listing);
	if (request->as_json)
		write_json(&listing);
	else
		write_sections(&listing);
	free(listing.shown);
	catalog_destroy(listing.catalog);
	event_finder_destroy(listing.finder);
	host_fini(&listing.host);
	return has_some;
}
