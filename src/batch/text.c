/*
 * An interval in text is
 *
 *	# 2023-11-14T22:13:20.123+0100 whole machine, 2 CPUs, 1 s, 12 tasks ran, 1 ended, ...
 *	# all 6 events counting, cpu PMU
 *	    PID USER      CPU%  IPC ... COMMAND
 *	   4711 www       98.7 0.31 ... nginx: worker process
 *
 * Lines that begin with '#' are about the interval as a whole; a blank line is between
 * intervals. The title line and the rows have the same number of words: no cell but the
 * last column's has a blank in it (a blank in a name is shown as '_'), and unknown is "-". A "'"
 * behind a number says that it is an estimate from counters that took turns, a "~" that it is one
 * out of a sampling profile. So
 *
 *	awk '!/^#/ && NF && $1 != "PID" { print $1, $4 }'
 *
 * reads it. Columns of text are as wide as their longest value; other values that are wider than
 * their column push the line, those of the log, too. Nothing is cut.
 *
 * The log of switches has one title line, before everything else, and then a line per switch; lines
 * that begin with '#' say what holds for all of it, or that switches were left out.
 */

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "batch/batch.h"
#include "model/session.h"
#include "model/snapshot.h"
#include "view/footer.h"
#include "view/functions.h"
#include "view/summary.h"
#include "view/table.h"

static void add_time_line(struct strbuf *out, const struct batch_input *input)
{
	int64_t wall_ns = session_wall_ns(input->session->wall_offset_ns, input->snapshot->time_ns);
	time_t seconds = (time_t)(wall_ns / NS_PER_S);
	int milliseconds = (int)(wall_ns % NS_PER_S / NS_PER_MS);
	char date[32];
	char zone[16];
	struct tm local;

	if (wall_ns < 0 || !localtime_r(&seconds, &local) ||
	    strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &local) == 0 ||
	    strftime(zone, sizeof(zone), "%z", &local) == 0) {
		strbuf_add(out, "-");
		return;
	}
	strbuf_printf(out, "%s.%03d%s", date, milliseconds, zone);
}

static void add_comment(struct strbuf *out, const char *text)
{
	if (text[0] != '\0')
		strbuf_printf(out, "# %s\n", text);
}

/* How many samples there are, of what, and how many were lost; or why there are none. */
static void add_samples(struct strbuf *out, const struct batch_input *input)
{
	const struct view_info *view = input->request->state.info;
	const bool has_first = view->kind == ROW_ACCESS && view_table_row_count(input->table) > 0;
	const struct footer_input footer = {
		.request = input->request,
		.snapshot = input->snapshot,
		.session = input->session,
		.first = has_first ? view_table_row(input->table, 0) : NULL,
	};
	struct strbuf line = {0};

	if (!view_is_of_samples(view))
		return;
	view->write_footer(&line, &footer);
	add_comment(out, strbuf_text(&line));
	strbuf_fini(&line);
}

/* The share of stacks that break off, where some do, and what has no names. */
static void add_unknown(struct strbuf *out, const struct batch_input *input)
{
	const bool has_rows = view_table_row_count(input->table) > 0;
	const struct view_row *row = has_rows ? view_table_row(input->table, 0) : NULL;
	struct strbuf line = {0};

	if (functions_write_unknown(&line, row, input->session,
				    (enum view_samples)input->request->settings.samples))
		add_comment(out, strbuf_text(&line));
	strbuf_fini(&line);
}

static struct summary begin_head(struct strbuf *out, const struct batch_input *input)
{
	struct summary summary;

	summary_make(&summary, input->snapshot, input->session, input->metrics,
		     input->request->ascii);
	strbuf_add(out, "# ");
	add_time_line(out, input);
	return summary;
}

static void add_head_lines(struct strbuf *out, const struct batch_input *input)
{
	struct summary summary = begin_head(out, input);

	strbuf_printf(out, " %s, %s, %s, accounted %s", summary.scope, summary.interval,
		      summary.tasks, summary.attributed);
	if (summary.lost[0] != '\0')
		strbuf_printf(out, ", %s", summary.lost);
	if (summary.steal[0] != '\0')
		strbuf_printf(out, ", %s", summary.steal);
	if (summary.own_cpu[0] != '\0')
		strbuf_printf(out, ", perftop %s", summary.own_cpu);
	if (summary.readings[0] != '-')
		strbuf_printf(out, ", overhead %s", summary.readings);
	strbuf_add_char(out, '\n');
	if (input->verdict && input->verdict[0] != '\0')
		strbuf_printf(out, "# verdict: %s\n", input->verdict);
	add_comment(out, summary.budget);
	add_comment(out, summary.scope_reason);
	add_comment(out, summary.pmu);
	add_samples(out, input);
	add_unknown(out, input);
}

/* A table and how wide its columns are. */
struct text_lines {
	const struct view_table *table;
	size_t *widths; /* owned */
};

static size_t find_column_width(const struct view_table *table, size_t index)
{
	size_t width = 0;
	struct cell cell;

	for (size_t i = 0; i < view_table_row_count(table); i++) {
		view_table_cell(table, i, index, &cell);
		if (width < text_width(cell.text))
			width = text_width(cell.text);
	}
	return width;
}

/* Behind the last column there is none, and lines of a log come later. */
static void measure_columns(struct text_lines *lines, const struct view_table *table, bool is_log)
{
	const size_t count = view_table_column_count(table);

	lines->table = table;
	lines->widths = xcalloc(count, sizeof(*lines->widths));
	for (size_t i = 0; i < count; i++) {
		const struct column *column = view_table_column(table, i);
		const bool is_fixed = is_log || column->format != COLUMN_TEXT || i + 1 == count;
		const size_t width = is_fixed ? 0 : find_column_width(table, i);

		lines->widths[i] = width > (size_t)column->width ? width : (size_t)column->width;
	}
}

/* Adds a cell that holds no blank, padded to its column. */
static void add_cell(struct strbuf *out, const struct text_lines *lines, size_t index,
		     const char *text)
{
	const bool is_last = index + 1 == view_table_column_count(lines->table);
	const bool is_left = view_table_column(lines->table, index)->format == COLUMN_TEXT;
	const size_t width = text_width(text);
	const size_t padding = width < lines->widths[index] ? lines->widths[index] - width : 0;

	if (!is_left)
		strbuf_add_repeated(out, ' ', padding);
	strbuf_add(out, text);
	if (is_last) {
		strbuf_add_char(out, '\n');
		return;
	}
	if (is_left)
		strbuf_add_repeated(out, ' ', padding);
	strbuf_add_char(out, ' ');
}

static void add_titles(struct strbuf *out, const struct text_lines *lines)
{
	const size_t count = view_table_column_count(lines->table);

	for (size_t i = 0; i < count; i++) {
		const struct column *column = view_table_column(lines->table, i);
		char word[64];
		size_t length = 0;

		for (const char *c = column->title; *c != '\0' && length + 1 < sizeof(word); c++)
			if (*c != ' ')
				word[length++] = *c;
		word[length] = '\0';
		add_cell(out, lines, i, word);
	}
}

static void add_text_row(struct strbuf *out, const struct text_lines *lines, size_t row)
{
	const struct view_table *table = lines->table;
	size_t count = view_table_column_count(table);
	struct cell cell;

	for (size_t i = 0; i < count; i++) {
		bool is_last = i + 1 == count;

		view_table_cell(table, row, i, &cell);
		if (i == 0 && cell.text[0] == '#') /* no comment: a name */
			cell.text[0] = '_';
		if (strcmp(view_table_column(table, i)->name, "how") == 0)
			cell.text[strcspn(cell.text, " ")] = '\0'; /* its letter is `state` */
		if ((cell.is_estimate || cell.is_scaled) &&
		    strlen(cell.text) + 1 < sizeof(cell.text))
			strcat(cell.text, cell.is_estimate ? "~" : "'");
		for (char *c = cell.text; *c != '\0' && !is_last; c++)
			if (*c == ' ')
				*c = '_';
		add_cell(out, lines, i, cell.text);
	}
}

static void add_text_rows(struct strbuf *out, const struct text_lines *lines)
{
	for (size_t i = 0; i < view_table_row_count(lines->table); i++)
		add_text_row(out, lines, i);
}

static void add_log_head(struct strbuf *out, const struct batch_input *input,
			 const struct text_lines *lines)
{
	struct summary summary = begin_head(out, input);

	strbuf_printf(out, " %s\n", summary.scope);
	add_comment(out, summary.scope_reason);
	add_comment(out, summary.pmu);
	add_comment(out, input->session->queue_words);
	if (!input->session->has_yields)
		strbuf_add(out, "# a yield looks like a preemption: no record reports it\n");
	add_titles(out, lines);
}

static void write_log(struct strbuf *out, const struct batch_input *input,
		      const struct text_lines *lines)
{
	if (input->is_first)
		add_log_head(out, input, lines);
	if (input->left_out > 0)
		strbuf_printf(out, "# %" PRIu64 " switch%s left out: more than are written\n",
			      input->left_out, input->left_out == 1 ? "" : "es");
	if (input->lost > 0)
		strbuf_printf(out,
			      "# %" PRIu64
			      " record%s of switches and tasks lost: too many to be read\n",
			      input->lost, units_plural(input->lost));
	add_text_rows(out, lines);
}

void text_write(struct strbuf *out, const struct batch_input *input)
{
	const bool is_log = input->request->state.info->is_log;
	struct view_request request = *input->request;
	struct text_lines lines;

	request.lacks_bars = true;
	batch_build(input, &request);
	measure_columns(&lines, input->table, is_log);
	if (is_log) {
		write_log(out, input, &lines);
	} else {
		if (!input->is_first)
			strbuf_add_char(out, '\n');
		add_head_lines(out, input);
		add_titles(out, &lines);
		add_text_rows(out, &lines);
	}
	free(lines.widths);
}
