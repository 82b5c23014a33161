/*
 * The bodies of records other than samples, as far as they are used. The trailer has been taken
 * off, and a body may be longer than what is read of it: later kernels append.
 */
#include <assert.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"

static_assert((int)DECODED_MMAP == (int)PERF_RECORD_MMAP &&
		      (int)DECODED_LOST == (int)PERF_RECORD_LOST &&
		      (int)DECODED_COMM == (int)PERF_RECORD_COMM &&
		      (int)DECODED_EXIT == (int)PERF_RECORD_EXIT &&
		      (int)DECODED_THROTTLE == (int)PERF_RECORD_THROTTLE &&
		      (int)DECODED_UNTHROTTLE == (int)PERF_RECORD_UNTHROTTLE &&
		      (int)DECODED_FORK == (int)PERF_RECORD_FORK &&
		      (int)DECODED_READ == (int)PERF_RECORD_READ &&
		      (int)DECODED_SAMPLE == (int)PERF_RECORD_SAMPLE &&
		      (int)DECODED_MMAP2 == (int)PERF_RECORD_MMAP2 &&
		      (int)DECODED_AUX == (int)PERF_RECORD_AUX &&
		      (int)DECODED_ITRACE_START == (int)PERF_RECORD_ITRACE_START &&
		      (int)DECODED_AUX_OUTPUT_HW_ID == (int)PERF_RECORD_AUX_OUTPUT_HW_ID &&
		      (int)DECODED_LOST_SAMPLES == (int)PERF_RECORD_LOST_SAMPLES &&
		      (int)DECODED_SWITCH == (int)PERF_RECORD_SWITCH &&
		      (int)DECODED_SWITCH_CPU_WIDE == (int)PERF_RECORD_SWITCH_CPU_WIDE &&
		      (int)DECODED_NAMESPACES == (int)PERF_RECORD_NAMESPACES &&
		      (int)DECODED_KSYMBOL == (int)PERF_RECORD_KSYMBOL &&
		      (int)DECODED_KSYMBOL_BPF == (int)PERF_RECORD_KSYMBOL_TYPE_BPF &&
		      (int)DECODED_CGROUP == (int)PERF_RECORD_CGROUP,
	      "types have the kernel's numbers");

/* The rest of the body as a string: padded with NULs, or cut, as it comes. */
static bool take_string(struct record_cursor *body, const char **text, size_t *length)
{
	*text = (const char *)body->at;
	*length = strnlen(*text, bytes_left(body));
	return true;
}

static bool decode_comm(struct decoded_comm *comm, struct record_cursor *body, uint16_t misc)
{
	comm->exec = (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	return take_pair(body, &comm->pid, &comm->tid) &&
	       take_string(body, &comm->name, &comm->name_length);
}

/* 24 bytes that are either the file's identity in its file system or its build id. */
static bool take_identity(struct record_cursor *body, struct decoded_mmap *map, uint16_t misc)
{
	if (bytes_left(body) < 4 * WORD)
		return false;
	map->has_build_id = (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0;
	if (map->has_build_id) {
		map->build_id_size = *body->at;
		memcpy(map->build_id, body->at + 4, sizeof(map->build_id)); /* 3 are reserved */
		body->at += 4 + sizeof(map->build_id);
	} else {
		map->major = next_u32(body);
		map->minor = next_u32(body);
		map->inode = next_u64(body);
		map->inode_generation = next_u64(body);
	}
	map->protection = next_u32(body);
	map->flags = next_u32(body);
	return !map->has_build_id || map->build_id_size <= sizeof(map->build_id);
}

static bool decode_mmap(struct decoded *record, struct record_cursor *body)
{
	struct decoded_mmap *map = &record->mmap;

	map->is_function = false;
	map->is_data = (record->misc & PERF_RECORD_MISC_MMAP_DATA) != 0;
	map->has_build_id = false;
	return take_pair(body, &map->pid, &map->tid) && take_u64(body, &map->address) &&
	       take_u64(body, &map->length) && take_u64(body, &map->page_offset) &&
	       (record->type == PERF_RECORD_MMAP || take_identity(body, map, record->misc)) &&
	       take_string(body, &map->file, &map->file_length);
}

/* Code that the kernel made at run time: programs and trampolines of BPF, copied instructions. */
static bool decode_ksymbol(struct decoded_mmap *map, struct record_cursor *body)
{
	uint64_t kind_and_flags;

	*map = (struct decoded_mmap){.pid = -1, .tid = -1, .is_function = true};
	if (bytes_left(body) < 2 * WORD)
		return false;
	map->address = next_u64(body);
	map->page_offset = map->address;
	map->length = next_u32(body);
	kind_and_flags = next_u32(body);
	memcpy(&map->function_kind, &kind_and_flags, sizeof(map->function_kind));
	map->is_unmapped = (kind_and_flags >> 16 & PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER) != 0;
	return take_string(body, &map->file, &map->file_length);
}

static bool decode_switch(struct decoded *record, struct record_cursor *body)
{
	struct decoded_switch *ctx_switch = &record->ctx_switch;

	ctx_switch->out = (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	ctx_switch->preempted =
		ctx_switch->out && (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
	ctx_switch->other_pid = -1;
	ctx_switch->other_tid = -1;
	return record->type == PERF_RECORD_SWITCH ||
	       take_pair(body, &ctx_switch->other_pid, &ctx_switch->other_tid);
}

bool decode_body(struct decoded *record, struct record_cursor *body, uint64_t read_format)
{
	switch (record->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return take_pair(body, &record->fork.pid, &record->fork.parent_pid) &&
		       take_pair(body, &record->fork.tid, &record->fork.parent_tid) &&
		       take_u64(body, &record->fork.time_ns);
	case PERF_RECORD_COMM:
		return decode_comm(&record->comm, body, record->misc);
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return decode_mmap(record, body);
	case PERF_RECORD_LOST:
		return take_u64(body, &record->lost.id) && take_u64(body, &record->lost.lost);
	case PERF_RECORD_LOST_SAMPLES:
		record->lost.id = 0;
		return take_u64(body, &record->lost.lost);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return take_u64(body, &record->throttle.time_ns) &&
		       take_u64(body, &record->throttle.id) &&
		       take_u64(body, &record->throttle.stream_id);
	case PERF_RECORD_KSYMBOL:
		return decode_ksymbol(&record->mmap, body);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return decode_switch(record, body);
	case PERF_RECORD_NAMESPACES:
		return take_pair(body, &record->namespaces.pid, &record->namespaces.tid) &&
		       take_u64(body, &record->namespaces.count) &&
		       take_array(body, record->namespaces.count, 2 * WORD,
				  &record->namespaces.links);
	case PERF_RECORD_CGROUP:
		return take_u64(body, &record->cgroup.id) &&
		       take_string(body, &record->cgroup.path, &record->cgroup.path_length);
	case PERF_RECORD_READ:
		return take_pair(body, &record->counts.pid, &record->counts.tid) &&
		       decode_take_readings(body, &record->counts.read, read_format);
	default: /* not used: only the trailer is read */
		return true;
	}
}
