#include "widget/paragraph.h"

#include <limits.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text.h"

#include "term/screen.h"

/*
 * Lines are measured in columns and cut in bytes. A line is broken at its last blank that is not
 * indentation; a word longer than the line is broken anywhere.
 */

int paragraph_width(const char *text)
{
	const size_t width = text_width(text);

	return width < INT_MAX / 4 ? (int)width : INT_MAX / 4;
}

size_t paragraph_wrap(const char **text, int columns, const char **begin)
{
	const char *line = *text;
	const char *end = strchrnul(line, '\n');
	size_t width;
	size_t length = text_fit(line, columns > 2 ? (size_t)columns : 2, &width);

	*begin = line;
	if (line + length >= end) {
		*text = end[0] != '\0' && end[1] != '\0' ? end + 1 : NULL;
		return (size_t)(end - line);
	}
	size_t cut = length;
	while (cut > 0 && line[cut] != ' ')
		cut--;
	/* a blank in the indentation is no place to break at */
	if (cut > 0 && strspn(line, " ") < cut)
		length = cut;
	if (length == 0)
		length = 1;
	*text = line + length + strspn(line + length, " ");
	return length;
}

/* Bytes of a line before its last gap in the left half ends; else those of its indentation. */
static size_t hanging_bytes(const char *line, int columns)
{
	size_t width;
	const size_t half = text_fit(line, (size_t)columns / 2, &width);
	const size_t indentation = strspn(line, " ");
	size_t bytes = indentation < half ? indentation : 0;

	for (size_t at = indentation; at < half;) {
		const size_t word = strcspn(line + at, " ");
		const size_t blanks = strspn(line + at + word, " ");

		at += word + blanks;
		if (blanks >= 2 && at <= half)
			bytes = at;
	}
	return bytes;
}

/* Columns before the rest of the text's first line. */
static int hang_of(const char *text, int columns)
{
	struct strbuf line = {0};

	if (columns <= 2)
		return 0;
	strbuf_add_bytes(&line, text, (size_t)(strchrnul(text, '\n') - text));
	const size_t bytes = hanging_bytes(strbuf_text(&line), columns);
	strbuf_clear(&line);
	strbuf_add_bytes(&line, text, bytes);
	const int width = paragraph_width(strbuf_text(&line));
	strbuf_fini(&line);
	return width;
}

size_t paragraph_list_wrap(struct paragraph_list *list, int columns, const char **begin,
			   int *indent)
{
	const char *text = list->text;

	*indent = list->is_rest ? list->hang : 0;
	const size_t length = paragraph_wrap(&list->text, columns - *indent, begin);
	const bool goes_on = list->text && list->text[-1] != '\n';
	if (goes_on && !list->is_rest)
		list->hang = hang_of(text, columns);
	list->is_rest = goes_on;
	return length;
}

int paragraph_list_lines(const char *text, int columns)
{
	struct paragraph_list list = {.text = text};
	int lines = 0;

	while (list.text) {
		const char *begin;
		int indent;

		paragraph_list_wrap(&list, columns, &begin, &indent);
		lines++;
	}
	return lines;
}

int paragraph_lines(const char *text, int columns)
{
	const char *begin;
	int lines = 0;

	while (text) {
		paragraph_wrap(&text, columns, &begin);
		lines++;
	}
	return lines;
}

int paragraph_draw_cut(struct screen *screen, int x, int y, int columns, const char *text,
		       enum style style, bool ascii)
{
	const int mark = ascii ? 3 : 1;

	if (paragraph_width(text) <= columns || columns <= mark)
		return screen_text(screen, x, y, columns, text, style);
	const int end = screen_text(screen, x, y, columns - mark, text, style);
	return screen_text(screen, end, y, mark, ascii ? "..." : "…", style);
}

void paragraph_draw(struct screen *screen, int y, int lines, const char *text, enum style style,
		    bool ascii)
{
	struct strbuf line = {0};

	while (text && lines > 1) {
		const char *begin;
		const size_t length = paragraph_wrap(&text, screen->width, &begin);

		strbuf_clear(&line);
		strbuf_add_bytes(&line, begin, length);
		screen_text(screen, 0, y, screen->width, strbuf_text(&line), style);
		y++;
		lines--;
	}
	if (text && lines == 1)
		paragraph_draw_cut(screen, 0, y, screen->width, text, style, ascii);
	strbuf_fini(&line);
}
