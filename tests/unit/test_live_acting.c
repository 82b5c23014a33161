/* Signals, nice values and CPUs on children of the test, by the kernel that runs it. */

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <linux/sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/strbuf.h"
#include "kernel/control.h"
#include "kernel/sys.h"

#include "mode/acting.h"
#include "mode/actions.h"
#include "unit.h"

enum {
	TICK_NS = 10000000
};

static struct targets targets;
static struct strbuf done;
static struct error error;

static int tear_down(void **state)
{
	targets_clear(&targets);
	targets = (struct targets){0};
	strbuf_fini(&done);
	done = (struct strbuf){0};
	error = (struct error){0};
	return 0;
}

/* A child that does nothing; with `pid` the kernel is asked for this number, which it may refuse:
 * -1. */
static pid_t bear(pid_t pid)
{
	struct clone_args arguments = {.exit_signal = SIGCHLD};
	pid_t child;

	if (pid > 0) {
		arguments.set_tid = (uint64_t)(uintptr_t)&pid;
		arguments.set_tid_size = 1;
	}
	child = (pid_t)syscall(SYS_clone3, &arguments, sizeof(arguments));
	if (child == 0)
		for (;;)
			pause();
	if (pid == 0) /* a signal to -1 would go to every process there is */
		assert_true(child > 0);
	return child;
}

static void bury(pid_t child)
{
	assert_true(child > 0);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

/* A time of the screen that comes after its birth. */
static uint64_t later(void)
{
	usleep(3 * TICK_NS / 1000);
	return sys_now_ns();
}

static bool add(pid_t pid, uint64_t shown_ns)
{
	const struct target_row row = {pid, pid, false, shown_ns, control_slept_ns()};

	return targets_add(&targets, &row, false, &error);
}

static void assert_added(pid_t pid, uint64_t shown_ns)
{
	if (!add(pid, shown_ns))
		fail_msg("%s", error.text);
}

UNIT_TEST(signal_ends_a_child)
{
	const pid_t child = bear(0);
	int status;

	assert_added(child, later());
	assert_true(actions_signal(&targets, SIGTERM, &done, &error));
	assert_non_null(strstr(strbuf_text(&done), "sent SIGTERM to "));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	assert_false(actions_signal(&targets, SIGTERM, &done, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
}

UNIT_TEST(signal_to_a_zombie_is_refused)
{
	const pid_t child = bear(0);
	const uint64_t shown_ns = later();
	siginfo_t info;

	kill(child, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	assert_false(add(child, shown_ns));
	assert_int_equal(error.code, ERROR_TARGET_ZOMBIE);
	bury(child);
}

/* The screen shows the first child; a second one has its number when the list of signals opens. */
UNIT_TEST(signal_to_a_number_that_was_given_again_is_refused)
{
	const pid_t first = bear(0);
	const uint64_t shown_ns = later();
	pid_t second;

	bury(first);
	later();
	second = bear(first);
	if (second != first) {
		print_message("the kernel gives nobody a number that he asks for (clone3)\n");
		skip();
	}
	assert_false(add(first, shown_ns));
	assert_int_equal(error.code, ERROR_TARGET_REUSED);
	assert_int_equal(kill(second, 0), 0);
	bury(second);
}

/* The number is given again while the question stands: with a descriptor and without. */
UNIT_TEST(signal_is_not_sent_to_who_got_the_number_meanwhile)
{
	const pid_t first = bear(0);
	pid_t second;

	assert_added(first, later());
	assert_added(first, sys_now_ns());
	assert_true(targets.items[1].fd >= 0);
	sys_close(targets.items[1].fd);
	targets.items[1].fd = -ENOSYS;
	bury(first);
	later();
	second = bear(first);
	if (second != first)
		skip();
	assert_false(actions_signal(&targets, SIGKILL, &done, &error));
	assert_int_equal(error.code, ERROR_TARGET_ENDED);
	assert_non_null(strstr(error.text, "0 of 2 done"));
	assert_int_equal(waitpid(second, NULL, WNOHANG), 0);
	bury(second);
}

UNIT_TEST(nice_and_cpus_of_a_child_are_changed)
{
	const pid_t child = bear(0);
	const struct nice_change more = {.is_relative = true, .value = 3};
	struct number_list cpus;
	char list[16];

	assert_added(child, later());
	assert_true(actions_nice(&targets, &more, &done, &error));
	assert_int_equal(getpriority(PRIO_PROCESS, (id_t)child),
			 getpriority(PRIO_PROCESS, 0) + 3 > 19 ? 19
							       : getpriority(PRIO_PROCESS, 0) + 3);
	assert_int_equal(control_cpus(child, &cpus), 0);
	snprintf(list, sizeof(list), "%d", cpus.numbers[0]);
	number_list_fini(&cpus);
	assert_true(actions_set_cpus(&targets, list, NULL, &done, &error));
	strbuf_clear(&done);
	actions_write_cpus(&targets, &done);
	assert_string_equal(strbuf_text(&done), list);
	assert_false(actions_set_cpus(&targets, "8191", NULL, &done, &error));
	assert_int_equal(error.code, ERROR_AFFINITY_NONE);
	bury(child);
}

/* What somebody else's user gets who tries it on a child of root's, or on himself (0); in a process
 * of its own. */
static void assert_as_nobody(enum error_code expected, pid_t target, bool (*act)(void))
{
	const uint64_t shown_ns = later();
	const pid_t child = fork();
	int status;

	if (child == 0) {
		const pid_t pid = target != 0 ? target : getpid();

		usleep(3 * TICK_NS / 1000);
		if (setresuid(65534, 65534, 65534) != 0 ||
		    !add(pid, target != 0 ? shown_ns : sys_now_ns()))
			_exit(255);
		_exit(act() == (expected == ERROR_NONE) && error.code == expected ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static bool send_term(void)
{
	return actions_signal(&targets, SIGTERM, &done, &error);
}

static bool raise_priority(void)
{
	const struct nice_change less = {.is_relative = true, .value = -1};

	return actions_nice(&targets, &less, &done, &error);
}

static bool bind_to_all(void)
{
	return actions_set_cpus(&targets, "all", NULL, &done, &error);
}

UNIT_TEST(actions_on_another_users_task_are_refused)
{
	const pid_t child = bear(0);

	if (geteuid() != 0) {
		bury(child);
		skip();
	}
	assert_as_nobody(ERROR_SIGNAL_RIGHTS, child, send_term);
	assert_as_nobody(ERROR_NICE_RIGHTS, child, raise_priority);
	assert_as_nobody(ERROR_AFFINITY_RIGHTS, child, bind_to_all);
	assert_as_nobody(ERROR_NONE, 0, bind_to_all);
	if (getpriority(PRIO_PROCESS, 0) > CONTROL_NICE_LEAST)
		assert_as_nobody(ERROR_NICE_LOWER, 0, raise_priority);
	assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
	bury(child);
}

UNIT_MAIN(NULL, tear_down)
