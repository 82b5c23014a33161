/*
 * Lanes are merged by time: a heap holds those that have something to deliver, the one
 * with the oldest record on top. Order between CPUs matters little to the model (births before
 * the newborn runs elsewhere), order within a CPU is exact by itself.
 *
 * CPUs that come and go are followed at the tick; until then they make absences doubtful.
 */
#include "source/cpus.h"

#include <errno.h>
#include <sched.h>
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
#include "kernel/event/event.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/kinds.h"
#include "source/lane.h"
#include "source/plan.h"
#include "source/scheduler.h"

enum {
	TURN_MS = 100, /* how long a group of counters keeps its turn, and the rings are left alone
			  at most */
	SPARE_DESCRIPTORS =
		24 /* left for the terminal, /proc and the like when descriptors run out */
};

struct cpus {
	struct source base;
	const struct host *host;
	const struct attr_features *features;
	const struct number_list *only;
	struct trials *trials; /* owned */
	struct plan plan;
	struct kinds kinds;
	struct scheduler scheduler;
	bool has_begun;
	struct decode_format format;
	struct lane **lanes; /* owned; ascending by CPU */
	size_t lane_count, lane_capacity;
	struct lane **heap; /* lanes of this round by time, borrowed */
	size_t heap_count;
	bool top_was_used; /* the heap's first lane has delivered and moves on at the next call */
	bool in_round;
	uint64_t round_ns; /* before anything of this round was looked at */
	bool has_lost;     /* since the last tick: who runs is unknown where it happened */
	size_t ring_bytes;
	int epoll_fd; /* rings and the timer */
	int timer_fd;
	struct number_list online; /* as of the last look */
	struct record *notices;    /* owned; records of our own: CPUs that came or went */
	size_t notice_count, notice_capacity, notice_next;
};

static struct cpus *cpus_of(const struct source *source)
{
	return (struct cpus *)source;
}

size_t cpus_ring_bytes(const struct host *host, size_t cpu_count)
{
	const uint64_t most = 512ull << 20, each_most = 16ull << 20;
	uint64_t total = host->memory_bytes / 64 < most ? host->memory_bytes / 64 : most;
	uint64_t each = total / (cpu_count > 0 ? cpu_count : 1);
	size_t bytes = LANE_RING_MIN;

	while (bytes * 2 <= each && bytes * 2 <= each_most)
		bytes *= 2;
	return bytes;
}

static int ring_descriptor(const struct lane *lane)
{
	return lane->bundle.groups[lane->clock].leader_fd;
}

static bool watch_ring(struct cpus *cpus, struct lane *lane)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = lane};

	return epoll_ctl(cpus->epoll_fd, EPOLL_CTL_ADD, ring_descriptor(lane), &event) == 0;
}

/* Opens a CPU and adds its lane; the lanes stay in ascending order. */
static bool add_lane(struct cpus *cpus, int cpu, struct error *error)
{
	const struct lane_request request = {
		.plan = &cpus->plan,
		.features = cpus->features,
		.host = cpus->host,
		.cpu = cpu,
		.kind = kinds_of(&cpus->kinds, cpu),
		.ring_bytes = cpus->ring_bytes,
	};
	struct lane *lane = xcalloc(1, sizeof(*lane));
	size_t place = cpus->lane_count;

	if (!lane_open(lane, &request, &cpus->ring_bytes, error)) {
		free(lane);
		return false;
	}
	if (!watch_ring(cpus, lane)) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_ctl", errno);
		lane_close(lane);
		free(lane);
		return false;
	}
	array_reserve(&cpus->lanes, &cpus->lane_capacity, cpus->lane_count + 1,
		      sizeof(*cpus->lanes));
	while (place > 0 && cpus->lanes[place - 1]->cpu > cpu) {
		cpus->lanes[place] = cpus->lanes[place - 1];
		place--;
	}
	cpus->lanes[place] = lane;
	cpus->lane_count++;
	cpus->heap = xrealloc(cpus->heap, cpus->lane_count, sizeof(struct lane *));
	return true;
}

static void remove_lane(struct cpus *cpus, size_t index)
{
	struct lane *lane = cpus->lanes[index];

	epoll_ctl(cpus->epoll_fd, EPOLL_CTL_DEL, ring_descriptor(lane), NULL);
	lane_close(lane);
	free(lane);
	cpus->lane_count--;
	memmove(&cpus->lanes[index], &cpus->lanes[index + 1],
		(cpus->lane_count - index) * sizeof(struct lane *));
}

static void notice(struct cpus *cpus, enum record_kind kind, int cpu)
{
	array_reserve(&cpus->notices, &cpus->notice_capacity, cpus->notice_count + 1,
		      sizeof(*cpus->notices));
	cpus->notices[cpus->notice_count++] = (struct record){
		.kind = kind,
		.cpu = cpu,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = sys_now_ns(),
	};
}

static bool is_wanted(const struct cpus *cpus, int cpu)
{
	return cpus->only == NULL || number_list_has(cpus->only, cpu);
}

static struct lane *find_lane(const struct cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->lane_count; i++) {
		if (cpus->lanes[i]->cpu == cpu)
			return cpus->lanes[i];
	}
	return NULL;
}

/*
 * Runs on every watched CPU for a moment: who runs there is unknown until its first switch,
 * and our coming makes one. CPUs that are isolated are left in peace.
 */
static void visit_all(const struct cpus *cpus)
{
	int highest = cpus->lane_count > 0 ? cpus->lanes[cpus->lane_count - 1]->cpu : 0;
	size_t count =
		(size_t)highest + 1 + CPU_SETSIZE; /* the kernel's mask may be longer than ours */
	size_t bytes = CPU_ALLOC_SIZE(count);
	cpu_set_t *here = CPU_ALLOC(count);
	cpu_set_t *before = CPU_ALLOC(count);

	if (here == NULL || before == NULL || sched_getaffinity(0, bytes, before) != 0)
		goto out;
	for (size_t i = 0; i < cpus->lane_count; i++) {
		int cpu = cpus->lanes[i]->cpu;

		if (number_list_has(&cpus->host->isolated, cpu))
			continue;
		CPU_ZERO_S(bytes, here);
		CPU_SET_S((size_t)cpu, bytes, here);
		sched_setaffinity(0, bytes, here);
	}
	sched_setaffinity(0, bytes, before);
out:
	CPU_FREE(here);
	CPU_FREE(before);
}

static bool same_numbers(const struct number_list *a, const struct number_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		memcmp(a->numbers, b->numbers, a->count * sizeof(*a->numbers)) == 0);
}

/* Lets go of lanes whose CPU has gone, and of those whose events died with it. */
static bool drop_lanes(struct cpus *cpus)
{
	size_t before = cpus->lane_count;

	for (size_t i = cpus->lane_count; i-- > 0;) {
		int cpu = cpus->lanes[i]->cpu;

		if (number_list_has(&cpus->online, cpu) && !cpus->lanes[i]->is_dead)
			continue;
		notice(cpus, RECORD_CPU_OFFLINE, cpu);
		remove_lane(cpus, i);
	}
	return cpus->lane_count != before;
}

/* Tasks that leave the watched CPUs are out of sight, not asleep. */
static void note_watched(struct cpus *cpus)
{
	struct session *session = &cpus->base.session;

	session->cpu_count = (int)cpus->lane_count;
	session->is_partial = cpus->lane_count < cpus->online.count;
}

static void add_lanes(struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->online.count; i++) {
		int cpu = cpus->online.numbers[i];
		struct lane *lane;

		if (!is_wanted(cpus, cpu) || find_lane(cpus, cpu) != NULL ||
		    !add_lane(cpus, cpu, NULL))
			continue;
		lane = find_lane(cpus, cpu);
		notice(cpus, RECORD_CPU_ONLINE, cpu);
		lane_enable(lane, cpus->features);
		scheduler_add(&cpus->scheduler, cpus->lanes, cpus->lane_count, lane,
			      &cpus->base.session);
	}
}

/*
 * On a CPU that has come tasks run unseen until the next tick. To be called after a round's
 * beginning was taken: what ran there then is not told of in an earlier round.
 */
static void expect_strangers(struct cpus *cpus)
{
	struct number_list online;

	if (!host_read_online(&online, ""))
		return;
	if (!same_numbers(&online, &cpus->online))
		notice(cpus, RECORD_LOST, RECORD_CPU_NONE);
	number_list_fini(&online);
}

/* Brings the lanes in line with the CPUs that are online now. */
static void follow_hotplug(struct cpus *cpus)
{
	struct number_list online;
	bool changed;

	if (!host_read_online(&online, ""))
		return;
	changed = !same_numbers(&online, &cpus->online);
	number_list_fini(&cpus->online);
	cpus->online = online;
	if (!drop_lanes(cpus) && !changed)
		return;
	add_lanes(cpus);
	visit_all(cpus);
	note_watched(cpus);
}

static bool is_before(const struct lane *a, const struct lane *b)
{
	return lane_next_time(a) < lane_next_time(b);
}

static void heap_sift_down(struct cpus *cpus, size_t i)
{
	struct lane **heap = cpus->heap;

	for (;;) {
		size_t first = i, left = 2 * i + 1, right = 2 * i + 2;
		struct lane *lane = heap[i];

		if (left < cpus->heap_count && is_before(heap[left], heap[first]))
			first = left;
		if (right < cpus->heap_count && is_before(heap[right], heap[first]))
			first = right;
		if (first == i)
			return;
		heap[i] = heap[first];
		heap[first] = lane;
		i = first;
	}
}

/* The lane on top goes on to its next record, or leaves the heap when it has none. */
static void heap_advance(struct cpus *cpus)
{
	if (!lane_has_next(cpus->heap[0], &cpus->format))
		cpus->heap[0] = cpus->heap[--cpus->heap_count];
	if (cpus->heap_count > 0)
		heap_sift_down(cpus, 0);
}

/* How full the fullest ring is. */
static double highest_fill(const struct cpus *cpus)
{
	double highest = 0;

	for (size_t i = 0; i < cpus->lane_count; i++) {
		double fill = lane_fill(cpus->lanes[i]);

		highest = fill > highest ? fill : highest;
	}
	return highest;
}

/*
 * The kernel says that records are lost when it has room again, which is behind what other CPUs
 * have told meanwhile. So whenever a ring is full nothing is taken for granted that was told of
 * absences up to now; who runs on that CPU is another matter, and stays until it does say so.
 */
static void expect_losses(struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->lane_count; i++) {
		if (!lane_may_lose(cpus->lanes[i]))
			continue;
		notice(cpus, RECORD_LOST, RECORD_CPU_NONE);
		return;
	}
}

/*
 * start_ns: before the first CPU was looked at. Whatever happened earlier is told in this round,
 * and nothing later is: the rings are looked at one after the other, and of a task that moves
 * meanwhile its coming would be told and its leaving not yet. In a round that ends an interval each
 * CPU goes on to where it was read. Without clockid records are stamped by another clock than ours.
 */
static void begin_round(struct cpus *cpus, uint64_t start_ns)
{
	const uint64_t until_ns = cpus->features->clockid ? start_ns : UINT64_MAX;

	cpus->round_ns = start_ns;
	cpus->base.backlog = highest_fill(cpus);
	expect_losses(cpus);
	cpus->heap_count = 0;
	for (size_t i = 0; i < cpus->lane_count; i++) {
		lane_begin(cpus->lanes[i], until_ns);
		if (lane_has_next(cpus->lanes[i], &cpus->format))
			cpus->heap[cpus->heap_count++] = cpus->lanes[i];
	}
	for (size_t i = cpus->heap_count / 2; i-- > 0;)
		heap_sift_down(cpus, i);
	cpus->top_was_used = false;
	cpus->in_round = true;
}

static void end_round(struct cpus *cpus)
{
	if (!cpus->in_round)
		return;
	cpus->notice_count = cpus->notice_next = 0;
	expect_losses(cpus); /* to be told first in the next round */
	for (size_t i = 0; i < cpus->lane_count; i++)
		lane_end(cpus->lanes[i]);
	cpus->in_round = false;
	if (cpus->round_ns > cpus->base.settled_ns)
		cpus->base.settled_ns = cpus->round_ns;
}

/* The record's pointers lead into its lane, so that lane moves on only at the next call. */
static bool cpus_next(struct source *source, struct record *record)
{
	struct cpus *cpus = cpus_of(source);

	if (cpus->notice_next < cpus->notice_count) {
		*record = cpus->notices[cpus->notice_next++];
		return true;
	}
	for (;;) {
		if (cpus->top_was_used)
			heap_advance(cpus);
		cpus->top_was_used = cpus->heap_count > 0;
		if (!cpus->top_was_used)
			break;
		if (!lane_next(cpus->heap[0], record))
			continue;
		cpus->has_lost = cpus->has_lost || record->kind == RECORD_LOST;
		return true;
	}
	end_round(cpus);
	return false;
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
	if (sys_read(cpus->timer_fd, &expirations, sizeof(expirations)) > 0) {
		for (size_t i = 0; i < cpus->lane_count; i++)
			lane_rotate(cpus->lanes[i], cpus->features);
	}
	start_ns = sys_now_ns();
	expect_strangers(cpus);
	begin_round(cpus, start_ns);
}

static void cpus_tick(struct source *source)
{
	struct cpus *cpus = cpus_of(source);

	follow_hotplug(cpus);
	if (cpus->has_lost)
		visit_all(cpus);
	cpus->has_lost = false;
	source->tick_ns = sys_now_ns();
	for (size_t i = 0; i < cpus->lane_count; i++)
		lane_mark(cpus->lanes[i], cpus->features);
	begin_round(cpus, source->tick_ns);
}

/*
 * The timer gives each group its turn (a longer one on many CPUs: each change interrupts
 * every one of them), and lets newly seen tasks be known soon: the name of one that
 * was there before us can be asked for only as long as it lives.
 */
static bool start_timer(struct cpus *cpus, struct error *error)
{
	long ms = TURN_MS + (long)cpus->lane_count;
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

	for (size_t i = 0; i < cpus->lane_count; i++) {
		if (!lane_enable(cpus->lanes[i], cpus->features))
			return error_set(error, ERROR_SYSTEM, "counters",
					 "the kernel does not enable them");
	}
	cpus->has_begun = true;
	visit_all(cpus);
	return start_timer(cpus, error);
}

static int cpus_poll_fd(const struct source *source)
{
	return cpus_of(source)->epoll_fd;
}

static bool cpus_is_finished(const struct source *source)
{
	(void)source;
	return false;
}

static bool cpus_attach(struct source *source, int32_t pid, struct error *error)
{
	char text[16];

	(void)source;
	if (proc_owner(pid) >= 0)
		return true;
	snprintf(text, sizeof(text), "%d", pid);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}

/* A CPU can go between the look at the list and the open; the tick will see it. */
static bool is_still_online(int cpu)
{
	struct number_list online;
	bool result;

	if (!host_read_online(&online, ""))
		return true;
	result = number_list_has(&online, cpu);
	number_list_fini(&online);
	return result;
}

/* The first CPU of a kind that is watched now; NULL: none is. */
static struct lane *first_of_kind(const struct cpus *cpus, size_t kind)
{
	for (size_t i = 0; i < cpus->lane_count; i++) {
		if (cpus->lanes[i]->kind == kind)
			return cpus->lanes[i];
	}
	return NULL;
}

/* Events are tried on CPUs that are there. */
static void choose_targets(const struct cpus *cpus, struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.kind_count; i++) {
		const struct lane *lane = first_of_kind(cpus, i);

		if (lane != NULL)
			plan->targets[i].cpu = lane->cpu;
	}
}

static void pause_counters(void *context)
{
	struct cpus *cpus = context;

	for (size_t i = 0; i < cpus->plan.layout.kind_count; i++) {
		struct lane *lane = first_of_kind(cpus, i);

		if (lane != NULL)
			lane_pause(lane);
	}
}

static void resume_counters(struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->lane_count; i++)
		lane_resume(cpus->lanes[i], cpus->features);
}

/* A CPU that has gone meanwhile; should it be back at the next tick, it is found then. */
static void let_go(struct cpus *cpus, size_t index)
{
	notice(cpus, RECORD_CPU_OFFLINE, cpus->lanes[index]->cpu);
	remove_lane(cpus, index);
	number_list_fini(&cpus->online);
}

static void abandon_lanes(struct cpus *cpus, size_t count, const struct lane_change *change)
{
	while (count-- > 0)
		lane_abandon(cpus->lanes[count], change);
}

static bool prepare_lanes(struct cpus *cpus, const struct lane_change *change, struct error *error)
{
	size_t prepared = 0;

	while (prepared < cpus->lane_count) {
		struct error reason = {0};

		if (lane_prepare(cpus->lanes[prepared], change, &reason)) {
			prepared++;
		} else if (!is_still_online(cpus->lanes[prepared]->cpu)) {
			let_go(cpus, prepared);
		} else {
			*error = reason;
			abandon_lanes(cpus, prepared, change);
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

/* The plan that all lanes follow now takes the place of the old one. */
static void adopt_plan(struct cpus *cpus, struct plan *plan)
{
	plan_fini(&cpus->plan);
	cpus->plan = *plan;
	layout_fini(&cpus->base.layout);
	layout_copy(&cpus->base.layout, &cpus->plan.layout);
	describe_pmu(cpus, &cpus->base.session);
}

static bool cpus_change(struct source *source, const struct event_request *events,
			struct error *error)
{
	struct cpus *cpus = cpus_of(source);
	struct error unasked = {0};
	struct plan next;
	const struct lane_change change = {
		.before = &cpus->plan,
		.after = &next,
		.features = cpus->features,
		.host = cpus->host,
		.ring_bytes = cpus->ring_bytes,
	};

	error = error != NULL ? error : &unasked;
	plan_copy(&next, &cpus->plan);
	choose_targets(cpus, &next);
	trials_begin(cpus->trials, pause_counters, cpus);
	if (!plan_change(&next, events, cpus->trials, cpus->has_begun, error) ||
	    !prepare_lanes(cpus, &change, error)) {
		plan_fini(&next);
		resume_counters(cpus);
		return false;
	}
	for (size_t i = 0; i < cpus->lane_count; i++)
		lane_commit(cpus->lanes[i], &change);
	adopt_plan(cpus, &next);
	scheduler_want(&cpus->scheduler, events->scheduler, cpus->lanes, cpus->lane_count,
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

	while (cpus->lane_count > 0)
		remove_lane(cpus, cpus->lane_count - 1);
	if (cpus->timer_fd >= 0)
		close(cpus->timer_fd);
	if (cpus->epoll_fd >= 0)
		close(cpus->epoll_fd);
	free(cpus->lanes);
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
	for (size_t i = 0; i < cpus->online.count; i++) {
		if (is_wanted(cpus, cpus->online.numbers[i]))
			return true;
	}
	return false;
}

/* Too few descriptors for every CPU: some are given back, and the user is told. */
static void settle_for_less(struct cpus *cpus, const struct error *error)
{
	struct session *session = &cpus->base.session;
	size_t spare = SPARE_DESCRIPTORS / (plan_descriptors(&cpus->plan, 0) + 1) + 1;

	while (spare-- > 0 && cpus->lane_count > 1)
		remove_lane(cpus, cpus->lane_count - 1);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "%s", error->text);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", error->remedy);
}

static bool open_lanes(struct cpus *cpus, struct error *error)
{
	for (size_t i = 0; i < cpus->online.count; i++) {
		int cpu = cpus->online.numbers[i];
		struct error reason = {0};

		if (!is_wanted(cpus, cpu) || add_lane(cpus, cpu, &reason) || !is_still_online(cpu))
			continue;
		if (reason.code != ERROR_PERF_FD_LIMIT || cpus->lane_count == 0) {
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
	struct number_list watched = {0};
	char numbers[128];

	session->scope = SCOPE_SYSTEM;
	session->is_live = true;
	session->topology = &cpus->host->topology;
	note_watched(cpus);
	session->wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns();
	describe_pmu(cpus, session);
	if (cpus->only == NULL && session->scope_reason[0] == '\0') {
		snprintf(session->scope_words, sizeof(session->scope_words), "whole machine");
		return;
	}
	watched.numbers = xcalloc(cpus->lane_count, sizeof(*watched.numbers));
	for (size_t i = 0; i < cpus->lane_count; i++)
		watched.numbers[watched.count++] = cpus->lanes[i]->cpu;
	number_list_format(&watched, numbers, sizeof(numbers));
	snprintf(session->scope_words, sizeof(session->scope_words), "CPU %s", numbers);
	number_list_fini(&watched);
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
	cpus->format = attr_decode_format(request->features);
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
	if (!open_lanes(cpus, error))
		goto failed;
	describe(cpus);
	scheduler_want(&cpus->scheduler, request->events->scheduler, cpus->lanes, cpus->lane_count,
		       &cpus->base.session);
	return &cpus->base;
failed:
	cpus_destroy(&cpus->base);
	return NULL;
}
