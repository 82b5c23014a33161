#include "widget/paragraph.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/minmax.h"
#include "base/text.h"

#include "term/screen.h"

/*
 * Lines are measured in columns and cut in bytes. A line is broken at its last blank that is not
 * indentation; a word longer than the line is broken anywhere.
 */

enum {
	LEVEL_COLUMNS = 3 /* of the lines of a tree */
};

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
	if (columns <= 2)
		return 0;
	char *line = xstrndup(text, (size_t)(strchrnul(text, '\n') - text));
	const size_t bytes = hanging_bytes(line, columns);

	free(line);
	return (int)text_width_part(text, bytes);
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
		       enum style style)
{
	if (paragraph_width(text) <= columns || columns <= 1)
		return screen_text(screen, x, y, columns, text, style);
	x = screen_text(screen, x, y, columns - 1, text, style);
	return screen_text(screen, x, y, 1, "…", style);
}

/* The text behind so many columns of lines, each of which is as wide as a blank. */
static const char *skip(const char *text, int columns)
{
	uint32_t code;

	for (; columns > 0 && *text != '\0'; columns--) {
		const int length = text_decode(text, strlen(text), &code);

		text += length > 0 ? length : 1;
	}
	return text;
}

int paragraph_draw_branch(struct screen *screen, int x, int y, int columns, const char *text,
			  size_t head, enum style style)
{
	const char *name = text + head;
	const char *mark = memchr(text, '[', head); /* how many rows are folded into it */
	const int room = columns - smaller(paragraph_width(name), columns - columns / 3);
	const int over = (int)text_width_part(text, head) - room;
	const int end = x + columns;

	if (columns < 1)
		return x;
	if (over > 0) {
		/* a column more goes for the sign that there were some */
		x = screen_text(screen, x, y, 1, "…", style);
		text = skip(text, (over / LEVEL_COLUMNS + 1) * LEVEL_COLUMNS);
		text = mark && text > mark ? mark : text;
	}
	if (text < name)
		x = screen_text_part(screen, x, y, end - x, text, (size_t)(name - text), style);
	return paragraph_draw_cut(screen, x, y, end - x, name, style);
}

void paragraph_draw(struct screen *screen, int y, int lines, const char *text, enum style style)
{
	while (text && lines > 1) {
		const char *begin;
		const size_t length = paragraph_wrap(&text, screen->width, &begin);

		screen_text_part(screen, 0, y, screen->width, begin, length, style);
		y++;
		lines--;
	}
	if (text && lines == 1)
		paragraph_draw_cut(screen, 0, y, screen->width, text, style);
}
