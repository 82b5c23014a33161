/* Attaching: what the words mean, and what is said when those attached to have ended. */

#include "model/snapshot.h"

#include "fake_app.h"
#include "mode/attach.h"
#include "unit.h"

static void attach(const char *words)
{
	struct error error = {0};

	if (!attach_to(&kit.app, words, &error))
		fail_msg("%s: %s", words, error.text);
}

static void assert_refused(const char *words, enum error_code code, const char *text)
{
	struct error error = {0};

	assert_false(attach_to(&kit.app, words, &error));
	assert_int_equal(error.code, code);
	assert_string_equal(error.text, text);
	assert_int_equal(kit.app.attached.count, 0);
}

UNIT_TEST(attach_to_a_pid_shows_it)
{
	attach("8");

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 8);
	assert_int_equal(kit.attached_count, 1);
	assert_int_equal(kit.attached[0], 8);
	assert_string_equal(kit.app.attached.name, "n8 8");
	assert_string_equal(kit.app.message, "attached to n8 8; A: all tasks");
	assert_true(kit.app.needs_build);
	assert_int_equal(kit.walks, 1);
}

UNIT_TEST(attach_to_a_thread_means_its_process)
{
	attach("77");

	assert_int_equal(kit.app.attached.pids[0], 7);
	assert_int_equal(kit.attached[0], 7);
}

UNIT_TEST(attach_to_nothing_means_the_row_under_the_cursor)
{
	app_current(&kit.app)->list.cursor.at = 1;
	attach("");

	assert_int_equal(kit.app.attached.pids[0], 70);
}

UNIT_TEST(attach_to_no_row_is_refused)
{
	kit.world.snapshot.task_count = 0;
	kit_build();
	assert_refused("", ERROR_PROCESS_NONE, "the selected row: no process has this name");
}

UNIT_TEST(attach_to_a_name_means_all_who_bear_it)
{
	kit.named[0] = 7;
	kit.named[1] = 8;
	kit.named_count = 2;
	attach("named");

	assert_int_equal(kit.app.attached.count, 2);
	assert_int_equal(kit.app.attached.pids[1], 8);
	assert_string_equal(kit.app.attached.name, "2 processes, n7 7...");
}

UNIT_TEST(attach_to_a_part_of_one_name_will_do)
{
	attach("REDI");

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 8);
}

UNIT_TEST(attach_to_a_part_of_several_names_is_refused)
{
	assert_refused("ngin", ERROR_PROCESS_SEVERAL,
		       "ngin: several processes match, type more of the name");
}

UNIT_TEST(attach_to_nobody_is_refused)
{
	assert_refused("apache", ERROR_PROCESS_NONE, "apache: no process has this name");
}

UNIT_TEST(attach_to_what_is_no_pid_is_refused)
{
	static const char *const words[] = {"0", "-1", "+7", "99999999999", "2147483648", "1-2"};

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s: not a process id", words[i]);
		assert_refused(words[i], ERROR_PID_BAD, text);
	}
}

UNIT_TEST(attach_to_a_pid_that_has_gone_is_refused)
{
	assert_refused("900", ERROR_PROCESS_GONE, "900: no such process");
	assert_int_equal(kit.attached_count, 0);
}

UNIT_TEST(attach_to_a_foreign_pid_is_refused)
{
	assert_refused("1000", ERROR_PROCESS_FOREIGN, "it: not your process (a test)");
}

UNIT_TEST(attach_refused_leaves_the_one_before)
{
	struct error error = {0};

	attach("7");
	assert_false(attach_to(&kit.app, "1000", &error));

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 7);
}

UNIT_TEST(attach_to_pids_one_missing_refuses_all)
{
	static const int32_t pids[] = {900, 7};
	struct error error = {0};

	assert_false(attach_to_pids(&kit.app, pids, 2, &error));
	assert_string_equal(error.text, "900: no such process");
	assert_int_equal(kit.app.attached.count, 0);
	assert_int_equal(kit.attached_count, 0);
}

/* Who bears the name or the number on this machine is somebody else. */
UNIT_TEST(attach_in_a_recording_means_those_in_it)
{
	kit.replay_length = 3;
	kit.named[0] = 33;
	kit.named_count = 1;
	task(&kit.world, .pid = 950, .name = "named", .run_ms = 1);
	attach("named");
	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 950);
	assert_string_equal(kit.app.attached.name, "named 950");
}

/* It has ended since, where the recording has been read up to. */
UNIT_TEST(attach_in_a_recording_takes_who_is_seen)
{
	struct snapshot newest = {0};

	kit.replay_length = 3;
	task(&kit.world, .pid = 950, .name = "gone", .run_ms = 1);
	playback_freeze(kit.app.playback, true);
	kit.app.engine->snapshot = &newest;
	attach("950");
	assert_string_equal(kit.app.attached.name, "gone 950");
	playback_freeze(kit.app.playback, false);
	kit.app.engine->snapshot = &kit.world.snapshot;
}

UNIT_TEST(attach_again_replaces)
{
	attach("7");
	attach("8");

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 8);
}

UNIT_TEST(attach_watch_announces_the_end_once)
{
	attach("7");
	attach_watch(&kit.app);
	assert_string_equal(kit.app.message, "attached to n7 7; A: all tasks");
	kit.world.tasks[0].is_exited = true;
	attach_watch(&kit.app);
	assert_string_equal(kit.app.message, "n7 7 has ended; the last values stay until A");

	kit.world.tasks[0].is_exited = false;
	kit.world.tasks[0].is_held = true;
	kit.app.message[0] = '\0';
	attach_watch(&kit.app);
	assert_string_equal(kit.app.message, "");
}

UNIT_TEST(attach_watch_counts_those_that_ended)
{
	static const int32_t pids[] = {7, 8};

	assert_true(attach_to_pids(&kit.app, pids, 2, NULL));
	kit.world.tasks[0].is_exited = true;
	attach_watch(&kit.app);

	assert_string_equal(kit.app.message,
			    "1 of 2 attached processes have ended; their last values stay until A");
}

UNIT_TEST(attach_list_candidates_knows_pids_names_and_command_lines)
{
	static const struct {
		const char *words;
		size_t count;
		int32_t first;
	} cases[] = {{"7", 2, 7},    {"70", 1, 70}, {"redis", 1, 8},
		     {"sbin", 1, 7}, {"", 0, 0},    {"apache", 0, 0}};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		attach_list_candidates(&kit.app, cases[i].words);
		assert_int_equal(kit.app.candidate_count, cases[i].count);
		if (cases[i].count > 0)
			assert_int_equal(kit.app.candidate_pids[0], cases[i].first);
	}
}

UNIT_TEST(attach_list_candidates_shows_names_harmless)
{
	task(&kit.world, .pid = 9, .name = "\033[2J", .run_ms = 1);
	attach_list_candidates(&kit.app, "9");

	assert_string_equal(strbuf_text(&kit.app.candidates[0]), "       9  \\x1B[2J");
}

UNIT_TEST(attach_list_candidates_leaves_out_who_has_ended)
{
	kit.world.tasks[2].is_exited = true;
	attach_list_candidates(&kit.app, "redis");

	assert_int_equal(kit.app.candidate_count, 0);
}

UNIT_TEST(attach_list_candidates_is_short)
{
	for (int32_t i = 0; i < 8; i++)
		task(&kit.world, .pid = 500 + i, .name = "many", .run_ms = 1);
	attach_list_candidates(&kit.app, "many");

	assert_int_equal(kit.app.candidate_count, APP_CANDIDATES_MAX);
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
