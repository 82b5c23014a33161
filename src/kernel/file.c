/*
 * Reads small files. Plain read(2) instead of stdio: no allocation, and a task that ends during the
 * read shows as ESRCH instead of as an empty file.
 */

#include "kernel/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/list.h"
#include "kernel/sys.h"

enum {
	PATH_BYTES = 768,
	NUMBER_BYTES = 512,
	LIST_BYTES = 16384,
	LIST_MOST = 1 << 20 /* above any number of CPUs that Linux can be built for */
};

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

static long read_named(char *text, size_t size, const char *path, va_list arguments)
{
	char full[PATH_BYTES];

	text[0] = '\0';
	if (vsnprintf(full, sizeof(full), path, arguments) >= PATH_BYTES)
		return -ENAMETOOLONG;
	return file_read(full, text, size);
}

long file_readf(char *text, size_t size, const char *path, ...)
{
	va_list arguments;
	long length;

	va_start(arguments, path);
	length = read_named(text, size, path, arguments);
	va_end(arguments);
	return length;
}

bool file_read_number(long long *value, const char *path, ...)
{
	char text[NUMBER_BYTES], *end;
	va_list arguments;

	va_start(arguments, path);
	read_named(text, sizeof(text), path, arguments);
	va_end(arguments);
	*value = strtoll(text, &end, 10);
	return end != text && (*end == '\n' || *end == '\0');
}

bool file_read_list(struct number_list *list, const char *path, ...)
{
	char text[LIST_BYTES];
	va_list arguments;
	long length;

	va_start(arguments, path);
	length = read_named(text, sizeof(text), path, arguments);
	va_end(arguments);
	*list = (struct number_list){0};
	return length > 0 && number_list_parse(list, text, LIST_MOST);
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
