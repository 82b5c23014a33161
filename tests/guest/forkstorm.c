/*
 * forkstorm CHILDREN [MILLISECONDS [NAME [AT_ONCE]]]: many short lives.
 *
 * Forks CHILDREN processes, AT_ONCE (2) of them alive at a time, each of which burns
 * MILLISECONDS (5) of CPU time and exits. All carry NAME from their first instruction. At the
 * end it prints how many there were and the CPU time the kernel charged them with:
 *
 *	children=400 cpu_us=2003112
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "busy.h"

static void burn(double ms)
{
	struct timespec used;

	do {
		for (int turns = 0; turns < 10; turns++)
			be_busy();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	} while ((double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6 < ms);
}

static long long microseconds(struct timeval time)
{
	return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

int main(int argc, char **argv)
{
	int children = argc > 1 ? atoi(argv[1]) : 0;
	double ms = argc > 2 ? atof(argv[2]) : 5;
	int at_once = argc > 4 ? atoi(argv[4]) : 2;
	struct rusage usage;

	if (children <= 0 || ms <= 0 || at_once <= 0) {
		fprintf(stderr, "usage: forkstorm CHILDREN [MILLISECONDS [NAME [AT_ONCE]]]\n");
		return 2;
	}
	prctl(PR_SET_NAME, argc > 3 ? argv[3] : "w150m80");
	for (int born = 0, alive = 0; born < children || alive > 0;) {
		if (born == children || alive == at_once) {
			if (wait(NULL) > 0)
				alive--;
			continue;
		}
		pid_t child = fork();
		if (child < 0) {
			perror("forkstorm: fork");
			return 1;
		}
		if (child == 0) {
			burn(ms);
			_exit(0);
		}
		born++;
		alive++;
	}
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("children=%d cpu_us=%lld\n", children,
	       microseconds(usage.ru_utime) + microseconds(usage.ru_stime));
	return 0;
}
