/*
 * The bodies of all records but SAMPLE, one function each. The trailer is off already, so the body
 * may be longer than what is read here: later kernels append to it.
 */
#include <assert.h>

#include <linux/perf_event.h>

#include "kernel/decode_cursor.h"
#include "kernel/decode_parts.h"

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
		      (int)DECODED_LOST_SAMPLES == (int)PERF_RECORD_LOST_SAMPLES &&
		      (int)DECODED_SWITCH == (int)PERF_RECORD_SWITCH &&
		      (int)DECODED_SWITCH_CPU_WIDE == (int)PERF_RECORD_SWITCH_CPU_WIDE &&
		      (int)DECODED_NAMESPACES == (int)PERF_RECORD_NAMESPACES &&
		      (int)DECODED_KSYMBOL == (int)PERF_RECORD_KSYMBOL &&
		      (int)DECODED_BPF_EVENT == (int)PERF_RECORD_BPF_EVENT &&
		      (int)DECODED_CGROUP == (int)PERF_RECORD_CGROUP &&
		      (int)DECODED_TEXT_POKE == (int)PERF_RECORD_TEXT_POKE &&
		      (int)DECODED_AUX_OUTPUT_HW_ID == (int)PERF_RECORD_AUX_OUTPUT_HW_ID,
	      "types have the kernel's numbers");

static bool decode_fork(struct decoded_fork *fork, struct decode_cursor *body)
{
	if (bytes_left(body) < 4 * sizeof(int32_t) + DECODE_WORD)
		return false;
	fork->pid = next_s32(body);
	fork->parent_pid = next_s32(body);
	fork->tid = next_s32(body);
	fork->parent_tid = next_s32(body);
	fork->time_ns = next_u64(body);
	return true;
}

static bool decode_comm(struct decoded_comm *comm, struct decode_cursor *body, uint16_t misc)
{
	if (bytes_left(body) < 2 * sizeof(int32_t))
		return false;
	comm->pid = next_s32(body);
	comm->tid = next_s32(body);
	comm->name = take_string(body, &comm->name_length);
	comm->exec = (misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
	return true;
}

static bool decode_mmap(struct decoded_mmap *map, struct decode_cursor *body, uint16_t misc)
{
	if (bytes_left(body) < 2 * sizeof(int32_t) + 3 * DECODE_WORD)
		return false;
	map->pid = next_s32(body);
	map->tid = next_s32(body);
	map->address = next_u64(body);
	map->length = next_u64(body);
	map->page_offset = next_u64(body);
	map->is_data = (misc & PERF_RECORD_MISC_MMAP_DATA) != 0;
	map->has_build_id = false;
	return true;
}

/* 24 bytes that are either the file's identity in its file system or its build id. */
static void next_file_identity(struct decode_cursor *body, struct decoded_mmap *map)
{
	map->major = next_u32(body);
	map->minor = next_u32(body);
	map->inode = next_u64(body);
	map->inode_generation = next_u64(body);
}

static bool next_build_id(struct decode_cursor *body, struct decoded_mmap *map)
{
	map->has_build_id = true;
	map->build_id_size = *body->at;
	body->at += 4; /* size and three reserved bytes */
	memcpy(map->build_id, body->at, sizeof(map->build_id));
	body->at += sizeof(map->build_id);
	return map->build_id_size <= sizeof(map->build_id);
}

static bool decode_mmap2(struct decoded_mmap *map, struct decode_cursor *body, uint16_t misc)
{
	if (!decode_mmap(map, body, misc) || bytes_left(body) < 4 * DECODE_WORD)
		return false;
	if (misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		if (!next_build_id(body, map))
			return false;
	} else {
		next_file_identity(body, map);
	}
	map->protection = next_u32(body);
	map->flags = next_u32(body);
	map->file = take_string(body, &map->file_length);
	return true;
}

static bool decode_mmap1(struct decoded_mmap *map, struct decode_cursor *body, uint16_t misc)
{
	if (!decode_mmap(map, body, misc))
		return false;
	map->file = take_string(body, &map->file_length);
	return true;
}

static bool decode_lost(struct decoded_lost *lost, struct decode_cursor *body)
{
	return take_u64(body, &lost->id) && take_u64(body, &lost->lost);
}

static bool decode_lost_samples(struct decoded_lost *lost, struct decode_cursor *body)
{
	lost->id = 0;
	return take_u64(body, &lost->lost);
}

static bool decode_throttle(struct decoded_throttle *throttle, struct decode_cursor *body)
{
	return take_u64(body, &throttle->time_ns) && take_u64(body, &throttle->id) &&
	       take_u64(body, &throttle->stream_id);
}

static bool decode_switch(struct decoded *record, struct decode_cursor *body)
{
	struct decoded_switch *ctx_switch = &record->ctx_switch;

	ctx_switch->out = (record->misc & PERF_RECORD_MISC_SWITCH_OUT) != 0;
	ctx_switch->preempted =
		ctx_switch->out && (record->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
	ctx_switch->other_pid = -1;
	ctx_switch->other_tid = -1;
	if (record->type == PERF_RECORD_SWITCH)
		return true;
	if (bytes_left(body) < 2 * sizeof(int32_t))
		return false;
	ctx_switch->other_pid = next_s32(body);
	ctx_switch->other_tid = next_s32(body);
	return true;
}

static bool decode_counts(struct decoded *record, struct decode_cursor *body, uint64_t read_format)
{
	if (bytes_left(body) < 2 * sizeof(int32_t))
		return false;
	record->counts.pid = next_s32(body);
	record->counts.tid = next_s32(body);
	return decode_take_readings(body, &record->counts.read, read_format);
}

static bool decode_itrace_start(struct decoded *record, struct decode_cursor *body)
{
	if (bytes_left(body) < 2 * sizeof(int32_t))
		return false;
	record->itrace_start.pid = next_s32(body);
	record->itrace_start.tid = next_s32(body);
	return true;
}

static bool decode_aux(struct decoded_aux *aux, struct decode_cursor *body)
{
	return take_u64(body, &aux->offset) && take_u64(body, &aux->size) &&
	       take_u64(body, &aux->flags);
}

static bool decode_namespaces(struct decoded_namespaces *namespaces, struct decode_cursor *body)
{
	if (bytes_left(body) < 2 * sizeof(int32_t) + DECODE_WORD)
		return false;
	namespaces->pid = next_s32(body);
	namespaces->tid = next_s32(body);
	namespaces->count = next_u64(body);
	return take_array(body, namespaces->count, sizeof(struct perf_ns_link_info),
			  &namespaces->entries);
}

static bool decode_ksymbol(struct decoded_ksymbol *symbol, struct decode_cursor *body)
{
	if (bytes_left(body) < 2 * DECODE_WORD)
		return false;
	symbol->address = next_u64(body);
	symbol->length = next_u32(body);
	symbol->type = next_u16(body);
	symbol->flags = next_u16(body);
	symbol->name = take_string(body, &symbol->name_length);
	return true;
}

static bool decode_bpf(struct decoded_bpf *bpf, struct decode_cursor *body)
{
	if (bytes_left(body) < 2 * DECODE_WORD)
		return false;
	bpf->type = next_u16(body);
	bpf->flags = next_u16(body);
	bpf->id = next_u32(body);
	bpf->tag = body->at;
	return true;
}

static bool decode_cgroup(struct decoded_cgroup *cgroup, struct decode_cursor *body)
{
	if (!take_u64(body, &cgroup->id))
		return false;
	cgroup->path = take_string(body, &cgroup->path_length);
	return true;
}

static bool decode_text_poke(struct decoded_text_poke *poke, struct decode_cursor *body)
{
	struct decoded_bytes bytes;

	if (bytes_left(body) < DECODE_WORD + 2 * sizeof(uint16_t))
		return false;
	poke->address = next_u64(body);
	poke->old_length = next_u16(body);
	poke->new_length = next_u16(body);
	if (!take_bytes(body, (uint64_t)poke->old_length + poke->new_length, &bytes))
		return false;
	poke->bytes = bytes.bytes;
	return true;
}

bool decode_body(struct decoded *record, struct decode_cursor *body,
		 const struct decode_format *format)
{
	switch (record->type) {
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return decode_fork(&record->fork, body);
	case PERF_RECORD_COMM:
		return decode_comm(&record->comm, body, record->misc);
	case PERF_RECORD_MMAP:
		return decode_mmap1(&record->mmap, body, record->misc);
	case PERF_RECORD_MMAP2:
		return decode_mmap2(&record->mmap, body, record->misc);
	case PERF_RECORD_LOST:
		return decode_lost(&record->lost, body);
	case PERF_RECORD_LOST_SAMPLES:
		return decode_lost_samples(&record->lost, body);
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
		return decode_throttle(&record->throttle, body);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return decode_switch(record, body);
	case PERF_RECORD_READ:
		return decode_counts(record, body, format->read_format);
	case PERF_RECORD_ITRACE_START:
		return decode_itrace_start(record, body);
	case PERF_RECORD_AUX:
		return decode_aux(&record->aux, body);
	case PERF_RECORD_NAMESPACES:
		return decode_namespaces(&record->namespaces, body);
	case PERF_RECORD_KSYMBOL:
		return decode_ksymbol(&record->ksymbol, body);
	case PERF_RECORD_BPF_EVENT:
		return decode_bpf(&record->bpf, body);
	case PERF_RECORD_CGROUP:
		return decode_cgroup(&record->cgroup, body);
	case PERF_RECORD_TEXT_POKE:
		return decode_text_poke(&record->text_poke, body);
	case PERF_RECORD_AUX_OUTPUT_HW_ID:
		return take_u64(body, &record->aux_hw_id);
	default:
		return false;
	}
}
