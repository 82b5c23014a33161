/*
 * The words of a setting are those of its command's completion: one that takes "a|b|c" comes onto
 * the page by a line in the table of choices.
 */
#include "mode/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/column_sets.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/complete.h"
#include "session/settings.h"
#include "term/key.h"
#include "widget/frame.h"
#include "widget/pages.h"

enum {
	WIDTH_MOST = 80
};

const struct command_info *setup_setting(const struct app *app, size_t index)
{
	const struct command_info *row = NULL;

	while ((row = command_next(app->commands, row))) {
		const bool has_few = row->write && strchr(row->argument, '|');

		if ((row->setting || has_few) && index-- == 0)
			return row;
	}
	return NULL;
}

void setup_fini(struct setup *setup)
{
	for (size_t i = 0; i < 2; i++)
		column_list_fini(&setup->columns[i]);
	*setup = (struct setup){0};
}

size_t setup_tabs(const struct app *app)
{
	size_t count = 1;

	for (size_t i = 0; i < app->view_count; i++)
		count += !app->views[i].info->is_screen_only;
	return count;
}

size_t setup_view(const struct app *app, size_t tab)
{
	size_t view = 0;

	while (view < app->view_count && (app->views[view].info->is_screen_only || tab > 0)) {
		tab -= !app->views[view].info->is_screen_only;
		view++;
	}
	return view;
}

/* The view with the columns to choose; NULL: settings are. */
static struct app_view *view_of(struct app *app)
{
	const size_t view = setup_view(app, app->setup.tab);

	return view < app->view_count ? &app->views[view] : NULL;
}

static void find_columns(struct app *app, const struct app_view *view)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	struct column_list *shown = &app->setup.columns[SETUP_SHOWN];
	struct column_list *available = &app->setup.columns[SETUP_AVAILABLE];
	const size_t count = columns_count(columns);

	column_list_fini(shown);
	column_list_fini(available);
	view_columns_list(app, view, shown);
	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(columns, i);

		if (column_is_of(column, view->info->kind) && !column_list_has(shown, column))
			column_list_add(available, column);
	}
}

static size_t setup_count(struct app *app, enum setup_side side)
{
	size_t count = 0;

	if (view_of(app))
		return app->setup.columns[side].count;
	if (side == SETUP_AVAILABLE)
		return app->complete.count;
	while (setup_setting(app, count))
		count++;
	return count;
}

static size_t page_of(const struct app *app)
{
	const size_t page = setup_page(app->screen.width, app->screen.height);

	return page > 0 ? page : 1;
}

static void keep_cursor(struct app *app, enum setup_side side)
{
	cursor_keep(&app->setup.cursors[side], setup_count(app, side), page_of(app));
}

void setup_refresh(struct app *app)
{
	const struct app_view *view = view_of(app);

	if (view) {
		find_columns(app, view);
	} else {
		char text[64];

		keep_cursor(app, SETUP_SHOWN);
		snprintf(text, sizeof(text), "%s ",
			 setup_setting(app, app->setup.cursors[SETUP_SHOWN].at)->name);
		complete_find(&app->complete, app, text);
	}
	keep_cursor(app, SETUP_SHOWN);
	keep_cursor(app, SETUP_AVAILABLE);
}

static void go_to_tab(struct app *app, size_t tab)
{
	app->setup.tab = tab;
	memset(app->setup.cursors, 0, sizeof(app->setup.cursors));
	app->setup.side = SETUP_SHOWN;
}

void setup_open(struct app *app)
{
	size_t tab = 0;

	while (tab + 1 < setup_tabs(app) && setup_view(app, tab) != app->view)
		tab++;
	/* a view without columns has none */
	go_to_tab(app, setup_view(app, tab) == app->view ? tab : 0);
	mode_open(app, &setup_mode);
	app->message.text[0] = '\0';
	app->needs_drawing = true;
	setup_refresh(app);
}

/* Runs "[in VIEW] COMMAND ARGUMENT". */
static bool run(struct app *app, const char *command, const char *argument)
{
	const struct app_view *view = view_of(app);
	bool good;

	app->message.text[0] = '\0';
	if (view)
		good = command_do(app, "in %s %s %s", view->info->name, command, argument);
	else
		good = command_do(app, "%s %s", command, argument);
	app->setup.is_changed = app->setup.is_changed || good;
	return good;
}

/* The column under the cursor; NULL: none. */
static const struct column *selected(const struct app *app, enum setup_side side)
{
	const struct column_list *list = &app->setup.columns[side];
	const size_t at = app->setup.cursors[side].at;

	return at < list->count ? list->columns[at] : NULL;
}

/* What is added comes behind the column under the cursor. */
static void add_column(struct app *app)
{
	const struct column *column = selected(app, SETUP_AVAILABLE);
	const size_t at = app->setup.cursors[SETUP_SHOWN].at;
	size_t place = 0;

	if (!column || !run(app, "column", column->name))
		return;
	setup_refresh(app);
	while (place < app->setup.columns[SETUP_SHOWN].count &&
	       app->setup.columns[SETUP_SHOWN].columns[place] != column)
		place++;
	for (; place > at + 1; place--)
		view_columns_move(app, view_of(app), place, false);
	app->setup.cursors[SETUP_SHOWN].at = place;
}

static void take(struct app *app)
{
	const size_t at = app->setup.cursors[SETUP_AVAILABLE].at;

	if (app->setup.side == SETUP_SHOWN)
		app->setup.side = SETUP_AVAILABLE;
	else if (view_of(app))
		add_column(app);
	else if (at < app->complete.count)
		run(app, setup_setting(app, app->setup.cursors[SETUP_SHOWN].at)->name,
		    app->complete.words[at].name);
}

static void remove_column(struct app *app)
{
	const struct column *column = selected(app, SETUP_SHOWN);

	if (view_of(app) && app->setup.side == SETUP_SHOWN && column)
		run(app, "remove-column", column->name);
}

static void move_column(struct app *app, bool is_down)
{
	struct cursor *cursor = &app->setup.cursors[SETUP_SHOWN];
	struct app_view *view = view_of(app);

	if (!view || !view_columns_move(app, view, cursor->at, is_down))
		return;
	cursor->at = is_down ? cursor->at + 1 : cursor->at - 1;
	app->setup.is_changed = true;
}

/* by: columns more or less; 0: as it was at first. */
static void resize_column(struct app *app, int by)
{
	const struct column *column = selected(app, app->setup.side);
	const int width = column ? column->width + by : 0;
	char argument[COLUMN_NAME_MAX + 16];

	if (!view_of(app) || !column || (by != 0 && (width < 1 || width > WIDTH_MOST)))
		return;
	snprintf(argument, sizeof(argument), by != 0 ? "%s %d" : "%s", column->name, width);
	run(app, "width", argument);
}

static bool save(struct app *app)
{
	const bool good = command_do(app, "save");

	app->setup.is_changed = app->setup.is_changed && !good;
	return good;
}

static void leave(struct app *app)
{
	mode_close(app, &setup_mode);
	app->needs_build = true;
	if (app->setup.is_changed)
		app_say(app, false, "for this session only; :save keeps it");
}

/* Another setting has other values. */
static bool move_cursor(struct app *app, uint32_t key)
{
	const enum setup_side side = app->setup.side;

	if (!cursor_key(&app->setup.cursors[side], key, setup_count(app, side), page_of(app)))
		return false;
	if (side == SETUP_SHOWN && !view_of(app))
		app->setup.cursors[SETUP_AVAILABLE] = (struct cursor){0};
	return true;
}

/* Keys that change something. */
static void take_change(struct app *app, uint32_t key)
{
	switch (key) {
	case KEY_CODE_ENTER:
	case KEY_CODE_INSERT:
		take(app);
		return;
	case KEY_CODE_DELETE:
	case KEY_CODE_F9:
	case KEY_CTRL('D'):
		remove_column(app);
		return;
	case KEY_CODE_F7:
	case '[':
		move_column(app, false);
		return;
	case KEY_CODE_F8:
	case ']':
		move_column(app, true);
		return;
	case '+':
		resize_column(app, 1);
		return;
	case '-':
		resize_column(app, -1);
		return;
	case '=':
		resize_column(app, 0);
		return;
	case 'r':
		if (view_of(app))
			run(app, "columns", "");
		return;
	case 'f':
		if (view_of(app))
			run(app, "next-columns", "");
		return;
	case 's':
		save(app);
		return;
	default:
		return;
	}
}

static void take_key(struct app *app, uint32_t key)
{
	struct setup *setup = &app->setup;
	const size_t tabs = setup_tabs(app);

	app->needs_drawing = true;
	setup_refresh(app);
	switch (key) {
	case KEY_CODE_ESCAPE:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
	case 'q':
		leave(app);
		return;
	case KEY_CODE_F10:
		if (save(app))
			leave(app);
		return;
	case KEY_CODE_TAB:
	case KEY_CODE_BACK_TAB:
		setup->side = setup->side == SETUP_SHOWN ? SETUP_AVAILABLE : SETUP_SHOWN;
		break;
	case KEY_CODE_LEFT:
		go_to_tab(app, (setup->tab + tabs - 1) % tabs);
		break;
	case KEY_CODE_RIGHT:
		go_to_tab(app, (setup->tab + 1) % tabs);
		break;
	default:
		if (!move_cursor(app, key))
			take_change(app, key);
		break;
	}
	setup_refresh(app);
}

/* The words of the set-up page. */

enum {
	WORD_MAX = 64,
	TITLE_MAX = 80
};

/* Everything that the picture points to. */
struct show {
	struct app *app;
	const char *tabs[APP_VIEWS_MAX + 1];
	char titles[2][TITLE_MAX];
	struct setup_line *lines[2]; /* owned */
	char (*words[2])[WORD_MAX];  /* owned; one for each line */
	struct strbuf detail;
};

/* clang-format off */
static const struct frame_key column_keys[] = {
	{"Enter",      "add"},
	{"Del",        "remove"},
	{"F7 F8",      "move"},
	{"+ -",        "width"},
	{"Tab",        "other list"},
	{"Left Right", "other view"},
	{"f",          "set"},
	{"r",          "default"},
	{"s",          "save"},
	{"F10",        "save, back"},
	{"Esc",        "back"},
};

static const struct frame_key value_keys[] = {
	{"Enter",      "choose"},
	{"Tab",        "other list"},
	{"Left Right", "views"},
	{"s",          "save"},
	{"F10",        "save, back"},
	{"Esc",        "back"},
};
/* clang-format on */

static void fill_column(const struct column *column, enum setup_side side, struct setup_line *line,
			char *word)
{
	*line = (struct setup_line){
		.name = column->name,
		.note = side == SETUP_SHOWN ? column->title : column_help(column),
		.tail = side == SETUP_SHOWN ? word : "",
	};
	snprintf(word, WORD_MAX, "%d", column->width);
}

/* The word that holds now; "" by default. */
static void find_value(const struct app *app, const struct command_info *setting, char *word)
{
	struct strbuf value = {0};

	settings_value(app, setting, &value);
	snprintf(word, WORD_MAX, "%s", strbuf_text(&value));
	strbuf_fini(&value);
}

/* A setting with its value; a word with a mark where it is the value. */
static void fill_setting(struct app *app, enum setup_side side, size_t index,
			 struct setup_line *line, char *word)
{
	const struct command_info *setting =
		setup_setting(app, side == SETUP_SHOWN ? index : app->setup.cursors[0].at);

	find_value(app, setting, word);
	if (side == SETUP_SHOWN) {
		*line = (struct setup_line){.name = setting->name, .note = word, .tail = ""};
		if (word[0] == '\0')
			line->note = "default";
		return;
	}
	*line = (struct setup_line){.name = app->complete.words[index].name, .tail = ""};
	line->note = strcmp(line->name, word) == 0 ? "current" : "";
}

static void fill_list(struct show *show, enum setup_side side, struct setup_list_content *content)
{
	struct app *app = show->app;
	const struct cursor *cursor = &app->setup.cursors[side];
	const bool is_view = setup_view(app, app->setup.tab) < app->view_count;
	const size_t left = setup_count(app, side) - cursor->top;
	const size_t page = setup_page(app->screen.width, app->screen.height);
	const size_t count = left < page ? left : page;

	show->lines[side] = xcalloc(count, sizeof(*show->lines[side]));
	show->words[side] = xcalloc(count, sizeof(*show->words[side]));
	for (size_t i = 0; i < count; i++) {
		const size_t index = cursor->top + i;

		if (is_view)
			fill_column(app->setup.columns[side].columns[index], side,
				    &show->lines[side][i], show->words[side][i]);
		else
			fill_setting(app, side, index, &show->lines[side][i], show->words[side][i]);
	}
	*content = (struct setup_list_content){
		.title = show->titles[side],
		.lines = show->lines[side],
		.line_count = count,
		.selected = cursor->at - cursor->top,
		.nothing = "no others",
	};
}

static void write_titles(struct show *show)
{
	struct app *app = show->app;
	const size_t view = setup_view(app, app->setup.tab);
	const size_t counts[2] = {setup_count(app, SETUP_SHOWN), setup_count(app, SETUP_AVAILABLE)};
	const struct column_set *set;

	if (view == app->view_count) {
		snprintf(show->titles[0], TITLE_MAX, "setting");
		snprintf(show->titles[1], TITLE_MAX, "values");
		return;
	}
	set = app->views[view].set;
	snprintf(show->titles[0], TITLE_MAX, "shown: %zu column%s%s%s%s", counts[0],
		 units_plural(counts[0]), set ? " (" : "", set ? set->name : "", set ? ")" : "");
	snprintf(show->titles[1], TITLE_MAX, "available: %zu", counts[1]);
}

static void write_detail(struct show *show)
{
	const struct app *app = show->app;
	const enum setup_side side = app->setup.side;
	const struct column_list *list = &app->setup.columns[side];
	const size_t at = app->setup.cursors[side].at;
	const struct command_info *info;

	if (setup_view(app, app->setup.tab) == app->view_count) {
		info = setup_setting(app, app->setup.cursors[SETUP_SHOWN].at);
		strbuf_printf(&show->detail, "%s: %s", info->name, info->help);
		return;
	}
	if (at >= list->count)
		return;
	strbuf_printf(&show->detail, "%s: %s", list->columns[at]->name,
		      column_help(list->columns[at]));
	if (list->columns[at]->info)
		strbuf_printf(&show->detail, "\n= %s. %s", list->columns[at]->info->formula,
			      list->columns[at]->info->good);
}

static size_t fill_tabs(struct show *show)
{
	const struct app *app = show->app;
	const size_t count = setup_tabs(app);

	for (size_t i = 0; i < count; i++) {
		const size_t view = setup_view(app, i);

		show->tabs[i] = view < app->view_count ? app->views[view].info->name : "settings";
	}
	return count;
}

static void draw(struct app *app, struct frame *frame)
{
	struct show show = {.app = app};
	struct setup_content content = {
		.tabs = show.tabs,
		.active_tab = app->setup.tab,
		.active_list = app->setup.side,
		.state = app->setup.is_changed ? "not saved" : "",
		.message = app->message.text,
		.message_is_error = app->message.is_error,
	};
	const bool is_view = setup_view(app, app->setup.tab) < app->view_count;

	setup_refresh(app);
	content.tab_count = fill_tabs(&show);
	content.keys = is_view ? column_keys : value_keys;
	content.key_count = is_view ? sizeof(column_keys) / sizeof(*column_keys)
				    : sizeof(value_keys) / sizeof(*value_keys);
	write_titles(&show);
	fill_list(&show, SETUP_SHOWN, &content.lists[SETUP_SHOWN]);
	fill_list(&show, SETUP_AVAILABLE, &content.lists[SETUP_AVAILABLE]);
	write_detail(&show);
	content.detail = strbuf_text(&show.detail);
	frame->setup = &content;
	frame_draw(&app->screen, frame);
	frame->setup = NULL;
	for (size_t i = 0; i < 2; i++) {
		free(show.lines[i]);
		free(show.words[i]);
	}
	strbuf_fini(&show.detail);
}

static void click(struct app *app, struct hit hit, bool is_right)
{
}

const struct mode setup_mode = {
	.key = take_key,
	.click = click,
	.draw = draw,
};
