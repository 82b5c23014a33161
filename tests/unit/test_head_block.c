/* The meters above a table: a block with a graph where there are lines for it, or one line. */
#include <locale.h>
#include <math.h>

#include "base/strbuf.h"
#include "view/meters.h"
#include "view/summary.h"

#include "term/screen.h"
#include "unit.h"
#include "widget/head.h"

struct fixture {
	struct meter_history history;
	struct summary summary;
	struct head head;
	struct screen screen;
	struct strbuf text;
};

static struct fixture fixture;

static void note(uint64_t time_ns, double busy, double system)
{
	fixture.summary.meters[METER_BUSY].value = busy;
	fixture.summary.meters[METER_SYSTEM].value = system;
	meter_history_note(&fixture.history, time_ns, &fixture.summary);
}

static int set_up(void **state)
{
	fixture = (struct fixture){
		.summary =
			{
				.tasks = "112 tasks ran, 3 ended",
				.miss_level = "LLC",
				.meters =
					{
						[METER_IPC] = {"1.42", 1.42, 3},
						[METER_MISS] = {"12.4 %", 12.4, 1},
						[METER_BUSY] = {"43 %", 43, -1},
						[METER_SWITCHES] = {"18.2k/s", 18200, -1},
						[METER_MPKI] = {"4.2", 4.2, 2},
						[METER_QUEUED] = {"0.31", 0.31, -1},
						[METER_PREEMPTED] = {"2.0 %", 2, -1},
						[METER_FAULTS] = {"1.2k/s", 1200, -1},
					},
				.user_pct = 30,
				.system_pct = 12,
				.irq_pct = 1,
				.idle_pct = 57,
			},
	};
	fixture.head = (struct head){
		.summary = &fixture.summary,
		.meters = &fixture.history,
		.time_ns = UINT64_MAX,
	};
	screen_init(&fixture.screen, 80, 3);
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&fixture.screen);
	strbuf_fini(&fixture.text);
	return 0;
}

static const char *draw(int width, int lines)
{
	screen_resize(&fixture.screen, width, lines);
	meters_draw(&fixture.screen, &fixture.head, 0, lines);
	strbuf_clear(&fixture.text);
	screen_dump(&fixture.screen, &fixture.text);
	return strbuf_text(&fixture.text);
}

static void set_machine(void)
{
	fixture.summary.machine = (struct summary_machine){
		.load = "0.52 0.31 0.25",
		.memory = "3.0G/24.0G",
		.swap = "0/1.0G",
		.uptime = "1 d 2:03",
		.memory_pct = 50,
	};
}

/* Numbers of one line, with a history of IPC. */
static int set_up_line(void **state)
{
	set_up(state);
	fixture.summary.miss_level[0] = '\0';
	fixture.summary.meters[METER_IPC] = (struct summary_meter){"1.42", 0, 4};
	for (uint64_t i = 0; i < 8; i++) {
		fixture.summary.meters[METER_IPC].value = (double)i / 4;
		meter_history_note(&fixture.history, i + 1, &fixture.summary);
	}
	return 0;
}

static enum style style_at(int x, int y)
{
	return (enum style)fixture.screen.cells[y * fixture.screen.width + x].style;
}

/* clang-format off */
UNIT_TEST(head_block_has_graph_numbers_and_machine)
{
	set_machine();
	note(1, 0, 0);
	note(2, 50, 0);
	note(3, 100, 50);
	assert_string_equal(draw(80, 3),
		"busy  43 % us  30 sy  12   │ IPC          1.42    ▆▆▆ │ load 0.52 0.31 0.25\n"
		"                         ⢸ │ LLC MPKI      4.2    ▇▇▇ │ mem  3.0G/24.0G ████▁▁▁▁\n"
		"                        ⢀⣿ │ switches  18.2k/s    ▅▅▅ │ swap 0/1.0G up 1 d 2:03\n");
}

UNIT_TEST(head_block_of_a_recording_has_no_machine)
{
	assert_string_equal(draw(80, 3),
		"busy  43 %  user  30  system  12  irq   1  idle  57   │ IPC          1.42\n"
		"                                                      │ LLC MPKI      4.2\n"
		"                                                      │ switches  18.2k/s\n");
}

UNIT_TEST(head_block_without_a_pmu_has_other_numbers)
{
	fixture.summary.lacks_pmu = true;
	assert_string_equal(draw(80, 5),
		"busy  43 %  user  30  system  12  irq   1  idle  57   │ switches  18.2k/s\n"
		"                                                      │ waiting      0.31\n"
		"                                                      │ preempted   2.0 %\n"
		"                                                      │ faults     1.2k/s\n"
		"                                                      │ 112 tasks ran, 3 ended\n");
}

/* As what is not counted of others for nobody; one that was known keeps its line. */
UNIT_TEST(head_block_leaves_out_what_is_never_known)
{
	struct summary_meter *waiting = &fixture.summary.meters[METER_QUEUED];

	*waiting = (struct summary_meter){"-", NAN, -1};
	strcpy(fixture.summary.meters[METER_BUSY].text, "100 %~");
	note(1, 100, 0);
	assert_non_null(strstr(draw(80, 5), "busy 100 %~  user  30  system"));
	assert_null(strstr(draw(80, 5), "waiting"));
	assert_non_null(strstr(draw(80, 5), "│ preempted   2.0 %"));
	waiting->value = 1;
	note(2, 100, 0);
	assert_non_null(strstr(draw(80, 5), "│ waiting         –"));
}

UNIT_TEST(head_block_of_tasks_says_that_its_numbers_are_of_these)
{
	fixture.summary.counts_tasks = true;
	assert_string_equal(draw(80, 3),
		"busy  43 %  user  30  system  12  irq   1  idle  57   │ of the counted tasks:\n"
		"                                                      │ IPC          1.42\n"
		"                                                      │ LLC MPKI      4.2\n");
	assert_non_null(strstr(draw(80, 1), "machine busy  43 %"));
}

UNIT_TEST(head_block_of_a_view_of_the_history_keeps_what_it_says)
{
	set_machine();
	fixture.head.history = "history 1.00M (55 s, 43 MB)";
	fixture.head.activity = "2.1 % preempted";
	assert_string_equal(draw(80, 3),
		"busy  43 % us  30       │ IPC          1.42        │ history 1.00M (55 s, 43 MB)\n"
		"                        │ LLC MPKI      4.2        │ 2.1 % preempted\n"
		"                        │ switches  18.2k/s        │ load 0.52 0.31 0.25\n");
}

UNIT_TEST(head_block_in_ascii_has_nothing_else)
{
	set_machine();
	fixture.screen.is_ascii = true;
	note(1, 30, 0);
	note(2, 100, 50);
	for (const char *c = draw(80, 4); *c; c++)
		assert_in_range((unsigned char)*c, 1, 126);
}
/* clang-format on */

UNIT_TEST(head_block_of_unknown_shares_has_none)
{
	fixture.summary.user_pct = fixture.summary.system_pct = fixture.summary.irq_pct =
		fixture.summary.idle_pct = NAN;
	note(1, 100, NAN);
	assert_null(strstr(draw(80, 3), "user"));
	assert_null(strstr(draw(80, 3), "idle"));
}

/* As on a machine that was busy for less than a clock tick. */
UNIT_TEST(head_block_of_an_unknown_division_keeps_its_columns)
{
	fixture.summary.user_pct = fixture.summary.system_pct = fixture.summary.irq_pct = NAN;
	assert_non_null(strstr(draw(80, 3), "busy  43 %  user   –  system   –  irq   –  idle  57"));
}

/* The kernel's part is below, the rest is the warmer the higher it is; two intervals are a cell. */
UNIT_TEST(head_block_graph_is_in_colours)
{
	note(1, 100, 25);
	note(2, 100, 25);
	draw(80, 5);
	const int x = 80 - 3 - 24 - 1;

	assert_int_equal(style_at(x, 4), STYLE_SYSTEM);
	assert_int_equal(style_at(x, 3), STYLE_LOAD_0 + 1);
	assert_int_equal(style_at(x, 1), STYLE_LOAD_3);
	assert_true(screen_is_blank(&fixture.screen, x - 1, 4));
}

UNIT_TEST(head_block_every_size_stays_inside)
{
	set_machine();
	for (uint64_t i = 1; i < 500; i++)
		note(i, (double)(i % 101), (double)(i % 11));
	for (int width = 72; width < 300; width++)
		for (int lines = 3; lines < 10; lines++)
			draw(width, lines);
}

/* clang-format off */
UNIT_TEST_WITH(meters_draw_wide_has_all, set_up_line, tear_down)
{
	assert_string_equal(draw(140, 1),
		"IPC 1.42       ▁▂▃▄▅▆▇█   miss 12.4 %       ▇▇▇▇▇▇▇▇   busy  43 %       ▄▄▄▄▄▄▄▄   "
		"switches 18.2k/s       ▅▅▅▅▅▅▅▅   112 tasks ran, 3 ended\n");
}

UNIT_TEST_WITH(meters_draw_80_has_sparklines_instead_of_tasks, set_up_line, tear_down)
{
	assert_string_equal(draw(80, 1),
		"IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅\n");
}

UNIT_TEST_WITH(meters_draw_narrow_has_numbers_only, set_up_line, tear_down)
{
	assert_string_equal(draw(73, 1),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  112 tasks ran\n");
	assert_string_equal(draw(30, 1), "IPC 1.42  miss 12.4 %\n");
	assert_string_equal(draw(3, 1), "\n");
}

UNIT_TEST_WITH(meters_draw_without_history_has_numbers_only, set_up_line, tear_down)
{
	fixture.head.meters = NULL;
	assert_string_equal(draw(140, 1),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  112 tasks ran, 3 ended\n");
}

UNIT_TEST_WITH(meters_draw_of_a_view_of_the_history_keeps_what_it_says, set_up_line, tear_down)
{
	fixture.head.history = "history 1.00M (55 s)";
	fixture.head.activity = "2.1 % preempted";
	assert_string_equal(draw(100, 1),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  history 1.00M (55 s)  "
		"2.1 % preempted\n");
	assert_string_equal(draw(120, 1),
		"IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅   "
		"history 1.00M (55 s)   2.1 % preempted\n");
}

UNIT_TEST_WITH(meters_draw_what_is_never_known_has_no_sparkline, set_up_line, tear_down)
{
	fixture.history = (struct meter_history){0};
	fixture.summary.meters[METER_IPC].value = fixture.summary.meters[METER_MISS].value = NAN;
	meter_history_note(&fixture.history, 1, &fixture.summary);
	strcpy(fixture.summary.meters[METER_IPC].text, "-");
	strcpy(fixture.summary.meters[METER_MISS].text, "-");
	assert_string_equal(draw(100, 1),
		"IPC    –   miss      –   busy  43 %         ▄   switches 18.2k/s         ▅   "
		"112 tasks ran, 3 ended\n");
	fixture.screen.is_ascii = true;
	assert_string_equal(draw(100, 1),
		"IPC    -   miss      -   busy  43 %         =   switches 18.2k/s         +   "
		"112 tasks ran, 3 ended\n");
}
/* clang-format on */

UNIT_TEST_WITH(meters_draw_says_how_good, set_up_line, tear_down)
{
	draw(140, 1);
	assert_int_equal(style_at(4, 0), STYLE_GOOD_4);
	assert_int_equal(style_at(22, 0), STYLE_GOOD_4);
	assert_int_equal(style_at(31, 0), STYLE_GOOD_1);
	assert_int_equal(style_at(61, 0), STYLE_BOLD);
	assert_int_equal(style_at(74, 0), STYLE_BAR);
}

UNIT_TEST_WITH(meters_draw_in_the_past_ends_there, set_up_line, tear_down)
{
	fixture.head.time_ns = 3;
	assert_non_null(strstr(draw(140, 1), "IPC 1.42            ▁▃▆   miss"));
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
