/*
 * parallel FILE [THREADS [NAME]]: a program of THREADS threads (4), NAME-0 (pa-0) and so on, of
 * which one alone works in a quarter of the time, and all in the rest, until SIGTERM. While they
 * work they look at the clock all the time, and so find out when they were on a CPU: FILE gets a
 * line for each such slice, at the end: thread, when it began and when it ended, both as seconds of
 * the day, and the CPU time in seconds that the kernel says the thread had since the end of the one
 * before. Prints by how much the seconds of the day are more than those of the monotonic clock.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>

enum {
	THREADS_MAX = 64,
	PART_NS = 10000000, /* that one works alone */
	PARTS = 3,          /* so many of these all of them */
	GAP_NS = 5000       /* it may have been off the CPU */
};

struct slice {
	uint64_t begin_ns, end_ns;
	uint64_t run_ns; /* since the end of the one before, as the kernel has it */
};

struct thread {
	pthread_t thread;
	size_t number;
	struct slice *slices; /* owned */
	size_t count, capacity;
	uint64_t run_ns; /* up to the end of the last slice, as the kernel has it */
};

static struct thread threads[THREADS_MAX];
static size_t thread_count = 4;
static const char *name_of_all = "pa";
static pthread_barrier_t barrier;
static volatile sig_atomic_t is_to_end;
static volatile int is_over;

static void end(int number)
{
	is_to_end = number;
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void add_slice(struct thread *thread, uint64_t begin_ns, uint64_t to_ns)
{
	const uint64_t run_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);

	if (thread->count == thread->capacity) {
		thread->capacity = 2 * thread->capacity + 1024;
		thread->slices =
			realloc(thread->slices, thread->capacity * sizeof(*thread->slices));
		if (!thread->slices)
			abort();
	}
	thread->slices[thread->count++] = (struct slice){begin_ns, to_ns, run_ns - thread->run_ns};
	thread->run_ns = run_ns;
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A gap without a switch was none: an interrupt, or a hypervisor. */
static void work(struct thread *thread, uint64_t ns)
{
	uint64_t begin_ns = clock_ns(CLOCK_REALTIME), now_ns = begin_ns;
	const uint64_t until_ns = begin_ns + ns;
	long before = switches();

	while (now_ns < until_ns) {
		const uint64_t last_ns = now_ns;
		long after;

		now_ns = clock_ns(CLOCK_REALTIME);
		if (now_ns - last_ns < GAP_NS)
			continue;
		after = switches();
		if (after != before) {
			add_slice(thread, begin_ns, last_ns);
			begin_ns = now_ns;
		}
		before = after;
	}
	add_slice(thread, begin_ns, now_ns);
}

static void *live(void *context)
{
	struct thread *thread = context;
	char name[16];

	snprintf(name, sizeof(name), "%s-%zu", name_of_all, thread->number);
	prctl(PR_SET_NAME, name);
	for (;;) {
		if (thread->number == 0) {
			is_over = is_to_end != 0;
			work(thread, PART_NS);
		}
		pthread_barrier_wait(&barrier);
		if (is_over)
			return NULL;
		work(thread, (uint64_t)PART_NS * PARTS);
		pthread_barrier_wait(&barrier);
	}
}

static int write_slices(const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		return 2;
	for (size_t i = 0; i < thread_count; i++) {
		for (size_t n = 0; n < threads[i].count; n++)
			fprintf(file, "%s-%zu %.6f %.6f %.9f\n", name_of_all, i,
				(double)threads[i].slices[n].begin_ns / 1e9,
				(double)threads[i].slices[n].end_ns / 1e9,
				(double)threads[i].slices[n].run_ns / 1e9);
	}
	return fclose(file) == 0 ? 0 : 2;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (argc > 2)
		thread_count = (size_t)atoi(argv[2]);
	if (argc > 3)
		name_of_all = argv[3];
	if (thread_count < 1 || thread_count > THREADS_MAX)
		return 2;
	signal(SIGTERM, end);
	printf("%.6f\n", (double)(clock_ns(CLOCK_REALTIME) - clock_ns(CLOCK_MONOTONIC)) / 1e9);
	fflush(stdout);
	pthread_barrier_init(&barrier, NULL, (unsigned int)thread_count);
	for (size_t i = 0; i < thread_count; i++) {
		threads[i].number = i;
		if (i > 0)
			pthread_create(&threads[i].thread, NULL, live, &threads[i]);
	}
	live(&threads[0]);
	for (size_t i = 1; i < thread_count; i++)
		pthread_join(threads[i].thread, NULL);
	return write_slices(argv[1]);
}
