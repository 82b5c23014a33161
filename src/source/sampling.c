/* What is sampled, and by which event: begun, changed and ended here. */
#include "source/sampling.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>

#include "base/memory.h"
#include "base/units.h"
#include "kernel/attr.h"
#include "kernel/group.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/samplers.h"

enum {
	RING_BYTES = 256 * 1024, /* 100 ms of the longest chains there are */
	RING_BYTES_TASK = 64 * 1024,
	LARGE_HZ = 199, /* with a copy of the stack, or branches: to take them in takes long */
	LOOKS = 4,      /* at a group that should run */
	PAUSE_NS = 2000000
};

static size_t sampler_ring_bytes(const struct sampling *sampling,
				 const struct sampling_target *target)
{
	const size_t bytes = target->cpu < 0 ? RING_BYTES_TASK : RING_BYTES;

	return sampling->stack_bytes > 0 ? 2 * bytes : bytes;
}

/* Where there are several kinds of CPU the event's PMU is in its type, or above a generic config.
 */
const struct event_spec *sampling_spec(const struct sampling *sampling,
				       const struct sampling_target *target)
{
	const struct evsel *by = &sampling->by;

	if (!sampling->is_by_event || target->kind != SAMPLING_ON_CPU)
		return NULL;
	for (size_t i = 1; i < by->spec_count; i++)
		if (by->specs[i].type == target->pmu || by->specs[i].config >> 32 == target->pmu)
			return &by->specs[i];
	return &by->specs[0];
}

static struct profiler_request sampler_request(const struct sampling *sampling,
					       const struct sampling_target *target,
					       const struct group *group)
{
	return (struct profiler_request){
		.tid = target->tid,
		.cpu = target->cpu,
		.is_off_cpu = target->kind == SAMPLING_OFF_CPU,
		.tracepoint = target->kind == SAMPLING_WAKERS ? sampling->wakeup.spec.config : 0,
		.is_hardware = sampling->is_hardware,
		.by_lbr = sampling->by_lbr,
		.branch_type = sampling->branch_type,
		.stack_bytes = sampling->stack_bytes,
		.has_access = sampling->are_accesses && target->kind == SAMPLING_ON_CPU,
		.pmu = target->pmu,
		.hz = sampling->hz,
		.spec = sampling_spec(sampling, target),
		.group = group,
		.max_stack = sampling->max_stack > SAMPLE_FRAMES_MAX ? SAMPLE_FRAMES_MAX : 0,
		.exclude_kernel = sampling->exclude_kernel,
		.wakeup_bytes = (uint32_t)sampler_ring_bytes(sampling, target) / 2,
	};
}

static struct sampler *create_sampler(const struct sampling_target *target)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->target = *target;
	sampler->target.group = NULL;
	sampler->group_id = target->group ? target->group->ids[0] : 0;
	sampler->group_members = target->group ? target->group->count : 0;
	sampler->period = 1;
	sampler->fd = -1;
	return sampler;
}

static void shut(struct sampler *sampler)
{
	ring_unmap(&sampler->ring);
	if (sampler->fd >= 0)
		sys_close(sampler->fd);
	if (sampler->leader_fd > 0)
		sys_close(sampler->leader_fd);
	sampler->fd = -1;
	sampler->leader_fd = 0;
}

static void destroy_sampler(struct sampler *sampler)
{
	shut(sampler);
	free(sampler);
}

/* A smaller ring is better than none: memory for rings may be short. */
static int map(struct sampling *sampling, struct sampler *sampler)
{
	const size_t page_bytes = sampling->host->page_bytes;
	size_t bytes = sampler_ring_bytes(sampling, &sampler->target);
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int errno_value = ENOMEM;

	sampling->refused = EXPLAIN_MAP;
	while (bytes >= page_bytes &&
	       !ring_map(&sampler->ring, sampler->fd, bytes, page_bytes, &errno_value))
		bytes /= 2;
	if (!sampler->ring.base)
		return errno_value;
	return epoll_ctl(sampling->epoll_fd, EPOLL_CTL_ADD, sampler->fd, &event) == 0 ? 0 : errno;
}

/* In this group; NULL: in none. 0, or a positive errno: then it is without an event. */
static int open_sampler(struct sampling *sampling, struct sampler *sampler,
			const struct group *group)
{
	struct profiler_request request = sampler_request(sampling, &sampler->target, group);
	int fd, errno_value;

	sampling->refused = EXPLAIN_OPEN;
	sampler->is_grouped = group;
	if (request.exclude_kernel && (sampler->target.kind != SAMPLING_ON_CPU ||
				       (request.spec && attr_needs_kernel(request.spec))))
		return EACCES; /* it would be granted, and stay silent */
	if (request.has_access && sampling->has_leader) {
		fd = access_leader_open(&request, &sampling->leader.specs[0], sampling->features);
		if (fd < 0)
			return -fd;
		sampler->leader_fd = request.access_fd = fd;
	}
	fd = profiler_open(&request, sampling->features);
	if (fd < 0) {
		shut(sampler);
		return -fd;
	}
	sampler->fd = fd;
	errno_value = map(sampling, sampler);
	if (errno_value != 0)
		shut(sampler);
	return errno_value;
}

static struct sampler *append_sampler(struct sampling *sampling, struct sampler *sampler)
{
	array_reserve(&sampling->samplers, &sampling->capacity, sampling->count + 1,
		      sizeof(struct sampler *));
	return sampling->samplers[sampling->count++] = sampler;
}

static void drop_all(struct sampling *sampling)
{
	while (sampling->count > 0)
		destroy_sampler(sampling->samplers[--sampling->count]);
}

/* Adds a sampler for the target, in its group if that is possible. */
static int open_for(struct sampling *sampling, const struct sampling_target *target)
{
	struct sampler *sampler = append_sampler(sampling, create_sampler(target));

	if (sampling->is_grouped && target->group &&
	    open_sampler(sampling, sampler, target->group) == 0)
		return 0;
	return open_sampler(sampling, sampler, NULL);
}

/*
 * Whether the group counts now that an event has joined it. Others may hold counters for a moment.
 * Before it counts at all the kernel's word is taken, that it has counters enough; of a task that
 * sleeps it cannot be known.
 */
static bool sampler_runs(const struct group *group)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	struct group_reading before, now;

	if (!group_read(group, &before))
		return false;
	if (before.enabled_ns == 0)
		return true;
	for (int looks = 0; looks < LOOKS; looks++) {
		nanosleep(&pause, NULL);
		if (!group_read(group, &now))
			return false;
		if (now.running_ns > before.running_ns)
			return true;
	}
	return false;
}

/*
 * With cycles that join a group the first target shows whether there are counters enough: it joins,
 * and the group still runs.
 */
static bool is_joined(const struct sampling *sampling, const struct sampling_target *target)
{
	if (!sampling->is_grouped)
		return true;
	return sampling->samplers[0]->is_grouped &&
	       (!sampling->is_hardware || sampler_runs(target->group));
}

/* Adds samplers for all targets of a kind. 0, or a positive errno of the first that has none,
 * unless some have. */
static int open_samplers(struct sampling *sampling, const struct sampling_target *targets,
			 size_t count, enum sampling_kind kind)
{
	size_t opened = 0;
	int first = 0;

	for (size_t i = 0; i < count; i++) {
		int errno_value;

		if (targets[i].kind != kind)
			continue;
		errno_value = open_for(sampling, &targets[i]);
		if (i == 0 && !is_joined(sampling, &targets[0]))
			return ENOSPC;
		opened += errno_value == 0;
		first = first == 0 ? errno_value : first;
	}
	return opened > 0 ? 0 : first;
}

/* Half as often where a hundredth of a CPU would not do: the timers of virtual machines are dear.
 * At this moment the kernel may allow fewer. */
static uint32_t choose_hz(const struct sampling *sampling)
{
	const bool has_timer = !sampling->is_hardware && !sampling->is_by_event;
	const double ns = sampling->each_ns[SAMPLE_TIME_CLOCK];
	const uint64_t given = sampling->is_by_event ? sampling->by.specs[0].freq : 0;
	const bool is_large = sampling->stack_bytes > 0 || sampling->branch_type != 0;
	const bool is_dear = has_timer && PROFILER_HZ * ns > NS_PER_S / 100.0;
	const uint64_t by_cost = is_dear ? PROFILER_HZ_EXPENSIVE : PROFILER_HZ;
	const uint64_t usual = is_large ? LARGE_HZ : by_cost;
	const uint64_t hz = given > 0 && given < UINT32_MAX ? given : usual;
	const uint32_t most = host_read_max_sample_rate("");

	return most > 0 && most < hz ? most : (uint32_t)hz;
}

/* Of a clock's frequency the kernel makes a period when it is opened. */
static bool keeps_frequency(const struct sampling *sampling)
{
	return sampling->is_by_event ? !sampling->by.specs[0].is_clock : sampling->is_hardware;
}

bool sampling_has_period(const struct sampling *sampling)
{
	return sampling->is_by_event && attr_sample_period(&sampling->by.specs[0]) > 0;
}

/*
 * The kernel lowers its limit where samples take long, and throttles what is faster in each tick.
 * By the few cycles that it then sees it makes the period shorter still, until most of the time is
 * not sampled. A sampler that cannot be changed stays as it is.
 */
void sampling_lower_hz(struct sampling *sampling)
{
	const uint32_t hz = choose_hz(sampling);

	if (hz >= sampling->hz || sampling_has_period(sampling))
		return;
	sampling->hz = hz;
	for (size_t i = 0; i < sampling->count; i++) {
		const struct sampler *sampler = sampling->samplers[i];

		if (sampler->fd >= 0 && sampler->target.kind == SAMPLING_ON_CPU)
			profiler_set_period(sampler->fd,
					    keeps_frequency(sampling) ? hz : NS_PER_S / hz);
	}
	sampling_report(sampling);
}

/* What is tried, in this order. There may be no PMU, or it does not interrupt, or is full. */
static const struct {
	bool is_hardware, is_grouped, by_lbr;
} ways[] = {
	{true, true, true},   {true, false, true},  {true, true, false},
	{false, true, false}, {true, false, false}, {false, false, false},
};

/* errno_value: of the last target of the kind that was refused. */
static void settle_sampling(struct sampling *sampling, enum sampling_kind kind, int errno_value)
{
	if (kind == SAMPLING_OFF_CPU && !(sampling->is_on && sampling->wants[kind]))
		absences_forget(&sampling->absences);
	sampling_report_kind(sampling, kind, errno_value);
}

static void set_formats(struct sampling *sampling)
{
	const struct attr_features *features = sampling->features;
	struct decode_format *formats = sampling->formats;

	formats[SAMPLING_ON_CPU] =
		sampling->is_by_event
			? attr_event_format(features, &sampling->by.specs[0], sampling->by_lbr)
			: attr_profiler_format(features, false, sampling->by_lbr);
	formats[SAMPLING_OFF_CPU] = attr_off_cpu_format();
	formats[SAMPLING_WAKERS] = attr_traced_format();
	formats[SAMPLING_KINDS] = attr_profiler_format(features, true, sampling->by_lbr);
	if (sampling->stack_bytes > 0) {
		attr_add_stack(&formats[SAMPLING_ON_CPU]);
		attr_add_stack(&formats[SAMPLING_KINDS]);
	}
	if (sampling->branch_type != 0) {
		attr_add_branches(&formats[SAMPLING_ON_CPU], sampling->branch_type);
		attr_add_branches(&formats[SAMPLING_KINDS], sampling->branch_type);
	}
	if (sampling->are_accesses)
		attr_set_access(&formats[SAMPLING_ON_CPU]);
	sampling->offsets = sample_offsets_of(&formats[SAMPLING_ON_CPU]);
}

/*
 * Without a target nothing can be tried: the clock is there for those that come. An event is not in
 * a group: what was counted since its last sample was not counted where it is.
 */
static bool is_way(const struct sampling *sampling, size_t way, bool has_target, bool has_group)
{
	const bool can_cycles = sampling->has_cycles && has_target;
	const bool is_counter =
		sampling->is_by_event && sampling->by.specs[0].class == EVENT_CLASS_HARDWARE;

	if (sampling->branch_type != 0 &&
	    (ways[way].by_lbr || !(ways[way].is_hardware || sampling->is_by_event)))
		return false;
	if (ways[way].by_lbr && !(sampling->wants_lbr && (is_counter || !sampling->is_by_event)))
		return false;
	if (sampling->is_by_event)
		return !ways[way].is_grouped && ways[way].is_hardware == ways[way].by_lbr;
	return (!ways[way].is_hardware || can_cycles) && (!ways[way].is_grouped || has_group);
}

/* On the CPU. 0, or a positive errno; with branches there may be no way: only hardware has them. */
static int try_ways(struct sampling *sampling, const struct sampling_target *targets, size_t count,
		    const struct sampling_target any)
{
	int errno_value = sampling->branch_type != 0 ? EOPNOTSUPP : ENOENT;

	sampling->refused = EXPLAIN_OPEN;
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if (!is_way(sampling, i, count > 0, any.group))
			continue;
		drop_all(sampling);
		sampling->is_hardware = ways[i].is_hardware && !sampling->is_by_event;
		sampling->is_grouped = ways[i].is_grouped;
		sampling->by_lbr = ways[i].by_lbr;
		set_formats(sampling);
		sampling->hz = choose_hz(sampling);
		errno_value = open_samplers(sampling, targets, count, SAMPLING_ON_CPU);
		if (errno_value == 0)
			break;
	}
	return errno_value;
}

/* The same, with copies of the stack if possible. */
static int try_stacks(struct sampling *sampling, const struct sampling_target *targets,
		      size_t count, const struct sampling_target any)
{
	int errno_value;

	sampling->stack_bytes = sampling->wants_stack_bytes;
	errno_value = try_ways(sampling, targets, count, any);
	if (errno_value == 0 || sampling->stack_bytes == 0)
		return errno_value;
	sampling->stack_bytes = 0;
	return try_ways(sampling, targets, count, any);
}

/* The same, with branches if possible; those that the event itself asks for must be. */
static int try_branches(struct sampling *sampling, const struct sampling_target *targets,
			size_t count, const struct sampling_target any)
{
	const bool must = sampling->is_by_event && sampling->by.specs[0].branch_type != 0;
	int errno_value;

	sampling->branch_type = count > 0 || must ? sampling->wants_branch_type : 0;
	errno_value = try_stacks(sampling, targets, count, any);
	if (errno_value == 0 || sampling->branch_type == 0 || must)
		return errno_value;
	sampling_refuse_branches(sampling, &any, errno_value);
	sampling->branch_type = 0;
	return try_stacks(sampling, targets, count, any);
}

void sampling_time(struct sampling *sampling)
{
	const int here = sched_getcpu();
	struct sampling_target found = {.cpu = -1};
	struct profiler_request request;

	if (sampling->was_timed || !sampling->is_on)
		return;
	for (size_t i = 0; i < sampling->count && found.cpu != here; i++)
		if (i == 0 || sampling->samplers[i]->target.cpu == here)
			found = sampling->samplers[i]->target;
	request = sampler_request(sampling, &found, NULL);
	request.spec = NULL;
	request.has_access = false;
	sampling->was_timed = true;
	memset(sampling->each_ns, 0, sizeof(sampling->each_ns));
	sample_time_begin(&sampling->timing, &request, sampling->features,
			  sampling->host->page_bytes);
}

bool sampling_start(struct sampling *sampling, const struct sampling_target *targets, size_t count,
		    struct error *error)
{
	const struct sampling_target any =
		count > 0 ? targets[0] : (struct sampling_target){.cpu = -1};
	int errno_value;

	if (sampling->is_on) {
		sampling_follow(sampling, targets, count);
		return true;
	}
	sampling->is_on = true;
	sampling->max_stack = host_read_max_stack("");
	errno_value = try_branches(sampling, targets, count, any);
	for (enum sampling_kind kind = SAMPLING_OFF_CPU; kind < SAMPLING_KINDS; kind++)
		settle_sampling(sampling, kind, open_samplers(sampling, targets, count, kind));
	if (errno_value != 0)
		return sampling_refuse(sampling, &any, errno_value, error);
	sampling_report(sampling);
	return true;
}

void sampling_stop(struct sampling *sampling)
{
	if (sampling->timing.time.is_running)
		sampling->was_timed = false; /* it is to be measured anew */
	sample_time_end(&sampling->timing);
	drop_all(sampling);
	free(sampling->samplers);
	heap_fini(&sampling->heap);
	sampling->samplers = NULL;
	sampling->capacity = 0;
	sampling->top_was_used = false;
	sampling->branch_count = 0;
	if (!sampling->is_on)
		return;
	sampling->is_on = false;
	settle_sampling(sampling, SAMPLING_OFF_CPU, 0);
	settle_sampling(sampling, SAMPLING_WAKERS, 0);
	sampling->session->sampling = SAMPLING_OFF;
	sampling->session->sampling_words[0] = '\0';
	sampling->session->sampling_event[0] = '\0';
	sampling->session->has_addresses = false;
	sampling->session->uncounted[0] = '\0';
	sampling->session->has_branches = false;
	sampling->session->samples_are_accesses = false;
	sampling->session->unbranched[0] = '\0';
}

/* It is sampled already, beside the same counters. */
static bool is_sampler_of(const struct sampler *sampler, const struct sampling_target *target)
{
	const struct group *group = target->group;

	return sampler->target.tid == target->tid && sampler->target.cpu == target->cpu &&
	       sampler->target.kind == target->kind &&
	       sampler->group_id == (group ? group->ids[0] : 0) &&
	       sampler->group_members == (group ? group->count : 0);
}

static struct sampler *take_sampler(struct sampler **samplers, size_t count, size_t expected,
				    const struct sampling_target *target)
{
	for (size_t i = 0; i < count; i++) {
		struct sampler **at = &samplers[(expected + i) % count];
		struct sampler *found = *at;

		if (!found || !is_sampler_of(found, target))
			continue;
		*at = NULL;
		return found;
	}
	return NULL;
}

/*
 * Most are where they were. The others ask for no more than is allowed by now. Who samples in a
 * group may not have heard of a throttle: since Linux 6.16 only the leader reports it, in a ring of
 * its own.
 */
void sampling_follow(struct sampling *sampling, const struct sampling_target *targets, size_t count)
{
	struct sampler **before = sampling->samplers;
	const size_t count_before = sampling->count;
	int errnos[SAMPLING_KINDS] = {0};

	if (!sampling->is_on)
		return;
	sampling_lower_hz(sampling);
	sampling->samplers = NULL;
	sampling->count = sampling->capacity = 0;
	for (size_t i = 0; i < count; i++) {
		struct sampler *kept = take_sampler(before, count_before, i, &targets[i]);

		if (kept) {
			append_sampler(sampling, kept);
			continue;
		}
		errnos[targets[i].kind] = open_for(sampling, &targets[i]);
		if (targets[i].kind == SAMPLING_ON_CPU && errnos[SAMPLING_ON_CPU] == 0)
			sampling_report(sampling);
	}
	for (size_t i = 0; i < count_before; i++)
		if (before[i])
			destroy_sampler(before[i]);
	free(before);
	settle_sampling(sampling, SAMPLING_OFF_CPU, errnos[SAMPLING_OFF_CPU]);
	settle_sampling(sampling, SAMPLING_WAKERS, errnos[SAMPLING_WAKERS]);
}

void sampling_follow_listed(struct sampling *sampling)
{
	struct sampling_target *targets;
	size_t count;

	if (!sampling->is_on)
		return;
	targets = sampling->list(sampling->source, &count);
	sampling_follow(sampling, targets, count);
	free(targets);
}

/* They are taken at this event (NULL: by time) already. */
static bool is_by(const struct sampling *sampling, const struct source_samples *samples)
{
	const struct evsel *by = samples->by;

	return sampling->is_by_event == (by != NULL) &&
	       sampling->are_accesses == samples->are_accesses &&
	       (!by || strcmp(by->name, sampling->by.name) == 0);
}

/* 0: none. Of what kind a branch is has a column. */
static uint64_t wanted_branches(const struct source_samples *samples)
{
	if (samples->by && samples->by->specs[0].branch_type != 0)
		return samples->by->specs[0].branch_type;
	return samples->has_branches ? DECODED_BRANCH_ANY | DECODED_BRANCH_TYPE_SAVE : 0;
}

bool sampling_take(struct sampling *sampling, const struct source_samples *samples,
		   struct error *error)
{
	const uint64_t branch_type = wanted_branches(samples);
	struct sampling_target *targets;
	size_t count;
	bool is_sampled;

	sampling->wants[SAMPLING_OFF_CPU] = samples->is_on && samples->has_off_cpu;
	sampling->wants[SAMPLING_WAKERS] = samples->is_on && samples->has_wakers;
	if (!samples->is_on || samples->by_lbr != sampling->wants_lbr ||
	    samples->stack_bytes != sampling->wants_stack_bytes ||
	    branch_type != sampling->wants_branch_type || !is_by(sampling, samples))
		sampling_stop(sampling);
	if (samples->stack_bytes != sampling->wants_stack_bytes ||
	    branch_type != sampling->wants_branch_type) /* they cost something else */
		sampling->was_timed = false;
	sampling->wants_branch_type = branch_type;
	sampling->wants_lbr = samples->by_lbr;
	sampling->wants_stack_bytes = samples->stack_bytes;
	sampling->is_by_event = samples->by;
	if (samples->by)
		sampling->by = *samples->by;
	sampling->are_accesses = samples->are_accesses;
	sampling->has_leader = samples->accesses_leader;
	if (samples->accesses_leader)
		sampling->leader = *samples->accesses_leader;
	if (!samples->is_on)
		return true;
	targets = sampling->list(sampling->source, &count);
	is_sampled = sampling_start(sampling, targets, count, error);
	free(targets);
	return is_sampled;
}

uint64_t sampling_take_cost(struct sampling *sampling)
{
	double cost_ns = 0;

	if (!sampling->was_timed || sampling->timing.time.is_running)
		return 0;
	for (size_t i = 0; i < SAMPLE_TIMES; i++)
		cost_ns += (double)sampling->counts[i] * sampling->each_ns[i];
	memset(sampling->counts, 0, sizeof(sampling->counts));
	return (uint64_t)cost_ns;
}
