#include <limits.h>
#include <locale.h>
#include <math.h>

#include "base/strbuf.h"
#include "view/timeline.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/strip.h"

enum {
	CPUS = 12,
	CELLS = 200
};

struct fixture {
	struct timeline timeline;
	struct timeline_strip strips[CPUS];
	struct timeline_cell cells[CPUS][CELLS];
	unsigned int colours[TIMELINE_COLOURS];
	char names[TIMELINE_COLOURS][STRIP_NAME];
	size_t top;
	struct strip_content content;
	struct screen screen;
	struct strbuf text;
};

static struct fixture *fixture;

/* a, b: tasks of rank 0 and 1; digits: an IPC in halves, of rank 2; #: another; . idle, ? unknown
 */
static struct timeline_cell cell_of(char sign)
{
	struct timeline_cell cell = {.kind = TIMELINE_TASK, .ipc = NAN, .goodness = -1};

	cell.colour = UINT_MAX;
	if (sign == '.')
		cell.kind = TIMELINE_IDLE;
	else if (sign == '?')
		cell.kind = TIMELINE_UNKNOWN;
	else if (sign == ' ')
		cell.kind = TIMELINE_NOTHING;
	else if (sign == 'a' || sign == 'b')
		cell.colour = (unsigned int)(sign - 'a');
	if (sign >= '0' && sign <= '9') {
		cell.colour = 2;
		cell.ipc = (sign - '0') / 2.0 + 0.1;
		cell.goodness = (sign - '0') / 2;
	}
	return cell;
}

static void fill(size_t strip, const char *signs)
{
	const size_t length = strlen(signs);

	for (size_t i = 0; i < CELLS; i++)
		fixture->cells[strip][i] = cell_of(signs[i % length]);
}

static int set_up(void **state)
{
	fixture = calloc(1, sizeof(*fixture));

	fixture->timeline = (struct timeline){
		.cell_ns = 100000000,
		.strips = fixture->strips,
		.strip_count = 2,
		.legend_count = 3,
	};
	for (size_t i = 0; i < CPUS; i++) {
		fixture->strips[i] = (struct timeline_strip){
			.cpu = (int)i,
			.cells = fixture->cells[i],
		};
		fill(i, ".");
	}
	for (unsigned int i = 0; i < TIMELINE_COLOURS; i++)
		fixture->colours[i] = i;
	strcpy(fixture->names[0], "nginx 4711");
	strcpy(fixture->names[1], "redis 12");
	strcpy(fixture->names[2], "cc1 99");
	fixture->content = (struct strip_content){
		.timeline = &fixture->timeline,
		.nothing = "no switch has been seen yet",
		.colours = fixture->colours,
		.names = fixture->names,
		.cell = SIZE_MAX,
		.top = &fixture->top,
		.begin = "12:03:34.1",
		.scale = "10.0s, a cell 133ms",
		.end = "12:03:44.1",
		.detail = "CPU 0: nginx 4711 ran 3.98ms until 12:03:44.120482, preempted",
	};
	fill(0, "aab.#?0123456789");
	fill(1, "bb ..");
	screen_init(&fixture->screen, 80, 24);
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&fixture->screen);
	strbuf_fini(&fixture->text);
	free(fixture);
	return 0;
}

static const char *draw(int width, int lines, bool ascii)
{
	screen_resize(&fixture->screen, width, lines);
	fixture->timeline.cell_count = strip_cells(width);
	fixture->screen.is_ascii = ascii;
	strip_draw(&fixture->screen, &fixture->content, 0, lines);
	strbuf_clear(&fixture->text);
	screen_dump(&fixture->screen, &fixture->text);
	return strbuf_text(&fixture->text);
}

static enum style style_at(int x, int y)
{
	return fixture->screen.cells[y * fixture->screen.width + x].style;
}

static bool is_selected(int x, int y)
{
	return fixture->screen.cells[y * fixture->screen.width + x].is_selected;
}

UNIT_TEST(strip_draw_by_ipc_shows_heights)
{
	fixture->content.by_ipc = true;

	assert_string_equal(draw(40, 7, false), "   0 ???·??▁▂▃▄▅▆▇███???·??▁▂▃▄▅▆▇███???\n"
						"   1 ?? ··?? ··?? ··?? ··?? ··?? ··?? ··\n"
						"     12:03:34.1               12:03:44.1\n"
						"     IPC: ▁ below 0.5, ▂ below 1 … █ fr…\n"
						"CPU 0: nginx 4711 ran 3.98ms until\n"
						"12:03:44.120482, preempted\n"
						"\n");
}

UNIT_TEST(strip_draw_ascii_has_digits)
{
	fixture->content.by_ipc = true;

	assert_string_equal(draw(40, 5, true), "   0 ???.??0123456789???.??0123456789???\n"
					       "   1 ?? ..?? ..?? ..?? ..?? ..?? ..?? ..\n"
					       "     12:03:34.1               12:03:44.1\n"
					       "CPU 0: nginx 4711 ran 3.98ms until\n"
					       "12:03:44.120482, preempted\n");
}
/* clang-format on */

UNIT_TEST(strip_draw_parts_come_in_by_worth)
{
	static const char *const parts[] = {"", "", "d", "d", "da", "da", "dal"};

	for (int lines = 1; lines <= 7; lines++) {
		const char *text = draw(80, lines, false);
		char there[4] = "";

		strcat(there, strstr(text, "CPU 0:") ? "d" : "");
		strcat(there, strstr(text, "12:03:34.1") ? "a" : "");
		strcat(there, strstr(text, "a nginx") ? "l" : "");
		assert_string_equal(there, parts[lines - 1]);
		assert_int_equal(strncmp(text, "   0 aab", 8), 0);
	}
}

UNIT_TEST(strip_draw_more_cpus_than_lines_scroll_with_the_cursor)
{
	fixture->timeline.strip_count = CPUS;
	fixture->content.cpu = 11;
	assert_non_null(strstr(draw(40, 8, false), "  11 "));
	assert_int_equal(fixture->top, 7);
	fixture->content.cpu = 8;
	draw(40, 8, false);
	assert_int_equal(fixture->top, 7);
	fixture->content.cpu = 2;
	assert_non_null(strstr(draw(40, 8, false), "   2 "));
	assert_int_equal(fixture->top, 2);
	draw(40, 24, false);
	assert_int_equal(fixture->top, 0);
	fixture->content.cpu = 5;
	draw(40, 8, false);
	assert_int_equal(fixture->top, 1);
}

UNIT_TEST(strip_draw_cursor_is_on_its_cell)
{
	fixture->content.cpu = 1;
	fixture->content.cell = 3;
	draw(40, 8, false);

	assert_true(is_selected(5 + 3, 1));
	assert_false(is_selected(5 + 2, 1));
	assert_false(is_selected(5 + 3, 0));
	assert_true(is_selected(3, 1));
	assert_false(is_selected(3, 0));
}

UNIT_TEST(strip_draw_without_cursor_marks_only_the_cpu)
{
	draw(40, 8, false);

	assert_true(is_selected(3, 0));
	for (int x = 5; x < 40; x++)
		assert_false(is_selected(x, 0));
}

/* The colour is not the rank: who had it keeps it when another runs more. */
UNIT_TEST(strip_draw_colours_are_those_that_were_given)
{
	fixture->colours[0] = 5;
	strcpy(fixture->names[0], "");
	strcpy(fixture->names[5], "nginx 4711");
	const char *text = draw(80, 8, false);

	assert_int_equal(strncmp(text, "   0 ffb", 8), 0);
	assert_non_null(strstr(text, "f nginx 4711"));
	assert_int_equal(style_at(5, 0), STYLE_TASK_0 + 5);
	assert_int_equal(style_at(7, 0), STYLE_TASK_0 + 1);
	assert_int_equal(style_at(8, 0), STYLE_DIM);
	assert_int_equal(style_at(9, 0), STYLE_NORMAL);
}

UNIT_TEST(strip_draw_ipc_has_the_style_of_its_worth)
{
	fixture->content.by_ipc = true;
	draw(80, 8, false);

	assert_int_equal(style_at(5 + 6, 0), STYLE_GOOD_0);
	assert_int_equal(style_at(5 + 14, 0), STYLE_GOOD_4);
}

UNIT_TEST(strip_draw_names_without_room_are_left_out_whole)
{
	for (int width = 20; width < 80; width++) {
		const char *text = draw(width, 8, false);

		assert_true(strstr(text, "redis") == NULL || strstr(text, "redis 12") != NULL);
		assert_true(strstr(text, "# others") != NULL || width < 35);
	}
}

UNIT_TEST(strip_draw_without_strips_says_why)
{
	fixture->timeline.strip_count = 0;

	assert_string_equal(draw(40, 3, false), "no switch has been seen yet\n\n\n");
}

UNIT_TEST_WITH(strip_cells_leave_room_for_the_cpu, NULL, NULL)
{
	assert_int_equal(strip_cells(80), 75);
	assert_int_equal(strip_cells(6), 1);
	assert_int_equal(strip_cells(0), 1);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
