#include "term/theme.h"

#include <assert.h>
#include <stdbool.h>

/*
 * "default" is readable on black and on white; "dark" and "light" have more contrast on one of
 * them. These leave the ground to the terminal. "high-contrast" brings a ground of its own, and
 * "mono" has no colours. Where a palette lacks a colour that a larger one has for the style, the
 * attributes of "mono" replace it.
 */

enum {
	BOLD = THEME_BOLD,
	DIM = THEME_DIM,
	REVERSE = THEME_REVERSE,
	UNDER = THEME_UNDERLINE,
	OWN = THEME_COLOR_DEFAULT
};

enum hue_set {
	HUES_DEFAULT,
	HUES_DARK,
	HUES_LIGHT,
	HUES_CONTRAST,
	HUES_COUNT,
	HUES_NONE /* attributes only */
};

enum palette {
	PALETTE_256,
	PALETTE_16,
	PALETTE_8,
	PALETTE_COUNT
};

/* How a style looks: a colour for each set and palette, and attributes with and without them. */
struct style_attr {
	short color[HUES_COUNT][PALETTE_COUNT];
	unsigned int attributes, mono;
};

struct hues {
	enum hue_set set;
	short text[PALETTE_COUNT], ground[PALETTE_COUNT]; /* of what has no colour of its own */
};

/* clang-format off */
static const struct hues themes[] = {
	[THEME_DEFAULT]      = {HUES_DEFAULT,  {OWN, OWN, OWN}, {OWN, OWN, OWN}},
	[THEME_DARK]         = {HUES_DARK,     {OWN, OWN, OWN}, {OWN, OWN, OWN}},
	[THEME_LIGHT]        = {HUES_LIGHT,    {OWN, OWN, OWN}, {OWN, OWN, OWN}},
	[THEME_MONO]         = {HUES_NONE,     {OWN, OWN, OWN}, {OWN, OWN, OWN}},
	[THEME_HIGH_CONTRAST]= {HUES_CONTRAST, {231, 15,  7},   {16,  0,   0}},
};

static const struct style_attr looks[] = {
	/*                       default         dark            light           high contrast */
	[STYLE_NORMAL]       = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, 0,              0},
	[STYLE_DIM]          = {{{244,  8,OWN}, {246,  8,OWN}, {242,  8,OWN}, {252,  7,OWN}}, 0,              DIM},
	[STYLE_BOLD]         = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, BOLD,           BOLD},
	[STYLE_TITLE]        = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, BOLD | UNDER,   BOLD | UNDER},
	/* reversed is not bold: consoles show that as grey upon grey */
	[STYLE_TITLE_SORTED] = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, REVERSE,        REVERSE},
	[STYLE_TAB]          = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, 0,              0},
	[STYLE_TAB_ACTIVE]   = {{{ 37,  6,  6}, { 80, 14,  6}, { 30,  4,  4}, {123, 14,  6}}, BOLD,           BOLD},
	[STYLE_KEY]          = {{{ 37,  6,  6}, { 80, 14,  6}, { 30,  4,  4}, {123, 14,  6}}, BOLD,           BOLD},
	[STYLE_MESSAGE]      = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, 0,              0},
	[STYLE_WARNING]      = {{{172,  3,  3}, {214, 11,  3}, {130,  5,  5}, {220, 11,  3}}, 0,              BOLD},
	[STYLE_ERROR]        = {{{160,  9,  1}, {203,  9,  1}, {124,  1,  1}, {210,  9,  1}}, BOLD,           BOLD},
	[STYLE_PROMPT]       = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, BOLD,           BOLD},
	[STYLE_BAR]          = {{{ 37,  6,  6}, { 73,  6,  6}, { 30,  4,  4}, {123, 14,  6}}, 0,              0},
	/* worst to best */
	[STYLE_GOOD_0]       = {{{160,  9,  1}, {203,  9,  1}, {124,  1,  1}, {210,  9,  1}}, BOLD,           BOLD | UNDER},
	[STYLE_GOOD_1]       = {{{172,  3,  3}, {214, 11,  3}, {130,  5,  5}, {220, 11,  3}}, 0,              BOLD},
	[STYLE_GOOD_2]       = {{{OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}, {OWN,OWN,OWN}}, 0,              0},
	[STYLE_GOOD_3]       = {{{ 37,  6,  6}, { 80, 14,  6}, { 30,  4,  4}, {123, 14,  6}}, 0,              0},
	[STYLE_GOOD_4]       = {{{ 33, 12,  6}, { 75, 12,  6}, { 25,  4,  4}, {117, 12,  6}}, 0,              0},
	/* little to much; warm, but not as what is bad */
	[STYLE_LOAD_0]       = {{{ 66,  6,  6}, { 66,  6,  6}, { 66,  6,  4}, {116,  6,  6}}, 0,              0},
	[STYLE_LOAD_0 + 1]   = {{{ 37,  6,  6}, { 73, 14,  6}, { 30,  4,  4}, {123, 14,  6}}, 0,              0},
	[STYLE_LOAD_0 + 2]   = {{{142,  2,  3}, {186, 10,  3}, { 94,  2,  4}, {228, 10,  3}}, 0,              0},
	[STYLE_LOAD_3]       = {{{172,  3,  3}, {215, 11,  3}, {130,  3,  5}, {214, 11,  3}}, 0,              BOLD},
	[STYLE_SYSTEM]       = {{{133,  5,  5}, {140, 13,  5}, { 90,  5,  5}, {219, 13,  5}}, 0,              DIM},
	[STYLE_EXITED]       = {{{244,  8,OWN}, {246,  8,OWN}, {242,  8,OWN}, {252,  7,OWN}}, 0,              DIM},
	/* blocks; which task it is, the letters in them say as well */
	[STYLE_TASK_0]       = {{{ 74, 12,  6}, { 74, 12,  6}, { 25,  4,  4}, { 74, 12,  6}}, REVERSE,        REVERSE | BOLD},
	[STYLE_TASK_0 + 1]   = {{{172,  3,  3}, {172,  3,  3}, {130,  3,  3}, {214,  3,  3}}, REVERSE,        REVERSE},
	[STYLE_TASK_0 + 2]   = {{{ 36,  2,  2}, { 36,  2,  2}, { 29,  2,  2}, { 43,  2,  2}}, REVERSE,        REVERSE | UNDER},
	[STYLE_TASK_0 + 3]   = {{{175, 13,  5}, {175, 13,  5}, {126,  5,  5}, {219, 13,  5}}, REVERSE,        REVERSE | BOLD | UNDER},
	[STYLE_TASK_0 + 4]   = {{{178, 11,  7}, {178, 11,  7}, {136, 11,  6}, {226, 11,  7}}, REVERSE,        REVERSE},
	[STYLE_TASK_0 + 5]   = {{{ 68,  6,  1}, { 68,  6,  1}, { 61,  6,  1}, {111,  6,  1}}, REVERSE,        REVERSE | BOLD},
	[STYLE_TASK_0 + 6]   = {{{167,  1,  4}, {167,  1,  4}, {124,  1,  7}, {210,  1,  4}}, REVERSE,        REVERSE | UNDER},
	[STYLE_TASK_7]       = {{{246,  7,OWN}, {246,  7,OWN}, {242,  8,OWN}, {250,  7,OWN}}, REVERSE,        REVERSE | BOLD | UNDER},
	/* blocks; how much it is, the numbers in them say as well */
	[STYLE_FRAME_0]      = {{{248,  7,OWN}, {246,  7,OWN}, {245,  8,OWN}, {250,  7,OWN}}, REVERSE,        DIM},
	[STYLE_FRAME_0 + 1]  = {{{144, 10,  2}, {144, 10,  2}, {101,  2,  2}, {187, 10,  2}}, REVERSE,        0},
	[STYLE_FRAME_0 + 2]  = {{{178, 11,  3}, {178, 11,  3}, {136,  3,  3}, {226, 11,  3}}, REVERSE,        UNDER},
	[STYLE_FRAME_0 + 3]  = {{{208,  3,  1}, {208,  3,  1}, {166,  9,  1}, {214,  3,  1}}, REVERSE,        BOLD},
	[STYLE_FRAME_4]      = {{{196,  9,  1}, {203,  9,  1}, {160,  1,  1}, {203,  9,  1}}, REVERSE | BOLD, BOLD | UNDER},
	[STYLE_FRAME_MATCH]  = {{{170, 13,  5}, {176, 13,  5}, {127,  5,  5}, {213, 13,  5}}, REVERSE,        BOLD},
};
/* clang-format on */

static_assert(sizeof(looks) / sizeof(looks[0]) == STYLE_COUNT, "a look for each style");

bool theme_has_colors(enum theme theme, int color_count)
{
	return themes[theme].set != HUES_NONE && color_count >= 8;
}

struct theme_look theme_look(enum theme theme, enum style style, int color_count)
{
	const struct style_attr *style_attr = &looks[style];

	if (!theme_has_colors(theme, color_count))
		return (struct theme_look){OWN, OWN, style_attr->mono};
	const enum palette palette = color_count >= 256  ? PALETTE_256
				     : color_count >= 16 ? PALETTE_16
							 : PALETTE_8;
	const short *colors = style_attr->color[themes[theme].set];
	const bool is_lacking = colors[palette] == OWN && colors[PALETTE_256] != OWN;

	return (struct theme_look){
		.color = colors[palette] == OWN ? themes[theme].text[palette] : colors[palette],
		.ground = themes[theme].ground[palette],
		.attributes = is_lacking ? style_attr->mono : style_attr->attributes,
	};
}
