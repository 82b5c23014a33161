/*
 * The new text is written into a file beside the old one, which then takes its name. Its own name
 * begins with a dot and ends in what no collector of files takes for one of its own. Numbers of
 * an interval are not forced to the disk: after a crash of the machine they are worth nothing, and
 * once a second the wait for a disk is long. What replaces a file of the user is.
 */
#include "session/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/stat.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/sys.h"

enum {
	MODE = 0644 /* whoever reads it is somebody else */
};

static char *name_temporary(const char *path)
{
	static const char random[] = ".XXXXXX";
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	const bool fits = strlen(base) + sizeof(random) < NAME_MAX;
	struct strbuf name = {0};

	strbuf_add_bytes(&name, path, (size_t)(base - path));
	strbuf_printf(&name, ".%s%s", fits ? base : "perftop", random);
	return name.text;
}

/* Makes the file beside it; *name is owned by the caller then. */
static int open_temporary(const struct replacement *replacement, char **name)
{
	int fd;

	*name = xstrdup(replacement->temporary);
	fd = mkostemp(*name, O_CLOEXEC);
	if (fd < 0) {
		const int reason = errno;

		free(*name);
		errno = reason;
	}
	return fd;
}

static bool check(const struct replacement *replacement, struct error *error)
{
	char *name;
	const int fd = open_temporary(replacement, &name);

	if (fd < 0)
		return error_set_errno(error, ERROR_FILE_OPEN, replacement->path, errno);
	close(fd);
	unlink(name);
	free(name);
	return true;
}

bool replacement_init(struct replacement *replacement, const char *path, struct error *error)
{
	struct stat file;
	const bool exists = stat(path, &file) == 0;

	if (exists && S_ISDIR(file.st_mode))
		return error_set_errno(error, ERROR_FILE_OPEN, path, EISDIR);
	if (exists && !S_ISREG(file.st_mode))
		return false;
	replacement->path = exists ? realpath(path, NULL) : NULL;
	if (!replacement->path)
		replacement->path = xstrdup(path);
	replacement->temporary = name_temporary(replacement->path);
	return check(replacement, error);
}

void replacement_fini(struct replacement *replacement)
{
	free(replacement->path);
	free(replacement->temporary);
	*replacement = (struct replacement){0};
}

/* As the file that it replaces; an owner that we cannot give it is not worth a refusal, and another
 * group has no rights. */
static bool keep_like(int fd, const struct stat *like)
{
	mode_t mode = like->st_mode & 07777;
	struct stat own;

	if (fstat(fd, &own) != 0)
		return false;
	if ((own.st_uid != like->st_uid || own.st_gid != like->st_gid) &&
	    fchown(fd, like->st_uid, like->st_gid) != 0) {
		if (geteuid() == 0)
			return false;
		mode &= own.st_gid != like->st_gid ? ~(mode_t)S_IRWXG : ~(mode_t)0;
	}
	return fchmod(fd, mode) == 0 && fsync(fd) == 0;
}

bool replacement_write(const struct replacement *replacement, const char *text, size_t length,
		       struct error *error)
{
	char *name;
	const int fd = open_temporary(replacement, &name);
	bool good;
	int reason;

	if (fd < 0)
		return error_set_errno(error, ERROR_FILE_REPLACE, replacement->path, errno);
	good = sys_write_all(fd, text, length) == 0 &&
	       (replacement->like ? keep_like(fd, replacement->like) : fchmod(fd, MODE) == 0);
	reason = errno;
	if (close(fd) != 0 && good) {
		good = false;
		reason = errno;
	}
	if (good && rename(name, replacement->path) != 0) {
		good = false;
		reason = errno;
	}
	if (!good)
		unlink(name);
	free(name);
	return good || error_set_errno(error, ERROR_FILE_REPLACE, replacement->path, reason);
}
