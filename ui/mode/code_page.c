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
#include "mode/compared.h"
#include "mode/pager.h"
#include "term/key.h"

struct code_page {
	uint64_t row;     /* id of that of the function */
	uint32_t number;  /* of the function */
	uint64_t time_ns; /* of an interval in which it has that number */
	bool has_source;
	bool wants_assembler; /* in place of the source */
	bool is_placed;       /* the line of the row, or with most samples, has been shown */
	char title[160];
};

static struct code_page *code_of(const struct app *app)
{
	return app->parts[PART_code_page];
}

bool code_page_open(struct app *app, struct error *error)
{
	const struct view_row *row = app_row(app);

	if (compared_refuse_row(app, error))
		return false;
	if (!row || !row->function)
		return error_set(error, ERROR_FUNCTION_NONE, NULL, NULL);
	*code_of(app) = (struct code_page){.row = row->id};
	pager_open(app, &code_page_mode, code_of(app)->title);
	app->needs_build = true;
	return true;
}

/* Between source and assembler. */
static void switch_code(struct app *app)
{
	struct code_page *page = code_of(app);

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
	struct code_page *page = code_of(app);
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
	struct code_page *page = code_of(app);
	char function[80], object[40];

	text_safe(function, sizeof(function), name->function, app->screen.is_ascii);
	text_safe(object, sizeof(object), name->object, app->screen.is_ascii);
	snprintf(page->title, sizeof(page->title), "%s  %s  (q: back)", function, object);
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
	const size_t half = app->screen.height > 8 ? (size_t)app->screen.height / 2 - 2 : 0;
	struct pager *pager = app->parts[PART_pager];
	struct code_page *page = code_of(app);
	const struct view_request request = app_request(app);
	struct function_addresses addresses = {0};
	struct text_marks marks = {0};
	struct strbuf text = {0};
	struct listing_input input = {
		.addresses = &addresses,
		.width = app->screen.width,
		.ascii = app->screen.is_ascii,
		.marks = &marks,
	};
	struct function_name name;
	struct strbuf file = {0};
	uint32_t whole;
	size_t line;

	if (!mode_is_open(app, &code_page_mode) || !app_snapshot(app))
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
	pager_set_text(app, &text, &marks);
	/* at first, and after a switch, this line is in the middle */
	if (!page->is_placed && !input.listing->is_pending) {
		pager->shown.top = line > half ? line - half : 0;
		page->is_placed = true;
	}
	function_addresses_fini(&addresses);
	strbuf_fini(&file);
}

static void take_code_key(struct app *app, uint32_t key)
{
	if (key == 'a' || key == KEY_CODE_TAB)
		switch_code(app);
	else if (!pager_key(app, key) && !pager_leaves(app, key) && !pager_time_key(app, key))
		pager_say_keys(app);
}

const struct mode code_page_mode = {
	.key = take_code_key,
	.is_page = true,
	.click = table_mode_click,
	.keys = pager_keys,
	.page_keys = "source/assembler,pause/resume,step",
	.show = pager_show,
};

const struct app_part part_code_page = {.bytes = sizeof(struct code_page)};
