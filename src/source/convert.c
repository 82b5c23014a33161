#include "source/convert.h"

#include <stdio.h>

#include "kernel/decode.h"
#include "model/record.h"

bool convert_record(const struct decoded *decoded, char *name, size_t name_size,
		    struct record *record)
{
	switch ((enum decoded_type)decoded->type) {
	case DECODED_SWITCH:
	case DECODED_SWITCH_CPU_WIDE:
		record->kind = decoded->ctx_switch.out ? RECORD_SWITCH_OUT : RECORD_SWITCH_IN;
		record->ctx_switch = (struct record_switch){
			.other_pid = decoded->ctx_switch.other_pid,
			.other_tid = decoded->ctx_switch.other_tid,
			.preempted = decoded->ctx_switch.preempted,
			.state = decoded->ctx_switch.preempted ? TASK_STATE_RUNNABLE
							       : TASK_STATE_UNKNOWN,
		};
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
	case DECODED_AUX:
	case DECODED_ITRACE_START:
	case DECODED_NAMESPACES:
	case DECODED_KSYMBOL:
	case DECODED_BPF_EVENT:
	case DECODED_CGROUP:
	case DECODED_TEXT_POKE:
	case DECODED_AUX_OUTPUT_HW_ID:
		break;
	}
	return false;
}
