/*
 * The ring is owned by the leader of the clock group; the other leaders and the time line are
 * redirected into it, so that one CPU's records are in the order of the events: at a switch the
 * readings, then OUT, then IN.
 */
#include "source/cpus/cpu_stream.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/cpus/cpu_stream_parts.h"

enum {
	ROOM_MIN = 4096 /* bytes; more than a record takes */
};

static bool fail(const struct cpu_stream_request *request, enum explain_call call, const char *what,
		 int errno_value, struct error *error)
{
	const struct explain_context context = {
		.call = call,
		.what = what,
		.pid = -1,
		.cpu = request->cpu,
		.host = request->host,
	};

	return explain_perf_error(error, errno_value, &context);
}

static struct group *clock_of(struct cpu_stream *stream)
{
	return &stream->bundle.groups[stream->clock];
}

/* The ring is tried at the size asked for and halved until the kernel grants it. */
static bool map_ring(struct cpu_stream *stream, const struct cpu_stream_request *request,
		     size_t *ring_bytes, struct error *error)
{
	int errno_value = 0;

	for (size_t bytes = request->ring_bytes; bytes >= CPU_STREAM_RING_MIN; bytes /= 2) {
		if (ring_map(&stream->ring, clock_of(stream)->leader_fd, bytes,
			     request->host->page_bytes, &errno_value)) {
			*ring_bytes = bytes;
			return true;
		}
	}
	return fail(request, EXPLAIN_MAP, "rings", errno_value, error);
}

static struct bundle_request bundle_request_of(const struct cpu_stream *stream,
					       const struct cpu_stream_change *change)
{
	return (struct bundle_request){
		.before = change->before,
		.after = change->after,
		.kind = stream->kind,
		.target = {.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = stream->cpu},
		.features = change->features,
		.wakeup_bytes = (uint32_t)(change->ring_bytes / CPU_STREAM_WAKEUP_SHARE),
		.is_disabled = !stream->is_enabled,
	};
}

/* The slots follow the bundle; what is new there is not on yet. */
static void follow_bundle(struct cpu_stream *stream, const struct cpu_stream_change *change,
			  size_t count_before)
{
	const struct layout *layout = &change->after->layout;

	stream->slots = xrealloc(stream->slots, stream->bundle.count, sizeof(*stream->slots));
	for (size_t i = 0; i < stream->bundle.count; i++) {
		if (i >= count_before)
			stream->slots[i] = (struct cpu_stream_slot){0};
		stream->slots[i].turn = layout->groups[i].turn;
	}
}

/* Opens the groups; nothing was open before. */
static bool open_groups(struct cpu_stream *stream, const struct cpu_stream_change *change,
			int *errno_value)
{
	const struct bundle_request request = bundle_request_of(stream, change);

	if (!bundle_prepare(&stream->bundle, &request, errno_value))
		return false;
	bundle_commit(&stream->bundle, &request);
	follow_bundle(stream, change, 0);
	return true;
}

static int redirect(struct cpu_stream *stream)
{
	const int owner = clock_of(stream)->leader_fd;
	int result = timeline_redirect(stream->timeline_fd, owner);

	for (size_t i = 0; i < stream->bundle.count && result >= 0; i++)
		if (i != stream->clock && bundle_is_open(&stream->bundle, i))
			result = timeline_redirect(stream->bundle.groups[i].leader_fd, owner);
	return result;
}

bool cpu_stream_open(struct cpu_stream *stream, const struct cpu_stream_request *request,
		     size_t *ring_bytes, struct error *error)
{
	const struct cpu_stream_change change = {
		.after = request->plan,
		.features = request->features,
		.ring_bytes = request->ring_bytes,
	};
	int result = 0;

	*stream = (struct cpu_stream){.cpu = request->cpu,
				      .kind = request->kind,
				      .timeline_fd = -1,
				      .tapped = SCHED_EVENTS,
				      .running_pid = RECORD_TASK_UNKNOWN,
				      .running_tid = RECORD_TASK_UNKNOWN};
	stream->format = attr_decode_format(request->features);
	stream->offsets = sample_offsets_of(&stream->format);
	stream->clock = request->plan->layout.kinds[request->kind].clock;
	if (!open_groups(stream, &change, &result)) {
		fail(request, EXPLAIN_OPEN, "counters", result, error);
		goto failed;
	}
	if (!map_ring(stream, request, ring_bytes, error))
		goto failed;
	stream->timeline_fd = timeline_open(-1, request->cpu, request->features, false,
					    (uint32_t)(*ring_bytes / CPU_STREAM_WAKEUP_SHARE),
					    TIMELINE_SWITCHES | TIMELINE_TASKS);
	if (stream->timeline_fd < 0) {
		fail(request, EXPLAIN_OPEN, "the time line", -stream->timeline_fd, error);
		goto failed;
	}
	result = redirect(stream);
	if (result < 0) {
		fail(request, EXPLAIN_IOCTL, "rings", -result, error);
		goto failed;
	}
	return true;
failed:
	cpu_stream_close(stream);
	return false;
}

void cpu_stream_close(struct cpu_stream *stream)
{
	ring_unmap(&stream->ring);
	sched_tracepoints_close_all(&stream->tracepoints);
	if (stream->timeline_fd >= 0)
		sys_close(stream->timeline_fd);
	bundle_close(&stream->bundle);
	free(stream->slots);
	free(stream->baselines);
	free(stream->mark.readings);
	*stream = (struct cpu_stream){.cpu = stream->cpu, .timeline_fd = -1};
}

int cpu_stream_tap(struct cpu_stream *stream, enum sched_event slot,
		   const struct sched_tracepoint_spec *event, const struct attr_features *features)
{
	return sched_tracepoints_open(&stream->tracepoints, slot, event, stream->cpu,
				      clock_of(stream)->leader_fd, features);
}

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

static int redirect_next(struct cpu_stream *stream)
{
	const int owner = clock_of(stream)->leader_fd;
	int result = 0;

	for (size_t i = 0; i < stream->bundle.next_count && result >= 0; i++)
		if (stream->bundle.next[i].leader_fd >= 0)
			result = timeline_redirect(stream->bundle.next[i].leader_fd, owner);
	return result;
}

bool cpu_stream_prepare(struct cpu_stream *stream, const struct cpu_stream_change *change,
			struct error *error)
{
	const struct bundle_request bundle = bundle_request_of(stream, change);
	const struct cpu_stream_request request = {.cpu = stream->cpu, .host = change->host};
	int result = 0;

	if (!bundle_prepare(&stream->bundle, &bundle, &result))
		return fail(&request, EXPLAIN_OPEN, "counters", result, error);
	result = redirect_next(stream);
	if (result >= 0)
		return true;
	bundle_abandon(&stream->bundle, &bundle);
	return fail(&request, EXPLAIN_IOCTL, "rings", -result, error);
}

void cpu_stream_abandon(struct cpu_stream *stream, const struct cpu_stream_change *change)
{
	const struct bundle_request request = bundle_request_of(stream, change);

	bundle_abandon(&stream->bundle, &request);
}

/*
 * What a group has counted since the interval's end, before it is closed or loses members, belongs
 * to no task: its next reading is a new start.
 */
void cpu_stream_commit(struct cpu_stream *stream, const struct cpu_stream_change *change)
{
	const struct bundle_request request = bundle_request_of(stream, change);
	const size_t before = stream->bundle.count;

	bundle_commit(&stream->bundle, &request);
	follow_bundle(stream, change, before);
	for (size_t i = 0; i < stream->bundle.count; i++) {
		const enum plan_step step = bundle_step(&request, i);

		if (step == PLAN_CLOSE || step == PLAN_OPEN)
			stream->slots[i].is_on = false;
		if (step == PLAN_SHRINK && stream->slots[i].is_on)
			cpu_stream_begin_anew(stream, i, change->features);
	}
	cpu_stream_resume(stream, change->features);
}
