/*
 * shapes FACTS SECONDS: tasks whose context switches have known shapes, all at once on two CPUs.
 *
 *	sh-spin-a, sh-spin-b      run all the time, both on the first CPU: each pushes the other out
 *	sh-ping, sh-pong          pass a byte to and fro through pipes, in bursts: each blocks
 *	sh-sleeper                sleeps until every third millisecond, works a little
 *	sh-mover                  moves itself between the two CPUs
 *	sh-yielder, sh-beside     one offers its CPU all the time, the other takes it
 *	sh-short                  many, each of which runs a millisecond and exits
 *
 * FACTS gets a line "NAME TID RUN_NS" for each when it has ended, with the CPU time that the kernel
 * charged it with, and "begin - NS" and "end - NS" in CLOCK_MONOTONIC. Between these two all that
 * these tasks did lies. On a machine with one CPU nobody moves.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

enum {
	NS_PER_S = 1000000000,
	BURST = 50,                /* round trips */
	BURST_EVERY_NS = 10000000, /* of ping and pong */
	SLEEP_NS = 3000000,
	SLEEPER_WORK_NS = 200000,
	MOVER_WORK_NS = 2000000,
	YIELDER_WORK_NS = 100000,
	SHORT_NS = 1000000,
	SHORT_AT_ONCE = 2
};

struct setting {
	int facts;       /* descriptor, lines are appended */
	uint64_t end_ns; /* when everybody leaves */
	int cpus[2];     /* the first and the last that we may use */
	int there[2], back[2];
};

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now = {0};

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static int is_over(const struct setting *setting)
{
	return clock_ns(CLOCK_MONOTONIC) >= setting->end_ns;
}

static void work(uint64_t ns)
{
	const uint64_t end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		;
}

static void sleep_until(uint64_t ns)
{
	const struct timespec at = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) != 0)
		_exit(1);
}

/* ---- the shapes; each runs in a process of its own ---- */

static void spin_on_first(const struct setting *setting)
{
	pin(setting->cpus[0]);
	while (!is_over(setting))
		;
}

static void spin_on_last(const struct setting *setting)
{
	pin(setting->cpus[1]);
	while (!is_over(setting))
		;
}

static void ping(const struct setting *setting)
{
	uint64_t next_ns = clock_ns(CLOCK_MONOTONIC);
	char byte = 'x';

	pin(setting->cpus[1]);
	for (; !is_over(setting); next_ns += BURST_EVERY_NS) {
		for (int i = 0; i < BURST; i++)
			if (write(setting->there[1], &byte, 1) != 1 ||
			    read(setting->back[0], &byte, 1) != 1)
				_exit(1);
		sleep_until(next_ns);
	}
	byte = 0;
	if (write(setting->there[1], &byte, 1) != 1)
		_exit(1);
}

static void pong(const struct setting *setting)
{
	char byte;

	pin(setting->cpus[1]);
	while (read(setting->there[0], &byte, 1) == 1 && byte != 0)
		if (write(setting->back[1], &byte, 1) != 1)
			_exit(1);
}

static void sleeper(const struct setting *setting)
{
	uint64_t next_ns = clock_ns(CLOCK_MONOTONIC);

	for (; !is_over(setting); next_ns += SLEEP_NS) {
		sleep_until(next_ns);
		work(SLEEPER_WORK_NS);
	}
}

static void mover(const struct setting *setting)
{
	for (int i = 0; !is_over(setting); i++) {
		pin(setting->cpus[i % 2]);
		work(MOVER_WORK_NS);
	}
}

static void yielder(const struct setting *setting)
{
	pin(setting->cpus[1]);
	while (!is_over(setting)) {
		work(YIELDER_WORK_NS);
		sched_yield();
	}
}

static pid_t begin_child(void (*run)(const struct setting *), const char *name,
			 const struct setting *setting)
{
	const pid_t child = fork();

	if (child != 0)
		return child;
	prctl(PR_SET_NAME, name);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	run(setting);
	_exit(0);
}

/* Waits for any child, writes down what it used; its status, -1: there is none. */
static int end_child(const struct setting *setting, const char *(*name_of)(pid_t))
{
	siginfo_t info = {0};
	clockid_t clock;
	uint64_t run_ns = 0;
	int status = 0;

	if (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0)
		return -1;
	/* ended and not yet reaped: the kernel still knows its account */
	if (clock_getcpuclockid(info.si_pid, &clock) == 0)
		run_ns = clock_ns(clock);
	waitpid(info.si_pid, &status, 0);
	dprintf(setting->facts, "%s %d %llu\n", name_of(info.si_pid), (int)info.si_pid,
		(unsigned long long)run_ns);
	return status;
}

static void live_shortly(const struct setting *setting)
{
	work(SHORT_NS);
}

static const char *short_name(pid_t pid)
{
	return "sh-short";
}

/* The storm's own life is not told of: it is the one that waits. */
static void storm(const struct setting *setting)
{
	int alive = 0;

	while (!is_over(setting) || alive > 0) {
		if (alive == SHORT_AT_ONCE || is_over(setting)) {
			if (end_child(setting, short_name) != 0)
				_exit(1);
			alive--;
			continue;
		}
		if (begin_child(live_shortly, "sh-short", setting) < 0)
			_exit(1);
		alive++;
	}
}

/* ---- all of them ---- */

static struct shape {
	const char *name;
	void (*run)(const struct setting *);
	pid_t pid;
} shapes[] = {
	{.name = "sh-spin-a", .run = spin_on_first},
	{.name = "sh-spin-b", .run = spin_on_first},
	{.name = "sh-ping", .run = ping},
	{.name = "sh-pong", .run = pong},
	{.name = "sh-sleeper", .run = sleeper},
	{.name = "sh-mover", .run = mover},
	{.name = "sh-yielder", .run = yielder},
	{.name = "sh-beside", .run = spin_on_last},
	{.name = "sh-storm", .run = storm},
};

enum {
	SHAPES = sizeof(shapes) / sizeof(*shapes)
};

static const char *shape_name(pid_t pid)
{
	for (size_t i = 0; i < SHAPES; i++)
		if (shapes[i].pid == pid)
			return shapes[i].name;
	return "unknown";
}

static void find_cpus(struct setting *setting)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	setting->cpus[0] = -1;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET((size_t)cpu, &set))
			continue;
		if (setting->cpus[0] < 0)
			setting->cpus[0] = cpu;
		setting->cpus[1] = cpu;
	}
}

static void tell(const struct setting *setting, const char *what)
{
	dprintf(setting->facts, "%s - %llu\n", what, (unsigned long long)clock_ns(CLOCK_MONOTONIC));
}

int main(int argc, char **argv)
{
	struct setting setting = {0};
	int failed = 0;

	if (argc != 3 || atof(argv[2]) <= 0) {
		fprintf(stderr, "usage: shapes FACTS SECONDS\n");
		return 2;
	}
	setting.facts = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
	if (setting.facts < 0 || pipe(setting.there) != 0 || pipe(setting.back) != 0) {
		perror(argv[1]);
		return 1;
	}
	find_cpus(&setting);
	tell(&setting, "begin");
	setting.end_ns = clock_ns(CLOCK_MONOTONIC) + (uint64_t)(atof(argv[2]) * NS_PER_S);
	for (size_t i = 0; i < SHAPES; i++)
		shapes[i].pid = begin_child(shapes[i].run, shapes[i].name, &setting);
	for (size_t i = 0; i < SHAPES; i++)
		failed |= end_child(&setting, shape_name);
	tell(&setting, "end");
	if (failed != 0)
		fprintf(stderr, "shapes: some did not come to their end\n");
	return failed != 0;
}
