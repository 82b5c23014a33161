/* Chosen tasks: who is found when, what is told of them and in which order, and how they end. */

#include <errno.h>

#include <sys/epoll.h>

#include "base/strbuf.h"
#include "source/tasks/tasks.h"

#include "source_kit.h"
#include "unit.h"

enum {
	THREADS_MAX = 16,
	ME = 1000, /* the user's id */
	KEPT = 32, /* descriptors that are never taken */
	EACH = 4   /* descriptors of a thread: a leader, a counter, two rings */
};

/* A thread of our /proc. */
struct thread {
	int32_t pid, tid, parent;
	int64_t uid;
	uint64_t run_ns, wait_ns, voluntary, involuntary;
	bool is_dead, is_guarded;
};

static struct {
	struct thread threads[THREADS_MAX];
	size_t count;
	int64_t last_pid;
	size_t walks;
	bool has_no_run_delay;
	int hang_up_fd; /* whose ring hangs up; 0: none */
	struct {
		int fd;
		void *data;
	} polled[256];
	size_t polled_count;
} proc;

static struct thread *add_thread(int32_t pid, int32_t tid, int32_t parent)
{
	struct thread *thread = &proc.threads[proc.count++];

	*thread = (struct thread){.pid = pid, .tid = tid, .parent = parent, .uid = ME};
	proc.last_pid = tid;
	return thread;
}

static struct thread *find_thread(int32_t tid)
{
	for (size_t i = 0; i < proc.count; i++)
		if (proc.threads[i].tid == tid && !proc.threads[i].is_dead)
			return &proc.threads[i];
	return NULL;
}

bool __wrap_proc_read_task(int32_t tid, struct proc_task *task);
bool __wrap_proc_read_command_line(int32_t pid, size_t limit, struct strbuf *line);
bool __wrap_proc_read_switches(int32_t tid, uint64_t *voluntary, uint64_t *involuntary);
bool __wrap_proc_read_schedstat(int32_t pid, int32_t tid, uint64_t *run_ns, uint64_t *wait_ns);
bool __wrap_proc_has_run_delay(void);
int64_t __wrap_proc_last_pid(void);
int64_t __wrap_proc_owner(int32_t pid);
bool __wrap_proc_is_guarded(int32_t pid);
uid_t __wrap_geteuid(void);
bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context);
bool __wrap_sys_task_exists(pid_t pid, pid_t tid);
int __wrap_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event);
int __wrap_epoll_wait(int epoll_fd, struct epoll_event *events, int max, int timeout);

bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	const struct thread *thread = find_thread(tid);

	if (thread == NULL)
		return false;
	*task = (struct proc_task){
		.pid = thread->pid, .tid = tid, .parent_pid = thread->parent, .uid = thread->uid};
	snprintf(task->name, sizeof(task->name), "t%d", tid);
	return true;
}

bool __wrap_proc_read_command_line(int32_t pid, size_t limit, struct strbuf *line)
{
	strbuf_clear(line);
	strbuf_printf(line, "command %d", pid);
	return true;
}

bool __wrap_proc_read_switches(int32_t tid, uint64_t *voluntary, uint64_t *involuntary)
{
	const struct thread *thread = find_thread(tid);

	if (thread == NULL)
		return false;
	*voluntary = thread->voluntary;
	*involuntary = thread->involuntary;
	return true;
}

bool __wrap_proc_read_schedstat(int32_t pid, int32_t tid, uint64_t *run_ns, uint64_t *wait_ns)
{
	const struct thread *thread = find_thread(tid > 0 ? tid : pid);

	if (thread == NULL || (tid > 0 && thread->pid != pid))
		return false;
	*run_ns = thread->run_ns;
	*wait_ns = thread->wait_ns;
	return true;
}

bool __wrap_proc_has_run_delay(void)
{
	return !proc.has_no_run_delay;
}

int64_t __wrap_proc_last_pid(void)
{
	return proc.last_pid;
}

int64_t __wrap_proc_owner(int32_t pid)
{
	const struct thread *thread = find_thread(pid);

	return thread != NULL ? thread->uid : -1;
}

bool __wrap_proc_is_guarded(int32_t pid)
{
	const struct thread *thread = find_thread(pid);

	return thread != NULL && thread->is_guarded;
}

uid_t __wrap_geteuid(void)
{
	return ME;
}

bool __wrap_proc_walk(int32_t pid, bool (*visit)(int32_t id, void *context), void *context)
{
	const struct thread *named = find_thread(pid);
	size_t count = proc.count;

	proc.walks++;
	if (pid != 0 && named == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct thread *thread = &proc.threads[i];
		bool fits = pid == 0 ? thread->pid == thread->tid : thread->pid == named->pid;

		if (fits && !thread->is_dead && !visit(thread->tid, context))
			break;
	}
	return true;
}

bool __wrap_sys_task_exists(pid_t pid, pid_t tid)
{
	return find_thread(tid) != NULL;
}

int __wrap_epoll_ctl(int epoll_fd, int operation, int fd, struct epoll_event *event)
{
	if (operation == EPOLL_CTL_ADD) {
		proc.polled[proc.polled_count].fd = fd;
		proc.polled[proc.polled_count++].data = event->data.ptr;
	}
	return 0;
}

int __wrap_epoll_wait(int epoll_fd, struct epoll_event *events, int max, int timeout)
{
	for (size_t i = 0; i < proc.polled_count; i++) {
		if (proc.polled[i].fd != proc.hang_up_fd)
			continue;
		events[0] = (struct epoll_event){.events = EPOLLHUP};
		events[0].data.ptr = proc.polled[i].data;
		return 1;
	}
	return 0;
}

/* Requests ask for the scheduler, too. */
static bool wants_scheduler;

static int set_up(void **state)
{
	memset(&proc, 0, sizeof(proc));
	wants_scheduler = false;
	host = (struct host){
		.page_bytes = FAKE_PAGE, .paranoid = 2, .mlock_kb = 516, .fd_limit_soft = 8192};
	return kit_set_up(state, 1000000);
}

static struct source *create_of(enum tasks_mode mode, const int32_t *pids, size_t count,
				struct error *error)
{
	static const char *const names[] = {"page-faults"};
	const struct tasks_request request = {
		.host = &host,
		.features = &FAKE_FEATURES,
		.events = made_set(names, 1),
		.mode = mode,
		.pids = pids,
		.pid_count = count,
		.uid = ME,
		.scope_words = "what was asked for",
	};

	made.set.scheduler = wants_scheduler;
	return tasks_create(&request, error);
}

static void create(enum tasks_mode mode, int32_t pid)
{
	source = create_of(mode, &pid, mode == TASKS_USER ? 0 : 1, NULL);
	assert_non_null(source);
	assert_true(source_begin(source, NULL));
}

/* Process 10 with `threads` of them: 10, 11, ... */
static void create_with(enum tasks_mode mode, int32_t threads)
{
	for (int32_t tid = 10; tid < 10 + threads; tid++)
		add_thread(10, tid, 1);
	create(mode, 10);
}

/* Beyond the first tick, too. */
static void watch(enum tasks_mode mode, int32_t threads)
{
	create_with(mode, threads);
	ticked();
}

static struct error refusal_of(const int32_t *pids, size_t count)
{
	struct error error = {0};

	assert_null(create_of(TASKS_PIDS, pids, count, &error));
	assert_int_equal(fake_open_count(), 0);
	return error;
}

/* The counters of a thread that are open; NULL: it is not watched. */
static struct fake_event *counters(int32_t tid)
{
	for (size_t i = 0; i < fake.count; i++)
		if (fake.events[i].is_open && fake.events[i].pid == tid &&
		    fake.events[i].members > 0)
			return &fake.events[i];
	return NULL;
}

static int ring_fd(int32_t tid, unsigned int content)
{
	for (size_t i = 0; i < fake.count; i++) {
		const struct fake_event *event = &fake.events[i];

		if (event->is_open && event->is_timeline && event->pid == tid &&
		    event->content == content)
			return event->fd;
	}
	return -1;
}

static void put_birth(int32_t parent_tid, int32_t parent_pid, int32_t pid, int32_t tid)
{
	const struct fake_told told = {.time = 5, .pid = pid, .tid = tid};
	struct fake_record record = fake_life(PERF_RECORD_FORK, &told, parent_pid, parent_tid);

	fake_put(ring_fd(parent_tid, TIMELINE_TASKS), &record);
}

static void put_exit(int32_t pid, int32_t tid)
{
	const struct fake_told told = {.time = 77, .pid = pid, .tid = tid};
	struct fake_record record = fake_life(PERF_RECORD_EXIT, &told, 1, 1);

	fake_put(ring_fd(tid, TIMELINE_TASKS), &record);
}

static void put_switch_at(int32_t tid, bool out, uint64_t time)
{
	const struct fake_told told = {.time = time, .tid = tid, .cpu = 2};
	struct fake_record record = fake_switch(&told, out, 0);

	fake_put(ring_fd(tid, TIMELINE_SWITCHES), &record);
}

static void put_switch(int32_t tid, bool out)
{
	put_switch_at(tid, out, 6);
}

static size_t describe(char *words, size_t size, const struct record *record)
{
	switch ((int)record->kind) {
	case RECORD_READING:
		return (size_t)snprintf(words, size, "%d reads %llu, ", record->tid,
					(unsigned long long)record->reading.enabled_ns);
	case RECORD_SWITCH_COUNT:
		return (size_t)snprintf(words, size, "%d switched %llu+%llu, ", record->tid,
					(unsigned long long)record->switch_count.voluntary,
					(unsigned long long)record->switch_count.involuntary);
	case RECORD_RUN_DELAY:
		return (size_t)snprintf(words, size, "%d waited %llu, ", record->tid,
					(unsigned long long)record->run_delay.wait_ns);
	case RECORD_PROCINFO:
		return (size_t)snprintf(words, size, "%d is %s of %d, ", record->tid,
					record->procinfo.name, record->pid);
	default:
		return (size_t)snprintf(words, size, "%d %s, ", record->tid,
					record_kind_name(record->kind));
	}
}

UNIT_TEST(tasks_tick_introduces_each_thread_then_reads_it)
{
	create_with(TASKS_PIDS, 2);

	assert_string_equal(ticked(), "10 is t10 of 10, 10 reads 0, 11 is t11 of 10, 11 reads 0, "
				      "10 reads 1000, 11 reads 1000, ");
	assert_string_equal(ticked(), "10 reads 1000, 11 reads 1000, ");
}

UNIT_TEST(tasks_create_describes_itself)
{
	create_with(TASKS_PIDS, 1);

	assert_int_equal(source->session.scope, SCOPE_TASKS);
	assert_string_equal(source->session.scope_words, "what was asked for");
	assert_true(source->session.is_live);
	assert_false(source->session.has_pmu);
	assert_true(counters(10)->exclude_kernel);
	assert_true(counters(10)->is_enabled);
}

UNIT_TEST(tasks_create_privileged_counts_the_kernel_too)
{
	host.has_cap_perfmon = true;
	create_with(TASKS_PIDS, 1);

	assert_false(counters(10)->exclude_kernel);
}

UNIT_TEST(tasks_create_missing_process_fails)
{
	const struct error error = refusal_of((int32_t[]){10}, 1);

	assert_int_equal(error.code, ERROR_PROCESS_GONE);
	assert_string_equal(error.text, "10: no such process");
}

UNIT_TEST(tasks_create_one_of_several_missing_is_named)
{
	add_thread(10, 10, 1);
	add_thread(30, 30, 1);
	const struct error error = refusal_of((int32_t[]){10, 20, 30}, 3);

	assert_int_equal(error.code, ERROR_PROCESS_GONE);
	assert_string_equal(error.text, "20: no such process");
}

static int foreign(const struct group_request *request)
{
	return request->pid == 20 ? EACCES : 0;
}

UNIT_TEST(tasks_create_foreign_process_is_named_with_its_owner)
{
	add_thread(10, 10, 1);
	add_thread(20, 20, 1)->uid = 33;
	fake.refuse_group = foreign;
	const struct error error = refusal_of((int32_t[]){10, 20}, 2);

	assert_int_equal(error.code, ERROR_PROCESS_FOREIGN);
	assert_string_equal(error.text, "20: not your process (it belongs to user id 33)");
}

UNIT_TEST(tasks_create_own_guarded_process_is_not_called_foreign)
{
	add_thread(20, 20, 1)->is_guarded = true;
	fake.refuse_group = foreign;
	const struct error error = refusal_of((int32_t[]){20}, 1);

	assert_int_equal(error.code, ERROR_PROCESS_GUARDED);
	assert_memory_equal(error.text, "20: protected even from the owner", 33);
	assert_null(strstr(error.remedy, "as its owner"));
}

static int vanishes(const struct group_request *request)
{
	return request->pid == 10 ? ESRCH : 0;
}

UNIT_TEST(tasks_create_process_that_vanishes_is_gone)
{
	add_thread(10, 10, 1);
	fake.refuse_group = vanishes;

	assert_int_equal(refusal_of((int32_t[]){10}, 1).code, ERROR_PROCESS_GONE);
}

UNIT_TEST(tasks_create_thread_stands_for_its_process)
{
	add_thread(10, 10, 1);
	add_thread(10, 11, 1);
	create(TASKS_PIDS, 11);
	ticked();
	add_thread(10, 12, 1);

	assert_string_equal(
		ticked(),
		"12 is t12 of 10, 12 reads 0, 10 reads 1000, 11 reads 1000, 12 reads 1000, ");
}

UNIT_TEST(tasks_create_process_without_its_first_thread_is_watched)
{
	add_thread(10, 10, 1);
	add_thread(10, 11, 1);
	fake.refuse_group = vanishes; /* thread 10 is a zombie, the others go on */
	create(TASKS_PIDS, 10);

	assert_null(counters(10));
	assert_non_null(counters(11));
}

UNIT_TEST(tasks_tick_finds_new_threads_when_a_pid_was_given_out)
{
	watch(TASKS_PIDS, 1);
	add_thread(10, 11, 1);
	ticked();

	assert_non_null(counters(11));
}

UNIT_TEST(tasks_tick_same_last_pid_walks_nothing)
{
	size_t walks;

	watch(TASKS_PIDS, 1);
	walks = proc.walks;
	ticked();

	assert_int_equal(proc.walks, walks);
}

static int thread_11_vanishes(const struct group_request *request)
{
	return request->pid == 11 ? ESRCH : 0;
}

UNIT_TEST(tasks_tick_thread_that_vanishes_is_no_refusal)
{
	create_with(TASKS_PIDS, 1);
	fake.refuse_group = thread_11_vanishes;
	add_thread(10, 11, 1);
	add_thread(10, 12, 1);
	ticked();

	assert_string_equal(source->session.scope_reason, "");
	assert_non_null(counters(12));
}

/* What Linux 6.18 says of a thread that exits between the opening of a leader and of a member. */
static int leader_exits(const struct group_request *request)
{
	struct thread *thread = find_thread(request->pid);

	if (request->pid != 11)
		return 0;
	if (thread != NULL && thread->run_ns == 0) {
		thread->run_ns = 1;
		return ENODEV;
	}
	return ESRCH;
}

UNIT_TEST(tasks_tick_thread_that_exits_while_opened_is_no_refusal)
{
	create_with(TASKS_PIDS, 1);
	fake.refuse_group = leader_exits;
	add_thread(10, 11, 1);
	ticked();

	assert_string_equal(source->session.scope_reason, "");
}

static int exits(const struct group_request *request)
{
	struct thread *thread = find_thread(request->pid);

	if (request->pid < 11)
		return 0;
	if (thread != NULL)
		thread->is_dead = true;
	return ENXIO;
}

UNIT_TEST(tasks_tick_any_failure_of_a_dead_thread_is_a_miss)
{
	watch(TASKS_USER, 1);
	fake.refuse_group = exits;
	add_thread(10, 11, 1);
	ticked();

	assert_string_equal(source->session.scope_reason,
			    "1 task ended before its counters were open and is not in the rows");
	add_thread(20, 20, 1);
	add_thread(20, 21, 1);
	ticked();
	assert_memory_equal(source->session.scope_reason, "3 tasks ended before their", 26);
}

UNIT_TEST(tasks_next_thread_that_ends_before_its_rings_are_open_is_missed)
{
	watch(TASKS_PIDS, 1);
	fake.refuse_timeline = ESRCH;
	add_thread(10, 11, 1);
	put_birth(10, 10, 10, 11);
	drained();

	assert_null(counters(11));
	assert_memory_equal(source->session.scope_reason, "1 task ended before its", 23);
}

UNIT_TEST(tasks_create_refused_rings_are_done_without)
{
	fake.refuse_timeline = EINVAL;
	create_with(TASKS_PIDS, 1);

	assert_non_null(counters(10));
}

UNIT_TEST(tasks_tick_zombie_is_not_missed)
{
	create_with(TASKS_USER, 1);
	fake.refuse_group = thread_11_vanishes;
	add_thread(11, 11, 1);
	ticked();

	assert_string_equal(source->session.scope_reason, "");
}

UNIT_TEST(tasks_next_birth_that_is_over_is_missed_once)
{
	watch(TASKS_PIDS, 1);
	fake.refuse_group = exits;
	add_thread(10, 11, 1);
	put_birth(10, 10, 10, 11);
	ticked(); /* the walk finds it too */

	assert_memory_equal(source->session.scope_reason, "1 task ended before its", 23);
}

static int unsupported(const struct group_request *request)
{
	return request->pid > 10 ? ENODEV : 0;
}

UNIT_TEST(tasks_tick_failure_of_a_living_thread_is_said)
{
	create_with(TASKS_PIDS, 1);
	fake.refuse_group = unsupported;
	add_thread(10, 11, 1);
	ticked();

	assert_memory_equal(source->session.scope_reason, "1 thread is not watched: ", 25);
}

static int foreign_or_unsupported(const struct group_request *request)
{
	return request->pid == 20 ? EACCES : request->pid == 21 ? ENODEV : 0;
}

UNIT_TEST(tasks_create_first_of_several_reasons_is_said)
{
	add_thread(20, 20, 1)->is_guarded = true;
	add_thread(20, 21, 1);
	fake.refuse_group = foreign_or_unsupported;
	create(TASKS_USER, 0);

	assert_memory_equal(source->session.scope_reason, "2 threads are not watched: protected",
			    36);
}

UNIT_TEST(tasks_tick_refused_ones_are_said_with_their_number)
{
	add_thread(10, 10, 1);
	add_thread(20, 20, 1)->is_guarded = true;
	fake.refuse_group = foreign;
	create(TASKS_USER, 0);
	assert_string_equal(source->session.scope_reason,
			    "1 thread is not watched: protected even from the owner "
			    "(more rights than perftop, or memory hidden)");
	assert_non_null(strstr(source->session.scope_remedy, "CAP_PERFMON"));

	fake.refuse_group = NULL; /* it has executed something harmless */
	proc.last_pid++;
	ticked();
	assert_string_equal(source->session.scope_reason, "");
	assert_string_equal(source->session.scope_remedy, "");
}

/* Who opened the source says first why it watches single tasks. */
UNIT_TEST(tasks_tick_keeps_the_reason_that_others_have_put_there)
{
	struct session *session;

	add_thread(20, 20, 1)->is_guarded = true;
	fake.refuse_group = foreign;
	create(TASKS_USER, 0);
	session = &source->session;
	snprintf(text, sizeof(text), "%s", session->scope_reason);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "why; %.200s", text);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "do this");
	add_thread(20, 21, 1);
	fake.refuse_group = unsupported;
	ticked();
	assert_memory_equal(session->scope_reason, "why; 2 threads are not watched: ", 32);
	assert_null(strstr(session->scope_reason, "1 thread"));
	assert_string_equal(session->scope_remedy, "do this");

	fake.refuse_group = NULL;
	proc.last_pid++;
	ticked();
	assert_string_equal(session->scope_reason, "why");
}

/* From now on there are descriptors for `threads` more. */
static void limit_descriptors(size_t threads)
{
	host.fd_limit_soft = FAKE_FIRST_FD + fake.count + KEPT + threads * EACH;
}

UNIT_TEST(tasks_create_without_descriptors_for_the_process_fails)
{
	struct error error;

	add_thread(10, 10, 1);
	host.fd_limit_soft = KEPT;
	error = refusal_of((int32_t[]){10}, 1);

	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_string_equal(error.text, "10: all 32 file descriptors are used");
}

UNIT_TEST(tasks_tick_some_descriptors_are_kept_free)
{
	char expected[128];

	watch(TASKS_PIDS, 1);
	limit_descriptors(1);
	add_thread(10, 11, 1);
	add_thread(10, 12, 1);
	add_thread(10, 13, 1);
	ticked();

	assert_non_null(counters(11));
	assert_null(counters(12));
	assert_int_equal(fake_open_count(), 2 * EACH);
	snprintf(expected, sizeof(expected),
		 "2 threads are not watched: all %d file descriptors are used",
		 (int)host.fd_limit_soft);
	assert_string_equal(source->session.scope_reason, expected);
	assert_non_null(strstr(source->session.scope_remedy, "ulimit -Hn"));
}

UNIT_TEST(tasks_tick_without_descriptors_opens_nothing_but_counts_on)
{
	size_t opened;

	create_with(TASKS_PIDS, 1);
	limit_descriptors(0);
	add_thread(10, 11, 1);
	ticked();
	opened = fake.count;
	add_thread(10, 12, 1);
	put_birth(10, 10, 10, 12);
	ticked();

	assert_int_equal(fake.count, opened);
	assert_memory_equal(source->session.scope_reason, "2 threads are not watched", 25);
}

UNIT_TEST(tasks_tick_end_of_a_thread_makes_room_for_those_that_wait)
{
	create_with(TASKS_PIDS, 2);
	limit_descriptors(0);
	add_thread(10, 12, 1)->run_ns = 5;
	ticked();
	assert_null(counters(12));
	put_exit(10, 11);
	find_thread(11)->is_dead = true;
	ticked();
	limit_descriptors(1);
	fake.now_ns += 100;
	ticked();

	assert_non_null(counters(12));
	assert_non_null(
		strstr(text, "12 reads 0, 10 reads 1000, 12 reads 1000, ")); /* it is no newborn */
	assert_string_equal(source->session.scope_reason, "");
}

UNIT_TEST(tasks_tick_thread_without_room_for_its_rings_is_not_watched)
{
	create_with(TASKS_PIDS, 1);
	limit_descriptors(1);
	host.fd_limit_soft--;
	add_thread(10, 11, 1);
	ticked();

	assert_null(counters(11));
	assert_int_equal(fake_open_count(), EACH);
}

static int system_is_full(const struct group_request *request)
{
	return request->pid == 24 ? ENFILE : 0;
}

UNIT_TEST(tasks_create_system_without_descriptors_gets_some_back)
{
	for (int32_t tid = 10; tid <= 24; tid++)
		add_thread(10, tid, 1);
	fake.refuse_group = system_is_full;
	create(TASKS_USER, 0);

	/* of three descriptors each: no births are asked for */
	assert_int_equal(fake_open_count(), (14 - 11) * 3);
	assert_memory_equal(source->session.scope_reason,
			    "12 threads are not watched: the system's table", 46);
}

UNIT_TEST(tasks_tick_system_without_descriptors_leaves_what_is_shown)
{
	watch(TASKS_USER, 1);
	fake.refuse_group = system_is_full;
	add_thread(10, 23, 1);
	add_thread(10, 24, 1);
	ticked();

	assert_non_null(counters(10));
	assert_null(counters(23));
	assert_memory_equal(source->session.scope_reason, "2 threads are not watched", 25);
}

UNIT_TEST(tasks_tick_newborn_has_its_missed_time_added)
{
	watch(TASKS_PIDS, 1);
	fake.now_ns += 5000;
	add_thread(10, 11, 1)->run_ns = 300;
	ticked();

	assert_non_null(strstr(text, "11 reads 0, 10 reads 1000, 11 reads 1300, "));
}

UNIT_TEST(tasks_tick_who_came_into_sight_late_is_no_newborn)
{
	watch(TASKS_USER, 1);
	fake.now_ns += 5000;
	add_thread(20, 20, 1)->run_ns = 6000; /* it has changed its user */
	ticked();

	assert_non_null(strstr(text, "20 reads 0, 10 reads 1000, 20 reads 1000, "));
}

UNIT_TEST(tasks_create_old_threads_have_missed_nothing)
{
	add_thread(10, 10, 1)->run_ns = 300;
	create(TASKS_PIDS, 10);

	assert_string_equal(ticked(), "10 is t10 of 10, 10 reads 0, 10 reads 1000, ");
}

UNIT_TEST(tasks_next_last_counts_come_before_the_exit)
{
	watch(TASKS_PIDS, 2);
	put_exit(10, 11);
	find_thread(11)->is_dead = true;
	counters(11)->reading.enabled_ns = 4000;

	assert_string_equal(drained(), "11 reads 4000, 11 exit, ");
	assert_null(counters(11));
	assert_string_equal(ticked(), "10 reads 1000, ");
}

UNIT_TEST(tasks_next_exit_has_the_time_that_the_kernel_told)
{
	struct record record = {0};

	watch(TASKS_PIDS, 1);
	put_exit(10, 10);
	source_drain(source);
	while (source_next(source, &record) && record.kind != RECORD_EXIT)
		;

	assert_int_equal(record.kind, RECORD_EXIT);
	assert_int_equal(record.time_ns, 77);
	take();
	assert_true(source_is_finished(source));
}

UNIT_TEST(tasks_next_hang_up_is_an_exit_too)
{
	watch(TASKS_PIDS, 1);
	find_thread(10)->is_dead = true;
	proc.hang_up_fd = ring_fd(10, TIMELINE_SWITCHES);

	assert_string_equal(drained(), "10 reads 1000, 10 exit, ");
	assert_true(source_is_finished(source));
}

UNIT_TEST(tasks_tick_without_rings_asks_who_is_dead)
{
	fake.ring_most = 1;
	watch(TASKS_PIDS, 1);
	find_thread(10)->is_dead = true;

	assert_string_equal(ticked(), "10 reads 1000, 10 exit, ");
	assert_true(source_is_finished(source));
}

UNIT_TEST(tasks_next_without_ring_switches_come_from_proc)
{
	struct thread *thread;

	fake.ring_most = 1;
	thread = add_thread(10, 10, 1);
	create(TASKS_PIDS, 10);
	thread->voluntary = 3;
	thread->involuntary = 1;
	assert_string_equal(ticked(),
			    "10 is t10 of 10, 10 reads 0, 10 reads 1000, 10 switched 3+1, ");

	/* nothing happened: nothing is asked */
	assert_string_equal(ticked(), "10 reads 1000, ");
	counters(10)->reading.enabled_ns = 2000;
	thread->voluntary = 4;
	assert_string_equal(ticked(), "10 reads 2000, 10 switched 4+1, ");
}

UNIT_TEST(tasks_next_switches_are_delivered_between_ticks)
{
	watch(TASKS_PIDS, 1);
	put_switch(10, true);
	put_switch(10, false);

	assert_string_equal(drained(), "10 switch out, 10 switch in, ");
}

UNIT_TEST(tasks_next_lost_switches_come_from_proc)
{
	const struct fake_told told = {.time = 6, .tid = 10, .cpu = 2};
	const struct fake_record lost = fake_lost(&told, 9);
	struct thread *thread;

	thread = add_thread(10, 10, 1);
	create(TASKS_PIDS, 10);
	ticked();
	thread->voluntary = 4;
	assert_string_equal(ticked(), "10 reads 1000, ");

	fake_put(ring_fd(10, TIMELINE_SWITCHES), &lost);
	assert_string_equal(ticked(), "10 lost, 10 reads 1000, 10 switched 0+0, 10 switched 4+0, ");
	assert_string_equal(ticked(), "10 reads 1000, ");
}

UNIT_TEST(tasks_next_what_cannot_be_read_is_lost)
{
	const struct fake_told told = {.time = 6, .tid = 10, .cpu = 2};
	struct fake_record cut = fake_switch(&told, true, 0);
	struct fake_event *event;
	struct perf_event_header *header;

	watch(TASKS_PIDS, 1);
	cut.header.size = sizeof(cut.header);
	fake_put(ring_fd(10, TIMELINE_SWITCHES), &cut);
	put_switch(10, false);
	assert_string_equal(drained(), "10 lost, 10 switch in, ");

	event = fake_event(ring_fd(10, TIMELINE_SWITCHES));
	header = (void *)(event->ring + FAKE_PAGE +
			  ((struct perf_event_mmap_page *)event->ring)->data_head);
	put_switch(10, true);
	header->size = 4;
	assert_string_equal(drained(), "10 lost, ");
	assert_string_equal(drained(), "");
}

UNIT_TEST(tasks_next_birth_of_a_thread_is_followed_at_once)
{
	watch(TASKS_PIDS, 1);
	add_thread(10, 11, 1)->run_ns = 40;
	fake.now_ns += 100;
	put_birth(10, 10, 10, 11);

	assert_string_equal(drained(), "11 fork, 11 is t11 of 10, 11 reads 0, ");
	assert_string_equal(ticked(), "10 reads 1000, 11 reads 1040, ");
}

/* Whether the thread's baseline promises switch records. */
static bool promises_switches(void)
{
	struct record record;
	bool promises = false;

	source_tick(source);
	while (source_next(source, &record))
		if (record.kind == RECORD_READING && record.reading.restarts)
			promises = record.reading.has_switch_records;
	return promises;
}

UNIT_TEST(tasks_next_baseline_promises_switches_where_there_is_a_ring)
{
	create_with(TASKS_PIDS, 1);

	assert_true(promises_switches());
}

UNIT_TEST(tasks_next_baseline_without_ring_promises_no_switches)
{
	fake.ring_most = 1;
	create_with(TASKS_PIDS, 1);

	assert_false(promises_switches());
}

/* The first thread has ended for it, and it has taken its id: the process has not ended. */
UNIT_TEST(tasks_next_thread_that_executes_goes_on_under_its_new_id)
{
	const struct fake_told told = {.time = 78, .pid = 10, .tid = 10};
	struct fake_record record = fake_comm(&told, "program", 8);

	watch(TASKS_PIDS, 2);
	put_exit(10, 10);
	record.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	fake_put(ring_fd(11, TIMELINE_TASKS), &record);
	find_thread(11)->is_dead = true;
	proc.last_pid++;

	assert_string_equal(ticked(), "10 comm, 10 reads 1000, 11 reads 1000, 11 exit, "
				      "10 is t10 of 10, 10 reads 0, 10 reads 1000, ");
	assert_null(counters(11));
	assert_string_equal(ticked(), "10 reads 1000, ");
}

/* Without rings for births nothing tells that the first thread has ended. */
UNIT_TEST(tasks_next_thread_that_executes_replaces_one_that_seems_alive)
{
	const struct fake_told told = {.time = 78, .pid = 10, .tid = 10};
	struct fake_record record = fake_comm(&told, "program", 8);

	watch(TASKS_USER, 2);
	record.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	fake_put(ring_fd(11, TIMELINE_SWITCHES), &record);
	find_thread(11)->is_dead = true;

	assert_string_equal(drained(), "10 comm, 10 reads 1000, 11 reads 1000, 11 exit, "
				       "10 is t10 of 10, 10 reads 0, ");
	assert_string_equal(ticked(), "10 reads 1000, ");
}

UNIT_TEST(tasks_next_pids_mode_does_not_follow_child_processes)
{
	watch(TASKS_PIDS, 1);
	add_thread(20, 20, 10);
	put_birth(10, 10, 20, 20);

	assert_string_equal(drained(), "");
	assert_string_equal(ticked(), "10 reads 1000, ");
	assert_null(counters(20));
}

UNIT_TEST(tasks_next_command_mode_follows_births)
{
	watch(TASKS_COMMAND, 1);
	add_thread(20, 20, 10);
	put_birth(10, 10, 20, 20);
	drained();

	assert_string_equal(text, "20 fork, 20 is t20 of 20, 20 reads 0, ");
	assert_non_null(counters(20));
}

UNIT_TEST(tasks_tick_command_mode_finds_children_by_their_parent)
{
	fake.ring_most = 1;
	watch(TASKS_COMMAND, 1);
	add_thread(20, 20, 10);
	add_thread(21, 21, 20);
	add_thread(30, 30, 1);
	ticked();

	assert_non_null(counters(20));
	assert_non_null(counters(21));
	assert_null(counters(30));
}

UNIT_TEST(tasks_create_command_counts_from_exec_on)
{
	create_with(TASKS_COMMAND, 1);

	assert_true(counters(10)->enable_on_exec);
	assert_false(counters(10)->is_enabled);

	ticked();
	add_thread(20, 20, 10);
	put_birth(10, 10, 20, 20);
	drained();
	assert_false(counters(20)->enable_on_exec);
	assert_true(counters(20)->is_enabled);
}

UNIT_TEST(tasks_create_user_mode_watches_that_user)
{
	add_thread(10, 10, 1);
	add_thread(20, 20, 1)->uid = 0;
	add_thread(10, 11, 1);
	create(TASKS_USER, 0);

	assert_non_null(counters(10));
	assert_non_null(counters(11));
	assert_null(counters(20));

	find_thread(10)->is_dead = true;
	find_thread(11)->is_dead = true;
	ticked();
	assert_false(source_is_finished(source)); /* somebody may come */
}

UNIT_TEST(tasks_create_user_mode_asks_for_no_births)
{
	create_with(TASKS_USER, 1);

	assert_int_equal(ring_fd(10, TIMELINE_TASKS), -1);
	assert_int_not_equal(ring_fd(10, TIMELINE_SWITCHES), -1);
}

UNIT_TEST(tasks_tick_pid_that_was_given_out_again_is_not_watched)
{
	watch(TASKS_PIDS, 1);
	put_exit(10, 10);
	find_thread(10)->is_dead = true;
	ticked();
	add_thread(10, 10, 1); /* somebody else */
	proc.last_pid = 99;
	ticked();

	assert_null(counters(10));
	assert_true(source_is_finished(source));
}

UNIT_TEST(tasks_attach_adds_a_process)
{
	add_thread(10, 10, 1);
	add_thread(20, 20, 1);
	create(TASKS_PIDS, 10);
	assert_true(source_attach(source, 20, NULL));
	ticked();
	add_thread(20, 21, 1);
	ticked();

	assert_non_null(counters(20));
	assert_non_null(counters(21));
}

UNIT_TEST(tasks_attach_twice_watches_once)
{
	size_t open;

	create_with(TASKS_PIDS, 1);
	open = fake_open_count();

	assert_true(source_attach(source, 10, NULL));
	assert_int_equal(fake_open_count(), open);
}

static int thread_21_is_refused(const struct group_request *request)
{
	return request->pid == 21 ? EACCES : 0;
}

UNIT_TEST(tasks_attach_missing_threads_are_said_at_the_next_tick)
{
	add_thread(10, 10, 1);
	add_thread(20, 20, 1);
	add_thread(20, 21, 1);
	create(TASKS_PIDS, 10);
	ticked();
	fake.refuse_group = thread_21_is_refused;
	assert_true(source_attach(source, 20, NULL));
	ticked();

	assert_memory_equal(source->session.scope_reason, "1 thread is not watched", 23);
}

UNIT_TEST(tasks_attach_missing_process_changes_nothing)
{
	struct error error = {0};
	size_t open;

	create_with(TASKS_PIDS, 1);
	open = fake_open_count();

	assert_false(source_attach(source, 20, &error));
	assert_string_equal(error.text, "20: no such process");
	assert_int_equal(fake_open_count(), open);
}

/* The thread's open group with this number of members; NULL: none. */
static struct fake_event *group_with(int32_t tid, size_t members)
{
	for (size_t i = 0; i < fake.count; i++)
		if (fake.events[i].is_open && fake.events[i].pid == tid &&
		    fake.events[i].members == members)
			return &fake.events[i];
	return NULL;
}

UNIT_TEST(tasks_change_adds_an_event_to_every_thread)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};

	watch(TASKS_PIDS, 2);
	assert_true(change_to(names, 3, NULL));

	assert_true(group_with(10, 2)->is_enabled);
	assert_true(group_with(11, 2)->is_enabled);
	assert_int_equal(source->layout.event_count, 3);
	assert_string_equal(drained(), "10 reads 0, 11 reads 0, ");
	assert_string_equal(ticked(),
			    "10 reads 1000, 10 reads 1000, 11 reads 1000, 11 reads 1000, ");
}

UNIT_TEST(tasks_change_new_thread_is_opened_by_the_new_plan)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	watch(TASKS_PIDS, 1);
	assert_true(change_to(names, 2, NULL));
	drained();
	add_thread(10, 11, 1);
	ticked();

	assert_non_null(strstr(text, "11 is t11 of 10, 11 reads 0, 11 reads 0, 10 reads"));
}

UNIT_TEST(tasks_change_lost_member_goes_on_from_a_reading)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};
	int fd;

	watch(TASKS_PIDS, 1);
	assert_true(change_to(names, 3, NULL));
	ticked();
	fd = group_with(10, 2)->fd;
	fake_event(fd)->reading.enabled_ns = 1500;
	assert_true(change_to(names, 2, NULL));

	assert_true(fake_event(fd)->is_open);
	assert_int_equal(fake_event(fd)->members, 1);
	assert_string_equal(drained(), "10 reads 1500, ");
}

UNIT_TEST(tasks_change_removed_group_is_closed_and_read_no_more)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};

	watch(TASKS_PIDS, 1);
	assert_true(change_to(names, 3, NULL));
	ticked();
	assert_true(change_to(names, 1, NULL));

	assert_null(group_with(10, 2));
	assert_string_equal(ticked(), "10 reads 1000, ");
}

UNIT_TEST(tasks_change_descriptors_run_out_in_the_middle_changes_nothing)
{
	static const char *const names[] = {"page-faults", "sw-a", "cycles"};
	struct error error = {0};
	size_t open;

	watch(TASKS_PIDS, 2);
	open = fake_open_count();
	fake.most_open = open + 5; /* one thread takes four */

	assert_false(change_to(names, 3, &error));
	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
	assert_int_equal(source->layout.event_count, 1);
	assert_string_equal(ticked(), "10 reads 1000, 11 reads 1000, ");
}

UNIT_TEST(tasks_change_leaves_the_kept_descriptors_alone)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	struct error error = {0};
	size_t open;

	watch(TASKS_PIDS, 1);
	open = fake_open_count();
	host.fd_limit_soft = FAKE_FIRST_FD + fake.count + KEPT;

	assert_false(change_to(names, 2, &error));
	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
}

/* It ends when its new counters are to be opened. */
static int ends_when_changed(const struct group_request *request)
{
	if (request->pid != 11)
		return 0;
	find_thread(11)->is_dead = true;
	return ESRCH;
}

UNIT_TEST(tasks_change_thread_that_ends_meanwhile_keeps_nobody_from_changing)
{
	static const char *const names[] = {"page-faults", "sw-a"};

	watch(TASKS_PIDS, 2);
	put_exit(10, 11);
	fake.refuse_group = ends_when_changed;
	assert_true(change_to(names, 2, NULL));

	assert_string_equal(drained(), "10 reads 0, 11 reads 1000, 11 exit, ");
}

UNIT_TEST(tasks_change_command_that_waits_goes_on_waiting)
{
	static const char *const names[] = {"page-faults", "cycles"};
	struct fake_event *counter;

	create_with(TASKS_COMMAND, 1);
	counter = counters(10);
	counter->reading.enabled_ns = 0;
	assert_true(change_to(names, 2, NULL));

	for (size_t i = 0; i < fake.count; i++) {
		const struct fake_event *event = &fake.events[i];

		if (event->is_open && event->pid == 10 && event->members > 0) {
			assert_false(event->is_enabled);
			assert_true(event->enable_on_exec);
		}
	}
}

UNIT_TEST(tasks_change_command_that_runs_is_counted_at_once)
{
	static const char *const names[] = {"page-faults", "cycles"};

	create_with(TASKS_COMMAND, 1);
	assert_true(change_to(names, 2, NULL)); /* its clock says 1000 */

	assert_int_equal(fake.events[fake.count - 2].members, 1);
	assert_true(fake.events[fake.count - 2].is_enabled);
	assert_false(fake.events[fake.count - 2].enable_on_exec);
}

UNIT_TEST(tasks_next_reading_that_fails_is_left_out)
{
	watch(TASKS_PIDS, 1);
	counters(10)->is_unreadable = true;

	assert_string_equal(ticked(), "");
}

UNIT_TEST(tasks_next_switches_of_all_threads_come_in_order_of_time)
{
	static const struct {
		int32_t tid;
		bool out;
		uint64_t time;
	} switches[] = {
		{11, true, 30}, {10, false, 31}, {10, true, 40}, {12, false, 41},
		{12, true, 50}, {10, false, 51}, {10, true, 60}, {11, false, 61},
	};
	struct record record;
	size_t seen = 0;

	for (int32_t tid = 10; tid <= 12; tid++)
		add_thread(10, tid, 1);
	create(TASKS_PIDS, 10);
	ticked();
	for (size_t i = 0; i < COUNT_OF(switches); i++)
		put_switch_at(switches[i].tid, switches[i].out, switches[i].time);
	source_drain(source);
	while (source_next(source, &record)) {
		assert_int_equal(record.time_ns, switches[seen].time);
		assert_int_equal(record.tid, switches[seen].tid);
		assert_int_equal(record.pid, 10);
		assert_int_equal(record.cpu, 2);
		assert_int_equal(record.kind,
				 switches[seen].out ? RECORD_SWITCH_OUT : RECORD_SWITCH_IN);
		seen++;
	}

	assert_int_equal(seen, COUNT_OF(switches));
}

/* Another thread's ring was looked at before it knew what was earlier. */
UNIT_TEST(tasks_next_what_came_after_the_begin_of_the_round_is_told_in_the_next)
{
	struct record record;

	watch(TASKS_PIDS, 2);
	put_switch_at(11, true, fake.now_ns);
	put_switch_at(11, false, fake.now_ns + 2);
	source_drain(source);
	assert_true(source_next(source, &record));
	assert_int_equal(record.kind, RECORD_SWITCH_OUT);
	assert_false(source_next(source, &record));

	fake.now_ns += 2;
	put_switch_at(10, true, fake.now_ns - 1);
	source_drain(source);
	assert_true(source_next(source, &record));
	assert_int_equal(record.tid, 10);
	assert_true(source_next(source, &record));
	assert_int_equal(record.tid, 11);
	assert_int_equal(record.kind, RECORD_SWITCH_IN);
	assert_false(source_next(source, &record));
}

UNIT_TEST(tasks_next_birth_comes_before_switches_of_the_same_time)
{
	watch(TASKS_PIDS, 1);
	put_switch_at(10, true, 5);
	add_thread(10, 11, 1);
	put_birth(10, 10, 10, 11);

	assert_string_equal(drained(), "11 fork, 11 is t11 of 10, 11 reads 0, 10 switch out, ");
}

UNIT_TEST(tasks_tick_scheduler_wanted_tells_waits_of_who_ran)
{
	wants_scheduler = true;
	add_thread(10, 10, 1)->wait_ns = 70;
	add_thread(10, 11, 1)->wait_ns = 80;
	create(TASKS_PIDS, 10);
	ticked();
	assert_non_null(strstr(text, "10 reads 1000, 10 waited 70, 11 reads 1000, 11 waited 80, "));
	counters(10)->reading.enabled_ns = 2000;
	find_thread(10)->wait_ns = 90;

	assert_string_equal(ticked(), "10 reads 2000, 10 waited 90, 11 reads 1000, ");
	assert_string_equal(drained(), "");
}

UNIT_TEST(tasks_create_scheduler_says_how_waits_are_known)
{
	wants_scheduler = true;
	create_with(TASKS_PIDS, 1);

	assert_int_equal(source->session.queue, QUEUE_RUN_DELAY);
	assert_string_equal(source->session.queue_words,
			    "run-queue waits from /proc/PID/schedstat: sums, not single waits");
	assert_int_equal(source->session.unknown, 1 << QUANTITY_WAKEUP_NS | 1 << QUANTITY_WAKEUPS);
	assert_false(source->session.has_yields);
	assert_false(source->session.is_partial);
}

UNIT_TEST(tasks_create_scheduler_without_schedstat_says_so)
{
	wants_scheduler = true;
	proc.has_no_run_delay = true;
	create_with(TASKS_PIDS, 1);

	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_string_equal(
		source->session.queue_words,
		"run-queue waits are not known: this kernel has no /proc/PID/schedstat");
	assert_int_equal(source->session.unknown,
			 1 << QUANTITY_QUEUED_NS | 1 << QUANTITY_WAKEUP_NS | 1 << QUANTITY_WAKEUPS);
	assert_null(strstr(ticked(), "waited"));
}

UNIT_TEST(tasks_change_scheduler_comes_and_goes)
{
	static const char *const names[] = {"page-faults"};

	create_with(TASKS_PIDS, 1);
	assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
	assert_string_equal(source->session.queue_words, "");
	assert_null(strstr(ticked(), "waited"));
	made_set(names, 1)->scheduler = true;
	assert_true(source_change(source, &made.set, NULL));
	assert_string_equal(ticked(), "10 reads 1000, 10 waited 0, ");
	made.set.scheduler = false;
	assert_true(source_change(source, &made.set, NULL));
	assert_string_equal(source->session.queue_words, "");
	assert_string_equal(ticked(), "10 reads 1000, ");
	made.set.scheduler = true;
	assert_true(source_change(source, &made.set, NULL));

	/* also of who has not run since */
	assert_string_equal(ticked(), "10 reads 1000, 10 waited 0, ");
}

UNIT_TEST(tasks_next_settles_up_to_the_begin_of_the_round)
{
	struct record record;

	create_with(TASKS_PIDS, 1);
	fake.now_ns = 5000;
	source_tick(source);
	fake.now_ns = 6000;
	assert_true(source_next(source, &record));
	assert_true(source->settled_ns < 5000);
	take();
	assert_int_equal(source->settled_ns, 5000);
	drained();
	assert_int_equal(source->settled_ns, 6000);
	fake.now_ns = 4000;
	drained();

	assert_int_equal(source->settled_ns, 6000);
}

UNIT_TEST(tasks_drain_backlog_is_the_fullest_ring)
{
	watch(TASKS_PIDS, 2);
	for (int i = 0; i < 10; i++)
		put_switch(10, true);
	put_switch(11, true);
	drained();
	const double fill =
		10 * 48.0 / (double)fake_event(ring_fd(10, TIMELINE_SWITCHES))->ring_bytes;

	assert_true(source->backlog > fill * 0.99 && source->backlog < fill * 1.01);
	drained();
	assert_true(source->backlog == 0);
}

static size_t ring_of(int32_t tid)
{
	int fd = ring_fd(tid, TIMELINE_SWITCHES);

	return fd < 0 ? 0 : fake_event(fd)->ring_bytes;
}

UNIT_TEST(tasks_create_refused_ring_is_tried_smaller)
{
	host.memlock_limit_bytes = UINT64_MAX;
	fake.ring_most = 8 * FAKE_PAGE;
	create_with(TASKS_PIDS, 1);

	assert_int_equal(ring_of(10), 8 * FAKE_PAGE);
}

UNIT_TEST(tasks_create_rings_leave_memory_to_other_threads)
{
	host.mlock_kb = 512;
	assert_true(number_list_parse(&host.online, "0", 1024));
	create_with(TASKS_PIDS, 1);

	assert_int_equal(ring_of(10), 32 * 1024); /* a sixteenth */
	destroy();
	host.mlock_kb = 32;
	create(TASKS_PIDS, 10);
	assert_int_equal(ring_of(10), 2 * FAKE_PAGE);
	destroy();
	host.memlock_limit_bytes = UINT64_MAX;
	create(TASKS_PIDS, 10);
	assert_int_equal(ring_of(10), 64 * 1024);
	destroy();
	number_list_fini(&host.online);
}

UNIT_TEST(tasks_destroy_leaves_no_descriptor)
{
	uint64_t before;

	add_thread(10, 10, 1);
	before = proc_own_descriptors();
	create(TASKS_PIDS, 10);
	destroy();

	assert_int_equal(proc_own_descriptors(), before);
}

int main(void)
{
	return unit_run(set_up, tear_down);
}
