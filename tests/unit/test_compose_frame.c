/* What is on the whole screen; as pictures its parts are in screens/golden. */

#include <locale.h>

#include "app_kit.h"
#include "unit.h"

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

static int set_up(void **state)
{
	setenv("TZ", "UTC", 1);
	kit_set_up(state);
	engine_keep_history(kit.engine, HISTORY_BLOCK);
	for (int i = 0; i < 3; i++)
		kit_tick();
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

UNIT_TEST(picture_says_of_a_filter_that_it_is_left_out)
{
	run("filter kind = preempted");
	assert_non_null(strstr(draw("cpus", 140, 24), "filter (left out: no kind here): kind = "));
	assert_non_null(strstr(draw("switches", 140, 24), "filter: kind = preempted"));
	assert_non_null(strstr(draw("tasks", 140, 24), "filter (left out: no kind here): kind = "));
	assert_non_null(strstr(strbuf_text(&text), "redis"));
}

UNIT_TEST(picture_tells_what_is_kept_behind_the_meters)
{
	assert_non_null(strstr(draw("switches", 132, 43), "history 18 (3 s, <1 MB)"));
	assert_non_null(strstr(draw("pairs", 132, 43), "history 18 (3 s, <1 MB)"));
	assert_null(strstr(draw("tasks", 132, 43), "history 18.0"));
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
	kit_replay(3);
	kit_tick();
	assert_null(strstr(draw("tasks", 300, 24), "w record"));
	assert_null(strstr(draw("tasks", 300, 24), "x perf record"));
	assert_non_null(strstr(draw("tasks", 300, 24), "a attach"));
	assert_non_null(strstr(draw("tasks", 300, 24), "} no waits"));
}

static void redraw(void)
{
	compose_frame_draw(&kit.app);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);
}

UNIT_TEST(picture_of_a_page_has_its_keys)
{
	draw("tasks", 132, 24);
	run("task 7");
	redraw();

	assert_non_null(strstr(strbuf_text(&text), "nginx 7 (q: back)"));
	assert_non_null(strstr(strbuf_text(&text), "q back  Enter functions  O wakers"));
	assert_non_null(strstr(strbuf_text(&text), "Space pause/resume  Left step  Right step"));
	assert_null(strstr(strbuf_text(&text), "F1 help"));
}

UNIT_TEST(picture_of_a_page_has_the_keys_that_the_user_has_bound)
{
	draw("tasks", 132, 24);
	run("task 7");
	run("bind O all");
	run("bind j samples");
	run("bind Space quit");
	run("bind z space");
	run("unbind Left");
	redraw();

	assert_non_null(strstr(strbuf_text(&text), "Enter functions  j wakers"));
	assert_non_null(strstr(strbuf_text(&text), "z pause/resume  Right step"));
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
	((struct snapshot *)(uintptr_t)engine_snapshot(kit.engine))->cpu_count = 0;
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
	assert_int_equal(summaries, 0);

	kit_tick();
	appearance_build(&kit.app);
	assert_int_equal(summaries, 1);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, tear_down);
}
