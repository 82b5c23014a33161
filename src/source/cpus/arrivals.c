#include "source/cpus/arrivals.h"

#include "source/cpus/cpu_stream.h"

/* No earlier than what came before; right behind it where that one was said to come. */
static uint64_t arrival_time(const struct arrival *arrival, int32_t tid, uint64_t time_ns,
			     uint64_t counted_ns)
{
	const uint64_t came_ns = time_ns > counted_ns ? time_ns - counted_ns : 0;

	return tid == arrival->next_tid || came_ns < arrival->since_ns ? arrival->since_ns
								       : came_ns;
}

bool arrival_is_due(struct cpu_stream *stream, const struct record_reading *reading,
		    uint64_t time_ns, const struct record *leaves, struct record *record)
{
	const struct arrival *arrival = &stream->arrival;
	const uint64_t before_ns = stream->slots[reading->group].counted_ns;
	const uint64_t counted_ns =
		reading->enabled_ns > before_ns ? reading->enabled_ns - before_ns : 0;

	if (stream->running_tid != 0 || (!leaves && counted_ns == 0))
		return false;
	stream->running_pid = stream->running_tid = RECORD_TASK_UNKNOWN;
	if (leaves || arrival->glanced_tid > 0) {
		stream->running_pid = leaves ? leaves->pid : arrival->glanced_pid;
		stream->running_tid = leaves ? leaves->tid : arrival->glanced_tid;
	}
	*record = (struct record){
		.kind = RECORD_SWITCH,
		.cpu = stream->cpu,
		.time_ns = arrival_time(arrival, stream->running_tid, time_ns, counted_ns),
		.ctx_switch =
			{
				.next_pid = stream->running_pid,
				.next_tid = stream->running_tid,
				.knows_how = true,
			},
	};
	return true;
}

void arrival_hide_next(struct cpu_stream *stream, struct record *record)
{
	const struct record_switch *leave = &record->ctx_switch;

	for (size_t i = 0; i < leave->reading_count; i++)
		stream->slots[leave->readings[i].group].counted_ns = leave->readings[i].enabled_ns;
	stream->arrival = (struct arrival){
		.next_tid = record->ctx_switch.next_tid,
		.since_ns = record->time_ns,
	};
	record->ctx_switch.next_pid = record->ctx_switch.next_tid = 0;
}

/* Where nothing is known of the CPU the task has run since then. */
void arrival_glance(struct cpu_stream *stream, int32_t pid, int32_t tid)
{
	stream->arrival.glanced_pid = pid;
	stream->arrival.glanced_tid = tid;
	if (stream->running_tid != RECORD_TASK_UNKNOWN)
		return;
	stream->running_pid = pid;
	stream->running_tid = tid;
}
