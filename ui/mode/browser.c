/*
 * What can be chosen from. The list of all is made anew when the text changes, that of open events
 * whenever it is looked at, since events come and go. The cursor is a place in the list.
 */
#include "mode/browser.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "source/source.h"
#include "view/busy.h"

#include "event/catalog.h"
#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/mode.h"
#include "term/key.h"
#include "widget/browser.h"
#include "widget/frame.h"

enum {
	LINES_MAX = 512 /* no screen is higher */
};

static const struct layout *browser_layout(const struct app *app)
{
	return engine_layout(app->engine);
}

static const char *browser_typed(const struct browser *browser)
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

static struct browser_list *browser_list(struct browser *browser)
{
	return &browser->lists[browser->tab];
}

/* Lines of the current list, what was typed among them. */
static size_t browser_line_count(const struct browser *browser)
{
	return browser->lists[browser->tab].count +
	       (browser->tab == BROWSER_ALL && browser->offers_text);
}

static size_t browser_page_lines(const struct app *app)
{
	const size_t page = browser_page(app->screen.width, app->screen.height);

	return page < LINES_MAX ? page : LINES_MAX;
}

static void browser_refresh(struct app *app)
{
	find_open(app->browser, browser_layout(app));
	cursor_keep(&browser_list(app->browser)->cursor, browser_line_count(app->browser),
		    browser_page_lines(app) > 0 ? browser_page_lines(app) : 1);
}

static void browser_search(struct app *app)
{
	for (size_t i = 0; i < 2; i++)
		app->browser->lists[i].cursor = (struct cursor){0};
	find_entries(app->browser);
	browser_refresh(app);
}

/* The entry under the cursor; NULL: it is on no entry. */
static const struct catalog_entry *browser_entry_at(const struct browser *browser, size_t line)
{
	const struct browser_list *list = &browser->lists[BROWSER_ALL];

	return line < list->count ? catalog_entry(browser->catalog, list->items[line]) : NULL;
}

static const struct event *browser_event_called(const struct app *app, const char *name)
{
	const struct layout *layout = browser_layout(app);
	const int index = layout_find_event(layout, name);

	return index >= 0 && !layout->events[index].is_removed ? &layout->events[index] : NULL;
}

/* The open event under the cursor, in either list; NULL: none. */
static const struct event *browser_event_at(const struct app *app, size_t line)
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

/*
 * How the lists are shown, and what is said about the selected line. An entry of the catalog is
 * tried when it comes into sight, and only if that is harmless.
 */

enum {
	STATE_MAX = 40,
	TAB_MAX = 64
};

/* What the lines are made of. */
struct show {
	struct app *app;
	const struct snapshot *snapshot; /* of the last interval; NULL: none yet */
	uint64_t *machine;               /* owned; everything counted in it */
	char (*states)[STATE_MAX];       /* owned; one per line */
	struct browser_line *lines;      /* owned */
	size_t count;
	struct strbuf detail;
};

/* Share of the last interval during which the event was counted, in percent; NaN unknown. */
static double running_pct(const struct show *show, const char *name)
{
	int event;

	if (!show->snapshot)
		return NAN;
	event = layout_find_event(show->snapshot->layout, name);
	if (event < 0)
		return NAN;
	return metrics_running_pct(show->snapshot->layout, (size_t)event, show->machine);
}

static void describe_event(const struct show *show, const struct event *event, char *state,
			   enum style *style)
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
		snprintf(state, STATE_MAX, "refused");
		return;
	}
}

static void describe_entry(const struct show *show, const struct catalog_entry *entry, char *state,
			   enum style *style)
{
	const struct event *event = browser_event_called(show->app, entry->name);

	*style = STYLE_DIM;
	state[0] = '\0';
	if (event) {
		describe_event(show, event, state, style);
		return;
	}
	if (entry->is_pattern) {
		snprintf(state, STATE_MAX, "to be filled in");
		return;
	}
	switch (entry->state) {
	case CATALOG_UNTRIED:
		return;
	case CATALOG_OPENS:
		snprintf(state, STATE_MAX, "available");
		return;
	case CATALOG_REFUSED:
		snprintf(state, STATE_MAX, "refused");
		return;
	}
}

static void fill_line(struct show *show, size_t line, struct browser_line *shown, char *state)
{
	struct browser *browser = show->app->browser;
	const struct catalog_entry *entry;

	shown->state = state;
	shown->source = "";
	if (browser->tab == BROWSER_OPEN) {
		const struct event *event = browser_event_at(show->app, line);

		shown->name = event->name;
		describe_event(show, event, state, &shown->style);
		return;
	}
	entry = browser_entry_at(browser, line);
	if (!entry) {
		shown->name = browser_typed(browser);
		shown->style = STYLE_DIM;
		snprintf(state, STATE_MAX, "as it is typed");
		return;
	}
	/* what takes long is tried where somebody looks at it */
	if (entry->may_try && entry->state == CATALOG_UNTRIED &&
	    (!entry->is_slow_to_try || line == browser_list(browser)->cursor.at))
		catalog_try(browser->catalog, browser->lists[BROWSER_ALL].items[line]);
	shown->name = entry->name;
	shown->source = entry->source;
	describe_entry(show, entry, state, &shown->style);
}

static void fill_lines(struct show *show)
{
	struct browser *browser = show->app->browser;
	const size_t top = browser_list(browser)->cursor.top;
	const size_t left = browser_line_count(browser) - top;
	const size_t page = browser_page_lines(show->app);

	show->count = left < page ? left : page;
	show->lines = xcalloc(show->count, sizeof(*show->lines));
	show->states = xcalloc(show->count, sizeof(*show->states));
	for (size_t i = 0; i < show->count; i++)
		fill_line(show, top + i, &show->lines[i], show->states[i]);
}

static void add_sentence(struct strbuf *text, const char *begin, const char *sentence)
{
	if (sentence[0] != '\0')
		strbuf_printf(text, "%s%s\n", begin, sentence);
}

static void add_event_facts(struct show *show, const struct event *event)
{
	char state[STATE_MAX];
	enum style style;

	describe_event(show, event, state, &style);
	strbuf_printf(&show->detail, "%s%s%s\n", state, event->reason[0] != '\0' ? ": " : "",
		      event->reason);
	add_sentence(&show->detail, "counted in ", event->unit);
}

/* Index of the catalog's entry that is called so; its count: none. */
static size_t find_entry(const struct browser *browser, const char *name)
{
	const size_t count = catalog_count(browser->catalog);
	size_t index = 0;

	while (index < count && strcmp(catalog_entry(browser->catalog, index)->name, name) != 0)
		index++;
	return index;
}

static void add_entry_facts(struct show *show, size_t index, bool is_open)
{
	struct catalog *catalog = show->app->browser->catalog;
	const struct catalog_entry *entry = catalog_entry(catalog, index);

	add_sentence(&show->detail, "", entry->description);
	if (!is_open && entry->state == CATALOG_REFUSED)
		add_sentence(&show->detail, "refused: ", entry->reason);
	strbuf_add(&show->detail, catalog_details(catalog, index));
}

/* Everything that is known of the selected line; returns its heading. */
static const char *fill_detail(struct show *show)
{
	struct browser *browser = show->app->browser;
	const struct browser_list *list = browser_list(browser);
	const size_t line = list->cursor.at;
	const struct event *event = browser_event_at(show->app, line);
	size_t entry = catalog_count(browser->catalog);

	if (line >= browser_line_count(browser))
		return "";
	if (browser->tab == BROWSER_ALL && line < list->count)
		entry = list->items[line];
	else if (event)
		entry = find_entry(browser, event->name);
	if (event)
		add_event_facts(show, event);
	if (entry < catalog_count(browser->catalog))
		add_entry_facts(show, entry, event);
	if (event)
		return event->name;
	if (browser->tab == BROWSER_ALL && line < list->count)
		return catalog_entry(browser->catalog, entry)->name;
	strbuf_add(&show->detail, "Enter adds what is typed: an event, or a list of them with "
				  "commas; {a,b} are counted together, :u in user mode, :k in the "
				  "kernel.\n");
	return browser_typed(browser);
}

static size_t count_open(const struct layout *layout)
{
	size_t count = 0;

	for (size_t i = 0; i < layout->event_count; i++)
		count += !layout->events[i].is_removed;
	return count;
}

static void sum_machine(struct show *show)
{
	size_t width;

	show->snapshot = engine_snapshot(show->app->engine);
	if (!show->snapshot)
		return;
	width = layout_width(show->snapshot->layout);
	show->machine = xcalloc(2 * width, sizeof(*show->machine));
	busy_sum_machine(show->machine, show->machine + width, show->snapshot);
}

/* clang-format off */
static const struct frame_key browser_keys[] = {
	{"Enter", "add as column"},
	{"Del",   "remove"},
	{"Tab",   "all or open events"},
	{"Up/Dn", "select"},
	{"Esc",   "back"},
};

static const struct frame_key recorded_keys[] = {
	{"Enter", "add as column"},
	{"Up/Dn", "select"},
	{"Esc",   "back"},
};
/* clang-format on */

/* Why the list is empty. */
static const char *nothing_words(const struct app *app)
{
	const struct browser *browser = app->browser;

	if (browser->tab == BROWSER_ALL)
		return "type to search";
	if (engine_is_replay(app->engine))
		return "no event of the recording has this in its name (^U clears it)";
	return browser_typed(browser)[0] != '\0'
		       ? "no open event has this in its name (^U clears it)"
		       : "no event is open";
}

static void write_tabs(const struct app *app, char all[static TAB_MAX], char open[static TAB_MAX])
{
	const size_t count = count_open(browser_layout(app));

	if (engine_is_replay(app->engine)) {
		all[0] = '\0';
		snprintf(open, TAB_MAX, "in the recording %zu", count);
		return;
	}
	snprintf(all, TAB_MAX, "all %zu", catalog_count(app->browser->catalog));
	snprintf(open, TAB_MAX, "open %zu", count);
}

static void draw(struct app *app, struct show *show, struct frame *frame)
{
	const bool is_replay = engine_is_replay(app->engine);
	struct browser *browser = app->browser;
	const struct browser_list *list = browser_list(browser);
	const size_t count = browser_line_count(browser);
	char all[TAB_MAX], open[TAB_MAX], place[64];
	struct browser_picture picture = {
		.tabs = {all, open},
		.active_tab = browser->tab,
		.place = place,
		.search = &browser->search,
		.lines = show->lines,
		.line_count = show->count,
		.selected = list->cursor.at - list->cursor.top,
		.nothing = nothing_words(app),
		.heading = fill_detail(show),
		.detail_page = browser->detail_page,
		.message = app->message,
		.message_is_error = app->message_is_error,
		.keys = is_replay ? recorded_keys : browser_keys,
		.key_count = is_replay ? sizeof(recorded_keys) / sizeof(*recorded_keys)
				       : sizeof(browser_keys) / sizeof(*browser_keys),
	};

	write_tabs(app, all, open);
	snprintf(place, sizeof(place), "%zu of %zu", count > 0 ? list->cursor.at + 1 : 0, count);
	picture.detail = strbuf_text(&show->detail);
	frame->browser = &picture;
	frame_draw(&app->screen, frame);
	frame->browser = NULL;
}

void browser_show(struct app *app, struct frame *frame)
{
	struct show show = {.app = app};

	browser_refresh(app);
	sum_machine(&show);
	fill_lines(&show);
	draw(app, &show, frame);
	free(show.machine);
	free(show.lines);
	free(show.states);
	strbuf_fini(&show.detail);
}

static bool is_open(const struct app *app)
{
	return app->browser->is_open;
}

static void click(struct app *app, struct hit hit, bool is_right)
{
	if (hit.kind == HIT_LINE && !is_right)
		browser_point(app, hit.index);
}

const struct mode browser_mode = {
	.is_open = is_open,
	.key = browser_key,
	.takes_text = is_open,
	.click = click,
	.draw = browser_show,
};
