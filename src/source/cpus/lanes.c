/*
 * Which CPUs have a lane: those that are online and wanted. CPUs that come and go are followed at
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

static int ring_descriptor(const struct lane *lane)
{
	return lane->bundle.groups[lane->clock].leader_fd;
}

static bool watch_ring(struct cpus *cpus, struct lane *lane)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = lane};

	return epoll_ctl(cpus->epoll_fd, EPOLL_CTL_ADD, ring_descriptor(lane), &event) == 0;
}

bool cpus_add_lane(struct cpus *cpus, int cpu, struct error *error)
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

void cpus_remove_lane(struct cpus *cpus, size_t index)
{
	struct lane *lane = cpus->lanes[index];

	epoll_ctl(cpus->epoll_fd, EPOLL_CTL_DEL, ring_descriptor(lane), NULL);
	lane_close(lane);
	free(lane);
	cpus->lane_count--;
	memmove(&cpus->lanes[index], &cpus->lanes[index + 1],
		(cpus->lane_count - index) * sizeof(struct lane *));
}

bool cpus_is_wanted(const struct cpus *cpus, int cpu)
{
	return !cpus->only || number_list_has(cpus->only, cpu);
}

static struct lane *find_lane(const struct cpus *cpus, int cpu)
{
	for (size_t i = 0; i < cpus->lane_count; i++)
		if (cpus->lanes[i]->cpu == cpu)
			return cpus->lanes[i];
	return NULL;
}

static bool is_to_be_visited(const struct cpus *cpus, const struct lane *lane)
{
	return lane_is_silent(lane) && !number_list_has(&cpus->host->isolated, lane->cpu);
}

static bool is_any_to_be_visited(const struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->lane_count; i++)
		if (is_to_be_visited(cpus, cpus->lanes[i]))
			return true;
	return false;
}

static void visit(const struct cpus *cpus)
{
	int highest = cpus->lane_count > 0 ? cpus->lanes[cpus->lane_count - 1]->cpu : 0;
	size_t count =
		(size_t)highest + 1 + CPU_SETSIZE; /* the kernel's mask may be longer than ours */
	size_t bytes = CPU_ALLOC_SIZE(count);
	cpu_set_t *here = CPU_ALLOC(count);
	cpu_set_t *before = CPU_ALLOC(count);

	if (!here || !before || sched_getaffinity(0, bytes, before) != 0)
		goto out;
	for (size_t i = 0; i < cpus->lane_count; i++) {
		if (!is_to_be_visited(cpus, cpus->lanes[i]))
			continue;
		CPU_ZERO_S(bytes, here);
		CPU_SET_S((size_t)cpus->lanes[i]->cpu, bytes, here);
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

/* Lets go of lanes whose CPU has gone, and of those whose events died with it. */
static bool drop_lanes(struct cpus *cpus)
{
	size_t before = cpus->lane_count;

	for (size_t i = cpus->lane_count; i-- > 0;) {
		int cpu = cpus->lanes[i]->cpu;

		if (number_list_has(&cpus->online, cpu) && !cpus->lanes[i]->is_dead)
			continue;
		cpus_notice(cpus, RECORD_CPU_OFFLINE, cpu);
		cpus_remove_lane(cpus, i);
	}
	return cpus->lane_count != before;
}

static void name_watched(const struct cpus *cpus, char *words, size_t size)
{
	struct number_list watched = {.numbers = xcalloc(cpus->lane_count + 1, sizeof(int))};
	char numbers[128];

	for (size_t i = 0; i < cpus->lane_count; i++)
		watched.numbers[watched.count++] = cpus->lanes[i]->cpu;
	number_list_format(&watched, numbers, sizeof(numbers));
	snprintf(words, size, "CPU %s", numbers);
	number_list_fini(&watched);
}

void cpus_note_watched(struct cpus *cpus)
{
	struct session *session = &cpus->base.session;
	const bool is_whole = !cpus->only && cpus->unopened.code == ERROR_NONE;
	struct error partial = cpus->unopened;

	session->cpu_count = (int)cpus->lane_count;
	session->is_partial = cpus->lane_count < cpus->online.count;
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

static void add_lanes(struct cpus *cpus)
{
	cpus->unopened = (struct error){0};
	for (size_t i = 0; i < cpus->online.count; i++) {
		int cpu = cpus->online.numbers[i];
		struct error reason = {0};
		struct lane *lane;

		if (!cpus_is_wanted(cpus, cpu) || find_lane(cpus, cpu))
			continue;
		if (!cpus_add_lane(cpus, cpu, &reason)) {
			note_unopened(cpus, cpu, &reason);
			continue;
		}
		lane = find_lane(cpus, cpu);
		cpus_notice(cpus, RECORD_CPU_ONLINE, cpu);
		lane_enable(lane, cpus->features);
		scheduler_add(&cpus->scheduler, cpus->lanes, cpus->lane_count, lane,
			      &cpus->base.session);
	}
}

void cpus_expect_strangers(struct cpus *cpus)
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
	if (!drop_lanes(cpus) && !changed && !is_retry_due(cpus))
		return;
	add_lanes(cpus);
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
	cpus_notice(cpus, RECORD_CPU_OFFLINE, cpus->lanes[index]->cpu);
	cpus_remove_lane(cpus, index);
	number_list_fini(&cpus->online);
}
