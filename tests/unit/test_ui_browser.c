/* The picture of the event browser on screens of many sizes. */

#include <locale.h>

#include "base/strbuf.h"

#include "fake_view.h"
#include "unit.h"
#include "widget/frame.h"
#include "widget/pages.h"
#include "widget/prompt.h"

enum {
	LINES = 60
};

struct scene {
	struct screen screen;
	struct prompt search;
	struct browser_line lines[LINES];
	char names[LINES][64];
	struct browser_content picture;
	struct strbuf text;
};

static struct scene *scene;

static int set_up(void **state)
{
	static struct scene one;

	one = (struct scene){0};
	for (size_t i = 0; i < LINES; i++) {
		snprintf(one.names[i], sizeof(one.names[i]), "event-%zu", i);
		one.lines[i] =
			(struct browser_line){one.names[i], "tracepoint", "counting", STYLE_GOOD_4};
	}
	prompt_open(&one.search, "Search", "ev");
	one.picture = (struct browser_content){
		.tabs = {"all 1234", "open 6"},
		.position = "1 of 60",
		.search = &one.search,
		.lines = one.lines,
		.line_count = 3,
		.nothing = "type to search",
		.heading = "event-0",
		.detail = "What it means.\nfields\n  prev_pid\n",
		.message = "",
	};
	scene = &one;
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&scene->screen);
	prompt_fini(&scene->search);
	strbuf_fini(&scene->text);
	return 0;
}

static const char *draw(int width, int height, bool ascii)
{
	const struct frame frame = {.browser = &scene->picture, .ascii = ascii};

	screen_fini(&scene->screen);
	screen_init(&scene->screen, width, height);
	frame_draw(&scene->screen, &frame);
	strbuf_clear(&scene->text);
	screen_dump(&scene->screen, &scene->text);
	return strbuf_text(&scene->text);
}

static void assert_has(const char *text, const char *words)
{
	if (strstr(text, words) == NULL)
		fail_msg("\"%s\" is not in\n%s", words, text);
}

UNIT_TEST(browser_draw_has_tabs_search_list_and_detail)
{
	const char *text = draw(80, 24, false);

	assert_has(text, "events  [all 1234]  open 6");
	assert_has(text, "1 of 60\n");
	assert_has(text, "Search: ev\n");
	assert_has(text, "event-2 ");
	assert_has(text, "tracepoint      counting");
	assert_has(text, "\nevent-0\nWhat it means.\nfields\n  prev_pid\n");
}

UNIT_TEST(browser_draw_wide_has_details_at_the_side)
{
	const char *text = draw(200, 60, false);

	assert_has(text, "│ event-0\n");
	assert_has(text, "│ What it means.\n");
}

UNIT_TEST(browser_draw_cursor_stands_in_the_search)
{
	draw(80, 24, false);
	assert_int_equal(scene->screen.cursor_y, 1);
	assert_int_equal(scene->screen.cursor_x, (int)strlen("Search: ev"));
}

UNIT_TEST(browser_draw_marks_the_selected_line)
{
	scene->picture.selected = 1;
	draw(80, 24, false);
	assert_true(scene->screen.cells[3 * 80].is_selected);
	assert_false(scene->screen.cells[2 * 80].is_selected);
}

UNIT_TEST(browser_draw_tiny_keeps_search_and_list)
{
	const char *text = draw(20, 5, false);

	assert_has(text, "Search: ev");
	assert_has(text, "event-0");
	assert_has(text, "event-1");
}

UNIT_TEST(browser_draw_too_small_says_so)
{
	assert_has(draw(19, 5, false), "perftop: terminal t");
	assert_has(draw(80, 2, false), "too small");
}

UNIT_TEST(browser_draw_ascii_is_ascii)
{
	static const int sizes[][2] = {{20, 5}, {80, 24}, {200, 60}};

	for (size_t i = 0; i < 3; i++) {
		const char *text = draw(sizes[i][0], sizes[i][1], true);

		for (; *text != '\0'; text++)
			assert_true((unsigned char)*text < 0x7f);
	}
}

UNIT_TEST(browser_draw_without_lines_says_why)
{
	scene->picture.line_count = 0;
	scene->picture.heading = "";
	assert_has(draw(80, 24, false), "type to search");
}

UNIT_TEST(browser_draw_long_message_is_whole)
{
	scene->picture.message =
		"this sentence is longer than the screen is wide, so that it takes "
		"the lines above it, too, up to its very last words";
	assert_has(draw(60, 20, false), "last words");
}

UNIT_TEST(browser_draw_long_detail_is_cut_with_a_mark)
{
	char lines[400] = "";

	for (int i = 0; i < 99; i++)
		strcat(lines, "x\n");
	scene->picture.detail = lines;
	assert_has(draw(80, 24, false), "x\n… ^N: more\n");
}

/* 80x24 has seven lines for it besides the heading. */
UNIT_TEST(browser_draw_long_detail_comes_by_pages)
{
	scene->picture.detail = "1a\n1b\n1c\n1d\n1e\n1f\n2a\n2b\n";
	assert_has(draw(80, 24, false), "1f\n… ^N: more\n");
	scene->picture.detail_page = 1;
	assert_has(draw(80, 24, false), "2a\n2b\n\n");
	assert_null(strstr(draw(80, 24, false), "1f"));
	scene->picture.detail_page = 2;
	assert_has(draw(80, 24, true), "1f\n~ ^N: more\n");
	scene->picture.detail = "1a\n1b\n1c\n1d\n1e\n1f\n1g\n";
	assert_null(strstr(draw(80, 24, false), "more"));
}

/* Umasks stand at the end, and are all that differs. */
UNIT_TEST(browser_draw_long_name_loses_its_pmu_first)
{
	scene->lines[1].name = "amd64_fam19h_zen4::L1_DTLB_MISS:TLB_RELOAD_1G_L2_HIT";
	assert_has(draw(80, 24, false), "\n…::L1_DTLB_MISS:TLB_RELOAD_1G_L2_HIT ");
	assert_has(draw(80, 24, true), "\n~::L1_DTLB_MISS:TLB_RELOAD_1G_L2_HIT ");
	scene->lines[1].name = "skl::INST_RETIRED:ANY";
	assert_has(draw(80, 24, false), "\nskl::INST_RETIRED:ANY ");
}

/* What the program fills is what is drawn. */
UNIT_TEST(browser_page_is_the_lines_that_are_drawn)
{
	for (int width = 20; width <= 200; width += 30) {
		for (int height = 3; height <= 60; height += 4) {
			const size_t page = browser_page(width, height);
			const char *text;
			size_t drawn = 0;

			scene->picture.heading = "";
			scene->picture.line_count = page;
			text = draw(width, height, false);
			for (size_t i = 0; i < page; i++) {
				char name[32];

				snprintf(name, sizeof(name), "event-%zu ", i);
				drawn += strstr(text, name) != NULL;
			}
			assert_int_equal(drawn, page);
		}
	}
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
