/*
 * The ring is owned by the leader of the clock group; the other leaders and the time line are
 * redirected into it, so that one CPU's records stand in the order in which they happened:
 * at a switch the readings, then OUT, then IN.
 */
#include "source/cpus/lane.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/cpus/lane_parts.h"

enum {
	ROOM_MIN = 4096 /* bytes; more than a record takes */
};

static bool fail(const struct lane_request *request, enum explain_call call, const char *what,
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

static struct group *clock_of(struct lane *lane)
{
	return &lane->bundle.groups[lane->clock];
}

/* The ring is tried at the size asked for and halved until the kernel grants it. */
static bool map_ring(struct lane *lane, const struct lane_request *request, size_t *ring_bytes,
		     struct error *error)
{
	int errno_value = 0;

	for (size_t bytes = request->ring_bytes; bytes >= LANE_RING_MIN; bytes /= 2) {
		if (ring_map(&lane->ring, clock_of(lane)->leader_fd, bytes,
			     request->host->page_bytes, &errno_value)) {
			*ring_bytes = bytes;
			return true;
		}
	}
	return fail(request, EXPLAIN_MAP, "rings", errno_value, error);
}

static struct bundle_request bundle_request_of(const struct lane *lane,
					       const struct lane_change *change)
{
	return (struct bundle_request){
		.before = change->before,
		.after = change->after,
		.kind = lane->kind,
		.target = {.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = lane->cpu},
		.features = change->features,
		.wakeup_bytes = (uint32_t)(change->ring_bytes / LANE_WAKEUP_SHARE),
		.is_disabled = !lane->is_enabled,
	};
}

/* The slots follow the bundle; what is new there is not on yet. */
static void follow_bundle(struct lane *lane, const struct lane_change *change, size_t count_before)
{
	const struct layout *layout = &change->after->layout;

	lane->slots = xrealloc(lane->slots, lane->bundle.count, sizeof(*lane->slots));
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (i >= count_before)
			lane->slots[i] = (struct lane_slot){0};
		lane->slots[i].turn = layout->groups[i].turn;
	}
}

/* Opens the groups; nothing was open before. */
static bool open_groups(struct lane *lane, const struct lane_change *change, int *errno_value)
{
	const struct bundle_request request = bundle_request_of(lane, change);

	if (!bundle_prepare(&lane->bundle, &request, errno_value))
		return false;
	bundle_commit(&lane->bundle, &request);
	follow_bundle(lane, change, 0);
	return true;
}

static int redirect(struct lane *lane)
{
	const int owner = clock_of(lane)->leader_fd;
	int result = timeline_redirect(lane->timeline_fd, owner);

	for (size_t i = 0; i < lane->bundle.count && result >= 0; i++)
		if (i != lane->clock && bundle_is_open(&lane->bundle, i))
			result = timeline_redirect(lane->bundle.groups[i].leader_fd, owner);
	return result;
}

bool lane_open(struct lane *lane, const struct lane_request *request, size_t *ring_bytes,
	       struct error *error)
{
	const struct lane_change change = {
		.after = request->plan,
		.features = request->features,
		.ring_bytes = request->ring_bytes,
	};
	int result = 0;

	*lane = (struct lane){.cpu = request->cpu,
			      .kind = request->kind,
			      .timeline_fd = -1,
			      .tapped = TAP_SLOTS,
			      .running_pid = RECORD_TASK_UNKNOWN,
			      .running_tid = RECORD_TASK_UNKNOWN};
	lane->clock = request->plan->layout.kinds[request->kind].clock;
	if (!open_groups(lane, &change, &result)) {
		fail(request, EXPLAIN_OPEN, "counters", result, error);
		goto failed;
	}
	if (!map_ring(lane, request, ring_bytes, error))
		goto failed;
	lane->timeline_fd = timeline_open(-1, request->cpu, request->features, false,
					  (uint32_t)(*ring_bytes / LANE_WAKEUP_SHARE),
					  TIMELINE_SWITCHES | TIMELINE_TASKS);
	if (lane->timeline_fd < 0) {
		fail(request, EXPLAIN_OPEN, "the time line", -lane->timeline_fd, error);
		goto failed;
	}
	result = redirect(lane);
	if (result < 0) {
		fail(request, EXPLAIN_IOCTL, "rings", -result, error);
		goto failed;
	}
	return true;
failed:
	lane_close(lane);
	return false;
}

void lane_close(struct lane *lane)
{
	ring_unmap(&lane->ring);
	taps_close_all(&lane->taps);
	if (lane->timeline_fd >= 0)
		sys_close(lane->timeline_fd);
	bundle_close(&lane->bundle);
	free(lane->slots);
	free(lane->baselines);
	free(lane->mark.readings);
	*lane = (struct lane){.cpu = lane->cpu, .timeline_fd = -1};
}

int lane_tap(struct lane *lane, enum tap_slot slot, const struct tap_event *event,
	     const struct attr_features *features)
{
	return taps_open(&lane->taps, slot, event, lane->cpu, clock_of(lane)->leader_fd, features);
}

double lane_fill(const struct lane *lane)
{
	return (double)ring_fill_bytes(&lane->ring) / (double)lane->ring.data_bytes;
}

bool lane_is_silent(const struct lane *lane)
{
	return lane->running_tid == RECORD_TASK_UNKNOWN && ring_fill_bytes(&lane->ring) == 0;
}

bool lane_may_lose(const struct lane *lane)
{
	return ring_room_bytes(&lane->ring) < ROOM_MIN;
}

static int redirect_next(struct lane *lane)
{
	const int owner = clock_of(lane)->leader_fd;
	int result = 0;

	for (size_t i = 0; i < lane->bundle.next_count && result >= 0; i++)
		if (lane->bundle.next[i].leader_fd >= 0)
			result = timeline_redirect(lane->bundle.next[i].leader_fd, owner);
	return result;
}

bool lane_prepare(struct lane *lane, const struct lane_change *change, struct error *error)
{
	const struct bundle_request bundle = bundle_request_of(lane, change);
	const struct lane_request request = {.cpu = lane->cpu, .host = change->host};
	int result = 0;

	if (!bundle_prepare(&lane->bundle, &bundle, &result))
		return fail(&request, EXPLAIN_OPEN, "counters", result, error);
	result = redirect_next(lane);
	if (result >= 0)
		return true;
	bundle_abandon(&lane->bundle, &bundle);
	return fail(&request, EXPLAIN_IOCTL, "rings", -result, error);
}

void lane_abandon(struct lane *lane, const struct lane_change *change)
{
	const struct bundle_request request = bundle_request_of(lane, change);

	bundle_abandon(&lane->bundle, &request);
}

/*
 * What a group has counted since the interval's end, before it is closed or loses members, is
 * nobody's any more: its next reading is a new beginning.
 */
void lane_commit(struct lane *lane, const struct lane_change *change)
{
	const struct bundle_request request = bundle_request_of(lane, change);
	const size_t before = lane->bundle.count;

	bundle_commit(&lane->bundle, &request);
	follow_bundle(lane, change, before);
	for (size_t i = 0; i < lane->bundle.count; i++) {
		const enum plan_step step = bundle_step(&request, i);

		if (step == PLAN_CLOSE || step == PLAN_OPEN)
			lane->slots[i].is_on = false;
		if (step == PLAN_SHRINK && lane->slots[i].is_on)
			lane_begin_anew(lane, i, change->features);
	}
	lane_resume(lane, change->features);
}
