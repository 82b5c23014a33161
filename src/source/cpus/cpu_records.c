/* The record of what a stream delivers next. */
#include <string.h>

#include "base/seldom.h"
#include "kernel/attr.h"
#include "kernel/cgroup_paths.h"
#include "kernel/proc.h"
#include "source/convert.h"
#include "source/cpus/cpu_stream.h"

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
	if (stream->slots[reading->group].is_clock &&
	    reading->values.values[0] > stream->slots[reading->group].sequence)
		stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
	if (stream->running_pid == RECORD_TASK_UNKNOWN && stream->running_tid > 0)
		stream->running_pid = proc_find_pid(stream->running_tid);
	record->pid = stream->running_pid;
	record->tid = stream->running_pid < 0 ? RECORD_TASK_UNKNOWN : stream->running_tid;
}

/* Where there are several cgroups: of all together. */
static inline void sum_up(struct cpu_stream *stream, struct record_reading *reading)
{
	if (stream->sums.groups > 0)
		cgroup_sums_add(&stream->sums, reading, stream->slots[reading->group].value_count);
}

static void set_reading(struct cpu_stream *stream, const struct cpu_stream_reading *reading,
			struct record *record)
{
	record->kind = RECORD_READING;
	record->cpu = stream->cpu;
	name_running(stream, reading, record);
	record->time_ns = stream->last_time_ns;
	stream->slots[reading->group].counted_ns = reading->values.enabled_ns;
	record->reading = (struct record_reading){
		.group = (uint16_t)reading->group,
		.restarts = reading->restarts,
		.sequence = reading->values.values[0],
		.enabled_ns = reading->values.enabled_ns,
		.running_ns = reading->values.running_ns,
		.values = &reading->values.values[1],
	};
	sum_up(stream, &record->reading);
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

/* A task has come unseen, and been counted in this reading. */
static bool next_arrival_at_mark(struct cpu_stream *stream,
				 const struct cpu_stream_reading *reading, struct record *record)
{
	const struct record_reading counted = {
		.group = (uint16_t)reading->group,
		.enabled_ns = reading->values.enabled_ns,
	};

	return arrival_is_due(stream, &counted, stream->mark.time_ns, NULL, record);
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
	if (cpu_stream_is_of_cgroup(stream) && next_arrival_at_mark(stream, reading, record))
		return;
	set_reading(stream, reading, record);
	if (cpu_stream_is_of_cgroup(stream))
		record->time_ns = stream->arrival.since_ns = stream->mark.time_ns;
	reading->is_delivered = true;
	mark->due = NULL;
	if (!cpu_stream_first_waiting(mark))
		cpu_stream_finish_mark(stream);
}

static inline void note_switch(struct cpu_stream *stream, const struct record *record)
{
	stream->left_tid = record->tid;
	stream->running_pid = record->ctx_switch.next_pid;
	stream->running_tid = record->ctx_switch.next_tid;
}

static void note_running(struct cpu_stream *stream, const struct record *record)
{
	switch ((int)record->kind) {
	case RECORD_SWITCH:
		note_switch(stream, record);
		return;
	case RECORD_COMM: /* a thread that calls exec gets the number of its process */
		if (record->comm.exec && (record->pid == stream->running_pid ||
					  stream->running_pid == RECORD_TASK_UNKNOWN))
			stream->running_tid = record->tid;
		return;
	case RECORD_LOST:
		sched_tracepoints_expect_no_glance(stream);
		stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
		stream->is_announced = false;
		return;
	default:
		return;
	}
}

/*
 * On some virtual machines the idle task of a CPU leaves no sample, nor does the tracepoint count
 * it (Linux 6.18). So in a virtual machine there are switch records until idle has shown itself,
 * which say when the next task came.
 */
static SELDOM void look_for_idle(struct cpu_stream *stream, int32_t prev_tid)
{
	if (!stream->sched_switch)
		return;
	if (prev_tid == 0)
		cpu_stream_drop_switch_records(stream);
	else
		cpu_stream_add_switch_records(stream);
}

/*
 * A switch record without samples. False: it says no more than is known, which was said by the
 * outgoing task, or by samples in front of it that were not waited for. If these did not name the
 * incoming task, it does.
 */
static bool is_news(struct cpu_stream *stream, struct record *record)
{
	struct record_switch *ctx_switch = &record->ctx_switch;
	const bool was_announced = stream->is_announced;

	stream->is_announced = ctx_switch->knows_how;
	if (!was_announced)
		return true;
	if (stream->running_tid == ctx_switch->next_tid &&
	    (!ctx_switch->knows_how || stream->left_tid == record->tid)) {
		stream->running_pid = ctx_switch->next_pid;
		return false;
	}
	if (stream->running_tid == RECORD_TASK_UNKNOWN && stream->left_tid == record->tid)
		ctx_switch->knows_how = false;
	return true;
}

/* What was glanced at is news only while nothing is known. */
static bool next_glance(struct cpu_stream *stream, struct record *record)
{
	if (record->kind != RECORD_SWITCH)
		return true;
	if (stream->running_tid != RECORD_TASK_UNKNOWN)
		return false;
	note_running(stream, record);
	return true;
}

/* A record that is no reading. */
static bool next_of_others(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	record->pid = decoded->id.pid;
	record->tid = decoded->id.tid;
	if (decoded->type == DECODED_CGROUP && stream->tracepoints.cgroups)
		cgroup_paths_put(stream->tracepoints.cgroups, decoded->cgroup.id,
				 decoded->cgroup.path, decoded->cgroup.path_length);
	if (!convert_record(decoded, stream->name, sizeof(stream->name), record))
		return false;
	if (record->kind == RECORD_SWITCH && !is_news(stream, record))
		return false;
	note_running(stream, record);
	if (record->kind == RECORD_LOST)
		take_off_reported(stream, record);
	return true;
}

static bool next_of_sched(struct cpu_stream *stream, struct record *record)
{
	const struct attr_sampler_sample *sample = stream->sched_sample;

	stream->fetched = NEXT_NOTHING;
	stream->last_time_ns = sample->time_ns;
	record->cpu = stream->cpu;
	record->pid = sample->pid;
	record->tid = sample->tid;
	record->time_ns = sample->time_ns;
	if (cpu_stream_is_of_cgroup(stream)) {
		sched_tracepoints_end_glance(stream, sample->id);
		arrival_glance(stream, sample->pid, sample->tid);
		return false;
	}
	stream->sched_samples +=
		stream->sched_event == SCHED_WAKING || stream->sched_event >= SCHED_IRQ;
	return sched_tracepoints_report(&stream->tracepoints, stream->sched_event, sample,
					record) &&
	       next_glance(stream, record);
}

static bool next_of_ring(struct cpu_stream *stream, struct record *record)
{
	const struct decoded *decoded = &stream->decoded;

	stream->fetched = NEXT_NOTHING;
	stream->last_time_ns = decoded->id.time_ns;
	record->cpu = stream->cpu;
	record->time_ns = decoded->id.time_ns;
	return next_of_others(stream, record);
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

/* What is no sample of a tracepoint. */
static SELDOM bool next_other(struct cpu_stream *stream, struct record *record)
{
	switch (stream->next) {
	case NEXT_RECORD:
		return next_of_ring(stream, record);
	case NEXT_BASELINE:
		next_baseline(stream, record);
		return true;
	case NEXT_READING:
		next_of_mark(stream, record);
		return true;
	case NEXT_UNREAD:
		next_unread(stream, record);
		return true;
	case NEXT_SWITCH:
	case NEXT_SCHED:
	case NEXT_NOTHING:
		break;
	}
	return false;
}

/* Of a cgroup: the task that leaves may have come unseen. */
static SELDOM bool next_arrival(struct cpu_stream *stream, struct record *record)
{
	const struct record *from = &stream->ctx_switch.record;

	return arrival_is_due(stream, stream->readings, from->time_ns, from, record);
}

/* Whether the task that comes is of the cgroup is seen later; of several their sum is counted. */
static SELDOM void follow_cgroup(struct cpu_stream *stream, struct record *record)
{
	arrival_hide_next(stream, record);
	for (size_t i = 0; i < record->ctx_switch.reading_count; i++)
		sum_up(stream, &stream->readings[i]);
}

/* A switch is delivered as it was fetched. */
bool cpu_stream_next(struct cpu_stream *stream, struct record *record)
{
	if (stream->next != NEXT_SWITCH)
		return stream->next == NEXT_SCHED ? next_of_sched(stream, record)
						  : next_other(stream, record);
	if (cpu_stream_is_of_cgroup(stream) && next_arrival(stream, record))
		return true;
	memcpy(record, &stream->ctx_switch.record,
	       offsetof(struct record, ctx_switch) + sizeof(record->ctx_switch));
	stream->fetched = NEXT_NOTHING;
	stream->last_time_ns = record->time_ns;
	for (size_t i = record->ctx_switch.reading_count; i-- > 0;)
		stream->slots[stream->readings[i].group].sequence = stream->readings[i].sequence;
	if (cpu_stream_is_of_cgroup(stream))
		follow_cgroup(stream, record);
	else if (stream->running_tid == 0 || record->tid == 0)
		look_for_idle(stream, record->tid);
	note_switch(stream, record);
	stream->is_announced = true;
	return true;
}
