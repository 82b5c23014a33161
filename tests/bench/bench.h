#ifndef PERFTOP_TESTS_BENCH_BENCH_H
#define PERFTOP_TESTS_BENCH_BENCH_H

/* What measurements share: a clock, chance, and a program on a terminal of its own (132x50). */

#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

static inline double clock_ms(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline double now_ms(void)
{
	return clock_ms(CLOCK_MONOTONIC);
}

static inline double cpu_ms(void)
{
	return clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static inline double cpu_ns(void)
{
	return cpu_ms() * 1e6;
}

/* The next number of a sequence that is always the same. */
static inline uint64_t below(uint64_t *random, uint64_t end)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (*random >> 32) % end;
}

struct terminal {
	pid_t pid;
	int fd;
	char seen[1 << 16]; /* what was written last */
	size_t length;
	size_t written; /* bytes, of which `seen` has the last */
};

static inline bool terminal_start(struct terminal *terminal, char *const *command)
{
	struct winsize size = {.ws_row = 50, .ws_col = 132};

	terminal->pid = forkpty(&terminal->fd, NULL, NULL, &size);
	if (terminal->pid < 0)
		perror("forkpty");
	if (terminal->pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	return terminal->pid > 0;
}

static inline void terminal_end(struct terminal *terminal)
{
	kill(terminal->pid, SIGTERM);
	close(terminal->fd);
	waitpid(terminal->pid, NULL, 0);
}

/* Takes what the program writes, if it does so within that time. False: it has ended. */
static inline bool terminal_take(struct terminal *terminal, double wait_ms)
{
	struct pollfd ready = {.fd = terminal->fd, .events = POLLIN};
	const size_t half = sizeof(terminal->seen) / 2;
	ssize_t count;

	if (poll(&ready, 1, wait_ms > 0 ? (int)wait_ms + 1 : 0) <= 0)
		return true;
	if (terminal->length > half) {
		memmove(terminal->seen, terminal->seen + terminal->length - half, half);
		terminal->length = half;
	}
	count = read(terminal->fd, terminal->seen + terminal->length,
		     sizeof(terminal->seen) - terminal->length);
	if (count <= 0)
		return false;
	terminal->length += (size_t)count;
	terminal->written += (size_t)count;
	return true;
}

static inline bool terminal_shows(const struct terminal *terminal, const char *mark)
{
	return memmem(terminal->seen, terminal->length, mark, strlen(mark)) != NULL;
}

#endif
