/*
 * A thread is found by walking /proc when the last pid given out has changed, and at once by the
 * birth record of a watched parent (tasks.c). A newborn has run a little before its counters are
 * open; that time is added to its run time from /proc, so that its coverage shows how much of it
 * was counted.
 *
 * Each thread takes several descriptors; when no more are left, no thread is opened before one has
 * ended.
 */
#include "source/tasks/roster.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "model/session.h"

enum {
	RINGS_MAX = 1024, /* threads beyond have their switches counted from /proc */
	RING_BYTES_MAX = 256 * 1024,
	RING_SHARE = 16, /* of the memory that is left a ring takes this part at most */
	RESERVE = 32     /* descriptors given back where the system has run out of them */
};

/* --- those that are not watched */

enum {
	REASON_MAX = SHORTFALL_TEXT_MAX - 48 /* so much room stays for how many they are */
};

/* A new walk: none is missing yet. Those that were missed stay so. */
static void shortfall_begin(struct shortfall *shortfall)
{
	shortfall->refused = 0;
	shortfall->unopened = 0;
}

/* Thread tid could not be opened. Why is found out at once: later it may have gone. */
static void shortfall_add(struct shortfall *shortfall, int32_t tid, int errno_value,
			  const struct host *host)
{
	const bool lacks = sys_is_shortage(errno_value);
	size_t *count = lacks ? &shortfall->unopened : &shortfall->refused;
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.pid = tid,
		.cpu = -1,
		.host = host,
	};

	if ((*count)++ == 0)
		explain_perf_error(lacks ? &shortfall->shortage : &shortfall->refusal, errno_value,
				   &context);
}

/* Returns the remedy. */
static const char *describe_shortfall(const struct shortfall *shortfall, char *text, size_t size)
{
	const bool lacks = shortfall->unopened > 0;
	const size_t count = lacks ? shortfall->unopened : shortfall->refused;
	const struct error *error = lacks ? &shortfall->shortage : &shortfall->refusal;

	text[0] = '\0';
	if (count > 0) {
		snprintf(text, size, "%zu %s not watched%.*s", count,
			 count == 1 ? "thread is" : "threads are", REASON_MAX, error->text);
		return error->remedy;
	}
	if (shortfall->missed == 0)
		return "";
	snprintf(text, size, "%llu %s ended before %s counters were open and %s not in the rows",
		 (unsigned long long)shortfall->missed, shortfall->missed == 1 ? "task" : "tasks",
		 shortfall->missed == 1 ? "its" : "their", shortfall->missed == 1 ? "is" : "are");
	return "watching the whole machine misses none";
}

/* How much of the session's reason is not ours. */
static size_t foreign_length(const struct shortfall *shortfall, const char *reason)
{
	size_t length = strlen(reason), own = strlen(shortfall->said);

	if (own == 0 || own > length || strcmp(reason + length - own, shortfall->said) != 0)
		return length;
	length -= own;
	return length >= 2 && memcmp(reason + length - 2, "; ", 2) == 0 ? length - 2 : length;
}

/*
 * Writes it into the session, the worst only. What others have put there as the reason for not
 * watching more stays before it, with its remedy.
 */
static void shortfall_report(struct shortfall *shortfall, struct session *session)
{
	char text[SHORTFALL_TEXT_MAX];
	const char *remedy = describe_shortfall(shortfall, text, sizeof(text));
	const size_t foreign = foreign_length(shortfall, session->scope_reason);

	snprintf(session->scope_reason + foreign, sizeof(session->scope_reason) - foreign, "%s%s",
		 foreign > 0 && text[0] != '\0' ? "; " : "", text);
	if (foreign == 0)
		snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", remedy);
	session->lacks_tasks = session->lacks_tasks || text[0] != '\0';
	memcpy(shortfall->said, text, sizeof(text));
}

/* --- threads */

struct watched *roster_find(const struct roster *roster, int32_t tid)
{
	return map_get(&roster->by_tid, (uint64_t)tid);
}

/*
 * Time on a CPU that a newborn has behind it when its counters are opened. A task that has run for
 * longer than since the last tick was not born since: it became visible otherwise (setuid(2)).
 */
static uint64_t missed_ns(const struct roster *roster, int32_t tid)
{
	uint64_t run_ns = 0, wait_ns = 0;
	uint64_t most = sys_now_ns() - roster->tick_ns;

	return proc_read_schedstat(tid, 0, &run_ns, &wait_ns) && run_ns <= most ? run_ns : 0;
}

/* Memory that may be locked for rings and is not taken by ours yet. */
static uint64_t ring_memory_left(const struct roster *roster)
{
	const uint64_t all = host_ring_memory_bytes(roster->host);

	return all > roster->ring_bytes ? all - roster->ring_bytes : 0;
}

/*
 * Rings of users without CAP_IPC_LOCK are bounded by perf_event_mlock_kb per CPU: a
 * machine's worth of tasks gets small ones, a few named processes larger ones. Each leaves most of
 * what there is to the others, so that all threads have one.
 */
static size_t roster_ring_bytes(const struct roster *roster)
{
	const size_t least = 2 * roster->host->page_bytes;
	size_t bytes = RING_BYTES_MAX / 4;

	if (roster->ring_count >= RINGS_MAX)
		return 0;
	if (roster->mode == TASKS_USER)
		return least;
	if (roster->host->has_cap_ipc_lock)
		return RING_BYTES_MAX;
	while (bytes > least && bytes > ring_memory_left(roster) / RING_SHARE)
		bytes /= 2;
	return bytes;
}

/* By their edges: a hang-up is announced once, and stays until the thread is known to have gone. */
static void watch_rings(struct roster *roster, struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = watched};

		if (watched->fds[i] < 0)
			continue;
		epoll_ctl(roster->epoll_fd, EPOLL_CTL_ADD, watched->fds[i], &event);
		roster->ring_count++;
	}
	roster->ring_bytes += watched_ring_bytes(watched);
}

/*
 * A task may exit while its counters are opened, of which Linux 6.18 says ENODEV when it falls
 * between a leader and its member. Asked again it says that the task has gone.
 */
static int open_counters(struct watched *watched, const struct watched_request *request)
{
	int errno_value = watched_open(watched, request);

	if (errno_value == ENODEV)
		errno_value = watched_open(watched, request);
	if (errno_value != 0 && !sys_is_shortage(errno_value) &&
	    !sys_task_exists(watched->pid, watched->tid))
		errno_value = ESRCH;
	return errno_value;
}

/* What was taken out of the set before is not in it. */
static void unwatch_rings(const struct roster *roster, const struct watched *watched)
{
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		if (watched->fds[i] >= 0)
			epoll_ctl(roster->epoll_fd, EPOLL_CTL_DEL, watched->fds[i], NULL);
}

static void forget_thread(struct roster *roster, struct watched *watched)
{
	unwatch_rings(roster, watched);
	for (size_t i = 0; i < WATCHED_STREAMS; i++)
		roster->ring_count -= watched->fds[i] >= 0;
	if (map_get(&roster->by_tid, (uint64_t)watched->tid) == watched)
		map_remove(&roster->by_tid, (uint64_t)watched->tid);
	roster->ring_bytes -= watched_ring_bytes(watched);
	watched_close(watched);
	free(watched);
}

/*
 * No more descriptors. Of its own ones perftop has not touched those that are kept free; where the
 * system has run out of them, threads not introduced yet are given back for them.
 */
static void begin_shortage(struct roster *roster, int errno_value)
{
	size_t freed = errno_value == ENFILE ? 0 : RESERVE;

	roster->shortage = errno_value;
	while (freed < RESERVE && roster->watched_count > 0) {
		struct watched *last = roster->watched[roster->watched_count - 1];

		if (last->is_introduced)
			return;
		freed += plan_descriptors(&roster->plan) + 1; /* and its ring */
		shortfall_add(&roster->shortfall, last->tid, errno_value, roster->host);
		roster->watched_count--;
		forget_thread(roster, last);
	}
}

void roster_keep_survived(struct roster *roster, struct watched *watched)
{
	unwatch_rings(roster, watched); /* they would hang up for ever */
	watched->is_survived = true;
	watched->is_gone = false;
}

void roster_rename(struct roster *roster, struct watched *watched, int32_t tid)
{
	if (map_get(&roster->by_tid, (uint64_t)watched->tid) == watched)
		map_remove(&roster->by_tid, (uint64_t)watched->tid);
	watched->tid = tid;
	watched->new_tid = 0;
	watched->is_gone = watched->is_introduced = false;
	watched->goes_on = true;
	watched->missed_ns = watched->exit_ns = 0;
	watched->counts_were_reported = watched->delay_was_reported = false;
	map_put(&roster->by_tid, (uint64_t)tid, watched);
}

/* Its threads are prepared for another plan. */
static bool follows_next(const struct roster *roster)
{
	return roster->has_next && roster->next.has_new_groups;
}

int roster_add(struct roster *roster, int32_t pid, int32_t tid, bool is_newborn)
{
	struct group_target target = roster->target;
	const struct watched_request request = {
		.plan = &roster->plan,
		.target = &target,
		.features = roster->features,
		.page_bytes = roster->host->page_bytes,
		.ring_bytes = roster_ring_bytes(roster),
		.wants_births = roster->mode != TASKS_USER,
	};
	struct watched *watched;
	int errno_value;

	if (roster->shortage != 0)
		return roster->shortage;
	watched = xcalloc(1, sizeof(*watched));
	target.pid = tid;
	watched->pid = pid;
	watched->tid = tid;
	errno_value = open_counters(watched, &request);
	if (errno_value == 0 && follows_next(roster)) {
		errno_value = watched_prepare(watched, &roster->next);
		if (errno_value != 0)
			watched_close(watched);
	}
	if (errno_value != 0) {
		free(watched);
		if (sys_is_shortage(errno_value))
			begin_shortage(roster, errno_value);
		return errno_value;
	}
	watched->missed_ns = is_newborn ? missed_ns(roster, tid) : 0;
	watch_rings(roster, watched);
	array_reserve(&roster->watched, &roster->watched_capacity, roster->watched_count + 1,
		      sizeof(struct watched *));
	roster->watched[roster->watched_count++] = watched;
	map_put(&roster->by_tid, (uint64_t)tid, watched);
	watched_begin(watched);
	return 0;
}

/* A walk through /proc for threads that are not watched yet. */
struct walk {
	struct roster *roster;
	struct shortfall *shortfall;
	int32_t pid;            /* process of the walked threads */
	bool is_newborn;        /* what is found now was born after the start */
	int32_t failed_tid;     /* first that could not be opened, and why */
	int failed_errno_value; /* 0: none */
};

static void note_failure(struct walk *walk, int32_t tid, int errno_value)
{
	shortfall_add(walk->shortfall, tid, errno_value, walk->roster->host);
	if (walk->failed_errno_value != 0)
		return;
	walk->failed_tid = tid;
	walk->failed_errno_value = errno_value;
}

/* A thread that a walk found but that had gone when it was opened; a zombie was there before. */
static void note_gone(struct walk *walk, int32_t tid)
{
	struct roster *roster = walk->roster;

	/* elsewhere its birth reports it */
	if (walk->is_newborn && roster->mode == TASKS_USER && !sys_task_exists(walk->pid, tid))
		roster->shortfall.missed++;
}

/* Whether a thread of the process is watched. */
static bool is_watched(const struct roster *roster, int32_t pid)
{
	for (size_t i = 0; i < roster->watched_count; i++)
		if (roster->watched[i]->pid == pid)
			return true;
	return false;
}

/*
 * A first thread that is found after others of its process is one of those, which has executed a
 * program: it is watched, and its ring says so.
 */
static bool is_heir(const struct walk *walk, int32_t tid)
{
	return walk->is_newborn && tid == walk->pid && is_watched(walk->roster, walk->pid);
}

static bool visit_thread(int32_t tid, void *context)
{
	struct walk *walk = context;
	int errno_value = 0;

	if (!roster_find(walk->roster, tid) && !is_heir(walk, tid))
		errno_value = roster_add(walk->roster, walk->pid, tid, walk->is_newborn);
	if (errno_value == ESRCH)
		note_gone(walk, tid);
	else if (errno_value != 0)
		note_failure(walk, tid, errno_value);
	return true;
}

static void walk_threads(struct walk *walk, int32_t pid)
{
	walk->pid = pid;
	proc_walk(pid, visit_thread, walk);
}

static bool visit_process(int32_t pid, void *context)
{
	struct walk *walk = context;
	const struct roster *roster = walk->roster;
	struct proc_task task;

	if (roster->mode == TASKS_USER && proc_owner(pid) != roster->uid)
		return true;
	if (roster->mode == TASKS_COMMAND && !roster_find(roster, pid) &&
	    (!proc_read_task(pid, &task) || !roster_find(roster, task.parent_pid)))
		return true;
	walk_threads(walk, pid);
	return true;
}

void roster_discover(struct roster *roster, bool is_newborn)
{
	const bool has_room_again = roster->shortfall.unopened > 0 && roster->shortage == 0;
	struct walk walk = {
		.roster = roster,
		.shortfall = &roster->shortfall,
		.is_newborn = is_newborn && !has_room_again, /* some have waited for it */
	};
	int64_t last_pid = proc_last_pid();

	if (is_newborn && last_pid >= 0 && last_pid == roster->last_pid && !has_room_again)
		return;
	roster->last_pid = last_pid;
	shortfall_begin(&roster->shortfall);
	if (roster->mode == TASKS_PIDS) {
		for (size_t i = 0; i < roster->pid_count; i++) {
			/* of one that has ended the pid may be another process's by now */
			if (is_watched(roster, roster->pids[i]))
				walk_threads(&walk, roster->pids[i]);
		}
	} else {
		proc_walk(0, visit_process, &walk);
	}
	shortfall_report(&roster->shortfall, roster->session);
}

void roster_mark_ended(struct roster *roster)
{
	for (size_t i = 0; i < roster->watched_count; i++) {
		struct watched *watched = roster->watched[i];

		struct proc_task task;

		if (watched->is_gone)
			continue;
		if (watched->is_survived)
			watched->is_gone =
				!proc_read_task(watched->tid, &task) || !task.is_survived;
		else if (!watched_has_ring(watched, WATCHED_BIRTHS))
			watched->is_gone = !sys_task_exists(watched->pid, watched->tid);
	}
}

static bool is_asked_pid(const struct roster *roster, int32_t pid)
{
	for (size_t i = 0; i < roster->pid_count; i++)
		if (roster->pids[i] == pid)
			return true;
	return false;
}

static void ask_for(struct roster *roster, int32_t pid)
{
	if (is_asked_pid(roster, pid))
		return;
	array_reserve(&roster->pids, &roster->pid_capacity, roster->pid_count + 1,
		      sizeof(*roster->pids));
	roster->pids[roster->pid_count++] = pid;
}

/* Why nothing of a process named `text` could be watched. */
static bool explain_failure(const struct walk *walk, const char *text, struct error *error)
{
	const struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.what = text,
		.pid = walk->failed_tid,
		.cpu = -1,
		.host = walk->roster->host,
	};

	if (walk->failed_errno_value == 0)
		return error_set(error, ERROR_PROCESS_GONE, text, NULL);
	return explain_perf_error(error, walk->failed_errno_value, &context);
}

bool roster_attach(struct roster *roster, int32_t tid, bool enable_on_exec, struct error *error)
{
	struct shortfall shortfall = {0};
	struct walk walk = {.roster = roster, .shortfall = &shortfall};
	struct proc_task task;
	char text[16];

	snprintf(text, sizeof(text), "%d", tid);
	if (!proc_read_task(tid, &task))
		return error_set(error, ERROR_PROCESS_GONE, text, NULL);
	roster->target.enable_on_exec = enable_on_exec;
	walk_threads(&walk, task.pid);
	roster->target.enable_on_exec = false;
	/* its first thread may have ended before the others */
	if (!is_watched(roster, task.pid))
		return explain_failure(&walk, text, error);
	ask_for(roster, task.pid);
	roster->last_pid = -1; /* the next walk says whether some of its threads are missing */
	return true;
}

void roster_init(struct roster *roster, const struct tasks_request *request, int epoll_fd,
		 struct session *session)
{
	roster->host = request->host;
	roster->features = request->features;
	roster->session = session;
	roster->mode = request->mode;
	roster->uid = request->uid;
	roster->last_pid = -1;
	roster->tick_ns = sys_now_ns();
	roster->epoll_fd = epoll_fd;
}

void roster_fini(struct roster *roster)
{
	for (size_t i = 0; i < roster->watched_count; i++)
		forget_thread(roster, roster->watched[i]);
	free(roster->watched);
	free(roster->pids);
	map_fini(&roster->by_tid);
	plan_fini(&roster->plan);
	if (roster->has_next)
		plan_fini(&roster->next);
}

void roster_remove_ended(struct roster *roster)
{
	size_t kept = 0;

	for (size_t i = 0; i < roster->watched_count; i++) {
		struct watched *watched = roster->watched[i];

		if (watched->is_gone && watched->phase == WATCHED_DONE) {
			forget_thread(roster, watched);
			roster->shortage = 0;
		} else {
			roster->watched[kept++] = watched;
		}
	}
	roster->watched_count = kept;
}

void roster_note_missed(struct roster *roster)
{
	roster->shortfall.missed++;
	shortfall_report(&roster->shortfall, roster->session);
}

static bool prepare_all(struct roster *roster, const struct plan *plan, struct error *error)
{
	for (size_t i = 0; i < roster->watched_count; i++) {
		struct watched *watched = roster->watched[i];
		const struct explain_context context = {
			.call = EXPLAIN_OPEN,
			.what = "counters",
			.pid = watched->tid,
			.cpu = -1,
			.host = roster->host,
		};
		const int errno_value = watched_prepare(watched, plan);

		if (errno_value == 0)
			continue;
		while (i-- > 0)
			bundle_abandon(&roster->watched[i]->bundle);
		return explain_perf_error(error, errno_value, &context);
	}
	return true;
}

bool roster_prepare(struct roster *roster, struct plan *plan, struct error *error)
{
	roster->has_next = !plan->has_new_groups || prepare_all(roster, plan, error);
	if (roster->has_next)
		roster->next = *plan;
	else
		plan_fini(plan);
	return roster->has_next;
}

void roster_commit(struct roster *roster)
{
	for (size_t i = 0; i < roster->watched_count && follows_next(roster); i++)
		watched_commit(roster->watched[i], &roster->next);
	plan_fini(&roster->plan);
	roster->plan = roster->next;
	roster->has_next = false;
}
