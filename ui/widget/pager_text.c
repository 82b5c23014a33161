#include "widget/pager_text.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"
#include "base/text.h"
#include "view/text_marks.h"

#include "term/screen.h"
#include "widget/paragraph.h"

static bool page_has_words(const struct pager_text *pager)
{
	return pager->words && pager->words[0] != '\0';
}

/* Where the words begin in the text; NULL: nowhere. */
static const char *find_words(const char *text, const char *words)
{
	const size_t length = strlen(words);

	for (; *text != '\0'; text++)
		if (strncasecmp(text, words, length) == 0)
			return text;
	return NULL;
}

static int width_of_line(const char *text, size_t length)
{
	return (int)text_width_part(text, length);
}

/* Draws over the text that is there already. */
static void mark_words(struct screen *screen, int x, int y, const char *text, const char *words)
{
	const size_t length = strlen(words);
	const char *found = text;

	while ((found = find_words(found, words))) {
		const int at = x + width_of_line(text, (size_t)(found - text));

		screen_text_part(screen, at, y, screen->width - at, found, length,
				 STYLE_TITLE_SORTED);
		found += length;
	}
}

/* The way through the text, line by line of the screen. */
struct text_drawing {
	const struct pager_text *pager;
	struct paragraph_list list;
	const char *start; /* of the line of the text */
	bool is_heading;   /* so is the rest of a wrapped one */
	size_t line;       /* of the text, that comes next */
	size_t mark;       /* likewise */
};

/* A line of the screen. */
struct text_part {
	const char *text; /* in the line of the text */
	size_t length;
	int x, y;
};

/* What of the mark is in the part. */
static void draw_mark(struct screen *screen, const struct text_mark *mark, int before,
		      const struct text_part *part)
{
	const int end = before + width_of_line(part->text, part->length);
	const int from = mark->column > before ? mark->column : before;
	const int to = mark->column + mark->columns < end ? mark->column + mark->columns : end;

	if (from < to) {
		screen_restyle(screen, part->x + from - before, part->y, to - from,
			       style_of_goodness(mark->goodness, STYLE_DIM));
	}
}

/* Those of lines before are left behind. */
static void draw_marks(struct screen *screen, struct text_drawing *drawing,
		       const struct text_part *part)
{
	const struct text_marks *marks = drawing->pager->marks;
	const int before = width_of_line(drawing->start, (size_t)(part->text - drawing->start));

	while (drawing->mark < marks->count && marks->marks[drawing->mark].line < drawing->line)
		drawing->mark++;
	for (size_t i = drawing->mark; i < marks->count && marks->marks[i].line == drawing->line;
	     i++)
		draw_mark(screen, &marks->marks[i], before, part);
}

/* One line; '#' makes a heading. Nothing of it is seen where y is -1. */
static void draw_page_line(struct screen *screen, int y, struct text_drawing *drawing)
{
	const struct pager_text *pager = drawing->pager;
	const bool is_first = !drawing->list.is_rest;
	struct strbuf line = {0};
	const char *begin;
	int indent;

	if (is_first) {
		drawing->start = drawing->list.text;
		drawing->is_heading = drawing->start[0] == '#';
	}
	const size_t length = paragraph_list_wrap(&drawing->list, screen->width, &begin, &indent);
	strbuf_add_bytes(&line, begin, length);
	const char *shown = strbuf_text(&line);
	if (drawing->is_heading) {
		shown += strspn(shown, "#");
		shown += strspn(shown, " ");
	}
	screen_text(screen, indent, y, screen->width - indent, shown,
		    drawing->is_heading ? STYLE_BOLD : STYLE_NORMAL);
	if (pager->marks) {
		draw_marks(screen, drawing,
			   &(const struct text_part){
				   .text = begin, .length = length, .x = indent, .y = y});
	}
	if (page_has_words(pager) && y >= 0)
		mark_words(screen, indent, y, shown, pager->words);
	drawing->line += drawing->list.is_rest ? 0 : 1;
	strbuf_fini(&line);
}

void pager_text_draw_part(struct screen *screen, const struct pager_text *pager, int y, int lines)
{
	struct text_drawing drawing = {.pager = pager, .list = {.text = pager->text}};
	const size_t last = pager->top + (size_t)lines;

	for (size_t i = 0; drawing.list.text && i < last; i++)
		draw_page_line(screen, i < pager->top ? -1 : y + (int)(i - pager->top), &drawing);
}

void pager_text_draw(struct screen *screen, struct pager_text *pager, int lines)
{
	const size_t page = lines > 1 ? (size_t)lines - 1 : 1;
	const size_t total = (size_t)paragraph_list_lines(pager->text, screen->width);
	char place[64];

	pager->bottom = total > page ? total - page : 0;
	pager->top = pager->top < pager->bottom ? pager->top : pager->bottom;
	const size_t last = pager->top + page < total ? pager->top + page : total;
	snprintf(place, sizeof(place), "%zu%s%zu of %zu", pager->top + 1, "–", last, total);
	const int room = screen->width - paragraph_width(place) - 1;

	paragraph_draw_cut(screen, 0, 0, room, pager->title, STYLE_TITLE_SORTED);
	screen_text_right(screen, room + 1, 0, paragraph_width(place), place, STYLE_DIM);
	pager_text_draw_part(screen, pager, 1, (int)(last - pager->top));
}

static bool line_has(const char *line, const char *words)
{
	struct strbuf text = {0};

	strbuf_add_bytes(&text, line, strcspn(line, "\n"));
	const bool found = text_contains(strbuf_text(&text), words);
	strbuf_fini(&text);
	return found;
}

bool pager_text_find(const struct pager_text *pager, int columns, size_t from, bool back,
		     size_t *line)
{
	struct paragraph_list list = {.text = pager->text};
	const char *begin;
	int indent;
	bool found = false;

	if (!page_has_words(pager))
		return false;
	for (size_t i = 0; list.text; i++) {
		const bool is_first = !list.is_rest;
		const char *text = list.text;

		paragraph_list_wrap(&list, columns, &begin, &indent);
		if ((back ? i >= from : i < from) || !is_first || !line_has(text, pager->words))
			continue;
		*line = i;
		found = true;
		if (!back)
			return true;
	}
	return found;
}
