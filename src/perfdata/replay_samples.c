/*
 * Where tasks were, and which code was there. What samples say of times and counts is in emit.c;
 * those of the profile become RECORD_SAMPLE as well. A mapping waits for its turn as all records
 * do, since it may take the place of another.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "kernel/attr.h"
#include "kernel/decode.h"
#include "kernel/host.h"
#include "kernel/spec.h"
#include "source/convert.h"

#include "perfdata/build_ids.h"
#include "perfdata/reader.h"
#include "perfdata/replaying.h"

static_assert(BUILD_ID_MAX == sizeof(((struct decoded_mmap *)0)->build_id), "there is room");

static bool has_places(const struct perfdata_event *event, const struct replay_event *made)
{
	return (event->format.sample_type & DECODED_HAS_IP) != 0 && !made->is_mute;
}

static enum session_sampling sampling_by(const struct perfdata_event *event)
{
	if (event->type == EVENT_TYPE_SOFTWARE &&
	    (event->config == EVENT_SW_CPU_CLOCK || event->config == EVENT_SW_TASK_CLOCK))
		return SAMPLING_CLOCK;
	return event->type == EVENT_TYPE_HARDWARE && (uint32_t)event->config == EVENT_HW_CPU_CYCLES
		       ? SAMPLING_CYCLES
		       : SAMPLING_EVENTS;
}

static enum session_chains chains_of(const struct decode_format *format)
{
	if (format->sample_type & DECODED_HAS_STACK_USER)
		return CHAINS_BY_STACKS;
	if (format->branch_sample_type & DECODED_BRANCH_CALL_STACK)
		return CHAINS_BY_LBR;
	return format->sample_type & DECODED_HAS_CALLCHAIN ? CHAINS_BY_FRAME_POINTERS
							   : CHAINS_NOT_SAMPLED;
}

/* Where cores are of several kinds, there is an event for each kind. */
static bool is_alike(const struct perfdata_event *a, const struct perfdata_event *b)
{
	return a->type == b->type &&
	       (a->type == EVENT_TYPE_HARDWARE ? (uint32_t)a->config == (uint32_t)b->config
					       : a->config == b->config);
}

static int choose_profile(const struct replay_events *events, const struct perfdata_event *all,
			  size_t from)
{
	int found = -1;

	for (size_t i = from; i < events->count; i++) {
		if (!has_places(&all[i], &events->events[i]))
			continue;
		if (sampling_by(&all[i]) != SAMPLING_EVENTS)
			return (int)i;
		found = found < 0 ? (int)i : found;
	}
	return found;
}

/* "cycles, 4000 Hz; one of 3 events" */
static void say_profile(struct replay_events *events, const struct perfdata_event *all,
			size_t could_be)
{
	const struct perfdata_event *event = &all[events->profile_event];
	char rate[48], others[48] = "";

	events->sampling = sampling_by(event);
	events->chains = chains_of(&event->format);
	events->has_addresses = (event->format.sample_type & DECODED_HAS_ADDR) != 0 &&
				attr_has_address(event->type, event->config);
	if (events->sampling == SAMPLING_EVENTS)
		snprintf(events->sampling_event, sizeof(events->sampling_event), "%s", event->name);
	snprintf(rate, sizeof(rate), event->is_frequency ? "%" PRIu64 " Hz" : "each %" PRIu64,
		 event->period);
	if (could_be > 1)
		snprintf(others, sizeof(others), "; one of %zu events", could_be);
	snprintf(events->sampling_words, sizeof(events->sampling_words), "%s, %s%s", event->name,
		 rate, others);
}

/* Of several events it is what is said of the last one. */
static void learn_waker(struct replay_events *events, const struct perfdata_event *event,
			struct replay_event *made)
{
	made->is_waker = made->role == REPLAY_ROLE_WAKING && has_places(event, made);
	if (!made->is_waker)
		return;
	events->wakers = (struct session_samples){
		.are_taken = true,
		.are_estimates = event->is_frequency || event->period > 1,
	};
	snprintf(events->wakers.words, sizeof(events->wakers.words),
		 event->is_frequency ? "%" PRIu64 " Hz"
		 : event->period > 1 ? "one of %" PRIu64 " wake-ups"
				     : "each wake-up",
		 event->period);
}

/*
 * The first event that counts time, or else the first one whose samples have addresses. Those from
 * `from` on were not looked at before: a pipe may have any number, one after the other.
 */
void replay_events_find_profile(struct replay_events *events, const struct perfdata_event *all,
				size_t from)
{
	if (events->profile_event < 0) {
		events->profile_event = choose_profile(events, all, from);
		from = 0;
	}
	if (events->profile_event < 0) {
		snprintf(events->sampling_words, sizeof(events->sampling_words),
			 "no samples: none of the recorded events says where tasks were");
		return;
	}
	if (from == 0)
		events->profile_count = 0;
	for (size_t i = from; i < events->count; i++) {
		struct replay_event *event = &events->events[i];
		const bool could_this = has_places(&all[i], event);

		learn_waker(events, &all[i], event);
		event->is_profile = could_this && is_alike(&all[i], &all[events->profile_event]);
		events->profile_count += could_this;
	}
	say_profile(events, all, events->profile_count);
}

static uint64_t weight_of(const struct replay_event *event, const struct perfdata_record *from)
{
	if (event->has_periods)
		return from->decoded->sample.period;
	return event->period > 0 ? event->period : 1;
}

/* On the CPU; 0: not known. */
static uint64_t sampled_ns(const struct replay_perf *perf, size_t event, uint64_t weight)
{
	const enum session_sampling sampling = perf->events.sampling;
	const struct perfdata_event *recorded;
	size_t count;

	if (sampling != SAMPLING_CYCLES)
		return sampling == SAMPLING_CLOCK ? weight : 0;
	recorded = &perfdata_events(perf->file, &count)[event];
	return recorded->is_frequency && recorded->period > 0 ? NS_PER_S / recorded->period : 0;
}

/* A copy of the user's stack is there to find the calls; the kernel's are in the chain. */
static struct record_stack user_stack_of(const struct replay_perf *perf,
					 const struct perfdata_record *from)
{
	struct record_stack stack = {0};
	size_t count;

	convert_stack(from->decoded,
		      perfdata_events(perf->file, &count)[from->event].format.user_regs, &stack);
	return stack;
}

/* Where the registers begin, and the stack, from the beginning of what is queued. */
static size_t registers_at(const struct record *record)
{
	return offsetof(struct queued, sample.words) + record->sample.count * sizeof(uint64_t);
}

static size_t stack_at(const struct record *record, const struct record_stack *stack)
{
	return registers_at(record) + stack->register_count * sizeof(uint64_t);
}

/* Room in the queue for the record; what is behind it is empty up to `begin`. */
static struct queued *queue_record(struct replay_perf *perf, const struct perfdata_record *from,
				   const struct record *record, size_t begin, size_t size)
{
	struct queued *queued = order_place(&perf->order, size);

	memset(queued, 0, begin);
	queued->event = (uint16_t)from->event;
	queued->record = *record;
	return queued;
}

/* A sample with these words. The stack is copied behind them. */
static void queue_sample(struct replay_perf *perf, const struct perfdata_record *from,
			 const struct record *record, const uint64_t *words,
			 const struct record_stack *stack)
{
	const size_t size = stack_at(record, stack) + stack->size;
	struct queued *queued =
		queue_record(perf, from, record, offsetof(struct queued, sample), size);

	queued->sample.stack = *stack;
	memcpy(queued->sample.words, words, record->sample.count * sizeof(*words));
	if (stack->size > 0) {
		memcpy((char *)queued + registers_at(record), stack->registers,
		       stack->register_count * sizeof(uint64_t));
		memcpy((char *)queued + stack_at(record, stack), stack->bytes, stack->size);
	}
	order_put(&perf->order, record->time_ns, size);
}

void replay_keep_sample(struct replay_perf *perf, const struct perfdata_record *from,
			struct record record, int32_t wakee_tid)
{
	const struct replay_event *event = &perf->events.events[from->event];
	uint64_t frames[SAMPLE_FRAMES_MAX];
	struct record_stack stack;

	convert_sample(from->decoded, frames, &record);
	stack = user_stack_of(perf, from);
	record.sample.weight = weight_of(event, from);
	record.sample.kind = wakee_tid > 0 ? SAMPLE_WAKER : SAMPLE_ON_CPU;
	record.sample.wakee_tid = wakee_tid;
	record.sample.ns = wakee_tid > 0 ? 0 : sampled_ns(perf, from->event, record.sample.weight);
	queue_sample(perf, from, &record, frames, &stack);
}

void replay_keep_mapping(struct replay_perf *perf, const struct perfdata_record *from,
			 struct record record)
{
	const struct decoded_mmap *mmap = &from->decoded->mmap;
	const size_t length =
		mmap->file_length < QUEUED_FILE_MAX ? mmap->file_length : QUEUED_FILE_MAX;
	const size_t size = offsetof(struct queued, mapping.file) + length;
	struct queued *queued =
		queue_record(perf, from, &record, offsetof(struct queued, mapping), size);

	queued->mapping.mmap = *mmap;
	queued->mapping.mmap.file_length = length;
	memcpy(queued->mapping.file, mmap->file, length);
	order_put(&perf->order, record.time_ns, size);
}

void replay_complete_mapping(const struct perfdata *file, struct decoded_mmap *mmap)
{
	const struct perfdata_info *info = perfdata_info(file);

	if (info->host[0] != '\0' && !host_is_called(info->host))
		mmap->inode = 0;
	if (mmap->has_build_id)
		return;
	mmap->build_id_size = (uint8_t)build_ids_find(info->build_ids, mmap->file,
						      mmap->file_length, mmap->build_id);
	mmap->has_build_id = mmap->build_id_size > 0;
}

enum {
	BRANCHES_MAX = 64,             /* of a sample; processors keep 32 at most */
	BRANCH_WORDS = BRANCH_ENDS + 1 /* and its flags */
};

/* The frames of the one that is kept: of each branch its words, the reasons of an abort behind. */
void replay_keep_branches(struct replay_perf *perf, const struct perfdata_record *from,
			  struct record record)
{
	const struct decoded_sample *sample = &from->decoded->sample;
	uint64_t words[BRANCHES_MAX * BRANCH_WORDS + 1];
	size_t count = 0;

	if (sample->has_call_stack || sample->branch_count == 0 ||
	    (from->decoded->id.has & DECODED_HAS_BRANCH_STACK) == 0)
		return;
	for (uint64_t i = 0; i < sample->branch_count && i < BRANCHES_MAX; i++) {
		const size_t at = (size_t)i * BRANCH_WORDS * sizeof(uint64_t);

		words[count++] = decode_word_at(sample->branches.bytes, at + sizeof(uint64_t));
		words[count++] = decode_word_at(sample->branches.bytes, at);
		words[count++] = decode_word_at(sample->branches.bytes, at + 2 * sizeof(uint64_t));
	}
	words[count++] = sample->transaction;
	record.kind = RECORD_SAMPLE;
	record.sample = (struct record_sample){.kind = SAMPLE_BRANCH, .count = (uint16_t)count};
	queue_sample(perf, from, &record, words, &(struct record_stack){0});
}

void replay_keep_access(struct replay_perf *perf, const struct perfdata_record *from,
			struct record record)
{
	uint64_t frames[SAMPLE_FRAMES_MAX];

	if (convert_access(from->decoded, frames, &record))
		queue_sample(perf, from, &record, frames, &(struct record_stack){0});
}

static enum branch_abort abort_of(uint64_t transaction)
{
	if (transaction & DECODED_TRANSACTION_CONFLICT)
		return BRANCH_ABORT_CONFLICT;
	if (transaction & DECODED_TRANSACTION_CAPACITY)
		return BRANCH_ABORT_CAPACITY;
	if (transaction & DECODED_TRANSACTION_SYNC)
		return BRANCH_ABORT_INSTRUCTION;
	return transaction & DECODED_TRANSACTION_ASYNC ? BRANCH_ABORT_OTHER : BRANCH_ABORT_UNKNOWN;
}

/* --- in their turn */

static struct record *add_copy_of(struct replay_perf *perf, const struct record *from)
{
	struct record *record = replay_out_add(&perf->out, from->kind, from->time_ns);

	*record = *from;
	return record;
}

void replay_emit_sample(struct replay_perf *perf, const struct queued *queued)
{
	struct record_sample *sample = &add_copy_of(perf, &queued->record)->sample;
	struct record_stack *stack = &perf->stack;

	sample->frames = queued->sample.words;
	if (perf->has_step && sample->kind != SAMPLE_MEMORY) {
		sample->weight = perf->step;
		sample->ns =
			sample->wakee_tid > 0 ? 0 : sampled_ns(perf, queued->event, perf->step);
	}
	*stack = queued->sample.stack;
	if (stack->size == 0)
		return;
	stack->registers = (const uint64_t *)((const char *)queued + registers_at(&queued->record));
	stack->bytes = (const char *)queued + stack_at(&queued->record, stack);
	sample->stack = stack;
}

/* The reason of an abort is that of the one that ended in the sample. */
void replay_emit_branches(struct replay_perf *perf, const struct queued *queued)
{
	const uint64_t *words = queued->sample.words;
	const size_t count = queued->record.sample.count / BRANCH_WORDS;

	for (size_t i = 0; i < count; i++) {
		const uint64_t *branch = words + i * BRANCH_WORDS;
		struct record *record = add_copy_of(perf, &queued->record);

		convert_branch(branch, branch[BRANCH_ENDS], record);
		if (record->sample.branch.is_abort && i == 0)
			record->sample.branch.abort =
				(uint8_t)abort_of(words[count * BRANCH_WORDS]);
	}
}

void replay_emit_mapping(struct replay_perf *perf, const struct queued *queued)
{
	struct decoded_mmap *mmap = &perf->mapping;

	*mmap = queued->mapping.mmap;
	mmap->file = queued->mapping.file;
	replay_complete_mapping(perf->file, mmap);
	add_copy_of(perf, &queued->record)->mapping = (struct record_mapping){.added = mmap};
}

void replay_emit_change(struct replay_perf *perf, const struct record *from)
{
	struct record record = *from;

	record.kind = RECORD_MAPPING;
	record.mapping = (struct record_mapping){.change = MAPPING_EXEC};
	if (from->kind == RECORD_FORK)
		record.mapping = (struct record_mapping){
			.change = MAPPING_FORKED,
			.parent_pid = from->fork.parent_pid,
		};
	else if (from->kind == RECORD_EXIT)
		record.mapping.change = MAPPING_EXITED;
	add_copy_of(perf, &record);
}
