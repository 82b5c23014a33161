/*
 * Lanes are merged by time: a heap holds those that have something to deliver, the one
 * with the oldest record on top. Order between CPUs matters little to the model (births before
 * the newborn runs elsewhere), order within a CPU is exact by itself.
 */
#include "base/memory.h"
#include "kernel/sys.h"
#include "source/cpus/parts.h"

void cpus_notice(struct cpus *cpus, enum record_kind kind, int cpu)
{
	array_reserve(&cpus->notices, &cpus->notice_capacity, cpus->notice_count + 1,
		      sizeof(*cpus->notices));
	cpus->notices[cpus->notice_count++] = (struct record){
		.kind = kind,
		.cpu = cpu,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = sys_now_ns(),
	};
}

static bool is_before(const struct cpu_stream *a, const struct cpu_stream *b)
{
	return cpu_stream_next_time(a) < cpu_stream_next_time(b);
}

static void heap_sift_down(struct cpus *cpus, size_t i)
{
	struct cpu_stream **heap = cpus->heap;

	for (;;) {
		size_t first = i, left = 2 * i + 1, right = 2 * i + 2;
		struct cpu_stream *stream = heap[i];

		if (left < cpus->heap_count && is_before(heap[left], heap[first]))
			first = left;
		if (right < cpus->heap_count && is_before(heap[right], heap[first]))
			first = right;
		if (first == i)
			return;
		heap[i] = heap[first];
		heap[first] = stream;
		i = first;
	}
}

/* The stream on top goes on to its next record, or leaves the heap when it has none. */
static void heap_advance(struct cpus *cpus)
{
	if (!cpu_stream_has_next(cpus->heap[0]))
		cpus->heap[0] = cpus->heap[--cpus->heap_count];
	if (cpus->heap_count > 0)
		heap_sift_down(cpus, 0);
}

/* How full the fullest ring is. */
static double highest_fill(const struct cpus *cpus)
{
	double highest = 0;

	for (size_t i = 0; i < cpus->stream_count; i++) {
		double fill = cpu_stream_fill(cpus->streams[i]);

		highest = fill > highest ? fill : highest;
	}
	return highest;
}

/*
 * The kernel says that records are lost when it has room again, which is after what other CPUs have
 * reported by then. So whenever a ring is full, absences reported up to now are not relied on; the
 * task that runs on that CPU is another matter, and stays until the kernel says so.
 */
static void expect_losses(struct cpus *cpus)
{
	for (size_t i = 0; i < cpus->stream_count; i++) {
		if (!cpu_stream_may_lose(cpus->streams[i]))
			continue;
		cpus_notice(cpus, RECORD_LOST, RECORD_CPU_NONE);
		return;
	}
}

void cpus_begin_round(struct cpus *cpus, uint64_t start_ns)
{
	const uint64_t until_ns = cpus->features->clockid ? start_ns : UINT64_MAX;

	cpus->round_ns = start_ns;
	cpus->base.backlog = highest_fill(cpus);
	expect_losses(cpus);
	cpus->heap_count = 0;
	for (size_t i = 0; i < cpus->stream_count; i++) {
		cpu_stream_begin(cpus->streams[i], until_ns);
		if (cpu_stream_has_next(cpus->streams[i]))
			cpus->heap[cpus->heap_count++] = cpus->streams[i];
	}
	for (size_t i = cpus->heap_count / 2; i-- > 0;)
		heap_sift_down(cpus, i);
	cpus->top_was_used = false;
	cpus->in_round = true;
}

static void end_round(struct cpus *cpus)
{
	if (!cpus->in_round)
		return;
	cpus->notice_count = cpus->notice_next = 0;
	expect_losses(cpus); /* delivered first in the next round */
	for (size_t i = 0; i < cpus->stream_count; i++)
		cpu_stream_end(cpus->streams[i]);
	cpus->in_round = false;
	if (cpus->round_ns > cpus->base.settled_ns)
		cpus->base.settled_ns = cpus->round_ns;
}

/* The record's pointers lead into its stream, so that stream moves on only at the next call. */
bool cpus_next(struct source *source, struct record *record)
{
	struct cpus *cpus = cpus_of(source);

	if (cpus->notice_next < cpus->notice_count) {
		*record = cpus->notices[cpus->notice_next++];
		return true;
	}
	for (;;) {
		if (cpus->top_was_used)
			heap_advance(cpus);
		cpus->top_was_used = cpus->heap_count > 0;
		if (!cpus->top_was_used)
			break;
		if (!cpu_stream_next(cpus->heap[0], record))
			continue;
		cpus->has_lost = cpus->has_lost || record->kind == RECORD_LOST;
		return true;
	}
	end_round(cpus);
	return false;
}
