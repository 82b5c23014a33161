/*
 * Reading of small files. Plain read(2) and not stdio: no allocation, and a task that
 * ends under our hands shows as ESRCH instead of as an empty file.
 */

#include "kernel/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kernel/sys.h"

static long read_whole(int fd, char *text, size_t size)
{
	size_t length = 0;

	while (length < size - 1) {
		ssize_t count = sys_read(fd, text + length, size - 1 - length);

		if (count < 0)
			return count;
		if (count == 0)
			break;
		length += (size_t)count;
	}
	return (long)length;
}

long file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	long length = fd < 0 ? -errno : read_whole(fd, text, size);

	if (fd >= 0)
		sys_close(fd);
	text[length > 0 ? length : 0] = '\0';
	return length;
}

const char *file_find_key(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text) {
		if (strncmp(text, key, length) == 0) {
			const char *value = text + length + strspn(text + length, " \t");

			if (*value == ':')
				return value + 1 + strspn(value + 1, " \t");
		}
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}
