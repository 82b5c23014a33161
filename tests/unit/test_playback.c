/*
 * Time on the screen, of a recording and of a live session. The clock stands still unless a test
 * moves it.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

#include "app_story.h"
#include "error_name.h"
#include "playback/playback.h"
#include "playback/playback_parts.h"

static int set_up_live(void **state)
{
	kit_set_up(state);
	for (int i = 1; i < 5; i++)
		kit_tick();
	return 0;
}

static int set_up_replay(void **state)
{
	kit_set_up(state);
	kit_replay(10);
	return 0;
}

/* What was kept is forgotten. */
static void forget(void)
{
	playback_destroy(kit.app.playback);
	kit.app.playback =
		playback_create(kit.app.engine, OPTIONS_PAST_MIB, &app_playback_ops, &kit.app);
}

/* A recording that comes through a pipe, which has room for all of it. */
static void show_through_pipe(void)
{
	static char name[32];
	int ends[2];

	kit_tear_down(NULL);
	kit_set_up(NULL);
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[1]);
	kit_begin_recording(name);
	for (int i = 0; i < 10; i++)
		kit_tick();
	kit_end_recording();
	close(ends[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	kit_show(name);
	close(ends[0]);
}

static void assert_slider(size_t width, const char *begin, const char *end)
{
	struct strbuf out = {0};
	const int mark =
		playback_write_slider(kit.app.playback, width, kit.app.screen.is_ascii, &out).mark;
	const size_t length = strlen(end);

	assert_true(mark > 0);
	if (strncmp(strbuf_text(&out), begin, strlen(begin)) != 0)
		fail_msg("%s", strbuf_text(&out));
	if (strcmp(strbuf_text(&out) + out.length - length, end) != 0)
		fail_msg("%s", strbuf_text(&out));
	assert_int_equal(text_width(strbuf_text(&out)), width);
	strbuf_fini(&out);
}

static bool take_time_step(const char *step)
{
	char begin[96], end[96];
	int number;

	if (sscanf(step, "play %d", &number) == 1) /* a second of the clock each */
		for (; number > 0; number--, kit.now_ns += NS_PER_S)
			playback_round(kit.app.playback);
	else if (sscanf(step, "rounds %d", &number) == 1)
		for (; number > 0; number--)
			playback_round(kit.app.playback);
	else if (sscanf(step, "waits %d ms", &number) == 1)
		assert_int_equal(playback_round(kit.app.playback), number * NS_PER_MS);
	else if (sscanf(step, "clock +%d ms", &number) == 1)
		kit.now_ns += (uint64_t)number * NS_PER_MS;
	else if (sscanf(step, "looks take %d ms", &number) == 1)
		kit.look_ns = (uint64_t)number * NS_PER_MS;
	else if (sscanf(step, "lost %d", &number) == 1)
		for (; number > 0; number--)
			engine_tick(kit.engine);
	else if (sscanf(step, "switches at %d ms", &number) == 1)
		for (kit.told.now_ns = (uint64_t)number * NS_PER_MS, number = 10; number > 0;
		     number--)
			switched(&kit.told, .prev = ACTOR_IDLE, .next = ACTOR_IDLE);
	else if (sscanf(step, "settled %d", &number) == 1)
		assert_int_equal(history_settled(playback_history(kit.app.playback)), number);
	else if (sscanf(step, "slider %d [%[^]]] [%[^]]]", &number, begin, end) == 3)
		assert_slider((size_t)number, begin, end);
	else if (strcmp(step, "tick") == 0)
		kit_tick();
	else if (strcmp(step, "history") == 0)
		kit_keep_history(2 * HISTORY_BLOCK);
	else if (strcmp(step, "keep") == 0)
		app_keep_interval(&kit.app);
	else if (strcmp(step, "forget") == 0)
		forget();
	else if (strcmp(step, "pipe") == 0)
		show_through_pipe();
	else
		return false;
	return true;
}

static void take_time_stories(const struct story *stories, size_t count, int (*set_up)(void **))
{
	more_steps = take_time_step;
	for (size_t i = 0; i < count; i++) {
		begin_case(stories[i].name);
		kit_tear_down(NULL);
		set_up(NULL);
		take_steps(stories[i].steps);
	}
	more_steps = NULL;
}

static const struct story live_stories[] = {
	{"steps back and on",
	 ":step-back | frozen yes | interval 4 | :step-back | interval 3 | :step-on | :step-on | "
	 "interval 5 | :step-on | interval 5 | says newest"},
	{"steps on to what came since", ":freeze | tick | interval 5 | :step-on | interval 6"},
	{"goes on to the present",
	 ":step-back | :step-back | :freeze | frozen no | interval 5 | said live again"},
	{"beginning", ":step-back | :step-back | :step-back | :step-back | interval 1 | "
		      ":step-back | interval 1 | said no earlier interval is kept"},
	{"left and right scroll until it is frozen",
	 ":right | scroll 1 | frozen no | :left | :freeze | :left | interval 4 | :right | "
	 "interval 5 | scroll 0 | :scroll-right | scroll 1"},
	{"jumps in what is kept", ":jump -2s | interval 3 | :jump 0 | interval 1 | :jump 100% | "
				  "interval 5"},
	{"gap", "lost 3 | tick | :step-back | interval 5 | "
		"said skipped 3 intervals (dropped from history)"},
	{"gap of one",
	 "lost 1 | tick | :step-back | said skipped 1 interval (dropped from history)"},
	{"no speed", ":speed max | said only a recording has a speed (perftop -i FILE)"},
	{"history up to the interval", /* the one before the last ends at 5 s */
	 "history | switches at 4500 ms | switches at 5500 ms | :step-back | settled 10 | "
	 ":step-back | settled 0 | :step-on | :step-on | settled 20"},
	{"history of later than the freeze",
	 "history | :freeze | switches at 6500 ms | tick | :step-on | settled 10"},
	{"slider says how long ago", ":step-back | :step-back | slider 80 [22:13:23  0:02 ago  █] "
				     "[█  kept 0:05, 0.1 of 32 MiB]"},
};

UNIT_TEST(live_session_as_in_the_stories)
{
	take_time_stories(live_stories, COUNT_OF(live_stories), set_up_live);
}

static const struct story replay_stories[] = {
	{"real speed", "waits 1000 ms | interval 1 | clock +990 ms | waits 10 ms | interval 1 | "
		       "clock +10 ms | rounds 1 | interval 2"},
	{"late", "rounds 1 | clock +3000 ms | rounds 1 | interval 4"},
	{"speed", "rounds 1 | :speed max | said speed: max | :freeze | :speed recorded | "
		  "said speed: recorded | :speed | said speed: max"},
	{"space stops and goes on", "play 2 | :freeze | play 5 | interval 2 | :freeze | rounds 1 | "
				    "interval 3 | rounds 1 | interval 3"},
	{"stopped at once shows its first interval", ":freeze | play 30 | interval 1"},
	{"end", "play 12 | interval 10 | said end of the recording; Left: back; g: "
		"to a time | @read | :freeze | said end of the recording | :step-on | "
		"said this is the end of the recording"},
	{"steps stop it", "play 5 | :left | interval 4 | play 3 | interval 4 | :right | "
			  "interval 5 | frozen no | :right | interval 6"},
	{"goes on from where it was walked back to",
	 "play 5 | :left | :left | :freeze | play 1 | interval 4 | play 1 | interval 5 | play 1 | "
	 "interval 6 | play 1 | interval 7"},
	{"step before what is kept begins anew",
	 ":jump 0:05.5 | rounds 100 | interval 6 | forget | keep | :left | rounds 100 | "
	 "interval 5 | :left | interval 4"},
	{"step before the beginning", "play 1 | :left | interval 1 | "
				      "said this is the beginning of the recording"},
	{"jump on and back goes on playing",
	 "play 2 | :jump 0:07.5 | rounds 100 | interval 8 | clock +1000 ms | rounds 1 | "
	 "interval 9 | :jump 0:03 | interval 3 | clock +1000 ms | rounds 1 | interval 4"},
	{"jump while stopped",
	 "play 2 | :freeze | :jump 50% | rounds 100 | interval 5 | play 3 | interval 5"},
	{"jump to the ends", "play 2 | :jump 100% | rounds 100 | interval 10 | :jump 0 | "
			     "rounds 100 | interval 1"},
	{"jump broken off", "play 2 | looks take 50 ms | :jump 100% | rounds 1 | :freeze | "
			    "rounds 100 | interval 3"},
	{"pipe is walked back as far as it is kept",
	 "pipe | play 3 | :left | interval 2 | forget | :freeze | :left | wrong yes"},
	{"slider", "play 3 | slider 80 [playing  0:03 of 0:10  ███] [██▅   22:13:25] | "
		   ":freeze | slider 80 [stopped  0:03 of 0:10  ] [  22:13:25] | :speed max | "
		   ":freeze | slider 60 [playing, no waits  0:03 of 0:10  ] [  22:13:25] | "
		   "@ascii | slider 60 [playing, no waits  0:03 of 0:10  #] [  22:13:25]"},
	{"slider of a pipe is what was seen",
	 "pipe | play 3 | slider 60 [playing  0:03 of 0:03  █] [  22:13:25]"},
};

UNIT_TEST(replay_as_in_the_stories)
{
	setenv("TZ", "UTC", 1);
	take_time_stories(replay_stories, COUNT_OF(replay_stories), set_up_replay);
}

static void assert_refused(const char *text, enum error_code code)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, text, &error));
	assert_string_equal(error_name(error.code), error_name(code));
}

UNIT_TEST_WITH(live_is_not_shown_before_it_is_frozen, set_up_live, kit_tear_down)
{
	struct strbuf out = {0};

	assert_false(playback_has_keys(kit.app.playback));
	assert_int_equal(
		playback_write_slider(kit.app.playback, 80, kit.app.screen.is_ascii, &out).mark,
		-1);
	assert_int_equal(out.length, 0);
	run("freeze");
	assert_true(playback_has_keys(kit.app.playback));
	assert_true(
		playback_write_slider(kit.app.playback, 80, kit.app.screen.is_ascii, &out).mark >
		0);
	strbuf_fini(&out);
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

UNIT_TEST_WITH(page_of_who_was_not_there_says_so, set_up_live, kit_tear_down)
{
	struct pager *pager = kit.app.parts[PART_pager];
	struct task_page *page = kit.app.parts[PART_page];
	struct error error = {0};

	assert_true(page_open(&kit.app, "7", &error));
	page->subject.pid = page->subject.tid = 950; /* nobody knows it */
	page_refresh(&kit.app);
	assert_non_null(strstr(strbuf_text(&pager->text), "# nginx 7"));
	run("step-back");
	page_refresh(&kit.app);
	assert_non_null(strstr(strbuf_text(&pager->text), "Task 950 was not there"));
}

UNIT_TEST(replay_round_ends_soon_however_late_it_is)
{
	kit.look_ns = 15 * NS_PER_MS;
	run("speed max");
	playback_round(kit.app.playback);
	assert_in_range(app_snapshot(&kit.app)->sequence, 1, 4);
	assert_int_equal(playback_round(kit.app.playback), NS_PER_MS);
}

/* What is left out would be passed over when it is played once more. */
UNIT_TEST(replay_keeps_what_it_keeps_without_gaps)
{
	take_time_step("play 1");
	kit.app.playback->kept.bytes_max = 4 * kit.app.playback->kept.bytes;
	run("speed max");
	take_time_step("rounds 100");
	assert_int_equal(app_snapshot(&kit.app)->sequence, 10);
	for (uint64_t i = 9; i >= 1; i--) {
		run("left");
		take_time_step("rounds 100");
		assert_int_equal(app_snapshot(&kit.app)->sequence, i);
	}
}

/* Who did not run is in sums and trees, too. */
UNIT_TEST(replay_jump_back_shows_the_tasks_it_showed_before)
{
	size_t before;

	kit_tear_down(NULL);
	kit_set_up(NULL);
	add_task(.pid = 90, .name = "sleeps");
	kit_replay(10);
	take_time_step("play 3");
	before = app_snapshot(&kit.app)->task_count;
	run("jump 100%");
	take_time_step("rounds 100");
	run("jump 30%");
	take_time_step("rounds 100");

	assert_int_equal(app_snapshot(&kit.app)->sequence, 3);
	assert_ptr_not_equal(app_snapshot(&kit.app), kit.app.engine->snapshot);
	assert_int_equal(app_snapshot(&kit.app)->task_count, before);
}

/* Of a live session they are not kept, and whoever looks for them is told so. */
UNIT_TEST_WITH(idle_tasks_of_the_past_are_not_kept, set_up_live, kit_tear_down)
{
	add_task(.pid = 90, .name = "sleeps");
	for (int i = 0; i < 3; i++)
		kit_tick();
	run("idle on");
	assert_false(playback_lacks_idle(kit.app.playback));
	run("freeze");
	run("left");
	assert_true(playback_lacks_idle(kit.app.playback));
	assert_int_equal(app_snapshot(&kit.app)->task_count, 3);
	run("idle off");
	run("idle on");
	assert_non_null(strstr(kit.app.message.text, "idle tasks are not kept"));
	run("space");
	assert_false(playback_lacks_idle(kit.app.playback));
}

UNIT_TEST_WITH(keys_of_time_are_bound, set_up_live, kit_tear_down)
{
	assert_string_equal(keys_bound(kit.app.parts[PART_keys], ' '), "space");
	assert_string_equal(keys_bound(kit.app.parts[PART_keys], KEY_CODE_LEFT), "left");
	assert_string_equal(keys_bound(kit.app.parts[PART_keys], ','), "step-back");
	assert_string_equal(keys_bound(kit.app.parts[PART_keys], 'g'), "ask jump");
	assert_true(keys_is_of_time("freeze"));
	assert_true(keys_is_of_time("speed max"));
	assert_false(keys_is_of_time("speedy"));
	assert_false(keys_is_of_time("sort cpu%"));
}

UNIT_TEST_WITH(record_begins_and_ends, set_up_live, kit_tear_down)
{
	assert_int_equal(chdir(kit_root()), 0);
	run("record x.data");
	assert_string_equal(recorder_path(kit.engine->recordings.of[RECORDING_ASKED]), "x.data");
	assert_refused("record y.data", ERROR_RECORDING_ON);
	run("ask record"); /* the key ends it */
	assert_null(kit.engine->recordings.of[RECORDING_ASKED]);
	assert_false(prompts_shown()->line.is_open);
	assert_refused("record", ERROR_COMMAND_USAGE);
	assert_refused("record no/such", ERROR_RECORD_CREATE);
	run("ask record");
	assert_true(prompts_shown()->line.is_open);
	assert_string_equal(prompt_text(&prompts_shown()->line), "perftop.data");
	assert_int_equal(chdir("/"), 0);
}

UNIT_TEST_WITH(record_that_is_not_whole_is_said, set_up_live, kit_tear_down)
{
	char command[48];
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	snprintf(command, sizeof(command), "record /proc/self/fd/%d", ends[1]);
	run(command);
	close(ends[1]);
	close(ends[0]); /* nobody reads it any more */
	assert_refused("record", ERROR_RECORD_READER_GONE);
}

UNIT_TEST(replay_refuses)
{
	assert_refused("speed fast", ERROR_SPEED_BAD);
	assert_refused("jump x", ERROR_TIME_BAD);
	assert_refused("record x.data", ERROR_REPLAY_NOT);
	assert_refused("hand-over", ERROR_REPLAY_NOT);
}

UNIT_TEST_WITH(hand_over_proposes_a_command, set_up_live, kit_tear_down)
{
	run("hand-over");
	assert_true(prompts_shown()->line.is_open);
	assert_string_equal(prompt_text(&prompts_shown()->line),
			    "perf record -g -p 7 -e cycles,instructions,cache-references,"
			    "cache-misses,branch-misses,faults");
	assert_true(prompts_shown()->complete.count > 0);
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_false(prompts_shown()->line.is_open);
	run("view switches");
	kit_build();
	assert_refused("hand-over", ERROR_TASK_NONE);
}

int main(void)
{
	setlocale(LC_ALL, "C.UTF-8");
	return unit_run(set_up_replay, kit_tear_down);
}
