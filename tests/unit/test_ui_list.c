#include <inttypes.h>
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
static int shown_bar; /* the line of the cursor when it was drawn */

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

static int64_t value_of(const char *name)
{
	const struct {
		const char *name;
		int64_t value;
	} values[] = {
		{"at", (int64_t)list.cursor.at},
		{"top", (int64_t)list.cursor.top},
		{"id", (int64_t)list.cursor_id},
		{"page", (int64_t)list.page},
		{"scroll", list.scroll},
		{"cursor", list.has_cursor},
		{"following", list_is_following(&list)},
		{"followed", list.is_followed},
		{"bar", shown_bar},
	};

	for (size_t i = 0; i < COUNT_OF(values); i++)
		if (strcmp(values[i].name, name) == 0)
			return values[i].value;
	fail_msg("%s is nothing", name);
	return 0;
}

static bool move(const char *name)
{
	static const char *const motions[] = {
		[CURSOR_UP] = "up",           [CURSOR_DOWN] = "down",
		[CURSOR_PAGE_UP] = "page-up", [CURSOR_PAGE_DOWN] = "page-down",
		[CURSOR_HOME] = "home",       [CURSOR_END] = "end"};

	for (size_t i = 0; i < COUNT_OF(motions); i++)
		if (strcmp(name, motions[i]) == 0) {
			list_move(&list, &table, (enum cursor_motion)i);
			return true;
		}
	return false;
}

/*
 * A motion; draw:LINES follow; log:COUNT@ID (of its oldest line) rows:COUNT id:ROW@ID swap:ROW@ROW
 * select:ROW scroll:COLUMNS page:LINES top:ROW held:ID follow-it; and NAME=VALUE, what is so then.
 */
static void take_step(const char *step)
{
	char name[16] = "", sign = '\0';
	int64_t a = 0, b = 0;

	sscanf(step, "%15[a-z-]%c%" SCNd64 "@%" SCNd64, name, &sign, &a, &b);
	if (sign == '=') {
		if (value_of(name) != a)
			fail_msg("%s: %" PRId64, step, value_of(name));
	} else if (strcmp(name, "log") == 0) {
		list.is_log = true;
		table.row_count = (size_t)a;
		for (size_t i = 0; i < table.row_count; i++)
			rows[i].row.id = (uint64_t)b + i;
	} else if (strcmp(name, "rows") == 0) {
		table.row_count = (size_t)a;
	} else if (strcmp(name, "id") == 0) {
		rows[a].row.id = (uint64_t)b;
	} else if (strcmp(name, "swap") == 0) {
		const struct fake_row row = rows[a];

		rows[a] = rows[b];
		rows[b] = row;
	} else if (strcmp(name, "select") == 0) {
		list_select(&list, &table, (size_t)a);
	} else if (strcmp(name, "scroll") == 0) {
		list_scroll(&list, &table, (int)a);
	} else if (strcmp(name, "page") == 0) {
		list.page = (size_t)a;
	} else if (strcmp(name, "top") == 0) {
		list.cursor.top = (size_t)a;
	} else if (strcmp(name, "held") == 0) {
		list.cursor_id = (uint64_t)a;
	} else if (strcmp(name, "follow-it") == 0) {
		list.is_followed = true;
	} else if (strcmp(name, "follow") == 0) {
		list_follow(&list, &table);
	} else if (strcmp(name, "draw") == 0) {
		struct drawn drawn = draw(40, (int)a, false);

		shown_bar = bar_line(&drawn.screen);
		drawn_fini(&drawn);
	} else if (!move(name)) {
		fail_msg("%s is no step", step);
	}
}

static const struct {
	const char *name, *steps;
} list_stories[] = {
	{"a row that moved is found again", "rows:3 select:0 swap:0@2 follow at=2 id=100"},
	{"a dead row keeps the place", "rows:4 select:1 swap:1@3 rows:3 follow at=1 id=103"},
	{"after a dead last row the new last", "rows:4 select:3 rows:2 follow at=1 id=101"},
	{"an empty table remembers the row",
	 "rows:4 select:2 rows:0 follow at=0 rows:4 follow at=2"},
	{"without a cursor the first row", "rows:3 held:102 follow at=0 cursor=0"},
	{"a motion sets the cursor", "rows:3 cursor=0 down cursor=1 id=101"},
	{"motions stop at both ends",
	 "rows:3 up at=0 end at=2 down at=2 page-down at=2 home at=0 page-up at=0"},
	{"pages take cursor and window along",
	 "rows:50 draw:11 down page-down at=11 top=10 page-up at=1 top=0"},
	{"the window stops at the last page", "rows:25 page:10 page-down page-down page-down "
					      "page-down page-down at=24 top=15"},
	{"no motion in an empty table",
	 "rows:0 up down page-up page-down home end select:7 at=0 cursor=0"},
	{"beyond the end is the last row", "rows:3 select:2147483647 id=102"},
	{"scrolling keeps two columns", "scroll:-1 scroll=0 scroll:2147483647 scroll=4 "
					"scroll:2147483647 scroll=4 scroll:-2147483648 scroll=0"},
	{"a followed row keeps its line",
	 "rows:20 page:5 top:6 select:8 follow-it swap:8@15 follow at=15 top=13 followed=1 "
	 "swap:15@1 follow at=1 top=0 id:1@777 follow followed=0"},
	{"the cursor is a bar and kept visible",
	 "rows:50 select:30 draw:11 page=10 top=21 bar=10 select:5 draw:11 top=5 bar=1"},
	{"a higher screen wastes no lines", "rows:20 top:15 select:19 draw:11 top=10"},
	{"a log without a cursor is on its last line",
	 "log:5@100 follow at=4 following=1 log:9@100 follow at=8"},
	{"up in a log holds the cursor, end lets it go",
	 "log:5@100 follow up following=0 log:9@100 follow at=3 id=103 end following=1"},
	{"down to the last line of a log follows again", "log:5@100 follow up down following=1"},
	/* they go at the front and come at the end; at last a filter has gone */
	{"lines of a log stay where they are",
	 "log:20@100 follow select:14 draw:6 select:12 draw:6 bar=3 log:20@106 follow draw:6 at=6 "
	 "bar=3 log:20@100 follow draw:6 at=12 bar=3"},
	{"a dropped line of a log gives the oldest",
	 "log:5@100 select:1 log:5@200 follow at=0 id=200 following=0"},
	{"a filtered line of a log gives the next",
	 "log:5@100 select:2 id:2@103 id:3@110 id:4@120 follow at=2 id=103"},
	{"an empty log and back",
	 "log:5@100 select:2 rows:0 follow at=0 rows:5 follow id=102 at=2"},
};

UNIT_TEST(list_goes_as_in_the_stories)
{
	for (size_t i = 0; i < COUNT_OF(list_stories); i++) {
		char steps[256], *rest = steps;

		begin_case(list_stories[i].name);
		set_up(NULL);
		strcpy(steps, list_stories[i].steps);
		while (rest)
			take_step(strsep(&rest, " "));
	}
}

UNIT_TEST(list_place_is_the_first_that_is_not_less)
{
	take_step("log:4@100");
	rows[3].row.id = 110;
	assert_int_equal(list_place(&table, 0), 0);
	assert_int_equal(list_place(&table, 101), 1);
	assert_int_equal(list_place(&table, 103), 3);
	assert_int_equal(list_place(&table, 110), 3);
	assert_int_equal(list_place(&table, 111), 4);
}

UNIT_TEST(list_draw_aligns_numbers_right_and_words_left)
{
	table.row_count = 2;

	rows[1].cells[PID] = "4711";
	rows[1].cells[COMMAND] = "漢字 to the very end of the line";

	assert_drawn(50, 4,
		     "  PID USER     IPC MISS%▼ BUSY COMMAND\n"
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
		     "  PID USER     IPC MISS%▼\n"
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

UNIT_TEST(list_draw_title_of_the_order_touches_none)
{
	struct drawn drawn = draw(50, 2, false);

	assert_non_null(strstr(strbuf_text(&drawn.text), "MISS%▼ BUSY"));
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
	{"the last column of words is kept", 32, {USUAL}, .drawn = " PID▼ USER     IPC COMMAND     >\n    1 www     1.50 nginx\n", .sort = "PID"},
	{"the sorted column is kept", 32, {USUAL}, .drawn = "  PID USER   MISS%▼ COMMAND    >\n    1 www      20.0 nginx\n", .sort = "MISS %"},
	{"what says most is kept, the first goes, and the mark of a new row with it", 20, {TASKS}, .drawn = "CPU %▼  IPC COMMAND\n  74.7*0.31 nginx\n", .sort = "CPU %", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"the first is kept where there is room", 40, {TASKS}, .drawn = "    PID CPU %▼  IPC COMMAND            >\n     96*  74.7 0.31 nginx\n", .sort = "CPU %", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"the first is kept where it is sorted by", 20, {TASKS}, .drawn = "   PID▼  CPU % COMM…\n     96*  74.7 nginx\n", .sort = "PID", .essential = "CPU %,IPC,COMMAND", .is_new = true},
	{"last words that say less give way", 20, {LOG}, .drawn = "PREV   HOW       RAN\nnginx  block… 3.98ms\n", .essential = "PREV,HOW,RAN"},
	{"last words that say less come second", 40, {LOG}, .drawn = "PREV         HOW          RAN NEXT     >\nnginx        blocked   3.98ms redis\n", .essential = "PREV,HOW,RAN"},
	{"last words that say less and all others", 80, {LOG}, .drawn = "           TIME PREV               HOW          RAN NEXT\n13:08:26.370810 nginx              blocked   3.98ms redis\n", .essential = "PREV,HOW,RAN"},
	{"words have a third", 33, {WORDS("VICTIM", "nginx-worker-process", 20), WORDS("TAKER", "rsync", 20), NUMBER("IPC", "1.50", 5), MISS_COLUMN}, .drawn = "VICTIM       TAKER        MISS%▼\nnginx-worke… rsync          20.0\n", .sort = "MISS %"},
	{"a whole trend", 29, {TREND}, .drawn = "  PID MISS%▼ MISS % TREND\n    1   20.0 ▁▂▃▄▅▆▇█▇▆▅▄▃▂▁█\n", .sort = "MISS %"},
	{"a cut trend keeps its newest values", 19, {TREND}, .drawn = "  PID MISS%▼ TREND\n    1   20.0 ▅▄▃▂▁█\n", .sort = "MISS %"},
	{"a trend of three values", 16, {TREND}, .drawn = "  PID MISS%▼ TR…\n    1   20.0 ▂▁█\n", .sort = "MISS %"},
	{"one gives way to the next", 17, {LENGTHS}, .drawn = " PID▼ MISS % BUSY\n    1   20.0 ██\n", .sort = "PID"},
	{"and comes in where that has room, too", 18, {LENGTHS}, .drawn = " PID▼   IPC MISS %\n    1  1.50   20.0\n", .sort = "PID"},
	{"bars take the room that is left", 30, {BARS}, .drawn = " PID▼ BUSY       IPC BUSY\n    1 ████████  1.50 ████████\n", .sort = "PID"},
	{"bars grow up to four times", 300, {BARS}, .drawn = " PID▼ BUSY               IPC BUSY\n    1 ████████████████  1.50 ████████████████\n", .sort = "PID"},
	{"no small column after a big one had no room", 34, {PID_COLUMN, NUMBER("BIG", "1", 20), NUMBER("SM", "1", 2), COMMAND_COLUMN}, .drawn = " PID▼ COMMAND                    >\n    1 nginx\n", .sort = "PID"},
	{"numbers that would be cut are left out", 24, {PID_COLUMN, WORDS("USER", "www", 6), NUMBER("IPC", "1.50", 5), MISS_COLUMN}, .drawn = " PID▼ USER     IPC     >\n    1 www     1.50\n", .sort = "PID"},
	{"scrolled: leading columns are left out", 50, {USUAL}, .drawn = "  PID < MISS%▼ BUSY COMMAND\n    1     20.0 ██   nginx\n", .sort = "MISS %", .scroll = 2},
	{"what was asked for is kept", 22, {ASKED_FOR}, .drawn = "  PID   R1/s COMMAND >\n    1      7 nginx\n"},
	{"the first step leads to those that gave way", 22, {ASKED_FOR}, .drawn = "  PID   IPC COMMAND  >\n    1  1.50 nginx\n", .scroll = 1},
	{"then there is no order but theirs", 22, {ASKED_FOR}, .drawn = "  PID < MISS % COMMAND\n    1     20.0 nginx\n", .scroll = 2},
	{"up to the last", 22, {ASKED_FOR}, .drawn = "  PID <   R1/s COMMAND\n    1        7 nginx\n", .scroll = 3},
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

/* Blocks in reverse video look like what is not there. */
UNIT_TEST(list_draw_leaves_bars_out_of_the_cursor)
{
	struct drawn drawn;
	size_t unselected = 0;

	rows[0].cells[BUSY] = "25";
	drawn = draw(80, 2, false);
	for (int x = 0; x < 80; x++) {
		const struct screen_cell *cell = &drawn.screen.cells[80 + x];

		unselected += !cell->is_selected;
		assert_true(cell->style != STYLE_BAR || !cell->is_selected);
	}
	assert_in_range(unselected, columns[BUSY].width, 4 * columns[BUSY].width);
	drawn_fini(&drawn);
}

/* What the user asked for stays, others before it go. */
UNIT_TEST(list_draw_of_a_tree_leaves_more_to_its_names)
{
	table.sort = &columns[PID];
	assert_drawn(42, 2,
		     " PID▼ USER     IPC MISS % BUSY COMMAND\n"
		     "    1 www     1.50   20.0 ██   nginx\n");
	table.is_tree = true;
	assert_drawn(42, 2,
		     " PID▼ USER     IPC MISS % COMMAND        >\n"
		     "    1 www     1.50   20.0 nginx\n");
}

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

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(set_up, NULL);
}
