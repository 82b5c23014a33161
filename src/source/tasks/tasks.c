/*
 * The source's life: threads that were chosen are watched (roster.h), what they count is changed
 * for all of them or for none, and each round delivers it (round.c).
 */
#include "source/tasks/tasks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/attr.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/queue.h"
#include "source/tasks/parts.h"
#include "source/tasks/roster.h"

#include "event/event.h"

enum {
	EPOLL_BATCH = 64
};

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
	tasks_begin_round(tasks, false, sys_now_ns());
}

static void tasks_tick(struct source *source)
{
	struct tasks *tasks = tasks_of(source);

	roster_discover(&tasks->roster, true);
	roster_find_the_dead(&tasks->roster);
	source->tick_ns = sys_now_ns();
	tasks->roster.tick_ns = source->tick_ns;
	tasks_begin_round(tasks, true, source->tick_ns);
}

/* Threads that were named count since they were attached; those of the user, from here on. */
static bool tasks_begin(struct source *source, struct error *error)
{
	struct tasks *tasks = tasks_of(source);

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

	return roster_find(&tasks->roster, pid) || roster_attach(&tasks->roster, pid, false, error);
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

	for (size_t i = 0; own && i < own->bundle.count; i++)
		if (is_turn(tasks, i) && bundle_is_open(&own->bundle, i))
			group_disable(&own->bundle.groups[i]);
}

static void resume_counters(const struct tasks *tasks)
{
	const struct watched *own = own_counters(tasks);

	for (size_t i = 0; own && i < own->bundle.count; i++)
		if (is_turn(tasks, i) && bundle_is_open(&own->bundle, i))
			group_enable(&own->bundle.groups[i]);
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
		struct tasks_fresh *fresh;

		if ((step != PLAN_OPEN && step != PLAN_SHRINK) ||
		    !bundle_is_open(&watched->bundle, i))
			continue;
		array_reserve(&tasks->fresh, &tasks->fresh_capacity, tasks->fresh_count + 1,
			      sizeof(*tasks->fresh));
		fresh = &tasks->fresh[tasks->fresh_count];
		*fresh = (struct tasks_fresh){
			.pid = watched->pid, .tid = watched->tid, .group = (uint16_t)i};
		if (step == PLAN_OPEN ||
		    group_read(&watched->bundle.groups[i], tasks->features, &fresh->reading))
			tasks->fresh_count++;
	}
}

/* Waits are reported by sums, and afresh: what was waited in between was not asked for. */
static void want_delay(struct tasks *tasks, bool is_wanted)
{
	queue_report_without(&tasks->base.session, is_wanted, NULL);
	tasks->has_delay = tasks->base.session.queue == QUEUE_RUN_DELAY;
	for (size_t i = 0; i < tasks->roster.watched_count && !is_wanted; i++)
		tasks->roster.watched[i]->delay_was_reported = false;
}

static bool tasks_change(struct source *source, const struct event_set *events, struct error *error)
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

/* The plan is tried on this process itself: what is available for it is available for others. */
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
	tasks->trials = trials_create(request->host, request->features);
	tasks->base.tick_ns = sys_now_ns();
	tasks->format = attr_decode_format(request->features);
	tasks->offsets = sample_offsets_of(&tasks->format);
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
