#include "symbol/read_text.h"

#include <stdlib.h>

#include "base/memory.h"
#include "kernel/sys.h"

enum {
	STEP_BYTES = 1 << 16
};

char *read_text(int fd, size_t limit, size_t *size)
{
	char *text = NULL;
	size_t capacity = 0;

	*size = 0;
	for (;;) {
		size_t want = limit - *size < STEP_BYTES ? limit - *size : STEP_BYTES;
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
