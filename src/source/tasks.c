/*
 * A thread is found by walking /proc when the last pid given out has changed, and at once
 * by the birth record of a watched parent. A newborn has run a little before its counters
 * are open; that time is added to its run time from /proc, so that its coverage tells how much
 * of it was counted.
 *
 * A dying thread's counters stay readable as long as their descriptors are open: they are
 * read once more after its exit and let go then.
 *
 * Each thread takes several descriptors. Some are kept free for everything else; when no more
 * are left, no thread is opened before one has ended.
 *
 * In a round the threads are delivered one after another; each thread's records are in order.
 */
#include "source/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/attr.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/convert.h"
#include "source/shortfall.h"
#include "source/watched.h"

enum {
	COMMAND_LINE_MAX = 4096,
	RINGS_MAX = 1024, /* threads beyond have their switches counted from /proc */
	RING_BYTES_MAX = 256 * 1024,
	RESERVE = 32, /* descriptors kept free for the loop, the terminal, /proc, output */
	EPOLL_BATCH = 64
};

struct tasks {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	enum tasks_mode mode;
	int64_t uid;
	int32_t *pids; /* owned; processes asked for */
	size_t pid_count, pid_capacity;
	struct plan plan;
	struct plan_target target;
	struct decode_format format;
	struct watched **watched; /* owned */
	size_t watched_count, watched_capacity;
	struct map by_tid; /* tid -> struct watched */
	size_t ring_count;
	size_t round_next; /* thread that is being delivered */
	bool is_tick;      /* this round also reads the counters */
	int64_t last_pid;  /* as of the last walk through /proc */
	int epoll_fd;
	int shortage; /* EMFILE, ENFILE: nothing is opened until a thread ends; 0: none */
	struct shortfall shortfall; /* as of the last walk */
	struct decoded decoded;
	struct group_reading reading;
	struct strbuf command_line;
	char name[64];
};

static struct tasks *tasks_of(const struct source *source)
{
	return (struct tasks *)source;
}

/*
 * Time on a CPU that a newborn has behind it when its counters are opened. Who has run for longer
 * than since the last tick was not born since: it came into sight otherwise (setuid(2)).
 */
static uint64_t missed_ns(const struct tasks *tasks, int32_t tid)
{
	uint64_t run_ns = 0, wait_ns = 0;
	uint64_t most = sys_now_ns() - tasks->base.tick_ns;

	return proc_read_schedstat(tid, &run_ns, &wait_ns) && run_ns <= most ? run_ns : 0;
}

/*
 * Rings of users without CAP_IPC_LOCK are bounded by perf_event_mlock_kb per CPU: a
 * machine's worth of tasks gets small ones, a few named processes larger ones.
 */
static size_t ring_bytes(const struct tasks *tasks)
{
	if (tasks->ring_count >= RINGS_MAX)
		return 0;
	if (tasks->mode == TASKS_USER)
		return 2 * tasks->host->page_bytes;
	return tasks->host->has_cap_ipc_lock ? RING_BYTES_MAX : RING_BYTES_MAX / 4;
}

static void watch_rings(struct tasks *tasks, struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		struct epoll_event event = {.events = EPOLLIN, .data.ptr = watched};

		if (watched->fds[i] < 0)
			continue;
		epoll_ctl(tasks->epoll_fd, EPOLL_CTL_ADD, watched->fds[i], &event);
		tasks->ring_count++;
	}
}

static uint64_t first_kept_descriptor(const struct host *host)
{
	return host->fd_limit_soft > RESERVE ? host->fd_limit_soft - RESERVE : 0;
}

/*
 * A task may exit while its counters are opened, of which Linux 6.18 says ENODEV when it falls
 * between a leader and its member. Asked again it says that the task has gone.
 */
static bool open_counters(struct watched *watched, const struct watched_request *request,
			  int *errno_value)
{
	if (watched_open(watched, request, errno_value) ||
	    (*errno_value == ENODEV && watched_open(watched, request, errno_value)))
		return true;
	if (!shortfall_is_shortage(*errno_value) && !sys_task_exists(watched->pid, watched->tid))
		*errno_value = ESRCH;
	return false;
}

static void forget_thread(struct tasks *tasks, struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		if (watched->fds[i] < 0)
			continue;
		epoll_ctl(tasks->epoll_fd, EPOLL_CTL_DEL, watched->fds[i], NULL);
		tasks->ring_count--;
	}
	if (map_get(&tasks->by_tid, (uint64_t)watched->tid) == watched)
		map_remove(&tasks->by_tid, (uint64_t)watched->tid);
	watched_close(watched);
	free(watched);
}

/*
 * No more descriptors. Of its own ones perftop has not touched those that are kept free; where
 * the system has run out of them, threads that nobody knows of yet are given back for them.
 */
static void begin_shortage(struct tasks *tasks, int errno_value)
{
	size_t freed = errno_value == ENFILE ? 0 : RESERVE;

	tasks->shortage = errno_value;
	while (freed < RESERVE && tasks->watched_count > 0) {
		struct watched *last = tasks->watched[tasks->watched_count - 1];

		if (last->is_introduced)
			return;
		freed += watched_descriptors(last);
		shortfall_add(&tasks->shortfall, last->tid, errno_value, tasks->host);
		tasks->watched_count--;
		forget_thread(tasks, last);
	}
}

/* Begins to watch one thread. False: it has gone, or the kernel refuses (*errno_value). */
static bool add_thread(struct tasks *tasks, int32_t pid, int32_t tid, bool is_newborn,
		       int *errno_value)
{
	struct plan_target target = tasks->target;
	const struct watched_request request = {
		.plan = &tasks->plan,
		.target = &target,
		.features = tasks->features,
		.page_bytes = tasks->host->page_bytes,
		.ring_bytes = ring_bytes(tasks),
		.fd_end = first_kept_descriptor(tasks->host),
		.wants_births = tasks->mode != TASKS_USER,
	};
	struct watched *watched;

	*errno_value = tasks->shortage;
	if (tasks->shortage != 0)
		return false;
	watched = xcalloc(1, sizeof(*watched));
	target.pid = tid;
	watched->pid = pid;
	watched->tid = tid;
	if (!open_counters(watched, &request, errno_value)) {
		free(watched);
		if (shortfall_is_shortage(*errno_value))
			begin_shortage(tasks, *errno_value);
		return false;
	}
	watched->missed_ns = is_newborn ? missed_ns(tasks, tid) : 0;
	watch_rings(tasks, watched);
	array_reserve(&tasks->watched, &tasks->watched_capacity, tasks->watched_count + 1,
		      sizeof(struct watched *));
	tasks->watched[tasks->watched_count++] = watched;
	map_put(&tasks->by_tid, (uint64_t)tid, watched);
	watched_begin(watched);
	return true;
}

/* A walk through /proc for threads that are not watched yet. */
struct walk {
	struct tasks *tasks;
	struct shortfall *shortfall;
	int32_t pid;            /* process whose threads are walked */
	bool is_newborn;        /* what is found now was born after the start */
	int32_t failed_tid;     /* first that could not be had, and why */
	int failed_errno_value; /* 0: none */
};

static void note_failure(struct walk *walk, int32_t tid, int errno_value)
{
	shortfall_add(walk->shortfall, tid, errno_value, walk->tasks->host);
	if (walk->failed_errno_value != 0)
		return;
	walk->failed_tid = tid;
	walk->failed_errno_value = errno_value;
}

/* A thread that a walk found but that had gone when it was opened; a zombie was there before. */
static void note_gone(struct walk *walk, int32_t tid)
{
	struct tasks *tasks = walk->tasks;

	/* elsewhere its birth tells of it */
	if (walk->is_newborn && tasks->mode == TASKS_USER && !sys_task_exists(walk->pid, tid))
		tasks->shortfall.missed++;
}

static bool visit_thread(int32_t tid, void *context)
{
	struct walk *walk = context;
	int errno_value = 0;

	if (map_get(&walk->tasks->by_tid, (uint64_t)tid) != NULL ||
	    add_thread(walk->tasks, walk->pid, tid, walk->is_newborn, &errno_value))
		return true;
	if (errno_value == ESRCH)
		note_gone(walk, tid);
	else
		note_failure(walk, tid, errno_value);
	return true;
}

static bool walk_threads(struct walk *walk, int32_t pid)
{
	walk->pid = pid;
	return proc_walk(pid, visit_thread, walk);
}

static bool visit_process(int32_t pid, void *context)
{
	struct walk *walk = context;
	const struct tasks *tasks = walk->tasks;
	struct proc_task task;

	if (tasks->mode == TASKS_USER && proc_owner(pid) != tasks->uid)
		return true;
	if (tasks->mode == TASKS_COMMAND && map_get(&tasks->by_tid, (uint64_t)pid) == NULL &&
	    (!proc_read_task(pid, &task) ||
	     map_get(&tasks->by_tid, (uint64_t)task.parent_pid) == NULL))
		return true;
	walk_threads(walk, pid);
	return true;
}

/* Whether a thread of the process is watched. */
static bool is_watched(const struct tasks *tasks, int32_t pid)
{
	for (size_t i = 0; i < tasks->watched_count; i++) {
		if (tasks->watched[i]->pid == pid)
			return true;
	}
	return false;
}

/* Looks for threads that are not watched yet, when there can be any that may be. */
static void discover(struct tasks *tasks, bool is_newborn)
{
	const bool has_room_again = tasks->shortfall.unopened > 0 && tasks->shortage == 0;
	struct walk walk = {
		.tasks = tasks,
		.shortfall = &tasks->shortfall,
		.is_newborn = is_newborn && !has_room_again, /* some have waited for it */
	};
	int64_t last_pid = proc_last_pid();

	if (is_newborn && last_pid >= 0 && last_pid == tasks->last_pid && !has_room_again)
		return;
	tasks->last_pid = last_pid;
	shortfall_begin(&tasks->shortfall);
	if (tasks->mode == TASKS_PIDS) {
		for (size_t i = 0; i < tasks->pid_count; i++) {
			/* of one that has ended the pid may be somebody else's by now */
			if (is_watched(tasks, tasks->pids[i]))
				walk_threads(&walk, tasks->pids[i]);
		}
	} else {
		proc_walk(0, visit_process, &walk);
	}
	shortfall_say(&tasks->shortfall, &tasks->base.session);
}

/* Marks threads of which no ring would tell that they ended. */
static void find_the_dead(struct tasks *tasks)
{
	for (size_t i = 0; i < tasks->watched_count; i++) {
		struct watched *watched = tasks->watched[i];

		if (!watched->is_gone && !watched_has_ring(watched, WATCHED_BIRTHS) &&
		    !sys_task_exists(watched->pid, watched->tid))
			watched->is_gone = true;
	}
}

static void begin_round(struct tasks *tasks, bool is_tick)
{
	tasks->is_tick = is_tick;
	tasks->round_next = 0;
	for (size_t i = 0; i < tasks->watched_count; i++)
		watched_begin(tasks->watched[i]);
}

static void end_round(struct tasks *tasks)
{
	size_t kept = 0;

	for (size_t i = 0; i < tasks->watched_count; i++) {
		struct watched *watched = tasks->watched[i];

		watched_end(watched);
		if (watched->is_gone && watched->phase == WATCHED_DONE) {
			forget_thread(tasks, watched);
			tasks->shortage = 0;
		} else {
			tasks->watched[kept++] = watched;
		}
	}
	tasks->watched_count = kept;
}

static void tasks_drain(struct source *source)
{
	struct tasks *tasks = tasks_of(source);
	struct epoll_event events[EPOLL_BATCH];
	int count = epoll_wait(tasks->epoll_fd, events, EPOLL_BATCH, 0);

	/* poll clears the rings' readiness, and all of them are drained below; a hang-up says that
	 * the task ended */
	for (int i = 0; i < count; i++) {
		struct watched *watched = events[i].data.ptr;

		if ((events[i].events & (EPOLLHUP | EPOLLERR)) != 0)
			watched->is_gone = true;
	}
	begin_round(tasks, false);
}

static void tasks_tick(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	discover(tasks, true);
	find_the_dead(tasks);
	source->tick_ns = sys_now_ns();
	begin_round(tasks, true);
}

static void set_task(const struct watched *watched, enum record_kind kind, struct record *record)
{
	record->kind = kind;
	record->cpu = RECORD_CPU_NONE;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = sys_now_ns();
}

static bool next_facts(struct tasks *tasks, struct watched *watched, struct record *record)
{
	struct proc_task task;

	watched->phase = WATCHED_BASELINE;
	if (!proc_read_task(watched->tid, &task))
		return false;
	strbuf_clear(&tasks->command_line);
	proc_read_command_line(watched->pid, COMMAND_LINE_MAX, &tasks->command_line);
	snprintf(tasks->name, sizeof(tasks->name), "%s", task.name);
	set_task(watched, RECORD_FACTS, record);
	record->facts = (struct record_facts){
		.name = tasks->name,
		.command_line = strbuf_text(&tasks->command_line),
		.parent_pid = task.parent_pid,
		.uid = task.uid,
		.cpu = task.cpu,
		.is_kernel_thread = task.is_kernel_thread,
	};
	return true;
}

static void set_reading(struct tasks *tasks, const struct watched *watched, struct record *record)
{
	const struct group_reading *reading = &tasks->reading;

	set_task(watched, RECORD_READING, record);
	record->reading = (struct record_reading){
		.group = (uint16_t)watched->next,
		.enabled_ns = reading->enabled_ns,
		.running_ns = reading->running_ns,
		.values = &reading->values[1],
	};
}

/* The reading of nothing, from which the counters of each group are counted. */
static bool next_baseline(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (watched->next == watched->group_count) {
		watched->next = 0;
		watched->is_introduced = true;
		watched->phase = WATCHED_RINGS;
		return false;
	}
	tasks->reading = (struct group_reading){0};
	set_reading(tasks, watched, record);
	record->reading.restarts = true; /* its id may have been another's */
	record->reading.tells_switches = watched_has_ring(watched, WATCHED_SWITCHES);
	watched->next++;
	return true;
}

/*
 * A birth seen in a parent's ring: the child is watched from now on, and delivered in this round
 * too. One that may not be watched is left to the next walk, which counts all of them.
 */
static void follow_birth(struct tasks *tasks, const struct record *record)
{
	int errno_value = 0;
	bool is_thread = record->pid == record->fork.parent_pid;

	if (tasks->mode == TASKS_PIDS && !is_thread)
		return;
	if (map_get(&tasks->by_tid, (uint64_t)record->tid) != NULL)
		return;
	if (add_thread(tasks, record->pid, record->tid, true, &errno_value))
		return;
	if (errno_value != ESRCH)
		return;
	tasks->shortfall.missed++;
	shortfall_say(&tasks->shortfall, &tasks->base.session);
}

/* An exit is told when all that the thread has counted is (next_end()). */
static bool is_wanted(const struct tasks *tasks, const struct record *record)
{
	if (record->kind == RECORD_EXIT)
		return false;
	if (record->kind != RECORD_FORK)
		return true;
	return tasks->mode != TASKS_PIDS || record->pid == record->fork.parent_pid;
}

static bool next_of_ring(struct tasks *tasks, struct watched *watched, struct record *record)
{
	const void *bytes;
	size_t size;

	if (watched->fds[watched->next] < 0 ||
	    !ring_next(&watched->rings[watched->next], &bytes, &size)) {
		if (++watched->next == WATCHED_STREAMS) {
			watched->next = 0;
			watched->phase = tasks->is_tick || watched->is_gone ? WATCHED_READINGS
									    : WATCHED_DONE;
		}
		return false;
	}
	if (decode_record(&tasks->decoded, bytes, size, &tasks->format) != DECODE_OK)
		return false;
	record->cpu = (int32_t)tasks->decoded.id.cpu;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = tasks->decoded.id.time_ns;
	if (!convert_record(&tasks->decoded, tasks->name, sizeof(tasks->name), record))
		return false;
	if (record->kind == RECORD_FORK)
		follow_birth(tasks, record);
	if (record->kind == RECORD_EXIT && record->tid == watched->tid) {
		watched->is_gone = true;
		watched->exit_ns = record->time_ns;
	}
	if (record->kind == RECORD_COMM && record->tid != watched->tid) {
		watched->is_gone = true;
		watched->heir_tid = record->tid;
	}
	return is_wanted(tasks, record);
}

static bool next_reading(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (watched->next == watched->group_count) {
		watched->next = 0;
		watched->phase = WATCHED_COUNTS;
		return false;
	}
	if (!group_read(&watched->groups[watched->next], tasks->features, &tasks->reading)) {
		watched->next++;
		return false;
	}
	if (watched->next == 0) {
		watched->has_run = tasks->reading.enabled_ns != watched->counted_ns;
		watched->counted_ns = tasks->reading.enabled_ns;
		if (tasks->reading.enabled_ns > 0)
			tasks->reading.enabled_ns += watched->missed_ns;
	}
	set_reading(tasks, watched, record);
	watched->next++;
	return true;
}

static bool next_counts(struct watched *watched, struct record *record)
{
	struct record_switch_count count;

	watched->phase = watched->is_gone ? WATCHED_END : WATCHED_DONE;
	if (watched_has_ring(watched, WATCHED_SWITCHES) ||
	    (!watched->has_run && watched->counts_were_told))
		return false;
	if (!proc_read_switches(watched->tid, &count.voluntary, &count.involuntary))
		return false;
	watched->counts_were_told = true;
	set_task(watched, RECORD_SWITCH_COUNT, record);
	record->switch_count = count;
	return true;
}

/*
 * A thread that executes a program takes the id of the process' first thread. What it has
 * counted so far belongs to its old id; under the new one it is counted anew.
 */
static void watch_heir(struct tasks *tasks, const struct watched *watched)
{
	const struct watched *known = map_get(&tasks->by_tid, (uint64_t)watched->heir_tid);
	int errno_value = 0;

	if (known != NULL && !known->is_gone)
		return;
	if (add_thread(tasks, watched->pid, watched->heir_tid, false, &errno_value) ||
	    errno_value == ESRCH)
		return;
	shortfall_add(&tasks->shortfall, watched->heir_tid, errno_value, tasks->host);
	shortfall_say(&tasks->shortfall, &tasks->base.session);
}

static bool next_end(struct tasks *tasks, struct watched *watched, struct record *record)
{
	watched->phase = WATCHED_DONE;
	if (watched->heir_tid > 0)
		watch_heir(tasks, watched);
	set_task(watched, RECORD_EXIT, record);
	if (watched->exit_ns > 0)
		record->time_ns = watched->exit_ns;
	record->fork = (struct record_fork){.parent_pid = RECORD_TASK_UNKNOWN,
					    .parent_tid = RECORD_TASK_UNKNOWN};
	return true;
}

/* One step of one thread; false: this step gave no record. */
static bool step(struct tasks *tasks, struct watched *watched, struct record *record)
{
	switch (watched->phase) {
	case WATCHED_FACTS:
		return next_facts(tasks, watched, record);
	case WATCHED_BASELINE:
		return next_baseline(tasks, watched, record);
	case WATCHED_RINGS:
		return next_of_ring(tasks, watched, record);
	case WATCHED_READINGS:
		return next_reading(tasks, watched, record);
	case WATCHED_COUNTS:
		return next_counts(watched, record);
	case WATCHED_END:
		return next_end(tasks, watched, record);
	case WATCHED_DONE:
		break;
	}
	return false;
}

static bool tasks_next(struct source *source, struct record *record)
{
	struct tasks *tasks = tasks_of(source);

	while (tasks->round_next < tasks->watched_count) {
		struct watched *watched = tasks->watched[tasks->round_next];

		while (watched->phase != WATCHED_DONE) {
			if (step(tasks, watched, record))
				return true;
		}
		tasks->round_next++;
	}
	end_round(tasks);
	return false;
}

static bool tasks_begin(struct source *source, struct error *error)
{
	(void)source;
	(void)error;
	return true; /* every thread counts since it was attached */
}

static int tasks_poll_fd(const struct source *source)
{
	return tasks_of(source)->epoll_fd;
}

static bool tasks_is_finished(const struct source *source)
{
	const struct tasks *tasks = tasks_of(source);

	return tasks->mode != TASKS_USER && tasks->watched_count == 0;
}

static bool is_asked_for(const struct tasks *tasks, int32_t pid)
{
	for (size_t i = 0; i < tasks->pid_count; i++) {
		if (tasks->pids[i] == pid)
			return true;
	}
	return false;
}

static void ask_for(struct tasks *tasks, int32_t pid)
{
	if (is_asked_for(tasks, pid))
		return;
	array_reserve(&tasks->pids, &tasks->pid_capacity, tasks->pid_count + 1,
		      sizeof(*tasks->pids));
	tasks->pids[tasks->pid_count++] = pid;
}

/* Why nothing of a process named `text` could be watched. */
static bool explain_failure(const struct walk *walk, const char *text, struct error *error)
{
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = text,
		.pid = walk->failed_tid,
		.cpu = -1,
		.host = walk->tasks->host,
	};

	if (walk->failed_errno_value == 0)
		return error_set(error, ERROR_PROCESS_GONE, text, NULL);
	return explain_perf_error(error, walk->failed_errno_value, &context);
}

/* Watches one more process, named by any of its threads, from its first thread to its last. */
static bool attach_process(struct tasks *tasks, int32_t tid, bool enable_on_exec,
			   struct error *error)
{
	struct shortfall shortfall = {0};
	struct walk walk = {.tasks = tasks, .shortfall = &shortfall};
	struct proc_task task;
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	if (!proc_read_task(tid, &task))
		return error_set(error, ERROR_PROCESS_GONE, text, NULL);
	tasks->target.enable_on_exec = enable_on_exec;
	walk_threads(&walk, task.pid);
	tasks->target.enable_on_exec = false;
	/* its first thread may have ended before the others */
	if (!is_watched(tasks, task.pid))
		return explain_failure(&walk, text, error);
	ask_for(tasks, task.pid);
	tasks->last_pid = -1; /* the next walk says whether some of its threads are missing */
	return true;
}

static bool tasks_attach(struct source *source, int32_t pid, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

	return map_get(&tasks->by_tid, (uint64_t)pid) != NULL ||
	       attach_process(tasks, pid, false, error);
}

static void tasks_destroy(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	for (size_t i = 0; i < tasks->watched_count; i++)
		forget_thread(tasks, tasks->watched[i]);
	if (tasks->epoll_fd >= 0)
		close(tasks->epoll_fd);
	free(tasks->watched);
	free(tasks->pids);
	map_fini(&tasks->by_tid);
	strbuf_fini(&tasks->command_line);
	plan_fini(&tasks->plan);
	layout_fini(&tasks->base.layout);
	free(tasks);
}

static const struct source_ops tasks_ops = {
	.destroy = tasks_destroy,
	.begin = tasks_begin,
	.drain = tasks_drain,
	.tick = tasks_tick,
	.next = tasks_next,
	.poll_fd = tasks_poll_fd,
	.is_finished = tasks_is_finished,
	.attach = tasks_attach,
};

static void describe(struct tasks *tasks, const struct tasks_request *request)
{
	struct session *session = &tasks->base.session;

	session->scope = SCOPE_TASKS;
	session->is_live = true;
	session->wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	session->has_pmu = plan_has_hardware(&tasks->plan);
	if (session->has_pmu)
		snprintf(session->pmu_words, sizeof(session->pmu_words), "%s PMU%s",
			 request->host->cpu_pmu,
			 tasks->target.exclude_kernel ? ", user mode only" : "");
	else
		host_explain_no_pmu(request->host, session->pmu_words, sizeof(session->pmu_words));
}

/* The plan is tried on this process itself: what is to be had for it is to be had for others. */
static bool make_plan(struct tasks *tasks, const struct tasks_request *request, struct error *error)
{
	const struct host *host = request->host;

	tasks->target = (struct plan_target){
		.leader = GROUP_LEADER_TASK,
		.pid = 0,
		.cpu = -1,
		.exclude_kernel = host->paranoid >= 2 && !host->has_cap_perfmon,
	};
	if (!plan_make(&tasks->plan, request->events, request->event_count, &tasks->target, host,
		       request->features, error))
		return false;
	layout_copy(&tasks->base.layout, &tasks->plan.layout);
	return true;
}

static bool attach_all(struct tasks *tasks, const struct tasks_request *request,
		       struct error *error)
{
	for (size_t i = 0; i < request->pid_count; i++) {
		if (!attach_process(tasks, request->pids[i], request->mode == TASKS_COMMAND, error))
			return false;
	}
	if (request->mode == TASKS_USER)
		discover(tasks, false);
	return true;
}

struct source *tasks_create(const struct tasks_request *request, struct error *error)
{
	struct tasks *tasks = xcalloc(1, sizeof(*tasks));

	tasks->base.ops = &tasks_ops;
	tasks->host = request->host;
	tasks->features = request->features;
	tasks->mode = request->mode;
	tasks->uid = request->uid;
	tasks->last_pid = -1;
	tasks->base.tick_ns = sys_now_ns();
	tasks->format = attr_decode_format(request->features);
	tasks->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (tasks->epoll_fd < 0) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_create1", errno);
		goto failed;
	}
	if (!make_plan(tasks, request, error))
		goto failed;
	describe(tasks, request);
	if (!attach_all(tasks, request, error))
		goto failed;
	return &tasks->base;
failed:
	tasks_destroy(&tasks->base);
	return NULL;
}
