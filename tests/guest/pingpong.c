/*
 * pingpong SECONDS [CPU [switches|batch]]: two processes that pass a byte to and fro through pipes,
 * so that hardly anything happens but context switches. Prints how many round trips there were a
 * second, or how often they went to sleep, as the kernel has counted it. As batch jobs neither
 * preempts the other one when it wakes it.
 */
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>
#include <sys/wait.h>

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void answer(int in, int out)
{
	char byte;

	while (read(in, &byte, 1) == 1 && write(out, &byte, 1) == 1)
		;
	_exit(0);
}

/* Round trips until the time is over; -1: the partner has gone. */
static long ask(int out, int in, double end_s)
{
	long rounds = 0;
	char byte = 'x';

	for (;; rounds++) {
		if (rounds % 64 == 0 && now_s() >= end_s)
			return rounds;
		if (write(out, &byte, 1) != 1 || read(in, &byte, 1) != 1)
			return -1;
	}
}

static long sleeps_of(int who)
{
	struct rusage usage;

	return getrusage(who, &usage) == 0 ? usage.ru_nvcsw : 0;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0;
	const struct sched_param none = {0};
	bool is_batch = argc > 3 && strcmp(argv[3], "batch") == 0;
	int there[2], back[2];
	cpu_set_t set;

	if (seconds <= 0) {
		fprintf(stderr, "usage: pingpong SECONDS [CPU [switches|batch]]\n");
		return 2;
	}
	CPU_ZERO(&set);
	CPU_SET((size_t)(argc > 2 ? atoi(argv[2]) : 0), &set);
	if (sched_setaffinity(0, sizeof(set), &set) || pipe(there) || pipe(back) ||
	    (is_batch && sched_setscheduler(0, SCHED_BATCH, &none))) {
		perror("pingpong");
		return 1;
	}
	pid_t partner = fork();
	close(partner == 0 ? there[1] : there[0]); /* or nobody would see the other one's end */
	close(partner == 0 ? back[0] : back[1]);
	if (partner == 0)
		answer(there[0], back[1]);
	double start_s = now_s();
	long rounds = partner < 0 ? -1 : ask(there[1], back[0], start_s + seconds);
	double took_s = now_s() - start_s;
	if (partner > 0) {
		kill(partner, SIGKILL);
		waitpid(partner, NULL, 0);
	}
	if (rounds < 0)
		return 1;
	if (argc > 3 && !is_batch)
		printf("%ld\n", sleeps_of(RUSAGE_SELF) + sleeps_of(RUSAGE_CHILDREN));
	else
		printf("%.0f\n", (double)rounds / took_s);
	return 0;
}
