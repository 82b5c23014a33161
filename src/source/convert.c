#include "source/convert.h"

#include <stdio.h>
#include <string.h>

#include "kernel/decode.h"
#include "model/record.h"

/* How it leaves is what the outgoing task says; the incoming one does not know it. */
static void convert_switch(const struct decoded *decoded, struct record *record)
{
	const struct decoded_switch *from = &decoded->ctx_switch;

	record->kind = RECORD_SWITCH;
	record->ctx_switch = (struct record_switch){
		.next_pid = from->out ? from->other_pid : record->pid,
		.next_tid = from->out ? from->other_tid : record->tid,
		.knows_how = from->out,
		.preempted = from->out && from->preempted,
		.state = from->out && from->preempted ? TASK_STATE_RUNNABLE : TASK_STATE_UNKNOWN,
	};
	if (from->out)
		return;
	record->pid = from->other_pid;
	record->tid = from->other_tid;
}

bool convert_record(const struct decoded *decoded, char *name, size_t name_size,
		    struct record *record)
{
	switch ((enum decoded_type)decoded->type) {
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		convert_switch(decoded, record);
		return true;
	case DECODED_FORK:
	case DECODED_EXIT:
		record->kind = decoded->type == DECODED_FORK ? RECORD_FORK : RECORD_EXIT;
		record->pid = decoded->fork.pid;
		record->tid = decoded->fork.tid;
		record->fork = (struct record_fork){
			.parent_pid = decoded->fork.parent_pid,
			.parent_tid = decoded->fork.parent_tid,
		};
		return true;
	case DECODED_COMM:
		record->kind = RECORD_COMM;
		record->pid = decoded->comm.pid;
		record->tid = decoded->comm.tid;
		snprintf(name, name_size, "%.*s", (int)decoded->comm.name_length,
			 decoded->comm.name);
		record->comm = (struct record_comm){.name = name, .exec = decoded->comm.exec};
		return true;
	case DECODED_LOST:
	case DECODED_LOST_SAMPLES:
		record->kind = RECORD_LOST;
		record->lost = decoded->lost.lost;
		return true;
	case DECODED_THROTTLE:
		record->kind = RECORD_THROTTLED;
		return true;
	case DECODED_MMAP:
	case DECODED_UNTHROTTLE:
	case DECODED_READ:
	case DECODED_SAMPLE:
	case DECODED_MMAP2:
	case DECODED_KSYMBOL:
	case DECODED_CGROUP:
	case DECODED_AUX:
	case DECODED_ITRACE_START:
	case DECODED_NAMESPACES:
	case DECODED_AUX_OUTPUT_HW_ID:
	case DECODED_TYPES:
		break;
	}
	return false;
}

enum {
	REGISTERS_OF_64_BITS = 2 /* PERF_SAMPLE_REGS_ABI_64 */
};

enum frame_mode {
	FRAME_KERNEL,
	FRAME_USER,
	FRAME_OTHER /* a guest's, or a hypervisor's */
};

static enum frame_mode mode_of_mark(uint64_t mark)
{
	if (mark == (uint64_t)(int64_t)DECODED_CONTEXT_KERNEL)
		return FRAME_KERNEL;
	return mark == (uint64_t)(int64_t)DECODED_CONTEXT_USER ? FRAME_USER : FRAME_OTHER;
}

static enum frame_mode mode_of_record(const struct decoded *decoded)
{
	switch (decoded->misc & DECODED_MISC_MODE) {
	case DECODED_MISC_KERNEL:
		return FRAME_KERNEL;
	case DECODED_MISC_USER:
		return FRAME_USER;
	default:
		return FRAME_OTHER;
	}
}

/*
 * The user's part as the processor recorded it (LBR), in place of the one by frame pointers. The
 * last call led into the innermost function; where in it is only known of a sample in user mode.
 * Callers are addresses behind the call, as those of returns are.
 */
static void take_call_stack(const struct decoded_sample *from, uint64_t *frames,
			    struct record_sample *sample)
{
	sample->count = sample->kernel_count;
	for (uint64_t i = 0; i < from->branch_count && sample->count < SAMPLE_FRAMES_MAX; i++) {
		const size_t call = (size_t)i * DECODED_BRANCH_BYTES;
		const uint64_t caller = decode_word_at(from->branches.bytes, call);
		const uint64_t callee = decode_word_at(from->branches.bytes, call + sizeof(callee));

		if (i == 0)
			frames[sample->count++] = sample->kernel_count > 0 ? callee : from->ip;
		if (sample->count < SAMPLE_FRAMES_MAX)
			frames[sample->count++] = caller + 1;
	}
}

/*
 * A precise event (PEBS, IBS) has the address of the instruction that caused it, and its chain was
 * taken when the interrupt came, some instructions later: the chain says who the callers are. It
 * may even have begun in the kernel by then, or have left it.
 */
static void put_address(uint64_t ip, bool in_kernel, uint64_t *frames, struct record_sample *sample)
{
	uint16_t dropped;

	if (in_kernel && sample->kernel_count == 0) {
		if (sample->count == SAMPLE_FRAMES_MAX)
			sample->count--;
		memmove(frames + 1, frames, sample->count * sizeof(*frames));
		sample->count++;
		sample->kernel_count = 1;
	} else if (!in_kernel && sample->kernel_count > 0) {
		dropped = sample->kernel_count;
		if (dropped == sample->count)
			dropped--;
		sample->count -= dropped;
		sample->kernel_count = 0;
		memmove(frames, frames + dropped, sample->count * sizeof(*frames));
	}
	frames[0] = ip;
}

/*
 * A chain is marks and addresses: first those in the kernel, then the user's. Where there is none
 * the place itself is all that is known.
 */
void convert_sample(const struct decoded *decoded, uint64_t *frames, struct record *record)
{
	const struct decoded_sample *from = &decoded->sample;
	const uint64_t lowest_mark = (uint64_t)(int64_t)DECODED_CONTEXT_LOWEST;
	const bool has_chain = (decoded->id.has & DECODED_HAS_CALLCHAIN) != 0;
	const uint64_t words = has_chain ? from->callchain_count : 0;
	enum frame_mode mode = mode_of_record(decoded);
	struct record_sample sample = {
		.frames = frames,
		.addr = decoded->id.has & DECODED_HAS_ADDR ? from->addr : 0,
	};

	for (uint64_t i = 0; i < words && sample.count < SAMPLE_FRAMES_MAX; i++) {
		const uint64_t word = decode_word_at(from->callchain, (size_t)i * sizeof(word));
		const bool is_first_part = sample.kernel_count == sample.count;

		if (word >= lowest_mark)
			mode = mode_of_mark(word);
		else if (mode == FRAME_USER || (mode == FRAME_KERNEL && is_first_part))
			frames[sample.count++] = word;
		if (word < lowest_mark && mode == FRAME_KERNEL && is_first_part)
			sample.kernel_count++;
	}
	if (sample.count == 0 && mode_of_record(decoded) != FRAME_OTHER) {
		frames[sample.count++] = from->ip;
		sample.kernel_count = mode_of_record(decoded) == FRAME_KERNEL;
	}
	if (words > 0 && from->ip != 0 && mode_of_record(decoded) != FRAME_OTHER)
		put_address(from->ip, mode_of_record(decoded) == FRAME_KERNEL, frames, &sample);
	if (has_chain && from->has_call_stack && from->branch_count > 0 &&
	    sample.count > sample.kernel_count)
		take_call_stack(from, frames, &sample);
	record->kind = RECORD_SAMPLE;
	record->sample = sample;
}

void convert_branch(const uint64_t ends[static BRANCH_ENDS], uint64_t flags, struct record *record)
{
	const struct decoded_branch branch = decode_branch(flags);

	record->kind = RECORD_SAMPLE;
	record->sample = (struct record_sample){
		.kind = SAMPLE_BRANCH,
		.frames = ends,
		.count = BRANCH_ENDS,
		.weight = branch.is_mispredicted,
		.ns = branch.cycles,
		.branch =
			{
				.type = branch.type,
				.privilege = branch.privilege,
				.is_in_transaction = branch.is_in_transaction,
				.is_abort = branch.is_abort,
				.is_predictable = branch.is_mispredicted || branch.is_predicted,
			},
	};
}

/* Of several weights the first is the latency. An operation that accesses no memory has no address
 * and says so. */
bool convert_access(const struct decoded *decoded, uint64_t *frames, struct record *record)
{
	const struct decoded_sample *from = &decoded->sample;
	struct record_sample *sample = &record->sample;
	uint64_t latency = 0;

	if ((decoded->id.has & DECODED_HAS_DATA_SRC) == 0 ||
	    (from->data_src & DECODED_IS_NO_ACCESS) != 0)
		return false;
	if (decoded->id.has & DECODED_HAS_WEIGHT)
		latency = from->weight;
	else if (decoded->id.has & DECODED_HAS_WEIGHT_STRUCT)
		latency = (uint32_t)from->weight;
	convert_sample(decoded, frames, record);
	sample->kind = SAMPLE_MEMORY;
	sample->count = sample->count > 0;
	sample->kernel_count = sample->kernel_count > 0;
	sample->weight = latency;
	sample->ns = latency > 0;
	sample->access = decode_access(from->data_src);
	sample->data_src = from->data_src;
	sample->address = decoded->id.has & DECODED_HAS_ADDR ? from->addr : 0;
	return true;
}

bool convert_stack(const struct decoded *decoded, uint64_t mask, struct record_stack *stack)
{
	const uint64_t both = DECODED_HAS_REGS_USER | DECODED_HAS_STACK_USER;
	const struct decoded_sample *sample = &decoded->sample;
	const uint64_t used = sample->user_stack_dynamic_size;

	if ((decoded->id.has & both) != both || sample->user_abi != REGISTERS_OF_64_BITS ||
	    sample->user_stack.size == 0)
		return false;
	*stack = (struct record_stack){
		.mask = mask,
		.registers = sample->user_regs,
		.register_count = (uint16_t)sample->user_reg_count,
		.bytes = sample->user_stack.bytes,
		.size = used < sample->user_stack.size ? (size_t)used : sample->user_stack.size,
	};
	return true;
}

bool convert_mapping(const struct decoded *decoded, struct record *record)
{
	struct record_mapping *mapping = &record->mapping;

	switch (decoded->type) {
	case DECODED_MMAP:
	case DECODED_MMAP2:
	case DECODED_KSYMBOL:
		record->pid = decoded->mmap.pid;
		record->tid = decoded->mmap.tid;
		*mapping = (struct record_mapping){.added = &decoded->mmap};
		break;
	case DECODED_COMM:
		record->pid = decoded->comm.pid;
		record->tid = decoded->comm.tid;
		*mapping = (struct record_mapping){.change = MAPPING_EXEC};
		break;
	case DECODED_FORK:
	case DECODED_EXIT:
		record->pid = decoded->fork.pid;
		record->tid = decoded->fork.tid;
		*mapping = (struct record_mapping){
			.change = decoded->type == DECODED_FORK ? MAPPING_FORKED : MAPPING_EXITED,
			.parent_pid = decoded->fork.parent_pid,
		};
		break;
	default:
		return false;
	}
	record->kind = RECORD_MAPPING;
	switch (mapping->change) {
	case MAPPING_ADDED:
		return true;
	case MAPPING_EXEC:
		return decoded->comm.exec;
	case MAPPING_FORKED:
		return record->pid != mapping->parent_pid;
	case MAPPING_EXITED:
		return record->pid == record->tid;
	}
	return false;
}
