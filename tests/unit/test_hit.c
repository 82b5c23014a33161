/* What is where on the screen, and the list to choose from. */

#include "base/strbuf.h"

#include "term/hit.h"
#include "term/key.h"
#include "term/screen.h"
#include "unit.h"
#include "widget/picker.h"

static void assert_hit(const struct hit_map *map, int x, int y, enum hit_kind kind, size_t index)
{
	const struct hit hit = hit_map_find(map, x, y);

	assert_int_equal(hit.kind, kind);
	if (kind != HIT_NOTHING)
		assert_int_equal(hit.index, index);
}

UNIT_TEST(hit_map_find_outside_of_all_is_nothing)
{
	struct hit_map map = {0};

	assert_hit(&map, 0, 0, HIT_NOTHING, 0);
	hit_map_add(&map,
		    &(struct hit_area){.x = 2, .y = 3, .width = 4, .height = 1, .kind = HIT_TAB});
	assert_hit(&map, 1, 3, HIT_NOTHING, 0);
	assert_hit(&map, 6, 3, HIT_NOTHING, 0);
	assert_hit(&map, 2, 2, HIT_NOTHING, 0);
	assert_hit(&map, 2, 4, HIT_NOTHING, 0);
	assert_hit(&map, -1, -1, HIT_NOTHING, 0);
	assert_hit(&map, 100000, 100000, HIT_NOTHING, 0);
	assert_hit(&map, 2, 3, HIT_TAB, 0);
	assert_hit(&map, 5, 3, HIT_TAB, 0);
	hit_map_fini(&map);
}

UNIT_TEST(hit_map_lines_of_an_area_have_the_next_index_each)
{
	struct hit_map map = {0};

	hit_map_add(&map, &(struct hit_area){
				  .y = 5, .width = 80, .height = 10, .kind = HIT_ROW, .first = 42});
	assert_hit(&map, 0, 5, HIT_ROW, 42);
	assert_hit(&map, 79, 14, HIT_ROW, 51);
	hit_map_fini(&map);
}

UNIT_TEST(hit_map_later_areas_lie_above)
{
	struct hit_map map = {0};

	hit_map_add(&map, &(struct hit_area){.width = 10, .height = 10, .kind = HIT_ROW});
	hit_map_add(&map, &(struct hit_area){.width = 5, .height = 5, .kind = HIT_NOTHING});
	hit_map_add(&map, &(struct hit_area){.width = 0, .height = 9, .kind = HIT_TAB});
	assert_hit(&map, 0, 0, HIT_NOTHING, 0);
	assert_hit(&map, 5, 0, HIT_ROW, 0);
	hit_map_clear(&map);
	assert_hit(&map, 5, 0, HIT_NOTHING, 0);
	hit_map_fini(&map);
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
	picker_draw(&picker, &screen, 1, 4, true);
	screen_dump(&screen, &text);
	assert_string_equal(strbuf_text(&text), "\n Send to it:\n   9 SIGKILL   at once\n"
						"     SIGNAMELESS\n  10 SIGUSR1   as it likes\n\n");
	assert_hit(&screen.hits, 39, 2, HIT_CHOICE, 2);
	assert_hit(&screen.hits, 0, 4, HIT_CHOICE, 4);
	assert_hit(&screen.hits, 0, 1, HIT_NOTHING, 0);
	assert_hit(&screen.hits, 0, 5, HIT_NOTHING, 0);
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
		picker_draw(&picker, &screen, 0, height, true);
		picker_draw(&picker, &screen, 0, 0, true);
		screen_fini(&screen);
	}
}

int main(void)
{
	return unit_run(NULL, NULL);
}
