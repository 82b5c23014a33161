/*
 * Eight mutexes, lock_0 to lock_7, of which threads take all, and one is contended: "lk-holder"
 * holds lock_5 for most of the time, and "lk-waiter" waits for it; each of the others is taken by
 * one of them only. With "chain" the holder of lock_5 waits itself, for lock_2, which "lk-behind"
 * holds. With "deadlock" two threads have one lock each, and then want that of the other one:
 * "lk-first" has lock_3 and wants lock_6, "lk-second" the other way round, and "lk-behind" wants
 * lock_3; with "timeout" the first one gives up in the year 2100. With "heap" the contended lock is
 * no variable. When a byte comes, or the input ends, the waiter says how often it has slept, which
 * by itself it does for nothing else, and for how many us of how many it has waited for lock_5. At
 * an "m" it counts anew, and goes on.
 *
 *	locks [chain|deadlock|timeout|heap]
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/resource.h>

enum {
	LOCKS = 8,
	CONTENDED = 5,
	BEHIND = 2,
	US = 1000,
	WAIT_US = 100 /* less is none: the lock was free */
};

/* Each by itself, as a program has them. */
pthread_mutex_t lock_0 = PTHREAD_MUTEX_INITIALIZER, lock_1 = PTHREAD_MUTEX_INITIALIZER,
		lock_2 = PTHREAD_MUTEX_INITIALIZER, lock_3 = PTHREAD_MUTEX_INITIALIZER,
		lock_4 = PTHREAD_MUTEX_INITIALIZER, lock_5 = PTHREAD_MUTEX_INITIALIZER,
		lock_6 = PTHREAD_MUTEX_INITIALIZER, lock_7 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *locks[LOCKS] = {&lock_0, &lock_1, &lock_2, &lock_3,
					&lock_4, &lock_5, &lock_6, &lock_7};
static volatile bool is_chain, has_timeout, is_over, is_anew = true;

static void sleep_for(long us)
{
	nanosleep(&(struct timespec){.tv_nsec = us * US}, NULL);
}

static long now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * US * US + now.tv_nsec / US;
}

/* The thread alone takes these. */
static void take_others(int remainder)
{
	for (int i = 0; i < LOCKS; i++) {
		if (i == CONTENDED || i == BEHIND || i % 2 != remainder)
			continue;
		pthread_mutex_lock(locks[i]);
		pthread_mutex_unlock(locks[i]);
	}
}

static void *hold(void *unused)
{
	pthread_setname_np(pthread_self(), "lk-holder");
	while (!is_over) {
		pthread_mutex_lock(locks[CONTENDED]);
		if (is_chain) {
			pthread_mutex_lock(locks[BEHIND]);
			pthread_mutex_unlock(locks[BEHIND]);
		}
		sleep_for(5 * US);
		pthread_mutex_unlock(locks[CONTENDED]);
		take_others(0);
		sleep_for(US);
	}
	return unused;
}

static void *hold_behind(void *unused)
{
	pthread_setname_np(pthread_self(), "lk-behind");
	while (!is_over) {
		pthread_mutex_lock(locks[BEHIND]);
		sleep_for(10 * US);
		pthread_mutex_unlock(locks[BEHIND]);
		sleep_for(US);
	}
	return unused;
}

static void *wait_for_it(void *unused)
{
	struct rusage before = {0}, now;
	long start_us = 0, waited_us = 0;

	pthread_setname_np(pthread_self(), "lk-waiter");
	while (!is_over) {
		const long begin_us = now_us();
		long us;

		if (is_anew) {
			is_anew = false;
			getrusage(RUSAGE_THREAD, &before);
			start_us = begin_us;
			waited_us = 0;
		}
		pthread_mutex_lock(locks[CONTENDED]);
		us = now_us() - begin_us;
		waited_us += us > WAIT_US ? us : 0;
		pthread_mutex_unlock(locks[CONTENDED]);
		take_others(1);
	}
	getrusage(RUSAGE_THREAD, &now);
	printf("%ld waits, %ld us of %ld\n", now.ru_nvcsw - before.ru_nvcsw, waited_us,
	       now_us() - start_us);
	return unused;
}

/* --- of the deadlock */

static pthread_barrier_t both_have_one;

static void take_one(const char *name, int own)
{
	pthread_setname_np(pthread_self(), name);
	pthread_mutex_lock(locks[own]);
	pthread_barrier_wait(&both_have_one);
}

static void *be_first(void *unused)
{
	const struct timespec year_2100 = {.tv_sec = 130L * 365 * 24 * 3600};

	take_one("lk-first", 3);
	if (has_timeout)
		pthread_mutex_timedlock(locks[6], &year_2100);
	else
		pthread_mutex_lock(locks[6]);
	return unused;
}

static void *be_second(void *unused)
{
	take_one("lk-second", 6);
	pthread_mutex_lock(locks[3]);
	return unused;
}

static void *wait_behind(void *unused)
{
	pthread_setname_np(pthread_self(), "lk-behind");
	pthread_mutex_lock(locks[3]);
	return unused;
}

/* No thread ends by itself. */
static void run_into_deadlock(void)
{
	pthread_t thread;
	char byte;

	pthread_barrier_init(&both_have_one, NULL, 3);
	pthread_create(&thread, NULL, be_first, NULL);
	pthread_create(&thread, NULL, be_second, NULL);
	pthread_barrier_wait(&both_have_one);
	pthread_create(&thread, NULL, wait_behind, NULL);
	(void)!read(STDIN_FILENO, &byte, 1);
}

int main(int argc, char **argv)
{
	pthread_t threads[3];
	char byte;

	has_timeout = argc > 1 && strcmp(argv[1], "timeout") == 0;
	if (has_timeout || (argc > 1 && strcmp(argv[1], "deadlock") == 0)) {
		run_into_deadlock();
		return 0;
	}
	is_chain = argc > 1 && strcmp(argv[1], "chain") == 0;
	if (argc > 1 && strcmp(argv[1], "heap") == 0) {
		locks[CONTENDED] = malloc(sizeof(*locks[CONTENDED]));
		pthread_mutex_init(locks[CONTENDED], NULL);
	}
	pthread_create(&threads[0], NULL, hold, NULL);
	pthread_create(&threads[1], NULL, wait_for_it, NULL);
	if (is_chain)
		pthread_create(&threads[2], NULL, hold_behind, NULL);
	while (read(STDIN_FILENO, &byte, 1) == 1 && byte == 'm')
		is_anew = true;
	is_over = true;
	for (int i = 0; i < (is_chain ? 3 : 2); i++)
		pthread_join(threads[i], NULL);
	return 0;
}
