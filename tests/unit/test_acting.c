/* Signals, nice values and CPUs, as keys and commands ask for them, on a kernel that says what the
 * test wants. */

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "fake_app.h"
#include "mode/acting.h"
#include "mode/actions.h"
#include "mode/command.h"
#include "mode/keys.h"
#include "mode/prompts.h"
#include "term/key.h"
#include "unit.h"

static void assert_refused(const char *command, enum error_code code, const char *text)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, command, &error));
	assert_string_equal(error_name(error.code), error_name(code));
	assert_string_equal(error.text, text);
	assert_false(mode_is_open(&kit.app, &acting_mode));
	assert_int_equal(kit.app.acting->targets.count, 0);
}

static void press(uint32_t key)
{
	assert_true(mode_is_open(&kit.app, &acting_mode));
	acting_mode.key(&kit.app, key);
}

static void type(const char *text)
{
	for (; *text != '\0'; text++)
		press((uint32_t)*text);
}

static void assert_nothing_sent(void)
{
	assert_int_equal(fake.sent_open, 0);
	assert_int_equal(fake.sent_pid, 0);
}

UNIT_TEST(signal_asks_and_sends_to_the_descriptor)
{
	run("signal");
	assert_int_equal(kit.app.acting->step, ACTING_CHOOSES);
	press(KEY_CODE_ENTER);
	assert_string_equal(kit.app.acting->question, "Send SIGTERM to n7 7 (root)? y/n");
	assert_nothing_sent();
	press('y');

	assert_int_equal(fake.opened, 7);
	assert_int_equal(fake.sent_open, PIDFD);
	assert_int_equal(fake.number, SIGTERM);
	assert_int_equal(fake.sent_pid, 0);
	assert_false(mode_is_open(&kit.app, &acting_mode));
	assert_string_equal(kit.app.message, "sent SIGTERM to n7 7 (root)");
}

/* Those with a tag are meant, wherever the cursor is. */
UNIT_TEST(signal_is_for_all_that_are_tagged)
{
	run("tag");
	run("tag");
	kit_build();
	run("signal TERM");
	assert_int_equal(kit.app.acting->targets.count, 2);
	assert_non_null(strstr(kit.app.acting->question, " and 1 more"));
	assert_nothing_sent();
	press('n');
	run("filter redis");
	kit_build();
	assert_refused("signal TERM", ERROR_TASK_HIDDEN, "none of the tagged tasks is shown");
	run("untag");
	run("signal TERM");
	assert_int_equal(kit.app.acting->targets.count, 1);
	assert_non_null(strstr(kit.app.acting->question, " 8 "));
}

UNIT_TEST(signal_is_chosen_by_typing)
{
	static const struct {
		const char *typed, *name;
	} cases[] = {{"k", "SIGKILL"},    {"9", "SIGKILL"},    {"1", "SIGHUP"},
		     {"15", "SIGTERM"},   {"usr2", "SIGUSR2"}, {"sigc", "SIGCHLD"},
		     {"CONT", "SIGCONT"}, {"zk", "SIGKILL"}};
	size_t count;
	const struct signal_info *table = signals_table(&count);

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		run("signal");
		type(cases[i].typed);
		assert_string_equal(table[kit.app.acting->picker.cursor.at].name, cases[i].name);
		press(KEY_CODE_ESCAPE);
		assert_false(mode_is_open(&kit.app, &acting_mode));
	}
	assert_nothing_sent();
}

UNIT_TEST(signal_is_chosen_by_arrows_that_stop_at_the_ends)
{
	run("signal");
	press(KEY_CODE_UP);
	assert_int_equal(kit.app.acting->picker.cursor.at, 0);
	press(KEY_CODE_END);
	press(KEY_CODE_DOWN);
	assert_int_equal(kit.app.acting->picker.cursor.at, kit.app.acting->picker.count - 1);
	press(KEY_CODE_HOME);
	press(KEY_CODE_DOWN);
	press(KEY_CODE_ENTER);
	assert_string_equal(kit.app.acting->question, "Send SIGHUP to n7 7 (root)? y/n");
}

UNIT_TEST(signal_answered_no_sends_nothing)
{
	static const uint32_t answers[] = {'n', 'N', 'q', KEY_CODE_ESCAPE, 3};

	for (size_t i = 0; i < COUNT_OF(answers); i++) {
		run("signal KILL");
		press('x'); /* says neither */
		press(KEY_CODE_ENTER);
		assert_true(mode_is_open(&kit.app, &acting_mode));
		press(answers[i]);
		assert_false(mode_is_open(&kit.app, &acting_mode));
		assert_int_equal(kit.app.acting->targets.count, 0);
	}
	assert_nothing_sent();
}

UNIT_TEST(signal_by_name_or_number_asks_at_once)
{
	run("signal sigusr1");
	assert_string_equal(kit.app.acting->question, "Send SIGUSR1 to n7 7 (root)? y/n");
	press('n');
	run("signal 34");
	assert_string_equal(kit.app.acting->question, "Send signal 34 to n7 7 (root)? y/n");
	press('n');
	assert_refused("signal nonsense", ERROR_SIGNAL_UNKNOWN, "nonsense: unknown signal");
	assert_refused("signal 65", ERROR_SIGNAL_UNKNOWN, "65: unknown signal");
	assert_refused("signal 0", ERROR_SIGNAL_UNKNOWN, "0: unknown signal");
}

UNIT_TEST(signal_question_is_short_where_there_is_no_room)
{
	struct frame frame = {0};

	run("signal KILL");
	screen_resize(&kit.app.screen, 30, 8);
	mode_show(&kit.app, &frame);
	assert_string_equal(frame.message, "SIGKILL to 7? y/n");
	screen_resize(&kit.app.screen, 80, 24);
	mode_show(&kit.app, &frame);
	assert_string_equal(frame.message, "Send SIGKILL to n7 7 (root)? y/n");
}

/* The row moves while the question stands; who was asked about gets it. */
UNIT_TEST(signal_goes_to_whom_it_was_asked_about)
{
	run("signal TERM");
	run("last");
	press('y');
	assert_int_equal(fake.opened, 7);
	assert_string_equal(kit.app.message, "sent SIGTERM to n7 7 (root)");
}

UNIT_TEST(signal_to_a_pid_that_was_given_to_another_is_refused)
{
	/* the screen shows the time up to here */
	kit.start_ticks = kit.world.snapshot.time_ns / 10000000 + 1;
	assert_refused("signal TERM", ERROR_TARGET_REUSED,
		       "n7 7 (root) is not the task that was on the screen: that one has exited, "
		       "and its pid was reused");
	assert_nothing_sent();
}

/* The machine slept with the screen frozen: to the clock of the records the other task began in the
 * past. Of a screen after the sleep it did. */
UNIT_TEST(signal_to_a_pid_that_was_given_to_another_before_a_sleep_is_refused)
{
	struct snapshot *snapshot = &kit.world.snapshot;

	suspends_note(&kit.app.suspends, snapshot->time_ns);
	playback_freeze(kit.app.playback, true);
	kit_build();
	kit.start_ticks = snapshot->time_ns / 10000000 + 100;
	fake.slept_ns = INT64_C(3600000000000);
	assert_refused("signal TERM", ERROR_TARGET_REUSED,
		       "n7 7 (root) is not the task that was on the screen: that one has exited, "
		       "and its pid was reused");
	assert_nothing_sent();

	snapshot->time_ns += UINT64_C(2000000000);
	suspends_note(&kit.app.suspends, snapshot->time_ns);
	playback_freeze(kit.app.playback, false);
	kit_build();
	run("signal TERM");
}

/* nginx is pushed out by redis. */
static void show_switches(const char *view)
{
	uint64_t nginx, redis;
	char command[32];

	kit_keep_history(256);
	kit.told.now_ns = kit.world.snapshot.time_ns;
	nginx = told_actor(&kit.told, 7, 7, "nginx");
	redis = told_actor(&kit.told, 8, 8, "redis");
	for (size_t i = 0; i < 2; i++)
		switched(&kit.told, .left = nginx, .came = redis, .slice_ns = 1000,
			 .how = SWITCH_PREEMPTED, .wait_ns = SWITCH_NS_UNKNOWN, .from_cpu = -1);
	switched(&kit.told, .left = redis, .came = nginx, .slice_ns = 1000, .off_ns = 1000,
		 .wait_ns = 1000, .came_preempted = true, .pushed_by = redis, .from_cpu = -1);
	for (size_t i = 0; i < kit.world.snapshot.task_count; i++)
		kit.world.tasks[i].id = (uint64_t)kit.world.tasks[i].tid;
	kit.world.snapshot.time_ns = kit.told.now_ns;
	snprintf(command, sizeof(command), "view %s", view);
	run(command);
	run("window all");
	kit_build();
	run("first");
	kit_build();
}

UNIT_TEST(signal_on_a_line_of_the_log_goes_to_who_left)
{
	show_switches("switches");
	run("signal TERM");
	assert_string_equal(kit.app.acting->question, "Send SIGTERM to n7 7 (root)? y/n");
	press('n');
	kit.threads[0] = 7;
	kit.thread_count = 1;
	run("affinity 0");
	assert_int_equal(fake.bound, 1);
	kit.world.tasks[0].is_exited = true;
	assert_refused("signal TERM", ERROR_TARGET_ENDED, "7 has ended");
	kit.world.tasks[0].id = 99; /* another has its number */
	kit.world.tasks[0].is_exited = false;
	assert_refused("signal TERM", ERROR_TARGET_ENDED, "7 has ended");
	assert_nothing_sent();
}

UNIT_TEST(signal_on_a_pair_goes_to_the_victim)
{
	show_switches("pairs");
	run("signal TERM");
	assert_string_equal(kit.app.acting->question, "Send SIGTERM to n7 7 (root)? y/n");
	press('n');
	run("by name");
	kit_build();
	assert_refused("signal TERM", ERROR_TARGET_NAMES,
		       "this row sums all tasks of a name; pairs by task have a row each");
	assert_nothing_sent();
}

UNIT_TEST(signal_to_a_group_says_how_to_get_to_its_members)
{
	run("view groups");
	kit_build();
	assert_refused("signal TERM", ERROR_TARGET_GROUP,
		       "a group is not a single task; Enter shows its members");
}

UNIT_TEST(signal_to_who_began_within_the_tick_of_the_screen_is_put_off)
{
	kit.start_ticks = kit.world.snapshot.time_ns / 10000000;
	assert_refused("signal TERM", ERROR_TARGET_TOO_NEW,
		       "n7 7 (root) started just as the screen was drawn; try again after the next "
		       "refresh");
	kit.start_ticks--;
	run("signal TERM");
}

/* Without pidfds the time of birth is looked at again before the signal is sent. */
UNIT_TEST(signal_without_descriptors_goes_to_the_number_of_the_same_task)
{
	fake.open = -ENOSYS;
	run("signal TERM");
	press('y');
	assert_int_equal(fake.sent_pid, 7);
	assert_int_equal(fake.sent_open, 0);

	fake.sent_pid = 0;
	run("signal TERM");
	kit.start_ticks = 1;
	press('y');
	assert_int_equal(fake.sent_pid, 0);
	assert_true(kit.app.message_is_error);
	assert_non_null(strstr(kit.app.message, "its pid was reused"));
}

UNIT_TEST(signal_to_who_has_ended_meanwhile_is_refused)
{
	run("signal TERM");
	fake.gone = -ESRCH;
	press('y');
	assert_nothing_sent();
	assert_string_equal(kit.app.message, "n7 7 (root) has ended");

	fake.gone = 0;
	fake.open = -ESRCH;
	assert_refused("signal TERM", ERROR_TARGET_ENDED, "7 has ended");
	fake.open = PIDFD;
	kit.task_state = 'Z';
	assert_refused("signal TERM", ERROR_TARGET_ZOMBIE,
		       "n7 7 (root) is a zombie: it has exited and waits for its parent");
}

/* Its number may be another's already; nobody is even looked at. */
UNIT_TEST(signal_to_a_row_that_has_ended_is_refused)
{
	kit.world.tasks[0].is_exited = true;
	kit_build();
	list_select(&app_current(&kit.app)->list, kit.app.table, 0);
	assert_refused("signal", ERROR_TARGET_ENDED, "7 has ended");
	assert_int_equal(fake.opened, 0);
}

UNIT_TEST(signal_refused_by_the_kernel_says_why)
{
	static const struct {
		int result;
		const char *text;
	} cases[] = {
		{-EPERM, "n7 7 (root): only its owner, root or CAP_KILL may send SIGTERM"},
		{-ESRCH, "n7 7 (root) has ended"},
		{-EINVAL, "n7 7 (root): this kernel has no SIGTERM"},
		{-EAGAIN, "n7 7 (root): Resource temporarily unavailable"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		fake.signal = cases[i].result;
		run("signal TERM");
		press('y');
		assert_true(kit.app.message_is_error);
		assert_string_equal(kit.app.message, cases[i].text);
	}
}

UNIT_TEST(signal_to_a_kernel_thread_is_refused)
{
	kit.is_kernel_thread = true;
	assert_refused("signal", ERROR_SIGNAL_KERNEL,
		       "n7 7 (root) is a kernel thread: it takes no signals");
}

/* The row of a process, the only one that the filter leaves. */
static void put_cursor_on(int32_t pid, const char *name)
{
	task(&kit.world, .pid = pid, .name = name, .run_ms = 900, .uid = 0);
	kit_build();
	list_select(&app_current(&kit.app)->list, kit.app.table, 0);
	assert_int_equal(app_row(&kit.app)->pid, pid);
}

UNIT_TEST(signal_to_the_first_process_is_refused)
{
	put_cursor_on(1, "init");
	assert_refused("signal", ERROR_SIGNAL_INIT,
		       "n1 1 (root) is the first process, killing it stops the system: perftop "
		       "does not signal it");
}

UNIT_TEST(signal_to_perftop_itself_is_asked_about_twice)
{
	put_cursor_on(getpid(), "perftop");
	run("signal TERM");
	press('y');
	assert_int_equal(kit.app.acting->step, ACTING_ASKS_AGAIN);
	assert_string_equal(kit.app.acting->question,
			    "This is perftop itself. Really send it SIGTERM? y/n");
	assert_nothing_sent();
	press('y');
	assert_int_equal(fake.sent_open, PIDFD);
}

UNIT_TEST(actions_of_a_recording_are_refused)
{
	static const char *const commands[] = {"signal",     "signal TERM", "nice +1",
					       "affinity 0", "ask nice",    "ask affinity"};

	kit.replay_length = 3;
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		assert_refused(commands[i], ERROR_TARGET_REPLAY,
			       "not available in a recording: these processes are gone");
}

static void put_cursor_on_kind(enum row_kind kind)
{
	struct list *list = &app_current(&kit.app)->list;

	kit_build();
	for (size_t i = 0; i < view_table_row_count(kit.app.table); i++) {
		list_select(list, kit.app.table, i);
		if (app_row(&kit.app)->kind == kind)
			return;
	}
	fail();
}

UNIT_TEST(actions_on_a_row_of_no_task_say_what_it_is)
{
	static const char *const commands[] = {"signal", "nice +1", "affinity 0", "task",
					       "hand-over"};

	kit.has_rows_of_no_task = true;
	task(&kit.world, .pid = 77, .name = "gone", .run_ms = 1, .is_new = true, .is_exited = true);
	put_cursor_on_kind(ROW_EXITED);
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		assert_refused(commands[i], ERROR_TASK_FOLDED, "short-lived processes");
	put_cursor_on_kind(ROW_UNATTRIBUTED);
	for (size_t i = 0; i < COUNT_OF(commands); i++)
		assert_refused(commands[i], ERROR_TASK_UNATTRIBUTED, "this row is not a task");
}

UNIT_TEST(actions_without_a_task_are_refused)
{
	run("view cpus");
	kit_build();
	assert_refused("signal", ERROR_TASK_NONE, "no task selected");
	assert_refused("nice +1", ERROR_TASK_NONE, "no task selected");
	assert_refused("affinity 0", ERROR_TASK_NONE, "no task selected");
}

UNIT_TEST(nice_changes_all_threads_by_so_much)
{
	kit.threads[0] = 7;
	kit.threads[1] = 77;
	kit.threads[2] = 999; /* ends meanwhile */
	kit.thread_count = 3;
	fake.nice[1] = 5;
	run("nice +1");
	assert_int_equal(fake.reniced_count, 2);
	assert_int_equal(fake.new_nice, 6);
	assert_string_equal(kit.app.message, "n7 7 (root): nice 1 (was 0); 2 threads");
}

/* 77 is a thread of 7. */
UNIT_TEST(nice_and_cpus_of_a_thread_are_its_own)
{
	const struct nice_change change = {.value = 3};
	struct targets targets = {0};
	struct strbuf done = {0};
	struct error error = {0};

	kit.threads[0] = 7;
	kit.threads[1] = 77;
	kit.thread_count = 2;
	assert_true(targets_add(&targets, &(struct target_row){7, 77, true, UINT64_MAX / 4, 0},
				false, &error));
	assert_true(actions_nice(&targets, &change, &done, &error));
	assert_int_equal(fake.reniced_count, 1);
	assert_int_equal(fake.reniced[0], 77);
	assert_string_equal(strbuf_text(&done), "n7 77 (root): nice 3 (was 0)");
	assert_true(actions_set_cpus(&targets, "1", NULL, &done, &error));
	assert_int_equal(fake.bound, 1);
	targets_clear(&targets);
	strbuf_fini(&done);
}

UNIT_TEST(target_that_is_a_thread_of_another_process_is_refused)
{
	struct targets targets = {0};
	struct error error = {0};

	assert_false(targets_add(&targets, &(struct target_row){8, 77, true, UINT64_MAX / 4, 0},
				 false, &error));
	assert_string_equal(error.text, "77 has ended");
	assert_int_equal(targets.count, 0);
}

/* 970 is not in /proc. */
UNIT_TEST(target_that_cannot_be_read_has_not_ended)
{
	static const struct target_row row = {970, 970, false, UINT64_MAX / 4, 0};
	struct targets targets = {0};
	struct error error = {0};

	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_UNREAD);
	assert_string_equal(error.text,
			    "970 exists, but /proc does not identify it; nothing was done to it");
	fake.gone = -EPERM; /* it is somebody else's */
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_UNREAD);
	fake.gone = -ESRCH;
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
	fake.open = -EMFILE;
	assert_false(targets_add(&targets, &row, false, &error));
	assert_string_equal(error.text, "970: Too many open files");
	fake.open = -ENOSYS; /* Linux before 5.3 */
	assert_false(targets_add(&targets, &row, false, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
}

UNIT_TEST(nice_stops_at_the_ends)
{
	kit.threads[0] = 7;
	kit.thread_count = 1;
	fake.nice[0] = 19;
	run("nice +1");
	assert_int_equal(fake.reniced_count, 0);
	assert_string_equal(kit.app.message, "n7 7 (root): nice 19 already, the lowest priority");
	fake.nice[0] = -19;
	run("nice -5");
	assert_int_equal(fake.new_nice, -20);
	fake.nice[0] = -20;
	run("nice -1");
	assert_string_equal(kit.app.message, "n7 7 (root): nice -20 already, the highest priority");
	run("nice =3");
	assert_int_equal(fake.new_nice, 3);
	run("nice 4");
	assert_int_equal(fake.new_nice, 4);
}

UNIT_TEST(nice_that_is_none_is_refused)
{
	static const char *const texts[] = {"x",  "+",   "=",   "=-21", "=20",
					    "20", "+41", "1.5", "--1",  "=+1"};
	char command[32], sentence[64];

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		snprintf(command, sizeof(command), "nice %s", texts[i]);
		snprintf(sentence, sizeof(sentence), "%s: not a nice value", texts[i]);
		assert_refused(command, ERROR_NICE_BAD, sentence);
	}
}

static void assert_says(const char *command, const char *text)
{
	struct error error = {0};

	assert_false(command_run(&kit.app, command, &error));
	assert_string_equal(error.text, text);
}

UNIT_TEST(nice_refused_by_the_kernel_says_why)
{
	kit.threads[0] = 7;
	kit.thread_count = 1;
	fake.set_nice = -EACCES;
	assert_says("nice -1", "n7 7 (root): nice -1 raises its priority: this needs root, "
			       "CAP_SYS_NICE or a limit (ulimit -e)");
	fake.set_nice = -EPERM;
	assert_says("nice -1",
		    "n7 7 (root): only its owner, root or CAP_SYS_NICE may change its nice value");
	fake.set_nice = -ESRCH;
	assert_says("nice -1", "n7 7 (root) has ended");
	kit.thread_count = 0;
	assert_says("nice -1", "n7 7 (root) has ended");
}

UNIT_TEST(affinity_binds_all_threads)
{
	kit.threads[0] = 7;
	kit.threads[1] = 77;
	kit.thread_count = 2;
	run("affinity 0-2,5");
	assert_int_equal(fake.bound, 2);
	assert_int_equal(fake.cpu_count, 4);
	assert_string_equal(kit.app.message, "n7 7 (root): CPUs 0-2,5; 2 threads");
	run("affinity all");
	assert_int_equal(fake.cpu_count, CONTROL_CPUS_MAX);
}

UNIT_TEST(affinity_refused_says_why)
{
	kit.threads[0] = 7;
	kit.thread_count = 1;
	assert_says("affinity x", "x: not a list of CPUs");
	assert_says("affinity 3-1", "3-1: not a list of CPUs");
	assert_says("affinity 9999", "9999: not a list of CPUs");
	fake.set_cpus = -EPERM;
	assert_says("affinity 0",
		    "n7 7 (root): only its owner, root or CAP_SYS_NICE may change its CPUs");
	fake.set_cpus = -EINVAL;
	assert_says("affinity 64", "n7 7 (root): none of the CPUs 64 is online and allowed to it "
				   "(its cpuset)");
	kit.is_kernel_thread = true;
	assert_says("affinity 0", "n7 7 (root) is a kernel thread that belongs to its CPU");
	fake.set_cpus = -ESRCH;
	assert_says("affinity 0", "n7 7 (root) has ended");
}

/* Whom the prompt was opened for gets it, wherever the cursor is by then. */
UNIT_TEST(affinity_prompt_proposes_and_holds_on_to_its_task)
{
	kit.threads[0] = 7;
	kit.thread_count = 1;
	run("ask affinity");
	assert_string_equal(prompt_text(&kit.app.prompt), "0-3");
	run("last");
	prompt_mode.key(&kit.app, KEY_CODE_END);
	prompt_mode.key(&kit.app, ',');
	prompt_mode.key(&kit.app, '6');
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_false(kit.app.prompt.is_open);
	assert_string_equal(kit.app.message, "n7 7 (root): CPUs 0-3,6");
}

/* And whoever it was opened for is held on to no longer than that. */
UNIT_TEST(prompt_that_is_left_does_nothing)
{
	run("ask nice");
	assert_int_equal(kit.app.acting->targets.count, 1);
	prompt_mode.key(&kit.app, KEY_CODE_ESCAPE);
	assert_int_equal(kit.app.acting->targets.count, 0);
	assert_int_equal(fake.reniced_count, 0);
}

/* The prompt stays, and so does who is meant. */
UNIT_TEST(prompt_that_is_refused_is_tried_again_on_the_same_task)
{
	kit.threads[0] = 7;
	kit.thread_count = 1;
	run("ask affinity");
	fake.set_cpus = -EPERM;
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_true(kit.app.prompt.is_open);
	run("last");
	fake.set_cpus = 0;
	prompt_mode.key(&kit.app, KEY_CODE_ENTER);
	assert_false(kit.app.prompt.is_open);
	assert_string_equal(kit.app.message, "n7 7 (root): CPUs 0-3");
}

UNIT_TEST(nice_prompt_proposes_what_it_has)
{
	fake.nice[0] = -3;
	run("ask nice");
	assert_string_equal(prompt_text(&kit.app.prompt), "=-3");
}

UNIT_TEST(keys_do_what_htop_does)
{
	assert_string_equal(keys_command('k'), "signal");
	assert_string_equal(keys_command(KEY_CODE_F9), "signal");
	assert_string_equal(keys_command(KEY_CODE_F7), "nice -1");
	assert_string_equal(keys_command(KEY_CODE_F8), "nice +1");
}

/* Several at once: what was done to some stays done, and the first refusal is told. */
UNIT_TEST(actions_on_several_tell_how_many)
{
	struct targets targets = {0};
	struct strbuf done = {0};
	struct error error = {0};

	for (int32_t pid = 7; pid < 10; pid++)
		assert_true(targets_add(&targets,
					&(struct target_row){pid, pid, false, UINT64_MAX / 4, 0},
					false, &error));
	targets_write(&targets, &done);
	assert_string_equal(strbuf_text(&done), "n7 7 (root) and 2 more");
	strbuf_clear(&done);
	assert_true(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(strbuf_text(&done), "sent SIGTERM to 3 tasks");
	targets.items[1].pid = targets.items[1].tid = 900; /* of whom /proc knows nothing */
	targets.items[1].fd = -ENOSYS;
	strbuf_clear(&done);
	assert_true(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(strbuf_text(&done), "sent SIGTERM to 2 tasks; 1 had ended");
	fake.signal = -EPERM;
	assert_false(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(
		error.text,
		"n7 7 (root): only its owner, root or CAP_KILL may send SIGTERM (0 of 3 done)");
	fake.signal = 0;
	fake.gone = -ESRCH;
	assert_false(actions_signal(&targets, SIGTERM, &done, &error));
	assert_string_equal(error.text, "n7 7 (root) has ended (0 of 3 done)");
	targets_clear(&targets);
	strbuf_fini(&done);
}

static void tag_two(void)
{
	run("tag");
	run("tag");
	kit_build();
}

/* Of whom one has ended since the screen was drawn: as /proc says, and as the row says. */
UNIT_TEST(signal_to_tagged_tasks_leaves_out_who_has_ended)
{
	tag_two();
	kit.world.tasks[0].is_exited = true;
	kit_build();
	run("signal TERM");
	assert_int_equal(kit.app.acting->targets.count, 1);
	assert_string_equal(kit.app.acting->question,
			    "Send SIGTERM to n70 70 (root) (1 had ended)? y/n");
	press('y');
	assert_int_equal(fake.opened, 70);
	assert_string_equal(kit.app.message, "sent SIGTERM to 1 task; 1 had ended");
	kit.world.tasks[1].is_exited = true;
	kit_build();
	assert_refused("signal TERM", ERROR_TARGET_ENDED, "7 has ended");
}

/* Whoever has the number of one of them now is left in peace, and the others are acted on. */
UNIT_TEST(signal_to_tagged_tasks_leaves_out_whose_number_was_given_again)
{
	tag_two();
	kit.reborn_pid = 7;
	kit.threads[0] = 70;
	kit.thread_count = 1;
	run("signal TERM");
	assert_int_equal(kit.app.acting->targets.count, 1);
	assert_int_equal(kit.app.acting->targets.items[0].pid, 70);
	press('n');
	assert_nothing_sent();
	run("nice +1");
	assert_string_equal(kit.app.message, "nice +1 for 1 task; 1 had ended");
}

/* Who cannot be told from another by now is not passed over in silence. */
UNIT_TEST(signal_to_tagged_tasks_is_put_off_where_one_is_too_new)
{
	struct error error = {0};

	tag_two();
	kit.start_ticks = kit.world.snapshot.time_ns / 10000000;
	assert_false(command_run(&kit.app, "signal TERM", &error));
	assert_int_equal(error.code, ERROR_TARGET_TOO_NEW);
	assert_int_equal(kit.app.acting->targets.count, 0);
}

UNIT_TEST(signals_parse_knows_each_by_its_names)
{
	size_t count;
	const struct signal_info *table = signals_table(&count);
	char name[SIGNAL_NAME_MAX];

	assert_int_equal(count, 31);
	assert_int_equal(table[0].number, SIGTERM);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(signals_parse(table[i].name), table[i].number);
		assert_int_equal(signals_parse(table[i].name + 3), table[i].number);
		signals_name(table[i].number, name);
		assert_string_equal(name, table[i].name);
		assert_true(table[i].help[0] != '\0');
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(table[i].number, table[j].number);
	}
}

int main(void)
{
	return unit_run(kit_set_up, kit_tear_down);
}
