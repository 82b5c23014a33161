/*
 * Trying is opening for real and closing again. perf_event_open(2) alone does not show whether a
 * group will ever be counted: a counter that is held for good (by the NMI watchdog) is found
 * missing only when the group is to run. So a group that is to fit is also enabled for a moment,
 * and must have been running.
 *
 * What takes long to close is left open until it is counted: then others have it open, and closing
 * is cheap.
 *
 * An answer is kept under the sorted digests of the events' attributes, so that one group
 * can be found to be a part of another.
 */
#include "source/plan/trial.h"

#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "base/hash.h"
#include "base/list.h"
#include "base/memory.h"
#include "kernel/host.h"

#include "event/event.h"

enum {
	LOOKS = 4, /* at a group that should run */
	PAUSE_NS = 2000000,
	KEPT_SHARE = 8 /* at most so large a part of the descriptors is left open */
};

struct answer {
	size_t kind;
	size_t count;
	int errno_value; /* 0: they are counted together */
	uint64_t digests[GROUP_MEMBERS_MAX];
};

struct trials {
	const struct host *host;
	const struct attr_features *features;
	struct answer *answers; /* owned */
	size_t answer_count, answer_capacity;
	struct group *kept; /* owned; groups with tracepoints, still open */
	size_t kept_count, kept_capacity, kept_descriptors;
	void (*pause)(void *context);
	void *context;
	size_t count;
};

struct trials *trials_create(const struct host *host, const struct attr_features *features)
{
	struct trials *trials = xcalloc(1, sizeof(*trials));

	trials->host = host;
	trials->features = features;
	return trials;
}

void trials_destroy(struct trials *trials)
{
	if (!trials)
		return;
	trials_end(trials);
	free(trials->kept);
	free(trials->answers);
	free(trials);
}

const struct host *trials_host(const struct trials *trials)
{
	return trials->host;
}

void trials_begin(struct trials *trials, void (*pause)(void *context), void *context)
{
	trials->pause = pause;
	trials->context = context;
	trials->count = 0;
}

void trials_end(struct trials *trials)
{
	for (size_t i = 0; i < trials->kept_count; i++)
		group_close(&trials->kept[i]);
	trials->kept_count = trials->kept_descriptors = 0;
}

size_t trials_count(const struct trials *trials)
{
	return trials->count;
}

/* Of everything that decides what is counted; the name does not. */
static uint64_t digest_of(const struct event_spec *spec)
{
	const uint64_t numbers[] = {
		spec->type,           spec->config,       spec->config1,
		spec->config2,        spec->bp_type,      spec->exclude_user,
		spec->exclude_kernel, spec->exclude_hv,   spec->exclude_host,
		spec->exclude_guest,  spec->exclude_idle, spec->guest_is_default,
		spec->precise,
	};
	uint64_t digest = 1;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		digest = hash_mix(digest, numbers[i]);
	/* a number between two texts says where each ends */
	digest = hash_mix(hash_text(digest, spec->pmu), 0);
	digest = hash_mix(hash_text(digest, spec->target), 0);
	return hash_text(digest, spec->filter);
}

static int compare_digests(const void *first, const void *second)
{
	const uint64_t *a = first, *b = second;

	return (*a > *b) - (*a < *b);
}

static void make_key(struct answer *key, size_t kind, const struct event_spec *const *specs,
		     size_t count)
{
	*key = (struct answer){.kind = kind, .count = count};
	for (size_t i = 0; i < count; i++)
		key->digests[i] = digest_of(specs[i]);
	qsort(key->digests, count, sizeof(*key->digests), compare_digests);
}

/* Whether each of `part` is in `whole`, as often as there. Both are sorted. */
static bool is_part(const struct answer *part, const struct answer *whole)
{
	size_t found = 0;

	if (part->kind != whole->kind)
		return false;
	for (size_t i = 0; i < whole->count && found < part->count; i++)
		found += whole->digests[i] == part->digests[found];
	return found == part->count;
}

static const struct answer *find_answer(const struct trials *trials, const struct answer *key)
{
	for (size_t i = 0; i < trials->answer_count; i++) {
		const struct answer *answer = &trials->answers[i];

		if (answer->errno_value == 0 ? is_part(key, answer) : is_part(answer, key))
			return answer;
	}
	return NULL;
}

/* What may be otherwise the next time. */
static bool is_passing(int errno_value)
{
	switch (errno_value) {
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case EBUSY:
	case EINTR:
	case EAGAIN:
		return true;
	default:
		return false;
	}
}

static void remember_answer(struct trials *trials, const struct answer *answer)
{
	if (is_passing(answer->errno_value))
		return;
	array_reserve(&trials->answers, &trials->answer_capacity, trials->answer_count + 1,
		      sizeof(*trials->answers));
	trials->answers[trials->answer_count++] = *answer;
}

/* Another program that looks for counters at this moment holds some that it gives back at once. */
static bool trial_runs(const struct group *group, int looks)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct group_reading reading;

	if (!group_enable(group))
		return false;
	while (looks-- > 0) {
		if (!group_read(group, &reading))
			return false;
		if (reading.running_ns > 0 || reading.enabled_ns == 0)
			return true;
		if (looks > 0)
			nanosleep(&pause, NULL);
	}
	return false;
}

static struct group_request trial_request(const struct plan_target *target,
					  const struct event_spec *const *specs, size_t count)
{
	struct group_request request = {
		.leader = target->leader,
		.tracepoint = target->tracepoint,
		.pid = target->pid,
		.cpu = target->cpu,
		.count = count,
		.exclude_kernel = target->exclude_kernel,
	};

	for (size_t i = 0; i < count; i++)
		request.specs[i] = specs[i];
	return request;
}

/* looks: at whether it runs; 0: it need not. Whatever comes of it, the group is to be closed. */
static int open_and_run(struct trials *trials, const struct group_request *request, int looks,
			int *failed, struct group *group)
{
	int errno_value;

	*failed = -1;
	trials->count++;
	errno_value = group_open(group, request, trials->features, failed);
	if (errno_value == 0 && looks > 0 && !trial_runs(group, looks))
		errno_value = ENOSPC;
	return errno_value;
}

static bool is_to_keep(const struct trials *trials, const struct group_request *request)
{
	return group_should_linger(request) && trials->kept_descriptors + 1 + request->count <=
						       trials->host->fd_limit_soft / KEPT_SHARE;
}

static void keep(struct trials *trials, const struct group *group)
{
	group_disable(group);
	array_reserve(&trials->kept, &trials->kept_capacity, trials->kept_count + 1,
		      sizeof(*trials->kept));
	trials->kept[trials->kept_count++] = *group;
	trials->kept_descriptors += 1 + group->count;
}

int trials_try_software(struct trials *trials, const struct trial_scope *scope,
			const struct event_spec *const *specs, size_t count, int *failed)
{
	const struct group_request request = trial_request(&scope->target, specs, count);
	struct group group;
	int errno_value = open_and_run(trials, &request, LOOKS, failed, &group);

	if (errno_value == 0 && is_to_keep(trials, &request))
		keep(trials, &group);
	else
		group_close(&group);
	return errno_value;
}

/* Puts this thread on one of the CPUs; false: it stays where it is. */
static bool move_to(const char *cpus, cpu_set_t *before)
{
	struct number_list list = {0};
	cpu_set_t there;

	if (sched_getaffinity(0, sizeof(*before), before) != 0 ||
	    !number_list_parse(&list, cpus, CPU_SETSIZE - 1))
		return false;
	CPU_ZERO(&there);
	for (size_t i = 0; i < list.count; i++)
		CPU_SET((size_t)list.numbers[i], &there);
	number_list_fini(&list);
	return sched_setaffinity(0, sizeof(there), &there) == 0;
}

/* An event of a PMU that only some CPUs have is counted nowhere else. */
static int try_there(struct trials *trials, const struct trial_scope *scope,
		     const struct event_spec *const *specs, size_t count, int looks, int *failed)
{
	const struct group_request request = trial_request(&scope->target, specs, count);
	const bool is_bound = scope->target.cpu >= 0 || !scope->cpus || !*scope->cpus;
	cpu_set_t before;
	bool has_moved = !is_bound && move_to(scope->cpus, &before);
	struct group group;
	int errno_value;

	errno_value = open_and_run(trials, &request, looks, failed, &group);
	group_close(&group);
	if (has_moved)
		sched_setaffinity(0, sizeof(before), &before);
	return errno_value;
}

int trials_try(struct trials *trials, const struct trial_scope *scope,
	       const struct event_spec *const *specs, size_t count)
{
	const struct answer *known;
	const int looks = count <= scope->counters ? 0 : scope->is_hasty ? 1 : LOOKS;
	struct answer key;
	int failed, errno_value;

	if (count > GROUP_MEMBERS_MAX)
		return E2BIG;
	make_key(&key, scope->kind, specs, count);
	known = find_answer(trials, &key);
	if (known)
		return known->errno_value;
	if (trials->pause && looks > 0) {
		trials->pause(trials->context);
		trials->pause = NULL;
	}
	errno_value = try_there(trials, scope, specs, count, looks, &failed);
	if (failed >= 0) /* those behind it were not looked at */
		make_key(&key, scope->kind, specs, (size_t)failed + 1);
	key.errno_value = errno_value;
	remember_answer(trials, &key);
	return errno_value;
}

bool trials_know(const struct trials *trials, const struct trial_scope *scope,
		 const struct event_spec *const *specs, size_t count)
{
	struct answer key;

	if (count > GROUP_MEMBERS_MAX)
		return true;
	make_key(&key, scope->kind, specs, count);
	return find_answer(trials, &key);
}
