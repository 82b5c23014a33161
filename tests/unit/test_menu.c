#include "term/screen.h"
#include "unit.h"
#include "widget/menu.h"

static const struct menu_line lines[] = {{"", "one", "the first"}, {"v", "two", "the second"}};

static const struct menu_picture menu = {
	.heading = "Which:",
	.lines = lines,
	.count = 2,
	.chosen = 1,
	.nothing = "",
};

/* A screen full of letters, all of them selected, with the menu over it. */
static void draw(struct screen *screen, int width, int height)
{
	screen_init(screen, width, height);
	for (int y = 0; y < height; y++) {
		screen_fill(screen, 0, y, width, "x", STYLE_NORMAL);
		screen_select_line(screen, y);
	}
	menu_draw(screen, &menu, true);
}

static const struct screen_cell *cell(const struct screen *screen, int x, int y)
{
	return &screen->cells[y * screen->width + x];
}

UNIT_TEST(menu_draw_only_the_chosen_line_is_selected)
{
	struct screen screen;

	draw(&screen, 40, 10);

	/* two lines below: message and keys */
	assert_false(cell(&screen, 0, 5)->is_selected);
	assert_false(cell(&screen, 39, 6)->is_selected);
	assert_true(cell(&screen, 0, 7)->is_selected);
	assert_true(cell(&screen, 39, 7)->is_selected);
	screen_fini(&screen);
}

UNIT_TEST(menu_draw_on_a_wide_screen_covers_its_lines)
{
	struct screen screen;

	draw(&screen, 120, 10);

	for (int y = 5; y <= 7; y++) {
		assert_string_equal(cell(&screen, 100, y)->bytes, " ");
		assert_false(cell(&screen, 119, y)->is_selected);
	}
	assert_string_equal(cell(&screen, 100, 4)->bytes, "x");
	screen_fini(&screen);
}

int main(void)
{
	return unit_run(NULL, NULL);
}
