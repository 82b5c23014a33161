/*
 * The source's life: each CPU of the set (cpu_set.h) has a stream (cpu_stream.h); they count, take
 * turns, and follow a change of what is counted, all of them or none.
 *
 * Streams are merged by time. Order between CPUs matters little to the model (births before the
 * newborn runs elsewhere), order within a CPU is exact by itself.
 */
#include "source/cpus/cpus.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <sys/epoll.h>
#include <sys/timerfd.h>

#include "base/error.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/seldom.h"
#include "kernel/cgroup_paths.h"
#include "kernel/host.h"
#include "kernel/proc.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_set.h"
#include "source/cpus/switch_cost.h"
#include "source/plan/plan.h"
#include "source/queue.h"
#include "source/sampling.h"
#include "source/thread_targets.h"

enum {
	ROTATION_MS = 100 /* how long a group of counters keeps its turn, and the rings are left
			 alone at most */
};

struct cpus {
	struct source base;
	struct trials trials;
	struct plan plan;
	struct plan next; /* owned; prepared, where has_next */
	bool has_next;
	bool is_to_split; /* at the next tick the hardware events leave the clock group */
	struct cpu_set set;
	struct sampling sampling;
	const struct target_pids *off_cpu_of; /* borrowed; NULL: all that runs */
	bool is_of_threads;                   /* it is these by themselves that are sampled */
	bool has_begun;
	struct heap heap;   /* streams of this round */
	size_t notice_next; /* of those of the set */
	bool in_round;
	bool ends_interval; /* the round does */
	uint64_t round_ns;  /* before anything of this round was looked at */
	bool has_lost;      /* since the last tick: the running task is unknown where it happened */
	struct switch_measure measure; /* before anything counts */
	struct switch_cost cost;
	struct cpus *replaced; /* until this begins: the source whose plan and cost it has; NULL */
	bool was_measuring;    /* in this interval: it had counters that others seem to have */
	double share;          /* of the time that the turns are not empty ones */
	double due;            /* of a window with counting, so far: it comes at 1 */
	bool is_resting;       /* this window is without */
	uint64_t since_ns;     /* up to then the two below are right */
	uint64_t counting_ns, passed_ns; /* since the last tick */
	int timer_fd;
};

static struct cpus *cpus_of(const struct source *source)
{
	return (struct cpus *)source;
}

size_t cpus_ring_bytes(const struct host *host, size_t cpu_count)
{
	const uint64_t most = 512ull << 20, each_most = 16ull << 20;
	uint64_t total = host->memory_bytes / 64 < most ? host->memory_bytes / 64 : most;
	const uint64_t cpus = cpu_count > 0 ? cpu_count : 1;
	/* one half is left to samples, and to the user's other programs */
	const uint64_t each = total / cpus, lockable = host_ring_memory_bytes(host) / 2 / cpus;
	size_t bytes = CPU_STREAM_RING_MIN;

	while (bytes * 2 <= each && bytes * 2 <= each_most &&
	       bytes * 2 + host->page_bytes <= lockable)
		bytes *= 2;
	return bytes;
}

/* --- what it costs the watched */

/* Whether the hardware events are in the clock group. */
static bool has_shared_clock(const struct cpus *cpus)
{
	const struct layout *layout = &cpus->plan.layout;

	return layout->groups[layout->kinds[0].clock].needs_counters;
}

/* --- windows without counting */

/* The time up to now is that of the window that goes on. */
static void note_window(struct cpus *cpus)
{
	const uint64_t now_ns = sys_now_ns(), passed_ns = now_ns - cpus->since_ns;

	cpus->since_ns = now_ns;
	cpus->passed_ns += passed_ns;
	cpus->counting_ns += cpus->is_resting ? 0 : passed_ns;
}

/* A group whose turn ends is read then. */
static bool takes_turns(const struct layout *layout)
{
	for (size_t i = 0; i < layout->group_count; i++)
		if (layout->groups[i].rotation != 0)
			return true;
	return false;
}

/* The next window: so many of them are without counting that the share is kept in the long run. */
static void begin_window(struct cpus *cpus)
{
	note_window(cpus);
	if (takes_turns(&cpus->plan.layout))
		cpu_set_glance(&cpus->set);
	cpus->due += cpus->share;
	cpus->is_resting = cpus->due < 1;
	cpus->due -= cpus->is_resting ? 0 : 1;
	for (size_t i = 0; i < cpus->set.count; i++)
		cpu_stream_rotate(cpus->set.streams[i], cpus->is_resting);
}

/* The average of the CPUs that are watched. */
static void note_switch_cost(struct cpus *cpus)
{
	const struct cpu_set *set = &cpus->set;
	double turn_ns = 0, switch_ns = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct cpu_stream *stream = set->streams[i];

		turn_ns += switch_cost_turn(&cpus->cost, &cpus->plan, stream->bundle.kind);
		switch_ns += switch_cost_always(&cpus->cost, &cpus->plan, stream->bundle.kind);
		switch_ns += stream->switches_fd >= 0 ? cpus->cost.records_ns : 0;
	}
	switch_ns += turn_ns * cpus->base.counting_share;
	cpus->base.turn_ns = set->count > 0 ? (uint64_t)(turn_ns / (double)set->count) : 0;
	cpus->base.switch_ns = set->count > 0 ? (uint64_t)(switch_ns / (double)set->count) : 0;
}

/* A sample of a wake-up or an interrupt has no reading; by count (tests/guest/scenarios/cost.sh) it
 * takes two thirds of what one with a reading does. */
static uint64_t take_sched_cost(struct cpus *cpus)
{
	double count = 0;

	for (size_t i = 0; i < cpus->set.count; i++) {
		count += (double)cpus->set.streams[i]->sched_samples;
		cpus->set.streams[i]->sched_samples = 0;
	}
	return (uint64_t)(count * cpus->cost.group_ns * 2 / 3);
}

/* What the interval that ends has cost. */
static void note_cost(struct cpus *cpus)
{
	struct source *base = &cpus->base;

	note_window(cpus);
	base->counting_share = cpus->passed_ns > 0
				       ? (double)cpus->counting_ns / (double)cpus->passed_ns
				       : !cpus->is_resting;
	cpus->counting_ns = cpus->passed_ns = 0;
	base->samples_ns = sampling_take_cost(&cpus->sampling) + take_sched_cost(cpus);
	note_switch_cost(cpus);
}

/* --- rounds */

/* How full the fullest ring is. */
static double highest_fill(const struct cpu_set *set)
{
	double highest = 0;

	for (size_t i = 0; i < set->count; i++) {
		double fill = cpu_stream_fill(set->streams[i]);

		highest = fill > highest ? fill : highest;
	}
	return highest;
}

/*
 * The kernel says that records are lost when it has room again, which is after what other CPUs have
 * reported by then. So whenever a ring is full, absences reported up to now are not relied on; the
 * task that runs on that CPU is another matter, and stays until the kernel says so.
 */
static void expect_losses(struct cpu_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		if (!cpu_stream_may_lose(set->streams[i]))
			continue;
		cpu_set_notice(set, RECORD_LOST, RECORD_CPU_NONE);
		return;
	}
}

/*
 * start_ns: before the first CPU was looked at. Whatever happened earlier is delivered in this
 * round, and nothing later is: the rings are read one after the other, and of a task that moves in
 * between the arrival would be delivered and the departure not yet. In a round that ends an
 * interval each CPU goes on to where it was read. Without clockid records are stamped by another
 * clock than ours.
 */
static void begin_round(struct cpus *cpus, uint64_t start_ns, bool ends_interval)
{
	struct cpu_set *set = &cpus->set;
	const uint64_t until_ns = set->features->clockid ? start_ns : UINT64_MAX;

	cpus->round_ns = start_ns;
	cpus->base.backlog = highest_fill(set);
	expect_losses(set);
	heap_clear(&cpus->heap);
	for (size_t i = 0; i < set->count; i++) {
		struct cpu_stream *stream = set->streams[i];

		cpu_stream_begin(stream, until_ns);
		if (cpu_stream_has_next(stream))
			heap_add(&cpus->heap, stream, cpu_stream_next_time(stream));
	}
	sampling_begin(&cpus->sampling, start_ns, ends_interval);
	cpus->in_round = true;
	cpus->ends_interval = ends_interval;
}

/* --- samples */

/* A group that counts all the time; a budget may have it rest. NULL: there is none. */
static const struct group *steady_group(const struct cpus *cpus, const struct bundle *bundle,
					size_t index)
{
	if (cpus->share < 1 || !bundle_is_open(bundle, index))
		return NULL;
	return &bundle->groups[index];
}

/* Behind the others: of the threads that are meant, or of all. Returns how many. */
static size_t add_off_cpu_samples(struct cpus *cpus, struct sampling_target *targets, size_t count)
{
	const bool was_of_threads = cpus->is_of_threads;
	size_t threads = 0;

	cpus->is_of_threads = cpus->off_cpu_of &&
			      thread_targets_list(targets + count, &threads, cpus->off_cpu_of);
	if (cpus->is_of_threads && !was_of_threads)
		absences_forget(&cpus->sampling.absences); /* nothing more is heard of the others */
	if (cpus->is_of_threads)
		return threads;
	/* on a CPU that is not watched a task would seem to be off all of them */
	return cpus->base.session.is_partial ? 0 : sampling_add_off_cpu(targets, count);
}

/* A CPU, or each of the cgroups there. Returns how many. */
static size_t add_cpu_samples(const struct cpus *cpus, const struct cpu_stream *stream,
			      struct sampling_target *targets)
{
	const struct cpu_set *set = &cpus->set;
	const size_t group = plan_steady_group(&cpus->plan, stream->bundle.kind);
	const size_t count = set->of.count > 1 ? set->of.count : 1;

	for (size_t i = 0; i < count; i++)
		targets[i] = (struct sampling_target){
			.tid = set->of.count > 0 ? set->of.fds[i] : -1,
			.cpu = stream->cpu,
			.pmu = set->kind_count > 1 ? set->pmus[stream->bundle.kind].type : 0,
			/* what several count is known by their sums only */
			.group = count > 1 ? NULL : steady_group(cpus, &stream->bundle, group),
			.group_index = (uint16_t)group,
		};
	return count;
}

/* CPUs that are not to be interrupted are not sampled. */
static struct sampling_target *list_sampled_cpus(void *source, size_t *count)
{
	struct cpus *cpus = source;
	const struct cpu_set *set = &cpus->set;
	const size_t each = set->of.count > 1 ? set->of.count : 1;
	struct sampling_target *targets =
		xcalloc(set->count * each * 3 + THREAD_TARGETS_MAX, sizeof(*targets));
	size_t cpu_count;

	*count = 0;
	for (size_t i = 0; i < set->count; i++)
		if (!set->streams[i]->is_quiet)
			*count += add_cpu_samples(cpus, set->streams[i], targets + *count);
	cpu_count = *count;
	if (cpus->sampling.wants[SAMPLING_OFF_CPU])
		*count += add_off_cpu_samples(cpus, targets, *count);
	if (cpus->sampling.wants[SAMPLING_WAKERS])
		*count += sampling_add_wakers(&cpus->sampling, targets, cpu_count, *count);
	return targets;
}

/* All streams are able to follow the plan, which is taken over. False: it is dropped. */
static bool prepare_plan(struct cpus *cpus, struct plan *plan, struct error *error)
{
	cpus->has_next = !plan->has_new_groups || cpu_set_prepare(&cpus->set, plan, error);
	if (cpus->has_next)
		cpus->next = *plan;
	else
		plan_fini(plan);
	return cpus->has_next;
}

/* All streams follow the plan that was prepared. */
static void adopt_plan(struct cpus *cpus)
{
	if (cpus->next.has_new_groups)
		cpu_set_commit(&cpus->set, &cpus->next);
	plan_fini(&cpus->plan);
	cpus->plan = cpus->next;
	cpus->has_next = false;
	layout_fini(&cpus->base.layout);
	layout_copy(&cpus->base.layout, &cpus->plan.layout);
	plan_describe_pmus(&cpus->plan, cpus->set.host, &cpus->base.session);
	sampling_follow_listed(&cpus->sampling);
}

/*
 * Another clock is opened without the counters of the hardware events, which get a group of their
 * own.
 */
static void prepare_split(struct cpus *cpus)
{
	struct plan next;
	struct error unasked = {0};

	plan_copy(&next, &cpus->plan);
	plan_note_contention(&next);
	cpus->is_to_split = prepare_plan(cpus, &next, &unasked);
}

static void split_clock(struct cpus *cpus)
{
	adopt_plan(cpus);
	cpus->is_to_split = false;
	cpus->base.layout_changes++;
	cpus->has_lost = cpu_set_report_restarts(&cpus->set) || cpus->has_lost;
}

/*
 * Another program counts too, and the kernel multiplexed the clock group: at the next tick its
 * hardware events get a group of their own. Not while a change of events is prepared, which makes
 * other groups.
 */
static void yield_counters(struct cpus *cpus)
{
	bool is_contended = false;

	for (size_t i = 0; i < cpus->set.count; i++)
		is_contended = is_contended || cpus->set.streams[i]->is_contended;
	if (is_contended && !cpus->has_next && !cpus->was_measuring && has_shared_clock(cpus))
		cpus->is_to_split = true;
}

static void end_round(struct cpus *cpus)
{
	struct cpu_set *set = &cpus->set;

	if (!cpus->in_round)
		return;
	set->notice_count = cpus->notice_next = 0;
	expect_losses(set); /* delivered first in the next round */
	for (size_t i = 0; i < set->count; i++)
		cpu_stream_end(set->streams[i]);
	sampling_end(&cpus->sampling);
	cpus->in_round = false;
	if (cpus->round_ns > cpus->base.settled_ns)
		cpus->base.settled_ns = cpus->round_ns;
	if (!cpus->ends_interval)
		return;
	if (cpus->is_to_split && cpus->has_next)
		split_clock(cpus);
	yield_counters(cpus);
	cpus->was_measuring = cpus->measure.time.pid > 0;
}

static SELDOM void note_record(struct cpus *cpus, const struct record *record)
{
	if (record->kind == RECORD_LOST)
		cpus->has_lost = true;
	if (record->kind == RECORD_WAKEUP && cpus->sampling.absences.count > 0)
		absences_wake(&cpus->sampling.absences, record->tid, record->time_ns);
}

/* What comes after all streams. */
static SELDOM bool next_sample(struct cpus *cpus, struct record *record)
{
	if (cpus->in_round && sampling_next(&cpus->sampling, record))
		return true;
	end_round(cpus);
	return false;
}

/*
 * The record's pointers lead into its stream, so the stream on top moves on to its next record, or
 * leaves the heap when it has none, only at the next call. One that was not on top yet stays where
 * it is by that.
 */
static bool cpus_next(struct source *source, struct record *record)
{
	struct cpus *cpus = cpus_of(source);
	struct heap *heap = &cpus->heap;

	if (cpus->notice_next < cpus->set.notice_count) {
		*record = cpus->set.notices[cpus->notice_next++];
		return true;
	}
	while (heap->count > 0) {
		struct cpu_stream *top = heap_top(heap);

		if (!cpu_stream_has_next(top)) {
			heap_remove_top(heap);
			continue;
		}
		heap_advance(heap, cpu_stream_next_time(top));
		if (!cpu_stream_next(heap_top(heap), record))
			continue;
		if (record->kind != RECORD_SWITCH)
			note_record(cpus, record);
		return true;
	}
	return next_sample(cpus, record);
}

static void cpus_drain(struct source *source)
{
	struct cpus *cpus = cpus_of(source);
	struct epoll_event events[16];
	uint64_t expirations, start_ns;
	ssize_t expired;
	int count;

	/* poll clears the rings' readiness, and all of them are drained below */
	do {
		count = epoll_wait(cpus->base.poll_fd, events, 16, 0);
	} while (count == 16);
	/* a timer that cannot be read gives turns all the same */
	expired = sys_read(cpus->timer_fd, &expirations, sizeof(expirations));
	if (expired != -EAGAIN && expired != -EINTR)
		begin_window(cpus);
	start_ns = sys_now_ns();
	cpu_set_expect_pending_pids(&cpus->set);
	begin_round(cpus, start_ns, false);
}

static void end_interval(struct cpu_stream *stream, uint64_t tick_ns)
{
	if (cpu_stream_is_passed_by(stream))
		cpu_stream_pass(stream, tick_ns);
	else
		cpu_stream_mark(stream);
}

static void cpus_report_cgroups(struct source *source)
{
	struct cpu_set *set = &cpus_of(source)->set;

	if (set->cgroups)
		scheduler_report_cgroups(&set->scheduler, set->streams, set->count);
}

static bool cpus_sample(struct source *source, const struct source_samples *samples,
			struct error *error)
{
	struct cpus *cpus = cpus_of(source);

	cpus->is_of_threads = false; /* they may be others */
	cpus->off_cpu_of = samples->off_cpu_of;
	return sampling_take(&cpus->sampling, samples, error);
}

/* --- the end of an interval */

/* What is prepared is so for the CPUs of now. */
static void follow_cpus(struct cpus *cpus)
{
	if (cpus->has_next)
		return;
	cpu_set_follow_hotplug(&cpus->set);
	if (cpus->is_to_split)
		prepare_split(cpus);
}

static void cpus_tick(struct source *source)
{
	struct cpus *cpus = cpus_of(source);

	follow_cpus(cpus);
	sampling_follow_listed(&cpus->sampling);
	if (cpus->has_lost)
		cpu_set_visit_silent(&cpus->set);
	cpus->has_lost = false;
	switch_time_collect(&cpus->measure.time);
	note_cost(cpus);
	cpu_set_glance(&cpus->set);
	source->tick_ns = sys_now_ns();
	for (size_t i = 0; i < cpus->set.count; i++)
		end_interval(cpus->set.streams[i], source->tick_ns);
	begin_round(cpus, source->tick_ns, true);
}

/* --- life */

/*
 * The timer gives each group its turn (a longer one on many CPUs: each change interrupts
 * every one of them), and lets newly seen tasks be known soon: the name of one that
 * was there before us can be asked for only as long as it lives.
 */
static bool start_timer(struct cpus *cpus, struct error *error)
{
	long ms = ROTATION_MS + (long)cpus->set.count;
	const struct timespec rotation = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	const struct itimerspec period = {.it_value = rotation, .it_interval = rotation};
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = NULL};

	cpus->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (cpus->timer_fd < 0 || timerfd_settime(cpus->timer_fd, 0, &period, NULL) != 0 ||
	    epoll_ctl(cpus->base.poll_fd, EPOLL_CTL_ADD, cpus->timer_fd, &event) != 0)
		return error_set_errno(error, ERROR_SYSTEM, "timerfd", errno);
	return true;
}

static void end_first_measurement(struct cpus *cpus)
{
	struct session *session = &cpus->base.session;
	struct error unknown = {0};

	cpus->cost = switch_cost_end(&cpus->measure, &unknown);
	snprintf(session->cost_reason, sizeof(session->cost_reason), "%s", unknown.text);
}

static bool begin_cpus(struct cpus *cpus, struct error *error)
{
	struct cpu_set *set = &cpus->set;

	if (!cpus->replaced)
		end_first_measurement(cpus);
	if (!cpu_set_open_rings(set, cpus_ring_bytes(set->host, set->online.count), error))
		return false;
	for (size_t i = 0; i < set->count; i++) {
		if (!cpu_stream_enable(set->streams[i]))
			return error_set(error, ERROR_SYSTEM, "counters",
					 "the kernel does not enable them");
	}
	cpus->has_begun = true;
	cpus->since_ns = sys_now_ns();
	cpu_set_visit_silent(set);
	return start_timer(cpus, error);
}

/* All counters are free for the source that begins in its place. */
static void pause_streams(const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->set.count; i++)
		cpu_stream_pause(cpus->set.streams[i]);
}

static void resume_streams(const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->set.count; i++)
		cpu_stream_resume(cpus->set.streams[i]);
}

static bool cpus_begin(struct source *source, struct error *error)
{
	struct cpus *cpus = cpus_of(source), *replaced = cpus->replaced;
	bool has_begun;

	if (replaced)
		pause_streams(replaced);
	has_begun = begin_cpus(cpus, error);
	if (replaced && !has_begun) {
		resume_streams(replaced);
		replaced->has_lost = cpu_set_report_restarts(&replaced->set) || replaced->has_lost;
	}
	cpus->replaced = NULL;
	return has_begun;
}

/* All that are to be seen are gone: so are their cgroups. */
static bool cpus_is_finished(const struct source *source)
{
	const struct group_cgroups *of = &cpus_of(source)->set.of;

	return of->count > 0 && group_cgroups_gone(of) == of->count;
}

static bool cpus_attach(struct source *source, int32_t pid, struct error *error)
{
	char text[16];

	if (proc_owner(pid) >= 0)
		return true;
	snprintf(text, sizeof(text), "%d", pid);
	return error_set(error, ERROR_PROCESS_GONE, text, NULL);
}

/* Events are tried on CPUs that are there. */
static void choose_targets(const struct cpus *cpus, struct plan *plan)
{
	for (size_t i = 0; i < plan->layout.kind_count; i++) {
		const struct cpu_stream *stream = cpu_set_first_of_kind(&cpus->set, i);

		if (stream)
			plan->targets[i].cpu = stream->cpu;
	}
}

/* All counters are free for trials. */
static void pause_cpu_counters(void *context)
{
	struct cpus *cpus = context;

	switch_time_end(&cpus->measure.time, 0);
	for (size_t i = 0; i < cpus->plan.layout.kind_count; i++) {
		struct cpu_stream *stream = cpu_set_first_of_kind(&cpus->set, i);

		if (stream)
			cpu_stream_pause(stream);
	}
}

/*
 * What a switch costs, before anything counts and unless that is going on: a trial stops it. On the
 * CPU where we run, so that there is time, or another one that may be disturbed.
 */
static void begin_to_measure(struct cpus *cpus)
{
	const struct cpu_set *set = &cpus->set;
	const int here = sched_getcpu();
	int found = -1;

	if (cpus->has_begun || cpus->measure.time.is_running)
		return;
	for (size_t i = 0; i < set->count; i++) {
		const int cpu = set->streams[i]->cpu;

		if (cpu == here || (found < 0 && !number_list_has(&set->host->isolated, cpu)))
			found = cpu;
		if (cpu == here)
			break;
	}
	if (found < 0)
		return;
	struct cpu_stream_request request = cpu_set_request(set, found);

	request.of.count = 0; /* those that measure are outside */
	cpus->was_measuring = true;
	switch_cost_begin(&cpus->measure, &request);
}

/* As the events want it. False: there is none. */
static bool find_plan(struct cpus *cpus, const struct event_set *events, struct plan *next,
		      struct error *error)
{
	bool is_found;

	plan_copy(next, &cpus->plan);
	choose_targets(cpus, next);
	is_found = plan_change(next, events, &cpus->trials, error);
	resume_streams(cpus);
	if (!is_found)
		plan_fini(next);
	return is_found;
}

static bool cpus_prepare(struct source *source, const struct event_set *events, struct error *error)
{
	struct cpus *cpus = cpus_of(source);
	struct error unasked = {0};
	struct plan next;
	bool is_ready;

	error = error ? error : &unasked;
	cpus->is_to_split = false; /* what is to be counted may be another matter */
	is_ready = find_plan(cpus, events, &next, error) && prepare_plan(cpus, &next, error);
	trials_end(&cpus->trials);
	if (is_ready)
		return true;
	begin_to_measure(cpus);
	cpus->has_lost = cpu_set_report_restarts(&cpus->set) || cpus->has_lost;
	return false;
}

/* A task of the cgroup may be woken from outside, of which nothing is read. */
static void want_scheduler(struct cpu_set *set, bool is_wanted)
{
	struct error refusal = {0};

	if (set->of.count == 0) {
		scheduler_want(&set->scheduler, is_wanted, set->streams, set->count, set->session);
		return;
	}
	error_set(&refusal, ERROR_CGROUP_WAKEUPS, NULL, NULL);
	queue_report_without(set->session, is_wanted, &refusal);
}

static bool cpus_change(struct source *source, const struct event_set *events, struct error *error)
{
	struct cpus *cpus = cpus_of(source);
	struct cpu_set *set = &cpus->set;

	if (!cpus->has_next && !cpus_prepare(source, events, error))
		return false;
	adopt_plan(cpus);
	begin_to_measure(cpus);
	cpus->has_lost = cpu_set_report_restarts(set) || cpus->has_lost;
	want_scheduler(set, events->scheduler);
	scheduler_want_interrupts(&set->scheduler, events->sites, set->streams, set->count);
	return true;
}

/* Windows can only be where the clock goes on without the hardware's counters. */
static void cpus_limit(struct source *source, double share)
{
	struct cpus *cpus = cpus_of(source);
	const bool is_shared = has_shared_clock(cpus);

	cpus->share = plan_has_hardware(&cpus->plan) && !is_shared ? share : 1;
	cpus->is_to_split = cpus->is_to_split || (share < 1 && is_shared);
}

static const struct event_spec *cpus_spec(const struct source *source, size_t group, size_t member)
{
	return plan_spec_at(&cpus_of(source)->plan, group, member);
}

static void cpus_destroy(struct source *source)
{
	struct cpus *cpus = cpus_of(source);

	switch_time_end(&cpus->measure.time, 0);
	sampling_stop(&cpus->sampling);
	cpu_set_fini(&cpus->set);
	if (cpus->timer_fd >= 0)
		close(cpus->timer_fd);
	if (cpus->base.poll_fd >= 0)
		close(cpus->base.poll_fd);
	heap_fini(&cpus->heap);
	plan_fini(&cpus->plan);
	if (cpus->has_next)
		plan_fini(&cpus->next);
	trials_end(&cpus->trials);
	layout_fini(&cpus->base.layout);
	free(cpus);
}

static const struct source_ops cpus_ops = {
	.destroy = cpus_destroy,
	.begin = cpus_begin,
	.drain = cpus_drain,
	.tick = cpus_tick,
	.next = cpus_next,
	.is_finished = cpus_is_finished,
	.attach = cpus_attach,
	.prepare = cpus_prepare,
	.change = cpus_change,
	.limit = cpus_limit,
	.sample = cpus_sample,
	.report_cgroups = cpus_report_cgroups,
	.spec = cpus_spec,
};

/* What was tried, and measured, for another source. */
static void take_over(struct cpus *cpus, struct source *replaced)
{
	cpus->replaced = cpus_of(replaced);
	plan_copy(&cpus->plan, &cpus->replaced->plan);
	cpus->cost = cpus->replaced->cost;
	snprintf(cpus->base.session.cost_reason, sizeof(cpus->base.session.cost_reason), "%s",
		 replaced->session.cost_reason);
}

static bool make_cpu_plan(struct cpus *cpus, const struct cpus_request *request,
			  struct error *error)
{
	const struct plan_setup setup = cpu_set_setup(&cpus->set);

	if (request->replaced)
		take_over(cpus, request->replaced);
	else if (!plan_make(&cpus->plan, &setup, request->events, &cpus->trials, error))
		return false;
	layout_copy(&cpus->base.layout, &cpus->plan.layout);
	plan_describe_pmus(&cpus->plan, request->host, &cpus->base.session);
	return true;
}

static void init(struct cpus *cpus, const struct cpus_request *request)
{
	const struct host *host = request->host;

	cpus->base.ops = &cpus_ops;
	cpus->base.session = (struct session){
		.scope = request->of.count > 0 ? SCOPE_TASKS : SCOPE_SYSTEM,
		.clock_stops = request->of.count > 0,
		.is_live = true,
		.topology = &host->topology,
		.idle_is_shared = host->in_pid_namespace || request->of.count > 0,
		.wall_offset_ns = sys_wall_ns() - (int64_t)sys_now_ns(),
	};
	if (request->of.count > 0)
		snprintf(cpus->base.session.scope_words, SESSION_TEXT_MAX, "%s",
			 request->cgroup_words);
	cpus->trials = (struct trials){
		.host = host,
		.features = request->features,
		.pause = pause_cpu_counters,
		.context = cpus,
	};
	cpus->timer_fd = -1;
	cpus->share = 1;
	cpus->base.poll_fd = epoll_create1(EPOLL_CLOEXEC);
	cpus->set = (struct cpu_set){
		.host = host,
		.features = request->features,
		.of = request->of,
		.cgroups = request->features->cgroup && request->of.count == 0
				   ? cgroup_paths_create("")
				   : NULL,
		.only = request->only,
		.interrupts_isolated = request->interrupts_isolated,
		.session = &cpus->base.session,
		.plan = &cpus->plan,
		.epoll_fd = cpus->base.poll_fd,
		.scheduler = {.host = host, .features = request->features},
	};
	cpus->sampling = (struct sampling){
		.host = host,
		.features = request->features,
		.session = &cpus->base.session,
		.list = list_sampled_cpus,
		.source = cpus,
		.has_cycles = request->core_pmu_count > 0,
		.epoll_fd = cpus->base.poll_fd,
	};
}

struct source *cpus_create(const struct cpus_request *request, struct error *error)
{
	struct cpus *cpus = xcalloc(1, sizeof(*cpus));
	struct cpu_set *set = &cpus->set;
	struct error reason = {0};

	init(cpus, request);
	if (cpus->base.poll_fd < 0) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_create1", errno);
		goto failed;
	}
	if (!cpu_set_find(set, request->core_pmus, request->core_pmu_count, error) ||
	    !make_cpu_plan(cpus, request, error))
		goto failed;
	cpu_set_choose_leader(set, &cpus->trials, &reason);
	if (set->of.count > 0 && !set->leader) {
		*error = reason;
		goto failed;
	}
	set->ring_bytes = CPU_STREAM_RING_MIN; /* large ones take longer than all else */
	if (!cpu_set_open(set, error))
		goto failed;
	if (cpus->replaced &&
	    set->unopened.code != ERROR_NONE) { /* it would never be tried again */
		*error = set->unopened;
		goto failed;
	}
	trials_end(&cpus->trials);
	want_scheduler(set, request->events->scheduler);
	if (!cpus->replaced)
		begin_to_measure(cpus);
	return &cpus->base;
failed:
	cpus_destroy(&cpus->base);
	return NULL;
}
