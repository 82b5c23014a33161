/*
 * A round merges the rings by time: a mapping must be known before the samples in it, which may be
 * another CPU's.
 */
#include "source/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <sys/epoll.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/mul_div.h"
#include "kernel/attr.h"
#include "kernel/explain.h"
#include "kernel/group.h"
#include "kernel/host.h"
#include "kernel/sample_time.h"
#include "kernel/sys.h"
#include "model/session.h"
#include "source/convert.h"

enum {
	RING_BYTES = 256 * 1024, /* 100 ms of the longest chains there are */
	RING_BYTES_TASK = 64 * 1024,
	USUAL_STACK = 127, /* calls; the kernel's limit where it has not been changed */
	LOOKS = 4,         /* at a group that should run */
	PAUSE_NS = 2000000,
	SWITCHES_OF_SAMPLE = 2, /* records of switches that cost as much as a sample (cost.sh) */
	NS_PER_S = 1000000000
};

/*
 * At one of how many switches a sample is taken off the CPU. Primes: what alternates is met in all
 * its phases.
 */
static const uint32_t periods[] = {1, 3, 7, 17, 37, 79, 163, 331, 673, 1361};

struct sampler {
	struct sampling_target target; /* without its group */
	int fd;                        /* -1: it is not to be had */
	uint64_t group_id;             /* of the group when it was opened; 0: there was none */
	size_t group_members;
	bool is_grouped; /* it has joined it */
	struct ring ring;
	const void *bytes; /* of the next record in a round */
	size_t size;
	uint64_t time_ns;
	uint64_t throttled_ns; /* since when it has been held back; 0: it is not */
	uint32_t lost;         /* samples, to be said with the next one */
	size_t period;         /* off the CPU, and of wakers; index */
	uint64_t since_ns;     /* switches are counted since; 0: not yet */
	uint64_t switches;     /* or wake-ups */
	uint64_t wakeups;      /* that have been when it was sampled last */
	uint64_t broken;       /* of the ring, as far as noticed */
};

size_t sampling_add_off_cpu(struct sampling_target *targets, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		targets[count + i] = targets[i];
		targets[count + i].group = NULL;
		targets[count + i].kind = SAMPLING_OFF_CPU;
	}
	return count;
}

/* It is looked for once. */
static bool find_wakeup(struct sampling *sampling)
{
	struct error error = {0};

	if (sampling->wakeup.spec.name[0] == '\0' && sampling->no_wakeup[0] == '\0' &&
	    !wakeup_find(sampling->host, "sched_waking", &sampling->wakeup, &error))
		snprintf(sampling->no_wakeup, sizeof(sampling->no_wakeup), "%s", error.text);
	return sampling->no_wakeup[0] == '\0';
}

size_t sampling_add_wakers(struct sampling *sampling, struct sampling_target *targets, size_t cpus,
			   size_t count)
{
	if (!find_wakeup(sampling))
		return 0;
	for (size_t i = 0; i < cpus; i++)
		targets[count + i] = (struct sampling_target){
			.tid = -1,
			.cpu = targets[i].cpu,
			.kind = SAMPLING_WAKERS,
		};
	return cpus;
}

static struct profiler_request request_of(const struct sampling *sampling,
					  const struct sampling_target *target,
					  const struct group *group)
{
	return (struct profiler_request){
		.tid = target->tid,
		.cpu = target->cpu,
		.is_off_cpu = target->kind == SAMPLING_OFF_CPU,
		.tracepoint = target->kind == SAMPLING_WAKERS ? sampling->wakeup.spec.config : 0,
		.is_hardware = sampling->is_hardware,
		.pmu = target->pmu,
		.hz = sampling->hz,
		.group = group,
		.max_stack = sampling->max_stack > SAMPLE_FRAMES_MAX ? SAMPLE_FRAMES_MAX : 0,
		.exclude_kernel = sampling->exclude_kernel,
		.wakeup_bytes = (target->cpu < 0 ? RING_BYTES_TASK : RING_BYTES) / 2,
	};
}

/* A smaller ring is better than none: memory for rings may be short. */
static int map(struct sampling *sampling, struct sampler *sampler)
{
	const size_t page_bytes = sampling->host->page_bytes;
	size_t bytes = sampler->target.cpu < 0 ? RING_BYTES_TASK : RING_BYTES;
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	int errno_value = ENOMEM;

	while (bytes >= page_bytes &&
	       !ring_map(&sampler->ring, sampler->fd, bytes, page_bytes, &errno_value))
		bytes /= 2;
	if (!sampler->ring.base)
		return errno_value;
	return epoll_ctl(sampling->epoll_fd, EPOLL_CTL_ADD, sampler->fd, &event) == 0 ? 0 : errno;
}

static void close_one(struct sampler *sampler)
{
	ring_unmap(&sampler->ring);
	if (sampler->fd >= 0)
		sys_close(sampler->fd);
	free(sampler);
}

/* 0, or a positive errno: then it is there without an event. */
static int open_one(struct sampling *sampling, struct sampler *sampler, const struct group *group)
{
	const struct profiler_request request = request_of(sampling, &sampler->target, group);
	int errno_value;

	sampling->refused = EXPLAIN_OPEN;
	sampler->is_grouped = group;
	if (sampler->target.kind != SAMPLING_ON_CPU && request.exclude_kernel)
		return EACCES; /* it would be granted, and stay silent */
	sampler->fd = profiler_open(&request, sampling->features);
	if (sampler->fd < 0) {
		errno_value = -sampler->fd;
		sampler->fd = -1;
		return errno_value;
	}
	errno_value = (uint64_t)sampler->fd >= sampling->fd_end ? EMFILE : 0;
	if (errno_value == 0) {
		errno_value = map(sampling, sampler);
		sampling->refused = EXPLAIN_MAP;
	}
	if (errno_value == 0)
		return 0;
	ring_unmap(&sampler->ring);
	sys_close(sampler->fd);
	sampler->fd = -1;
	return errno_value;
}

static struct sampler *add(struct sampling *sampling, const struct sampling_target *target)
{
	struct sampler *sampler = xcalloc(1, sizeof(*sampler));

	sampler->target = *target;
	sampler->target.group = NULL;
	sampler->group_id = target->group ? target->group->ids[0] : 0;
	sampler->group_members = target->group ? target->group->count : 0;
	sampler->fd = -1;
	array_reserve(&sampling->samplers, &sampling->capacity, sampling->count + 1,
		      sizeof(struct sampler *));
	sampling->samplers[sampling->count++] = sampler;
	return sampler;
}

static void drop_all(struct sampling *sampling)
{
	while (sampling->count > 0)
		close_one(sampling->samplers[--sampling->count]);
}

/* Adds a sampler for the target, in its group if that is possible. */
static int open_for(struct sampling *sampling, const struct sampling_target *target)
{
	struct sampler *sampler = add(sampling, target);

	if (sampling->is_grouped && target->group &&
	    open_one(sampling, sampler, target->group) == 0)
		return 0;
	return open_one(sampling, sampler, NULL);
}

/*
 * Whether the group counts now that an event has joined it. Others may hold counters for a moment.
 * Before it counts at all the kernel's word is taken, that it has counters enough; of a task that
 * sleeps it cannot be known.
 */
static bool runs(const struct group *group)
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
	return sampling->samplers[0]->is_grouped && (!sampling->is_hardware || runs(target->group));
}

/* Adds samplers for all targets of a kind. 0, or a positive errno of the first that has none,
 * unless some have. */
static int open_all(struct sampling *sampling, const struct sampling_target *targets, size_t count,
		    enum sampling_kind kind)
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

static const char *event_name(const struct sampling *sampling)
{
	return sampling->is_hardware ? "cycles" : "cpu-clock";
}

static bool has_joined(const struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++)
		if (sampling->samplers[i]->fd >= 0 && sampling->samplers[i]->is_grouped)
			return true;
	return false;
}

static void report(const struct sampling *sampling)
{
	struct session *session = sampling->session;
	const char *reason = session->has_pmu ? "hardware events are not counted all the time"
					      : "no hardware event is counted";
	char depth[32] = "";

	snprintf(session->uncounted, sizeof(session->uncounted), "%s",
		 has_joined(sampling) ? "" : reason);
	session->sampling = sampling->is_hardware ? SAMPLING_CYCLES : SAMPLING_CLOCK;
	if (sampling->max_stack > 0 && sampling->max_stack < USUAL_STACK)
		snprintf(depth, sizeof(depth), ", %u calls deep", sampling->max_stack);
	snprintf(session->sampling_words, sizeof(session->sampling_words), "%s, %u Hz%s%s",
		 event_name(sampling), sampling->hz, depth,
		 sampling->exclude_kernel ? ", user mode only" : "");
}

/* What the session says of samples of a kind that is not that on the CPU. */
struct kind_report {
	bool *is_on, *is_estimate;
	char *words; /* SESSION_TEXT_MAX */
	const char *each, *some, *none;
};

static struct kind_report report_of(struct session *session, enum sampling_kind kind)
{
	if (kind == SAMPLING_WAKERS)
		return (struct kind_report){
			.is_on = &session->has_wakers,
			.is_estimate = &session->has_unsampled_wakeups,
			.words = session->waker_words,
			.each = "each wake-up",
			.some = "1 of %u wake-ups",
			.none = "the CPUs are not watched",
		};
	return (struct kind_report){
		.is_on = &session->has_off_cpu,
		.is_estimate = &session->has_unplaced,
		.words = session->off_cpu_words,
		.each = "each switch",
		.some = "1 of %u switches",
		.none = "no thread of it is left",
	};
}

/* How it is done: where that is at least often. */
static void report_periods(const struct sampling *sampling, enum sampling_kind kind)
{
	const struct kind_report to = report_of(sampling->session, kind);
	uint32_t period = 1;

	for (size_t i = 0; i < sampling->count; i++) {
		const struct sampler *sampler = sampling->samplers[i];

		if (sampler->target.kind == kind && periods[sampler->period] > period)
			period = periods[sampler->period];
	}
	*to.is_estimate = period > 1;
	snprintf(to.words, SESSION_TEXT_MAX, period > 1 ? to.some : to.each, period);
}

static struct error explain(const struct sampling *sampling, const struct sampling_target *target,
			    int errno_value)
{
	const char *const events[] = {
		[SAMPLING_ON_CPU] = event_name(sampling),
		[SAMPLING_OFF_CPU] = "context-switches",
		[SAMPLING_WAKERS] = sampling->wakeup.spec.name,
	};
	struct error refusal = {0};
	const struct explain_context context = {
		.call = sampling->refused,
		.what = sampling->refused == EXPLAIN_MAP ? "rings of samples"
							 : events[target->kind],
		.spec = target->kind == SAMPLING_WAKERS ? &sampling->wakeup.spec : NULL,
		.pid = target->tid,
		.cpu = target->cpu,
		.host = sampling->host,
	};

	explain_perf_error(&refusal, errno_value, &context);
	return refusal;
}

static void stop(struct sampling *sampling, enum sampling_kind kind)
{
	const struct kind_report to = report_of(sampling->session, kind);

	if (kind == SAMPLING_OFF_CPU)
		absences_forget(&sampling->absences);
	*to.is_on = *to.is_estimate = false;
	to.words[0] = '\0';
}

/* Why there is no sampler. */
static void report_none(struct sampling *sampling, enum sampling_kind kind)
{
	const struct kind_report to = report_of(sampling->session, kind);
	const bool is_unknown = kind == SAMPLING_WAKERS && sampling->no_wakeup[0] != '\0';

	snprintf(to.words, SESSION_TEXT_MAX, "not sampled: %.400s",
		 is_unknown ? sampling->no_wakeup : to.none);
}

/* errno_value: of the last target that was refused. */
static void settle(struct sampling *sampling, enum sampling_kind kind, int errno_value)
{
	const struct kind_report to = report_of(sampling->session, kind);
	const struct sampler *refused = NULL;

	if (kind == SAMPLING_OFF_CPU ? !sampling->wants_off_cpu : !sampling->wants_wakers) {
		stop(sampling, kind);
		return;
	}
	*to.is_on = false;
	for (size_t i = 0; i < sampling->count && !*to.is_on; i++)
		if (sampling->samplers[i]->target.kind == kind) {
			refused = sampling->samplers[i];
			*to.is_on = refused->fd >= 0;
		}
	if (*to.is_on)
		report_periods(sampling, kind);
	else if (!refused)
		report_none(sampling, kind);
	else if (errno_value != 0)
		snprintf(to.words, SESSION_TEXT_MAX, "not sampled: %.400s",
			 explain(sampling, &refused->target, errno_value).text);
}

static bool refuse(const struct sampling *sampling, const struct sampling_target *target,
		   int errno_value, struct error *error)
{
	struct session *session = sampling->session;
	const struct error refusal = explain(sampling, target, errno_value);

	snprintf(session->sampling_words, sizeof(session->sampling_words), "no samples: %.400s",
		 refusal.text);
	if (error)
		*error = refusal;
	return false;
}

/* Once of each kind. */
static void time_samples(struct sampling *sampling, const struct sampling_target *target)
{
	const struct profiler_request request = request_of(sampling, target, NULL);
	struct sample_cost *cost = &sampling->costs[sampling->is_hardware];

	if (!cost->was_timed)
		cost->ns = sample_time_ns(&request, sampling->features, sampling->host->page_bytes);
	cost->was_timed = true;
}

/* Half as often where a hundredth of a CPU would not do: the timers of virtual machines are dear.
 * At this moment the kernel may allow fewer. */
static uint32_t choose_hz(const struct sampling *sampling)
{
	const double ns = sampling->is_hardware ? 0 : sampling->costs[false].ns;
	const uint32_t hz = PROFILER_HZ * ns > NS_PER_S / 100.0 ? PROFILER_HZ_DEAR : PROFILER_HZ;
	const uint32_t most = host_read_max_sample_rate("");

	return most > 0 && most < hz ? most : hz;
}

/* What is tried, in this order. There may be no PMU, or it does not interrupt, or is full. */
static const struct {
	bool is_hardware, is_grouped;
} ways[] = {{true, true}, {false, true}, {true, false}, {false, false}};

bool sampling_start(struct sampling *sampling, const struct sampling_target *targets, size_t count,
		    struct error *error)
{
	const bool may_join = count > 0 && targets[0].group;
	int errno_value = 0;

	if (sampling->is_on) {
		sampling_follow(sampling, targets, count);
		return true;
	}
	sampling->is_on = true;
	for (int i = 0; i < 2; i++)
		sampling->formats[i] = attr_profiler_format(sampling->features, i == 1);
	sampling->off_cpu_format = attr_off_cpu_format();
	sampling->waker_format = attr_traced_format();
	sampling->offsets = sample_offsets_of(&sampling->formats[0]);
	sampling->max_stack = host_read_max_stack("");
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		if ((ways[i].is_hardware && !sampling->has_cycles) ||
		    (ways[i].is_grouped && !may_join))
			continue;
		drop_all(sampling);
		sampling->is_hardware = ways[i].is_hardware;
		sampling->is_grouped = ways[i].is_grouped;
		time_samples(sampling, &targets[0]);
		sampling->hz = choose_hz(sampling);
		errno_value = open_all(sampling, targets, count, SAMPLING_ON_CPU);
		if (errno_value == 0)
			break;
	}
	for (int kind = SAMPLING_OFF_CPU; kind <= SAMPLING_WAKERS; kind++)
		settle(sampling, (enum sampling_kind)kind,
		       open_all(sampling, targets, count, (enum sampling_kind)kind));
	if (errno_value != 0)
		return refuse(sampling, &targets[0], errno_value, error);
	report(sampling);
	return true;
}

void sampling_stop(struct sampling *sampling)
{
	drop_all(sampling);
	free(sampling->samplers);
	heap_fini(&sampling->heap);
	sampling->samplers = NULL;
	sampling->capacity = 0;
	sampling->top_was_used = false;
	if (!sampling->is_on)
		return;
	sampling->is_on = false;
	stop(sampling, SAMPLING_OFF_CPU);
	stop(sampling, SAMPLING_WAKERS);
	sampling->session->sampling = SAMPLING_OFF;
	sampling->session->sampling_words[0] = '\0';
	sampling->session->uncounted[0] = '\0';
}

/* It is sampled already, beside the same counters. */
static bool is_of(const struct sampler *sampler, const struct sampling_target *target)
{
	const struct group *group = target->group;

	return sampler->target.tid == target->tid && sampler->target.cpu == target->cpu &&
	       sampler->target.kind == target->kind &&
	       sampler->group_id == (group ? group->ids[0] : 0) &&
	       sampler->group_members == (group ? group->count : 0);
}

static struct sampler *take(struct sampler **samplers, size_t count, size_t expected,
			    const struct sampling_target *target)
{
	for (size_t i = 0; i < count; i++) {
		struct sampler **at = &samplers[(expected + i) % count];
		struct sampler *found = *at;

		if (!found || !is_of(found, target))
			continue;
		*at = NULL;
		return found;
	}
	return NULL;
}

/* Most are where they were. */
void sampling_follow(struct sampling *sampling, const struct sampling_target *targets, size_t count)
{
	struct sampler **before = sampling->samplers;
	const size_t count_before = sampling->count;
	int errnos[] = {[SAMPLING_WAKERS] = 0};

	if (!sampling->is_on)
		return;
	sampling->samplers = NULL;
	sampling->count = sampling->capacity = 0;
	for (size_t i = 0; i < count; i++) {
		struct sampler *kept = take(before, count_before, i, &targets[i]);

		if (kept) {
			array_reserve(&sampling->samplers, &sampling->capacity, sampling->count + 1,
				      sizeof(struct sampler *));
			sampling->samplers[sampling->count++] = kept;
			continue;
		}
		errnos[targets[i].kind] = open_for(sampling, &targets[i]);
		if (targets[i].kind == SAMPLING_ON_CPU && errnos[SAMPLING_ON_CPU] == 0)
			report(sampling);
	}
	for (size_t i = 0; i < count_before; i++)
		if (before[i])
			close_one(before[i]);
	free(before);
	settle(sampling, SAMPLING_OFF_CPU, errnos[SAMPLING_OFF_CPU]);
	settle(sampling, SAMPLING_WAKERS, errnos[SAMPLING_WAKERS]);
}

/* Whether the ring has one more record for this round. */
static bool fetch(const struct sampling *sampling, struct sampler *sampler)
{
	struct ring *ring = &sampler->ring;

	if (!ring_next(ring, &sampler->bytes, &sampler->size)) {
		sampler->lost += ring->broken > sampler->broken;
		sampler->broken = ring->broken;
		return false;
	}
	sampler->time_ns = decode_peek_time(sampler->bytes, sampler->size, &sampling->offsets);
	if (sampler->time_ns <= sampling->until_ns || !sampling->features->clockid)
		return true;
	ring_keep_last(ring);
	return false;
}

void sampling_begin(struct sampling *sampling, uint64_t until_ns, bool ends_interval)
{
	sampling->until_ns = until_ns;
	sampling->is_closing = ends_interval;
	sampling->top_was_used = false;
	heap_clear(&sampling->heap);
	for (size_t i = 0; i < sampling->count; i++) {
		struct sampler *sampler = sampling->samplers[i];

		if (sampler->fd < 0)
			continue;
		ring_begin(&sampler->ring);
		if (fetch(sampling, sampler))
			heap_add(&sampling->heap, sampler, sampler->time_ns);
	}
}

/*
 * No more than PROFILER_HZ samples a second. Looked at each second, or when there were as many
 * switches before.
 */
static bool limit_one(const struct sampling *sampling, struct sampler *sampler)
{
	const uint64_t passed_ns = sampling->until_ns - sampler->since_ns;
	size_t period = 0;

	if (passed_ns == 0 ||
	    (sampler->since_ns > 0 && passed_ns < NS_PER_S && sampler->switches < PROFILER_HZ))
		return false;
	while (sampler->since_ns > 0 && period + 1 < sizeof(periods) / sizeof(*periods) &&
	       mul_div(sampler->switches, NS_PER_S, passed_ns) >
		       (uint64_t)PROFILER_HZ * periods[period])
		period++;
	sampler->since_ns = sampling->until_ns;
	sampler->switches = 0;
	if (period == sampler->period || profiler_set_period(sampler->fd, periods[period]) != 0)
		return false;
	sampler->period = period;
	return true;
}

static void limit_all(const struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++) {
		struct sampler *sampler = sampling->samplers[i];

		if (sampler->target.kind != SAMPLING_ON_CPU && sampler->fd >= 0 &&
		    limit_one(sampling, sampler))
			report_periods(sampling, sampler->target.kind);
	}
}

void sampling_end(struct sampling *sampling)
{
	limit_all(sampling);
	for (size_t i = 0; i < sampling->count; i++)
		if (sampling->samplers[i]->fd >= 0)
			ring_end(&sampling->samplers[i]->ring);
	heap_clear(&sampling->heap);
	sampling->top_was_used = false;
}

/* --- records */

/* Of the group alone: the event's own value is behind those of the members. */
static bool take_reading(struct sampling *sampling, const struct sampler *sampler)
{
	const struct decoded_read *read = &sampling->decoded.sample.read;

	if (!sampler->is_grouped || read->count != 2 + sampler->group_members ||
	    read->ids[0] != sampler->group_id)
		return false;
	sampling->reading = (struct record_reading){
		.group = sampler->target.group_index,
		.sequence = read->values[0],
		.enabled_ns = read->enabled_ns,
		.running_ns = read->running_ns,
		.values = &read->values[1],
	};
	return true;
}

static void set_sample(struct sampling *sampling, struct sampler *sampler, struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;

	convert_sample(decoded, sampling->frames, record);
	record->sample.weight = decoded->sample.period;
	record->sample.ns =
		sampling->is_hardware ? 1000000000 / sampling->hz : decoded->sample.period;
	record->sample.is_of_task = sampler->target.cpu < 0;
	if (take_reading(sampling, sampler))
		record->sample.reading = &sampling->reading;
	record->sample.lost = sampler->lost;
	sampler->lost = 0;
}

static void set_lost(struct sampler *sampler, struct record *record)
{
	record->kind = RECORD_SAMPLE;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->sample = (struct record_sample){.lost = sampler->lost};
	sampler->lost = 0;
}

/* Where its beginning was lost, how long it was is not known. */
static void set_throttled(struct sampler *sampler, struct record *record)
{
	record->kind = RECORD_THROTTLED;
	record->throttled_ns = 0;
	if (sampler->throttled_ns > 0 && sampler->throttled_ns < record->time_ns)
		record->throttled_ns = record->time_ns - sampler->throttled_ns;
	sampler->throttled_ns = 0;
}

/* The same of a task that leaves a CPU or is back. After a loss any may have been on one. */
static bool convert_off_cpu(struct sampling *sampling, struct sampler *sampler,
			    struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;
	struct record left = *record;

	if (decoded->type == DECODED_LOST || decoded->type == DECODED_LOST_SAMPLES)
		sampler->lost += (uint32_t)decoded->lost.lost;
	if (sampler->lost > 0) {
		absences_forget(&sampling->absences);
		set_lost(sampler, record);
		return true;
	}
	switch (decoded->type) {
	case DECODED_SAMPLE:
		sampling->costly_samples++;
		convert_sample(decoded, sampling->frames, &left);
		absences_place(&sampling->absences, &left);
		return false;
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		sampler->switches += decoded->ctx_switch.out;
		sampling->costly++;
		return convert_record(decoded, NULL, 0, &left) &&
		       absences_switch(&sampling->absences, &left, record);
	default:
		return false;
	}
}

/* Of an interrupt the calls below it are not what wakes. */
static bool set_waker(struct sampling *sampling, struct sampler *sampler, struct record *record)
{
	const struct decoded_sample *from = &sampling->decoded.sample;
	int32_t wakee_tid;

	if (!wakeup_read_tid(&sampling->wakeup, &from->raw, &wakee_tid))
		return false;
	convert_sample(&sampling->decoded, sampling->frames, record);
	if (wakeup_is_in_interrupt(&from->raw))
		record->sample.count = record->sample.kernel_count;
	record->sample.kind = SAMPLE_WAKER;
	record->sample.wakee_tid = wakee_tid;
	record->sample.weight = from->read.values[0] - sampler->wakeups;
	record->sample.lost = sampler->lost;
	sampler->switches += record->sample.weight;
	sampler->wakeups = from->read.values[0];
	sampler->lost = 0;
	return true;
}

static bool convert_waker(struct sampling *sampling, struct sampler *sampler, struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;

	switch (decoded->type) {
	case DECODED_SAMPLE:
		sampling->costly_samples++;
		return set_waker(sampling, sampler, record);
	case DECODED_LOST:
	case DECODED_LOST_SAMPLES:
		sampler->lost += (uint32_t)decoded->lost.lost;
		set_lost(sampler, record);
		return true;
	default:
		return false;
	}
}

static const struct decode_format *format_of(const struct sampling *sampling,
					     const struct sampler *sampler)
{
	switch (sampler->target.kind) {
	case SAMPLING_OFF_CPU:
		return &sampling->off_cpu_format;
	case SAMPLING_WAKERS:
		return &sampling->waker_format;
	case SAMPLING_ON_CPU:
		break;
	}
	return &sampling->formats[sampler->is_grouped];
}

/* False: the record is none that is delivered. */
static bool convert(struct sampling *sampling, struct sampler *sampler, struct record *record)
{
	struct decoded *decoded = &sampling->decoded;

	if (decode_record(decoded, sampler->bytes, sampler->size, format_of(sampling, sampler)) !=
	    DECODE_OK) {
		sampler->lost++;
		return false;
	}
	*record = (struct record){
		.cpu = (int32_t)decoded->id.cpu,
		.pid = decoded->id.pid,
		.tid = decoded->id.tid,
		.time_ns = decoded->id.time_ns,
	};
	if (sampler->target.kind == SAMPLING_OFF_CPU)
		return convert_off_cpu(sampling, sampler, record);
	if (sampler->target.kind == SAMPLING_WAKERS)
		return convert_waker(sampling, sampler, record);
	switch (decoded->type) {
	case DECODED_SAMPLE:
		sampling->costly_samples++;
		set_sample(sampling, sampler, record);
		return true;
	case DECODED_EXIT:
		absences_exit(&sampling->absences, decoded->fork.tid);
		return convert_mapping(decoded, record);
	case DECODED_LOST:
	case DECODED_LOST_SAMPLES:
		sampler->lost += (uint32_t)decoded->lost.lost;
		set_lost(sampler, record);
		return true;
	case DECODED_THROTTLE:
		sampler->throttled_ns = record->time_ns;
		return false;
	case DECODED_UNTHROTTLE:
		set_throttled(sampler, record);
		return true;
	default: /* births and names are reported elsewhere as such */
		return convert_mapping(decoded, record);
	}
}

static void advance(struct sampling *sampling)
{
	struct sampler *sampler = heap_top(&sampling->heap);

	if (fetch(sampling, sampler))
		heap_advance(&sampling->heap, sampler->time_ns);
	else
		heap_remove_top(&sampling->heap);
}

/* Behind all records: of what is still off the CPU when the interval ends. */
static bool next_part(struct sampling *sampling, struct record *record)
{
	if (sampling->is_closing)
		absences_close(&sampling->absences);
	sampling->is_closing = false;
	return absences_next_part(&sampling->absences, sampling->until_ns, record);
}

bool sampling_next(struct sampling *sampling, struct record *record)
{
	for (;;) {
		if (sampling->top_was_used)
			advance(sampling);
		sampling->top_was_used = sampling->heap.count > 0;
		if (!sampling->top_was_used)
			return next_part(sampling, record);
		if (convert(sampling, heap_top(&sampling->heap), record))
			return true;
	}
}

uint64_t sampling_take_cost(struct sampling *sampling)
{
	const double samples =
		(double)sampling->costly_samples + (double)sampling->costly / SWITCHES_OF_SAMPLE;

	sampling->costly = sampling->costly_samples = 0;
	return (uint64_t)(samples * sampling->costs[sampling->is_hardware].ns);
}

size_t sampling_descriptors(const struct sampling *sampling)
{
	size_t count = 0;

	for (size_t i = 0; i < sampling->count; i++)
		count += sampling->samplers[i]->fd >= 0;
	return count;
}
