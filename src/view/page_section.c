/*
 * A section is what a view shows of the task, with the view's columns and in its order: a heading,
 * the titles, and the first rows. Columns are as wide as what is in them.
 */

#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "model/session.h"
#include "view/column.h"
#include "view/locks.h"
#include "view/page.h"
#include "view/pairs.h"
#include "view/task_page.h"

enum {
	EIGHTHS = 8,
	COLUMNS_MAX = 32
};

void page_build(const struct page *page, struct view_request *request, const char *columns)
{
	const struct task_page_input *input = page->input;
	struct column_list list = {0};
	char name[64];

	while (word_list_next(&columns, name, sizeof(name)))
		column_list_add(&list, columns_find(input->columns, name));
	request->state.columns = list;
	view_table_build(input->table, request, input->snapshot, input->session, input->metrics);
	request->state.columns = (struct column_list){0};
	column_list_fini(&list);
}

/* The rows that have a line. */
struct lines {
	size_t rows[PAGE_LINES];
	size_t count;
	size_t left_out;
	size_t widths[COLUMNS_MAX];
};

static void choose_section_columns(struct lines *lines, const struct view_table *table,
				   const struct page_section *section)
{
	const size_t count = view_table_row_count(table);
	const size_t end = section->view->is_log && count > section->lines ? section->lines : count;

	for (size_t i = 0; i < end; i++) {
		const size_t index = section->view->is_log ? count - 1 - i : i;
		const struct view_row *row = view_table_row(table, index);

		if (row->pair && row->pair->is_taken != section->is_taken)
			continue;
		if (lines->count < section->lines)
			lines->rows[lines->count++] = index;
		else
			lines->left_out++;
	}
}

static bool is_text(const struct column *column)
{
	return column->format == COLUMN_TEXT;
}

static size_t find_section_width(const struct lines *lines, const struct view_table *table,
				 size_t index)
{
	const struct column *column = view_table_column(table, index);
	const size_t least = is_text(column) ? text_width(column->title) : (size_t)column->width;
	size_t width = least;
	struct cell cell;

	for (size_t i = 0; i < lines->count && column->format != COLUMN_BAR; i++) {
		view_table_cell(table, lines->rows[i], index, &cell);
		if (text_width(cell.text) > width)
			width = text_width(cell.text);
	}
	return width;
}

/* Two blanks are before words, since these begin where their column does; one is the mark's. */
static void begin_cell(struct page *page, const struct column *column, size_t index)
{
	strbuf_add(&page->text, index == 0 ? "  " : is_text(column) ? " " : "");
}

static void write_titles(struct page *page, const struct lines *lines)
{
	const struct view_table *table = page->input->table;

	for (size_t i = 0; i < view_table_column_count(table); i++) {
		const struct column *column = view_table_column(table, i);
		const int width = (int)lines->widths[i];
		const bool is_left = is_text(column) || column->format == COLUMN_BAR;

		begin_cell(page, column, i);
		strbuf_printf(&page->text, "%*s ", is_left ? -width : width, column->title);
	}
	strbuf_add_char(&page->text, '\n');
}

/* What is there at all is seen: it has an eighth of a column at least. */
static void add_bar(struct page *page, double pct, size_t width)
{
	static const char *const blocks[EIGHTHS] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const size_t parts = page->input->ascii ? 1 : EIGHTHS;
	const size_t filled = isfinite(pct) ? (size_t)ceil(pct / 100 * (double)(width * parts)) : 0;

	for (size_t i = 0; i < filled / parts; i++)
		strbuf_add(&page->text, page->input->ascii ? "#" : "█");
	strbuf_add(&page->text, blocks[filled % parts]);
	strbuf_add_repeated(&page->text, ' ', width + 1 - (filled + parts - 1) / parts);
}

static void write_cell(struct page *page, const struct lines *lines, size_t line, size_t index)
{
	const struct column *column = view_table_column(page->input->table, index);
	const size_t width = lines->widths[index];
	struct cell cell;

	view_table_cell(page->input->table, lines->rows[line], index, &cell);
	begin_cell(page, column, index);
	if (column->format == COLUMN_BAR) {
		add_bar(page, cell.value, width);
		return;
	}
	page_add_cell(page, is_text(column) ? 0 : (int)width, &cell);
	if (is_text(column))
		strbuf_add_repeated(&page->text, ' ', width - text_width(cell.text));
}

static void write_section_line(struct page *page, const struct lines *lines, size_t line)
{
	const struct view_table *table = page->input->table;

	for (size_t i = 0; i < view_table_column_count(table); i++)
		write_cell(page, lines, line, i);
	strbuf_add(&page->text,
		   view_table_row(table, lines->rows[line])->is_exited ? " ended\n" : "\n");
}

const char *page_queue_words(const struct session *session)
{
	if (session->queue_words[0] != '\0')
		return session->queue_words;
	return session->is_live ? "run-queue waits: not requested"
				: "run-queue waits are not in this recording";
}

/* Why the view has nothing of any task; "": it has nothing of this one. */
static const char *reason_of_nothing(const struct page *page, const struct view_info *view)
{
	const struct session *session = page->input->session;

	if (view->needs_history && page->input->history_lack)
		return page->input->history_lack;
	if (view->kind != ROW_PAIR)
		return "";
	if (session_wait_reason(session)[0] != '\0')
		return session_wait_reason(session);
	return session->queue != QUEUE_WAKEUPS ? page_queue_words(session) : "";
}

static void write_rows(struct page *page, const struct lines *lines, const struct view_info *view)
{
	if (lines->count > 0)
		write_titles(page, lines);
	for (size_t i = 0; i < lines->count; i++)
		write_section_line(page, lines, i);
	if (lines->count == 0) {
		strbuf_add(&page->text, "  ");
		page_add_words(page, 0, reason_of_nothing(page, view));
		strbuf_add_char(&page->text, '\n');
	}
	if (lines->left_out > 0)
		strbuf_printf(&page->text, "  and %zu more\n", lines->left_out);
}

/* "# woken by, the last 3.07s" */
static void write_section_title(struct page *page, const struct page_section *section)
{
	struct window window = page->past.window;
	char span[UNITS_TEXT_MAX];

	if (section->view == &view_pairs && section->form == PAIRS_LOCKS)
		locks_cut_window(&window, page->input->snapshot);
	strbuf_printf(&page->text, "# %s", section->title);
	if (section->has_span && window.first < window.end) {
		units_format_span(span, window.end_ns - window.begin_ns);
		strbuf_printf(&page->text, ", the last %s", span);
	}
	strbuf_add_char(&page->text, '\n');
}

void page_write_section(struct page *page, const struct page_section *section)
{
	const struct view_table *table = page->input->table;
	struct view_request request = page->request;
	struct lines lines = {0};

	if (section->is_taken && page->input->lines > 0)
		return;
	request.state.order.sort =
		section->sort ? columns_find(page->input->columns, section->sort) : NULL;
	request.state.info = view_in_form(section->view, section->form);
	request.by = section->by;
	request.window_ns = section->window_ns;
	request.settings.samples = section->samples;
	request.settings.weight = WEIGHT_TIME;
	if (!section->is_taken)
		page_build(page, &request, section->columns);
	choose_section_columns(&lines, table, section);
	if (lines.count == 0 && (section->is_optional || page->input->lines > 0))
		return;
	for (size_t i = 0; i < view_table_column_count(table); i++)
		lines.widths[i] = find_section_width(&lines, table, i);
	write_section_title(page, section);
	write_rows(page, &lines, request.state.info);
}
