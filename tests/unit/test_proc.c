/* /proc as it is: this process, children made for the purpose, and tasks that have gone. */

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/proc.h"

#include "unit.h"

/* So that a failed assertion leaves no child behind. */
static void die_with_parent(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* A child that has the name (when not NULL), and waits to be killed. */
static pid_t start_child(const char *name, bool is_dumpable)
{
	int ready[2];
	char byte = 0;

	assert_int_equal(pipe(ready), 0);

	pid_t pid = fork();

	if (pid == 0) {
		die_with_parent();
		if (name != NULL)
			prctl(PR_SET_NAME, name);
		prctl(PR_SET_DUMPABLE, is_dumpable ? 1 : 0);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A pid that was given out and is free again. */
static pid_t gone_pid(void)
{
	pid_t pid = start_child(NULL, true);

	end_child(pid);
	return pid;
}

UNIT_TEST(proc_read_task_own_process_is_complete)
{
	struct proc_task task;

	assert_true(proc_read_task(getpid(), &task));
	assert_int_equal(task.pid, getpid());
	assert_int_equal(task.tid, getpid());
	assert_int_equal(task.parent_pid, getppid());
	assert_int_equal(task.uid, geteuid());
	assert_int_equal(task.state, 'R');
	assert_true(task.cpu >= 0 && task.cpu < sysconf(_SC_NPROCESSORS_CONF));
	assert_false(task.is_kernel_thread);
	assert_true(task.start_ticks > 0);
	assert_memory_equal(task.name, program_invocation_short_name, strlen(task.name));
}

UNIT_TEST(proc_read_task_tells_the_session)
{
	struct proc_task task;
	pid_t pid = fork();

	if (pid == 0) {
		die_with_parent();
		_exit(setsid() == getpid() && proc_read_task(getpid(), &task) &&
				      task.session == getpid()
			      ? 0
			      : 1);
	}

	int status = -1;

	waitpid(pid, &status, 0);
	assert_int_equal(status, 0);
	assert_true(proc_read_task(getpid(), &task));
	assert_int_equal(task.session, getsid(0));
}

UNIT_TEST(proc_read_cgroups_is_the_file)
{
	struct strbuf lines = {0};
	char text[16384];
	const long count = file_read("/proc/self/cgroup", text, sizeof(text));

	if (count <= 0)
		skip(); /* no cgroups here */
	assert_true(proc_read_cgroups(getpid(), &lines));
	assert_string_equal(strbuf_text(&lines), text);
	assert_false(proc_read_cgroups(gone_pid(), &lines));
	assert_string_equal(strbuf_text(&lines), text);
	strbuf_fini(&lines);
}

UNIT_TEST(proc_add_namespaces_are_those_of_others)
{
	const pid_t child = start_child(NULL, true);
	struct strbuf words = {0};

	proc_add_namespaces((int32_t)getpid(), &words);
	proc_add_namespaces((int32_t)child, &words);
	proc_add_namespaces((int32_t)gone_pid(), &words);
	assert_string_equal(strbuf_text(&words), "");
	end_child(child);
}

/* The child is in the namespaces that are new, and this process goes back to its own. */
UNIT_TEST(proc_add_namespaces_says_which_differ)
{
	const int own = open("/proc/self/ns/uts", O_RDONLY | O_CLOEXEC);
	struct strbuf words = {0};
	unsigned long number = 0;
	pid_t child;

	assert_true(own >= 0);
	if (unshare(CLONE_NEWUTS) != 0) {
		close(own);
		skip();
	}
	child = start_child(NULL, true);
	assert_int_equal(setns(own, CLONE_NEWUTS), 0);
	close(own);
	proc_add_namespaces((int32_t)child, &words);
	end_child(child);
	assert_int_equal(sscanf(strbuf_text(&words), "uts %lu", &number), 1);
	assert_true(number > 0);
	assert_null(strchr(strbuf_text(&words), ','));
	strbuf_fini(&words);
}

UNIT_TEST(proc_read_task_names_of_any_bytes_are_raw)
{
	static const char *const names[] = {
		"a) R 1 1 (b",
		")",
		"(",
		"))) Z 0 0",
		"two\nlines",
		"back\\slash",
		"\\n",
		"\\012",
		" ",
		"\t\x1b[2J",
		"\xff\xfe\x80",
		"a'\"b",
		"fifteen letters",
	};

	for (size_t i = 0; i < COUNT_OF(names); i++) {
		pid_t pid = start_child(names[i], true);
		struct proc_task task = {0};
		bool found = proc_read_task(pid, &task);

		end_child(pid);
		assert_true(found);
		assert_string_equal(task.name, names[i]);
		assert_int_equal(task.parent_pid, getpid());
	}
}

UNIT_TEST(proc_read_task_kernel_thread_is_told)
{
	struct proc_task task;

	/* Inside a pid namespace number 2 is anybody. */
	if (!proc_read_task(2, &task) || strcmp(task.name, "kthreadd") != 0)
		skip();

	assert_true(task.is_kernel_thread);
	assert_int_equal(task.uid, 0);
}

struct helper_thread {
	pthread_t thread;
	pthread_barrier_t barrier;
	int32_t tid;
};

static void *run_thread(void *context)
{
	struct helper_thread *helper = context;

	helper->tid = (int32_t)syscall(SYS_gettid);
	prctl(PR_SET_NAME, "helper");
	pthread_barrier_wait(&helper->barrier); /* has begun */
	pthread_barrier_wait(&helper->barrier); /* may end */
	return NULL;
}

static void thread_start(struct helper_thread *helper)
{
	pthread_barrier_init(&helper->barrier, NULL, 2);
	assert_int_equal(pthread_create(&helper->thread, NULL, run_thread, helper), 0);
	pthread_barrier_wait(&helper->barrier);
}

static void thread_end(struct helper_thread *helper)
{
	pthread_barrier_wait(&helper->barrier);
	pthread_join(helper->thread, NULL);
	pthread_barrier_destroy(&helper->barrier);
}

UNIT_TEST(proc_read_task_thread_has_the_pid_of_its_process)
{
	struct helper_thread helper;
	struct proc_task task = {0};

	thread_start(&helper);
	bool found = proc_read_task(helper.tid, &task);
	thread_end(&helper);

	assert_true(found);
	assert_int_equal(task.tid, helper.tid);
	assert_int_equal(task.pid, getpid());
	assert_string_equal(task.name, "helper");
}

static void *run_alone(void *ready)
{
	char name;

	/* its pipe is closed by the test */
	return read(*(int *)ready, &name, 1) < 0 ? ready : NULL;
}

UNIT_TEST(proc_read_task_first_thread_that_exited_is_survived)
{
	int ends[2];
	struct proc_task task = {0};

	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		pthread_t thread;

		die_with_parent();
		close(ends[1]);
		if (pthread_create(&thread, NULL, run_alone, &ends[0]) != 0)
			_exit(1);
		pthread_exit(NULL);
	}
	while (proc_read_task(pid, &task) && task.state != 'Z')
		assert_true(task.has_exited || !task.is_survived);
	close(ends[1]);
	close(ends[0]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);

	assert_true(task.is_survived);
}

UNIT_TEST(proc_read_command_line_joins_arguments_with_blanks)
{
	struct strbuf text = {0};
	FILE *file = fopen("/proc/self/cmdline", "r");
	char first[256] = "";

	assert_non_null(file);
	size_t length = fread(first, 1, sizeof(first) - 1, file);
	fclose(file);
	assert_true(length > 0);
	strbuf_add(&text, "what was there before");

	assert_true(proc_read_command_line(getpid(), 4096, &text));

	assert_int_equal(text.length, length - 1);
	assert_memory_equal(text.text, first, strlen(first));
	strbuf_fini(&text);
}

/* The kernel closes descriptors before it has the new arguments in place. */
static void await_arguments(pid_t pid, const char *first)
{
	struct strbuf text = {0};

	for (int i = 0; i < 10000 && strncmp(strbuf_text(&text), first, strlen(first)) != 0; i++) {
		assert_true(proc_read_command_line(pid, 4096, &text));
		usleep(1000);
	}
	strbuf_fini(&text);
}

/* Runs a shell that waits for ever, under arguments of our own. */
static pid_t start_waiter(const char *first, const char *last)
{
	int done[2];
	char byte;

	assert_int_equal(pipe2(done, O_CLOEXEC), 0);

	pid_t pid = fork();

	if (pid == 0) {
		int input[2];

		die_with_parent();
		if (pipe(input) == 0 && dup2(input[0], STDIN_FILENO) >= 0)
			execl("/bin/sh", first, "-c", "read x", last, (char *)NULL);
		_exit(127);
	}
	close(done[1]);
	assert_int_equal(read(done[0], &byte, 1), 0); /* closed by the exec */
	close(done[0]);
	await_arguments(pid, first);
	return pid;
}

UNIT_TEST(proc_read_command_line_keeps_odd_bytes_and_the_limit)
{
	struct strbuf text = {0}, cut = {0};
	pid_t pid = start_waiter("/odd/na me\n", "0\x1b");
	bool found = proc_read_command_line(pid, 4096, &text);
	bool found_cut = proc_read_command_line(pid, 4, &cut);

	end_child(pid);
	assert_true(found && found_cut);
	assert_string_equal(strbuf_text(&text), "/odd/na me\n -c read x 0\x1b");
	assert_string_equal(strbuf_text(&cut), "/odd");
	strbuf_fini(&text);
	strbuf_fini(&cut);
}

UNIT_TEST(proc_read_switches_counts_a_sleep_as_voluntary)
{
	uint64_t before, after, involuntary;

	assert_true(proc_read_switches(getpid(), &before, &involuntary));
	usleep(2000);
	assert_true(proc_read_switches(getpid(), &after, &involuntary));

	assert_true(after > before);
}

/* Against what the system calls of this process itself say. */
UNIT_TEST(proc_read_usage_is_what_the_system_says_of_us)
{
	struct proc_usage usage, thread;
	struct rusage own;

	assert_true(proc_read_usage(getpid(), 0, true, &usage));
	assert_int_equal(usage.state, 'R');
	assert_int_equal(usage.nice, getpriority(PRIO_PROCESS, 0));
	assert_true(usage.resident_bytes > 100000);
	assert_true(usage.has_io);
	getrusage(RUSAGE_SELF, &own);
	assert_true(usage.user_ns <= (uint64_t)own.ru_utime.tv_sec * 1000000000 +
					     (uint64_t)own.ru_utime.tv_usec * 1000 + 10000000);
	assert_true(proc_read_usage(getpid(), getpid(), false, &thread));
	assert_int_equal(thread.start_s, usage.start_s);
	assert_false(thread.has_io);
	assert_false(proc_read_usage(INT32_MAX, 0, false, &usage));
}

/* Of a child that may be on its way to sleep yet. */
UNIT_TEST(proc_read_call_and_wchan_are_those_of_a_task_that_sleeps)
{
	pid_t child;
	uint64_t arguments[3];
	int64_t number = -1;
	char function[64] = "";

	if (access("/proc/self/syscall", R_OK) != 0 || access("/proc/self/wchan", R_OK) != 0)
		skip(); /* not in every kernel */
	child = start_child(NULL, true);
	while (!proc_read_call(child, child, &number, arguments, 3))
		usleep(1000);
	assert_true(number >= 0);
#ifdef SYS_pause
	while (number != SYS_pause)
		proc_read_call(child, child, &number, arguments, 3);
#endif
	if (proc_read_wchan(child, 0, function, sizeof(function))) /* the name may be kept secret */
		assert_true(strlen(function) > 1);
	end_child(child);

	assert_false(proc_read_call(child, child, &number, arguments, 3));
	assert_false(proc_read_wchan(child, child, function, sizeof(function)));
}

#if defined(__x86_64__) && defined(__GLIBC__)
struct lock_waiter {
	pthread_mutex_t mutex;
	bool has_timeout;
	_Atomic int32_t tid;
};

static void *wait_for_mutex(void *context)
{
	const struct timespec never = {.tv_sec = INT32_MAX};
	struct lock_waiter *waiter = context;

	waiter->tid = (int32_t)syscall(SYS_gettid);
	if (waiter->has_timeout)
		pthread_mutex_timedlock(&waiter->mutex, &never);
	else
		pthread_mutex_lock(&waiter->mutex);
	pthread_mutex_unlock(&waiter->mutex);
	return NULL;
}

/* Of the thread that waits for the mutex, which this one has. */
static struct proc_lock lock_of_waiter(struct lock_waiter *waiter)
{
	struct proc_lock lock = {0};
	pthread_t thread;

	pthread_mutex_lock(&waiter->mutex);
	assert_int_equal(pthread_create(&thread, NULL, wait_for_mutex, waiter), 0);
	while (waiter->tid == 0 || !proc_read_lock(getpid(), waiter->tid, &lock))
		usleep(1000);
	pthread_mutex_unlock(&waiter->mutex);
	pthread_join(thread, NULL);
	return lock;
}

UNIT_TEST(proc_read_lock_of_a_mutex_has_its_holder)
{
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};
	static const int robust[] = {PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST};

	if (access("/proc/self/syscall", R_OK) != 0)
		skip();
	for (int i = 0; i < 4; i++) {
		struct lock_waiter waiter = {.tid = 0};
		pthread_mutexattr_t attributes;
		struct proc_lock lock;

		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_setprotocol(&attributes, protocols[i % 2]);
		pthread_mutexattr_setrobust(&attributes, robust[i / 2]);
		pthread_mutex_init(&waiter.mutex, &attributes);
		lock = lock_of_waiter(&waiter);
		assert_int_equal(lock.address, (uintptr_t)&waiter.mutex);
		assert_int_equal(lock.holder, syscall(SYS_gettid));
		assert_false(proc_read_lock(getpid(), getpid(), &lock)); /* it runs */
	}
}

/* It may end by itself, so that nothing waits for the owner alone. */
UNIT_TEST(proc_read_lock_of_a_wait_with_a_timeout_has_no_holder)
{
	static const int protocols[] = {PTHREAD_PRIO_NONE, PTHREAD_PRIO_INHERIT};

	if (access("/proc/self/syscall", R_OK) != 0)
		skip();
	for (size_t i = 0; i < COUNT_OF(protocols); i++) {
		struct lock_waiter waiter = {.has_timeout = true};
		pthread_mutexattr_t attributes;
		struct proc_lock lock;

		pthread_mutexattr_init(&attributes);
		pthread_mutexattr_setprotocol(&attributes, protocols[i]);
		pthread_mutex_init(&waiter.mutex, &attributes);
		lock = lock_of_waiter(&waiter);
		assert_int_equal(lock.address, (uintptr_t)&waiter.mutex);
		assert_int_equal(lock.holder, 0);
	}
}

/* The value and the number behind it are as of a mutex, but no thread has this number. */
UNIT_TEST(proc_read_lock_of_what_is_no_mutex_has_no_holder)
{
	static _Atomic int32_t words[3] = {2, 0, INT32_MAX};
	struct proc_lock lock;
	pid_t child;

	if (access("/proc/self/syscall", R_OK) != 0)
		skip();
	child = fork();
	if (child == 0) {
		die_with_parent();
		while (true)
			syscall(SYS_futex, words, 0 /* FUTEX_WAIT */, 2, NULL);
	}
	assert_true(child > 0);
	while (!proc_read_lock(child, child, &lock))
		usleep(1000);
	end_child(child);
	assert_int_equal(lock.address, (uintptr_t)words);
	assert_int_equal(lock.holder, -1);
	assert_false(proc_read_lock(child, child, &lock));
}
#endif

UNIT_TEST(proc_read_schedstat_run_time_grows_with_work)
{
	uint64_t before, after, wait_ns;

	if (!proc_read_schedstat(getpid(), 0, &before, &wait_ns))
		skip(); /* a kernel without CONFIG_SCHED_INFO */
	/* it grows with work */
	for (uint64_t start = proc_own_cpu_ns(); proc_own_cpu_ns() - start < 20000000;) {
	}
	assert_true(proc_read_schedstat(getpid(), getpid(), &after, &wait_ns));

	assert_true(after > before);
	assert_true(proc_has_run_delay());
}

UNIT_TEST(proc_waits_read_says_what_schedstat_says)
{
	struct proc_waits waits = {0};
	uint64_t run_ns, before_ns, wait_ns, after_ns;

	if (!proc_read_schedstat(getpid(), getpid(), &run_ns, &before_ns))
		skip();               /* a kernel without CONFIG_SCHED_INFO */
	for (int i = 0; i < 2; i++) { /* opened, and open */
		assert_true(proc_waits_read(&waits, getpid(), getpid(), &wait_ns));
		assert_true(proc_read_schedstat(getpid(), getpid(), &run_ns, &after_ns));
		assert_in_range(wait_ns, before_ns, after_ns);
	}

	proc_waits_fini(&waits);
}

UNIT_TEST(proc_waits_read_of_one_that_ends_is_false)
{
	const pid_t pid = fork();
	struct proc_waits waits = {0};
	uint64_t wait_ns = 7;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	if (!proc_waits_read(&waits, pid, pid, &wait_ns)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		skip();
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	wait_ns = 7;

	assert_false(proc_waits_read(&waits, pid, pid, &wait_ns));
	assert_false(proc_waits_read(&waits, pid, pid, &wait_ns));
	assert_int_equal(wait_ns, 7);
	for (int i = 0; i < 9; i++) /* more than files: the open ones give way */
		assert_true(proc_waits_read(&waits, getpid(), getpid(), &wait_ns) ||
			    !proc_has_run_delay());
	proc_waits_fini(&waits);
}

UNIT_TEST(proc_last_pid_changes_with_a_birth)
{
	int64_t before = proc_last_pid();
	pid_t pid = gone_pid();

	assert_true(before > 0);
	assert_int_not_equal(proc_last_pid(), before);
	assert_true(pid > 0);
}

UNIT_TEST(proc_owner_is_effective_uid_or_minus_one)
{
	pid_t hidden = start_child(NULL, false);
	int64_t owner = proc_owner(hidden);

	end_child(hidden);
	assert_int_equal(owner, geteuid());
	assert_int_equal(proc_owner(gone_pid()), -1);
}

UNIT_TEST(proc_is_guarded_undumpable_process_of_a_user_is)
{
	int ready[2];
	char byte = 0;

	if (geteuid() != 0)
		skip(); /* to make a process of a user who is not root */
	assert_int_equal(pipe(ready), 0);

	pid_t pid = fork();

	if (pid == 0) {
		/* changing the user makes a process undumpable until its next exec */
		if (setresuid(65534, 65534, 65534) == 0) {
			die_with_parent();
			if (write(ready[1], &byte, 1) == 1)
				pause();
		}
		_exit(1);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	bool guarded = proc_is_guarded(pid);
	int64_t owner = proc_owner(pid);
	end_child(pid);

	assert_true(guarded);
	assert_int_equal(owner, 65534);
	assert_false(proc_is_guarded(getpid()));
	assert_false(proc_is_guarded(gone_pid()));
}

struct visit_log {
	int32_t wanted;
	size_t visits, limit;
	bool seen;
};

static bool log_visit(int32_t id, void *context)
{
	struct visit_log *log = context;

	log->visits++;
	log->seen = log->seen || id == log->wanted;
	return log->visits != log->limit;
}

UNIT_TEST(proc_walk_threads_finds_each_once)
{
	struct helper_thread helper;

	thread_start(&helper);
	struct visit_log log = {.wanted = helper.tid};
	bool walked = proc_walk(getpid(), log_visit, &log);
	thread_end(&helper);

	assert_true(walked);
	assert_true(log.seen);
	/* a sanitizer may have threads of its own */
	assert_true(log.visits >= 2);
}

UNIT_TEST(proc_of_a_zombie_has_a_state_and_no_command_line)
{
	struct strbuf text = {0};
	pid_t pid = start_child("undead", true);
	struct proc_task task = {0};
	siginfo_t info;

	strbuf_add(&text, "old");
	kill(pid, SIGKILL);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	bool found = proc_read_task(pid, &task) && proc_read_command_line(pid, 4096, &text);
	waitpid(pid, NULL, 0);

	assert_true(found);
	assert_int_equal(task.state, 'Z');
	assert_false(task.is_survived);
	assert_string_equal(task.name, "undead");
	assert_int_equal(text.length, 0);
	strbuf_fini(&text);
}

/* Nothing is written then. */
UNIT_TEST(proc_of_a_task_that_has_gone_is_false)
{
	const int32_t gone = gone_pid();
	struct proc_task task = {.tid = 4711};
	struct strbuf text = {0};
	uint64_t one = 7, other = 8;
	struct visit_log log = {0};

	assert_false(proc_read_task(gone, &task));
	assert_false(proc_read_task(0, &task));
	assert_false(proc_read_task(-1, &task));
	assert_int_equal(task.tid, 4711);
	assert_false(proc_read_command_line(gone, 4096, &text));
	assert_false(proc_read_switches(gone, &one, &other));
	assert_false(proc_read_schedstat(gone, 0, &one, &other));
	assert_false(proc_read_schedstat(gone, gone, &one, &other));
	assert_false(proc_read_schedstat(getpid(), getppid(), &one, &other));
	assert_int_equal(one, 7);
	assert_int_equal(other, 8);
	assert_false(proc_walk(gone, log_visit, &log));
	assert_int_equal(log.visits, 0);
	assert_int_equal(proc_find_by_name("no process has this name", &task.tid, 1), 0);
	assert_int_equal(proc_find_by_name("", &task.tid, 1), 0);
	strbuf_fini(&text);
}

UNIT_TEST(proc_walk_finds_this_process_unless_it_is_stopped)
{
	struct visit_log all = {.wanted = getpid()}, first = {.limit = 1};

	assert_true(proc_walk(0, log_visit, &all));
	assert_true(all.seen);
	assert_true(proc_walk(0, log_visit, &first));
	assert_int_equal(first.visits, 1);
}

UNIT_TEST(proc_find_by_name_finds_kernel_names_in_order)
{
	int32_t pids[4] = {0};
	int32_t one[1] = {0};
	char name[16];

	snprintf(name, sizeof(name), ")\nx%d", getpid());
	pid_t first = start_child(name, true);
	pid_t second = start_child(name, true);
	size_t count = proc_find_by_name(name, pids, 4);
	size_t all = proc_find_by_name(name, one, 1);

	end_child(first);
	end_child(second);
	assert_int_equal(count, 2);
	assert_true(pids[0] < pids[1]);
	assert_true(pids[0] == first || pids[0] == second);
	assert_int_equal(all, 2);
	assert_int_equal(one[0], pids[0]);
}

UNIT_TEST(proc_find_by_name_finds_program_names_longer_than_the_kernels)
{
	int32_t pids[4] = {0};
	char path[64];

	snprintf(path, sizeof(path), "/opt/a-program-with-a-long-name-%d", getpid());
	pid_t pid = start_waiter(path, "0");
	size_t count = proc_find_by_name(path + strlen("/opt/"), pids, 4);
	size_t path_count = proc_find_by_name(path, pids + 1, 1);

	end_child(pid);
	assert_int_equal(count, 1);
	assert_int_equal(pids[0], pid);
	assert_int_equal(path_count, 0);
}

UNIT_TEST(proc_own_rss_bytes_grows_with_touched_memory)
{
	enum {
		SIZE = 64 << 20
	};
	uint64_t before = proc_own_rss_bytes();
	char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(memory, MAP_FAILED);
	memset(memory, 1, SIZE);
	uint64_t after = proc_own_rss_bytes();
	munmap(memory, SIZE);

	assert_true(before > 0);
	/* the kernel's sum lags by some pages per CPU */
	assert_true(after - before > SIZE / 2 && after - before < SIZE * 2L);
}

UNIT_TEST(proc_own_descriptors_counts_one_more)
{
	uint64_t before = proc_own_descriptors();
	int fd = dup(0);
	uint64_t after = proc_own_descriptors();

	close(fd);
	assert_true(before >= 1);
	assert_int_equal(after, before + 1);
	assert_int_equal(proc_own_descriptors(), before);
}

UNIT_MAIN(NULL, NULL)
