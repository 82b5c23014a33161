#include "mode/browser.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/layout.h"

#include "event/catalog.h"
#include "mode/app.h"
#include "mode/browser_lists.h"
#include "mode/view_columns.h"
#include "term/key.h"

void browser_fini(struct browser *browser)
{
	catalog_destroy(browser->catalog);
	prompt_fini(&browser->search);
	for (size_t i = 0; i < 2; i++)
		free(browser->lists[i].items);
	*browser = (struct browser){0};
}

struct catalog *browser_catalog(struct app *app)
{
	struct browser *browser = app->browser;

	if (!browser->catalog)
		browser->catalog =
			catalog_create("", engine_finder(app->engine), engine_host(app->engine));
	return browser->catalog;
}

void browser_open(struct app *app)
{
	struct browser *browser = app->browser;

	browser_catalog(app);
	browser->is_open = true;
	/* what this machine can count is nothing to a recording */
	browser->tab = engine_is_replay(app->engine) ? BROWSER_OPEN : BROWSER_ALL;
	browser->detail_page = 0;
	prompt_open(&browser->search, "Search", "");
	browser_search(app);
	app->message[0] = '\0';
	app->needs_drawing = true;
}

static void leave(struct app *app)
{
	prompt_close(&app->browser->search);
	app->browser->is_open = false;
}

static void add(struct app *app, const char *name)
{
	/* what holds the name may change with what is counted */
	char *list = xstrdup(name);
	struct error error = {0};

	if (!view_columns_add_events(app, list, &error))
		app_refuse(app, &error);
	free(list);
}

/* What was typed is an event, or several; where it is wrong the cursor goes to the fault. */
static void add_typed(struct app *app)
{
	struct prompt *search = &app->browser->search;
	char *list = xstrdup(browser_typed(app->browser));
	struct error error = {0};

	if (view_columns_add_events(app, list, &error)) {
		prompt_open(search, "Search", "");
		browser_search(app);
	} else {
		app_refuse(app, &error);
		prompt_refuse(search, "", app->fault);
	}
	free(list);
}

/* What precedes the first word in capitals is typed already. */
static void begin_pattern(struct app *app, const char *pattern)
{
	struct strbuf begin = {0};

	strbuf_add_bytes(&begin, pattern, strcspn(pattern, "ABCDEFGHIJKLMNOPQRSTUVWXYZ["));
	app_say(app, false, "continue as in %s, then Enter", pattern);
	prompt_open(&app->browser->search, "Search", strbuf_text(&begin));
	browser_search(app);
	strbuf_fini(&begin);
}

static void take(struct app *app)
{
	struct browser *browser = app->browser;
	const size_t line = browser_list(browser)->cursor.at;
	const struct catalog_entry *entry;

	if (line >= browser_line_count(browser))
		return;
	if (browser->tab == BROWSER_OPEN) {
		add(app, browser_event_at(app, line)->name);
		return;
	}
	entry = browser_entry_at(browser, line);
	if (!entry)
		add_typed(app);
	else if (entry->is_pattern)
		begin_pattern(app, entry->name);
	else
		add(app, entry->name);
}

static void remove_selected(struct app *app)
{
	const struct event *event = browser_event_at(app, browser_list(app->browser)->cursor.at);
	struct error error = {0};
	char *name;

	if (!event) {
		app_say(app, false, "not counted: nothing to remove");
		return;
	}
	name = xstrdup(event->name);
	if (!view_columns_remove_event(app, name, &error))
		app_refuse(app, &error);
	free(name);
}

static void edit(struct app *app, uint32_t key)
{
	struct prompt *search = &app->browser->search;

	/* another search, wherever the cursor has been put */
	if (key == KEY_CTRL('U'))
		prompt_open(search, "Search", "");
	/* leaving is for Esc alone: a Backspace too many does not close anything */
	if (prompt_key(search, key) == PROMPT_CHANGED || key == KEY_CTRL('U'))
		browser_search(app);
}

void browser_key(struct app *app, uint32_t key)
{
	app->needs_drawing = true;
	browser_refresh(app);
	if (key == KEY_CTRL('N')) {
		app->browser->detail_page++;
		return;
	}
	app->browser->detail_page = 0;
	switch (key) {
	case KEY_CODE_ESCAPE:
	case KEY_CODE_F10:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		leave(app);
		return;
	case KEY_CODE_TAB:
	case KEY_CODE_BACK_TAB:
		if (!engine_is_replay(app->engine))
			app->browser->tab =
				app->browser->tab == BROWSER_ALL ? BROWSER_OPEN : BROWSER_ALL;
		break;
	case KEY_CODE_ENTER:
		take(app);
		break;
	case KEY_CODE_DELETE:
	case KEY_CTRL('D'):
		remove_selected(app);
		break;
	default:
		if (!cursor_key(&browser_list(app->browser)->cursor, key,
				browser_line_count(app->browser), browser_page_lines(app)))
			edit(app, key);
		break;
	}
	browser_refresh(app);
}

void browser_point(struct app *app, size_t line)
{
	struct browser_list *list = browser_list(app->browser);
	const size_t place = list->cursor.top + line;

	if (place >= browser_line_count(app->browser))
		return;
	if (place == list->cursor.at)
		browser_key(app, KEY_CODE_ENTER);
	else
		list->cursor.at = place;
	app->needs_drawing = true;
}
