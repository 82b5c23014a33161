/* The view of the time line: what it shows, and where its cursor goes. */

#include <locale.h>

#include "base/units.h"

#include "app_story.h"

enum {
	CELLS = 75,     /* of 80 columns */
	SWITCHES = 1000 /* a millisecond each, on CPU 0 */
};

static uint64_t nginx, redis;

static struct strips *strips_shown(void)
{
	return kit.app.parts[PART_timeline];
}

static const struct timeline *timeline(void)
{
	return &strips_shown()->timeline;
}

static uint64_t cursor_ns(void)
{
	return strips_shown()->cursor_ns;
}

static uint64_t begin_ns(void)
{
	return timeline()->begin_ns;
}

static uint64_t end_ns(void)
{
	return timeline()->begin_ns + timeline()->cell_ns * timeline()->cell_count;
}

static uint64_t time_of(size_t sequence)
{
	return (uint64_t)(sequence + 100001) * NS_PER_MS;
}

/* Ten of nginx, then ten of redis, and so on; the snapshot ends with the last. */
static void tell_switches(size_t count)
{
	for (size_t i = 0; i < count; i++)
		switched(&kit.told, .time_ns = time_of(i), .prev = i / 10 % 2 == 0 ? nginx : redis,
			 .next = (i + 1) / 10 % 2 == 0 ? nginx : redis, .slice_ns = NS_PER_MS,
			 .how = SWITCH_PREEMPTED, .off_ns = SWITCH_NS_UNKNOWN,
			 .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	kit_pass_to(time_of(count - 1));
	kit_build();
}

static int set_up(void **state)
{
	kit_set_up(state);
	kit_keep_history(HISTORY_BLOCK);
	nginx = kit_actor(7);
	redis = kit_actor(8);
	tell_switches(SWITCHES);
	run("view timeline");
	return 0;
}

/* On the screen, wherever lines of it end. */
static void assert_says(const char *words)
{
	char text[16384];

	snprintf(text, sizeof(text), "%s", screen_shown());
	for (char *c = text; (c = strchr(c, '\n')) != NULL;)
		*c = ' ';
	if (!strstr(text, words))
		fail_msg("\"%s\" is not in\n%s", words, screen_shown());
}

/* The strips and what is below them, by themselves. */
static const char *draw(int width, int lines)
{
	static struct strbuf text;

	screen_resize(&kit.app.screen, width, lines);
	kit_build();
	app_drawing(&kit.app)->draw(&kit.app, NULL, &kit.app.screen, 0, lines);
	strbuf_fini(&text);
	screen_dump(&kit.app.screen, &text);
	return strbuf_text(&text);
}

UNIT_TEST(strips_live_end_with_the_newest)
{
	assert_true(end_ns() > time_of(SWITCHES - 1));
	assert_true(end_ns() <= time_of(SWITCHES - 1) + 2 * timeline()->cell_ns);
	assert_int_equal(timeline()->cell_count, CELLS);
	assert_int_equal(timeline()->strip_count, 2);
	assert_int_equal(end_ns() % timeline()->cell_ns, 0);
	assert_says("A cell shows the task with most of it. Left, Right: go to one, and freeze");
	run("attach 8");
	assert_says("A cell shows what is attached where it ran, else the task with most of it. "
		    "Left, Right: go to one, and freeze");
	run("colour ipc");
	assert_says("A cell shows the IPC of all tasks in it. Left, Right: go to one, and freeze");
}

UNIT_TEST(strips_without_history_say_why)
{
	engine_keep_history(kit.engine, 0);
	assert_string_equal(draw(40, 3), "no history is kept (--history 0)\n\n\n");
	assert_int_equal(timeline()->strip_count, 0);
	run("scroll-left");
	assert_false(playback_is_frozen(kit.app.playback));
	run("zoom-in");
	run("first");
}

/* The first key shows the cursor, the next one moves it. */
UNIT_TEST(strips_first_step_freezes_and_says_so)
{
	run("scroll-left");
	assert_true(playback_is_frozen(kit.app.playback));
	assert_string_equal(kit.app.message.text, "frozen, still counting; Z: resume");
	const uint64_t first = cursor_ns();
	assert_true(first <= time_of(SWITCHES - 1));
	assert_true(first + 2 * timeline()->cell_ns > time_of(SWITCHES - 1));
	run("scroll-left");
	assert_int_equal(cursor_ns(), first - timeline()->cell_ns);
	run("scroll-right");
	assert_int_equal(cursor_ns(), first);
}

UNIT_TEST(strips_released_follow_again)
{
	run("scroll-left");
	run("freeze");
	assert_false(playback_is_frozen(kit.app.playback));
	assert_int_equal(cursor_ns(), 0);
}

UNIT_TEST(strips_cursor_leaving_the_left_edge_scrolls_back)
{
	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	run("scroll-left");
	const uint64_t before = begin_ns();
	for (int i = 0; i < CELLS; i++)
		run("scroll-left");

	assert_true(begin_ns() < before);
	assert_true(cursor_ns() >= begin_ns() && cursor_ns() < end_ns());
	assert_true(end_ns() - begin_ns() >= 100 * NS_PER_MS);
}

UNIT_TEST(strips_go_to_the_ends_and_not_beyond)
{
	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	run("first");
	assert_int_equal(cursor_ns(), time_of(0));
	assert_true(begin_ns() <= time_of(0));
	assert_true(begin_ns() + 2 * timeline()->cell_ns > time_of(0));
	run("scroll-left");
	assert_int_equal(cursor_ns(), time_of(0));
	run("page-up");
	assert_int_equal(cursor_ns(), time_of(0));
	run("last");
	assert_int_equal(cursor_ns(), time_of(SWITCHES - 1));
	run("scroll-right");
	run("page-down");
	assert_int_equal(cursor_ns(), time_of(SWITCHES - 1));
	assert_true(end_ns() > cursor_ns());
}

UNIT_TEST(strips_pages_are_as_long_as_the_screen)
{
	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	run("scroll-left");
	const uint64_t before = begin_ns(), cursor = cursor_ns();
	const uint64_t span = end_ns() - begin_ns();
	run("page-up");
	assert_int_equal(cursor_ns(), cursor - span);
	assert_int_equal(begin_ns(), before - span);
	run("page-down");
	assert_int_equal(begin_ns(), before);
	assert_int_equal(cursor_ns(), cursor);
}

UNIT_TEST(strips_up_and_down_select_the_cpu_and_freeze_nothing)
{
	run("down");
	assert_int_equal(strips_index(strips_shown()), 1);
	run("down");
	assert_int_equal(strips_index(strips_shown()), 1);
	assert_non_null(strstr(draw(80, 1), "   1")); /* where there are fewer lines than CPUs */
	run("up");
	run("up");
	assert_int_equal(strips_index(strips_shown()), 0);
	assert_non_null(strstr(draw(80, 1), "   0 "));
	assert_false(playback_is_frozen(kit.app.playback));
}

UNIT_TEST(strips_search_goes_to_the_cpu)
{
	run("search 1");
	assert_int_equal(strips_index(strips_shown()), 1);
	run("up");
	run("search 0");
	run("search-next"); /* there is no other */
	assert_int_equal(strips_index(strips_shown()), 0);
	/* what was typed and not meant is taken back */
	run("down");
	run("ask search");
	prompt_mode.key(&kit.app, '0');
	assert_int_equal(strips_index(strips_shown()), 0);
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(strips_index(strips_shown()), 1);
}

UNIT_TEST(strips_zoom_keeps_the_cursor_where_it_is)
{
	size_t before;

	run("zoom-in");
	assert_string_equal(kit.app.message.text, "showing 5.00s");
	strips_shown()->span_ns = 500 * (uint64_t)NS_PER_MS;
	kit_build();
	run("scroll-left");
	for (int i = 0; i < 30; i++)
		run("scroll-left");
	before = strips_cell_index(strips_shown());
	const uint64_t cursor = cursor_ns();
	run("zoom-in");
	assert_int_equal(strips_shown()->span_ns, 200 * NS_PER_MS);
	assert_int_equal(cursor_ns(), cursor);
	assert_in_range(strips_cell_index(strips_shown()), before - 1, before + 1);
}

UNIT_TEST(strips_zoom_ends_at_all_of_the_history)
{
	for (int i = 0; i < 20; i++)
		run("zoom-in");
	assert_int_equal(strips_shown()->span_ns, 100 * NS_PER_MS);
	for (int i = 0; i < 20; i++)
		run("zoom-out");
	assert_int_equal(strips_shown()->span_ns, 0);
	assert_string_equal(kit.app.message.text, "showing the whole history");
	assert_true(begin_ns() <= time_of(0) && end_ns() > time_of(SWITCHES - 1));
	run("zoom-in");
	assert_int_equal(strips_shown()->span_ns, 500 * NS_PER_MS);
}

UNIT_TEST(strips_zoom_is_of_this_view)
{
	run("view tasks");
	run("zoom-in");
	assert_string_equal(kit.app.message.text, "only the timeline (7) can be zoomed");
	run("unbind 7");
	run("bind ^T view timeline");
	run("zoom-in");
	assert_string_equal(kit.app.message.text, "only the timeline (^T) can be zoomed");
}

UNIT_TEST(strips_detail_tells_the_slice)
{
	setenv("TZ", "UTC", 1);
	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	run("scroll-left");
	for (int i = 0; i < 20; i++)
		run("scroll-left");

	assert_says(" CPU 0: ");
	assert_says(" ran 1.00ms until 22:1");
	assert_says(", preempted; ");
	assert_says(" came (of the cell's time it ran 100 %, all tasks ran 100 %)");
}

/* Both have half of each cell, but for what the first and the last of them have; frozen, too. */
UNIT_TEST(strips_show_what_is_attached_where_it_ran)
{
	size_t known = 0, own = 0;

	strips_shown()->span_ns = 5000 * (uint64_t)NS_PER_MS;
	kit_build();
	run("scroll-left");
	run("attach 8");
	kit_build();
	for (size_t i = 0; i < CELLS; i++) {
		const struct timeline_cell *cell = &timeline()->strips[0].cells[i];

		known += cell->kind == TIMELINE_TASK;
		own += cell->kind == TIMELINE_TASK && cell->actor == redis;
	}
	assert_in_range(known, 10, CELLS);
	assert_in_range(own, known - 2, known);
}

UNIT_TEST(strips_detail_of_nothing_says_so)
{
	run("down");
	run("first");
	assert_says(" CPU 1: nothing is known of this time ");
	assert_null(app_drawing(&kit.app)->actor(&kit.app));
}

UNIT_TEST(strips_actor_is_who_is_in_the_cell)
{
	struct pager *pager = kit.app.parts[PART_pager];

	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	assert_null(app_drawing(&kit.app)->actor(&kit.app));
	run("first");
	for (int i = 0; i < 3; i++)
		run("scroll-right");
	assert_int_equal(app_drawing(&kit.app)->actor(&kit.app)->pid, 7);
	run("task");
	assert_string_equal(pager->shown.title, "nginx 7 (q: back)");
}

/* The one who had a colour keeps it when he is no longer first. */
UNIT_TEST(strips_colours_stay_with_their_tasks)
{
	const uint64_t ls = told_actor(&kit.told, 9, 9, "ls");
	size_t colour;

	for (colour = 0; colour < TIMELINE_COLOURS; colour++)
		if (strips_shown()->owners[colour] == redis)
			break;
	assert_true(colour < TIMELINE_COLOURS);
	for (size_t i = 0; i < SWITCHES; i++)
		switched(&kit.told, .time_ns = time_of(SWITCHES + i), .prev = i < 450 ? ls : redis,
			 .next = i < 449 ? ls : redis, .slice_ns = NS_PER_MS,
			 .how = SWITCH_BLOCKED);
	kit_pass_to(time_of(2 * SWITCHES - 1));
	kit_build();
	assert_int_equal(timeline()->legend[0].actor, redis);
	assert_int_equal(strips_shown()->colours[0], colour);
	assert_string_equal(strips_shown()->names[colour], "redis 8");
	assert_int_equal(timeline()->legend[1].actor, ls);
	assert_string_equal(strips_shown()->names[strips_shown()->colours[1]], "ls 9");
	assert_int_equal(strips_shown()->colours[1], 2);
	assert_says("b redis 8 "); /* though of the first rank */
	assert_says("c ls 9 ");
}

UNIT_TEST(strips_parts_come_in_by_worth)
{
	static const char *const parts[] = {"", "", "d", "d", "da", "da", "dal"};

	for (int lines = 1; lines <= 7; lines++) {
		const char *text = draw(80, lines);
		char there[4] = "";

		strcat(there, strstr(text, "A cell shows") ? "d" : "");
		strcat(there, strstr(text, ", a cell ") ? "a" : "");
		strcat(there, strstr(text, "a nginx 7") ? "l" : "");
		assert_string_equal(there, parts[lines - 1]);
		assert_int_equal(strncmp(text, "   0 ", 5), 0);
	}
}

UNIT_TEST(strips_names_without_room_are_left_out_whole)
{
	for (int width = 20; width < 80; width++) {
		const char *text = draw(width, 8);

		assert_true(!strstr(text, "redis") || strstr(text, "redis 8"));
		assert_true(strstr(text, "# others") != NULL || width < 35);
	}
}

/* A history of a million takes its time: a step in what is shown costs none of it. */
UNIT_TEST(strips_frozen_are_made_again_only_for_another_stretch)
{
	struct timeline_cell *last;

	strips_shown()->span_ns = 100 * NS_PER_MS;
	kit_build();
	run("scroll-left");
	timeline()->strips[0].cells[0].kind = TIMELINE_UNKNOWN;
	run("scroll-left");
	assert_int_equal(timeline()->strips[0].cells[0].kind, TIMELINE_UNKNOWN);
	run("page-up");
	assert_int_equal(timeline()->strips[0].cells[0].kind, TIMELINE_TASK);
	run("freeze");
	last = &timeline()->strips[0].cells[timeline()->cell_count - 1];
	last->kind = TIMELINE_UNKNOWN;
	kit_build();
	assert_int_equal(last->kind, TIMELINE_TASK);
}

/* Where tasks are watched, the CPUs are those on which something was seen. */
UNIT_TEST(strips_without_cpus_find_them_in_the_history)
{
	switched(&kit.told, .time_ns = time_of(SWITCHES), .prev = nginx, .next = redis, .cpu = 5,
		 .slice_ns = 10);
	((struct snapshot *)(uintptr_t)engine_snapshot(kit.engine))->cpu_count = 0;
	kit_build();

	assert_int_equal(timeline()->strip_count, 2);
	assert_int_equal(timeline()->strips[0].cpu, 0);
	assert_int_equal(timeline()->strips[1].cpu, 5);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up, kit_tear_down);
}
