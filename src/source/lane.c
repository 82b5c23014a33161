/*
 * The ring is owned by the leader of the clock group; the other leaders and the time line are
 * redirected into it, so that one CPU's records stand in the order in which they happened:
 * at a switch the readings, then OUT, then IN.
 */
#include "source/lane.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "kernel/explain.h"
#include "kernel/host.h"
#include "kernel/sys.h"
#include "source/convert.h"

enum {
	READ_TRIES = 4,
	ROOM_MIN = 4096 /* bytes; more than a record takes */
};

static const size_t NOBODY = SIZE_MAX; /* no group */

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

	for (size_t i = 0; i < lane->bundle.count && result >= 0; i++) {
		if (i != lane->clock && bundle_is_open(&lane->bundle, i))
			result = timeline_redirect(lane->bundle.groups[i].leader_fd, owner);
	}
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

	*lane = (struct lane){
		.cpu = request->cpu, .kind = request->kind, .timeline_fd = -1, .tapped = TAP_SLOTS};
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

bool lane_may_lose(const struct lane *lane)
{
	return ring_room_bytes(&lane->ring) < ROOM_MIN;
}

/* Keeps the present reading of a group: from it on it is counted. */
static void begin_anew(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_reading *baseline;

	array_reserve(&lane->baselines, &lane->baseline_capacity, lane->baseline_count + 1,
		      sizeof(*lane->baselines));
	baseline = &lane->baselines[lane->baseline_count];
	*baseline = (struct lane_reading){.group = group, .restarts = true};
	if (group_read(&lane->bundle.groups[group], features, &baseline->values))
		lane->baseline_count++;
}

/* The clock is counted from the first mark on. */
static void switch_on(struct lane *lane, size_t group, const struct attr_features *features)
{
	lane->slots[group].is_on = group_enable(&lane->bundle.groups[group]);
	if (lane->slots[group].is_on && group != lane->clock)
		begin_anew(lane, group, features);
}

static void switch_off(struct lane *lane, size_t group)
{
	group_disable(&lane->bundle.groups[group]);
	lane->slots[group].is_on = false;
}

/* The group of the turn that is on; NOBODY: none is. */
static size_t active_of(const struct lane *lane, uint16_t turn)
{
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (lane->slots[i].is_on && lane->slots[i].turn == turn)
			return i;
	}
	return NOBODY;
}

/* Everything is on that ought to be. */
static void switch_on_all(struct lane *lane, const struct attr_features *features)
{
	for (size_t i = 0; i < lane->bundle.count; i++) {
		const struct lane_slot *slot = &lane->slots[i];

		if (!bundle_is_open(&lane->bundle, i) || slot->is_on ||
		    (slot->turn != 0 && active_of(lane, slot->turn) != NOBODY))
			continue;
		switch_on(lane, i, features);
	}
}

bool lane_enable(struct lane *lane, const struct attr_features *features)
{
	lane->is_enabled = true;
	switch_on_all(lane, features);
	return lane->slots[lane->clock].is_on;
}

void lane_pause(struct lane *lane)
{
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (lane->slots[i].is_on && lane->slots[i].turn != 0)
			switch_off(lane, i);
	}
}

void lane_resume(struct lane *lane, const struct attr_features *features)
{
	if (lane->is_enabled)
		switch_on_all(lane, features);
}

static int redirect_next(struct lane *lane)
{
	const int owner = clock_of(lane)->leader_fd;
	int result = 0;

	for (size_t i = 0; i < lane->bundle.next_count && result >= 0; i++) {
		if (lane->bundle.next[i].leader_fd >= 0)
			result = timeline_redirect(lane->bundle.next[i].leader_fd, owner);
	}
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
			begin_anew(lane, i, change->features);
	}
	lane_resume(lane, change->features);
}

/* An empty mark; the room for its readings stays. */
static void begin_mark(struct lane_mark *mark)
{
	*mark = (struct lane_mark){.readings = mark->readings, .capacity = mark->capacity};
}

static bool take_reading(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;
	struct lane_reading *reading;

	array_reserve(&mark->readings, &mark->capacity, mark->count + 1, sizeof(*mark->readings));
	reading = &mark->readings[mark->count];
	*reading = (struct lane_reading){.group = group};
	if (!group_read(&lane->bundle.groups[group], features, &reading->values))
		return false;
	mark->count++;
	return true;
}

/*
 * The kernel writes LOST with the next record that finds room, which can be an interval later;
 * the leader's own count of lost samples (Linux 6.0) is there at once.
 */
static void note_lost(struct lane *lane)
{
	uint64_t lost = lane->mark.count > 0 ? lane->mark.readings[0].values.leader_lost : 0;

	if (lost <= lane->lost_samples)
		return;
	lane->lost_now += lost - lane->lost_samples;
	lane->lost_samples = lost;
}

void lane_mark(struct lane *lane, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;
	uint64_t enabled_ns = 0;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->ends_interval = true;
	if (take_reading(lane, lane->clock, features))
		enabled_ns = mark->readings[0].values.enabled_ns;
	note_lost(lane);
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (i != lane->clock && lane->slots[i].is_on)
			take_reading(lane, i, features);
	}
	lane->is_dead = enabled_ns <= lane->last_enabled_ns;
	lane->last_enabled_ns = enabled_ns;
}

/* The group that follows in the turn of one that is on; the same one when there is no other. */
static size_t next_in_turn(const struct lane *lane, size_t group)
{
	for (size_t i = 1; i < lane->bundle.count; i++) {
		const size_t next = (group + i) % lane->bundle.count;

		if (bundle_is_open(&lane->bundle, next) &&
		    lane->slots[next].turn == lane->slots[group].turn)
			return next;
	}
	return group;
}

static bool ends_turn(const struct lane *lane, size_t group)
{
	return lane->slots[group].is_on && lane->slots[group].turn != 0 &&
	       next_in_turn(lane, group) != group;
}

/*
 * The last reading of groups that are switched off: no later sample of their own will show its
 * place, so it takes that of a reading of the clock group. Nobody may have switched between them:
 * the clock group is read before and after. False: they have no place.
 */
static bool take_last_readings(struct lane *lane, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;

	begin_mark(mark);
	mark->is_waiting = true;
	mark->is_tied = true;
	if (!take_reading(lane, lane->clock, features))
		return false;
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (ends_turn(lane, i) && !take_reading(lane, i, features))
			return false;
	}
	return take_reading(lane, lane->clock, features) &&
	       mark->readings[0].values.values[0] ==
		       mark->readings[mark->count - 1].values.values[0];
}

static bool has_turns(const struct lane *lane)
{
	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (ends_turn(lane, i))
			return true;
	}
	return false;
}

static void switch_over(struct lane *lane, const struct attr_features *features)
{
	size_t *ending = xcalloc(lane->bundle.count, sizeof(*ending));
	size_t count = 0;

	for (size_t i = 0; i < lane->bundle.count; i++) {
		if (ends_turn(lane, i))
			ending[count++] = i;
	}
	for (size_t i = 0; i < count; i++) {
		switch_off(lane, ending[i]);
		switch_on(lane, next_in_turn(lane, ending[i]), features);
	}
	free(ending);
}

void lane_rotate(struct lane *lane, const struct attr_features *features)
{
	bool has_place = false;

	if (!has_turns(lane))
		return;
	for (int i = 0; i < READ_TRIES && !has_place; i++)
		has_place = take_last_readings(lane, features);
	if (!has_place)
		begin_mark(&lane->mark);
	switch_over(lane, features);
}

void lane_begin(struct lane *lane, uint64_t until_ns)
{
	lane->until_ns = until_ns;
	lane->is_stopped = false;
	lane->has_record = false;
	ring_begin(&lane->ring);
}

void lane_end(struct lane *lane)
{
	if (lane->has_record)
		ring_keep_last(&lane->ring);
	lane->has_record = false;
	ring_end(&lane->ring);
}

/*
 * The group a sample is of: its reading begins with the leader's id. The sample's own id
 * does not tell: software events that fire together all carry that of the first one (seen on
 * Linux 6.18). What a group left behind that is closed by now is nobody's.
 */
static size_t group_of(const struct lane *lane, const struct decoded_read *read)
{
	for (size_t i = 0; i < lane->bundle.count && read->count > 0; i++) {
		if (bundle_is_open(&lane->bundle, i) &&
		    lane->bundle.groups[i].ids[0] == read->ids[0])
			return i;
	}
	return NOBODY;
}

/* The first reading of the mark that was not delivered; NULL: all were. */
static struct lane_reading *first_waiting(struct lane_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++) {
		if (!mark->readings[i].is_delivered)
			return &mark->readings[i];
	}
	return NULL;
}

/* The reading whose place is before the fetched record, which is of a later switch. */
static struct lane_reading *find_due(struct lane *lane)
{
	struct lane_mark *mark = &lane->mark;
	const struct decoded *decoded = &lane->decoded;
	size_t group;

	if (decoded->type != DECODED_SAMPLE || lane->tapped != TAP_SLOTS ||
	    decoded->sample.read.count == 0)
		return NULL;
	group = group_of(lane, &decoded->sample.read);
	for (size_t i = 0; i < mark->count; i++) {
		struct lane_reading *reading = &mark->readings[i];

		if (reading->is_delivered || reading->group != group ||
		    decoded->sample.read.values[0] <= reading->values.values[0])
			continue;
		return mark->is_tied ? first_waiting(mark) : reading;
	}
	return NULL;
}

/*
 * Samples of taps carry the id of their own event, which is no other's (in contrast to those of
 * software events, see group_of()), and no reading.
 */
static bool decode(struct lane *lane, const void *bytes, size_t size,
		   const struct decode_format *format)
{
	struct decode_format tapped;

	lane->tapped = TAP_SLOTS;
	if (lane->taps.count > 0)
		lane->tapped = taps_find(&lane->taps, decode_peek_id(bytes, size, format));
	if (lane->tapped == TAP_SLOTS)
		return decode_record(&lane->decoded, bytes, size, format) == DECODE_OK;
	tapped = attr_sampler_format();
	return decode_record(&lane->decoded, bytes, size, &tapped) == DECODE_OK;
}

static bool fetch(struct lane *lane, const struct decode_format *format)
{
	const void *bytes;
	size_t size;

	while (!lane->has_record && ring_next(&lane->ring, &bytes, &size))
		lane->has_record = decode(lane, bytes, size, format);
	return lane->has_record;
}

static void finish_mark(struct lane *lane)
{
	lane->mark.is_waiting = false;
	lane->is_stopped = lane->mark.ends_interval;
}

bool lane_has_next(struct lane *lane, const struct decode_format *format)
{
	struct lane_mark *mark = &lane->mark;

	if (lane->is_stopped)
		return false;
	if (lane->baseline_next < lane->baseline_count)
		return true;
	fetch(lane, format);
	if (!mark->is_waiting)
		return lane->has_record && lane->decoded.id.time_ns <= lane->until_ns;
	mark->due = lane->has_record ? find_due(lane) : first_waiting(mark);
	if (lane->has_record || mark->due != NULL)
		return true;
	finish_mark(lane); /* nothing could be read */
	return false;
}

uint64_t lane_next_time(const struct lane *lane)
{
	if (lane->baseline_next < lane->baseline_count || lane->mark.due != NULL)
		return lane->last_time_ns;
	return lane->decoded.id.time_ns;
}

static void set_reading(struct lane *lane, const struct lane_reading *reading,
			struct record *record)
{
	record->kind = RECORD_READING;
	record->cpu = lane->cpu;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->time_ns = lane->last_time_ns;
	record->reading = (struct record_reading){
		.group = (uint16_t)reading->group,
		.restarts = reading->restarts,
		.sequence = reading->values.values[0],
		.enabled_ns = reading->values.enabled_ns,
		.running_ns = reading->values.running_ns,
		.values = &reading->values.values[1],
	};
}

static void tell_lost(struct lane *lane, struct record *record)
{
	record->kind = RECORD_LOST;
	record->cpu = lane->cpu;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->time_ns = lane->last_time_ns;
	record->lost = lane->lost_now;
	lane->lost_ahead += lane->lost_now;
	lane->lost_now = 0;
}

/* What was told already is not counted twice. */
static void take_off_told(struct lane *lane, struct record *record)
{
	uint64_t told = record->lost < lane->lost_ahead ? record->lost : lane->lost_ahead;

	record->lost -= told;
	lane->lost_ahead -= told;
}

/* The reading whose place is reached; behind the last one the mark is done with. */
static void next_of_mark(struct lane *lane, struct record *record)
{
	struct lane_mark *mark = &lane->mark;
	struct lane_reading *reading = mark->due;

	if (lane->lost_now > 0) {
		tell_lost(lane, record);
		return;
	}
	set_reading(lane, reading, record);
	reading->is_delivered = true;
	mark->due = NULL;
	if (first_waiting(mark) == NULL)
		finish_mark(lane);
}

static bool set_sample(struct lane *lane, struct record *record)
{
	const struct decoded_read *read = &lane->decoded.sample.read;
	size_t group = group_of(lane, read);

	if (group == NOBODY || read->count != lane->bundle.groups[group].count + 1)
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
	return true;
}

static bool next_of_ring(struct lane *lane, struct record *record)
{
	const struct decoded *decoded = &lane->decoded;

	lane->has_record = false;
	lane->last_time_ns = decoded->id.time_ns;
	record->cpu = lane->cpu;
	record->pid = decoded->id.pid;
	record->tid = decoded->id.tid;
	record->time_ns = decoded->id.time_ns;
	if (decoded->type == DECODED_SAMPLE && lane->tapped != TAP_SLOTS)
		return taps_tell(&lane->taps, lane->tapped, decoded, record);
	if (decoded->type == DECODED_SAMPLE)
		return set_sample(lane, record);
	if (!convert_record(decoded, lane->name, sizeof(lane->name), record))
		return false;
	if (record->kind == RECORD_LOST)
		take_off_told(lane, record);
	return true;
}

static void next_baseline(struct lane *lane, struct record *record)
{
	set_reading(lane, &lane->baselines[lane->baseline_next++], record);
	if (lane->baseline_next == lane->baseline_count)
		lane->baseline_next = lane->baseline_count = 0;
}

bool lane_next(struct lane *lane, struct record *record)
{
	if (lane->baseline_next < lane->baseline_count) {
		next_baseline(lane, record);
		return true;
	}
	if (lane->mark.due == NULL)
		return next_of_ring(lane, record);
	next_of_mark(lane, record);
	return true;
}
