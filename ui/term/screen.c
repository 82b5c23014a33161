#include "term/screen.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "base/text.h"

/*
 * The grid. Invariant: a cell of width 2 is followed by exactly one of width 0 on the
 * same line, and a cell of width 0 always follows one of width 2: overwriting one
 * half turns the other into a blank. The bytes behind a cell's NUL are zero, so that
 * cells can be compared with memcmp().
 */

enum {
	NOTHING = '?' /* for what a terminal could act on, or does not have */
};

struct hit_area {
	int x, y, width, height;
	enum hit_kind kind;
	size_t first; /* index at its first line; each line below has one more */
};

/* clang-format off */
/* What the program draws with besides ASCII, and what replaces it in ASCII. */
static const struct {
	uint32_t code;
	char ascii[2];
} glyphs[] = {
	{0x00b7, "."},                /* middle dot */
	{0x00bb, ">"},                /* double angle */
	{0x00d7, "x"},                /* multiplication sign */
	{0x2013, "-"},                /* dash */
	{0x2026, "~"},                /* ellipsis */
	{0x2190, "<"},                /* arrow to the left */
	{0x2500, "-"},                /* lines */
	{0x2502, "|"},
	{0x2503, "|"},
	{0x2514, "`"},
	{0x251c, "|"},
	{0x2581, "_"},                /* the lower eighth, and so on up to seven */
	{0x2582, "_"},
	{0x2583, "-"},
	{0x2584, "="},
	{0x2585, "="},
	{0x2586, "*"},
	{0x2587, "%"},
	{0x2588, "#"},                /* full */
	{0x2589, "#"},                /* the left seven eighths, and so on down to one */
	{0x258a, "#"},
	{0x258b, "|"},
	{0x258c, "|"},
	{0x258d, "|"},
	{0x258e, "|"},
	{0x258f, "|"},
	{0x25b2, "^"},                /* triangles */
	{0x25bc, "v"},
};
/* clang-format on */

static struct screen_cell blank_cell(enum style style)
{
	return (struct screen_cell){.bytes = " ", .width = 1, .style = (uint8_t)style};
}

static struct screen_cell *cell_at(const struct screen *screen, int x, int y)
{
	if (x < 0 || y < 0 || x >= screen->width || y >= screen->height)
		return NULL;
	return &screen->cells[(size_t)y * (size_t)screen->width + (size_t)x];
}

void screen_init(struct screen *screen, int width, int height)
{
	*screen = (struct screen){.cursor_x = -1, .cursor_y = -1};
	screen_resize(screen, width, height);
}

void screen_fini(struct screen *screen)
{
	free(screen->cells);
	free(screen->hits);
	*screen = (struct screen){.cursor_x = -1, .cursor_y = -1};
}

void screen_resize(struct screen *screen, int width, int height)
{
	assert(width >= 0 && height >= 0);

	free(screen->cells);
	screen->width = width;
	screen->height = height;
	screen->cells = xcalloc((size_t)width * (size_t)height, sizeof(*screen->cells));
	screen_clear(screen);
}

void screen_clear(struct screen *screen)
{
	const size_t count = (size_t)screen->width * (size_t)screen->height;
	const struct screen_cell blank = blank_cell(STYLE_NORMAL);

	for (size_t i = 0; i < count; i++)
		screen->cells[i] = blank;
	screen->cursor_x = -1;
	screen->cursor_y = -1;
	screen->hit_count = 0;
}

/* Writes one cell; what it was part of before loses its other half. */
static void set_cell(struct screen *screen, int x, int y, struct screen_cell cell)
{
	struct screen_cell *place = cell_at(screen, x, y);

	if (!place)
		return;
	if (place->width == 0 && x > 0) {
		struct screen_cell *left = place - 1;
		const bool selected = left->is_selected;

		*left = blank_cell(left->style);
		left->is_selected = selected;
	}
	if (place->width == 2 && x + 1 < screen->width) {
		struct screen_cell *right = place + 1;
		const bool selected = right->is_selected;

		*right = blank_cell(right->style);
		right->is_selected = selected;
	}
	cell.is_selected = place->is_selected;
	*place = cell;
}

/* A character of one or two columns at x; a half that has no room on the screen is left blank. */
static void put_character(struct screen *screen, int x, int y, struct screen_cell cell)
{
	if (cell.width == 2 && (x == -1 || x == screen->width - 1)) {
		const struct screen_cell blank = blank_cell(cell.style);

		set_cell(screen, x < 0 ? 0 : x, y, blank);
		return;
	}
	set_cell(screen, x, y, cell);
	if (cell.width == 2)
		set_cell(screen, x + 1, y, (struct screen_cell){.style = cell.style});
}

/* Adds a combining character to the one at x; what has no room in the cell is left out. */
static void combine(struct screen *screen, int x, int y, const char *bytes, size_t length)
{
	struct screen_cell *cell = cell_at(screen, x, y);

	if (!cell || cell->width == 0)
		return;
	const size_t used = strlen(cell->bytes);
	if (used + length < sizeof(cell->bytes))
		memcpy(cell->bytes + used, bytes, length);
}

/* Controls of C0 and C1, line and paragraph separators, and what changes the direction of writing.
 */
static bool is_control_point(uint32_t code)
{
	if (code < 0x20 || (code >= 0x7f && code < 0xa0))
		return true;
	return code == 0x061c || code == 0x200e || code == 0x200f ||
	       (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

struct character {
	const char *bytes;
	size_t length;
	int width;
};

static const char *ascii_of(uint32_t code)
{
	for (size_t i = 0; i < sizeof(glyphs) / sizeof(glyphs[0]); i++)
		if (glyphs[i].code == code)
			return glyphs[i].ascii;
	return "?";
}

/*
 * Takes one character off the text; what is none or could be acted on becomes '?', and so does what
 * an ASCII screen has nothing for. False at the end.
 */
static bool next_character(const struct screen *screen, const char **text, const char *end,
			   struct character *character)
{
	uint32_t code;

	if (*text < end && **text >= ' ' && **text <= '~') { /* nearly all of them */
		*character = (struct character){(*text)++, 1, 1};
		return true;
	}
	const int length = text_decode(*text, (size_t)(end - *text), &code);

	if (length == 0)
		return false;
	*character = (struct character){"?", 1, 1};
	if (length > 0 && !is_control_point(code)) {
		*character = (struct character){*text, (size_t)length, text_char_width(code)};
		if (screen->is_ascii && code > '~' && character->width > 0)
			*character = (struct character){ascii_of(code), 1, 1};
	}
	*text += length > 0 ? length : 1;
	return true;
}

int screen_text_part(struct screen *screen, int x, int y, int columns, const char *text,
		     size_t bytes, enum style style)
{
	const char *text_end = text + bytes;
	const long long end = (long long)x + (columns > 0 ? columns : 0);
	struct character character;
	int base = x; /* where the last base character is */
	bool has_base = false;

	while (next_character(screen, &text, text_end, &character)) {
		if (character.width == 0) {
			if (has_base && !screen->is_ascii)
				combine(screen, base, y, character.bytes, character.length);
			continue;
		}
		if (x >= screen->width || x + character.width > end)
			break;
		struct screen_cell cell = {.width = (uint8_t)character.width,
					   .style = (uint8_t)style};
		memcpy(cell.bytes, character.bytes, character.length);
		put_character(screen, x, y, cell);
		base = x;
		/* half a character was drawn as a blank, which takes no combining ones */
		has_base = character.width == 1 || (x >= 0 && x + 1 < screen->width);
		x += character.width;
	}
	return x;
}

int screen_text(struct screen *screen, int x, int y, int columns, const char *text,
		enum style style)
{
	return screen_text_part(screen, x, y, columns, text, strlen(text), style);
}

/* Columns that screen_text() would need. */
static long long measure_text(const struct screen *screen, const char *text)
{
	const char *end = text + strlen(text);
	struct character character;
	long long width = 0;

	while (next_character(screen, &text, end, &character))
		width += character.width;
	return width;
}

void screen_text_right(struct screen *screen, int x, int y, int columns, const char *text,
		       enum style style)
{
	if (x >= screen->width)
		return;
	const long long width = measure_text(screen, text);
	const int blank = width < columns ? columns - (int)width : 0;

	screen_text(screen, x + blank, y, columns - blank, text, style);
}

void screen_fill(struct screen *screen, int x, int y, int columns, const char *character,
		 enum style style)
{
	long long end = (long long)x + columns;

	if (end > screen->width)
		end = screen->width;
	if (x < 0)
		x = 0;
	while (x < end) {
		const int next = screen_text(screen, x, y, (int)end - x, character, style);

		if (next == x)
			return;
		x = next;
	}
}

static void set_selected(struct screen *screen, int y, int columns, bool is_selected)
{
	for (int x = 0; x < screen->width && x < columns; x++) {
		struct screen_cell *cell = cell_at(screen, x, y);

		if (!cell)
			return;
		cell->is_selected = is_selected;
	}
}

void screen_select_columns(struct screen *screen, int y, int columns)
{
	set_selected(screen, y, columns, true);
}

void screen_deselect_columns(struct screen *screen, int y, int columns)
{
	set_selected(screen, y, columns, false);
}

static void set_cell_selected(struct screen *screen, int x, int y, bool is_selected)
{
	struct screen_cell *cell = cell_at(screen, x, y);

	if (cell)
		cell->is_selected = is_selected;
}

void screen_select_cell(struct screen *screen, int x, int y)
{
	set_cell_selected(screen, x, y, true);
}

void screen_deselect_cell(struct screen *screen, int x, int y)
{
	set_cell_selected(screen, x, y, false);
}

void screen_restyle(struct screen *screen, int x, int y, int columns, enum style style)
{
	for (int i = 0; i < columns; i++) {
		struct screen_cell *cell = cell_at(screen, x + i, y);

		if (cell)
			cell->style = (uint8_t)style;
	}
}

bool screen_is_blank(const struct screen *screen, int x, int y)
{
	if (x < 0 || y < 0 || x >= screen->width || y >= screen->height)
		return true;
	return strcmp(screen->cells[(size_t)y * (size_t)screen->width + (size_t)x].bytes, " ") == 0;
}

void screen_select_line(struct screen *screen, int y)
{
	screen_select_columns(screen, y, screen->width);
}

void screen_bar(struct screen *screen, int x, int y, int columns, double pct, enum style style)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const int parts = screen->is_ascii ? 1 : 8;

	if (columns <= 0)
		return;
	screen_fill(screen, x, y, columns, " ", style);
	if (isnan(pct) || pct <= 0.0)
		return;
	const double share = pct < 100.0 ? pct / 100.0 : 1.0;
	const long long filled = llround(share * columns * parts);
	const int whole = (int)(filled / parts);

	screen_fill(screen, x, y, whole, screen->is_ascii ? "|" : "█", style);
	screen_text(screen, x + whole, y, columns - whole, eighths[filled % parts], style);
}

void screen_dump(const struct screen *screen, struct strbuf *out)
{
	for (int y = 0; y < screen->height; y++) {
		size_t length = out->length;

		for (int x = 0; x < screen->width; x++)
			strbuf_add(out, cell_at(screen, x, y)->bytes);
		while (out->length > length && out->text[out->length - 1] == ' ')
			out->text[--out->length] = '\0';
		strbuf_add_char(out, '\n');
	}
}

void screen_mark(struct screen *screen, int x, int y, int width, int height, enum hit_kind kind,
		 size_t first)
{
	if (width <= 0 || height <= 0)
		return;
	array_reserve(&screen->hits, &screen->hit_capacity, screen->hit_count + 1,
		      sizeof(*screen->hits));
	screen->hits[screen->hit_count++] = (struct hit_area){x, y, width, height, kind, first};
}

struct hit screen_find(const struct screen *screen, int x, int y)
{
	for (size_t i = screen->hit_count; i > 0; i--) {
		const struct hit_area *area = &screen->hits[i - 1];
		const int column = x - area->x, line = y - area->y;

		if (column >= 0 && column < area->width && line >= 0 && line < area->height)
			return (struct hit){
				.kind = area->kind,
				.index = area->first + (size_t)line,
				.column = column,
				.columns = area->width,
			};
	}
	return (struct hit){.kind = HIT_NOTHING};
}

void screen_cell_characters(const struct screen_cell *cell, bool is_utf8,
			    wchar_t characters[static SCREEN_CELL_CHARACTERS + 1])
{
	const char *bytes = cell->bytes;
	size_t count = 0;
	uint32_t code;

	if (bytes[0] >= ' ' && bytes[0] <= '~' && bytes[1] == '\0') { /* nearly all of them */
		characters[0] = (wchar_t)(unsigned char)bytes[0];
		characters[1] = L'\0';
		return;
	}
	while (count < SCREEN_CELL_CHARACTERS) {
		const int length = text_decode(bytes, strlen(bytes), &code);

		if (length <= 0)
			break;
		characters[count++] = (wchar_t)code;
		bytes += length;
	}
	characters[count] = L'\0';
	const bool is_ascii = count == 1 && characters[0] <= '~';
	if (!(is_utf8 || is_ascii) || wcwidth(characters[0]) != cell->width) {
		characters[0] = NOTHING;
		characters[1] = L'\0';
	}
}
