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
#include <sched.h>

#include "bench.h"

enum {
	LIMIT_MS = 10000,
	READY_LIMIT_MS = 60000,
	PAUSE_MS = 150, /* between keys, so that each has a screen at rest before it */
	ROUNDS_MAX = 10000,
	SCREEN_BYTES = 300
};

static bool wait_for_mark(struct terminal *terminal, const char *mark)
{
	const double end_ms = now_ms() + READY_LIMIT_MS;

	while (now_ms() < end_ms && terminal_take(terminal, end_ms - now_ms()))
		if (terminal_shows(terminal, mark))
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
		if (!terminal_take(terminal, start_ms + LIMIT_MS - now_ms()))
			break;
	}
	fprintf(stderr, "keytime: no answer\n");
	return -1;
}

static bool rest(struct terminal *terminal)
{
	const double end_ms = now_ms() + PAUSE_MS;

	while (now_ms() < end_ms)
		if (!terminal_take(terminal, end_ms - now_ms()))
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
	const long rounds = argc > 1 ? atol(argv[1]) : 0;
	int status;

	if (argc < 7 || rounds <= 0 || rounds > ROUNDS_MAX || strcmp(argv[5], "--") != 0) {
		fprintf(stderr, "usage: keytime ROUNDS READY KEY KEY -- COMMAND [ARG...]\n");
		return 2;
	}
	if (!terminal_start(&terminal, argv + 6))
		return 1;
	come_first();
	status = measure(&terminal, (size_t)rounds, argv + 2);
	terminal_end(&terminal);
	return status;
}
