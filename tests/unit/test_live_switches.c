/*
 * What the kernel that runs the tests tells of switches: who wakes whom to him who may watch the
 * machine, and to an ordinary user the switches of his own process. Where it is refused the reason
 * must be said.
 */

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <sys/prctl.h>
#include <sys/wait.h>

#include "kernel/sys.h"

#include "live_source.h"
#include "live_tracefs.h"
#include "live_worker.h"
#include "unit.h"

enum {
	NOBODY = 65534,
	WAKEUPS = 100,
	SPIN_MS = 200,
	NAPS = 50,
	PATIENCE_MS = 100000
};

static uint64_t now_ms(void)
{
	return sys_now_ns() / 1000000;
}

/* Waits until the source has something, or for a moment, and begins a round. */
static void begin_round(struct source *source)
{
	struct pollfd ready = {.fd = source->poll_fd, .events = POLLIN};

	poll(&ready, 1, 20);
	source_drain(source);
}

/* Is woken through a pipe, and answers. */
static void answer(int commands, int answers)
{
	char byte;

	while (read(commands, &byte, 1) == 1 && write(answers, &byte, 1) == 1)
		;
}

/* What was told of the sleeper. */
struct told {
	pid_t pid;
	size_t wakeups, switches;
	size_t short_waits; /* came after a wake-up that was told, within a second */
	uint64_t woken_ns;  /* 0: not since it came last */
	uint64_t lost;
};

static void note(struct told *told, const struct record *record)
{
	if (record->kind == RECORD_LOST)
		told->lost += record->lost;
	if (record->kind == RECORD_WAKEUP && record->tid == told->pid) {
		told->wakeups++;
		told->woken_ns = record->time_ns;
	} else if (record->kind == RECORD_SWITCH && record->ctx_switch.next_tid == told->pid) {
		told->switches++;
		told->short_waits += told->woken_ns != 0 && record->time_ns >= told->woken_ns &&
				     record->time_ns - told->woken_ns < 1000000000;
		told->woken_ns = 0;
	}
}

static void listen_for(struct source *source, struct told *told, uint64_t ms)
{
	const uint64_t end_ms = now_ms() + ms;
	struct record record;

	do {
		begin_round(source);
		while (source_next(source, &record))
			note(told, &record);
	} while (now_ms() < end_ms);
}

static void wake(struct source *source, struct told *told)
{
	struct worker sleeper;
	char byte = 'x';

	worker_start(&sleeper, answer);
	told->pid = sleeper.pid;
	live_await_sleep(told->pid);
	listen_for(source, told, 0);
	told->wakeups = told->switches = told->short_waits = 0;
	for (int i = 0; i < WAKEUPS; i++) {
		assert_int_equal(write(sleeper.command_fd, &byte, 1), 1);
		assert_int_equal(read(sleeper.answer_fd, &byte, 1), 1);
		live_await_sleep(told->pid);
	}
	listen_for(source, told, 300);
	worker_end(&sleeper);
}

UNIT_TEST(wakeup_through_a_pipe_comes_before_the_task_that_was_woken)
{
	struct told told = {0};
	struct live live;

	live_init(&live, "page-faults");
	live.events.scheduler = true;
	live_create_cpus(&live);
	if (live.source != NULL) {
		assert_true(source_begin(live.source, &live.error));
		assert_true(live.source->session.queue_words[0] != '\0');
		if (live.source->session.queue == QUEUE_WAKEUPS) {
			wake(live.source, &told);
			if (told.lost == 0) {
				assert_in_range(told.wakeups, WAKEUPS, WAKEUPS + WAKEUPS / 2);
				assert_in_range(told.switches, WAKEUPS, WAKEUPS * 2);
				assert_in_range(told.short_waits, WAKEUPS, told.switches);
			}
		}
	}
	live_fini(&live);
}

/* So much CPU time, and nobody has it all the time. */
static void spin(void)
{
	struct timespec used;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	} while ((uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000 < SPIN_MS);
}

static void *thread(void *context)
{
	char byte;

	if (read(*(int *)context, &byte, 1) != 1)
		_exit(1);
	prctl(PR_SET_NAME, "renamed");
	spin();
	for (int i = 0; i < NAPS; i++)
		usleep(1000);
	return NULL;
}

/* Two threads that share one CPU: they push each other out, then one of them sleeps. */
static void work(int gate, int answer)
{
	const pid_t tid = getpid();
	pthread_t other;
	cpu_set_t all, one;
	int cpu = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sched_getaffinity(0, sizeof(all), &all);
	while (!CPU_ISSET((size_t)cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET((size_t)cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
	if (pthread_create(&other, NULL, thread, &gate) != 0 ||
	    write(answer, &tid, sizeof(tid)) != sizeof(tid))
		_exit(1);
	thread(&gate);
	pthread_join(other, NULL);
	_exit(0);
}

/* What an ordinary user has seen of his process. */
struct seen {
	size_t outs, ins, preempted, names, exits, delays;
	size_t late; /* behind what was told, or earlier than it was settled to be */
	uint64_t lost, last_ns;
	struct {
		int32_t tid;
		bool is_in;
	} threads[8];
	size_t thread_count;
	int fault; /* line of the first thing that was wrong; 0: nothing */
};

#define EXPECT(seen, truth)                                                                        \
	do {                                                                                       \
		if (!(truth) && (seen)->fault == 0)                                                \
			(seen)->fault = __LINE__;                                                  \
	} while (0)

static bool *is_in(struct seen *seen, int32_t tid)
{
	for (size_t i = 0; i < seen->thread_count; i++)
		if (seen->threads[i].tid == tid)
			return &seen->threads[i].is_in;
	if (seen->thread_count == sizeof(seen->threads) / sizeof(*seen->threads))
		return NULL;
	seen->threads[seen->thread_count].tid = tid;
	return &seen->threads[seen->thread_count++].is_in;
}

/* All share one CPU: its switches come in order of time, and each comes before it leaves. */
static void see_switch(struct seen *seen, const struct record *record, uint64_t settled_ns,
		       pid_t pid)
{
	const bool leaves = record->ctx_switch.knows_how;
	bool *in = is_in(seen, leaves ? record->tid : record->ctx_switch.next_tid);

	EXPECT(seen, (leaves ? record->pid : record->ctx_switch.next_pid) == pid);
	EXPECT(seen, record->cpu >= 0);
	EXPECT(seen, in != NULL && *in == leaves);
	if (record->time_ns < seen->last_ns || record->time_ns < settled_ns)
		seen->late++;
	else
		seen->last_ns = record->time_ns;
	if (in != NULL)
		*in = !leaves;
	seen->outs += leaves;
	seen->ins += !leaves;
	seen->preempted += record->ctx_switch.preempted;
}

static void see(struct seen *seen, const struct record *record, uint64_t settled_ns, pid_t pid)
{
	switch ((int)record->kind) {
	case RECORD_SWITCH:
		see_switch(seen, record, settled_ns, pid);
		return;
	case RECORD_COMM:
		seen->names += strcmp(record->comm.name, "renamed") == 0;
		return;
	case RECORD_EXIT:
		seen->exits++;
		return;
	case RECORD_RUN_DELAY:
		seen->delays++;
		return;
	case RECORD_LOST:
		seen->lost += record->lost;
		return;
	default:
		return;
	}
}

static void watch(struct source *source, struct seen *seen, pid_t pid)
{
	const uint64_t end_ms = now_ms() + PATIENCE_MS;
	uint64_t tick_ms = now_ms();
	struct record record;

	while (!source_is_finished(source) && now_ms() < end_ms) {
		const uint64_t settled_ns = source->settled_ns;

		if (now_ms() >= tick_ms) {
			source_tick(source);
			tick_ms = now_ms() + 50;
		} else {
			begin_round(source);
		}
		while (source_next(source, &record))
			see(seen, &record, settled_ns, pid);
		EXPECT(seen, source->settled_ns >= settled_ns);
	}
	EXPECT(seen, source_is_finished(source));
}

static void judge(struct seen *seen)
{
	EXPECT(seen, seen->thread_count == 2);
	EXPECT(seen, seen->late <= seen->outs / 50); /* one that was being written down */
	EXPECT(seen, seen->outs >= 2 * NAPS);
	EXPECT(seen, seen->preempted >= 4);
	EXPECT(seen, seen->outs - seen->preempted >= 2 * NAPS);
	EXPECT(seen, seen->names == 2);
	EXPECT(seen, seen->exits == 2);
}

/* What is wrong with what the user sees of its process: a line of this file; 0: nothing. */
static int watch_own_process(struct live *live)
{
	int gate[2], answer[2];
	struct seen seen = {0};
	int32_t tid;
	const pid_t pid = pipe(gate) == 0 && pipe(answer) == 0 ? fork() : -1;

	if (pid == 0)
		work(gate[0], answer[1]);
	if (pid < 0 || read(answer[0], &tid, sizeof(tid)) != sizeof(tid))
		return __LINE__;
	live_await_sleep(pid); /* both at the gate */
	/* what this user may do */
	host_fini(&live->host);
	host_read(&live->host, "");
	attr_probe_features(&live->features);
	live_create_tasks(live, tid);
	if (live->source == NULL)
		return live->host.paranoid > 2 || live->host.has_seccomp_filter ? 0 : __LINE__;
	EXPECT(&seen, source_begin(live->source, NULL) && write(gate[1], "go", 2) == 2);
	watch(live->source, &seen, pid);
	if (seen.lost == 0)
		judge(&seen);
	EXPECT(&seen, live->source->session.queue != QUEUE_RUN_DELAY || seen.delays >= 2);
	return seen.fault;
}

UNIT_TEST(ordinary_user_sees_the_switches_of_its_own_process)
{
	int status = 0, pipes[2], fault = __LINE__;
	struct live live;
	pid_t pid;

	live_init(&live, "page-faults");
	live.events.scheduler = true;
	assert_int_equal(pipe(pipes), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getuid() == 0 && (setgid(NOBODY) != 0 || setuid(NOBODY) != 0))
			_exit(1);
		prctl(PR_SET_DUMPABLE, 1);
		fault = watch_own_process(&live);
		_exit(write(pipes[1], &fault, sizeof(fault)) == sizeof(fault) ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(read(pipes[0], &fault, sizeof(fault)), sizeof(fault));
	close(pipes[0]);
	close(pipes[1]);
	live_fini(&live);

	if (fault != 0)
		fail_msg("line %d", fault);
}

int main(void)
{
	live_tracefs_mount();
	return unit_run(NULL, NULL);
}
