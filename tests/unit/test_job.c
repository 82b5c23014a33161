/* A command that runs beside us: there is no terminal here, so nobody's changes hands. */

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#include "mode/terminal_handoff.h"
#include "unit.h"

static int saved_stderr;

/* What passes through is not to be seen in the test's output. */
static int hush(void **state)
{
	const int empty = open("/dev/null", O_WRONLY | O_CLOEXEC);

	saved_stderr = dup(STDERR_FILENO);
	dup2(empty, STDERR_FILENO);
	close(empty);
	return 0;
}

static int speak(void **state)
{
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	return 0;
}

/* Hears it to its end and returns its status. */
static int run(struct job *job, const char *command)
{
	int status = -1;

	assert_true(job_start(job, command, NULL));
	assert_true(job->pid > 0);
	for (;;) {
		struct pollfd words = {.fd = job->words_fd, .events = POLLIN};

		assert_int_equal(poll(&words, 1, 10000), 1);
		if (!job_hear(job))
			break;
	}
	for (int i = 0; i < 1000 && !job_collect(job, &status); i++)
		usleep(10000);
	assert_int_equal(job->pid, 0);
	assert_int_equal(job->words_fd, -1);
	return status;
}

UNIT_TEST(job_words_and_status_are_those_of_the_command)
{
	struct job job;

	assert_int_equal(run(&job, "echo one >&2; echo two >&2; exit 7"), 7);
	assert_string_equal(job.words, "one\ntwo\n");
}

/* A terminal that was stopped takes nothing either. */
UNIT_TEST(job_words_do_not_wait_for_who_does_not_take_them)
{
	static const char filling[4096];
	const int before = dup(STDERR_FILENO);
	struct job job;
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	while (write(fds[1], filling, sizeof(filling)) > 0)
		;
	fcntl(fds[1], F_SETFL, 0);
	dup2(fds[1], STDERR_FILENO);
	alarm(20);
	assert_int_equal(run(&job, "echo one >&2; echo two >&2"), 0);
	alarm(0);
	dup2(before, STDERR_FILENO);
	close(before);
	assert_string_equal(job.words, "one\ntwo\n");
	close(fds[0]);
	close(fds[1]);
}

UNIT_TEST(job_killed_has_the_status_of_a_shell)
{
	struct job job;

	assert_int_equal(run(&job, "kill -INT $$"), 128 + SIGINT);
}

UNIT_TEST(job_unknown_command_says_so)
{
	struct job job;

	assert_int_equal(run(&job, "/nowhere/nosuch"), 127);
	assert_non_null(strstr(job.words, "nosuch"));
}

UNIT_TEST(job_of_many_words_keeps_the_last)
{
	struct job job;

	assert_int_equal(run(&job, "i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); "
				   "done; echo last >&2"),
			 0);
	assert_int_equal(job.length, JOB_WORDS_MAX - 1);
	assert_string_equal(job.words + job.length - strlen("line 2999\nlast\n"),
			    "line 2999\nlast\n");
}

UNIT_TEST(job_is_in_a_group_of_its_own_with_usual_signals)
{
	struct job job;
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	signal(SIGPIPE, SIG_IGN);
	assert_int_equal(run(&job,
			     "[ $(ps -o pgid= -p $$) = $$ ] || exit 1; "
			     "grep -q 'SigBlk:.*0000000000000000' /proc/self/status || exit 2; "
			     "grep -q 'SigIgn:.*0000000000000000' /proc/self/status || exit 3"),
			 0);
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

UNIT_TEST(job_that_stops_goes_on)
{
	struct job job;

	assert_true(job_start(&job, "kill -STOP $$; exit 5", NULL));
	for (int i = 0, status; i < 1000; i++) {
		if (job_collect(&job, &status)) {
			assert_int_equal(status, 5);
			return;
		}
		usleep(10000);
	}
	fail_msg("it stays stopped");
}

UNIT_TEST(job_end_ends_it)
{
	struct job job;
	pid_t pid;

	assert_true(job_start(&job, "sleep 1000", NULL));
	pid = job.pid;
	job_end(&job);
	assert_int_equal(job.pid, 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
	job_end(&job);
}

int main(void)
{
	return unit_run_group(NULL, NULL, hush, speak);
}
