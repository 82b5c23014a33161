#include "mode/search.h"

#include <string.h>

#include "base/text.h"
#include "model/snapshot.h"

#include "mode/app.h"
#include "mode/keys.h"

/* What is in the cells of words and numbers, and the command line, shown or not. */
static bool row_matches(const struct app *app, size_t row, const char *words)
{
	const struct snapshot_task *task = view_table_row(app->table, row)->task;
	struct cell cell;

	for (size_t i = 0; i < view_table_column_count(app->table); i++) {
		enum column_format format = view_table_column(app->table, i)->format;

		if (format != COLUMN_TEXT && format != COLUMN_INTEGER)
			continue;
		view_table_cell(app->table, row, i, &cell);
		if (text_contains(cell.text, words))
			return true;
	}
	return task && task->command_line && text_contains(task->command_line, words);
}

/* The row so many places on. */
static size_t row_after(const struct app *app, size_t row, size_t places)
{
	const size_t count = view_table_row_count(app->table);

	places %= count;
	if (app->views[app->view].list.is_log != app->search->is_back)
		return (row + count - places) % count;
	return (row + places) % count;
}

static void select_row(struct app *app, size_t row)
{
	list_select(&app_current(app)->list, app->table, row);
	app->needs_drawing = true;
}

static void report_failure(struct app *app)
{
	const char *words = strbuf_text(&app->search->words);

	const bool hides_idle = app_current(app)->info->kind == ROW_TASK && !app->idle_tasks;

	if (app->search->left == 0 && hides_idle)
		app_say(app, true, "no match for \"%s\" (%s: include idle tasks)", words,
			keys_name_of(&app->keys, "idle"));
	else if (app->search->left == 0)
		app_say(app, true, "no match for \"%s\"", words);
	else
		app_say(app, true,
			"\"%s\" is not in the last %d lines; %s: search on, %s: filter all", words,
			SEARCH_ROWS_MOST, keys_name_of(&app->keys, "search-next"),
			keys_name_of(&app->keys, "ask filter"));
}

/* Looks at `left` rows from `start` on, as many as there may be at once. */
static void search_rows(struct app *app, size_t start, size_t left)
{
	struct search *search = app->search;
	const size_t rows = left < SEARCH_ROWS_MOST ? left : SEARCH_ROWS_MOST;

	search->left = 0;
	for (size_t i = 0; i < rows; i++) {
		const size_t row = row_after(app, start, i);

		if (!row_matches(app, row, strbuf_text(&search->words)))
			continue;
		select_row(app, row);
		return;
	}
	search->left = left - rows;
	if (search->left > 0) {
		search->next_id = view_table_row(app->table, row_after(app, start, rows))->id;
		search->cursor_id = app_current(app)->list.cursor_id;
	}
	report_failure(app);
}

/* Goes on where the last search stopped; false: there is none to go on with. */
static bool search_on(struct app *app)
{
	const struct list *list = &app_current(app)->list;
	const size_t count = view_table_row_count(app->table);
	int row;

	if (app->search->left == 0 || app->search->left > count ||
	    app->search->cursor_id != list->cursor_id)
		return false;
	row = view_table_index_of(app->table, app->search->next_id);
	if (row < 0)
		return false;
	search_rows(app, (size_t)row, app->search->left);
	return true;
}

void search_for(struct app *app, const char *words)
{
	struct search *search = app->search;
	const size_t count = view_table_row_count(app->table);
	const bool is_same = strcmp(strbuf_text(&search->words), words) == 0;

	if (is_same && search_on(app))
		return;
	strbuf_clear(&search->words);
	strbuf_add(&search->words, words);
	search->left = 0;
	search->is_back = false;
	if (words[0] == '\0')
		return;
	search_rows(app, app_current(app)->list.cursor, count);
}

static void search_beyond(struct app *app, bool is_back)
{
	const size_t count = view_table_row_count(app->table);

	if (app->search->is_back == is_back && search_on(app))
		return;
	app->search->is_back = is_back;
	if (count == 0)
		report_failure(app);
	else
		search_rows(app, row_after(app, app_current(app)->list.cursor, 1), count);
}

void search_next(struct app *app)
{
	search_beyond(app, false);
}

void search_previous(struct app *app)
{
	search_beyond(app, true);
}

void search_begin(struct app *app)
{
	app->search->origin = app_current(app)->list;
}

void search_return(struct app *app)
{
	struct list *list = &app_current(app)->list;

	*list = app->search->origin;
	list_follow(list, app->table);
	app->search->left = 0;
	app->message[0] = '\0'; /* that it was not found */
	app->needs_drawing = true;
}
