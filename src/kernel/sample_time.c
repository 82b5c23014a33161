#include "kernel/sample_time.h"

#include <assert.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/sys.h"

enum {
	ROUNDS = 9,
	ROUND_NS = 500000,
	RATE_HZ = 20000, /* ten samples a round */
	RATE_HZ_STACKS = 4000,
	RING_BYTES = 64 * 1024,
	RING_BYTES_STACKS = 128 * 1024,
	STEPS = 1000
};

static_assert((int)SAMPLE_TIMES <= (int)SWITCH_TIME_LEVELS_MAX, "each has a place in the result");

/* Of the process that measures. */
struct sample_trial {
	const struct profiler_request *request;
	const struct attr_features *features;
	size_t page_bytes;
	struct ring ring;
	int fd;
};

static void work(size_t times)
{
	for (volatile size_t i = 0; i < times * STEPS; i++)
		;
}

/* How many steps make a round. */
static size_t find_times(void)
{
	const uint64_t start_ns = sys_now_ns();
	size_t times = 0;

	for (; sys_now_ns() - start_ns < ROUND_NS; times++)
		work(1);
	return times;
}

static double time_work(size_t times)
{
	const uint64_t start_ns = sys_now_ns();

	work(times);
	return (double)(sys_now_ns() - start_ns);
}

/* Alternates rounds with samples and without. 0: noise exceeds the difference. */
static double measure_records(struct sample_trial *trial)
{
	double with_ns[ROUNDS], without_ns[ROUNDS], each_ns;
	const size_t times = find_times();
	size_t count = 0;

	ring_drain(&trial->ring);
	for (int i = 0; i < ROUNDS; i++) {
		timeline_turn(trial->fd, true);
		with_ns[i] = time_work(times);
		timeline_turn(trial->fd, false);
		without_ns[i] = time_work(times);
		count += ring_drain(&trial->ring); /* other records are few */
	}
	if (count < ROUNDS)
		return 0;
	each_ns = switch_time_median(with_ns, without_ns, ROUNDS) * ROUNDS / (double)count;
	return each_ns > 0 ? each_ns : 0;
}

/* Opened enabled, of a CPU or of this process. */
static bool open_own(struct sample_trial *trial, const struct profiler_request *request)
{
	const size_t bytes = request->stack_bytes > 0 ? RING_BYTES_STACKS : RING_BYTES;
	struct profiler_request ours = *request;
	int errno_value;

	ours.tid = ours.cpu < 0 ? (int32_t)gettid() : -1;
	ours.hz = request->stack_bytes > 0 ? RATE_HZ_STACKS : RATE_HZ;
	ours.wakeup_bytes = (uint32_t)bytes;
	trial->ring = (struct ring){0};
	trial->fd = profiler_open(&ours, trial->features);
	if (trial->fd < 0 ||
	    ring_map(&trial->ring, trial->fd, bytes, trial->page_bytes, &errno_value))
		return trial->fd >= 0;
	sys_close(trial->fd);
	return false;
}

static double measure_loop(struct sample_trial *trial, bool is_hardware)
{
	struct profiler_request request = *trial->request;
	double each_ns;

	request.cpu = -1;
	request.is_hardware = is_hardware;
	request.by_lbr = request.by_lbr && is_hardware;
	if (!open_own(trial, &request))
		return 0;
	each_ns = measure_records(trial);
	ring_unmap(&trial->ring);
	sys_close(trial->fd);
	return each_ns;
}

static unsigned int open_trial(void *context, double added_ns[])
{
	struct sample_trial *trial = context;
	struct profiler_request request = *trial->request;

	added_ns[SAMPLE_TIME_CLOCK] = measure_loop(trial, false);
	added_ns[SAMPLE_TIME_CYCLES] = measure_loop(trial, true);
	request.is_off_cpu = true;
	return open_own(trial, &request) ? 1u << SAMPLE_TIME_NONE | 1u << SAMPLE_TIME_RECORD |
						   1u << SAMPLE_TIME_OFF_CPU
					 : 0;
}

static void turn_trial(void *context, size_t level)
{
	struct sample_trial *trial = context;

	timeline_turn(trial->fd, level >= SAMPLE_TIME_RECORD);
	profiler_set_period(trial->fd, level >= SAMPLE_TIME_OFF_CPU ? 1 : UINT32_MAX);
	ring_drain(&trial->ring);
}

void sample_time_begin(struct sample_time *measured, const struct profiler_request *request,
		       const struct attr_features *features, size_t page_bytes)
{
	struct sample_trial sampled = {
		.request = request, .features = features, .page_bytes = page_bytes};
	const struct switch_time_trial trial = {
		.cpu = request->cpu < 0 ? sched_getcpu() : request->cpu,
		.open = open_trial,
		.turn = turn_trial,
		.context = &sampled,
	};

	/* a CPU's events see a task leave at each switch, one task's events at every second one */
	measured->leaving = request->cpu < 0 ? 0.5 : 1;
	switch_time_begin(&measured->time, &trial);
}

bool sample_time_take(struct sample_time *measured, double ns[static SAMPLE_TIMES])
{
	struct switch_time_result result;

	if (!switch_time_take(&measured->time, &result))
		return false;
	memcpy(ns, result.added_ns, SAMPLE_TIMES * sizeof(*ns));
	ns[SAMPLE_TIME_RECORD] /= 2 * measured->leaving;
	ns[SAMPLE_TIME_OFF_CPU] /= measured->leaving;
	return true;
}

void sample_time_end(struct sample_time *measured)
{
	switch_time_end(&measured->time, 0);
}
