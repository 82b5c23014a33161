/*
 * Which CPUs have a stream: those that are online and wanted. CPUs that come and go are followed at
 * the tick; until then they make absences doubtful.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/host.h"
#include "source/cpus/parts.h"

enum {
	SELF_TOLD_NS = 1000000, /* a CPU that switches all the time has done so within that */
	RETRY_TICKS_MAX = 32
};

static int ring_descriptor(const struct cpu_stream *stream)
{
	return stream->bundle.groups[stream->clock].leader_fd;
}

static bool watch_ring(struct cpus *cpus, struct cpu_stream *stream)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};

	return epoll_ctl(cpus->epoll_fd, EPOLL_CTL_ADD, ring_descriptor(stream), &event) == 0;
}

bool cpus_add_stream(struct cpus *cpus, int cpu, struct error *error)
{
	const struct cpu_stream_request request = {
		.plan = &cpus->plan,
		.features = cpus->features,
		.host = cpus->host,
		.cpu = cpu,
		.kind = kinds_of(&cpus->kinds, cpu),
		.ring_bytes = cpus->ring_bytes,
	};
	struct cpu_stream *stream = xcalloc(1, sizeof(*stream));
	size_t place = cpus->stream_count;

	if (!cpu_stream_open(stream, &request, &cpus->ring_bytes, error)) {
		free(stream);
		return false;
	}
	if (!watch_ring(cpus, stream)) {
		error_set_errno(error, ERROR_SYSTEM, "epoll_ctl", errno);
		cpu_stream_close(stream);
		free(stream);
		return false;
	}
	array_reserve(&cpus->streams, &cpus->stream_capacity, cpus->stream_count + 1,
		      sizeof(*cpus->streams));
	while (place > 0 && cpus->streams[place - 1]->cpu > cpu) {
		cpus->streams[place] = cpus->streams[place - 1];
		place--;
	}
	cpus->streams[place] = stream;
	cpus->stream_count++;
	cpus->heap = xrealloc(cpus->heap, cpus->stream_count, sizeof(struct cpu_stream *));
	return true;
}

void cpus_remove_stream(struct cpus *cpus, size_t index)
{
	struct cpu_stream *stream = cpus->streams[index];

	epoll_ctl(cpus->epoll_fd, EPOLL_CTL_DEL, ring_descriptor(stream), NULL);
	cpu_stream_close(stream);
	free(stream);
	cpus->stream_count--;
	memmove(&cpus->streams[index], &cpus->streams[index + 1],
		(cpus->stream_count - index) * sizeof(struct cpu_stream *));
}

bool cpus_is_wanted(const struct cpus *cpus, int cpu)
{
	return !cpus->only || number_list_has(cpus->only, cpu);
}

static struct cpu_stream *find_stream(const struct cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->stream_count; i++)
		if (cpus->streams[i]->cpu == cpu)
			return cpus->streams[i];
	return NULL;
}

static bool is_to_be_visited(const struct cpus *cpus, const struct cpu_stream *stream)
{
	return cpu_stream_is_silent(stream) && !number_list_has(&cpus->host->isolated, stream->cpu);
}

static bool is_any_to_be_visited(const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->stream_count; i++)
		if (is_to_be_visited(cpus, cpus->streams[i]))
			return true;
	return false;
}

static void visit(const struct cpus *cpus)
{
	int highest = cpus->stream_count > 0 ? cpus->streams[cpus->stream_count - 1]->cpu : 0;
	size_t count =
		(size_t)highest + 1 + CPU_SETSIZE; /* the kernel's mask may be longer than ours */
	size_t bytes = CPU_ALLOC_SIZE(count);
	cpu_set_t *here = CPU_ALLOC(count);
	cpu_set_t *before = CPU_ALLOC(count);

	if (!here || !before || sched_getaffinity(0, bytes, before) != 0)
		goto out;
	for (size_t i = 0; i < cpus->stream_count; i++) {
		if (!is_to_be_visited(cpus, cpus->streams[i]))
			continue;
		CPU_ZERO_S(bytes, here);
		CPU_SET_S((size_t)cpus->streams[i]->cpu, bytes, here);
		sched_setaffinity(0, bytes, here);
	}
	sched_setaffinity(0, bytes, before);
out:
	CPU_FREE(here);
	CPU_FREE(before);
}

void cpus_visit_silent(const struct cpus *cpus)
{
	const struct timespec moment = {.tv_nsec = SELF_TOLD_NS};

	if (!is_any_to_be_visited(cpus))
		return;
	nanosleep(&moment, NULL); /* for CPUs that switch by themselves to do so */
	visit(cpus);
}

static bool same_numbers(const struct number_list *a, const struct number_list *b)
{
	return a->count == b->count &&
	       (a->count == 0 ||
		memcmp(a->numbers, b->numbers, a->count * sizeof(*a->numbers)) == 0);
}

/* Releases streams of CPUs that have gone, and those with events that died with the CPU. */
static bool drop_streams(struct cpus *cpus)
{
	size_t before = cpus->stream_count;

	for (size_t i = cpus->stream_count; i-- > 0;) {
		int cpu = cpus->streams[i]->cpu;

		if (number_list_has(&cpus->online, cpu) && !cpus->streams[i]->is_dead)
			continue;
		cpus_notice(cpus, RECORD_CPU_OFFLINE, cpu);
		cpus_remove_stream(cpus, i);
	}
	return cpus->stream_count != before;
}

static void name_watched(const struct cpus *cpus, char *words, size_t size)
{
	struct number_list watched = {.numbers = xcalloc(cpus->stream_count + 1, sizeof(int))};
	char numbers[128];

	for (size_t i = 0; i < cpus->stream_count; i++)
		watched.numbers[watched.count++] = cpus->streams[i]->cpu;
	number_list_format(&watched, numbers, sizeof(numbers));
	snprintf(words, size, "CPU %s", numbers);
	number_list_fini(&watched);
}

void cpus_note_watched(struct cpus *cpus)
{
	struct session *session = &cpus->base.session;
	const bool is_whole = !cpus->only && cpus->unopened.code == ERROR_NONE;
	struct error partial = cpus->unopened;

	session->cpu_count = (int)cpus->stream_count;
	session->is_partial = cpus->stream_count < cpus->online.count;
	if (partial.code == ERROR_NONE && session->idle_is_shared)
		error_set(&partial, ERROR_SCOPE_NAMESPACE, NULL, NULL);
	snprintf(session->scope_reason, sizeof(session->scope_reason), "%s", partial.text);
	snprintf(session->scope_remedy, sizeof(session->scope_remedy), "%s", partial.remedy);
	if (session->scope != SCOPE_SYSTEM) /* its tasks were named by others */
		return;
	if (is_whole)
		snprintf(session->scope_words, sizeof(session->scope_words), "%s",
			 session->idle_is_shared ? "tasks of this pid namespace" : "whole machine");
	else
		name_watched(cpus, session->scope_words, sizeof(session->scope_words));
}

/* One that has gone meanwhile is not missed. */
static void note_unopened(struct cpus *cpus, int cpu, const struct error *reason)
{
	if (!cpus_is_still_online(cpu))
		return;
	cpus->unopened = *reason;
}

static void add_streams(struct cpus *cpus)
{
	cpus->unopened = (struct error){0};
	for (size_t i = 0; i < cpus->online.count; i++) {
		int cpu = cpus->online.numbers[i];
		struct error reason = {0};
		struct cpu_stream *stream;

		if (!cpus_is_wanted(cpus, cpu) || find_stream(cpus, cpu))
			continue;
		if (!cpus_add_stream(cpus, cpu, &reason)) {
			note_unopened(cpus, cpu, &reason);
			continue;
		}
		stream = find_stream(cpus, cpu);
		cpus_notice(cpus, RECORD_CPU_ONLINE, cpu);
		cpu_stream_enable(stream, cpus->features);
		scheduler_add(&cpus->scheduler, cpus->streams, cpus->stream_count, stream,
			      &cpus->base.session);
	}
}

void cpus_expect_pending_pids(struct cpus *cpus)
{
	struct number_list online;

	if (!host_read_online(&online, ""))
		return;
	if (!same_numbers(&online, &cpus->online))
		cpus_notice(cpus, RECORD_LOST, RECORD_CPU_NONE);
	number_list_fini(&online);
}

/*
 * Whether a CPU that could not be opened is due to be tried. Descriptors that are short stay so:
 * those that are left are kept for other things.
 */
static bool is_retry_due(struct cpus *cpus)
{
	if (cpus->unopened.code == ERROR_NONE || cpus->unopened.code == ERROR_PERF_FD_LIMIT) {
		cpus->retry_ticks = cpus->retry_wait = 0;
		return false;
	}
	if (cpus->retry_ticks++ < cpus->retry_wait)
		return false;
	cpus->retry_ticks = 0;
	cpus->retry_wait =
		2 * cpus->retry_wait < RETRY_TICKS_MAX ? 2 * cpus->retry_wait + 1 : RETRY_TICKS_MAX;
	return true;
}

void cpus_follow_hotplug(struct cpus *cpus)
{
	struct number_list online;
	bool changed;

	if (!host_read_online(&online, ""))
		return;
	changed = !same_numbers(&online, &cpus->online);
	number_list_fini(&cpus->online);
	cpus->online = online;
	if (!drop_streams(cpus) && !changed && !is_retry_due(cpus))
		return;
	add_streams(cpus);
	cpus_visit_silent(cpus);
	cpus_note_watched(cpus);
}

bool cpus_is_still_online(int cpu)
{
	struct number_list online;
	bool result;

	if (!host_read_online(&online, ""))
		return true;
	result = number_list_has(&online, cpu);
	number_list_fini(&online);
	return result;
}

void cpus_let_go(struct cpus *cpus, size_t index)
{
	cpus_notice(cpus, RECORD_CPU_OFFLINE, cpus->streams[index]->cpu);
	cpus_remove_stream(cpus, index);
	number_list_fini(&cpus->online);
}
