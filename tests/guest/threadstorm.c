/*
 * threadstorm THREADS [MILLISECONDS [NAME]]: many short-lived threads of one process.
 *
 * Waits for a line on standard input, so that somebody can attach; then runs THREADS threads one
 * after the other, each of which burns MILLISECONDS (5) of CPU time and ends; then waits for
 *another line. In between it prints the CPU time that the kernel charged the process with:
 *
 *	threads=100 cpu_us=512345
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sys/prctl.h>
#include <sys/resource.h>

static void *burn(void *argument)
{
	const double *ms = argument;
	struct timespec used;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while ((double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6 < *ms);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 0;
	double ms = argc > 2 ? atof(argv[2]) : 5;
	struct rusage usage;

	if (threads <= 0 || ms <= 0) {
		fprintf(stderr, "usage: threadstorm THREADS [MILLISECONDS [NAME]]\n");
		return 2;
	}
	prctl(PR_SET_NAME, argc > 3 ? argv[3] : "w150m80");
	getchar();
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, burn, &ms) || pthread_join(thread, NULL)) {
			fprintf(stderr, "threadstorm: no more threads\n");
			return 1;
		}
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("threads=%d cpu_us=%lld\n", threads,
	       (long long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000 +
		       usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
	fflush(stdout);
	getchar();
	return 0;
}
