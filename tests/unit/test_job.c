/* A command that runs beside us: there is no terminal here, so nobody's changes hands. */

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sys/wait.h>

#include "mode/terminal_handoff.h"
#include "unit.h"

static int saved[3];
static int enter_fd;       /* what is written to it is typed */
static char done_path[32]; /* a file that the commands make */

/* What it writes is not to be seen in the test's output. */
static int begin(void **state)
{
	const int empty = open("/dev/null", O_WRONLY | O_CLOEXEC);
	int fds[2];

	for (int fd = 0; fd < 3; fd++)
		saved[fd] = dup(fd);
	dup2(empty, STDOUT_FILENO);
	dup2(empty, STDERR_FILENO);
	close(empty);
	if (pipe2(fds, O_CLOEXEC) != 0)
		return -1;
	dup2(fds[0], STDIN_FILENO);
	close(fds[0]);
	enter_fd = fds[1];
	snprintf(done_path, sizeof(done_path), "/tmp/job-%d", getpid());
	return 0;
}

static int end(void **state)
{
	for (int fd = 0; fd < 3; fd++) {
		dup2(saved[fd], fd);
		close(saved[fd]);
	}
	close(enter_fd);
	unlink(done_path);
	return 0;
}

static void press_enter(void)
{
	assert_int_equal(write(enter_fd, "\n", 1), 1);
}

static bool is_done(void)
{
	return access(done_path, F_OK) == 0;
}

static void wait_for_end(struct job *job)
{
	for (int i = 0; i < 3000; i++) {
		if (job_collect(job)) {
			assert_int_equal(job->pid, 0);
			return;
		}
		usleep(10000);
	}
	fail_msg("it does not end");
}

/* The command, and then touches the file unless it has failed. */
static void start(struct job *job, const char *command)
{
	char whole[512];

	unlink(done_path);
	snprintf(whole, sizeof(whole), "(%s) && touch %s", command, done_path);
	assert_true(job_start(job, whole, NULL));
	assert_true(job->pid > 0);
}

UNIT_TEST(job_waits_for_enter_when_the_command_has_ended)
{
	struct job job = {0};

	start(&job, "true");
	for (int i = 0; i < 3000 && !is_done(); i++)
		usleep(10000);
	assert_true(is_done());
	assert_false(job_collect(&job));
	press_enter();
	wait_for_end(&job);
}

UNIT_TEST(job_that_fails_or_is_killed_waits_as_well)
{
	static const char *const commands[] = {"/nowhere/nosuch", "kill -INT $$", "exit 7"};

	for (size_t i = 0; i < COUNT_OF(commands); i++) {
		struct job job = {0};

		start(&job, commands[i]);
		press_enter();
		wait_for_end(&job);
		assert_false(is_done());
	}
}

/* ^C goes to all of the group: it ends the command alone. */
UNIT_TEST(job_interrupted_waits_for_enter)
{
	struct job job = {0};
	char command[64];

	snprintf(command, sizeof(command), "touch %s; sleep 1000", done_path);
	start(&job, command);
	while (!is_done())
		usleep(10000);
	kill(-job.pid, SIGINT);
	usleep(100000);
	assert_false(job_collect(&job));
	press_enter();
	wait_for_end(&job);
}

UNIT_TEST(job_is_in_a_group_of_its_own_with_usual_signals)
{
	struct job job = {0};
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	signal(SIGPIPE, SIG_IGN);
	start(&job, "[ $(ps -o pgid= -p $$) = $(ps -o ppid= -p $$) ] && "
		    "grep -q 'SigBlk:.*0000000000000000' /proc/self/status && "
		    "grep -q 'SigIgn:.*0000000000000000' /proc/self/status");
	press_enter();
	wait_for_end(&job);
	assert_true(is_done());
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

UNIT_TEST(job_that_stops_goes_on)
{
	struct job job = {0};

	start(&job, "kill -s TSTP 0"); /* as ^Z does, to all of the group */
	press_enter();
	wait_for_end(&job);
	assert_true(is_done());
}

UNIT_TEST(job_end_ends_it)
{
	struct job job = {0};
	pid_t pid;

	start(&job, "sleep 1000");
	pid = job.pid;
	job_end(&job);
	assert_int_equal(job.pid, 0);
	assert_int_equal(waitpid(pid, NULL, WNOHANG), -1);
	job_end(&job);
}

int main(void)
{
	return unit_run_group(NULL, NULL, begin, end);
}
