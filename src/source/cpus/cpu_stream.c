/*
 * What a stream delivers next, in order: the records of the ring, those of one switch as one, with
 * the first readings of groups that were switched on, and those of the mark, each at its time.
 */
#include "source/cpus/cpu_stream.h"

#include <string.h>

#include "base/seldom.h"
#include "kernel/attr.h"

enum {
	ROOM_MIN = 4096,     /* bytes; more than a record takes */
	PENDING_NS = 1000000 /* a switch is written long before */
};

double cpu_stream_fill(const struct cpu_stream *stream)
{
	return (double)ring_fill_bytes(&stream->ring) / (double)stream->ring.data_bytes;
}

bool cpu_stream_is_silent(const struct cpu_stream *stream)
{
	return stream->running_tid == RECORD_TASK_UNKNOWN && ring_fill_bytes(&stream->ring) == 0;
}

bool cpu_stream_may_lose(const struct cpu_stream *stream)
{
	return ring_room_bytes(&stream->ring) < ROOM_MIN;
}

void cpu_stream_begin(struct cpu_stream *stream, uint64_t until_ns)
{
	stream->until_ns = until_ns;
	stream->ctx_switch.record.kind = RECORD_SWITCH;
	stream->ctx_switch.record.cpu = stream->cpu;
	stream->ctx_switch.record.ctx_switch.readings = stream->readings;
	stream->ctx_switch.record.ctx_switch.knows_how = stream->sched_switch;
	stream->is_stopped = false;
	stream->fetched = NEXT_NOTHING;
	stream->switches_refused = false;
	ring_begin(&stream->ring);
	if (stream->border_groups != 0)
		ring_stop_at(&stream->ring, stream->border);
}

void cpu_stream_end(struct cpu_stream *stream)
{
	if (stream->fetched != NEXT_NOTHING)
		ring_return(&stream->ring, stream->begins);
	stream->fetched = NEXT_NOTHING;
	ring_end(&stream->ring);
}

/*
 * The group whose leader has this id, mostly the clock. Samples of a group that is closed by now
 * belong to no task: NULL.
 */
static inline struct cpu_stream_slot *find_led_slot(const struct cpu_stream *stream, uint64_t id)
{
	struct cpu_stream_slot *slot = &stream->slots[stream->clock];

	if (slot->leader_id == id)
		return slot;
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (stream->slots[i].leader_id == id)
			return &stream->slots[i];
	return NULL;
}

struct cpu_stream_reading *cpu_stream_first_waiting(struct cpu_stream_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++)
		if (!mark->readings[i].is_delivered)
			return &mark->readings[i];
	return NULL;
}

/* The reading of this group in the switch that was fetched; NULL: it has none. */
static const struct record_reading *reading_in_switch(const struct cpu_stream *stream, size_t group)
{
	const size_t count = stream->ctx_switch.record.ctx_switch.reading_count;

	for (size_t i = 0; stream->fetched == NEXT_SWITCH && i < count; i++)
		if (stream->readings[i].group == group)
			return &stream->readings[i];
	return NULL;
}

/* It was made before the switch that was fetched. */
static bool is_before_switch(const struct cpu_stream *stream,
			     const struct cpu_stream_reading *reading)
{
	const struct record_reading *later = reading_in_switch(stream, reading->group);

	return later && later->sequence > reading->values.values[0];
}

/* The reading of the mark that goes before the fetched switch. */
static struct cpu_stream_reading *find_due(const struct cpu_stream *stream,
					   struct cpu_stream_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++) {
		struct cpu_stream_reading *reading = &mark->readings[i];

		if (!reading->is_delivered && is_before_switch(stream, reading))
			return mark->is_tied ? cpu_stream_first_waiting(mark) : reading;
	}
	return NULL;
}

/* Samples of closed events are nothing that is missed. */
static bool decode(struct cpu_stream *stream, const void *bytes, size_t size)
{
	const enum decode_result result =
		decode_record(&stream->decoded, bytes, size, &stream->format);

	if (result == DECODE_BROKEN && decode_type(bytes) != DECODED_SAMPLE)
		stream->unreadable++;
	return result == DECODE_OK;
}

/* Its values are those of the group, and behind them may be that of a profiler that has joined it.
 */
static bool is_of_group(const struct decoded_read *read, const struct group *group)
{
	const size_t last = group->count;

	return read->count == last + 1 ||
	       (read->count == last + 2 && read->ids[last] == group->ids[last]);
}

/*
 * The switch as far as this sample tells of it, and its reading.
 *
 * Of a software event the sample's id does not say the group: events that fire together all carry
 * that of the first one (seen on Linux 6.18). But the reading begins with the leader's id.
 *
 * Nor is the time its own: the kernel reads the clock once, and it is that of the first one, which
 * may be another program's: perf record -k realtime puts its clock into our samples (Linux 6.18).
 * Switch records have our clock always, and the group's own clock goes on by itself.
 *
 * Pid and tid, too, are made once, as they are in the namespace of the first one's owner (Linux
 * 6.18): another user's perf in a container makes all samples look like tasks of the container, or
 * of no task. So who came last is who leaves now, if no switch record says it.
 */
static bool take_software_sample(struct cpu_stream *stream, struct record *record,
				 struct record_reading *reading)
{
	const struct decoded *decoded = &stream->decoded;
	const struct decoded_read *read = &decoded->sample.read;
	struct cpu_stream_slot *slot = read->count > 0 ? find_led_slot(stream, read->ids[0]) : NULL;
	const bool is_known = stream->running_tid != RECORD_TASK_UNKNOWN;

	if (decoded->type != DECODED_SAMPLE || !slot ||
	    !is_of_group(read, &stream->bundle.groups[slot->group]))
		return false;
	memcpy(slot->values, read->values, sizeof(slot->values));
	*reading = (struct record_reading){
		.group = slot->group,
		.sequence = read->values[0],
		.enabled_ns = read->enabled_ns,
		.running_ns = read->running_ns,
		.values = &slot->values[1],
	};
	record->pid = is_known ? stream->running_pid : decoded->id.pid;
	record->tid = is_known ? stream->running_tid : decoded->id.tid;
	record->time_ns =
		slot->has_offset ? read->enabled_ns + slot->offset_ns : decoded->id.time_ns;
	record->ctx_switch = (struct record_switch){
		.next_pid = RECORD_TASK_UNKNOWN,
		.next_tid = RECORD_TASK_UNKNOWN,
		.readings = stream->readings,
	};
	return true;
}

/* A kernel thread is in one place. A 32-bit program has its arguments in other registers. */
static inline struct record_site site_of(const void *bytes, size_t size)
{
	struct attr_site site = {.place = 1};

	if (size >= sizeof(site))
		memcpy(&site, bytes, sizeof(site));
	return (struct record_site){
		.place = site.place,
		.argument = site.argument,
		.is_other = site.abi == 1,
	};
}

/* The rest is pushed out, stopped, or ends. */
static inline bool may_sleep(enum task_state state)
{
	return state == TASK_STATE_SLEEPING || state == TASK_STATE_DISK_SLEEP ||
	       state == TASK_STATE_IDLE || state == TASK_STATE_UNKNOWN;
}

/*
 * A sample of a tracepoint that leads: its fields are read where they are, since there are many of
 * them. A profiler that has joined the group adds a value behind the others. The tid of the sample
 * itself is gone when the task was reaped.
 */
static inline bool take_tracepoint_sample(const struct cpu_stream *stream, const void *bytes,
					  size_t size, struct record *record,
					  struct record_reading *reading)
{
	const struct attr_tracepoint_sample *sample = bytes;
	const struct sched_switch *offsets = stream->sched_switch;
	struct record_switch *ctx_switch = &record->ctx_switch;
	const struct cpu_stream_slot *slot;
	const unsigned char *raw;
	size_t raw_at, raw_size;

	if (decode_type(bytes) != DECODED_SAMPLE || size < sizeof(*sample))
		return false;
	slot = find_led_slot(stream, sample->id);
	if (!slot || sample->count - slot->value_count > 1)
		return false;
	raw_at = sizeof(*sample) + (size_t)sample->count * sizeof(*sample->values) +
		 sizeof(uint32_t);
	if (size < raw_at + offsets->size)
		return false;
	raw = (const unsigned char *)bytes + raw_at;
	raw_size = (uint32_t)decode_number_at(raw - sizeof(uint32_t), 0);
	if (raw_size < offsets->size)
		return false;
	reading->group = slot->group;
	reading->sequence = sample->values[0];
	reading->enabled_ns = sample->enabled_ns;
	reading->running_ns = sample->running_ns;
	reading->values = &sample->values[1];
	record->pid = sample->pid;
	record->tid = decode_number_at(raw, offsets->prev_tid);
	record->time_ns = sample->time_ns;
	ctx_switch->next_tid = decode_number_at(raw, offsets->next_tid);
	ctx_switch->next_pid = ctx_switch->next_tid == 0 ? 0 : RECORD_TASK_UNKNOWN;
	ctx_switch->state = task_states_find(&offsets->states,
					     (uint32_t)decode_number_at(raw, offsets->prev_state));
	ctx_switch->preempted = ctx_switch->state == TASK_STATE_RUNNABLE;
	ctx_switch->site.place = 0;
	if (raw_at + raw_size < size && may_sleep(ctx_switch->state))
		ctx_switch->site = site_of(raw + raw_size, size - raw_at - raw_size);
	ctx_switch->name = offsets->prev_name > 0 ? (const char *)raw + offsets->prev_name : NULL;
	return true;
}

enum taken {
	TAKEN_NOTHING, /* it makes no sense, or is of no use */
	TAKEN_SAMPLE,
	TAKEN_SCHED, /* sched_sample */
	TAKEN_RECORD /* another one, which is decoded */
};

static inline enum sched_event find_sched_event(const struct cpu_stream *stream, uint64_t id)
{
	const enum sched_event found = sched_tracepoints_find(&stream->tracepoints, id);

	for (size_t i = 0; found == SCHED_EVENTS && i < cpu_stream_more_cgroups(stream); i++)
		if (stream->more_cgroups[i].glance.event && stream->more_cgroups[i].glance.id == id)
			return SCHED_GLANCE;
	return found;
}

/*
 * Each of the scheduler's events has an id of its own, by which its samples are recognised. (Those
 * of software events share one: take_software_sample().)
 */
static inline bool take_sched_sample(struct cpu_stream *stream, const void *bytes, size_t size)
{
	const size_t head = offsetof(struct attr_sampler_sample, raw);
	const struct attr_sampler_sample *sample = bytes;
	size_t behind = 0;

	if (stream->tracepoints.count == 0 || decode_type(bytes) != DECODED_SAMPLE || size < head)
		return false;
	stream->sched_event = find_sched_event(stream, sample->id);
	stream->sched_sample = sample;
	if (stream->sched_event == SCHED_EXIT)
		behind = sizeof(uint64_t);
	return stream->sched_event != SCHED_EVENTS && size - head >= sample->raw_bytes + behind;
}

/* What is no sample of a tracepoint. */
static enum taken take_other_record(struct cpu_stream *stream, const void *bytes, size_t size,
				    struct record *record, struct record_reading *reading)
{
	if (!decode(stream, bytes, size))
		return TAKEN_NOTHING;
	return !stream->sched_switch && take_software_sample(stream, record, reading)
		       ? TAKEN_SAMPLE
		       : TAKEN_RECORD;
}

static enum taken take_ring_record(struct cpu_stream *stream, const void *bytes, size_t size,
				   struct record *record, struct record_reading *reading)
{
	if (stream->sched_switch && take_tracepoint_sample(stream, bytes, size, record, reading))
		return TAKEN_SAMPLE;
	if (take_sched_sample(stream, bytes, size))
		return TAKEN_SCHED;
	return take_other_record(stream, bytes, size, record, reading);
}

/* It was written before the group was switched on again, or for the last time read at that. */
static inline bool is_stale(const struct cpu_stream_slot *slot,
			    const struct record_reading *reading)
{
	return reading->sequence <= slot->from;
}

/* The sample of another group is of the same switch. */
static bool belongs(const struct cpu_stream *stream, const struct record *sample,
		    const struct record_reading *reading)
{
	const struct record *record = &stream->ctx_switch.record;

	return (stream->ctx_switch.groups & cpu_stream_group_bit(reading->group)) == 0 &&
	       (!stream->sched_switch ||
		(sample->tid == record->tid &&
		 sample->ctx_switch.next_tid == record->ctx_switch.next_tid));
}

/* What the outgoing task says of the same switch. Without a tracepoint it is all that is known. */
static bool take_switch_record(struct cpu_stream *stream)
{
	const struct decoded *decoded = &stream->decoded;
	struct record *record = &stream->ctx_switch.record;

	if (decoded->type != DECODED_SWITCH_CPU_WIDE || !decoded->ctx_switch.out)
		return false;
	if (stream->sched_switch)
		return decoded->id.tid == record->tid || decoded->id.tid == RECORD_TASK_UNKNOWN;
	if (decoded->id.tid != RECORD_TASK_UNKNOWN) {
		record->pid = decoded->id.pid;
		record->tid = decoded->id.tid;
	}
	record->time_ns = decoded->id.time_ns;
	record->ctx_switch.next_pid = decoded->ctx_switch.other_pid;
	record->ctx_switch.next_tid = decoded->ctx_switch.other_tid;
	record->ctx_switch.knows_how = true;
	record->ctx_switch.preempted = decoded->ctx_switch.preempted;
	record->ctx_switch.state =
		decoded->ctx_switch.preempted ? TASK_STATE_RUNNABLE : TASK_STATE_UNKNOWN;
	for (size_t i = 0; i < record->ctx_switch.reading_count; i++) {
		const struct record_reading *reading = &stream->readings[i];
		struct cpu_stream_slot *slot = &stream->slots[reading->group];

		slot->offset_ns = record->time_ns - reading->enabled_ns;
		slot->has_offset = true;
	}
	return true;
}

/* Behind the samples of a switch come switch records. */
static inline bool expects_switch_records(const struct cpu_stream *stream)
{
	return stream->ring.position < stream->records_until;
}

/*
 * Takes what belongs to the switch that has begun: a sample of each other group that is on, and the
 * switch record of the outgoing task. What is missing is not written yet, or never will be.
 */
static SELDOM void gather_switch(struct cpu_stream *stream)
{
	struct cpu_stream_switch *ctx_switch = &stream->ctx_switch;
	uint16_t *count = &ctx_switch->record.ctx_switch.reading_count;
	const bool expects = expects_switch_records(stream);
	struct record sample;
	const void *bytes;
	size_t size;

	ctx_switch->is_whole = false;
	while (expects || (stream->on_groups & ~ctx_switch->groups) != 0) {
		struct record_reading *reading = &stream->readings[*count];
		const uint64_t begins = stream->ring.position;
		enum taken taken;

		if (!ring_next(&stream->ring, &bytes, &size))
			return;
		taken = take_ring_record(stream, bytes, size, &sample, reading);
		if (taken == TAKEN_NOTHING ||
		    (taken == TAKEN_SAMPLE && is_stale(&stream->slots[reading->group], reading)))
			continue;
		if (taken == TAKEN_RECORD && take_switch_record(stream))
			break;
		if (taken != TAKEN_SAMPLE || !belongs(stream, &sample, reading)) {
			ring_return(&stream->ring, begins);
			break;
		}
		if (sample.ctx_switch.site.place != 0)
			ctx_switch->record.ctx_switch.site = sample.ctx_switch.site;
		ctx_switch->groups |= cpu_stream_group_bit(reading->group);
		++*count;
	}
	ctx_switch->is_whole = true;
}

/* The first sample of a switch was taken. */
static inline void begin_switch(struct cpu_stream *stream)
{
	struct cpu_stream_switch *ctx_switch = &stream->ctx_switch;
	const struct cpu_stream_slot *slot = &stream->slots[stream->readings[0].group];

	if (is_stale(slot, stream->readings))
		return;
	stream->fetched = NEXT_SWITCH;
	ctx_switch->record.ctx_switch.reading_count = 1;
	ctx_switch->groups = slot->done;
	ctx_switch->is_whole = true;
	if ((stream->on_groups & ~ctx_switch->groups) != 0 || expects_switch_records(stream))
		gather_switch(stream);
	stream->fetched_ns = ctx_switch->record.time_ns;
}

static SELDOM void fetch_other(struct cpu_stream *stream, const void *bytes, size_t size)
{
	const enum taken taken = take_other_record(stream, bytes, size, &stream->ctx_switch.record,
						   stream->readings);

	if (taken == TAKEN_SAMPLE) {
		begin_switch(stream);
	} else if (taken == TAKEN_RECORD) {
		stream->fetched = NEXT_RECORD;
		stream->fetched_ns = stream->decoded.id.time_ns;
	}
}

/* More of the switch is on its way. These records follow at once, but for groups of which others
 * have the counters. */
static inline bool is_to_wait(const struct cpu_stream *stream)
{
	return !stream->ctx_switch.is_whole && stream->fetched == NEXT_SWITCH &&
	       stream->until_ns <= stream->ctx_switch.record.time_ns + PENDING_NS;
}

/*
 * The end of the ring, in the middle of a switch: the readings of groups that have not shown it,
 * and have not counted it either, were made before it.
 */
static struct cpu_stream_reading *find_before_rest(const struct cpu_stream *stream,
						   struct cpu_stream_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++) {
		struct cpu_stream_reading *reading = &mark->readings[i];

		if (!reading->is_delivered && !reading_in_switch(stream, reading->group) &&
		    reading->values.values[0] <= stream->slots[reading->group].sequence)
			return reading;
	}
	return NULL;
}

void cpu_stream_finish_mark(struct cpu_stream *stream)
{
	stream->mark.is_waiting = false;
	stream->is_stopped = stream->mark.ends_interval;
	if (stream->is_stopped)
		stream->lost_heard = 0;
}

/* The first reading of a group that was switched on, before anything that it counted. */
static bool is_baseline_due(const struct cpu_stream *stream)
{
	const struct cpu_stream_reading *baseline = &stream->baselines[stream->baseline_next];

	return stream->baseline_next < stream->baseline_count &&
	       (stream->fetched == NEXT_NOTHING || stream->begins >= baseline->position ||
		is_before_switch(stream, baseline));
}

static SELDOM enum cpu_stream_next find_unread(struct cpu_stream *stream)
{
	/* the interval of a CPU that is not read ends before a switch of which more is to come */
	if (is_to_wait(stream) && stream->unread_ns > stream->ctx_switch.record.time_ns)
		stream->unread_ns = stream->ctx_switch.record.time_ns;
	return stream->unread_ns > 0 ? NEXT_UNREAD : NEXT_NOTHING;
}

static inline enum cpu_stream_next find_next_of_ring(struct cpu_stream *stream)
{
	if (stream->fetched == NEXT_NOTHING || stream->fetched_ns > stream->until_ns ||
	    is_to_wait(stream))
		return find_unread(stream);
	return stream->fetched;
}

static SELDOM enum cpu_stream_next find_next_of_mark(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;
	const bool has_fetched = stream->fetched != NEXT_NOTHING;

	mark->due = has_fetched ? find_due(stream, mark) : cpu_stream_first_waiting(mark);
	if (!mark->due && is_to_wait(stream))
		mark->due = find_before_rest(stream, mark);
	if (mark->due) /* a baseline of the group was made before it */
		return stream->baseline_next < stream->baseline_count ? NEXT_BASELINE
								      : NEXT_READING;
	if (cpu_stream_first_waiting(mark) || (has_fetched && !is_to_wait(stream)))
		return stream->fetched;
	cpu_stream_finish_mark(stream); /* nothing could be read */
	return stream->is_stopped ? NEXT_NOTHING : find_next_of_ring(stream);
}

bool cpu_stream_has_next(struct cpu_stream *stream)
{
	const void *bytes;
	size_t size;

	stream->next = NEXT_NOTHING;
	if (stream->is_stopped)
		return false;
	while (stream->fetched == NEXT_NOTHING && ring_next(&stream->ring, &bytes, &size)) {
		stream->begins = stream->ring.last;
		if (stream->sched_switch &&
		    take_tracepoint_sample(stream, bytes, size, &stream->ctx_switch.record,
					   stream->readings)) {
			begin_switch(stream);
		} else if (take_sched_sample(stream, bytes, size)) {
			stream->fetched = NEXT_SCHED;
			stream->fetched_ns = stream->sched_sample->time_ns;
		} else {
			fetch_other(stream, bytes, size);
		}
	}
	if (stream->baseline_next < stream->baseline_count && is_baseline_due(stream))
		stream->next = NEXT_BASELINE;
	else
		stream->next = stream->mark.is_waiting ? find_next_of_mark(stream)
						       : find_next_of_ring(stream);
	return stream->next != NEXT_NOTHING;
}
