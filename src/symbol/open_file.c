/*
 * First a descriptor that only names the file (O_PATH), which opens nothing; what it names is
 * looked at, and then opened by that descriptor: nobody can put something else there in between.
 */
#include "symbol/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include <linux/openat2.h>
#include <sys/syscall.h>

/* Links lead nowhere outside the root of the process; a kernel before 5.6 cannot do that. */
static int name_in_root(int root, const char *path, int flags)
{
	struct open_how how = {.flags = (unsigned int)flags, .resolve = RESOLVE_IN_ROOT};
	long fd = syscall(SYS_openat2, root, path, &how, sizeof(how));

	if (fd < 0 && (errno == ENOSYS || errno == EPERM))
		fd = openat(root, path + 1, flags);
	return (int)fd;
}

static int open_named(int named, struct stat *status)
{
	char path[64];
	int fd = OPEN_ABSENT;

	if (fstat(named, status) == 0 && !S_ISREG(status->st_mode)) {
		close(named);
		return OPEN_REFUSED;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", named);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(named);
	return fd >= 0 ? fd : OPEN_ABSENT;
}

int open_in_process(int32_t pid, const char *path, enum open_links links, struct stat *status)
{
	int flags = O_PATH | O_CLOEXEC | (links == OPEN_NO_LINK ? O_NOFOLLOW : 0);
	char root_path[64] = "/";
	int root, named;

	if (path[0] != '/')
		return OPEN_ABSENT;
	if (pid > 0)
		snprintf(root_path, sizeof(root_path), "/proc/%" PRId32 "/root", pid);
	root = open(root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return OPEN_ABSENT;
	named = name_in_root(root, path, flags);
	close(root);
	return named >= 0 ? open_named(named, status) : OPEN_ABSENT;
}

int open_mapped(int32_t pid, uint64_t start, uint64_t end, struct stat *status, char *name,
		size_t size)
{
	char path[96];
	ssize_t length;
	int named;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/map_files/%" PRIx64 "-%" PRIx64, pid, start,
		 end);
	length = readlink(path, name, size - 1);
	named = open(path, O_PATH | O_CLOEXEC);
	if (named < 0)
		return OPEN_ABSENT;
	name[length > 0 ? length : 0] = '\0';
	return open_named(named, status);
}
