/*
 * The source's life: it opens a stream (cpu_stream.h) for each CPU (cpu_streams.c), lets them count
 * and take turns, has their records merged (round.c), and changes what is counted on all of them or
 * on none.
 */
#include "source/cpus/cpus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "base/error.h"
#include "base/list.h"
#include "base/memory.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_stream.h"
#include "source/cpus/kinds.h"
#include "source/cpus/parts.h"
#include "source/cpus/scheduler.h"
#include "source/plan/plan.h"

#include "event/event.h"

enum {
	TURN_MS = 100, /* how long a group of counters keeps its turn, and the rings are left alone
			  at most */
	SPARE_DESCRIPTORS =
		24 /* left for the terminal, /proc and the like when descriptors run out */
};

size_t cpus_ring_bytes(const struct host *host, size_t cpu_count)
{
	const uint64_t most = 512ull << 20, each_most = 16ull << 20;
	uint64_t total = host->memory_bytes / 64 < most ? host->memory_bytes / 64 : most;
	const uint64_t cpus = cpu_count > 0 ? cpu_count : 1;
	const uint64_t each = total / cpus, lockable = host_ring_memory_bytes(host) / cpus;
	size_t bytes = CPU_STREAM_RING_MIN;

	while (bytes * 2 <= each && bytes * 2 <= each_most &&
	       bytes * 2 + host->page_bytes <= lockable)
		bytes *= 2;
	return bytes;
}

static void cpus_drain(struct source *source)
{
	struct cpus *cpus = cpus_of(source);
	struct epoll_event events[16];
	uint64_t expirations, start_ns;
	int count;

	/* poll clears the rings' readiness, and all of them are drained below */
	do {
		count = epoll_wait(cpus->epoll_fd, events, 16, 0);
	} while (count == 16);
	if (sys_read(cpus->timer_fd, &expirations, sizeof(expirations)) > 0)
		for (size_t i = 0; i < cpus->stream_count; i++)
			cpu_stream_rotate(cpus->streams[i], cpus->features);
	start_ns = sys_now_ns();
	cpus_expect_pending_pids(cpus);
	cpus_begin_round(cpus, start_ns);
}

static void cpus_tick(struct source *source)
{
	struct cpus *cpus = cpus_of(source);

	cpus_follow_hotplug(cpus);
	if (cpus->has_lost)
		cpus_visit_silent(cpus);
	cpus->has_lost = false;
	source->tick_ns = sys_now_ns();
	for (size_t i = 0; i < cpus->stream_count; i++)
		cpu_stream_mark(cpus->streams[i], cpus->features);
	cpus_begin_round(cpus, source->tick_ns);
}

/*
 * The timer gives each group its turn (a longer one on many CPUs: each change interrupts
 * every one of them), and lets newly seen tasks be known soon: the name of one that
 * was there before us can be asked for only as long as it lives.
 */
static bool start_timer(struct cpus *cpus, struct error *error)
{
	long ms = TURN_MS + (long)cpus->stream_count;
	const struct timespec turn = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	const struct itimerspec period = {.it_value = turn, .it_interval = turn};
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};

	cpus->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (cpus->timer_fd < 0 || timerfd_settime(cpus->timer_fd, 0, &period, NULL) != 0 ||
	    epoll_ctl(cpus->epoll_fd, EPOLL_CTL_ADD, cpus->timer_fd, &event) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "timerfd", errno);
	return true;
}

static bool cpus_begin(struct source *source, struct error *error)
{
	struct cpus *cpus = cpus_of(source);

	for (size_t i = 0; i < cpus->stream_count; i++) {
		if (!cpu_stream_enable(cpus->streams[i], cpus->features))
			return error_set(error, ERROR_SYSTEM, "counters",
					 "the kernel does not enable them");
	}
	cpus->has_begun = true;
	cpus_visit_silent(cpus);
	return start_timer(cpus, error);
}

static int cpus_poll_fd(const struct source *source)
{
	return cpus_of(source)->epoll_fd;
}

static bool cpus_is_finished(const struct source *source)
{
	return false;
}

static bool cpus_attach(struct source *source, int32_t pid, struct error *error)
{
	char text[16];

	if (proc_owner(pid) >= 0)
		return true;
	snprintf(text, sizeof(text), "%d", pid);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}

/* The first CPU of a kind that is watched now; NULL: none is. */
static struct cpu_stream *first_of_kind(const struct cpus *cpus, size_t kind)
{
	for (size_t i = 0; i < cpus->stream_count; i++)
		if (cpus->streams[i]->kind == kind)
			return cpus->streams[i];
	return NULL;
}

/* Events are tried on CPUs that are there. */
static void choose_targets(const struct cpus *cpus, struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.kind_count; i++) {
		const struct cpu_stream *stream = first_of_kind(cpus, i);

		if (stream)
			plan->targets[i].cpu = stream->cpu;
	}
}

static void pause_counters(void *context)
{
	struct cpus *cpus = context;

	for (size_t i = 0; i < cpus->plan.layout.kind_count; i++) {
		struct cpu_stream *stream = first_of_kind(cpus, i);

		if (stream)
			cpu_stream_pause(stream);
	}
}

static void resume_counters(struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->stream_count; i++)
		cpu_stream_resume(cpus->streams[i], cpus->features);
}

static void abandon_streams(struct cpus *cpus, size_t count, const struct cpu_stream_change *change)
{
	while (count-- > 0)
		cpu_stream_abandon(cpus->streams[count], change);
}

static bool prepare_streams(struct cpus *cpus, const struct cpu_stream_change *change,
			    struct error *error)
{
	size_t prepared = 0;

	while (prepared < cpus->stream_count) {
		struct error reason = {0};

		if (cpu_stream_prepare(cpus->streams[prepared], change, &reason)) {
			prepared++;
		} else if (!cpus_is_still_online(cpus->streams[prepared]->cpu)) {
			cpus_let_go(cpus, prepared);
		} else {
			*error = reason;
			abandon_streams(cpus, prepared, change);
			return false;
		}
	}
	return true;
}

static void describe_pmu(const struct cpus *cpus, struct session *session)
{
	session->has_pmu = plan_has_hardware(&cpus->plan);
	if (session->has_pmu)
		plan_describe_pmus(&cpus->plan, session->pmu_words, sizeof(session->pmu_words));
	else
		host_explain_no_pmu(cpus->host, session->pmu_words, sizeof(session->pmu_words));
}

/* The plan that all streams follow now takes the place of the old one. */
static void adopt_plan(struct cpus *cpus, struct plan *plan)
{
	plan_fini(&cpus->plan);
	cpus->plan = *plan;
	layout_fini(&cpus->base.layout);
	layout_copy(&cpus->base.layout, &cpus->plan.layout);
	describe_pmu(cpus, &cpus->base.session);
}

static bool cpus_change(struct source *source, const struct event_set *events, struct error *error)
{
	struct cpus *cpus = cpus_of(source);
	struct error unasked = {0};
	struct plan next;
	const struct cpu_stream_change change = {
		.before = &cpus->plan,
		.after = &next,
		.features = cpus->features,
		.host = cpus->host,
		.ring_bytes = cpus->ring_bytes,
	};

	error = error ? error : &unasked;
	plan_copy(&next, &cpus->plan);
	choose_targets(cpus, &next);
	trials_begin(cpus->trials, pause_counters, cpus);
	if (!plan_change(&next, events, cpus->trials, cpus->has_begun, error) ||
	    !prepare_streams(cpus, &change, error)) {
		plan_fini(&next);
		resume_counters(cpus);
		return false;
	}
	for (size_t i = 0; i < cpus->stream_count; i++)
		cpu_stream_commit(cpus->streams[i], &change);
	adopt_plan(cpus, &next);
	scheduler_want(&cpus->scheduler, events->scheduler, cpus->streams, cpus->stream_count,
		       &cpus->base.session);
	return true;
}

static const struct event_spec *cpus_spec(const struct source *source, size_t group, size_t member)
{
	return plan_spec_at(&cpus_of(source)->plan, group, member);
}

static void cpus_destroy(struct source *source)
{
	struct cpus *cpus = cpus_of(source);

	while (cpus->stream_count > 0)
		cpus_remove_stream(cpus, cpus->stream_count - 1);
	if (cpus->timer_fd >= 0)
		close(cpus->timer_fd);
	if (cpus->epoll_fd >= 0)
		close(cpus->epoll_fd);
	free(cpus->streams);
	free(cpus->heap);
	free(cpus->notices);
	number_list_fini(&cpus->online);
	kinds_fini(&cpus->kinds);
	plan_fini(&cpus->plan);
	trials_destroy(cpus->trials);
	layout_fini(&cpus->base.layout);
	free(cpus);
}

static const struct source_ops cpus_ops = {
	.destroy = cpus_destroy,
	.begin = cpus_begin,
	.drain = cpus_drain,
	.tick = cpus_tick,
	.next = cpus_next,
	.poll_fd = cpus_poll_fd,
	.is_finished = cpus_is_finished,
	.attach = cpus_attach,
	.change = cpus_change,
	.spec = cpus_spec,
};

static bool make_plan(struct cpus *cpus, const struct cpus_request *request, struct error *error)
{
	struct plan_setup setup;

	kinds_init(&cpus->kinds, request->core_pmus, request->core_pmu_count, &cpus->online,
		   cpus->only);
	setup = kinds_setup(&cpus->kinds);
	trials_begin(cpus->trials, NULL, NULL);
	if (!plan_make(&cpus->plan, &setup, request->events, cpus->trials, error))
		return false;
	layout_copy(&cpus->base.layout, &cpus->plan.layout);
	return true;
}

static bool is_any_wanted(const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->online.count; i++)
		if (cpus_is_wanted(cpus, cpus->online.numbers[i]))
			return true;
	return false;
}

/* Too few descriptors for every CPU: some are given back, and the user is notified. */
static void settle_for_less(struct cpus *cpus, const struct error *error)
{
	size_t spare = SPARE_DESCRIPTORS / (plan_descriptors(&cpus->plan, 0) + 1) + 1;

	while (spare-- > 0 && cpus->stream_count > 1)
		cpus_remove_stream(cpus, cpus->stream_count - 1);
	cpus->unopened = *error;
}

/*
 * Other programs of this user may have taken a part of what may be locked: all rings become
 * smaller then, so that the last CPU has one too.
 */
static bool shrink_rings(struct cpus *cpus)
{
	if (cpus->ring_bytes <= CPU_STREAM_RING_MIN)
		return false;
	while (cpus->stream_count > 0)
		cpus_remove_stream(cpus, cpus->stream_count - 1);
	cpus->ring_bytes /= 2;
	return true;
}

static bool open_streams(struct cpus *cpus, struct error *error)
{
	for (size_t i = 0; i < cpus->online.count; i++) {
		int cpu = cpus->online.numbers[i];
		struct error reason = {0};

		if (!cpus_is_wanted(cpus, cpu) || cpus_add_stream(cpus, cpu, &reason) ||
		    !cpus_is_still_online(cpu))
			continue;
		if (reason.code == ERROR_PERF_MEMLOCK && shrink_rings(cpus))
			return open_streams(cpus, error);
		if (reason.code != ERROR_PERF_FD_LIMIT || cpus->stream_count == 0) {
			*error = reason;
			return false;
		}
		settle_for_less(cpus, &reason);
		break;
	}
	return true;
}

static void describe(struct cpus *cpus)
{
	struct session *session = &cpus->base.session;

	session->scope = SCOPE_SYSTEM;
	session->is_live = true;
	session->topology = &cpus->host->topology;
	session->idle_is_shared = cpus->host->in_pid_namespace;
	cpus_note_watched(cpus);
	session->wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	describe_pmu(cpus, session);
}

static struct scheduler scheduler_of(const struct cpus_request *request)
{
	const uint64_t limit = request->host->fd_limit_soft;

	return (struct scheduler){
		.host = request->host,
		.features = request->features,
		.fd_end = limit > SPARE_DESCRIPTORS ? limit - SPARE_DESCRIPTORS : 0,
	};
}

struct source *cpus_create(const struct cpus_request *request, struct error *error)
{
	struct cpus *cpus = xcalloc(1, sizeof(*cpus));

	cpus->base.ops = &cpus_ops;
	cpus->host = request->host;
	cpus->features = request->features;
	cpus->only = request->only;
	cpus->trials = trials_create(request->host, request->features);
	cpus->scheduler = scheduler_of(request);
	cpus->timer_fd = -1;
	cpus->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (cpus->epoll_fd < 0) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_create1", errno);
		goto failed;
	}
	if (!host_read_online(&cpus->online, "") || !is_any_wanted(cpus)) {
		error_set(error, ERROR_SYSTEM, "CPUs", "none of them is online");
		goto failed;
	}
	if (!make_plan(cpus, request, error))
		goto failed;
	cpus->ring_bytes = cpus_ring_bytes(request->host, cpus->online.count);
	if (!open_streams(cpus, error))
		goto failed;
	describe(cpus);
	scheduler_want(&cpus->scheduler, request->events->scheduler, cpus->streams,
		       cpus->stream_count, &cpus->base.session);
	return &cpus->base;
failed:
	cpus_destroy(&cpus->base);
	return NULL;
}
