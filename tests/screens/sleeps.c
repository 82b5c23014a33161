/*
 * sleeps: is off the CPU in three places, 60 % of the time in nanosleep(2), 30 % in a read of a
 * pipe that a child writes into, and 10 % on a futex that nobody wakes, until it is killed. The
 * lengths are measured, and what was too much of one is made up for by the others.
 */
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

enum {
	STEP_NS = 4000000,
	PLACES = 3
};

static int ask[2], answer[2];
static uint32_t word;

__attribute__((noinline)) void sleeps_in_nanosleep(void);
__attribute__((noinline)) void sleeps_in_pipe(void);
__attribute__((noinline)) void sleeps_in_futex(void);
__attribute__((noinline)) bool sleeps_wake_by_pipe(void);

/* The C library has no frames: without one here the caller would be missing in a chain. */
__attribute__((noinline)) static long enter(long call, long a, const void *b, long c, const void *d)
{
	return syscall(call, a, b, c, d, NULL, 0);
}

void sleeps_in_nanosleep(void)
{
	const struct timespec length = {.tv_nsec = STEP_NS};

	enter(SYS_clock_nanosleep, CLOCK_MONOTONIC, NULL, (long)&length, NULL);
}

/* The child answers a while later. */
void sleeps_in_pipe(void)
{
	char byte = 0;

	if (write(ask[1], &byte, 1) != 1 || enter(SYS_read, answer[0], &byte, 1, NULL) != 1)
		_exit(1);
}

void sleeps_in_futex(void)
{
	const struct timespec length = {.tv_nsec = STEP_NS};

	enter(SYS_futex, (long)&word, (const void *)FUTEX_WAIT_PRIVATE, 0, &length);
}

bool sleeps_wake_by_pipe(void)
{
	const char byte = 0;

	return enter(SYS_write, answer[1], &byte, 1, NULL) == 1;
}

static void answer_forever(void)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (read(ask[0], &byte, 1) == 1) {
		sleeps_in_nanosleep();
		if (!sleeps_wake_by_pipe())
			break;
	}
	_exit(0);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int main(void)
{
	static void (*const sleep[PLACES])(void) = {sleeps_in_nanosleep, sleeps_in_pipe,
						    sleeps_in_futex};
	static const int64_t shares[PLACES] = {6, 3, 1};
	int64_t slept_ns[PLACES] = {0};

	if (pipe(ask) != 0 || pipe(answer) != 0)
		return 1;
	if (fork() == 0)
		answer_forever();
	for (;;) {
		int next = 0;
		int64_t begin_ns;

		for (int i = 1; i < PLACES; i++)
			if (slept_ns[i] * shares[next] < slept_ns[next] * shares[i])
				next = i;
		begin_ns = now_ns();
		sleep[next]();
		slept_ns[next] += now_ns() - begin_ns;
	}
}
