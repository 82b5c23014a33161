/*
 * A round merges the rings by time: a mapping must be known before the samples in it, which may be
 * another CPU's.
 */
#include "base/mul_div.h"
#include "base/units.h"
#include "kernel/attr.h"
#include "kernel/group.h"
#include "source/convert.h"
#include "source/samplers.h"

/*
 * At one of how many switches a sample is taken off the CPU. Primes: what alternates is met in all
 * its phases.
 */
static const uint32_t periods[] = {1, 3, 7, 17, 37, 79, 163, 331, 673, 1361};

/* Whether the ring has one more record for this round. */
static bool fetch_sample(const struct sampling *sampling, struct sampler *sampler)
{
	struct ring *ring = &sampler->ring;

	if (!ring_next(ring, &sampler->bytes, &sampler->size)) {
		sampler->lost += ring->broken > sampler->broken;
		sampler->broken = ring->broken;
		return false;
	}
	sampler->time_ns = decode_peek_time(sampler->bytes, sampler->size, &sampling->offsets);
	if (sampler->time_ns <= sampling->until_ns || !sampling->features->clockid)
		return true;
	ring_keep_last(ring);
	return false;
}

void sampling_begin(struct sampling *sampling, uint64_t until_ns, bool ends_interval)
{
	sampling->until_ns = until_ns;
	sampling->is_closing = ends_interval;
	sampling->may_be_throttled = false;
	sampling->top_was_used = false;
	sampling->next_branch = sampling->branch_count = 0;
	heap_clear(&sampling->heap);
	for (size_t i = 0; i < sampling->count; i++) {
		struct sampler *sampler = sampling->samplers[i];

		if (sampler->fd < 0)
			continue;
		ring_begin(&sampler->ring);
		if (fetch_sample(sampling, sampler))
			heap_add(&sampling->heap, sampler, sampler->time_ns);
	}
}

/* No more than PROFILER_HZ samples a second: looked at each second, or when there were as many
 * switches before. True: the period has changed. */
static bool limit_rate(struct sampler *sampler, uint64_t now_ns)
{
	const uint64_t passed_ns = now_ns - sampler->since_ns;
	size_t i = 0;

	if (passed_ns == 0 ||
	    (sampler->since_ns > 0 && passed_ns < NS_PER_S && sampler->switches < PROFILER_HZ))
		return false;
	while (sampler->since_ns > 0 && i + 1 < sizeof(periods) / sizeof(*periods) &&
	       mul_div(sampler->switches, NS_PER_S, passed_ns) > (uint64_t)PROFILER_HZ * periods[i])
		i++;
	sampler->since_ns = now_ns;
	sampler->switches = 0;
	if (periods[i] == sampler->period || profiler_set_period(sampler->fd, periods[i]) != 0)
		return false;
	sampler->period = periods[i];
	return true;
}

void sampling_end(struct sampling *sampling)
{
	for (size_t i = 0; i < sampling->count; i++) {
		struct sampler *sampler = sampling->samplers[i];
		const enum sampling_kind kind = sampler->target.kind;

		if (sampler->fd < 0)
			continue;
		if (kind != SAMPLING_ON_CPU && limit_rate(sampler, sampling->until_ns))
			sampling_report_kind(sampling, kind, 0);
		ring_end(&sampler->ring);
	}
	if (sample_time_take(&sampling->timing, sampling->each_ns) || sampling->may_be_throttled)
		sampling_lower_hz(sampling);
	heap_clear(&sampling->heap);
	sampling->top_was_used = false;
}

/* Of the group alone: the event's own value is behind those of the members. */
static bool take_sample_reading(struct sampling *sampling, const struct sampler *sampler)
{
	const struct decoded_read *read = &sampling->decoded.sample.read;

	if (!sampler->is_grouped || read->count != 2 + sampler->group_members ||
	    read->ids[0] != sampler->group_id)
		return false;
	sampling->reading = (struct record_reading){
		.group = sampler->target.group_index,
		.sequence = read->values[0],
		.enabled_ns = read->enabled_ns,
		.running_ns = read->running_ns,
		.values = &read->values[1],
	};
	return true;
}

/* Of the event, those that the sample represents. */
static uint64_t occurrences_of(const struct sampling *sampling, const struct sampler *sampler)
{
	const struct decoded *decoded = &sampling->decoded;

	return (decoded->id.has & DECODED_HAS_PERIOD) != 0
		       ? decoded->sample.period
		       : attr_sample_period(sampling_spec(sampling, &sampler->target));
}

/* Samples by the clock report the period it was opened with, whatever it is now. */
static void set_time(const struct sampling *sampling, struct record_sample *sample)
{
	sample->ns = NS_PER_S / sampling->hz;
	sample->weight = sampling->is_hardware ? sampling->decoded.sample.period : sample->ns;
}

static void set_sample_record(struct sampling *sampling, struct sampler *sampler,
			      struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;

	convert_sample(decoded, sampling->frames, record);
	if (sampling->is_by_event)
		record->sample.weight = occurrences_of(sampling, sampler);
	else
		set_time(sampling, &record->sample);
	record->sample.is_of_task = sampler->target.cpu < 0;
	if (convert_stack(decoded, sampling->formats[SAMPLING_ON_CPU].user_regs, &sampling->stack))
		record->sample.stack = &sampling->stack;
	if (take_sample_reading(sampling, sampler))
		record->sample.reading = &sampling->reading;
	sampling->next_branch = 0;
	sampling->branch_count = sampling->branch_type != 0 ? decoded->sample.branch_count : 0;
	record->sample.lost = sampler->lost;
	sampler->lost = 0;
}

/* False: it is of what accesses no memory. */
static bool set_access_record(struct sampling *sampling, struct sampler *sampler,
			      struct record *record)
{
	if (!convert_access(&sampling->decoded, sampling->frames, record))
		return false;
	record->sample.lost = sampler->lost;
	sampler->lost = 0;
	return true;
}

static void set_lost(struct sampler *sampler, struct record *record)
{
	record->kind = RECORD_SAMPLE;
	record->pid = record->tid = RECORD_TASK_UNKNOWN;
	record->sample = (struct record_sample){.lost = sampler->lost};
	sampler->lost = 0;
}

/* Where its beginning was lost, how long it was is not known. */
static void set_throttled(struct sampler *sampler, struct record *record)
{
	record->kind = RECORD_THROTTLED;
	record->throttled_ns = 0;
	if (sampler->throttled_ns > 0 && sampler->throttled_ns < record->time_ns)
		record->throttled_ns = record->time_ns - sampler->throttled_ns;
	sampler->throttled_ns = 0;
}

static bool convert_on_cpu(struct sampling *sampling, struct sampler *sampler,
			   struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;

	switch (decoded->type) {
	case DECODED_SAMPLE:
		if (sampling->are_accesses)
			return set_access_record(sampling, sampler, record);
		set_sample_record(sampling, sampler, record);
		return true;
	case DECODED_EXIT:
		absences_exit(&sampling->absences, decoded->fork.tid);
		return convert_mapping(decoded, record);
	case DECODED_THROTTLE:
		sampling->may_be_throttled = true;
		sampler->throttled_ns = record->time_ns;
		return false;
	case DECODED_UNTHROTTLE:
		set_throttled(sampler, record);
		return true;
	default: /* births and names are reported elsewhere as such */
		return convert_mapping(decoded, record);
	}
}

/* By what it costs. Wake-ups have a stack as interrupts have. */
static enum sample_time_of time_of(const struct sampling *sampling, uint32_t type,
				   enum sampling_kind kind)
{
	if (kind == SAMPLING_OFF_CPU)
		return type == DECODED_SAMPLE ? SAMPLE_TIME_OFF_CPU : SAMPLE_TIME_RECORD;
	if (type != DECODED_SAMPLE || (kind == SAMPLING_ON_CPU && sampling->is_by_event))
		return SAMPLE_TIME_NONE;
	return sampling->is_hardware ? SAMPLE_TIME_CYCLES : SAMPLE_TIME_CLOCK;
}

/* False: the record is none that is delivered. */
static bool convert_sample_record(struct sampling *sampling, struct sampler *sampler,
				  struct record *record)
{
	struct decoded *decoded = &sampling->decoded;
	const enum sampling_kind kind = sampler->target.kind;
	const struct decode_format *format =
		&sampling->formats[sampler->is_grouped ? SAMPLING_KINDS : kind];

	if (decode_record(decoded, sampler->bytes, sampler->size, format) != DECODE_OK) {
		sampler->lost++;
		return false;
	}
	const bool is_loss = decoded->type == DECODED_LOST || decoded->type == DECODED_LOST_SAMPLES;

	*record = (struct record){
		.cpu = (int32_t)decoded->id.cpu,
		.pid = decoded->id.pid,
		.tid = decoded->id.tid,
		.time_ns = decoded->id.time_ns,
	};
	sampling->counts[time_of(sampling, decoded->type, kind)]++;
	sampler->lost += is_loss ? (uint32_t)decoded->lost.lost : 0;
	if (is_loss || (kind == SAMPLING_OFF_CPU && sampler->lost > 0)) {
		if (kind != SAMPLING_WAKERS) /* any task may have been on a CPU since, or ended */
			absences_forget(&sampling->absences);
		set_lost(sampler, record);
		return true;
	}
	if (kind == SAMPLING_OFF_CPU)
		return sampling_off_cpu_convert(sampling, sampler, record);
	return kind == SAMPLING_WAKERS ? sampling_waker_convert(sampling, sampler, record)
				       : convert_on_cpu(sampling, sampler, record);
}

static void advance_sampling(struct sampling *sampling)
{
	struct sampler *sampler = heap_top(&sampling->heap);

	if (fetch_sample(sampling, sampler))
		heap_advance(&sampling->heap, sampler->time_ns);
	else
		heap_remove_top(&sampling->heap);
}

/* Behind all records: of what is still off the CPU when the interval ends. */
static bool next_part(struct sampling *sampling, struct record *record)
{
	if (sampling->is_closing) {
		absences_close(&sampling->absences);
		sampling_time(sampling); /* what switches cost has been measured by now */
	}
	sampling->is_closing = false;
	return absences_next_part(&sampling->absences, sampling->until_ns, record);
}

/* Of the sample that was delivered last, while its record is there. */
static bool next_sampled_branch(struct sampling *sampling, struct record *record)
{
	const struct decoded *decoded = &sampling->decoded;
	const size_t at = (size_t)sampling->next_branch * DECODED_BRANCH_BYTES;
	const char *branch;

	if (sampling->next_branch == sampling->branch_count)
		return false;
	branch = (const char *)decoded->sample.branches.bytes + at;
	*record = (struct record){
		.cpu = (int32_t)decoded->id.cpu,
		.pid = decoded->id.pid,
		.tid = decoded->id.tid,
		.time_ns = decoded->id.time_ns,
	};
	sampling->branch_ends[0] = decode_word_at(branch, sizeof(uint64_t));
	sampling->branch_ends[1] = decode_word_at(branch, 0);
	convert_branch(sampling->branch_ends, decode_word_at(branch, 2 * sizeof(uint64_t)), record);
	sampling->next_branch++;
	return true;
}

bool sampling_next(struct sampling *sampling, struct record *record)
{
	if (next_sampled_branch(sampling, record))
		return true;
	if (absences_take_rest(&sampling->absences, record))
		return true;
	for (;;) {
		if (sampling->top_was_used)
			advance_sampling(sampling);
		sampling->top_was_used = sampling->heap.count > 0;
		if (!sampling->top_was_used)
			return next_part(sampling, record);
		if (convert_sample_record(sampling, heap_top(&sampling->heap), record))
			return true;
	}
}
