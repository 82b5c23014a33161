/*
 * Allocation with one way out. Callers may take memory for granted, because the program ends here
 * when it runs out: the hook puts the terminal back, one line says why, status 1. The exit is
 * _exit(2): without memory, no more of the program's code should run.
 */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum {
	FIRST_CAPACITY = 8,   /* elements of an array that has just begun to grow */
	KEPT_CAPACITY = 1024, /* elements that are not worth giving back */
	LARGE_BYTES = 1 << 18 /* more than most blocks of the history: new pages for each of these
				 would cost more than to fill it */
};

static void (*exhaustion_hook)(void);

void memory_on_exhaustion(void (*hook)(void))
{
	exhaustion_hook = hook;
}

void memory_exhausted(void)
{
	static const char line[] = "perftop: out of memory\n";
	void (*hook)(void) = exhaustion_hook;

	/* The hook may allocate and come back here: it must not be entered twice. */
	exhaustion_hook = NULL;
	if (hook)
		hook();
	ssize_t written = write(STDERR_FILENO, line, sizeof(line) - 1);
	(void)written; /* there is nowhere left to report it */
	_exit(1);
}

/* Bytes to ask for; never 0, for which malloc(3) may answer NULL. */
static size_t checked_bytes(size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes))
		memory_exhausted();
	return bytes ? bytes : 1;
}

void *xcalloc(size_t count, size_t size)
{
	void *memory = calloc(1, checked_bytes(count, size));

	if (!memory)
		memory_exhausted();
	return memory;
}

void *xrealloc(void *memory, size_t count, size_t size)
{
	void *moved = realloc(memory, checked_bytes(count, size));

	if (!moved)
		memory_exhausted();
	return moved;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, strlen(text));
}

char *xstrndup(const char *text, size_t length)
{
	size_t used = strnlen(text, length);
	char *copy = xcalloc(used + 1, 1);

	memcpy(copy, text, used);
	return copy;
}

static void resize_array(void *array, size_t *capacity, size_t count, size_t size)
{
	/* memcpy: the pointer to the elements may have any type, and void * is not an alias for
	 * all. */
	void *elements;

	memcpy(&elements, array, sizeof(elements));
	elements = xrealloc(elements, count, size);
	memcpy(array, &elements, sizeof(elements));
	*capacity = count;
}

void array_reserve(void *array, size_t *capacity, size_t need, size_t size)
{
	if (need <= *capacity)
		return;

	size_t grown = *capacity * 2;
	if (grown < FIRST_CAPACITY)
		grown = FIRST_CAPACITY;
	if (grown < need) /* also when the double has wrapped: it is then below the capacity */
		grown = need;

	resize_array(array, capacity, grown, size);
}

size_t array_not_above(const void *array, size_t count, size_t size, uint64_t limit)
{
	const char *bytes = array;
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		uint64_t each;

		memcpy(&each, bytes + middle * size, sizeof(each));
		if (each <= limit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void array_shrink(void *array, size_t *capacity, size_t need, size_t size)
{
	if (*capacity > KEPT_CAPACITY && need < *capacity / 4)
		resize_array(array, capacity, *capacity / 2, size);
}

void memory_keep_large_apart(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
#endif
}

void memory_trim(void)
{
#ifdef __GLIBC__
	malloc_trim(0);
#endif
}

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
uint64_t memory_allocated_bytes(void)
{
	const struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}
#else
uint64_t memory_allocated_bytes(void)
{
	return UINT64_MAX;
}
#endif
