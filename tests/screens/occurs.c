/*
 * occurs [address]: what happens in it happens a known number of times in known functions: a
 * variable is written 600, 300 and 100 times, 200 pages of new memory are touched, a futex is woken
 * 150 times, and it sleeps 50 times. With `address` it prints where the variable is, which is the
 * same each time.
 */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum {
	TURNS = 100,
	PAGES = 200,
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
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t bytes = PAGES * page_bytes;
	void *memory =
		mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc > 1 && argv[1])
		return printf("%p\n", (void *)&variable) < 0;
	if (memory == MAP_FAILED)
		return 1;
	madvise(memory, bytes, MADV_NOHUGEPAGE);
	for (int i = 0; i < TURNS; i++)
		occurs_turn();
	occurs_touch(memory, page_bytes);
	for (int i = 0; i < FUTEXES; i++)
		occurs_futex();
	for (int i = 0; i < SLEEPS; i++)
		occurs_sleep();
	return 0;
}
