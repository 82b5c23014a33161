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

static int set_up(void **state)
{
	fixture = (struct fixture){
		.summary =
			{
				.tasks = "112 tasks ran, 3 ended",
				.meters =
					{
						[METER_IPC] = {"1.42", 0, 4},
						[METER_MISS] = {"12.4 %", 12.4, 1},
						[METER_BUSY] = {"43 %", 43, -1},
						[METER_SWITCHES] = {"18.2k/s", 18200, -1},
					},
			},
	};
	fixture.head = (struct head){
		.summary = &fixture.summary,
		.meters = &fixture.history,
		.time_ns = UINT64_MAX,
	};
	for (uint64_t i = 0; i < 8; i++) {
		fixture.summary.meters[METER_IPC].value = (double)i / 4;
		meter_history_note(&fixture.history, i + 1, &fixture.summary);
	}
	screen_init(&fixture.screen, 80, 1);
	return 0;
}

static int tear_down(void **state)
{
	screen_fini(&fixture.screen);
	strbuf_fini(&fixture.text);
	return 0;
}

static const char *draw(int width)
{
	screen_resize(&fixture.screen, width, 1);
	meters_draw(&fixture.screen, &fixture.head, 0, 1);
	strbuf_clear(&fixture.text);
	screen_dump(&fixture.screen, &fixture.text);
	return strbuf_text(&fixture.text);
}

/* clang-format off */
UNIT_TEST(meters_draw_wide_has_all)
{
	assert_string_equal(draw(140),
		"IPC 1.42       ▁▂▃▄▅▆▇█   miss 12.4 %       ▇▇▇▇▇▇▇▇   busy  43 %       ▄▄▄▄▄▄▄▄   "
		"switches 18.2k/s       ▅▅▅▅▅▅▅▅   112 tasks ran, 3 ended\n");
}

UNIT_TEST(meters_draw_80_has_sparklines_instead_of_tasks)
{
	assert_string_equal(draw(80),
		"IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅\n");
}

UNIT_TEST(meters_draw_narrow_has_numbers_only)
{
	assert_string_equal(draw(73),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  112 tasks ran\n");
	assert_string_equal(draw(30), "IPC 1.42  miss 12.4 %\n");
	assert_string_equal(draw(3), "\n");
}

UNIT_TEST(meters_draw_without_history_has_numbers_only)
{
	fixture.head.meters = NULL;
	assert_string_equal(draw(140),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  112 tasks ran, 3 ended\n");
}

UNIT_TEST(meters_draw_of_a_view_of_the_history_keeps_what_it_says)
{
	fixture.head.history = "history 1.00M (55 s)";
	fixture.head.activity = "2.1 % preempted";
	assert_string_equal(draw(100),
		"IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  history 1.00M (55 s)  "
		"2.1 % preempted\n");
	assert_string_equal(draw(120),
		"IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅   "
		"history 1.00M (55 s)   2.1 % preempted\n");
}

UNIT_TEST(meters_draw_what_is_never_known_has_no_sparkline)
{
	fixture.history = (struct meter_history){0};
	fixture.summary.meters[METER_IPC].value = fixture.summary.meters[METER_MISS].value = NAN;
	meter_history_note(&fixture.history, 1, &fixture.summary);
	strcpy(fixture.summary.meters[METER_IPC].text, "-");
	strcpy(fixture.summary.meters[METER_MISS].text, "-");
	assert_string_equal(draw(100),
		"IPC    –   miss      –   busy  43 %         ▄   switches 18.2k/s         ▅   "
		"112 tasks ran, 3 ended\n");
	fixture.screen.is_ascii = true;
	assert_string_equal(draw(100),
		"IPC    -   miss      -   busy  43 %         =   switches 18.2k/s         +   "
		"112 tasks ran, 3 ended\n");
}
/* clang-format on */

static enum style style_of(int x)
{
	return (enum style)fixture.screen.cells[x].style;
}

UNIT_TEST(meters_draw_says_how_good)
{
	draw(140);
	assert_int_equal(style_of(4), STYLE_GOOD_4);
	assert_int_equal(style_of(22), STYLE_GOOD_4);
	assert_int_equal(style_of(31), STYLE_GOOD_1);
	assert_int_equal(style_of(61), STYLE_BOLD);
	assert_int_equal(style_of(74), STYLE_BAR);
}

UNIT_TEST(meters_draw_in_the_past_ends_there)
{
	fixture.head.time_ns = 3;
	assert_non_null(strstr(draw(140), "IPC 1.42            ▁▃▆   miss"));
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
