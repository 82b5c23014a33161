/*
 * What can be chosen from. The list of all is made anew when the text changes, that of open events
 * whenever it is looked at, since events come and go. The cursor is a place in the list.
 */
#include "mode/browser_lists.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/layout.h"
#include "source/source.h"

#include "event/catalog.h"
#include "mode/app.h"
#include "mode/browser.h"
#include "widget/browser.h"

enum {
	LINES_MAX = 512 /* no screen is higher */
};

const struct layout *browser_layout(const struct app *app)
{
	return engine_layout(app->engine);
}

const char *browser_typed(const struct browser *browser)
{
	return prompt_text(&browser->search);
}

static void clear(struct browser_list *list)
{
	list->count = 0;
}

static void append(struct browser_list *list, size_t item)
{
	array_reserve(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = item;
}

static void find_entries(struct browser *browser)
{
	struct browser_list *list = &browser->lists[BROWSER_ALL];
	struct browser_list ranked[CATALOG_RANKS] = {0};
	const char *text = browser_typed(browser);
	const size_t count = catalog_count(browser->catalog);
	bool has_exact = false;

	clear(list);
	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *entry = catalog_entry(browser->catalog, i);

		if (!catalog_matches(entry, text))
			continue;
		has_exact = has_exact || strcmp(entry->name, text) == 0;
		append(&ranked[catalog_rank(entry, text)], i);
	}
	for (size_t rank = 0; rank < CATALOG_RANKS; rank++) {
		for (size_t i = 0; i < ranked[rank].count; i++)
			append(list, ranked[rank].items[i]);
		free(ranked[rank].items);
	}
	browser->offers_text = text[strspn(text, " ")] != '\0' && !has_exact;
}

static bool has_words(const char *name, const char *words)
{
	char word[128];

	while (*(words += strspn(words, " ")) != '\0') {
		const size_t length = strcspn(words, " ");

		snprintf(word, sizeof(word), "%.*s", (int)length, words);
		if (!text_contains(name, word))
			return false;
		words += length;
	}
	return true;
}

static void find_open(struct browser *browser, const struct layout *layout)
{
	struct browser_list *list = &browser->lists[BROWSER_OPEN];

	clear(list);
	for (size_t i = 0; i < layout->event_count; i++) {
		const struct event *event = &layout->events[i];

		if (!event->is_removed && has_words(event->name, browser_typed(browser)))
			append(list, i);
	}
}

struct browser_list *browser_list(struct browser *browser)
{
	return &browser->lists[browser->tab];
}

/* Lines of the current list, what was typed among them. */
size_t browser_line_count(const struct browser *browser)
{
	return browser->lists[browser->tab].count +
	       (browser->tab == BROWSER_ALL && browser->offers_text);
}

size_t browser_page_lines(const struct app *app)
{
	const size_t page = browser_page(app->screen.width, app->screen.height);

	return page < LINES_MAX ? page : LINES_MAX;
}

void browser_refresh(struct app *app)
{
	find_open(app->browser, browser_layout(app));
	cursor_keep(&browser_list(app->browser)->cursor, browser_line_count(app->browser),
		    browser_page_lines(app) > 0 ? browser_page_lines(app) : 1);
}

void browser_search(struct app *app)
{
	for (size_t i = 0; i < 2; i++)
		app->browser->lists[i].cursor = (struct cursor){0};
	find_entries(app->browser);
	browser_refresh(app);
}

/* The entry under the cursor; NULL: it is on no entry. */
const struct catalog_entry *browser_entry_at(const struct browser *browser, size_t line)
{
	const struct browser_list *list = &browser->lists[BROWSER_ALL];

	return line < list->count ? catalog_entry(browser->catalog, list->items[line]) : NULL;
}

const struct event *browser_event_called(const struct app *app, const char *name)
{
	const struct layout *layout = browser_layout(app);
	const int index = layout_find_event(layout, name);

	return index >= 0 && !layout->events[index].is_removed ? &layout->events[index] : NULL;
}

/* The open event under the cursor, in either list; NULL: none. */
const struct event *browser_event_at(const struct app *app, size_t line)
{
	const struct browser *browser = app->browser;
	const struct catalog_entry *entry;

	if (browser->tab == BROWSER_OPEN) {
		const struct browser_list *list = &browser->lists[BROWSER_OPEN];

		return line < list->count ? &browser_layout(app)->events[list->items[line]] : NULL;
	}
	entry = browser_entry_at(browser, line);
	return entry ? browser_event_called(app, entry->name) : NULL;
}
