/* The line with the slider. */

#include <locale.h>

#include "base/strbuf.h"

#include "playback/slider.h"
#include "unit.h"

static void assert_slider(const struct slider *slider, const char *expected, int mark)
{
	struct strbuf out = {0};
	const int got = slider_write(slider, &out).mark;

	assert_string_equal(strbuf_text(&out), expected);
	assert_int_equal(got, mark);
	strbuf_fini(&out);
}

UNIT_TEST(slider_blocks_are_as_high_as_much_happens)
{
	const double loads[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 0.001};

	assert_slider(&(struct slider){.left = "at",
				       .right = "end",
				       .loads = loads,
				       .load_count = 10,
				       .place = 0,
				       .width = 19},
		      "at  ┃▂▃▄▅▆▇██▁  end", 4);
	assert_slider(&(struct slider){.left = "at",
				       .right = "end",
				       .loads = loads,
				       .load_count = 10,
				       .place = 0.95,
				       .width = 19},
		      "at   ▂▃▄▅▆▇██┃  end", 13);
	assert_slider(&(struct slider){.left = "at",
				       .right = "end",
				       .loads = loads,
				       .load_count = 10,
				       .place = 0,
				       .width = 19,
				       .ascii = true},
		      "at  |:-=+*%##.  end", 4);
}

UNIT_TEST(slider_burst_is_seen_in_a_long_recording)
{
	double loads[1000] = {0};

	for (size_t i = 0; i < 1000; i++)
		loads[i] = 1;
	loads[555] = 100;
	assert_slider(&(struct slider){.left = "",
				       .right = "",
				       .loads = loads,
				       .load_count = 1000,
				       .place = 0,
				       .width = 14},
		      "  ┃▁▁▁▁█▁▁▁▁  ", 2);
}

UNIT_TEST(slider_wider_than_its_parts_repeats_them)
{
	const double loads[] = {1, 2};

	assert_slider(&(struct slider){.left = "",
				       .right = "",
				       .loads = loads,
				       .load_count = 2,
				       .place = 0,
				       .width = 12,
				       .ascii = true},
		      "  |+++####  ", 2);
}

UNIT_TEST(slider_place_outside_is_at_the_ends)
{
	const double loads[] = {1};

	assert_slider(&(struct slider){.left = "",
				       .right = "",
				       .loads = loads,
				       .load_count = 1,
				       .place = -3,
				       .width = 12,
				       .ascii = true},
		      "  |#######  ", 2);
	assert_slider(&(struct slider){.left = "",
				       .right = "",
				       .loads = loads,
				       .load_count = 1,
				       .place = 7,
				       .width = 12,
				       .ascii = true},
		      "  #######|  ", 9);
}

UNIT_TEST(slider_unknown_loads_are_a_line)
{
	assert_slider(&(struct slider){.left = "", .right = "", .place = 0.5, .width = 12},
		      "  ────┃───  ", 6);
	assert_slider(
		&(struct slider){.left = "", .right = "", .place = 0.5, .width = 12, .ascii = true},
		"  ----|---  ", 6);
}

UNIT_TEST(slider_narrow_loses_the_right_words_then_the_strip)
{
	assert_slider(
		&(struct slider){.left = "stopped", .right = "12:03", .width = 23, .ascii = true},
		"stopped  |-------------", 9);
	assert_slider(
		&(struct slider){.left = "stopped", .right = "12:03", .width = 24, .ascii = true},
		"stopped  |-------  12:03", 9);
	assert_slider(&(struct slider){.left = "stopped", .right = "12:03", .width = 16}, "stopped",
		      -1);
	assert_slider(&(struct slider){.left = "stopped", .right = "12:03", .width = 0}, "stopped",
		      -1);
}

static int set_locale(void **state)
{
	setlocale(LC_ALL, "C.UTF-8");
	return 0;
}

int main(void)
{
	return unit_run_group(NULL, NULL, set_locale, NULL);
}
