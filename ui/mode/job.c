/*
 * Job control as a shell does it: both sides put the child into its group and its group into the
 * foreground, since either may come first. SIGTTOU would stop us when we take the terminal back
 * from the background; it is blocked for that moment.
 */
#include "mode/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/error.h"

enum {
	NOT_RUN = 127
};

static void take_terminal(pid_t group)
{
	sigset_t blocked, before;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGTTOU);
	sigprocmask(SIG_BLOCK, &blocked, &before);
	tcsetpgrp(STDIN_FILENO, group);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* In the child: signals are as usual again, and it becomes the command. Never returns. */
static _Noreturn void become(const char *command, int words_fd)
{
	static const int usual[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE, SIGCHLD};
	sigset_t none;

	setpgid(0, 0);
	take_terminal(getpid());
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		signal(usual[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(words_fd, STDERR_FILENO);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(NOT_RUN);
}

bool job_start(struct job *job, const char *command, struct error *error)
{
	int fds[2];

	*job = (struct job){.words_fd = -1};
	if (pipe2(fds, O_CLOEXEC) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "pipe2", errno);
	job->pid = fork();
	if (job->pid == 0)
		become(command, fds[1]);
	close(fds[1]);
	if (job->pid < 0) {
		job->pid = 0;
		close(fds[0]);
		return error_set_errno(error, ERROR_SYSTEM, "fork", errno);
	}
	setpgid(job->pid, job->pid);
	take_terminal(job->pid);
	job->words_fd = fds[0];
	fcntl(job->words_fd, F_SETFL, O_NONBLOCK);
	return true;
}

/* Of too much the beginning is forgotten. */
static void remember(struct job *job, const char *bytes, size_t count)
{
	const size_t room = JOB_WORDS_MAX - 1;
	size_t kept = job->length;

	if (count > room) {
		bytes += count - room;
		count = room;
	}
	if (kept + count > room)
		kept = room - count;
	memmove(job->words, job->words + job->length - kept, kept);
	memcpy(job->words + kept, bytes, count);
	job->length = kept + count;
	job->words[job->length] = '\0';
}

/* A terminal that ^S has stopped, or a pipe without a reader, would hold us up. */
static void repeat_words(const char *bytes, size_t count)
{
	struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};

	if (poll(&output, 1, 0) <= 0 || (output.revents & POLLOUT) == 0)
		return;
	if (write(STDERR_FILENO, bytes, count) < 0)
		return; /* they are remembered all the same */
}

bool job_hear(struct job *job)
{
	char bytes[1024];
	ssize_t count;

	while ((count = read(job->words_fd, bytes, sizeof(bytes))) > 0) {
		remember(job, bytes, (size_t)count);
		repeat_words(bytes, (size_t)count);
	}
	return count < 0 && (errno == EAGAIN || errno == EINTR);
}

static void close_words(struct job *job)
{
	if (job->words_fd < 0)
		return;
	job_hear(job);
	close(job->words_fd);
	job->words_fd = -1;
}

bool job_collect(struct job *job, int *status)
{
	int raw;

	while (job->pid > 0 && waitpid(job->pid, &raw, WNOHANG | WUNTRACED) == job->pid) {
		if (WIFSTOPPED(raw)) {
			kill(-job->pid, SIGCONT);
			continue;
		}
		*status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
		job->pid = 0;
		take_terminal(getpgrp());
		close_words(job);
		return true;
	}
	return false;
}

void job_end(struct job *job)
{
	if (job->pid <= 0)
		return;
	kill(-job->pid, SIGTERM);
	kill(-job->pid, SIGCONT);
	while (waitpid(job->pid, NULL, 0) < 0 && errno == EINTR)
		;
	job->pid = 0;
	take_terminal(getpgrp());
	close_words(job);
}
