#include "widget/branch.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
	LEVEL_COLUMNS = 3,
	BRANCH_BYTES_MAX = 256 /* many times what a tree draws */
};

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

/* The name, and a sign where it has no room. */
static int draw_name(struct screen *screen, int x, int y, int columns, const char *name,
		     enum style style, bool ascii)
{
	if (text_width(name) <= (size_t)columns || columns <= 1)
		return screen_text(screen, x, y, columns, name, style);
	x = screen_text(screen, x, y, columns - 1, name, style);
	return screen_text(screen, x, y, 1, ascii ? "~" : "…", style);
}

int branch_draw(struct screen *screen, int x, int y, int columns, const char *text, size_t head,
		enum style style, bool ascii)
{
	const char *name = text + head;
	const int wanted = (int)text_width(name);
	const int most = columns - columns / 3;
	const int room = columns - (wanted < most ? wanted : most);
	const int end = x + columns;
	char lines[BRANCH_BYTES_MAX];

	if (columns < 1)
		return x;
	snprintf(lines, sizeof(lines), "%.*s", (int)head, text);

	const int over = (int)text_width(lines) - room;

	if (over <= 0) {
		x = screen_text(screen, x, y, columns, lines, style);
	} else {
		/* a column more goes for the sign that there were some */
		x = screen_text(screen, x, y, 1, ascii ? "~" : "…", style);
		x = screen_text(screen, x, y, end - x,
				skip(lines, (over / LEVEL_COLUMNS + 1) * LEVEL_COLUMNS), style);
	}
	return draw_name(screen, x, y, end - x, name, style, ascii);
}
