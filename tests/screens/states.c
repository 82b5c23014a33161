/*
 * states FILE: threads that are in one state for a large part of their time, until the program is
 * killed. Each measures itself how long: the time of a call without what it ran and waited for a
 * CPU meanwhile. FILE, which is written on, has a line for each thread every 50 ms: time, name, ns
 * in that state, ns of user and of system time, ns that it waited for a CPU.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum {
	PART_NS = 5000000,
	WRITTEN_EVERY_NS = 50000000,
	BLOCK_BYTES = 1 << 16
};

struct thread {
	const char *name;
	void (*part)(void); /* what it does in its state */
	/* as of when it has measured last */
	volatile uint64_t in_state_ns, user_ns, system_ns, wait_ns, time_ns;
};

static void spin_in_program(void);
static void spin_in_kernel(void);
static void wait_for_lock(void);
static void hold_lock(void);
static void sync_file(void);
static void wait_for_event(void);
static void sleep_for_timer(void);
static void stop(void);

static const struct thread kinds[] = {
	{.name = "st-user", .part = spin_in_program},
	{.name = "st-kernel", .part = spin_in_kernel},
	{.name = "st-lock", .part = wait_for_lock},
	{.name = "st-holder", .part = hold_lock},
	{.name = "st-disk", .part = sync_file},
	{.name = "st-epoll", .part = wait_for_event},
	{.name = "st-sleep", .part = sleep_for_timer},
	{.name = "st-stop", .part = stop},
};

enum {
	THREADS = sizeof(kinds) / sizeof(*kinds)
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int zeros, file, epoll;

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void doze(uint64_t ns)
{
	const struct timespec time = {.tv_nsec = (long)ns};

	nanosleep(&time, NULL);
}

static void spin_in_program(void)
{
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + PART_NS;

	while (clock_ns(CLOCK_MONOTONIC) < end_ns)
		;
}

static void spin_in_kernel(void)
{
	static char block[BLOCK_BYTES];
	const uint64_t end_ns = clock_ns(CLOCK_MONOTONIC) + PART_NS;

	while (clock_ns(CLOCK_MONOTONIC) < end_ns)
		if (read(zeros, block, sizeof(block)) < 0)
			return;
}

static void wait_for_lock(void)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
}

static void hold_lock(void)
{
	pthread_mutex_lock(&lock);
	doze(PART_NS);
	pthread_mutex_unlock(&lock);
}

static void sync_file(void)
{
	if (pwrite(file, "x", 1, 0) == 1)
		fdatasync(file);
}

static void wait_for_event(void)
{
	struct epoll_event event;

	epoll_wait(epoll, &event, 1, PART_NS / 1000000);
}

static void sleep_for_timer(void)
{
	doze(2 * PART_NS);
}

static void stop(void)
{
	raise(SIGSTOP);
}

static uint64_t waited_ns(void)
{
	unsigned long long run_ns, wait_ns = 0;
	FILE *text = fopen("/proc/thread-self/schedstat", "r");

	if (!text || fscanf(text, "%llu %llu", &run_ns, &wait_ns) != 2)
		wait_ns = 0;
	if (text)
		fclose(text);
	return wait_ns;
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_usec * 1000u;
}

static void measure(struct thread *thread)
{
	const uint64_t wait_ns = waited_ns(), run_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	const uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	uint64_t ns, off_ns;
	struct rusage usage;

	thread->part();
	ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
	off_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - run_ns + waited_ns() - wait_ns;
	getrusage(RUSAGE_THREAD, &usage);
	thread->in_state_ns += ns > off_ns ? ns - off_ns : 0;
	thread->user_ns = ns_of(&usage.ru_utime);
	thread->system_ns = ns_of(&usage.ru_stime);
	thread->wait_ns = waited_ns();
	thread->time_ns = clock_ns(CLOCK_REALTIME);
}

static void *live(void *context)
{
	struct thread *thread = context;

	prctl(PR_SET_NAME, thread->name);
	for (;;) {
		measure(thread);
		doze(PART_NS);
	}
	return NULL;
}

/* A process of its own: a stop is of all threads. */
static void live_stopped(struct thread *thread)
{
	const pid_t child = fork();

	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		live(thread);
	}
	while (waitpid(child, NULL, WUNTRACED) == child) {
		doze(PART_NS);
		kill(child, SIGCONT);
	}
}

static void *go_on(void *context)
{
	prctl(PR_SET_NAME, "st-other");
	live_stopped(context);
	return NULL;
}

static void write_lines(FILE *out, const struct thread *threads)
{
	for (size_t i = 0; i < THREADS; i++)
		fprintf(out, "%.4f %s %llu %llu %llu %llu\n", (double)threads[i].time_ns / 1e9,
			threads[i].name, (unsigned long long)threads[i].in_state_ns,
			(unsigned long long)threads[i].user_ns,
			(unsigned long long)threads[i].system_ns,
			(unsigned long long)threads[i].wait_ns);
	fflush(out);
}

int main(int argc, char **argv)
{
	struct epoll_event event = {.events = EPOLLIN};
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	char name[4096];
	struct thread *threads = mmap(NULL, sizeof(kinds), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (!out || threads == MAP_FAILED)
		return 2;
	memcpy(threads, kinds, sizeof(kinds));
	snprintf(name, sizeof(name), "%s.synced", argv[1]);
	file = open(name, O_RDWR | O_CREAT, 0600);
	zeros = open("/dev/zero", O_RDONLY);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, eventfd(0, 0), &event);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_t thread;

		pthread_create(&thread, NULL, kinds[i].part == stop ? go_on : live, &threads[i]);
	}
	for (;;) {
		doze(WRITTEN_EVERY_NS);
		write_lines(out, threads);
	}
}
