/* Fields that a record does not have are -1 or 0. */
#include "perfdata/queued.h"

#include <byteswap.h>
#include <string.h>

#include "source/convert.h"

#include "perfdata/reader.h"

size_t queued_size(const struct queued *queued)
{
	if (queued->record.kind == RECORD_ESTIMATE)
		return offsetof(struct queued, record.estimate) + sizeof(queued->record.estimate);
	if (queued->record.kind == RECORD_READING)
		return offsetof(struct queued, values) +
		       queued->value_count * sizeof(queued->values[0]);
	return offsetof(struct queued, name) +
	       (queued->record.kind == RECORD_COMM ? sizeof(queued->name) : 0);
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
	queued->role_tid = (int32_t)tid;
	queued->role_preempted = event->role == REPLAY_ROLE_SWITCH && (state & NOT_RUNNABLE) == 0;
}

static void take_times(struct queued *queued, bool has_times, uint64_t enabled_ns,
		       uint64_t running_ns)
{
	queued->record.kind = RECORD_READING;
	queued->has_times = has_times;
	queued->record.reading.enabled_ns = enabled_ns;
	queued->record.reading.running_ns = running_ns;
}

static void take_reading(struct queued *queued, const struct decoded_read *read)
{
	take_times(queued, read->has_times, read->enabled_ns, read->running_ns);
	queued->value_count =
		read->count < DECODE_READ_MAX ? (uint8_t)read->count : DECODE_READ_MAX;
	for (size_t i = 0; i < queued->value_count; i++)
		queued->values[i] = (struct queued_value){read->ids[i], read->values[i]};
}

static void make_sample(struct queued *queued, const struct decoded *decoded,
			const struct replay_event *event)
{
	queued->record.kind = RECORD_ESTIMATE;
	if (event->has_readings)
		take_reading(queued, &decoded->sample.read);
	else
		queued->record.estimate.value =
			event->has_periods ? decoded->sample.period : event->period;
}

static void take_ids(struct record *record, const struct decoded_id *id)
{
	record->cpu = id->has & SAMPLE_HAS_CPU && id->cpu <= INT32_MAX ? (int32_t)id->cpu
								       : RECORD_CPU_NONE;
	record->pid = id->has & SAMPLE_HAS_TID ? id->pid : RECORD_TASK_UNKNOWN;
	record->tid = id->has & SAMPLE_HAS_TID ? id->tid : RECORD_TASK_UNKNOWN;
	record->time_ns = id->has & SAMPLE_HAS_TIME ? id->time_ns : 0;
}

/* What perf reports with other words than the kernel. */
static void take_particulars(struct queued *queued, const struct decoded *decoded)
{
	const bool is_fork = decoded->type == DECODED_FORK || decoded->type == DECODED_EXIT;

	queued->is_cpu_wide = decoded->type == DECODED_SWITCH_CPU_WIDE;
	queued->is_sum = decoded->type == DECODED_LOST_SAMPLES;
	/* said at the end, of all that was lost */
	if (queued->is_sum)
		queued->record.cpu = RECORD_CPU_NONE;
	/* what perf makes up of what ran already has no time */
	if (is_fork && decoded->fork.time_ns == 0)
		queued->record.time_ns = 0;
}

bool queued_make(struct queued *queued, const struct decoded *decoded, size_t event,
		 const struct replay_events *events, bool is_swapped)
{
	struct record *record = &queued->record;

	memset(queued, 0, offsetof(struct queued, name));
	queued->event = (uint16_t)event;
	take_ids(record, &decoded->id);
	if (decoded->type == DECODED_SAMPLE) {
		make_sample(queued, decoded, &events->events[event]);
		take_role(queued, &events->events[event], &decoded->sample.raw, is_swapped);
		return true;
	}
	if (!convert_record(decoded, queued->name, sizeof(queued->name), record))
		return false;
	take_particulars(queued, decoded);
	return true;
}

static void take_plain_ids(struct record *record, const unsigned char *from, ptrdiff_t sign,
			   const struct field_offsets *fields)
{
	if (fields->time != 0)
		record->time_ns = decode_word_at(from + sign * fields->time, 0);
	if (fields->ids != 0) {
		record->pid = decode_number_at(from + sign * fields->ids, 0);
		record->tid = decode_number_at(from + sign * fields->ids, sizeof(record->pid));
	}
	if (fields->cpu != 0)
		record->cpu = decode_number_at(from + sign * fields->cpu, 0);
	if (record->cpu < 0)
		record->cpu = -1;
}

static void take_plain_reading(struct queued *queued, const struct sample_offsets *offsets,
			       const unsigned char *bytes)
{
	const unsigned char *read = bytes + offsets->read;
	const uint64_t count = decode_read_count(offsets, bytes);
	const bool has_times = offsets->enabled != 0 && offsets->running != 0;

	take_times(queued, has_times, has_times ? decode_word_at(read, offsets->enabled) : 0,
		   has_times ? decode_word_at(read, offsets->running) : 0);
	queued->value_count = count < DECODE_READ_MAX ? (uint8_t)count : DECODE_READ_MAX;
	read += offsets->read_values;
	for (size_t i = 0; i < queued->value_count; i++, read += offsets->read_stride)
		queued->values[i] = (struct queued_value){decode_word_at(read, offsets->read_id),
							  decode_word_at(read, 0)};
}

static void make_plain_sample(struct queued *queued, const struct sample_offsets *offsets,
			      const unsigned char *bytes, const struct replay_event *event)
{
	take_plain_ids(&queued->record, bytes, 1, &offsets->sample);
	queued->record.kind = RECORD_ESTIMATE;
	if (event->has_readings)
		take_plain_reading(queued, offsets, bytes);
	else
		queued->record.estimate.value =
			event->has_periods ? decode_word_at(bytes, offsets->sample.period)
					   : event->period;
}

void queued_make_plain(struct queued *queued, const struct perfdata_record *record,
		       const struct replay_events *events)
{
	const struct decode_plain_head head = decode_plain_head(record->bytes);
	const unsigned char *bytes = record->bytes;
	struct record *made = &queued->record;

	queued->event = (uint16_t)record->event;
	queued->role = REPLAY_ROLE_NONE;
	made->time_ns = 0;
	made->cpu = RECORD_CPU_NONE;
	made->pid = made->tid = RECORD_TASK_UNKNOWN;
	if (head.type == DECODED_SAMPLE) {
		make_plain_sample(queued, record->offsets, bytes, &events->events[record->event]);
		return;
	}
	take_plain_ids(made, bytes + record->size, -1, &record->offsets->trailer);
	made->kind = head.out ? RECORD_SWITCH_OUT : RECORD_SWITCH_IN;
	made->ctx_switch = (struct record_switch){
		.other_pid = RECORD_TASK_UNKNOWN,
		.other_tid = RECORD_TASK_UNKNOWN,
		.preempted = head.preempted,
	};
	queued->is_cpu_wide = head.type == DECODED_SWITCH_CPU_WIDE;
	if (queued->is_cpu_wide) {
		made->ctx_switch.other_pid = decode_number_at(bytes, DECODE_PLAIN_OTHER);
		made->ctx_switch.other_tid =
			decode_number_at(bytes, DECODE_PLAIN_OTHER + sizeof(int32_t));
	}
}
