/*
 * From left to right: graph, meters, machine, each as wide on every screen of this width. Where
 * nothing is known of the machine, as in a recording, the graph has that room. A value that has no
 * line is left out: what comes first matters more; and so is one that is never known here.
 */
#include "widget/head_block.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "view/summary.h"

#include "term/screen.h"
#include "widget/graph.h"
#include "widget/head.h"
#include "widget/paragraph.h"

enum {
	GAP = 3, /* between columns, with a line in it */
	LABEL = 9,
	VALUE = 7,
	BUSY = 6,
	MACHINE = 24,
	MACHINE_WIDE = 30,
	MACHINE_LABEL = 5,
	BAR_LEAST = 4,
	WIDE = 120, /* columns of the screen */
	VERY_WIDE = 160,
	TITLE_WIDE = 49, /* of the graph */
	ROWS_MAX = 8
};

/* A line of the machine's column. */
struct machine_row {
	const char *label; /* "": there is none, and the text begins with the line */
	char text[64];
	double pct; /* NaN: no bar */
};

struct machine_rows {
	struct machine_row rows[ROWS_MAX];
	int count;
};

static void add_meter_row(struct machine_rows *rows, const char *label, const char *text,
			  double pct)
{
	struct machine_row *row = &rows->rows[rows->count];

	if (!text || text[0] == '\0' || rows->count == ROWS_MAX)
		return;
	row->label = label;
	row->pct = pct;
	snprintf(row->text, sizeof(row->text), "%s", text);
	rows->count++;
}

static void add_machine(struct machine_rows *rows, const struct summary_machine *machine, int lines)
{
	char last[sizeof(machine->swap) + sizeof(machine->uptime) + 8];

	if (machine->load[0] == '\0')
		return;
	add_meter_row(rows, "load", machine->load, NAN);
	add_meter_row(rows, "mem", machine->memory, machine->memory_pct);
	if (rows->count + 1 < lines || machine->swap[0] == '\0') {
		add_meter_row(rows, "swap", machine->swap, machine->swap_pct);
		add_meter_row(rows, "up", machine->uptime, NAN);
		return;
	}
	snprintf(last, sizeof(last), "%s up %s", machine->swap, machine->uptime);
	add_meter_row(rows, "swap", last, NAN);
}

/* What a view of the history says comes first. */
static void make_rows(struct machine_rows *rows, const struct head *head, int lines)
{
	*rows = (struct machine_rows){0};
	add_meter_row(rows, "", head->history, NAN);
	add_meter_row(rows, "", head->activity, NAN);
	add_machine(rows, &head->summary->machine, lines);
	if (rows->count > 0)
		add_meter_row(rows, "", head->summary->tasks, NAN);
}

/* What a view of the history says is shown whole. */
static int rows_width(const struct machine_rows *rows, int least)
{
	for (int i = 0; i < rows->count; i++)
		if (rows->rows[i].label[0] == '\0')
			least = larger(least, paragraph_width(rows->rows[i].text));
	return least;
}

static void draw_rows(struct screen *screen, const struct machine_rows *rows, int x, int y,
		      int columns, int lines)
{
	for (int i = 0; i < rows->count && i < lines; i++) {
		const struct machine_row *row = &rows->rows[i];
		const int label = row->label[0] != '\0' ? MACHINE_LABEL : 0;
		const int end = x + columns;
		int at;

		screen_text(screen, x, y + i, label, row->label, STYLE_NORMAL);
		at = paragraph_draw_cut(screen, x + label, y + i, columns - label, row->text,
					label > 0 ? STYLE_BOLD : STYLE_NORMAL);
		at = larger(at + 1, x + columns / 2 + 4);
		if (!isnan(row->pct) && end - at >= BAR_LEAST)
			graph_draw_bar(screen, at, y + i, end - at, row->pct, NAN, STYLE_BAR);
	}
}

static bool is_never_known(const struct head *head, enum meter_kind kind)
{
	return strcmp(head->summary->meters[kind].text, "-") == 0 && head->meters &&
	       !meter_history_has(head->meters, kind);
}

static void draw_value(struct screen *screen, int x, int y, const struct summary_meter *meter)
{
	const bool is_unknown = strcmp(meter->text, "-") == 0;

	screen_text_right(screen, x, y, VALUE, is_unknown ? "–" : meter->text,
			  is_unknown ? STYLE_DIM : style_of_goodness(meter->goodness, STYLE_BOLD));
}

/* with_tasks: how many ran has no other place. Beside how busy the machine is, numbers of some
 * tasks alone have a heading. */
static void draw_numbers(struct screen *screen, const struct head *head, int x, int y, int columns,
			 int lines, bool with_tasks)
{
	static const struct {
		enum meter_kind kind;
		const char *label;
		bool needs_pmu, has_level;
	} numbers[] = {
		{METER_IPC, "IPC", true, false},
		{METER_MPKI, "MPKI", true, true},
		{METER_SWITCHES, "switches", false, false},
		{METER_QUEUED, "waiting", false, false},
		{METER_PREEMPTED, "preempted", false, false},
		{METER_FAULTS, "faults", false, false},
		{METER_MISS, "miss", true, true},
	};
	const int spark = columns - LABEL - 1 - VALUE - 1;
	int line = 0;

	if (head->summary->counts_tasks)
		screen_text(screen, x, y + line++, columns, "of the counted tasks:", STYLE_DIM);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]) && line < lines; i++) {
		const enum meter_kind kind = numbers[i].kind;
		const char *level = numbers[i].has_level ? head->summary->miss_level : "";
		char label[32];

		if ((numbers[i].needs_pmu && head->summary->lacks_pmu) ||
		    is_never_known(head, kind))
			continue;
		snprintf(label, sizeof(label), "%s%s%s", level, level[0] != '\0' ? " " : "",
			 numbers[i].label);
		screen_text(screen, x, y + line, LABEL, label, STYLE_NORMAL);
		draw_value(screen, x + LABEL + 1, y + line, &head->summary->meters[kind]);
		if (head->meters && spark > 0)
			graph_draw_spark(screen, x + columns - spark, y + line, spark, kind,
					 head->meters, head->time_ns);
		line++;
	}
	if (with_tasks && line < lines)
		screen_text(screen, x, y + line, columns, head->summary->tasks, STYLE_NORMAL);
}

/* The shares are in the colours of the graph. As many as have room; none where none is known. */
static void draw_shares(struct screen *screen, const struct summary *summary, int y, int columns)
{
	const bool is_wide = columns >= TITLE_WIDE;
	const struct {
		const char *label, *shorter;
		double pct;
		enum style style;
	} shares[] = {
		{"user", "us", summary->user_pct, STYLE_LOAD_0 + 1},
		{"system", "sy", summary->system_pct, STYLE_SYSTEM},
		{"irq", "ir", summary->irq_pct, STYLE_SYSTEM},
		{"idle", "id", summary->idle_pct, STYLE_DIM},
	};
	const char *busy = summary->meters[METER_BUSY].text;
	const int value = larger(BUSY, paragraph_width(busy) + 1);

	if (strcmp(busy, "-") == 0)
		busy = "–";
	int x = screen_text(screen, 0, y, columns, "busy", STYLE_NORMAL);
	screen_text_right(screen, x, y, value, busy, STYLE_BOLD);
	x += value + (is_wide ? 2 : 1);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const char *label = is_wide ? shares[i].label : shares[i].shorter;
		char text[32];

		if (isnan(summary->idle_pct))
			return;
		if (isnan(shares[i].pct))
			snprintf(text, sizeof(text), "%s   –", label);
		else
			snprintf(text, sizeof(text), "%s%4.0f", label, shares[i].pct);
		if (x + paragraph_width(text) > columns)
			return;
		x = screen_text(screen, x, y, columns - x, text, shares[i].style);
		x += is_wide ? 2 : 1;
	}
}

static void draw_separator(struct screen *screen, int x, int y, int lines)
{
	for (int i = 0; i < lines; i++)
		screen_text(screen, x, y + i, 1, "│", STYLE_DIM);
}

static int numbers_width(int width)
{
	const int spark = width >= VERY_WIDE ? 24 : width >= WIDE ? 14 : 6;

	return LABEL + 1 + VALUE + 1 + spark;
}

void head_block_draw(struct screen *screen, const struct head *head, int y, int lines)
{
	const int width = screen->width;
	const int numbers = numbers_width(width);
	struct machine_rows rows;
	int graph = width - GAP - numbers;

	make_rows(&rows, head, lines);
	if (rows.count > 0) {
		const int machine = rows_width(&rows, width >= WIDE ? MACHINE_WIDE : MACHINE);

		graph -= GAP + machine;
		draw_separator(screen, width - machine - 2, y, lines);
		draw_rows(screen, &rows, width - machine, y, machine, lines);
	}
	draw_shares(screen, head->summary, y, graph);
	if (head->meters)
		graph_draw(screen, y + 1, graph, lines - 1, head->meters, head->time_ns);
	draw_separator(screen, graph + 1, y, lines);
	draw_numbers(screen, head, graph + GAP, y, numbers, lines, rows.count == 0);
}
