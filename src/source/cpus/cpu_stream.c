/*
 * What a stream delivers, in order: first readings of groups that were switched on, then the
 * records of the ring, with the readings of the mark where their places are.
 */
#include "source/cpus/cpu_stream.h"

#include "kernel/attr.h"
#include "kernel/cgroup_paths.h"
#include "kernel/proc.h"
#include "source/convert.h"

enum {
	ROOM_MIN = 4096,     /* bytes; more than a record takes */
	PENDING_NS = 1000000 /* a switch is written long before */
};

/* Beside the way of nearly all records: the registers that it needs are saved in it alone. */
#define SELDOM __attribute__((noinline))

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
	if (stream->has_border)
		ring_stop_at(&stream->ring, stream->border);
}

void cpu_stream_end(struct cpu_stream *stream)
{
	if (stream->has_record)
		ring_keep_last(&stream->ring);
	stream->has_record = false;
	ring_end(&stream->ring);
}

static uint64_t group_bit(size_t group)
{
	return UINT64_C(1) << (group % 64);
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

	for (size_t i = 0; i < mark->count && stream->has_sample; i++) {
		struct cpu_stream_reading *reading = &mark->readings[i];

		if (reading->is_delivered || reading->group != stream->sample.group ||
		    stream->sample.values[0] <= reading->values.values[0])
			continue;
		return mark->is_tied ? first_waiting(mark) : reading;
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
	    (pending->groups & group_bit(stream->sample.group)) != 0)
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
	struct cpu_stream_reading *reading = first_waiting(&stream->mark);

	if (!reading || (stream->pending.groups & group_bit(reading->group)) != 0 ||
	    reading->values.values[0] > stream->slots[reading->group].sequence)
		return NULL;
	return reading;
}

static void finish_mark(struct cpu_stream *stream)
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
	return first_waiting(mark) ? NEXT_SWITCH : end_before_pending(stream);
}

static enum cpu_stream_next find_next_of_mark(struct cpu_stream *stream)
{
	struct cpu_stream_mark *mark = &stream->mark;

	mark->due = stream->has_record ? find_due(stream) : first_waiting(mark);
	if (mark->due)
		return NEXT_READING;
	if (stream->has_record)
		return NEXT_RECORD;
	finish_mark(stream); /* nothing could be read */
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

/*
 * The running task, of which a tracepoint has given the tid only. Where the clock has counted
 * switches that were not delivered, it is another one.
 */
static void name_running(struct cpu_stream *stream, const struct cpu_stream_reading *reading,
			 struct record *record)
{
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	if (!stream->sched_switch)
		return;
	if (reading->group == stream->clock &&
	    reading->values.values[0] > stream->slots[stream->clock].sequence)
		stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
	if (stream->running_pid == RECORD_TASK_UNKNOWN && stream->running_tid > 0)
		stream->running_pid = proc_find_pid(stream->running_tid);
	record->pid = stream->running_pid;
	record->tid = stream->running_pid < 0 ? RECORD_TASK_UNKNOWN : stream->running_tid;
}

static void set_reading(struct cpu_stream *stream, const struct cpu_stream_reading *reading,
			struct record *record)
{
	record->kind = RECORD_READING;
	record->cpu = stream->cpu;
	name_running(stream, reading, record);
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
	const uint64_t bit = group_bit(group);

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
		if (record->comm.exec && (record->pid == stream->running_pid ||
					  stream->running_pid == RECORD_TASK_UNKNOWN))
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

/*
 * The switch that a tracepoint's sample is of follows its readings. On some virtual machines the
 * idle task of a CPU leaves no sample, nor counts it (Linux 6.18). So in a virtual machine there
 * are switch records until idle has shown itself. Without them the reading also has what idle took,
 * which cannot be divided, and so it is a new start; from now on they say when the task came.
 */
static SELDOM void set_switch(struct cpu_stream *stream, const struct switched *tasks,
			      struct record *record)
{
	struct cpu_stream_switch *pending = &stream->pending;

	stream->is_plain = stream->has_whole_switches = false;
	if (stream->running_tid == 0 && tasks->prev_tid != 0) {
		cpu_stream_add_switch_records(stream);
		record->reading.restarts = true;
	}
	if (tasks->prev_tid == 0)
		cpu_stream_drop_switch_records(stream);
	if (pending->step == SWITCH_IS_DONE)
		*pending = (struct cpu_stream_switch){
			.step = SWITCH_OUT_FOLLOWS,
			.time_ns = record->time_ns,
			.prev_pid = record->pid,
			.tasks = *tasks,
		};
	pending->groups |= group_bit(stream->sample.group);
}

/* Of the incoming task a tracepoint does not give the pid, unless it is idle's. */
static int32_t next_pid_of(const struct switched *tasks)
{
	return tasks->next_tid == 0 ? 0 : RECORD_TASK_UNKNOWN;
}

/* The sample may be all there is of a switch. */
static bool set_whole_switch(struct cpu_stream *stream, const struct switched *tasks,
			     struct record *record)
{
	if (!stream->has_whole_switches || (stream->running_tid == 0 && tasks->prev_tid != 0))
		return false;
	record->kind = RECORD_SWITCH;
	record->ctx_switch = (struct record_switch){
		.other_pid = next_pid_of(tasks),
		.other_tid = tasks->next_tid,
		.preempted = tasks->state == TASK_STATE_RUNNABLE,
		.state = tasks->state,
		.name = tasks->prev_name,
	};
	stream->running_pid = record->ctx_switch.other_pid;
	stream->running_tid = record->ctx_switch.other_tid;
	return true;
}

/* The pending switch as two records: of the incoming task the pid is not given, unless it is idle.
 */
static void next_of_switch(struct cpu_stream *stream, struct record *record)
{
	struct cpu_stream_switch *pending = &stream->pending;
	const struct switched *tasks = &pending->tasks;
	const int32_t next_pid = next_pid_of(tasks);
	const bool is_out = pending->step == SWITCH_OUT_FOLLOWS;

	*record = (struct record){
		.kind = is_out ? RECORD_SWITCH_OUT : RECORD_SWITCH_IN,
		.cpu = stream->cpu,
		.pid = is_out ? pending->prev_pid : next_pid,
		.tid = is_out ? tasks->prev_tid : tasks->next_tid,
		.time_ns = pending->time_ns,
		.ctx_switch = {.other_pid = is_out ? next_pid : pending->prev_pid,
			       .other_tid = is_out ? tasks->next_tid : tasks->prev_tid,
			       .preempted = is_out && tasks->state == TASK_STATE_RUNNABLE,
			       .state = is_out ? tasks->state : (uint8_t)TASK_STATE_UNKNOWN},
	};
	pending->step = is_out ? SWITCH_IN_FOLLOWS : SWITCH_IS_DONE;
	note_running(stream, record);
}

/* Of a software event, which was decoded. */
static SELDOM void set_software_sample(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	record->pid = decoded->id.pid;
	record->tid = decoded->id.tid;
	record->reading.enabled_ns = decoded->sample.read.enabled_ns;
	record->reading.running_ns = decoded->sample.read.running_ns;
	record->ctx_switch.name = NULL;
	set_leaver(stream, stream->sample.group, record);
}

/* The tid of the sample itself is gone when the task was reaped. */
static void set_switch_sample(struct cpu_stream *stream, struct record *record)
{
	const struct sample_offsets *at = &stream->offsets;
	const unsigned char *bytes = stream->sample.bytes, *read = bytes + at->read;
	const struct switched tasks = sched_switch_read(stream->sched_switch, stream->sample.raw);

	record->pid = decode_number_at(bytes, at->sample.ids);
	record->tid = tasks.prev_tid;
	record->reading.enabled_ns = decode_word_at(read, at->enabled);
	record->reading.running_ns = decode_word_at(read, at->running);
	record->ctx_switch.name = tasks.prev_name;
	if (!set_whole_switch(stream, &tasks, record))
		set_switch(stream, &tasks, record);
}

static void set_sample(struct cpu_stream *stream, struct record *record)
{
	const struct cpu_stream_sample *sample = &stream->sample;

	record->kind = RECORD_READING;
	record->reading = (struct record_reading){
		.group = (uint16_t)sample->group,
		.at_switch = true,
		.sequence = sample->values[0],
		.values = &sample->values[1],
	};
	stream->slots[sample->group].sequence = sample->values[0];
	if (stream->sched_switch)
		set_switch_sample(stream, record);
	else
		set_software_sample(stream, record);
}

/* What was glanced at is news only while nothing is known. */
static bool next_glance(struct cpu_stream *stream, struct record *record)
{
	if (record->kind != RECORD_SWITCH_IN)
		return true;
	if (stream->running_tid != RECORD_TASK_UNKNOWN)
		return false;
	note_running(stream, record);
	return true;
}

/* A record that is no reading. */
static SELDOM bool next_of_others(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	record->pid = decoded->id.pid;
	record->tid = decoded->id.tid;
	if (decoded->type == DECODED_SAMPLE)
		return stream->sched_event != SCHED_EVENTS &&
		       sched_tracepoints_report(&stream->tracepoints, stream->sched_event, decoded,
						record) &&
		       next_glance(stream, record);
	if (decoded->type == DECODED_CGROUP && stream->tracepoints.cgroups)
		cgroup_paths_put(stream->tracepoints.cgroups, decoded->cgroup.id,
				 decoded->cgroup.path, decoded->cgroup.path_length);
	if (!convert_record(decoded, stream->name, sizeof(stream->name), record))
		return false;
	if (record->kind == RECORD_SWITCH_OUT && stream->record_state != TASK_STATE_UNKNOWN) {
		record->ctx_switch.state = stream->record_state;
		stream->record_state = TASK_STATE_UNKNOWN;
	}
	note_running(stream, record);
	if (record->kind == RECORD_LOST)
		take_off_reported(stream, record);
	return true;
}

static bool next_of_ring(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	stream->has_record = false;
	stream->last_time_ns = decoded->id.time_ns;
	record->cpu = stream->cpu;
	record->time_ns = decoded->id.time_ns;
	if (!stream->has_sample)
		return next_of_others(stream, record);
	set_sample(stream, record);
	return true;
}

static void next_unread(struct cpu_stream *stream, struct record *record)
{
	*record = (struct record){
		.kind = RECORD_UNREAD,
		.cpu = stream->cpu,
		.pid = RECORD_TASK_UNKNOWN,
		.tid = RECORD_TASK_UNKNOWN,
		.time_ns = stream->unread_ns,
	};
	stream->unread_ns = 0;
}

static void next_baseline(struct cpu_stream *stream, struct record *record)
{
	set_reading(stream, &stream->baselines[stream->baseline_next++], record);
	if (stream->baseline_next == stream->baseline_count)
		stream->baseline_next = stream->baseline_count = 0;
}

/* What is not in the ring. */
static SELDOM bool next_of_stream(struct cpu_stream *stream, struct record *record)
{
	switch (stream->next) {
	case NEXT_BASELINE:
		next_baseline(stream, record);
		return true;
	case NEXT_SWITCH:
		next_of_switch(stream, record);
		return true;
	case NEXT_READING:
		next_of_mark(stream, record);
		return true;
	case NEXT_UNREAD:
		next_unread(stream, record);
		return true;
	case NEXT_RECORD:
	case NEXT_NOTHING:
		break;
	}
	return false;
}

bool cpu_stream_next(struct cpu_stream *stream, struct record *record)
{
	return stream->next == NEXT_RECORD ? next_of_ring(stream, record)
					   : next_of_stream(stream, record);
}
