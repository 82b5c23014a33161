#include <limits.h>
#include <locale.h>

#include "base/strbuf.h"

#include "fake_view.h"
#include "term/screen.h"
#include "unit.h"
#include "widget/list.h"

static const struct column columns[] = {
	{.name = "pid", .title = "PID", .width = 5, .format = COLUMN_INTEGER},
	{.name = "user", .title = "USER", .width = 6, .format = COLUMN_TEXT},
	{.name = "ipc", .title = "IPC", .width = 5, .format = COLUMN_FIXED_2},
	{.name = "miss%", .title = "MISS %", .width = 6, .format = COLUMN_FIXED_1},
	{.name = "busy", .title = "BUSY", .width = 4, .format = COLUMN_BAR},
	{.name = "command", .title = "COMMAND", .width = 10, .format = COLUMN_TEXT},
};

enum {
	PID,
	USER,
	IPC,
	MISS,
	BUSY,
	COMMAND,
	COLUMN_COUNT
};

enum {
	ROWS_MAX = 50
};

static struct fake_row rows[ROWS_MAX]; /* with the ids 100, 101, ... */
static struct view_table table;
static struct list list;

static int set_up(void **state)
{
	for (size_t i = 0; i < ROWS_MAX; i++) {
		rows[i] = (struct fake_row){
			.row = {.kind = ROW_TASK, .id = 100 + i},
			.cells = {"1", "www", "1.50", "20.0", "50", "nginx"},
		};
	}
	table = (struct view_table){
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.rows = rows,
		.row_count = 1,
		.sort = &columns[MISS],
		.descends = true,
	};
	list = (struct list){0};
	return 0;
}

struct drawn {
	struct screen screen;
	struct strbuf text;
};

static struct drawn draw(int width, int lines, bool ascii)
{
	struct drawn drawn = {0};

	screen_init(&drawn.screen, width, lines);
	drawn.screen.is_ascii = ascii;
	list_draw(&list, &table, &drawn.screen, 0, lines);
	screen_dump(&drawn.screen, &drawn.text);
	return drawn;
}

static void drawn_fini(struct drawn *drawn)
{
	screen_fini(&drawn->screen);
	strbuf_fini(&drawn->text);
}

static void assert_drawn(int width, int lines, const char *expected)
{
	struct drawn drawn = draw(width, lines, false);

	assert_string_equal(strbuf_text(&drawn.text), expected);
	drawn_fini(&drawn);
}

/* The line of the cursor bar, or -1. */
static int bar_line(const struct screen *screen)
{
	for (int y = 0; y < screen->height; y++)
		if (screen->cells[y * screen->width].is_selected)
			return y;
	return -1;
}

static enum style style_at(const struct screen *screen, int x, int y)
{
	return screen->cells[y * screen->width + x].style;
}

UNIT_TEST(list_follow_moved_row_is_found_again)
{
	table.row_count = 3;

	list_select(&list, &table, 0);
	const struct fake_row first = rows[0];
	rows[0] = rows[2];
	rows[2] = first;
	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 2);
	assert_int_equal(list.cursor_id, 100);
}

UNIT_TEST(list_follow_dead_row_keeps_the_place)
{
	table.row_count = 4;

	list_select(&list, &table, 1);
	rows[1] = rows[3];
	table.row_count = 3;
	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 1);
	assert_int_equal(list.cursor_id, 103);
}

UNIT_TEST(list_follow_dead_last_row_goes_to_the_new_last)
{
	table.row_count = 4;

	list_select(&list, &table, 3);
	table.row_count = 2;
	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 1);
	assert_int_equal(list.cursor_id, 101);
}

UNIT_TEST(list_follow_empty_table_remembers_the_row)
{
	table.row_count = 4;

	list_select(&list, &table, 2);
	table.row_count = 0;
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 0);
	table.row_count = 4;
	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 2);
}

UNIT_TEST(list_follow_without_cursor_stays_on_the_first_row)
{
	table.row_count = 3;
	list = (struct list){.cursor_id = 102};

	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 0);
	assert_false(list.has_cursor);
}

UNIT_TEST(list_move_sets_the_cursor)
{
	table.row_count = 3;

	list_move(&list, &table, CURSOR_DOWN);

	assert_true(list.has_cursor);
	assert_int_equal(list.cursor_id, 101);
}

UNIT_TEST(list_move_stops_at_both_ends)
{
	table.row_count = 3;

	list_move(&list, &table, CURSOR_UP);
	assert_int_equal(list.cursor.at, 0);
	list_move(&list, &table, CURSOR_END);
	assert_int_equal(list.cursor.at, 2);
	list_move(&list, &table, CURSOR_DOWN);
	assert_int_equal(list.cursor.at, 2);
	list_move(&list, &table, CURSOR_PAGE_DOWN);
	assert_int_equal(list.cursor.at, 2);
	list_move(&list, &table, CURSOR_HOME);
	assert_int_equal(list.cursor.at, 0);
	list_move(&list, &table, CURSOR_PAGE_UP);
	assert_int_equal(list.cursor.at, 0);
}

UNIT_TEST(list_move_page_takes_cursor_and_window_along)
{
	table.row_count = 50;
	struct drawn drawn;

	drawn = draw(40, 11, false);
	drawn_fini(&drawn);
	list_move(&list, &table, CURSOR_DOWN);
	list_move(&list, &table, CURSOR_PAGE_DOWN);
	assert_int_equal(list.cursor.at, 11);
	assert_int_equal(list.cursor.top, 10);
	list_move(&list, &table, CURSOR_PAGE_UP);
	assert_int_equal(list.cursor.at, 1);
	assert_int_equal(list.cursor.top, 0);
}

UNIT_TEST(list_move_page_stops_the_window_at_the_last_page)
{
	table.row_count = 25;
	list = (struct list){.page = 10};

	for (int i = 0; i < 5; i++)
		list_move(&list, &table, CURSOR_PAGE_DOWN);

	assert_int_equal(list.cursor.at, 24);
	assert_int_equal(list.cursor.top, 15);
}

UNIT_TEST(list_move_in_an_empty_table_does_nothing)
{
	table.row_count = 0;

	for (enum cursor_motion motion = CURSOR_UP; motion <= CURSOR_END; motion++)
		list_move(&list, &table, motion);
	list_select(&list, &table, 7);

	assert_int_equal(list.cursor.at, 0);
	assert_false(list.has_cursor);
}

UNIT_TEST(list_select_beyond_the_end_is_the_last_row)
{
	table.row_count = 3;

	list_select(&list, &table, SIZE_MAX);

	assert_int_equal(list.cursor_id, 102);
}

UNIT_TEST(list_scroll_keeps_two_columns)
{
	list_scroll(&list, &table, -1);
	assert_int_equal(list.scroll, 0);
	list_scroll(&list, &table, INT_MAX);
	assert_int_equal(list.scroll, COLUMN_COUNT - 2);
	list_scroll(&list, &table, INT_MAX);
	assert_int_equal(list.scroll, COLUMN_COUNT - 2);
	list_scroll(&list, &table, INT_MIN);
	assert_int_equal(list.scroll, 0);
}

UNIT_TEST(list_draw_aligns_numbers_right_and_words_left)
{
	table.row_count = 2;

	rows[1].cells[PID] = "4711";
	rows[1].cells[COMMAND] = "漢字 to the very end of the line";

	assert_drawn(50, 4,
		     "  PID USER     IPC MISS %▼BUSY COMMAND\n"
		     "    1 www     1.50   20.0 ██   nginx\n"
		     " 4711 www     1.50   20.0 ██   漢字 to the very e…\n"
		     "\n");
}

UNIT_TEST(list_draw_sorted_title_is_reversed_with_its_arrow)
{
	struct drawn drawn;

	table.descends = false;
	table.sort = &columns[USER];
	drawn = draw(50, 2, false);
	assert_non_null(strstr(strbuf_text(&drawn.text), " USER▲ "));
	assert_int_equal(style_at(&drawn.screen, 6, 0), STYLE_TITLE_SORTED);
	assert_int_equal(style_at(&drawn.screen, 10, 0), STYLE_TITLE_SORTED);
	assert_int_equal(style_at(&drawn.screen, 4, 0), STYLE_TITLE);
	drawn_fini(&drawn);

	table.descends = true;
	drawn = draw(50, 2, true);
	assert_non_null(strstr(strbuf_text(&drawn.text), " USERv "));
	drawn_fini(&drawn);

	table.descends = false;
	drawn = draw(50, 2, true);
	assert_non_null(strstr(strbuf_text(&drawn.text), " USER^ "));
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_second_sorted_title_has_only_an_arrow)
{
	struct drawn drawn;

	table.then = &columns[USER];
	table.then_descends = false;
	drawn = draw(50, 2, false);
	assert_non_null(strstr(strbuf_text(&drawn.text), " USER▲ "));
	assert_non_null(strstr(strbuf_text(&drawn.text), "MISS %▼"));
	assert_int_equal(style_at(&drawn.screen, 6, 0), STYLE_TITLE);
	drawn_fini(&drawn);
}

/* Of a number that fills its column nothing is lost. */
UNIT_TEST(list_draw_tag_stands_where_there_is_room)
{
	table.row_count = 3;
	struct drawn drawn;

	table.column_count = USER + 1;
	rows[0].row.is_tagged = rows[1].row.is_tagged = true;
	rows[1].cells[PID] = "12345";
	rows[1].row.is_exited = true;
	assert_drawn(20, 4,
		     "  PID USER\n"
		     "»   1 www\n"
		     "12345»www\n"
		     "    1 www\n");
	drawn = draw(20, 4, true);
	assert_non_null(strstr(strbuf_text(&drawn.text), "\n>   1 www\n"));
	assert_int_equal(style_at(&drawn.screen, 6, 1), STYLE_BOLD);
	assert_int_equal(style_at(&drawn.screen, 6, 2), STYLE_EXITED);
	assert_int_equal(style_at(&drawn.screen, 6, 3), STYLE_NORMAL);
	drawn_fini(&drawn);
}

UNIT_TEST(list_follow_followed_row_keeps_its_line)
{
	table.row_count = 20;
	list = (struct list){.page = 5, .cursor.top = 6};

	list_select(&list, &table, 8);
	list.is_followed = true;
	const struct fake_row followed = rows[8];
	rows[8] = rows[15];
	rows[15] = followed;
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 15);
	assert_int_equal(list.cursor.top, 13);
	assert_true(list.is_followed);

	/* above the first line there is nothing */
	rows[15] = rows[1];
	rows[1] = followed;
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 1);
	assert_int_equal(list.cursor.top, 0);

	rows[1].row.id = 777;
	list_follow(&list, &table);
	assert_false(list.is_followed);
}

UNIT_TEST(list_draw_arrow_at_the_edge_moves_the_title)
{
	const struct column numbers[] = {columns[PID], columns[MISS], columns[IPC]};

	table.columns = numbers;
	table.column_count = 3;
	table.sort = &numbers[2];
	rows[0].cells[1] = "20.0";

	assert_drawn(18, 2, "  PID MISS %  IPC▼\n    1   20.0  1.50\n");
}

UNIT_TEST(list_draw_words_before_a_number_are_cut)
{
	table.row_count = 3;

	table.column_count = USER + 1;
	table.sort = NULL;
	rows[0].cells[USER] = "nginx| 4711";
	rows[1].cells[USER] = "sh| 7";
	rows[2].cells[USER] = "kworker| 123456";

	assert_drawn(16, 4, "  PID USER\n    1 nginx 4711\n    1 sh 7\n    1 kw… 123456\n");
	assert_drawn(13, 4, "  PID USER\n    1 nginx\n    1 sh 7\n    1 kworker\n");
}

UNIT_TEST(list_draw_unknown_is_a_dim_dash)
{
	rows[0].cells[IPC] = "-";
	rows[0].cells[USER] = "-";
	rows[0].cells[BUSY] = "-";

	struct drawn drawn = draw(50, 2, false);
	assert_non_null(strstr(strbuf_text(&drawn.text), "    1 –          –   20.0 –    nginx\n"));
	assert_int_equal(style_at(&drawn.screen, 17, 1), STYLE_DIM);
	drawn_fini(&drawn);
	drawn = draw(50, 2, true);
	assert_non_null(strstr(strbuf_text(&drawn.text), "    1 -          -   20.0 -    nginx\n"));
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_marks_stand_behind_the_value)
{
	table.row_count = 4;

	table.column_count = MISS + 1;
	rows[0].row.is_exited = true;
	rows[1].row.is_new = true;
	rows[2].row.kind = ROW_EXITED;
	rows[2].cells[PID] = "-";
	rows[3].cells[IPC] = "1.50'";
	rows[3].cells[MISS] = "20.0~";

	assert_drawn(40, 5,
		     "  PID USER     IPC MISS %▼\n"
		     "    1×www     1.50   20.0\n"
		     "    1*www     1.50   20.0\n"
		     "    –×www     1.50   20.0\n"
		     "    1 www     1.50'  20.0~\n");
}

UNIT_TEST(list_draw_goodness_is_a_style)
{
	static const char *const cells[] = {"1.50!0", "1.50!1", "1.50!2",
					    "1.50!3", "1.50!4", "1.50"};
	static const enum style styles[] = {STYLE_GOOD_0, STYLE_GOOD_1, STYLE_GOOD_2,
					    STYLE_GOOD_3, STYLE_GOOD_4, STYLE_NORMAL};
	table.row_count = 6;

	for (int i = 0; i < 6; i++)
		rows[i].cells[IPC] = cells[i];
	struct drawn drawn = draw(50, 7, false);

	for (int i = 0; i < 6; i++)
		assert_int_equal(style_at(&drawn.screen, 17, 1 + i), styles[i]);
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_exited_row_is_all_one_style)
{
	rows[0].row.is_exited = true;
	rows[0].cells[IPC] = "1.50!4";
	struct drawn drawn = draw(50, 2, false);

	assert_int_equal(style_at(&drawn.screen, 4, 1), STYLE_EXITED);
	assert_int_equal(style_at(&drawn.screen, 17, 1), STYLE_EXITED);
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_bar_has_its_own_style_unless_it_is_graded)
{
	table.row_count = 2;

	rows[1].cells[BUSY] = "100!0";
	struct drawn drawn = draw(50, 3, true);

	assert_int_equal(style_at(&drawn.screen, 26, 1), STYLE_BAR);
	assert_int_equal(style_at(&drawn.screen, 26, 2), STYLE_GOOD_0);
	assert_non_null(strstr(strbuf_text(&drawn.text), " ||   nginx\n"));
	assert_non_null(strstr(strbuf_text(&drawn.text), " |||| nginx\n"));
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_number_without_room_is_not_cut)
{
	rows[0].cells[PID] = "1234567";

	assert_drawn(50, 2,
		     "  PID USER     IPC MISS %▼BUSY COMMAND\n"
		     "##### www     1.50   20.0 ██   nginx\n");
}

UNIT_TEST(list_draw_narrow_keeps_the_last_column_of_words)
{
	table.sort = &columns[PID];
	assert_drawn(32, 2,
		     "  PID▼USER     IPC>COMMAND\n"
		     "    1 www     1.50 nginx\n");
}

UNIT_TEST(list_draw_narrow_keeps_the_sorted_column)
{
	assert_drawn(32, 2,
		     "  PID USER  >MISS %▼COMMAND\n"
		     "    1 www      20.0 nginx\n");
}

/* Those stay that tell most, the first one goes, and the mark of a new row goes with it. */
UNIT_TEST(list_draw_narrow_keeps_what_tells_most)
{
	static const struct column many[] = {
		{.name = "pid", .title = "PID", .width = 7, .format = COLUMN_INTEGER},
		{.name = "user", .title = "USER", .width = 8, .format = COLUMN_TEXT},
		{.name = "cpu%", .title = "CPU %", .width = 6, .format = COLUMN_FIXED_1},
		{.name = "ghz", .title = "GHz", .width = 4, .format = COLUMN_FIXED_2},
		{.name = "ipc", .title = "IPC", .width = 4, .format = COLUMN_FIXED_2},
		{.name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT},
	};
	static const bool telling[] = {false, false, true, false, true, true};

	table.columns = many;
	table.column_count = 6;
	table.telling = telling;
	table.sort = &many[2];
	memcpy(rows[0].cells, (const char *[]){"96", "root", "74.7", "1.00", "0.31", "nginx"},
	       6 * sizeof(char *));
	rows[0].row.is_new = true;
	assert_drawn(20, 2,
		     " CPU %▼ IPC COMMAND\n"
		     "  74.7*0.31 nginx\n");
	assert_drawn(40, 2,
		     "    PID> CPU %▼ IPC COMMAND\n"
		     "     96*  74.7 0.31 nginx\n");
	table.sort = &many[0];
	assert_drawn(20, 2,
		     "    PID▼ CPU %>COMM…\n"
		     "     96*  74.7 nginx\n");
}

/* Last words that tell less than others come only where there is room for them. */
UNIT_TEST(list_draw_narrow_lets_words_give_way_that_tell_less)
{
	static const struct column log[] = {
		{.name = "when", .title = "TIME", .width = 15, .format = COLUMN_CLOCK},
		{.name = "prev", .title = "PREV", .width = 18, .format = COLUMN_TEXT},
		{.name = "how", .title = "HOW", .width = 9, .format = COLUMN_TEXT},
		{.name = "ran", .title = "RAN", .width = 6, .format = COLUMN_DURATION},
		{.name = "next", .title = "NEXT", .width = 16, .format = COLUMN_TEXT},
	};
	static const bool telling[] = {false, true, true, true, false};

	table.columns = log;
	table.column_count = 5;
	table.telling = telling;
	table.sort = NULL;
	memcpy(rows[0].cells,
	       (const char *[]){"13:08:26.370810", "nginx", "blocked", "3.98ms", "redis"},
	       5 * sizeof(char *));
	assert_drawn(20, 2,
		     "PREV   HOW       RAN\n"
		     "nginx  block… 3.98ms\n");
	assert_drawn(40, 2,
		     "PREV         HOW          RAN NEXT\n"
		     "nginx        blocked   3.98ms redis\n");
	assert_drawn(80, 2,
		     "           TIME PREV               HOW          RAN NEXT\n"
		     "13:08:26.370810 nginx              blocked   3.98ms redis\n");
}

/* Two names and what they are ordered by. */
UNIT_TEST(list_draw_narrow_gives_words_a_third)
{
	const struct column pairs[] = {
		{.name = "victim", .title = "VICTIM", .width = 20, .format = COLUMN_TEXT},
		{.name = "taker", .title = "TAKER", .width = 20, .format = COLUMN_TEXT},
		columns[IPC],
		columns[MISS],
	};

	table.columns = pairs;
	table.column_count = 4;
	table.sort = &pairs[3];
	rows[0].cells[0] = "nginx-worker-process";
	rows[0].cells[1] = "rsync";
	rows[0].cells[3] = "20.0";
	assert_drawn(33, 2,
		     "VICTIM       TAKER       >MISS %▼\n"
		     "nginx-worke… rsync          20.0\n");
}

UNIT_TEST(list_draw_cut_trend_keeps_its_newest_values)
{
	const struct column trends[] = {
		columns[PID],
		columns[MISS],
		{.name = "trend", .title = "TREND", .width = 16, .format = COLUMN_TREND},
	};

	table.columns = trends;
	table.column_count = 3;
	table.sort = &trends[1];
	rows[0].cells[1] = "20.0";
	rows[0].cells[2] = "▁▂▃▄▅▆▇█▇▆▅▄▃▂▁█";
	assert_drawn(29, 2,
		     "  PID MISS %▼MISS % TREND\n"
		     "    1   20.0 ▁▂▃▄▅▆▇█▇▆▅▄▃▂▁█\n");
	assert_drawn(19, 2,
		     "  PID MISS %▼TREND\n"
		     "    1   20.0 ▅▄▃▂▁█\n");
	assert_drawn(16, 2,
		     "  PID MISS %▼TR…\n"
		     "    1   20.0 ▂▁█\n");
}

/* What gives way comes in where the column behind it has room, too. */
UNIT_TEST(list_draw_narrow_lets_one_give_way_to_the_next)
{
	struct column lengths[] = {columns[PID], columns[IPC], columns[MISS], columns[BUSY]};

	lengths[1].is_shrinkable = true;
	table.columns = lengths;
	table.column_count = 4;
	table.sort = &lengths[0];
	assert_drawn(17, 2, "  PID▼MISS % BUSY\n    1   1.50 ▊\n");
	assert_drawn(18, 2, "  PID▼  IPC MISS %\n    1   www   1.50\n");
}

/* Up to four times its width, where all columns have room. */
UNIT_TEST(list_draw_wide_makes_bars_longer)
{
	const struct column bars[] = {columns[PID], columns[BUSY], columns[IPC], columns[BUSY]};

	table.columns = bars;
	table.column_count = 4;
	table.sort = &bars[0];
	rows[0].cells[1] = rows[0].cells[3] = "100";
	rows[0].cells[2] = "1.50";
	assert_drawn(30, 2,
		     "  PID▼BUSY       IPC BUSY\n"
		     "    1 ████████  1.50 ████████\n");
	assert_drawn(300, 2,
		     "  PID▼BUSY               IPC BUSY\n"
		     "    1 ████████████████  1.50 ████████████████\n");
}

/* What the user asked for stays, others before it go. */
UNIT_TEST(list_draw_narrow_keeps_what_was_asked_for)
{
	const struct column requested[] = {
		columns[PID],
		columns[IPC],
		columns[MISS],
		{.name = "r1",
		 .title = "R1/s",
		 .width = 6,
		 .format = COLUMN_SI,
		 .was_asked_for = true},
		{.name = "r2",
		 .title = "R2/s",
		 .width = 6,
		 .format = COLUMN_SI,
		 .was_asked_for = true},
		columns[COMMAND],
	};

	table.columns = requested;
	table.column_count = 6;
	table.sort = &requested[0];
	for (int width = 34; width < 60; width++) {
		struct drawn drawn = draw(width, 2, true);
		const char *text = strbuf_text(&drawn.text);

		if (!strstr(text, "PID") || !strstr(text, "R1/s") || !strstr(text, "R2/s") ||
		    !strstr(text, "COMMAND"))
			fail_msg("%d columns: %s", width, text);
		drawn_fini(&drawn);
	}
}

/* Nor is a small one let in after a big one had no room: columns keep their order of worth. */
UNIT_TEST(list_draw_narrow_lets_no_later_column_in)
{
	const struct column requested[] = {
		columns[PID],
		{.name = "big", .title = "BIG", .width = 20, .format = COLUMN_SI},
		{.name = "small", .title = "SM", .width = 2, .format = COLUMN_SI},
		columns[COMMAND],
	};
	struct drawn drawn;

	table.columns = requested;
	table.column_count = 4;
	table.sort = &requested[0];
	drawn = draw(34, 2, true);
	assert_null(strstr(strbuf_text(&drawn.text), "SM"));
	assert_non_null(strstr(strbuf_text(&drawn.text), "COMMAND"));
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_narrow_leaves_out_numbers_that_would_be_cut)
{
	table.column_count = MISS + 1;
	table.sort = &columns[PID];

	assert_drawn(24, 2, "  PID▼USER     IPC>\n    1 www     1.50\n");
}

UNIT_TEST(list_draw_scrolled_leaves_out_leading_columns)
{
	list = (struct list){.scroll = 2};

	assert_drawn(50, 2,
		     "  PID<MISS %▼BUSY COMMAND\n"
		     "    1   20.0 ██   nginx\n");
}

/* The first step leads to those that gave way, and then there is no order but theirs. */
UNIT_TEST(list_draw_scrolled_comes_to_columns_that_gave_way)
{
	const struct column requested[] = {
		columns[PID],
		columns[IPC],
		columns[MISS],
		{.name = "r1",
		 .title = "R1/s",
		 .width = 6,
		 .format = COLUMN_SI,
		 .was_asked_for = true},
		columns[COMMAND],
	};
	static const char *const titles[] = {
		"  PID>  R1/s COMMAND\n",
		"  PID   IPC>COMMAND\n",
		"  PID<MISS %>COMMAND\n",
		"  PID<  R1/s COMMAND\n",
	};

	table.columns = requested;
	table.column_count = 5;
	table.sort = &columns[BUSY];
	for (size_t i = 0; i < COUNT_OF(titles); i++) {
		list = (struct list){.scroll = (int)i};
		struct drawn drawn = draw(22, 1, false);

		assert_string_equal(strbuf_text(&drawn.text), titles[i]);
		drawn_fini(&drawn);
	}
}

UNIT_TEST(list_draw_cursor_is_a_bar_and_kept_visible)
{
	table.row_count = 50;

	list_select(&list, &table, 30);
	struct drawn drawn = draw(40, 11, false);
	assert_int_equal(list.page, 10);
	assert_int_equal(list.cursor.top, 21);
	assert_int_equal(bar_line(&drawn.screen), 10);
	assert_true(drawn.screen.cells[10 * 40 + 39].is_selected);
	drawn_fini(&drawn);

	list_select(&list, &table, 5);
	drawn = draw(40, 11, false);
	assert_int_equal(list.cursor.top, 5);
	assert_int_equal(bar_line(&drawn.screen), 1);
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_higher_screen_wastes_no_lines)
{
	table.row_count = 20;
	list = (struct list){.cursor.top = 15};

	list_select(&list, &table, 19);
	struct drawn drawn = draw(40, 11, false);

	assert_int_equal(list.cursor.top, 10);
	drawn_fini(&drawn);
}

UNIT_TEST(list_draw_without_lines_or_columns_draws_nothing)
{
	table.column_count = 0;
	assert_drawn(10, 2, "\n\n");
	table.column_count = COLUMN_COUNT;
	struct screen screen;
	screen_init(&screen, 5, 1);
	list_draw(&list, &table, &screen, 0, 0);
	assert_string_equal(screen.cells[4].bytes, " ");
	screen_fini(&screen);
}

/* A log of `count` lines, the oldest of which has this id. */
static void make_log(size_t count, uint64_t first)
{
	list.is_log = true;
	table.row_count = count;
	for (size_t i = 0; i < count; i++)
		rows[i].row.id = first + i;
}

UNIT_TEST(list_follow_log_without_cursor_is_on_the_last)
{
	make_log(5, 100);

	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 4);
	assert_true(list_is_following(&list));
	make_log(9, 100);
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 8);
}

UNIT_TEST(list_move_in_a_log_up_holds_the_cursor_and_end_lets_it_go)
{
	make_log(5, 100);

	list_follow(&list, &table);
	list_move(&list, &table, CURSOR_UP);
	assert_false(list_is_following(&list));
	make_log(9, 100);
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 3);
	assert_int_equal(list.cursor_id, 103);
	list_move(&list, &table, CURSOR_END);
	assert_true(list_is_following(&list));
}

UNIT_TEST(list_move_down_to_the_last_line_of_a_log_follows_again)
{
	make_log(5, 100);

	list_follow(&list, &table);
	list_move(&list, &table, CURSOR_UP);
	list_move(&list, &table, CURSOR_DOWN);

	assert_true(list_is_following(&list));
}

/* Lines go at the front and come at the end: what is looked at stands still. */
UNIT_TEST(list_follow_log_keeps_the_lines_where_they_are)
{
	make_log(20, 100);
	struct drawn drawn;

	list_follow(&list, &table);
	list_select(&list, &table, 14);
	drawn = draw(40, 6, false);
	drawn_fini(&drawn);
	list_select(&list, &table, 12);
	drawn = draw(40, 6, false);
	const int before = bar_line(&drawn.screen);
	drawn_fini(&drawn);
	make_log(20, 106);
	list_follow(&list, &table);
	drawn = draw(40, 6, false);

	assert_int_equal(list.cursor.at, 6);
	assert_int_equal(bar_line(&drawn.screen), before);
	drawn_fini(&drawn);
	/* a filter has gone: there are more lines before */
	make_log(20, 100);
	list_follow(&list, &table);
	drawn = draw(40, 6, false);
	assert_int_equal(list.cursor.at, 12);
	assert_int_equal(bar_line(&drawn.screen), before);
	drawn_fini(&drawn);
}

UNIT_TEST(list_follow_log_dropped_line_gives_the_oldest)
{
	make_log(5, 100);

	list_select(&list, &table, 1);
	make_log(5, 200);
	list_follow(&list, &table);

	assert_int_equal(list.cursor.at, 0);
	assert_int_equal(list.cursor_id, 200);
	assert_false(list_is_following(&list));
}

/* A filter came: the next line takes the cursor. */
UNIT_TEST(list_follow_log_line_between_others_gives_the_next)
{
	make_log(5, 100);

	list_select(&list, &table, 2);
	rows[2].row.id = 103;
	rows[3].row.id = 110;
	rows[4].row.id = 120;
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 2);
	assert_int_equal(list.cursor_id, 103);
}

UNIT_TEST(list_follow_empty_log_and_back)
{
	make_log(5, 100);

	list_select(&list, &table, 2);
	table.row_count = 0;
	list_follow(&list, &table);
	assert_int_equal(list.cursor.at, 0);
	table.row_count = 5;
	list_follow(&list, &table);
	assert_int_equal(list.cursor_id, 102);
	assert_int_equal(list.cursor.at, 2);
}

UNIT_TEST(list_place_is_the_first_that_is_not_less)
{
	make_log(4, 100);

	rows[3].row.id = 110;
	assert_int_equal(list_place(&table, 0), 0);
	assert_int_equal(list_place(&table, 101), 1);
	assert_int_equal(list_place(&table, 103), 3);
	assert_int_equal(list_place(&table, 110), 3);
	assert_int_equal(list_place(&table, 111), 4);
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(set_up, NULL);
}
