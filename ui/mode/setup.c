/*
 * The words of a setting are those of its command's completion: one that takes "a|b|c" comes onto
 * the page by a line in the table of choices.
 *
 * On the screen are tabs, titles of the lists, lists, details, message, keys. The list with the
 * cursor is there on every screen; a narrow one has no other, a low one no details and keys.
 */
#include "mode/setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/minmax.h"
#include "base/units.h"
#include "model/metric.h"
#include "view/column.h"
#include "view/column_sets.h"
#include "view/settings.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "term/key.h"
#include "widget/chooser.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

enum {
	WIDTH_MOST = 80,
	WORD_MAX = 64,
	TITLE_MAX = 80,
	/* columns and lines of the screen */
	HEAD_LINES = 2,       /* tabs and titles */
	KEYS_HEIGHT = 8,      /* least height of a screen with a key line, */
	TWO_KEYS_HEIGHT = 14, /* and with two */
	GAP = 2,
	TWO_LISTS_WIDTH = 60, /* least width with both lists */
	LEFT_MOST = 40,       /* columns of the left list */
	BODY_LEAST = 8,       /* lines for lists and details */
	DETAILS = 3,
	NAME_WIDTH = 13,      /* columns of a column's name and a blank, */
	NAME_WIDTH_WIDE = 19, /* in a list that is */
	LIST_WIDE = 60,       /* so wide; */
	SETTING_WIDTH = 16    /* of a setting's */
};

/* Where things are in the set-up page. */
struct setup_layout {
	int x[2], width[2]; /* of the lists; width 0: not there */
	int lines;
	int detail_y; /* 0: none */
	int message_y;
	int key_lines;
};

static struct setup_layout make_setup_layout(int width, int height, size_t active)
{
	struct setup_layout layout = {0};
	int body;

	layout.key_lines = height >= TWO_KEYS_HEIGHT ? 2 : height >= KEYS_HEIGHT ? 1 : 0;
	layout.message_y = height - 1 - layout.key_lines;
	body = layout.message_y - HEAD_LINES;
	layout.lines = body > 0 ? body : 0;
	if (body >= BODY_LEAST) {
		layout.lines = body - DETAILS - 1;
		layout.detail_y = HEAD_LINES + layout.lines + 1;
	}
	if (width < TWO_LISTS_WIDTH) {
		layout.width[active] = width;
		return layout;
	}
	layout.width[0] = smaller(width * 2 / 5, LEFT_MOST);
	layout.x[1] = layout.width[0] + GAP;
	layout.width[1] = width - layout.x[1];
	return layout;
}

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

static void fini_setup(void *state)
{
	struct setup *setup = state;

	for (size_t i = 0; i < 2; i++)
		column_list_fini(&setup->columns[i]);
	complete_fini(&setup->words);
}

size_t setup_tabs(const struct app *app)
{
	size_t count = 1;

	for (size_t i = 0; i < app_tabs(app); i++)
		count += !app->views[i].info->is_screen_only;
	return count;
}

size_t setup_view(const struct app *app, size_t tab)
{
	size_t view = 0;

	while (view < app_tabs(app) && (app->views[view].info->is_screen_only || tab > 0)) {
		tab -= !app->views[view].info->is_screen_only;
		view++;
	}
	return view;
}

static struct setup *setup_of(const struct app *app)
{
	return app->parts[PART_setup];
}

/* The view with the columns to choose; NULL: settings are. */
static struct view_state *view_of(struct app *app)
{
	const size_t view = setup_view(app, setup_of(app)->tab);

	return view < app_tabs(app) ? &app->views[view] : NULL;
}

static void find_columns(struct app *app, const struct view_state *view)
{
	struct columns *columns = engine_resolver(app->engine)->columns;
	struct column_list *shown = &setup_of(app)->columns[SETUP_SHOWN];
	struct column_list *available = &setup_of(app)->columns[SETUP_AVAILABLE];
	const size_t count = columns_count(columns);

	column_list_fini(shown);
	column_list_fini(available);
	view_columns_list(app, view, shown);
	for (size_t i = 0; i < count; i++) {
		const struct column *column = columns_get(columns, i);

		if (column_is_of(column, view->info->kind) && !column_list_has(shown, column) &&
		    !resolve_lacks_counters(engine_resolver(app->engine), column))
			column_list_add(available, column);
	}
}

static size_t setup_count(struct app *app, enum setup_side side)
{
	size_t count = 0;

	if (view_of(app))
		return setup_of(app)->columns[side].count;
	if (side == SETUP_AVAILABLE)
		return setup_of(app)->words.count;
	while (setup_setting(app, count))
		count++;
	return count;
}

static size_t setup_page_lines(const struct app *app)
{
	const int page =
		make_setup_layout(app->screen.width, app->screen.height, setup_of(app)->side).lines;

	return page > 0 ? (size_t)page : 1;
}

static void keep_cursor(struct app *app, enum setup_side side)
{
	cursor_keep(&setup_of(app)->cursors[side], setup_count(app, side), setup_page_lines(app));
}

void setup_refresh(struct app *app)
{
	const struct view_state *view = view_of(app);

	if (view) {
		find_columns(app, view);
	} else {
		char text[64];

		keep_cursor(app, SETUP_SHOWN);
		snprintf(text, sizeof(text), "%s ",
			 setup_setting(app, setup_of(app)->cursors[SETUP_SHOWN].at)->name);
		complete_find(&setup_of(app)->words, app, text);
	}
	keep_cursor(app, SETUP_SHOWN);
	keep_cursor(app, SETUP_AVAILABLE);
}

static void go_to_tab(struct app *app, size_t tab)
{
	setup_of(app)->tab = tab;
	memset(setup_of(app)->cursors, 0, sizeof(setup_of(app)->cursors));
	setup_of(app)->side = SETUP_SHOWN;
}

void setup_open(struct app *app)
{
	size_t tab = 0;

	while (tab + 1 < setup_tabs(app) && setup_view(app, tab) != app->view)
		tab++;
	/* a view without columns has none */
	go_to_tab(app, setup_view(app, tab) == app->view ? tab : 0);
	mode_open(app, &setup_mode);
	setup_refresh(app);
}

/* Runs "[in VIEW] COMMAND ARGUMENT". */
static bool run(struct app *app, const char *command, const char *argument)
{
	const struct view_state *view = view_of(app);
	bool good;

	app->message.text[0] = '\0';
	if (view)
		good = command_do(app, "in %s %s %s", view->info->name, command, argument);
	else
		good = command_do(app, "%s %s", command, argument);
	setup_of(app)->is_changed = setup_of(app)->is_changed || good;
	return good;
}

/* The column under the cursor; NULL: none. */
static const struct column *selected(const struct app *app, enum setup_side side)
{
	const struct column_list *list = &setup_of(app)->columns[side];
	const size_t at = setup_of(app)->cursors[side].at;

	return at < list->count ? list->columns[at] : NULL;
}

/* What is added comes behind the column under the cursor. */
static void add_column(struct app *app)
{
	const struct column *column = selected(app, SETUP_AVAILABLE);
	const size_t at = setup_of(app)->cursors[SETUP_SHOWN].at;
	size_t place = 0;

	if (!column || !run(app, "column", column->name))
		return;
	setup_refresh(app);
	while (place < setup_of(app)->columns[SETUP_SHOWN].count &&
	       setup_of(app)->columns[SETUP_SHOWN].columns[place] != column)
		place++;
	for (; place > at + 1; place--)
		view_columns_move(app, view_of(app), place, false);
	setup_of(app)->cursors[SETUP_SHOWN].at = place;
}

static void take_chosen_setting(struct app *app)
{
	const size_t at = setup_of(app)->cursors[SETUP_AVAILABLE].at;

	if (setup_of(app)->side == SETUP_SHOWN)
		setup_of(app)->side = SETUP_AVAILABLE;
	else if (view_of(app))
		add_column(app);
	else if (at < setup_of(app)->words.count)
		run(app, setup_setting(app, setup_of(app)->cursors[SETUP_SHOWN].at)->name,
		    setup_of(app)->words.words[at].name);
}

static void remove_column(struct app *app)
{
	const struct column *column = selected(app, SETUP_SHOWN);

	if (view_of(app) && setup_of(app)->side == SETUP_SHOWN && column)
		run(app, "remove-column", column->name);
}

static void move_column(struct app *app, bool is_down)
{
	struct cursor *cursor = &setup_of(app)->cursors[SETUP_SHOWN];
	struct view_state *view = view_of(app);

	if (!view || !view_columns_move(app, view, cursor->at, is_down))
		return;
	cursor->at = is_down ? cursor->at + 1 : cursor->at - 1;
	setup_of(app)->is_changed = true;
}

/* by: columns more or less; 0: as it was at first. */
static void resize_column(struct app *app, int by)
{
	const struct column *column = selected(app, setup_of(app)->side);
	const int width = column ? column->width + by : 0;
	char argument[COLUMN_NAME_MAX + 16];

	if (!view_of(app) || !column || (by != 0 && (width < 1 || width > WIDTH_MOST)))
		return;
	snprintf(argument, sizeof(argument), by != 0 ? "%s %d" : "%s", column->name, width);
	run(app, "width", argument);
}

static bool save_setup(struct app *app)
{
	const bool good = command_do(app, "save");

	setup_of(app)->is_changed = setup_of(app)->is_changed && !good;
	return good;
}

static void leave_setup(struct app *app)
{
	mode_close(app, &setup_mode);
	app->needs_build = true;
	if (setup_of(app)->is_changed)
		app_say(app, false, "for this session only; :save keeps it");
}

/* Where it was saved is still to be read. */
static void save_and_leave(struct app *app)
{
	struct message said;

	if (!save_setup(app))
		return;
	said = app->message;
	leave_setup(app);
	app->message = said;
}

/* Keys that mean nothing in other lists. */
static void take_other_setup_key(struct app *app, uint32_t key)
{
	struct setup *setup = setup_of(app);
	const size_t tabs = setup_tabs(app);

	switch (key) {
	case 'q':
		leave_setup(app);
		return;
	case KEY_CODE_F10:
		save_and_leave(app);
		return;
	case KEY_CODE_TAB:
	case KEY_CODE_BACK_TAB:
		setup->side = setup->side == SETUP_SHOWN ? SETUP_AVAILABLE : SETUP_SHOWN;
		return;
	case KEY_CODE_LEFT:
		go_to_tab(app, (setup->tab + tabs - 1) % tabs);
		return;
	case KEY_CODE_RIGHT:
		go_to_tab(app, (setup->tab + 1) % tabs);
		return;
	case KEY_CODE_INSERT:
		take_chosen_setting(app);
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
		save_setup(app);
		return;
	default:
		return;
	}
}

static void take_setup_key(struct app *app, uint32_t key)
{
	struct setup *setup = setup_of(app);
	const enum setup_side side = setup->side;

	app->needs_drawing = true;
	setup_refresh(app);
	switch (chooser_key(&setup->cursors[side], key, setup_count(app, side),
			    setup_page_lines(app))) {
	case CHOOSER_MOVED: /* another setting has other values */
		if (side == SETUP_SHOWN && !view_of(app))
			setup->cursors[SETUP_AVAILABLE] = (struct cursor){0};
		break;
	case CHOOSER_DONE:
		take_chosen_setting(app);
		break;
	case CHOOSER_LEFT:
		leave_setup(app);
		break;
	case CHOOSER_OTHER:
		take_other_setup_key(app, key);
		break;
	}
	setup_refresh(app);
}

/* What is drawn of it. */

/* A list that is drawn. */
struct setup_show {
	struct app *app;
	enum setup_side side;
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

/* The word that holds now; "" by default. */
static void find_value(const struct app *app, const struct command_info *setting, char *word)
{
	struct strbuf value = {0};

	settings_value(app, setting, &value);
	snprintf(word, WORD_MAX, "%s", strbuf_text(&value));
	strbuf_fini(&value);
}

/* The note is behind the name, cut where there is no room; the tail at the right end, "" none. */
static void draw_words(struct screen *screen, int x, int y, int width, int name_width,
		       const char *name, const char *note, const char *tail)
{
	const int tail_width = paragraph_width(tail);
	const int end = x + width - (tail_width > 0 ? tail_width + 1 : 0);
	const int note_x = x + name_width;
	int at = paragraph_draw_cut(screen, x, y, end - x, name, STYLE_NORMAL) + 1;

	at = at < note_x ? note_x : at;
	if (at < end)
		paragraph_draw_cut(screen, at, y, end - at, note, STYLE_DIM);
	screen_text_right(screen, end, y, x + width - end, tail, STYLE_NORMAL);
}

/* A column; a setting with its value; a word with a mark where it is the value. */
static void draw_setup_line(void *context, struct screen *screen, size_t index, int x, int y,
			    int width)
{
	const struct setup_show *show = context;
	const struct setup *setup = setup_of(show->app);
	const bool is_shown = show->side == SETUP_SHOWN;
	const struct command_info *setting;
	char word[WORD_MAX];

	if (view_of(show->app)) {
		const struct column *column = setup->columns[show->side].columns[index];

		snprintf(word, WORD_MAX, "%d", column->width);
		draw_words(screen, x, y, width, width < LIST_WIDE ? NAME_WIDTH : NAME_WIDTH_WIDE,
			   column->name, is_shown ? column->title : column_help(column),
			   is_shown ? word : "");
		return;
	}
	setting = setup_setting(show->app, is_shown ? index : setup->cursors[SETUP_SHOWN].at);
	find_value(show->app, setting, word);
	if (is_shown)
		draw_words(screen, x, y, width, SETTING_WIDTH, setting->name,
			   word[0] != '\0' ? word : "default", "");
	else
		draw_words(screen, x, y, width, SETTING_WIDTH, setup->words.words[index].name,
			   strcmp(setup->words.words[index].name, word) == 0 ? "current" : "", "");
}

static void write_setup_title(struct app *app, enum setup_side side, char title[static TITLE_MAX])
{
	const size_t count = setup_count(app, side);
	const struct view_state *view = view_of(app);
	const struct column_set *set = view ? view->set : NULL;

	if (!view)
		snprintf(title, TITLE_MAX, "%s", side == SETUP_SHOWN ? "setting" : "values");
	else if (side == SETUP_SHOWN)
		snprintf(title, TITLE_MAX, "shown: %zu column%s%s%s%s", count, units_plural(count),
			 set ? " (" : "", set ? set->name : "", set ? ")" : "");
	else
		snprintf(title, TITLE_MAX, "available: %zu", count);
}

static void draw_list(struct app *app, enum setup_side side, const struct setup_layout *layout)
{
	const bool is_active = side == setup_of(app)->side;
	const struct chooser chooser = {
		.cursor = &setup_of(app)->cursors[side],
		.count = setup_count(app, side),
		.nothing = "no others",
		.draw_line = draw_setup_line,
		.context = &(struct setup_show){app, side},
	};
	char title[TITLE_MAX];

	if (layout->width[side] == 0)
		return;
	write_setup_title(app, side, title);
	paragraph_draw_cut(&app->screen, layout->x[side], 1, layout->width[side], title,
			   is_active ? STYLE_TITLE_SORTED : STYLE_TITLE);
	chooser_draw(&chooser, &app->screen, layout->x[side], HEAD_LINES, layout->width[side],
		     layout->lines, is_active);
}

static void write_detail(const struct app *app, struct strbuf *detail)
{
	const enum setup_side side = setup_of(app)->side;
	const struct column_list *list = &setup_of(app)->columns[side];
	const size_t at = setup_of(app)->cursors[side].at;
	const struct command_info *info;

	if (setup_view(app, setup_of(app)->tab) == app_tabs(app)) {
		info = setup_setting(app, setup_of(app)->cursors[SETUP_SHOWN].at);
		strbuf_printf(detail, "%s: %s", info->name, info->help);
		return;
	}
	if (at >= list->count)
		return;
	strbuf_printf(detail, "%s: %s", list->columns[at]->name, column_help(list->columns[at]));
	if (list->columns[at]->info)
		strbuf_printf(detail, "\n= %s. %s", list->columns[at]->info->formula,
			      list->columns[at]->info->good);
}

static const char *tab_name(const struct app *app, size_t tab)
{
	const size_t view = setup_view(app, tab);

	return view < app_tabs(app) ? app->views[view].info->name : "settings";
}

/* As many tabs as have room beside the state, the active one among them. */
static void draw_setup_tabs(struct app *app)
{
	const char *state = setup_of(app)->is_changed ? "not saved" : "";
	const size_t active = setup_of(app)->tab, count = setup_tabs(app);
	struct screen *screen = &app->screen;
	const int end = screen->width - (state[0] != '\0' ? paragraph_width(state) + 1 : 0);
	size_t first = 0;
	int x = screen_text(screen, 0, 0, end, "Setup", STYLE_BOLD) + GAP;
	int needed = 0;

	for (size_t i = 0; i <= active; i++)
		needed += paragraph_width(tab_name(app, i)) + 3;
	while (first < active && x + needed > end)
		needed -= paragraph_width(tab_name(app, first++)) + 3;
	for (size_t i = first; i < count && x < end; i++)
		x = chooser_draw_tab(screen, x, end, tab_name(app, i), i == active);
	screen_text_right(screen, 0, 0, screen->width, state, STYLE_WARNING);
}

static void draw_setup_detail(struct app *app, int y)
{
	struct strbuf detail = {0};

	write_detail(app, &detail);
	screen_fill(&app->screen, 0, y - 1, app->screen.width, "─", STYLE_DIM);
	paragraph_draw(&app->screen, y, DETAILS, strbuf_text(&detail), STYLE_NORMAL);
	strbuf_fini(&detail);
}

/* Half of them on each line, where there are two. */
static void draw_setup_keys(struct app *app, int y, int lines)
{
	const struct frame_key *keys = view_of(app) ? column_keys : value_keys;
	const size_t count = view_of(app) ? sizeof(column_keys) / sizeof(*column_keys)
					  : sizeof(value_keys) / sizeof(*value_keys);
	const size_t first = lines == 2 ? (count + 1) / 2 : count;

	if (lines > 0)
		frame_draw_keys(&app->screen, keys, first, y);
	if (lines > 1)
		frame_draw_keys(&app->screen, keys + first, count - first, y + 1);
}

static void draw_setup(struct app *app, struct frame *frame)
{
	const struct setup_layout layout =
		make_setup_layout(app->screen.width, app->screen.height, setup_of(app)->side);

	if (!frame_begin(&app->screen))
		return;
	setup_refresh(app);
	draw_setup_tabs(app);
	draw_list(app, SETUP_SHOWN, &layout);
	draw_list(app, SETUP_AVAILABLE, &layout);
	if (layout.detail_y > 0)
		draw_setup_detail(app, layout.detail_y);
	chooser_draw_message(&app->screen, app->message.text, app->message.is_error, HEAD_LINES,
			     layout.message_y);
	draw_setup_keys(app, layout.message_y + 1, layout.key_lines);
}

static void click_setup(struct app *app, struct hit hit, bool is_right)
{
}

const struct mode setup_mode = {
	.key = take_setup_key,
	.is_page = true,
	.click = click_setup,
	.draw = draw_setup,
};

const struct app_part part_setup = {.bytes = sizeof(struct setup), .fini = fini_setup};
