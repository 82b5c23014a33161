/*
 * Time on the screen, of a recording and of a live session. The clock stands still unless a test
 * moves it.
 */

#include <inttypes.h>
#include <locale.h>

#include "kernel/sys.h"

#include "fake_app.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/pager.h"
#include "mode/prompts.h"
#include "playback/playback.h"
#include "playback/playback_parts.h"
#include "term/key.h"
#include "unit.h"

enum {
	NS_PER_S = 1000000000,
	NS_PER_MS = 1000000
};

static uint64_t clock_ns;
static uint64_t clock_step_ns; /* it goes on by this with each look */

uint64_t __wrap_sys_now_ns(void);

uint64_t __wrap_sys_now_ns(void)
{
	clock_ns += clock_step_ns;
	return clock_ns;
}

static void assert_refused(const char *text, enum error_code code)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, text, &error));
	assert_int_equal(error.code, code);
}

/* Number of the interval that is shown. */
static uint64_t shown(void)
{
	return app_snapshot(&kit.app) != NULL ? app_snapshot(&kit.app)->sequence : 0;
}

static int set_up_live(void **state)
{
	kit_set_up(state);
	clock_ns = 100ull * NS_PER_S;
	clock_step_ns = 0;
	kit.replay_at = 0;
	for (int i = 0; i < 5; i++) {
		engine_tick(kit.app.engine);
		app_keep_interval(&kit.app);
	}
	return 0;
}

static int set_up_replay(void **state)
{
	kit_set_up(state);
	clock_ns = 100ull * NS_PER_S;
	clock_step_ns = 0;
	kit.replay_length = 10;
	kit.app.engine->snapshot = NULL;
	return 0;
}

/* So many intervals are played. */
static void play(size_t count)
{
	for (size_t i = 0; i < count; i++) {
		playback_round(kit.app.playback);
		clock_ns += NS_PER_S;
	}
}

/* Until nothing is searched for. */
static void find(void)
{
	for (int i = 0; i < 100; i++)
		playback_round(kit.app.playback);
}

UNIT_TEST_WITH(live_is_not_shown_before_it_is_frozen, set_up_live, kit_tear_down)
{
	struct strbuf out = {0};

	assert_false(playback_has_keys(kit.app.playback));
	assert_int_equal(playback_write_slider(kit.app.playback, 80, kit.app.ascii, &out).mark, -1);
	assert_int_equal(out.length, 0);
	run("freeze");
	assert_true(playback_has_keys(kit.app.playback));
	assert_true(playback_write_slider(kit.app.playback, 80, kit.app.ascii, &out).mark > 0);
	strbuf_fini(&out);
}

UNIT_TEST_WITH(live_steps_back_and_on_and_is_frozen, set_up_live, kit_tear_down)
{
	run("step-back");
	assert_true(playback_is_frozen(kit.app.playback));
	assert_int_equal(shown(), 4);
	run("step-back");
	assert_int_equal(shown(), 3);
	run("step-on");
	run("step-on");
	assert_int_equal(shown(), 5);
	run("step-on");
	assert_int_equal(shown(), 5);
	assert_non_null(strstr(kit.app.message.text, "newest"));
}

UNIT_TEST_WITH(live_steps_on_to_what_came_since, set_up_live, kit_tear_down)
{
	run("freeze");
	engine_tick(kit.app.engine);
	app_keep_interval(&kit.app);
	assert_int_equal(shown(), 5);
	run("step-on");
	assert_int_equal(shown(), 6);
}

UNIT_TEST_WITH(live_goes_on_to_the_present, set_up_live, kit_tear_down)
{
	run("step-back");
	run("step-back");
	run("freeze");
	assert_false(playback_is_frozen(kit.app.playback));
	assert_int_equal(shown(), 5);
	assert_string_equal(kit.app.message.text, "live again");
}

UNIT_TEST_WITH(live_beginning_is_said, set_up_live, kit_tear_down)
{
	for (int i = 0; i < 4; i++)
		run("step-back");
	assert_int_equal(shown(), 1);
	run("step-back");
	assert_int_equal(shown(), 1);
	assert_string_equal(kit.app.message.text, "no earlier interval is kept");
}

UNIT_TEST_WITH(live_left_and_right_scroll_until_it_is_frozen, set_up_live, kit_tear_down)
{
	run("right");
	assert_int_equal(app_current(&kit.app)->list.scroll, 1);
	assert_false(playback_is_frozen(kit.app.playback));
	run("left");
	run("freeze");
	run("left");
	assert_int_equal(shown(), 4);
	run("right");
	assert_int_equal(shown(), 5);
	assert_int_equal(app_current(&kit.app)->list.scroll, 0);
	run("scroll-right");
	assert_int_equal(app_current(&kit.app)->list.scroll, 1);
}

UNIT_TEST_WITH(past_ends_with_what_is_shown, set_up_live, kit_tear_down)
{
	const struct snapshot *past[8];

	assert_int_equal(playback_past(kit.app.playback, past, 8), 5);
	assert_int_equal(past[0]->sequence, 1);
	assert_int_equal(past[4]->sequence, 5);
	run("jump -2s");
	assert_int_equal(playback_past(kit.app.playback, past, 8), 3);
	assert_int_equal(past[2]->sequence, 3);
	assert_int_equal(playback_past(kit.app.playback, past, 2), 2);
	assert_int_equal(past[0]->sequence, 2);
}

UNIT_TEST_WITH(live_jump_goes_back_in_what_is_kept, set_up_live, kit_tear_down)
{
	run("jump -2s");
	assert_int_equal(shown(), 3);
	run("jump 0");
	assert_int_equal(shown(), 1);
	run("jump 100%");
	assert_int_equal(shown(), 5);
	assert_refused("jump x", ERROR_TIME_BAD);
}

UNIT_TEST_WITH(live_gap_is_said, set_up_live, kit_tear_down)
{
	kit.replay_at += 3;
	engine_tick(kit.app.engine);
	app_keep_interval(&kit.app);
	run("step-back");
	assert_int_equal(shown(), 5);
	assert_string_equal(kit.app.message.text, "skipped 3 intervals (dropped from history)");
}

UNIT_TEST_WITH(live_gap_of_one_is_said_in_the_singular, set_up_live, kit_tear_down)
{
	kit.replay_at += 1;
	engine_tick(kit.app.engine);
	app_keep_interval(&kit.app);
	run("step-back");
	assert_string_equal(kit.app.message.text, "skipped 1 interval (dropped from history)");
}

UNIT_TEST_WITH(live_has_no_speed, set_up_live, kit_tear_down)
{
	run("speed 2x");
	assert_string_equal(kit.app.message.text, "only a recording has a speed (perftop -i FILE)");
}

UNIT_TEST_WITH(live_history_is_looked_at_up_to_the_interval, set_up_live, kit_tear_down)
{
	kit_keep_history(2 * HISTORY_BLOCK);
	kit.told.now_ns = 4500000000;
	for (int i = 0; i < 10; i++)
		switched(&kit.told, .left = ACTOR_IDLE, .came = ACTOR_IDLE);
	kit.told.now_ns = 5500000000;
	for (int i = 0; i < 10; i++)
		switched(&kit.told, .left = ACTOR_IDLE, .came = ACTOR_IDLE);
	run("step-back"); /* ends at 5 s */
	assert_int_equal(history_settled(playback_history(kit.app.playback)), 10);
	run("step-back");
	assert_int_equal(history_settled(playback_history(kit.app.playback)), 0);
	run("step-on");
	run("step-on");
	assert_int_equal(history_settled(playback_history(kit.app.playback)), 20);
}

UNIT_TEST_WITH(live_history_of_later_than_the_freeze_is_taken_anew, set_up_live, kit_tear_down)
{
	kit_keep_history(2 * HISTORY_BLOCK);
	run("freeze");
	kit.told.now_ns = 6500000000;
	switched(&kit.told, .left = ACTOR_IDLE, .came = ACTOR_IDLE);
	engine_tick(kit.app.engine);
	app_keep_interval(&kit.app);
	run("step-on");
	assert_int_equal(history_settled(playback_history(kit.app.playback)), 1);
}

UNIT_TEST_WITH(page_of_who_was_not_there_says_so, set_up_live, kit_tear_down)
{
	struct error error = {0};

	assert_true(page_open(&kit.app, "7", &error));
	kit.app.page.pid = kit.app.page.tid = 950; /* nobody knows it */
	page_refresh(&kit.app);
	assert_non_null(strstr(strbuf_text(&kit.app.pager.text), "page 1 of 7"));
	run("step-back");
	page_refresh(&kit.app);
	assert_non_null(strstr(strbuf_text(&kit.app.pager.text), "Task 950 was not there"));
}

UNIT_TEST(replay_plays_at_real_speed)
{
	assert_int_equal(playback_round(kit.app.playback), NS_PER_S);
	assert_int_equal(shown(), 1);
	clock_ns += NS_PER_S - 10 * NS_PER_MS;
	assert_int_equal(playback_round(kit.app.playback), 10 * NS_PER_MS);
	assert_int_equal(shown(), 1);
	clock_ns += 10 * NS_PER_MS;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 2);
}

UNIT_TEST(replay_that_is_late_catches_up)
{
	playback_round(kit.app.playback);
	clock_ns += 3ull * NS_PER_S;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 4);
}

UNIT_TEST(replay_round_ends_soon_however_late_it_is)
{
	clock_step_ns = 15 * NS_PER_MS;
	run("speed max");
	playback_round(kit.app.playback);
	assert_in_range(shown(), 1, 4);
	assert_int_equal(playback_round(kit.app.playback), NS_PER_MS);
}

UNIT_TEST(replay_speed_is_a_factor)
{
	playback_round(kit.app.playback);
	run("speed 4x");
	assert_string_equal(kit.app.message.text, "4x");
	clock_ns += NS_PER_S;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 5);
	clock_ns += NS_PER_S - 1;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 8);
	run("speed slower");
	assert_string_equal(kit.app.message.text, "2x");
	run("speed faster");
	assert_string_equal(kit.app.message.text, "5x");
	run("speed");
	assert_string_equal(kit.app.message.text, "10x");
	assert_refused("speed fast", ERROR_SPEED_BAD);
}

UNIT_TEST(replay_space_stops_and_goes_on)
{
	play(2);
	run("freeze");
	play(5);
	assert_int_equal(shown(), 2);
	run("freeze");
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 3);
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 3);
}

UNIT_TEST(replay_stopped_at_once_shows_its_first_interval)
{
	run("freeze");
	for (int i = 0; i < 3; i++) {
		clock_ns += 10ull * NS_PER_S;
		playback_round(kit.app.playback);
	}

	assert_int_equal(shown(), 1);
	assert_false(kit.app.playback->is_playing);
}

UNIT_TEST(replay_end_is_said_and_stops)
{
	play(12);
	assert_int_equal(shown(), 10);
	assert_string_equal(kit.app.message.text,
			    "end of the recording: it is cut off; Left: back; g: to a time");
	kit.app.message.text[0] = '\0';
	run("freeze");
	assert_string_equal(kit.app.message.text, "end of the recording");
	run("step-on");
	assert_string_equal(kit.app.message.text, "this is the end of the recording");
}

UNIT_TEST(replay_steps_stop_it)
{
	play(5);
	run("left");
	assert_int_equal(shown(), 4);
	play(3);
	assert_int_equal(shown(), 4);
	run("right");
	assert_int_equal(shown(), 5);
	assert_false(playback_is_frozen(kit.app.playback));
	run("right");
	assert_int_equal(shown(), 6);
	assert_int_equal(kit.rewinds, 0);
}

UNIT_TEST(replay_goes_on_from_where_it_was_walked_back_to)
{
	play(5);
	run("left");
	run("left");
	run("freeze");
	for (uint64_t i = 4; i < 8; i++) {
		playback_round(kit.app.playback);
		assert_int_equal(shown(), i);
		clock_ns += NS_PER_S;
	}
}

UNIT_TEST(replay_step_before_what_is_kept_begins_anew)
{
	run("jump 0:05.5");
	find();
	assert_int_equal(shown(), 6);
	playback_destroy(kit.app.playback);
	kit.app.playback =
		playback_create(kit.app.engine, OPTIONS_PAST_MIB, &app_playback_ops, &kit.app);
	app_keep_interval(&kit.app);
	run("left");
	find();
	assert_int_equal(kit.rewinds, 1);
	assert_int_equal(shown(), 5);
	run("left");
	assert_int_equal(shown(), 4);
	assert_int_equal(kit.rewinds, 1);
}

/* What is left out would be passed over when it is played once more. */
UNIT_TEST(replay_keeps_what_it_keeps_without_gaps)
{
	play(1);
	kit.app.playback->kept.bytes_max = 4 * kit.app.playback->kept.bytes;
	run("speed max");
	find();
	assert_int_equal(shown(), 10);
	for (uint64_t i = 9; i >= 1; i--) {
		run("left");
		find();
		assert_int_equal(shown(), i);
	}
	assert_true(kit.rewinds > 0);
}

UNIT_TEST(replay_step_before_the_beginning_is_said)
{
	play(1);
	run("left");
	assert_int_equal(shown(), 1);
	assert_int_equal(kit.rewinds, 0);
	assert_string_equal(kit.app.message.text, "this is the beginning of the recording");
}

UNIT_TEST(replay_jumps_on_back_and_goes_on_playing)
{
	play(2);
	run("jump 0:07.5");
	find();
	assert_int_equal(shown(), 8);
	clock_ns += NS_PER_S;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 9);
	run("jump 0:03");
	assert_int_equal(shown(), 3);
	clock_ns += NS_PER_S;
	playback_round(kit.app.playback);
	assert_int_equal(shown(), 4);
	assert_int_equal(kit.rewinds, 0);
}

UNIT_TEST(replay_jump_while_stopped_stays_stopped)
{
	play(2);
	run("freeze");
	run("jump 50%");
	find();
	assert_int_equal(shown(), 5);
	play(3);
	assert_int_equal(shown(), 5);
}

/* Who did not run is in sums and trees, too. */
UNIT_TEST(replay_jump_back_shows_the_tasks_it_showed_before)
{
	size_t before;

	task(&kit.world, .pid = 90, .name = "sleeps", .is_idle = true);
	play(3);
	before = app_snapshot(&kit.app)->task_count;
	run("jump 100%");
	find();
	run("jump 30%");
	find();

	assert_int_equal(app_snapshot(&kit.app)->sequence, 3);
	assert_ptr_not_equal(app_snapshot(&kit.app), kit.app.engine->snapshot);
	assert_int_equal(app_snapshot(&kit.app)->task_count, before);
}

UNIT_TEST(replay_jump_to_the_ends)
{
	play(2);
	run("jump 100%");
	find();
	assert_int_equal(shown(), 10);
	run("jump 0");
	find();
	assert_int_equal(shown(), 1);
}

UNIT_TEST(replay_jump_can_be_broken_off)
{
	play(2);
	clock_step_ns = 50 * NS_PER_MS;
	run("jump 100%");
	playback_round(kit.app.playback);
	run("freeze");
	find();
	assert_int_equal(shown(), 3);
}

UNIT_TEST(replay_of_a_pipe_is_walked_back_as_far_as_it_is_kept)
{
	kit.is_pipe = true;
	play(3);
	run("left");
	assert_int_equal(shown(), 2);
	playback_destroy(kit.app.playback);
	kit.app.playback =
		playback_create(kit.app.engine, OPTIONS_PAST_MIB, &app_playback_ops, &kit.app);
	run("freeze");
	run("left");
	assert_true(kit.app.message.is_error);
}

UNIT_TEST(replay_pipe_that_has_nothing_yet_is_waited_for)
{
	play(3);
	assert_true(playback_round(kit.app.playback) > 0);
	assert_int_equal(shown(), 4);
}

static void assert_slider(size_t width, const char *begin, const char *end)
{
	struct strbuf out = {0};
	const int mark = playback_write_slider(kit.app.playback, width, kit.app.ascii, &out).mark;
	const size_t length = strlen(end);

	assert_true(mark > 0);
	if (strncmp(strbuf_text(&out), begin, strlen(begin)) != 0)
		fail_msg("%s", strbuf_text(&out));
	if (strcmp(strbuf_text(&out) + out.length - length, end) != 0)
		fail_msg("%s", strbuf_text(&out));
	assert_int_equal(text_width(strbuf_text(&out)), width);
	strbuf_fini(&out);
}

UNIT_TEST(slider_of_a_replay_tells_place_and_speed)
{
	setenv("TZ", "UTC", 1);
	play(3);
	assert_slider(80, "playing 1x  0:03 of 0:10  ▁▁▁▁", "████  22:13:23");
	run("freeze");
	assert_slider(80, "stopped  0:03 of 0:10  ", "  22:13:23");
	run("speed max");
	run("freeze");
	assert_slider(60, "playing, no waits  0:03 of 0:10  ", "  22:13:23");
	kit.app.ascii = true;
	assert_slider(60, "playing, no waits  0:03 of 0:10  ....", "##  22:13:23");
}

UNIT_TEST(slider_of_a_pipe_is_what_was_seen)
{
	kit.is_pipe = true;
	play(3);
	assert_slider(60, "playing 1x  0:03 of 0:03  █", "  22:13:23");
}

UNIT_TEST_WITH(slider_of_a_live_session_tells_how_long_ago, set_up_live, kit_tear_down)
{
	run("step-back");
	run("step-back");
	assert_slider(80, "22:13:23  0:02 ago  █", "█  kept 0:05, 0.0 of 32 MiB");
}

UNIT_TEST_WITH(keys_of_time_are_bound, set_up_live, kit_tear_down)
{
	assert_string_equal(keys_command(' '), "space");
	assert_string_equal(keys_command(KEY_CODE_LEFT), "left");
	assert_string_equal(keys_command(','), "step-back");
	assert_string_equal(keys_command('g'), "ask jump");
	assert_true(keys_is_of_time("freeze"));
	assert_true(keys_is_of_time("speed faster"));
	assert_false(keys_is_of_time("speedy"));
	assert_false(keys_is_of_time("sort cpu%"));
}

UNIT_TEST_WITH(record_begins_and_ends, set_up_live, kit_tear_down)
{
	struct strbuf out = {0};

	run("record x.data");
	assert_string_equal(kit.recorded, "x.data");
	assert_refused("record y.data", ERROR_RECORDING_ON);
	run("ask record"); /* the key ends it */
	assert_null(kit.app.engine->recorder);
	assert_false(kit.app.prompts.line.is_open);
	assert_refused("record", ERROR_COMMAND_USAGE);
	assert_refused("record no/such", ERROR_FILE_OPEN);
	run("ask record");
	assert_true(kit.app.prompts.line.is_open);
	assert_string_equal(prompt_text(&kit.app.prompts.line), "perftop.data");
	strbuf_fini(&out);
}

UNIT_TEST_WITH(record_that_is_not_whole_is_said, set_up_live, kit_tear_down)
{
	run("record x.data");
	kit.disk_is_full = true;
	assert_refused("record", ERROR_FILE_WRITE);
}

UNIT_TEST(record_and_perf_are_not_of_a_replay)
{
	assert_refused("record x.data", ERROR_REPLAY_NOT);
	assert_refused("hand-over", ERROR_REPLAY_NOT);
}

UNIT_TEST_WITH(hand_over_proposes_a_command, set_up_live, kit_tear_down)
{
	run("hand-over");
	assert_true(kit.app.prompts.line.is_open);
	assert_string_equal(prompt_text(&kit.app.prompts.line), "perf record -g -p 7 -e cpu-clock");
	assert_true(kit.app.prompts.candidate_count > 0);
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_false(kit.app.prompts.line.is_open);
	run("view switches");
	kit_build();
	assert_refused("hand-over", ERROR_TASK_NONE);
	assert_refused("hand-over nosuchprogram", ERROR_PROGRAM_MISSING);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up_replay, kit_tear_down);
}
