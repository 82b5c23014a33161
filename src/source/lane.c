/*
 * The ring is owned by the leader of group 0; the other leaders and the time line are
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
	READ_TRIES = 4
};

static struct plan_target target_of(int cpu)
{
	return (struct plan_target){.leader = GROUP_LEADER_SWITCHES, .pid = -1, .cpu = cpu};
}

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

/* The ring is tried at the size asked for and halved until the kernel grants it. */
static bool map_ring(struct lane *lane, const struct lane_request *request, size_t *ring_bytes,
		     struct error *error)
{
	int errno_value = 0;

	for (size_t bytes = request->ring_bytes; bytes >= LANE_RING_MIN; bytes /= 2) {
		if (ring_map(&lane->ring, lane->groups[0].leader_fd, bytes,
			     request->host->page_bytes, &errno_value)) {
			*ring_bytes = bytes;
			return true;
		}
	}
	return fail(request, EXPLAIN_MAP, "rings", errno_value, error);
}

static bool open_groups(struct lane *lane, const struct lane_request *request, struct error *error)
{
	const struct plan_target target = target_of(request->cpu);
	uint32_t wakeup = (uint32_t)(request->ring_bytes / 4);

	for (size_t i = 0; i < lane->group_count; i++) {
		int errno_value = 0;

		if (!plan_open_group(request->plan, i, &target, request->features, wakeup,
				     &lane->groups[i], &errno_value))
			return fail(request, EXPLAIN_OPEN, "counters", errno_value, error);
	}
	return true;
}

static bool redirect(const struct lane *lane, const struct lane_request *request,
		     struct error *error)
{
	int owner = lane->groups[0].leader_fd;
	int result = timeline_redirect(lane->timeline_fd, owner);

	for (size_t i = 1; i < lane->group_count && result >= 0; i++)
		result = timeline_redirect(lane->groups[i].leader_fd, owner);
	return result >= 0 || fail(request, EXPLAIN_IOCTL, "rings", -result, error);
}

bool lane_open(struct lane *lane, const struct lane_request *request, size_t *ring_bytes,
	       struct error *error)
{
	*lane = (struct lane){.cpu = request->cpu, .timeline_fd = -1};
	lane->group_count = request->plan->layout.group_count;
	lane->groups = xcalloc(lane->group_count, sizeof(*lane->groups));
	for (size_t i = 0; i < lane->group_count; i++)
		lane->groups[i].leader_fd = -1;
	if (!open_groups(lane, request, error) || !map_ring(lane, request, ring_bytes, error))
		goto failed;
	lane->timeline_fd =
		timeline_open(-1, request->cpu, request->features, false,
			      (uint32_t)(*ring_bytes / 4), TIMELINE_SWITCHES | TIMELINE_TASKS);
	if (lane->timeline_fd < 0) {
		fail(request, EXPLAIN_OPEN, "the time line", -lane->timeline_fd, error);
		goto failed;
	}
	if (!redirect(lane, request, error))
		goto failed;
	return true;
failed:
	lane_close(lane);
	return false;
}

void lane_close(struct lane *lane)
{
	ring_unmap(&lane->ring);
	if (lane->timeline_fd >= 0)
		sys_close(lane->timeline_fd);
	for (size_t i = lane->group_count; i-- > 0;)
		group_close(&lane->groups[i]);
	free(lane->groups);
	*lane = (struct lane){.cpu = lane->cpu, .timeline_fd = -1};
}

/* Switches a group on and keeps its first reading, from which it is counted. */
static bool switch_on(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_reading *baseline = &lane->baseline;

	if (!group_enable(&lane->groups[group]))
		return false;
	*baseline = (struct lane_reading){.group = group, .restarts = true};
	lane->has_baseline = group_read(&lane->groups[group], features, &baseline->values);
	return lane->has_baseline;
}

bool lane_enable(struct lane *lane, const struct attr_features *features)
{
	lane->active = lane->group_count > 1 ? 1 : 0;
	return group_enable(&lane->groups[0]) &&
	       (lane->active == 0 || switch_on(lane, 1, features));
}

static bool read_group(const struct lane *lane, size_t group, const struct attr_features *features,
		       struct lane_reading *reading)
{
	*reading = (struct lane_reading){.group = group};
	return group_read(&lane->groups[group], features, &reading->values);
}

static bool take_reading(struct lane *lane, size_t group, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;

	if (!read_group(lane, group, features, &mark->readings[mark->count]))
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

	*mark = (struct lane_mark){.is_waiting = true, .ends_interval = true};
	if (take_reading(lane, 0, features))
		enabled_ns = mark->readings[0].values.enabled_ns;
	if (lane->active != 0)
		take_reading(lane, lane->active, features);
	note_lost(lane);
	lane->is_dead = enabled_ns <= lane->last_enabled_ns;
	lane->last_enabled_ns = enabled_ns;
}

/*
 * The last reading of a group that is switched off: no later sample of its own will show its place,
 * so it takes that of a reading of group 0. Nobody may have switched between the two: group 0 is
 * read before and after. False: it has no place.
 */
static bool take_last_reading(struct lane *lane, const struct attr_features *features)
{
	struct lane_mark *mark = &lane->mark;

	*mark = (struct lane_mark){.is_waiting = true, .is_tied = true};
	return take_reading(lane, 0, features) && take_reading(lane, lane->active, features) &&
	       take_reading(lane, 0, features) &&
	       mark->readings[0].values.values[0] == mark->readings[2].values.values[0];
}

void lane_rotate(struct lane *lane, const struct attr_features *features)
{
	bool has_place = false;

	for (int i = 0; i < READ_TRIES && !has_place; i++)
		has_place = take_last_reading(lane, features);
	if (!has_place)
		lane->mark = (struct lane_mark){0};
	group_disable(&lane->groups[lane->active]);
	lane->active = lane->active + 1 < lane->group_count ? lane->active + 1 : 1;
	switch_on(lane, lane->active, features);
}

void lane_begin(struct lane *lane)
{
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
 * Linux 6.18). What nobody is known by is the ring owner's.
 */
static size_t group_of(const struct lane *lane, const struct decoded_read *read)
{
	for (size_t i = 1; i < lane->group_count; i++) {
		if (read->count > 0 && lane->groups[i].ids[0] == read->ids[0])
			return i;
	}
	return 0;
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

	if (decoded->type != DECODED_SAMPLE || decoded->sample.read.count == 0)
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

static bool fetch(struct lane *lane, const struct decode_format *format)
{
	const void *bytes;
	size_t size;

	while (!lane->has_record && ring_next(&lane->ring, &bytes, &size))
		lane->has_record = decode_record(&lane->decoded, bytes, size, format) == DECODE_OK;
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
	if (lane->has_baseline)
		return true;
	fetch(lane, format);
	if (!mark->is_waiting)
		return lane->has_record;
	mark->due = lane->has_record ? find_due(lane) : first_waiting(mark);
	if (lane->has_record || mark->due != NULL)
		return true;
	finish_mark(lane); /* nothing could be read */
	return false;
}

uint64_t lane_next_time(const struct lane *lane)
{
	if (lane->has_baseline || lane->mark.due != NULL)
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

	if (read->count != lane->groups[group].count + 1)
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
	if (decoded->type == DECODED_SAMPLE)
		return set_sample(lane, record);
	if (!convert_record(decoded, lane->name, sizeof(lane->name), record))
		return false;
	if (record->kind == RECORD_LOST)
		take_off_told(lane, record);
	return true;
}

bool lane_next(struct lane *lane, struct record *record)
{
	if (lane->has_baseline) {
		lane->has_baseline = false;
		set_reading(lane, &lane->baseline, record);
		return true;
	}
	if (lane->mark.due == NULL)
		return next_of_ring(lane, record);
	next_of_mark(lane, record);
	return true;
}
