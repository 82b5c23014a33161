#include "base/strbuf.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/menu.h"

static const struct menu_line lines[] = {{"", "one", "the first"}, {"v", "two", "the second"}};

static const struct menu_content menu = {
	.heading = "Which:",
	.lines = lines,
	.count = 2,
	.selected = 1,
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
	menu_draw(screen, &menu);
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

static const struct picker_item items[] = {
	{"15", "SIGTERM", "ends it"}, {"1", "SIGHUP", "hangs up"},      {"9", "SIGKILL", "at once"},
	{"", "SIGNAMELESS", ""},      {"10", "SIGUSR1", "as it likes"},
};

static struct picker fresh(void)
{
	return (struct picker){
		.title = "Send to it:", .prefix = "SIG", .items = items, .count = COUNT_OF(items)};
}

UNIT_TEST(picker_typing_finds_names_and_numbers)
{
	struct picker picker = fresh();

	picker_key(&picker, 'k');
	assert_int_equal(picker.cursor.at, 2);
	picker_key(&picker, '1'); /* "k1" is nothing: 1 begins anew */
	assert_int_equal(picker.cursor.at, 1);
	picker_key(&picker, '0');
	assert_int_equal(picker.cursor.at, 4);
	picker_key(&picker, '%'); /* nothing at all */
	assert_int_equal(picker.cursor.at, 4);
	picker_key(&picker, 's');
	assert_int_equal(picker.cursor.at, 0);
	for (int i = 0; i < 100; i++)
		picker_key(&picker, 'u');
	assert_int_equal(picker.cursor.at, 4);
}

UNIT_TEST(picker_draw_is_read_and_pointed_at)
{
	struct picker picker = fresh();
	struct screen screen;
	struct strbuf text = {0};

	screen_init(&screen, 40, 6);
	screen_select_line(&screen, 2);
	picker.cursor.at = 4;
	picker_draw(&picker, &screen, 1, 4);
	screen_dump(&screen, &text);
	assert_string_equal(strbuf_text(&text), "\n Send to it:\n   9 SIGKILL   at once\n"
						"     SIGNAMELESS\n  10 SIGUSR1   as it likes\n\n");
	assert_int_equal(screen_find(&screen, 39, 2).kind, HIT_CHOICE);
	assert_int_equal(screen_find(&screen, 39, 2).index, 2);
	assert_int_equal(screen_find(&screen, 0, 4).kind, HIT_CHOICE);
	assert_int_equal(screen_find(&screen, 0, 4).index, 4);
	assert_int_equal(screen_find(&screen, 0, 1).kind, HIT_NOTHING);
	assert_int_equal(screen_find(&screen, 0, 5).kind, HIT_NOTHING);
	/* the bar of what is behind it does not shine through */
	assert_false(screen.cells[2 * 40].is_selected);
	assert_true(screen.cells[4 * 40].is_selected);
	strbuf_fini(&text);
	screen_fini(&screen);
}

UNIT_TEST(picker_draw_without_room_draws_nothing_else)
{
	struct picker picker = fresh();
	struct screen screen;

	for (int height = 1; height < 4; height++) {
		screen_init(&screen, 20, height);
		picker_draw(&picker, &screen, 0, height);
		picker_draw(&picker, &screen, 0, 0);
		screen_fini(&screen);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
