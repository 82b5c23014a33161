/*
 * What can be chosen from: the list of all is made anew when the text changes, that of open events
 * whenever it is looked at, since events come and go. An entry of the catalog is tried when it is
 * found, one that takes long to try when it is selected, and only if that is harmless. Events stand
 * under headings, on which the cursor never is.
 *
 * On the screen are, from top to bottom: tabs, search, list, details (at the side of a wide
 * screen), message, keys. The list and what is typed are there on every screen; details and keys
 * come in where there is room.
 */
#include "mode/browser.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/minmax.h"
#include "base/text.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/summary.h"

#include "event/catalog.h"
#include "event/catalog_search.h"
#include "event/topic.h"
#include "mode/app.h"
#include "mode/command.h"
#include "term/key.h"
#include "widget/chooser.h"
#include "widget/frame.h"
#include "widget/paragraph.h"
#include "widget/prompt.h"

enum {
	STATE_MAX = 40,
	TAB_MAX = 64,
	/* columns and lines of the screen */
	HEAD_LINES = 2,  /* tabs and search */
	KEYS_HEIGHT = 8, /* least height of a screen with a key line */
	GAP = 2,
	SIDE_WIDTH = 110,  /* least width with details at the side */
	BELOW_BODY = 9,    /* least lines for list and details one over the other */
	DETAILS_MOST = 12, /* lines of details under a list */
	LIST_WIDTH_MOST = 76,
	STATE_WIDTH = 17,   /* "multiplexed 33 %" */
	SENTENCE_LIST = 64, /* least width of a list that says what events mean */
	NAME_WIDTH = 28     /* longer names push their sentence to the right */
};

/* Where things are in the browser. */
struct browser_layout {
	int list_width, list_lines;
	int detail_x, detail_y, detail_width, detail_lines; /* 0 lines: none */
	int message_y;
	bool has_keys;
};

static struct browser_layout make_browser_layout(int width, int height)
{
	struct browser_layout layout = {.has_keys = height >= KEYS_HEIGHT, .list_width = width};
	int body;

	layout.message_y = height - 1 - (layout.has_keys ? 1 : 0);
	body = layout.message_y - HEAD_LINES;
	layout.list_lines = body > 0 ? body : 0;
	if (width >= SIDE_WIDTH) {
		layout.list_width = smaller(width * 3 / 5, LIST_WIDTH_MOST);
		layout.detail_x = layout.list_width + GAP;
		layout.detail_y = HEAD_LINES;
		layout.detail_width = width - layout.detail_x;
		layout.detail_lines = layout.list_lines;
	} else if (body >= BELOW_BODY) {
		layout.detail_lines = smaller(body * 2 / 5, DETAILS_MOST);
		layout.list_lines = body - layout.detail_lines - 1;
		layout.detail_y = HEAD_LINES + layout.list_lines + 1;
		layout.detail_width = width;
	}
	return layout;
}

static void fini_browser(void *state)
{
	struct browser *browser = state;

	catalog_destroy(browser->catalog);
	prompt_fini(&browser->search);
	for (size_t i = 0; i < 2; i++)
		free(browser->lists[i].lines);
}

static struct browser *browser_of(const struct app *app)
{
	return app->parts[PART_browser];
}

struct catalog *browser_catalog(struct app *app)
{
	struct browser *browser = browser_of(app);

	if (!browser->catalog)
		browser->catalog =
			catalog_create("", engine_finder(app->engine), engine_host(app->engine));
	return browser->catalog;
}

/* The text that is searched for; its edges may be blank. Valid until the next key. */
static const char *typed_in(const struct browser *browser)
{
	return prompt_text(&browser->search);
}

static void append(struct browser_list *list, size_t item, bool is_heading)
{
	array_reserve(&list->lines, &list->capacity, list->count + 1, sizeof(*list->lines));
	list->lines[list->count++] = (struct browser_line){item, is_heading};
	list->headings += is_heading;
}

static void find_entries(struct browser *browser)
{
	struct browser_list *list = &browser->lists[BROWSER_ALL];
	size_t *found = xcalloc(catalog_count(browser->catalog), sizeof(*found));
	const char *text = typed_in(browser);
	const size_t count = catalog_search(browser->catalog, text, 0, found);
	const struct catalog_entry *previous = NULL;
	bool has_exact = false;

	list->count = list->headings = 0;
	browser->refused_at = SIZE_MAX;
	for (size_t i = 0; i < count; i++) {
		const struct catalog_entry *entry = catalog_entry(browser->catalog, found[i]);

		has_exact = has_exact || strcmp(entry->name, text) == 0;
		if (entry->state == CATALOG_REFUSED && list->count < browser->refused_at)
			browser->refused_at = list->count;
		if (!previous || !catalog_is_same_section(previous, entry))
			append(list, found[i], true);
		append(list, found[i], false);
		previous = entry;
	}
	free(found);
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

	list->count = 0;
	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed &&
		    has_words(layout->events[i].name, typed_in(browser)))
			append(list, i, false);
}

/* The list that is shown. */
static struct browser_list *current(struct browser *browser)
{
	return &browser->lists[browser->tab];
}

/* Lines of the list that is shown, what was typed among them. */
static size_t line_count(const struct browser *browser)
{
	return browser->lists[browser->tab].count +
	       (browser->tab == BROWSER_ALL && browser->offers_text);
}

/* Lines of it that the screen has room for; 0: none. */
static size_t page_lines(const struct app *app)
{
	return (size_t)make_browser_layout(app->screen.width, app->screen.height).list_lines;
}

static bool is_heading(const struct browser_list *list, size_t line)
{
	return line < list->count && list->lines[line].is_heading;
}

/* Each heading has an event below, and each but the first one above. A first event in sight has its
 * heading in sight. */
static void leave_heading(struct browser_list *list, bool upwards, size_t page)
{
	struct cursor *cursor = &list->cursor;

	if (is_heading(list, cursor->at) && upwards && cursor->at > 0)
		cursor->at--;
	else if (is_heading(list, cursor->at))
		cursor->at++;
	if (page > 1 && cursor->top == cursor->at && cursor->at > 0 &&
	    is_heading(list, cursor->at - 1))
		cursor->top--;
}

/* Keeps the cursor of the list that is shown inside it, on an event and in sight. before: its line
 * until now. */
static void refresh_from(struct app *app, size_t before)
{
	struct browser_list *list = current(browser_of(app));
	const size_t page = page_lines(app);

	find_open(browser_of(app), engine_layout(app->engine));
	cursor_keep(&list->cursor, line_count(browser_of(app)), page > 0 ? page : 1);
	leave_heading(list, list->cursor.at < before, page);
	cursor_keep(&list->cursor, line_count(browser_of(app)), page > 0 ? page : 1);
}

static void refresh(struct app *app)
{
	refresh_from(app, current(browser_of(app))->cursor.at);
}

/* Makes both lists for another text; the cursors go to the first line. */
static void search(struct app *app)
{
	for (size_t i = 0; i < 2; i++)
		browser_of(app)->lists[i].cursor = (struct cursor){0};
	find_entries(browser_of(app));
	refresh(app);
}

/* The entry on the line of the list of all; NULL: it is what was typed, or none. */
static const struct catalog_entry *entry_at(const struct browser *browser, size_t line)
{
	const struct browser_list *list = &browser->lists[BROWSER_ALL];

	return line < list->count ? catalog_entry(browser->catalog, list->lines[line].item) : NULL;
}

/* The event that is counted under the name; NULL: none. */
static const struct event *event_called(const struct app *app, const char *name)
{
	const struct layout *layout = engine_layout(app->engine);
	const int index = layout_find_event(layout, name);

	return index >= 0 && !layout->events[index].is_removed ? &layout->events[index] : NULL;
}

/* The open event on the line, in either list; NULL: none. */
static const struct event *event_at(const struct app *app, size_t line)
{
	const struct browser *browser = browser_of(app);
	const struct browser_list *open = &browser->lists[BROWSER_OPEN];
	const struct catalog_entry *entry;

	if (browser->tab == BROWSER_OPEN)
		return line < open->count
			       ? &engine_layout(app->engine)->events[open->lines[line].item]
			       : NULL;
	entry = entry_at(browser, line);
	return entry ? event_called(app, entry->name) : NULL;
}

void browser_open(struct app *app)
{
	struct browser *browser = browser_of(app);

	browser_catalog(app);
	mode_open(app, &browser_mode);
	/* what this machine can count is nothing to a recording */
	browser->tab = engine_is_replay(app->engine) ? BROWSER_OPEN : BROWSER_ALL;
	browser->detail_page = 0;
	prompt_open(&browser->search, "Search", "");
	search(app);
	app->message.text[0] = '\0';
}

/* What holds the name may change with what is counted. is_typed: it is what was typed, an event or
 * several; where it is wrong the cursor goes to the fault. */
static void add_listed(struct app *app, const char *name, bool is_typed)
{
	struct prompt *prompt = &browser_of(app)->search;
	char *list = xstrdup(name);
	struct error error = {0};
	const bool good = view_columns_add_events(app, list, &error);

	if (!good)
		app_refuse(app, &error);
	if (is_typed && !good)
		prompt_refuse(prompt, "", app->fault);
	if (is_typed && good) {
		prompt_open(prompt, "Search", "");
		search(app);
	}
	free(list);
}

/* What precedes the first word in capitals is typed already. */
static void begin_pattern(struct app *app, const char *pattern)
{
	struct strbuf begin = {0};

	strbuf_add_bytes(&begin, pattern, strcspn(pattern, "ABCDEFGHIJKLMNOPQRSTUVWXYZ["));
	app_say(app, false, "continue as in %s, then Enter", pattern);
	prompt_open(&browser_of(app)->search, "Search", strbuf_text(&begin));
	search(app);
	strbuf_fini(&begin);
}

static void take_chosen_event(struct app *app)
{
	struct browser *browser = browser_of(app);
	const size_t line = current(browser)->cursor.at;
	const struct catalog_entry *entry = entry_at(browser, line);

	if (line >= line_count(browser))
		return;
	if (browser->tab == BROWSER_OPEN)
		add_listed(app, event_at(app, line)->name, false);
	else if (!entry)
		add_listed(app, typed_in(browser), true);
	else if (entry->is_pattern)
		begin_pattern(app, entry->name);
	else
		add_listed(app, entry->name, false);
}

static void remove_selected(struct app *app)
{
	const struct event *event = event_at(app, current(browser_of(app))->cursor.at);
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
	struct prompt *prompt = &browser_of(app)->search;

	/* another search, wherever the cursor has been put */
	if (key == KEY_CTRL('U'))
		prompt_open(prompt, "Search", "");
	/* leaving is for Esc alone: a Backspace too many does not close anything */
	if (prompt_key(prompt, key) == PROMPT_CHANGED || key == KEY_CTRL('U'))
		search(app);
}

static void take_browser_key(struct app *app, uint32_t key)
{
	struct browser *browser = browser_of(app);
	size_t before;

	app->needs_drawing = true;
	refresh(app);
	before = current(browser)->cursor.at;
	if (key == KEY_CTRL('N')) {
		browser->detail_page++;
		return;
	}
	browser->detail_page = 0;
	switch (key) {
	case KEY_CODE_ESCAPE:
	case KEY_CODE_F10:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		prompt_close(&browser->search);
		mode_close(app, &browser_mode);
		return;
	case KEY_CODE_TAB:
	case KEY_CODE_BACK_TAB:
		if (!engine_is_replay(app->engine))
			browser->tab = browser->tab == BROWSER_ALL ? BROWSER_OPEN : BROWSER_ALL;
		before = current(browser)->cursor.at;
		break;
	case KEY_CODE_ENTER:
		take_chosen_event(app);
		break;
	case KEY_CODE_DELETE:
	case KEY_CTRL('D'):
		remove_selected(app);
		break;
	default:
		if (!cursor_key(&current(browser)->cursor, key, line_count(browser),
				page_lines(app)))
			edit(app, key);
		break;
	}
	refresh_from(app, before);
}

static void click_browser(struct app *app, struct hit hit, bool is_right)
{
	if (chooser_click(&current(browser_of(app))->cursor, hit, is_right) == CHOOSER_DONE)
		take_browser_key(app, KEY_CODE_ENTER);
	app->needs_drawing = true;
}

/* What the picture is made of. */
struct browser_show {
	struct app *app;
	const struct snapshot *snapshot; /* of the last interval; NULL: none yet */
	uint64_t *machine;               /* owned; everything counted in it */
};

/* Share of the last interval during which the event was counted, in percent; NaN unknown. */
static double running_pct(const struct browser_show *show, const char *name)
{
	const int event = show->snapshot ? layout_find_event(show->snapshot->layout, name) : -1;

	return event < 0
		       ? NAN
		       : metrics_running_pct(show->snapshot->layout, (size_t)event, show->machine);
}

static void describe_event(const struct browser_show *show, const struct event *event,
			   char state[static STATE_MAX], enum style *style)
{
	const double pct = running_pct(show, event->name);

	*style = STYLE_GOOD_4;
	switch (event->state) {
	case EVENT_COUNTING:
		snprintf(state, STATE_MAX, "counting");
		return;
	case EVENT_MULTIPLEXED:
		*style = STYLE_WARNING;
		if (isfinite(pct))
			snprintf(state, STATE_MAX, "multiplexed %.0f %%", pct);
		else
			snprintf(state, STATE_MAX, "multiplexed");
		return;
	case EVENT_UNSUPPORTED:
	case EVENT_DENIED:
		*style = STYLE_ERROR;
		snprintf(state, STATE_MAX, "not available");
		return;
	}
}

/* A name that has no room loses what it has in common with its neighbours first: the PMU before
 * "::". */
static void draw_name(struct screen *screen, const char *name, int x, int y, int width)
{
	const char *own = strstr(name, "::");

	if (own && paragraph_width(name) > width) {
		x = screen_text(screen, x, y, width, "…", STYLE_DIM);
		width--;
		name = own;
	}
	paragraph_draw_cut(screen, x, y, width, name, STYLE_NORMAL);
}

/* What takes long is tried when it is selected. */
static void try_under_cursor(struct browser *browser, size_t line)
{
	if (line == current(browser)->cursor.at)
		catalog_try(browser->catalog, browser->lists[BROWSER_ALL].lines[line].item);
}

static void draw_heading(struct screen *screen, const struct catalog_entry *entry, int x, int y,
			 int width)
{
	struct strbuf heading = {0};

	catalog_append_heading(entry, &heading);
	paragraph_draw_cut(screen, x, y, width, strbuf_text(&heading), STYLE_BOLD);
	strbuf_fini(&heading);
}

/* What is to be said of a line besides what its heading says; "": nothing. */
static void describe_line(const struct browser_show *show, size_t line,
			  char state[static STATE_MAX], enum style *style)
{
	const struct browser *browser = browser_of(show->app);
	const struct catalog_entry *entry =
		browser->tab == BROWSER_ALL ? entry_at(browser, line) : NULL;
	const struct event *event = event_at(show->app, line);
	const bool is_below_reason = entry && line >= browser->refused_at;

	*style = STYLE_DIM;
	strcpy(state, entry ? "" : "as it is typed");
	if (event && (!is_below_reason || event_is_counted(event)))
		describe_event(show, event, state, style);
	else if (entry && entry->state == CATALOG_REFUSED && !is_below_reason)
		strcpy(state, "not available");
	else if (entry && entry->is_pattern && !is_below_reason)
		strcpy(state, "to be filled in");
}

static void draw_event(const struct browser_show *show, struct screen *screen,
		       const struct catalog_entry *entry, size_t line, int x, int y, int width)
{
	const struct browser *browser = browser_of(show->app);
	const struct event *event = event_at(show->app, line);
	const char *name = event ? event->name : entry ? entry->name : typed_in(browser);
	const char *sentence = entry ? entry->description : "";
	char state[STATE_MAX];
	enum style style;
	int state_width, end;

	describe_line(show, line, state, &style);
	state_width = state[0] != '\0' ? smaller(STATE_WIDTH, width / 2) : 0;
	end = x + width - state_width - (state_width > 0);
	draw_name(screen, name, x, y, end - x);
	x += larger(paragraph_width(name), NAME_WIDTH) + GAP;
	if (width >= SENTENCE_LIST && x < end)
		paragraph_draw_cut(screen, x, y, end - x, sentence, STYLE_DIM);
	paragraph_draw_cut(screen, end + (state_width > 0), y, state_width, state, style);
}

static void draw_event_line(void *context, struct screen *screen, size_t index, int x, int y,
			    int width)
{
	const struct browser_show *show = context;
	struct browser *browser = browser_of(show->app);
	const struct catalog_entry *entry =
		browser->tab == BROWSER_ALL ? entry_at(browser, index) : NULL;

	if (entry && is_heading(current(browser), index)) {
		draw_heading(screen, entry, x, y, width);
		return;
	}
	if (entry)
		try_under_cursor(browser, index);
	draw_event(show, screen, entry, index, x, y, width);
}

static void add_sentence(struct strbuf *text, const char *begin, const char *sentence)
{
	if (sentence[0] != '\0')
		strbuf_printf(text, "%s%s\n", begin, sentence);
}

static void add_event_facts(const struct browser_show *show, struct strbuf *detail,
			    const struct event *event)
{
	char state[STATE_MAX];
	enum style style;

	describe_event(show, event, state, &style);
	strbuf_printf(detail, "%s%s%s\n", state, event->reason[0] != '\0' ? ": " : "",
		      event->reason);
	add_sentence(detail, "counted in ", event->unit);
}

static void add_entry_facts(struct catalog *catalog, struct strbuf *detail, size_t index,
			    bool is_open)
{
	const struct catalog_entry *entry = catalog_entry(catalog, index);

	add_sentence(detail, "", entry->description);
	strbuf_printf(detail, "%s, %s\n", entry->topic->name, entry->source);
	if (!is_open && entry->state == CATALOG_REFUSED)
		add_sentence(detail, "not available: ", entry->reason);
	strbuf_add(detail, catalog_details(catalog, index));
}

/* Index of the catalog's entry for the line; its count: none. */
static size_t find_entry(struct browser *browser, size_t line, const struct event *event)
{
	const size_t count = catalog_count(browser->catalog);
	size_t index = 0;

	if (browser->tab == BROWSER_ALL)
		return entry_at(browser, line) ? current(browser)->lines[line].item : count;
	if (!event)
		return count;
	while (index < count &&
	       strcmp(catalog_entry(browser->catalog, index)->name, event->name) != 0)
		index++;
	return index;
}

/* Everything that is known of the selected line; returns its heading. */
static const char *fill_detail(const struct browser_show *show, struct strbuf *detail)
{
	struct browser *browser = browser_of(show->app);
	const size_t line = current(browser)->cursor.at;
	const struct event *event = event_at(show->app, line);
	size_t entry;

	if (line >= line_count(browser))
		return "";
	entry = find_entry(browser, line, event);
	if (event)
		add_event_facts(show, detail, event);
	if (entry < catalog_count(browser->catalog))
		add_entry_facts(browser->catalog, detail, entry, event);
	if (event)
		return event->name;
	if (entry < catalog_count(browser->catalog))
		return catalog_entry(browser->catalog, entry)->name;
	strbuf_add(detail, "Enter adds what is typed: an event, or a list of them with "
			   "commas; {a,b} are counted together, :u in user mode, :k in the "
			   "kernel.\n");
	return typed_in(browser);
}

static void sum_machine(struct browser_show *show)
{
	size_t width;

	show->snapshot = engine_snapshot(show->app->engine);
	if (!show->snapshot)
		return;
	width = layout_width(show->snapshot->layout);
	show->machine = xcalloc(2 * width, sizeof(*show->machine));
	busy_sum_machine(show->machine, show->machine + width, show->snapshot);
}

/* Why the list is empty. */
static const char *nothing_words(const struct app *app)
{
	const struct browser *browser = browser_of(app);

	if (browser->tab == BROWSER_ALL)
		return "type to search";
	if (engine_is_replay(app->engine))
		return "no event of the recording has this in its name (^U clears it)";
	return typed_in(browser)[0] != '\0' ? "no open event has this in its name (^U clears it)"
					    : "no event is open";
}

/* That the cursor is on, from 1. */
static size_t event_number(const struct browser_list *list)
{
	size_t number = list->cursor.at + 1;

	for (size_t i = 0; i < list->cursor.at; i++)
		number -= is_heading(list, i);
	return number;
}

static void draw_browser_tabs(struct app *app)
{
	const struct layout *layout = engine_layout(app->engine);
	const struct browser *browser = browser_of(app);
	const bool is_replay = engine_is_replay(app->engine);
	const struct browser_list *list = &browser->lists[browser->tab];
	const size_t events = line_count(browser) - list->headings;
	struct screen *screen = &app->screen;
	char text[TAB_MAX];
	size_t count = 0;
	int x = screen_text(screen, 0, 0, screen->width, "events", STYLE_BOLD) + GAP;

	if (!is_replay) {
		snprintf(text, TAB_MAX, "all %zu", catalog_count(browser->catalog));
		x = chooser_draw_tab(screen, x, screen->width - 1, text,
				     browser->tab == BROWSER_ALL);
	}
	for (size_t i = 0; i < layout->event_count; i++)
		count += !layout->events[i].is_removed;
	snprintf(text, TAB_MAX, "%s %zu", is_replay ? "in the recording" : "open", count);
	x = chooser_draw_tab(screen, x, screen->width - 1, text, browser->tab == BROWSER_OPEN);
	snprintf(text, TAB_MAX, "%zu of %zu", events > 0 ? event_number(list) : 0, events);
	if (x + paragraph_width(text) <= screen->width)
		screen_text_right(screen, x, 0, screen->width - x, text, STYLE_DIM);
}

/* Draws a text into `lines` lines from y on, without the first `skipped` ones; returns how many it
 * took. */
static int draw_text(struct screen *screen, const struct browser_layout *layout, int y, int lines,
		     const char *text, int skipped, enum style style)
{
	int drawn = 0;

	while (text && drawn < lines) {
		const char *begin;
		const size_t length = paragraph_wrap(&text, layout->detail_width, &begin);

		if (skipped-- > 0)
			continue;
		screen_text_part(screen, layout->detail_x, y + drawn, layout->detail_width, begin,
				 length, style);
		drawn++;
	}
	return drawn;
}

/* What has no room comes by pages, with a line that says so. */
static void draw_pages(struct screen *screen, const char *detail, size_t detail_page,
		       const struct browser_layout *layout, int y, int lines)
{
	const int all = paragraph_lines(detail, layout->detail_width);
	int page = lines - 1;
	int skipped = 0;

	if (all <= lines || page < 1) {
		page = lines;
	} else {
		const size_t pages = (size_t)((all + page - 1) / page);

		skipped = (int)(detail_page % pages) * page;
		screen_text(screen, layout->detail_x, y + page, layout->detail_width, "… ^N: more",
			    STYLE_DIM);
	}
	draw_text(screen, layout, y, page, detail, skipped, STYLE_NORMAL);
}

static void draw_event_detail(const struct browser_show *show, const struct browser_layout *layout)
{
	struct screen *screen = &show->app->screen;
	struct strbuf detail = {0};
	const char *heading;
	int drawn;

	if (layout->detail_lines == 0)
		return;
	if (layout->detail_x == 0)
		screen_fill(screen, 0, layout->detail_y - 1, screen->width, "─", STYLE_DIM);
	for (int i = 0; i < layout->detail_lines && layout->detail_x > 0; i++)
		screen_text(screen, layout->detail_x - GAP, layout->detail_y + i, 1, "│",
			    STYLE_DIM);
	heading = fill_detail(show, &detail);
	if (heading[0] != '\0') {
		drawn = draw_text(screen, layout, layout->detail_y, layout->detail_lines, heading,
				  0, STYLE_BOLD);
		draw_pages(screen, strbuf_text(&detail), browser_of(show->app)->detail_page, layout,
			   layout->detail_y + drawn, layout->detail_lines - drawn);
	}
	strbuf_fini(&detail);
}

static void draw_browser_keys(struct app *app, int y)
{
	static const struct frame_key live_keys[] = {
		{"Enter", "add as column"}, {"Del", "remove"}, {"Tab", "all or open events"},
		{"Up/Dn", "select"},        {"Esc", "back"},
	};
	static const struct frame_key replay_keys[] = {
		{"Enter", "add as column"},
		{"Up/Dn", "select"},
		{"Esc", "back"},
	};

	if (engine_is_replay(app->engine))
		frame_draw_keys(&app->screen, replay_keys,
				sizeof(replay_keys) / sizeof(*replay_keys), y);
	else
		frame_draw_keys(&app->screen, live_keys, sizeof(live_keys) / sizeof(*live_keys), y);
}

static void draw_browser(struct app *app, struct frame *frame)
{
	struct screen *screen = &app->screen;
	const struct browser_layout layout = make_browser_layout(screen->width, screen->height);
	struct browser_show show = {.app = app};
	struct chooser chooser = {.draw_line = draw_event_line, .context = &show};

	if (!frame_begin(screen))
		return;
	refresh(app);
	sum_machine(&show);
	chooser.cursor = &current(browser_of(app))->cursor;
	chooser.count = line_count(browser_of(app));
	chooser.nothing = nothing_words(app);
	draw_browser_tabs(app);
	chooser_draw(&chooser, screen, 0, HEAD_LINES, layout.list_width, layout.list_lines, true);
	draw_event_detail(&show, &layout);
	chooser_draw_message(screen, app->message.text, app->message.is_error, HEAD_LINES,
			     layout.message_y);
	if (layout.has_keys)
		draw_browser_keys(app, layout.message_y + 1);
	prompt_draw(&browser_of(app)->search, screen, 1); /* last: the text cursor is here */
	free(show.machine);
}

const struct mode browser_mode = {
	.key = take_browser_key,
	.is_page = true,
	.takes_text = true,
	.click = click_browser,
	.draw = draw_browser,
};

const struct app_part part_browser = {.bytes = sizeof(struct browser), .fini = fini_browser};
