#ifndef PERFTOP_BROWSER_LISTS_H
#define PERFTOP_BROWSER_LISTS_H

/*
 * The event browser's two lists: which lines they have for what is typed, where the cursor is, and
 * what is on a line.
 */

#include <stddef.h>

struct app;
struct browser;
struct browser_list;
struct catalog_entry;
struct event;
struct layout;

/* What is counted now. */
const struct layout *browser_layout(const struct app *app);

/* The text that is searched for; its edges may be blank. Valid until the next key. */
const char *browser_typed(const struct browser *browser);

/* The list that is shown. */
struct browser_list *browser_list(struct browser *browser);

/* Lines of the list that is shown, what was typed among them. */
size_t browser_line_count(const struct browser *browser);

/* Lines of it that the screen has room for; 0: none. */
size_t browser_page_lines(const struct app *app);

/* Makes the list of open events anew; keeps the cursor of the one that is shown inside it and in
 * sight. */
void browser_refresh(struct app *app);

/* Makes both lists for another text; the cursors go to the first line. */
void browser_search(struct app *app);

/* The entry on the line of the list of all; NULL: it is what was typed, or none. */
const struct catalog_entry *browser_entry_at(const struct browser *browser, size_t line);

/* The event that is counted under the name; NULL: none. */
const struct event *browser_event_called(const struct app *app, const char *name);

/* The open event on the line, in either list; NULL: none. */
const struct event *browser_event_at(const struct app *app, size_t line);

#endif
