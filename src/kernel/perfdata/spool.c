/* The file goes when its descriptor does, however that comes about. */
#include "kernel/perfdata/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "kernel/perfdata/inlet.h"
#include "kernel/sys.h"

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

static bool put(int fd, const unsigned char *bytes, size_t size)
{
	while (size > 0) {
		const ssize_t count = write(fd, bytes, size);

		if (count < 0 && errno != EINTR)
			return false;
		if (count > 0) {
			bytes += count;
			size -= (size_t)count;
		}
	}
	return true;
}

/* All that comes until the end; *size: how many bytes those were. */
static bool copy(struct inlet *inlet, int fd, uint64_t most, const char *path, uint64_t *size,
		 struct error *error)
{
	*size = 0;
	while (inlet_await(inlet, 1) == INLET_READY) {
		const size_t count = inlet_available(inlet);

		if (count > most - *size)
			return error_set(error, ERROR_PERFDATA_NO_STREAM, path, NULL);
		if (!put(fd, inlet_bytes(inlet), count))
			return error_set_errno(error, ERROR_FILE_WRITE, folder(), errno);
		inlet_advance(inlet, count);
		*size += count;
	}
	return inlet->failure == 0 || error_set_errno(error, ERROR_FILE_OPEN, path, inlet->failure);
}

bool spool_in(struct inlet *inlet, uint64_t most, const char *path, struct error *error)
{
	const int fd = open_nameless(error);
	uint64_t size;

	if (fd < 0)
		return false;
	if (!copy(inlet, fd, most, path, &size, error)) {
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
