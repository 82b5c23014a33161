/*
 * stacks SECONDS RATE: what has many stacks, and many tasks that live shortly.
 *
 * On each CPU a process calls a few functions that call each other, DEPTH deep, by thousands of
 * paths that begin alike; beside them RATE processes a second start true.
 */
#include <sched.h>

#include "bench.h"

enum {
	WAYS = 4,
	DEPTH = 20, /* two functions each */
	VARIED = 6, /* of these the innermost, which are others each time */
	TURNS = 20000
};

static volatile uint64_t number;

/* Two bits of the path say which function is called. */
static void call(uint64_t path, int depth);

__attribute__((noinline)) static void read_input(uint64_t path, int depth)
{
	call(path, depth);
	number += 1;
}

__attribute__((noinline)) static void parse(uint64_t path, int depth)
{
	call(path, depth);
	number += 2;
}

__attribute__((noinline)) static void visit(uint64_t path, int depth)
{
	call(path, depth);
	number += 3;
}

__attribute__((noinline)) static void write_output(uint64_t path, int depth)
{
	call(path, depth);
	number += 4;
}

__attribute__((noinline)) static void call(uint64_t path, int depth)
{
	static void (*const ways[WAYS])(uint64_t path, int depth) = {read_input, parse, visit,
								     write_output};

	for (int i = 0; i < TURNS / DEPTH; i++)
		number = number * 31 + 7;
	if (depth > 0)
		ways[path % WAYS](path / WAYS, depth - 1);
}

static void spin(double end_ms)
{
	uint64_t random = (uint64_t)getpid();

	while (now_ms() < end_ms)
		call(below(&random, 1 << 2 * VARIED) << 2 * (DEPTH - VARIED), DEPTH);
	_exit(0);
}

static void start_short_task(void)
{
	const pid_t child = fork();

	if (child == 0) {
		execlp("true", "true", (char *)NULL);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	const double start_ms = now_ms();
	const double end_ms = start_ms + (argc > 1 ? atof(argv[1]) : 0) * 1000;
	const double rate = argc > 2 ? atof(argv[2]) : 0;

	if (argc != 3) {
		fprintf(stderr, "usage: stacks SECONDS RATE\n");
		return 2;
	}
	for (long i = sysconf(_SC_NPROCESSORS_ONLN); i > 0; i--)
		if (fork() == 0)
			spin(end_ms);
	for (double started = 0; now_ms() < end_ms; started++) {
		while (started > (now_ms() - start_ms) / 1000 * rate)
			usleep(1000);
		start_short_task();
	}
	while (wait(NULL) > 0)
		;
	return 0;
}
