/*
 * occurs [address|stays]: what happens in it happens a known number of times in known functions: a
 * variable is written 600, 300 and 100 times, 200 pages of new memory are touched, 30 of the heap
 * and 20 others by one function, some of the stack and of a file by one each, a futex is woken 150
 * times, and it sleeps 50 times. With `address` it prints where the variable is, which is the
 * same each time; with `stays` it sleeps for a second more.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
	TURNS = 100,
	PAGES = 200,
	HEAP_PAGES = 30,
	OTHER_PAGES = 20,
	STACK_BYTES = 100000,
	FUTEXES = 150,
	SLEEPS = 50
};

static volatile int variable;
static uint32_t word;

__attribute__((noinline)) void occurs_six(void);
__attribute__((noinline)) void occurs_three(void);
__attribute__((noinline)) void occurs_one(void);
__attribute__((noinline)) void occurs_turn(void);
__attribute__((noinline)) void occurs_touch(volatile char *memory, size_t page_bytes);
__attribute__((noinline)) void occurs_both(volatile char *heap, volatile char *other,
					   size_t page_bytes);
__attribute__((noinline)) void occurs_deep(size_t page_bytes);
__attribute__((noinline)) void occurs_file(volatile char *file, size_t page_bytes);
__attribute__((noinline)) void occurs_futex(void);
__attribute__((noinline)) void occurs_sleep(void);

/* The C library has no frames: without one here the caller would be missing in a chain. */
__attribute__((noinline)) static long enter(long call, long a, long b, long c, const void *d)
{
	return syscall(call, a, b, c, d, NULL, 0);
}

void occurs_six(void)
{
	for (int i = 0; i < 6; i++)
		variable = i;
}

void occurs_three(void)
{
	for (int i = 0; i < 3; i++)
		variable = i;
}

void occurs_one(void)
{
	variable = 1;
}

void occurs_turn(void)
{
	occurs_six();
	occurs_three();
	occurs_one();
}

void occurs_touch(volatile char *memory, size_t page_bytes)
{
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page_bytes] = 1;
}

void occurs_both(volatile char *heap, volatile char *other, size_t page_bytes)
{
	for (size_t i = 0; i < HEAP_PAGES; i++)
		heap[i * page_bytes] = 1;
	for (size_t i = 0; i < OTHER_PAGES; i++)
		other[i * page_bytes] = 1;
}

void occurs_deep(size_t page_bytes)
{
	volatile char stack[STACK_BYTES];

	for (size_t i = STACK_BYTES; i > page_bytes; i -= page_bytes)
		stack[i - 1] = 1;
	(void)stack;
}

void occurs_file(volatile char *file, size_t page_bytes)
{
	for (size_t i = 0; i < 2; i++)
		file[i * page_bytes] = 1;
}

/* Whole pages without any that are huge; NULL: there is no memory. */
static void *small_pages(void *memory, size_t bytes, size_t page_bytes)
{
	const uintptr_t at = ((uintptr_t)memory + page_bytes - 1) / page_bytes * page_bytes;

	if (memory == MAP_FAILED)
		return NULL;
	madvise((void *)at, bytes, MADV_NOHUGEPAGE);
	return (void *)at;
}

static void *new_pages(size_t count, size_t page_bytes)
{
	const size_t bytes = count * page_bytes;

	return small_pages(
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
		bytes, page_bytes);
}

static int touch_memory(const char *program, size_t page_bytes)
{
	const size_t heap_bytes = HEAP_PAGES * page_bytes;
	void *memory = new_pages(PAGES, page_bytes), *other = new_pages(OTHER_PAGES, page_bytes);
	void *heap = small_pages(sbrk((intptr_t)(heap_bytes + page_bytes)), heap_bytes, page_bytes);
	const int fd = open(program, O_RDONLY | O_CLOEXEC);
	void *file = mmap(NULL, 2 * page_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);

	if (!memory || !other || !heap || file == MAP_FAILED)
		return 1;
	occurs_touch(memory, page_bytes);
	occurs_both(heap, other, page_bytes);
	occurs_deep(page_bytes);
	occurs_file(file, page_bytes);
	return 0;
}

void occurs_futex(void)
{
	enter(SYS_futex, (long)&word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

void occurs_sleep(void)
{
	const struct timespec length = {.tv_nsec = 1000000};

	enter(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&length, NULL);
}

int main(int argc, char *argv[])
{
	const bool stays = argc > 1 && strcmp(argv[1], "stays") == 0;

	if (argc > 1 && !stays)
		return printf("%p\n", (void *)&variable) < 0;
	for (int i = 0; i < TURNS; i++)
		occurs_turn();
	if (touch_memory(argv[0], (size_t)sysconf(_SC_PAGESIZE)) != 0)
		return 1;
	for (int i = 0; i < FUTEXES; i++)
		occurs_futex();
	for (int i = 0; i < SLEEPS; i++)
		occurs_sleep();
	if (stays)
		sleep(1);
	return 0;
}
