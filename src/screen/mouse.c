#include "screen/mouse.h"

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "ui/key.h"
#include "ui/term.h"

#include "command/commands.h"
#include "rows/acting.h"
#include "screen/browser.h"
#include "screen/pager.h"
#include "screen/setup.h"
#include "screen/sort_menu.h"
#include "screen/strips_cursor.h"

enum {
	WHEEL_LINES = 3,
	COMMAND_MAX = 400
};

static void run(struct app *app, const char *command)
{
	struct error error = {0};

	if (!command_run(app, command, &error))
		app_refuse(app, &error);
}

/* By the column; where they are sorted by it already, the other way round. */
static void sort_by(struct app *app, size_t index)
{
	const struct column *column;
	char command[COMMAND_MAX];
	bool descends;

	if (index >= view_table_column_count(app->table))
		return;
	column = view_table_column(app->table, index);
	snprintf(command, sizeof(command), "sort %s", column->name);
	run(app, column == view_table_sort(app->table, &descends) ? "reverse" : command);
}

static void explain(struct app *app, size_t index)
{
	char command[COMMAND_MAX];

	if (index >= view_table_column_count(app->table))
		return;
	snprintf(command, sizeof(command), "help %s", view_table_column(app->table, index)->name);
	run(app, command);
}

static void show_tab(struct app *app, size_t index)
{
	char command[COMMAND_MAX];

	if (index >= app->view_count)
		return;
	snprintf(command, sizeof(command), "view %s", app->views[index].info->name);
	run(app, command);
}

static void select_row(struct app *app, size_t index)
{
	if (index >= view_table_row_count(app->table))
		return;
	list_select(&app_current(app)->list, app->table, index);
	app->needs_drawing = true;
}

/* To the middle of the part of the time that the column stands for. */
static void jump(struct app *app, struct hit hit)
{
	char command[COMMAND_MAX];

	snprintf(command, sizeof(command), "jump %.4f%%",
		 (hit.column + 0.5) * 100 / (double)hit.columns);
	run(app, command);
}

/* A key where a click means one. */
static uint32_t click(struct app *app, struct hit hit)
{
	switch (hit.kind) {
	case HIT_NOTHING:
		break;
	case HIT_ROW:
		select_row(app, hit.index);
		break;
	case HIT_TITLE:
		sort_by(app, hit.index);
		break;
	case HIT_TAB:
		show_tab(app, hit.index);
		break;
	case HIT_KEY:
		return (uint32_t)hit.index;
	case HIT_CHOICE:
		if (app->sort_menu.is_open)
			sort_menu_point(app, hit.index);
		else
			acting_point(app, hit.index);
		break;
	case HIT_LINE:
		browser_point(app, hit.index);
		break;
	case HIT_SLIDER:
		jump(app, hit);
		break;
	case HIT_CELL:
		strips_point(app, hit.index, (size_t)hit.column);
		break;
	}
	return KEY_CODE_NONE;
}

/* The wheel is so many arrow keys, wherever arrow keys scroll. */
static void roll(struct app *app, uint32_t arrow)
{
	const bool is_up = arrow == KEY_CODE_UP;

	for (int i = 0; i < WHEEL_LINES; i++)
		if (acting_is_open(app))
			acting_key(app, arrow);
		else if (app->browser.is_open)
			browser_key(app, arrow);
		else if (app->setup.is_open)
			setup_key(app, arrow);
		else if (app->sort_menu.is_open)
			sort_menu_key(app, arrow);
		else if (app->pager.is_open)
			pager_key(app, arrow);
		else
			run(app, is_up ? "up" : "down");
}

/* While a list or a question is open nothing behind it is clicked. */
static bool is_covered(const struct app *app, struct hit hit)
{
	return (acting_is_open(app) || app->sort_menu.is_open) && hit.kind != HIT_CHOICE &&
	       hit.kind != HIT_KEY;
}

uint32_t mouse_take(struct app *app, uint32_t key)
{
	struct hit hit;
	int x, y;

	if (key < KEY_CODE_POINTER || key > KEY_CODE_POINTER_LAST)
		return key;
	if (app->prompt.is_open)
		return KEY_CODE_NONE; /* it has the keyboard, and nothing to point at */
	term_pointer(app->term, &x, &y);
	hit = hit_map_find(&app->screen.hits, x, y);
	switch (key) {
	case KEY_CODE_WHEEL_UP:
		roll(app, KEY_CODE_UP);
		break;
	case KEY_CODE_WHEEL_DOWN:
		roll(app, KEY_CODE_DOWN);
		break;
	case KEY_CODE_CLICK_RIGHT:
		if (hit.kind == HIT_TITLE && !is_covered(app, hit))
			explain(app, hit.index);
		break;
	case KEY_CODE_CLICK:
		return is_covered(app, hit) ? KEY_CODE_NONE : click(app, hit);
	default:
		break;
	}
	return KEY_CODE_NONE;
}

void mouse_switch(struct app *app, bool is_on)
{
	app->mouse_is_off = !is_on;
	if (app->term && !term_set_mouse(app->term, is_on) && is_on)
		app_say(app, false, "this terminal does not report the mouse");
	else if (!app->is_starting)
		app_say(app, false, is_on ? "mouse on; hold Shift to select text" : "mouse off");
}
