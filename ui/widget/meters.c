#include "widget/meters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "view/meter_history.h"
#include "view/summary.h"

#include "term/screen.h"
#include "widget/head.h"
#include "widget/paragraph.h"

/*
 * Numbers do not move: each has a place that does not depend on its digits. Behind it is its
 * sparkline, the newest interval at the right end. Where there is little room sparklines
 * shrink, then the words behind the meters go, then the sparklines, then whole meters; what a view
 * of the history says there stays before sparklines.
 */

enum {
	GAP_WIDE = 3,
	GAP_NARROW = 2,
	SPARK_MOST = 16,
	SPARK_GOOD = 8, /* words behind the meters go before sparklines are shorter than this */
	SPARK_LEAST = 4
};

struct meter {
	const char *label;
	const char *text;
	int least; /* columns of the value, so that what follows it does not move */
	enum meter_kind kind;
	int goodness; /* of the value */
	bool has_spark;
};

/* Everything that drawing them needs to know. */
struct pen {
	struct screen *screen;
	const struct head *head;
	int x, y;
	int spark, gap; /* columns */
};

static void write_text(struct pen *pen, const char *text, enum style style)
{
	pen->x = screen_text(pen->screen, pen->x, pen->y, pen->screen->width - pen->x, text, style);
}

static bool is_said(const char *text)
{
	return text && text[0] != '\0';
}

static enum style style_of(int goodness, enum style otherwise)
{
	return goodness < 0 ? otherwise : (enum style)(STYLE_GOOD_0 + goodness);
}

static int meter_width(const struct meter *meter, int spark)
{
	return paragraph_width(meter->label) + 1 +
	       larger(meter->least, paragraph_width(meter->text)) +
	       (meter->has_spark && spark > 0 ? spark + 1 : 0);
}

static void draw_spark(const struct pen *pen, enum meter_kind kind)
{
	const struct head *head = pen->head;
	size_t count;
	const struct meter_interval *last =
		meter_history_last(head->meters, head->time_ns, (size_t)pen->spark, &count);
	const double top = meter_history_top(kind, last, count);
	const int begin = pen->x + pen->spark - (int)count;

	for (size_t i = 0; i < count; i++) {
		screen_text(pen->screen, begin + (int)i, pen->y, 1,
			    spark_sign((double)last[i].points[kind].value / top, head->ascii),
			    style_of(last[i].points[kind].goodness, STYLE_BAR));
	}
}

static void draw_meter(struct pen *pen, const struct meter *meter)
{
	const bool is_unknown = strcmp(meter->text, "-") == 0;
	const char *text = is_unknown && !pen->head->ascii ? "–" : meter->text;
	const int columns = larger(meter->least, paragraph_width(text));

	write_text(pen, meter->label, STYLE_NORMAL);
	pen->x++;
	screen_text_right(pen->screen, pen->x, pen->y, columns, text,
			  is_unknown ? STYLE_DIM : style_of(meter->goodness, STYLE_BOLD));
	pen->x += columns;
	if (meter->has_spark && pen->spark > 0) {
		pen->x++;
		draw_spark(pen, meter->kind);
		pen->x += pen->spark;
	}
}

/* "112 tasks ran, 3 ended" behind the meters: whole, or its first half, or nothing. */
static void draw_tasks_ran(struct pen *pen, const char *text)
{
	char first[sizeof(((struct summary *)0)->tasks)];
	const int room = pen->screen->width - pen->x;

	snprintf(first, sizeof(first), "%s", text);
	if (paragraph_width(first) > room)
		first[strcspn(first, ",")] = '\0';
	if (paragraph_width(first) <= room)
		write_text(pen, first, STYLE_NORMAL);
}

/* What views of the history say behind the meters: each whole, or not. */
static void draw_extras(struct pen *pen)
{
	const char *const extras[] = {pen->head->history, pen->head->activity};

	for (size_t i = 0; i < sizeof(extras) / sizeof(extras[0]); i++) {
		if (!is_said(extras[i]) || pen->x + paragraph_width(extras[i]) > pen->screen->width)
			continue;
		write_text(pen, extras[i], STYLE_NORMAL);
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

	for (size_t i = first_meter(head); i < METER_KINDS; i++) {
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

/* Whether anything is known of it at any time that is kept. */
static bool has_spark(const struct head *head, enum meter_kind kind)
{
	size_t count = 0;
	const struct meter_interval *last = NULL;

	if (head->meters)
		last = meter_history_last(head->meters, UINT64_MAX, METER_HISTORY_KEPT, &count);
	for (size_t i = 0; i < count; i++)
		if (!isnan(last[i].points[kind].value))
			return true;
	return false;
}

void meters_draw(struct screen *screen, const struct head *head, int y)
{
	const struct summary_meter *numbers = head->summary->meters;
	/* clang-format off */
	struct meter meters[METER_KINDS] = {
		{"IPC",      numbers[METER_IPC].text, 4, METER_IPC, numbers[METER_IPC].goodness, false},
		{"miss",     numbers[METER_MISS].text, 6, METER_MISS, numbers[METER_MISS].goodness, false},
		{"busy",     numbers[METER_BUSY].text, 5, METER_BUSY, numbers[METER_BUSY].goodness, false},
		{"switches", numbers[METER_SWITCHES].text, 7, METER_SWITCHES, numbers[METER_SWITCHES].goodness, false},
	};
	/* clang-format on */
	struct pen pen = {.screen = screen, .head = head, .y = y};

	for (size_t i = 0; i < METER_KINDS; i++)
		meters[i].has_spark = has_spark(head, meters[i].kind);
	pen.spark = spark_columns(head, meters, screen->width);
	pen.gap = pen.spark > 0 ? GAP_WIDE : GAP_NARROW;
	for (size_t i = first_meter(head); i < METER_KINDS; i++) {
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
