#ifndef PERFTOP_TESTS_LIVE_WORKER_H
#define PERFTOP_TESTS_LIVE_WORKER_H

/*
 * A process of a test's own that is watched: for each byte it is sent it does something, and
 * answers with a byte when that is done. It ends with the test, or before.
 */

#include <signal.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "unit.h"

struct worker {
	pid_t pid;
	int command_fd, answer_fd;
};

/* work() goes on until there is nothing more to be read. */
static inline void worker_start(struct worker *worker, void (*work)(int commands, int answers))
{
	int commands[2], answers[2];

	assert_int_equal(pipe(commands), 0);
	assert_int_equal(pipe(answers), 0);
	worker->pid = fork();
	assert_true(worker->pid >= 0);
	if (worker->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(commands[1]);
		close(answers[0]);
		work(commands[0], answers[1]);
		_exit(0);
	}
	close(commands[0]);
	close(answers[1]);
	worker->command_fd = commands[1];
	worker->answer_fd = answers[0];
}

static inline void worker_end(const struct worker *worker)
{
	close(worker->command_fd);
	assert_int_equal(waitpid(worker->pid, NULL, 0), worker->pid);
	close(worker->answer_fd);
}

#endif
