#include "widget/head.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "view/meters.h"
#include "view/summary.h"

#include "term/screen.h"
#include "widget/graph.h"
#include "widget/head_block.h"
#include "widget/paragraph.h"

/*
 * Each line is a row of pieces with gaps between. When the width is short, gaps shrink
 * first, then whole pieces go, in a fixed order; a number is never cut.
 *
 * Meters do not move: each has a place that does not depend on its digits. Behind it is its
 * sparkline, the newest interval at the right end. Where there is little room sparklines
 * shrink, then the words behind the meters go, then the sparklines, then whole meters; what a view
 * of the history says there stays before sparklines.
 */

enum {
	SENTENCE_LINES = 2, /* most lines of one note */
	GAP_WIDE = 3,
	GAP_NARROW = 2,
	NOTES_MAX = 4,
	SPARK_MOST = 16,
	SPARK_GOOD = 8, /* words behind the meters go before sparklines are shorter than this */
	SPARK_LEAST = 4,
	METERS_OF_LINE = METER_SWITCHES + 1
};

/* A piece of one line. */
struct head_piece {
	char text[SUMMARY_TEXT_MAX];
	enum style style;
};

/* Where the next thing on a line goes. */
struct head_pen {
	struct screen *screen;
	const struct head *head;
	int x, y;
	int spark, gap; /* columns, of meters */
};

static void write_pen_text(struct head_pen *pen, const char *text, enum style style)
{
	pen->x = screen_text(pen->screen, pen->x, pen->y, pen->screen->width - pen->x, text, style);
}

/* What summary_make() calls unknown is shown as everywhere: a dim dash. */
static bool is_unknown(const char *text)
{
	return strcmp(text, "-") == 0;
}

static const char *shown_value(const char *text)
{
	return is_unknown(text) ? "–" : text;
}

/* How the head is made to fit: the first of these that does is taken. */
struct head_fit {
	int gap;
	bool has_name, has_interval, has_clock, has_memory, has_readings, has_own, has_attributed;
};

/* clang-format off */
static const struct head_fit head_fits[] = {
	/* gap,      name,  interval, clock, memory, readings, own,  attributed */
	{GAP_WIDE,   true,  true,     true,  true,   true,     true,  true},
	{GAP_NARROW, true,  true,     true,  true,   true,     true,  true},
	{GAP_NARROW, true,  true,     true,  false,  true,     true,  true},
	{GAP_NARROW, false, true,     true,  false,  true,     true,  true},
	{GAP_NARROW, false, true,     true,  false,  false,    true,  true},
	{GAP_NARROW, false, false,    true,  false,  false,    true,  true},
	{GAP_NARROW, false, false,    false, false,  false,    true,  true},
	{GAP_NARROW, false, false,    false, false,  false,    false, true},
	{GAP_NARROW, false, false,    false, false,  false,    false, false},
};
/* clang-format on */

enum {
	HEAD_FIT_COUNT = sizeof(head_fits) / sizeof(head_fits[0]),
	HEAD_PIECES_MAX = 11
};

static size_t add_piece(struct head_piece *pieces, size_t count, enum style style,
			const char *label, const char *text)
{
	pieces[count].style = style;
	snprintf(pieces[count].text, sizeof(pieces[count].text), "%s%s", label, text);
	return count + 1;
}

/* Where that line is all of the head. */
static size_t add_meters(struct head_piece *pieces, size_t count, const struct head *head)
{
	const struct summary_meter *meters = head->summary->meters;

	count = add_piece(pieces, count, STYLE_BOLD, "busy ", shown_value(meters[METER_BUSY].text));
	if (head->summary->lacks_pmu)
		return count;
	return add_piece(pieces, count, style_of_goodness(meters[METER_IPC].goodness, STYLE_BOLD),
			 "IPC ", shown_value(meters[METER_IPC].text));
}

/* The right half of the first line. */
static size_t head_pieces(const struct head *head, const struct head_fit *fit,
			  struct head_piece pieces[static HEAD_PIECES_MAX])
{
	const struct summary *summary = head->summary;
	const enum style style = summary->lacks_much ? STYLE_WARNING : STYLE_NORMAL;
	size_t count = 0;

	if (head->form == HEAD_LINE)
		count = add_meters(pieces, count, head);
	if (fit->has_attributed) {
		count = add_piece(pieces, count,
				  is_unknown(summary->attributed) ? STYLE_DIM : style, "accounted ",
				  shown_value(summary->attributed));
	}
	if (summary->lost[0] != '\0')
		count = add_piece(pieces, count, STYLE_ERROR, "", summary->lost);
	if (summary->steal[0] != '\0')
		count = add_piece(pieces, count, STYLE_WARNING, "", summary->steal);
	if (summary->pmu_is_short && summary->pmu[0] == '\0')
		count = add_piece(pieces, count, STYLE_WARNING, "", "no PMU");
	if (fit->has_own && summary->own_cpu[0] != '\0') {
		const bool has_memory = fit->has_memory && !is_unknown(summary->own_memory);
		char own[sizeof(summary->own_cpu) + sizeof(summary->own_memory) + 2];

		snprintf(own, sizeof(own), "%s%s%s", shown_value(summary->own_cpu),
			 has_memory ? ", " : "", has_memory ? summary->own_memory : "");
		count = add_piece(pieces, count, STYLE_NORMAL, "perftop ", own);
	}
	if (fit->has_readings && summary->readings[0] != '\0' && !is_unknown(summary->readings))
		count = add_piece(pieces, count, STYLE_NORMAL, "overhead ", summary->readings);
	if (fit->has_clock && summary->clock[0] != '\0')
		count = add_piece(pieces, count, STYLE_NORMAL, "", summary->clock);
	return count;
}

static int pieces_width(const struct head_piece *pieces, size_t count, int gap)
{
	int width = 0;

	for (size_t i = 0; i < count; i++)
		width += paragraph_width(pieces[i].text) + (i > 0 ? gap : 0);
	return width;
}

static const char program_name[] = "perftop";

static void head_scope(const struct screen *screen, const struct head *head,
		       const struct head_fit *fit, char *text, size_t size)
{
	const struct summary *summary = head->summary;
	const bool has_interval = fit->has_interval && summary->interval[0] != '\0';

	snprintf(text, size, "%s%s%s", summary->scope,
		 has_interval ? (screen->is_ascii ? " - " : " · ") : "",
		 has_interval ? summary->interval : "");
}

void head_draw(struct screen *screen, const struct head *head, int y)
{
	const struct head_fit *fit = NULL;
	struct head_pen pen = {.screen = screen, .y = y};
	struct head_piece pieces[HEAD_PIECES_MAX];
	char scope[2 * SUMMARY_TEXT_MAX];
	size_t count = 0;
	int right = 0;

	if (!head->summary) {
		write_pen_text(&pen, program_name, STYLE_BOLD);
		return;
	}
	for (size_t i = 0; i < HEAD_FIT_COUNT; i++) {
		fit = &head_fits[i];
		count = head_pieces(head, fit, pieces);
		right = pieces_width(pieces, count, fit->gap);
		head_scope(screen, head, fit, scope, sizeof(scope));
		/* a long list of pids is cut before it drives out the rest */
		const int name = fit->has_name ? paragraph_width(program_name) + fit->gap : 0;
		const int left = smaller(name + paragraph_width(scope), screen->width / 2);
		if (left + fit->gap + right <= screen->width)
			break;
	}
	if (fit->has_name) {
		write_pen_text(&pen, program_name, STYLE_BOLD);
		pen.x += fit->gap;
	}
	paragraph_draw_cut(screen, pen.x, y, screen->width - right - fit->gap - pen.x, scope,
			   STYLE_NORMAL);
	pen.x = larger(0, screen->width - right);
	for (size_t i = 0; i < count; i++) {
		write_pen_text(&pen, pieces[i].text, pieces[i].style);
		pen.x += fit->gap;
	}
}

/* The sentences under the meters, the one that matters more first; joined when they fit into one
 * line. */
static size_t make_notes(const struct head *head, int width,
			 struct head_piece notes[static NOTES_MAX])
{
	const struct summary *summary = head->summary;
	const enum style pmu_style = summary->pmu_is_bad ? STYLE_WARNING : STYLE_DIM;
	size_t count = 0;

	if (summary->budget[0] != '\0')
		count = add_piece(notes, count,
				  summary->is_over_budget ? STYLE_WARNING : STYLE_NORMAL, "",
				  summary->budget);
	if (summary->behind[0] != '\0')
		count = add_piece(notes, count, STYLE_WARNING, "", summary->behind);
	if (summary->scope_reason[0] != '\0' && !summary->pmu_is_bad &&
	    paragraph_width(summary->pmu) + GAP_WIDE + paragraph_width(summary->scope_reason) >
		    width) {
		count = add_piece(notes, count, STYLE_WARNING, "", summary->scope_reason);
		return summary->pmu[0] == '\0'
			       ? count
			       : add_piece(notes, count, pmu_style, "", summary->pmu);
	}
	if (summary->pmu[0] != '\0')
		count = add_piece(notes, count, pmu_style, "", summary->pmu);
	if (summary->scope_reason[0] != '\0')
		count = add_piece(notes, count, STYLE_WARNING, "", summary->scope_reason);
	return count;
}

static bool notes_fit_one_line(const struct head_piece *notes, size_t count, int width)
{
	return pieces_width(notes, count, GAP_WIDE) <= width;
}

int head_notes_lines(const struct head *head, int width)
{
	struct head_piece notes[NOTES_MAX];
	int lines = 0;

	if (!head->summary)
		return 0;
	const size_t count = make_notes(head, width, notes);
	if (count == 0)
		return 0;
	if (notes_fit_one_line(notes, count, width))
		return 1;
	for (size_t i = 0; i < count; i++)
		lines += smaller(paragraph_lines(notes[i].text, width), SENTENCE_LINES);
	return lines;
}

void head_draw_notes(struct screen *screen, const struct head *head, int y, int lines)
{
	struct head_pen pen = {.screen = screen, .y = y};
	struct head_piece notes[NOTES_MAX];
	const size_t count = make_notes(head, screen->width, notes);

	if (notes_fit_one_line(notes, count, screen->width)) {
		for (size_t i = 0; i < count; i++) {
			write_pen_text(&pen, notes[i].text, notes[i].style);
			pen.x += GAP_WIDE;
		}
		return;
	}
	for (size_t i = 0; i < count && lines > 0; i++) {
		const int wanted =
			smaller(paragraph_lines(notes[i].text, screen->width), SENTENCE_LINES);
		/* each sentence has at least a line, if there is one */
		const int others = (int)(count - i - 1);
		const int given = larger(1, smaller(wanted, lines - others));

		paragraph_draw(screen, y, given, notes[i].text, notes[i].style);
		y += given;
		lines -= given;
	}
}

struct meter {
	const char *label;
	const char *text;
	int least; /* columns of the value, so that what follows it does not move */
	enum meter_kind kind;
	int goodness; /* of the value */
	bool has_spark;
};

static bool is_said(const char *text)
{
	return text && text[0] != '\0';
}

static int meter_width(const struct meter *meter, int spark)
{
	return paragraph_width(meter->label) + 1 +
	       larger(meter->least, paragraph_width(meter->text)) +
	       (meter->has_spark && spark > 0 ? spark + 1 : 0);
}

static void draw_meter(struct head_pen *pen, const struct meter *meter)
{
	const char *text = shown_value(meter->text);
	const int columns = larger(meter->least, paragraph_width(text));

	write_pen_text(pen, meter->label, STYLE_NORMAL);
	pen->x++;
	screen_text_right(pen->screen, pen->x, pen->y, columns, text,
			  is_unknown(meter->text) ? STYLE_DIM
						  : style_of_goodness(meter->goodness, STYLE_BOLD));
	pen->x += columns;
	if (meter->has_spark && pen->spark > 0) {
		pen->x++;
		graph_draw_spark(pen->screen, pen->x, pen->y, pen->spark, meter->kind,
				 pen->head->meters, pen->head->time_ns);
		pen->x += pen->spark;
	}
}

/* "112 tasks ran, 3 ended" behind the meters: whole, or its first half, or nothing. */
static void draw_tasks_ran(struct head_pen *pen, const char *text)
{
	char first[sizeof(((struct summary *)0)->tasks)];
	const int room = pen->screen->width - pen->x;

	snprintf(first, sizeof(first), "%s", text);
	if (paragraph_width(first) > room)
		first[strcspn(first, ",")] = '\0';
	if (paragraph_width(first) <= room)
		write_pen_text(pen, first, STYLE_NORMAL);
}

/* What views of the history say behind the meters: each whole, or not. */
static void draw_extras(struct head_pen *pen)
{
	const char *const extras[] = {pen->head->history, pen->head->activity};

	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		if (!is_said(extras[i]) || pen->x + paragraph_width(extras[i]) > pen->screen->width)
			continue;
		write_pen_text(pen, extras[i], STYLE_NORMAL);
		pen->x += pen->gap;
	}
}

static bool has_extras(const struct head *head)
{
	return is_said(head->activity) || is_said(head->history);
}

/* Columns of what is behind the meters. */
static int tail_width(const struct head *head)
{
	int width = 0;

	if (!has_extras(head))
		return paragraph_width(head->summary->tasks);
	width += is_said(head->history) ? paragraph_width(head->history) : 0;
	width += is_said(head->activity) ? paragraph_width(head->activity) + GAP_WIDE : 0;
	return width;
}

/* Those of hardware events come first; they are left out where none can be counted. */
static size_t first_meter(const struct head *head)
{
	return head->summary->lacks_pmu ? METER_BUSY : METER_IPC;
}

/* Of each of the sparklines, so that all have the same; 0: there are none. */
static int spark_columns(const struct head *head, const struct meter *meters, int width)
{
	int used = 0;
	int sparks = 0;

	for (size_t i = first_meter(head); i < METERS_OF_LINE; i++) {
		used += meter_width(&meters[i], 0) + GAP_WIDE;
		sparks += meters[i].has_spark;
	}
	if (sparks == 0)
		return 0;
	const int beside = (width - used - tail_width(head)) / sparks - 1;
	const int alone = (width - used + GAP_WIDE) / sparks - 1;

	if (beside >= SPARK_GOOD || (has_extras(head) && beside >= SPARK_LEAST))
		return smaller(beside, SPARK_MOST);
	return alone < SPARK_LEAST || has_extras(head) ? 0 : smaller(alone, SPARK_MOST);
}

static bool has_spark(const struct head *head, enum meter_kind kind)
{
	return head->meters && meter_history_has(head->meters, kind);
}

static void draw_meters_line(struct screen *screen, const struct head *head, int y)
{
	static const struct {
		const char *label;
		int least;
	} kinds[METERS_OF_LINE] = {
		[METER_IPC] = {"IPC", 4},
		[METER_MISS] = {"miss", 6},
		[METER_BUSY] = {"busy", 5},
		[METER_SWITCHES] = {"switches", 7},
	};
	const char *level = head->summary->miss_level;
	const bool is_machine =
		head->summary->counts_tasks && !isnan(head->summary->meters[METER_BUSY].value);
	const char *busy = is_machine ? "machine busy" : kinds[METER_BUSY].label;
	char misses[16];
	struct meter meters[METERS_OF_LINE];
	struct head_pen pen = {.screen = screen, .head = head, .y = y};

	snprintf(misses, sizeof(misses), "%s%s%s", level, level[0] != '\0' ? " " : "",
		 kinds[METER_MISS].label);
	for (size_t i = 0; i < METERS_OF_LINE; i++) {
		const struct summary_meter *number = &head->summary->meters[i];

		meters[i] = (struct meter){
			.label = i == METER_MISS   ? misses
				 : i == METER_BUSY ? busy
						   : kinds[i].label,
			.text = number->text,
			.least = kinds[i].least,
			.kind = (enum meter_kind)i,
			.goodness = number->goodness,
			.has_spark = has_spark(head, (enum meter_kind)i),
		};
	}
	pen.spark = spark_columns(head, meters, screen->width);
	pen.gap = pen.spark > 0 ? GAP_WIDE : GAP_NARROW;
	for (size_t i = first_meter(head); i < METERS_OF_LINE; i++) {
		if (pen.x + meter_width(&meters[i], pen.spark) > screen->width)
			return;
		draw_meter(&pen, &meters[i]);
		pen.x += pen.gap;
	}
	if (has_extras(head))
		draw_extras(&pen);
	else
		draw_tasks_ran(&pen, head->summary->tasks);
}

int meters_lines(const struct head *head, int width, int height)
{
	/* clang-format off */
	static const struct { int height, lines; } steps[] = {
		{60, 7}, {40, 5}, {30, 4}, {24, 3},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (width >= HEAD_BLOCK_WIDTH && height >= steps[i].height &&
		    has_spark(head, METER_BUSY))
			return steps[i].lines;
	return 1;
}

void meters_draw(struct screen *screen, const struct head *head, int y, int lines)
{
	if (lines >= HEAD_BLOCK_LINES)
		head_block_draw(screen, head, y, lines);
	else
		draw_meters_line(screen, head, y);
}
