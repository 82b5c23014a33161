/*
 * First a descriptor that only names the file (O_PATH), which opens nothing; what it names is
 * looked at, and then opened by that descriptor: nobody can put something else there in between.
 */
#include "symbol/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/openat2.h>
#include <sys/fsuid.h>
#include <sys/syscall.h>

#include "base/memory.h"
#include "kernel/file.h"
#include "kernel/proc.h"
#include "kernel/rights.h"
#include "kernel/sys.h"

enum {
	READ_BYTES = 1 << 16, /* at a time */
	NOBODY = 65534
};

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

static int open_root(int32_t pid)
{
	char path[64] = "/";

	if (pid > 0)
		snprintf(path, sizeof(path), "/proc/%" PRId32 "/root", pid);
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* Closes the root; -1: there is none. */
static int open_in_root(int root, const char *path, enum open_links links, struct stat *status)
{
	int flags = O_PATH | O_CLOEXEC | (links == OPEN_NO_LINK ? O_NOFOLLOW : 0);
	int named;

	if (root < 0)
		return OPEN_ABSENT;
	named = path[0] == '/' ? name_in_root(root, path, flags) : -1;
	close(root);
	return named >= 0 ? open_named(named, status) : OPEN_ABSENT;
}

/* What is found below the root is looked for without the rights that lead there. */
int open_in_process(int32_t pid, const char *path, enum open_links links, struct stat *status)
{
	int root;

	rights_raise(RIGHTS_TASKS);
	root = open_root(pid);
	rights_lower();
	return open_in_root(root, path, links, status);
}

int open_mapped(int32_t pid, uint64_t start, uint64_t end, struct stat *status, char *name,
		size_t size)
{
	char path[96];
	ssize_t length;
	int named;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/map_files/%" PRIx64 "-%" PRIx64, pid, start,
		 end);
	rights_raise(RIGHTS_MAPPED_FILES);
	length = readlink(path, name, size - 1);
	named = open(path, O_PATH | O_CLOEXEC);
	rights_lower();
	if (named < 0)
		return OPEN_ABSENT;
	name[length > 0 ? length : 0] = '\0';
	return open_named(named, status);
}

/*
 * The number a process has for itself, which it writes if it is in a pid namespace of its own; its
 * number here where the kernel does not say.
 */
static int32_t inner_pid(int32_t pid)
{
	char status[4096];
	const char *numbers;
	int32_t inner = pid;
	long length;

	rights_raise(RIGHTS_TASKS);
	length = file_readf(status, sizeof(status), "/proc/%" PRId32 "/status", pid);
	rights_lower();
	if (length <= 0)
		return pid;
	numbers = file_find_key(status, "NSpid");
	while (numbers && *numbers != '\0' && *numbers != '\n') {
		char *rest;
		long number = strtol(numbers, &rest, 10);

		if (rest == numbers)
			break;
		inner = (int32_t)number;
		numbers = rest;
	}
	return inner;
}

static bool is_trusted(const struct stat *status, int32_t pid)
{
	int64_t owner = proc_owner(pid);

	return status->st_uid == 0 || (owner >= 0 && status->st_uid == (uint64_t)owner);
}

int open_jit_map(int32_t pid)
{
	struct stat status;
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/tmp/perf-%" PRId32 ".map", inner_pid(pid));
	fd = open_in_process(pid, path, OPEN_NO_LINK, &status);
	if (fd < 0 || is_trusted(&status, pid))
		return fd;
	close(fd);
	return OPEN_REFUSED;
}

/* Of root's own files only what all may read: the name comes from a file that may be hostile. */
static bool is_no_secret(const struct stat *status, int32_t pid)
{
	const int64_t owner = pid > 0 ? proc_owner(pid) : (int64_t)geteuid();

	return (status->st_mode & S_IROTH) != 0 || (owner > 0 && status->st_uid == (uint64_t)owner);
}

/* Below the root of the process, or else below our own: that of a container may lack its source. */
static int open_below(int32_t pid, const char *path, struct stat *status)
{
	const int fd = open_in_root(open_root(pid), path, OPEN_LINKS, status);

	return fd >= 0 || pid == 0 ? fd : open_in_root(open_root(0), path, OPEN_LINKS, status);
}

/*
 * With the rights of a user, so that folders which are closed to that one stay so; without those
 * that the program's file gives (kernel/rights.h), since a text is shown as it is.
 */
static int open_as(int64_t user, int32_t pid, const char *path, struct stat *status)
{
	int fd;

	if (geteuid() != 0 || user == 0)
		return open_below(pid, path, status);
	setfsgid(NOBODY);
	setfsuid((uid_t)user);
	fd = open_below(pid, path, status);
	setfsuid(0);
	setfsgid(getegid());
	return fd;
}

/* Of a process that has ended the user is unknown: what nobody may open is there for everybody. */
int open_source(int32_t pid, const char *path)
{
	const int64_t owner = pid > 0 ? proc_owner(pid) : 0;
	struct stat status;
	const int fd = open_as(owner >= 0 ? owner : NOBODY, pid, path, &status);

	if (fd < 0 || (is_no_secret(&status, pid) && status.st_size > 0))
		return fd;
	close(fd);
	return OPEN_REFUSED;
}

int open_maps(int32_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%" PRId32 "/maps", pid);
	rights_raise(RIGHTS_TASKS);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	rights_lower();
	if (fd >= 0)
		return fd;
	return sys_task_exists(pid, pid) ? OPEN_REFUSED : OPEN_ABSENT;
}

int open_kept_kallsyms(const char *build_id)
{
	const char *home = getenv("HOME");
	struct stat status;
	char path[PATH_MAX];

	if (!home || build_id[strspn(build_id, "0123456789abcdef/")] != '\0' ||
	    snprintf(path, sizeof(path), "%s/.debug/.build-id/%s/kallsyms", home, build_id) >=
		    (int)sizeof(path))
		return OPEN_ABSENT;
	return open_in_process(0, path, OPEN_LINKS, &status);
}

char *read_text(int fd, size_t limit, size_t *size)
{
	char *text = NULL;
	size_t capacity = 0;

	*size = 0;
	for (;;) {
		size_t want = limit - *size < READ_BYTES ? limit - *size : READ_BYTES;
		ssize_t count;

		array_reserve(&text, &capacity, *size + want + 1, 1);
		count = sys_read(fd, text + *size, want);
		if (count < 0) {
			free(text);
			return NULL;
		}
		*size += (size_t)count;
		text[*size] = '\0';
		if (count == 0)
			return text;
	}
}
