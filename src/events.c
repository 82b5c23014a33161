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
#include "event/catalog_search.h"
#include "event/event.h"
#include "event/topic.h"

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

static const char *const STATES[] = {
	[CATALOG_UNTRIED] = "untried",
	[CATALOG_OPENS] = "opens",
	[CATALOG_REFUSED] = "refused",
};

static size_t section_end(const struct event_listing *listing, size_t begin)
{
	size_t end = begin + 1;

	while (end < listing->count &&
	       catalog_is_same_section(listed_entry(listing, begin), listed_entry(listing, end)))
		end++;
	return end;
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
			size_t name_columns)
{
	size_t width = text_width(entry->name);
	struct strbuf line = {0};

	strbuf_printf(&line, "  %s", entry->name);
	if (entry->description[0] != '\0') {
		strbuf_add_repeated(&line, ' ', width < name_columns ? name_columns - width : 0);
		strbuf_printf(&line, "  %s", entry->description);
	}
	add_listed_line(listing, &line);
	strbuf_fini(&line);
}

static void write_sections(struct event_listing *listing)
{
	size_t end;

	for (size_t begin = 0; begin < listing->count; begin = end) {
		const size_t columns =
			name_width(listing, begin, end = section_end(listing, begin));
		struct strbuf heading = {0};

		catalog_append_heading(listed_entry(listing, begin), &heading);
		if (begin > 0)
			strbuf_add_char(listing->out, '\n');
		add_listed_line(listing, &heading);
		for (size_t i = begin; i < end; i++)
			write_entry(listing, listed_entry(listing, i), columns);
		strbuf_fini(&heading);
	}
}

/* The catalog's texts are valid UTF-8 without control characters. */
static void write_json(struct event_listing *listing)
{
	for (size_t i = 0; i < listing->count; i++) {
		const struct catalog_entry *entry = listed_entry(listing, i);
		const bool is_refused = entry->state == CATALOG_REFUSED;
		json_t *object = json_pack(
			"{s:s, s:s, s:s, s:s, s:b, s:s, s:s?}", "name", entry->name, "topic",
			entry->topic->name, "source", entry->source, "description",
			entry->description, "is_pattern", (int)entry->is_pattern, "state",
			STATES[entry->state], "reason", is_refused ? entry->reason : NULL);
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
	listing.shown = xcalloc(catalog_count(listing.catalog), sizeof(*listing.shown));
	listing.count =
		catalog_search(listing.catalog, request->words, SLOW_TRIES_MAX, listing.shown);
	has_some = listing.count > 0 || refuse_words(&listing, error);
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
