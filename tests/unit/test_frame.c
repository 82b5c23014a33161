#include <locale.h>

#include "base/strbuf.h"
#include "view/meters.h"
#include "view/summary.h"

#include "fake_view.h"
#include "term/key.h"
#include "term/screen.h"
#include "unit.h"
#include "widget/frame.h"
#include "widget/list.h"
#include "widget/pager_text.h"
#include "widget/prompt.h"

static const struct column columns[] = {
	{.name = "pid", .title = "PID", .width = 7, .format = COLUMN_INTEGER},
	{.name = "user", .title = "USER", .width = 8, .format = COLUMN_TEXT},
	{.name = "cpu%", .title = "CPU %", .width = 6, .format = COLUMN_FIXED_1},
	{.name = "ipc", .title = "IPC", .width = 5, .format = COLUMN_FIXED_2},
	{.name = "miss%", .title = "MISS %", .width = 6, .format = COLUMN_FIXED_1},
	{.name = "mpki", .title = "MPKI", .width = 5, .format = COLUMN_FIXED_1},
	{.name = "sw/s", .title = "SW/s", .width = 6, .format = COLUMN_SI},
	{.name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT},
};

static const struct frame_key keys[] = {
	{"F1", "help"},   {"a", "attach"}, {"M", "miss %"},  {"I", "IPC"},    {"P", "CPU %"},
	{"<>", "column"}, {"/", "search"}, {"\\", "filter"}, {"Z", "freeze"}, {"q", "quit"},
};

static const struct view_info infos[] = {
	{.name = "tasks"},
	{.name = "cpus"},
	{.name = "switches", .short_name = "switch"},
	{.name = "pairs"},
	{.name = "histogram", .short_name = "hist"},
	{.name = "time line", .short_name = "time"},
};

static const struct view_state views[] = {{.info = &infos[0]}, {.info = &infos[1]},
					  {.info = &infos[2]}, {.info = &infos[3]},
					  {.info = &infos[4]}, {.info = &infos[5]}};

enum {
	ROW_COUNT = 4,
	COLUMN_COUNT = COUNT_OF(columns)
};

/* Everything that a frame points to. */
struct fixture {
	struct frame frame;
	struct summary summary;
	struct meter_history history;
	struct fake_row rows[ROW_COUNT];
	struct view_table table;
	struct list list;
	struct prompt prompt;
	struct pager_text pager;
	struct screen screen;
	struct strbuf text;
};

static struct fixture *fixture;

static int set_up(void **state)
{
	fixture = calloc(1, sizeof(*fixture));

	fixture->summary = (struct summary){
		.scope = "whole machine · 8 CPUs",
		.clock = "12:03:44",
		.interval = "1 s",
		.attributed = "99.99 %",
		.own_cpu = "0.3 % CPU",
		.own_memory = "-",
		.pmu = "all 6 events counting · cpu PMU",
		.tasks = "112 tasks ran, 3 ended",
		.meters =
			{
				[METER_IPC] = {"1.42", 1.42, 3},
				[METER_MISS] = {"12.4 %", 12.4, -1},
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
	};
	/* clang-format off */
	const struct fake_row rows[ROW_COUNT] = {
		{{.kind = ROW_TASK, .id = 1}, {"4711", "www", "98.7", "0.31!0", "61.2!0", "48.1", "12", "nginx: worker process"}},
		{{.kind = ROW_TASK, .id = 2, .is_new = true}, {"1290", "postgres", "44.0", "0.92'!1", "22.0'!1", "14.7", "1.2k", "postgres: checkpointer"}},
		{{.kind = ROW_EXITED, .id = 3}, {"-", "-", "31.2", "1.20", "8.4", "3.3", "4.0k", "412 processes"}},
		{{.kind = ROW_UNATTRIBUTED, .id = 4}, {"-", "-", "0.0", "-", "-", "-", "-", "unaccounted"}},
	};
	/* clang-format on */
	memcpy(fixture->rows, rows, sizeof(rows));
	fixture->table = (struct view_table){
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.rows = fixture->rows,
		.row_count = ROW_COUNT,
		.sort = &columns[4],
		.descends = true,
	};
	fixture->pager = (struct pager_text){.title = "Help", .text = "# Keys\nq  quit\nF1 help\n"};
	fixture->frame = (struct frame){
		.head = {.summary = &fixture->summary},
		.views = views,
		.tab_count = 2,
		.table = &fixture->table,
		.list = &fixture->list,
		.filters = "",
		.message = "",
		.prompt = &fixture->prompt,
		.keys = keys,
		.key_count = COUNT_OF(keys),
	};
	screen_init(&fixture->screen, 80, 24);
	return 0;
}

static int tear_down(void **state)
{
	prompt_fini(&fixture->prompt);
	screen_fini(&fixture->screen);
	strbuf_fini(&fixture->text);
	free(fixture);
	return 0;
}

/* How busy it was is known, and nothing else. */
static void set_history(void)
{
	struct meter_interval *interval = &fixture->history.intervals[0];

	interval->time_ns = fixture->frame.head.time_ns = 1;
	for (size_t i = 0; i < METER_KINDS; i++)
		interval->points[i] = (struct meter_point){i == METER_BUSY ? 43 : NAN, -1};
	fixture->history.count = 1;
	fixture->frame.head.meters = &fixture->history;
}

/* The frame at this size as text. */
static const char *draw(int width, int height)
{
	screen_resize(&fixture->screen, width, height);
	frame_draw(&fixture->screen, &fixture->frame);
	strbuf_clear(&fixture->text);
	screen_dump(&fixture->screen, &fixture->text);
	return strbuf_text(&fixture->text);
}

/* Line y of what draw() returned, without its end. */
static const char *line(int y, char *text, size_t size)
{
	const char *begin = strbuf_text(&fixture->text);

	while (y-- > 0)
		begin = strchr(begin, '\n') + 1;
	snprintf(text, size, "%.*s", (int)strcspn(begin, "\n"), begin);
	return text;
}

static void assert_line(int y, const char *expected)
{
	char text[1024];

	assert_string_equal(line(y, text, sizeof(text)), expected);
}

static enum style style_at(const struct screen *screen, int x, int y)
{
	return screen->cells[y * screen->width + x].style;
}

/* clang-format off */
UNIT_TEST(frame_draw_head_is_a_line_or_nothing)
{
	set_history();
	fixture->frame.head.form = HEAD_LINE;
	draw(110, 24);
	assert_line(0, "perftop  whole machine · 8 CPUs · 1 s      busy 43 %  IPC 1.42  accounted 99.99 %  perftop 0.3 % CPU  12:03:44");
	assert_line(1, "[1 tasks]  2 cpus");
	fixture->frame.head.form = HEAD_NONE;
	draw(110, 24);
	assert_line(0, "[1 tasks]  2 cpus");
}
/* clang-format on */

/* Six views, as they are. */
static void set_many_tabs(size_t active)
{
	fixture->frame.tab_count = 6;
	fixture->frame.active_tab = active;
}

/* clang-format off */
static const struct {
	const char *name;
	int width, height;
	struct {
		int y;
		const char *text;
	} lines[4];
	struct {
		int x, y;
		enum style style;
	} styles[3]; /* up to one at 0, 0 */
	const char *scope, *reason, *bad_pmu, *message, *error, *filters, *mode, *pager, *slider, *history, *activity;
	size_t active_tab;
	bool has_many_tabs, is_empty;
} cases[] = {
	{"a long scope is cut, not the numbers", 100, 22, {{0, "perftop  pid 1001, 1002, 1003, 1004, 1005, 1006, 10…  accounted 99.99 %  perftop 0.3 % CPU  12:03:44"}},
	 .scope = "pid 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013"},
	{"a missing PMU is a warning over two lines", 80, 22,
	 {{2, "no hardware counters: this is a virtual machine and its host gives it no PMU;"}, {3, "IPC and miss rates show – (perftop check tells more)"}, {4, "[1 tasks]  2 cpus"}},
	 {{0, 2, STYLE_WARNING}, {0, 3, STYLE_WARNING}},
	 .bad_pmu = "no hardware counters: this is a virtual machine and its host gives it no PMU; IPC and miss rates show – (perftop check tells more)"},
	{"the reason of the scope is beside the PMU", 80, 22, {{2, "all 6 events counting · cpu PMU   own tasks only: paranoid is 2"}}, .reason = "own tasks only: paranoid is 2"},
	{"or over it", 60, 24, {{2, "own tasks only: paranoid is 2"}, {3, "all 6 events counting · cpu PMU"}}, .reason = "own tasks only: paranoid is 2"},
	{"filters are at the right of the tabs", 50, 24, {{3, " 1 tasks  [2 cpus]            filter: java  frozen"}}, {{10, 3, STYLE_TAB_ACTIVE}}, .active_tab = 1, .filters = "filter: java  frozen"},
	{"many tabs", 80, 22, {{3, " 1 tasks   2 cpus  [3 switches]  4 pairs   5 histogram   6 time line"}}, .has_many_tabs = true, .active_tab = 2},
	{"tabs with little room have short titles", 80, 22, {{3, " 1 tasks 2 cpus[3 switches] 4 pairs 5 hist 6 time    filter: java && slice > 5ms"}},
	 .has_many_tabs = true, .active_tab = 2, .filters = "filter: java && slice > 5ms"},
	{"filters have what the numbers of tabs leave", 80, 22, {{3, " 1   2  [3 switches]  4   5   6  attached: nginx 4711  filter: java && slice > 5"}},
	 .has_many_tabs = true, .active_tab = 2, .filters = "attached: nginx 4711  filter: java && slice > 5"},
	{"the mode of a view is on its tab", 80, 22, {{3, "[1 tasks: tree, threads]  2 cpus                                            10 s"}}, .mode = "tree, threads", .filters = "10 s"},
	{"an error is wrapped and red", 80, 24, {{21, "4711: not your process (root); run perftop as its owner or as root, or give"}, {22, "perftop CAP_PERFMON"}}, {{0, 21, STYLE_ERROR}},
	 .error = "4711: not your process (root); run perftop as its owner or as root, or give perftop CAP_PERFMON"},
	{"what to do is whole, however long", 80, 24,
	 {{19, "cycles: refused: capabilities held in a user namespace do not count for perf"}, {20, "events; run perftop outside the container or as root of the host, or sysctl"}, {21, "kernel.perf_event_paranoid=-1 there, if that is what its owner wants everybody"}, {22, "to be able to do"}},
	 .error = "cycles: refused: capabilities held in a user namespace do not count for perf events; run perftop outside the container or as root of the host, or sysctl kernel.perf_event_paranoid=-1 there, if that is what its owner wants everybody to be able to do"},
	{"whole keys only", 26, 24, .lines = {{23, "F1 help  a attach"}}},
	{"whole keys", 27, 24, {{23, "F1 help  a attach  M miss %"}}, .styles = {{0, 23, STYLE_KEY}, {3, 23, STYLE_NORMAL}}},
	{"an empty table", 80, 22, {{5, "nothing to show"}}, .is_empty = true},
	{"headings of a page are bold", 40, 10, {{0, "Help                            1–3 of 3"}, {1, "Keys"}, {2, "q  quit"}, {9, "F1 help  a attach  M miss %  I IPC"}},
	 {{0, 1, STYLE_BOLD}, {0, 2, STYLE_NORMAL}}, .pager = "# Keys\nq  quit\nF1 help\n"},
	{"an explanation goes on under its beginning", 20, 10, {{0, "Help        1–4 of 4"}, {2, "  q  leave, and end"}, {3, "     what runs"}, {4, "  a  b"}},
	 .pager = "# Keys\n  q  leave, and end what runs\n  a  b\n"},
	/* that it is not the present is said where there is room for nothing else */
	{"a slider without a line has that of the message", 20, 5, {{4, "stopped  ..|.."}}, .slider = "stopped  ..|.."},
	{"not where there is one", 20, 5, {{4, "said"}}, .slider = "stopped  ..|..", .message = "said"},
	{"a slider is over the message", 80, 24, {{21, "stopped  ..|.."}}, {{0, 21, STYLE_BAR}}, .slider = "stopped  ..|.."},
	{"under a page, too", 80, 24, {{21, "stopped  ..|.."}}, .slider = "stopped  ..|..", .pager = "q  quit\n"},
	{"under a small page, too", 40, 6, {{4, "stopped  ..|.."}}, .slider = "stopped  ..|..", .pager = "q  quit\n"},
	{"history behind the meters", 80, 22, {{1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  history 1.00M (55 s, 43 MB)"}}, .history = "history 1.00M (55 s, 43 MB)", .activity = "2.1 % preempted"},
	{"activity behind the meters", 80, 22, {{1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  2.1 % preempted"}}, .history = "", .activity = "2.1 % preempted"},
	{"without room they are left out whole", 79, 22, {{1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  2.1 % preempted"}}, .history = "history 1.00M (55 s, 43 MB)", .activity = "2.1 % preempted"},
	{"both", 60, 24, {{1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s"}}, .history = "history 1.00M (55 s, 43 MB)", .activity = "2.1 % preempted"},
};
/* clang-format on */

static void copy(char *to, size_t size, const char *from)
{
	if (from)
		snprintf(to, size, "%s", from);
}

static void set_case(size_t index)
{
	struct summary *summary = &fixture->summary;
	struct frame *frame = &fixture->frame;

	copy(summary->scope, sizeof(summary->scope), cases[index].scope);
	copy(summary->scope_reason, sizeof(summary->scope_reason), cases[index].reason);
	copy(summary->pmu, sizeof(summary->pmu), cases[index].bad_pmu);
	summary->pmu_is_bad = cases[index].bad_pmu != NULL;
	frame->message = cases[index].error ? cases[index].error : cases[index].message;
	frame->message_is_error = cases[index].error != NULL;
	frame->filters = cases[index].filters;
	frame->tab_mode = cases[index].mode;
	frame->active_tab = cases[index].active_tab;
	frame->head.history = cases[index].history;
	frame->head.activity = cases[index].activity;
	frame->slider = cases[index].slider;
	frame->slider_mark = cases[index].slider ? 11 : -1;
	fixture->pager.text = cases[index].pager;
	frame->pager = cases[index].pager ? &fixture->pager : NULL;
	if (cases[index].has_many_tabs)
		set_many_tabs(cases[index].active_tab);
	if (cases[index].is_empty)
		fixture->table.row_count = 0;
}

UNIT_TEST_WITH(frame_draw_has_the_expected_lines, NULL, NULL)
{
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		set_up(NULL);
		set_case(i);
		draw(cases[i].width, cases[i].height);
		for (size_t j = 0; j < 4 && cases[i].lines[j].text; j++)
			assert_line(cases[i].lines[j].y, cases[i].lines[j].text);
		for (size_t j = 0; j < 3 && cases[i].styles[j].x + cases[i].styles[j].y > 0; j++)
			assert_int_equal(style_at(&fixture->screen, cases[i].styles[j].x,
						  cases[i].styles[j].y),
					 cases[i].styles[j].style);
		tear_down(NULL);
	}
}

UNIT_TEST(frame_draw_marks_the_place_in_the_slider)
{
	fixture->frame.slider = "stopped  ..|..";
	fixture->frame.slider_mark = 11;
	draw(80, 24);
	assert_true(fixture->screen.cells[21 * 80 + 11].is_selected);
	assert_false(fixture->screen.cells[21 * 80 + 10].is_selected);
	draw(20, 5);
	assert_true(fixture->screen.cells[4 * 20 + 11].is_selected);
}

UNIT_TEST(frame_draw_shrinking_height_drops_parts_in_order)
{
	/* the parts that are there at each height, from 3 on */
	static const char *const parts[] = {"", "", "", "h", "ht", "htm", "htmn", "htmnk", "htmnk"};

	for (int height = 3; height < 12; height++) {
		const char *text = draw(80, height);
		char there[6] = "";

		strcat(there, strstr(text, "whole machine") ? "h" : "");
		strcat(there, strstr(text, "[1 tasks]") ? "t" : "");
		strcat(there, strstr(text, "miss 12.4") ? "m" : "");
		strcat(there, strstr(text, "events counting") ? "n" : "");
		strcat(there, strstr(text, "F1 help") ? "k" : "");
		assert_string_equal(there, parts[height - 3]);
		assert_non_null(strstr(text, "4711 www"));
	}
}

UNIT_TEST(frame_draw_ascii_has_nothing_else)
{
	fixture->screen.is_ascii = true;
	fixture->frame.message = "漢字 é";
	fixture->frame.filters = "filter: 漢";
	const char *text = draw(132, 30);

	for (const char *c = text; *c; c++)
		assert_in_range((unsigned char)*c, 1, 126);
	assert_non_null(strstr(text, "MISS%v"));
	assert_non_null(strstr(text, "?? ?"));
}

UNIT_TEST(frame_draw_lost_records_stay_in_sight)
{
	snprintf(fixture->summary.lost, sizeof(fixture->summary.lost), "lost 12");
	fixture->summary.lacks_much = true;
	for (int width = 30; width <= 200; width++)
		assert_non_null(strstr(draw(width, 24), "lost 12"));
	draw(132, 24);
	assert_line(0, "perftop   whole machine · 8 CPUs · 1 s                                    "
		       "accounted 99.99 %   lost 12   perftop 0.3 % CPU   12:03:44");
	assert_int_equal(style_at(&fixture->screen, 74, 0), STYLE_WARNING);
	assert_int_equal(style_at(&fixture->screen, 94, 0), STYLE_ERROR);
}

UNIT_TEST(frame_draw_own_memory_goes_before_other_pieces_do)
{
	strcpy(fixture->summary.own_memory, "85.3M");
	draw(132, 24);
	assert_line(0,
		    "perftop   whole machine · 8 CPUs · 1 s                                       "
		    "accounted 99.99 %   perftop 0.3 % CPU, 85.3M   12:03:44");
	draw(80, 24);
	assert_non_null(strstr(draw(80, 24), "perftop 0.3 % CPU  12:03:44"));

	strcpy(fixture->summary.own_memory, "-");
	assert_non_null(strstr(draw(132, 24), "   perftop 0.3 % CPU   12:03:44"));
}

/* Beside what perftop itself takes, where there is room and it is known. */
UNIT_TEST(frame_draw_readings_go_before_other_pieces_do)
{
	strcpy(fixture->summary.readings, "~0.21 %");
	draw(132, 24);
	assert_line(0, "perftop   whole machine · 8 CPUs · 1 s                           "
		       "accounted 99.99 %   perftop 0.3 % CPU   overhead ~0.21 %   12:03:44");
	draw(94, 24);
	assert_line(0, "whole machine · 8 CPUs · 1 s  accounted 99.99 %  perftop 0.3 % CPU  "
		       "overhead ~0.21 %  12:03:44");
	assert_null(strstr(draw(80, 24), "overhead"));

	strcpy(fixture->summary.readings, "-");
	assert_null(strstr(draw(132, 24), "overhead"));
}

UNIT_TEST(frame_draw_budget_is_a_note_and_a_warning_where_it_is_not_kept)
{
	strcpy(fixture->summary.budget, "budget 1 %: it");
	draw(80, 22);
	assert_line(2, "budget 1 %: it   all 6 events counting · cpu PMU");
	assert_int_equal(style_at(&fixture->screen, 0, 2), STYLE_NORMAL);
	fixture->summary.is_over_budget = true;
	draw(80, 22);
	assert_int_equal(style_at(&fixture->screen, 0, 2), STYLE_WARNING);
}

UNIT_TEST(frame_draw_unknown_numbers_are_dashes)
{
	strcpy(fixture->summary.meters[METER_IPC].text, "-");
	strcpy(fixture->summary.meters[METER_MISS].text, "-");
	fixture->summary.meters[METER_MISS].value = NAN;
	strcpy(fixture->summary.attributed, "-");
	const char *text = draw(132, 22);

	assert_non_null(strstr(text, "accounted –"));
	assert_non_null(strstr(text, "IPC    –  miss      –  "));
	assert_int_equal(style_at(&fixture->screen, 7, 1), STYLE_DIM);
}

UNIT_TEST(frame_draw_without_a_pmu_has_a_word_and_no_meters_of_it)
{
	fixture->summary.lacks_pmu = fixture->summary.pmu_is_short = true;
	strcpy(fixture->summary.pmu, "no hardware counters");
	const char *text = draw(132, 24);
	assert_null(strstr(text, "no PMU"));
	assert_null(strstr(text, "IPC 1.42"));
	assert_null(strstr(text, "miss 12.4"));

	fixture->summary.pmu[0] = '\0';
	text = draw(132, 24);
	assert_non_null(strstr(text, "   no PMU   perftop 0.3 % CPU"));
	assert_null(strstr(text, "no hardware counters"));
}

UNIT_TEST(frame_draw_prompt_takes_the_message_line)
{
	fixture->frame.message = "old message";
	prompt_open(&fixture->prompt, "Attach to pid or name", "12");
	draw(80, 24);

	assert_line(22, "Attach to pid or name: 12");
	assert_int_equal(fixture->screen.cursor_x, 25);
	assert_int_equal(fixture->screen.cursor_y, 22);
}

UNIT_TEST(frame_draw_pager_top_is_corrected)
{
	fixture->frame.pager = &fixture->pager;
	fixture->frame.key_count = 0;
	fixture->pager.top = 100;
	draw(40, 4);

	assert_int_equal(fixture->pager.top, 1);
	assert_line(1, "q  quit");
	assert_line(2, "F1 help");
	assert_line(3, "");
}

UNIT_TEST(frame_draw_footer_stands_below_the_table)
{
	fixture->frame.footer = "who disturbs whom: nginx 4711";
	draw(80, 12);
	assert_line(9, "who disturbs whom: nginx 4711");
	assert_int_equal(style_at(&fixture->screen, 0, 9), STYLE_NORMAL);
	for (int height = 3; height < 12; height++)
		assert_null(strstr(draw(80, height), "disturbs"));
	draw(24, 24);
	assert_line(21, "who disturbs whom: ngin…");
	fixture->frame.footer_is_warning = true;
	draw(80, 24);
	assert_line(21, "who disturbs whom: nginx 4711");
	assert_int_equal(style_at(&fixture->screen, 0, 21), STYLE_WARNING);
}

UNIT_TEST(frame_draw_behind_is_the_first_note)
{
	snprintf(fixture->summary.behind, sizeof(fixture->summary.behind),
		 "behind: 12.3k switches are not in the history");
	draw(132, 22);
	assert_line(
		2,
		"behind: 12.3k switches are not in the history   all 6 events counting · cpu PMU");
	assert_int_equal(style_at(&fixture->screen, 0, 2), STYLE_WARNING);
	assert_non_null(strstr(draw(60, 9), "behind: 12.3k switches"));
}

static void draw_body(void *context, const struct frame *frame, struct screen *screen, int y,
		      int lines)
{
	assert_ptr_equal(frame, &fixture->frame);
	for (int i = 0; i < lines; i++)
		screen_text(screen, 0, y + i, screen->width, context, STYLE_NORMAL);
}

UNIT_TEST(frame_draw_body_stands_in_place_of_the_table)
{
	char words[] = "body";

	fixture->frame.body = draw_body;
	fixture->frame.body_context = words;
	draw(60, 12);

	assert_line(4, "body");
	assert_line(9, "body");
	assert_line(11, "F1 help  a attach  M miss %  I IPC  P CPU %  <> column");
}

static void assert_hit(int x, int y, enum hit_kind kind, size_t index)
{
	const struct hit hit = screen_find(&fixture->screen, x, y);

	assert_int_equal(hit.kind, kind);
	if (kind != HIT_NOTHING)
		assert_int_equal(hit.index, index);
}

/* Each part answers where it stands, and nowhere else. */
UNIT_TEST(frame_draw_tells_what_is_where)
{
	set_history();
	draw(80, 24);
	assert_hit(0, 0, HIT_NOTHING, 0);
	assert_hit(0, 5, HIT_TAB, 0);
	assert_hit(8, 5, HIT_TAB, 0);
	assert_hit(11, 5, HIT_TAB, 1);
	assert_hit(79, 5, HIT_NOTHING, 0);
	assert_hit(0, 6, HIT_TITLE, 0);
	assert_hit(8, 6, HIT_TITLE, 1);
	assert_hit(79, 6, HIT_TITLE, COLUMN_COUNT - 1);
	assert_hit(0, 7, HIT_ROW, 0);
	assert_hit(79, 10, HIT_ROW, 3);
	assert_hit(0, 11, HIT_NOTHING, 0);
	assert_hit(0, 23, HIT_KEY, KEY_CODE_F1);
	assert_hit(6, 23, HIT_KEY, KEY_CODE_F1);
	assert_hit(7, 23, HIT_NOTHING, 0);
	assert_hit(9, 23, HIT_KEY, 'a');
}

/* A table that is scrolled: what is clicked is what is seen. */
UNIT_TEST(frame_draw_tells_rows_of_a_scrolled_table)
{
	list_select(&fixture->list, &fixture->table, ROW_COUNT - 1);
	draw(40, 5);
	assert_true(fixture->list.page < ROW_COUNT);
	assert_true(fixture->list.cursor.top > 0);
	for (int y = 0; y < 5; y++) {
		const struct hit hit = screen_find(&fixture->screen, 0, y);

		if (hit.kind == HIT_ROW && fixture->screen.cells[y * 40].is_selected)
			assert_int_equal(hit.index, ROW_COUNT - 1);
		else if (hit.kind == HIT_ROW)
			assert_true(hit.index >= fixture->list.cursor.top &&
				    hit.index < ROW_COUNT - 1);
	}
}

/* What was drawn before, at another size or under the help, is not there any more. */
UNIT_TEST(frame_draw_forgets_what_was_where)
{
	draw(80, 24);
	draw(15, 2);
	assert_hit(0, 1, HIT_NOTHING, 0);
	fixture->frame.pager = &fixture->pager;
	draw(80, 24);
	assert_hit(0, 4, HIT_NOTHING, 0);
	assert_hit(0, 23, HIT_KEY, KEY_CODE_F1);
}

UNIT_TEST(frame_covered_leaves_titles_and_a_row)
{
	int lines;

	fixture->frame.covered = 3;
	draw(80, 24);
	assert_int_equal(frame_covered(&fixture->screen, &fixture->frame, &lines), 19);
	assert_int_equal(lines, 3);
	draw(80, 5);
	assert_int_equal(frame_covered(&fixture->screen, &fixture->frame, &lines), 2);
	assert_int_equal(lines, 2);
	fixture->frame.pager = &fixture->pager;
	frame_covered(&fixture->screen, &fixture->frame, &lines);
	assert_int_equal(lines, 0);
}

int main(void)
{
	if (!setlocale(LC_ALL, "C.UTF-8"))
		return 1;
	return unit_run(set_up, tear_down);
}
