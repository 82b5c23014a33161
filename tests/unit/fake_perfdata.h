#ifndef PERFTOP_TESTS_FAKE_PERFDATA_H
#define PERFTOP_TESTS_FAKE_PERFDATA_H

/*
 * A recording of perf that is made in the test, behind the doors of perfdata/reader.h: its
 * events, and records in the order of the file.
 */

#include "kernel/decode.h"
#include "model/record.h"

#include "encode_kit.h"
#include "perfdata/reader.h"
#include "perfdata/replay.h"
#include "unit.h"

enum {
	FAKE_EVENTS_MAX = 8,
	FAKE_STEPS_MAX = 256,
	FAKE_BYTES_MAX = 1 << 16,
	/* sample_type and read_format */
	HAS_IP = 1 << 0,
	HAS_TID = 1 << 1,
	HAS_TIME = 1 << 2,
	HAS_READ = 1 << 4,
	HAS_CALLCHAIN = 1 << 5,
	HAS_ID = 1 << 6,
	HAS_CPU = 1 << 7,
	HAS_PERIOD = 1 << 8,
	HAS_IDENTIFIER = 1 << 16,
	HAS_CGROUP = 1 << 21,
	OF_CPUS = HAS_TID | HAS_TIME | HAS_CPU | HAS_IDENTIFIER,
	OF_TASKS = HAS_TID | HAS_TIME | HAS_IDENTIFIER,
	READS_GROUP = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 3,
	SOFTWARE = 1,
	TRACEPOINT = 2,
	CPU_CLOCK = 0,
	PAGE_FAULTS = 2,
	BPF_OUTPUT = 10,
	CONTEXT_SWITCHES = 3,
	DUMMY = 9
};

struct fake_step {
	enum perfdata_result result;
	size_t offset, size, event;
	uint64_t time_ns;
};

struct fake_file {
	struct perfdata_event events[FAKE_EVENTS_MAX];
	uint64_t ids[FAKE_EVENTS_MAX][2];
	size_t event_count;
	struct fake_step steps[FAKE_STEPS_MAX];
	size_t step_count, next;
	unsigned char bytes[FAKE_BYTES_MAX] __attribute__((aligned(8)));
	size_t used;
	struct perfdata_info info;
	struct perfdata_counts counts;
	struct decoded decoded;
};

static struct fake_file fake;

struct perfdata *__wrap_perfdata_open(const char *path, struct error *error)
{
	fake.next = 0;
	return (struct perfdata *)&fake;
}

void __wrap_perfdata_close(struct perfdata *file)
{
}

static inline void fake_tell(const struct fake_step *step, struct perfdata_record *record)
{
	struct perfdata_event *event = &fake.events[step->event];
	const void *bytes = fake.bytes + step->offset;

	event->offsets = sample_offsets_of(&event->format);
	*record = (struct perfdata_record){.bytes = bytes,
					   .size = step->size,
					   .event = step->event,
					   .time_ns = step->time_ns,
					   .has_news = true};
	decode_record(&fake.decoded, bytes, step->size, &event->format);
	record->decoded = &fake.decoded;
}

enum perfdata_result __wrap_perfdata_next(struct perfdata *file, struct perfdata_record *record)
{
	const struct fake_step *step = &fake.steps[fake.next];

	if (fake.next == fake.step_count)
		return PERFDATA_END;
	fake.next++;
	if (step->result == PERFDATA_RECORD)
		fake_tell(step, record);
	return step->result;
}

bool __wrap_perfdata_rewind(struct perfdata *file)
{
	fake.next = 0;
	return !fake.info.is_pipe;
}

const struct perfdata_event *__wrap_perfdata_events(const struct perfdata *file, size_t *count)
{
	*count = fake.event_count;
	return fake.events;
}

const struct perfdata_info *__wrap_perfdata_info(const struct perfdata *file)
{
	return &fake.info;
}

const struct perfdata_counts *__wrap_perfdata_counts(const struct perfdata *file)
{
	return &fake.counts;
}

int __wrap_perfdata_fd(const struct perfdata *file)
{
	return -1;
}

void __wrap_perfdata_read_ahead(struct perfdata *file)
{
}

long __wrap_perfdata_find_event(struct perfdata *file, uint64_t id)
{
	for (size_t i = 0; i < fake.event_count; i++)
		if (fake.ids[i][0] == id || fake.ids[i][1] == id)
			return (long)i;
	return -1;
}

static inline int fake_clear(void **state)
{
	memset(&fake, 0, sizeof(fake));
	return 0;
}

/* An event that counts on two CPUs: its ids are 10 times its number, and that plus 1. */
static inline struct perfdata_event *fake_event(const char *name, uint64_t config,
						uint64_t sample_type)
{
	const size_t index = fake.event_count++;
	struct perfdata_event *event = &fake.events[index];

	*event = (struct perfdata_event){
		.scale = 1,
		.format = {.sample_type = sample_type,
			   .read_format = READS_GROUP,
			   .sample_id_all = true},
		.type = SOFTWARE,
		.config = config,
		.id_count = 2,
		.leader = index,
	};
	strcpy(event->name, name);
	fake.ids[index][0] = 10 * (index + 1);
	fake.ids[index][1] = 10 * (index + 1) + 1;
	event->ids = fake.ids[index];
	return event;
}

/* What all builders of records take. */
struct made {
	uint64_t time;
	uint32_t cpu;
	int32_t tid; /* and pid */
	int32_t other;
	uint64_t period;
	uint64_t values[4];
	size_t value_count;
	uint64_t off; /* of these, in which they were not counted */
	bool preempted, exec;
	const char *name;
	uint64_t lost;
	uint64_t ip; /* in user mode */
	const uint64_t *chain;
	size_t chain_count;
	const uint32_t *raw; /* of a tracepoint: one number */
};

static inline void fake_put(size_t event, struct decoded *decoded, const struct made *made)
{
	struct fake_step *step = &fake.steps[fake.step_count++];

	assert_in_range(fake.step_count, 1, FAKE_STEPS_MAX);
	decoded->id = (struct decoded_id){.has = fake.events[event].format.sample_type,
					  .pid = made->tid,
					  .tid = made->tid,
					  .time_ns = made->time,
					  .cpu = made->cpu,
					  .id = fake.ids[event][0]};
	*step = (struct fake_step){PERFDATA_RECORD, fake.used, 0, event, made->time};
	step->size = encode_record(fake.bytes + fake.used, decoded, &fake.events[event].format);
	assert_int_not_equal(step->size, 0);
	fake.used += step->size;
}

/* A record as it is. */
static inline void fake_bytes(size_t event, const void *bytes, size_t size, uint64_t time)
{
	fake.steps[fake.step_count++] =
		(struct fake_step){PERFDATA_RECORD, fake.used, size, event, time};
	memcpy(fake.bytes + fake.used, bytes, size);
	fake.used += size;
}

static inline void fake_sample(size_t event, const struct made *made)
{
	static struct decoded decoded;

	decoded = (struct decoded){.type = DECODED_SAMPLE};
	decoded.misc = made->ip > 0 || made->chain ? DECODED_MISC_USER : 0;
	decoded.sample.ip = made->ip;
	decoded.sample.callchain = made->chain;
	decoded.sample.callchain_count = made->chain_count;
	decoded.sample.period = made->period;
	decoded.sample.raw = (struct decoded_bytes){made->raw, made->raw ? sizeof(*made->raw) : 0};
	decoded.sample.read.count = made->value_count;
	decoded.sample.read.enabled_ns = made->time;
	decoded.sample.read.running_ns = made->time - made->off;
	for (size_t i = 0; i < made->value_count; i++) {
		decoded.sample.read.values[i] = made->values[i];
		decoded.sample.read.ids[i] = fake.ids[event + i][made->cpu];
	}
	fake_put(event, &decoded, made);
}

static inline void fake_switch(size_t event, bool is_out, bool is_wide, const struct made *made)
{
	static struct decoded decoded;

	decoded = (struct decoded){
		.type = is_wide ? DECODED_SWITCH_CPU_WIDE : DECODED_SWITCH,
		.misc = (uint16_t)((is_out ? 1 << 13 : 0) | (made->preempted ? 1 << 14 : 0)),
	};
	decoded.ctx_switch = (struct decoded_switch){.out = is_out,
						     .preempted = made->preempted,
						     .other_pid = made->other,
						     .other_tid = made->other};
	fake_put(event, &decoded, made);
}

static inline void fake_comm(size_t event, const struct made *made)
{
	static struct decoded decoded;

	decoded = (struct decoded){.type = DECODED_COMM};
	decoded.comm = (struct decoded_comm){.pid = made->tid,
					     .tid = made->tid,
					     .name = made->name,
					     .name_length = strlen(made->name),
					     .exec = made->exec};
	fake_put(event, &decoded, made);
}

/* Code of the file `name`, at an address. */
static inline void fake_mapping(size_t event, uint64_t address, const struct made *made)
{
	static struct decoded decoded;

	decoded = (struct decoded){.type = DECODED_MMAP2};
	decoded.mmap = (struct decoded_mmap){.pid = made->tid,
					     .tid = made->tid,
					     .address = address,
					     .length = 4096,
					     .file = made->name,
					     .file_length = strlen(made->name)};
	fake_put(event, &decoded, made);
}

static inline void fake_lost(size_t event, const struct made *made)
{
	static struct decoded decoded;

	decoded = (struct decoded){.type = DECODED_LOST};
	decoded.lost = (struct decoded_lost){.id = fake.ids[event][0], .lost = made->lost};
	fake_put(event, &decoded, made);
}

static inline void fake_round(void)
{
	fake.steps[fake.step_count++] = (struct fake_step){.result = PERFDATA_ROUND};
}

#define MADE(...) (&(const struct made){__VA_ARGS__})

#endif
