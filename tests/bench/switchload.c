/*
 * switchload RATE SECONDS: context switches at a rate, on all CPUs.
 *
 * On each CPU two processes pass a byte to and fro through pipes, two switches a round trip, as
 * many a second as RATE asks for in all; RATE 0: as fast as they can. At the end prints what was
 * reached:
 *
 *	switches=S seconds=T rate=R ctxt=C name=NAME
 *
 * S is what the kernel has counted for these processes alone, C what it counted for the whole
 * machine meanwhile, the idle tasks' switches included. NAME is what its tasks are called, and no
 * others on the machine.
 */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum {
	NS_PER_S = 1000000000,
	STEP_NS = 1000000, /* how often a pair looks at the clock */
	AT_LEAST = 16      /* round trips between two looks */
};

struct pair {
	int there[2], back[2];
	double trips_s; /* round trips a second; 0: as many as possible */
	uint64_t end_ns;
	char name[16];
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void answer(const struct pair *pair)
{
	char byte;

	close(pair->there[1]);
	while (read(pair->there[0], &byte, 1) == 1 && write(pair->back[1], &byte, 1) == 1)
		;
	_exit(0);
}

static void travel(const struct pair *pair, uint64_t trips)
{
	char byte = 'x';

	for (uint64_t i = 0; i < trips; i++)
		if (write(pair->there[1], &byte, 1) != 1 || read(pair->back[0], &byte, 1) != 1)
			_exit(1);
}

/* Keeps to the rate over the whole time: who was late catches up. */
static void ask(const struct pair *pair)
{
	const uint64_t start_ns = now_ns();
	uint64_t done = 0;

	for (uint64_t ns = start_ns; ns < pair->end_ns; ns = now_ns()) {
		const uint64_t due =
			(uint64_t)((double)(ns + STEP_NS - start_ns) / 1e9 * pair->trips_s);
		const struct timespec pause = {.tv_nsec = STEP_NS};

		if (pair->trips_s > 0 && done >= due) {
			nanosleep(&pause, NULL);
			continue;
		}
		travel(pair, AT_LEAST);
		done += AT_LEAST;
	}
}

/* One of the pair on a CPU; its partner is its child. */
static void run_pair(int cpu, struct pair pair)
{
	cpu_set_t set;
	pid_t partner;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	prctl(PR_SET_NAME, pair.name);
	if (sched_setaffinity(0, sizeof(set), &set) || pipe(pair.there) || pipe(pair.back))
		_exit(1);
	partner = fork();
	if (partner == 0)
		answer(&pair);
	if (partner < 0)
		_exit(1);
	ask(&pair);
	close(pair.there[1]);
	waitpid(partner, NULL, 0);
	_exit(0);
}

static unsigned long long count_of_machine(void)
{
	unsigned long long count = 0;
	char line[4096];
	FILE *file = fopen("/proc/stat", "r");

	while (file && fgets(line, sizeof(line), file) && sscanf(line, "ctxt %llu", &count) != 1)
		;
	if (file)
		fclose(file);
	return count;
}

static int begin_pairs(double rate, struct pair pair)
{
	cpu_set_t allowed;

	CPU_ZERO(&allowed);
	sched_getaffinity(0, sizeof(allowed), &allowed);
	pair.trips_s = rate / 2 / CPU_COUNT(&allowed);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &allowed))
			continue;
		const pid_t child = fork();
		if (child == 0)
			run_pair(cpu, pair);
		if (child < 0)
			return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct rusage usage;
	struct pair pair = {0};
	int status, failed;

	if (argc != 3 || atof(argv[1]) < 0 || atof(argv[2]) <= 0) {
		fprintf(stderr, "usage: switchload RATE SECONDS\n");
		return 2;
	}
	const unsigned long long before = count_of_machine();
	const uint64_t start_ns = now_ns();
	pair.end_ns = start_ns + (uint64_t)(atof(argv[2]) * NS_PER_S);
	snprintf(pair.name, sizeof(pair.name), "load-%d", (int)getpid());
	failed = begin_pairs(atof(argv[1]), pair);
	while (wait(&status) > 0)
		failed |= status;
	const double seconds = (double)(now_ns() - start_ns) / 1e9;
	getrusage(RUSAGE_CHILDREN, &usage);
	const long switches = usage.ru_nvcsw + usage.ru_nivcsw;
	printf("switches=%ld seconds=%.2f rate=%.0f ctxt=%llu name=%s\n", switches, seconds,
	       (double)switches / seconds, count_of_machine() - before, pair.name);
	return failed != 0;
}
