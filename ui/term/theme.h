#ifndef PERFTOP_TERM_THEME_H
#define PERFTOP_TERM_THEME_H

/*
 * How styles look: one table of colours for each theme at 256, 16 and 8 colours, and of
 * attributes for terminals with none. It knows no terminal; term.c carries it there.
 *
 * Colours that say how good a value is go from red over orange, the colour of text and cyan to
 * blue: with every kind of colour blindness its ends are distinct, and the worst are bold, too.
 */

#include <stddef.h>

#include "term/screen.h"

struct theme; /* opaque; one of those of the table */

enum {
	THEME_COLOR_DEFAULT = -1, /* the terminal's own */
	THEME_BOLD = 1,
	THEME_DIM = 2,
	THEME_REVERSE = 4,
	THEME_UNDERLINE = 8
};

struct theme_look {
	short color, ground;     /* of the terminal's palette, or THEME_COLOR_DEFAULT */
	unsigned int attributes; /* bits */
};

const struct theme *theme_find(const char *name); /* NULL: none */
const char *theme_name(const struct theme *theme);
const struct theme *theme_next(const struct theme *theme); /* in a ring */
void theme_names(char *text, size_t size);                 /* joined by ", " */

/* Where none was chosen: "default", or "mono" where the environment has a NO_COLOR. */
const struct theme *theme_usual(void);

/* color_count: 256, 16, 8 of the terminal; fewer: it shows none. */
struct theme_look theme_look(const struct theme *theme, enum style style, int color_count);

/* Whether a theme shows colours on a terminal that has so many. */
bool theme_has_colors(const struct theme *theme, int color_count);

#endif
