/*
 * threadstorm THREADS [MILLISECONDS [NAME]]: many short-lived threads of one process.
 *
 * Waits for a line on standard input, so that somebody can attach; then runs THREADS threads one
 * after the other, each of which burns MILLISECONDS (5) of CPU time and ends; then waits for
 * another line. In between it prints the CPU time that the kernel charged the threads with up to
 * their last instruction, and the first one since the line:
 *
 *	threads=100 cpu_us=512345
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sys/prctl.h>

struct order {
	double ms;
	double used_ms; /* of the last thread */
};

static double used_ms(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
}

static void *burn(void *argument)
{
	struct order *order = argument;

	do {
		order->used_ms = used_ms();
	} while (order->used_ms < order->ms);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0;
	struct order order = {.ms = argc > 2 ? atof(argv[2]) : 5};
	double all_ms;

	if (threads <= 0 || order.ms <= 0) {
		fprintf(stderr, "usage: threadstorm THREADS [MILLISECONDS [NAME]]\n");
		return 2;
	}
	prctl(PR_SET_NAME, argc > 3 ? argv[3] : "w150m80");
	getchar();
	all_ms = -used_ms();
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, burn, &order) || pthread_join(thread, NULL)) {
			fprintf(stderr, "threadstorm: no more threads\n");
			return 1;
		}
		all_ms += order.used_ms;
	}
	all_ms += used_ms();
	printf("threads=%d cpu_us=%.0f\n", threads, all_ms * 1e3);
	fflush(stdout);
	getchar();
	return 0;
}
