#include "term/font.h"

#include <stdlib.h>
#include <string.h>

#include <linux/kd.h>
#include <sys/ioctl.h>

#include "base/memory.h"
#include "base/text.h"

/*
 * The console reports what its font has (GIO_UNIMAP), whatever setfont(8) has loaded. Where it
 * cannot be asked, its type in hand, the font is taken for the one kernels start with: code page
 * 437, the characters of the first PCs. It has two heights of blocks and one width of them; a sign
 * in eighths goes to the nearest of these, and the least to one that can be seen.
 */

enum {
	STAND_INS_MAX = 3,
	ENTRIES_MAX = 65535,
	ASCII_END = 0x7f,
	NOTHING = '?'
};

/* clang-format off */
/* What the program draws with, besides ASCII: whether code page 437 has it, and what replaces it,
 * the best first. */
static const struct {
	uint16_t code;
	bool is_in_437;
	uint16_t stand_ins[STAND_INS_MAX];
} glyphs[] = {
	{0x00b7, true,  {'.'}},                /* middle dot */
	{0x00bb, true,  {'>'}},                /* double angle */
	{0x00d7, false, {'x'}},                /* multiplication sign */
	{0x2013, false, {'-'}},                /* dash */
	{0x2026, false, {'~'}},                /* ellipsis */
	{0x2190, true,  {'<'}},                /* arrow to the left */
	{0x2500, true,  {'-'}},                /* lines */
	{0x2502, true,  {'|'}},
	{0x2503, false, {0x2502, '|'}},
	{0x2514, true,  {'`'}},
	{0x251c, true,  {'|'}},
	{0x2581, false, {'_'}},                /* the lower eighth, and so on up to seven */
	{0x2582, false, {'_'}},
	{0x2583, false, {0x2584, '-'}},
	{0x2584, true,  {'='}},
	{0x2585, false, {0x2584, '='}},
	{0x2586, false, {0x2588, '*'}},
	{0x2587, false, {0x2588, '%'}},
	{0x2588, true,  {'#'}},                /* full */
	{0x2589, false, {0x2588, '#'}},        /* the left seven eighths, and so on down to one */
	{0x258a, false, {0x2588, '#'}},
	{0x258b, false, {0x258c, '|'}},
	{0x258c, true,  {'|'}},
	{0x258d, false, {0x258c, '|'}},
	{0x258e, false, {0x258c, '|'}},
	{0x258f, false, {0x258c, '|'}},
	{0x25b2, true,  {'^'}},                /* triangles */
	{0x25bc, true,  {'v'}},
};
/* clang-format on */

enum {
	GLYPH_COUNT = sizeof(glyphs) / sizeof(glyphs[0])
};

static int by_code(const void *a, const void *b)
{
	const uint16_t first = *(const uint16_t *)a, second = *(const uint16_t *)b;

	return (first > second) - (first < second);
}

/* False where fd is no console of this machine. */
static bool ask_console(struct font *font, int fd)
{
	struct unipair *pairs = xcalloc(ENTRIES_MAX, sizeof(*pairs));
	struct unimapdesc map = {.entry_ct = ENTRIES_MAX, .entries = pairs};
	const bool is_console = ioctl(fd, GIO_UNIMAP, &map) == 0 && map.entry_ct > 0;

	if (is_console) {
		font->count = map.entry_ct;
		font->codes = xcalloc(font->count, sizeof(*font->codes));
		for (size_t i = 0; i < font->count; i++)
			font->codes[i] = pairs[i].unicode;
		qsort(font->codes, font->count, sizeof(*font->codes), by_code);
	}
	free(pairs);
	return is_console;
}

/* "linux" and its variants, such as "linux-16color" */
static bool is_console_type(const char *type)
{
	const char name[] = "linux";
	const size_t length = sizeof(name) - 1;

	return strncmp(type, name, length) == 0 && (type[length] == '\0' || type[length] == '-');
}

void font_init(struct font *font, const char *type, int fd)
{
	*font = (struct font){.is_limited = is_console_type(type)};
	if (font->is_limited)
		ask_console(font, fd);
}

void font_fini(struct font *font)
{
	free(font->codes);
	*font = (struct font){0};
}

static size_t glyph_find(uint32_t code)
{
	size_t i = 0;

	while (i < GLYPH_COUNT && glyphs[i].code != code)
		i++;
	return i;
}

static bool has(const struct font *font, uint32_t code)
{
	const uint16_t wanted = (uint16_t)code;

	if (code < ASCII_END)
		return true;
	if (font->codes) {
		return wanted == code &&
		       bsearch(&wanted, font->codes, font->count, sizeof(*font->codes), by_code);
	}
	/* letters of names are not ours to judge: a console shows a sign for those it lacks */
	const size_t glyph = glyph_find(code);
	return glyph == GLYPH_COUNT || glyphs[glyph].is_in_437;
}

uint32_t font_character(const struct font *font, uint32_t code)
{
	if (!font->is_limited || has(font, code))
		return code;
	const size_t glyph = glyph_find(code);
	for (size_t i = 0; glyph < GLYPH_COUNT && i < STAND_INS_MAX; i++) {
		const uint16_t stand_in = glyphs[glyph].stand_ins[i];

		if (stand_in != 0 && has(font, stand_in))
			return stand_in;
	}
	return NOTHING;
}

void font_cell(const struct font *font, bool is_utf8, const struct screen_cell *cell,
	       wchar_t characters[static FONT_CELL_MAX + 1])
{
	const size_t most = font->is_limited ? 1 : FONT_CELL_MAX;
	const char *bytes = cell->bytes;
	size_t count = 0;
	uint32_t code;

	while (count < most) {
		const int length = text_decode(bytes, strlen(bytes), &code);

		if (length <= 0)
			break;
		characters[count++] = (wchar_t)font_character(font, code);
		bytes += length;
	}
	characters[count] = L'\0';
	const bool is_shown_as_it_is = is_utf8 || (characters[0] < ASCII_END && count == 1);
	if (!is_shown_as_it_is || wcwidth(characters[0]) != cell->width) {
		characters[0] = NOTHING;
		characters[1] = L'\0';
	}
}
