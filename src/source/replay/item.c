/* Fields that a record does not have are -1 or 0 in the item. */
#include "source/replay/item.h"

#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#include "kernel/perfdata/reader.h"

size_t item_size(const struct item *item)
{
	switch ((enum item_kind)item->kind) {
	case ITEM_READ:
		return offsetof(struct item, values) + item->value_count * sizeof(item->values[0]);
	case ITEM_COMM:
		return offsetof(struct item, name) + sizeof(item->name);
	case ITEM_NOTHING:
	case ITEM_SAMPLE:
	case ITEM_SWITCH_OUT:
	case ITEM_SWITCH_IN:
	case ITEM_FORK:
	case ITEM_EXIT:
	case ITEM_LOST:
	case ITEM_THROTTLED:
		break;
	}
	return offsetof(struct item, name);
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

static void take_role(struct item *item, const struct replay_event *event,
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
	item->role = (uint8_t)event->role;
	item->other_tid = (int32_t)tid;
	item->flag = event->role == REPLAY_ROLE_SWITCH && (state & NOT_RUNNABLE) == 0;
}

static void take_reading(struct item *item, const struct decoded_read *read)
{
	item->kind = ITEM_READ;
	item->has_times = read->has_times;
	item->enabled_ns = read->enabled_ns;
	item->running_ns = read->running_ns;
	item->value_count = read->count < DECODE_READ_MAX ? (uint8_t)read->count : DECODE_READ_MAX;
	for (size_t i = 0; i < item->value_count; i++)
		item->values[i] = (struct item_value){read->ids[i], read->values[i]};
}

static void make_sample(struct item *item, const struct decoded *decoded,
			const struct replay_event *event)
{
	item->kind = ITEM_SAMPLE;
	item->value = event->has_periods ? decoded->sample.period : event->period;
	if (event->has_readings)
		take_reading(item, &decoded->sample.read);
}

static void take_ids(struct item *item, const struct decoded_id *id)
{
	item->cpu = id->has & SAMPLE_HAS_CPU && id->cpu <= INT32_MAX ? (int32_t)id->cpu : -1;
	item->pid = id->has & SAMPLE_HAS_TID ? id->pid : -1;
	item->tid = id->has & SAMPLE_HAS_TID ? id->tid : -1;
	item->time_ns = id->has & SAMPLE_HAS_TIME ? id->time_ns : 0;
}

static void take_birth(struct item *item, const struct decoded_fork *fork, bool is_birth)
{
	item->kind = is_birth ? ITEM_FORK : ITEM_EXIT;
	item->pid = fork->pid;
	item->tid = fork->tid;
	item->other_pid = fork->parent_pid;
	item->other_tid = fork->parent_tid;
	/* what perf makes up of what ran already has no time */
	if (fork->time_ns == 0)
		item->time_ns = 0;
}

static void take_comm(struct item *item, const struct decoded_comm *comm)
{
	item->kind = ITEM_COMM;
	item->pid = comm->pid;
	item->tid = comm->tid;
	item->flag = comm->exec;
	snprintf(item->name, sizeof(item->name), "%.*s", (int)comm->name_length, comm->name);
}

static void take_switch(struct item *item, const struct decoded *decoded)
{
	item->kind = decoded->ctx_switch.out ? ITEM_SWITCH_OUT : ITEM_SWITCH_IN;
	item->flag = decoded->ctx_switch.preempted;
	item->is_cpu_wide = decoded->type == DECODED_SWITCH_CPU_WIDE;
	item->other_pid = decoded->ctx_switch.other_pid;
	item->other_tid = decoded->ctx_switch.other_tid;
}

bool item_make(struct item *item, const struct decoded *decoded, size_t event,
	       const struct replay_events *events, bool is_swapped)
{
	memset(item, 0, offsetof(struct item, name));
	item->event = (uint16_t)event;
	item->other_pid = item->other_tid = -1;
	take_ids(item, &decoded->id);
	switch ((enum decoded_type)decoded->type) {
	case DECODED_SAMPLE:
		make_sample(item, decoded, &events->events[event]);
		take_role(item, &events->events[event], &decoded->sample.raw, is_swapped);
		break;
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		take_switch(item, decoded);
		break;
	case DECODED_FORK:
	case DECODED_EXIT:
		take_birth(item, &decoded->fork, decoded->type == DECODED_FORK);
		break;
	case DECODED_COMM:
		take_comm(item, &decoded->comm);
		break;
	case DECODED_LOST:
	case DECODED_LOST_SAMPLES:
		item->kind = ITEM_LOST;
		item->value = decoded->lost.lost;
		if (decoded->type == DECODED_LOST_SAMPLES)
			item->flag = true;
		if (item->flag)
			item->cpu = -1; /* reported at the end, for all that was lost */
		break;
	case DECODED_THROTTLE:
		item->kind = ITEM_THROTTLED;
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
	return item->kind != ITEM_NOTHING;
}

static void take_plain_ids(struct item *item, const unsigned char *from, ptrdiff_t sign,
			   const struct decode_spots *spots)
{
	if (spots->time != 0)
		item->time_ns = decode_word_at(from + sign * spots->time, 0);
	if (spots->ids != 0) {
		item->pid = decode_number_at(from + sign * spots->ids, 0);
		item->tid = decode_number_at(from + sign * spots->ids, sizeof(item->pid));
	}
	if (spots->cpu != 0)
		item->cpu = decode_number_at(from + sign * spots->cpu, 0);
	if (item->cpu < 0)
		item->cpu = -1;
}

static void take_plain_reading(struct item *item, const struct decode_places *places,
			       const unsigned char *bytes)
{
	const unsigned char *read = bytes + places->read;
	const uint64_t count = decode_read_count(places, bytes);

	item->kind = ITEM_READ;
	item->has_times = places->enabled != 0 && places->running != 0;
	item->enabled_ns = places->enabled != 0 ? decode_word_at(read, places->enabled) : 0;
	item->running_ns = places->running != 0 ? decode_word_at(read, places->running) : 0;
	item->value_count = count < DECODE_READ_MAX ? (uint8_t)count : DECODE_READ_MAX;
	read += places->read_values;
	for (size_t i = 0; i < item->value_count; i++, read += places->read_stride)
		item->values[i] = (struct item_value){decode_word_at(read, places->read_id),
						      decode_word_at(read, 0)};
}

static void make_plain_sample(struct item *item, const struct decode_places *places,
			      const unsigned char *bytes, const struct replay_event *event)
{
	take_plain_ids(item, bytes, 1, &places->sample);
	item->kind = ITEM_SAMPLE;
	item->value =
		event->has_periods ? decode_word_at(bytes, places->sample.period) : event->period;
	if (event->has_readings)
		take_plain_reading(item, places, bytes);
}

void item_make_plain(struct item *item, const struct perfdata_record *record,
		     const struct replay_events *events)
{
	const struct decode_plain_head head = decode_plain_head(record->bytes);
	const unsigned char *bytes = record->bytes;

	memset(item, 0, offsetof(struct item, name));
	item->event = (uint16_t)record->event;
	item->cpu = item->pid = item->tid = item->other_pid = item->other_tid = -1;
	if (head.type == DECODED_SAMPLE) {
		make_plain_sample(item, record->places, bytes, &events->events[record->event]);
		return;
	}
	take_plain_ids(item, bytes + record->size, -1, &record->places->trailer);
	item->kind = head.out ? ITEM_SWITCH_OUT : ITEM_SWITCH_IN;
	item->flag = head.preempted;
	item->is_cpu_wide = head.type == DECODED_SWITCH_CPU_WIDE;
	if (item->is_cpu_wide) {
		item->other_pid = decode_number_at(bytes, DECODE_PLAIN_OTHER);
		item->other_tid = decode_number_at(bytes, DECODE_PLAIN_OTHER + sizeof(int32_t));
	}
}
