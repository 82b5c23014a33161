/*
 * The table: a key goes through the key table to a command, a click is a command, too. The key line
 * has the keys of the view that is shown.
 */
#include <stdio.h>
#include <string.h>

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/mode.h"
#include "mode/strips.h"
#include "term/key.h"

/* To sort by a column is offered where it is shown. */
static bool is_of_use(const struct app *app, const char *command)
{
	static const char sort[] = "sort ";
	const size_t length = sizeof(sort) - 1;

	if (strncmp(command, sort, length) != 0)
		return true;
	for (size_t i = 0; i < view_table_column_count(app->table); i++)
		if (strcmp(view_table_column(app->table, i)->name, command + length) == 0)
			return true;
	return false;
}

/* Adds the keys that are in the line of the view, or while time is as it says. Returns how many. */
static size_t add_keys(const struct app *app, const char *time, struct frame_key *keys, size_t max)
{
	const bool is_replay = engine_is_replay(app->engine);
	const char *commands = app->views[app->view].info->keys;
	size_t count, used = 0;
	const struct key_binding *table = keys_now(&app->keys, &count);

	for (size_t i = 0; i < count && used < max; i++) {
		const struct key_binding *binding = &table[i];

		if (is_of_use(app, binding->command) &&
		    !(is_replay && keys_is_of_present(binding->command)) &&
		    keys_is_labelled(binding, time, commands))
			keys[used++] = (struct frame_key){binding->key, binding->label};
	}
	return used;
}

/* What the next key may be, after the first of two. */
static size_t awaited_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	size_t count, used = 0;
	const struct key_binding *table = keys_now(&app->keys, &count);

	for (size_t i = 0; i < count && used < max; i++)
		if (keys_is_awaited(&app->keys, &table[i]))
			keys[used++] = (struct frame_key){table[i].key, table[i].command};
	return used;
}

/* Those of time come first while they are of use, and more of them last where there is room. */
static size_t all_keys(const struct app *app, struct frame_key *keys, size_t max)
{
	const struct view_info *info = app->views[app->view].info;
	const bool is_replay = engine_is_replay(app->engine);
	size_t used = awaited_keys(app, keys, max);

	if (used > 0)
		return used;
	if (is_replay)
		used = add_keys(app, info->is_strip ? "replay-line" : "replay", keys, max);
	else if (playback_is_frozen(app->playback))
		used = add_keys(app, info->is_strip ? "frozen-line" : "frozen", keys, max);
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

/* What was said about the key before is over; Esc takes back a message itself. */
static void run_key(struct app *app, const char *command)
{
	if (app->message_is_answer && strcmp(command, "escape") != 0) {
		app->message[0] = '\0';
		app->message_is_answer = false;
		app->needs_drawing = true;
	}
	command_do(app, "%s", command);
}

static void type_key(struct app *app, uint32_t key)
{
	const uint32_t first = app->keys.pending;
	bool waits;
	const char *command = keys_type(&app->keys, key, &waits);

	/* the key line shows the first of two keys */
	app->needs_drawing = app->needs_drawing || waits || first != KEY_CODE_NONE;
	if (waits)
		return;
	if (!command) {
		say_no_command(app, first, key);
		return;
	}
	run_key(app, command);
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

static void select_row(struct app *app, size_t index)
{
	if (index >= view_table_row_count(app->table))
		return;
	list_select(&app_current(app)->list, app->table, index);
	app->needs_drawing = true;
}

void table_mode_click(struct app *app, struct hit hit, bool is_right)
{
	if (is_right && hit.kind != HIT_TITLE)
		return;
	switch (hit.kind) {
	case HIT_ROW:
		select_row(app, hit.index);
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
	case HIT_CELL:
		strips_point(app, hit.index, (size_t)hit.column);
		break;
	case HIT_NOTHING:
	case HIT_KEY:
	case HIT_CHOICE:
	case HIT_LINE:
		break;
	}
}

static void draw(struct app *app, struct frame *frame)
{
	frame_draw(&app->screen, frame);
}

const struct mode table_mode = {
	.key = type_key,
	.click = table_mode_click,
	.keys = all_keys,
	.draw = draw,
};
