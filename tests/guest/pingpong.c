/*
 * pingpong SECONDS [CPU [WORD...]]: two processes that pass a byte to and fro through pipes, so
 * that hardly anything happens but context switches. Prints how many round trips there were a
 * second. Words:
 *
 *	threads   of one process, which an emulator switches in a third of the time: it need not
 *	          look each page up again
 *	switches  prints how often they went to sleep instead, as the kernel has counted it
 *	batch     as batch jobs neither preempts the other one when it wakes it
 */
#include <pthread.h>
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
}

static void *answer_as_thread(void *pipes)
{
	const int *ends = pipes;

	answer(ends[0], ends[1]);
	return NULL;
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

static bool has_word(char **words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

/* Starts who answers at these ends: a thread, 0, or a process; negative: failed. */
static pid_t start_partner(int there[2], int back[2], int ends[2], bool is_thread)
{
	pthread_t thread;
	pid_t partner;

	if (is_thread)
		return pthread_create(&thread, NULL, answer_as_thread, ends) == 0 ? 0 : -1;
	partner = fork();
	close(partner == 0 ? there[1] : there[0]); /* or nobody would see the other one's end */
	close(partner == 0 ? back[0] : back[1]);
	if (partner == 0) {
		answer(there[0], back[1]);
		_exit(0);
	}
	return partner;
}

/* How many round trips there were; negative: failed. */
static double rounds_per_s(double seconds, int there[2], int back[2], bool are_threads)
{
	int ends[2] = {there[0], back[1]};
	pid_t partner = start_partner(there, back, ends, are_threads);
	double start_s = now_s();
	long rounds = partner < 0 ? -1 : ask(there[1], back[0], start_s + seconds);
	double took_s = now_s() - start_s;

	if (partner > 0) {
		kill(partner, SIGKILL);
		waitpid(partner, NULL, 0);
	}
	return (double)rounds / took_s;
}

int main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 0;
	char **words = argc > 3 ? argv + 3 : argv + argc;
	const struct sched_param none = {0};
	int there[2], back[2];
	cpu_set_t set;

	if (seconds <= 0) {
		fprintf(stderr, "usage: pingpong SECONDS [CPU [threads] [switches] [batch]]\n");
		return 2;
	}
	CPU_ZERO(&set);
	CPU_SET((size_t)(argc > 2 ? atoi(argv[2]) : 0), &set);
	if (sched_setaffinity(0, sizeof(set), &set) || pipe(there) || pipe(back) ||
	    (has_word(words, "batch") && sched_setscheduler(0, SCHED_BATCH, &none))) {
		perror("pingpong");
		return 1;
	}
	double rate = rounds_per_s(seconds, there, back, has_word(words, "threads"));
	if (rate < 0)
		return 1;
	if (has_word(words, "switches"))
		printf("%ld\n", sleeps_of(RUSAGE_SELF) + sleeps_of(RUSAGE_CHILDREN));
	else
		printf("%.0f\n", rate);
	return 0;
}
