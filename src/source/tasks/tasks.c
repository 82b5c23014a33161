/*
 * The source's life: threads that were chosen are watched (roster.h), what they count is changed
 * for all of them or for none, and each round delivers what they have counted and what their rings
 * hold: new threads are introduced, then comes what all rings hold in order of time (a switch log
 * needs the threads of a CPU one after another), then one thread after another what it has counted.
 *
 * A dying thread's counters stay readable as long as their descriptors are open: they are read once
 * more after its exit and then closed.
 */
#include "source/tasks/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "kernel/attr.h"
#include "kernel/decode.h"
#include "kernel/group.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "model/record.h"
#include "source/convert.h"
#include "source/queue.h"
#include "source/sampling.h"
#include "source/tasks/roster.h"
#include "source/tasks/thread_steps.h"

#include "event/event.h"

enum {
	EPOLL_BATCH = 64
};

struct tasks {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	struct trials trials;
	struct roster roster;
	struct sampling sampling;
	struct decode_format format;
	struct sample_offsets offsets; /* by the format */
	struct heap heap;              /* rings that have a record, by the time of the next one */
	bool top_was_used; /* its record was delivered, and it moves on at the next call */
	size_t introduced; /* threads with rings in the heap, from the first on */
	size_t round_next; /* thread of which the counts are being delivered */
	uint64_t round_ns; /* before the first ring was looked at */
	bool in_round;
	struct decoded decoded;
	struct thread_steps steps;
};

static struct tasks *tasks_of(const struct source *source)
{
	return (struct tasks *)source;
}

/* --- records of rings */

/*
 * A birth seen in a parent's ring: the child is watched from now on, and delivered in this round
 * too. One that may not be watched is left to the next walk, which counts all of them.
 */
static void follow_watched_birth(struct tasks *tasks, const struct record *record)
{
	bool is_thread = record->pid == record->fork.parent_pid;

	if (tasks->roster.mode == TASKS_PIDS && !is_thread)
		return;
	if (!roster_find(&tasks->roster, record->tid) &&
	    roster_add(&tasks->roster, record->pid, record->tid, true) == ESRCH)
		roster_note_missed(&tasks->roster);
}

/* An exit is delivered when all that the thread has counted is (next_end()). */
static bool is_wanted_task(const struct tasks *tasks, const struct record *record)
{
	if (record->kind == RECORD_EXIT)
		return false;
	if (record->kind != RECORD_FORK)
		return true;
	return tasks->roster.mode != TASKS_PIDS || record->pid == record->fork.parent_pid;
}

/* The thread goes on under the id of the first one, which has ended for it: the process has not. */
static void follow_execve(const struct tasks *tasks, struct watched *watched, int32_t new_tid)
{
	struct watched *first = roster_find(&tasks->roster, new_tid);

	watched->is_gone = true;
	watched->new_tid = new_tid;
	if (first)
		first->is_gone = first->is_replaced = true;
}

/* False: the record is none that is delivered. */
static bool take_task_record(struct tasks *tasks, const struct watched_ring *next,
			     struct record *record)
{
	struct watched *watched = next->owner;

	switch (decode_record(&tasks->decoded, next->bytes, next->size, &tasks->format)) {
	case DECODE_OK:
		break;
	case DECODE_UNKNOWN:
		return false;
	case DECODE_BROKEN:
		thread_set_lost(watched, 1, record);
		return true;
	}
	record->cpu = (int32_t)tasks->decoded.id.cpu;
	record->pid = watched->pid;
	record->tid = watched->tid;
	record->time_ns = tasks->decoded.id.time_ns;
	if (!convert_record(&tasks->decoded, tasks->steps.name, sizeof(tasks->steps.name), record))
		return false;
	watched->has_lost = watched->has_lost || record->kind == RECORD_LOST;
	if (record->kind == RECORD_FORK)
		follow_watched_birth(tasks, record);
	if (record->kind == RECORD_EXIT && record->tid == watched->tid) {
		watched->is_gone = true;
		watched->exit_ns = record->time_ns;
	}
	if (record->kind == RECORD_COMM && record->tid != watched->tid)
		follow_execve(tasks, watched, record->tid);
	return is_wanted_task(tasks, record);
}

/* --- rounds */

/* start_ns: before any ring was looked at. Whatever happened earlier is delivered in this round. */
static void begin_tasks_round(struct tasks *tasks, bool is_tick, uint64_t start_ns)
{
	tasks->steps.is_tick = is_tick;
	tasks->in_round = true;
	tasks->round_ns = start_ns;
	tasks->round_next = tasks->introduced = 0;
	tasks->top_was_used = false;
	heap_clear(&tasks->heap);
	tasks->base.backlog = 0;
	for (size_t i = 0; i < tasks->roster.watched_count; i++) {
		struct watched *watched = tasks->roster.watched[i];
		const double fill = watched_fill(watched);

		tasks->base.backlog = fill > tasks->base.backlog ? fill : tasks->base.backlog;
		watched_begin(watched);
	}
	sampling_begin(&tasks->sampling, start_ns, is_tick);
}

/* Those of the threads that are watched now. */
static struct sampling_target *list_sampled_tasks(void *source, size_t *count)
{
	const struct tasks *tasks = source;
	const struct roster *roster = &tasks->roster;
	const size_t group = plan_steady_group(&roster->plan, 0);
	struct sampling_target *targets = xcalloc(roster->watched_count * 2, sizeof(*targets));

	*count = 0;
	for (size_t i = 0; i < roster->watched_count; i++) {
		const struct watched *watched = roster->watched[i];

		targets[(*count)++] = (struct sampling_target){
			.tid = watched->tid,
			.cpu = -1,
			.group = bundle_is_open(&watched->bundle, group)
					 ? &watched->bundle.groups[group]
					 : NULL,
			.group_index = (uint16_t)group,
		};
	}
	if (tasks->sampling.wants[SAMPLING_OFF_CPU])
		*count += sampling_add_off_cpu(targets, *count);
	return targets;
}

static void end_tasks_round(struct tasks *tasks)
{
	if (!tasks->in_round)
		return;
	tasks->in_round = false;
	if (tasks->round_ns > tasks->base.settled_ns)
		tasks->base.settled_ns = tasks->round_ns;
	for (size_t i = 0; i < tasks->roster.watched_count; i++)
		watched_end(tasks->roster.watched[i]);
	sampling_end(&tasks->sampling);
	roster_remove_ended(&tasks->roster);
	sampling_follow_listed(&tasks->sampling);
}

/*
 * Whether the ring has one more record for this round. One ring is looked at after another, so the
 * last ones have what is later than all of the first: what is newer than the moment before all of
 * them stays for the next round. Without clockid records are stamped by another clock than ours.
 */
static bool fetch_task_record(const struct tasks *tasks, struct watched_ring *next,
			      uint64_t *time_ns)
{
	struct ring *ring = &next->owner->rings[next->stream];

	if (!ring_next(ring, &next->bytes, &next->size))
		return false;
	*time_ns = decode_peek_time(next->bytes, next->size, &tasks->offsets);
	if (*time_ns <= tasks->round_ns || !tasks->features->clockid)
		return true;
	ring_keep_last(ring);
	return false;
}

/* The ring of the delivered record goes on to its next one, or leaves. */
static void advance_tasks(struct tasks *tasks)
{
	uint64_t time_ns;

	if (!tasks->top_was_used)
		return;
	tasks->top_was_used = false;
	if (fetch_task_record(tasks, heap_top(&tasks->heap), &time_ns))
		heap_advance(&tasks->heap, time_ns);
	else
		heap_remove_top(&tasks->heap);
}

static void add_rings(struct tasks *tasks, struct watched *watched)
{
	uint64_t time_ns;

	advance_tasks(tasks);
	for (size_t i = 0; i < WATCHED_STREAMS; i++) {
		struct watched_ring *next = &watched->next_of[i];

		*next = (struct watched_ring){.owner = watched, .stream = (enum watched_stream)i};
		if (watched->fds[i] >= 0 && fetch_task_record(tasks, next, &time_ns))
			heap_add(&tasks->heap, next, time_ns);
	}
}

/* New threads are introduced before anything else is delivered, and so are new counters. */
static bool next_introduction(struct tasks *tasks, struct record *record)
{
	for (; tasks->introduced < tasks->roster.watched_count; tasks->introduced++) {
		struct watched *watched = tasks->roster.watched[tasks->introduced];

		while (watched->phase < WATCHED_RINGS)
			if (thread_step(&tasks->steps, watched, record))
				return true;
		add_rings(tasks, watched);
	}
	return false;
}

/* What the rings hold, and threads born in between. */
static bool next_reported(struct tasks *tasks, struct record *record)
{
	for (;;) {
		if (next_introduction(tasks, record))
			return true;
		advance_tasks(tasks);
		if (tasks->heap.count == 0)
			return false;
		tasks->top_was_used = true;
		if (take_task_record(tasks, heap_top(&tasks->heap), record))
			return true;
	}
}

static bool tasks_next(struct source *source, struct record *record)
{
	struct tasks *tasks = tasks_of(source);

	if (tasks->in_round && next_reported(tasks, record))
		return true;
	while (tasks->round_next < tasks->roster.watched_count) {
		struct watched *watched = tasks->roster.watched[tasks->round_next];

		while (watched->phase != WATCHED_DONE)
			if (thread_step(&tasks->steps, watched, record))
				return true;
		tasks->round_next++;
	}
	if (tasks->in_round && sampling_next(&tasks->sampling, record))
		return true;
	end_tasks_round(tasks);
	return false;
}

/* --- life */

static void tasks_drain(struct source *source)
{
	struct tasks *tasks = tasks_of(source);
	struct epoll_event events[EPOLL_BATCH];
	int count = epoll_wait(tasks->base.poll_fd, events, EPOLL_BATCH, 0);

	/* poll clears the rings' readiness, and all of them are drained below; a hang-up says that
	 * the task ended */
	for (int i = 0; i < count; i++) {
		struct watched *watched = events[i].data.ptr;

		if (watched && (events[i].events & (EPOLLHUP | EPOLLERR)) != 0)
			watched->is_gone = true;
	}
	begin_tasks_round(tasks, false, sys_now_ns());
}

static void tasks_tick(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	roster_discover(&tasks->roster, true);
	roster_mark_ended(&tasks->roster);
	source->tick_ns = sys_now_ns();
	tasks->roster.tick_ns = source->tick_ns;
	begin_tasks_round(tasks, true, source->tick_ns);
}

/* Threads that were named count since they were attached; those of the user, from here on. */
static bool tasks_begin(struct source *source, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

	if (tasks->roster.mode == TASKS_USER)
		roster_discover(&tasks->roster, false);
	return true;
}

static bool tasks_is_finished(const struct source *source)
{
	const struct tasks *tasks = tasks_of(source);

	return tasks->roster.mode != TASKS_USER && tasks->roster.watched_count == 0;
}

static bool tasks_attach(struct source *source, int32_t pid, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

	return roster_find(&tasks->roster, pid) || roster_attach(&tasks->roster, pid, false, error);
}

/* Counters of this process itself, on which events are tried. */
static struct watched *own_counters(const struct tasks *tasks)
{
	return roster_find(&tasks->roster, (int32_t)getpid());
}

static void let_count(const struct tasks *tasks, bool (*change)(const struct group *group))
{
	const struct watched *own = own_counters(tasks);

	for (size_t i = 0; own && i < own->bundle.count; i++)
		if (bundle_is_open(&own->bundle, i) &&
		    tasks->roster.plan.layout.groups[i].rotation != 0)
			change(&own->bundle.groups[i]);
}

static void pause_task_counters(void *context)
{
	let_count(context, group_disable);
}

/* Waits are reported by sums, and afresh: what was waited in between was not asked for. */
static void want_delay(struct tasks *tasks, bool is_wanted)
{
	queue_report_without(&tasks->base.session, is_wanted, NULL);
	tasks->steps.has_delay = tasks->base.session.queue == QUEUE_RUN_DELAY;
	for (size_t i = 0; i < tasks->roster.watched_count && !is_wanted; i++)
		tasks->roster.watched[i]->delay_was_reported = false;
}

static bool tasks_prepare(struct source *source, const struct event_set *events,
			  struct error *error)
{
	struct tasks *tasks = tasks_of(source);
	struct error unasked = {0};
	struct plan next;
	bool is_ready;

	error = error ? error : &unasked;
	plan_copy(&next, &tasks->roster.plan);
	is_ready = plan_change(&next, events, &tasks->trials, error);
	let_count(tasks, group_enable);
	if (is_ready)
		is_ready = roster_prepare(&tasks->roster, &next, error);
	else
		plan_fini(&next);
	trials_end(&tasks->trials);
	return is_ready;
}

static bool tasks_change(struct source *source, const struct event_set *events, struct error *error)
{
	struct tasks *tasks = tasks_of(source);
	struct roster *roster = &tasks->roster;

	if (!roster->has_next && !tasks_prepare(source, events, error))
		return false;
	roster_commit(roster);
	layout_fini(&source->layout);
	layout_copy(&source->layout, &roster->plan.layout);
	plan_describe_pmus(&roster->plan, tasks->host, &source->session);
	sampling_follow_listed(&tasks->sampling);
	want_delay(tasks, events->scheduler);
	return true;
}

static bool tasks_sample(struct source *source, const struct source_samples *samples,
			 struct error *error)
{
	return sampling_take(&tasks_of(source)->sampling, samples, error);
}

static const struct event_spec *tasks_spec(const struct source *source, size_t group, size_t member)
{
	return plan_spec_at(&tasks_of(source)->roster.plan, group, member);
}

static void tasks_destroy(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	sampling_stop(&tasks->sampling);
	roster_fini(&tasks->roster);
	heap_fini(&tasks->heap);
	if (tasks->base.poll_fd >= 0)
		close(tasks->base.poll_fd);
	thread_fini(&tasks->steps);
	trials_end(&tasks->trials);
	layout_fini(&source->layout);
	free(tasks);
}

static const struct source_ops tasks_ops = {
	.destroy = tasks_destroy,
	.begin = tasks_begin,
	.drain = tasks_drain,
	.tick = tasks_tick,
	.next = tasks_next,
	.is_finished = tasks_is_finished,
	.attach = tasks_attach,
	.prepare = tasks_prepare,
	.change = tasks_change,
	.sample = tasks_sample,
	.spec = tasks_spec,
};

static void describe_tasks(struct tasks *tasks, const struct tasks_request *request)
{
	struct session *session = &tasks->base.session;
	struct error unmeasured = {0};

	error_set(&unmeasured, ERROR_COST_TASKS, NULL, NULL);
	snprintf(session->cost_reason, sizeof(session->cost_reason), "%s", unmeasured.text);
	session->scope = SCOPE_TASKS;
	session->is_live = true;
	session->wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	snprintf(session->scope_words, sizeof(session->scope_words), "%s", request->scope_words);
	plan_describe_pmus(&tasks->roster.plan, tasks->host, session);
	want_delay(tasks, request->events->scheduler);
}

/* The plan is tried on this process itself: what is available for it is available for others. */
static bool make_task_plan(struct tasks *tasks, const struct tasks_request *request,
			   struct error *error)
{
	const struct host *host = request->host;
	const struct plan_setup setup = {
		.pmus = request->core_pmus,
		.pmu_count = request->core_pmu_count < LAYOUT_KINDS_MAX ? request->core_pmu_count
									: LAYOUT_KINDS_MAX,
		.targets = &tasks->roster.target,
		.target_count = 1,
	};

	tasks->roster.target = (struct group_target){
		.leader = GROUP_LEADER_TASK,
		.pid = 0,
		.cpu = -1,
		.exclude_kernel = host->paranoid >= 2 && !host->has_cap_perfmon,
	};
	if (!plan_make(&tasks->roster.plan, &setup, request->events, &tasks->trials, error))
		return false;
	layout_copy(&tasks->base.layout, &tasks->roster.plan.layout);
	return true;
}

/* Cycles of different cores are no common measure. */
static void init_sampling(struct tasks *tasks, const struct tasks_request *request)
{
	tasks->sampling = (struct sampling){
		.host = request->host,
		.features = request->features,
		.session = &tasks->base.session,
		.exclude_kernel = tasks->roster.target.exclude_kernel,
		.list = list_sampled_tasks,
		.source = tasks,
		.has_cycles = request->core_pmu_count == 1,
		.epoll_fd = tasks->base.poll_fd,
	};
}

static bool attach_all(struct tasks *tasks, const struct tasks_request *request,
		       struct error *error)
{
	for (size_t i = 0; i < request->pid_count; i++)
		if (!roster_attach(&tasks->roster, request->pids[i], request->mode == TASKS_COMMAND,
				   error))
			return false;
	return true;
}

struct source *tasks_create(const struct tasks_request *request, struct error *error)
{
	struct tasks *tasks = xcalloc(1, sizeof(*tasks));

	tasks->base.ops = &tasks_ops;
	tasks->host = request->host;
	tasks->features = request->features;
	tasks->trials = (struct trials){
		.host = request->host,
		.features = request->features,
		.pause = pause_task_counters,
		.context = tasks,
	};
	tasks->base.tick_ns = sys_now_ns();
	tasks->base.counting_share = 1; /* it cannot be limited */
	tasks->format = attr_decode_format(request->features);
	tasks->offsets = sample_offsets_of(&tasks->format);
	tasks->base.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	tasks->steps = (struct thread_steps){.roster = &tasks->roster};
	roster_init(&tasks->roster, request, tasks->base.poll_fd, &tasks->base.session);
	if (tasks->base.poll_fd < 0) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_create1", errno);
		goto failed;
	}
	if (!make_task_plan(tasks, request, error))
		goto failed;
	describe_tasks(tasks, request);
	init_sampling(tasks, request);
	if (!attach_all(tasks, request, error))
		goto failed;
	trials_end(&tasks->trials);
	return &tasks->base;
failed:
	tasks_destroy(&tasks->base);
	return NULL;
}
