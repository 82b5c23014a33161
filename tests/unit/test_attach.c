/* Attaching: what the words mean, and what is said when those attached to have ended. */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/snapshot.h"

#include "fake_app.h"
#include "screen/attach.h"

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

static void attach_to_a_pid_shows_it(void **state)
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

static void attach_to_a_thread_means_its_process(void **state)
{
	attach("77");

	assert_int_equal(kit.app.attached.pids[0], 7);
	assert_int_equal(kit.attached[0], 7);
}

static void attach_to_nothing_means_the_row_under_the_cursor(void **state)
{
	app_current(&kit.app)->list.cursor = 1;
	attach("");

	assert_int_equal(kit.app.attached.pids[0], 70);
}

static void attach_to_no_row_is_refused(void **state)
{
	kit.world.snapshot.task_count = 0;
	kit_build();
	assert_refused("", ERROR_PROCESS_NONE, "the selected row: no process has this name");
}

static void attach_to_a_name_means_all_who_bear_it(void **state)
{
	kit.named[0] = 7;
	kit.named[1] = 8;
	kit.named_count = 2;
	attach("named");

	assert_int_equal(kit.app.attached.count, 2);
	assert_int_equal(kit.app.attached.pids[1], 8);
	assert_string_equal(kit.app.attached.name, "2 processes, n7 7...");
}

static void attach_to_a_part_of_one_name_will_do(void **state)
{
	attach("REDI");

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 8);
}

static void attach_to_a_part_of_several_names_is_refused(void **state)
{
	assert_refused("ngin", ERROR_PROCESS_SEVERAL,
		       "ngin: several processes match, type more of the name");
}

static void attach_to_nobody_is_refused(void **state)
{
	assert_refused("apache", ERROR_PROCESS_NONE, "apache: no process has this name");
}

static void attach_to_what_is_no_pid_is_refused(void **state)
{
	static const char *const words[] = {"0", "-1", "+7", "99999999999", "2147483648", "1-2"};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s: not a process id", words[i]);
		assert_refused(words[i], ERROR_PID_BAD, text);
	}
}

static void attach_to_a_pid_that_has_gone_is_refused(void **state)
{
	assert_refused("900", ERROR_PROCESS_GONE, "900: no such process");
	assert_int_equal(kit.attached_count, 0);
}

static void attach_to_a_foreign_pid_is_refused(void **state)
{
	assert_refused("1000", ERROR_PROCESS_FOREIGN, "it: not your process (a test)");
}

static void attach_refused_leaves_the_one_before(void **state)
{
	struct error error = {0};

	attach("7");
	assert_false(attach_to(&kit.app, "1000", &error));

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 7);
}

static void attach_to_pids_one_missing_refuses_all(void **state)
{
	static const int32_t pids[] = {900, 7};
	struct error error = {0};

	assert_false(attach_to_pids(&kit.app, pids, 2, &error));
	assert_string_equal(error.text, "900: no such process");
	assert_int_equal(kit.app.attached.count, 0);
	assert_int_equal(kit.attached_count, 0);
}

/* Who bears the name or the number on this machine is somebody else. */
static void attach_in_a_recording_means_those_in_it(void **state)
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
static void attach_in_a_recording_takes_who_is_seen(void **state)
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

static void attach_again_replaces(void **state)
{
	attach("7");
	attach("8");

	assert_int_equal(kit.app.attached.count, 1);
	assert_int_equal(kit.app.attached.pids[0], 8);
}

static void attach_watch_announces_the_end_once(void **state)
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

static void attach_watch_counts_those_that_ended(void **state)
{
	static const int32_t pids[] = {7, 8};

	assert_true(attach_to_pids(&kit.app, pids, 2, NULL));
	kit.world.tasks[0].is_exited = true;
	attach_watch(&kit.app);

	assert_string_equal(kit.app.message,
			    "1 of 2 attached processes have ended; their last values stay until A");
}

static void attach_list_candidates_knows_pids_names_and_command_lines(void **state)
{
	static const struct {
		const char *words;
		size_t count;
		int32_t first;
	} cases[] = {{"7", 2, 7},    {"70", 1, 70}, {"redis", 1, 8},
		     {"sbin", 1, 7}, {"", 0, 0},    {"apache", 0, 0}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		attach_list_candidates(&kit.app, cases[i].words);
		assert_int_equal(kit.app.candidate_count, cases[i].count);
		if (cases[i].count > 0)
			assert_int_equal(kit.app.candidate_pids[0], cases[i].first);
	}
}

static void attach_list_candidates_shows_names_harmless(void **state)
{
	task(&kit.world, .pid = 9, .name = "\033[2J", .run_ms = 1);
	attach_list_candidates(&kit.app, "9");

	assert_string_equal(strbuf_text(&kit.app.candidates[0]), "       9  \\x1B[2J");
}

static void attach_list_candidates_leaves_out_who_has_ended(void **state)
{
	kit.world.tasks[2].is_exited = true;
	attach_list_candidates(&kit.app, "redis");

	assert_int_equal(kit.app.candidate_count, 0);
}

static void attach_list_candidates_is_short(void **state)
{
	for (int32_t i = 0; i < 8; i++)
		task(&kit.world, .pid = 500 + i, .name = "many", .run_ms = 1);
	attach_list_candidates(&kit.app, "many");

	assert_int_equal(kit.app.candidate_count, APP_CANDIDATES_MAX);
}

#define ATTACH_TEST(name) cmocka_unit_test_setup_teardown(name, kit_set_up, kit_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ATTACH_TEST(attach_to_a_pid_shows_it),
		ATTACH_TEST(attach_to_a_thread_means_its_process),
		ATTACH_TEST(attach_to_nothing_means_the_row_under_the_cursor),
		ATTACH_TEST(attach_to_no_row_is_refused),
		ATTACH_TEST(attach_to_a_name_means_all_who_bear_it),
		ATTACH_TEST(attach_to_a_part_of_one_name_will_do),
		ATTACH_TEST(attach_to_a_part_of_several_names_is_refused),
		ATTACH_TEST(attach_to_nobody_is_refused),
		ATTACH_TEST(attach_to_what_is_no_pid_is_refused),
		ATTACH_TEST(attach_to_a_pid_that_has_gone_is_refused),
		ATTACH_TEST(attach_to_a_foreign_pid_is_refused),
		ATTACH_TEST(attach_refused_leaves_the_one_before),
		ATTACH_TEST(attach_to_pids_one_missing_refuses_all),
		ATTACH_TEST(attach_in_a_recording_means_those_in_it),
		ATTACH_TEST(attach_in_a_recording_takes_who_is_seen),
		ATTACH_TEST(attach_again_replaces),
		ATTACH_TEST(attach_watch_announces_the_end_once),
		ATTACH_TEST(attach_watch_counts_those_that_ended),
		ATTACH_TEST(attach_list_candidates_knows_pids_names_and_command_lines),
		ATTACH_TEST(attach_list_candidates_shows_names_harmless),
		ATTACH_TEST(attach_list_candidates_leaves_out_who_has_ended),
		ATTACH_TEST(attach_list_candidates_is_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
