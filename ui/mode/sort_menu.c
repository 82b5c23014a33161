/* What is chosen becomes a sort command, so that a key does nothing that cannot be typed. */
#include "mode/sort_menu.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "view/column.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/mode.h"
#include "term/key.h"
#include "widget/frame.h"
#include "widget/menu.h"

enum {
	LINES_MAX = 256,
};

/* The columns that the typed text leaves; at most LINES_MAX. */
static size_t list_columns(const struct app *app, const struct column **columns)
{
	const char *typed = app->sort_menu->typed;
	size_t count = 0;

	for (size_t i = 0; i < view_table_column_count(app->table) && count < LINES_MAX; i++) {
		const struct column *column = view_table_column(app->table, i);

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
	*app->sort_menu = (struct sort_menu){0};
	app->sort_menu->cursor.at = find_sorted(app);
	mode_open(app, &sort_menu_mode);
}

/* The one that the rows are ordered by turns round. is_second: for those that are alike in it. */
static void choose(struct app *app, bool is_second)
{
	const struct column *columns[LINES_MAX];
	const size_t selected = app->sort_menu->cursor.at;
	bool descends;
	const struct column *sort = view_table_sort(app->table, &descends);

	if (selected >= list_columns(app, columns))
		return;
	mode_close(app, &sort_menu_mode);
	if (columns[selected] == sort)
		command_do(app, "reverse");
	else if (is_second)
		command_do(app, "sort %c%s,%s", descends ? '-' : '+', sort->name,
			   columns[selected]->name);
	else
		command_do(app, "sort %s", columns[selected]->name);
}

/* Characters of names; others do nothing. */
static void type(struct app *app, uint32_t key)
{
	struct sort_menu *menu = app->sort_menu;
	const size_t length = strlen(menu->typed);

	if (key <= ' ' || key > '~' || length + 1 >= sizeof(menu->typed))
		return;
	menu->typed[length] = (char)key;
	menu->typed[length + 1] = '\0';
	menu->cursor.at = 0;
}

static void untype(struct app *app)
{
	struct sort_menu *menu = app->sort_menu;
	const size_t length = strlen(menu->typed);

	if (length > 0)
		menu->typed[length - 1] = '\0';
	menu->cursor.at = 0;
}

static void take_key(struct app *app, uint32_t key)
{
	struct sort_menu *menu = app->sort_menu;
	const struct column *columns[LINES_MAX];

	app->needs_drawing = true;
	switch (key) {
	case KEY_CODE_ENTER:
		choose(app, false);
		return;
	case KEY_CODE_SPACE:
		choose(app, true);
		return;
	case KEY_CODE_BACKSPACE:
		untype(app);
		return;
	case KEY_CTRL('U'):
		menu->typed[0] = '\0';
		return;
	case KEY_CODE_ESCAPE:
	case KEY_CODE_F6:
	case KEY_CTRL('C'):
	case KEY_CTRL('G'):
		mode_close(app, &sort_menu_mode);
		return;
	default:
		if (!cursor_key(&menu->cursor, key, list_columns(app, columns), LINES_MAX))
			type(app, key);
		return;
	}
}

static const char *mark_of(const struct app *app, const struct column *column)
{
	bool descends;
	const bool is_sorted = column == view_table_sort(app->table, &descends) ||
			       column == view_table_then(app->table, &descends);

	if (!is_sorted)
		return "";
	return descends ? "▼" : "▲";
}

static void draw_over(struct app *app)
{
	static const struct frame_key keys[] = {
		{"Enter", "sort"},
		{"Space", "then by... (tie-break)"},
		{"Esc", "back"},
	};
	const struct column *columns[LINES_MAX];
	struct menu_line lines[LINES_MAX];
	const size_t count = list_columns(app, columns);
	char heading[64];

	for (size_t i = 0; i < count; i++)
		lines[i] = (struct menu_line){mark_of(app, columns[i]), columns[i]->title,
					      column_help(columns[i])};
	snprintf(heading, sizeof(heading), "Sort by: %s",
		 app->sort_menu->typed[0] == '\0' ? "(letters narrow the list)"
						  : app->sort_menu->typed);
	menu_draw(&app->screen,
		  &(struct menu_content){.heading = heading,
					 .lines = lines,
					 .count = count,
					 .selected = app->sort_menu->cursor.at,
					 .nothing = "no column of this view has that in its name",
					 .keys = keys,
					 .key_count = sizeof(keys) / sizeof(*keys)});
}

/* Chooses a line; the chosen one is sorted by. */
static void click(struct app *app, struct hit hit, bool is_right)
{
	struct cursor *cursor = &app->sort_menu->cursor;

	if (hit.kind != HIT_CHOICE || is_right)
		return;
	app->needs_drawing = true;
	if (hit.index == cursor->at)
		choose(app, false);
	else
		cursor->at = hit.index;
}

const struct mode sort_menu_mode = {
	.key = take_key,
	.click = click,
	.draw_over = draw_over,
};
