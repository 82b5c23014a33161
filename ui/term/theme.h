#ifndef PERFTOP_TERM_THEME_H
#define PERFTOP_TERM_THEME_H

/*
 * How styles look: one table of colours for each theme at 256, 16 and 8 colours, and of
 * attributes for terminals with none. It knows no terminal; term.c carries it there.
 *
 * Colours that say how good a value is go from red over orange, the colour of text and cyan to
 * blue: with every kind of colour blindness its ends are distinct, and the worst are bold, too.
 */

#include "term/screen.h"

/* In the order of the setting theme. */
enum theme {
	THEME_DEFAULT,
	THEME_DARK,
	THEME_LIGHT,
	THEME_MONO,
	THEME_HIGH_CONTRAST
};

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

/* color_count: 256, 16, 8 of the terminal; fewer: it shows none. */
struct theme_look theme_look(enum theme theme, enum style style, int color_count);

/* Whether a theme shows colours on a terminal that has so many. */
bool theme_has_colors(enum theme theme, int color_count);

#endif
