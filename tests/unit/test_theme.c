#include <math.h>

#include "base/strbuf.h"

#include "term/theme.h"
#include "unit.h"

enum {
	THEME_COUNT = THEME_HIGH_CONTRAST + 1
};

struct rgb {
	double of[3]; /* 0 to 1 */
};

/* Colours 16 to 255 of xterm are the same everywhere. */
static struct rgb color_of(short color)
{
	static const double levels[] = {0, 95, 135, 175, 215, 255};
	const int index = color - 16;

	assert_in_range(color, 16, 255);
	if (color >= 232) {
		const double grey = (8 + 10 * (color - 232)) / 255.0;

		return (struct rgb){{grey, grey, grey}};
	}
	return (struct rgb){
		{levels[index / 36] / 255, levels[index / 6 % 6] / 255, levels[index % 6] / 255}};
}

static double to_linear(double value)
{
	return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double to_srgb(double value)
{
	value = value < 0 ? 0 : value > 1 ? 1 : value;
	return value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055;
}

static double luminance(struct rgb color)
{
	return 0.2126 * to_linear(color.of[0]) + 0.7152 * to_linear(color.of[1]) +
	       0.0722 * to_linear(color.of[2]);
}

/* As the guidelines for web content define it: 1 to 21. */
static double contrast(short color, double ground)
{
	const double own = luminance(color_of(color));

	return (fmax(own, ground) + 0.05) / (fmin(own, ground) + 0.05);
}

/* How who cannot see red, green or blue sees a colour (Machado, Oliveira, Fernandes 2009). */
static const double blindness[][3][3] = {
	{{0.152286, 1.052583, -0.204868},
	 {0.114503, 0.786281, 0.099216},
	 {-0.003882, -0.048116, 1.051998}},
	{{0.367322, 0.860646, -0.227968},
	 {0.280085, 0.672501, 0.047413},
	 {-0.011820, 0.042940, 0.968881}},
	{{1.255528, -0.076749, -0.178779},
	 {-0.078411, 0.930809, 0.147602},
	 {0.004733, 0.691367, 0.303900}},
};

static struct rgb seen_by(size_t kind, short color)
{
	const struct rgb real = color_of(color);
	struct rgb seen;

	for (size_t i = 0; i < 3; i++) {
		double sum = 0;

		for (size_t j = 0; j < 3; j++)
			sum += blindness[kind][i][j] * to_linear(real.of[j]);
		seen.of[i] = to_srgb(sum);
	}
	return seen;
}

/* 0 to 1.73 */
static double distance(struct rgb a, struct rgb b)
{
	return sqrt(pow(a.of[0] - b.of[0], 2) + pow(a.of[1] - b.of[1], 2) +
		    pow(a.of[2] - b.of[2], 2));
}

static short color_at(enum theme theme, enum style style)
{
	return theme_look(theme, style, 256).color;
}

static bool looks_alike(struct theme_look a, struct theme_look b)
{
	return a.color == b.color && a.ground == b.ground && a.attributes == b.attributes;
}

/* clang-format off */
/* At 256 colours: default, dark, light, mono, high-contrast; nothing: as the terminal writes. */
static const char *const looks[STYLE_COUNT] = {
	[STYLE_NORMAL] = "| | | | | 231 on 16",
	[STYLE_DIM] = "| 244 | 246 | 242 | dim | 252 on 16",
	[STYLE_BOLD] = "| bold | bold | bold | bold | 231 on 16 bold",
	[STYLE_TITLE] = "| bold underlined | bold underlined | bold underlined | bold underlined | 231 on 16 bold underlined",
	[STYLE_TITLE_SORTED] = "| reverse | reverse | reverse | reverse | 231 on 16 reverse",
	[STYLE_TAB] = "| | | | | 231 on 16",
	[STYLE_TAB_ACTIVE] = "| 37 bold | 80 bold | 30 bold | bold | 123 on 16 bold",
	[STYLE_KEY] = "| 37 bold | 80 bold | 30 bold | bold | 123 on 16 bold",
	[STYLE_MESSAGE] = "| | | | | 231 on 16",
	[STYLE_WARNING] = "| 172 | 214 | 130 | bold | 220 on 16",
	[STYLE_ERROR] = "| 160 bold | 203 bold | 124 bold | bold | 210 on 16 bold",
	[STYLE_PROMPT] = "| bold | bold | bold | bold | 231 on 16 bold",
	[STYLE_BAR] = "| 37 | 73 | 30 | | 123 on 16",
	[STYLE_GOOD_0] = "| 160 bold | 203 bold | 124 bold | bold underlined | 210 on 16 bold",
	[STYLE_GOOD_1] = "| 172 | 214 | 130 | bold | 220 on 16",
	[STYLE_GOOD_2] = "| | | | | 231 on 16",
	[STYLE_GOOD_3] = "| 37 | 80 | 30 | | 123 on 16",
	[STYLE_GOOD_4] = "| 33 | 75 | 25 | | 117 on 16",
	[STYLE_LOAD_0] = "| 66 | 66 | 66 | | 116 on 16",
	[STYLE_LOAD_0 + 1] = "| 37 | 73 | 30 | | 123 on 16",
	[STYLE_LOAD_0 + 2] = "| 142 | 186 | 94 | | 228 on 16",
	[STYLE_LOAD_3] = "| 172 | 215 | 130 | bold | 214 on 16",
	[STYLE_SYSTEM] = "| 133 | 140 | 90 | dim | 219 on 16",
	[STYLE_EXITED] = "| 244 | 246 | 242 | dim | 252 on 16",
	[STYLE_TASK_0] = "| 74 reverse | 74 reverse | 25 reverse | bold reverse | 74 on 16 reverse",
	[STYLE_TASK_0 + 1] = "| 172 reverse | 172 reverse | 130 reverse | reverse | 214 on 16 reverse",
	[STYLE_TASK_0 + 2] = "| 36 reverse | 36 reverse | 29 reverse | reverse underlined | 43 on 16 reverse",
	[STYLE_TASK_0 + 3] = "| 175 reverse | 175 reverse | 126 reverse | bold reverse underlined | 219 on 16 reverse",
	[STYLE_TASK_0 + 4] = "| 178 reverse | 178 reverse | 136 reverse | reverse | 226 on 16 reverse",
	[STYLE_TASK_0 + 5] = "| 68 reverse | 68 reverse | 61 reverse | bold reverse | 111 on 16 reverse",
	[STYLE_TASK_0 + 6] = "| 167 reverse | 167 reverse | 124 reverse | reverse underlined | 210 on 16 reverse",
	[STYLE_TASK_7] = "| 246 reverse | 246 reverse | 242 reverse | bold reverse underlined | 250 on 16 reverse",
	[STYLE_FRAME_0] = "| 248 reverse | 246 reverse | 245 reverse | dim | 250 on 16 reverse",
	[STYLE_FRAME_0 + 1] = "| 144 reverse | 144 reverse | 101 reverse | | 187 on 16 reverse",
	[STYLE_FRAME_0 + 2] = "| 178 reverse | 178 reverse | 136 reverse | underlined | 226 on 16 reverse",
	[STYLE_FRAME_0 + 3] = "| 208 reverse | 208 reverse | 166 reverse | bold | 214 on 16 reverse",
	[STYLE_FRAME_4] = "| 196 bold reverse | 203 bold reverse | 160 bold reverse | bold underlined | 203 on 16 bold reverse",
	[STYLE_FRAME_MATCH] = "| 170 reverse | 176 reverse | 127 reverse | bold | 213 on 16 reverse",
};
/* clang-format on */

static void write_look(struct strbuf *out, struct theme_look look)
{
	static const char *const words[] = {" bold", " dim", " reverse", " underlined"};

	strbuf_add(out, out->length > 0 ? " |" : "|");
	if (look.color != THEME_COLOR_DEFAULT)
		strbuf_printf(out, " %d", look.color);
	if (look.ground != THEME_COLOR_DEFAULT)
		strbuf_printf(out, " on %d", look.ground);
	for (size_t i = 0; i < COUNT_OF(words); i++)
		if (look.attributes & 1u << i)
			strbuf_add(out, words[i]);
}

UNIT_TEST(theme_look_of_each_style_is_the_one_that_was_chosen)
{
	struct strbuf out = {0};

	for (int style = 0; style < STYLE_COUNT; style++) {
		strbuf_clear(&out);
		for (size_t i = 0; i < THEME_COUNT; i++)
			write_look(&out, theme_look((enum theme)i, (enum style)style, 256));
		assert_string_equal(strbuf_text(&out), looks[style]);
	}
	strbuf_fini(&out);
}

UNIT_TEST(theme_look_without_colors_has_none)
{
	for (size_t i = 0; i < THEME_COUNT; i++) {
		for (int style = 0; style < STYLE_COUNT; style++) {
			const struct theme_look style_attr =
				theme_look((enum theme)i, (enum style)style, 2);

			assert_int_equal(style_attr.color, THEME_COLOR_DEFAULT);
			assert_int_equal(style_attr.ground, THEME_COLOR_DEFAULT);
		}
		assert_false(theme_has_colors((enum theme)i, 2));
	}
	assert_false(theme_has_colors(THEME_MONO, 256));
	assert_true(theme_has_colors(THEME_DARK, 8));
}

UNIT_TEST(theme_look_stays_in_its_palette)
{
	static const int counts[] = {8, 16, 256};

	for (size_t i = 0; i < THEME_COUNT; i++) {
		for (size_t j = 0; j < 3; j++) {
			for (int style = 0; style < STYLE_COUNT; style++) {
				const struct theme_look style_attr =
					theme_look((enum theme)i, (enum style)style, counts[j]);

				assert_true(style_attr.color >= THEME_COLOR_DEFAULT);
				assert_true(style_attr.color < counts[j]);
				/* black on whatever the ground is would be no text */
				assert_true(style_attr.color != 0);
			}
		}
	}
}

/* Where a palette has no grey, what is unimportant is dim by its attribute. */
UNIT_TEST(theme_look_lacking_a_color_has_the_attribute)
{
	const struct theme_look dim = theme_look(THEME_DEFAULT, STYLE_DIM, 8);

	assert_int_equal(dim.color, THEME_COLOR_DEFAULT);
	assert_int_equal(dim.attributes, THEME_DIM);
}

/* Worst, bad, and the rest can be told apart by attributes alone. */
UNIT_TEST(theme_scale_is_legible_without_color)
{
	const enum theme mono = THEME_MONO;

	for (int i = 0; i < 2; i++) {
		assert_false(
			looks_alike(theme_look(mono, (enum style)(STYLE_GOOD_0 + i), 256),
				    theme_look(mono, (enum style)(STYLE_GOOD_0 + i + 1), 256)));
	}
}

UNIT_TEST(theme_scale_is_told_apart_by_the_colour_blind)
{
	static const enum theme colored[] = {THEME_DEFAULT, THEME_DARK, THEME_LIGHT,
					     THEME_HIGH_CONTRAST};

	for (size_t i = 0; i < 4; i++) {
		for (size_t kind = 0; kind < 3; kind++) {
			for (int bad = 0; bad < 2; bad++) {
				for (int good = 3; good < 5; good++) {
					const double apart = distance(
						seen_by(kind,
							color_at(colored[i],
								 (enum style)(STYLE_GOOD_0 + bad))),
						seen_by(kind, color_at(colored[i],
								       (enum style)(STYLE_GOOD_0 +
										    good))));

					if (apart < 0.35) {
						fail_msg("theme %d, blindness %zu: %d and %d are "
							 "%.2f "
							 "apart",
							 colored[i], kind, bad, good, apart);
					}
				}
			}
		}
	}
}

static void assert_readable(enum theme theme, double ground, double least)
{
	for (int style = 0; style < STYLE_COUNT; style++) {
		const short color = color_at(theme, (enum style)style);

		if (color != THEME_COLOR_DEFAULT && contrast(color, ground) < least) {
			fail_msg("theme %d: style %d has a contrast of %.1f", theme, style,
				 contrast(color, ground));
		}
	}
}

UNIT_TEST(theme_colors_are_readable_on_their_ground)
{
	const double black = 0, white = 1;

	assert_readable(THEME_DEFAULT, black, 2.0);
	assert_readable(THEME_DEFAULT, white, 2.0);
	assert_readable(THEME_DARK, black, 4.5);
	assert_readable(THEME_LIGHT, white, 3.0);
	assert_readable(THEME_HIGH_CONTRAST, black, 7.0);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
