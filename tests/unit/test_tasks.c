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
	EACH = 4   /* descriptors of a thread: a leader, a counter, two rings */
};

/* A thread of our /proc. */
struct thread {
	int32_t pid, tid, parent;
	int64_t uid;
	uint64_t run_ns, wait_ns, voluntary, involuntary;
	uint64_t start_ticks;
	bool is_dead, is_guarded, is_survived, is_zombie;
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
	size_t level_watched; /* that are announced as long as they are ready */
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

bool __wrap_proc_read_task(int32_t tid, struct proc_task *task)
{
	const struct thread *thread = find_thread(tid);

	if (thread == NULL)
		return false;
	*task = (struct proc_task){
		.pid = thread->pid,
		.tid = tid,
		.parent_pid = thread->parent,
		.uid = thread->uid,
		.has_exited = thread->is_survived || thread->is_zombie,
		.is_survived = thread->is_survived,
		.start_ticks = thread->start_ticks,
	};
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
		proc.level_watched += !(event->events & EPOLLET);
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

static struct refusal {
	int32_t first, last; /* threads */
	int error;
	bool dies; /* the thread, then */
} refusals[4];

/* Requests ask for the scheduler, too. */
static bool wants_scheduler;

static int set_up(void **state)
{
	memset(&proc, 0, sizeof(proc));
	memset(refusals, 0, sizeof(refusals));
	wants_scheduler = false;
	host = (struct host){
		.page_bytes = FAKE_PAGE, .paranoid = 2, .mlock_kb = 516, .fd_limit_soft = 8192};
	kit_set_up(state, 1000000);
	fake.says_cpu = true;
	return 0;
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

/* The counters of a thread that are open; NULL: it is not watched. */
static struct fake_event *counters(int32_t tid)
{
	for (size_t i = 0; i < fake.count; i++)
		if (fake.events[i].is_open && fake.events[i].pid == tid &&
		    fake.events[i].members > 0)
			return &fake.events[i];
	return NULL;
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

static int ring_fd(int32_t tid, unsigned int content)
{
	for (size_t i = 0; i < fake.count; i++) {
		const struct fake_event *event = &fake.events[i];

		if (event->is_open && event->is_timeline && event->pid == tid &&
		    (event->content & content) == content)
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
	struct fake_record record = fake_switch(&told, out, -1);

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
	case RECORD_SWITCH:
		return record->ctx_switch.knows_how
			       ? (size_t)snprintf(words, size, "%d leaves, ", record->tid)
			       : (size_t)snprintf(words, size, "%d comes, ",
						  record->ctx_switch.next_tid);
	default:
		return (size_t)snprintf(words, size, "%d %s, ", record->tid,
					record_kind_name(record->kind));
	}
}

/*
 * Stories: what happens to the machine and the source, step by step, and what is seen then. A step
 * is a word, up to three numbers and a text. An expectation is "= all of it", "^ its beginning" or
 * "~ a part of it"; words of records lack the last comma.
 */
struct step {
	char name[16];
	int32_t n[3];
	const char *words;
};

static int refuse_listed(const struct group_request *request)
{
	struct thread *thread = find_thread(request->target.pid);

	for (const struct refusal *refusal = refusals; refusal->error != 0; refusal++) {
		if (request->target.pid < refusal->first || request->target.pid > refusal->last)
			continue;
		if (thread != NULL && refusal->dies)
			thread->is_dead = true;
		return refusal->error;
	}
	return 0;
}

static void refuse(const struct step *step)
{
	struct refusal *refusal = refusals;

	while (refusal->error != 0)
		refusal++;
	*refusal = (struct refusal){step->n[0], step->n[1], step->n[2],
				    .dies = strcmp(step->words, "dies") == 0};
	fake.refuse_group = refuse_listed;
}

/* From now on there are descriptors for so many more. */
static void limit_descriptors(int32_t more)
{
	fake.most_open = fake_open_count() + (size_t)more;
}

/* A thread executes a program, and has the id of its process then. */
static void put_exec(int32_t tid)
{
	const struct fake_told told = {.time = 78, .pid = 10, .tid = 10};
	struct fake_record record = fake_comm(&told, "program", 8);
	const int births = ring_fd(tid, TIMELINE_TASKS);

	record.header.misc = PERF_RECORD_MISC_COMM_EXEC;
	fake_put(births >= 0 ? births : ring_fd(tid, TIMELINE_SWITCHES), &record);
	find_thread(tid)->is_dead = true;
}

static void put_lost(int32_t tid)
{
	const struct fake_told told = {.time = 6, .tid = tid, .cpu = 2};
	const struct fake_record lost = fake_lost(&told, 9);

	fake_put(ring_fd(tid, TIMELINE_SWITCHES), &lost);
}

static void expect(const char *got, const char *words)
{
	const char *wanted = words + strlen("= ");

	if (words[0] == '=')
		assert_string_equal(got, wanted);
	else if (words[0] == '^')
		assert_memory_equal(got, wanted, strlen(wanted));
	else if (words[0] == '~' && strstr(got, wanted) == NULL)
		fail_msg("\"%s\" is not in \"%s\"", wanted, got);
}

static void expect_records(const char *records, const char *words)
{
	char got[sizeof(text)];

	snprintf(got, sizeof(got), "%s", records);
	if (got[0] != '\0')
		got[strlen(got) - strlen(", ")] = '\0';
	expect(got, words);
}

static void expect_queue(const char *words)
{
	expect(source->session.queue_words, words);
	if (source->session.queue_words[0] == '\0')
		assert_int_equal(source->session.queue, QUEUE_UNKNOWN);
}

static bool is(const struct step *step, const char *name)
{
	return strcmp(step->name, name) == 0;
}

/* What /proc says. */
static bool step_of_proc(const struct step *step)
{
	const int32_t *n = step->n;

	if (is(step, "add"))
		add_thread(n[0], n[1], n[2])->is_guarded = strcmp(step->words, "guarded") == 0;
	else if (is(step, "threads"))
		for (int32_t tid = n[0]; tid <= n[1]; tid++)
			add_thread(n[0], tid, 1);
	else if (is(step, "dead"))
		find_thread(n[0])->is_dead = true;
	else if (is(step, "alive"))
		find_thread(n[0])->is_survived = false;
	else if (is(step, "survived"))
		find_thread(n[0])->is_survived = true;
	else if (is(step, "zombie"))
		*find_thread(n[0]) = (struct thread){.pid = n[0], .tid = n[0], .is_zombie = true};
	else if (is(step, "aged"))
		find_thread(n[0])->start_ticks = (uint64_t)n[1];
	else if (is(step, "uid"))
		find_thread(n[0])->uid = n[1];
	else if (is(step, "ran"))
		find_thread(n[0])->run_ns = (uint64_t)n[1];
	else if (is(step, "waited"))
		find_thread(n[0])->wait_ns = (uint64_t)n[1];
	else if (is(step, "switched")) {
		find_thread(n[0])->voluntary = (uint64_t)n[1];
		find_thread(n[0])->involuntary = (uint64_t)n[2];
	} else if (is(step, "last-pid"))
		proc.last_pid = n[0];
	else
		return false;
	return true;
}

/* What the kernel does. */
static bool step_of_kernel(const struct step *step)
{
	const int32_t *n = step->n;

	if (is(step, "refuse"))
		refuse(step);
	else if (is(step, "allow"))
		fake.refuse_group = NULL;
	else if (is(step, "no-rings"))
		fake.ring_most = 1;
	else if (is(step, "no-timelines"))
		fake.refuse_timeline = n[0];
	else if (is(step, "room"))
		limit_descriptors(n[0]);
	else if (is(step, "pass"))
		fake.now_ns += (uint64_t)n[0];
	else if (is(step, "counts"))
		counters(n[0])->reading.enabled_ns = (uint64_t)n[1];
	else if (is(step, "unreadable"))
		counters(n[0])->is_unreadable = true;
	else if (is(step, "hang-up"))
		proc.hang_up_fd = ring_fd(n[0], TIMELINE_SWITCHES);
	else if (is(step, "exit"))
		put_exit(n[0], n[1]);
	else if (is(step, "birth"))
		put_birth(10, 10, n[0], n[1]);
	else if (is(step, "out"))
		put_switch_at(n[0], true, 5);
	else if (is(step, "in"))
		put_switch_at(n[0], false, 6);
	else if (is(step, "lost"))
		put_lost(n[0]);
	else if (is(step, "exec"))
		put_exec(n[0]);
	else
		return false;
	return true;
}

/* What is asked of the source, and what it is then. */
static bool step_of_source(const struct step *step)
{
	static const char *const names[] = {"page-faults", "sw-a", "sw-b"};
	const int32_t *n = step->n;

	if (is(step, "pids"))
		create(TASKS_PIDS, n[0]);
	else if (is(step, "command"))
		create(TASKS_COMMAND, n[0]);
	else if (is(step, "user"))
		create(TASKS_USER, 0);
	else if (is(step, "scheduler"))
		wants_scheduler = true;
	else if (is(step, "attach"))
		assert_true(source_attach(source, n[0], NULL));
	else if (is(step, "change"))
		assert_true(change_to(names, n[0] > 0 ? (size_t)n[0] : 2, NULL));
	else if (is(step, "prepare"))
		assert_true(source_prepare(source, made_set(names, (size_t)n[0]), NULL));
	else if (is(step, "ask")) {
		made_set(names, 1)->scheduler = n[0];
		assert_true(source_change(source, &made.set, NULL));
	} else if (is(step, "queue"))
		expect_queue(step->words);
	else if (is(step, "group"))
		assert_true(group_with(n[0], (size_t)n[1])->is_enabled);
	else if (is(step, "off"))
		assert_false(group_with(n[0], (size_t)n[1])->is_enabled);
	else if (is(step, "no-group"))
		assert_null(group_with(n[0], (size_t)n[1]));
	else if (is(step, "events"))
		assert_int_equal(source->layout.event_count, n[0]);
	else if (is(step, "tick"))
		expect_records(ticked(), step->words);
	else if (is(step, "drain"))
		expect_records(drained(), step->words);
	else if (is(step, "reason"))
		expect(source->session.scope_reason, step->words);
	else if (is(step, "remedy"))
		expect(source->session.scope_remedy, step->words);
	else if (is(step, "watched"))
		assert_non_null(counters(n[0]));
	else if (is(step, "unwatched"))
		assert_null(counters(n[0]));
	else if (is(step, "open"))
		assert_int_equal(fake_open_count(), n[0]);
	else if (is(step, "finished"))
		assert_int_equal(source_is_finished(source), n[0]);
	else
		return false;
	return true;
}

/* Plays steps that are separated by "; ". */
static void play(const char *steps)
{
	char all[1024], *rest = all;

	assert_true(strlen(steps) < sizeof(all));
	strcpy(all, steps);
	for (char *next; *rest != '\0'; rest = next) {
		struct step step = {0};
		int used = 0;

		next = strstr(rest, "; ");
		next = next != NULL ? (*next = '\0', next + 2) : rest + strlen(rest);
		print_message("  %s\n", rest);
		assert_int_equal(sscanf(rest, "%15s %n", step.name, &used), 1);
		step.words = rest + used;
		for (size_t i = 0; i < 3 && strchr("0123456789", *step.words) && *step.words; i++) {
			step.n[i] = (int32_t)strtol(step.words, (char **)&step.words, 10);
			step.words += strspn(step.words, " ");
		}
		assert_true(step_of_proc(&step) || step_of_kernel(&step) || step_of_source(&step));
	}
}

static const struct {
	const char *name, *steps;
} STORIES[] = {
	{"each thread is introduced, then read",
	 "threads 10 11; pids 10; tick = 10 is t10 of 10, 10 reads 0, 11 is t11 of 10, 11 reads 0, "
	 "10 reads 1000, 11 reads 1000; tick = 10 reads 1000, 11 reads 1000"},
	{"a thread's id means its process",
	 "threads 10 11; pids 11; tick; add 10 12 1; "
	 "tick = 12 is t12 of 10, 12 reads 0, 10 reads 1000, 11 reads 1000, 12 reads 1000"},
	{"the first thread is a zombie, the others go on",
	 "threads 10 11; refuse 10 10 3; pids 10; unwatched 10; watched 11"},
	{"a new pid was assigned: new threads are found",
	 "threads 10 10; pids 10; tick; add 10 11 1; tick; watched 11"},
	{"a thread that vanishes is no refusal",
	 "threads 10 10; pids 10; refuse 11 11 3; add 10 11 1; add 10 12 1; tick; reason = ; "
	 "watched 12"},
	{"any failure of a dead thread is a miss",
	 "threads 10 10; user; tick; refuse 11 99 6 dies; add 10 11 1; tick; "
	 "reason = 1 task ended before its counters were open and is not in the rows; "
	 "add 20 20 1; add 20 21 1; tick; reason ^ 3 tasks ended before their"},
	{"a thread that ends before its rings are open is missed",
	 "threads 10 10; pids 10; tick; no-timelines 3; add 10 11 1; birth 10 11; drain; "
	 "unwatched 11; reason ^ 1 task ended before its"},
	{"refused rings are done without", "no-timelines 22; threads 10 10; pids 10; watched 10"},
	{"a zombie is not missed",
	 "threads 10 10; user; refuse 11 11 3; add 11 11 1; tick; reason = "},
	{"a birth that is over is missed once, though the walk finds it too",
	 "threads 10 10; pids 10; tick; refuse 11 99 6 dies; add 10 11 1; birth 10 11; tick; "
	 "reason ^ 1 task ended before its"},
	{"the failure of a living thread is reported",
	 "threads 10 10; pids 10; refuse 11 99 19; add 10 11 1; tick; "
	 "reason ^ 1 thread is not watched: "},
	{"the first of several reasons is reported",
	 "add 20 20 1 guarded; add 20 21 1; refuse 20 20 13; refuse 21 21 19; user; "
	 "reason ^ 2 threads are not watched: protected"},
	{"a refused thread executes something harmless",
	 "threads 10 10; add 20 20 1 guarded; refuse 20 20 13; user; "
	 "reason = 1 thread is not watched: protected even from the owner (more rights than "
	 "perftop, or memory hidden); remedy ~ CAP_PERFMON; "
	 "allow; last-pid 21; tick; reason = ; remedy = "},
	{"the end of a thread makes room for those that wait; they are no newborns",
	 "threads 10 11; pids 10; room 0; add 10 12 1; ran 12 5; tick; unwatched 12; exit 10 11; "
	 "dead 11; tick; room 4; pass 100; tick ~ 12 reads 0, 10 reads 1000, 12 reads 1000; "
	 "watched 12; reason = "},
	{"a thread without room for its rings is not watched",
	 "threads 10 10; pids 10; room 3; add 10 11 1; tick; unwatched 11; open 4"},
	{"a system without descriptors gets some back (three each: no births are asked for)",
	 "threads 10 24; refuse 24 24 23; user; open 9; "
	 "reason ^ 12 threads are not watched: the system's table"},
	{"a system without descriptors leaves what is shown",
	 "threads 10 10; user; tick; refuse 24 24 23; add 10 23 1; add 10 24 1; tick; watched 10; "
	 "unwatched 23; reason ^ 2 threads are not watched"},
	{"a newborn has its missed time added",
	 "threads 10 10; pids 10; tick; pass 5000; add 10 11 1; ran 11 300; "
	 "tick ~ 11 reads 0, 10 reads 1000, 11 reads 1300"},
	{"a task that has changed its user is no newborn",
	 "threads 10 10; user; tick; pass 5000; add 20 20 1; ran 20 6000; "
	 "tick ~ 20 reads 0, 10 reads 1000, 20 reads 1000"},
	{"old threads have missed nothing",
	 "threads 10 10; ran 10 300; pids 10; tick = 10 is t10 of 10, 10 reads 0, 10 reads 1000"},
	{"the last counts come before the exit",
	 "threads 10 11; pids 10; tick; exit 10 11; dead 11; counts 11 4000; "
	 "drain = 11 reads 4000, 11 exit; unwatched 11; tick = 10 reads 1000"},
	{"a hang-up is an exit too",
	 "threads 10 10; pids 10; tick; dead 10; hang-up 10; drain = 10 reads 1000, 10 exit; "
	 "finished 1"},
	{"without rings the dead are looked for",
	 "no-rings; threads 10 10; pids 10; tick; dead 10; tick = 10 reads 1000, 10 exit; "
	 "finished 1"},
	{"without a ring switches come from /proc, where something happened",
	 "no-rings; threads 10 10; pids 10; switched 10 3 1; "
	 "tick = 10 is t10 of 10, 10 reads 0, 10 reads 1000, 10 switched 3+1; "
	 "tick = 10 reads 1000; counts 10 2000; switched 10 4 1; "
	 "tick = 10 reads 2000, 10 switched 4+1"},
	{"switches are delivered between ticks",
	 "threads 10 10; pids 10; tick; out 10; in 10; drain = 10 leaves, 10 comes"},
	{"lost switches come from /proc",
	 "threads 10 10; pids 10; tick; switched 10 4 0; tick = 10 reads 1000; lost 10; "
	 "tick = 10 lost, 10 reads 1000, 10 switched 0+0, 10 switched 4+0; tick = 10 reads 1000"},
	{"the birth of a thread is followed at once",
	 "threads 10 10; pids 10; tick; add 10 11 1; ran 11 40; pass 100; birth 10 11; "
	 "drain = 11 fork, 11 is t11 of 10, 11 reads 0; tick = 10 reads 1000, 11 reads 1040"},
	{"a thread that executes goes on under its new id: the process has not ended",
	 "threads 10 11; pids 10; tick; exit 10 10; exec 11; last-pid 12; "
	 "tick = 10 comm, 10 reads 1000, 11 reads 1000, 11 exit, 10 is t10 of 10, 10 reads 1000, "
	 "10 reads 1000; counts 11 1700; tick = 10 reads 1700"},
	{"without rings for births nothing says that the first thread has ended",
	 "threads 10 11; user; tick; exec 11; drain = 10 comm, 10 reads 1000, 11 reads 1000, "
	 "11 exit, 10 is t10 of 10, 10 reads 1000; counts 11 1700; tick = 10 reads 1700"},
	{"the end of its first thread is none of the process before that",
	 "threads 10 11; aged 10 5; user; tick; survived 10; hang-up 10; drain = 10 reads 1000; "
	 "alive 10; exec 11; last-pid 12; "
	 "tick = 10 comm, 10 reads 1000, 11 reads 1000, 11 exit, 10 is t10 of 10, 10 reads 1000, "
	 "10 reads 1000"},
	{"nor where the program is seen before its name",
	 "threads 10 11; aged 10 5; user; tick; hang-up 10; last-pid 12; "
	 "drain = 10 reads 1000; dead 11; tick = 11 reads 1000, 11 exit"},
	{"it is that of the process when the others have ended",
	 "threads 10 11; user; tick; survived 10; hang-up 10; drain = 10 reads 1000; tick; "
	 "dead 11; alive 10; dead 10; tick = 10 reads 1000, 10 exit, 11 reads 1000, 11 exit"},
	{"also of one that is not collected",
	 "threads 10 11; pids 10; tick; survived 10; exit 10 10; drain = 10 reads 1000; "
	 "zombie 10; exit 10 11; dead 11; "
	 "tick = 10 reads 1000, 10 exit, 11 reads 1000, 11 exit; finished 1"},
	{"child processes of named processes are not followed",
	 "threads 10 10; pids 10; tick; add 20 20 10; birth 20 20; drain = ; tick = 10 reads 1000; "
	 "unwatched 20"},
	{"child processes of a command are followed",
	 "threads 10 10; command 10; tick; add 20 20 10; birth 20 20; "
	 "drain = 20 fork, 20 is t20 of 20, 20 reads 0; watched 20"},
	{"children of a command are found by their parent",
	 "no-rings; threads 10 10; command 10; tick; add 20 20 10; add 21 21 20; add 30 30 1; "
	 "tick; watched 20; watched 21; unwatched 30"},
	{"a user's tasks are watched, and later ones are waited for",
	 "add 10 10 1; add 20 20 1; uid 20 0; add 10 11 1; user; watched 10; watched 11; "
	 "unwatched 20; dead 10; dead 11; tick; finished 0"},
	{"a pid that is assigned to another process is not watched",
	 "threads 10 10; pids 10; tick; exit 10 10; dead 10; tick; add 10 10 1; last-pid 99; tick; "
	 "unwatched 10; finished 1"},
	{"another process is added",
	 "threads 10 10; threads 20 20; pids 10; attach 20; tick; add 20 21 1; tick; watched 20; "
	 "watched 21"},
	{"a process that is added twice is watched once",
	 "threads 10 10; pids 10; open 4; attach 10; open 4"},
	{"missing threads of an added process are reported at the next tick",
	 "threads 10 10; threads 20 21; pids 10; tick; refuse 21 21 13; attach 20; tick; "
	 "reason ^ 1 thread is not watched"},
	{"a new thread is opened by the new plan",
	 "threads 10 10; pids 10; tick; change; drain; add 10 11 1; "
	 "tick ~ 11 is t11 of 10, 11 reads 0, 10 reads; group 11 2"},
	{"a thread that ends when its new counters are opened does not hinder the change",
	 "threads 10 11; pids 10; tick; exit 10 11; refuse 11 11 3 dies; change; "
	 "drain = 10 reads 0, 11 exit"},
	{"a reading that fails is left out",
	 "threads 10 10; pids 10; tick; unreadable 10; tick = "},
	{"a birth comes before switches of the same time",
	 "threads 10 10; pids 10; tick; out 10; add 10 11 1; birth 10 11; "
	 "drain = 11 fork, 11 is t11 of 10, 11 reads 0, 10 leaves"},
	{"waits of tasks that ran are read",
	 "scheduler; threads 10 11; waited 10 70; waited 11 80; pids 10; "
	 "tick ~ 10 reads 1000, 10 waited 70, 11 reads 1000, 11 waited 80; counts 10 2000; "
	 "waited 10 90; tick = 10 reads 2000, 10 waited 90, 11 reads 1000; drain = "},
	{"a change adds an event to every thread",
	 "threads 10 11; pids 10; tick; change 3; group 10 3; group 11 3; events 3; "
	 "no-group 10 1; drain = 10 reads 0, 11 reads 0; tick = 10 reads 1000, 11 reads 1000"},
	{"what is prepared counts from the reading of the tick on",
	 "threads 10 10; pids 10; tick; prepare 3; off 10 3; tick = 10 reads 1000; "
	 "group 10 3; off 10 1; change 3; no-group 10 1; drain = 10 reads 0"},
	{"a thread that is born meanwhile is prepared too",
	 "threads 10 10; pids 10; tick; prepare 3; add 10 11 1; birth 10 11; "
	 "tick ~ 11 reads 1000; group 11 3; change 3; no-group 11 1; "
	 "drain = 10 reads 0, 11 reads 0"},
	{"a thread that ends meanwhile is read to its end",
	 "threads 10 11; pids 10; tick; exit 10 11; refuse 11 11 3 dies; prepare 3; "
	 "tick = 10 reads 1000, 11 reads 1000, 11 exit; change 3; drain = 10 reads 0"},
	{"waits come and go, also of tasks that have not run since",
	 "threads 10 10; pids 10; queue = ; tick = 10 is t10 of 10, 10 reads 0, 10 reads 1000; "
	 "ask 1; tick = 10 reads 1000, 10 waited 0; ask 0; queue = ; tick = 10 reads 1000; ask 1; "
	 "tick = 10 reads 1000, 10 waited 0"},
};

UNIT_TEST(tasks_stories)
{
	for (size_t i = 0; i < COUNT_OF(STORIES); i++) {
		begin_case(STORIES[i].name);
		play(STORIES[i].steps);
		tear_down(state);
		set_up(state);
	}
}

UNIT_TEST(tasks_create_refused_names_the_process)
{
	static const struct {
		const char *steps;
		int32_t pids[3];
		size_t count;
		enum error_code code;
		const char *text;
	} cases[] = {
		{"pass 1", {10}, 1, ERROR_PROCESS_GONE, "10: no such process"},
		{"threads 10 10; threads 30 30",
		 {10, 20, 30},
		 3,
		 ERROR_PROCESS_GONE,
		 "20: no such process"},
		{"threads 10 10; refuse 10 10 3", {10}, 1, ERROR_PROCESS_GONE, "10: "},
		{"threads 10 10; threads 20 20; uid 20 33; refuse 20 20 13",
		 {10, 20},
		 2,
		 ERROR_PROCESS_FOREIGN,
		 "20: not your process (it belongs to user id 33)"},
		{"add 20 20 1 guarded; refuse 20 20 13",
		 {20},
		 1,
		 ERROR_PROCESS_GUARDED,
		 "20: protected even from the owner"},
		{"threads 10 10; room 3",
		 {10},
		 1,
		 ERROR_PERF_FD_LIMIT,
		 "10: 8192 file descriptors are too few"},
	};

	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		struct error error = {0};

		begin_case(cases[i].steps);
		play(cases[i].steps);
		assert_null(create_of(TASKS_PIDS, cases[i].pids, cases[i].count, &error));
		assert_int_equal(fake_open_count(), 0);
		assert_int_equal(error.code, cases[i].code);
		assert_memory_equal(error.text, cases[i].text, strlen(cases[i].text));
		if (error.code == ERROR_PROCESS_GUARDED)
			assert_null(strstr(error.remedy, "as its owner"));
		tear_down(state);
		set_up(state);
	}
}

UNIT_TEST(tasks_create_describes_itself)
{
	create_with(TASKS_PIDS, 1);

	assert_int_equal(source->session.scope, SCOPE_TASKS);
	assert_string_equal(source->session.scope_words, "what was asked for");
	assert_true(source->session.is_live);
	assert_false(source->session.has_pmu);
	assert_true(source->counting_share == 1);
	assert_true(counters(10)->exclude_kernel);
	assert_true(counters(10)->is_enabled);

	destroy();
	host.has_cap_perfmon = true;
	create(TASKS_PIDS, 10);
	assert_false(counters(10)->exclude_kernel);
}

/* A thread is known to have gone at the end of an interval only: until then its ring hangs up. */
UNIT_TEST(tasks_drain_ring_that_hangs_up_is_announced_once)
{
	watch(TASKS_PIDS, 2);

	assert_true(proc.polled_count > 0);
	assert_int_equal(proc.level_watched, 0);
}

UNIT_TEST(tasks_tick_same_last_pid_walks_nothing)
{
	size_t walks;

	watch(TASKS_PIDS, 1);
	walks = proc.walks;
	ticked();

	assert_int_equal(proc.walks, walks);
}

/* What Linux 6.18 says of a thread that exits between the opening of a leader and of a member. */
static int leader_exits(const struct group_request *request)
{
	struct thread *thread = find_thread(request->target.pid);

	if (request->target.pid != 11)
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
	assert_false(source->session.lacks_tasks);
}

/* Who opened the source says first why it watches single tasks. */
UNIT_TEST(tasks_tick_keeps_the_reason_that_others_have_put_there)
{
	struct session *session;

	add_thread(20, 20, 1)->is_guarded = true;
	play("refuse 20 20 13");
	create(TASKS_USER, 0);
	session = &source->session;
	snprintf(text, sizeof(text), "%s", session->scope_reason);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "why; %.200s", text);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "do this");
	add_thread(20, 21, 1);
	memset(refusals, 0, sizeof(refusals));
	play("refuse 11 99 19");
	ticked();
	assert_memory_equal(session->scope_reason, "why; 2 threads are not watched: ", 32);
	assert_true(session->lacks_tasks);
	assert_null(strstr(session->scope_reason, "1 thread"));
	assert_string_equal(session->scope_remedy, "do this");

	fake.refuse_group = NULL;
	proc.last_pid++;
	ticked();
	assert_string_equal(session->scope_reason, "why");
}

UNIT_TEST(tasks_tick_some_descriptors_are_kept_free)
{
	char expected[128];

	watch(TASKS_PIDS, 1);
	limit_descriptors(EACH);
	add_thread(10, 11, 1);
	add_thread(10, 12, 1);
	add_thread(10, 13, 1);
	ticked();

	assert_non_null(counters(11));
	assert_null(counters(12));
	assert_int_equal(fake_open_count(), 2 * EACH);
	snprintf(expected, sizeof(expected),
		 "2 threads are not watched: %d file descriptors are too few",
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

UNIT_TEST(tasks_next_what_cannot_be_read_is_lost)
{
	const struct fake_told told = {.time = 6, .tid = 10, .cpu = 2};
	struct fake_record cut = fake_switch(&told, true, -1);
	struct fake_event *event;
	struct perf_event_header *header;

	watch(TASKS_PIDS, 1);
	cut.header.size = sizeof(cut.header);
	fake_put(ring_fd(10, TIMELINE_SWITCHES), &cut);
	put_switch(10, false);
	assert_string_equal(drained(), "10 lost, 10 comes, ");

	event = fake_event(ring_fd(10, TIMELINE_SWITCHES));
	header = (void *)(event->ring + FAKE_PAGE +
			  ((struct perf_event_mmap_page *)event->ring)->data_head);
	put_switch(10, true);
	header->size = 4;
	assert_string_equal(drained(), "10 lost, ");
	assert_string_equal(drained(), "");
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

	destroy();
	fake.ring_most = 1;
	create(TASKS_PIDS, 10);
	assert_false(promises_switches());
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

UNIT_TEST(tasks_create_user_mode_asks_for_no_births)
{
	create_with(TASKS_USER, 1);

	assert_int_equal(ring_fd(10, TIMELINE_TASKS), -1);
	assert_int_not_equal(ring_fd(10, TIMELINE_SWITCHES), -1);
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

UNIT_TEST(tasks_change_without_descriptors_changes_nothing)
{
	static const char *const names[] = {"page-faults", "sw-a"};
	struct error error = {0};
	size_t open;

	watch(TASKS_PIDS, 1);
	open = fake_open_count();
	fake.most_open = open;

	assert_false(change_to(names, 2, &error));
	assert_int_equal(error.code, ERROR_PERF_FD_LIMIT);
	assert_int_equal(fake_open_count(), open);
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
		const bool is_out = switches[seen].out;

		assert_int_equal(record.kind, RECORD_SWITCH);
		assert_int_equal(record.time_ns, switches[seen].time);
		assert_int_equal(record.ctx_switch.knows_how, is_out);
		assert_int_equal(record.tid, is_out ? switches[seen].tid : RECORD_TASK_UNKNOWN);
		assert_int_equal(record.pid, is_out ? 10 : RECORD_TASK_UNKNOWN);
		assert_int_equal(record.ctx_switch.next_tid,
				 is_out ? RECORD_TASK_UNKNOWN : switches[seen].tid);
		assert_int_equal(record.ctx_switch.next_pid, is_out ? RECORD_TASK_UNKNOWN : 10);
		assert_int_equal(record.cpu, 2);
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
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_true(record.ctx_switch.knows_how);
	assert_false(source_next(source, &record));

	fake.now_ns += 2;
	put_switch_at(10, true, fake.now_ns - 1);
	source_drain(source);
	assert_true(source_next(source, &record));
	assert_int_equal(record.tid, 10);
	assert_true(source_next(source, &record));
	assert_int_equal(record.kind, RECORD_SWITCH);
	assert_int_equal(record.ctx_switch.next_tid, 11);
	assert_false(source_next(source, &record));
}

UNIT_TEST(tasks_create_scheduler_says_how_waits_are_known)
{
	wants_scheduler = true;
	for (int is_known = 1; is_known >= 0; is_known--) {
		proc.has_no_run_delay = !is_known;
		create_with(TASKS_PIDS, 1);
		assert_int_equal(source->session.queue, is_known ? QUEUE_RUN_DELAY : QUEUE_UNKNOWN);
		assert_string_equal(
			source->session.queue_words,
			is_known
				? "run-queue waits from /proc/PID/schedstat: sums, not single waits"
				: "run-queue waits are not known: this kernel has no "
				  "/proc/PID/schedstat");
		assert_int_equal(source->session.unknown, (is_known ? 0 : 1 << QUANTITY_QUEUED_NS) |
								  1 << QUANTITY_WAKEUP_NS |
								  1 << QUANTITY_WAKEUPS);
		assert_false(source->session.has_yields);
		assert_false(source->session.is_partial);
		assert_int_equal(strstr(ticked(), "waited") != NULL, is_known);
		tear_down(state);
		set_up(state);
		wants_scheduler = true;
	}
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
		10 * 40.0 / (double)fake_event(ring_fd(10, TIMELINE_SWITCHES))->ring_bytes;

	assert_true(source->backlog > fill * 0.99 && source->backlog < fill * 1.01);
	drained();
	assert_true(source->backlog == 0);
}

static size_t ring_of(int32_t tid)
{
	int fd = ring_fd(tid, TIMELINE_SWITCHES);

	return fd < 0 ? 0 : fake_event(fd)->ring_bytes;
}

UNIT_TEST(tasks_create_rings_are_what_memory_allows)
{
	static const struct {
		const char *name;
		int mlock_kb;
		uint64_t limit_bytes;
		size_t ring_most, expected;
	} cases[] = {
		{"a refused one is tried smaller", 516, UINT64_MAX, 8 * FAKE_PAGE, 8 * FAKE_PAGE},
		{"a sixteenth: there may be other threads", 512, 0, SIZE_MAX, 32 * 1024},
		{"two pages at least", 32, 0, SIZE_MAX, 2 * FAKE_PAGE},
		{"without a limit", 32, UINT64_MAX, SIZE_MAX, 64 * 1024},
	};

	assert_true(number_list_parse(&host.online, "0", 1024));
	add_thread(10, 10, 1);
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		begin_case(cases[i].name);
		host.mlock_kb = cases[i].mlock_kb;
		host.memlock_limit_bytes = cases[i].limit_bytes;
		fake.ring_most = cases[i].ring_most;
		create(TASKS_PIDS, 10);
		assert_int_equal(ring_of(10), cases[i].expected);
		destroy();
	}
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

UNIT_MAIN(set_up, tear_down)
