/* The whole screen in the views of the history, at sizes from the least to a wide one. */

#include <locale.h>

#include "fake_app.h"
#include "unit.h"

enum {
	NS_PER_MS = 1000000,
	SWITCHES = 1000
};

static struct strbuf text;
static int summaries;

void __real_summary_make(struct summary *summary, const struct snapshot *snapshot,
			 const struct session *session, const struct metrics *metrics, bool ascii);

void __wrap_summary_make(struct summary *summary, const struct snapshot *snapshot,
			 const struct session *session, const struct metrics *metrics, bool ascii)
{
	summaries++;
	__real_summary_make(summary, snapshot, session, metrics, ascii);
}

/* nginx is pushed out by redis again and again. */
static void tell_switches(void)
{
	const uint64_t nginx = told_actor(&kit.told, 7, 7, "nginx");
	const uint64_t redis = told_actor(&kit.told, 8, 8, "redis");

	for (uint64_t i = 0; i < SWITCHES; i++) {
		const bool is_nginx = i % 2 == 0;
		const uint64_t slice_ns = (is_nginx ? 3 : 1) * NS_PER_MS;

		switched(&kit.told,
			 .time_ns = 10000 * (uint64_t)NS_PER_MS +
				    (i / 2 * 4 + (is_nginx ? 3 : 4)) * NS_PER_MS,
			 .left = is_nginx ? nginx : redis, .came = is_nginx ? redis : nginx,
			 .slice_ns = slice_ns, .off_ns = is_nginx ? 3 * NS_PER_MS : NS_PER_MS,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1,
			 .how = is_nginx ? SWITCH_PREEMPTED : SWITCH_BLOCKED,
			 .came_preempted = !is_nginx, .queued_by = is_nginx ? 0 : redis);
	}
	kit.world.snapshot.time_ns = kit.told.now_ns;
}

static int set_up(void **state)
{
	setenv("TZ", "UTC", 1);
	kit_set_up(state);
	kit_keep_history(HISTORY_BLOCK);
	tell_switches();
	return 0;
}

static int tear_down(void **state)
{
	strbuf_fini(&text);
	return kit_tear_down(state);
}

static const char *draw(const char *view, int width, int height)
{
	struct appearance *look = kit.app.parts[PART_appearance];
	char command[40];

	strbuf_clear(&look->footer);
	if (strcmp(view, "switches") == 0)
		strbuf_add(&look->footer, "who disturbs whom: nginx 7 by redis 8");

	screen_resize(&kit.app.screen, width, height);
	snprintf(command, sizeof(command), "view %s", view);
	run(command);
	kit_build();
	compose_frame_draw(&kit.app);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);
	return strbuf_text(&text);
}

static size_t count_lines(const char *drawn)
{
	size_t count = 0;

	for (; *drawn != '\0'; drawn++)
		count += *drawn == '\n';
	return count;
}

UNIT_TEST(picture_says_of_a_filter_that_it_is_left_out)
{
	run("filter kind = preempted");
	assert_non_null(strstr(draw("cpus", 140, 24), "filter (left out: no kind here): kind = "));
	assert_non_null(strstr(draw("switches", 140, 24), "filter: kind = preempted"));
	assert_non_null(strstr(draw("tasks", 140, 24), "filter (left out: no kind here): kind = "));
	assert_non_null(strstr(strbuf_text(&text), "redis"));
}

/* clang-format off */
UNIT_TEST(picture_of_switches_80x24)
{
	assert_string_equal(draw("switches", 80, 24),
		"whole machine · 2 CPUs · 1 s        accounted 100 %  perftop 0.0 % CPU  22:13:31\n"
		"IPC 0.50  miss 20.0 %  busy  50 %  switches   200/s  history 1.00k (2 s, <1 MB)\n"
		"0 ███████████             50% IPC 0.50   1 ███████████             50% IPC 0.50\n"
		" 1 tasks 2 cpus[3 switches] 4 groups 5 pairs 6 histogram 7 timeline 8 functions\n"
		"           TIME CPU PREV               HOW          RAN  IPC>NEXT\n"
		"22:13:31.094000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.095000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.098000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.099000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.102000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.103000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.106000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.107000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.110000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.111000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.114000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.115000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.118000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.119000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"22:13:31.122000   0 nginx 7            preempted 3.00ms    – redis 8\n"
		"22:13:31.123000   0 redis 8            blocked   1.00ms    – nginx 7\n"
		"who disturbs whom: nginx 7 by redis 8\n"
		"\n"
		"F1 help  q quit  a attach  Enter open  / search  \\ filter  Z freeze\n");
}

UNIT_TEST(picture_of_switches_20x5)
{
	assert_string_equal(draw("switches", 20, 5),
		"PREV   HOW       RAN\n"
		"red… 8 block… 1.00ms\n"
		"ngi… 7 preem… 3.00ms\n"
		"red… 8 block… 1.00ms\n"
		"\n");
}

UNIT_TEST(picture_of_the_sched_state_80x24)
{
	assert_string_equal(draw("timeline", 80, 24),
		"whole machine · 2 CPUs · 1 s        accounted 100 %  perftop 0.0 % CPU  22:13:31\n"
		"IPC 0.50  miss 20.0 %  busy  50 %  switches   200/s  history 1.00k (2 s, <1 MB)\n"
		" 1 tasks 2 cpus 3 switches 4 groups 5 pairs 6 histogram[7 timeline] 8 functions\n"
		"   0                                                            aaaaaaaaaaaaaaaa\n"
		"   1\n"
		"     22:13:21.1                  10.0s, a cell 133ms                  22:13:31.1\n"
		"     a nginx 7  # others  · idle  ? unknown\n"
		"A cell shows the task with most of it. Left, Right: go to one, and freeze\n"
		"\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
		"F1 help  q quit  a attach  Enter open  [ zoom in  ] out  o colour  Z freeze\n");
}

UNIT_TEST(picture_of_the_sched_state_20x5)
{
	assert_string_equal(draw("timeline", 20, 5),
		"   0            aaaa\n"
		"   1\n"
		"A cell shows the\n"
		"task with most of i…\n"
		"\n");
}
/* clang-format on */

/* A key that only moves the cursor has it drawn again, not made. */
UNIT_TEST(picture_header_is_made_with_the_rows)
{
	assert_non_null(strstr(draw("tasks", 132, 43), " 22:13:31\n"));
	kit.world.snapshot.time_ns += 2000000000;
	compose_frame_draw(&kit.app);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);
	assert_non_null(strstr(strbuf_text(&text), " 22:13:31\n"));
	assert_non_null(strstr(draw("tasks", 132, 43), " 22:13:33\n"));
}

UNIT_TEST(picture_tells_what_is_kept_behind_the_meters)
{
	assert_non_null(strstr(draw("switches", 132, 43), "history 1.00k (2 s, <1 MB)"));
	assert_non_null(strstr(draw("pairs", 132, 43), "history 1.00k (2 s, <1 MB)"));
	assert_null(strstr(draw("tasks", 132, 43), "history 1.00k"));
	assert_non_null(strstr(draw("tasks", 132, 43), "tasks ran"));
}

UNIT_TEST(picture_footer_is_there_from_twelve_lines_on)
{
	assert_null(strstr(draw("switches", 80, 11), "who disturbs whom"));
	assert_non_null(strstr(draw("switches", 80, 12), "\nwho disturbs whom: nginx 7"));
}

UNIT_TEST(picture_keys_are_those_of_the_view)
{
	assert_non_null(strstr(draw("tasks", 132, 24), "M miss %"));
	assert_null(strstr(draw("switches", 132, 24), "M miss %"));
	assert_null(strstr(draw("switches", 132, 24), "W window"));
	assert_non_null(strstr(draw("pairs", 132, 24), "W window"));
	assert_non_null(strstr(draw("timeline", 132, 24), "[ zoom in"));
}

UNIT_TEST(picture_after_the_first_of_two_keys_shows_what_may_follow)
{
	bool waits;

	run("bind ZZ quit");
	run("unbind g");
	run("bind gt next-view");
	keys_type(kit.app.parts[PART_keys], 'g', &waits);
	assert_non_null(strstr(draw("tasks", 132, 24), "gt next-view"));
	assert_null(strstr(strbuf_text(&text), "ZZ"));
	assert_null(strstr(strbuf_text(&text), "F1 help"));
	keys_type(kit.app.parts[PART_keys], 'g', &waits);
	assert_null(strstr(draw("tasks", 132, 24), "gt next-view"));
	assert_non_null(strstr(strbuf_text(&text), "F1 help"));
}

UNIT_TEST(picture_label_goes_with_its_command_to_another_key)
{
	run("bind a all");
	assert_null(strstr(draw("tasks", 132, 24), " attach"));
	run("bind j ask attach");
	assert_non_null(strstr(draw("tasks", 132, 24), "j attach"));
}

UNIT_TEST(picture_of_a_replay_has_no_keys_that_need_the_present)
{
	assert_non_null(strstr(draw("tasks", 300, 24), "w record"));
	assert_non_null(strstr(draw("tasks", 300, 24), "x perf record"));
	kit.replay_length = 3;
	assert_null(strstr(draw("tasks", 300, 24), "w record"));
	assert_null(strstr(draw("tasks", 300, 24), "x perf record"));
	assert_non_null(strstr(draw("tasks", 300, 24), "a attach"));
	assert_non_null(strstr(draw("tasks", 300, 24), "} no waits"));
}

UNIT_TEST(picture_of_a_page_has_its_keys)
{
	draw("tasks", 80, 24);
	run("task 7");
	compose_frame_draw(&kit.app);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);

	assert_non_null(strstr(strbuf_text(&text), "nginx 7 (q: back)"));
	assert_non_null(strstr(strbuf_text(&text), "q back"));
	assert_null(strstr(strbuf_text(&text), "F1 help"));
}

UNIT_TEST(picture_every_view_at_every_size_stays_inside)
{
	static const int sizes[][2] = {{1, 1},   {20, 3},  {20, 5},   {21, 12}, {40, 10},
				       {79, 23}, {80, 24}, {132, 43}, {300, 9}, {30, 100}};

	for (size_t i = 0; i < kit.app.view_count; i++) {
		for (size_t j = 0; j < COUNT_OF(sizes); j++) {
			const char *drawn =
				draw(kit.app.views[i].info->name, sizes[j][0], sizes[j][1]);

			assert_int_equal(count_lines(drawn), sizes[j][1]);
		}
	}
}

UNIT_TEST(picture_active_tab_is_always_there)
{
	run("filter a filter that is long enough to need all of the line for itself alone");
	for (int width = 20; width < 140; width++) {
		assert_non_null(strstr(draw("timeline", width, 24), "[7 timeline]"));
		assert_non_null(strstr(draw("switches", width, 24), "[3 switches]"));
	}
}

UNIT_TEST(picture_without_rows_says_why)
{
	run("view tasks");
	run("filter nobody-is-called-so");
	assert_non_null(
		strstr(draw("tasks", 80, 24), "no row passes the filter; Esc takes it off"));
	/* in a prompt Esc does what the prompt says of it */
	mode_open(&kit.app, &prompt_mode);
	assert_non_null(strstr(draw("tasks", 80, 24), "no row passes the filter"));
	assert_null(strstr(draw("tasks", 80, 24), "Esc takes it off"));
	mode_close(&kit.app, &prompt_mode);
	run("filter");
	kit.source.session.scope = SCOPE_TASKS;
	kit.world.snapshot.cpu_count = 0;
	assert_non_null(strstr(draw("cpus", 80, 24), "CPU view needs system-wide counting"));
}

UNIT_TEST(picture_ascii_has_nothing_else)
{
	static const char *const views[] = {"switches", "pairs", "histogram", "timeline"};

	kit.app.screen.is_ascii = true;
	for (size_t i = 0; i < 4; i++)
		for (const char *c = draw(views[i], 132, 43); *c != '\0'; c++)
			assert_in_range((unsigned char)*c, 1, 126);
}

UNIT_TEST(header_is_made_once_for_each_snapshot)
{
	summaries = 0;
	appearance_build(&kit.app);
	appearance_build(&kit.app);
	assert_int_equal(1, summaries);

	kit.world.snapshot.time_ns++;
	appearance_keep(&kit.app);
	appearance_build(&kit.app);
	assert_int_equal(2, summaries);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
