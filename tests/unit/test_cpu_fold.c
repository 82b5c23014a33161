/* Strips of CPUs at any width, and of any number of CPUs. */

#include <locale.h>
#include <math.h>

#include "base/strbuf.h"
#include "view/meters.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/cpu_meters.h"

enum {
	CPUS_MAX = 512,
	TEXT_WIDTH = 4,
	MARGIN = 2, /* lines over and under that are not ours */
	LINES_MAX = 8
};

static struct cpu_meter meters[CPUS_MAX];
static struct screen screen;
static struct strbuf text;

static int set_up(void **state)
{
	for (int i = 0; i < CPUS_MAX; i++)
		meters[i] = (struct cpu_meter){
			.cpu = i, .busy_pct = 100, .goodness = 2, .text = "@@@@"};
	screen_init(&screen, 80, LINES_MAX);
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&screen);
	strbuf_fini(&text);
	return 0;
}

static struct cpu_meters of(size_t count)
{
	return (struct cpu_meters){.meters = meters, .count = count, .text_width = TEXT_WIDTH};
}

static const char *draw(size_t count, int width, int lines, bool ascii)
{
	const struct cpu_meters cpus = of(count);

	screen_resize(&screen, width, lines);
	screen.is_ascii = ascii;
	cpu_meters_draw(&screen, &cpus, 0, lines);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	return strbuf_text(&text);
}

/* How many cells of these lines show it. */
static int count_cells(const char *bytes, int first, int end)
{
	int count = 0;

	for (int i = first * screen.width; i < end * screen.width; i++)
		count += strcmp(screen.cells[i].bytes, bytes) == 0;
	return count;
}

/* How many CPUs a cell stands for is said once, and whole. */
static void check_count(const struct cpu_fold *fold)
{
	char expected[16];

	snprintf(expected, sizeof(expected), "×%d", fold->cpus);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	if (!strstr(strbuf_text(&text), expected))
		fail_msg("%s is not said in %d columns", expected, screen.width);
	assert_int_equal(count_cells("×", 0, screen.height), 1);
}

/* Everything is there as often as it should be: nothing was cut, nothing drawn over. */
static void check(int count, int width, int most)
{
	const struct cpu_meters cpus = of((size_t)count);
	const struct cpu_fold fold =
		cpu_fold_make((size_t)count, count - 1, TEXT_WIDTH, width, most);
	const int items = (count + fold.cpus - 1) / fold.cpus;
	int full = items * fold.item;

	if (fold.form == CPU_FORM_NONE || fold.lines < 1 || fold.lines > most)
		fail_msg("%d CPUs in %d columns: %d of %d lines", count, width, fold.lines, most);
	screen_resize(&screen, width, fold.lines + 2 * MARGIN);
	cpu_meters_draw(&screen, &cpus, MARGIN, most);
	if (fold.form == CPU_FORM_BARS) {
		full = count * (fold.item - fold.label - 2 - TEXT_WIDTH);
		assert_int_equal(count_cells("%", MARGIN, MARGIN + fold.lines), count);
	}
	if (count_cells("█", MARGIN, MARGIN + fold.lines) != full)
		fail_msg("%d CPUs in %d columns and %d lines: %d cells, not %d", count, width,
			 fold.lines, count_cells("█", MARGIN, MARGIN + fold.lines), full);
	if (fold.form == CPU_FORM_HEAT)
		check_count(&fold);
	assert_int_equal(count_cells(" ", 0, MARGIN), MARGIN * width);
	assert_int_equal(count_cells(" ", MARGIN + fold.lines, 2 * MARGIN + fold.lines),
			 MARGIN * width);
}

UNIT_TEST(cpu_fold_every_size_has_room_for_all)
{
	static const int counts[] = {1,   2,   3,   4,   5,   6,   7,   8,   9,   10,  11, 12,  16,
				     17,  20,  24,  31,  32,  33,  48,  63,  64,  65,  96, 100, 101,
				     127, 128, 129, 160, 192, 255, 256, 257, 384, 511, 512};

	for (size_t i = 0; i < COUNT_OF(counts); i++) {
		for (int width = 20; width <= 400; width += width < 140 ? 1 : 7)
			for (int most = 1; most <= LINES_MAX; most++)
				check(counts[i], width, most);
	}
}

UNIT_TEST(cpu_fold_without_room_or_cpus_is_none)
{
	assert_int_equal(cpu_fold_make(0, 0, 4, 80, 2).form, CPU_FORM_NONE);
	assert_int_equal(cpu_fold_make(8, 7, 4, 80, 0).form, CPU_FORM_NONE);
	assert_int_equal(cpu_fold_make(512, 511, 4, 4, 1).form, CPU_FORM_NONE);
	assert_string_equal(draw(0, 80, 1, false), "\n");
	draw(512, 3, 1, false);
}

UNIT_TEST(cpu_fold_goes_from_bars_over_cells_to_heat)
{
	static const struct {
		size_t count;
		int width, most;
		enum cpu_form form;
		int lines;
	} cases[] = {
		{2, 80, 1, CPU_FORM_BARS, 1},     {8, 132, 1, CPU_FORM_BARS, 1},
		{8, 80, 1, CPU_FORM_CELLS, 1},    {8, 80, 2, CPU_FORM_BARS, 2},
		{64, 80, 1, CPU_FORM_CELLS, 1},   {64, 132, 3, CPU_FORM_CELLS, 1},
		{128, 80, 1, CPU_FORM_HEAT, 1},   {512, 80, 1, CPU_FORM_HEAT, 1},
		{512, 132, 3, CPU_FORM_HEAT, 3},  {512, 200, 4, CPU_FORM_CELLS, 4},
		{512, 300, 8, CPU_FORM_CELLS, 2}, {8, 120, 1, CPU_FORM_BARS, 1},
		{8, 120, 4, CPU_FORM_BARS, 2},    {64, 200, 6, CPU_FORM_BARS, 6},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct cpu_fold fold =
			cpu_fold_make(cases[i].count, (int)cases[i].count - 1, TEXT_WIDTH,
				      cases[i].width, cases[i].most);

		if (fold.form != cases[i].form || fold.lines != cases[i].lines)
			fail_msg("%zu CPUs, %d columns, %d lines: form %d in %d lines",
				 cases[i].count, cases[i].width, cases[i].most, (int)fold.form,
				 fold.lines);
	}
}

/* Bars that are too narrow to be read get more lines, if there are any; cells leave the last one.
 */
UNIT_TEST(cpu_meters_lines_are_for_bars)
{
	const struct cpu_meters eight = of(8), many = of(512);

	assert_int_equal(cpu_meters_lines(&eight, 80, 1), 1);
	assert_int_equal(cpu_meters_lines(&eight, 80, 2), 2);
	assert_int_equal(cpu_meters_lines(&eight, 80, 4), 3);
	assert_int_equal(cpu_meters_lines(&many, 80, 2), 1);
	assert_int_equal(cpu_meters_lines(&many, 80, 1), 1);
}

UNIT_TEST(cpu_meters_draw_bars_stand_in_columns)
{
	static const char *const numbers[] = {"1.31", "0.88", "2.02", "-"};
	static const double busy[] = {75, 25, NAN, 0};

	for (size_t i = 0; i < 4; i++) {
		strcpy(meters[i].text, numbers[i]);
		meters[i].busy_pct = busy[i];
	}
	assert_string_equal(draw(4, 60, 1, false), "0 ███▊▁  75%   1 █▎▁▁▁  25%   2"
						   "          –   3 ▁▁▁▁▁   0%\n");
}

/* What colours them stands behind how busy they were, with its name, or not at all. */
UNIT_TEST(cpu_meters_draw_numbers_are_named)
{
	struct cpu_meters cpus = of(2);

	strcpy(cpus.name, "IPC");
	strcpy(meters[0].text, "1.31");
	strcpy(meters[1].text, "-");
	meters[1].busy_pct = 0;
	screen_resize(&screen, 52, 1);
	cpu_meters_draw(&screen, &cpus, 0, 1);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	assert_string_equal(strbuf_text(&text),
			    "0 ████████ 100% IPC 1.31   1 ▁▁▁▁▁▁▁▁   0% IPC    –\n");

	screen_resize(&screen, 40, 1);
	cpu_meters_draw(&screen, &cpus, 0, 1);
	strbuf_clear(&text);
	screen_dump(&screen, &text);
	assert_string_equal(strbuf_text(&text), "0 ███████████ 100%   1 ▁▁▁▁▁▁▁▁▁▁▁   0%\n");
}

/* The end of a bar is the kernel's part, and the line goes on to where all would be. */
UNIT_TEST(cpu_meters_draw_bars_have_parts)
{
	meters[0] = (struct cpu_meter){.busy_pct = 80, .system_pct = 20, .goodness = -1};
	assert_string_equal(draw(1, 27, 1, false), "0 ████████████████▁▁▁▁  80%\n");
	assert_int_equal(screen.cells[2].style, STYLE_BAR);
	assert_int_equal(screen.cells[2 + 11].style, STYLE_BAR);
	assert_int_equal(screen.cells[2 + 12].style, STYLE_SYSTEM);
	assert_int_equal(screen.cells[2 + 15].style, STYLE_SYSTEM);
	assert_int_equal(screen.cells[2 + 16].style, STYLE_DIM);
	meters[0].system_pct = NAN;
	draw(1, 27, 1, false);
	assert_int_equal(screen.cells[2 + 15].style, STYLE_BAR);
	draw(1, 27, 1, true);
	assert_string_equal(strbuf_text(&text), "0 ||||||||||||||||....  80%\n");
}

UNIT_TEST(cpu_meters_draw_cells_have_a_number_in_each_line)
{
	for (size_t i = 0; i < 20; i++) {
		strcpy(meters[i].text, "-");
		meters[i].busy_pct = (double)(i % 8) * 12.5;
		meters[i].goodness = (int)i % 5;
	}
	meters[9].busy_pct = NAN;
	assert_string_equal(draw(20, 20, 2, false), " 0 ▁▂▃▄▅▆▇█ ▁–▃▄▅▆▇█\n16 ▁▂▃▄\n");
	assert_int_equal(screen.cells[8].style, STYLE_GOOD_0);
	assert_int_equal(screen.cells[7].style, STYLE_GOOD_4);
	assert_int_equal(screen.cells[13].style, STYLE_DIM);
	assert_string_equal(draw(20, 20, 2, true), " 0 .:-=+*%# .?-=+*%#\n16 .:-=\n");
}

/* As high as the mean, and as good as who had most to do with it. */
UNIT_TEST(cpu_meters_draw_heat_weighs_by_busy)
{
	static const double busy[] = {90, 10, 0, NAN, NAN, NAN, 100, NAN};
	static const int good[] = {0, 4, -1, -1, -1, -1, 3, -1};

	for (size_t i = 0; i < 8; i++) {
		meters[i].busy_pct = busy[i];
		meters[i].goodness = good[i];
	}
	for (size_t i = 8; i < 16; i++) {
		meters[i].busy_pct = 0;
		meters[i].goodness = -1;
	}
	assert_string_equal(draw(16, 16, 1, false), " 0 ▅▁–█▁▁▁▁ ×2\n");
	assert_int_equal(screen.cells[3].style, STYLE_GOOD_0);
	assert_int_equal(screen.cells[4].style, STYLE_BAR);
	assert_int_equal(screen.cells[6].style, STYLE_GOOD_3);
	assert_string_equal(draw(16, 16, 1, true), " 0 +.?#.... x2\n");
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
