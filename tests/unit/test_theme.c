#include <math.h>

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
