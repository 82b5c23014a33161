#include "mode/code_page.h"

#include <stdio.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "view/function_addresses.h"
#include "view/functions.h"
#include "view/listing.h"
#include "view/names.h"
#include "view/table.h"
#include "view/text_marks.h"

#include "mode/app.h"
#include "mode/app_run.h"
#include "mode/pager.h"

bool code_page_open(struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);

	if (!row || !row->function)
		return error_set(error, ERROR_FUNCTION_NONE, NULL, NULL);
	app->code_page = (struct code_page){.is_open = true, .row = row->id};
	pager_open(app, app->code_page.title);
	app->needs_build = true;
	return true;
}

void code_page_close(struct app *app)
{
	app->code_page.is_open = false;
	pager_close(app);
}

void code_page_switch(struct app *app)
{
	struct code_page *page = &app->code_page;

	if (!page->has_source) {
		app_say(app, false, "there are no lines of source");
		return;
	}
	page->wants_assembler = !page->wants_assembler;
	page->is_placed = false;
	app->needs_build = true;
}

/* Of a function that has no samples any more, it is what it was. */
static void follow_row(struct app *app)
{
	struct code_page *page = &app->code_page;
	const int index = view_table_index_of(app->table, page->row);
	const struct function *function =
		index >= 0 ? view_table_row(app->table, (size_t)index)->function : NULL;

	if (!function)
		return;
	page->number = function->whole != 0 ? function->whole : function->number;
	page->time_ns = function->time_ns;
}

static void write_code_title(struct app *app, const struct function_name *name)
{
	struct code_page *page = &app->code_page;
	char function[80], object[40];

	text_safe(function, sizeof(function), name->function, app->request.ascii);
	text_safe(object, sizeof(object), name->object, app->request.ascii);
	snprintf(page->title, sizeof(page->title), "%s  %s  (q: back)", function, object);
}

static size_t half_of_page(const struct app *app)
{
	return app->screen.height > 8 ? (size_t)app->screen.height / 2 - 2 : 0;
}

/* At first, and after a switch, this line is in the middle. */
static void place_code_line(struct app *app, size_t line)
{
	const size_t half = half_of_page(app);

	app->pager.shown.top = line > half ? line - half : 0;
	app->code_page.is_placed = true;
}

/* The function that has the code; a line is to be found in it, its file is copied. */
static uint32_t find_whole(const struct code_page *page, const struct function_names *names,
			   struct listing_input *input, struct strbuf *file)
{
	const struct function_name name = function_names_find(names, page->number, page->time_ns);

	if (name.file) {
		strbuf_add(file, name.file);
		input->file = file->text;
		input->line = name.line;
	}
	return name.whole;
}

void code_page_refresh(struct app *app)
{
	const struct function_names *names = view_table_function_names(app->table);
	struct code_page *page = &app->code_page;
	const struct view_request request = app_request(app);
	struct function_addresses addresses = {0};
	struct text_marks marks = {0};
	struct strbuf text = {0};
	struct listing_input input = {
		.addresses = &addresses,
		.width = app->screen.width,
		.ascii = app->request.ascii,
		.marks = &marks,
	};
	struct function_name name;
	struct strbuf file = {0};
	uint32_t whole;
	size_t line;

	if (!page->is_open || !app_snapshot(app))
		return;
	follow_row(app);
	whole = find_whole(page, names, &input, &file);
	name = function_names_find(names, whole, page->time_ns);
	write_code_title(app, &name);
	functions_find_addresses(&addresses, &request, view_table_samples_of(app->table),
				 app_snapshot(app), names, whole);
	input.listing = function_names_list(names, whole, page->time_ns);
	page->has_source = listing_has_source(input.listing);
	input.is_assembler = page->wants_assembler || !page->has_source;
	line = listing_write(&text, &input);
	pager_set_text(&app->pager, &text, &marks);
	if (!page->is_placed && !input.listing->is_pending)
		place_code_line(app, line);
	function_addresses_fini(&addresses);
	strbuf_fini(&file);
	app->needs_drawing = true;
}
