/*
 * What a lane tells, in order: first readings of groups that were switched on, then the records of
 * the ring, with the readings of the mark where their places are.
 */
#include "kernel/decode_places.h"
#include "source/convert.h"
#include "source/cpus/lane.h"
#include "source/cpus/lane_parts.h"

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
	for (size_t i = 0; i < lane->bundle.count && read->count > 0; i++)
		if (bundle_is_open(&lane->bundle, i) &&
		    lane->bundle.groups[i].ids[0] == read->ids[0])
			return i;
	return LANE_NOBODY;
}

/* The first reading of the mark that was not delivered; NULL: all were. */
static struct lane_reading *first_waiting(struct lane_mark *mark)
{
	for (size_t i = 0; i < mark->count; i++)
		if (!mark->readings[i].is_delivered)
			return &mark->readings[i];
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
	enum decode_result result = DECODE_BROKEN;

	lane->tapped = TAP_SLOTS;
	if (lane->taps.count > 0)
		lane->tapped = taps_find(&lane->taps, decode_peek_id(bytes, size, format));
	if (lane->tapped == TAP_SLOTS)
		result = decode_record(&lane->decoded, bytes, size, format);
	if (result != DECODE_BROKEN)
		return result == DECODE_OK;

	const struct decode_format tapped = attr_sampler_format();

	/* What a tap left behind that is closed by now is nothing that is missed. */
	result = decode_record(&lane->decoded, bytes, size, &tapped);
	if (result == DECODE_BROKEN)
		lane->unreadable++;
	return result == DECODE_OK && lane->tapped != TAP_SLOTS;
}

/*
 * The time of the switch of which the fetched sample is a part: that of the SWITCH_OUT behind it,
 * with no more between than a sample of each other group that is on. False: it was not written
 * yet, or never will be, as of tasks that are hidden from us.
 */
static bool find_switch_time(const struct lane *lane, const struct decode_format *format,
			     uint64_t *time_ns)
{
	const size_t from_end = decode_time_from_end(format);
	uint64_t position = lane->ring.position;
	uint64_t header;
	size_t samples = 0, on = 0;

	for (size_t i = 0; i < lane->bundle.count; i++)
		on += lane->slots[i].is_on;
	while (from_end > 0 && ring_peek(&lane->ring, &position, &header)) {
		const struct decode_plain_head head = decode_plain_head(&header);

		if (head.type == DECODED_SAMPLE && ++samples < on)
			continue;
		if (head.type != DECODED_SWITCH_CPU_WIDE || !head.out)
			return false;
		*time_ns = ring_word_at(&lane->ring, position - from_end);
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
static void set_sample_time(struct lane *lane, const struct decode_format *format)
{
	const struct decoded_read *read = &lane->decoded.sample.read;
	const size_t group = group_of(lane, read);
	struct lane_slot *slot;
	uint64_t time_ns;

	if (group == LANE_NOBODY)
		return;
	slot = &lane->slots[group];
	if (find_switch_time(lane, format, &time_ns)) {
		slot->offset_ns = time_ns - read->enabled_ns;
		slot->has_offset = true;
	} else if (slot->has_offset) {
		time_ns = read->enabled_ns + slot->offset_ns;
	} else {
		time_ns = lane->decoded.id.time_ns;
	}
	lane->decoded.id.time_ns = time_ns;
}

static bool fetch(struct lane *lane, const struct decode_format *format)
{
	const void *bytes;
	size_t size;

	if (lane->has_record)
		return true;
	while (!lane->has_record && ring_next(&lane->ring, &bytes, &size))
		lane->has_record = decode(lane, bytes, size, format);
	if (lane->has_record && lane->decoded.type == DECODED_SAMPLE && lane->tapped == TAP_SLOTS &&
	    lane->decoded.sample.read.count > 0)
		set_sample_time(lane, format);
	return lane->has_record;
}

static void finish_mark(struct lane *lane)
{
	lane->mark.is_waiting = false;
	lane->is_stopped = lane->mark.ends_interval;
	if (lane->is_stopped)
		lane->lost_heard = 0;
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
	if (lane->has_record || mark->due)
		return true;
	finish_mark(lane); /* nothing could be read */
	return false;
}

uint64_t lane_next_time(const struct lane *lane)
{
	if (lane->baseline_next < lane->baseline_count || lane->mark.due)
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

/* Records, and rests of a ring, that made no sense since the last tick. */
static uint64_t unreadable(const struct lane *lane)
{
	return lane->unreadable + lane->ring.broken - lane->unreadable_told;
}

/*
 * Of what was lost in the interval LOST records may have reported a part: these count all records,
 * which are at least as many as the samples among them.
 */
/*
 * Where in the stream they are missing is not known, and which task runs now may be known from
 * records behind the loss: only a gap in the numbers of the readings says that it is not.
 */
static void tell_lost(struct lane *lane, struct record *record)
{
	record->kind = RECORD_LOST;
	record->cpu = RECORD_CPU_NONE;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->time_ns = lane->last_time_ns;
	record->lost = lane->lost_now > lane->lost_heard ? lane->lost_now - lane->lost_heard : 0;
	lane->lost_ahead += record->lost;
	record->lost += unreadable(lane);
	lane->unreadable_told += unreadable(lane);
	lane->lost_now = 0;
}

/* What was told already is not counted twice. */
static void take_off_told(struct lane *lane, struct record *record)
{
	uint64_t told = record->lost < lane->lost_ahead ? record->lost : lane->lost_ahead;

	record->lost -= told;
	lane->lost_ahead -= told;
	lane->lost_heard += record->lost;
}

/* The reading whose place is reached; behind the last one the mark is done with. */
static void next_of_mark(struct lane *lane, struct record *record)
{
	struct lane_mark *mark = &lane->mark;
	struct lane_reading *reading = mark->due;

	if (lane->lost_now > 0 || unreadable(lane) > 0) {
		tell_lost(lane, record);
		return;
	}
	set_reading(lane, reading, record);
	reading->is_delivered = true;
	mark->due = NULL;
	if (!first_waiting(mark))
		finish_mark(lane);
}

/*
 * Who leaves at a sample of the group. Of software events that fire together the kernel makes pid
 * and tid once, as they are in the namespace of the first one's owner (Linux 6.18): somebody's perf
 * in a container makes all samples look like tasks of there, or of nobody. Switch records are made
 * for each who asks; only where they are not told, as of tasks that are hidden from us, the sample
 * is believed. A second sample of one group means that a switch was not told.
 */
static void set_leaver(struct lane *lane, size_t group, struct record *record)
{
	const uint64_t bit = UINT64_C(1) << (group % 64);

	if (lane->running_tid == RECORD_TASK_UNKNOWN || (lane->left_groups & bit) != 0)
		return;
	lane->left_groups |= bit;
	record->pid = lane->running_pid;
	record->tid = lane->running_tid;
}

static void note_running(struct lane *lane, const struct record *record)
{
	switch ((int)record->kind) {
	case RECORD_SWITCH_IN:
		lane->running_pid = record->pid;
		lane->running_tid = record->tid;
		lane->left_groups = 0;
		return;
	case RECORD_COMM: /* a thread that calls exec gets the number of its process */
		if (record->comm.exec && record->pid == lane->running_pid)
			lane->running_tid = record->tid;
		return;
	case RECORD_SWITCH_OUT:
	case RECORD_LOST:
		lane->running_pid = lane->running_tid = RECORD_TASK_UNKNOWN;
		return;
	default:
		return;
	}
}

static bool set_sample(struct lane *lane, struct record *record)
{
	const struct decoded_read *read = &lane->decoded.sample.read;
	size_t group = group_of(lane, read);

	if (group == LANE_NOBODY || read->count != lane->bundle.groups[group].count + 1)
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
	set_leaver(lane, group, record);
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
	note_running(lane, record);
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
	if (!lane->mark.due)
		return next_of_ring(lane, record);
	next_of_mark(lane, record);
	return true;
}
