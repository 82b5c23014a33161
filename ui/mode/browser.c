/*
 * What can be chosen from: the list of all is made anew when the text changes, that of open events
 * whenever it is looked at, since events come and go. An entry of the catalog is tried when it
 * comes into sight, and only if that is harmless.
 */
#include "mode/browser.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "model/layout.h"
#include "model/metric.h"
#include "model/snapshot.h"
#include "view/summary.h"

#include "event/catalog.h"
#include "mode/app.h"
#include "mode/command.h"
#include "term/key.h"
#include "widget/frame.h"
#include "widget/pages.h"

enum {
	LINES_MAX = 512, /* no screen is higher */
	STATE_MAX = 40,
	TAB_MAX = 64
};

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
	struct browser *browser = &app->browser;

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

static void append(struct browser_list *list, size_t item)
{
	array_reserve(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	list->items[list->count++] = item;
}

static void find_entries(struct browser *browser)
{
	struct browser_list *list = &browser->lists[BROWSER_ALL];
	struct browser_list ranked[CATALOG_RANKS] = {0};
	const char *text = typed_in(browser);
	bool has_exact = false;

	list->count = 0;
	for (size_t i = 0; i < catalog_count(browser->catalog); i++) {
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

	list->count = 0;
	for (size_t i = 0; i < layout->event_count; i++)
		if (!layout->events[i].is_removed &&
		    has_words(layout->events[i].name, typed_in(browser)))
			append(list, i);
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
	const size_t page = browser_page(app->screen.width, app->screen.height);

	return page < LINES_MAX ? page : LINES_MAX;
}

/* Keeps the cursor of the list that is shown inside it and in sight. */
static void refresh(struct app *app)
{
	const size_t page = page_lines(app);

	find_open(&app->browser, engine_layout(app->engine));
	cursor_keep(&current(&app->browser)->cursor, line_count(&app->browser),
		    page > 0 ? page : 1);
}

/* Makes both lists for another text; the cursors go to the first line. */
static void search(struct app *app)
{
	for (size_t i = 0; i < 2; i++)
		app->browser.lists[i].cursor = (struct cursor){0};
	find_entries(&app->browser);
	refresh(app);
}

/* The entry on the line of the list of all; NULL: it is what was typed, or none. */
static const struct catalog_entry *entry_at(const struct browser *browser, size_t line)
{
	const struct browser_list *list = &browser->lists[BROWSER_ALL];

	return line < list->count ? catalog_entry(browser->catalog, list->items[line]) : NULL;
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
	const struct browser *browser = &app->browser;
	const struct browser_list *open = &browser->lists[BROWSER_OPEN];
	const struct catalog_entry *entry;

	if (browser->tab == BROWSER_OPEN)
		return line < open->count ? &engine_layout(app->engine)->events[open->items[line]]
					  : NULL;
	entry = entry_at(browser, line);
	return entry ? event_called(app, entry->name) : NULL;
}

void browser_open(struct app *app)
{
	struct browser *browser = &app->browser;

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
static void add(struct app *app, const char *name, bool is_typed)
{
	struct prompt *prompt = &app->browser.search;
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
	prompt_open(&app->browser.search, "Search", strbuf_text(&begin));
	search(app);
	strbuf_fini(&begin);
}

static void take(struct app *app)
{
	struct browser *browser = &app->browser;
	const size_t line = current(browser)->cursor.at;
	const struct catalog_entry *entry = entry_at(browser, line);

	if (line >= line_count(browser))
		return;
	if (browser->tab == BROWSER_OPEN)
		add(app, event_at(app, line)->name, false);
	else if (!entry)
		add(app, typed_in(browser), true);
	else if (entry->is_pattern)
		begin_pattern(app, entry->name);
	else
		add(app, entry->name, false);
}

static void remove_selected(struct app *app)
{
	const struct event *event = event_at(app, current(&app->browser)->cursor.at);
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
	struct prompt *prompt = &app->browser.search;

	/* another search, wherever the cursor has been put */
	if (key == KEY_CTRL('U'))
		prompt_open(prompt, "Search", "");
	/* leaving is for Esc alone: a Backspace too many does not close anything */
	if (prompt_key(prompt, key) == PROMPT_CHANGED || key == KEY_CTRL('U'))
		search(app);
}

static void take_key(struct app *app, uint32_t key)
{
	struct browser *browser = &app->browser;

	app->needs_drawing = true;
	refresh(app);
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
		break;
	case KEY_CODE_ENTER:
		take(app);
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
	refresh(app);
}

/* To the line that was pointed at; once more: as Enter. */
static void click(struct app *app, struct hit hit, bool is_right)
{
	struct cursor *cursor = &current(&app->browser)->cursor;
	const size_t line = cursor->top + hit.index;

	if (hit.kind != HIT_LINE || is_right || line >= line_count(&app->browser))
		return;
	if (line == cursor->at)
		take_key(app, KEY_CODE_ENTER);
	else
		cursor->at = line;
	app->needs_drawing = true;
}

/* What the picture is made of. */
struct show {
	struct app *app;
	const struct snapshot *snapshot; /* of the last interval; NULL: none yet */
	uint64_t *machine;               /* owned; everything counted in it */
	char (*states)[STATE_MAX];       /* owned; one per line */
	struct browser_line *lines;      /* owned */
	size_t count;
	struct strbuf detail; /* owned */
};

/* Share of the last interval during which the event was counted, in percent; NaN unknown. */
static double running_pct(const struct show *show, const char *name)
{
	const int event = show->snapshot ? layout_find_event(show->snapshot->layout, name) : -1;

	return event < 0
		       ? NAN
		       : metrics_running_pct(show->snapshot->layout, (size_t)event, show->machine);
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

static void fill_entry(const struct show *show, const struct catalog_entry *entry,
		       struct browser_line *line, char *state)
{
	static const char *const states[] = {
		[CATALOG_UNTRIED] = "",
		[CATALOG_OPENS] = "available",
		[CATALOG_REFUSED] = "refused",
	};
	const struct event *event = event_called(show->app, entry->name);

	line->name = entry->name;
	line->source = entry->source;
	line->style = STYLE_DIM;
	if (event)
		describe_event(show, event, state, &line->style);
	else
		snprintf(state, STATE_MAX, "%s",
			 entry->is_pattern ? "to be filled in" : states[entry->state]);
}

static void fill_line(struct show *show, size_t index, struct browser_line *line, char *state)
{
	struct browser *browser = &show->app->browser;
	const struct catalog_entry *entry = entry_at(browser, index);

	*line = (struct browser_line){.state = state, .source = ""};
	if (browser->tab == BROWSER_OPEN) {
		const struct event *event = event_at(show->app, index);

		line->name = event->name;
		describe_event(show, event, state, &line->style);
		return;
	}
	if (!entry) {
		line->name = typed_in(browser);
		line->style = STYLE_DIM;
		snprintf(state, STATE_MAX, "as it is typed");
		return;
	}
	/* what takes long is tried when it is selected */
	if (entry->may_try && entry->state == CATALOG_UNTRIED &&
	    (!entry->is_slow_to_try || index == current(browser)->cursor.at))
		catalog_try(browser->catalog, browser->lists[BROWSER_ALL].items[index]);
	fill_entry(show, entry, line, state);
}

static void fill_lines(struct show *show)
{
	struct browser *browser = &show->app->browser;
	const size_t top = current(browser)->cursor.top;
	const size_t left = line_count(browser) - top;
	const size_t page = page_lines(show->app);

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

static void add_entry_facts(struct show *show, size_t index, bool is_open)
{
	struct catalog *catalog = show->app->browser.catalog;
	const struct catalog_entry *entry = catalog_entry(catalog, index);

	add_sentence(&show->detail, "", entry->description);
	if (!is_open && entry->state == CATALOG_REFUSED)
		add_sentence(&show->detail, "refused: ", entry->reason);
	strbuf_add(&show->detail, catalog_details(catalog, index));
}

/* Index of the catalog's entry for the line; its count: none. */
static size_t find_entry(struct browser *browser, size_t line, const struct event *event)
{
	const size_t count = catalog_count(browser->catalog);
	size_t index = 0;

	if (browser->tab == BROWSER_ALL)
		return entry_at(browser, line) ? current(browser)->items[line] : count;
	if (!event)
		return count;
	while (index < count &&
	       strcmp(catalog_entry(browser->catalog, index)->name, event->name) != 0)
		index++;
	return index;
}

/* Everything that is known of the selected line; returns its heading. */
static const char *fill_detail(struct show *show)
{
	struct browser *browser = &show->app->browser;
	const size_t line = current(browser)->cursor.at;
	const struct event *event = event_at(show->app, line);
	size_t entry;

	if (line >= line_count(browser))
		return "";
	entry = find_entry(browser, line, event);
	if (event)
		add_event_facts(show, event);
	if (entry < catalog_count(browser->catalog))
		add_entry_facts(show, entry, event);
	if (event)
		return event->name;
	if (entry < catalog_count(browser->catalog))
		return catalog_entry(browser->catalog, entry)->name;
	strbuf_add(&show->detail, "Enter adds what is typed: an event, or a list of them with "
				  "commas; {a,b} are counted together, :u in user mode, :k in the "
				  "kernel.\n");
	return typed_in(browser);
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

/* Why the list is empty. */
static const char *nothing_words(const struct app *app)
{
	const struct browser *browser = &app->browser;

	if (browser->tab == BROWSER_ALL)
		return "type to search";
	if (engine_is_replay(app->engine))
		return "no event of the recording has this in its name (^U clears it)";
	return typed_in(browser)[0] != '\0' ? "no open event has this in its name (^U clears it)"
					    : "no event is open";
}

static void write_tabs(const struct app *app, char all[static TAB_MAX], char open[static TAB_MAX])
{
	const struct layout *layout = engine_layout(app->engine);
	const bool is_replay = engine_is_replay(app->engine);
	size_t count = 0;

	for (size_t i = 0; i < layout->event_count; i++)
		count += !layout->events[i].is_removed;
	all[0] = '\0';
	if (!is_replay)
		snprintf(all, TAB_MAX, "all %zu", catalog_count(app->browser.catalog));
	snprintf(open, TAB_MAX, "%s %zu", is_replay ? "in the recording" : "open", count);
}

static void draw_picture(struct show *show, struct frame *frame)
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
	struct app *app = show->app;
	struct browser *browser = &app->browser;
	const bool is_replay = engine_is_replay(app->engine);
	const struct cursor *cursor = &current(browser)->cursor;
	const size_t count = line_count(browser);
	char all[TAB_MAX], open[TAB_MAX], position[64];
	struct browser_content content = {
		.tabs = {all, open},
		.active_tab = browser->tab,
		.position = position,
		.search = &browser->search,
		.lines = show->lines,
		.line_count = show->count,
		.selected = cursor->at - cursor->top,
		.nothing = nothing_words(app),
		.heading = fill_detail(show),
		.detail_page = browser->detail_page,
		.message = app->message.text,
		.message_is_error = app->message.is_error,
		.keys = is_replay ? replay_keys : live_keys,
		.key_count = is_replay ? sizeof(replay_keys) / sizeof(*replay_keys)
				       : sizeof(live_keys) / sizeof(*live_keys),
	};

	write_tabs(app, all, open);
	snprintf(position, sizeof(position), "%zu of %zu", count > 0 ? cursor->at + 1 : 0, count);
	content.detail = strbuf_text(&show->detail);
	frame->browser = &content;
	frame_draw(&app->screen, frame);
	frame->browser = NULL;
}

static void draw(struct app *app, struct frame *frame)
{
	struct show show = {.app = app};

	refresh(app);
	sum_machine(&show);
	fill_lines(&show);
	draw_picture(&show, frame);
	free(show.machine);
	free(show.lines);
	free(show.states);
	strbuf_fini(&show.detail);
}

const struct mode browser_mode = {
	.key = take_key,
	.takes_text = true,
	.click = click,
	.draw = draw,
};
