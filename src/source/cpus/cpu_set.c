#include "source/cpus/cpu_set.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>

#include "base/memory.h"
#include "kernel/cgroup_paths.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"

enum {
	SELF_REPORTED_NS = 1000000, /* a CPU that switches all the time has done so within that */
	GLANCED_NS = 200000,        /* a CPU that is interrupted has said who runs by then */
	RETRY_TICKS_MAX = 32
};

void cpu_set_notice(struct cpu_set *set, enum record_kind kind, int cpu)
{
	array_reserve(&set->notices, &set->notice_capacity, set->notice_count + 1,
		      sizeof(*set->notices));
	set->notices[set->notice_count++] = (struct record){
		.kind = kind,
		.cpu = cpu,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = sys_now_ns(),
	};
}

/* Whether it is one of those asked for, online or not. */
static bool is_wanted(const struct cpu_set *set, int cpu)
{
	return !set->only || number_list_has(set->only, cpu);
}

/*
 * Not to be interrupted. Records must have our clock: by that it is known what an interval has.
 * Where there are several kinds of CPUs the run time on each is what its clock's group has counted,
 * and no time is known without a reading.
 */
static bool is_quiet(const struct cpu_set *set, int cpu)
{
	return !set->interrupts_isolated && set->of.count == 0 && set->features->clockid &&
	       set->kind_count <= 1 && number_list_has(&set->host->isolated, cpu);
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

/* --- kinds of CPU */

/*
 * The first CPU that is watched, of the list unless it is empty, and one that may be disturbed
 * where there is one; -1: none is.
 */
static int first_watched(const struct cpu_set *set, const struct number_list *list)
{
	int first = -1;

	for (size_t i = 0; i < set->online.count; i++) {
		const int cpu = set->online.numbers[i];

		if (!is_wanted(set, cpu) || (list->count > 0 && !number_list_has(list, cpu)))
			continue;
		if (!number_list_has(&set->host->isolated, cpu))
			return cpu;
		first = first < 0 ? cpu : first;
	}
	return first;
}

static void add_kind(struct cpu_set *set, const struct event_core_pmu *pmu)
{
	struct number_list list = {0};
	int cpu;

	if (pmu->cpus)
		number_list_parse(&list, pmu->cpus, INT_MAX);
	cpu = first_watched(set, &list);
	if (cpu < 0) {
		set->pmus[set->pmu_count++] = *pmu;
		number_list_fini(&list);
		return;
	}
	set->cpus[set->kind_count] = list;
	set->targets[set->kind_count] = cpu_stream_target(NULL, cpu);
	set->pmus[set->pmu_count++] = set->pmus[set->kind_count];
	set->pmus[set->kind_count++] = *pmu;
}

bool cpu_set_find(struct cpu_set *set, const struct event_core_pmu *pmus, size_t count,
		  struct error *error)
{
	const struct number_list all = {0};

	errno = 0;
	if (!host_read_online(&set->online, "") && sys_is_shortage(errno))
		return error_set_errno(error, ERROR_SYSTEM, "which CPUs are online", errno);
	if (first_watched(set, &all) < 0)
		return error_set(error, ERROR_SYSTEM, "CPUs", "none of them is online");
	for (size_t i = 0; i < count && i < LAYOUT_KINDS_MAX; i++)
		add_kind(set, &pmus[i]);
	if (set->kind_count == 0)
		set->targets[0] = cpu_stream_target(NULL, first_watched(set, &all));
	return true;
}

void cpu_set_choose_leader(struct cpu_set *set, struct trials *trials, struct error *error)
{
	struct group_target target;
	struct explain_context context = {
		.call = EXPLAIN_OPEN,
		.pid = -1,
		.cpu = set->targets[0].cpu,
		.host = set->host,
	};
	int errno_value;

	if (!sched_switch_find(set->host, &set->sched_switch, error))
		return;
	target = cpu_stream_target(&set->sched_switch, context.cpu);
	errno_value = plan_try_leader(trials, &target);
	context.what = set->sched_switch.spec.name;
	context.spec = &set->sched_switch.spec;
	if (errno_value == 0)
		set->leader = &set->sched_switch;
	else
		explain_perf_error(error, errno_value, &context);
}

struct plan_setup cpu_set_setup(const struct cpu_set *set)
{
	return (struct plan_setup){
		.pmus = set->pmus,
		.pmu_count = set->pmu_count,
		.targets = set->targets,
		.target_count = set->kind_count > 0 ? set->kind_count : 1,
	};
}

/* Kind of a CPU; 0 when unknown. */
static size_t kind_of(const struct cpu_set *set, int cpu)
{
	for (size_t i = 0; i < set->kind_count; i++)
		if (number_list_has(&set->cpus[i], cpu))
			return i;
	return 0;
}

struct cpu_stream *cpu_set_first_of_kind(const struct cpu_set *set, size_t kind)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->streams[i]->bundle.kind == kind)
			return set->streams[i];
	return NULL;
}

/* --- streams */

/* By its edges, so that one which hangs up or fails for ever is announced once. */
static bool watch_ring(const struct cpu_set *set, struct cpu_stream *stream, struct error *error)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = stream};

	return epoll_ctl(set->epoll_fd, EPOLL_CTL_ADD, cpu_stream_ring_fd(stream), &event) == 0 ||
	       error_set_errno(error, ERROR_SYSTEM, "epoll_ctl", errno);
}

struct cpu_stream_request cpu_set_request(const struct cpu_set *set, int cpu)
{
	return (struct cpu_stream_request){
		.plan = set->plan,
		.features = set->features,
		.host = set->host,
		.sched_switch = set->leader,
		.cgroups = set->cgroups,
		.cpu = cpu,
		.of = set->of,
		.is_quiet = is_quiet(set, cpu),
		.kind = kind_of(set, cpu),
		.ring_bytes = set->ring_bytes,
	};
}

/* Opens a CPU and adds its stream; the streams stay in ascending order. NULL: error says why. */
static struct cpu_stream *add_stream(struct cpu_set *set, int cpu, struct error *error)
{
	const struct cpu_stream_request request = cpu_set_request(set, cpu);
	struct cpu_stream *stream = xcalloc(1, sizeof(*stream));
	size_t at = set->count;

	if (!cpu_stream_open(stream, &request, error)) {
		free(stream);
		return NULL;
	}
	if (!watch_ring(set, stream, error)) {
		cpu_stream_close(stream);
		free(stream);
		return NULL;
	}
	array_reserve(&set->streams, &set->capacity, set->count + 1, sizeof(*set->streams));
	for (; at > 0 && set->streams[at - 1]->cpu > cpu; at--)
		set->streams[at] = set->streams[at - 1];
	set->streams[at] = stream;
	set->count++;
	return stream;
}

static void remove_stream(struct cpu_set *set, size_t index)
{
	struct cpu_stream *stream = set->streams[index];

	epoll_ctl(set->epoll_fd, EPOLL_CTL_DEL, cpu_stream_ring_fd(stream), NULL);
	cpu_stream_close(stream);
	free(stream);
	set->count--;
	memmove(&set->streams[index], &set->streams[index + 1],
		(set->count - index) * sizeof(struct cpu_stream *));
}

static bool add_numbers(const struct cpu_set *set, bool only_quiet, struct number_list *numbers)
{
	for (size_t i = 0; i < set->count; i++)
		if (!only_quiet || set->streams[i]->is_quiet)
			numbers->numbers[numbers->count++] = set->streams[i]->cpu;
	return numbers->count > 0;
}

/* "CPU 0-2": of the streams all, or those that are quiet. False: there are none. */
static bool name_streams(const struct cpu_set *set, bool only_quiet, char *words, size_t size)
{
	struct number_list watched = {.numbers = xcalloc(set->count + 1, sizeof(int))};
	char numbers[128];

	const bool has_any = add_numbers(set, only_quiet, &watched);

	number_list_format(&watched, numbers, sizeof(numbers));
	snprintf(words, size, "CPU %s", numbers);
	number_list_fini(&watched);
	return has_any;
}

/* Writes into the session which CPUs are watched, and whether these are all, or why not: tasks that
 * leave them are out of sight, not asleep. */
static void note_watched(const struct cpu_set *set)
{
	struct session *session = set->session;
	const bool is_whole = !set->only && set->unopened.code == ERROR_NONE;
	struct error partial = set->unopened;
	char quiet[160];

	session->cpu_count = (int)set->count;
	session->is_partial = set->count < set->online.count;
	if (partial.code == ERROR_NONE && set->host->in_pid_namespace)
		error_set(&partial, ERROR_SCOPE_NAMESPACE, NULL, NULL);
	if (partial.code == ERROR_NONE && name_streams(set, true, quiet, sizeof(quiet)))
		error_set(&partial, ERROR_SCOPE_ISOLATED, quiet, NULL);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "%s", partial.text);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", partial.remedy);
	if (session->scope != SCOPE_SYSTEM) /* its tasks were named by others */
		return;
	if (is_whole)
		snprintf(session->scope_words, sizeof(session->scope_words), "%s",
			 session->idle_is_shared ? "tasks of this pid namespace" : "whole machine");
	else
		name_streams(set, false, session->scope_words, sizeof(session->scope_words));
}

bool cpu_set_open(struct cpu_set *set, struct error *error)
{
	for (size_t i = 0; i < set->online.count; i++) {
		int cpu = set->online.numbers[i];
		struct error reason = {0};

		if (!is_wanted(set, cpu) || add_stream(set, cpu, &reason) || !is_still_online(cpu))
			continue;
		if (reason.code != ERROR_PERF_FD_LIMIT || set->count == 0) {
			if (error)
				*error = reason;
			return false;
		}
		set->unopened = reason;
		break;
	}
	note_watched(set);
	return true;
}

static bool open_ring(struct cpu_set *set, struct cpu_stream *stream, struct error *error)
{
	return (cpu_stream_open_ring(stream, &set->ring_bytes, error) &&
		watch_ring(set, stream, error)) ||
	       !is_still_online(stream->cpu);
}

/* Other programs of this user may have taken a part of what may be locked. */
bool cpu_set_open_rings(struct cpu_set *set, size_t bytes, struct error *error)
{
	set->ring_bytes = bytes;
	for (size_t i = 0; i < set->count; i++)
		if (!open_ring(set, set->streams[i], error))
			return false;
	for (size_t i = 0; i < set->count; i++)
		if (set->streams[i]->ring.data_bytes > set->ring_bytes &&
		    !open_ring(set, set->streams[i], error))
			return false;
	return true;
}

void cpu_set_fini(struct cpu_set *set)
{
	while (set->count > 0)
		remove_stream(set, set->count - 1);
	for (size_t i = 0; i < set->kind_count; i++)
		number_list_fini(&set->cpus[i]);
	number_list_fini(&set->online);
	free(set->streams);
	free(set->notices);
	cgroup_paths_destroy(set->cgroups);
}

bool cpu_set_prepare(struct cpu_set *set, const struct plan *after, struct error *error)
{
	size_t prepared = 0;

	while (prepared < set->count) {
		struct cpu_stream *stream = set->streams[prepared];
		struct error reason = {0};

		if (cpu_stream_prepare(stream, after, &reason)) {
			prepared++;
		} else if (is_still_online(stream->cpu)) {
			*error = reason;
			while (prepared-- > 0)
				cpu_stream_abandon(set->streams[prepared]);
			return false;
		} else { /* should it be back at the next tick, it is found then */
			cpu_set_notice(set, RECORD_CPU_OFFLINE, stream->cpu);
			remove_stream(set, prepared);
			number_list_fini(&set->online);
		}
	}
	return true;
}

void cpu_set_commit(struct cpu_set *set, const struct plan *after)
{
	for (size_t i = 0; i < set->count; i++)
		cpu_stream_commit(set->streams[i], after);
}

/* --- visits */

static bool is_to_be_visited(const struct cpu_set *set, const struct cpu_stream *stream)
{
	return cpu_stream_is_silent(stream) && !stream->is_quiet && set->of.count == 0;
}

static bool is_any_to_be_visited(const struct cpu_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (is_to_be_visited(set, set->streams[i]))
			return true;
	return false;
}

void cpu_set_visit_silent(const struct cpu_set *set)
{
	const struct timespec moment = {.tv_nsec = SELF_REPORTED_NS};
	const int highest = set->count > 0 ? set->streams[set->count - 1]->cpu : 0;
	/* the kernel's mask may be longer than ours */
	const size_t count = (size_t)highest + 1 + CPU_SETSIZE, bytes = CPU_ALLOC_SIZE(count);
	cpu_set_t *here, *before;

	if (!is_any_to_be_visited(set))
		return;
	nanosleep(&moment, NULL); /* for CPUs that switch by themselves to do so */
	here = CPU_ALLOC(count);
	before = CPU_ALLOC(count);
	if (!here || !before || sched_getaffinity(0, bytes, before) != 0)
		goto out;
	for (size_t i = 0; i < set->count; i++) {
		if (!is_to_be_visited(set, set->streams[i]))
			continue;
		CPU_ZERO_S(bytes, here);
		CPU_SET_S((size_t)set->streams[i]->cpu, bytes, here);
		sched_setaffinity(0, bytes, here);
	}
	sched_setaffinity(0, bytes, before);
out:
	CPU_FREE(here);
	CPU_FREE(before);
}

void cpu_set_glance(const struct cpu_set *set)
{
	const struct timespec moment = {.tv_nsec = GLANCED_NS};

	if (set->of.count == 0)
		return;
	for (size_t i = 0; i < set->count; i++)
		sched_tracepoints_glance_again(set->streams[i]);
	nanosleep(&moment, NULL);
}

bool cpu_set_report_restarts(struct cpu_set *set)
{
	bool has_restarted = false;

	for (size_t i = 0; i < set->count; i++) {
		struct cpu_stream *stream = set->streams[i];

		if (!stream->has_restarted)
			continue;
		stream->has_restarted = false;
		has_restarted = true;
		cpu_set_notice(set, RECORD_LOST, stream->cpu);
	}
	if (has_restarted)
		cpu_set_visit_silent(set);
	return has_restarted;
}

/* --- hotplug */

static bool same_numbers(const struct number_list *a, const struct number_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		memcmp(a->numbers, b->numbers, a->count * sizeof(*a->numbers)) == 0);
}

/* Releases streams of CPUs that have gone, and those with events that died with the CPU. */
static bool drop_streams(struct cpu_set *set)
{
	size_t before = set->count;

	for (size_t i = set->count; i-- > 0;) {
		int cpu = set->streams[i]->cpu;

		if (number_list_has(&set->online, cpu) && !set->streams[i]->is_dead)
			continue;
		cpu_set_notice(set, RECORD_CPU_OFFLINE, cpu);
		remove_stream(set, i);
	}
	return set->count != before;
}

static bool has_stream(const struct cpu_set *set, int cpu)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->streams[i]->cpu == cpu)
			return true;
	return false;
}

static void add_streams(struct cpu_set *set)
{
	set->unopened = (struct error){0};
	for (size_t i = 0; i < set->online.count; i++) {
		int cpu = set->online.numbers[i];
		struct error reason = {0};
		struct cpu_stream *stream;

		if (!is_wanted(set, cpu) || has_stream(set, cpu))
			continue;
		stream = add_stream(set, cpu, &reason);
		if (!stream) {
			if (is_still_online(cpu)) /* one that has gone meanwhile is not missed */
				set->unopened = reason;
			continue;
		}
		cpu_set_notice(set, RECORD_CPU_ONLINE, cpu);
		cpu_stream_enable_late(stream);
		scheduler_add(&set->scheduler, set->streams, set->count, stream, set->session);
	}
}

void cpu_set_expect_pending_pids(struct cpu_set *set)
{
	struct number_list online;

	if (!host_read_online(&online, ""))
		return;
	if (!same_numbers(&online, &set->online))
		cpu_set_notice(set, RECORD_LOST, RECORD_CPU_NONE);
	number_list_fini(&online);
}

/*
 * Whether a CPU that could not be opened is due to be tried. Descriptors that are short stay so:
 * those that are left are kept for other things.
 */
static bool is_retry_due(struct cpu_set *set)
{
	if (set->unopened.code == ERROR_NONE || set->unopened.code == ERROR_PERF_FD_LIMIT) {
		set->retry_ticks = set->retry_wait = 0;
		return false;
	}
	if (set->retry_ticks++ < set->retry_wait)
		return false;
	set->retry_ticks = 0;
	set->retry_wait =
		2 * set->retry_wait < RETRY_TICKS_MAX ? 2 * set->retry_wait + 1 : RETRY_TICKS_MAX;
	return true;
}

void cpu_set_follow_hotplug(struct cpu_set *set)
{
	struct number_list online;
	bool changed;

	if (!host_read_online(&online, ""))
		return;
	changed = !same_numbers(&online, &set->online);
	number_list_fini(&set->online);
	set->online = online;
	if (!drop_streams(set) && !changed && !is_retry_due(set))
		return;
	add_streams(set);
	cpu_set_visit_silent(set);
	note_watched(set);
}
