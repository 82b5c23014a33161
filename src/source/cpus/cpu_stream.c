/*
 * What a stream delivers next, in order: first readings of groups that were switched on, then the
 * records of the ring, with the readings of the mark where their places are.
 */
#include "source/cpus/cpu_stream.h"

#include "base/seldom.h"
#include "kernel/attr.h"

enum {
	ROOM_MIN = 4096,     /* bytes; more than a record takes */
	PENDING_NS = 1000000 /* a switch is written long before */
};

static const size_t NO_GROUP = SIZE_MAX;
static const uint64_t NO_ID = UINT64_MAX;

double cpu_stream_fill(const struct cpu_stream *stream)
{
	return (double)ring_fill_bytes(&stream->ring) / (double)stream->ring.data_bytes;
}

bool cpu_stream_is_silent(const struct cpu_stream *stream)
{
	return stream->running_tid == RECORD_TASK_UNKNOWN &&
	       stream->pending.step == SWITCH_IS_DONE && ring_fill_bytes(&stream->ring) == 0;
}

bool cpu_stream_may_lose(const struct cpu_stream *stream)
{
	return ring_room_bytes(&stream->ring) < ROOM_MIN;
}

/* Behind a sample may be switch records. */
static bool expects_switch_records(const struct cpu_stream *stream)
{
	return stream->switches_fd >= 0 || stream->ring.position < stream->records_until;
}

/* No more of a switch follows its sample, of this one group. */
static bool has_whole_switches(const struct cpu_stream *stream)
{
	return stream->sched_switch && stream->on_count == 1 && !expects_switch_records(stream) &&
	       stream->pending.step == SWITCH_IS_DONE;
}

static struct cpu_stream_layout layout_of(const struct cpu_stream *stream, size_t group)
{
	const struct sample_offsets *at = &stream->offsets;
	const struct group *opened = &stream->bundle.groups[group];
	const size_t values = opened->count + 1;

	return (struct cpu_stream_layout){
		.id = opened->ids[0],
		.values = values,
		.raw = at->sample_size + values * at->read_stride,
		.size = SIZE_MAX,
	};
}

void cpu_stream_begin(struct cpu_stream *stream, uint64_t until_ns)
{
	stream->until_ns = until_ns;
	stream->has_whole_switches = has_whole_switches(stream);
	stream->is_plain = stream->has_whole_switches && !stream->mark.is_waiting &&
			   stream->baseline_next == stream->baseline_count;
	stream->clock_layout = bundle_is_open(&stream->bundle, stream->clock)
				       ? layout_of(stream, stream->clock)
				       : (struct cpu_stream_layout){.id = NO_ID, .size = SIZE_MAX};
	stream->is_stopped = false;
	stream->has_record = false;
	stream->switches_refused = false;
	ring_begin(&stream->ring);
	if (stream->border_groups != 0)
		ring_stop_at(&stream->ring, stream->border);
}

void cpu_stream_end(struct cpu_stream *stream)
{
	if (stream->has_record)
		ring_keep_last(&stream->ring);
	stream->has_record = false;
	ring_end(&stream->ring);
}

static bool has_leader(const struct cpu_stream *stream, size_t group, uint64_t id)
{
	return bundle_is_open(&stream->bundle, group) && stream->bundle.groups[group].ids[0] == id;
}

/*
 * The group whose leader has this id, mostly the clock. Samples of a group that is closed by now
 * belong to no task.
 */
static size_t find_group(const struct cpu_stream *stream, uint64_t id)
{
	if (has_leader(stream, stream->clock, id))
		return stream->clock;
	for (size_t i = 0; i < stream->bundle.count; i++)
		if (has_leader(stream, i, id))
			return i;
	return NO_GROUP;
}

struct cpu_stream_reading *cpu_stream_first_waiting(struct cpu_stream_mark *mark)
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

	for (size_t i = 0; i < mark->count && stream->has_sample; i++) {
		struct cpu_stream_reading *reading = &mark->readings[i];

		if (reading->is_delivered || reading->group != stream->sample.group ||
		    stream->sample.values[0] <= reading->values.values[0])
			continue;
		return mark->is_tied ? cpu_stream_first_waiting(mark) : reading;
	}
	return NULL;
}

/*
 * Samples of tracepoints carry the id of their own event, which is no other's (in contrast to those
 * of software events, see take_software_sample()), and no reading but where they lead.
 */
static SELDOM bool decode(struct cpu_stream *stream, const void *bytes, size_t size)
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

	const struct decode_format sampler = attr_sampler_format(stream->sched_event == SCHED_EXIT);

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
		const struct decode_head head = decode_head(&header);

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
static uint64_t time_of_sample(const struct cpu_stream *stream, struct cpu_stream_slot *slot,
			       const struct decoded *decoded)
{
	const uint64_t enabled_ns = decoded->sample.read.enabled_ns;
	uint64_t time_ns;

	if (find_switch_time(stream, &time_ns)) {
		slot->offset_ns = time_ns - enabled_ns;
		slot->has_offset = true;
		return time_ns;
	}
	return slot->has_offset ? enabled_ns + slot->offset_ns : decoded->id.time_ns;
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
 * Of a software event the sample's id does not say the group: events that fire together all carry
 * that of the first one (seen on Linux 6.18). But the reading begins with the leader's id.
 */
static SELDOM bool take_software_sample(struct cpu_stream *stream)
{
	struct decoded *decoded = &stream->decoded;
	const struct decoded_read *read = &decoded->sample.read;
	const size_t group = read->count > 0 ? find_group(stream, read->ids[0]) : NO_GROUP;

	if (group == NO_GROUP)
		return false;
	decoded->id.time_ns = time_of_sample(stream, &stream->slots[group], decoded);
	if (!is_of_group(read, &stream->bundle.groups[group]))
		return false;
	stream->sample = (struct cpu_stream_sample){.group = group, .values = read->values};
	return true;
}

static void set_place(struct cpu_stream *stream, const unsigned char *bytes, size_t group,
		      size_t raw)
{
	const struct sample_offsets *at = &stream->offsets;

	stream->sample = (struct cpu_stream_sample){
		.group = group,
		.bytes = bytes,
		.raw = bytes + raw,
		.values = (const void *)(bytes + at->read + at->read_values),
	};
	stream->decoded.id.time_ns = decode_word_at(bytes, at->sample.time);
}

/* It was written before the group was switched on again, or for the last time read at that. */
static bool is_stale(const struct cpu_stream *stream)
{
	return stream->sample.values[0] <= stream->slots[stream->sample.group].from;
}

/*
 * A sample of a tracepoint that leads: its fields are read where they are (set_sample()), since
 * there are many of them. A profiler that has joined the group adds a value behind the others.
 */
static bool take_switch_sample(struct cpu_stream *stream, const unsigned char *bytes, size_t size)
{
	const struct sample_offsets *at = &stream->offsets;
	struct cpu_stream_layout layout = stream->clock_layout;
	size_t group = stream->clock, raw;
	uint64_t id, more;

	if (decode_type(bytes) != DECODED_SAMPLE || size < at->sample_size)
		return false;
	id = decode_word_at(bytes, at->sample.id);
	if (id != layout.id) {
		group = find_group(stream, id);
		if (group == NO_GROUP)
			return false;
		layout = layout_of(stream, group);
	}
	more = decode_word_at(bytes, at->read) - layout.values;
	raw = layout.raw + (more == 0 ? 0 : at->read_stride);
	if (more > 1 || size < raw ||
	    !sched_switch_fits(stream->sched_switch, bytes + raw, size - raw))
		return false;
	if (group == stream->clock && more == 0) {
		stream->clock_layout.size = size;
		stream->clock_layout.raw_size = decode_number_at(bytes, raw);
	}
	set_place(stream, bytes, group, raw);
	return true;
}

/*
 * The same in short, for nearly all: where nothing but whole switches of the clock is expected, and
 * the next record looks like the last one that was. False: nothing was taken.
 */
static bool take_plain_sample(struct cpu_stream *stream)
{
	const struct sample_offsets *at = &stream->offsets;
	const struct cpu_stream_layout *layout = &stream->clock_layout;
	const unsigned char *bytes = ring_peek_size(&stream->ring, layout->size);

	if (!bytes || decode_type(bytes) != DECODED_SAMPLE ||
	    decode_word_at(bytes, at->sample.id) != layout->id ||
	    decode_word_at(bytes, at->read) != layout->values ||
	    decode_number_at(bytes, layout->raw) != layout->raw_size ||
	    decode_word_at(bytes, at->sample.time) > stream->until_ns)
		return false;
	set_place(stream, bytes, stream->clock, layout->raw);
	if (is_stale(stream))
		return false;
	ring_take(&stream->ring, layout->size);
	return true;
}

static bool fetch(struct cpu_stream *stream)
{
	const void *bytes;
	size_t size;

	if (stream->has_record)
		return true;
	stream->has_sample = false;
	while (!stream->has_record && ring_next(&stream->ring, &bytes, &size)) {
		stream->has_sample =
			stream->sched_switch && take_switch_sample(stream, bytes, size);
		stream->has_record =
			stream->has_sample ? !is_stale(stream) : decode(stream, bytes, size);
	}
	if (!stream->sched_switch && stream->has_record && stream->decoded.type == DECODED_SAMPLE &&
	    stream->sched_event == SCHED_EVENTS)
		stream->has_sample = take_software_sample(stream);
	return stream->has_record;
}

/* The fetched record is another group's sample of the switch that is pending. */
static bool belongs_to_pending(const struct cpu_stream *stream)
{
	const struct cpu_stream_switch *pending = &stream->pending;
	struct switched tasks;

	if (pending->step != SWITCH_OUT_FOLLOWS || !stream->has_record || !stream->has_sample ||
	    (pending->groups & cpu_stream_group_bit(stream->sample.group)) != 0)
		return false;
	tasks = sched_switch_read(stream->sched_switch, stream->sample.raw);
	return tasks.prev_tid == pending->tasks.prev_tid &&
	       tasks.next_tid == pending->tasks.next_tid;
}

/* The kernel itself writes the records of the pending switch. */
static bool has_switch_record(const struct cpu_stream *stream)
{
	const struct decoded *decoded = &stream->decoded;
	const int32_t prev_tid = stream->pending.tasks.prev_tid;

	return stream->pending.step == SWITCH_OUT_FOLLOWS && stream->has_record &&
	       !stream->has_sample && decoded->type == DECODED_SWITCH_CPU_WIDE &&
	       decoded->ctx_switch.out &&
	       (decoded->id.tid == prev_tid || decoded->id.tid == RECORD_TASK_UNKNOWN);
}

/*
 * More of the pending switch may come: the sample of a group that is on, or a record. These follow
 * at once, but for groups of which others have the counters.
 */
static bool pending_may_go_on(const struct cpu_stream *stream)
{
	if (stream->pending.step != SWITCH_OUT_FOLLOWS ||
	    stream->until_ns > stream->pending.time_ns + PENDING_NS)
		return false;
	return expects_switch_records(stream) || (stream->on_groups & ~stream->pending.groups) != 0;
}

/*
 * The end of the ring, in the middle of a switch: the readings of groups that have not shown it,
 * and have not counted it either, were made before it.
 */
static struct cpu_stream_reading *find_before_pending(struct cpu_stream *stream)
{
	struct cpu_stream_reading *reading = cpu_stream_first_waiting(&stream->mark);

	if (!reading || (stream->pending.groups & cpu_stream_group_bit(reading->group)) != 0 ||
	    reading->values.values[0] > stream->slots[reading->group].sequence)
		return NULL;
	return reading;
}

void cpu_stream_finish_mark(struct cpu_stream *stream)
{
	stream->mark.is_waiting = false;
	stream->is_stopped = stream->mark.ends_interval;
	if (stream->is_stopped)
		stream->lost_heard = 0;
}

/* The interval of a CPU that is not read ends before a switch of which not all is written yet. */
static enum cpu_stream_next end_before_pending(struct cpu_stream *stream)
{
	if (stream->unread_ns == 0)
		return NEXT_NOTHING;
	stream->unread_ns = stream->pending.time_ns;
	return NEXT_UNREAD;
}

/* Before the pending switch, or it itself; NEXT_RECORD: what is fetched, as if there were none. */
static enum cpu_stream_next find_next_of_pending(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;

	if (has_switch_record(stream)) {
		stream->pending.step = SWITCH_IS_DONE;
		stream->record_state = stream->pending.tasks.state;
	}
	if (stream->pending.step == SWITCH_IS_DONE || belongs_to_pending(stream))
		return NEXT_RECORD;
	if (stream->has_record || !pending_may_go_on(stream))
		return NEXT_SWITCH;
	if (!mark->is_waiting)
		return end_before_pending(stream);
	mark->due = find_before_pending(stream);
	if (mark->due)
		return NEXT_READING;
	return cpu_stream_first_waiting(mark) ? NEXT_SWITCH : end_before_pending(stream);
}

static enum cpu_stream_next find_next_of_mark(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;

	mark->due = stream->has_record ? find_due(stream) : cpu_stream_first_waiting(mark);
	if (mark->due)
		return NEXT_READING;
	if (stream->has_record)
		return NEXT_RECORD;
	cpu_stream_finish_mark(stream); /* nothing could be read */
	return NEXT_NOTHING;
}

static enum cpu_stream_next find_next_of_ring(const struct cpu_stream *stream)
{
	if (stream->has_record && stream->decoded.id.time_ns <= stream->until_ns)
		return NEXT_RECORD;
	return stream->unread_ns > 0 ? NEXT_UNREAD : NEXT_NOTHING;
}

/* The fetched record, or what goes before it. */
static SELDOM enum cpu_stream_next find_next(struct cpu_stream *stream)
{
	if (stream->is_stopped)
		return NEXT_NOTHING;
	if (stream->baseline_next < stream->baseline_count)
		return NEXT_BASELINE;
	fetch(stream);
	if (stream->pending.step != SWITCH_IS_DONE) {
		const enum cpu_stream_next next = find_next_of_pending(stream);

		if (next != NEXT_RECORD)
			return next;
	}
	return stream->mark.is_waiting ? find_next_of_mark(stream) : find_next_of_ring(stream);
}

bool cpu_stream_has_next(struct cpu_stream *stream)
{
	if (stream->is_plain && !stream->has_record && take_plain_sample(stream)) {
		stream->has_record = stream->has_sample = true;
		stream->next = NEXT_RECORD;
		return true;
	}
	stream->next = find_next(stream);
	return stream->next != NEXT_NOTHING;
}
