/*
 * records [MILLION [HISTORY [SIBLINGS]]]: how many context switches a second go from a ring through
 * decoder and attribution, on one core.
 *
 * The ring is ordinary memory that is filled as the kernel fills it: for every context switch a
 * sample of sched_switch with the reading of a group of six events. Filling is not measured.
 * HISTORY: so many switches are kept, as they are live. SIBLINGS, 1: the CPU shares its core with
 * one that is busy. Prints switches per second (in millions) and nanoseconds per switch, medians of
 * the rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include "base/memory.h"
#include "base/topology.h"
#include "kernel/attr.h"
#include "kernel/ring.h"
#include "model/layout.h"
#include "model/model.h"
#include "model/record.h"
#include "source/cpus/cpu_stream.h"

enum {
	PAGE_BYTES = 4096,
	RING_BYTES = 8 << 20,
	MEMBERS = 6,
	TASKS = 64,
	FIRST_TID = 1000,
	SLICE_NS = 5000
};

/* As of Linux 6.1. */
struct sched_switch_data {
	uint64_t common;
	char prev_comm[16];
	int32_t prev_pid, prev_prio;
	int64_t prev_state;
	char next_comm[16];
	int32_t next_pid, next_prio;
};

struct __attribute__((packed)) sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time;
	uint64_t count, enabled, running;
	uint64_t values[1 + MEMBERS];
	uint32_t raw_size;
	struct sched_switch_data raw;
	uint32_t padding;
};

static const struct sched_switch SCHED_SWITCH = {
	.prev_name = offsetof(struct sched_switch_data, prev_comm),
	.prev_tid = offsetof(struct sched_switch_data, prev_pid),
	.prev_state = offsetof(struct sched_switch_data, prev_state),
	.next_tid = offsetof(struct sched_switch_data, next_pid),
	.states = {.known = 1, .of = {TASK_STATE_SLEEPING}},
	.size = sizeof(struct sched_switch_data),
};

/* The kernel's side: what it would write next. */
struct writer {
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t head;
	uint64_t sequence, time_ns;
};

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void put(struct writer *writer, const void *record, size_t size)
{
	size_t at = writer->head % RING_BYTES;
	size_t first = size < RING_BYTES - at ? size : RING_BYTES - at;

	memcpy(writer->data + at, record, first);
	memcpy(writer->data, (const char *)record + first, size - first);
	writer->head += size;
}

static uint32_t runner(uint64_t sequence)
{
	return FIRST_TID + (uint32_t)(sequence % TASKS);
}

static void put_sample(struct writer *writer, uint32_t tid, uint32_t next)
{
	struct sample sample = {
		.header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(sample)},
		.id = 1,
		.pid = tid,
		.tid = tid,
		.time = writer->time_ns,
		.count = 1 + MEMBERS,
		.enabled = writer->time_ns,
		.running = writer->time_ns,
		.values[0] = writer->sequence,
		.raw_size = sizeof(sample.raw) + sizeof(sample.padding),
		.raw = {.prev_comm = "task",
			.prev_pid = (int32_t)tid,
			.prev_state = 1,
			.next_pid = (int32_t)next},
	};

	for (uint64_t i = 1; i <= MEMBERS; i++)
		sample.values[i] = writer->sequence * 1000 * i;
	put(writer, &sample, sizeof(sample));
}

/* Fills the ring with switches; returns how many. */
static size_t fill(struct writer *writer, uint64_t tail)
{
	size_t switches = 0;

	while (writer->head - tail + sizeof(struct sample) <= RING_BYTES) {
		uint32_t leaves = runner(writer->sequence++), comes = runner(writer->sequence);

		writer->time_ns += SLICE_NS;
		put_sample(writer, leaves, comes);
		switches++;
	}
	__atomic_store_n(&writer->page->data_head, writer->head, __ATOMIC_RELEASE);
	return switches;
}

/* Not inlined, so that a simulator of processors can count the instructions of just this. */
static __attribute__((noinline)) size_t consume(struct cpu_stream *stream, struct model *model)
{
	struct record record;
	size_t fed = 0;

	cpu_stream_begin(stream, UINT64_MAX);
	while (cpu_stream_has_next(stream)) {
		if (cpu_stream_next(stream, &record)) {
			model_feed(model, &record);
			fed++;
		}
	}
	cpu_stream_end(stream);
	model_settle(model, stream->last_time_ns);
	return fed;
}

static void make_layout(struct layout *layout)
{
	static const char *const names[MEMBERS] = {"page-faults",  "cycles",
						   "instructions", "cache-references",
						   "cache-misses", "branch-misses"};

	layout_init(layout);
	for (size_t i = 0; i < MEMBERS; i++)
		layout_add_counter(layout, 0, layout_add_event(layout, names[i]));
}

/* Another CPU, on which a task runs all the time, is a thread of the same core. */
static void add_sibling(struct model *model, struct topology *topology)
{
	for (int cpu = 0; cpu < 2; cpu++) {
		struct cpu_location *location = topology_add(topology, cpu);

		location->socket = location->core = 0;
		location->thread = cpu;
	}
	model_note_topology(model, topology);
	model_feed(model, &(struct record){.kind = RECORD_CPU_ONLINE, .cpu = 1});
	model_feed(model, &(struct record){.kind = RECORD_SWITCH,
					   .cpu = 1,
					   .pid = RECORD_TASK_UNKNOWN,
					   .tid = RECORD_TASK_UNKNOWN,
					   .time_ns = 1,
					   .ctx_switch = {.next_pid = FIRST_TID + TASKS,
							  .next_tid = FIRST_TID + TASKS}});
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	size_t wanted = (size_t)(argc > 1 ? atof(argv[1]) * 1e6 : 2e7);
	unsigned char *memory = aligned_alloc(PAGE_BYTES, PAGE_BYTES + RING_BYTES);
	struct cpu_stream stream = {.cpu = 0,
				    .timeline_fd = -1,
				    .switches_fd = -1,
				    .bundle = {.count = 1},
				    .running_tid = RECORD_TASK_UNKNOWN,
				    .on_groups = 1,
				    .sched_switch = &SCHED_SWITCH,
				    .format = attr_tracepoint_format()};
	struct writer writer = {.page = (void *)memory, .data = memory + PAGE_BYTES, .sequence = 1};
	struct layout layout = {0};
	struct topology topology = {0};
	size_t rounds = 0, total = 0, most = 1024;
	double *took_ns = xcalloc(most, sizeof(*took_ns));

	memset(memory, 0, PAGE_BYTES + RING_BYTES);
	make_layout(&layout);
	struct model *model = model_create(&layout);
	stream.slots = xcalloc(1, sizeof(*stream.slots));
	stream.slots[0].leader_id = 1;
	stream.slots[0].value_count = 1 + MEMBERS;
	stream.slots[0].done = 1;
	stream.readings = xcalloc(2, sizeof(*stream.readings));
	stream.bundle.groups = xcalloc(1, sizeof(*stream.bundle.groups));
	/* open, as far as the stream can see; its descriptor is not used */
	stream.bundle.groups[0] = (struct group){.leader_fd = 0, .ids = {1}, .count = MEMBERS};
	if (argc > 2)
		model_keep_history(model, (size_t)atof(argv[2]));
	ring_attach(&stream.ring, memory, RING_BYTES, PAGE_BYTES);
	model_feed(model, &(struct record){.kind = RECORD_CPU_ONLINE});
	if (argc > 3 && strcmp(argv[3], "1") == 0)
		add_sibling(model, &topology);
	model_start(model, 0);
	while (total < wanted && rounds < most) {
		size_t switches = fill(&writer, stream.ring.position);
		double start_ns = now_ns();
		size_t fed = consume(&stream, model);

		took_ns[rounds++] = (now_ns() - start_ns) / (double)switches;
		if (fed != switches) {
			fprintf(stderr, "records: %zu written, %zu came\n", switches, fed);
			return 1;
		}
		total += switches;
	}
	const struct snapshot *snapshot = model_close_interval(model, writer.time_ns);
	if (snapshot->task_count < TASKS || snapshot->lost_records > 0) {
		fprintf(stderr, "records: %zu tasks, %llu lost\n", snapshot->task_count,
			(unsigned long long)snapshot->lost_records);
		return 1;
	}
	qsort(took_ns, rounds, sizeof(*took_ns), by_size);
	printf("%.1f %.1f\n", 1e3 / took_ns[rounds / 2], took_ns[rounds / 2]);
	model_destroy(model);
	layout_fini(&layout);
	topology_fini(&topology);
	free(took_ns);
	free(stream.bundle.groups);
	free(stream.slots);
	free(stream.readings);
	ring_unmap(&stream.ring);
	free(memory);
	return 0;
}
