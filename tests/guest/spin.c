/*
 * spin NAME [CPU [SECONDS [rests]]]: keeps a CPU busy under a name, or a quarter of the time if it
 * rests.
 *
 * The guest's counters read their rates from the name. CPU "-" means anywhere; without
 * SECONDS, or with 0, it runs until it is killed. Hardly ever enters the kernel, so that it does
 * not switch of its own accord. At its end it prints the CPU time that the kernel charged it with:
 *
 *	cpu_us=1498123
 */
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>

#include "busy.h"

static double clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static bool pin(const char *cpu)
{
	cpu_set_t set;

	if (strcmp(cpu, "-") == 0)
		return true;
	CPU_ZERO(&set);
	CPU_SET((size_t)atoi(cpu), &set);
	return sched_setaffinity(0, sizeof(set), &set) == 0;
}

static void work(unsigned long count)
{
	for (unsigned long turns = 0; turns < count; turns++)
		be_busy();
}

/* By the clock, so that it is in each second, however slow the machine is; what a switch counts is
 * hardly seen. */
static void work_and_rest(void)
{
	const double end_s = clock_s(CLOCK_PROCESS_CPUTIME_ID) + 0.1;

	while (clock_s(CLOCK_PROCESS_CPUTIME_ID) < end_s)
		work(800);
	usleep(300000);
}

int main(int argc, char **argv)
{
	const double seconds = argc > 3 ? atof(argv[3]) : 0;
	const double end_s = clock_s(CLOCK_MONOTONIC) + seconds;

	if (argc < 2 || argc > 5 || (argc == 5 && strcmp(argv[4], "rests") != 0)) {
		fprintf(stderr, "usage: spin NAME [CPU|- [SECONDS [rests]]]\n");
		return 2;
	}
	if (argc > 2 && !pin(argv[2])) {
		perror("spin: CPU");
		return 1;
	}
	prctl(PR_SET_NAME, argv[1]);
	do {
		if (argc == 5)
			work_and_rest();
		else
			work(8000);
	} while (seconds <= 0 || clock_s(CLOCK_MONOTONIC) < end_s);
	printf("cpu_us=%.0f\n", clock_s(CLOCK_PROCESS_CPUTIME_ID) * 1e6);
	return 0;
}
