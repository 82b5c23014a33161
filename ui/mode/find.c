#include "mode/find.h"

#include <string.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/snapshot.h"
#include "view/functions.h"
#include "view/groups.h"
#include "view/names.h"

#include "mode/app.h"
#include "mode/app_view.h"
#include "mode/command.h"
#include "mode/compared.h"
#include "mode/drawing.h"
#include "mode/hosts.h"
#include "mode/keys.h"
#include "session/options.h"
#include "session/resolve.h"

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
static size_t join_filter(struct strbuf *out, const char *lines, const char *text, bool is_added)
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

/* All of them, one a line; "": all rows are shown. */
static bool filters_set(struct app *app, const char *text, struct error *error)
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
	const size_t begin = join_filter(&lines, strbuf_text(&app->filter), text, is_added);
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

	join_filter(&lines, before, text, is_added);
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

/* What is in the cells of words and numbers. */
static bool row_matches(const struct app *app, size_t row, const char *words)
{
	struct cell cell;

	for (size_t i = 0; i < view_table_column_count(app->table); i++) {
		enum column_format format = view_table_column(app->table, i)->format;

		if (format != COLUMN_TEXT && format != COLUMN_INTEGER)
			continue;
		view_table_cell(app->table, row, i, &cell);
		if (text_contains(cell.text, words))
			return true;
	}
	return false;
}

static struct search *search_of(const struct app *app)
{
	return app->parts[PART_search];
}

/* The row so many places on. */
static size_t row_after(const struct app *app, size_t row, size_t places)
{
	const size_t count = view_table_row_count(app->table);

	places %= count;
	if (app->lists[app->view].is_log != search_of(app)->is_back)
		return (row + count - places) % count;
	return (row + places) % count;
}

static void reveal_cursor(struct app *app)
{
	const struct drawing *drawing = app_drawing(app);

	if (drawing && drawing->reveal)
		drawing->reveal(app);
	app->needs_drawing = true;
}

static void report_not_found(struct app *app)
{
	const char *words = strbuf_text(&search_of(app)->words);
	const bool has_tasks = view_is_of_tasks(app_current(app)->info);

	if (search_of(app)->left == 0 && has_tasks && !app->request.settings.idle)
		app_say(app, true, "no match for \"%s\" (%s: include idle tasks)", words,
			keys_name_of(app->parts[PART_keys], "idle"));
	else if (search_of(app)->left == 0 && has_tasks && !app_shows_command_lines(app))
		app_say(app, true, "no match for \"%s\" (%s: show command lines)", words,
			keys_name_of(app->parts[PART_keys], "command-lines"));
	else if (search_of(app)->left == 0)
		app_say(app, true, "no match for \"%s\"", words);
	else
		app_say(app, true,
			"\"%s\" is not in the last %d lines; %s: search on, %s: filter all", words,
			SEARCH_ROWS_MOST, keys_name_of(app->parts[PART_keys], "search-next"),
			keys_name_of(app->parts[PART_keys], "ask filter"));
}

/* Looks at `left` rows from `start` on, as many as there may be at once. */
static void search_rows(struct app *app, size_t start, size_t left)
{
	struct search *search = search_of(app);
	const size_t rows = left < SEARCH_ROWS_MOST ? left : SEARCH_ROWS_MOST;

	search->left = 0;
	for (size_t i = 0; i < rows; i++) {
		const size_t row = row_after(app, start, i);

		if (!row_matches(app, row, strbuf_text(&search->words)))
			continue;
		list_select(&app->lists[app->view], app->table, row);
		reveal_cursor(app);
		return;
	}
	search->left = left - rows;
	if (search->left > 0) {
		search->next_id = view_table_row(app->table, row_after(app, start, rows))->id;
		search->cursor_id = app->lists[app->view].cursor_id;
	}
	report_not_found(app);
}

/* Goes on where the last search stopped; false: there is none to go on with. */
static bool search_on(struct app *app)
{
	const struct list *list = &app->lists[app->view];
	const size_t count = view_table_row_count(app->table);
	int row;

	if (search_of(app)->left == 0 || search_of(app)->left > count ||
	    search_of(app)->cursor_id != list->cursor_id)
		return false;
	row = view_table_index_of(app->table, search_of(app)->next_id);
	if (row < 0)
		return false;
	search_rows(app, (size_t)row, search_of(app)->left);
	return true;
}

bool search_for(struct app *app, const char *words, struct error *error)
{
	struct search *search = search_of(app);
	const size_t count = view_table_row_count(app->table);
	const bool is_same = strcmp(strbuf_text(&search->words), words) == 0;

	if (is_same && search_on(app))
		return true;
	strbuf_clear(&search->words);
	strbuf_add(&search->words, words);
	search->view = app->view;
	search->left = 0;
	search->is_back = false;
	if (words[0] != '\0')
		search_rows(app, app->lists[app->view].cursor.at, count);
	return true;
}

void search_next(struct app *app, bool is_back)
{
	const size_t count = view_table_row_count(app->table);

	if (search_of(app)->is_back == is_back && search_on(app))
		return;
	search_of(app)->is_back = is_back;
	if (count == 0)
		report_not_found(app);
	else
		search_rows(app, row_after(app, app->lists[app->view].cursor.at, 1), count);
}

void search_begin(struct app *app)
{
	search_of(app)->origin = app->lists[app->view];
}

void search_return(struct app *app)
{
	struct list *list = &app->lists[app->view];
	const struct list *origin = &search_of(app)->origin;

	*list = *origin;
	list_follow(list, app->table);
	if (list->cursor_id != origin->cursor_id) {
		/* an idle row is left out while the cursor is elsewhere */
		list->cursor_id = origin->cursor_id;
		list->is_followed = origin->is_followed;
		app->needs_build = true;
	}
	search_of(app)->left = 0;
	app->message.text[0] = '\0'; /* that it was not found */
	reveal_cursor(app);
}

/*
 * The filter of a group is joined to the one there is by &&. Whoever changes the filter inside a
 * group has left it: Esc then does what it does elsewhere.
 */

/* Where groups, or objects, are rows. */
static void show_groups(struct app *app)
{
	const struct grouped *grouped = app->parts[PART_grouped];

	if (grouped->from_members)
		command_do(app, "%s", grouped->from_members);
	view_order_show_view(app, grouped->view);
}

static bool enter_group(struct app *app, const char *filter, struct error *error)
{
	struct grouped *grouped = app->parts[PART_grouped];
	const struct hosts *hosts = hosts_of(app);
	const struct view_info *info = app_current(app)->info;

	strbuf_clear(&grouped->before);
	strbuf_add(&grouped->before, strbuf_text(&app->filter));
	strbuf_clear(&grouped->inside);
	strbuf_add(&grouped->inside, filter);
	if (hosts->count > 1 && !text_begins(filter, "host ")) /* of others it is another group */
		strbuf_printf(&grouped->inside, " && host = \"%s\"",
			      hosts->list[hosts->shown].name);
	grouped->view = app->view;
	grouped->from_members = info->from_members;
	command_do(app, "%s", info->to_members);
	if (!filters_set(app, strbuf_text(&grouped->inside), error)) {
		show_groups(app);
		return false;
	}
	grouped->is_inside = true;
	app_say(app, false, "%s; %s: back", info->members,
		keys_name_of(app->parts[PART_keys], "escape"));
	return true;
}

/* What the functions of the object pass. */
static bool write_row_object(const struct app *app, const struct view_row *row, struct strbuf *out)
{
	static const struct grouping objects = {.column = "object"};
	const struct function_name name =
		function_names_find(view_table_function_names(app->table), row->function->number,
				    row->function->time_ns);
	const struct task_group group = {
		.grouping = &objects,
		.key.text = name.object,
		.is_none = name.object[0] == '\0',
	};

	return group_write_filter(&group, out);
}

static bool write_members(const struct app *app, const struct view_row *row, struct strbuf *out)
{
	if (row->group)
		return group_write_filter(row->group, out);
	if (row->function)
		return write_row_object(app, row, out);
	strbuf_printf(out, "cpu = %d", row->cpu->cpu);
	return true;
}

bool grouped_open(struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);
	struct strbuf filter = {0};
	bool good;

	if (compared_refuse_row(app, error))
		return false;
	if (!row || (!row->group && !row->function && !row->cpu))
		return error_set(error, ERROR_GROUP_NONE, NULL, NULL);
	/* upon those that are in force */
	if (app->filter.length > 0)
		strbuf_printf(&filter, "%s\n", strbuf_text(&app->filter));
	good = write_members(app, row, &filter);
	good = good ? enter_group(app, strbuf_text(&filter), error)
		    : error_set(error, ERROR_GROUP_QUOTES, NULL, NULL);
	strbuf_fini(&filter);
	return good;
}

bool grouped_leave(struct app *app)
{
	struct grouped *grouped = app->parts[PART_grouped];
	struct error error = {0};

	if (!grouped->is_inside)
		return false;
	grouped->is_inside = false;
	if (strcmp(strbuf_text(&app->filter), strbuf_text(&grouped->inside)) != 0)
		return false;
	show_groups(app);
	return filters_set(app, strbuf_text(&grouped->before), &error);
}

static void fini_search(void *state)
{
	struct search *search = state;

	strbuf_fini(&search->words);
}

const struct app_part part_search = {.bytes = sizeof(struct search), .fini = fini_search};

static void fini_grouped(void *state)
{
	struct grouped *grouped = state;

	strbuf_fini(&grouped->before);
	strbuf_fini(&grouped->inside);
}

const struct app_part part_grouped = {.bytes = sizeof(struct grouped), .fini = fini_grouped};
