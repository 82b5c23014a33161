/*
 * Delivers what the watched threads (roster.h) have counted and what their rings tell. In a round
 * new threads are introduced, then comes what all rings tell in order of time (a switch log needs
 * the threads of a CPU one after another), then one thread after another what it has counted.
 *
 * A dying thread's counters stay readable as long as their descriptors are open: they are
 * read once more after its exit and let go then.
 */
#include "source/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "kernel/attr.h"
#include "kernel/event/event.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/convert.h"
#include "source/merge.h"
#include "source/roster.h"
#include "source/scheduler.h"

enum {
	COMMAND_LINE_MAX = 4096,
	EPOLL_BATCH = 64
};

/* A first reading of a group that came with a change of the plan. */
struct fresh {
	int32_t pid, tid;
	uint16_t group;
	struct group_reading reading;
};

struct tasks {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	struct trials *trials; /* owned */
	struct roster roster;
	struct decode_format format;
	struct fresh *fresh; /* owned; to be delivered before anything else */
	size_t fresh_count, fresh_capacity, fresh_next;
	bool has_begun;
	struct merge merge;
	size_t introduced; /* threads whose rings are in the merge, from the first on */
	size_t round_next; /* thread whose counts are being delivered */
	uint64_t round_ns; /* before the first ring was looked at */
	bool is_tick;      /* this round also reads the counters */
	bool in_round;
	bool tells_delay;
	int epoll_fd;
	struct decoded decoded;
	struct group_reading reading;
	struct strbuf command_line;
	char name[64];
};

static struct tasks *tasks_of(const struct source *source)
{
	return (struct tasks *)source;
}

/* start_ns: before any ring was looked at. Whatever happened earlier is told in this round. */
static void begin_round(struct tasks *tasks, bool is_tick, uint64_t start_ns)
{
	tasks->is_tick = is_tick;
	tasks->in_round = true;
	tasks->round_ns = start_ns;
	tasks->round_next = tasks->introduced = 0;
	merge_clear(&tasks->merge);
	tasks->base.backlog = 0;
	for (size_t i = 0; i < tasks->roster.watched_count; i++) {
		struct watched *watched = tasks->roster.watched[i];
		const double fill = watched_fill(watched);

		tasks->base.backlog = fill > tasks->base.backlog ? fill : tasks->base.backlog;
		watched_begin(watched);
	}
}

static void end_round(struct tasks *tasks)
{
	if (!tasks->in_round)
		return;
	tasks->in_round = false;
	if (tasks->round_ns > tasks->base.settled_ns)
		tasks->base.settled_ns = tasks->round_ns;
	for (size_t i = 0; i < tasks->roster.watched_count; i++)
		watched_end(tasks->roster.watched[i]);
	roster_forget_the_dead(&tasks->roster);
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
	begin_round(tasks, false, sys_now_ns());
}

static void tasks_tick(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	roster_discover(&tasks->roster, true);
	roster_find_the_dead(&tasks->roster);
	source->tick_ns = sys_now_ns();
	tasks->roster.tick_ns = source->tick_ns;
	begin_round(tasks, true, source->tick_ns);
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

/* Goes on to the next group of the thread that is open; false: there is none. */
static bool find_group(struct watched *watched)
{
	while (watched->next < watched->bundle.count &&
	       !bundle_is_open(&watched->bundle, watched->next))
		watched->next++;
	return watched->next < watched->bundle.count;
}

/* The reading of nothing, from which the counters of each group are counted. */
static bool next_baseline(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (!find_group(watched)) {
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

	if (tasks->roster.mode == TASKS_PIDS && !is_thread)
		return;
	if (roster_find(&tasks->roster, record->tid) != NULL)
		return;
	if (!roster_add(&tasks->roster, record->pid, record->tid, true, &errno_value) &&
	    errno_value == ESRCH)
		roster_note_missed(&tasks->roster);
}

/* An exit is told when all that the thread has counted is (next_end()). */
static bool is_wanted(const struct tasks *tasks, const struct record *record)
{
	if (record->kind == RECORD_EXIT)
		return false;
	if (record->kind != RECORD_FORK)
		return true;
	return tasks->roster.mode != TASKS_PIDS || record->pid == record->fork.parent_pid;
}

/*
 * The thread goes on under another id, whose owner before has ended. Its new name is told with the
 * facts of the heir (watch_heir()): now it would be taken for that of who has ended. True: he has
 * not, and is told of.
 */
static bool bequeath(const struct tasks *tasks, struct watched *watched, int32_t heir_tid)
{
	const struct watched *known = roster_find(&tasks->roster, heir_tid);

	watched->is_gone = true;
	watched->heir_tid = heir_tid;
	return known != NULL && !known->is_gone;
}

/* False: the record is none that is told. */
static bool take_record(struct tasks *tasks, const struct merge_strand *strand,
			struct record *record)
{
	struct watched *watched = strand->owner;

	if (decode_record(&tasks->decoded, strand->bytes, strand->size, &tasks->format) !=
	    DECODE_OK)
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
	if (record->kind == RECORD_COMM && record->tid != watched->tid)
		return bequeath(tasks, watched, record->tid);
	return is_wanted(tasks, record);
}

static bool next_reading(struct tasks *tasks, struct watched *watched, struct record *record)
{
	if (!find_group(watched)) {
		watched->next = 0;
		watched->phase = WATCHED_COUNTS;
		return false;
	}
	if (!group_read(&watched->bundle.groups[watched->next], tasks->features, &tasks->reading)) {
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

	watched->phase = WATCHED_DELAY;
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

/* Only who came to a CPU has waited for it to the end. */
static bool next_delay(const struct tasks *tasks, struct watched *watched, struct record *record)
{
	uint64_t wait_ns;

	watched->phase = watched->is_gone ? WATCHED_END : WATCHED_DONE;
	if (!tasks->tells_delay || (!watched->has_run && watched->delay_was_told) ||
	    !proc_read_run_delay(watched->pid, watched->tid, &wait_ns))
		return false;
	watched->delay_was_told = true;
	set_task(watched, RECORD_RUN_DELAY, record);
	record->run_delay.wait_ns = wait_ns;
	return true;
}

/*
 * A thread that executes a program takes the id of the process' first thread. What it has
 * counted so far belongs to its old id; under the new one it is counted anew.
 */
static void watch_heir(struct tasks *tasks, const struct watched *watched)
{
	const struct watched *known = roster_find(&tasks->roster, watched->heir_tid);
	int errno_value = 0;

	if (known != NULL && !known->is_gone)
		return;
	if (!roster_add(&tasks->roster, watched->pid, watched->heir_tid, false, &errno_value) &&
	    errno_value != ESRCH)
		roster_note_refused(&tasks->roster, watched->heir_tid, errno_value);
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
		watched->phase =
			tasks->is_tick || watched->is_gone ? WATCHED_READINGS : WATCHED_DONE;
		return false;
	case WATCHED_READINGS:
		return next_reading(tasks, watched, record);
	case WATCHED_COUNTS:
		return next_counts(watched, record);
	case WATCHED_DELAY:
		return next_delay(tasks, watched, record);
	case WATCHED_END:
		return next_end(tasks, watched, record);
	case WATCHED_DONE:
		break;
	}
	return false;
}

static void next_fresh(struct tasks *tasks, struct record *record)
{
	const struct fresh *fresh = &tasks->fresh[tasks->fresh_next++];
	const struct watched watched = {.pid = fresh->pid, .tid = fresh->tid, .next = fresh->group};

	tasks->reading = fresh->reading;
	set_reading(tasks, &watched, record);
	if (tasks->fresh_next == tasks->fresh_count)
		tasks->fresh_next = tasks->fresh_count = 0;
}

/* Who is new is introduced before anything else is told. */
static bool next_introduction(struct tasks *tasks, struct record *record)
{
	for (; tasks->introduced < tasks->roster.watched_count; tasks->introduced++) {
		struct watched *watched = tasks->roster.watched[tasks->introduced];

		while (!watched->is_introduced) {
			if (step(tasks, watched, record))
				return true;
		}
		for (size_t i = 0; i < WATCHED_STREAMS; i++) {
			if (watched->fds[i] >= 0)
				merge_add(&tasks->merge, &watched->rings[i], watched,
					  &tasks->format);
		}
	}
	return false;
}

/* What the rings tell, and who is born meanwhile. */
static bool next_told(struct tasks *tasks, struct record *record)
{
	const struct merge_strand *strand;

	do {
		if (next_introduction(tasks, record))
			return true;
		strand = merge_next(&tasks->merge, &tasks->format);
		if (strand != NULL && take_record(tasks, strand, record))
			return true;
	} while (strand != NULL);
	return false;
}

static bool tasks_next(struct source *source, struct record *record)
{
	struct tasks *tasks = tasks_of(source);

	if (tasks->fresh_next < tasks->fresh_count) {
		next_fresh(tasks, record);
		return true;
	}
	if (tasks->in_round && next_told(tasks, record))
		return true;
	while (tasks->round_next < tasks->roster.watched_count) {
		struct watched *watched = tasks->roster.watched[tasks->round_next];

		while (watched->phase != WATCHED_DONE) {
			if (step(tasks, watched, record))
				return true;
		}
		tasks->round_next++;
	}
	end_round(tasks);
	return false;
}

/* Threads that were named count since they were attached; whoever is the user's, from here on. */
static bool tasks_begin(struct source *source, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

	(void)error;
	if (tasks->roster.mode == TASKS_USER)
		roster_discover(&tasks->roster, false);
	tasks->has_begun = true;
	return true;
}

static int tasks_poll_fd(const struct source *source)
{
	return tasks_of(source)->epoll_fd;
}

static bool tasks_is_finished(const struct source *source)
{
	const struct tasks *tasks = tasks_of(source);

	return tasks->roster.mode != TASKS_USER && tasks->roster.watched_count == 0;
}

static bool tasks_attach(struct source *source, int32_t pid, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

	return roster_find(&tasks->roster, pid) != NULL ||
	       roster_attach(&tasks->roster, pid, false, error);
}

/* Counters of this process itself, on which events are tried. */
static struct watched *own_counters(const struct tasks *tasks)
{
	return roster_find(&tasks->roster, (int32_t)getpid());
}

static bool is_turn(const struct tasks *tasks, size_t group)
{
	return tasks->roster.plan.layout.groups[group].is_open &&
	       tasks->roster.plan.layout.groups[group].turn != 0;
}

static void pause_counters(void *context)
{
	const struct tasks *tasks = context;
	const struct watched *own = own_counters(tasks);

	for (size_t i = 0; own != NULL && i < own->bundle.count; i++) {
		if (is_turn(tasks, i) && bundle_is_open(&own->bundle, i))
			group_disable(&own->bundle.groups[i]);
	}
}

static void resume_counters(const struct tasks *tasks)
{
	const struct watched *own = own_counters(tasks);

	for (size_t i = 0; own != NULL && i < own->bundle.count; i++) {
		if (is_turn(tasks, i) && bundle_is_open(&own->bundle, i))
			group_enable(&own->bundle.groups[i]);
	}
}

static void describe_pmu(struct tasks *tasks)
{
	struct session *session = &tasks->base.session;
	const char *limit = tasks->roster.target.exclude_kernel ? ", user mode only" : "";
	size_t used;

	session->has_pmu = plan_has_hardware(&tasks->roster.plan);
	if (!session->has_pmu) {
		host_explain_no_pmu(tasks->host, session->pmu_words, sizeof(session->pmu_words));
		return;
	}
	plan_describe_pmus(&tasks->roster.plan, session->pmu_words, sizeof(session->pmu_words));
	used = strlen(session->pmu_words);
	snprintf(session->pmu_words + used, sizeof(session->pmu_words) - used, "%s", limit);
}

/* A group that is new counts from nothing; one that has lost members goes on from where it is. */
static void begin_anew(struct watched *watched, const struct watched_change *change, void *context)
{
	struct tasks *tasks = context;

	for (size_t i = 0; i < watched->bundle.count && watched->is_introduced; i++) {
		const enum plan_step step = watched_step(change, i);
		struct fresh *fresh;

		if ((step != PLAN_OPEN && step != PLAN_SHRINK) ||
		    !bundle_is_open(&watched->bundle, i))
			continue;
		array_reserve(&tasks->fresh, &tasks->fresh_capacity, tasks->fresh_count + 1,
			      sizeof(*tasks->fresh));
		fresh = &tasks->fresh[tasks->fresh_count];
		*fresh = (struct fresh){
			.pid = watched->pid, .tid = watched->tid, .group = (uint16_t)i};
		if (step == PLAN_OPEN ||
		    group_read(&watched->bundle.groups[i], tasks->features, &fresh->reading))
			tasks->fresh_count++;
	}
}

/* Waits are told by sums, and anew: what was waited meanwhile was not asked for. */
static void want_delay(struct tasks *tasks, bool is_wanted)
{
	scheduler_tell_without(&tasks->base.session, is_wanted, NULL);
	tasks->tells_delay = tasks->base.session.queue == QUEUE_RUN_DELAY;
	for (size_t i = 0; i < tasks->roster.watched_count && !is_wanted; i++)
		tasks->roster.watched[i]->delay_was_told = false;
}

static bool tasks_change(struct source *source, const struct event_request *events,
			 struct error *error)
{
	struct tasks *tasks = tasks_of(source);
	struct plan next;

	plan_copy(&next, &tasks->roster.plan);
	trials_begin(tasks->trials, pause_counters, tasks);
	if (!plan_change(&next, events, tasks->trials, tasks->has_begun, error) ||
	    !roster_change(&tasks->roster, &next, begin_anew, tasks, error)) {
		plan_fini(&next);
		resume_counters(tasks);
		return false;
	}
	resume_counters(tasks);
	layout_fini(&source->layout);
	layout_copy(&source->layout, &tasks->roster.plan.layout);
	describe_pmu(tasks);
	want_delay(tasks, events->scheduler);
	return true;
}

static const struct event_spec *tasks_spec(const struct source *source, size_t group, size_t member)
{
	return plan_spec_at(&tasks_of(source)->roster.plan, group, member);
}

static void tasks_destroy(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	roster_fini(&tasks->roster);
	merge_fini(&tasks->merge);
	if (tasks->epoll_fd >= 0)
		close(tasks->epoll_fd);
	free(tasks->fresh);
	strbuf_fini(&tasks->command_line);
	trials_destroy(tasks->trials);
	layout_fini(&source->layout);
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
	.change = tasks_change,
	.spec = tasks_spec,
};

static void describe(struct tasks *tasks, const struct tasks_request *request)
{
	struct session *session = &tasks->base.session;

	session->scope = SCOPE_TASKS;
	session->is_live = true;
	session->wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	describe_pmu(tasks);
	want_delay(tasks, request->events->scheduler);
}

/* The plan is tried on this process itself: what is to be had for it is to be had for others. */
static bool make_plan(struct tasks *tasks, const struct tasks_request *request, struct error *error)
{
	const struct host *host = request->host;
	const struct plan_setup setup = {
		.pmus = request->core_pmus,
		.pmu_count = request->core_pmu_count < LAYOUT_KINDS_MAX ? request->core_pmu_count
									: LAYOUT_KINDS_MAX,
		.targets = &tasks->roster.target,
		.target_count = 1,
	};

	tasks->roster.target = (struct plan_target){
		.leader = GROUP_LEADER_TASK,
		.pid = 0,
		.cpu = -1,
		.exclude_kernel = host->paranoid >= 2 && !host->has_cap_perfmon,
	};
	trials_begin(tasks->trials, NULL, NULL);
	if (!plan_make(&tasks->roster.plan, &setup, request->events, tasks->trials, error))
		return false;
	layout_copy(&tasks->base.layout, &tasks->roster.plan.layout);
	return true;
}

static bool attach_all(struct tasks *tasks, const struct tasks_request *request,
		       struct error *error)
{
	for (size_t i = 0; i < request->pid_count; i++) {
		if (!roster_attach(&tasks->roster, request->pids[i], request->mode == TASKS_COMMAND,
				   error))
			return false;
	}
	return true;
}

struct source *tasks_create(const struct tasks_request *request, struct error *error)
{
	struct tasks *tasks = xcalloc(1, sizeof(*tasks));

	tasks->base.ops = &tasks_ops;
	tasks->host = request->host;
	tasks->features = request->features;
	tasks->trials = trials_create(request->host, request->features);
	tasks->base.tick_ns = sys_now_ns();
	tasks->format = attr_decode_format(request->features);
	tasks->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	roster_init(&tasks->roster, request, tasks->epoll_fd, &tasks->base.session);
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
