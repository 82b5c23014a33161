#ifndef PERFTOP_TESTS_FAKE_SCHED_SWITCH_H
#define PERFTOP_TESTS_FAKE_SCHED_SWITCH_H

/* Samples of groups that the tracepoint sched_switch leads, in rings of fake_kernel.h. */

#include "source/cpus/sched_tracepoints.h"

#include "fake_kernel.h"

/* Where the fields of the tracepoint sched_switch are (Linux 6.1). */
static const struct {
	const char *name;
	struct tracepoint_field field;
} FAKE_SWITCH_FIELDS[] = {
	{"prev_pid", {.offset = 24, .size = 4, .is_signed = true}},
	{"prev_state", {.offset = 32, .size = 8, .is_signed = true}},
	{"next_pid", {.offset = 56, .size = 4, .is_signed = true}},
};

static inline void fake_set_switch(struct sched_switch *sched_switch)
{
	*sched_switch = (struct sched_switch){
		.spec.config = 378,
		.prev_tid = FAKE_SWITCH_FIELDS[0].field.offset,
		.prev_state = FAKE_SWITCH_FIELDS[1].field.offset,
		.next_tid = FAKE_SWITCH_FIELDS[2].field.offset,
		.size = FAKE_SWITCH_FIELDS[2].field.offset + sizeof(int32_t),
	};
}

/* The same as fake_sample() of a group that sched_switch leads: told's task leaves in `state`. */
static inline struct fake_record fake_sched_switch(const struct fake_told *told, uint64_t leader_id,
						   size_t members, uint64_t sequence,
						   uint64_t value, int64_t state, int32_t next)
{
	struct fake_record record = {.header.type = PERF_RECORD_SAMPLE};
	const uint32_t size = 68;
	unsigned char raw[68] = {0};

	fake_add_u64(&record, leader_id);
	fake_add_pair(&record, fake_pid(told), told->tid);
	fake_add_u64(&record, told->time);
	fake_add_u64(&record, told->cpu);
	fake_add_u64(&record, 1 + members);
	fake_add_u64(&record, told->time); /* enabled */
	fake_add_u64(&record, told->time); /* running */
	for (size_t i = 0; i <= members; i++)
		fake_add_u64(&record, i == 0 ? sequence : value);
	memcpy(raw + 24, &told->tid, sizeof(told->tid));
	memcpy(raw + 32, &state, sizeof(state));
	memcpy(raw + 56, &next, sizeof(next));
	fake_add(&record, &size, sizeof(size));
	fake_add(&record, raw, sizeof(raw));
	return record;
}

#endif
