/*
 * causes KIND [FILE|PATH]: something is wrong with this machine, until it is killed. Children and
 * threads end with it.
 *
 *	forks      "forker" starts processes that do nothing
 *	lock       four threads of "locked" do all their work under one lock
 *	pingpong   two threads, "ping" and "pong", wake each other by futexes
 *	preempted  "victim" works a little every few ms, on the CPU of "hog", which has a higher
 *	           priority and never sleeps; as root
 *	faults     "faulter" maps memory, touches it, and unmaps it
 *	swap       "swapper" goes through 48 MB of memory again and again; where there is less it is
 *	           read back from swap
 *	fsync FILE "syncer" writes a block to the file and to the disk
 *	fsync-beside FILE  the same beside a "hog" on its CPU
 *	fair       two tasks for each CPU compute, "fair"
 *	build      "make" keeps two compilers for each CPU running, "cc1", each of which takes some
 *	           memory and computes
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../guest/busy.h"

static void work(double ms)
{
	struct timespec used;
	double end_ms = 0;

	do {
		for (int i = 0; i < 10; i++)
			be_busy();
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
		const double now_ms = (double)used.tv_sec * 1e3 + (double)used.tv_nsec / 1e6;
		end_ms = end_ms == 0 ? now_ms + ms : end_ms;
		if (now_ms >= end_ms)
			return;
	} while (true);
}

static void run_on_first(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static bool is_child(void)
{
	if (fork() != 0)
		return false;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return true;
}

static void hog(const char *name)
{
	prctl(PR_SET_NAME, name);
	for (;;)
		be_busy();
}

static void fork_all_the_time(void)
{
	prctl(PR_SET_NAME, "forker");
	for (;;) {
		if (fork() == 0)
			_exit(0);
		while (wait(NULL) < 0)
			;
	}
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *lock_and_work(void *unused)
{
	for (;;) {
		pthread_mutex_lock(&lock);
		work(0.05);
		pthread_mutex_unlock(&lock);
		work(0.005);
	}
	return unused;
}

static void contend(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "locked");
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, lock_and_work, NULL);
	lock_and_work(NULL);
}

static _Atomic int turn;

static void take_turns(int mine)
{
	for (;;) {
		while (atomic_load(&turn) != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
		atomic_store(&turn, !mine);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *answer(void *unused)
{
	prctl(PR_SET_NAME, "pong");
	take_turns(1);
	return unused;
}

static void play(void)
{
	pthread_t thread;

	prctl(PR_SET_NAME, "ping");
	pthread_create(&thread, NULL, answer, NULL);
	take_turns(0);
}

static void work_beside_hog(void)
{
	const struct timespec pause = {.tv_nsec = 8000000};

	run_on_first();
	if (is_child()) {
		if (setpriority(PRIO_PROCESS, 0, -15) != 0)
			exit(1);
		hog("hog");
	}
	prctl(PR_SET_NAME, "victim");
	for (;;) {
		work(2);
		nanosleep(&pause, NULL);
	}
}

static void touch_memory(void)
{
	const size_t bytes = 16 << 20, page = 4096;

	prctl(PR_SET_NAME, "faulter");
	for (;;) {
		char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (memory == MAP_FAILED)
			exit(1);
		madvise(memory, bytes, MADV_NOHUGEPAGE);
		for (size_t i = 0; i < bytes; i += page)
			memory[i] = 1;
		munmap(memory, bytes);
	}
}

static void touch_again(void)
{
	const size_t bytes = 48 << 20, page = 4096;
	volatile char *memory = malloc(bytes);

	prctl(PR_SET_NAME, "swapper");
	for (;;)
		for (size_t i = 0; memory && i < bytes; i += page)
			memory[i]++;
}

static void write_to_disk(const char *path)
{
	const int fd = open(path, O_CREAT | O_WRONLY, 0600);
	char block[4096] = {0};

	if (fd < 0)
		exit(1);
	prctl(PR_SET_NAME, "syncer");
	while (pwrite(fd, block, sizeof(block), 0) == sizeof(block))
		if (fsync(fd) != 0)
			exit(1);
}

static void write_beside_hog(const char *path)
{
	run_on_first();
	if (is_child())
		hog("hog");
	write_to_disk(path);
}

static void compute_in_fairness(void)
{
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (long i = 1; i < 2 * cpus; i++)
		if (is_child())
			hog("fair");
	hog("fair");
}

static void compile(void)
{
	const size_t bytes = 4 << 20, page = 4096;
	volatile char *memory = malloc(bytes);

	prctl(PR_SET_NAME, "cc1");
	for (size_t i = 0; memory && i < bytes; i += page) {
		memory[i] = 1;
		work(0.1);
	}
	_exit(0);
}

static void build(void)
{
	const long jobs = 2 * sysconf(_SC_NPROCESSORS_ONLN);

	prctl(PR_SET_NAME, "make");
	for (long i = 0;; i++) {
		while (i >= jobs && wait(NULL) < 0)
			;
		if (is_child())
			compile();
	}
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (strcmp(kind, "forks") == 0)
		fork_all_the_time();
	else if (strcmp(kind, "lock") == 0)
		contend();
	else if (strcmp(kind, "pingpong") == 0)
		play();
	else if (strcmp(kind, "preempted") == 0)
		work_beside_hog();
	else if (strcmp(kind, "faults") == 0)
		touch_memory();
	else if (strcmp(kind, "swap") == 0)
		touch_again();
	else if (strcmp(kind, "fsync") == 0 && argc > 2)
		write_to_disk(argv[2]);
	else if (strcmp(kind, "fsync-beside") == 0 && argc > 2)
		write_beside_hog(argv[2]);
	else if (strcmp(kind, "fair") == 0)
		compute_in_fairness();
	else if (strcmp(kind, "build") == 0)
		build();
	fprintf(stderr, "usage: causes forks|lock|pingpong|preempted|faults|swap|fair|build|fsync "
			"FILE|fsync-beside FILE\n");
	return 2;
}
