/* The record of what a stream delivers next. */
#include "base/seldom.h"
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
	if (!cpu_stream_first_waiting(mark))
		cpu_stream_finish_mark(stream);
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
	const uint64_t bit = cpu_stream_group_bit(group);

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
	pending->groups |= cpu_stream_group_bit(stream->sample.group);
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
