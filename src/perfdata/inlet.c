/*
 * A window over the file. The unread rest is moved to the front of the buffer before more is read
 * behind it, at the same distance from a multiple of 8 as in the file, so that records, with sizes
 * that are multiples of 8, stay aligned and need not be copied.
 */

#include "perfdata/inlet.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/sys.h"

enum {
	SLACK = 8 /* room to keep the distance from a multiple of 8 */
};

static bool refuse_input(struct inlet *inlet, struct error *error, enum error_code code,
			 const char *path)
{
	inlet_close(inlet);
	return error_set(error, code, path, NULL);
}

bool inlet_open(struct inlet *inlet, const char *path, struct error *error)
{
	struct stat status;
	bool is_standard = strcmp(path, "-") == 0;

	*inlet = (struct inlet){.limit = UINT64_MAX};
	/* another number for standard input: the screen gives its own to the keyboard */
	inlet->fd = is_standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
				: open(path, O_RDONLY | O_CLOEXEC);
	if (inlet->fd < 0 || fstat(inlet->fd, &status) < 0) {
		int failure = errno;

		inlet_close(inlet);
		return error_set_errno(error, ERROR_FILE_OPEN, path, failure);
	}
	if (S_ISDIR(status.st_mode))
		return refuse_input(inlet, error, ERROR_PERFDATA_DIRECTORY, path);
	if (isatty(inlet->fd))
		return refuse_input(inlet, error, ERROR_PERFDATA_TERMINAL, path);
	inlet->is_file = S_ISREG(status.st_mode);
	if (inlet->is_file) {
		inlet->size = (uint64_t)status.st_size;
		(void)posix_fadvise(inlet->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	}
	inlet->buffer = xrealloc(NULL, 1, INLET_ROOM + SLACK);
	return true;
}

void inlet_close(struct inlet *inlet)
{
	if (inlet->fd >= 0)
		sys_close(inlet->fd);
	inlet->fd = -1;
	free(inlet->buffer);
	inlet->buffer = NULL;
}

static void make_inlet_room(struct inlet *inlet)
{
	size_t rest = inlet_available(inlet);
	size_t front = (size_t)(inlet->offset % SLACK);

	if (inlet->start != front)
		memmove(inlet->buffer + front, inlet_bytes(inlet), rest);
	inlet->start = front;
	inlet->fill = front + rest;
}

static ssize_t read_some(struct inlet *inlet, unsigned char *bytes, size_t size)
{
	uint64_t place = inlet->offset + inlet_available(inlet);
	ssize_t count;

	if (!inlet->is_file)
		return sys_read(inlet->fd, bytes, size);
	if (place >= inlet->limit || place > INT64_MAX)
		return 0;
	if (size > inlet->limit - place)
		size = (size_t)(inlet->limit - place);
	do {
		count = pread(inlet->fd, bytes, size, (off_t)place);
	} while (count < 0 && errno == EINTR);
	return count < 0 ? -errno : count;
}

static bool has_come(const struct inlet *inlet)
{
	struct pollfd poll_fd = {.fd = inlet->fd, .events = POLLIN};

	/* A failure to poll is one to read as well, and read says which. */
	return inlet->is_file || poll(&poll_fd, 1, 0) != 0;
}

static enum inlet_result fetch_input(struct inlet *inlet, size_t count, bool is_awaited)
{
	assert(count <= INLET_ROOM);
	while (inlet_available(inlet) < count) {
		if (inlet->is_ended)
			return INLET_END;
		if (!is_awaited && !has_come(inlet))
			return INLET_WAIT;
		make_inlet_room(inlet);

		ssize_t got = read_some(inlet, inlet->buffer + inlet->fill,
					INLET_ROOM + SLACK - inlet->fill);

		if (got == -EAGAIN && !is_awaited)
			return INLET_WAIT; /* another reader was faster */
		if (got < 0)
			inlet->failure = (int)-got;
		if (got <= 0) {
			inlet->is_ended = true;
			continue;
		}
		inlet->fill += (size_t)got;
	}
	return INLET_READY;
}

enum inlet_result inlet_fetch(struct inlet *inlet, size_t count)
{
	return fetch_input(inlet, count, false);
}

enum inlet_result inlet_await(struct inlet *inlet, size_t count)
{
	return fetch_input(inlet, count, true);
}

uint64_t inlet_skip(struct inlet *inlet, uint64_t count)
{
	size_t here = inlet_available(inlet);
	uint64_t end = inlet->limit < inlet->size ? inlet->limit : inlet->size;

	if (count <= here || !inlet->is_file) {
		here = count < here ? (size_t)count : here;
		inlet_advance(inlet, here);
		return here;
	}
	if (inlet->offset >= end)
		return 0;
	if (count > end - inlet->offset)
		count = end - inlet->offset;
	inlet_seek(inlet, inlet->offset + count);
	return count;
}

size_t inlet_at(const struct inlet *inlet, uint64_t offset, void *bytes, size_t size)
{
	size_t done = 0;

	while (done < size && offset + done <= INT64_MAX) {
		ssize_t got = pread(inlet->fd, (unsigned char *)bytes + done, size - done,
				    (off_t)(offset + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		done += (size_t)got;
	}
	return done;
}

void inlet_seek(struct inlet *inlet, uint64_t offset)
{
	inlet->offset = offset;
	inlet->start = 0;
	inlet->fill = 0;
	inlet->is_ended = false;
	inlet->failure = 0;
}

static const char *folder(void)
{
	const char *wanted = getenv("TMPDIR");

	return wanted && wanted[0] == '/' ? wanted : "/tmp";
}

static int open_nameless(struct error *error)
{
	char name[PATH_MAX];
	int fd;

	snprintf(name, sizeof(name), "%s/perftop-XXXXXX", folder());
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		error_set_errno(error, ERROR_FILE_OPEN, name, errno);
	else
		unlink(name);
	return fd;
}

/* All that comes until the end; *size: how many bytes those were. */
static bool copy_input(struct inlet *inlet, int fd, uint64_t most, const char *path, uint64_t *size,
		       struct error *error)
{
	*size = 0;
	while (inlet_await(inlet, 1) == INLET_READY) {
		const size_t count = inlet_available(inlet);

		if (count > most - *size)
			return error_set(error, ERROR_PERFDATA_NO_STREAM, path, NULL);
		if (sys_write_all(fd, inlet_bytes(inlet), count) < 0)
			return error_set_errno(error, ERROR_FILE_WRITE, folder(), errno);
		inlet_advance(inlet, count);
		*size += count;
	}
	return inlet->failure == 0 || error_set_errno(error, ERROR_FILE_OPEN, path, inlet->failure);
}

bool inlet_spool(struct inlet *inlet, uint64_t most, const char *path, struct error *error)
{
	const int fd = open_nameless(error);
	uint64_t size;

	if (fd < 0)
		return false;
	if (!copy_input(inlet, fd, most, path, &size, error)) {
		sys_close(fd);
		return false;
	}
	sys_close(inlet->fd);
	inlet->fd = fd;
	inlet->is_file = true;
	inlet->size = size;
	inlet_seek(inlet, 0);
	return true;
}
