/*
 * spin NAME [CPU [SECONDS]]: keeps a CPU busy under a name.
 *
 * The guest's counters read their rates from the name. CPU "-" means anywhere; without
 * SECONDS it runs until it is killed. Hardly ever enters the kernel, so that it does
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

#include <sys/prctl.h>

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

int main(int argc, char **argv)
{
	double end_s = argc > 3 ? clock_s(CLOCK_MONOTONIC) + atof(argv[3]) : 0;
	volatile unsigned long turns;

	if (argc < 2 || argc > 4) {
		fprintf(stderr, "usage: spin NAME [CPU|- [SECONDS]]\n");
		return 2;
	}
	if (argc > 2 && !pin(argv[2])) {
		perror("spin: CPU");
		return 1;
	}
	prctl(PR_SET_NAME, argv[1]);
	do {
		for (turns = 0; turns < 1000000; turns++)
			;
	} while (end_s <= 0 || clock_s(CLOCK_MONOTONIC) < end_s);
	printf("cpu_us=%.0f\n", clock_s(CLOCK_PROCESS_CPUTIME_ID) * 1e6);
	return 0;
}
