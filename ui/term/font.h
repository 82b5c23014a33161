#ifndef PERFTOP_TERM_FONT_H
#define PERFTOP_TERM_FONT_H

/*
 * Which characters a terminal has, and what replaces those it lacks. Most show all that their
 * locale has; to them this does nothing. The Linux console has a font of 256 or 512 characters,
 * and gives each combining character a column of its own, so that such a line would shift.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include "term/screen.h"

struct font {
	bool is_limited;
	uint16_t *codes; /* owned; what the font has, ascending; NULL: code page 437 */
	size_t count;
};

enum {
	FONT_CELL_MAX = 5 /* a base character and those combined with it */
};

/*
 * The font of the terminal of that type (TERM) that fd leads to; of a console at the other end of
 * a network connection, that of its kernel as it starts.
 */
void font_init(struct font *font, const char *type, int fd);
void font_fini(struct font *font);

/* The character, or what the font has in its place: of one column; '?' where there is nothing. */
uint32_t font_character(const struct font *font, uint32_t code);

/*
 * The characters of a cell, ended by 0; the first is '?' where the terminal would not fill as many
 * columns as the cell has, or where it knows ASCII only.
 */
void font_cell(const struct font *font, bool is_utf8, const struct screen_cell *cell,
	       wchar_t characters[static FONT_CELL_MAX + 1]);

#endif
