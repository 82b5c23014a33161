/* Fields that a record does not have are -1 or 0 in the record. */
#include "source/replay/queued.h"

#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#include "kernel/perfdata/reader.h"

size_t queued_size(const struct queued *queued)
{
	switch ((enum queued_kind)queued->kind) {
	case QUEUED_READ:
		return offsetof(struct queued, values) +
		       queued->value_count * sizeof(queued->values[0]);
	case QUEUED_COMM:
		return offsetof(struct queued, name) + sizeof(queued->name);
	case QUEUED_NOTHING:
	case QUEUED_SAMPLE:
	case QUEUED_SWITCH_OUT:
	case QUEUED_SWITCH_IN:
	case QUEUED_FORK:
	case QUEUED_EXIT:
	case QUEUED_LOST:
	case QUEUED_THROTTLED:
		break;
	}
	return offsetof(struct queued, name);
}

static int64_t bswap(int64_t value, const struct tracepoint_field *field)
{
	const uint64_t raw = (uint64_t)value;

	switch (field->size) {
	case sizeof(uint16_t):
		return field->is_signed ? (int64_t)(int16_t)bswap_16((uint16_t)raw)
					: (int64_t)bswap_16((uint16_t)raw);
	case sizeof(uint32_t):
		return field->is_signed ? (int64_t)(int32_t)bswap_32((uint32_t)raw)
					: (int64_t)bswap_32((uint32_t)raw);
	case sizeof(uint64_t):
		return (int64_t)bswap_64(raw);
	default:
		return value;
	}
}

static bool read_field(const struct tracepoint_field *field, const struct decoded_bytes *raw,
		       bool is_swapped, int64_t *value)
{
	if (!tracepoint_read_field(field, raw->bytes, raw->size, value))
		return false;
	if (is_swapped)
		*value = bswap(*value, field);
	return true;
}

/* Bits of a task's state that say that it sleeps, or is no more. */
static const int64_t NOT_RUNNABLE = 0xff;

static void take_role(struct queued *queued, const struct replay_event *event,
		      const struct decoded_bytes *raw, bool is_swapped)
{
	int64_t tid = -1, state = 0;

	if (event->role == REPLAY_ROLE_NONE)
		return;
	if (event->role != REPLAY_ROLE_YIELD &&
	    (!read_field(&event->tid, raw, is_swapped, &tid) || tid < 0 || tid > INT32_MAX))
		return;
	if (event->role == REPLAY_ROLE_SWITCH &&
	    !read_field(&event->state, raw, is_swapped, &state))
		return;
	queued->role = (uint8_t)event->role;
	queued->other_tid = (int32_t)tid;
	queued->flag = event->role == REPLAY_ROLE_SWITCH && (state & NOT_RUNNABLE) == 0;
}

static void take_reading(struct queued *queued, const struct decoded_read *read)
{
	queued->kind = QUEUED_READ;
	queued->has_times = read->has_times;
	queued->enabled_ns = read->enabled_ns;
	queued->running_ns = read->running_ns;
	queued->value_count =
		read->count < DECODE_READ_MAX ? (uint8_t)read->count : DECODE_READ_MAX;
	for (size_t i = 0; i < queued->value_count; i++)
		queued->values[i] = (struct queued_value){read->ids[i], read->values[i]};
}

static void make_sample(struct queued *queued, const struct decoded *decoded,
			const struct replay_event *event)
{
	queued->kind = QUEUED_SAMPLE;
	queued->value = event->has_periods ? decoded->sample.period : event->period;
	if (event->has_readings)
		take_reading(queued, &decoded->sample.read);
}

static void take_ids(struct queued *queued, const struct decoded_id *id)
{
	queued->cpu = id->has & SAMPLE_HAS_CPU && id->cpu <= INT32_MAX ? (int32_t)id->cpu : -1;
	queued->pid = id->has & SAMPLE_HAS_TID ? id->pid : -1;
	queued->tid = id->has & SAMPLE_HAS_TID ? id->tid : -1;
	queued->time_ns = id->has & SAMPLE_HAS_TIME ? id->time_ns : 0;
}

static void take_birth(struct queued *queued, const struct decoded_fork *fork, bool is_birth)
{
	queued->kind = is_birth ? QUEUED_FORK : QUEUED_EXIT;
	queued->pid = fork->pid;
	queued->tid = fork->tid;
	queued->other_pid = fork->parent_pid;
	queued->other_tid = fork->parent_tid;
	/* what perf makes up of what ran already has no time */
	if (fork->time_ns == 0)
		queued->time_ns = 0;
}

static void take_comm(struct queued *queued, const struct decoded_comm *comm)
{
	queued->kind = QUEUED_COMM;
	queued->pid = comm->pid;
	queued->tid = comm->tid;
	queued->flag = comm->exec;
	snprintf(queued->name, sizeof(queued->name), "%.*s", (int)comm->name_length, comm->name);
}

static void take_switch(struct queued *queued, const struct decoded *decoded)
{
	queued->kind = decoded->ctx_switch.out ? QUEUED_SWITCH_OUT : QUEUED_SWITCH_IN;
	queued->flag = decoded->ctx_switch.preempted;
	queued->is_cpu_wide = decoded->type == DECODED_SWITCH_CPU_WIDE;
	queued->other_pid = decoded->ctx_switch.other_pid;
	queued->other_tid = decoded->ctx_switch.other_tid;
}

bool queued_make(struct queued *queued, const struct decoded *decoded, size_t event,
		 const struct replay_events *events, bool is_swapped)
{
	memset(queued, 0, offsetof(struct queued, name));
	queued->event = (uint16_t)event;
	queued->other_pid = queued->other_tid = -1;
	take_ids(queued, &decoded->id);
	switch ((enum decoded_type)decoded->type) {
	case DECODED_SAMPLE:
		make_sample(queued, decoded, &events->events[event]);
		take_role(queued, &events->events[event], &decoded->sample.raw, is_swapped);
		break;
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		take_switch(queued, decoded);
		break;
	case DECODED_FORK:
	case DECODED_EXIT:
		take_birth(queued, &decoded->fork, decoded->type == DECODED_FORK);
		break;
	case DECODED_COMM:
		take_comm(queued, &decoded->comm);
		break;
	case DECODED_LOST:
	case DECODED_LOST_SAMPLES:
		queued->kind = QUEUED_LOST;
		queued->value = decoded->lost.lost;
		if (decoded->type == DECODED_LOST_SAMPLES)
			queued->flag = true;
		if (queued->flag)
			queued->cpu = -1; /* said at the end, of all that was lost */
		break;
	case DECODED_THROTTLE:
		queued->kind = QUEUED_THROTTLED;
		break;
	case DECODED_MMAP:
	case DECODED_UNTHROTTLE:
	case DECODED_READ:
	case DECODED_MMAP2:
	case DECODED_AUX:
	case DECODED_ITRACE_START:
	case DECODED_NAMESPACES:
	case DECODED_KSYMBOL:
	case DECODED_BPF_EVENT:
	case DECODED_CGROUP:
	case DECODED_TEXT_POKE:
	case DECODED_AUX_OUTPUT_HW_ID:
		break;
	}
	return queued->kind != QUEUED_NOTHING;
}

static void take_plain_ids(struct queued *queued, const unsigned char *from, ptrdiff_t sign,
			   const struct decode_spots *spots)
{
	if (spots->time != 0)
		queued->time_ns = decode_word_at(from + sign * spots->time, 0);
	if (spots->ids != 0) {
		queued->pid = decode_number_at(from + sign * spots->ids, 0);
		queued->tid = decode_number_at(from + sign * spots->ids, sizeof(queued->pid));
	}
	if (spots->cpu != 0)
		queued->cpu = decode_number_at(from + sign * spots->cpu, 0);
	if (queued->cpu < 0)
		queued->cpu = -1;
}

static void take_plain_reading(struct queued *queued, const struct decode_places *places,
			       const unsigned char *bytes)
{
	const unsigned char *read = bytes + places->read;
	const uint64_t count = decode_read_count(places, bytes);

	queued->kind = QUEUED_READ;
	queued->has_times = places->enabled != 0 && places->running != 0;
	queued->enabled_ns = places->enabled != 0 ? decode_word_at(read, places->enabled) : 0;
	queued->running_ns = places->running != 0 ? decode_word_at(read, places->running) : 0;
	queued->value_count = count < DECODE_READ_MAX ? (uint8_t)count : DECODE_READ_MAX;
	read += places->read_values;
	for (size_t i = 0; i < queued->value_count; i++, read += places->read_stride)
		queued->values[i] = (struct queued_value){decode_word_at(read, places->read_id),
							  decode_word_at(read, 0)};
}

static void make_plain_sample(struct queued *queued, const struct decode_places *places,
			      const unsigned char *bytes, const struct replay_event *event)
{
	take_plain_ids(queued, bytes, 1, &places->sample);
	queued->kind = QUEUED_SAMPLE;
	queued->value =
		event->has_periods ? decode_word_at(bytes, places->sample.period) : event->period;
	if (event->has_readings)
		take_plain_reading(queued, places, bytes);
}

void queued_make_plain(struct queued *queued, const struct perfdata_record *record,
		       const struct replay_events *events)
{
	const struct decode_plain_head head = decode_plain_head(record->bytes);
	const unsigned char *bytes = record->bytes;

	memset(queued, 0, offsetof(struct queued, name));
	queued->event = (uint16_t)record->event;
	queued->cpu = queued->pid = queued->tid = queued->other_pid = queued->other_tid = -1;
	if (head.type == DECODED_SAMPLE) {
		make_plain_sample(queued, record->places, bytes, &events->events[record->event]);
		return;
	}
	take_plain_ids(queued, bytes + record->size, -1, &record->places->trailer);
	queued->kind = head.out ? QUEUED_SWITCH_OUT : QUEUED_SWITCH_IN;
	queued->flag = head.preempted;
	queued->is_cpu_wide = head.type == DECODED_SWITCH_CPU_WIDE;
	if (queued->is_cpu_wide) {
		queued->other_pid = decode_number_at(bytes, DECODE_PLAIN_OTHER);
		queued->other_tid = decode_number_at(bytes, DECODE_PLAIN_OTHER + sizeof(int32_t));
	}
}
