#include "kernel/host_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "kernel/file.h"

long host_read_file(const char *root, const char *path, char *text, size_t size)
{
	char full[HOST_PATH_BYTES];

	snprintf(full, sizeof(full), "%s%s", root, path);
	return file_read(full, text, size);
}

void host_trim_end(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && isspace((unsigned char)text[length - 1]))
		text[--length] = '\0';
}

void host_set_text(char text[static HOST_TEXT_MAX], const char *value)
{
	size_t length = strnlen(value, HOST_TEXT_MAX - 1);

	memcpy(text, value, length);
	text[length] = '\0';
}
