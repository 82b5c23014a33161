/*
 * The whole screen of made-up numbers: what no recording shows, so that screens/golden has no
 * picture of it: the machine, one line of meters, what is lost, warnings; what is there in few
 * lines; clicks.
 */

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
	{.name = "command", .title = "COMMAND", .width = 12, .format = COLUMN_TEXT},
};

static const struct frame_key keys[] = {
	{"F1", "help"},   {"a", "attach"}, {"M", "miss %"},  {"I", "IPC"},    {"P", "CPU %"},
	{"<>", "column"}, {"/", "search"}, {"\\", "filter"}, {"Z", "freeze"}, {"q", "quit"},
};

static const struct view_info infos[] = {{.name = "tasks"}, {.name = "cpus"}};

static const struct view_state views[] = {{.info = &infos[0]}, {.info = &infos[1]}};

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
		{{.kind = ROW_TASK, .id = 1}, {"4711", "www", "nginx: worker process"}},
		{{.kind = ROW_TASK, .id = 2, .is_new = true}, {"1290", "postgres", "postgres: checkpointer"}},
		{{.kind = ROW_EXITED, .id = 3}, {"-", "-", "412 processes"}},
		{{.kind = ROW_UNATTRIBUTED, .id = 4}, {"-", "-", "unaccounted"}},
	};
	/* clang-format on */
	memcpy(fixture->rows, rows, sizeof(rows));
	fixture->table = (struct view_table){
		.columns = columns,
		.column_count = COLUMN_COUNT,
		.rows = fixture->rows,
		.row_count = ROW_COUNT,
		.sort = &columns[0],
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

static void note(uint64_t time_ns, double ipc, double busy, double system)
{
	fixture->summary.meters[METER_IPC].value = ipc;
	fixture->summary.meters[METER_BUSY].value = busy;
	fixture->summary.meters[METER_SYSTEM].value = system;
	meter_history_note(&fixture->history, time_ns, &fixture->summary);
	fixture->frame.head.meters = &fixture->history;
	fixture->frame.head.time_ns = UINT64_MAX;
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

/* Line y of what draw() returned. */
static void assert_line(int y, const char *expected)
{
	const char *line = strbuf_text(&fixture->text);
	char text[1024];

	while (y-- > 0)
		line = strchr(line, '\n') + 1;
	snprintf(text, sizeof(text), "%.*s", (int)strcspn(line, "\n"), line);
	assert_string_equal(text, expected);
}

static enum style style_at(int x, int y)
{
	return (enum style)fixture->screen.cells[y * fixture->screen.width + x].style;
}

/* clang-format off */
UNIT_TEST(frame_draw_head_is_a_line_or_nothing)
{
	fixture->frame.head.form = HEAD_LINE;
	draw(110, 24);
	assert_line(0, "perftop  whole machine · 8 CPUs · 1 s      busy 43 %  IPC 1.42  accounted 99.99 %  perftop 0.3 % CPU  12:03:44");
	assert_line(1, "[1 tasks]  2 cpus");
	fixture->frame.head.form = HEAD_NONE;
	draw(110, 24);
	assert_line(0, "[1 tasks]  2 cpus");
}

UNIT_TEST(frame_draw_missing_pmu_is_a_warning_over_two_lines)
{
	strcpy(fixture->summary.pmu, "no hardware counters: this is a virtual machine and its host gives it no PMU; IPC and miss rates show – (perftop check tells more)");
	fixture->summary.pmu_is_bad = true;
	draw(80, 22);
	assert_line(2, "no hardware counters: this is a virtual machine and its host gives it no PMU;");
	assert_line(3, "IPC and miss rates show – (perftop check tells more)");
	assert_line(4, "[1 tasks]  2 cpus");
	assert_int_equal(style_at(0, 2), STYLE_WARNING);
	assert_int_equal(style_at(0, 3), STYLE_WARNING);
}

UNIT_TEST(frame_draw_reason_of_the_scope_is_beside_the_pmu_or_over_it)
{
	strcpy(fixture->summary.scope_reason, "own tasks only: paranoid is 2");
	draw(80, 22);
	assert_line(2, "all 6 events counting · cpu PMU   own tasks only: paranoid is 2");
	draw(60, 24);
	assert_line(2, "own tasks only: paranoid is 2");
	assert_line(3, "all 6 events counting · cpu PMU");
}

UNIT_TEST(frame_draw_error_is_whole_however_long_and_red)
{
	fixture->frame.message = "cycles: refused: capabilities held in a user namespace do not count for perf events; run perftop outside the container or as root of the host, or sysctl kernel.perf_event_paranoid=-1 there, if that is what its owner wants everybody to be able to do";
	fixture->frame.message_is_error = true;
	draw(80, 24);
	assert_line(19, "cycles: refused: capabilities held in a user namespace do not count for perf");
	assert_line(20, "events; run perftop outside the container or as root of the host, or sysctl");
	assert_line(21, "kernel.perf_event_paranoid=-1 there, if that is what its owner wants everybody");
	assert_line(22, "to be able to do");
	assert_int_equal(style_at(0, 19), STYLE_ERROR);
}

UNIT_TEST(frame_draw_slider_without_a_line_gives_way_to_a_message)
{
	fixture->frame.slider = "stopped  ..|..";
	fixture->frame.message = "said";
	draw(20, 5);
	assert_line(4, "said");
}

UNIT_TEST(frame_draw_history_is_behind_the_meters_whole_or_not)
{
	fixture->frame.head.history = "history 1.00M (55 s, 43 MB)";
	fixture->frame.head.activity = "2.1 % preempted";
	draw(80, 22);
	assert_line(1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  history 1.00M (55 s, 43 MB)");
	draw(79, 22);
	assert_line(1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  2.1 % preempted");
	draw(60, 24);
	assert_line(1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s");
	fixture->frame.head.history = "";
	draw(80, 22);
	assert_line(1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  2.1 % preempted");
}
/* clang-format on */

UNIT_TEST(frame_draw_tabs_and_filters_may_fill_the_line)
{
	fixture->frame.filters = "filter: of as many columns as all of the tabs leave in a line";
	draw(80, 22);
	assert_line(3, "[1 tasks]  2 cpus  "
		       "filter: of as many columns as all of the tabs leave in a line");
	draw(79, 22);
	assert_line(3, "[1 tasks] 2 cpus  "
		       "filter: of as many columns as all of the tabs leave in a line");
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

static void set_machine(void)
{
	fixture->summary.machine = (struct summary_machine){
		.load = "0.52 0.31 0.25",
		.memory = "3.0G/24.0G",
		.swap = "0/1.0G",
		.uptime = "1 d 2:03",
		.memory_pct = 50,
	};
	strcpy(fixture->summary.miss_level, "LLC");
}

/* clang-format off */
UNIT_TEST(frame_draw_block_has_graph_numbers_and_machine)
{
	set_machine();
	note(1, 1.42, 0, 0);
	note(2, 1.42, 50, 0);
	note(3, 1.42, 100, 50);
	draw(80, 24);
	assert_line(1, "busy  43 % us  30 sy  12   │ IPC          1.42    ▆▆▆ │ load 0.52 0.31 0.25");
	assert_line(2, "                         ⢸ │ LLC MPKI      4.2    ▇▇▇ │ mem  3.0G/24.0G ████▁▁▁▁");
	assert_line(3, "                        ⢀⣿ │ switches  18.2k/s    ▅▅▅ │ swap 0/1.0G up 1 d 2:03");
	fixture->frame.head.history = "history 1.00M (55 s, 43 MB)";
	fixture->frame.head.activity = "2.1 % preempted";
	draw(80, 24);
	assert_line(1, "busy  43 % us  30       │ IPC          1.42    ▆▆▆ │ history 1.00M (55 s, 43 MB)");
	assert_line(2, "                      ⢸ │ LLC MPKI      4.2    ▇▇▇ │ 2.1 % preempted");
	assert_line(3, "                     ⢀⣿ │ switches  18.2k/s    ▅▅▅ │ load 0.52 0.31 0.25");
	fixture->screen.is_ascii = true;
	for (int width = 72; width < 300; width += 19)
		for (int height = 24; height < 80; height += 5)
			for (const char *c = draw(width, height); *c; c++)
				assert_in_range((unsigned char)*c, 1, 126);
}

/* What was known once keeps its line; as does a share, on a machine that was busy for less than a tick. */
UNIT_TEST(frame_draw_block_of_unknown_numbers)
{
	struct summary_meter *waiting = &fixture->summary.meters[METER_QUEUED];

	*waiting = (struct summary_meter){"-", NAN, -1};
	strcpy(fixture->summary.meters[METER_BUSY].text, "100 %~");
	fixture->summary.user_pct = fixture->summary.system_pct = fixture->summary.irq_pct = NAN;
	note(1, 1, 100, 0);
	assert_null(strstr(draw(80, 40), "waiting"));
	assert_line(1, "busy 100 %~  user   –  system   –  irq   –  idle  57  │ IPC          1.42      ▆");
	waiting->value = 1;
	note(2, 1, 100, 0);
	assert_non_null(strstr(draw(80, 40), "│ waiting         – "));
}

UNIT_TEST(frame_draw_meters_of_a_low_screen_are_in_one_line)
{
	for (uint64_t i = 0; i < 8; i++)
		note(i + 1, (double)i / 4, 43, 0);
	draw(140, 20);
	assert_line(1, "IPC 1.42       ▁▂▃▄▅▆▇█   miss 12.4 %       ▇▇▇▇▇▇▇▇   busy  43 %       ▄▄▄▄▄▄▄▄   "
		       "switches 18.2k/s       ▅▅▅▅▅▅▅▅   112 tasks ran, 3 ended");
	assert_int_equal(style_at(4, 1), STYLE_GOOD_3);
	assert_int_equal(style_at(22, 1), STYLE_GOOD_3);
	assert_int_equal(style_at(61, 1), STYLE_BOLD);
	assert_int_equal(style_at(74, 1), STYLE_BAR);
	draw(80, 20); /* shorter ones instead of words */
	assert_line(1, "IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅");
	draw(73, 20);
	assert_line(1, "IPC 1.42  miss 12.4 %  busy  43 %  switches 18.2k/s  112 tasks ran");
	draw(30, 20);
	assert_line(1, "IPC 1.42  miss 12.4 %");
	fixture->frame.head.history = "history 1.00M (55 s)";
	fixture->frame.head.activity = "2.1 % preempted";
	draw(120, 20); /* those of a view of the history stay */
	assert_line(1, "IPC 1.42 ▄▅▆▇█   miss 12.4 % ▇▇▇▇▇   busy  43 % ▄▄▄▄▄   switches 18.2k/s ▅▅▅▅▅   "
		       "history 1.00M (55 s)   2.1 % preempted");
	fixture->frame.head.history = fixture->frame.head.activity = NULL;
	fixture->frame.head.time_ns = 3; /* in the past they end there */
	fixture->summary.counts_tasks = true;
	assert_non_null(strstr(draw(140, 20), " ▁▃▆   miss"));
	assert_non_null(strstr(draw(140, 20), "  machine busy  43 % "));
}

UNIT_TEST(frame_draw_meters_that_are_never_known_have_no_sparkline)
{
	fixture->summary.meters[METER_MISS].value = NAN;
	strcpy(fixture->summary.meters[METER_IPC].text, "-");
	strcpy(fixture->summary.meters[METER_MISS].text, "-");
	note(1, NAN, 43, 0);
	draw(100, 20);
	assert_int_equal(style_at(7, 1), STYLE_DIM);
	assert_line(1, "IPC    –   miss      –   busy  43 %         ▄   switches 18.2k/s         ▅   "
		       "112 tasks ran, 3 ended");
	fixture->screen.is_ascii = true;
	draw(100, 20);
	assert_line(1, "IPC    -   miss      -   busy  43 %         =   switches 18.2k/s         +   "
		       "112 tasks ran, 3 ended");
}
/* clang-format on */

UNIT_TEST(frame_draw_lost_records_stay_in_sight)
{
	snprintf(fixture->summary.lost, sizeof(fixture->summary.lost), "lost 12");
	fixture->summary.lacks_much = true;
	for (int width = 30; width <= 200; width++)
		assert_non_null(strstr(draw(width, 24), "lost 12"));
	draw(132, 24);
	assert_line(0, "perftop   whole machine · 8 CPUs · 1 s                                    "
		       "accounted 99.99 %   lost 12   perftop 0.3 % CPU   12:03:44");
	assert_int_equal(style_at(74, 0), STYLE_WARNING);
	assert_int_equal(style_at(94, 0), STYLE_ERROR);
}

UNIT_TEST(frame_draw_own_memory_goes_before_other_pieces_do)
{
	strcpy(fixture->summary.own_memory, "85.3M");
	draw(132, 24);
	assert_line(0,
		    "perftop   whole machine · 8 CPUs · 1 s                                       "
		    "accounted 99.99 %   perftop 0.3 % CPU, 85.3M   12:03:44");
	assert_non_null(strstr(draw(80, 24), "perftop 0.3 % CPU  12:03:44"));
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
	assert_int_equal(style_at(0, 2), STYLE_NORMAL);
	fixture->summary.is_over_budget = true;
	draw(80, 22);
	assert_int_equal(style_at(0, 2), STYLE_WARNING);
}

UNIT_TEST(frame_draw_without_a_pmu_has_a_word_where_no_sentence_says_so)
{
	fixture->summary.lacks_pmu = fixture->summary.pmu_is_short = true;
	assert_null(strstr(draw(132, 24), "no PMU"));
	fixture->summary.pmu[0] = '\0';
	assert_non_null(strstr(draw(132, 24), "   no PMU   perftop 0.3 % CPU"));
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

UNIT_TEST(frame_draw_page_has_bold_headings_and_its_top_is_corrected)
{
	fixture->frame.pager = &fixture->pager;
	draw(40, 10);
	assert_line(0, "Help                            1–3 of 3");
	assert_line(1, "Keys");
	assert_int_equal(style_at(0, 1), STYLE_BOLD);
	assert_int_equal(style_at(0, 2), STYLE_NORMAL);
	fixture->frame.key_count = 0;
	fixture->pager.top = 100;
	draw(40, 4);
	assert_int_equal(fixture->pager.top, 1);
	assert_line(1, "q  quit");
	assert_line(2, "F1 help");
	assert_line(3, "");
}

UNIT_TEST(frame_draw_footer_is_cut_and_may_be_a_warning)
{
	fixture->frame.footer = "who disturbs whom: nginx 4711";
	draw(24, 24);
	assert_line(21, "who disturbs whom: ngin…");
	assert_int_equal(style_at(0, 21), STYLE_NORMAL);
	fixture->frame.footer_is_warning = true;
	draw(24, 24);
	assert_int_equal(style_at(0, 21), STYLE_WARNING);
}

UNIT_TEST(frame_draw_behind_is_the_first_note)
{
	snprintf(fixture->summary.behind, sizeof(fixture->summary.behind),
		 "behind: 12.3k switches are not in the history");
	draw(132, 22);
	assert_line(
		2,
		"behind: 12.3k switches are not in the history   all 6 events counting · cpu PMU");
	assert_int_equal(style_at(0, 2), STYLE_WARNING);
	assert_non_null(strstr(draw(60, 9), "behind: 12.3k switches"));
}

static void assert_hit(int x, int y, enum hit_kind kind, size_t index)
{
	const struct hit hit = screen_find(&fixture->screen, x, y);

	assert_int_equal(hit.kind, kind);
	if (kind != HIT_NOTHING)
		assert_int_equal(hit.index, index);
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
