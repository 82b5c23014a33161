/*
 * yields RATE SECONDS: two threads that yield the first CPU to each other, RATE times a second, so
 * that hardly anything happens but context switches. What it falls behind it catches up. Prints how
 * many there were, as the kernel has counted them, and in which time:
 *
 *	switches=500123 seconds=1.000 rate=500122
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <sys/resource.h>

enum {
	BATCH = 32, /* yields between two looks at the clock */
	PAUSE_NS = 500000
};

static atomic_bool is_over, is_paused;
static sem_t goes_on;

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double switches_of(int who)
{
	struct rusage usage;

	return getrusage(who, &usage) == 0 ? (double)(usage.ru_nvcsw + usage.ru_nivcsw) : 0;
}

static void *follow(void *unused)
{
	while (!is_over) {
		if (is_paused)
			sem_wait(&goes_on);
		sched_yield();
	}
	return NULL;
}

static void lead(double rate, double seconds)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	const double start_s = now_s();
	double passed_s;

	while ((passed_s = now_s() - start_s) < seconds) {
		if (switches_of(RUSAGE_THREAD) > passed_s * rate / 2) {
			is_paused = true;
			nanosleep(&pause, NULL);
			is_paused = false;
			sem_post(&goes_on);
		}
		for (int i = 0; i < BATCH; i++)
			sched_yield();
	}
	is_over = true;
}

int main(int argc, char **argv)
{
	pthread_t follower;
	cpu_set_t set;

	if (argc != 3 || atof(argv[1]) <= 0 || atof(argv[2]) <= 0) {
		fprintf(stderr, "usage: yields RATE SECONDS\n");
		return 2;
	}
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	if (sched_setaffinity(0, sizeof(set), &set) || sem_init(&goes_on, 0, 0) ||
	    pthread_create(&follower, NULL, follow, NULL)) {
		perror("yields");
		return 1;
	}
	const double start_s = now_s();
	lead(atof(argv[1]), atof(argv[2]));
	const double took_s = now_s() - start_s, switches = switches_of(RUSAGE_SELF);
	printf("switches=%.0f seconds=%.3f rate=%.0f\n", switches, took_s, switches / took_s);
	sem_post(&goes_on);
	pthread_join(follower, NULL);
	return 0;
}
