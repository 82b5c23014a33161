/*
 * A process of its own measures, with a partner: they exchange a byte through pipes. So the
 * measurement can be killed at any time, and where other tasks monopolise the CPU (Linux 6.18) they
 * delay these two and not perftop.
 */
#include "kernel/switch_time.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/wait.h>

#include "base/list.h"
#include "kernel/control.h"
#include "kernel/sys.h"

enum {
	ROUNDS = 7,
	TRIPS = 12,          /* of a round: there and back, two switches each */
	END_TRIES = 50,      /* how often a killed process is checked, and the pause */
	END_TRY_NS = 1000000 /* between two checks */
};

enum {
	PIPE_READ,
	PIPE_WRITE,
	PIPE_ENDS
};

struct switch_partners {
	pid_t pid; /* the other one's */
	int there[PIPE_ENDS], back[PIPE_ENDS];
	clockid_t clock, partner_clock; /* of their CPU times */
};

static double cpu_ns(const struct switch_partners *partners)
{
	struct timespec own, other;

	if (clock_gettime(partners->clock, &own) != 0 ||
	    clock_gettime(partners->partner_clock, &other) != 0)
		return 0;
	return (double)(own.tv_sec + other.tv_sec) * 1e9 + (double)(own.tv_nsec + other.tv_nsec);
}

/* The partner: sends each byte back until the other end is closed. */
static _Noreturn void echo_until_eof(const struct switch_partners *partners)
{
	char byte;

	close(partners->there[PIPE_WRITE]);
	close(partners->back[PIPE_READ]);
	while (read(partners->there[PIPE_READ], &byte, 1) == 1 &&
	       write(partners->back[PIPE_WRITE], &byte, 1) == 1)
		;
	_exit(0);
}

static bool find_partner(struct switch_partners *partners)
{
	if (pipe(partners->there) != 0 || pipe(partners->back) != 0)
		return false;
	partners->pid = fork();
	if (partners->pid == 0)
		echo_until_eof(partners);
	partners->clock = CLOCK_PROCESS_CPUTIME_ID;
	return partners->pid > 0 &&
	       clock_getcpuclockid(partners->pid, &partners->partner_clock) == 0;
}

/* Process 1 of a container, which perftop may be, would have to reap it. */
static void leave_partner(struct switch_partners *partners)
{
	if (partners->pid <= 0)
		return;
	close(partners->there[PIPE_WRITE]);
	waitpid(partners->pid, NULL, 0);
}

/* What a switch takes, on average of a round. */
static double run_round(const struct switch_partners *partners)
{
	const double start_ns = cpu_ns(partners);
	char byte = 'x';

	for (int i = 0; i < TRIPS; i++)
		if (write(partners->there[PIPE_WRITE], &byte, 1) != 1 ||
		    read(partners->back[PIPE_READ], &byte, 1) != 1)
			_exit(1);
	return (cpu_ns(partners) - start_ns) / (2 * TRIPS);
}

static int compare_ns(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double switch_time_median(double *later, const double *earlier, size_t count)
{
	for (size_t i = 0; i < count; i++)
		later[i] -= earlier[i];
	qsort(later, count, sizeof(*later), compare_ns);
	return count % 2 == 1 ? later[count / 2] : (later[count / 2 - 1] + later[count / 2]) / 2;
}

/* The shortest may be short because a part of it was another round's: the second shortest. */
static double short_of(const double *took_ns, size_t count)
{
	double least_ns = took_ns[0], second_ns = took_ns[0];

	for (size_t i = 1; i < count; i++) {
		if (took_ns[i] < least_ns) {
			second_ns = least_ns;
			least_ns = took_ns[i];
		} else if (i == 1 || took_ns[i] < second_ns) {
			second_ns = took_ns[i];
		}
	}
	return second_ns;
}

double switch_time_short(const double *later, const double *earlier, size_t count)
{
	return short_of(later, count) - short_of(earlier, count);
}

/* Each level runs once before, since its first switches take longer. */
static void measure_levels(const struct switch_time_trial *trial,
			   const struct switch_partners *partners, unsigned int levels,
			   double took_ns[][ROUNDS])
{
	for (int round = -1; round < ROUNDS; round++) {
		for (size_t level = 0; level < SWITCH_TIME_LEVELS_MAX; level++) {
			if ((levels & 1u << level) == 0)
				continue;
			trial->turn(trial->context, level);
			took_ns[level][round < 0 ? 0 : round] = run_round(partners);
		}
	}
}

/* What each level adds to the one below. */
static void compare_levels(unsigned int levels, double took_ns[][ROUNDS],
			   struct switch_time_result *result)
{
	for (size_t level = SWITCH_TIME_LEVELS_MAX - 1, below; level > 0; level = below) {
		below = level - 1;
		while (below > 0 && (levels & 1u << below) == 0)
			below--;
		if (levels & 1u << level)
			result->added_ns[level] =
				switch_time_short(took_ns[level], took_ns[below], ROUNDS);
	}
	if (result->added_ns[1] <= 0)
		result->state = SWITCH_TIME_NOISE;
	for (size_t level = 1; level < SWITCH_TIME_LEVELS_MAX; level++)
		if (result->added_ns[level] < 0)
			result->added_ns[level] = 0;
}

/*
 * Otherwise groups that perftop closes would go on counting, and its pipes stay open, while this
 * process exists. Returns the result's new descriptor.
 */
static int keep_result_only(int result_fd)
{
	if (result_fd != STDIN_FILENO && dup2(result_fd, STDIN_FILENO) < 0)
		_exit(1);
	sys_close_from(STDIN_FILENO + 1);
	return STDIN_FILENO;
}

/* In a process of its own. */
static _Noreturn void measure_in_child(const struct switch_time_trial *trial, int result_fd)
{
	const int only_fd = keep_result_only(result_fd);
	const struct sched_param none = {0};
	int cpu = trial->cpu;
	const struct number_list here = {.numbers = &cpu, .count = 1};
	struct switch_time_result result = {.state = SWITCH_TIME_MEASURED};
	struct switch_partners partners = {0};
	double took_ns[SWITCH_TIME_LEVELS_MAX][ROUNDS];
	unsigned int levels;

	/* as batch jobs neither preempts the other when it wakes it: each trip is the same */
	sched_setscheduler(0, SCHED_BATCH, &none);
	if (control_set_cpus(0, &here) < 0 || !find_partner(&partners)) {
		result.state = SWITCH_TIME_NO_CPU;
	} else {
		levels = trial->open(trial->context, result.added_ns);
		if (levels == 0) {
			result.state = SWITCH_TIME_REFUSED;
		} else {
			measure_levels(trial, &partners, levels, took_ns);
			compare_levels(levels, took_ns, &result);
		}
	}
	leave_partner(&partners);
	_exit(write(only_fd, &result, sizeof(result)) != sizeof(result));
}

void switch_time_collect(struct switch_time *time)
{
	if (time->pid > 0 && !time->is_running && waitpid(time->pid, NULL, WNOHANG) != 0)
		time->pid = 0;
}

void switch_time_begin(struct switch_time *time, const struct switch_time_trial *trial)
{
	int ends[PIPE_ENDS];

	switch_time_collect(time);
	if (time->pid > 0 || pipe2(ends, O_CLOEXEC) != 0)
		return;
	time->pid = fork();
	if (time->pid == 0)
		measure_in_child(trial, ends[PIPE_WRITE]);
	close(ends[PIPE_WRITE]);
	time->fd = ends[PIPE_READ];
	time->is_running = time->pid > 0;
	if (time->is_running)
		return;
	time->pid = 0;
	close(time->fd);
}

/* Continues after signals, which are handled as usual. */
static bool wait_for(int fd, int wait_ms)
{
	struct pollfd waited = {.fd = fd, .events = POLLIN};
	const uint64_t end_ns = sys_now_ns() + (uint64_t)wait_ms * 1000000;
	int result;

	do {
		const uint64_t now_ns = sys_now_ns();

		result = poll(&waited, 1, now_ns < end_ns ? (int)((end_ns - now_ns) / 1000000) : 0);
	} while (result < 0 && errno == EINTR);
	return result > 0;
}

/* A bounded wait: the process cannot end before its CPU has time for it. */
static void wait_for_end(struct switch_time *time)
{
	const struct timespec pause = {.tv_nsec = END_TRY_NS};

	switch_time_collect(time);
	for (int i = 0; time->pid > 0 && i < END_TRIES; i++) {
		nanosleep(&pause, NULL);
		switch_time_collect(time);
	}
}

static struct switch_time_result finish(struct switch_time *time, bool is_late)
{
	struct switch_time_result result = {.state = SWITCH_TIME_LATE};

	if (!is_late && sys_read(time->fd, &result, sizeof(result)) != sizeof(result))
		result = (struct switch_time_result){.state = SWITCH_TIME_NO_CPU};
	close(time->fd);
	time->is_running = false;
	kill(time->pid, SIGKILL);
	return result;
}

struct switch_time_result switch_time_end(struct switch_time *time, int wait_ms)
{
	struct switch_time_result result = {.state = SWITCH_TIME_NO_CPU};

	if (!time->is_running)
		return result;
	result = finish(time, !wait_for(time->fd, wait_ms));
	wait_for_end(time);
	return result;
}

bool switch_time_take(struct switch_time *time, struct switch_time_result *result)
{
	switch_time_collect(time);
	if (!time->is_running || !wait_for(time->fd, 0))
		return false;
	*result = finish(time, false);
	return true;
}
