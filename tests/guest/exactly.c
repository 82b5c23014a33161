/*
 * exactly: a process each of whose threads does one countable thing a known number of times.
 *
 *	exactly --cell           prints the address of the word that is written to, and leaves
 *	exactly FIFO RESULTS     has all its threads, opens FIFO, which waits until somebody writes
 * into it, does everything, one thread after the other, writes "THREAD WHAT NUMBER" lines into
 * RESULTS, and leaves when FIFO is closed
 *
 * Threads: ex-calls calls exact_call() and returns from it; ex-writes writes to a word; ex-faults
 * touches fresh pages; ex-signals sends itself signals; ex-spin only takes time. What a
 * thread does besides (its start, its end) is the same kind of thing never, or is counted by the
 * kernel's own account (page faults). The program is linked to fixed addresses.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "busy.h"

enum {
	CALLS = 12345,
	WRITES = 4321,
	PAGES = 1000,
	WANTED_SIGNALS = 30,
	OTHER_SIGNALS = 21,
	SPIN_MS = 300
};

static volatile uint32_t exact_cell;

struct work {
	const char *name;
	void (*run)(void);
	sem_t go;
	pthread_t thread;
	long faults, before; /* of the whole thread, and before its work, by the kernel's account */
};

__attribute__((noinline, visibility("default"))) int exact_call(int number);

int exact_call(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number + 1;
}

static void make_calls(void)
{
	int number = 0;

	for (int i = 0; i < CALLS; i++)
		number = exact_call(number);
}

static void write_cell(void)
{
	for (uint32_t i = 0; i < WRITES; i++)
		exact_cell = i;
}

static void touch_pages(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page] = 1;
}

static void send_signals(void)
{
	for (int i = 0; i < WANTED_SIGNALS; i++)
		syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	for (int i = 0; i < OTHER_SIGNALS; i++)
		syscall(SYS_tgkill, getpid(), gettid(), SIGUSR2);
}

static void warm_up(void)
{
}

static uint64_t thread_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void spin(void)
{
	while (thread_ns() < SPIN_MS * 1000000ull)
		be_busy();
}

static long faults_so_far(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt + usage.ru_majflt;
}

static void *run_work(void *context)
{
	struct work *work = context;

	prctl(PR_SET_NAME, work->name);
	sem_wait(&work->go);
	work->before = faults_so_far();
	work->run();
	work->faults = faults_so_far();
	return NULL;
}

/* The first thread's end brings in pages that are needed for it, behind its last look at itself. */
static struct work works[] = {
	{.name = "ex-warm", .run = warm_up},         {.name = "ex-calls", .run = make_calls},
	{.name = "ex-writes", .run = write_cell},    {.name = "ex-faults", .run = touch_pages},
	{.name = "ex-signals", .run = send_signals}, {.name = "ex-spin", .run = spin},
};

enum {
	WORKS = sizeof(works) / sizeof(*works)
};

static int tell(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file) {
		perror(path);
		return 1;
	}
	fprintf(file, "ex-calls calls %d\n", CALLS);
	fprintf(file, "ex-writes writes %d\n", WRITES);
	fprintf(file, "ex-signals signals %d\n", WANTED_SIGNALS + OTHER_SIGNALS);
	fprintf(file, "ex-signals wanted %d\n", WANTED_SIGNALS);
	for (size_t i = 0; i < WORKS; i++)
		fprintf(file, "%s faults %ld\n%s before %ld\n", works[i].name, works[i].faults,
			works[i].name, works[i].before);
	return fclose(file) == 0 ? 0 : 1;
}

int main(int argc, char **argv)
{
	char byte;
	int fifo;

	if (argc == 2 && strcmp(argv[1], "--cell") == 0) {
		printf("0x%lx\n", (unsigned long)(uintptr_t)&exact_cell);
		return 0;
	}
	if (argc != 3) {
		fprintf(stderr, "usage: exactly --cell | FIFO RESULTS\n");
		return 2;
	}
	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, SIG_IGN);
	for (size_t i = 0; i < WORKS; i++) {
		sem_init(&works[i].go, 0, 0);
		if (pthread_create(&works[i].thread, NULL, run_work, &works[i]) != 0)
			return 1;
	}
	fifo = open(argv[1], O_RDONLY);
	if (fifo < 0 || read(fifo, &byte, 1) != 1) {
		perror(argv[1]);
		return 1;
	}
	for (size_t i = 0; i < WORKS; i++) {
		sem_post(&works[i].go);
		pthread_join(works[i].thread, NULL);
	}
	if (tell(argv[2]) != 0)
		return 1;
	while (read(fifo, &byte, 1) > 0)
		;
	return 0;
}
