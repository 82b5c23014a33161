/*
 * keytime ROUNDS READY KEY KEY -- COMMAND [ARG...]: how long a program takes from a key to its
 * screen.
 *
 * Starts the command on a terminal of its own (132x50) and waits until READY has been written to
 * it. Then presses the two keys in turn, ROUNDS times; each must bring another screen, and is
 * answered when so much has been written that it can be one. Prints the median and the longest time
 * in milliseconds. Fails when no answer comes within ten seconds. What the program writes of its
 * own accord could be taken for an answer, so it should do that rarely.
 */
#include <poll.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

enum {
	LIMIT_MS = 10000,
	READY_LIMIT_MS = 60000,
	PAUSE_MS = 150, /* between keys, so that each has a screen at rest before it */
	ROUNDS_MAX = 10000,
	SCREEN_BYTES = 300
};

struct terminal {
	int fd;
	char seen[1 << 16]; /* what was written since the last key, or its last part */
	size_t length;
	size_t written; /* since the last key */
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Takes what the program writes. False: it has ended. */
static bool take(struct terminal *terminal, double wait_ms)
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

static bool wait_for_mark(struct terminal *terminal, const char *mark)
{
	const double end_ms = now_ms() + READY_LIMIT_MS;

	while (now_ms() < end_ms && take(terminal, end_ms - now_ms()))
		if (memmem(terminal->seen, terminal->length, mark, strlen(mark)))
			return true;
	fprintf(stderr, "keytime: \"%s\" does not come\n", mark);
	return false;
}

/* How long until a screen is written; negative: none comes. */
static double wait_for_screen(struct terminal *terminal)
{
	const double start_ms = now_ms();

	while (now_ms() < start_ms + LIMIT_MS) {
		if (terminal->written >= SCREEN_BYTES)
			return now_ms() - start_ms;
		if (!take(terminal, start_ms + LIMIT_MS - now_ms()))
			break;
	}
	fprintf(stderr, "keytime: no answer\n");
	return -1;
}

static bool rest(struct terminal *terminal)
{
	const double end_ms = now_ms() + PAUSE_MS;

	while (now_ms() < end_ms)
		if (!take(terminal, end_ms - now_ms()))
			return false;
	terminal->length = 0;
	terminal->written = 0;
	return true;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* words: READY KEY KEY */
static int measure(struct terminal *terminal, size_t rounds, char *const *words)
{
	static double took_ms[ROUNDS_MAX];

	if (!wait_for_mark(terminal, words[0]))
		return 1;
	for (size_t i = 0; i < rounds; i++) {
		const char *key = words[1 + i % 2];

		if (!rest(terminal) || write(terminal->fd, key, strlen(key)) < 0)
			return 1;
		took_ms[i] = wait_for_screen(terminal);
		if (took_ms[i] < 0)
			return 1;
	}
	qsort(took_ms, rounds, sizeof(*took_ms), by_size);
	printf("%.1f %.1f\n", took_ms[rounds / 2], took_ms[rounds - 1]);
	return 0;
}

/* It is not asked how long the scheduler keeps the one who presses the keys. */
static void come_first(void)
{
	const struct sched_param highest = {.sched_priority = sched_get_priority_max(SCHED_RR)};

	if (sched_setscheduler(0, SCHED_RR, &highest) != 0)
		fprintf(stderr, "keytime: without a priority, so the waits are also its own\n");
}

int main(int argc, char **argv)
{
	static struct terminal terminal;
	struct winsize size = {.ws_row = 50, .ws_col = 132};
	const long rounds = argc > 1 ? atol(argv[1]) : 0;
	int status;
	pid_t pid;

	if (argc < 7 || rounds <= 0 || rounds > ROUNDS_MAX || strcmp(argv[5], "--") != 0) {
		fprintf(stderr, "usage: keytime ROUNDS READY KEY KEY -- COMMAND [ARG...]\n");
		return 2;
	}
	pid = forkpty(&terminal.fd, NULL, NULL, &size);
	if (pid < 0) {
		perror("keytime: forkpty");
		return 1;
	}
	if (pid == 0) {
		setenv("TERM", "xterm-256color", 1);
		execvp(argv[6], argv + 6);
		perror(argv[6]);
		_exit(127);
	}
	come_first();
	status = measure(&terminal, (size_t)rounds, argv + 2);
	kill(pid, SIGTERM);
	close(terminal.fd);
	waitpid(pid, NULL, 0);
	return status;
}
