#include "kernel/sample_time.h"

#include <unistd.h>

#include "kernel/group.h"
#include "kernel/ring.h"
#include "kernel/switch_time.h"
#include "kernel/sys.h"

enum {
	ROUNDS = 9,
	ROUND_NS = 500000,
	RATE_HZ = 20000, /* ten samples a round */
	RING_BYTES = 64 * 1024,
	STEPS = 1000
};

static void work(size_t times)
{
	for (volatile size_t i = 0; i < times * STEPS; i++)
		;
}

/* What takes a round. */
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

/* Records of anything else are few. */
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

/* Rounds with samples and without take turns. */
static double measure(int fd, struct ring *ring)
{
	double with_ns[ROUNDS], without_ns[ROUNDS], each_ns;
	const size_t times = find_times();
	size_t count;

	count_records(ring);
	for (int i = 0; i < ROUNDS; i++) {
		timeline_turn(fd, true);
		with_ns[i] = time_work(times);
		timeline_turn(fd, false);
		without_ns[i] = time_work(times);
	}
	count = count_records(ring);
	if (count < ROUNDS)
		return 0;
	each_ns = switch_time_median(with_ns, without_ns, ROUNDS) * ROUNDS / (double)count;
	return each_ns > 0 ? each_ns : 0;
}

double sample_time_ns(const struct profiler_request *request, const struct attr_features *features,
		      size_t page_bytes)
{
	struct profiler_request ours = *request;
	struct ring ring = {0};
	double each_ns = 0;
	int fd, errno_value;

	ours.tid = (int32_t)gettid();
	ours.cpu = -1;
	ours.hz = RATE_HZ;
	ours.group = NULL;
	ours.wakeup_bytes = RING_BYTES;
	fd = profiler_open(&ours, features);
	if (fd < 0)
		return 0;
	if (ring_map(&ring, fd, RING_BYTES, page_bytes, &errno_value))
		each_ns = measure(fd, &ring);
	ring_unmap(&ring);
	sys_close(fd);
	return each_ns;
}
