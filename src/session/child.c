/*
 * Two pipes: over the first the parent says go (a byte; its end without a word means go away, so
 * that a parent that dies starts nothing), over the second the child says why exec failed (a
 * successful exec closes it).
 */
#include "session/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

#include "base/error.h"

static bool make_output(struct child *child, int *fd, struct error *error)
{
	const char *folder = getenv("TMPDIR");
	size_t room = sizeof(child->output);

	if (!folder || folder[0] != '/' || strlen(folder) + sizeof("/perftop-XXXXXX") > room)
		folder = "/tmp";
	snprintf(child->output, room, "%s/perftop-XXXXXX", folder);
	*fd = mkostemp(child->output, O_CLOEXEC);
	return *fd >= 0 || error_set_errno(error, ERROR_FILE_OPEN, child->output, errno);
}

/* In the child: waits for the word, then becomes the command. Never returns. */
static _Noreturn void become_command(char *const *command, int start_fd, int result_fd,
				     int output_fd)
{
	char word;
	int errno_value;

	if (read(start_fd, &word, 1) != 1)
		_exit(0);
	if (output_fd >= 0) {
		int empty = open("/dev/null", O_RDONLY | O_CLOEXEC);

		dup2(empty, STDIN_FILENO);
		dup2(output_fd, STDOUT_FILENO);
		dup2(output_fd, STDERR_FILENO);
	}
	execvp(command[0], command);
	errno_value = errno;
	if (write(result_fd, &errno_value, sizeof(errno_value)) < 0)
		_exit(126);
	_exit(127);
}

static void close_descriptors(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

/* Of a command that never ran there is no output. */
static void remove_output(struct child *child)
{
	if (child->output[0] != '\0')
		unlink(child->output);
	child->output[0] = '\0';
}

enum {
	START_READ,
	START_WRITE,
	RESULT_READ,
	RESULT_WRITE,
	OUTPUT,
	CHILD_FDS
};

static bool fork_child(struct child *child, char *const *command, int *fds, struct error *error)
{
	if (pipe2(&fds[START_READ], O_CLOEXEC) != 0 || pipe2(&fds[RESULT_READ], O_CLOEXEC) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "pipe2", errno);
	child->pid = fork();
	if (child->pid < 0)
		return error_set_errno(error, ERROR_SYSTEM, "fork", errno);
	if (child->pid == 0) {
		close(fds[START_WRITE]);
		become_command(command, fds[START_READ], fds[RESULT_WRITE], fds[OUTPUT]);
	}
	return true;
}

bool child_prepare(struct child *child, char *const *command, bool to_file, struct error *error)
{
	int fds[CHILD_FDS] = {-1, -1, -1, -1, -1};

	*child = (struct child){.start_fd = -1, .result_fd = -1};
	if (to_file && !make_output(child, &fds[OUTPUT], error)) {
		child->output[0] = '\0';
		return false;
	}
	if (!fork_child(child, command, fds, error)) {
		close_descriptors(fds, CHILD_FDS);
		remove_output(child);
		child->pid = 0;
		return false;
	}
	child->start_fd = fds[START_WRITE];
	child->result_fd = fds[RESULT_READ];
	fds[START_WRITE] = fds[RESULT_READ] = -1;
	close_descriptors(fds, CHILD_FDS);
	return true;
}

bool child_start(struct child *child, const char *name, struct error *error)
{
	int errno_value = 0;
	ssize_t count;

	/* one that is gone already does not read this: its end says so */
	if (write(child->start_fd, "x", 1) < 0 && errno != EPIPE)
		return error_set_errno(error, ERROR_EXEC, name, errno);
	close_descriptors(&child->start_fd, 1);
	do {
		count = read(child->result_fd, &errno_value, sizeof(errno_value));
	} while (count < 0 && errno == EINTR);
	close_descriptors(&child->result_fd, 1);
	if (count != (ssize_t)sizeof(errno_value))
		return true;
	remove_output(child);
	return error_set_errno(error, errno_value == ENOENT ? ERROR_EXEC_MISSING : ERROR_EXEC, name,
			       errno_value);
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void note_status(struct child *child, int status, const struct rusage *usage)
{
	child->has_ended = true;
	child->user_s = seconds_of(usage->ru_utime);
	child->system_s = seconds_of(usage->ru_stime);
	child->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool child_runs(const struct child *child)
{
	return child->pid > 0 && !child->has_ended;
}

bool child_collect(struct child *child)
{
	struct rusage usage = {0};
	int status;

	if (child_runs(child) && wait4(child->pid, &status, WNOHANG, &usage) == child->pid)
		note_status(child, status, &usage);
	return child->has_ended;
}

void child_print_output(struct child *child, FILE *stream)
{
	static const off_t most = 64 * 1024;
	const int fd = child->output[0] != '\0' ? open(child->output, O_RDONLY | O_CLOEXEC) : -1;
	const off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	char buffer[4096];
	ssize_t count;

	if (fd < 0)
		return;
	if (size > most)
		fprintf(stderr,
			"perftop: the last %lld of %lld bytes that the command wrote; all is in "
			"%s\n",
			(long long)most, (long long)size, child->output);
	else
		unlink(child->output);
	lseek(fd, size > most ? size - most : 0, SEEK_SET);
	while ((count = read(fd, buffer, sizeof(buffer))) > 0)
		fwrite(buffer, 1, (size_t)count, stream);
	fflush(stream);
	close(fd);
}

void child_signal(const struct child *child, int signal_number)
{
	if (child_runs(child))
		kill(child->pid, signal_number);
}

void child_finish(struct child *child)
{
	struct rusage usage = {0};
	int status;

	if (child->pid <= 0)
		return;
	if (child->start_fd >= 0)
		remove_output(child);
	close_descriptors(&child->start_fd, 1);
	close_descriptors(&child->result_fd, 1);
	while (!child->has_ended && wait4(child->pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			return;
	if (!child->has_ended)
		note_status(child, status, &usage);
}
