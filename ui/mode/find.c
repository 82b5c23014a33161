#include "mode/find.h"

#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "model/snapshot.h"

#include "mode/app.h"
#include "mode/command.h"
#include "mode/keys.h"

/* Bytes of the lines before the last one, its newline included. */
static size_t bytes_before_last(const char *lines)
{
	const char *newline = strrchr(lines, '\n');

	return newline ? (size_t)(newline - lines) + 1 : 0;
}

const char *filters_last(const struct app *app)
{
	const char *lines = strbuf_text(&app->filter);

	return lines + bytes_before_last(lines);
}

/* Where the last line begins in the new lines. */
static size_t join(struct strbuf *out, const char *lines, const char *text, bool is_added)
{
	const size_t kept = is_added ? strlen(lines) : bytes_before_last(lines);
	size_t begin;

	strbuf_add_bytes(out, lines, kept);
	if (is_added && kept > 0)
		strbuf_add_char(out, '\n');
	begin = out->length;
	strbuf_add(out, text);
	return begin;
}

/* Without the newline that nothing follows. */
static void take_off_newline(struct strbuf *lines)
{
	if (lines->length > 0 && strbuf_text(lines)[lines->length - 1] == '\n') {
		struct strbuf shorter = {0};

		strbuf_add_bytes(&shorter, strbuf_text(lines), lines->length - 1);
		strbuf_fini(lines);
		*lines = shorter;
	}
}

void filters_report_unsupported(struct app *app)
{
	struct error unsupported = {0};

	if (!resolve_fits_view(engine_resolver(app->engine), strbuf_text(&app->filter),
			       app_current(app)->info, &unsupported))
		app_say(app, true, "%s; showing all rows", unsupported.text);
}

bool filters_set(struct app *app, const char *text, struct error *error)
{
	app->needs_build = true;
	if (!resolve_filter(engine_resolver(app->engine), text, &app->fault, error))
		return false;
	strbuf_clear(&app->filter);
	strbuf_add(&app->filter, text);
	if (engine_resolver(app->engine)->note.code != ERROR_NONE)
		app_say(app, true, "%s", engine_resolver(app->engine)->note.text);
	filters_report_unsupported(app);
	return true;
}

void filters_restore(struct app *app, const char *text)
{
	strbuf_clear(&app->filter);
	strbuf_add(&app->filter, text);
	app->needs_build = true;
}

static bool set(struct app *app, const char *text, bool is_added, struct error *error)
{
	struct strbuf lines = {0};
	const size_t begin = join(&lines, strbuf_text(&app->filter), text, is_added);
	bool good;

	take_off_newline(&lines);
	good = filters_set(app, strbuf_text(&lines), error);
	if (!good && app->fault != RESOLVE_NOWHERE)
		app->fault = app->fault > begin ? app->fault - begin : 0;
	strbuf_fini(&lines);
	return good;
}

bool filters_replace(struct app *app, const char *text, struct error *error)
{
	return set(app, text, false, error);
}

bool filters_add(struct app *app, const char *text, struct error *error)
{
	return set(app, text, true, error);
}

void filters_try(struct app *app, const char *before, const char *text, bool is_added)
{
	struct strbuf lines = {0};

	join(&lines, before, text, is_added);
	take_off_newline(&lines);
	filters_restore(app, strbuf_text(&lines));
	strbuf_fini(&lines);
}

void filters_write(const char *lines, struct strbuf *out, bool ascii)
{
	while (*lines != '\0') {
		const size_t length = strcspn(lines, "\n");

		strbuf_add_bytes(out, lines, length);
		lines += length;
		if (*lines != '\0')
			strbuf_add(out, ascii ? " & " : " · ");
		lines += *lines != '\0';
	}
}

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

	const bool hides_idle = app_current(app)->info->kind == ROW_TASK && !app->settings.idle;

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

bool search_for(struct app *app, const char *words, struct error *error)
{
	struct search *search = app->search;
	const size_t count = view_table_row_count(app->table);
	const bool is_same = strcmp(strbuf_text(&search->words), words) == 0;

	if (is_same && search_on(app))
		return true;
	strbuf_clear(&search->words);
	strbuf_add(&search->words, words);
	search->left = 0;
	search->is_back = false;
	if (words[0] != '\0')
		search_rows(app, app_current(app)->list.cursor.at, count);
	return true;
}

void search_next(struct app *app, bool is_back)
{
	const size_t count = view_table_row_count(app->table);

	if (app->search->is_back == is_back && search_on(app))
		return;
	app->search->is_back = is_back;
	if (count == 0)
		report_failure(app);
	else
		search_rows(app, row_after(app, app_current(app)->list.cursor.at, 1), count);
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
