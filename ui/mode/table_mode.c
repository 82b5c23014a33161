/*
 * The table: a key goes through the key table to a command, a click is a command, too. The key line
 * has the keys of the view that is shown. And the menu of columns to order by.
 */
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/minmax.h"
#include "base/text.h"
#include "view/column.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/drawing.h"
#include "mode/keys.h"
#include "mode/pane.h"
#include "term/key.h"
#include "widget/chooser.h"
#include "widget/frame.h"
#include "widget/paragraph.h"

const char *table_mode_label(const struct app *app, const struct key_binding *binding)
{
	const char *form = app->views[app->view].info->next_form;

	return form && strcmp(binding->command, "next-form") == 0 ? form : binding->label;
}

/* Adds the keys that are in the line of the view, or while time is as it says: a label has the
 * first key that runs its command. Returns how many. */
static size_t add_keys(const struct app *app, const char *time, struct frame_key *keys, size_t max)
{
	const struct view_info *view = app->views[app->view].info;
	size_t count, used = 0;
	const struct key_binding *table = keys_now(NULL, &count);

	for (size_t i = 0; i < count && used < max; i++) {
		const struct key_binding *binding = &table[i];
		const char *key = keys_find(app->parts[PART_keys], binding->command);

		if (key && command_lacks(app, binding->command) == 0 &&
		    keys_is_labelled(binding, time, view->keys))
			keys[used++] = (struct frame_key){key, table_mode_label(app, binding)};
	}
	return used;
}

/* What the next key may be, after the first of two. */
static size_t awaited_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t count, used = 0;
	const struct key_binding *table = keys_now(app->parts[PART_keys], &count);

	for (size_t i = 0; i < count && used < max; i++)
		if (keys_is_awaited(app->parts[PART_keys], i))
			keys[used++] = (struct frame_key){table[i].key, table[i].command};
	return used;
}

/* Those of time come first while they are of use, and more of them last where there is room. */
static size_t all_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const bool is_replay = engine_is_replay(app->engine);
	size_t used = awaited_keys(app, keys, max);

	if (used > 0)
		return used;
	if (is_replay)
		used = add_keys(app, app_drawing(app) ? "replay-line" : "replay", keys, max);
	else if (playback_is_frozen(app->playback))
		used = add_keys(app, app_drawing(app) ? "frozen-line" : "frozen", keys, max);
	used += add_keys(app, NULL, keys + used, max - used);
	if (is_replay)
		used += add_keys(app, "replay-more", keys + used, max - used);
	return used;
}

/* Of two keys both are named; Esc takes the first one back. */
static void say_no_command(struct app *app, uint32_t first, uint32_t key)
{
	char names[2][KEYS_NAME_MAX] = {""};

	if (first != KEY_CODE_NONE && key == KEY_CODE_ESCAPE)
		return;
	if (first != KEY_CODE_NONE)
		key_name(first, names[0], sizeof(names[0]));
	key_name(key, names[1], sizeof(names[1]));
	app_say(app, false, "%s%s does nothing here; F1 shows the keys", names[0], names[1]);
}

/* A key that would change only a view that is not shown says where it works. */
static bool is_elsewhere(struct app *app, const char *command)
{
	char views[128] = "";

	if (!(command_lacks(app, command) & (COMMAND_NEEDS_VIEW | COMMAND_NEEDS_BARS)))
		return false;
	for (size_t i = 0; i < app_tabs(app); i++) {
		const struct view_info *info = app->views[i].info;
		const size_t length = strlen(views);

		if (strcmp(command, "cpu-strips") == 0 ? !view_is_of_cpus(info)
						       : command_is_of_view(info, command))
			snprintf(views + length, sizeof(views) - length, "%s%s",
				 length > 0 ? ", " : "", info->name);
	}
	app_say(app, false, "%s works in: %s", keys_name_of(app->parts[PART_keys], command),
		views[0] != '\0' ? views : "the flame graph");
	return true;
}

static void type_key(struct app *app, uint32_t key)
{
	struct keys *keys = app->parts[PART_keys];
	const uint32_t first = keys->pending;
	bool waits;
	const char *command = keys_type(keys, key, &waits);

	/* the key line shows the first of two keys */
	app->needs_drawing = app->needs_drawing || waits || first != KEY_CODE_NONE;
	if (waits)
		return;
	if (!command) {
		say_no_command(app, first, key);
		return;
	}
	/* what was said about the key before is over; Esc takes back a message itself */
	if (app->message.is_answer && strcmp(command, "escape") != 0)
		app_unsay(app);
	if (strcmp(command, "close") != 0 && strcmp(command, "quit") != 0)
		app->message.asks_to_quit = false;
	if (!is_elsewhere(app, command))
		command_do(app, "%s", command);
}

/* By the column; where they are sorted by it already, the other way round. */
static void sort_by(struct app *app, const struct column *column)
{
	bool descends;

	if (column == view_table_sort(app->table, &descends))
		command_do(app, "reverse");
	else
		command_do(app, "sort %s", column->name);
}

static void click_title(struct app *app, size_t index, bool is_right)
{
	const struct column *column;

	if (index >= view_table_column_count(app->table))
		return;
	column = view_table_column(app->table, index);
	if (is_right)
		command_do(app, "help %s", column->name);
	else
		sort_by(app, column);
}

static void select_table_row(struct app *app, size_t index)
{
	if (index >= view_table_row_count(app->table))
		return;
	list_select(&app->lists[app->view], app->table, index);
	app->needs_drawing = true;
}

void table_mode_click(struct app *app, struct hit hit, bool is_right)
{
	const struct drawing *drawing = app_drawing(app);

	if (is_right && hit.kind != HIT_TITLE)
		return;
	if (drawing && drawing->click && (hit.kind == HIT_ROW || hit.kind == HIT_CELL)) {
		drawing->click(app, hit);
		return;
	}
	switch (hit.kind) {
	case HIT_ROW:
		select_table_row(app, hit.index);
		break;
	case HIT_TITLE:
		click_title(app, hit.index, is_right);
		break;
	case HIT_TAB:
		if (hit.index < app->view_count)
			command_do(app, "view %s", app->views[hit.index].info->name);
		break;
	case HIT_SLIDER:
		/* to the middle of the part of the time that the column represents */
		command_do(app, "jump %.4f%%", (hit.column + 0.5) * 100 / (double)hit.columns);
		break;
	case HIT_PANE:
		command_do(app, "task");
		break;
	case HIT_NOTHING:
	case HIT_CELL:
	case HIT_KEY:
	case HIT_CHOICE:
		break;
	}
}

static void draw_table_mode(struct app *app, struct frame *frame)
{
	pane_show(app, frame);
	frame_draw(&app->screen, frame);
}

const struct mode table_mode = {
	.key = type_key,
	.click = table_mode_click,
	.keys = all_keys,
	.draw = draw_table_mode,
};

/* What is chosen becomes a sort command, so that a key does nothing that cannot be typed. */

enum {
	LINES_MAX = 256,
	PANEL_WIDTH = 100,
	LINES_BELOW = 2, /* message and keys */
	NAME_X = 2,
	NAME_WIDTH = 16,
	DETAIL_X = NAME_X + NAME_WIDTH + 1
};

static struct sort_menu *menu_of(const struct app *app)
{
	return app->parts[PART_sort_menu];
}

struct sort_menu {
	struct cursor cursor; /* in the lines that are shown */
	char typed[32];       /* narrows them; as it was typed */
};

/* The columns that the typed text leaves; at most LINES_MAX. */
static size_t list_columns(const struct app *app, const struct column **columns)
{
	const char *typed = menu_of(app)->typed;
	size_t count = 0;

	for (size_t i = 0; i < view_table_column_count(app->table) && count < LINES_MAX; i++) {
		const struct column *column = view_table_column(app->table, i);

		if (resolve_lacks_counters(engine_resolver(app->engine), column))
			continue;
		if (text_contains(column->name, typed) || text_contains(column->title, typed))
			columns[count++] = column;
	}
	return count;
}

/* The one that the rows are ordered by, if it is among them. */
static size_t find_sorted(const struct app *app)
{
	const struct column *columns[LINES_MAX];
	const size_t count = list_columns(app, columns);
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);

	for (size_t i = 0; i < count; i++)
		if (columns[i] == sort)
			return i;
	return 0;
}

void sort_menu_open(struct app *app)
{
	if (view_order_is_fixed(app))
		return;
	*menu_of(app) = (struct sort_menu){0};
	menu_of(app)->cursor.at = find_sorted(app);
	mode_open(app, &sort_menu_mode);
}

/* The one that the rows are ordered by turns round. is_second: for those that are alike in it. */
static void choose_row(struct app *app, bool is_second)
{
	const struct column *columns[LINES_MAX];
	const size_t selected = menu_of(app)->cursor.at;
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);

	if (selected >= list_columns(app, columns))
		return;
	mode_close(app, &sort_menu_mode);
	if (columns[selected] == sort)
		command_do(app, "reverse");
	else if (is_second && sort) /* a log may have none */
		command_do(app, "sort %c%s,%s", descends ? '-' : '+', sort->name,
			   columns[selected]->name);
	else
		command_do(app, "sort %s", columns[selected]->name);
}

/* Characters of names narrow the list; others do nothing. */
static void type_in_menu(struct sort_menu *menu, uint32_t key)
{
	const size_t length = strlen(menu->typed);

	if (key == KEY_CTRL('U'))
		menu->typed[0] = '\0';
	else if (key == KEY_CODE_BACKSPACE && length > 0)
		menu->typed[length - 1] = '\0';
	else if (key > ' ' && key <= '~' && length + 1 < sizeof(menu->typed))
		snprintf(menu->typed + length, 2, "%c", (char)key);
	else
		return;
	menu->cursor.at = 0;
}

static void take_menu_key(struct app *app, uint32_t key)
{
	struct sort_menu *menu = menu_of(app);
	const struct column *columns[LINES_MAX];

	app->needs_drawing = true;
	switch (chooser_key(&menu->cursor, key, list_columns(app, columns), LINES_MAX)) {
	case CHOOSER_DONE:
		choose_row(app, false);
		return;
	case CHOOSER_LEFT:
		mode_close(app, &sort_menu_mode);
		return;
	case CHOOSER_MOVED:
		return;
	case CHOOSER_OTHER:
		break;
	}
	if (key == KEY_CODE_SPACE)
		choose_row(app, true);
	else if (key == KEY_CODE_F6)
		mode_close(app, &sort_menu_mode);
	else
		type_in_menu(menu, key);
}

static const char *mark_of_column(const struct app *app, const struct column *column)
{
	bool descends;
	const bool is_sorted = column == view_table_sort(app->table, &descends) ||
			       column == view_table_then(app->table, &descends);

	if (!is_sorted)
		return "";
	return descends ? "▼" : "▲";
}

/* The menu as it is drawn. */
struct menu {
	const struct app *app;
	const struct column *columns[LINES_MAX];
};

static void draw_column(void *context, struct screen *screen, size_t index, int x, int y, int width)
{
	const struct menu *menu = context;
	const struct column *column = menu->columns[index];

	screen_text(screen, x, y, 1, mark_of_column(menu->app, column), STYLE_KEY);
	paragraph_draw_cut(screen, x + NAME_X, y, smaller(width - NAME_X, NAME_WIDTH),
			   column->title, STYLE_BOLD);
	if (width > DETAIL_X)
		paragraph_draw_cut(screen, x + DETAIL_X, y, width - DETAIL_X, column_help(column),
				   STYLE_NORMAL);
}

/* Nothing of what is under it looks out, or can be clicked. */
static void clear_lines(struct screen *screen, int y, int lines)
{
	for (int i = 0; i < lines; i++) {
		screen_fill(screen, 0, y + i, screen->width, " ", STYLE_NORMAL);
		screen_deselect_columns(screen, y + i, screen->width);
	}
	screen_mark(screen, 0, y, screen->width, lines, HIT_NOTHING, 0);
}

/* Over the lower part of the screen, but for the message line. */
static void draw_menu(struct app *app, struct frame *frame)
{
	static const struct frame_key keys[] = {
		{"Enter", "sort"},
		{"Space", "then by... (tie-break)"},
		{"Esc", "back"},
	};
	struct screen *screen = &app->screen;
	struct menu menu = {.app = app};
	const struct chooser chooser = {
		.cursor = &menu_of(app)->cursor,
		.count = list_columns(app, menu.columns),
		.nothing = "  no column of this view has that in its name",
		.draw_line = draw_column,
		.context = &menu,
	};
	const int width = smaller(screen->width, PANEL_WIDTH);
	const int shown = smaller(screen->height - LINES_BELOW - 1, larger((int)chooser.count, 1));
	const int y = screen->height - LINES_BELOW - shown - 1;
	char heading[64];

	if (shown < 1 || !frame_has_room(screen))
		return;
	snprintf(heading, sizeof(heading), "Sort by: %s",
		 menu_of(app)->typed[0] == '\0' ? "(letters narrow the list)"
						: menu_of(app)->typed);
	clear_lines(screen, y, screen->height - y);
	screen_fill(screen, 0, y, width, " ", STYLE_TITLE_SORTED);
	paragraph_draw_cut(screen, 0, y, width, heading, STYLE_TITLE_SORTED);
	chooser_draw(&chooser, screen, 0, y + 1, width, shown, true);
	paragraph_draw_cut(screen, 0, screen->height - LINES_BELOW, screen->width, frame->message,
			   frame->message_is_error ? STYLE_ERROR : STYLE_MESSAGE);
	frame_draw_keys(screen, keys, sizeof(keys) / sizeof(*keys), screen->height - 1);
}

/* Chooses a line; the chosen one is sorted by. */
static void click_menu(struct app *app, struct hit hit, bool is_right)
{
	app->needs_drawing = true;
	if (chooser_click(&menu_of(app)->cursor, hit, is_right) == CHOOSER_DONE)
		choose_row(app, false);
}

const struct mode sort_menu_mode = {
	.key = take_menu_key,
	.click = click_menu,
	.draw_over = draw_menu,
};

const struct app_part part_sort_menu = {.bytes = sizeof(struct sort_menu)};
