#include "kernel/sample_time.h"

#include <sched.h>
#include <unistd.h>

#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/switch_time.h"
#include "kernel/sys.h"

enum {
	ROUNDS = 9,
	ROUND_NS = 500000,
	RATE_HZ = 20000, /* ten samples a round */
	RATE_HZ_STACKS = 4000,
	RING_BYTES = 64 * 1024,
	RING_BYTES_STACKS = 128 * 1024,
	STEPS = 1000,
	SWITCHES_MS = 50 /* the longest time to measure switches */
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

/* Other records are few. */
static size_t count_records(struct ring *ring)
{
	const void *bytes;
	size_t size, count = 0;

	ring_begin(ring);
	while (ring_next(ring, &bytes, &size))
		count++;
	ring_end(ring);
	return count;
}

/* Alternates rounds with samples and without. */
static double measure_records(int fd, struct ring *ring)
{
	double with_ns[ROUNDS], without_ns[ROUNDS], each_ns;
	const size_t times = find_times();
	size_t count = 0;

	count_records(ring);
	for (int i = 0; i < ROUNDS; i++) {
		timeline_turn(fd, true);
		with_ns[i] = time_work(times);
		timeline_turn(fd, false);
		without_ns[i] = time_work(times);
		count += count_records(ring);
	}
	if (count < ROUNDS)
		return 0;
	each_ns = switch_time_median(with_ns, without_ns, ROUNDS) * ROUNDS / (double)count;
	return each_ns > 0 ? each_ns : 0;
}

/* Opened enabled. Returns the descriptor; without it there is no ring. */
static int open_own(const struct profiler_request *request, const struct attr_features *features,
		    size_t page_bytes, struct ring *ring)
{
	const size_t bytes = request->stack_bytes > 0 ? RING_BYTES_STACKS : RING_BYTES;
	struct profiler_request ours = *request;
	int fd, errno_value;

	ours.hz = request->stack_bytes > 0 ? RATE_HZ_STACKS : RATE_HZ;
	ours.group = NULL;
	ours.wakeup_bytes = (uint32_t)bytes;
	if (ours.cpu < 0)
		ours.tid = (int32_t)gettid();
	fd = profiler_open(&ours, features);
	if (fd < 0 || ring_map(ring, fd, bytes, page_bytes, &errno_value))
		return fd;
	sys_close(fd);
	return -errno_value;
}

double sample_time_ns(const struct profiler_request *request, const struct attr_features *features,
		      size_t page_bytes)
{
	struct profiler_request ours = *request;
	struct ring ring = {0};
	double each_ns;
	int fd;

	ours.cpu = -1;
	fd = open_own(&ours, features, page_bytes, &ring);
	if (fd < 0)
		return 0;
	each_ns = measure_records(fd, &ring);
	ring_unmap(&ring);
	sys_close(fd);
	return each_ns;
}

/* Used in the process of the measurement. */
struct switch_trial {
	const struct profiler_request *request;
	const struct attr_features *features;
	size_t page_bytes;
	struct ring ring;
	int fd;
};

/* Levels: switches are reported; and sampled, too. */
static unsigned int open_trial(void *context)
{
	struct switch_trial *trial = context;

	trial->fd = open_own(trial->request, trial->features, trial->page_bytes, &trial->ring);
	return trial->fd < 0 ? 0 : 1u << 0 | 1u << 1 | 1u << 2;
}

static void turn_trial(void *context, size_t level)
{
	struct switch_trial *trial = context;

	timeline_turn(trial->fd, level > 0);
	profiler_set_period(trial->fd, level > 1 ? 1 : UINT32_MAX);
	count_records(&trial->ring);
}

double off_cpu_time_ns(const struct profiler_request *request, const struct attr_features *features,
		       size_t page_bytes, double *record_ns)
{
	struct switch_trial measured = {
		.request = request, .features = features, .page_bytes = page_bytes};
	const struct switch_time_trial trial = {
		.cpu = request->cpu < 0 ? sched_getcpu() : request->cpu,
		.open = open_trial,
		.turn = turn_trial,
		.context = &measured,
	};
	/* a CPU's events see a task leave at each switch, one task's events at every second one */
	const double leaving = request->cpu < 0 ? 0.5 : 1;
	struct switch_time time = {.fd = -1};
	struct switch_time_result result;

	switch_time_begin(&time, &trial);
	result = switch_time_end(&time, SWITCHES_MS);
	*record_ns = result.added_ns[1] / (2 * leaving);
	return result.added_ns[2] / leaving;
}
