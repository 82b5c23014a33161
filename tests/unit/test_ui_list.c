#include <limits.h>
#include <locale.h>

#include "base/list.h"
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

/* A column: what it shows as title and, in the only row, as cell. */
/* clang-format off */
#define SHOWS(title_, cell_, width_, ...) {{.name = title_, .title = title_, .width = width_, __VA_ARGS__}, cell_}
#define NUMBER(title_, cell_, width_, ...) SHOWS(title_, cell_, width_, .format = COLUMN_SI, __VA_ARGS__)
#define WORDS(title_, cell_, width_) SHOWS(title_, cell_, width_, .format = COLUMN_TEXT)
#define BAR(cell_) SHOWS("BUSY", cell_, 4, .format = COLUMN_BAR)
#define PID_COLUMN NUMBER("PID", "1", 5)
#define MISS_COLUMN NUMBER("MISS %", "20.0", 6)
#define COMMAND_COLUMN WORDS("COMMAND", "nginx", 10)
#define USUAL PID_COLUMN, WORDS("USER", "www", 6), NUMBER("IPC", "1.50", 5), MISS_COLUMN, BAR("50"), COMMAND_COLUMN
#define TASKS NUMBER("PID", "96", 7), WORDS("USER", "root", 8), NUMBER("CPU %", "74.7", 6), NUMBER("GHz", "1.00", 4), NUMBER("IPC", "0.31", 4), WORDS("COMMAND", "nginx", 12)
#define LOG NUMBER("TIME", "13:08:26.370810", 15), WORDS("PREV", "nginx", 18), WORDS("HOW", "blocked", 9), NUMBER("RAN", "3.98ms", 6), WORDS("NEXT", "redis", 16)
#define TREND PID_COLUMN, MISS_COLUMN, SHOWS("TREND", "▁▂▃▄▅▆▇█▇▆▅▄▃▂▁█", 16, .format = COLUMN_TREND)
#define LENGTHS PID_COLUMN, NUMBER("IPC", "1.50", 5, .is_shrinkable = true), MISS_COLUMN, BAR("50")
#define BARS PID_COLUMN, BAR("100"), NUMBER("IPC", "1.50", 5), BAR("100")
#define ASKED_FOR PID_COLUMN, NUMBER("IPC", "1.50", 5), MISS_COLUMN, NUMBER("R1/s", "7", 6, .was_asked_for = true), COMMAND_COLUMN

static const struct {
	const char *name;
	int width;
	struct {
		struct column column;
		const char *cell;
	} columns[COLUMN_COUNT];
	const char *drawn;
	const char *sort, *essential; /* titles */
	bool is_new;
	int scroll;
} draw_cases[] = {
	{"a number without room is not cut", 50, {NUMBER("PID", "1234567", 5), COMMAND_COLUMN}, .drawn = "  PID COMMAND\n##### nginx\n"},
	{"the arrow at the edge moves the title", 18, {PID_COLUMN, MISS_COLUMN, NUMBER("IPC", "1.50", 5)}, .drawn = "  PID MISS %  IPC▼\n    1   20.0  1.50\n", .sort = "IPC"},
	{"the last column of words is kept", 32, {USUAL}, .drawn = "  PID▼USER     IPC>COMMAND\n    1 www     1.50 nginx\n", .sort = "PID"},
	{"the sorted column is kept", 32, {USUAL}, .drawn = "  PID USER  >MISS %▼COMMAND\n    1 www      20.0 nginx\n", .sort = "MISS %"},
	{"what says most is kept, the first goes, and the mark of a new row with it", 20, {TASKS}, .drawn = " CPU %▼ IPC COMMAND\n  74.7*0.31 nginx\n", .sort = "CPU %", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"the first is kept where there is room", 40, {TASKS}, .drawn = "    PID> CPU %▼ IPC COMMAND\n     96*  74.7 0.31 nginx\n", .sort = "CPU %", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"the first is kept where it is sorted by", 20, {TASKS}, .drawn = "    PID▼ CPU %>COMM…\n     96*  74.7 nginx\n", .sort = "PID", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"last words that say less give way", 20, {LOG}, .drawn = "PREV   HOW       RAN\nnginx  block… 3.98ms\n", .essential = "PREV,HOW,RAN"},
	{"last words that say less come second", 40, {LOG}, .drawn = "PREV         HOW          RAN NEXT\nnginx        blocked   3.98ms redis\n", .essential = "PREV,HOW,RAN"},
	{"last words that say less and all others", 80, {LOG}, .drawn = "           TIME PREV               HOW          RAN NEXT\n13:08:26.370810 nginx              blocked   3.98ms redis\n", .essential = "PREV,HOW,RAN"},
	{"words have a third", 33, {WORDS("VICTIM", "nginx-worker-process", 20), WORDS("TAKER", "rsync", 20), NUMBER("IPC", "1.50", 5), MISS_COLUMN}, .drawn = "VICTIM       TAKER       >MISS %▼\nnginx-worke… rsync          20.0\n", .sort = "MISS %"},
	{"a whole trend", 29, {TREND}, .drawn = "  PID MISS %▼MISS % TREND\n    1   20.0 ▁▂▃▄▅▆▇█▇▆▅▄▃▂▁█\n", .sort = "MISS %"},
	{"a cut trend keeps its newest values", 19, {TREND}, .drawn = "  PID MISS %▼TREND\n    1   20.0 ▅▄▃▂▁█\n", .sort = "MISS %"},
	{"a trend of three values", 16, {TREND}, .drawn = "  PID MISS %▼TR…\n    1   20.0 ▂▁█\n", .sort = "MISS %"},
	{"one gives way to the next", 17, {LENGTHS}, .drawn = "  PID▼MISS % BUSY\n    1   20.0 ██\n", .sort = "PID"},
	{"and comes in where that has room, too", 18, {LENGTHS}, .drawn = "  PID▼  IPC MISS %\n    1  1.50   20.0\n", .sort = "PID"},
	{"bars take the room that is left", 30, {BARS}, .drawn = "  PID▼BUSY       IPC BUSY\n    1 ████████  1.50 ████████\n", .sort = "PID"},
	{"bars grow up to four times", 300, {BARS}, .drawn = "  PID▼BUSY               IPC BUSY\n    1 ████████████████  1.50 ████████████████\n", .sort = "PID"},
	{"no small column after a big one had no room", 34, {PID_COLUMN, NUMBER("BIG", "1", 20), NUMBER("SM", "1", 2), COMMAND_COLUMN}, .drawn = "  PID▼COMMAND\n    1 nginx\n", .sort = "PID"},
	{"numbers that would be cut are left out", 24, {PID_COLUMN, WORDS("USER", "www", 6), NUMBER("IPC", "1.50", 5), MISS_COLUMN}, .drawn = "  PID▼USER     IPC>\n    1 www     1.50\n", .sort = "PID"},
	{"scrolled: leading columns are left out", 50, {USUAL}, .drawn = "  PID<MISS %▼BUSY COMMAND\n    1   20.0 ██   nginx\n", .sort = "MISS %", .scroll = 2},
	{"what was asked for is kept", 22, {ASKED_FOR}, .drawn = "  PID>  R1/s COMMAND\n    1      7 nginx\n"},
	{"the first step leads to those that gave way", 22, {ASKED_FOR}, .drawn = "  PID   IPC>COMMAND\n    1  1.50 nginx\n", .scroll = 1},
	{"then there is no order but theirs", 22, {ASKED_FOR}, .drawn = "  PID<MISS %>COMMAND\n    1   20.0 nginx\n", .scroll = 2},
	{"up to the last", 22, {ASKED_FOR}, .drawn = "  PID<  R1/s COMMAND\n    1      7 nginx\n", .scroll = 3},
};
/* clang-format on */

UNIT_TEST(list_draw_shows_the_columns_that_have_room)
{
	for (size_t i = 0; i < COUNT_OF(draw_cases); i++) {
		const char *essential = draw_cases[i].essential ? draw_cases[i].essential : "";
		struct column shown[COLUMN_COUNT];
		bool says_most[COLUMN_COUNT];

		begin_case(draw_cases[i].name);
		table = (struct view_table){.columns = shown,
					    .rows = rows,
					    .row_count = 1,
					    .descends = true,
					    .telling = says_most};
		list = (struct list){.scroll = draw_cases[i].scroll};
		for (size_t j = 0; j < COLUMN_COUNT && draw_cases[i].columns[j].cell; j++) {
			shown[j] = draw_cases[i].columns[j].column;
			rows[0].cells[j] = draw_cases[i].columns[j].cell;
			says_most[j] = word_list_has(essential, shown[j].name);
			if (draw_cases[i].sort && strcmp(shown[j].name, draw_cases[i].sort) == 0)
				table.sort = &shown[j];
			table.column_count++;
		}
		rows[0].row.is_new = draw_cases[i].is_new;
		assert_drawn(draw_cases[i].width, 2, draw_cases[i].drawn);
	}
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
