/* What is below a short list: when it is made, and that it is not where it cannot be seen. */

#include "view/task_page.h"

#include "app_kit.h"
#include "unit.h"

static struct strbuf text;
static size_t pages; /* that were made */

bool __wrap_task_page_write(struct strbuf *out, const struct task_page_input *input)
{
	if (input->pid >= 900)
		return false;
	strbuf_printf(out, "# page %zu of %d, thread %d\n", ++pages, input->pid, input->tid);
	for (int i = 1; i < 50; i++)
		strbuf_printf(out, "line %d\n", i);
	return true;
}

static int set_up(void **state)
{
	kit_set_up(state);
	screen_resize(&kit.app.screen, 120, 24);
	pages = 0;
	return 0;
}

static int tear_down(void **state)
{
	strbuf_fini(&text);
	return kit_tear_down(state);
}

static const char *draw(void)
{
	compose_frame_draw(&kit.app);
	strbuf_clear(&text);
	screen_dump(&kit.app.screen, &text);
	return strbuf_text(&text);
}

/* The line of the screen that has it; -1: none. */
static int line_of(const char *words)
{
	const char *drawn = draw(), *place = strstr(drawn, words);
	int line = 0;

	for (; place && drawn < place; drawn++)
		line += *drawn == '\n';
	return place ? line : -1;
}

/* So many more rows. */
static void add_tasks(int count)
{
	for (int i = 0; i < count; i++)
		add_task(.pid = 100 + (int32_t)kit.task_count, .name = "more", .run_ms = 10);
	kit_build();
}

UNIT_TEST(pane_is_about_the_selected_row)
{
	assert_int_equal(line_of("page 1 of 7, thread 7"), line_of("redis") + 1);
	run("down");
	assert_non_null(strstr(draw(), "page 2 of 70, thread 70"));
}

UNIT_TEST(pane_is_made_once_for_an_interval_and_a_row)
{
	draw();
	draw();
	assert_int_equal(pages, 1);
	kit_build();
	draw();
	draw();
	assert_int_equal(pages, 2);
	run("down");
	draw();
	draw();
	assert_int_equal(pages, 3);
	screen_resize(&kit.app.screen, 100, 24);
	draw();
	assert_int_equal(pages, 4);
}

UNIT_TEST(pane_is_not_made_where_there_is_no_room)
{
	add_tasks(13);
	screen_resize(&kit.app.screen, 120, 22);
	draw();
	run("last");
	draw();
	screen_resize(&kit.app.screen, 120, 12);
	draw();
	assert_int_equal(pages, 0);
}

UNIT_TEST(pane_needs_some_lines)
{
	for (int height = 3; height < 24 && pages == 0; height++) {
		screen_resize(&kit.app.screen, 120, height);
		draw();
		assert_true(pages > 0 || line_of("thread 7") < 0);
	}
	assert_non_null(strstr(draw(), "\nline 4\n"));
	assert_null(strstr(draw(), "\nline 5\n"));
}

UNIT_TEST(pane_is_not_made_under_something_else)
{
	run("help");
	draw();
	run("setup");
	draw();
	run("close");
	run("close");
	run("view timeline");
	kit_build();
	draw();
	assert_int_equal(pages, 0);
}

UNIT_TEST(pane_is_only_of_tasks)
{
	run("view cpus");
	kit_build();
	draw();
	assert_int_equal(pages, 0);
}

UNIT_TEST(pane_of_a_task_that_is_not_known_is_none)
{
	kit.tasks[0].name = "gone";
	kit.tasks[0].pid = 950;
	kit_build();
	assert_null(strstr(draw(), "line 1"));
}

UNIT_TEST(pane_asks_for_nothing_to_be_counted)
{
	kit_keep_history(HISTORY_BLOCK);
	draw();
	assert_int_equal(pages, 1);
	assert_int_equal(kit.changes, 0);
	assert_int_equal(page_pid(&kit.app), 0);
}

UNIT_TEST(pane_is_switched_off)
{
	run("pane off");
	draw();
	assert_int_equal(pages, 0);
	run("pane on");
	draw();
	assert_int_equal(pages, 1);
}

/* Its title would jump up and down with the count of rows. */
UNIT_TEST(pane_stays_while_the_list_gets_a_little_shorter)
{
	int place;

	add_tasks(4);
	place = line_of("of 7, thread 7");
	kit.task_count -= 2;
	kit_build();
	assert_int_equal(line_of("of 7, thread 7"), place);
	run("down");
	assert_int_equal(line_of("of 70, thread 70"), place - 2);
	run("up");
	kit.task_count += 2;
	add_tasks(3);
	assert_int_equal(line_of("of 7, thread 7"), place + 3);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
