#include "widget/head.h"

#include <stdio.h>
#include <string.h>

#include "base/minmax.h"
#include "view/summary.h"

#include "term/screen.h"
#include "widget/paragraph.h"

/*
 * Each line is a row of pieces with gaps between. When the width is short, gaps shrink
 * first, then whole pieces go, in a fixed order; a number is never cut.
 */

enum {
	SENTENCE_LINES = 2, /* most lines of one note */
	GAP_WIDE = 3,
	GAP_NARROW = 2,
	NOTES_MAX = 4
};

/* A piece of one line. */
struct piece {
	char text[SUMMARY_TEXT_MAX];
	enum style style;
};

/* Where the next thing on a line goes. */
struct pen {
	struct screen *screen;
	int x, y;
};

static void write_text(struct pen *pen, const char *text, enum style style)
{
	pen->x = screen_text(pen->screen, pen->x, pen->y, pen->screen->width - pen->x, text, style);
}

/* What summary_make() calls unknown is shown as everywhere: a dim dash. */
static bool is_unknown(const char *text)
{
	return strcmp(text, "-") == 0;
}

static const char *shown_value(const char *text, bool ascii)
{
	return is_unknown(text) && !ascii ? "–" : text;
}

/* How the head is made to fit: the first of these that does is taken. */
struct head_fit {
	int gap;
	bool has_name, has_interval, has_clock, has_own, has_attributed;
};

/* clang-format off */
static const struct head_fit head_fits[] = {
	/* gap,      name,  interval, clock, own,  attributed */
	{GAP_WIDE,   true,  true,     true,  true,  true},
	{GAP_NARROW, true,  true,     true,  true,  true},
	{GAP_NARROW, false, true,     true,  true,  true},
	{GAP_NARROW, false, false,    true,  true,  true},
	{GAP_NARROW, false, false,    false, true,  true},
	{GAP_NARROW, false, false,    false, false, true},
	{GAP_NARROW, false, false,    false, false, false},
};
/* clang-format on */

enum {
	HEAD_FIT_COUNT = sizeof(head_fits) / sizeof(head_fits[0]),
	HEAD_PIECES_MAX = 8
};

static size_t add_piece(struct piece *pieces, size_t count, enum style style, const char *label,
			const char *text)
{
	pieces[count].style = style;
	snprintf(pieces[count].text, sizeof(pieces[count].text), "%s%s", label, text);
	return count + 1;
}

/* The right half of the first line. */
static size_t head_pieces(const struct head *head, const struct head_fit *fit,
			  struct piece pieces[static HEAD_PIECES_MAX])
{
	const struct summary *summary = head->summary;
	const enum style style = summary->is_fully_attributed ? STYLE_NORMAL : STYLE_WARNING;
	size_t count = 0;

	if (fit->has_attributed) {
		count = add_piece(pieces, count,
				  is_unknown(summary->attributed) ? STYLE_DIM : style, "accounted ",
				  shown_value(summary->attributed, head->ascii));
	}
	if (summary->lost[0] != '\0')
		count = add_piece(pieces, count, STYLE_ERROR, "", summary->lost);
	if (summary->pmu_is_short && summary->pmu[0] == '\0')
		count = add_piece(pieces, count, STYLE_WARNING, "", "no PMU");
	if (fit->has_own && summary->own_cpu[0] != '\0') {
		count = add_piece(pieces, count, STYLE_NORMAL, "perftop ",
				  shown_value(summary->own_cpu, head->ascii));
	}
	if (fit->has_clock && summary->clock[0] != '\0')
		count = add_piece(pieces, count, STYLE_NORMAL, "", summary->clock);
	return count;
}

static int pieces_width(const struct piece *pieces, size_t count, int gap)
{
	int width = 0;

	for (size_t i = 0; i < count; i++)
		width += paragraph_width(pieces[i].text) + (i > 0 ? gap : 0);
	return width;
}

static const char program_name[] = "perftop";

static void head_scope(const struct head *head, const struct head_fit *fit, char *text, size_t size)
{
	const struct summary *summary = head->summary;
	const bool has_interval = fit->has_interval && summary->interval[0] != '\0';

	snprintf(text, size, "%s%s%s", summary->scope,
		 has_interval ? (head->ascii ? " - " : " · ") : "",
		 has_interval ? summary->interval : "");
}

void head_draw(struct screen *screen, const struct head *head, int y)
{
	const struct head_fit *fit = NULL;
	struct pen pen = {.screen = screen, .y = y};
	struct piece pieces[HEAD_PIECES_MAX];
	char scope[2 * SUMMARY_TEXT_MAX];
	size_t count = 0;
	int right = 0;

	if (!head->summary) {
		write_text(&pen, program_name, STYLE_BOLD);
		return;
	}
	for (size_t i = 0; i < HEAD_FIT_COUNT; i++) {
		fit = &head_fits[i];
		count = head_pieces(head, fit, pieces);
		right = pieces_width(pieces, count, fit->gap);
		head_scope(head, fit, scope, sizeof(scope));
		/* a long list of pids is cut before it drives out the rest */
		const int name = fit->has_name ? paragraph_width(program_name) + fit->gap : 0;
		const int left = smaller(name + paragraph_width(scope), screen->width / 2);
		if (left + fit->gap + right <= screen->width)
			break;
	}
	if (fit->has_name) {
		write_text(&pen, program_name, STYLE_BOLD);
		pen.x += fit->gap;
	}
	paragraph_draw_cut(screen, pen.x, y, screen->width - right - fit->gap - pen.x, scope,
			   STYLE_NORMAL, head->ascii);
	pen.x = larger(0, screen->width - right);
	for (size_t i = 0; i < count; i++) {
		write_text(&pen, pieces[i].text, pieces[i].style);
		pen.x += fit->gap;
	}
}

/* The sentences under the meters, the one that matters more first; joined when they fit into one
 * line. */
static size_t make_notes(const struct head *head, int width, struct piece notes[static NOTES_MAX])
{
	const struct summary *summary = head->summary;
	const enum style pmu_style = summary->pmu_is_bad ? STYLE_WARNING : STYLE_DIM;
	size_t count = 0;

	if (summary->machine[0] != '\0')
		count = add_piece(notes, count, STYLE_NORMAL, "", summary->machine);
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

static bool notes_fit_one_line(const struct piece *notes, size_t count, int width)
{
	return pieces_width(notes, count, GAP_WIDE) <= width;
}

int head_notes_lines(const struct head *head, int width)
{
	struct piece notes[NOTES_MAX];
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
	struct pen pen = {.screen = screen, .y = y};
	struct piece notes[NOTES_MAX];
	const size_t count = make_notes(head, screen->width, notes);

	if (notes_fit_one_line(notes, count, screen->width)) {
		for (size_t i = 0; i < count; i++) {
			write_text(&pen, notes[i].text, notes[i].style);
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

		paragraph_draw(screen, y, given, notes[i].text, notes[i].style, head->ascii);
		y += given;
		lines -= given;
	}
}
