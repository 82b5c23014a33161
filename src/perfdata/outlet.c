/*
 * Where the bytes of a recording go. A new file is made under its name only when the old one was
 * moved away, and is never one that another process has put there since (O_EXCL). No other user may
 * read it: it shows what ran here.
 *
 * A path that is no regular file is opened as it is and written as a stream: a FIFO, /dev/null.
 */

#include "perfdata/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/memory.h"

enum {
	PATIENCE_MS = 10000
};

static bool fail_output(struct outlet *output, int errno_value)
{
	if (output->failure.code != ERROR_NONE)
		return false;
	if (errno_value == EPIPE)
		return error_set(&output->failure, ERROR_RECORD_READER_GONE, output->path, NULL);
	return error_set_errno(&output->failure,
			       output->has_interval ? ERROR_RECORD_WRITE : ERROR_RECORD_EARLY,
			       output->path, errno_value);
}

static char *old_name(const char *path)
{
	size_t size = strlen(path) + sizeof(".old");
	char *old = xcalloc(size, 1);

	snprintf(old, size, "%s.old", path);
	return old;
}

static bool open_new(struct outlet *output, struct error *error)
{
	output->is_file = true;
	output->fd = open(output->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0600);
	return output->fd >= 0 || error_set_errno(error, ERROR_RECORD_CREATE, output->path, errno);
}

/* In the place of a file that is moved away, and back where that was in vain. */
static bool open_instead(struct outlet *output, struct error *error)
{
	char *old = old_name(output->path);
	bool is_done = rename(output->path, old) == 0;

	if (!is_done) {
		error_set_errno(error, ERROR_RECORD_OLD, output->path, errno);
	} else if (!open_new(output, error)) {
		rename(old, output->path);
		is_done = false;
	}
	free(old);
	return is_done;
}

/* A FIFO without a reader must not keep us waiting: opened without waiting it says so. */
static bool open_output_stream(struct outlet *output, struct error *error)
{
	int fd = open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (fd < 0) {
		return errno == ENXIO
			       ? error_set(error, ERROR_RECORD_NO_READER, output->path, NULL)
			       : error_set_errno(error, ERROR_RECORD_CREATE, output->path, errno);
	}
	if (isatty(fd)) {
		close(fd);
		return error_set(error, ERROR_RECORD_TERMINAL, output->path, NULL);
	}
	output->fd = fd;
	return true;
}

/* Reopened where possible: whether it waits is then not shared with others that have it. */
static bool open_standard(struct outlet *output, struct error *error)
{
	struct stat status;

	if (isatty(STDOUT_FILENO))
		return error_set(error, ERROR_RECORD_TERMINAL, "-", NULL);
	if (fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode))
		output->fd = open("/proc/self/fd/1", O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	if (output->fd < 0)
		output->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return output->fd >= 0 || error_set_errno(error, ERROR_RECORD_CREATE, "-", errno);
}

static bool open_path(struct outlet *output, struct error *error)
{
	struct stat link, status;

	if (lstat(output->path, &link) != 0) {
		return errno == ENOENT
			       ? open_new(output, error)
			       : error_set_errno(error, ERROR_RECORD_CREATE, output->path, errno);
	}
	/* A link to nothing is moved as a file is. */
	if (stat(output->path, &status) != 0)
		status = link;
	if (S_ISDIR(status.st_mode))
		return error_set(error, ERROR_RECORD_DIRECTORY, output->path, NULL);
	if (S_ISBLK(status.st_mode))
		return error_set(error, ERROR_RECORD_DEVICE, output->path, NULL);
	return S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)
		       ? open_instead(output, error)
		       : open_output_stream(output, error);
}

bool outlet_open(struct outlet *output, const char *path, struct error *error)
{
	*output = (struct outlet){.fd = -1, .path = xstrdup(path)};
	if (strcmp(path, "-") == 0 ? open_standard(output, error) : open_path(output, error))
		return true;
	outlet_close(output);
	return false;
}

/* A reader that is slow is waited for, one that has stopped must not stop us. */
static void wait_for_room(struct outlet *output)
{
	struct pollfd room = {.fd = output->fd, .events = POLLOUT};

	if (poll(&room, 1, PATIENCE_MS) == 0 && output->failure.code == ERROR_NONE)
		error_set(&output->failure, ERROR_RECORD_READER_STUCK, output->path, NULL);
}

/* A pipe without its reader must not end us, whatever the program thinks of SIGPIPE. */
static ssize_t write_stream(int fd, const void *bytes, size_t size)
{
	static const struct timespec at_once = {0};
	sigset_t pipe, before, pending;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe, &before);

	ssize_t count = write(fd, bytes, size);
	int reason = errno;

	if (count < 0 && reason == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe, NULL, &at_once);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return count;
}

size_t outlet_append(struct outlet *output, const void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size && output->failure.code == ERROR_NONE) {
		const char *rest = (const char *)bytes + done;
		ssize_t count = output->is_file ? write(output->fd, rest, size - done)
						: write_stream(output->fd, rest, size - done);

		if (count > 0)
			done += (size_t)count;
		else if (count < 0 && errno == EAGAIN)
			wait_for_room(output);
		else if (count == 0 || errno != EINTR)
			fail_output(output, count == 0 ? EIO : errno);
	}
	output->size += done;
	return done;
}

bool outlet_place(struct outlet *output, uint64_t offset, const void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = pwrite(output->fd, (const char *)bytes + done, size - done,
				       (off_t)(offset + done));

		if (count > 0)
			done += (size_t)count;
		else if (count == 0 || errno != EINTR)
			return fail_output(output, count == 0 ? EIO : errno);
	}
	return true;
}

bool outlet_cut(struct outlet *output, uint64_t size)
{
	/* write(2) goes on at the descriptor's offset. */
	if (ftruncate(output->fd, (off_t)size) != 0 || lseek(output->fd, (off_t)size, SEEK_SET) < 0)
		return fail_output(output, errno);
	output->size = size;
	return true;
}

bool outlet_check(struct outlet *output)
{
	struct stat status;

	if (fstat(output->fd, &status) == 0 && status.st_nlink == 0 &&
	    output->failure.code == ERROR_NONE)
		error_set(&output->failure, ERROR_RECORD_DELETED, output->path, NULL);
	return output->failure.code == ERROR_NONE;
}

void outlet_close(struct outlet *output)
{
	if (output->fd >= 0 && close(output->fd) != 0 && errno != EINTR)
		fail_output(output, errno);
	output->fd = -1;
	free(output->path);
	output->path = NULL;
}
