/*
 * records [MILLION [HISTORY]]: how many records a second go from a ring through decoder and
 * attribution, on one core.
 *
 * The ring is ordinary memory that is filled as the kernel fills it: for every context switch
 * the reading of a group of six events, who leaves and who comes. Filling is not measured.
 * HISTORY: so many switches are kept, as they are live. Prints records per second (in millions) and
 * nanoseconds per record, medians of the rounds.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <linux/perf_event.h>

#include "base/memory.h"
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

struct trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t id;
};

struct value {
	uint64_t value, id, lost;
};

struct sample {
	struct perf_event_header header;
	uint64_t id;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, reserved;
	uint64_t count, enabled, running;
	struct value values[1 + MEMBERS];
};

struct swap {
	struct perf_event_header header;
	uint32_t pid, tid; /* of the other one */
	struct trailer trailer;
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

static void put_sample(struct writer *writer, uint32_t tid)
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
		.values[0] = {.value = writer->sequence, .id = 1},
	};

	for (uint64_t i = 1; i <= MEMBERS; i++)
		sample.values[i] =
			(struct value){.value = writer->sequence * 1000 * i, .id = 1 + i};
	put(writer, &sample, sizeof(sample));
}

static void put_swap(struct writer *writer, uint32_t tid, uint32_t other, bool out)
{
	struct swap swap = {
		.header = {.type = PERF_RECORD_SWITCH_CPU_WIDE,
			   .misc = out ? PERF_RECORD_MISC_SWITCH_OUT : 0,
			   .size = sizeof(swap)},
		.pid = other,
		.tid = other,
		.trailer = {.pid = tid, .tid = tid, .time = writer->time_ns, .id = 99},
	};

	put(writer, &swap, sizeof(swap));
}

/* Fills the ring with whole switches; returns how many records these are. */
static size_t fill(struct writer *writer, uint64_t tail)
{
	const size_t per_switch = sizeof(struct sample) + 2 * sizeof(struct swap);
	size_t records = 0;

	while (writer->head - tail + per_switch <= RING_BYTES) {
		uint32_t leaves = runner(writer->sequence++), comes = runner(writer->sequence);

		writer->time_ns += SLICE_NS;
		put_sample(writer, leaves);
		put_swap(writer, leaves, comes, true);
		put_swap(writer, comes, leaves, false);
		records += 3;
	}
	__atomic_store_n(&writer->page->data_head, writer->head, __ATOMIC_RELEASE);
	return records;
}

static size_t consume(struct cpu_stream *stream, struct model *model)
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
	layout_init(layout);
	for (size_t i = 0; i < MEMBERS; i++) {
		char name[32];

		snprintf(name, sizeof(name), "event%zu", i);
		layout_add_counter(layout, 0, layout_add_event(layout, name));
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	size_t wanted = (size_t)(argc > 1 ? atof(argv[1]) * 1e6 : 2e7);
	const struct attr_features features = {.format_lost = true, .switch_records = true};
	unsigned char *memory = aligned_alloc(PAGE_BYTES, PAGE_BYTES + RING_BYTES);
	struct cpu_stream stream = {.cpu = 0,
				    .timeline_fd = -1,
				    .switches_fd = -1,
				    .bundle = {.count = 1},
				    .format = attr_decode_format(&features)};
	struct writer writer = {.page = (void *)memory, .data = memory + PAGE_BYTES, .sequence = 1};
	struct layout layout = {0};
	size_t rounds = 0, total = 0, most = 1024;
	double *took_ns = xcalloc(most, sizeof(*took_ns));

	memset(memory, 0, PAGE_BYTES + RING_BYTES);
	stream.offsets = sample_offsets_of(&stream.format);
	make_layout(&layout);
	struct model *model = model_create(&layout);
	stream.bundle.groups = xcalloc(1, sizeof(*stream.bundle.groups));
	/* open, as far as the stream can see; its descriptor is not used */
	stream.bundle.groups[0] = (struct group){.leader_fd = 0, .ids = {1}, .count = MEMBERS};
	if (argc > 2)
		model_keep_history(model, (size_t)atof(argv[2]));
	ring_attach(&stream.ring, memory, RING_BYTES, PAGE_BYTES);
	model_feed(model, &(struct record){.kind = RECORD_CPU_ONLINE});
	model_start(model, 0);
	while (total < wanted && rounds < most) {
		size_t records = fill(&writer, stream.ring.position);
		double start_ns = now_ns();
		size_t fed = consume(&stream, model);

		took_ns[rounds++] = (now_ns() - start_ns) / (double)records;
		if (fed != records) {
			fprintf(stderr, "records: %zu written, %zu came\n", records, fed);
			return 1;
		}
		total += records;
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
	free(took_ns);
	free(stream.bundle.groups);
	ring_unmap(&stream.ring);
	free(memory);
	return 0;
}
