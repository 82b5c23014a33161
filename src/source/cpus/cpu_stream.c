/*
 * What a stream delivers, in order: first readings of groups that were switched on, then the
 * records of the ring, with the readings of the mark where their places are.
 */
#include "source/cpus/cpu_stream.h"

#include "kernel/attr.h"
#include "source/convert.h"

enum {
	ROOM_MIN = 4096 /* bytes; more than a record takes */
};

static const size_t NO_GROUP = SIZE_MAX;

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
	stream->is_stopped = false;
	stream->has_record = false;
	ring_begin(&stream->ring);
}

void cpu_stream_end(struct cpu_stream *stream)
{
	if (stream->has_record)
		ring_keep_last(&stream->ring);
	stream->has_record = false;
	ring_end(&stream->ring);
}

/*
 * The group a sample is of: its reading begins with the leader's id. The sample's own id does not
 * say which: software events that fire together all carry that of the first one (seen on Linux
 * 6.18). What a group that is closed by now left behind belongs to no task.
 */
static size_t group_of(const struct cpu_stream *stream, const struct decoded_read *read)
{
	for (size_t i = 0; i < stream->bundle.count && read->count > 0; i++)
		if (bundle_is_open(&stream->bundle, i) &&
		    stream->bundle.groups[i].ids[0] == read->ids[0])
			return i;
	return NO_GROUP;
}

/* The first reading of the mark that was not delivered; NULL: all were. */
static struct cpu_stream_reading *first_waiting(struct cpu_stream_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++)
		if (!mark->readings[i].is_delivered)
			return &mark->readings[i];
	return NULL;
}

/* The reading that goes before the fetched record, which is of a later switch. */
static struct cpu_stream_reading *find_due(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;
	const struct decoded *decoded = &stream->decoded;
	size_t group;

	if (decoded->type != DECODED_SAMPLE || stream->sched_event != SCHED_EVENTS ||
	    decoded->sample.read.count == 0)
		return NULL;
	group = group_of(stream, &decoded->sample.read);
	for (size_t i = 0; i < mark->count; i++) {
		struct cpu_stream_reading *reading = &mark->readings[i];

		if (reading->is_delivered || reading->group != group ||
		    decoded->sample.read.values[0] <= reading->values.values[0])
			continue;
		return mark->is_tied ? first_waiting(mark) : reading;
	}
	return NULL;
}

/*
 * Samples of tracepoints carry the id of their own event, which is no other's (in contrast to those
 * of software events, see group_of()), and no reading.
 */
static bool decode(struct cpu_stream *stream, const void *bytes, size_t size)
{
	enum decode_result result = DECODE_BROKEN;

	stream->sched_event = SCHED_EVENTS;
	if (stream->tracepoints.count > 0)
		stream->sched_event = sched_tracepoints_find(
			&stream->tracepoints, decode_peek_id(bytes, size, &stream->offsets));
	if (stream->sched_event == SCHED_EVENTS)
		result = decode_record(&stream->decoded, bytes, size, &stream->format);
	if (result != DECODE_BROKEN)
		return result == DECODE_OK;

	const struct decode_format sampler = attr_sampler_format();

	/* What a tracepoint left behind that is closed by now is nothing that is missed. */
	result = decode_record(&stream->decoded, bytes, size, &sampler);
	if (result == DECODE_BROKEN)
		stream->unreadable++;
	return result == DECODE_OK && stream->sched_event != SCHED_EVENTS;
}

/*
 * The time of the switch of which the fetched sample is a part: that of the SWITCH_OUT behind it,
 * with no more between than a sample of each other group that is on. False: it was not written
 * yet, or never will be, as of tasks that are hidden from us.
 */
static bool find_switch_time(const struct cpu_stream *stream, uint64_t *time_ns)
{
	const size_t from_end = stream->offsets.trailer.time;
	uint64_t position = stream->ring.position;
	uint64_t header;
	size_t samples = 0, on = 0;

	for (size_t i = 0; i < stream->bundle.count; i++)
		on += stream->slots[i].is_on;
	while (from_end > 0 && ring_peek(&stream->ring, &position, &header)) {
		const struct decode_plain_head head = decode_plain_head(&header);

		if (head.type == DECODED_SAMPLE && ++samples < on)
			continue;
		if (head.type != DECODED_SWITCH_CPU_WIDE || !head.out)
			return false;
		*time_ns = ring_word_at(&stream->ring, position - from_end);
		return true;
	}
	return false;
}

/*
 * Of software events that fire together the kernel reads the clock once, and it is that of the
 * first one, which may be another program's: perf record -k realtime puts its clock into our
 * samples (Linux 6.18). Switch records have our clock always, and the group's own clock goes on by
 * itself.
 */
static void set_sample_time(struct cpu_stream *stream)
{
	const struct decoded_read *read = &stream->decoded.sample.read;
	const size_t group = group_of(stream, read);
	struct cpu_stream_slot *slot;
	uint64_t time_ns;

	if (group == NO_GROUP)
		return;
	slot = &stream->slots[group];
	if (find_switch_time(stream, &time_ns)) {
		slot->offset_ns = time_ns - read->enabled_ns;
		slot->has_offset = true;
	} else if (slot->has_offset) {
		time_ns = read->enabled_ns + slot->offset_ns;
	} else {
		time_ns = stream->decoded.id.time_ns;
	}
	stream->decoded.id.time_ns = time_ns;
}

static bool fetch(struct cpu_stream *stream)
{
	const void *bytes;
	size_t size;

	if (stream->has_record)
		return true;
	while (!stream->has_record && ring_next(&stream->ring, &bytes, &size))
		stream->has_record = decode(stream, bytes, size);
	if (stream->has_record && stream->decoded.type == DECODED_SAMPLE &&
	    stream->sched_event == SCHED_EVENTS && stream->decoded.sample.read.count > 0)
		set_sample_time(stream);
	return stream->has_record;
}

static void finish_mark(struct cpu_stream *stream)
{
	stream->mark.is_waiting = false;
	stream->is_stopped = stream->mark.ends_interval;
	if (stream->is_stopped)
		stream->lost_heard = 0;
}

bool cpu_stream_has_next(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;

	if (stream->is_stopped)
		return false;
	if (stream->baseline_next < stream->baseline_count)
		return true;
	fetch(stream);
	if (!mark->is_waiting)
		return stream->has_record && stream->decoded.id.time_ns <= stream->until_ns;
	mark->due = stream->has_record ? find_due(stream) : first_waiting(mark);
	if (stream->has_record || mark->due)
		return true;
	finish_mark(stream); /* nothing could be read */
	return false;
}

uint64_t cpu_stream_next_time(const struct cpu_stream *stream)
{
	if (stream->baseline_next < stream->baseline_count || stream->mark.due)
		return stream->last_time_ns;
	return stream->decoded.id.time_ns;
}

static void set_reading(struct cpu_stream *stream, const struct cpu_stream_reading *reading,
			struct record *record)
{
	record->kind = RECORD_READING;
	record->cpu = stream->cpu;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->time_ns = stream->last_time_ns;
	record->reading = (struct record_reading){
		.group = (uint16_t)reading->group,
		.restarts = reading->restarts,
		.sequence = reading->values.values[0],
		.enabled_ns = reading->values.enabled_ns,
		.running_ns = reading->values.running_ns,
		.values = &reading->values.values[1],
	};
}

/* Records, and rests of a ring, that made no sense since the last tick. */
static uint64_t unreadable(const struct cpu_stream *stream)
{
	return stream->unreadable + stream->ring.broken - stream->unreadable_reported;
}

/*
 * Of what was lost in the interval LOST records may have reported a part: these count all records,
 * which are at least as many as the samples among them.
 *
 * Where in the stream they are missing is not known, and which task runs now may be known from
 * records behind the loss: only a gap in the numbers of the readings says that it is not.
 */
static void emit_lost(struct cpu_stream *stream, struct record *record)
{
	record->kind = RECORD_LOST;
	record->cpu = RECORD_CPU_NONE;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->time_ns = stream->last_time_ns;
	record->lost =
		stream->lost_now > stream->lost_heard ? stream->lost_now - stream->lost_heard : 0;
	stream->lost_ahead += record->lost;
	record->lost += unreadable(stream);
	stream->unreadable_reported += unreadable(stream);
	stream->lost_now = 0;
}

/* What was reported already is not counted twice. */
static void take_off_reported(struct cpu_stream *stream, struct record *record)
{
	uint64_t ahead = record->lost < stream->lost_ahead ? record->lost : stream->lost_ahead;

	record->lost -= ahead;
	stream->lost_ahead -= ahead;
	stream->lost_heard += record->lost;
}

/* The reading that is due; after the last one the mark is done with. */
static void next_of_mark(struct cpu_stream *stream, struct record *record)
{
	struct cpu_stream_mark *mark = &stream->mark;
	struct cpu_stream_reading *reading = mark->due;

	if (stream->lost_now > 0 || unreadable(stream) > 0) {
		emit_lost(stream, record);
		return;
	}
	set_reading(stream, reading, record);
	reading->is_delivered = true;
	mark->due = NULL;
	if (!first_waiting(mark))
		finish_mark(stream);
}

/*
 * The task that leaves at a sample of the group. Of software events that fire together the kernel
 * makes pid and tid once, as they are in the namespace of the first one's owner (Linux 6.18):
 * another user's perf in a container makes all samples look like tasks of the container, or of no
 * task. Switch records are made for each reader; only where they are missing, as for tasks that are
 * hidden from us, the sample is trusted. A second sample of one group means that a switch was not
 * reported.
 */
static void set_leaver(struct cpu_stream *stream, size_t group, struct record *record)
{
	const uint64_t bit = UINT64_C(1) << (group % 64);

	if (stream->running_tid == RECORD_TASK_UNKNOWN || (stream->left_groups & bit) != 0)
		return;
	stream->left_groups |= bit;
	record->pid = stream->running_pid;
	record->tid = stream->running_tid;
}

static void note_running(struct cpu_stream *stream, const struct record *record)
{
	switch ((int)record->kind) {
	case RECORD_SWITCH_IN:
		stream->running_pid = record->pid;
		stream->running_tid = record->tid;
		stream->left_groups = 0;
		return;
	case RECORD_COMM: /* a thread that calls exec gets the number of its process */
		if (record->comm.exec && record->pid == stream->running_pid)
			stream->running_tid = record->tid;
		return;
	case RECORD_SWITCH_OUT:
	case RECORD_LOST:
		stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
		return;
	default:
		return;
	}
}

static bool set_sample(struct cpu_stream *stream, struct record *record)
{
	const struct decoded_read *read = &stream->decoded.sample.read;
	size_t group = group_of(stream, read);

	if (group == NO_GROUP || read->count != stream->bundle.groups[group].count + 1)
		return false;
	record->kind = RECORD_READING;
	record->reading = (struct record_reading){
		.group = (uint16_t)group,
		.at_switch = true,
		.sequence = read->values[0],
		.enabled_ns = read->enabled_ns,
		.running_ns = read->running_ns,
		.values = &read->values[1],
	};
	set_leaver(stream, group, record);
	return true;
}

static bool next_of_ring(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	stream->has_record = false;
	stream->last_time_ns = decoded->id.time_ns;
	record->cpu = stream->cpu;
	record->pid = decoded->id.pid;
	record->tid = decoded->id.tid;
	record->time_ns = decoded->id.time_ns;
	if (decoded->type == DECODED_SAMPLE && stream->sched_event != SCHED_EVENTS)
		return sched_tracepoints_report(&stream->tracepoints, stream->sched_event, decoded,
						record);
	if (decoded->type == DECODED_SAMPLE)
		return set_sample(stream, record);
	if (!convert_record(decoded, stream->name, sizeof(stream->name), record))
		return false;
	note_running(stream, record);
	if (record->kind == RECORD_LOST)
		take_off_reported(stream, record);
	return true;
}

static void next_baseline(struct cpu_stream *stream, struct record *record)
{
	set_reading(stream, &stream->baselines[stream->baseline_next++], record);
	if (stream->baseline_next == stream->baseline_count)
		stream->baseline_next = stream->baseline_count = 0;
}

bool cpu_stream_next(struct cpu_stream *stream, struct record *record)
{
	if (stream->baseline_next < stream->baseline_count) {
		next_baseline(stream, record);
		return true;
	}
	if (!stream->mark.due)
		return next_of_ring(stream, record);
	next_of_mark(stream, record);
	return true;
}
